/* Ranks as threads of one process: a transport for tests. */
#ifndef TESTS_COMM_THREADS_H
#define TESTS_COMM_THREADS_H

#include "ranks/world/world.h"

/* The function that each rank runs, with a context and a world of its own; ctx has one thread. */
typedef void (*ranks_fn)(fr_ctx *ctx, fr_world *world, void *user);

typedef struct ranks_run {
    int size;
    double timeout_s;        /* of the calls of `fn`; 0: 60 */
    const char *odd_version; /* the version that the last rank states; NULL: the same as all */
    const fr_ctx_options *options; /* of the last rank's context; NULL: the default */
    fr_status *opened;             /* [size] of fri_world_open_with, or NULL: must be FR_OK */
    char (*refusals)[512];         /* [size] messages of the calls that failed, or NULL */
    /* Falsifies what an allgather has brought to a rank, the same on every rank. NULL: nothing. */
    void (*falsify)(void *all, const int *counts, size_t width);
} ranks_run;

/* Runs `fn` on every rank and waits for all. */
void ranks_start(const ranks_run *run, ranks_fn fn, void *user);

/* The bytes that this rank has copied from others, counted by the copies. */
int64_t ranks_bytes_copied(const fr_world *world);
int64_t ranks_cpu_ns(void); /* CPU time of this thread */
/* The CPU time of this rank in waits for the others: of the kernel's calls. */
int64_t ranks_waited_ns(const fr_world *world);

#endif
