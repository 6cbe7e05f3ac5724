/* fr_microbench_run on the CPU: what it hands on, how it is stopped, memory that is refused. */
#include "fringe_tune.h"
#include "support/support.h"

enum { MAX_RESULTS = 64, ENOUGH = 20 << 20, STOP_AT = 3 };

typedef struct {
    fr_microbench limit[MAX_RESULTS];
    int count, stop_at; /* stop_at: calls until it cancels; 0: never */
} findings;

static int keep(void *user, const fr_microbench *limit) {
    findings *f = user;
    assert_in_range(f->count, 0, MAX_RESULTS - 1);
    f->limit[f->count++] = *limit;
    return f->count == f->stop_at;
}

static int cancel(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)phase, (void)total;
    return done == STOP_AT;
}

static void each_has_a_value_or_a_reason(void **state) {
    (void)state;
    fr_ctx *ctx;
    findings f = {.count = 0};
    int skipped = 0, barriers = 0;
    assert_int_equal(fr_ctx_new(&(fr_ctx_options){.threads = 3, .max_memory_bytes = ENOUGH}, &ctx),
                     FR_OK);
    assert_ok(ctx, fr_microbench_run(ctx, FR_BACKEND_CPU, keep, &f));
    assert_string_equal(fr_ctx_error(ctx), "");
    for (int i = 0; i < f.count; i++) {
        const fr_microbench *l = &f.limit[i];
        assert_true(l->skipped ? !(l->value > 0) : l->value > 0);
        assert_true(l->bytes > 0 || l->width > 0);
        skipped += l->skipped != NULL;
        barriers += strcmp(l->name, "team-barrier") == 0; /* of 1, 2 and 3 */
    }
    assert_int_equal(skipped, 3);
    assert_int_equal(barriers, 3);
    assert_in_range(fr_ctx_peak_bytes(ctx), 1, ENOUGH);
    fr_ctx_free(ctx);
}

/* Without a GPU the CPU is measured, which is no failure. */
static void any_device_leaves_no_message(void **state) {
    (void)state;
    fr_ctx *ctx;
    findings f = {.stop_at = 0};
    assert_int_equal(fr_ctx_new(&(fr_ctx_options){.threads = 1, .max_memory_bytes = ENOUGH}, &ctx),
                     FR_OK);
    assert_ok(ctx, fr_microbench_run(ctx, FR_BACKEND_ANY, keep, &f));
    assert_string_equal(fr_ctx_error(ctx), "");
    fr_ctx_free(ctx);
}

static void stops_when_cancelled(void **state) {
    findings f = {.stop_at = 2};
    assert_int_equal(fr_microbench_run(*state, FR_BACKEND_CPU, keep, &f), FR_CANCELLED);
    assert_int_equal(f.count, 2);

    fr_ctx *ctx;
    f = (findings){.count = 0};
    assert_int_equal(
        fr_ctx_new(&(fr_ctx_options){.threads = 1, .max_memory_bytes = ENOUGH, .progress = cancel},
                   &ctx),
        FR_OK);
    assert_int_equal(fr_microbench_run(ctx, FR_BACKEND_CPU, keep, &f), FR_CANCELLED);
    assert_int_equal(f.count, STOP_AT);
    fr_ctx_free(ctx);
}

static void refusals(void **state) {
    (void)state;
    fr_ctx *ctx;
    findings f = {.count = 0};
    assert_int_equal(fr_ctx_new(&(fr_ctx_options){.max_memory_bytes = 1000000}, &ctx), FR_OK);
    assert_int_equal(fr_microbench_run(ctx, FR_BACKEND_CPU, NULL, NULL), FR_INVALID);
    assert_int_equal(fr_microbench_run(ctx, FR_BACKEND_CPU, keep, &f), FR_NOMEM);
    assert_non_null(strstr(fr_ctx_error(ctx), "the limit is 977 KiB"));
    assert_int_equal(f.count, 0);
    fr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_a_value_or_a_reason),
        cmocka_unit_test(any_device_leaves_no_message),
        cmocka_unit_test_setup_teardown(stops_when_cancelled, test_ctx_new, test_ctx_free),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
