/* What all parts of `auto` on the GPU share: frontier kinds, kernel parameters, counters, claims
 * and the trace. */
#ifndef FRI_CUDA_BFS_AUTO_PARAMS_CUH
#define FRI_CUDA_BFS_AUTO_PARAMS_CUH

#include "cuda/prim/edge_chunks.cuh"
#include "cuda/prim/persistent.cuh"
#include "cuda/prim/reduce.cuh"
#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

#include <type_traits>

static const int CHUNK_EDGES = 256, ARRIVAL_WORDS = 3, MAX_GRID_BLOCKS = 256;

/* Optimizations that the knob `disable` can turn off in order to measure them; its bits are in this
 * order. */
enum {
    FEATURE_FUSED_INIT = 1 << 0,     /* one launch initializes the arrays and runs levels */
    FEATURE_BITMAP_CLAIMS = 1 << 1,  /* the grid claims in the bitmap, otherwise in the levels */
    FEATURE_CLUSTER_BITMAP = 1 << 2, /* the cluster claims in distributed shared memory */
    FEATURE_SKIP_QUEUE = 1 << 3,     /* no queue for a frontier that will be pulled from */
    FEATURE_HUB_PARENTS = 1 << 4,    /* pulls first probe the hub parent (hub_parent_kernel) */
    FEATURE_LOCAL_FINDS = 1 << 5, /* cluster: found vertices stay in their block while balanced */
    FEATURE_ELL = 1 << 6,         /* small frontiers: entries carry their targets */
    FEATURE_SKIP_NO_IN_EDGES = 1 << 7, /* pulls never test vertices without in-edges */
    FEATURE_BALANCED_PUSH = 1 << 8,    /* a push spreads a block's edges evenly over threads */
    FEATURE_DIRECT_BITMAP = 1 << 9,    /* a push before a pull sets the pull's bitmap itself */
    FEATURE_HISTORY_CULL = 1 << 10,    /* persistent blocks skip recently claimed targets */
    FEATURE_STRICT_BALANCE = 1 << 11,  /* ELL: rebalance as soon as it saves an iteration */
    FEATURE_DEFERRED_LEVELS = 1 << 12, /* a pull writes the levels of the push before it */
    FEATURE_PULL_QUEUES = 1 << 13,     /* a pull before a push writes the queue as well */
    FEATURE_LAZY_INIT = 1 << 14,       /* the first pull initializes the arrays */
    /* one claim per warp and bitmap word (push_aggregated.cuh) */
    FEATURE_AGGREGATED_CLAIMS = 1 << 15,
    FEATURE_SINGLE_BLOCK = 1 << 16, /* one block runs levels of few edges (single_block.cuh) */
    FEATURE_SLICED_PUSH = 1 << 17,  /* pushes from hubs in shared memory (push_sliced.cuh) */
    FEATURE_COUNT = 18,
    ALL_FEATURES = (1 << FEATURE_COUNT) - 1
};

