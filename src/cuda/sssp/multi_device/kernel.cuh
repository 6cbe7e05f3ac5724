/* SSSP `multi-device`: the kernel of a GPU, which starts a query, runs rounds and reports. Included by multi_device.cu
 * only, which says how it works. */
#ifndef FRI_SSSP_MULTI_DEVICE_KERNEL_CUH
#define FRI_SSSP_MULTI_DEVICE_KERNEL_CUH

#include "cuda/sssp/multi_device/round.cuh"

/* Control words of the first GPU: rounds of the launch; 1 if vertices are pending, else 0; the smallest
 * pending key (64 bits); fri_joint.first of the next launch, which shows that this one completed. */
enum {
    CONTROL_ROUNDS,
    CONTROL_HAS_PENDING,
    CONTROL_MIN_PENDING_KEY,
    CONTROL_NEXT_BARRIER = CONTROL_MIN_PENDING_KEY + 2
};

/* ---- the start of a query ---- */

/* All threads: keys, unless the driver has filled them (on the first GPU), and packed parents. */
template <class T> static __device__ void fill_slice(const slice_params<T> &p, bool keys) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; v < p.n; v += all) {
        if (keys)
            p.push.view.dist[v] =
                v == p.source ? 0 : T::unreached(); /* the key of 0 in every kind */
        if (p.push.packed_parents && is_own(p, (int32_t)v))
            p.push.packed_parents[v] = ULLONG_MAX;
    }
}

/* All threads, after a barrier if there are several. */
template <class T> static __device__ void seed_slice(const slice_params<T> &p) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.source_count; i += all) {
        const int32_t v = p.source_count == 1 ? p.source : p.sources[i];
        frontier_part(p, p.joint.me, 0, 0)[i] = {0, v};
        if (p.source_count > 1)
            p.push.view.dist[v] = 0;
    }
}

/* One thread of the grid. */
template <class T> static __device__ void reset_control(const slice_params<T> &p) {
    slice_control *c = own_control(p);
    sssp_state s = {};
    for (int phase = 0; phase < FRI_PHASES; phase++) {
        reset_counters(&c->rounds.counters[phase], 0);
        c->published[phase] = c->partly[phase] = 0;
    }
    s.delta = p.delta;
    s.window_end = T::add_width(0, p.delta);
    s.far_min = NO_KEY;
    c->rounds.s = s;
    for (int d = 0; d < FRI_JOINT_DEVICES; d++) {
        c->saved.message[d] = {d ? NO_KEY : 0, NO_KEY, 0, 0, 0, 0};
        c->saved.counts[d] = d ? 0 : (unsigned long long)p.source_count;
    }
    c->saved.unpublished = UNPUBLISHED_NONE;
    c->stats[0] = c->stats[1] = 0;
}

/* No device may store to another that still fills its arrays: a joint barrier ends the start. */
template <class T>
static __device__ bool start_slice(const slice_params<T> &p, bool keys, fri_joint_state *joint,
                                   unsigned long long *sums) {
    fill_slice(p, keys);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        reset_control(p);
    if (p.source_count > 1 && !fri_joint_grid_sync(p.joint, joint)) /* the keys are filled */
        return false;
    seed_slice(p);
    return fri_joint_sync(
        p.joint, joint, [](int) { return 0ull; }, sums);
}

/* ---- the rounds ---- */

/* One thread of each block: adds what the round before left to the state; false: nothing is pending.
 * As accumulate() of `auto`; far_count counts the own pile. */
template <class T>
static __device__ bool accumulate_messages(const slice_params<T> &p, sssp_state *s,
                                           const round_counters &now, bool far_overflowed) {
    const round_counters *own = &own_control(p)->rounds.counters[s->round % FRI_PHASES];
    s->near_min = now.near_count || now.chunk_count ? now.near_min : NO_KEY;
    s->far_count = (s->window_moved ? 0 : s->far_count) + fri_volatile_load(&own->far_count);
    s->far_min = s->window_moved ? now.far_min : min_key(s->far_min, now.far_min);
    s->overflowed |= far_overflowed;
    return s->near_min != NO_KEY || s->far_min != NO_KEY;
}

/* One thread of each block: as decide_round() of `auto`, whose window moves in the round that relaxes what
 * it takes from the pile. Here that is two rounds, one that publishes and one that relaxes; only after the
 * second is it known how many vertices the window gave, so it stays until then. If it moved in each of
 * the two, its width doubled twice before that: two H200s examined three times the edges of Kronecker 24. */
template <class T>
static __device__ void decide_joint_round(const slice_params<T> &p, sssp_state *s,
                                          const round_counters &now) {
    const bool stays = s->window_moved && now.near_count + now.chunk_count > 0;
    const long long far_min = s->far_min;
    if (stays)
        s->far_min = NO_KEY; /* then it does not move; near_min is smaller */
    decide_round(p.push, s, now);
    if (stays && !s->pulls)
        s->far_min = far_min;
    s->gathers = s->window_moved;
}

