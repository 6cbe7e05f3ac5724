/* BFS whose next queue is laid out by a prefix sum over several kernels per level, no atomics.
 *
 * Source: "Performance Optimization of GPU Breadth-First Search Algorithm" (2025), section 2.3,
 *   Algorithms 5 to 9 (nextLayer, countDegrees, scanDegrees, assignVerticesNextQueue).
 * Idea: all frontier vertices write level and parent of their neighbors; the parent whose store
 *   remains owns the neighbor. Each vertex counts its own, a prefix sum gives their positions, and
 *   a second expansion writes them there.
 * Differs: scanDegrees' sweeps mix tid and threadIdx.x in the paper; here they index the block's
 *   shared array throughout. The sum over blocks, which the paper leaves to the host, is one kernel
 *   of one block. The paper marks the owning edge (P[v] = index of the edge); fringe's parents are
 *   vertices, so of parallel edges the first one counts. A block is a power of two, as the sweeps
 *   require. Launches: 5 per level, the paper's four kernels and one for the sum over blocks.
 * Needs: sorted rows (fringe's are). Scratch: two queues, degrees and block sums, parents if the
 *   caller requests none. Work: n + 3 m. Atomics: none.
 * Good at: contended queue tails. Bad at: small frontiers (five launches), hubs.
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"

template <class O>
static __global__ void next_layer_kernel(fri_csr_view<O> csr, int32_t depth, int32_t *level,
                                         int32_t *owner, const int32_t *queue, int32_t size) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= size)
        return;
    int32_t u = queue[i];
    FRI_COUNT(csr, FR_COUNTER_EDGES, csr.offsets[u + 1] - csr.offsets[u]);
    for (O e = csr.offsets[u]; e < csr.offsets[u + 1]; e++) {
        int32_t v = csr.targets[e];
        if (fri_racy_load(&level[v]) >= 0)
            continue;
        /* racy: all store the same level; the last owner to be written is the owner */
        fri_racy_store(&level[v], depth + 1);
        fri_racy_store(&owner[v], u);
    }
}

/* Whether u owns its target through edge e; of parallel edges the first. */
template <class O>
static __device__ bool owns(fri_csr_view<O> csr, int32_t depth, const int32_t *level,
                            const int32_t *owner, int32_t u, O e) {
    int32_t v = csr.targets[e];
    return level[v] == depth + 1 && owner[v] == u &&
           (e == csr.offsets[u] || csr.targets[e - 1] != v);
}

template <class O>
static __global__ void count_degrees_kernel(fri_csr_view<O> csr, int32_t depth,
                                            const int32_t *level, const int32_t *owner,
                                            const int32_t *queue, int32_t size, int32_t *degrees) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= size)
        return;
    int32_t u = queue[i], count = 0;
    for (O e = csr.offsets[u]; e < csr.offsets[u + 1]; e++)
        count += owns(csr, depth, level, owner, u, e);
    FRI_COUNT(csr, FR_COUNTER_ENQUEUES, count);
    degrees[i] = count;
}

/* Exclusive sums within each block by an up and a down sweep in shared memory; the block's total
 * goes to totals[block]. The block is a power of two. */
static __global__ void scan_degrees_kernel(int32_t *degrees, int32_t size, int32_t *totals) {
    FRI_SHARED_DYNAMIC(int32_t, sums);
    int m = (int)threadIdx.x, width = (int)blockDim.x;
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    sums[m] = i < size ? degrees[i] : 0;
    for (int n = 2; n <= width; n *= 2) {
        __syncthreads(); /* the halves below are summed */
        if ((m & (n - 1)) == n - 1)
            sums[m] += sums[m - n / 2];
    }
    __syncthreads(); /* the total is in the last element */
    if (m == width - 1) {
        totals[blockIdx.x] = sums[m];
        sums[m] = 0;
    }
    for (int n = width; n > 1; n /= 2) {
        __syncthreads(); /* the sums of the step above are written */
        if ((m & (n - 1)) == n - 1) {
            int32_t left = sums[m - n / 2];
            sums[m - n / 2] = sums[m];
            sums[m] += left;
        }
    }
    __syncthreads(); /* all exclusive sums are complete */
    if (i < size)
        degrees[i] = sums[m];
}

