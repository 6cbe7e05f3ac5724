/* Counts the vertices that a traversal reached, and their edges, from levels or distances on the host. */
#include "core/strategy.h"

#include <math.h>

typedef struct {
    int64_t vertices, edges;
} counts;

/* Counts a range of vertices. The type of distances is a constant, and the loop has no branches, because
 * reached and other vertices alternate. */
static inline __attribute__((always_inline)) counts
count_rows(const void *dist, fr_type type, const int64_t *offsets, int64_t rows) {
    counts all = {0};
    for (int64_t v = 0; v < rows; v++) {
        const int64_t reached = type == FR_TYPE_I64 ? ((const int64_t *)dist)[v] != FR_INF_I64
                                : type == FR_TYPE_F32
                                    ? ((const float *)dist)[v] != INFINITY
                                    : ((const double *)dist)[v] != (double)INFINITY;
        all.vertices += reached;
        all.edges += -reached & (offsets[v + 1] - offsets[v]);
    }
    return all;
}

static counts count_typed(const void *dist, fr_type type, const int64_t *offsets, int64_t rows) {
    if (type == FR_TYPE_I64)
        return count_rows(dist, FR_TYPE_I64, offsets, rows);
    return type == FR_TYPE_F32 ? count_rows(dist, FR_TYPE_F32, offsets, rows)
                               : count_rows(dist, FR_TYPE_F64, offsets, rows);
}

/* Levels from 0, distances below infinity. */
static void count_int32(const fri_job *job, const int32_t *values, bool levels) {
    const int64_t *offsets = job->csr.offsets;
    int64_t vertices = 0, edges = 0;
    int32_t low = levels ? 0 : INT32_MIN, high = levels ? INT32_MAX : FR_INF_I32 - 1;
#pragma omp parallel for simd reduction(+ : vertices, edges) num_threads(job->in->threads) if (parallel : job->csr.n > 65536)
    for (int32_t v = 0; v < job->csr.n; v++) {
        int64_t reached = values[v] >= low && values[v] <= high;
        vertices += reached;
        edges += -reached & (offsets[v + 1] - offsets[v]);
    }
    job->out->stats.reached = vertices;
    job->out->stats.reached_edges = edges;
}

void fri_job_count_reached(const fri_job *job) {
    const bool levels = job->in->problem == FR_PROBLEM_BFS;
    if (levels || job->in->dist_type == FR_TYPE_I32) {
        count_int32(job, levels ? job->out->level : job->out->dist, levels);
        return;
    }
    enum { ROWS = 1024 };
    const size_t size = fr_type_size(job->in->dist_type);
    const int64_t n = job->csr.n;
    int64_t vertices = 0, edges = 0;
#pragma omp parallel for reduction(+ : vertices, edges) num_threads(job->in->threads) if (n > 65536)
    for (int64_t v = 0; v < n; v += ROWS) {
        const counts some =
            count_typed((const char *)job->out->dist + (size_t)v * size, job->in->dist_type,
                        job->csr.offsets + v, FRI_MIN(ROWS, n - v));
        vertices += some.vertices;
        edges += some.edges;
    }
    job->out->stats.reached = vertices;
    job->out->stats.reached_edges = edges;
}
