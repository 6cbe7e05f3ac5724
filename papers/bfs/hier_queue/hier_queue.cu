/* BFS with queues by warp, block and grid, and three layers of synchronization.
 *
 * Source: L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC
 *   2010: queues section 3.2, layers section 3.3, splitting the end of section 4
 *   (vertex_split.cuh).
 * Idea: a thread per frontier vertex. The vertices it finds go to one of the block's W-Frontiers,
 *   by lane modulo their number; their union is the block's B-Frontier, all in shared memory; the
 *   B-Frontiers make up the G-Frontier in global memory. Positions within a layer are known from
 *   the layer below, so that every copy upwards is parallel. One block expands a frontier that it
 *   can hold through many levels with block barriers; if all blocks together can hold it, they use
 *   grid barriers; only a larger frontier takes a launch per level.
 * Differs: a vertex is claimed by an atomicCAS on its level (the paper does not say), so that none
 *   is queued twice; a thread takes eight edges at once and reserves one range of its W-Frontier
 *   for the vertices it finds, so that latencies overlap; small frontiers claim without first
 *   reading the level (knob `blind_claim_max`). W-Frontiers are numbered by a warp's scan (paper:
 *   one thread). Full queues spill into the next layer, since shared memory cannot hold every
 *   neighbor (paper: by the maximum degree). The barrier across blocks is the paper's, and also
 *   sums up the next frontier's size (prim/grid_sum.cuh); while a block waits there it prefetches
 *   its new frontier's rows into L2 (knob `prefetch`). One block per multiprocessor, as in the
 *   paper, but the frontier is distributed in warps of 32, so that a small one uses all of them.
 *   The grid returns to one block at half of what one block holds, so that a frontier of about that
 *   size does not change layers in each level. Levels per launch are bounded, and a query with
 *   targets takes one per launch. A split vertex counts as its chunks in frontier sizes.
 * Needs: nothing.
 * Scratch: two queues of n (of all chunks when split, then also offsets and owner per chunk).
 * Work: n + m. Launches: few as long as frontiers fit, else 1 per level. Atomics: a claim per edge
 *   with an unvisited target; in shared memory one per eight edges; one global per block and level,
 *   and one for each grid barrier.
 * Good at: many small levels of even degree. Bad at: few large levels; hubs unless split.
 * Measured on an H200: 3.6 to 5.8 times as fast as `simple` on grids of degree 6, where the paper has
 *   6.8 to 22.6 (papers/pages/uiuc-bfs.md): `simple`'s sweeps gained from the growth of GPUs, the
 *   latency of a level did not.
 */
#include "papers/bfs/hier_queue/visit.cuh"
#include "papers/vertex_queues.cuh"
#include "papers/bfs/hier_queue/vertex_split.cuh"

/* A grid barrier that also sums a number over all blocks, split into arrival and wait.
 *
 * The inter-block barrier by a counter in global memory of S. Xiao, W. Feng: Inter-block GPU
 * communication via fast barrier synchronization (Virginia Tech TR-09-19; "GPU simple
 * synchronization"), which UIUC-BFS uses. Here the counter is the upper half of a word whose lower
 * half holds the sum, so that the sum needs no additional memory access; and blocks may work
 * between their arrival and the wait.
 *
 * For cooperative launches only: all blocks must be resident. The word is 0 before the first
 * arrival and may be zeroed again once every block has left the wait, which is guaranteed after the
 * next barrier (on another word). */

/* Called by all threads of every block. value: the block's contribution to the sum, from thread 0.
 */
static __device__ __forceinline__ void fri_grid_arrive(unsigned long long *word, uint32_t value) {
    __syncthreads(); /* all threads of the block have written */
    if (threadIdx.x == 0) {
        __threadfence(); /* the block's writes are visible before its arrival is */
        atomicAdd(word, 1ull << 32 | value);
    }
}

