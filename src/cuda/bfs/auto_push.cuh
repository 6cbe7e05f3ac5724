/* Top-down levels of `auto`: spans of frontier vertices are walked, the next queue is written. */
#ifndef FRI_AUTO_PUSH_CUH
#define FRI_AUTO_PUSH_CUH

#include "cuda/bfs/auto_queue.cuh"

static const int SHORT = 16; /* out-edges up to which no vertex holds a warp up */

namespace {
/* What a push writes to. */
template <class O> struct finds {
    outlet<O> out;
    bool lean;      /* no queue: the levels tell the next frontier */
    uint32_t *bits; /* its bitmap, zero so far; or NULL */
    bool owes;      /* the bitmap alone tells it: no levels, edges not counted */
};
} // namespace

/* Whole warp: of ends v of edges from u those that are open and whose tries were won, into the next
 * frontier. */
template <class O>
static __device__ __forceinline__ void
take(const world<O> &w, int32_t depth, const int32_t *u, const int32_t *v, const bool *open,
     const uint32_t *answer, const O *begin, O *degree, finds<O> *to, tally<O> *mine) {
    bool any = false;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        bool fresh =
            open[j] && (to->owes ? is_first(v[j], answer[j]) : won(w, v[j], answer[j], depth));
        if (fresh && w.parent)
            w.parent[v[j]] = u[j];
        if (fresh && to->bits) /* others set other bits */
            atomicOr(&to->bits[v[j] / FRI_WARP], 1u << (v[j] % FRI_WARP));
        if (fresh && to->lean &&
            !to->owes) /* of few of those that looked new, and nobody waits for them */
            degree[j] = w.out.offsets[v[j] + 1] - w.out.offsets[v[j]];
        degree[j] = fresh ? degree[j] - begin[j] : 0;
        mine->vertices += fresh;
        mine->edges += (edge_sum<O>)degree[j];
        any |= degree[j] > 0;
    }
    if (!to->lean && __any_sync(FRI_FULL, any))
        enqueue(w, v, begin, degree, least_edges(w, to->out.depth), &to->out);
}

/* Whole warp: each lane looks at AT_ONCE edges, those that are on; all reads of a kind are on their
 * way before the first is needed, and offsets come while claims are on their way. */
template <class O>
static __device__ __forceinline__ void look(const world<O> &w, int32_t depth, const int32_t *u,
                                            const O *e, const bool *on, finds<O> *to,
                                            tally<O> *mine) {
    int32_t v[AT_ONCE];
    uint32_t answer[AT_ONCE];
    O begin[AT_ONCE], degree[AT_ONCE];
    bool open[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        v[j] = on[j] ? w.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        open[j] = on[j] && looks_new(w, v[j]);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        begin[j] = open[j] && !to->lean ? w.out.offsets[v[j]] : 0;
        degree[j] = open[j] && !to->lean ? w.out.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        mine->examined += on[j];
        FRI_COUNT(w.out, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open[j]);
        answer[j] = open[j] ? try_for(w, v[j], depth) : 0;
    }
    take(w, depth, u, v, open, answer, begin, degree, to, mine);
}

/* Short spans: `width` lanes to each, no sums. */
template <class O>
static __device__ void push_short(const world<O> &w, int32_t depth, const span *queue,
                                  int32_t count, int width, finds<O> *to, tally<O> *mine) {
    int per = FRI_WARP / width;
    for (uint32_t first = (uint32_t)(team_warp() * per); first < (uint32_t)count;
         first += (uint32_t)(team_warps() * per)) {
        uint32_t i = first + (uint32_t)(fri_lane() / width);
        O e[AT_ONCE];
        span s = i < (uint32_t)count ? queue[i] : span{0, 0, 0};
        int32_t u[AT_ONCE] = {s.v, s.v};
        bool on[AT_ONCE];
        for (int k = fri_lane() % width; __any_sync(FRI_FULL, k < s.count); k += width * AT_ONCE) {
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                on[j] = k + j * width < s.count;
                e[j] = (O)(s.begin + k + j * width);
            }
            look(w, depth, u, e, on, to, mine);
        }
    }
}

