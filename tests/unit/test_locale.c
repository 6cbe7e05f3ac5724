/* A program that has called setlocale, with a decimal comma: files, knobs and descriptions keep the
 * decimal point. The locale is made by localedef, which is part of the C library. */
#include "support/files.h"

#include <locale.h>
#include <stdio.h>

static const char comma_locale[] = "comment_char %\n"
                                   "escape_char /\n"
                                   "LC_NUMERIC\n"
                                   "decimal_point \",\"\n"
                                   "thousands_sep \".\"\n"
                                   "grouping 3;3\n"
                                   "END LC_NUMERIC\n";

static bool enter_locale(void) {
    const char *source = test_put("comma", comma_locale, sizeof comma_locale - 1);
    char command[512], folder[256];
    snprintf(command, sizeof command, "localedef -c -i %s ./xx_XX >localedef.log 2>&1", source);
    test_shell(command); /* warns of the other categories */
    snprintf(folder, sizeof folder, "%s", test_path("."));
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_NUMERIC, "xx_XX") && strcmp(localeconv()->decimal_point, ",") == 0;
}

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *wide, *narrow;
    } cases[] = {{1.5e300, "1.5e+300", "inf"},
                 {-1.5e-9, "-1.5e-09", "-1.5e-09"},
                 {12345678912345.68, "12345678912345.68", "1.2345679e+13"},
                 {1e22 / 7, "1.4285714285714287e+21", "1.4285715e+21"},
                 {0.25, "0.25", "0.25"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[FR_NUMBER_CAPACITY + 1];
        *fr_put_double(text, cases[i].value) = 0;
        assert_string_equal(text, cases[i].wide);
        *fr_put_float(text, (float)cases[i].value) = 0;
        assert_string_equal(text, cases[i].narrow);
    }
}

static void test_descriptions(void **state) {
    fr_graph *graph = test_generated(*state, "grid2d:rows=9,cols=9,keep=0.5", 0);
    fr_graph_free(graph);
}

/* A knob, and the knobs that the solver of the graph without closed edges is given. */
static void test_knobs(void **state) {
    fr_graph *graph = test_made(
        *state, "grid2d:rows=9,cols=9",
        (fr_load_options){.weights = FR_WEIGHTS_RANDOM, .weight_low = 0.5, .weight_high = 1.5});
    fr_solver_options options = FR_INIT(fr_solver_options);
    options.strategy = "delta-step";
    options.knobs = "delta=0.25";
    fr_solver *solver = test_solver(*state, graph, FR_PROBLEM_SSSP, &options);
    const int32_t source = 0;
    const uint64_t closed[2] = {UINT64_C(1) << 40, 0};
    double dist[81];
    fr_query query = {.sources = &source, .source_count = 1, .closed_vertices = closed};
    fr_result result = {.dist = dist};
    assert_ok(*state, fr_solve(solver, &query, &result));
    assert_true(dist[40] > 1e300 && dist[80] < 1e300);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void test_files(void **state) {
    fr_graph *graph = test_graph_of(*state, "4: 0>1/1.5 1>2/2.25 2>3/4", FR_TYPE_F64), *back;
    assert_ok(*state, fr_graph_write(*state, graph, test_path("w.wel"), NULL));
    assert_ok(*state, fr_graph_load(*state, test_path("w.wel"), NULL, &back));
    assert_same_graph("w.wel", graph, back);
    fr_graph_free(graph);
    fr_graph_free(back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_numbers),
        TEST(test_descriptions),
        TEST(test_knobs),
        TEST(test_files),
    };
    void *state = NULL;
    if (test_folder_make(&state))
        return 1;
    int code = 77;
    if (enter_locale())
        code = cmocka_run_group_tests(tests, NULL, NULL);
    else
        printf("skip: localedef makes no locale with a decimal comma here\n");
    test_folder_remove(&state);
    return code;
}
