/* Distances of equal weights: their sums against additions one by one, and queries against Dijkstra's
 * algorithm. */
#include "support/support.h"

#include "core/query/level_sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* All weights of that type are w; without a type there are none. */
static fr_graph *graph_with(fr_ctx *ctx, const char *description, fr_type type, double w) {
    return test_made(ctx, description,
                     (fr_load_options){.weights = type ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                                       .weight_type = type,
                                       .weight_low = w,
                                       .weight_high = w});
}

static double add(fr_type type, double sum, double weight) {
    return type == FR_TYPE_F32 ? (double)((float)sum + (float)weight) : sum + weight;
}

/* Also past the level from which on a weight is absorbed, and past the largest number. */
static void sums_are_those_of_additions(void **state) {
    static const double weights[] = {1,
                                     0.1,
                                     1.0 / 3,
                                     7,
                                     0.7,
                                     1e-3,
                                     16777217,
                                     1e30,
                                     3e34,
                                     1.5e38,
                                     1e-45,
                                     123.456,
                                     1 + 0x1p-23,
                                     1 + 0x1p-22,
                                     1.5 - 0x1p-23,
                                     0x1.fffffep0,
                                     0x1.fffffffffffffp0,
                                     1e303,
                                     DBL_TRUE_MIN};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(weights); i++) {
        const fr_type type = i % 2 ? FR_TYPE_F64 : FR_TYPE_F32;
        const double w = type == FR_TYPE_F32 ? (double)(float)weights[i / 2] : weights[i / 2];
        if (!(w > 0) || isinf(w))
            continue;
        const fri_level_sums sums = fri_level_sums_of(type, w);
        assert_true(sums.count < FRI_LEVEL_SEGMENTS);
        double sum = 0;
        for (int32_t level = 0;
             level < (type == FR_TYPE_F32 && i < 4 ? 17000000 : 300000) && isfinite(sum); level++) {
            /* by the segments directly: a search for each would take long */
            if (level < 3000 || level % 40099 == 0 || !isfinite(add(type, sum, w))) {
                assert_true(fri_level_sum(&sums, level) == sum);
                assert_true(fri_level_sums_fit(&sums, level));
                const int32_t within = fri_levels_within(&sums, sum);
                assert_true(within >= level && fri_level_sum(&sums, within) == sum);
                assert_true(sum == 0 || fri_levels_within(&sums, nextafter(sum, 0)) < level ||
                            add(type, sum, w) == sum);
            }
            sum = add(type, sum, w);
            if (!isfinite(sum))
                assert_false(fri_level_sums_fit(&sums, level + 1));
        }
    }
}

/* Levels of 1, 2 and 4 bytes, of which the largest is not reached, as those that are converted in place, which
 * queries compare with Dijkstra's algorithm; also past the table. */
static void levels_become_sums(void **state) {
    enum { LEVELS = 3 * FRI_LEVEL_TABLE };
    static uint64_t bits[FRI_LEVEL_TABLE + 1];
    fri_level_table table = {.bits = bits};
    static int32_t level[LEVELS];
    static double sums[2][LEVELS]; /* of any type: compared as bytes */
    (void)state;
    for (int i = 0; i < 12; i++) {
        const fr_type type = (fr_type)(FR_TYPE_I32 + i / 3);
        const int size = 1 << i % 3, largest = size == 4 ? INT32_MAX : (1 << (8 * size - 1)) - 1;
        table.of = fri_level_sums_of(type, i < 6 ? 7 : 0.1);
        fri_level_table_fill(&table, LEVELS);
        for (int v = 0; v < LEVELS; v++) {
            level[v] = v % 3 ? largest : v % largest;
            ((int32_t *)sums[0])[v] = v % 3 ? FR_INF_I32 : level[v];
        }
        char narrow[sizeof level]; /* little-endian */
        for (int v = 0; v < LEVELS; v++)
            memcpy(narrow + v * size, &level[v], (size_t)size);
        fri_levels_to_sums(&table, sums[0], LEVELS, 2);
        fri_level_sums_write(&table, sums[1], narrow, size, LEVELS);
        assert_memory_equal(sums[0], sums[1], LEVELS * fr_type_size(type));
    }
    assert_true(sums[1][LEVELS - 3] == fri_level_sum(&table.of, LEVELS - 3));
}

