/* One level of `multi-device` on the grid of one device: top-down along the push rows of the whole
 * frontier, or bottom-up along the pull rows of own vertices. Claims, levels and parents are local. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_LEVEL_CUH
#define FRI_CUDA_BFS_MULTI_DEVICE_LEVEL_CUH

#include "cuda/bfs/multi_device/list_level.cuh"

/* Whole warp: words `first`, `first` + 1, ... of own vertices are final, lane i has word i: bits of
 * vertices found, of the frontier, and not found and undefined. Writes levels, counts what was found,
 * stores the words with finds to the other devices, and lists the finds. */
template <class O>
static __device__ __forceinline__ void
finish_words(const slice_params<O> &p, int32_t depth, const slice_decision &d, int32_t first,
             const pending_writes &writes, int phase, slice_counters<O> *mine) {
    const uint32_t found = writes.found;
    for (int to = 0; found && to < p.joint.devices; to++)
        if (to != p.joint.me)
            fri_peer_store(&bits_of(p, to, depth + 1)[p.first_word + first + fri_lane()], found);
    if (p.joint.devices > 1)
        mine->words += __popc(__ballot_sync(FRI_FULL_MASK, found != 0));
    if (p.targets && found) {
        const int hits = __popc(found & p.targets[first + fri_lane()]);
        if (hits) /* other warps add */
            atomicAdd(&p.control->targets_found[phase], hits);
    }
    if (d.defers)
        mine->vertices += __popc(found);
    else
        write_levels(p.own, depth, first, writes, mine);
    if (d.also_lists)
        list_words(p, depth + 1, phase, first, found);
}

/* The bits of an own word in the frontier if their levels are deferred. */
template <class O>
static __device__ __forceinline__ uint32_t deferred_bits(const slice_params<O> &p, int32_t depth,
                                                         const slice_decision &d, int32_t word) {
    return d.deferred ? own_bits(p, depth)[word] : 0;
}

/* Bits of vertices of an own word that a pull must initialize. */
template <class O>
static __device__ __forceinline__ uint32_t undefined_bits(const slice_params<O> &p, int32_t word,
                                                          uint32_t unvisited) {
    return uninitialized_bits(p.own, word, unvisited);
}

/* All threads of the grid: queues the rows of the bitmap's vertices. */
template <class O>
static __device__ void queue_bitmap(const slice_params<O> &p, int32_t depth, level_counters *now,
                                    warp_stage<O> *stage) {
    const uint32_t *front = bits_of(p, p.joint.me, depth);
    const int each = (p.words + fri_grid_warps() - 1) / fri_grid_warps();
    const int share = FRI_MIN(each, FRI_WARP);
    queue_writer<O> out = {stage, &now->entries, depth, 0};
    for (int32_t first = fri_grid_warp() * share; first < p.words;
         first += fri_grid_warps() * share) {
        const bool on = fri_lane() < share && first + fri_lane() < p.words;
        enqueue_bits(p.rows, first, on ? front[first + fri_lane()] : 0, &out);
    }
    commit_level(p.rows, thread_counters<O>{0, 0, 0}, &out, now);
}

/* All threads of the grid, before a push: the own words of the next bitmap hold the words of `visited` until
 * it ends. So a find costs one atomic: what is visited then and was not before is found. */
template <class O> static __device__ void save_visited(const slice_params<O> &p, int32_t depth) {
    const int64_t each = (int64_t)gridDim.x * blockDim.x;
    uint32_t *before = own_bits(p, depth + 1);
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < words_of(p.own.n);
         i += each)
        before[i] = p.own.visited[i];
}

/* All threads of the grid, after a barrier: the words in which a push has found vertices. */
template <class O>
static __device__ void finish_push(const slice_params<O> &p, int32_t depth, const slice_decision &d,
                                   int phase, slice_counters<O> *mine) {
    uint32_t *next = own_bits(p, depth + 1);
    const int32_t all = words_of(p.own.n);
    for (int32_t first = fri_grid_warp() * FRI_WARP; first < all;
         first += fri_grid_warps() * FRI_WARP) {
        const int32_t word = first + fri_lane();
        uint32_t found = 0;
        if (word < all)
            next[word] = found = p.own.visited[word] & ~next[word];
        if (__any_sync(FRI_FULL_MASK, found != 0))
            finish_words(p, depth, d, first, {found, 0, 0}, phase, mine);
    }
}

