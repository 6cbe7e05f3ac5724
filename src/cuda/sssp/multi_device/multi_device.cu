/* SSSP, `multi-device`: one query over all GPUs of a host.
 *
 * Source: ours. The partition by target with a frontier known to all is from BFS `multi-device` and
 *   src/ranks; windows, piles, chunks and pulls are from SSSP `auto`, whose functions it calls.
 * Idea: each GPU holds a range of vertices and the edges into them as rows of all vertices. A round
 *   relaxes the frontier, (vertex, distance) pairs that every GPU has, over the edges to own vertices: all
 *   atomics are local. What falls within the window is listed; after a barrier of the grid each GPU
 *   stores those pairs of its list that are still current to all GPUs, where they are the next
 *   frontier. If the frontier is small, each block stores its pairs without that barrier. What falls
 *   beyond the window stays on the owner's far pile, and is published when the window has moved: so a
 *   distance travels when it is relaxed, not when it falls. While most vertices are pending,
 *   undirected graphs pull: each GPU scans the rows of its own vertices, sorted by weight,
 *   and reads the distances of all vertices from its copy, to which the owners store what has
 *   changed. A persistent kernel per GPU runs all rounds. A joint barrier per round (prim/joint.cuh)
 *   follows the stores; counts and minima travel in messages, from which all GPUs make the same decision.
 *   Every GPU keeps the pairs that it relaxes, so that the first has all distances in the end; parents
 *   are stored to it, and its driver ends the query as of any strategy.
 * Differs from `auto`: what leaves the far pile is relaxed in the round after, since the others must
 *   know it, and the window does not move in that round; no hops of blocks.
 * Needs: non-negative weights; the rows on the host; peer access between the GPUs; cooperative launch.
 *   Scratch of a GPU with n' vertices and m' edges into them: 8 m' for push rows, 8 m' for pull rows, 16 n
 *   offsets, 32 n frontiers, 4 n distances, 28 n' lists and parents, 1.5 m' chunks; half as much again
 *   with 64-bit distances. The first GPU has the whole graph as well (8 m), which ends queries.
 * Work: as `auto`. Bytes to each other GPU: 8 per vertex and relaxed distance; 4 n' before the first pull,
 *   at most 4 n' in each; 4 n' of parents to the first GPU in the end.
 * Barriers: per round one of all GPUs, and one of the grid in rounds of many vertices; one or two more in
 *   pulls.
 * Atomics: as `auto`.
 * Good at: large graphs of few rounds. Bad at: deep graphs, which a policy keeps on one GPU (multi_device/plan.c).
 *
 * A wait in a kernel is bounded: if a GPU fails, the others end after max_polls polls and the query is
 * FR_DEVICE.
 */
#include "cuda/multi_device/launch.cuh"
#include "cuda/sssp/auto/tuning.cuh"
#include "cuda/sssp/multi_device/kernel.cuh"

#include <string.h>

static const char *const method_names[] = {"", "relax", "", "relax, window moved", "pull"};
static const int THREADS = 256, ROUNDS_WITH_TARGETS = 64;

/* ---- host: the plan ---- */

size_t fri_sssp_control_bytes(void) { return sizeof(slice_control); }

