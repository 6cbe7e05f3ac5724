/* What solvers derive from a graph and share: owners, users, memory, threads. */
#include "core/query/weight_stats.h"
#include "graph/derived.h"
#include "graph/graph.h"
#include "support/support.h"

#include <pthread.h>
#include <string.h>

enum { N = 1 << 12, QUERIES = 24 };
static int32_t first_answer[N], second_answer[N], parent[N];

static fr_graph *make_graph(fr_ctx *ctx) {
    return test_generated(ctx, "kronecker:scale=12,edge_factor=16,seed=3", 255);
}

static fr_graph *make_directed(fr_ctx *ctx) {
    return test_generated(ctx, "rmat:scale=12,edges=65536,seed=3", 0);
}

static fr_ctx *make_ctx(size_t limit) {
    return test_ctx(&(fr_ctx_options){.threads = 2, .max_memory_bytes = limit});
}

static fr_solver *make_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                              int64_t expected) {
    fr_solver_options o = {.backend = FR_BACKEND_CPU, .expected_queries = expected};
    return test_solver(ctx, graph, problem, &o);
}

static void solve(fr_ctx *ctx, fr_solver *solver, int32_t source, int32_t *values) {
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = values, .dist = values};
    assert_ok(ctx, fr_solve(solver, &query, &result));
}

/* Both solvers find the same from the source. */
static void agree(fr_ctx *ctx, fr_solver *a, fr_ctx *other, fr_solver *b, int32_t source) {
    solve(ctx, a, source, first_answer);
    solve(other, b, source, second_answer);
    assert_memory_equal(first_answer, second_answer, sizeof first_answer);
}

static bool is_made(fr_ctx *ctx, const fr_graph *graph, fri_derived_kind kind) {
    fri_derived_use use = fri_derived_open(ctx, graph->derived);
    fri_derived_blocks blocks;
    bool made = fri_derived_take(&use, kind, &blocks);
    fri_derived_close(&use);
    return made;
}

static void a_second_gift_is_dropped(void **state) {
    fr_ctx *ctx = *state;
    fri_derived *d = fri_derived_new(ctx);
    fri_derived_use a = fri_derived_open(ctx, d), b = fri_derived_open(ctx, d);
    fri_derived_blocks got, first = {{fri_alloc(ctx, 100)}}, second = {{fri_alloc(ctx, 100)}};
    assert_false(fri_derived_take(&a, FRI_DERIVED_HUB_PARENTS, &got));
    const void *kept = first.block[0];
    fri_derived_give(&a, FRI_DERIVED_HUB_PARENTS, &first);
    fri_derived_give(&b, FRI_DERIVED_HUB_PARENTS, &second);
    assert_ptr_equal(second.block[0], kept);
    assert_false(fri_derived_take(&a, FRI_DERIVED_SORTED_ROWS, &got));
    fri_derived_close(&a);
    assert_false(fri_derived_trim(d)); /* b uses it */
    fri_derived_close(&b);
    assert_true(fri_derived_trim(d));
    assert_false(fri_derived_trim(d));
    fri_derived_release(d);
}

/* A solver on the transposed graph must not get the degree of the graph, nor the other way round. */
static void a_degree_belongs_to_its_offsets(void **state) {
    fri_derived *d = fri_derived_new(*state);
    int64_t one[2] = {0, 0}, other[2] = {0, 0};
    double degree;
    assert_false(fri_derived_edge_degree(d, one, &degree));
    fri_derived_set_edge_degree(d, one, 2.5);
    assert_false(fri_derived_edge_degree(d, other, &degree));
    assert_true(fri_derived_edge_degree(d, one, &degree));
    assert_true(degree == 2.5);
    fri_derived_set_edge_degree(d, other, 3);
    assert_false(fri_derived_edge_degree(d, one, &degree));
    fri_derived_release(d);
}

/* Found when a CSR of floats is borrowed, and by a solver of another graph. */
static void check_whole(fr_ctx *ctx, fr_type type, const void *weights, bool whole) {
    static const int64_t offsets[] = {0, 3, 3};
    static const int32_t targets[] = {0, 1, 1};
    const fr_csr csr = {2, 3, offsets, targets, weights, type, false};
    const fri_job job = {.csr = csr, .in = &(fri_job_input){.threads = 2}};
    fri_weight_stats stats = fri_weight_stats_of(&job);
    assert_int_equal(stats.whole, whole);
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_csr(ctx, &csr, &graph));
    const bool floats = type == FR_TYPE_F32 || type == FR_TYPE_F64;
    stats.whole = !whole;
    assert_int_equal(fri_derived_weights(graph->derived, &stats), floats);
    assert_int_equal(stats.whole, floats ? whole : !whole);
    fr_graph_free(graph);
}