namespace { /* internal linkage */

/* One entry of the queue: at most CHUNK_EDGES edges of a frontier vertex. */
typedef fri_edge_chunk edge_chunk;

/* Method of a level; an index into the names in auto.cu. */
enum {
    METHOD_CLUSTER,
    METHOD_TOP_DOWN,
    METHOD_BOTTOM_UP,
    METHOD_PERSISTENT,
    METHOD_SINGLE_BLOCK,
    METHOD_SLICED
};

/* Values of the knob `direction`. */
enum direction_knob { DIRECTION_BY_COST, DIRECTION_PUSH, DIRECTION_PULL };

/* Frontier representation. Levels are already written, except for a bitmap with
 * `levels_deferred`. */
enum frontier_kind { QUEUE, BITMAP, LEVELS };

/* Counters of one level's frontier. */
struct level_counters {
    unsigned long long edges; /* out-edges of the frontier */
    int32_t vertices, entries;
    /* chunks of long rows, left by the pull that writes these counters; hubs that `multi-device` has
     * listed to push them by slices */
    int32_t long_chunks, sliced_hubs;
    /* out-edges of the previous frontier, if the push that found it did not count them */
    unsigned long long uncounted_edges = 0;
};

/* Size of the frontier with which a launch begins. */
struct frontier_size {
    unsigned long long edges;
    int32_t vertices, entries;
};

/* Totals over the levels that one block ran by itself, excluding the first frontier. */
struct single_block_result {
    int32_t levels, vertices;
    unsigned long long edges;
};

/* Device-side control block; in fri_gpu.control. */
struct bfs_control {
    level_counters counters[FRI_PHASES];
    unsigned long long edges_scanned;
    /* state at the end of a launch */
    unsigned long long edges_of_frontiers; /* out-edges of all frontiers so far */
    /* last_phase: the last frontier's counters */
    int32_t vertices_visited, levels, frontier_kind, last_phase;
    single_block_result single_block;
    /* the grid's launch ended for a push by slices; level and parent of vertices not found yet are
     * undefined */
    int32_t wants_slices, uninitialized;
    float sliced_ps; /* expected time of that push */
    int32_t hubs;    /* listed by it */
    /* sums of the blocks' counters, with the number of arrivals, see publish_to_grid */
    uint64_t arrival_sums[2 * ARRIVAL_WORDS];
};

struct shared_entry;

/* What a level does besides finding vertices. */
struct level_flags {
    /* the frontier is only a bitmap: its levels are not written, its edges not counted */
    bool levels_deferred;
    bool initializes; /* this pull writes the arrays of vertices that are not found */
    bool also_queues; /* this pull also queues the vertices that it finds */
    bool pull_defers; /* this pull leaves the levels of what it finds to the next level */
};

/* Kernel parameters, constant during a launch so that they stay in constant memory. */
template <class O> struct bfs_params {
    typedef level_flags flags_in_pull; /* in registers */
    fri_csr_view<O> out, in;
    int32_t n, symmetric;
    int64_t m;
    int32_t *level, *parent;
    int32_t unreached;    /* the level of vertices that are not reached: -1, or INT32_MAX */
    edge_chunk *queue[2]; /* by depth modulo 2 */
    uint32_t *visited;    /* [words]; a vertex without in-edges may count as visited */
    /* [words] by depth modulo 2; valid while the frontier is a bitmap */
    uint32_t *frontier_bits[2];
    /* [n] in-neighbor that a pull probes first (hub_parent_kernel); -1: no in-edges; -2 - u: u is
     * the only one; or NULL */
    int32_t *hub_parents;
    uint32_t *no_in_edges; /* [words] vertices without in-edges, and the bits beyond n; or NULL */
    int4 *ell;             /* [n << log2_ell_width - 2], see ell_rows.cuh; or NULL */
    /* [2][MAX_GRID_BLOCKS] entries of each persistent block, by depth modulo 2, see
     * publish_to_grid */
    uint32_t *published_entries;
    /* [2][persistent blocks][block_capacity], see work_sharing.cuh; or NULL */
    shared_entry *shared_entries;
    const int32_t *sources;
    int32_t source; /* the only source, if this launch initializes the arrays */
    bfs_control *control;
    fri_level_record *trace; /* levels of this launch and its end; or NULL */
    int32_t max_levels;      /* levels per launch */
    /* maximum queue entries of a level on the cluster; launch_levels() raises it for the grid,
     * which only uses it in streak_max_entries() */
    int32_t cluster_max;
    int32_t persistent_max; /* most queue entries of the persistent blocks */
    int32_t block_capacity; /* frontier entries per block of the small kernel */
    /* tag of depth 0: a level's tag is tag_base + depth, larger than all earlier tags */
    uint32_t tag_base;
    int32_t log2_ell_width;      /* log2 of an ELL row's targets: 2 or 3; 0: no ELL rows */
    int32_t reachable;           /* vertices with in-edges */
    uint32_t max_degree;         /* maximum out-degree */
    int32_t initializes;         /* this launch initializes the arrays first */
    int32_t direction, features; /* knobs: a direction_knob; FEATURE_* bits that are on */
    float push_factor;           /* see fri_cost_input */
    /* of a push by slices; 0: there is none. Hubs for whose bounds there is room */
    int32_t slices, max_hubs;
    /* fewer edges of a frontier are not pushed by slices; 0: all are, by the knob `slices` */
    unsigned long long sliced_min_edges;
};

/* Variants of the grid's kernel: GRID_AGGREGATED aggregates the claims of a push per bitmap word, on
 * small graphs; GRID_DEFERRING has pulls that may leave their levels to the next one, on large graphs;
 * GRID_SHORT_QUEUES runs where queues have no room for all vertices. */
enum grid_variant { GRID_PLAIN, GRID_AGGREGATED, GRID_DEFERRING, GRID_SHORT_QUEUES };

/* Parameters of GRID_DEFERRING and GRID_SHORT_QUEUES. In the other variants the type says that no pull
 * defers levels, so that all threads wait for a shorter decision and a pull has less code. */
template <class O> struct deferring_params : bfs_params<O> {
    typedef const level_flags &flags_in_pull; /* in shared memory: registers are short */
    int32_t pulls_defer; /* whether a pull may leave levels to the next one (may_defer_pull) */
};
/* Parameters of GRID_SHORT_QUEUES alone. */
template <class O> struct short_queue_params : deferring_params<O> {
    int32_t queue_vertices; /* capacity of a queue in vertices, however many chunks they have */
    int32_t findable;       /* at least the vertices that a traversal can find, with its sources */
};
template <class O, grid_variant VARIANT> struct params_of_variant { typedef bfs_params<O> type; };
template <class O> struct params_of_variant<O, GRID_DEFERRING> {
    typedef deferring_params<O> type;
};
template <class O> struct params_of_variant<O, GRID_SHORT_QUEUES> {
    typedef short_queue_params<O> type;
};
template <class O, grid_variant VARIANT>
using grid_params = typename params_of_variant<O, VARIANT>::type;

/* Loop-carried state, the same in all threads. */
struct bfs_state {
    int32_t depth, frontier_kind, vertices_visited;
    int phase;                             /* index of the counters of this level's frontier */
    int clean;                             /* bit d % 2: the bitmap frontier_bits[d % 2] is zero */
    unsigned long long edges_of_frontiers; /* out-edges of all frontiers so far */
    /* levels of this launch that other kernels ran: 1 after a push by slices, else 0 */
    int32_t levels_done;
    /* at the beginning and end of a launch, see bfs_control */
    int32_t wants_slices, uninitialized;
    float sliced_ps;
};

/* Sum of edges of one graph: 32 bits if offsets have 32 bits. */
template <class O>
using edge_sum = typename std::conditional<sizeof(O) == 4, unsigned, unsigned long long>::type;

/* A thread's share of the level's counters. */
template <class O> struct thread_counters {
    edge_sum<O> edges, edges_scanned;
    int32_t vertices;
    /* out-edges of this level's frontier, if the push that found it did not count them */
    edge_sum<O> uncounted_edges;
};

} // namespace

