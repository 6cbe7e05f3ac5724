/* How hbf divides a frontier's edges: virtual warps, whole warps for hubs, child grids for larger
 * hubs. See hbf.cu. */
#ifndef FRI_CUDA_SSSP_HBF_LOAD_BALANCE_CUH
#define FRI_CUDA_SSSP_HBF_LOAD_BALANCE_CUH

#include "papers/sssp/hbf/relax.cuh"

enum {
    HBF_CHILD_BLOCK = 256,
    HBF_CHUNK_EDGES = 256 /* edges of a hub that a warp of the child grid takes at a time */,
    HBF_MAX_WORK = 32 /* frontier vertices per warp, as in the paper */
};

/* One step of a warp: one edge per lane, or `overlapped`; lowered vertices are enqueued. */
template <class T>
static __device__ __forceinline__ void
hbf_relax_step(const hbf_round<T> &r, const hbf_vertex<T> &vertex, int64_t e, int64_t width,
               bool overlapped, hbf_staging *staging, hbf_counters *progress) {
    int32_t v[HBF_IN_FLIGHT];
    if (!overlapped) {
        unsigned put = hbf_relax(r, vertex, e, width, 1, v, progress);
        hbf_enqueue(r, staging, put, v[0]);
        return;
    }
    unsigned put = hbf_relax(r, vertex, e, width, HBF_IN_FLIGHT, v, progress);
    if (__any_sync(FRI_FULL_MASK, put))
        for (int i = 0; i < HBF_IN_FLIGHT; i++)
            hbf_enqueue(r, staging, put >> i & 1, v[i]);
}

/* Relaxes u's edges from `e` on, every width-th. Whole warp; a lane without edges has e = end. */
template <class T>
static __device__ __forceinline__ void
relax_edges(const hbf_round<T> &r, const hbf_vertex<T> &vertex, int64_t e, int width,
            hbf_staging *staging, hbf_counters *progress) {
    while (__any_sync(FRI_FULL_MASK, e < vertex.end)) {
        bool overlapped = r.overlapped && __any_sync(FRI_FULL_MASK, e + width < vertex.end);
        hbf_relax_step(r, vertex, e, width, overlapped, staging, progress);
        e += overlapped ? HBF_IN_FLIGHT * width : width;
    }
}

/* Relaxes the edges of the lanes in `hubs`, by the whole warp, one vertex after the other. */
template <class T>
static __device__ __forceinline__ void relax_hubs(const hbf_round<T> &r, const hbf_vertex<T> &mine,
                                                  unsigned hubs, hbf_staging *staging,
                                                  hbf_counters *progress) {
    for (; hubs; hubs &= hubs - 1) { /* the same in all lanes */
        int owner = __ffs((int)hubs) - 1;
        hbf_vertex<T> vertex = {__shfl_sync(FRI_FULL_MASK, mine.u, owner),
                                __shfl_sync(FRI_FULL_MASK, mine.from, owner),
                                __shfl_sync(FRI_FULL_MASK, mine.first, owner),
                                __shfl_sync(FRI_FULL_MASK, mine.end, owner)};
        relax_edges(r, vertex, vertex.first + fri_lane(), FRI_WARP, staging, progress);
    }
}

/* Relaxes the round's hubs, one warp per chunk. */
template <class T>
static __global__ void __launch_bounds__(HBF_CHILD_BLOCK)
    child_kernel(hbf_round<T> r, int32_t chunks) {
    FRI_SHARED(int32_t, buffers, HBF_CHILD_BLOCK / FRI_WARP * 256);
    hbf_staging staging = {buffers + fri_warp() * r.staging_size, 0};
    hbf_counters progress = {0, 0};
    int64_t warps = (int64_t)gridDim.x * (HBF_CHILD_BLOCK / FRI_WARP);
    for (int64_t i = (int64_t)blockIdx.x * (HBF_CHILD_BLOCK / FRI_WARP) + fri_warp(); i < chunks;
         i += warps) {
        hbf_vertex<T> vertex = {};
        vertex.u = r.hubs[2 * i];
        if (vertex.u < 0)
            continue; /* the whole warp skips: an entry that was not filled */
        vertex.from = hbf_dist(r, vertex.u);
        vertex.first = r.p.offsets[vertex.u];
        int64_t first = vertex.first + (int64_t)r.hubs[2 * i + 1] * HBF_CHUNK_EDGES;
        int64_t end = r.p.offsets[vertex.u + 1];
        vertex.end = first + HBF_CHUNK_EDGES < end ? first + HBF_CHUNK_EDGES : end;
        relax_edges(r, vertex, first + fri_lane(), FRI_WARP, &staging, &progress);
    }
    hbf_flush_block(r, &staging);
    hbf_add_stats(r, progress);
}

