/* Compares components and centrality on the GPU with the CPU: every graph of the conformance suite, weights whose sums
 * are rounded or extreme, little memory, shared copies, refused calls. Runs on the host (FRI_SIMT), under several
 * schedules, and on a GPU. Arguments: the only graphs and parts. Random graphs with weights of every type meet these
 * calls in tests/random. */
#include "core/call_backend.h"
#include "fringe_measures.h"
#include "gpu/harness.h"

#include <math.h>

enum {
    EXACT =
        ON_HOST ? 40 : 2000, /* maximum number of vertices whose exact betweenness is compared */
    CLOSE = ON_HOST ? 40 : 20000,    /* the same of closeness, which is always exact */
    CENTRAL = ON_HOST ? 300 : 20000, /* of eccentricities */
    FEW = 40,                        /* all under a tool, which makes kernels slow */
    SAMPLES = ON_HOST ? 70 : 130,    /* otherwise; fills words of 64 sources and a part of one */
    AGAIN =
        ON_HOST
            ? 100
            : 1 << 30, /* maximum number of vertices where the GPU computes scores twice, and from more
                                        than eight sources */
    VERTICES = 40      /* of a random graph */
};
static const double tolerance = 1e-12; /* relative: the order of sums */

typedef struct subject {
    fr_ctx *ctx;
    const fr_graph *graph;
    const char *name;
    int32_t n;
} subject;

static subject subject_of(fr_ctx *ctx, const fr_graph *graph, const char *name) {
    return (subject){ctx, graph, name, fr_graph_vertex_count(graph)};
}

static bool is_small(void) { return ON_HOST || cf_reduced(); }
static bool is_within(const subject *s, int32_t most) {
    return s->n <= (cf_reduced() ? FEW : most);
}

static void *result_new(const subject *s, size_t size) {
    void *made = malloc(((size_t)s->n + 1) * size);
    memset(made, 0xa5, ((size_t)s->n + 1) * size); /* every value must be written */
    return made;
}

/* ---- components ---- */

static void compare_components(const subject *s, fr_component_kind kind) {
    const size_t bytes = (size_t)s->n * sizeof(int32_t);
    int32_t *label[3], *size[3], count[3] = {0};
    for (int i = 0; i < 3; i++) { /* on the CPU, on the GPU, and there without sizes */
        label[i] = result_new(s, sizeof(int32_t));
        size[i] = result_new(s, sizeof(int32_t));
        CHECK(!fr_components(s->ctx, s->graph, kind, i ? FR_BACKEND_CUDA : FR_BACKEND_CPU, label[i],
                             i < 2 ? size[i] : NULL, &count[i]),
              "%s: %s", s->name, fr_ctx_error(s->ctx));
        CHECK(count[i] == count[0], "%s: %d components, not %d", s->name, count[i], count[0]);
        CHECK(!memcmp(label[0], label[i], bytes), "%s: labels", s->name);
    }
    CHECK(!memcmp(size[0], size[1], (size_t)count[0] * sizeof(int32_t)), "%s: sizes", s->name);
    for (int i = 0; i < 3; i++) {
        free(label[i]);
        free(size[i]);
    }
}

/* ---- eccentricities ---- */

/* Values, diameter and radius must be equal: they are integers. Then the latter two alone. */
static void compare_eccentricities(const subject *s) {
    double *e[3], ends[3][2];
    int64_t passes = 0;
    for (int i = 0; i < 3; i++) {
        e[i] = result_new(s, sizeof(double));
        CHECK(!fr_eccentricity(s->ctx, s->graph, i ? FR_BACKEND_CUDA : FR_BACKEND_CPU,
                               i < 2 ? e[i] : NULL, &ends[i][0], &ends[i][1], &passes),
              "%s: %s", s->name, fr_ctx_error(s->ctx));
        CHECK(!memcmp(ends[0], ends[i], sizeof ends[0]),
              "%s: diameter %g, not %g; radius %g, not %g", s->name, ends[i][0], ends[0][0],
              ends[i][1], ends[0][1]);
        CHECK(!s->n == !passes, "%s: %d passes", s->name, (int)passes);
    }
    CHECK(!memcmp(e[0], e[1], (size_t)s->n * sizeof(double)), "%s: eccentricities", s->name);
    for (int i = 0; i < 3; i++)
        free(e[i]);
}

