/* Counts checks and prints failures, for programs that continue after a failure. */
#ifndef FRI_TESTS_GPU_CHECKS_H
#define FRI_TESTS_GPU_CHECKS_H

#include "fringe.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

extern _Atomic int checks, failures; /* by threads, when contexts run at once */

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(condition)) {                                                                        \
            failures++;                                                                            \
            printf("FAILED %s:%d: %s: ", __FILE__, __LINE__, #condition);                          \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
        }                                                                                          \
    } while (0)

/* The call returns FR_OK. */
#define CHECK_OK(ctx, call) CHECK(!(call), "%s", fr_ctx_error(ctx))
/* The call returns that status, and its message has these words. */
#define CHECK_REFUSED(ctx, call, want, words) check_refused(ctx, call, want, words, __LINE__)

void check_refused(fr_ctx *ctx, fr_status status, fr_status want, const char *words, int line);
/* Prints the last line, in the form that run_gpu.py adds up, and returns the exit status: 1 after a failure
 * or where nothing was checked. */
int checks_end(const char *what);
/* A call of CUDA by the test itself. */
void must(cudaError_t error, const char *what);

#endif
