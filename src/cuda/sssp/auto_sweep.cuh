/* Pull rounds of SSSP `auto`, for graphs whose in-edges are their out-edges and whose rows are
 * sorted by weight: every vertex looks at the edges that can still lower it.
 *
 * Before a sweep nothing below `floor` is pending, so an edge of weight w can lower a vertex at t
 * only while floor + w < t: of a sorted row a few at the front (the pruning by V. Chakaravarthy, F.
 * Checconi, F. Petrini, Y. Sabharwal, IPDPS 2014, with a floor for the bucket). What a sweep lowers
 * is all that is pending after it, and the least of that is the next floor.
 * Rows are sorted within tiles of TILE edges of the whole array, so that one block sorts any tile
 * and no warp walks a hub alone: what a row has in a tile is an item of its own.
 */
#ifndef FRI_AUTO_SWEEP_CUH
#define FRI_AUTO_SWEEP_CUH

#include "cuda/sssp/auto_chip.cuh"

enum { TILE = 2048, ORDER_BLOCK = 256, SEEK_AT_ONCE = 4, SEEK_ALONE = 16, TILES_EACH = 4 };

/* One block per tile: its first edge's row; and its edges sorted by row, weight, place. */
static __global__ void __launch_bounds__(ORDER_BLOCK)
    order_kernel(const int64_t *offsets, int32_t n, int64_t m, int32_t *targets, int32_t *weights,
                 int32_t *tile_row) {
    FRI_SHARED(unsigned long long, key, TILE);
    FRI_SHARED(int32_t, target, TILE);
    int64_t first = (int64_t)blockIdx.x * TILE;
    int64_t last = FRI_MIN(first + TILE, m) - 1;
    int32_t row = fri_edge_source(offsets, 0, n, first);
    int32_t end = fri_edge_source(offsets, row, n, last) + 1;
    if (threadIdx.x == 0)
        tile_row[blockIdx.x] = row;
    if (!weights) /* all weigh the same */
        return;
    for (int i = (int)threadIdx.x; i < TILE; i += ORDER_BLOCK) {
        int64_t e = first + i;
        row = e < m ? fri_edge_source(offsets, row, end, e) : end;
        int64_t start =
            e < m ? offsets[row] - first : (int64_t)TILE; /* of rows that have edges, no two */
        key[i] = (unsigned long long)(start > 0 ? start : 0) << 43;
        if (e < m) /* weights are at least 0: their bits ascend, but for the sign of -0 */
            key[i] |= (unsigned long long)(weights[e] & INT32_MAX) << 11 | (unsigned)i;
        target[i] = e < m ? targets[e] : 0;
    }
    for (int size = 2; size <= TILE; size *= 2)
        for (int far = size / 2; far; far /= 2) {
            __syncthreads(); /* the step before is done */
            for (int k = (int)threadIdx.x; k < TILE / 2; k += ORDER_BLOCK) {
                int a = k / far * far * 2 + k % far, b = a + far;
                unsigned long long x = key[a], y = key[b];
                if ((x > y) == ((a & size) == 0)) {
                    key[a] = y;
                    key[b] = x;
                }
            }
        }
    __syncthreads(); /* sorted */
    for (int i = (int)threadIdx.x; i < TILE && first + i < m; i += ORDER_BLOCK) {
        uint32_t weight = (uint32_t)(key[i] >> 11);
        targets[first + i] = target[key[i] & (TILE - 1)];
        weights[first + i] = (int32_t)(weight & INT32_MAX);
    }
}

/* One thread per edge: the weight joins the target's word, where both fit. */
static __global__ void fold_kernel(int32_t *targets, const int32_t *weights, int64_t m, int shift) {
    int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < m)
        targets[e] = (int32_t)((uint32_t)targets[e] | (uint32_t)weights[e] << shift);
}

namespace {
/* A vertex that looks for a nearer neighbour, and what it has found. */
template <class T> struct seeker {
    typename T::K best, floor;
    int32_t by;
};
} // namespace

/* One thread: an edge's end and weight. */
template <class T>
static __device__ __forceinline__ int32_t end_of(const world<T> &w, int64_t e,
                                                 typename T::W *weight) {
    int32_t word = __ldg(&w.p.targets[e]);
    *weight = w.shift ? (typename T::W)((uint32_t)word >> w.shift) : fri_weight(w.p, e);
    return word & w.p.mask;
}

/* One thread: edge (u, weight) of a sorted row; false: neither it nor what follows can matter. */
template <class T>
static __device__ __forceinline__ bool seek(const world<T> &w, seeker<T> *s, int32_t u,
                                            typename T::K d, typename T::W weight) {
    bool low = false;
    if (!(T::sum(s->floor, weight, w.p.cap, &low) < s->best))
        return false;
    typename T::K sum = T::sum(d, weight, w.p.cap, &low);
    if (sum < s->best) {
        s->best = sum;
        s->by = u;
    }
    return true;
}

/* One thread: edges [e, end) while they matter, SEEK_AT_ONCE on their way together; false: the rest
 * cannot matter. */
