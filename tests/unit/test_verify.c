/* The checkers of answers: claims that are right or wrong, one row each, on one thread and on two. Random wrong
 * answers: tests/random/corrupt.c. */
#include "conformance/shapes.h"
#include "support/support.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

enum { MAX_N = 12 };

typedef struct {
    const char *graph;
    fr_type type;          /* of weights; FR_TYPE_NONE: a breadth-first search */
    const char *values;    /* "0 1 inf"; of levels -1: not reached; NULL: not given */
    const char *parents;   /* NULL: not given */
    const char *fault;     /* words of the message; NULL: the claim is right */
    const fr_query *query; /* NULL: from vertex 0 */
} claim;

#define QUERY(...)                                                                                 \
    &(const fr_query) { __VA_ARGS__ }
#define TO(...)                                                                                    \
    .targets = (const int32_t[]){__VA_ARGS__},                                                     \
    .target_count = sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)
#define ANY "" /* any message */

/* ---- breadth-first search ---- */

#define PAIRS   "6: 0>1 1>2 2>3 3>2 4>5 5>4" /* 4 and 5 apart */
#define DIAMOND "4: 0-1 0-2 1-3 2-3"
#define FORK    "8: 0-1 1-2 2-3 3-4 0-5 5-6"

static const claim levels[] = {
    {PAIRS, 0, "0 1 2 3 -1 -1", "0 0 1 2 -1 -1"},
    {PAIRS, 0, NULL, "0 0 1 2 -1 -1"},
    {PAIRS, 0, "0 1 2 3 10000 10000", "0 0 1 2 -1 -1",
     "vertex 4 (level 10000, parent -1): a level"},
    {PAIRS, 0, "0 1 2 3 -2 -1", NULL, ANY},
    {PAIRS, 0, "0 1 2 -1 -1 -1", "0 0 1 -1 -1 -1",
     "edge 2 -> 3: from level 2 it must reach level 3"},
    {PAIRS, 0, "0 1 2 -1 -1 -1", NULL, "edge 2 -> 3"},
    {PAIRS, 0, "0 1 2 2 -1 -1", NULL,
     "vertex 3 (level 2, parent unknown): no vertex of one level less"},
    {PAIRS, 0, "0 1 2 3 4 5", "0 0 1 2 5 4", "vertex 4 (level 4, parent 5): the parent's level"},
    {PAIRS, 0, "1 2 3 4 -1 -1", "0 0 1 2 -1 -1",
     "vertex 0 (level 1, parent 0): a source must have"},
    {PAIRS, 0, "0 1 2 3 0 1", "0 0 1 2 4 4", "vertex 4 (level 0, parent 4): only a source"},
    {PAIRS, 0, "0 1 2 3 -1 -1", "0 0 3 2 -1 -1",
     "vertex 2 (level 2, parent 3): the parent's level"},
    {PAIRS, 0, "0 1 1 2 -1 -1", "0 0 0 2 -1 -1",
     "vertex 2 (level 1, parent 0): the parent has no edge"},
    {PAIRS, 0, "0 1 2 3 -1 -1", "0 0 1 2 3 -1", "an unreached vertex must have parent -1"},
    {PAIRS, 0, "0 1 2 3 -1 -1", "0 0 1 -1 -1 -1", "a reached vertex must have a parent"},
    {PAIRS, 0, "0 1 2 3 -1 -1", "0 0 1 6 -1 -1", "the parent is not a vertex"},
    {PAIRS, 0, "0 1 2 3 -1 -1", "1 0 1 2 -1 -1", "a source must be its own parent"},
    {PAIRS, 0, NULL, "0 0 3 2 -1 -1", "vertex 2: its chain of parents does not end at a source"},
    {PAIRS, 0, "0 1 2 -1 -1 -1", "0 0 1 -1 -1 -1", NULL, QUERY(.max_level = 2)},
    {PAIRS, 0, "0 1 2 3 -1 -1", "0 0 1 2 -1 -1", "exceeds the limit", QUERY(.max_level = 2)},
    {DIAMOND, 0, "0 1 1 2", "0 0 0 2"},
    {DIAMOND, 0, "0 1 1 2", "0 0 0 1", NULL, QUERY(.parent_rule = FR_PARENT_MIN_ID)},
    {DIAMOND, 0, "0 1 1 2", "0 0 0 2", "not the minimum", QUERY(.parent_rule = FR_PARENT_MIN_ID)},
    /* targets define what may be missing; 7 is never found, and nothing may be missing then */
    {FORK, 0, "0 1 2 -1 -1 1 2 -1", NULL, NULL, QUERY(TO(2, 1))},
    {FORK, 0, "0 1 2 3 4 1 2 -1", NULL, ANY, QUERY(TO(2, 1))},
    {FORK, 0, "0 1 2 -1 -1 1 -1 -1", NULL, ANY, QUERY(TO(2, 1))},
    {FORK, 0, "0 -1 -1 -1 -1 -1 -1 -1", NULL, ANY, QUERY(TO(2, 1))},
    {FORK, 0, "0 1 2 3 4 1 2 -1", NULL, NULL, QUERY(TO(2, 7))},
    {FORK, 0, "0 1 2 -1 -1 1 2 -1", NULL, ANY, QUERY(TO(2, 7))},
    {FORK, 0, "0 -1 -1 -1 -1 -1 -1 -1", NULL, NULL, QUERY(TO(0))},
    {FORK, 0, "0 1 2 -1 -1 1 2 -1", NULL, ANY, QUERY(TO(0))},
};

