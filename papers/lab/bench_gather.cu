/* Gathers the marked elements of an array by atomics and by a prefix sum: XBFS's Fig. 5.
 *
 *   bench_gather [PERMILLE]   one JSON line per size, 1 to 512 million; PERMILLE marked (100)
 *
 * Source: A. Gaihre, Z. Wu, F. Yao, H. Liu: XBFS, HPDC 2019, section 4.1. Both methods scan the array
 *   with consecutive threads on consecutive elements. With atomics each marked element gets its
 *   queue index by an atomic on the tail (nvcc aggregates the atomics of a warp). With the prefix sum a
 *   first scan counts the elements of each thread, sums over blocks and then over all blocks give
 *   the offset of each thread, and a second scan writes. The two queues are compared by size and
 *   sum.
 */
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

enum { BLOCK = 256, BLOCKS = 2048, RUNS = 9 }; /* BLOCKS: at most 2 x 1,024, two a thread in scan */

#define TRY(call) need((call), #call)

static void need(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "bench_gather: %s: %s\n", what, cudaGetErrorString(error));
    exit(4);
}

typedef struct {
    int32_t *status, *queue, *offset, *total; /* [n], [n], [threads], [BLOCKS] */
    int32_t *tail;
    int32_t n;
} arrays;

static __global__ void mark_kernel(arrays a, uint32_t permille) {
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < a.n;
         i += (int64_t)gridDim.x * blockDim.x) {
        uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        a.status[i] = (x ^ x >> 27) % 1000 < permille ? 1 : -1;
    }
}

static __global__ void atomic_kernel(arrays a) {
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < a.n;
         i += (int64_t)gridDim.x * blockDim.x)
        if (a.status[i] == 1)
            a.queue[atomicAdd(a.tail, 1)] = (int32_t)i; /* its index in the queue */
}

/* Exclusive sum over the block of one value per thread; *all gets the total. */
static __device__ int32_t block_sum(int32_t mine, int32_t *shared, int32_t *all) {
    int t = (int)threadIdx.x, size = (int)blockDim.x;
    shared[t] = mine;
    for (int step = 1; step < size; step *= 2) {
        __syncthreads(); /* the sums of the last step are written */
        int32_t left = t >= step ? shared[t - step] : 0;
        __syncthreads(); /* and read, before this step writes them */
        shared[t] += left;
    }
    __syncthreads(); /* the last thread's sum is the sum of all */
    *all = shared[size - 1];
    return shared[t] - mine;
}

static __global__ void count_kernel(arrays a) {
    __shared__ int32_t shared[BLOCK];
    int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    int32_t mine = 0, all;
    for (int64_t i = t; i < a.n; i += (int64_t)gridDim.x * blockDim.x)
        mine += a.status[i] == 1;
    a.offset[t] = block_sum(mine, shared, &all);
    if (threadIdx.x == 0)
        a.total[blockIdx.x] = all;
}

static __global__ void total_kernel(arrays a) {
    __shared__ int32_t shared[BLOCKS / 2];
    int t = 2 * (int)threadIdx.x;
    int32_t one = a.total[t], two = a.total[t + 1], all;
    int32_t before = block_sum(one + two, shared, &all);
    a.total[t] = before;
    a.total[t + 1] = before + one;
    if (threadIdx.x == 0)
        *a.tail = all;
}

static __global__ void place_kernel(arrays a) {
    int64_t t = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    int32_t at = a.total[blockIdx.x] + a.offset[t];
    for (int64_t i = t; i < a.n; i += (int64_t)gridDim.x * blockDim.x)
        if (a.status[i] == 1)
            a.queue[at++] = (int32_t)i;
}

static __global__ void sum_kernel(arrays a, unsigned long long *sum) {
    unsigned long long mine = 0;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < *a.tail;
         i += (int64_t)gridDim.x * blockDim.x)
        mine += (unsigned long long)a.queue[i];
    atomicAdd(sum, mine); /* of all threads */
}

static void by_atomics(arrays a) { atomic_kernel<<<BLOCKS, BLOCK>>>(a); }

static void by_prefix_sum(arrays a) {
    count_kernel<<<BLOCKS, BLOCK>>>(a);
    total_kernel<<<1, BLOCKS / 2>>>(a);
    place_kernel<<<BLOCKS, BLOCK>>>(a);
}

typedef struct {
    float ms; /* median */
    int32_t count;
    unsigned long long sum;
} outcome;

static outcome measure(arrays a, void (*gather)(arrays)) {
    cudaEvent_t begin, end;
    unsigned long long *sum;
    float ms[RUNS];
    outcome out = {};
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    TRY(cudaMalloc((void **)&sum, sizeof *sum));
    for (float &time : ms) {
        TRY(cudaMemset(a.tail, 0, sizeof *a.tail));
        TRY(cudaEventRecord(begin));
        gather(a);
        TRY(cudaEventRecord(end));
        TRY(cudaEventSynchronize(end));
        TRY(cudaGetLastError());
        TRY(cudaEventElapsedTime(&time, begin, end));
    }
    std::sort(ms, ms + RUNS);
    out.ms = ms[RUNS / 2];
    TRY(cudaMemset(sum, 0, sizeof *sum));
    sum_kernel<<<BLOCKS, BLOCK>>>(a, sum);
    TRY(cudaMemcpy(&out.sum, sum, sizeof *sum, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(&out.count, a.tail, sizeof *a.tail, cudaMemcpyDeviceToHost));
    TRY(cudaFree(sum));
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    return out;
}

static bool one_size(arrays a, uint32_t permille) {
    mark_kernel<<<BLOCKS, BLOCK>>>(a, permille);
    outcome atomics = measure(a, by_atomics), prefix = measure(a, by_prefix_sum);
    bool same = atomics.count == prefix.count && atomics.sum == prefix.sum;
    printf("{\"kind\":\"gather\",\"elements\":%d,\"permille\":%u,\"found\":%d,\"atomic_ms\":%.6f,"
           "\"prefix_ms\":%.6f,\"verification\":\"%s\"}\n",
           a.n, permille, atomics.count, atomics.ms, prefix.ms, same ? "right" : "wrong");
    fflush(stdout);
    return same;
}

int main(int argc, char **argv) {
    uint32_t permille = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    size_t available, whole, max_values = (size_t)512 << 20;
    arrays a = {};
    bool right = true;
    TRY(cudaMemGetInfo(&available, &whole));
    while (max_values > ((size_t)1 << 20) &&
           9 * max_values > available) /* two arrays of 4 bytes, and a margin */
        max_values /= 2;
    TRY(cudaMalloc((void **)&a.status, max_values * sizeof *a.status));
    TRY(cudaMalloc((void **)&a.queue, max_values * sizeof *a.queue));
    TRY(cudaMalloc((void **)&a.offset, sizeof *a.offset * BLOCKS * BLOCK));
    TRY(cudaMalloc((void **)&a.total, sizeof *a.total * BLOCKS));
    TRY(cudaMalloc((void **)&a.tail, sizeof *a.tail));
    for (size_t n = (size_t)1 << 20; n <= max_values; n *= 2) {
        a.n = (int32_t)n;
        right &= one_size(a, permille);
    }
    return right ? 0 : 1;
}
