/* The kinds of Floyd-Warshall's matrix: D its distances, ROWS the rows of a thread's piece of a
 * tile (8 columns wide), LINKED whether parents travel along. least(a, b, c, 1): the least of a +
 * b and c, where the compiler must not know of the 1. Integers: INFINITE + INFINITE does not wrap,
 * and what is above FAR is not reached (a path from nowhere is INFINITE and a real path, which is
 * below FAR either way). infinite() and far() also are the host's. */
#ifndef FRI_FLOYD_KINDS_CUH
#define FRI_FLOYD_KINDS_CUH

#include "cuda/prim/device.cuh"

#include <float.h>
#include <math.h>

/* a * one + b in one instruction: written as such, or the compiler would share out a * one. */
static __device__ __forceinline__ int32_t fw_multiply_add(int32_t a, int32_t one, int32_t b) {
#ifdef __CUDA_ARCH__
    int32_t sum;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
    return sum;
#else
    return a * one + b;
#endif
}

struct fw_i32 {
    typedef int32_t D;
    enum { ROWS = 8, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return (1 << 30) - 1; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > 1 << 29; }
    static __device__ __forceinline__ D least(D a, D b, D c, int) {
        D s = a + b;
        return s < c ? s : c;
    }
};
struct fw_i32_fused : fw_i32 {
    static __device__ __forceinline__ D least(D a, D b, D c, int) {
        return __viaddmin_s32(a, b, c);
    }
};
struct fw_i64 {
    typedef int64_t D;
    enum { ROWS = 4, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return (INT64_C(1) << 62) - 1; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > INT64_C(1) << 61; }
    static __device__ __forceinline__ D least(D a, D b, D c, int) {
        D s = a + b;
        return s < c ? s : c;
    }
};
struct fw_f32 {
    typedef float D;
    enum { ROWS = 8, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return INFINITY; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > FLT_MAX; }
    static __device__ __forceinline__ D least(D a, D b, D c, int) { return fminf(a + b, c); }
};
struct fw_f64 {
    typedef double D;
    enum { ROWS = 4, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return (double)INFINITY; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > DBL_MAX; }
    static __device__ __forceinline__ D least(D a, D b, D c, int) { return fmin(a + b, c); }
};
/* On the smaller tile, so that a block has more threads. */
template <class K> struct fw_small : K {
    enum { ROWS = 4 };
};
/* Links need registers too: half as many rows, as with 8 bytes a cell. */
template <class K> struct fw_linked : K {
    enum { ROWS = 4, LINKED = 1 };
};

#endif
