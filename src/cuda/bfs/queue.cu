/* BFS with a queue in global memory, a thread per queued vertex.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.2,
 *   Algorithms 3 and 4.
 * Idea: who lowers a vertex's level from infinity (atomicMin tells) owns it, writes its parent and
 *   appends it to the next queue with one atomicAdd.
 * Differs: infinity is -1 in fringe, so the claim is atomicCAS(-1 -> level), with the text's plain
 *   test before it: the same number of atomics. The source is its own parent (text: -1).
 * Needs: nothing. Scratch: two queues of n. Work: n + m. Launches: 1 per level. Atomics: one claim
 *   per unvisited edge end, one append per vertex.
 * Good at: wide frontiers of even degree. Bad at: hubs (a thread each), the contended queue tail.
 */
#include "cuda/bfs_queues.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/visit.cuh"

template <class O>
static __global__ void queue_kernel(fri_rows<O> rows, int32_t depth, int32_t *level,
                                    int32_t *parent, const int32_t *queue, int32_t size,
                                    int32_t *next, int32_t *tail) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= size)
        return;
    int32_t u = queue[i];
    for (O e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
        int32_t v = rows.targets[e];
        if (fri_claim(v, u, depth, level, parent))
            next[atomicAdd(tail, 1)] = v;
    }
}

static fr_status step(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges;
    int block = fri_gpu_block_knob(g, 0);
    int32_t size;
    FRI_GPU_TRY(fri_queues_turn(g, &size));
    FRI_BY_WIDTH(
        g, (FRI_LAUNCH((queue_kernel<O>), fri_gpu_blocks(size, block), block, 0, g->stream,
                       fri_rows_of<O>(g->out), depth, g->level, g->parent, fri_queue_of(g, depth),
                       size, fri_queue_of(g, depth + 1), &g->words[FRI_TAIL])));
    return fri_queues_found(g, found);
}

static const fr_knob knobs[] = {FRI_BLOCK_KNOB, {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {fri_queues_bytes, fri_queues_begin, step, nullptr};

FRI_GPU_ROW(fri_gpu_bfs_queue) = {
    .name = "queue",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.2",
    .text = "a thread per queued vertex, claims and appends by atomics",
    .problem = FR_BFS,
    .backend = FR_CUDA,
    .knobs = knobs,
    FRI_GPU_BFS_ROW(device_side),
};
