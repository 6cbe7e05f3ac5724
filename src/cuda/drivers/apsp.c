/* Drives an APSP strategy on the GPU: batches of rows, delivery to the caller, negative cycles,
 * times.
 *
 * Distances into an array of the caller are copied while the next batch is computed (device/batch.c): they
 * go, narrowed, to the memory of parents, which such a query does not need. Rows with parents or for a
 * callback are delivered between batches.
 * fr_stats.traverse_ns includes the time in which the device computes batches, but not the time in
 * which rows are downloaded or the caller's callback runs; transfer_ns counts that, also where it
 * overlaps.
 * It is `run` of every APSP strategy of the GPU. */
#include "cuda/drivers/apsp.h"
#include "core/gpu_interface.h"
#include "cuda/device/memory_plan.h"
#include "cuda/drivers/query.h"
#include "base/text/number.h"

#include <string.h>

enum { MIN_TOGETHER = 64 /* sources that cost no more than one: a bit each of a word */ };
static const size_t BAND_BYTES = (size_t)64 << 20; /* host buffer for callers without arrays */

bool fri_gpu_apsp_parents(const fri_job *job) {
    return job->out->parent || (job->in->query.row && job->in->query.want_parents) ||
           fri_gpu_apsp_adds_paths(job);
}

/* ---- memory ------------------------------------------------------------------------------ */

static size_t dist_bytes(const fri_job *job, int64_t rows) {
    return fri_bytes(rows * job->csr.n, fr_type_size(job->in->dist_type));
}

/* The values of a row, and their bytes. */
static int64_t row_width(const fri_job *job) {
    return job->columns ? job->in->query.target_count : job->csr.n;
}
static size_t row_bytes(const fri_job *job) {
    return fri_bytes(row_width(job), fr_type_size(job->in->dist_type));
}

static size_t parent_bytes(const fri_job *job, int64_t rows) {
    return fri_bytes(rows * job->csr.n, sizeof(int32_t));
}

static size_t strategy_bytes(const fri_gpu *g) {
    return g->strategy->scratch ? fri_gpu_align(g->strategy->scratch(g)) : 0;
}

size_t fri_gpu_apsp_bytes(const fri_gpu *g) {
    size_t row = strategy_bytes(g);
    size_t band = dist_bytes(g->job, g->apsp.batch) + parent_bytes(g->job, g->apsp.batch) +
                  2 * fri_bytes(g->apsp.together, sizeof(int32_t));
    return row > SIZE_MAX - band ? SIZE_MAX : row + band;
}

/* A strategy that gathers columns may have a quarter of the memory for sources without rows. */
void fri_gpu_apsp_plan(fri_gpu *g) {
    size_t free_bytes, graph = fri_gpu_graph_bytes(g);
    if (g->job->in->problem != FR_PROBLEM_APSP)
        return;
    const bool gathers = g->job->strategy->needs & FRI_GATHERS_COLUMNS;
    int64_t rows = FRI_MIN(g->job->in->row_capacity, (int64_t)g->strategy->max_batch(g));
    g->apsp.batch = g->apsp.together = (int32_t)FRI_MAX(rows, 1);
    if (fri_gpu_allocatable_bytes(g->job, &free_bytes))
        return; /* the solver reports why */
    const size_t left = free_bytes - FRI_MIN(free_bytes, graph);
    while (gathers && g->apsp.together > MIN_TOGETHER && strategy_bytes(g) > left / 4)
        g->apsp.together = (g->apsp.together + 1) / 2;
    g->apsp.batch = FRI_MIN(g->apsp.batch, g->apsp.together);
    while (g->apsp.batch > 1 && fri_gpu_apsp_bytes(g) > left) {
        g->apsp.batch = (g->apsp.batch + 1) / 2;
        g->apsp.together = gathers ? g->apsp.together : g->apsp.batch;
    }
}

fr_status fri_gpu_apsp_alloc(fri_gpu *g) {
    void *p;
    size_t ids = fri_bytes(g->apsp.together, sizeof(int32_t));
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, dist_bytes(g->job, g->apsp.batch)));
    g->dist = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, parent_bytes(g->job, g->apsp.batch)));
    g->parent_store = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, ids));
    g->sources = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, ids));
    g->apsp.parents_invalid = p;
    return FR_OK;
}

/* The driver's part of the host scratch. */
typedef struct {
    int64_t rows; /* capacity of dist and parent, for callers without arrays */
    char *dist;
    int32_t *parent;
    char *scratch, *paths;              /* of a row, and of rows whose paths are added up */
    int32_t *sources, *parents_invalid; /* [row_capacity] */
    char *own;                          /* the strategy's scratch */
} host_buffers;

