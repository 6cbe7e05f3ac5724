/* Small levels of `auto` from ELL rows: in a graph of few edges per vertex each vertex has a row of
 * its first four or eight targets, built once, and a frontier entry is such a row. The thread that
 * claims a vertex starts an asynchronous copy of its row to shared memory and does not wait: the
 * copy completes during the barrier between levels. A level is thus a chain of claim, append and
 * barrier. The edge back to the parent is skipped; a vertex with more targets than a row holds is
 * expanded from the CSR. */
#ifndef FRI_CUDA_BFS_AUTO_ELL_ROWS_CUH
#define FRI_CUDA_BFS_AUTO_ELL_ROWS_CUH

#include "cuda/bfs/auto/block_state.cuh"

static const int ELL_MAX_DEGREE = 64, NO_VERTEX = -1, ELL_OVERFLOW = -2;

/* One thread per four targets of a row: the targets of the vertex, then NO_VERTEX; ELL_OVERFLOW
 * throughout if the vertex has more targets than the row. */
template <class O>
static __global__ void build_ell_kernel(fri_csr_view<O> out, int32_t n, int bits, int4 *ell) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int32_t v = (int32_t)(i >> (bits - 2));
    if (v >= n)
        return;
    const O begin = out.offsets[v], end = out.offsets[v + 1];
    const O e = begin + (O)(4 * (i & ((1 << (bits - 2)) - 1)));
    if (end - begin > (O)(1 << bits))
        ell[i] = {ELL_OVERFLOW, ELL_OVERFLOW, ELL_OVERFLOW, ELL_OVERFLOW};
    else
        ell[i] = {e < end ? out.targets[e] : NO_VERTEX,
                  e + 1 < end ? out.targets[e + 1] : NO_VERTEX,
                  e + 2 < end ? out.targets[e + 2] : NO_VERTEX,
                  e + 3 < end ? out.targets[e + 3] : NO_VERTEX};
}

/* Any thread: the beginning of v's row. */
template <class O>
static __device__ __forceinline__ const int4 *ell_row(const bfs_params<O> &p, int32_t v) {
    return (const int4 *)((const char *)p.ell + (uint64_t)(uint32_t)v * (4u << p.log2_ell_width));
}

namespace {
/* Destination of an ELL level. */
struct next_frontier {
    ell_frontier ell;
    int32_t depth, phase; /* of the level being expanded; of the next level's counters */
    bool scatter;         /* a found vertex goes to the block that it hashes to */
    int32_t keep_limit;   /* persistent: entries from here on are also offered to others */
};
} // namespace

/* Persistent blocks: where an entry of `block` is offered to other blocks. */
template <class O>
static __device__ __forceinline__ shared_entry *
shared_entry_at(const bfs_params<O> &p, int32_t depth, int block, int32_t at) {
    return &p.shared_entries[((int64_t)(depth & 1) * gridDim.x + block) * p.block_capacity + at];
}

/* Any thread: appends v, which the caller has claimed from u, to the next frontier;
 * finish_ell_entries() of its block does the rest. An entry that does not fit is dropped; the total
 * then exceeds the capacity. */
template <class O, class C>
static __device__ __forceinline__ void
append_claimed(const bfs_params<O> &p, const C &b, const next_frontier &out, int32_t v, int32_t u) {
    const unsigned rank = out.scatter ? home_block(b, v) : b.rank;
    const int32_t at = out.scatter ? reserve_entry(b, rank, out.phase)
                                   /* the block's threads append */
                                   : atomicAdd(&b.counters[out.phase].entries, 1);
    FRI_COUNT(p.out, FR_COUNTER_ENQUEUES, 1);
    if (at < p.block_capacity)
        *(out.scatter ? fri_cluster_at(&out.ell.entries[at], rank) : &out.ell.entries[at]) = {v, u};
    else
        set_level(p, v, u, out.depth + 1);
}

/* Threads `first`, `first` + `step`, ... of a block: write level and parent of its entries of that
 * depth and start the copies of their rows. */
