/* Helpers that unit tests share. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fringe.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- programs ---------------------------------------------------------------------------------- */

/* cmocka set-up and tear-down: *state is a context with two threads. */
int test_ctx_new(void **state);
int test_ctx_free(void **state);

/* The function of a test, whose *state is such a context. */
#define TEST(function) cmocka_unit_test_setup_teardown(function, test_ctx_new, test_ctx_free)
/* A program of tests, listed as TEST(function), ... */
#define TEST_PROGRAM(...)                                                                          \
    int main(void) {                                                                               \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }

/* ---- statuses and messages --------------------------------------------------------------------- */

/* Fails the test with the context's message unless `status` is FR_OK. */
#define assert_ok(ctx, expression)                                                                 \
    do {                                                                                           \
        fr_status status_ = (expression);                                                          \
        if (status_)                                                                               \
            fail_msg("%s: %s: %s", #expression, fr_status_name(status_), fr_ctx_error(ctx));       \
    } while (0)

/* Fails the test unless the call ends with `status` and the context's message has `words`. */
#define assert_refused(ctx, expression, status, words)                                             \
    test_refused(ctx, expression, status, words, #expression)
void test_refused(const fr_ctx *ctx, fr_status got, fr_status status, const char *words,
                  const char *call);

/* ---- contexts ---------------------------------------------------------------------------------- */

fr_ctx *test_ctx(const fr_ctx_options *options);
fr_ctx *test_ctx_threads(int threads);

/* Counts the reports of progress and cancels at one of them. */
typedef struct test_watch {
    int64_t calls, stop_at; /* the report that cancels, from 1; 0: none */
    const char *phase;      /* only reports of it count; NULL: all */
} test_watch;
/* A context that such a watch observes, at every opportunity to report. */
fr_ctx *test_ctx_watched(test_watch *watch, int threads);
/* Cancels `run` at its k-th report for k = 1, 1 + step ... until it ends by itself; returns how often it was cancelled. */
int64_t test_each_report(fr_ctx *ctx, test_watch *watch, int64_t step,
                         fr_status (*run)(fr_ctx *, void *), void *arg);

/* ---- graphs ------------------------------------------------------------------------------------ */

/* A graph from a text: "4: 0>1/3 1>2/-5", with - in place of > undirected; / begins a weight. */
fr_graph *test_graph_of(fr_ctx *ctx, const char *text, fr_type weights);
/* What fr_graph_from_edges() and fr_graph_generate() make; a failure ends the test. */
fr_graph *test_of_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src, const int32_t *dst,
                        const void *weights, fr_type type, const fr_load_options *options);
fr_graph *test_made(fr_ctx *ctx, const char *description, fr_load_options options);
/* A generated graph, unweighted or with weights from 1 to `weight_high`. */
fr_graph *test_generated(fr_ctx *ctx, const char *description, double weight_high);

/* ---- queries ----------------------------------------------------------------------------------- */

/* A solver; a failure ends the test. */
fr_solver *test_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                       const fr_solver_options *options);
/* One query on a solver of its own. */
fr_status test_solve(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                     const fr_solver_options *options, const fr_query *query, fr_result *result);
/* The index-th strategy of the CPU for the problem, in options; false past the last. */
bool test_strategy(fr_problem problem, int index, fr_solver_options *options);

#endif
