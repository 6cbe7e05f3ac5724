/* The queue of `auto`: edge chunks of frontier vertices, staged per warp, written per block. */
#ifndef FRI_CUDA_BFS_AUTO_QUEUE_WRITER_CUH
#define FRI_CUDA_BFS_AUTO_QUEUE_WRITER_CUH

#include "cuda/bfs/auto/params.cuh"
#include "cuda/prim/append.cuh"

enum { ITEMS = 2, STAGE_SIZE = ITEMS * FRI_WARP, TILE_CHUNKS = 256, HUB_BUFFER = 64 };

namespace {
/* A warp's staging buffer: chunks that it has found and not yet queued. Two blocks' shared memory
 * stays below 49 KB in all, so that L1 has the rest (see TILE_WORDS). */
template <class O> struct warp_stage {
    O begin[STAGE_SIZE];
    int32_t v[STAGE_SIZE];
    uint16_t count[STAGE_SIZE];
};

/* A block's buffer of found vertices with more than CHUNK_EDGES edges that are not yet queued. */
template <class O> struct hub_buffer {
    int32_t count, chunks; /* count: of all that were offered; at most HUB_BUFFER are held */
    O begin[HUB_BUFFER], degree[HUB_BUFFER];
    int32_t v[HUB_BUFFER];
    int chunk_offset[HUB_BUFFER]; /* chunks of the hubs before */
};

/* The chunks that a block expands at once. */
template <class O> struct chunk_tile {
    O begin[TILE_CHUNKS];
    int32_t v[TILE_CHUNKS];
    int before[TILE_CHUNKS]; /* edges of the chunks before */
    uint16_t count[TILE_CHUNKS];
};

/* Where a warp appends: few registers; the rest is in bfs_params. */
template <class O> struct queue_writer {
    warp_stage<O> *stage;
    int32_t *entries;    /* the queue's size */
    int32_t depth;       /* of the vertices that are queued */
    int staged;          /* chunks in the stage, the same in all lanes */
    hub_buffer<O> *hubs; /* or NULL: hubs are queued at once */
};

/* A block's totals at the end of a level. */
template <class O> struct block_totals {
    edge_sum<O> edges, edges_scanned, uncounted_edges;
    int32_t vertices, staged, base;
};
} // namespace

/* Minimum degree of a vertex worth queueing: a single edge leads back to the parent, except from a
 * source. */
template <class O>
static __device__ __forceinline__ O min_queued_degree(const bfs_params<O> &p, int32_t depth) {
    return p.symmetric && depth > 0 ? 2 : 1;
}

/* Whole warp: writes the staged chunks to the queue from `base` on. */
template <class O>
static __device__ __forceinline__ void flush_stage_at(const bfs_params<O> &p, queue_writer<O> *out,
                                                      int base) {
    __syncwarp(); /* the stage is written */
    FRI_ROLLED
    for (int i = fri_lane(); i < out->staged; i += FRI_WARP)
        p.queue[out->depth & 1][base + i] = {out->stage->v[i], out->stage->count[i],
                                             (int64_t)out->stage->begin[i]};
    __syncwarp(); /* the stage is read */
    out->staged = 0;
}

/* Whole warp: the same, at the queue's end. */
template <class O>
static __device__ __forceinline__ void flush_stage(const bfs_params<O> &p, queue_writer<O> *out) {
    if (out->staged)
        flush_stage_at(p, out, fri_reserve(out->entries, out->staged));
}

/* Whole warp: appends edges [begin, begin + degree) of the lanes' vertices to a queue of `entries`
 * entries, as chunks. */
static __device__ void append_chunks(edge_chunk *queue, int32_t *entries, int32_t v, int64_t begin,
                                     int64_t degree) {
    int total, before = fri_warp_prefix((int)fri_chunk_count<CHUNK_EDGES>(degree), &total);
    if (total == 0)
        return;
    edge_chunk *at = queue + fri_reserve(entries, total);
    auto put = [&](int i, int, const edge_chunk &chunk) {
        if (i < total)
            at[i] = chunk;
    };
    fri_for_each_chunk<CHUNK_EDGES, 1>(before, total, v, begin, degree, put);
}

/* Any thread: true if the vertex of many edges is held until the end of the level, when its
 * block writes its chunks. Otherwise a warp that finds all hubs of a word would write their
 * chunks alone. */
template <class O>
static __device__ __forceinline__ bool buffer_hub(hub_buffer<O> *hubs, int32_t v, O begin,
                                                  O degree) {
    const int i = hubs ? atomicAdd(&hubs->count, 1) : (int)HUB_BUFFER; /* the block's threads add */
    if (i >= HUB_BUFFER)
        return false;
    hubs->v[i] = v;
    hubs->begin[i] = begin;
    hubs->degree[i] = degree;
    /* the block's threads add */
    hubs->chunk_offset[i] = atomicAdd(&hubs->chunks, (int)fri_chunk_count<CHUNK_EDGES>(degree));
    return true;
}

/* All threads of the block, at the end of a level: queues the chunks of the held hubs, one warp per
 * vertex. */
