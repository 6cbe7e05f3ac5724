/* The edges of hubs by slices of the vertices: where each slice's edges begin in a hub's row, and
 * their push, which tests and sets the slice's bits in a block's shared memory. push_sliced.cuh has
 * the method, its kernels and the source; `multi-device` uses these functions too. */
#ifndef FRI_CUDA_BFS_AUTO_HUB_SLICES_CUH
#define FRI_CUDA_BFS_AUTO_HUB_SLICES_CUH

#include "cuda/bfs/auto/cost_model.h"
#include "cuda/bfs/auto/params.cuh"
#include "cuda/prim/append.cuh"
#include "cuda/prim/edge_chunks.cuh"
#include "cuda/prim/reduce.cuh"

/* The edges of up to 32 chunks, one per lane of a warp, divided evenly among the lanes. */

/* Any thread: the position of the nth bit that is set; a number below 32 if there are fewer. */
static __device__ __forceinline__ int fri_nth_bit(unsigned bits, int nth) {
    int low = 0;
    FRI_UNROLL
    for (int step = FRI_WARP / 2; step; step /= 2)
        low += __popc(bits & ((1u << (low + step)) - 1)) <= nth ? step : 0;
    return low;
}

/* Whole warp: the chunks that are not empty, moved to the lowest lanes in their order; the other
 * lanes get an empty chunk. */
static __device__ __forceinline__ fri_edge_chunk fri_pack_chunks(const fri_edge_chunk &mine) {
    const unsigned full = __ballot_sync(FRI_FULL_MASK, mine.count > 0);
    const int from = fri_nth_bit(full, fri_lane()), count = __popc(full);
    const fri_edge_chunk its = {__shfl_sync(FRI_FULL_MASK, mine.v, from),
                                __shfl_sync(FRI_FULL_MASK, mine.count, from),
                                (int64_t)__shfl_sync(FRI_FULL_MASK, mine.begin, from)};
    return fri_lane() < count ? its : fri_edge_chunk{0, 0, 0};
}

/* Whole warp: calls visit(e, owner, on) for the edges of the lanes' chunks, which fri_pack_chunks()
 * has packed, ITEMS per lane at a time: e[j] is an edge if on[j], and owner[j] the lane whose chunk
 * it belongs to. Consecutive lanes have consecutive edges. One reduction over the warp finds the
 * chunks that begin within the next 32 positions, in place of a search by five shuffles. Before each
 * visit() it calls ahead(e) with every ITEMSth edge of the next. */
template <int ITEMS, class O, class V, class A>
static __device__ __forceinline__ void fri_for_each_warp_edge(const fri_edge_chunk &mine, V visit,
                                                              A ahead) {
    int total, before = fri_warp_prefix(mine.count, &total), base = 0;
    const O begin = (O)mine.begin - (O)before;
    const unsigned lower_lanes = (1u << fri_lane()) - 1;
    for (int first = 0; first < total; first += ITEMS * FRI_WARP) {
        O e[ITEMS];
        int owner[ITEMS];
        bool on[ITEMS];
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            const int at = first + j * FRI_WARP, start = before - at - 1;
            const unsigned starts = fri_warp_or((unsigned)start < FRI_WARP ? 1u << start : 0);
            owner[j] = base + __popc(starts & lower_lanes);
            base += __popc(starts);
            e[j] = __shfl_sync(FRI_FULL_MASK, begin, owner[j]) + (O)(at + fri_lane());
            on[j] = at + fri_lane() < total;
        }
        const int later = first + ITEMS * (FRI_WARP + fri_lane());
        const O from = __shfl_sync(FRI_FULL_MASK, begin, fri_owner_lane(before, later));
        if (later < total)
            ahead(from + (O)later);
        visit(e, owner, on);
    }
}

/* Edges of a lane in flight; steps of a search by interpolation before it bisects. */
static const int SLICED_ITEMS = 8, INTERPOLATION_STEPS = 6;

namespace {
/* The slices and a frontier's hubs. A slice is slice_words words of the bitmap of visited vertices. */
struct hub_slices {
    int32_t slices, slice_words;
    edge_chunk *hubs;    /* {vertex, degree, first edge} */
    int32_t *slice_ends; /* [slices - 1][hubs] edges of a hub's row before slice k + 1 */
};
} // namespace

/* Whole warp: calls visit(v, owner) for the edges of the lanes' packed chunks, SLICED_ITEMS per lane at a
 * time: their targets, -1 where there is no edge, and the lanes whose chunks they belong to. */
template <class O, class V>
static __device__ __forceinline__ void for_each_target(const bfs_params<O> &p,
                                                       const edge_chunk &packed, V visit) {
    auto load = [&](const O *e, const int *owner, const bool *on) {
        int32_t v[SLICED_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < SLICED_ITEMS; j++) {
            v[j] = on[j] ? p.out.targets[e[j]] : -1;
            FRI_COUNT(p.out, FR_COUNTER_EDGES, on[j]);
        }
        visit(v, owner);
    };
    fri_for_each_warp_edge<SLICED_ITEMS, O>(packed, load,
                                            [&](O e) { fri_prefetch(&p.out.targets[e]); });
}

/* Whole warp: sets the parents of the vertices that this warp found; u: the vertex of each lane's
 * chunk; answer: the words before their bits were set, all ones where none was. Nothing else waits
 * for the answers. */
