/* Every public function with NULL for each of its pointers in turn: a status or a documented value, never a
 * crash. tests/lint/check_api.sh holds the list against the headers. */
#include "fringe_measures.h"
#include "fringe_ranks.h"
#include "fringe_tune.h"
#include "support/support.h"

static void without_an_object(void **state) {
    (void)state;
    int64_t count = 7;
    int64_t levels = 7;
    int kernels = 7;
    /* contexts */
    assert_string_equal(fr_ctx_error(NULL), "");
    assert_int_equal(fr_ctx_threads(NULL), 0);
    assert_int_equal(fr_ctx_peak_bytes(NULL), 0);
    assert_int_equal(fr_ctx_max_bytes(NULL), 0);
    assert_int_equal(fr_ctx_new(NULL, NULL), FR_INVALID);
    /* graphs */
    assert_int_equal(fr_graph_vertex_count(NULL), 0);
    assert_int_equal(fr_graph_edge_count(NULL), 0);
    assert_int_equal(fr_graph_weight_type(NULL), FR_TYPE_NONE);
    assert_false(fr_graph_is_symmetric(NULL));
    assert_false(fr_graph_is_undirected(NULL));
    assert_int_equal(fr_graph_id(NULL, 0), -1);
    assert_int_equal(fr_graph_vertex(NULL, 0), -1);
    assert_null(fr_graph_vertex_name(NULL, 0));
    assert_null(fr_graph_name(NULL));
    assert_null(fr_graph_note(NULL));
    assert_null(fr_graph_warning(NULL));
    assert_int_equal(fr_graph_hash(NULL), 0);
    assert_null(fr_graph_csr(NULL));
    assert_int_equal(fr_graph_edge(NULL, 0, 0, NULL), -1);
    assert_int_equal(fr_graph_edge(NULL, 0, 0, &count), -1);
    assert_int_equal(count, 0);
    /* solvers and routers */
    assert_int_equal(fr_solver_dist_type(NULL), FR_TYPE_NONE);
    assert_int_equal(fr_solver_backend(NULL), FR_BACKEND_ANY);
    assert_int_equal(fr_ctx_call_backend(NULL), FR_BACKEND_ANY);
    assert_null(fr_solver_explain(NULL));
    assert_null(fr_solver_levels(NULL, &levels));
    assert_null(fr_solver_kernels(NULL, &kernels));
    assert_int_equal(levels, 0);
    assert_int_equal(kernels, 0);
    assert_int_equal(fr_router_dist_type(NULL), FR_TYPE_NONE);
    assert_int_equal(fr_router_algorithm(NULL), FR_ROUTE_AUTO);
    assert_int_equal(fr_router_settled(NULL), 0);
}

static void without_a_world(void **state) {
    (void)state;
    int64_t levels = 7;
    fr_part_stats stats = {0};
    assert_int_equal(fr_launched_ranks(NULL), 1);
    assert_int_equal(fr_world_rank(NULL), 0);
    assert_int_equal(fr_world_size(NULL), 0);
    assert_int_equal(fr_world_host_ranks(NULL), 0);
    fr_world_abort(NULL, 1);
    assert_int_equal(fr_part_get_stats(NULL, &stats), FR_INVALID);
    assert_int_equal(fr_part_vertex_of_own(NULL, 0), -1);
    assert_int_equal(fr_part_id(NULL, 0), -1);
    assert_int_equal(fr_part_vertex(NULL, 0), -1);
    assert_null(fr_part_levels(NULL, &levels));
    assert_int_equal(levels, 0);
    assert_int_equal(fr_part_solve(NULL, NULL, NULL), FR_INVALID);
    fr_world_close(NULL);
    fr_part_free(NULL);
    fr_part_solver_free(NULL);
}

