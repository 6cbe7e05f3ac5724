/* Launch configuration of `auto`: block counts, threads, shared memory and size limits of the
 * cluster and of the persistent blocks, and the per-graph choices and preprocessing that they
 * depend on. */
#ifndef FRI_CUDA_BFS_AUTO_LAUNCH_CONFIG_CUH
#define FRI_CUDA_BFS_AUTO_LAUNCH_CONFIG_CUH

#include "cuda/bfs/auto/push_aggregated.cuh"
#include "cuda/bfs/auto/preprocess.cuh"
#include "cuda/bfs/auto/small_kernel.cuh"
#include "cuda/prim/clocked.cuh"

enum {
    KNOB_CLUSTER,
    KNOB_CLUSTER_MAX,
    KNOB_DIRECTION,
    KNOB_GRID_THREADS,
    KNOB_CLUSTER_THREADS,
    KNOB_PUSH_COST,
    KNOB_DISABLE,
    KNOB_PERSISTENT_MAX,
    KNOB_PERSISTENT_THREADS,
    KNOB_QUEUE_DIVISOR,
    KNOB_SLICES,
    KNOB_DEFERRING_PULL_MIN
};

static const int CLUSTER_THREADS = 512, MIN_BLOCK_CAPACITY = 1024, SMALL_ENTRIES = 1024,
                 ELL4_MAX_MEAN = 3, ELL8_MIN_MEAN = 5, ELL8_MAX_MEAN = 7, HUB_FACTOR = 8,
                 PERSISTENT_ELL_THREADS = 768, PREPROCESS_THREADS = 256,
                 SMALL_START_MEAN_DEGREE = 8, SMALL_START_MAX_DEGREE = 128,
                 SHORT_QUEUE_DIVISOR = 16, SLICED_MIN_VERTICES = 1 << 20;
/* Persistent blocks: shared bytes available without opt-in, less static arrays; ELL entries per
 * block. */
static const int PERSISTENT_BYTES = 46 << 10, PERSISTENT_CAPACITY = 1024;

/* Vertices whose chunks fit into a queue, whichever vertices they are. */
static int32_t queue_vertices(const fri_gpu *g) {
    const double divisor = fri_job_knob(g->job, KNOB_QUEUE_DIVISOR, 1);
    const bool only_pushes = (int)g->job->knob[KNOB_DIRECTION] == 1;
    return divisor <= 1 || only_pushes ? g->n : (int32_t)((double)g->n / divisor) + 1;
}
static bool has_short_queues(const fri_gpu *g) { return queue_vertices(g) < g->n; }
static int64_t queue_capacity(const fri_gpu *g) {
    return (int64_t)queue_vertices(g) + g->m / CHUNK_EDGES + 1;
}
/* Frontier entries per block: at most the queue's capacity divided by the blocks. */
static int entries_per_block(const fri_gpu *g, int blocks, size_t fitting) {
    const int64_t most =
        has_short_queues(g) ? FRI_MAX(queue_vertices(g) / blocks, 1) : queue_capacity(g);
    return (int)FRI_MIN((int64_t)fitting, most);
}
static bool has_feature(const fri_gpu *g, int feature) {
    return !((int)g->job->knob[KNOB_DISABLE] & feature);
}

/* log2 of an ELL row's targets, 0: no ELL rows. Eight only if the rows hold at most 1.6 times as
 * many targets as the graph. */
static int ell_log2_width(const fri_gpu *g) {
    const bool four = g->m <= (int64_t)ELL4_MAX_MEAN * g->n,
               at_most_seven = g->m <= (int64_t)ELL8_MAX_MEAN * g->n;
    const bool eight =
        g->job->csr.symmetric && at_most_seven && g->m >= (int64_t)ELL8_MIN_MEAN * g->n;
    return !has_feature(g, FEATURE_ELL) ? 0 : four ? 2 : eight ? 3 : 0;
}
static size_t ell_bytes(const fri_gpu *g) {
    const int bits = ell_log2_width(g);
    return bits ? fri_align_line(fri_bytes(g->n, sizeof(int32_t) << bits)) : 0;
}

static size_t hub_parents_bytes(const fri_gpu *g) {
    return has_feature(g, FEATURE_HUB_PARENTS) ? fri_align_line(fri_bytes(g->n, sizeof(int32_t)))
                                               : 0;
}

namespace {
/* Launch configuration of the small kernel. */
struct small_config {
    int blocks, threads, block_capacity;
    bool is_persistent, has_bitmap;
    size_t shared_bytes;
};

/* State of a solver: the graph's statistics and its cluster. */
struct auto_state {
    degree_stats stats;
    small_config cluster;
    bool estimates_edges;     /* edges_of_frontiers is inexact in this query */
    uint32_t next_tag;        /* the next unused tag, see reserve_tags */
    fri_clocked first_launch; /* the grid's first launch, from event to event */
};
} // namespace