/* One block: replaces totals by their exclusive sums; the grand total goes to *tail. */
static __global__ void scan_totals_kernel(int32_t *totals, int32_t count, int32_t *tail) {
    int32_t before = 0;
    for (int32_t first = 0; first < count; first += (int32_t)blockDim.x) {
        int32_t i = first + (int32_t)threadIdx.x;
        int all, sum = fri_block_prefix(i < count ? totals[i] : 0, &all);
        if (i < count)
            totals[i] = before + sum;
        before += all;
    }
    if (threadIdx.x == 0)
        *tail = before;
}

template <class O>
static __global__ void
assign_vertices_kernel(fri_csr_view<O> csr, int32_t depth, const int32_t *level,
                       const int32_t *owner, const int32_t *queue, int32_t size,
                       const int32_t *degrees, const int32_t *totals, int32_t *next) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= size)
        return;
    int32_t u = queue[i], at = totals[blockIdx.x] + degrees[i];
    for (O e = csr.offsets[u]; e < csr.offsets[u + 1]; e++)
        if (owns(csr, depth, level, owner, u, e))
            next[at++] = csr.targets[e];
}

/* Scratch after the queues: degrees [n], totals [n / 32 + 1], owners [n]. */
static size_t vertices_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}
static size_t scratch(const fri_gpu *g) {
    return fri_queues_bytes(g) + 3 * vertices_bytes(g) + 256;
}

static int power_of_two(int block) {
    while (block & (block - 1))
        block &= block - 1;
    return block;
}

template <class O> static void launch_level(fri_gpu *g, int32_t depth, int32_t size, int block) {
    unsigned blocks = fri_gpu_blocks(size, block);
    char *after = g->scratch + fri_queues_bytes(g);
    int32_t *degrees = (int32_t *)after, *owner = (int32_t *)(after + vertices_bytes(g));
    int32_t *totals = (int32_t *)(after + 2 * vertices_bytes(g));
    const int32_t *queue = fri_queue_of(g, depth);
    fri_csr_view<O> csr = fri_csr_view_of<O>(g->out);
    if (g->parent)
        owner = g->parent;
    FRI_RUN((next_layer_kernel<O>), blocks, block, csr, depth, g->bfs.level, owner, queue, size);
    FRI_RUN((count_degrees_kernel<O>), blocks, block, csr, depth, g->bfs.level, owner, queue, size,
            degrees);
    FRI_LAUNCH(scan_degrees_kernel, blocks, block, (size_t)block * sizeof(int32_t), g->stream,
               degrees, size, totals);
    FRI_RUN(scan_totals_kernel, 1, block, totals, (int32_t)blocks, &g->control[FRI_CONTROL_TAIL]);
    FRI_RUN((assign_vertices_kernel<O>), blocks, block, csr, depth, g->bfs.level, owner, queue,
            size, degrees, totals, fri_queue_of(g, depth + 1));
}

static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges;
    int32_t size;
    FRI_GPU_TRY(fri_queues_swap(g, &size));
    FRI_BY_OFFSET_TYPE(g, launch_level<O>(g, depth, size, power_of_two(fri_gpu_block_knob(g, 0))));
    return fri_queues_found(g, found);
}

static const fr_knob knobs[] = {FRI_BLOCK_KNOB, {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = fri_queues_begin, .run_level = run_level};

FRI_GPU_STRATEGY(fri_gpu_bfs_scan) = {
    .name = "scan",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025, section 2.3",
    .text = "next queue by prefix sum over four kernels, no atomics",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) |
              FRI_COUNTER_BIT(FR_COUNTER_ATOMICS), /* FR_COUNTER_ATOMICS is always 0 */
    FRI_GPU_BFS_STRATEGY(device_side),
};
