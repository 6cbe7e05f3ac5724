#include "support/support.h"

#include "base/base.h"
#include "base/text/number.h"
#include "fringe_tune.h"

int test_ctx_new(void **state) {
    *state = test_ctx_threads(2);
    return 0;
}

int test_ctx_free(void **state) {
    fr_ctx_free(*state);
    return 0;
}

void test_refused(const fr_ctx *ctx, fr_status got, fr_status status, const char *words,
                  const char *call) {
    if (got != status || !strstr(fr_ctx_error(ctx), words))
        fail_msg("%s: %s: \"%s\", not %s: \"%s\"", call, fr_status_name(got), fr_ctx_error(ctx),
                 fr_status_name(status), words);
}

/* ---- contexts ---------------------------------------------------------------------------------- */

fr_ctx *test_ctx(const fr_ctx_options *options) {
    fr_ctx *ctx = NULL;
    assert_int_equal(fr_ctx_new(options, &ctx), FR_OK);
    ctx->teams = FRI_TEAMS_ALL; /* races show also on a busy machine */
    return ctx;
}

fr_ctx *test_ctx_threads(int threads) { return test_ctx(&(fr_ctx_options){.threads = threads}); }

static int watch_report(void *user, const char *phase, int64_t done, int64_t total) {
    test_watch *w = user;
    (void)done, (void)total;
    if (w->phase && strcmp(w->phase, phase) != 0)
        return 0;
    return ++w->calls == w->stop_at;
}

fr_ctx *test_ctx_watched(test_watch *watch, int threads) {
    fr_ctx *ctx = test_ctx(
        &(fr_ctx_options){.threads = threads, .progress = watch_report, .progress_user = watch});
    ctx->pace_ns = 0;
    return ctx;
}

int64_t test_each_report(fr_ctx *ctx, test_watch *watch, int64_t step,
                         fr_status (*run)(fr_ctx *, void *), void *arg) {
    fr_status status = FR_CANCELLED;
    int64_t cancelled = 0;
    for (int64_t k = 1; status; k += step) {
        watch->calls = 0;
        watch->stop_at = k;
        status = run(ctx, arg);
        if (status && status != FR_CANCELLED)
            fail_msg("report %lld: %s: %s", (long long)k, fr_status_name(status),
                     fr_ctx_error(ctx));
        cancelled += status == FR_CANCELLED;
    }
    watch->stop_at = 0;
    return cancelled;
}

/* ---- graphs ------------------------------------------------------------------------------------ */

fr_graph *test_of_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src, const int32_t *dst,
                        const void *weights, fr_type type, const fr_load_options *options) {
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, n, m, src, dst, weights, type, options, &graph));
    return graph;
}

enum { TEXT_EDGES = 32 };

typedef union {
    int32_t i32[TEXT_EDGES];
    int64_t i64[TEXT_EDGES];
    float f32[TEXT_EDGES];
    double f64[TEXT_EDGES];
} text_weights;

/* Whatever the locale. */
static void read_weight(char **at, fr_type type, int i, text_weights *to) {
    switch (type) {
    case FR_TYPE_I32: to->i32[i] = (int32_t)strtol(*at, at, 10); break;
    case FR_TYPE_I64: to->i64[i] = strtoll(*at, at, 10); break;
    case FR_TYPE_F32: to->f32[i] = (float)fri_parse_number(*at, at); break;
    default: to->f64[i] = fri_parse_number(*at, at);
    }
}

fr_graph *test_graph_of(fr_ctx *ctx, const char *text, fr_type type) {
    int32_t src[TEXT_EDGES], dst[TEXT_EDGES], m = 0;
    text_weights weights;
    char *at;
    const int32_t n = (int32_t)strtol(text, &at, 10);
    bool undirected = false;
    for (at++; *at; m++) { /* after the colon */
        assert_true(m < TEXT_EDGES);
        src[m] = (int32_t)strtol(at, &at, 10);
        undirected |= *at == '-';
        dst[m] = (int32_t)strtol(at + 1, &at, 10);
        at += *at == '/';
        if (type)
            read_weight(&at, type, m, &weights);
    }
    const fr_load_options options = {.direction = undirected ? FR_DIRECTION_UNDIRECTED
                                                             : FR_DIRECTION_DIRECTED};
    return test_of_edges(ctx, n, m, src, dst, type ? &weights : NULL, type, &options);
}

fr_graph *test_made(fr_ctx *ctx, const char *description, fr_load_options options) {
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_generate(ctx, description, &options, &graph));
    return graph;
}

fr_graph *test_generated(fr_ctx *ctx, const char *description, double weight_high) {
    return test_made(
        ctx, description,
        (fr_load_options){.weights = weight_high > 0 ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_FILE,
                          .weight_low = weight_high > 0,
                          .weight_high = weight_high});
}

/* ---- queries ----------------------------------------------------------------------------------- */

fr_solver *test_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                       const fr_solver_options *options) {
    fr_solver *solver = NULL;
    assert_ok(ctx, fr_solver_new(ctx, graph, problem, options, &solver));
    return solver;
}

fr_status test_solve(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                     const fr_solver_options *options, const fr_query *query, fr_result *result) {
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, problem, options, &solver);
    if (!status)
        status = fr_solve(solver, query, result);
    fr_solver_free(solver);
    return status;
}

bool test_strategy(fr_problem problem, int index, fr_solver_options *options) {
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++)
        if (info.problem == problem && info.backend == FR_BACKEND_CPU && index-- == 0) {
            options->strategy = info.name;
            options->backend = FR_BACKEND_CPU;
            return true;
        }
    return false;
}
