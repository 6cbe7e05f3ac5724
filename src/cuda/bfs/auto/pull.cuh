/* Bottom-up levels of `auto`, on bitmaps. */
#ifndef FRI_CUDA_BFS_AUTO_PULL_CUH
#define FRI_CUDA_BFS_AUTO_PULL_CUH

#include "cuda/bfs/auto/frontier_convert.cuh"
#include "cuda/bfs/auto/push.cuh"
#include "cuda/bfs/auto/single_block.cuh"

/* SECTOR: in-edges that a lane reads at once, 32 bytes. LANE_EDGES: those that it scans before the
 * rest of the row, a long row, is left to pull_long_rows(). TILE_WORDS: bitmap words of a warp's
 * tile. With 18 the warps of 132 multiprocessors cover 2.43 million vertices in one iteration; with
 * 22, on an H200, two blocks' shared memory took so much of L1 that a pull of uniform random graphs
 * was 15 % slower. */
enum { SECTOR = 8, LANE_EDGES = 128, TILE_WORDS = 18 };
/* As LANE_EDGES, with short queues: the remaining chunks of long rows are at most m / CHUNK_EDGES, and
 * so fit into a queue however short it is. */
static const int SHORT_QUEUE_LANE_EDGES = 264;

namespace {
/* A warp's tile of bitmap words. */
template <class O> struct alignas(8) word_tile {
    uint32_t unvisited[TILE_WORDS]; /* bits of vertices to be found */
    uint32_t found[TILE_WORDS];     /* bits of vertices found */
    union {
        uint16_t
            /* unvisited vertices, relative to the first word's first */
            list[TILE_WORDS * FRI_WARP];
        warp_stage<O> stage; /* after the list has been processed */
    };
};

/* A block's shared memory: for a pull, or for everything else. */
template <class O> union shared_storage {
    word_tile<O> word_tiles[FRI_GRID_THREADS / FRI_WARP];
    struct {
        warp_stage<O> stages[FRI_GRID_THREADS / FRI_WARP];
        chunk_tile<O> tile;
        /* of aggregated claims */
        uint32_t word_sums[FRI_GRID_THREADS / FRI_WARP][STAGE_SIZE];
        hub_buffer<O> hubs;
    } push;
    single_block_frontier<O> single_block;
};

/* A lane's vertex and its edges: [at, lane_end) for this lane to scan, the rest up to `end`. */
template <class O> struct edge_cursor {
    int32_t nth; /* index of the vertex within the tile; -1: none */
    O at, lane_end, end;
};
} // namespace

/* The aligned SECTOR targets from `base` on. */
template <class O>
static __device__ __forceinline__ void read_sector(const bfs_params<O> &p, O base, int32_t *u) {
    const int32_t *at = p.in.targets + base;
    if ((int64_t)base + SECTOR <= p.m) {
        const int4 low = ((const int4 *)at)[0], high = ((const int4 *)at)[1];
        u[0] = low.x, u[1] = low.y, u[2] = low.z, u[3] = low.w;
        u[4] = high.x, u[5] = high.y, u[6] = high.z, u[7] = high.w;
        return;
    }
    FRI_UNROLL
    for (int j = 0; j < SECTOR; j++) /* the last sector */
        u[j] = (int64_t)base + j < p.m ? at[j] : 0;
}

/* Returns a source in the frontier of edges [e, end), which lie in one aligned sector, or -1. */
template <class O>
static __device__ __forceinline__ int32_t probe_sector(const bfs_params<O> &p,
                                                       const uint32_t *front, O e, O end,
                                                       thread_counters<O> *mine) {
    int32_t u[SECTOR], hit = -1;
    const O base = e & ~(O)(SECTOR - 1);
    const unsigned valid = (1u << (int)(end - base)) - (1u << (int)(e - base));
    unsigned in = 0;
    read_sector(p, base, u);
    mine->edges_scanned += (edge_sum<O>)(end - e);
    FRI_COUNT(p.out, FR_COUNTER_EDGES, end - e);
    FRI_UNROLL
    for (int j = 0; j < SECTOR; j++)
        in |= (valid >> j & 1 && has_bit(front, u[j]) ? 1u : 0u) << j;
    FRI_UNROLL
    for (int j = 0; j < SECTOR; j++)
        hit = in >> j & 1 ? u[j] : hit;
    return hit;
}

/* Whole warp: finds those unvisited vertices of its tile whose hub parent is in the frontier;
 * vertices with no other in-neighbor are not scanned again in this level. */
