/* What `auto` does before its first level: degree statistics and hub parents once per graph;
 * initial arrays and first queue of each traversal. */
#ifndef FRI_CUDA_BFS_AUTO_PREPROCESS_CUH
#define FRI_CUDA_BFS_AUTO_PREPROCESS_CUH

#include "cuda/bfs/auto/queue_writer.cuh"

/* In-edges of a vertex that are searched for its hub parent; reads in flight at a time. */
static const int HUB_PARENT_SCAN = 8, HUB_PARENT_BATCH = 4;

namespace {
/* Statistics of a graph, computed by the device; in fri_gpu.control. */
struct degree_stats {
    int32_t reachable;   /* vertices with in-edges */
    uint32_t max_degree; /* maximum out-degree */
};
} // namespace

/* One thread per row: bitmap of empty rows, number of non-empty rows, maximum degree. blockDim.x
 * must be a multiple of 32. */
template <class O>
static __global__ void degree_stats_kernel(fri_csr_view<O> csr, int32_t n, uint32_t *no_in_edges,
                                           degree_stats *all) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    uint32_t max_degree = 0;
    int32_t reachable = 0;
    for (int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; v - fri_lane() < n;
         v += stride) {
        O degree = v < n ? csr.offsets[v + 1] - csr.offsets[v] : 0;
        uint32_t open = __ballot_sync(FRI_FULL_MASK, degree > 0);
        reachable += __popc(open);
        if (fri_lane() == 0 && no_in_edges)
            no_in_edges[v / FRI_WARP] = ~open;
        max_degree = FRI_MAX(max_degree, (uint32_t)FRI_MIN(degree, (O)UINT32_MAX));
    }
    if (fri_lane() == 0) /* other warps add */
        atomicAdd(&all->reachable, reachable);
    if (max_degree > fri_racy_load(&all->max_degree)) /* racy: saves most atomics */
        atomicMax(&all->max_degree, max_degree);      /* threads of all blocks */
}

/* One thread per vertex: its hub parent, which is the one of highest out-degree among its first
 * HUB_PARENT_SCAN in-neighbors. */
template <class O>
static __global__ void hub_parent_kernel(fri_csr_view<O> out, fri_csr_view<O> in, int32_t n,
                                         int32_t *hub_parents) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), best = -1, u[HUB_PARENT_BATCH];
    O degree[HUB_PARENT_BATCH], max_degree = 0;
    if (v >= n)
        return;
    const O begin = in.offsets[v], end = in.offsets[v + 1];
    FRI_ROLLED
    for (O at = begin; at < FRI_MIN(end, begin + (O)HUB_PARENT_SCAN); at += HUB_PARENT_BATCH) {
        FRI_UNROLL
        for (int i = 0; i < HUB_PARENT_BATCH; i++)
            u[i] = at + (O)i < end ? in.targets[at + (O)i] : -1;
        FRI_UNROLL
        for (int i = 0; i < HUB_PARENT_BATCH; i++)
            degree[i] = u[i] < 0 ? 0 : out.offsets[u[i] + 1] - out.offsets[u[i]];
        FRI_UNROLL
        for (int i = 0; i < HUB_PARENT_BATCH; i++) {
            best = degree[i] > max_degree ? u[i] : best;
            max_degree = FRI_MAX(degree[i], max_degree);
        }
    }
    hub_parents[v] = end - begin == 1 ? -2 - best : best;
}

/* `other` for vertices 4 i .. 4 i + 3, `value` for the source. */
static __device__ __forceinline__ int4 initial_quad(int64_t i, int32_t source, int32_t value,
                                                    int32_t other) {
    int32_t at = i == source / 4 ? source % 4 : -1;
    return {at == 0 ? value : other, at == 1 ? value : other, at == 2 ? value : other,
            at == 3 ? value : other};
}

/* Any thread: size of the first frontier, from the offsets of the source. */
template <class O>
static __device__ __forceinline__ frontier_size source_frontier_size(O begin, O end) {
    const O degree = end - begin;
    return {(unsigned long long)degree, 1, (int32_t)fri_chunk_count<CHUNK_EDGES>(degree)};
}

/* All threads of the grid: initializes the bitmaps of a traversal from one source, level and parent
 * (if `lazy` the source's only), the counters and the first queue; stores the frontier size
 * to each block's `first`. Contains no barrier; a grid barrier must follow. */
