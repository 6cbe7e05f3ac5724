/* What APSP `auto` on the GPU expects of its strategies (cuda/apsp/costs.h), against calls measured on an H200 (driver
 * 580.159.04, November 2026): 512 sources of multi-bfs, in words and by a block for each, 64 and 512 of multi-sssp, one of
 * each-sssp and 512 with 8 at once, without what leaves the device. Weights are 1 to 255. */
#include "core/backend.h"
#include "cuda/apsp/costs.h"
#include "support/support.h"

typedef struct {
    const char *graph;
    int32_t n;
    int64_t m;
    double edge_degree;
    double bfs_ms, few_ms, many_ms, each_ms, blocks_ms, several_ms; /* 0: not measured */
} measured;

static const measured cases[] = {
    {"kron14", 1 << 14, 523958, 300, 0, 0, 0, 0.203, 0, 0},
    {"kron16", 1 << 16, 2096650, 450, 0, 0, 36.7, 0.215, 0, 0},
    {"kron17", 1 << 17, 4193699, 550, 0, 0, 0, 0.241, 0, 0},
    {"kron18", 1 << 18, 8387860, 700, 0.67, 0, 221, 0.263, 0, 34.4},
    {"kron20", 1 << 20, 33553228, 1500, 1.9, 0, 1190, 0.378, 0, 79.8},
    {"kron21", 1 << 21, 63539136, 3000, 0, 0, 0, 0.53, 0, 0},
    {"kron22", 1 << 22, 128302316, 4000, 6.4, 0, 0, 0.92, 0, 239},
    {"kron24", 1 << 24, 520760690, 6000, 0, 0, 0, 2.7, 0, 0},
    {"uniform18", 1 << 18, 8388598, 33, 0.6, 0, 189, 0.285, 0, 0},
    {"uniform", 2000000, 127997994, 65, 0, 0, 0, 1.33, 0, 0},
    {"grid100", 10000, 39600, 4, 2.75, 1.07, 1.52, 0.327, 0.38, 0},
    {"grid316", 99856, 398160, 4, 10.1, 0, 0, 0.894, 1.32, 0},
    {"grid640", 409600, 1635840, 4, 62, 0, 0, 1.79, 6.05, 0},
    {"lattice", 1960000, 7834400, 4, 412, 0, 247, 4.35, 0, 0},
    {"thinned lattice", 1960000, 5480988, 3.1, 396, 0, 0, 0, 52.7, 0},
    {"grid3d", 1000000, 5940000, 6, 38.9, 0, 0, 0, 30.6, 0},
    {"moscow", 411992, 901838, 2.4, 43, 0, 0, 1.17, 5.35, 0},
    {"moscow, undirected", 411992, 1803676, 4.4, 0, 0, 35.4, 1.58, 0, 0},
};

static fri_apsp_work work_of(const measured *c, double rows) {
    const fri_backend_input in = {.n = c->n, .m = c->m, .edge_degree = c->edge_degree};
    return (fri_apsp_work){c->n, (double)c->m, rows, fri_backend_levels(&in), false, 16};
}

static void expect_within(const measured *c, const char *what, double ns, double ms, double ratio) {
    if (ms > 0 && (ns / 1e6 > ratio * ms || ns / 1e6 < ms / ratio))
        fail_msg("%s, %s: %g ms predicted, %g measured", c->graph, what, ns / 1e6, ms);
}

static void predictions_are_near_what_was_measured(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const measured *c = &cases[i];
        const fri_apsp_work many = work_of(c, 512), few = work_of(c, 64), each = work_of(c, 1);
        expect_within(c, "multi-bfs", fri_apsp_ns(fri_apsp_multi_bfs_cost(&many)), c->bfs_ms, 1.5);
        expect_within(c, "blocks", fri_apsp_ns(fri_apsp_blocks_cost(&many)), c->blocks_ms, 1.4);
        expect_within(c, "64 of multi-sssp", fri_apsp_ns(fri_apsp_multi_sssp_cost(&few)), c->few_ms,
                      1.6);
        expect_within(c, "512 of multi-sssp", fri_apsp_ns(fri_apsp_multi_sssp_cost(&many)),
                      c->many_ms, 1.8);
        expect_within(c, "8 at once of each-sssp", fri_apsp_ns(fri_apsp_each_sssp_cost(&many)),
                      c->several_ms, 1.7);
        expect_within(c, "each-sssp", fri_apsp_ns(fri_apsp_each_sssp_cost(&each)), c->each_ms, 1.7);
    }
}

