/* BFS with a queue in global memory, a thread per queued vertex.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.2,
 *   Algorithms 3 and 4.
 * Idea: the thread that lowers a vertex's level from infinity (by atomicMin's result) owns it,
 *   writes its parent and appends it to the next queue with one atomicAdd.
 * Differs: infinity is -1 in fringe, which as an unsigned number is the maximum, so that the
 *   paper's atomicMin and the plain test before it work unchanged. The source is its own parent
 *   (paper: -1).
 * Needs: nothing. Scratch: two queues of n. Work: n + m. Launches: 1 per level. Atomics: one claim
 *   per edge with an unvisited target, one append per vertex.
 * Good at: large frontiers of even degree. Bad at: hubs (a thread each), the contended queue tail.
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/visit.cuh"

/* Any thread: true for exactly one of all threads that call it for v, the one that finds infinity
 * there. */
template <class O>
static __device__ __forceinline__ bool lower(fri_csr_view<O> csr, int32_t v, int32_t u,
                                             int32_t depth, int32_t *level, int32_t *parent) {
    const uint32_t infinity = UINT32_MAX; /* -1 */
    if (fri_racy_load(&level[v]) >= 0)    /* racy: a claim that is not seen fails at the atomic */
        return false;
    FRI_COUNT(csr, FR_COUNTER_ATOMICS, 1);
    if (atomicMin((uint32_t *)&level[v], (uint32_t)depth + 1) != infinity) {
        FRI_COUNT(csr, FR_COUNTER_DUPLICATES_FOUND, 1);
        return false;
    }
    if (parent)
        parent[v] = u;
    return true;
}

template <class O>
static __global__ void queue_kernel(fri_csr_view<O> csr, int32_t depth, int32_t *level,
                                    int32_t *parent, const int32_t *queue, int32_t size,
                                    int32_t *next, int32_t *tail) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= size)
        return;
    int32_t u = queue[i];
    FRI_COUNT(csr, FR_COUNTER_EDGES, csr.offsets[u + 1] - csr.offsets[u]);
    for (O e = csr.offsets[u]; e < csr.offsets[u + 1]; e++) {
        int32_t v = csr.targets[e];
        if (lower(csr, v, u, depth, level, parent))
            fri_append(csr, v, next, tail);
    }
}

FRI_QUEUE_STEP(queue_kernel, 0);

FRI_GPU_STRATEGY(fri_gpu_bfs_queue) = {
    .name = "queue",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.2",
    .text = "a thread per queued vertex, claims and appends by atomics",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    FRI_GPU_BFS_STRATEGY(device_side),
};
