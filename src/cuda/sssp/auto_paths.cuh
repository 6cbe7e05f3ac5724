/* What all parts of SSSP `auto` on the GPU share: pending vertices, the round's counters, its plan.
 */
#ifndef FRI_AUTO_PATHS_CUH
#define FRI_AUTO_PATHS_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

#include <limits.h>

static const int MOST_THREADS = 512, SLOTS = 3;
/* SPAN: most edges of a part. Rows of up to BLOCK_PARTS parts are for the block that met them,
 * longer ones for the whole chip. On an H200 64 was faster than 128 or 256, 16 faster than 0, 4 or
 * 64 (docs/performance-notes.md). NONE: no key. */
enum { SPAN = 64, BLOCK_PARTS = 16 };
static const long long NONE = LLONG_MAX;
/* A pile of so many times what blocks may have pending is for the chip. */
static const int MOST_PILE = 8;
/* Small worlds: rounds before the pile runs over (measured counts: 5 to 20), and sweeps until few
 * vertices are pending (4 to 6). */
static const int EARLY = 32, MOST_SWEEPS = 10;
/* ALONE: bytes of a line of memory. Of desk.sums the least keys near and far, then edges. */
enum { ALONE = 128, LEASTS = 2, EDGES = 2 };

namespace { /* types of this file alone: the counting twin's differ */

/* A vertex whose fall to d has not been passed on. Stale once its distance is another. */
template <class K> struct alignas(2 * sizeof(K)) entry {
    K d, v; /* v as wide as d: no gaps, which nobody writes */
};

/* The same for at most SPAN edges of a vertex that has many, so that no warp walks a hub alone. */
struct part {
    int64_t begin, d;
    int32_t v, count;
};

/* What a round leaves for the next one; three take turns: read, written, cleared. Counts may be
 * above the room there is: what found none is looked for among all vertices. Lines of their own,
 * as atomics on one line wait for each other. */
struct slot {
    alignas(ALONE) long long near_least; /* keys of what was put near, and far; NONE */
    alignas(ALONE) long long far_least;
    alignas(ALONE) unsigned long long near;
    alignas(ALONE) unsigned long long parts;
    alignas(ALONE) unsigned long long far;
    alignas(ALONE) unsigned long long edges;
};

/* Carried from round to round and launch to launch, the same in all threads. */
struct state {
    double delta;           /* how far the window's end moves */
    unsigned long long far; /* entries on the pile */
    long long last, before; /* keys up to `last` are near; what it was in the last round */
    long long near_least, far_least, floor; /* floor: nothing below it was pending */
    int32_t round, pile;
    int32_t taken;                /* the slot of the coming round is accounted for */
    int32_t raised, lost, narrow; /* this round: window moved; pile ran over; blocks' own queues */
    int32_t all;                  /* near ran over: look at all vertices from near_least on */
    int32_t sweep, open;          /* this round pulls; one has: all is near from then on */
    int32_t sweeps;               /* so far */
    int32_t searched, spread;     /* this round gathers; it passes on what the last one gathered */
};

struct control {
    slot turn[SLOTS];
    state s;
};

/* Where all blocks put what is near, or far: `room` entries, those from `base` on by *count. */
template <class K> struct pool {
    entry<K> *at;
    unsigned long long *count, base, room;
};

/* A block's copy of what all know, and what its threads bring together. */
template <class T> struct desk {
    typedef typename T::K K;
    state s;
    slot now, *next;
    pool<K> near, far;
    part *parts;
    K last;    /* keys up to it are near */
    bool more; /* there is another round */
    bool lost; /* the pile ran over: finds beyond `last` are left to the search */
    long long sums[LEASTS + 1];
    unsigned long long base[2]; /* places of what the block hands in */
    int tails[SLOTS + 1];       /* of its queues */
    int parts_tail;             /* of its own parts */
};

/* What a round was, for `--explain`. */
struct line {
    unsigned long long frontier, edges, began; /* edges: of the round before */
    int32_t way, unused;
};

/* A kernel's arguments: fixed, so that they stay in constant memory. */
template <class T> struct world {
    typedef typename T::K K;
    fri_paths<T> p;
    entry<K> *near[2], *far[2]; /* by round modulo 2; by state.pile */
    part *parts[2];
    unsigned long long near_room, far_room, parts_room;
    unsigned long long low, high, narrow, crowd; /* entries: see plan */
    double least_delta, most_delta;
    unsigned long long *best; /* [n] (key, parent) in one word, the least of all; or NULL */
    control *c;
    line *lines; /* [FRI_GPU_MOST_LEVELS + 1] of this launch's rounds, and its end; or NULL */
    const int32_t *tile_row; /* [tiles] see auto_sweep.cuh */
    int64_t tiles;
    unsigned long long pull; /* pending vertices above which a round pulls; ULLONG_MAX: never */
    int32_t most, hops, width, adapt, test, cut;
    int32_t shift; /* weight = targets[e] >> shift; 0: weights have words of their own */
};

/* A thread's share of the counters: least keys of the round, the rest of the whole launch. */
template <class T> struct tally {
    typename T::K near_least, far_least; /* or far() */
    unsigned edges, relaxed, told;       /* told: edges of the rounds before */
};

} // namespace

