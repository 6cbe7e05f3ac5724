/* The multi-source BFS that all users on the GPU share: its state, and what its levels count.
 *
 * Source: M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T.
 *   Vo: The more the merrier: efficient multi-source graph traversal, VLDB 2014, sections 3 and 4;
 *   one launch for all levels: BLEST (Elbek, Kaya, 2025).
 * Idea: a search from each of 64 to 1,024 sources is a bit in the W words of every vertex, so that one
 *   access to an edge serves all. One cooperative launch runs all levels, each by push or pull,
 *   whichever costs less, and calls a consumer with the new bits of each vertex (consumers.cuh): rows
 *   of distances, counts per source, or nothing. Targets and the depths of sources need no call per vertex.
 * Data: `seen` and two frontiers, of W words per vertex; bitmaps of the vertices with a frontier (three
 *   in turn) and of those in which a bit may still come (`open`). A level finds its vertices in a
 *   bitmap, 32 at a time, so that there are no lists, and a complete or inactive vertex costs a bit.
 *   Rows of more than `chunk` edges are in a list of chunks, which all warps share.
 * Pull: a group of lanes has a vertex, each lane 16 bytes of its words. A group has a few edges in
 *   flight; rows of more than LONG_ROW edges get a warp. It ends when no bit is missing that can still
 *   come. A source that found no vertex in a level is not waited for, otherwise one in a small
 *   component makes every pull examine all edges. Sparse frontiers are tested in the bitmap first.
 * Alignment: a source from which a level more is needed to reach the hubs delays the pull of all others, which waits
 *   for its bits. So those that need a level less, by the edges of their neighbors, begin at level 1. Kronecker 20,
 *   edge factor 27, 512 sources, counted: the largest pull gathers 0.07 of all edges, not 0.76.
 * Push: the edges of 32 active vertices are divided evenly among the lanes, and only words that are not
 *   zero are pushed. A racy test precedes the atomic.
 * In-neighbors in order of degree, a frequent advice, are not used: a row is scanned to its end in the
 *   level that costs most, since with hundreds of sources some bit is missing until then. Counted without alignment in
 *   a simulation of Kronecker 17 (edge factor 16, 3.73 M edges), edges gathered by pulls in rows' order /
 *   in order of degree: 512 sources: level 2 3.73 M / 3.73, 3 3.72 / 3.72, 4 1.46 / 0.54, 5 0.07 / 0.06;
 *   64 sources: level 3 2.09 / 1.32, 4 0.10 / 0.08. Uniform 16 (2.1 M): level 3 2.1 / 2.1, 4 0.99 / 0.86.
 * Scratch: 24 bytes per vertex and word, 4 bits per vertex, 16 bytes per `chunk` / 2 edges.
 * Work: in such graphs about 1.2 (64 sources: 1.3; without alignment 2.1 and 0.8) targets per edge, all levels
 *   together, and gathers of W words; 2 grid barriers per push, 2 or 3 per pull.
 * Atomics: pushes, one per word that gains bits; a bit per active vertex. */
#ifndef FRI_CUDA_BFS_MANY_STATE_CUH
#define FRI_CUDA_BFS_MANY_STATE_CUH

#include "cuda/drivers/persistent.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/edge_chunks.cuh"
#include "cuda/prim/persistent.cuh"
#include "cuda/prim/reduce.cuh"

typedef unsigned long long fri_bits; /* of 64 sources */

/* LONG_ROW: a warp pulls a row of more edges. DENSE: frontiers of more than 1 / DENSE of all vertices are
 * not tested in the bitmap. */
enum {
    FRI_MANY_MAX_WORDS = 16,
    FRI_MANY_LONG_ROW = 64,
    FRI_MANY_DENSE = 2,
    FRI_MANY_SAMPLE = 128, /* neighbors of a source */
    FRI_MANY_BITMAPS = 3,
    FRI_MANY_IN_FLIGHT = 4
};
#ifdef FRI_SIMT /* small graphs, too */
enum { FRI_MANY_GROWTH = 2 };
#else
enum { FRI_MANY_GROWTH = 64 /* edges per edge of a level, below which sources are not aligned */ };
#endif
enum { FRI_MANY_TURNS = 8 /* of a warp in a pull */ };
enum { FRI_MANY_THREADS = 384, FRI_MANY_BLOCKS = 2 /* per multiprocessor */ };

/* Of one level. */
struct fri_many_counts {
    unsigned long long active; /* vertices found */
    unsigned long long edges;  /* their out-edges times their words that are not zero */
    unsigned long long closed; /* in-edges of vertices in which no bit can come any more */
    unsigned long long examined;
    fri_bits any[FRI_MANY_MAX_WORDS]; /* sources that found a vertex */
};
enum { FRI_MANY_COUNTERS = 4 /* before `any` */ };

