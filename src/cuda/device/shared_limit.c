/* Kernels get 48 KB of shared memory unasked, static arrays among them. What is asked for beyond is
 * an attribute of the kernel on a device, which all contexts and threads of a process share. So it
 * is only ever set to one value, all that the device gives a block: threads that launch the same
 * kernel with different sizes cannot lower it for each other between asking and launching.
 * What a launch occupies goes by its own bytes, not by this limit. */
#include "cuda/device/shared_limit.h"

#include <cuda_runtime_api.h>

enum { UNASKED = 32 << 10 }; /* beside less than 16 KB of static arrays */

void fri_allow_shared_bytes(const void *kernel, size_t shared_bytes) {
    struct cudaFuncAttributes facts;
    int device, most;
    if (shared_bytes <= UNASKED || cudaFuncGetAttributes(&facts, kernel) ||
        cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
        return;
    most -= (int)facts.sharedSizeBytes;
    if (facts.maxDynamicSharedSizeBytes != most)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}
