#include "support/allocator.h"

#include <stdlib.h>

static void see_thread(test_allocator *a) {
    if (!pthread_equal(a->caller, pthread_self()))
        __atomic_add_fetch(&a->elsewhere, 1, __ATOMIC_RELAXED);
}

static void *take(void *user, size_t bytes) {
    test_allocator *a = user;
    see_thread(a);
    a->calls++;
    if (a->fail_at && (a->calls == a->fail_at || (a->fails_on && a->calls > a->fail_at)))
        return NULL;
    a->live++;
    return malloc(bytes);
}

static void give(void *user, void *block) {
    see_thread(user);
    ((test_allocator *)user)->live -= block != NULL;
    free(block);
}

fr_ctx_options test_allocator_options(test_allocator *a, int threads) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = threads;
    options.alloc = take;
    options.free = give;
    options.alloc_user = a;
    a->caller = pthread_self();
    return options;
}
