/* What all parts of `auto` on the GPU share: the frontier's forms, its counters, sums. */
#ifndef FRI_CUDA_BFS_AUTO_PARAMS_CUH
#define FRI_CUDA_BFS_AUTO_PARAMS_CUH

#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

#include <type_traits>

static const int CHUNK_EDGES = 256, GRID_THREADS = 512, PHASES = 3, ARRIVAL_WORDS = 3,
                 MAX_GRID_BLOCKS = 256;

/* Optimisations that the knob `disable` can turn off, to measure them; its bits in this order. */
enum {
    FEATURE_FUSED_INIT = 1 << 0,         /* one launch initializes the arrays and runs levels */
    FEATURE_BITMAP_CLAIMS = 1 << 1,      /* the grid claims in the bitmap, else in the levels */
    FEATURE_CLUSTER_BITMAP = 1 << 2,     /* the cluster claims in distributed shared memory */
    FEATURE_SKIP_QUEUE = 1 << 3,         /* no queue for a frontier that will be pulled from */
    FEATURE_HUB_PARENTS = 1 << 4,        /* pulls test the in-neighbour of highest degree first */
    FEATURE_LOCAL_FINDS = 1 << 5,        /* cluster: finds stay in their block while balanced */
    FEATURE_ELL = 1 << 6,                /* small frontiers: entries carry their targets */
    FEATURE_SKIP_NO_IN_EDGES = 1 << 7,   /* pulls never test vertices without in-edges */
    FEATURE_BALANCED_PUSH = 1 << 8,      /* a push spreads a block's edges evenly over threads */
    FEATURE_DIRECT_BITMAP = 1 << 9,      /* a push before a pull sets the pull's bitmap itself */
    FEATURE_HISTORY_CULL = 1 << 10,      /* persistent blocks skip recently claimed targets */
    FEATURE_STRICT_BALANCE = 1 << 11,    /* ELL: rebalance as soon as it saves an iteration */
    FEATURE_DEFERRED_LEVELS = 1 << 12,   /* a pull writes the levels of the push before it */
    FEATURE_PULL_QUEUES = 1 << 13,       /* a pull before a push writes the queue as well */
    FEATURE_LAZY_INIT = 1 << 14,         /* the first pull initializes the arrays */
    FEATURE_AGGREGATED_CLAIMS = 1 << 15, /* pushes claim once per bitmap word (push_aggregated.cuh) */
    FEATURE_SINGLE_BLOCK = 1 << 16,      /* one block takes levels of few edges (single_block.cuh) */
    FEATURE_COUNT = 17,
    ALL_FEATURES = (1 << FEATURE_COUNT) - 1
};

