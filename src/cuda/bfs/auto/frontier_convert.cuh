/* Conversions between frontier representations, and the writes of levels, parents and degree sums
 * that a pull or the end of a launch completes. */
#ifndef FRI_CUDA_BFS_AUTO_FRONTIER_CONVERT_CUH
#define FRI_CUDA_BFS_AUTO_FRONTIER_CONVERT_CUH

#include "cuda/bfs/auto/queue_writer.cuh"

/* Bitmap words whose vertices a warp handles at once; words whose degrees it sums at once. */
enum { BATCH_WORDS = 4, DEGREE_WORDS = 6 };

/* All threads of the grid: builds this level's bitmap from the levels, four words per warp at
 * once. */
template <class O> static __device__ void levels_to_bitmap(const bfs_params<O> &p, int32_t depth) {
    uint32_t *front = p.frontier_bits[depth & 1];
    const int32_t all = words_of(p.n);
    for (int64_t first = fri_grid_warp() * BATCH_WORDS; first < all;
         first += fri_grid_warps() * BATCH_WORDS) {
        int32_t level[BATCH_WORDS];
        uint32_t word = 0;
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            int64_t v = (first + j) * FRI_WARP + fri_lane();
            level[j] = v < p.n ? p.level[v] : p.unreached;
        }
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            uint32_t now = __ballot_sync(FRI_FULL_MASK, level[j] == depth);
            word = fri_lane() == j ? now : word;
        }
        if (fri_lane() < BATCH_WORDS && first + fri_lane() < all)
            front[first + fri_lane()] = word;
    }
}

/* All threads of the grid: clears this level's bitmap. */
template <class O> static __device__ void clear_bitmap(const bfs_params<O> &p, int32_t depth) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < words_of(p.n); i += all)
        p.frontier_bits[depth & 1][i] = 0;
}

/* All threads of the grid: sets this level's bitmap, which is zero, from its queue. Vertices that
 * are not queued have no edge to an unvisited vertex, so no pull needs them. */
template <class O>
static __device__ void queue_to_bitmap(const bfs_params<O> &p, int32_t depth, int32_t entries) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < entries; i += all) {
        const int32_t v = p.queue[depth & 1][i].v;
        atomicOr(&p.frontier_bits[depth & 1][v / FRI_WARP],
                 1u << (v % FRI_WARP)); /* threads share words */
    }
}

/* Writes still pending for a warp's words; lane i has the writes of word i. */
struct pending_writes {
    /* bits of vertices of the next level, of this level, of none */
    uint32_t found, deferred, uninitialized;
};

/* Bits of a word's vertices whose level and parent are not written yet, while the arrays are
 * uninitialized. */
template <class O>
static __device__ __forceinline__ uint32_t uninitialized_bits(const bfs_params<O> &p, int32_t word,
                                                              uint32_t unvisited) {
    const int32_t source = p.source;
    uint32_t bits = unvisited | (p.no_in_edges ? p.no_in_edges[word] : 0);
    if ((word + 1) * (int64_t)FRI_WARP > p.n)
        bits &= FRI_FULL_MASK >> (FRI_WARP - p.n % FRI_WARP);
    return source / FRI_WARP == word ? bits & ~(1u << (source % FRI_WARP)) : bits;
}

/* Whole warp: sums the out-edges of the vertices found in words `first`, `first` + 1, ..., and of
 * those with deferred levels. */
template <class O>
static __device__ __forceinline__ void sum_degrees(const bfs_params<O> &p, int32_t first,
                                                   const pending_writes &writes,
                                                   thread_counters<O> *mine) {
    unsigned live = __ballot_sync(FRI_FULL_MASK, (writes.found | writes.deferred) != 0);
    while (live) {
        O begin[DEGREE_WORDS], end[DEGREE_WORDS];
        bool found[DEGREE_WORDS];
        FRI_UNROLL
        for (int j = 0; j < DEGREE_WORDS; j++) {
            const int at = live ? __ffs((int)live) - 1 : 0;
            const uint32_t mask = live ? 1u << fri_lane() : 0;
            found[j] = __shfl_sync(FRI_FULL_MASK, writes.found, at) & mask;
            const bool deferred = __shfl_sync(FRI_FULL_MASK, writes.deferred, at) & mask,
                       on = found[j] || deferred;
            const int32_t v = (first + at) * FRI_WARP + fri_lane();
            begin[j] = on ? p.out.offsets[v] : 0;
            end[j] = on ? p.out.offsets[v + 1] : 0;
            live &= live - 1;
        }
        FRI_UNROLL
        for (int j = 0; j < DEGREE_WORDS; j++) {
            mine->edges += found[j] ? (edge_sum<O>)(end[j] - begin[j]) : 0;
            mine->uncounted_edges += found[j] ? 0 : (edge_sum<O>)(end[j] - begin[j]);
        }
    }
}

