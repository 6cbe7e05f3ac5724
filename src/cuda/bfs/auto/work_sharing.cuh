/* An ELL level of `auto`, and work sharing between its persistent blocks.
 *
 * Found vertices stay in the block that finds them, so shares become imbalanced. A block also
 * writes entries beyond its fair share to global memory. When all blocks have published how many
 * entries they have, each block knows which blocks have a surplus and which positions of it are its
 * own to take; some of its warps read those entries while the others expand its own. No barrier or
 * fence is needed: each half of an entry carries the level's tag. */
#ifndef FRI_CUDA_BFS_AUTO_WORK_SHARING_CUH
#define FRI_CUDA_BFS_AUTO_WORK_SHARING_CUH

#include "cuda/bfs/auto/ell_rows.cuh"

enum { BLOCKS_PER_LANE = MAX_GRID_BLOCKS / FRI_WARP };

/* Whole warp: computes which surplus entries this block takes and stores the plan. Its order of
 * blocks is that of the lanes: lane i holds blocks i, i + 32, ... */
template <class O, class C>
static __device__ __forceinline__ void make_share_plan(const bfs_params<O> &p, const C &b,
                                                       int32_t depth, const frontier_totals &sum) {
    const int blocks = (int)gridDim.x, each = (blocks + FRI_WARP - 1) / FRI_WARP;
    const int mine = (int)blockIdx.x / FRI_WARP;
    uint32_t block_entries[BLOCKS_PER_LANE];
    int32_t surplus = 0, deficit = 0, total_surplus, ignored, at = 0, count = 0;
    bool complete;
    do {
        complete = true;
        FRI_UNROLL
        for (int k = 0; k < BLOCKS_PER_LANE; k++) { /* racy: a wait */
            const int block = k * FRI_WARP + fri_lane();
            block_entries[k] =
                block < blocks
                    ? fri_racy_load(&p.published_entries[(depth & 1) * MAX_GRID_BLOCKS + block])
                    : 0;
            complete &= block >= blocks || block_entries[k] >> 16 == ((uint32_t)depth & 0xffff);
            block_entries[k] =
                block < blocks ? block_entries[k] & 0xffff : (uint32_t)sum.mean_share;
        }
    } while (!__all_sync(FRI_FULL_MASK, complete));
    FRI_UNROLL
    for (int k = 0; k < BLOCKS_PER_LANE; k++) {
        surplus += FRI_MAX((int32_t)block_entries[k] - sum.keep_limit, 0);
        deficit += FRI_MAX(sum.mean_share - (int32_t)block_entries[k], 0);
    }
    surplus = fri_warp_prefix(surplus, &total_surplus);
    deficit = fri_warp_prefix(deficit, &ignored);
    FRI_UNROLL
    for (int k = 0; k < BLOCKS_PER_LANE; k++) {
        if (k < each)
            fri_racy_store(&b.plan->surplus_before[fri_lane() * each + k],
                           surplus); /* racy: see tag */
        if (k == mine) {
            at = deficit;
            count = FRI_MAX(sum.mean_share - (int32_t)block_entries[k], 0);
        }
        surplus += FRI_MAX((int32_t)block_entries[k] - sum.keep_limit, 0);
        deficit += FRI_MAX(sum.mean_share - (int32_t)block_entries[k], 0);
    }
    if (fri_lane() == (int)blockIdx.x % FRI_WARP) {
        fri_racy_store(&b.plan->base, at); /* racy: see tag */
        fri_racy_store(&b.plan->count, FRI_MIN(count, total_surplus - at));
    }
    __threadfence_block(); /* the plan is written before its tag */
    __syncwarp();          /* by all lanes */
    if (fri_lane() == 0)   /* racy: other warps wait for it */
        fri_racy_store(&b.plan->tag, p.tag_base + (uint32_t)depth);
}

/* Any thread: the surplus entry at position `at`. */
template <class O, class C>
static __device__ __forceinline__ const shared_entry *
locate_shared(const bfs_params<O> &p, const C &b, const next_frontier &out,
              const frontier_totals &sum, int32_t at) {
    const int each = ((int)gridDim.x + FRI_WARP - 1) / FRI_WARP;
    int index = 0;
    FRI_UNROLL
    /* the last index with surplus_before <= at */
    for (int half = MAX_GRID_BLOCKS / 2; half; half /= 2)
        if (index + half < FRI_WARP * each &&
            fri_racy_load(&b.plan->surplus_before[index + half]) <= at)
            index += half;
    return shared_entry_at(p, out.depth, index % each * FRI_WARP + index / each,
                           sum.keep_limit + at - fri_racy_load(&b.plan->surplus_before[index]));
}

/* Whole warp: waits until this block's plan is complete; the block's last warp computes it. */
template <class O, class C>
static __device__ __forceinline__ void wait_share_plan(const bfs_params<O> &p, const C &b,
                                                       int32_t depth, const frontier_totals &sum) {
    const uint32_t tag = p.tag_base + (uint32_t)depth;
    if (fri_warp() == (int)blockDim.x / FRI_WARP - 1)
        make_share_plan(p, b, depth, sum);
    while (!__all_sync(FRI_FULL_MASK, fri_racy_load(&b.plan->tag) == tag)) /* racy: a wait */
        ;
    __threadfence_block(); /* the plan is read after its tag */
}