template <class O>
static __device__ void initialize(const bfs_params<O> &p, bool lazy, frontier_size *first) {
    const int64_t me = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    const int32_t source = p.source, quads = lazy ? 0 : p.n / 4;
    const bool leads = threadIdx.x < FRI_WARP;
    const O begin = leads ? p.out.offsets[source] : 0; /* in flight during the stores below */
    const O end = leads ? p.out.offsets[source + 1] : 0;
    FRI_ROLLED
    for (int64_t i = me; i < quads; i += all) {
        ((int4 *)p.level)[i] = initial_quad(i, source, 0, p.unreached);
        if (p.parent)
            ((int4 *)p.parent)[i] = initial_quad(i, source, source, -1);
    }
    FRI_ROLLED
    for (int64_t v = lazy ? p.n : 4 * (int64_t)quads + me; v < p.n; v += all) {
        p.level[v] = v == source ? 0 : p.unreached;
        if (p.parent)
            p.parent[v] = v == source ? source : -1;
    }
    FRI_ROLLED
    for (int64_t i = me; i < words_of(p.n); i += all) {
        uint32_t beyond = (i + 1) * FRI_WARP > p.n ? FRI_FULL_MASK << (p.n % FRI_WARP) : 0;
        uint32_t bits = p.no_in_edges ? p.no_in_edges[i] : beyond;
        p.visited[i] = bits | (source / FRI_WARP == i ? 1u << (source % FRI_WARP) : 0);
        p.frontier_bits[0][i] = p.frontier_bits[1][i] = 0;
    }
    if (!leads)
        return;
    const frontier_size now = source_frontier_size(begin, end);
    if (fri_lane() == 0 && first)
        *first = now;
    if (blockIdx.x)
        return;
    for (int32_t i = fri_lane(); i < now.entries; i += FRI_WARP) {
        const int64_t at = (int64_t)begin + (int64_t)i * CHUNK_EDGES;
        p.queue[0][i] = {source, (int32_t)FRI_MIN((int64_t)end - at, (int64_t)CHUNK_EDGES), at};
    }
    if (fri_lane() == 0) {
        if (lazy) {
            p.level[source] = 0;
            if (p.parent)
                p.parent[source] = source;
        }
        *p.control = {};
        p.control->counters[0] = {now.edges, now.vertices, now.entries, 0, 0};
    }
}

template <class O>
static __global__ void initialize_kernel(const __grid_constant__ bfs_params<O> p) {
    initialize(p, false, nullptr);
}

/* One thread per source: sets the queue and the bitmap, which is zero or equals no_in_edges; level
 * and parent are already set. */
template <class O>
static __global__ void seed_kernel(const __grid_constant__ bfs_params<O> p, int32_t count) {
    FRI_SHARED(warp_stage<O>, stages, 256 / FRI_WARP);
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    bool in = i < count;
    int32_t v[ITEMS] = {in ? p.sources[i] : 0};
    O begin[ITEMS] = {p.out.offsets[v[0]]};
    O degree[ITEMS] = {in ? p.out.offsets[v[0] + 1] - begin[0] : 0};
    queue_writer<O> out = {&stages[fri_warp()], &p.control->counters[0].entries, 0, 0};
    thread_counters<O> mine = {(edge_sum<O>)degree[0], 0, in};
    if (in) /* threads share words */
        atomicOr(&p.visited[v[0] / FRI_WARP], 1u << (v[0] % FRI_WARP));
    if (i == 0 && p.n % FRI_WARP)
        atomicOr(&p.visited[p.n / FRI_WARP], FRI_FULL_MASK << (p.n % FRI_WARP));
    enqueue(p, v, begin, degree, (O)1, &out);
    commit_level(p, mine, &out, &p.control->counters[0]);
}

/* The same without the queue, for more sources than it has room for: the frontier is in the levels. */
template <class O>
static __global__ void seed_levels_kernel(const __grid_constant__ bfs_params<O> p, int32_t count) {
    const int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    const int32_t v = i < count ? p.sources[i] : 0;
    queue_writer<O> none = {nullptr, nullptr, 0, 0};
    const O degree = i < count ? p.out.offsets[v + 1] - p.out.offsets[v] : 0;
    if (i < count) /* threads share words */
        atomicOr(&p.visited[v / FRI_WARP], 1u << (v % FRI_WARP));
    if (i == 0 && p.n % FRI_WARP)
        atomicOr(&p.visited[p.n / FRI_WARP], FRI_FULL_MASK << (p.n % FRI_WARP));
    commit_level(p, thread_counters<O>{(edge_sum<O>)degree, 0, i < count}, &none,
                 &p.control->counters[0]);
}

#endif