template <class T>
static __device__ bool seek_alone(const world<T> &w, seeker<T> *s, int64_t e, int64_t end,
                                  tally<T> *mine) {
    for (; e < end; e += SEEK_AT_ONCE) {
        int32_t u[SEEK_AT_ONCE];
        typename T::W weight[SEEK_AT_ONCE];
        typename T::K d[SEEK_AT_ONCE];
        FRI_UNROLL
        for (int j = 0; j < SEEK_AT_ONCE; j++) {
            u[j] = end_of(w, e + j < end ? e + j : e, &weight[j]);
        }
        FRI_UNROLL
        for (int j = 0; j < SEEK_AT_ONCE; j++) /* racy: who falls later is looked at again */
            d[j] = fri_racy_load(&w.p.dist[u[j]]);
        FRI_UNROLL
        for (int j = 0; j < SEEK_AT_ONCE; j++) {
            if (e + j >= end)
                return true;
            mine->edges++;
            FRI_COUNT(w.p, FR_COUNT_EDGES, 1);
            if (!seek(w, s, u[j], d[j], weight[j]))
                return false;
        }
    }
    return true;
}

/* Whole warp: the same for one vertex, 32 edges at a time; all lanes hold s and get the answer. */
template <class T>
static __device__ void seek_together(const world<T> &w, seeker<T> *s, int64_t e, int64_t end,
                                     tally<T> *mine) {
    for (bool on = true; e < end && __all_sync(FRI_FULL, on); e += FRI_WARP) {
        int64_t at = e + fri_lane();
        on = at < end;
        if (on) {
            typename T::W weight;
            int32_t u = end_of(w, at, &weight);
            mine->edges++;
            FRI_COUNT(w.p, FR_COUNT_EDGES, 1);
            on = seek(w, s, u, fri_racy_load(&w.p.dist[u]), weight); /* racy: as above */
        }
        for (int d = FRI_WARP / 2; d; d /= 2) {
            typename T::K best = __shfl_xor_sync(FRI_FULL, s->best, d);
            int32_t by = __shfl_xor_sync(FRI_FULL, s->by, d);
            if (best < s->best || (best == s->best && by < s->by)) {
                s->best = best;
                s->by = by;
            }
        }
    }
}

/* Whole warp: the lanes' vertices and their edges [e, end) within a tile. */
template <class T>
static __device__ void seek_items(const world<T> &w, const local<T> &l, typename T::K floor,
                                  int32_t v, int64_t e, int64_t end, tally<T> *mine) {
    typedef typename T::K K;
    K now = e < end ? fri_racy_load(&w.p.dist[v]) : floor; /* racy: the atomic decides */
    if (!(now > floor))
        end = e;
    seeker<T> s = {now, floor, INT32_MAX};
    int64_t near = FRI_MIN(end, e + SEEK_ALONE);
    bool more = seek_alone(w, &s, e, near, mine) && near < end;
    for (unsigned rest = __ballot_sync(FRI_FULL, more); rest; rest &= rest - 1) {
        int lane = __ffs((int)rest) - 1;
        seeker<T> one = {__shfl_sync(FRI_FULL, s.best, lane), floor,
                         __shfl_sync(FRI_FULL, s.by, lane)};
        seek_together(w, &one, __shfl_sync(FRI_FULL, near, lane), __shfl_sync(FRI_FULL, end, lane),
                      mine);
        if (fri_lane() == lane)
            s = one;
    }
    bool fell = s.best < now;
    FRI_COUNT(w.p, FR_COUNT_ATOMICS, fell);
    if (fell)
        fell = s.best < fri_key_min(&w.p.dist[v], s.best); /* other tiles of its row lower it too */
    if (fell) {
        note_parent(w, v, s.best, s.by);
        mine->relaxed++;
        mine->near_least = FRI_MIN(mine->near_least, s.best);
        FRI_COUNT(w.p, FR_COUNT_RELAXATIONS, 1);
        FRI_COUNT(w.p, FR_COUNT_ENQUEUES, 1);
    }
    bool fallen[] = {fell};
    int32_t ends[] = {v};
    K keys[] = {s.best};
    put_near(l, fallen, ends, keys);
}

static __device__ __forceinline__ int64_t tile_end(int64_t e) { return (e / TILE + 1) * TILE; }

/* All warps: one sweep; what fell is the next round's queue. */
template <class T>
static __device__ void sweep(const world<T> &w, const local<T> &l, tally<T> *mine) {
    typename T::K floor = (typename T::K)l.d->s.floor;
    for (int64_t first = (int64_t)team_warp() * TILES_EACH; first < w.tiles;
         first += team_warps() * TILES_EACH) { /* rows that go on from the tile before */
        int64_t tile = first + fri_lane(), e = tile * TILE;
        bool on = fri_lane() < TILES_EACH && tile < w.tiles;
        int32_t v = on ? w.tile_row[tile] : 0;
        on = on && w.p.offsets[v] < e;
        seek_items(w, l, floor, v, e, on ? FRI_MIN(w.p.offsets[v + 1], e + TILE) : e, mine);
    }
    for (int64_t first = (int64_t)team_warp() * FRI_WARP; first < w.p.n;
         first += team_warps() * FRI_WARP) {
        int64_t v = first + fri_lane();
        int64_t e = v < w.p.n ? w.p.offsets[v] : 0, end = v < w.p.n ? w.p.offsets[v + 1] : 0;
        seek_items(w, l, floor, (int32_t)v, e, FRI_MIN(end, tile_end(e)), mine);
    }
}

#endif