static __host__ __device__ __forceinline__ int32_t words_of(int32_t n) {
    return (int32_t)(((int64_t)n + FRI_WARP - 1) / FRI_WARP);
}

/* Position in a bitmap: the word of v, and its bit within it. As in papers/bfs/spmv.cu, but the
 * division is unsigned, which saves instructions, and in `visited` the bits past the last vertex
 * are 1, so that no pull searches for their parents. */
static __device__ __forceinline__ uint32_t word_of(int32_t v) { return (uint32_t)v / FRI_WARP; }
static __device__ __forceinline__ uint32_t bit_of(int32_t v) {
    return 1u << ((uint32_t)v % FRI_WARP);
}
static __device__ __forceinline__ bool has_bit(const uint32_t *map, int32_t v) {
    return map[(uint32_t)v / FRI_WARP] >> ((uint32_t)v % FRI_WARP) & 1;
}

/* Any thread: issues the atomic that claims v for the next level; claim_won() reads the answer.
 * Split in two so that several atomics are in flight before the first answer is needed. */
template <class O>
static __device__ __forceinline__ uint32_t claim_begin(const bfs_params<O> &p, int32_t v,
                                                       int32_t depth) {
    if (p.features & FEATURE_BITMAP_CLAIMS) /* several threads may find v, here and below */
        return atomicOr(&p.visited[v / FRI_WARP], 1u << (v % FRI_WARP));
    return (uint32_t)atomicCAS(&p.level[v], p.unreached, depth + 1);
}

