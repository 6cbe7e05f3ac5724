/* The micro-benchmarks of `fringe bench --suite microbench`: one operation of the device each, and its best rate:
 * measured by a loop that does nothing else, on the whole device, best of five runs. The work of each loop is
 * checked.
 *   name            bytes, width        value
 *   copy            of each of two      B/s read and written
 *   gather          of the array        random reads of 4 bytes per second
 *   probe           of the bitmap       bits tested per second, at positions streamed from memory
 *   atomic          of the array        random additions per second
 *   atomic-result   of the array        the same, each returning the old value
 *   atomic-tested   of the array        random reads that show that no atomic is needed
 *   block-barrier   width 1             ns; a block of 512 threads
 *   cluster-barrier width: its blocks   ns; of 512 threads each
 *   grid-barrier    width: its blocks   ns; of 512 threads each: one or two per multiprocessor
 *   launch          -                   ns per kernel, back to back
 *   launch-sync     -                   ns per kernel that the host waits for
 *   upload-pinned, upload-pageable      B/s to the device
 * On a CPU: copy, gather, probe, atomic, and team-barrier with width threads: the barrier of the library's own
 * teams. The command links these files, with the library's team and its dialect of kernels; the library has no
 * part in a measurement. */
#ifndef FRINGE_MICROBENCH_H
#define FRINGE_MICROBENCH_H

#include "fringe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct microbench {
    const char *name, *unit; /* unit: "B/s", "1/s" or "ns" */
    int64_t bytes;           /* 0: none */
    int32_t width;           /* 0: none */
    double value;            /* 0 where skipped */
    const char *skipped;     /* NULL, or why it could not be measured */
} microbench;

typedef struct microbench_run {
    int threads;      /* CPU */
    int device;       /* GPU */
    size_t max_bytes; /* host or GPU memory that it may take; what does not fit is skipped */
    fr_progress_fn progress;
    int (*found)(void *user,
                 const microbench *measured); /* each, valid until it returns; not 0 stops */
    void *user;
    char message[256]; /* after a failure */
} microbench_run;

/* Take some seconds, and up to 0.5 GB of host memory or 2.3 GB on the GPU, which must be there. FR_NOMEM, FR_DEVICE,
 * FR_VERIFY_FAILED; FR_CANCELLED: progress or found asked to stop. */
fr_status microbench_cpu(microbench_run *run);
fr_status microbench_gpu(microbench_run *run);

/* ---- for the two files --------------------------------------------------------------------- */

enum { MICROBENCH_RUNS = 5 }; /* the best run counts, since the result is a bound */

#ifdef __CUDACC__
#define MICROBENCH_ANYWHERE static __host__ __device__ inline
#else
#define MICROBENCH_ANYWHERE static inline
#endif

/* A pseudo-random function of `i`: an index, or the start of a thread's range. */
MICROBENCH_ANYWHERE uint32_t microbench_mix(uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

#ifdef __cplusplus
}
#endif
#endif
