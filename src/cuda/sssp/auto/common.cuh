/* Definitions shared by all parts of SSSP `auto` on the GPU: pending vertices, the counters of a
 * round, its decision. */
#ifndef FRI_CUDA_SSSP_AUTO_COMMON_CUH
#define FRI_CUDA_SSSP_AUTO_COMMON_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/persistent.cuh"
#include "cuda/prim/scan.cuh"

#include <limits.h>

/* CHUNK_EDGES: maximum edges per chunk. Rows of up to BLOCK_CHUNKS chunks are processed by the
 * block that met them, longer ones by the whole grid. Both are the fastest of the values measured
 * on an H200 (docs/performance.md). NO_KEY: no key. */
enum { CHUNK_EDGES = 64, BLOCK_CHUNKS = 16, SLOT_EDGES = 4 /* see fill_slots_kernel() */ };
static const long long NO_KEY = LLONG_MAX;
/* A far pile of more than this multiple of blocks_max is processed by the whole grid. */
static const int FAR_PILE_FACTOR = 8;
/* Small-world graphs: maximum rounds before the pile overflows (measured: 5 to 20), and maximum
 * pull sweeps until few vertices are pending (measured: 4 to 6). */
static const int EARLY_ROUNDS = 32, MAX_PULLS = 10;
/* Values of the knob `test`: rounds in which a relaxation compares with the current distance before
 * its atomic. */
enum { COMPARE_NEVER, COMPARE_ON_GRID, COMPARE_ALWAYS };
/* A block's near queues: a hop reads one and fills the next, while the third is cleared. Indices of
 * block_round.tails: hop modulo HOP_QUEUES, then the far queue's. */
enum { HOP_QUEUES = 3, FAR_TAIL = HOP_QUEUES, TAIL_COUNT };
/* LINE_BYTES: bytes of a cache line. Indices of block_round.totals: first the smallest keys near
 * and far, then edges, and edges into vertices reached first. */
enum { LINE_BYTES = 128, MIN_KEYS = 2, EDGE_SUM = 2, REACHED_SUM, TOTAL_COUNT };

