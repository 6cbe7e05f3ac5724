/* From the device to the caller: where the caller's arrays are, how they are filled, and what is
 * counted of them. */
#ifndef FRI_CUDA_DEVICE_RESULTS_H
#define FRI_CUDA_DEVICE_RESULTS_H

#include "cuda/device/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results.c: the caller's arrays ------------------------------------------------------ */

/* The start of every query: finds out where level, dist and parent of job->out are (FR_INVALID where
 * fr_query.result_memory says otherwise), and lets g->stream wait for the caller's stream. */
fr_status fri_gpu_open_results(fri_gpu *g);
/* Lets g->stream wait for the caller's stream of a query whose results are on the device. FR_INVALID:
 * it is not a stream of this GPU. */
fr_status fri_gpu_wait_for_caller(fri_gpu *g);
/* Whether both ends of an array are in memory of the context's GPU, or managed. */
bool fri_gpu_is_on_device(const fri_gpu *g, const void *array, size_t bytes);
/* Whether a traversal may use the caller's array, which is on the device, as its own. */
bool fri_gpu_is_direct(const fri_gpu *g, const void *array);

/* ---- download.c -------------------------------------------------------------------------- */

/* An array of the result and where it is copied to. */
typedef struct fri_gpu_output {
    void *to;         /* the caller's array; NULL: none */
    const void *from; /* [count] on the device */
    int64_t count;
    int size; /* bytes per value */
    int sent; /* bytes per value on the bus (fri_narrow_size); less than size for integers only */
} fri_gpu_output;
enum { FRI_GPU_MAX_OUTPUTS = 2 };

/* What fri_gpu_count_reached counts. */
typedef struct fri_gpu_counting {
    const void *values; /* [n] on the device */
    int size;           /* bytes per value */
    int64_t unreached, last;
} fri_gpu_counting;

/* How an output reaches the caller: not at all, by one copy of the device, or by a team of threads. */
typedef enum fri_gpu_way { FRI_WAY_NONE, FRI_WAY_DEVICE, FRI_WAY_TEAM } fri_gpu_way;
fri_gpu_way fri_gpu_way_of(const fri_gpu *g, const fri_gpu_output *o);

/* Fills the caller's arrays after the work that is submitted to g->stream. `pending`: g->stream
 * has work that no thread has waited for; then it waits for that stream, also for copies and
 * counting. counting, or NULL: is done during the transfer, and is complete at the end. */
fr_status fri_gpu_download_results(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                   bool pending, const fri_gpu_counting *counting);

/* Narrows `o` into `to`, which becomes o->from; a batch calls it. */
fr_status fri_gpu_narrow_output(fri_gpu *g, fri_gpu_output *o, void *to);

/* ---- staging.c --------------------------------------------------------------------------- */

/* Fills the arrays of outputs of FRI_WAY_TEAM; submits the counting, if not NULL, which may not be
 * complete at the end. Nothing else may use the context's pinned buffers meanwhile. */
fr_status fri_gpu_stage(fri_gpu *g, const fri_gpu_output *outputs, int count,
                        const fri_gpu_counting *counting);

/* ---- download_team.c --------------------------------------------------------------------- */

/* The same by transfers of the device. `pending` as in fri_gpu_download_results. */
fr_status fri_gpu_transfer(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                           const fri_gpu_counting *counting);

/* The number of threads that pays for so many bytes of the caller's arrays, and the streams of
 * the threads. */
int fri_gpu_download_threads(const fri_gpu *g, size_t bytes);
fr_status fri_gpu_download_streams(fri_gpu *g, int threads);
/* Outputs of FRI_WAY_TEAM, after the event; any thread, one at a time in a context. */
cudaError_t fri_gpu_download_by_team(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                     cudaEvent_t after, int threads);

/* ---- batch.c ----------------------------------------------------------------------------- */

/* Whether results are delivered while the next query runs. */
bool fri_gpu_is_batched(const fri_gpu *g);
/* As fri_gpu_download_results, but the arrays are complete only at the end of the batch. */
fr_status fri_gpu_batch_add(fri_gpu *g, const fri_gpu_output *outputs, int count, bool pending,
                            const fri_gpu_counting *counting);
void fri_gpu_batch_release(fri_gpu *g);

/* ---- result_kernels.cu ------------------------------------------------------------------- */

/* Writes `count` integers of `size` bytes as integers of `sent` bytes (device/expand.h). */
void fri_gpu_narrow(fri_gpu *g, const void *from, int size, void *to, int sent, int64_t count);
/* The same for page-locked memory, in pieces of FRI_PIECE_VALUES, of which number i is complete once
 * the host reads `round` from flags[i]. Here `sent` may equal `size`: any values. */
void fri_gpu_stage_pieces(fri_gpu *g, const void *from, int size, void *to, int sent, int64_t count,
                          uint64_t *flags, uint64_t round);
/* Counts the vertices whose value is not `unreached`, their out-edges, and the out-edges of those up
 * to `last`; submits the copy of the counts to host_control. */
fr_status fri_gpu_count_reached(fri_gpu *g, const fri_gpu_counting *what);
/* Reads host_control, once the copy is complete. Returns the edges of those up to `last`. */
int64_t fri_gpu_take_reached(fri_gpu *g);

#ifdef __cplusplus
}
#endif
#endif
