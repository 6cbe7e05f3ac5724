/* The type of the blocked matrix, which typed/cells.c reads and writes, and the rows that it gets wrong.
 *
 * Not reached: for integers a number INF, half of the largest value of the type, so that INF + INF
 *   does not wrap. A path from an unreached vertex is INF plus a real path, at least INF - L where
 *   L = n times the largest absolute weight; since L < INF / 2, exactly the cells above INF / 2
 *   are not reached. For floats INF is infinity.
 */
#include "cpu/apsp/floyd_warshall/matrix.h"

#include <float.h>
#include <math.h>

#include "base/text/number.h"
#include "cpu/sssp/sssp.h"
#include "cpu/typed.h"

double fri_floyd_path_bound(const fri_job *job) {
    return (double)job->csr.n * fmax(fabs(job->weight_min), fabs(job->weight_max));
}

bool fri_floyd_takes(const fri_job *job) {
    return job->csr.weight_type != FR_TYPE_I64 || fri_floyd_path_bound(job) < 0x1p60;
}

bool fri_floyd_sums_fit(const fri_job *job) { return fri_floyd_path_bound(job) < DBL_MAX / 4; }

fr_type fri_floyd_type(const fri_job *job) {
    double reach = fri_floyd_path_bound(job);
    if (!fri_is_real(job->in->dist_type))
        return reach < FRI_FLOYD_FAR_I32 ? FR_TYPE_I32 : FR_TYPE_I64;
    return job->in->dist_type == FR_TYPE_F32 && reach < (double)FLT_MAX / 4 ? FR_TYPE_F32
                                                                            : FR_TYPE_F64;
}

bool fri_floyd_checks_sums(const fri_job *job) {
    return job->weight_min < 0 && fri_is_real(job->in->dist_type);
}

/* ---- parents that may not be a forest ------------------------------------------------------ */

/* Where weights are 0, or vanish when added to a float, several vertices have equal distances, and
 * phases of different blocks may make them parents of each other. */
static bool is_forest(const fri_floyd *f, const int32_t *parent) {
    int32_t n = f->job->csr.n, *walk = f->spare; /* the walk that visited the vertex; 0: none */
    for (int32_t v = 0; v < n; v++)
        walk[v] = 0;
    for (int32_t v = 0; v < n; v++) {
        int32_t u = v;
        for (; u >= 0 && parent[u] != u && !walk[u]; u = parent[u])
            walk[u] = v + 1;
        if (u >= 0 && parent[u] != u && walk[u] == v + 1)
            return false;
    }
    return true;
}

/* The row of one source as the job of a shortest path search, with the input *in. */
static fri_job row_job(const fri_floyd *f, const int32_t *source, fri_job_input *in,
                       fr_result *result) {
    fri_job one = fri_job_within(f->job, in);
    in->problem = FR_PROBLEM_SSSP;
    in->threads = 1;
    in->query.sources = source;
    in->query.source_count = 1;
    in->query.target_count = 0;
    in->query.max_distance = 0;
    one.scratch = f->search;
    one.out = result;
    return one;
}

/* Runs the search of a job of our own. A negative cycle that it finds becomes the query's. */
static fr_status search(const fri_job *job, fri_job *inner) {
    fr_status status = fri_sssp_bellman_ford.run(inner);
    if (status != FR_NEGATIVE_CYCLE)
        return status;
    const fr_result *found = inner->out;
    job->out->cycle = found->cycle;
    job->out->cycle_length = found->cycle_length;
    job->out->cycle_weight = found->cycle_weight;
    return fri_fail(job->ctx, FR_NEGATIVE_CYCLE, "a cycle of %d %s weighs %g", found->cycle_length,
                    fri_words(found->cycle_length, "vertex", "vertices"), found->cycle_weight);
}

fr_status fri_floyd_search_row(const fri_floyd *f, int32_t source, void *dist, int32_t *parent) {
    fr_result result = {.dist = dist, .parent = parent};
    fri_job_input in;
    fri_job one = row_job(f, &source, &in, &result);
    return search(f->job, &one);
}

/* Whether the paths along the parents, a forest, have the distances up to rounding: where a weight is
 * negative, sums in another order may be lower, because they are rounded at the size of a detour there and
 * back. Sums and magnitudes are in the memory of the search. */
static bool has_path_sums(const fri_floyd *f, const void *dist, const int32_t *parent) {
    const fr_csr *csr = &f->job->csr;
    const bool single = f->job->in->dist_type == FR_TYPE_F32;
    const double epsilon = single ? (double)FLT_EPSILON : DBL_EPSILON;
    int32_t n = csr->n, *edges = f->spare, *stack = f->spare + n;
    double *sum = (double *)(void *)f->search, *magnitude = sum + n;
    for (int32_t v = 0; v < n; v++)
        edges[v] = -1;
    for (int32_t start = 0; start < n; start++) {
        int32_t held = 0, v = start;
        for (; edges[v] < 0 && parent[v] >= 0 && parent[v] != v; v = parent[v])
            stack[held++] = v;
        if (edges[v] < 0) {
            sum[v] = magnitude[v] = 0;
            edges[v] = 0;
        }
        for (; held > 0; v = stack[held]) {
            int32_t to = stack[--held];
            double w = fri_csr_weight(csr, fri_csr_lower_bound(csr, v, to));
            sum[to] = sum[v] + w;
            magnitude[to] = magnitude[v] + fabs(w);
            edges[to] = edges[v] + 1;
            double d = single ? (double)((const float *)dist)[to] : ((const double *)dist)[to];
            if (!(fabs(d - sum[to]) <= (edges[to] + 1) * epsilon * magnitude[to]))
                return false;
        }
    }
    return true;
}

static bool row_is_right(const fri_floyd *f, uint8_t why, const void *dist, const int32_t *parent) {
    if ((why & FRI_FLOYD_ROUNDED) || !is_forest(f, parent))
        return false;
    return !fri_floyd_checks_sums(f->job) || has_path_sums(f, dist, parent);
}

fr_status fri_floyd_repair_row(const fri_floyd *f, int32_t source, uint8_t why, void *dist,
                               int32_t *parent) {
    if (f->job->in->query.parent_rule != FR_PARENT_MIN_ID && row_is_right(f, why, dist, parent))
        return FR_OK;
    fr_result result = {.dist = dist, .parent = parent};
    fri_job_input in;
    fri_job one = row_job(f, &source, &in, &result);
    if (!fri_is_real(f->type))
        return fri_sssp_min_parents(&one, f->spare);
    parent[source] = source;
    one.forest = parent;
    return search(f->job, &one);
}

/* ---- negative cycles ------------------------------------------------------------------------ */

fr_status fri_floyd_find_cycle(fri_floyd *f) {
    fri_job *job = f->job;
    fri_job_input in;
    fri_job inner = fri_job_within(job, &in);
    char *scratch = f->dist; /* two matrices of at least 64 times 64 cells follow */
    int32_t n = job->csr.n;
    fr_result result = {.dist = fri_carve(&scratch, fri_bytes(n, sizeof(double)))};
    int32_t *sources = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    inner.scratch = scratch;
    inner.out = &result;
    in.problem = FR_PROBLEM_SSSP;
    if (in.dist_type == FR_TYPE_I32)
        in.dist_type = FR_TYPE_I64;
    for (int32_t i = 0; i < f->size; i++) /* sources reach all of them */
        sources[i] = f->vertex[i];
    in.query = (fr_query){.sources = sources, .source_count = f->size};
    fr_status status = search(job, &inner);
    /* each row finds out by itself whether its sums overflow */
    return status == FR_OVERFLOW ? FR_OK : status;
}
