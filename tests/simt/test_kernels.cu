/* Kernels that test the executor: right ones, and one with each seeded fault. */
#include "cuda/prim/joint.cuh"
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

namespace {
struct peers {
    fri_joint joint;
    int *cells[JOINT_DEVICES], *bad;
};
} // namespace

static __device__ void store_to_peers(const peers &p, int value) {
    const int all = (int)(gridDim.x * blockDim.x),
              me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int d = 0; d < p.joint.devices; d++)
        fri_peer_store(&p.cells[d][p.joint.me * all + me], value + p.joint.me);
}

/* The cells that the devices stored to this one; reads cells of other threads. */
static __device__ void check_cells(const peers &p, int value) {
    const int all = (int)(gridDim.x * blockDim.x),
              me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int d = 0; d < p.joint.devices; d++)
        if (fri_volatile_load(&p.cells[p.joint.me][d * all + all - 1 - me]) != value + d)
            atomicAdd(p.bad, 1);
}

/* Devices that wait for each other by a flag of their own, one block each. */
static __global__ void exchange_kernel(peers p, int rounds, int with_fence) {
    fri_joint_words *own = p.joint.words[p.joint.me];
    for (int r = 1; r <= rounds; r++) {
        store_to_peers(p, 10 * r);
        __syncthreads();
        if (threadIdx.x == 0) {
            if (with_fence)
                __threadfence_system();
            for (int d = 0; d < p.joint.devices; d++)
                fri_system_store(&p.joint.words[d]->lines[r % 2][p.joint.me][0],
                                 (unsigned long long)r);
            for (int d = 0; d < p.joint.devices; d++)
                while (fri_system_load(&own->lines[r % 2][d][0]) != (unsigned long long)r)
                    ;
            __threadfence_system();
        }
        __syncthreads();
        check_cells(p, 10 * r);
        __syncthreads();
        if (threadIdx.x == 0) { /* no device stores the next round before all have checked */
            for (int d = 0; d < p.joint.devices; d++)
                fri_system_store(&p.joint.words[d]->lines[r % 2][p.joint.me][1],
                                 (unsigned long long)r);
            for (int d = 0; d < p.joint.devices; d++)
                while (fri_system_load(&own->lines[r % 2][d][1]) != (unsigned long long)r)
                    ;
        }
        __syncthreads();
    }
}

/* The same by the joint barrier, several blocks each; also its sums, and barriers of the grid. */
static __global__ void joint_barriers_kernel(peers p, int rounds, int *passed) {
    FRI_SHARED(unsigned long long, sums, FRI_JOINT_SUMS);
    FRI_SHARED(unsigned long long, first_of, FRI_JOINT_DEVICES);
    fri_joint_state s = fri_joint_begin(p.joint);
    const unsigned long long devices = (unsigned long long)p.joint.devices;
    for (int r = 1; r <= rounds; r++) {
        store_to_peers(p, 10 * r);
        const int me = p.joint.me;
        if (!fri_joint_sync(
                p.joint, &s, [&](int i) { return 100ull * i + me; }, sums, first_of))
            return;
        check_cells(p, 10 * r);
        for (int i = 0; i < FRI_JOINT_SUMS; i++)
            if (sums[i] != 100 * devices * (unsigned)i + devices * (devices - 1) / 2)
                atomicAdd(p.bad, 1);
        for (int d = 0; d < p.joint.devices; d++)
            if (first_of[d] != (unsigned)d)
                atomicAdd(p.bad, 1);
        if (!fri_joint_grid_sync(p.joint, &s))
            return;
        if (!fri_joint_sync(
                p.joint, &s, [](int) { return 0ull; }, sums))
            return;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *passed = rounds;
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
    case ATOMIC_AFTER_WRITE:
    case ATOMIC_AFTER_READ:
        box[t] = t;
        __syncthreads();
        if (which == ATOMIC_AFTER_READ)
            data[t] = box[t];
        else
            box[t] = 2 * t;
        atomicAdd(&box[63 - t], 1);
        break;
    case FREED_MEMORY: data[t] = 1; break;
    case PLAIN_STORE_TO_PEER: data[t] = 1; break;
    case PEER_READ_WITHOUT_ACCESS: data[t] = data[t + 1]; break;
    default: break;
    }
}

void launch(right_kernel which, int *in, int n, int *out) {
    const cudaStream_t stream = nullptr;
    switch (which) {
    case SUM: FRI_LAUNCH(sum_kernel, (n + 63) / 64, 64, 0, stream, in, n, out); break;
    case PING_PONG: FRI_LAUNCH_COOPERATIVE(ping_pong_kernel, 3, 32, 0, stream, in, n); break;
    case PASS_ON: FRI_LAUNCH_CLUSTER(pass_on_kernel, 3, 32, 0, stream, in, n); break;
    case PARENT: FRI_LAUNCH(parent_kernel, 2, 32, 0, stream, out); break;
    case SPIN: FRI_LAUNCH(spin_kernel, 1, 64, 0, stream, in, out); break;
    case COUNT_VOTES: FRI_LAUNCH(count_kernel, 1, 64, 0, stream, out); break;
    case SHARED_ATOMICS: FRI_LAUNCH(vote_kernel, 1, 64, 0, stream, out); break;
    }
}
void fault(int which, int *data, int n) {
    size_t shared_bytes = which == SHARE_UNASKED ? 64 << 10 : 0;
    FRI_LAUNCH(fault_kernel, 1, 64, shared_bytes, (cudaStream_t) nullptr, which, data, n);
}

size_t joint_bytes(void) { return sizeof(fri_joint_words); }
static peers peers_of(int devices, int me, const joint_memory *memory) {
    peers p = {};
    for (int d = 0; d < devices; d++) {
        p.joint.words[d] = (fri_joint_words *)memory->words[d];
        p.cells[d] = memory->cells[d];
    }
    p.joint.devices = devices;
    p.joint.me = me;
    p.joint.max_polls = 1 << 16;
    p.joint.first = 65534; /* the tags wrap */
    p.bad = memory->bad;
    return p;
}
int exchange(int devices, int me, const joint_memory *memory, int rounds, int with_fence) {
    return FRI_LAUNCH_JOINT(devices, exchange_kernel, 1, JOINT_THREADS, 0, (cudaStream_t) nullptr,
                            peers_of(devices, me, memory), rounds, with_fence);
}
int pass_joint_barriers(int devices, int me, const joint_memory *memory, int rounds, int *passed) {
    return FRI_LAUNCH_JOINT(devices, joint_barriers_kernel, JOINT_BLOCKS, JOINT_THREADS, 0,
                            (cudaStream_t) nullptr, peers_of(devices, me, memory), rounds, passed);
}
