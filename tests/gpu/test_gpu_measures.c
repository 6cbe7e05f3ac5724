/* Compares components and centrality on the GPU with the CPU: every graph of the conformance suite,
 * random graphs, weights of every type, little memory, shared copies, refused calls. Runs on the host (FRI_SIMT), under
 * several schedules, and on a GPU. Arguments: "measures NAME..." for those graphs and parts
 * alone. */
#include "core/call_backend.h"
#include "gpu/compare_measures.h"

#include <stdlib.h>
#include <string.h>

static void shapes(fr_ctx *ctx, int argc, char **argv) {
    for (const cf_shape *shape = cf_shapes; shape->name; shape++) {
        if ((ON_HOST && shape->large) || !cf_shape_chosen(shape->name, argc, argv))
            continue;
        cf_graph *g = cf_graph_new(ctx, shape, CF_NONE);
        if (!g)
            cf_give_up(ctx, shape->name);
        compare_all(&(subject){ctx, g->graph, shape->name, g->n});
        cf_graph_free(g);
        cf_report_time("measures", shape->name);
    }
}

static void compare_weighted(const subject *s) {
    const bool all = s->n <= (cf_reduced() ? FEW : EXACT);
    compare(s, all ? "betweenness" : "sampled betweenness", all ? exact : eight, tolerance);
    if (!all)
        return;
    compare(s, "closeness", closeness, tolerance);
    compare(s, "closeness of the reached part", reached, tolerance);
    compare(s, "harmonic centrality", harmonic, tolerance);
}

static void weighted_shapes(fr_ctx *ctx, int argc, char **argv) {
    for (const cf_shape *shape = cf_shapes; shape->name; shape++) {
        if (shape->large || !cf_shape_chosen(shape->name, argc, argv))
            continue;
        if (host_is_brief() && argc < 2 && (shape - cf_shapes) % 4 > 1)
            continue;
        cf_graph *g = cf_graph_new(ctx, shape, (shape - cf_shapes) % 2 ? CF_F64 : CF_I32);
        if (!g)
            cf_give_up(ctx, shape->name);
        compare_weighted(&(subject){ctx, g->graph, shape->name, g->n});
        cf_graph_free(g);
        cf_report_time("measures, weighted", shape->name);
    }
}

static fr_graph *random_graph(fr_ctx *ctx, uint64_t seed, const char *text) {
    fr_graph *graph;
    fr_load_options options = {.struct_size = sizeof options,
                               .direction =
                                   seed % 2 ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED};
    if (fr_graph_generate(ctx, text, &options, &graph))
        cf_give_up(ctx, text);
    return graph;
}

static void random_graphs(fr_ctx *ctx) {
    const uint64_t count = cf_reduced() ? 10 : host_is_brief() ? 8 : RANDOM_GRAPHS;
    for (uint64_t seed = 0; seed < count; seed++) {
        uint64_t state = seed + 1;
        int32_t n = cf_between(&state, 1, MAX_VERTICES);
        int m = cf_between(&state, 0, 3 * n), ends[2 * 3 * MAX_VERTICES];
        char name[40];
        for (int i = 0; i < 2 * m; i++)
            ends[i] = cf_between(&state, 0, n - 1);
        cf_edges edges = {.n = n};
        for (int i = 0; i < m; i++)
            cf_edge(&edges, ends[2 * i], ends[2 * i + 1]);
        snprintf(name, sizeof name, "random %d", (int)seed);
        cf_graph *g = cf_graph_from(ctx, name, &edges, seed % 2, CF_NONE, seed);
        if (!g)
            cf_give_up(ctx, name);
        compare_all(&(subject){ctx, g->graph, name, g->n});
        cf_graph_free(g);
    }
}

static void check_message(const fr_ctx *ctx, fr_status status, fr_status want, const char *part) {
    CHECK(status == want && strstr(fr_ctx_error(ctx), part), "%d, not %d: %s", status, want,
          fr_ctx_error(ctx));
}

static bool is_small(void) { return ON_HOST || cf_reduced(); }

/* Integer weights: eccentricities by SSSP. A GPU also gets graphs of which it takes the symmetric ones
 * (LARGE of cpu/centrality/eccentricity.c). */
