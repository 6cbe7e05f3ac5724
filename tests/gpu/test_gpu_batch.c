/* Batches: many queries of one call, whose results are copied while the next one runs. Every row is compared with the
 * CPU, in pageable, page-locked and device memory, for small and large rows, values of all widths, with and without
 * parents; after a failure, the rows before it. */
#include "gpu/harness.h"

enum { MAX_SOURCES = 5, SHORT = 40 /* edges: with rows that no batch copies */, UNREACHED = 150 };

static const char *const auto_alone[] = {"auto", NULL};

/* A path of that many edges. */
static fr_graph *path(fr_ctx *ctx, int32_t edges, fr_type type, double weight) {
    return graph_path(ctx, edges, edges == SHORT ? 0 : UNREACHED, type, weight, weight);
}

static ask ask_of(fr_ctx *ctx, fr_graph *graph, fr_problem problem, const char *name) {
    static const int32_t sources[MAX_SOURCES] = {0, 30, 1, 0, 17};
    return (ask){
        .ctx = ctx,
        .graph = graph,
        .problem = problem,
        .query = {.sources = sources, .source_count = MAX_SOURCES, .parent_rule = FR_PARENT_MIN_ID},
        .name = name,
        .each = true};
}

static void check_ask(ask a, const char *const *strategies) {
    static const int threads[] = {1, 4};
    answer want = answer_on_cpu(&a);
    for (; *strategies; strategies++)
        for (int i = 0; i < 2; i++) {
            a.options.strategy = *strategies;
            CHECK_OK(a.ctx, fr_ctx_set_threads(a.ctx, threads[i]));
            fr_solver *solver = solver_new(a.ctx, a.graph, a.problem, a.options);
            for (int where = 0; where < PLACES && solver; where++)
                for (int outputs = i ? VALUES | PARENTS : 0; outputs <= (VALUES | PARENTS);
                     outputs++) {
                    const fr_stats s = check_place(&a, solver, &want, (place)where, outputs);
                    CHECK(s.transfer_ns >= s.upload_ns, "%s: times", a.name);
                }
            fr_solver_free(solver);
        }
    answer_free(&want);
}

/* Levels of one and two bytes on the bus, in one batch: the deepest row has the last level. */
static void levels(fr_ctx *ctx) {
    static const char *const three[] = {"auto", "queue", "xbfs", NULL};
    static const int32_t lengths[] = {SHORT, 38, 140, 300000};
    for (int i = 0; i < (ON_HOST ? 3 : 4); i++) {
        fr_graph *graph = path(ctx, lengths[i], FR_TYPE_NONE, 0);
        ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "levels of a path");
        a.query.source_count = lengths[i] > 1000 ? 3 : MAX_SOURCES; /* a level takes a launch */
        check_ask(a, i == 1 ? three : auto_alone);
        fr_graph_free(graph);
    }
}

static void distances(fr_ctx *ctx) {
    static const char *const hbf[] = {"hbf", NULL}, *const two[] = {"auto", "near-far", NULL};
    static const struct {
        fr_type type;
        double weight;
    } cases[] = {{FR_TYPE_I32, 1},    {FR_TYPE_I32, 100}, {FR_TYPE_I32, 1e6},
                 {FR_TYPE_I64, 1e11}, {FR_TYPE_F32, 0.5}, {FR_TYPE_I32, -3}};
    for (int i = 0; i < COUNT(cases); i++) {
        char name[60];
        snprintf(name, sizeof name, "%s weights %g", fr_type_name(cases[i].type), cases[i].weight);
        fr_graph *graph = path(ctx, 38, cases[i].type, cases[i].weight);
        check_ask(ask_of(ctx, graph, FR_PROBLEM_SSSP, name), cases[i].weight < 0 ? hbf
                                                             : i == 1            ? two
                                                                                 : auto_alone);
        fr_graph_free(graph);
    }
}

/* What the host computes afterwards, targets, unit distances as floats: queries in turn. */
static void in_turn(fr_ctx *ctx) {
    static const int32_t targets[] = {40, 35};
    fr_graph *graph = path(ctx, 45, FR_TYPE_I32, 7);
    ask a = ask_of(ctx, graph, FR_PROBLEM_SSSP, "in turn");
    a.query.targets = targets;
    a.query.target_count = 2;
    check_ask(a, auto_alone);
    a = ask_of(ctx, graph, FR_PROBLEM_SSSP, "unit distances in turn");
    a.query.parent_rule = FR_PARENT_NEAREST;
    a.options = (fr_solver_options){.unit_weights = true, .dist_type = FR_TYPE_F64};
    answer want = answer_on_cpu(&a);
    fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
    check_place(&a, solver, &want, PAGEABLE, VALUES | PARENTS); /* the host's memory alone */
    fr_solver_free(solver);
    answer_free(&want);
    fr_graph_free(graph);
}

