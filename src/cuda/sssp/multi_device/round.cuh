/* One round of SSSP `multi-device` on the grid of one device: relaxes the frontier of all devices over
 * the edges to own vertices, or pulls own vertices, and publishes what fell. */
#ifndef FRI_CUDA_SSSP_MULTI_DEVICE_ROUND_CUH
#define FRI_CUDA_SSSP_MULTI_DEVICE_ROUND_CUH

#include "cuda/sssp/multi_device/params.cuh"

/* PUBLISH_ITEMS: list entries per lane and atomic; GATHERED: vertices per lane of a scan. */
enum { PUBLISH_ITEMS = 4, GATHERED = 4 };

/* ---- relaxation ---- */

/* Whole warp: the lanes' entries of the frontier or, if `piled`, of the far pile. Returns the number of
 * edges, from *begin on, that the lane is to relax; hubs become chunks. Entries beyond a window that
 * has shrunk move to the owner's pile. What leaves the pile is published first. */
template <class T>
static __device__ __forceinline__ int take_entry(const slice_params<T> &p, const block_queues<T> &q,
                                                 bool on, bool piled, const entry<typename T::K> &x,
                                                 int64_t *begin, thread_counters<T> *mine) {
    typedef typename T::K K;
    const sssp_params<T> &rows = p.push;
    const int32_t v[1] = {(int32_t)x.v};
    const bool own = on && is_own(p, v[0]);
    /* racy: later decreases are listed as well. Copies of others' keys are upper bounds */
    const K now = on ? fri_racy_load(&rows.view.dist[v[0]]) : 0;
    const bool current = on && (own ? now == x.d : now >= x.d);
    const bool near = current && x.d <= q.round->window_end, walks = near && !piled;
    const bool arrives[1] = {near && piled}, stays_far[1] = {current && own && !near};
    const K d[1] = {x.d};
    if (current && x.d < now) /* atomic: the frontier may have several entries of one vertex */
        fri_key_min(&rows.view.dist[v[0]], x.d);
    if (stays_far[0])
        mine->far_min = FRI_MIN(mine->far_min, x.d);
    if (arrives[0])
        mine->near_min = FRI_MIN(mine->near_min, x.d);
    append_far(q, stays_far, v, d);
    append_near(q, arrives, v, d);
    *begin = walks ? rows.view.offsets[v[0]] : 0;
    const int64_t degree = walks ? rows.view.offsets[v[0] + 1] - *begin : 0;
    const bool hub = degree > CHUNK_EDGES;
    if (__any_sync(FRI_FULL_MASK, hub)) {
        FRI_ROLLED
        for (int here = 1; here >= 0; here--)
            append_chunks(rows, q, here != 0, v[0], x.d, *begin,
                          hub && (degree <= BLOCK_CHUNKS * CHUNK_EDGES) == (here != 0) ? degree
                                                                                       : 0);
        if (hub)
            mine->near_min = FRI_MIN(mine->near_min, x.d);
    }
    return walks && !hub ? (int)degree : 0;
}

/* Whole warp: the same for chunks, of which all edges are relaxed. */
template <class T>
static __device__ __forceinline__ int take_chunk(const slice_params<T> &p, bool on,
                                                 const chunk_entry &y, int64_t *begin) {
    *begin = y.begin;
    /* racy: as above */
    return on && fri_racy_load(&p.push.view.dist[y.v]) == (typename T::K)y.d ? y.count : 0;
}

/* The lists of a round, in this order, between them the parts of the frontier. */
struct list_ref {
    const void *items;
    unsigned count;
    bool chunks, piled;
};
template <class T>
static __device__ __forceinline__ list_ref list_of(const slice_params<T> &p,
                                                   const block_queues<T> &q, const joint_round &all,
                                                   int list) {
    const sssp_state &s = q.round->s;
    const int parts = p.joint.devices;
    if (list == 0)
        return {p.push.chunks[s.round & 1], (unsigned)all.message[p.joint.me].chunk_count, true,
                false};
    if (list <= parts)
        return {frontier_part(p, p.joint.me, s.round, list - 1), (unsigned)all.counts[list - 1],
                false, false};
    if (list == parts + 1)
        return {p.push.far_pile[s.far_index ^ 1],
                s.window_moved && !s.overflowed ? (unsigned)s.far_count : 0, false, true};
    return {q.chunks, (unsigned)FRI_MIN(q.round->chunks_tail[0], MAX_CHUNKS), true, false};
}

/* All threads of each block. A list begins at the warp after the last one that the list before
 * used; the last are the block's own chunks. */
