/* BFS, `auto` on the GPU: many levels in one launch, on as much of the GPU as the frontier needs.
 *
 * Source: ours. Layers of synchronization as in UIUC-BFS (Luo, Wong, Hwu, DAC 2010); directions by
 *   Beamer, Asanovic, Patterson (SC 2012); a whole traversal in one persistent kernel as in BLEST.
 * Idea: three layers, chosen by the frontier's size (README.md in this folder describes them).
 *   - Small frontiers: one thread-block cluster runs level after level, with frontier and visited
 *     bitmap in its shared memory; its barrier also carries the counters (small_kernel.cuh,
 *     level_barrier.cuh). If vertices have few edges, an entry carries its targets, which are
 *     copied to shared memory during the barrier (ell_rows.cuh).
 *   - Medium frontiers: persistent blocks, one per multiprocessor, keep the frontier in shared
 *     memory and claim in L2; blocks take over surplus entries of each other (work_sharing.cuh).
 *   - Large frontiers: the whole GPU with a grid barrier. Each level goes top-down from a queue or
 *     bottom-up on bitmaps, whichever has the shorter expected time (cost_model.h).
 *   - Push: queue entries are chunks of at most 256 edges that carry their position in the edge
 *     array, so that no warp expands a hub alone and offsets are read while a vertex is claimed; a
 *     block distributes its chunks' edges evenly over its threads. If the bitmap of visited
 *     vertices fits into L1, it is read there, a warp claims all its vertices of a word at once
 *     (push_aggregated.cuh), and one block runs levels of few edges while the others wait
 *     (single_block.cuh).
 *   - Pull: if the graph has hubs, a pull first probes the hub parent of every unvisited vertex: of
 *     its first 8 in-neighbors the one of highest degree. Then a warp's lanes fetch unvisited
 *     vertices from a list and scan a sector of 32 bytes of in-edges at a time; vertices still
 *     unvisited after 128 edges go to a second, load-balanced pass.
 *   - Push by slices: a frontier of hubs with a tenth of the edges is pushed by ranges of targets,
 *     whose bits are in a multiprocessor's shared memory, as rows are sorted (push_sliced.cuh).
 *   - Deferred writes: a push before a pull writes neither levels nor a queue; the pull writes
 *     those levels with its own, a cache line at a time, and the first pull writes -1 to vertices
 *     that are not found, so that no separate pass fills the arrays. A pull before a push queues
 *     the vertices that it finds.
 *   - If memory is short, queues have room for n / 16 vertices.
 * Needs: in-edges, cooperative launch. Scratch: two queues of n + m / 256 chunks (16 bytes), three
 *   or four bitmaps, n hub parents, n ELL rows of 16 bytes if m <= 3 n, of 32 bytes if an
 *   undirected graph has 5 n <= m <= 7 n; with ELL rows also 32 KB per multiprocessor. Preparation:
 *   degree statistics, hub parents from at most 8 in-edges of each vertex, ELL rows.
 * Work: O(m); edges scanned unsuccessfully by a pull are scanned again in later levels. Launches:
 *   one per change of layer or 1,024 levels, four for a push by slices; if the grid runs the first
 *   launch, it and both events of the clock are one CUDA graph (prim/clocked.cuh). Barriers: one
 *   per level, or one for all consecutive levels of a single block; one or two more if the frontier
 *   is converted, one if a pull leaves long rows. Atomics: top-down, one claim per edge whose target
 *   looks unvisited (on the cluster and in a single block, one per edge); four or five per block and
 *   level, one on persistent blocks with ELL rows.
 * Good at: power laws, uniform and deep graphs. Bad at: graphs too small for a GPU. */
#include "cuda/bfs/auto/grid_level.cuh"
#include "cuda/bfs/auto/launch_config.cuh"
#include "cuda/bfs/auto/preprocess.cuh"
#include "cuda/bfs/auto/push_sliced.cuh"
#include "cuda/device/results/results.h"

#include <stddef.h>
#include <string.h>

static const char *const method_names[] = {"cluster",           "top-down",     "bottom-up",
                                           "persistent blocks", "single block", "sliced top-down"};
/* At lower depths persistent blocks do not take over: a frontier that has outgrown the cluster so
 * early grows so fast that they would run only a level or two. */
