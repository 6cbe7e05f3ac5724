/* Arrays in device memory and page-locked ones. Without a GPU all are on the host. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

#ifdef FRI_SIMT
#include "simt_runtime.h"
#elif defined RI_CUDA
#include <cuda_runtime_api.h>
#endif

#if defined FRI_SIMT || defined RI_CUDA
static void must(cudaError_t error) {
    if (error) {
        fprintf(stderr, "the test's own call of CUDA: %s\n", cudaGetErrorString(error));
        abort();
    }
}

void *ri_place_new(ri_place place, size_t bytes) {
    void *at = NULL;
    if (place == RI_HOST || !ri_have_gpu())
        return malloc(bytes);
    must(place == RI_DEVICE ? cudaMalloc(&at, bytes)
                            : cudaHostAlloc(&at, bytes, cudaHostAllocDefault));
    return at;
}

void ri_place_free(ri_place place, void *at) {
    if (place == RI_HOST || !ri_have_gpu())
        free(at);
    else
        must(place == RI_DEVICE ? cudaFree(at) : cudaFreeHost(at));
}

/* cudaMemcpy may return before the last bytes are on the device, and streams of the queries do not wait for them. */
void ri_place_copy(void *to, const void *from, size_t bytes) {
    if (ri_have_gpu()) {
        must(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
        must(cudaDeviceSynchronize());
    } else
        memcpy(to, from, bytes);
}

void *ri_stream_new(void) {
    cudaStream_t stream = NULL;
    if (ri_have_gpu())
        must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

void ri_stream_free(void *stream) {
    if (stream)
        must(cudaStreamDestroy(stream));
}
#else
void *ri_place_new(ri_place place, size_t bytes) {
    (void)place;
    return malloc(bytes);
}

void ri_place_free(ri_place place, void *at) {
    (void)place;
    free(at);
}

void ri_place_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
void *ri_stream_new(void) { return NULL; }
void ri_stream_free(void *stream) { (void)stream; }
#endif

void ri_device_seed(uint64_t seed) {
#ifdef FRI_SIMT
    simt_seed(seed);
#else
    (void)seed;
#endif
}

bool ri_kernels_are_on_host(void) {
#ifdef FRI_SIMT
    return true;
#else
    return false;
#endif
}

int ri_device_count(void) {
    static int count = -1;
    if (count >= 0)
        return count;
#ifdef FRI_SIMT
    const char *gpus = getenv("SIMT_GPUS"); /* 1 draws what a machine with one GPU draws */
    simt_set_devices(gpus ? atoi(gpus) : 3);
#endif
    fr_ctx *ctx = NULL;
    if (fr_ctx_new(NULL, &ctx) || fr_device_count(ctx, &count))
        count = 0;
    fr_ctx_free(ctx);
    return count;
}

bool ri_have_gpu(void) { return ri_device_count() > 0; }
