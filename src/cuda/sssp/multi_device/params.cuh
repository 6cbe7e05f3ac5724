/* The data of the kernel of SSSP `multi-device`, and the messages in which GPUs report their rounds. */
#ifndef FRI_CUDA_SSSP_MULTI_DEVICE_PARAMS_CUH
#define FRI_CUDA_SSSP_MULTI_DEVICE_PARAMS_CUH

#include "cuda/multi_device/slices.h"
#include "cuda/prim/joint.cuh"
#include "cuda/sssp/auto/pull.cuh"

namespace {
/* What a round of one device leaves, sent to every device. Minima are keys or NO_KEY; `flags`: MESSAGE_*.
 * MESSAGE_PARTLY: the device has not stored all of its near list to the frontiers. */
struct round_message {
    long long near_min, far_min;
    unsigned long long near_count, chunk_count, edges, flags;
};
enum { MESSAGE_FAR_OVERFLOWED = 1, MESSAGE_NEAR_OVERFLOWED = 2, MESSAGE_PARTLY = 4 };
enum { MESSAGE_WORDS = sizeof(round_message) / sizeof(unsigned long long) };

/* What the blocks of a device know of all devices at the start of a round; in shared memory, and
 * saved between launches. */
struct joint_round {
    round_message message[FRI_JOINT_DEVICES];
    unsigned long long counts[FRI_JOINT_DEVICES]; /* entries in the parts of the frontier */
    unsigned long long
        unpublished; /* whether the near lists are still to be published: UNPUBLISHED_* */
};
/* Not at all, as after a pull, which has published the keys instead; or in part. */
enum { UNPUBLISHED_NONE, UNPUBLISHED_AFTER_PULL, UNPUBLISHED_PARTLY };

/* In the memory of a device. */
struct slice_control {
    sssp_control rounds; /* counters and state, as of `auto` */
    joint_round saved;
    unsigned long long published[FRI_PHASES]; /* entries of own vertices sent, by round */
    unsigned long long partly[FRI_PHASES];    /* 1: see MESSAGE_PARTLY */
    unsigned long long stats[2]; /* edges examined and distances lowered, in the query */
    round_message message[2]
                         [FRI_JOINT_DEVICES]; /* [round modulo 2][device]: written by that device */
};

/* Kernel parameters. `push` and `pull` are for functions of `auto`: n is the graph's, dist has a key
 * for each of its vertices; keys of vertices outside the slice are upper bounds. `push` has a row for each
 * vertex of the graph, with its edges to own vertices; `pull` has a row for each own vertex, sorted by
 * weight in tiles, with pull_offsets. Near lists, far piles, chunks and packed parents have own vertices
 * only; packed_parents[v] for v of the graph. */
template <class T> struct slice_params {
    typedef typename T::K K;
    sssp_params<T> push, pull;
    const int64_t *pull_offsets; /* [own+1] */
    fri_joint joint;
    entry<K> *frontier[FRI_JOINT_DEVICES]; /* [2][2 n] of each device */
    K *dist[FRI_JOINT_DEVICES];            /* [n] of each device */
    slice_control *control[FRI_JOINT_DEVICES];
    int32_t *parent; /* [n] of the first device; NULL: no packed parents */
    const int32_t *sources;
    int32_t source_count, source; /* source: the first */
    int32_t n, own, min_own;      /* min_own: of all devices */
    int32_t first[FRI_JOINT_DEVICES + 1];
    double delta;
    unsigned long long near_capacity; /* of the near list */
    bool starts;                      /* the first launch of a query */
};
} // namespace

template <class T> static __device__ __forceinline__ int32_t first_own(const slice_params<T> &p) {
    return p.first[p.joint.me];
}
template <class T>
static __device__ __forceinline__ bool is_own(const slice_params<T> &p, int32_t v) {
    return (uint32_t)(v - first_own(p)) < (uint32_t)p.own;
}
template <class T>
static __device__ __forceinline__ slice_control *own_control(const slice_params<T> &p) {
    return p.control[p.joint.me];
}
/* Part `of` of the frontier that round `round` relaxes, in the memory of a device. A gather may list a
 * vertex that was also lowered in the same round: two entries per vertex. */