/* Called by all threads; all get the sum, and see what all blocks wrote before they arrived. */
static __device__ __forceinline__ uint32_t fri_grid_wait(const unsigned long long *word) {
    FRI_SHARED(uint32_t, sum, 1);
    if (threadIdx.x == 0) {
        unsigned long long now;
        do
            now = fri_racy_load(word); /* racy: others are arriving */
        while (now >> 32 != gridDim.x);
        __threadfence(); /* reads after the wait see all arrivals' writes */
        *sum = (uint32_t)now;
    }
    __syncthreads(); /* the sum is written */
    uint32_t mine = *sum;
    __syncthreads(); /* all have read it before the next wait */
    return mine;
}

/* control words: G-Frontier sizes by level modulo 3; levels done; three 64-bit words for grid
 * barriers */
enum { TAILS = 0, LEVELS = 3, WORDS = 4, ARRIVALS = 8 };
enum { MAX_THREADS = 1024 };
enum { B_MAX = 3840 }; /* W-Frontiers and two B-Frontiers of that many entries fit 48 KiB */

/* One block: runs levels from `depth` on until the frontier is empty, exceeds `limit` (at most
 * b_capacity) or leaves the B-Frontier. Frontiers alternate between two B-Frontiers. */
template <class O>
static __global__ void __launch_bounds__(MAX_THREADS)
    one_block_kernel(hier<O> h, int32_t depth, int32_t max_levels, int32_t limit) {
    FRI_SHARED_DYNAMIC(int32_t, shared);
    FRI_SHARED(hier_control, control, 1);
    int32_t size = h.control[depth % 3], done = 0;
    hier_frontier f = frontier_of(h, control, shared, depth);
    int32_t *now = f.b + h.shape.b_capacity;
    for (int32_t i = (int32_t)threadIdx.x; i < size; i += (int32_t)blockDim.x)
        now[i] = queue_of(h, depth)[i];
    hier_reset(control);
    __syncthreads(); /* the frontier is loaded, and all threads know its size */
    if (threadIdx.x < 3)
        h.control[TAILS + threadIdx.x] = 0;
    __syncthreads(); /* the sizes are zero before any thread appends to a G-Frontier */
    for (;;) {
        for (int32_t i = (int32_t)threadIdx.x; i < size; i += (int32_t)blockDim.x)
            visit(h, f, now[i], depth, size > h.test_above);
        int atomics = hier_close(f, true);
        FRI_COUNT(h.chunks, FR_COUNTER_ATOMICS, atomics);
        size = control->found;
        if (threadIdx.x == 0)
            h.sizes[done] = size;
        done++;
        depth++;
        if (size == 0 || size > limit || size > control->b_size || done == max_levels)
            break;
        int32_t *free_room = now;
        now = f.b;
        f = frontier_of(h, control, shared, depth);
        f.b = free_room;
    }
    if (threadIdx.x == 0) {
        FRI_COUNT(h.chunks, FR_COUNTER_ATOMICS, 1);
        control->flushed = atomicAdd(f.g_tail, control->b_size); /* after the spilled entries */
        h.control[LEVELS] = done;
    }
    __syncthreads(); /* the position is known */
    for (int i = (int)threadIdx.x; i < control->b_size; i += (int)blockDim.x)
        f.g[control->flushed + i] = f.b[i];
}

/* All blocks, resident: run levels from `depth` on while low < frontier <= limit. Of three words
 * for barriers one is in use, one may still be polled, and one is zeroed for the next level; the
 * same holds for three G-Frontier sizes. */
