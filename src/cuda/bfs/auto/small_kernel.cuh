/* Small levels of `auto`: one thread-block cluster with the frontier in its shared memory, or
 * persistent blocks, one per multiprocessor.
 *
 * Each block of the cluster holds a share of the frontier and, if it fits, every c-th word of the
 * bitmap of visited vertices, c being the number of blocks; other blocks access both through
 * distributed shared memory. A vertex stays in the block that found it or, when shares have become
 * imbalanced, goes to the block that its number hashes to. A frontier entry carries what the next
 * level begins with: an edge chunk or, if the graph has ELL rows, its row of targets. Entries that
 * do not fit are dropped: that frontier is in the level array only, and the grid continues.
 *
 * Persistent blocks do not access each other's shared memory: they claim in the bitmap in L2 and
 * keep what they find, so that most repeated targets are found by the same block (history_cull).
 * With ELL rows, blocks with much more than the mean share let others take some entries
 * (work_sharing.cuh). With chunks, once a block has about twice its share, all blocks write the
 * frontier to the queue and load it again in runs of consecutive entries. */
#ifndef FRI_CUDA_BFS_AUTO_SMALL_KERNEL_CUH
#define FRI_CUDA_BFS_AUTO_SMALL_KERNEL_CUH

#include "cuda/bfs/auto/work_sharing.cuh"
#include "cuda/bfs/auto/small_chunks.cuh"

static const int SMALL_THREADS = 1024, MAX_BLOCK_CAPACITY = 4096, PERSISTENT_STREAK_LIMIT = 64;

/* Consecutive queue entries that go to one block together. */
template <class C> static __device__ __forceinline__ int32_t consecutive_entries(int32_t entries) {
    const int32_t per_block = entries / (int32_t)gridDim.x;
    return !C::is_persistent || per_block < FRI_WARP ? 1 : per_block < 4 * FRI_WARP ? 8 : FRI_WARP;
}

/* All threads: loads the block's share of the frontier and of the bitmap. A barrier of all blocks
 * must follow. */
template <class O, class C>
static __device__ void load_share(const bfs_params<O> &p, const C &b, const bfs_state &s) {
    const level_counters *now = &p.control->counters[s.phase];
    const edge_chunk *from = p.queue[s.depth & 1];
    const ell_frontier to = ell_frontier_of(p, b, s.depth);
    edge_chunk *queue = (edge_chunk *)b.queue + (s.depth & 1) * p.block_capacity;
    const int32_t blocks = (int32_t)gridDim.x, rank = (int32_t)blockIdx.x, all = words_of(p.n);
    const int32_t entries = fri_volatile_load(&now->entries); /* rebalance() wrote it */
    const int32_t consecutive = consecutive_entries<C>(entries), round = consecutive * blocks,
                  rest = entries % round - rank * consecutive;
    const int32_t count = entries / round * consecutive + FRI_MAX(FRI_MIN(rest, consecutive), 0);
    if (threadIdx.x == 0) {
        for (int phase = 0; phase < FRI_PHASES; phase++)
            b.counters[phase] = {0, 0, 0, 0};
        b.counters[s.phase] = {count, rank ? 0 : now->vertices, rank ? 0 : (uint32_t)now->edges, 0};
    }
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += (int32_t)blockDim.x) {
        const edge_chunk chunk =
            from[i / consecutive * round + rank * consecutive + i % consecutive];
        if (C::has_ell)
            to.entries[i] = {chunk.v, NO_VERTEX};
        else
            queue[i] = chunk;
    }
    for (int32_t i = (int32_t)threadIdx.x; b.bitmap && (i << b.log2_blocks) + rank < all;
         i += (int32_t)blockDim.x)
        b.bitmap[i] = p.visited[(i << b.log2_blocks) + rank];
}

