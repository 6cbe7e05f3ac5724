/* BFS-4K: a BFS with racing claims whose way of sharing edges among threads follows the frontier.
 *
 * Source: F. Busato, N. Bombieri: BFS-4K: an efficient implementation of BFS for Kepler GPU
 *   architectures, IEEE TPDS 2015. Prefix sums: section 5.1, prim/scan.cuh and local.cuh; dynamic
 *   virtual warps: 5.2, expand.cuh; child kernels: 5.3, kernels.cuh; edge-discover: 5.4,
 *   prim/edge_discover.cuh; one block or many: 5.5, kernels.cuh; coalesced reads and writes: 5.6,
 *   expand.cuh and local.cuh; hash64: 6, prim/hash64.cuh; the knobs K1 to K7 from the graph's
 *   degrees: 7, plan.c.
 * Idea: threads gather unvisited targets in local queues and write them to the next frontier by
 *   prefix sums. While the frontier is small one block keeps it in shared memory, level after
 *   level; above that size many blocks run. With few vertices, each lane takes one of their edges;
 *   with many, each vertex gets a virtual warp, as wide as the frontier leaves threads; each hub
 *   gets a child kernel.
 * Differs:
 *   - Stores may race in the paper, and each thread that loses the race queues a duplicate. Here
 *     many-block kernels claim by an atomic (claim=0: as the paper): stores are no cheaper than
 *     atomics on an H200, and duplicates of different blocks, which hash64 cannot detect, double
 *     per level on a mesh.
 *   - hash64 is one atomic exchange (hash=1: the paper's write and read back), so that diverged
 *     warps of a block miss no duplicate: without atomics the one-block kernel depends on it.
 *   - A queue cannot overflow. A tail beyond its capacity means that not all vertices are queued,
 *     and the next level sweeps over the level array instead; the knob queue forces this.
 *   - Many-block kernels are persistent, for many levels, with a grid barrier where the paper
 *     returns to the host (persistent=0: as the paper), which is an order of magnitude slower; on
 *     roads and meshes they run as one cluster first, whose barrier is faster than a grid's. A grid
 *     shares hubs among its blocks, in units of K3 K6 edges like a child's, after one more barrier.
 *   - With child=1 the parent of the child kernels is a kernel of its own after each launch, so
 *     that only a tiny kernel pays for launching. There are at most 1,024 children per level, since
 *     one could be lost for lack of a pending-launch slot, and at most 4,096 hubs that the grid
 *     shares; further ones are expanded like any vertex, and the default K2 leaves none.
 *   - K3 is 8, and with shared hubs K1 is at most 16, where the paper has 16 and 32: an H200 has
 *     eleven times as many multiprocessors to share a hub. Coalesced reads (section 5.6), which
 *     need virtual warps of 32 and more vertices than threads, therefore run with k1=32 alone.
 *   - Edge-discover divides the vertices among all warps; a warp has not always 32. If each
 *     warp has one vertex there is no edge to search for, and virtual warps of 32 run.
 *   - A lane takes four edges at once, so that K1 starts below the paper's 4 where degrees are low
 *     and even (1 on roads), and is 16 for random.2Mv.128Me, where the paper has 32.
 *   - Section 5.4 divides by K4 where section 7 describes a multiplication; here it divides, and 0
 *     means never, also where mean and deviation are low (the paper is silent there). The binary
 *     variant is chosen per warp and write, not per level. K7 is compared with the warp's mean of
 *     found vertices per thread. |SM| is the 48 KB that every device grants.
 *   - The paper puts hash tables into 8-byte banks of shared memory, a mode of Kepler. Since Maxwell
 *     banks have 4 bytes, and no kernel asks for the mode.
 *
 * Needs: nothing. Scratch: two queues. Work: n + m, and what duplicates repeat.
 * Launches: one or two per change between one block and many, at least one per 1,024 levels.
 *   Atomics: a claim per edge with an unvisited target (claim=1: with many blocks), one per block
 *   and level.
 * Good at: long narrow graphs, frontiers of changing size, hubs.
 * Bad at: dense graphs of few levels, where most edges lead back: there is no bottom-up step.
 * Measured on an H200: 1.15 to 5.1 times as fast as hier-queue on 16 of the 18 graphs of Table 2,
 *   equal on the two deepest; in the published form slower on 12 of 18 (papers/pages/bfs-4k.md).
 */
#include "fringe_tune.h"
#include "papers/bfs/bfs4k/kernels.cuh"

static size_t queue_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_bfs4k_capacity(g), sizeof(int32_t)));
}

