/* H-BF: Bellman-Ford on two frontier queues, with edge classes and duplicate removal.
 *
 * Source: F. Busato, N. Bombieri: An efficient implementation of the Bellman-Ford algorithm for
 *   Kepler GPU architectures, IEEE TPDS 27(8), 2016. Algorithm 3; edge classes: section 4.1 and
 *   Algorithm 4 (knob classes); (distance, round) in one 64-bit word: 4.2, Algorithms 5 and 6
 *   (dup); cache policies: 5.1, 1 to 3 (cache); staging buffers in shared memory: 5.1, 4 (staging);
 *   dynamic virtual warps: 5.2 (width, work); child kernels: 5.3 (child). All off: the basic
 *   solution of Table 3.
 * Idea: only vertices whose distance fell are relaxed in the next round. Most edges need no atomic:
 *   self-loops and leaves need no access at all, targets of in-degree 1 a plain write. A vertex
 *   that falls several times in a round is enqueued by the first thread that lowers it, which the
 *   round in its word identifies.
 * Differs: leaves (out-degree 0; 1 in undirected graphs without negative weights) are settled by
 *   one final pass over the edges; it writes plainly in undirected graphs, whose leaves have one
 *   edge, and by tested atomics in directed ones, whose in-edges are not stored. In-degrees exclude
 *   self-loops. A single source's edges are set directly in its first round only, the first of
 *   parallel edges only; targets of in-degree 1 are compared first, since they may be sources.
 *   64-bit distances store the round in a separate word, changed by an exchange after the
 *   atomicMin. Lanes append vertices to their warp's staging buffer by ballot as they find them,
 *   and the contents of the buffers at the end of a kernel are written with one atomic per block; a
 *   lane has up to four edges in flight (in_flight). A warp takes 32 vertices only if that leaves
 *   no warp of the device idle (work=32: always, as in the paper, whose GPU had a tenth of the
 *   warps); a vertex of more than 128 edges is processed by the whole warp (hub=0: by its virtual
 *   warp, as in the paper). A degree above the threshold (256; the paper: 4,096) is sufficient for
 *   the child grid, whatever the mean degree. The hubs of a round are listed in chunks and share
 *   one grid, which the round's last block launches: separate grids were slower the more there
 *   were. Graphs without such hubs run a kernel without that code. If the frontier is small, up to
 *   32 rounds are launched before the host reads its size (rounds); the kernels then read size and
 *   width from device memory. Edges are read by __ldg, as in the paper, where that bypasses L1: since
 *   Volta the read-only cache is L1, so that they pass through it. With dup=0 a queue holds eight times n vertices (capacity), and its
 *   duplicates are removed when there are more. From n = 2^30 on the vertex ids leave no bits for
 *   classes, and the strategy runs without.
 * Needs: nothing.
 * Scratch: 16 n bytes (with dup=0 8 n times the knob capacity more), 8 (m / 256 + m / child) for
 * chunks.
 * Work: an edge is examined each time that the distance of its source has fallen. Edges examined are
 *   the relax operations of Fig. 9, without classes 1 and 4.
 * Launches: 1 per round, and one child grid if it meets hubs.
 * Atomics: one per edge that seems to lower its end, one per block and full staging buffer.
 * Good at: negative weights; small diameters.
 * Bad at: thousands of rounds with small frontiers (one launch each), and graphs on which near-far
 *   saves corrections. Compared with the paper's Table 2 and Table 3: papers/pages/h-bf.md; other
 *   measurements: docs/performance.md. */
#include "papers/vertex_queues.cuh"
#include "papers/sssp/hbf/relax.cuh"
#include "papers/sssp/hbf/load_balance.cuh"

/* Edge classes of hbf (section 4.1): marking them in prepare, and the final pass over leaves. See
 * hbf.cu. */

