/* Host side: memory of a batch, its start, and the launches. */
#ifndef FRI_CUDA_BFS_MANY_RUN_CUH
#define FRI_CUDA_BFS_MANY_RUN_CUH

#include "cuda/bfs/many/blocks.cuh"
#include "cuda/bfs/many/levels.cuh"

FRI_C_BEGIN
#include "core/backend.h"
FRI_C_END

/* A vertex per thread, whole warps: which vertices are open, and the chunks of long rows. */
template <class O> static __global__ void fri_many_open_kernel(fri_many<O> p) {
    const int64_t v = fri_thread_of_grid();
    const fri_csr_view<O> *rows[] = {&p.out, &p.in};
    O degree = 0;
    for (int i = 0; i < 2; i++) {
        const O begin = v < p.n ? rows[i]->offsets[v] : 0;
        degree = v < p.n ? rows[i]->offsets[v + 1] - begin : 0;
        const int64_t some = degree > (O)p.chunk ? ((int64_t)degree + p.chunk - 1) / p.chunk : 0;
        if (!some || (i && p.chunks[0] == p.chunks[1]))
            continue;
        /* other threads append, too */
        const unsigned long long at = atomicAdd(&p.control->chunks[i], (unsigned long long)some);
        for (int64_t k = 0; k < some; k++)
            p.chunks[i][at + (unsigned long long)k] = {
                (int32_t)v, (int32_t)FRI_MIN((int64_t)degree - k * p.chunk, (int64_t)p.chunk),
                (int64_t)begin + k * p.chunk};
    }
    const unsigned open = __ballot_sync(FRI_FULL_MASK, degree > 0);
    const unsigned long long edges = fri_warp_total((unsigned long long)degree);
    if (fri_lane() == 0 && v < p.n) {
        p.open[v / FRI_WARP] = open;
        if (edges)
            atomicAdd(&p.control->left, edges); /* other warps add */
    }
}

/* A source per thread: equal ones are different bits. */
template <class O> static __global__ void fri_many_seed_kernel(fri_many<O> p, int32_t words) {
    const int32_t i = (int32_t)fri_thread_of_grid();
    if (i == 0) {
        p.control->level = -1;
        if (p.chunks[0] == p.chunks[1])
            p.control->chunks[1] = p.control->chunks[0];
    }
    if (i >= p.count)
        return;
    const int32_t v = p.sources ? p.sources[i] : p.first + i;
    const unsigned long long *edges = p.control->edges;
    /* atomics: sources share words */
    atomicOr(&p.control->full[i / 64], 1ull << i % 64);
    if (p.aligns && edges[1] > FRI_MANY_GROWTH * edges[0] &&
        (double)p.ahead[i] * (double)edges[1] >= (double)edges[0] * (double)p.out.offsets[p.n]) {
        atomicOr(&p.control->late[i / 64], 1ull << i % 64);
        return; /* one level more, and it has a part of all edges */
    }
    atomicOr(&p.frontier[0][(int64_t)v * words + i / 64], 1ull << i % 64);
    atomicOr(&p.active[0][v / FRI_WARP], 1u << v % FRI_WARP);
}

/* A warp per source. */
template <class O> static __global__ void fri_many_ahead_kernel(fri_many<O> p) {
    const int64_t i = fri_thread_of_grid() / FRI_WARP;
    unsigned long long degree;
    if (i >= p.count)
        return;
    const unsigned long long ahead =
        fri_many_ahead(p.out, p.sources ? p.sources[i] : p.first + (int32_t)i, &degree);
    if (fri_lane())
        return;
    p.ahead[i] = ahead;
    atomicAdd(&p.control->edges[0], degree); /* of other sources, too */
    atomicAdd(&p.control->edges[1], ahead);
}

/* The words for so many sources: a power of two. */
static inline int fri_many_words(int64_t sources) {
    int words = 1;
    while (words < FRI_MANY_MAX_WORDS && words * 64 < sources)
        words *= 2;
    return words;
}

