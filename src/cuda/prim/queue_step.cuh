/* The run_level function of strategies whose kernel takes (csr, depth, level, parent, queue, size,
 * next, tail) and uses one thread per queued vertex. */
#ifndef FRI_CUDA_PRIM_QUEUE_STEP_CUH
#define FRI_CUDA_PRIM_QUEUE_STEP_CUH

#include "cuda/bfs/vertex_queues.h"
#include "cuda/prim/device.cuh"

/* Defines `run_level`, the knob of threads per block and `device_side` for such a strategy.
 * `shared_bytes` may use O, the offsets' type, and `block`. */
#define FRI_QUEUE_STEP(kernel, shared_bytes)                                                       \
    static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {        \
        (void)edges; /* all that leave the frontier */                                             \
        int block = fri_gpu_block_knob(g, 0);                                                      \
        int32_t size;                                                                              \
        FRI_GPU_TRY(fri_queues_swap(g, &size));                                                    \
        FRI_BY_OFFSET_TYPE(                                                                        \
            g, (FRI_LAUNCH((kernel<O>), fri_gpu_blocks(size, block), block, (shared_bytes),        \
                           g->stream, fri_csr_view_of<O>(g->out), depth, g->bfs.level, g->parent,  \
                           fri_queue_of(g, depth), size, fri_queue_of(g, depth + 1),               \
                           &g->control[FRI_CONTROL_TAIL])));                                       \
        return fri_queues_found(g, found);                                                         \
    }                                                                                              \
    static const fr_knob knobs[] = {FRI_BLOCK_KNOB, {nullptr, 0, 0, 0, nullptr}};                  \
    static const fri_gpu_strategy device_side = {                                                  \
        .scratch = fri_queues_bytes, .start_query = fri_queues_begin, .run_level = run_level}

#endif