static void weighted(fr_ctx *ctx) {
    static const cf_weights kinds[] = {CF_I32, CF_ZERO, CF_HUGE, CF_I64};
    const uint64_t count = cf_reduced() || host_is_brief() ? 8 : ON_HOST ? 16 : 200;
    for (uint64_t seed = 0; seed < count; seed++) {
        const cf_random_kind kind = {
            .weights = kinds[seed % 4], .low = 0, .high = 9, .directed = seed / 4 % 2};
        uint64_t state = seed + 1;
        int32_t n = seed < 8 && seed % 4 == 0 && !is_small()
                        ? 9000
                        : cf_between(&state, 1, 3 * MAX_VERTICES);
        cf_graph *g = cf_random_graph(ctx, n, cf_between(&state, 0, 4 * n), &kind, &state);
        if (!g)
            cf_give_up(ctx, "weighted");
        compare_eccentricities(&(subject){ctx, g->graph, "weighted", g->n});
        cf_graph_free(g);
    }
}

/* Few distinct weights: many shortest paths. Loops, parallel edges, unreached vertices. */
static void weighted_sums(fr_ctx *ctx) {
    static const cf_weights kinds[] = {CF_I32, CF_I64, CF_F32, CF_F64, CF_HUGE};
    const uint64_t count = cf_reduced() || host_is_brief() ? 10 : ON_HOST ? 20 : 500;
    for (uint64_t seed = 0; seed < count; seed++) {
        const cf_random_kind kind = {
            .weights = kinds[seed % 5], .low = 1, .high = 3, .directed = seed / 5 % 2};
        uint64_t state = seed + 1;
        const int32_t n = cf_between(&state, 1, MAX_VERTICES);
        cf_graph *g = cf_random_graph(ctx, n, cf_between(&state, 0, 5 * n), &kind, &state);
        if (!g)
            cf_give_up(ctx, "weighted sums");
        compare_weighted(&(subject){ctx, g->graph, cf_weights_name[kinds[seed % 5]], g->n});
        cf_graph_free(g);
    }
}

/* A directed graph without parallel edges, of weights in the type; takes nothing. */
static fr_graph *from_edges(fr_ctx *ctx, int32_t n, int m, const int32_t *from, const int32_t *to,
                            const void *weight, fr_type type) {
    fr_graph *graph;
    if (fr_graph_from_edges(ctx, n, m, from, to, weight, type, NULL, &graph))
        cf_give_up(ctx, "edges");
    return graph;
}

/* Sums of tenths are rounded, so that ties depend on the order of additions; a float's are tenths of a
 * float in double. */
static void rounded_sums(fr_ctx *ctx) {
    const int count = ON_HOST ? 6 : 100;
    for (int seed = 0; seed < count; seed++) {
        uint64_t state = (uint64_t)seed + 1;
        int32_t from[3 * MAX_VERTICES], to[3 * MAX_VERTICES];
        double wide[3 * MAX_VERTICES];
        float narrow[3 * MAX_VERTICES];
        for (int i = 0; i < 3 * MAX_VERTICES; i++) {
            from[i] = cf_between(&state, 0, MAX_VERTICES - 1);
            to[i] = cf_between(&state, 0, MAX_VERTICES - 1);
            wide[i] = cf_between(&state, 1, 4) * 0.1;
            narrow[i] = (float)wide[i];
        }
        fr_graph *graph =
            from_edges(ctx, MAX_VERTICES, 3 * MAX_VERTICES, from, to,
                       seed % 2 ? (void *)narrow : wide, seed % 2 ? FR_TYPE_F32 : FR_TYPE_F64);
        compare_weighted(
            &(subject){ctx, graph, seed % 2 ? "tenths, float32" : "tenths, float64", MAX_VERTICES});
        fr_graph_free(graph);
    }
}

/* Closeness accepts weights of 0, betweenness refuses them, on the GPU as on the CPU. */
static void zero_weights(fr_ctx *ctx) {
    for (uint64_t seed = 0; seed < (ON_HOST ? 4 : 100); seed++) {
        const cf_random_kind kind = {.weights = CF_ZERO, .low = 0, .high = 2, .directed = seed % 2};
        uint64_t state = seed + 1;
        cf_graph *g = cf_random_graph(ctx, MAX_VERTICES, 3 * MAX_VERTICES, &kind, &state);
        if (!g)
            cf_give_up(ctx, "zero weights");
        const subject s = {ctx, g->graph, "zero weights", g->n};
        double score[MAX_VERTICES];
        compare(&s, "closeness", closeness, tolerance);
        compare(&s, "harmonic centrality", harmonic, tolerance);
        check_message(ctx, exact(&s, FR_BACKEND_CPU, score), FR_UNSUPPORTED, "positive weights");
        check_message(ctx, exact(&s, FR_BACKEND_CUDA, score), FR_UNSUPPORTED, "positive weights");
        cf_graph_free(g);
    }
}

