/* What all parts of `auto` on the GPU share: the frontier's forms, its counters, sums. */
#ifndef FRI_AUTO_WORLD_CUH
#define FRI_AUTO_WORLD_CUH

#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

#include <type_traits>

static const int SPAN = 256, MOST_THREADS = 512, SLOTS = 3, MET = 3, MOST_CREW = 256;

/* The knob `parts`: what may be left out, to measure what it brings. */
enum {
    PART_START = 1,    /* one launch fills the arrays and begins */
    PART_MAP = 2,      /* the grid claims in the bitmap, else in the levels */
    PART_NEAR = 4,     /* the cluster claims in its distributed shared memory, else as the grid */
    PART_LEAN = 8,     /* no queue for a frontier that will be pulled */
    PART_HEADS = 16,   /* pulls look at the in-neighbour of most edges first, if there are hubs */
    PART_STAY = 32,    /* in the cluster, what a block finds stays there while shares are even */
    PART_ROWS = 64,    /* there too, entries carry their targets, where the graph has few of them */
    PART_CLOSED = 128, /* vertices without in-edges are known before the first pull */
    PART_EVEN = 256,   /* a push deals a block's edges out evenly */
    PART_DIRECT = 512, /* finds that will be pulled from go straight into the bitmap */
    PART_TRIED = 1024, /* a block of the crew skips what it has lately tried */
    PART_TURNS = 2048, /* of rows, shares are uneven too if evening them out spares a turn */
    PART_OWED = 4096,  /* a push before a pull leaves its finds' levels and edges to that */
    PART_BOTH = 8192,  /* a pull queues what it finds too, where a push will follow */
    PART_BLANK = 16384, /* the first pull fills the arrays */
    PART_HOT = 32768,   /* pushes of their own where the bitmap fits into L1 (auto_hot.cuh) */
    PART_SOLO = 65536   /* there, one block takes levels of few edges (auto_solo.cuh) */
};

