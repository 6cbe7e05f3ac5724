/* Opens the device: runtime context, attributes, name. */
#include "core/gpu_interface.h"
#include "cuda/device/context.h"
#include "cuda/device/memory_plan.h"
#include "cuda/device/opening.h"

#include <stdio.h>

/* If no driver is installed, the runtime reports "CUDA driver version is insufficient". */
static const char *why_no_device(cudaError_t error) {
    int driver = 0;
    if (!error)
        return "the driver reports no devices";
    if (error == cudaErrorInsufficientDriver && !cudaDriverGetVersion(&driver) && !driver)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(error);
}

static fr_status read_attributes(fri_gpu *g) {
    struct fri_gpu_context *own = g->job->ctx->gpu;
    int major = 0, minor = 0, shared = 0;
    const struct {
        enum cudaDeviceAttr name;
        int *to;
    } attributes[] = {{cudaDevAttrMultiProcessorCount, &own->multiprocessors},
                      {cudaDevAttrComputeCapabilityMajor, &major},
                      {cudaDevAttrComputeCapabilityMinor, &minor},
                      {cudaDevAttrMaxThreadsPerMultiProcessor, &own->max_threads_per_sm},
                      {cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared}};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        FRI_GPU_TRY(fri_gpu_check(
            g, cudaDeviceGetAttribute(attributes[i].to, attributes[i].name, g->job->ctx->device),
            "reading the device's attributes"));
    own->compute_capability = major * 10 + minor;
    own->max_shared_per_block = (size_t)shared;
    own->opened = true;
    return FR_OK;
}

fr_status fri_gpu_count_devices(fr_ctx *ctx, int *count) {
    cudaError_t error = cudaGetDeviceCount(count);
    if (!error && *count > 0)
        return FR_OK;
    cudaGetLastError();
    *count = 0;
    return fri_fail(ctx, FR_NO_DEVICE, "no GPU can be used: %s", why_no_device(error));
}

static fr_status open_first(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    int devices = 0;
    fri_gpu_opening_join(ctx->gpu->opening);
    ctx->gpu->opening = NULL;
    FRI_GPU_TRY(fri_gpu_count_devices(ctx, &devices));
    if (ctx->device >= devices)
        return fri_fail(ctx, FR_NO_DEVICE, "GPU %d is requested, but the number of GPUs is %d",
                        ctx->device, devices);
    FRI_GPU_TRY(fri_gpu_select(g));
    FRI_GPU_TRY(fri_gpu_check(g, cudaFree(NULL), "opening the device")); /* creates its context */
    FRI_GPU_TRY(fri_gpu_load_kernels(g));
    return read_attributes(g);
}

static fr_status open_device(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    FRI_GPU_TRY(fri_gpu_context_new(ctx));
    FRI_GPU_TRY(ctx->gpu->opened ? /* the current device is per thread */
                    fri_gpu_select(g)
                                 : open_first(g));
    g->multiprocessors = ctx->gpu->multiprocessors;
    g->compute_capability = ctx->gpu->compute_capability;
    g->max_threads_per_sm = ctx->gpu->max_threads_per_sm;
    g->max_shared_per_block = ctx->gpu->max_shared_per_block;
    return FR_OK;
}

fr_status fri_gpu_time_init(fri_gpu *g, fr_status (*init)(fri_gpu *g)) {
    int64_t begin = fri_now_ns();
    fr_status status = init(g);
    g->job->ctx->device_init_ns += fri_now_ns() - begin;
    return status;
}

fr_status fri_gpu_open(fri_gpu *g) { return fri_gpu_time_init(g, open_device); }

fr_status fri_gpu_name(fr_ctx *ctx, char *out, size_t size) {
    fri_job job = {.ctx = ctx};
    fri_gpu g = {.job = &job};
    struct cudaDeviceProp prop;
    FRI_GPU_TRY(fri_gpu_open(&g));
    FRI_GPU_TRY(fri_gpu_check(&g, cudaGetDeviceProperties(&prop, ctx->device),
                              "reading the device's name"));
    snprintf(out, size, "%s", prop.name);
    return FR_OK;
}

bool fri_gpu_is_open(const fr_ctx *ctx) {
    return ctx->gpu && (ctx->gpu->opened || ctx->gpu->opening);
}

fr_status fri_gpu_open_now(fr_ctx *ctx) {
    fri_job job = {.ctx = ctx};
    fri_gpu g = {.job = &job};
    return fri_gpu_open(&g);
}

fr_status fri_gpu_check_steps(const fri_job *job, const char *steps, int64_t done, int64_t most) {
    if (done <= most)
        return FR_OK;
    return fri_fail(job->ctx, FR_DEVICE,
                    "GPU: strategy %s does not end: %lld %s so far, of which there can be %lld",
                    job->strategy->name, (long long)done, steps, (long long)most);
}
