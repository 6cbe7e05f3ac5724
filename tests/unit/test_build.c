/* The CSR builder, the transpose and the symmetry check against plain code on large random multigraphs, and what they
 * refuse. */
#include "base/rng.h"
#include "graph/graph.h"
#include "support/support.h"

#include <math.h>

typedef struct {
    int32_t u, v;
    double w;
} arc;

static int by_row(const void *a, const void *b) {
    const arc *x = a, *y = b;
    if (x->u != y->u)
        return x->u < y->u ? -1 : 1;
    if (x->v != y->v)
        return x->v < y->v ? -1 : 1;
    return (x->w > y->w) - (x->w < y->w);
}

static double weight_of(const fr_csr *csr, int64_t e) {
    switch (csr->weight_type) {
    case FR_TYPE_I32: return ((const int32_t *)csr->weights)[e];
    case FR_TYPE_F32: return (double)((const float *)csr->weights)[e];
    case FR_TYPE_F64: return ((const double *)csr->weights)[e];
    default: return 0;
    }
}

/* The arcs as a CSR must hold them, sorted; *m is how many. */
static arc *expected(const arc *arcs, int64_t *m, const fr_load_options *o) {
    arc *all = malloc((size_t)(2 * *m + 1) * sizeof *all);
    int64_t count = 0, kept = 0;
    for (int64_t i = 0; i < *m; i++) {
        if (arcs[i].u == arcs[i].v && o->drop_loops)
            continue;
        all[count++] = arcs[i];
        if (o->direction == FR_DIRECTION_UNDIRECTED && arcs[i].u != arcs[i].v)
            all[count++] = (arc){arcs[i].v, arcs[i].u, arcs[i].w};
    }
    qsort(all, (size_t)count, sizeof *all, by_row);
    for (int64_t i = 0; i < count; i++)
        if (!o->drop_parallel || kept == 0 || all[kept - 1].u != all[i].u ||
            all[kept - 1].v != all[i].v)
            all[kept++] = all[i];
    *m = kept;
    return all;
}

static bool plain_symmetric(const fr_csr *csr) {
    arc *forth = malloc((size_t)(csr->m + 1) * sizeof *forth);
    arc *back = malloc((size_t)(csr->m + 1) * sizeof *back);
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            forth[e] = (arc){u, csr->targets[e], weight_of(csr, e)};
            back[e] = (arc){csr->targets[e], u, weight_of(csr, e)};
        }
    qsort(back, (size_t)csr->m, sizeof *back, by_row);
    bool same = true;
    for (int64_t e = 0; e < csr->m && same; e++)
        same = by_row(&forth[e], &back[e]) == 0;
    free(forth);
    free(back);
    return same;
}

static void assert_rows(const fr_csr *csr, const arc *want, int64_t m) {
    assert_int_equal(csr->m, m);
    assert_int_equal(csr->offsets[0], 0);
    assert_int_equal(csr->offsets[csr->n], m);
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (want[e].u != u || want[e].v != csr->targets[e] ||
                (csr->weights && want[e].w != weight_of(csr, e)))
                fail_msg("edge %lld is %d -> %d, not %d -> %d", (long long)e, u, csr->targets[e],
                         want[e].u, want[e].v);
}

static void check_transpose(fr_ctx *ctx, const fr_csr *csr, const arc *want, int64_t m) {
    fr_csr turned;
    arc *back = malloc((size_t)(m + 1) * sizeof *back);
    for (int64_t i = 0; i < m; i++)
        back[i] = (arc){want[i].v, want[i].u, want[i].w};
    qsort(back, (size_t)m, sizeof *back, by_row);
    assert_ok(ctx, fri_csr_transpose(ctx, csr, &turned));
    assert_rows(&turned, back, m);
    fri_csr_free(&turned);
    free(back);
}

