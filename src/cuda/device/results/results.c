/* The caller's arrays: host memory, page-locked host memory, or memory of the device. */
#include "cuda/device/results/results.h"

#include "core/query/level_sums.h"

enum { DIRECT_ALIGNMENT = 16 /* bytes: the widest access of a traversal */ };

static bool is_device(const fri_gpu *g) {
    return g->job->in->query.result_memory == FR_MEMORY_DEVICE;
}

static struct cudaPointerAttributes attributes_of(const void *at) {
    struct cudaPointerAttributes a = {.type = cudaMemoryTypeUnregistered};
    if (cudaPointerGetAttributes(&a, at))
        cudaGetLastError(); /* not known to the driver: ordinary memory */
    return a;
}

static bool is_on(const fri_gpu *g, const void *at) {
    const struct cudaPointerAttributes a = attributes_of(at);
    return a.type == cudaMemoryTypeManaged ||
           (a.type == cudaMemoryTypeDevice && a.device == g->job->ctx->device);
}

/* Tests both ends: a part of an array may be registered. */
bool fri_gpu_is_on_device(const fri_gpu *g, const void *array, size_t bytes) {
    return is_on(g, array) && is_on(g, (const char *)array + bytes - 1);
}

static fr_status check_array(const fri_gpu *g, const char *name, const void *array, size_t bytes) {
    fr_ctx *ctx = g->job->ctx;
    if (!array || !bytes)
        return FR_OK;
    if (is_device(g) && !fri_gpu_is_on_device(g, array, bytes))
        return fri_fail(ctx, FR_INVALID, "result.%s is not in memory of GPU %d (result_memory)",
                        name, ctx->device);
    if (!is_device(g) && attributes_of(array).type == cudaMemoryTypeDevice)
        return fri_fail(ctx, FR_INVALID,
                        "result.%s is in GPU memory, which needs result_memory = FR_MEMORY_DEVICE",
                        name);
    return FR_OK;
}

fr_status fri_gpu_wait_for_caller(fri_gpu *g) {
    const cudaStream_t callers = (cudaStream_t)g->job->in->query.stream;
    if (!is_device(g) || cudaStreamQuery(callers) == cudaSuccess)
        return FR_OK;
    cudaGetLastError(); /* "not ready" counts as an error, too */
    if (cudaEventRecord(g->upload_event, callers)) {
        cudaGetLastError();
        return fri_fail(g->job->ctx, FR_INVALID, "stream is not a stream of GPU %d",
                        g->job->ctx->device);
    }
    return fri_gpu_check(g, cudaStreamWaitEvent(g->stream, g->upload_event, 0), "waiting");
}

static fr_status check_arrays(const fri_gpu *g) {
    const fri_job *job = g->job;
    const bool apsp = job->in->problem == FR_PROBLEM_APSP;
    const int64_t values = (apsp ? fri_job_rows(job) : 1) * g->n;
    if (job->in->problem == FR_PROBLEM_BFS)
        FRI_GPU_TRY(check_array(g, "level", job->out->level, fri_bytes(values, sizeof(int32_t))));
    else
        FRI_GPU_TRY(check_array(
            g, "dist", job->out->dist,
            fri_bytes(values, fr_type_size(job->sums ? job->sums->of.type : job->in->dist_type))));
    return check_array(g, "parent", job->out->parent, fri_bytes(values, sizeof(int32_t)));
}

fr_status fri_gpu_open_results(fri_gpu *g) {
    const fri_job *job = g->job;
    if (job->in->problem == FR_PROBLEM_APSP && is_device(g) && job->out->parent)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "parents of APSP are completed on the host (result_memory)");
    if (is_device(g))
        FRI_GPU_TRY(check_arrays(g));
    return fri_gpu_wait_for_caller(g);
}

fr_status fri_gpu_check_host_results(const fri_gpu *g) {
    return is_device(g) ? FR_OK : check_arrays(g);
}

bool fri_gpu_is_direct(const fri_gpu *g, const void *array) {
    return array && is_device(g) && (uintptr_t)array % DIRECT_ALIGNMENT == 0 &&
           attributes_of(array).type == cudaMemoryTypeDevice;
}
