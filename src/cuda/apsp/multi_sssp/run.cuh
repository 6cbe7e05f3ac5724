/* The host side of shortest paths from many sources, a block for each: shape, memory, launches. Included by
 * multi_sssp.cu and centrality/weighted_searches.cu. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_RUN_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_RUN_CUH

#include "cuda/apsp/costs.h"
#include "cuda/apsp/multi_sssp/finish.cuh"

#ifdef FRI_SIMT /* small graphs leave shared memory, and are suspended */
enum { ROWS_STEPS = 7, ROWS_RING = 16 };
#else
enum { ROWS_STEPS = 1 << 16 /* rounds of a launch */, ROWS_RING = 1 << 13 };
#endif
enum { ROWS_OWN = 2048 /* shared bytes of a block, and the driver's */ };
enum { ROWS_MOST_BLOCKS = 8, ROWS_CACHED = 6 << 20 /* vertices */ };
enum { ROWS_HUB = 1024, ROWS_MOST_HUB = 1 << 24, ROWS_FILL = 256 };

struct rows_shape {
    int threads;
    unsigned blocks, ring;
};

/* Blocks per multiprocessor for so many sources: more hide each other's waits, while all their distances fit L2. */
static inline int rows_usual_blocks(const fri_gpu *g, int64_t sources) {
    int blocks = 1;
    while (blocks < ROWS_MOST_BLOCKS && (int64_t)blocks * g->multiprocessors < sources &&
           (blocks < 2 || (int64_t)blocks * g->multiprocessors * g->n < ROWS_CACHED))
        blocks *= 2;
    return blocks;
}

static inline rows_shape rows_shape_of(const fri_gpu *g, int blocks, int threads, int64_t most) {
    rows_shape s = {threads, 0, ROWS_RING};
    const int64_t shared = (int64_t)g->max_shared_per_block / blocks - ROWS_OWN;
    while (s.ring > 1 && (int64_t)s.ring * 12 > shared)
        s.ring /= 2;
    s.blocks = (unsigned)FRI_MAX(FRI_MIN((int64_t)blocks * g->multiprocessors, most), 1);
    return s;
}

/* Of `blocks` blocks, and of their distances if they have their own, of `key` bytes. */
struct rows_memory {
    uint32_t *bits;
    rows_state *states;
    char *dist;
};
static inline rows_memory rows_carve(const fri_gpu *g, int64_t blocks, size_t key, char **at) {
    rows_memory m;
    fri_carve_array(at, &m.bits, blocks * ROWS_MAPS * (((int64_t)g->n + FRI_WARP - 1) / FRI_WARP));
    fri_carve_array(at, &m.states, blocks);
    fri_carve_array(at, &m.dist, blocks * g->n * (int64_t)key);
    return m;
}

/* The default of rows_batch.delta. */
static inline double rows_usual_delta(double mean_weight, int64_t n, int64_t m) {
    double degree = n ? (double)m / (double)n : 1;
    double usual = 4 * mean_weight / (degree > 1 ? degree : 1);
    return usual > 0 ? usual : 1;
}

template <class K> static __global__ void rows_fill_kernel(K *at, int64_t count, K value) {
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = fri_thread_of_grid(); i < count; i += step)
        at[i] = value;
}

/* Searches from b.count sources. `done` of `total` searches were before, for fri_progress. */
template <class T>
static fr_status rows_run(fri_gpu *g, rows_batch<T> b, const rows_shape &shape,
                          const rows_memory &m, const char *phase, int64_t done, int64_t total,
                          rows_control *end) {
    const unsigned blocks = FRI_MIN(shape.blocks, (unsigned)b.count);
    const size_t bytes = shape.ring * (sizeof(typename T::K) + sizeof(int32_t));
    b.bits = m.bits;
    b.states = m.states;
    b.control = (rows_control *)(void *)g->control;
    *end = {};
    FRI_GPU_TRY(fri_gpu_zero(g, m.bits, (size_t)((char *)m.dist - (char *)m.bits)));
    FRI_GPU_TRY(fri_gpu_zero(g, b.control, sizeof *b.control));
    fri_allow_shared_bytes((const void *)rows_kernel<T>, bytes);
    for (int64_t launches = 1; end->ended < b.count; launches++) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, phase, done + end->ended, total));
        FRI_LAUNCH((rows_kernel<T>), blocks, shape.threads, bytes, g->stream, b, shape.ring,
                   ROWS_STEPS);
        FRI_GPU_TRY(fri_gpu_launched(g));
        FRI_GPU_TRY(fri_gpu_download(g, end, b.control, sizeof *end));
        /* rounds, as many moves, hops; a launch ends a search or makes all steps of a block */
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "launches", launches,
                                        b.count * (4 * (int64_t)b.p.n / ROWS_STEPS + 2)));
    }
    return FR_OK;
}

#endif