template <class O>
static __device__ __forceinline__ void flush_hubs(const bfs_params<O> &p,
                                                  const queue_writer<O> &out) {
    FRI_SHARED(int32_t, base, 1);
    const hub_buffer<O> *hubs = out.hubs;
    __syncthreads(); /* all hubs of the level are held */
    const int count = FRI_MIN(hubs->count, (int)HUB_BUFFER);
    if (count == 0)
        return;
    if (threadIdx.x == 0)
        *base = atomicAdd(out.entries, hubs->chunks); /* other blocks append too */
    __syncthreads();                                  /* the position is known */
    FRI_ROLLED
    for (int i = fri_warp(); i < count; i += (int)(blockDim.x / FRI_WARP)) {
        const O begin = hubs->begin[i], degree = hubs->degree[i];
        edge_chunk *to = p.queue[out.depth & 1] + *base + hubs->chunk_offset[i];
        FRI_ROLLED
        for (int nth = fri_lane(); nth < (int)fri_chunk_count<CHUNK_EDGES>(degree); nth += FRI_WARP)
            to[nth] = fri_nth_chunk<CHUNK_EDGES>(hubs->v[i], begin, degree, nth);
    }
}

/* Whole warp: stages or queues the lanes' vertices, ITEMS each, that have `min_degree` edges or
 * more. */
template <class O>
static __device__ __forceinline__ void enqueue(const bfs_params<O> &p, const int32_t *v,
                                               const O *begin, const O *degree, O min_degree,
                                               queue_writer<O> *out) {
    int position[ITEMS], total = 0;
    bool any_hub = false;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        FRI_COUNT(p.out, FR_COUNTER_ENQUEUES, degree[j] >= min_degree);
        position[j] =
            fri_assign_positions(degree[j] >= min_degree && degree[j] <= (O)CHUNK_EDGES, &total);
        any_hub |= degree[j] > (O)CHUNK_EDGES;
    }
    if (out->staged + total > STAGE_SIZE)
        flush_stage(p, out);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        if (degree[j] >= min_degree && degree[j] <= (O)CHUNK_EDGES) {
            const int at = out->staged + position[j];
            out->stage->v[at] = v[j];
            out->stage->begin[at] = begin[j];
            out->stage->count[at] = (uint16_t)degree[j];
        }
    out->staged += total;
    if (!__any_sync(FRI_FULL_MASK, any_hub))
        return;
    FRI_ROLLED
    for (int j = 0; j < ITEMS; j++) {
        int32_t one = 0;
        O from = 0, its = 0;
        FRI_UNROLL
        for (int k = 0; k < ITEMS; k++) /* static indices only: dynamic ones would cost registers */
            if (k == j)
                one = v[k], from = begin[k], its = degree[k];
        const bool left = its > (O)CHUNK_EDGES && !buffer_hub(out->hubs, one, from, its);
        if (__any_sync(FRI_FULL_MASK, left))
            append_chunks(p.queue[out->depth & 1], out->entries, one, (int64_t)from,
                          left ? (int64_t)its : 0);
    }
}

/* All threads of the block, at the end of a level: writes the staged chunks to the queue and adds
 * the thread counters to the next level's, with one atomic per block for each: L2 serializes
 * thousands of atomics on one address. */
template <class O>
static __device__ __forceinline__ void commit_level(const bfs_params<O> &p,
                                                    const thread_counters<O> &mine,
                                                    queue_writer<O> *out, level_counters *next) {
    FRI_SHARED(block_totals<O>, totals, 1);
    int offset = 0;
    if (threadIdx.x == 0)
        *totals = {0, 0, 0, 0, 0, 0};
    __syncthreads(); /* the sums are zero */
    if (__any_sync(FRI_FULL_MASK, mine.vertices || mine.edges || mine.edges_scanned ||
                                      mine.uncounted_edges || out->staged)) {
        edge_sum<O> edges = fri_warp_total(mine.edges),
                    scanned = fri_warp_total(mine.edges_scanned);
        edge_sum<O> uncounted_edges = fri_warp_total(mine.uncounted_edges);
        int32_t vertices = (int32_t)fri_warp_total((unsigned)mine.vertices);
        if (fri_lane() == 0) { /* up to 16 warps add */
            atomicAdd(&totals->edges, edges);
            atomicAdd(&totals->edges_scanned, scanned);
            atomicAdd(&totals->uncounted_edges, uncounted_edges);
            atomicAdd(&totals->vertices, vertices);
            offset = atomicAdd(&totals->staged, out->staged);
        }
    }
    __syncthreads();        /* the block's sums are complete */
    if (threadIdx.x == 0) { /* all blocks add */
        if (totals->staged)
            totals->base = atomicAdd(out->entries, totals->staged);
        if (totals->edges)
            atomicAdd(&next->edges, (unsigned long long)totals->edges);
        if (totals->vertices)
            atomicAdd(&next->vertices, totals->vertices);
        if (totals->uncounted_edges)
            atomicAdd(&next->uncounted_edges, (unsigned long long)totals->uncounted_edges);
        if (totals->edges_scanned)
            atomicAdd(&p.control->edges_scanned, (unsigned long long)totals->edges_scanned);
    }
    __syncthreads(); /* the block's position in the queue is known */
    if (out->staged)
        flush_stage_at(p, out, totals->base + __shfl_sync(FRI_FULL_MASK, offset, 0));
}

#endif