template <class O>
static __device__ __forceinline__ void pull_hub_parents(const bfs_params<O> &p,
                                                        const uint32_t *front, word_tile<O> *tile,
                                                        int32_t first, thread_counters<O> *mine) {
    unsigned live =
        __ballot_sync(FRI_FULL_MASK, fri_lane() < TILE_WORDS && tile->unvisited[fri_lane()]);
    while (live) {
        int at[BATCH_WORDS];
        int32_t hub_parent[BATCH_WORDS];
        bool hit[BATCH_WORDS];
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            at[j] = live ? __ffs((int)live) - 1 : -1;
            live &= live - 1;
            bool unvisited = at[j] >= 0 && tile->unvisited[at[j]] >> fri_lane() & 1;
            hub_parent[j] = unvisited ? p.hub_parents[(first + at[j]) * FRI_WARP + fri_lane()] : -1;
        }
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            int32_t u = hub_parent[j] < -1 ? -2 - hub_parent[j] : hub_parent[j];
            hit[j] = u >= 0 && has_bit(front, u);
            mine->edges_scanned += u >= 0;
            FRI_COUNT(p.out, FR_COUNTER_EDGES, u >= 0);
        }
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            uint32_t found = __ballot_sync(FRI_FULL_MASK, hit[j]);
            uint32_t settled = __ballot_sync(FRI_FULL_MASK, hit[j] || hub_parent[j] < -1);
            if (fri_lane() == 0 && at[j] >= 0) {
                tile->found[at[j]] = found;
                tile->unvisited[at[j]] &= ~settled;
            }
            if (hit[j] && p.parent)
                p.parent[(first + at[j]) * FRI_WARP + fri_lane()] =
                    hub_parent[j] < -1 ? -2 - hub_parent[j] : hub_parent[j];
        }
    }
    __syncwarp(); /* the remaining unvisited vertices are known */
}

/* Whole warp: lists its tile's unvisited vertices. Returns how many. */
template <class O> static __device__ __forceinline__ int list_unvisited(word_tile<O> *tile) {
    int total = 0;
    FRI_UNROLL
    for (int i = 0; i < TILE_WORDS; i++) {
        const uint32_t unvisited = tile->unvisited[i];
        if (unvisited >> fri_lane() & 1)
            tile->list[total + __popc(unvisited & ((1u << fri_lane()) - 1))] =
                (uint16_t)(i * FRI_WARP + fri_lane());
        total += __popc(unvisited);
    }
    __syncwarp(); /* the list is written */
    return total;
}

/* The first edge of a row that a lane does not scan; it scans at most LANE_EDGES edges. */
template <class O>
static __device__ __forceinline__ O long_row_begin(const bfs_params<O> &, O begin) {
    return (begin & ~(O)(SECTOR - 1)) + (O)LANE_EDGES;
}
template <class O>
static __device__ __forceinline__ O long_row_begin(const short_queue_params<O> &, O begin) {
    return (begin & ~(O)(SECTOR - 1)) + (O)SHORT_QUEUE_LANE_EDGES;
}

/* Whole warp: scans the `total` vertices of its list. Each lane has a current vertex and, while its
 * offsets are in flight, the next one; a lane that has finished its vertex takes the next of the
 * list. Returns the number of vertices with long rows, which are moved to the beginning of the
 * list. */
