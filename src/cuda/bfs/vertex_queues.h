/* Host side of the strategies that keep two queues of vertices in global memory: the frontier and
 * the one being filled, whose size is control word 0. */
#ifndef FRI_CUDA_BFS_VERTEX_QUEUES_H
#define FRI_CUDA_BFS_VERTEX_QUEUES_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

enum { FRI_CONTROL_TAIL = 0 }; /* control word: size of the queue being filled */

/* Bytes of the two queues, which are at the start of scratch. */
size_t fri_queues_bytes(const fri_gpu *g);
/* The queue of vertices of that level. */
int32_t *fri_queue_of(fri_gpu *g, int32_t depth);
/* Puts the sources into the queue of level 0: fri_gpu_strategy.start_query. */
fr_status fri_queues_begin(fri_gpu *g);
/* Returns the size of this level's queue; empties the next level's. */
fr_status fri_queues_swap(fri_gpu *g, int32_t *size);
/* Reads the size of the queue that was filled; waits for the stream. */
fr_status fri_queues_found(fri_gpu *g, int64_t *found);

/* Knob 0 of many strategies: threads per block, rounded down to whole warps. */
static inline int fri_gpu_block_knob(const fri_gpu *g, int index) {
    int threads = (int)fri_job_knob(g->job, index, 256);
    return FRI_MAX(32, threads / 32 * 32);
}
#define FRI_BLOCK_KNOB                                                                             \
    { "block", 256, 32, 1024, "threads per block, whole warps; default as in the paper" }

FRI_C_END
#endif
