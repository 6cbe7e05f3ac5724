/* fr_ctx_open_device: opens the GPU while the caller does something else. */
#include "core/gpu_interface.h"

fr_status fr_ctx_open_device(fr_ctx *ctx) {
    if (!fri_begin(ctx))
        return FR_INVALID;
#ifdef FRI_CUDA
    return fri_gpu_open_early(ctx);
#else
    return fri_fail(ctx, FR_NO_DEVICE, "this build has no CUDA strategies");
#endif
}
