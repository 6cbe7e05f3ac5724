/* Information for profilers and `--explain`: NVTX ranges, and the launched kernels with their
 * occupancy. */
#include "cuda/device/gpu.h"

#include <stdio.h>
#include <string.h>

#if defined(FRI_SIMT)
void fri_gpu_ranges_open(fri_gpu *g) { g->nvtx_domain = NULL; }
void fri_gpu_ranges_close(fri_gpu *g) { (void)g; }
void fri_gpu_range_begin(const fri_gpu *g, const char *phase, int32_t number) {
    (void)g, (void)phase, (void)number;
}
void fri_gpu_range_end(const fri_gpu *g) { (void)g; }
#else
#include <nvtx3/nvToolsExt.h> /* header-only: without a profiler no domain is created */

void fri_gpu_ranges_open(fri_gpu *g) { g->nvtx_domain = nvtxDomainCreateA("fringe"); }

void fri_gpu_ranges_close(fri_gpu *g) {
    if (g->nvtx_domain)
        nvtxDomainDestroy(g->nvtx_domain);
}

void fri_gpu_range_begin(const fri_gpu *g, const char *phase, int32_t number) {
    char text[96];
    if (!g->nvtx_domain)
        return;
    if (number < 0)
        snprintf(text, sizeof text, "%s %s", g->job->strategy->name, phase);
    else
        snprintf(text, sizeof text, "%s %s %d", g->job->strategy->name, phase, number);
    nvtxEventAttributes_t range = {.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                   .message.ascii = text};
    nvtxDomainRangePushEx(g->nvtx_domain, &range);
}

void fri_gpu_range_end(const fri_gpu *g) {
    if (g->nvtx_domain)
        nvtxDomainRangePop(g->nvtx_domain);
}
#endif

/* "(queue_kernel<O>)" -> "queue_kernel": O is the offsets' type, the same in all kernels. */
static void put_name(char *name, size_t capacity, const char *text) {
    size_t length = strlen(text);
    if (text[0] == '(' && text[length - 1] == ')') {
        text++;
        length -= 2;
    }
    if (length > 3 && strncmp(text + length - 3, "<O>", 3) == 0)
        length -= 3;
    snprintf(name, capacity, "%.*s", (int)length, text);
}

void fri_gpu_record_launch(fri_gpu *g, const char *name, const void *kernel, int block,
                           size_t shared_bytes) {
    fri_job *job = g->job;
    int i = 0;
    while (i < job->told.kernel_count &&
           (g->kernel[i] != kernel || job->told.kernels[i].block != block))
        i++;
    if (i == FRI_MAX_KERNELS)
        return;
    fr_kernel *k = &job->told.kernels[i];
    if (i == job->told.kernel_count) {
        *k = (fr_kernel){.block = block};
        put_name(k->name, sizeof k->name, name);
        g->kernel[i] = kernel;
        job->told.kernel_count++;
    }
    k->launches++;
    k->shared_bytes = FRI_MAX(k->shared_bytes, shared_bytes);
}

fr_status fri_gpu_read_occupancy(fri_gpu *g) {
    for (int i = 0; i < g->job->told.kernel_count; i++) {
        fr_kernel *k = &g->job->told.kernels[i];
        FRI_GPU_TRY(fri_gpu_check(
            g,
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&k->blocks_per_multiprocessor,
                                                          g->kernel[i], k->block, k->shared_bytes),
            "querying the occupancy"));
        k->occupancy = (double)k->blocks_per_multiprocessor * k->block / g->max_threads_per_sm;
    }
    return FR_OK;
}
