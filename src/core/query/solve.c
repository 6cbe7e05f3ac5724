/* One query: validates it, runs the strategy while timing it, and fills the statistics. Strategies
 * on the CPU write to the caller's arrays; on a GPU cuda/device/results/download.c fills them. */
#include "base/bitmap.h"
#include "base/sized.h"
#include "core/query/apsp_rows.h"
#include "core/query/min_parents.h"
#include "core/query/post.h"
#include "core/solver.h"

#include <stdio.h>
#include <string.h>

static fr_status check_memory(const fri_job *job) {
    const fr_query *q = &job->in->query;
    const bool device = q->result_memory == FR_MEMORY_DEVICE;
    if (!device && q->result_memory != FR_MEMORY_HOST)
        return fri_fail(job->ctx, FR_INVALID, "result_memory must be FR_MEMORY_HOST or _DEVICE");
    if (!device && q->stream)
        return fri_fail(job->ctx, FR_INVALID, "stream needs result_memory = FR_MEMORY_DEVICE");
    if (device && job->strategy->backend != FR_BACKEND_CUDA)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "strategy %s runs on the CPU and writes no device memory (result_memory)",
                        job->strategy->name);
    if (device && job->in->problem == FR_PROBLEM_APSP && (q->row || job->in->in_place))
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "APSP in place or with a row callback writes no device memory "
                        "(result_memory)");
    return FR_OK;
}

static fr_status check_query(fri_job *job) {
    const fr_query *q = &job->in->query;
    bool all = job->in->problem == FR_PROBLEM_APSP && !q->sources;
    if ((q->floyd.pivots_done || q->floyd.pivot) && !job->in->in_place)
        return fri_fail(job->ctx, FR_INVALID, "floyd.pivots_done and floyd.pivot need in_place");
    if (q->floyd.pivots_done < 0 || q->floyd.pivots_done > job->csr.n)
        return fri_fail(job->ctx, FR_INVALID, "floyd.pivots_done must be 0 to %d", job->csr.n);
    if (!all && (!q->sources || q->source_count < 1))
        return fri_fail(job->ctx, FR_INVALID, "a traversal needs at least one source");
    if (q->max_level < 0 || !(q->max_distance >= 0) || q->target_count < 0)
        return fri_fail(
            job->ctx, FR_INVALID,
            "max_level (%d), max_distance (%g) and target_count (%lld) must be at least 0",
            q->max_level, q->max_distance, (long long)q->target_count);
    const int64_t rows = all ? job->csr.n : q->source_count;
    if (job->in->problem == FR_PROBLEM_APSP && rows > job->in->row_capacity)
        return fri_fail(
            job->ctx, FR_INVALID,
            "%lld sources, but the solver was made for %lld; max_sources of its options "
            "allows more",
            (long long)rows, (long long)job->in->row_capacity);
    if (q->target_count && !q->targets)
        return fri_fail(job->ctx, FR_INVALID, "target_count is %lld, but targets is NULL",
                        (long long)q->target_count);
    fr_status status = all ? FR_OK
                           : fri_check_vertices(job->ctx, "source vertex", q->sources,
                                                q->source_count, job->csr.n);
    if (!status)
        status =
            fri_check_vertices(job->ctx, "target vertex", q->targets, q->target_count, job->csr.n);
    if (status)
        return status;
    if (job->in->problem == FR_PROBLEM_APSP && q->mark_negative_cycles)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "APSP cannot mark negative cycles (mark_negative_cycles); sssp can");
    return check_memory(job);
}

/* Merged sources are passed to the strategy without duplicates, in the given order. Marks them in
 * s->target_map, which is all zero outside mark_targets() and is so again at the end. */
static fr_status distinct_sources(fr_solver *s) {
    fri_job *job = &s->job;
    fr_query *q = &s->in.query;
    if (job->in->problem == FR_PROBLEM_APSP || q->source_count < 2)
        return FR_OK;
    if (!s->sources)
        s->sources = fri_alloc(job->ctx, fri_bytes(job->csr.n, sizeof *s->sources));
    if (!s->sources)
        return FR_NOMEM;
    int64_t kept = 0;
    for (int64_t i = 0; i < q->source_count; i++)
        if (!fri_bit_get(s->target_map, q->sources[i])) {
            fri_bit_set(s->target_map, q->sources[i]);
            s->sources[kept++] = q->sources[i];
        }
    for (int64_t i = 0; i < kept; i++)
        s->target_map[s->sources[i] >> 6] = 0;
    q->sources = s->sources;
    q->source_count = kept;
    return FR_OK;
}

