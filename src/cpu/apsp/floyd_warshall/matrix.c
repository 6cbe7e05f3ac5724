/* Reads and writes the blocked matrix; typed/cells.c does it for each of the element types.
 *
 * Not reached: for integers a number INF, half of the largest value of the type, so that INF + INF
 *   does not wrap. A path from an unreached vertex is INF plus a real path, at least INF - L where
 *   L = n times the largest absolute weight; since L < INF / 2, exactly the cells above INF / 2
 *   are not reached. For floats INF is infinity.
 */
#include "cpu/apsp/floyd_warshall/matrix.h"

#include <float.h>
#include <math.h>

#include "cpu/sssp/typed.h"

double fri_floyd_path_bound(const fri_job *job) {
    return (double)job->csr.n * fmax(fabs(job->weight_min), fabs(job->weight_max));
}

bool fri_floyd_takes(const fri_job *job) {
    return job->csr.weight_type != FR_TYPE_I64 || fri_floyd_path_bound(job) < 0x1p60;
}

fr_type fri_floyd_type(const fri_job *job) {
    double reach = fri_floyd_path_bound(job);
    if (job->dist_type == FR_TYPE_I32 || job->dist_type == FR_TYPE_I64)
        return reach < FRI_FLOYD_FAR_I32 ? FR_TYPE_I32 : FR_TYPE_I64;
    return job->dist_type == FR_TYPE_F32 && reach < (double)FLT_MAX / 4 ? FR_TYPE_F32 : FR_TYPE_F64;
}

extern const fri_floyd_cell_access fri_floyd_cells_i32, fri_floyd_cells_i64, fri_floyd_cells_f32,
    fri_floyd_cells_f64;

static const fri_floyd_cell_access *const access[] = {
    [FR_TYPE_I32] = &fri_floyd_cells_i32,
    [FR_TYPE_I64] = &fri_floyd_cells_i64,
    [FR_TYPE_F32] = &fri_floyd_cells_f32,
    [FR_TYPE_F64] = &fri_floyd_cells_f64,
};

fr_status fri_floyd_fill(const fri_floyd *f) {
    enum { BAND = 16 }; /* rows of blocks between two checks for cancellation */
    fr_status status = FR_OK;
    for (int32_t begin = 0; begin < f->blocks && !status; begin += BAND) {
        int32_t end = FRI_MIN(begin + BAND, f->blocks);
#pragma omp parallel for num_threads(f->job->threads)
        for (int32_t i = begin; i < end; i++) {
            access[f->type]->clear(f, i);
            for (int32_t p = i * FRI_FLOYD_BLOCK; p < f->size && p < (i + 1) * FRI_FLOYD_BLOCK; p++)
                access[f->type]->edges_of(f, p);
        }
        status = fri_progress(f->job->ctx, "filling", end, f->blocks);
    }
    return status;
}

static void clear_row(const fri_floyd *f, void *dist, int32_t *parent) {
    for (int32_t v = 0; v < f->job->csr.n; v++) {
        if (parent)
            parent[v] = -1;
        if (!dist)
            continue;
        switch (f->job->dist_type) {
        case FR_TYPE_I32: ((int32_t *)dist)[v] = FR_INF_I32; break;
        case FR_TYPE_I64: ((int64_t *)dist)[v] = FR_INF_I64; break;
        case FR_TYPE_F32: ((float *)dist)[v] = INFINITY; break;
        default: ((double *)dist)[v] = (double)INFINITY; break;
        }
    }
}

fr_status fri_floyd_row(const fri_floyd *f, int32_t source, void *dist, int32_t *parent,
                        uint8_t *parents_invalid) {
    int32_t row = f->place[source];
    if (f->size < f->job->csr.n)
        clear_row(f, dist, parent);
    if (dist && !access[f->type]->dist_row(f, row, dist))
        return FR_OVERFLOW;
    if (parent)
        *parents_invalid = access[f->type]->parent_row(f, row, parent);
    return FR_OK;
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

/* Grows a tree from the source along edges that are tight within `tolerance`; returns its size. */
static int32_t grow(const fri_floyd *f, int32_t source, int32_t *parent, double tolerance) {
    const fr_csr *csr = &f->job->csr;
    int32_t row = f->place[source], *queue = f->spare, tail = 0;
    double slack = tolerance * fmax(fabs(f->job->weight_min), fabs(f->job->weight_max));
    for (int32_t v = 0; v < csr->n; v++)
        parent[v] = -1;
    parent[source] = source;
    queue[tail++] = source;
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = queue[head];
        double du = access[f->type]->value(f, row, f->place[u]);
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            double sum = du + fri_csr_weight(csr, e),
                   dv = access[f->type]->value(f, row, f->place[v]);
            if (parent[v] >= 0 || fabs(sum - dv) > slack + tolerance * fabs(dv))
                continue;
            parent[v] = u;
            queue[tail++] = v;
        }
    }
    return tail;
}

/* Sums of floats in another order differ. If a vertex has no tight in-edge, the tolerance is
 * increased; in the end every edge is tight. */
static void grow_until_whole(const fri_floyd *f, int32_t source, int32_t *parent) {
    int32_t row = f->place[source], reached = 0;
    for (int32_t j = 0; j < f->size; j++)
        reached += access[f->type]->value(f, row, j) < (double)INFINITY;
    double tolerance = f->type == FR_TYPE_F32 ? 1e-7 : 1e-15;
    while (grow(f, source, parent, tolerance) < reached)
        tolerance *= 8;
}

void fri_floyd_repair_parents(const fri_floyd *f, int32_t source, void *dist, int32_t *parent) {
    bool minimum = f->job->query.parent_rule == FR_PARENT_MIN_ID,
         exact = f->type == FR_TYPE_I32 || f->type == FR_TYPE_I64;
    if (!minimum && is_forest(f, parent))
        return;
    if (!exact) {
        grow_until_whole(f, source, parent);
        return;
    }
    fri_job one = *f->job;
    fr_result result = {.dist = dist, .parent = parent};
    one.out = &result;
    one.query.sources = &source;
    one.query.source_count = 1;
    fri_sssp_min_parents(&one, f->spare);
}
