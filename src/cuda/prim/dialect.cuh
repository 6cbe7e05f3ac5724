/* The device dialect: everything in a kernel that is written differently on a GPU and under the
 * SIMT executor of tests/simt (FRI_SIMT). Kernels use only these and the plain CUDA intrinsics.
 *
 *   FRI_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)
 *                                   from host code; without shared bytes and on g->stream:
 *                                   FRI_RUN, FRI_RUN_EACH of device.cuh
 *   FRI_LAUNCH_UNLISTED(...)        the same, of a kernel that `--explain` does not list
 *   FRI_LAUNCH_COOPERATIVE(...)     as FRI_LAUNCH, all blocks resident
 *   FRI_LAUNCH_CLUSTER(...)         the same, all blocks one cluster
 *   FRI_LAUNCH_JOINT(devices, kernel, ...)
 *                                   as FRI_LAUNCH_COOPERATIVE; a cudaError_t. One of `devices`
 *                                   launches, each by a host thread and on a device of its own, that
 *                                   run at the same time and wait for each other (prim/joint.cuh)
 *   fri_joint_begin_launches(), fri_joint_end_launches()
 *                                   around such launches if one host thread makes all of them: on
 *                                   the host none runs before the end
 *   fri_cluster_fits(kernel, blocks, block, shared_bytes)
 *                                   whether the device can place that cluster
 *   fri_allow_shared_bytes(kernel, shared_bytes)
 *                                   before a plain launch with more than 32 KB of them; see
 *                                   cuda/device/shared_limit.h
 *   fri_load_kernel(kernel)         loads what its first launch of a process would wait for
 *   FRI_LAUNCH_CHILD(kernel, grid, block, shared_bytes, arguments...)
 *                                   from a kernel; the child ends before the launching grid counts
 *                                   as ended
 *   FRI_SHARED(type, name, count)   an uninitialized array in the block's shared memory
 *   FRI_SHARED_DYNAMIC(type, name)  the launch's shared_bytes
 *   FRI_ROLLED                      before a loop that must not be unrolled, to keep code short
 *   FRI_UNROLL                      before a short loop, so that its loads overlap
 *   FRI_UNROLL_BY(times)            before a loop; 1: as FRI_ROLLED
 *   fri_grid_sync()                 every thread of a cooperative grid
 *   fri_cluster_sync()              every thread of a cluster (sm_90; below: of a block)
 *   fri_cluster_at(place, rank)     maps an address in shared memory to the address of the same variable
 *                                   in another block of the cluster; that block must not exit
 *                                   before the use
 *   fri_prefetch(address)           into L2, for a later read
 *   fri_load_once(address)          a value that leaves the caches before others
 *   fri_copy_async(to, from)        16 bytes from memory to the block's shared memory
 *   fri_copies_wait()               waits for the thread's own such copies; a barrier must follow
 *                                   before other threads read them
 *   fri_clock_ns()                  the device's time
 *   fri_peer_store(at, value)       to memory of any device, 4, 8 or 16 bytes; visible to other
 *                                   devices after __threadfence_system() of a thread that the store
 *                                   precedes
 *   fri_system_store(at, value), fri_system_load(at)
 *                                   a word by which devices wait for each other: an access of system
 *                                   scope that orders no other; fences must do that
 *   fri_racy_load, fri_racy_store   an access that may race; the comment says why it may
 *   fri_volatile_load, fri_volatile_store
 *                                   an access that does not race, but must not use a value that L1
 *                                   holds since before the last grid barrier, or must be an
 *                                   instruction of its own
 *
 * The launches from host code expand FRI_RECORD_LAUNCH(kernel, block, shared_bytes), which
 * device.cuh defines to trace the strategies; it reads the calling function's variable `g`.
 * A kernel with template parameters is named in parentheses: FRI_LAUNCH((k<32, true>), ...). */
#ifndef FRI_CUDA_PRIM_DIALECT_CUH
#define FRI_CUDA_PRIM_DIALECT_CUH

#include "cuda/device/shared_limit.h"

#include <cuda_runtime.h>
#include <stdint.h>

#define FRI_WARP      32
#define FRI_FULL_MASK 0xffffffffu

#ifdef FRI_SIMT

#define FRI_UNROLL
#define FRI_UNROLL_BY(times)
#define FRI_ROLLED
#define FRI_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes),                                               \
     FRI_LAUNCH_UNLISTED(kernel, grid, block, shared_bytes, stream, __VA_ARGS__))
#define FRI_LAUNCH_UNLISTED(kernel, grid, block, shared_bytes, stream, ...)                        \
    ((void)(stream),                                                                               \
     simt::launch_kernel(#kernel, simt::plain, grid, block, 1, shared_bytes, kernel, __VA_ARGS__))
#define FRI_LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, stream, ...)                     \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes), (void)(stream),                               \
     fri_allow_shared_bytes((const void *)(kernel), shared_bytes),                                 \
     simt::launch_kernel(#kernel, simt::cooperative, grid, block, 1, shared_bytes, kernel,         \
                         __VA_ARGS__))
#define FRI_LAUNCH_CLUSTER(kernel, grid, block, shared_bytes, stream, ...)                         \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes), (void)(stream),                               \
     fri_allow_shared_bytes((const void *)(kernel), shared_bytes),                                 \
     simt::launch_kernel(#kernel, simt::plain, grid, block, grid, shared_bytes, kernel,            \
                         __VA_ARGS__))