enum { WAY_BLOCKS, WAY_CHIP, WAY_BLOCKS_ON, WAY_CHIP_ON, WAY_PULL };

/* Warps are numbered across blocks first, so that a thin frontier spreads over the chip. */
static __device__ __forceinline__ unsigned team_warp() {
    return threadIdx.x / FRI_WARP * gridDim.x + blockIdx.x;
}
static __device__ __forceinline__ unsigned team_warps() {
    return gridDim.x * (blockDim.x / FRI_WARP);
}

/* v fell to `sum` by way of u. One atomic settles which of several parents goes with the least key;
 * nobody waits for it. Keys of 64 bits leave no room for a parent. */
template <class T>
static __device__ __forceinline__ void note_parent(const world<T> &w, int32_t v, typename T::K sum,
                                                   int32_t u) {
    if (sizeof sum == 4 && w.best)
        atomicMin(&w.best[v], (unsigned long long)sum << 32 | (uint32_t)u);
}

static __device__ __forceinline__ long long least_of(long long a, long long b) {
    return a < b ? a : b;
}

/* One thread, while nobody reads or writes it: a slot of `count` vertices. */
static __device__ void begin_slot(slot *s, unsigned long long count) {
    fri_racy_store(&s->near_least, count ? 0 : NONE); /* racy: none; each field by itself */
    fri_racy_store(&s->far_least, NONE);
    fri_racy_store(&s->near, count);
    fri_racy_store(&s->parts, 0ull);
    fri_racy_store(&s->far, 0ull);
    fri_racy_store(&s->edges, 0ull);
}

/* What the last round left, added to what was known; false: nothing is pending. One thread of each
 * block; all come to the same answer, as they do in plan. */
template <class T> static __device__ bool account(const world<T> &w, state *s, const slot &now) {
    s->near_least = now.near || now.parts ? now.near_least : NONE;
    s->far = (s->raised ? 0 : s->far) + now.far;
    s->far_least = s->raised ? now.far_least : least_of(s->far_least, now.far_least);
    s->lost |= s->far > w.far_room;
    return s->near_least != NONE || s->far_least != NONE;
}

/* What the coming round does. The window moves on when less than `low` is left of it, by twice as
 * much when it had to move in the round before too, by half when `high` are in it at once. It
 * shrinks to half while more than `crowd` are pending: what falls out of it goes onto the pile.
 * What a search has gathered is no crowd, and with the round that passes it on counts as one.
 * Once the pile has run over, and early, most vertices have been reached; pulling takes over where
 * it can.
 */
