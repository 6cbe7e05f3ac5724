/* A kernel gets 48 KB of shared memory by default, static arrays included. A larger limit is an
 * attribute of the kernel on a device, shared by all contexts and threads of the process. It is
 * therefore only ever set to one value, the maximum the device allows per block: threads that
 * launch the same kernel with different sizes cannot lower the limit for each other between setting
 * it and launching.
 * Occupancy depends on the bytes of a launch, not on this limit. */
#include "cuda/device/shared_limit.h"

#include <cuda_runtime_api.h>

enum { DEFAULT_LIMIT = 48 << 10 };

void fri_allow_shared_bytes(const void *kernel, size_t shared_bytes) {
    struct cudaFuncAttributes attributes;
    int device, max_bytes;
    if (!shared_bytes || cudaFuncGetAttributes(&attributes, kernel) ||
        attributes.sharedSizeBytes + shared_bytes <= DEFAULT_LIMIT || cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&max_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
        return;
    max_bytes -= (int)attributes.sharedSizeBytes;
    if (attributes.maxDynamicSharedSizeBytes != max_bytes)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, max_bytes);
}