/* ---- scores ---- */

typedef struct measure {
    const char *name;
    enum { BETWEENNESS, CLOSENESS, HARMONIC } kind;
    int samples;  /* of betweenness */
    bool reached; /* closeness of the reached part */
} measure;
static const measure exact = {"betweenness", BETWEENNESS, 0, false},
                     sampled = {"sampled betweenness", BETWEENNESS, SAMPLES, false},
                     eight = {"betweenness of 8", BETWEENNESS, 8, false},
                     closeness = {"closeness", CLOSENESS, 0, false},
                     reached = {"closeness of the reached part", CLOSENESS, 0, true},
                     harmonic = {"harmonic centrality", HARMONIC, 0, false};

static fr_status call(const subject *s, const measure *m, fr_backend backend, double *score) {
    const fr_betweenness_options options = {.struct_size = sizeof options,
                                            .normalized = m->samples > 8,
                                            .samples = m->samples,
                                            .seed = 7,
                                            .backend = backend};
    if (m->kind == BETWEENNESS)
        return fr_betweenness(s->ctx, s->graph, &options, score, NULL);
    return m->kind == CLOSENESS ? fr_closeness(s->ctx, s->graph, m->reached, backend, score)
                                : fr_harmonic(s->ctx, s->graph, backend, score);
}

static double difference(const double *a, const double *b, int32_t n) {
    double maximum = 0;
    for (int32_t v = 0; v < n; v++) {
        double by = fabs(a[v] - b[v]) / fmax(fabs(a[v]), 1e-300);
        maximum = a[v] == b[v] || by <= maximum ? maximum : isfinite(by) ? by : INFINITY;
    }
    return maximum;
}

/* Computes twice on the GPU, under another schedule, and expects the same bits. */
static void compare(const subject *s, const measure *m, double allowed) {
    double *cpu = result_new(s, sizeof(double)), *gpu[2];
    CHECK(!call(s, m, FR_BACKEND_CPU, cpu), "%s: %s", s->name, fr_ctx_error(s->ctx));
    for (int i = 0; i < 2; i++) {
        gpu[i] = result_new(s, sizeof(double));
        simt_seed(11 + (uint64_t)i);
        if (i && s->n > AGAIN)
            memcpy(gpu[1], gpu[0], (size_t)s->n * sizeof(double));
        else
            CHECK(!call(s, m, FR_BACKEND_CUDA, gpu[i]), "%s: %s: %s", s->name, m->name,
                  fr_ctx_error(s->ctx));
    }
    CHECK(!memcmp(gpu[0], gpu[1], (size_t)s->n * sizeof(double)), "%s: %s differs between runs",
          s->name, m->name);
    const double by = difference(cpu, gpu[0], s->n);
    CHECK(by <= allowed, "%s: %s differs by %g", s->name, m->name, by);
    free(cpu);
    free(gpu[0]);
    free(gpu[1]);
}

/* Parts in one pass, and each measure of all vertices: the same bits. */
static void compare_parts(const subject *s, fr_backend backend) {
    const int32_t cut = s->n / 3;
    double *whole[2], *pieces[2];
    for (int i = 0; i < 2; i++) {
        whole[i] = result_new(s, sizeof(double));
        pieces[i] = result_new(s, sizeof(double));
        CHECK(!call(s, i ? &harmonic : &closeness, backend, whole[i]), "%s: %s", s->name,
              fr_ctx_error(s->ctx));
    }
    for (int i = 0; i < 2; i++) {
        fr_distance_centrality_options o = FR_INIT(fr_distance_centrality_options);
        o.backend = backend;
        o.first = i ? cut : 0;
        o.count = i ? 0 : cut;
        if (i || cut)
            CHECK(!fr_distance_centrality(s->ctx, s->graph, &o, pieces[0] + o.first,
                                          pieces[1] + o.first),
                  "%s: %s", s->name, fr_ctx_error(s->ctx));
    }
    for (int i = 0; i < 2; i++) {
        CHECK(!memcmp(whole[i], pieces[i], (size_t)s->n * sizeof(double)),
              "%s: parts differ from one call", s->name);
        free(whole[i]);
        free(pieces[i]);
    }
}