template <class O>
static __device__ __forceinline__ void set_parents(const bfs_params<O> &p, int32_t u,
                                                   const int32_t *v, const int *owner,
                                                   const uint32_t *answer) {
    if (!p.parent)
        return;
    FRI_UNROLL
    for (int j = 0; j < SLICED_ITEMS; j++) {
        const int32_t from = __shfl_sync(FRI_FULL_MASK, u, owner[j]);
        if (v[j] >= 0 && bit_was_clear(v[j], answer[j]))
            p.parent[v[j]] = from;
    }
}

/* Any thread: the first edge of a row, which is sorted by target, that leads to `key` or a later
 * vertex. Interpolates as if the row's targets were random, and a little too far each time, so that
 * the next step comes from the other side. */
static __device__ __forceinline__ int32_t first_edge_to(const int32_t *row, int32_t degree,
                                                        int64_t key, float edges_per_vertex) {
    int32_t low = 0, high = degree;
    float guess = (float)key * edges_per_vertex;
    for (int step = 0; low < high; step++) {
        const float inside = FRI_MIN(FRI_MAX(guess, (float)low), (float)(high - 1));
        const int32_t at = step < INTERPOLATION_STEPS
                               ? FRI_MIN(FRI_MAX((int32_t)inside, low), high - 1)
                               : low + (high - low) / 2;
        const float away = (float)(key - row[at]) * edges_per_vertex;
        guess = (float)at + 1.1f * away + (away > 0 ? 1.0f : -1.0f);
        if (row[at] < key)
            low = at + 1;
        else
            high = at;
    }
    return low;
}

/* Any number of blocks: a thread per hub and slice but the last searches the slice's end. */
template <class O>
static __device__ __forceinline__ void find_slice_ends(const bfs_params<O> &p, const hub_slices &s,
                                                       int32_t hubs) {
    const int64_t tiles = (hubs + FRI_WARP - 1) / FRI_WARP;
    for (int64_t job = fri_grid_warp(); job < tiles * (s.slices - 1); job += fri_grid_warps()) {
        const int64_t k = job / tiles, i = job % tiles * FRI_WARP + fri_lane();
        if (i >= hubs)
            continue;
        const edge_chunk hub = s.hubs[i];
        s.slice_ends[k * hubs + i] =
            first_edge_to(p.out.targets + hub.begin, hub.count, (k + 1) * s.slice_words * FRI_WARP,
                          (float)hub.count / (float)p.n);
    }
}

/* Whole warp: pushes the edges of the lanes' packed chunks, all to the block's slice, whose first
 * vertex is `first`. */
template <class O>
static __device__ __forceinline__ void push_to_slice(const bfs_params<O> &p, uint32_t *bits,
                                                     int32_t first, const edge_chunk &packed) {
    for_each_target(p, packed, [&](const int32_t *v, const int *owner) {
        uint32_t answer[SLICED_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < SLICED_ITEMS; j++) {
            uint32_t *word = &bits[v[j] < 0 ? 0 : word_of(v[j] - first)];
            answer[j] = FRI_FULL_MASK;
            /* racy: saves most atomics; warps of the block share words */
            if (v[j] >= 0 && bit_was_clear(v[j], fri_racy_load(word)))
                answer[j] = atomicOr(word, bit_of(v[j]));
        }
        set_parents(p, packed.v, v, owner, answer);
    });
}

/* Hubs that a warp takes at once: few enough that each warp of the block has several turns. */
static __device__ __forceinline__ int32_t hubs_per_turn(int32_t count) {
    const int32_t turns = 4 * (int32_t)(blockDim.x / FRI_WARP);
    return FRI_MAX(FRI_MIN(count / turns, FRI_WARP), 1);
}

/* Whole warp: takes `each` hubs; the lane's edges to the slice, whose first target it prefetches, or
 * an empty chunk. *turn_begin: the first hub; at least `hubs` if none was left. */
template <class O>
static __device__ __forceinline__ edge_chunk take_hubs(const bfs_params<O> &p, const hub_slices &s,
                                                       int32_t slice, int32_t hubs, int32_t each,
                                                       int32_t *taken, int32_t *turn_begin) {
    *turn_begin = fri_reserve(taken, each);
    const int32_t i = *turn_begin + fri_lane();
    if (fri_lane() >= each || i >= hubs)
        return {0, 0, 0};
    const edge_chunk hub = s.hubs[i];
    const int64_t at = (int64_t)slice * hubs + i;
    const int32_t from = slice ? s.slice_ends[at - hubs] : 0;
    const int32_t to = slice + 1 < s.slices ? s.slice_ends[at] : hub.count;
    if (from < to)
        fri_prefetch(&p.out.targets[hub.begin + from]);
    return {hub.v, to - from, hub.begin + from};
}

/* All threads of the block of that slice, whose bits are in shared memory: pushes the hubs' edges to
 * it. A warp takes its next hubs before it pushes. *taken: hubs that warps of the block have taken,
 * initially 0. */
template <class O>
static __device__ __forceinline__ void push_hubs(const bfs_params<O> &p, const hub_slices &s,
                                                 int32_t slice, int32_t hubs, uint32_t *bits,
                                                 int32_t *taken) {
    const int32_t each = hubs_per_turn(hubs), first = slice * s.slice_words * FRI_WARP;
    int32_t begin;
    edge_chunk next = take_hubs(p, s, slice, hubs, each, taken, &begin);
    while (begin < hubs) {
        const edge_chunk packed = fri_pack_chunks(next);
        next = take_hubs(p, s, slice, hubs, each, taken, &begin);
        push_to_slice(p, bits, first, packed);
    }
}

#endif
