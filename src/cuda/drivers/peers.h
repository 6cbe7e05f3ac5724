/* What strategies that divide one traversal among the GPUs of a host share: contexts and fri_gpu of
 * the further GPUs, peer access, the cut into slices, and the rows of a slice. */
#ifndef FRI_CUDA_DRIVERS_PEERS_H
#define FRI_CUDA_DRIVERS_PEERS_H

#include "cuda/device/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FRI_SLICES_MAX = 8 }; /* GPUs; FRI_JOINT_DEVICES of prim/joint.cuh */

/* A GPU owns whole cache lines of bitmap; under the SIMT executor whole words, so that small graphs
 * are cut, too. MAX_POLLS: of a wait in a kernel, about 3 seconds on a GPU. */
#ifdef FRI_SIMT
enum { FRI_SLICE_UNIT = 32, FRI_MAX_POLLS = 1 << 20 };
#else
enum { FRI_SLICE_UNIT = 1024, FRI_MAX_POLLS = 1 << 22 };
#endif

/* Input of the choice of the number of GPUs. */
typedef struct fri_devices_input {
    int64_t n, m;       /* m: stored edges */
    int64_t max_degree; /* stored out-edges of a vertex */
    int devices;        /* that the context names */
} fri_devices_input;

/* Whether several GPUs are named and their expected time is the lower one. */
static inline bool fri_all_devices_pay(const fri_devices_input *in, double one_ns, double all_ns) {
    return in->devices > 1 && all_ns < one_ns;
}
/* Costs a pass over the offsets. */
fri_devices_input fri_devices_input_of(const fri_job *job);

/* Vertices first[k] .. first[k+1]-1 belong to device k; first has devices + 1 elements, multiples of
 * FRI_SLICE_UNIT. Slices have about equal edges and vertices; one may be empty. in_offsets: [n+1]. */
void fri_cut_slices(int32_t n, const int64_t *in_offsets, int devices, int32_t *first);

/* FR_UNSUPPORTED if the kernels of `count` GPUs could not run at the same time: with
 * CUDA_LAUNCH_BLOCKING=1, or on more than FRI_SLICES_MAX. */
fr_status fri_check_joint_launch(fr_ctx *ctx, int count);

/* Makes *own, for the k-th GPU of the context, k > 0: the solver's job with the context of that GPU,
 * and its fri_gpu in own->device. fri_gpu_release(own) ends it. */
fr_status fri_bind_peer(const fri_job *job, int k, fri_job *own);
/* Selects and opens the GPU of such a job: stream, clock, control words' host copy. */
fr_status fri_open_peer(fri_gpu *g);
/* Lets g's device access the memory of all GPUs of `ctx`, the solver's context. FR_UNSUPPORTED if it
 * cannot. */
fr_status fri_enable_peers(fri_gpu *g, const fr_ctx *ctx, int count);

/* Offsets of `count` rows, rebased to begin at 0, to the device: int64 or uint32 as g->offsets64. */
fr_status fri_upload_slice_offsets(fri_gpu *g, const void *to, const int64_t *from, int64_t count);

/* A row per vertex of the graph with the edges that end at vertices first .. first + own - 1, in host
 * memory. Targets are relative to `base`. */
typedef struct fri_slice_rows {
    int64_t *offsets; /* [n+1] */
    int32_t *targets;
    void *weights; /* of weight_size bytes: the csr's type, or doubles of its floats; NULL: none */
    int64_t edges;
} fri_slice_rows;
/* weight_size: 0: without weights. Two passes over all edges by the context's threads. */
fr_status fri_make_slice_rows(fr_ctx *ctx, const fr_csr *csr, int32_t first, int32_t own,
                              int32_t base, size_t weight_size, fri_slice_rows *out);
void fri_free_slice_rows(fri_slice_rows *rows);

#ifdef __cplusplus
}
#endif
#endif