#define FRI_LAUNCH_CHILD(kernel, grid, block, shared_bytes, ...)                                   \
    simt::launch_child(grid, block, shared_bytes, kernel, __VA_ARGS__)
#define FRI_SHARED(type, name, count)                                                              \
    static char name##_key;                                                                        \
    type *const name = (type *)simt::shared(&name##_key, sizeof(type) * (count), alignof(type))
#define FRI_SHARED_DYNAMIC(type, name) type *const name = (type *)simt::shared_dynamic()
#define FRI_LAUNCH_JOINT(devices, kernel, grid, block, shared_bytes, stream, ...)                  \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes), (void)(stream),                               \
     (cudaError_t)simt::launch_joint(#kernel, devices, grid, block, shared_bytes, kernel,          \
                                     __VA_ARGS__))
static inline void fri_joint_begin_launches() { simt::joint_begin(); }
static inline void fri_joint_end_launches() { simt::joint_end(); }
static inline void fri_grid_sync(SIMT_PLACE) {
    if (!simt::left_out(file, line))
        simt::grid_barrier();
}
template <class T> static inline void fri_peer_store(T *at, T value) {
    simt::peer_store(at, &value, sizeof value);
}
template <class T> static inline void fri_system_store(T *at, T value) {
    simt::system_store(at, &value, sizeof value);
}
static inline void fri_cluster_sync(SIMT_PLACE) {
    if (!simt::left_out(file, line))
        simt::cluster_barrier();
}
template <class... P>
static inline bool fri_cluster_fits(void (*)(P...), unsigned, unsigned, size_t) {
    return true;
}
template <class T> static inline T *fri_cluster_at(T *mine, unsigned rank) {
    return (T *)simt::cluster_map((void *)mine, rank);
}
static inline void fri_load_kernel(const void *) {}
static inline unsigned long long fri_clock_ns() { return 0; } /* simulated schedules have no time */

#else

#include <cooperative_groups.h>
#define FRI_PRAGMA(text) _Pragma(#text)
#define FRI_UNROLL _Pragma("unroll")
#define FRI_UNROLL_BY(times) FRI_PRAGMA(unroll times)
#define FRI_ROLLED _Pragma("unroll 1")
#define FRI_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes),                                               \
     kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__))
#define FRI_LAUNCH_UNLISTED(kernel, grid, block, shared_bytes, stream, ...)                        \
    (kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__))
#define FRI_LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, stream, ...)                     \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes),                                               \
     fri_launch_cooperative(kernel, grid, block, shared_bytes, stream, __VA_ARGS__))
#define FRI_LAUNCH_CLUSTER(kernel, grid, block, shared_bytes, stream, ...)                         \
    (FRI_RECORD_LAUNCH(kernel, block, shared_bytes),                                               \
     fri_launch_cluster(kernel, grid, block, shared_bytes, stream, __VA_ARGS__))
#define FRI_LAUNCH_JOINT(devices, kernel, grid, block, shared_bytes, stream, ...)                  \
    FRI_LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, stream, __VA_ARGS__)
#ifdef FRI_SANITIZER_BUILD /* see cuda/device/gpu.h */
#define FRI_LAUNCH_CHILD(kernel, grid, ...) ((void)(grid), __trap())
#else
#define FRI_LAUNCH_CHILD(kernel, grid, block, shared_bytes, ...)                                   \
    (kernel<<<(grid), (block), (shared_bytes), cudaStreamFireAndForget>>>(__VA_ARGS__))
#endif
#define FRI_SHARED(type, name, count) __shared__ type name[count]
#define FRI_SHARED_DYNAMIC(type, name)                                                             \
    extern __shared__ __align__(16) unsigned char fri_dynamic_[];                                  \
    type *const name = (type *)fri_dynamic_