static void larger(fr_ctx *ctx) {
    fr_graph *graph = graph_weighted(
        ctx, ON_HOST ? "kronecker:scale=8,seed=1" : "kronecker:scale=20,seed=1", 1, 255);
    check_ask(ask_of(ctx, graph, FR_PROBLEM_BFS, "levels of a kronecker graph"), auto_alone);
    check_ask(ask_of(ctx, graph, FR_PROBLEM_SSSP, "distances of a kronecker graph"), auto_alone);
    fr_graph_free(graph);
}

/* ---- failures ---------------------------------------------------------------------------- */

/* A batch of which one row fails: the rows before it are complete. */
static void check_failure(const ask *a, fr_solver *solver, const answer *want, fr_status status,
                          int64_t complete) {
    answer got = answer_at(a, solver, PAGEABLE, VALUES);
    CHECK(got.status == status && got.solved == complete && *fr_ctx_error(a->ctx),
          "%s: %s, %lld rows: %s", a->name, fr_status_name(got.status), (long long)got.solved,
          fr_ctx_error(a->ctx));
    check_same(a, want, &got, VALUES, complete, "before a failure");
    answer_free(&got);
}

static void failures_of(fr_ctx *other) {
    stop when = {NULL, 3};
    fr_ctx *ctx = context_new((fr_ctx_options){.progress = stop_here, .progress_user = &when});
    fr_graph *graph = path(ctx, 60, FR_TYPE_NONE, 0);
    ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "a batch"), bad = a;
    answer want = answer_on_cpu(&a);
    fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
    int32_t sources[MAX_SOURCES];
    (void)other;
    memcpy(sources, a.query.sources, sizeof sources);
    bad.query.sources = sources;
    sources[3] = -2;
    check_failure(&bad, solver, &want, FR_NOT_FOUND, 3);
    sources[0] = 1 << 20;
    check_failure(&bad, solver, &want, FR_NOT_FOUND, 0);
    when.phase = "solving";
    check_failure(&a, solver, &want, FR_CANCELLED, 3);
    when.phase = NULL;
    check_place(&a, solver, &want, PAGEABLE, VALUES | PARENTS);
    fr_solver_free(solver);
    answer_free(&want);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* The distance of the end does not fit from vertex 0. */
static void overflow(fr_ctx *ctx) {
    static const int32_t sources[] = {30, 30, 17, 0};
    fr_graph *graph = path(ctx, 40, FR_TYPE_I32, 5.5e7);
    ask a = ask_of(ctx, graph, FR_PROBLEM_SSSP, "an overflow");
    a.query.sources = sources;
    a.query.source_count = 3;
    answer want = answer_on_cpu(&a);
    fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
    a.query.source_count = 4;
    check_failure(&a, solver, &want, FR_OVERFLOW, 3);
    fr_solver_free(solver);
    answer_free(&want);
    fr_graph_free(graph);
}

/* Without memory for the buffers the queries follow one another. */
static void without_memory(fr_ctx *ctx) {
    fr_graph *graph = path(ctx, 60, FR_TYPE_NONE, 0);
    ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "without memory");
    answer want = answer_on_cpu(&a);
    for (int64_t after = 0; after < (ON_HOST ? 4 : 1); after++) {
        fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
        array at = array_new(PAGEABLE, (size_t)want.rows * want.row, 4);
        fr_result result = {.level = (void *)at.at};
        int64_t solved;
        simt_fail_allocation(after);
        CHECK_OK(ctx, fr_solve_each(solver, &a.query, &result, &solved));
        simt_fail_allocation(-1);
        CHECK(!memcmp(at.at, want.values, at.bytes), "allocation %d fails", (int)after);
        check_place(&a, solver, &want, PAGEABLE, VALUES | PARENTS);
        array_free(&at);
        fr_solver_free(solver);
    }
    answer_free(&want);
    fr_graph_free(graph);
}

/* Long rows take two sets of buffers, once; short rows none. */
static void buffers(fr_ctx *ctx) {
    for (int is_long = 0; is_long < 2; is_long++) {
        fr_graph *graph = path(ctx, is_long ? 60 : SHORT, FR_TYPE_NONE, 0);
        ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "buffers");
        answer want = answer_on_cpu(&a);
        fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
        const size_t before = simt_live_bytes();
        for (int i = 0; i < 2; i++) {
            check_place(&a, solver, &want, PAGEABLE, VALUES);
            const size_t taken = simt_live_bytes() - before;
            CHECK(!ON_HOST || (is_long ? taken >= 2 * want.row && taken < 4 * want.row : !taken),
                  "rows of %zu bytes took %zu", want.row, taken);
        }
        fr_solver_free(solver);
        answer_free(&want);
        fr_graph_free(graph);
    }
}

static const part parts[] = {{"levels", levels},
                             {"distances", distances},
                             {"in-turn", in_turn},
                             {"larger", larger},
                             {"failures", failures_of},
                             {"overflow", overflow},
                             {"without-memory", without_memory},
                             {"buffers", buffers},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "batches", .problem = FR_PROBLEM_BFS, .parts = parts};
    return program_main(&p, argc, argv);
}
