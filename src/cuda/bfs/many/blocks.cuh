/* Many sources on deep graphs: a block searches from one source, its frontier and most of its visited bits in
 * shared memory, and then takes the next source.
 *
 * Source: ours. Queues and bitmap of a block: Luo, Wong, Hwu: An effective GPU implementation of breadth-first
 *   search, DAC 2010.
 * Idea: a graph of thousands of narrow levels keeps no grid busy, and a level of all sources costs 13 us and a pass
 *   over the bitmaps. A block's level costs 2 us in all, with a search per block at the same time.
 * Data: bits of the first `kept` words of vertices in shared memory, of the others in memory (`rest`); the
 *   frontier and the next one in a ring in shared memory; what the ring has no room for is a bit of `late`, and
 *   a level scans these bitmaps only after an overflow. A vertex's row is read by a lane, the rest of
 *   a long row by its warp.
 * Suspension: a launch ends after `steps` levels of each block, with all bits in memory and the frontier in `late`;
 *   the next launch continues with the same numbers of blocks and sources.
 * Scratch: 3 bits per vertex and source, those of the words of state.cuh.
 * Work: an edge once per source; a barrier per level, two with targets.
 * Atomics: in shared memory, one per vertex found, and one per warp for its position.
 * Good at: roads, lattices, paths. Bad at: wide levels, where the words of state.cuh share each edge. */
#ifndef FRI_CUDA_BFS_MANY_BLOCKS_CUH
#define FRI_CUDA_BFS_MANY_BLOCKS_CUH

#include "cuda/apsp/costs.h"
#include "cuda/bfs/many/consumers.cuh"

/* Edges of a row that its lane reads, a few at a time; targets per thread. */
enum { FRI_BLOCK_ROW = 8, FRI_BLOCK_EDGES = 4, FRI_BLOCK_TARGETS = 64 };

/* What all threads of a block read. */
struct fri_block_common {
    unsigned found[FRI_PHASES]; /* vertices that level d finds: d % FRI_PHASES */
    int32_t taken;
    double reached, far, near; /* of thread 0: the source's sums so far (fri_many) */
};

/* Of a block's searches, in as few registers as possible. ALL: all bits are in shared memory. */
template <class O, bool ALL> struct fri_block_search {
    const fri_many<O> &p;
    const fri_block_shape &shape;
    fri_block_common *common;
    int64_t own; /* of the block's bitmaps in memory */
    __device__ __forceinline__ unsigned map() const { return (unsigned)fri_many_map_words(p.n); }
    /* Whether a word of the visited bitmap is in shared memory; its place; that of all in memory. */
    __device__ __forceinline__ bool keeps(unsigned w) const {
        return ALL || w < (unsigned)shape.kept;
    }
    __device__ __forceinline__ uint32_t *visited(unsigned w) const {
        FRI_SHARED_DYNAMIC(uint32_t, words);
        return words + w;
    }
    __device__ __forceinline__ uint32_t *rest(unsigned w) const {
        return (uint32_t *)p.seen + own + w;
    }
    /* A word of the bitmap of a frontier of that depth. */
    __device__ __forceinline__ uint32_t *late(int32_t depth, unsigned w) const {
        return (uint32_t *)p.frontier[depth & 1] + own + w;
    }
    /* An entry of the ring. */
    __device__ __forceinline__ int32_t *queue(unsigned i) const {
        return (int32_t *)visited((unsigned)shape.kept) + (i & (unsigned)(shape.ring - 1));
    }
};

/* Of all threads: the search from source i, whose frontier is that of `depth`: head .. end - 1 of the ring. */
struct fri_block_frontier {
    int32_t i, depth;
    unsigned head, end;
    bool is_late; /* and bits of `late` */
};

template <class O, bool ALL>
static __device__ __forceinline__ bool fri_block_has(const fri_block_search<O, ALL> &s, int32_t v) {
    const unsigned word = (unsigned)v / FRI_WARP;
    /* racy: other threads set bits; a claim decides */
    const uint32_t bits =
        s.keeps(word) ? fri_racy_load(s.visited(word)) : fri_racy_load(s.rest(word));
    return bits >> (unsigned)v % FRI_WARP & 1;
}
/* The same at once, or true. */
template <class O, bool ALL>
static __device__ __forceinline__ bool fri_block_may_lack(const fri_block_search<O, ALL> &s,
                                                          int32_t v) {
    const unsigned word = (unsigned)v / FRI_WARP;
    return !s.keeps(word) ||
           !(fri_racy_load(s.visited(word)) >> (unsigned)v % FRI_WARP & 1); /* racy: as above */
}

