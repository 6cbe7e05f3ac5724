/* Stands in for NVIDIA's header when kernels are compiled for the host: the device dialect comes
 * from simt.h, the runtime calls from simt_runtime.h. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#ifdef __cplusplus
#include "simt.h"
#endif
#include "simt_runtime.h"
#endif
