#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

enum seeded_fault {
    MISSING_BARRIER,
    MISSING_ATOMIC,
    DIVERGENT_SHUFFLE,
    MIXED_COLLECTIVES,
    OUT_OF_BOUNDS_WRITE,
    BEFORE_THE_START,
    SHARED_OUT_OF_BOUNDS,
    UNWRITTEN_SHARED_READ,
    UNWRITTEN_GLOBAL_READ,
    DIVERGENT_BARRIER,
    LATE_BARRIER,
    GRID_BARRIER_IN_PLAIN_LAUNCH,
    WRITE_AFTER_READ,
    ATOMIC_AFTER_WRITE,
    ATOMIC_AFTER_READ,
    FREED_MEMORY,
    SHARE_UNASKED,
    PLAIN_STORE_TO_PEER,
    PEER_READ_WITHOUT_ACCESS,
    FAULT_COUNT
};

/* Kernels without a fault: `in` and `out` are device memory of IN_CELLS and 1 numbers. */
enum right_kernel { SUM, PING_PONG, PASS_ON, PARENT, SPIN, COUNT_VOTES, SHARED_ATOMICS };
enum { IN_CELLS = 1000 };
void launch(right_kernel which, int *in, int n, int *out);
void fault(int which, int *data, int n);

enum { JOINT_DEVICES = 3, JOINT_THREADS = 64, JOINT_BLOCKS = 2 };
/* Memory of one device: the words of the barrier, and the cells that each device stores to. */
struct joint_memory {
    void *words[JOINT_DEVICES];
    int *cells[JOINT_DEVICES]; /* of each device: [device][threads of a grid] */
    int *bad; /* own: cells that had another value than stored before the barrier */
};
size_t joint_bytes(void);
/* From one host thread per device. Returns a cudaError_t. */
int exchange(int devices, int me, const joint_memory *memory, int rounds, int with_fence);
int pass_joint_barriers(int devices, int me, const joint_memory *memory, int rounds, int *passed);

#endif