/* ---- distances ---- */

/* 2 <-> 3 and the loop at 4 have weight 0 and are not reached; 0 -> 1 has a parallel edge */
#define ZEROS         "5: 0>1/7 0>1/4 2>3/0 3>2/0 4>4/0"
#define LIMIT         "6: 0>1/2 1>2/2 0>3/4 2>4/3"
#define BEYOND        "5: 0>1/10 1>2/-5 2>3/1 3>4/0 4>3/0" /* leads beyond a limit of 7 and returns */
#define BIG           "4: 0>1/2147483647 1>2/2147483647 2>3/2147483647"
#define B53           "4: 0>1/9007199254740991 1>2/2 0>3/5"
#define MAX64         "4: 0>1/9223372036854775806 1>2/2 0>3/5"
#define BACK64        "4: 0>1/9223372036854775806 1>2/10 2>3/-9223372036854775806"
#define NEAREST       QUERY(.parent_rule = FR_PARENT_NEAREST)
#define MIN_ID        QUERY(.parent_rule = FR_PARENT_MIN_ID)
#define WITHIN(limit) QUERY(.max_distance = (limit))

static const uint64_t bridge[] = {1 << 6};

static const claim whole[] = {
    {ZEROS, FR_TYPE_I32, "0 4 inf inf inf", "0 0 -1 -1 -1"},
    {ZEROS, FR_TYPE_I32, "0 7 inf inf inf", "0 0 -1 -1 -1",
     "vertex 1 (distance 7, parent 0): the parent's distance plus the edge's weight"},
    {ZEROS, FR_TYPE_I32, "0 7 inf inf inf", NULL, ANY},
    {ZEROS, FR_TYPE_I32, "0 3 inf inf inf", NULL, ANY},
    {ZEROS, FR_TYPE_I32, "0 4 1 1 inf", "0 0 3 2 -1",
     "vertex 2 (distance 1, parent 3): the chain of parents does not end at a source"},
    {ZEROS, FR_TYPE_I32, "0 4 1 1 inf", NULL, "vertex 2 (distance 1, parent unknown): no path"},
    {ZEROS, FR_TYPE_I32, "0 4 inf inf 1", "0 0 -1 -1 4", "only a source is its own parent"},
    {ZEROS, FR_TYPE_I32, "0 4 inf inf 1", NULL, ANY},
    {ZEROS, FR_TYPE_I32, "0 inf inf inf inf", "0 -1 -1 -1 -1",
     "vertex 1: the vertex is marked as unreached, over edge 0 -> 1 it is 4"},
    {ZEROS, FR_TYPE_I32, "0 4 inf inf inf", "0 0 3 2 -1",
     "an unreached vertex must have parent -1"},
    {ZEROS, FR_TYPE_I32, "1 5 inf inf inf", "0 0 -1 -1 -1", "a source must have distance 0"},
    /* of an undirected graph the checker examines half of the edges */
    {"2: 0-1/3 1-1/0", FR_TYPE_I32, "0 3", "0 0"},
    {"2: 0-1/3 1-1/-1", FR_TYPE_I32, "0 3", "0 0", ANY},
    {"2: 0-1/3 1-1/-1", FR_TYPE_I32, "0 3", NULL, ANY},
    {BEYOND, FR_TYPE_I32, "0 inf 5 6 6", "0 -1 1 2 3", NULL, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 inf 5 7 7", NULL, ANY, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 inf 4 5 5", NULL, ANY, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 10 5 6 6", NULL, ANY, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 inf inf 6 6", NULL, ANY, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 inf 5 6 6", "0 -1 0 2 3", ANY, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 inf 5 6 6", "0 0 1 2 3", ANY, WITHIN(7)},
    {BEYOND, FR_TYPE_I32, "0 inf 5 6 6", "0 -1 1 4 3", ANY, WITHIN(7)},
    {"4: 0>1/1 0>2/1 1>3/1 2>3/1", FR_TYPE_I32, "0 1 1 2", "0 0 0 2"},
    {"4: 0>1/1 0>2/1 1>3/1 2>3/1", FR_TYPE_I32, "0 1 1 2", "0 0 0 1", NULL, MIN_ID},
    {"4: 0>1/1 0>2/1 1>3/1 2>3/1", FR_TYPE_I32, "0 1 1 2", "0 0 0 2", ANY, MIN_ID},
    {"4: 0>1/1 0>2/1 1>3/1 2>3/1", FR_TYPE_I32, "0 1 1 2", "0 0 0 1", NULL, NEAREST},
    {"4: 0>1/1 0>2/1 1>3/1 2>3/1", FR_TYPE_I32, "0 1 1 2", "0 0 0 2",
     "parent 2 is not the nearest, 1 is nearer", NEAREST},
    {"4: 0>1/4 0>2/1 1>3/1 2>3/4", FR_TYPE_I32, "0 4 1 5", "0 0 0 2", NULL, NEAREST},
    {"4: 0>1/4 0>2/1 1>3/1 2>3/4", FR_TYPE_I32, "0 4 1 5", "0 0 0 1",
     "parent 1 is not the nearest, 2 is nearer", NEAREST},
    {"4: 0>1/4 0>2/1 1>3/1 2>3/4", FR_TYPE_I32, "0 4 1 5", "0 0 0 1", NULL, MIN_ID},
    {"4: 0>1/4 0>2/1 1>3/1 2>3/4", FR_TYPE_I32, "0 4 1 5", "0 0 0 2", ANY, MIN_ID},
    {"3: 0-1/5 1-0/3 0-1/3 1-2/1", FR_TYPE_I32, "0 3 4"},
    {"3: 0-1/5 1-0/3 0-1/3 1-2/1", FR_TYPE_I32, "0 3 4", NULL, ANY, QUERY(.closed_edges = bridge)},
    {"3: 0-1/5 1-0/3 0-1/3 1-2/1", FR_TYPE_I32, "0 3 inf", NULL, NULL,
     QUERY(.closed_edges = bridge)},
    {"3: 0-1/5 1-0/3 0-1/3 1-2/1", FR_TYPE_I32, "0 3 inf", NULL, ANY},
    /* sums that exceed 32 bits are computed in 64 */
    {BIG, FR_TYPE_I32, "0 2147483647 4294967294 6442450941"},
    {BIG, FR_TYPE_I32, "0 2147483647 -2 6442450941", NULL, ANY},
    {BIG, FR_TYPE_I32, "0 9223372036854775806 0 0", NULL, ANY},
    {BIG, FR_TYPE_I32, "0 2147483646 -2 -3", NULL, ANY},
    {BIG, FR_TYPE_I32, "0 1 2 3", NULL, ANY},
    /* one more or less, where doubles are two apart, is wrong */
    {B53, FR_TYPE_I64, "0 9007199254740991 9007199254740993 5", "0 0 1 0"},
    {B53, FR_TYPE_I64, "0 9007199254740991 9007199254740992 5", "0 0 1 0", ANY},
    {B53, FR_TYPE_I64, "0 9007199254740991 9007199254740992 5", NULL, ANY},
    {B53, FR_TYPE_I64, "0 9007199254740991 9007199254740994 5", NULL, ANY},
    {B53, FR_TYPE_I64, "0 9007199254740991 inf 5", NULL, NULL, WITHIN(0x1p53)},
    {B53, FR_TYPE_I64, "0 9007199254740991 9007199254740993 5", NULL, ANY, WITHIN(0x1p53)},
    {B53, FR_TYPE_I64, "0 9007199254740991 9007199254740993 5", NULL, NULL, WITHIN(0x1p53 + 2)},
    /* a distance that does not fit int64 is not unreached; with a limit it may be */
    {MAX64, FR_TYPE_I64, "0 9223372036854775806 inf 5", NULL, "beyond int64"},
    {MAX64, FR_TYPE_I64, "0 inf inf 5", NULL, NULL, WITHIN(0x1p62)},
    {BACK64, FR_TYPE_I64, "0 inf inf 10", NULL, NULL, WITHIN(100)},
    {BACK64, FR_TYPE_I64, "0 inf inf inf", NULL, ANY, WITHIN(100)},
    /* a path as long as the mark of an unreached vertex gives it no parent */
    {"3: 0>1/1 0>2/9223372036854775807 1>2/9223372036854775806", FR_TYPE_I64, "0 1 inf", "0 0 -1",
     NULL, WITHIN(2)},
};

