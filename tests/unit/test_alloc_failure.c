/* The k-th allocation fails, for every k: each call answers FR_NOMEM with a message or does without, the next call is
 * right, and at the end nothing is left allocated and no file is half-written. After LAGraph's brutal malloc (T. Davis
 * et al.). */
#include "fringe_measures.h"
#include "fringe_tune.h"
#include "support/allocator.h"
#include "support/files.h"

#include <stdio.h>

/* ---- files ------------------------------------------------------------------------------------- */

typedef struct {
    const char *input, *output;
    fr_load_options options;
} job;

static fr_status traverse(fr_ctx *ctx, const fr_graph *graph) {
    int32_t level[8], parent[8];
    int64_t dist[8]; /* enough bytes for any type */
    fr_status status = fr_bfs(ctx, graph, 0, level, parent);
    if (status)
        return status;
    assert_int_equal(level[4], 2);
    status = fr_sssp(ctx, graph, 0, dist, parent);
    if (!status)
        assert_int_equal(parent[2], 0);
    return status;
}

static fr_status load_traverse_write(fr_ctx *ctx, void *arg) {
    const job *j = arg;
    fr_graph *graph = NULL;
    fr_graph_stats stats = {0};
    if (j->output)
        remove(j->output);
    fr_status status = fr_graph_load(ctx, j->input, &j->options, &graph);
    if (!status)
        status = fr_graph_compute_stats(ctx, graph, &stats);
    if (!status)
        status = traverse(ctx, graph);
    if (!status && j->output)
        status = fr_graph_write(ctx, graph, j->output, NULL);
    fr_graph_free(graph);
    if (status && j->output)
        assert_true(test_read(j->output, &(size_t){0}) == NULL);
    return status;
}

static void fail_each(job j) {
    assert_true(test_each_allocation(j.input, load_traverse_write, &j) > 5);
    assert_true(test_shell("! ls | grep tmp$"));
}

static void every_input(void **state) {
    (void)state;
    static const char *const inputs[] = {
#ifdef FRI_HAVE_ARCHIVE
        "eight.mtx.gz",    "eight.mtx.zst",     "eight.mtx.xz", "eight.mtx.bz2", "eight.tar.gz",
        "eight-coo.npz",
#endif
        "eight.mtx",       "eight-pattern.mtx", "eight.txt",    "eight.el",      "eight.gr",
        "eight.graph",     "eight.wsg",         "eight.e",      "eight.fringe",  "eight.net",
        "eight-lists.net", "eight.adj",         "eight.bin",    "eight.tntp"};
    for (size_t i = 0; i < COUNT(inputs); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, inputs[i]);
        fail_each((job){.input = path, .output = test_path("out.fringe")});
    }
}

static void every_output(void **state) {
    (void)state;
    static const char *const outputs[] = {"out.mtx", "out.txt", "out.gr", "out.graph",
                                          "out.wsg", "out.v",   "out.net"};
    for (size_t i = 0; i < COUNT(outputs); i++)
        fail_each((job){.input = TEST_DATA "/eight.wsg", .output = test_path(outputs[i])});
}

static void every_option(void **state) {
    (void)state;
    const fr_load_options options[] = {
        {.direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true},
        {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 5},
        {.weight_type = FR_TYPE_F64},
        {.weight_type = FR_TYPE_F32},
        {.cache = true},
    };
    assert_true(test_shell("cp '" TEST_DATA "/eight.mtx' ."));
    for (size_t i = 0; i < COUNT(options); i++) {
        fail_each((job){.input = TEST_DATA "/eight.fringe", .options = options[i]});
        fail_each((job){.input = test_path("eight.mtx"), .options = options[i]});
    }
}

/* ---- names ------------------------------------------------------------------------------------- */

/* Ids that are no 0 .. n-1, and weights that are no integers. */
static fr_status load_sparse_ids(fr_ctx *ctx, void *path) {
    fr_graph *graph;
    fr_status status = fr_graph_load(ctx, path, NULL, &graph);
    fr_graph_free(graph);
    return status;
}

