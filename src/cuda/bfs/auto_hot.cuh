/* Top-down levels of `auto` on graphs whose bitmap of visited vertices fits into L1, with an eye on
 * words of it that many edges lead to at once, as to a web site's navigation pages: L2 answers what
 * wants one word one after the other.
 *
 * The bitmap is read through L1, whose copies last a level; a warp claims what it wants of a word
 * with one atomic and knows its edges' owners by a few ballots; and the spans of hubs that are
 * found are written by the whole block.
 */
#ifndef FRI_AUTO_HOT_CUH
#define FRI_AUTO_HOT_CUH

#include "cuda/bfs/auto_push.cuh"

/* Words of a bitmap up to which pushes go this way: 64 KB, a third of what is left to L1 on an
 * H200, which has targets and offsets too. */
static const int32_t HOT_WORDS = 16 << 10;

/* Whole warp: tries for all open vertices, as try_for, with one try a word, which the lane `leader`
 * makes for all that hold a vertex of it. Of lanes with the same vertex one keeps it. */
template <class O>
static __device__ __forceinline__ void try_together(const world<O> &w, const int32_t *v, bool *open,
                                                    uint32_t *sums, int *leader, uint32_t *answer) {
    bool leads[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        sums[j * FRI_WARP + fri_lane()] = 0;
        leader[j] = __ffs((int)__match_any_sync(FRI_FULL, open[j] ? word_of(v[j]) : FRI_FULL)) - 1;
        leads[j] = open[j] && leader[j] == fri_lane();
    }
    __syncwarp(); /* the sums are zero */
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        if (open[j]) /* lanes of a word share its sum */
            open[j] = !(atomicOr(&sums[j * FRI_WARP + leader[j]], bit_of(v[j])) & bit_of(v[j]));
    __syncwarp(); /* and complete */
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        answer[j] = leads[j] /* other warps try, too */
                        ? atomicOr(&w.visited[word_of(v[j])], sums[j * FRI_WARP + fri_lane()])
                        : 0;
}

/* Whole warp: as look, of ends v, -1 where a lane has no edge. L1 does not see what other SMs claim
 * in this level: that costs tries, but a word that all want is not asked for in L2 each time. */
template <class O>
static __device__ __forceinline__ void look_through(const world<O> &w, int32_t depth,
                                                    const int32_t *u, const int32_t *v,
                                                    uint32_t *sums, finds<O> *to, tally<O> *mine) {
    uint32_t answer[AT_ONCE];
    int leader[AT_ONCE];
    O begin[AT_ONCE], degree[AT_ONCE];
    bool open[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) { /* racy: the claim decides */
        open[j] = v[j] >= 0 && !(w.visited[word_of(v[j])] & bit_of(v[j]));
        FRI_COUNT(w.out, FR_COUNT_EDGES, v[j] >= 0);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open[j]);
    }
    try_together(w, v, open, sums, leader, answer);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        begin[j] = open[j] && !to->lean ? w.out.offsets[v[j]] : 0;
        degree[j] = open[j] && !to->lean ? w.out.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        answer[j] = __shfl_sync(FRI_FULL, answer[j], leader[j]);
    take(w, depth, u, v, open, answer, begin, degree, to, mine);
}

/* Whole warp: edges [first, end) of the shelf's spans. The owner of the first is searched for; of
 * the 32 spans behind it a lane each tells where it begins. */
template <class O>
static __device__ __forceinline__ void walk(const world<O> &w, int32_t depth, const shelf<O> *s,
                                            int held, int first, int end, uint32_t *sums,
                                            finds<O> *to, tally<O> *mine) {
    int owner = fri_owner(s->before, held, first);
    for (; first < end; first += AT_ONCE * FRI_WARP) {
        int32_t u[AT_ONCE], v[AT_ONCE];
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            const int from = first + j * FRI_WARP, next = owner + 1 + fri_lane();
            const int at = next < held ? s->before[next] - from : FRI_WARP + 1;
            const unsigned heads = warp_or(at < FRI_WARP ? 1u << at : 0);
            const int its = owner + __popc(heads & (FRI_FULL >> (FRI_WARP - 1 - fri_lane())));
            const O e = (O)(s->begin[its] + (O)(from + fri_lane() - s->before[its]));
            u[j] = s->v[its];
            v[j] = from + fri_lane() < end ? w.out.targets[e] : -1;
            owner += __popc(__ballot_sync(FRI_FULL, at <= FRI_WARP));
        }
        look_through(w, depth, u, v, sums, to, mine);
    }
}

/* As push_even; a warp's edges are neighbours, so that many of them end in one word. */
template <class O>
static __device__ void push_hot(const world<O> &w, int32_t depth, int32_t entries, shelf<O> *s,
                                uint32_t *sums, finds<O> *to, tally<O> *mine) {
    const span *queue = w.queue[depth & 1];
    const unsigned blocks = gridDim.x, room = (unsigned)shelf_room(), all = (unsigned)entries;
    for (unsigned first = blockIdx.x; first < all; first += blocks * room) {
        const bool only = all <= blocks;
        const unsigned i = first + (only ? 0 : threadIdx.x * blocks);
        const int held = (int)FRI_MIN(room, (all - first + blocks - 1) / blocks);
        const span one = threadIdx.x < room && i < all ? queue[i] : span{0, 0, 0};
        const int edges = only ? shelve_one(s, one) : fill_shelf(s, one, one.count);
        const int each = (edges + (int)blockDim.x - 1) / (int)blockDim.x * FRI_WARP;
        const int from = fri_warp() * each;
        if (from < edges)
            walk(w, depth, s, held, from, FRI_MIN(from + each, edges), sums, to, mine);
        mine->examined += threadIdx.x == 0 ? (edge_sum<O>)edges : 0;
    }
    if (!to->lean)
        let_go(w, to->out);
}

#endif