namespace { /* internal linkage */

/* A vertex whose decrease to d has not been relaxed yet. Stale if its distance is no longer d. */
template <class K> struct alignas(2 * sizeof(K)) entry {
    K d, v; /* v is as wide as d, so that there is no uninitialized padding */
};

/* The same for at most CHUNK_EDGES edges of a high-degree vertex, so that no warp processes a hub
 * alone. In windows.cuh also a tile of a sorted row; v < 0: of ~v, whose row continues. */
struct chunk_entry {
    int64_t begin, d;
    int32_t v, count;
};

/* What a round leaves for the next one. Counts may exceed the capacity: entries that do not fit are
 * found by a scan of all distances. Each counter has its own cache line, as atomics on one line are
 * serialized. */
struct round_counters {
    alignas(LINE_BYTES) long long near_min; /* smallest keys put near, and far; NO_KEY */
    alignas(LINE_BYTES) long long far_min;
    alignas(LINE_BYTES) unsigned long long near_count;
    alignas(LINE_BYTES) unsigned long long chunk_count;
    alignas(LINE_BYTES) unsigned long long far_count;
    alignas(LINE_BYTES) unsigned long long edges;
    alignas(LINE_BYTES) unsigned long long reached_edges; /* windows: into vertices reached first */
};

/* Carried from round to round and launch to launch, the same in all threads. */
struct sssp_state {
    double delta;                 /* how far the end of the window advances */
    unsigned long long far_count; /* entries on the pile */
    long long window_end;         /* keys up to it are near */
    long long previous_end;       /* window_end of the previous round */
    long long near_min, far_min;  /* smallest pending keys near and far; NO_KEY */
    long long lower_bound;        /* no smaller key is pending; in windows.cuh see pull_part() */
    int32_t round, far_index;     /* far_index: the pile that this round appends to */
    /* the counters that the next round reads are already added to this state: the launch before had
     * no rounds left and ended after accumulate() */
    int32_t counters_added;
    int32_t window_moved;     /* this round: the window advances, so the far pile is filtered */
    int32_t overflowed;       /* the far pile overflowed: it is replaced by scans of all vertices */
    int32_t block_local;      /* this round: each block continues alone from queues of its own */
    int32_t scans_all;        /* this round: near overflowed; scans all vertices from near_min on */
    int32_t pulls;            /* this round pulls */
    int32_t window_unbounded; /* since the last pull: all keys are near */
    int32_t pull_rounds;      /* pull rounds so far */
    int32_t gathers;          /* this round finds its far vertices by a scan and queues them */
    int32_t relaxes_gathered; /* this round relaxes what the previous one queued in this way */
    /* windows.cuh */
    long long range_from;            /* where the window ended before it moved */
    long long unreached_edges;       /* into vertices that are not reached */
    unsigned long long window_edges; /* examined since the window moved */
    int32_t stage;                   /* a STAGE_* */
    int32_t windows;                 /* so far */
    /* this round lists the tiles of rows that the next one pushes; the last one has */
    int32_t lists_tiles, tiles_listed;
};

struct sssp_control {
    round_counters counters[FRI_PHASES];
    sssp_state s;
};

/* Where all blocks append near, or far, entries: `capacity` entries, reserved from `base` on by
 * *count. */
template <class K> struct queue_ref {
    entry<K> *entries;
    unsigned long long *count, base, capacity;
};

/* A block's copy of the global state, and the totals of its threads. */
template <class T> struct block_round {
    typedef typename T::K K;
    sssp_state s;
    round_counters now, *next;
    queue_ref<K> near, far;
    chunk_entry *chunks;
    K window_end;    /* keys up to it are near */
    bool more;       /* there is another round */
    bool overflowed; /* the pile overflowed: entries beyond window_end are left to the scan */
    long long totals[TOTAL_COUNT];
    unsigned long long base[2]; /* first positions of the block's near and far entries */
    int tails[TAIL_COUNT];      /* sizes of its queues: three hops in turn, then FAR_TAIL */
    int chunks_tail[2];         /* of its own chunks; the second in windows.cuh alone */
};

/* Kernel arguments: constant, so that they stay in constant memory. */
template <class T> struct sssp_params {
    typedef typename T::K K;
    fri_sssp_view<T> view;
    entry<K> *near_queue[2], *far_pile[2]; /* by round modulo 2; by far_index */
    chunk_entry *chunks[2];
    unsigned long long near_capacity, far_capacity, chunk_capacity;
    /* entries: see decide_round */
    unsigned long long advance_below, halve_above, blocks_max, shrink_above;
    double min_delta, max_delta;
    unsigned long long
        *packed_parents; /* [n] (key, parent) in one word, the smallest of all; or NULL */
    sssp_control *control;
    fri_level_record *trace;       /* this launch's rounds, and its end; or NULL */
    const int64_t *in_offsets;     /* [n + 1] windows: of the in-edges */
    const int32_t *tile_first_row; /* [tiles] see pull.cuh */
    int64_t tiles;
    unsigned long long
        pull_above; /* pending vertices above which a round pulls; ULLONG_MAX: never */
    int32_t max_rounds;
    int32_t hops;                  /* knob */
    int32_t log2_lanes;            /* block-local rounds: 1 << log2_lanes lanes share a row */
    int32_t adapts;                /* knob */
    int32_t compare_before_atomic; /* knob `test`: a COMPARE_* */
    int32_t block_queue_limit;     /* knob */
    int32_t streams;               /* knob `slots`: the rows are slots that exceed the cache */
    double pull_factor;            /* knob `pull` */
    int32_t max_windows;           /* knob `windows` */
};

/* A thread's counters: smallest keys of the round, the others for the whole launch. */
template <class T> struct thread_counters {
    typename T::K near_min, far_min;         /* or unreached() */
    unsigned edges, relaxed, reported_edges; /* reported_edges: edges of previous rounds */
    unsigned long long reached_edges; /* windows: into vertices reached first in this round */
};

} // namespace

