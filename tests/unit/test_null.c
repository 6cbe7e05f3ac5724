/* Every public function with NULL for the context, the graph or another handle: a status or a
 * documented value, never a crash. tests/lint/check_api.sh holds the list against the headers. */
#include "fringe_tune.h"
#include "support/support.h"

static void context_accessors(void **state) {
    (void)state;
    assert_string_equal(fr_ctx_error(NULL), "");
    assert_int_equal(fr_ctx_threads(NULL), 0);
    assert_int_equal(fr_ctx_peak_bytes(NULL), 0);
    assert_int_equal(fr_ctx_max_bytes(NULL), 0);
    assert_int_equal(fr_ctx_new(NULL, NULL), FR_INVALID);
}

static void graph_accessors(void **state) {
    (void)state;
    int64_t count = 7;
    assert_int_equal(fr_graph_vertex_count(NULL), 0);
    assert_int_equal(fr_graph_edge_count(NULL), 0);
    assert_int_equal(fr_graph_weight_type(NULL), FR_TYPE_NONE);
    assert_false(fr_graph_is_symmetric(NULL));
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
}

static void solver_accessors(void **state) {
    (void)state;
    int64_t levels = 7;
    int kernels = 7;
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

static void rank_accessors(void **state) {
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
}

static void frees(void **state) {
    (void)state;
    fr_ctx_free(NULL);
    fr_graph_free(NULL);
    fr_memory_free(NULL);
    fr_solver_free(NULL);
    fr_router_free(NULL);
    fr_world_close(NULL);
    fr_part_free(NULL);
    fr_part_solver_free(NULL);
}

static void tables(void **state) {
    (void)state;
    double value = 7;
    assert_null(fr_format_name(-1));
    assert_null(fr_format_description(-1));
    assert_false(fr_format_writable(-1));
    assert_null(fr_generator_name(-1));
    assert_null(fr_generator_description(-1));
    assert_null(fr_result_format_name(-1));
    assert_false(fr_strategy_get(-1, NULL));
    assert_false(fr_knob_value(NULL, "1", 1, &value));
    assert_true(value == 7);
}

static void solvers(void **state) {
    (void)state;
    int64_t solved = 7;
    const int32_t v = 0;
    int64_t dist;
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

/* Calls that make a graph or ask about one; ctx or `given`, or both, are NULL. */
static void refuse_graphs(fr_ctx *ctx, const fr_graph *given) {
    fr_graph *graph;
    fr_graph_stats stats = {0};
    int32_t v = 0, count = 0;
    void *bytes;
    size_t size;
    double x[1], y[1];
    REFUSED(fr_graph_load(ctx, NULL, NULL, &graph));
    REFUSED(fr_graph_load_memory(ctx, NULL, 1, NULL, &graph));
    REFUSED(fr_graph_load_stream(ctx, NULL, NULL, &graph));
    REFUSED(fr_graph_generate(ctx, NULL, NULL, &graph));
    REFUSED(fr_graph_from_edges(ctx, 1, 1, NULL, NULL, NULL, FR_TYPE_NONE, NULL, &graph));
    REFUSED(fr_graph_from_edges(ctx, 1, 1, &v, NULL, NULL, FR_TYPE_NONE, NULL, &graph));
    REFUSED(fr_graph_from_arrays(ctx, NULL, NULL, &graph));
    REFUSED(fr_graph_from_csr(ctx, NULL, &graph));
    REFUSED(fr_graph_from_csr(ctx, &(fr_csr){.n = 1, .m = 1}, &graph));
    REFUSED(fr_graph_from_device_csr(ctx, NULL, &graph));
    REFUSED(fr_graph_transpose(ctx, given, &graph));
    REFUSED(fr_graph_set_weights(ctx, given, NULL, FR_TYPE_NONE, &graph));
    REFUSED(fr_graph_subgraph(ctx, given, &v, 1, NULL, &graph));
    REFUSED(fr_graph_filter(ctx, given, NULL, NULL, &graph));
    REFUSED(fr_graph_find_vertex(ctx, given, "a", &v));
    REFUSED(fr_graph_check(ctx, given));
    REFUSED(fr_graph_write(ctx, given, "x", "mtx"));
    REFUSED(fr_graph_write_memory(ctx, given, "mtx", &bytes, &size));
    REFUSED(fr_graph_write_stream(ctx, given, stdout, "mtx"));
    REFUSED(fr_graph_compute_stats(ctx, given, &stats));
    REFUSED(fr_components(ctx, given, FR_COMPONENTS_WEAK, FR_BACKEND_CPU, &v, NULL, &count));
    REFUSED(fr_coordinates_load(ctx, given, "x.co", x, y));
}

static void refuse_queries(fr_ctx *ctx, const fr_graph *given) {
    fr_solver *solver;
    fr_router *router;
    fr_memory_estimate estimate = {0};
    int32_t v = 0, length;
    int64_t dist;
    double value;
    REFUSED(fr_bfs(ctx, given, 0, &v, NULL));
    REFUSED(fr_sssp(ctx, given, 0, &dist, NULL));
    REFUSED(fr_apsp(ctx, given, &dist, NULL));
    REFUSED(fr_solver_new(ctx, given, FR_PROBLEM_BFS, NULL, &solver));
    REFUSED(fr_estimate_memory(ctx, given, FR_PROBLEM_BFS, NULL, &estimate));
    REFUSED(fr_estimate_memory(ctx, given, FR_PROBLEM_BFS, NULL, NULL));
    REFUSED(fr_negative_cycle(ctx, given, NULL, &v, &length, &value));
    REFUSED(fr_tight_edges(ctx, given, FR_TYPE_I32, &v, NULL, NULL));
    REFUSED(fr_path_counts(ctx, given, FR_TYPE_I32, &v, &v, 1, &value, NULL));
    REFUSED(fr_betweenness(ctx, given, NULL, &value, NULL));
    REFUSED(fr_closeness(ctx, given, false, FR_BACKEND_CPU, &value));
    REFUSED(fr_harmonic(ctx, given, FR_BACKEND_CPU, &value));
    REFUSED(fr_eccentricity(ctx, given, FR_BACKEND_CPU, &value, NULL, NULL, NULL));
    REFUSED(fr_path(ctx, NULL, 1, 0, &v, &length));
    REFUSED(fr_router_new(ctx, given, NULL, &router));
    REFUSED(fr_tune(ctx, given, FR_PROBLEM_BFS, NULL, &(fr_tuning){0}));
    REFUSED(fr_tune(ctx, given, FR_PROBLEM_BFS, NULL, NULL));
    REFUSED(fr_tuning_cache_find(ctx, "x", given, FR_PROBLEM_BFS, NULL, &(fr_tuning){0}));
    REFUSED(fr_tuning_cache_store(ctx, "x", given, NULL, NULL));
    REFUSED(fr_microbench_run(ctx, FR_BACKEND_CPU, NULL, NULL));
}

static void refuse_outputs(fr_ctx *ctx, const fr_graph *given) {
    const fr_output to = {.path = "x.tsv"};
    int32_t v = 0;
    REFUSED(fr_result_write(ctx, given, NULL, FR_TYPE_I32, NULL, &to));
    REFUSED(fr_result_write(ctx, given, NULL, FR_TYPE_I32, NULL, NULL));
    REFUSED(fr_table_write(ctx, given, 1, NULL, 1, &to));
    REFUSED(fr_table_write(ctx, given, 1, NULL, 1, NULL));
    REFUSED(fr_matrix_write(ctx, given, NULL, FR_TYPE_I32, NULL, &to));
    REFUSED(fr_matrix_write(ctx, given, NULL, FR_TYPE_I32, NULL, NULL));
    REFUSED(fr_verify_bfs(ctx, given, NULL, &v, NULL));
    REFUSED(fr_verify_sssp(ctx, given, NULL, false, &v, FR_TYPE_I32, NULL));
    REFUSED(fr_verify_cycle(ctx, given, NULL, &v, 1, -1));
    REFUSED(fr_verify_components(ctx, given, FR_COMPONENTS_WEAK, &v, 1));
    REFUSED(fr_verify_apsp(ctx, given, NULL, false, &v, FR_TYPE_I32, NULL, 1, 1));
}

static void refuse_ranks(fr_ctx *ctx) {
    fr_part *part;
    fr_part_solver *solver;
    int64_t v = 0, count = 1;
    REFUSED(fr_world_open(ctx, NULL, NULL));
    REFUSED(fr_part_load(ctx, NULL, "x", NULL, &part));
    REFUSED(fr_part_generate(ctx, NULL, "path:n=3", NULL, &part));
    REFUSED(fr_part_from_edges(ctx, NULL, 1, 1, &v, &v, NULL, FR_TYPE_NONE, NULL, &part));
    REFUSED(fr_part_draw_sources(ctx, NULL, 1, &count, &v));
    REFUSED(fr_part_solver_new(ctx, NULL, FR_PROBLEM_BFS, &solver));
    REFUSED(fr_part_verify(ctx, NULL, FR_PROBLEM_BFS, NULL, NULL));
    REFUSED(fr_part_collect(ctx, NULL, NULL, 0, 1, NULL));
    REFUSED(fr_part_write(ctx, NULL, FR_PROBLEM_BFS, NULL, "x.tsv", "tsv"));
}

static void refuse_devices(fr_ctx *ctx) {
    REFUSED(fr_ctx_set_threads(ctx, -1));
    REFUSED(fr_device_count(ctx, NULL));
}

static void handles(void **state) {
    refuse_graphs(*state, NULL);
    refuse_queries(*state, NULL);
    refuse_outputs(*state, NULL);
    refuse_ranks(*state);
    refuse_devices(*state);
}

static void no_context(void **state) {
    (void)state;
    refuse_graphs(NULL, NULL);
    refuse_queries(NULL, NULL);
    refuse_outputs(NULL, NULL);
    refuse_ranks(NULL);
    refuse_devices(NULL);
    REFUSED(fr_ctx_open_device(NULL));
    REFUSED(fr_device_get(NULL, 0, &(fr_device_info){0}));
}

static void no_context_but_a_graph(void **state) {
    fr_graph *graph = NULL;
    assert_int_equal(fr_graph_generate(*state, "path:n=1", NULL, &graph), FR_OK);
    refuse_graphs(NULL, graph);
    refuse_queries(NULL, graph);
    refuse_outputs(NULL, graph);
    fr_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_accessors),
        cmocka_unit_test(graph_accessors),
        cmocka_unit_test(solver_accessors),
        cmocka_unit_test(rank_accessors),
        cmocka_unit_test(frees),
        cmocka_unit_test(tables),
        cmocka_unit_test(solvers),
        cmocka_unit_test_setup_teardown(handles, test_ctx_new, test_ctx_free),
        cmocka_unit_test(no_context),
        cmocka_unit_test_setup_teardown(no_context_but_a_graph, test_ctx_new, test_ctx_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
