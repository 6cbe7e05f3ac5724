/* Shortest paths from many sources, a block for each: memory, preparation, and johnson's potentials.
 * Included by multi_sssp.cu only. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_PLAN_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_PLAN_CUH

#include "cuda/apsp/multi_sssp/run.cuh"
#include "cuda/device/published.h"

#include <string.h>

enum { SOURCES, DELTA, FILL, HUB, BLOCK, BLOCKS };
enum { USUAL_SOURCES = 1024 };
static const double EXACT = 0x1p51;

namespace {
struct run_state { /* in host memory */
    bool shifted;
    double delta;
    double *h, *weights; /* [n], [m] on the device */
    double *host_h;      /* [n] */
    fri_job search;      /* the Bellman-Ford for potentials */
    fri_job_input search_in;
    fr_result found;
    int32_t *all; /* [n] its sources */
};
/* On the device. */
struct run_memory {
    rows_memory rows;
    int32_t *targets; /* [n] */
    double *h, *weights;
};
} // namespace

static bool is_negative(const fri_job *job) { return job->weight_min < 0; }

/* ---- memory ------------------------------------------------------------------------------ */

static rows_shape shape_of(const fri_gpu *g) {
    const int blocks = (int)fri_job_knob(g->job, BLOCKS, rows_usual_blocks(g, g->apsp.together));
    return rows_shape_of(g, blocks, fri_gpu_threads_per_block(g, BLOCK, ROWS_THREADS / blocks),
                         g->apsp.together);
}

static run_memory carve(const fri_gpu *g, char **at) {
    run_memory m = {};
    const size_t key = is_negative(g->job) ? sizeof(double) : fr_type_size(g->job->in->dist_type);
    m.rows = rows_carve(g, shape_of(g).blocks, key, at);
    fri_carve_array(at, &m.targets, g->n);
    if (is_negative(g->job)) {
        fri_carve_array(at, &m.h, g->n);
        fri_carve_array(at, &m.weights, g->m);
    }
    return m;
}
static size_t device_scratch(const fri_gpu *g) { return fri_carved_bytes(g, carve); }

static int32_t max_rows(const fri_gpu *g) {
    return (int32_t)fri_job_knob(g->job, SOURCES, USUAL_SOURCES);
}

static fri_job search_job(const fri_job *job, fri_job_input *in) {
    fri_job inner = fri_job_within(job, in);
    in->problem = FR_PROBLEM_SSSP;
    fri_job_give(&inner,
                 fri_strategy_find(FR_PROBLEM_SSSP, FR_BACKEND_CUDA, FRI_PUBLISHED_POTENTIALS));
    /* floats: the same type decides what a negative cycle is */
    in->dist_type = job->csr.weight_type == FR_TYPE_I32 ? FR_TYPE_I64 : job->in->dist_type;
    inner.device = nullptr;
    inner.told.kernel_count = 0;
    in->counters = false;
    inner.target_map = nullptr;
    return inner;
}

static size_t device_bytes(const fri_job *job) {
    size_t bytes = fri_gpu_bytes(job);
    if (!is_negative(job))
        return bytes;
    fri_job_input in;
    fri_job inner = search_job(job, &in);
    return bytes + inner.strategy->device_bytes(&inner);
}

static size_t scratch(const fri_job *job) {
    size_t bytes = fri_gpu_apsp_scratch(job), ids = fri_align_line(fri_bytes(job->csr.n, 4));
    if (!is_negative(job))
        return bytes;
    fri_job_input in;
    fri_job inner = search_job(job, &in);
    return bytes + 2 * fri_align_line(fri_bytes(job->csr.n, sizeof(double))) + ids +
           inner.strategy->scratch(&inner);
}

/* ---- preparation ------------------------------------------------------------------------- */

static double usual_delta(double mean, const fri_job *job) {
    return fri_job_knob(job, DELTA, rows_usual_delta(mean, job->csr.n, job->csr.m));
}

/* Johnson's potentials, and sums with them. */
static fr_status check_sums(const fri_job *job) {
    double max_dist = FRI_MAX(-job->weight_min, job->weight_max) * ((double)job->csr.n + 1);
    if (!is_negative(job) || job->csr.weight_type != FR_TYPE_I32 || max_dist <= EXACT)
        return FR_OK;
    return fri_fail(job->ctx, FR_UNSUPPORTED,
                    "johnson on the GPU sums in float64: %d vertices and weights from %g to %g may "
                    "exceed 2^51; use johnson on the CPU (backend cpu)",
                    job->csr.n, job->weight_min, job->weight_max);
}

