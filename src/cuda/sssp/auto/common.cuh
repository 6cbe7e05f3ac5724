/* What all parts of SSSP `auto` on the GPU share: pending vertices, the round's counters, its plan.
 */
#ifndef FRI_CUDA_SSSP_AUTO_COMMON_CUH
#define FRI_CUDA_SSSP_AUTO_COMMON_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

#include <limits.h>

static const int GRID_THREADS = 512, PHASES = 3;
/* CHUNK_EDGES: most edges of a part. Rows of up to BLOCK_CHUNKS parts are for the block that met them,
 * longer ones for the whole chip. On an H200 64 was faster than 128 or 256, 16 faster than 0, 4 or
 * 64 (docs/performance-notes.md). NO_KEY: no key. */
enum { CHUNK_EDGES = 64, BLOCK_CHUNKS = 16 };
static const long long NO_KEY = LLONG_MAX;
/* A pile of so many times what blocks may have pending is for the chip. */
static const int FAR_PILE_FACTOR = 8;
/* Small worlds: rounds before the pile runs over (measured counts: 5 to 20), and sweeps until few
 * vertices are pending (4 to 6). */
static const int EARLY_ROUNDS = 32, MAX_PULLS = 10;
/* LINE_BYTES: bytes of a line of memory. Of desk.sums the least keys near and far, then edges. */
enum { LINE_BYTES = 128, MIN_KEYS = 2, EDGE_SUM = 2 };

namespace { /* types of this file alone: the counting twin's differ */

/* A vertex whose fall to d has not been passed on. Stale once its distance is another. */
template <class K> struct alignas(2 * sizeof(K)) entry {
    K d, v; /* v as wide as d: no gaps, which nobody writes */
};

/* The same for at most CHUNK_EDGES edges of a vertex that has many, so that no warp walks a hub alone. */
struct edge_chunk {
    int64_t begin, d;
    int32_t v, count;
};

/* What a round leaves for the next one; three take turns: read, written, cleared. Counts may be
 * above the room there is: what found none is looked for among all vertices. Lines of their own,
 * as atomics on one line wait for each other. */
struct round_counters {
    alignas(LINE_BYTES) long long near_min; /* keys of what was put near, and far; NO_KEY */
    alignas(LINE_BYTES) long long far_min;
    alignas(LINE_BYTES) unsigned long long near_count;
    alignas(LINE_BYTES) unsigned long long chunk_count;
    alignas(LINE_BYTES) unsigned long long far_count;
    alignas(LINE_BYTES) unsigned long long edges;
};

/* Carried from round to round and launch to launch, the same in all threads. */
struct sssp_state {
    double delta;                 /* how far the window's end moves */
    unsigned long long far_count; /* entries on the pile */
    long long window_end,
        previous_end; /* keys up to `last` are near; what it was in the last round */
    long long near_min, far_min, lower_bound; /* floor: nothing below it was pending */
    int32_t round, far_index;
    int32_t consumed; /* the slot of the coming round is accounted for */
    int32_t window_moved, overflowed,
        block_local;            /* this round: window moved; pile ran over; blocks' own queues */
    int32_t scans_all;          /* near ran over: look at all vertices from near_min on */
    int32_t pulls, window_open; /* this round pulls; one has: all is near from then on */
    int32_t pull_rounds;        /* so far */
    int32_t gathers,
        redistributes; /* this round gathers; it passes on what the last one gathered */
};

struct device_control {
    round_counters counters[PHASES];
    sssp_state s;
};

/* Where all blocks put what is near, or far: `room` entries, those from `base` on by *count. */
template <class K> struct queue_ref {
    entry<K> *entries;
    unsigned long long *count, base, capacity;
};

/* A block's copy of what all know, and what its threads bring together. */
template <class T> struct block_round {
    typedef typename T::K K;
    sssp_state s;
    round_counters now, *next;
    queue_ref<K> near, far;
    edge_chunk *chunks;
    K window_end;    /* keys up to it are near */
    bool more;       /* there is another round */
    bool overflowed; /* the pile ran over: finds beyond `last` are left to the search */
    long long totals[MIN_KEYS + 1];
    unsigned long long base[2]; /* places of what the block hands in */
    int tails[PHASES + 1];      /* of its queues */
    int chunks_tail;            /* of its own parts */
};

/* What a round was, for `--explain`. */
struct round_trace {
    unsigned long long frontier, edges, began; /* edges: of the round before */
    int32_t method, unused;
};

/* A kernel's arguments: fixed, so that they stay in constant memory. */
template <class T> struct sssp_params {
    typedef typename T::K K;
    fri_sssp_view<T> view;
    entry<K> *near_queue[2], *far_pile[2]; /* by round modulo 2; by state.pile */
    edge_chunk *chunks[2];
    unsigned long long near_capacity, far_capacity, chunk_capacity;
    unsigned long long advance_below, halve_above, blocks_max, shrink_above; /* entries: see plan */
    double min_delta, max_delta;
    unsigned long long
        *packed_parents; /* [n] (key, parent) in one word, the least of all; or NULL */
    device_control *control;
    round_trace *trace; /* [FRI_GPU_MAX_LEVELS + 1] of this launch's rounds, and its end; or NULL */
    const int32_t *tile_row; /* [tiles] see pull.cuh */
    int64_t tiles;
    unsigned long long
        pull_above; /* pending vertices above which a round pulls; ULLONG_MAX: never */
    int32_t max_rounds, hops, lanes, adapts, tests, block_queue_limit;
    int32_t weight_shift; /* weight = targets[e] >> shift; 0: weights have words of their own */
};

/* A thread's share of the counters: least keys of the round, the rest of the whole launch. */
template <class T> struct thread_counters {
    typename T::K near_min, far_min;         /* or far() */
    unsigned edges, relaxed, reported_edges; /* told: edges of the rounds before */
};

} // namespace