/* ---- floats: the same claims in both types, and in a directed and an undirected graph ---- */

/* 0 -> 1 -> 2 -> 3 and a longer 0 -> 3; 4 and 5 hold each other at weight 0 */
#define ROUNDED "6: 0>1/.1 1>2/.2 2>3/.3 0>3/.7 4>5/0 5>4/0"
/* the weights between 2 and 3 are absorbed by their distance */
#define APART  "4: 0>1/5 2>3/1e-12 3>2/1e-12"
#define JOINED APART " 1>2/1e6"

static const claim reals[] = {
    {ROUNDED, 0, "0 .1 .30000000000000004 .6000000000000001 inf inf", "0 0 1 2 -1 -1"},
    {ROUNDED, 0, "0 .1 .30000000000000004 .6 inf inf", "0 0 1 2 -1 -1"}, /* in another order */
    {ROUNDED, 0, "0 .1 .3 .7 inf inf", "0 0 1 0 -1 -1", ANY},            /* a longer way */
    {ROUNDED, 0, "0 .1 .3 .7 inf inf", NULL, ANY},
    {ROUNDED, 0, "0 .1 .3 .6002 inf inf", "0 0 1 2 -1 -1", ANY},
    {ROUNDED, 0, "0 .1 .3 .6002 inf inf", NULL, ANY},
    {ROUNDED, 0, "0 .1 .3 .5998 inf inf", NULL, ANY},
    {ROUNDED, 0, "0 .1 .3 .6 5 5", "0 0 1 2 5 4", ANY},
    {ROUNDED, 0, "0 .1 .3 .6 5 5", NULL, ANY},
    {ROUNDED, 0, "0 .1 .3 inf inf inf", NULL, ANY},
    {ROUNDED, 0, "0 nan .3 .6 inf inf", NULL, ANY},
    {ROUNDED, 0, "0 .1 -inf .6 inf inf", NULL, ANY},
    {ROUNDED, 0, "0.1 .2 .4 .7 inf inf", NULL, ANY},          /* all moved */
    {ROUNDED, 0, "0 .1 .3 .6 inf inf", "0 0 1 1 -1 -1", ANY}, /* no such edge */
    {ROUNDED, 0, "0 .1 .3 .6 inf inf", "0 0 1 0 -1 -1", ANY}, /* not by that edge */
    {APART, 0, "0 5 inf inf"},
    {APART, 0, "0 5 1000005 1000005", NULL, ANY},
    {APART, 0, "0 5 5e5 5e5", NULL, ANY},
    {JOINED, 0, "0 5 1000005 1000005"},
    {JOINED, 0, "0 5 inf inf", NULL, ANY},
    {JOINED, 0, "0 5 5e5 5e5", NULL, ANY},
    {JOINED, 0, "0 5 2e6 2e6", NULL, ANY},
    {JOINED, 0, "0 5 1e10 1e10", NULL, ANY},
};

