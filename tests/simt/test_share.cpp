/* Threads that launch the same kernels with different sizes never lower what each other asked for:
 * fri_allow_shared_bytes against the executor's attributes of kernels. */
#include "cuda/device/shared_limit.h"
#include "simt_runtime.h"

#include <cstdio>
#include <thread>

enum { DEVICE = 227 << 10, KERNELS = 3, ROUNDS = 20000 };

static const char kernels[KERNELS] = {}; /* any addresses */
static const size_t fixed[KERNELS] = {0, 10 << 10, 26 << 10};
static int failures;

static void check(bool ok, const char *what) {
    if (ok)
        return;
    failures++;
    std::printf("FAILED: %s\n", what);
}

static void one_thread() {
    for (int k = 0; k < KERNELS; k++) {
        const void *kernel = &kernels[k];
        const size_t max_bytes = DEVICE - fixed[k];
        simt_static_shared(kernel, fixed[k]);
        fri_allow_shared_bytes(kernel, (48 << 10) - fixed[k]);
        check(!simt_may_share(kernel, (48 << 10) + 1),
              "the default is left alone where it is enough");
        fri_allow_shared_bytes(kernel, (49 << 10) - fixed[k]);
        check(simt_may_share(kernel, (49 << 10) - fixed[k]), "1 KB more than the default");
        fri_allow_shared_bytes(kernel, 47 << 10);
        check(simt_may_share(kernel, 47 << 10), "47 KB in addition to static arrays");
        check(simt_may_share(kernel, max_bytes), "all that the device has in addition to them");
        fri_allow_shared_bytes(kernel, max_bytes);
        fri_allow_shared_bytes(kernel, 40 << 10);
        check(simt_may_share(kernel, max_bytes), "a small size after a great one");
        fri_allow_shared_bytes(kernel, DEVICE + 1);
        check(simt_may_share(kernel, max_bytes), "a size that the device does not have");
        check(!simt_may_share(kernel, max_bytes + 1), "no more than the device has");
    }
}

static void ask(size_t bytes, int *refused) {
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < KERNELS; k++) {
            fri_allow_shared_bytes(&kernels[k], bytes);
            *refused += !simt_may_share(&kernels[k], bytes);
        }
}

static void two_threads() {
    int refused[2] = {};
    for (int k = 0; k < KERNELS; k++)
        simt_static_shared(&kernels[k], fixed[k]);
    std::thread small(ask, (size_t)40 << 10, &refused[0]),
        great(ask, (size_t)200 << 10, &refused[1]);
    small.join();
    great.join();
    check(refused[0] == 0 && refused[1] == 0, "what a thread asked for is there at its launch");
}

int main() {
    one_thread();
    two_threads();
    check(simt_shares_lowered() == 0, "no limit is ever lowered");
    std::printf("%s\n", failures ? "shared memory: failed" : "shared memory: passed");
    return failures ? 1 : 0;
}
