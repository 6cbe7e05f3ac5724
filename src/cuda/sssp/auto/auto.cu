/* SSSP `auto` on the GPU: near-far with a window that adapts to the load, all in one launch.
 *
 * Source: ours. Near and far piles: A. Davidson, S. Baxter, M. Garland, J. D. Owens, IPDPS 2014. A
 *   window that adapts to utilization: ADDS (K. Wang, D. Fussell, C. Lin, PPoPP 2021, by its code).
 *   Several hops between barriers: bucket fusion of GraphIt (Y. Zhang et al., CGO 2020). Pruned
 *   pull: V. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal, IPDPS 2014 (pull.cuh).
 * Idea: a round relaxes the pending vertices within the window, and ends with the only barrier of
 *   the grid. The window advances as soon as the vertices left in it are too few to keep the GPU
 *   busy; the round that relaxes these few also filters the far pile by the new window. The window
 *   shrinks while very many vertices are pending. While few are pending, each block loads its share
 *   into shared memory and continues for several hops with block barriers only. Rows of more than
 *   64 edges become chunks: rows of up to 1,024 edges for the warps of the block that met them, in
 *   the same round; longer ones for any warp of the next round. A block keeps what it finds in
 *   shared memory, and writes it with one atomic for all its warps: contended counters in one cache
 *   line would dominate the round. Pending vertices carry the distance they were queued with: an
 *   entry whose distance is no longer current is stale, so nothing is marked and each decrease is
 *   relaxed once. In undirected graphs, once the far pile overflows early, which indicates that
 *   most of a small-world graph is reached, vertices pull over rows sorted by weight, until few are
 *   pending.
 * Differs: entries that do not fit a queue or the pile are found again by a scan of all distances;
 *   with many far vertices that scan is cheaper than a pile, so the pile is small. The vertices
 *   that a scan finds are queued for the next round, since neighbors in the array would all be
 *   assigned to one warp. Each decrease is also recorded in a second word as (key, parent), which
 *   yields parents without a pass over the edges; the distance itself stays 32 bits wide, since it
 *   is read far more often than it is lowered. Small whole weights, of any type, are packed into
 *   the high bits of the 32-bit word that holds the edge's target, which no vertex number needs. Large
 *   graphs take windows over sorted rows instead (windows.cuh), directed ones with rows of in-edges
 *   for the pull (in_rows.cuh), unless these do not fit (save_memory). If a weight is negative
 *   another strategy answers (choose). No clusters: blocks that continue alone need no barrier between
 *   them.
 * Needs: cooperative launch; nothing else.
 * Scratch: two queues of n and two piles of n / 4 entries (8 bytes; 16 for keys of 64 bits), two
 *   lists of m / 32 chunks (24), 8 n bytes for parents; where rows are short, 16 n bytes of slots, and 4 n times the
 *   size of a weight that is not packed.
 * Preparation: one sort of tiles of 2,048 edges, in place; one pass over the edges that packs the
 *   weights; both again for in-rows, after these are made. Solvers of the graph with the same knobs
 *   share the result.
 * Work: m, and corrections within the window, when it pushes; about a third of m in small-world
 *   graphs when it pulls.
 * Launches: one per 1,024 rounds.
 * Barriers: one per round.
 * Atomics: one per edge that seems to lower its end, two per decrease; one in shared memory for all
 *   entries that a warp appends at once; four per block and round.
 * Good at: all graphs with weights of at least 0.
 * Bad at: graphs too small for a GPU.
 * Measurements: docs/performance.md. */
#include "cuda/sssp/auto/block_rounds.cuh"
#include "cuda/sssp/auto/in_rows.cuh"
#include "cuda/sssp/auto/parents.cuh"
#include "cuda/sssp/auto/tuning.cuh"
#include "cuda/sssp/auto/windows.cuh"
#include "cuda/device/published.h"

#include <string.h>

extern "C" const fri_strategy fri_gpu_sssp_levels; /* bfs/auto/auto.cu */

static const char *const method_names[] = {
    "blocks", "grid",   "blocks, window moved", "grid, window moved",
    "pull",   "window", "window, moved",        "correct",
    "rest"};