/* Ids that are strings, in an edge list and in a binary file, and a name that is looked up. */
static fr_status find_name(fr_ctx *ctx, void *arg) {
    const job *j = arg;
    fr_graph *graph = NULL, *part = NULL;
    int32_t vertex;
    fr_status status = fr_graph_load(ctx, j->input, &j->options, &graph);
    if (!status)
        status = fr_graph_find_vertex(ctx, graph, "a longer name than 16 bytes", &vertex);
    if (!status)
        status = fr_graph_subgraph(ctx, graph, &vertex, 1, NULL, &part);
    if (!status && j->output)
        status = fr_graph_write(ctx, graph, j->output, NULL);
    fr_graph_free(part);
    fr_graph_free(graph);
    return status;
}

static void ids(void **state) {
    (void)state;
    static const char sparse[] = "-7 5000000000 1.5\n5000000000 12 2.5\n12 -7 3\n1 2 3\n4 5 6\n";
    static const char named[] = "a,a longer name than 16 bytes,1\n\"b \"\"c\"\"\",d,2.5\n";
    char path[256];
    snprintf(path, sizeof path, "%s", test_put("sparse.txt", sparse, sizeof sparse - 1));
    test_each_allocation("sparse.txt", load_sparse_ids, path);
    job text = {test_put("names.csv", named, sizeof named - 1),
                test_path("names.fringe"),
                {.ids = FR_IDS_STRINGS}};
    job binary = {text.output, NULL, {.ids = FR_IDS_INTEGERS, .drop_loops = true}};
    test_each_allocation("names.csv", find_name, &text);
    test_each_allocation("names.fringe", find_name, &binary);
}

enum { RING = 6 };
static const uint64_t bridge = 2; /* an edge of vertex 0 in the CSR */
static const int32_t weights[] = {3, 1, 4, 1, 5, -9, 2};
static const char text[] = "id,from,to,cost\n1,1,2,5\n2,2,3,6\n";