static const int PERSISTENT_MIN_DEPTH = 12;
/* In a launch of the grid cluster_max is at least persistent_max divided by this, so that the grid
 * also ends for a frontier that is too large for the cluster but far below the limit of persistent
 * blocks. */
static const int PERSISTENT_STREAK_DIVISOR = 8;

namespace {
/* The levels of a launch on the whole grid (fri_persistent_loop). */
template <class O, grid_variant VARIANT> struct grid_level_steps {
    static const bool AGGREGATED = VARIANT == GRID_AGGREGATED;
    const grid_params<O, VARIANT> &p;
    bfs_state s;
    decision *dec;
    shared_storage<O> *storage;

    __device__ __forceinline__ void decide() {
        decide_level<O, VARIANT>(p, s.depth, s.phase, dec);
        if (AGGREGATED)
            storage->push.hubs.count = storage->push.hubs.chunks = 0;
    }
    __device__ __forceinline__ bool ends() const { return dec->launch_ends; }
    __device__ __forceinline__ void clear() {
        p.control->counters[fri_spare_phase(s.phase)] = {0, 0, 0, 0, 0};
    }
    __device__ __forceinline__ void run() {
        if (AGGREGATED && dec->single_block) {
            single_block_levels(p, &s, dec, &storage->single_block);
            return;
        }
        grid_level<O, VARIANT>(p, s, *dec, storage);
        /* a copy: the first thread calls decide(), which overwrites *dec, while others still run */
        const bool bottom_up = dec->bottom_up;
        fri_grid_sync(); /* the level is complete, except for long rows */
        if (bottom_up)
            finish_long_rows(p, s, dec, &storage->push.tile);
        s.phase = fri_next_phase(s.phase);
        s.depth++;
    }
};
} // namespace

/* Runs levels from s.depth on until the frontier is empty, max_levels are done, or the small kernel
 * fits better. */
template <class O, grid_variant VARIANT>
static __global__ void __launch_bounds__(FRI_GRID_THREADS, FRI_GRID_BLOCKS_PER_SM)
    grid_kernel(const __grid_constant__ grid_params<O, VARIANT> p, bfs_state s) {
    FRI_SHARED(shared_storage<O>, storage, 1);
    FRI_SHARED(decision, dec, 1);
    const bool uninitialized =
        p.initializes && (p.features & FEATURE_LAZY_INIT) && (p.features & FEATURE_BITMAP_CLAIMS);
    if (threadIdx.x == 0) {
        *dec = {};
        dec->edges_of_frontiers = s.edges_of_frontiers;
        dec->vertices_visited = s.vertices_visited;
        dec->clean = s.clean;
        dec->next_kind = (frontier_kind)s.frontier_kind;
        dec->uninitialized = uninitialized || s.uninitialized;
        dec->done = s.levels_done;
        dec->defers_levels = s.levels_done > 0;
        if (!p.initializes)
            dec->first = read_frontier_size(p, s.phase);
    }
    if (p.initializes) {
        initialize(p, uninitialized, &dec->first);
        fri_grid_sync(); /* arrays and queue are initialized */
    }
    grid_level_steps<O, VARIANT> steps = {p, s, dec, storage};
    fri_persistent_loop(steps);
    s = steps.s;
    if (!dec->wants_slices && (dec->uninitialized || dec->flags.levels_deferred))
        flush_deferred(p, s.depth, dec->flags.levels_deferred, dec->uninitialized,
                       &p.control->counters[s.phase]);
    s.frontier_kind = dec->kind;
    s.vertices_visited = dec->vertices_visited;
    s.edges_of_frontiers = dec->edges_of_frontiers;
    s.wants_slices = dec->wants_slices;
    s.uninitialized = dec->wants_slices && dec->uninitialized;
    s.sliced_ps = dec->sliced_ps;
    save_state(p, s, dec->done);
}

static size_t bitmap_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(words_of(g->n), sizeof(uint32_t)));
}
static size_t queue_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(queue_capacity(g), sizeof(edge_chunk)));
}
static size_t no_in_edges_bytes(const fri_gpu *g) {
    return has_feature(g, FEATURE_SKIP_NO_IN_EDGES) ? bitmap_bytes(g) : 0;
}

static const size_t PUBLISHED_BYTES = 2 * MAX_GRID_BLOCKS * sizeof(uint32_t);