/* 1e17 + 1 is 1e17; and sums that no double holds are refused. */
static void extreme_weights(fr_ctx *ctx) {
    static const int32_t from[] = {3, 2, 0}, to[] = {2, 0, 1};
    const double stuck[] = {1e17, 1, 1}, beyond[] = {1, 1.7e308, 1.7e308};
    double score[4];
    fr_graph *graph = from_edges(ctx, 4, 3, from, to, stuck, FR_TYPE_F64);
    subject s = {ctx, graph, "stuck", 4};
    check_message(ctx, exact(&s, FR_BACKEND_CPU, score), FR_UNSUPPORTED, "unchanged");
    check_message(ctx, exact(&s, FR_BACKEND_CUDA, score), FR_UNSUPPORTED, "unchanged");
    compare(&s, "closeness", closeness, tolerance);
    fr_graph_free(graph);
    s.graph = graph = from_edges(ctx, 4, 3, from, to, beyond, FR_TYPE_F64);
    s.name = "beyond double";
    for (int i = 0; i < 2; i++) {
        const fr_backend backend = i ? FR_BACKEND_CUDA : FR_BACKEND_CPU;
        check_message(ctx, exact(&s, backend, score), FR_OVERFLOW, "may exceed");
        check_message(ctx, closeness(&s, backend, score), FR_OVERFLOW, "may exceed");
        check_message(ctx, harmonic(&s, backend, score), FR_OVERFLOW, "may exceed");
    }
    fr_graph_free(graph);
}

/* Rings of one to five vertices, each with two edges to the next one: as many strong components as
 * rings. `order`: their vertices ascend, descend, or are mixed. */
static void rings(fr_ctx *ctx, int order) {
    const int count = is_small() ? 60 : 3000;
    const int32_t n = 3 * count; /* the mean ring has three */
    cf_edges edges = {.n = n};
    int32_t at = 0, previous = -1;
    for (int i = 0; i < count; i++) {
        const int32_t length = i % 5 + 1, begin = at;
        for (int32_t k = 0; k < length; k++, at++) {
            int32_t u = at, v = k + 1 < length ? at + 1 : begin;
            if (order)
                u = order == 1 ? n - 1 - u : (int32_t)((int64_t)u * 7919 % n);
            if (order)
                v = order == 1 ? n - 1 - v : (int32_t)((int64_t)v * 7919 % n);
            cf_edge(&edges, u, v);
            if (k == 0 && previous >= 0) {
                cf_edge(&edges, previous, u);
                cf_edge(&edges, previous, v);
            }
            if (k + 1 == length)
                previous = u;
        }
    }
    cf_graph *g = cf_graph_from(ctx, "rings", &edges, true, CF_NONE, 0);
    if (!g)
        cf_give_up(ctx, "rings");
    const subject s = {ctx, g->graph, "rings", g->n};
    compare_components(&s, FR_COMPONENTS_STRONG);
    if (n <= CENTRAL)
        compare_eccentricities(&s);
    cf_graph_free(g);
}
static void rings_up(fr_ctx *ctx) { rings(ctx, 0); }
static void rings_down(fr_ctx *ctx) { rings(ctx, 1); }
static void rings_mixed(fr_ctx *ctx) { rings(ctx, 2); }

/* Bounds spare little here: most vertices are traversed many at a time. */
static void dense(fr_ctx *ctx) {
    for (uint64_t seed = 0; seed < 2; seed++) {
        fr_graph *graph = random_graph(ctx, seed,
                                       is_small() ? "uniform:n=250,edges=1500,seed=1"
                                                  : "uniform:n=20000,edges=200000,seed=1");
        const subject s = {ctx, graph, "dense", fr_graph_vertex_count(graph)};
        compare_eccentricities(&s);
        fr_graph_free(graph);
    }
}

