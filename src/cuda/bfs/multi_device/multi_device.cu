/* BFS, `multi-device`: one traversal over all GPUs of a host.
 *
 * Source: ours. The partition by target with a replicated frontier is from src/ranks; directions and
 *   the algorithms of a level are from BFS `auto`.
 * Idea: each GPU holds a range of vertices and all edges into them, twice: pull rows of its own
 *   vertices, and push rows of every vertex. All GPUs know the whole frontier as a bitmap. So
 *   claims, levels and parents are local, hubs are divided among the GPUs, and only what was found
 *   travels: a word of the next bitmap is stored to every other GPU once it is final. A persistent
 *   kernel per GPU runs all levels, with one joint barrier per level that also sums the counters
 *   (prim/joint.cuh). The bitmap has three buffers in turn: one is read, one written by all GPUs, one
 *   cleared if it was written.
 *   - Levels of few edges exchange lists of vertices instead of bitmaps (list_level.cuh).
 *   - A frontier of hubs, which such a level has listed, is pushed by slices (sliced_level.cuh).
 *   - A push saves the words of visited vertices; the difference is what it has found. If a pull will
 *     follow, the pull writes the levels and counts the edges of both.
 *   A GPU chooses the direction of a level by the cost model of `auto`, applied to its share of vertices
 *   and edges. Directions may differ between GPUs. The choice of lists and the end of the traversal are
 *   the same on all, because they depend on summed integers only; the sums also tell whether a GPU has
 *   written no list or one that is too long.
 * Needs: the rows on the host, in-edges included; peer access between the GPUs; cooperative launch. A
 *   query runs a host thread per GPU. Scratch of a GPU with n' vertices and m' edges into them: 8 m' for
 *   the edges, 4 (n + n') offsets, 16 (min(n, m') + m' / 256) queue, 3 n / 8 bitmaps, n / 4 lists for each
 *   GPU, 12 n' results and hub parents, 4 n sources.
 * Work: as `auto` without its small layers. Barriers per level: a joint one; barriers of the grid: none or
 *   one by lists, two in a push, one or two in a pull if a vertex has a long row. Atomics: one claim per
 *   vertex found, and one per warp that appends to lists.
 * Good at: large graphs of few levels. Bad at: deep graphs, which a policy keeps on one GPU (multi_device/plan.c).
 *
 * A wait in a kernel is bounded: if a GPU fails, the others end after max_polls polls and the query is
 * FR_DEVICE.
 */
#include "cuda/bfs/multi_device/decide.cuh"
#include "cuda/bfs/multi_device/sliced_level.cuh"
#include "cuda/multi_device/launch.cuh"

#include "cuda/bfs/auto/preprocess.cuh"

#include <string.h>

static const char *const method_names[] = {"", "top-down", "bottom-up", "top-down by lists",
                                           "sliced top-down"};
static const int THREADS = 256; /* of kernels that prepare */
/* Of pushes by slices: fewest own vertices; shared memory in bytes that the driver takes from each block, and
 * an upper bound for the kernel's small arrays. */
static const int SLICED_MIN_VERTICES = 1 << 19;
static const size_t BLOCK_RESERVED = 1024, STATIC_BYTES = 2048;

/* ---- the start ---- */

/* All threads of the grid: fills level and parent unless the first pull will (`lazy`), clears the bitmaps
 * that an earlier query has left, and lists a single source. */
template <class O> static __device__ void initialize_slice(const slice_params<O> &p, bool lazy) {
    const int64_t me = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    const int32_t source = p.source_count == 1 ? p.source : INT32_MIN;
    for (int64_t v = me; v < p.own.n; v += all) {
        const bool is_source = v + p.first == source;
        if (lazy && !is_source)
            continue;
        p.own.level[v] = is_source ? 0 : -1;
        if (p.own.parent)
            p.own.parent[v] = is_source ? source : -1;
    }
    for (int map = 0; map < 3; map++)
        for (int64_t i = me; p.dirty >> map & 1 && i < p.words; i += all)
            bits_of(p, p.joint.me, map)[i] = 0;
    if (me == 0) /* lists have room for a source */
        list_of(p, p.joint.me, 0, 0)[0] = p.source;
    for (int64_t i = me; i < words_of(p.own.n); i += all) {
        const int32_t word = (int32_t)i + p.first_word;
        p.own.visited[i] =
            p.own.no_in_edges[i] | (source / FRI_WARP == word ? 1u << (source % FRI_WARP) : 0);
    }
}

