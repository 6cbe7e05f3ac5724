/* BFS with expansion, filtering, prefix sum and queueing fused into one kernel per level.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.4.
 * Idea: a thread per frontier vertex claims neighbors and keeps them in a buffer of 32; a shuffle
 *   scan per warp and one over the warps give each thread its position, and one atomicAdd per block
 *   gives the block its position in the next queue.
 * Differs: the paper's buffer localNeighbors[32] would lose the 33rd neighbor of a vertex; here
 *   the block flushes its buffers and iterates until no thread has edges left. The claim is on the
 *   level array (paper: on the parent array), so that parents may be switched off; a load comes
 *   before its atomicCAS, which is the paper's only test, and spares most of them. The block has a
 *   fixed size (paper: by the frontier).
 * Needs: nothing. Scratch: two queues. Work: n + m. Launches: 1 per level. Atomics: one claim per
 *   edge with an unvisited target, one append per block and iteration.
 * Good at: deep graphs of small degree (roads). Bad at: hubs: a block iterates for its largest.
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

enum { LOCAL = 32 }; /* the paper's localNeighbors[32] */

template <class O>
static __global__ void scan_fused_kernel(fri_csr_view<O> csr, int32_t depth, int32_t *level,
                                         int32_t *parent, const int32_t *queue, int32_t size,
                                         int32_t *next, int32_t *tail) {
    FRI_SHARED(int32_t, place, 1);
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), u = i < size ? queue[i] : 0;
    O e = 0, end = 0;
    if (i < size) {
        e = csr.offsets[u];
        end = csr.offsets[u + 1];
    }
    FRI_COUNT(csr, FR_COUNTER_EDGES, end - e);
    int32_t found[LOCAL];
    while (__syncthreads_or(e < end)) { /* an iteration: up to 32 found vertices per thread */
        int count = 0;
        for (; e < end && count < LOCAL; e++) {
            int32_t v = csr.targets[e];
            if (fri_claim(csr, v, u, depth, level, parent))
                found[count++] = v;
        }
        int total, before = fri_block_prefix(count, &total);
        if (threadIdx.x == 0) {
            FRI_COUNT(csr, FR_COUNTER_ATOMICS, total > 0);
            FRI_COUNT(csr, FR_COUNTER_ENQUEUES, total);
            *place = total ? atomicAdd(tail, total) : 0;
        }
        __syncthreads(); /* the block's position is known */
        for (int k = 0; k < count; k++)
            next[*place + before + k] = found[k];
    }
}

FRI_QUEUE_STEP(scan_fused_kernel, 0);

FRI_GPU_STRATEGY(fri_gpu_bfs_scan_fused) = {
    .name = "scan-fused",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.4",
    .text = "expansion, filter, scan and queueing in one kernel per level",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    FRI_GPU_BFS_STRATEGY(device_side),
};
