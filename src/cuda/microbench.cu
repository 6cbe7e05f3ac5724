/* Measures the limits of a GPU for fr_microbench_run: copying, random reads, bitmap probes,
 * atomics, launches, barriers, uploads.
 *
 * Idea: each loop performs one of these operations and nothing else, on the whole GPU, with eight
 *   accesses per thread in flight; it repeats until it takes a millisecond, so that the time of a
 *   launch is negligible. Arrays are all ones (zeros for additions), so that the totals of the
 *   loops are known.
 * Needs: 2.3 GB; with less, arrays that do not fit are skipped. */
#include "cuda/microbench.h"
#include "cuda/device/memory_plan.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"
#include "core/microbench.h"

#include <string.h>

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
    uint32_t x = fri_microbench_mix((uint32_t)grid_thread());
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
        stream[i] = fri_microbench_mix((uint32_t)i);
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
    fri_gpu *gpu;
    const fri_microbench *limits;
    uint32_t *arena, *stream;
    int64_t max_bytes, stream_bytes; /* powers of two */
    unsigned long long *sum;
    unsigned blocks;    /* that fill the GPU */
    int64_t iterations_done; /* since the arena was filled */
};

/* One row of the table: `measure` sets the value, or the reason why there is none. */
struct row {
    const char *name, *unit;
    int64_t bytes;
    int32_t width;
    fr_status (*measure)(bench *b, fr_microbench *out);
};

fr_status clear_sum(bench *b) {
    return fri_gpu_check(b->gpu, cudaMemsetAsync(b->sum, 0, sizeof *b->sum, b->gpu->stream),
                         "clearing");
}

fr_status check_sum(bench *b, const char *name, int64_t expected) {
    unsigned long long sum;
    FRI_GPU_TRY(fri_gpu_download(b->gpu, &sum, b->sum, sizeof sum));
    if (sum == (unsigned long long)expected)
        return FR_OK;
    return fri_fail(b->limits->ctx, FR_VERIFY_FAILED,
                    "measuring %s: the total is %llu instead of %lld", name, sum,
                    (long long)expected);
}

/* Checks the sum of the arena's words, masked by `mask`. */
fr_status check_total(bench *b, const char *name, const uint32_t *at, int64_t bytes, uint32_t mask,
                      int64_t expected) {
    fri_gpu *g = b->gpu;
    FRI_GPU_TRY(clear_sum(b));
    FRI_LAUNCH(total_kernel, b->blocks, BLOCK, 0, g->stream, at, bytes / 4, mask, b->sum);
    return check_sum(b, name, expected);
}

fr_status fill(bench *b, int64_t bytes, int byte) {
    b->iterations_done = 0;
    return fri_gpu_check(b->gpu, cudaMemsetAsync(b->arena, byte, (size_t)bytes, b->gpu->stream),
                         "filling");
}

template <class F> fr_status time_once(bench *b, int32_t iterations, F launch, double *ns) {
    fri_gpu *g = b->gpu;
    float ms = 0;
    FRI_GPU_TRY(clear_sum(b));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventRecord(g->clock_start, g->stream), "starting the clock"));
    launch(iterations);
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching a kernel"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventRecord(g->clock_stop, g->stream), "stopping the clock"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventSynchronize(g->clock_stop), "running a microbenchmark"));
    FRI_GPU_TRY(
        fri_gpu_check(g, cudaEventElapsedTime(&ms, g->clock_start, g->clock_stop), "running a microbenchmark"));
    b->iterations_done += iterations;
    *ns = (double)ms * 1e6;
    return FR_OK;
}

