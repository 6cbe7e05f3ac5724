/* Rows of all pairs in batches: the rows of one batch are copied to the caller's array while the next batch
 * is computed. Compared with the CPU for distances of all widths, in pageable, page-locked and device
 * memory, with and without parents, by a callback, on one and several GPUs; after a failure a further query
 * is right. */
#include "base/base.h"
#include "gpu/harness.h"

#include <pthread.h>

enum { EDGES = ON_HOST ? 30 : 130, ROWS = ON_HOST ? 40 : 150, DEVICES = 2 };

typedef struct rows_case {
    const char *strategy, *knobs; /* on the GPU */
    fr_type weights, dist;
    double weight;
    bool overlaps; /* on one GPU, into host memory, without parents */
} rows_case;

static const rows_case cases[] = {
    {"multi-bfs", "sources=16", FR_TYPE_NONE, FR_TYPE_I32, 1, true},
    {"multi-bfs", "sources=9", FR_TYPE_NONE, FR_TYPE_I64, 1, true},
    {"multi-bfs", ON_HOST ? "sources=39" : "sources=149", FR_TYPE_NONE, FR_TYPE_I32, 1, true},
    {"multi-bfs", "sources=150", FR_TYPE_NONE, FR_TYPE_I32, 1, false}, /* one batch */
    {"multi-bfs", "sources=3", FR_TYPE_NONE, FR_TYPE_I64, 1, false},   /* no room for a row */
    {"multi-sssp", "sources=12", FR_TYPE_I32, FR_TYPE_I32, 3, true},
    {"multi-sssp", "sources=32", FR_TYPE_I32, FR_TYPE_I32, 1000, false}, /* four bytes */
    {"multi-sssp", "sources=32", FR_TYPE_I32, FR_TYPE_I64, 1e8, false},  /* eight */
    {"multi-sssp", "sources=32", FR_TYPE_F32, FR_TYPE_F32, 0.5, false},
    {"johnson", "sources=12", FR_TYPE_I32, FR_TYPE_I32, -2, true},
    {"each-sssp", "", FR_TYPE_I32, FR_TYPE_I32, 3, true},
    {"auto", "", FR_TYPE_NONE, FR_TYPE_I32, 1, false},
};

/* A path, and vertices that it does not reach, on a GPU enough of them that their rows are worth threads. */
static ask ask_of(fr_ctx *ctx, const rows_case *c) {
    static int32_t sources[ROWS];
    for (int32_t i = 0; i < ROWS; i++)
        sources[i] = i * 7 % (EDGES + 3);
    return (ask){
        .ctx = ctx,
        .graph = graph_path(ctx, EDGES, ON_HOST ? 100 : 200000, c->weights, c->weight, c->weight),
        .name = "rows",
        .problem = FR_PROBLEM_APSP,
        .options = {.strategy = c->strategy,
                    .knobs = c->knobs,
                    .dist_type = c->dist,
                    .max_sources = ROWS,
                    .record_levels = true},
        .query = {.sources = sources, .source_count = ROWS}};
}

/* The kernel that narrows the rows of a batch; rows of new arrays without pages are narrowed by it, too. */
static bool narrowed_for_batch(const fr_solver *solver) {
    int count;
    const fr_kernel *kernels = fr_solver_kernels(solver, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(kernels[i].name, "narrow_kernel") == 0)
            return true;
    return false;
}

/* The parent of every source is the source itself. */
static void check_parents(const ask *a, const answer *got) {
    for (int64_t i = 0; i < got->rows; i++) {
        const int32_t source = a->query.sources[i];
        CHECK(got->parent[i * (int64_t)got->width + source] == source,
              "%s: the parent of source %d", a->options.strategy, (int)i);
    }
}

static void check_array(const ask *a, fr_solver *solver, const answer *want, place where,
                        bool parents, bool overlaps) {
    const int outputs = parents ? VALUES | PARENTS : VALUES;
    answer got = answer_at(a, solver, where, outputs);
    check_same(a, want, &got, VALUES, -1, place_names[where]);
    /* queries of SSSP are also copied with parents */
    const bool batched = !parents || strcmp(a->options.strategy, "each-sssp") == 0;
    if (where == PAGEABLE && overlaps)
        CHECK(narrowed_for_batch(solver) == batched, "%s: not overlapped", a->options.knobs);
    if (parents)
        check_parents(a, &got);
    answer_free(&got);
}

static void check_callback(const ask *a, fr_solver *solver, const answer *want) {
    answer got = answer_by_row(*a, solver, VALUES);
    check_same(a, want, &got, VALUES, -1, "by row");
    answer_free(&got);
}

