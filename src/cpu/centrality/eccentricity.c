/* fr_eccentricity: the distance from each vertex to the farthest one it reaches, and from these the
 * diameter and radius.
 *
 * Source: F. W. Takes, W. A. Kosters: Computing the eccentricity distribution of large graphs,
 *   Algorithms 6(1), 2013 (BoundingEccentricities; BoundingDiameters for diameter and radius alone).
 * Idea: a traversal from v with eccentricity e bounds the eccentricity of each w at distance d of v: between
 *   max(d, e - d) and e + d. The vertices with the largest upper and the smallest lower bounds are
 *   traversed next, until no bound leaves anything open.
 * Differs: works on directed graphs too. Within a strong component all vertices reach the same set,
 *   so d(w, v) + e(v) is an upper bound, and d(w, v) and e(v) - d(v, w) are lower ones; a second
 *   traversal, of the transposed graph, gives d(w, v). Up to SLOTS vertices are traversed at a time,
 *   in parallel; which ones does not depend on the number of threads. Small components, and graphs
 *   with float weights, whose rounded sums give no exact bounds, are traversed from every vertex.
 *   Where bounds decide little, as in dense random graphs, the open vertices are traversed many at a
 *   time (cpu/multi_bfs) instead, for their own eccentricities alone: see multi_bfs_costs_less.
 *   On a GPU (fri_gpu_bounds_run) one vertex is traversed at a time, chosen from bounds that are up to
 *   date; the CPU takes the small components of a symmetric graph, and of a directed one with
 *   weights, as a traversal of few vertices is shorter than its launches.
 * Scratch: SLOTS times 12 bytes per vertex (20 with weights), twice if directed.
 * Work: from a few traversals to n (2 n if directed) of them; without weights at most 1.3 times that of
 *   traversing all vertices 512 at a time, and a round more.
 */
#include "fringe_measures.h"
#include "core/backend.h"
#include "core/call_backend.h"
#include "core/gpu_interface.h"
#include "cpu/centrality/pass.h"
#include "cpu/centrality/units.h"
#include "cpu/multi_bfs/multi_bfs.h"
#include "cpu/typed.h"

#include <math.h>

/* MS_BFS_ROUND: open vertices of a round where only the diameter and radius are wanted. */
enum { SLOTS = 16, SMALL = 16, MS_BFS_ROUND = 1024 };
/* A GPU traverses components of a symmetric graph with at least this many vertices. */
#ifdef FRI_SIMT /* small, so that the tests' graphs have some */
enum { LARGE = 24 };
#else
enum { LARGE = 8192 };
#endif
static const char phase[] = "computing eccentricities";

typedef struct {
    fr_ctx *ctx;
    const fr_csr *csr, *in;               /* in: the transposed graph; csr where symmetric */
    int32_t *label, *size, *start, *list; /* components: of a vertex, sizes, members */
    int32_t count;                        /* components */
    double *low, *high;                   /* [n] bounds of the eccentricities */
    double diameter, radius;              /* the largest lower bound, the smallest upper bound */
    fri_pass *forward, *backward;         /* a slot each; backward is forward where symmetric */
    fri_multi_bfs **searches;             /* [threads]; NULL until they are used */
    int32_t *open;                        /* the vertices of a round of MS-BFS */
    int32_t open_count;
    int width; /* of these, searched together */
    int32_t source[SLOTS];
    int sources;
    bool want_all;
    int64_t passes;
    bool gpu;
    fri_gpu_bounds *device; /* NULL until it is used */
} bounds;

static double ecc_of(const fri_pass *p) { return p->dist[p->order[p->reached - 1]]; }

/* Whether the eccentricity of v is unknown and can change the answer. */
static bool is_open(const bounds *b, int32_t v) {
    if (b->low[v] >= b->high[v])
        return false;
    return b->want_all || b->high[v] > b->diameter || b->low[v] < b->radius;
}

static void note(bounds *b, int32_t v) {
    b->diameter = FRI_MAX(b->diameter, b->low[v]);
    b->radius = FRI_MIN(b->radius, b->high[v]);
}