/* The minimum ns of one iteration, of as many at a time as take a millisecond (*iterations). */
template <class F> fr_status timed(bench *b, int32_t *iterations, double *ns, F launch) {
    double again;
    FRI_GPU_TRY(time_once(b, 1, launch, ns)); /* loads the kernel */
    for (*iterations = 1;; *iterations *= 4) {
        FRI_GPU_TRY(time_once(b, *iterations, launch, ns));
        if (*ns >= LONG_NS || *iterations >= MAX_ITERATIONS)
            break;
    }
    for (int run = 0; run < FRI_MICROBENCH_RUNS; run++) {
        FRI_GPU_TRY(time_once(b, *iterations, launch, &again));
        *ns = FRI_MIN(*ns, again);
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

bool too_large(const bench *b, fr_microbench *out) {
    if (out->bytes > b->max_bytes)
        out->skipped = "not enough GPU memory, or the limit (--max-gpu-mem) is too low";
    return out->skipped;
}

/* ---- the measurements in the table -------------------------------------------------------- */

template <operation A> fr_status random_places(bench *b, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    const bool adds = A == OP_ADD || A == OP_ADD_RESULT;
    const int shift = 32 - log2_of(out->bytes / 4);
    const int64_t each = (int64_t)b->blocks * BLOCK * FLIGHT;
    int32_t iterations;
    double ns;
    if (too_large(b, out))
        return FR_OK;
    FRI_GPU_TRY(fill(b, out->bytes, adds ? 0 : 0xff));
    FRI_GPU_TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        FRI_LAUNCH((random_kernel<A>), b->blocks, BLOCK, 0, g->stream, b->arena, shift, count,
                   b->sum);
    }));
    out->value = (double)each * 1e9 / ns;
    if (!adds)
        return check_sum(b, out->name, each * iterations);
    return check_total(b, out->name, b->arena, out->bytes, ~0u, each * b->iterations_done);
}

fr_status probe(bench *b, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    const int shift = 32 - log2_of(out->bytes * 8);
    const int64_t count = b->stream_bytes / 16;
    int32_t iterations;
    double ns;
    if (too_large(b, out))
        return FR_OK;
    FRI_GPU_TRY(fill(b, out->bytes, 0xff));
    FRI_GPU_TRY(timed(b, &iterations, &ns, [=](int32_t times) {
        FRI_LAUNCH(probe_kernel, b->blocks, BLOCK, 0, g->stream, (const uint4 *)b->stream, count,
                   b->arena, shift, times, b->sum);
    }));
    out->value = (double)count * 4e9 / ns;
    return check_sum(b, out->name, count * 4 * iterations);
}

fr_status copy(bench *b, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    out->bytes = FRI_MIN(out->bytes, b->max_bytes / 2);
    uint32_t *to = b->arena + out->bytes / 4;
    const int64_t bytes = out->bytes;
    int32_t iterations;
    double ns;
    FRI_GPU_TRY(fill(b, bytes, 0xff));
    FRI_GPU_TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++)
            FRI_LAUNCH(copy_kernel, b->blocks, BLOCK, 0, g->stream, (uint4 *)to,
                       (const uint4 *)b->arena, bytes / 16);
    }));
    out->value = (double)bytes * 2e9 / ns;
    return check_total(b, out->name, to, bytes, 1, bytes / 4);
}

/* A barrier of `width` blocks; skipped if the GPU cannot hold them all. */
template <barrier_scope M> fr_status barrier(bench *b, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    const unsigned blocks = (unsigned)out->width;
    int32_t iterations;
    double ns;
    FRI_GPU_TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        if (M == BARRIER_BLOCK)
            FRI_LAUNCH((barrier_kernel<M>), blocks, BARRIER_THREADS, 0, g->stream, count, b->sum);
        else if (M == BARRIER_CLUSTER)
            FRI_LAUNCH_CLUSTER((barrier_kernel<M>), blocks, BARRIER_THREADS, 0, g->stream, count,
                               b->sum);
        else
            FRI_LAUNCH_COOPERATIVE((barrier_kernel<M>), blocks, BARRIER_THREADS, 0, g->stream,
                                   count, b->sum);
    }));
    out->value = ns / ROUNDS;
    return check_sum(b, out->name, (int64_t)blocks * BARRIER_THREADS * iterations);
}

fr_status cluster_barrier(bench *b, fr_microbench *out) {
    if (b->gpu->compute_capability < 90)
        out->skipped = "clusters need compute capability 9.0";
    else if (!fri_cluster_fits(barrier_kernel<BARRIER_CLUSTER>, (unsigned)out->width,
                               BARRIER_THREADS, 0))
        out->skipped = "the GPU cannot place a cluster of so many blocks";
    return out->skipped ? FR_OK : barrier<BARRIER_CLUSTER>(b, out);
}

fr_status grid_barrier(bench *b, fr_microbench *out) {
    out->width *= b->gpu->multiprocessors;
    return barrier<BARRIER_GRID>(b, out);
}

fr_status launch(bench *b, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    int32_t iterations;
    return timed(b, &iterations, &out->value, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++)
            FRI_LAUNCH(empty_kernel, 1, FRI_WARP, 0, g->stream, i);
    });
}

