/* Levels of few edges of `multi-device`. Each device appends the vertices that it finds to a list in the
 * memory of every device, so that such a level has no pass over a bitmap and, but for hubs, no barrier
 * except the joint one. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_LIST_LEVEL_CUH
#define FRI_CUDA_BFS_MULTI_DEVICE_LIST_LEVEL_CUH

#include "cuda/bfs/multi_device/params.cuh"

/* The vertices of that depth that device `from` found, in the memory of a device. */
template <class O>
static __device__ __forceinline__ int32_t *list_of(const slice_params<O> &p, int device, int from,
                                                   int32_t depth) {
    return p.lists[device] + ((int64_t)(depth & 1) * p.joint.devices + from) * p.list_edges;
}

/* Whole warp: appends the lanes' own vertices, where `on`, to the list in the memory of every device.
 * A list that is full only counts. */
template <class O>
static __device__ __forceinline__ void append_to_lists(const slice_params<O> &p, int32_t depth,
                                                       int phase, const int32_t *v,
                                                       const bool *on) {
    int position[ITEMS], total = 0;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        position[j] = fri_assign_positions(on[j], &total);
    if (total == 0)
        return;
    const int32_t base = fri_reserve(&p.control->listed[phase], total);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        for (int d = 0; d < p.joint.devices; d++)
            if (on[j] && base + position[j] < p.list_edges)
                fri_peer_store(&list_of(p, d, p.joint.me, depth)[base + position[j]],
                               v[j] + p.first);
}

/* Any thread: sets the flag of hubs if a listed vertex of that degree is one. */
template <class O>
static __device__ __forceinline__ void note_hub(const slice_params<O> &p, int phase, O degree) {
    if (degree > (O)FRI_SLICE_HUB_EDGES)
        fri_racy_store(&p.control->hubs[phase], 1); /* racy: all store the same value */
}

/* Whole warp: lane i has the bits of own word `first` + i; returns those whose vertices are worth
 * listing. */
template <class O>
static __device__ __forceinline__ uint32_t bits_to_list(const slice_params<O> &p, int phase,
                                                        int32_t first, uint32_t bits) {
    unsigned live = __ballot_sync(FRI_FULL_MASK, bits != 0);
    uint32_t listed = 0;
    while (live) {
        int at[BATCH_WORDS];
        O degree[BATCH_WORDS];
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            at[j] = live ? __ffs((int)live) - 1 : 0;
            const bool on = live && __shfl_sync(FRI_FULL_MASK, bits, at[j]) >> fri_lane() & 1;
            const int32_t v = (first + at[j]) * FRI_WARP + fri_lane();
            degree[j] = on ? p.own.out.offsets[v + 1] - p.own.out.offsets[v] : 0;
            live &= live - 1;
        }
        FRI_UNROLL
        for (int j = 0; j < BATCH_WORDS; j++) {
            note_hub(p, phase, degree[j]);
            const uint32_t mask = __ballot_sync(FRI_FULL_MASK, degree[j] >= (O)p.min_degree);
            listed |= fri_lane() == at[j] ? mask : 0;
        }
    }
    return listed;
}

/* Whole warp: appends these vertices to the lists, with one atomic for all. */
template <class O>
static __device__ __forceinline__ void list_words(const slice_params<O> &p, int32_t depth,
                                                  int phase, int32_t first, uint32_t bits) {
    uint32_t left = bits_to_list(p, phase, first, bits);
    int total, at = fri_warp_prefix(__popc(left), &total);
    if (total == 0)
        return;
    at += fri_reserve(&p.control->listed[phase], total);
    for (; left && at < p.list_edges; at++, left &= left - 1) {
        const int32_t v = (first + fri_lane()) * FRI_WARP + __ffs((int)left) - 1;
        for (int d = 0; d < p.joint.devices; d++)
            fri_peer_store(&list_of(p, d, p.joint.me, depth)[at], v + p.first);
    }
}

/* Entries of the frontier's lists. */
static __device__ __forceinline__ int64_t entries_of(const slice_decision &d, int devices) {
    int64_t all = 0;
    for (int k = 0; k < devices; k++)
        all += d.listed[k];
    return all;
}

/* The nth entry, as the row of its edges to own vertices. */
template <class O>
static __device__ __forceinline__ edge_chunk row_of_entry(const slice_params<O> &p, int32_t depth,
                                                          const slice_decision &d, int64_t nth) {
    int from = 0;
    for (; nth >= d.listed[from]; from++)
        nth -= d.listed[from];
    const int32_t v = list_of(p, p.joint.me, from, depth)[nth];
    const O begin = p.rows.out.offsets[v];
    return {v, (int32_t)(p.rows.out.offsets[v + 1] - begin), (int64_t)begin};
}

/* Whole warp: each lane expands ITEMS edges from u, those where `on`, as expand_edges() does; what is
 * found has the next level and is listed. */
