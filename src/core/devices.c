/* The GPUs of this machine, and opening one while the caller does something else. */
#include "base/sized.h"
#include "core/gpu_interface.h"

#ifndef FRI_CUDA
fr_status fri_gpu_count_devices(fr_ctx *ctx, int *count) {
    *count = 0;
    return fri_fail(ctx, FR_NO_DEVICE, FRI_GPU_NOT_BUILT);
}

fr_status fri_gpu_describe_device(fr_ctx *ctx, int device, fr_device_info *out) {
    int count;
    (void)device, (void)out;
    return fri_gpu_count_devices(ctx, &count);
}

fr_status fri_gpu_open_early(fr_ctx *ctx) { return fri_fail(ctx, FR_NO_DEVICE, FRI_GPU_NOT_BUILT); }
#endif

fr_status fr_ctx_open_device(fr_ctx *ctx) {
    return fri_begin(ctx) ? fri_gpu_open_early(ctx) : FR_INVALID;
}

fr_status fr_device_count(fr_ctx *ctx, int *count) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    return count ? fri_gpu_count_devices(ctx, count)
                 : fri_fail(ctx, FR_INVALID, "the number of devices needs a place");
}

fr_status fr_device_get(fr_ctx *ctx, int device, fr_device_info *out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_device_info info = {0};
    fr_status status = FRI_SIZED_CHECK(ctx, fr_device_info, out);
    if (!status)
        status = fri_gpu_describe_device(ctx, device, &info);
    if (!status)
        FRI_SIZED_WRITE(fr_device_info, &info, out);
    return status;
}
