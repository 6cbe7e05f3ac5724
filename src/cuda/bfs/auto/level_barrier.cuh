/* The end of a small level of `auto`: a barrier of the cluster or of the persistent blocks that
 * also returns the next frontier's totals.
 *
 * When a block's threads have finished a level, one of its warps publishes the block's counters and
 * waits for the other blocks' sums. In a cluster each block writes them, tagged with the level, to a
 * mailbox in every block; persistent blocks add them to words in L2 that also count the
 * arrivals. So the counters come with the barrier, and no thread waits until its global writes
 * have completed, as a cluster-scope release would: no thread reads them during this launch. A
 * claim is answered before its block publishes, and only the block itself reads the entries that it
 * keeps. Only if entries went to other blocks of a cluster, the hardware's cluster barrier precedes
 * the counters. While that warp waits, the others write level and parent of the vertices that the
 * block has found and start the copies of their ELL rows. */
#ifndef FRI_CUDA_BFS_AUTO_LEVEL_BARRIER_CUH
#define FRI_CUDA_BFS_AUTO_LEVEL_BARRIER_CUH

#include "cuda/bfs/auto/ell_rows.cuh"

/* The two words of a block's counters, each with the level's tag: entries and vertices; overflowed
 * and edges. */
static __device__ __forceinline__ uint64_t pack_counters(const block_counters &counters, int which,
                                                         uint32_t tag) {
    const uint64_t high = which ? counters.overflowed != 0 : FRI_MIN(counters.entries, 0xffff);
    return (uint64_t)(tag & 0xffff) << 48 | high << 32 |
           (which ? counters.edges : (uint32_t)counters.vertices);
}
static __device__ __forceinline__ bool has_tag(uint64_t word, int32_t depth) {
    return (word >> 48) == ((uint32_t)depth & 0xffff);
}
static __device__ __forceinline__ uint32_t high_field(uint64_t word) {
    return (uint32_t)(word >> 32) & 0xffff;
}

/* Before the first barrier: all threads clear the words in which counters of that depth and the
 * next are awaited. Persistent blocks must then pass a grid barrier. */
template <class O, class C>
static __device__ __forceinline__ void clear_mailboxes(const bfs_params<O> &p, const C &b,
                                                       int32_t depth) {
    const int me = (int)threadIdx.x;
    for (int i = me; i < 2 * FRI_WARP; i += (int)blockDim.x)
        b.mailbox[i] = (uint64_t)((uint32_t)(depth - 1) & 0xffff) << 48;
    if (!C::is_persistent)
        return;
    if (me < 2) /* racy: other blocks wait for these words */
        fri_racy_store(&p.published_entries[me * MAX_GRID_BLOCKS + (int)blockIdx.x],
                       (uint32_t)(depth - 1) << 16);
    if (me < 2 * ARRIVAL_WORDS && blockIdx.x == 0)
        p.control->arrival_sums[me] = 0;
    if (me < 2 * ARRIVAL_WORDS)
        b.mailbox[me] = 0;
}

/* Warp 0: writes the block's counters of that phase to all blocks. A lane writes one of the two
 * words of one block. */
template <class C>
static __device__ __forceinline__ void publish_to_cluster(const C &b, int phase, int32_t depth) {
    const unsigned lane = (unsigned)fri_lane(), rank = b.rank;
    if (lane / 2 > b.rank_mask)
        return;
    const uint64_t word = pack_counters(b.counters[phase], (int)lane % 2, (uint32_t)depth);
    uint64_t *to = &b.mailbox[(depth & 1) * FRI_WARP + (int)(2 * rank + lane % 2)];
    fri_racy_store(fri_cluster_at(to, lane / 2), word); /* racy: the other block waits for it */
}