/* Carves the state of `words` words per vertex. *zeroed: the bytes, from *at on, that a batch zeroes. */
template <class O>
static inline fri_many<O> fri_many_carve(const fri_gpu *g, int words, int32_t chunk, char **at,
                                         size_t *zeroed) {
    const int64_t map = fri_many_map_words(g->n), cells = map * FRI_WARP * words;
    const char *begin = *at;
    fri_many<O> p = {};
    p.out = fri_csr_view_of<O>(g->out);
    p.in = fri_csr_view_of<O>(g->in);
    p.n = g->n;
    p.limit = INT32_MAX;
    p.chunk = chunk;
    fri_carve_array(at, &p.control, 1);
    fri_carve_array(at, &p.seen, cells);
    for (fri_bits *&frontier : p.frontier)
        fri_carve_array(at, &frontier, cells);
    for (uint32_t *&active : p.active)
        fri_carve_array(at, &active, map);
    fri_carve_array(at, &p.states, 64 * words);
    *zeroed = (size_t)(*at - begin);
    fri_carve_array(at, &p.ahead, 64 * words);
    fri_carve_array(at, &p.open, map);
    fri_carve_array(at, &p.chunks[0], 2 * (g->m / chunk) + 1);
    p.chunks[1] = p.chunks[0];
    if (!g->job->csr.symmetric)
        fri_carve_array(at, &p.chunks[1], 2 * (g->m / chunk) + 1);
    return p;
}

template <int W, class O, class C>
static fr_status fri_many_launch(fri_gpu *g, const fri_many<O> &p, const C &consumer, int threads) {
    const size_t bytes = sizeof(fri_bits) * fri_many_shape<W>::TILE * (size_t)(threads / FRI_WARP);
    const void *kernel = (const void *)fri_many_kernel<W, O, C>;
    int blocks = 0;
    fri_allow_shared_bytes(kernel, bytes);
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes),
        "planning a launch"));
    blocks = FRI_MAX(FRI_MIN(blocks, (int)FRI_MANY_BLOCKS), 1);
    FRI_LAUNCH_COOPERATIVE((fri_many_kernel<W, O, C>), (unsigned)(blocks * g->multiprocessors),
                           threads, bytes, g->stream, p, consumer, FRI_GPU_MAX_LEVELS);
    return fri_gpu_launched(g);
}

/* Where a batch is, for fri_progress. */
struct fri_many_phase {
    const char *name;
    int64_t done, total;
};

/* Runs a batch of p.count sources in W words. *end: how it ended. `zeroed`: of
 * fri_many_carve. */
template <int W, class O, class C>
static fr_status fri_many_run(fri_gpu *g, const fri_many<O> &p, size_t zeroed, const C &consumer,
                              int threads, const fri_many_phase &phase, fri_many_control *end) {
    FRI_GPU_TRY(fri_gpu_zero(g, p.control, zeroed));
    FRI_RUN_EACH((fri_many_open_kernel<O>), p.n, 256, p);
    if (p.aligns)
        FRI_RUN_EACH((fri_many_ahead_kernel<O>), (int64_t)p.count * FRI_WARP, 256, p);
    FRI_RUN_EACH((fri_many_seed_kernel<O>), p.count, 256, p, W);
    *end = {};
    for (int32_t launches = 1; !end->ended; launches++) {
        static const char *const methods[] = {"top-down", "bottom-up"};
        fri_gpu_progress progress = {};
        const int32_t before = end->level;
        FRI_GPU_TRY(fri_progress(g->job->ctx, phase.name, phase.done, phase.total));
        FRI_GPU_TRY((fri_many_launch<W>(g, p, consumer, threads)));
        FRI_GPU_TRY(fri_gpu_download(g, end, p.control, sizeof *end));
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "levels", FRI_MAX(end->level, launches - 1),
                                        p.n + (int64_t)p.aligns));
        progress.levels = end->level - before;
        FRI_GPU_TRY(fri_gpu_report_levels(g, p.trace, methods, &progress));
    }
    return FR_OK;
}

/* ---- a block per source ------------------------------------------------------------------ */