static size_t shared_entries_bytes(const fri_gpu *g) {
    return ell_bytes(g) ? fri_align_line(2 * (size_t)persistent_blocks(g) * PERSISTENT_CAPACITY *
                                         sizeof(shared_entry))
                        : 0;
}

static size_t scratch(const fri_gpu *g) {
    return 2 * queue_bytes(g) + 3 * bitmap_bytes(g) + hub_parents_bytes(g) + no_in_edges_bytes(g) +
           ell_bytes(g) + shared_entries_bytes(g) + fri_align_line(PUBLISHED_BYTES) +
           fri_gpu_trace_bytes();
}

/* Bytes of the next queue's memory that a hub takes, with its bounds, in a push by slices. */
static size_t hub_bytes(int32_t slices) {
    return sizeof(edge_chunk) + (size_t)slices * sizeof(int32_t);
}

template <class O> static bfs_params<O> params_of(fri_gpu *g) {
    char *at = g->scratch;
    bfs_params<O> p = {};
    p.out = fri_csr_view_of<O>(g->out);
    p.in = fri_csr_view_of<O>(g->in);
    p.n = g->n;
    p.m = g->m;
    p.symmetric = g->job->csr.symmetric;
    p.level = g->bfs.level;
    p.unreached = g->bfs.unreached;
    p.parent = g->parent;
    for (int i = 0; i < 2; i++)
        p.queue[i] = (edge_chunk *)fri_carve(&at, queue_bytes(g));
    for (int i = 0; i < 2; i++)
        p.frontier_bits[i] = (uint32_t *)fri_carve(&at, bitmap_bytes(g));
    p.visited = (uint32_t *)fri_carve(&at, bitmap_bytes(g));
    p.hub_parents =
        hub_parents_bytes(g) ? (int32_t *)fri_carve(&at, hub_parents_bytes(g)) : nullptr;
    p.no_in_edges =
        no_in_edges_bytes(g) ? (uint32_t *)fri_carve(&at, no_in_edges_bytes(g)) : nullptr;
    p.ell = ell_bytes(g) ? (int4 *)fri_carve(&at, ell_bytes(g)) : nullptr;
    p.published_entries = (uint32_t *)fri_carve(&at, fri_align_line(PUBLISHED_BYTES));
    p.shared_entries =
        shared_entries_bytes(g) ? (shared_entry *)fri_carve(&at, shared_entries_bytes(g)) : nullptr;
    p.trace = fri_gpu_carve_trace(g, &at);
    p.sources = g->sources;
    p.control = (bfs_control *)g->control;
    p.features = ALL_FEATURES & ~(int32_t)g->job->knob[KNOB_DISABLE];
    p.push_factor = (float)g->job->knob[KNOB_PUSH_COST] / 100.0f;
    p.direction = (int32_t)g->job->knob[KNOB_DIRECTION];
    p.slices = slice_count(g);
    p.sliced_min_edges =
        g->job->knob[KNOB_SLICES] == FR_KNOB_AUTO ? fri_sliced_min_edges((float)g->n) : 0;
    p.max_hubs = (int32_t)FRI_MIN(queue_bytes(g) / hub_bytes(p.slices), (size_t)INT32_MAX);
    return p;
}

/* The parameters that only this variant of the grid's kernel has. */
template <class O> static void add_params(fri_gpu *, bfs_params<O> *) {}
template <class O> static void add_params(fri_gpu *g, deferring_params<O> *p) {
    p->pulls_defer = pulls_may_defer(g);
}
template <class O> static void add_params(fri_gpu *g, short_queue_params<O> *p) {
    p->pulls_defer = pulls_may_defer(g);
    p->queue_vertices = queue_vertices(g);
    p->findable = (int32_t)FRI_MIN((int64_t)g->n, (int64_t)p->reachable + g->source_count);
}
template <class O, grid_variant VARIANT>
static grid_params<O, VARIANT> extend_params(fri_gpu *g, const bfs_params<O> &p) {
    grid_params<O, VARIANT> all = {p};
    add_params(g, &all);
    return all;
}

static unsigned grid_threads(const fri_gpu *g) {
    return (unsigned)fri_gpu_threads_per_block(g, KNOB_GRID_THREADS, FRI_GRID_THREADS);
}
static unsigned grid_blocks(const fri_gpu *g) {
    return (unsigned)(FRI_GRID_BLOCKS_PER_SM * g->multiprocessors);
}

