/* All pairs, each row by a query of SSSP `auto`: `each-sssp`.
 *
 * Source: ours; sssp/auto names its own.
 * Idea: one source keeps the GPU busy on graphs of millions of edges, and SSSP `auto` examines an edge about once,
 *   or a third of them where rows are sorted. A block for each source (multi_sssp/) keeps it busier, unless the
 *   distances from all of them do not fit L2. Here rows follow one another; those of an array in host
 *   memory are copied there while the next is computed (device/results/batch.c), one in device memory is
 *   written in place.
 *   Where rounds are too small for the GPU, solvers like this one compute rows at the same time, each on a part of
 *   its multiprocessors (told.searches, core/device_team.c).
 * Differs: a row ends at the limit. Of a query with targets and without parents only their distances leave the
 *   device, for many rows at once.
 * Needs: weights of at least 0, of any type.
 * Scratch: that of SSSP `auto`; a table of max(n, 2^16) distances and n targets.
 * Work, launches, atomics: those of SSSP `auto` for each row.
 * Good at: graphs that occupy the GPU from one source; deep graphs; few rows.
 * Bad at: many rows of small graphs. */
#include "core/gpu_interface.h"
#include "core/solver.h"
#include "cuda/apsp/costs.h"
#include "cuda/device/context.h"
#include "cuda/device/memory_plan.h"
#include "cuda/device/results/results.h"
#include "cuda/drivers/apsp.h"
#include "cuda/drivers/sssp.h"

#include <stdio.h>
#include <string.h>

extern const fri_strategy fri_gpu_sssp_auto;

#ifdef FRI_SIMT /* several tables of a query occur on small graphs */
enum { LEAST_CELLS = 1 << 5 };
#else
enum { LEAST_CELLS = 1 << 16 };
#endif

typedef struct {
    fri_job search; /* of SSSP; its device is the job's, too */
    fri_job_input in;
    fr_result found; /* of a row */
    int32_t source;
    void *table;      /* [cells] on the device: rows of targets */
    int32_t *targets; /* [n] on the device */
    char *host;       /* [cells] rows for callers without an array */
    int32_t *host_parents;
} run_state;

/* ---- memory and preparation -------------------------------------------------------------- */

/* The distances of a table, or of a row in host memory. */
static int64_t cells(const fri_job *job) { return FRI_MAX(job->csr.n, LEAST_CELLS); }

static size_t cell_bytes(const fri_job *job, int64_t count) {
    return fri_bytes(count, fr_type_size(job->in->dist_type));
}

static size_t ids_bytes(const fri_job *job) { return fri_bytes(job->csr.n, sizeof(int32_t)); }

enum { WINDOWS };
static const fr_knob knobs[] = {{"windows", FR_KNOB_AUTO, 0, 64,
                                 "as of SSSP auto: windows over rows sorted by weight; 0: never"},
                                {NULL, 0, 0, 0, NULL}};

/* How many rows at once pay. */
static int32_t rows_at_once(const fri_job *job) {
    return fri_apsp_searches_at_once((double)job->in->row_capacity, job->ctx->threads);
}

/* Knobs are those of the same name. */
static void take_knobs(const fri_job *job, fri_job *search) {
    fri_job_give(search, &fri_gpu_sssp_auto);
    for (int i = 0; search->strategy->knobs[i].name; i++)
        if (strcmp(search->strategy->knobs[i].name, knobs[WINDOWS].name) == 0)
            search->knob[i] = job->knob[WINDOWS];
    fri_gpu_sssp_choose_windows(search, rows_at_once(job) > 1);
}

/* One of many queries. */
static fri_job search_job(const fri_job *job, fri_job_input *in) {
    fri_job search = fri_job_within(job, in);
    in->problem = FR_PROBLEM_SSSP;
    in->expected_queries = 0;
    search.device = NULL;
    search.target_map = NULL;
    search.sums = NULL; /* the solver replaces levels */
    take_knobs(job, &search);
    return search;
}

static size_t device_bytes(const fri_job *job) {
    fri_job_input in;
    const fri_job search = search_job(job, &in);
    return search.strategy->device_bytes(&search) + fri_gpu_align(cell_bytes(job, cells(job))) +
           fri_gpu_align(ids_bytes(job));
}

