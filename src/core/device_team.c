#include "core/device_team.h"

#include "base/heap.h"
#include "core/query/apsp_rows.h"
#include "core/closed.h"
#include "core/gpu_interface.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* of APSP strategies that do not say how many rows they compute together */
enum { ROWS_AT_ONCE = 64 };
/* Rows of a member before a callback gets those of all, as many as have PASSED_BYTES. With one, waits and the copies of
 * the last rows take as long as is gained. */
enum { LEAST_PASSED = 2, MOST_PASSED = 8, PASSED_BYTES = 1 << 28 };

typedef struct member {
    struct fri_device_team *team;
    fr_solver *solver;
    fr_stats stats; /* sums over its parts */
    pthread_t thread;
} member;

struct fri_device_team {
    int count;    /* members; the first is the solver itself, in the calling thread */
    int each_gpu; /* members with a part of each GPU's multiprocessors */
    member members[FRI_MAX_DEVICES];
    /* the query */
    const fr_query *query;
    const fr_result *result;
    const int32_t *sources; /* [rows] */
    int32_t *every_vertex;  /* owned; 0 .. n-1, once a query wants all rows */
    void *passed;           /* owned; [passed_bytes] rows for a callback, once a query has one */
    size_t passed_bytes;
    bool each;            /* fr_solve_each: every row is a query */
    int stop;             /* atomic: a part failed */
    pthread_mutex_t lock; /* guards the row callback and the members below */
    fri_row_parts parts;
    fr_status status;                     /* of the first failed part in the order of rows */
    int64_t failed_row, solved_of_failed; /* solved: complete rows of that part */
    const fr_solver *failed;
    fr_result failed_result;
};

/* ---- making the solvers ---- */

fr_status fri_device_peer(fr_ctx *ctx, int index, fr_ctx **peer) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    const int first = index % ctx->device_count; /* of that GPU */
    *peer = ctx->peers[index];
    if (*peer)
        return FR_OK;
    options.device = ctx->devices[first];
    options.threads = FRI_MAX(ctx->threads / FRI_MAX(ctx->device_count, index + 1), 1);
    options.max_memory_bytes = fr_ctx_max_bytes(ctx) / (size_t)ctx->device_count;
    options.max_gpu_bytes = ctx->max_gpu_bytes;
    fr_status status = fr_ctx_new(&options, peer);
    if (status)
        return fri_fail(ctx, status, "no context for GPU %d", options.device);
    ctx->peers[index] = *peer;
    (*peer)->account = index == first ? NULL : first ? ctx->peers[first] : ctx;
    return FR_OK;
}

/* The arguments and result of a thread that makes the solver of one further GPU. The threads run at
 * the same time, because each solver uploads the graph. */
typedef struct solver_task {
    fr_ctx *ctx;
    const fr_solver *like;
    fr_solver **solver;
    fr_status status;
    pthread_t thread;
} solver_task;

static void *make_one(void *arg) {
    solver_task *m = arg;
    m->status = fri_solver_like(m->like, m->ctx, m->like->graph, m->solver);
    return NULL;
}

static fr_status make_members(fr_solver *s) {
    struct fri_device_team *team = s->team;
    fr_ctx *ctx = s->job.ctx;
    solver_task tasks[FRI_MAX_DEVICES] = {{0}};
    fr_status status = FR_OK;
    int started = 1;
    for (int i = 1; i < team->count && !status; i++) {
        solver_task *m = &tasks[i];
        *m = (solver_task){.like = s, .solver = &team->members[i].solver};
        status = fri_device_peer(ctx, i, &m->ctx);
        if (!status && pthread_create(&m->thread, NULL, make_one, m))
            status = fri_fail(ctx, FR_NOMEM, "no thread for GPU %d", ctx->devices[i]);
        started += !status;
    }
    for (int i = 1; i < started; i++) {
        pthread_join(tasks[i].thread, NULL);
        if (!status && tasks[i].status)
            status = fri_fail(ctx, tasks[i].status, "%s", fr_ctx_error(tasks[i].ctx));
    }
    return status;
}

