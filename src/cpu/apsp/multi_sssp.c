/* All pairs, one source at a time per thread: `multi-sssp`, and `johnson` for negative weights.
 *
 * Source: D. B. Johnson: Efficient algorithms for shortest paths in sparse networks, JACM 24(1),
 *   1977. Each row: cpu/sssp/typed/bounded_dijkstra.c, or the serial bucket queue of
 *   cpu/sssp/typed/delta_stepping.c.
 * Idea: rows are independent, so each thread solves whole rows alone, without atomics or barriers.
 *   With negative weights one Bellman-Ford from all vertices gives potentials h, and the weights
 *   w + h[u] - h[v], which are not negative, have the same shortest paths.
 * Differs: potentials are computed during preparation. Reweighted sums are kept in double: exact
 *   for integers as long as n times the largest weight is below 2^51. Beyond that, and where the
 *   graph has a negative cycle, each row runs Bellman-Ford, which answers FR_NEGATIVE_CYCLE only if
 *   its source reaches one. For floats the reweighted sums only choose the paths: they are rounded at the
 *   size of the potentials. Bellman-Ford starts from these paths, sums their weights and corrects what is
 *   left.
 * Scratch: a copy of the edges; per thread the buckets and, where the caller passes no arrays, a
 *   row.
 * Work: rows x (m and the corrections).
 * Good at: many sources on a sparse graph.
 * Bad at: dense graphs of a few thousand vertices (floyd-warshall).
 */
#include "core/query/min_parents.h"
#include "cpu/sssp/sssp.h"
#include "cpu/typed.h"

#include <omp.h>
#include <string.h>

/* A row is first searched with a plain heap, as long as it examines few edges and holds few vertices: where little is
 * reached and on paths. Buckets take 1 us for a row that reaches nothing, and 10 times as long for a path.
 * After a row that was not solved so, twice as many rows as before are not tried. */
enum { PLAIN_EDGES = 4096, PLAIN_HEAP = 32, MOST_SKIPPED = 63 };

typedef struct {
    int32_t skip, skipped;
} plain_rows;

typedef struct {
    double delta;
    bool shifted; /* rows hold w + h[u] - h[v] in double */
    bool each;    /* Bellman-Ford for each row */
} header;

/* As edge_t (cpu/typed.h) with weights of type double. */
typedef struct {
    int32_t v;
    double w;
} shifted_edge;

/* Addresses in the scratch. */
typedef struct {
    header *header;
    double *h;     /* [n]; NULL without negative weights */
    void *edges;   /* of fri_adjacency_fill, or shifted_edge */
    char *threads; /* [threads] of thread_bytes */
    size_t queue_bytes, row_bytes, thread_bytes;
} layout;

static bool is_negative(const fri_job *job) { return job->weight_min < 0; }

/* The job of one row for the bucket queue, with the input *in. */
static fri_job inner_job(const fri_job *job, bool shifted, fri_job_input *in) {
    fri_job inner = fri_job_within(job, in);
    in->threads = 1;
    inner.target_map = NULL;
    if (shifted) {
        inner.csr.weight_type = in->dist_type = FR_TYPE_F64;
        in->query.target_count = 0;
        in->query.max_distance = 0;
        in->query.parent_rule = FR_PARENT_ANY;
    }
    return inner;
}

static size_t row_bytes(const fri_job *job) {
    return fri_align_line(fri_bytes(job->csr.n, sizeof(double)));
}

static size_t queue_bytes(const fri_job *job) {
    fri_job_input in, shifted_in;
    fri_job plain = inner_job(job, false, &in), shifted = inner_job(job, true, &shifted_in);
    size_t bytes =
        FRI_MAX(fri_sssp_delta_bytes(&plain, FRI_SSSP_POOL), fri_sssp_bounded_bytes(PLAIN_EDGES));
    if (!is_negative(job))
        return fri_align_line(bytes);
    bytes = FRI_MAX(bytes, fri_sssp_delta_bytes(&shifted, FRI_SSSP_POOL));
    return fri_align_line(FRI_MAX(bytes, fri_sssp_bellman_ford.scratch(&plain)));
}

/* Bytes of a thread: queue, shifted distances, distances, parents, plain_rows. */
static size_t thread_bytes(const fri_job *job) {
    return queue_bytes(job) + 2 * row_bytes(job) +
           fri_align_line(fri_bytes(job->csr.n, sizeof(int32_t))) +
           fri_align_line(sizeof(plain_rows));
}

static size_t edges_bytes(const fri_job *job) {
    fri_job_input in;
    fri_job inner_widest = inner_job(job, is_negative(job), &in);
    return fri_adjacency_bytes(&inner_widest);
}

