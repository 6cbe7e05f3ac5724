/* BFS in which each block maps its threads onto the concatenated edges of its vertices.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.6
 *   (scanBfsFusedKernel_CM, Fig. 4).
 * Idea: every thread loads one frontier vertex; an exclusive sum of the degrees over the block
 *   turns its edges into one range; threads take edges in order and find the owner by upper-bound
 *   search.
 * Differs: the exclusive sum is fringe's own two-level one where the paper calls CUB's BlockScan:
 *   the same sums, the block size is a knob, and the host can run it. The claim is on the level
 *   array (paper: parents), so that parents may be switched off. Vertices with more than 2^20 edges
 *   are expanded in several iterations, so that the block's sum fits 32 bits.
 * Needs: nothing. Scratch: two queues. Work: n + m log block. Launches: 1 per level. Atomics: one
 *   claim per edge with an unvisited target, one append per vertex.
 * Good at: hubs (a whole block each). Bad at: small frontiers of small degree.
 * Measured on an H200: the fastest of the study's six strategies on seven of its ten graphs, and on
 *   two others equal to the fastest (papers/pages/study.md).
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

/* edges of one vertex per iteration: 1024 times as many stay below 2^31 */
enum { STEP_EDGES = 1 << 20 };

template <class O>
static __global__ void coalesced_map_kernel(fri_csr_view<O> csr, int32_t depth, int32_t *level,
                                            int32_t *parent, const int32_t *queue, int32_t size,
                                            int32_t *next, int32_t *tail) {
    FRI_SHARED(int32_t, vertex, 1024);
    FRI_SHARED(O, first_edge, 1024);
    FRI_SHARED(int, before, 1024);
    int t = (int)threadIdx.x;
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), u = i < size ? queue[i] : 0;
    O first = 0, left = 0;
    if (i < size) {
        first = csr.offsets[u];
        left = csr.offsets[u + 1] - first;
    }
    FRI_COUNT(csr, FR_COUNTER_EDGES, left);
    while (__syncthreads_or(left > 0)) { /* also: the last iteration's arrays are read */
        int mine = left < (O)STEP_EDGES ? (int)left : STEP_EDGES, edges;
        before[t] = fri_block_prefix(mine, &edges);
        vertex[t] = u;
        first_edge[t] = first;
        __syncthreads(); /* the map is written */
        for (int k = t; k < edges; k += (int)blockDim.x) {
            int owner = fri_find_owner(before, (int)blockDim.x, k);
            int32_t v = csr.targets[first_edge[owner] + (O)(k - before[owner])];
            if (fri_claim(csr, v, vertex[owner], depth, level, parent))
                fri_append(csr, v, next, tail);
        }
        first += (O)mine;
        left -= (O)mine;
    }
}

FRI_QUEUE_STEP(coalesced_map_kernel, 0);

FRI_GPU_STRATEGY(fri_gpu_bfs_coalesced_map) = {
    .name = "coalesced-map",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.6",
    .text = "a block maps its threads onto the edges of its vertices",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    FRI_GPU_BFS_STRATEGY(device_side),
};