/* Of few vertices: whether the near list is published without a barrier of the grid, with entries that fall
 * again. The same on all devices. The list of a device of fewer vertices may exceed its part of the frontier. */
template <class T>
static __device__ __forceinline__ bool is_small_round(const slice_params<T> &p, const sssp_state &s,
                                                      const round_counters &now) {
    return !s.pulls && !s.scans_all && now.near_count + now.chunk_count < p.push.advance_below &&
           p.min_own >= FRI_WARP;
}

namespace {
/* The rounds of a launch (fri_persistent_loop). */
template <class T> struct slice_steps {
    const slice_params<T> &p;
    block_queues<T> q;
    joint_round *all;         /* in shared memory */
    unsigned long long *sums; /* in shared memory */
    fri_joint_state joint;
    thread_counters<T> mine;
    int32_t done;   /* rounds of this launch so far */
    bool completed; /* no device has given up */

    __device__ void decide() {
        block_round<T> *round = q.round;
        bool far_overflowed;
        add_messages(p, *all, &round->now, &far_overflowed);
        sssp_state *s = &round->s;
        round->more =
            (s->counters_added || accumulate_messages(p, s, round->now, far_overflowed)) &&
            done < p.push.max_rounds;
        s->counters_added = !round->more;
        if (round->more)
            decide_joint_round(p, s, round->now);
        trace_round(p.push, done, *s, round->now);
        begin_block_round(p.push, round);
        round->near.capacity = p.near_capacity;
    }
    __device__ bool ends() const { return !completed || !q.round->more; }
    __device__ void clear() {
        const int spare = fri_spare_phase(q.round->s.round);
        reset_counters(&own_control(p)->rounds.counters[spare], 0);
        fri_volatile_store(&own_control(p)->published[spare], 0ull);
        fri_volatile_store(&own_control(p)->partly[spare], 0ull);
    }
    /* All threads: waits for what is published for round `round`, whose parts it counts. */
    __device__ bool sync(int32_t round) {
        const unsigned long long *published = &own_control(p)->published[round % FRI_PHASES];
        return fri_joint_sync(
            p.joint, &joint, [&](int i) { return i == 0 ? fri_volatile_load(published) : 0ull; },
            sums, all->counts);
    }
    __device__ bool pull_round() {
        const typename T::K lower_bound = (typename T::K)q.round->s.lower_bound;
        if (all->unpublished != UNPUBLISHED_AFTER_PULL) {
            publish_keys(p);
            if (!sync(q.round->s.round))
                return false;
        }
        pull_continued(p, q, lower_bound, &mine);
        if (!fri_joint_grid_sync(p.joint, &joint)) /* keys of rows in several tiles have fallen */
            return false;
        pull_first_parts(p, q, lower_bound, &mine);
        return true;
    }
    __device__ bool push_round() {
        const sssp_state &s = q.round->s;
        if (all->unpublished && !s.scans_all) {
            publish_list(p, s.round, sums);
            if (!sync(s.round))
                return false;
        }
        if (!s.scans_all)
            relax_all(p, q, *all, &mine);
        if (s.scans_all || (s.window_moved && s.overflowed))
            gather_own(p, q, (typename T::K)(s.scans_all ? s.near_min : s.previous_end + 1), &mine);
        return true;
    }
    /* All threads: the end of a round whose near list is published by each block as it ends. The last block
     * of the device sends the messages, so that the joint barrier is the only one. */
    __device__ bool end_small_round() {
        const sssp_state &s = q.round->s;
        publish_block(p, q, s.round);
        const auto send = [&](int i) {
            if (i != 0)
                return 0ull;
            const round_message message = message_of(p, s.round, s.window_moved ? 0 : s.far_count);
            send_message(p, fri_lane() / FRI_JOINT_SUMS, s.round, message);
            __threadfence_system(); /* the message precedes the number */
            return message.near_count;
        };
        return fri_joint_sync(p.joint, &joint, send, sums, all->counts);
    }
    __device__ bool end_large_round() {
        const sssp_state &s = q.round->s;
        if (!fri_joint_grid_sync(p.joint, &joint)) /* the list and the counters are complete */
            return false;
        if (blockIdx.x == 0 && (int)threadIdx.x < p.joint.devices)
            send_message(p, (int)threadIdx.x, s.round,
                         message_of(p, s.round, s.window_moved ? 0 : s.far_count));
        if (!s.pulls)
            publish_list(p, s.round + 1, sums);
        return sync(s.round + 1);
    }
    __device__ void run() {
        const sssp_state &s = q.round->s;
        q.near_capacity = 2 * block_queues<T>::CAPACITY;
        completed = s.pulls ? pull_round() : push_round();
        if (!completed)
            return;
        flush_round(p.push, q, 0, &mine);
        completed = is_small_round(p, s, q.round->now) ? end_small_round() : end_large_round();
        if (!completed)
            return;
        read_messages(p, s.round, s.pulls, all);
        if (threadIdx.x == 0)
            q.round->s.round++;
        done++;
    }
};
} // namespace

