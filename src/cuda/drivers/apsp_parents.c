/* Rebuilds the parents of one APSP row: where Floyd-Warshall's contain cycles, or the smallest are
 * requested.
 *
 * Weights of 0, or weights too small to change a float, let several vertices have equal distances,
 * and phases of different tiles may make them parents of each other. Integers: the smallest of all
 * tight in-edges from a nearer vertex, and where there is none, hop by hop over tight edges (with
 * negative weights hop by hop from the source), as for SSSP's smallest parents. Floats: sums in
 * another order differ, so Bellman-Ford on the CPU adds up the paths and corrects them
 * (cpu/sssp/typed/bellman_ford.c). Where a float is negative it does so for every row: sums in another order,
 * or shifted by potentials, are rounded at the size of numbers far larger than they are.
 * Runs after each batch. */
#include "cuda/drivers/apsp.h"

#include <omp.h>
#include <string.h>

typedef struct {
    const fri_job *job;
    const void *dist;
    int32_t source, *parent, *queue, *hops;
} forest;

/* Integers: FRI_NONE, not reached. */
#define FRI_NONE INT64_MAX

static int64_t dist_of(const forest *f, int32_t v) {
    if (f->job->in->dist_type == FR_TYPE_I64)
        return ((const int64_t *)f->dist)[v];
    int32_t d = ((const int32_t *)f->dist)[v];
    return d == FR_INF_I32 ? FRI_NONE : d;
}

/* Whether edge e gives the distance `to`. */
static bool is_tight(const forest *f, int64_t from, int64_t e, int64_t to) {
    return to != FRI_NONE && (__int128)from + fri_csr_int_weight(&f->job->csr, e) == to;
}

static bool is_forest(const forest *f) {
    int32_t n = f->job->csr.n, *walk = f->queue; /* which walk visited the vertex; 0: none */
    memset(walk, 0, fri_bytes(n, sizeof *walk));
    for (int32_t v = 0; v < n; v++) {
        int32_t u = v;
        for (; u >= 0 && f->parent[u] != u && !walk[u]; u = f->parent[u])
            walk[u] = v + 1;
        if (u >= 0 && f->parent[u] != u && walk[u] == v + 1)
            return false;
    }
    return true;
}

static void take_nearer(const forest *f) {
    const fr_csr *csr = &f->job->csr;
    for (int32_t u = csr->n; u-- > 0;) { /* the smallest is written last and remains */
        int64_t from = dist_of(f, u);
        for (int64_t e = csr->offsets[u]; from != FRI_NONE && e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            int64_t to = dist_of(f, v);
            if (v != f->source && from < to && is_tight(f, from, e, to))
                f->parent[v] = u;
        }
    }
}

/* Makes u the parent of its unattached neighbors; returns the queue's new end. */
static int32_t expand(const forest *f, int32_t u, int32_t tail) {
    const fr_csr *csr = &f->job->csr;
    int64_t from = dist_of(f, u);
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        if (f->hops[v] <= f->hops[u] || !is_tight(f, from, e, dist_of(f, v)))
            continue;
        if (f->hops[v] == INT32_MAX) {
            f->hops[v] = f->hops[u] + 1;
            f->queue[tail++] = v;
        }
        f->parent[v] = f->parent[v] < 0 ? u : FRI_MIN(f->parent[v], u);
    }
    return tail;
}

/* Starts from all attached vertices. */
static void hop_by_hop(const forest *f) {
    int32_t tail = 0;
    for (int32_t v = 0; v < f->job->csr.n; v++) {
        f->hops[v] = f->parent[v] >= 0 ? 0 : INT32_MAX;
        if (f->parent[v] >= 0)
            f->queue[tail++] = v;
    }
    for (int32_t head = 0; head < tail; head++)
        tail = expand(f, f->queue[head], tail);
}

/* ---- floats ------------------------------------------------------------------------------ */

