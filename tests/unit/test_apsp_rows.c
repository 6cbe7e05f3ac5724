/* All pairs with columns, limits and parents by rule, against the oracle and against SSSP. */
#include "base/rng.h"
#include "conformance/harness.h"
#include "support/support.h"

#include <math.h>

enum { GRAPHS = 500, N = 40, COLUMNS = 50 };

static uint32_t draw(uint64_t seed, uint64_t i, uint32_t below) {
    return (uint32_t)fri_random_below(fri_random(seed, i), below);
}

/* A query, its answer in arrays and by callback. */
typedef struct {
    fr_ctx *ctx;
    const cf_graph *g;
    const char *strategy;
    fr_type type;
    bool unit;
    int32_t sources[N], targets[COLUMNS];
    fr_query query;
    int64_t rows, width;
    double dist[N * COLUMNS];    /* of any type */
    int32_t parent[N * COLUMNS]; /* */
    bool has_parents;
    bool collects_dist, collects_parents; /* the arrays are filled by the callback */
    int64_t delivered;
} asked;

static int32_t source_of(const asked *x, int64_t row) {
    return x->query.sources ? x->query.sources[row] : (int32_t)row;
}

static int32_t target_of(const asked *x, int64_t j) {
    return x->query.target_count ? x->targets[j] : (int32_t)j;
}

/* Collects what a callback gets. */
static int receive(void *user, int64_t row, int32_t source, const void *dist,
                   const int32_t *parent) {
    asked *x = user;
    size_t size = fr_type_size(x->type);
    assert_int_equal(source, source_of(x, row));
    assert_int_equal(parent != NULL, x->has_parents);
    if (x->collects_dist)
        memcpy((char *)x->dist + (size_t)(row * x->width) * size, dist, (size_t)x->width * size);
    if (parent && x->collects_parents)
        memcpy(x->parent + row * x->width, parent, (size_t)x->width * sizeof *parent);
    x->delivered++;
    return 0;
}

static bool is_within(const asked *x, cf_number d) {
    bool limited = x->query.max_distance > 0 || x->query.limit_distance;
    return d != INFINITY && (!limited || d <= (cf_number)x->query.max_distance);
}

/* Whether an edge p -> v accounts for want[v]. */
static bool is_tight(const asked *x, const cf_number *want, int32_t p, int32_t v) {
    for (int64_t e = x->g->offset[p]; p >= 0 && e < x->g->offset[p + 1]; e++)
        if (x->g->to[e] == v && want[p] + (x->unit ? 1 : x->g->weight[e]) == want[v])
            return true;
    return false;
}

/* The parents that SSSP returns by the same rule; false: the rule is free. */
static bool sssp_parents(const asked *x, int32_t source, int32_t *parent) {
    if (x->query.parent_rule == FR_PARENT_ANY)
        return false;
    fr_solver_options options = {.strategy = "bellman-ford", .unit_weights = x->unit};
    options.dist_type = x->unit ? FR_TYPE_NONE : x->type;
    fr_solver *solver;
    assert_ok(x->ctx, fr_solver_new(x->ctx, x->g->graph, FR_PROBLEM_SSSP, &options, &solver));
    fr_query query = {.sources = &source, .source_count = 1, .parent_rule = x->query.parent_rule};
    fr_result result = {.parent = parent};
    assert_ok(x->ctx, fr_solve(solver, &query, &result));
    fr_solver_free(solver);
    return true;
}

