/* A level top-down: active vertices set their bits in their out-neighbors. */
#ifndef FRI_CUDA_BFS_MANY_PUSH_CUH
#define FRI_CUDA_BFS_MANY_PUSH_CUH

#include "cuda/bfs/many/state.cuh"

/* Any thread: pushes the words of u that `words` names along an edge to v. */
template <int W, class O>
static __device__ __forceinline__ void fri_many_push_edge(const fri_many<O> &p,
                                                          const fri_many_level &level, int32_t u,
                                                          unsigned words, int32_t v) {
    bool sets = false;
    for (; words; words &= words - 1) {
        const int w = __ffs((int)words) - 1;
        const int64_t at = (int64_t)v * W + w;
        const fri_bits bits = level.from[(int64_t)u * W + w] & ~p.seen[at];
        if (!(bits & ~fri_racy_load(&level.next[at]))) /* racy: avoids atomics that set no bit */
            continue;
        FRI_COUNT(p.out, FR_COUNTER_ATOMICS, 1);
        atomicOr(&level.next[at], bits); /* other edges lead to v */
        sets = true;
    }
    if (sets &&
        !(fri_racy_load(&level.found[v / FRI_WARP]) >> v % FRI_WARP & 1)) /* racy: the same */
        atomicOr(&level.found[v / FRI_WARP],
                 1u << v % FRI_WARP); /* other vertices share the word */
}

/* Whole warp: the edges of the lanes' vertices, `degree` from `begin` on, evenly divided. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_push_rows(const fri_many<O> &p, const fri_many_level &level, int32_t u, int64_t begin,
                   int degree, unsigned words, fri_many_thread *mine) {
    int total;
    const int before = fri_warp_prefix(degree, &total);
    FRI_ROLLED
    for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
        const int i = i0 + fri_lane(), owner = fri_owner_lane(before, i);
        const int64_t e = __shfl_sync(FRI_FULL_MASK, begin - before, owner) + i;
        const int32_t from = __shfl_sync(FRI_FULL_MASK, u, owner);
        const unsigned of = __shfl_sync(FRI_FULL_MASK, words, owner);
        if (i >= total)
            continue;
        mine->examined++;
        fri_many_push_edge<W>(p, level, from, of, p.out.targets[e]);
    }
}

/* All threads of the grid: the rows that are not in chunks. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_push(const fri_many<O> &p, const fri_many_level &level, fri_many_thread *mine) {
    fri_many_each(level.active, p.n, 1, [&](int32_t u) {
        const O begin = u >= 0 ? p.out.offsets[u] : 0, end = u >= 0 ? p.out.offsets[u + 1] : 0;
        const int degree = end - begin > (O)p.chunk ? 0 : (int)(end - begin);
        unsigned words = 0;
        FRI_UNROLL_BY(4)
        for (int w = 0; w < W && degree; w++)
            words |= (unsigned)(level.from[(int64_t)u * W + w] != 0) << w;
        fri_many_push_rows<W>(p, level, u, (int64_t)begin, degree, words, mine);
    });
}

/* The same: those in chunks. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_push_chunks(const fri_many<O> &p, const fri_many_level &level, fri_many_thread *mine) {
    fri_many_each_chunk(p, 0, level.active, [&](const fri_edge_chunk &c) {
        const bool has = fri_lane() < W && level.from[(int64_t)c.v * W + fri_lane()];
        const unsigned words = __ballot_sync(FRI_FULL_MASK, has);
        FRI_ROLLED
        for (int i = fri_lane(); i < c.count; i += FRI_WARP) {
            mine->examined++;
            fri_many_push_edge<W>(p, level, c.v, words, p.out.targets[c.begin + i]);
        }
    });
}

#endif
