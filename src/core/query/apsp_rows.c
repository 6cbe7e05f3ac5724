#include "core/query/apsp_rows.h"

#include "core/query/post.h"

#include <math.h>
#include <string.h>

static bool wants_parents(const fr_query *q, const fr_result *result) {
    return result->parent || (q->row && q->want_parents);
}

static bool wants_nearest(const fr_query *q, const fr_result *result) {
    return q->parent_rule == FR_PARENT_NEAREST && wants_parents(q, result);
}

bool fri_apsp_rows_needed(const fri_job *job, const fr_result *result) {
    const fr_query *q = &job->in->query;
    return job->in->problem == FR_PROBLEM_APSP &&
           (q->target_count || fri_limits_distance(q) || wants_nearest(q, result));
}

fr_status fri_apsp_rows_check(fri_job *job, const fr_result *result) {
    const fr_query *q = &job->in->query;
    if (job->in->in_place)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "APSP in place computes the whole matrix: no targets, no max_distance, no "
                        "FR_PARENT_NEAREST; a solver without in_place has them");
    if (q->result_memory != FR_MEMORY_HOST)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "rows of APSP with targets, max_distance or FR_PARENT_NEAREST are finished "
                        "in host memory: they cannot be written to device memory (result_memory)");
    bool floats = job->in->dist_type == FR_TYPE_F32 || job->in->dist_type == FR_TYPE_F64;
    if (wants_nearest(q, result) && floats && strcmp(job->strategy->name, "multi-sssp") != 0)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "strategy %s may add up float weights in another order than a path has, so "
                        "its distances do not show the nearest parents; multi-sssp on the CPU does",
                        job->strategy->name);
    return FR_OK;
}

/* ---- one row ----------------------------------------------------------------------------- */

/* Copies the values of the columns, those beyond the limit as not reached; parents likewise, if both
 * are given. `to` and `from` may be the same row if all its values are taken. */
#define FRI_TAKE_COLUMNS(type, inf)                                                                \
    do {                                                                                           \
        const type *d = from;                                                                      \
        type *out = to;                                                                            \
        for (int64_t j = 0; j < width; j++) {                                                      \
            int64_t v = gathers ? q->targets[j] : j;                                               \
            bool kept = !limited || FRI_WITHIN(d[v]);                                              \
            if (parent_to && parent_from)                                                          \
                parent_to[j] = kept ? parent_from[v] : -1;                                         \
            out[j] = kept ? d[v] : (inf);                                                          \
        }                                                                                          \
    } while (0)

/* q: the query as the caller asked it. An integer is compared with the real limit exactly. */
static void take_columns(const fri_job *job, const fr_query *q, const void *from,
                         const int32_t *parent_from, void *to, int32_t *parent_to) {
    const int64_t width = fri_apsp_row_width(job);
    const bool limited = fri_limits_distance(q), gathers = q->target_count && !job->columns;
    const double limit = q->max_distance;
    const int64_t last = limit < 0x1p63 ? (int64_t)limit : INT64_MAX;
#define FRI_WITHIN(value) ((value) <= last)
    if (job->in->dist_type == FR_TYPE_I32)
        FRI_TAKE_COLUMNS(int32_t, FR_INF_I32);
    else if (job->in->dist_type == FR_TYPE_I64)
        FRI_TAKE_COLUMNS(int64_t, FR_INF_I64);
#undef FRI_WITHIN
#define FRI_WITHIN(value) ((double)(value) <= limit)
    else if (job->in->dist_type == FR_TYPE_F32)
        FRI_TAKE_COLUMNS(float, INFINITY);
    else
        FRI_TAKE_COLUMNS(double, (double)INFINITY);
#undef FRI_WITHIN
}

/* The nearest parents of a row of distances. */
static fr_status find_nearest(fr_solver *s, int32_t source, const void *dist, int32_t *parent) {
    fr_result row = {.dist = (void *)(uintptr_t)dist, .parent = parent};
    fri_job_input in;
    fri_job one = fri_job_within(&s->job, &in);
    in.query = (fr_query){.sources = &source, .source_count = 1};
    one.out = &row;
    return fri_nearest_parents(&one, s->post);
}

static void *dist_row(const fr_solver *s, int64_t row) {
    size_t bytes = fri_bytes(fri_apsp_row_width(&s->job), fr_type_size(s->job.in->dist_type));
    return s->result->dist ? (char *)s->result->dist + (size_t)row * bytes : s->row_dist;
}

static int32_t *parent_row(const fr_solver *s, int64_t row) {
    return s->result->parent ? s->result->parent + row * fri_apsp_row_width(&s->job)
                             : s->row_parent;
}

