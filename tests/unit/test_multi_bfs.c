/* All pairs by multi-bfs beyond the conformance suite: numbers of sources around a word and a pass, repeated
 * sources; limits of levels. The search that it shares with the centralities, for each instruction set, and the
 * order of the graph that these use. */
#include "conformance/matrix.h"
#include "cpu/multi_bfs/multi_bfs.h"
#include "cpu/multi_bfs/order.h"
#include "support/support.h"

enum { N = 64, MAX_SOURCES = 1100 };

/* More sources than vertices, and more than fit one pass (512). */
static void words_and_passes(void **state) {
    static const int64_t counts[] = {1, 2, 63, 64, 65, 128, 511, 512, 513, 1030};
    static const char *const knobs[] = {"",           "sources=1", "sources=64",
                                        "sources=65", "pull=0",    "pull=1e9"};
    static cf_number want[N * N];
    static int32_t sources[MAX_SOURCES];
    const cf_random_kind kind = {.weights = CF_NONE, .directed = true};
    uint64_t random = 3;
    cf_config c = {
        .g = cf_random_graph(*state, N, 200, &kind, &random), .unit = true, .threads = 2};
    for (int i = 0; !c.strategy.name || strcmp(c.strategy.name, "multi-bfs") != 0; i++)
        assert_true(cf_strategy(FR_PROBLEM_APSP, i, &c.strategy));
    for (int32_t v = 0; v < N; v++)
        assert_true(cf_solve(c.g, true, &v, 1, want + v * N, NULL));
    for (int i = 0; i < MAX_SOURCES; i++)
        sources[i] = i == 1 ? sources[0] : cf_between(&random, 0, N - 1);
    for (size_t k = 0; k < COUNT(knobs); k++)
        for (size_t i = 0; i < COUNT(counts); i++) {
            fr_solver_options options = {.strategy = "multi-bfs",
                                         .knobs = knobs[k],
                                         .unit_weights = true,
                                         .max_sources = (int32_t)counts[i]};
            fr_solver *solver = test_solver(*state, c.g->graph, FR_PROBLEM_APSP, &options);
            for (int by_row = 0; by_row < 2; by_row++)
                cf_check_matrix(*state, &c, solver, knobs[k], want, sources, counts[i], by_row,
                                true);
            fr_solver_free(solver);
        }
    fr_solver_options options = {
        .strategy = "multi-bfs", .unit_weights = true, .max_sources = 1030};
    fr_solver *solver = test_solver(*state, c.g->graph, FR_PROBLEM_APSP, &options);
    for (int i = 0; i < 8;
         i++) /* a query finds nothing of the last one, which had more or fewer words */
        cf_check_matrix(*state, &c, solver, "changing", want, sources + i,
                        i % 2 ? 1030 : 1 + 70 * i, i & 2, true);
    fr_solver_free(solver);
    assert_int_equal(cf_failures, 0);
    cf_graph_free((cf_graph *)(uintptr_t)c.g);
}

/* A limit of levels is refused, not ignored. */
static void limits_of_levels_are_refused(void **state) {
    fr_graph *graph = test_generated(*state, "path:n=5", 0);
    const fr_query queries[] = {{.max_level = 1}, {.limit_level = true}};
    fr_solver_options options = {.unit_weights = true};
    int32_t dist[25];
    fr_result result = {.dist = dist};
    for (int i = 0; test_strategy(FR_PROBLEM_APSP, i, &options); i++)
        for (int q = 0; q < 2; q++)
            assert_refused(
                *state, test_solve(*state, graph, FR_PROBLEM_APSP, &options, &queries[q], &result),
                FR_UNSUPPORTED, "set max_distance");
    fr_graph_free(graph);
}

/* ---- the search --------------------------------------------------------------------------------- */

static int32_t found[FRI_MULTI_BFS_WIDTH * N]; /* the level of each source and vertex; -1: none */
static int64_t wrong;                          /* repeated bits */

static void take_levels(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t vertices) {
    (void)me;
    for (; vertices; vertices &= vertices - 1) {
        const int i = __builtin_ctzll(vertices);
        for (int k = 0; k < s->words; k++)
            for (uint64_t b = s->next[(word * 64 + i) * s->words + k]; b; b &= b - 1) {
                int32_t *at = &found[(k * 64 + __builtin_ctzll(b)) * N + word * 64 + i];
                wrong += *at != -1;
                *at = (int32_t)s->level;
            }
    }
}

typedef struct {
    fri_multi_bfs *search;
    const int32_t *source;
    int32_t count;
} joint;

static void run_joint(fri_member me, void *arg) {
    const joint *j = arg;
    fri_multi_bfs_begin(j->search, me, j->source, j->count);
    fri_multi_bfs_run(j->search, me);
}