/* Calls use(kernel, parameters) with the variant for the graph, and returns its result. */
template <class O, class F>
static cudaError_t with_grid_kernel(fri_gpu *g, const bfs_params<O> &p, F use) {
    if (has_short_queues(g))
        return use(grid_kernel<O, GRID_SHORT_QUEUES>, extend_params<O, GRID_SHORT_QUEUES>(g, p));
    if (pulls_may_defer(g))
        return use(grid_kernel<O, GRID_DEFERRING>, extend_params<O, GRID_DEFERRING>(g, p));
    return uses_aggregation(g) ? use(grid_kernel<O, GRID_AGGREGATED>, p)
                               : use(grid_kernel<O, GRID_PLAIN>, p);
}

static bfs_control *host_control(fri_gpu *g) { return (bfs_control *)g->host_control; }

/* Reserves tags for a launch of `max_levels` levels, none of which occurs in shared_entries: the entries
 * are cleared before the first tags and when tags run out. */
static fr_status reserve_tags(fri_gpu *g, int32_t max_levels, uint32_t *first) {
    uint32_t *next = &((auto_state *)g->state)->next_tag;
    const bool clears = shared_entries_bytes(g) && (*next == 0 || *next > INT32_MAX);
    *next = *next == 0 || *next > INT32_MAX ? 1 : *next;
    *first = *next;
    *next += (uint32_t)max_levels + 2;
    return clears ? fri_gpu_check(g,
                                  cudaMemsetAsync(params_of<uint32_t>(g).shared_entries, 0,
                                                  shared_entries_bytes(g), g->stream),
                                  "clearing tags")
                  : FR_OK;
}

template <class O> static cudaError_t open_first_launch(fri_gpu *g, const bfs_params<O> &p) {
    return with_grid_kernel(g, p, [&](auto kernel, const auto &its) {
        return fri_clocked_open(&state_of(g)->first_launch, kernel, grid_blocks(g), grid_threads(g),
                                g->clock_start, g->clock_stop, g->stream, its, bfs_state());
    });
}

/* The kernels of pushes by slices, which otherwise the first such level of a process would load. */
template <class O> static void load_slice_kernels() {
    fri_load_kernel((const void *)split_rows_kernel<O>);
    fri_load_kernel((const void *)bounds_kernel<O>);
    fri_load_kernel((const void *)push_slices_kernel<O>);
}

/* Preprocessing that needs only offsets, and the driver queries of launches. */
static fr_status prepare_during_upload(fri_gpu *g) {
    const bool symmetric = g->job->csr.symmetric;
    auto_state *state = (auto_state *)fri_calloc(g->job->ctx, sizeof(auto_state));
    cudaError_t error = cudaSuccess;
    if (!state)
        return FR_NOMEM;
    g->state = state;
    FRI_BY_OFFSET_TYPE(
        g, preprocess_offsets<O>(g, g->out, symmetric ? params_of<O>(g).no_in_edges : nullptr));
    FRI_BY_OFFSET_TYPE(g, fri_load_kernel((const void *)hub_parent_kernel<O>));
    if (slice_count(g))
        FRI_BY_OFFSET_TYPE(g, load_slice_kernels<O>());
    FRI_GPU_TRY(read_degree_stats(g, &state->stats));
    FRI_BY_OFFSET_TYPE(g, state->cluster = choose_cluster<O>(g));
    FRI_BY_OFFSET_TYPE(g, error = open_first_launch(g, params_of<O>(g)));
    return fri_gpu_check(g, error, "preparing a launch");
}

/* Preprocessing that needs the edges. */
static fr_status prepare_after_upload(fri_gpu *g) {
    degree_stats of_in;
    uint32_t unused_tag;
    if (!g->job->csr.symmetric) {
        FRI_GPU_TRY(fri_gpu_clear_control(g));
        FRI_BY_OFFSET_TYPE(g, preprocess_offsets<O>(g, g->in, params_of<O>(g).no_in_edges));
    }
    FRI_BY_OFFSET_TYPE(g, preprocess_edges<O>(g, params_of<O>(g)));
    FRI_GPU_TRY(reserve_tags(g, 0, &unused_tag));
    /* of in-edges; if the graph is undirected, what prepare_during_upload has read already */
    FRI_GPU_TRY(read_degree_stats(g, &of_in));
    state_of(g)->stats.reachable = of_in.reachable;
    return FR_OK;
}

