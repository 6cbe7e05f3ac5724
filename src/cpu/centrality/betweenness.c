/* fr_betweenness: how many shortest paths lead through each vertex.
 *
 * Source: U. Brandes: A faster algorithm for betweenness centrality, Journal of Mathematical
 *   Sociology 25(2), 2001. Sampled sources: U. Brandes, C. Pich: Centrality estimation in large
 *   networks, International Journal of Bifurcation and Chaos 17(7), 2007; the bound is by W.
 *   Hoeffding: Probability inequalities for sums of bounded random variables, JASA 58, 1963,
 *   theorem 2, which section 6 extends to samples without replacement.
 * Idea: a traversal counts the shortest paths to each vertex. Then the vertices, in descending
 *   order of distance, sum the source's dependency on them over their successors.
 * Differs: stores no lists of predecessors; a second test of distances finds the successors.
 *   Parallel over sources; units.h fixes the order of the sums over sources. Without weights eight
 *   sources share a traversal (ms_brandes.h) where that is faster.
 * Scratch: 36 bytes per vertex and thread (44 with weights, 242 if eight sources share a search), 8 per
 *   vertex and block.
 * Work: O(n m), O(n m log n) with weights.
 */
#include "cpu/centrality/ms_brandes.h"
#include "cpu/centrality/pass.h"
#include "cpu/centrality/units.h"

#include "base/rng.h"
#include "base/sized.h"
#include "core/call_backend.h"
#include "core/gpu_interface.h"

#include <float.h>
#include <math.h>

/* Larger graphs are traversed from one source at a time: a shared search takes 242 bytes per vertex and
 * thread. */
enum { MAX_SHARED_VERTICES = 1 << 20 };

/* Sources that reach a vertex at the same level, on average, from which on sharing takes less time than a
 * traversal per source: on Kronecker graphs (3.0 to 4.0) 0.3 to 0.6 of it, on uniform ones (1.8) 0.76, on
 * a grid (1.03) 2.5 times. The first levels of the first search decide. */
#define MIN_SHARED 1.6
enum { TRIAL_LEVELS = 16 };

typedef struct {
    double paths; /* shortest paths from the source */
    double pull;  /* (1 + dependency) / paths: what a predecessor gets per path */
    int32_t level;
} node;

typedef struct {
    const fr_csr *csr;
    const int32_t *sources; /* NULL: all vertices */
    int64_t count;          /* of sources */
    node *nodes;            /* [threads][n] */
    fri_pass *passes;
    fri_ms_brandes *searches; /* [search_count]; NULL: one source at a time */
    int search_count;         /* threads + 1: the last one is for the first group */
    double *part;             /* [blocks][n] */
    int status;               /* atomic: the first failure */
} brandes;

static void fail(brandes *b, fr_status status) {
    __atomic_store_n(&b->status, (int)status, __ATOMIC_RELAXED);
}

/* Relaxed: a thread that sees the failure late only wastes traversals. */
static bool has_failed(const brandes *b) {
    return __atomic_load_n(&b->status, __ATOMIC_RELAXED) != FR_OK;
}

static void count_by_level(const fr_csr *csr, fri_pass *p, node *nodes, int32_t source) {
    int32_t tail = 1;
    for (int32_t i = 0; i < p->reached; i++)
        nodes[p->order[i]].level = -1;
    p->order[0] = source;
    nodes[source] = (node){.paths = 1, .level = 0};
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = p->order[head], next = nodes[u].level + 1;
        double paths = nodes[u].paths;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            node *v = &nodes[csr->targets[e]];
            if (v->level < 0) {
                v->level = next;
                v->paths = 0;
                p->order[tail++] = csr->targets[e];
            }
            if (v->level == next)
                v->paths += paths;
        }
    }
    p->reached = tail;
}

