/* What the kernels of UIUC-BFS share: their view of graph and queues, and how a thread expands a
 * frontier vertex. */
#ifndef FRI_CUDA_BFS_HIER_QUEUE_VISIT_CUH
#define FRI_CUDA_BFS_HIER_QUEUE_VISIT_CUH

#include "papers/bfs/hier_queue/frontier.cuh"

namespace {
template <class O> struct hier {
    fri_csr_view<O> chunks;
    const int32_t *first, *owner; /* of the split graph; NULL: chunks are vertices */
    int32_t *level, *parent;
    int32_t *queue_even, *queue_odd; /* G-Frontiers by level modulo 2 */
    int32_t *control;
    int32_t *sizes; /* [FRI_GPU_MAX_LEVELS] vertices found by each level of a launch */
    hier_shape shape;
    int32_t test_above; /* maximum frontier that claims without first reading the levels */
};
} // namespace

enum { HIER_IN_FLIGHT = 8 }; /* edges of a thread in flight at once */

template <class O>
static __device__ __forceinline__ int32_t *queue_of(const hier<O> &h, int32_t depth) {
    return depth & 1 ? h.queue_odd : h.queue_even;
}

template <class O>
static __device__ __forceinline__ hier_frontier frontier_of(const hier<O> &h, hier_control *control,
                                                            int32_t *shared, int32_t depth) {
    int32_t *b = shared + h.shape.w_count * h.shape.w_capacity;
    return {h.shape, control, shared, b, queue_of(h, depth + 1), &h.control[(depth + 1) % 3]};
}

/* Sets which of `count` neighbors this thread claims for depth + 1. test: read the level before
 * the atomic, which saves atomics and adds a memory latency. */
template <class O>
static __device__ __forceinline__ void claim(const hier<O> &h, const int32_t *v, bool *mine,
                                             int32_t depth, bool test) {
    /* racy: a thread that reads a stale -1 loses the claim */
    for (int k = 0; k < HIER_IN_FLIGHT; k++)
        mine[k] = v[k] >= 0 && (!test || fri_racy_load(&h.level[v[k]]) < 0);
    for (int k = 0; k < HIER_IN_FLIGHT; k++)
        if (mine[k]) { /* exactly one thread may queue v */
            int32_t before = atomicCAS(&h.level[v[k]], -1, depth + 1);
            mine[k] = before == -1;
            FRI_COUNT(h.chunks, FR_COUNTER_ATOMICS, 1);
            FRI_COUNT(h.chunks, FR_COUNTER_DUPLICATES_FOUND, before == depth + 1);
        }
}

/* Queues all chunks of the vertices where `mine`. */
template <class O>
static __device__ __forceinline__ void enqueue(const hier<O> &h, const hier_frontier &f,
                                               const int32_t *v, const bool *mine) {
    int32_t from[HIER_IN_FLIGHT];
    int count[HIER_IN_FLIGHT], total = 0;
    for (int k = 0; k < HIER_IN_FLIGHT; k++) {
        count[k] = mine[k];
        from[k] = v[k];
        if (mine[k] && h.first) {
            from[k] = h.first[v[k]];
            count[k] = h.first[v[k] + 1] - from[k];
        }
        total += count[k];
    }
    if (!total)
        return;
    hier_places places = hier_reserve(f, total);
    FRI_COUNT(h.chunks, FR_COUNTER_ATOMICS, places.atomics);
    FRI_COUNT(h.chunks, FR_COUNTER_ENQUEUES, total);
    int at = 0;
    for (int k = 0; k < HIER_IN_FLIGHT; k++)
        for (int i = 0; i < count[k]; i++)
            hier_write(places, at++, from[k] + i);
}

/* One thread expands the edges of a chunk and queues the vertices it claims. Each step over the
 * edges at hand is a loop of its own, so that their latencies overlap. */
template <class O>
static __device__ __forceinline__ void visit(const hier<O> &h, const hier_frontier &f,
                                             int32_t chunk, int32_t depth, bool test) {
    O e = h.chunks.offsets[chunk], left = h.chunks.offsets[chunk + 1] - e;
    int32_t u = h.parent && h.owner ? h.owner[chunk] : chunk;
    FRI_COUNT(h.chunks, FR_COUNTER_EDGES, left);
    for (O step; left > 0; e += step, left -= step) {
        int32_t v[HIER_IN_FLIGHT];
        bool mine[HIER_IN_FLIGHT];
        step = left < (O)HIER_IN_FLIGHT ? left : (O)HIER_IN_FLIGHT;
        for (int k = 0; k < HIER_IN_FLIGHT; k++)
            v[k] = (O)k < step ? h.chunks.targets[e + (O)k] : -1;
        claim(h, v, mine, depth, test);
        for (int k = 0; k < HIER_IN_FLIGHT; k++)
            if (mine[k] && h.parent)
                h.parent[v[k]] = u;
        enqueue(h, f, v, mine);
    }
}

/* Prefetches into L2 what the next level reads of the block's new frontier. Warp 0, whose thread 0
 * polls a barrier, does not take part. */
template <class O>
static __device__ __forceinline__ void prefetch_rows(const hier<O> &h, const hier_frontier &f) {
    int helpers = (int)blockDim.x - FRI_WARP;
    for (int i = (int)threadIdx.x - FRI_WARP; i >= 0 && i < f.control->b_size; i += helpers)
        fri_prefetch(&h.chunks.targets[h.chunks.offsets[f.b[i]]]);
}

#endif
