/* The cache file next to the input: used while it is fresh, ignored when it is not. */
#include "graph/build/load.h"
#include "graph/graph.h"
#include "support/files.h"

#include <utime.h>

static const char first[] = "0 1 5\n1 2 6\n", second[] = "0 1 5\n1 2 7\n";
static const fr_load_options cached = {.cache = true};

static fr_graph *load(fr_ctx *ctx, const fr_load_options *options) {
    fr_graph *graph;
    assert_ok(ctx, fr_graph_load(ctx, test_path("c.wel"), options, &graph));
    return graph;
}

static int last_weight(const fr_graph *graph) {
    const fr_csr *csr = fr_graph_csr(graph);
    return ((const int32_t *)csr->weights)[csr->m - 1];
}

static void used_when_fresh(void **state) {
    test_put("c.wel", first, sizeof first - 1);
    fr_graph *parsed = load(*state, &cached), *copy = load(*state, &cached);
    assert_null(parsed->text.data);
    assert_non_null(copy->text.data); /* it lies in the mapped copy */
    assert_same_graph("copy", parsed, copy);
    assert_string_equal(fr_graph_name(copy), test_path("c.wel"));
    assert_true(fr_graph_hash(copy) == fr_graph_hash(parsed));
    fr_graph_free(parsed);
    fr_graph_free(copy);
}

/* Same size, same time, other content. */
static void not_used_when_stale(void **state) {
    test_put("c.wel", first, sizeof first - 1);
    const struct utimbuf then = {1000000000, 1000000000};
    assert_int_equal(utime(test_path("c.wel"), &then), 0);
    fr_graph_free(load(*state, &cached));
    test_put("c.wel", second, sizeof second - 1);
    assert_int_equal(utime(test_path("c.wel"), &then), 0);
    fr_graph *graph = load(*state, &cached);
    assert_int_equal(last_weight(graph), 7);
    fr_graph_free(graph);
}

static void not_used_for_other_options(void **state) {
    test_put("c.wel", first, sizeof first - 1);
    fr_graph_free(load(*state, &cached));
    const fr_load_options others[] = {
        {.cache = true, .direction = FR_DIRECTION_UNDIRECTED},
        {.cache = true, .id_base = 2},
        {.cache = true, .weight_type = FR_TYPE_F64},
        {.cache = true, .weights = FR_WEIGHTS_NONE},
        {.cache = true, .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 9},
        {.cache = true, .format = "snap"},
    };
    for (size_t i = 0; i < COUNT(others); i++) {
        fr_load_options plain = others[i];
        plain.cache = false;
        if (others[i].id_base) { /* this file has an id 0 */
            fr_graph *none;
            assert_int_equal(fr_graph_load(*state, test_path("c.wel"), &others[i], &none),
                             FR_FORMAT);
            continue;
        }
        fr_graph *expected = load(*state, &plain), *graph = load(*state, &others[i]);
        assert_null(graph->text.data);
        assert_same_graph("other options", expected, graph);
        fr_graph_free(graph);
        fr_graph_free(expected);
    }
}

static void damage_means_no_copy(void **state) {
    test_put("c.wel", first, sizeof first - 1);
    fr_graph_free(load(*state, &cached));
    size_t size;
    char *bytes = test_read(test_path("c.wel.fringe-cache"), &size);
    for (size_t at = 0; at < size; at += 7) {
        bytes[at] ^= 4;
        test_put("c.wel.fringe-cache", bytes, size);
        bytes[at] ^= 4;
        fr_graph *graph = load(*state, &cached);
        assert_int_equal(last_weight(graph), 6);
        fr_graph_free(graph);
    }
    free(bytes);
}

static uint64_t key_of(fr_ctx *ctx, const fr_load_options *options) {
    uint64_t key;
    assert_ok(ctx, fri_cache_key(ctx, test_path("c.wel"), options, &key));
    return key;
}

/* The same name for another column is another graph. */
static void a_key_tells_columns_apart(void **state) {
    const fr_load_options options[] = {{.source_column = "a"},
                                       {.target_column = "a"},
                                       {.weight_column = "a"},
                                       {.separator = ','},
                                       {.separator = ';'},
                                       {.decimal = ','},
                                       {0}};
    enum { OPTIONS = COUNT(options) };
    test_put("c.wel", first, sizeof first - 1);
    for (int i = 0; i < OPTIONS; i++)
        for (int k = 0; k < OPTIONS; k++)
            if ((key_of(*state, &options[i]) == key_of(*state, &options[k])) != (i == k))
                fail_msg("keys of options %d and %d: equal, should be %s", i, k,
                         i == k ? "so" : "different");
}

/* The input changes while the graph is made: which of both the graph is, no one knows. */
static void no_copy_of_an_input_that_changed(void **state) {
    assert_true(test_shell("rm -rf c.wel*"));
    test_put("c.wel", first, sizeof first - 1);
    const uint64_t key = key_of(*state, &cached);
    fr_graph *graph = load(*state, &(fr_load_options){0});
    test_put("c.wel", second, sizeof second - 1);
    assert_ok(*state, fri_cache_keep(*state, test_path("c.wel"), &cached, key, graph));
    assert_true(test_shell("! test -e c.wel.fringe-cache"));
    test_put("c.wel", first, sizeof first - 1);
    assert_ok(*state, fri_cache_keep(*state, test_path("c.wel"), &cached, key, graph));
    assert_true(test_shell("test -e c.wel.fringe-cache"));
    fr_graph_free(graph);
}

/* A cache file that cannot be written is no failure: the graph loads, and the message gives the
 * reason. */
static void no_room_for_a_copy(void **state) {
    assert_true(test_shell("rm -f d.wel*; mkdir d.wel.fringe-cache"));
    test_put("d.wel", first, sizeof first - 1);
    fr_graph *graph;
    assert_ok(*state, fr_graph_load(*state, test_path("d.wel"), &cached, &graph));
    assert_non_null(strstr(fr_ctx_error(*state), "is a directory"));
    fr_graph_free(graph);
}

static void refused(void **state) {
    fr_graph *graph;
    assert_int_equal(fr_graph_load(*state, TEST_DATA "/eight.e", &cached, &graph), FR_INVALID);
    assert_int_equal(fr_graph_load(*state, "/nonexistent/g.mtx", &cached, &graph), FR_NOT_FOUND);
    assert_int_equal(fr_graph_load(*state, "/dev/null", &cached, &graph), FR_INVALID);
}

TEST_PROGRAM_IN_FOLDER(TEST(used_when_fresh), TEST(not_used_when_stale),
                       TEST(not_used_for_other_options), TEST(damage_means_no_copy),
                       TEST(no_room_for_a_copy), TEST(refused), TEST(a_key_tells_columns_apart),
                       TEST(no_copy_of_an_input_that_changed))