/* Without weights the sums are of integers, or in an order of their own. */
static void compare_closeness(const subject *s, bool weights) {
    compare(s, &closeness, weights ? tolerance : 0);
    compare(s, &reached, weights ? tolerance : 0);
    compare(s, &harmonic, weights ? tolerance : 0);
    if (s->n <= AGAIN)
        compare_parts(s, FR_BACKEND_CUDA);
}

static void compare_all(const subject *s) {
    compare_components(s, FR_COMPONENTS_WEAK);
    compare_components(s, FR_COMPONENTS_STRONG);
    compare(s, is_within(s, EXACT) ? &exact : s->n <= AGAIN ? &sampled : &eight, tolerance);
    if (is_within(s, CENTRAL))
        compare_eccentricities(s);
    if (is_within(s, CLOSE))
        compare_closeness(s, false);
}

static void compare_weighted(const subject *s) {
    compare(s, is_within(s, EXACT) ? &exact : &eight, tolerance);
    if (is_within(s, EXACT))
        compare_closeness(s, true);
}

/* ---- graphs ---- */

static void shape(fr_ctx *ctx, const cf_shape *shape, int nth) {
    cf_graph *g = cf_graph_new(ctx, shape, CF_NONE),
             *weighted = shape->large ? NULL : cf_graph_new(ctx, shape, nth % 2 ? CF_F64 : CF_I32);
    if (!g || (!weighted && !shape->large))
        cf_give_up(ctx, shape->name);
    compare_all(&(subject){ctx, g->graph, shape->name, g->n});
    if (weighted)
        compare_weighted(&(subject){ctx, weighted->graph, shape->name, g->n});
    cf_graph_free(weighted);
    cf_graph_free(g);
}

static cf_graph *random_graph(fr_ctx *ctx, int32_t n, cf_weights weights, int low, int high,
                              int i) {
    const cf_random_kind kind = {
        .weights = weights, .low = low, .high = high, .directed = i / 4 % 2};
    uint64_t state = (uint64_t)i + 1;
    cf_graph *g = cf_random_graph(ctx, n, 3 * n, &kind, &state);
    if (!g)
        cf_give_up(ctx, "a random graph");
    return g;
}

/* Without weights; with few distinct ones, which have many shortest paths; and with integers, whose eccentricities are
 * found by SSSP. A GPU gets graphs of which it takes the symmetric ones (LARGE of cpu/centrality/eccentricity.c). */
static void random_graphs(fr_ctx *ctx) {
    static const cf_weights few[] = {CF_I32, CF_I64, CF_F32, CF_F64},
                            whole[] = {CF_I32, CF_ZERO, CF_HUGE, CF_I64};
    for (int i = 0; i < 8; i++) {
        const int32_t n = i % 4 == 0 && !is_small() ? 9000 : 3 * VERTICES;
        cf_graph *plain = random_graph(ctx, VERTICES, CF_NONE, 1, 1, i),
                 *ties = random_graph(ctx, VERTICES, few[i % 4], 1, 3, i),
                 *integers = random_graph(ctx, n, whole[i % 4], 0, 9, i);
        compare_all(&(subject){ctx, plain->graph, "random", VERTICES});
        compare_weighted(&(subject){ctx, ties->graph, "random with weights", VERTICES});
        compare_eccentricities(&(subject){ctx, integers->graph, "random with integers", n});
        cf_graph_free(plain);
        cf_graph_free(ties);
        cf_graph_free(integers);
    }
}

/* Sums of tenths are rounded, so that ties depend on the order of additions; a float's are tenths of a
 * float in double. */