template <class P, class O>
static __device__ __forceinline__ int pull_listed(const P &p, const uint32_t *front,
                                                  word_tile<O> *tile, int32_t first, int total,
                                                  thread_counters<O> *mine) {
    edge_cursor<O> now = {-1, 0, 0, 0};
    int32_t next_nth = -1;
    O begin = 0, end = 0;
    int listed = 0, long_rows = 0;
    const unsigned below = (1u << fri_lane()) - 1;
    for (;;) {
        if (now.nth < 0 && next_nth >= 0) {
            now = {next_nth, begin, FRI_MIN(long_row_begin(p, begin), end), end};
            next_nth = -1;
        }
        const unsigned idle = __ballot_sync(FRI_FULL_MASK, next_nth < 0);
        const int list_index = listed + __popc(idle & below);
        if (next_nth < 0 && list_index < total) {
            next_nth = tile->list[list_index];
            begin = p.in.offsets[first * FRI_WARP + next_nth];
            end = p.in.offsets[first * FRI_WARP + next_nth + 1];
        }
        listed = FRI_MIN(listed + __popc(idle), total);
        if (!__any_sync(FRI_FULL_MASK, now.nth >= 0 || next_nth >= 0))
            return long_rows;
        bool is_long = false;
        const int32_t nth = now.nth;
        if (nth >= 0 && now.at < now.lane_end) {
            const O stop = FRI_MIN((O)((now.at & ~(O)(SECTOR - 1)) + SECTOR), now.lane_end);
            const int32_t u = probe_sector(p, front, now.at, stop, mine);
            now.at = stop;
            if (u >= 0) {
                /* lanes share the word */
                atomicOr(&tile->found[nth / FRI_WARP], 1u << (nth % FRI_WARP));
                if (p.parent)
                    p.parent[first * FRI_WARP + nth] = u;
                now.nth = -1;
            }
        }
        if (now.nth >= 0 && now.at >= now.lane_end) {
            is_long = now.lane_end < now.end;
            now.nth = -1;
        }
        const unsigned long_lanes = __ballot_sync(FRI_FULL_MASK, is_long);
        if (long_lanes) {
            __syncwarp(); /* their positions in the list are read */
            if (is_long)
                tile->list[long_rows + __popc(long_lanes & below)] = (uint16_t)nth;
            long_rows += __popc(long_lanes);
        }
    }
}

/* Whole warp: queues the edges not scanned yet of the list's first `long_rows` vertices as
 * chunks. */
template <class P, class O>
static __device__ void queue_long_rows(const P &p, int32_t depth, const word_tile<O> *tile,
                                       int32_t first, int long_rows, level_counters *next) {
    __syncwarp(); /* the list is written */
    for (int from = 0; from < long_rows; from += FRI_WARP) {
        const bool on = from + fri_lane() < long_rows;
        const int32_t v = first * FRI_WARP + (on ? tile->list[from + fri_lane()] : 0);
        const O begin = long_row_begin(p, p.in.offsets[v]), end = p.in.offsets[v + 1];
        append_chunks(p.queue[depth & 1], &next->long_chunks, v, (int64_t)begin,
                      on ? (int64_t)(end - begin) : 0);
    }
}

/* Whether this pull leaves the levels of what it finds to the next level. */
template <class O>
static __device__ __forceinline__ bool pull_defers(const bfs_params<O> &, const level_flags &) {
    return false;
}
template <class O>
static __device__ __forceinline__ bool pull_defers(const deferring_params<O> &,
                                                   const level_flags &flags) {
    return flags.pull_defers;
}

/* All threads of the grid: one level from bitmap to bitmap. Each warp owns a range of bitmap words
 * and processes their unvisited vertices, however few. */
template <class P, class O>
static __device__ void pull(const P &p, int32_t depth, typename P::flags_in_pull flags,
                            word_tile<O> *tile, level_counters *next, queue_writer<O> *out,
                            thread_counters<O> *mine) {
    const uint32_t *front = p.frontier_bits[depth & 1];
    uint32_t *found_map = p.frontier_bits[(depth + 1) & 1];
    const int all = words_of(p.n), each = (all + fri_grid_warps() - 1) / fri_grid_warps();
    const int tiles = (each + TILE_WORDS - 1) / TILE_WORDS, share = (each + tiles - 1) / tiles;
    for (int32_t first = fri_grid_warp() * share; first < all; first += fri_grid_warps() * share) {
        const int32_t word = first + fri_lane();
        const bool own = fri_lane() < share && word < all;
        const uint32_t unvisited = own ? ~p.visited[word] : 0;
        pending_writes writes = {0, flags.levels_deferred && own ? front[word] : 0,
                                 flags.initializes && own ? uninitialized_bits(p, word, unvisited)
                                                          : 0};
        if (fri_lane() < TILE_WORDS) {
            tile->unvisited[fri_lane()] = unvisited;
            tile->found[fri_lane()] = 0;
        }
        __syncwarp(); /* the tile is written */
        if (__any_sync(FRI_FULL_MASK, unvisited != 0)) {
            if (p.hub_parents)
                pull_hub_parents(p, front, tile, first, mine);
            const int long_rows = pull_listed(p, front, tile, first, list_unvisited(tile), mine);
            if (long_rows)
                queue_long_rows(p, depth, tile, first, long_rows, next);
            __syncwarp(); /* the found bits are complete */
        }
        if (own) {
            writes.found = tile->found[fri_lane()];
            found_map[word] = writes.found;
            if (writes.found)
                p.visited[word] = ~unvisited | writes.found;
        }
        if (pull_defers(p, flags)) {
            mine->vertices += __popc(writes.found);
            writes.found = 0;
        }
        write_levels(p, depth, first, writes, mine);
        if (flags.also_queues) {
            enqueue_bits(p, first, writes.found, out);
            flush_stage(p, out); /* the list overlays the stage */
        }
        __syncwarp(); /* the found bits are read */
    }
}