static bool solves_rows_separately(const fr_solver *s) {
    const fri_strategy *strategy = s->job.strategy;
    return strategy->backend == FR_BACKEND_CUDA && !s->job.in->in_place &&
           !(strategy->needs & FRI_SPANS_DEVICES) &&
           (strategy->needs & FRI_SEPARATE_ROWS || s->job.in->problem != FR_PROBLEM_APSP);
}

static void free_team(fr_solver *s) {
    struct fri_device_team *team = s->team;
    if (!team)
        return;
    for (int i = 1; i < team->count; i++)
        fr_solver_free(team->members[i].solver);
    pthread_mutex_destroy(&team->lock);
    fri_free(team->every_vertex);
    fri_free(team->passed);
    fri_free(team);
    s->team = NULL;
}

/* Several for a GPU, unless the caller's functions allocate, which belongs to one thread. */
static int count_members(const fr_solver *s) {
    const fr_ctx *ctx = s->job.ctx;
    const bool alone = fri_heap_is_callers(ctx->heap) || s->record_levels || s->job.in->counters;
    const int each = FRI_MIN(s->job.told.searches, FRI_MAX_DEVICES / ctx->device_count);
    return ctx->device_count * (alone ? 1 : FRI_MAX(each, 1));
}

fr_status fri_device_team_make(fr_solver *s) {
    fr_ctx *ctx = s->job.ctx;
    const int members = solves_rows_separately(s) ? count_members(s) : 1;
    if (s->team || members < 2)
        return FR_OK;
    s->team = fri_calloc(ctx, sizeof *s->team);
    if (!s->team)
        return FR_NOMEM;
    pthread_mutex_init(&s->team->lock, NULL);
    s->team->count = members;
    s->team->each_gpu = members / ctx->device_count;
    s->team->members[0].solver = s;
    for (int i = 0; i < s->team->count; i++)
        s->team->members[i].team = s->team;
    fr_status status = make_members(s);
    if (status)
        free_team(s);
    if (status && ctx->device_count == 1) { /* the GPU has no room for more than one */
        fri_begin(ctx);
        return FR_OK;
    }
    return status;
}

/* ---- parts ---- */

fri_row_parts fri_cut_rows_by_batches(int64_t rows, int64_t at_once, int devices) {
    const int64_t round = at_once * devices;
    return (fri_row_parts){.rows = rows,
                           .unit = at_once,
                           .whole = rows / round * round,
                           .devices = devices,
                           .sixteenths = 4};
}

fri_row_parts fri_cut_rows_evenly(int64_t rows, int64_t at_once, int devices) {
    const int64_t share = FRI_MAX((rows + devices - 1) / devices, 1);
    return (fri_row_parts){.rows = rows,
                           .unit = FRI_MIN(at_once, share),
                           .whole = rows,
                           .devices = devices,
                           .sixteenths = 12};
}

int64_t fri_next_row_part(fri_row_parts *parts, int64_t *first) {
    const int64_t left = parts->whole - parts->next, devices = parts->devices;
    int64_t count;
    if (left > 0) {
        const int64_t units = (left + parts->unit - 1) / parts->unit, divisor = 16 * devices;
        count = (parts->sixteenths * units + divisor - 1) / divisor * parts->unit;
        count = FRI_MIN(count, left);
    } else {
        const int64_t share = (parts->rows - parts->whole + devices - 1) / devices;
        count = FRI_MIN(share, parts->rows - parts->next);
    }
    *first = parts->next;
    parts->next += count;
    return count;
}

/* ---- solving ---- */

/* Whether the query has rows to divide. */
static bool takes(const fr_solver *s, const fr_query *query, bool each) {
    const int64_t rows = query->sources ? query->source_count : s->job.csr.n;
    const bool separate = each || s->job.in->problem == FR_PROBLEM_APSP;
    const bool on_host = query->result_memory == FR_MEMORY_HOST;
    if (!s->team || !separate || fri_closes(query))
        return false;
    return s->job.ctx->device_count > 1 ? rows > 1 && on_host
                                        : rows >= 2 * s->team->count && (on_host || !query->row);
}

/* The state of a part's row callback. It runs in the thread of that GPU; the lock admits one thread
 * at a time. */
typedef struct part_rows {
    struct fri_device_team *team;
    int64_t first;
    int64_t stopped; /* 1 + the row at which the callback cancelled; 0: it did not */
} part_rows;