/* Of a batch, zero before it; between two launches it says where the next one continues. */
struct fri_many_control {
    fri_many_counts counts[FRI_PHASES]; /* those that level d reads: d % FRI_PHASES */
    unsigned long long chunks[2];       /* of long rows: of out-edges, of in-edges */
    fri_bits full[FRI_MANY_MAX_WORDS];  /* a bit per source that may find more */
    fri_bits late[FRI_MANY_MAX_WORDS];  /* of those that begin at level 1 */
    unsigned long long edges[2];        /* of all sources, of their neighbors: about */
    unsigned long long left, examined;  /* in-edges of open vertices; edges of all levels */
    int32_t level, pulled, ended;       /* the next level; the last one's direction */
    int32_t deepest;                    /* level that found a vertex */
    unsigned taken; /* sources, by blocks; `ended` counts their searches (blocks.cuh) */
};

/* Of a block between two launches: 1 + the source, 0: none; the depth of its frontier. */
struct fri_block_state {
    int32_t source, depth;
};

/* Kernel parameter. */
template <class O> struct fri_many {
    fri_csr_view<O> out, in;
    int32_t n, count, chunk, limit; /* limit: levels to run */
    double pull;                    /* knob */
    bool aligns;                    /* some sources may begin at level 1; not with a limit */
    fri_bits *seen, *frontier[2];   /* [n * W] */
    uint32_t *active[FRI_MANY_BITMAPS], *open;
    fri_edge_chunk *chunks[2];
    fri_many_control *control;
    const int32_t *sources, *targets; /* [count], or NULL: first, first + 1 ..; [target_count] */
    int32_t first;
    int64_t target_count;
    void *table;     /* [count][target_count] distances; NULL: none */
    bool wide;       /* they are int64 */
    int32_t *depth;  /* [count] the last level in which a source found a vertex; NULL: none */
    unsigned *tally; /* [FRI_PHASES][W * 64] zero before a batch, with fri_many_tally; NULL: none */
    /* with it, [count], zero before a batch: what a source reaches, itself too; the sum of the distances, and
     * that of the reciprocals of those over 0 */
    double *reached, *far, *near;
    fri_level_record *trace;
    fri_block_state *states;   /* [64 W] */
    unsigned long long *ahead; /* [64 W] edges of the neighbors of a source, about */
};

/* Whole warp: the edges of the neighbors of v, estimated by some of them. *degree: its own. */
template <class O>
static __device__ __forceinline__ unsigned long long
fri_many_ahead(const fri_csr_view<O> &out, int32_t v, unsigned long long *degree) {
    const O begin = out.offsets[v];
    *degree = (unsigned long long)(out.offsets[v + 1] - begin);
    const unsigned some = *degree < FRI_MANY_SAMPLE ? (unsigned)*degree : (unsigned)FRI_MANY_SAMPLE;
    unsigned long long edges = 0;
    FRI_ROLLED
    for (unsigned k = (unsigned)fri_lane(); k < some; k += FRI_WARP) {
        const int32_t u = out.targets[begin + (O)(*degree * k / some)];
        edges += (unsigned long long)(out.offsets[u + 1] - out.offsets[u]);
    }
    return some ? fri_warp_total(edges) / some * *degree : 0;
}

/* The distance from source `bit` of word w in that level. */
static __device__ __forceinline__ int32_t fri_many_distance(const fri_bits *late, int w, int bit,
                                                            int32_t level) {
    return level - (int32_t)(late[w] >> bit & 1);
}

/* What all threads of a level read: the decision of the block's first thread. */
struct fri_many_level {
    fri_bits full[FRI_MANY_MAX_WORDS];
    fri_many_counts sum; /* of the block */
    const fri_bits *from;
    fri_bits *next;
    const uint32_t *active;
    uint32_t *found, *old; /* bitmaps of the next frontier; of the one before, to be cleared */
    unsigned long long frontier, left, examined; /* vertices; in-edges of open ones; edges so far */
    int32_t depth, deepest;
    bool ends, finds;                 /* finds: the last level found a vertex */
    bool pulls, cleans, tests, seeds; /* seeds: sources begin that are late */
};

/* Of a thread. any: lane w has word w. */
struct fri_many_thread {
    unsigned long long edges, closed;
    unsigned active, examined;
    fri_bits any;
};

/* The lanes that have a vertex's words, and the words of each. */
template <int W> struct fri_many_shape {
    static const int WORDS = W > 1 ? 2 : 1, LANES = W / WORDS, GROUPS = FRI_WARP / LANES;
    static const int EDGES = LANES > 4 ? LANES : 4, EACH = EDGES / LANES; /* at a time; of a lane */
    static const int STRIDE = W + 1, TILE = FRI_WARP * STRIDE;            /* see fri_many_tile */
};
template <int W> struct fri_many_part { fri_bits word[fri_many_shape<W>::WORDS]; };

