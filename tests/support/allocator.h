/* An allocator for a context that fails on request, counts what is live, and calls from other threads. */
#ifndef SUPPORT_ALLOCATOR_H
#define SUPPORT_ALLOCATOR_H

#include "fringe.h"

#include <pthread.h>

typedef struct test_allocator {
    int64_t calls, fail_at; /* the call that fails, from 1; 0: none */
    bool fails_on;          /* and all after it */
    int64_t live;           /* blocks */
    pthread_t caller;
    int64_t elsewhere; /* atomic: calls from a thread other than the caller */
} test_allocator;

/* Context options with `threads` that allocate from `a`; the calling thread is its only caller. */
fr_ctx_options test_allocator_options(test_allocator *a, int threads);

#endif