/* Limits that leave room for fewer sources at once, then for none. */
static void little_memory(fr_ctx *unlimited) {
    const size_t before = simt_live_bytes();
    bool refused = false, done = false, fitted = false;
    for (size_t limit = 1 << 12; limit < (size_t)1 << 18; limit += limit / 2) {
        fr_ctx_options options = {
            .struct_size = sizeof options, .threads = 1, .max_gpu_bytes = limit};
        fr_ctx *ctx;
        double score[64], want[64], ends[2];
        if (fr_ctx_new(&options, &ctx))
            cf_give_up(NULL, "a context");
        fr_graph *graph = random_graph(ctx, 0, "grid2d:rows=8,cols=8");
        const subject s = {ctx, graph, "little memory", 64};
        CHECK(!exact(&s, FR_BACKEND_CPU, want), "%s", fr_ctx_error(ctx));
        fr_status status = exact(&s, FR_BACKEND_CUDA, score);
        CHECK(!status || (status == FR_NOMEM && !done), "%zu bytes: %s", limit, fr_ctx_error(ctx));
        refused |= status == FR_NOMEM;
        done |= !status;
        if (!status)
            CHECK(difference(want, score, 64) <= tolerance, "%zu bytes", limit);
        if (!fitted) {
            status = fr_eccentricity(ctx, graph, FR_BACKEND_CUDA, NULL, ends, ends + 1, NULL);
            CHECK(status == FR_NOMEM || (!status && ends[0] == 14 && ends[1] == 8), "%zu bytes: %s",
                  limit, fr_ctx_error(ctx));
            fitted = !status;
        }
        fr_graph_free(graph);
        fr_ctx_free(ctx);
        CHECK(simt_live_bytes() == before, "%zu bytes are left", simt_live_bytes() - before);
    }
    (void)unlimited;
    CHECK(refused && done && fitted, "refused %d, done %d, fitted %d", refused, done, fitted);
}

/* The size of the batches does not change a bit of the scores. */
static void little_weighted_memory(fr_ctx *unlimited) {
    const cf_random_kind kind = {.weights = CF_F64, .low = 1, .high = 3};
    bool refused = false, done = false;
    double want[3][70], score[70];
    static const measure_fn measures[] = {exact, closeness, harmonic};
    for (size_t limit = 1 << 20; limit > 1 << 13; limit /= 2) {
        fr_ctx_options options = {
            .struct_size = sizeof options, .threads = 1, .max_gpu_bytes = limit};
        uint64_t state = 5;
        fr_ctx *ctx;
        if (fr_ctx_new(&options, &ctx))
            cf_give_up(NULL, "a context");
        cf_graph *g = cf_random_graph(ctx, 70, 140, &kind, &state);
        const subject s = {ctx, g->graph, "little memory", 70};
        for (int i = 0; i < 3; i++) {
            const bool first = limit == 1 << 20;
            fr_status status = measures[i](&s, FR_BACKEND_CUDA, first ? want[i] : score);
            CHECK(!status || (status == FR_NOMEM && done), "%zu bytes: %s", limit,
                  fr_ctx_error(ctx));
            CHECK(status || first || !memcmp(want[i], score, sizeof score), "%zu bytes: measure %d",
                  limit, i);
            refused |= status == FR_NOMEM;
            done |= !status;
        }
        cf_graph_free(g);
        fr_ctx_free(ctx);
    }
    (void)unlimited;
    CHECK(refused && done, "refused %d, done %d", refused, done);
}

/* The second call uploads nothing, and solvers use the copy, too. */
static void shared_copy(fr_ctx *ctx) {
    fr_graph *graph = random_graph(ctx, 0, "kronecker:scale=8,seed=1");
    const subject s = {ctx, graph, "shared copy", fr_graph_vertex_count(graph)};
    int32_t *label = array(&s, sizeof *label), count;
    double *score = array(&s, sizeof *score);
    simt_uploaded_bytes();
    CHECK(!fr_components(ctx, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CUDA, label, NULL, &count),
          "%s", fr_ctx_error(ctx));
    const size_t all = simt_uploaded_bytes();
    CHECK(!ON_HOST || all >= 4 * (size_t)fr_graph_edge_count(graph), "%zu bytes", all);
    CHECK(!sampled(&s, FR_BACKEND_CUDA, score), "%s", fr_ctx_error(ctx));
    const size_t more = simt_uploaded_bytes();
    CHECK(!ON_HOST || more <= 4 * SAMPLES, "the second call uploads %zu bytes", more);
    fr_solver_options options = {.struct_size = sizeof options, .backend = FR_BACKEND_CUDA};
    fr_solver *solver = NULL;
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver), "%s", fr_ctx_error(ctx));
    const size_t last = simt_uploaded_bytes();
    CHECK(!ON_HOST || last < all / 4, "a solver uploads %zu bytes", last);
    fr_solver_free(solver);
    free(label);
    free(score);
    fr_graph_free(graph);
}

