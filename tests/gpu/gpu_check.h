/* Counts checks and prints failures, for programs that continue after a failure. */
#ifndef FRI_GPU_CHECK_H
#define FRI_GPU_CHECK_H

#include <stdio.h>

static _Atomic int checks, failures; /* by threads, when contexts run at once */

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

/* Prints the last line, in the form that run_gpu.py adds up, and returns the exit status: 1 after a failure
 * or where nothing was checked. */
static inline int checks_end(const char *what) {
    printf("%s: %d checks, %d failed\n", what, checks, failures);
    return failures || !checks;
}

#endif