static void segments_suffice(void **state) {
    int most = 0;
    (void)state;
    for (int i = 0; i < 4000; i++) {
        const double w = 1 + (double)(i * 2654435761u % (1u << 23)) * 0x1p-23;
        for (int type = FR_TYPE_F32; type <= FR_TYPE_F64; type++) {
            const fri_level_sums s = fri_level_sums_of((fr_type)type, w);
            most = s.count > most ? s.count : most;
        }
    }
    assert_true(most > 30 && most < FRI_LEVEL_SEGMENTS);
}

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, const char *strategy, fr_type type,
                            bool reverse) {
    const fr_solver_options options = {
        .strategy = strategy, .dist_type = type, .backend = FR_BACKEND_CPU, .reverse = reverse};
    return test_solver(ctx, graph, FR_PROBLEM_SSSP, &options);
}

enum { N = 600 };

static void compare(fr_ctx *ctx, fr_solver *levels, fr_solver *sums, fr_query q, bool limits) {
    static double dist[2][N]; /* of any type: compared as bytes */
    int32_t parent[2][N];
    const size_t bytes = N * fr_type_size(fr_solver_dist_type(sums));
    assert_int_equal(fr_solver_dist_type(levels), fr_solver_dist_type(sums));
    fr_result a = {.dist = dist[0], .parent = parent[0]},
              b = {.dist = dist[1], .parent = parent[1]};
    assert_ok(ctx, fr_solve(sums, &q, &b));
    assert_ok(ctx, fr_solve(levels, &q, &a));
    assert_memory_equal(dist[0], dist[1], bytes);
    assert_int_equal(a.stats.reached, b.stats.reached);
    if (q.parent_rule != FR_PARENT_ANY)
        assert_memory_equal(parent[0], parent[1], sizeof parent[0]);
    else if (!limits)
        for (int v = 0; v < N; v++)
            assert_int_equal(parent[0][v] < 0, parent[1][v] < 0);
}

/* Every type of weights and distances, directed or not; limits, targets, parents, closed vertices. */
static void queries_equal_dijkstra(void **state) {
    static const struct {
        fr_type weights, dist;
        double weight;
    } kinds[] = {{FR_TYPE_NONE, FR_TYPE_I64, 1},
                 {FR_TYPE_NONE, FR_TYPE_F32, 1},
                 {FR_TYPE_I32, 0, 7},
                 {FR_TYPE_I32, FR_TYPE_I64, 1e9},
                 {FR_TYPE_I64, 0, 0x1p52},
                 {FR_TYPE_F32, 0, 0.1},
                 {FR_TYPE_F32, FR_TYPE_F64, 0.1},
                 {FR_TYPE_F64, 0, 0.1},
                 {FR_TYPE_F64, 0, 1e300},
                 {FR_TYPE_F64, 0, 0x1p-1073},
                 {FR_TYPE_I32, 0, 0},
                 {FR_TYPE_F64, 0, 0},
                 {FR_TYPE_F32, 0, 0x1.fffffep60f}};
    const int32_t sources[] = {3, 500, 3}, targets[] = {40, 90, 3};
    const uint64_t closed[(N + 63) / 64] = {UINT64_C(1) << 17 | 1, 5};
    for (size_t i = 0; i < 4 * COUNT(kinds); i++) {
        const bool reverse = i & 2;
        char spec[80];
        snprintf(spec, sizeof spec, "uniform:n=%d,edges=900,directed=%d,seed=2", N, (int)(i & 1));
        const double w = kinds[i / 4].weight;
        fr_graph *graph = graph_with(*state, spec, kinds[i / 4].weights, w);
        fr_solver *levels = solver_of(*state, graph, NULL, kinds[i / 4].dist, reverse),
                  *sums = solver_of(*state, graph, "dijkstra", kinds[i / 4].dist, reverse);
        const double limits[] = {0, w * 0.5, w, w * 3, nextafter(w * 3, 0), w * 4.5, 1e308};
        for (size_t k = 0; k < 8 * COUNT(limits); k++) {
            const double limit = limits[k / 8];
            if (isinf(limit))
                continue;
            fr_query q = {.sources = sources,
                          .source_count = k & 1 ? 3 : 1,
                          .targets = targets,
                          .target_count = k & 2 ? 3 : 0,
                          .max_distance = limit,
                          .limit_distance = k & 4,
                          .parent_rule = (fr_parent_rule)(k / 2 % 3)};
            compare(*state, levels, sums, q, limit > 0);
            q.closed_vertices = closed;
            if (!reverse && k % 5 == 0)
                compare(*state, levels, sums, q, limit > 0);
        }
        fr_solver_free(levels);
        fr_solver_free(sums);
        fr_graph_free(graph);
    }
}