static fr_status prepare_search(fri_gpu *g, run_state *s, char *at) {
    fri_job *job = g->job;
    s->search = search_job(job, &s->search_in);
    s->found.dist = fri_carve(&at, fri_bytes(g->n, sizeof(double)));
    s->host_h = (double *)fri_carve(&at, fri_bytes(g->n, sizeof(double)));
    s->all = (int32_t *)fri_carve(&at, fri_bytes(g->n, sizeof(int32_t)));
    s->search.scratch = at;
    s->search.out = &s->found;
    return s->search.strategy->prepare(&s->search);
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = (run_state *)fri_calloc(job->ctx, sizeof *s);
    g->state = s;
    if (!s)
        return FR_NOMEM;
    s->shifted = is_negative(job);
    s->delta = usual_delta(job->weight_mean, job);
    if (!s->shifted)
        return FR_OK;
    g->dist_type = FR_TYPE_F64;
    return prepare_search(g, s, fri_gpu_apsp_own(job));
}

static void release(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = g ? (run_state *)g->state : nullptr;
    if (s && s->search.device)
        s->search.strategy->release(&s->search);
    fri_gpu_release(job);
}

/* ---- potentials -------------------------------------------------------------------------- */

/* The query's sources without duplicates. */
static int64_t list_sources(const fri_job *job, int32_t *all) {
    int64_t kept = 0;
    memset(all, 0, fri_bytes(job->csr.n, sizeof *all));
    for (int64_t r = 0; r < fri_job_rows(job); r++)
        all[fri_job_source(job, r)] = 1;
    for (int32_t v = 0; v < job->csr.n; v++)
        if (all[v])
            all[kept++] = v;
    return kept;
}

/* The mean of the shifted weights, from a sample of the rows. */
static double shifted_mean(const fri_job *job, const double *h) {
    const fr_csr *csr = &job->csr;
    int32_t step = csr->n / 4096 + 1;
    double sum = 0;
    int64_t count = 0;
    for (int32_t u = 0; u < csr->n; u += step)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1] && e < csr->offsets[u] + 64;
             e++) {
            double shift = h[u] - h[csr->targets[e]];
            sum += shift > -1e300 && shift < 1e300 ? shift : 0;
            count++;
        }
    return FRI_MAX(0, job->weight_mean + (count ? sum / (double)count : 0));
}

/* Computes non-negative weights: w + h[u] - h[v], if both ends are reached; floats round. */
static __global__ void shift_kernel(const int64_t *offsets, const int32_t *targets,
                                    const void *weights, fr_type type, const double *h, int32_t n,
                                    int64_t m, double *out) {
    int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m)
        return;
    int32_t u = fri_edge_source(offsets, 0, n, e);
    double w = type == FR_TYPE_I32   ? ((const int32_t *)weights)[e]
               : type == FR_TYPE_F32 ? (double)((const float *)weights)[e]
                                     : ((const double *)weights)[e];
    double from = h[u], to = h[targets[e]];
    bool both = from < (double)INFINITY && to < (double)INFINITY;
    out[e] = both && w + from - to > 0 ? w + from - to : 0;
}

static fr_status shift(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    for (int32_t v = 0; v < g->n; v++)
        if (s->search_in.dist_type == FR_TYPE_I64) {
            int64_t d = ((const int64_t *)s->found.dist)[v];
            s->host_h[v] = d == FR_INF_I64 ? (double)INFINITY : (double)d;
        } else if (s->search_in.dist_type == FR_TYPE_F32)
            s->host_h[v] = (double)((const float *)s->found.dist)[v];
        else
            s->host_h[v] = ((const double *)s->found.dist)[v];
    FRI_GPU_TRY(fri_gpu_upload(g, s->h, s->host_h, fri_bytes(g->n, sizeof(double))));
    fr_type type = g->job->in->dist_type == FR_TYPE_F64 ? FR_TYPE_F64 : job->csr.weight_type;
    FRI_RUN_EACH(shift_kernel, g->m, 256, (const int64_t *)g->out.offsets, g->out.targets,
                 g->out.weights, type, s->h, g->n, g->m, s->weights);
    s->delta = usual_delta(shifted_mean(job, s->host_h), job);
    return FR_OK;
}

static fr_status start_query(fri_gpu *g) {
    run_state *s = (run_state *)g->state;
    fri_job *job = g->job;
    const fr_query *q = &job->in->query;
    char *at = g->scratch;
    const run_memory m = carve(g, &at);
    if (job->columns)
        FRI_GPU_TRY(fri_gpu_upload(g, m.targets, q->targets,
                                   fri_bytes(q->target_count, sizeof *m.targets)));
    if (!s->shifted || !g->n)
        return FR_OK;
    s->h = m.h;
    s->weights = m.weights;
    s->search_in.query = {};
    s->search_in.query.sources = s->all;
    s->search_in.query.source_count = list_sources(job, s->all);
    fr_status status = s->search.strategy->run(&s->search);
    job->out->stats.edges_examined = s->found.stats.edges_examined;
    job->out->stats.relaxations = s->found.stats.relaxations;
    memset(&s->found.stats, 0, sizeof s->found.stats);
    if (status == FR_NEGATIVE_CYCLE) {
        job->out->cycle = s->found.cycle;
        job->out->cycle_length = s->found.cycle_length;
        job->out->cycle_weight = s->found.cycle_weight;
    }
    return status ? status : shift(g, s);
}

#endif