template <class O>
static __global__ void __launch_bounds__(MAX_THREADS)
    all_blocks_kernel(hier<O> h, int32_t depth, int32_t max_levels, int32_t low, int32_t limit,
                      bool prefetch) {
    FRI_SHARED_DYNAMIC(int32_t, shared);
    FRI_SHARED(hier_control, control, 1);
    unsigned long long *arrivals = (unsigned long long *)&h.control[ARRIVALS];
    bool first_thread = blockIdx.x == 0 && threadIdx.x == 0;
    int32_t size = h.control[depth % 3], done = 0;
    hier_reset(control);
    __syncthreads(); /* the counts are zero before the first append */
    do {
        hier_frontier f = frontier_of(h, control, shared, depth);
        int64_t share = (size - 1) / (int32_t)gridDim.x / FRI_WARP * FRI_WARP + FRI_WARP;
        int64_t begin = blockIdx.x * share, end = FRI_MIN(begin + share, (int64_t)size);
        if (first_thread) {
            h.control[(depth + 2) % 3] = 0;
            arrivals[(done + 1) % 3] = 0;
        }
        for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x)
            visit(h, f, queue_of(h, depth)[i], depth, size > h.test_above);
        int atomics = begin < size ? hier_close(f, false) : 0;
        FRI_COUNT(h.chunks, FR_COUNTER_ATOMICS, atomics);
        fri_grid_arrive(&arrivals[done % 3], begin < size ? (uint32_t)control->found : 0);
        if (begin < size && prefetch)
            prefetch_rows(h, f);
        size = (int32_t)fri_grid_wait(&arrivals[done % 3]); /* the G-Frontier is complete */
        if (first_thread)
            h.sizes[done] = size;
        done++;
        depth++;
    } while (size > low && size <= limit && done < max_levels);
    if (first_thread)
        h.control[LEVELS] = done;
}

/* One level of any size: the end of the launch is the barrier. */
template <class O>
static __global__ void __launch_bounds__(MAX_THREADS)
    one_level_kernel(hier<O> h, int32_t depth, int32_t size) {
    FRI_SHARED_DYNAMIC(int32_t, shared);
    FRI_SHARED(hier_control, control, 1);
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    hier_frontier f = frontier_of(h, control, shared, depth);
    hier_reset(control);
    if (i == 0) {
        h.control[(depth + 2) % 3] = 0;
        h.control[LEVELS] = 1;
    }
    __syncthreads(); /* the counts are zero before the first append */
    if (i < size)
        visit(h, f, queue_of(h, depth)[i], depth, size > h.test_above);
    int atomics = hier_close(f, false);
    FRI_COUNT(h.chunks, FR_COUNTER_ATOMICS, atomics);
}

static __global__ void seed_kernel(const int32_t *sources, int32_t count, const int32_t *first,
                                   int32_t *queue, int32_t *tail) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    int32_t v = sources[i], from = first ? first[v] : v, chunks = first ? first[v + 1] - from : 1;
    int32_t at = atomicAdd(tail, chunks); /* sources are queued in any order */
    for (int32_t k = 0; k < chunks; k++)
        queue[at + k] = from + k;
}

/* ---- host -------------------------------------------------------------------------------- */

enum { BLOCK, W_FRONTIERS, B_FRONTIER, ONE_BLOCK, ALL_BLOCKS, SPLIT, BLIND_CLAIM_MAX, PREFETCH };
static const fr_knob knobs[] = {
    {"block", 512, 32, 1024, "threads per block, whole warps; default as in the paper"},
    {"w_frontiers", 8, 0, FRI_WARP, "W-Frontiers per block, 0: none; default as in the paper"},
    {"b_frontier", FR_KNOB_AUTO, 0, B_MAX,
     "entries of the B-Frontier, 0: none; default block x maximum degree, as far as it fits"},
    {"one_block", FR_KNOB_AUTO, 0, B_MAX,
     "maximum frontier for one block, 0: never; default block, at most b_frontier"},
    {"all_blocks", FR_KNOB_AUTO, 0, 1 << 30,
     "maximum frontier for grid barriers, 0: never; default block x multiprocessors"},
    {"split", FR_KNOB_AUTO, 0, 1 << 30,
     "maximum degree left unsplit, 0: never split; default twice the mean if a degree exceeds 8 x "
     "the mean"},
    {"blind_claim_max", 4096, 0, 1 << 30,
     "maximum frontier that claims without first reading the levels; in larger ones the read costs "
     "less than the atomics it saves"},
    {"prefetch", 1, 0, 1,
     "1: blocks prefetch their new frontier's rows while they wait at the grid barrier"},
    {nullptr, 0, 0, 0, nullptr}};

