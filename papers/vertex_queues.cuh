/* What strategies of vertices in queues share: two queues in global memory, the frontier and the one
 * being filled, whose size is control word 0; threads per block; a whole run_level. */
#ifndef FRI_VERTEX_QUEUES_CUH
#define FRI_VERTEX_QUEUES_CUH

#include "cuda/prim/device.cuh"

enum { FRI_CONTROL_TAIL = 0 }; /* control word: size of the queue being filled */

static inline size_t fri_queue_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}

/* Bytes of the two queues, which are at the start of scratch. */
static inline size_t fri_queues_bytes(const fri_gpu *g) { return 2 * fri_queue_bytes(g); }

/* The queue of vertices of that level. */
static inline int32_t *fri_queue_of(fri_gpu *g, int32_t depth) {
    return (int32_t *)(g->scratch + (size_t)(depth & 1) * fri_queue_bytes(g));
}

/* Puts the sources into the queue of level 0: fri_gpu_strategy.start_query. */
static inline fr_status fri_queues_begin(fri_gpu *g) {
    g->host_control[FRI_CONTROL_TAIL] = g->source_count;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(fri_queue_of(g, 0), g->sources,
                                         (size_t)g->source_count * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

/* Returns the size of this level's queue; empties the next level's. */
static inline fr_status fri_queues_swap(fri_gpu *g, int32_t *size) {
    *size = g->host_control[FRI_CONTROL_TAIL];
    return fri_gpu_zero(g, &g->control[FRI_CONTROL_TAIL], sizeof(int32_t));
}

/* Reads the size of the queue that was filled; waits for the stream. */
static inline fr_status fri_queues_found(fri_gpu *g, int64_t *found) {
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_TAIL, 1));
    *found = g->host_control[FRI_CONTROL_TAIL];
    return FR_OK;
}

/* Knob 0 of many strategies: threads per block, rounded down to whole warps. */
static inline int fri_gpu_block_knob(const fri_gpu *g, int index) {
    int threads = (int)fri_job_knob(g->job, index, 256);
    return FRI_MAX(32, threads / 32 * 32);
}
#define FRI_BLOCK_KNOB                                                                             \
    { "block", 256, 32, 1024, "threads per block, whole warps; default as in the study's example (2.4)" }

/* The run_level function of strategies whose kernel takes (csr, depth, level, parent, queue, size,
 * next, tail) and uses one thread per queued vertex. Defines
 * `run_level`, the knob of threads per block and `device_side` for such a strategy. `shared_bytes` may use O, the offsets' type, and `block`. */
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