static fr_status row_stopped(fr_ctx *ctx, int64_t row) {
    return fri_fail(ctx, FR_CANCELLED, "cancelled by the row callback at row %lld", (long long)row);
}

static int pass_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    part_rows *p = user;
    const fr_query *asked = p->team->query;
    pthread_mutex_lock(&p->team->lock);
    int stop = asked->row(asked->row_user, p->first + row, source, dist, parent);
    pthread_mutex_unlock(&p->team->lock);
    p->stopped = stop ? p->first + row + 1 : 0;
    return stop;
}

/* The progress callback of further GPUs: cancels their parts after a failure. It does not cancel
 * parts of fr_solve_each, which reports how many rows from the first on are complete. */
static int stops(void *user, const char *phase, int64_t done, int64_t total) {
    (void)phase, (void)done, (void)total;
    const struct fri_device_team *team = user;
    return !team->each && __atomic_load_n(&team->stop, __ATOMIC_RELAXED);
}

static void note_failure(member *m, fr_status status, int64_t first, int64_t solved,
                         const fr_result *result) {
    struct fri_device_team *team = m->team;
    pthread_mutex_lock(&team->lock);
    const bool only_stopped = status == FR_CANCELLED && team->status;
    if (!only_stopped && (!team->status || first < team->failed_row)) {
        team->status = status;
        team->failed_row = first;
        team->solved_of_failed = solved;
        team->failed = m->solver;
        team->failed_result = *result;
    }
    pthread_mutex_unlock(&team->lock);
    __atomic_store_n(&team->stop, 1, __ATOMIC_RELAXED);
}

/* The arrays from row `first` on. */
static fr_result rows_from(const struct fri_device_team *team, const fr_result *whole,
                           int64_t first) {
    const fr_solver *s = team->members[0].solver;
    const bool columns = !team->each && team->query->target_count;
    const int64_t width = columns ? team->query->target_count : s->job.csr.n;
    const size_t ids = fri_bytes(width, sizeof(int32_t));
    fr_result result = FR_INIT(fr_result);
    result.level = fri_result_row(whole->level, first, ids);
    result.dist = fri_result_row(whole->dist, first, fri_bytes(width, fr_type_size(s->dist_type)));
    result.parent = fri_result_row(whole->parent, first, ids);
    return result;
}

static void solve_part(member *m, int64_t first, int64_t count) {
    struct fri_device_team *team = m->team;
    part_rows rows = {team, first, 0};
    fr_query query = *team->query;
    query.sources = team->sources + first;
    query.source_count = count;
    if (query.row) {
        query.row = pass_row;
        query.row_user = &rows;
    }
    fr_result result = rows_from(team, team->result, first);
    int64_t solved = 0;
    m->solver->in.gpu_parts = team->each_gpu;
    fr_status status = team->each ? fri_solve_each_alone(m->solver, &query, &result, &solved)
                                  : fri_solve_alone(m->solver, &query, &result);
    m->solver->in.gpu_parts = 1;
    if (rows.stopped)
        status = row_stopped(m->solver->job.ctx, rows.stopped - 1);
    fri_stats_add(&m->stats, &result.stats);
    if (status)
        note_failure(m, status, first, solved, &result);
}

/* The rows of an APSP part are copied to the host while the next part is computed, unless the host still
 * works on them. */
static void begin_copies(member *m) {
#ifdef FRI_CUDA
    const struct fri_device_team *team = m->team;
    fri_job *job = &m->solver->job;
    if (team->each)
        return;
    fr_query *query = &m->solver->in.query;
    *query = *team->query;
    query->sources = team->sources;
    query->source_count = team->parts.rows;
    if (!fri_apsp_rows_needed(job, team->result) && !fri_solver_converts(m->solver))
        fri_gpu_batch_begin(job, team->result);
#else
    (void)m;
#endif
}

static void end_copies(member *m) {
#ifdef FRI_CUDA
    int64_t copied_ns, row = 0;
    const fr_result none = FR_INIT(fr_result);
    if (m->team->each)
        return;
    fr_status status = fri_gpu_batch_end(&m->solver->job, FR_OK, &copied_ns, &row);
    m->stats.transfer_ns += copied_ns;
    if (status)
        note_failure(m, status, row, 0, &none);
#else
    (void)m;
#endif
}