static void without_arguments(void **state) {
    (void)state;
    double value = 7;
    int64_t solved = 7;
    const int32_t v = 0;
    int64_t dist;
    /* what frees */
    fr_ctx_free(NULL);
    fr_graph_free(NULL);
    fr_memory_free(NULL);
    fr_solver_free(NULL);
    fr_router_free(NULL);
    /* tables */
    assert_null(fr_format_name(-1));
    assert_null(fr_format_description(-1));
    assert_false(fr_format_writable(-1));
    assert_null(fr_generator_name(-1));
    assert_null(fr_generator_description(-1));
    assert_null(fr_result_format_name(-1));
    assert_string_equal(fr_result_format_choose(NULL, NULL), "tsv");
    assert_false(fr_strategy_get(-1, NULL));
    assert_false(fr_knob_value(NULL, "1", 1, &value));
    assert_true(value == 7);
    /* queries */
    assert_int_equal(fr_solve(NULL, NULL, NULL), FR_INVALID);
    assert_int_equal(fr_solve_each(NULL, NULL, NULL, &solved), FR_INVALID);
    assert_int_equal(solved, 0);
    assert_int_equal(fr_apsp_write(NULL, NULL, NULL, NULL), FR_INVALID);
    assert_int_equal(fr_router_path(NULL, 0, 0, &dist, NULL, NULL), FR_INVALID);
    assert_int_equal(fr_router_distances(NULL, &v, &v, 1, &dist), FR_INVALID);
    assert_int_equal(fr_router_table(NULL, &v, 1, &v, 1, &dist), FR_INVALID);
    assert_int_equal(fr_router_k_paths(NULL, 0, 0, 1, NULL, NULL), FR_INVALID);
}

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        fr_status got = call;                                                                      \
        if (got != FR_INVALID)                                                                     \
            fail_msg("%s: %s, not FR_INVALID", #call, fr_status_name(got));                        \
    } while (0)

/* Calls that end otherwise where there is no GPU. */
static void calls_for_devices(void **state) {
    fr_graph *graph;
    REFUSED(fr_graph_from_device_csr(*state, NULL, &graph));
    REFUSED(fr_graph_from_device_csr(*state, &(fr_device_csr){0}, NULL));
    REFUSED(fr_graph_from_device_csr(NULL, &(fr_device_csr){0}, &graph));
    REFUSED(fr_ctx_set_threads(*state, -1));
    REFUSED(fr_ctx_set_threads(NULL, 1));
    REFUSED(fr_ctx_open_device(NULL));
    REFUSED(fr_device_count(*state, NULL));
    REFUSED(fr_device_count(NULL, NULL));
    REFUSED(fr_device_get(*state, 0, NULL));
    REFUSED(fr_device_get(NULL, 0, &(fr_device_info){0}));
}

/* ---- one pointer at a time ---- */

/* The objects and arrays of the calls below, on the path 0 - 1 - 2 with weights. */
static struct {
    fr_ctx *ctx;
    fr_graph *graph;
    fr_solver *solver, *apsp;
    fr_router *router;
    fr_world *world;
    fr_part *part;
    fr_part_solver *part_solver;
    int32_t source, level[3], parent[3], dist[9], parents[9], label[3], count, length, path[4];
    int64_t long_count, edges, far[9], ids[2], long_dist[3], exact[3];
    double real[3], bound, radius, real_dist[4];
    uint64_t bits[1];
    bool any;
    void *bytes;
    size_t size;
    fr_result row, matrix;
    fr_part_result part_row;
    FILE *stream;
} o;

/* What a call has made; freed after it. */
static struct {
    fr_ctx *ctx;
    fr_graph *graph;
    fr_solver *solver;
    fr_router *router;
    fr_world *world;
    fr_part *part;
    fr_part_solver *part_solver;
} made;

static int failed;  /* calls */
static int dropped; /* the pointer that is NULL; -1: none */
#define P(index, ...) (dropped == (index) ? NULL : (__VA_ARGS__))