enum {
    METHOD_BLOCKS,
    METHOD_GRID,
    METHOD_BLOCKS_MOVED,
    METHOD_GRID_MOVED,
    METHOD_PULL,
    METHOD_WINDOW,
    METHOD_WINDOW_MOVED,
    METHOD_CORRECT,
    METHOD_REST
};

/* v was lowered to `sum` via u. One atomic selects the parent that belongs to the smallest key;
 * nothing waits for its result. Keys of 64 bits leave no bits for a parent. */
template <class T>
static __device__ __forceinline__ void record_parent(const sssp_params<T> &p, int32_t v,
                                                     typename T::K sum, int32_t u) {
    if (sizeof sum == 4 && p.packed_parents)
        atomicMin(&p.packed_parents[v], (unsigned long long)sum << 32 | (uint32_t)u);
}

static __device__ __forceinline__ long long min_key(long long a, long long b) {
    return a < b ? a : b;
}

/* One thread, while no other reads or writes them: resets the counters of a phase to `count`
 * pending vertices. The stores are volatile so that each field is written by an instruction of its
 * own. */
static __device__ void reset_counters(round_counters *s, unsigned long long count) {
    fri_volatile_store(&s->near_min, count ? 0 : NO_KEY);
    fri_volatile_store(&s->far_min, NO_KEY);
    fri_volatile_store(&s->near_count, count);
    fri_volatile_store(&s->chunk_count, 0ull);
    fri_volatile_store(&s->far_count, 0ull);
    fri_volatile_store(&s->edges, 0ull);
    fri_volatile_store(&s->reached_edges, 0ull);
}

/* Adds what the previous round left to the state; false: nothing is pending. One thread of each
 * block; all compute the same result, as in decide_round. */
template <class T>
static __device__ bool accumulate(const sssp_params<T> &p, sssp_state *s,
                                  const round_counters &now) {
    s->near_min = now.near_count || now.chunk_count ? now.near_min : NO_KEY;
    s->far_count = (s->window_moved ? 0 : s->far_count) + now.far_count;
    s->far_min = s->window_moved ? now.far_min : min_key(s->far_min, now.far_min);
    s->overflowed |= s->far_count > p.far_capacity;
    return s->near_min != NO_KEY || s->far_min != NO_KEY;
}

/* Decides the next round. The window advances when fewer than advance_below vertices are left in
 * it, by twice as much if it advanced in the previous round too, by half if halve_above are in it
 * at once. It shrinks to half while more than shrink_above are pending: vertices beyond it move to
 * the pile. Vertices gathered by a scan cause neither, and the round that gathers counts as one
 * with the round that relaxes what it gathered. Once the pile has overflowed in an early round,
 * most vertices have been reached; the following rounds pull if the graph allows it. */
