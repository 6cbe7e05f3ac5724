/* BFS with a thread per vertex and a flag: no frontier is kept.
 *
 * Source: P. Harish, P. J. Narayanan: Accelerating large graph algorithms on the GPU using CUDA,
 *   HiPC 2007; as written in "Performance Optimization of GPU Breadth-First Search Algorithm"
 *   (2025), section 2.1, Algorithms 1 and 2.
 * Idea: each level tests every vertex; the vertices of the level lower their neighbors to the next one
 *   and set the flag. If no thread set it, all reachable vertices have their level.
 * Differs: parents are written along with the level (the paper has arrays D and P; its kernel shows
 *   only D). A neighbor is compared with -1, not with "level + 1 <": levels are set once, so it is
 *   the same test.
 * Needs: nothing. Scratch: none. Work: n per level + m. Launches: 1 per level. Atomics: none.
 * Good at: few levels. Bad at: many levels, skewed degrees (one thread expands a whole hub).
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/device.cuh"

enum { FLAG = 0 /* control word */ };

template <class O>
static __global__ void simple_kernel(fri_csr_view<O> csr, int32_t n, int32_t depth, int32_t *level,
                                     int32_t *parent, int32_t *flag) {
    int32_t u = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    /* racy: others may be setting level[u] to depth + 1, never to depth */
    if (u >= n || fri_racy_load(&level[u]) != depth)
        return;
    bool found = false;
    FRI_COUNT(csr, FR_COUNTER_EDGES, csr.offsets[u + 1] - csr.offsets[u]);
    for (O e = csr.offsets[u]; e < csr.offsets[u + 1]; e++) {
        int32_t v = csr.targets[e];
        if (fri_racy_load(&level[v]) >= 0)
            continue;
        /* racy: all store the same level, and any of their ids is a valid parent */
        fri_racy_store(&level[v], depth + 1);
        if (parent)
            fri_racy_store(&parent[v], u);
        found = true;
    }
    if (found)
        fri_racy_store(flag, 1); /* racy: all store 1 */
}

static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges;
    int block = fri_gpu_block_knob(g, 0);
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(&g->control[FLAG], 0, sizeof(int32_t), g->stream),
                              "clearing the flag"));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN_EACH((simple_kernel<O>), g->n, block, fri_csr_view_of<O>(g->out),
                                       g->n, depth, g->bfs.level, g->parent, &g->control[FLAG]));
    FRI_GPU_TRY(fri_gpu_read_control(g, FLAG, 1));
    *found = g->host_control[FLAG];
    return FR_OK;
}

static const fr_knob knobs[] = {FRI_BLOCK_KNOB, {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {.run_level = run_level};

FRI_GPU_STRATEGY(fri_gpu_bfs_simple) = {
    .name = "simple",
    .source = "Harish, Narayanan: Accelerating large graph algorithms on the GPU, HiPC 2007",
    .text = "a thread per vertex and level, no queue",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    /* FR_COUNTER_ATOMICS is always 0 */
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    FRI_GPU_BFS_STRATEGY(device_side),
};
