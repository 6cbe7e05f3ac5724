/* Barriers of kernels that run on several devices of a host at the same time, one grid per device.
 *
 * The joint barrier also sums a few numbers over the devices. The last block of a device to arrive
 * stores the device's numbers, tagged with the number of the barrier, to a line in the memory of
 * every device; each block waits until the lines in its own device's memory have that tag. So
 * nothing is read across devices, and the sums come with the barrier. Two sets of lines in turn: a
 * device that writes the lines of barrier e + 2 has seen all devices arrive at e + 1, whose blocks
 * have then read the lines of e.
 *
 * Order: what a thread stores to another device before the barrier is visible there after it. The block's
 * first thread fences at system scope after a barrier of the block, then counts the block's arrival;
 * fences are cumulative.
 *
 * Every wait is bounded. A block that has polled max_polls times sets `given_up` on every device, and
 * all waits test that word. After a barrier returns false the thread must not enter another one. For
 * this reason kernels of several devices use the barrier of the grid in this file instead of
 * fri_grid_sync(), which would wait for blocks that have left. A block may still pass a barrier that
 * another block gave up; it leaves at the next one.
 *
 * For launches by FRI_LAUNCH_JOINT only: all blocks of all devices must be resident. */
#ifndef FRI_CUDA_PRIM_JOINT_CUH
#define FRI_CUDA_PRIM_JOINT_CUH

#include "cuda/prim/dialect.cuh"

/* A lane per number: FRI_JOINT_DEVICES * FRI_JOINT_SUMS lanes are a warp. */
enum { FRI_JOINT_DEVICES = 8, FRI_JOINT_SUMS = 4, FRI_JOINT_TAG_SHIFT = 48 };

/* Words of one device, in its memory. They must be zero before the first launch, and again after a
 * failure. */
struct fri_joint_words {
    /* [barrier modulo 2][device]: written by that device */
    unsigned long long lines[2][FRI_JOINT_DEVICES][FRI_JOINT_SUMS];
    uint32_t given_up; /* 1 + the device that gave up; written by any device */
    uint32_t arrivals; /* blocks of this device at the current barrier */
    uint32_t barriers; /* barriers of this device's grid passed */
};

/* Kernel parameter. */
struct fri_joint {
    fri_joint_words *words[FRI_JOINT_DEVICES]; /* of each device */
    int32_t devices, me;
    uint32_t max_polls; /* of a wait */
    uint32_t first;     /* number of the launch's first joint barrier, the same on all devices */
};

/* A thread's count of the barriers that it has passed, the same in all threads of the grid. */
struct fri_joint_state {
    uint32_t next; /* number of the next joint barrier */
    uint32_t barriers;
};

/* All threads, first. No block changes `turn` before all have arrived at a barrier. */
static __device__ __forceinline__ fri_joint_state fri_joint_begin(const fri_joint &j) {
    return {j.first, fri_volatile_load(&j.words[j.me]->barriers)};
}

/* One thread: ends every wait of every device. */
static __device__ __forceinline__ void fri_joint_give_up(const fri_joint &j) {
    for (int d = 0; d < j.devices; d++)
        fri_system_store(&j.words[d]->given_up, (uint32_t)j.me + 1);
}

/* One thread per block, after a barrier of the block: counts its arrival. True for the last block,
 * which must release the others. */
static __device__ __forceinline__ bool fri_joint_is_last(fri_joint_words *own) {
    const bool last = atomicAdd(&own->arrivals, 1) == gridDim.x - 1;
    if (last)
        fri_volatile_store(&own->arrivals, 0u);
    return last;
}

/* All threads of the own device's grid. False: a device has given up. */
static __device__ __forceinline__ bool fri_joint_grid_sync(const fri_joint &j, fri_joint_state *s) {
    FRI_SHARED(int32_t, passed, 1);
    const uint32_t barriers = ++s->barriers;
    __syncthreads(); /* all threads of the block have written, and read `passed` */
    if (threadIdx.x == 0) {
        fri_joint_words *own = j.words[j.me];
        bool given_up = false;
        __threadfence(); /* the block's writes are visible before its arrival is */
        if (fri_joint_is_last(own)) {
            __threadfence(); /* so are all blocks' writes, and the reset of the count */
            fri_volatile_store(&own->barriers, barriers);
        }
        for (uint32_t polls = 0; fri_racy_load(&own->barriers) != barriers && !given_up; polls++) {
            /* racy: waits for the last block; now and then for a device that gives up */
            given_up = polls % 64 == 63 && fri_system_load(&own->given_up);
            if (polls > j.max_polls)
                fri_joint_give_up(j);
        }
        __threadfence(); /* reads after the barrier see the writes before it */
        *passed = !given_up;
    }
    __syncthreads(); /* the answer is written */
    return *passed;
}