static void check_case(fr_ctx *ctx, const rows_case *c) {
    ask a = ask_of(ctx, c);
    answer want = answer_on_cpu(&a);
    const size_t before = simt_held_bytes(ctx);
    fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
    for (int threads = 1; threads <= 4; threads += 3) {
        fr_ctx_set_threads(ctx, threads);
        for (int where = 0; where < PLACES; where++)
            check_array(&a, solver, &want, (place)where, false, c->overlaps);
    }
    check_array(&a, solver, &want, HALF_PINNED, false, c->overlaps);
    check_array(&a, solver, &want, PAGEABLE, true, c->overlaps);
    check_callback(&a, solver, &want);
    check_array(&a, solver, &want, PAGEABLE, false, c->overlaps);
    fr_solver_free(solver);
    CHECK(simt_held_bytes(ctx) == before, "%s: device memory is left behind", c->strategy);
    answer_free(&want);
    fr_graph_free(a.graph);
}

static void all_cases(fr_ctx *ctx) {
    for (int i = 0; i < COUNT(cases); i++)
        check_case(ctx, &cases[i]);
}

/* ---- failures and several GPUs ----------------------------------------------------------- */

/* Cancelled before the fourth batch, while rows of the third are copied. */
static void cancelled(fr_ctx *other) {
    stop when = {NULL, 3 * 12};
    fr_ctx *ctx = context_new((fr_ctx_options){.progress = stop_here, .progress_user = &when});
    ask a = ask_of(ctx, &cases[5]);
    answer want = answer_on_cpu(&a);
    fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
    (void)other;
    when.phase = "computing rows";
    answer got = answer_at(&a, solver, PAGEABLE, VALUES);
    CHECK(got.status == FR_CANCELLED, "%s", fr_ctx_error(ctx));
    check_same(&a, &want, &got, VALUES, when.done, "before the fourth batch");
    when.phase = NULL;
    check_array(&a, solver, &want, PAGEABLE, false, true);
    answer_free(&got);
    answer_free(&want);
    fr_solver_free(solver);
    fr_graph_free(a.graph);
    fr_ctx_free(ctx);
}

/* The last source is too far from an end: its batch fails while others are copied. */
static void overflow(fr_ctx *ctx) {
    const rows_case c = {"multi-sssp", "sources=32",          FR_TYPE_I32,
                         FR_TYPE_I32,  ON_HOST ? 8e7 : 1.8e7, false};
    ask a = ask_of(ctx, &c);
    int32_t sources[ROWS];
    for (int i = 0; i < ROWS; i++)
        sources[i] = i < ROWS - 1 ? EDGES - 2 : 0;
    a.query.sources = sources;
    fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
    answer got = answer_at(&a, solver, PAGEABLE, VALUES);
    CHECK_REFUSED(ctx, got.status, FR_OVERFLOW, "does not fit");
    CHECK(((const int32_t *)(const void *)got.values)[EDGES] == 2 * (int32_t)c.weight,
          "the end of row 0");
    answer_free(&got);
    fr_solver_free(solver);
    fr_graph_free(a.graph);
}

static pthread_t caller;

static int count_rows(void *user, int64_t row, int32_t source, const void *dist,
                      const int32_t *parent) {
    int64_t *next = user;
    (void)source, (void)dist, (void)parent;
    *next = row == *next && pthread_equal(caller, pthread_self()) ? row + 1 : -1;
    return row == ROWS - 2;
}

/* From the calling thread and in order, until it says stop; from several GPUs in any order. */
static void check_stop(const ask *a, fr_solver *solver, bool in_order) {
    char words[40];
    int64_t next = 0;
    fr_query q = a->query;
    q.row = count_rows;
    q.row_user = &next;
    caller = pthread_self();
    snprintf(words, sizeof words, "at row %d", ROWS - 2);
    CHECK_REFUSED(a->ctx, fr_solve(solver, &q, &(fr_result){0}), FR_CANCELLED, words);
    CHECK(!in_order || next == ROWS - 1, "%lld rows in order", (long long)next);
}

/* Each GPU copies the rows of a part while it computes the next part, of one batch. */
static void several_gpus(fr_ctx *other) {
    fr_ctx *ctx =
        devices_there < DEVICES ? NULL : context_on(DEVICES, (fr_ctx_options){.threads = 4});
    (void)other;
    for (int i = 0; ctx && i < 11; i += 2) { /* three strategies, with and without overlap */
        ask a = ask_of(ctx, &cases[i]);
        answer want = answer_on_cpu(&a);
        fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
        check_array(&a, solver, &want, PAGEABLE, false, false);
        check_array(&a, solver, &want, PAGEABLE, true, false);
        check_callback(&a, solver, &want);
        check_stop(&a, solver, false);
        check_array(&a, solver, &want, PINNED, false, false);
        fr_solver_free(solver);
        answer_free(&want);
        fr_graph_free(a.graph);
    }
    fr_ctx_free(ctx);
}

