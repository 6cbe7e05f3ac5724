/* Top-down levels of `auto`: expand the edge chunks of frontier vertices and write the next
 * frontier. */
#ifndef FRI_CUDA_BFS_AUTO_PUSH_CUH
#define FRI_CUDA_BFS_AUTO_PUSH_CUH

#include "cuda/bfs/auto/queue_writer.cuh"

static const int SHORT_ROW = 16; /* maximum out-degree at which no vertex delays a warp */

namespace {
/* Output of a push. */
template <class O> struct push_output {
    queue_writer<O> writer;
    bool skip_queue;       /* no queue: the next frontier is in the levels or the bitmap */
    uint32_t *next_bitmap; /* the next frontier's bitmap, initially zero; or NULL */
    bool defers_levels;    /* the next frontier is only a bitmap: no levels, edges not counted */
};
} // namespace

/* Whole warp: of targets v of edges from u, adds the candidates whose claims won to the next
 * frontier. */
template <class O>
static __device__ __forceinline__ void
commit_claims(const bfs_params<O> &p, int32_t depth, const int32_t *u, const int32_t *v,
              const bool *candidate, const uint32_t *answer, const O *begin, O *degree,
              push_output<O> *output, thread_counters<O> *mine) {
    bool any = false;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        bool fresh = candidate[j] && (output->defers_levels ? bit_was_clear(v[j], answer[j])
                                                            : claim_won(p, v[j], answer[j], depth));
        if (fresh && p.parent)
            p.parent[v[j]] = u[j];
        if (fresh && output->next_bitmap) /* threads share words */
            atomicOr(&output->next_bitmap[v[j] / FRI_WARP], 1u << (v[j] % FRI_WARP));
        if (fresh && output->skip_queue &&
            /* few of the candidates get here, and nothing depends on these loads */
            !output->defers_levels)
            degree[j] = p.out.offsets[v[j] + 1] - p.out.offsets[v[j]];
        degree[j] = fresh ? degree[j] - begin[j] : 0;
        mine->vertices += fresh;
        mine->edges += (edge_sum<O>)degree[j];
        any |= degree[j] > 0;
    }
    if (!output->skip_queue && __any_sync(FRI_FULL_MASK, any))
        enqueue(p, v, begin, degree, min_queued_degree(p, output->writer.depth), &output->writer);
}

/* Whole warp: each lane expands ITEMS edges, those where `on`; all reads of one kind are in flight
 * before the first is needed, and offsets are read while claims are in flight. */
template <class O>
static __device__ __forceinline__ void
expand_edges(const bfs_params<O> &p, int32_t depth, const int32_t *u, const O *e, const bool *on,
             push_output<O> *output, thread_counters<O> *mine) {
    int32_t v[ITEMS];
    uint32_t answer[ITEMS];
    O begin[ITEMS], degree[ITEMS];
    bool candidate[ITEMS];
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        v[j] = on[j] ? p.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        candidate[j] = on[j] && maybe_unvisited(p, v[j]);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        begin[j] = candidate[j] && !output->skip_queue ? p.out.offsets[v[j]] : 0;
        degree[j] = candidate[j] && !output->skip_queue ? p.out.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        mine->edges_scanned += on[j];
        FRI_COUNT(p.out, FR_COUNTER_EDGES, on[j]);
        FRI_COUNT(p.out, FR_COUNTER_ATOMICS, candidate[j]);
        answer[j] = candidate[j] ? claim_begin(p, v[j], depth) : 0;
    }
    commit_claims(p, depth, u, v, candidate, answer, begin, degree, output, mine);
}

/* Short chunks: `width` lanes for each, no prefix sum. */
template <class O>
static __device__ void push_short(const bfs_params<O> &p, int32_t depth, const edge_chunk *queue,
                                  int32_t count, int width, push_output<O> *output,
                                  thread_counters<O> *mine) {
    int chunks_per_warp = FRI_WARP / width;
    for (uint32_t first = (uint32_t)(fri_grid_warp() * chunks_per_warp); first < (uint32_t)count;
         first += (uint32_t)(fri_grid_warps() * chunks_per_warp)) {
        uint32_t i = first + (uint32_t)(fri_lane() / width);
        O e[ITEMS];
        edge_chunk chunk = i < (uint32_t)count ? queue[i] : edge_chunk{0, 0, 0};
        int32_t u[ITEMS] = {chunk.v, chunk.v};
        bool on[ITEMS];
        for (int k = fri_lane() % width; __any_sync(FRI_FULL_MASK, k < chunk.count);
             k += width * ITEMS) {
            FRI_UNROLL
            for (int j = 0; j < ITEMS; j++) {
                on[j] = k + j * width < chunk.count;
                e[j] = (O)(chunk.begin + k + j * width);
            }
            expand_edges(p, depth, u, e, on, output, mine);
        }
    }
}

