/* Levels of few edges within a launch of `auto`'s grid, on the graphs that push_aggregated.cuh is
 * for: the first block runs them one after the other, with the frontier in its shared memory and
 * claims in L2, while all others wait at the grid barrier. Such a level needs no queue or counters
 * in global memory, no grid barrier and no decision.
 *
 * One atomic reserves both the positions of the vertices that a warp finds and the positions of
 * their edges among all edges of the frontier, so that the next level distributes its edges evenly
 * over the threads without a prefix sum. */
#ifndef FRI_CUDA_BFS_AUTO_SINGLE_BLOCK_CUH
#define FRI_CUDA_BFS_AUTO_SINGLE_BLOCK_CUH

#include "cuda/bfs/auto/decide.cuh"
#include "cuda/bfs/auto/queue_writer.cuh"

enum { EDGE_BITS = 20 }; /* low bits of `packed` */
static_assert(SINGLE_BLOCK_EDGES < 1 << (32 - EDGE_BITS) &&
                  SINGLE_BLOCK_EDGES * CHUNK_EDGES < 1 << EDGE_BITS,
              "a level's counts fit the packed fields");

namespace {
/* The block's counters of a frontier; indexed by level modulo 3. */
template <class O> struct single_block_counters {
    edge_sum<O> edges; /* of all vertices */
    /* vertices with at most a chunk of edges, above EDGE_BITS; below: their edges */
    uint32_t packed;
    int32_t queued_chunks; /* chunks of the others, which are in the queue */
    int32_t vertices, unused;
};

/* Frontiers by depth modulo 2; a vertex has at most CHUNK_EDGES edges. */
template <class O> struct single_block_frontier {
    O begin[2][SINGLE_BLOCK_ENTRIES];
    int32_t v[2][SINGLE_BLOCK_ENTRIES];
    int32_t before[2][SINGLE_BLOCK_ENTRIES + 1]; /* edges of the vertices before */
};
} // namespace

/* Fields of `packed`: vertices, vertices that fit into the frontier, and edges. */
static __device__ __forceinline__ int packed_vertices(uint32_t packed) {
    return (int)(packed >> EDGE_BITS);
}
static __device__ __forceinline__ int held_vertices(uint32_t packed) {
    return FRI_MIN(packed_vertices(packed), (int)SINGLE_BLOCK_ENTRIES);
}
static __device__ __forceinline__ int packed_edges(uint32_t packed) {
    return (int)(packed & ((1u << EDGE_BITS) - 1));
}

/* Whole warp: appends the lanes' vertices of at least `min_degree` edges to the frontier of that
 * depth; hubs and vertices that do not fit go to the queue as chunks. */
template <class O>
static __device__ __forceinline__ void
append_to_frontier(const bfs_params<O> &p, single_block_frontier<O> *frontier,
                   single_block_counters<O> *to, int32_t depth, const int32_t *v, const O *begin,
                   const O *degree, O min_degree) {
    const int parity = depth & 1;
    unsigned mine[ITEMS], sum = 0, all;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        const bool fits = degree[j] >= min_degree && degree[j] <= (O)CHUNK_EDGES;
        mine[j] = sum;
        sum += fits ? (1u << EDGE_BITS) + (unsigned)degree[j] : 0;
    }
    unsigned base = fri_warp_prefix(sum, &all);
    unsigned first = 0;
    if (fri_lane() == 0 && all) /* the block's warps add */
        first = atomicAdd(&to->packed, all);
    base += __shfl_sync(FRI_FULL_MASK, first, 0);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        const int at = packed_vertices(base + mine[j]);
        const bool fits = degree[j] <= (O)CHUNK_EDGES;
        if (degree[j] < min_degree)
            continue;
        if (fits && at <= SINGLE_BLOCK_ENTRIES)
            frontier->before[parity][at] = packed_edges(base + mine[j]);
        if (fits && at < SINGLE_BLOCK_ENTRIES) {
            frontier->v[parity][at] = v[j];
            frontier->begin[parity][at] = begin[j];
            continue;
        }
        const int chunks = (int)fri_chunk_count<CHUNK_EDGES>(degree[j]);
        /* the block's threads add */
        edge_chunk *queue = p.queue[parity] + atomicAdd(&to->queued_chunks, chunks);
        FRI_ROLLED
        for (int i = 0; i < chunks; i++)
            queue[i] = fri_nth_chunk<CHUNK_EDGES>(v[j], begin[j], degree[j], i);
    }
}

