/* BFS over all vertices with a group of lanes, a static virtual warp, where `simple` has a thread.
 *
 * Source: S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun: Accelerating CUDA graph algorithms at
 *   maximum warp, PPoPP 2011; as BFS-4K (Busato, Bombieri, TPDS 2015) describes it in sections 3
 *   and 5.2 and measures it in Table 2 ("Static Virtual Warp", W1 to W32), and H-BF (TPDS 2016) in
 *   section 5.2 and Fig. 6.
 * Idea: a virtual warp explores a chunk of the array of vertices. Its lanes read the chunk's levels
 *   together; the vertices of the level are then expanded one after the other, each by all lanes,
 *   which take adjacent edges. No lane waits for another vertex's longer row.
 * Differs: the lanes hold levels and offsets in registers and exchange them by shuffles, where the
 *   GPUs of 2011 needed shared memory. Width 1 is `simple`, as in Table 2.
 * Needs: nothing. Scratch: none. Work: n per level + m. Launches: 1 per level. Atomics: none.
 * Good at: few levels, degrees about the width and above. Bad at: many levels; a hub still has one
 *   virtual warp; lanes idle where degrees are below the width, which is static.
 */
#include "papers/vertex_queues.cuh"
#include "papers/bfs/virtual_warp.cuh"

enum { FLAG = 0 /* control word */ };

/* Sets level and parent of u's unreached neighbors; true if this lane found one. All lanes. */
template <class O>
static __device__ bool expand(const fri_virtual_warp &w, fri_csr_view<O> csr, int32_t u, O from,
                              O to, int32_t depth, int32_t *level, int32_t *parent) {
    bool found = false;
    FRI_VIRTUAL_WARP_WALK(w, e, from, to) {
        int32_t v = csr.targets[e];
        if (fri_racy_load(&level[v]) >= 0)
            continue;
        /* racy: all store the same level, and any of their ids is a valid parent */
        fri_racy_store(&level[v], depth + 1);
        if (parent)
            fri_racy_store(&parent[v], u);
        found = true;
    }
    return found;
}

template <class O>
static __global__ void virtual_warp_kernel(fri_csr_view<O> csr, int32_t n, int32_t depth, int width,
                                           int chunk, int32_t *level, int32_t *parent,
                                           int32_t *flag) {
    fri_virtual_warp w = fri_virtual_warp_of(width);
    int64_t first = w.index * chunk, end = first + chunk < n ? first + chunk : n;
    bool found = false;
    for (; first < end; first += width) {
        int64_t mine = first + w.lane;
        /* racy: others may be setting the level to depth + 1, never to depth */
        bool active = mine < end && fri_racy_load(&level[mine]) == depth;
        O from = active ? csr.offsets[mine] : 0, to = active ? csr.offsets[mine + 1] : 0;
        FRI_COUNT(csr, FR_COUNTER_EDGES, to - from);
        for (unsigned left = fri_virtual_warp_ballot(w, active); left; left &= left - 1) {
            int at = __ffs((int)left) - 1;
            found |= expand(w, csr, (int32_t)(first + at), fri_virtual_warp_get(w, from, at),
                            fri_virtual_warp_get(w, to, at), depth, level, parent);
        }
    }
    if (found)
        fri_racy_store(flag, 1); /* racy: all store 1 */
}

enum { BLOCK_KNOB, WIDTH_KNOB, CHUNK_KNOB };
static const fr_knob knobs[] = {
    {"block", 256, 32, 1024, "threads per block, whole warps"},
    {"width", 4, 1, 32,
     "lanes of a virtual warp, a power of two; of the widths above 1 the default is most often the "
     "best in BFS-4K's Table 2"},
    {"chunk", FR_KNOB_AUTO, 1, 1024,
     "vertices that a virtual warp expands one after the other; default its width"},
    {nullptr, 0, 0, 0, nullptr}};

static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges; /* all out-edges of the frontier */
    int block = fri_gpu_block_knob(g, BLOCK_KNOB), width = fri_virtual_warp_knob(g, WIDTH_KNOB);
    int chunk = (int)fri_job_knob(g->job, CHUNK_KNOB, width);
    int64_t chunks = ((int64_t)g->n + chunk - 1) / chunk;
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(&g->control[FLAG], 0, sizeof(int32_t), g->stream),
                              "clearing the flag"));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((virtual_warp_kernel<O>),
                                  fri_virtual_warp_blocks(chunks, width, block), block,
                                  fri_csr_view_of<O>(g->out), g->n, depth, width, chunk,
                                  g->bfs.level, g->parent, &g->control[FLAG]));
    FRI_GPU_TRY(fri_gpu_read_control(g, FLAG, 1));
    *found = g->host_control[FLAG];
    return FR_OK;
}

static const fri_gpu_strategy device_side = {.run_level = run_level};

FRI_GPU_STRATEGY(fri_gpu_bfs_virtual_warp) = {
    .name = "virtual-warp",
    .source = "Hong, Kim, Oguntebi, Olukotun: CUDA graph algorithms at maximum warp, PPoPP 2011",
    .text = "a group of 1 to 32 lanes per vertex and level, no queue",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    /* FR_COUNTER_ATOMICS is always 0 */
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    FRI_GPU_BFS_STRATEGY(device_side),
};