/* As `auto` decides for one GPU, where knobs do not say otherwise. */
void fri_sssp_plan(fri_gpu *g, fri_slices *slices) {
    fri_sssp_slices *all = &slices->sssp;
    const fri_job *job = g->job;
    const fr_csr *csr = &job->csr;
    fri_job as = *job;
    fri_gpu tuned = *g;
    tuned.job = &as;
    for (int i = 0; knobs[i].name; i++)
        as.knob[i] = knobs[i].value;
    as.knob[KNOB_DELTA] = job->knob[FRI_SSSP_SLICE_KNOB_DELTA];
    as.knob[KNOB_ADAPT] = job->knob[FRI_SSSP_SLICE_KNOB_ADAPT];
    as.knob[KNOB_SHRINK_ABOVE] = job->knob[FRI_SSSP_SLICE_KNOB_SHRINK_ABOVE];
    as.knob[KNOB_PULL_DIVISOR] = job->knob[FRI_SSSP_SLICE_KNOB_PULL_DIVISOR];
    as.knob[KNOB_PACK_WEIGHTS] = job->knob[FRI_SSSP_SLICE_KNOB_PACK_WEIGHTS];
    choose_knobs(&tuned);
    all->delta = as.knob[KNOB_DELTA];
    all->adapts = as.knob[KNOB_ADAPT] != 0;
    all->shrink_above = as.knob[KNOB_SHRINK_ABOVE];
    all->advance_below =
        fri_job_knob(job, FRI_SSSP_SLICE_KNOB_ADVANCE_BELOW, as.knob[KNOB_ADVANCE_BELOW]);
    all->pull_divisor = pull_divisor(&tuned);
    all->far_divisor = job->knob[FRI_SSSP_SLICE_KNOB_FAR_DIVISOR];
    all->weight_shift = weight_shift(tuned.job);
    all->pulls = csr->symmetric && all->pull_divisor > 0 &&
                 (!csr->weights || fri_gpu_weight_size(g, csr) == 4);
    const size_t key = fr_type_size(g->dist_type);
    all->packs_parents = key == 4 && job->knob[FRI_SSSP_SLICE_KNOB_PACK_PARENTS] != 0;
    all->entry_bytes = 2 * key;
    all->chunk_bytes = sizeof(chunk_entry);
}

int64_t fri_sssp_tile_count(const fri_slice *s) {
    return s->all->sssp.pulls ? (s->edges + TILE_EDGES - 1) / TILE_EDGES : 0;
}

/* ---- host: preparation ---- */

template <class T> static void load_kernel(void) { fri_load_kernel((const void *)slice_kernel<T>); }

fr_status fri_sssp_change_slice(fri_slice *s) {
    fri_gpu *g = s->g;
    const fri_sssp_slices *all = &s->all->sssp;
    const unsigned tiles = (unsigned)fri_sssp_tile_count(s);
    const fri_gpu_csr *rows[] = {&s->push, &s->pull};
    if (tiles)
        FRI_RUN((sort_tiles_kernel<int32_t>), tiles, SORT_THREADS, (const int64_t *)s->pull.offsets,
                s->own, s->edges, (int32_t *)s->pull.targets, (int32_t *)s->pull.weights,
                s->sssp.tile_first_row);
    for (int i = 0; i < (all->pulls ? 2 : 1) && all->weight_shift && s->edges; i++)
        FRI_BY_KIND(g, FRI_RUN_EACH(pack_weights_kernel<T::W>, s->edges, THREADS,
                                    (int32_t *)rows[i]->targets, (const T::W *)rows[i]->weights,
                                    s->edges, all->weight_shift));
    FRI_BY_KIND(g, load_kernel<T>()); /* not while another device's kernel waits */
    return fri_gpu_check(g, cudaGetLastError(), "preparing rows");
}

/* ---- host: queries ---- */

/* The smallest parents require a pass over all allowed ones. */
static bool uses_packed_parents(const fri_gpu *g) {
    return fri_slices_of(g->job)->sssp.packs_parents && g->parent &&
           g->job->in->query.parent_rule != FR_PARENT_MIN_ID;
}

static unsigned grid_threads(const fri_gpu *g) {
    return (unsigned)fri_gpu_threads_per_block(g, FRI_SSSP_SLICE_KNOB_THREADS, FRI_GRID_THREADS);
}

/* The GPUs of a host are assumed to be of one model; slower ones would delay the others. */
template <class T> static unsigned resident_blocks(const fri_gpu *g) {
    int each = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, (const void *)slice_kernel<T>,
                                                  (int)grid_threads(g), 0);
    return (unsigned)(g->multiprocessors * FRI_MAX(1, FRI_MIN(each, FRI_GRID_BLOCKS_PER_SM)));
}

/* As for one GPU, although the thresholds count the vertices of all devices: with twice the values
 * two H200s examined three times the edges of Kronecker 24 in one round, in a window too wide. */