static void free_made(void) {
    fr_part_solver_free(made.part_solver);
    fr_part_free(made.part);
    fr_world_close(made.world);
    fr_router_free(made.router);
    fr_solver_free(made.solver);
    fr_graph_free(made.graph);
    fr_ctx_free(made.ctx);
    fr_memory_free(o.bytes);
    rewind(o.stream);
    memset(&made, 0, sizeof made);
    o.bytes = NULL;
}

/* letters: one per pointer. r: required, FR_INVALID without it; o: optional, the same status without it. A
 * failure leaves a message, unless it is the context that is missing. */
static void judge(const char *call, const char *letters, fr_status got, fr_status usual) {
    const bool required = dropped >= 0 && letters[dropped] == 'r';
    if (got != (required ? FR_INVALID : usual))
        failed++, print_error("%s without pointer %d: %s (%s)\n", call, dropped,
                              fr_status_name(got), fr_ctx_error(o.ctx));
    if (required && dropped && !*fr_ctx_error(o.ctx) && strstr(call, "P(0, o.ctx)"))
        failed++, print_error("%s without pointer %d: no message\n", call, dropped);
    free_made();
}

#define STATUS(usual, letters, call)                                                               \
    for (dropped = -1; dropped < (int)strlen(letters); dropped++)                                  \
    judge(#call, letters, call, usual)
#define TRY(letters, call) STATUS(FR_OK, letters, call)
/* A function without a status need not crash. */
#define CALL(pointers, call)                                                                       \
    for (dropped = -1; dropped < (pointers); dropped++)                                            \
    (void)(call)

static int pass_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    (void)user, (void)row, (void)source, (void)dist, (void)parent;
    return 0;
}
static int pass_path(void *user, int64_t index, const void *dist, const int32_t *path,
                     int32_t length) {
    (void)user, (void)index, (void)dist, (void)path, (void)length;
    return 0;
}

static const int32_t ends[] = {0, 1}, other_ends[] = {1, 2};
static const int64_t long_ends[] = {0, 1}, long_other_ends[] = {1, 2}, sources64[] = {0};
static const int32_t two_weights[] = {3, 4};
static const fr_query from_0 = {.sources = ends, .source_count = 1};
static const fr_part_query part_from_0 = {.sources = sources64, .source_count = 1};

static int set_up(void **state) {
    (void)state;
    const fr_load_options weights = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 3};
    const fr_solver_options rows = {.strategy = "multi-sssp"};
    memset(&o, 0, sizeof o);
    o.stream = tmpfile();
    bool wrong = !o.stream || fr_ctx_new(NULL, &o.ctx) ||
                 fr_graph_generate(o.ctx, "path:n=3", &weights, &o.graph) ||
                 fr_solver_new(o.ctx, o.graph, FR_PROBLEM_SSSP, NULL, &o.solver) ||
                 fr_solver_new(o.ctx, o.graph, FR_PROBLEM_APSP, &rows, &o.apsp) ||
                 fr_router_new(o.ctx, o.graph, NULL, &o.router) ||
                 fr_world_open(o.ctx, &(fr_world_options){.transport = "self"}, &o.world) ||
                 fr_part_generate(o.ctx, o.world, "path:n=3", NULL, &o.part) ||
                 fr_part_solver_new(o.ctx, o.part, FR_PROBLEM_SSSP, &o.part_solver);
    o.row = (fr_result){.dist = o.dist, .parent = o.parent};
    o.matrix = (fr_result){.dist = o.far, .parent = o.parents};
    o.part_row = (fr_part_result){.dist = o.long_dist, .parent = o.exact};
    return wrong || fr_bfs(o.ctx, o.graph, 0, o.level, o.parent) ||
           fr_solve(o.solver, &from_0, &o.row) ||
           fr_part_solve(o.part_solver, &part_from_0, &o.part_row) ||
           fr_solve(o.apsp, &(fr_query){0}, &o.matrix) || fputs("0 1\n", o.stream) < 0;
}

