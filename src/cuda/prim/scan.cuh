/* Prefix sums over warps and blocks.
 *
 * The two-level exclusive sum of BFS-4K (Busato, Bombieri, TPDS 2015, section 5.1, Fig. 3): warps
 * by shuffles, then one warp over the warps' sums; and its form for 0/1 values: one ballot and a
 * population count. */
#ifndef FRI_CUDA_PRIM_SCAN_CUH
#define FRI_CUDA_PRIM_SCAN_CUH

#include "cuda/prim/dialect.cuh"

/* T in a parameter from which T is not deduced (std::type_identity_t): only the type of *total
 * determines T. */
template <class T> struct fri_nondeduced_type { typedef T same; };
template <class T> using fri_nondeduced = typename fri_nondeduced_type<T>::same;

/* Exclusive prefix sum over a warp. Called by all 32 lanes; each gets the sum of the lanes before
 * it, and *total the sum of all. */
template <class T>
static __device__ __forceinline__ T fri_warp_prefix(fri_nondeduced<T> value, T *total) {
    T sum = value;
    for (int d = 1; d < FRI_WARP; d *= 2) {
        T below = __shfl_up_sync(FRI_FULL_MASK, sum, d);
        if (fri_lane() >= d)
            sum += below;
    }
    *total = __shfl_sync(FRI_FULL_MASK, sum, FRI_WARP - 1);
    return sum - value;
}

/* The same for one bit per lane: the number of lower lanes with `yes`. */
static __device__ __forceinline__ int fri_warp_prefix_count(bool yes, int *total) {
    unsigned votes = __ballot_sync(FRI_FULL_MASK, yes);
    *total = __popc(votes);
    return __popc(votes & ((1u << fri_lane()) - 1));
}

/* Exclusive prefix sum over a block. Called by all threads of the block (a multiple of 32, at most
 * 1024); each gets the sum of the threads before it, *total the sum of all. Ends with a barrier, so
 * that it may be called again. */
template <class T>
static __device__ __forceinline__ T fri_block_prefix(fri_nondeduced<T> value, T *total) {
    FRI_SHARED(T, warp_sums, FRI_WARP + 1);
    int warps = (int)blockDim.x / FRI_WARP;
    T mine, before = fri_warp_prefix(value, &mine);
    if (fri_lane() == 0)
        warp_sums[fri_warp()] = mine;
    __syncthreads(); /* all warps' sums are written */
    if (fri_warp() == 0) {
        T all, sum = fri_warp_prefix(fri_lane() < warps ? warp_sums[fri_lane()] : T(0), &all);
        __syncwarp(); /* every lane has read its sum before it is replaced */
        warp_sums[fri_lane()] = sum;
        if (fri_lane() == 0)
            warp_sums[FRI_WARP] = all;
    }
    __syncthreads(); /* the sums before each warp are written */
    before += warp_sums[fri_warp()];
    *total = warp_sums[FRI_WARP];
    __syncthreads(); /* all have read: the array may be reused */
    return before;
}

/* Which of `count` concatenated sequences holds position `at`; before[i] is the total length of the
 * sequences before i. The largest i with before[i] <= at, by binary search. Any thread. */
static __device__ __forceinline__ int fri_find_owner(const int *before, int count, int at) {
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (before[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