/* All threads of the grid, after a barrier: several sources. */
template <class O> static __device__ void seed_slice(const slice_params<O> &p) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.source_count; i += all) {
        const int32_t v = p.own.sources[i], own = v - p.first;
        atomicOr(&bits_of(p, p.joint.me, 0)[v / FRI_WARP], 1u << (v % FRI_WARP));
        if (own < 0 || own >= p.own.n)
            continue;
        atomicOr(&p.own.visited[own / FRI_WARP], 1u << (own % FRI_WARP)); /* threads share words */
        p.own.level[own] = 0;
        if (p.own.parent)
            p.own.parent[own] = v;
    }
}

/* No device may store to a bitmap that another still clears. So a joint barrier ends the start, unless
 * the barrier after a level by lists follows first: what it stores to, the start does not write. */
template <class O>
static __device__ bool start_slice(const slice_params<O> &p, bool by_lists, fri_joint_state *joint,
                                   unsigned long long *sums) {
    initialize_slice(p, p.source_count == 1);
    if (by_lists)
        return fri_joint_grid_sync(p.joint, joint);
    if (p.source_count > 1) {
        if (!fri_joint_grid_sync(p.joint, joint)) /* the bitmaps are clear */
            return false;
        seed_slice(p);
    }
    return fri_joint_sync(
        p.joint, joint, [](int) { return 0ull; }, sums);
}

/* ---- the levels ---- */

namespace {
/* The body of fri_persistent_loop(). */
template <class O> struct slice_steps {
    const slice_params<O> &p;
    shared_storage<O> *storage;
    slice_decision *decision;
    unsigned long long *sums, *stored_by; /* in shared memory; the latter of each device */
    fri_joint_state joint;
    int32_t depth;
    int phase;
    bool completed; /* no device has given up */

    __device__ void decide() { decide_slice_level(p, depth, sums, stored_by, decision); }
    __device__ bool ends() const { return !completed || decision->ends; }
    __device__ void clear() {
        const int spare = fri_spare_phase(phase);
        p.control->counters[spare] = {0, 0, 0, 0, 0};
        p.control->long_row_tiles[spare] = p.control->targets_found[spare] = 0;
        p.control->listed[spare] = p.control->hubs[spare] = p.control->words[spare] = 0;
    }
    /* the bitmap after the next: its readers are past the last barrier, its writers before the next */
    __device__ void clear_bits() {
        uint32_t *spare = bits_of(p, p.joint.me, depth + 2);
        const int64_t all = (int64_t)gridDim.x * blockDim.x;
        for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.words; i += all)
            spare[i] = 0;
    }
    __device__ unsigned long long own_sum(int i) const {
        const int next = fri_next_phase(phase);
        const level_counters *c = &p.control->counters[next];
        const bool lists = decision->by_lists || decision->also_lists;
        if (i == SUM_VERTICES)
            return (unsigned long long)decision->defers << DEFERRED_SHIFT |
                   (unsigned long long)fri_volatile_load(&p.control->hubs[next]) << HUBS_SHIFT |
                   (unsigned)fri_volatile_load(&c->vertices);
        if (i == SUM_EDGES)
            return fri_volatile_load(&c->edges);
        if (i == SUM_OTHER)
            return p.targets ? (unsigned)fri_volatile_load(&p.control->targets_found[next])
                             : fri_volatile_load(&c->uncounted_edges);
        const int32_t listed = fri_volatile_load(&p.control->listed[next]);
        return (unsigned long long)(lists ? FRI_MIN(listed, p.list_edges + 1) : (int)NO_LIST)
                   << LIST_SHIFT |
               (unsigned)fri_volatile_load(&p.control->words[next]);
    }
    __device__ bool run_level(slice_counters<O> *mine) {
        if (decision->by_lists)
            return list_level(p, depth, phase, *decision, storage, &joint, mine);
        if (decision->by_slices)
            return sliced_level(p, depth, phase, *decision, storage, &joint, mine);
        if (decision->bottom_up)
            return pull_level(p, depth, phase, *decision, storage, &joint, mine);
        return push_level(p, depth, phase, *decision, storage, &joint, mine);
    }
    __device__ void run() {
        slice_counters<O> mine = {};
        if (decision->clears)
            clear_bits();
        completed = run_level(&mine);
        if (!completed)
            return;
        commit_slice(p, fri_next_phase(phase), mine);
        completed = fri_joint_sync(
            p.joint, &joint, [&](int i) { return own_sum(i); }, sums, stored_by);
        phase = fri_next_phase(phase);
        depth++;
    }
};
} // namespace