static size_t scratch(const fri_gpu *g) {
    return 2 * queue_bytes(g) + 2 * BFS4K_MAX_HUBS * sizeof(int32_t);
}

static fri_bfs4k_plan *plan_of(fri_gpu *g) { return (fri_bfs4k_plan *)g->state; }

template <class O> static bfs4k_search<O> search_of(fri_gpu *g) {
    bfs4k_search<O> s;
    s.csr = fri_csr_view_of<O>(g->out);
    s.n = g->n;
    s.level = g->bfs.level;
    s.parent = g->parent;
    s.queue[0] = (int32_t *)g->scratch;
    s.queue[1] = (int32_t *)(g->scratch + queue_bytes(g));
    s.hubs = (int32_t *)(g->scratch + 2 * queue_bytes(g));
    s.units = s.hubs + BFS4K_MAX_HUBS;
    s.control = g->control;
    s.plan = *plan_of(g);
    return s;
}

static fr_status start_query(fri_gpu *g) {
    fri_bfs4k_plan *plan = plan_of(g);
    plan->size = g->source_count;
    plan->counted = 0;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(g->scratch, g->sources,
                                         FRI_MIN(plan->size, plan->capacity) * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

static size_t table_bytes(int32_t bits) { return bits ? sizeof(uint64_t) << bits : 0; }

template <class O> static void launch_one(fri_gpu *g, int32_t depth, int32_t max_levels) {
    const fri_bfs4k_plan *p = plan_of(g);
    size_t shared = table_bytes(p->hash_one) + 2 * sizeof(int32_t) * (size_t)p->one_block_max;
    FRI_LAUNCH((bfs4k_one_kernel<O>), 1, p->one_threads, shared, g->stream, search_of<O>(g), depth,
               p->size, max_levels);
}

/* Runs as one cluster while the frontier is small enough for it; size -1: hubs were deferred, and
 * all blocks expand them first. */
template <class O>
static const char *launch_persistent(fri_gpu *g, int32_t depth, int32_t size, int32_t max_levels) {
    const fri_bfs4k_plan *p = plan_of(g);
    size_t table = table_bytes(p->hash_persistent);
    int32_t low = p->one_block_max / 2, cluster_low = p->cluster ? p->cluster_max / 2 : low;
    if (p->cluster && size >= 0 && size <= p->cluster_max) {
        FRI_LAUNCH_CLUSTER((bfs4k_persistent_kernel<O>), (unsigned)p->cluster,
                           (unsigned)p->persistent_threads, table, g->stream, search_of<O>(g),
                           depth, size, max_levels, low, p->cluster_max, true);
        return "cluster";
    }
    FRI_LAUNCH_COOPERATIVE((bfs4k_persistent_kernel<O>), g->multiprocessors, p->persistent_threads,
                           table, g->stream, search_of<O>(g), depth, size, max_levels, cluster_low,
                           INT32_MAX, false);
    return "many-block, persistent";
}

template <class O> static void launch_many(fri_gpu *g, int32_t depth) {
    const fri_bfs4k_plan *p = plan_of(g);
    int64_t items = p->size > p->capacity ? g->n : p->size; /* at most one warp each */
    int64_t max_blocks = FRI_MAX(1, p->resident / p->block);
    int64_t blocks = FRI_MIN(max_blocks, (int64_t)fri_gpu_blocks(items * FRI_WARP, p->block));
    FRI_LAUNCH((bfs4k_many_kernel<O>), (unsigned)blocks, p->block, table_bytes(p->hash_many),
               g->stream, search_of<O>(g), depth, p->size);
}

/* Launches the kernel for the frontier of `depth`; returns its name for the level trace. */
template <class O> static const char *launch(fri_gpu *g, int32_t depth, int32_t max_levels) {
    const fri_bfs4k_plan *p = plan_of(g);
    const char *choice = "many-block";
    if (p->size <= FRI_MIN(p->one_block_max, p->capacity)) {
        launch_one<O>(g, depth, max_levels);
        choice = "one-block";
    } else if (p->persistent_threads) {
        choice = launch_persistent<O>(g, depth, p->size, max_levels);
    } else {
        launch_many<O>(g, depth);
    }
    if (p->hub_degree < INT64_MAX && !p->grid_hubs)
        FRI_RUN((bfs4k_hubs_kernel<O>), BFS4K_MAX_CHILDREN / 128, 128, search_of<O>(g));
    return choice;
}

/* Waits for the launch; *reached: the level expanded next; *hubs: some are deferred. */
static fr_status read_progress(fri_gpu *g, int32_t *reached, bool *hubs) {
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching"));
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, BFS4K_CONTROL_WORDS));
    *reached = g->host_control[BFS4K_DEPTH];
    plan_of(g)->size = g->host_control[BFS4K_TAIL + *reached % 3];
    *hubs =
        /* their number is in the upper half */
        g->host_control[BFS4K_HUBS + 2 * (*reached % 3) + 1] != 0;
    return FR_OK;
}