/* An fr_apsp_row_fn: passes on what the query asks for. */
static int finish_row(void *user, int64_t row, int32_t source, const void *dist,
                      const int32_t *parent) {
    fr_solver *s = user;
    const fr_query *q = s->query;
    if (s->finds_nearest) {
        if (find_nearest(s, source, dist, s->nearest))
            return 1;
        parent = s->nearest;
    }
    void *to = dist_row(s, row);
    int32_t *parent_to = parent_row(s, row);
    take_columns(&s->job, q, dist, parent, to, parent_to);
    return s->next_row
               ? s->next_row(s->next_row_user, row, source, to, q->want_parents ? parent_to : NULL)
               : 0;
}

/* ---- all rows ---------------------------------------------------------------------------- */

static fr_status need(fr_ctx *ctx, void **block, size_t bytes) {
    if (!*block)
        *block = fri_alloc(ctx, bytes);
    return *block ? FR_OK : FR_NOMEM;
}

/* The arrays that a row needs in addition to the caller's. */
static fr_status make_rows(fr_solver *s, bool by_row) {
    fr_ctx *ctx = s->job.ctx;
    size_t ids = fri_bytes(s->job.csr.n, sizeof(int32_t));
    size_t width = (size_t)fri_apsp_row_width(&s->job);
    fr_status status = FR_OK;
    if (s->finds_nearest)
        status =
            need(ctx, (void **)&s->post, fri_bytes(fri_post_entries(&s->job), sizeof *s->post));
    if (!status && s->finds_nearest)
        status = need(ctx, (void **)&s->nearest, ids);
    if (status || !by_row)
        return status;
    if (width > s->row_width) { /* a query may ask for more columns than there are vertices */
        fri_free(s->row_dist);
        fri_free(s->row_parent);
        s->row_dist = NULL;
        s->row_parent = NULL;
        s->row_width = width;
    }
    if (!s->result->dist)
        status = need(ctx, &s->row_dist, s->row_width * sizeof(double));
    if (!status && !s->result->parent && s->query->want_parents)
        status = need(ctx, (void **)&s->row_parent, s->row_width * sizeof(int32_t));
    return status;
}

fr_status fri_apsp_rows_begin(fr_solver *s, fr_result *internal) {
    fri_job *job = &s->job;
    fr_query *q = &s->in.query;
    job->columns = (job->strategy->needs & FRI_GATHERS_COLUMNS) && q->target_count &&
                   q->target_count <= job->csr.n && !wants_parents(q, s->result);
    bool by_row = (q->target_count && !job->columns) || q->row || !s->result->dist;
    s->finds_nearest = wants_nearest(q, s->result);
    s->finishes_rows = !by_row;
    job->reads_targets = !s->finds_nearest;
    fr_status status = s->finds_nearest ? fri_job_fetch_rows(job) : FR_OK;
    if (!status)
        status = make_rows(s, by_row);
    if (status)
        return status;
    if (s->finds_nearest)
        q->parent_rule = FR_PARENT_ANY;
    /* a path to a vertex within the limit may lead beyond it */
    if (s->finds_nearest && job->weight_min < 0)
        q->max_distance = 0;
    if (!by_row) {
        if (s->finds_nearest)
            internal->parent = NULL;
        return FR_OK;
    }
    s->next_row = q->row;
    s->next_row_user = q->row_user;
    q->want_parents = wants_parents(q, s->result) && !s->finds_nearest;
    q->row = finish_row;
    q->row_user = s;
    internal->dist = NULL;
    internal->parent = NULL;
    return FR_OK;
}

/* Finishes a row in place; the array has all columns. */
static fr_status finish_direct(fr_solver *s, int64_t row) {
    int32_t *parent = s->result->parent ? parent_row(s, row) : NULL;
    void *dist = dist_row(s, row);
    fr_status status = FR_OK;
    if (s->finds_nearest)
        status = find_nearest(s, fri_job_source(&s->job, row), dist, parent);
    take_columns(&s->job, s->query, dist, parent, dist, parent);
    return status;
}

fr_status fri_apsp_rows_end(fr_solver *s) {
    const fri_job *job = &s->job;
    const int64_t rows = fri_job_rows(job);
    fr_status status = FR_OK;
    if (!s->finishes_rows)
        return FR_OK;
    if (!s->finds_nearest) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 8) num_threads(job->in->threads)
        for (int64_t row = 0; row < rows; row++)
            finish_direct(s, row);
        return FR_OK;
    }
    for (int64_t row = 0; !status && row < rows; row++) { /* each row by all threads */
        status = finish_direct(s, row);
        if (!status)
            status = fri_progress(job->ctx, "finding parents", row + 1, rows);
    }
    return status;
}
