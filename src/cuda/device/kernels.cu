/* Kernels shared by all strategies: fill arrays, set sources, count targets, find the
 * smallest parents. */
#include "core/gpu_interface.h"
#include "cuda/graph/resident.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/publish.cuh"

#include <math.h>

FRI_C_BEGIN
#include "core/query/level_sums.h"
FRI_C_END

enum { BLOCK = 256, PUBLISH_BLOCK = 96 };

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

/* Neither -1 nor INT32_MAX (g->bfs.unreached). */
static __device__ __forceinline__ bool is_reached(int32_t level) {
    return (uint32_t)level < INT32_MAX;
}

static __global__ void count_targets_kernel(const uint64_t *map, int32_t n, const int32_t *level,
                                            int32_t *count) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v < n && (map[v >> 6] >> (v & 63) & 1) && is_reached(level[v]))
        atomicAdd(count, 1);
}

static __global__ void reset_parents_kernel(int32_t n, const int32_t *level, int32_t *parent) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v < n && level[v] && is_reached(level[v]))
        parent[v] = INT32_MAX;
}

template <class O>
static __global__ void min_parents_kernel(fri_csr_view<O> csr, int32_t n, const int32_t *level,
                                          int32_t *parent) {
    int32_t u = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (u >= n || !is_reached(level[u]))
        return;
    for (O e = csr.offsets[u]; e < csr.offsets[u + 1]; e++) {
        int32_t v = csr.targets[e];
        /* racy test avoids most atomics */
        if (level[v] == level[u] + 1 && fri_racy_load(&parent[v]) > u)
            atomicMin(&parent[v], u);
    }
}

static __global__ void publish_kernel(const int32_t *from, int32_t *to, int count, uint64_t *number,
                                      uint64_t value) {
    fri_publish_words(from, to, count, number, value);
}

void fri_gpu_publish(fri_gpu *g, int first, int count) {
    FRI_LAUNCH_UNLISTED(publish_kernel, 1, PUBLISH_BLOCK, 0, g->stream, g->control + first,
                        g->host_control + first, count, fri_gpu_published(g), ++g->publications);
}

void fri_gpu_preload(void) {
    fri_load_kernel((const void *)fill_kernel);
    fri_load_kernel((const void *)publish_kernel);
}

fr_status fri_gpu_load_kernels(fri_gpu *g) {
    int blocks;
    fri_load_kernel(
        (const void *)publish_kernel); /* loading while another device's kernel waits blocks */
    return fri_gpu_check(
        g,
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)fill_kernel, BLOCK, 0),
        "loading kernels");
}

void fri_gpu_fill(fri_gpu *g, int32_t *at, int64_t count, int32_t value) {
    FRI_RUN_EACH(fill_kernel, count, BLOCK, at, count, value);
}

void fri_gpu_set_sources(fri_gpu *g) {
    FRI_RUN_EACH(place_sources_kernel, g->source_count, BLOCK, g->sources, g->source_count,
                 g->bfs.level, g->parent);
}

void fri_gpu_count_targets(fri_gpu *g) {
    cudaMemsetAsync(g->control + FRI_CONTROL_TARGETS, 0, sizeof(int32_t), g->stream);
    FRI_RUN_EACH(count_targets_kernel, g->n, BLOCK, g->target_map, g->n, g->bfs.level,
                 g->control + FRI_CONTROL_TARGETS);
}

void fri_gpu_min_parents(fri_gpu *g) {
    FRI_RUN_EACH(reset_parents_kernel, g->n, BLOCK, g->n, g->bfs.level, g->parent);
    FRI_BY_OFFSET_TYPE(g, FRI_RUN_EACH((min_parents_kernel<O>), g->n, BLOCK,
                                       fri_csr_view_of<O>(g->out), g->n, g->bfs.level, g->parent));
}

/* Offsets of the other width, made from a copy on the device: BFS uses 32 bits where they suffice,
 * SSSP and APSP always 64. */
template <class From, class To>
static __global__ void convert_kernel(const From *from, To *to, int64_t count) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = (To)from[i];
}

void fri_gpu_convert_offsets(fri_gpu *g, const void *from, void *to, bool widen, int64_t count) {
    const unsigned blocks = fri_gpu_blocks(count, BLOCK);
    if (widen)
        FRI_RUN((convert_kernel<uint32_t, int64_t>), blocks, BLOCK, (const uint32_t *)from,
                (int64_t *)to, count);
    else
        FRI_RUN((convert_kernel<int64_t, uint32_t>), blocks, BLOCK, (const int64_t *)from,
                (uint32_t *)to, count);
}

static __global__ void keep_sources_kernel(int32_t *level, int32_t *parent, int32_t n) {
    const int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v >= n || level[v] == 0)
        return;
    level[v] = INT32_MAX;
    if (parent)
        parent[v] = -1;
}

void fri_gpu_keep_sources(fri_gpu *g) {
    FRI_RUN_EACH(keep_sources_kernel, g->n, BLOCK, g->bfs.level, g->parent, g->n);
}

template <class D>
static __global__ void sums_kernel(const int32_t *level, D *dist, int32_t n, D unreached,
                                   const __grid_constant__ fri_level_sums sums) {
    const int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v >= n)
        return;
    const int32_t d = level[v];
    dist[v] = d == INT32_MAX ? unreached
              : sums.count   ? (D)fri_level_sum(&sums, d)
                             : (D)(d * sums.weight);
}

template <class D> static void sum_levels(fri_gpu *g, void *dist, D unreached) {
    FRI_RUN_EACH((sums_kernel<D>), g->n, BLOCK, (const int32_t *)g->bfs.level, (D *)dist, g->n,
                 unreached, g->job->sums->of);
}

void fri_gpu_sum_levels(fri_gpu *g, void *dist) {
    switch (g->job->sums->of.type) {
    case FR_TYPE_I32: sum_levels<int32_t>(g, dist, FR_INF_I32); break;
    case FR_TYPE_I64: sum_levels<int64_t>(g, dist, FR_INF_I64); break;
    case FR_TYPE_F32: sum_levels<float>(g, dist, (float)INFINITY); break;
    default: sum_levels<double>(g, dist, (double)INFINITY);
    }
}

bool fri_gpu_kernels_count(void) {
#ifdef FRI_COUNTING
    return true;
#else
    return false;
#endif
}
