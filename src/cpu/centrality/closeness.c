/* fr_closeness and fr_harmonic: how near a vertex is to those that reach it.
 *
 * Source: L. C. Freeman: Centrality in social networks, Social Networks 1, 1979 (closeness);
 *   S. Wasserman, K. Faust: Social Network Analysis, 1994 (the factor of the reached part);
 *   M. Marchiori, V. Latora: Harmony in the small-world, Physica A 285, 2000 (harmonic).
 * Idea: distances *to* a vertex are what forward traversals from all sources find, so a traversal
 *   adds to the vertices it reaches. Without weights up to 512 traversals share one
 *   (cpu/multi_bfs/multi_bfs.h): a bit per source; the number of new bits of a vertex says how many sources are
 *   at that level. It searches a copy of the graph whose order brings these together (order.h).
 * Scratch: 193 bytes per vertex and thread, 24 per vertex and block (units.h), and the copy.
 * Work: O(n m / 512) to O(n m), O(n m log n) with weights.
 */
#include "fringe_measures.h"
#include "cpu/centrality/pass.h"
#include "cpu/centrality/units.h"
#include "cpu/multi_bfs/order.h"
#include "cpu/multi_bfs/multi_bfs.h"

#include "core/call_backend.h"
#include "core/gpu_interface.h"

#include <math.h>
#include <stdio.h>

/* What the sources of one block add to each vertex. */
typedef struct {
    double *distances, *reciprocals; /* [n]: sums over the sources */
    double *reached;                 /* [n]: sources, a whole number */
} sums;

typedef struct {
    const fr_csr *csr;
    fri_ordered ordered; /* without weights: the graph that is searched */
    fri_multi_bfs **searches;
    int width; /* sources of a search */
    int64_t units;
    fri_pass *passes;
    double *part; /* [3][blocks][n] */
    int blocks;
} task;

static sums sums_of(const task *t, int block) {
    int64_t n = t->csr->n, all = n * t->blocks;
    double *at = t->part + block * n;
    return (sums){at, at + all, at + 2 * all};
}

static void add(const sums *s, int32_t v, double distance, double sources) {
    s->reached[v] += sources;
    s->distances[v] += distance * sources;
    if (distance > 0)
        s->reciprocals[v] += sources / distance;
}

/* Adds the new bits of up to 64 vertices: as many sources are at that level. */
static void take(fri_multi_bfs *search, fri_member me, int64_t word, uint64_t vertices) {
    const uint16_t *count = search->workers[me.index].count;
    const double level = (double)search->level;
    for (; vertices; vertices &= vertices - 1) {
        const int i = __builtin_ctzll(vertices);
        add(search->user, (int32_t)(word * 64 + i), level, count[i]);
    }
}

static void run_search(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    task *t = arg;
    fri_multi_bfs *search = t->searches[thread];
    const int64_t first = unit * t->width;
    const int32_t count = (int32_t)FRI_MIN(t->width, t->csr->n - first);
    int32_t source[FRI_MULTI_BFS_WIDTH];
    for (int32_t i = 0; i < count; i++)
        source[i] = (int32_t)first + i;
    sums s = sums_of(t, block);
    search->user = &s;
    search->pace = pace;
    search->caller = thread == 0;
    search->done = unit;
    fri_multi_bfs_alone(search, source, count);
}

static void run_pass(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    task *t = arg;
    (void)pace;
    fri_pass *p = &t->passes[thread];
    sums s = sums_of(t, block);
    fri_pass_run(p, t->csr, (int32_t)unit);
    for (int32_t i = 0; i < p->reached; i++)
        add(&s, p->order[i], p->dist[p->order[i]], 1);
}

/* Adds up the blocks into the first block's rows. */
static void add_blocks(const fr_ctx *ctx, const task *t) {
    int64_t n = t->csr->n;
    for (int kind = 0; kind < 3; kind++) {
        double *rows = t->part + kind * t->blocks * n;
        fri_units_add(ctx, rows, t->blocks, n, rows);
    }
}

/* The value of a vertex of a graph of n from its sums. */
typedef double (*value_fn)(double distances, double reciprocals, double reached, double n);

/* vertex: where the score of each goes; NULL: to itself. */
static void set_scores(const sums *s, int64_t n, value_fn value, const int32_t *vertex,
                       double *score) {
    for (int64_t v = 0; v < n; v++)
        score[vertex ? vertex[v] : v] =
            value(s->distances[v], s->reciprocals[v], s->reached[v], (double)n);
}

/* As many sources a search as leave one for each block. It must not depend on the number of threads. */
static int width_for(int32_t n) {
    return n >= FRI_UNIT_BLOCKS * FRI_MULTI_BFS_WIDTH       ? FRI_MULTI_BFS_WIDTH
           : n >= FRI_UNIT_BLOCKS * FRI_MULTI_BFS_WIDTH / 2 ? FRI_MULTI_BFS_WIDTH / 2
                                                            : 64;
}

static fr_status open_searches(fr_ctx *ctx, task *t) {
    fr_status status = fri_ordered_new(ctx, t->csr, &t->ordered);
    if (status)
        return status;
    t->width = width_for(t->csr->n);
    t->units = ((int64_t)t->csr->n + t->width - 1) / t->width;
    const int threads = fri_unit_threads(ctx, t->units);
    status = fri_multi_bfs_new(ctx, &t->ordered.out, &t->ordered.in,
                               fri_multi_bfs_words_for(t->width), threads, &t->searches);
    for (int i = 0; !status && i < threads; i++) {
        t->searches[i]->counted = true;
        t->searches[i]->take = take;
    }
    return status;
}