static int64_t host_rows(const fri_job *job) {
    int64_t rows = (int64_t)(BAND_BYTES / FRI_MAX(dist_bytes(job, 1) + parent_bytes(job, 1), 1));
    return FRI_MAX(1, FRI_MIN(rows, job->in->row_capacity));
}

size_t fri_gpu_apsp_scratch(const fri_job *job) {
    int64_t rows = host_rows(job);
    return fri_align_line(dist_bytes(job, rows)) + fri_align_line(parent_bytes(job, rows)) +
           fri_gpu_apsp_row_bytes(job) + fri_gpu_apsp_paths_bytes(job) +
           2 * fri_align_line(fri_bytes(job->in->row_capacity, sizeof(int32_t)));
}

static host_buffers layout_of(const fri_job *job) {
    char *at = job->scratch;
    host_buffers h = {.rows = host_rows(job)};
    h.dist = fri_carve(&at, dist_bytes(job, h.rows));
    h.parent = fri_carve(&at, parent_bytes(job, h.rows));
    h.scratch = fri_carve(&at, fri_gpu_apsp_row_bytes(job));
    h.paths = fri_carve(&at, fri_gpu_apsp_paths_bytes(job));
    h.sources = fri_carve(&at, fri_bytes(job->in->row_capacity, sizeof(int32_t)));
    h.parents_invalid = fri_carve(&at, fri_bytes(job->in->row_capacity, sizeof(int32_t)));
    h.own = at;
    return h;
}

char *fri_gpu_apsp_own(const fri_job *job) { return layout_of(job).own; }

/* ---- negative cycles --------------------------------------------------------------------- */

extern const fri_strategy fri_sssp_bellman_ford;

static fri_job search_job(const fri_job *job, fri_job_input *in) {
    fri_job inner = fri_job_within(job, in);
    in->problem = FR_PROBLEM_SSSP;
    fri_job_give(&inner, &fri_sssp_bellman_ford);
    in->dist_type = job->in->dist_type == FR_TYPE_I32 ? FR_TYPE_I64 : job->in->dist_type;
    return inner;
}

/* Its distances, the sources, the scratch of its strategy. */
size_t fri_gpu_apsp_cycle_bytes(const fri_job *job) {
    fri_job_input in;
    fri_job inner = search_job(job, &in);
    return 2 * fri_align_line(fri_bytes(job->csr.n, sizeof(double))) +
           inner.strategy->scratch(&inner);
}

fr_status fri_gpu_apsp_cycle(fri_job *job, char *scratch) {
    fri_job_input in;
    fri_job inner = search_job(job, &in);
    int64_t n = job->csr.n, rows = fri_job_rows(job), kept = 0;
    fr_result result = {.dist = fri_carve(&scratch, fri_bytes(n, sizeof(double)))};
    int32_t *sources = fri_carve(&scratch, fri_bytes(n, sizeof(double)));
    memset(sources, 0, fri_bytes(n, sizeof *sources));
    for (int64_t r = 0; r < rows; r++) /* deduplicated in order, in place */
        sources[fri_job_source(job, r)] = 1;
    for (int32_t v = 0; v < n; v++)
        if (sources[v])
            sources[kept++] = v;
    in.query = (fr_query){.sources = sources, .source_count = kept};
    inner.scratch = scratch;
    inner.out = &result;
    fr_status status = inner.strategy->run(&inner);
    if (status != FR_NEGATIVE_CYCLE) /* each row finds out by itself whether its sums overflow */
        return status == FR_OVERFLOW ? FR_OK : status;
    job->out->cycle = result.cycle;
    job->out->cycle_length = result.cycle_length;
    job->out->cycle_weight = result.cycle_weight;
    return fri_fail(job->ctx, FR_NEGATIVE_CYCLE, "a cycle of %d %s has the weight %g",
                    result.cycle_length, fri_words(result.cycle_length, "vertex", "vertices"),
                    result.cycle_weight);
}

void fri_gpu_copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                       int64_t rows, int threads) {
#pragma omp parallel for num_threads(threads) if (rows * (int64_t)width > 1 << 18)
    for (int64_t r = 0; r < rows; r++)
        memcpy(to + (size_t)r * to_pitch, from + (size_t)r * from_pitch, width);
}

/* ---- bands ------------------------------------------------------------------------------- */

static fr_status compute(fri_gpu *g, const host_buffers *h, int64_t first, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        h->sources[i] = fri_job_source(g->job, first + i);
    FRI_GPU_TRY(fri_gpu_upload(g, g->sources, h->sources, fri_bytes(count, sizeof(int32_t))));
    FRI_GPU_TRY(fri_gpu_start_clock(g));
    fri_gpu_fill(g, g->apsp.parents_invalid, count, 0);
    fri_gpu_range_begin(g, "rows from", (int32_t)first);
    fr_status status = g->strategy->solve_rows(g, first, count);
    fri_gpu_range_end(g);
    FRI_GPU_TRY(status);
    FRI_GPU_TRY(fri_gpu_stop_clock(g));
    FRI_GPU_TRY(fri_gpu_wait(g, "computing rows"));
    return fri_gpu_read_clock(g, &g->job->told.device_ns);
}

