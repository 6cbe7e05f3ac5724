/* The end of a thin level of `auto`: a barrier of cluster or crew, and the next frontier's sums.
 *
 * When a block's threads are through with a level, one warp of it posts the block's counters and
 * waits for the others'; in a cluster marked with the level in every block's inbox, in a crew by
 * adding to words in L2, marked by how many have added. So the counters come with the barrier, and
 * no thread waits until its writes to memory have arrived, as cluster-scope release would: nobody
 * reads them in this launch. A claim has been answered before its block posts, and what a block
 * keeps is read by itself alone. Only where finds went to other blocks of a cluster the hardware's
 * barrier stands before the posts. While that warp waits the others write level and parent of what
 * the block has found and let its rows come.
 */
#ifndef FRI_AUTO_MEET_CUH
#define FRI_AUTO_MEET_CUH

#include "cuda/bfs/auto_rows.cuh"

/* A post's words, each with its mark: entries, vertices; over, edges. */
static __device__ __forceinline__ uint64_t post_word(const post &p, int which, uint32_t mark) {
    const uint64_t high = which ? p.over != 0 : FRI_MIN(p.entries, 0xffff);
    return (uint64_t)(mark & 0xffff) << 48 | high << 32 | (which ? p.edges : (uint32_t)p.vertices);
}
static __device__ __forceinline__ bool is_marked(uint64_t word, int32_t depth) {
    return (word >> 48) == ((uint32_t)depth & 0xffff);
}
static __device__ __forceinline__ uint32_t high_of(uint64_t word) {
    return (uint32_t)(word >> 32) & 0xffff;
}

/* Before the first barrier: no post of that depth or the next stands where one is awaited. All
 * threads; of a crew, a barrier of all must follow. */
template <class O, class C>
static __device__ __forceinline__ void clear_posts(const world<O> &w, const C &d, int32_t depth) {
    const int me = (int)threadIdx.x;
    for (int i = me; i < 2 * FRI_WARP; i += (int)blockDim.x)
        d.inbox[i] = (uint64_t)((uint32_t)(depth - 1) & 0xffff) << 48;
    if (!C::is_crew)
        return;
    if (me < 2) /* racy: others wait there */
        fri_racy_store(&w.posts[me * MOST_CREW + (int)blockIdx.x], (uint32_t)(depth - 1) << 16);
    if (me < 2 * MET && blockIdx.x == 0)
        w.c->met[me] = 0;
    if (me < 2 * MET)
        d.inbox[me] = 0;
}

/* Warp 0: the block's counters of that turn to all blocks. A lane writes one of a post's two words.
 */
template <class C>
static __device__ __forceinline__ void send_post(const C &d, int turn, int32_t depth) {
    const unsigned lane = (unsigned)fri_lane(), rank = d.rank;
    if (lane / 2 > d.mask)
        return;
    const uint64_t word = post_word(d.counts[turn], (int)lane % 2, (uint32_t)depth);
    uint64_t *to = &d.inbox[(depth & 1) * FRI_WARP + (int)(2 * rank + lane % 2)];
    fri_racy_store(fri_cluster_at(to, lane / 2), word); /* racy: the other block waits for it */
}

/* Warp 0: the sums over the blocks' posts, once they are there. */
template <class O, class C>
static __device__ __forceinline__ sums await_posts(const world<O> &w, const C &d, int32_t depth) {
    const unsigned lane = (unsigned)fri_lane();
    const bool due = lane / 2 <= d.mask, odd = lane % 2;
    uint64_t word;
    do
        word = fri_racy_load(&d.inbox[(depth & 1) * FRI_WARP + (int)lane]); /* racy: a wait */
    while (!__all_sync(FRI_FULL, !due || is_marked(word, depth)));
    word = due ? word : 0;
    const int32_t most = warp_most(odd ? 0 : (int32_t)high_of(word)), blocks = (int32_t)d.mask + 1;
    post all = {(int32_t)warp_total(odd ? 0 : high_of(word)), 0, 0, most > w.room};
    if (C::has_rows)
        all.vertices = all.entries;
    else {
        all.vertices = (int32_t)warp_total(odd ? 0 : (uint32_t)word);
        all.over |= __any_sync(FRI_FULL, odd && high_of(word) != 0);
    }
    if (!C::has_rows || w.lines)
        all.edges = warp_total(odd ? (uint32_t)word : 0);
    bool even = most <= w.room / 4 && most * blocks <= 2 * all.entries + FRI_WARP * blocks;
    if (C::has_rows && w.parts & PART_TURNS) { /* some block has to go twice where none would */
        const int32_t at_once = (int32_t)blockDim.x >> w.row_bits, mean = all.entries >> d.shift;
        even &= most <= at_once || mean + mean / 4 + 8 > at_once;
    }
    return {all, !(even && w.parts & PART_STAY), 0, INT32_MAX, INT32_MAX, 0, {0, 0, 0}};
}

