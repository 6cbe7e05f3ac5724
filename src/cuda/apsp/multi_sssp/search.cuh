/* The host side of shortest paths from a batch of sources at once. Included by multi_sssp.cu and
 * centrality/weighted_searches.cu. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_SEARCH_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_SEARCH_CUH

#include "cuda/apsp/multi_sssp/rounds.cuh"

namespace {
struct batch_search {
    int32_t hubs, hub_runs; /* vertices of more than batch.hub_degree edges; as in batch */
    int block;              /* threads: whole warps */
    double delta;           /* increase of the threshold */
    uint32_t *now, *next;   /* [groups][n] */
    const char *phase;      /* for fri_progress */
    int64_t done, total;    /* sources */
};
} // namespace

enum { BATCH_MORE_ROUNDS = 64 };

static inline int32_t batch_padded(int32_t count) {
    return (count + FRI_WARP - 1) / FRI_WARP * FRI_WARP;
}

/* The default of batch_search.delta. */
static inline double batch_usual_delta(double mean_weight, int64_t n, int64_t m) {
    double degree = n ? (double)m / (double)n : 1;
    double usual = 32 * mean_weight / (degree > 1 ? degree : 1);
    return usual > 0 ? usual : 1;
}

static inline int32_t batch_count_hubs(const fr_csr *csr, double hub_degree, int64_t *max_degree) {
    int32_t hubs = 0;
    *max_degree = 0;
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t degree = csr->offsets[v + 1] - csr->offsets[v];
        hubs += (double)degree > hub_degree;
        *max_degree = FRI_MAX(*max_degree, degree);
    }
    return hubs;
}
static inline int32_t batch_hub_runs(int64_t max_degree) {
    return (int32_t)((max_degree + HUB_RUN - 1) / HUB_RUN);
}

/* Blocks for one warp per 32 vertices and group. */
template <class T> static unsigned batch_word_blocks(const batch<T> &b, int block) {
    return fri_gpu_blocks(((int64_t)b.p.n + FRI_WARP - 1) / FRI_WARP * b.groups * FRI_WARP, block);
}

static inline void batch_swap_bits(batch_search *s) {
    uint32_t *now = s->now;
    s->now = s->next;
    s->next = now;
}

/* Clears the control words of a round. */
static inline fr_status batch_clear_round(fri_gpu *g) {
    return fri_gpu_zero(g, g->control, 2 * sizeof(int32_t));
}

template <class T>
static fr_status batch_round(fri_gpu *g, batch_search *s, const batch<T> &b, int64_t last) {
    FRI_GPU_TRY(batch_clear_round(g));
    FRI_RUN((batch_round_kernel<T>), batch_word_blocks(b, s->block), s->block, b,
            (typename T::K)last, s->now, s->next);
    if (s->hubs)
        FRI_RUN((batch_hubs_kernel<T>), (unsigned)(4 * g->multiprocessors), s->block, b,
                (typename T::K)last, s->next);
    batch_swap_bits(s);
    return fri_gpu_read_control(g, FOUND, 1);
}

/* *last: the new threshold's key; *over: nothing is left. */
template <class T>
static fr_status batch_next_step(fri_gpu *g, batch_search *s, const batch<T> &b, int64_t *last,
                                 bool *over) {
    const unsigned blocks = batch_word_blocks(b, s->block);
    int64_t nearest;
    fri_gpu_fill(g, &g->control[NEAREST], 1, -1); /* UINT64_MAX */
    fri_gpu_fill(g, &g->control[NEAREST + 1], 1, INT32_MAX);
    FRI_RUN((batch_nearest_kernel<T>), blocks, s->block, b, (typename T::K) * last);
    FRI_GPU_TRY(fri_gpu_download(g, &nearest, &g->control[NEAREST], sizeof nearest));
    *over = nearest == INT64_MAX;
    if (*over)
        return FR_OK;
    FRI_RUN((batch_split_kernel<T>), blocks, s->block, b, (typename T::K) * last,
            (typename T::K)nearest, s->delta, s->now);
    return fri_gpu_download(g, last, &g->control[NEAREST], sizeof *last);
}

/* Sets all distances of the batch. A round makes a distance final, or is the last of a window, which
 * finds nothing. */
template <class T>
static fr_status batch_solve(fri_gpu *g, batch_search *s, const batch<T> &b, const int32_t *sources,
                             int32_t *rounds) {
    const int64_t most = FRI_MIN(2 * (int64_t)b.p.n * b.count + BATCH_MORE_ROUNDS, INT32_MAX - 1);
    int64_t last = 0, cells = (int64_t)b.p.n * b.width;
    bool over = false;
    *rounds = 0;
    FRI_RUN_EACH((batch_far_kernel<T>), cells, 256, b, s->now, s->next);
    FRI_RUN_EACH((batch_sources_kernel<T>), b.count, 256, b, sources, s->now);
    FRI_GPU_TRY(fri_gpu_zero(g, &g->control[DROPPED], sizeof(int32_t)));
    while (!over) {
        do {
            FRI_GPU_TRY(fri_progress(g->job->ctx, s->phase, s->done, s->total));
            FRI_GPU_TRY(batch_round<T>(g, s, b, last));
            FRI_GPU_TRY(fri_gpu_check_steps(g->job, "rounds", ++*rounds, most));
        } while (g->host_control[FOUND]);
        FRI_GPU_TRY(batch_next_step<T>(g, s, b, &last, &over));
    }
    return FR_OK;
}

#endif