/* Warp 0: the totals over the blocks' counters, once all have arrived. */
template <class O, class C>
static __device__ __forceinline__ frontier_totals wait_cluster_totals(const bfs_params<O> &p,
                                                                      const C &b, int32_t depth) {
    const unsigned lane = (unsigned)fri_lane();
    const bool needed = lane / 2 <= b.rank_mask, odd = lane % 2;
    uint64_t word;
    do
        word = fri_racy_load(&b.mailbox[(depth & 1) * FRI_WARP + (int)lane]); /* racy: a wait */
    while (!__all_sync(FRI_FULL_MASK, !needed || has_tag(word, depth)));
    word = needed ? word : 0;
    const int32_t max_entries = fri_warp_max(odd ? 0 : (int32_t)high_field(word)),
                  blocks = (int32_t)b.rank_mask + 1;
    block_counters total = {(int32_t)fri_warp_total(odd ? 0 : high_field(word)), 0, 0,
                            max_entries > p.block_capacity};
    if (C::has_ell)
        total.vertices = total.entries;
    else {
        total.vertices = (int32_t)fri_warp_total(odd ? 0 : (uint32_t)word);
        total.overflowed |= __any_sync(FRI_FULL_MASK, odd && high_field(word) != 0);
    }
    if (!C::has_ell || p.trace)
        total.edges = fri_warp_total(odd ? (uint32_t)word : 0);
    bool balanced = max_entries <= p.block_capacity / 4 &&
                    max_entries * blocks <= 2 * total.entries + FRI_WARP * blocks;
    if (C::has_ell &&
        /* some block needs two iterations where none would if balanced */
        p.features & FEATURE_STRICT_BALANCE) {
        const int32_t at_once = (int32_t)blockDim.x >> p.log2_ell_width,
                      mean = total.entries >> b.log2_blocks;
        balanced &= max_entries <= at_once || mean + mean / 4 + 8 > at_once;
    }
    return {total,    !(balanced && p.features & FEATURE_LOCAL_FINDS), 0, INT32_MAX, INT32_MAX, 0,
            {0, 0, 0}};
}

namespace {
/* A lane's word of the grid's counters: before this block adds to it, and the sum since then. */
struct arrival {
    uint64_t old, word;
};
} // namespace

static __device__ __forceinline__ unsigned long long *arrival_word(bfs_control *c, int32_t depth) {
    return (unsigned long long *)&c
        ->arrival_sums[(depth & 1) * ARRIVAL_WORDS + FRI_MIN(fri_lane(), ARRIVAL_WORDS - 1)];
}

/* Whether the lane's word is needed: entries always; vertices and edges for chunks or for the
 * trace. */
template <class O, class C>
static __device__ __forceinline__ bool needs_word(const bfs_params<O> &p, const C &b) {
    (void)b; /* only its type is used */
    return fri_lane() == 0 || (fri_lane() < ARRIVAL_WORDS && (!C::has_ell || p.trace));
}

/* Warp 0 of a persistent block: adds the block's counters to words in global memory that only grow
 * and whose high bits count the arrivals. The mailbox holds their values after the last
 * complete level of that depth modulo 2. `published_entries` also receives each block's entries,
 * for work sharing. */
template <class O, class C>
static __device__ __forceinline__ arrival publish_to_grid(const bfs_params<O> &p, const C &b,
                                                          int phase, int32_t depth,
                                                          int32_t balance_limit) {
    const int lane = fri_lane();
    const block_counters mine = b.counters[phase];
    const bool overflowed = mine.overflowed || mine.entries > p.block_capacity;
    arrival mine_word = {0, lane == 0 ? (uint64_t)overflowed << 34 |
                                            (uint64_t)(mine.entries > balance_limit) << 44 |
                                            (uint32_t)FRI_MIN(mine.entries, p.block_capacity)
                            : lane == 1 ? (uint32_t)mine.vertices
                                        : mine.edges};
    mine_word.word |= 1ull << 54;
    if (needs_word(p, b)) { /* all blocks add */
        mine_word.old = b.mailbox[(depth & 1) * ARRIVAL_WORDS + lane];
        mine_word.word +=
            atomicAdd(arrival_word(p.control, depth), (unsigned long long)mine_word.word) -
            mine_word.old;
    }
    if (lane == 0 && C::has_ell) /* racy: blocks that share work wait for it */
        fri_racy_store(&p.published_entries[(depth & 1) * MAX_GRID_BLOCKS + (int)blockIdx.x],
                       (uint32_t)depth << 16 | (uint32_t)FRI_MIN(mine.entries, 0xffff));
    return mine_word;
}