static int tear_down(void **state) {
    (void)state;
    const int wrong = failed;
    failed = 0;
    fclose(o.stream);
    fr_part_solver_free(o.part_solver);
    fr_part_free(o.part);
    fr_world_close(o.world);
    fr_router_free(o.router);
    fr_solver_free(o.apsp);
    fr_solver_free(o.solver);
    fr_graph_free(o.graph);
    fr_ctx_free(o.ctx);
    return wrong;
}

static void each_of_contexts_and_graphs(void **state) {
    (void)state;
    static const char file[] = "0 1\n1 2\n";
    const fr_load_options el = {.format = "el"};
    const fr_arrays arrays = {.n = 3, .m = 2, .sources = ends, .targets = other_ends};
    const int64_t offsets[] = {0, 1, 2, 2};
    const fr_csr csr = {.n = 3, .m = 2, .offsets = offsets, .targets = other_ends};
    fr_graph_stats stats = {0};
    TRY("or", fr_ctx_new(P(0, &(fr_ctx_options){0}), P(1, &made.ctx)));
    TRY("rror", fr_graph_load_memory(P(0, o.ctx), P(1, file), sizeof file - 1, P(2, &el),
                                     P(3, &made.graph)));
    STATUS(FR_OK, "rr",
           fr_graph_load_stream(P(0, o.ctx), o.stream, &(fr_load_options){.format = "el"},
                                P(1, &made.graph)));
    STATUS(FR_NOT_FOUND, "rror",
           fr_graph_load(P(0, o.ctx), P(1, "none.el"), P(2, &el), P(3, &made.graph)));
    TRY("rror", fr_graph_generate(P(0, o.ctx), P(1, "path:n=3"), P(2, &(fr_load_options){0}),
                                  P(3, &made.graph)));
    TRY("rrroor",
        fr_graph_from_edges(P(0, o.ctx), 3, 2, P(1, ends), P(2, other_ends), P(3, two_weights),
                            FR_TYPE_I32, P(4, &(fr_load_options){0}), P(5, &made.graph)));
    TRY("rror", fr_graph_from_arrays(P(0, o.ctx), P(1, &arrays), P(2, &(fr_load_options){0}),
                                     P(3, &made.graph)));
    TRY("rrr", fr_graph_from_csr(P(0, o.ctx), P(1, &csr), P(2, &made.graph)));
    TRY("rrr", fr_graph_transpose(P(0, o.ctx), P(1, o.graph), P(2, &made.graph)));
    TRY("rrrr", fr_graph_set_weights(P(0, o.ctx), P(1, o.graph), P(2, o.dist), FR_TYPE_I32,
                                     P(3, &made.graph)));
    TRY("rrror", fr_graph_subgraph(P(0, o.ctx), P(1, o.graph), P(2, ends), 2, P(3, o.label),
                                   P(4, &made.graph)));
    TRY("rroor",
        fr_graph_filter(P(0, o.ctx), P(1, o.graph), P(2, o.bits), P(3, o.bits), P(4, &made.graph)));
    TRY("rr", fr_graph_check(P(0, o.ctx), P(1, o.graph)));
    STATUS(FR_DISK, "rrro",
           fr_graph_write(P(0, o.ctx), P(1, o.graph), P(2, "none/x.mtx"), P(3, "mtx")));
    TRY("rrrrr", fr_graph_write_memory(P(0, o.ctx), P(1, o.graph), P(2, "mtx"), P(3, &o.bytes),
                                       P(4, &o.size)));
    TRY("rrrr", fr_graph_write_stream(P(0, o.ctx), P(1, o.graph), P(2, o.stream), P(3, "mtx")));
    TRY("rrr", fr_graph_compute_stats(P(0, o.ctx), P(1, o.graph), P(2, &stats)));
    TRY("rrror", fr_components(P(0, o.ctx), P(1, o.graph), FR_COMPONENTS_WEAK, FR_BACKEND_CPU,
                               P(2, o.label), P(3, o.parents), P(4, &o.count)));
    STATUS(FR_NOT_FOUND, "rrrrr",
           fr_coordinates_load(P(0, o.ctx), P(1, o.graph), P(2, "none.co"), P(3, o.real),
                               P(4, o.real)));
    fr_graph *named = NULL;
    const fr_load_options strings = {.ids = FR_IDS_STRINGS};
    assert_ok(o.ctx, fr_graph_load_memory(o.ctx, "a b\nb c\n", 8, &strings, &named));
    TRY("rrrr", fr_graph_find_vertex(P(0, o.ctx), P(1, named), P(2, "a"), P(3, &o.count)));
    fr_graph_free(named);
    /* arrays of structs */
    TRY("rr",
        fr_graph_from_arrays(
            o.ctx, &(fr_arrays){.n = 3, .m = 2, .sources = P(0, ends), .targets = P(1, other_ends)},
            NULL, &made.graph));
    TRY("rr",
        fr_graph_from_arrays(
            o.ctx,
            &(fr_arrays){.n = 3, .m = 2, .offsets = P(0, offsets), .targets = P(1, other_ends)},
            NULL, &made.graph));
    TRY("r", fr_graph_from_arrays(o.ctx,
                                  &(fr_arrays){.n = 3,
                                               .m = 2,
                                               .sources = ends,
                                               .targets = other_ends,
                                               .weights = P(0, two_weights),
                                               .weight_type = FR_TYPE_I32},
                                  NULL, &made.graph));
    TRY("rrr", fr_graph_from_csr(o.ctx,
                                 &(fr_csr){.n = 3,
                                           .m = 2,
                                           .offsets = P(0, offsets),
                                           .targets = P(1, other_ends),
                                           .weights = P(2, two_weights),
                                           .weight_type = FR_TYPE_I32},
                                 &made.graph));
    CALL(2, fr_graph_edge(P(0, o.graph), 0, 1, P(1, &o.edges)));
}

