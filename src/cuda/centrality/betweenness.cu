/* Sums of dependencies for betweenness: Brandes' algorithm from many sources at once.
 *
 * Source: U. Brandes: A faster algorithm for betweenness centrality, Journal of Mathematical
 *   Sociology 25(2), 2001. Levels that many sources share: centrality/ms_bfs.cuh. Dependencies
 *   pulled from successors: K. Madduri, D. Ediger, K. Jiang, D. A. Bader, D. Chavarria-Miranda: A
 *   faster parallel algorithm and efficient multithreaded implementations for evaluating
 *   betweenness centrality on massive datasets, IPDPS 2009.
 * Idea: a warp processes an entry of a level, with a lane per source. Level by level the lanes add
 *   the path counts of their predecessors, found along the in-edges; then, from the last level
 *   back, the dependencies per path of their successors, found along the out-edges.
 * Differs: the bits of a word say which neighbors are one level away for which source, so that only
 *   those are read, 32 sources in consecutive places. The value that a vertex passes to its
 *   predecessors overwrites its path count. Order of sums: no sum uses atomics, and its order
 *   depends only on the order of the rows, so scores are the same bits on every run. (In-edges that
 *   the device built are in no fixed order; a sum of path counts is then exact, and so the same,
 *   below 2^53.)
 * Needs: in-edges; no weights. Scratch per item (vertex of 32 sources): 24 bytes and 16 per source.
 * Work: for each batch of sources and each of its levels the rows of the vertices at that level,
 *   out-edges twice, in-edges once. Launches: 3 per level. Atomics: see ms_bfs.cuh.
 * Good at: few levels, where sources share most entries. Bad at: thousands of levels with few
 *   sources, whose launches take longer than their work.
 * Called by: fr_betweenness(). */
#include "core/gpu_interface.h"
#include "cuda/centrality/ms_bfs.cuh"
#include "cuda/device/results/results.h"

#include <float.h>

enum { TOO_MANY_PATHS /* control word */ };
enum { ABREAST = 4 /* neighbors whose values are loaded at a time */ };

namespace {
struct brandes {
    fri_ms_bfs w;
    double *paths; /* [items * slots] shortest paths; after walk_back: (1 + dependency) / paths */
    double *score; /* [items] */
    int32_t *sources; /* of a batch */
    int32_t *control;
};
} // namespace

/* Adds this lane's values of the neighbors whose lanes are set in `votes`; those lanes have the
 * items and slots. Loads ABREAST values at a time, so that the loads overlap, and adds in row
 * order. */
static __device__ __forceinline__ double add_neighbors(const brandes &b, unsigned votes,
                                                       uint32_t item, uint32_t shared, double sum) {
    const int lane = fri_lane();
    while (votes) {
        double value[ABREAST];
        FRI_UNROLL
        for (int k = 0; k < ABREAST; k++) {
            const int from = votes ? __ffs((int)votes) - 1 : 0;
            const uint32_t neighbor = __shfl_sync(FRI_FULL_MASK, item, from);
            const uint32_t bits = __shfl_sync(FRI_FULL_MASK, shared, from);
            const bool mine = votes && (bits >> lane & 1);
            value[k] = mine ? b.paths[(int64_t)neighbor * b.w.slots + lane] : 0;
            votes &= votes - 1;
        }
        FRI_UNROLL
        for (int k = 0; k < ABREAST; k++)
            sum += value[k];
    }
    return sum;
}

/* The sum for this lane's source over the neighbors that `there` has for it. */
template <class O>
static __device__ __forceinline__ double gather(const brandes &b, const fri_csr_view<O> &csr,
                                                const uint32_t *there, const fri_ms_bfs_row<O> &row,
                                                uint32_t slots) {
    const int lane = fri_lane();
    double sum = 0;
    for (O left = row.end - row.begin, e = row.begin; left; e += (O)row.step) {
        uint32_t item = 0, shared = 0;
        if ((O)lane < left) {
            item = row.base + (uint32_t)csr.targets[e + (O)lane];
            shared = slots & there[item];
        }
        const unsigned votes = __ballot_sync(FRI_FULL_MASK, shared != 0);
        sum = add_neighbors(b, votes, item, shared, sum);
        left = left > (O)row.step ? left - (O)row.step : 0;
    }
    return sum;
}