static __global__ void __launch_bounds__(1024)
    count_ends_kernel(fri_sssp_view<fri_kind_i32> p, int32_t *in_degree) {
    FRI_EACH_EDGE(p, u, e) {
        /* 2 means two or more */
        if (p.targets[e] != u && fri_racy_load(&in_degree[p.targets[e]]) < 2)
            atomicAdd(&in_degree[p.targets[e]], 1);
    }
}

static __global__ void __launch_bounds__(1024)
    mark_kernel(fri_sssp_view<fri_kind_i32> p, const int32_t *in_degree, int leaf_degree,
                int32_t *targets) {
    FRI_EACH_EDGE(p, u, e) {
        int32_t v = targets[e];
        int kind = u == v                                           ? HBF_LOOP
                   : p.offsets[v + 1] - p.offsets[v] <= leaf_degree ? HBF_LEAF
                   : in_degree[v] == 1                              ? HBF_SINGLE
                                                                    : HBF_PLAIN;
        if (kind == HBF_LEAF)
            fri_racy_store(&p.control[HBF_LEAVES], 1); /* racy: all write 1 */
        targets[e] = (int32_t)((uint32_t)v | (uint32_t)kind << HBF_CLASS_SHIFT);
    }
}

/* Section 4.1, class 4: a leaf gets its distance from all its neighbors, or from its only one:
 * then no other thread writes it. */
template <class T>
static __global__ void __launch_bounds__(1024) leaves_kernel(fri_sssp_view<T> p, bool only) {
    unsigned long long edges = 0, relaxed = 0;
    FRI_EACH_EDGE(p, u, e) {
        int32_t target = p.targets[e], v = target & p.mask;
        if ((int)((uint32_t)target >> HBF_CLASS_SHIFT) != HBF_LEAF)
            continue;
        /* racy: u may be a leaf with a source as neighbor */
        typename T::K from = fri_racy_load(&p.dist[u]);
        if (from == T::unreached())
            continue;
        edges++;
        typename T::K s = fri_path_key(p, from, e);
        bool falls =
            only ? s < fri_racy_load(&p.dist[v]) : fri_relax(p, v, s);
        if (only && falls) {
            FRI_COUNT(p, FR_COUNTER_RELAXATIONS, 1);
            fri_racy_store(&p.dist[v], s);
        }
        relaxed += falls;
    }
    FRI_COUNT(p, FR_COUNTER_EDGES, edges);
    fri_add_stats(p.control, edges, relaxed);
}

enum {
    PASS_BLOCK = 256,
    SM_THREADS = 1024 /* at 64 registers per thread and 64 K registers per multiprocessor */
};

/* All threads of the grid. children: the graph has hubs for the child grid. */
template <class T>
static __device__ __forceinline__ void hbf_relax_round(const hbf_round<T> &r, bool children,
                                                       int32_t *buffers) {
    hbf_staging staging = {buffers + fri_warp() * r.staging_size, 0};
    hbf_counters progress = {0, 0};
    unsigned long long size = *r.size;
    if (!fri_is_live_round(r.p.control, HBF_ROUND, r.round) || !size ||
        size > r.capacity) /* queue overflow: the host collects the vertices that did not fit */
        return;            /* the whole grid returns */
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        fri_racy_store(&r.p.control[HBF_ROUND], r.round);
        /* cleared for the next round */
        *(unsigned long long *)&r.p.control[HBF_SIZE + 2 * ((r.round + 2) % 3)] = 0;
        r.p.control[HBF_CHUNKS + (~r.round & 1)] = r.p.control[HBF_DONE + (~r.round & 1)] = 0;
    }
    int width = r.width ? r.width : width_of(r.resident, (int64_t)size);
    int64_t work = work_of(r, (int64_t)size, width);
    int64_t step = (int64_t)gridDim.x * (blockDim.x / FRI_WARP) * work;
    int64_t first = ((int64_t)blockIdx.x * (blockDim.x / FRI_WARP) + fri_warp()) * work;
    for (; first < (int64_t)size; first += step) {
        int64_t left = (int64_t)size - first;
        relax_share(r, children, width, first, left < work ? left : work, &staging, &progress);
    }
    hbf_flush_block(r, &staging);
    hbf_add_stats(r, progress);
    if (children)
        launch_child(r);
}

