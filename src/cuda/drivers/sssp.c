/* Drives an SSSP strategy on the GPU: sources, rounds, limits, parents, overflow.
 *
 * Rounds: the host reads the state after 1, 2, 4, ... rounds as long as all of them had work; a
 *   strategy with run_levels launches those in between without waiting (device/gpu_strategy.h).
 * Negative cycles: searched for after 32 rounds and then at doubling intervals
 *   (sssp_negative_cycles.c). If distances still fall after n rounds, there is one, or the sums of
 *   floats fall by their rounding; if the search then finds none, the host solves.
 * Bounds: every loop here ends after as many rounds as the graph can take (fri_gpu_check_steps).
 * Overflow: if weights may be negative, a sum outside of int32 restarts the query with 64-bit distances,
 *   since a path may lead back, or on to a negative cycle. A distance that does not fit in the end is
 *   FR_OVERFLOW. If sums of int64 weights leave int64 in this way, the host solves with 128-bit sums.
 * Whole weights: if a strategy says so (narrow_first), a job of another type is first solved with int32
 *   distances, which are converted in the end. Sums of whole numbers below 2^31 - 1 are exact in int64 and float64, in
 *   float32 those below 2^24; larger ones are dropped, and if one is missing, the query is solved again in its type.
 * Rounding: where a cycle of floats has weight 0, rounded sums may fall along it. If they do, or if tight
 *   edges from the roots do not lead to all vertices in the end, the host solves, too.
 * Parents: computed from the distances afterwards: the smallest tight neighbor that is nearer, and
 *   where there is none, hop by hop over tight edges from vertices that have one. With negative
 *   weights hops start at the roots; after many rounds the smallest tight neighbor of all is taken
 *   instead, and vertices attached to cycles of weight 0 are attached to the others. So the parents
 *   form a forest whatever the order of relaxations, and are the same on every run.
 * It is `run` of every SSSP strategy of the GPU. */
#include "cuda/drivers/sssp.h"

#include "cuda/device/results/expand.h"
#include "cuda/drivers/query.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_float(const fri_gpu *g) {
    return g->dist_type == FR_TYPE_F32 || g->dist_type == FR_TYPE_F64;
}
static bool is_negative(const fri_gpu *g) { return g->job->weight_min < 0; }

static int64_t far_key(const fri_gpu *g) {
    switch (g->dist_type) {
    case FR_TYPE_I32: return INT32_MAX;
    case FR_TYPE_I64: return INT64_MAX;
    case FR_TYPE_F32: return INT64_C(0x7f800000);
    default: return INT64_C(0x7ff0000000000000);
    }
}

/* Whether the keys are int32, and the job has another type (fri_gpu_sssp.narrow_first). */
static bool is_narrow(const fri_gpu *g) {
    return g->sssp.narrow_first && g->dist_type == FR_TYPE_I32;
}

/* Above every key that is kept. Instead of floats: sums of whole numbers are exact below it, and no other sum is
 * rounded to less. */
static int64_t end_key(const fri_gpu *g) {
    const bool as_floats = is_narrow(g) && g->job->in->dist_type == FR_TYPE_F32;
    return as_floats ? INT64_C(1) << FLT_MANT_DIG : far_key(g);
}

/* For floats of at least 0, the bits are the key. */
int64_t fri_gpu_limit_key(const fri_gpu *g, double limit) {
    if (!(limit > 0))
        return end_key(g) - 1;
    if (!is_float(g))
        return limit >= (double)end_key(g) ? end_key(g) - 1 : (int64_t)limit;
    if (g->dist_type == FR_TYPE_F32) {
        float f = (float)limit;
        int32_t bits;
        f = (double)f > limit ? nextafterf(f, 0) : f;
        memcpy(&bits, &f, sizeof f);
        return FRI_MIN((int64_t)bits, far_key(g) - 1);
    }
    int64_t bits;
    memcpy(&bits, &limit, sizeof limit);
    return FRI_MIN(bits, far_key(g) - 1);
}

/* Whether the limit cuts off distances that the type could hold. */
static bool cuts_off(const fri_gpu *g, double limit) {
    double end = g->dist_type == FR_TYPE_F32   ? (double)FLT_MAX
                 : g->dist_type == FR_TYPE_F64 ? DBL_MAX
                                               : (double)end_key(g);
    return limit > 0 && limit < end;
}