enum { METHOD_BLOCKS, METHOD_GRID, METHOD_BLOCKS_MOVED, METHOD_GRID_MOVED, METHOD_PULL };

/* Warps are numbered across blocks first, so that a thin frontier spreads over the chip. */
static __device__ __forceinline__ unsigned grid_warp() {
    return threadIdx.x / FRI_WARP * gridDim.x + blockIdx.x;
}
static __device__ __forceinline__ unsigned grid_warps() {
    return gridDim.x * (blockDim.x / FRI_WARP);
}

/* v fell to `sum` by way of u. One atomic settles which of several parents goes with the least key;
 * nobody waits for it. Keys of 64 bits leave no room for a parent. */
template <class T>
static __device__ __forceinline__ void record_parent(const sssp_params<T> &p, int32_t v,
                                                     typename T::K sum, int32_t u) {
    if (sizeof sum == 4 && p.packed_parents)
        atomicMin(&p.packed_parents[v], (unsigned long long)sum << 32 | (uint32_t)u);
}

static __device__ __forceinline__ long long min_key(long long a, long long b) {
    return a < b ? a : b;
}

/* One thread, while nobody reads or writes it: a slot of `count` vertices. */
static __device__ void reset_counters(round_counters *s, unsigned long long count) {
    fri_racy_store(&s->near_min, count ? 0 : NO_KEY); /* racy: none; each field by itself */
    fri_racy_store(&s->far_min, NO_KEY);
    fri_racy_store(&s->near_count, count);
    fri_racy_store(&s->chunk_count, 0ull);
    fri_racy_store(&s->far_count, 0ull);
    fri_racy_store(&s->edges, 0ull);
}

/* What the last round left, added to what was known; false: nothing is pending. One thread of each
 * block; all come to the same answer, as they do in plan. */
template <class T>
static __device__ bool accumulate(const sssp_params<T> &p, sssp_state *s,
                                  const round_counters &now) {
    s->near_min = now.near_count || now.chunk_count ? now.near_min : NO_KEY;
    s->far_count = (s->window_moved ? 0 : s->far_count) + now.far_count;
    s->far_min = s->window_moved ? now.far_min : min_key(s->far_min, now.far_min);
    s->overflowed |= s->far_count > p.far_capacity;
    return s->near_min != NO_KEY || s->far_min != NO_KEY;
}

/* What the coming round does. The window moves on when less than `low` is left of it, by twice as
 * much when it had to move in the round before too, by half when `high` are in it at once. It
 * shrinks to half while more than `crowd` are pending: what falls out of it goes onto the pile.
 * What a search has gathered is no crowd, and with the round that passes it on counts as one.
 * Once the pile has run over, and early, most vertices have been reached; pulling takes over where
 * it can.
 */
