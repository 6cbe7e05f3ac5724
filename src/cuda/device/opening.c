#include "cuda/device/opening.h"
#include "cuda/device/context.h"

#include <stdlib.h>

struct fri_opening {
    pthread_t thread;
    int device;
};

/* Errors are ignored here: fri_gpu_open gets them again and reports them. */
static void *open_device(void *arg) {
    const struct fri_opening *o = arg;
    if (!cudaSetDevice(o->device) && !cudaFree(NULL)) /* creates the driver's context */
        fri_gpu_preload();
    cudaGetLastError();
    return NULL;
}

fr_status fri_gpu_open_early(fr_ctx *ctx) {
    fr_status status = fri_gpu_context_new(ctx);
    if (status || ctx->gpu->opened || ctx->gpu->opening)
        return status;
    struct fri_opening *o = fri_calloc(ctx, sizeof *o);
    if (!o)
        return FR_NOMEM;
    o->device = ctx->device;
    if (pthread_create(&o->thread, NULL, open_device, o))
        fri_free(o); /* no thread: the first solver opens the device */
    else
        ctx->gpu->opening = o;
    return FR_OK;
}

void fri_gpu_opening_join(struct fri_opening *opening) {
    if (!opening)
        return;
    pthread_join(opening->thread, NULL);
    fri_free(opening);
}