/* All threads of the block: one level; a barrier must follow. */
template <class O>
static __device__ __forceinline__ void
single_block_level(const bfs_params<O> &p, single_block_frontier<O> *frontier,
                   const single_block_counters<O> &now, int32_t depth,
                   single_block_counters<O> *next) {
    const int parity = depth & 1, held = held_vertices(now.packed),
              edges = packed_edges(now.packed);
    const int threads = (int)blockDim.x;
    const O min_degree = min_queued_degree(p, depth + 1);
    thread_counters<O> mine = {0, 0, 0};
    for (int k0 = (int)threadIdx.x; k0 - fri_lane() < edges; k0 += ITEMS * threads) {
        int32_t u[ITEMS], v[ITEMS];
        uint32_t answer[ITEMS];
        O begin[ITEMS], degree[ITEMS];
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            const int k = k0 + j * threads,
                      owner = fri_find_owner(frontier->before[parity], held, k);
            u[j] = frontier->v[parity][owner];
            v[j] = k < edges ? p.out.targets[frontier->begin[parity][owner] +
                                             (O)(k - frontier->before[parity][owner])]
                             : -1;
            FRI_COUNT(p.out, FR_COUNTER_EDGES, k < edges);
            FRI_COUNT(p.out, FR_COUNTER_ATOMICS, k < edges);
        }
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            answer[j] = v[j] >= 0 ? claim_begin(p, v[j], depth) : FRI_FULL_MASK;
            begin[j] = v[j] >= 0 ? p.out.offsets[v[j]] : 0;
            degree[j] = v[j] >= 0 ? p.out.offsets[v[j] + 1] : 0;
        }
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            const bool fresh = v[j] >= 0 && claim_won(p, v[j], answer[j], depth);
            degree[j] = fresh ? degree[j] - begin[j] : 0;
            if (!fresh)
                continue;
            FRI_COUNT(p.out, FR_COUNTER_ENQUEUES, degree[j] >= min_degree);
            if (p.parent)
                p.parent[v[j]] = u[j];
            fri_prefetch(&p.out.targets[begin[j]]);
            mine.vertices++;
            mine.edges += (edge_sum<O>)degree[j];
        }
        if (__any_sync(FRI_FULL_MASK, degree[0] || degree[1]))
            append_to_frontier(p, frontier, next, depth + 1, v, begin, degree, min_degree);
    }
    if (!__any_sync(FRI_FULL_MASK, mine.vertices))
        return;
    const int32_t vertices = (int32_t)fri_warp_total((unsigned)mine.vertices);
    const edge_sum<O> sum = fri_warp_total(mine.edges);
    if (fri_lane() == 0) { /* the block's warps add */
        atomicAdd(&next->vertices, vertices);
        atomicAdd(&next->edges, sum);
    }
}

/* All threads of the block: loads the frontier from the queue. */
template <class O>
static __device__ __forceinline__ void
load_queue(const bfs_params<O> &p, single_block_frontier<O> *frontier, single_block_counters<O> *to,
           int32_t depth, int32_t entries) {
    for (int32_t i = (int32_t)threadIdx.x; i - fri_lane() < entries; i += (int32_t)blockDim.x) {
        const edge_chunk from = i < entries ? p.queue[depth & 1][i] : edge_chunk{0, 0, 0};
        const int32_t v[ITEMS] = {from.v};
        const O begin[ITEMS] = {(O)from.begin}, degree[ITEMS] = {(O)from.count};
        append_to_frontier(p, frontier, to, depth, v, begin, degree, (O)1);
    }
}