/* Closed edges: a filtered copy, whose solver has the same team. */
static void check_closed(ask a, fr_solver *solver) {
    uint64_t edges[2 * EDGES / 64 + 2] = {0x900};
    a.query.closed_edges = edges;
    answer want = answer_on_cpu(&a);
    check_array(&a, solver, &want, PAGEABLE, false, false);
    CHECK(strstr(fr_solver_explain(solver), "rows at once"), "closed: %s",
          fr_solver_explain(solver));
    answer_free(&want);
}

/* One GPU computes several rows at once, on parts of it, where its memory suffices: 0, no limit; 1, room for several; 2,
 * for one, or on a GPU, whose parts take less each, for some. */
static void at_once(fr_ctx *other) {
    size_t used = 0;
    (void)other;
    for (int limit = 0; limit < 3; limit++) {
        fr_ctx *ctx = context_new((fr_ctx_options){.threads = 4,
                                                   .max_gpu_bytes = limit == 1 ? 8 * used
                                                                    : limit    ? used
                                                                               : 0});
        ask a = ask_of(ctx, &cases[10]);
        a.options.record_levels = false;
        answer want = answer_on_cpu(&a);
        const size_t before = simt_held_bytes(ctx);
        fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
        used = limit ? used : ctx->gpu_bytes;
        CHECK(ctx->peers[1] == NULL || ctx->peers[1]->gpu_bytes == 0, "another account");
        for (int where = 0; where < PLACES; where++) {
            check_array(&a, solver, &want, (place)where, false, false);
            CHECK((strstr(fr_solver_explain(solver), "rows at once") != NULL) == (limit < 2) ||
                      (!ON_HOST && limit == 2),
                  "limit %d, %s: %s", limit, place_names[where], fr_solver_explain(solver));
        }
        check_array(&a, solver, &want, PAGEABLE, true, false);
        check_callback(&a, solver, &want);
        CHECK(!strstr(fr_solver_explain(solver), "rows at once") == (limit == 2) ||
                  (!ON_HOST && limit == 2),
              "by row: %s", fr_solver_explain(solver));
        check_stop(&a, solver, true);
        if (limit < 2)
            check_closed(a, solver);
        CHECK(!ctx->max_gpu_bytes || ctx->gpu_bytes <= ctx->max_gpu_bytes, "above the limit");
        fr_solver_free(solver);
        CHECK(simt_held_bytes(ctx) == before && !ctx->gpu_bytes, "device memory is left behind");
        answer_free(&want);
        fr_graph_free(a.graph);
        fr_ctx_free(ctx);
    }
}

/* Rows before one that fails reach a callback, whole and with targets. */
static void check_rows_before(ask a, fr_solver *solver, int bad) {
    int64_t next = 0;
    const int32_t target = EDGES;
    a.query.row = count_rows;
    a.query.row_user = &next;
    caller = pthread_self();
    for (int targets = 0; targets < 2; targets++, next = 0) {
        a.query.targets = targets ? &target : NULL;
        a.query.target_count = targets;
        CHECK_REFUSED(a.ctx, fr_solve(solver, &a.query, &(fr_result){0}), FR_OVERFLOW,
                      "does not fit");
        CHECK(next == bad, "%lld rows before row %d, %d targets", (long long)next, bad, targets);
    }
}

/* A row of another solver fails. */
static void at_once_too_far(fr_ctx *ctx) {
    const rows_case c = {"each-sssp", "", FR_TYPE_I32, FR_TYPE_I32, ON_HOST ? 8e7 : 1.8e7, false};
    ask a = ask_of(ctx, &c);
    int32_t sources[ROWS];
    a.query.sources = sources;
    a.options.record_levels = false;
    fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
    for (int bad = ROWS - 3; bad > 0; bad -= 7) {
        for (int i = 0; i < ROWS; i++)
            sources[i] = i == bad ? 0 : EDGES - 2;
        answer got = answer_at(&a, solver, PAGEABLE, VALUES);
        CHECK_REFUSED(ctx, got.status, FR_OVERFLOW, "does not fit");
        answer_free(&got);
        check_rows_before(a, solver, bad);
    }
    fr_solver_free(solver);
    fr_graph_free(a.graph);
}

static const part parts[] = {{"cases", all_cases},
                             {"at-once", at_once},
                             {"at-once-too-far", at_once_too_far},
                             {"overflow", overflow},
                             {"cancelled", cancelled},
                             {"several", several_gpus},
                             {0}};

int main(int argc, char **argv) {
    const program p = {
        .what = "rows", .problem = FR_PROBLEM_APSP, .devices = DEVICES, .parts = parts};
    return program_main(&p, argc, argv);
}