int32_t fri_gpu_sssp_rounds_per_check(const fri_gpu *g, int knob, int32_t max_rounds,
                                      int64_t frontier) {
    bool busy = frontier > (int64_t)g->multiprocessors * g->max_threads_per_sm;
    max_rounds = FRI_MIN(max_rounds, g->sssp.rounds_per_check);
    return busy ? 1 : FRI_MIN(max_rounds, (int32_t)g->job->knob[knob]);
}

fr_status fri_gpu_sssp_read_control(fri_gpu *g) {
    return fri_gpu_read_control(g, 0, FRI_GPU_CONTROL_WORDS);
}

static int64_t long_word(const fri_gpu *g, int word) {
    int64_t value;
    memcpy(&value, &g->host_control[word], sizeof value);
    return value;
}

/* ---- rounds ------------------------------------------------------------------------------ */

static fr_status start(fri_gpu *g) {
    const fri_job *job = g->job;
    g->sssp.max_key = fri_gpu_limit_key(g, is_negative(g) ? 0 : job->in->query.max_distance);
    g->sssp.why_host = NULL;
    g->sssp.searches = 0;
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    fri_sssp_start(g);
    return g->strategy->start_query ? g->strategy->start_query(g) : FR_OK;
}

/* Whether the check is due. If so, *next becomes the round of the next check. */
static bool is_due(int32_t done, int32_t *next) {
    if (done < *next)
        return false;
    *next = *next > INT32_MAX / 2 ? INT32_MAX : 2 * *next;
    return true;
}

enum {
    FIRST_CHECK = 32, /* rounds: most graphs of small diameter finish earlier */
    DEEP = 64,
    ROUNDS_PER_VERTEX = 8,
    MORE_ROUNDS = 512
};

/* Without a negative cycle n rounds over all that fell suffice. With windows, each few rounds make the
 * nearest pending vertex final: two relax it (edges of hubs wait for the second), two move the window
 * (the first may find that all it holds is out of date), on several GPUs each takes a round more. Windows
 * of sorted rows take up to three rounds each, whatever n is. */
static int64_t most_rounds(const fri_gpu *g) {
    return FRI_MIN(ROUNDS_PER_VERTEX * (int64_t)g->n + MORE_ROUNDS,
                   (int64_t)INT32_MAX - FRI_GPU_MAX_LEVELS);
}

/* After n rounds a negative cycle exists, or floats fall by rounding: the host solves if none is found. A cycle
 * that this search marked may be all that was missing, for a while. */
static fr_status search_cycles(fri_gpu *g, int32_t done) {
    bool acted;
    if (g->strategy->sync_distances)
        FRI_GPU_TRY(g->strategy->sync_distances(g, false));
    FRI_GPU_TRY(fri_gpu_sssp_check_cycles(g, &acted));
    if (done >= g->n && (!acted || done / 2 >= g->n) && !g->sssp.why_host)
        g->sssp.why_host = "distances on the GPU kept falling";
    return FR_OK;
}

static fr_status rounds(fri_gpu *g) {
    fri_job *job = g->job;
    int64_t found = g->source_count;
    int32_t done = 0, next_check = FIRST_CHECK;
    g->sssp.rounds_per_check = 1;
    while (found) {
        if (fri_progress(job->ctx, "traversing", done, 0))
            return FR_CANCELLED;
        int64_t frontier = found, before = long_word(g, FRI_CONTROL_EDGES), begin = fri_now_ns();
        fri_gpu_progress progress = {.levels = 1};
        int32_t max_rounds = is_negative(g) ? next_check - done : FRI_GPU_MAX_LEVELS;
        FRI_GPU_TRY(fri_gpu_run_levels(g, "round", done + 1,
                                       FRI_MIN(max_rounds, FRI_GPU_MAX_LEVELS), &progress));
        g->sssp.rounds_per_check = progress.levels < g->sssp.rounds_per_check
                                       ? progress.levels
                                       : FRI_MIN(2 * g->sssp.rounds_per_check, max_rounds);
        found = progress.found;
        job->out->stats.levels = done += FRI_MAX(progress.levels, 1);
        if (!progress.traced)
            fri_job_level(job, progress.method ? progress.method : job->strategy->name, frontier,
                          long_word(g, FRI_CONTROL_EDGES) - before, fri_now_ns() - begin);
        if (g->host_control[FRI_CONTROL_BELOW_INT32])
            return FR_OK;
        if (is_negative(g) && found && is_due(done, &next_check))
            FRI_GPU_TRY(search_cycles(g, done));
        if (g->sssp.why_host)
            return FR_OK;
        if (found)
            FRI_GPU_TRY(fri_gpu_check_steps(g->job, "rounds", done, most_rounds(g)));
    }
    if (g->strategy->sync_distances)
        FRI_GPU_TRY(g->strategy->sync_distances(g, true));
    return is_negative(g) ? fri_gpu_sssp_check_loops(g) : FR_OK;
}