/* Duplicates are expanded again, so more edges are scanned than the found vertices have. */
static fr_status count_edges(fri_gpu *g, fri_gpu_progress *progress) {
#ifdef FRI_COUNTING /* exact, duplicates included */
    unsigned long long counted, *edges = &g->out.counts[FR_COUNTER_EDGES];
    FRI_GPU_TRY(fri_gpu_download(g, &counted, edges, sizeof counted));
    progress->edges = (int64_t)counted - plan_of(g)->counted;
    plan_of(g)->counted = (int64_t)counted;
#else
    (void)g, (void)progress;
#endif
    return FR_OK;
}

static fr_status run_levels(fri_gpu *g, int32_t depth, int32_t max_levels,
                            fri_gpu_progress *progress) {
    int32_t reached;
    bool hubs;
    FRI_BY_OFFSET_TYPE(g, progress->method = launch<O>(g, depth, max_levels));
    FRI_GPU_TRY(read_progress(g, &reached, &hubs));
    if (hubs && plan_of(g)->grid_hubs) { /* one block deferred them to many */
        FRI_BY_OFFSET_TYPE(g, launch_persistent<O>(g, reached, -1, depth + max_levels - reached));
        FRI_GPU_TRY(read_progress(g, &reached, &hubs));
    }
    progress->levels = reached - depth;
    progress->found = plan_of(g)->size;
    return count_edges(g, progress);
}

static const fr_knob knobs[] = {
    {"k1", FR_KNOB_AUTO, 1, 32, "K1, minimum lanes of a virtual warp, a power of two"},
    {"k2", FR_KNOB_AUTO, 0, 100, "K2, percent of the vertices that child kernels expand"},
    {"k3", 8, 1, 1024,
     "K3, edges per thread of a child kernel; the paper has 16, for 12 multiprocessors"},
    {"k4", FR_KNOB_AUTO, 0, 64, "K4, edge-discover if frontier < resident threads / K4; 0: never"},
    {"k5", FR_KNOB_AUTO, 0, 4,
     "K5, frontier vertices per thread of the one-block kernel; 0: never"},
    {"k6", 128, 32, 1024, "K6, threads per block of the many-block kernel; 128 as in the paper"},
    {"k7", 10, 0, 16, "K7, found vertices per thread from which writes are coalesced; 0: never"},
    {"scan", 2, 0, 2,
     "appends: 0: one atomic per vertex; 1: prefix sum; 2: also its binary variant"},
    {"dynamic", 1, 0, 1, "1: virtual warps as wide as the frontier allows; 0: always K1"},
    {"child", 2, 0, 2,
     "hubs: 0: as any vertex; 1: one child kernel each; 2: shared by the blocks of the persistent "
     "kernel"},
    {"discover", 2, 0, 2, "edge-discover: 0: off; 1: plain; 2: extended"},
    {"reads", 1, 0, 1, "1: coalesced reads of virtual warps of 32; 0: off"},
    {"hash", 2, 0, 3,
     "hash64 against duplicates: 0: off; 1: as in the paper; 2: by atomic exchange; 3: a table per "
     "warp, as in expand-contract"},
    {"claim", 1, 0, 2,
     "claims: 0: racing stores, as in the paper; 1: atomics in many-block kernels; 2: atomics in "
     "all"},
    {"persistent", 1024, 0, 1024,
     "threads per block of the persistent many-block kernel; 0: one launch per level"},
    {"cluster", FR_KNOB_AUTO, 0, 16,
     "blocks of the persistent cluster for small frontiers, a power of two; 0: none"},
    {"queue", 100, 1, 100,
     "capacity of a frontier queue in percent of n; a sweep finds vertices that do not fit"},
    {nullptr, 0, 0, 0, nullptr}};

static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = start_query, .run_levels = run_levels};

FRI_GPU_STRATEGY(fri_gpu_bfs_bfs4k) = {
    .name = "bfs4k",
    .source = "Busato, Bombieri: BFS-4K, TPDS 2015",
    .text = "virtual warps, edge-discover, child kernels and hash64, by knobs K1 to K7",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS | FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_MISSED) |
              FRI_COUNTER_BIT(FR_COUNTER_CONFLICTS),
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = fri_bfs4k_prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_bfs_run,
};