/* All threads of the block: appends the frontier in shared memory to the queue. */
template <class O>
static __device__ __forceinline__ void
store_queue(const bfs_params<O> &p, single_block_frontier<O> *frontier,
            const single_block_counters<O> &now, int32_t depth) {
    const int parity = depth & 1, held = held_vertices(now.packed);
    if (threadIdx.x == 0 && packed_vertices(now.packed) == held)
        frontier->before[parity][held] = packed_edges(now.packed);
    __syncthreads(); /* the end of the last vertex's edges is known */
    for (int i = (int)threadIdx.x; i < held; i += (int)blockDim.x) {
        const int32_t count = frontier->before[parity][i + 1] - frontier->before[parity][i];
        p.queue[parity][now.queued_chunks + i] = {frontier->v[parity][i], count,
                                                  (int64_t)frontier->begin[parity][i]};
    }
}

/* Whether the block also runs the frontier's next level. */
template <class O>
static __device__ __forceinline__ bool continues(const single_block_counters<O> &now) {
    return now.vertices && !now.queued_chunks &&
           fits_single_block(packed_vertices(now.packed), now.edges);
}

/* All threads of the first block: runs levels from s.depth on, the first as in `dec`, while they
 * have few edges. The frontier after them becomes the grid's next one, as if they were one
 * level. */
template <class O>
static __device__ void run_single_block(const bfs_params<O> &p, const bfs_state &s,
                                        const decision &dec, single_block_frontier<O> *frontier) {
    FRI_SHARED(single_block_counters<O>, counts, FRI_PHASES);
    const int32_t max_levels = p.max_levels - dec.done + 1;
    int32_t levels = 0, visited = 0;
    unsigned long long out_edges = 0, scanned = 0;
    if (threadIdx.x == 0)
        counts[0] = counts[1] = {0, 0, 0, 0, 0};
    __syncthreads(); /* the counters are zero */
    load_queue(p, frontier, &counts[0], s.depth, dec.entries);
    if (threadIdx.x == 0) {
        counts[0].vertices = dec.vertices;
        counts[0].edges = dec.edges;
    }
    __syncthreads(); /* the frontier is complete */
    single_block_counters<O> now = counts[0];
    do {
        if (threadIdx.x == 0) /* no other thread reads or writes these now */
            counts[fri_spare_phase(levels)] = {0, 0, 0, 0, 0};
        trace_level(p, dec.done - 1 + levels, {now.edges, now.vertices, 0, 0, 0},
                    METHOD_SINGLE_BLOCK, 0);
        single_block_level(p, frontier, now, s.depth + levels, &counts[fri_next_phase(levels)]);
        scanned += (unsigned)packed_edges(now.packed);
        __syncthreads(); /* the level is complete */
        now = counts[++levels % FRI_PHASES];
        visited += now.vertices;
        out_edges += now.edges;
    } while (levels < max_levels && continues(now));
    store_queue(p, frontier, now, s.depth + levels);
    if (threadIdx.x)
        return;
    p.control->counters[fri_next_phase(s.phase)] = {
        now.edges, now.vertices, now.queued_chunks + held_vertices(now.packed), 0, 0};
    p.control->single_block = {levels, visited - now.vertices, out_edges - now.edges};
    /* no other block adds, but other SMs must see it */
    atomicAdd(&p.control->edges_scanned, scanned);
}

/* One thread of each block, after the grid barrier: adds the single block's result to the
 * decision. */
template <class O> static __device__ void resume_grid(const bfs_params<O> &p, decision *dec) {
    const single_block_result *result = &p.control->single_block;
    dec->levels = fri_volatile_load(&result->levels);
    dec->vertices_visited += fri_volatile_load(&result->vertices);
    dec->edges_of_frontiers += fri_volatile_load(&result->edges);
    dec->done += dec->levels - 1;
}

/* All threads of the grid: runs levels from s's on, as decided; advances s to the level after
 * them. */
template <class O>
static __device__ void single_block_levels(const bfs_params<O> &p, bfs_state *s, decision *dec,
                                           single_block_frontier<O> *frontier) {
    if (blockIdx.x == 0)
        run_single_block(p, *s, *dec, frontier);
    fri_grid_sync(); /* the levels are complete */
    if (threadIdx.x == 0)
        resume_grid(p, dec);
    __syncthreads(); /* all threads can read dec->levels; the next decision comes later */
    s->depth += dec->levels;
    s->phase = fri_next_phase(s->phase);
}

#endif