/* Replaces the rows on the device by the sums of their paths. */
static fr_status add_paths(fri_gpu *g, const host_buffers *h, int32_t count) {
    fri_job *job = g->job;
    for (int64_t at = 0, some; at < count; at += some) {
        some = FRI_MIN(h->rows, count - at);
        char *dist = (char *)g->dist + (size_t)at * dist_bytes(job, 1);
        int32_t *parent = g->parent + at * g->n;
        FRI_GPU_TRY(fri_gpu_download(g, h->dist, dist, dist_bytes(job, some)));
        FRI_GPU_TRY(fri_gpu_download(g, h->parent, parent, parent_bytes(job, some)));
        FRI_GPU_TRY(
            fri_gpu_apsp_add_paths(job, h->sources + at, some, h->dist, h->parent, h->paths));
        FRI_GPU_TRY(fri_gpu_upload(g, dist, h->dist, dist_bytes(job, some)));
        FRI_GPU_TRY(fri_gpu_upload(g, parent, h->parent, parent_bytes(job, some)));
    }
    return FR_OK;
}

fr_status fri_gpu_apsp_pass_row(const fri_job *job, int64_t row, const void *dist,
                                const int32_t *parent) {
    const fr_query *q = &job->in->query;
    if (q->row &&
        q->row(q->row_user, row, fri_job_source(job, row), dist, q->want_parents ? parent : NULL))
        return fri_fail(job->ctx, FR_CANCELLED, "cancelled by the row callback at row %lld",
                        (long long)row);
    return FR_OK;
}

/* Repairs the parents of rows in host memory where parents_invalid (NULL: nowhere) says so, and passes the rows to
 * the callback. */
static fr_status finish_rows(const fri_job *job, const host_buffers *h, int64_t first,
                             int64_t count, char *dist, int32_t *parent,
                             const int32_t *parents_invalid) {
    for (int64_t i = 0; i < count; i++) {
        int32_t source = fri_job_source(job, first + i);
        void *row = dist + (size_t)i * row_bytes(job);
        int32_t *parents = parent ? parent + i * job->csr.n : NULL;
        if (parents && parents_invalid && parents_invalid[i])
            FRI_GPU_TRY(fri_gpu_apsp_repair_row(job, source, row, parents, h->scratch, false));
        FRI_GPU_TRY(fri_gpu_apsp_pass_row(job, first + i, row, parents));
    }
    return FR_OK;
}

/* `sent`: bytes of a distance on the bus. */
static fr_status download_rows(fri_gpu *g, char *dist, const char *from, int64_t rows, int sent,
                               int32_t *parent, const int32_t *parent_from) {
    const int size = (int)fr_type_size(g->job->in->dist_type), id = sizeof(int32_t);
    const fri_gpu_output outputs[] = {{dist, from, rows * row_width(g->job), size, sent},
                                      {parent, parent_from, rows * g->n, id, id}};
    return fri_gpu_download_results(g, outputs, 2, false, NULL);
}

/* Bytes of a distance of the batch on the bus. */
static fr_status find_sent(fri_gpu *g, int32_t count, int *sent) {
    const fr_type type = g->job->in->dist_type;
    const int size = (int)fr_type_size(type);
    *sent = size;
    return (type == FR_TYPE_I32 || type == FR_TYPE_I64) &&
                   g->job->in->query.result_memory == FR_MEMORY_HOST && !g->job->columns
               ? fri_gpu_find_size(g, g->dist, size, count * row_width(g->job), sent)
               : FR_OK;
}

/* The rows that are delivered at a time. */
static int64_t rows_at_a_time(const fri_gpu *g, const host_buffers *h, int32_t count, int sent) {
    const fr_result *out = g->job->out;
    const int size = (int)fr_type_size(g->job->in->dist_type);
    const int64_t width = row_width(g->job);
    const fri_gpu_output all = {out->dist, g->dist, fri_job_rows(g->job) * width, size, sent};
    const bool whole = out->dist && (out->parent || !g->parent);
    return fri_gpu_is_batched(g) ? fri_gpu_batch_room(g, &all) / width : whole ? count : h->rows;
}