/* ---- calls ------------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *graph;
    fr_type weights;
    fr_problem problem;
    fr_status (*run)(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver);
} call;

static fr_status closed(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t source = 0, level[RING];
    fr_query query = {.sources = &source, .source_count = 1, .closed_edges = &bridge};
    fr_result result = {.level = level};
    fr_status status = fr_solve(solver, &query, &result);
    if (!status)
        status = fr_verify_bfs(ctx, graph, &query, level, NULL);
    if (!status)
        assert_int_equal(level[5], 5);
    return status;
}

static fr_status columns(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t target = 3, dist[RING], parent[RING];
    fr_query query = {.targets = &target, .target_count = 1, .parent_rule = FR_PARENT_NEAREST};
    fr_result result = {.dist = dist, .parent = parent};
    fr_status status = fr_solve(solver, &query, &result);
    if (!status)
        status = fr_verify_apsp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent, 0, 0);
    if (!status)
        assert_int_equal(dist[0], 3);
    return status;
}

static fr_status files(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t level[RING] = {0, 1, 2, 3, 2, 1};
    fr_result result = {.level = level};
    void *bytes = NULL;
    size_t size;
    (void)solver;
    fr_output out = {.bytes = &bytes, .size = &size};
    fr_status status = fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &result, &out);
    fr_memory_free(bytes);
    return status ? status
                  : fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &result,
                                    &(fr_output){.path = "/dev/null", .format = "npy"});
}

static fr_status tables(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    const double score[RING] = {0.5, 1, 2, 3, 4, 5};
    const fr_column columns[] = {{.name = "vertex", .kind = FR_COLUMN_VERTEX},
                                 {.name = "score", .type = FR_TYPE_F64, .values = score}};
    const fr_output null = {.path = "/dev/null", .format = "npy"};
    void *bytes = NULL;
    size_t size;
    const fr_output memory = {.bytes = &bytes, .size = &size};
    (void)solver;
    fr_status status = fr_table_write(ctx, graph, RING, columns, 2, &memory);
    if (status)
        assert_null(bytes);
    fr_memory_free(bytes);
    return status ? status : fr_table_write(ctx, graph, RING, columns, 2, &null);
}

static fr_status matrices(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t dist[RING * RING];
    void *bytes = NULL;
    size_t size;
    const fr_output null = {.path = "/dev/null"}, memory = {.bytes = &bytes, .size = &size};
    fr_result result = {.dist = dist};
    fr_status status = fr_apsp_write(solver, NULL, &result, &null);
    if (!status)
        status = fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &result, &memory);
    fr_memory_free(bytes);
    return status;
}

static fr_status streams(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    FILE *file = tmpfile();
    fr_graph *copy = NULL;
    (void)solver;
    fr_status status = fr_graph_write_stream(ctx, graph, file, "mtx");
    rewind(file);
    if (!status)
        status = fr_graph_load_stream(ctx, file, NULL, &copy);
    if (!status)
        assert_int_equal(fr_graph_edge_count(copy), 2 * RING);
    fclose(file);
    fr_graph_free(copy);
    return status;
}

static fr_status filtered(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    const uint64_t vertices = 4;
    fr_graph *open = NULL;
    (void)solver;
    fr_status status = fr_graph_filter(ctx, graph, &vertices, &bridge, &open);
    if (!status)
        assert_int_equal(fr_graph_edge_count(open), 6);
    fr_graph_free(open);
    return status;
}

static fr_status derive(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    (void)solver;
    const int32_t list[] = {4, 2, 3};
    fr_graph *turned = NULL, *other = NULL, *part = NULL;
    fr_status s = fr_graph_transpose(ctx, graph, &turned);
    s = s ? s : fr_graph_set_weights(ctx, graph, weights, FR_TYPE_I32, &other);
    s = s ? s : fr_graph_subgraph(ctx, graph, list, 3, NULL, &part);
    fr_graph_free(turned);
    fr_graph_free(other);
    fr_graph_free(part);
    return s;
}

static fr_status components(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    (void)solver;
    int32_t label[RING], count;
    fr_status s = FR_OK;
    for (int kind = 0; kind < 2 && !s; kind++) {
        s = fr_components(ctx, graph, (fr_component_kind)kind, FR_BACKEND_CPU, label, NULL, &count);
        s = s ? s : fr_verify_components(ctx, graph, (fr_component_kind)kind, label, count);
    }
    return s;
}

static fr_status cycle(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    (void)solver;
    int32_t vertices[RING], length;
    fr_status s = fr_negative_cycle(ctx, graph, NULL, vertices, &length, NULL);
    return s == FR_NEGATIVE_CYCLE ? FR_OK : s ? s : FR_INVALID;
}

static fr_status outputs(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    (void)solver;
    const int32_t from[] = {3, 0};
    int32_t level[RING], parent[RING], order[RING], origin[RING];
    fr_solver *own = NULL;
    fr_solver_options options = {.reverse = true, .backend = FR_BACKEND_CPU};
    fr_query query = {.sources = from, .source_count = 2, .parent_rule = FR_PARENT_NEAREST};
    fr_result result = {.level = level, .parent = parent, .order = order, .origin = origin};
    fr_status s = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &own);
    s = s ? s : fr_solve(own, &query, &result);
    fr_solver_free(own);
    options.unit_weights = true;
    options.dist_type = FR_TYPE_F64;
    double dist[RING];
    result = (fr_result){.dist = dist, .parent = parent, .origin = origin};
    s = s ? s : fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &own);
    if (!s) {
        s = fr_solve(own, &query, &result);
        fr_solver_free(own);
    }
    return s;
}

static fr_status memory(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    (void)solver;
    const fr_load_options options = {
        .source_column = "from", .target_column = "to", .weight_column = "cost"};
    fr_graph *table = NULL, *copy = NULL;
    void *bytes = NULL;
    size_t size;
    fr_status s = fr_graph_load_memory(ctx, text, sizeof text - 1, &options, &table);
    s = s ? s : fr_graph_write_memory(ctx, graph, "fringe", &bytes, &size);
    s = s ? s : fr_graph_load_memory(ctx, bytes, size, NULL, &copy);
    fr_memory_free(bytes);
    fr_graph_free(table);
    fr_graph_free(copy);
    return s;
}

#define CIRCLE "6: 0-1 1-2 2-3 3-4 4-5 5-0"
#define CYCLES "6: 0>1/3 1>2/1 2>0/4 2>3/1 3>4/5 4>3/-9 5>5/2"
static const call calls[] = {{"closed", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_BFS, closed},
                             {"columns", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_APSP, columns},
                             {"files", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_BFS, files},
                             {"tables", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_BFS, tables},
                             {"matrices", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_APSP, matrices},
                             {"streams", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_BFS, streams},
                             {"filtered", CIRCLE, FR_TYPE_NONE, FR_PROBLEM_BFS, filtered},
                             {"derive", CYCLES, FR_TYPE_I32, FR_PROBLEM_BFS, derive},
                             {"components", CYCLES, FR_TYPE_I32, FR_PROBLEM_BFS, components},
                             {"cycle", CYCLES, FR_TYPE_I32, FR_PROBLEM_BFS, cycle},
                             {"outputs", CYCLES, FR_TYPE_I32, FR_PROBLEM_BFS, outputs},
                             {"memory", CYCLES, FR_TYPE_I32, FR_PROBLEM_BFS, memory}};

/* Fails the k-th allocation of the call alone or, with `fails_on`, each from it on. Returns whether there were k. */
static bool fails_at(const call *c, int64_t k, bool fails_on) {
    test_allocator a = {.fails_on = fails_on};
    const fr_ctx_options options = test_allocator_options(&a, 1);
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = test_graph_of(ctx, c->graph, c->weights);
    fr_solver *solver = test_solver(ctx, graph, c->problem, NULL);
    a.fail_at = a.calls + k;
    fr_status status = c->run(ctx, graph, solver);
    const bool failed = a.calls >= a.fail_at;
    if (status && (status != FR_NOMEM || !*fr_ctx_error(ctx) || !failed))
        fail_msg("%s, allocation %lld: %s", c->name, (long long)k, fr_ctx_error(ctx));
    a.fail_at = 0;
    assert_ok(ctx, c->run(ctx, graph, solver));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    assert_int_equal(a.live, 0);
    return failed;
}

