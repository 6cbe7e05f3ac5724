/* Rows of all pairs in batches: the rows of one batch are copied to the caller's array while the next batch
 * is computed. Compared with the CPU for distances of all widths, in pageable, page-locked and device
 * memory, with and without parents, by a callback, on one and several GPUs; after a failure a further query
 * is right. Runs on the host (FRI_SIMT) and on a GPU. */
#include "conformance/choose.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_places.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES = ON_HOST ? 30 : 130, APART = 20, ROWS = ON_HOST ? 40 : 150, DEVICES = 2 };

/* ---- one case ---------------------------------------------------------------------------- */

typedef struct rows_case {
    const char *strategy, *knobs; /* on the GPU */
    fr_type weights, dist;
    double weight;
    bool overlaps; /* on one GPU, into host memory, without parents */
} rows_case;

/* A path, and vertices that it does not reach. On a GPU so many that their rows are worth threads. */
static fr_graph *path(fr_ctx *ctx, const rows_case *c) {
    const int32_t n = EDGES + 1 + (ON_HOST ? APART : 200000);
    int32_t from[EDGES], to[EDGES];
    double weight[EDGES];
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED, .weight_type = c->weights};
    fr_graph *graph;
    for (int32_t e = 0; e < EDGES; e++) {
        from[e] = e;
        to[e] = e + 1;
        weight[e] = c->weight;
    }
    if (fr_graph_from_edges(ctx, n, EDGES, from, to, c->weights ? weight : NULL,
                            c->weights ? FR_TYPE_F64 : FR_TYPE_NONE, &directed, &graph))
        cf_give_up(ctx, "a path");
    return graph;
}

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, const rows_case *c,
                            fr_backend backend) {
    const bool gpu = backend == FR_BACKEND_CUDA;
    fr_solver_options options = {.strategy = gpu ? c->strategy : NULL,
                                 .knobs = gpu ? c->knobs : NULL,
                                 .backend = backend,
                                 .dist_type = c->dist,
                                 .max_sources = ROWS,
                                 .record_levels = true};
    fr_solver *solver;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver))
        cf_give_up(ctx, c->strategy);
    return solver;
}

static const int32_t *sources_of(void) {
    static int32_t sources[ROWS];
    for (int32_t i = 0; i < ROWS; i++)
        sources[i] = i * 7 % (EDGES + 3);
    return sources;
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

typedef struct taken_rows {
    char *dist;
    size_t row;
} taken_rows;

static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    const taken_rows *t = user;
    (void)source, (void)parent;
    memcpy(t->dist + (size_t)row * t->row, dist, t->row);
    return 0;
}

static void check_values(place where, const void *at, const char *want, size_t bytes,
                         const char *what) {
    char *got = malloc(bytes);
    if (where == DEVICE)
        must(cudaMemcpy(got, at, bytes, cudaMemcpyDeviceToHost), "reading back");
    CHECK(memcmp(where == DEVICE ? got : at, want, bytes) == 0, "%s", what);
    free(got);
}

static void check_query(fr_ctx *ctx, fr_solver *solver, const rows_case *c, const char *want,
                        size_t row, place where, bool parents, bool by_row) {
    const size_t n = row / fr_type_size(fr_solver_dist_type(solver));
    char what[160];
    char *dist = array_new(where, row * ROWS);
    int32_t *parent = malloc(n * ROWS * sizeof *parent);
    taken_rows taken = {dist, row};
    fr_query query = {.sources = sources_of(),
                      .source_count = ROWS,
                      .row = by_row ? take_row : NULL,
                      .row_user = &taken,
                      .result_memory = where == DEVICE ? FR_MEMORY_DEVICE : FR_MEMORY_HOST};
    fr_result result = {.dist = by_row ? NULL : dist, .parent = parents ? parent : NULL};
    snprintf(what, sizeof what, "%s, %s weights %g, %s%s%s", c->strategy, fr_type_name(c->weights),
             c->weight, place_names[where], parents ? ", parents" : "", by_row ? ", by row" : "");
    CHECK(!fr_solve(solver, &query, &result), "%s: %s", what, fr_ctx_error(ctx));
    check_values(where, dist, want, row * ROWS, what);
    if (where == PAGEABLE && c->overlaps &&
        !by_row) /* a callback's rows may be narrowed by it, too */
        CHECK(narrowed_for_batch(solver) == !parents, "%s: not overlapped", what);
    for (int i = 0; i < ROWS && parents; i++)
        CHECK(parent[(size_t)i * n + (size_t)query.sources[i]] == query.sources[i],
              "%s: the parent of source %d", what, i);
    CHECK(result.stats.transfer_ns >= result.stats.upload_ns, "%s: times", what);
    array_free(where, dist);
    free(parent);
}

static char *expected(fr_ctx *ctx, const fr_graph *graph, const rows_case *c, size_t *row) {
    fr_solver *solver = solver_of(ctx, graph, c, FR_BACKEND_CPU);
    *row = (size_t)fr_graph_vertex_count(graph) * fr_type_size(fr_solver_dist_type(solver));
    char *want = malloc(*row * ROWS);
    fr_query query = {.sources = sources_of(), .source_count = ROWS};
    fr_result result = {.dist = want};
    if (fr_solve(solver, &query, &result))
        cf_give_up(ctx, "the CPU");
    fr_solver_free(solver);
    return want;
}

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
    {"auto", "", FR_TYPE_NONE, FR_TYPE_I32, 1, false},
};