/* 256 edges to each next vertex: 256^128 paths are more than a double holds. */
static void many_paths(fr_ctx *ctx, int32_t n, bool weights, fr_status want) {
    const int m = 256 * (n - 1);
    int32_t *from = malloc((size_t)m * sizeof *from), *to = malloc((size_t)m * sizeof *to),
            *weight = malloc((size_t)m * sizeof *weight);
    if (!from || !to || !weight)
        cf_give_up(NULL, "memory");
    for (int i = 0; i < m; i++) {
        from[i] = i / 256;
        to[i] = i / 256 + 1;
        weight[i] = 5;
    }
    fr_graph *graph = from_edges(ctx, n, m, from, to, weights ? weight : NULL,
                                 weights ? FR_TYPE_I32 : FR_TYPE_NONE);
    const subject s = {ctx, graph, "many paths", n};
    double *score[2] = {array(&s, sizeof(double)), array(&s, sizeof(double))};
    fr_status cpu = eight(&s, FR_BACKEND_CPU, score[0]), gpu = eight(&s, FR_BACKEND_CUDA, score[1]);
    CHECK(cpu == want && gpu == want, "CPU %d, GPU %d: %s", cpu, gpu, fr_ctx_error(ctx));
    CHECK(want || difference(score[0], score[1], n) <= tolerance, "many paths");
    fr_graph_free(graph);
    free(score[0]);
    free(score[1]);
    free(from);
    free(to);
    free(weight);
}

static void few_paths(fr_ctx *ctx) {
    many_paths(ctx, 125, false, FR_OK);
    many_paths(ctx, 125, true, FR_OK);
}
static void too_many_paths(fr_ctx *ctx) {
    many_paths(ctx, 200, false, FR_OVERFLOW);
    many_paths(ctx, 200, true, FR_OVERFLOW);
}

static void refusals(fr_ctx *ctx) {
    fr_load_options options = {.struct_size = sizeof options,
                               .direction = FR_DIRECTION_DIRECTED,
                               .weights = FR_WEIGHTS_RANDOM,
                               .weight_low = 1,
                               .weight_high = 9};
    fr_graph *graph;
    if (fr_graph_generate(ctx, "kronecker:scale=6,seed=1", &options, &graph))
        cf_give_up(ctx, "a graph");
    const subject s = {ctx, graph, "refusals", fr_graph_vertex_count(graph)};
    int32_t *label = array(&s, sizeof *label), count;
    double *score = array(&s, sizeof *score);
    check_message(ctx, exact(&s, (fr_backend)7, score), FR_INVALID, "backend");
    CHECK(!exact(&s, FR_BACKEND_ANY, score), "%s", fr_ctx_error(ctx));
    CHECK(!fr_components(ctx, graph, FR_COMPONENTS_STRONG, FR_BACKEND_ANY, label, NULL, &count),
          "%s", fr_ctx_error(ctx));
    /* weights do not matter for components */
    compare_components(&s, FR_COMPONENTS_WEAK);
    compare_components(&s, FR_COMPONENTS_STRONG);
    free(label);
    free(score);
    fr_graph_free(graph);
}