/* Random arcs: some vertices are hubs, some edges parallel, some loops, some weights negative. */
static arc *random_arcs(uint64_t seed, int32_t n, int64_t m) {
    arc *arcs = malloc((size_t)(m + 1) * sizeof *arcs);
    for (int64_t i = 0; i < m; i++) {
        uint64_t r = fri_random(seed, (uint64_t)i), hub = r >> 60;
        arcs[i].u =
            (int32_t)fri_random_below(fri_mix64(r), hub < 3 ? 1 + (uint64_t)n / 50 : (uint64_t)n);
        arcs[i].v = (int32_t)fri_random_below(fri_mix64(r + 1), (uint64_t)n);
        if (hub == 15 && i)
            arcs[i].v = arcs[i - 1].v;
        if (hub == 14)
            arcs[i].v = arcs[i].u;
        arcs[i].w = (double)(int64_t)(fri_mix64(r + 2) & 7) - 3;
    }
    return arcs;
}

static void build_one(int threads, const arc *arcs, int32_t n, int64_t m, fr_type type,
                      const fr_load_options *o) {
    fr_ctx *ctx = test_ctx_threads(threads);
    int32_t *src = malloc((size_t)(m + 1) * 4), *dst = malloc((size_t)(m + 1) * 4);
    double *weights = malloc((size_t)(m + 1) * 8);
    for (int64_t i = 0; i < m; i++) {
        src[i] = arcs[i].u;
        dst[i] = arcs[i].v;
        if (type == FR_TYPE_I32)
            ((int32_t *)(void *)weights)[i] = (int32_t)arcs[i].w;
        else if (type == FR_TYPE_F32)
            ((float *)(void *)weights)[i] = (float)arcs[i].w;
        else
            weights[i] = arcs[i].w;
    }
    fr_graph *graph = test_of_edges(ctx, n, m, src, dst, type ? weights : NULL, type, o);
    const fr_csr *csr = fr_graph_csr(graph);
    int64_t want_m = m;
    arc *want = expected(arcs, &want_m, o);
    if (!type)
        for (int64_t i = 0; i < want_m; i++)
            want[i].w = 0;
    assert_rows(csr, want, want_m);
    assert_int_equal(csr->symmetric, plain_symmetric(csr));
    bool symmetric;
    assert_ok(ctx, fri_csr_is_symmetric(ctx, csr, &symmetric));
    assert_int_equal(symmetric, plain_symmetric(csr));
    check_transpose(ctx, csr, want, want_m);
    free(want);
    free(src);
    free(dst);
    free(weights);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* Two segments, so two threads at most; small graphs: tests/random/make.c. */
static void every_option(void **state) {
    enum { N = 900, M = 33000 };
    static const fr_type types[] = {FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_F32, FR_TYPE_F64};
    (void)state;
    arc *arcs = random_arcs(7, N, M);
    for (int i = 0; i < 32; i++) {
        const fr_load_options o = {.direction = i & 1 ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_FILE,
                                   .drop_loops = i & 2,
                                   .drop_parallel = i & 4};
        build_one(2, arcs, N, M, types[i / 8], &o);
    }
    free(arcs);
}

/* More than 4 million vertices: keys of six bytes; one bucket larger than the usual sorter. */
static void wide_keys_and_a_hub(void **state) {
    (void)state;
    int32_t n = 6000000;
    int64_t m = 360000;
    arc *arcs = random_arcs(3, n, m);
    for (int64_t i = 0; i < m; i++)
        if (i % 4)
            arcs[i].u = n - 1;
    build_one(1, arcs, n, m, FR_TYPE_NONE,
              &(fr_load_options){.direction = FR_DIRECTION_UNDIRECTED});
    build_one(2, arcs, n, m, FR_TYPE_F64, &(fr_load_options){.drop_parallel = true});
    free(arcs);
}

static void stored_both_ways_is_symmetric(void **state) {
    static const struct {
        const char *graph;
        fr_type weights;
        bool symmetric;
    } cases[] = {{"4: 0>1 1>0 1>2 2>1 2>2", FR_TYPE_NONE, true},
                 {"4: 0>1/4 1>0/4 1>2/5 2>1/5 2>2/9", FR_TYPE_I32, true},
                 {"4: 0>1/4 1>0/4 1>2/5 2>1/6 2>2/9", FR_TYPE_I32, false},
                 {"4: 0>1/4 1>0/4 1>2/5 2>1/6 2>2/9", FR_TYPE_I64, false},
                 {"4: 0>1/4 1>0/4 1>2/.5 2>1/.6 2>2/9", FR_TYPE_F32, false},
                 {"4: 0>1/4 1>0/4 1>2/.5 2>1/.6 2>2/9", FR_TYPE_F64, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *directed = test_graph_of(*state, cases[i].graph, cases[i].weights);
        const fr_csr *csr = fr_graph_csr(directed);
        int32_t src[5];
        for (int32_t u = 0; u < csr->n; u++)
            for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
                src[e] = u;
        fr_graph *graph =
            test_of_edges(*state, 4, 5, src, csr->targets, csr->weights, cases[i].weights, NULL);
        assert_int_equal(fr_graph_is_symmetric(graph), cases[i].symmetric);
        fr_graph_free(graph);
        fr_graph_free(directed);
    }
}

static void wrong_edges_are_refused(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 3}, dst[] = {1, 1};
    const double weights[] = {1, NAN};
    fr_graph *graph = NULL;
    assert_refused(ctx, fr_graph_from_edges(ctx, 3, 2, src, dst, NULL, FR_TYPE_NONE, NULL, &graph),
                   FR_INVALID, "edge 1 goes from 3 to 1; vertices are 0 to 2");
    assert_int_equal(fr_graph_from_edges(ctx, 4, 2, src, dst, weights, FR_TYPE_F64, NULL, &graph),
                     FR_RANGE);
    assert_int_equal(
        fr_graph_from_edges(ctx, 4, 2, src, dst, weights, FR_TYPE_F64 + 1, NULL, &graph),
        FR_INVALID);
    assert_int_equal(fr_graph_from_edges(ctx, -1, 0, src, dst, NULL, FR_TYPE_NONE, NULL, &graph),
                     FR_INVALID);
    assert_null(graph);
}

static fr_status wrap(fr_ctx *ctx, fr_csr csr) {
    fr_graph *graph = NULL;
    fr_status status = fr_graph_from_csr(ctx, &csr, &graph);
    assert_int_equal(status == FR_OK, graph != NULL);
    fr_graph_free(graph);
    return status;
}

/* 0 -> 0, 0 -> 1, 1 -> 0 is right; each row has something else. */
static void a_csr_is_checked(void **state) {
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t targets[] = {0, 1, 0}, parallel[] = {1, 1, 0};
    static const int32_t up[] = {1, 2, 3}, down[] = {2, 1, 3};
    static const float inf[] = {1, INFINITY, 1};
    const struct {
        const int64_t *offsets;
        const int32_t *targets;
        const void *weights;
        fr_type type;
        bool symmetric;
        fr_status status;
    } cases[] = {
        {offsets, targets, NULL, FR_TYPE_NONE, true, FR_OK},
        {(const int64_t[]){0, 4, 3}, targets, NULL, FR_TYPE_NONE, true, FR_INVALID},
        {(const int64_t[]){1, 2, 3}, targets, NULL, FR_TYPE_NONE, true, FR_INVALID},
        {offsets, (const int32_t[]){1, 0, 0}, NULL, FR_TYPE_NONE, true, FR_INVALID},
        {offsets, (const int32_t[]){0, 2, 0}, NULL, FR_TYPE_NONE, true, FR_INVALID},
        {offsets, parallel, NULL, FR_TYPE_NONE, true, FR_INVALID}, /* 0 -> 1 twice, 1 -> 0 once */
        {offsets, parallel, NULL, FR_TYPE_NONE, false, FR_OK},
        {offsets, parallel, up, FR_TYPE_NONE, false, FR_INVALID}, /* without a type */
        {offsets, parallel, up, FR_TYPE_I32, false, FR_OK},
        {offsets, parallel, down, FR_TYPE_I32, false, FR_INVALID},
        {offsets, targets, inf, FR_TYPE_F32, true, FR_RANGE},
        {offsets, targets, up, (fr_type)77, true, FR_INVALID},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_csr csr = {2,
                      3,
                      cases[i].offsets,
                      cases[i].targets,
                      cases[i].weights,
                      cases[i].type,
                      cases[i].symmetric};
        if (wrap(*state, csr) != cases[i].status)
            fail_msg("case %zu: %s", i, fr_ctx_error(*state));
    }
}

/* 200 random edges among 40 vertices, both ways, with weights by these options. */
static fr_status draw(fr_ctx *ctx, fr_load_options o, fr_graph **graph) {
    int32_t src[200], dst[200];
    for (int i = 0; i < 200; i++) {
        src[i] = (int32_t)(fri_random(1, (uint64_t)i) % 40);
        dst[i] = (int32_t)(fri_random(2, (uint64_t)i) % 40);
    }
    o.direction = FR_DIRECTION_UNDIRECTED;
    o.seed = 5;
    return fr_graph_from_edges(ctx, 40, 200, src, dst, NULL, FR_TYPE_NONE, &o, graph);
}

static void random_weights_agree_both_ways(void **state) {
    static const struct {
        double low, high;
        fr_status status;
    } cases[] = {{1, 3, FR_OK},
                 {-2, 2, FR_OK},
                 {7, 7, FR_OK},
                 {0.25, 0.5, FR_OK},
                 {2, 1, FR_INVALID},
                 /* the difference is infinite: all weights would be one of the bounds */
                 {-1.5e308, 1.5e308, FR_INVALID}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double minimum = cases[i].low, maximum = cases[i].high;
        const fr_load_options o = {
            .weights = FR_WEIGHTS_RANDOM, .weight_low = minimum, .weight_high = maximum};
        const bool whole = minimum == floor(minimum);
        double low = INFINITY, high = -INFINITY;
        fr_graph *graph;
        assert_int_equal(draw(*state, o, &graph), cases[i].status);
        if (!graph)
            continue;
        const fr_csr *csr = fr_graph_csr(graph);
        for (int64_t e = 0; e < csr->m; e++) {
            low = fmin(low, weight_of(csr, e));
            high = fmax(high, weight_of(csr, e));
        }
        assert_int_equal(csr->weight_type, whole ? FR_TYPE_I32 : FR_TYPE_F64);
        assert_true(plain_symmetric(csr));
        assert_true(low >= minimum && high <= maximum);
        assert_true(whole ? low == minimum && high == maximum : low < 0.3 && high > 0.45);
        fr_graph_free(graph);
    }
}

/* Mean, median and exact values of skewed lengths: they must be the same on every machine. */
static void skewed_weights(void **state) {
    enum { N = 200, M = 20000 };
    static const struct {
        fr_weights kind;
        double low, high, median, mean, first, last; /* first, last: of float64 */
    } cases[] = {
        {FR_WEIGHTS_EXPONENTIAL, 100, 0, 69.3, 100, 0x1.a2adc2bdbafe3p+5, 0x1.e7a8ce4caebb5p+7},
        {FR_WEIGHTS_LOGNORMAL, 100, 1.5, 100, 308, 0x1.84c7943b39be9p+5, 0x1.34f90911c3c3cp+11}};
    static const fr_type types[] = {FR_TYPE_F64, FR_TYPE_F32, FR_TYPE_I32};
    static int32_t src[M], dst[M];
    for (int32_t i = 0; i < M; i++) {
        src[i] = i / N;
        dst[i] = N / 2 + i % (N / 2);
    }
    for (size_t i = 0; i < COUNT(cases) * COUNT(types); i++) {
        fr_load_options o = {.weights = cases[i / 3].kind,
                             .weight_low = cases[i / 3].low,
                             .weight_high = cases[i / 3].high,
                             .weight_type = types[i % 3],
                             .seed = 3};
        fr_graph *graph = test_of_edges(*state, N, M, src, dst, NULL, FR_TYPE_NONE, &o);
        const fr_csr *csr = fr_graph_csr(graph);
        double sum = 0, below = 0;
        for (int64_t e = 0; e < M; e++) {
            const double w = weight_of(csr, e);
            sum += w;
            below += w < cases[i / 3].median;
            assert_true(i % 3 < 2 ? w > 0 : w >= 1 && w == floor(w));
        }
        assert_true(fabs(below / M - 0.5) < 0.03 && fabs(sum / M / cases[i / 3].mean - 1) < 0.1);
        assert_true(i % 3 || (weight_of(csr, 0) == cases[i / 3].first &&
                              weight_of(csr, M - 1) == cases[i / 3].last));
        fr_graph_free(graph);
        o.weight_low = i % 2 ? 1e308 : 0; /* some length fits no type; no length */
        assert_int_equal(
            fr_graph_from_edges(*state, N, M, src, dst, NULL, FR_TYPE_NONE, &o, &graph),
            FR_INVALID);
    }
}

/* Weights from potentials: below 0 here and there, and around every cycle what is random alone. */
static void potential_weights(void **state) {
    fr_ctx *ctx = *state;
    fr_load_options o = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 9};
    fr_graph *plain, *lifted;
    assert_ok(ctx, draw(ctx, o, &plain));
    o.weights = FR_WEIGHTS_POTENTIAL;
    o.potential_max = 50;
    assert_ok(ctx, draw(ctx, o, &lifted));
    const fr_csr *a = fr_graph_csr(plain), *b = fr_graph_csr(lifted);
    assert_true(a->m == b->m && a->symmetric && !b->symmetric && b->weight_type == FR_TYPE_I32);
    int32_t from[40] = {0}, to[40] = {0}, parent[40];
    assert_ok(ctx, fr_sssp(ctx, plain, 3, from, parent));
    assert_ok(ctx, fr_sssp(ctx, lifted, 3, to, parent));
    double minimum = 0;
    for (int32_t u = 0; u < 40; u++)
        for (int64_t e = a->offsets[u]; e < a->offsets[u + 1]; e++) {
            int32_t v = a->targets[e];
            double rise = weight_of(b, e) - weight_of(a, e); /* p(u) - p(v), from the distances */
            minimum = fmin(minimum, weight_of(b, e));
            if (from[u] != FR_INF_I32)
                assert_true(rise == (to[v] - from[v]) - (to[u] - from[u]));
        }
    assert_true(minimum < 0);
    fr_graph_free(plain);
    fr_graph_free(lifted);
    const double wrong[][3] = {{-1, 2, 5}, {1, 2, -1}, {1, 2, 0.5}, {1, 2000000000, 1 << 30}};
    for (int i = 0; i < 4; i++) {
        o.weight_low = wrong[i][0];
        o.weight_high = wrong[i][1];
        o.potential_max = wrong[i][2];
        assert_int_equal(draw(ctx, o, &plain), FR_INVALID);
    }
}

