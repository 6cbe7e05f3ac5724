/* The device dialect on the host: what a `.cu` file may use, carried out by the SIMT executor.
 *
 * Every thread of a launch is a fiber. At each collective, barrier and atomic (and now and then at
 * a plain access) a seeded scheduler picks the fiber that runs next, so that one test sees many
 * interleavings. Plain loads and stores reach the executor through the calls that
 * -fsanitize=thread makes the compiler insert; simt_memory.cpp answers them.
 *
 * It reports, and ends the process with status SIMT_FAULT after saying so on stderr:
 *   barriers and collectives that not every named thread reaches; accesses outside a device
 *   allocation; reads of shared or device memory that was never written; shared memory that two threads
 *   touch, one writing, with no barrier between (volatile and atomic accesses are exempt);
 *   kernels that touch host memory; launches with more shared memory than was asked for; accesses to
 *   memory of another device without peer access, or by a plain store.
 *
 * Several devices: a host thread launches on its current device; joint launches run at the same time.
 * A store to memory of another device (fri_peer_store) becomes visible there at a random time, at the
 * latest at a system-scope fence of a thread that it precedes: the storing thread itself, or a thread
 * of the block after a barrier. So a missing fence gives wrong results on some schedules.
 */
#ifndef SIMT_H
#define SIMT_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#define SIMT_FAULT 99

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#ifndef __restrict__
#define __restrict__ __restrict
#endif

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return uint4{x, y, z, w};
}

namespace simt {

struct position { /* of the running thread */
    uint3 thread, block, cluster_block;
    dim3 block_dim, grid_dim;
    unsigned cluster_rank, cluster_size;
};
const position &self();

/* Collectives: `value` is what this lane gives; `combine` gets all 32 given values (only those in
 * mask are set) and its own lane, once everybody in the mask has arrived. */
struct lanes {
    uint64_t value[32];
    unsigned mask;
};
const lanes &warp_collective(const char *what, unsigned mask, uint64_t value);
unsigned lane();

/* Whether the environment's SIMT_WITHOUT=FILE:LINE names this place, whose barrier is then left out: a test must notice
 * (barriers.py). Says so on stderr the first time; with an empty SIMT_WITHOUT says each place that a thread comes to. */
bool left_out(const char *file, int line);
#define SIMT_PLACE                                                                                 \
    const char *file = __builtin_FILE(), int line = __builtin_LINE() /* of the caller */
void block_barrier(const char *what);
int block_reduce(const char *what, int value, int kind); /* 0 count, 1 and, 2 or of predicates */
void grid_barrier();
void cluster_barrier();
/* Stores to memory of any device. Of another device: pending until a fence, or visible at once. */
void peer_store(void *at, const void *value, size_t bytes);
void system_store(void *at, const void *value, size_t bytes);
void system_fence();
void yield();                                    /* before an atomic: another fiber may run first */
void check_atomic(const void *at, size_t bytes); /* inside an allocation, counts as written */
void *shared(const void *key, size_t bytes, size_t align); /* this block's array of that key */
void *shared_dynamic();
void *cluster_map(void *mine, unsigned rank); /* the same place in another block of the cluster */
void spawn_child(dim3 grid, dim3 block, size_t shared_bytes, std::function<void()> body);

enum launch_kind { plain, cooperative };
/* From one host thread per device: the launches of `devices` threads run together, and each call
 * returns when all have ended. If some do not arrive within a second, the others run without them.
 * One such group at a time. Returns a cudaError_t. */
int launch_together(const char *name, int devices, dim3 grid, dim3 block, size_t shared_bytes,
                    std::function<void()> body);
/* A fault when a launch asks for more shared memory than its kernel may have. */
void check_share(const char *name, const void *kernel, size_t shared_bytes);
/* From host code. Runs to the end before it returns. */
void launch(const char *name, launch_kind kind, dim3 grid, dim3 block, unsigned cluster,
            size_t shared_bytes, std::function<void()> body);

/* From here to end_body the thread's accesses are watched; its arguments are its own. */
void begin_body(const void *arguments, size_t bytes);
void end_body();
struct unwatched { /* the executor's own code inside a kernel */
    bool before;
    unwatched();
    ~unwatched();
};

/* Copies the arguments as the kernel's own parameter types and launches. */
template <class... P>
std::function<void()> run_body(void (*kernel)(P...), const std::tuple<P...> &held) {
    std::pair<void (*)(P...), std::tuple<P...>> call(kernel, held);
    return [call] {
        begin_body(&call, sizeof call);
        std::apply(call.first, call.second);
        end_body();
    };
}
template <class... P, class... A>
void launch_kernel(const char *name, launch_kind kind, dim3 grid, dim3 block, unsigned cluster,
                   size_t shared_bytes, void (*kernel)(P...), A... arguments) {
    std::tuple<P...> held(arguments...);
    check_share(name, (const void *)kernel, shared_bytes);
    launch(name, kind, grid, block, cluster, shared_bytes, run_body(kernel, held));
}
void joint_begin(); /* this thread's joint launches wait for joint_end(), which runs them */
void joint_end();
template <class... P, class... A>
int launch_joint(const char *name, int devices, dim3 grid, dim3 block, size_t shared_bytes,
                 void (*kernel)(P...), A... arguments) {
    std::tuple<P...> held(arguments...);
    check_share(name, (const void *)kernel, shared_bytes);
    return launch_together(name, devices, grid, block, shared_bytes, run_body(kernel, held));
}
template <class... P, class... A>
void launch_child(dim3 grid, dim3 block, size_t shared_bytes, void (*kernel)(P...),
                  A... arguments) {
    unwatched quiet;
    std::tuple<P...> held(arguments...);
    spawn_child(grid, block, shared_bytes, run_body(kernel, held));
}

template <class T> uint64_t pack(T v) {
    static_assert(sizeof(T) <= 8, "collectives move up to 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> T unpack(uint64_t bits) {
    T v;
    std::memcpy(&v, &bits, sizeof v);
    return v;
}

} // namespace simt

#define threadIdx (simt::self().thread)
#define blockIdx  (simt::self().block)
#define blockDim  (simt::self().block_dim)
#define gridDim   (simt::self().grid_dim)

static inline void __syncthreads(SIMT_PLACE) {
    if (!simt::left_out(file, line))
        simt::block_barrier("__syncthreads");
}
static inline int __syncthreads_count(int p) {
    return simt::block_reduce("__syncthreads_count", p, 0);
}
static inline int __syncthreads_or(int p) { return simt::block_reduce("__syncthreads_or", p, 2); }
static inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_PLACE) {
    if (!simt::left_out(file, line))
        simt::warp_collective("__syncwarp", mask, 0);
}
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() { simt::system_fence(); }