/* Doubles alone: nearly tight edges do not mislead, with a weight below 0 elsewhere. */
#define NEARLY "5: 0>2/1.00005 0>1/.5 1>2/.5 2>3/-.25 4>0/1"
static const claim doubles[] = {
    {NEARLY, FR_TYPE_F64, "0 .5 1 .75 inf"},
    {NEARLY, FR_TYPE_F64, "0 .5 1.00005 .75005 inf", NULL, ANY},
    {JOINED, FR_TYPE_F64, "0 5 999999.999 1000005", NULL, ANY},
    {JOINED, FR_TYPE_F64, "0 5 1000005 1000006", NULL, ANY},
    {JOINED, FR_TYPE_F64, "0 5 1000004 1000005", NULL, ANY},
};

/* ---- how a row is checked ---------------------------------------------------------------------- */

typedef union {
    int32_t i32[MAX_N];
    int64_t i64[MAX_N];
    float f32[MAX_N];
    double f64[MAX_N];
} values;

/* Reads the values of a row as `type`; false: one does not fit. */
static bool read_values(const char *text, fr_type type, values *to) {
    char *at = (char *)(uintptr_t)text;
    bool fits = true;
    for (int v = 0; *at; v++) {
        char *end;
        const double real = strtod(at, &end);
        const int64_t integer = isinf(real) ? FR_INF_I64 : strtoll(at, NULL, 10);
        at = end;
        to->i64[v] = integer;
        if (type == FR_TYPE_F64)
            to->f64[v] = real;
    }
    if (type == FR_TYPE_I64 || type == FR_TYPE_F64)
        return true;
    values wide = *to;
    at = (char *)(uintptr_t)text;
    for (int v = 0; *at; v++) {
        const double real = strtod(at, &at);
        fits &= wide.i64[v] == FR_INF_I64 || wide.i64[v] == (int32_t)wide.i64[v];
        if (type == FR_TYPE_F32)
            to->f32[v] = (float)real;
        else
            to->i32[v] = wide.i64[v] == FR_INF_I64 ? FR_INF_I32 : (int32_t)wide.i64[v];
    }
    return fits || type == FR_TYPE_F32;
}