/* Spans that a block takes at once. */
static __device__ __forceinline__ int shelf_room() { return FRI_MIN((int)blockDim.x, (int)SHELF); }

/* All threads of the block: spans first, first + blocks, ... of a queue, at most one a thread, onto
 * the shelf, `weight` of each summed up: its total. */
template <class O>
static __device__ __forceinline__ int fill_shelf(shelf<O> *s, const span &one, int weight) {
    FRI_SHARED(int, sums, FRI_WARP);
    int mine, before = fri_warp_sum(weight, &mine);
    if (fri_lane() == 0)
        sums[fri_warp()] = mine;
    __syncthreads(); /* all warps' sums are there; nobody reads the old shelf any more */
    mine = fri_lane() < (int)blockDim.x / FRI_WARP ? sums[fri_lane()] : 0;
    const int total = (int)warp_total((unsigned)mine);
    before += (int)warp_total((unsigned)(fri_lane() < fri_warp() ? mine : 0));
    if ((int)threadIdx.x < SHELF) {
        s->v[threadIdx.x] = one.v;
        s->begin[threadIdx.x] = (O)one.begin;
        s->count[threadIdx.x] = (uint16_t)one.count;
        s->before[threadIdx.x] = before;
    }
    __syncthreads(); /* the shelf is full */
    return total;
}

/* All threads of the block: its only span, which thread 0 has, onto the shelf; its edges. */
template <class O> static __device__ __forceinline__ int shelve_one(shelf<O> *s, const span &one) {
    if (threadIdx.x == 0) { /* nobody reads the old shelf: the grid's barrier stands between */
        s->v[0] = one.v;
        s->begin[0] = (O)one.begin;
        s->before[0] = 0;
    }
    __syncthreads(); /* it is there */
    return one.count;
}

/* Spans of any length: a block takes every g-th of them, so that neighbours, which are alike, go to
 * different ones, numbers their edges and deals them out to its threads. */
template <class O>
static __device__ void push_even(const world<O> &w, int32_t depth, const span *queue, int32_t count,
                                 shelf<O> *s, finds<O> *to, tally<O> *mine) {
    const int threads = (int)blockDim.x, room = shelf_room();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * room) {
        const bool only = count <= blocks;
        int64_t i = first + (only ? 0 : (int64_t)threadIdx.x * blocks);
        span one = (only || (int)threadIdx.x < room) && i < count ? queue[i] : span{0, 0, 0};
        const int held = (int)FRI_MIN((int64_t)room, (count - first + blocks - 1) / blocks);
        const int edges = only ? shelve_one(s, one) : fill_shelf(s, one, one.count);
        for (int k0 = (int)threadIdx.x; k0 - fri_lane() < edges; k0 += AT_ONCE * threads) {
            int32_t u[AT_ONCE];
            O e[AT_ONCE];
            bool on[AT_ONCE];
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                int k = k0 + j * threads, owner = fri_owner(s->before, held, k);
                on[j] = k < edges;
                u[j] = s->v[owner];
                e[j] = (O)(s->begin[owner] + (k - s->before[owner]));
            }
            look(w, depth, u, e, on, to, mine);
        }
    }
}

/* Lanes for a short span: as many as there are for all, at least 1. */
static __device__ __forceinline__ int lanes_each(int32_t count) {
    int width = FRI_WARP;
    while (width > 1 && (int64_t)count * width > (int64_t)team_warps() * FRI_WARP)
        width /= 2;
    return width;
}

/* The team: one level from a queue to the next frontier; settle must follow. */
template <class O>
static __device__ void push(const world<O> &w, int32_t depth, int32_t entries, shelf<O> *s,
                            finds<O> *to, tally<O> *mine) {
    const span *queue = w.queue[depth & 1];
    if ((w.parts & PART_EVEN) && w.widest > (uint32_t)SHORT)
        push_even(w, depth, queue, entries, s, to, mine);
    else
        push_short(w, depth, queue, entries, lanes_each(entries), to, mine);
}

#endif