static auto_state *state_of(const fri_gpu *g) { return (auto_state *)g->state; }
static bool has_ell(const fri_gpu *g) {
    return ell_bytes(g) && state_of(g)->stats.max_degree <= (uint32_t)ELL_MAX_DEGREE;
}

/* Whether a pull may leave its levels to the next one: where the levels exceed L2, which merges the parts
 * of a cache line that two pulls write. */
static bool pulls_may_defer(const fri_gpu *g) {
    return has_feature(g, FEATURE_DEFERRED_LEVELS) && has_feature(g, FEATURE_BITMAP_CLAIMS) &&
           (double)g->n >= g->job->knob[KNOB_DEFERRING_PULL_MIN];
}

/* Whether pushes aggregate claims per bitmap word: on small graphs, unless all rows are short. */
static bool uses_aggregation(const fri_gpu *g) {
    return has_feature(g, FEATURE_AGGREGATED_CLAIMS) && has_feature(g, FEATURE_BITMAP_CLAIMS) &&
           has_feature(g, FEATURE_BALANCED_PUSH) && words_of(g->n) <= AGGREGATED_MAX_WORDS &&
           !has_short_queues(g) && !pulls_may_defer(g) &&
           g->job->knob[KNOB_SLICES] == FR_KNOB_AUTO &&
           state_of(g)->stats.max_degree > (uint32_t)SHORT_ROW;
}

/* Whether the first level is for the cluster. Graphs with hubs end after few levels, and on small
 * ones a single block runs small levels within the grid's launch. */
static bool starts_small(const fri_gpu *g) {
    static_assert(SMALL_START_MAX_DEGREE <= CHUNK_EDGES, "a source is one entry");
    return !uses_aggregation(g) && g->m <= (int64_t)SMALL_START_MEAN_DEGREE * g->n &&
           state_of(g)->stats.max_degree <= (uint32_t)SMALL_START_MAX_DEGREE;
}

/* If degrees are even, no in-neighbor is likelier than another to be in the frontier. */
static bool uses_hub_parents(const fri_gpu *g) {
    return hub_parents_bytes(g) &&
           (double)state_of(g)->stats.max_degree * (double)g->n > (double)HUB_FACTOR * (double)g->m;
}

/* Shared memory in bytes that a block may request in addition to static arrays. */
static size_t shared_limit(const fri_gpu *g) {
    return FRI_MAX(g->max_shared_per_block, (size_t)48 << 10) - 2048;
}

/* Slices of a push by slices: as many as multiprocessors, or a multiple of them if shared memory
 * holds fewer bits. 0: none, as the graph is small or a frontier cannot be a bitmap without
 * levels. */
static int32_t slice_count(const fri_gpu *g) {
    static const int needed[] = {FEATURE_SLICED_PUSH, FEATURE_BITMAP_CLAIMS, FEATURE_DIRECT_BITMAP,
                                 FEATURE_DEFERRED_LEVELS};
    for (const int feature : needed)
        if (!has_feature(g, feature))
            return 0;
    const double knob = g->job->knob[KNOB_SLICES];
    if (knob == FR_KNOB_AUTO && g->n < SLICED_MIN_VERTICES)
        return 0;
    const int64_t words = words_of(g->n), fitting = (int64_t)(shared_limit(g) / sizeof(uint32_t)),
                  fewest = (words + fitting - 1) / fitting, each = g->multiprocessors;
    const int64_t wanted =
        knob == FR_KNOB_AUTO ? (fewest + each - 1) / each * each : FRI_MAX((int64_t)knob, fewest);
    return (int32_t)FRI_MIN(wanted, words);
}

static int persistent_blocks(const fri_gpu *g) {
    return FRI_MIN(g->multiprocessors, (int)MAX_GRID_BLOCKS);
}

/* Configuration of the persistent blocks, one per multiprocessor; the rest of its shared memory
 * stays L1. */
static small_config persistent_config(const fri_gpu *g) {
    const int log2_width = has_ell(g) ? ell_log2_width(g) : 0;
    small_config config = {
        persistent_blocks(g),
        fri_gpu_threads_per_block(g, KNOB_PERSISTENT_THREADS,
                                  log2_width ? PERSISTENT_ELL_THREADS : SMALL_THREADS)};
    const size_t entry = frontier_bytes(1, log2_width), history = sizeof(int32_t) << HISTORY_BITS;
    const size_t limit = FRI_MIN(shared_limit(g), (size_t)PERSISTENT_BYTES);
    const bool fits = log2_width && history + PERSISTENT_CAPACITY * entry <= shared_limit(g);
    config.is_persistent = true;
    config.threads = FRI_MAX(
        /* one warp may take surplus entries of other blocks */
        config.threads, log2_width ? 2 * FRI_WARP : FRI_WARP);
    config.block_capacity = entries_per_block(
        g, config.blocks, fits ? (size_t)PERSISTENT_CAPACITY : (limit - history) / entry);
    config.shared_bytes = (size_t)config.block_capacity * entry + history;
    return config;
}

