/* Sums over the distances to every vertex, for closeness and harmonic centrality.
 *
 * Source: the searches of centrality/ms_bfs.cuh (Then et al., VLDB 2014).
 * Idea: the number of slots that are new at a vertex in a level is the number of sources at that
 *   distance.
 * Differs: each group has its own sums, which are added in the order of the groups, so that they
 *   are the same bits on every run.
 * Needs: no weights. Scratch per item (vertex of 32 sources): 40 bytes and 8 per source.
 * Work: for each batch of sources and each of its levels the rows of the vertices at that level.
 *   Launches: 2 per level. Atomics: see ms_bfs.cuh.
 * Called by: fr_closeness() and fr_harmonic(). */
#include "core/gpu_interface.h"
#include "cuda/centrality/ms_bfs.cuh"
#include "cuda/device/results/results.h"

enum { SUMS = 3 };

namespace {
struct sums {
    fri_ms_bfs w;
    double *reached, *far, *near; /* [items] */
};
} // namespace

/* Adds the entries of a level, a thread per entry. Also runs for level 0, the sources. */
static __global__ void __launch_bounds__(FRI_MS_BFS_BLOCK)
    settle_kernel(sums s, int32_t level, const uint32_t *fresh) {
    const int64_t end = (int64_t)s.w.bounds[level + 1], step = (int64_t)gridDim.x * blockDim.x;
    fri_ms_bfs_open_level(s.w, level);
    for (int64_t at = (int64_t)s.w.bounds[level] + fri_thread_of_grid(); at < end; at += step) {
        const uint32_t item = s.w.list[at].item, slots = fresh[item];
        const double count = __popc(slots);
        fri_ms_bfs_settle(s.w, at, item, slots);
        s.reached[item] += count;
        s.far[item] += count * level;
        if (level)
            s.near[item] += count / level;
    }
}

static __global__ void add_groups_kernel(sums s, double *sum) {
    const int64_t v = fri_thread_of_grid();
    if (v >= s.w.n)
        return;
    double total = 0;
    for (int64_t item = v; item < s.w.items; item += s.w.n)
        total += sum[item];
    sum[v] = total;
}

/* ---- host -------------------------------------------------------------------------------- */

static size_t sum_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_ms_bfs_items(g), sizeof(double)));
}
static size_t device_scratch(const fri_gpu *g) { return fri_ms_bfs_bytes(g) + SUMS * sum_bytes(g); }

static void settle(fri_gpu *g, const fri_ms_bfs &w, int32_t level, void *arg) {
    const sums &s = *(const sums *)arg;
    FRI_RUN(settle_kernel, fri_ms_bfs_grid(g), FRI_MS_BFS_BLOCK, s, level, w.word[level % 3]);
}

static fr_status run_batches(fri_gpu *g, sums *s, const char *phase) {
    const int64_t batch = fri_ms_bfs_sources(g);
    for (int64_t first = 0; first < g->n; first += batch) {
        const fri_ms_bfs_task task = {settle, s, phase, first, g->n};
        int32_t levels;
        FRI_GPU_TRY(fri_ms_bfs_begin(g, s->w, nullptr, (int32_t)first,
                                     (int32_t)FRI_MIN(batch, g->n - first)));
        settle(g, s->w, 0, s);
        FRI_GPU_TRY(fri_ms_bfs_run(g, s->w, task, &levels));
    }
    return FR_OK;
}

static fr_status run(fri_gpu *g, const char *phase, double *const to[SUMS]) {
    const int size = sizeof(double);
    char *at = g->scratch;
    sums s = {};
    s.w = fri_ms_bfs_carve(g, &at);
    double **const own[SUMS] = {&s.reached, &s.far, &s.near};
    for (double **sum : own) {
        *sum = (double *)fri_carve(&at, sum_bytes(g));
        FRI_GPU_TRY(fri_gpu_zero(g, *sum, sum_bytes(g)));
    }
    FRI_GPU_TRY(run_batches(g, &s, phase));
    for (int i = 0; i < SUMS; i++) {
        FRI_RUN_EACH(add_groups_kernel, g->n, FRI_MS_BFS_BLOCK, s, *own[i]);
        FRI_GPU_TRY(fri_gpu_wait(g, phase));
        const fri_gpu_output outputs[] = {{to[i], *own[i], g->n, size, size}};
        FRI_GPU_TRY(fri_gpu_download_results(g, outputs, 1, false, nullptr));
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "distance-sums", FR_PROBLEM_BFS, 0, device_scratch);

extern "C" fr_status fri_gpu_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                           double *reached, double *far, double *near) {
    fri_gpu_call call;
    fri_gpu *g;
    double *const to[SUMS] = {reached, far, near};
    if (!graph->csr.n)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    fr_status status = fri_ms_bfs_plan(&call, graph->csr.n);
    if (!status)
        status = fri_gpu_call_open(&call, &g);
    if (!status)
        status = run(g, phase, to);
    fri_gpu_call_close(&call);
    return status;
}
