/* Ways of a traversal's levels to a caller's array, from one byte per value on: how much of the
 * time of a call the parts of a download are, and what a kernel that writes to host
 * memory would save.
 *
 *   bench_download [THREADS]
 *
 * Medians of 31, in us, for 0.33, 2.1, 4.8 and 16.8 million values:
 *
 *   narrow   the kernel that makes one byte of four, and a wait
 *   dma      the same, and one copy into page-locked memory
 *   direct   the kernel writes page-locked memory itself, and a wait
 *   staged   narrow, an event, then threads copy pieces through page-locked buffers and expand them
 *   flagged  the kernel of `direct` sets a flag after each piece; threads wait for the flags and
 *            expand, without calls of the runtime
 *
 *   own      as flagged, but each flag has a cache line of its own, and piece i belongs to thread i modulo
 *            their number, whose cache has that part of the array from the call before
 *
 *   stream   as own, but threads write around their caches (x86-64): a store of a line that is in no cache
 *            reads it first
 *
 * The library does `own` for a query (src/cuda/device/staging.c) and `staged` for a batch. Two more
 * tables have `flagged` and `own` for sizes of a piece and numbers of blocks, each of which writes one
 * piece after another: with few blocks pieces are complete earlier, with too few the bus is idle.
 */
#include <algorithm>
#include <climits>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <omp.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cuda_runtime.h>

static const int REPEATS = 31, BLOCK = 512, PIECE = 1 << 16; /* values */
static const int SMALLEST = 1 << 11;                         /* piece of the other tables */
static const int LINE = 64 / sizeof(int);                    /* flags of a cache line */

static void must(cudaError_t error) {
    if (error) {
        fprintf(stderr, "bench_download: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* A block narrows pieces. flags, if not NULL: piece i is complete once flags[i * stride] is `round`. */
static __global__ void narrow(const int4 *from, char4 *to, int64_t quads, int piece_quads,
                              int *flags, int stride, int round) {
    for (int64_t piece = blockIdx.x; piece * piece_quads < quads; piece += gridDim.x) {
        const int64_t end = min((piece + 1) * piece_quads, quads);
        for (int64_t i = piece * piece_quads + threadIdx.x; i < end; i += BLOCK) {
            const int4 v = from[i];
            to[i] =
                make_char4((signed char)v.x, (signed char)v.y, (signed char)v.z, (signed char)v.w);
        }
        if (!flags)
            continue;
        __syncthreads(); /* the block's values are written before the fence, and the flag after */
        if (threadIdx.x == 0) {
            __threadfence_system();
            ((volatile int *)flags)[piece * stride] = round;
        }
    }
}

static void expand(int32_t *to, const int8_t *from, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i];
}

/* Around the caches; from 16 values on, `to` at a multiple of 16 bytes. */
static void expand_streaming(int32_t *to, const int8_t *from, int64_t count) {
#if defined(__x86_64__)
    int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(from + i)),
                      half[] = {_mm_unpacklo_epi8(v, v), _mm_unpackhi_epi8(v, v)};
        for (int k = 0; k < 4; k++) {
            const __m128i twice = k % 2 ? _mm_unpackhi_epi16(half[k / 2], half[k / 2])
                                        : _mm_unpacklo_epi16(half[k / 2], half[k / 2]);
            _mm_stream_si128((__m128i *)(to + i) + k, _mm_srai_epi32(twice, 24));
        }
    }
    expand(to + i, from + i, count - i);
    _mm_sfence(); /* before another thread may read */
#else
    expand(to, from, count);
#endif
}

struct bench {
    int threads, piece, blocks; /* blocks: at most */
    int64_t n;
    int32_t *level;  /* [n] on the device */
    int8_t *bytes;   /* [n] on the device */
    int8_t *pinned;  /* [n] */
    int *flags;      /* [pieces * LINE], page-locked */
    int stride;      /* of the flags */
    int8_t *buffers; /* [threads][2][piece], page-locked */
    int32_t *out;    /* [n], the caller's */
    cudaStream_t stream;
    std::vector<cudaStream_t> streams;
    cudaEvent_t narrowed;
    int round;
    void (*expands)(int32_t *to, const int8_t *from, int64_t count);
    int pieces() const { return (int)((n + piece - 1) / piece); }
    int64_t length(int64_t at) const { return std::min<int64_t>(piece, n - at); }
};

static void launch(bench &b, int8_t *to, int *flags) {
    narrow<<<std::min(b.pieces(), b.blocks), BLOCK, 0, b.stream>>>(
        (const int4 *)b.level, (char4 *)to, b.n / 4, b.piece / 4, flags, b.stride, b.round);
    must(cudaGetLastError());
}

static void only_narrow(bench &b) {
    launch(b, b.bytes, nullptr);
    must(cudaStreamSynchronize(b.stream));
}

static void dma(bench &b) {
    launch(b, b.bytes, nullptr);
    must(cudaMemcpyAsync(b.pinned, b.bytes, (size_t)b.n, cudaMemcpyDeviceToHost, b.stream));
    must(cudaStreamSynchronize(b.stream));
}

static void direct(bench &b) {
    launch(b, b.pinned, nullptr);
    must(cudaStreamSynchronize(b.stream));
}