static void check_row(const asked *x, int64_t row) {
    cf_number want[N];
    int32_t by_rule[N], s = source_of(x, row);
    assert_true(cf_solve(x->g, x->unit, &s, 1, want, NULL));
    bool ruled = x->has_parents && sssp_parents(x, s, by_rule);
    for (int64_t j = 0; j < x->width; j++) {
        int32_t v = target_of(x, j), p = x->parent[row * x->width + j];
        cf_number got = cf_value(FR_PROBLEM_APSP, x->type, x->dist, row * x->width + j);
        bool kept = is_within(x, want[v]);
        if (got != (kept ? want[v] : INFINITY))
            fail_msg("%s: %d to %d is %Lg, not %Lg (limit %g)", x->strategy, s, v, got, want[v],
                     x->query.max_distance);
        if (!x->has_parents)
            continue;
        if (!kept || v == s)
            assert_int_equal(p, kept ? s : -1);
        else if (p < 0 || !is_tight(x, want, p, v))
            fail_msg("%s: the parent %d of %d from %d is wrong", x->strategy, p, v, s);
        else if (ruled && p != by_rule[v])
            fail_msg("%s, %s weights: the parent of %d from %d is %d, by rule %d it is %d",
                     x->strategy, cf_weights_name[x->g->weights], v, s, p,
                     (int)x->query.parent_rule, by_rule[v]);
    }
}

static void draw_query(asked *x, uint64_t seed) {
    int32_t n = x->g->n;
    fr_query *q = &x->query;
    if (draw(seed, 20, 2)) {
        q->sources = x->sources;
        q->source_count = 1 + draw(seed, 21, (uint32_t)n);
        for (int64_t i = 0; i < q->source_count; i++)
            x->sources[i] = (int32_t)draw(seed, 100 + (uint64_t)i, (uint32_t)n);
    }
    if (draw(seed, 22, 2)) {
        q->targets = x->targets;
        q->target_count = 1 + draw(seed, 23, COLUMNS);
        for (int64_t i = 0; i < q->target_count; i++)
            x->targets[i] = (int32_t)draw(seed, 200 + (uint64_t)i, (uint32_t)n);
    }
    if (draw(seed, 24, 2)) {
        q->max_distance = draw(seed, 25, 60) / 4.0;
        q->limit_distance = true;
    }
    q->parent_rule = (fr_parent_rule)draw(seed, 26, 3);
    x->rows = q->sources ? q->source_count : n;
    x->width = q->target_count ? q->target_count : n;
    x->has_parents = draw(seed, 27, 3) > 0;
}

/* Floats follow a rule only in multi-sssp, which `auto` may choose, and, the smallest, in johnson. */
static bool suits(const asked *x, fr_parent_rule rule) {
    if (rule == FR_PARENT_NEAREST && (x->query.limit_distance || x->query.max_distance > 0) &&
        cf_is_negative(x->g->weights))
        return false;
    bool floats = !x->unit && (x->type == FR_TYPE_F32 || x->type == FR_TYPE_F64);
    return !floats || strcmp(x->strategy, "multi-sssp") == 0 ||
           (rule == FR_PARENT_MIN_ID && strcmp(x->strategy, "johnson") == 0);
}

static void check_case(asked *x, uint64_t seed) {
    fr_solver_options options = {.strategy = x->strategy, .unit_weights = x->unit};
    if (x->unit && draw(seed, 28, 2))
        options.dist_type = FR_TYPE_F64;
    fr_solver *solver;
    assert_ok(x->ctx, fr_solver_new(x->ctx, x->g->graph, FR_PROBLEM_APSP, &options, &solver));
    x->type = fr_solver_dist_type(solver);
    draw_query(x, seed);
    if (!suits(x, x->query.parent_rule))
        x->query.parent_rule = FR_PARENT_ANY;
    fr_result result = {.dist = x->dist, .parent = x->has_parents ? x->parent : NULL};
    if (draw(seed, 29, 2)) {
        x->query.row = receive;
        x->query.row_user = x;
        x->query.want_parents = x->has_parents;
        if (draw(seed, 30, 2))
            result.dist = NULL;
        if (draw(seed, 31, 2))
            result.parent = NULL;
    }
    x->collects_dist = !result.dist;
    x->collects_parents = !result.parent;
    memset(x->dist, 77, sizeof x->dist);
    memset(x->parent, 77, sizeof x->parent);
    fr_result before = result;
    for (int round = 0; round < 2; round++) { /* the second query finds the rows of the first */
        x->delivered = 0;
        result = before;
        assert_ok(x->ctx, fr_solve(solver, &x->query, &result));
        assert_int_equal(x->delivered, x->query.row ? x->rows : 0);
        for (int64_t row = 0; row < x->rows; row++)
            check_row(x, row);
    }
    bool negative = cf_is_negative(x->g->weights) && !x->unit;
    /* whole rows with a limit cannot be checked where a weight is negative */
    bool may_refuse = negative && x->query.limit_distance && !x->query.target_count;
    fr_status status = fr_verify_apsp(x->ctx, x->g->graph, &x->query, x->unit, x->dist, x->type,
                                      x->has_parents ? x->parent : NULL, draw(seed, 32, 3), seed);
    if (status && !(may_refuse && status == FR_UNSUPPORTED))
        fail_msg("%s: verification: %s", x->strategy, fr_ctx_error(x->ctx));
    fr_solver_free(solver);
}