/* All threads of the grid, at the end of a launch without a pull: initializes the remaining entries of
 * level and parent. */
template <class O> static __device__ void flush_undefined(const slice_params<O> &p, int32_t depth) {
    thread_counters<O> unused = {0, 0, 0};
    const int32_t all = words_of(p.own.n);
    for (int32_t first = fri_grid_warp() * FRI_WARP; first < all;
         first += fri_grid_warps() * FRI_WARP) {
        const int32_t word = first + fri_lane();
        const uint32_t undefined = word < all ? undefined_bits(p, word, ~p.own.visited[word]) : 0;
        write_levels(p.own, depth, first, {0, 0, undefined}, &unused);
    }
}

/* One thread of a block: initializes the decision state at the beginning of a launch. */
template <class O>
static __device__ void begin_decision(const slice_params<O> &p, slice_decision *d) {
    const fri_slice_report &b = p.before;
    const bool starts = p.depth == 0;
    *d = {};
    d->vertices = b.frontier_vertices;
    d->edges = b.frontier_edges;
    d->vertices_visited = b.vertices_visited;
    d->edges_of_frontiers = b.edges_of_frontiers;
    d->words_published = b.words_published;
    d->targets_found = b.targets_found;
    d->random_finds = b.random_finds;
    d->uninitialized = starts && p.source_count == 1;
    d->dirty = !starts ? p.dirty : p.source_count > 1; /* the sources are in the first bitmap */
    d->has_list = b.has_list;
    d->has_bitmap = b.has_bitmap;
    d->has_hubs = b.has_hubs;
    for (int from = 0; from < FRI_JOINT_DEVICES; from++)
        d->listed[from] = b.listed[from];
}

/* One thread of the grid. */
template <class O>
static __device__ void report(const slice_params<O> &p, const slice_decision &d,
                              uint32_t next_barrier) {
    fri_slice_report *r = &p.control->report;
    r->frontier_vertices = d.vertices;
    r->frontier_edges = d.edges;
    r->edges_of_frontiers = d.edges_of_frontiers;
    r->vertices_visited = d.vertices_visited;
    r->words_published = d.words_published;
    r->targets_found = d.targets_found;
    r->edges_scanned = fri_volatile_load(&p.control->edges_scanned);
    r->random_finds = d.random_finds;
    r->levels = d.done;
    r->next_barrier = next_barrier;
    r->dirty = d.dirty;
    r->has_list = d.has_list;
    r->has_bitmap = d.has_bitmap;
    r->has_hubs = d.has_hubs;
    for (int from = 0; from < FRI_JOINT_DEVICES; from++)
        r->listed[from] = d.listed[from];
    r->completed = 1;
}