/* All threads of the grid. False: a device has given up, here and below. */
template <class O>
static __device__ bool push_level(const slice_params<O> &p, int32_t depth, int phase,
                                  const slice_decision &d, shared_storage<O> *storage,
                                  fri_joint_state *joint, slice_counters<O> *mine) {
    warp_stage<O> *stage = &storage->push.stages[fri_warp()];
    level_counters *now = &p.control->counters[phase];
    save_visited(p, depth);
    if (d.has_list)
        queue_lists(p, depth, d, now);
    else
        queue_bitmap(p, depth, now, stage);
    if (!fri_joint_grid_sync(p.joint, joint)) /* the queue is complete */
        return false;
    const int32_t entries = read_count(&now->entries);
    push_output<O> to = {{stage, nullptr, depth + 1, 0, nullptr}, true, nullptr, true};
    push(p.own, depth, entries, &storage->push.tile, &to, mine);
    mine->vertices = 0;                       /* finish_push() counts them */
    if (!fri_joint_grid_sync(p.joint, joint)) /* all claims are made */
        return false;
    finish_push(p, depth, d, fri_next_phase(phase), mine);
    return true;
}

/* Words of own vertices per tile: as few as give every warp one tile. */
template <class O> static __device__ __forceinline__ int tile_share(const slice_params<O> &p) {
    const int each = (words_of(p.own.n) + fri_grid_warps() - 1) / fri_grid_warps();
    const int tiles = FRI_MAX((each + TILE_WORDS - 1) / TILE_WORDS, 1);
    return FRI_MAX((each + tiles - 1) / tiles, 1);
}

/* Whole warp: one tile, as pull() of `auto` does. Returns its vertices with long rows; `found` is
 * final without these. */
template <class O>
static __device__ __forceinline__ int
pull_tile(const slice_params<O> &p, const uint32_t *front, word_tile<O> *tile, int32_t first,
          uint32_t unvisited, uint32_t *found, slice_counters<O> *mine) {
    int long_rows = 0;
    if (fri_lane() < TILE_WORDS) {
        tile->unvisited[fri_lane()] = unvisited;
        tile->found[fri_lane()] = 0;
    }
    __syncwarp(); /* the tile is written */
    if (__any_sync(FRI_FULL_MASK, unvisited != 0)) {
        if (p.own.hub_parents)
            pull_hub_parents(p.own, front, tile, first, mine);
        long_rows = pull_listed(p.own, front, tile, first, list_unvisited(tile), mine);
        __syncwarp(); /* the found bits are complete */
    }
    *found = fri_lane() < TILE_WORDS ? tile->found[fri_lane()] : 0;
    return long_rows;
}

/* All threads of the grid: the tiles; those with long rows stay unfinished. */
template <class O>
static __device__ void pull_tiles(const slice_params<O> &p, int32_t depth, const slice_decision &d,
                                  int phase, word_tile<O> *tile, slice_counters<O> *mine) {
    const uint32_t *front = bits_of(p, p.joint.me, depth);
    uint32_t *found_map = own_bits(p, depth + 1);
    const int all = words_of(p.own.n), share = tile_share(p);
    for (int32_t first = fri_grid_warp() * share; first < all; first += fri_grid_warps() * share) {
        const int32_t word = first + fri_lane();
        const bool own = fri_lane() < share && word < all;
        const uint32_t unvisited = own ? ~p.own.visited[word] : 0;
        uint32_t found;
        const int long_rows = pull_tile(p, front, tile, first, unvisited, &found, mine);
        if (own && found) {
            found_map[word] = found;
            p.own.visited[word] = ~unvisited | found;
        }
        if (long_rows) {
            queue_long_rows(p.own, depth, tile, first, long_rows, &p.control->counters[phase]);
            if (fri_lane() == 0) /* other warps add */
                p.long_row_tiles[atomicAdd(&p.control->long_row_tiles[phase], 1)] = first;
        } else
            finish_words(p, depth, d, first,
                         {found, own ? deferred_bits(p, depth, d, word) : 0,
                          d.initializes && own ? undefined_bits(p, word, unvisited) : 0},
                         phase, mine);
        __syncwarp(); /* the tile is read */
    }
}