static void each_of_solvers(void **state) {
    (void)state;
    fr_memory_estimate estimate = {0};
    fr_solver_options none = {0};
    TRY("rroo", fr_bfs(P(0, o.ctx), P(1, o.graph), 0, P(2, o.level), P(3, o.parent)));
    TRY("rroo", fr_sssp(P(0, o.ctx), P(1, o.graph), 0, P(2, o.dist), P(3, o.parent)));
    TRY("rroo", fr_apsp(P(0, o.ctx), P(1, o.graph), P(2, o.far), P(3, o.parents)));
    TRY("rror",
        fr_solver_new(P(0, o.ctx), P(1, o.graph), FR_PROBLEM_BFS, P(2, &none), P(3, &made.solver)));
    TRY("rror", fr_estimate_memory(P(0, o.ctx), P(1, o.graph), FR_PROBLEM_BFS, P(2, &none),
                                   P(3, &estimate)));
    TRY("rrr", fr_solve(P(0, o.solver), P(1, &from_0), P(2, &o.row)));
    TRY("rrro", fr_solve_each(P(0, o.solver), P(1, &from_0), P(2, &o.row), P(3, &o.long_count)));
    CALL(2, fr_solver_levels(P(0, o.solver), P(1, &o.long_count)));
    CALL(2, fr_solver_kernels(P(0, o.solver), P(1, &o.count)));
    CALL(2, fr_knob_value(P(0, &(fr_knob){.name = "a", .high = 2}), P(1, "1"), 1, &o.bound));
    CALL(1, fr_knob_value(&(fr_knob){.name = "a", .high = 2}, "1", 1, P(0, &o.bound)));
    CALL(1, fr_device_get(o.ctx, 0, P(0, &(fr_device_info){0})));
    CALL(2, fr_device_count(P(0, o.ctx), P(1, &o.count)));
    CALL(1, fr_strategy_get(0, P(0, &(fr_strategy_info){0})));
    /* results without arrays, and callbacks and arrays that a query asks for */
    TRY("oo",
        fr_solve(o.solver, &from_0, &(fr_result){.dist = P(0, o.dist), .parent = P(1, o.parent)}));
    TRY("oo",
        fr_solve(o.apsp, &from_0, &(fr_result){.dist = P(0, o.far), .parent = P(1, o.parents)}));
    TRY("o",
        fr_solve(o.apsp, &(fr_query){.row = pass_row, .want_parents = true, .row_user = P(0, &o)},
                 &o.matrix));
    TRY("r", fr_solve(o.solver, &(fr_query){.sources = P(0, ends), .source_count = 1}, &o.row));
    TRY("r",
        fr_solve(o.solver,
                 &(fr_query){
                     .sources = ends, .source_count = 1, .targets = P(0, ends), .target_count = 1},
                 &o.row));
    STATUS(FR_INVALID, "rr",
           fr_tune(P(0, o.ctx), P(1, o.graph), FR_PROBLEM_BFS, &(fr_tune_options){0},
                   &(fr_tuning){0}));
    fr_tune_options tune = {
        .sources = ends, .source_count = 1, .seconds = 0.001, .backend = FR_BACKEND_CPU};
    fr_tuning tuning = {.backend = FR_BACKEND_CPU, .strategy = "serial"}, tuned = {0};
    TRY("rrrr", fr_tune(P(0, o.ctx), P(1, o.graph), FR_PROBLEM_BFS, P(2, &tune), P(3, &tuned)));
    STATUS(FR_NOT_FOUND, "rrror",
           fr_tuning_cache_find(P(0, o.ctx), P(1, "none"), P(2, o.graph), FR_PROBLEM_BFS,
                                P(3, &none), P(4, &tuned)));
    STATUS(FR_DISK, "rrror",
           fr_tuning_cache_store(P(0, o.ctx), P(1, "none/x"), P(2, o.graph), P(3, &none),
                                 P(4, &tuning)));
}

