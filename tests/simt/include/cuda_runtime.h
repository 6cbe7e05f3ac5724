/* Replaces NVIDIA's header when kernels are compiled for the host: simt.h has the device
 * dialect, simt_runtime.h the runtime calls. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#ifdef __cplusplus
#include "simt.h"
#endif
#include "simt_runtime.h"
#endif
