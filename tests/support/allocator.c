#include "support/allocator.h"

#include <pthread.h>
#include <stdlib.h>

#include "support/support.h"

enum { SIZE_BYTES = 64 }; /* before a block: its size */

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
    size_t *block = malloc(SIZE_BYTES + bytes);
    if (!block)
        return NULL;
    a->live++;
    a->bytes += *block = bytes;
    return (char *)block + SIZE_BYTES;
}

static void give(void *user, void *block) {
    test_allocator *a = user;
    check_thread(a);
    if (!block)
        return;
    size_t *first = (size_t *)(void *)((char *)block - SIZE_BYTES);
    a->live--;
    a->bytes -= *first;
    free(first);
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

int64_t test_each_allocation(const char *name, fr_status (*run)(fr_ctx *, void *), void *arg) {
    int64_t refused = 0, k = 1;
    for (bool failed = true; failed; k++) {
        test_allocator a = {.fail_at = k};
        const fr_ctx_options options = test_allocator_options(&a, 1);
        fr_ctx *ctx = test_ctx(&options);
        fr_status status = run(ctx, arg);
        failed = a.calls >= k;
        if (status && (status != FR_NOMEM || !*fr_ctx_error(ctx) || !failed))
            fail_msg("%s, allocation %lld: %s: %s", name, (long long)k, fr_status_name(status),
                     fr_ctx_error(ctx));
        fr_ctx_free(ctx);
        if (a.live)
            fail_msg("%s, allocation %lld: %lld blocks left", name, (long long)k,
                     (long long)a.live);
        refused += status == FR_NOMEM;
    }
    return refused;
}
