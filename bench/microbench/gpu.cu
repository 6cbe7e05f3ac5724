/* Measures the limits of a GPU for `fringe bench --suite microbench`: copying, random reads, bitmap probes,
 * atomics, launches, barriers, uploads.
 *
 * Idea: each loop performs one of these operations and nothing else, on the whole GPU, with eight
 *   accesses per thread in flight; it repeats until it takes a millisecond, so that the time of a
 *   launch is negligible. Arrays are all ones (zeros for additions), so that the totals of the
 *   loops are known.
 * Needs: 2.3 GB; with less, arrays that do not fit are skipped. */
#define FRI_RECORD_LAUNCH(kernel, block, shared_bytes) ((void)0) /* no strategy traces these launches */
#include "bench/microbench/microbench.h"
#include "cuda/prim/reduce.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const fr_status tried = (call);                                                            \
        if (tried)                                                                                 \
            return tried;                                                                          \
    } while (0)
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* The loops: each performs one operation and counts it, so that the count can be verified and the
 * compiler cannot remove the loop. */

static const int BLOCK = 256, FLIGHT = 8;    /* FLIGHT: accesses per thread in flight */
/* threads per block at a barrier; barriers per iteration */
static const int BARRIER_THREADS = 512, ROUNDS = 16;

enum operation { OP_READ, OP_ADD, OP_ADD_RESULT, OP_TEST };
enum barrier_scope { BARRIER_BLOCK, BARRIER_CLUSTER, BARRIER_GRID };

