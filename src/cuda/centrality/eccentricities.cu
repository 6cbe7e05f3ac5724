/* Eccentricities of given vertices by breadth-first searches from many of them at once.
 *
 * Source: the searches of centrality/ms_bfs.cuh (Then et al., VLDB 2014).
 * Idea: the last level at which a slot is new is the eccentricity of its source.
 * Differs: levels are stored as they are reached, in ascending order, by whichever thread sees the slot.
 * Needs: no weights. Scratch per item (vertex of 32 sources): 16 bytes and 8 per source.
 * Work: for each batch of sources and each of its levels the rows of the vertices at that level.
 *   Launches: 2 per level. Atomics: see ms_bfs.cuh.
 * Called by: fr_eccentricity(). */
#include "core/gpu_interface.h"
#include "cuda/centrality/ms_bfs.cuh"
#include "cuda/device/results/results.h"

namespace {
struct search {
    fri_ms_bfs w;
    int32_t *source; /* of a batch */
    int32_t *depth;  /* the same: the last level found */
};
} // namespace

static __global__ void __launch_bounds__(FRI_MS_BFS_BLOCK)
    settle_kernel(search s, int32_t level, const uint32_t *fresh) {
    const int64_t end = (int64_t)s.w.bounds[level + 1], step = (int64_t)gridDim.x * blockDim.x;
    fri_ms_bfs_open_level(s.w, level);
    for (int64_t at = (int64_t)s.w.bounds[level] + fri_thread_of_grid(); at < end; at += step) {
        const uint32_t item = s.w.list[at].item, slots = fresh[item];
        int32_t *const depth = s.depth + item / (uint32_t)s.w.n * (uint32_t)s.w.slots;
        fri_ms_bfs_settle(s.w, at, item, slots);
        for (uint32_t left = slots; left; left &= left - 1) {
            const int slot = __ffs((int)left) - 1;
            /* racy: all threads of this launch store the same level */
            if (fri_racy_load(&depth[slot]) != level)
                fri_racy_store(&depth[slot], level);
        }
    }
}

/* ---- host -------------------------------------------------------------------------------- */

static size_t source_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_ms_bfs_sources(g), sizeof(int32_t)));
}
static size_t device_scratch(const fri_gpu *g) { return fri_ms_bfs_bytes(g) + 2 * source_bytes(g); }

static void settle(fri_gpu *g, const fri_ms_bfs &w, int32_t level, void *arg) {
    FRI_RUN(settle_kernel, fri_ms_bfs_grid(g), FRI_MS_BFS_BLOCK, *(const search *)arg, level,
            w.word[level % 3]);
}

static fr_status run_batch(fri_gpu *g, search *s, const int32_t *vertex, int32_t count,
                           const fri_ms_bfs_task &task, int32_t *e) {
    int32_t levels;
    FRI_GPU_TRY(fri_gpu_send(g, s->source, vertex, fri_bytes(count, sizeof *vertex)));
    FRI_GPU_TRY(fri_gpu_zero(g, s->depth, source_bytes(g)));
    FRI_GPU_TRY(fri_ms_bfs_begin(g, s->w, s->source, 0, count));
    settle(g, s->w, 0, s);
    FRI_GPU_TRY(fri_ms_bfs_run(g, s->w, task, &levels));
    return fri_gpu_download(g, e, s->depth, fri_bytes(count, sizeof *e));
}

static fr_status run(fri_gpu *g, const char *phase, const int32_t *vertex, int32_t count,
                     int32_t *e) {
    const int64_t batch = fri_ms_bfs_sources(g);
    char *at = g->scratch;
    search s = {};
    s.w = fri_ms_bfs_carve(g, &at);
    s.source = (int32_t *)fri_carve(&at, source_bytes(g));
    s.depth = (int32_t *)fri_carve(&at, source_bytes(g));
    for (int64_t first = 0; first < count; first += batch) {
        const fri_ms_bfs_task task = {settle, &s, phase, first, count};
        FRI_GPU_TRY(run_batch(g, &s, vertex + first, (int32_t)FRI_MIN(batch, count - first), task,
                              e + first));
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "eccentricities", FR_PROBLEM_BFS, 0, device_scratch);

extern "C" fr_status fri_gpu_eccentricities(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                            const int32_t *vertex, int32_t count, int32_t *e) {
    fri_gpu_call call;
    fri_gpu *g;
    if (!count)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    fr_status status = fri_ms_bfs_plan(&call, count);
    if (!status)
        status = fri_gpu_call_open(&call, &g);
    if (!status)
        status = run(g, phase, vertex, count, e);
    fri_gpu_call_close(&call);
    return status;
}
