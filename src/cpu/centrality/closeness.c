/* fr_closeness and fr_harmonic: how near a vertex is to those that reach it.
 *
 * Source: L. C. Freeman: Centrality in social networks, Social Networks 1, 1979 (closeness);
 *   S. Wasserman, K. Faust: Social Network Analysis, 1994 (the factor of the reached part);
 *   M. Marchiori, V. Latora: Harmony in the small-world, Physica A 285, 2000 (harmonic).
 * Idea: distances *to* a vertex are what forward traversals from all sources find, so a traversal
 *   adds to the vertices it reaches and the graph need not be transposed. Without weights 64
 *   traversals share one (ms_bfs.h): a bit per source; the number of new bits of a vertex says how many
 *   sources are at that level.
 * Scratch: 36 bytes per vertex and thread, 24 per vertex and block (units.h).
 * Work: O(n m / 64) to O(n m), O(n m log n) with weights.
 */
#include "fringe_measures.h"
#include "cpu/centrality/pass.h"
#include "cpu/centrality/units.h"
#include "cpu/centrality/ms_bfs.h"

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
    fri_ms_bfs *ms_bfs;
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

static void run_ms_bfs(void *arg, int thread, int block, int64_t unit) {
    task *t = arg;
    fri_ms_bfs *w = &t->ms_bfs[thread];
    sums s = sums_of(t, block);
    int32_t source[FRI_MS_BFS_WIDTH], first = (int32_t)unit * FRI_MS_BFS_WIDTH;
    int count = FRI_MIN(FRI_MS_BFS_WIDTH, t->csr->n - first);
    for (int i = 0; i < count; i++) {
        source[i] = first + i;
        add(&s, first + i, 0, 1);
    }
    fri_ms_bfs_begin(w, source, count);
    for (double level = 1; fri_ms_bfs_step(w, t->csr); level++)
        for (int32_t i = 0; i < w->count; i++)
            add(&s, w->active[i], level, __builtin_popcountll(w->now[w->active[i]]));
}

static void run_pass(void *arg, int thread, int block, int64_t unit) {
    task *t = arg;
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

static void set_scores(const sums *s, int64_t n, value_fn value, double *score) {
    for (int64_t v = 0; v < n; v++)
        score[v] = value(s->distances[v], s->reciprocals[v], s->reached[v], (double)n);
}

static fr_status on_cpu(fr_ctx *ctx, const fr_graph *graph, const char *phase, value_fn value,
                        double *score) {
    const fr_csr *csr = &graph->csr;
    const bool weighted = csr->weight_type;
    const int64_t n = csr->n, one = n + csr->m,
                  units = weighted ? n : (n + FRI_MS_BFS_WIDTH - 1) / FRI_MS_BFS_WIDTH;
    const int threads = fri_unit_threads(ctx, units);
    task t = {.csr = csr, .blocks = fri_unit_blocks(units)};
    t.part = fri_calloc(ctx, fri_bytes(3 * t.blocks * n, sizeof *t.part));
    fr_status status = !t.part    ? FR_NOMEM
                       : weighted ? fri_passes_new(ctx, csr, threads, &t.passes)
                                  : fri_ms_bfs_new(ctx, csr->n, threads, &t.ms_bfs);
    if (!status)
        status = fri_units_run(ctx, phase, units, weighted ? one : 4 * one,
                               weighted ? run_pass : run_ms_bfs, &t);
    if (!status) {
        add_blocks(ctx, &t);
        const sums s = sums_of(&t, 0);
        set_scores(&s, n, value, score);
    }
    fri_free(t.ms_bfs);
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
        set_scores(&s, n, value, score);
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

/* Constants: fitted to times of one H200 and 32 cores, 2026-11-22. */
static fri_call_work work_of(const fr_csr *csr, const char *name) {
    const double n = csr->n, m = (double)csr->m, levels = FRI_MAX(fri_call_levels(csr), 1);
    if (csr->weight_type)
        return weighted_work(csr, name);
    return (fri_call_work){
        .name = name,
        .cpu_ns = n * fri_call_shared(levels) * (39 * n + 0.7 * m),
        .gpu_ns = fri_call_ms_bfs_ns(csr, n, levels),
        .units = (csr->n + FRI_MS_BFS_WIDTH - 1) / FRI_MS_BFS_WIDTH,
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