/* 40 edges of a path: the sum fits up to a limit or a target. */
static void sums_that_do_not_fit(void **state) {
    static const struct {
        fr_type type;
        double weight;
    } kinds[] = {
        {FR_TYPE_I32, 1e9}, {FR_TYPE_I64, 0x1p53}, {FR_TYPE_F32, 3e38}, {FR_TYPE_F64, 1e308}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const double w = kinds[i].weight;
        const bool fits = kinds[i].type == FR_TYPE_I64; /* up to 2^63 / 2^53 edges */
        fr_graph *graph = graph_with(*state, fits ? "path:n=1100" : "path:n=41", kinds[i].type, w);
        for (int strategy = 0; strategy < 2; strategy++) {
            fr_solver *s =
                solver_of(*state, graph, strategy ? "dijkstra" : NULL, FR_TYPE_NONE, false);
            const int32_t source = 0, near = 1;
            double dist[1100];
            fr_result result = {.dist = dist};
            fr_query q = {.sources = &source, .source_count = 1};
            assert_int_equal(fr_solve(s, &q, &result), FR_OVERFLOW);
            assert_non_null(strstr(fr_ctx_error(*state), "does not fit"));
            q.max_distance = w * 1.01;
            assert_ok(*state, fr_solve(s, &q, &result));
            q.max_distance = 0;
            q.targets = &near;
            q.target_count = 1;
            assert_ok(*state, fr_solve(s, &q, &result));
            fr_solver_free(s);
        }
        fr_graph_free(graph);
    }
}

/* As doubles all of these are 2^53: they do not count as equal. */
static void weights_beyond_doubles(void **state) {
    static const int64_t first[] = {(INT64_C(1) << 53) + 1, (INT64_C(1) << 53) + 1},
                         second[] = {(INT64_C(1) << 53) + 1, INT64_C(1) << 53};
    const int32_t src[] = {0, 1}, dst[] = {1, 2}, source = 0;
    for (int i = 0; i < 2; i++) {
        const int64_t weight[] = {first[i], second[i]};
        const fr_load_options o = {.direction = FR_DIRECTION_DIRECTED};
        fr_graph *graph = test_of_edges(*state, 3, 2, src, dst, weight, FR_TYPE_I64, &o);
        int64_t dist[3];
        fr_result result = {.dist = dist};
        const fr_query q = {.sources = &source, .source_count = 1};
        fr_solver *s = solver_of(*state, graph, NULL, FR_TYPE_NONE, false);
        assert_ok(*state, fr_solve(s, &q, &result));
        assert_true(dist[1] == weight[0] && dist[2] == weight[0] + weight[1]);
        fr_solver_free(s);
        fr_graph_free(graph);
    }
}

TEST_PROGRAM(TEST(sums_are_those_of_additions), TEST(levels_become_sums),
             TEST(weights_beyond_doubles), TEST(segments_suffice), TEST(queries_equal_dijkstra),
             TEST(sums_that_do_not_fit))