/* Any thread: sets the bit of v; whether it was not set. */
template <class O, bool ALL>
static __device__ __forceinline__ bool fri_block_claim(const fri_block_search<O, ALL> &s,
                                                       int32_t v) {
    const unsigned word = (unsigned)v / FRI_WARP, bit = 1u << (unsigned)v % FRI_WARP;
    FRI_COUNT(s.p.out, FR_COUNTER_ATOMICS, 1);
    /* atomics: one of the threads that find v takes it */
    const uint32_t before =
        s.keeps(word) ? atomicOr(s.visited(word), bit) : atomicOr(s.rest(word), bit);
    return !(before & bit);
}

/* Whole warp: the vertices v[], -1: none, out-neighbors of the frontier, get the next depth unless they were found
 * before. In steps, so that their latencies overlap. */
template <int COUNT, class O, bool ALL>
static __device__ __forceinline__ void fri_block_find(const fri_block_search<O, ALL> &s,
                                                      const fri_block_frontier &at,
                                                      const fri_many_rows &to, int32_t *v) {
    unsigned found[COUNT], total = 0, first = 0;
    FRI_UNROLL
    for (int k = 0; k < COUNT; k++)
        v[k] = v[k] >= 0 && fri_block_may_lack(s, v[k]) ? v[k] : -1;
    FRI_UNROLL
    for (int k = 0; k < COUNT; k++)
        v[k] = v[k] >= 0 && fri_block_claim(s, v[k]) ? v[k] : -1;
    FRI_UNROLL
    for (int k = 0; k < COUNT; k++) {
        found[k] = __ballot_sync(FRI_FULL_MASK, v[k] >= 0);
        total += (unsigned)__popc(found[k]);
    }
    if (!total)
        return;
    if (fri_lane() == 0) /* atomic: other warps append */
        first = atomicAdd(&s.common->found[at.depth % FRI_PHASES], total);
    first = __shfl_sync(FRI_FULL_MASK, first, 0);
    FRI_UNROLL
    for (int k = 0; k < COUNT; first += (unsigned)__popc(found[k]), k++) {
        const unsigned n = first + (unsigned)__popc(found[k] & ((1u << fri_lane()) - 1));
        if (v[k] < 0)
            continue;
        to.found(at.i, v[k], at.depth + 1);
        if (n < (unsigned)s.shape.ring - (at.end - at.head))
            *s.queue(at.end + n) = v[k];
        else
            atomicOr(s.late(at.depth + 1, (unsigned)v[k] / FRI_WARP),
                     1u << (unsigned)v[k] % FRI_WARP); /* other threads share the word */
    }
}

/* Whole warp: the edges of the lanes' vertices, -1: none. Returns their number for this lane. */
template <class O, bool ALL>
static __device__ __forceinline__ unsigned fri_block_expand(const fri_block_search<O, ALL> &s,
                                                            const fri_block_frontier &at,
                                                            const fri_many_rows &to, int32_t u) {
    const O begin = u >= 0 ? s.p.out.offsets[u] : 0, end = u >= 0 ? s.p.out.offsets[u + 1] : 0;
    const int some = end - begin > FRI_BLOCK_ROW ? (int)FRI_BLOCK_ROW : (int)(end - begin);
    const int32_t *row = s.p.out.targets + begin;
    const int most = fri_warp_max(some);
    FRI_ROLLED
    for (int e = 0; e < most; e += FRI_BLOCK_EDGES) {
        int32_t v[FRI_BLOCK_EDGES];
        FRI_UNROLL
        for (int k = 0; k < FRI_BLOCK_EDGES; k++)
            v[k] = e + k < some ? row[e + k] : -1;
        fri_block_find<FRI_BLOCK_EDGES>(s, at, to, v);
    }
    FRI_ROLLED
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, end - begin > FRI_BLOCK_ROW); left;
         left &= left - 1) {
        const int lane = __ffs((int)left) - 1;
        const int64_t stop = __shfl_sync(FRI_FULL_MASK, (int64_t)end, lane);
        FRI_ROLLED
        for (int64_t e = __shfl_sync(FRI_FULL_MASK, (int64_t)begin, lane) + FRI_BLOCK_ROW; e < stop;
             e += FRI_WARP) {
            int32_t v = e + fri_lane() < stop ? s.p.out.targets[e + fri_lane()] : -1;
            fri_block_find<1>(s, at, to, &v);
        }
    }
    return (unsigned)(end - begin);
}