/* How a warp uses the sum of its entry. */
namespace {
struct count_paths {
    const uint32_t *fresh;
    __device__ __forceinline__ uint32_t slots_of(const brandes &, int64_t, uint32_t item) const {
        return fresh[item];
    }
    __device__ __forceinline__ void finish(const brandes &b, int64_t at, uint32_t item,
                                           uint32_t slots, double sum) const {
        if (slots >> fri_lane() & 1) {
            b.paths[(int64_t)item * b.w.slots + fri_lane()] = sum;
            if (!(sum <= DBL_MAX))
                fri_racy_store(&b.control[TOO_MANY_PATHS], 1); /* racy: all store 1 */
        }
        if (fri_lane() == 0)
            fri_ms_bfs_settle(b.w, at, item, slots);
    }
};

struct add_dependencies {
    uint32_t *word; /* gets the slots of this level */
    __device__ __forceinline__ uint32_t slots_of(const brandes &b, int64_t at, uint32_t) const {
        return b.w.list[at].slots;
    }
    __device__ __forceinline__ void finish(const brandes &b, int64_t, uint32_t item, uint32_t slots,
                                           double sum) const {
        double dependency = 0;
        if (slots >> fri_lane() & 1) {
            double *own = &b.paths[(int64_t)item * b.w.slots + fri_lane()];
            dependency = sum * *own;
            *own = (1 + dependency) / *own;
        }
        for (int d = FRI_WARP / 2; d; d /= 2)
            dependency += __shfl_xor_sync(FRI_FULL_MASK, dependency, d);
        if (fri_lane() == 0) {
            b.score[item] += dependency;
            word[item] = slots;
        }
    }
};
} // namespace

/* Processes the entries of a level, one per warp, and those with long rows one per block. */
template <class O, class T>
static __device__ __forceinline__ void each_entry(const brandes &b, const fri_csr_view<O> &csr,
                                                  const uint32_t *there, int32_t level,
                                                  const T &task) {
    FRI_SHARED(double, part, FRI_MS_BFS_BLOCK);
    const fri_ms_bfs &w = b.w;
    const int64_t end = (int64_t)w.bounds[level + 1];
    const int own = fri_warp();
    for (int64_t first = fri_ms_bfs_first(w, level); first < end;
         first = fri_ms_bfs_place(first, FRI_MS_BFS_WARPS)) {
        const fri_ms_bfs_rows<O> rows = fri_ms_bfs_rows_from(w, csr, first, end);
        const int64_t at = fri_ms_bfs_place(first, own);
        if (at < end && !(rows.longs >> own & 1)) {
            const fri_ms_bfs_row<O> row = fri_ms_bfs_row_of(w, rows, own);
            const uint32_t slots = task.slots_of(b, at, row.item);
            task.finish(b, at, row.item, slots, gather(b, csr, there, row, slots));
        }
        for (unsigned longs = rows.longs; longs; longs &= longs - 1) {
            const int i = __ffs((int)longs) - 1;
            const fri_ms_bfs_row<O> row = fri_ms_bfs_row_of(w, rows, i);
            const uint32_t slots = task.slots_of(b, fri_ms_bfs_place(first, i), row.item);
            part[threadIdx.x] = gather(b, csr, there, row, slots);
            __syncthreads(); /* all warps' sums are written, and the slots read */
            double sum = 0;
            for (int k = 0; k < FRI_MS_BFS_WARPS && own == i; k++)
                sum += part[k * FRI_WARP + fri_lane()];
            if (own == i)
                task.finish(b, at, row.item, slots, sum);
            __syncthreads(); /* the sums are read before the next ones are written */
        }
    }
}

template <class O>
static __global__ void __launch_bounds__(FRI_MS_BFS_BLOCK)
    count_kernel(brandes b, fri_csr_view<O> in, int32_t level, const uint32_t *before,
                 const uint32_t *fresh) {
    fri_ms_bfs_open_level(b.w, level);
    each_entry(b, in, before, level, count_paths{fresh});
}

template <class O>
static __global__ void __launch_bounds__(FRI_MS_BFS_BLOCK)
    depend_kernel(brandes b, fri_csr_view<O> out, int32_t level, bool clears, const uint32_t *after,
                  uint32_t *word, uint32_t *old) {
    if (clears)
        fri_ms_bfs_clear(b.w, old, (int64_t)level + 2);
    each_entry(b, out, after, level, add_dependencies{word});
}

/* A source has one path to itself. */
static __global__ void source_paths_kernel(brandes b, int32_t count) {
    const int64_t i = fri_thread_of_grid();
    if (i < count)
        b.paths[(int64_t)b.w.list[i].item * b.w.slots + i % b.w.slots] = 1;
}

static __global__ void add_groups_kernel(brandes b) {
    const int64_t v = fri_thread_of_grid();
    if (v >= b.w.n)
        return;
    double sum = 0;
    for (int64_t item = v; item < b.w.items; item += b.w.n)
        sum += b.score[item];
    b.score[v] = sum;
}

/* ---- host -------------------------------------------------------------------------------- */