static size_t scratch(const fri_job *job) {
    return fri_align_line(cell_bytes(job, cells(job))) + fri_align_line(ids_bytes(job));
}

static bool save_memory(fri_job *job, int step) {
    if (step > 0 || job->csr.symmetric)
        return false;
    job->knob[WINDOWS] = 0;
    return true;
}

static fr_status prepare_search(fri_job *job, run_state *s) {
    void *targets;
    const fri_gpu_buffer parts[] = {{&s->table, cell_bytes(job, cells(job))},
                                    {&targets, ids_bytes(job)}};
    fr_status status = s->search.strategy->prepare(&s->search);
    fri_gpu *g = job->device = s->search.device;
    if (!g) {
        fri_free(s);
        return status;
    }
    g->state = s; /* freed with g */
    job->told.upload_ns = s->search.told.upload_ns;
    FRI_GPU_TRY(status);
    FRI_GPU_TRY(fri_gpu_alloc_many(g, parts, sizeof parts / sizeof *parts));
    s->targets = targets;
    return FR_OK;
}

/* The same, if their memory is there. */
static int32_t searches_that_fit(const fri_job *job) {
    const fri_gpu *g = job->device;
    size_t free_bytes;
    int32_t count = rows_at_once(job);
    if (fri_gpu_free_bytes(job->ctx, &free_bytes))
        return 1;
    while (count > 1 && (size_t)(count - 1) * g->allocated_bytes > free_bytes / 2)
        count--;
    return count;
}

