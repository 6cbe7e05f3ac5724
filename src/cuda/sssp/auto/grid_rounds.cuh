/* Large rounds of SSSP `auto`: pending vertices from global queues, one warp for up to 32 of them. */
#ifndef FRI_CUDA_SSSP_AUTO_GRID_ROUNDS_CUH
#define FRI_CUDA_SSSP_AUTO_GRID_ROUNDS_CUH

#include "cuda/sssp/auto/sorted_rows.cuh"

/* Any thread: of an edge. SLOT: of a slot; where these exceed the cache they leave it before the distances do. */
template <bool SLOT, class T, class X>
static __device__ __forceinline__ X load_edge(const sssp_params<T> &p, const X *at) {
    return SLOT && p.streams ? fri_load_once(at) : __ldg(at);
}

/* Any thread: the weights of edges e, if `on`, whose words are being read: only packed weights wait for these. */
template <bool SLOT, class T, int C>
static __device__ __forceinline__ void load_weights(const sssp_params<T> &p, const int64_t (&e)[C],
                                                    const bool (&on)[C], const int32_t (&word)[C],
                                                    typename T::W (&weight)[C]) {
    const int shift = p.view.weight_shift;
    if (!shift && p.view.weights) {
        FRI_UNROLL
        for (int j = 0; j < C; j++)
            weight[j] = on[j] ? load_edge<SLOT>(p, &p.view.weights[e[j]]) : 0;
        return;
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        weight[j] = (typename T::W)(shift ? (uint32_t)word[j] >> shift : 1);
}

/* Any thread: the ends v of the edges e that are on, and the sums of the paths to them over vertices at
 * `from`. All loads of a kind are in flight before the first is used, here and below. */
template <bool SLOT = false, class T, int C>
static __device__ __forceinline__ void
path_sums(const sssp_params<T> &p, const typename T::K (&from)[C], const int64_t (&e)[C],
          const bool (&on)[C], int32_t (&v)[C], typename T::K (&sum)[C]) {
    typename T::W weight[C];
    bool low = false;
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        v[j] = on[j] ? load_edge<SLOT>(p, &p.view.targets[e[j]]) : 0;
    load_weights<SLOT>(p, e, on, v, weight);
    FRI_UNROLL
    for (int j = 0; j < C; j++) /* also dist[n], which is not read */
        if (SLOT && p.streams && on[j])
            fri_prefetch(&p.view.dist[v[j] & p.view.mask]);
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        v[j] &= p.view.mask;
        sum[j] = on[j] ? T::sum(from[j], weight[j], p.view.cap, &low) : T::unreached();
    }
}

/* Any thread: lowers the vertices v to `sum`, unreached() for those that are not on, over paths from u; returns which
 * decreased, and from what. */
