/* The vertices of every level of a batch of searches, so that a caller can process levels again, and in
 * reverse.
 *
 * Idea: a consumer of bfs/many/consumers.cuh appends the vertices that gain bits to a list per word of 64
 *   sources. The levels of a list follow each other; a level's two ends are known from the number of its
 *   entries. Vertices with long rows, which a block processes, are in the same list, from its end down.
 * Memory: 12 bytes per vertex and source, since a search finds a vertex once; 8 per vertex and word.
 * Atomics: 2 per 32 vertices, word and level. */
#ifndef FRI_CUDA_CENTRALITY_LEVEL_LISTS_CUH
#define FRI_CUDA_CENTRALITY_LEVEL_LISTS_CUH

#include "cuda/centrality/searches.cuh"
#include "cuda/prim/append.cuh"

/* LONG_ROW: rows of more edges, in either direction, are long. */
#ifdef FRI_SIMT
enum { FRI_LISTS_LONG_ROW = 40 };
#else
enum { FRI_LISTS_LONG_ROW = 512 };
#endif
enum { FRI_LISTS_SHORT, FRI_LISTS_LONG, FRI_LISTS_KINDS };

/* Entries of a level in a list. */
struct fri_list_range {
    int64_t first;
    int32_t count;
};
struct fri_list_level {
    fri_list_range of[FRI_MANY_MAX_WORDS][FRI_LISTS_KINDS];
};

template <class O> struct fri_level_lists {
    fri_csr_view<O> out, in;
    int32_t words;
    int64_t capacity; /* of a word's list */
    int32_t *vertex;  /* [words][capacity] */
    fri_bits *bits;   /* the same: the sources whose searches find the vertex in the level */
    unsigned long long *tails; /* [words][FRI_LISTS_KINDS] */
    uint32_t *counts;          /* [levels][words][FRI_LISTS_KINDS] */

    __device__ __forceinline__ int64_t place(int word, int kind, int64_t at) const {
        return word * capacity + (kind == FRI_LISTS_LONG ? capacity - 1 - at : at);
    }
    __device__ __forceinline__ bool is_long(int32_t v) const {
        return out.offsets[v + 1] - out.offsets[v] > (O)FRI_LISTS_LONG_ROW ||
               in.offsets[v + 1] - in.offsets[v] > (O)FRI_LISTS_LONG_ROW;
    }
    template <int W>
    __device__ __forceinline__ void take(const fri_bits *own, int32_t v, bool gains, fri_bits any,
                                         int32_t depth) const {
        const bool longs = gains && is_long(v);
        FRI_ROLLED
        for (int w = 0; w < W; w++) {
            if (!__shfl_sync(FRI_FULL_MASK, any, w))
                continue;
            const fri_bits found = gains ? own[w] : 0;
            FRI_ROLLED
            for (int kind = 0; kind < FRI_LISTS_KINDS; kind++) {
                const int list = w * FRI_LISTS_KINDS + kind;
                const bool mine = found && longs == (kind == FRI_LISTS_LONG);
                const int some = __popc(__ballot_sync(FRI_FULL_MASK, mine));
                if (!some)
                    continue;
                const int64_t at =
                    place(w, kind, (int64_t)fri_warp_place(out, mine ? 1 : 0, &tails[list]));
                if (fri_lane() == 0) /* other warps add */
                    atomicAdd(&counts[(int64_t)depth * words * FRI_LISTS_KINDS + list],
                              (unsigned)some);
                if (mine) {
                    vertex[at] = v;
                    bits[at] = found;
                }
            }
        }
    }
};

template <class O>
static inline fri_level_lists<O> fri_lists_carve(const fri_gpu *g, int slots, char **at) {
    fri_level_lists<O> l = {};
    const int64_t lists = fri_searches_words(g) * FRI_LISTS_KINDS;
    l.out = fri_csr_view_of<O>(g->out);
    l.in = fri_csr_view_of<O>(g->in);
    l.words = fri_searches_words(g);
    l.capacity = (int64_t)g->n * slots;
    fri_carve_array(at, &l.bits, l.words * l.capacity);
    fri_carve_array(at, &l.vertex, l.words * l.capacity);
    fri_carve_array(at, &l.tails, lists);
    fri_carve_array(at, &l.counts, g->n * lists);
    return l;
}

/* Before a batch: the lists are empty. */
template <class O>
static inline fr_status fri_lists_clear(fri_gpu *g, const fri_level_lists<O> &l) {
    const int64_t lists = (int64_t)l.words * FRI_LISTS_KINDS;
    FRI_GPU_TRY(fri_gpu_zero(g, l.tails, fri_bytes(lists, sizeof *l.tails)));
    return fri_gpu_zero(g, l.counts, fri_bytes(g->n * lists, sizeof *l.counts));
}

/* After a batch: *levels, which fri_free() frees, has the levels 0 .. deepest, and an empty one before
 * and after these; it begins at level -1. */
template <class O>
static fr_status fri_lists_read(fri_gpu *g, const fri_level_lists<O> &l, int32_t deepest,
                                fri_list_level **levels) {
    const int64_t lists = (int64_t)l.words * FRI_LISTS_KINDS, count = (int64_t)deepest + 1;
    uint32_t *counts = (uint32_t *)fri_alloc(g->job->ctx, fri_bytes(count * lists, sizeof *counts));
    fri_list_level *made =
        (fri_list_level *)fri_calloc(g->job->ctx, fri_bytes(count + 2, sizeof *made));
    fr_status status = counts && made ? fri_gpu_download(g, counts, l.counts,
                                                         fri_bytes(count * lists, sizeof *counts))
                                      : FR_NOMEM;
    for (int64_t i = 0; i < count * lists && !status; i++) {
        const int word = (int)(i % lists / FRI_LISTS_KINDS), kind = (int)(i % FRI_LISTS_KINDS);
        const fri_list_range *before = &made[i / lists].of[word][kind];
        made[i / lists + 1].of[word][kind] = {before->first + before->count, (int32_t)counts[i]};
    }
    fri_free(counts);
    if (status)
        fri_free(made);
    *levels = status ? NULL : made;
    return status;
}

#endif