/* ---- the end of a launch ---- */

/* All threads: parents of own vertices to the first GPU, which has all keys that were relaxed, and
 * checks the parents. As in parents_kernel of `auto`. */
template <class T> static __device__ void send_parents(const slice_params<T> &p) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.own; i += all) {
        const int32_t v = first_own(p) + (int32_t)i;
        const unsigned long long best = p.push.packed_parents[v];
        /* no thread lowered a source */
        fri_peer_store(&p.parent[v], best == ULLONG_MAX ? v : (int32_t)(uint32_t)best);
    }
}

/* All threads: copies what a launch continues from, in either direction. */
static __device__ void copy_words(void *to, const void *from, int bytes) {
    for (int i = (int)threadIdx.x; i < bytes / (int)sizeof(int32_t); i += (int)blockDim.x)
        ((int32_t *)to)[i] = fri_volatile_load(&((const int32_t *)from)[i]);
}

/* One thread of the first GPU. */
template <class T>
static __device__ void report(const slice_params<T> &p, const sssp_state &s, int32_t rounds,
                              const unsigned long long *sums, uint32_t next_barrier) {
    int32_t *words = p.push.view.control;
    const long long min_pending_key = min_key(s.near_min, s.far_min);
    words[CONTROL_ROUNDS] = rounds;
    words[CONTROL_HAS_PENDING] = min_pending_key != NO_KEY;
    *(long long *)&words[CONTROL_MIN_PENDING_KEY] = min_pending_key;
    words[CONTROL_NEXT_BARRIER] = (int32_t)next_barrier;
    *(unsigned long long *)&words[FRI_CONTROL_EDGES] = sums[0];
    *(unsigned long long *)&words[FRI_CONTROL_RELAXED] = sums[1];
}

/* Runs rounds on all devices until nothing is pending or max_rounds are done. */
template <class T>
static __global__ void __launch_bounds__(FRI_GRID_THREADS, FRI_GRID_BLOCKS_PER_SM)
    slice_kernel(const __grid_constant__ slice_params<T> p, bool fills_keys) {
    typedef typename T::K K;
    FRI_SHARED(warp_rows<K>, rows, FRI_GRID_THREADS / FRI_WARP);
    FRI_SHARED(entry<K>, near, 2 * block_queues<T>::CAPACITY);
    FRI_SHARED(entry<K>, far, block_queues<T>::FAR_CAPACITY);
    FRI_SHARED(chunk_entry, chunks, MAX_CHUNKS);
    FRI_SHARED(block_round<T>, round, 1);
    FRI_SHARED(joint_round, all, 1);
    FRI_SHARED(unsigned long long, sums, FRI_JOINT_SUMS);
    fri_joint_state joint = fri_joint_begin(p.joint);
    slice_control *own = own_control(p);
    if (p.starts && !start_slice(p, fills_keys, &joint, sums))
        return;
    copy_words(all, &own->saved, sizeof *all);
    copy_words(&round->s, &own->rounds.s, sizeof round->s);
    __syncthreads(); /* the state is loaded */
    slice_steps<T> steps = {p,     {near, far, round, &rows[fri_warp()], chunks, 0}, all, sums,
                            joint, {T::unreached(), T::unreached(), 0, 0, 0},        0,   true};
    fri_persistent_loop(steps);
    if (!steps.completed)
        return;
    fri_grid_add(&own->stats[0], steps.mine.edges);
    __syncthreads(); /* the block's sums are read before they are written again */
    fri_grid_add(&own->stats[1], steps.mine.relaxed);
    if (p.parent)
        send_parents(p);
    if (!fri_joint_sync(
            p.joint, &steps.joint,
            [&](int i) { return i < 2 ? fri_volatile_load(&own->stats[i]) : 0ull; }, sums))
        return;
    if (blockIdx.x != 0)
        return;
    copy_words(&own->saved, all, sizeof *all);
    copy_words(&own->rounds.s, &round->s, sizeof round->s);
    if (p.joint.me == 0 && threadIdx.x == 0)
        report(p, round->s, steps.done, sums, steps.joint.next);
}

/* On the first GPU, with the final distances: as parents_kernel of `auto`. */
template <class T>
static __global__ void check_parents_kernel(fri_sssp_view<T> view, bool weights_positive,
                                            int32_t *parent) {
    const int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= view.n)
        return;
    const int32_t u = parent[v];
    if (view.dist[v] == T::unreached())
        parent[v] = -1;
    else if (!weights_positive && u != v && view.dist[u] >= view.dist[v])
        parent[v] = INT32_MAX;
}

#endif
