/* How much shared memory a launch may ask for. */
#ifndef FRI_CUDA_DEVICE_SHARED_LIMIT_H
#define FRI_CUDA_DEVICE_SHARED_LIMIT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before a launch of the kernel with so many dynamic bytes, or a question about such a launch: the
 * kernel may have them, if the current device has them at all. Any thread. A failure is left to
 * the launch. */
void fri_allow_shared_bytes(const void *kernel, size_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