template <class T>
static __device__ void decide_round(const sssp_params<T> &p, sssp_state *s,
                                    const round_counters &now) {
    unsigned long long left = now.near_count + now.chunk_count;
    bool gathered = s->window_moved && s->gathers, grows = s->window_moved || s->relaxes_gathered;
    s->relaxes_gathered = gathered;
    s->gathers = 0;
    s->scans_all = now.near_count > p.near_capacity || now.chunk_count > p.chunk_capacity;
    bool many =
        s->window_unbounded ? left > p.pull_above : s->overflowed && s->round < EARLY_ROUNDS;
    s->pulls = p.pull_above != ULLONG_MAX && many && s->pull_rounds < MAX_PULLS;
    if (s->pulls) {
        s->lower_bound = min_key(s->near_min, s->far_min);
        s->window_unbounded = 1;
        s->pull_rounds++;
        s->window_end = T::unreached() - 1;
        s->far_min = NO_KEY;
        s->window_moved = s->block_local = s->scans_all = 0;
        return;
    }
    /* not a small-world graph: a window from the smallest pending key, and no queue */
    if (s->window_unbounded && many) {
        s->far_min = s->near_min;
        s->window_end = s->near_min - 1;
        s->window_unbounded = 0;
        s->scans_all = s->overflowed = 1;
        left = 0;
    }
    if (left > p.shrink_above && !gathered && !s->scans_all && !s->window_unbounded &&
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
    /* a scan of all vertices does not filter the pile: without an overflow of it the window stays */
    s->window_moved = s->far_min != NO_KEY && (left < p.advance_below || left == 0) &&
                      (!s->scans_all || s->overflowed);
    if (s->window_moved) {
        if (p.adapts && grows)
            s->delta = 2 * s->delta < p.max_delta ? 2 * s->delta : p.max_delta;
        s->window_end = T::add_width((typename T::K)s->far_min, s->delta);
        s->far_index ^= 1; /* vertices that stay far are written to the other pile */
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
    const unsigned long long frontier =
        now.near_count + now.chunk_count + (s.window_moved ? s.far_count : 0);
    fri_trace_level(p.trace, at, frontier, 0,
                    s.pulls         ? METHOD_PULL
                    : s.block_local ? (s.window_moved ? METHOD_BLOCKS_MOVED : METHOD_BLOCKS)
                                    : (s.window_moved ? METHOD_GRID_MOVED : METHOD_GRID),
                    0);
    if (at)
        fri_trace_edges_before(p.trace, at, now.edges);
}

/* One thread of each block: where the next round's entries are appended. */
template <class T>
static __device__ void begin_block_round(const sssp_params<T> &p, block_round<T> *round) {
    const sssp_state &s = round->s;
    int next = (s.round + 1) & 1;
    round->next = &p.control->counters[fri_next_phase(s.round)];
    round->near = {p.near_queue[next], &round->next->near_count, 0, p.near_capacity};
    round->far = {p.far_pile[s.far_index], &round->next->far_count,
                  s.window_moved ? 0 : s.far_count, p.far_capacity};
    round->chunks = p.chunks[next];
    round->window_end = (typename T::K)s.window_end;
    round->overflowed = s.overflowed != 0;
    for (int i = 0; i < TOTAL_COUNT; i++)
        round->totals[i] = i < MIN_KEYS ? NO_KEY : 0;
    for (int i = 0; i < TAIL_COUNT; i++)
        round->tails[i] = 0;
    round->chunks_tail[0] = round->chunks_tail[1] = 0;
}

/* One thread of each block, after a grid barrier: reads what the last round left, and whether there is
 * another one. `done`: rounds of this launch so far. */
template <class T>
static __device__ void read_counters(const sssp_params<T> &p, int32_t done, block_round<T> *round) {
    const round_counters *s = &p.control->counters[round->s.round % FRI_PHASES];
    round->now = {fri_volatile_load(&s->near_min),     fri_volatile_load(&s->far_min),
                  fri_volatile_load(&s->near_count),   fri_volatile_load(&s->chunk_count),
                  fri_volatile_load(&s->far_count),    fri_volatile_load(&s->edges),
                  fri_volatile_load(&s->reached_edges)};
    round->more =
        (round->s.counters_added || accumulate(p, &round->s, round->now)) && done < p.max_rounds;
    round->s.counters_added = !round->more;
}

/* The same, and what the next round does, in shared memory. */
template <class T>
static __device__ void begin_round(const sssp_params<T> &p, int32_t done, block_round<T> *round) {
    read_counters(p, done, round);
    if (round->more)
        decide_round(p, &round->s, round->now);
    trace_round(p, done, round->s, round->now);
    begin_block_round(p, round);
}

#endif