static layout lay_out(const fri_job *job) {
    char *scratch = job->scratch;
    layout l;
    l.header = fri_carve(&scratch, sizeof(header));
    l.h = is_negative(job) ? fri_carve(&scratch, fri_bytes(job->csr.n, sizeof(double))) : NULL;
    l.edges = fri_carve(&scratch, edges_bytes(job));
    l.threads = scratch;
    l.queue_bytes = queue_bytes(job);
    l.row_bytes = row_bytes(job);
    l.thread_bytes = thread_bytes(job);
    return l;
}

static size_t scratch(const fri_job *job) {
    size_t potentials = is_negative(job) ? row_bytes(job) : 0;
    size_t all = thread_bytes(job), threads = (size_t)job->in->threads;
    if (all > SIZE_MAX / 2 / threads)
        return SIZE_MAX;
    return fri_align_line(sizeof(header)) + potentials + edges_bytes(job) + threads * all;
}

/* Computes potentials by one Bellman-Ford from all vertices, in the first thread's scratch. */
static fr_status find_potentials(fri_job *job, layout *l) {
    int32_t n = job->csr.n;
    fri_job_input in;
    fri_job inner = inner_job(job, false, &in);
    fr_result result = {.dist = l->threads + l->queue_bytes};
    int32_t *all = (int32_t *)(void *)(l->threads + l->queue_bytes + l->row_bytes);
    for (int32_t v = 0; v < n; v++)
        all[v] = v;
    in.problem = FR_PROBLEM_SSSP;
    in.query = (fr_query){.sources = all, .source_count = n};
    inner.scratch = l->threads;
    inner.out = &result;
    const bool real = fri_is_real(job->in->dist_type);
    in.dist_type = real ? FR_TYPE_F64 : FR_TYPE_I64;
    fr_status status = fri_sssp_bellman_ford.run(&inner);
    for (int32_t v = 0; !status && v < n; v++)
        l->h[v] = real ? ((double *)result.dist)[v] : (double)((int64_t *)result.dist)[v];
    return status;
}

static void shift_weights(const fri_job *job, const layout *l) {
    const fr_csr *csr = &job->csr;
    shifted_edge *edges = l->edges;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(fri_job_threads(job, 2 * csr->m))
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            double w = fri_csr_weight(csr, e) + l->h[u] - l->h[csr->targets[e]];
            edges[e] = (shifted_edge){csr->targets[e],
                                      w > 0 ? w : 0}; /* rounding may give floats below 0 */
        }
    for (int i = 0; i < FRI_ADJACENCY_PAD; i++)
        edges[csr->m + i] = (shifted_edge){0, 0};
}

static plain_rows *plain_rows_of(const layout *l, char *own) {
    return (plain_rows *)(void *)(own + l->thread_bytes - fri_align_line(sizeof(plain_rows)));
}

static fr_status prepare(fri_job *job) {
    layout l = lay_out(job);
    for (int t = 0; t < job->in->threads; t++)
        *plain_rows_of(&l, l.threads + (size_t)t * l.thread_bytes) = (plain_rows){0};
    *l.header = (header){.delta = fri_sssp_bucket_width(job, 1)};
    if (!is_negative(job))
        return fri_adjacency_fill(job, l.edges, false);
    double maximum = FRI_MAX(-job->weight_min, job->weight_max) * ((double)job->csr.n + 1);
    l.header->each = !fri_is_real(job->in->dist_type) && maximum > 0x1p51;
    fr_status status = l.header->each ? FR_OK : find_potentials(job, &l);
    if (status == FR_NEGATIVE_CYCLE || status == FR_OVERFLOW) {
        l.header->each = true;
        status = FR_OK;
        fri_begin(job->ctx); /* clears the message */
    }
    if (status || l.header->each)
        return status;
    l.header->shifted = true;
    shift_weights(job, &l);
    l.header->delta = FRI_MAX(l.header->delta, job->weight_max / 64);
    return FR_OK;
}

/* Converts shifted integers to true ones of the job's type. */
static fr_status unshift(const fri_job *row, const double *shifted, const double *h,
                         int32_t source) {
    for (int32_t v = 0; v < row->csr.n; v++) {
        bool reached = shifted[v] < (double)INFINITY;
        double d = reached ? shifted[v] - h[source] + h[v] : 0;
        if (row->in->dist_type == FR_TYPE_I32 && (d >= INT32_MAX || d < INT32_MIN))
            return fri_fail(row->ctx, FR_OVERFLOW,
                            "the distance %.0f from %lld to %lld does not fit int32; ask for "
                            "distances of type int64",
                            d, (long long)fri_id_of(&row->in->ids, source),
                            (long long)fri_id_of(&row->in->ids, v));
        if (row->in->dist_type == FR_TYPE_I32)
            ((int32_t *)row->out->dist)[v] = reached ? (int32_t)d : FR_INF_I32;
        else
            ((int64_t *)row->out->dist)[v] = reached ? (int64_t)d : FR_INF_I64;
    }
    return FR_OK;
}