static void float_weights(fr_ctx *ctx) {
    const cf_random_kind kind = {.weights = CF_F32, .low = 1, .high = 9};
    uint64_t state = 1;
    cf_graph *g = cf_random_graph(ctx, MAX_VERTICES, 3 * MAX_VERTICES, &kind, &state);
    double e[MAX_VERTICES], ends[2];
    if (!g)
        cf_give_up(ctx, "float weights");
    check_message(ctx, fr_eccentricity(ctx, g->graph, FR_BACKEND_CUDA, e, ends, ends + 1, NULL),
                  FR_UNSUPPORTED, "float weights");
    CHECK(!fr_eccentricity(ctx, g->graph, FR_BACKEND_ANY, e, ends, ends + 1, NULL), "%s",
          fr_ctx_error(ctx));
    cf_graph_free(g);
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
    fr_graph *graph = random_graph(ctx, 0, "grid2d:rows=8,cols=8");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const fri_call_work work = {.refused = cases[i].refused, .cpu_ns = cases[i].cpu_ns};
        bool gpu = !cases[i].gpu;
        CHECK(!fri_call_backend(ctx, graph, cases[i].backend, &work, &gpu), "%s",
              fr_ctx_error(ctx));
        CHECK(gpu == cases[i].gpu, "case %zu takes the %s", i, gpu ? "GPU" : "CPU");
    }
    CHECK(fri_call_falls_back(ctx, FR_BACKEND_ANY, FR_NOMEM), "too little memory");
    CHECK(!fri_call_falls_back(ctx, FR_BACKEND_ANY, FR_CANCELLED), "cancelled");
    CHECK(!fri_call_falls_back(ctx, FR_BACKEND_CUDA, FR_NOMEM), "the GPU was asked for");
    fr_graph_free(graph);
}

static int stop(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)phase, (void)done, (void)total;
    return 1;
}

static void cancellation(fr_ctx *loader) {
    fr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .progress = stop};
    fr_ctx *ctx;
    int32_t label[64], count;
    double score[64];
    if (fr_ctx_new(&options, &ctx))
        cf_give_up(NULL, "a context");
    fr_graph *graph = random_graph(loader, 0, "grid2d:rows=8,cols=8"),
             *directed = random_graph(loader, 1, "uniform:n=64,edges=200,seed=1");
    const subject s = {ctx, graph, "cancellation", 64};
    CHECK(fr_components(ctx, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CUDA, label, NULL, &count) ==
              FR_CANCELLED,
          "components");
    CHECK(fr_components(ctx, directed, FR_COMPONENTS_STRONG, FR_BACKEND_CUDA, label, NULL,
                        &count) == FR_CANCELLED,
          "strong components");
    CHECK(fr_eccentricity(ctx, graph, FR_BACKEND_CUDA, score, NULL, NULL, NULL) == FR_CANCELLED,
          "eccentricity");
    CHECK(exact(&s, FR_BACKEND_CUDA, score) == FR_CANCELLED, "betweenness");
    CHECK(harmonic(&s, FR_BACKEND_CUDA, score) == FR_CANCELLED, "harmonic centrality");
    cf_graph *weighted = cf_graph_new(loader, cf_shape_named("star"), CF_I32);
    const subject w = {ctx, weighted->graph, "cancellation", weighted->n};
    double *scores = array(&w, sizeof *scores);
    CHECK(exact(&w, FR_BACKEND_CUDA, scores) == FR_CANCELLED, "betweenness with weights");
    CHECK(closeness(&w, FR_BACKEND_CUDA, scores) == FR_CANCELLED, "closeness with weights");
    free(scores);
    cf_graph_free(weighted);
    fr_ctx_free(ctx);
    fr_graph_free(graph);
    fr_graph_free(directed);
}

static const struct {
    const char *name;
    void (*run)(fr_ctx *ctx);
} parts[] = {{"random", random_graphs},
             {"shared-copy", shared_copy},
             {"countable-paths", few_paths},
             {"uncountable-paths", too_many_paths},
             {"refusals", refusals},
             {"choices", choices},
             {"weighted", weighted},
             {"weighted-sums", weighted_sums},
             {"rounded-sums", rounded_sums},
             {"zero-weights", zero_weights},
             {"extreme-weights", extreme_weights},
             {"rings-up", rings_up},
             {"rings-down", rings_down},
             {"rings-mixed", rings_mixed},
             {"dense", dense},
             {"float-weights", float_weights},
             {"little-memory", little_memory},
             {"little-weighted-memory", little_weighted_memory},
             {"cancellation", cancellation}};

int main(int argc, char **argv) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    shapes(ctx, argc, argv);
    weighted_shapes(ctx, argc, argv);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (cf_shape_chosen(parts[i].name, argc, argv)) {
            parts[i].run(ctx);
            cf_report_time("measures", parts[i].name);
        }
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
    return checks_end("components and centrality on the GPU");
}
