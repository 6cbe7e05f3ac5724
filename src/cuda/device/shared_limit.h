/* Raises the shared memory limit of kernels. */
#ifndef FRI_CUDA_DEVICE_SHARED_LIMIT_H
#define FRI_CUDA_DEVICE_SHARED_LIMIT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call it before launching the kernel with this many dynamic bytes, or before querying such a
 * launch. It allows the kernel that much, if the current device has it. Any thread. A failure is
 * reported by the launch. */
void fri_allow_shared_bytes(const void *kernel, size_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
