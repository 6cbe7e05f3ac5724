/* Where the kernels of a GPU test program run: on the host, by the executor (FRI_SIMT), or on a GPU, where the
 * executor's functions do nothing. */
#ifndef GPU_HOST_H
#define GPU_HOST_H

#include "fringe.h"

#include <cuda_runtime_api.h>

#ifdef FRI_SIMT
#include "simt_runtime.h"
enum { ON_HOST = 1 };
/* Device memory less the copies of graphs that the context may free at any time. */
size_t simt_held_bytes(fr_ctx *ctx);
#else
enum { ON_HOST = 0 };
typedef enum simt_failure { SIMT_REFUSED, SIMT_LOST } simt_failure;
static inline void simt_seed(uint64_t seed) { (void)seed; }
static inline void simt_hold(cudaStream_t stream) { (void)stream; }
static inline void simt_set_memory(size_t bytes) { (void)bytes; }
static inline void simt_set_devices(int count) { (void)count; }
static inline void simt_set_peers(bool possible) { (void)possible; }
static inline void simt_fail_joint_launch(int device) { (void)device; }
static inline int64_t simt_fail_allocation(int64_t after) { return (void)after, -1; }
static inline bool simt_fail_launch(const char *kernel, simt_failure how) {
    return (void)kernel, (void)how, true;
}
static inline size_t simt_held_bytes(fr_ctx *ctx) { return (void)ctx, 0; }
static inline size_t simt_live_bytes(void) { return 0; }
static inline size_t simt_peak_bytes(void) { return 0; }
static inline size_t simt_pinned_bytes(void) { return 0; }
static inline size_t simt_uploaded_bytes(void) { return 0; }
#endif

/* The host takes long for every case: unless FRINGE_FULL is set, it leaves some out. */
bool host_is_brief(void);

#endif
