/* Settles vertices: what follows when the new bits of 32 vertices are known. */
#ifndef FRI_CUDA_BFS_MANY_SETTLE_CUH
#define FRI_CUDA_BFS_MANY_SETTLE_CUH

#include "cuda/bfs/many/state.cuh"

/* A warp's part of shared memory: for each of the 32 vertices that its lanes have, the W words of its new
 * bits, and a word that says whether bits are missing. The rows' odd stride lets lanes read a word of 32
 * vertices from different banks. */
template <int W> static __device__ __forceinline__ fri_bits *fri_many_tile() {
    FRI_SHARED_DYNAMIC(fri_bits, tiles);
    return tiles + fri_warp() * fri_many_shape<W>::TILE;
}

/* Whole warp, the lanes of a group with the same vertex v (-1: none) at `slot` of the tile: `fresh` are its
 * new bits, `seen` those before. */
template <int W>
static __device__ __forceinline__ void
fri_many_finish(const fri_many_level &at, fri_bits *seen_words, fri_bits *tile, int32_t v, int slot,
                fri_many_part<W> seen, const fri_many_part<W> &fresh) {
    typedef fri_many_shape<W> shape;
    const int part = fri_lane() % shape::LANES;
    const bool gains = fri_many_any<W>(fresh);
    FRI_UNROLL
    for (int i = 0; i < shape::WORDS; i++)
        seen.word[i] |= fresh.word[i];
    const bool misses =
        fri_many_group_any<W>(v >= 0 && fri_many_any<W>(fri_many_missing<W>(at, seen)));
    if (v < 0)
        return;
    if (gains)
        fri_many_store<W>(seen_words, v, seen);
    FRI_UNROLL
    for (int i = 0; i < shape::WORDS; i++)
        tile[slot * shape::STRIDE + part * shape::WORDS + i] = fresh.word[i];
    if (part == 0)
        tile[slot * shape::STRIDE + W] = misses;
}

/* Whole warp: the 32 vertices of the tile, v (-1: none) this lane's, which has row fri_lane(). */
template <int W, class O, class C>
static __device__ __forceinline__ void
fri_many_settle(const fri_many<O> &p, const fri_many_level &at, const C &consumer, fri_bits *tile,
                int32_t v, int32_t depth, fri_many_thread *mine) {
    typedef fri_many_shape<W> shape;
    const fri_bits *own = tile + fri_lane() * shape::STRIDE;
    fri_bits any = 0;
    int words = 0;
    __syncwarp(); /* the tile is written */
    FRI_UNROLL_BY(4)
    for (int i = 0; i < W && v >= 0; i++)
        words += own[i] != 0;
    if (words) {
        mine->active++;
        mine->edges += (unsigned long long)(p.out.offsets[v + 1] - p.out.offsets[v]) *
                       (unsigned long long)words;
        /* racy: other lanes set other bits; a push has set this one */
        if (!(fri_racy_load(&at.found[v / FRI_WARP]) >> v % FRI_WARP & 1))
            atomicOr(&at.found[v / FRI_WARP], 1u << v % FRI_WARP); /* other lanes share the word */
    }
    if (v >= 0 && !own[W] && /* racy: other lanes clear other bits */
        fri_racy_load(&p.open[v / FRI_WARP]) >> v % FRI_WARP & 1) {
        atomicAnd(&p.open[v / FRI_WARP], ~(1u << v % FRI_WARP)); /* the same */
        mine->closed += (unsigned long long)(p.in.offsets[v + 1] - p.in.offsets[v]);
    }
    const unsigned used = __ballot_sync(FRI_FULL_MASK, words != 0);
    if (used) {
        FRI_UNROLL_BY(4)
        for (int i = 0; i < W; i++) { /* each lane has a word of W vertices */
            const int slot = fri_lane() / W * W + i;
            any |= used >> slot & 1 ? tile[slot * shape::STRIDE + fri_lane() % W] : 0;
        }
        for (int d = W; d < FRI_WARP; d *= 2)
            any |= __shfl_xor_sync(FRI_FULL_MASK, any, d);
        mine->any |= fri_lane() < W ? any : 0;
        consumer.template take<W>(own, v, words != 0, any, depth);
    }
    __syncwarp(); /* the tile may be written again */
}

/* All threads of the grid: settles what a push, or the start, has set in `next` and at.found, as of level
 * `depth`. */
template <int W, class O, class C>
static __device__ __forceinline__ void
fri_many_settle_push(const fri_many<O> &p, const fri_many_level &at, const C &consumer,
                     const fri_bits *next, int32_t depth, fri_many_thread *mine) {
    typedef fri_many_shape<W> shape;
    fri_bits *tile = fri_many_tile<W>();
    fri_many_each(at.found, p.n, 1, [&](int32_t v) {
        FRI_ROLLED
        for (int round = 0; round < shape::LANES; round++) {
            const int slot = round * shape::GROUPS + fri_lane() / shape::LANES;
            const int32_t u = __shfl_sync(FRI_FULL_MASK, v, slot);
            fri_many_part<W> fresh = {}, seen = {};
            if (u >= 0) {
                fresh = fri_many_load<W>(next, u);
                seen = fri_many_load<W>(p.seen, u);
            }
            fri_many_finish<W>(at, p.seen, tile, u, slot, seen, fresh);
        }
        fri_many_settle<W>(p, at, consumer, tile, v, depth, mine);
    });
}

/* All threads of the grid: zeroes the words of the vertices whose bits are set. */
template <int W>
static __device__ __forceinline__ void fri_many_clean(const uint32_t *bits, int32_t n,
                                                      fri_bits *words) {
    typedef fri_many_shape<W> shape;
    fri_many_each(bits, n, 1, [&](int32_t v) {
        FRI_ROLLED
        for (int round = 0; round < shape::LANES; round++) {
            const int32_t u =
                __shfl_sync(FRI_FULL_MASK, v, round * shape::GROUPS + fri_lane() / shape::LANES);
            if (u >= 0)
                fri_many_store<W>(words, u, fri_many_part<W>{});
        }
    });
}

#endif
