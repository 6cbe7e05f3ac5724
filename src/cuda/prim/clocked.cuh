/* A cooperative kernel between two events, submitted as one graph of three nodes. Submitted one by
 * one, the first event is recorded while the host still prepares the launch, and the measured time
 * includes several microseconds before the kernel starts.
 *
 *   fri_clocked_open(&c, kernel, grid, block, begin, end, stream, arguments...)   once
 *   FRI_LAUNCH_CLOCKED(&c, kernel, grid, block, stream, arguments...)     with other arguments each
 *                                        time; the result is a cudaError_t
 *   fri_clocked_close(&c)                also for one that was never opened, if it is zero */
#ifndef FRI_CUDA_PRIM_CLOCKED_CUH
#define FRI_CUDA_PRIM_CLOCKED_CUH

#include "cuda/prim/dialect.cuh"

#ifdef FRI_SIMT
#define FRI_LAUNCH_CLOCKED(c, kernel, grid, block, stream, ...)                                    \
    (FRI_RECORD_LAUNCH(kernel, block, 0),                                                          \
     fri_clocked_launch(c, #kernel, grid, block, stream, kernel, __VA_ARGS__))

struct fri_clocked {
    cudaEvent_t begin, end;
};
template <class... P, class... A>
static inline cudaError_t fri_clocked_open(fri_clocked *c, void (*)(P...), unsigned, unsigned,
                                           cudaEvent_t begin, cudaEvent_t end, cudaStream_t, A...) {
    *c = {begin, end};
    return cudaSuccess;
}
template <class... P, class... A>
static inline cudaError_t fri_clocked_launch(const fri_clocked *c, const char *name, unsigned grid,
                                             unsigned block, cudaStream_t stream,
                                             void (*kernel)(P...), A... arguments) {
    cudaError_t error = cudaEventRecord(c->begin, stream);
    simt::launch_kernel(name, simt::cooperative, grid, block, 1, 0, kernel, arguments...);
    return error ? error : cudaEventRecord(c->end, stream);
}
static inline void fri_clocked_close(fri_clocked *) {}
#else
#define FRI_LAUNCH_CLOCKED(c, kernel, grid, block, stream, ...)                                    \
    (FRI_RECORD_LAUNCH(kernel, block, 0),                                                          \
     fri_clocked_launch(c, kernel, grid, block, stream, __VA_ARGS__))

struct fri_clocked {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t kernel;
};

/* Calls use(parameters), which hold the arguments as the kernel's own types. */
template <class F, class... P, class... A>
static inline cudaError_t fri_clocked_with(F use, void (*kernel)(P...), unsigned grid,
                                           unsigned block, A... arguments) {
    return [&](P... held) {
        void *list[] = {(void *)&held...};
        cudaKernelNodeParams p = {};
        p.func = (void *)kernel;
        p.gridDim = dim3(grid);
        p.blockDim = dim3(block);
        p.kernelParams = list;
        return use(&p);
    }(arguments...);
}
static inline cudaError_t fri_clocked_build(fri_clocked *c, const cudaKernelNodeParams *p,
                                            cudaEvent_t begin, cudaEvent_t end,
                                            cudaStream_t stream) {
    cudaGraphNode_t first, last;
    cudaKernelNodeAttrValue cooperative = {};
    cooperative.cooperative = 1;
    cudaError_t error = cudaGraphCreate(&c->graph, 0);
    if (!error)
        error = cudaGraphAddEventRecordNode(&first, c->graph, nullptr, 0, begin);
    if (!error)
        error = cudaGraphAddKernelNode(&c->kernel, c->graph, &first, 1, p);
    if (!error)
        error = cudaGraphKernelNodeSetAttribute(c->kernel, cudaLaunchAttributeCooperative,
                                                &cooperative);
    if (!error)
        error = cudaGraphAddEventRecordNode(&last, c->graph, &c->kernel, 1, end);
    if (!error)
        error = cudaGraphInstantiate(&c->exec, c->graph, 0);
    return error ? error : cudaGraphUpload(c->exec, stream);
}
template <class... P, class... A>
static inline cudaError_t fri_clocked_open(fri_clocked *c, void (*kernel)(P...), unsigned grid,
                                           unsigned block, cudaEvent_t begin, cudaEvent_t end,
                                           cudaStream_t stream, A... arguments) {
    return fri_clocked_with(
        [&](const cudaKernelNodeParams *p) { return fri_clocked_build(c, p, begin, end, stream); },
        kernel, grid, block, arguments...);
}
template <class... P, class... A>
static inline cudaError_t fri_clocked_launch(const fri_clocked *c, void (*kernel)(P...),
                                             unsigned grid, unsigned block, cudaStream_t stream,
                                             A... arguments) {
    cudaError_t error = fri_clocked_with(
        [&](const cudaKernelNodeParams *p) {
            return cudaGraphExecKernelNodeSetParams(c->exec, c->kernel, p);
        },
        kernel, grid, block, arguments...);
    return error ? error : cudaGraphLaunch(c->exec, stream);
}
static inline void fri_clocked_close(fri_clocked *c) {
    if (c->exec)
        cudaGraphExecDestroy(c->exec);
    if (c->graph)
        cudaGraphDestroy(c->graph);
    *c = {};
}
#endif

#endif
