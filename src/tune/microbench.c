/* fr_microbench_run: selects the backend that measures. */
#include "core/microbench.h"
#ifdef FRI_CUDA
#include "cuda/microbench.h"
#endif

static fr_status on_gpu(const fri_microbench *l) {
#ifdef FRI_CUDA
    return fri_gpu_microbench(l);
#else
    return fri_fail(l->ctx, FR_NO_DEVICE, "this build of fringe has no GPU strategies");
#endif
}

fr_status fr_microbench_run(fr_ctx *ctx, fr_backend backend, fr_microbench_fn found, void *user) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fri_microbench l = {ctx, found, user};
    if (!found)
        return fri_fail(ctx, FR_INVALID,
                        "the microbenchmarks need a function that receives their results");
    fr_status status = backend == FR_BACKEND_CPU ? FR_NO_DEVICE : on_gpu(&l);
    if (status == FR_NO_DEVICE && backend != FR_BACKEND_CUDA)
        status = fri_cpu_microbench(&l);
    if (!status)
        fri_begin(ctx); /* a missing GPU, or a size that does not fit, is no failure of the call */
    return status;
}
