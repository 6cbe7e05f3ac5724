/* Where a call without a solver runs: components and centrality. */
#ifndef FRI_CORE_CALL_BACKEND_H
#define FRI_CORE_CALL_BACKEND_H

#include "graph/graph.h"

typedef struct fri_call_work {
    const char *name;    /* of the call */
    const char *refused; /* why it cannot run on a GPU; NULL: it can */
    double cpu_ns;       /* predicted, of one core */
    double gpu_ns;       /* predicted, without opening the device and the upload */
    int64_t units;       /* that the CPU runs in parallel, one thread each; 0: any number */
} fri_call_work;

/* Sets *gpu. FR_BACKEND_CUDA: FR_UNSUPPORTED if `refused` is set, or as fri_call_not_built; FR_NO_DEVICE.
 * FR_BACKEND_ANY chooses the device on which the call is predicted to end first, with opening the GPU and
 * the upload; it never fails. */
fr_status fri_call_backend(fr_ctx *ctx, const fr_graph *graph, fr_backend backend,
                           const fri_call_work *work, bool *gpu);
/* Refuses a call in a build that cannot run it on a GPU: FR_NO_DEVICE. Not defined with FRI_CUDA_ALL. */
fr_status fri_call_not_built(fr_ctx *ctx, const char *call);
/* Whether a call that the GPU ended with `status` runs on the CPU instead: FR_BACKEND_ANY, and the
 * GPU has too little memory. */
bool fri_call_falls_back(fr_ctx *ctx, fr_backend backend, fr_status status);

/* Predicted levels of a traversal. */
double fri_call_levels(const fr_csr *csr);
/* Predicted nanoseconds of searches from `sources` vertices on the GPU, many at a time
 * (cuda/bfs/many), each with `levels` levels. */
double fri_call_ms_bfs_ns(const fr_csr *csr, double sources, double levels);
/* Predicted nanoseconds of shortest paths by weights from `sources` vertices: one at a time on one core,
 * and many at a time on the GPU (cuda/centrality/weighted_searches.cuh). */
double fri_call_weighted_cpu_ns(const fr_csr *csr, double sources);
double fri_call_weighted_gpu_ns(const fr_csr *csr, double sources);
/* The cost of a search that shares a traversal with 31 others, as a fraction of a single one's. The 32
 * visit a vertex once per distinct distance; this assumes that distances are uniform over the levels. */
double fri_call_shared(double levels);

#endif
