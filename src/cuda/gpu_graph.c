/* Opening the device and bringing the graph there: what fri_strategy.prepare does for GPU rows. */
#include "cuda/gpu.h"
#include "cuda/gpu_apsp.h"
#include "cuda/gpu_sssp.h"

#include "base/bitmap.h"

/* "CUDA driver version is insufficient" is what the runtime says of no driver at all. */
static const char *why_no_device(cudaError_t error) {
    int driver = 0;
    if (!error)
        return "the driver lists none";
    if (error == cudaErrorInsufficientDriver && !cudaDriverGetVersion(&driver) && !driver)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(error);
}

fr_status fri_gpu_open(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error || devices < 1) {
        cudaGetLastError();
        return fri_fail(ctx, FR_NO_DEVICE, "no GPU can be used: %s", why_no_device(error));
    }
    if (ctx->device >= devices)
        return fri_fail(ctx, FR_NO_DEVICE, "GPU %d was asked for; there are %d", ctx->device,
                        devices);
    struct cudaDeviceProp prop;
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(ctx->device), "choosing the device"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetDeviceProperties(&prop, ctx->device),
                              "reading the device's facts"));
    g->multiprocessors = prop.multiProcessorCount;
    g->compute_capability = prop.major * 10 + prop.minor;
    g->threads_most = prop.maxThreadsPerMultiProcessor;
    g->shared_optin = prop.sharedMemPerBlockOptin;
    return FR_OK;
}

enum { PART = 1 << 20 }; /* floats turned into doubles at a time */

static fr_status upload_doubles(fri_gpu *g, double *to, const float *from, int64_t count) {
    double *part = fri_alloc(g->job->ctx, PART * sizeof *part);
    fr_status status = part ? FR_OK : FR_NOMEM;
    for (int64_t at = 0; at < count && !status; at += PART) {
        int64_t some = FRI_MIN(count - at, (int64_t)PART);
        for (int64_t i = 0; i < some; i++)
            part[i] = (double)from[at + i];
        status = fri_gpu_upload(g, to + at, part, (size_t)some * sizeof *part);
    }
    fri_free(part);
    return status;
}

static fr_status upload_weights(fri_gpu *g, const fr_csr *csr, const void **out) {
    void *weights;
    size_t bytes = fri_bytes(csr->m, fri_gpu_weight_size(g, csr));
    if (!csr->weights)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_alloc(g, &weights, bytes));
    *out = weights;
    if (g->kind == FR_F64 && csr->weight_type == FR_F32)
        return upload_doubles(g, weights, csr->weights, csr->m);
    return fri_gpu_upload(g, weights, csr->weights, bytes);
}

static fr_status upload_csr(fri_gpu *g, const fr_csr *csr, fri_gpu_csr *out) {
    void *offsets, *targets;
    int64_t rows = (int64_t)csr->n + 1;
    FRI_GPU_TRY(fri_gpu_alloc(g, &offsets, fri_bytes(rows, g->wide ? 8 : 4)));
    FRI_GPU_TRY(fri_gpu_alloc(g, &targets, fri_bytes(csr->m, sizeof(int32_t))));
    FRI_GPU_TRY(g->wide ? fri_gpu_upload(g, offsets, csr->offsets, fri_bytes(rows, 8))
                        : fri_gpu_upload_narrow(g, offsets, csr->offsets, rows));
    FRI_GPU_TRY(fri_gpu_upload(g, targets, csr->targets, fri_bytes(csr->m, sizeof(int32_t))));
    out->offsets = offsets;
    out->targets = targets;
    return upload_weights(g, csr, &out->weights);
}

static fr_status take_vertex_arrays(fri_gpu *g) {
    size_t vertices = fri_bytes(g->n, sizeof(int32_t));
    void *p;
    bool sssp = g->job->problem == FR_SSSP;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, sssp ? fri_gpu_dist_bytes(g) : vertices));
    if (sssp)
        g->dist = p;
    else
        g->level = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, sssp ? fri_gpu_spare_bytes(g) : 0));
    g->spare = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, vertices));
    g->parent_store = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, vertices));
    g->sources = p;
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, fri_bitmap_bytes(g->n)));
    g->target_map = p;
    return FR_OK;
}

static fr_status take_arrays(fri_gpu *g) {
    void *p;
    FRI_GPU_TRY(g->job->problem == FR_APSP ? fri_gpu_apsp_take(g) : take_vertex_arrays(g));
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, FRI_GPU_WORDS_BYTES));
    g->words = p;
    g->out.counts = g->in.counts = (unsigned long long *)(void *)(g->words + FRI_GPU_WORDS);
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, g->row->scratch ? g->row->scratch(g) : 0));
    g->scratch = p;
    FRI_GPU_TRY(
        fri_gpu_check(g, cudaHostAlloc(&p, FRI_GPU_WORDS * sizeof(int32_t), cudaHostAllocDefault),
                      "pinning memory"));
    g->host_words = p;
    return FR_OK;
}

static fr_status upload(fri_gpu *g) {
    fri_job *job = g->job;
    int64_t begin = fri_now_ns();
    fri_gpu_range(g, "upload", -1);
    fr_status status = upload_csr(g, &job->csr, &g->out);
    g->in = g->out;
    if (!status && (job->row->needs & FRI_IN_EDGES) && !job->csr.symmetric)
        status = upload_csr(g, &job->in, &g->in);
    fri_gpu_range_end(g);
    job->upload_ns = fri_now_ns() - begin;
    return status;
}

fr_status fri_gpu_prepare(fri_job *job) {
    fri_gpu *g = fri_calloc(job->ctx, sizeof *g);
    if (!g)
        return FR_NOMEM;
    job->device = g;
    fri_gpu_describe(g, job);
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_reserve_check(job));
    fri_gpu_apsp_plan(g);
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking),
                              "making a stream"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->begin), "making an event"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->end), "making an event"));
    fri_gpu_ranges_open(g);
    FRI_GPU_TRY(upload(g));
    FRI_GPU_TRY(take_arrays(g));
    return fri_gpu_sssp_find_loops(g);
}

void fri_gpu_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    for (int i = 0; i < g->blocks; i++)
        cudaFree(g->block[i]);
    job->ctx->gpu_bytes -= g->held_bytes;
    cudaFreeHost(g->host_words);
    if (g->begin)
        cudaEventDestroy(g->begin);
    if (g->end)
        cudaEventDestroy(g->end);
    if (g->stream)
        cudaStreamDestroy(g->stream);
    fri_gpu_ranges_close(g);
    fri_free(g->state);
    fri_free(g);
    job->device = NULL;
}