static void check_case(fr_ctx *ctx, const rows_case *c) {
    size_t row;
    fr_graph *graph = path(ctx, c);
    char *want = expected(ctx, graph, c, &row);
    const size_t before = simt_held_bytes(ctx);
    fr_solver *solver = solver_of(ctx, graph, c, FR_BACKEND_CUDA);
    static const int threads[] = {1, 4};
    for (int i = 0; i < 2; i++) {
        fr_ctx_set_threads(ctx, threads[i]);
        for (int where = 0; where < PLACES; where++)
            check_query(ctx, solver, c, want, row, (place)where, false, false);
    }
    check_query(ctx, solver, c, want, row, HALF_PINNED, false, false);
    check_query(ctx, solver, c, want, row, PAGEABLE, true, false);
    check_query(ctx, solver, c, want, row, PAGEABLE, false, true);
    check_query(ctx, solver, c, want, row, PAGEABLE, false, false);
    fr_solver_free(solver);
    CHECK(simt_held_bytes(ctx) == before, "%s: device memory is left behind", c->strategy);
    free(want);
    fr_graph_free(graph);
}

/* ---- failures and several GPUs ----------------------------------------------------------- */

static int stop_later(void *user, const char *phase, int64_t done, int64_t total) {
    (void)total;
    return *(bool *)user && strcmp(phase, "rows") == 0 && done >= 3 * 12;
}

/* Cancelled before the fourth batch, while rows of the third are copied. */
static void cancelled(void) {
    bool stops = false;
    const fr_ctx_options how = {.progress = stop_later, .progress_user = &stops};
    const rows_case *c = &cases[5];
    fr_ctx *ctx;
    size_t row;
    if (fr_ctx_new(&how, &ctx))
        cf_give_up(NULL, "a context");
    fr_graph *graph = path(ctx, c);
    char *want = expected(ctx, graph, c, &row), *dist = malloc(row * ROWS);
    fr_solver *solver = solver_of(ctx, graph, c, FR_BACKEND_CUDA);
    fr_query query = {.sources = sources_of(), .source_count = ROWS};
    fr_result result = {.dist = dist};
    stops = true;
    CHECK(fr_solve(solver, &query, &result) == FR_CANCELLED, "%s", fr_ctx_error(ctx));
    CHECK(memcmp(dist, want, row * 3 * 12) == 0, "the rows before the fourth batch");
    stops = false;
    check_query(ctx, solver, c, want, row, PAGEABLE, false, false);
    fr_solver_free(solver);
    free(dist);
    free(want);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* The last source is too far from an end: its batch fails while others are copied. */
static void overflow(fr_ctx *ctx) {
    const rows_case c = {"multi-sssp", "sources=32",          FR_TYPE_I32,
                         FR_TYPE_I32,  ON_HOST ? 8e7 : 1.8e7, false};
    fr_graph *graph = path(ctx, &c);
    fr_solver *solver = solver_of(ctx, graph, &c, FR_BACKEND_CUDA);
    const size_t row = (size_t)fr_graph_vertex_count(graph) * sizeof(int32_t);
    int32_t sources[ROWS], *dist = malloc(row * ROWS);
    for (int i = 0; i < ROWS; i++)
        sources[i] = i < ROWS - 1 ? EDGES - 2 : 0;
    fr_query query = {.sources = sources, .source_count = ROWS};
    fr_result result = {.dist = dist};
    CHECK(fr_solve(solver, &query, &result) == FR_OVERFLOW, "%s", fr_ctx_error(ctx));
    CHECK(strstr(fr_ctx_error(ctx), "does not fit"), "%s", fr_ctx_error(ctx));
    CHECK(dist[EDGES] == 2 * (int32_t)c.weight, "row 0 ends with %d", dist[EDGES]);
    fr_solver_free(solver);
    free(dist);
    fr_graph_free(graph);
}

/* Each GPU copies the rows of a part while it computes the next part, of one batch. */
static void several_gpus(void) {
    const int devices[DEVICES] = {0, 1};
    const fr_ctx_options how = {.devices = devices, .device_count = DEVICES, .threads = 4};
    fr_ctx *ctx;
    if (fr_ctx_new(&how, &ctx))
        cf_give_up(NULL, "a context");
    for (int i = 0; i < 8; i += 2) { /* both strategies, with and without overlap */
        size_t row;
        fr_graph *graph = path(ctx, &cases[i]);
        char *want = expected(ctx, graph, &cases[i], &row);
        fr_solver *solver = solver_of(ctx, graph, &cases[i], FR_BACKEND_CUDA);
        for (int way = 0; way < 4; way++)
            check_query(ctx, solver, &cases[i], want, row, way == 3 ? PINNED : PAGEABLE, way == 1,
                        way == 2);
        fr_solver_free(solver);
        free(want);
        fr_graph_free(graph);
    }
    fr_ctx_free(ctx);
}

int main(void) {
    int found = 0;
#ifdef FRI_SIMT
    simt_set_devices(DEVICES);
#endif
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_APSP, ON_HOST);
    if (!ctx)
        return 77;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(ctx, &cases[i]);
    overflow(ctx);
    cancelled();
    must(cudaGetDeviceCount(&found), "counting devices");
    if (found >= DEVICES)
        several_gpus();
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes of device memory are kept", simt_live_bytes());
    CHECK(simt_pinned_bytes() == 0, "%zu bytes of pinned memory are kept", simt_pinned_bytes());
    return checks_end("rows");
}