/* One lane: lists u's edges for the child grid; false if the list is full. */
template <class T>
static __device__ bool list_hub(const hbf_round<T> &r, int32_t u, int64_t degree) {
    int32_t chunks = (int32_t)((degree + HBF_CHUNK_EDGES - 1) / HBF_CHUNK_EDGES);
    /* atomic: reserves their positions */
    int64_t at = atomicAdd(&r.p.control[HBF_CHUNKS + (r.round & 1)], chunks);
    bool fits = at + chunks <= r.max_chunks;
    for (int32_t i = 0; i < chunks && at + i < r.max_chunks; i++) {
        r.hubs[2 * (at + i)] = fits ? u : -1;
        r.hubs[2 * (at + i) + 1] = i;
    }
    return fits;
}

/* Whole block, at its end: the last block of the grid launches the child, if any hub was listed. */
template <class T> static __device__ void launch_child(const hbf_round<T> &r) {
    __syncthreads(); /* the block's entries are written */
    if (threadIdx.x != 0)
        return;
    __threadfence(); /* fence: entries are visible before the block counts as done */
    if (atomicAdd(&r.p.control[HBF_DONE + (r.round & 1)], 1) != (int)gridDim.x - 1)
        return;
    __threadfence(); /* fence: the other blocks' entries are visible */
    /* no block adds entries any more */
    int64_t chunks = fri_racy_load(&r.p.control[HBF_CHUNKS + (r.round & 1)]);
    chunks = chunks < r.max_chunks ? chunks : r.max_chunks;
    if (chunks == 0)
        return;
    int64_t blocks = (chunks + HBF_CHILD_BLOCK / FRI_WARP - 1) / (HBF_CHILD_BLOCK / FRI_WARP);
    int64_t max_blocks = r.resident / HBF_CHILD_BLOCK;
    FRI_LAUNCH_CHILD((child_kernel<T>), (unsigned)(blocks < max_blocks ? blocks : max_blocks), HBF_CHILD_BLOCK,
                     0, r, (int32_t)chunks);
}

/* A warp takes `work` vertices of the frontier, from `first` on; each of its virtual warps of
 * `width` lanes processes one at a time. */
template <class T>
static __device__ __forceinline__ void relax_share(const hbf_round<T> &r, bool children, int width,
                                                   int64_t first, int64_t work,
                                                   hbf_staging *staging, hbf_counters *progress) {
    int groups = FRI_WARP / width, group = fri_lane() / width, lane = fri_lane() % width;
    /* the same number of steps in the whole warp */
    for (int k = group; k - group < work; k += groups) {
        bool mine = k < work;
        hbf_vertex<T> vertex = {};
        if (mine) {
            vertex.u = r.cache ? __ldcs(&r.queue[first + k]) : r.queue[first + k];
            vertex.first = r.cache ? __ldcs(&r.p.offsets[vertex.u]) : r.p.offsets[vertex.u];
            vertex.end = r.cache ? __ldcs(&r.p.offsets[vertex.u + 1]) : r.p.offsets[vertex.u + 1];
            vertex.from = hbf_dist(r, vertex.u);
        }
        int64_t degree = vertex.end - vertex.first;
        int deferred = 0;
        if (children) {
            deferred = lane == 0 && degree > r.child && list_hub(r, vertex.u, degree);
            deferred = __shfl_sync(FRI_FULL_MASK, deferred, 0, width);
        }
        bool hub = !deferred && r.hub && degree > r.hub;
        relax_edges(r, vertex, deferred || hub ? vertex.end : vertex.first + lane, width, staging,
                    progress);
        relax_hubs(r, vertex, __ballot_sync(FRI_FULL_MASK, hub && lane == 0), staging, progress);
    }
}

/* Section 5.2: resident threads / frontier, rounded down to a power of two, within [4, 32]. */
static __host__ __device__ __forceinline__ int width_of(int64_t resident, int64_t size) {
    int64_t wanted = resident / size;
    int width = 4;
    while (2 * width <= wanted && width < FRI_WARP)
        width *= 2;
    return width;
}

/* Frontier vertices per warp. From the frontier: the number that occupies every resident warp, in
 * whole steps of the virtual warps. */
template <class T>
static __host__ __device__ __forceinline__ int64_t work_of(const hbf_round<T> &r, int64_t size,
                                                           int width) {
    int64_t step = FRI_WARP / width, share = size * FRI_WARP / r.resident;
    if (r.work >= 0)
        return r.work ? r.work : step;
    share = share < (int64_t)HBF_MAX_WORK ? share : (int64_t)HBF_MAX_WORK;
    return share < step ? step : share / step * step;
}

#endif
