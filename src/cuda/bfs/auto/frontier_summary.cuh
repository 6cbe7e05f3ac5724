/* A summary of a frontier of few vertices in a large graph: one bit per 32 vertices or more, so that it
 * fits into L1. A pull tests it before the frontier's bitmap, which is in L2 or in device memory: most
 * probes are unsuccessful, and the summary answers these. */
#ifndef FRI_CUDA_BFS_AUTO_FRONTIER_SUMMARY_CUH
#define FRI_CUDA_BFS_AUTO_FRONTIER_SUMMARY_CUH

#include "cuda/bfs/auto/params.cuh"

namespace {
/* Which of a thread's probes may succeed. */
struct no_filter {
    __device__ __forceinline__ bool may_hit(int32_t) const { return true; }
    template <int COUNT>
    __device__ __forceinline__ unsigned select(unsigned valid, const int32_t (&)[COUNT]) const {
        return valid;
    }
};

struct summary_filter {
    const uint32_t *summary;
    int32_t shift;

    __device__ __forceinline__ bool may_hit(int32_t u) const {
        return has_bit(summary, (int32_t)((uint32_t)u >> shift));
    }
    /* Bits of those u that are valid and may hit; all reads are in flight together. */
    template <int COUNT>
    __device__ __forceinline__ unsigned select(unsigned valid, const int32_t (&u)[COUNT]) const {
        unsigned in = 0;
        FRI_UNROLL
        for (int j = 0; j < COUNT; j++)
            in |= (valid >> j & 1 && may_hit(u[j]) ? 1u : 0u) << j;
        return in;
    }
};
} // namespace

/* All threads of the grid: builds the summary from the bitmap, one word per warp, and waits for it. */
template <class O>
static __device__ void build_summary(const large_params<O> &p, const uint32_t *front) {
    const int64_t all = words_of(p.n);
    const int each = 1 << (p.summary_shift - 5); /* words of the bitmap per bit */
    const int32_t words = ((p.n - 1) >> p.summary_shift) / FRI_WARP + 1;
    for (int32_t word = (int32_t)fri_grid_warp(); word < words;
         word += (int32_t)fri_grid_warps()) {
        const int64_t first = ((int64_t)word * FRI_WARP + fri_lane()) * each;
        const int64_t end = FRI_MIN(first + each, all);
        uint32_t any = 0;
        for (int64_t i = first; i < end; i++)
            any |= front[i];
        const uint32_t bits = __ballot_sync(FRI_FULL_MASK, any != 0);
        if (fri_lane() == 0)
            p.summary[word] = bits;
    }
    fri_grid_sync(); /* the summary is complete */
}

#endif