static void add_by_level(const fr_csr *csr, const fri_pass *p, node *nodes, double *sum) {
    for (int32_t i = p->reached - 1; i > 0; i--) {
        node *w = &nodes[p->order[i]];
        double pulled = 0;
        for (int64_t e = csr->offsets[p->order[i]]; e < csr->offsets[p->order[i] + 1]; e++) {
            const node *v = &nodes[csr->targets[e]];
            if (v->level == w->level + 1)
                pulled += v->pull;
        }
        pulled *= w->paths;
        sum[p->order[i]] += pulled;
        w->pull = (1 + pulled) / w->paths;
    }
}

/* Weights are positive. Returns false if adding a weight does not change a distance, because of
 * rounding. */
static bool count_by_distance(const fr_csr *csr, fri_pass *p, node *nodes, int32_t source) {
    for (int32_t i = 0; i < p->reached; i++)
        p->dist[p->order[i]] = INFINITY;
    p->reached = 0;
    p->dist[source] = 0;
    nodes[source].paths = 1;
    bool grows = true;
    fri_pass_heap_raise(&p->heap, p->dist, source);
    while (p->heap.size) {
        int32_t u = fri_pass_heap_pop(&p->heap, p->dist);
        p->order[p->reached++] = u;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            double sum = p->dist[u] + fri_csr_weight(csr, e);
            grows &= sum > p->dist[u];
            if (sum == p->dist[v] && sum < INFINITY)
                nodes[v].paths += nodes[u].paths;
            if (sum >= p->dist[v])
                continue;
            p->dist[v] = sum;
            nodes[v].paths = nodes[u].paths;
            fri_pass_heap_raise(&p->heap, p->dist, v);
        }
    }
    return grows;
}

static void add_by_distance(const fr_csr *csr, const fri_pass *p, node *nodes, double *sum) {
    for (int32_t i = p->reached - 1; i > 0; i--) {
        int32_t w = p->order[i];
        double pulled = 0;
        for (int64_t e = csr->offsets[w]; e < csr->offsets[w + 1]; e++) {
            int32_t v = csr->targets[e];
            double end = p->dist[w] + fri_csr_weight(csr, e);
            if (end == p->dist[v] && end < INFINITY)
                pulled += nodes[v].pull;
        }
        pulled *= nodes[w].paths;
        sum[w] += pulled;
        nodes[w].pull = (1 + pulled) / nodes[w].paths;
    }
}

static bool counts_fit(const fri_pass *p, const node *nodes) {
    for (int32_t i = 0; i < p->reached; i++)
        if (!(nodes[p->order[i]].paths <= DBL_MAX))
            return false;
    return true;
}

static int32_t source_of(const brandes *b, int64_t i) {
    return b->sources ? b->sources[i] : (int32_t)i;
}

static void from_source(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    brandes *b = arg;
    (void)pace;
    const fr_csr *csr = b->csr;
    fri_pass *p = &b->passes[thread];
    node *nodes = b->nodes + (int64_t)thread * csr->n;
    double *sum = b->part + (int64_t)block * csr->n;
    int32_t source = source_of(b, unit);
    if (has_failed(b))
        return;
    if (!csr->weight_type)
        count_by_level(csr, p, nodes, source);
    else if (!count_by_distance(csr, p, nodes, source))
        fail(b, FR_UNSUPPORTED);
    if (has_failed(b))
        return;
    if (!counts_fit(p, nodes))
        fail(b, FR_OVERFLOW);
    else if (!csr->weight_type)
        add_by_level(csr, p, nodes, sum);
    else
        add_by_distance(csr, p, nodes, sum);
}

static void begin_group(const brandes *b, fri_ms_brandes *search, int64_t group) {
    const int64_t first = group * FRI_LANES;
    const int count = (int)FRI_MIN(FRI_LANES, b->count - first);
    int32_t source[FRI_LANES];
    for (int k = 0; k < count; k++)
        source[k] = source_of(b, first + k);
    fri_ms_brandes_begin(search, source, count);
}

static void from_group(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    brandes *b = arg;
    (void)pace;
    fri_ms_brandes *search = &b->searches[unit ? thread : b->search_count - 1];
    if (has_failed(b))
        return;
    if (unit)
        begin_group(b, search, unit);
    fri_ms_brandes_count(search, b->csr, INT32_MAX);
    if (search->finite)
        fri_ms_brandes_add(search, b->csr, b->part + (int64_t)block * b->csr->n);
    else
        fail(b, FR_OVERFLOW);
}