/* One search of many on the same memory: its levels are those of the oracle, up to a limit. */
static void check_search(fri_multi_bfs *s, const cf_number *want, int members, int32_t count,
                         const int32_t *source) {
    const int64_t last = s->limit > 0     ? (int64_t)s->limit
                         : s->most_levels ? s->most_levels
                                          : INT32_MAX;
    for (int64_t i = 0; i < (int64_t)count * N; i++)
        found[i] = -1;
    joint j = {s, source, count};
    wrong = 0;
    fri_team_run(NULL, members, run_joint, &j);
    for (int32_t i = 0; i < count; i++)
        for (int32_t v = 0; v < N; v++) {
            const cf_number level = want[source[i] * N + v];
            assert_int_equal(found[i * N + v], level <= (cf_number)last ? (int32_t)level : -1);
        }
    assert_int_equal(wrong, 0);
}

static void searches(void **state) {
    static const int widths[] = {512, 1, 64, 65, 256, 257, 512};
    static const double pulls[] = {0, 2, 1e9};
    static cf_number want[N * N];
    int32_t source[FRI_MULTI_BFS_WIDTH];
    uint64_t random = 7;
    for (int directed = 0; directed < 2; directed++) {
        const cf_random_kind random_kind = {.weights = CF_NONE, .directed = directed};
        cf_graph *g = cf_random_graph(*state, N, 90, &random_kind, &random);
        fr_graph *back;
        assert_ok(*state, fr_graph_transpose(*state, g->graph, &back));
        for (int32_t v = 0; v < N; v++)
            assert_true(cf_solve(g, true, &v, 1, want + v * N, NULL));
        for (int kind = 0; kind < 4; kind++) {
            const int members = kind % 2 ? 3 : 1;
            char *block = aligned_alloc(FRI_CACHE_LINE,
                                        fri_multi_bfs_bytes(N, FRI_MULTI_BFS_WORDS, members)),
                 *at = block;
            assert_non_null(block);
            fri_multi_bfs *s = fri_multi_bfs_carve(&at, N, FRI_MULTI_BFS_WORDS, members);
            s->out = *fr_graph_csr(g->graph);
            s->in = kind / 2 ? *fr_graph_csr(back) : (fr_csr){.n = N};
            s->take = take_levels;
            for (int k = 0; k < 7 * 3 * 2 * 2 * 3; k++) {
                const int32_t count = widths[k % 7];
                for (int32_t i = 0; i < count; i++)
                    source[i] = cf_between(&random, 0, N - 1);
                s->words = fri_multi_bfs_words_for(count);
                s->pull = pulls[k / 7 % 3];
                s->portable = k / 21 % 2;
                s->limit = k / 84 == 1 ? 2.5 : 0;
                s->most_levels = k / 84 == 2 ? 3 : 0;
                check_search(s, want, members, count, source);
            }
            free(block);
        }
        fr_graph_free(back);
        cf_graph_free(g);
    }
}

/* ---- the order ---------------------------------------------------------------------------------- */

static bool has_edge(const fr_csr *csr, int32_t u, int32_t v) {
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
        if (csr->targets[e] == v)
            return true;
    return false;
}

/* Every edge but loops is there once, in both copies; rows ascend, and each vertex is there once. */
static void check_order(fr_ctx *ctx, const fr_csr *csr) {
    fri_ordered o;
    assert_ok(ctx, fri_ordered_new(ctx, csr, &o));
    int64_t edges = 0, vertices = 0;
    for (int32_t u = 0; u < csr->n; u++) {
        vertices += o.vertex[u];
        for (int32_t v = 0; v < csr->n; v++) {
            const bool is = u != v && has_edge(csr, o.vertex[u], o.vertex[v]);
            assert_int_equal(has_edge(&o.out, u, v), is);
            assert_int_equal(has_edge(&o.in, v, u), is);
            edges += is;
        }
        for (int64_t e = o.in.offsets[u] + 1; e < o.in.offsets[u + 1]; e++)
            assert_true(o.in.targets[e - 1] < o.in.targets[e]);
    }
    assert_int_equal(o.out.m, edges);
    assert_int_equal(o.in.m, edges);
    assert_int_equal(vertices, (int64_t)csr->n * (csr->n - 1) / 2);
    fri_free(o.block);
}

static void orders(void **state) {
    static const char *const graphs[] = {"grid2d:rows=9,cols=7", "star:n=40", "rmat:n=50,edges=300",
                                         "kronecker:scale=5", "uniform:n=30,edges=20,directed=1"};
    for (size_t i = 0; i < COUNT(graphs); i++) {
        fr_graph *graph = test_generated(*state, graphs[i], 0);
        check_order(*state, fr_graph_csr(graph));
        fr_graph_free(graph);
    }
    check_order(*state, &(fr_csr){.offsets = (const int64_t[]){0}});
}

TEST_PROGRAM(TEST(words_and_passes), TEST(limits_of_levels_are_refused), TEST(searches),
             TEST(orders))
