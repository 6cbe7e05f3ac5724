/* Small rounds of SSSP `auto`: each block relaxes its share of the pending vertices and then the
 * vertices that these lower within the window, for several hops, using queues in shared memory and
 * block barriers only. */
#ifndef FRI_CUDA_SSSP_AUTO_BLOCK_ROUNDS_CUH
#define FRI_CUDA_SSSP_AUTO_BLOCK_ROUNDS_CUH

#include "cuda/sssp/auto/grid_rounds.cuh"

enum { MAX_ITERATIONS = 8 /* of a group of lanes: longer rows become chunks */ };

/* One thread for each edge of a slot: SLOT_EDGES words per vertex have its row, or itself where that has no edge; n if
 * the row is longer. */
template <class T>
static __global__ void fill_slots_kernel(fri_sssp_view<T> p, fri_sssp_view<T> slots) {
    const int64_t i = fri_thread_of_grid(), v = i / SLOT_EDGES, k = i % SLOT_EDGES;
    if (v >= p.n)
        return;
    const int64_t e = p.offsets[v] + k, degree = p.offsets[v + 1] - p.offsets[v];
    const bool on = k < degree && degree <= SLOT_EDGES;
    ((int32_t *)(uintptr_t)slots.targets)[i] = on                    ? p.targets[e]
                                               : degree > SLOT_EDGES ? p.n
                                                                     : (int32_t)v;
    if (slots.weights)
        ((typename T::W *)(uintptr_t)slots.weights)[i] = on ? p.weights[e] : 0;
}

/* One thread: appends to the block's queue, or to the global one. */
template <class K>
static __device__ __forceinline__ void append_one(entry<K> *here, int *tail, int capacity,
                                                  const queue_ref<K> &there, const entry<K> &x) {
    int i = atomicAdd(tail, 1); /* atomic: other threads append too */
    if (i < capacity) {
        here[i] = x;
        return;
    }
    unsigned long long out = there.base + atomicAdd(there.count, 1ull);
    if (out < there.capacity)
        there.entries[out] = x;
}
/* The same for a vertex within the window, in hop `hop`, or beyond it. */
template <class T>
static __device__ __forceinline__ void append_to_block(const block_queues<T> &q, int hop,
                                                       const entry<typename T::K> &x) {
    if (x.d <= q.round->window_end)
        append_one(q.near + (hop & 1) * block_queues<T>::CAPACITY,
                   &q.round->tails[hop % HOP_QUEUES], block_queues<T>::CAPACITY, q.round->near, x);
    else if (!q.round->overflowed)
        append_one(q.far, &q.round->tails[FAR_TAIL], block_queues<T>::FAR_CAPACITY, q.round->far,
                   x);
}

/* One thread: the chunks of a long row are queued for the next round. */
template <class T>
static __device__ void append_chunks_one(const sssp_params<T> &p, const block_queues<T> &q,
                                         int32_t v, typename T::K d, thread_counters<T> *mine) {
    int64_t begin = p.view.offsets[v], end = p.view.offsets[v + 1];
    unsigned long long chunks = (unsigned long long)fri_chunk_count<CHUNK_EDGES>(end - begin);
    /* atomic: reserves their positions */
    unsigned long long i = atomicAdd(&q.round->next->chunk_count, chunks);
    mine->near_min = FRI_MIN(mine->near_min, d);
    for (; begin < end && i < p.chunk_capacity; begin += CHUNK_EDGES, i++)
        q.round->chunks[i] = {begin, d, v, (int32_t)FRI_MIN(end - begin, (int64_t)CHUNK_EDGES)};
}

/* One of the 1 << p.log2_lanes lanes that share entries `first`, first + groups and so on of hop
 * `hop`: relaxes its `iteration`-th edge of each; true: there are more iterations. The entry is
 * read again in each iteration, as most rows take one. SLOT: its edge of the entry's slot; true: a row is longer.
 * Whether the entry is stale is not asked then: a distance that an atomic has just written takes longer to read than the
 * slot, and load_share() asks once a round. Else rows of at most `slot_edges` are left out. */