static void whole_weights_are_found(void **state) {
    fr_ctx *ctx = *state;
    check_whole(ctx, FR_TYPE_I32, (int32_t[]){-3, 0, INT32_MAX}, true);
    check_whole(ctx, FR_TYPE_I64, (int64_t[]){1, 2, INT64_MAX}, true);
    check_whole(ctx, FR_TYPE_F32, (float[]){-0.0F, 7, 0x1p24F}, true);
    check_whole(ctx, FR_TYPE_F32, (float[]){1, 2, 0x1.8p22F + 0.5F}, false);
    check_whole(ctx, FR_TYPE_F64, (double[]){-5, 7, 0x1p51 - 1}, true);
    check_whole(ctx, FR_TYPE_F64, (double[]){1, 2, 0x1p50 + 0.25}, false);
    check_whole(ctx, FR_TYPE_F64, (double[]){1, 2, 0x1p51 + 0.5}, false);
    check_whole(ctx, FR_TYPE_F64, (double[]){1e-300, 2, 3}, false);
}

/* The last of graph, solver and context frees; run under AddressSanitizer. */
static void any_order_of_frees(void **state) {
    (void)state;
    for (int order = 0; order < 3; order++) {
        fr_ctx *maker = make_ctx(0), *other = make_ctx(0);
        fr_graph *graph = make_graph(other);
        fr_solver *a = make_solver(maker, graph, FR_PROBLEM_SSSP, 1000);
        assert_true(is_made(maker, graph, FRI_DERIVED_SORTED_ROWS));
        fr_solver *b = make_solver(other, graph, FR_PROBLEM_SSSP, 0);
        solve(maker, a, 1, first_answer);
        if (order != 0)
            fr_solver_free(a);
        if (order == 1)
            fr_ctx_free(maker); /* its block stays */
        solve(other, b, 1, second_answer);
        assert_memory_equal(first_answer, second_answer, sizeof first_answer);
        if (order == 2)
            fr_graph_free(graph); /* before its solver */
        fr_solver_free(b);
        if (order != 2)
            fr_graph_free(graph);
        if (order == 0)
            fr_solver_free(a);
        if (order != 1)
            fr_ctx_free(maker);
        fr_ctx_free(other);
    }
}

/* A second solver takes no memory for what the first one made: rows by weight, or a directed graph's transpose. */
static void the_second_solver_shares(void **state) {
    fr_ctx *ctx = *state;
    for (int bfs = 0; bfs < 2; bfs++) {
        const fr_problem problem = bfs ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP;
        const fri_derived_kind kind = bfs ? FRI_DERIVED_TRANSPOSE : FRI_DERIVED_SORTED_ROWS;
        fr_graph *graph = bfs ? make_directed(ctx) : make_graph(ctx);
        fr_ctx *first = make_ctx(0), *second = make_ctx(0);
        assert_false(is_made(ctx, graph, kind));
        fr_solver *a = make_solver(first, graph, problem, 100000);
        assert_true(is_made(ctx, graph, kind));
        fr_solver *b = make_solver(second, graph, problem, bfs ? 1 : 1000);
        const size_t bytes = (size_t)fr_graph_edge_count(graph) * (bfs ? 4 : 8);
        assert_true(fr_ctx_peak_bytes(first) >= fr_ctx_peak_bytes(second) + bytes);
        solve(first, a, 5, first_answer);
        fr_solver_free(a);
        fr_ctx_free(first);
        solve(second, b, 5, second_answer);
        assert_memory_equal(first_answer, second_answer, sizeof first_answer);
        fr_solver_free(b);
        fr_graph_free(graph);
        fr_ctx_free(second);
    }
}

/* Too little memory for the rows: the solver works without them and says so. */
static void too_little_memory_is_no_failure(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = make_graph(ctx);
    fr_solver_options once = {.backend = FR_BACKEND_CPU, .expected_queries = 1};
    fr_solver_options often = {.backend = FR_BACKEND_CPU, .expected_queries = 1000};
    fr_memory_estimate little = {0}, much = {0};
    assert_ok(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_SSSP, &once, &little));
    assert_ok(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_SSSP, &often, &much));
    assert_true(much.host >= little.host + (size_t)fr_graph_edge_count(graph) * 8);
    fr_ctx *tight = make_ctx(little.host + 65536);
    fr_solver *solver = make_solver(tight, graph, FR_PROBLEM_SSSP, 1000);
    fr_solver *right = make_solver(ctx, graph, FR_PROBLEM_SSSP, 1);
    for (int32_t s = 0; s < 5; s++) {
        agree(tight, solver, ctx, right, s);
        assert_string_equal(fr_ctx_error(tight), "");
    }
    assert_non_null(strstr(fr_solver_explain(solver), "no memory"));
    fr_solver_free(solver);
    fr_solver_free(right);
    fr_graph_free(graph);
    fr_ctx_free(tight);
}