/* Lane i of the warp: the lines in the own device's memory, once they have the tag of `number`. True
 * unless a device gives up. */
static __device__ __forceinline__ bool fri_joint_wait(const fri_joint &j, uint32_t number,
                                                      unsigned long long *value) {
    const int device = fri_lane() / FRI_JOINT_SUMS;
    fri_joint_words *own = j.words[j.me];
    const unsigned long long *at = &own->lines[number % 2][device][fri_lane() % FRI_JOINT_SUMS];
    const bool needed = device < j.devices;
    unsigned long long word = 0;
    for (uint32_t polls = 0;; polls++) {
        word = needed ? fri_system_load(at) : 0;
        const bool there = !needed || word >> FRI_JOINT_TAG_SHIFT == (number & 0xffff);
        if (__all_sync(FRI_FULL_MASK, there))
            break;
        if (polls > j.max_polls && fri_lane() == 0)
            fri_joint_give_up(j);
        const bool given_up = polls % 64 == 63 && fri_system_load(&own->given_up);
        if (__any_sync(FRI_FULL_MASK, given_up))
            return false;
    }
    *value = word & ((1ull << FRI_JOINT_TAG_SHIFT) - 1);
    return true;
}

/* All threads of all grids. `own(i)`, called by lanes of one warp per device once all of its blocks
 * have arrived, is the device's i-th number, below 2^48, in the lane that stores it to device lane /
 * FRI_JOINT_SUMS. What own() stores to that device before a fence of its own is visible there after the
 * barrier. sums[FRI_JOINT_SUMS], in the block's shared memory, gets the sums over the devices, and
 * first_of[FRI_JOINT_DEVICES], unless it is NULL, each device's first number. False: a device has given
 * up. */
template <class F>
static __device__ __forceinline__ bool fri_joint_sync(const fri_joint &j, fri_joint_state *s, F own,
                                                      unsigned long long *sums,
                                                      unsigned long long *first_of = nullptr) {
    FRI_SHARED(int32_t, passed, 1);
    const uint32_t number = s->next++;
    __syncthreads(); /* all threads of the block have written, and read the sums before */
    if (fri_warp() == 0) {
        bool last = false;
        unsigned long long value = 0;
        if (fri_lane() == 0) {
            __threadfence_system(); /* the block's writes, also to peers, precede its arrival */
            last = fri_joint_is_last(j.words[j.me]);
            if (last)
                __threadfence_system(); /* so do all blocks' writes */
        }
        if (__shfl_sync(FRI_FULL_MASK, last, 0)) {
            __syncwarp(); /* the other lanes' stores follow the fence */
            const int i = fri_lane() % FRI_JOINT_SUMS, to = fri_lane() / FRI_JOINT_SUMS;
            if (to < j.devices)
                fri_system_store(&j.words[to]->lines[number % 2][j.me][i],
                                 (unsigned long long)(number & 0xffff) << FRI_JOINT_TAG_SHIFT |
                                     own(i));
        }
        const bool all_there = fri_joint_wait(j, number, &value);
        __threadfence_system(); /* reads after the barrier see what peers stored before it */
        if (first_of && fri_lane() % FRI_JOINT_SUMS == 0)
            first_of[fri_lane() / FRI_JOINT_SUMS] = value;
        for (int d = FRI_JOINT_SUMS; d < FRI_WARP; d *= 2)
            value += __shfl_xor_sync(FRI_FULL_MASK, value, d);
        if (fri_lane() < FRI_JOINT_SUMS)
            sums[fri_lane()] = value;
        if (fri_lane() == 0)
            *passed = all_there;
    }
    __syncthreads(); /* the sums are written */
    return *passed;
}

#endif