template <class O, class C>
static __device__ __forceinline__ void
finish_ell_entries(const bfs_params<O> &p, const C &b, int phase, int32_t depth, int32_t keep_limit,
                   int32_t first, int32_t step) {
    const ell_frontier to = ell_frontier_of(p, b, depth);
    const int32_t count = FRI_MIN(b.counters[phase].entries, p.block_capacity),
                  quads = p.log2_ell_width - 2;
    for (int32_t i = first; i < count << quads; i += step) /* adjacent threads read one row */
        fri_copy_async((int4 *)to.targets + i,
                       ell_row(p, to.entries[i >> quads].v) + (i & ((1 << quads) - 1)));
    for (int32_t i = first; i < count; i += step) {
        const vertex_parent entry = to.entries[i];
        if (C::is_persistent && i >= keep_limit) {
            shared_entry *shared = shared_entry_at(p, depth, (int)blockIdx.x, i);
            const uint64_t tag = (uint64_t)(p.tag_base + (uint32_t)depth) << 32;
            fri_racy_store(&shared->v,
                           tag | (uint32_t)entry.v); /* racy: other blocks wait for both words */
            fri_racy_store(&shared->parent, tag | (uint32_t)entry.parent);
        }
        if (entry.parent >= 0) /* found in this launch */
            set_level(p, entry.v, entry.parent, depth);
    }
}

/* Any thread: expands every 1 << log2_ell_width-th edge of entry.v from edge `first` on. Returns
 * the edges scanned. */
template <class O, class C>
static __device__ __forceinline__ unsigned expand_overflow(const bfs_params<O> &p, const C &b,
                                                           const next_frontier &out,
                                                           vertex_parent entry, int first) {
    const O begin = p.out.offsets[entry.v], end = p.out.offsets[entry.v + 1];
    unsigned scanned = 0;
    FRI_ROLLED
    for (O e = begin + (O)first; e < end; e += (O)(1 << p.log2_ell_width)) {
        const int32_t v = p.out.targets[e];
        scanned++;
        FRI_COUNT(p.out, FR_COUNTER_EDGES, 1);
        if (v == entry.parent || history_cull(b, v))
            continue;
        FRI_COUNT(p.out, FR_COUNTER_ATOMICS, 1);
        if (bit_was_clear(v, claim_bit(p, b, v)))
            append_claimed(p, b, out, v, entry.v);
    }
    return scanned;
}

/* Any thread: claims targets v of the ELL rows, ITEMS at once. Returns how many of them are
 * vertices. */
template <class O, class C>
static __device__ __forceinline__ unsigned claim_targets(const bfs_params<O> &p, const C &b,
                                                         const next_frontier &out, const int32_t *v,
                                                         const vertex_parent *entry) {
    bool candidate[C::ITEMS];
    uint32_t answer[C::ITEMS];
    unsigned scanned = 0;
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++) {
        const bool on = v[j] >= 0 && v[j] != entry[j].parent;
        candidate[j] = on && !history_cull(b, v[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++) {
        answer[j] = candidate[j] ? claim_bit(p, b, v[j]) : 0;
        /* a cluster barrier is shorter than a global memory read */
        if (!C::is_persistent && candidate[j])
            fri_prefetch(ell_row(p, v[j]));
        scanned += v[j] >= 0;
        FRI_COUNT(p.out, FR_COUNTER_EDGES, v[j] >= 0);
        FRI_COUNT(p.out, FR_COUNTER_ATOMICS, candidate[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++)
        if (candidate[j] && bit_was_clear(v[j], answer[j]))
            append_claimed(p, b, out, v[j], entry[j].v);
    return scanned;
}

/* Any thread: bit j is set if target j is ELL_OVERFLOW. */
template <class C> static __device__ __forceinline__ unsigned overflow_mask(const int32_t *v) {
    unsigned overflow = 0;
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++)
        overflow |= (unsigned)(v[j] == ELL_OVERFLOW) << j;
    return overflow;
}

#endif
