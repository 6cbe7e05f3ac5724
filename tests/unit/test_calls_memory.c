/* Fails each allocation in turn of the calls that make graphs, components, cycles and further
 * outputs: FR_NOMEM with a message, and every block is freed. */
#include "fringe_measures.h"
#include "support/allocator.h"
#include "support/support.h"

enum { N = 6, M = 7 };
static const int64_t sources[] = {0, 1, 2, 2, 3, 4, 5}, targets[] = {1, 2, 0, 3, 4, 3, 5};
static const int32_t weights[] = {3, 1, 4, 1, 5, -9, 2};
static const char text[] = "id,from,to,cost\n1,1,2,5\n2,2,3,6\n";

static fr_status make(fr_ctx *ctx, fr_graph **out) {
    const fr_arrays arrays = {.n = N,
                              .m = M,
                              .sources = sources,
                              .targets = targets,
                              .weights = weights,
                              .weight_type = FR_TYPE_I32,
                              .vertex_type = FR_TYPE_I64};
    return fr_graph_from_arrays(ctx, &arrays, NULL, out);
}

static fr_status derive(fr_ctx *ctx, const fr_graph *graph) {
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

static fr_status components(fr_ctx *ctx, const fr_graph *graph) {
    int32_t label[N], count;
    fr_status s = FR_OK;
    for (int kind = 0; kind < 2 && !s; kind++) {
        s = fr_components(ctx, graph, (fr_component_kind)kind, FR_BACKEND_CPU, label, NULL, &count);
        s = s ? s : fr_verify_components(ctx, graph, (fr_component_kind)kind, label, count);
    }
    return s;
}

static fr_status cycle(fr_ctx *ctx, const fr_graph *graph) {
    int32_t vertices[N], length;
    fr_status s = fr_negative_cycle(ctx, graph, NULL, vertices, &length, NULL);
    return s == FR_NEGATIVE_CYCLE ? FR_OK : s ? s : FR_INVALID;
}

static fr_status outputs(fr_ctx *ctx, const fr_graph *graph) {
    const int32_t from[] = {3, 0};
    int32_t level[N], parent[N], order[N], origin[N];
    fr_solver *solver = NULL;
    fr_solver_options options = {.reverse = true, .backend = FR_BACKEND_CPU};
    fr_query query = {.sources = from, .source_count = 2, .parent_rule = FR_PARENT_NEAREST};
    fr_result result = {.level = level, .parent = parent, .order = order, .origin = origin};
    fr_status s = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
    s = s ? s : fr_solve(solver, &query, &result);
    fr_solver_free(solver);
    options.unit_weights = true;
    options.dist_type = FR_TYPE_F64;
    double dist[N];
    result = (fr_result){.dist = dist, .parent = parent, .origin = origin};
    s = s ? s : fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver);
    if (!s) {
        s = fr_solve(solver, &query, &result);
        fr_solver_free(solver);
    }
    return s;
}

static fr_status memory(fr_ctx *ctx, const fr_graph *graph) {
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

static void each_allocation_fails(void **state) {
    (void)state;
    static fr_status (*const calls[])(fr_ctx *, const fr_graph *) = {derive, components, cycle,
                                                                     outputs, memory};
    for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
        fr_status status = FR_NOMEM;
        int64_t k = 1;
        for (; status; k++) {
            test_allocator c = {.fails_on = true};
            fr_ctx_options options = test_allocator_options(&c, 1);
            fr_ctx *ctx = NULL;
            fr_graph *graph = NULL;
            assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
            c.fail_at = c.calls + k;
            status = make(ctx, &graph);
            status = status ? status : calls[call](ctx, graph);
            if (status && (status != FR_NOMEM || !*fr_ctx_error(ctx) || c.calls < c.fail_at))
                fail_msg("call %zu, allocation %lld: %s: %s", call, (long long)k,
                         fr_status_name(status), fr_ctx_error(ctx));
            fr_graph_free(graph);
            fr_ctx_free(ctx);
            if (c.live)
                fail_msg("call %zu, allocation %lld: %lld blocks left", call, (long long)k,
                         (long long)c.live);
        }
        assert_true(k > 10);
    }
}

TEST_PROGRAM(TEST(each_allocation_fails))