static fr_status open_brandes(fr_ctx *ctx, brandes *b, int threads) {
    const int64_t nodes = (int64_t)threads * b->csr->n;
    b->nodes = fri_alloc(ctx, fri_bytes(nodes, sizeof *b->nodes));
    for (int64_t i = 0; b->nodes && i < nodes; i++)
        b->nodes[i].level = -1;
    return b->nodes ? fri_passes_new(ctx, b->csr, threads, &b->passes) : FR_NOMEM;
}

/* Makes a search per thread and one more, which begins the first group. Makes none if they would be slow
 * on this graph or do not fit in memory. */
static void open_searches(fr_ctx *ctx, brandes *b, int threads) {
    b->search_count = threads + 1;
    if (fri_ms_brandes_new(ctx, b->csr->n, b->search_count, &b->searches)) {
        fri_begin(ctx); /* clears the failure */
        return;
    }
    fri_ms_brandes *first = &b->searches[threads];
    begin_group(b, first, 0);
    fri_ms_brandes_count(first, b->csr, TRIAL_LEVELS);
    if (fri_ms_brandes_shared(first) >= MIN_SHARED)
        return;
    fri_free(b->searches);
    b->searches = NULL;
}

static fr_status run(fr_ctx *ctx, brandes *b, double *score) {
    const int64_t groups = (b->count + FRI_LANES - 1) / FRI_LANES;
    if (!b->csr->weight_type && b->csr->n <= MAX_SHARED_VERTICES && b->count >= MIN_SHARED)
        open_searches(ctx, b, fri_unit_threads(ctx, groups));
    const int64_t units = b->searches ? groups : b->count;
    const int64_t work = (b->searches ? 4 : 2) * ((int64_t)b->csr->n + b->csr->m);
    const int blocks = fri_unit_blocks(units), threads = fri_unit_threads(ctx, units);
    b->part = fri_calloc(ctx, fri_bytes((int64_t)blocks * b->csr->n, sizeof *b->part));
    fr_status status = b->part ? FR_OK : FR_NOMEM;
    if (!status && !b->searches)
        status = open_brandes(ctx, b, threads);
    if (!status)
        status = fri_units_run(ctx, "computing betweenness", units, work,
                               b->searches ? from_group : from_source, b);
    if (!status && b->status == FR_OVERFLOW)
        status = fri_fail(ctx, FR_OVERFLOW, "the number of shortest paths does not fit double");
    if (!status && b->status == FR_UNSUPPORTED)
        status = fri_fail(ctx, FR_UNSUPPORTED,
                          "a weight is so small that adding it leaves a distance unchanged");
    if (!status)
        fri_units_add(ctx, b->part, blocks, b->csr->n, score);
    fri_free(b->nodes);
    fri_free(b->passes);
    fri_free(b->searches);
    fri_free(b->part);
    return status;
}

/* Returns `count` distinct vertices: the first ones of a random permutation. */
static int32_t *draw_sources(fr_ctx *ctx, int32_t n, int64_t count, uint64_t seed) {
    int32_t *list = fri_alloc(ctx, fri_bytes(n, sizeof *list));
    if (!list)
        return NULL;
    for (int32_t v = 0; v < n; v++)
        list[v] = v;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = i + (int64_t)fri_random_below(fri_random(seed, (uint64_t)i), (uint64_t)(n - i));
        int32_t other = list[j];
        list[j] = list[i];
        list[i] = other;
    }
    return list;
}

static fr_status check(fr_ctx *ctx, const fr_graph *graph, const fr_betweenness_options *o,
                       const double *score) {
    fri_weight_stats weights;
    if (!graph || !score || o->samples < 0)
        return fri_fail(
            ctx, FR_INVALID,
            "betweenness needs a graph, an array and a number of samples of at least 0");
    fr_status status = fri_pass_check(ctx, graph, "betweenness", &weights);
    if (!status && weights.min == 0)
        status = fri_fail(ctx, FR_UNSUPPORTED,
                          "betweenness needs positive weights: along an edge of weight 0 the order "
                          "of shortest paths is undefined");
    return status;
}