typedef struct hier_state { /* fri_gpu.state */
    fri_vertex_split split;
    hier_shape shape;
    int block;
    int32_t one_block, all_blocks; /* maximum frontiers of the layers */
    int32_t size;                  /* of the frontier */
    int32_t sizes[FRI_GPU_MAX_LEVELS];
} hier_state;

static size_t queue_bytes(const fri_vertex_split *split) {
    return fri_align_line(fri_bytes(split->chunks, sizeof(int32_t)));
}
enum { SIZES_BYTES = FRI_GPU_MAX_LEVELS * sizeof(int32_t) };

/* Scratch: two queues, the sizes of a launch's levels, the split graph. */
static size_t scratch(const fri_gpu *g) {
    fri_vertex_split split =
        fri_vertex_split_plan(&g->job->csr, (int64_t)fri_job_knob(g->job, SPLIT, -1));
    return 2 * queue_bytes(&split) + SIZES_BYTES + fri_vertex_split_bytes(g, &split);
}

static void choose(fri_gpu *g, hier_state *s) {
    const fri_job *job = g->job;
    int64_t degree = s->split.max_edges ? s->split.max_edges : fri_max_degree(&job->csr);
    s->block = fri_gpu_block_knob(g, BLOCK);
    int64_t capacity = FRI_MIN(s->block * FRI_MIN(degree, (int64_t)B_MAX), (int64_t)B_MAX);
    s->shape.b_capacity = (int)fri_job_knob(job, B_FRONTIER, (double)capacity);
    s->shape.w_count = (int)fri_job_knob(job, W_FRONTIERS, 8);
    if (s->shape.w_count) /* together as much as the B-Frontier, which is their union */
        s->shape.w_capacity = (s->shape.b_capacity + s->shape.w_count - 1) / s->shape.w_count;
    s->one_block = FRI_MIN((int32_t)fri_job_knob(job, ONE_BLOCK, s->block), s->shape.b_capacity);
    s->all_blocks = (int32_t)fri_job_knob(job, ALL_BLOCKS, s->block * g->multiprocessors);
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    hier_state *s = (hier_state *)fri_calloc(job->ctx, sizeof *s);
    if (!s)
        return FR_NOMEM;
    g->state = s;
    s->split = fri_vertex_split_plan(&job->csr, (int64_t)fri_job_knob(job, SPLIT, -1));
    choose(g, s);
    return fri_vertex_split_build(g, &s->split,
                                  g->scratch + 2 * queue_bytes(&s->split) + SIZES_BYTES);
}

template <class O> static hier<O> kernel_view(const fri_gpu *g) {
    const hier_state *s = (const hier_state *)g->state;
    char *even = g->scratch, *odd = even + queue_bytes(&s->split);
    hier<O> h = {fri_csr_view_of<O>(g->out),
                 s->split.first_chunk,
                 s->split.owner,
                 g->bfs.level,
                 g->parent,
                 (int32_t *)even,
                 (int32_t *)odd,
                 g->control,
                 (int32_t *)(odd + queue_bytes(&s->split)),
                 s->shape,
                 (int32_t)fri_job_knob(g->job, BLIND_CLAIM_MAX, 4096)};
    if (s->split.max_edges)
        h.chunks.offsets = (const O *)s->split.offsets;
    return h;
}