static void release(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    if (g && g->state)
        fri_clocked_close(&state_of(g)->first_launch);
    fri_gpu_release(job);
}

/* Whether run_levels() itself initializes the arrays and zeroes the counters. */
static bool initializes_arrays(const fri_gpu *g) {
    return has_feature(g, FEATURE_FUSED_INIT) && g->source_count == 1 && !g->job->target_map &&
           !g->job->in->counters;
}

static fr_status clear_visited(fri_gpu *g) {
    const bfs_params<uint32_t> p = params_of<uint32_t>(g);
    size_t bytes = fri_bytes(words_of(g->n), sizeof(uint32_t));
    return fri_gpu_check(g,
                         p.no_in_edges ? cudaMemcpyAsync(p.visited, p.no_in_edges, bytes,
                                                         cudaMemcpyDeviceToDevice, g->stream)
                                       : cudaMemsetAsync(p.visited, 0, bytes, g->stream),
                         "clearing");
}

template <class O> static void seed(fri_gpu *g, bool queues) {
    const unsigned blocks = fri_gpu_blocks(g->source_count, PREPROCESS_THREADS);
    const auto kernel = queues ? seed_kernel<O> : seed_levels_kernel<O>;
    FRI_RUN(kernel, blocks, PREPROCESS_THREADS, params_of<O>(g), g->source_count);
}

/* One source: run_levels() initializes the arrays. Several: level and parent are initialized; sets
 * the queue and the bitmap. */
static fr_status start_query(fri_gpu *g) {
    static_assert(sizeof(bfs_control) <= FRI_CONTROL_DRIVER_BEGIN * sizeof(int32_t),
                  "bfs_control ends before the driver's control words");
    memset(g->host_control, 0, FRI_GPU_CONTROL_WORDS * sizeof(int32_t));
    state_of(g)->estimates_edges = false;
    host_control(g)->counters[0].entries = g->source_count; /* decides the first level's layer */
    if (initializes_arrays(g))
        return FR_OK;
    FRI_GPU_TRY(clear_visited(g));
    const bool fits = g->source_count <= queue_vertices(g);
    host_control(g)->frontier_kind = fits ? QUEUE : LEVELS;
    FRI_BY_OFFSET_TYPE(g, seed<O>(g, fits));
    return FR_OK;
}

/* Launches the cluster or the persistent blocks. */
template <class O>
static void launch_small(fri_gpu *g, const bfs_params<O> &p, const bfs_state &s,
                         const small_config *config) {
    if (p.initializes)
        FRI_RUN((initialize_kernel<O>),
                FRI_MIN(8 * grid_blocks(g), fri_gpu_blocks(g->n / 4, PREPROCESS_THREADS)),
                PREPROCESS_THREADS, p);
    const unsigned blocks = (unsigned)config->blocks, threads = (unsigned)config->threads;
    const auto persistent_kernel =
        p.ell ? small_kernel<O, persistent_ell> : small_kernel<O, persistent>;
    const auto cluster_kernel = p.ell ? small_kernel<O, cluster_ell> : small_kernel<O, cluster>;
    if (config->is_persistent)
        FRI_LAUNCH_COOPERATIVE(persistent_kernel, blocks, threads, config->shared_bytes, g->stream,
                               p, s, (int32_t)0);
    else
        FRI_LAUNCH_CLUSTER(cluster_kernel, blocks, threads, config->shared_bytes, g->stream, p, s,
                           (int32_t)config->has_bitmap);
}

/* A traversal's first launch also starts the clock; every launch ends with stopping it. */
template <class O>
static fr_status launch(fri_gpu *g, const bfs_params<O> &p, const bfs_state &s,
                        const small_config *config) {
    if (p.initializes && !config)
        return fri_gpu_check(g,
                             with_grid_kernel(g, p,
                                              [&](auto kernel, const auto &its) {
                                                  return FRI_LAUNCH_CLOCKED(
                                                      &state_of(g)->first_launch, kernel,
                                                      grid_blocks(g), grid_threads(g), g->stream,
                                                      its, s);
                                              }),
                             "launching levels");
    if (p.initializes)
        FRI_GPU_TRY(fri_gpu_start_clock(g));
    if (config)
        launch_small(g, p, s, config);
    else
        with_grid_kernel(g, p, [&](auto kernel, const auto &its) {
            FRI_LAUNCH_COOPERATIVE(kernel, grid_blocks(g), grid_threads(g), 0, g->stream, its, s);
            return cudaSuccess;
        });
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching levels"));
    return fri_gpu_stop_clock(g);
}