static __device__ __forceinline__ int64_t grid_thread() {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ int64_t grid_threads() { return (int64_t)gridDim.x * blockDim.x; }

/* Any thread; 1 if the array holds the value it was filled with. */
template <operation A> static __device__ __forceinline__ uint32_t touch(uint32_t *at) {
    if (A == OP_READ)
        return *at & 1;
    if (A == OP_ADD) /* atomic: threads collide; here and below the sum is the result */
        return atomicAdd(at, 1u), 1;
    if (A == OP_ADD_RESULT)
        return atomicAdd(at, 1u);
    return __ldcg(at) ? 1 : atomicOr(at, 1u);
}

/* iterations x FLIGHT random positions per thread, out of 2^(32 - shift) words. One linear
 * congruential sequence per thread: one multiplication per index, whose high bits are used. */
template <operation A>
static __global__ void __launch_bounds__(BLOCK)
    random_kernel(uint32_t *words, int shift, int32_t iterations, unsigned long long *sum) {
    uint32_t x = microbench_mix((uint32_t)grid_thread());
    unsigned long long mine = 0;
    FRI_ROLLED
    for (int32_t iteration = 0; iteration < iterations; iteration++) {
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

/* All positions of the stream, `iterations` times; the stream bypasses L1, which is left to the
 * bitmap.
 */
static __global__ void __launch_bounds__(BLOCK)
    probe_kernel(const uint4 *stream, int64_t count, const uint32_t *map, int shift,
                 int32_t iterations, unsigned long long *sum) {
    unsigned long long mine = 0;
    for (int32_t iteration = 0; iteration < iterations; iteration++) {
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
        stream[i] = microbench_mix((uint32_t)i);
}

/* Four copies of 16 bytes per thread in flight; count is a multiple of four. */
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

/* iterations x ROUNDS barriers. */
template <barrier_scope M>
static __global__ void __launch_bounds__(BARRIER_THREADS)
    barrier_kernel(int32_t iterations, unsigned long long *sum) {
    for (int32_t round = 0; round < iterations * ROUNDS;
         round++) /* the barrier is what is measured */
        if (M == BARRIER_BLOCK)
            __syncthreads(); /* no access before or after it; the same for the two below */
        else if (M == BARRIER_CLUSTER)
            fri_cluster_sync();
        else
            fri_grid_sync();
    fri_grid_add(sum, (unsigned long long)iterations);
}

static __global__ void empty_kernel(int32_t) {}

static __global__ void __launch_bounds__(BLOCK)
    total_kernel(const uint32_t *words, int64_t count, uint32_t mask, unsigned long long *sum) {
    unsigned long long mine = 0;
    for (int64_t i = grid_thread(); i < count; i += grid_threads())
        mine += words[i] & mask;
    fri_grid_add(sum, mine);
}

namespace {

const int64_t KIB = 1 << 10, MIB = 1 << 20, GIB = 1 << 30;
const int64_t STREAM_BYTES = 256 * MIB, UPLOAD_BYTES = 64 * MIB;
const double LONG_NS = 1e6;
const int32_t MAX_ITERATIONS = 1 << 14;

struct bench {
    microbench_run *run;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    int multiprocessors, compute_capability;
    uint32_t *buffer, *places; /* places: the stream of random positions */
    int64_t max_bytes, places_bytes; /* powers of two */
    unsigned long long *sum;
    unsigned blocks;    /* that fill the GPU */
    int64_t iterations_done; /* since the buffer was filled */
};

/* One row of the table: `measure` sets the value, or the reason why there is none. */
struct row {
    const char *name, *unit;
    int64_t bytes;
    int32_t width;
    fr_status (*measure)(bench *b, microbench *out);
};

fr_status check(bench *b, cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return FR_OK;
    cudaGetLastError(); /* report an error once */
    snprintf(b->run->message, sizeof b->run->message, "GPU: %s: %s", what,
             cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? FR_NOMEM : FR_DEVICE;
}

fr_status clear_sum(bench *b) {
    return check(b, cudaMemsetAsync(b->sum, 0, sizeof *b->sum, b->stream),
                         "clearing");
}

fr_status check_sum(bench *b, const char *name, int64_t expected) {
    unsigned long long sum;
    TRY(check(b, cudaGetLastError(), "launching a kernel"));
    TRY(check(b, cudaMemcpyAsync(&sum, b->sum, sizeof sum, cudaMemcpyDeviceToHost, b->stream), "downloading"));
    TRY(check(b, cudaStreamSynchronize(b->stream), "downloading"));
    if (sum == (unsigned long long)expected)
        return FR_OK;
    snprintf(b->run->message, sizeof b->run->message,
             "measuring %s: the total is %llu instead of %lld", name, sum, (long long)expected);
    return FR_VERIFY_FAILED;
}

/* Checks the sum of the buffer's words, masked by `mask`. */
fr_status check_total(bench *b, const char *name, const uint32_t *at, int64_t bytes, uint32_t mask,
                      int64_t expected) {
    TRY(clear_sum(b));
    FRI_LAUNCH(total_kernel, b->blocks, BLOCK, 0, b->stream, at, bytes / 4, mask, b->sum);
    return check_sum(b, name, expected);
}

fr_status fill(bench *b, int64_t bytes, int byte) {
    b->iterations_done = 0;
    return check(b, cudaMemsetAsync(b->buffer, byte, (size_t)bytes, b->stream),
                         "filling");
}

template <class F> fr_status time_once(bench *b, int32_t iterations, F launch, double *ns) {
    float ms = 0;
    TRY(clear_sum(b));
    TRY(check(b, cudaEventRecord(b->start, b->stream), "starting the clock"));
    launch(iterations);
    TRY(check(b, cudaGetLastError(), "launching a kernel"));
    TRY(check(b, cudaEventRecord(b->stop, b->stream), "stopping the clock"));
    TRY(check(b, cudaEventSynchronize(b->stop), "running a microbenchmark"));
    TRY(
        check(b, cudaEventElapsedTime(&ms, b->start, b->stop), "running a microbenchmark"));
    b->iterations_done += iterations;
    *ns = (double)ms * 1e6;
    return FR_OK;
}

/* The minimum ns of one iteration, of as many at a time as take a millisecond (*iterations). */
template <class F> fr_status timed(bench *b, int32_t *iterations, double *ns, F launch) {
    double again;
    TRY(time_once(b, 1, launch, ns)); /* loads the kernel */
    for (*iterations = 1;; *iterations *= 4) {
        TRY(time_once(b, *iterations, launch, ns));
        if (*ns >= LONG_NS || *iterations >= MAX_ITERATIONS)
            break;
    }
    for (int run = 0; run < MICROBENCH_RUNS; run++) {
        TRY(time_once(b, *iterations, launch, &again));
        *ns = MIN(*ns, again);
    }
    *ns /= *iterations;
    return FR_OK;
}

int log2_of(int64_t power) {
    int bits = 0;
    while (power >> bits > 1)
        bits++;
    return bits;
}

bool too_large(const bench *b, microbench *out) {
    if (out->bytes > b->max_bytes)
        out->skipped = "not enough GPU memory, or the limit (--max-gpu-mem) is too low";
    return out->skipped;
}

/* ---- the measurements in the table -------------------------------------------------------- */

template <operation A> fr_status random_places(bench *b, microbench *out) {
    const bool adds = A == OP_ADD || A == OP_ADD_RESULT;
    const int shift = 32 - log2_of(out->bytes / 4);
    const int64_t each = (int64_t)b->blocks * BLOCK * FLIGHT;
    int32_t iterations;
    double ns;
    if (too_large(b, out))
        return FR_OK;
    TRY(fill(b, out->bytes, adds ? 0 : 0xff));
    TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        FRI_LAUNCH((random_kernel<A>), b->blocks, BLOCK, 0, b->stream, b->buffer, shift, count,
                   b->sum);
    }));
    out->value = (double)each * 1e9 / ns;
    if (!adds)
        return check_sum(b, out->name, each * iterations);
    return check_total(b, out->name, b->buffer, out->bytes, ~0u, each * b->iterations_done);
}

fr_status probe(bench *b, microbench *out) {
    const int shift = 32 - log2_of(out->bytes * 8);
    const int64_t count = b->places_bytes / 16;
    int32_t iterations;
    double ns;
    if (too_large(b, out))
        return FR_OK;
    TRY(fill(b, out->bytes, 0xff));
    TRY(timed(b, &iterations, &ns, [=](int32_t times) {
        FRI_LAUNCH(probe_kernel, b->blocks, BLOCK, 0, b->stream, (const uint4 *)b->places, count,
                   b->buffer, shift, times, b->sum);
    }));
    out->value = (double)count * 4e9 / ns;
    return check_sum(b, out->name, count * 4 * iterations);
}

fr_status copy(bench *b, microbench *out) {
    out->bytes = MIN(out->bytes, b->max_bytes / 2);
    uint32_t *to = b->buffer + out->bytes / 4;
    const int64_t bytes = out->bytes;
    int32_t iterations;
    double ns;
    TRY(fill(b, bytes, 0xff));
    TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++)
            FRI_LAUNCH(copy_kernel, b->blocks, BLOCK, 0, b->stream, (uint4 *)to,
                       (const uint4 *)b->buffer, bytes / 16);
    }));
    out->value = (double)bytes * 2e9 / ns;
    return check_total(b, out->name, to, bytes, 1, bytes / 4);
}

