#include "support/allocator.h"

#include <stdlib.h>

static void *take(void *user, size_t bytes) {
    test_allocator *a = user;
    a->calls++;
    if (a->fail_at && (a->calls == a->fail_at || (a->fails_on && a->calls > a->fail_at)))
        return NULL;
    a->live++;
    return malloc(bytes);
}

static void give(void *user, void *block) {
    ((test_allocator *)user)->live -= block != NULL;
    free(block);
}

fr_ctx_options test_allocator_options(test_allocator *a, int threads) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = threads;
    options.alloc = take;
    options.free = give;
    options.alloc_user = a;
    return options;
}