template <class O>
static __device__ __forceinline__ void expand_to_lists(const slice_params<O> &p, int32_t depth,
                                                       int phase, const int32_t *u, const O *e,
                                                       const bool *on, slice_counters<O> *mine) {
    const bfs_params<O> &own = p.own;
    int32_t v[ITEMS];
    uint32_t answer[ITEMS];
    O degree[ITEMS];
    bool candidate[ITEMS], listed[ITEMS];
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        v[j] = on[j] ? own.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        candidate[j] = on[j] && maybe_unvisited(own, v[j]);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        degree[j] = candidate[j] ? own.out.offsets[v[j] + 1] - own.out.offsets[v[j]] : 0;
        mine->edges_scanned += on[j];
        FRI_COUNT(own.out, FR_COUNTER_EDGES, on[j]);
        FRI_COUNT(own.out, FR_COUNTER_ATOMICS, candidate[j]);
        answer[j] = candidate[j] ? claim_begin(own, v[j], depth) : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        const bool fresh = candidate[j] && claim_won(own, v[j], answer[j], depth);
        listed[j] = fresh && degree[j] >= (O)p.min_degree;
        if (!fresh)
            continue;
        if (own.parent)
            own.parent[v[j]] = u[j];
        if (p.targets && has_bit(p.targets, v[j])) /* other threads add */
            atomicAdd(&p.control->targets_found[phase], 1);
        note_hub(p, phase, degree[j]);
        mine->vertices++;
        mine->edges += (edge_sum<O>)degree[j];
    }
    append_to_lists(p, depth + 1, phase, v, listed);
}

/* All threads of the grid: the edges of `count` rows, row(i) is the ith. A block takes every g-th row, g
 * being the number of blocks, and distributes its rows' edges evenly over its threads. */
template <class O, class F>
static __device__ __forceinline__ void push_rows(const slice_params<O> &p, int32_t depth, int phase,
                                                 int64_t count, chunk_tile<O> *tile,
                                                 slice_counters<O> *mine, F row) {
    const int threads = (int)blockDim.x, max_chunks = max_tile_chunks();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * max_chunks) {
        const int64_t i = first + (int64_t)threadIdx.x * blocks;
        const edge_chunk chunk =
            (int)threadIdx.x < max_chunks && i < count ? row(i) : edge_chunk{0, 0, 0};
        const int rows = (int)FRI_MIN((int64_t)max_chunks, (count - first + blocks - 1) / blocks);
        const int edges = load_tile(tile, chunk, chunk.count);
        for (int k0 = (int)threadIdx.x; k0 - fri_lane() < edges; k0 += ITEMS * threads) {
            int32_t u[ITEMS];
            O e[ITEMS];
            bool on[ITEMS];
            FRI_UNROLL
            for (int j = 0; j < ITEMS; j++) {
                const int k = k0 + j * threads, owner = fri_find_owner(tile->before, rows, k);
                on[j] = k < edges;
                u[j] = tile->v[owner];
                e[j] = (O)(tile->begin[owner] + (O)(k - tile->before[owner]));
            }
            expand_to_lists(p, depth, phase, u, e, on, mine);
        }
    }
}

/* All threads of the grid: queues the rows of the lists' vertices in chunks. */
template <class O>
static __device__ void queue_lists(const slice_params<O> &p, int32_t depth, const slice_decision &d,
                                   level_counters *now) {
    const int64_t all = entries_of(d, p.joint.devices);
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < all;
         first += (int64_t)fri_grid_warps() * FRI_WARP) {
        const int64_t i = first + fri_lane();
        const edge_chunk row = i < all ? row_of_entry(p, depth, d, i) : edge_chunk{0, 0, 0};
        append_chunks(p.own.queue[depth & 1], &now->entries, row.v, row.begin, row.count);
    }
}

/* All threads of the grid: sets the bitmap of the lists' vertices. */
template <class O>
static __device__ void lists_to_bitmap(const slice_params<O> &p, int32_t depth,
                                       const slice_decision &d) {
    uint32_t *front = bits_of(p, p.joint.me, depth);
    const int64_t each = (int64_t)gridDim.x * blockDim.x, me = (int64_t)blockIdx.x * blockDim.x;
    for (int from = 0; from < p.joint.devices; from++) {
        const int32_t *list = list_of(p, p.joint.me, from, depth);
        for (int64_t i = me + threadIdx.x; i < d.listed[from]; i += each)
            atomicOr(&front[list[i] / FRI_WARP], 1u << (list[i] % FRI_WARP)); /* words are shared */
    }
}

/* All threads of the grid. False: a device has given up. */
template <class O>
static __device__ bool list_level(const slice_params<O> &p, int32_t depth, int phase,
                                  const slice_decision &d, shared_storage<O> *storage,
                                  fri_joint_state *joint, slice_counters<O> *mine) {
    const int next = fri_next_phase(phase);
    chunk_tile<O> *tile = &storage->push.tile;
    if (!d.has_hubs) {
        push_rows(p, depth, next, entries_of(d, p.joint.devices), tile, mine,
                  [&](int64_t i) { return row_of_entry(p, depth, d, i); });
        return true;
    }
    level_counters *now = &p.control->counters[phase];
    queue_lists(p, depth, d, now);
    if (!fri_joint_grid_sync(p.joint, joint)) /* the queue is complete */
        return false;
    const edge_chunk *queue = p.own.queue[depth & 1];
    push_rows(p, depth, next, read_count(&now->entries), tile, mine,
              [&](int64_t i) { return queue[i]; });
    return true;
}

#endif