/* If the largest distance on the device is so large that a sum may have been dropped: *lost is a
 * vertex that is not reached but has a reached in-neighbor; otherwise -1. Needs
 * host_control[FRI_CONTROL_MAX_KEY]. */
static fr_status find_lost(fri_gpu *g, int32_t *lost) {
    *lost = -1;
    int64_t max_key = long_word(g, FRI_CONTROL_MAX_KEY);
    double farthest = (double)max_key, end = (double)end_key(g) * (1 - 0x1p-40);
    if (is_float(g)) { /* the largest key is not a negative float */
        double f64;
        float f32;
        int32_t half = (int32_t)max_key;
        memcpy(&f64, &max_key, sizeof f64);
        memcpy(&f32, &half, sizeof f32);
        farthest = g->dist_type == FR_TYPE_F32 ? (double)f32 : f64;
        end = g->dist_type == FR_TYPE_F32 ? 3.4e38 : 1.79e308;
    }
    if (farthest + g->job->weight_max < end)
        return FR_OK;
    fri_sssp_unreached(g);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_ORPHANS, 1));
    *lost = g->host_control[FRI_CONTROL_ORPHANS];
    return FR_OK;
}

/* Whether an integer sum left the range of its type: below, or above where negative weights may lead back; the
 * latter of floats, too. */
static fr_status sums_left(fri_gpu *g, bool *left) {
    int32_t lost;
    if (g->strategy->sync_distances)
        /* sync_distances sums, too */
        FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_BELOW_INT32, 1));
    *left = g->host_control[FRI_CONTROL_BELOW_INT32] != 0;
    if (*left || !is_negative(g))
        return FR_OK;
    fri_sssp_trim(g, far_key(g) - 1); /* cuts nothing off: sets control[FRI_CONTROL_MAX_KEY] */
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_MAX_KEY, 2));
    FRI_GPU_TRY(find_lost(g, &lost));
    *left = lost >= 0;
    return FR_OK;
}

static fr_status run_type(fri_gpu *g, fr_type type) {
    g->dist_type = type;
    memset(g->host_control, 0, FRI_GPU_CONTROL_WORDS * sizeof *g->host_control);
    FRI_GPU_TRY(start(g));
    return rounds(g);
}

/* If the device finds no result, g->sssp.why_host says why the host must solve. */
static fr_status traverse(fri_gpu *g) {
    bool left = false;
    const bool narrow = g->sssp.narrow_first && !g->sssp.narrow_fails;
    FRI_GPU_TRY(run_type(g, narrow ? FR_TYPE_I32 : g->job->in->dist_type));
    if (!g->sssp.why_host)
        FRI_GPU_TRY(sums_left(g, &left));
    if (left && g->job->csr.weight_type == FR_TYPE_I32) /* sums left int32: restart in 64 bits */
        return run_type(g, FR_TYPE_I64);
    if (left)
        g->sssp.why_host = is_float(g) ? "sums on the GPU were lost" : "sums on the GPU left int64";
    return FR_OK;
}

fr_status fri_gpu_sssp_settled(fri_gpu *g, int64_t key, bool *settled) {
    *settled = false;
    if (!g->job->target_map)
        return FR_OK;
    fri_sssp_farthest_target(g);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_TARGET_BOUND, 2));
    *settled = long_word(g, FRI_CONTROL_TARGET_BOUND) <= key;
    return FR_OK;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Applies targets and limits as all SSSP strategies do (fringe.h, fr_query). *bounded: farther
 * vertices were cut off, so overflow cannot have lost any. */