namespace { /* types of this file alone: the counting twin's differ */

/* One entry of the queue: at most CHUNK_EDGES edges of a frontier vertex, so that no warp walks a hub
 * alone; offsets ride along, so that the next level need not wait for them. */
struct alignas(16) edge_chunk {
    int32_t v, count;
    int64_t begin;
};

/* What took a level; index into the names of auto.cu. */
enum { METHOD_CLUSTER, METHOD_TOP_DOWN, METHOD_BOTTOM_UP, METHOD_PERSISTENT, METHOD_SINGLE_BLOCK };

/* How a frontier stands; its vertices have their levels, unless a bitmap owes them (chores). */
enum frontier_kind { QUEUE, BITMAP, LEVELS };

/* What is known of a level's frontier. Three take turns: read, written, cleared. */
struct level_counters {
    unsigned long long edges; /* leaving it */
    int32_t vertices, entries;
    int32_t long_chunks, unused;           /* spans put off by a pull that writes this slot */
    unsigned long long deferred_edges = 0; /* edges of the frontier before, if it owed them */
};

/* What the first level of a launch is told of its frontier. */
struct frontier_size {
    unsigned long long edges;
    int32_t vertices, entries;
};

/* Of levels that a block has taken alone: their frontiers but the first. */
struct single_block_result {
    int32_t levels, vertices;
    unsigned long long edges;
};

/* In fri_gpu.words. */
struct device_control {
    level_counters counters[PHASES];
    unsigned long long examined; /* edges */
    /* what a launch leaves behind */
    unsigned long long explored;                     /* edges of all frontiers so far */
    int32_t seen, levels, frontier_kind, last_phase; /* the last frontier's slot */
    single_block_result single_block;
    uint64_t arrivals[2 * ARRIVAL_WORDS]; /* see publish_to_grid */
};

/* What a level was, for `--explain`. */
struct level_trace {
    unsigned long long edges, began; /* leaving the frontier; device's ns */
    int32_t vertices, method;        /* index into the names of auto.cu */
    float expected_ps, unused;       /* 0: nothing */
};

struct shared_entry;

/* A kernel's arguments: fixed, so that they stay in constant memory. */
template <class O> struct bfs_params {
    fri_csr_view<O> out, in;
    int32_t n, symmetric;
    int64_t m;
    int32_t *level, *parent;
    edge_chunk *queue[2]; /* by depth modulo 2 */
    uint32_t *visited;    /* [words]; a vertex without in-edges may count as visited */
    uint32_t
        *frontier_bits[2]; /* [words] by depth modulo 2; valid while the frontier is a bitmap */
    int32_t *hub_parents;  /* [n] in-neighbour to look at first, -1: no in-edges, -2 - u: u alone;
                           or NULL */
    uint32_t *no_in_edges; /* [words] vertices without in-edges, and bits beyond n; or NULL */
    int4 *ell;             /* [n << log2_ell_width - 2], see ell_rows.cuh; or NULL */
    uint32_t *
        published_entries; /* [2][MAX_GRID_BLOCKS] of a crew's blocks, by depth modulo 2, see publish_to_grid */
    shared_entry *shared_entries; /* [2][crew's blocks][room], see work_sharing.cuh; or NULL */
    const int32_t *sources;
    int32_t source; /* the only one, where this launch fills the arrays */
    device_control *control;
    level_trace *trace; /* [FRI_GPU_MAX_LEVELS + 1] of this launch's levels, and its end; or NULL */
    int32_t max_levels, cluster_max; /* levels to take; entries up to which a cluster serves */
    int32_t persistent_max;          /* entries up to which the crew serves */
    int32_t capacity;                /* of a cluster's block: entries of its frontier */
    uint32_t tag_base;               /* less depth 0: marks are serial + depth, no older one is */
    int32_t log2_ell_width;          /* log2 of a row's targets: 2, 3; 0: no rows */
    int32_t reachable;               /* vertices with in-edges */
    uint32_t max_degree;             /* out-edges of a vertex */
    int32_t initializes;             /* this launch fills the arrays first */
    int32_t direction, features;     /* knobs */
    float push_cost;                 /* knob */
};

/* What changes from level to level, the same in all threads. */
struct bfs_state {
    int32_t depth, frontier_kind, seen;
    int phase; /* the slot of this level's frontier */
    int clean; /* bit d % 2: the bitmap front[d % 2] is zero */
    unsigned long long explored;
};

/* Of edges of one graph: 32 bits where offsets have no more. */
template <class O>
using edge_sum = typename std::conditional<sizeof(O) == 4, unsigned, unsigned long long>::type;

/* A thread's share of the level's counters. */
template <class O> struct thread_counters {
    edge_sum<O> edges, examined;
    int32_t vertices;
    edge_sum<O> deferred_edges = 0; /* leaving this level's frontier, which owed them */
};

/* What a level does beside looking for vertices. */
struct level_flags {
    bool
        levels_deferred; /* the frontier is a bitmap alone: its levels are not written, its edges not counted
                 */
    bool initializes; /* this pull writes what no vertex has yet: -1 */
    bool also_queues; /* this pull queues its finds as well */
};

} // namespace

/* Warps are numbered across blocks first, so that a thin frontier spreads over the chip. */
static __device__ __forceinline__ int grid_warp() {
    return fri_warp() * (int)gridDim.x + (int)blockIdx.x;
}
static __device__ __forceinline__ int grid_warps() {
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
        value += __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
#else
    return __reduce_add_sync(FRI_FULL_MASK, value);
#endif
}
static __device__ __forceinline__ unsigned long long warp_total(unsigned long long value) {
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
}