static fr_status start_query(fri_gpu *g) {
    hier_state *s = (hier_state *)g->state;
    const fr_csr *csr = &g->job->csr;
    s->size = 0;
    for (int32_t i = 0; i < g->source_count; i++) {
        int32_t v = g->job->in->query.sources[i];
        s->size +=
            (int32_t)fri_vertex_split_chunks(&s->split, csr->offsets[v + 1] - csr->offsets[v]);
    }
    FRI_RUN_EACH(seed_kernel, g->source_count, 256, g->sources, g->source_count,
                 s->split.first_chunk, (int32_t *)g->scratch, &g->control[TAILS]);
    return fri_gpu_check(g, cudaGetLastError(), "placing the sources");
}

static size_t shared_bytes(const hier_shape *shape, int b_frontiers) {
    return ((size_t)shape->w_count * shape->w_capacity + (size_t)b_frontiers * shape->b_capacity) *
           sizeof(int32_t);
}

typedef void launch_layer(fri_gpu *g, const hier_state *s, int32_t depth, int32_t max_levels);

static void launch_one_block(fri_gpu *g, const hier_state *s, int32_t depth, int32_t max_levels) {
    FRI_BY_OFFSET_TYPE(g,
                       FRI_LAUNCH((one_block_kernel<O>), 1, s->block, shared_bytes(&s->shape, 2),
                                  g->stream, kernel_view<O>(g), depth, max_levels, s->one_block));
}
static void launch_all_blocks(fri_gpu *g, const hier_state *s, int32_t depth, int32_t max_levels) {
    bool prefetch = fri_job_knob(g->job, PREFETCH, 1) >= 1;
    cudaMemsetAsync(&g->control[ARRIVALS], 0, 3 * sizeof(unsigned long long), g->stream);
    FRI_BY_OFFSET_TYPE(g, FRI_LAUNCH_COOPERATIVE((all_blocks_kernel<O>), g->multiprocessors,
                                                 s->block, shared_bytes(&s->shape, 1), g->stream,
                                                 kernel_view<O>(g), depth, max_levels,
                                                 s->one_block / 2, s->all_blocks, prefetch));
}
static void launch_one_level(fri_gpu *g, const hier_state *s, int32_t depth, int32_t max_levels) {
    (void)max_levels;
    FRI_BY_OFFSET_TYPE(g, FRI_LAUNCH((one_level_kernel<O>), fri_gpu_blocks(s->size, s->block),
                                     s->block, shared_bytes(&s->shape, 1), g->stream,
                                     kernel_view<O>(g), depth, s->size));
}

static const struct {
    const char *choice;
    launch_layer *launch;
} launchers[] = {{"one block", launch_one_block},
                 {"all blocks", launch_all_blocks},
                 {"a launch", launch_one_level}};

static fr_status run_levels(fri_gpu *g, int32_t depth, int32_t max_levels,
                            fri_gpu_progress *progress) {
    hier_state *s = (hier_state *)g->state;
    int layer = s->size <= s->one_block ? 0 : s->size <= s->all_blocks ? 1 : 2;
    launchers[layer].launch(g, s, depth, max_levels);
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching a traversal's levels"));
    FRI_GPU_TRY(fri_gpu_read_control(g, TAILS, WORDS));
    progress->method = launchers[layer].choice;
    progress->levels = g->host_control[LEVELS];
    progress->found = s->size = g->host_control[(depth + progress->levels) % 3];
    if (!g->job->told.levels || layer == 2)
        return FR_OK;
    progress->sizes = s->sizes;
    return fri_gpu_download(g, s->sizes, kernel_view<uint32_t>(g).sizes,
                            (size_t)progress->levels * sizeof *s->sizes);
}

static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = start_query, .run_levels = run_levels};

FRI_GPU_STRATEGY(fri_gpu_bfs_hier_queue) = {
    .name = "hier-queue",
    .source = "Luo, Wong, Hwu: An effective GPU implementation of breadth-first search, DAC 2010",
    .text = "queues by warp, block and grid; one block, all blocks or a launch per level",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_bfs_run,
};