static fr_status trim(fri_gpu *g, bool *bounded) {
    const fr_query *q = &g->job->in->query;
    int64_t last = fri_gpu_limit_key(g, q->max_distance);
    *bounded = cuts_off(g, q->max_distance);
    if (q->target_count && !is_negative(g)) {
        fri_sssp_farthest_target(g);
        FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_TARGET_BOUND, 2));
        *bounded |= long_word(g, FRI_CONTROL_TARGET_BOUND) < far_key(g);
        last = FRI_MIN(last, long_word(g, FRI_CONTROL_TARGET_BOUND));
    }
    fri_sssp_trim(g, last);
    return FR_OK;
}

static fr_status root_parents(fri_gpu *g) {
    fri_sssp_tight_parents(g, FRI_PARENT_ROOTS);
    return FR_OK;
}

/* The smallest tight neighbor of each; then vertices on cycles of weight 0 and below them are
 * attached to the others for as long as some can be; one edge is enough for a whole cycle. */
static fr_status tight_parents(fri_gpu *g) {
    fri_sssp_tight_parents(g, FRI_PARENT_TIGHT);
    for (int32_t before = INT32_MAX; /**/; before = g->host_control[FRI_CONTROL_ORPHANS]) {
        fri_sssp_find_attached(g);
        FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_ORPHANS, 1));
        if (g->host_control[FRI_CONTROL_ORPHANS] == 0)
            return FR_OK;
        if (g->host_control[FRI_CONTROL_ORPHANS] >= before)
            break;
        if (fri_progress(g->job->ctx, "finding parents", 0, 0))
            return FR_CANCELLED;
        fri_sssp_attach_orphans(g);
    }
    fri_sssp_break_cycles(g);
    return FR_OK;
}

/* Gives parents to the vertices without one, hop by hop from those that have one. */
static fr_status hops(fri_gpu *g) {
    fri_sssp_hops_begin(g);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_QUEUE_TAIL, 1));
    for (int32_t hop = 0; g->host_control[FRI_CONTROL_QUEUE_TAIL]; hop++) {
        if ((hop & 0xff) == 0xff && fri_progress(g->job->ctx, "finding parents", hop, 0))
            return FR_CANCELLED;
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "hops of parents", hop, g->n));
        fri_sssp_hop(g, hop, g->host_control[FRI_CONTROL_QUEUE_TAIL]);
        FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_QUEUE_TAIL, 1));
    }
    return FR_OK;
}

static fr_status count_orphans(fri_gpu *g) {
    fri_sssp_count_orphans(g);
    return fri_gpu_read_control(g, FRI_CONTROL_ORPHANS, 1);
}

static fr_status parents(fri_gpu *g) {
    if (!g->parent)
        return FR_OK;
    fri_gpu_parents known = g->strategy->parents ? g->strategy->parents(g) : FRI_PARENTS_NONE;
    if (known == FRI_PARENTS_ALL)
        return FR_OK;
    /* DEEP hops take longer than resolving cycles */
    bool deep = g->job->out->stats.levels >= DEEP &&
                g->job->in->query.parent_rule != FR_PARENT_MIN_ID; /* which counts hops */
    if (known == FRI_PARENTS_NONE && is_negative(g))
        FRI_GPU_TRY(deep ? tight_parents(g) : root_parents(g));
    else if (known == FRI_PARENTS_NONE)
        fri_sssp_tight_parents(g, FRI_PARENT_NEARER);
    FRI_GPU_TRY(count_orphans(g));
    if (g->host_control[FRI_CONTROL_ORPHANS] == 0)
        return FR_OK;
    FRI_GPU_TRY(hops(g));
    FRI_GPU_TRY(count_orphans(g));
    if (g->host_control[FRI_CONTROL_ORPHANS] == 0)
        return FR_OK;
    if (!is_float(g) || !is_negative(g))
        return fri_fail(g->job->ctx, FR_DEVICE, "GPU: %d vertices are reached but have no parent",
                        g->host_control[FRI_CONTROL_ORPHANS]);
    g->sssp.why_host = FRI_ROUNDED;
    return FR_OK;
}

