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
    FREED_MEMORY,
    SHARE_UNASKED,
    PLANTED_COUNT
};

int sum_on_device(const int *in, int n, int *out);
void ping_pong(int *cells, int rounds);
void pass_on(int *cells, int rounds);
void parent(int *out);
void spin(int *flag, int *out);
void count(int *out);
void vote(int *out);
void fault(int which, int *data, int n);

#endif