template <class T>
static void set_thresholds(const fri_slices *all, sssp_params<T> *p, double blocks) {
    p->advance_below =
        (unsigned long long)(all->sssp.advance_below == FR_KNOB_AUTO ? 8.0 * blocks
                                                                     : all->sssp.advance_below);
    p->halve_above = 8 * p->advance_below;
    p->shrink_above = !all->sssp.adapts ? ULLONG_MAX
                      : all->sssp.shrink_above == FR_KNOB_AUTO
                          ? (unsigned long long)(128.0 * blocks)
                          : (unsigned long long)all->sssp.shrink_above;
    p->min_delta = all->sssp.delta / 16;
    p->max_delta = all->sssp.delta * 128;
    p->adapts = all->sssp.adapts;
    p->pull_above = all->sssp.pulls
                        ? (unsigned long long)((double)all->job->csr.n / all->sssp.pull_divisor)
                        : ULLONG_MAX;
}

/* For functions of `auto`. */
template <class T> static sssp_params<T> push_params(const fri_slices *all, const fri_slice *s) {
    typedef typename T::K K;
    const fri_gpu *first = all->slice[0].g;
    sssp_params<T> p = {};
    p.view = fri_sssp_view_of<T>(s->g);
    p.view.offsets = (const int64_t *)s->push.offsets;
    p.view.targets = s->push.targets;
    p.view.weights = (const typename T::W *)s->push.weights;
    p.view.dist = (K *)s->sssp.dist;
    p.view.cap = (K)first->sssp.max_key;
    p.view.mask =
        all->sssp.weight_shift ? (int32_t)(((uint32_t)1 << all->sssp.weight_shift) - 1) : -1;
    p.view.m = s->edges;
    for (int i = 0; i < 2; i++) {
        p.near_queue[i] = (entry<K> *)s->sssp.near_list[i];
        p.far_pile[i] = (entry<K> *)s->sssp.far_pile[i];
        p.chunks[i] = (chunk_entry *)s->sssp.chunks[i];
    }
    p.near_capacity = ULLONG_MAX; /* decide_round() compares it with the vertices of all devices */
    p.far_capacity = (unsigned long long)fri_sssp_far_capacity(s);
    p.chunk_capacity = (unsigned long long)fri_sssp_chunk_capacity(s);
    p.packed_parents = uses_packed_parents(first)
                           ? (unsigned long long *)s->sssp.packed_parents - s->first
                           : nullptr;
    p.control = &((slice_control *)s->sssp.control)->rounds;
    p.trace = s->trace;
    p.compare_before_atomic = COMPARE_ON_GRID;
    p.view.weight_shift = all->sssp.weight_shift;
    set_thresholds(all, &p, (double)resident_blocks<T>(s->g));
    return p;
}

template <class T>
static slice_params<T> params_of(const fri_slices *all, int me, int32_t max_rounds) {
    typedef typename T::K K;
    const fri_slice *s = &all->slice[me];
    const fri_gpu *first = all->slice[0].g;
    const fr_query *q = &all->job->in->query;
    slice_params<T> p = {};
    p.push = push_params<T>(all, s);
    p.push.max_rounds = max_rounds;
    p.pull = p.push;
    p.pull.view.targets = s->pull.targets;
    p.pull.view.weights = (const typename T::W *)s->pull.weights;
    p.pull.tile_first_row = s->sssp.tile_first_row;
    p.pull.tiles = fri_sssp_tile_count(s);
    p.pull_offsets = (const int64_t *)s->pull.offsets;
    p.joint = joint_of(all, me);
    for (int k = 0; k < all->count; k++) {
        p.frontier[k] = (entry<K> *)all->slice[k].sssp.frontier;
        p.dist[k] = (K *)all->slice[k].sssp.dist;
        p.control[k] = (slice_control *)all->slice[k].sssp.control;
        p.first[k] = all->slice[k].first;
    }
    p.first[all->count] = all->job->csr.n;
    p.parent = uses_packed_parents(first) ? first->parent_store : nullptr;
    p.sources = s->sssp.sources;
    p.source_count = (int32_t)q->source_count;
    p.source = q->sources[0];
    p.n = all->job->csr.n;
    p.own = s->own;
    p.min_own = s->own;
    for (int k = 0; k < all->count; k++)
        p.min_own = FRI_MIN(p.min_own, all->slice[k].own);
    p.delta = all->sssp.delta;
    p.near_capacity = (unsigned long long)fri_sssp_near_capacity(s);
    p.starts = all->sssp.starts;
    return p;
}