/* Any thread: claims v, whose in-neighbor u is in the frontier; threads with other chunks of v may
 * do so at once. `entries` of the next queue, or NULL if there is none; `defers`: the next level writes
 * v's level and counts its edges. */
template <class O>
static __device__ __forceinline__ void claim_long_row(const bfs_params<O> &p, int32_t depth,
                                                      int32_t v, int32_t u, int32_t *entries,
                                                      bool defers, thread_counters<O> *mine) {
    /* Another chunk's thread may be faster. A level is contended less than a word of 32 vertices, but may be
     * undefined in a pull that defers levels. */
    if (!defers && atomicCAS(&p.level[v], p.unreached, depth + 1) != p.unreached)
        return;
    const uint32_t before = atomicOr(&p.visited[word_of(v)], bit_of(v)); /* others set other bits */
    if (defers && !bit_was_clear(v, before))
        return;
    atomicOr(&p.frontier_bits[(depth + 1) & 1][word_of(v)], bit_of(v)); /* likewise */
    if (p.parent)
        p.parent[v] = u;
    mine->vertices++;
    if (defers)
        return;
    const O begin = p.out.offsets[v], degree = p.out.offsets[v + 1] - begin;
    mine->edges += (edge_sum<O>)degree;
    if (!entries || degree < min_queued_degree(p, depth + 1))
        return;
    edge_chunk *to = p.queue[(depth + 1) & 1];
    const int chunks = (int)fri_chunk_count<CHUNK_EDGES>(degree);
    to += atomicAdd(entries, chunks); /* other threads append too */
    for (int i = 0; i < chunks; i++)
        to[i] = {v,
                 (int32_t)FRI_MIN((int64_t)degree - (int64_t)i * CHUNK_EDGES, (int64_t)CHUNK_EDGES),
                 (int64_t)begin + (int64_t)i * CHUNK_EDGES};
}

/* All threads of the grid, after a grid barrier: scans the chunks of long rows. A block takes every
 * g-th chunk, g being the number of blocks, and distributes their in-edges over its threads, SECTOR
 * at a time, until one thread of a chunk has a hit. */
template <class O>
static __device__ void pull_long_rows(const bfs_params<O> &p, int32_t depth, int32_t count,
                                      chunk_tile<O> *tile, int32_t *entries, bool defers,
                                      thread_counters<O> *mine) {
    const uint32_t *front = p.frontier_bits[depth & 1];
    const int threads = (int)blockDim.x, max_chunks = max_tile_chunks();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * max_chunks) {
        int64_t i = first + (int64_t)threadIdx.x * blocks;
        bool on = (int)threadIdx.x < max_chunks && i < count;
        edge_chunk chunk = on ? p.queue[depth & 1][i] : edge_chunk{0, 0, 0};
        const int tile_chunks =
            (int)FRI_MIN((int64_t)max_chunks, (count - first + blocks - 1) / blocks);
        const int reads = (int)(chunk.begin % SECTOR + chunk.count + SECTOR - 1) / SECTOR;
        const int total = load_tile(tile, chunk, chunk.count ? reads : 0);
        for (int k = (int)threadIdx.x; k < total; k += threads) {
            const int owner = fri_find_owner(tile->before, tile_chunks, k);
            const int32_t v = fri_racy_load(&tile->v[owner]); /* -1 after a hit */
            if (v < 0)
                continue;
            const O begin = tile->begin[owner], base = begin & ~(O)(SECTOR - 1);
            const O at = base + (O)((k - tile->before[owner]) * SECTOR), from = FRI_MAX(at, begin);
            const O end = FRI_MIN((O)(at + SECTOR), (O)(begin + (O)tile->count[owner]));
            const int32_t u = probe_sector(p, front, from, end, mine);
            if (u < 0)
                continue;
            fri_racy_store(&tile->v[owner], -1); /* racy: all store the same value */
            claim_long_row(p, depth, v, u, entries, defers, mine);
        }
    }
}

#endif