static small_config cluster_config(const fri_gpu *g, int blocks) {
    small_config config = {blocks,
                           fri_gpu_threads_per_block(g, KNOB_CLUSTER_THREADS, CLUSTER_THREADS)};
    const size_t entry = frontier_bytes(1, has_ell(g) ? ell_log2_width(g) : 0);
    const size_t limit = shared_limit(g);
    size_t map = fri_bytes(words_of(g->n) / config.blocks + 1, sizeof(uint32_t));
    config.has_bitmap =
        has_feature(g, FEATURE_CLUSTER_BITMAP) && map + MIN_BLOCK_CAPACITY * entry <= limit;
    map = config.has_bitmap ? map : 0;
    config.block_capacity =
        entries_per_block(g, blocks, FRI_MIN((limit - map) / entry, (size_t)MAX_BLOCK_CAPACITY));
    config.shared_bytes = (size_t)config.block_capacity * entry + map;
    return config;
}

/* The largest cluster, a power of two, that the device can schedule. */
template <class O> static small_config choose_cluster(const fri_gpu *g) {
    int wanted = (int)fri_job_knob(g->job, KNOB_CLUSTER, FRI_MIN(16, g->multiprocessors));
    small_config config = cluster_config(g, 1);
    for (int blocks = 2; blocks <= wanted && g->compute_capability >= 90; blocks *= 2) {
        small_config more = cluster_config(g, blocks);
        if (!fri_cluster_fits(has_ell(g) ? small_kernel<O, cluster_ell> : small_kernel<O, cluster>,
                              (unsigned)blocks, (unsigned)more.threads, more.shared_bytes))
            break;
        config = more;
    }
    return config;
}

/* Whether a queue has room for what the blocks of the small kernel hold. */
static bool queue_holds_small_layers(const fri_gpu *g) {
    return !has_short_queues(g) ||
           queue_vertices(g) >= FRI_MAX(state_of(g)->cluster.blocks, persistent_blocks(g));
}

/* Maximum queue entries of each layer: a change of layer takes as long as ten levels, and
 * persistent blocks are as fast as a cluster from about 1,000 entries on, from 2,000 with ELL rows
 * of eight. */
template <class O> static void set_layer_limits(const fri_gpu *g, bfs_params<O> *p) {
    const small_config cluster = state_of(g)->cluster, persistent = persistent_config(g);
    const int64_t cluster_entries = (int64_t)cluster.block_capacity * cluster.blocks,
                  persistent_entries = (int64_t)persistent.block_capacity * persistent.blocks;
    p->persistent_max =
        (int32_t)FRI_MIN((int64_t)g->job->knob[KNOB_PERSISTENT_MAX], persistent_entries / 2);
    int default_max = p->log2_ell_width == 3 ? 2 * SMALL_ENTRIES : SMALL_ENTRIES;
    default_max = p->log2_ell_width == 2 || !p->persistent_max ? cluster.blocks * cluster.threads
                                                               : default_max;
    p->cluster_max = (int32_t)fri_job_knob(g->job, KNOB_CLUSTER_MAX, default_max);
    p->cluster_max = (int32_t)FRI_MIN((int64_t)p->cluster_max, cluster_entries / 2);
}

/* Computes statistics into control words, which must be zero, and the bitmap of empty rows unless
 * it is NULL. */
template <class O>
static void preprocess_offsets(fri_gpu *g, const fri_gpu_csr &csr, uint32_t *no_in_edges) {
    const unsigned blocks = fri_gpu_blocks(g->n, PREPROCESS_THREADS);
    FRI_RUN((degree_stats_kernel<O>), FRI_MIN(blocks, 8 * (unsigned)g->multiprocessors),
            PREPROCESS_THREADS, fri_csr_view_of<O>(csr), g->n, no_in_edges,
            (degree_stats *)g->control);
}

static fr_status read_degree_stats(fri_gpu *g, degree_stats *to) {
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, (int)(sizeof(degree_stats) / sizeof(int32_t))));
    memcpy(to, g->host_control, sizeof(degree_stats));
    return FR_OK;
}

/* Computes hub parents and ELL rows, if this graph uses them. */
template <class O> static void preprocess_edges(fri_gpu *g, const bfs_params<O> &p) {
    const unsigned blocks = fri_gpu_blocks(g->n, PREPROCESS_THREADS);
    if (uses_hub_parents(g))
        FRI_RUN((hub_parent_kernel<O>), blocks, PREPROCESS_THREADS, p.out, p.in, p.n,
                p.hub_parents);
    if (has_ell(g))
        FRI_RUN((build_ell_kernel<O>), blocks * (1u << (ell_log2_width(g) - 2)), PREPROCESS_THREADS,
                p.out, p.n, ell_log2_width(g), p.ell);
}

#endif
