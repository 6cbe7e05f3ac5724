/* What a block of SSSP `auto` collects in shared memory, and where it appends what does not fit. */
#ifndef FRI_CUDA_SSSP_AUTO_BLOCK_QUEUES_CUH
#define FRI_CUDA_SSSP_AUTO_BLOCK_QUEUES_CUH

#include "cuda/prim/append.cuh"
#include "cuda/prim/edge_chunks.cuh"
#include "cuda/sssp/auto/common.cuh"

#ifdef FRI_SIMT /* short lists on small graphs, too */
enum { MAX_CHUNKS = 4 };
#else
enum { MAX_CHUNKS = 128 /* chunks in a block's own list */ };
#endif
enum { ITEMS = 2, WARP_ITEMS = ITEMS * FRI_WARP, GATHER_ITEMS = 4, QUEUE_BYTES = 8192 };

namespace {
/* The rows that a warp relaxes at once, in its own shared memory. */
template <class K> struct warp_rows {
    int64_t begin[FRI_WARP];
    K d[FRI_WARP];
    int32_t v[sizeof(K) == 4 ? FRI_WARP : 1]; /* unused with keys of 64 bits */
    int before[FRI_WARP];                     /* edges of the preceding vertices */
};

/* A block's shared memory for the entries it finds: near ones, of two hops in turn or all of a
 * large round; and those beyond the window. */
template <class T> struct block_queues {
    typedef typename T::K K;
    static const int CAPACITY = QUEUE_BYTES / sizeof(entry<K>), FAR_CAPACITY = CAPACITY;
    entry<K> *near, *far; /* [2 CAPACITY], [FAR_CAPACITY] */
    block_round<T> *round;
    warp_rows<K> *rows;  /* this warp's */
    chunk_entry *chunks; /* [MAX_CHUNKS] of rows that all warps of the block process */
    int near_capacity;   /* of the queue that whole warps append to */
    int half;            /* to which of chunks_tail the chunks belong */
};
} // namespace

/* Whole warp: appends the lanes' entries to the block's shared memory, and those that do not fit to
 * the global queue. */
template <class K, int C>
static __device__ __forceinline__ void
append_entries(entry<K> *here, int *tail, int capacity, const queue_ref<K> &there,
               const bool (&yes)[C], const int32_t (&v)[C], const K (&d)[C]) {
    int position[C], total = 0;
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        position[j] = fri_assign_positions(yes[j], &total);
    if (total == 0)
        return;
    int base = fri_reserve(tail, total);
    if (base + total <= capacity) {
        FRI_UNROLL
        for (int j = 0; j < C; j++)
            if (yes[j])
                here[base + position[j]] = {d[j], v[j]};
        return;
    }
    int kept = base < capacity ? capacity - base : 0;
    unsigned long long out = there.base + fri_reserve(there.count, total - kept);
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        if (yes[j] && position[j] < kept)
            here[base + position[j]] = {d[j], v[j]};
        else if (yes[j] && out + (unsigned)(position[j] - kept) < there.capacity)
            there.entries[out + (unsigned)(position[j] - kept)] = {d[j], v[j]};
}
template <class T, int C>
static __device__ __forceinline__ void append_near(const block_queues<T> &q, const bool (&yes)[C],
                                                   const int32_t (&v)[C],
                                                   const typename T::K (&d)[C]) {
    append_entries(q.near, &q.round->tails[0], q.near_capacity, q.round->near, yes, v, d);
}
template <class T, int C>
static __device__ __forceinline__ void append_far(const block_queues<T> &q, const bool (&yes)[C],
                                                  const int32_t (&v)[C],
                                                  const typename T::K (&d)[C]) {
    if (!q.round->overflowed)
        append_entries(q.far, &q.round->tails[FAR_TAIL], block_queues<T>::FAR_CAPACITY,
                       q.round->far, yes, v, d);
}

/* Whole warp: lists the lanes' vertices of `degree` > 0 edges as parts of at most SIZE edges, which all
 * lanes write: `own` for the block's warps, those that do not fit for the next round, where the whole
 * grid takes them. */
template <int SIZE, class T>
static __device__ void append_parts(const sssp_params<T> &p, const block_queues<T> &q, bool own,
                                    int32_t v, typename T::K d, int64_t begin, int64_t degree) {
    int total, before = fri_warp_prefix((int)fri_chunk_count<SIZE>(degree), &total);
    if (total == 0)
        return;
    int base = own ? fri_reserve(&q.round->chunks_tail[q.half], total) : MAX_CHUNKS;
    int kept = FRI_MIN(FRI_MAX(MAX_CHUNKS - base, 0), total);
    unsigned long long out =
        kept < total ? fri_reserve(&q.round->next->chunk_count, total - kept) : 0;
    auto put = [&](int i, int owner, const fri_edge_chunk &part) {
        chunk_entry x = {part.begin, __shfl_sync(FRI_FULL_MASK, d, owner), part.v, part.count};
        if (i < kept)
            q.chunks[base + i] = x;
        else if (i < total && out + (unsigned)(i - kept) < p.chunk_capacity)
            q.round->chunks[out + (unsigned)(i - kept)] = x;
    };
    fri_for_each_chunk<SIZE, 5>(before, total, v, begin, degree, put);
}
template <class T>
static __device__ void append_chunks(const sssp_params<T> &p, const block_queues<T> &q, bool own,
                                     int32_t v, typename T::K d, int64_t begin, int64_t degree) {
    append_parts<CHUNK_EDGES>(p, q, own, v, d, begin, degree);
}

#endif
