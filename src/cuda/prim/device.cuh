/* Included by every strategy's .cu file: the device dialect, the device object, offsets of either
 * width. */
#ifndef FRI_CUDA_PRIM_DEVICE_CUH
#define FRI_CUDA_PRIM_DEVICE_CUH

#include "cuda/device/gpu.h"
#include "cuda/prim/dialect.cuh"

/* ---- counters ----
 *
 * Event counters of kernels, for `--counters` (fr_solver_options.counters).
 *
 * Counting takes time, so that kernels count only in a build of its own (`make counting`, which
 * defines FRI_COUNTING for every file). In any other build FRI_COUNT is empty, and a solver that is
 * asked for counters of a GPU strategy refuses (core/solver.c).
 *
 *   FRI_COUNT(view, FR_COUNTER_EDGES, k)   from any thread; view: an fri_csr_view, or anything else
 *                                          with fri_gpu_csr's `counts`
 *
 * A strategy lists in fri_strategy.counts what it counts, which distinguishes 0 from "not counted".
 */

#ifdef FRI_COUNTING

#define FRI_COUNT(csr, kind, times) fri_count((csr).counts, kind, (unsigned long long)(times))

static __device__ __forceinline__ void fri_count(unsigned long long *counts, int kind,
                                                 unsigned long long times) {
    if (times)
        atomicAdd(&counts[kind], times); /* atomic: all threads add to one counter */
}

#else

#define FRI_COUNT(csr, kind, times) ((void)sizeof(csr), (void)sizeof(times))

#endif

/* Counters of strategies that claim vertices by an atomic and enqueue them. */
#define FRI_COUNTS_CLAIMS                                                                          \
    (FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) |                                  \
     FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_FOUND) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS))

/* ---- strategies and launches ---- */

/* Expanded by the FRI_LAUNCH macros. It uses a local variable of the calling function, which must
 * be named `g` and be its fri_gpu. */
#define FRI_RECORD_LAUNCH(kernel, block, shared_bytes)                                             \
    fri_record_launch(g, #kernel, kernel, block, shared_bytes)
template <class... P>
static inline void fri_record_launch(fri_gpu *g, const char *name, void (*kernel)(P...), dim3 block,
                                     size_t shared_bytes) {
    if (g->job->told.kernels)
        fri_gpu_record_launch(g, name, (const void *)kernel, (int)(block.x * block.y * block.z),
                              shared_bytes);
}

/* Declares a strategy with C linkage, so that core/registry.c finds it. */
#define FRI_GPU_STRATEGY(name)                                                                     \
    extern "C" const fri_strategy name;                                                            \
    const fri_strategy name

/* The last members of a BFS strategy without state of its own and without host scratch. */
#define FRI_GPU_BFS_STRATEGY(side)                                                                 \
    .gpu = &(side), .device_bytes = fri_gpu_bytes, .prepare = fri_gpu_prepare,                     \
    .release = fri_gpu_release, .run = fri_gpu_bfs_run

/* A CSR whose offsets have type O (uint32_t, or int64_t beyond 2^32 edges). */
#ifdef FRI_COUNTING
template <class O> struct fri_csr_view {
    const O *offsets;
    const int32_t *targets;
    unsigned long long *counts;
};
template <class O> static inline fri_csr_view<O> fri_csr_view_of(const fri_gpu_csr &csr) {
    return {(const O *)csr.offsets, csr.targets, csr.counts};
}
#else
template <class O> struct fri_csr_view {
    const O *offsets;
    const int32_t *targets;
};
template <class O> static inline fri_csr_view<O> fri_csr_view_of(const fri_gpu_csr &csr) {
    return {(const O *)csr.offsets, csr.targets};
}
#endif

/* FRI_LAUNCH on g->stream without dynamic shared memory, and the same with a thread for each of `count` items. */
#define FRI_RUN(kernel, blocks, block, ...)                                                        \
    FRI_LAUNCH(kernel, blocks, block, 0, g->stream, __VA_ARGS__)
#define FRI_RUN_EACH(kernel, count, block, ...)                                                    \
    FRI_RUN(kernel, fri_gpu_blocks(count, block), block, __VA_ARGS__)

/* Runs what follows with NAME defined as a type: as TYPE; as that for a fr_type, F64 for others; O as the
 * offsets' type: FRI_BY_OFFSET_TYPE(g, FRI_RUN((k<O>), ...)). */
#define FRI_WITH(NAME, TYPE, ...)                                                                  \
    do {                                                                                           \
        using NAME = TYPE;                                                                         \
        __VA_ARGS__;                                                                               \
    } while (0)
#define FRI_BY_TYPE(NAME, type, I32, I64, F32, F64, ...)                                           \
    do {                                                                                           \
        switch (type) {                                                                            \
        case FR_TYPE_I32: FRI_WITH(NAME, I32, __VA_ARGS__); break;                                 \
        case FR_TYPE_I64: FRI_WITH(NAME, I64, __VA_ARGS__); break;                                 \
        case FR_TYPE_F32: FRI_WITH(NAME, F32, __VA_ARGS__); break;                                 \
        default: FRI_WITH(NAME, F64, __VA_ARGS__);                                                 \
        }                                                                                          \
    } while (0)
#define FRI_BY_OFFSET_TYPE(g, ...)                                                                 \
    do {                                                                                           \
        if ((g)->offsets64)                                                                        \
            FRI_WITH(O, int64_t, __VA_ARGS__);                                                     \
        else                                                                                       \
            FRI_WITH(O, uint32_t, __VA_ARGS__);                                                    \
    } while (0)

#endif