/* Passes the batch's rows to the caller's arrays, or to the host scratch. */
static fr_status deliver(fri_gpu *g, const host_buffers *h, int64_t first, int32_t count) {
    fri_job *job = g->job;
    fr_result *out = job->out;
    int sent;
    if ((!out->dist && !out->parent && !job->in->query.row) || !g->n)
        return FR_OK; /* not requested */
    FRI_GPU_TRY(find_sent(g, count, &sent));
    const int64_t max_rows = rows_at_a_time(g, h, count, sent);
    size_t row = row_bytes(job);
    const bool wanted = g->parent && (out->parent || job->in->query.want_parents);
    const int32_t *invalid = wanted && !fri_gpu_apsp_adds_paths(job) ? h->parents_invalid : NULL;
    if (invalid)
        FRI_GPU_TRY(fri_gpu_download(g, h->parents_invalid, g->apsp.parents_invalid,
                                     fri_bytes(count, sizeof(int32_t))));
    for (int64_t at = 0, some; at < count; at += some) {
        some = FRI_MIN(max_rows, count - at);
        char *dist = out->dist ? (char *)out->dist + (size_t)(first + at) * row : h->dist;
        int32_t *parent = !wanted       ? NULL
                          : out->parent ? out->parent + (first + at) * g->n
                                        : h->parent;
        FRI_GPU_TRY(download_rows(g, dist, (char *)g->dist + (size_t)at * row, some, sent, parent,
                                  parent ? g->parent + at * g->n : NULL));
        FRI_GPU_TRY(
            finish_rows(job, h, first + at, some, dist, parent, invalid ? invalid + at : NULL));
    }
    return FR_OK;
}

/* The rows of a batch. Those of columns share the memory of whole ones. */
static int32_t batch_rows(const fri_gpu *g) {
    const int64_t fitting = g->apsp.batch * (int64_t)g->n / FRI_MAX(row_width(g->job), 1);
    return g->job->columns ? (int32_t)FRI_MIN(fitting, (int64_t)g->apsp.together) : g->apsp.batch;
}

static fr_status bands(fri_gpu *g, const host_buffers *h) {
    fri_job *job = g->job;
    int64_t rows = fri_job_rows(job), transfer = 0;
    for (int64_t first = 0; first < rows; first += batch_rows(g)) {
        int32_t count = (int32_t)FRI_MIN(rows - first, (int64_t)batch_rows(g));
        if (fri_progress(job->ctx, "computing rows", first, rows))
            return FR_CANCELLED;
        int64_t start = fri_now_ns();
        FRI_GPU_TRY(compute(g, h, first, count));
        if (fri_gpu_apsp_adds_paths(job))
            FRI_GPU_TRY(add_paths(g, h, count));
        int64_t done = fri_now_ns();
        fri_job_level(job, job->strategy->name, count, 0, done - start);
        FRI_GPU_TRY(deliver(g, h, first, count));
        transfer += fri_gpu_is_batched(g) ? 0 : fri_now_ns() - done;
    }
    job->out->stats.transfer_ns = transfer;
    return FR_OK;
}

/* The copies of a batch end with the query that began it; fr_solve on several GPUs begins one for the parts
 * of a query (core/device_team.c). */
static fr_status overlapped_bands(fri_gpu *g, const host_buffers *h) {
    fri_job *job = g->job;
    int64_t copied_ns, unused_row = 0;
    const bool begun = fri_gpu_is_batched(g);
    if (!begun)
        fri_gpu_batch_begin(job, job->out);
    fr_status status = bands(g, h);
    if (begun)
        return status;
    status = fri_gpu_batch_end(job, status, &copied_ns, &unused_row);
    job->out->stats.transfer_ns += copied_ns;
    return status;
}

static fr_status start_query(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_start_clock(g));
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    if (g->strategy->start_query)
        FRI_GPU_TRY(g->strategy->start_query(g));
    FRI_GPU_TRY(fri_gpu_stop_clock(g));
    FRI_GPU_TRY(fri_gpu_wait(g, "starting the query"));
    return fri_gpu_read_clock(g, &g->job->told.device_ns);
}

static fr_status read_sums(fri_gpu *g) {
    fr_stats *stats = &g->job->out->stats;
    int64_t edges, lowered;
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, FRI_GPU_CONTROL_WORDS));
    memcpy(&edges, &g->host_control[FRI_WORD_EXAMINED], sizeof edges);
    memcpy(&lowered, &g->host_control[FRI_WORD_LOWERED], sizeof lowered);
    stats->edges_examined += edges;
    stats->relaxations += lowered;
    return FR_OK;
}

fr_status fri_gpu_apsp_run(fri_job *job) {
    fri_gpu *g = job->device;
    host_buffers h = layout_of(job);
    FRI_GPU_TRY(fri_gpu_select(g));
    FRI_GPU_TRY(fri_gpu_open_results(g));
    FRI_GPU_TRY(fri_gpu_check_host_results(g));
    g->parent = fri_gpu_apsp_parents(job) ? g->parent_store : NULL;
    FRI_GPU_TRY(start_query(g));
    FRI_GPU_TRY(overlapped_bands(g, &h));
    FRI_GPU_TRY(read_sums(g));
    return fri_gpu_end_query(g);
}
