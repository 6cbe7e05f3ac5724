/* Levels of few edges within a launch of `auto`'s grid, on graphs as those of auto_hot.cuh: its
 * first block takes them one after the other, the frontier in its shared memory and claims in L2,
 * while all others wait at the grid's barrier. Such a level needs no queue in memory, no counters
 * there, no barrier of the grid and no policy.
 *
 * What a warp finds gets its place and the place of its edges among all of the frontier's with one
 * atomic, so that the next level's edges are dealt out evenly to the threads without sums.
 */
#ifndef FRI_AUTO_SOLO_CUH
#define FRI_AUTO_SOLO_CUH

#include "cuda/bfs/auto_choice.cuh"
#include "cuda/bfs/auto_queue.cuh"

enum { SOLO_BITS = 20 }; /* of a count's low part */
static_assert(SOLO_EDGES < 1 << (32 - SOLO_BITS) && SOLO_EDGES * SPAN < 1 << SOLO_BITS,
              "a level's finds fit a count");

namespace {
/* What the block knows of a frontier; one of these by turn, as the slots. */
template <class O> struct solo_count {
    edge_sum<O> edges; /* of all */
    uint32_t held;     /* vertices with their edges here, above SOLO_BITS; and these edges */
    int32_t over;      /* spans of others, which are in the queue */
    int32_t vertices, unused;
};

/* Frontiers by depth modulo 2; a vertex has at most a span of edges. */
template <class O> struct solo_room {
    O begin[2][SOLO_ROOM];
    int32_t v[2][SOLO_ROOM];
    int32_t before[2][SOLO_ROOM + 1]; /* edges of those before */
};
} // namespace

/* Of a count's `held`: vertices, those that there was room for, and edges. */
static __device__ __forceinline__ int vertices_of(uint32_t held) {
    return (int)(held >> SOLO_BITS);
}
static __device__ __forceinline__ int room_of(uint32_t held) {
    return FRI_MIN(vertices_of(held), (int)SOLO_ROOM);
}
static __device__ __forceinline__ int edges_of(uint32_t held) {
    return (int)(held & ((1u << SOLO_BITS) - 1));
}

/* Whole warp: the lanes' vertices with their edges, those with `least` or more, into the frontier
 * of that depth; hubs and what finds no room as spans into the queue. */
template <class O>
static __device__ __forceinline__ void put(const world<O> &w, solo_room<O> *room, solo_count<O> *to,
                                           int32_t depth, const int32_t *v, const O *begin,
                                           const O *degree, O least) {
    const int one = depth & 1;
    unsigned mine[AT_ONCE], sum = 0, all;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        const bool fits = degree[j] >= least && degree[j] <= (O)SPAN;
        mine[j] = sum;
        sum += fits ? (1u << SOLO_BITS) + (unsigned)degree[j] : 0;
    }
    unsigned base = fri_warp_sum(sum, &all);
    unsigned first = 0;
    if (fri_lane() == 0 && all) /* the block's warps add */
        first = atomicAdd(&to->held, all);
    base += __shfl_sync(FRI_FULL, first, 0);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        const int at = vertices_of(base + mine[j]);
        const bool fits = degree[j] <= (O)SPAN;
        if (degree[j] < least)
            continue;
        if (fits && at <= SOLO_ROOM)
            room->before[one][at] = edges_of(base + mine[j]);
        if (fits && at < SOLO_ROOM) {
            room->v[one][at] = v[j];
            room->begin[one][at] = begin[j];
            continue;
        }
        const int spans = spans_of(degree[j]);
        span *queue = w.queue[one] + atomicAdd(&to->over, spans); /* as above */
        FRI_ROLLED
        for (int i = 0; i < spans; i++)
            queue[i] = nth_span(v[j], begin[j], degree[j], i);
    }
}

/* All threads of the block: one level; a barrier must follow. */
template <class O>
static __device__ __forceinline__ void solo_level(const world<O> &w, solo_room<O> *room,
                                                  const solo_count<O> &now, int32_t depth,
                                                  solo_count<O> *next) {
    const int one = depth & 1, held = room_of(now.held), edges = edges_of(now.held);
    const int threads = (int)blockDim.x;
    const O least = least_edges(w, depth + 1);
    tally<O> mine = {0, 0, 0};
    for (int k0 = (int)threadIdx.x; k0 - fri_lane() < edges; k0 += AT_ONCE * threads) {
        int32_t u[AT_ONCE], v[AT_ONCE];
        uint32_t answer[AT_ONCE];
        O begin[AT_ONCE], degree[AT_ONCE];
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            const int k = k0 + j * threads, owner = fri_owner(room->before[one], held, k);
            u[j] = room->v[one][owner];
            v[j] = k < edges
                       ? w.out.targets[room->begin[one][owner] + (O)(k - room->before[one][owner])]
                       : -1;
            FRI_COUNT(w.out, FR_COUNT_EDGES, k < edges);
            FRI_COUNT(w.out, FR_COUNT_ATOMICS, k < edges);
        }
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            answer[j] = v[j] >= 0 ? try_for(w, v[j], depth) : FRI_FULL;
            begin[j] = v[j] >= 0 ? w.out.offsets[v[j]] : 0;
            degree[j] = v[j] >= 0 ? w.out.offsets[v[j] + 1] : 0;
        }
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            const bool fresh = v[j] >= 0 && won(w, v[j], answer[j], depth);
            degree[j] = fresh ? degree[j] - begin[j] : 0;
            if (!fresh)
                continue;
            FRI_COUNT(w.out, FR_COUNT_ENQUEUES, degree[j] >= least);
            if (w.parent)
                w.parent[v[j]] = u[j];
            fri_prefetch(&w.out.targets[begin[j]]);
            mine.vertices++;
            mine.edges += (edge_sum<O>)degree[j];
        }
        if (__any_sync(FRI_FULL, degree[0] || degree[1]))
            put(w, room, next, depth + 1, v, begin, degree, least);
    }
    if (!__any_sync(FRI_FULL, mine.vertices))
        return;
    const int32_t vertices = (int32_t)warp_total((unsigned)mine.vertices);
    const edge_sum<O> sum = warp_total(mine.edges);
    if (fri_lane() == 0) { /* the block's warps add */
        atomicAdd(&next->vertices, vertices);
        atomicAdd(&next->edges, sum);
    }
}

