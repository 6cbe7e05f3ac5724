/* Generators: the same graph on any number of threads, refusals with messages, cancellation, the
 * list. */
#include "support/support.h"

#include "gen/generator.h"

#include <stdio.h>

static const char *const seeded[] = {
    "kronecker:scale=13,seed=%d",
    "rmat:scale=12,n=3000,noise=0.05,seed=%d",
    "uniform:n=5000,seed=%d",
    "grid2d:rows=100,cols=90,keep=0.7,seed=%d",
    "grid3d:x=20,y=21,z=22,keep=0.9,seed=%d",
    "small-world:n=5000,seed=%d",
    "forest-fire:n=3000,seed=%d",
    "scale-free:n=30000,seed=%d",
    "random-geometric:n=9000,seed=%d",
};

/* 1, 2 and 3 threads: one graph; another seed: another graph. */
static void deterministic(void **state) {
    fr_ctx *ctx = *state;
    for (size_t i = 0; i < COUNT(seeded); i++) {
        uint64_t hash[4];
        for (int threads = 1; threads <= 4; threads++) {
            char description[80];
            snprintf(description, sizeof description, seeded[i], threads <= 3 ? 11 : 12);
            assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
            fr_graph *graph = test_generated(ctx, description, 0);
            hash[threads - 1] = fr_graph_hash(graph);
            fr_graph_free(graph);
        }
        print_message("%s\n", seeded[i]);
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
        assert_true(hash[0] != hash[3]);
    }
}

/* Options mean what they mean for a file. */
static void options(void **state) {
    fr_load_options o = {.drop_loops = true,
                         .drop_parallel = true,
                         .id_base = 2,
                         .weights = FR_WEIGHTS_RANDOM,
                         .weight_low = 3,
                         .weight_high = 9,
                         .seed = 4};
    fr_graph *graph;
    assert_ok(*state, fr_graph_generate(*state, "kronecker:scale=12", &o, &graph));
    const fr_csr *csr = fr_graph_csr(graph);
    assert_true(csr->m < 2 * (16 << 12) && csr->weight_type == FR_TYPE_I32);
    int64_t seen[10] = {0};
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            assert_true(csr->targets[e] != u);
            assert_true(e == csr->offsets[u] || csr->targets[e - 1] < csr->targets[e]);
            assert_in_range(((const int32_t *)csr->weights)[e], 3, 9);
            seen[((const int32_t *)csr->weights)[e]]++;
        }
    for (int w = 3; w <= 9; w++) /* uniform within a tenth */
        assert_true(llabs(seen[w] * 7 - csr->m) < csr->m / 10);
    assert_int_equal(fr_graph_id(graph, 0), 1);
    fr_graph_free(graph);
    fr_load_options bad = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 3, .weight_high = 2};
    assert_int_equal(fr_graph_generate(*state, "path", &bad, &graph), FR_INVALID);
    assert_null(graph);
}

/* The bijection is one, for every width and for bounds that are no power of two. */
static void scramble(void **state) {
    (void)state;
    for (int bits = 0; bits <= 12; bits++) {
        uint64_t bound = bits < 2 ? UINT64_C(1) << bits : (UINT64_C(1) << bits) - 1;
        uint8_t seen[4096] = {0};
        fri_permutation s = fri_permutation_of(77, bits);
        for (uint64_t x = 0; x < bound; x++) {
            uint64_t y = fri_permute_below(&s, x, bound);
            assert_true(y < bound);
            assert_int_equal(seen[y]++, 0);
        }
    }
}