/* Where a weight is negative, parents also show whether floats are the sums of paths. */
static fr_status negative_parents(fri_gpu *g) {
    int32_t *wanted = g->parent;
    if (is_float(g) && !wanted)
        g->parent = g->parent_store;
    fr_status status = parents(g);
    g->parent = wanted;
    return status;
}

static fr_status overflow(fri_gpu *g, int32_t vertex, fr_type type) {
    return fri_fail(g->job->ctx, FR_OVERFLOW, "the distance of vertex %lld does not fit %s%s",
                    (long long)fri_id_of(&g->job->in->ids, vertex), fr_type_name(type),
                    fri_wider_type_hint(type));
}

/* If sums above the type were dropped, some vertex with a reached in-neighbor is not reached. The
 * values may have replaced their keys: an unreached vertex has the same bits in both. */
static fr_status check_overflow(fri_gpu *g) {
    int32_t orphan;
    FRI_GPU_TRY(find_lost(g, &orphan));
    if (orphan < 0)
        return FR_OK;
    if (!is_narrow(g))
        return overflow(g, orphan, g->dist_type);
    g->sssp.narrow_fails = true;
    return FR_OK;
}

/* Whether an unmarked float distance is minus infinity: then no result is valid. */
static fr_status check_underflow(fri_gpu *g) {
    const fri_job *job = g->job;
    const size_t bytes = fri_bytes(g->n, fr_type_size(g->dist_type));
    if (!is_float(g) || job->out->cycle || long_word(g, FRI_CONTROL_MIN_KEY) != -far_key(g) - 1)
        return FR_OK;
    void *values = fri_alloc(job->ctx, bytes); /* for the message only */
    fr_status status = values ? fri_gpu_download(g, values, g->dist, bytes) : FR_NOMEM;
    for (int32_t v = 0; v < g->n && !status; v++)
        if (g->dist_type == FR_TYPE_F32 ? ((const float *)values)[v] == -INFINITY
                                        : ((const double *)values)[v] == -(double)INFINITY)
            status = overflow(g, v, g->dist_type);
    fri_free(values);
    return status;
}

/* Whether negative weights took wider keys. */
static bool narrows(const fri_gpu *g) {
    return g->dist_type != g->job->in->dist_type && !is_narrow(g);
}

/* Distances that left their type; needs all control words. */
static fr_status check_range(fri_gpu *g, bool bounded) {
    const int32_t too_wide = narrows(g) ? g->host_control[FRI_CONTROL_ORPHANS] : -1;
    if (!bounded)
        FRI_GPU_TRY(check_overflow(g));
    return too_wide >= 0 ? overflow(g, too_wide, FR_TYPE_I32) : check_underflow(g);
}

/* Vertices up to which counting takes less time than another wait for the stream. */
#ifdef FRI_SIMT /* both ways occur on small graphs */
enum { FEW_VERTICES = 1 << 6 };
#else
enum { FEW_VERTICES = 1 << 16 };
#endif

/* Counting is no part of the traversal: results for the host are downloaded at the same time. */
static bool counts_first(const fri_gpu *g) {
    const fr_result *out = g->job->out;
    return g->n <= FEW_VERTICES || g->job->in->query.result_memory == FR_MEMORY_DEVICE ||
           (!out->dist && !out->parent);
}

/* Whether the distances' last place is the caller's array. Negative sums may need wider ones. */
static bool is_direct(const fri_gpu *g) {
    return !is_negative(g) && fri_gpu_is_direct(g, g->job->out->dist);
}

static fri_gpu_counting counting_of(const fri_gpu *g) {
    return (fri_gpu_counting){g->dist, (int)fr_type_size(g->dist_type), far_key(g), -1};
}