fr_status launch_sync(bench *b, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    int32_t iterations;
    return timed(b, &iterations, &out->value, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++) {
            FRI_LAUNCH(empty_kernel, 1, FRI_WARP, 0, g->stream, i);
            cudaStreamSynchronize(g->stream); /* the next call reports an error */
        }
    });
}

fr_status upload(bench *b, const void *from, fr_microbench *out) {
    fri_gpu *g = b->gpu;
    const size_t bytes = (size_t)out->bytes;
    int32_t iterations;
    double ns;
    FRI_GPU_TRY(fill(b, out->bytes, 0));
    FRI_GPU_TRY(timed(b, &iterations, &ns, [=](int32_t count) {
        for (int32_t i = 0; i < count; i++)
            cudaMemcpyAsync(b->arena, from, bytes, cudaMemcpyHostToDevice, g->stream);
    }));
    out->value = (double)bytes * 1e9 / ns;
    return check_total(b, out->name, b->arena, out->bytes, 1, out->bytes / 4);
}

fr_status upload_pinned(bench *b, fr_microbench *out) {
    void *from;
    out->bytes = FRI_MIN(out->bytes, b->max_bytes);
    cudaError_t error = cudaHostAlloc(&from, (size_t)out->bytes, cudaHostAllocDefault);
    FRI_GPU_TRY(fri_gpu_check(b->gpu, error, "pinning memory"));
    memset(from, 0xff, (size_t)out->bytes);
    fr_status status = upload(b, from, out);
    cudaFreeHost(from);
    return status;
}

fr_status upload_pageable(bench *b, fr_microbench *out) {
    out->bytes = FRI_MIN(out->bytes, b->max_bytes);
    void *from = fri_alloc(b->limits->ctx, (size_t)out->bytes);
    if (!from)
        return FR_NOMEM;
    memset(from, 0xff, (size_t)out->bytes);
    fr_status status = upload(b, from, out);
    fri_free(from);
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

fr_status take_memory(bench *b) {
    const int64_t min_ns = 64 * KIB;
    fri_gpu *g = b->gpu;
    size_t free_bytes;
    void *p;
    FRI_GPU_TRY(fri_gpu_free_bytes(b->limits->ctx, &free_bytes));
    b->max_bytes = FRI_MIN(power_below((int64_t)(free_bytes - free_bytes / 4)), 2 * GIB);
    b->max_bytes = FRI_MAX(b->max_bytes, min_ns); /* with less, the allocation reports what is missing */
    b->stream_bytes = FRI_MIN(b->max_bytes / 8, STREAM_BYTES);
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, (size_t)b->max_bytes));
    b->arena = (uint32_t *)p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, (size_t)b->stream_bytes));
    b->stream = (uint32_t *)p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, sizeof *b->sum));
    b->sum = (unsigned long long *)p;
    FRI_LAUNCH(stream_kernel, b->blocks, BLOCK, 0, g->stream, b->stream, b->stream_bytes / 4);
    return fri_gpu_check(g, cudaGetLastError(), "launching a kernel");
}

fr_status open(bench *b) {
    fri_gpu *g = b->gpu;
    FRI_GPU_TRY(fri_gpu_open(g));
    b->blocks = (unsigned)(g->multiprocessors * (g->max_threads_per_sm / BLOCK));
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking),
                              "creating a stream"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->clock_start), "creating an event"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->clock_stop), "creating an event"));
    return take_memory(b);
}

fr_status measure_all(bench *b) {
    const int count = (int)(sizeof rows / sizeof *rows);
    for (int i = 0; i < count; i++) {
        const row *r = &rows[i];
        fr_microbench out = {r->name, r->unit, r->bytes, r->width, 0, nullptr};
        FRI_GPU_TRY(fri_progress(b->limits->ctx, "limits", i, count));
        FRI_GPU_TRY(r->measure(b, &out));
        FRI_GPU_TRY(fri_microbench_report(b->limits, &out));
    }
    return FR_OK;
}

} // namespace

extern "C" fr_status fri_gpu_microbench(const fri_microbench *l) {
    fri_job job = {};
    job.ctx = l->ctx;
    bench b = {};
    b.limits = l;
    b.gpu = (fri_gpu *)fri_calloc(l->ctx, sizeof *b.gpu);
    if (!b.gpu)
        return FR_NOMEM;
    b.gpu->job = &job;
    job.device = b.gpu;
    fr_status status = open(&b);
    if (!status)
        status = measure_all(&b);
    fri_gpu_release(&job);
    return status;
}