/* Any thread: entry i of the block's frontier as an edge chunk. */
template <class O, class C>
static __device__ __forceinline__ edge_chunk chunk_of_entry(const bfs_params<O> &p, const C &b,
                                                            int32_t depth, int32_t i) {
    if (!C::has_ell)
        return ((const edge_chunk *)b.queue)[(depth & 1) * p.block_capacity + i];
    const int32_t v = ell_frontier_of(p, b, depth).entries[i].v;
    const O begin = p.out.offsets[v];
    return {v, (int32_t)(p.out.offsets[v + 1] - begin), (int64_t)begin};
}

/* All threads: appends the block's frontier to the queue. */
template <class O, class C>
static __device__ void append_to_queue(const bfs_params<O> &p, const C &b, const bfs_state &s,
                                       const block_counters &now) {
    level_counters *to = &p.control->counters[s.phase];
    const int32_t count = now.overflowed ? 0 : b.counters[s.phase].entries;
    for (int32_t i = (int32_t)threadIdx.x; i - fri_lane() < count; i += (int32_t)blockDim.x) {
        const edge_chunk chunk = i < count ? chunk_of_entry(p, b, s.depth, i) : edge_chunk{0, 0, 0};
        int total, before = fri_warp_prefix_count(chunk.count > 0, &total);
        int32_t base = fri_reserve(&to->entries, total);
        if (chunk.count > 0)
            p.queue[s.depth & 1][base + before] = chunk;
        if (!C::has_ell)
            continue;
        const unsigned edges = fri_warp_total((unsigned)chunk.count);
        if (fri_lane() == 0) /* warps of all blocks add */
            atomicAdd(&to->edges, (unsigned long long)edges);
    }
}

/* All threads of the persistent blocks: redistributes the frontier through the queue. */
template <class O, class C>
static __device__ void rebalance(const bfs_params<O> &p, const C &b, const bfs_state &s,
                                 const block_counters &now) {
    level_counters *to = &p.control->counters[s.phase];
    if (blockIdx.x == 0 && threadIdx.x == 0) { /* entries are 0 since the previous level */
        to->edges = now.edges;
        to->vertices = now.vertices;
    }
    append_to_queue(p, b, s, now);
    fri_grid_sync(); /* the queue is complete */
    load_share(p, b, s);
    __syncthreads(); /* the block's share is complete */
}

/* All threads, after a barrier of all blocks: stores frontier and bitmap where the next launch
 * reads them. */
template <class O, class C>
static __device__ void store_frontier(const bfs_params<O> &p, const C &b, const bfs_state &s,
                                      const block_counters &now) {
    const int32_t rank = (int32_t)blockIdx.x, all = words_of(p.n);
    if (rank == 0 && threadIdx.x == 0) {
        /* edges of ELL rows are counted as they are queued; on overflow they follow from the mean
         * degree */
        const unsigned long long edges =
            now.overflowed ? (unsigned long long)(p.m / p.n) * (unsigned)now.vertices : 0;
        p.control->counters[s.phase] = {C::has_ell ? edges : now.edges, now.vertices, 0, 0, 0};
        p.control->counters[fri_next_phase(s.phase)] = {0, 0, 0, 0, 0};
    }
    if (C::is_persistent)
        fri_grid_sync(); /* the counters are stored before anything is queued */
    else
        fri_cluster_sync(); /* the same */
    append_to_queue(p, b, s, now);
    for (int32_t i = (int32_t)threadIdx.x; b.bitmap && (i << b.log2_blocks) + rank < all;
         i += (int32_t)blockDim.x)
        p.visited[(i << b.log2_blocks) + rank] = b.bitmap[i];
}

/* Whether a frontier is small. The edges of ELL rows are known only after expansion. */
template <class C>
static __device__ __forceinline__ bool has_small_frontier(const C &b, const block_counters &now,
                                                          int32_t max_entries) {
    (void)b; /* only its type is used */
    return is_small(FRI_MIN(now.entries, now.vertices), C::has_ell ? 0 : now.edges, max_entries);
}

/* Runs levels from s.depth on until the frontier is empty, max_levels are done, or the frontier no
 * longer suits this layer. */