static const int SEED_THREADS = 256, SLOT_THREADS = 256, MAX_ROUNDS_WITH_TARGETS = 64;
/* Control words: rounds of the launch; 1 if vertices are pending, else 0; the smallest pending key
 * (64 bits); 1 if windows gave up. */
enum { CONTROL_ROUNDS, CONTROL_HAS_PENDING, CONTROL_MIN_PENDING_KEY, CONTROL_GAVE_UP = 4 };

template <class T>
static __device__ void save_state(const sssp_params<T> &p, const sssp_state &s, int32_t rounds) {
    long long min_pending_key = min_key(s.near_min, s.far_min);
    p.control->s = s;
    p.view.control[CONTROL_ROUNDS] = rounds;
    p.view.control[CONTROL_HAS_PENDING] = min_pending_key != NO_KEY;
    *(long long *)&p.view.control[CONTROL_MIN_PENDING_KEY] = min_pending_key;
    p.view.control[CONTROL_GAVE_UP] = s.stage == STAGE_GAVE_UP;
}

namespace {
/* The rounds of a launch (fri_persistent_loop). SLOTS: see fill_slots_kernel(). */
template <class T, bool SLOTS> struct near_far_steps {
    static const int THREADS = SLOTS ? SLOT_THREADS : FRI_GRID_THREADS; /* of a block, at most */
    const sssp_params<T> &p, &in;
    block_queues<T> q;
    thread_counters<T> mine;
    int32_t done; /* rounds of this launch so far */

    __device__ __forceinline__ void decide() { begin_round(p, done, q.round); }
    __device__ __forceinline__ bool ends() const { return !q.round->more; }
    __device__ __forceinline__ void clear() {
        reset_counters(&p.control->counters[fri_spare_phase(q.round->s.round)], 0);
    }
    __device__ __forceinline__ void run() {
        const sssp_state &s = q.round->s;
        int last_hop = 0; /* whose queue holds what is left */
        /* block-local rounds have one near queue per hop, in turn; others use the memory of both */
        q.near_capacity = s.block_local ? block_queues<T>::CAPACITY : 2 * block_queues<T>::CAPACITY;
        if (s.pulls)
            pull(p, q, &mine);
        else if (!s.scans_all)
            relax_near_far(p, q, &mine);
        if (s.block_local)
            last_hop = run_hops<SLOTS>(p, in, q, &mine);
        else
            gather_if_needed(p, q, &mine);
        flush_round(p, q, last_hop, &mine);
        fri_grid_sync(); /* all blocks have finished the round */
        if (threadIdx.x == 0)
            q.round->s.round++;
        done++;
    }
};
} // namespace

/* Runs rounds until nothing is pending or p.max_rounds are done. `in`: the same with in-rows, or slots, as rows. */
template <class T, class S>
static __global__ void __launch_bounds__(S::THREADS, FRI_GRID_BLOCKS_PER_SM)
    rounds_kernel(const __grid_constant__ sssp_params<T> p,
                  const __grid_constant__ sssp_params<T> in) {
    typedef typename T::K K;
    FRI_SHARED(warp_rows<K>, rows, S::THREADS / FRI_WARP);
    FRI_SHARED(entry<K>, near, 2 * block_queues<T>::CAPACITY);
    FRI_SHARED(entry<K>, far, block_queues<T>::FAR_CAPACITY);
    FRI_SHARED(chunk_entry, chunks, MAX_CHUNKS);
    FRI_SHARED(block_round<T>, round, 1);
    S steps = {p,
               in,
               {near, far, round, &rows[fri_warp()], chunks, 0},
               {T::unreached(), T::unreached(), 0, 0, 0, 0},
               0};
    if (threadIdx.x == 0)
        round->s = p.control->s;
    fri_persistent_loop(steps);
    fri_add_stats(p.view.control, steps.mine.edges, steps.mine.relaxed);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        save_state(p, round->s, steps.done);
}

