/* Kernels that test the executor: right ones, and one with each seeded fault. */
#include "cuda/prim/dialect.cuh"
#include "simt/test_kernels.h"

#define FRI_RECORD_LAUNCH(kernel, block, shared_bytes) ((void)0)

static __global__ void sum_kernel(const int *in, int n, int *out) {
    FRI_SHARED(int, part, 32);
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), v = i < n ? in[i] : 0;
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(FRI_FULL_MASK, v, d);
    if (fri_lane() == 0)
        part[fri_warp()] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (unsigned w = 0; w < blockDim.x / FRI_WARP; w++)
            total += part[w];
        atomicAdd(out, total);
    }
}

static __global__ void ping_pong_kernel(int *cells, int rounds) {
    int me = (int)(blockIdx.x * blockDim.x + threadIdx.x), all = (int)(gridDim.x * blockDim.x);
    for (int r = 0; r < rounds; r++) {
        int next = cells[(me + 1) % all] + 1;
        fri_grid_sync();
        cells[me] = next;
        fri_grid_sync();
    }
}

static __global__ void pass_on_kernel(int *cells, int rounds) {
    int me = (int)(blockIdx.x * blockDim.x + threadIdx.x), all = (int)(gridDim.x * blockDim.x);
    for (int r = 0; r < rounds; r++) {
        int next = cells[(me + 1) % all] + 1;
        fri_cluster_sync();
        cells[me] = next;
        fri_cluster_sync();
    }
}

static __global__ void child_kernel(int *out) { atomicAdd(out, 1); }
static __global__ void parent_kernel(int *out) { FRI_LAUNCH_CHILD(child_kernel, 2, 32, 0, out); }

static __global__ void spin_kernel(int *flag, int *out) {
    if (threadIdx.x == 32) {
        fri_racy_store(flag, 1);
    } else if (threadIdx.x == 0) {
        while (fri_racy_load(flag) == 0)
            ;
        *out = 7;
    }
}

static __global__ void count_kernel(int *out) {
    int c = __syncthreads_count(threadIdx.x % 3 == 0);
    if (threadIdx.x == 0)
        *out = c;
}

static __global__ void vote_kernel(int *out) {
    FRI_SHARED(int, votes, 1);
    if (threadIdx.x == 0)
        *votes = 0;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        atomicAdd(votes, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = *votes;
}

static __global__ void fault_kernel(int which, int *data, int n) {
    FRI_SHARED(int, box, 64);
    int t = (int)threadIdx.x;
    switch (which) {
    case MISSING_BARRIER:
        box[t] = t;
        data[t] = box[(t + 33) % 64];
        break;
    case MISSING_ATOMIC:
        if (t == 0)
            box[0] = 0;
        __syncthreads();
        box[0] += 1;
        break;
    case DIVERGENT_SHUFFLE:
        if (t % 2)
            data[t] = __shfl_sync(FRI_FULL_MASK, t, 0);
        break;
    case MIXED_COLLECTIVES:
        data[t] = t % 2 ? __shfl_sync(FRI_FULL_MASK, t, 0) : (int)__ballot_sync(FRI_FULL_MASK, t);
        break;
    case OUT_OF_BOUNDS_WRITE: data[n + t] = 1; break;
    case BEFORE_THE_START: data[-1 - t] = 1; break;
    case SHARED_OUT_OF_BOUNDS: box[t + 1] = 1; break;
    case UNWRITTEN_SHARED_READ: data[t] = box[t]; break;
    case UNWRITTEN_GLOBAL_READ: data[0] = data[n - 1]; break;
    case DIVERGENT_BARRIER:
        if (t < 32)
            __syncthreads();
        break;
    case LATE_BARRIER:
        if (t < 32)
            return;
        __syncthreads();
        break;
    case GRID_BARRIER_IN_PLAIN_LAUNCH: fri_grid_sync(); break;
    case WRITE_AFTER_READ:
        box[t] = t;
        __syncthreads();
        data[t] = box[63 - t];
        box[t] = 2 * t;
        break;
    case FREED_MEMORY: data[t] = 1; break;
    default: break;
    }
}

int sum_on_device(const int *in, int n, int *out) {
    FRI_LAUNCH(sum_kernel, (n + 63) / 64, 64, 0, (cudaStream_t) nullptr, in, n, out);
    return 0;
}
void ping_pong(int *cells, int rounds) {
    FRI_LAUNCH_COOPERATIVE(ping_pong_kernel, 3, 32, 0, (cudaStream_t) nullptr, cells, rounds);
}
void pass_on(int *cells, int rounds) {
    FRI_LAUNCH_CLUSTER(pass_on_kernel, 3, 32, 0, (cudaStream_t) nullptr, cells, rounds);
}
void parent(int *out) { FRI_LAUNCH(parent_kernel, 2, 32, 0, (cudaStream_t) nullptr, out); }
void spin(int *flag, int *out) {
    FRI_LAUNCH(spin_kernel, 1, 64, 0, (cudaStream_t) nullptr, flag, out);
}
void count(int *out) { FRI_LAUNCH(count_kernel, 1, 64, 0, (cudaStream_t) nullptr, out); }
void vote(int *out) { FRI_LAUNCH(vote_kernel, 1, 64, 0, (cudaStream_t) nullptr, out); }
void fault(int which, int *data, int n) {
    size_t shared_bytes = which == SHARE_UNASKED ? 64 << 10 : 0;
    FRI_LAUNCH(fault_kernel, 1, 64, shared_bytes, (cudaStream_t) nullptr, which, data, n);
}
