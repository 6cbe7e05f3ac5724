/* Describes a GPU to the caller. */
#include "core/gpu_interface.h"
#include "cuda/device/gpu.h"

#include <stdio.h>

static fr_status read_properties(fri_gpu *g, int device, fr_device_info *out) {
    struct cudaDeviceProp prop;
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(device), "selecting the device"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetDeviceProperties(&prop, device),
                              "reading the device's properties"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemGetInfo(&out->free_bytes, &out->total_bytes),
                              "querying free memory"));
    snprintf(out->name, sizeof out->name, "%.127s", prop.name);
    out->compute_capability = prop.major * 10 + prop.minor;
    out->multiprocessors = prop.multiProcessorCount;
    return FR_OK;
}

fr_status fri_gpu_describe_device(fr_ctx *ctx, int device, fr_device_info *out) {
    fri_job job = {.ctx = ctx};
    fri_gpu g = {.job = &job};
    int count, current = 0;
    FRI_GPU_TRY(fri_gpu_count_devices(ctx, &count));
    if (device < 0 || device >= count)
        return fri_fail(ctx, FR_NO_DEVICE, "there is no GPU %d: GPUs are 0 to %d", device,
                        count - 1);
    FRI_GPU_TRY(fri_gpu_check(&g, cudaGetDevice(&current), "reading the current device"));
    fr_status status = read_properties(&g, device, out);
    cudaSetDevice(current); /* the caller's */
    return status;
}