template <class T, int C>
static __device__ __forceinline__ void
lower_ends(const sssp_params<T> &p, bool compares, typename T::K last, const int32_t (&u)[C],
           const bool (&on)[C], const int32_t (&v)[C], const typename T::K (&sum)[C],
           typename T::K (&old)[C], bool (&fell)[C], thread_counters<T> *mine) {
    FRI_UNROLL
    for (int j = 0; j < C; j++) /* racy: the atomic decides */
        old[j] = on[j] && compares ? fri_racy_load(&p.view.dist[v[j]]) : T::unreached();
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        mine->edges += on[j];
        FRI_COUNT(p.view, FR_COUNTER_EDGES, on[j]);
        FRI_COUNT(p.view, FR_COUNTER_ATOMICS, sum[j] < old[j]);
        fell[j] = sum[j] < old[j];
        if (fell[j]) /* atomic: several threads lower one vertex */
            old[j] = fri_key_min(&p.view.dist[v[j]], sum[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        fell[j] = fell[j] && sum[j] < old[j];
        FRI_COUNT(p.view, FR_COUNTER_RELAXATIONS, fell[j]);
        FRI_COUNT(p.view, FR_COUNTER_ENQUEUES, fell[j]);
        if (!fell[j])
            continue;
        mine->relaxed++;
        record_parent(p, v[j], sum[j], u[j]);
        if (sum[j] <= last) {
            fri_prefetch(&p.view.offsets[v[j]]);
            mine->near_min = FRI_MIN(mine->near_min, sum[j]);
        } else
            mine->far_min = FRI_MIN(mine->far_min, sum[j]);
    }
}

/* Whole warp, in windows.cuh: the tiles that follow the first of the lanes' rows [begin, end) become chunks of the next
 * round, of v or ~v. */
template <class T, int C>
static __device__ __forceinline__ void
list_tiles(const sssp_params<T> &p, const block_queues<T> &q, const int32_t (&v)[C],
           const typename T::K (&d)[C], const int64_t (&begin)[C], const int64_t (&end)[C]) {
    int tiles = 0, total;
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        tiles += end[j] > begin[j] ? (int)((end[j] - 1) / TILE_EDGES - begin[j] / TILE_EDGES) : 0;
    if (!__any_sync(FRI_FULL_MASK, tiles != 0))
        return;
    const int before = fri_warp_prefix(tiles, &total);
    unsigned long long out = fri_reserve(&q.round->next->chunk_count, total) + (unsigned)before;
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        FRI_ROLLED
    for (int64_t e = tile_end(begin[j]); e < end[j]; e += TILE_EDGES, out++)
        if (out < p.chunk_capacity)
            q.round->chunks[out] = {e, d[j], v[j],
                                    (int32_t)FRI_MIN(end[j] - e, (int64_t)TILE_EDGES)};
}

/* Whole warp, in windows.cuh: the lanes' vertices that fell. */
template <class T, int C>
static __device__ __forceinline__ void
note_fallen(const sssp_params<T> &p, const block_queues<T> &q, const int32_t (&v)[C],
            const typename T::K (&d)[C], const typename T::K (&old)[C], const bool (&fell)[C],
            thread_counters<T> *mine) {
    int64_t begin[C], end[C];
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        begin[j] = fell[j] ? p.view.offsets[v[j]] : 0;
        end[j] = fell[j] ? p.view.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        if (fell[j] && old[j] == T::unreached())
            mine->reached_edges += p.in_offsets == p.view.offsets
                                       ? end[j] - begin[j]
                                       : p.in_offsets[v[j] + 1] - p.in_offsets[v[j]];
    if (q.round->s.lists_tiles)
        list_tiles(p, q, v, d, begin, end);
}

/* Whole warp: each lane relaxes ITEMS edges, those that are on; with COUNTS_FIRST they end within the window. */
template <bool COUNTS_FIRST, class T>
static __device__ __forceinline__ void
relax_and_append(const sssp_params<T> &p, const block_queues<T> &q, const int32_t (&u)[ITEMS],
                 const typename T::K (&from)[ITEMS], const int64_t (&e)[ITEMS],
                 const bool (&on)[ITEMS], thread_counters<T> *mine) {
    int32_t v[ITEMS];
    typename T::K sum[ITEMS], old[ITEMS], last = q.round->window_end;
    bool fell[ITEMS], near[ITEMS], far[ITEMS];
    path_sums(p, from, e, on, v, sum);
    lower_ends(p, p.compare_before_atomic != COMPARE_NEVER, last, u, on, v, sum, old, fell, mine);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        near[j] = fell[j] && sum[j] <= last;
        far[j] = fell[j] && sum[j] > last;
    }
    append_near(q, near, v, sum);
    if (COUNTS_FIRST)
        note_fallen(p, q, v, sum, old, fell, mine);
    else
        append_far(q, far, v, sum);
}

/* Whole warp: the lanes' edges [begin, begin + count), numbered consecutively and relaxed
 * WARP_ITEMS at a time. COUNTS_FIRST: the edges into vertices reached for the first time are counted. */
