/* Transpose, first step: sort the edges by bucket of targets within tiles.
 *
 * A tile is a range of edges that one block can sort: at most TILE of them, from fewer than 65,536
 * rows. A bucket is 1 << shift consecutive targets. A sorted edge takes 4 bytes: 16 bits hold its
 * row relative to the tile's first row, `shift` bits its target within the bucket. Within a bucket
 * of a tile the edges are in any order. */
#ifndef FRI_CUDA_GRAPH_TRANSPOSE_TILES_CUH
#define FRI_CUDA_GRAPH_TRANSPOSE_TILES_CUH

#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"

/* Sizes are small under the SIMT executor, so that small graphs cover every case. */
#ifdef FRI_SIMT
static const int TILE = 1 << 10, TILE_WARPS = 4, PART = 1500, MAX_PASS = 128, MAX_BUCKETS = 48;
#else
/* two blocks per multiprocessor with 228 KB */
static const int TILE = (1 << 16) / 3, TILE_WARPS = 16;
static const int PART = 60000, MAX_PASS = 8192, MAX_BUCKETS = 3072;
#endif
static const int EDGE_COST = (1 << 16) / TILE, TILE_COST = EDGE_COST * (TILE - 1);
static const int TILE_THREADS = TILE_WARPS * FRI_WARP, IN_FLIGHT = 4;

namespace {
/* The beginning of a tile: its first edge, and a row at or before that edge's row. */
struct corner {
    int64_t edge;
    int32_t row, unused;
};

template <class O> struct transposition {
    fri_csr_view<O> out;
    int32_t n;
    int64_t m;
    int32_t tiles, buckets;
    /* tiles whose rows earlier launches counted; tiles that are sorted after this launch */
    int32_t counted, end;
    int shift, pass;      /* pass: rows of a bucket placed at a time */
    int stage;            /* edges that a block collects in shared memory before it writes them */
    /* buckets are small: half the threads and half the shared memory per block */
    int halves;
    int direct;           /* tiles are not sorted in shared memory */
    corner *corners;      /* [tiles + 1] */
    uint32_t *sorted;     /* [m] ordered by tile, bucket */
    uint16_t *begins;     /* [buckets + 1][tiles] position in the tile of the bucket's first edge */
    uint32_t *totals;     /* [buckets] edges; zero at first */
    struct part *parts;   /* see buckets.cuh */
    int32_t *part_count;  /* number of all parts, and of buckets that have several */
    uint32_t *part_rows;  /* [2 m / PART][1 << shift] edges of each row in those parts */
    O *offsets;           /* [n + 1] the result; before that the counts of count_early_kernel */
    int32_t *sources;     /* [m] the result */
};
} // namespace

/* The last row of low .. high that begins at or before the edge: not an empty one. */
template <class O>
static __host__ __device__ __forceinline__ int32_t row_of(const O *offsets, int32_t low,
                                                          int32_t high, O edge) {
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (offsets[middle] <= edge)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The beginning of the tile at cost `paid`: a row costs 1, an edge EDGE_COST, which bounds both per
 * tile. */
template <class O>
static __host__ __device__ corner corner_at(const O *offsets, int32_t n, int64_t paid) {
    int32_t low = 0, high = n - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (middle + EDGE_COST * (int64_t)offsets[middle] <= paid)
            low = middle;
        else
            high = middle - 1;
    }
    int64_t begin = (int64_t)offsets[low], end = (int64_t)offsets[low + 1];
    return {FRI_MIN(begin + (paid - low - EDGE_COST * begin) / EDGE_COST, end), low, 0};
}
static int32_t tiles_of(int32_t n, int64_t m) {
    return (int32_t)((n + EDGE_COST * m + TILE_COST - 1) / TILE_COST);
}

/* One thread per corner. */
template <class O> static __global__ void corners_kernel(transposition<O> t) {
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k > t.tiles)
        return;
    const corner c = corner_at(t.out.offsets, t.n, k * TILE_COST);
    t.corners[k] = c;
}

