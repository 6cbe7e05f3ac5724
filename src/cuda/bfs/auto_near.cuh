/* Thin levels of `auto` from spans: a level is a chain of targets, offsets (beside the claim),
 * place and the cluster's barrier. For graphs whose rows are too long to be carried along. */
#ifndef FRI_AUTO_NEAR_CUH
#define FRI_AUTO_NEAR_CUH

#include "cuda/bfs/auto_meet.cuh"

static const int HUB = 8 * SPAN;
static const uint32_t CAP = 1 << 20; /* of what a vertex adds to `edges` */

/* Any thread: a vertex of many edges as several entries, one block's each if `spread`. */
template <class O, class C>
static __device__ void place_wide(const world<O> &w, const C &d, span *queue, bool spread,
                                  int32_t v, O begin, O degree, int turn) {
    unsigned rank = spread ? home_of(d, v) : d.rank;
    if (degree > (O)HUB) { /* more than one thread should deal out: for the grid */
        fri_racy_store(&d.counts[turn].over, 1); /* racy: all store the same */
        return;
    }
    for (O left = degree; left > 0; rank = spread ? (rank + 1) & d.mask : rank) {
        O part = FRI_MIN(left, (O)SPAN);
        int32_t at = reserve_near(d, rank, turn);
        if (at < w.room)
            *fri_cluster_at(&queue[at], rank) = {v, (int32_t)part, (int64_t)begin};
        begin += part;
        left -= part;
    }
}

/* Any thread: v's edges as entries of the next frontier, C::LOOKS vertices, those of degree 0 left
 * out. What finds no room is missed when the entries are summed up. */
template <class O, class C>
static __device__ __forceinline__ void place(const world<O> &w, const C &d, int32_t depth, int turn,
                                             bool spread, const int32_t *v, const O *begin,
                                             const O *degree) {
    const O least = least_edges(w, depth + 1);
    span *queue = (span *)d.queue + ((depth + 1) & 1) * w.room;
    int32_t at[C::LOOKS];
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) {
        FRI_COUNT(w.out, FR_COUNT_ENQUEUES, degree[j] >= least);
        at[j] = w.room;
        if (degree[j] >= least && degree[j] <= (O)SPAN)
            at[j] = spread ? reserve_near(d, home_of(d, v[j]), turn)
                           : atomicAdd(&d.counts[turn].entries, 1); /* the block's threads append */
    }
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) {
        if (degree[j] > (O)SPAN)
            place_wide(w, d, queue, spread, v[j], begin[j], degree[j], turn);
        else if (at[j] < w.room)
            *(spread ? fri_cluster_at(&queue[at[j]], home_of(d, v[j]))
                     : &queue[at[j]]) = {v[j], (int32_t)degree[j], (int64_t)begin[j]};
    }
}

/* Any thread: edges e of u, those that are on; all reads of a kind on their way at once. */
template <class O, class C>
static __device__ __forceinline__ void look_near(const world<O> &w, const C &d, int32_t depth,
                                                 int turn, bool spread, int32_t u, const O *e,
                                                 const bool *on, catches *mine) {
    int32_t v[C::LOOKS];
    uint32_t answer[C::LOOKS];
    O begin[C::LOOKS], degree[C::LOOKS];
    bool open[C::LOOKS];
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++)
        v[j] = on[j] ? w.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) { /* also of those not to be won: nobody waits for them */
        const bool on_try = on[j] && !tried(d, v[j]);
        begin[j] = on_try ? w.out.offsets[v[j]] : 0;
        degree[j] = on_try ? w.out.offsets[v[j] + 1] : 0;
        open[j] = on_try &&
                  (d.map || C::is_crew || looks_new(w, v[j])); /* the map is as near as its test */
    }
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) {
        FRI_COUNT(w.out, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open[j]);
        answer[j] = open[j] ? try_near(w, d, v[j], depth) : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) {
        bool fresh = open[j] && won_near(w, d, v[j], answer[j], depth);
        degree[j] = fresh ? degree[j] - begin[j] : 0;
        if (!fresh)
            continue;
        note(w, v[j], u, depth + 1);
        mine->vertices++;
        mine->edges += degree[j] < (O)CAP ? (uint32_t)degree[j] : CAP;
        fri_prefetch(&w.out.targets[begin[j]]);
    }
    place(w, d, depth, turn, spread, v, begin, degree);
}

/* All threads: one level; the edges looked at by this thread. The barrier must follow. */
template <class O, class C>
static __device__ __forceinline__ unsigned near_level(const world<O> &w, const C &d, const state &s,
                                                      bool spread) {
    const span *queue = (const span *)d.queue + (s.depth & 1) * w.room;
    const int32_t count = d.counts[s.turn].entries;
    const int turn = (s.turn + 1) % SLOTS;
    int width = FRI_WARP;
    unsigned looked = 0;
    catches mine = {0, 0};
    while (width > 2 && count * width > (int)blockDim.x)
        width /= 2;
    for (int i = (int)threadIdx.x / width; i < count; i += (int)blockDim.x / width) {
        const span entry = queue[i];
        for (int k = (int)threadIdx.x % width; k < entry.count; k += width * C::LOOKS) {
            O e[C::LOOKS];
            bool on[C::LOOKS];
            FRI_UNROLL
            for (int j = 0; j < C::LOOKS; j++) {
                on[j] = k + j * width < entry.count;
                e[j] = (O)entry.begin + (O)(k + j * width);
                looked += on[j];
            }
            look_near(w, d, s.depth, turn, spread, entry.v, e, on, &mine);
        }
    }
    __syncwarp(); /* lanes were on ways of their own */
    add_catches(d, turn, mine);
    return looked;
}

#endif
