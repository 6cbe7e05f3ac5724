/* Kernels that stay on the GPU for many levels of BFS or rounds of SSSP. In this file and in
 * drivers/persistent.h "level" means either: the loop over levels, the phases of their counters,
 * the trace. Host side: drivers/persistent.h.
 *
 * A grid that runs a whole traversal replaces one launch and one transfer to the host per level by
 * one barrier (BLEST; UIUC-BFS: Luo, Wong, Hwu, DAC 2010). All blocks read the same counters after
 * the same barrier and so make the same decision; they exchange nothing else. */
#ifndef FRI_CUDA_PRIM_PERSISTENT_CUH
#define FRI_CUDA_PRIM_PERSISTENT_CUH

#include "cuda/drivers/persistent.h"
#include "cuda/prim/device.cuh"

/* Threads of the largest block, and blocks per multiprocessor: 64 registers per thread. */
static const int FRI_GRID_THREADS = 512, FRI_GRID_BLOCKS_PER_SM = 2;

/* The counters of a level are triple-buffered: one set, or phase, is read, the next is written, the
 * third, the spare one, is cleared. So one barrier per level suffices. Both functions take the
 * phase that is read, or any number that is equal to it modulo FRI_PHASES, such as the number of
 * the round in SSSP, and return a phase. */
enum { FRI_PHASES = 3 };
static __device__ __forceinline__ int fri_next_phase(int phase) { return (phase + 1) % FRI_PHASES; }
static __device__ __forceinline__ int fri_spare_phase(int phase) {
    return (phase + 2) % FRI_PHASES;
}

/* Warps of the grid; their indices run across blocks first, so that a small frontier spreads over
 * the multiprocessors. */
static __device__ __forceinline__ int fri_grid_warp() {
    return fri_warp() * (int)gridDim.x + (int)blockIdx.x;
}
static __device__ __forceinline__ int fri_grid_warps() {
    return (int)gridDim.x * (int)(blockDim.x / FRI_WARP);
}

/* The loop of such a kernel, for all threads of a cooperative grid. `steps` is the loop's body; its
 * type S has
 *   void decide() called by the first thread of each block: reads the level's counters and writes
 *                 to shared memory what all threads are to do. One thread reads for all because L2
 *                 serializes reads of one address
 *   bool ends()   whether the decision is to run no further level in this launch
 *   void clear()  called by one thread of the grid: clears the counters of the spare phase, which
 *                 no other thread reads or writes during this level
 *   void run()    runs the level, up to and including a grid barrier, and advances to the next */
template <class S> static __device__ __forceinline__ void fri_persistent_loop(S &steps) {
    for (;;) {
        if (threadIdx.x == 0)
            steps.decide();
        __syncthreads(); /* the block's decision is complete */
        if (steps.ends())
            return;
        if (blockIdx.x == 0 && threadIdx.x == 0)
            steps.clear();
        steps.run();
    }
}

/* Any thread: level `at` of this launch begins. The first thread of the grid writes its record to
 * the trace, unless that is NULL. */
static __device__ __forceinline__ void fri_trace_level(fri_level_record *trace, int32_t at,
                                                       unsigned long long frontier,
                                                       unsigned long long edges, int32_t method,
                                                       float expected_ps) {
    if (trace && blockIdx.x == 0 && threadIdx.x == 0)
        trace[at] = {edges,  fri_clock_ns(), (uint32_t)frontier,
                     method, expected_ps,    (uint32_t)(frontier >> 32)};
}
/* The same, for the edges of the level before `at` > 0, if they are known only after it. */
static __device__ __forceinline__ void fri_trace_edges_before(fri_level_record *trace, int32_t at,
                                                              unsigned long long edges) {
    if (trace && blockIdx.x == 0 && threadIdx.x == 0)
        trace[at - 1].edges = edges;
}

#endif