static void check(fr_ctx *ctx, const claim *c, const char *text, fr_type weights, fr_type type) {
    static const int32_t source = 0;
    fr_graph *graph = test_graph_of(ctx, text, weights);
    fr_query query = c->query ? *c->query : (fr_query){0};
    values claimed, parents;
    query.sources = &source;
    query.source_count = 1;
    if (c->values && !read_values(c->values, type, &claimed))
        type = FR_TYPE_NONE; /* not a claim of this type */
    if (c->parents)
        read_values(c->parents, FR_TYPE_I32, &parents);
    const int32_t *parent = c->parents ? parents.i32 : NULL;
    for (int threads = 1; threads <= 2 && type; threads++) {
        fr_ctx_set_threads(ctx, threads);
        fr_status status =
            weights ? fr_verify_sssp(ctx, graph, &query, false, &claimed, type, parent)
                    : fr_verify_bfs(ctx, graph, &query, c->values ? claimed.i32 : NULL, parent);
        if (status != (c->fault ? FR_VERIFY_FAILED : FR_OK) ||
            !strstr(fr_ctx_error(ctx), c->fault ? c->fault : ""))
            fail_msg("%s as %s, \"%s\", parents \"%s\": %s: %s", text, fr_type_name(type),
                     c->values, c->parents, fr_status_name(status), fr_ctx_error(ctx));
        if (weights && !c->parents && !query.max_distance && !query.target_count)
            assert_int_equal(fr_verify_apsp(ctx, graph, &query, false, &claimed, type, NULL, 0, 1),
                             status);
        if (!weights && !c->fault && c->parents && c->values)
            assert_ok(ctx, fr_verify_bfs(ctx, graph, &query, claimed.i32, NULL));
    }
    fr_graph_free(graph);
}

static void levels_are_checked(void **state) {
    for (size_t i = 0; i < COUNT(levels); i++)
        check(*state, &levels[i], levels[i].graph, FR_TYPE_NONE, FR_TYPE_I32);
}

static void distances_are_checked(void **state) {
    for (size_t i = 0; i < COUNT(whole); i++) {
        check(*state, &whole[i], whole[i].graph, whole[i].type, FR_TYPE_I64);
        if (whole[i].type == FR_TYPE_I32)
            check(*state, &whole[i], whole[i].graph, FR_TYPE_I32, FR_TYPE_I32);
    }
}

static void floats_are_checked(void **state) {
    for (size_t i = 0; i < COUNT(reals); i++) {
        char undirected[128];
        snprintf(undirected, sizeof undirected, "%s", reals[i].graph);
        for (char *c = undirected; *c; c++)
            *c = *c == '>' ? '-' : *c;
        for (fr_type type = FR_TYPE_F32; type <= FR_TYPE_F64; type++) {
            check(*state, &reals[i], reals[i].graph, type, type);
            check(*state, &reals[i], undirected, type, type);
        }
    }
    for (size_t i = 0; i < COUNT(doubles); i++)
        check(*state, &doubles[i], doubles[i].graph, FR_TYPE_F64, FR_TYPE_F64);
}

/* Of four candidates exactly the one that a limit or targets ask for is right. */
static void limits_and_targets(void **state) {
    static const char *const candidates[] = {"0 2 4 4 7 inf", "0 2 4 4 inf inf",
                                             "0 2 inf inf inf inf", "0 2 4 inf inf inf"};
    const struct {
        fr_query query;
        int right;
    } cases[] = {{{0}, 0},
                 {{.max_distance = 100}, 0},
                 {{.max_distance = 7}, 0},
                 {{.max_distance = 6.5}, 1},
                 {{.max_distance = 4}, 1},
                 {{.max_distance = 3.9}, 2},
                 {{.max_distance = 2}, 2},
                 {{TO(2, 1)}, 1},
                 {{TO(2, 1, 5)}, 0}, /* 5 is not reached */
                 {{TO(2, 1), .max_distance = 2}, 2}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int k = 0; k < 4; k++) {
            const claim c = {
                LIMIT,          FR_TYPE_I32, candidates[k], NULL, k == cases[i].right ? NULL : ANY,
                &cases[i].query};
            check(*state, &c, LIMIT, FR_TYPE_I32, FR_TYPE_I32);
        }
}

static void units_are_checked(void **state) {
    fr_graph *graph = test_graph_of(*state, BIG, FR_TYPE_I32);
    const int64_t unit[] = {0, 1, 2, 3},
                  weighted[] = {0, INT32_MAX, 2LL * INT32_MAX, 3LL * INT32_MAX};
    const fr_query query = {.sources = (const int32_t[]){0}, .source_count = 1};
    assert_ok(*state, fr_verify_sssp(*state, graph, &query, true, unit, FR_TYPE_I64, NULL));
    assert_int_equal(fr_verify_sssp(*state, graph, &query, true, weighted, FR_TYPE_I64, NULL),
                     FR_VERIFY_FAILED);
    fr_graph_free(graph);
}

