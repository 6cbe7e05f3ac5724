#include "cpu/sssp/cost_model.h"

/* Costs on one core, in nanoseconds. Fitted on an EPYC 9005 with Kronecker and uniform graphs of
 * scale 20; only their ratio matters. */
static const struct {
    double sort_edge;  /* fresh memory for the edge included */
    double in_edge;    /* testing for symmetry or transposing */
    double saved_edge; /* delta-step's time per edge less spira-window's */
} cost = {
    .sort_edge = 15,
    .in_edge = 10,
    .saved_edge = 5,
};

double fri_sssp_sort_ns(int64_t m, int threads) { return cost.sort_edge * (double)m / threads; }

double fri_sssp_in_edges_ns(const fr_csr *csr, int threads) {
    return csr->symmetric ? 0 : cost.in_edge * (double)csr->m / threads;
}

double fri_sssp_sorted_saving_ns(int64_t edges, int threads) {
    return cost.saved_edge * (double)edges / threads;
}