/* All threads of the block: the frontier from the queue. */
template <class O>
static __device__ __forceinline__ void get(const world<O> &w, solo_room<O> *room, solo_count<O> *to,
                                           int32_t depth, int32_t entries) {
    for (int32_t i = (int32_t)threadIdx.x; i - fri_lane() < entries; i += (int32_t)blockDim.x) {
        const span from = i < entries ? w.queue[depth & 1][i] : span{0, 0, 0};
        const int32_t v[AT_ONCE] = {from.v};
        const O begin[AT_ONCE] = {(O)from.begin}, degree[AT_ONCE] = {(O)from.count};
        put(w, room, to, depth, v, begin, degree, (O)1);
    }
}

/* All threads of the block: what is held into the queue, behind what is there. */
template <class O>
static __device__ __forceinline__ void give(const world<O> &w, solo_room<O> *room,
                                            const solo_count<O> &now, int32_t depth) {
    const int one = depth & 1, held = room_of(now.held);
    if (threadIdx.x == 0 && vertices_of(now.held) == held)
        room->before[one][held] = edges_of(now.held);
    __syncthreads(); /* where the last one's edges end is known */
    for (int i = (int)threadIdx.x; i < held; i += (int)blockDim.x) {
        const int32_t count = room->before[one][i + 1] - room->before[one][i];
        w.queue[one][now.over + i] = {room->v[one][i], count, (int64_t)room->begin[one][i]};
    }
}

/* Whether a frontier's next level is for the block. */
template <class O> static __device__ __forceinline__ bool goes_on(const solo_count<O> &now) {
    return now.vertices && !now.over && is_solo(vertices_of(now.held), now.edges);
}

/* All threads of the first block: levels from s.depth on, to_do's, while they have few edges. The
 * frontier behind them is the next one of the grid, as if they were one level. */
template <class O>
static __device__ void take_solo(const world<O> &w, const state &s, const choice &to_do,
                                 solo_room<O> *room) {
    FRI_SHARED(solo_count<O>, counts, SLOTS);
    const int32_t most = w.most - to_do.done + 1;
    int32_t levels = 0, seen = 0;
    unsigned long long explored = 0, looked = 0;
    if (threadIdx.x == 0)
        counts[0] = counts[1] = {0, 0, 0, 0, 0};
    __syncthreads(); /* nothing is held yet */
    get(w, room, &counts[0], s.depth, to_do.entries);
    if (threadIdx.x == 0) {
        counts[0].vertices = to_do.vertices;
        counts[0].edges = to_do.edges;
    }
    __syncthreads(); /* the frontier is there */
    solo_count<O> now = counts[0];
    do {
        if (threadIdx.x == 0) /* nobody reads or writes this now */
            counts[(levels + 2) % SLOTS] = {0, 0, 0, 0, 0};
        tell(w, to_do.done - 1 + levels, {now.edges, now.vertices, 0, 0, 0}, WAY_SOLO, 0);
        solo_level(w, room, now, s.depth + levels, &counts[(levels + 1) % SLOTS]);
        looked += (unsigned)edges_of(now.held);
        __syncthreads(); /* the level is complete */
        now = counts[++levels % SLOTS];
        seen += now.vertices;
        explored += now.edges;
    } while (levels < most && goes_on(now));
    give(w, room, now, s.depth + levels);
    if (threadIdx.x)
        return;
    w.c->turn[(s.turn + 1) % SLOTS] = {now.edges, now.vertices, now.over + room_of(now.held), 0, 0};
    w.c->taken = {levels, seen - now.vertices, explored - now.edges};
    atomicAdd(&w.c->examined, looked); /* alone, but past L1 */
}

/* One thread of each block, after the grid's barrier. */
template <class O> static __device__ void come_back(const world<O> &w, choice *c) {
    const loner *its = &w.c->taken;
    c->levels = fri_racy_load(&its->levels); /* racy: past L1, here and below */
    c->seen += fri_racy_load(&its->vertices);
    c->explored += fri_racy_load(&its->edges);
    c->done += c->levels - 1;
}

/* All threads: levels from s's on, as chosen; s is of the one behind them then. */
template <class O>
static __device__ void levels_solo(const world<O> &w, state *s, choice *mind, solo_room<O> *room) {
    if (blockIdx.x == 0)
        take_solo(w, *s, *mind, room);
    fri_grid_sync(); /* they are complete */
    if (threadIdx.x == 0)
        come_back(w, mind);
    __syncthreads(); /* all know how many they are; nobody chooses yet */
    s->depth += mind->levels;
    s->turn = (s->turn + 1) % SLOTS;
}

#endif