static void rounded_sums(fr_ctx *ctx) {
    enum { EDGES = 3 * VERTICES };
    for (int seed = 0; seed < (ON_HOST ? 6 : 100); seed++) {
        uint64_t state = (uint64_t)seed + 1;
        edge edges[EDGES];
        for (int i = 0; i < EDGES; i++)
            edges[i] = (edge){cf_between(&state, 0, VERTICES - 1),
                              cf_between(&state, 0, VERTICES - 1), cf_between(&state, 1, 4) * 0.1};
        fr_graph *graph =
            graph_of_edges(ctx, VERTICES, EDGES, edges, seed % 2 ? FR_TYPE_F32 : FR_TYPE_F64,
                           FR_DIRECTION_DIRECTED);
        const subject s = subject_of(ctx, graph, seed % 2 ? "tenths, float32" : "tenths, float64");
        compare_weighted(&s);
        fr_graph_free(graph);
    }
}

/* 1e17 + 1 is 1e17; and sums that no double holds are refused, as are eccentricities of floats on the GPU. */
static void extreme_weights(fr_ctx *ctx) {
    const edge stuck[] = {{3, 2, 1e17}, {2, 0, 1}, {0, 1, 1}},
               beyond[] = {{3, 2, 1}, {2, 0, 1.7e308}, {0, 1, 1.7e308}};
    double score[4], ends[2];
    fr_graph *one = graph_of_edges(ctx, 4, 3, stuck, FR_TYPE_F64, FR_DIRECTION_DIRECTED),
             *other = graph_of_edges(ctx, 4, 3, beyond, FR_TYPE_F64, FR_DIRECTION_DIRECTED);
    const subject s = subject_of(ctx, one, "stuck"), t = subject_of(ctx, other, "beyond double");
    for (fr_backend b = FR_BACKEND_CPU; b <= FR_BACKEND_CUDA; b++) {
        CHECK_REFUSED(ctx, call(&s, &exact, b, score), FR_UNSUPPORTED, "unchanged");
        CHECK_REFUSED(ctx, call(&t, &exact, b, score), FR_OVERFLOW, "may exceed");
        CHECK_REFUSED(ctx, call(&t, &closeness, b, score), FR_OVERFLOW, "may exceed");
        CHECK_REFUSED(ctx, call(&t, &harmonic, b, score), FR_OVERFLOW, "may exceed");
    }
    compare(&s, &closeness, tolerance);
    CHECK_REFUSED(ctx, fr_eccentricity(ctx, one, FR_BACKEND_CUDA, score, ends, ends + 1, NULL),
                  FR_UNSUPPORTED, "float weights");
    CHECK_OK(ctx, fr_eccentricity(ctx, one, FR_BACKEND_ANY, score, ends, ends + 1, NULL));
    fr_graph_free(one);
    fr_graph_free(other);
}

/* Vertices that ascend, descend, or are mixed. */
static int32_t place_of(int32_t v, int32_t n, int order) {
    return order == 0 ? v : order == 1 ? n - 1 - v : (int32_t)((int64_t)v * 7919 % n);
}

/* Rings of one to five vertices, each with two edges to the next one: as many strong components as rings. */
static void rings(fr_ctx *ctx) {
    const int count = is_small() ? 60 : 3000;
    const int32_t n = 3 * count; /* the mean ring has three */
    for (int order = 0; order < 3; order++) {
        cf_edges edges = {.n = n};
        for (int32_t i = 0, at = 0, previous = -1; i < count; i++) {
            const int32_t begin = at, end = at + i % 5 + 1;
            for (; at < end; at++) {
                const int32_t u = place_of(at, n, order),
                              v = place_of(at + 1 < end ? at + 1 : begin, n, order);
                cf_edge(&edges, u, v);
                if (at == begin && previous >= 0) {
                    cf_edge(&edges, previous, u);
                    cf_edge(&edges, previous, v);
                }
            }
            previous = place_of(end - 1, n, order);
        }
        cf_graph *g = cf_graph_from(ctx, "rings", &edges, true, CF_NONE, 0);
        if (!g)
            cf_give_up(ctx, "rings");
        const subject s = {ctx, g->graph, "rings", n};
        compare_components(&s, FR_COMPONENTS_STRONG);
        if (n <= CENTRAL)
            compare_eccentricities(&s);
        cf_graph_free(g);
    }
}

