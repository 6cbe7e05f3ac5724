/* Closeness centrality: all pairs of distances, one row at a time, without an n x n matrix.
 *
 *     apsp_rows [GENERATOR]
 *
 * A callback receives each finished row. GENERATOR describes a generated graph; the default is a
 * small grid. Prints the vertex that is closest to all others. */
#include <fringe.h>

#include <stdio.h>

typedef struct {
    int32_t n;
    int32_t best;     /* the most central vertex so far */
    int64_t best_sum; /* of its distances to all vertices it reaches */
} centrality;

/* Called from the thread that called fr_solve. A non-zero return would cancel the query. */
static int on_row(void *user, int64_t row, int32_t source, const void *dist,
                  const int32_t *parent) {
    (void)row;
    (void)parent; /* NULL: the query does not ask for parents */
    centrality *c = user;
    const int32_t *d = dist; /* fr_solver_dist_type says FR_TYPE_I32, checked below */
    int64_t sum = 0;
    for (int32_t v = 0; v < c->n; v++)
        if (d[v] != FR_INF_I32)
            sum += d[v];
    if (c->best < 0 || sum < c->best_sum) {
        c->best = source;
        c->best_sum = sum;
    }
    return 0;
}

static fr_status solve(fr_ctx *ctx, const fr_graph *graph) {
    fr_solver *solver = NULL;
    fr_solver_options options = {.unit_weights = true, .dist_type = FR_TYPE_I32};
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver);
    if (status != FR_OK)
        return status;
    if (fr_solver_dist_type(solver) != FR_TYPE_I32) {
        fr_solver_free(solver);
        return FR_UNSUPPORTED;
    }
    centrality c = {.n = fr_graph_vertex_count(graph), .best = -1};
    fr_query query = {.row = on_row, .row_user = &c}; /* no sources: every vertex */
    fr_result result = {0};                           /* no arrays: rows go to the callback alone */
    status = fr_solve(solver, &query, &result);
    if (status == FR_OK)
        printf("vertex %lld is closest to all others: mean distance %.3f\n",
               (long long)fr_graph_id(graph, c.best), (double)c.best_sum / c.n);
    fr_solver_free(solver);
    return status;
}

int main(int argc, char **argv) {
    const char *description = argc > 1 ? argv[1] : "grid2d:rows=21,cols=21";
    fr_ctx *ctx = NULL;
    if (fr_ctx_new(NULL, &ctx) != FR_OK) {
        fprintf(stderr, "apsp_rows: cannot create a context\n");
        return 1;
    }
    fr_graph *graph = NULL;
    fr_status status = fr_graph_generate(ctx, description, NULL, &graph);
    if (status == FR_OK)
        status = solve(ctx, graph);
    if (status != FR_OK)
        fprintf(stderr, "apsp_rows: %s: %s\n", fr_status_message(status), fr_ctx_error(ctx));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status == FR_OK ? 0 : 1;
}