static void staged(bench &b) {
    launch(b, b.bytes, nullptr);
    must(cudaEventRecord(b.narrowed, b.stream));
    const int pieces = b.pieces();
#pragma omp parallel num_threads(b.threads)
    {
        const int me = omp_get_thread_num();
        cudaStream_t stream = b.streams[(size_t)me];
        int8_t *buffer = b.buffers + (int64_t)me * 2 * b.piece;
        must(cudaStreamWaitEvent(stream, b.narrowed, 0));
#pragma omp for schedule(monotonic : dynamic, 1)
        for (int i = 0; i < pieces; i++) {
            const int64_t at = (int64_t)i * b.piece;
            must(cudaMemcpyAsync(buffer, b.bytes + at, (size_t)b.length(at), cudaMemcpyDeviceToHost,
                                 stream));
            must(cudaStreamSynchronize(stream));
            expand(b.out + at, buffer, b.length(at));
        }
    }
}

static void wait_and_expand(bench &b, int i) {
    const int64_t at = (int64_t)i * b.piece;
    while (__atomic_load_n(&b.flags[i * b.stride], __ATOMIC_ACQUIRE) != b.round)
        ;
    b.expands(b.out + at, b.pinned + at, b.length(at));
}

static void flagged(bench &b) {
    b.expands = expand;
    b.stride = 1;
    b.round++;
    launch(b, b.pinned, b.flags);
    const int pieces = b.pieces();
#pragma omp parallel for num_threads(b.threads) schedule(monotonic : dynamic, 1)
    for (int i = 0; i < pieces; i++)
        wait_and_expand(b, i);
}

static void by_owners(bench &b, void (*expands)(int32_t *, const int8_t *, int64_t)) {
    b.expands = expands;
    b.stride = LINE;
    b.round++;
    launch(b, b.pinned, b.flags);
    const int pieces = b.pieces();
#pragma omp parallel for num_threads(b.threads) schedule(static, 1)
    for (int i = 0; i < pieces; i++)
        wait_and_expand(b, i);
}

static void own(bench &b) { by_owners(b, expand); }
static void stream(bench &b) { by_owners(b, expand_streaming); }

static double microseconds(bench &b, void (*way)(bench &)) {
    std::vector<double> us;
    for (int i = 0; i < REPEATS + 3; i++) {
        const auto begin = std::chrono::steady_clock::now();
        way(b);
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        if (i >= 3)
            us.push_back(took.count());
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
}

/* The array must hold what the device has, which differs from what it held. */
static void check(bench &b, void (*way)(bench &)) {
    memset(b.out, 0x55, (size_t)b.n * sizeof *b.out);
    way(b);
    for (int64_t i = 0; i < b.n; i++)
        if (b.out[i] != (int32_t)(i % 100)) {
            fprintf(stderr, "bench_download: value %lld is %d\n", (long long)i, b.out[i]);
            exit(1);
        }
}

static void sweep(bench &b, const char *name, void (*way)(bench &)) {
    printf("%10s, piece \\ blocks", name);
    const int blocks[] = {16, 32, 64, 128, 1 << 20};
    for (int max_blocks : blocks)
        printf(" %8d", max_blocks);
    for (b.piece = SMALLEST; b.piece <= PIECE; b.piece *= 2) {
        printf("\n%26d", b.piece);
        for (int max_blocks : blocks) {
            b.blocks = max_blocks;
            check(b, way);
            printf(" %8.1f", microseconds(b, way));
        }
    }
    printf("\n");
}

static void measure(int threads, int64_t n) {
    bench b = {};
    std::vector<int32_t> values((size_t)n);
    for (int64_t i = 0; i < n; i++)
        values[(size_t)i] = (int32_t)(i % 100);
    b.threads = threads;
    b.piece = PIECE;
    b.blocks = INT_MAX;
    b.n = n;
    must(cudaMalloc(&b.level, (size_t)n * sizeof *b.level));
    must(cudaMalloc(&b.bytes, (size_t)n));
    must(cudaMallocHost(&b.pinned, (size_t)n));
    const size_t flags = (size_t)(n / SMALLEST + 1) * LINE * sizeof *b.flags;
    must(cudaMallocHost(&b.flags, flags));
    must(cudaMallocHost(&b.buffers, (size_t)threads * 2 * PIECE));
    memset(b.flags, 0, flags);
    must(cudaMemcpy(b.level, values.data(), (size_t)n * sizeof *b.level, cudaMemcpyHostToDevice));
    must(cudaStreamCreateWithFlags(&b.stream, cudaStreamNonBlocking));
    must(cudaEventCreateWithFlags(&b.narrowed, cudaEventDisableTiming));
    b.streams.resize((size_t)threads);
    for (cudaStream_t &stream : b.streams)
        must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    b.out = values.data();
    check(b, staged);
    check(b, flagged);
    check(b, own);
    check(b, stream);
    printf("%10lld", (long long)n);
    for (auto way : {only_narrow, dma, direct, staged, flagged, own, stream})
        printf(" %8.1f", microseconds(b, way));
    printf("\n");
    sweep(b, "flagged", flagged);
    sweep(b, "own", own);
    must(cudaDeviceSynchronize());
    cudaFree(b.level);
    cudaFree(b.bytes);
    cudaFreeHost(b.pinned);
    cudaFreeHost(b.flags);
    cudaFreeHost(b.buffers);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 16;
    if (threads < 1 || threads > 1024) {
        printf("usage: bench_download [THREADS]\n");
        return 2;
    }
    printf("%10s %8s %8s %8s %8s %8s %8s %8s   us, %d threads\n", "values", "narrow", "dma",
           "direct", "staged", "flagged", "own", "stream", threads);
    for (int64_t n : {INT64_C(325556), INT64_C(2097152), INT64_C(4847572), INT64_C(16777216)})
        measure(threads, n);
}
