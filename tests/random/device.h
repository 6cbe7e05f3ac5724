/* Memory of a GPU, or of the one that is played on the host (FRI_SIMT); page-locked memory. The only file of the
 * test that needs more than the public header: RI_CUDA is set where a CUDA runtime is linked. */
#ifndef RANDOM_DEVICE_H
#define RANDOM_DEVICE_H

#include "random.h"

void *ri_place_new(ri_place place, size_t bytes);
void ri_place_free(ri_place place, void *at);
void ri_place_copy(void *to, const void *from, size_t bytes); /* either may be on the device */
void *ri_stream_new(void); /* a cudaStream_t; NULL without a GPU */
void ri_stream_free(void *stream);
void ri_device_seed(uint64_t seed); /* kernels on the host: their schedule */
int ri_device_count(void);
bool ri_kernels_are_on_host(void); /* slow */

#endif
