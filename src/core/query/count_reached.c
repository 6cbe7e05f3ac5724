/* Counts the vertices that a traversal reached, and their edges, from levels or distances on the host. */
#include "base/team.h"
#include "core/strategy.h"

#include <math.h>

typedef struct {
    int64_t vertices, edges;
} counts;

static inline __attribute__((always_inline)) int64_t is_reached(const void *dist, fr_type type,
                                                                int64_t v) {
    return type == FR_TYPE_I64   ? ((const int64_t *)dist)[v] != FR_INF_I64
           : type == FR_TYPE_F32 ? ((const float *)dist)[v] != INFINITY
                                 : ((const double *)dist)[v] != (double)INFINITY;
}

/* Counts a range of vertices. The type of distances is a constant, and the loops have no branches, because
 * reached and other vertices alternate; of blocks that are reached as a whole the offsets are not read. */
static inline __attribute__((always_inline)) counts
count_rows(const void *dist, fr_type type, const int64_t *offsets, int64_t rows) {
    enum { BLOCK = 256 };
    counts all = {0};
    for (int64_t v = 0, end; v < rows; v = end) {
        int64_t reached = 0;
        end = FRI_MIN(v + BLOCK, rows);
        for (int64_t i = v; i < end; i++)
            reached += is_reached(dist, type, i);
        all.vertices += reached;
        if (reached == end - v)
            all.edges += offsets[end] - offsets[v];
        else
            for (int64_t i = v; i < end; i++)
                all.edges += -is_reached(dist, type, i) & (offsets[i + 1] - offsets[i]);
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
static inline __attribute__((always_inline)) counts
count_int32(const int32_t *values, bool levels, const int64_t *offsets, int64_t rows) {
    const int32_t low = levels ? 0 : INT32_MIN, high = levels ? INT32_MAX : FR_INF_I32 - 1;
    int64_t vertices = 0, edges = 0;
#pragma omp simd reduction(+ : vertices, edges)
    for (int64_t v = 0; v < rows; v++) {
        int64_t reached = values[v] >= low && values[v] <= high;
        vertices += reached;
        edges += -reached & (offsets[v + 1] - offsets[v]);
    }
    return (counts){vertices, edges};
}

typedef struct {
    const fri_job *job;
    const char *values; /* levels, or distances of `type` */
    fr_type type;
    bool levels;
    counts all; /* atomic */
} counting;

static void count_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    counting *c = arg;
    const int64_t *offsets = c->job->csr.offsets + begin;
    const void *values = c->values + (size_t)begin * fr_type_size(c->type);
    const counts some = c->type == FR_TYPE_I32
                            ? count_int32(values, c->levels, offsets, end - begin)
                            : count_typed(values, c->type, offsets, end - begin);
    (void)me;
    /* relaxed: read after the team */
    __atomic_fetch_add(&c->all.vertices, some.vertices, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->all.edges, some.edges, __ATOMIC_RELAXED);
}

void fri_job_count_reached(const fri_job *job) {
    enum { ROWS = 1 << 16 };
    const bool levels = job->in->problem == FR_PROBLEM_BFS;
    counting c = {.job = job,
                  .levels = levels,
                  .type = levels ? FR_TYPE_I32 : job->in->dist_type,
                  .values = levels ? (const void *)job->out->level : job->out->dist};
    fri_team_loop(job->ctx, job->in->threads, job->csr.n, ROWS, count_piece, &c);
    job->out->stats.reached = c.all.vertices;
    job->out->stats.reached_edges = c.all.edges;
}
