/* An allocator for a context that fails on request and counts what is live. */
#ifndef SUPPORT_ALLOCATOR_H
#define SUPPORT_ALLOCATOR_H

#include "fringe.h"

#include <pthread.h>

typedef struct test_allocator {
    int64_t calls, fail_at; /* the call that fails, from 1; 0: none */
    bool fails_on;          /* and all after it */
    int64_t live;           /* blocks */
    size_t bytes;           /* of them */
    pthread_t caller;       /* of test_allocator_options: another one ends the test */
} test_allocator;

/* Context options with `threads` that allocate from `a`. */
fr_ctx_options test_allocator_options(test_allocator *a, int threads);

/* Runs `run` in a new context with each allocation failing in turn: it answers FR_NOMEM with a message or does
 * without, and leaves nothing allocated. Returns how often it was refused. */
int64_t test_each_allocation(const char *name, fr_status (*run)(fr_ctx *, void *), void *arg);

#endif
