/* bfs4k's kernels: many blocks for a level, one block for many levels (section 5.5, Figs. 7 and 8),
 * and the child kernels of hubs (section 5.3, Fig. 5). */
#ifndef FRI_BFS4K_KERNELS_CUH
#define FRI_BFS4K_KERNELS_CUH

#include "cuda/bfs/bfs4k_expand.cuh"

namespace {

template <class O>
static __device__ __forceinline__ bfs4k_sink bfs4k_global_sink(const bfs4k_search<O> &s,
                                                               int32_t depth) {
    return {nullptr,
            s.queue[(depth + 1) & 1],
            0,
            s.plan.capacity,
            &s.words[BFS4K_TAIL + (depth + 1) % 3],
            s.plan.claim != 0};
}

/* This thread's block's share of one level, frontier and finds in global memory. All threads. */
template <class O>
static __device__ __forceinline__ void bfs4k_level(const bfs4k_search<O> &s, int32_t depth,
                                                   int32_t size, int32_t threads,
                                                   const fri_hash_table &table) {
    int64_t warps = (int64_t)gridDim.x * (blockDim.x / FRI_WARP);
    int64_t warp = (int64_t)blockIdx.x * (blockDim.x / FRI_WARP) + fri_warp();
    bfs4k_work<O> work = {s,
                          depth,
                          bfs4k_queued(s, depth, size),
                          bfs4k_global_sink(s, depth),
                          table,
                          warp,
                          warps,
                          threads,
                          nullptr};
    bfs4k_local found;
    found.count = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        bfs4k_turn(s, depth);
    bfs4k_expand(work, found);
    bfs4k_flush_block(s, found, work.sink);
}

/* The one block's share of a level, which is all of it; frontiers in shared memory. All threads. */
template <class O>
static __device__ __forceinline__ void
bfs4k_level_of_one(const bfs4k_search<O> &s, int32_t depth, int32_t size, int32_t *near,
                   int32_t *tails, int *hubs_left, const fri_hash_table &table) {
    int32_t room = s.plan.one_most;
    bfs4k_work<O> work = {s,
                          depth,
                          {near + (depth & 1) * room, size, size},
                          {near + ((depth + 1) & 1) * room, s.queue[(depth + 1) & 1], room,
                           s.plan.capacity, &tails[(depth + 1) % 3], s.plan.claim > 1},
                          table,
                          fri_warp(),
                          blockDim.x / FRI_WARP,
                          (int32_t)blockDim.x,
                          hubs_left};
    bfs4k_local found;
    found.count = 0;
    bfs4k_expand(work, found);
    bfs4k_flush(s, found, work.sink);
}

/* Many blocks, one level; the host reads the size of the next. */
template <class O>
static __global__ void bfs4k_many_kernel(bfs4k_search<O> s, int32_t depth, int32_t size) {
    FRI_SHARED_DYNAMIC(uint64_t, words);
    bfs4k_level(s, depth, size, s.plan.resident, {words, s.plan.hash_many});
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.words[BFS4K_DEPTH] = depth + 1;
}

/* Many blocks that stay for up to `most` levels, with a grid barrier where the text returns to the
 * host. They leave early for child kernels and for the one-block kernel. */
template <class O>
static __global__ void __launch_bounds__(1024)
    bfs4k_stay_kernel(bfs4k_search<O> s, int32_t depth, int32_t size, int32_t most) {
    FRI_SHARED_DYNAMIC(uint64_t, words);
    int32_t last = depth + most, threads = (int32_t)(gridDim.x * blockDim.x), hubs = 0;
    do {
        bfs4k_level(s, depth, size, threads, {words, s.plan.hash_stay});
        depth++;
        fri_grid_sync(); /* the level's finds are all queued and counted */
        size = fri_racy_load(&s.words[BFS4K_TAIL + depth % 3]); /* set to zero two levels on */
        hubs = fri_racy_load(&s.words[BFS4K_HUBS + depth % 3]);
    } while (size > s.plan.one_most / 2 && hubs == 0 && depth < last);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.words[BFS4K_DEPTH] = depth;
}

/* One block for up to `most` levels while the frontier fits shared memory (Fig. 8a): hash table, Fd
 * and Fdnew. What a level finds beyond that goes to the queue in global memory; so does the rest at
 * the end. */
template <class O>
static __global__ void __launch_bounds__(1024)
    bfs4k_one_kernel(bfs4k_search<O> s, int32_t depth, int32_t size, int32_t most) {
    FRI_SHARED_DYNAMIC(uint64_t, words);
    FRI_SHARED(int32_t, tails, 3);
    FRI_SHARED(int, hubs_left, 1);
    fri_hash_table table = {words, s.plan.hash_one};
    int32_t room = s.plan.one_most, last = depth + most, t = (int32_t)threadIdx.x;
    int32_t *near = (int32_t *)(words + (table.bits ? 1 << table.bits : 0));
    for (int32_t i = t; i < size; i += (int32_t)blockDim.x)
        near[(depth & 1) * room + i] = s.queue[depth & 1][i];
    if (t == 0) {
        *hubs_left = 0;
        tails[(depth + 1) % 3] = 0;
    }
    do {
        __syncthreads(); /* the frontier and its size are there, and read where they will change */
        if (t == 0) {
            tails[(depth + 2) % 3] = 0;
            bfs4k_turn(s, depth);
        }
        bfs4k_level_of_one(s, depth, size, near, tails, hubs_left, table);
        __syncthreads(); /* the next frontier is there */
        depth++;
        size = tails[depth % 3];
    } while (size > 0 && size <= room && !fri_racy_load(hubs_left) && depth < last);
    for (int32_t i = t; i < size && i < room && i < s.plan.capacity; i += (int32_t)blockDim.x)
        s.queue[depth & 1][i] = near[(depth & 1) * room + i];
    if (t == 0) {
        s.words[BFS4K_TAIL + depth % 3] = size;
        s.words[BFS4K_TAIL + (depth + 1) % 3] = 0;
        s.words[BFS4K_DEPTH] = depth;
    }
}

/* A child: its blocks share the edges of one hub, K3 per thread (Fig. 5b). */
template <class O>
static __global__ void bfs4k_child_kernel(bfs4k_search<O> s, int32_t depth, int32_t u) {
    FRI_SHARED_DYNAMIC(uint64_t, words);
    int64_t first = s.rows.offsets[u], degree = s.rows.offsets[u + 1] - first;
    int64_t part = (int64_t)s.plan.child_edges * blockDim.x, begin = part * blockIdx.x;
    bfs4k_row row = {u, first + begin, degree - begin < part ? degree - begin : part};
    bfs4k_work<O> work = {
        s, depth, {nullptr, 0, 0}, bfs4k_global_sink(s, depth), {words, s.plan.hash_many}, 0,
        0, 0,     nullptr};
    bfs4k_local found;
    found.count = 0;
    bfs4k_walk(work, row, threadIdx.x, (int)blockDim.x, found);
    bfs4k_flush_block(s, found, work.sink);
}

/* The parent: a thread per hub of the level just expanded launches its child, of
 * VertexDegree / (K3 BlockSize) blocks. */
template <class O> static __global__ void bfs4k_hubs_kernel(bfs4k_search<O> s) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), depth = s.words[BFS4K_DEPTH];
    if (i >= s.words[BFS4K_HUBS + depth % 3] || i >= BFS4K_MAX_HUBS)
        return;
    int32_t u = s.hubs[i], part = s.plan.child_edges * s.plan.block;
    int64_t degree = s.rows.offsets[u + 1] - s.rows.offsets[u];
    size_t table = s.plan.hash_many ? sizeof(uint64_t) << s.plan.hash_many : 0;
    FRI_LAUNCH_CHILD((bfs4k_child_kernel<O>), (unsigned)((degree + part - 1) / part), s.plan.block,
                     table, s, depth - 1, u);
}

} // namespace

#endif
