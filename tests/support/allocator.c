#include "support/allocator.h"

#include <pthread.h>
#include <stdlib.h>

/* An allocator is called from the calling thread only. */
static void check_thread(const test_allocator *a) {
    if (!pthread_equal(a->caller, pthread_self()))
        abort();
}

static void *take(void *user, size_t bytes) {
    test_allocator *a = user;
    check_thread(a);
    a->calls++;
    if (a->fail_at && (a->calls == a->fail_at || (a->fails_on && a->calls > a->fail_at)))
        return NULL;
    a->live++;
    return malloc(bytes);
}

static void give(void *user, void *block) {
    check_thread(user);
    ((test_allocator *)user)->live -= block != NULL;
    free(block);
}

fr_ctx_options test_allocator_options(test_allocator *a, int threads) {
    a->caller = pthread_self();
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = threads;
    options.alloc = take;
    options.free = give;
    options.alloc_user = a;
    return options;
}
