/* Rows sorted by weight: how they are made, and where in them a window ends.
 *
 * Rows are sorted within tiles of TILE_EDGES edges of the whole array, so that one block sorts any
 * tile and no warp processes a hub alone: the part of a row in a tile is an item of its own. */
#ifndef FRI_CUDA_SSSP_AUTO_SORTED_ROWS_CUH
#define FRI_CUDA_SSSP_AUTO_SORTED_ROWS_CUH

#include "cuda/sssp/auto/block_queues.cuh"

enum { TILE_EDGES = 2048, SORT_THREADS = 256, TILES_PER_WARP = 4, PROBES = 4 };

namespace {
/* What a tile's edges are sorted by: row, weight, position. Weights are at least 0: their bits ascend,
 * except for the sign of -0. */
template <class W> struct tile_key;
template <> struct tile_key<int32_t> {
    unsigned long long bits; /* start of the row in the tile << 43 | weight << 11 | position */
    __device__ __forceinline__ void set(int start, int32_t weight, int i) {
        bits = (unsigned long long)start << 43 | (unsigned long long)(weight & INT32_MAX) << 11 |
               (unsigned)i;
    }
    __device__ __forceinline__ bool after(const tile_key &y) const { return bits > y.bits; }
    __device__ __forceinline__ int position() const { return (int)(bits & (TILE_EDGES - 1)); }
    __device__ __forceinline__ int32_t weight() const { return (int32_t)(bits >> 11 & INT32_MAX); }
};
template <> struct tile_key<int64_t> {
    int64_t bits;
    uint32_t place; /* start of the row in the tile << 11 | position */
    __device__ __forceinline__ void set(int start, int64_t weight, int i) {
        bits = weight & INT64_MAX;
        place = (uint32_t)start << 11 | (unsigned)i;
    }
    __device__ __forceinline__ bool after(const tile_key &y) const {
        const uint32_t row = place >> 11, other = y.place >> 11;
        return row != other ? row > other : bits != y.bits ? bits > y.bits : place > y.place;
    }
    __device__ __forceinline__ int position() const { return (int)(place & (TILE_EDGES - 1)); }
    __device__ __forceinline__ int64_t weight() const { return bits; }
};
} // namespace

/* All threads of the block: a bitonic sort. */
template <class K> static __device__ void sort_keys(K *key) {
    for (int size = 2; size <= TILE_EDGES; size *= 2)
        for (int stride = size / 2; stride; stride /= 2) {
            __syncthreads(); /* the previous step is complete */
            for (int k = (int)threadIdx.x; k < TILE_EDGES / 2; k += SORT_THREADS) {
                int a = k / stride * stride * 2 + k % stride, b = a + stride;
                K x = key[a], y = key[b];
                if (x.after(y) == ((a & size) == 0)) {
                    key[a] = y;
                    key[b] = x;
                }
            }
        }
    __syncthreads(); /* the tile is sorted */
}

/* One block per tile: finds the row of its first edge, and sorts its edges by row, weight,
 * position. W: an integer as wide as the weights. */
template <class W>
static __global__ void __launch_bounds__(SORT_THREADS)
    sort_tiles_kernel(const int64_t *offsets, int32_t n, int64_t m, int32_t *targets, W *weights,
                      int32_t *tile_first_row) {
    FRI_SHARED(tile_key<W>, key, TILE_EDGES);
    FRI_SHARED(int32_t, target, TILE_EDGES);
    int64_t first = (int64_t)blockIdx.x * TILE_EDGES;
    int64_t last = FRI_MIN(first + TILE_EDGES, m) - 1;
    int32_t row = fri_edge_source(offsets, 0, n, first);
    int32_t end = fri_edge_source(offsets, row, n, last) + 1;
    if (threadIdx.x == 0)
        tile_first_row[blockIdx.x] = row;
    if (!weights) /* all weights are equal */
        return;
    for (int i = (int)threadIdx.x; i < TILE_EDGES; i += SORT_THREADS) {
        int64_t e = first + i;
        row = e < m ? fri_edge_source(offsets, row, end, e) : end;
        int64_t start = e < m ? offsets[row] - first
                              /* rows that have edges begin at distinct ones */
                              : (int64_t)TILE_EDGES;
        key[i].set((int)(start > 0 ? start : 0), e < m ? weights[e] : 0, i);
        target[i] = e < m ? targets[e] : 0;
    }
    sort_keys(key);
    for (int i = (int)threadIdx.x; i < TILE_EDGES && first + i < m; i += SORT_THREADS) {
        targets[first + i] = target[key[i].position()];
        weights[first + i] = key[i].weight();
    }
}