static void mark_targets(fr_solver *s, bool on) {
    fri_job *job = &s->job;
    job->target_map = NULL;
    job->target_count = 0;
    for (int64_t i = 0; i < job->in->query.target_count; i++) {
        int32_t t = job->in->query.targets[i];
        if (!on)
            s->target_map[t >> 6] = 0;
        else if (!fri_bit_get(s->target_map, t)) {
            fri_bit_set(s->target_map, t);
            job->target_count++;
        }
    }
    if (on && job->in->query.target_count)
        job->target_map = s->target_map;
}

static bool is_on_cpu(const fri_job *job) { return job->strategy->backend == FR_BACKEND_CPU; }

/* On the CPU, level (BFS) or dist (SSSP) is the traversal's own state; on a GPU the host may need it. Provides
 * an array if the caller gave none. */
static fr_status ensure_output(fr_solver *s, fr_result *internal) {
    fri_job *job = &s->job;
    bool missing = job->in->problem == FR_PROBLEM_BFS
                       ? !internal->level
                       : job->in->problem == FR_PROBLEM_SSSP && !internal->dist;
    if (!missing || (!is_on_cpu(job) && !fri_needs_host_values(job, internal)))
        return FR_OK;
    size_t size =
        job->in->problem == FR_PROBLEM_BFS ? sizeof(int32_t) : fr_type_size(job->in->dist_type);
    if (!s->spare)
        s->spare = fri_alloc(job->ctx, fri_bytes(job->csr.n, size));
    if (!s->spare)
        return FR_NOMEM;
    if (job->in->problem == FR_PROBLEM_BFS)
        internal->level = s->spare;
    else
        internal->dist = s->spare;
    return FR_OK;
}

static void set_counter(fr_stats *stats, fr_counter kind, int64_t value) {
    if (stats->counter_mask & FRI_COUNTER_BIT(kind))
        return; /* counted by the kernels */
    stats->counter_mask |= FRI_COUNTER_BIT(kind);
    stats->counters[kind] = value;
}

/* Adds the counts that every strategy reports to the counts of its kernels. */
static void finish_counts(const fri_job *job, fr_stats *stats) {
    if (!job->in->counters)
        return;
    set_counter(stats, FR_COUNTER_EDGES, stats->edges_examined);
    if (stats->relaxations)
        set_counter(stats, FR_COUNTER_RELAXATIONS, stats->relaxations);
}

/* After a note, only 360 characters of the strategy's own explanation are kept. */
static void prepend_note(fri_job *job) {
    char why[sizeof job->told.why];
    memcpy(why, job->told.why, sizeof why);
    if (*job->told.note)
        snprintf(job->told.why, sizeof job->told.why, "%s%s%.360s", job->told.note,
                 *why ? "; " : "", why);
}

/* The strategy on the job; a search that ends at its sources needs none. */
static fr_status run_strategy(fr_solver *s) {
    fri_job *job = &s->job;
    int32_t *parent = job->out->parent;
    if (fri_is_zero_level(job))
        return fri_solve_zero_level(job);
    if (fri_parents_found(job, job->out) == FRI_PARENTS_BY_NEAREST)
        job->out->parent = NULL;
    fr_status status = s->job.strategy->run(job);
    job->out->parent = parent;
    return status;
}

/* Whether origins must be found before the limit cuts vertices off. */
static bool cuts_after_origins(const fr_solver *s, const fr_result *result) {
    const fr_query *q = s->query;
    return result->origin && s->job.in->problem == FR_PROBLEM_SSSP && s->job.weight_min < 0 &&
           fri_limits_distance(q);
}

/* What follows from the levels or distances of a complete result. *decided: the host has decided
 * which vertices are reached. */