/* Whole warp: writes the levels of words `first`, `first` + 1, ..., a cache line at once, and the
 * parents of vertices that are not found. The degree sums are separate, so that no store waits for
 * an offset. */
template <class O>
static __device__ __forceinline__ void write_levels(const bfs_params<O> &p, int32_t depth,
                                                    int32_t first, const pending_writes &writes,
                                                    thread_counters<O> *mine) {
    unsigned live =
        __ballot_sync(FRI_FULL_MASK, (writes.found | writes.deferred | writes.uninitialized) != 0);
    while (live) {
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            const int at = live ? __ffs((int)live) - 1 : 0;
            const uint32_t mask = live ? 1u << fri_lane() : 0;
            const bool found = __shfl_sync(FRI_FULL_MASK, writes.found, at) & mask;
            const bool deferred = __shfl_sync(FRI_FULL_MASK, writes.deferred, at) & mask;
            const bool uninitialized =
                (__shfl_sync(FRI_FULL_MASK, writes.uninitialized, at) & mask) && !found;
            const int32_t v = (first + at) * FRI_WARP + fri_lane();
            if (found || deferred || uninitialized)
                p.level[v] = found ? depth + 1 : deferred ? depth : p.unreached;
            if (uninitialized && p.parent)
                p.parent[v] = -1;
            live &= live - 1;
        }
    }
    mine->vertices += __popc(writes.found);
    sum_degrees(p, first, writes, mine);
}

/* Whole warp: queues the vertices of words `first`, `first` + 1, ...; lane i has the bits of word
 * i. */
template <class O>
static __device__ __forceinline__ void enqueue_bits(const bfs_params<O> &p, int32_t first,
                                                    uint32_t bits, queue_writer<O> *out) {
    unsigned live = __ballot_sync(FRI_FULL_MASK, bits != 0);
    while (live) {
        O begin[ITEMS], degree[ITEMS];
        int32_t v[ITEMS];
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            int at = live ? __ffs((int)live) - 1 : 0;
            bool in = live && __shfl_sync(FRI_FULL_MASK, bits, at) >> fri_lane() & 1;
            v[j] = (first + at) * FRI_WARP + fri_lane();
            begin[j] = in ? p.out.offsets[v[j]] : 0;
            degree[j] = in ? p.out.offsets[v[j] + 1] - begin[j] : 0;
            live &= live - 1;
        }
        enqueue(p, v, begin, degree, min_queued_degree(p, out->depth), out);
    }
}

/* All threads of the grid: builds this level's queue from its bitmap; words without a bit cost next
 * to nothing. If the frontier's levels and edge counts are deferred, completes these too. */
template <class O>
static __device__ void bitmap_to_queue(const bfs_params<O> &p, int32_t depth, bool deferred,
                                       level_counters *now, warp_stage<O> *stage,
                                       thread_counters<O> *mine) {
    const uint32_t *front = p.frontier_bits[depth & 1];
    const int all = words_of(p.n), each = (all + fri_grid_warps() - 1) / fri_grid_warps();
    const int share = FRI_MIN(each, FRI_WARP);
    queue_writer<O> out = {stage, &now->entries, depth, 0};
    for (int32_t first = fri_grid_warp() * share; first < all; first += fri_grid_warps() * share) {
        bool own = fri_lane() < share && first + fri_lane() < all;
        uint32_t word = own ? front[first + fri_lane()] : 0;
        if (deferred)
            write_levels(p, depth, first, {0, word, 0}, mine);
        enqueue_bits(p, first, word, &out);
    }
    commit_level(p, thread_counters<O>{0, 0, 0}, &out,
                 now); /* they were counted when they were found */
}

/* All threads of the grid, at the end of a launch: writes deferred levels, and those of vertices that
 * are not found if the arrays are uninitialized. */
template <class O>
static __device__ void flush_deferred(const bfs_params<O> &p, int32_t depth, bool deferred,
                                      bool uninitialized, level_counters *now) {
    const int32_t all = words_of(p.n);
    const uint32_t *front = p.frontier_bits[depth & 1];
    queue_writer<O> none = {nullptr, nullptr, depth, 0};
    thread_counters<O> mine = {0, 0, 0};
    for (int32_t first = fri_grid_warp() * FRI_WARP; first < all;
         first += fri_grid_warps() * FRI_WARP) {
        const int32_t word = first + fri_lane();
        const uint32_t unvisited = word < all ? ~p.visited[word] : 0;
        const pending_writes writes = {
            0, deferred && word < all ? front[word] : 0,
            uninitialized && word < all ? uninitialized_bits(p, word, unvisited) : 0};
        write_levels(p, depth, first, writes, &mine);
    }
    mine.edges = mine.uncounted_edges;
    mine.uncounted_edges = 0;
    commit_level(p, mine, &none, now);
}

#endif