/* One thread: the smallest key over edges of v from key 0, or 0. Rows are sorted within tiles. */
template <class T> static __device__ typename T::K nearest_end(const sssp_params<T> &p, int32_t v) {
    typename T::K nearest = T::unreached();
    bool low = false;
    for (int64_t e = p.view.offsets[v]; e < p.view.offsets[v + 1]; e = tile_end(e))
        nearest = FRI_MIN(nearest, T::sum(0, edge_weight(p, e), p.view.cap, &low));
    return nearest == T::unreached() ? 0 : nearest;
}

/* `windows`: of sorted rows; the first is where the only source has an edge. */
template <class T>
static __global__ void seed_kernel(const __grid_constant__ sssp_params<T> p, const int32_t *sources,
                                   int32_t count, double delta, bool windows) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        p.near_queue[0][i] = {0, sources[i]}; /* the key of 0 in every kind */
    if (i != 0)
        return;
    for (int phase = 0; phase < FRI_PHASES; phase++)
        reset_counters(&p.control->counters[phase], phase ? 0 : (unsigned long long)count);
    sssp_state s = {};
    s.delta = delta;
    const typename T::K nearest = windows && count == 1 ? nearest_end(p, sources[0]) : 0;
    s.window_end = T::add_width(nearest, delta);
    s.lower_bound = nearest; /* but for the source: pull_part() */
    s.far_min = NO_KEY;
    s.unreached_edges = p.view.m;
    p.control->s = s;
}

/* ---- host -------------------------------------------------------------------------------- */

static size_t key_size(const fri_gpu *g) { return fr_type_size(g->dist_type); }
static int64_t far_capacity(const fri_gpu *g) { return (int64_t)g->n / 4 + FRI_WARP; }
static int64_t chunk_capacity(const fri_gpu *g) { return 2 * (g->m / CHUNK_EDGES) + FRI_WARP; }
/* Whether rounds of near and far may pull: out-edges serve as in-edges. */
static bool can_pull(const fri_gpu *g) { return g->job->csr.symmetric && pull_divisor(g) > 0; }
/* Tiles of sorted rows; 0: rows are not sorted. */
static int64_t tile_count(const fri_gpu *g) {
    return can_pull(g) || max_windows(g) > 0 ? (g->m + TILE_EDGES - 1) / TILE_EDGES : 0;
}
/* Whether the pull of windows needs rows of in-edges. */
static bool has_in_rows(const fri_gpu *g) {
    return !g->job->csr.symmetric && max_windows(g) > 0 && g->m > 0;
}
/* Every vertex, and every tile with a row that began before it. */
static int64_t near_capacity(const fri_gpu *g) { return g->n + tile_count(g) + FRI_WARP; }
static size_t entries_bytes(const fri_gpu *g, int64_t count) {
    return fri_align_line(fri_bytes(count, 2 * key_size(g)));
}
static size_t chunks_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(chunk_capacity(g), sizeof(chunk_entry)));
}
static bool packs_parents(const fri_gpu *g) {
    return key_size(g) == 4 && (int)g->job->knob[KNOB_PACK_PARENTS];
}
static size_t packed_parents_bytes(const fri_gpu *g) {
    return packs_parents(g) ? fri_align_line(fri_bytes(g->n, sizeof(uint64_t))) : 0;
}
static size_t tiles_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(tile_count(g), sizeof(int32_t)));
}
/* g->row_extra: the row of each tile, of the in-rows if there are any; then these. */
static size_t in_offsets_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes((int64_t)g->n + 1, sizeof(int64_t)));
}
static size_t in_targets_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->m, sizeof(int32_t)));
}
static size_t row_extra_bytes(const fri_gpu *g) {
    const size_t weights = fri_bytes(g->m, fri_gpu_weight_size(g, &g->job->csr));
    return tiles_bytes(g) +
           (has_in_rows(g) ? in_offsets_bytes(g) + in_targets_bytes(g) + weights : 0);
}
/* The smallest parents require a pass over all allowed ones. */
static bool uses_packed_parents(const fri_gpu *g) {
    return packs_parents(g) && g->parent && g->job->in->query.parent_rule != FR_PARENT_MIN_ID;
}