/* Chunks that a block loads at once. */
static __device__ __forceinline__ int max_tile_chunks() {
    return FRI_MIN((int)blockDim.x, (int)TILE_CHUNKS);
}

/* All threads of the block: loads chunks first, first + blocks, ... of a queue, at most one per
 * thread, into the tile, with prefix sums of `weight`. Returns the total. */
template <class O>
static __device__ __forceinline__ int load_tile(chunk_tile<O> *tile, const edge_chunk &chunk,
                                                int weight) {
    FRI_SHARED(int, warp_sums, FRI_WARP);
    int mine, before = fri_warp_prefix(weight, &mine);
    if (fri_lane() == 0)
        warp_sums[fri_warp()] = mine;
    __syncthreads(); /* all warps' sums are written; no thread reads the old tile any more */
    mine = fri_lane() < (int)blockDim.x / FRI_WARP ? warp_sums[fri_lane()] : 0;
    const int total = (int)fri_warp_total((unsigned)mine);
    before += (int)fri_warp_total((unsigned)(fri_lane() < fri_warp() ? mine : 0));
    if ((int)threadIdx.x < TILE_CHUNKS) {
        tile->v[threadIdx.x] = chunk.v;
        tile->begin[threadIdx.x] = (O)chunk.begin;
        tile->count[threadIdx.x] = (uint16_t)chunk.count;
        tile->before[threadIdx.x] = before;
    }
    __syncthreads(); /* the tile is complete */
    return total;
}

/* All threads of the block: loads its only chunk, which thread 0 has, into the tile. Returns its
 * edges. */
template <class O>
static __device__ __forceinline__ int load_single(chunk_tile<O> *tile, const edge_chunk &chunk) {
    if (threadIdx.x == 0) { /* no thread reads the old tile: a grid barrier came before */
        tile->v[0] = chunk.v;
        tile->begin[0] = (O)chunk.begin;
        tile->before[0] = 0;
    }
    __syncthreads(); /* the tile is complete */
    return chunk.count;
}

/* Chunks of any length: a block takes every g-th chunk, g being the number of blocks, so that
 * adjacent ones, which are similar, go to different blocks. It numbers their edges and distributes
 * them evenly over its threads. */
template <class O>
static __device__ void push_even(const bfs_params<O> &p, int32_t depth, const edge_chunk *queue,
                                 int32_t count, chunk_tile<O> *tile, push_output<O> *output,
                                 thread_counters<O> *mine) {
    const int threads = (int)blockDim.x, max_chunks = max_tile_chunks();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * max_chunks) {
        const bool only = count <= blocks;
        int64_t i = first + (only ? 0 : (int64_t)threadIdx.x * blocks);
        edge_chunk chunk =
            (only || (int)threadIdx.x < max_chunks) && i < count ? queue[i] : edge_chunk{0, 0, 0};
        const int tile_chunks =
            (int)FRI_MIN((int64_t)max_chunks, (count - first + blocks - 1) / blocks);
        const int edges = only ? load_single(tile, chunk) : load_tile(tile, chunk, chunk.count);
        for (int k0 = (int)threadIdx.x; k0 - fri_lane() < edges; k0 += ITEMS * threads) {
            int32_t u[ITEMS];
            O e[ITEMS];
            bool on[ITEMS];
            FRI_UNROLL
            for (int j = 0; j < ITEMS; j++) {
                int k = k0 + j * threads, owner = fri_find_owner(tile->before, tile_chunks, k);
                on[j] = k < edges;
                u[j] = tile->v[owner];
                e[j] = (O)(tile->begin[owner] + (k - tile->before[owner]));
            }
            expand_edges(p, depth, u, e, on, output, mine);
        }
    }
}

/* Lanes per short chunk: as many as the grid has for all, at least 1. */
static __device__ __forceinline__ int lanes_each(int32_t count) {
    int width = FRI_WARP;
    while (width > 1 && (int64_t)count * width > (int64_t)fri_grid_warps() * FRI_WARP)
        width /= 2;
    return width;
}

/* All threads of the grid: one level from a queue to the next frontier; commit_level() must
 * follow. */
template <class O>
static __device__ void push(const bfs_params<O> &p, int32_t depth, int32_t entries,
                            chunk_tile<O> *tile, push_output<O> *output, thread_counters<O> *mine) {
    const edge_chunk *queue = p.queue[depth & 1];
    if ((p.features & FEATURE_BALANCED_PUSH) && p.max_degree > (uint32_t)SHORT_ROW)
        push_even(p, depth, queue, entries, tile, output, mine);
    else
        push_short(p, depth, queue, entries, lanes_each(entries), output, mine);
}

#endif
