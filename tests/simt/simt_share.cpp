/* The shared memory that a launch of a kernel may request: an attribute of the kernel, as on a
 * device, which all threads of the process share. Static arrays count as none unless a test sets
 * their size: the executor learns of them only when a block runs. */
#include "simt.h"
#include "simt_memory.h"
#include "simt_runtime.h"

#include <map>

using namespace simt;

namespace {
enum { UNASKED = 48 << 10, MAX_SHARED = 227 << 10 };
struct share {
    size_t fixed = 0;
    int asked = -1; /* dynamic bytes; -1: the attribute was never set */
};
std::map<const void *, share> shares;
int lowered;

int max_of(const share &s) { return s.asked >= 0 ? s.asked : UNASKED - (int)s.fixed; }
} // namespace

namespace simt {
void check_share(const char *name, const void *kernel, size_t shared_bytes) {
    if (!simt_may_share(kernel, shared_bytes))
        fault("launch of %s with %zu bytes of shared memory, more than it may have", name,
              shared_bytes);
}
} // namespace simt

extern "C" {

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel) {
    turn mine(one_at_a_time);
    const share &s = shares[kernel];
    out->sharedSizeBytes = s.fixed;
    out->maxDynamicSharedSizeBytes = max_of(s);
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute name, int value) {
    turn mine(one_at_a_time);
    share &s = shares[kernel];
    if (name != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        (size_t)value + s.fixed > MAX_SHARED)
        return cudaErrorInvalidValue;
    lowered += value < max_of(s);
    s.asked = value;
    return cudaSuccess;
}
void simt_static_shared(const void *kernel, size_t bytes) {
    turn mine(one_at_a_time);
    shares[kernel] = {bytes, -1};
}
bool simt_may_share(const void *kernel, size_t shared_bytes) {
    turn mine(one_at_a_time);
    auto found = shares.find(kernel);
    return (int64_t)shared_bytes <=
           (int64_t)max_of(found == shares.end() ? share{} : found->second);
}
int simt_shares_lowered(void) {
    turn mine(one_at_a_time);
    return lowered;
}
}