template <class T> T __shfl_sync(unsigned mask, T v, int from, int width = 32) {
    const simt::lanes &all = simt::warp_collective("__shfl_sync", mask, simt::pack(v));
    unsigned base = simt::lane() / (unsigned)width * (unsigned)width;
    return simt::unpack<T>(all.value[base + ((unsigned)from & ((unsigned)width - 1))]);
}
template <class T> T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {
    const simt::lanes &all = simt::warp_collective("__shfl_up_sync", mask, simt::pack(v));
    unsigned me = simt::lane(), base = me / (unsigned)width * (unsigned)width;
    return me >= base + delta ? simt::unpack<T>(all.value[me - delta]) : v;
}
template <class T> T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {
    const simt::lanes &all = simt::warp_collective("__shfl_down_sync", mask, simt::pack(v));
    unsigned me = simt::lane(), end = me / (unsigned)width * (unsigned)width + (unsigned)width;
    return me + delta < end ? simt::unpack<T>(all.value[me + delta]) : v;
}
template <class T> T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32) {
    const simt::lanes &all = simt::warp_collective("__shfl_xor_sync", mask, simt::pack(v));
    unsigned me = simt::lane(), from = me ^ (unsigned)bits;
    return from / (unsigned)width == me / (unsigned)width ? simt::unpack<T>(all.value[from]) : v;
}
static inline unsigned simt_vote(const char *what, unsigned mask, int p) {
    const simt::lanes &all = simt::warp_collective(what, mask, p != 0);
    unsigned bits = 0;
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && all.value[i])
            bits |= 1u << i;
    return bits;
}
static inline unsigned __ballot_sync(unsigned mask, int p) {
    return simt_vote("__ballot_sync", mask, p);
}
static inline int __any_sync(unsigned mask, int p) { return simt_vote("__any_sync", mask, p) != 0; }
static inline int __all_sync(unsigned mask, int p) {
    return simt_vote("__all_sync", mask, p) == mask;
}
template <class T> unsigned __match_any_sync(unsigned mask, T v) {
    uint64_t mine = simt::pack(v);
    const simt::lanes &all = simt::warp_collective("__match_any_sync", mask, mine);
    unsigned bits = 0;
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && all.value[i] == mine)
            bits |= 1u << i;
    return bits;
}
template <class T, class F> T simt_reduce(const char *what, unsigned mask, T v, F combine) {
    const simt::lanes &all = simt::warp_collective(what, mask, simt::pack(v));
    bool first = true;
    T sum = v;
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1) {
            T x = simt::unpack<T>(all.value[i]);
            sum = first ? x : combine(sum, x);
            first = false;
        }
    return sum;
}
template <class T> T __reduce_add_sync(unsigned mask, T v) {
    return simt_reduce("__reduce_add_sync", mask, v, [](T a, T b) { return (T)(a + b); });
}
template <class T> T __reduce_min_sync(unsigned mask, T v) {
    return simt_reduce("__reduce_min_sync", mask, v, [](T a, T b) { return a < b ? a : b; });
}
template <class T> T __reduce_max_sync(unsigned mask, T v) {
    return simt_reduce("__reduce_max_sync", mask, v, [](T a, T b) { return a > b ? a : b; });
}
template <class T> T __reduce_or_sync(unsigned mask, T v) {
    return simt_reduce("__reduce_or_sync", mask, v, [](T a, T b) { return (T)(a | b); });
}

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline int __viaddmin_s32(int a, int b, int c) { /* DPX; the sum wraps */
    int sum = (int)((unsigned)a + (unsigned)b);
    return sum < c ? sum : c;
}
static inline int __float_as_int(float f) { return simt::unpack<int>(simt::pack(f)); }
static inline float __int_as_float(int i) { return simt::unpack<float>(simt::pack(i)); }
static inline long long __double_as_longlong(double d) {
    return simt::unpack<long long>(simt::pack(d));
}
static inline double __longlong_as_double(long long i) {
    return simt::unpack<double>(simt::pack(i));
}