template <class T> static __global__ void __launch_bounds__(1024) hbf_kernel(hbf_round<T> r) {
    FRI_SHARED_DYNAMIC(int32_t, buffers);
    hbf_relax_round(r, false, buffers);
}

/* Separate kernel: one that may launch child grids takes longer to start and uses more registers.
 */
template <class T> static __global__ void __launch_bounds__(1024) hbf_hubs_kernel(hbf_round<T> r) {
    FRI_SHARED_DYNAMIC(int32_t, buffers);
    hbf_relax_round(r, true, buffers);
}

/* ---- host -------------------------------------------------------------------------------- */

enum { BLOCK, CLASSES, DUP, CACHE, STAGING, WIDTH, WORK, CHILD, ROUNDS, HUB, CAPACITY, IN_FLIGHT };
static const fr_knob knobs[] = {
    {"block", 256, 32, 1024, "threads per block, whole warps"},
    {"classes", 1, 0, 1, "edge classes of section 4.1; 0: an atomic for every edge"},
    {"dup", 1, 0, 1, "duplicate removal of section 4.2; 0: a vertex may be queued several times"},
    {"cache", 1, 0, 1, "cache policies of section 5.1; 0: plain loads and stores"},
    {"staging", 192, 0, 256,
     "vertices per warp's staging buffer in shared memory (text: 192); below 32: none"},
    {"width", FR_KNOB_AUTO, 1, 32,
     "lanes per virtual warp; default by the frontier, 4 to 32 (section 5.2)"},
    {"work", FR_KNOB_AUTO, 0, 1024,
     "frontier vertices per warp (text: 32); 0: one per virtual warp; default by the "
     "frontier, at most 32"},
    {"child", 256, 0, 1e9,
     "degree above which the round's child grid processes a vertex (text: 4096); 0: never"},
    FRI_ROUNDS_KNOB,
    {"hub", 128, 0, 1e9, "degree above which a whole warp processes a vertex; 0: never (text)"},
    {"capacity", 8, 1, 64,
     "dup=0: capacity of a queue in multiples of n; duplicates are removed when it overflows"},
    {"in_flight", HBF_IN_FLIGHT, 1, HBF_IN_FLIGHT,
     "edges per lane with loads and atomics in flight together, 1 or 4, in lists that have as "
     "many"},
    {nullptr, 0, 0, 0, nullptr}};

/* Properties of the graph, found in prepare. */
struct hbf_stats {
    int64_t max_degree;
    bool leaves; /* some edge leads to a leaf */
};

static bool is_on(const fri_gpu *g, int knob) { return (int)g->job->knob[knob] != 0; }
static const hbf_stats *stats_of(const fri_gpu *g) { return (const hbf_stats *)g->state; }
static bool has_hubs(const fri_gpu *g) {
    return FRI_CHILD_LAUNCHES && is_on(g, CHILD) &&
           stats_of(g)->max_degree > (int64_t)g->job->knob[CHILD];
}
static bool has_classes(const fri_gpu *g) { return is_on(g, CLASSES) && g->n < 1 << 30; }
static bool is_packed(const fri_gpu *g) { return is_on(g, DUP) && fr_type_size(g->dist_type) == 4; }

/* Packed words or stamps, two queues of n. */
static int64_t capacity_of(const fri_gpu *g) {
    int64_t capacity = is_on(g, DUP) ? g->n : (int64_t)g->job->knob[CAPACITY] * g->n;
    return FRI_MIN(capacity, (int64_t)INT32_MAX);
}
static size_t queue_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(capacity_of(g), sizeof(int32_t)));
}
static size_t info_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(uint64_t)));
}
/* Maximum chunks of all hubs for the child grid: each hub has at most one chunk that is not full.
 */