#ifdef FRI_SIMT /* small graphs leave shared memory, and are suspended */
enum { FRI_BLOCK_STEPS = 7, FRI_BLOCK_SHARED = FRI_BLOCK_MOST * (FRI_BLOCK_OWN + 64) };
enum { FRI_BLOCK_DEGREE = 12 /* so that words are tested, too */ };
#else
enum { FRI_BLOCK_STEPS = 1 << 16 /* levels of a launch */, FRI_BLOCK_SHARED = 1 << 20 };
enum { FRI_BLOCK_DEGREE = INT32_MAX };
#endif

/* Indices of knobs: blocks per multiprocessor, threads per block. */
struct fri_block_knobs {
    int blocks, threads;
};

static inline fri_block_shape fri_block_plan(const fri_gpu *g, fri_block_knobs knobs) {
    fri_block_shape s = fri_block_shape_of(
        g->n, FRI_MIN((int64_t)g->max_shared_per_block, (int64_t)FRI_BLOCK_SHARED),
        (int)fri_job_knob(g->job, knobs.blocks, 0));
    s.threads = fri_gpu_threads_per_block(g, knobs.threads, s.threads);
    return s;
}

/* Whether a block per source is faster for `count` of them, as far as is known. */
static inline bool fri_block_pays(const fri_gpu *g, fri_block_knobs knobs, int64_t count,
                                  int32_t limit, int64_t targets) {
    const double blocks = g->job->knob[knobs.blocks];
    if (blocks != FR_KNOB_AUTO && blocks < 1)
        return false;
    if (targets > (int64_t)FRI_BLOCK_TARGETS * fri_block_plan(g, knobs).threads)
        return false;
    if (blocks != FR_KNOB_AUTO)
        return true;
    if (g->m / FRI_BLOCK_DEGREE > g->n)
        return false;
    double levels = g->deepest;
    if (!g->deepest) {
        const fri_backend_input in = fri_backend_input_of(&g->job->csr, g->job->in->threads);
        levels = fri_backend_levels(&in);
    }
    const fri_apsp_work w = {
        (double)g->n, (double)g->m, (double)count, FRI_MIN(levels, (double)limit), false, 1};
    return fri_apsp_blocks_pay(&w);
}

/* As fri_many_run, by blocks: p in `words` words, any number of sources. */
template <class O>
static fr_status fri_block_run(fri_gpu *g, const fri_many<O> &p, int words, size_t zeroed,
                               fri_block_knobs knobs, const fri_many_rows &rows,
                               const fri_many_phase &phase, fri_many_control *end) {
    const fri_block_shape shape = fri_block_plan(g, knobs);
    const int64_t most =
        FRI_MIN((int64_t)shape.per_multiprocessor * g->multiprocessors, (int64_t)64 * words);
    const unsigned blocks = (unsigned)FRI_MIN(most, (int64_t)p.count);
    const size_t bytes = sizeof(uint32_t) * (size_t)(shape.ring + shape.kept);
    *end = {};
    FRI_GPU_TRY(fri_gpu_zero(g, p.control, zeroed));
    void (*const kernel)(fri_many<O>, fri_many_rows, fri_block_shape, int32_t) =
        shape.kept == fri_many_map_words(p.n) ? fri_block_kernel<O, true>
                                              : fri_block_kernel<O, false>;
    fri_allow_shared_bytes((const void *)kernel, bytes);
    for (int64_t launches = 1; end->ended < p.count; launches++) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, phase.name, phase.done + end->ended, phase.total));
        FRI_LAUNCH(kernel, blocks, shape.threads, bytes, g->stream, p, rows, shape,
                   FRI_BLOCK_STEPS);
        FRI_GPU_TRY(fri_gpu_launched(g));
        FRI_GPU_TRY(fri_gpu_download(g, end, p.control, sizeof *end));
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "launches", launches,
                                        p.count * (int64_t)(p.n / FRI_BLOCK_STEPS + 1)));
    }
    return FR_OK;
}

/* Remembers how deep searches are, unless a limit ended them. */
static inline void fri_many_learn(fri_gpu *g, const fri_many_control *end, int32_t limit) {
    if (end->deepest < limit)
        g->deepest = FRI_MAX(g->deepest, end->deepest);
}

#endif