/* All threads of the block: the level after `at`, up to but not including the barrier. */
template <class O, bool ALL>
static __device__ __forceinline__ unsigned long long
fri_block_level(const fri_block_search<O, ALL> &s, const fri_block_frontier &at,
                const fri_many_rows &to) {
    unsigned long long examined = 0;
    FRI_ROLLED
    for (unsigned i = at.head + threadIdx.x - fri_lane(); (int)(at.end - i) > 0; i += blockDim.x) {
        const bool is = (int)(at.end - i) > fri_lane();
        examined += fri_block_expand(s, at, to, is ? *s.queue(i + (unsigned)fri_lane()) : -1);
    }
    FRI_ROLLED
    for (unsigned w = threadIdx.x - fri_lane(); at.is_late && w < s.map(); w += blockDim.x) {
        const unsigned mine = w + fri_lane();
        uint32_t bits = mine < s.map() ? fri_volatile_load(s.late(at.depth, mine)) : 0;
        if (bits)
            *s.late(at.depth, mine) = 0;
        FRI_ROLLED
        for (; __any_sync(FRI_FULL_MASK, bits != 0); bits &= bits - 1)
            examined += fri_block_expand(
                s, at, to, bits ? (int32_t)(mine * FRI_WARP) + __ffs((int)bits) - 1 : -1);
    }
    return examined;
}

/* Thread: writes the distances of those of its targets that have been found since `left` was; whether some have not. */
template <class O, bool ALL>
static __device__ __forceinline__ bool
fri_block_report(const fri_many<O> &p, const fri_block_search<O, ALL> &s,
                 const fri_block_frontier &at, unsigned long long *left) {
    for (unsigned long long look = *left; look; look &= look - 1) {
        const int nth = __ffsll((long long)look) - 1;
        const int64_t i = (int64_t)nth * blockDim.x + threadIdx.x;
        if (i < p.target_count && !fri_block_has(s, p.targets[i]))
            continue;
        *left &= ~(1ull << nth);
        if (i < p.target_count)
            fri_many_put(p.table, p.wide, at.i * p.target_count + i, at.depth);
    }
    return *left != 0;
}

/* All threads of the block: levels until the search ends (true), or no steps are left. */
template <class O, bool ALL>
static __device__ __forceinline__ bool
fri_block_levels(const fri_many<O> &p, const fri_block_search<O, ALL> &s, const fri_many_rows &to,
                 fri_block_frontier *at, unsigned long long left, int32_t *steps,
                 unsigned long long *examined) {
    for (;;) { /* ends with `steps`, at the latest */
        if (p.table && !__syncthreads_or(fri_block_report(p, s, *at, &left)))
            return true; /* a barrier, too: the bits of the next level follow */
        if (at->depth >= p.limit)
            return true;
        if (!(*steps)--)
            return false;
        if (threadIdx.x == 0)
            s.common->found[(at->depth + 1) % FRI_PHASES] = 0;
        *examined += fri_block_level(s, *at, to);
        __syncthreads(); /* the next frontier is complete */
        const unsigned found = s.common->found[at->depth % FRI_PHASES];
        const unsigned room = (unsigned)s.shape.ring - (at->end - at->head);
        if (!found)
            return true;
        at->depth++;
        at->head = at->end;
        at->end += FRI_MIN(found, room);
        at->is_late = found > room;
        if (p.reached && threadIdx.x == 0) {
            s.common->reached += found;
            s.common->far += (double)found * at->depth;
            s.common->near += (double)found / at->depth;
        }
    }
}

/* All threads of the block: a new search from v. */
template <class O, bool ALL>
static __device__ __forceinline__ void fri_block_begin(const fri_block_search<O, ALL> &s,
                                                       const fri_many_rows &to, int32_t v,
                                                       fri_block_frontier *at) {
    FRI_ROLLED
    for (unsigned w = threadIdx.x; w < s.map(); w += blockDim.x)
        *(s.keeps(w) ? s.visited(w) : s.rest(w)) = 0;
    __syncthreads(); /* no bit is set */
    if (threadIdx.x == 0) {
        fri_block_claim(s, v);
        *s.queue(0) = v;
        s.common->found[0] = 0;
        s.common->reached = 1;
        s.common->far = s.common->near = 0;
        to.found(at->i, v, 0);
    }
    at->depth = 0;
    at->head = 0;
    at->end = 1;
    at->is_late = false;
    __syncthreads(); /* the source is found */
}