/* The output of row `r`: the caller's array or the thread's. */
static void *dist_row(const fri_job *job, char *own, int64_t r) {
    size_t bytes = fri_bytes(job->csr.n, fr_type_size(job->in->dist_type));
    return job->out->dist ? (char *)job->out->dist + (size_t)r * bytes : own;
}

/* The job of a row, in the scratch of one thread. */
static fri_job row_job(const fri_job *job, bool shifted, fr_ctx *ctx, void *scratch,
                       const int32_t *source, fri_job_input *in, fr_result *out) {
    fri_job row = inner_job(job, shifted, in);
    row.ctx = ctx;
    row.out = out;
    row.scratch = scratch;
    in->query.sources = source;
    in->query.source_count = 1;
    return row;
}

/* A row without potentials, in the scratch of its thread. */
static fr_status solve_plain_row(fri_job *row, const layout *l, plain_rows *plain, char *own) {
    const bool finds_min_id = row->in->query.parent_rule == FR_PARENT_MIN_ID && row->out->parent;
    bool done = false;
    if (!finds_min_id && plain->skipped++ >= plain->skip) {
        fr_status status = fri_sssp_bounded_run(row, PLAIN_EDGES, PLAIN_HEAP, own, &done);
        plain->skip = done ? 0 : FRI_MIN(2 * plain->skip + 1, MOST_SKIPPED);
        plain->skipped = 0;
        if (done || status)
            return status;
    }
    return fri_sssp_delta_run(row, l->edges, l->header->delta, FRI_SSSP_POOL, NULL, own);
}

static fr_status solve_row(fri_job *job, const layout *l, int thread, fr_ctx *ctx, int64_t r,
                           fr_result *result) {
    char *own = l->threads + (size_t)thread * l->thread_bytes;
    char *rows = own + l->queue_bytes;
    int32_t source = fri_job_source(job, r);
    *result = (fr_result){.dist = dist_row(job, rows, r)};
    if (job->out->parent)
        result->parent = job->out->parent + r * job->csr.n;
    else if (job->in->query.want_parents)
        result->parent = (int32_t *)(void *)(rows + 2 * l->row_bytes);
    fri_job_input in;
    fri_job inner = row_job(job, l->header->shifted, ctx, own, &source, &in, result);
    if (l->header->each)
        return fri_sssp_bellman_ford.run(&inner);
    if (!l->header->shifted)
        return solve_plain_row(&inner, l, plain_rows_of(l, own), own);
    const bool floats = fri_is_real(job->in->dist_type);
    double *shifted = (double *)(void *)(rows + l->row_bytes);
    fr_result hidden = {.dist = shifted, .parent = result->parent};
    if (floats && !hidden.parent)
        hidden.parent = (int32_t *)(void *)(rows + 2 * l->row_bytes);
    inner.out = &hidden;
    fr_status status =
        fri_sssp_delta_run(&inner, l->edges, l->header->delta, FRI_SSSP_POOL, NULL, own);
    result->stats = hidden.stats;
    fri_job row = row_job(job, false, ctx, own, &source, &in, result);
    row.forest = hidden.parent;
    if (!status && floats)
        return fri_sssp_bellman_ford.run(&row);
    if (!status)
        status = unshift(&row, shifted, l->h, source);
    return status ? status : fri_sssp_finish(&row, own);
}

/* State for the progress callback of a thread while it solves a row. */
typedef struct {
    const fri_job *job;
    const fr_status *first; /* the first failure of any row */
    int64_t row;
    bool caller; /* the calling thread, which calls the user; others only test for a failure */
} row_progress;

/* An fr_progress_fn. */
static int report_row(void *user, const char *phase, int64_t done, int64_t total) {
    const row_progress *a = user;
    const fr_ctx *ctx = a->job->ctx;
    (void)phase, (void)done, (void)total;
    if (__atomic_load_n(a->first, __ATOMIC_RELAXED)) /* relaxed: only saves work */
        return 1;
    return a->caller && ctx->progress &&
           ctx->progress(ctx->progress_user, "computing rows", a->row, fri_job_rows(a->job));
}