/* A CPU strategy that takes these weights, another one for each seed. */
static const char *choose(const cf_graph *g, bool unit, uint64_t seed) {
    fr_strategy_info all[16] = {0};
    int count = 0;
    for (int i = 0; cf_strategy(FR_PROBLEM_APSP, i, &all[count]); i++)
        if ((unit || !cf_is_negative(g->weights) || cf_takes_negative(&all[count])) &&
            (unit || strcmp(all[count].name, "multi-bfs") != 0))
            count++;
    return all[draw(seed, 5, (uint32_t)count)].name;
}

static void random_graphs(void **state) {
    static const cf_weights kinds[] = {CF_NONE, CF_I32, CF_ZERO,    CF_F64,
                                       CF_F32,  CF_I64, CF_NEGATIVE};
    static asked x;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        cf_weights weights = kinds[seed % 7];
        cf_random_kind kind = {.weights = weights, .low = weights != CF_ZERO, .high = 9};
        kind.directed = weights == CF_NEGATIVE || draw(seed, 7, 2);
        kind.potential = weights == CF_NEGATIVE ? 9 : 0;
        int32_t n = 1 + (int32_t)draw(seed, 8, N);
        uint64_t random = seed;
        cf_graph *g = cf_random_graph(*state, n, draw(seed, 9, 4 * (uint32_t)n), &kind, &random);
        assert_non_null(g);
        x = (asked){.ctx = *state, .g = g, .unit = weights == CF_NONE || draw(seed, 10, 6) == 0};
        x.strategy = choose(g, x.unit, seed);
        check_case(&x, seed);
        cf_graph_free(g);
    }
}

/* A path 0 - 1 - 2 - 3 of edges of weight 2. */
static fr_graph *path_graph(fr_ctx *ctx, fr_type type) {
    const int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 3}, whole[] = {2, 2, 2};
    const double real[] = {2, 2, 2};
    fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_graph *graph;
    const void *weights = type == FR_TYPE_F64 ? (const void *)real : whole;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, weights, type, &options, &graph));
    return graph;
}

/* A row ends when its targets are settled, or at the limit. */
static void stops_early(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_generate(ctx, "grid2d:rows=60,cols=60", NULL, &graph));
    const char *const strategies[] = {"multi-sssp", "multi-bfs"};
    int32_t source = 0, target = 61, *dist = malloc(3600 * sizeof *dist);
    for (int k = 0; k < 2; k++) {
        fr_solver_options options = {.strategy = strategies[k], .unit_weights = true};
        fr_solver *solver;
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result whole = {.dist = dist}, limited = {.dist = dist}, column = {.dist = dist};
        assert_ok(ctx, fr_solve(solver, &query, &whole));
        query.max_distance = 3;
        assert_ok(ctx, fr_solve(solver, &query, &limited));
        assert_true(limited.stats.edges_examined * 10 < whole.stats.edges_examined);
        query.max_distance = 0;
        query.targets = &target;
        query.target_count = 1;
        assert_ok(ctx, fr_solve(solver, &query, &column));
        assert_int_equal(dist[0], 2);
        if (k == 0)
            assert_true(column.stats.edges_examined * 10 < whole.stats.edges_examined);
        fr_solver_free(solver);
    }
    free(dist);
    fr_graph_free(graph);
}