static void *solve_parts(void *arg) {
    member *m = arg;
    struct fri_device_team *team = m->team;
    begin_copies(m);
    while (!__atomic_load_n(&team->stop, __ATOMIC_RELAXED)) {
        int64_t first;
        pthread_mutex_lock(&team->lock);
        const int64_t count = fri_next_row_part(&team->parts, &first);
        pthread_mutex_unlock(&team->lock);
        if (count == 0)
            break;
        solve_part(m, first, count);
    }
    end_copies(m);
    return NULL;
}

static fr_status begin_query(fr_solver *s, const fr_query *query, const fr_result *result,
                             bool each) {
    struct fri_device_team *team = s->team;
    const int64_t n = s->job.csr.n;
    team->query = query;
    team->result = result;
    team->each = each;
    team->sources = query->sources;
    const int64_t rows = query->sources ? query->source_count : n;
    team->stop = 0;
    team->status = FR_OK;
    const int64_t at_once = s->job.told.rows_at_once;
    team->parts = each      ? fri_cut_rows_evenly(rows, 1, team->count)
                  : at_once ? fri_cut_rows_by_batches(rows, at_once, team->count)
                            : fri_cut_rows_evenly(rows, ROWS_AT_ONCE, team->count);
    for (int i = 0; i < team->count; i++)
        team->members[i].stats = (fr_stats){0};
    if (team->sources)
        return FR_OK;
    if (!team->every_vertex) {
        team->every_vertex = fri_alloc(s->job.ctx, fri_bytes(n, sizeof(int32_t)));
        if (!team->every_vertex)
            return FR_NOMEM;
        for (int64_t v = 0; v < n; v++)
            team->every_vertex[v] = (int32_t)v;
    }
    team->sources = team->every_vertex;
    return FR_OK;
}

/* The GPUs run at the same time, so the longest time counts. */
static void fill_result(const fr_solver *s, fr_result *result) {
    const struct fri_device_team *team = s->team;
    fr_stats *sum = &result->stats;
    for (int i = 0; i < team->count; i++) {
        const fr_stats before = *sum;
        const fr_stats *part = &team->members[i].stats;
        if (!part->strategy) /* this GPU ran no part */
            continue;
        fri_stats_add(sum, part);
        sum->prepare_ns = FRI_MAX(before.prepare_ns, part->prepare_ns);
        sum->upload_ns = FRI_MAX(before.upload_ns, part->upload_ns);
        sum->traverse_ns = FRI_MAX(before.traverse_ns, part->traverse_ns);
        sum->transfer_ns = FRI_MAX(before.transfer_ns, part->transfer_ns + part->upload_ns);
    }
    if (!team->status)
        return;
    result->cycle = team->failed_result.cycle;
    result->cycle_length = team->failed_result.cycle_length;
    result->cycle_weight = team->failed_result.cycle_weight;
    if (team->failed != s)
        fri_fail(s->job.ctx, team->status, "%s", fr_ctx_error(team->failed->job.ctx));
}

/* fr_solver_explain of a divided query of APSP: what the first GPU says, if it ran a part. */
static void explain(fri_job *job, const struct fri_device_team *team) {
    if (!team->members[0].stats.strategy)
        memcpy(job->told.why, job->told.note, sizeof job->told.note);
    const size_t used = strlen(job->told.why);
    const int gpus = team->count / team->each_gpu;
    if (gpus > 1)
        snprintf(job->told.why + used, sizeof job->told.why - used, "%srows divided among %d GPUs",
                 used ? "; " : "", gpus);
    else
        snprintf(job->told.why + used, sizeof job->told.why - used,
                 "%s%d rows at once, each on a part of the GPU", used ? "; " : "", team->count);
}

static fr_status divide(fr_solver *s, const fr_query *query, fr_result *result, bool each) {
    struct fri_device_team *team = s->team;
    fr_status status = begin_query(s, query, result, each);
    int started = 1;
    if (status)
        return status;
    for (; started < team->count; started++) {
        member *m = &team->members[started];
        m->solver->job.ctx->progress = stops;
        m->solver->job.ctx->progress_user = team;
        if (pthread_create(&m->thread, NULL, solve_parts, m))
            break; /* the other members run its parts */
    }
    solve_parts(&team->members[0]);
    for (int i = 1; i < started; i++)
        pthread_join(team->members[i].thread, NULL);
    for (int i = 1; i < team->count; i++) /* solvers of these contexts may outlive the team */
        team->members[i].solver->job.ctx->progress = NULL;
    fill_result(s, result);
    if (!each)
        explain(&s->job, team);
    return team->status;
}