/* Whole warp: loads the surplus entries at positions `at` >= 0 of each lane. */
template <class O, class C>
static __device__ __forceinline__ void
load_shared(const bfs_params<O> &p, const C &b, const next_frontier &out,
            const frontier_totals &sum, const int32_t *at, vertex_parent *entry) {
    const uint32_t tag = p.tag_base + (uint32_t)out.depth;
    const shared_entry *source[C::ITEMS];
    bool complete;
    FRI_UNROLL
    for (int j = 0; j < C::ITEMS; j++)
        source[j] = at[j] >= 0 ? locate_shared(p, b, out, sum, at[j]) : nullptr;
    do {
        complete = true;
        FRI_UNROLL
        for (int j = 0; j < C::ITEMS; j++) { /* racy: a wait */
            const uint64_t v_word = source[j] ? fri_racy_load(&source[j]->v) : 0;
            const uint64_t parent_word = source[j] ? fri_racy_load(&source[j]->parent) : 0;
            complete &= !source[j] || (v_word >> 32 == tag && parent_word >> 32 == tag);
            entry[j] = {(int32_t)(uint32_t)v_word, (int32_t)(uint32_t)parent_word};
        }
    } while (!__all_sync(FRI_FULL_MASK, complete));
}

/* Whole warps, of `step` threads in all, `first` is the thread's index: expands the targets of
 * `count` entries, of the block's own or of the surplus. Returns the edges scanned by this
 * thread. */
template <class O, class C>
static __device__ __forceinline__ unsigned
expand_ell(const bfs_params<O> &p, const C &b, const next_frontier &out, const frontier_totals &sum,
           int32_t count, bool own, int32_t first, int32_t step) {
    const ell_frontier from = ell_frontier_of(p, b, out.depth);
    const int32_t log2_width = p.log2_ell_width, all = count * (1 << log2_width),
                  column_mask = (1 << log2_width) - 1;
    const int32_t base = own ? 0 : fri_racy_load(&b.plan->base); /* racy: see tag */
    unsigned scanned = 0;
    for (; first - fri_lane() < all; first += step * C::ITEMS) {
        int32_t v[C::ITEMS], at[C::ITEMS];
        vertex_parent entry[C::ITEMS];
        FRI_UNROLL
        for (int j = 0; j < C::ITEMS; j++) {
            const int32_t i = first + j * step;
            at[j] = i < all ? base + (i >> log2_width) : -1;
            entry[j] = {NO_VERTEX, NO_VERTEX};
            v[j] = NO_VERTEX;
        }
        if (own) {
            FRI_UNROLL
            for (int j = 0; j < C::ITEMS; j++)
                if (at[j] >= 0) {
                    v[j] = from.targets[first + j * step];
                    entry[j] = from.entries[at[j]];
                }
        } else if (C::is_persistent) {
            load_shared(p, b, out, sum, at, entry);
            FRI_UNROLL
            for (int j = 0; j < C::ITEMS; j++)
                if (at[j] >= 0) /* step is a multiple of the ELL width */
                    v[j] = ((const int32_t *)ell_row(p, entry[j].v))[first & column_mask];
        }
        scanned += claim_targets(p, b, out, v, entry);
        FRI_ROLLED
        for (unsigned overflow = overflow_mask<C>(v); overflow; overflow &= overflow - 1) {
            vertex_parent one = entry[0];
            FRI_UNROLL
            for (int k = 1; k < C::ITEMS; k++)
                one = overflow >> k & 1 && !(overflow & ((1u << k) - 1)) ? entry[k] : one;
            scanned += expand_overflow(p, b, out, one, first & column_mask);
        }
        __syncwarp(); /* lanes may have diverged */
    }
    return scanned;
}

/* All threads, of a persistent block at least two warps: one level from the frontier with totals
 * `sum`. Returns the edges scanned by this thread. level_barrier() must follow. */
template <class O, class C>
static __device__ __forceinline__ unsigned
ell_level(const bfs_params<O> &p, const C &b, const bfs_state &s, const frontier_totals &sum) {
    const int phase = fri_next_phase(s.phase), warps = (int)blockDim.x / FRI_WARP;
    const next_frontier out = {ell_frontier_of(p, b, s.depth + 1), s.depth, phase,
                               !C::is_persistent && sum.imbalanced, sum.next_keep_limit};
    const int32_t count = b.counters[s.phase].entries, me = (int32_t)threadIdx.x;
    int32_t mine = count, own_threads = (int32_t)blockDim.x;
    if (C::is_persistent && sum.imbalanced) {
        mine = FRI_MIN(count, sum.keep_limit);
        if (count < sum.mean_share) /* own warps in proportion to own entries */
            own_threads =
                FRI_MIN(FRI_MAX(warps * count / sum.mean_share, count > 0), warps - 1) * FRI_WARP;
    }
    const bool own = !C::is_persistent || me < own_threads;
    if (!own) {
        wait_share_plan(p, b, s.depth, sum);
        mine = fri_racy_load(&b.plan->count); /* racy: see tag */
    }
    const unsigned scanned = expand_ell(p, b, out, sum, mine, own, own ? me : me - own_threads,
                                        own ? own_threads : (int32_t)blockDim.x - own_threads);
    if (p.trace) {
        __syncwarp(); /* lanes may have diverged */
        const unsigned edges = fri_warp_total(scanned);
        if (fri_lane() == 0)
            atomicAdd(&b.counters[phase].edges, edges); /* the block's warps add */
    }
    return scanned;
}

#endif
