/* Counts the vertices that a traversal reached, and their edges, from levels or distances on the host. */
#include "core/strategy.h"

#include <math.h>

static bool is_reached(const fri_job *job, int32_t v) {
    switch (job->dist_type) {
    case FR_TYPE_I64: return ((const int64_t *)job->out->dist)[v] != FR_INF_I64;
    case FR_TYPE_F32: return ((const float *)job->out->dist)[v] != INFINITY;
    default: return ((const double *)job->out->dist)[v] != (double)INFINITY;
    }
}

/* Levels from 0, distances below infinity: without branches, because reached and other vertices
 * alternate. */
static void count_int32(const fri_job *job, const int32_t *values, bool levels) {
    const int64_t *offsets = job->csr.offsets;
    int64_t vertices = 0, edges = 0;
    int32_t low = levels ? 0 : INT32_MIN, high = levels ? INT32_MAX : FR_INF_I32 - 1;
#pragma omp parallel for simd reduction(+ : vertices, edges) num_threads(job->threads) if (parallel : job->csr.n > 65536)
    for (int32_t v = 0; v < job->csr.n; v++) {
        int64_t reached = values[v] >= low && values[v] <= high;
        vertices += reached;
        edges += -reached & (offsets[v + 1] - offsets[v]);
    }
    job->out->stats.reached = vertices;
    job->out->stats.reached_edges = edges;
}

void fri_job_count_reached(const fri_job *job) {
    const bool levels = job->problem == FR_PROBLEM_BFS;
    if (levels || job->dist_type == FR_TYPE_I32) {
        count_int32(job, levels ? job->out->level : job->out->dist, levels);
        return;
    }
    int64_t vertices = 0, edges = 0;
#pragma omp parallel for reduction(+ : vertices, edges) num_threads(job->threads) if (job->csr.n > 65536)
    for (int32_t v = 0; v < job->csr.n; v++)
        if (is_reached(job, v)) {
            vertices++;
            edges += job->csr.offsets[v + 1] - job->csr.offsets[v];
        }
    job->out->stats.reached = vertices;
    job->out->stats.reached_edges = edges;
}