/* Errors far below the tolerance of one edge must not add up along a path. */
static void small_errors_do_not_add_up(void **state) {
    enum { N = 4000 };
    int32_t *src = malloc(N * 4), *dst = malloc(N * 4), *parent = malloc(N * 4);
    double *weights = malloc(N * 8), *claimed = malloc(N * 8);
    for (int32_t v = 0; v < N; v++) {
        src[v] = v;
        dst[v] = v + 1;
        weights[v] = 1;
        parent[v] = v ? v - 1 : 0;
        claimed[v] = v * 0.9999; /* each step within 1e-4, as is each edge */
    }
    fr_graph *graph = test_of_edges(*state, N, N - 1, src, dst, weights, FR_TYPE_F64, NULL);
    const int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, claimed, FR_TYPE_F64, parent),
                     FR_VERIFY_FAILED);
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, claimed, FR_TYPE_F64, NULL),
                     FR_VERIFY_FAILED);
    for (int32_t v = 0; v < N; v++)
        claimed[v] = v;
    assert_ok(*state, fr_verify_sssp(*state, graph, &query, false, claimed, FR_TYPE_F64, parent));
    fr_graph_free(graph);
    free(src);
    free(dst);
    free(parent);
    free(weights);
    free(claimed);
}

/* A star whose leaves grow into short paths: large enough for the parallel parts of the checker. */
static void large_graphs(void **state) {
    enum { N = 60000, WIDTH = 20000 };
    static int32_t src[N], dst[N], level[N], parent[N];
    const fr_load_options undirected = {.direction = FR_DIRECTION_UNDIRECTED};
    const fr_query query = {.sources = (const int32_t[]){0}, .source_count = 1};
    for (int32_t v = 1; v < N; v++) {
        parent[v] = v <= WIDTH ? 0 : v - WIDTH;
        src[v - 1] = parent[v];
        dst[v - 1] = v;
        level[v] = (v + WIDTH - 1) / WIDTH;
    }
    fr_graph *graph = test_of_edges(*state, N, N - 1, src, dst, NULL, FR_TYPE_NONE, &undirected);
    assert_ok(*state, fr_verify_bfs(*state, graph, &query, level, parent));
    assert_ok(*state, fr_verify_bfs(*state, graph, &query, level, NULL));
    assert_ok(*state, fr_verify_bfs(*state, graph, &query, NULL, parent));
    level[N - 1]--;
    assert_int_equal(fr_verify_bfs(*state, graph, &query, level, NULL), FR_VERIFY_FAILED);
    parent[N - 1 - WIDTH] = N - 1;
    assert_int_equal(fr_verify_bfs(*state, graph, &query, NULL, parent), FR_VERIFY_FAILED);
    fr_graph_free(graph);
}

/* Once found by a random test: 2 and 5 each look like the other's parent. */
#define FOUND                                                                                      \
    "11: 6>5/4.863445115407402e-05 2>4/2.39550941941452118e-09 "                                   \
    "5>2/9.69808840818852150e+03 10>4/2.5707258527305475e-08 0>1/26102041523.054241 "              \
    "1>3/8742425959.868944 7>9/8.02937944389918e-11 3>8/395.88389676901295 "                       \
    "4>7/3291203.9535533176 8>10/3.6790937168250879e-12 9>6/5.92180361300720867e-02"

static void absorbed_weights_pass(void **state) {
    static const char *const strategies[] = {"dijkstra", "floyd-warshall", "johnson"};
    static double dist[11 * 11];
    for (int way = 0; way < 2; way++) {
        char text[512] = FOUND;
        for (char *c = text; way && *c; c++)
            *c = *c == '>' ? '-' : *c;
        fr_graph *graph = test_graph_of(*state, text, FR_TYPE_F64);
        for (int i = 0; i < 3; i++)
            for (int32_t source = 0; source < (i ? 1 : 11); source++) {
                const fr_solver_options options = {.strategy = strategies[i]};
                fr_query query = {.sources = i ? NULL : &source, .source_count = !i};
                fr_result result = {.dist = dist};
                assert_ok(*state, test_solve(*state, graph, i ? FR_PROBLEM_APSP : FR_PROBLEM_SSSP,
                                             &options, &query, &result));
                assert_ok(
                    *state,
                    i ? fr_verify_apsp(*state, graph, NULL, false, dist, FR_TYPE_F64, NULL, 0, 1)
                      : fr_verify_sssp(*state, graph, &query, false, dist, FR_TYPE_F64, NULL));
            }
        fr_graph_free(graph);
    }
}

/* ---- cycles ------------------------------------------------------------------------------------ */

/* 1 -> 2 -> 3 -> 1 weighs -1 by the lighter of 2 -> 3; 4 -> 4 weighs -2, apart from 0. */
#define CYCLES "5: 0>1/1 1>2/1 2>3/5 2>3/2 3>1/-4 4>4/-2 2>0/9"