static fr_status prepare(fri_job *job) {
    char *at = job->scratch;
    run_state *s = fri_calloc(job->ctx, sizeof *s);
    if (!s)
        return FR_NOMEM;
    s->search = search_job(job, &s->in);
    s->search.out = &s->found;
    s->host = fri_carve(&at, cell_bytes(job, cells(job)));
    s->host_parents = fri_carve(&at, ids_bytes(job));
    FRI_GPU_TRY(prepare_search(job, s));
    job->told.searches = searches_that_fit(job);
    return FR_OK;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Also checks the caller's arrays. All sources: the batch asks for their number. */
static fr_status begin(fri_job *job, run_state *s) {
    fri_gpu *g = job->device;
    const fr_query *q = &job->in->query;
    FRI_GPU_TRY(fri_gpu_select(g));
    g->multiprocessors =
        FRI_MAX(job->ctx->gpu->multiprocessors / FRI_MAX(job->in->gpu_parts, 1), 1);
    g->job = job;
    fr_status status = fri_gpu_open_results(g);
    g->job = &s->search;
    s->in.query = (fr_query){.sources = q->sources,
                             .source_count = q->source_count,
                             .max_distance = q->max_distance,
                             .parent_rule = q->parent_rule,
                             .result_memory = q->result_memory,
                             .stream = q->stream};
    s->in.threads = job->in->threads;
    s->in.counters = job->in->counters;
    s->search.told.device_ns = 0;
    s->search.told.kernels = job->told.kernels;
    s->search.told.kernel_count = 0;
    return status;
}

static void end(fri_job *job, const run_state *s) {
    job->told.device_ns = s->search.told.device_ns;
    job->told.kernel_count = s->search.told.kernel_count;
    snprintf(job->told.why, sizeof job->told.why, "%s", s->search.told.why);
}

static fr_status solve_row(fri_job *job, run_state *s, int64_t row, void *dist, int32_t *parent) {
    const int64_t start = fri_now_ns();
    if (fri_progress(job->ctx, "computing rows", row, fri_job_rows(job)))
        return FR_CANCELLED;
    s->source = fri_job_source(job, row);
    s->in.query.sources = &s->source;
    s->in.query.source_count = 1;
    s->in.batch_row = row;
    s->found = (fr_result){.dist = dist, .parent = parent};
    s->found.stats.strategy = job->strategy->name;
    fr_status status = s->search.strategy->run(&s->search);
    fr_stats *one = &s->found.stats;
    one->reached = one->reached_edges = 0; /* of one row */
    fri_job_level(job, job->strategy->name, 1, one->edges_examined, fri_now_ns() - start);
    fri_stats_add(&job->out->stats, one);
    return status;
}

static fr_status whole_rows(fri_job *job, run_state *s) {
    const fr_query *q = &job->in->query;
    const fr_result *out = job->out;
    const size_t row = cell_bytes(job, job->csr.n), ids = ids_bytes(job);
    for (int64_t r = 0; r < fri_job_rows(job); r++) {
        void *dist = out->dist ? fri_result_row(out->dist, r, row) : q->row ? s->host : NULL;
        int32_t *parent = out->parent                 ? fri_result_row(out->parent, r, ids)
                          : q->row && q->want_parents ? s->host_parents
                                                      : NULL;
        FRI_GPU_TRY(solve_row(job, s, r, dist, parent));
        FRI_GPU_TRY(fri_gpu_apsp_pass_row(job, r, dist, parent));
    }
    return FR_OK;
}

/* Rows of an array are copied while the next are computed. */
static fr_status overlapped_rows(fri_job *job, run_state *s) {
    int64_t copied_ns, unused_row = 0;
    if (fri_job_rows(job) > 1 && !job->in->query.row)
        fri_gpu_batch_begin(&s->search, job->out);
    fr_status status = fri_gpu_batch_end(&s->search, whole_rows(job, s), &copied_ns, &unused_row);
    job->out->stats.transfer_ns += copied_ns;
    return status;
}

/* Passes a table of rows from `first` on to the caller. */
static fr_status deliver(fri_job *job, run_state *s, int64_t first, int64_t count) {
    const fr_result *out = job->out;
    const int64_t width = job->in->query.target_count, start = fri_now_ns();
    const size_t row = cell_bytes(job, width);
    char *to = out->dist ? fri_result_row(out->dist, first, row) : s->host;
    if (!out->dist && !job->in->query.row)
        return FR_OK; /* not requested */
    FRI_GPU_TRY(fri_gpu_download_array(job->device, "rows", to, s->table, count * width,
                                       (int)fr_type_size(job->in->dist_type)));
    job->out->stats.transfer_ns += fri_now_ns() - start;
    for (int64_t i = 0; i < count; i++)
        FRI_GPU_TRY(fri_gpu_apsp_pass_row(job, first + i, to + (size_t)i * row, NULL));
    return FR_OK;
}

static fr_status columns(fri_job *job, run_state *s) {
    const fr_query *q = &job->in->query;
    const int64_t width = q->target_count, rows = fri_job_rows(job);
    const int64_t at_once = FRI_MIN(cells(job) / width, rows);
    FRI_GPU_TRY(
        fri_gpu_upload(job->device, s->targets, q->targets, fri_bytes(width, sizeof *s->targets)));
    for (int64_t first = 0; first < rows; first += at_once) {
        const int64_t count = FRI_MIN(at_once, rows - first);
        fr_status status = FR_OK;
        int64_t solved = 0;
        while (solved < count && !status) {
            status = solve_row(job, s, first + solved, NULL, NULL);
            if (!status)
                fri_gpu_gather(job->device, s->targets, width,
                               (char *)s->table + cell_bytes(job, solved++ * width));
        }
        if (solved && (!status || status == FR_OVERFLOW)) /* those before it are complete */
            FRI_GPU_TRY(deliver(job, s, first, solved));
        FRI_GPU_TRY(status);
    }
    return FR_OK;
}

static fr_status run(fri_job *job) {
    run_state *s = ((fri_gpu *)job->device)->state;
    fr_status status = begin(job, s);
    if (!status)
        status = job->columns ? columns(job, s) : overlapped_rows(job, s);
    end(job, s);
    return status;
}

static const fri_gpu_strategy device_side = {.save_memory = save_memory};

const fri_strategy fri_gpu_apsp_each_sssp = {
    .name = "each-sssp",
    .source = "fringe",
    .text = "a row after the other, each by SSSP auto; weights of at least 0",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_NON_NEGATIVE | FRI_SEPARATE_ROWS | FRI_GATHERS_COLUMNS,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = device_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = run,
};