/* The CPU computes dependencies in 0.5 times the time of distances, the GPU in 1.2 times. */
static fri_call_work weighted_work(const fr_csr *csr, int64_t count) {
    return (fri_call_work){
        .name = "fr_betweenness",
        .cpu_ns = 1.5 * fri_call_weighted_cpu_ns(csr, count),
        .gpu_ns = 2.2 * fri_call_weighted_gpu_ns(csr, count),
        .units = count,
    };
}

/* GPU: as if 32 sources shared a search, of 3 launches per level. Constants: fitted to
 * times of one H200 and 32 cores, 2026-11-22; shared searches take half of the time. */
static fri_call_work work_of(const fr_csr *csr, int64_t count) {
    const double n = csr->n, m = (double)csr->m, sources = (double)count;
    const double levels = fri_call_levels(csr);
    if (csr->weight_type)
        return weighted_work(csr, count);
    const bool shares = n <= MAX_SHARED_VERTICES && levels <= TRIAL_LEVELS;
    const double together = FRI_MIN(sources, FRI_MAX(32, (1 << 25) / FRI_MAX(n, 1)));
    return (fri_call_work){
        .name = "fr_betweenness",
        .cpu_ns = (shares ? 0.5 : 1) * sources * (220 * n + 16 * m),
        .gpu_ns = sources / together * 30e3 * levels + sources * (0.1 * n + 0.016 * m),
        .units = count,
    };
}

static fr_status add_dependencies(fr_ctx *ctx, const fr_graph *graph, fr_backend backend,
                                  const int32_t *sources, int64_t count, double *score) {
    bool gpu;
    const fri_call_work work = work_of(&graph->csr, count);
    fr_status status = fri_call_backend(ctx, graph, backend, &work, &gpu);
    if (status)
        return status;
#ifdef FRI_CUDA_ALL
    if (gpu) {
        status = (graph->csr.weight_type ? fri_gpu_weighted_betweenness
                                         : fri_gpu_betweenness)(ctx, graph, sources, count, score);
        if (!fri_call_falls_back(ctx, backend, status))
            return status;
    }
#endif
    brandes b = {.csr = &graph->csr, .sources = sources, .count = count};
    return run(ctx, &b, score);
}

fr_status fr_betweenness(fr_ctx *ctx, const fr_graph *graph, const fr_betweenness_options *options,
                         double *score, double *error_bound) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_betweenness_options o;
    fr_status status = FRI_SIZED_READ(ctx, fr_betweenness_options, options, &o);
    if (!status)
        status = check(ctx, graph, &o, score);
    if (status)
        return status;
    int32_t n = graph->csr.n;
    bool sampled = o.samples > 0 && o.samples < n;
    int64_t count = sampled ? o.samples : n;
    int32_t *sources = sampled ? draw_sources(ctx, n, count, o.seed) : NULL;
    if (sampled && !sources)
        return FR_NOMEM;
    status = add_dependencies(ctx, graph, o.backend, sources, count, score);
    fri_free(sources);
    if (status)
        return status;
    double pairs = n > 2 ? (n - 1.0) * (n - 2.0) : 1,
           paths = fr_graph_is_undirected(graph) ? 0.5 : 1;
    double unit = o.normalized ? 1 / pairs : paths; /* factor of the sum over all sources */
    double scale = unit * (sampled ? n / (double)count : 1);
    for (int32_t v = 0; v < n; v++)
        score[v] *= scale;
    if (error_bound) /* a dependency is in [0, n - 2]; union bound: 5 % over all n vertices */
        *error_bound =
            sampled ? unit * n * FRI_MAX(0, n - 2.0) * sqrt(log(2.0 * n / 0.05) / (2.0 * count))
                    : 0;
    return FR_OK;
}