static int64_t max_chunks(const fri_gpu *g) {
    int64_t child = (int64_t)g->job->knob[CHILD];
    return child ? FRI_MIN(g->m / HBF_CHUNK_EDGES + g->m / child, (int64_t)INT32_MAX / 2) : 0;
}
static size_t hub_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(max_chunks(g), 2 * sizeof(int32_t)));
}
static size_t scratch(const fri_gpu *g) {
    return info_bytes(g) + 2 * queue_bytes(g) + hub_bytes(g);
}
static int32_t *queue_of(const fri_gpu *g, int32_t round) {
    return (int32_t *)(void *)(g->scratch + info_bytes(g) + (size_t)(round & 1) * queue_bytes(g));
}

/* Control word: the size of the round's frontier. */
static int32_t *tail_of(const fri_gpu *g, int32_t round) {
    return &g->control[HBF_SIZE + 2 * (round % 3)];
}

template <class T>
static __global__ void __launch_bounds__(1024)
    pack_kernel(fri_sssp_view<T> p, unsigned long long *info) {
    int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < p.n)
        info[v] = hbf_pack(p.dist[v], 0);
}
template <class T>
static __global__ void __launch_bounds__(1024)
    unpack_kernel(fri_sssp_view<T> p, const unsigned long long *info) {
    int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < p.n)
        p.dist[v] = hbf_key<typename T::K>(info[v]);
}

/* Maximum out-degree of a leaf. */
static int leaf_degree(const fri_job *job) {
    return job->csr.symmetric && job->weight_min >= 0 ? 1 : 0;
}

static int64_t max_degree(const fr_csr *csr) {
    int64_t max_degree = 0;
    for (int32_t v = 0; v < csr->n; v++)
        max_degree = FRI_MAX(max_degree, csr->offsets[v + 1] - csr->offsets[v]);
    return max_degree;
}

static fri_gpu_rows rows(const fri_gpu *g) {
    const uint32_t variant = 0x200 | (uint32_t)leaf_degree(g->job);
    return has_classes(g) ? fri_gpu_rows{variant, false, sizeof(int32_t)} : fri_gpu_rows{};
}

/* Before the driver reads targets, which another solver may have marked. */
static fr_status set_target_mask(fri_gpu *g) {
    if (has_classes(g))
        g->sssp.target_mask = (1 << HBF_CLASS_SHIFT) - 1;
    return FR_OK;
}

/* Marks the classes of edges; row_extra: whether some edge leads to a leaf. */
static fr_status change_rows(fri_gpu *g) {
    int32_t *in_degree = (int32_t *)(void *)g->scratch;
    unsigned blocks = fri_edge_blocks(g, PASS_BLOCK);
    fri_gpu_fill(g, in_degree, g->n, 0);
    fri_gpu_fill(g, &g->control[HBF_LEAVES], 1, 0);
    FRI_RUN(count_ends_kernel, blocks, PASS_BLOCK, fri_sssp_view_of<fri_kind_i32>(g), in_degree);
    FRI_RUN(mark_kernel, blocks, PASS_BLOCK, fri_sssp_view_of<fri_kind_i32>(g), in_degree,
            leaf_degree(g->job), (int32_t *)g->out.targets);
    return fri_gpu_check(g,
                         cudaMemcpyAsync((void *)g->row_extra, &g->control[HBF_LEAVES],
                                         sizeof(int32_t), cudaMemcpyDeviceToDevice, g->stream),
                         "marking edges");
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    hbf_stats *found = (hbf_stats *)fri_calloc(job->ctx, sizeof *found);
    int32_t leaves = 0;
    g->state = found;
    if (!found)
        return FR_NOMEM;
    found->max_degree = max_degree(&job->csr);
    if (!has_classes(g))
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_download(g, &leaves, g->row_extra, sizeof leaves));
    found->leaves = leaves != 0;
    return FR_OK;
}