template <class O>
static __global__ void __launch_bounds__(FRI_GRID_THREADS, FRI_GRID_BLOCKS_PER_SM)
    slice_kernel(const __grid_constant__ slice_params<O> p) {
    FRI_SHARED(shared_storage<O>, storage, 1);
    FRI_SHARED(slice_decision, decision, 1);
    FRI_SHARED(unsigned long long, sums, FRI_JOINT_SUMS);
    FRI_SHARED(unsigned long long, stored_by, FRI_JOINT_DEVICES);
    fri_joint_state joint = fri_joint_begin(p.joint);
    const bool starts = p.depth == 0;
    const bool by_lists = goes_by_lists(p, p.before.has_list, p.before.frontier_edges,
                                        (unsigned long long)p.m - p.before.frontier_edges);
    if (starts && !start_slice(p, by_lists, &joint, sums))
        return;
    if (threadIdx.x == 0)
        begin_decision(p, decision);
    slice_steps<O> steps = {p, storage, decision, sums, stored_by, joint, p.depth, 0, true};
    fri_persistent_loop(steps);
    if (!steps.completed)
        return;
    if (decision->uninitialized)
        flush_undefined(p, steps.depth);
    fri_trace_level(p.own.trace, decision->done, 0, 0, 0, 0);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        report(p, *decision, steps.joint.next);
}

/* ---- host ---- */

const char *const *fri_slice_method_names(void) { return method_names; }

/* The GPUs of a host are assumed to be of one model; slower ones would delay the others. */
static unsigned grid_blocks(const fri_gpu *g) {
    return (unsigned)(FRI_GRID_BLOCKS_PER_SM * g->multiprocessors);
}

template <class O> static bfs_params<O> own_params(const fri_slice *s) {
    const fri_gpu *g = s->g;
    const fri_job *job = g->job;
    const fri_gpu_csr out = {s->bfs.out_offsets, s->push.targets, nullptr, s->push.counts};
    bfs_params<O> own = {};
    own.out = fri_csr_view_of<O>(out);
    own.in = fri_csr_view_of<O>(s->pull);
    own.n = s->own;
    own.m = s->edges;
    own.level = g->bfs.level;
    own.unreached = -1;
    own.parent = g->parent;
    own.queue[0] = own.queue[1] = (edge_chunk *)s->bfs.queue;
    own.visited = s->bfs.visited;
    own.no_in_edges = s->bfs.no_in_edges;
    own.hub_parents = s->bfs.hub_parents;
    own.sources = g->sources;
    own.source = INT32_MIN;
    own.control = (bfs_control *)g->control;
    own.trace = s->trace;
    own.max_degree = s->bfs.max_out_degree;
    own.direction = (int32_t)job->knob[FRI_SLICE_KNOB_DIRECTION];
    own.features = FEATURE_BITMAP_CLAIMS | FEATURE_BALANCED_PUSH;
    own.push_factor = (float)job->knob[FRI_SLICE_KNOB_PUSH_COST] / 100.0f;
    return own;
}

/* Words of a slice if each block has one. */
static int32_t slice_words(const fri_slice *s) {
    const int32_t blocks = (int32_t)grid_blocks(s->g);
    return (words_of(s->own) + blocks - 1) / blocks;
}

/* Shared memory in bytes for a block's slice; 0: pushes by slices are off, or it does not fit. */
template <class O> static size_t slice_bytes(const fri_slice *s) {
    const fri_gpu *g = s->g;
    const double knob = s->job.knob[FRI_SLICE_KNOB_SLICED_PUSH];
    const int64_t min_own = knob == FR_KNOB_AUTO ? SLICED_MIN_VERTICES : 1;
    const size_t each = (g->max_shared_per_block + BLOCK_RESERVED) / FRI_GRID_BLOCKS_PER_SM,
                 taken = BLOCK_RESERVED + STATIC_BYTES + sizeof(shared_storage<O>),
                 bytes = fri_bytes(slice_words(s), sizeof(uint32_t));
    return knob != SLICED_PUSH_NEVER && s->own >= min_own && taken + bytes <= each ? bytes : 0;
}

/* The memory of the queue, which a level from lists does not fill, also holds hubs and their slices'
 * ends: by frontier vertex one hub, or the entries of a row that is none. */