/* Submits the push by slices for which the last launch ended; *s becomes the state after it. */
template <class O> static fr_status push_slices(fri_gpu *g, const bfs_params<O> &p, bfs_state *s) {
    const int32_t words = words_of(p.n), slice_words = (words + p.slices - 1) / p.slices;
    edge_chunk *hubs = p.queue[(s->depth + 1) & 1];
    const sliced_level level = {s->depth,
                                s->phase,
                                host_control(g)->sliced_ps,
                                {p.slices, slice_words, hubs, (int32_t *)(hubs + p.max_hubs)}};
    const unsigned blocks = (unsigned)(8 * g->multiprocessors);
    const size_t shared_bytes = fri_bytes(slice_words, sizeof(uint32_t));
    FRI_GPU_TRY(
        fri_gpu_zero(g, p.frontier_bits[(s->depth + 1) & 1], fri_bytes(words, sizeof(uint32_t))));
    FRI_RUN((split_rows_kernel<O>), blocks, SPLIT_THREADS, p, level);
    FRI_RUN((bounds_kernel<O>), blocks, SPLIT_THREADS, p, level);
    fri_allow_shared_bytes((const void *)push_slices_kernel<O>, shared_bytes);
    FRI_LAUNCH((push_slices_kernel<O>), (unsigned)p.slices, SLICED_THREADS, shared_bytes, g->stream,
               p, level);
    s->uninitialized = host_control(g)->uninitialized;
    s->phase = (s->phase + 1) % FRI_PHASES;
    s->frontier_kind = BITMAP;
    s->levels_done = 1;
    s->depth++;
    return FR_OK;
}

template <class O> static fr_status launch_levels(fri_gpu *g, int32_t depth, int32_t max_levels) {
    const bfs_control *c = host_control(g);
    /* initialize() clears the bitmaps */
    const int clean = depth == 0 && initializes_arrays(g) ? 3 : 0;
    bfs_state s = {
        depth, c->frontier_kind, c->vertices_visited, c->last_phase, clean, c->edges_of_frontiers,
        0};
    const level_counters *now = &c->counters[s.phase];
    small_config config = state_of(g)->cluster; /* not used by a launch of the grid */
    bfs_params<O> p = params_of<O>(g);
    p.reachable = state_of(g)->stats.reachable;
    p.max_degree = state_of(g)->stats.max_degree;
    p.max_levels = max_levels;
    p.ell = has_ell(g) ? p.ell : nullptr;
    p.hub_parents = uses_hub_parents(g) ? p.hub_parents : nullptr;
    p.initializes = depth == 0 && initializes_arrays(g);
    p.log2_ell_width = p.ell ? ell_log2_width(g) : 0;
    p.source = g->job->in->query.sources[0];
    FRI_GPU_TRY(reserve_tags(g, max_levels, &p.tag_base));
    p.tag_base -= (uint32_t)depth; /* a level's tag is tag_base + depth */
    set_layer_limits(g, &p);
    if (c->wants_slices)
        FRI_GPU_TRY(push_slices(g, p, &s));
    p.push_factor *= uses_aggregation(g) ? FRI_PUSH_AGGREGATED_FACTOR : 1.0f;
    bool eligible = s.frontier_kind == QUEUE && p.direction != DIRECTION_PULL &&
                    (depth || starts_small(g)) && queue_holds_small_layers(g);
    bool small = eligible && is_small(now->entries, now->edges, p.cluster_max);
    const bool too_early = depth && depth <= PERSISTENT_MIN_DEPTH;
    const bool persistent =
        eligible && !small && !too_early && is_small(now->entries, now->edges, p.persistent_max);
    if (persistent)
        config = persistent_config(g);
    else if (!small)
        p.cluster_max = FRI_MAX(p.cluster_max, p.persistent_max / PERSISTENT_STREAK_DIVISOR);
    p.block_capacity = config.block_capacity;
    return launch(g, p, s, small || persistent ? &config : nullptr);
}