static const fri_strategy *row_strategy(void) {
    return fri_strategy_find(FR_PROBLEM_SSSP, FR_BACKEND_CPU, "bellman-ford");
}

static bool is_float(const fri_job *job) {
    return job->in->dist_type == FR_TYPE_F32 || job->in->dist_type == FR_TYPE_F64;
}

size_t fri_gpu_apsp_row_bytes(const fri_job *job) {
    const size_t hops = fri_align_line(fri_bytes(job->csr.n, 2 * sizeof(int32_t)));
    return is_float(job) ? FRI_MAX(hops, fri_align_line(row_strategy()->scratch(job))) : hops;
}

/* Adds up the paths of `forest` (NULL: finds them) and corrects them. `result` gets the row, and a negative
 * cycle. */
static fr_status search_row(const fri_job *job, int32_t source, int32_t *parents, char *scratch,
                            fr_result *result) {
    fri_job_input in;
    fri_job one = fri_job_within(job, &in);
    in.problem = FR_PROBLEM_SSSP;
    in.threads = 1;
    in.query = (fr_query){.sources = &source, .source_count = 1};
    fri_job_give(&one, row_strategy());
    one.scratch = scratch;
    one.out = result;
    one.forest = parents;
    if (parents)
        parents[source] = source;
    return one.strategy->run(&one);
}

fr_status fri_gpu_apsp_repair_row(const fri_job *job, int32_t source, void *dist, int32_t *parent,
                                  char *scratch, bool rebuild) {
    int32_t *ids = (int32_t *)(void *)scratch;
    forest f = {job, dist, source, parent, ids, ids + job->csr.n};
    bool minimum = job->in->query.parent_rule == FR_PARENT_MIN_ID;
    if (!rebuild && !minimum && is_forest(&f))
        return FR_OK;
    if (is_float(job)) {
        fr_result result = {.dist = dist, .parent = parent};
        return search_row(job, source, rebuild ? NULL : parent, scratch, &result);
    }
    memset(parent, 0xff, fri_bytes(job->csr.n, sizeof *parent));
    parent[source] = source;
    if (job->weight_min >= 0)
        take_nearer(&f);
    hop_by_hop(&f);
    return FR_OK;
}

bool fri_gpu_apsp_adds_paths(const fri_job *job) { return is_float(job) && job->weight_min < 0; }

size_t fri_gpu_apsp_paths_bytes(const fri_job *job) {
    return fri_gpu_apsp_adds_paths(job) ? (size_t)job->in->threads * fri_gpu_apsp_row_bytes(job)
                                        : 0;
}

/* Records the first failure of a row as the job's. */
static void take_failure(fri_job *job, const fr_ctx *ctx, const fr_result *row, fr_status status,
                         fr_status *first) {
    if (!status || *first)
        return;
    *first = status;
    memcpy(job->ctx->message, ctx->message, sizeof job->ctx->message);
    job->out->cycle = row->cycle;
    job->out->cycle_length = row->cycle_length;
    job->out->cycle_weight = row->cycle_weight;
}

fr_status fri_gpu_apsp_add_paths(fri_job *job, const int32_t *sources, int64_t count, char *dist,
                                 int32_t *parent, char *scratch) {
    const size_t row = fri_bytes(job->csr.n, fr_type_size(job->in->dist_type));
    fr_status first = FR_OK;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(job->in->threads)
    for (int64_t i = 0; i < count; i++) {
        fr_ctx ctx = *job->ctx; /* for messages of this row */
        fri_job own = *job;
        int32_t *parents = parent + i * job->csr.n;
        fr_result result = {.dist = dist + (size_t)i * row, .parent = parents};
        char *at = scratch + (size_t)omp_get_thread_num() * fri_gpu_apsp_row_bytes(job);
        ctx.progress = NULL;
        own.ctx = &ctx;
        fr_status status = search_row(&own, sources[i], parents, at, &result);
#pragma omp critical(fri_apsp_paths)
        take_failure(job, &ctx, &result, status, &first);
    }
    return first;
}