static void every_call(void **state) {
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(calls); i++) {
        int64_t k = 1;
        while (fails_at(&calls[i / 2], k, i % 2))
            k++;
        assert_true(k > 2);
    }
}

static fr_status from_arrays(fr_ctx *ctx, void *arg) {
    static const int64_t sources[] = {0, 1, 2, 2, 3, 4, 5}, targets[] = {1, 2, 0, 3, 4, 3, 5};
    const fr_arrays arrays = {.n = RING,
                              .m = COUNT(sources),
                              .sources = sources,
                              .targets = targets,
                              .weights = weights,
                              .weight_type = FR_TYPE_I32,
                              .vertex_type = FR_TYPE_I64};
    fr_graph *graph = NULL;
    (void)arg;
    fr_status status = fr_graph_from_arrays(ctx, &arrays, NULL, &graph);
    fr_graph_free(graph);
    return status;
}

static void arrays(void **state) {
    (void)state;
    assert_true(test_each_allocation("arrays", from_arrays, NULL) > 3);
}

/* Tuning leaves out what there is no memory for; the tuning cache is whole or not there. */
static void tuning(void **state) {
    (void)state;
    const char *path = test_path("tuning.tsv");
    for (int64_t k = 1; k <= 60; k++) {
        test_allocator c = {0};
        const fr_ctx_options o = test_allocator_options(&c, 1);
        fr_graph *graph;
        fr_tuning found = {0};
        int32_t source = 0;
        fr_tune_options tune = {.sources = &source, .source_count = 1, .seconds = 0.002};
        fr_ctx *ctx = test_ctx(&o);
        assert_int_equal(fr_graph_load(ctx, TEST_DATA "/eight.wsg", NULL, &graph), FR_OK);
        c.fail_at = c.calls + k;
        fr_status status =
            fr_tune(ctx, graph, k % 2 ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP, &tune, &found);
        assert_true(status == FR_OK || status == FR_NOMEM);
        c.fail_at = c.calls + 1 + k % 8;
        if (!status)
            status = fr_tuning_cache_store(ctx, path, graph, NULL, &found);
        assert_true(status == FR_OK || status == FR_NOMEM);
        bool kept = fr_tuning_cache_find(ctx, path, graph, found.problem, NULL, &found) == FR_OK;
        assert_true(kept == (status == FR_OK));
        remove(path);
        fr_graph_free(graph);
        fr_ctx_free(ctx);
        assert_int_equal(c.live, 0);
    }
    assert_true(test_shell("! ls | grep tmp$"));
}

TEST_PROGRAM_IN_FOLDER(TEST(every_input), TEST(every_output), TEST(every_option), TEST(ids),
                       TEST(every_call), TEST(arrays), TEST(tuning))