template <class T>
static __device__ void plan_round(const sssp_params<T> &p, sssp_state *s,
                                  const round_counters &now) {
    unsigned long long left = now.near_count + now.chunk_count;
    bool gathered = s->window_moved && s->gathers, grows = s->window_moved || s->redistributes;
    s->redistributes = gathered;
    s->gathers = 0;
    s->scans_all = now.near_count > p.near_capacity || now.chunk_count > p.chunk_capacity;
    bool many = s->window_open ? left > p.pull_above : s->overflowed && s->round < EARLY_ROUNDS;
    s->pulls = p.pull_above != ULLONG_MAX && many && s->pull_rounds < MAX_PULLS;
    if (s->pulls) {
        s->lower_bound = min_key(s->near_min, s->far_min);
        s->window_open = 1;
        s->pull_rounds++;
        s->window_end = T::far() - 1;
        s->far_min = NO_KEY;
        s->window_moved = s->block_local = s->scans_all = 0;
        return;
    }
    if (s->window_open &&
        many) { /* no small world: a window from the least pending one, and no queue */
        s->far_min = s->near_min;
        s->window_end = s->near_min - 1;
        s->window_open = 0;
        s->scans_all = s->overflowed = 1;
        left = 0;
    }
    if (left > p.shrink_above && !gathered && !s->scans_all && !s->window_open &&
        s->window_end > s->near_min) {
        double width =
            T::value((typename T::K)s->window_end) - T::value((typename T::K)s->near_min);
        s->delta = width / 2 > p.min_delta ? width / 2 : p.min_delta;
        s->window_end = min_key(s->window_end, T::add_width((typename T::K)s->near_min, s->delta));
        grows = false;
    }
    s->previous_end = s->window_end;
    if (p.adapts && grows && !gathered && left > p.halve_above)
        s->delta = s->delta / 2 > p.min_delta ? s->delta / 2 : p.min_delta;
    s->window_moved = s->far_min != NO_KEY && (left < p.advance_below || left == 0);
    if (s->window_moved) {
        if (p.adapts && grows)
            s->delta = 2 * s->delta < p.max_delta ? 2 * s->delta : p.max_delta;
        s->window_end = T::add_width((typename T::K)s->far_min, s->delta);
        s->far_index ^= 1; /* what stays far is written to the other one */
        s->gathers = s->overflowed;
    }
    s->block_local =
        p.hops > 0 && !s->scans_all && left <= p.blocks_max &&
        !(s->window_moved && (s->overflowed || s->far_count > FAR_PILE_FACTOR * p.blocks_max));
}

/* One thread of each block. */
template <class T>
static __device__ void trace_round(const sssp_params<T> &p, int32_t at, const sssp_state &s,
                                   const round_counters &now) {
    if (!p.trace || blockIdx.x)
        return;
    p.trace[at] = {now.near_count + now.chunk_count + (s.window_moved ? s.far_count : 0), now.edges,
                   fri_clock_ns(),
                   s.pulls         ? METHOD_PULL
                   : s.block_local ? (s.window_moved ? METHOD_BLOCKS_MOVED : METHOD_BLOCKS)
                                   : (s.window_moved ? METHOD_GRID_MOVED : METHOD_GRID),
                   0};
}

/* One thread of each block: where the coming round's finds go. */
template <class T>
static __device__ void begin_block_round(const sssp_params<T> &p, block_round<T> *round) {
    const sssp_state &s = round->s;
    int next = (s.round + 1) & 1;
    round->next = &p.control->counters[(s.round + 1) % PHASES];
    round->near = {p.near_queue[next], &round->next->near_count, 0, p.near_capacity};
    round->far = {p.far_pile[s.far_index], &round->next->far_count,
                  s.window_moved ? 0 : s.far_count, p.far_capacity};
    round->chunks = p.chunks[next];
    round->window_end = (typename T::K)s.window_end;
    round->overflowed = s.overflowed != 0;
    for (int i = 0; i <= MIN_KEYS; i++)
        round->totals[i] = i < MIN_KEYS ? NO_KEY : 0;
    for (int i = 0; i <= PHASES; i++)
        round->tails[i] = 0;
    round->chunks_tail = 0;
}

/* All threads of the block, after a barrier of the grid: what the coming round does, in shared
 * memory; false: there is none. One thread reads what other SMs wrote before the barrier: reads of
 * one place queue up in L2. */
template <class T>
static __device__ bool begin_round(const sssp_params<T> &p, int32_t done, block_round<T> *round) {
    if (threadIdx.x == 0) {
        const round_counters *s = &p.control->counters[round->s.round % PHASES];
        round->now = {
            fri_racy_load(&s->near_min),   fri_racy_load(&s->far_min),
            fri_racy_load(&s->near_count), fri_racy_load(&s->chunk_count),
            fri_racy_load(&s->far_count),  fri_racy_load(&s->edges)}; /* racy: none; past L1 */
        round->more =
            (round->s.consumed || accumulate(p, &round->s, round->now)) && done < p.max_rounds;
        round->s.consumed = !round->more;
        if (round->more)
            plan_round(p, &round->s, round->now);
        trace_round(p, done, round->s, round->now);
        begin_block_round(p, round);
    }
    __syncthreads(); /* the plan is made */
    return round->more;
}

#endif
