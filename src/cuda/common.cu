/* Kernels that all rows share: filling arrays, placing sources, counting targets. */
#include "cuda/gpu.h"
#include "cuda/prim/dialect.cuh"

enum { BLOCK = 256 };

static __global__ void fill_kernel(int32_t *at, int64_t count, int32_t value) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        at[i] = value;
}

static __global__ void place_sources_kernel(const int32_t *sources, int32_t count, int32_t *level,
                                            int32_t *parent) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    level[sources[i]] = 0;
    if (parent)
        parent[sources[i]] = sources[i];
}

static __global__ void count_targets_kernel(const uint64_t *map, int32_t n, const int32_t *level,
                                            int32_t *count) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v < n && (map[v >> 6] >> (v & 63) & 1) && level[v] >= 0)
        atomicAdd(count, 1);
}

extern "C" void fri_gpu_fill(fri_gpu *g, int32_t *at, int64_t count, int32_t value) {
    FRI_LAUNCH(fill_kernel, fri_gpu_blocks(count, BLOCK), BLOCK, 0, g->stream, at, count, value);
}

extern "C" void fri_gpu_place_sources(fri_gpu *g) {
    FRI_LAUNCH(place_sources_kernel, fri_gpu_blocks(g->source_count, BLOCK), BLOCK, 0, g->stream,
               g->sources, g->source_count, g->level, g->parent);
}

extern "C" void fri_gpu_count_targets(fri_gpu *g) {
    cudaMemsetAsync(g->words + FRI_WORD_TARGETS, 0, sizeof(int32_t), g->stream);
    FRI_LAUNCH(count_targets_kernel, fri_gpu_blocks(g->n, BLOCK), BLOCK, 0, g->stream, g->target_map,
               g->n, g->level, g->words + FRI_WORD_TARGETS);
}