static void expect(fr_solver *solver, fr_ctx *ctx, const fr_query *query, fr_result *result,
                   fr_status status, const char *words) {
    assert_int_equal(fr_solve(solver, query, result), status);
    if (!strstr(fr_ctx_error(ctx), words))
        fail_msg("'%s' lacks '%s'", fr_ctx_error(ctx), words);
}

static void refuses(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = path_graph(ctx, FR_TYPE_F64);
    double dist[16];
    int32_t parent[16], lost = 4;
    fr_result result = {.dist = dist, .parent = parent};
    fr_solver_options options = {.strategy = "floyd-warshall"};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
    fr_query query = {.parent_rule = FR_PARENT_NEAREST};
    expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "multi-sssp");
    query.parent_rule = FR_PARENT_MIN_ID;
    expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "multi-sssp");
    result.parent = NULL; /* and distances alone follow no rule */
    assert_ok(ctx, fr_solve(solver, &query, &result));
    result.parent = parent;
    query = (fr_query){.max_level = 2};
    expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "max_distance");
    query = (fr_query){.targets = &lost, .target_count = 1};
    expect(solver, ctx, &query, &result, FR_NOT_FOUND, "target");
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* Where a weight is negative, johnson and `auto` refuse the smallest parents of floats, too. */
static void refuses_negative_floats(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 3};
    const double weights[] = {2, -1, 2};
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, 4, 3, src, dst, weights, FR_TYPE_F64, &directed, &graph));
    const char *const strategies[] = {"johnson", "floyd-warshall", "auto"};
    for (int i = 0; i < 3; i++) {
        double dist[16];
        int32_t parent[16];
        fr_solver_options options = {.strategy = strategies[i]};
        fr_solver *solver;
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
        fr_query query = {.parent_rule = FR_PARENT_MIN_ID};
        fr_result result = {.dist = dist, .parent = parent};
        expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "fr_solve_each");
        query.parent_rule = FR_PARENT_ANY;
        assert_ok(ctx, fr_solve(solver, &query, &result));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

/* Each wrong column, parent or limit is found. */
static void the_checker_finds_errors(void **state) {
    fr_ctx *ctx = *state;
    for (int k = 0; k < 2; k++) {
        fr_type type = k ? FR_TYPE_F64 : FR_TYPE_I32;
        fr_graph *graph = path_graph(ctx, type);
        int32_t source = 1, targets[] = {3, 1, 0}, whole[] = {4, 0, 2}, parent[] = {2, 1, 1};
        double real[] = {4, 0, 2};
        void *dist = k ? (void *)real : whole;
        fr_query query = {
            .sources = &source, .source_count = 1, .targets = targets, .target_count = 3};
        assert_ok(ctx, fr_verify_apsp(ctx, graph, &query, false, dist, type, parent, 0, 0));
        query.max_distance = 3;
        assert_int_equal(fr_verify_apsp(ctx, graph, &query, false, dist, type, parent, 0, 0),
                         FR_VERIFY_FAILED);
        assert_non_null(strstr(fr_ctx_error(ctx), "beyond the limit"));
        query.max_distance = 0;
        for (int j = 0; j < 3; j++) {
            parent[j] ^= 1;
            assert_int_equal(fr_verify_apsp(ctx, graph, &query, false, dist, type, parent, 0, 0),
                             FR_VERIFY_FAILED);
            parent[j] ^= 1;
            whole[j] += 2;
            real[j] += 2;
            assert_int_equal(fr_verify_apsp(ctx, graph, &query, false, dist, type, parent, 0, 0),
                             FR_VERIFY_FAILED);
            whole[j] = FR_INF_I32;
            real[j] = (double)INFINITY;
            assert_int_equal(fr_verify_apsp(ctx, graph, &query, false, dist, type, NULL, 0, 0),
                             FR_VERIFY_FAILED);
            whole[j] = (int32_t[]){4, 0, 2}[j];
            real[j] = whole[j];
        }
        fr_graph_free(graph);
    }
}

TEST_PROGRAM(TEST(random_graphs), TEST(stops_early), TEST(refuses), TEST(refuses_negative_floats),
             TEST(the_checker_finds_errors))