static void each_of_calls(void **state) {
    (void)state;
    int64_t passes;
    const fr_distance_centrality_options near = {.backend = FR_BACKEND_CPU};
    const fr_betweenness_options few = {.backend = FR_BACKEND_CPU};
    const int32_t negative[] = {1, -4};
    fr_graph *cycle = NULL;
    REFUSED(fr_graph_from_edges(o.ctx, 2, 2, (int32_t[]){0, 1}, NULL, negative, FR_TYPE_I32, NULL,
                                &cycle));
    assert_ok(o.ctx, fr_graph_from_edges(o.ctx, 2, 2, (int32_t[]){0, 1}, (int32_t[]){1, 0},
                                         negative, FR_TYPE_I32, NULL, &cycle));
    STATUS(FR_NEGATIVE_CYCLE, "oro",
           fr_negative_cycle(o.ctx, cycle, NULL, P(0, o.path), P(1, &o.length), P(2, &o.bound)));
    fr_graph_free(cycle);
    TRY("rrooo", fr_tight_edges(P(0, o.ctx), P(1, o.graph), FR_TYPE_I32, o.dist, P(2, o.bits),
                                P(3, &o.edges)));
    TRY("r", fr_tight_edges(o.ctx, o.graph, FR_TYPE_I32, P(0, o.dist), o.bits, &o.edges));
    TRY("rrrroo", fr_path_counts(P(0, o.ctx), P(1, o.graph), FR_TYPE_I32, P(2, o.dist), P(3, ends),
                                 1, P(4, o.real), P(5, o.exact)));
    TRY("rroro",
        fr_betweenness(P(0, o.ctx), P(1, o.graph), P(2, &few), P(3, o.real), P(4, &o.bound)));
    TRY("rrr", fr_closeness(P(0, o.ctx), P(1, o.graph), false, FR_BACKEND_CPU, P(2, o.real)));
    TRY("rrooo", fr_distance_centrality(P(0, o.ctx), P(1, o.graph), P(2, &near), P(3, o.real),
                                        P(4, o.real_dist)));
    TRY("rrr", fr_harmonic(P(0, o.ctx), P(1, o.graph), FR_BACKEND_CPU, P(2, o.real)));
    TRY("rroooo", fr_eccentricity(P(0, o.ctx), P(1, o.graph), FR_BACKEND_CPU, P(2, o.real),
                                  P(3, &o.bound), P(4, &o.radius), P(5, &passes)));
    TRY("rror", fr_path(P(0, o.ctx), P(1, o.parent), 3, 2, P(2, o.path), P(3, &o.length)));
    TRY("rror", fr_router_new(P(0, o.ctx), P(1, o.graph), P(2, &(fr_router_options){0}),
                              P(3, &made.router)));
    TRY("rroo",
        fr_router_path(P(0, o.router), 0, 2, P(1, o.long_dist), P(2, o.path), P(3, &o.length)));
    TRY("rrrr",
        fr_router_distances(P(0, o.router), P(1, ends), P(2, other_ends), 2, P(3, o.long_dist)));
    TRY("rrrr", fr_router_table(P(0, o.router), P(1, ends), 2, P(2, other_ends), 2, P(3, o.far)));
    TRY("rro", fr_router_k_paths(P(0, o.router), 0, 2, 2, P(1, pass_path), P(2, &o)));
    TRY("rro", fr_negative_cycle(P(0, o.ctx), P(1, o.graph), P(2, &(fr_solver_options){0}), o.path,
                                 &o.length, &o.bound));
    TRY("oro",
        fr_negative_cycle(o.ctx, o.graph, NULL, P(0, o.path), P(1, &o.length), P(2, &o.bound)));
}