static fr_status post_process(fr_solver *s, bool *decided) {
    fri_job *job = &s->job;
    fr_status status = FR_OK;
    *decided = fri_is_zero_level(job) || fri_cut_min_distance(job);
    if (fri_parents_found(job, job->out) == FRI_PARENTS_BY_NEAREST)
        status = fri_nearest_parents(job, s->post);
    if (job->out->order && !job->told.ordered)
        fri_level_order(job, s->post);
    if (job->out->origin)
        fri_origins(job, s->query->sources, s->query->source_count, s->post);
    if (cuts_after_origins(s, job->out)) {
        fri_cut_after_origins(job, s->query->max_distance);
        *decided = true;
    }
    return status;
}

/* Resets what the previous query left. */
static void begin_run(fr_solver *s, fr_result *internal) {
    fri_job *job = &s->job;
    internal->stats = (fr_stats){.strategy = s->job.strategy->name};
    internal->cycle = NULL;
    internal->cycle_length = 0;
    internal->cycle_weight = 0;
    job->out = internal;
    job->level_start = internal->order ? s->post : NULL;
    job->told.level_count = 0;
    job->told.kernel_count = 0;
    job->told.chosen = NULL;
    job->told.device_ns = job->told.optional_ns = 0;
    job->told.counted_reached = job->told.summed = false;
    job->told.ordered = job->told.has_starts = false;
    job->told.why[0] = 0;
}

/* elapsed_ns: of the run with its post-processing. A device's clock replaces it. */
static void fill_stats(fr_solver *s, int64_t elapsed_ns) {
    const fri_job *job = &s->job;
    fr_stats *stats = &job->out->stats;
    stats->traverse_ns =
        job->told.device_ns ? job->told.device_ns : elapsed_ns - job->told.optional_ns;
    s->prepare_ns += job->told.optional_ns;
    stats->prepare_ns = s->prepare_ns;
    stats->device_init_ns = s->device_init_ns;
    stats->upload_ns = job->told.upload_ns;
    stats->transfer_ns += job->told.upload_ns;
    stats->scratch_bytes = job->scratch_bytes;
    finish_counts(job, stats);
    if (is_on_cpu(job) && !stats->threads)
        stats->threads = 1;
    if (job->told.chosen)
        stats->strategy = job->told.chosen->name;
}

static fr_status run_and_finish(fr_solver *s, fr_result *internal) {
    fri_job *job = &s->job;
    begin_run(s, internal);
    int64_t begin = fri_now_ns();
    fr_status status = run_strategy(s);
    if (!status)
        status = fri_apsp_rows_end(s);
    bool complete = !status || (status == FR_NEGATIVE_CYCLE && job->in->query.mark_negative_cycles);
    if (!status && fri_parents_found(job, internal) == FRI_PARENTS_BY_LEVEL)
        fri_min_parents_bfs(job);
    bool counted =
        job->told.counted_reached || !is_on_cpu(job); /* GPU drivers count what is reached */
    bool decided = false;
    fr_status post = complete ? post_process(s, &decided) : FR_OK;
    counted = counted && !decided;
    status = status ? status : post;
    fill_stats(s, fri_now_ns() - begin);
    prepend_note(job);
    if (complete && job->in->problem != FR_PROBLEM_APSP && !counted)
        fri_job_count_reached(job);
    return status;
}

/* ---- distances from levels ---- */

static int convert_row(void *user, int64_t row, int32_t source, const void *dist,
                       const int32_t *parent) {
    fr_solver *s = user;
    int64_t n = fri_apsp_row_width(&s->job);
    memcpy(s->row, dist, fri_bytes(n, sizeof(int32_t)));
    fri_levels_to_sums(&s->sums, s->row, n, 1);
    return s->query->row(s->query->row_user, row, source, s->row, parent);
}

/* Allocates, the first time, what a query needs in addition to the strategy's memory. */
static fr_status prepare_post(fr_solver *s, const fr_result *result) {
    fri_job *job = &s->job;
    fr_query *q = &s->in.query;
    if ((fri_parents_found(job, result) == FRI_PARENTS_BY_NEAREST || result->order ||
         result->origin) &&
        !s->post) {
        s->post = fri_alloc(job->ctx, fri_bytes(fri_post_entries(job), sizeof *s->post));
        if (!s->post)
            return FR_NOMEM;
    }
    if (!fri_solver_converts(s) || !q->row)
        return FR_OK;
    int64_t width = fri_apsp_row_width(job);
    if (width > job->csr.n) { /* targets listed several times */
        fri_free(s->row);
        s->row = NULL;
    }
    if (!s->row)
        s->row =
            fri_alloc(job->ctx, fri_bytes(FRI_MAX(width, job->csr.n), fr_type_size(s->dist_type)));
    q->row = convert_row;
    q->row_user = s;
    return s->row ? FR_OK : FR_NOMEM;
}