/* A barrier of `width` blocks; skipped if the GPU cannot hold them all. */
template <barrier_scope M> fr_status barrier(bench *b, microbench *out) {
    const unsigned blocks = (unsigned)out->width;
    int32_t iterations;
    double ns;
    TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        if (M == BARRIER_BLOCK)
            FRI_LAUNCH((barrier_kernel<M>), blocks, BARRIER_THREADS, 0, b->stream, count, b->sum);
        else if (M == BARRIER_CLUSTER)
            FRI_LAUNCH_CLUSTER((barrier_kernel<M>), blocks, BARRIER_THREADS, 0, b->stream, count,
                               b->sum);
        else
            FRI_LAUNCH_COOPERATIVE((barrier_kernel<M>), blocks, BARRIER_THREADS, 0, b->stream,
                                   count, b->sum);
    }));
    out->value = ns / ROUNDS;
    return check_sum(b, out->name, (int64_t)blocks * BARRIER_THREADS * iterations);
}

fr_status cluster_barrier(bench *b, microbench *out) {
    if (b->compute_capability < 90)
        out->skipped = "clusters need compute capability 9.0";
    else if (!fri_cluster_fits(barrier_kernel<BARRIER_CLUSTER>, (unsigned)out->width,
                               BARRIER_THREADS, 0))
        out->skipped = "the GPU cannot place a cluster of this size";
    return out->skipped ? FR_OK : barrier<BARRIER_CLUSTER>(b, out);
}