template <class O, class C>
static __global__ void __launch_bounds__(SMALL_THREADS, 1)
    small_kernel(const __grid_constant__ bfs_params<O> p, bfs_state s, int32_t has_bitmap) {
    FRI_SHARED(block_counters, counters, FRI_PHASES);
    FRI_SHARED(uint64_t, mailbox, 2 * FRI_WARP);
    FRI_SHARED(share_plan, plan, 1);
    FRI_SHARED_DYNAMIC(char, queues);
    char *after_queues = queues + frontier_bytes(p.block_capacity, p.log2_ell_width);
    const C b = {{queues, !C::is_persistent && has_bitmap ? (uint32_t *)after_queues : nullptr,
                  counters, mailbox, gridDim.x - 1, __popc(gridDim.x - 1),
                  C::is_persistent ? 0 : blockIdx.x, plan,
                  C::is_persistent && p.features & FEATURE_HISTORY_CULL ? (int32_t *)after_queues
                                                                        : nullptr}};
    int32_t done = 0, small_streak = 0;
    unsigned scanned = 0; /* 32 bits suffice for at most 1,024 levels */
    for (int i = (int)threadIdx.x; b.history && i < 1 << HISTORY_BITS; i += (int)blockDim.x)
        b.history[i] = -1;
    clear_mailboxes(p, b, s.depth);
    if (threadIdx.x == 0)
        fri_racy_store(&plan->tag, p.tag_base + (uint32_t)s.depth - 1); /* a tag of no level */
    if (C::is_persistent)
        fri_grid_sync(); /* no block reads a mailbox before it is cleared */
    load_share(p, b, s);
    frontier_totals sum = level_barrier(p, b, s.phase, s.depth, true, INT32_MAX, INT32_MAX);
    block_counters now = sum.total;
    if (C::has_ell) /* entries, including vertices without further edges */
        now.vertices = p.control->counters[s.phase].vertices;
    while (!now.overflowed &&
           (!done ||
            (now.vertices && done < p.max_levels &&
             has_small_frontier(b, now, C::is_persistent ? p.persistent_max : p.cluster_max)))) {
        small_streak = has_small_frontier(b, now, streak_max_entries(p)) ? small_streak + 1 : 0;
        if (C::is_persistent && done && small_streak > PERSISTENT_STREAK_LIMIT)
            break;
        s.vertices_visited += now.vertices;
        s.edges_of_frontiers += C::has_ell ? 0 : now.edges;
        if (C::is_persistent && sum.imbalanced && !C::has_ell)
            rebalance(p, b, s, now);
        const bool scatter = !C::is_persistent && sum.imbalanced;
        if (threadIdx.x == 0) { /* no other thread reads or writes these now */
            b.counters[fri_spare_phase(s.phase)] = {0, 0, 0, 0};
            if (C::is_persistent && blockIdx.x == 0)
                p.control->counters[fri_spare_phase(s.phase)].entries = 0;
        }
        trace_level(p, done, {now.edges, now.vertices, 0, 0, 0},
                    C::is_persistent ? METHOD_PERSISTENT : METHOD_CLUSTER, 0);
        scanned += C::has_ell ? ell_level(p, b, s, sum) : chunk_level(p, b, s, scatter);
        s.phase = fri_next_phase(s.phase);
        s.depth++;
        done++;
        sum = level_barrier(p, b, s.phase, s.depth, sum.imbalanced, sum.next_keep_limit,
                            sum.balance_limit);
        now = sum.total;
        if (C::has_ell) /* edges of the expanded rows */
            fri_trace_edges_before(p.trace, done, now.edges);
    }
    s.frontier_kind = now.overflowed ? LEVELS : QUEUE;
    save_state(p, s, done);
    store_frontier(p, b, s, now);
    const unsigned long long edges = fri_warp_total((unsigned long long)scanned);
    if (fri_lane() == 0 && edges) { /* warps of all blocks add */
        atomicAdd(&p.control->edges_scanned, edges);
        if (C::has_ell)
            atomicAdd(&p.control->edges_of_frontiers, edges);
    }
    if (!C::is_persistent)
        fri_cluster_sync(); /* no block accesses this block's shared memory any more */
}

#endif
