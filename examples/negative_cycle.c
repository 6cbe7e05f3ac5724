/* Arbitrage: a graph built in memory whose negative cycle is the answer.
 *
 * An edge u -> v is an exchange at rate r and weighs -log(r). Rates multiply and weights add up, so
 * a cycle of negative weight is a series of exchanges that ends with more money than it began with.
 */
#include <fringe.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CURRENCIES = 4 };
static const char *const currency[CURRENCIES] = {"USD", "EUR", "GBP", "JPY"};

typedef struct {
    int32_t from, to;
    double rate;
} offer;
static const offer offers[] = {
    {0, 1, 0.92}, {1, 0, 1.08},  {1, 2, 0.86},   {2, 1, 1.15},   {2, 0, 1.27},
    {0, 2, 0.78}, {0, 3, 149.0}, {3, 0, 0.0066}, {3, 2, 0.0052},
};
enum { OFFERS = sizeof offers / sizeof *offers };

/* fr_graph_from_edges copies the arrays, so they may be local. */
static fr_status build(fr_ctx *ctx, fr_graph **graph) {
    int32_t from[OFFERS], to[OFFERS];
    double weight[OFFERS];
    for (int i = 0; i < OFFERS; i++) {
        from[i] = offers[i].from;
        to[i] = offers[i].to;
        weight[i] = -log(offers[i].rate);
    }
    return fr_graph_from_edges(ctx, CURRENCIES, OFFERS, from, to, weight, FR_TYPE_F64, NULL, graph);
}

static fr_status search(fr_ctx *ctx, const fr_graph *graph) {
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &solver);
    if (status != FR_OK)
        return status;
    double dist[CURRENCIES];
    int32_t usd = 0;
    fr_query query = {.sources = &usd, .source_count = 1};
    fr_result result = {.dist = dist};
    status = fr_solve(solver, &query, &result);
    if (status ==
        FR_NEGATIVE_CYCLE) { /* an answer, not an error: result.cycle holds the vertices */
        status = fr_verify_cycle(ctx, graph, &query, result.cycle, result.cycle_length,
                                 result.cycle_weight);
        for (int32_t i = 0; i < result.cycle_length; i++)
            printf("%s -> ", currency[result.cycle[i]]);
        printf("%s: gains %.2f %%\n", currency[result.cycle[0]], 100 * expm1(-result.cycle_weight));
    } else if (status == FR_OK) {
        printf("no arbitrage\n");
    }
    fr_solver_free(solver); /* result.cycle belongs to the solver */
    return status;
}

int main(void) {
    fr_ctx *ctx = NULL;
    if (fr_ctx_new(NULL, &ctx) != FR_OK) {
        fprintf(stderr, "negative_cycle: cannot create a context\n");
        return 1;
    }
    fr_graph *graph = NULL;
    fr_status status = build(ctx, &graph);
    if (status == FR_OK)
        status = search(ctx, graph);
    if (status != FR_OK)
        fprintf(stderr, "negative_cycle: %s: %s\n", fr_status_message(status), fr_ctx_error(ctx));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status == FR_OK ? 0 : 1;
}