template <bool COUNTS_FIRST = false, class T>
static __device__ void relax_rows(const sssp_params<T> &p, const block_queues<T> &q, int32_t u,
                                  typename T::K d, int64_t begin, int count,
                                  thread_counters<T> *mine) {
    int edges, before = fri_warp_prefix(count, &edges);
    warp_rows<typename T::K> *rows = q.rows;
    typename T::K from[ITEMS];
    int32_t from_vertex[ITEMS];
    int64_t e[ITEMS];
    bool on[ITEMS];
    if (edges == 0)
        return;
    rows->begin[fri_lane()] = begin;
    rows->d[fri_lane()] = d;
    if (sizeof d == 4)
        rows->v[fri_lane()] = u;
    rows->before[fri_lane()] = before;
    __syncwarp(); /* the tile is written */
    for (int k0 = fri_lane(); k0 - fri_lane() < edges; k0 += WARP_ITEMS) {
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            int k = k0 + j * FRI_WARP, owner = fri_find_owner(rows->before, FRI_WARP, k);
            on[j] = k < edges;
            from[j] = rows->d[owner];
            from_vertex[j] = sizeof d == 4 ? rows->v[owner] : 0;
            e[j] = rows->begin[owner] + (k - rows->before[owner]);
        }
        relax_and_append<COUNTS_FIRST>(p, q, from_vertex, from, e, on, mine);
    }
    __syncwarp(); /* all have read the tile */
}

/* Entries that each warp takes at a time; few entries spread over all warps. */
static __device__ __forceinline__ unsigned entries_per_warp(unsigned count, unsigned warps) {
    return count >= FRI_WARP * warps ? FRI_WARP : FRI_MAX(1u, (count + warps - 1) / warps);
}

/* Whole warp: the lanes' entries of a queue or the pile, those that are on. An entry within the
 * window is to be relaxed: sets *begin to its first edge and returns the number of edges for this
 * lane; hubs are queued as chunks for the next list or round. The others move to the other pile. */
template <class T>
static __device__ __forceinline__ int
filter_entry(const sssp_params<T> &p, const block_queues<T> &q, bool on,
             const entry<typename T::K> &x, int64_t *begin, thread_counters<T> *mine) {
    typedef typename T::K K;
    int32_t v[1] = {(int32_t)x.v};
    /* racy: later decreases are queued as well */
    K d[1] = {x.d}, now = fri_racy_load(&p.view.dist[x.v]);
    bool near = on && x.d <= q.round->window_end, walks = near && now == x.d;
    bool stays_far[1] = {on && !near && now == x.d};
    *begin = near ? p.view.offsets[x.v] : 0;
    int64_t degree = near ? p.view.offsets[x.v + 1] - *begin : 0;
    bool hub = walks && degree > CHUNK_EDGES;
    if (stays_far[0])
        mine->far_min = FRI_MIN(mine->far_min, x.d);
    append_far(q, stays_far, v, d);
    if (__any_sync(FRI_FULL_MASK, hub)) {
        FRI_ROLLED
        for (int own = 1; own >= 0; own--)
            append_chunks(p, q, own != 0, v[0], x.d, *begin,
                          hub && (degree <= BLOCK_CHUNKS * CHUNK_EDGES) == (own != 0) ? degree : 0);
        if (hub)
            mine->near_min = FRI_MIN(mine->near_min, x.d);
    }
    return walks && !hub ? (int)degree : 0;
}

/* The lists that a round relaxes, in this order; block-local rounds only relax chunks. */
enum { LIST_CHUNKS, LIST_NEAR, LIST_FAR, LIST_OWN_CHUNKS, LIST_COUNT };

/* All threads of each block. A list begins at the warp after the last one that the previous list
 * used. take(on, &x, &begin), called by whole warps: how many edges, from *begin on, the lane
 * relaxes of entry x; part(&y): the same of chunk y, from y.begin on. */
