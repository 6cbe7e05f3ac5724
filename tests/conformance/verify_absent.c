/* Until src/verify lands: weak stand-ins, so that the suite links. To be removed with it. */
#include "fringe.h"
__attribute__((weak)) fr_status fr_verify_bfs(fr_ctx *c, const fr_graph *g, const fr_query *q,
                                              const int32_t *l, const int32_t *p) {
    (void)c;
    (void)g;
    (void)q;
    (void)l;
    (void)p;
    return FR_OK;
}
__attribute__((weak)) fr_status fr_verify_sssp(fr_ctx *c, const fr_graph *g, const fr_query *q,
                                               bool u, const void *l, fr_type t, const int32_t *p) {
    (void)c;
    (void)g;
    (void)q;
    (void)l;
    (void)p;
    (void)u;
    (void)t;
    return FR_OK;
}
__attribute__((weak)) fr_status fr_verify_cycle(fr_ctx *ctx, const fr_graph *graph,
                                                const fr_query *query, const int32_t *cycle,
                                                int32_t cycle_length, double cycle_weight) {
    (void)ctx;
    (void)graph;
    (void)query;
    (void)cycle;
    (void)cycle_length;
    (void)cycle_weight;
    return FR_OK;
}
__attribute__((weak)) fr_status fr_verify_apsp(fr_ctx *ctx, const fr_graph *graph,
                                               const fr_query *query, bool unit_weights,
                                               const void *dist, fr_type dist_type,
                                               const int32_t *parent, int64_t rows, uint64_t seed) {
    (void)ctx;
    (void)graph;
    (void)query;
    (void)unit_weights;
    (void)dist;
    (void)dist_type;
    (void)parent;
    (void)rows;
    (void)seed;
    return FR_OK;
}