static const struct {
    const char *graph;
    int32_t cycle[5], length;
    double weight;
    bool right, from_zero; /* of the whole graph; from source 0 */
} cycles[] = {
    {CYCLES, {1, 2, 3}, 3, -1, true, true},
    {CYCLES, {3, 1, 2}, 3, -1, true, true},
    {CYCLES, {1, 2, 3}, 3, -2, false, false}, /* another weight */
    {CYCLES, {1, 2, 3}, 3, 2, false, false},  /* by the heavier parallel edge */
    {CYCLES, {0, 1, 2}, 3, 11, false, false}, /* a cycle, but positive */
    {CYCLES, {0, 1, 2}, 3, -11, false, false},
    {CYCLES, {3, 2, 1}, 3, -1, false, false}, /* against the edges */
    {CYCLES, {1, 2}, 2, -1, false, false},    /* does not close */
    {CYCLES, {4}, 1, -2, true, false},        /* 0 does not reach it */
    {CYCLES, {4, 4}, 2, -4, false, false},    /* twice around */
    {CYCLES, {1, 2, 5}, 3, -1, false, false}, /* no vertex */
    {CYCLES, {1, 2, -1}, 3, -1, false, false},
    {CYCLES, {1}, 0, -1, false, false},
    {CYCLES, {1}, 6, -1, false, false},
    {CYCLES, {1, 2, 3}, 3, NAN, false, false},
    /* the order of the sum rounds the weight to 0; sums beyond double */
    {"3: 0>1/1 1>2/-1e-17 2>0/-1", {0, 1, 2}, 3, -1e-17, true, true},
    {"3: 0>1/1 1>2/-1e-17 2>0/-1", {0, 1, 2}, 3, 1e-17, false, false},
    {"3: 0>1/-1.5e308 1>2/-1.5e308 2>0/1.4e308", {0, 1, 2}, 3, -1.6e308, true, true},
    {"3: 0>1/-1.5e308 1>2/-1.5e308 2>0/-1", {0, 1, 2}, 3, -INFINITY, true, true},
};

static void cycles_are_checked(void **state) {
    const fr_query from_zero = {.sources = (const int32_t[]){0}, .source_count = 1};
    for (size_t i = 0; i < COUNT(cycles); i++) {
        fr_graph *graph = test_graph_of(*state, cycles[i].graph, FR_TYPE_F64);
        for (int zero = 0; zero < 2; zero++) {
            bool right = zero ? cycles[i].from_zero : cycles[i].right;
            fr_status status = fr_verify_cycle(*state, graph, zero ? &from_zero : &(fr_query){0},
                                               cycles[i].cycle, cycles[i].length, cycles[i].weight);
            if (status != (right ? FR_OK : FR_VERIFY_FAILED))
                fail_msg("cycle %zu: %s", i, fr_status_name(status));
        }
        fr_graph_free(graph);
    }
}

/* ---- rows of all pairs ------------------------------------------------------------------------- */

/* Columns 3, 1, 0 from 1 on the path 0 - 1 - 2 - 3, each wrong in turn. */
static void columns_are_checked(void **state) {
    static const int32_t source = 1, targets[] = {3, 1, 0};
    for (fr_type type = FR_TYPE_I32; type <= FR_TYPE_F64; type++) {
        fr_graph *graph = test_graph_of(*state, "4: 0-1/2 1-2/2 2-3/2", type);
        fr_query query = {
            .sources = &source, .source_count = 1, .targets = targets, .target_count = 3};
        int32_t parent[] = {2, 1, 1};
        values dist;
        read_values("4 0 2", type, &dist);
        assert_ok(*state, fr_verify_apsp(*state, graph, &query, false, &dist, type, parent, 0, 0));
        query.max_distance = 3;
        assert_refused(*state,
                       fr_verify_apsp(*state, graph, &query, false, &dist, type, parent, 0, 0),
                       FR_VERIFY_FAILED, "beyond the limit");
        query.max_distance = 0;
        for (int j = 0; j < 3; j++) {
            parent[j] ^= 1;
            assert_int_equal(
                fr_verify_apsp(*state, graph, &query, false, &dist, type, parent, 0, 0),
                FR_VERIFY_FAILED);
            parent[j] ^= 1;
        }
        static const char *const wrong[] = {"6 0 2", "4 2 2", "4 0 4", "inf 0 2", "4 0 inf"};
        for (size_t i = 0; i < COUNT(wrong); i++) {
            read_values(wrong[i], type, &dist);
            assert_int_equal(fr_verify_apsp(*state, graph, &query, false, &dist, type, NULL, 0, 0),
                             FR_VERIFY_FAILED);
        }
        fr_graph_free(graph);
    }
}