template <int W>
static __device__ __forceinline__ fri_many_part<W> fri_many_load(const fri_bits *of, int64_t v) {
    const int part = fri_lane() % fri_many_shape<W>::LANES;
    fri_many_part<W> x;
    if constexpr (W == 1) {
        x.word[0] = of[v];
    } else {
        const uint4 quad = ((const uint4 *)of)[v * fri_many_shape<W>::LANES + part];
        x.word[0] = (fri_bits)quad.y << 32 | quad.x;
        x.word[1] = (fri_bits)quad.w << 32 | quad.z;
    }
    return x;
}
template <int W>
static __device__ __forceinline__ void fri_many_store(fri_bits *to, int64_t v,
                                                      const fri_many_part<W> &x) {
    const int part = fri_lane() % fri_many_shape<W>::LANES;
    if constexpr (W == 1)
        to[v] = x.word[0];
    else
        ((uint4 *)to)[v * fri_many_shape<W>::LANES + part] =
            make_uint4((unsigned)x.word[0], (unsigned)(x.word[0] >> 32), (unsigned)x.word[1],
                       (unsigned)(x.word[1] >> 32));
}
template <int W> static __device__ __forceinline__ bool fri_many_any(const fri_many_part<W> &x) {
    fri_bits all = 0;
    FRI_UNROLL
    for (int i = 0; i < fri_many_shape<W>::WORDS; i++)
        all |= x.word[i];
    return all != 0;
}

/* The missing bits that can still come, of this lane's words. */
template <int W>
static __device__ __forceinline__ fri_many_part<W> fri_many_missing(const fri_many_level &at,
                                                                    const fri_many_part<W> &seen) {
    const int WORDS = fri_many_shape<W>::WORDS, part = fri_lane() % fri_many_shape<W>::LANES;
    fri_many_part<W> x;
    FRI_UNROLL
    for (int i = 0; i < WORDS; i++)
        x.word[i] = at.full[part * WORDS + i] & ~seen.word[i];
    return x;
}

/* Whole warp: whether any lane of this lane's group votes yes. */
template <int W> static __device__ __forceinline__ bool fri_many_group_any(bool yes) {
    const int LANES = fri_many_shape<W>::LANES;
    const unsigned votes = __ballot_sync(FRI_FULL_MASK, yes);
    return votes >> fri_lane() / LANES * LANES & ((1u << LANES) - 1);
}

/* 32-bit words of a bitmap of n vertices, at least one. */
static __host__ __device__ __forceinline__ int32_t fri_many_map_words(int32_t n) {
    return (n - 1) / FRI_WARP + 1;
}
static __device__ __forceinline__ bool fri_many_bit(const uint32_t *bits, int32_t v) {
    return bits[v / FRI_WARP] >> v % FRI_WARP & 1;
}

/* The position of the nth of the bits, from 0. */
static __device__ __forceinline__ int fri_nth_bit(uint32_t bits, int nth) {
    int at = 0;
    FRI_UNROLL
    for (int step = FRI_WARP / 2; step; step /= 2) {
        const int below = __popc(bits >> at & ((1u << step) - 1));
        if (nth >= below) {
            nth -= below;
            at += step;
        }
    }
    return at;
}

/* All threads of the grid: calls take(v) for the vertices whose bits are set, by whole warps, with a
 * vertex per lane or -1. No other warp gets a vertex of the same word; `take` may clear bits of it.
 * turns: how often a warp gets words. Several balance the work, one costs less where few bits are set. */
template <class F>
static __device__ __forceinline__ void fri_many_each(const uint32_t *bits, int32_t n, int turns,
                                                     F take) {
    const int32_t words = fri_many_map_words(n), warps = fri_grid_warps();
    const int32_t each = FRI_MAX(FRI_MIN(words / (warps * turns), (int32_t)FRI_WARP), 1);
    FRI_ROLLED
    for (int64_t first = (int64_t)fri_grid_warp() * each; first < words;
         first += (int64_t)warps * each) {
        const int64_t at = first + fri_lane();
        const uint32_t word = fri_lane() < each && at < words ? bits[at] : 0;
        int total;
        const int before = fri_warp_prefix(__popc(word), &total);
        FRI_ROLLED
        for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
            const int i = i0 + fri_lane(), owner = fri_owner_lane(before, i);
            const int nth = i - __shfl_sync(FRI_FULL_MASK, before, owner);
            const uint32_t of = __shfl_sync(FRI_FULL_MASK, word, owner);
            take(i < total ? (int32_t)((first + owner) * FRI_WARP) + fri_nth_bit(of, nth) : -1);
        }
    }
}

/* All threads of the grid: calls take(chunk) for the chunks of long rows, of out-edges (0) or in-edges (1),
 * whose vertices' bits are set, by whole warps. Consecutive chunks go to different warps. */
template <class O, class F>
static __device__ __forceinline__ void fri_many_each_chunk(const fri_many<O> &p, int direction,
                                                           const uint32_t *bits, F take) {
    const fri_edge_chunk *chunks = p.chunks[direction];
    const int64_t count = (int64_t)p.control->chunks[direction], warps = fri_grid_warps();
    FRI_ROLLED
    for (int64_t first = fri_grid_warp(); first < count; first += warps * FRI_WARP) {
        const int64_t at = first + fri_lane() * warps;
        const bool is = at < count && fri_many_bit(bits, chunks[at].v);
        FRI_ROLLED
        for (unsigned left = __ballot_sync(FRI_FULL_MASK, is); left; left &= left - 1)
            take(chunks[first + (__ffs((int)left) - 1) * warps]);
    }
}

#endif