/* Warp 0 of a persistent block: the totals, once all blocks have added. */
template <class O, class C>
static __device__ __forceinline__ frontier_totals wait_grid_totals(const bfs_params<O> &p,
                                                                   const C &b, int32_t depth,
                                                                   int32_t keep_limit,
                                                                   const arrival &mine_word) {
    const int blocks = (int)gridDim.x;
    const bool needed = needs_word(p, b);
    uint64_t word = mine_word.word;
    while (!__all_sync(FRI_FULL_MASK, !needed || word >> 54 == (uint64_t)blocks))
        word = needed ? fri_racy_load(arrival_word(p.control, depth)) - mine_word.old
                      : 0; /* racy: a wait */
    if (needed)
        b.mailbox[(depth & 1) * ARRIVAL_WORDS + fri_lane()] = mine_word.old + word;
    const uint64_t first = __shfl_sync(FRI_FULL_MASK, word, 0);
    const uint32_t low = (uint32_t)word;
    const int32_t entries = (int32_t)(uint32_t)first, mean_share = (entries + blocks - 1) / blocks;
    const int32_t vertices = __shfl_sync(FRI_FULL_MASK, (int32_t)low, 1);
    return {{entries, C::has_ell ? entries : vertices, __shfl_sync(FRI_FULL_MASK, low, 2),
             (first >> 34 & 1023) != 0},
            (first >> 44 & 1023) != 0,
            mean_share,
            FRI_MAX(keep_limit, keep_limit_of(mean_share)),
            keep_limit_of(mean_share),
            balance_limit_of(p, b, mean_share),
            {0, 0, 0}};
}

/* All threads, at the end of a level: a barrier of all blocks. Returns the totals of the frontier
 * at that depth. `scatter`: found vertices went to other blocks. */
template <class O, class C>
static __device__ __forceinline__ frontier_totals level_barrier(const bfs_params<O> &p, const C &b,
                                                                int phase, int32_t depth,
                                                                bool scatter, int32_t keep_limit,
                                                                int32_t balance_limit) {
    FRI_SHARED(frontier_totals, result, 1);
    if (scatter && !C::is_persistent) {
        __syncwarp();       /* the barrier needs converged warps */
        fri_cluster_sync(); /* entries from other blocks have arrived */
    } else
        __syncthreads(); /* the block's counters are complete */
    arrival mine_word = {0, 0};
    if (C::is_persistent && fri_warp() == 0)
        mine_word = publish_to_grid(p, b, phase, depth, balance_limit);
    const int32_t others = (int32_t)blockDim.x - FRI_WARP;
    if (C::has_ell && (fri_warp() != 0 || others == 0)) /* while the first warp waits */
        finish_ell_entries(p, b, phase, depth, keep_limit,
                           (int32_t)threadIdx.x - (others ? FRI_WARP : 0),
                           others ? others : (int32_t)FRI_WARP);
    if (fri_warp() == 0) {
        frontier_totals sum;
        if (C::is_persistent)
            sum = wait_grid_totals(p, b, depth, keep_limit, mine_word);
        else {
            publish_to_cluster(b, phase, depth);
            sum = wait_cluster_totals(p, b, depth);
        }
        if (fri_lane() == 0)
            *result = sum;
    }
    fri_copies_wait(); /* the ELL rows are in shared memory */
    __syncthreads();   /* `result` is complete; the next one is written after another barrier */
    return *result;
}

#endif
