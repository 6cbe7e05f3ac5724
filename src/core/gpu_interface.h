/* The functions that the solver needs from the GPU side; src/cuda defines them. They are declared
 * here because core may not include cuda. */
#ifndef FRI_CORE_GPU_INTERFACE_H
#define FRI_CORE_GPU_INTERFACE_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/strategy.h"

/* FRI_CUDA: the library has a GPU part. FRI_CUDA_ALL: all of it; else the strategies `auto` of BFS and SSSP,
 * and what that needs for negative weights (FRINGE_GPU_STRATEGIES of CMake), and refusals of the rest end with this sentence. */
#if defined FRI_CUDA && !defined FRI_CUDA_ALL
#define FRI_GPU_LACKS                                                                              \
    "; on a GPU this build has only 'auto' of BFS and SSSP, and topology-bf; `make` builds all"
#else
#define FRI_GPU_LACKS ""
#endif
#ifdef FRI_CUDA
#define FRI_GPU_LEFT_OUT FRI_GPU_LACKS
#else
#define FRI_GPU_LEFT_OUT  ", and this build has no GPU strategies"
#define FRI_GPU_NOT_BUILT "this library was built without its GPU part"
#endif

/* Whether this GPU strategy's in-edges are built on the device. job->in_edges is then unused. */
bool fri_gpu_makes_in_edges(const fri_job *job);

/* For a caller who asked for `auto`: gives the job to the strategy of the GPU that `auto` chooses for it
 * (fri_gpu_strategy.choose). If the memory of that one does not fit: sets knobs with which it does, if there are
 * any (fri_gpu_strategy.save_memory), else gives the job to the first strategy of a fallback list that fits; the
 * last one is the CPU's auto. APSP with int64 weights of which some are negative, or in place: to the CPU's auto, whatever fits. job->told.note says what was
 * done. A strategy of the CPU stays. FR_NO_DEVICE without a GPU. */
fr_status fri_gpu_resolve(fri_job *job);

/* Gives the job of `multi-device` to the GPU's `auto` where one GPU is expected to be faster than all of the
 * context; job->told.note then says so. FR_NO_DEVICE if the context names one that is not there. */
fr_status fri_gpu_prefer_one(fri_job *job);

/* Whether the context has opened its device, or a thread is opening it (fr_ctx_open_device). */
bool fri_gpu_is_open(const fr_ctx *ctx);
/* Opens the device; FR_NO_DEVICE with the reason if there is none. */
fr_status fri_gpu_open_now(fr_ctx *ctx);

/* Whether the kernels count events: they are compiled with FRI_COUNTING (cuda/prim/device.cuh). */
bool fri_gpu_kernels_count(void);
/* fr_device_count, and fr_device_get for an ordinal that may be out of range. */
fr_status fri_gpu_count_devices(fr_ctx *ctx, int *count);
fr_status fri_gpu_describe_device(fr_ctx *ctx, int device, fr_device_info *out);
/* fr_components, weak, and strong of a directed graph. size may be NULL. */
fr_status fri_gpu_components(fr_ctx *ctx, const fr_graph *graph, int32_t *label, int32_t *size,
                             int32_t *count);
fr_status fri_gpu_strong_components(fr_ctx *ctx, const fr_graph *graph, int32_t *label,
                                    int32_t *size, int32_t *count);
/* fr_betweenness without weights, before any scaling: score [n], the sum of the dependencies of the
 * sources on each vertex. sources: [count] distinct; NULL: 0 .. count - 1. */
fr_status fri_gpu_betweenness(fr_ctx *ctx, const fr_graph *graph, const int32_t *sources,
                              int64_t count, double *score);
/* The vertices first .. first + count - 1. */
typedef struct fri_vertex_part {
    int64_t first, count;
} fri_vertex_part;
/* Of a part, [count] each, of the vertices that reach a vertex, it included: their number, the sum of their
 * distances, and that of the reciprocals of those over 0. */
typedef struct fri_distance_sums {
    double *reached, *far, *near;
} fri_distance_sums;
/* Sets *part to another part, no larger than those before, and *to to where its sums go; false: there is none. */
typedef bool (*fri_next_sums)(void *user, fri_vertex_part *part, fri_distance_sums *to);
/* Closeness and harmonic centrality without weights: of the part and, in the same memory of the device, of those that
 * `next` gives. */
fr_status fri_gpu_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                fri_vertex_part part, fri_distance_sums to, fri_next_sums next,
                                void *user);
/* The same two with weights of at least 0, for betweenness above 0; the sums are of the transposed graph. FR_UNSUPPORTED:
 * adding a weight leaves a distance unchanged. */
fr_status fri_gpu_weighted_betweenness(fr_ctx *ctx, const fr_graph *graph, const int32_t *sources,
                                       int64_t count, double *score);
fr_status fri_gpu_weighted_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                         fri_vertex_part part, fri_distance_sums to,
                                         fri_next_sums next, void *user);
/* fr_eccentricity without weights: e [count], the eccentricities of distinct vertices. */
fr_status fri_gpu_eccentricities(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                 const int32_t *vertex, int32_t count, int32_t *e);
/* fr_eccentricity by bounds, without float weights: solvers and bounds on the device. */
typedef struct fri_gpu_bounds fri_gpu_bounds;
/* A strong component whose eccentricities are bounded; members marked "set" are results. */
typedef struct fri_gpu_bounds_part {
    int32_t first, count;    /* its vertices in the list */
    bool want_all;           /* eccentricities; otherwise the diameter and radius alone */
    double diameter, radius; /* of the components before this one */
    double *low, *high;      /* [n] the bounds of its vertices are set */
    int64_t passes;          /* set: the traversals */
    /* set: the vertices whose own traversals, many at a time, cost less than bounds */
    int32_t open;
} fri_gpu_bounds_part;
/* list: [n] the vertices by component. *out is NULL after a failure. */
fr_status fri_gpu_bounds_open(fr_ctx *ctx, const fr_graph *graph, const int32_t *list,
                              fri_gpu_bounds **out);
fr_status fri_gpu_bounds_run(fri_gpu_bounds *bounds, fri_gpu_bounds_part *part);
void fri_gpu_bounds_close(fri_gpu_bounds *bounds); /* NULL: nothing */
/* Checks rows in memory of the context's GPU, on that GPU, and makes them the device copy of a new
 * graph; sets what the check finds out. */
fr_status fri_gpu_borrow_graph(fr_ctx *ctx, const fr_device_csr *csr, fr_graph *graph);
/* fr_solve_each, and the batches of rows of an APSP query, whose parts may be queries of their own. From
 * here to fri_gpu_batch_end a query returns when its results are complete on the device, if they are to be
 * in host memory and that pays; they are copied while the next one runs. job->in->query, `arrays`: what queries
 * ask for, and which arrays they have. */
void fri_gpu_batch_begin(fri_job *job, const fr_result *arrays);
/* Waits for all results. Returns `status` unless it is FR_OK, else the status of the copies. *copied_ns: the
 * time of the copies, which overlap the queries. *lost: job->in->batch_row of the first query whose results could
 * not be copied, else unchanged. */
fr_status fri_gpu_batch_end(fri_job *job, fr_status status, int64_t *copied_ns, int64_t *lost);
/* fr_ctx_open_device. */
fr_status fri_gpu_open_early(fr_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