static size_t path_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_ms_bfs_items(g) * fri_ms_bfs_slots(g), sizeof(double)));
}
static size_t score_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_ms_bfs_items(g), sizeof(double)));
}
static size_t source_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_ms_bfs_sources(g), sizeof(int32_t)));
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_ms_bfs_bytes(g) + path_bytes(g) + score_bytes(g) + source_bytes(g);
}

static brandes brandes_of(const fri_gpu *g) {
    char *at = g->scratch;
    brandes b = {};
    b.w = fri_ms_bfs_carve(g, &at);
    b.paths = (double *)fri_carve(&at, path_bytes(g));
    b.score = (double *)fri_carve(&at, score_bytes(g));
    b.sources = (int32_t *)fri_carve(&at, source_bytes(g));
    b.control = g->control;
    return b;
}

static void settle(fri_gpu *g, const fri_ms_bfs &w, int32_t level, void *arg) {
    const brandes &b = *(const brandes *)arg;
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((count_kernel<O>), fri_ms_bfs_grid(g), FRI_MS_BFS_BLOCK, b,
                                  fri_csr_view_of<O>(g->in), level, w.word[(level + 2) % 3],
                                  w.word[level % 3]));
}

/* Sums the dependencies from the deepest level to level 1. */
static fr_status walk_back(fri_gpu *g, const brandes &b, int32_t levels) {
    const fri_ms_bfs &w = b.w;
    for (uint32_t *word : w.word)
        FRI_GPU_TRY(fri_ms_bfs_zero(g, word, w.items));
    for (int32_t d = levels - 1; d > 0; d--)
        FRI_BY_OFFSET_TYPE(g, FRI_RUN((depend_kernel<O>), fri_ms_bfs_grid(g), FRI_MS_BFS_BLOCK, b,
                                      fri_csr_view_of<O>(g->out), d, d + 2 < levels,
                                      w.word[(d + 1) % 3], w.word[d % 3], w.word[(d + 2) % 3]));
    return FR_OK;
}

static fr_status check_paths(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_read_control(g, TOO_MANY_PATHS, 1));
    return g->host_control[TOO_MANY_PATHS]
               ? fri_fail(g->job->ctx, FR_OVERFLOW,
                          "the number of shortest paths does not fit double")
               : FR_OK;
}

static fr_status run_batch(fri_gpu *g, brandes *b, const int32_t *sources, int64_t first,
                           int32_t count, int64_t total) {
    const fri_ms_bfs_task task = {settle, b, "computing betweenness", first, total};
    int32_t levels;
    if (sources)
        FRI_GPU_TRY(
            fri_gpu_send(g, b->sources, sources + first, fri_bytes(count, sizeof *sources)));
    FRI_GPU_TRY(fri_ms_bfs_begin(g, b->w, sources ? b->sources : nullptr, (int32_t)first, count));
    FRI_RUN_EACH(source_paths_kernel, count, FRI_MS_BFS_BLOCK, *b, count);
    FRI_GPU_TRY(fri_ms_bfs_run(g, b->w, task, &levels));
    FRI_GPU_TRY(check_paths(g));
    return walk_back(g, *b, levels);
}

static fr_status run(fri_gpu *g, const int32_t *sources, int64_t count, double *score) {
    const int64_t batch = fri_ms_bfs_sources(g);
    brandes b = brandes_of(g);
    FRI_GPU_TRY(fri_gpu_zero(g, b.score, score_bytes(g)));
    for (int64_t first = 0; first < count; first += batch)
        FRI_GPU_TRY(
            run_batch(g, &b, sources, first, (int32_t)FRI_MIN(batch, count - first), count));
    FRI_RUN_EACH(add_groups_kernel, g->n, FRI_MS_BFS_BLOCK, b);
    FRI_GPU_TRY(fri_gpu_wait(g, "computing betweenness"));
    const int size = sizeof *score;
    const fri_gpu_output outputs[] = {{score, b.score, g->n, size, size}};
    return fri_gpu_download_results(g, outputs, 1, false, nullptr);
}

FRI_GPU_CALL_STRATEGY(strategy, "betweenness", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES, device_scratch);

extern "C" fr_status fri_gpu_betweenness(fr_ctx *ctx, const fr_graph *graph, const int32_t *sources,
                                         int64_t count, double *score) {
    fri_gpu_call call;
    fri_gpu *g;
    if (!graph->csr.n)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    fr_status status = fri_ms_bfs_plan(&call, count);
    if (!status)
        status = fri_gpu_call_open(&call, &g);
    if (!status)
        status = run(g, sources, count, score);
    fri_gpu_call_close(&call);
    return status;
}