/* Whether u is a better next source than v: by the bound, then the degree, then the id. */
static bool is_before(const bounds *b, bool by_high, int32_t u, int32_t v) {
    double du = by_high ? -b->high[u] : b->low[u], dv = by_high ? -b->high[v] : b->low[v];
    if (du != dv)
        return du < dv;
    int64_t degree_u = b->csr->offsets[u + 1] - b->csr->offsets[u];
    int64_t degree_v = b->csr->offsets[v + 1] - b->csr->offsets[v];
    return degree_u != degree_v ? degree_u > degree_v : u < v;
}

/* The best `max_count` open vertices of a component, in order. */
static int best(const bounds *b, int32_t c, bool by_high, int max_count, int32_t *out) {
    int count = 0;
    for (int32_t i = b->start[c]; i < b->start[c] + b->size[c]; i++) {
        int32_t v = b->list[i];
        if (!is_open(b, v) || (count == max_count && !is_before(b, by_high, v, out[count - 1])))
            continue;
        int at = count < max_count ? count++ : max_count - 1;
        for (; at > 0 && is_before(b, by_high, v, out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = v;
    }
    return count;
}

/* Chooses up to `max_count` sources, half of them by each bound. */
static void choose(bounds *b, int32_t c, int max_count) {
    int32_t found[SLOTS];
    b->sources = best(b, c, true, (max_count + 1) / 2, b->source);
    int more = best(b, c, false, max_count, found);
    for (int i = 0; i < more && b->sources < max_count; i++) {
        bool twice = false;
        for (int j = 0; j < b->sources; j++)
            twice |= b->source[j] == found[i];
        if (!twice)
            b->source[b->sources++] = found[i];
    }
}

static void traverse(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    bounds *b = arg;
    (void)pace, (void)thread, (void)block;
    int slot = (int)unit / 2;
    if (unit % 2 == 0)
        fri_pass_run(&b->forward[slot], b->csr, b->source[slot]);
    else if (b->in != b->csr)
        fri_pass_run(&b->backward[slot], b->in, b->source[slot]);
}

static void tighten(bounds *b, int32_t c, int slot) {
    const double *from = b->forward[slot].dist, *to = b->backward[slot].dist;
    double e = ecc_of(&b->forward[slot]);
    for (int32_t i = b->start[c]; i < b->start[c] + b->size[c]; i++) {
        int32_t w = b->list[i];
        b->low[w] = FRI_MAX(b->low[w], FRI_MAX(to[w], e - from[w]));
        b->high[w] = FRI_MIN(b->high[w], to[w] + e);
        note(b, w);
    }
}

/* Opens the passes of the CPU; passes of an earlier call are used again. */
static fr_status open_passes(bounds *b) {
    if (b->forward)
        return FR_OK;
    const int count = FRI_MAX(SLOTS, fri_unit_threads(b->ctx, b->csr->n));
    fr_status status = fri_passes_new(b->ctx, b->csr, count, &b->forward);
    b->backward = b->forward;
    if (!status && b->in != b->csr)
        status = fri_passes_new(b->ctx, b->in, SLOTS, &b->backward);
    return status;
}

/* ---- many traversals at a time --------------------------------------------------------------- */

static void ignore(fri_multi_bfs *search, fri_member me, int64_t word, uint64_t vertices) {
    (void)search, (void)me, (void)word, (void)vertices;
}

/* The sources that found a vertex at this level are at least as eccentric. */
static void note_level(fri_multi_bfs *search) {
    double *e = search->user;
    for (int k = 0; k < search->words; k++)
        for (uint64_t b = search->fresh[k]; b; b &= b - 1)
            e[k * 64 + __builtin_ctzll(b)] = (double)search->level;
}

/* The eccentricities of a group of open vertices: the last levels at which their bits are new. */
static void traverse_open_group(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    bounds *b = arg;
    (void)block;
    fri_multi_bfs *search = b->searches[thread];
    const int32_t *source = b->open + unit * b->width;
    const int count = (int)FRI_MIN(b->width, b->open_count - unit * b->width);
    double e[FRI_MULTI_BFS_WIDTH] = {0};
    search->words = fri_multi_bfs_words_for(b->width);
    search->user = e;
    search->pace = pace;
    search->caller = thread == 0;
    search->done = unit;
    fri_multi_bfs_alone(search, source, count);
    for (int i = 0; i < count; i++)
        b->low[source[i]] = b->high[source[i]] = e[i];
}

/* Lists the first open vertices of a component, as many as a round has. */
static void list_open(bounds *b, int32_t c) {
    int32_t max_count = b->want_all ? INT32_MAX : MS_BFS_ROUND;
    b->open_count = 0;
    for (int32_t i = b->start[c]; i < b->start[c] + b->size[c] && b->open_count < max_count; i++)
        if (is_open(b, b->list[i]))
            b->open[b->open_count++] = b->list[i];
}

static fr_status open_searches(bounds *b) {
    if (b->open)
        return FR_OK;
    b->open = fri_alloc(b->ctx, fri_bytes(b->csr->n, sizeof *b->open));
    if (!b->open || b->gpu)
        return b->open ? FR_OK : FR_NOMEM;
    const int threads = fri_unit_threads(b->ctx, b->csr->n);
    fr_status status =
        fri_multi_bfs_new(b->ctx, b->csr, b->in, FRI_MULTI_BFS_WORDS, threads, &b->searches);
    for (int i = 0; !status && i < threads; i++) {
        b->searches[i]->take = ignore;
        b->searches[i]->level_done = note_level;
    }
    return status;
}

#ifdef FRI_CUDA_ALL
/* The same on the GPU, for any number of vertices. */
static fr_status traverse_on_gpu(bounds *b, const fr_graph *graph, const int32_t *vertex,
                                 int32_t count) {
    int32_t *e = fri_alloc(b->ctx, fri_bytes(count, sizeof *e));
    if (!e)
        return FR_NOMEM;
    fr_status status = fri_gpu_eccentricities(b->ctx, graph, phase, vertex, count, e);
    for (int32_t i = 0; i < count && !status; i++)
        b->low[vertex[i]] = b->high[vertex[i]] = e[i];
    fri_free(e);
    return status;
}
#endif

static fr_status traverse_open(bounds *b, const fr_graph *graph) {
#ifdef FRI_CUDA_ALL
    if (b->gpu)
        return traverse_on_gpu(b, graph, b->open, b->open_count);
#endif
    (void)graph;
    const int64_t threads = fri_unit_threads(b->ctx, b->csr->n), most = FRI_MULTI_BFS_WIDTH;
    b->width = (int)FRI_MAX(64, FRI_MIN(most, b->open_count / threads)); /* a group for each */
    const int64_t units = ((int64_t)b->open_count + b->width - 1) / b->width;
    return fri_units_run(b->ctx, phase, units, 4 * ((int64_t)b->csr->n + b->csr->m),
                         traverse_open_group, b);
}

static fr_status run_multi_bfs(bounds *b, const fr_graph *graph, int32_t c) {
    fr_status status = open_searches(b);
    for (; !status; b->passes += b->open_count) {
        list_open(b, c);
        if (!b->open_count)
            break;
        status = traverse_open(b, graph);
        for (int32_t i = 0; i < b->open_count && !status; i++)
            note(b, b->open[i]);
    }
    return status;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The search for the bounds of one component. */
typedef struct {
    int64_t spent;        /* traversals */
    double depth;         /* the largest eccentricity found */
    int32_t open, closed; /* vertices after the last round; closed by that round */
    int64_t round;        /* traversals of the last round */
} progress;

static int32_t count_open(const bounds *b, int32_t c) {
    int32_t count = 0;
    for (int32_t i = b->start[c]; i < b->start[c] + b->size[c]; i++)
        count += is_open(b, b->list[i]);
    return count;
}

/* Whether the open vertices cost less many at a time. A shared search visits an edge at most once per level and
 * once per source, at about 1.5 times the cost of a traversal. Bounds may spend 0.3 times the cost of
 * such searches from all vertices before they must close vertices faster than these do. */
static bool multi_bfs_costs_less(const bounds *b, int32_t c, const progress *p) {
    const double width = FRI_MIN(FRI_MULTI_BFS_WIDTH, p->open);
    const double cost = 1.5 * FRI_MIN(width, p->depth + 1);
    const double all = (double)b->size[c] / width * cost;
    return !b->csr->weight_type && (double)p->spent >= 0.3 * all &&
           (double)p->closed * cost < width * (double)p->round;
}

static void finish_round(bounds *b, int32_t c, progress *p) {
    for (int slot = 0; slot < b->sources; slot++) {
        tighten(b, c, slot);
        p->depth = FRI_MAX(p->depth, ecc_of(&b->forward[slot]));
    }
    int32_t open = count_open(b, c);
    p->round = b->sources * (b->in == b->csr ? 1 : 2);
    p->closed = p->open - open;
    p->open = open;
    p->spent += p->round;
    b->passes += p->round;
}

static fr_status bound_component(bounds *b, const fr_graph *graph, int32_t c) {
    progress p = {.open = b->size[c]};
    fr_status status = open_passes(b);
    if (status)
        return status;
    for (int max_count = 1;; max_count = FRI_MIN(SLOTS, 2 * max_count)) {
        choose(b, c, max_count);
        if (!b->sources)
            return FR_OK;
        status = fri_units_run(b->ctx, phase, 2 * b->sources, (int64_t)b->csr->n + b->csr->m,
                               traverse, b);
        if (status)
            return status;
        finish_round(b, c, &p);
        if (p.open && multi_bfs_costs_less(b, c, &p))
            return run_multi_bfs(b, graph, c);
    }
}

#ifdef FRI_CUDA_ALL
static fr_status bound_on_gpu(bounds *b, const fr_graph *graph, int32_t c) {
    fri_gpu_bounds_part part = {.first = b->start[c],
                                .count = b->size[c],
                                .want_all = b->want_all,
                                .diameter = b->diameter,
                                .radius = b->radius,
                                .low = b->low,
                                .high = b->high};
    fr_status status = b->device ? FR_OK : fri_gpu_bounds_open(b->ctx, graph, b->list, &b->device);
    if (!status)
        status = fri_gpu_bounds_run(b->device, &part);
    b->passes += part.passes;
    for (int32_t i = part.first; i < part.first + part.count && !status; i++)
        note(b, b->list[i]);
    return status || !part.open ? status : run_multi_bfs(b, graph, c);
}
#endif

static fr_status bound_large(bounds *b, const fr_graph *graph, int32_t c) {
#ifdef FRI_CUDA_ALL
    if (b->gpu && (b->size[c] >= LARGE || !b->csr->symmetric))
        return bound_on_gpu(b, graph, c);
#endif
    return bound_component(b, graph, c);
}

/* The eccentricity of list[unit], exactly. */
static void traverse_one(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    bounds *b = arg;
    (void)pace, (void)block;
    int32_t v = b->list[unit];
    fri_pass_run(&b->forward[thread], b->csr, v);
    b->low[v] = b->high[v] = ecc_of(&b->forward[thread]);
}

/* Lists the vertices by component, the small components first. */
static int32_t list_members(bounds *b, int32_t small) {
    int32_t n = b->csr->n, place = 0, end_of_small = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t c = 0; c < b->count; c++)
            if ((b->size[c] > small) == pass) {
                b->start[c] = place;
                place += b->size[c];
            }
        end_of_small = pass ? end_of_small : place;
    }
    for (int32_t v = 0; v < n; v++)
        b->list[b->start[b->label[v]]++] = v;
    for (int32_t c = 0; c < b->count; c++)
        b->start[c] -= b->size[c];
    return end_of_small;
}

static fr_status traverse_small(bounds *b, const fr_graph *graph, int32_t members) {
#ifdef FRI_CUDA_ALL
    if (b->gpu && !b->csr->symmetric && !b->csr->weight_type)
        return traverse_on_gpu(b, graph, b->list, members);
#endif
    (void)graph;
    fr_status status = open_passes(b);
    return status ? status
                  : fri_units_run(b->ctx, phase, members, (int64_t)b->csr->n + b->csr->m,
                                  traverse_one, b);
}

static fr_status run_small(bounds *b, const fr_graph *graph, int32_t members) {
    fr_status status = members ? traverse_small(b, graph, members) : FR_OK;
    for (int32_t i = 0; i < members && !status; i++)
        note(b, b->list[i]);
    b->passes += members;
    return status;
}

static fr_status open_bounds(bounds *b, const fr_graph *graph) {
    fr_ctx *ctx = b->ctx;
    int32_t n = b->csr->n;
    int32_t **const ids[] = {&b->label, &b->size, &b->start, &b->list};
    for (int i = 0; i < 4; i++)
        if (!(*ids[i] = fri_alloc(ctx, fri_bytes((int64_t)n + 1, sizeof(int32_t)))))
            return FR_NOMEM;
    b->low = fri_alloc(ctx, fri_bytes(n, sizeof *b->low));
    b->high = b->low ? fri_alloc(ctx, fri_bytes(n, sizeof *b->high)) : NULL;
    if (!b->high)
        return FR_NOMEM;
    for (int32_t v = 0; v < n; v++) {
        b->low[v] = 0;
        b->high[v] = INFINITY;
    }
    return fr_components(ctx, graph, FR_COMPONENTS_STRONG,
                         b->gpu ? FR_BACKEND_CUDA : FR_BACKEND_CPU, b->label, b->size, &b->count);
}

static void close_bounds(bounds *b) {
#ifdef FRI_CUDA_ALL
    fri_gpu_bounds_close(b->device);
#endif
    if (b->backward != b->forward)
        fri_free(b->backward);
    fri_free(b->forward);
    fri_free(b->searches);
    fri_free(b->open);
    fri_free(b->label);
    fri_free(b->size);
    fri_free(b->start);
    fri_free(b->list);
    fri_free(b->low);
    fri_free(b->high);
}

static fr_status run(bounds *b, const fr_graph *graph) {
    int32_t small = fri_is_real(b->csr->weight_type) ? INT32_MAX : SMALL;
    fr_status status = open_bounds(b, graph);
    if (!status)
        status = run_small(b, graph, list_members(b, small));
    for (int32_t c = 0; c < b->count && !status; c++)
        if (b->size[c] > small)
            status = bound_large(b, graph, c);
    return status;
}

/* A component needs about as many traversals on either device; on the CPU each runs on one thread. The
 * number of passes is an assumption, since it depends on the graph. */
static fri_call_work work_of(const fr_csr *csr, bool want_all) {
    const double n = csr->n, m = (double)csr->m, passes = FRI_MIN(n, want_all ? 200 : 30);
    const int ways = csr->symmetric ? 1 : 2;
    fri_backend_input in = fri_backend_input_of(csr, 1);
    in.device_open = true;
    const double each = csr->weight_type ? 60 * n * log2(n + 2) + 8 * m : 12 * n + 3 * m;
    return (fri_call_work){
        .name = "fr_eccentricity",
        .refused = fri_is_real(csr->weight_type)
                       ? "eccentricities with float weights are computed on the CPU only"
                       : NULL,
        .cpu_ns = ways * passes * each + 25 * n,
        .gpu_ns = ways * passes * (fri_backend_predict(&in).gpu.query + 50e3) + 5 * n,
        .units = SLOTS * ways,
    };
}

static fr_status compute(fr_ctx *ctx, const fr_graph *graph, bool gpu, bounds *b) {
    fr_graph *transposed = NULL;
    fr_status status = FR_OK;
    b->ctx = ctx;
    b->csr = b->in = &graph->csr;
    b->radius = INFINITY;
    b->gpu = gpu;
    if (!graph->csr.symmetric && !gpu) {
        status = fr_graph_transpose(ctx, graph, &transposed);
        b->in = transposed ? &transposed->csr : b->csr;
    }
    if (!status)
        status = run(b, graph);
    fr_graph_free(transposed);
    return status;
}

fr_status fr_eccentricity(fr_ctx *ctx, const fr_graph *graph, fr_backend backend,
                          double *eccentricity, double *diameter, double *radius, int64_t *passes) {
    bool gpu;
    fri_weight_stats weights;
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph)
        return fri_fail(ctx, FR_INVALID, "eccentricities need a graph");
    fr_status status = fri_pass_check(ctx, graph, "eccentricity", &weights);
    if (status)
        return status;
    const fri_call_work work = work_of(&graph->csr, eccentricity);
    status = fri_call_backend(ctx, graph, backend, &work, &gpu);
    if (status)
        return status;
    bounds b = {.want_all = eccentricity};
    status = compute(ctx, graph, gpu, &b);
    if (gpu && fri_call_falls_back(ctx, backend, status)) {
        close_bounds(&b);
        b = (bounds){.want_all = eccentricity};
        status = compute(ctx, graph, false, &b);
    }
    for (int32_t v = 0; !status && eccentricity && v < graph->csr.n; v++)
        eccentricity[v] = b.low[v];
    if (!status && diameter)
        *diameter = b.diameter;
    if (!status && radius)
        *radius = graph->csr.n ? b.radius : 0;
    if (!status && passes)
        *passes = b.passes;
    close_bounds(&b);
    return status;
}
