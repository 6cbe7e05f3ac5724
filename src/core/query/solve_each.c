/* fr_solve_each: queries that differ only in their source. On a GPU the results of one query are
 * copied to the host while the next one runs (cuda/device/results/batch.c).
 * device_team.c calls it, too, for the part of each GPU. */
#include "base/sized.h"
#include "core/closed.h"
#include "core/device_team.h"
#include "core/gpu_interface.h"
#include "core/query/post.h"
#include "core/solver.h"

#include <string.h>

/* The state of one call. */
typedef struct {
    fr_solver *solver;
    fr_query query;   /* the caller's, with all sources */
    fr_result result; /* the caller's; stats are sums over the queries */
    int64_t solved;
} batch;

static fr_status read_arguments(batch *b, const fr_query *query, const fr_result *result) {
    const fri_job *job = &b->solver->job;
    fr_status status = FRI_SIZED_READ(job->ctx, fr_query, query, &b->query);
    if (!status)
        status = FRI_SIZED_CHECK(job->ctx, fr_result, result);
    if (!status)
        status = FRI_SIZED_READ(job->ctx, fr_result, result, &b->result);
    if (status)
        return status;
    b->result.stats = (fr_stats){.strategy = b->solver->job.strategy->name};
    if (job->in->problem == FR_PROBLEM_APSP)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "fr_solve_each is for BFS and SSSP; a query of APSP has a row per source");
    if (b->result.order || b->result.origin)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "fr_solve_each gives no order and no origin; fr_solve does");
    return !b->query.sources || b->query.source_count < 1
               ? fri_fail(job->ctx, FR_INVALID, "a traversal needs at least one source")
               : FR_OK;
}

static void begin(batch *b) {
#ifdef FRI_CUDA
    fr_solver *s = b->solver;
    s->in.query = b->query;
    if (s->job.strategy->backend == FR_BACKEND_CUDA && b->query.source_count > 1 &&
        !(s->job.strategy->needs & FRI_SPANS_DEVICES) && !fri_closes(&b->query) &&
        !fri_solver_converts(s) && !fri_needs_host_values(&s->job, &b->result))
        fri_gpu_batch_begin(&s->job, &b->result);
#else
    (void)b;
#endif
}

/* Waits for the copies. Returns `status` if a query failed, else the status of the copies. */
static fr_status end(batch *b, fr_status status) {
#ifdef FRI_CUDA
    fri_job *job = &b->solver->job;
    int64_t copied_ns;
    if (b->solver->job.strategy->backend != FR_BACKEND_CUDA)
        return status;
    status = fri_gpu_batch_end(job, status, &copied_ns, &b->solved);
    b->result.stats.transfer_ns += copied_ns;
    return status;
#else
    (void)b;
    return status;
#endif
}

void fri_stats_add(fr_stats *sum, const fr_stats *one) {
    if (!one->strategy) /* the query was refused */
        return;
    sum->edges_examined += one->edges_examined;
    sum->relaxations += one->relaxations;
    sum->reached += one->reached;
    sum->reached_edges += one->reached_edges;
    sum->traverse_ns += one->traverse_ns;
    sum->transfer_ns += one->transfer_ns - one->upload_ns;
    sum->levels = FRI_MAX(sum->levels, one->levels);
    sum->threads = FRI_MAX(sum->threads, one->threads);
    sum->counter_mask |= one->counter_mask;
    for (int i = 0; i < FR_COUNTER_CAPACITY; i++)
        sum->counters[i] += one->counters[i];
    sum->prepare_ns = one->prepare_ns;
    sum->upload_ns = one->upload_ns;
    sum->device_init_ns = one->device_init_ns;
    sum->scratch_bytes = one->scratch_bytes;
    sum->strategy = one->strategy;
}

static fr_status solve_row(batch *b, int64_t row) {
    fr_solver *s = b->solver;
    const size_t ids = fri_bytes(s->job.csr.n, sizeof(int32_t));
    fr_query query = b->query;
    fr_result result = b->result;
    query.sources += row;
    query.source_count = 1;
    result.stats = (fr_stats){.strategy = NULL};
    result.level = fri_result_row(b->result.level, row, ids);
    result.parent = fri_result_row(b->result.parent, row, ids);
    result.dist = fri_result_row(b->result.dist, row,
                                 fri_bytes(s->job.csr.n, fr_type_size(fr_solver_dist_type(s))));
    s->in.batch_row = row;
    fr_status status = fr_solve(s, &query, &result);
    fri_stats_add(&b->result.stats, &result.stats);
    b->result.cycle = result.cycle;
    b->result.cycle_length = result.cycle_length;
    b->result.cycle_weight = result.cycle_weight;
    return status;
}

static fr_status solve_rows(batch *b) {
    fr_ctx *ctx = b->solver->job.ctx;
    const int64_t count = b->query.source_count;
    fr_status status = FR_OK;
    for (int64_t row = 0; row < count && !status; row++) {
        status = fri_progress(ctx, "solving", row, count) ? FR_CANCELLED : solve_row(b, row);
        b->solved += !status;
    }
    return status;
}

static fr_status solve_alone(batch *b) {
    begin(b);
    fr_status status = end(b, solve_rows(b));
    b->result.stats.transfer_ns += b->result.stats.upload_ns;
    return status;
}

/* Solves on all GPUs of the context. */
static fr_status solve_divided(batch *b) {
    fr_solver *s = b->solver;
    fr_status status = b->query.source_count > 1 ? fri_device_team_make(s) : FR_OK;
    const fri_wrapper *wrapper = status ? NULL : fri_wrapper_of(s, &b->query, true);
    if (status || !wrapper)
        return status ? status : solve_alone(b);
    return wrapper->solve(s, &b->query, &b->result, &b->solved);
}

static fr_status solve_each(fr_solver *s, const fr_query *query, fr_result *result, int64_t *solved,
                            bool alone) {
    const int64_t start = fri_now_ns();
    batch b = {.solver = s};
    if (solved)
        *solved = 0;
    if (!s)
        return FR_INVALID;
    fri_begin(s->job.ctx);
    fr_status status = read_arguments(&b, query, result);
    if (status)
        return status;
    status = alone ? solve_alone(&b) : solve_divided(&b);
    b.result.stats.call_ns = fri_now_ns() - start;
    if (solved)
        *solved = b.solved;
    FRI_SIZED_WRITE(fr_result, &b.result, result);
    return status;
}

fr_status fr_solve_each(fr_solver *s, const fr_query *query, fr_result *result, int64_t *solved) {
    return solve_each(s, query, result, solved, false);
}

fr_status fri_solve_each_alone(fr_solver *s, const fr_query *query, fr_result *result,
                               int64_t *solved) {
    return solve_each(s, query, result, solved, true);
}
