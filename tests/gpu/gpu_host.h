/* Where the kernels of a GPU test program run: on the host, by the SIMT executor (FRI_SIMT), or on a
 * GPU, where the executor's functions do nothing. */
#ifndef GPU_HOST_H
#define GPU_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef FRI_SIMT
#include "cuda/graph/resident.h"
#include "simt_runtime.h"
enum { ON_HOST = 1 };
/* Device memory less the copies of graphs that the context may free at any time. */
static inline size_t simt_held_bytes(fr_ctx *ctx) {
    return simt_live_bytes() - (ctx->gpu ? fri_resident_evictable(ctx) : 0);
}
#else
enum { ON_HOST = 0 };
static inline void simt_seed(uint64_t seed) { (void)seed; }
static inline size_t simt_live_bytes(void) { return 0; }
#define simt_held_bytes(ctx) ((void)(ctx), (size_t)0)
static inline size_t simt_peak_bytes(void) { return 0; }
static inline size_t simt_pinned_bytes(void) { return 0; }
static inline size_t simt_uploaded_bytes(void) { return 0; }
#endif

/* The host takes long for every case: unless FRINGE_FULL is set, it leaves some out. */
static inline bool host_is_brief(void) { return ON_HOST && !getenv("FRINGE_FULL"); }

/* Programs for several GPUs: on the host two GPUs get every shape, three the odd ones, and four each fourth one. */
static inline bool host_skips_shape(int devices, int nth_shape) {
    return host_is_brief() &&
           ((devices == 3 && nth_shape % 2 == 0) || (devices == 4 && nth_shape % 4 != 0));
}
/* Their longer parts: on the host each on two, three or four GPUs. */
static inline bool host_skips_part(int devices, int nth_part) {
    return host_is_brief() && devices != 2 + nth_part % 3;
}

#endif
