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

/* cmocka set-up and tear-down: *state is a context with two threads. */
int test_ctx_new(void **state);
int test_ctx_free(void **state);

/* Fails the test with the context's message unless `status` is FR_OK. */
#define assert_ok(ctx, expression)                                                                 \
    do {                                                                                           \
        fr_status status_ = (expression);                                                          \
        if (status_)                                                                               \
            fail_msg("%s: %s: %s", #expression, fr_status_name(status_), fr_ctx_error(ctx));       \
    } while (0)

/* A graph from a literal edge list {u, v, u, v, ...}. */
fr_graph *test_graph(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *ends, bool undirected);

#endif