namespace { /* types of this file alone: the counting twin's differ */

/* One entry of the queue: at most SPAN edges of a frontier vertex, so that no warp walks a hub
 * alone; offsets ride along, so that the next level need not wait for them. */
struct alignas(16) span {
    int32_t v, count;
    int64_t begin;
};

/* What took a level; index into the names of gpu_auto.cu. */
enum { WAY_THIN, WAY_PUSH, WAY_PULL, WAY_CREW, WAY_SOLO };

/* How a frontier stands; its vertices have their levels, unless a bitmap owes them (chores). */
enum form { QUEUE, BITMAP, LEVELS };

/* What is known of a level's frontier. Three take turns: read, written, cleared. */
struct slot {
    unsigned long long edges; /* leaving it */
    int32_t vertices, entries;
    int32_t late, unused;          /* spans put off by a pull that writes this slot */
    unsigned long long behind = 0; /* edges of the frontier before, if it owed them */
};

/* What the first level of a launch is told of its frontier. */
struct tip {
    unsigned long long edges;
    int32_t vertices, entries;
};

/* Of levels that a block has taken alone: their frontiers but the first. */
struct loner {
    int32_t levels, vertices;
    unsigned long long edges;
};

/* In fri_gpu.words. */
struct control {
    slot turn[SLOTS];
    unsigned long long examined; /* edges */
    /* what a launch leaves behind */
    unsigned long long explored;         /* edges of all frontiers so far */
    int32_t seen, levels, form, turn_at; /* the last frontier's slot */
    loner taken;
    uint64_t met[2 * MET]; /* see add_post */
};

/* What a level was, for `--explain`. */
struct line {
    unsigned long long edges, began; /* leaving the frontier; device's ns */
    int32_t vertices, way;           /* index into the names of gpu_auto.cu */
    float expected_ps, unused;       /* 0: nothing */
};

struct parcel;

/* A kernel's arguments: fixed, so that they stay in constant memory. */
template <class O> struct world {
    fri_rows<O> out, in;
    int32_t n, symmetric;
    int64_t m;
    int32_t *level, *parent;
    span *queue[2];     /* by depth modulo 2 */
    uint32_t *visited;  /* [words]; a vertex without in-edges may count as visited */
    uint32_t *front[2]; /* [words] by depth modulo 2; valid while the frontier is a bitmap */
    int32_t *heads;     /* [n] in-neighbour to look at first, -1: no in-edges, -2 - u: u alone;
                           or NULL */
    uint32_t *closed;   /* [words] vertices without in-edges, and bits beyond n; or NULL */
    int4 *rows;         /* [n << row_bits - 2], see auto_rows.cuh; or NULL */
    uint32_t *posts;    /* [2][MOST_CREW] of a crew's blocks, by depth modulo 2, see add_post */
    parcel *parcels;    /* [2][crew's blocks][room], see auto_help.cuh; or NULL */
    const int32_t *sources;
    int32_t source; /* the only one, where this launch fills the arrays */
    control *c;
    line *lines; /* [FRI_GPU_MOST_LEVELS + 1] of this launch's levels, and its end; or NULL */
    int32_t most, small;      /* levels to take; entries up to which a cluster serves */
    int32_t middle;           /* entries up to which the crew serves */
    int32_t room;             /* of a cluster's block: entries of its frontier */
    uint32_t serial;          /* less depth 0: marks are serial + depth, no older one is */
    int32_t row_bits;         /* log2 of a row's targets: 2, 3; 0: no rows */
    int32_t reachable;        /* vertices with in-edges */
    uint32_t widest;          /* out-edges of a vertex */
    int32_t starts;           /* this launch fills the arrays first */
    int32_t direction, parts; /* knobs */
    float bias;               /* knob */
};

/* What changes from level to level, the same in all threads. */
struct state {
    int32_t depth, form, seen;
    int turn;  /* the slot of this level's frontier */
    int clean; /* bit d % 2: the bitmap front[d % 2] is zero */
    unsigned long long explored;
};

/* Of edges of one graph: 32 bits where offsets have no more. */
template <class O>
using edge_sum = typename std::conditional<sizeof(O) == 4, unsigned, unsigned long long>::type;

/* A thread's share of the level's counters. */
template <class O> struct tally {
    edge_sum<O> edges, examined;
    int32_t vertices;
    edge_sum<O> behind = 0; /* leaving this level's frontier, which owed them */
};

/* What a level does beside looking for vertices. */
struct chores {
    bool owed;  /* the frontier is a bitmap alone: its levels are not written, its edges not counted
                 */
    bool fills; /* this pull writes what no vertex has yet: -1 */
    bool queues; /* this pull queues its finds as well */
};

} // namespace

/* Warps are numbered across blocks first, so that a thin frontier spreads over the chip. */
static __device__ __forceinline__ int team_warp() {
    return fri_warp() * (int)gridDim.x + (int)blockIdx.x;
}
static __device__ __forceinline__ int team_warps() {
    return (int)gridDim.x * (int)(blockDim.x / FRI_WARP);
}
static __host__ __device__ __forceinline__ int32_t words_of(int32_t n) {
    return (int32_t)(((int64_t)n + FRI_WARP - 1) / FRI_WARP);
}

/* Of a bitmap: v's word, and its bit there. */
static __device__ __forceinline__ uint32_t word_of(int32_t v) { return (uint32_t)v / FRI_WARP; }
static __device__ __forceinline__ uint32_t bit_of(int32_t v) {
    return 1u << ((uint32_t)v % FRI_WARP);
}
static __device__ __forceinline__ bool has_bit(const uint32_t *map, int32_t v) {
    return map[(uint32_t)v / FRI_WARP] >> ((uint32_t)v % FRI_WARP) & 1;
}

/* Whole warp: the sum, in all lanes. */
static __device__ __forceinline__ unsigned warp_total(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_xor_sync(FRI_FULL, value, d);
    return value;
#else
    return __reduce_add_sync(FRI_FULL, value);
#endif
}
static __device__ __forceinline__ unsigned long long warp_total(unsigned long long value) {
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_xor_sync(FRI_FULL, value, d);
    return value;
}