static bool has_slots(const fri_gpu *g) { return g->job->knob[KNOB_SLOTS] > 0; }
/* Words, then weights that are not in these. */
static size_t slots_bytes(const fri_gpu *g) {
    const bool separate = g->job->csr.weights && !weight_shift(g->job);
    const size_t edge = sizeof(int32_t) + (separate ? fri_gpu_weight_size(g, &g->job->csr) : 0);
    return has_slots(g) ? fri_align_line(fri_bytes(g->n, SLOT_EDGES * edge)) : 0;
}

static size_t scratch(const fri_gpu *g) {
    return slots_bytes(g) + packed_parents_bytes(g) + 2 * entries_bytes(g, near_capacity(g)) +
           2 * entries_bytes(g, far_capacity(g)) + 2 * chunks_bytes(g) + tiles_bytes(g) +
           fri_align_line(sizeof(sssp_control)) + fri_gpu_trace_bytes();
}

static int grid_threads(const fri_gpu *g) {
    const int most = has_slots(g) ? SLOT_THREADS : FRI_GRID_THREADS;
    return FRI_MIN(fri_gpu_threads_per_block(g, KNOB_GRID_THREADS, most), most);
}

/* Whether the query pushes windows of sorted rows. */
static bool uses_windows(const fri_gpu *g) { return max_windows(g) > 0 && !g->sssp.windows_fail; }
static double delta_of(const fri_gpu *g) {
    return g->job->knob[uses_windows(g) ? KNOB_WINDOW : KNOB_DELTA];
}

static int log2_lanes(const fri_gpu *g) {
    int log2 = 0;
    while (1 << log2 < FRI_WARP && 1 << log2 < mean_degree(g))
        log2++;
    return log2;
}

static int resident_blocks(fri_gpu *g, const void *kernel) {
    int each = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, grid_threads(g), 0);
    return g->multiprocessors * FRI_MAX(1, FRI_MIN(each, (int)g->job->knob[KNOB_BLOCKS_PER_SM]));
}

template <class T> static sssp_params<T> params_of(fri_gpu *g) {
    typedef typename T::K K;
    const fri_job *job = g->job;
    char *at = g->scratch + slots_bytes(g);
    sssp_params<T> p = {};
    p.view = fri_sssp_view_of<T>(g);
    for (int i = 0; i < 2; i++) {
        p.near_queue[i] = (entry<K> *)fri_carve(&at, entries_bytes(g, near_capacity(g)));
        p.far_pile[i] = (entry<K> *)fri_carve(&at, entries_bytes(g, far_capacity(g)));
        p.chunks[i] = (chunk_entry *)fri_carve(&at, chunks_bytes(g));
    }
    p.packed_parents = uses_packed_parents(g) ? (unsigned long long *)at : nullptr;
    at += packed_parents_bytes(g);
    p.in_offsets = (const int64_t *)g->in.offsets;
    p.tile_first_row = (int32_t *)g->row_extra;
    p.tiles = tile_count(g);
    p.pull_above = ULLONG_MAX;
    if (can_pull(g))
        p.pull_above = (unsigned long long)((double)g->n / pull_divisor(g));
    p.pull_factor = job->knob[KNOB_PULL];
    p.max_windows = max_windows(g);
    p.near_capacity = (unsigned long long)near_capacity(g);
    p.far_capacity = (unsigned long long)far_capacity(g);
    p.chunk_capacity = (unsigned long long)chunk_capacity(g);
    p.control = (sssp_control *)fri_carve(&at, sizeof(sssp_control));
    p.trace = fri_gpu_carve_trace(g, &at);
    p.hops = (int32_t)job->knob[KNOB_HOPS];
    p.adapts = (int32_t)job->knob[KNOB_ADAPT];
    p.compare_before_atomic = (int32_t)job->knob[KNOB_TEST];
    p.log2_lanes = has_slots(g) ? 2 : log2_lanes(g);
    p.block_queue_limit = (int32_t)job->knob[KNOB_BLOCK_QUEUE_LIMIT];
    p.min_delta = delta_of(g) / 16;
    p.max_delta = delta_of(g) * 128;
    return p;
}

/* The same with the in-rows as rows. */
template <class T> static sssp_params<T> with_in_rows(const fri_gpu *g, const sssp_params<T> &p) {
    sssp_params<T> in = p;
    in.view.offsets = p.in_offsets;
    in.view.targets = g->in.targets;
    in.view.weights = (const typename T::W *)g->in.weights;
    return in;
}

