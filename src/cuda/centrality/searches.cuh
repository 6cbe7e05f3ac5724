/* Multi-source BFS for calls without a solver: how many sources a batch has, and its launches. */
#ifndef FRI_CUDA_CENTRALITY_SEARCHES_CUH
#define FRI_CUDA_CENTRALITY_SEARCHES_CUH

#include "cuda/bfs/many/run.cuh"
#include "cuda/drivers/graph_call.h"

/* Indices of job.knob, which fri_searches_plan sets before the call is opened. */
enum { FRI_SEARCHES_WORDS, FRI_SEARCHES_BLOCK, FRI_SEARCHES_BLOCKS };
enum { FRI_SEARCHES_MOST = 8 /* words */, FRI_SEARCHES_CHUNK = 1024 };
static const double FRI_SEARCHES_PULL = 3; /* as knobs `chunk` and `pull` of multi-bfs */

static inline int fri_searches_words(const fri_gpu *g) {
    return (int)g->job->knob[FRI_SEARCHES_WORDS];
}
/* Sources of a batch. */
static inline int32_t fri_searches_at_once(const fri_gpu *g) { return fri_searches_words(g) * 64; }

/* 512 sources a batch, or 64 if there are no more, or the memory is too small. */
static inline fr_status fri_searches_plan(fri_gpu_call *call, int64_t count) {
    bool fits;
    call->job.knob[FRI_SEARCHES_BLOCK] = call->job.knob[FRI_SEARCHES_BLOCKS] = FR_KNOB_AUTO;
    call->job.knob[FRI_SEARCHES_WORDS] = count > 64 ? FRI_SEARCHES_MOST : 1;
    FRI_GPU_TRY(fri_gpu_call_fits(call, 0, &fits));
    if (!fits) /* otherwise the allocation fails with a message of sizes */
        call->job.knob[FRI_SEARCHES_WORDS] = 1;
    return FR_OK;
}

template <class O>
static inline fri_many<O> fri_searches_carve(const fri_gpu *g, char **at, size_t *zeroed) {
    fri_many<O> p = fri_many_carve<O>(g, fri_searches_words(g), FRI_SEARCHES_CHUNK, at, zeroed);
    p.pull = FRI_SEARCHES_PULL;
    return p;
}
static inline size_t fri_searches_bytes(const fri_gpu *g) {
    static char none;
    char *at = &none;
    size_t zeroed;
    fri_searches_carve<uint32_t>(g, &at, &zeroed);
    return (size_t)(at - &none);
}

static const fri_block_knobs FRI_SEARCHES_KNOBS = {FRI_SEARCHES_BLOCKS, FRI_SEARCHES_BLOCK};

/* Runs the batch p, which fri_searches_carve has made. *end: how it ended. */
template <class O, class C>
static fr_status fri_searches_run(fri_gpu *g, const fri_many<O> &p, size_t zeroed,
                                  const C &consumer, const fri_many_phase &phase,
                                  fri_many_control *end) {
    const int threads = fri_gpu_threads_per_block(g, FRI_SEARCHES_BLOCK, FRI_MANY_THREADS);
    return fri_searches_words(g) == 1
               ? fri_many_run<1>(g, p, zeroed, consumer, threads, phase, end)
               : fri_many_run<FRI_SEARCHES_MOST>(g, p, zeroed, consumer, threads, phase, end);
}

/* The same where rows are not wanted, by a block per source if that is faster. */
template <class O, class C>
static fr_status fri_searches_any(fri_gpu *g, const fri_many<O> &p, size_t zeroed,
                                  const C &consumer, const fri_many_phase &phase,
                                  fri_many_control *end) {
    const fr_status status =
        fri_block_pays(g, FRI_SEARCHES_KNOBS, p.count, p.limit, 0)
            ? fri_block_run(g, p, fri_searches_words(g), zeroed, FRI_SEARCHES_KNOBS, {}, phase, end)
            : fri_searches_run(g, p, zeroed, consumer, phase, end);
    if (!status)
        fri_many_learn(g, end, p.limit);
    return status;
}

#endif