template <class T, class F, class G>
static __device__ void relax_lists(const sssp_params<T> &p, const block_queues<T> &q, F take,
                                   G part, thread_counters<T> *mine) {
    typedef typename T::K K;
    const sssp_state &s = q.round->s;
    unsigned warps = (unsigned)fri_grid_warps(), me = (unsigned)fri_grid_warp();
    FRI_ROLLED
    for (int list = 0; list < (s.block_local ? LIST_NEAR : LIST_COUNT); list++) {
        const entry<K> *entries =
            list == LIST_NEAR ? p.near_queue[s.round & 1] : p.far_pile[s.far_index ^ 1];
        const chunk_entry *chunks = list == LIST_CHUNKS ? p.chunks[s.round & 1] : q.chunks;
        unsigned long long items =
            list == LIST_CHUNKS ? q.round->now.chunk_count : q.round->now.near_count;
        if (list == LIST_FAR)
            items = s.window_moved && !s.overflowed ? s.far_count : 0;
        if (list == LIST_OWN_CHUNKS) {
            __syncthreads(); /* the block's chunks are written */
            items = (unsigned)FRI_MIN(q.round->chunks_tail[0], MAX_CHUNKS);
            warps = blockDim.x / FRI_WARP;
            me = threadIdx.x / FRI_WARP;
        }
        unsigned count = (unsigned)items, per = entries_per_warp(count, warps);
        FRI_ROLLED
        for (unsigned first = me * per; first < count; first += warps * per) {
            unsigned i = first + (unsigned)fri_lane();
            int64_t begin;
            bool on = (unsigned)fri_lane() < per && i < count;
            entry<K> x = {0, 0};
            int edges;
            if (list == LIST_CHUNKS || list == LIST_OWN_CHUNKS) {
                chunk_entry y = on ? chunks[i] : chunk_entry{0, 0, 0, 0};
                edges = part(&y);
                x = {(K)y.d, y.v};
                begin = y.begin;
            } else {
                if (on)
                    x = entries[i];
                edges = take(on, &x, &begin);
            }
            relax_rows(p, q, (int32_t)x.v, x.d, begin, edges, mine);
        }
        unsigned busy = (count + per - 1) / per % warps;
        me = me < busy ? me + warps - busy : me - busy;
    }
}

/* The lists of a round of near and far. */
template <class T>
static __device__ void relax_near_far(const sssp_params<T> &p, const block_queues<T> &q,
                                      thread_counters<T> *mine) {
    auto take = [&](bool on, entry<typename T::K> *x, int64_t *begin) {
        return filter_entry(p, q, on, *x, begin, mine);
    };
    auto part = [&](chunk_entry *y) { /* racy: as above */
                                      return fri_racy_load(&p.view.dist[y->v]) ==
                                                     (typename T::K)y->d
                                                 ? y->count
                                                 : 0;
    };
    relax_lists(p, q, take, part, mine);
}

/* Appends all vertices with keys in [from, last] to the next round's queue, which distributes them
 * evenly; far_min is updated by those beyond. */
template <class T>
static __device__ void gather_pending(const sssp_params<T> &p, const block_queues<T> &q,
                                      typename T::K from, thread_counters<T> *mine) {
    typename T::K last = q.round->window_end;
    for (int64_t first = (int64_t)fri_grid_warp() * GATHER_ITEMS * FRI_WARP; first < p.view.n;
         first += fri_grid_warps() * GATHER_ITEMS * FRI_WARP) {
        int32_t v[GATHER_ITEMS];
        typename T::K d[GATHER_ITEMS];
        bool near[GATHER_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < GATHER_ITEMS; j++) {
            int64_t i = first + j * FRI_WARP + fri_lane();
            v[j] = (int32_t)i;
            d[j] =
                i < p.view.n ? fri_racy_load(&p.view.dist[i]) : T::unreached(); /* racy: as above */
        }
        FRI_UNROLL
        for (int j = 0; j < GATHER_ITEMS; j++) {
            near[j] = d[j] >= from && d[j] <= last;
            if (near[j])
                mine->near_min = FRI_MIN(mine->near_min, d[j]);
            else if (d[j] > last && d[j] != T::unreached())
                mine->far_min = FRI_MIN(mine->far_min, d[j]);
        }
        append_near(q, near, v, d);
    }
}

