/* The loops of gpu_limits.cu: each does one thing and counts it, so that the count can be checked
 * and no compiler may leave it out. */
#ifndef FRI_LIMITS_KERNELS_CUH
#define FRI_LIMITS_KERNELS_CUH

#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"
#include "run/limits.h"

static const int BLOCK = 256, FLIGHT = 8;    /* FLIGHT: accesses that a thread has on the way */
static const int MEETING = 512, ROUNDS = 16; /* threads a block at a barrier; barriers a turn */

enum act { ACT_READ, ACT_ADD, ACT_ADD_RESULT, ACT_TEST };
enum meet { MEET_BLOCK, MEET_CLUSTER, MEET_GRID };

static __device__ __forceinline__ int64_t grid_thread() {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ int64_t grid_threads() { return (int64_t)gridDim.x * blockDim.x; }

/* Any thread; 1 where the array holds what it was filled with. */
template <act A> static __device__ __forceinline__ uint32_t touch(uint32_t *at) {
    if (A == ACT_READ)
        return *at & 1;
    if (A == ACT_ADD) /* threads meet at a place; here and below the sum is what counts */
        return atomicAdd(at, 1u), 1;
    if (A == ACT_ADD_RESULT)
        return atomicAdd(at, 1u);
    return __ldcg(at) ? 1 : atomicOr(at, 1u);
}

/* turns x FLIGHT random places a thread, out of 2^(32 - shift) words. A linear congruential row a
 * thread: one multiplication an index, its high bits. */
template <act A>
static __global__ void __launch_bounds__(BLOCK)
    random_kernel(uint32_t *words, int shift, int32_t turns, unsigned long long *sum) {
    uint32_t x = fri_limits_mix((uint32_t)grid_thread());
    unsigned long long mine = 0;
    FRI_ROLLED
    for (int32_t turn = 0; turn < turns; turn++) {
        uint32_t got[FLIGHT];
        FRI_UNROLL
        for (int i = 0; i < FLIGHT; i++) {
            x = x * 1664525u + 1013904223u;
            got[i] = touch<A>(words + (x >> shift));
        }
        FRI_UNROLL
        for (int i = 0; i < FLIGHT; i++)
            mine += got[i];
    }
    fri_grid_add(sum, mine);
}

static __device__ __forceinline__ uint32_t bit_at(const uint32_t *map, uint32_t x, int shift) {
    x >>= shift;
    return map[x / FRI_WARP] >> (x % FRI_WARP) & 1;
}

/* All places of the stream, `turns` times; it passes by L1, which is left to the bitmap. */
static __global__ void __launch_bounds__(BLOCK)
    probe_kernel(const uint4 *stream, int64_t count, const uint32_t *map, int shift, int32_t turns,
                 unsigned long long *sum) {
    unsigned long long mine = 0;
    for (int32_t turn = 0; turn < turns; turn++) {
        FRI_UNROLL
        for (int64_t i = grid_thread(); i < count; i += grid_threads()) {
            const uint4 at = __ldcs(&stream[i]);
            mine += bit_at(map, at.x, shift) + bit_at(map, at.y, shift) + bit_at(map, at.z, shift) +
                    bit_at(map, at.w, shift);
        }
    }
    fri_grid_add(sum, mine);
}

static __global__ void __launch_bounds__(BLOCK) stream_kernel(uint32_t *stream, int64_t count) {
    for (int64_t i = grid_thread(); i < count; i += grid_threads())
        stream[i] = fri_limits_mix((uint32_t)i);
}

/* Four lines of 16 bytes a thread on the way; count is a multiple of four. */
static __global__ void __launch_bounds__(BLOCK)
    copy_kernel(uint4 *to, const uint4 *from, int64_t count) {
    const int64_t quarter = count / 4;
    for (int64_t i = grid_thread(); i < quarter; i += grid_threads()) {
        const uint4 a = from[i], b = from[i + quarter], c = from[i + 2 * quarter],
                    d = from[i + 3 * quarter];
        to[i] = a;
        to[i + quarter] = b;
        to[i + 2 * quarter] = c;
        to[i + 3 * quarter] = d;
    }
}

/* turns x ROUNDS barriers. */
template <meet M>
static __global__ void __launch_bounds__(MEETING)
    barrier_kernel(int32_t turns, unsigned long long *sum) {
    for (int32_t round = 0; round < turns * ROUNDS; round++) /* the barrier is what is measured */
        if (M == MEET_BLOCK)
            __syncthreads(); /* nothing stands before it or behind it; as the two below */
        else if (M == MEET_CLUSTER)
            fri_cluster_sync();
        else
            fri_grid_sync();
    fri_grid_add(sum, (unsigned long long)turns);
}

static __global__ void empty_kernel(int32_t) {}

static __global__ void __launch_bounds__(BLOCK)
    total_kernel(const uint32_t *words, int64_t count, uint32_t mask, unsigned long long *sum) {
    unsigned long long mine = 0;
    for (int64_t i = grid_thread(); i < count; i += grid_threads())
        mine += words[i] & mask;
    fri_grid_add(sum, mine);
}

#endif