/* The largest level of an SSSP: of a query that ended at targets or a limit, of what it kept. */
static int32_t deepest_level(const fr_solver *s, const fr_result *levels) {
    const int32_t *dist = levels->dist, n = s->job.csr.n;
    int32_t deepest = levels->stats.levels;
    if (!dist || s->in.query.result_memory == FR_MEMORY_DEVICE ||
        fri_level_sums_fit(&s->sums.of, deepest))
        return deepest;
    deepest = 0;
    for (int32_t v = 0; v < n; v++)
        if (dist[v] != FR_INF_I32)
            deepest = FRI_MAX(deepest, dist[v]);
    return deepest;
}

static fr_status level_overflow(const fr_solver *s, const fr_result *levels, int32_t deepest) {
    const int32_t *dist = levels->dist;
    int32_t v = 0;
    if (!dist || s->in.query.result_memory == FR_MEMORY_DEVICE)
        return fri_fail(s->job.ctx, FR_OVERFLOW, "a distance of %d edges does not fit %s%s",
                        deepest, fr_type_name(s->dist_type), fri_wider_type_hint(s->dist_type));
    while (dist[v] != deepest)
        v++;
    return fri_fail(s->job.ctx, FR_OVERFLOW, "the distance of vertex %lld does not fit %s%s",
                    (long long)fri_id_of(&s->job.in->ids, v), fr_type_name(s->dist_type),
                    fri_wider_type_hint(s->dist_type));
}

/* levels: the strategy's result, whose dist is the caller's unless that has none. */
static fr_status convert_distances(const fr_solver *s, const fr_result *levels,
                                   const fr_result *result) {
    const fri_job *job = &s->job;
    const bool apsp = job->in->problem == FR_PROBLEM_APSP;
    if (!fri_solver_converts(s))
        return FR_OK;
    const int32_t deepest = apsp ? job->csr.n : deepest_level(s, levels);
    if (!apsp && !fri_level_sums_fit(&s->sums.of, deepest))
        return level_overflow(s, levels, deepest);
    if (result->dist && !job->told.summed && s->in.query.result_memory == FR_MEMORY_HOST)
        fri_levels_to_sums(&s->sums, result->dist,
                           (apsp ? fri_job_rows(job) : 1) * fri_apsp_row_width(job),
                           job->in->threads);
    return FR_OK;
}

/* The limit of SSSP as one of levels: below 1 it leaves the sources. */
static void limit_levels(const fr_solver *s, fr_query *q) {
    if (!fri_solver_converts(s) || s->job.in->problem != FR_PROBLEM_SSSP || !fri_limits_distance(q))
        return;
    const int32_t last = q->max_distance > 0 ? fri_levels_within(&s->sums.of, q->max_distance) : 0;
    q->max_distance = last == INT32_MAX ? 0 : last ? last : 0.5;
    q->limit_distance = false;
}

/* What is computed on the host after the traversal needs host arrays. */
static fr_status check_device_result(const fr_solver *s, const fr_result *result) {
    if (s->job.in->query.result_memory == FR_MEMORY_HOST ||
        ((!fri_solver_converts(s) || (s->job.strategy->needs & FRI_SUMS_LEVELS)) &&
         !fri_needs_host_values(&s->job, result)))
        return FR_OK;
    return fri_fail(
        s->job.ctx, FR_UNSUPPORTED,
        "order, origin, parents by FR_PARENT_NEAREST (of BFS on several GPUs also by "
        "FR_PARENT_MIN_ID), a limit of 0 and APSP's float distances of unit weights are "
        "computed in host memory: they cannot be written to device memory "
        "(result_memory)");
}