static void each_of_outputs(void **state) {
    (void)state;
    const fr_output to = {.bytes = &o.bytes, .size = &o.size};
    const fr_column columns[] = {
        {.name = "vertex", .kind = FR_COLUMN_VERTEX},
        {.name = "x", .kind = FR_COLUMN_NUMBER, .type = FR_TYPE_F64, .values = o.real}};
    const int64_t path_offsets[] = {0, 1};
    const fr_query all = {0};
    TRY("rroorr", fr_result_write(P(0, o.ctx), P(1, o.graph), P(2, &from_0), FR_TYPE_I32,
                                  P(4, &o.row), P(5, &to)));
    TRY("rrrr", fr_table_write(P(0, o.ctx), P(1, o.graph), 3, P(2, columns), 2, P(3, &to)));
    TRY("rrorr", fr_matrix_write(P(0, o.ctx), P(1, o.graph), P(2, &all), FR_TYPE_I32,
                                 P(3, &o.matrix), P(4, &to)));
    TRY("rorr", fr_apsp_write(P(0, o.apsp), P(1, &all), P(2, &(fr_result){0}), P(3, &to)));
    TRY("rr", fr_result_write(o.ctx, o.graph, NULL, FR_TYPE_I32, &o.row,
                              &(fr_output){.bytes = P(0, &o.bytes), .size = P(1, &o.size)}));
    TRY("rrroo",
        fr_verify_bfs(P(0, o.ctx), P(1, o.graph), P(2, &from_0), P(3, o.level), P(4, o.parent)));
    TRY("rrrro", fr_verify_sssp(P(0, o.ctx), P(1, o.graph), P(2, &from_0), false, P(3, o.dist),
                                FR_TYPE_I32, P(4, o.parent)));
    STATUS(FR_VERIFY_FAILED, "rror",
           fr_verify_cycle(P(0, o.ctx), P(1, o.graph), P(2, &from_0), P(3, ends), 2, -1));
    TRY("rrr",
        fr_verify_components(P(0, o.ctx), P(1, o.graph), FR_COMPONENTS_WEAK, P(2, o.label), 1));
    TRY("r", fr_table_write(o.ctx, o.graph, 3,
                            &(fr_column){.name = P(0, "x"), .kind = FR_COLUMN_VERTEX}, 1, &to));
    TRY("r", fr_table_write(o.ctx, o.graph, 3,
                            &(fr_column){.name = "x",
                                         .kind = FR_COLUMN_NUMBER,
                                         .type = FR_TYPE_F64,
                                         .values = P(0, o.real)},
                            1, &to));
    TRY("rr", fr_table_write(o.ctx, o.graph, 1,
                             &(fr_column){.name = "x",
                                          .kind = FR_COLUMN_PATH,
                                          .values = P(0, o.path),
                                          .offsets = P(1, path_offsets)},
                             1, &to));
    TRY("rroro", fr_verify_apsp(P(0, o.ctx), P(1, o.graph), P(2, &all), false, P(3, o.matrix.dist),
                                FR_TYPE_I32, P(4, o.parents), 0, 1));
}

