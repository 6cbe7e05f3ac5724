/* BFS in which each warp takes 32 frontier vertices and expands their edges together.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.5
 *   (scanBfsFusedKernel_WM, Fig. 3).
 * Idea: a warp loads up to 32 vertices with offsets and degrees into shared memory, a shuffle scan
 *   of the degrees numbers their edges, and the lanes take every 32nd edge; a search in the sums
 *   finds the vertex of an edge.
 * Differs: the claim is on the level array (paper: atomicCAS on the parents), so that parents may
 *   be switched off; a load comes before the atomicCAS, which is the paper's only test, and spares
 *   most of them. The block has a fixed size, for which the paper has no number. The sum of 32 degrees must stay below 2^31, so that vertices with more than
 *   2^24 edges are expanded in several iterations.
 * Needs: nothing. Scratch: two queues. Work: n + m log 32. Launches: 1 per level. Atomics: one
 *   claim per edge with an unvisited target, one append per vertex.
 * Good at: skewed degrees. Bad at: one hub in a small frontier (a single warp expands it).
 * Measured on an H200: second to coalesced-map on the graphs of the study with hubs
 *   (papers/pages/study.md). Probably, with 132 multiprocessors a level takes as long as its longest
 *   row, which a block expands in an eighth of a warp's steps.
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

enum {
    STEP_EDGES = 1 << 24
}; /* edges of one vertex per iteration: 32 times as many stay below 2^31 */

template <class O> struct batch { /* one warp's vertices, in shared memory */
    int32_t vertex[FRI_WARP];
    O first[FRI_WARP];
    int before[FRI_WARP]; /* edges of the vertices before */
};

/* Expands edges [from[i], from[i] + count) of the batch's vertices; all lanes of the warp. */
template <class O>
static __device__ void walk(batch<O> *b, int edges, fri_csr_view<O> csr, int32_t depth,
                            int32_t *level, int32_t *parent, int32_t *next, int32_t *tail) {
    for (int k = fri_lane(); k < edges; k += FRI_WARP) {
        int owner = fri_find_owner(b->before, FRI_WARP, k);
        int32_t v = csr.targets[b->first[owner] + (O)(k - b->before[owner])];
        if (fri_claim(csr, v, b->vertex[owner], depth, level, parent))
            fri_append(csr, v, next, tail);
    }
}

template <class O>
static __global__ void warp_merge_kernel(fri_csr_view<O> csr, int32_t depth, int32_t *level,
                                         int32_t *parent, const int32_t *queue, int32_t size,
                                         int32_t *next, int32_t *tail) {
    FRI_SHARED_DYNAMIC(batch<O>, batches);
    batch<O> *b = &batches[fri_warp()];
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), u = i < size ? queue[i] : 0;
    O first = 0, left = 0;
    if (i < size) {
        first = csr.offsets[u];
        left = csr.offsets[u + 1] - first;
    }
    FRI_COUNT(csr, FR_COUNTER_EDGES, left);
    while (__any_sync(FRI_FULL_MASK, left > 0)) {
        int mine = left < (O)STEP_EDGES ? (int)left : STEP_EDGES, edges;
        int before = fri_warp_prefix(mine, &edges);
        b->vertex[fri_lane()] = u;
        b->first[fri_lane()] = first;
        b->before[fri_lane()] = before;
        __syncwarp(); /* the batch is written */
        walk(b, edges, csr, depth, level, parent, next, tail);
        __syncwarp(); /* the batch is read, before the next iteration writes it */
        first += (O)mine;
        left -= (O)mine;
    }
}

FRI_QUEUE_STEP(warp_merge_kernel, (size_t)(block / FRI_WARP) * sizeof(batch<O>));

FRI_GPU_STRATEGY(fri_gpu_bfs_warp_merge) = {
    .name = "warp-merge",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.5",
    .text = "a warp expands the edges of 32 frontier vertices together",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    FRI_GPU_BFS_STRATEGY(device_side),
};