/* Rows of three targets 3, 4, 5 each, one of them broken. */
static void a_bad_row_is_found(void **state) {
    enum { ROWS = 5000, DEGREE = 3, KINDS = 4 };
    static const int32_t broken[KINDS][DEGREE] = {
        {3, 5, 4}, {-1, 4, 5}, {3, 4, ROWS}, {4, 4, 5} /* with equal targets, weights descend */
    };
    static int64_t offsets[ROWS + 1];
    static int32_t targets[ROWS * DEGREE], weights[ROWS * DEGREE];
    fr_ctx *ctx = *state;
    for (int64_t e = 0; e < ROWS * DEGREE; e++) {
        offsets[e / DEGREE] = e / DEGREE * DEGREE;
        targets[e] = (int32_t)(3 + e % DEGREE);
        weights[e] = (int32_t)(9 - e % DEGREE);
    }
    offsets[ROWS] = ROWS * DEGREE;
    fr_csr csr = {ROWS, ROWS * DEGREE, offsets, targets, NULL, FR_TYPE_NONE, false};
    fr_csr weighted = csr;
    weighted.weights = weights;
    weighted.weight_type = FR_TYPE_I32;
    assert_ok(ctx, wrap(ctx, csr));
    assert_ok(ctx, wrap(ctx, weighted));
    for (int row = 0; row < ROWS; row += row == ROWS - 2 ? 1 : 714)
        for (int kind = 0; kind < KINDS; kind++) {
            int32_t *at = &targets[row * DEGREE];
            memcpy(at, broken[kind], sizeof broken[kind]);
            assert_int_equal(wrap(ctx, csr), kind == 3 ? FR_OK : FR_INVALID);
            assert_int_equal(wrap(ctx, weighted), FR_INVALID);
            memcpy(at, &targets[row ? 0 : DEGREE], DEGREE * sizeof *at);
        }
}

TEST_PROGRAM(TEST(every_option), TEST(wide_keys_and_a_hub), TEST(stored_both_ways_is_symmetric),
             TEST(wrong_edges_are_refused), TEST(a_csr_is_checked),
             TEST(random_weights_agree_both_ways), TEST(skewed_weights), TEST(potential_weights),
             TEST(a_bad_row_is_found))