/* Whether the edges of a frontier that the small kernel drops are an estimate: the edges of dropped ELL
 * rows are never counted, and counts of 32 bits take at most MAX_COUNTED_EDGES of a vertex. */
static bool estimates_dropped_edges(const fri_gpu *g) {
    return has_ell(g) || state_of(g)->stats.max_degree > MAX_COUNTED_EDGES || g->m > UINT32_MAX;
}

#define WORD_OF(member) (int)(offsetof(bfs_control, member) / sizeof(int32_t))

static fr_status read_control(fri_gpu *g, int32_t depth) {
    const fri_gpu_ending end = {WORD_OF(counters[0].vertices),
                                (int)(sizeof(level_counters) / sizeof(int32_t)),
                                WORD_OF(last_phase),
                                WORD_OF(levels),
                                depth,
                                (int)(sizeof(bfs_control) / sizeof(int32_t))};
    return fri_gpu_read_levels(g, &end);
}

static fr_status submit(fri_gpu *g, int32_t depth, int32_t max_levels) {
    fr_status status = FR_OK;
    FRI_BY_OFFSET_TYPE(g, status = launch_levels<O>(g, depth, max_levels));
    return status;
}

static fr_status submit_levels(fri_gpu *g, int32_t max_levels) { return submit(g, 0, max_levels); }

static fr_status run_levels(fri_gpu *g, int32_t depth, int32_t max_levels,
                            fri_gpu_progress *progress) {
    bfs_control *c = host_control(g);
    unsigned long long before = c->edges_scanned;
    if (!g->bfs.submitted)
        FRI_GPU_TRY(submit(g, depth, max_levels));
    g->bfs.submitted = false;
    g->bfs.end_recorded = true;
    FRI_GPU_TRY(read_control(g, depth));
    progress->levels = c->levels;
    progress->found = c->counters[c->last_phase].vertices;
    progress->edges = (int64_t)(c->edges_scanned - before);
    if (c->frontier_kind == LEVELS && estimates_dropped_edges(g))
        state_of(g)->estimates_edges = true;
    progress->reached = progress->found || state_of(g)->estimates_edges ? 0 : c->vertices_visited;
    progress->reached_edges = (int64_t)c->edges_of_frontiers;
    return fri_gpu_report_levels(g, params_of<uint32_t>(g).trace, method_names, progress);
}

/* Names of the FEATURE_* bits from the lowest on: each turns an optimization off in order to
 * measure it. */
static const char *const features[] = {"fused-init",       /* one launch fills arrays and starts */
                                       "bitmap-claims",    /* else claims go to the levels */
                                       "cluster-bitmap",   /* visited bits in shared memory */
                                       "skip-queue",       /* no queue before a pull */
                                       "hub-parents",      /* pulls probe the hub parent first */
                                       "local-finds",      /* found vertices stay in their block */
                                       "ell",              /* entries carry their targets */
                                       "skip-no-in-edges", /* such vertices count as visited */
                                       "balanced-push",    /* edges spread evenly over threads */
                                       "direct-bitmap",    /* a push sets the next pull's bits */
                                       "history-cull",     /* skip targets claimed recently */
                                       "strict-balance",   /* rebalance if it saves an iteration */
                                       "deferred-levels",  /* a pull writes the push's levels */
                                       "pull-queues",      /* a pull writes the next push's queue */
                                       "lazy-init",        /* the first pull fills the arrays */
                                       "aggregated-claims", /* one claim per warp and word */
                                       "single-block",      /* one block runs levels of few edges */
                                       "sliced-push",       /* hubs are pushed in shared memory */
                                       nullptr};
static_assert(sizeof features / sizeof *features == FEATURE_COUNT + 1, "a name for each feature");