template <class O> static void set_slices(const fri_slice *s, slice_params<O> *p) {
    const double knob = s->job.knob[FRI_SLICE_KNOB_SLICED_PUSH];
    p->sliced_push = knob == FR_KNOB_AUTO ? SLICED_PUSH_BY_COST : (int32_t)knob;
    if (slice_bytes<O>(s) == 0)
        return;
    const int32_t words = slice_words(s), slices = (words_of(s->own) + words - 1) / words;
    const int64_t entries = fri_hub_min_degree(slices) / CHUNK_EDGES + 1;
    const size_t each =
        fri_bytes(entries + 1, sizeof(edge_chunk)) + fri_bytes(slices - 1, sizeof(int32_t));
    p->max_sliced = fri_slice_queue_bytes(s) / each;
    p->by_slice = {slices, words, (edge_chunk *)s->bfs.queue + p->max_sliced * (size_t)entries,
                   nullptr};
    p->by_slice.slice_ends = (int32_t *)(p->by_slice.hubs + p->max_sliced);
}

template <class O> static slice_params<O> params_of(const fri_slice *s, int32_t max_levels) {
    const fri_slices *all = s->all;
    const fr_query *q = &all->job->in->query;
    slice_params<O> p = {};
    p.own = own_params<O>(s);
    p.own.max_levels = max_levels;
    p.rows = p.own;
    p.rows.out = fri_csr_view_of<O>(s->push);
    p.rows.n = all->job->csr.n;
    p.joint = joint_of(all, s->index);
    for (int k = 0; k < all->count; k++) {
        p.bits[k] = all->slice[k].bfs.bits;
        p.lists[k] = all->slice[k].bfs.lists;
        p.reachable += all->slice[k].bfs.reachable;
    }
    p.words = words_of(all->job->csr.n);
    p.first = s->first;
    p.first_word = s->first / FRI_WARP;
    p.list_edges = all->bfs.list_edges;
    p.min_degree = all->job->csr.symmetric ? 2 : 1; /* a single edge leads back */
    p.dirty = s->bfs.dirty;
    p.long_row_tiles = s->bfs.long_row_tiles;
    set_slices(s, &p);
    p.has_long_rows = s->bfs.max_in_degree > (uint32_t)(LANE_EDGES - SECTOR);
    p.targets = all->job->target_map ? (const uint32_t *)s->g->target_map : nullptr;
    p.targets_wanted = (unsigned long long)all->job->target_count;
    p.control = (slice_control *)s->g->control;
    p.n = all->job->csr.n;
    p.m = all->job->csr.m;
    p.source_count = (int32_t)q->source_count;
    p.source = q->sources[0];
    if (p.source_count == 1 && p.source >= s->first && p.source < s->first + s->own)
        p.own.source = p.source - s->first;
    p.depth = all->bfs.depth;
    p.before = all->bfs.report;
    return p;
}

template <class O> static fr_status preprocess(fri_slice *s) {
    fri_gpu *g = s->g;
    degree_stats of_in, of_out;
    const fri_csr_view<O> pull = fri_csr_view_of<O>(s->pull), push = fri_csr_view_of<O>(s->push);
    degree_stats *stats = (degree_stats *)g->control;
    const unsigned max_blocks = 8 * (unsigned)g->multiprocessors;
    FRI_RUN((degree_stats_kernel<O>), FRI_MIN(fri_gpu_blocks(s->own, THREADS), max_blocks), THREADS,
            pull, s->own, s->bfs.no_in_edges, stats);
    FRI_RUN((degree_stats_kernel<O>), FRI_MIN(fri_gpu_blocks(g->n, THREADS), max_blocks), THREADS,
            push, g->n, (uint32_t *)nullptr, stats + 1);
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, 2 * (int)(sizeof(degree_stats) / sizeof(int32_t))));
    memcpy(&of_in, g->host_control, sizeof of_in);
    memcpy(&of_out, (const char *)g->host_control + sizeof of_in, sizeof of_out);
    s->bfs.reachable = of_in.reachable;
    s->bfs.max_in_degree = of_in.max_degree;
    s->bfs.max_out_degree = of_out.max_degree;
    /* as `auto`: if degrees are even, no in-neighbor is likelier than another */
    if ((double)s->bfs.max_out_degree * (double)g->n <= 8.0 * (double)s->edges)
        s->bfs.hub_parents = nullptr;
    if (s->bfs.hub_parents && s->own)
        FRI_RUN_EACH((hub_parent_kernel<O>), s->own, THREADS, push, pull, s->own,
                     s->bfs.hub_parents);
    fri_load_kernel(
        (const void *)slice_kernel<O>); /* loading while another device's kernel waits blocks */
    return fri_gpu_launched(g);
}