/* All warps: the part of a round that scans all vertices, if a queue overflowed. */
template <class T>
static __device__ void gather_if_needed(const sssp_params<T> &p, const block_queues<T> &q,
                                        thread_counters<T> *mine) {
    const sssp_state &s = q.round->s;
    if (s.scans_all || (s.window_moved && s.overflowed))
        gather_pending(p, q, (typename T::K)(s.scans_all ? s.near_min : s.previous_end + 1), mine);
}

/* All threads of the block, at the end of a round: its near entries, which are in the queue of hop
 * `hop`, those beyond, the smallest keys and, for `--explain` or with COUNTS_FIRST, the edges are added
 * to the next round's. */
template <bool COUNTS_FIRST = false, class T>
static __device__ void flush_round(const sssp_params<T> &p, const block_queues<T> &q, int hop,
                                   thread_counters<T> *mine) {
    block_round<T> *round = q.round;
    const entry<typename T::K> *queue = q.near + (hop & 1) * block_queues<T>::CAPACITY;
    typename T::K min_keys[MIN_KEYS] = {mine->near_min, mine->far_min};
    FRI_UNROLL
    for (int i = 0; i < MIN_KEYS; i++)
        if (__any_sync(FRI_FULL_MASK, min_keys[i] != T::unreached())) {
            for (int step = FRI_WARP / 2; step; step /= 2) {
                typename T::K other = __shfl_xor_sync(FRI_FULL_MASK, min_keys[i], step);
                min_keys[i] = FRI_MIN(min_keys[i], other);
            }
            if (fri_lane() == 0)
                /* atomic: one of up to 16 warps */
                atomicMin(&round->totals[i], (long long)min_keys[i]);
        }
    if ((COUNTS_FIRST || p.trace) &&
        __any_sync(FRI_FULL_MASK, mine->edges != mine->reported_edges || mine->reached_edges)) {
        const unsigned long long edges = fri_warp_total(mine->edges - mine->reported_edges),
                                 reached = fri_warp_total(mine->reached_edges);
        if (fri_lane() == 0) { /* atomic: as above; by all threads these took up to 15 us */
            atomicAdd((unsigned long long *)&round->totals[EDGE_SUM], edges);
            atomicAdd((unsigned long long *)&round->totals[REACHED_SUM], reached);
        }
    }
    mine->reported_edges = mine->edges;
    mine->reached_edges = 0;
    mine->near_min = mine->far_min = T::unreached();
    __syncthreads(); /* the block's entries and totals are complete */
    int counts[2] = {FRI_MIN(round->tails[hop % HOP_QUEUES], q.near_capacity),
                     FRI_MIN(round->tails[FAR_TAIL], block_queues<T>::FAR_CAPACITY)};
    int me = (int)threadIdx.x;
    if (me < 2) { /* two threads at once; atomic: other blocks add too */
        const queue_ref<typename T::K> &to = me ? round->far : round->near;
        int count = me ? counts[1] : counts[0];
        round->base[me] = to.base + (count ? atomicAdd(to.count, (unsigned long long)count) : 0);
    } else if (me < 2 + MIN_KEYS && round->totals[me - 2] != NO_KEY)
        atomicMin(me == 2 ? &round->next->near_min : &round->next->far_min, round->totals[me - 2]);
    else if (me == 2 + EDGE_SUM && round->totals[EDGE_SUM])
        atomicAdd(&round->next->edges, (unsigned long long)round->totals[EDGE_SUM]);
    else if (COUNTS_FIRST && me == 2 + REACHED_SUM && round->totals[REACHED_SUM])
        atomicAdd(&round->next->reached_edges, (unsigned long long)round->totals[REACHED_SUM]);
    __syncthreads(); /* the positions are known */
    for (int i = me; i < counts[0]; i += (int)blockDim.x)
        if (round->base[0] + (unsigned)i < round->near.capacity)
            round->near.entries[round->base[0] + (unsigned)i] = queue[i];
    for (int i = me; i < counts[1]; i += (int)blockDim.x)
        if (round->base[1] + (unsigned)i < round->far.capacity)
            round->far.entries[round->base[1] + (unsigned)i] = q.far[i];
}

#endif
