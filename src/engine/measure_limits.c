/* fr_limits_measure: which part measures. */
#include "run/limits.h"
#ifdef FRI_CUDA
#include "cuda/microbench.h"
#endif

static fr_status on_gpu(const fri_limits *l) {
#ifdef FRI_CUDA
    return fri_gpu_limits(l);
#else
    return fri_fail(l->ctx, FR_NO_DEVICE, "this build of fringe has no GPU strategies");
#endif
}

fr_status fr_limits_measure(fr_ctx *ctx, fr_backend backend, fr_limit_fn found, void *user) {
    fri_begin(ctx);
    fri_limits l = {ctx, found, user};
    if (!found)
        return fri_fail(ctx, FR_INVALID,
                        "measuring limits needs a function that takes each of them");
    fr_status status = backend == FR_CPU ? FR_NO_DEVICE : on_gpu(&l);
    if (status == FR_NO_DEVICE && backend != FR_CUDA)
        status = fri_cpu_limits(&l);
    return status;
}
