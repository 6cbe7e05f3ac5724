/* BFS with a thread per edge of the graph, at every level.
 *
 * Source: Y. Jia, V. Lu, J. Hoberock, M. Garland, J. C. Hart: Edge v. node parallelism for graph
 *   centrality metrics, GPU Computing Gems Jade Edition, 2011; as BFS-4K (Busato, Bombieri, TPDS
 *   2015) describes it in section 3 and measures it in Table 2 ("Edge Parall.").
 * Idea: threads are assigned edges instead of vertices. Thread e tests whether edge e's source is
 *   of the level and, if so, gives its target the next one. No thread has more than one edge,
 *   whatever the degrees, and both ends of the edges are read in order.
 * Differs: the list of edge sources is no input here; the device builds it once from the CSR while
 *   the solver prepares. Parents are written along with the levels.
 * Needs: nothing. Scratch: the source of each edge, 4 m bytes. Work: m per level. Launches: 1 per
 *   level. Atomics: none.
 * Good at: few levels and skewed degrees. Bad at: many levels: each reads all edges.
 */
#include "papers/vertex_queues.cuh"
#include "papers/bfs/virtual_warp.cuh"

enum { FLAG = 0 /* word */, LIST_BLOCK = 256, LIST_WIDTH = 8 /* lanes that fill a row's part */ };

template <class O>
static __global__ void list_sources_kernel(fri_csr_view<O> csr, int32_t n, int32_t *sources) {
    fri_virtual_warp w = fri_virtual_warp_of(LIST_WIDTH);
    if (w.index >= n)
        return;
    FRI_VIRTUAL_WARP_WALK(w, e, csr.offsets[w.index], csr.offsets[w.index + 1]) {
        sources[e] = (int32_t)w.index;
    }
}

template <class O>
static __global__ void edge_parallel_kernel(fri_csr_view<O> csr, const int32_t *sources, int64_t m,
                                            int32_t depth, int32_t *level, int32_t *parent,
                                            int32_t *flag) {
    int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m)
        return;
    int32_t u = sources[e];
    /* racy: others may be setting level[u] to depth + 1, never to depth */
    if (fri_racy_load(&level[u]) != depth)
        return;
    FRI_COUNT(csr, FR_COUNTER_EDGES, 1);
    int32_t v = csr.targets[e];
    if (fri_racy_load(&level[v]) >= 0)
        return;
    /* racy: all store the same level, and any of their ids is a valid parent */
    fri_racy_store(&level[v], depth + 1);
    if (parent)
        fri_racy_store(&parent[v], u);
    fri_racy_store(flag, 1); /* racy: all store 1 */
}

static size_t scratch(const fri_gpu *g) { return fri_bytes(g->m, sizeof(int32_t)); }

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((list_sources_kernel<O>),
                                  fri_virtual_warp_blocks(g->n, LIST_WIDTH, LIST_BLOCK), LIST_BLOCK,
                                  fri_csr_view_of<O>(g->out), g->n, (int32_t *)g->scratch));
    return fri_gpu_wait(g, "listing the sources of edges");
}

static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges; /* only the targets of edges that leave the frontier are tested */
    int block = fri_gpu_block_knob(g, 0);
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(&g->control[FLAG], 0, sizeof(int32_t), g->stream),
                              "clearing the flag"));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN_EACH((edge_parallel_kernel<O>), g->m, block,
                                       fri_csr_view_of<O>(g->out), (const int32_t *)g->scratch,
                                       g->m, depth, g->bfs.level, g->parent, &g->control[FLAG]));
    FRI_GPU_TRY(fri_gpu_read_control(g, FLAG, 1));
    *found = g->host_control[FLAG];
    return FR_OK;
}

static const fr_knob knobs[] = {{"block", 256, 32, 1024, "threads per block, whole warps"},
                                {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {.scratch = scratch, .run_level = run_level};

FRI_GPU_STRATEGY(fri_gpu_bfs_edge_parallel) = {
    .name = "edge-parallel",
    .source = "Jia, Lu, Hoberock, Garland, Hart: Edge v. node parallelism, GPU Computing Gems 2011",
    .text = "a thread per edge and level, no queue",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    /* FR_COUNTER_ATOMICS is always 0 */
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_bfs_run,
};
