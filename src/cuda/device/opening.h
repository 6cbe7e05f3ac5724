/* Opening the device in a thread of its own, while the caller reads a file: creating the driver's
 * context takes a quarter of a second and needs no data. */
#ifndef FRI_CUDA_DEVICE_OPENING_H
#define FRI_CUDA_DEVICE_OPENING_H

#include "core/gpu_interface.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fri_opening;
/* Waits for the thread and frees the object; NULL: there is none. */
void fri_gpu_opening_join(struct fri_opening *opening);

#ifdef __cplusplus
}
#endif
#endif