/* Any thread: claims own vertex v, whose in-neighbor u is in the frontier; threads with other chunks
 * of v may do so at once. */
template <class O>
static __device__ __forceinline__ void claim_in_long_row(const slice_params<O> &p, int32_t depth,
                                                         int32_t v, int32_t u) {
    const uint32_t bit = 1u << (v % FRI_WARP); /* words have no single owner in this pass */
    if (atomicOr(&p.own.visited[v / FRI_WARP], bit) & bit)
        return;
    if (p.own.parent)
        p.own.parent[v] = u;
    atomicOr(&own_bits(p, depth + 1)[v / FRI_WARP], bit);
}

/* All threads of the grid, after a barrier: scans `count` chunks of long rows, as pull_long_rows() of
 * `auto` does. */
template <class O>
static __device__ void pull_own_long_rows(const slice_params<O> &p, int32_t depth, int32_t count,
                                          chunk_tile<O> *tile, slice_counters<O> *mine) {
    const uint32_t *front = bits_of(p, p.joint.me, depth);
    const int threads = (int)blockDim.x, max_chunks = max_tile_chunks();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * max_chunks) {
        const int64_t i = first + (int64_t)threadIdx.x * blocks;
        const bool on = (int)threadIdx.x < max_chunks && i < count;
        const edge_chunk chunk = on ? p.own.queue[depth & 1][i] : edge_chunk{0, 0, 0};
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
            const int32_t u = probe_sector(p.own, front, from, end, mine);
            if (u < 0)
                continue;
            fri_racy_store(&tile->v[owner], -1); /* racy: all store the same value */
            claim_in_long_row(p, depth, v, u);
        }
    }
}

/* All threads of the grid, after a barrier: the tiles that pull_tiles() has left. */
template <class O>
static __device__ void finish_own_long_rows(const slice_params<O> &p, int32_t depth,
                                            const slice_decision &d, int phase, int32_t tiles,
                                            slice_counters<O> *mine) {
    const int all = words_of(p.own.n), share = tile_share(p);
    for (int32_t i = fri_grid_warp(); i < tiles; i += fri_grid_warps()) {
        const int32_t first = p.long_row_tiles[i], word = first + fri_lane();
        const bool own = fri_lane() < share && word < all;
        const uint32_t found = own ? own_bits(p, depth + 1)[word] : 0;
        const uint32_t undefined =
            d.initializes && own ? undefined_bits(p, word, ~p.own.visited[word]) : 0;
        finish_words(p, depth, d, first,
                     {found, own ? deferred_bits(p, depth, d, word) : 0, undefined}, phase, mine);
    }
}

/* All threads of the grid. */
template <class O>
static __device__ bool pull_level(const slice_params<O> &p, int32_t depth, int phase,
                                  const slice_decision &d, shared_storage<O> *storage,
                                  fri_joint_state *joint, slice_counters<O> *mine) {
    const int next = fri_next_phase(phase);
    if (!d.has_bitmap) {
        lists_to_bitmap(p, depth, d);
        if (!fri_joint_grid_sync(p.joint, joint)) /* the bitmap is complete */
            return false;
    }
    pull_tiles(p, depth, d, next, &storage->word_tiles[fri_warp()], mine);
    if (!p.has_long_rows)
        return true;
    if (!fri_joint_grid_sync(p.joint, joint)) /* the long rows are known */
        return false;
    const int32_t chunks = read_count(&p.control->counters[next].long_chunks);
    if (chunks == 0)
        return true;
    pull_own_long_rows(p, depth, chunks, &storage->push.tile, mine);
    if (!fri_joint_grid_sync(p.joint, joint)) /* all claims are made */
        return false;
    finish_own_long_rows(p, depth, d, next, read_count(&p.control->long_row_tiles[next]), mine);
    return true;
}

#endif
