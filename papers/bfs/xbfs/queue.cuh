/* What the kernels of xbfs share: the traversal, and queues whose edges are numbered.
 *
 * A queue stores each vertex with the number of units (a unit: up to 1 << grain edges of one
 * vertex) before it, so that a warp finds its share of the edges by a search. A packed sum holds a
 * number of vertices in its lower bits and their units in the upper: one atomic reserves a position
 * in both.
 */
#ifndef FRI_CUDA_BFS_XBFS_QUEUE_CUH
#define FRI_CUDA_BFS_XBFS_QUEUE_CUH

#include "cuda/prim/append.cuh"
#include "cuda/prim/device.cuh"

namespace {

typedef unsigned long long packed;

/* Enterprise's bounds between small, medium and large */
enum { WARP_DEGREE = 32, BLOCK_DEGREE = 256 };

/* One level's counters, in a ring of the last levels'; each level clears the next one's. */
struct level_counters {
    packed found;   /* of the next level: the tail of its queue */
    packed early;   /* of the level after that, found early by a bottom-up pass */
    packed hubs;    /* tail of the queue of hubs */
    packed listed;  /* tail of the queue that this level had to build for itself */
    packed checked; /* edges scanned */
    packed cursor;  /* vertices taken from a bottom-up queue after the first of each thread */
};
enum { LEVEL_PACKED = sizeof(level_counters) / sizeof(packed), RING = 64 };

template <class O> struct traversal {
    fri_csr_view<O> out, in;
    int32_t n, depth; /* depth: of the frontier */
    int32_t *level, *parent;
    int bits, grain; /* width of the lower half of a packed sum; log2 of a unit's edges */
    int batch;       /* neighbors that a search loads at once */
    bool asynchronous; /* a bottom-up pass may also find the level after the next */
    bool stale;      /* the previous pass did: some vertices of the next level are settled */
    level_counters *now, *last, *next;
};

template <class O> struct edge_queue {
    int32_t *vertex;
    O *before; /* units of the vertices before */
    packed *tail;
};

template <class O> __device__ __forceinline__ uint32_t count_of(const traversal<O> &t, packed sum) {
    return (uint32_t)(sum & (((packed)1 << t.bits) - 1));
}
template <class O> __device__ __forceinline__ O units_of(const traversal<O> &t, packed sum) {
    return (O)(sum >> t.bits);
}

/* A vertex and its units, packed. */
template <class O> __device__ __forceinline__ packed one_of(const traversal<O> &t, int32_t v) {
    packed degree = (packed)(t.out.offsets[v + 1] - t.out.offsets[v]);
    return (degree + ((packed)1 << t.grain) - 1) >> t.grain << t.bits | 1;
}

template <class O> __device__ __forceinline__ void clear_next(const traversal<O> &t) {
    if (blockIdx.x == 0 && threadIdx.x < LEVEL_PACKED)
        ((packed *)t.next)[threadIdx.x] = 0;
}

template <class O>
__device__ __forceinline__ void put(const traversal<O> &t, const edge_queue<O> &to, packed at,
                                    int32_t v) {
    FRI_COUNT(t.out, FR_COUNTER_ENQUEUES, 1);
    to.vertex[count_of(t, at)] = v;
    to.before[count_of(t, at)] = units_of(t, at);
}

/* All 32 lanes: those that have a vertex append it to the queue, with one atomic. */
template <class O>
__device__ __forceinline__ void append(const traversal<O> &t, const edge_queue<O> &to, bool have,
                                       int32_t v) {
    packed at = fri_warp_place(t.out, have ? one_of(t, v) : 0, to.tail);
    if (have)
        put(t, to, at, v);
}

/* A warp's found vertices, kept in shared memory until 32 share one atomic. */
enum { PENDING = 2 * FRI_WARP };
inline size_t pending_bytes_of(int block) {
    return (size_t)(block / FRI_WARP) * PENDING * sizeof(int32_t);
}

/* All 32 lanes: keeps the vertices of the lanes that won one. `held` and the result: number of
 * vertices kept. */
template <class O>
__device__ __forceinline__ int keep(const traversal<O> &t, const edge_queue<O> &to,
                                    int32_t *pending, int held, bool won, int32_t v) {
    int count, before = fri_warp_prefix_count(won, &count);
    if (won)
        pending[held + before] = v;
    held += count;
    if (held < FRI_WARP)
        return held;
    __syncwarp(); /* all are written */
    append(t, to, true, pending[fri_lane()]);
    held -= FRI_WARP;
    int32_t rest = fri_lane() < held ? pending[FRI_WARP + fri_lane()] : 0;
    __syncwarp(); /* and read before they move down */
    if (fri_lane() < held)
        pending[fri_lane()] = rest;
    return held;
}

template <class O>
__device__ __forceinline__ void flush(const traversal<O> &t, const edge_queue<O> &to,
                                      const int32_t *pending, int held) {
    __syncwarp(); /* all are written */
    bool have = fri_lane() < held;
    append(t, to, have, have ? pending[fri_lane()] : 0);
}

/* All 32 lanes: the last vertex of `size` with at most `at` units before it. */
template <class O>
__device__ __forceinline__ uint32_t owner_of(const edge_queue<O> &q, uint32_t size, O at) {
    uint32_t low = 0, high = size;
    while (high - low > 1) { /* 32 probes at once */
        uint32_t step = (high - low + FRI_WARP - 1) / FRI_WARP;
        uint32_t probe = low + (uint32_t)fri_lane() * step;
        uint32_t fit = (uint32_t)__popc(__ballot_sync(
            FRI_FULL_MASK, probe < high && q.before[probe] <= at)); /* the first one satisfies it */
        low += (fit - 1) * step;
        high = high - low < step ? high : low + step;
    }
    return low;
}

} // namespace

#endif
