/* Reductions over a warp, a block and the grid. */
#ifndef FRI_CUDA_PRIM_REDUCE_CUH
#define FRI_CUDA_PRIM_REDUCE_CUH

#include "cuda/prim/dialect.cuh"

/* Whole warp: the sum of `value`, in all lanes. */
static __device__ __forceinline__ unsigned fri_warp_total(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
#else
    return __reduce_add_sync(FRI_FULL_MASK, value);
#endif
}
static __device__ __forceinline__ unsigned long long fri_warp_total(unsigned long long value) {
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
}

/* Whole warp: the bitwise or of `value`, in all lanes. */
static __device__ __forceinline__ unsigned fri_warp_or(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2)
        value |= __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
#else
    return __reduce_or_sync(FRI_FULL_MASK, value);
#endif
}

/* Whole warp: the maximum of `value`, in all lanes. */
static __device__ __forceinline__ int32_t fri_warp_max(int32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = FRI_WARP / 2; d; d /= 2) {
        const int32_t other = __shfl_xor_sync(FRI_FULL_MASK, value, d);
        value = other > value ? other : value;
    }
    return value;
#else
    return __reduce_max_sync(FRI_FULL_MASK, value);
#endif
}

/* Called by all threads of the block (a multiple of 32, at most 1024); thread 0 gets the sum, the
 * others a part of it. Once per kernel, or with a barrier between two calls. */
static __device__ __forceinline__ unsigned long long fri_block_total(unsigned long long value) {
    FRI_SHARED(unsigned long long, warp_sums, FRI_WARP);
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_down_sync(FRI_FULL_MASK, value, d);
    if (fri_lane() == 0)
        warp_sums[fri_warp()] = value;
    __syncthreads(); /* all warps' sums are written */
    if (fri_warp() > 0)
        return value;
    value = fri_lane() < (int)blockDim.x / FRI_WARP ? warp_sums[fri_lane()] : 0;
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_down_sync(FRI_FULL_MASK, value, d);
    return value;
}

/* Adds the values of all threads of the grid to *sum, with one atomic per block. All threads of
 * each block, once per kernel. */
static __device__ __forceinline__ void fri_grid_add(unsigned long long *sum,
                                                    unsigned long long value) {
    unsigned long long total = fri_block_total(value);
    if (threadIdx.x == 0 && total)
        atomicAdd(sum, total);
}

#endif