fr_status fri_slice_preprocess(fri_slice *s) {
    fri_gpu *g = s->g;
    fr_status status = FR_OK;
    FRI_BY_OFFSET_TYPE(g, status = preprocess<O>(s));
    return status;
}

template <class O> static fr_status launch(fri_slice *s, int32_t max_levels) {
    fri_gpu *g = s->g;
    const unsigned threads =
        (unsigned)fri_gpu_threads_per_block(g, FRI_SLICE_KNOB_THREADS, FRI_GRID_THREADS);
    const slice_params<O> p = params_of<O>(s, max_levels);
    return fri_gpu_check(g,
                         FRI_LAUNCH_JOINT(s->all->count, slice_kernel<O>, grid_blocks(g), threads,
                                          slice_bytes<O>(s), g->stream, p),
                         "launching levels");
}

fr_status fri_slice_launch(fri_slice *s, int32_t max_levels) {
    fri_gpu *g = s->g;
    fr_status status = FR_OK;
    FRI_BY_OFFSET_TYPE(g, status = launch<O>(s, max_levels));
    return status;
}

fr_status fri_slice_read_report(fri_slice *s, fri_slice_report *to) {
    static_assert(sizeof(slice_control) <= FRI_CONTROL_DRIVER_BEGIN * sizeof(int32_t),
                  "slice_control ends before the driver's control words");
    const int words = (int)(sizeof(slice_control) / sizeof(int32_t));
    FRI_GPU_TRY(fri_gpu_read_control(s->g, 0, words));
    *to = ((const slice_control *)s->g->host_control)->report;
    return FR_OK;
}

static const fr_knob knobs[] = {
    {"all", 0, 0, 1, "1: on all GPUs of the context; 0: on all or on one, by expected time"},
    {"direction", 0, 0, 2, "0: by expected time; 1: always top-down; 2: always bottom-up"},
    {"grid_threads", FR_KNOB_AUTO, 32, FRI_GRID_THREADS,
     "threads per block, whole warps; default 512, fewer on graphs below 8,192 vertices"},
    {"push_cost_percent", 100, 1, 10000,
     "expected time of top-down levels, in percent of the cost model's"},
    {"hub_parents", 1, 0, 1, "1: a pull first probes the hub parent, if the graph has hubs"},
    {"list_edges", FR_KNOB_AUTO, 0, FRI_SLICE_MAX_LISTED,
     "maximum edges of a level in which GPUs exchange lists, not bitmaps, if at most 4 times as "
     "many are left, else an 8th of it; 0: never; default a 32nd of the vertices, 1,024 to "
     "2 million"},
    {"sliced_push", FR_KNOB_AUTO, 0, 2,
     "pushes frontiers in lists by slices of the vertices in shared memory: 0: never; 1: by "
     "expected time; 2: always, and no level goes by lists; default 1 on large graphs"},
    {nullptr, 0, 0, 0, nullptr}};

static const fri_gpu_strategy device_side = {.slices = &fri_bfs_slices_kind};

FRI_GPU_STRATEGY(fri_gpu_bfs_multi_device) = {
    .name = "multi-device",
    .source = "fringe",
    .text =
        "one traversal over all GPUs of the context; partition by target, frontier known to all",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_IN_EDGES | FRI_SPANS_DEVICES,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    .gpu = &device_side,
    .device_bytes = fri_slices_bytes,
    .prepare = fri_slices_prepare,
    .release = fri_slices_release,
    .run = fri_slices_solve,
};