/* Whole warp, `value` ascending from lane to lane: how many lanes have a value <= x, for N values
 * of x at once to overlap their shuffles. */
template <int N>
static __device__ __forceinline__ void lanes_upto(int value, const int (&x)[N], int (&count)[N]) {
    int probe[N];
    FRI_UNROLL
    for (int k = 0; k < N; k++)
        count[k] = 0;
    FRI_UNROLL
    for (int step = FRI_WARP / 2; step >= 0; step = step ? step / 2 : -1) {
        FRI_UNROLL
        for (int k = 0; k < N; k++)
            probe[k] = __shfl_sync(FRI_FULL_MASK, value, count[k] + (step ? step - 1 : 0));
        FRI_UNROLL
        for (int k = 0; k < N; k++)
            count[k] += probe[k] <= x[k] ? FRI_MAX(step, 1) : 0;
    }
}

namespace {
/* A warp's window of rows: this lane's is row + lane; ends are relative to the tile's first edge.
 */
struct window {
    int32_t row;
    int end, next; /* of this lane's row, and of the row 32 further on */
};
} // namespace

template <class O>
static __device__ __forceinline__ int end_of(const transposition<O> &t, int64_t row,
                                             int64_t first) {
    return (int)FRI_MIN((int64_t)t.out.offsets[FRI_MIN(row + 1, (int64_t)t.n)] - first,
                        (int64_t)2 * TILE);
}
template <class O>
static __device__ __forceinline__ window window_at(const transposition<O> &t, int32_t row,
                                                   int64_t first) {
    return {row, end_of(t, (int64_t)row + fri_lane(), first),
            end_of(t, (int64_t)row + FRI_WARP + fri_lane(), first)};
}

/* Whole warp, edges ascending from lane to lane and from call to call, some beyond the window: the
 * row of `edge`. */
template <class O>
static __device__ int32_t row_beyond(const transposition<O> &t, window *w, int edge, int64_t first,
                                     int32_t last) {
    int32_t row = 0;
    unsigned left = FRI_FULL_MASK;
    for (;;) {
        const int x[1] = {edge};
        int below[1];
        lanes_upto(w->end, x, below);
        if (left >> fri_lane() & 1)
            row = w->row + below[0];
        left &= __ballot_sync(FRI_FULL_MASK, below[0] == FRI_WARP);
        if (!left)
            return row;
        const int min_left = __shfl_sync(FRI_FULL_MASK, edge, __ffs((int)left) - 1);
        w->row += FRI_WARP;
        w->end = w->next;
        if (__shfl_sync(FRI_FULL_MASK, w->end, FRI_WARP - 1) > min_left)
            w->next = end_of(t, (int64_t)w->row + FRI_WARP + fri_lane(), first);
        else
            *w = window_at(
                t, row_of(t.out.offsets, FRI_MIN(w->row, last), last, (O)(first + min_left)), first);
    }
}

/* Whole warp, edges as above and ascending in k: their rows. */
template <class O>
static __device__ __forceinline__ void rows_of(const transposition<O> &t, window *w,
                                               const int (&edge)[IN_FLIGHT], int64_t first,
                                               int32_t last, int32_t (&row)[IN_FLIGHT]) {
    int below[IN_FLIGHT];
    lanes_upto(w->end, edge, below);
    FRI_UNROLL
    for (int k = 0; k < IN_FLIGHT; k++)
        row[k] = w->row + below[k];
    if (!__any_sync(FRI_FULL_MASK, below[IN_FLIGHT - 1] == FRI_WARP))
        return;
    FRI_UNROLL
    for (int k = 0; k < IN_FLIGHT; k++)
        if (__any_sync(FRI_FULL_MASK, below[k] == FRI_WARP))
            row[k] = row_beyond(t, w, edge[k], first, last);
}

/* All threads: replaces the number of edges of each bucket in the tile by the position of the
 * first. */