/* The same with slots as rows. */
template <class T> static sssp_params<T> with_slots(const fri_gpu *g, sssp_params<T> p) {
    const int64_t edges = (int64_t)SLOT_EDGES * g->n;
    p.view.targets = (const int32_t *)g->scratch;
    p.view.weights = p.view.weights && !p.view.weight_shift
                         ? (const typename T::W *)(p.view.targets + edges)
                         : nullptr;
    p.streams = g->job->knob[KNOB_SLOTS] > 1;
    return p;
}

template <class T, class S> static fr_status launch_steps(fri_gpu *g, int32_t max_rounds) {
    sssp_params<T> p = params_of<T>(g);
    int blocks = resident_blocks(g, (const void *)rounds_kernel<T, S>);
    p.max_rounds = max_rounds;
    p.advance_below = (unsigned long long)fri_job_knob(g->job, KNOB_ADVANCE_BELOW, 8.0 * blocks);
    p.halve_above = 8 * p.advance_below;
    p.shrink_above = (unsigned long long)fri_job_knob(g->job, KNOB_SHRINK_ABOVE, 128.0 * blocks);
    if (!p.adapts)
        p.shrink_above = ULLONG_MAX;
    p.blocks_max = (unsigned long long)fri_job_knob(g->job, KNOB_BLOCKS_MAX, 128.0 * blocks);
    FRI_LAUNCH_COOPERATIVE(
        (rounds_kernel<T, S>), (unsigned)blocks, (unsigned)grid_threads(g), 0, g->stream, p,
        has_slots(g) && !uses_windows(g) ? with_slots(g, p) : with_in_rows(g, p));
    return fri_gpu_check(g, cudaGetLastError(), "launching rounds");
}

template <class T> static fr_status launch(fri_gpu *g, int32_t max_rounds) {
    if (uses_windows(g))
        return launch_steps<T, sorted_round_steps<T>>(g, max_rounds);
    return has_slots(g) ? launch_steps<T, near_far_steps<T, true>>(g, max_rounds)
                        : launch_steps<T, near_far_steps<T, false>>(g, max_rounds);
}

static fr_status start_query(fri_gpu *g) {
    if (uses_packed_parents(g))
        FRI_GPU_TRY(fri_gpu_check(g,
                                  cudaMemsetAsync(params_of<fri_kind_i32>(g).packed_parents, 0xff,
                                                  packed_parents_bytes(g), g->stream),
                                  "clearing parents"));
    FRI_BY_KIND(g, FRI_RUN_EACH((seed_kernel<T>), g->source_count, SEED_THREADS, params_of<T>(g),
                                g->sources, g->source_count, delta_of(g), uses_windows(g)));
    return FR_OK;
}

/* The graph is no small world: this query begins again, it and those that follow without windows. */
static fr_status restart_near_far(fri_gpu *g, fri_gpu_progress *progress) {
    g->sssp.windows_fail = true;
    fri_job_note(g->job, "%s: no windows: not a small world", g->job->strategy->name);
    progress->found = 1;
    fri_sssp_start(g);
    return start_query(g);
}

template <class T> static void search_parents(fri_gpu *g, bool adopts) {
    FRI_RUN_EACH((search_parents_kernel<T>), g->n, PARENT_THREADS, with_in_rows(g, params_of<T>(g)),
                 adopts, g->parent);
    if (!adopts)
        FRI_RUN_EACH((root_parents_kernel<T>), g->source_count, PARENT_THREADS, params_of<T>(g),
                     g->sources, g->source_count, g->parent);
}

static fri_gpu_parents parents(fri_gpu *g) {
    const bool weights_positive = g->dist_type == FR_TYPE_I32 && g->job->weight_min > 0;
    const bool sorted =
        tile_count(g) > 0; /* in-rows; a hub's unsorted row would keep one warp too long */
    if (uses_packed_parents(g))
        FRI_BY_KIND(g, FRI_RUN_EACH((packed_parents_kernel<T>), g->n, PARENT_THREADS,
                                    params_of<T>(g), weights_positive, g->parent));
    else if (sorted && g->job->in->query.parent_rule != FR_PARENT_MIN_ID)
        FRI_BY_KIND(g, search_parents<T>(g, false));
    else
        return FRI_PARENTS_NONE;
    if (uses_packed_parents(g) && weights_positive)
        return FRI_PARENTS_ALL;
    for (int pass = 0; sorted && pass < ADOPT_PASSES; pass++)
        FRI_BY_KIND(g, search_parents<T>(g, true));
    return FRI_PARENTS_SOME;
}

