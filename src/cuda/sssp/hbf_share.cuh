/* How hbf shares out a frontier's edges: virtual warps, whole warps for hubs, grids of their own
 * for greater ones. See hbf.cu. */
#ifndef FRI_HBF_SHARE_CUH
#define FRI_HBF_SHARE_CUH

#include "cuda/sssp/hbf_relax.cuh"

enum {
    HBF_CHILD_BLOCK = 256,
    HBF_CHILD_EDGES = 8 /* a thread */,
    HBF_MOST_CHILDREN = 1024,
    HBF_MOST_WORK = 32 /* frontier vertices a warp, as the text has */
};

template <class T>
static __global__ void __launch_bounds__(1024)
    child_kernel(hbf_round<T> r, int32_t u, typename T::K from) {
    FRI_SHARED(int32_t, slots, HBF_CHILD_BLOCK / FRI_WARP * 256);
    hbf_slot slot = {slots + fri_warp() * r.slots, 0};
    int64_t row = r.p.offsets[u], end = r.p.offsets[u + 1];
    hbf_did did = {0, 0};
    for (int64_t at = row + (int64_t)blockIdx.x * blockDim.x; at < end;
         at += (int64_t)gridDim.x * blockDim.x) { /* the same steps in the whole block */
        int64_t e = at + threadIdx.x;
        int32_t v = 0;
        bool put = e < end && hbf_relax(r, u, from, row, e, &v, &did);
        hbf_enqueue(r, &slot, put, v);
    }
    hbf_flush(r, &slot);
    FRI_COUNT(r.p, FR_COUNT_EDGES, did.edges);
    fri_tell(r.p.words, did.edges, did.relaxed);
}

/* One lane; false when the round has launched its share. */
template <class T>
static __device__ bool launch_child(const hbf_round<T> &r, int32_t u, typename T::K from,
                                    int64_t degree) {
    /* counts launches of all blocks */
    if (!FRI_CHILDREN || atomicAdd(&r.p.words[HBF_CHILDREN + (r.round & 1)], 1) >= HBF_MOST_CHILDREN)
        return false;
    int64_t blocks =
        (degree + HBF_CHILD_BLOCK * HBF_CHILD_EDGES - 1) / (HBF_CHILD_BLOCK * HBF_CHILD_EDGES);
    FRI_LAUNCH_CHILD((child_kernel<T>), (unsigned)(blocks < 4096 ? blocks : 4096), HBF_CHILD_BLOCK,
                     0, r, u, from);
    return true;
}

/* Relaxes u's edges from `e` on, every width-th. Whole warp; a lane without edges has e = end. */
template <class T>
static __device__ __forceinline__ void relax_edges(const hbf_round<T> &r, const hbf_row<T> &row,
                                                   int64_t e, int width, hbf_slot *slot,
                                                   hbf_did *did) {
    while (__any_sync(FRI_FULL, e < row.end)) {
        int32_t v = 0;
        bool put = e < row.end && hbf_relax(r, row.u, row.from, row.first, e, &v, did);
        hbf_enqueue(r, slot, put, v);
        e += width;
    }
}

/* Those of the lanes in `hubs`, by the whole warp, one vertex after the other. */
template <class T>
static __device__ __forceinline__ void relax_hubs(const hbf_round<T> &r, const hbf_row<T> &mine,
                                                  unsigned hubs, hbf_slot *slot, hbf_did *did) {
    for (; hubs; hubs &= hubs - 1) { /* the same in all lanes */
        int owner = __ffs((int)hubs) - 1;
        hbf_row<T> row = {
            __shfl_sync(FRI_FULL, mine.u, owner), __shfl_sync(FRI_FULL, mine.from, owner),
            __shfl_sync(FRI_FULL, mine.first, owner), __shfl_sync(FRI_FULL, mine.end, owner)};
        relax_edges(r, row, row.first + fri_lane(), FRI_WARP, slot, did);
    }
}

/* A warp takes `work` vertices of the frontier, from `first` on, its virtual warps of `width` lanes
 * one each at a time. */
template <class T>
static __device__ __forceinline__ void relax_share(const hbf_round<T> &r, int width, int64_t first,
                                                   int64_t work, hbf_slot *slot, hbf_did *did) {
    int groups = FRI_WARP / width, group = fri_lane() / width, lane = fri_lane() % width;
    for (int k = group; k - group < work; k += groups) { /* the same steps in the whole warp */
        bool mine = k < work;
        hbf_row<T> row = {};
        if (mine) {
            row.u = r.cache ? __ldcs(&r.queue[first + k]) : r.queue[first + k];
            row.first = r.cache ? __ldcs(&r.p.offsets[row.u]) : r.p.offsets[row.u];
            row.end = r.cache ? __ldcs(&r.p.offsets[row.u + 1]) : r.p.offsets[row.u + 1];
            row.from = hbf_dist(r, row.u);
        }
        int64_t degree = row.end - row.first;
        int gone =
            lane == 0 && r.child && degree > r.child && launch_child(r, row.u, row.from, degree);
        gone = __shfl_sync(FRI_FULL, gone, 0, width);
        bool hub = !gone && r.hub && degree > r.hub;
        relax_edges(r, row, gone || hub ? row.end : row.first + lane, width, slot, did);
        relax_hubs(r, row, __ballot_sync(FRI_FULL, hub && lane == 0), slot, did);
    }
}

/* Section 5.2: the lower power of two of resident threads / frontier, within [4, 32]. */
static __host__ __device__ __forceinline__ int width_of(int64_t resident, int64_t size) {
    int64_t wanted = resident / size;
    int width = 4;
    while (2 * width <= wanted && width < FRI_WARP)
        width *= 2;
    return width;
}

/* Frontier vertices that a warp takes. From the frontier: what makes use of every resident warp, in
 * whole steps of the virtual warps. */
template <class T>
static __host__ __device__ __forceinline__ int64_t work_of(const hbf_round<T> &r, int64_t size,
                                                           int width) {
    int64_t step = FRI_WARP / width, share = size * FRI_WARP / r.resident;
    if (r.work >= 0)
        return r.work ? r.work : step;
    share = share < (int64_t)HBF_MOST_WORK ? share : (int64_t)HBF_MOST_WORK;
    return share < step ? step : share / step * step;
}

#endif
