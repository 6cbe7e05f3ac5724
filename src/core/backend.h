/* Chooses the backend for FR_BACKEND_ANY: a pure function of what is known before the solver is
 * made. */
#ifndef FRI_CORE_BACKEND_H
#define FRI_CORE_BACKEND_H

#include "base/base.h"
#include "graph/graph.h"

typedef struct fri_backend_input {
    fr_problem problem;
    bool weighted; /* SSSP with weights other than 1 */
    int threads;   /* of the CPU */
    int32_t n;
    int64_t m;
    bool symmetric;
    double edge_degree;  /* mean degree at the end of an edge */
    double queries;      /* expected, >= 1; APSP: rows */
    size_t upload_bytes; /* what is not on the GPU yet */
    bool device_open;    /* this context has used the GPU */
} fri_backend_input;

/* Predicted nanoseconds: once, and for each query. */
typedef struct fri_backend_cost {
    double open, prepare, query;
} fri_backend_cost;

typedef struct fri_backend_costs {
    fri_backend_cost cpu, gpu;
} fri_backend_costs;

/* One query of this graph, nothing of it on the GPU, which is not open. */
fri_backend_input fri_backend_input_of(const fr_csr *csr, int threads);
#ifdef FRI_CUDA
/* Leaves out what the context has done: opened the GPU, and uploaded the graph (NULL: it is not shared). */
void fri_backend_skip_done(fri_backend_input *in, const fr_ctx *ctx, const fr_graph *graph);
#endif
/* Mean degree at the end of a sample of edges; 0 without edges. */
double fri_backend_edge_degree(const fr_csr *csr);
fri_backend_costs fri_backend_predict(const fri_backend_input *in);
/* Levels of a breadth-first search, from n, m and edge_degree. */
double fri_backend_levels(const fri_backend_input *in);
/* The sum over all expected queries. */
double fri_backend_total_ns(const fri_backend_input *in, const fri_backend_cost *cost);
/* FR_BACKEND_CPU or FR_BACKEND_CUDA: the smaller sum. */
fr_backend fri_backend_choose(const fri_backend_input *in);

/* Both sums in words: "on the GPU: 310 ms expected for 8 queries, 2.1 s on the CPU"; "" if one is a
 * hundred times the other. */
void fri_backend_explain(const fri_backend_input *in, char *text, size_t bytes);

#endif
