/* bfs4k's kernels: many blocks for a level, one block for many levels (section 5.5, Figs. 7 and 8),
 * and the child kernels of hubs (section 5.3, Fig. 5). */
#ifndef FRI_CUDA_BFS_BFS4K_KERNELS_CUH
#define FRI_CUDA_BFS_BFS4K_KERNELS_CUH

#include "papers/bfs/bfs4k/expand.cuh"

namespace {

template <class O>
static __device__ __forceinline__ bfs4k_output bfs4k_global_output(const bfs4k_search<O> &s,
                                                                   int32_t depth) {
    return {nullptr,
            s.queue[(depth + 1) & 1],
            0,
            s.plan.capacity,
            &s.control[BFS4K_TAIL + (depth + 1) % 3],
            s.plan.claim != 0};
}

/* This block's share of one level, with frontier and next frontier in global memory. All threads of
 * the block. */
template <class O>
static __device__ __forceinline__ void bfs4k_level(const bfs4k_search<O> &s, int32_t depth,
                                                   int32_t size, int32_t threads,
                                                   const fri_hash_table &table) {
    int64_t warps = (int64_t)gridDim.x * (blockDim.x / FRI_WARP);
    int64_t warp = (int64_t)blockIdx.x * (blockDim.x / FRI_WARP) + fri_warp();
    bfs4k_work<O> work = {s,
                          depth,
                          bfs4k_queued(s, depth, size),
                          bfs4k_global_output(s, depth),
                          table,
                          warp,
                          warps,
                          threads,
                          nullptr};
    bfs4k_local found;
    found.count = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        bfs4k_clear_counters(s, depth);
    bfs4k_expand(work, found);
    bfs4k_flush_block(s, found, work.output);
}

/* The level of the one-block kernel; frontiers in shared memory. All threads. */
template <class O>
static __device__ __forceinline__ void
bfs4k_level_of_one(const bfs4k_search<O> &s, int32_t depth, int32_t size, int32_t *block_queue,
                   int32_t *tails, int *hubs_deferred, const fri_hash_table &table) {
    int32_t capacity = s.plan.one_block_max;
    bfs4k_work<O> work = {s,
                          depth,
                          {block_queue + (depth & 1) * capacity, size, size},
                          {block_queue + ((depth + 1) & 1) * capacity, s.queue[(depth + 1) & 1],
                           capacity, s.plan.capacity, &tails[(depth + 1) % 3], s.plan.claim > 1},
                          table,
                          fri_warp(),
                          blockDim.x / FRI_WARP,
                          (int32_t)blockDim.x,
                          hubs_deferred};
    bfs4k_local found;
    found.count = 0;
    bfs4k_expand(work, found);
    bfs4k_flush(s, found, work.output);
}

/* Many blocks, one level; the host reads the size of the next. */
template <class O>
static __global__ void bfs4k_many_kernel(bfs4k_search<O> s, int32_t depth, int32_t size) {
    FRI_SHARED_DYNAMIC(uint64_t, table_words);
    fri_hash_table table = {table_words, s.plan.hash_many, s.plan.hash_exchange != 0,
                            s.plan.hash_by_warp != 0};
    fri_hash_clear(table);
    __syncthreads(); /* the table is clear */
    bfs4k_level(s, depth, size, s.plan.resident, table);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.control[BFS4K_DEPTH] = depth + 1;
}

/* Expands the hubs deferred while level `depth` was expanded; their units are distributed over the
 * grid's blocks. All threads of the grid; a grid barrier must follow. */
template <class O>
static __device__ __forceinline__ void bfs4k_expand_hubs(const bfs4k_search<O> &s, int32_t depth,
                                                         int count, const fri_hash_table &table) {
    FRI_SHARED(int32_t, before, BFS4K_MAX_HUBS);
    bfs4k_work<O> work = {s, depth, {nullptr, 0, 0}, bfs4k_global_output(s, depth), table, 0,
                          0, 0,     nullptr};
    bfs4k_local found;
    found.count = 0;
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        before[i] = s.units[i];
    int32_t last = s.hubs[count - 1];
    int64_t degree = s.csr.offsets[last + 1] - s.csr.offsets[last];
    __syncthreads(); /* the list is loaded */
    int32_t units = before[count - 1] + (int32_t)((degree - 1) / s.plan.hub_unit + 1);
    for (int32_t unit = (int32_t)blockIdx.x; unit < units; unit += (int32_t)gridDim.x) {
        int owner = fri_find_owner(before, count, unit);
        int64_t begin = (int64_t)(unit - before[owner]) * s.plan.hub_unit;
        int32_t u = s.hubs[owner];
        degree = s.csr.offsets[u + 1] - s.csr.offsets[u] - begin;
        bfs4k_row row = {u, s.csr.offsets[u] + begin,
                         degree < s.plan.hub_unit ? degree : s.plan.hub_unit};
        bfs4k_scan_edges(work, row, threadIdx.x, (int)blockDim.x, found);
    }
    bfs4k_flush_block(s, found, work.output);
}

/* After the levels below `depth` are expanded except for their hubs: expands the hubs too. Returns
 * the size of the frontier. All threads of a cooperative grid, after a barrier. */
template <class O>
static __device__ __forceinline__ int32_t bfs4k_expand_deferred_hubs(const bfs4k_search<O> &s,
                                                                     int32_t depth,
                                                                     const fri_hash_table &table) {
    unsigned long long *word = bfs4k_hub_word(s, depth);
    /* not racing because of the barrier */
    int count = (int)(fri_racy_load(word) >> BFS4K_UNIT_BITS);
    bfs4k_expand_hubs(s, depth - 1, count < s.plan.max_hubs ? count : s.plan.max_hubs, table);
    /* the vertices found from hubs are counted, and all blocks have read the word */
    fri_grid_sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        fri_racy_store(word, 0ull);
    return fri_racy_load(&s.control[BFS4K_TAIL + depth % 3]);
}

/* The barrier of all blocks: of one cluster or of a cooperative grid. */
static __device__ __forceinline__ void bfs4k_grid_barrier(bool cluster) {
    __syncwarp(); /* a cluster barrier needs converged warps */
    if (cluster)
        fri_cluster_sync();
    else
        fri_grid_sync();
}

/* Persistent: many blocks for up to `max_levels` levels while low < frontier <= high, with a barrier
 * where the paper returns to the host. The kernel also ends if hubs were deferred to child kernels; a
 * cluster ends if any were deferred. A size of -1: the hubs deferred in the previous level are expanded
 * first. */
template <class O>
static __global__ void __launch_bounds__(1024)
    bfs4k_persistent_kernel(bfs4k_search<O> s, int32_t depth, int32_t size, int32_t max_levels,
                            int32_t low, int32_t high, bool cluster) {
    FRI_SHARED_DYNAMIC(uint64_t, table_words);
    fri_hash_table table = {table_words, s.plan.hash_persistent, s.plan.hash_exchange != 0,
                            s.plan.hash_by_warp != 0};
    int32_t last = depth + max_levels;
    bool exits = false;
    fri_hash_clear(table);
    __syncthreads(); /* the table is clear */
    if (size < 0)
        size = bfs4k_expand_deferred_hubs(s, depth, table);
    while (size > 0 && depth < last && !exits) {
        bfs4k_level(s, depth, size, (int32_t)(gridDim.x * blockDim.x), table);
        depth++;
        bfs4k_grid_barrier(cluster); /* the level's found vertices are all queued and counted */
        /* not racing because of the barrier */
        size = fri_racy_load(&s.control[BFS4K_TAIL + depth % 3]);
        if (s.plan.hub_degree < INT64_MAX && fri_racy_load(bfs4k_hub_word(s, depth))) {
            exits = cluster || !s.plan.grid_hubs;
            if (!exits)
                size = bfs4k_expand_deferred_hubs(s, depth, table);
        }
        exits = exits || size <= low || size > high;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.control[BFS4K_DEPTH] = depth;
}

/* One block for up to `max_levels` levels while the frontier fits into shared memory (Fig. 8a): hash
 * table, Fd and Fdnew. Vertices that do not fit there go to the queue in global memory, as does the
 * frontier at the end. */
template <class O>
static __global__ void __launch_bounds__(1024)
    bfs4k_one_kernel(bfs4k_search<O> s, int32_t depth, int32_t size, int32_t max_levels) {
    FRI_SHARED_DYNAMIC(uint64_t, table_words);
    FRI_SHARED(int32_t, tails, 3);
    FRI_SHARED(int, hubs_deferred, 1);
    fri_hash_table table = {table_words, s.plan.hash_one, s.plan.hash_exchange != 0,
                            s.plan.hash_by_warp != 0};
    int32_t capacity = s.plan.one_block_max, last = depth + max_levels, t = (int32_t)threadIdx.x;
    int32_t *block_queue = (int32_t *)(table_words + (table.bits ? 1 << table.bits : 0));
    for (int32_t i = t; i < size; i += (int32_t)blockDim.x)
        block_queue[(depth & 1) * capacity + i] = s.queue[depth & 1][i];
    fri_hash_clear(table);
    if (t == 0) {
        *hubs_deferred = 0;
        tails[(depth + 1) % 3] = 0;
    }
    do {
        /* the frontier and its size are complete, and have been read where they will change */
        __syncthreads();
        if (t == 0) {
            tails[(depth + 2) % 3] = 0;
            bfs4k_clear_counters(s, depth);
        }
        bfs4k_level_of_one(s, depth, size, block_queue, tails, hubs_deferred, table);
        __syncthreads(); /* the next frontier is complete */
        depth++;
        size = tails[depth % 3];
    } while (size > 0 && size <= capacity && !fri_racy_load(hubs_deferred) && depth < last);
    for (int32_t i = t; i < size && i < capacity && i < s.plan.capacity; i += (int32_t)blockDim.x)
        s.queue[depth & 1][i] = block_queue[(depth & 1) * capacity + i];
    if (t == 0) {
        s.control[BFS4K_TAIL + depth % 3] = size;
        s.control[BFS4K_TAIL + (depth + 1) % 3] = 0;
        s.control[BFS4K_DEPTH] = depth;
    }
}

/* A child: its blocks share the edges of one hub, K3 per thread (Fig. 5b). */
template <class O>
static __global__ void bfs4k_child_kernel(bfs4k_search<O> s, int32_t depth, int32_t u) {
    FRI_SHARED_DYNAMIC(uint64_t, table_words);
    fri_hash_table table = {table_words, s.plan.hash_many, s.plan.hash_exchange != 0,
                            s.plan.hash_by_warp != 0};
    int64_t first = s.csr.offsets[u], degree = s.csr.offsets[u + 1] - first;
    int64_t chunk = s.plan.hub_unit, begin = chunk * blockIdx.x;
    bfs4k_row row = {u, first + begin, degree - begin < chunk ? degree - begin : chunk};
    bfs4k_work<O> work = {s, depth, {nullptr, 0, 0}, bfs4k_global_output(s, depth), table, 0,
                          0, 0,     nullptr};
    fri_hash_clear(table);
    __syncthreads(); /* the table is clear */
    bfs4k_local found;
    found.count = 0;
    bfs4k_scan_edges(work, row, threadIdx.x, (int)blockDim.x, found);
    bfs4k_flush_block(s, found, work.output);
}

/* The parent: one thread per hub of the level just expanded launches its child, of VertexDegree /
 * (K3 BlockSize) blocks. */
template <class O> static __global__ void bfs4k_hubs_kernel(bfs4k_search<O> s) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), depth = s.control[BFS4K_DEPTH];
    if (i >= (int32_t)(*bfs4k_hub_word(s, depth) >> BFS4K_UNIT_BITS) || i >= BFS4K_MAX_CHILDREN)
        return;
    int32_t u = s.hubs[i];
    int64_t degree = s.csr.offsets[u + 1] - s.csr.offsets[u];
    size_t table = s.plan.hash_many ? sizeof(uint64_t) << s.plan.hash_many : 0;
    FRI_LAUNCH_CHILD((bfs4k_child_kernel<O>), (unsigned)((degree - 1) / s.plan.hub_unit + 1),
                     s.plan.block, table, s, depth - 1, u);
}

} // namespace

#endif