/* What no solver uses is freed when a solver would not fit otherwise. */
static void unused_entries_make_room(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = make_graph(ctx);
    fr_solver_options once = {.backend = FR_BACKEND_CPU, .expected_queries = 1};
    fr_memory_estimate need = {0};
    assert_ok(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_SSSP, &once, &need));
    size_t rows = (size_t)fr_graph_edge_count(graph) * 8, limit = rows + 4 * need.host;
    fr_ctx *tight = make_ctx(limit);
    fr_solver *used = make_solver(tight, graph, FR_PROBLEM_SSSP, 1000);
    void *rest = fri_alloc(tight, limit - rows - 3 * need.host + need.host / 8);
    assert_non_null(rest);
    fr_solver_free(used);
    assert_true(is_made(ctx, graph, FRI_DERIVED_SORTED_ROWS));
    void *more = fri_alloc(tight, 2 * need.host);
    assert_non_null(more);
    fr_solver *solver = make_solver(tight, graph, FR_PROBLEM_SSSP, 1); /* needs their memory */
    assert_false(is_made(ctx, graph, FRI_DERIVED_SORTED_ROWS));
    fr_solver_free(solver);
    fri_free(rest);
    fri_free(more);
    fr_graph_free(graph);
    fr_ctx_free(tight);
}

typedef struct {
    const fr_graph *graph;
    fr_problem problem;
    int32_t *values; /* [QUERIES * N] */
} caller;

static void *many_queries(void *arg) {
    const caller *c = arg;
    fr_ctx *ctx;
    fr_solver *solver;
    fr_solver_options o = {.backend = FR_BACKEND_CPU};
    if (fr_ctx_new(&(fr_ctx_options){.threads = 1}, &ctx))
        return NULL;
    if (!fr_solver_new(ctx, c->graph, c->problem, &o, &solver)) {
        for (int32_t s = 0; s < QUERIES; s++) {
            fr_query query = {.sources = &s, .source_count = 1};
            fr_result result = {.level = c->values + (int64_t)s * N,
                                .dist = c->values + (int64_t)s * N};
            if (fr_solve(solver, &query, &result))
                break;
        }
        fr_solver_free(solver);
    }
    fr_ctx_free(ctx);
    return NULL;
}

/* Two threads with contexts of their own prepare the same graph; run under helgrind. */
static void two_threads(void **state) {
    fr_ctx *ctx = *state;
    assert_ok(ctx, fr_ctx_set_threads(ctx, 1)); /* OpenMP's barriers are unknown to helgrind */
    fr_graph *graph = make_graph(ctx);
    for (int p = 0; p < 2; p++) {
        caller c[2];
        pthread_t thread[2];
        for (int i = 0; i < 2; i++) {
            c[i] = (caller){graph, p ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS,
                            malloc((size_t)QUERIES * N * sizeof(int32_t))};
            assert_int_equal(pthread_create(&thread[i], NULL, many_queries, &c[i]), 0);
        }
        for (int i = 0; i < 2; i++)
            pthread_join(thread[i], NULL);
        assert_memory_equal(c[0].values, c[1].values, (size_t)QUERIES * N * sizeof(int32_t));
        fr_solver *solver = make_solver(ctx, graph, c[0].problem, 1);
        solve(ctx, solver, QUERIES - 1, second_answer);
        assert_memory_equal(c[0].values + (int64_t)(QUERIES - 1) * N, second_answer,
                            sizeof second_answer);
        fr_solver_free(solver);
        free(c[0].values);
        free(c[1].values);
    }
    assert_true(is_made(ctx, graph, FRI_DERIVED_SORTED_ROWS));
    fr_graph_free(graph);
}

/* A solver that does not know its number of queries transposes a directed graph once they pay. */
static void transposes_are_made_later(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = make_directed(ctx);
    fr_solver *once = make_solver(ctx, graph, FR_PROBLEM_BFS, 1);
    fr_solver *any = make_solver(ctx, graph, FR_PROBLEM_BFS, 0);
    solve(ctx, once, 5, first_answer);
    assert_false(is_made(ctx, graph, FRI_DERIVED_TRANSPOSE));
    assert_non_null(strstr(fr_solver_explain(once), "in-edges not known"));
    for (int query = 0; query < 1000 && !is_made(ctx, graph, FRI_DERIVED_TRANSPOSE); query++)
        solve(ctx, any, query % 100, second_answer);
    assert_true(is_made(ctx, graph, FRI_DERIVED_TRANSPOSE));
    solve(ctx, any, 5, second_answer);
    assert_memory_equal(first_answer, second_answer, sizeof first_answer);
    agree(ctx, any, ctx, once, 5); /* uses it, too */
    assert_null(strstr(fr_solver_explain(once), "in-edges not known"));
    fr_solver_free(once);
    fr_solver_free(any);
    fr_graph_free(graph);
}