template <class T> static __device__ void plan(const world<T> &w, state *s, const slot &now) {
    unsigned long long left = now.near + now.parts;
    bool gathered = s->raised && s->searched, again = s->raised || s->spread;
    s->spread = gathered;
    s->searched = 0;
    s->all = now.near > w.near_room || now.parts > w.parts_room;
    bool wide = s->open ? left > w.pull : s->lost && s->round < EARLY;
    s->sweep = w.pull != ULLONG_MAX && wide && s->sweeps < MOST_SWEEPS;
    if (s->sweep) {
        s->floor = least_of(s->near_least, s->far_least);
        s->open = 1;
        s->sweeps++;
        s->last = T::far() - 1;
        s->far_least = NONE;
        s->raised = s->narrow = s->all = 0;
        return;
    }
    if (s->open && wide) { /* no small world: a window from the least pending one, and no queue */
        s->far_least = s->near_least;
        s->last = s->near_least - 1;
        s->open = 0;
        s->all = s->lost = 1;
        left = 0;
    }
    if (left > w.crowd && !gathered && !s->all && !s->open && s->last > s->near_least) {
        double width = T::value((typename T::K)s->last) - T::value((typename T::K)s->near_least);
        s->delta = width / 2 > w.least_delta ? width / 2 : w.least_delta;
        s->last = least_of(s->last, T::after((typename T::K)s->near_least, s->delta));
        again = false;
    }
    s->before = s->last;
    if (w.adapt && again && !gathered && left > w.high)
        s->delta = s->delta / 2 > w.least_delta ? s->delta / 2 : w.least_delta;
    s->raised = s->far_least != NONE && (left < w.low || left == 0);
    if (s->raised) {
        if (w.adapt && again)
            s->delta = 2 * s->delta < w.most_delta ? 2 * s->delta : w.most_delta;
        s->last = T::after((typename T::K)s->far_least, s->delta);
        s->pile ^= 1; /* what stays far is written to the other one */
        s->searched = s->lost;
    }
    s->narrow = w.hops > 0 && !s->all && left <= w.narrow &&
                !(s->raised && (s->lost || s->far > MOST_PILE * w.narrow));
}

/* One thread of each block. */
template <class T>
static __device__ void tell(const world<T> &w, int32_t at, const state &s, const slot &now) {
    if (!w.lines || blockIdx.x)
        return;
    w.lines[at] = {now.near + now.parts + (s.raised ? s.far : 0), now.edges, fri_clock_ns(),
                   s.sweep    ? WAY_PULL
                   : s.narrow ? (s.raised ? WAY_BLOCKS_ON : WAY_BLOCKS)
                              : (s.raised ? WAY_CHIP_ON : WAY_CHIP),
                   0};
}

/* One thread of each block: where the coming round's finds go. */
template <class T> static __device__ void open_desk(const world<T> &w, desk<T> *d) {
    const state &s = d->s;
    int next = (s.round + 1) & 1;
    d->next = &w.c->turn[(s.round + 1) % SLOTS];
    d->near = {w.near[next], &d->next->near, 0, w.near_room};
    d->far = {w.far[s.pile], &d->next->far, s.raised ? 0 : s.far, w.far_room};
    d->parts = w.parts[next];
    d->last = (typename T::K)s.last;
    d->lost = s.lost != 0;
    for (int i = 0; i <= LEASTS; i++)
        d->sums[i] = i < LEASTS ? NONE : 0;
    for (int i = 0; i <= SLOTS; i++)
        d->tails[i] = 0;
    d->parts_tail = 0;
}

/* All threads of the block, after a barrier of the grid: what the coming round does, in shared
 * memory; false: there is none. One thread reads what other SMs wrote before the barrier: reads of
 * one place queue up in L2. */
template <class T> static __device__ bool take_stock(const world<T> &w, int32_t done, desk<T> *d) {
    if (threadIdx.x == 0) {
        const slot *s = &w.c->turn[d->s.round % SLOTS];
        d->now = {
            fri_racy_load(&s->near_least), fri_racy_load(&s->far_least),
            fri_racy_load(&s->near),       fri_racy_load(&s->parts),
            fri_racy_load(&s->far),        fri_racy_load(&s->edges)}; /* racy: none; past L1 */
        d->more = (d->s.taken || account(w, &d->s, d->now)) && done < w.most;
        d->s.taken = !d->more;
        if (d->more)
            plan(w, &d->s, d->now);
        tell(w, done, d->s, d->now);
        open_desk(w, d);
    }
    __syncthreads(); /* the plan is made */
    return d->more;
}

#endif
