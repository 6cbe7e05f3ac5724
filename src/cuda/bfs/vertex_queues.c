#include "cuda/bfs/vertex_queues.h"

static size_t one_queue(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}

size_t fri_queues_bytes(const fri_gpu *g) { return 2 * one_queue(g); }

int32_t *fri_queue_of(fri_gpu *g, int32_t depth) {
    return (int32_t *)(void *)(g->scratch + (size_t)(depth & 1) * one_queue(g));
}

fr_status fri_queues_begin(fri_gpu *g) {
    g->host_control[FRI_CONTROL_TAIL] = g->source_count;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(fri_queue_of(g, 0), g->sources,
                                         (size_t)g->source_count * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

fr_status fri_queues_swap(fri_gpu *g, int32_t *size) {
    *size = g->host_control[FRI_CONTROL_TAIL];
    return fri_gpu_check(
        g, cudaMemsetAsync(&g->control[FRI_CONTROL_TAIL], 0, sizeof(int32_t), g->stream),
        "emptying a queue");
}

fr_status fri_queues_found(fri_gpu *g, int64_t *found) {
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_TAIL, 1));
    *found = g->host_control[FRI_CONTROL_TAIL];
    return FR_OK;
}