fr_status grid_barrier(bench *b, microbench *out) {
    out->width *= b->multiprocessors;
    return barrier<BARRIER_GRID>(b, out);
}

fr_status launch(bench *b, microbench *out) {
    int32_t iterations;
    return timed(b, &iterations, &out->value, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++)
            FRI_LAUNCH(empty_kernel, 1, FRI_WARP, 0, b->stream, i);
    });
}

fr_status launch_sync(bench *b, microbench *out) {
    int32_t iterations;
    return timed(b, &iterations, &out->value, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++) {
            FRI_LAUNCH(empty_kernel, 1, FRI_WARP, 0, b->stream, i);
            cudaStreamSynchronize(b->stream); /* the next call reports an error */
        }
    });
}

fr_status upload(bench *b, const void *from, microbench *out) {
    const size_t bytes = (size_t)out->bytes;
    int32_t iterations;
    double ns;
    TRY(fill(b, out->bytes, 0));
    TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++)
            cudaMemcpyAsync(b->buffer, from, bytes, cudaMemcpyHostToDevice, b->stream);
    }));
    out->value = (double)bytes * 1e9 / ns;
    return check_total(b, out->name, b->buffer, out->bytes, 1, out->bytes / 4);
}

fr_status upload_pinned(bench *b, microbench *out) {
    void *from;
    out->bytes = MIN(out->bytes, b->max_bytes);
    cudaError_t error = cudaHostAlloc(&from, (size_t)out->bytes, cudaHostAllocDefault);
    TRY(check(b, error, "pinning memory"));
    memset(from, 0xff, (size_t)out->bytes);
    fr_status status = upload(b, from, out);
    cudaFreeHost(from);
    return status;
}

fr_status upload_pageable(bench *b, microbench *out) {
    out->bytes = MIN(out->bytes, b->max_bytes);
    void *from = malloc((size_t)out->bytes);
    if (!from)
        return check(b, cudaErrorMemoryAllocation, "allocating host memory");
    memset(from, 0xff, (size_t)out->bytes);
    fr_status status = upload(b, from, out);
    free(from);
    return status;
}

const row rows[] = {{"copy", "B/s", GIB, 0, copy},
                    {"gather", "1/s", 64 * KIB, 0, random_places<OP_READ>},
                    {"gather", "1/s", 256 * KIB, 0, random_places<OP_READ>},
                    {"gather", "1/s", 4 * MIB, 0, random_places<OP_READ>},
                    {"gather", "1/s", 32 * MIB, 0, random_places<OP_READ>},
                    {"gather", "1/s", 256 * MIB, 0, random_places<OP_READ>},
                    {"gather", "1/s", 2 * GIB, 0, random_places<OP_READ>},
                    {"probe", "1/s", 256 * KIB, 0, probe},
                    {"probe", "1/s", MIB, 0, probe},
                    {"probe", "1/s", 4 * MIB, 0, probe},
                    {"atomic", "1/s", 4 * MIB, 0, random_places<OP_ADD>},
                    {"atomic", "1/s", GIB, 0, random_places<OP_ADD>},
                    {"atomic-result", "1/s", 4 * MIB, 0, random_places<OP_ADD_RESULT>},
                    {"atomic-tested", "1/s", 4 * MIB, 0, random_places<OP_TEST>},
                    {"block-barrier", "ns", 0, 1, barrier<BARRIER_BLOCK>},
                    {"cluster-barrier", "ns", 0, 2, cluster_barrier},
                    {"cluster-barrier", "ns", 0, 4, cluster_barrier},
                    {"cluster-barrier", "ns", 0, 8, cluster_barrier},
                    {"cluster-barrier", "ns", 0, 16, cluster_barrier},
                    {"grid-barrier", "ns", 0, 1, grid_barrier}, /* one block per multiprocessor */
                    {"grid-barrier", "ns", 0, 2, grid_barrier},
                    {"launch", "ns", 0, 0, launch},
                    {"launch-sync", "ns", 0, 0, launch_sync},
                    {"upload-pinned", "B/s", UPLOAD_BYTES, 0, upload_pinned},
                    {"upload-pageable", "B/s", UPLOAD_BYTES, 0, upload_pageable}};