static bool by_each(const measured *c, double rows) {
    const fri_apsp_work w = work_of(c, rows);
    return fri_apsp_ns(fri_apsp_each_sssp_cost(&w)) < fri_apsp_ns(fri_apsp_multi_sssp_cost(&w));
}

/* Where both were measured, the faster is chosen. */
static void choice_is_the_faster(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const measured *c = &cases[i];
        const fri_apsp_work bfs = work_of(c, 512);
        if (c->blocks_ms > 0 && fri_apsp_blocks_pay(&bfs) != (c->blocks_ms < c->bfs_ms))
            fail_msg("%s: the slower of words and blocks", c->graph);
        if (c->many_ms > 0 && c->several_ms > 0 && by_each(c, 512) != (c->several_ms < c->many_ms))
            fail_msg("%s: the slower strategy for 512 rows", c->graph);
        if (c->few_ms > 0 && by_each(c, 64) != (64 * c->each_ms / FRI_APSP_SEARCHES < c->few_ms))
            fail_msg("%s: the slower strategy for 64 rows", c->graph);
        assert_true(by_each(c, 1));
    }
    assert_false(by_each(&cases[COUNT(cases) - 1], 512)); /* roads */
}

/* Few threads wait for few searches. */
static void rows_at_once_follow_threads(void **state) {
    (void)state;
    assert_int_equal(fri_apsp_searches_at_once(512, 16), FRI_APSP_SEARCHES);
    assert_int_equal(fri_apsp_searches_at_once(512, 2), 2);
    assert_int_equal(fri_apsp_searches_at_once(5, 16), 2);
    assert_int_equal(fri_apsp_searches_at_once(1, 16), 1);
    assert_int_equal(fri_apsp_searches_at_once(0, 0), 1);
}

/* A random graph of degree 4 resembles a mesh, until its 19 levels are known. */
static void levels_correct_the_choice(void **state) {
    (void)state;
    fri_apsp_work w = work_of(&(measured){"", 1000000, 4000000, 5, 0, 0, 0, 0, 0}, 512);
    assert_true(fri_apsp_blocks_pay(&w));
    w.levels = 19;
    assert_false(fri_apsp_blocks_pay(&w));
    expect_within(&(measured){"uniform, degree 4"}, "blocks", fri_apsp_ns(fri_apsp_blocks_cost(&w)),
                  16.6, 1.2);
    expect_within(&(measured){"uniform, degree 4"}, "words",
                  fri_apsp_ns(fri_apsp_multi_bfs_cost(&w)), 2.63, 1.2);
}

/* What blocks have in shared memory fits it, and is most of what they search. */
static void blocks_fit_shared_memory(void **state) {
    (void)state;
    const int64_t sizes[] = {0, 1, 33, 10000, 411992, 900000, 1960000, INT32_MAX};
    const int64_t shared[] = {48 << 10, 64 << 10, 163 << 10, 227 << 10};
    for (size_t i = 0; i < COUNT(sizes) * COUNT(shared); i++)
        for (int blocks = 0; blocks <= FRI_BLOCK_MOST; blocks++) {
            const int64_t n = sizes[i / COUNT(shared)], bytes = shared[i % COUNT(shared)];
            const fri_block_shape s = fri_block_shape_of(n, bytes, blocks);
            assert_true(s.per_multiprocessor * ((s.ring + s.kept) * 4 + FRI_BLOCK_OWN) <= bytes);
            assert_int_equal(s.ring & (s.ring - 1), 0);
            assert_true(s.ring >= 64 && s.kept >= 1 && s.kept <= FRI_MAX(n, 1) / 32 + 1);
            assert_true(s.threads % 32 == 0 && s.threads <= FRI_BLOCK_THREADS);
            assert_true(!blocks || s.per_multiprocessor == blocks);
        }
    const fri_block_shape city = fri_block_shape_of(411992, 227 << 10, 0);
    assert_int_equal(city.per_multiprocessor, 2);
    assert_true(city.kept * 32 >= 411992);
    assert_int_equal(fri_block_shape_of(1960000, 227 << 10, 0).per_multiprocessor, 1);
}

TEST_PROGRAM(TEST(predictions_are_near_what_was_measured), TEST(choice_is_the_faster),
             TEST(levels_correct_the_choice), TEST(rows_at_once_follow_threads),
             TEST(blocks_fit_shared_memory))