/* With FEATURE_BITMAP_CLAIMS: true for exactly one of all threads that claim v. */
static __device__ __forceinline__ bool bit_was_clear(int32_t v, uint32_t answer) {
    return !(answer >> (v % FRI_WARP) & 1);
}

/* True for exactly one of all threads that claim v; v then has its level. */
template <class O>
static __device__ __forceinline__ bool claim_won(const bfs_params<O> &p, int32_t v, uint32_t answer,
                                                 int32_t depth) {
    uint32_t bit = 1u << (v % FRI_WARP);
    bool yes =
        p.features & FEATURE_BITMAP_CLAIMS ? !(answer & bit) : (int32_t)answer == p.unreached;
    if (yes && p.features & FEATURE_BITMAP_CLAIMS)
        p.level[v] = depth + 1;
    else if (yes)
        atomicOr(&p.visited[v / FRI_WARP], bit); /* 32 vertices share the word */
    return yes;
}

/* Any thread: whether v may be unvisited. The load bypasses L1, which does not see claims by
 * other SMs during this level: without it, nearly every edge to a hub's neighbors would issue
 * an atomic. */
template <class O>
static __device__ __forceinline__ bool maybe_unvisited(const bfs_params<O> &p, int32_t v) {
    if (p.features & FEATURE_BITMAP_CLAIMS) /* racy: the claim decides, here and below */
        return !(__ldcg(&p.visited[v / FRI_WARP]) >> (v % FRI_WARP) & 1);
    return fri_racy_load(&p.level[v]) == p.unreached;
}

/* Upper bounds for a level that a single block runs while the others wait at the grid barrier. */
enum { SINGLE_BLOCK_ENTRIES = 512, SINGLE_BLOCK_EDGES = 2048 };
static __device__ __forceinline__ bool fits_single_block(int32_t entries,
                                                         unsigned long long edges) {
    return entries <= SINGLE_BLOCK_ENTRIES && edges <= SINGLE_BLOCK_EDGES;
}

/* A frontier is small if it has at most max_entries entries and, in all, at most as many edges as
 * max_entries entries of 8 edges. Callers that do not know the edges (ELL rows) pass 0. */
static const int SMALL_EDGES_PER_ENTRY = 8;
static __host__ __device__ __forceinline__ bool is_small(int32_t entries, unsigned long long edges,
                                                         int32_t max_entries) {
    return entries <= max_entries &&
           edges <= (unsigned long long)max_entries * SMALL_EDGES_PER_ENTRY;
}

/* The most entries of a level that counts as a small one. After some consecutive small levels the grid or the
 * persistent blocks end the launch so that a smaller layer continues. Half of the layer's limit, so
 * that a frontier of about that limit does not change the layer back and forth. */
template <class O>
static __device__ __forceinline__ int32_t streak_max_entries(const bfs_params<O> &p) {
    return p.cluster_max / 2;
}

template <class O>
static __device__ void trace_level(const bfs_params<O> &p, int32_t at, const level_counters &now,
                                   int32_t method, float expected_ps) {
    fri_trace_level(p.trace, at, (unsigned)now.vertices, now.edges, method, expected_ps);
}

/* All threads, at the end of a launch. */
template <class O>
static __device__ void save_state(const bfs_params<O> &p, const bfs_state &s, int32_t levels) {
    trace_level(p, levels, {0, 0, 0, 0, 0}, 0, 0);
    if (blockIdx.x || threadIdx.x)
        return;
    p.control->levels = levels;
    p.control->vertices_visited = s.vertices_visited;
    p.control->frontier_kind = s.frontier_kind;
    p.control->last_phase = s.phase;
    p.control->edges_of_frontiers = s.edges_of_frontiers;
    p.control->wants_slices = s.wants_slices;
    p.control->uninitialized = s.uninitialized;
    p.control->sliced_ps = s.sliced_ps;
    p.control->hubs = 0;
}

#endif