static fr_status finish(fri_gpu *g) {
    bool bounded = false;
    if (g->sssp.why_host)
        return FR_OK;
    /* a path to a vertex that is kept may pass through vertices that are cut off */
    if (is_negative(g))
        FRI_GPU_TRY(negative_parents(g));
    if (g->sssp.why_host)
        return FR_OK;
    FRI_GPU_TRY(trim(g, &bounded));
    if (!is_negative(g))
        FRI_GPU_TRY(parents(g));
    g->sssp.values = g->dist_type == g->job->in->dist_type ? g->dist
                     : is_direct(g)                        ? g->job->out->dist
                                                           : g->sssp.driver_scratch;
    if (g->dist_type != g->job->in->dist_type || is_negative(g)) /* other keys are the values */
        fri_sssp_values(g);
    FRI_GPU_TRY(fri_gpu_stop_clock(g));
    const fri_gpu_counting counting = counting_of(g);
    if (counts_first(g))
        FRI_GPU_TRY(fri_gpu_count_reached(g, &counting));
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    FRI_GPU_TRY(fri_gpu_read_clock(g, &g->job->told.device_ns));
    g->job->out->stats.edges_examined = long_word(g, FRI_CONTROL_EDGES);
    g->job->out->stats.relaxations = long_word(g, FRI_CONTROL_RELAXED);
    return check_range(g, bounded);
}

/* Bytes per distance on the bus. */
static int sent_size(const fri_gpu *g) {
    const fr_type type = g->job->in->dist_type;
    const int size = (int)fr_type_size(type);
    return type == FR_TYPE_F32 || type == FR_TYPE_F64
               ? size
               : fri_narrow_size(size, long_word(g, FRI_CONTROL_MIN_KEY),
                                 long_word(g, FRI_CONTROL_MAX_KEY));
}

/* Sets the members of the distances' output that only the end of the traversal determines. */
static void complete(const fri_gpu *g, fri_gpu_output *distances) {
    distances->from = g->sssp.values;
    distances->sent = sent_size(g);
}

static fr_status traverse_and_finish(fri_gpu *g, fri_gpu_delivery *d) {
    FRI_GPU_TRY(fri_gpu_start_clock(g));
    FRI_GPU_TRY(traverse(g));
    FRI_GPU_TRY(finish(g));
    if (is_narrow(g) && g->sssp.narrow_fails) {
        fri_job_note(g->job, "int32 does not hold all distances");
        FRI_GPU_TRY(traverse(g));
        FRI_GPU_TRY(finish(g));
    }
    if (g->sssp.why_host)
        return FR_OK;
    d->count_what = counting_of(g);
    d->counts = !counts_first(g);
    if (!d->outputs[0].sent)
        complete(g, &d->outputs[0]);
    d->ready = true;
    return FR_OK;
}

/* Distances and parents; complete() adds to the former. */
static fri_gpu_delivery delivery_of(const fri_gpu *g) {
    const fr_result *out = g->job->out;
    const int size = (int)fr_type_size(g->job->in->dist_type), id = sizeof(int32_t);
    return (fri_gpu_delivery){
        .outputs = {{out->dist, g->dist, g->n, size, 0}, {out->parent, g->parent, g->n, id, id}},
        .count = 2};
}

/* In each thread of the delivery. */
static void answer(fri_member me, void *arg) {
    fri_gpu_delivery *d = arg;
    if (me.index == 0)
        fri_gpu_delivery_launch(d, traverse_and_finish(d->g, d));
    fri_gpu_delivery_help(me, d);
}

static fr_status run_query(fri_gpu *g) {
    fri_job *job = g->job;
    fri_gpu_begin_query(g);
    fri_gpu_delivery d = delivery_of(g);
    FRI_GPU_TRY(fri_gpu_send_query(g, true));
    fri_gpu_delivery_begin(g, &d);
    fri_team_share(job->ctx, d.threads, answer, &d);
    FRI_GPU_TRY(fri_gpu_delivery_end(&d));
    if (g->sssp.why_host)
        return fri_gpu_sssp_on_host(job, g->sssp.why_host);
    fri_gpu_take_reached(g);
    FRI_GPU_TRY(fri_gpu_end_query(g));
    /* marked cycles were propagated */
    return job->out->cycle ? fri_job_negative_cycle(job) : FR_OK;
}

fr_status fri_gpu_sssp_run(fri_job *job) {
    fri_gpu *g = job->device;
    void *own = g->dist;
    FRI_GPU_TRY(fri_gpu_select(g));
    FRI_GPU_TRY(fri_gpu_open_results(g));
    FRI_GPU_TRY(fri_gpu_check_host_results(g));
    if (is_direct(g) && !g->sssp.narrow_first)
        g->dist = job->out->dist;
    fr_status status = run_query(g);
    g->dist = own;
    return status;
}