/* A path that leaves int64 and returns, in columns; and sums of two rows, compared with a limit exactly. */
static void rows_at_the_end_of_int64(void **state) {
    static const int32_t source = 0, columns[] = {3, 1}, lost[] = {3, 2};
    const int64_t dist[] = {10, INT64_MAX - 1}, I = FR_INF_I64,
                  rows[] = {0, (INT64_C(1) << 53) - 1, I, 5, I, 0, 2, I, I, I, 0, I, I, I, I, 0};
    fr_query query = {.sources = &source, .source_count = 1, .targets = columns, .target_count = 2};
    fr_graph *graph = test_graph_of(*state, BACK64, FR_TYPE_I64);
    assert_ok(*state, fr_verify_apsp(*state, graph, &query, false, dist, FR_TYPE_I64, NULL, 0, 1));
    query.targets = lost;
    assert_refused(*state,
                   fr_verify_apsp(*state, graph, &query, false, dist, FR_TYPE_I64, NULL, 0, 1),
                   FR_VERIFY_FAILED, "beyond int64");
    fr_graph_free(graph);
    graph = test_graph_of(*state, B53, FR_TYPE_I64);
    query = (fr_query){.max_distance = 0x1p53};
    for (uint64_t seed = 0; seed < 16; seed++)
        assert_ok(*state,
                  fr_verify_apsp(*state, graph, &query, false, rows, FR_TYPE_I64, NULL, 1, seed));
    fr_graph_free(graph);
}

/* Rows that are not sampled are compared with those that are: on the path 0 - 1 - 2 a wrong
 * distance from 0 to 2 is detected in row 0 and, by the triangle inequality over 1, in row 1, but
 * not in row 2. */
static void triangles(void **state) {
    fr_graph *graph = test_graph_of(*state, "3: 0-1/1 1-2/1", FR_TYPE_F64);
    const double right[] = {0, 1, 2, 1, 0, 1, 2, 1, 0}, bad[] = {0, 1, 2.7, 1, 0, 1, 2, 1, 0};
    int caught = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        assert_ok(*state,
                  fr_verify_apsp(*state, graph, NULL, false, right, FR_TYPE_F64, NULL, 1, seed));
        fr_status status =
            fr_verify_apsp(*state, graph, NULL, false, bad, FR_TYPE_F64, NULL, 1, seed);
        caught += status == FR_VERIFY_FAILED;
    }
    assert_in_range(caught, 30, 59); /* two rows of three; with its own row alone it would be 20 */
    fr_graph_free(graph);
}

/* ---- forests of parents ------------------------------------------------------------------------ */

enum { FOREST = 20000 };

typedef struct {
    int32_t depth[FOREST], calls[FOREST];
} visits;

static void note(void *arg, int32_t v, int32_t parent) {
    visits *seen = arg;
    seen->depth[v] = v == parent ? 0 : seen->depth[parent] + 1;
    seen->calls[v]++;
}

/* Each vertex of a forest is visited once and after its parent, for short and long chains in any
 * numbering. Otherwise the smallest vertex whose chain has no root is reported. */
static void forests(void **state) {
    int32_t *parent = malloc(FOREST * sizeof *parent), detached;
    visits *seen = malloc(sizeof *seen);
    uint64_t random = 5;
    for (int shape = 0; shape < 16; shape++) {
        int reach = (int[]){1, 3, 100, FOREST}[shape / 4]; /* 1: one path; large: flat */
        for (int32_t i = 0; i < FOREST; i++) {
            int32_t up = i - cf_between(&random, 1, reach < i ? reach : i ? i : 1);
            up = i ? up : 0;
            parent[shape & 1 ? FOREST - 1 - i : i] = shape & 1 ? FOREST - 1 - up : up;
        }
        int32_t loose = cf_between(&random, 100, FOREST - 100);
        if (shape & 2) { /* a cycle of two vertices with its descendants */
            parent[loose] = loose + (shape & 1 ? -1 : 1);
            parent[parent[loose]] = loose;
        }
        memset(seen, 0, sizeof *seen);
        fr_ctx_set_threads(*state, 1 + shape % 3);
        assert_ok(*state, fri_verify_walk(*state, FOREST, parent, note, seen, &detached));
        assert_int_equal(detached < 0, !(shape & 2));
        for (int32_t v = 0; v < FOREST; v++) {
            if (shape & 2 && !seen->calls[v])
                assert_true(detached <= v);
            else
                assert_int_equal(seen->calls[v], 1);
            if (seen->calls[v] && parent[v] != v)
                assert_int_equal(seen->depth[v], seen->depth[parent[v]] + 1);
        }
        assert_true(detached < 0 || !seen->calls[detached]);
    }
    free(parent);
    free(seen);
}

TEST_PROGRAM(TEST(levels_are_checked), TEST(distances_are_checked), TEST(floats_are_checked),
             TEST(limits_and_targets), TEST(units_are_checked), TEST(small_errors_do_not_add_up),
             TEST(large_graphs), TEST(absorbed_weights_pass), TEST(cycles_are_checked),
             TEST(columns_are_checked), TEST(rows_at_the_end_of_int64), TEST(triangles),
             TEST(forests))