/* ---- rows for a callback on one GPU ---- */

/* The rows of `part`, the first of which is row `first` of the query. */
static fr_status pass_rows(const fr_solver *s, const fr_query *query, const fr_query *part,
                           const fr_result *rows, int64_t first) {
    for (int64_t i = 0; i < part->source_count; i++) {
        const fr_result at = rows_from(s->team, rows, i);
        if (query->row(query->row_user, first + i, part->sources[i], at.dist,
                       query->want_parents ? at.parent : NULL))
            return row_stopped(s->job.ctx, first + i);
    }
    return FR_OK;
}

/* The rows of a turn that failed one after the other, so that those before the first that fails are passed on. */
static fr_status pass_alone(fr_solver *s, const fr_query *query, const fr_result *result,
                            const int32_t *sources, int64_t first, int64_t count) {
    struct fri_device_team *team = s->team;
    team->query = query;
    team->result = result;
    team->sources = sources;
    team->status = FR_OK;
    fri_begin(s->job.ctx);
    solve_part(&team->members[0], first, count);
    return team->status;
}

/* The members compute some rows, the calling thread passes these on in order, and so on. */
static fr_status solve_in_order(fr_solver *s, const fr_query *query, fr_result *result) {
    struct fri_device_team *team = s->team;
    const int64_t width = query->target_count ? query->target_count : s->job.csr.n;
    const size_t row = fri_bytes(width, fr_type_size(s->dist_type)),
                 ids = query->want_parents ? fri_bytes(width, sizeof(int32_t)) : 0;
    const int64_t fit = PASSED_BYTES / (int64_t)(row + ids) / team->count,
                  at_once = FRI_MIN(fit, MOST_PASSED) * team->count;
    if (fit < LEAST_PASSED)
        return fri_solve_alone(s, query, result);
    fr_status status = begin_query(s, query, result, false);
    const int32_t *sources = team->sources;
    const int64_t rows = team->parts.rows;
    fr_query part = *query;
    const size_t bytes = (size_t)at_once * (row + ids);
    if (team->passed_bytes < bytes) {
        fri_free(team->passed);
        team->passed = fri_alloc(s->job.ctx, bytes);
        team->passed_bytes = team->passed ? bytes : 0;
    }
    if (status || !team->passed) { /* one after the other needs less */
        fri_begin(s->job.ctx);
        return fri_solve_alone(s, query, result);
    }
    part.row = NULL;
    part.want_parents = false;
    for (int64_t first = 0; first < rows && !status; first += at_once) {
        fr_result found = rows_from(team, result, first);
        found.dist = found.dist ? found.dist : team->passed;
        if (ids && !found.parent)
            found.parent = (void *)((char *)team->passed + (size_t)at_once * row);
        part.sources = sources + first;
        part.source_count = FRI_MIN(at_once, rows - first);
        status = divide(s, &part, &found, false);
        fri_stats_add(&result->stats, &found.stats);
        const int64_t start = fri_now_ns();
        if (!status)
            status = pass_rows(s, query, &part, &found, first);
        else if (status != FR_CANCELLED)
            status = pass_alone(s, query, result, sources, first, part.source_count);
        result->stats.transfer_ns += fri_now_ns() - start;
    }
    result->stats.transfer_ns += result->stats.upload_ns;
    return status;
}

static fr_status solve(fr_solver *s, const fr_query *query, fr_result *result, int64_t *solved) {
    const struct fri_device_team *team = s->team;
    result->stats = (fr_stats){0};
    if (query->row && s->job.ctx->device_count == 1)
        return solve_in_order(s, query, result);
    fr_status status = divide(s, query, result, solved != NULL);
    if (solved)
        *solved = team->status ? team->failed_row + team->solved_of_failed : query->source_count;
    return status;
}

const fri_wrapper fri_over_devices = {takes, solve, free_team};
