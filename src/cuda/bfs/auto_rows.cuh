/* Thin levels of `auto` from rows: in a graph of few edges per vertex each vertex has a row of its
 * first four targets, made once, and a frontier's entry is such a row. So a level is a chain of
 * claim, row (beside the claim), place and the cluster's barrier: one read of memory. A vertex of
 * more targets is several entries; the edge back to where it was found from is left out.
 */
#ifndef FRI_AUTO_ROWS_CUH
#define FRI_AUTO_ROWS_CUH

#include "cuda/bfs/auto_cell.cuh"

static const int WIDEST_ROW = 64, NONE = -1, MORE = -2;

/* A thread a vertex: its targets, then NONE; or, of more than ROW, {MORE, degree, first edge}. */
template <class O> static __global__ void rows_kernel(fri_rows<O> out, int32_t n, int4 *rows) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v >= n)
        return;
    const O begin = out.offsets[v], degree = out.offsets[v + 1] - begin;
    if (degree > (O)ROW)
        rows[v] = {MORE, (int32_t)FRI_MIN(degree, (O)INT32_MAX),
                   (int32_t)(uint32_t)((uint64_t)begin & UINT32_MAX),
                   (int32_t)((uint64_t)begin >> 32)};
    else
        rows[v] = {
            degree > 0 ? out.targets[begin] : NONE, degree > 1 ? out.targets[begin + 1] : NONE,
            degree > 2 ? out.targets[begin + 2] : NONE, degree > 3 ? out.targets[begin + 3] : NONE};
}

namespace {
/* The rows in a block's shared memory, of one depth. */
struct rack {
    int4 *rows;
    int32_t *who; /* their vertices; ~v: a row of v that is not its first */
};
} // namespace

template <class O, class C>
static __device__ __forceinline__ rack rack_of(const world<O> &w, const C &d, int32_t depth) {
    int4 *rows = (int4 *)d.queue;
    return {rows + (depth & 1) * w.room, (int32_t *)(rows + 2 * w.room) + (depth & 1) * w.room};
}

static __device__ __forceinline__ int32_t degree_of(int4 row) {
    return row.x == MORE ? row.y : (row.x >= 0) + (row.y >= 0) + (row.z >= 0) + (row.w >= 0);
}

static __device__ __forceinline__ int4 without(int4 row, int32_t u) {
    return {row.x == u ? NONE : row.x, row.y == u ? NONE : row.y, row.z == u ? NONE : row.z,
            row.w == u ? NONE : row.w};
}

/* Any thread: edges [begin, begin + count) of v as rows of that block's next frontier. */
template <class O, class C>
static __device__ void place_rows(const world<O> &w, const C &d, rack to, unsigned rank, int32_t v,
                                  O begin, int32_t count, int turn) {
    for (int32_t k = 0; k < count; k += ROW) {
        int32_t at = reserve_near(d, rank, turn);
        const int32_t *from = w.out.targets + begin + k;
        if (at >= w.room)
            continue;
        *fri_cluster_at(&to.rows[at], rank) = {from[0], k + 1 < count ? from[1] : NONE,
                                               k + 2 < count ? from[2] : NONE,
                                               k + 3 < count ? from[3] : NONE};
        *fri_cluster_at(&to.who[at], rank) = k ? ~v : v;
    }
}

/* Whole warp: the lanes' finds, those that are `in`, into the next frontier. What finds no room is
 * missed when the entries are summed up. */
template <class O, class C>
static __device__ __forceinline__ void place_row(const world<O> &w, const C &d, rack to, int turn,
                                                 bool spread, int32_t v, int4 row, bool in) {
    const bool more = in && row.x == MORE, one = in && !more;
    const unsigned rank = spread ? home_of(d, v) : d.rank, ones = __ballot_sync(FRI_FULL, one);
    FRI_COUNT(w.out, FR_COUNT_ENQUEUES, in);
    if (spread) {
        int32_t at = one ? reserve_near(d, rank, turn) : w.room;
        if (at < w.room) {
            *fri_cluster_at(&to.rows[at], rank) = row;
            *fri_cluster_at(&to.who[at], rank) = v;
        }
    } else if (ones) {
        int32_t at = 0;
        if (fri_lane() == 0) /* the block's warps append */
            at = atomicAdd(&d.counts[turn].entries, __popc(ones));
        at = __shfl_sync(FRI_FULL, at, 0) + __popc(ones & ((1u << fri_lane()) - 1));
        if (one && at < w.room) {
            to.rows[at] = row;
            to.who[at] = v;
        }
    }
    if (more)
        place_rows(w, d, to, rank, v, (O)((uint64_t)(uint32_t)row.w << 32 | (uint32_t)row.z), row.y,
                   turn);
}

/* All threads: one level, a target a lane; the edges looked at by this thread. The barrier must
 * follow. */
template <class O, class C>
static __device__ __forceinline__ unsigned long long row_level(const world<O> &w, const C &d,
                                                               const state &s, bool spread) {
    const rack from = rack_of(w, d, s.depth), to = rack_of(w, d, s.depth + 1);
    const int32_t all = d.counts[s.turn].entries * ROW;
    const int turn = (s.turn + 1) % SLOTS;
    unsigned long long looked = 0;
    catches mine = {0, 0};
    for (int32_t i = (int32_t)threadIdx.x; i - fri_lane() < all; i += (int32_t)blockDim.x) {
        const int32_t v = i < all ? ((const int32_t *)from.rows)[i] : NONE;
        const int32_t who = v >= 0 ? from.who[i / ROW] : 0, u = who < 0 ? ~who : who;
        const bool open = v >= 0 && !tried(d, v);
        const uint32_t answer = open ? try_near(w, d, v, s.depth) : 0;
        int4 row = open ? w.rows[v] : int4{NONE, NONE, NONE, NONE}; /* beside the claim */
        FRI_COUNT(w.out, FR_COUNT_EDGES, v >= 0);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open);
        looked += v >= 0;
        const bool fresh = open && won_near(w, d, v, answer, s.depth);
        if (fresh) {
            note(w, v, u, s.depth + 1);
            mine.vertices++;
            mine.edges += (uint32_t)degree_of(row);
        }
        row = row.x == MORE ? row : without(row, u);
        place_row(w, d, to, turn, spread, v, row, fresh && (row.x == MORE || degree_of(row) > 0));
    }
    add_catches(d, turn, mine);
    return looked;
}

#endif