/* Bounds spare little here: most vertices are traversed many at a time. */
static void dense(fr_ctx *ctx) {
    const char *text =
        is_small() ? "uniform:n=250,edges=1500,seed=1" : "uniform:n=20000,edges=200000,seed=1";
    for (int i = 0; i < 2; i++) {
        fr_graph *graph = graph_generate(
            ctx, text,
            (fr_load_options){.direction = i ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED});
        const subject s = subject_of(ctx, graph, "dense");
        compare_eccentricities(&s);
        fr_graph_free(graph);
    }
}

/* ---- memory ---- */

static fr_graph *graph_for_memory(fr_ctx *ctx, bool weights) {
    return weights ? graph_weighted(ctx, "uniform:n=70,edges=140,seed=5", 0.5, 3)
                   : graph_weighted(ctx, "grid2d:rows=8,cols=8", 0, 0);
}

static void within(size_t limit, const measure *m, bool weights, const double *want, bool *refused,
                   bool *done) {
    fr_ctx *ctx = context_new((fr_ctx_options){.threads = 1, .max_gpu_bytes = limit});
    fr_graph *graph = graph_for_memory(ctx, weights);
    const subject s = subject_of(ctx, graph, "little memory");
    double score[70], ends[2];
    fr_status status = call(&s, m, FR_BACKEND_CUDA, score);
    CHECK(!status || (status == FR_NOMEM && !*done), "%zu bytes: %s", limit, fr_ctx_error(ctx));
    CHECK(status || difference(want, score, s.n) <= (weights ? 0 : tolerance), "%zu bytes: %s",
          limit, m->name);
    *refused |= status == FR_NOMEM;
    *done |= !status;
    if (!weights) {
        status = fr_eccentricity(ctx, graph, FR_BACKEND_CUDA, NULL, ends, ends + 1, NULL);
        CHECK(status == FR_NOMEM || (!status && ends[0] == 14 && ends[1] == 8), "%zu bytes: %s",
              limit, fr_ctx_error(ctx));
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* Limits that leave room for no source, then for fewer sources at once; the size of the batches does not change scores
 * by weights. */
static void little_memory(fr_ctx *unlimited) {
    static const measure *const measures[] = {&exact, &exact, &closeness, &harmonic};
    for (int i = 0; i < COUNT(measures); i++) {
        const bool weights = i > 0;
        fr_graph *graph = graph_for_memory(unlimited, weights);
        const subject s = subject_of(unlimited, graph, "all memory");
        double want[70];
        bool refused = false, done = false;
        CHECK_OK(unlimited,
                 call(&s, measures[i], weights ? FR_BACKEND_CUDA : FR_BACKEND_CPU, want));
        for (size_t limit = 1 << 12; limit < (size_t)1 << 18; limit += limit / 2)
            within(limit, measures[i], weights, want, &refused, &done);
        CHECK(refused && done, "%s: refused %d, done %d", measures[i]->name, refused, done);
        fr_graph_free(graph);
    }
}

/* How many words of sources a batch has, by the memory, does not change the bits of scores. */
static void batches(fr_ctx *unlimited) {
    static const char *const graphs[] = {"grid2d:rows=9,cols=9", "kronecker:scale=7,seed=1"};
    fr_ctx *limited = context_new((fr_ctx_options){.threads = 1, .max_gpu_bytes = (size_t)1 << 19});
    for (int i = 0; i < COUNT(graphs); i++) {
        double score[2][128];
        for (int k = 0; k < 2; k++) {
            fr_ctx *ctx = k ? limited : unlimited;
            fr_graph *graph = graph_generate(
                ctx, graphs[i], (fr_load_options){.direction = FR_DIRECTION_UNDIRECTED});
            const subject s = subject_of(ctx, graph, graphs[i]);
            CHECK_OK(ctx, call(&s, &exact, FR_BACKEND_CUDA, score[k]));
            CHECK(k == 0 || !memcmp(score[0], score[1], (size_t)s.n * sizeof(double)), "%s",
                  graphs[i]);
            fr_graph_free(graph);
        }
    }
    fr_ctx_free(limited);
}

/* Words of bits, two batches and one, and a block per source; some without edges, or nearer to hubs. */
static void words(fr_ctx *ctx) {
    static const char *const graphs[] = {"kronecker:scale=7,seed=1",
                                         "kronecker:scale=10,edge_factor=12,seed=1",
                                         "rmat:scale=8,edges=4000,seed=3",
                                         "rmat:scale=1,edges=40,seed=1",
                                         "star:n=301",
                                         "uniform:n=1100,edges=900,seed=1"};
    for (int i = 0; i < COUNT(graphs); i++) {
        fr_graph *graph = graph_generate(ctx, graphs[i], (fr_load_options){0});
        const subject s = subject_of(ctx, graph, graphs[i]);
        compare(&s, &reached, 0);
        fr_graph_free(graph);
    }
}

/* The second call uploads nothing, and solvers use the copy, too. */
static void shared_copy(fr_ctx *ctx) {
    fr_graph *graph = graph_generate(ctx, "kronecker:scale=8,seed=1", (fr_load_options){0});
    const subject s = subject_of(ctx, graph, "shared copy");
    int32_t *label = result_new(&s, sizeof *label), count;
    double *score = result_new(&s, sizeof *score);
    simt_uploaded_bytes();
    CHECK_OK(ctx,
             fr_components(ctx, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CUDA, label, NULL, &count));
    const size_t all = simt_uploaded_bytes();
    CHECK(!ON_HOST || all >= 4 * (size_t)fr_graph_edge_count(graph), "%zu bytes", all);
    CHECK_OK(ctx, call(&s, &sampled, FR_BACKEND_CUDA, score));
    const size_t more = simt_uploaded_bytes();
    CHECK(!ON_HOST || more <= 8 * SAMPLES, "the second call uploads %zu bytes", more);
    fr_solver *solver = solver_new(ctx, graph, FR_PROBLEM_BFS, (fr_solver_options){0});
    const size_t last = simt_uploaded_bytes();
    CHECK(!ON_HOST || last < all / 4, "a solver uploads %zu bytes", last);
    fr_solver_free(solver);
    free(label);
    free(score);
    fr_graph_free(graph);
}

/* ---- numbers of paths, refusals, cancellation ---- */

/* 256 edges to each next vertex: 256^128 paths are more than a double holds. */
static void many_paths(fr_ctx *ctx) {
    enum { EDGES = 256, MAX_N = 200 };
    static edge edges[EDGES * MAX_N];
    for (int i = 0; i < EDGES * MAX_N; i++)
        edges[i] = (edge){i / EDGES, i / EDGES + 1, 5};
    for (int i = 0; i < 4; i++) {
        const int32_t n = i % 2 ? MAX_N : 125;
        fr_graph *graph = graph_of_edges(ctx, n, EDGES * (n - 1), edges,
                                         i / 2 ? FR_TYPE_I32 : FR_TYPE_NONE, FR_DIRECTION_DIRECTED);
        const subject s = subject_of(ctx, graph, "many paths");
        const fr_status want = n == MAX_N ? FR_OVERFLOW : FR_OK;
        double score[2][MAX_N];
        const fr_status cpu = call(&s, &eight, FR_BACKEND_CPU, score[0]),
                        gpu = call(&s, &eight, FR_BACKEND_CUDA, score[1]);
        CHECK(cpu == want && gpu == want, "CPU %d, GPU %d: %s", cpu, gpu, fr_ctx_error(ctx));
        CHECK(want || difference(score[0], score[1], n) <= tolerance, "many paths");
        fr_graph_free(graph);
    }
}

/* FR_BACKEND_ANY chooses by predicted times. */
static void choices(fr_ctx *ctx) {
    static const struct {
        fr_backend backend;
        double cpu_ns;
        const char *refused;
        bool gpu;
    } cases[] = {{FR_BACKEND_ANY, 1e15, NULL, true},
                 {FR_BACKEND_ANY, 1, NULL, false},
                 {FR_BACKEND_ANY, 1e15, "no", false},
                 {FR_BACKEND_CUDA, 1, NULL, true},
                 {FR_BACKEND_CPU, 1e15, NULL, false}};
    fr_graph *graph = graph_generate(ctx, "grid2d:rows=8,cols=8", (fr_load_options){0});
    const subject s = subject_of(ctx, graph, "choices");
    double score[64];
    for (int i = 0; i < COUNT(cases); i++) {
        const fri_call_work work = {.refused = cases[i].refused, .cpu_ns = cases[i].cpu_ns};
        bool gpu = !cases[i].gpu;
        CHECK_OK(ctx, fri_call_backend(ctx, graph, cases[i].backend, &work, &gpu));
        CHECK(gpu == cases[i].gpu, "case %d takes the %s", i, gpu ? "GPU" : "CPU");
    }
    CHECK(fri_call_falls_back(ctx, FR_BACKEND_ANY, FR_NOMEM), "too little memory");
    CHECK(!fri_call_falls_back(ctx, FR_BACKEND_ANY, FR_CANCELLED), "cancelled");
    CHECK(!fri_call_falls_back(ctx, FR_BACKEND_CUDA, FR_NOMEM), "the GPU was asked for");
    CHECK_REFUSED(ctx, call(&s, &exact, (fr_backend)7, score), FR_INVALID, "backend");
    fr_graph_free(graph);
}

static int stop_at_once(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)phase, (void)done, (void)total;
    return 1;
}

static void cancellation(fr_ctx *loader) {
    fr_ctx *ctx = context_new((fr_ctx_options){.threads = 1, .progress = stop_at_once});
    cf_graph *g[] = {cf_graph_new(loader, cf_shape_named("grid"), CF_NONE),
                     cf_graph_new(loader, cf_shape_named("kronecker-directed"), CF_NONE),
                     cf_graph_new(loader, cf_shape_named("star"), CF_I32)};
    static const measure *const measures[] = {&exact, &harmonic, &closeness};
    for (int i = 0; i < COUNT(g); i++) {
        if (!g[i])
            cf_give_up(loader, "a graph");
        const subject s = {ctx, g[i]->graph, "cancellation", g[i]->n};
        double *score = result_new(&s, sizeof *score);
        int32_t *label = result_new(&s, sizeof *label), count;
        for (int k = 0; k < COUNT(measures); k++)
            CHECK(call(&s, measures[k], FR_BACKEND_CUDA, score) == FR_CANCELLED, "%s of graph %d",
                  measures[k]->name, i);
        CHECK(fr_eccentricity(ctx, s.graph, FR_BACKEND_CUDA, score, NULL, NULL, NULL) ==
                  FR_CANCELLED,
              "eccentricity");
        for (int kind = FR_COMPONENTS_WEAK; kind <= FR_COMPONENTS_STRONG; kind++)
            CHECK(fr_components(ctx, s.graph, (fr_component_kind)kind, FR_BACKEND_CUDA, label, NULL,
                                &count) == FR_CANCELLED,
                  "components of graph %d", i);
        free(score);
        free(label);
        cf_graph_free(g[i]);
    }
    fr_ctx_free(ctx);
}

static const part parts[] = {{"shared-copy", shared_copy},
                             {"many-paths", many_paths},
                             {"choices", choices},
                             {"random", random_graphs},
                             {"rounded-sums", rounded_sums},
                             {"extreme-weights", extreme_weights},
                             {"rings", rings},
                             {"dense", dense},
                             {"little-memory", little_memory},
                             {"batches", batches},
                             {"words", words},
                             {"cancellation", cancellation},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "components and centrality on the GPU",
                       .problem = FR_PROBLEM_BFS,
                       .shape = shape,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