static fr_status start_query(fri_gpu *g) {
    unsigned blocks = fri_gpu_blocks(g->n, PASS_BLOCK);
    if (is_packed(g))
        FRI_BY_KIND(g, FRI_RUN((pack_kernel<T>), blocks, PASS_BLOCK, fri_sssp_view_of<T>(g),
                               (unsigned long long *)g->scratch));
    else
        fri_gpu_fill(g, (int32_t *)(void *)g->scratch, g->n, 0);
    fri_gpu_fill(g, tail_of(g, 1), 1, g->source_count); /* its upper half is 0 */
    return fri_gpu_check(g,
                         cudaMemcpyAsync(queue_of(g, 1), g->sources,
                                         (size_t)g->source_count * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

/* The knob, rounded down to a power of two; 0: from the frontier. */
static int width_knob(const fri_gpu *g) {
    int width = 1;
    if (g->job->knob[WIDTH] < 0)
        return 0;
    while (2 * width <= (int)g->job->knob[WIDTH] && width < FRI_WARP)
        width *= 2;
    return width;
}

template <class T> static hbf_round<T> round_of(const fri_gpu *g, int32_t round) {
    hbf_round<T> r = {};
    r.p = fri_sssp_view_of<T>(g);
    r.info = (unsigned long long *)g->scratch;
    r.stamp = (int32_t *)(void *)g->scratch;
    r.queue = queue_of(g, round);
    r.next = queue_of(g, round + 1);
    r.size = (unsigned long long *)(void *)tail_of(g, round);
    r.tail = (unsigned long long *)(void *)tail_of(g, round + 1);
    r.capacity = (unsigned long long)capacity_of(g);
    r.round = round;
    r.classes = has_classes(g);
    r.once = is_on(g, DUP);
    r.packed = is_packed(g);
    r.cache = is_on(g, CACHE);
    r.source = r.classes && round == 1 && g->source_count == 1 ? g->job->in->query.sources[0] : -1;
    r.child = has_hubs(g) ? (int32_t)g->job->knob[CHILD] : 0;
    r.hubs = (int32_t *)(void *)(g->scratch + info_bytes(g) + 2 * queue_bytes(g));
    r.max_chunks = max_chunks(g);
    r.hub = (int32_t)g->job->knob[HUB];
    r.resident = g->multiprocessors * g->max_threads_per_sm;
    r.width = width_knob(g);
    r.staging_size = g->job->knob[STAGING] < FRI_WARP ? 0 : (int)g->job->knob[STAGING];
    r.work = (int)g->job->knob[WORK];
    r.overlapped = (int)g->job->knob[IN_FLIGHT] == HBF_IN_FLIGHT;
    return r;
}

/* Launches a grid for `size` vertices; 0: for any number, with all threads that can be resident. */
template <class T> static void launch(fri_gpu *g, int32_t round, int32_t size) {
    hbf_round<T> r = round_of<T>(g, round);
    int block = fri_gpu_block_knob(g, BLOCK);
    int width = r.width ? r.width : width_of(r.resident, size ? size : 1);
    int64_t max_size = size ? size : capacity_of(g), work = work_of(r, max_size, width);
    int64_t warps = (max_size + work - 1) / work;
    if (!size)
        warps = FRI_MIN(warps, (int64_t)g->multiprocessors *
                                   FRI_MIN(g->max_threads_per_sm, (int)SM_THREADS) / FRI_WARP);
    unsigned blocks = fri_gpu_blocks(warps * FRI_WARP, block);
    size_t shared = (size_t)(block / FRI_WARP * r.staging_size) * sizeof(int32_t);
    if (r.child)
        FRI_LAUNCH((hbf_hubs_kernel<T>), blocks, block, shared, g->stream, r);
    else
        FRI_LAUNCH((hbf_kernel<T>), blocks, block, shared, g->stream, r);
}

static __global__ void __launch_bounds__(1024)
    mark_queue_kernel(const int32_t *queue, int64_t size, int32_t *left) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size)
        fri_racy_store(&left[queue[i]], 1); /* racy: all write 1 */
}

static __global__ void __launch_bounds__(1024)
    collect_kernel(int32_t n, int32_t *left, int32_t *queue, unsigned long long *tail) {
    int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !left[v])
        return;
    left[v] = 0;
    queue[atomicAdd(tail, 1ull)] = (int32_t)v; /* atomic: reserves a position */
}