/* The same: bits of any lane. */
static __device__ __forceinline__ unsigned warp_or(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value |= __shfl_xor_sync(FRI_FULL, value, d);
    return value;
#else
    return __reduce_or_sync(FRI_FULL, value);
#endif
}

static __device__ __forceinline__ int32_t warp_most(int32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value = FRI_MAX(value, __shfl_xor_sync(FRI_FULL, value, d));
    return value;
#else
    return __reduce_max_sync(FRI_FULL, value);
#endif
}

/* Tries to get v for the next level; `won` reads the answer. In two parts, so that several tries
 * are on their way before the first is answered. Any thread. */
template <class O>
static __device__ __forceinline__ uint32_t try_for(const world<O> &w, int32_t v, int32_t depth) {
    if (w.parts & PART_MAP) /* several may find v, here and below */
        return atomicOr(&w.visited[v / FRI_WARP], 1u << (v % FRI_WARP));
    return (uint32_t)atomicCAS(&w.level[v], -1, depth + 1);
}

/* With PART_MAP: true for one of all threads that tried for v. */
static __device__ __forceinline__ bool is_first(int32_t v, uint32_t answer) {
    return !(answer >> (v % FRI_WARP) & 1);
}

/* True for one of all threads that tried: v is its own, and has its level. */
template <class O>
static __device__ __forceinline__ bool won(const world<O> &w, int32_t v, uint32_t answer,
                                           int32_t depth) {
    uint32_t bit = 1u << (v % FRI_WARP);
    bool yes = w.parts & PART_MAP ? !(answer & bit) : (int32_t)answer < 0;
    if (yes && w.parts & PART_MAP)
        w.level[v] = depth + 1;
    else if (yes)
        atomicOr(&w.visited[v / FRI_WARP], bit); /* 32 vertices share the word */
    return yes;
}

/* Whether v may be new. Any thread. Read past L1, which would not see what other SMs claim in this
 * level: on a hub's neighbours nearly every edge would try. */
template <class O> static __device__ __forceinline__ bool looks_new(const world<O> &w, int32_t v) {
    if (w.parts & PART_MAP) /* racy: the claim decides, here and below */
        return !(__ldcg(&w.visited[v / FRI_WARP]) >> (v % FRI_WARP) & 1);
    return fri_racy_load(&w.level[v]) < 0;
}

/* Little enough for one block beside which all others wait: its entries' room. */
enum { SOLO_ROOM = 512, SOLO_EDGES = 2048 };
static __device__ __forceinline__ bool is_solo(int32_t entries, unsigned long long edges) {
    return entries <= SOLO_ROOM && edges <= SOLO_EDGES;
}

/* Little enough for a cluster: few entries, and few edges each. */
static const int THIN_EDGES = 8;
static __host__ __device__ __forceinline__ bool is_thin(int32_t entries, unsigned long long edges,
                                                        int32_t small) {
    return entries <= small && edges <= (unsigned long long)small * THIN_EDGES;
}

template <class O>
static __device__ void tell(const world<O> &w, int32_t at, const slot &now, int32_t way,
                            float expected_ps) {
    if (w.lines && blockIdx.x == 0 && threadIdx.x == 0)
        w.lines[at] = {now.edges, fri_clock_ns(), now.vertices, way, expected_ps, 0};
}

/* All threads, at the end of a launch. */
template <class O> static __device__ void leave(const world<O> &w, const state &s, int32_t levels) {
    tell(w, levels, {0, 0, 0, 0, 0}, 0, 0);
    if (blockIdx.x || threadIdx.x)
        return;
    w.c->levels = levels;
    w.c->seen = s.seen;
    w.c->form = s.form;
    w.c->turn_at = s.turn;
    w.c->explored = s.explored;
}

#endif