/* The same: bits of any lane. */
static __device__ __forceinline__ unsigned warp_or(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value |= __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
#else
    return __reduce_or_sync(FRI_FULL_MASK, value);
#endif
}

static __device__ __forceinline__ int32_t warp_max(int32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value = FRI_MAX(value, __shfl_xor_sync(FRI_FULL_MASK, value, d));
    return value;
#else
    return __reduce_max_sync(FRI_FULL_MASK, value);
#endif
}

/* Tries to get v for the next level; `won` reads the answer. In two parts, so that several tries
 * are on their way before the first is answered. Any thread. */
template <class O>
static __device__ __forceinline__ uint32_t claim_begin(const bfs_params<O> &p, int32_t v,
                                                       int32_t depth) {
    if (p.features & FEATURE_BITMAP_CLAIMS) /* several may find v, here and below */
        return atomicOr(&p.visited[v / FRI_WARP], 1u << (v % FRI_WARP));
    return (uint32_t)atomicCAS(&p.level[v], -1, depth + 1);
}

/* With FEATURE_BITMAP_CLAIMS: true for one of all threads that tried for v. */
static __device__ __forceinline__ bool bit_was_clear(int32_t v, uint32_t answer) {
    return !(answer >> (v % FRI_WARP) & 1);
}

/* True for one of all threads that tried: v is its own, and has its level. */
template <class O>
static __device__ __forceinline__ bool claim_won(const bfs_params<O> &p, int32_t v, uint32_t answer,
                                                 int32_t depth) {
    uint32_t bit = 1u << (v % FRI_WARP);
    bool yes = p.features & FEATURE_BITMAP_CLAIMS ? !(answer & bit) : (int32_t)answer < 0;
    if (yes && p.features & FEATURE_BITMAP_CLAIMS)
        p.level[v] = depth + 1;
    else if (yes)
        atomicOr(&p.visited[v / FRI_WARP], bit); /* 32 vertices share the word */
    return yes;
}

/* Whether v may be new. Any thread. Read past L1, which would not see what other SMs claim in this
 * level: on a hub's neighbours nearly every edge would try. */
template <class O>
static __device__ __forceinline__ bool maybe_unvisited(const bfs_params<O> &p, int32_t v) {
    if (p.features & FEATURE_BITMAP_CLAIMS) /* racy: the claim decides, here and below */
        return !(__ldcg(&p.visited[v / FRI_WARP]) >> (v % FRI_WARP) & 1);
    return fri_racy_load(&p.level[v]) < 0;
}

/* Little enough for one block beside which all others wait: its entries' room. */
enum { SINGLE_BLOCK_ENTRIES = 512, SINGLE_BLOCK_EDGES = 2048 };
static __device__ __forceinline__ bool fits_single_block(int32_t entries,
                                                         unsigned long long edges) {
    return entries <= SINGLE_BLOCK_ENTRIES && edges <= SINGLE_BLOCK_EDGES;
}

/* Little enough for a cluster: few entries, and few edges each. */
static const int SMALL_EDGES_PER_ENTRY = 8;
static __host__ __device__ __forceinline__ bool is_small(int32_t entries, unsigned long long edges,
                                                         int32_t max_entries) {
    return entries <= max_entries &&
           edges <= (unsigned long long)max_entries * SMALL_EDGES_PER_ENTRY;
}

template <class O>
static __device__ void trace_level(const bfs_params<O> &p, int32_t at, const level_counters &now,
                                   int32_t method, float expected_ps) {
    if (p.trace && blockIdx.x == 0 && threadIdx.x == 0)
        p.trace[at] = {now.edges, fri_clock_ns(), now.vertices, method, expected_ps, 0};
}

/* All threads, at the end of a launch. */
template <class O>
static __device__ void save_state(const bfs_params<O> &p, const bfs_state &s, int32_t levels) {
    trace_level(p, levels, {0, 0, 0, 0, 0}, 0, 0);
    if (blockIdx.x || threadIdx.x)
        return;
    p.control->levels = levels;
    p.control->seen = s.seen;
    p.control->frontier_kind = s.frontier_kind;
    p.control->last_phase = s.phase;
    p.control->explored = s.explored;
}

#endif
