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
#include "cuda/prim/device.cuh"

enum { BLOCK = 256, TAIL = 0 /* word: size of the queue being filled */ };

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
        /* racy test first: most ends are visited and need no atomic */
        if (fri_racy_load(&level[v]) >= 0 || atomicCAS(&level[v], -1, depth + 1) != -1)
            continue;
        if (parent)
            parent[v] = u; /* alone: this thread claimed v */
        next[atomicAdd(tail, 1)] = v;
    }
}

static size_t scratch(const fri_gpu *g) { return 2 * fri_line(fri_bytes(g->n, sizeof(int32_t))); }

static int32_t *queue_of(fri_gpu *g, int32_t depth) {
    return (int32_t *)(g->scratch + (depth & 1) * fri_line(fri_bytes(g->n, sizeof(int32_t))));
}

static fr_status begin(fri_gpu *g) {
    g->host_words[TAIL] = g->source_count;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(queue_of(g, 0), g->sources,
                                         (size_t)g->source_count * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

static fr_status step(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    (void)edges;
    int32_t size = g->host_words[TAIL];
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(&g->words[TAIL], 0, sizeof(int32_t), g->stream),
                              "emptying the queue"));
    FRI_BY_WIDTH(g,
                 (FRI_LAUNCH((queue_kernel<O>), fri_gpu_blocks(size, BLOCK), BLOCK, 0, g->stream,
                             fri_rows_of<O>(g->out), depth, g->level, g->parent, queue_of(g, depth),
                             size, queue_of(g, depth + 1), &g->words[TAIL])));
    FRI_GPU_TRY(fri_gpu_read_words(g, TAIL, 1));
    *found = g->host_words[TAIL];
    return FR_OK;
}

static const fri_gpu_row device_side = {scratch, begin, step, nullptr};

FRI_GPU_ROW(fri_gpu_bfs_queue) = {
    .name = "queue",
    .source = "Performance Optimization of GPU Breadth-First Search Algorithm, 2025",
    .text = "a thread per queued vertex, claims by atomics",
    .problem = FR_BFS,
    .backend = FR_CUDA,
    FRI_GPU_BFS_ROW(device_side),
};
