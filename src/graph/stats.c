/* Graph statistics: degrees, weights, components, diameter. Every pass is parallel and O(n + m); no
 * result depends on the number of threads. */
#include "graph/stats.h"

#include "base/sized.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 1024, SMALL_DEGREES = 1024 };

/* The last bin also contains degrees beyond 2^32, which only parallel edges can cause. */
static inline int bin_of(int64_t x) {
    return x ? FRI_MIN(64 - __builtin_clzll((uint64_t)x), FR_DEGREE_BINS - 1) : 0;
}

typedef struct {
    int64_t loops, parallel, negative, degree_max, histogram[FR_DEGREE_BINS];
    unsigned __int128 squares; /* exact: 2^31 squares of up to 2^40 */
    double weight_min, weight_max;
    int64_t int_weight_min, int_weight_max;
} counts;

static bool whole_weights(const fr_csr *csr) {
    return csr->weight_type == FR_TYPE_I32 || csr->weight_type == FR_TYPE_I64;
}

static void count_weights(counts *t, const fr_csr *csr, int64_t begin, int64_t end) {
    for (int64_t e = begin; e < end; e++) {
        double w = fri_csr_weight(csr, e);
        int64_t whole = whole_weights(csr) ? fri_csr_int_weight(csr, e) : 0;
        t->weight_min = FRI_MIN(t->weight_min, w);
        t->weight_max = FRI_MAX(t->weight_max, w);
        t->negative += w < 0;
        t->int_weight_min = FRI_MIN(t->int_weight_min, whole);
        t->int_weight_max = FRI_MAX(t->int_weight_max, whole);
    }
}

static void count_row(counts *t, const fr_csr *csr, int32_t v) {
    int64_t begin = csr->offsets[v], end = csr->offsets[v + 1], degree = end - begin;
    t->histogram[bin_of(degree)]++;
    t->squares += (unsigned __int128)degree * (uint64_t)degree;
    t->degree_max = FRI_MAX(t->degree_max, degree);
    for (int64_t e = begin; e < end; e++) {
        t->loops += csr->targets[e] == v;
        t->parallel += e > begin && csr->targets[e] == csr->targets[e - 1];
    }
    if (csr->weights)
        count_weights(t, csr, begin, end);
}

static void merge(counts *all, const counts *t) {
    all->loops += t->loops;
    all->parallel += t->parallel;
    all->negative += t->negative;
    all->squares += t->squares;
    all->degree_max = FRI_MAX(all->degree_max, t->degree_max);
    all->weight_min = FRI_MIN(all->weight_min, t->weight_min);
    all->weight_max = FRI_MAX(all->weight_max, t->weight_max);
    all->int_weight_min = FRI_MIN(all->int_weight_min, t->int_weight_min);
    all->int_weight_max = FRI_MAX(all->int_weight_max, t->int_weight_max);
    for (int b = 0; b < FR_DEGREE_BINS; b++)
        all->histogram[b] += t->histogram[b];
}

static counts count_all(fr_ctx *ctx, const fr_csr *csr) {
    const counts none = {.weight_min = INFINITY,
                         .weight_max = -INFINITY,
                         .int_weight_min = INT64_MAX,
                         .int_weight_max = INT64_MIN};
    counts all = none;
#pragma omp parallel num_threads(fri_threads_for(ctx, ctx->threads, csr->m))
    {
        counts own = none;
#pragma omp for schedule(FRI_DYNAMIC, GRAIN) nowait
        for (int32_t v = 0; v < csr->n; v++)
            count_row(&own, csr, v);
#pragma omp critical
        merge(&all, &own);
    }
    return all;
}

static void fill_degrees(const fr_csr *csr, const counts *t, fr_graph_stats *out) {
    out->self_loops = t->loops;
    out->parallel_edges = t->parallel;
    out->degree_max = (int32_t)FRI_MIN(t->degree_max, INT32_MAX);
    memcpy(out->degree_histogram, t->histogram, sizeof t->histogram);
    if (csr->n) {
        /* n * squares - m^2 in integers: no cancellation error */
        unsigned __int128 spread =
            t->squares * (unsigned __int128)csr->n - (unsigned __int128)csr->m * (uint64_t)csr->m;
        out->degree_mean = (double)csr->m / csr->n;
        out->degree_stddev = sqrt((double)spread) / csr->n;
    }
    if (csr->weights && csr->m) {
        out->weight_min = t->weight_min;
        out->weight_max = t->weight_max;
        out->negative_edges = t->negative;
        out->int_weight_min = whole_weights(csr) ? t->int_weight_min : 0;
        out->int_weight_max = whole_weights(csr) ? t->int_weight_max : 0;
    }
}