/* ---- the bench ---------------------------------------------------------------------------- */

int64_t power_below(int64_t bytes) { return bytes < 1 ? 0 : (int64_t)1 << log2_of(bytes); }

fr_status allocate(bench *b, void *pointer_to, int64_t bytes) {
    return check(b, cudaMalloc((void **)pointer_to, (size_t)bytes), "allocating");
}

fr_status take_memory(bench *b) {
    const int64_t least = 64 * KIB, limit = (int64_t)MIN(b->run->max_bytes, (size_t)1 << 62);
    b->max_bytes = MIN(power_below(limit - limit / 4), 2 * GIB);
    if (b->max_bytes < least) {
        snprintf(b->run->message, sizeof b->run->message,
                 "not enough GPU memory: the micro-benchmarks need at least 86 KiB, and the limit "
                 "is %.4g KiB; --max-gpu-mem sets the limit",
                 (double)limit / (double)KIB);
        return FR_NOMEM;
    }
    b->places_bytes = MIN(b->max_bytes / 8, STREAM_BYTES);
    TRY(allocate(b, &b->buffer, b->max_bytes));
    TRY(allocate(b, &b->places, b->places_bytes));
    TRY(allocate(b, &b->sum, sizeof *b->sum));
    FRI_LAUNCH(stream_kernel, b->blocks, BLOCK, 0, b->stream, b->places, b->places_bytes / 4);
    return check(b, cudaGetLastError(), "launching a kernel");
}

fr_status attribute(bench *b, cudaDeviceAttr which, int *value) {
    return check(b, cudaDeviceGetAttribute(value, which, b->run->device),
                 "reading the device's attributes");
}

fr_status open(bench *b) {
    int threads, major, minor;
    TRY(check(b, cudaSetDevice(b->run->device), "selecting the device"));
    TRY(attribute(b, cudaDevAttrMultiProcessorCount, &b->multiprocessors));
    TRY(attribute(b, cudaDevAttrMaxThreadsPerMultiProcessor, &threads));
    TRY(attribute(b, cudaDevAttrComputeCapabilityMajor, &major));
    TRY(attribute(b, cudaDevAttrComputeCapabilityMinor, &minor));
    b->compute_capability = 10 * major + minor;
    b->blocks = (unsigned)(b->multiprocessors * (threads / BLOCK));
    TRY(check(b, cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking),
              "creating a stream"));
    TRY(check(b, cudaEventCreate(&b->start), "creating an event"));
    TRY(check(b, cudaEventCreate(&b->stop), "creating an event"));
    return take_memory(b);
}

fr_status measure_all(bench *b) {
    const int count = (int)(sizeof rows / sizeof *rows);
    for (int i = 0; i < count; i++) {
        const row *r = &rows[i];
        microbench out = {r->name, r->unit, r->bytes, r->width, 0, nullptr};
        if (b->run->progress(nullptr, "limits", i, count))
            return FR_CANCELLED;
        TRY(r->measure(b, &out));
        if (b->run->found(b->run->user, &out))
            return FR_CANCELLED;
    }
    return FR_OK;
}

} // namespace

extern "C" fr_status microbench_gpu(microbench_run *run) {
    bench b = {};
    b.run = run;
    fr_status status = open(&b);
    if (!status)
        status = measure_all(&b);
    cudaFree(b.buffer);
    cudaFree(b.places);
    cudaFree(b.sum);
    if (b.start)
        cudaEventDestroy(b.start);
    if (b.stop)
        cudaEventDestroy(b.stop);
    if (b.stream)
        cudaStreamDestroy(b.stream);
    return status;
}