static inline void fri_load_kernel(const void *kernel) {
    cudaFuncAttributes unused;
    cudaFuncGetAttributes(&unused, kernel);
}
template <class... P, class... A>
static inline cudaError_t fri_launch_cooperative(void (*kernel)(P...), dim3 grid, dim3 block,
                                                 size_t shared_bytes, cudaStream_t stream,
                                                 A... arguments) {
    /* the arguments as the kernel's own types, which the runtime reads by address */
    return [&](P... held) {
        void *list[] = {(void *)&held...};
        fri_allow_shared_bytes((const void *)kernel, shared_bytes);
        return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, list, shared_bytes,
                                           stream);
    }(arguments...);
}
static inline cudaLaunchConfig_t fri_cluster_config(const void *kernel, unsigned blocks,
                                                    unsigned block, size_t shared_bytes,
                                                    cudaLaunchAttribute *cluster) {
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = cluster;
    config.numAttrs = blocks > 1 ? 1 : 0;
    fri_allow_shared_bytes(kernel, shared_bytes);
    if (blocks > 8) /* more than the maximum portable cluster size */
        cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return config;
}
template <class... P, class... A>
static inline cudaError_t fri_launch_cluster(void (*kernel)(P...), unsigned blocks, unsigned block,
                                             size_t shared_bytes, cudaStream_t stream,
                                             A... arguments) {
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config =
        fri_cluster_config((const void *)kernel, blocks, block, shared_bytes, &cluster);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, P(arguments)...);
}
template <class... P>
static inline bool fri_cluster_fits(void (*kernel)(P...), unsigned blocks, unsigned block,
                                    size_t shared_bytes) {
    int clusters = 0;
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config =
        fri_cluster_config((const void *)kernel, blocks, block, shared_bytes, &cluster);
    if (blocks > 1 && cudaOccupancyMaxActiveClusters(&clusters, (const void *)kernel, &config)) {
        cudaGetLastError(); /* the return value reports the error */
        return false;
    }
    return blocks == 1 || clusters > 0;
}
template <class T> static __device__ __forceinline__ void fri_peer_store(T *at, T value) {
    *at = value;
}
template <class T> static __device__ __forceinline__ void fri_system_store(T *at, T value) {
    *(volatile T *)at = value; /* volatile accesses have system scope */
}
static inline void fri_joint_begin_launches() {}
static inline void fri_joint_end_launches() {}
static __device__ __forceinline__ void fri_grid_sync() { cooperative_groups::this_grid().sync(); }
static __device__ __forceinline__ unsigned long long fri_clock_ns() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}
static __device__ __forceinline__ void fri_cluster_sync() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
#else
    __syncthreads(); /* such devices get a cluster of one block */
#endif
}
template <class T> static __device__ __forceinline__ T *fri_cluster_at(T *mine, unsigned rank) {
#if __CUDA_ARCH__ >= 900
    return cooperative_groups::this_cluster().map_shared_rank(mine, (int)rank);
#else
    (void)rank;      /* of one block */
    return mine;
#endif
}

#endif

/* Volatile: neither cached in a register nor reported by the executor's race check. In builds for
 * race-checking tools (FRI_SANITIZER_BUILD) accesses to shared memory are atomic, so that the tool
 * reports unintended races only. */
template <class T> static __device__ __forceinline__ T fri_racy_load(const T *at) {
#if defined(FRI_SANITIZER_BUILD) && defined(__CUDA_ARCH__)
    if (sizeof(T) == 4 && __isShared(at)) {
        int word = atomicOr((int *)(uintptr_t)at, 0);
        return *(T *)&word;
    }
    if (sizeof(T) == 8 && __isShared(at)) {
        unsigned long long word; /* separate word: nvcc 13.0 miscompiles atomicOr here */
        asm volatile("atom.or.b64 %0, [%1], 0;" : "=l"(word) : "l"(at) : "memory");
        return *(T *)&word;
    }
#endif
    return *(const volatile T *)at;
}
template <class T> static __device__ __forceinline__ void fri_racy_store(T *at, T value) {
#if defined(FRI_SANITIZER_BUILD) && defined(__CUDA_ARCH__)
    if (sizeof(T) == 4 && __isShared(at)) {
        atomicExch((int *)at, *(int *)&value);
        return;
    }
    if (sizeof(T) == 8 && __isShared(at)) {
        unsigned long long word = *(unsigned long long *)&value, before;
        asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(before) : "l"(at), "l"(word) : "memory");
        return;
    }
#endif
    *(volatile T *)at = value;
}

/* Volatile accesses have system scope. */
template <class T> static __device__ __forceinline__ T fri_system_load(const T *at) {
    return *(const volatile T *)at;
}

/* The same accesses where there is no race. */
template <class T> static __device__ __forceinline__ T fri_volatile_load(const T *at) {
    return fri_racy_load(at);
}
template <class T> static __device__ __forceinline__ void fri_volatile_store(T *at, T value) {
    fri_racy_store(at, value);
}

/* Prefetches the line at that address. Any thread. */
static __device__ __forceinline__ void fri_prefetch(const void *at) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}

/* Any thread: of memory that no thread of the launch writes. */
template <class X> static __device__ __forceinline__ X fri_load_once(const X *at) {
#ifdef __CUDA_ARCH__
    return __ldcs(at);
#else
    return *at;
#endif
}

static __device__ __forceinline__ void fri_copy_async(int4 *to, const int4 *from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from)
        : "memory");
#else
    *to = *from;
#endif
}
static __device__ __forceinline__ void fri_copies_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

static __device__ __forceinline__ int fri_lane() { return (int)(threadIdx.x % FRI_WARP); }
static __device__ __forceinline__ int fri_warp() { return (int)(threadIdx.x / FRI_WARP); }

#endif
