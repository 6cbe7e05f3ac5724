/* The peak rate of min-plus arithmetic on this GPU, to which Floyd-Warshall's is compared.
 *
 *   bench_min_plus   one JSON line each for int32 in two instructions, int32 in one (DPX), float
 *
 * The peak is the rate of a kernel that does little but c = min(c, a + b) on registers: 32
 * independent accumulators per thread hide the latency, and every multiprocessor is full of warps.
 * An add-min counts as one operation, whether it is one instruction or two. One load from shared
 * memory brings four new values of a for 32 operations; if they did not change, the compiler would
 * reuse their sums.
 */
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

enum { ROWS = 4, COLUMNS = 8, SHARED = 64, STEPS = 4096, RUNS = 9, THREADS = 256 };

#define TRY(call) need((call), #call)

static void need(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "bench_min_plus: %s: %s\n", what, cudaGetErrorString(error));
    exit(4);
}

struct two_ops { /* a multiply-add, since ptxas makes one instruction of an add and a minimum */
    typedef int32_t D;
    static __device__ D min_plus(D a, D b, D c, int one) {
        D s;
        asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(one), "r"(b));
        return s < c ? s : c;
    }
};
struct one_op {
    typedef int32_t D;
    static __device__ D min_plus(D a, D b, D c, int) { return __viaddmin_s32(a, b, c); }
};
struct floats {
    typedef float D;
    static __device__ D min_plus(D a, D b, D c, int) { return fminf(a + b, c); }
};

template <class T>
static __global__ void __launch_bounds__(THREADS) peak_kernel(int32_t *out, int one) {
    typedef typename T::D D;
    __shared__ D others[SHARED][ROWS];
    D b[COLUMNS], c[ROWS][COLUMNS], sum = 0;
    for (int i = (int)threadIdx.x; i < SHARED * ROWS; i += THREADS)
        others[i / ROWS][i % ROWS] = (D)(i * 37 % 1009);
#pragma unroll
    for (int i = 0; i < COLUMNS; i++)
        b[i] = (D)(threadIdx.x * 7 + i);
#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS; i++)
        c[i / COLUMNS][i % COLUMNS] = (D)(1 << 30);
    __syncthreads(); /* all of a is loaded */
    for (int k = 0; k < STEPS; k += SHARED) {
#pragma unroll 8
        for (int s = 0; s < SHARED; s++) {
#pragma unroll
            for (int i = 0; i < ROWS * COLUMNS; i++)
                c[i / COLUMNS][i % COLUMNS] = T::min_plus(others[s][i / COLUMNS], b[i % COLUMNS],
                                                       c[i / COLUMNS][i % COLUMNS], one);
        }
        b[0] = c[0][1]; /* the next values depend on the result */
    }
#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS; i++)
        sum += c[i / COLUMNS][i % COLUMNS];
    if (sum == (D)12345) /* never true, but the compiler cannot know */
        out[threadIdx.x] = (int32_t)sum;
}

template <class T> static void measure(const char *name, int multiprocessors, double clock_hz) {
    int blocks = 0;
    int32_t *out;
    cudaEvent_t begin, end;
    float ms[RUNS];
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, peak_kernel<T>, THREADS, 0));
    blocks *= multiprocessors * 16;
    TRY(cudaMalloc((void **)&out, THREADS * sizeof *out));
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    for (float &time : ms) {
        TRY(cudaEventRecord(begin));
        peak_kernel<T><<<(unsigned)blocks, THREADS>>>(out, 1);
        TRY(cudaEventRecord(end));
        TRY(cudaEventSynchronize(end));
        TRY(cudaGetLastError());
        TRY(cudaEventElapsedTime(&time, begin, end));
    }
    std::sort(ms, ms + RUNS);
    double ops = (double)blocks * THREADS * STEPS * ROWS * COLUMNS / (ms[RUNS / 2] / 1e3);
    printf("{\"kind\":\"min-plus-peak\",\"type\":\"%s\",\"median_ms\":%.4f,\"ops_per_s\":%.4g,"
           "\"per_clock_and_multiprocessor\":%.2f,\"clock_hz\":%.4g}\n",
           name, ms[RUNS / 2], ops, ops / clock_hz / multiprocessors, clock_hz);
    TRY(cudaFree(out));
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
}

int main() {
    int multiprocessors, khz;
    TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    TRY(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0)); /* the maximum clock */
    measure<two_ops>("int32-two-ops", multiprocessors, khz * 1e3);
    measure<one_op>("int32-fused", multiprocessors, khz * 1e3);
    measure<floats>("float", multiprocessors, khz * 1e3);
    return 0;
}