template <class O>
static __device__ void place_buckets(const transposition<O> &t, int32_t tile, uint32_t *counts) {
    const int each = (t.buckets + TILE_THREADS - 1) / TILE_THREADS;
    const int low = FRI_MIN((int)threadIdx.x * each, t.buckets);
    const int high = FRI_MIN(low + each, t.buckets);
    uint32_t sum = 0, all;
    for (int b = low; b < high; b++)
        sum += counts[b];
    uint32_t at = fri_block_prefix<uint32_t>(sum, &all);
    for (int b = low; b < high; b++) {
        const uint32_t count = counts[b];
        counts[b] = at;
        t.begins[(int64_t)b * t.tiles + tile] = (uint16_t)at;
        if (count)
            atomicAdd(&t.totals[b], count); /* atomic: other tiles add */
        at += count;
    }
    if (threadIdx.x == 0)
        t.begins[(int64_t)t.buckets * t.tiles + tile] = (uint16_t)all;
}

static size_t tile_bytes(int32_t buckets, bool direct) {
    return sizeof(uint32_t) * ((size_t)buckets + (direct ? 0 : TILE));
}

/* One block per tile, from t.counted on. */
template <class O>
static __global__ void __launch_bounds__(TILE_THREADS, 2) tiles_kernel(transposition<O> t) {
    FRI_SHARED_DYNAMIC(uint32_t, scratch);
    const int32_t tile = t.counted + (int32_t)blockIdx.x;
    const corner from = t.corners[tile], to = t.corners[tile + 1];
    const int32_t *targets = t.out.targets + from.edge;
    const int count = (int)(to.edge - from.edge);
    const int share = (count + TILE_THREADS - 1) / TILE_THREADS * FRI_WARP;
    const int begin = FRI_MIN(fri_warp() * share, count), end = FRI_MIN(begin + share, count);
    uint32_t *counts = scratch, *stage = scratch + t.buckets;
    uint32_t *place = t.direct ? t.sorted + from.edge : stage;
    const uint32_t mask = (1u << t.shift) - 1;
    for (int b = (int)threadIdx.x; b < t.buckets; b += TILE_THREADS)
        counts[b] = 0;
    __syncthreads(); /* all counts are zero */
    FRI_UNROLL
    for (int i = (int)threadIdx.x; i < count; i += TILE_THREADS)
        /* atomic: the whole block counts */
        atomicAdd(&counts[(uint32_t)targets[i] >> t.shift], 1u);
    __syncthreads();                                             /* all edges are counted */
    place_buckets(t, tile, counts);
    __syncthreads(); /* all positions are known */
    if (begin < end) {
        int32_t row = row_of(t.out.offsets, from.row, to.row, (O)(from.edge + begin));
        window w = window_at(t, row, from.edge);
        for (int i = begin + fri_lane(); i - fri_lane() < end; i += IN_FLIGHT * FRI_WARP) {
            uint32_t v[IN_FLIGHT];
            int edge[IN_FLIGHT];
            int32_t its[IN_FLIGHT];
            FRI_UNROLL
            for (int k = 0; k < IN_FLIGHT; k++) {
                edge[k] = FRI_MIN(i + k * FRI_WARP, end - 1);
                v[k] = (uint32_t)targets[edge[k]];
            }
            rows_of(t, &w, edge, from.edge, to.row, its);
            FRI_UNROLL
            for (int k = 0; k < IN_FLIGHT; k++)
                /* atomic: reserves the bucket's next position for this edge */
                if (i + k * FRI_WARP < end)
                    place[atomicAdd(&counts[v[k] >> t.shift], 1u)] =
                        (uint32_t)(its[k] - from.row) << t.shift | (v[k] & mask);
        }
    }
    if (t.direct)
        return;
    __syncthreads(); /* the tile is sorted */
    for (int i = (int)threadIdx.x; i < count; i += TILE_THREADS)
        t.sorted[from.edge + i] = stage[i];
}

#endif