static void each_of_ranks(void **state) {
    (void)state;
    int64_t count = 1;
    fr_part_stats stats = {0};
    const fr_world_options self = {.transport = "self"};
    CALL(1, fr_launched_ranks(P(0, &o.count)));
    TRY("ror", fr_world_open(P(0, o.ctx), P(1, &self), P(2, &made.world)));
    STATUS(FR_NOT_FOUND, "rrror",
           fr_part_load(P(0, o.ctx), P(1, o.world), P(2, "none.el"), P(3, &(fr_load_options){0}),
                        P(4, &made.part)));
    TRY("rrror", fr_part_generate(P(0, o.ctx), P(1, o.world), P(2, "path:n=3"),
                                  P(3, &(fr_load_options){0}), P(4, &made.part)));
    TRY("rrrrror", fr_part_from_edges(P(0, o.ctx), P(1, o.world), 3, 2, P(2, long_ends),
                                      P(3, long_other_ends), P(4, two_weights), FR_TYPE_I32,
                                      P(5, &(fr_load_options){0}), P(6, &made.part)));
    TRY("rr", fr_part_get_stats(P(0, o.part), P(1, &stats)));
    TRY("rrrr", fr_part_draw_sources(P(0, o.ctx), P(1, o.part), 1, P(2, &count), P(3, o.exact)));
    TRY("rrr",
        fr_part_solver_new(P(0, o.ctx), P(1, o.part), FR_PROBLEM_BFS, P(2, &made.part_solver)));
    TRY("rrr", fr_part_solve(P(0, o.part_solver), P(1, &part_from_0), P(2, &o.part_row)));
    CALL(2, fr_part_levels(P(0, o.part_solver), P(1, &count)));
    TRY("rrrr", fr_part_verify(P(0, o.ctx), P(1, o.part), FR_PROBLEM_SSSP, P(2, &part_from_0),
                               P(3, &o.part_row)));
    TRY("rrrr", fr_part_collect(P(0, o.ctx), P(1, o.part), P(2, &o.part_row), 0, 1,
                                P(3, &(fr_part_result){.dist = o.far, .parent = o.exact})));
    STATUS(FR_DISK, "rrrro",
           fr_part_write(P(0, o.ctx), P(1, o.part), FR_PROBLEM_SSSP, P(2, &o.part_row),
                         P(3, "none/x.tsv"), P(4, "tsv")));
}

TEST_PROGRAM(TEST(without_an_object), TEST(without_a_world), TEST(without_arguments),
             TEST(calls_for_devices),
             cmocka_unit_test_setup_teardown(each_of_contexts_and_graphs, set_up, tear_down),
             cmocka_unit_test_setup_teardown(each_of_solvers, set_up, tear_down),
             cmocka_unit_test_setup_teardown(each_of_calls, set_up, tear_down),
             cmocka_unit_test_setup_teardown(each_of_outputs, set_up, tear_down),
             cmocka_unit_test_setup_teardown(each_of_ranks, set_up, tear_down))