/* Cache hints change nothing here; the loads stay plain and checked. */
template <class T> T __ldg(const T *p) { return *p; }
template <class T> T __ldcg(const T *p) {
    return *(const volatile T *)p;
} /* past L1: for racy reads */
template <class T> T __ldca(const T *p) { return *(const volatile T *)p; } /* of any age */
template <class T> T __ldcs(const T *p) { return *p; }
template <class T> T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> void __stcg(T *p, T v) { *(volatile T *)p = v; }
template <class T> void __stcs(T *p, T v) { *p = v; }
template <class T> void __stwt(T *p, T v) { *p = v; }

template <class T, class F> T simt_atomic(T *at, F change) {
    simt::yield();
    simt::check_atomic(at, sizeof(T));
    simt::unwatched whole; /* else others may come between, and the load and store race */
    T old;
    std::memcpy(&old, at, sizeof old);
    T fresh = change(old);
    std::memcpy(at, &fresh, sizeof fresh);
    return old;
}
template <class T> using simt_same = typename std::common_type<T>::type; /* not deduced */
template <class T> T atomicAdd(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return (T)(o + v); });
}
template <class T> T atomicSub(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return (T)(o - v); });
}
template <class T> T atomicMin(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return v < o ? v : o; });
}
template <class T> T atomicMax(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return v > o ? v : o; });
}
template <class T> T atomicOr(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return (T)(o | v); });
}
template <class T> T atomicAnd(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return (T)(o & v); });
}
template <class T> T atomicExch(T *at, simt_same<T> v) {
    return simt_atomic(at, [=](T) { return (T)v; });
}
template <class T> T atomicCAS(T *at, simt_same<T> expected, simt_same<T> v) {
    return simt_atomic(at, [=](T o) { return o == expected ? (T)v : o; });
}

#endif