/* Records the first failure as the job's. */
static void take_result(fri_job *job, const fr_result *row, fr_status status, const fr_ctx *ctx,
                        fr_status *first) {
    fr_stats *sum = &job->out->stats;
    sum->edges_examined += row->stats.edges_examined;
    sum->relaxations += row->stats.relaxations;
    sum->levels = FRI_MAX(sum->levels, row->stats.levels);
    if (!status || *first)
        return;
    __atomic_store_n(first, status, __ATOMIC_RELAXED);
    memcpy(job->ctx->message, ctx->message, sizeof job->ctx->message);
    job->out->cycle = row->cycle;
    job->out->cycle_length = row->cycle_length;
    job->out->cycle_weight = row->cycle_weight;
}

/* Solves row r in the scratch of number `slot`, unless a row has failed. */
static void run_row(fri_job *job, const layout *l, int slot, bool caller, int64_t r, fr_result *row,
                    fr_status *first) {
    if (__atomic_load_n(first, __ATOMIC_RELAXED)) /* relaxed: only saves work */
        return;
    row_progress progress = {.job = job, .first = first, .row = r, .caller = caller};
    fr_ctx own = *job->ctx; /* with its own messages */
    own.progress = report_row;
    own.progress_user = &progress;
    *row = (fr_result){0};
    fr_status status = fri_progress(&own, "computing rows", r, fri_job_rows(job));
    if (!status)
        status = solve_row(job, l, slot, &own, r, row);
#pragma omp critical(fri_apsp_rows)
    take_result(job, row, status, &own, first);
}

/* All rows, distributed one by one. */
static fr_status solve_rows(fri_job *job, const layout *l) {
    const int64_t rows = fri_job_rows(job);
    /* checked here too, because the calling thread may get no row */
    fr_status status = fri_progress(job->ctx, "computing rows", 0, rows);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(job->in->threads)
    for (int64_t r = 0; r < rows; r++) {
        fr_result row;
        const int slot = omp_get_thread_num();
        run_row(job, l, slot, slot == 0, r, &row, &status);
    }
    return status;
}

typedef struct {
    fri_job *job;
    const layout *l;
    int64_t first;
    fr_result rows[64];
    fr_status status;
} row_batch;

static void solve_batch(fri_member me, void *arg, int64_t begin, int64_t end) {
    row_batch *b = arg;
    for (int64_t i = begin; i < end; i++)
        run_row(b->job, b->l, (int)i, me.index == 0, b->first + i, &b->rows[i], &b->status);
}

/* With a callback: one row per thread, then the callbacks from the calling thread. OpenMP's threads would spin between
 * the batches, which takes three times as long where other processes use the cores. */
static fr_status solve_and_deliver(fri_job *job, const layout *l, int64_t first, int64_t end) {
    row_batch batch = {.job = job, .l = l, .first = first};
    fri_team_loop(job->ctx, (int)(end - first), end - first, 1, solve_batch, &batch);
    fr_status status = batch.status;
    for (int64_t r = first; !status && r < end; r++) {
        const fr_result *row = &batch.rows[r - first];
        if (job->in->query.row(job->in->query.row_user, r, fri_job_source(job, r), row->dist,
                               row->parent))
            status = fri_fail(job->ctx, FR_CANCELLED, "cancelled while handing over rows");
    }
    return status ? status : fri_progress(job->ctx, "computing rows", end, fri_job_rows(job));
}

static fr_status run(fri_job *job) {
    layout l = lay_out(job);
    int64_t rows = fri_job_rows(job);
    job->out->stats.threads = FRI_MIN(job->in->threads, rows); /* a row each */
    fr_status status = is_negative(job) ? fri_refuse_min_parents_of_floats(job) : FR_OK;
    if (!status && !job->in->query.row)
        return solve_rows(job, &l);
    int64_t batch = FRI_MIN(job->in->threads, 64);
    for (int64_t r = 0; !status && r < rows; r += batch)
        status = solve_and_deliver(job, &l, r, FRI_MIN(r + batch, rows));
    return status;
}

const fri_strategy fri_apsp_johnson = {
    .name = "johnson",
    .source = "Johnson, JACM 24(1), 1977",
    .text = "potentials by Bellman-Ford where weights are negative, then a bucket queue per source",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_WEIGHTS,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};

const fri_strategy fri_apsp_multi_sssp = {
    .name = "multi-sssp",
    .source = "Dial, CACM 12(11), 1969; Meyer, Sanders, J. Algorithms 49(1), 2003",
    .text = "a bucket queue per source, one thread each",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};
