/* The choice of the backend (core/backend.h) on measured cases: 16 cores of a host with an H200,
 * commit 3ada3c1 and for BFS on the CPU 7d5153f. Milliseconds from an unopened device to the last of
 * 1, 8 and 64 answers. */
#include "core/backend.h"
#include "support/support.h"

typedef struct {
    const char *graph;
    bool weighted, symmetric;
    int32_t n;
    int64_t m;
    double edge_degree, cpu[3], gpu[3];
} measured;

static const double queries[] = {1, 8, 64};

static const measured cases[] = {
    {"amsterdam", false, true, 68213, 153424, 2.44, {1.8, 10.7, 80}, {254, 241, 283}},
    {"cnr-2000", false, true, 325557, 5477938, 700, {6.9, 34, 178}, {245, 248, 270}},
    {"grid3d", false, true, 9938375, 59352900, 6, {97, 573, 4375}, {242, 257, 394}},
    {"kron21", false, true, 2097152, 63539136, 3000, {20, 44, 176}, {243, 285, 380}},
    {"kron24", false, true, 16777216, 520760690, 6000, {132, 368, 1511}, {413, 491, 481}},
    {"lattice", false, true, 1960000, 5480988, 3, {30, 163, 1227}, {229, 261, 436}},
    {"lj-like", false, false, 4847571, 70943399, 1720, {47, 215, 655}, {267, 251, 283}},
    {"moscow", false, true, 411992, 901838, 2.4, {6, 42, 325}, {224, 258, 322}},
    {"uniform", false, true, 2000000, 127997994, 65, {35, 77, 438}, {281, 280, 323}},
    {"wiki-like", false, false, 2394385, 5379001, 700, {25, 50, 229}, {217, 259, 240}},
    {"amsterdam", true, true, 68213, 153424, 2.44, {2.1, 16, 114}, {225, 242, 302}},
    {"cnr-2000", true, true, 325557, 5477938, 700, {25, 85, 616}, {219, 236, 321}},
    {"grid3d", true, true, 9938375, 59352900, 6, {178, 1092, 8470}, {250, 287, 533}},
    {"kron21", true, true, 2097152, 63539136, 3000, {90, 187, 1035}, {290, 290, 340}},
    {"kron24", true, true, 16777216, 520760690, 6000, {671, 1872, 9790}, {533, 592, 809}},
    {"lattice", true, true, 1960000, 5480988, 3, {36, 215, 1763}, {224, 301, 526}},
    {"lj-like", true, false, 4847571, 70943399, 1720, {122, 698, 5205}, {280, 301, 417}},
    {"moscow", true, true, 411992, 901838, 2.4, {9.7, 75, 665}, {235, 237, 318}},
    {"uniform", true, true, 2000000, 127997994, 65, {151, 440, 2521}, {312, 336, 401}},
    {"wiki-like", true, false, 2394385, 5379001, 700, {20, 118, 835}, {235, 231, 275}},
};

static fri_backend_input input_of(const measured *c, double count) {
    return (fri_backend_input){.problem = c->weighted ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS,
                               .weighted = c->weighted,
                               .threads = 16,
                               .n = c->n,
                               .m = c->m,
                               .symmetric = c->symmetric,
                               .edge_degree = c->edge_degree,
                               .queries = count,
                               .upload_bytes =
                                   (size_t)c->n * 4 + (size_t)c->m * (c->weighted ? 8 : 4)};
}

/* The chosen backend takes at most a tenth longer than the other one. */
static void choice_is_within_a_tenth(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int q = 0; q < 3; q++) {
            const measured *c = &cases[i];
            fri_backend_input in = input_of(c, queries[q]);
            bool gpu = fri_backend_choose(&in) == FR_BACKEND_CUDA;
            double chosen = gpu ? c->gpu[q] : c->cpu[q], other = gpu ? c->cpu[q] : c->gpu[q];
            char text[200];
            fri_backend_explain(&in, text, sizeof text);
            if (chosen > 1.1 * other)
                fail_msg("%s %s, %g queries: %g ms, the other backend %g (%s)", c->graph,
                         c->weighted ? "SSSP" : "BFS", queries[q], chosen, other, text);
        }
}

/* An open device with the graph on it is preferred wherever a query is faster there. */
static void open_device_counts(void **state) {
    (void)state;
    fri_backend_input in = input_of(&cases[4], 1); /* kron24 */
    assert_int_equal(fri_backend_choose(&in), FR_BACKEND_CPU);
    in.device_open = true;
    in.upload_bytes = 0;
    assert_int_equal(fri_backend_choose(&in), FR_BACKEND_CUDA);
    in = input_of(&cases[0], 1); /* 68,213 vertices, hundreds of levels */
    in.n = 1000;
    in.m = 2000;
    in.device_open = true;
    in.upload_bytes = 0;
    assert_int_equal(fri_backend_choose(&in), FR_BACKEND_CPU);
}

static void explanation_has_both_sums(void **state) {
    (void)state;
    fri_backend_input in = input_of(&cases[4], 64);
    char text[200];
    fri_backend_explain(&in, text, sizeof text);
    assert_non_null(strstr(text, "on the GPU: "));
    assert_non_null(strstr(text, "for 64 queries"));
    assert_non_null(strstr(text, "on the CPU"));
}

static void degree_of_a_sample(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 3, 4, 5, 6};
    const int32_t targets[] = {1, 2, 3, 0, 0, 0};
    fr_csr star = {.n = 4, .m = 6, .offsets = offsets, .targets = targets};
    assert_true(fri_backend_edge_degree(&star) == 2); /* three edges end at 1, three at 3 */
    assert_true(fri_backend_edge_degree(&(fr_csr){.n = 4, .offsets = offsets}) == 0);
}

TEST_PROGRAM(TEST(choice_is_within_a_tenth), TEST(open_device_counts),
             TEST(explanation_has_both_sums), TEST(degree_of_a_sample))