static const fr_knob knobs[] = {
    {"cluster", FR_KNOB_AUTO, 1, 16,
     "blocks of the cluster that runs small levels, a power of two; default 16"},
    {"cluster_max", FR_KNOB_AUTO, 0, 1e9,
     "maximum queue entries of a level on the cluster; default: its threads if entries carry four "
     "targets or persistent_max is 0, 2,048 if they carry eight, else 1,024"},
    {"direction", 0, 0, 2, "0: by expected time; 1: always top-down; 2: always bottom-up"},
    {"grid_threads", FR_KNOB_AUTO, 32, FRI_GRID_THREADS,
     "threads per block of the grid, whole warps; default 512, fewer on graphs below 8,192 "
     "vertices"},
    {"cluster_threads", FR_KNOB_AUTO, 32, SMALL_THREADS,
     "threads per block of the cluster; default as grid_threads"},
    {"push_cost_percent", 100, 1, 10000,
     "expected time of top-down levels, in percent of the cost model's"},
    {"disable", 0, 0, (double)ALL_FEATURES, "optimizations to disable in order to measure them",
     features},
    {"persistent_max", 65536, 0, 1e6,
     "maximum queue entries of a level on persistent blocks (one per multiprocessor), which run "
     "levels too large for the cluster; 0: never"},
    {"persistent_threads", FR_KNOB_AUTO, 32, SMALL_THREADS,
     "threads per persistent block; default 768 if entries carry their targets (minimum 64), else "
     "1,024"},
    {"queue_divisor", FR_KNOB_AUTO, 1, 1e9,
     "queues have room for n / queue_divisor vertices, and levels that may exceed it do without a "
     "queue; default 1, or 16 if memory is short"},
    {"slices", FR_KNOB_AUTO, 1, 65536,
     "slices of the vertices by which each queue of the grid, but the first of a launch, is "
     "pushed, or more if shared memory requires it; default: a multiple of the multiprocessors, "
     "where the expected time is shorter, in graphs from 1,048,576 vertices on"},
    {"deferring_pull_min", 8e6, 0, 4e9,
     "vertices from which on a pull from few vertices before another pull leaves the levels that "
     "it finds to it"},
    {nullptr, 0, 0, 0, nullptr}};

/* Reduces memory step by step: shorter queues, then no ELL rows, then no hub parents. */
static bool save_memory(fri_job *job, int step) {
    static const int without[] = {0, FEATURE_ELL, FEATURE_ELL | FEATURE_HUB_PARENTS};
    if (step >= (int)(sizeof without / sizeof *without))
        return false;
    if (job->knob[KNOB_QUEUE_DIVISOR] == FR_KNOB_AUTO)
        job->knob[KNOB_QUEUE_DIVISOR] = SHORT_QUEUE_DIVISOR;
    job->knob[KNOB_DISABLE] = (double)((int)job->knob[KNOB_DISABLE] | without[step]);
    return true;
}

#define DEVICE_SIDE                                                                                \
    .scratch = scratch, .save_memory = save_memory, .start_query = start_query,                    \
    .run_levels = run_levels, .initializes_arrays = initializes_arrays,                            \
    .submit_levels = submit_levels, .ends_with_levels = true,                                      \
    .prepare_during_upload = prepare_during_upload, .prepare_after_upload = prepare_after_upload
static const fri_gpu_strategy device_side = {DEVICE_SIDE},
                              distances_side = {DEVICE_SIDE, .distances_are_levels = true};

#define STRATEGY(of, what, side, also, how)                                                        \
    {                                                                                              \
        .name = "auto", .source = "fringe", .text = what, .problem = of,                           \
        .backend = FR_BACKEND_CUDA,                                                                \
        .needs = FRI_NEEDS_IN_EDGES | FRI_TAKES_CSR_ON_DEVICE | (also), .knobs = knobs,            \
        .counts = FRI_COUNTS_CLAIMS, .gpu = &(side), .device_bytes = fri_gpu_bytes,                \
        .prepare = fri_gpu_prepare, .release = release, .run = how                                 \
    }
FRI_GPU_STRATEGY(fri_gpu_bfs_auto) = STRATEGY(
    FR_PROBLEM_BFS, "small levels on a cluster, large ones on the whole GPU, top-down or bottom-up",
    device_side, 0, fri_gpu_bfs_run);
/* SSSP `auto` gives it the graphs in which every edge counts the same (choose() in sssp/auto/auto.cu). */
FRI_GPU_STRATEGY(fri_gpu_sssp_levels) = STRATEGY(FR_PROBLEM_SSSP, "BFS: every edge counts the same",
                                                 distances_side, FRI_SUMS_LEVELS,
                                                 fri_gpu_levels_run);