template <class T> static fr_status launch_on(const fri_slices *all, int k, int32_t max_rounds) {
    fri_gpu *g = all->slice[k].g;
    const slice_params<T> p = params_of<T>(all, k, max_rounds);
    const bool fills_keys = k || all->slice[0].sssp.dist != g->dist;
    FRI_GPU_TRY(fri_gpu_select(g));
    return fri_gpu_check(g,
                         FRI_LAUNCH_JOINT(all->count, slice_kernel<T>, resident_blocks<T>(g),
                                          grid_threads(g), 0, g->stream, p, fills_keys),
                         "launching rounds");
}

/* On every device, even after a failure: those that run give up. */
static fr_status launch_all(fri_slices *all, int32_t max_rounds) {
    fr_status failed = FR_OK;
    fri_joint_begin_launches();
    for (int k = 0; k < all->count; k++) {
        fr_status status = FR_OK;
        FRI_BY_KIND(all->slice[0].g, status = launch_on<T>(all, k, max_rounds));
        if (status && !failed)
            failed = fri_slice_failure(&all->slice[k], status);
    }
    fri_joint_end_launches();
    const fr_status back = fri_gpu_select(all->slice[0].g);
    return failed ? failed : back;
}

/* After a failure: all kernels have ended before the words are used again. */
static fr_status clear_words(fri_slices *all) {
    for (int k = 0; k < all->count; k++) {
        fri_slice *s = &all->slice[k];
        FRI_GPU_TRY(fri_gpu_select(s->g));
        FRI_GPU_TRY(fri_slice_clear_words(s));
        FRI_GPU_TRY(fri_gpu_wait(s->g, "waiting for a GPU"));
    }
    all->barrier = 1;
    all->failed = false;
    return fri_gpu_select(all->slice[0].g);
}

static fr_status send_sources(fri_slices *all) {
    const fr_query *q = &all->job->in->query;
    for (int k = 1; k < all->count && q->source_count > 1; k++) {
        fri_gpu *g = all->slice[k].g;
        FRI_GPU_TRY(fri_gpu_select(g));
        FRI_GPU_TRY(fri_gpu_send(g, all->slice[k].sssp.sources, q->sources,
                                 fri_bytes(q->source_count, sizeof *q->sources)));
    }
    return fri_gpu_select(all->slice[0].g);
}

static fr_status start_query(fri_gpu *g) {
    fri_slices *all = fri_slices_of(g->job);
    all->sssp.starts = true;
    if (all->failed)
        FRI_GPU_TRY(clear_words(all));
    return send_sources(all);
}

/* To where the driver expects them: the caller's device memory, which peers may not access. */
static fr_status copy_results(fri_gpu *g, const fri_slices *all) {
    const size_t keys = fri_bytes(g->n, fr_type_size(g->dist_type));
    if (g->dist != all->slice[0].sssp.dist)
        FRI_GPU_TRY(fri_gpu_check(g,
                                  cudaMemcpyAsync(g->dist, all->slice[0].sssp.dist, keys,
                                                  cudaMemcpyDeviceToDevice, g->stream),
                                  "copying distances"));
    if (g->parent == g->parent_store || !uses_packed_parents(g))
        return FR_OK;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(g->parent, g->parent_store,
                                         fri_bytes(g->n, sizeof(int32_t)), cudaMemcpyDeviceToDevice,
                                         g->stream),
                         "copying parents");
}