/* All threads of the block: continues the search that fri_block_suspend has stored. */
template <class O, bool ALL>
static __device__ __forceinline__ void fri_block_resume(const fri_block_search<O, ALL> &s,
                                                        fri_block_frontier *at) {
    FRI_ROLLED
    for (unsigned w = threadIdx.x; w < (unsigned)s.shape.kept; w += blockDim.x)
        *s.visited(w) = *s.rest(w);
    if (threadIdx.x == 0)
        s.common->found[at->depth % FRI_PHASES] = 0;
    if (s.p.reached && threadIdx.x == 0) {
        s.common->reached = s.p.reached[at->i];
        s.common->far = s.p.far[at->i];
        s.common->near = s.p.near[at->i];
    }
    at->head = at->end = 0;
    at->is_late = true;
    __syncthreads(); /* the bits are there */
}
template <class O, bool ALL>
static __device__ __forceinline__ void fri_block_suspend(const fri_block_search<O, ALL> &s,
                                                         const fri_block_frontier &at) {
    FRI_ROLLED
    for (unsigned w = threadIdx.x; w < (unsigned)s.shape.kept; w += blockDim.x)
        *s.rest(w) = *s.visited(w);
    FRI_ROLLED
    for (unsigned i = at.head + threadIdx.x; (int)(at.end - i) > 0; i += blockDim.x) {
        const unsigned v = (unsigned)*s.queue(i);
        atomicOr(s.late(at.depth, v / FRI_WARP), 1u << v % FRI_WARP); /* as in find */
    }
}

/* Searches from the sources that no block has taken. All launches of a batch have the same number of blocks. */
template <class O, bool ALL>
static __global__ void __launch_bounds__(FRI_BLOCK_THREADS, 1)
    fri_block_kernel(const __grid_constant__ fri_many<O> p,
                     const __grid_constant__ fri_many_rows to,
                     const __grid_constant__ fri_block_shape shape, int32_t steps) {
    FRI_SHARED(fri_block_common, common, 1);
    const fri_block_search<O, ALL> s = {p, shape, common,
                                        (int64_t)blockIdx.x * fri_many_map_words(p.n)};
    fri_block_state *state = &p.states[blockIdx.x];
    fri_block_frontier at = {state->source - 1, state->depth, 0, 0, false};
    unsigned long long examined = 0;
    bool resumes = at.i >= 0, ended = true;
    FRI_ROLLED
    while (ended) {
        if (!resumes && threadIdx.x == 0)
            common->taken = (int32_t)atomicAdd(&p.control->taken, 1u); /* other blocks take, too */
        __syncthreads(); /* all threads have the last search's, or the next source */
        at.i = resumes ? at.i : common->taken;
        if (at.i >= p.count)
            break;
        const int32_t v = p.sources ? p.sources[at.i] : p.first + at.i;
        unsigned long long left = ~0ull;
        if (resumes) {
            fri_block_resume(s, &at);
            for (int k = 0; p.table && k < FRI_BLOCK_TARGETS; k++) {
                const int64_t i = (int64_t)k * blockDim.x + threadIdx.x;
                if (i >= p.target_count || fri_block_has(s, p.targets[i]))
                    left &= ~(1ull << k);
            }
        } else {
            fri_block_begin(s, to, v, &at);
        }
        resumes = false;
        ended = fri_block_levels(p, s, to, &at, left, &steps, &examined);
        if (p.reached && threadIdx.x == 0) {
            p.reached[at.i] = common->reached;
            p.far[at.i] = common->far;
            p.near[at.i] = common->near;
        }
        if (!ended)
            fri_block_suspend(s, at);
        for (unsigned w = threadIdx.x; ended && at.is_late && w < s.map(); w += blockDim.x)
            *s.late(at.depth, w) = 0; /* of a frontier at the limit, or of a level too many */
        if (ended && threadIdx.x == 0) {
            if (p.depth)
                p.depth[at.i] = at.depth;
            atomicMax(&p.control->deepest, at.depth); /* other blocks end searches */
            atomicAdd(&p.control->ended, 1);
        }
    }
    if (threadIdx.x == 0) {
        state->source = ended ? 0 : at.i + 1;
        state->depth = at.depth;
    }
    fri_grid_add(&p.control->examined, examined);
}

#endif
