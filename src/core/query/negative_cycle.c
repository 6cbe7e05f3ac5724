/* A negative cycle anywhere: shortest paths from all vertices merged, so that each is reached. */
#include "base/sized.h"
#include "core/strategy.h"

#include <string.h>

/* Of integers the widest type of distances, where sums rarely overflow: the caller gets no distances. Of
 * floats their own, which decides what is rounding (base/cycle_weight.h). */
static fr_type type_for(fr_type weights) {
    return weights == FR_TYPE_F32 || weights == FR_TYPE_F64 ? weights : FR_TYPE_I64;
}

static fr_status solve_from_all(fr_ctx *ctx, const fr_graph *graph,
                                const fr_solver_options *options, int32_t *all, fr_result *result,
                                fr_solver **solver) {
    for (int32_t v = 0; v < graph->csr.n; v++)
        all[v] = v;
    fr_query query = {.sources = all, .source_count = graph->csr.n};
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, options, solver);
    return status ? status : fr_solve(*solver, &query, result);
}

fr_status fr_negative_cycle(fr_ctx *ctx, const fr_graph *graph, const fr_solver_options *options,
                            int32_t *cycle, int32_t *length, double *weight) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_solver_options given, own = {0};
    fr_status status = FRI_SIZED_READ(ctx, fr_solver_options, options, &given);
    if (status)
        return status;
    if (!graph || !length)
        return fri_fail(ctx, FR_INVALID, "finding a cycle needs a graph and the output length");
    *length = 0;
    if (!graph->csr.weights || graph->csr.n == 0)
        return fr_graph_check(ctx, graph);
    own = (fr_solver_options){.strategy = given.strategy,
                              .knobs = given.knobs,
                              .backend = given.backend,
                              .dist_type = type_for(graph->csr.weight_type)};
    fr_solver *solver = NULL;
    fr_result result = {0};
    int32_t *all = fri_alloc(ctx, fri_bytes(graph->csr.n, sizeof *all));
    status = all ? solve_from_all(ctx, graph, &own, all, &result, &solver) : FR_NOMEM;
    if (status == FR_OVERFLOW && fr_type_wider(own.dist_type)) {
        fr_solver_free(solver);
        solver = NULL;
        own.dist_type = fr_type_wider(own.dist_type);
        status = solve_from_all(ctx, graph, &own, all, &result, &solver);
    }
    if (status == FR_NEGATIVE_CYCLE) {
        *length = result.cycle_length;
        if (cycle)
            memcpy(cycle, result.cycle, (size_t)result.cycle_length * sizeof *cycle);
        if (weight)
            *weight = result.cycle_weight;
    }
    fr_solver_free(solver);
    fri_free(all);
    return status;
}