template <class T>
static __device__ void relax_all(const slice_params<T> &p, const block_queues<T> &q,
                                 const joint_round &all, thread_counters<T> *mine) {
    typedef typename T::K K;
    const int lists = p.joint.devices + 3;
    unsigned warps = (unsigned)fri_grid_warps(), me = (unsigned)fri_grid_warp();
    FRI_ROLLED
    for (int i = 0; i < lists; i++) {
        if (i == lists - 1) {
            __syncthreads(); /* the block's chunks are written */
            warps = blockDim.x / FRI_WARP;
            me = threadIdx.x / FRI_WARP;
        }
        const list_ref list = list_of(p, q, all, i);
        const unsigned per = entries_per_warp(list.count, warps);
        FRI_ROLLED
        for (unsigned first = me * per; first < list.count; first += warps * per) {
            const unsigned at = first + (unsigned)fri_lane();
            const bool on = (unsigned)fri_lane() < per && at < list.count;
            int64_t begin;
            int edges;
            entry<K> x = {0, 0};
            if (list.chunks) {
                const chunk_entry y =
                    on ? ((const chunk_entry *)list.items)[at] : chunk_entry{0, 0, 0, 0};
                x = {(K)y.d, y.v};
                edges = take_chunk(p, on, y, &begin);
            } else {
                if (on)
                    x = ((const entry<K> *)list.items)[at];
                edges = take_entry(p, q, on, list.piled, x, &begin, mine);
            }
            relax_rows(p.push, q, (int32_t)x.v, x.d, begin, edges, mine);
        }
        const unsigned busy = (list.count + per - 1) / per % warps;
        me = me < busy ? me + warps - busy : me - busy;
    }
}

/* All threads: appends own vertices with keys in [from, end of the window] to the near list. */
template <class T>
static __device__ void gather_own(const slice_params<T> &p, const block_queues<T> &q,
                                  typename T::K from, thread_counters<T> *mine) {
    typedef typename T::K K;
    const K last = q.round->window_end;
    const int64_t step = (int64_t)GATHERED * FRI_WARP;
    for (int64_t first = fri_grid_warp() * step; first < p.own; first += fri_grid_warps() * step) {
        int32_t v[GATHERED];
        K d[GATHERED];
        bool near[GATHERED];
        FRI_UNROLL
        for (int j = 0; j < GATHERED; j++) {
            const int64_t i = first + j * FRI_WARP + fri_lane();
            v[j] = first_own(p) + (int32_t)i;
            d[j] = i < p.own ? fri_racy_load(&p.push.view.dist[v[j]]) /* racy: as above */
                             : T::unreached();
        }
        FRI_UNROLL
        for (int j = 0; j < GATHERED; j++) {
            near[j] = d[j] >= from && d[j] <= last;
            if (near[j])
                mine->near_min = FRI_MIN(mine->near_min, d[j]);
            else if (d[j] > last && d[j] != T::unreached())
                mine->far_min = FRI_MIN(mine->far_min, d[j]);
        }
        append_near(q, near, v, d);
    }
}

/* ---- publishing ---- */

/* All threads, after a barrier of the grid: those entries of the near list that are current, into
 * this device's part of every device's frontier of round `round`, and their number into
 * published[phase of that round]. `listed` is in shared memory. */
template <class T>
static __device__ void publish_list(const slice_params<T> &p, int32_t round,
                                    unsigned long long *listed) {
    typedef typename T::K K;
    const int phase = round % FRI_PHASES;
    slice_control *c = own_control(p);
    if (threadIdx.x == 0) /* L2 serializes reads of one address */
        *listed = fri_volatile_load(&c->rounds.counters[phase].near_count);
    __syncthreads(); /* the size of the list is known */
    const int64_t count = (int64_t)FRI_MIN(*listed, p.near_capacity);
    const entry<K> *list = p.push.near_queue[round & 1];
    const int64_t warps = fri_grid_warps() * (int64_t)FRI_WARP;
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < count;
         first += warps * PUBLISH_ITEMS) {
        entry<K> x[PUBLISH_ITEMS];
        int position[PUBLISH_ITEMS], total = 0;
        bool fresh[PUBLISH_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < PUBLISH_ITEMS; j++) {
            const int64_t i = first + j * warps + fri_lane();
            x[j] = i < count ? list[i] : entry<K>{0, 0};
            fresh[j] = i < count;
        }
        FRI_UNROLL
        for (int j = 0; j < PUBLISH_ITEMS; j++) {
            fresh[j] = fresh[j] && fri_racy_load(&p.push.view.dist[x[j].v]) == x[j].d;
            position[j] = fri_assign_positions(fresh[j], &total);
        }
        if (total == 0)
            continue;
        const unsigned long long base = fri_reserve(&c->published[phase], total);
        for (int d = 0; d < p.joint.devices; d++) {
            entry<K> *to = frontier_part(p, d, round, p.joint.me) + base;
            FRI_UNROLL
            for (int j = 0; j < PUBLISH_ITEMS; j++)
                if (fresh[j])
                    fri_peer_store(&to[position[j]], x[j]);
        }
    }
}

