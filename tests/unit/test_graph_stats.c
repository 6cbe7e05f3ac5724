/* Facts of generated graphs with known diameters, the same on any number of threads. Random graphs: tests/random/operations.c. */
#include "support/support.h"

static void known(void **state) {
    static const struct {
        const char *description;
        int32_t components, largest, isolated, diameter, mode;
    } cases[] = {
        {"path:n=0", 0, 0, 0, 0, 0},
        {"path:n=1", 1, 1, 1, 0, 0},
        {"path:n=30000", 1, 30000, 0, 29999, 2},
        {"star:n=5000", 1, 5000, 0, 2, 1},
        {"clique:n=300", 1, 300, 0, 1, 299},
        {"tree:n=1023", 1, 1023, 0, 18, 1},
        {"grid2d:rows=300,cols=200", 1, 60000, 0, 498, 4},
        {"grid3d:x=20,y=30,z=40", 1, 24000, 0, 87, 6},
        {"grid2d:rows=20,cols=20,keep=0", 400, 1, 400, 0, 0},
    };
    fr_ctx *ctx = *state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int directed = 0; directed < 2; directed++) {
            fr_graph *graph =
                test_made(ctx, cases[i].description,
                          (fr_load_options){.direction = directed ? FR_DIRECTION_DIRECTED
                                                                  : FR_DIRECTION_FILE});
            fr_graph_stats f = {0};
            assert_ok(ctx, fr_graph_compute_stats(ctx, graph, &f));
            print_message("%s\n", cases[i].description);
            assert_int_equal(f.components, cases[i].components);
            assert_int_equal(f.largest_component, cases[i].largest);
            assert_int_equal(f.isolated, cases[i].isolated);
            assert_int_equal(f.diameter_lower_bound, cases[i].diameter);
            if (!directed)
                assert_int_equal(f.degree_mode, cases[i].mode);
            fr_graph_free(graph);
        }
}

/* Large enough that every parallel part and bottom-up run. */
static void threads(void **state) {
    const char *const graphs[] = {"kronecker:scale=16", "uniform:n=60000,edges=50000",
                                  "rmat:scale=16,edges=200000",
                                  "grid2d:rows=400,cols=300,keep=0.6"};
    fr_ctx *ctx = *state;
    for (size_t i = 0; i < COUNT(graphs); i++) {
        fr_graph *graph = test_generated(ctx, graphs[i], 0);
        fr_graph_stats stats[3] = {0};
        memset(stats, 0, sizeof stats);
        for (int t = 1; t <= 3; t++) {
            assert_ok(ctx, fr_ctx_set_threads(ctx, t));
            assert_ok(ctx, fr_graph_compute_stats(ctx, graph, &stats[t - 1]));
        }
        for (int t = 1; t < 3; t++) {
            assert_int_equal(stats[t].components, stats[0].components);
            assert_int_equal(stats[t].largest_component, stats[0].largest_component);
            assert_int_equal(stats[t].diameter_lower_bound, stats[0].diameter_lower_bound);
            assert_int_equal(stats[t].degree_mode, stats[0].degree_mode);
            assert_true(stats[t].degree_stddev == stats[0].degree_stddev);
            assert_memory_equal(stats[t].degree_histogram, stats[0].degree_histogram,
                                sizeof stats[0].degree_histogram);
            assert_memory_equal(stats[t].component_histogram, stats[0].component_histogram,
                                sizeof stats[0].component_histogram);
        }
        int64_t max_degree = stats[0].degree_max;
        assert_true(stats[0].parallel_edges > 0 || i == 3);
        assert_true(max_degree >= stats[0].degree_mean);
        fr_graph_free(graph);
    }
}

static fr_status compute(fr_ctx *ctx, void *graph) {
    fr_graph_stats stats = {0};
    return fr_graph_compute_stats(ctx, graph, &stats);
}

/* Cancelled wherever it reports: nothing stays allocated. */
static void cancelled(void **state) {
    (void)state;
    test_watch watch = {0};
    fr_ctx *ctx = test_ctx_watched(&watch, 2);
    fr_graph *graph = test_generated(ctx, "rmat:scale=10", 0);
    assert_true(test_each_report(ctx, &watch, 1, compute, graph) > 8);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(known), TEST(threads), TEST(cancelled))