/* Reads the query into the job and the caller's result, and checks both. */
static fr_status read_arguments(fr_solver *s, const fr_query *query, const fr_result *from,
                                fr_result *result) {
    fr_status status = FRI_SIZED_READ(s->job.ctx, fr_query, query, &s->in.query);
    if (!status)
        status = FRI_SIZED_CHECK(s->job.ctx, fr_result, from);
    if (!status)
        status = FRI_SIZED_READ(s->job.ctx, fr_result, from, result);
    if (!status)
        status = check_query(&s->job);
    if (!status)
        status = fri_post_check(&s->job, result);
    if (!status && fri_apsp_rows_needed(&s->job, result))
        status = fri_apsp_rows_check(&s->job, result);
    return status ? status : check_device_result(s, result);
}

/* The query as the strategy gets it, and the arrays that it needs beyond the caller's. */
static fr_status prepare_query(fr_solver *s, fr_result *internal) {
    fri_job *job = &s->job;
    limit_levels(s, &s->in.query);
    fri_zero_distance_limit(&s->in.query);
    const bool by_hops = job->in->problem == FR_PROBLEM_SSSP && job->weight_min < 0;
    if (job->in->query.parent_rule == FR_PARENT_NEAREST &&
        (job->in->problem == FR_PROBLEM_BFS || by_hops))
        s->in.query.parent_rule = FR_PARENT_MIN_ID; /* the same rule there */
    if (cuts_after_origins(s, internal)) {
        s->in.query.max_distance = 0;
        s->in.query.limit_distance = false;
    }
    const bool needs_values = fri_needs_host_values(job, internal);
    job->sums_in_download = job->sums && job->in->problem == FR_PROBLEM_SSSP && !needs_values &&
                            fri_level_sums_fit(&s->sums.of, job->csr.n);
    fr_status status = needs_values ? fri_job_fetch_rows(job) : FR_OK;
    if (!status)
        status = ensure_output(s, internal);
    if (!status)
        status = prepare_post(s, internal);
    return status ? status : distinct_sources(s);
}

/* `internal`: the caller's arrays, and the solver's where there are none. */
static fr_status solve_with_marked_targets(fr_solver *s, fr_result *internal, fr_result *result) {
    mark_targets(s, true);
    fr_status status = run_and_finish(s, internal);
    mark_targets(s, false);
    if (!status)
        status = convert_distances(s, internal, result);
    result->stats = internal->stats;
    result->cycle = internal->cycle;
    result->cycle_length = internal->cycle_length;
    result->cycle_weight = internal->cycle_weight;
    return status;
}

static fr_status solve_into_spare_outputs(fr_solver *s, fr_result *result) {
    fr_result internal = *result;
    fr_query own = s->job.in->query;
    s->query = &own;
    s->result = result;
    s->finishes_rows = s->job.columns = false;
    bool by_rows = fri_apsp_rows_needed(&s->job, result);
    fr_status status = prepare_query(s, &internal);
    if (!status && by_rows)
        status = fri_apsp_rows_begin(s, &internal);
    if (!status)
        status = solve_with_marked_targets(s, &internal, result);
    s->query = NULL;
    s->result = NULL;
    return status;
}

const fri_wrapper *fri_wrapper_of(const fr_solver *s, const fr_query *query, bool each) {
    return fri_without_closed.takes(s, query, each) ? &fri_without_closed
           : fri_over_devices.takes(s, query, each) ? &fri_over_devices
                                                    : NULL;
}

static fr_status route_query(fr_solver *s, const fr_query *query, fr_result *out, bool alone) {
    const int64_t begin = fri_now_ns();
    if (!s)
        return FR_INVALID;
    fri_begin(s->job.ctx);
    fr_result result;
    fr_status status = read_arguments(s, query, out, &result);
    if (status)
        return status;
    const fr_query own = s->job.in->query;
    s->last = &s->job;
    const fri_wrapper *wrapper = alone ? NULL : fri_wrapper_of(s, &own, false);
    status =
        wrapper ? wrapper->solve(s, &own, &result, NULL) : solve_into_spare_outputs(s, &result);
    result.stats.call_ns = fri_now_ns() - begin;
    FRI_SIZED_WRITE(fr_result, &result, out);
    return status;
}

fr_status fr_solve(fr_solver *s, const fr_query *query, fr_result *result) {
    return route_query(s, query, result, false);
}

fr_status fri_solve_alone(fr_solver *s, const fr_query *query, fr_result *result) {
    return route_query(s, query, result, true);
}