/* More vertices were enqueued for `round` than the queue holds: merges the queue and the marked
 * vertices into a list without duplicates. */
static fr_status collect(fri_gpu *g, int32_t round) {
    int32_t *left = (int32_t *)(void *)g->scratch, *queue = queue_of(g, round);
    unsigned blocks = fri_gpu_blocks(g->n, PASS_BLOCK);
    FRI_RUN_EACH(mark_queue_kernel, capacity_of(g), PASS_BLOCK, queue, capacity_of(g), left);
    FRI_GPU_TRY(
        fri_gpu_check(g, cudaMemsetAsync(tail_of(g, round), 0, 8, g->stream), "clearing a queue"));
    FRI_RUN(collect_kernel, blocks, PASS_BLOCK, g->n, left, queue,
            (unsigned long long *)(void *)tail_of(g, round));
    return fri_gpu_sssp_read_control(g);
}

/* Several rounds are launched at once if frontiers are small; rounds after the end, and after a
 * queue overflow, do nothing. */
static fr_status run_rounds(fri_gpu *g, int32_t round, int32_t max_rounds,
                            fri_gpu_progress *progress) {
    const int32_t *size = &g->host_control[tail_of(g, round) - g->control];
    int32_t known = round == 1 ? g->source_count : *size;
    int32_t stride = fri_gpu_sssp_rounds_per_check(g, ROUNDS, max_rounds, known);
    for (int32_t r = round; r < round + stride; r++)
        FRI_BY_KIND(g, launch<T>(g, r, stride == 1 ? known : 0));
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    int32_t last = g->host_control[HBF_ROUND];
    size = &g->host_control[tail_of(g, last + 1) - g->control];
    if (size[1] || (uint32_t)size[0] > (uint32_t)capacity_of(g))
        FRI_GPU_TRY(collect(g, last + 1));
    progress->levels = last - round + 1;
    progress->found = size[0];
    return FR_OK;
}

/* Vertices were set to minus infinity in g->dist. */
static fr_status resume(fri_gpu *g) {
    if (is_packed(g))
        FRI_BY_KIND(g, FRI_RUN_EACH((pack_kernel<T>), g->n, PASS_BLOCK, fri_sssp_view_of<T>(g),
                                    (unsigned long long *)g->scratch));
    return FR_OK;
}

static fr_status sync_distances(fri_gpu *g, bool last) {
    if (is_packed(g))
        FRI_BY_KIND(g, FRI_RUN_EACH((unpack_kernel<T>), g->n, PASS_BLOCK, fri_sssp_view_of<T>(g),
                                    (const unsigned long long *)g->scratch));
    if (last && stats_of(g)->leaves)
        FRI_BY_KIND(g, FRI_RUN((leaves_kernel<T>), fri_edge_blocks(g, PASS_BLOCK), PASS_BLOCK,
                               fri_sssp_view_of<T>(g), leaf_degree(g->job) == 1));
    return FR_OK;
}

static const fri_gpu_strategy device_side = {.scratch = scratch,
                                             .start_query = start_query,
                                             .run_levels = run_rounds,
                                             .sync_distances = sync_distances,
                                             .restart = resume,
                                             .prepare_after_upload = set_target_mask,
                                             .rows = rows,
                                             .change_rows = change_rows};

FRI_GPU_STRATEGY(fri_gpu_sssp_hbf) = {
    .name = "hbf",
    .source =
        "Busato, Bombieri: An efficient implementation of Bellman-Ford, IEEE TPDS 27(8), 2016",
    .text = "frontier Bellman-Ford with edge classes and duplicate removal; negative weights",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS) |
              FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_FOUND),
    .scratch = fri_gpu_sssp_scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_sssp_run,
};
