/* BFS with expansion, filtering, prefix sum and queueing fused into one kernel per level.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.4.
 * Idea: a thread per frontier vertex claims neighbours and keeps them in a buffer of 32; a shuffle
 *   scan per warp and one over the warps give each thread its place, and one atomicAdd per block
 *   gives the block its place in the next queue.
 * Differs: the text's buffer localNeighbors[32] would lose the 33rd neighbour of a vertex; here the
 *   block flushes its buffers and goes round again until no thread has edges left. The claim is on
 *   the level array (text: on the parent array), so that parents may be switched off.
 * Needs: nothing. Scratch: two queues. Work: n + m. Launches: 1 per level. Atomics: one claim per
 *   unvisited edge end, one append per block and round.
 * Good at: deep graphs of small degree (roads). Bad at: hubs: a block goes round for its largest.
 */
#include "cuda/bfs_queues.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

enum { LOCAL = 32 }; /* the text's localNeighbors[32] */

template <class O>
static __global__ void scan_fused_kernel(fri_rows<O> rows, int32_t depth, int32_t *level,
                                         int32_t *parent, const int32_t *queue, int32_t size,
                                         int32_t *next, int32_t *tail) {
    FRI_SHARED(int32_t, place, 1);
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), u = i < size ? queue[i] : 0;
    O e = 0, end = 0;
    if (i < size) {
        e = rows.offsets[u];
        end = rows.offsets[u + 1];
    }
    int32_t found[LOCAL];
    while (__syncthreads_or(e < end)) { /* a round: up to 32 finds a thread */
        int count = 0;
        for (; e < end && count < LOCAL; e++) {
            int32_t v = rows.targets[e];
            if (fri_claim(v, u, depth, level, parent))
                found[count++] = v;
        }
        int total, before = fri_block_sum(count, &total);
        if (threadIdx.x == 0)
            *place = total ? atomicAdd(tail, total) : 0;
        __syncthreads(); /* the block's place is known */
        for (int k = 0; k < count; k++)
            next[*place + before + k] = found[k];
    }
}

static fr_status step(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges;
    int block = fri_gpu_block_knob(g, 0);
    int32_t size;
    FRI_GPU_TRY(fri_queues_turn(g, &size));
    FRI_BY_WIDTH(
        g, (FRI_LAUNCH((scan_fused_kernel<O>), fri_gpu_blocks(size, block), block, 0, g->stream,
                       fri_rows_of<O>(g->out), depth, g->level, g->parent, fri_queue_of(g, depth),
                       size, fri_queue_of(g, depth + 1), &g->words[FRI_TAIL])));
    return fri_queues_found(g, found);
}

static const fr_knob knobs[] = {FRI_BLOCK_KNOB, {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {fri_queues_bytes, fri_queues_begin, step, nullptr};

FRI_GPU_ROW(fri_gpu_bfs_scan_fused) = {
    .name = "scan-fused",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.4",
    .text = "expansion, filter, scan and queueing in one kernel per level",
    .problem = FR_BFS,
    .backend = FR_CUDA,
    .knobs = knobs,
    FRI_GPU_BFS_ROW(device_side),
};