/* All threads of each block, after flush_round() of round `round`, without a barrier: the block's part of
 * the near list into all frontiers, at the same positions. Of entries that are no longer current only
 * positions remain. What did not fit into the block's memory is in the list alone: see MESSAGE_PARTLY. */
template <class T>
static __device__ void publish_block(const slice_params<T> &p, const block_queues<T> &q,
                                     int32_t round) {
    typedef typename T::K K;
    const block_round<T> *r = q.round;
    const int kept = FRI_MIN(r->tails[0], q.near_capacity);
    if (threadIdx.x == 0 && kept < r->tails[0])
        fri_racy_store(&own_control(p)->partly[fri_next_phase(round)],
                       1ull); /* racy: all store 1 */
    for (int i = (int)threadIdx.x; i < kept; i += (int)blockDim.x) {
        const unsigned long long at = r->base[0] + (unsigned)i;
        entry<K> x = q.near[i];
        if (fri_racy_load(&p.push.view.dist[x.v]) !=
            x.d) /* racy: a later decrease is listed as well */
            x.d = T::unreached();
        for (int d = 0; d < p.joint.devices && at < p.near_capacity; d++)
            fri_peer_store(&frontier_part(p, d, round + 1, p.joint.me)[at], x);
    }
}

/* One thread: the key of own vertex v to the other devices. */
template <class T>
static __device__ __forceinline__ void publish_key(const slice_params<T> &p, int32_t v,
                                                   typename T::K key) {
    for (int d = 0; d < p.joint.devices; d++)
        if (d != p.joint.me)
            fri_peer_store(&p.dist[d][v], key);
}

/* All threads, after a barrier of the grid: all own keys, before the first of several pulls. */
template <class T> static __device__ void publish_keys(const slice_params<T> &p) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.own; i += all) {
        const int32_t v = first_own(p) + (int32_t)i;
        publish_key(p, v, fri_racy_load(&p.push.view.dist[v])); /* racy: none writes now */
    }
}

/* ---- pulls ---- */

/* All threads: the parts of rows that continue from the tile before, as pull() of `auto`. */
template <class T>
static __device__ void pull_continued(const slice_params<T> &p, const block_queues<T> &q,
                                      typename T::K lower_bound, thread_counters<T> *mine) {
    for (int64_t first = (int64_t)fri_grid_warp() * TILES_PER_WARP; first < p.pull.tiles;
         first += fri_grid_warps() * TILES_PER_WARP) {
        const int64_t tile = first + fri_lane(), e = tile * TILE_EDGES;
        bool on = fri_lane() < TILES_PER_WARP && tile < p.pull.tiles;
        const int32_t i = on ? p.pull.tile_first_row[tile] : 0;
        on = on && p.pull_offsets[i] < e;
        pull_rows(p.pull, q, lower_bound, first_own(p) + i, e,
                  on ? FRI_MIN(p.pull_offsets[i + 1], e + TILE_EDGES) : e, mine);
    }
}

/* All threads, after a barrier of the grid: the first parts of all own rows, after which the keys of
 * their vertices are final in this round. Publishes the keys that have changed in it and all keys of rows in
 * several tiles, each with the other keys of its sector, since whole sectors are stored faster. */
template <class T>
static __device__ void pull_first_parts(const slice_params<T> &p, const block_queues<T> &q,
                                        typename T::K lower_bound, thread_counters<T> *mine) {
    typedef typename T::K K;
    enum { LANES = 32 / sizeof(K) }; /* of a sector */
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < p.own;
         first += fri_grid_warps() * FRI_WARP) {
        const int64_t i = first + fri_lane();
        const bool on = i < p.own;
        const int32_t v = first_own(p) + (int32_t)(on ? i : 0);
        const int64_t e = on ? p.pull_offsets[i] : 0, end = on ? p.pull_offsets[i + 1] : 0;
        const K before = on ? fri_racy_load(&p.pull.view.dist[v]) : 0; /* racy: own thread lowers */
        pull_rows(p.pull, q, lower_bound, v, e, FRI_MIN(end, tile_end(e)), mine);
        if (p.joint.devices == 1)
            continue;
        const K now = on ? fri_racy_load(&p.pull.view.dist[v]) : 0;
        const unsigned changed =
            __ballot_sync(FRI_FULL_MASK, on && (now != before || end > tile_end(e)));
        const unsigned sector = ((1u << LANES) - 1) << (fri_lane() / LANES * LANES);
        if (on && (changed & sector))
            publish_key(p, v, now);
    }
}

#endif