static fr_status run_rounds(fri_gpu *g, int32_t round, int32_t max_rounds,
                            fri_gpu_progress *progress) {
    fr_status status = FR_OK;
    (void)round;
    if (g->job->target_map)
        max_rounds = FRI_MIN(max_rounds, MAX_ROUNDS_WITH_TARGETS);
    FRI_BY_KIND(g, status = launch<T>(g, max_rounds));
    FRI_GPU_TRY(status);
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    progress->levels = g->host_control[CONTROL_ROUNDS];
    progress->found = g->host_control[CONTROL_HAS_PENDING]; /* not counted: 1 if any */
    FRI_GPU_TRY(fri_gpu_report_levels(g, params_of<fri_kind_i32>(g).trace, method_names, progress));
    if (g->host_control[CONTROL_GAVE_UP])
        return restart_near_far(g, progress);
    bool settled = false;
    long long min_pending_key;
    memcpy(&min_pending_key, &g->host_control[CONTROL_MIN_PENDING_KEY], sizeof min_pending_key);
    if (progress->found)
        FRI_GPU_TRY(fri_gpu_sssp_settled(g, min_pending_key - 1, &settled));
    progress->found = settled ? 0 : progress->found;
    return FR_OK;
}

/* Knobs given are for near and far, or windows. */
static bool has_knobs(const fri_job *job) {
    for (int i = 0; knobs[i].name; i++)
        if (job->knob[i] != knobs[i].value)
            return true;
    return false;
}

/* Without weights: the solver also leaves out those that are all equal (core/query/level_sums.h). */
static bool counts_edges(const fri_job *job) {
    return job->in->dist_type == FR_TYPE_I32 && !has_knobs(job) &&
           job->csr.weight_type == FR_TYPE_NONE;
}

static void choose(fri_job *job) {
    if (counts_edges(job)) {
        fri_job_give(job, &fri_gpu_sssp_levels);
        fri_job_note(job, "BFS: every edge counts the same");
        return;
    }
    if (!(job->weight_min < 0)) {
        choose_rows(job, false);
        return;
    }
    const fri_strategy *best =
        fri_strategy_find(FR_PROBLEM_SSSP, FR_BACKEND_CUDA, FRI_PUBLISHED_NEGATIVE_SSSP);
    fri_job_give(job, best ? best
                           : fri_strategy_find(FR_PROBLEM_SSSP, FR_BACKEND_CUDA,
                                               FRI_PUBLISHED_NEGATIVE_SSSP_SMALL));
    fri_job_note(job, "%s: the minimum weight is %g", job->strategy->name, job->weight_min);
}

void fri_gpu_sssp_choose_windows(fri_job *job, bool several) { choose_rows(job, several); }

/* What change_rows does to targets and weights depends on the shift and on whether rows are sorted; the row
 * of each tile is shared with them, and so are the in-rows. */
static fri_gpu_rows rows(const fri_gpu *g) {
    const uint32_t shift = (uint32_t)weight_shift(g->job), inward = has_in_rows(g) ? 0x80 : 0;
    const bool sorts = tile_count(g) > 0;
    const uint32_t variant = shift || sorts ? 0x100 | inward | shift << 1 | sorts : 0;
    return {variant, sorts && g->job->csr.weights, sorts ? row_extra_bytes(g) : 0};
}

