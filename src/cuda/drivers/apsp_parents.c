/* Rebuilds the parents of one APSP row from its distances: where Floyd-Warshall's contain cycles,
 * or the smallest are requested.
 *
 * Weights of 0, or weights too small to change a float, let several vertices have equal distances,
 * and phases of different tiles may make them parents of each other. Integers: the smallest of all
 * tight in-edges from a nearer vertex, and where there is none, hop by hop over tight edges (with
 * negative weights hop by hop from the source), as for SSSP's smallest parents. Floats: sums in
 * another order differ, so edges that explain a distance within a tolerance are tight; the
 * tolerance grows until all vertices are connected. */
#include "cuda/drivers/apsp.h"

#include <math.h>
#include <string.h>

typedef struct {
    const fri_job *job;
    const void *dist;
    int32_t source, *parent, *queue, *hops;
    double tolerance; /* relative; 0: integers */
} forest;

static double value(const void *array, fr_type type, int64_t i) {
    switch (type) {
    case FR_TYPE_I32: {
        int32_t d = ((const int32_t *)array)[i];
        return d == FR_INF_I32 ? (double)INFINITY : d;
    }
    case FR_TYPE_I64: {
        int64_t d = ((const int64_t *)array)[i];
        return d == FR_INF_I64 ? (double)INFINITY : (double)d;
    }
    case FR_TYPE_F32: return (double)((const float *)array)[i];
    default: return ((const double *)array)[i];
    }
}

static double dist_of(const forest *f, int32_t v) { return value(f->dist, f->job->dist_type, v); }

static double weight_of(const forest *f, int64_t e) {
    const fr_csr *csr = &f->job->csr;
    return csr->weights ? value(csr->weights, csr->weight_type, e) : 1;
}

/* Whether an edge of weight w gives the distance dv. */
static bool is_tight(const forest *f, double du, double w, double dv) {
    if (f->tolerance == 0)
        return du + w == dv;
    double max_rows = fmax(fabs(f->job->weight_min), fabs(f->job->weight_max));
    return fabs(du + w - dv) <= f->tolerance * (max_rows + fabs(dv));
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
        double du = dist_of(f, u);
        for (int64_t e = csr->offsets[u]; du < (double)INFINITY && e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            double dv = dist_of(f, v);
            if (v != f->source && du < dv && is_tight(f, du, weight_of(f, e), dv))
                f->parent[v] = u;
        }
    }
}

/* Makes u the parent of its unattached neighbors; returns the queue's new end. */
static int32_t expand(const forest *f, int32_t u, int32_t tail) {
    const fr_csr *csr = &f->job->csr;
    double du = dist_of(f, u);
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        if (f->hops[v] <= f->hops[u] || !is_tight(f, du, weight_of(f, e), dist_of(f, v)))
            continue;
        if (f->hops[v] == INT32_MAX) {
            f->hops[v] = f->hops[u] + 1;
            f->queue[tail++] = v;
        }
        f->parent[v] = f->parent[v] < 0 ? u : FRI_MIN(f->parent[v], u);
    }
    return tail;
}

/* Starts from all attached vertices; returns how many are attached at the end. */
static int32_t hop_by_hop(const forest *f) {
    int32_t tail = 0;
    for (int32_t v = 0; v < f->job->csr.n; v++) {
        f->hops[v] = f->parent[v] >= 0 ? 0 : INT32_MAX;
        if (f->parent[v] >= 0)
            f->queue[tail++] = v;
    }
    for (int32_t head = 0; head < tail; head++)
        tail = expand(f, f->queue[head], tail);
    return tail;
}

static int32_t reached(const forest *f) {
    int32_t count = 0;
    for (int32_t v = 0; v < f->job->csr.n; v++)
        count += dist_of(f, v) < (double)INFINITY;
    return count;
}

void fri_gpu_apsp_repair_parents(const fri_job *job, int32_t source, const void *dist,
                                 int32_t *parent, int32_t *scratch, bool rebuild) {
    bool exact = job->dist_type == FR_TYPE_I32 || job->dist_type == FR_TYPE_I64;
    forest f = {.job = job,
                .dist = dist,
                .source = source,
                .parent = parent,
                .queue = scratch,
                .hops = scratch + job->csr.n,
                .tolerance = exact                           ? 0
                             : job->dist_type == FR_TYPE_F32 ? 1e-7
                                                             : 1e-15};
    if (!rebuild && job->query.parent_rule != FR_PARENT_MIN_ID && is_forest(&f))
        return;
    int32_t all = reached(&f), attached = 0;
    do {
        memset(parent, 0xff, fri_bytes(job->csr.n, sizeof *parent));
        parent[source] = source;
        if (exact && job->weight_min >= 0)
            take_nearer(&f);
        attached = hop_by_hop(&f);
        f.tolerance *= 8; /* finally every edge passes; integers need one iteration */
    } while (attached < all && !exact);
}