static fr_status run_units(fr_ctx *ctx, const char *phase, task *t) {
    const bool weighted = t->csr->weight_type;
    const int64_t n = t->csr->n, one = n + t->csr->m;
    t->blocks = fri_unit_blocks(t->units);
    t->part = fri_calloc(ctx, fri_bytes(3 * t->blocks * n, sizeof *t->part));
    fr_status status = !t->part ? FR_NOMEM
                                : fri_units_run(ctx, phase, t->units, weighted ? one : 4 * one,
                                                weighted ? run_pass : run_search, t);
    if (!status)
        add_blocks(ctx, t);
    return status;
}

static fr_status on_cpu(fr_ctx *ctx, const fr_graph *graph, const char *phase, value_fn value,
                        double *score) {
    const fr_csr *csr = &graph->csr;
    task t = {.csr = csr, .units = csr->n};
    fr_status status = csr->weight_type
                           ? fri_passes_new(ctx, csr, fri_unit_threads(ctx, csr->n), &t.passes)
                           : open_searches(ctx, &t);
    if (!status)
        status = run_units(ctx, phase, &t);
    if (!status) {
        const sums s = sums_of(&t, 0);
        set_scores(&s, csr->n, value, t.ordered.vertex, score);
    }
    fri_free(t.searches);
    fri_free(t.ordered.block);
    fri_free(t.passes);
    fri_free(t.part);
    return status;
}

#ifdef FRI_CUDA_ALL
static fr_status on_gpu(fr_ctx *ctx, const fr_graph *graph, const char *phase, value_fn value,
                        double *score) {
    const int64_t n = graph->csr.n;
    double *rows = fri_alloc(ctx, fri_bytes(3 * n, sizeof *rows));
    if (!rows)
        return FR_NOMEM;
    const sums s = {rows, rows + n, rows + 2 * n};
    fr_status status =
        (graph->csr.weight_type ? fri_gpu_weighted_distance_sums : fri_gpu_distance_sums)(
            ctx, graph, phase, s.reached, s.distances, s.reciprocals);
    if (!status)
        set_scores(&s, n, value, NULL, score);
    fri_free(rows);
    return status;
}
#endif

static fri_call_work weighted_work(const fr_csr *csr, const char *name) {
    return (fri_call_work){
        .name = name,
        .cpu_ns = fri_call_weighted_cpu_ns(csr, csr->n),
        .gpu_ns = fri_call_weighted_gpu_ns(csr, csr->n),
        .units = csr->n,
    };
}

/* Constants: CPU: within a factor of 2 of times of 2 cores, 2026-11-29; GPU: fitted to times of one H200,
 * 2026-11-22. */
static fri_call_work work_of(const fr_csr *csr, const char *name) {
    const double n = csr->n, m = (double)csr->m, levels = FRI_MAX(fri_call_levels(csr), 1);
    if (csr->weight_type)
        return weighted_work(csr, name);
    return (fri_call_work){
        .name = name,
        .cpu_ns = n * fri_call_shared(levels) * (2.4 * n + 0.06 * m),
        .gpu_ns = fri_call_ms_bfs_ns(csr, n, levels),
        .units = FRI_MIN(FRI_UNIT_BLOCKS, FRI_MAX(1, csr->n / 64)),
    };
}

static fr_status compute(fr_ctx *ctx, const fr_graph *graph, const char *name, fr_backend backend,
                         value_fn value, double *score) {
    bool gpu;
    char phase[48];
    fri_weight_stats weights;
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !score)
        return fri_fail(ctx, FR_INVALID, "a centrality needs a graph and an array");
    fr_status status = fri_pass_check(ctx, graph, "a centrality", &weights);
    if (status)
        return status;
    const fri_call_work work = work_of(&graph->csr, name);
    status = fri_call_backend(ctx, graph, backend, &work, &gpu);
    if (status)
        return status;
    snprintf(phase, sizeof phase, "computing %s", name);
#ifdef FRI_CUDA_ALL
    if (gpu) {
        status = on_gpu(ctx, graph, phase, value, score);
        if (!fri_call_falls_back(ctx, backend, status))
            return status;
    }
#endif
    return on_cpu(ctx, graph, phase, value, score);
}

static double per_component(double distances, double reciprocals, double reached, double n) {
    (void)reciprocals, (void)n;
    return distances > 0 ? (reached - 1) / distances : 0;
}

static double scaled(double distances, double reciprocals, double reached, double n) {
    return distances > 0
               ? per_component(distances, reciprocals, reached, n) * ((reached - 1) / (n - 1))
               : 0;
}

static double harmonic(double distances, double reciprocals, double reached, double n) {
    (void)distances, (void)reached, (void)n;
    return reciprocals;
}

fr_status fr_closeness(fr_ctx *ctx, const fr_graph *graph, bool reached_only, fr_backend backend,
                       double *score) {
    return compute(ctx, graph, "closeness", backend, reached_only ? per_component : scaled, score);
}

fr_status fr_harmonic(fr_ctx *ctx, const fr_graph *graph, fr_backend backend, double *score) {
    return compute(ctx, graph, "harmonic centrality", backend, harmonic, score);
}