template <class W> static void sort_tiles(fri_gpu *g, const fri_gpu_csr &of) {
    FRI_RUN((sort_tiles_kernel<W>), (unsigned)tile_count(g), SORT_THREADS,
            (const int64_t *)of.offsets, g->n, g->m, (int32_t *)(uintptr_t)of.targets,
            (W *)(uintptr_t)of.weights, (int32_t *)(uintptr_t)g->row_extra);
}
template <class W> static void sort_rows(fri_gpu *g) {
    if (has_in_rows(g))
        make_in_rows<W>(g);
    sort_tiles<W>(g, g->out);
    if (has_in_rows(g))
        sort_tiles<W>(g, g->in);
}

static void pack_rows(fri_gpu *g, const fri_gpu_csr &of, int shift) {
    FRI_BY_KIND(g, FRI_RUN_EACH(pack_weights_kernel<T::W>, g->m, SEED_THREADS,
                                (int32_t *)(uintptr_t)of.targets, (const T::W *)of.weights, g->m,
                                shift));
}

static fr_status change_rows(fri_gpu *g) {
    const int shift = weight_shift(g->job);
    if (tile_count(g) && fri_gpu_weight_size(g, &g->job->csr) == sizeof(int64_t))
        sort_rows<int64_t>(g);
    else if (tile_count(g))
        sort_rows<int32_t>(g);
    if (shift)
        pack_rows(g, g->out, shift);
    if (shift && has_in_rows(g))
        pack_rows(g, g->in, shift);
    return fri_gpu_check(g, cudaGetLastError(), "preparing rows");
}

/* Before the driver reads targets, which another solver may have packed, and before change_rows. */
static fr_status point_to_rows(fri_gpu *g) {
    const int shift = weight_shift(g->job);
    char *at = (char *)(uintptr_t)g->row_extra + tiles_bytes(g);
    if (shift)
        g->sssp.target_mask = (int32_t)(((uint32_t)1 << shift) - 1);
    g->sssp.weight_shift = shift;
    g->sssp.narrow_first = shift && g->dist_type != FR_TYPE_I32;
    if (!has_in_rows(g))
        return FR_OK;
    g->in.offsets = fri_carve(&at, in_offsets_bytes(g));
    g->in.targets = (const int32_t *)fri_carve(&at, in_targets_bytes(g));
    g->in.weights = g->out.weights ? at : nullptr;
    return FR_OK;
}

/* Without windows a directed graph needs no in-rows. */
static bool save_memory(fri_job *job, int step) {
    job->knob[KNOB_SLOTS] = 0;
    if (!job->csr.symmetric)
        job->knob[KNOB_WINDOWS] = 0;
    return step == 0;
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    choose_knobs(g);
    if (has_slots(g))
        FRI_BY_KIND(g,
                    FRI_RUN_EACH((fill_slots_kernel<T>), (int64_t)SLOT_EDGES * g->n, SEED_THREADS,
                                 params_of<T>(g).view, with_slots(g, params_of<T>(g)).view));
    return fri_gpu_check(g, cudaGetLastError(), "preparing slots");
}

static fr_status run(fri_job *job) {
    const fri_gpu *g = (const fri_gpu *)job->device;
    const char *as = g->sssp.narrow_first && !g->sssp.narrow_fails ? "; computed as int32" : "";
    if (uses_windows(g))
        snprintf(job->told.why, sizeof job->told.why,
                 "windows of %.3g over rows sorted by weight; then one pull%s%s", delta_of(g),
                 has_in_rows(g) ? " over in-edges" : "", as);
    else
        snprintf(job->told.why, sizeof job->told.why,
                 "a window of %.3g that adapts to the load%s%s", delta_of(g),
                 can_pull(g) ? "; pull while many vertices are pending" : "", as);
    return fri_gpu_sssp_run(job);
}

static const fri_gpu_strategy device_side = {.scratch = scratch,
                                             .choose = choose,
                                             .save_memory = save_memory,
                                             .start_query = start_query,
                                             .run_levels = run_rounds,
                                             .parents = parents,
                                             .prepare_after_upload = point_to_rows,
                                             .rows = rows,
                                             .change_rows = change_rows};

FRI_GPU_STRATEGY(fri_gpu_sssp_auto) = {
    .name = "auto",
    .source = "fringe",
    .text = "near-far with a window that adapts to the load; hops within blocks; one launch",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_TAKES_CSR_ON_DEVICE,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    .scratch = fri_gpu_sssp_scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = run,
};
