/* When preparations pay: the rule, and the cost models that feed it. */
#include "cpu/bfs/cost_model.h"
#include "cpu/preparation.h"
#include "cpu/sssp/sssp.h"
#include "support/support.h"

static void unknown_number_of_queries(void **state) {
    (void)state;
    fri_preparation p = {.cost_ns = 100, .first_saved_ns = 1000};
    assert_false(fri_preparation_pays(&p)); /* no query has shown a saving */
    p = (fri_preparation){.cost_ns = 100, .saved_ns = 99, .queries = 1};
    assert_false(fri_preparation_pays(&p));
    p.saved_ns = 100;
    assert_true(fri_preparation_pays(&p));
}

static void known_number_of_queries(void **state) {
    (void)state;
    fri_preparation p = {.cost_ns = 100, .first_saved_ns = 30, .expected = 3};
    assert_false(fri_preparation_pays(&p));
    p.expected = 4;
    assert_true(fri_preparation_pays(&p));
    p.queries = 1; /* queries that save nothing refute the expectation */
    assert_false(fri_preparation_pays(&p));
    p.saved_ns = 60; /* three more queries save 60 each */
    assert_true(fri_preparation_pays(&p));
    p = (fri_preparation){.cost_ns = 100, .saved_ns = 90, .queries = 3, .expected = 4};
    assert_false(fri_preparation_pays(&p)); /* one more query saves 30 */
    p = (fri_preparation){.cost_ns = 100, .first_saved_ns = 1, .expected = INT64_MAX};
    assert_true(fri_preparation_pays(&p));
}

static void more_queries_than_expected(void **state) {
    (void)state;
    fri_preparation p = {.cost_ns = 100, .saved_ns = 99, .queries = 4, .expected = 2};
    assert_false(fri_preparation_pays(&p));
    p.saved_ns = 101;
    assert_true(fri_preparation_pays(&p));
}

static void hub_parents_save_on_large_levels(void **state) {
    (void)state;
    fri_bfs_policy_input f = {.threads = 2, .is_bitmap = true, .words = 1 << 14};
    f.vertices = 1 << 16;
    f.edges = 1 << 23;
    f.left_vertices = 1 << 19;
    f.left_edges = 1 << 25;
    assert_true(fri_bfs_hub_saving_ns(&f) > 0);
    f.is_bitmap = false;
    f.vertices = 10; /* a thin level is serial with and without them */
    f.edges = 30;
    assert_true(fri_bfs_hub_saving_ns(&f) <= 0);
}

static void in_edges_save_on_large_levels(void **state) {
    (void)state;
    int64_t n = 1 << 20, m = 1 << 25;
    double saving = fri_bfs_first_in_edges_saving_ns(n, m, 2);
    assert_true(saving > 0);
    /* not for the first answer, but for some more */
    assert_true(saving < fri_bfs_in_edges_cost_ns(n, m, 2));
    assert_true(20 * saving > fri_bfs_in_edges_cost_ns(n, m, 2));
}

static void costs_grow_with_the_graph_and_fall_with_threads(void **state) {
    (void)state;
    int64_t n = 1 << 20, m = 1 << 25;
    assert_true(fri_bfs_hub_cost_ns(n, m, 2) < fri_bfs_hub_cost_ns(n, m, 1));
    assert_true(fri_bfs_hub_cost_ns(n, m, 2) < fri_bfs_hub_cost_ns(n, 2 * m, 2));
    assert_true(fri_bfs_first_hub_saving_ns(n, m, 2) > 0);
    assert_true(fri_sssp_sort_ns(m, 2) < fri_sssp_sort_ns(m, 1));
    /* whole traversals pay for the rows before the tenth, on any number of threads */
    assert_true(10 * fri_sssp_sorted_saving_ns(m, 2) > fri_sssp_sort_ns(m, 2));
    assert_true(10 * fri_bfs_first_hub_saving_ns(n, m, 2) > fri_bfs_hub_cost_ns(n, m, 2));
}

TEST_PROGRAM(TEST(unknown_number_of_queries), TEST(known_number_of_queries),
             TEST(more_queries_than_expected), TEST(hub_parents_save_on_large_levels),
             TEST(in_edges_save_on_large_levels),
             TEST(costs_grow_with_the_graph_and_fall_with_threads))