static void refusals(void **state) {
    static const struct {
        const char *description;
        fr_status status;
        const char *says;
    } cases[] = {
        {"kroneker", FR_INVALID, "kronecker, rmat, uniform"},
        {"", FR_INVALID, "no generator ''"},
        {"kronecker:scale", FR_INVALID, "scale (integer, 0 to 30)"},
        {"kronecker:scale=", FR_INVALID, "scale (integer, 0 to 30)"},
        {"kronecker:scale=31", FR_INVALID, "0 to 30"},
        {"kronecker:scale=10x", FR_INVALID, "'scale=10x'"},
        {"kronecker:scale=1.5", FR_INVALID, "integer"},
        {"kronecker:scale=-1", FR_INVALID, "0 to 30"},
        {"kronecker:scale=nan", FR_INVALID, "0 to 30"},
        {"kronecker:scale=3,scale=4", FR_INVALID, "twice"},
        {"kronecker:depth=3", FR_INVALID, "no parameter 'depth'; it takes scale"},
        {"kronecker:scale=3,,seed=1", FR_INVALID, "no parameter ''"},
        {"kronecker:scale=3,", FR_INVALID, "no parameter ''"},
        {"kronecker:a=0.9,b=0.2", FR_INVALID, "must be 1"},
        {"kronecker:noise=0.4", FR_INVALID, "noise"},
        {"kronecker:scale=30,edge_factor=1048576", FR_RANGE, "2^40"},
        {"rmat:d=0.5", FR_INVALID, "must be 1"},
        {"rmat:scale=4,n=17", FR_INVALID, "2^scale"},
        {"rmat:scale=31", FR_RANGE, "2^31-1"},
        {"grid2d:neighbors=5", FR_INVALID, "4, 6 or 8"},
        {"grid2d:rows=100000,cols=100000", FR_RANGE, "2^31-1"},
        {"grid3d:x=2147483647,y=2147483647,z=2147483647", FR_RANGE, "2^31-1"},
        {"clique:n=2147483647", FR_RANGE, "2^40"},
        {"clique:n=1000000", FR_NOMEM, "TiB in addition to"},
        {"uniform:n=2147483647,edges=1e12", FR_NOMEM, "TiB in addition to"},
        {"small-world:k=3", FR_INVALID, "even"},
        {"small-world:n=4,k=4", FR_INVALID, "below n"},
        {"random-geometric:radius=0.1,degree=3", FR_INVALID, "radius or degree"},
        {"forest-fire:f=1", FR_INVALID, "0.999"},
        {"path:n=1e3", FR_OK, ""},
        {"path:", FR_OK, ""},
    };
    (void)state;
    fr_ctx_options options = {.threads = 2, .max_memory_bytes = (size_t)1 << 30};
    fr_ctx *ctx = test_ctx(&options);
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = NULL;
        fr_status status = fr_graph_generate(ctx, cases[i].description, NULL, &graph);
        print_message("%s: %s\n", cases[i].description, status ? fr_ctx_error(ctx) : "made");
        assert_int_equal(status, cases[i].status);
        assert_true(!status == !!graph);
        if (status)
            assert_non_null(strstr(fr_ctx_error(ctx), cases[i].says));
        fr_graph_free(graph);
    }
    fr_ctx_free(ctx);
}

static void cancelled(void **state) {
    (void)state;
    const char *const long_ones[] = {"kronecker:scale=18", "forest-fire:n=100000",
                                     "grid2d:rows=2000,cols=2000,keep=0.5"};
    test_watch watch = {.stop_at = 2};
    fr_ctx *ctx = test_ctx_watched(&watch, 1);
    for (size_t i = 0; i < COUNT(long_ones); i++) {
        fr_graph *graph = NULL;
        watch.calls = 0;
        assert_int_equal(fr_graph_generate(ctx, long_ones[i], NULL, &graph), FR_CANCELLED);
        assert_null(graph);
        assert_int_equal(watch.calls, 2);
    }
    fr_ctx_free(ctx);
}

/* The list shows every parameter with its default. */
static void texts(void **state) {
    (void)state;
    int count = 0;
    for (; fr_generator_name(count); count++)
        for (const fri_parameter *p = fri_generators[count]->parameters; p->name; p++) {
            char item[40];
            snprintf(item, sizeof item, " %s=", p->name);
            assert_non_null(strstr(fr_generator_description(count), item));
        }
    assert_int_equal(count, 14);
    assert_null(fr_generator_description(count));
    assert_null(fr_generator_name(-1));
    assert_non_null(strstr(fr_generator_description(0), "edge_factor=16 (edges per vertex)"));
}

TEST_PROGRAM(TEST(deterministic), TEST(options), TEST(scramble), TEST(refusals), TEST(cancelled),
             TEST(texts))