template <class T>
static __device__ __forceinline__ entry<typename T::K> *
frontier_part(const slice_params<T> &p, int device, int32_t round, int of) {
    return p.frontier[device] + ((round & 1) * (int64_t)p.n + p.first[of]) * 2;
}

/* One thread of a device, when all of its blocks have ended round `round`: what the round has left.
 * `far_before`: entries on the pile before. */
template <class T>
static __device__ round_message message_of(const slice_params<T> &p, int32_t round,
                                           unsigned long long far_before) {
    const int phase = fri_next_phase(round);
    const round_counters *c = &own_control(p)->rounds.counters[phase];
    const unsigned long long near = fri_volatile_load(&c->near_count),
                             chunks = fri_volatile_load(&c->chunk_count),
                             far = far_before + fri_volatile_load(&c->far_count);
    unsigned long long flags = far > p.push.far_capacity ? MESSAGE_FAR_OVERFLOWED : 0;
    if (near > p.near_capacity || chunks > p.push.chunk_capacity)
        flags |= MESSAGE_NEAR_OVERFLOWED;
    if (fri_volatile_load(&own_control(p)->partly[phase]))
        flags |= MESSAGE_PARTLY;
    return {fri_volatile_load(&c->near_min),
            fri_volatile_load(&c->far_min),
            near,
            chunks,
            fri_volatile_load(&c->edges),
            flags};
}

/* One thread. */
template <class T>
static __device__ void send_message(const slice_params<T> &p, int device, int32_t round,
                                    const round_message &message) {
    const unsigned long long *words = (const unsigned long long *)&message;
    unsigned long long *to =
        (unsigned long long *)&p.control[device]->message[round & 1][p.joint.me];
    FRI_UNROLL
    for (int i = 0; i < MESSAGE_WORDS; i++)
        fri_peer_store(&to[i], words[i]);
}

/* All threads of each block, after the joint barrier that ends round `round`, which pulled or not. */
template <class T>
static __device__ void read_messages(const slice_params<T> &p, int32_t round, bool pulled,
                                     joint_round *all) {
    const unsigned long long *from = (const unsigned long long *)own_control(p)->message[round & 1];
    unsigned long long *to = (unsigned long long *)all->message;
    for (int i = (int)threadIdx.x; i < p.joint.devices * MESSAGE_WORDS; i += (int)blockDim.x)
        to[i] = fri_volatile_load(&from[i]);
    __syncthreads(); /* the messages are read */
    if (threadIdx.x != 0)
        return;
    unsigned long long flags = 0;
    for (int d = 0; d < p.joint.devices; d++)
        flags |= all->message[d].flags;
    all->unpublished = pulled                   ? UNPUBLISHED_AFTER_PULL
                       : flags & MESSAGE_PARTLY ? UNPUBLISHED_PARTLY
                                                : UNPUBLISHED_NONE;
}

/* One thread of each block: the counters of all devices as one set, for decide_round() of `auto`. A near
 * list that overflowed shows as too many chunks; params.near_capacity is no limit there. */
template <class T>
static __device__ void add_messages(const slice_params<T> &p, const joint_round &all,
                                    round_counters *now, bool *far_overflowed) {
    unsigned long long left = 0, flags = 0;
    *now = {NO_KEY, NO_KEY, 0, 0, 0, 0};
    for (int d = 0; d < p.joint.devices; d++) {
        const round_message &m = all.message[d];
        now->near_min = min_key(now->near_min, m.near_min);
        now->far_min = min_key(now->far_min, m.far_min);
        now->edges += m.edges;
        left += (all.unpublished ? m.near_count : all.counts[d]) + m.chunk_count;
        flags |= m.flags;
    }
    now->near_count = left;
    now->chunk_count = flags & MESSAGE_NEAR_OVERFLOWED ? p.push.chunk_capacity + 1 : 0;
    *far_overflowed = (flags & MESSAGE_FAR_OVERFLOWED) != 0;
}

#endif