namespace {
/* Lane's word of a crew's counters, before and when this block has added. */
struct added {
    uint64_t old, word;
};
} // namespace

static __device__ __forceinline__ unsigned long long *met_at(control *c, int32_t depth) {
    return (unsigned long long *)&c->met[(depth & 1) * MET + FRI_MIN(fri_lane(), MET - 1)];
}

/* Whether the lane's word is wanted: entries; vertices and edges of spans, or if they are told. */
template <class O, class C>
static __device__ __forceinline__ bool is_due(const world<O> &w, const C &d) {
    (void)d; /* its kind counts */
    return fri_lane() == 0 || (fri_lane() < MET && (!C::has_rows || w.lines));
}

/* Warp 0 of a crew: the block's counters into words in memory that only grow: marked by how many
 * blocks have added. In the inbox: their values when the last level of that depth modulo 2 was
 * complete. Each block's entries stand in `posts` as well, for those that help others out. */
template <class O, class C>
static __device__ __forceinline__ added add_post(const world<O> &w, const C &d, int turn,
                                                 int32_t depth, int32_t even) {
    const int lane = fri_lane();
    const post mine = d.counts[turn];
    const bool over = mine.over || mine.entries > w.room;
    added one = {0, lane == 0 ? (uint64_t)over << 34 | (uint64_t)(mine.entries > even) << 44 |
                                    (uint32_t)FRI_MIN(mine.entries, w.room)
                    : lane == 1 ? (uint32_t)mine.vertices
                                : mine.edges};
    one.word |= 1ull << 54;
    if (is_due(w, d)) { /* all blocks add */
        one.old = d.inbox[(depth & 1) * MET + lane];
        one.word += atomicAdd(met_at(w.c, depth), (unsigned long long)one.word) - one.old;
    }
    if (lane == 0 && C::has_rows) /* racy: who helps waits for it */
        fri_racy_store(&w.posts[(depth & 1) * MOST_CREW + (int)blockIdx.x],
                       (uint32_t)depth << 16 | (uint32_t)FRI_MIN(mine.entries, 0xffff));
    return one;
}

/* Warp 0 of a crew: the sums, once all have added. */
template <class O, class C>
static __device__ __forceinline__ sums await_crew(const world<O> &w, const C &d, int32_t depth,
                                                  int32_t keep, const added &one) {
    const int blocks = (int)gridDim.x;
    const bool due = is_due(w, d);
    uint64_t word = one.word;
    while (!__all_sync(FRI_FULL, !due || word >> 54 == (uint64_t)blocks))
        word = due ? fri_racy_load(met_at(w.c, depth)) - one.old : 0; /* racy: a wait */
    if (due)
        d.inbox[(depth & 1) * MET + fri_lane()] = one.old + word;
    const uint64_t first = __shfl_sync(FRI_FULL, word, 0);
    const uint32_t low = (uint32_t)word;
    const int32_t entries = (int32_t)(uint32_t)first, fair = (entries + blocks - 1) / blocks;
    const int32_t vertices = __shfl_sync(FRI_FULL, (int32_t)low, 1);
    return {{entries, C::has_rows ? entries : vertices, __shfl_sync(FRI_FULL, low, 2),
             (first >> 34 & 1023) != 0},
            (first >> 44 & 1023) != 0,
            fair,
            FRI_MAX(keep, kept_of(fair)),
            kept_of(fair),
            even_of(w, d, fair),
            {0, 0, 0}};
}

/* All threads, at the end of a level: a barrier of all blocks; the sums of the frontier at that
 * depth. `spread`: whether finds went to other blocks. */
template <class O, class C>
static __device__ __forceinline__ sums meet(const world<O> &w, const C &d, int turn, int32_t depth,
                                            bool spread, int32_t keep, int32_t even) {
    FRI_SHARED(sums, result, 1);
    if (spread && !C::is_crew) {
        __syncwarp();       /* the barrier wants whole warps */
        fri_cluster_sync(); /* finds have arrived */
    } else
        __syncthreads(); /* the block's counters are complete */
    added one = {0, 0};
    if (C::is_crew && fri_warp() == 0)
        one = add_post(w, d, turn, depth, even);
    const int32_t others = (int32_t)blockDim.x - FRI_WARP;
    if (C::has_rows && (fri_warp() != 0 || others == 0)) /* while the first warp waits */
        settle_rows(w, d, turn, depth, keep, (int32_t)threadIdx.x - (others ? FRI_WARP : 0),
                    others ? others : (int32_t)FRI_WARP);
    if (fri_warp() == 0) {
        sums sum;
        if (C::is_crew)
            sum = await_crew(w, d, depth, keep, one);
        else {
            send_post(d, turn, depth);
            sum = await_posts(w, d, depth);
        }
        if (fri_lane() == 0)
            *result = sum;
    }
    fri_copies_wait(); /* rows are there */
    __syncthreads();   /* the sums are there; the next are written behind a barrier */
    return *result;
}

#endif
