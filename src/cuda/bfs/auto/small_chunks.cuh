/* Small levels of `auto` from edge chunks: a level is a chain of targets, claim with concurrent
 * read of offsets, append and barrier. For graphs whose rows are too long for ELL. */
#ifndef FRI_CUDA_BFS_AUTO_SMALL_CHUNKS_CUH
#define FRI_CUDA_BFS_AUTO_SMALL_CHUNKS_CUH

#include "cuda/bfs/auto/level_barrier.cuh"

static const int HUB_EDGES = 8 * CHUNK_EDGES;
static const uint32_t MAX_COUNTED_EDGES = 1 << 20; /* upper bound of a vertex's share in `edges` */

/* Any thread: appends a vertex of many edges as several entries, to one block each if `scatter`. */
template <class O, class C>
static __device__ void append_hub(const bfs_params<O> &p, const C &b, edge_chunk *queue,
                                  bool scatter, int32_t v, O begin, O degree, int phase) {
    unsigned rank = scatter ? home_block(b, v) : b.rank;
    if (degree > (O)HUB_EDGES) { /* too many chunks for one thread: leaves the level to the grid */
        fri_racy_store(&b.counters[phase].overflowed, 1); /* racy: all store the same value */
        return;
    }
    for (O left = degree; left > 0; rank = scatter ? (rank + 1) & b.rank_mask : rank) {
        O count = FRI_MIN(left, (O)CHUNK_EDGES);
        int32_t at = reserve_entry(b, rank, phase);
        if (at < p.block_capacity)
            *fri_cluster_at(&queue[at], rank) = {v, (int32_t)count, (int64_t)begin};
        begin += count;
        left -= count;
    }
}

/* Any thread: appends C::ITEMS vertices with their edges to the next frontier, except vertices of
 * degree 0. An entry that does not fit is dropped; the total then exceeds the capacity. */
template <class O, class C>
static __device__ __forceinline__ void
append_vertices(const bfs_params<O> &p, const C &b, int32_t depth, int phase, bool scatter,
                const int32_t *v, const O *begin, const O *degree) {
    const O min_degree = min_queued_degree(p, depth + 1);
    edge_chunk *queue = (edge_chunk *)b.queue + ((depth + 1) & 1) * p.block_capacity;
    int32_t at[C::ITEMS];
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++) {
        FRI_COUNT(p.out, FR_COUNTER_ENQUEUES, degree[j] >= min_degree);
        at[j] = p.block_capacity;
        if (degree[j] >= min_degree && degree[j] <= (O)CHUNK_EDGES)
            at[j] = scatter
                        ? reserve_entry(b, home_block(b, v[j]), phase)
                        : atomicAdd(&b.counters[phase].entries, 1); /* the block's threads append */
    }
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++) {
        if (degree[j] > (O)CHUNK_EDGES)
            append_hub(p, b, queue, scatter, v[j], begin[j], degree[j], phase);
        else if (at[j] < p.block_capacity)
            *(scatter ? fri_cluster_at(&queue[at[j]], home_block(b, v[j]))
                      : &queue[at[j]]) = {v[j], (int32_t)degree[j], (int64_t)begin[j]};
    }
}

/* Any thread: expands edges e of u where `on`; all reads of one kind are in flight at once. */
template <class O, class C>
static __device__ __forceinline__ void
expand_chunk_edges(const bfs_params<O> &p, const C &b, int32_t depth, int phase, bool scatter,
                   int32_t u, const O *e, const bool *on, found_counters *mine) {
    int32_t v[C::ITEMS];
    uint32_t answer[C::ITEMS];
    O begin[C::ITEMS], degree[C::ITEMS];
    bool candidate[C::ITEMS];
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++)
        v[j] = on[j] ? p.out.targets[e[j]] : 0;
    FRI_UNROLL
    /* also for claims that will fail: nothing waits for these loads */
    for (int j = 0; j < C::ITEMS; j++) {
        const bool uncached = on[j] && !history_cull(b, v[j]);
        begin[j] = uncached ? p.out.offsets[v[j]] : 0;
        degree[j] = uncached ? p.out.offsets[v[j] + 1] : 0;
        candidate[j] = uncached && (b.bitmap || C::is_persistent ||
                                    /* a claim in shared memory costs no more than a test */
                                    maybe_unvisited(p, v[j]));
    }
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++) {
        FRI_COUNT(p.out, FR_COUNTER_EDGES, on[j]);
        FRI_COUNT(p.out, FR_COUNTER_ATOMICS, candidate[j]);
        answer[j] = candidate[j] ? claim_begin(p, b, v[j], depth) : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++) {
        bool fresh = candidate[j] && claim_won(p, b, v[j], answer[j], depth);
        degree[j] = fresh ? degree[j] - begin[j] : 0;
        if (!fresh)
            continue;
        set_level(p, v[j], u, depth + 1);
        mine->vertices++;
        mine->edges += degree[j] < (O)MAX_COUNTED_EDGES ? (uint32_t)degree[j] : MAX_COUNTED_EDGES;
        fri_prefetch(&p.out.targets[begin[j]]);
    }
    append_vertices(p, b, depth, phase, scatter, v, begin, degree);
}

/* All threads: one level. Returns the edges scanned by this thread. level_barrier() must follow. */
template <class O, class C>
static __device__ __forceinline__ unsigned chunk_level(const bfs_params<O> &p, const C &b,
                                                       const bfs_state &s, bool scatter) {
    const edge_chunk *queue = (const edge_chunk *)b.queue + (s.depth & 1) * p.block_capacity;
    const int32_t count = b.counters[s.phase].entries;
    const int phase = fri_next_phase(s.phase);
    int width = FRI_WARP;
    unsigned scanned = 0;
    found_counters mine = {0, 0};
    while (width > 2 && count * width > (int)blockDim.x)
        width /= 2;
    for (int i = (int)threadIdx.x / width; i < count; i += (int)blockDim.x / width) {
        const edge_chunk entry = queue[i];
        for (int k = (int)threadIdx.x % width; k < entry.count; k += width * C::ITEMS) {
            O e[C::ITEMS];
            bool on[C::ITEMS];
            FRI_UNROLL
            for (int j = 0; j < C::ITEMS; j++) {
                on[j] = k + j * width < entry.count;
                e[j] = (O)entry.begin + (O)(k + j * width);
                scanned += on[j];
            }
            expand_chunk_edges(p, b, s.depth, phase, scatter, entry.v, e, on, &mine);
        }
    }
    __syncwarp(); /* lanes may have diverged */
    add_found(b, phase, mine);
    return scanned;
}

#endif
