/* What APSP `auto` on the GPU expects of its strategies (cuda/apsp/costs.h), against calls measured on an H200 (driver
 * 580.159.04, November 2026): 512 sources of multi-bfs, 256 of multi-sssp and one of SSSP auto, without what leaves
 * the device. Weights are 1 to 255. */
#include "core/backend.h"
#include "cuda/apsp/costs.h"
#include "support/support.h"

typedef struct {
    const char *graph;
    int32_t n;
    int64_t m;
    double edge_degree;
    double bfs_ms, many_ms, each_ms; /* 0: not measured */
} measured;

static const measured cases[] = {
    {"kron18", 1 << 18, 7600000, 700, 0.67, 256 / 1.945, 0.39},
    {"kron20", 1 << 20, 31000000, 1500, 1.75, 256 / 0.421, 0.55}, /* 0.35 int32, 0.75 float */
    {"kron21", 1 << 21, 63539136, 3000, 0, 0, 0.93},
    {"kron22", 1 << 22, 128000000, 4000, 6.4, 0, 0},
    {"kron24", 1 << 24, 520760690, 6000, 0, 0, 3.7},
    {"uniform18", 1 << 18, 8400000, 33, 0.6, 0, 0},
    {"uniform", 2000000, 127997994, 65, 0, 0, 1.6},
    {"lattice", 1960000, 7840000, 4, 412, 256 / 0.073, 4.6},
    {"moscow", 411992, 901838, 2.4, 0, 0, 1.2},
};

static fri_apsp_work work_of(const measured *c, double rows) {
    const fri_backend_input in = {.n = c->n, .m = c->m, .edge_degree = c->edge_degree};
    return (fri_apsp_work){c->n, (double)c->m, rows, fri_backend_levels(&in), false};
}

static void expect_within(const measured *c, const char *what, double ns, double ms, double ratio) {
    if (ms > 0 && (ns / 1e6 > ratio * ms || ns / 1e6 < ms / ratio))
        fail_msg("%s, %s: %g ms predicted, %g measured", c->graph, what, ns / 1e6, ms);
}

static void predictions_are_near_what_was_measured(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const measured *c = &cases[i];
        const fri_apsp_work bfs = work_of(c, 512), many = work_of(c, 256), each = work_of(c, 1);
        expect_within(c, "multi-bfs", fri_apsp_ns(fri_apsp_multi_bfs_cost(&bfs)), c->bfs_ms, 1.35);
        expect_within(c, "multi-sssp", fri_apsp_ns(fri_apsp_multi_sssp_cost(&many)), c->many_ms,
                      1.1);
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
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i].many_ms > 0)
            assert_int_equal(by_each(&cases[i], 256), 256 * cases[i].each_ms < cases[i].many_ms);
}

/* Not measured: many rows of small graphs share the GPU; few rows, and graphs in between, have it each. */
static void small_graphs_share_the_gpu(void **state) {
    (void)state;
    const measured kron14 = {"kron14", 1 << 14, 450000, 300, 0, 0, 0},
                   kron16 = {"kron16", 1 << 16, 1800000, 450, 0, 0, 0},
                   grid100 = {"grid 100^2", 10000, 39600, 4, 0, 0, 0},
                   grid316 = {"grid 316^2", 99856, 398160, 4, 0, 0, 0};
    const measured *const small[] = {&kron14, &kron16, &grid100, &grid316};
    for (size_t i = 0; i < COUNT(small); i++) {
        assert_false(by_each(small[i], 256));
        assert_false(by_each(small[i], small[i]->n));
        assert_true(by_each(small[i], 1));
    }
    for (double rows = 1; rows <= 1 << 14; rows *= 2)
        assert_true(by_each(&cases[1], rows)); /* kron20 */
}

static void batches_are_whole_groups(void **state) {
    (void)state;
    assert_int_equal(fri_apsp_sssp_batch(0), 1024);
    assert_int_equal(fri_apsp_sssp_batch(411992), 160);
    assert_int_equal(fri_apsp_sssp_batch(1 << 24), 32);
}

TEST_PROGRAM(TEST(predictions_are_near_what_was_measured), TEST(choice_is_the_faster),
             TEST(small_graphs_share_the_gpu), TEST(batches_are_whole_groups))