static fr_status run_rounds(fri_gpu *g, int32_t round, int32_t max_rounds,
                            fri_gpu_progress *progress) {
    fri_slices *all = fri_slices_of(g->job);
    bool settled = false;
    long long min_pending_key;
    (void)round;
    if (g->job->target_map)
        max_rounds = FRI_MIN(max_rounds, ROUNDS_WITH_TARGETS);
    all->failed = true;
    FRI_GPU_TRY(launch_all(all, max_rounds));
    FRI_GPU_TRY(copy_results(g, all));
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    const uint32_t next = (uint32_t)g->host_control[CONTROL_NEXT_BARRIER];
    if (next == 0 || next == all->barrier)
        return fri_fail(
            g->job->ctx, FR_DEVICE,
            "a GPU waited too long for another one of the query, which has failed or is "
            "in use");
    all->failed = all->sssp.starts = false;
    all->barrier = next;
    progress->levels = g->host_control[CONTROL_ROUNDS];
    progress->found = g->host_control[CONTROL_HAS_PENDING]; /* not counted: 1 if any */
    FRI_GPU_TRY(fri_gpu_report_levels(g, all->slice[0].trace, method_names, progress));
    memcpy(&min_pending_key, &g->host_control[CONTROL_MIN_PENDING_KEY], sizeof min_pending_key);
    if (progress->found)
        FRI_GPU_TRY(fri_gpu_sssp_settled(g, min_pending_key - 1, &settled));
    progress->found = settled ? 0 : progress->found;
    return FR_OK;
}

static fri_gpu_parents parents(fri_gpu *g) {
    const bool weights_positive = g->dist_type == FR_TYPE_I32 && g->job->weight_min > 0;
    if (!uses_packed_parents(g))
        return FRI_PARENTS_NONE;
    FRI_BY_KIND(g, FRI_RUN_EACH((check_parents_kernel<T>), g->n, THREADS, fri_sssp_view_of<T>(g),
                                weights_positive, g->parent));
    return weights_positive ? FRI_PARENTS_ALL : FRI_PARENTS_SOME;
}

static fr_status run(fri_job *job) {
    const fri_slices *all = fri_slices_of(job);
    snprintf(job->told.why, sizeof job->told.why, "on %d GPU%s, a window of %.3g%s", all->count,
             all->count == 1 ? "" : "s", all->sssp.delta,
             all->sssp.pulls ? "; pull while many vertices are pending" : "");
    return fri_gpu_sssp_run(job);
}

static const fr_knob own_knobs[] = {
    {"all", 0, 0, 1, "1: on all GPUs of the context; 0: on all or on one, by expected time"},
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300, "initial width of the window; default as `auto`"},
    {"adapt", FR_KNOB_AUTO, 0, 1,
     "1: double or halve delta by the vertices left in the window; 0: keep it; default as `auto`"},
    {"advance_below", FR_KNOB_AUTO, 0, 1e9,
     "vertices left in the window below which it advances; default as `auto`"},
    {"shrink_above", FR_KNOB_AUTO, 0, 1e9,
     "pending vertices above which an adaptive window shrinks; default 128 per block, on even rows "
     "1e9: never"},
    {"pull_divisor", FR_KNOB_AUTO, 0, 1e9,
     "undirected graphs pull while more than n / pull_divisor vertices are pending; 0: never; "
     "default 16 from mean degree 24 on, else 0"},
    {"far_divisor", 16, 1, 1e9,
     "a GPU lists far entries for 1 / far_divisor of its vertices; with more, undirected graphs "
     "pull, and "
     "others scan all vertices when the window moves"},
    {"grid_threads", FR_KNOB_AUTO, 32, FRI_GRID_THREADS,
     "threads per block, whole warps; default 512, fewer on graphs below 8,192 vertices"},
    {"pack_parents", 1, 0, 1,
     "1: parents are packed with 32-bit distances in one word; 0: a pass over all edges"},
    {"pack_weights", 1, 0, 1,
     "1: small weights are packed into the targets' words; 0: separate words"},
    {nullptr, 0, 0, 0, nullptr}};

static const fri_gpu_strategy device_side = {
    .start_query = start_query,
    .run_levels = run_rounds,
    .parents = parents,
    .slices = &fri_sssp_slices_kind,
};

FRI_GPU_STRATEGY(fri_gpu_sssp_multi_device) = {
    .name = "multi-device",
    .source = "fringe",
    .text = "one query over all GPUs of the context; partition by target, frontier known to all",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_NON_NEGATIVE | FRI_SPANS_DEVICES,
    .knobs = own_knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    .scratch = fri_gpu_sssp_scratch,
    .gpu = &device_side,
    .device_bytes = fri_slices_bytes,
    .prepare = fri_slices_prepare,
    .release = fri_slices_release,
    .run = run,
};