/* One thread per edge: packs the weight into the target's word, if both fit. */
template <class W>
static __global__ void pack_weights_kernel(int32_t *targets, const W *weights, int64_t m,
                                           int shift) {
    int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < m)
        targets[e] = (int32_t)((uint32_t)targets[e] | (uint32_t)weights[e] << shift);
}

static __device__ __forceinline__ int64_t tile_end(int64_t e) {
    return (e / TILE_EDGES + 1) * TILE_EDGES;
}

/* One thread: an edge's target and weight. */
template <class T>
static __device__ __forceinline__ int32_t edge_target(const sssp_params<T> &p, int64_t e,
                                                      typename T::W *weight) {
    int32_t word = __ldg(&p.view.targets[e]);
    *weight = fri_weight(p.view, e, word);
    return word & p.view.mask;
}

/* One thread: the weight of an edge. */
template <class T>
static __device__ __forceinline__ typename T::W edge_weight(const sssp_params<T> &p, int64_t e) {
    return fri_weight(p.view, e);
}

/* One thread: of PROBES edges, in order of weight, how many a path from d to within `last` can take. All
 * their loads are in flight together. */
template <class T>
static __device__ __forceinline__ int probes_within(const sssp_params<T> &p, typename T::K d,
                                                    typename T::K last,
                                                    const int64_t (&at)[PROBES]) {
    typename T::W weight[PROBES];
    int within = 0;
    bool low = false;
    FRI_UNROLL
    for (int j = 0; j < PROBES; j++)
        weight[j] = edge_weight(p, at[j]);
    FRI_UNROLL
    for (int j = 0; j < PROBES; j++)
        within += !(T::sum(d, weight[j], p.view.cap, &low) > last);
    return within;
}

/* One thread: the first edge of the part [e, end), which is within a tile, of a row over which a path
 * from d is longer than `last`, or end. Most are near e, so the distances double before they shrink to
 * a fifth. */
template <class T>
static __device__ __forceinline__ int64_t first_beyond(const sssp_params<T> &p, typename T::K d,
                                                       typename T::K last, int64_t e, int64_t end) {
    int64_t high = end, at[PROBES];
    if (last == T::unreached() - 1)
        return end;
    for (int step = 1, within = PROBES; e < high && within == PROBES; step <<= PROBES - 1) {
        FRI_UNROLL
        for (int j = 0; j < PROBES; j++)
            at[j] = FRI_MIN(e + (step << j), high) - 1;
        within = probes_within(p, d, last, at);
        FRI_UNROLL
        for (int j = PROBES; j-- > 0;) {
            high = j >= within ? at[j] : high;
            e = j == within - 1 ? at[j] + 1 : e;
        }
    }
    while (e < high) {
        const int left = (int)(high - e);
        FRI_UNROLL
        for (int j = 0; j < PROBES; j++)
            at[j] = e + left * (j + 1) / (PROBES + 1);
        const int within = probes_within(p, d, last, at);
        FRI_UNROLL
        for (int j = PROBES; j-- > 0;) {
            high = j >= within ? at[j] : high;
            e = j == within - 1 ? at[j] + 1 : e;
        }
    }
    return e;
}

#endif