static fr_graph *borrow(fr_ctx *ctx, const fr_csr *csr) {
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_csr(ctx, csr, &graph));
    assert_false(fr_graph_is_symmetric(graph));
    return graph;
}

/* Levels of a solver that prepares at once equal the serial strategy's. */
static void assert_right_levels(fr_ctx *ctx, const fr_graph *graph) {
    fr_solver *solver = make_solver(ctx, graph, FR_PROBLEM_BFS, 100000), *serial;
    fr_solver_options o = {.backend = FR_BACKEND_CPU, .strategy = "serial"};
    serial = test_solver(ctx, graph, FR_PROBLEM_BFS, &o);
    for (int32_t source = 0; source < 20; source++)
        agree(ctx, solver, ctx, serial, source);
    assert_null(strstr(fr_solver_explain(solver), "in-edges not known"));
    fr_solver_free(serial);
    fr_solver_free(solver);
}

/* A graph that has both directions of each edge and is not marked symmetric needs no transpose; without
 * one edge of 100,000 it does. */
static void both_directions_serve_as_in_edges(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *marked = make_graph(ctx);
    fr_csr csr = *fr_graph_csr(marked);
    csr.symmetric = false;
    csr.weights = NULL;
    csr.weight_type = FR_TYPE_NONE;
    fr_graph *graph = borrow(ctx, &csr);
    assert_right_levels(ctx, graph);
    assert_int_equal(fri_derived_symmetry(graph->derived), FRI_SYMMETRY_FOUND);
    assert_false(is_made(ctx, graph, FRI_DERIVED_TRANSPOSE));
    fr_graph_free(graph);

    int64_t *offsets = malloc((size_t)(csr.n + 1) * sizeof *offsets);
    for (int32_t v = 0; v <= csr.n; v++) /* without the last edge of the last row that has one */
        offsets[v] = csr.offsets[v] < csr.m ? csr.offsets[v] : csr.m - 1;
    csr.offsets = offsets;
    csr.m--;
    graph = borrow(ctx, &csr);
    assert_right_levels(ctx, graph);
    assert_int_equal(fri_derived_symmetry(graph->derived), FRI_SYMMETRY_NONE);
    assert_true(is_made(ctx, graph, FRI_DERIVED_TRANSPOSE));
    fr_graph_free(graph);
    fr_graph_free(marked);
    free(offsets);
}

/* A matrix with both directions of every edge is a CSR that is not marked symmetric: spira-window pulls
 * along its rows and makes no transpose. */
static void an_unmarked_symmetric_csr_is_not_transposed(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *marked = make_graph(ctx);
    fr_csr csr = *fr_graph_csr(marked);
    csr.symmetric = false;
    fr_graph *graph = borrow(ctx, &csr);
    fr_solver *solver = make_solver(ctx, graph, FR_PROBLEM_SSSP, 1000);
    for (int32_t source = 0; source < QUERIES; source++) {
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.dist = first_answer, .parent = parent};
        assert_ok(ctx, fr_solve(solver, &query, &result));
        assert_ok(ctx,
                  fr_verify_sssp(ctx, graph, &query, false, first_answer, FR_TYPE_I32, parent));
    }
    assert_non_null(strstr(fr_solver_explain(solver), "spira-window: "));
    assert_true(is_made(ctx, graph, FRI_DERIVED_SORTED_ROWS));
    assert_false(is_made(ctx, graph, FRI_DERIVED_WEIGHTED_TRANSPOSE));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_graph_free(marked);
}

/* first: helgrind stops after too many reports about OpenMP, which it does not know */
TEST_PROGRAM(TEST(two_threads), TEST(a_second_gift_is_dropped),
             TEST(a_degree_belongs_to_its_offsets), TEST(whole_weights_are_found),
             TEST(any_order_of_frees), TEST(the_second_solver_shares),
             TEST(too_little_memory_is_no_failure), TEST(unused_entries_make_room),
             TEST(transposes_are_made_later), TEST(an_unmarked_symmetric_csr_is_not_transposed),
             TEST(both_directions_serve_as_in_edges))