template <bool SLOT, int C, class T>
static __device__ __forceinline__ bool
relax_entry(const sssp_params<T> &p, const sssp_params<T> &rows, const block_queues<T> &q, int hop,
            int count, int first, int iteration, int slot_edges, thread_counters<T> *mine) {
    typedef typename T::K K;
    const entry<K> *queue = q.near + (hop & 1) * block_queues<T>::CAPACITY;
    const int lanes = 1 << p.log2_lanes, lane = fri_lane() & (lanes - 1),
              groups = (int)blockDim.x >> p.log2_lanes;
    int32_t u[C], v[C];
    K from[C], sum[C], now[C];
    int64_t e[C];
    int left[C];
    bool on[C], fell[C], more = false;
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        on[j] = first + j * groups < count;
        entry<K> x = queue[on[j] ? first + j * groups : first];
        u[j] = (int32_t)x.v;
        from[j] = x.d;
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++) { /* racy: a later decrease is queued as well */
        now[j] = on[j] && !SLOT ? fri_racy_load(&p.view.dist[u[j]]) : T::unreached();
        e[j] = SLOT ? (int64_t)SLOT_EDGES * u[j] + lane : on[j] ? p.view.offsets[u[j]] : 0;
        int64_t degree = on[j] && !SLOT ? p.view.offsets[u[j] + 1] - e[j] : 0;
        left[j] = (int)FRI_MIN(degree, (int64_t)INT32_MAX);
    }
    FRI_UNROLL
    for (int j = 0; j < C && !SLOT; j++) {
        bool live = on[j] && now[j] == from[j] && (!slot_edges || left[j] > slot_edges);
        bool hub = left[j] > MAX_ITERATIONS * lanes;
        if (live && hub && lane == 0 && iteration == 0)
            append_chunks_one(p, q, u[j], from[j], mine);
        int skip = iteration * lanes + lane;
        e[j] += skip;
        on[j] = live && !hub && left[j] > skip;
        more |= live && !hub && left[j] > skip + lanes;
    }
    path_sums<SLOT>(rows, from, e, on, v, sum);
    FRI_UNROLL
    for (int j = 0; j < C && SLOT; j++) {
        more |= on[j] && v[j] == p.view.n;
        on[j] = on[j] && v[j] != p.view.n && v[j] != u[j];
        sum[j] = on[j] ? sum[j] : T::unreached();
        if (rows.streams && sum[j] <= q.round->window_end) {
            fri_prefetch(&rows.view.targets[(int64_t)SLOT_EDGES * v[j]]);
            if (rows.view.weights)
                fri_prefetch(&rows.view.weights[(int64_t)SLOT_EDGES * v[j]]);
        }
    }
    lower_ends(p, p.compare_before_atomic == COMPARE_ALWAYS, q.round->window_end, u, on, v, sum,
               now, fell, mine);
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        if (fell[j])
            append_to_block(q, hop + 1, {sum[j], v[j]});
    return more;
}

/* The lanes of C entries: with SLOTS their slots first, then rows that are longer. */
template <bool SLOTS, int C, class T>
static __device__ __forceinline__ void
relax_group(const sssp_params<T> &p, const sssp_params<T> &slots, const block_queues<T> &q, int hop,
            int count, int first, thread_counters<T> *mine) {
    bool more = !SLOTS || relax_entry<true, C>(p, slots, q, hop, count, first, 0, 0, mine);
    for (int iteration = 0; more; iteration++)
        more = relax_entry<false, C>(p, p, q, hop, count, first, iteration, SLOTS ? SLOT_EDGES : 0,
                                     mine);
}

/* One thread: an entry of the queue or the pile that is not stale. */
template <class T>
static __device__ __forceinline__ void
enqueue_entry(const block_queues<T> &q, const entry<typename T::K> &x, thread_counters<T> *mine) {
    if (x.d <= q.round->window_end)
        mine->near_min = FRI_MIN(mine->near_min, x.d);
    else
        mine->far_min = FRI_MIN(mine->far_min, x.d);
    append_to_block(q, 0, x);
}

/* All threads of the block: its share of the pending vertices within the window becomes the queue
 * of hop 0. ASKS: without near entries that are stale. */
template <bool ASKS, class T>
static __device__ void load_share(const sssp_params<T> &p, const block_queues<T> &q,
                                  thread_counters<T> *mine) {
    const sssp_state &s = q.round->s;
    const entry<typename T::K> *queue = p.near_queue[s.round & 1],
                               *pile = p.far_pile[s.far_index ^ 1];
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t first = (int64_t)threadIdx.x * gridDim.x + blockIdx.x;
    for (int64_t i = first; i < (int64_t)q.round->now.near_count; i += step) {
        entry<typename T::K> x = queue[i];
        if (!ASKS || fri_racy_load(&p.view.dist[x.v]) == x.d) /* racy: as below */
            enqueue_entry(q, x, mine);
    }
    for (int64_t i = first; s.window_moved && i < (int64_t)s.far_count; i += step) {
        entry<typename T::K> x = pile[i];
        if (fri_racy_load(&p.view.dist[x.v]) == x.d) /* racy: a later decrease is queued as well */
            enqueue_entry(q, x, mine);
    }
}

/* All threads of each block: one round of up to p.hops hops; returns the index of the queue that
 * holds what is left. */
template <bool SLOTS, class T>
static __device__ int run_hops(const sssp_params<T> &p, const sssp_params<T> &slots,
                               const block_queues<T> &q, thread_counters<T> *mine) {
    /* the queue of hop 0 also holds the finds of the chunks */
    int hop = 0, *tails = q.round->tails;
    load_share<SLOTS>(p, q, mine);
    for (;; hop++) {
        __syncthreads(); /* the queue of this hop is complete, and the one before is read */
        int count = FRI_MIN(tails[hop % HOP_QUEUES], block_queues<T>::CAPACITY);
        if (count == 0 || hop == p.hops || (hop && count > p.block_queue_limit))
            return hop;
        if (threadIdx.x == 0) /* read in the previous hop, written in the next one */
            tails[(hop + 2) % HOP_QUEUES] = 0;
        int groups = (int)blockDim.x >> p.log2_lanes, first = (int)threadIdx.x >> p.log2_lanes;
        if (count > groups)
            for (; first < count; first += ITEMS * groups)
                relax_group<SLOTS, ITEMS>(p, slots, q, hop, count, first, mine);
        else if (first < count)
            relax_group<SLOTS, 1>(p, slots, q, hop, count, first, mine);
    }
}

#endif