/* The most frequent degree; the minimum one of several. */
static fr_status find_mode(fr_ctx *ctx, const fr_csr *csr, int64_t degree_max,
                           fr_graph_stats *out) {
    int32_t *count = fri_calloc(ctx, fri_bytes(degree_max + 1, sizeof *count));
    if (!count)
        return FR_NOMEM;
#pragma omp parallel num_threads(fri_threads_for(ctx, ctx->threads, csr->n))
    {
        int32_t small[SMALL_DEGREES] = {0};
#pragma omp for schedule(static) nowait
        for (int32_t v = 0; v < csr->n; v++) {
            int64_t degree = fri_csr_degree(csr, v);
            if (degree < SMALL_DEGREES)
                small[degree]++;
            else /* rare, so contention is low */
                __atomic_fetch_add(&count[degree], 1, __ATOMIC_RELAXED);
        }
        for (int64_t d = 0; d < SMALL_DEGREES && d <= degree_max; d++)
            __atomic_fetch_add(&count[d], small[d], __ATOMIC_RELAXED); /* once per thread */
    }
    int64_t mode = 0;
    for (int64_t d = 1; d <= degree_max; d++)
        if (count[d] > count[mode])
            mode = d;
    out->degree_mode = (int32_t)FRI_MIN(mode, INT32_MAX);
    fri_free(count);
    return FR_OK;
}

static int32_t count_isolated(fr_ctx *ctx, const fri_undirected_view *view) {
    int32_t count = 0;
#pragma omp parallel for reduction(+ : count)                                                      \
    num_threads(fri_threads_for(ctx, ctx->threads, view->out->n))
    for (int32_t v = 0; v < view->out->n; v++)
        count += fri_undirected_degree(view, v) == 0;
    return count;
}

/* Sizes of the components; returns the root of the largest, the minimum one of several; -1: no
 * vertex. */
static int32_t size_components(const int32_t *label, int32_t n, int32_t *size,
                               fr_graph_stats *out) {
    int32_t root = -1;
    for (int32_t v = 0; v < n; v++)
        size[label[v]]++;
    for (int32_t v = 0; v < n; v++) {
        if (label[v] != v)
            continue;
        out->components++;
        out->component_histogram[bin_of(size[v])]++;
        if (size[v] > out->largest_component) {
            out->largest_component = size[v];
            root = v;
        }
    }
    return root;
}

static fr_status connect(fr_ctx *ctx, const fri_undirected_view *view, fr_graph_stats *out) {
    int32_t n = view->out->n, root = -1;
    int32_t *label = fri_alloc(ctx, fri_bytes(n, sizeof *label));
    if (!label)
        return FR_NOMEM;
    fr_status status = fri_components(ctx, view, label);
    int32_t *size = status ? NULL : fri_calloc(ctx, fri_bytes(n, sizeof *size));
    if (!status && !size)
        status = FR_NOMEM;
    if (!status)
        root = size_components(label, n, size, out);
    fri_free(size);
    if (!status && root >= 0)
        status = fri_double_sweep(ctx, view, label, root, &out->diameter_lower_bound);
    fri_free(label);
    return status;
}

static fr_status compute(fr_ctx *ctx, const fr_graph *graph, fr_graph_stats *out) {
    const fr_csr *csr = &graph->csr;
    *out = (fr_graph_stats){.n = csr->n, .m = csr->m, .symmetric = csr->symmetric};
    out->weight_type = csr->weight_type;
    fr_status status = fr_graph_check(ctx, graph);
    if (!status)
        status = fri_progress(ctx, "counting degrees", 0, 0);
    if (status)
        return status;
    counts all = count_all(ctx, csr);
    fill_degrees(csr, &all, out);
    status = find_mode(ctx, csr, all.degree_max, out);
    fr_csr in = {0}, bare = *csr; /* components and sweeps need no weights */
    bare.weights = NULL;
    bare.weight_type = FR_TYPE_NONE;
    if (!status && !csr->symmetric)
        status = fri_csr_transpose(ctx, &bare, &in);
    fri_undirected_view view = {&bare, csr->symmetric ? NULL : &in};
    if (!status) {
        out->isolated = count_isolated(ctx, &view);
        status = connect(ctx, &view, out);
    }
    fri_csr_free(&in);
    return status;
}

fr_status fr_graph_compute_stats(fr_ctx *ctx, const fr_graph *graph, fr_graph_stats *out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_status status = FRI_SIZED_CHECK(ctx, fr_graph_stats, out);
    if (status)
        return status;
    if (!graph)
        return fri_fail(ctx, FR_INVALID, "statistics need a graph");
    fr_graph_stats stats;
    status = compute(ctx, graph, &stats);
    FRI_SIZED_WRITE(fr_graph_stats, &stats, out);
    return status;
}
