/* Sums of dependencies for betweenness in a graph with positive weights: Brandes' algorithm from many
 * sources at once.
 *
 * Source: U. Brandes: A faster algorithm for betweenness centrality, Journal of Mathematical
 *   Sociology 25(2), 2001. Distances from many sources: centrality/weighted_searches.cuh. Dependencies
 *   pulled from successors: K. Madduri et al., IPDPS 2009.
 * Idea: an edge is tight for a source if it ends a shortest path. One pass over all edges counts the
 *   tight edges into each vertex. Layers follow: a vertex adds its number of paths to its successors
 *   and takes one from their counts; a vertex whose count becomes zero is in the next layer. All layers
 *   are kept, and from the last one back each vertex pulls the dependencies of its successors.
 * Differs: there are as many layers as the longest shortest path has vertices. Path counts are added by
 *   atomics in any order; below 2^53 the sums are exact, and so the same on every run. Dependencies are
 *   added in the order of the rows, and scores in the order of the sources.
 * Needs: weights above 0, none so small that adding it leaves a distance unchanged. Scratch per vertex
 *   and source of a batch: 32 bytes and 3 bits.
 * Work: for each batch its searches, then the edges three times per source.
 * Launches: 2 per layer. Atomics: 3 per tight edge, one per warp that lists vertices.
 * Good at: many sources. Bad at: thousands of layers of a few vertices each, whose launches take longer
 *   than their work. */
#include "core/gpu_interface.h"
#include "cuda/centrality/weighted_searches.cuh"
#include "cuda/device/results/results.h"
#include "cuda/prim/append.cuh"
#include "cuda/prim/distance.cuh"

#include <float.h>
#include <math.h>

/* Control words; those before belong to the searches. */
enum { TOO_MANY_PATHS = 8, NOT_LONGER = 9 };
/* LONG_ROW: all warps of a block share a row with more edges; BLOCKS: per multiprocessor; CHECK: the
 * most layers launched before the host reads their sizes. */
#ifdef FRI_SIMT
enum { LONG_ROW = 40, BLOCKS = 1, CHECK = 8 };
#else
enum { LONG_ROW = 512, BLOCKS = 8, CHECK = 64 };
#endif
enum { BLOCK = FRI_SEARCHES_BLOCK, WARPS = BLOCK / FRI_WARP };

namespace {
struct entry {
    int32_t vertex, source; /* source: its place in the batch */
};

struct brandes {
    fri_searches s;
    double *paths; /* [n][width] shortest paths; after its layer back: (1 + dependency) / paths */
    union {
        int32_t *pending; /* [n][width] tight edges into the vertex whose start has no paths yet */
        double *dependency; /* [n][width] the same memory, once all have */
    };
    entry *list;                      /* [n * width] by layer */
    unsigned long long *first, *size; /* [n + CHECK + 2] of each layer in the list */
    double *score;                    /* [n] */
    int32_t *control;
};

/* Out-edges with weights. */
template <class W> struct weighted_rows {
    fri_csr_view<int64_t> csr;
    const W *weights;
};
} // namespace

/* ---- counts of tight edges --------------------------------------------------------------- */

/* A warp per FRI_EDGES_PER_THREAD consecutive edges and group of 32 sources. */
template <class W>
static __global__ void __launch_bounds__(BLOCK)
    tight_kernel(brandes b, weighted_rows<W> out, int64_t m) {
    const fri_searches &s = b.s;
    const int64_t warp = fri_thread_of_grid() / FRI_WARP;
    const int32_t lane = (int32_t)(warp % s.groups) * FRI_WARP + fri_lane();
    int64_t e = warp / s.groups * FRI_EDGES_PER_THREAD;
    const int64_t end = e + FRI_EDGES_PER_THREAD < m ? e + FRI_EDGES_PER_THREAD : m;
    int32_t u = e < end ? fri_edge_source(out.csr.offsets, 0, s.n, e) : 0;
    bool not_longer = false;
    for (; e < end; e++) {
        u = fri_next_edge_source(out.csr.offsets, u, s.n, e);
        const double from = s.dist[(int64_t)u * s.width + lane];
        if (from == (double)INFINITY)
            continue;
        const double sum = from + (double)out.weights[e];
        const int64_t to = (int64_t)out.csr.targets[e] * s.width + lane;
        not_longer |= !(sum > from);
        if (sum == s.dist[to] && sum < (double)INFINITY)
            atomicAdd(&b.pending[to], 1); /* several edges into the vertex */
    }
    if (not_longer)
        fri_racy_store(&b.control[NOT_LONGER], 1); /* racy: all store 1 */
}

static __global__ void begin_kernel(brandes b) {
    const int64_t i = fri_thread_of_grid();
    if (i == 0) {
        b.first[0] = 0;
        b.size[0] = (unsigned long long)b.s.count;
    }
    if (i < b.s.count) {
        b.list[i] = {b.s.sources[i], (int32_t)i};
        b.paths[(int64_t)b.s.sources[i] * b.s.width + i] = 1;
    }
}

/* ---- layers ------------------------------------------------------------------------------- */

namespace {
/* An entry and the part of its row that a warp processes, 32 consecutive edges per step. */
struct share {
    entry at;
    double dist, paths;
    int64_t begin, end; /* the same in all lanes */
    int step;
};
} // namespace

static __device__ __forceinline__ int64_t cell(const brandes &b, int32_t vertex, int32_t source) {
    return (int64_t)vertex * b.s.width + source;
}

/* Whether an edge of the row is tight; *to: the cell at its end. */
template <class W>
static __device__ __forceinline__ bool is_tight(const brandes &b, const weighted_rows<W> &out,
                                                const share &row, int64_t e, int64_t *to) {
    *to = cell(b, out.csr.targets[e], row.at.source);
    const double sum = row.dist + (double)out.weights[e];
    return sum == b.s.dist[*to] && sum < (double)INFINITY;
}

namespace {
/* Forward: sends paths along tight edges, and lists the vertices that now have all of theirs. */
struct count_paths {
    unsigned long long *tail, begin; /* of the next layer: its size so far, its place in the list */

    template <class W>
    __device__ __forceinline__ double walk(const brandes &b, const weighted_rows<W> &out,
                                           const share &row) const {
        for (int64_t first = row.begin; first < row.end; first += row.step) {
            const int64_t e = first + fri_lane();
            int64_t to;
            bool ready = false;
            if (e < row.end && is_tight(b, out, row, e, &to)) {
                atomicAdd(&b.paths[to], row.paths);        /* several edges into the vertex */
                ready = atomicSub(&b.pending[to], 1) == 1; /* one edge is the last */
            }
            if (!__ballot_sync(FRI_FULL_MASK, ready))
                continue;
            const unsigned long long at = fri_warp_place(out.csr, ready ? 1ull : 0ull, tail);
            if (ready)
                b.list[begin + at] = {out.csr.targets[e], row.at.source};
        }
        return 0;
    }
    __device__ __forceinline__ void finish(const brandes &b, const share &row, double) const {
        if (fri_lane() == 0 && !(row.paths <= DBL_MAX))
            fri_racy_store(&b.control[TOO_MANY_PATHS], 1); /* racy: all store 1 */
    }
};

/* Backward: adds what the successors pass per path. */
struct add_dependencies {
    template <class W>
    __device__ __forceinline__ double walk(const brandes &b, const weighted_rows<W> &out,
                                           const share &row) const {
        double sum = 0;
        for (int64_t e = row.begin + fri_lane(); e < row.end; e += row.step) {
            int64_t to;
            if (is_tight(b, out, row, e, &to))
                sum += b.paths[to];
        }
        return fri_searches_warp_sum(sum);
    }
    __device__ __forceinline__ void finish(const brandes &b, const share &row, double sum) const {
        const int64_t own = cell(b, row.at.vertex, row.at.source);
        const double dependency = sum * row.paths;
        if (fri_lane() != 0)
            return;
        b.dependency[own] = dependency;
        b.paths[own] = (1 + dependency) / row.paths;
    }
};
} // namespace

/* `begin`, `end` of the row; is_long: all warps of the block divide its steps. */
static __device__ __forceinline__ share share_of(const brandes &b, entry at, int64_t begin,
                                                 int64_t end, bool is_long) {
    const int64_t own = cell(b, at.vertex, at.source);
    share row = {at, b.s.dist[own], b.paths[own], begin, end, FRI_WARP};
    if (is_long) {
        row.begin += fri_warp() * FRI_WARP;
        row.step = BLOCK;
    }
    return row;
}

/* Processes the entries of a layer, one per warp, and those with long rows one per block. */
template <class W, class T>
static __device__ __forceinline__ void each_entry(const brandes &b, const weighted_rows<W> &out,
                                                  int32_t layer, const T &task) {
    FRI_SHARED(double, part, WARPS);
    const int64_t end = (int64_t)(b.first[layer] + b.size[layer]);
    for (int64_t first = (int64_t)b.first[layer] + blockIdx.x; first < end;
         first += (int64_t)WARPS * gridDim.x) {
        /* lane i has the entry of warp i, so that all warps know which rows are long */
        const int64_t place = first + (int64_t)fri_lane() * gridDim.x;
        const bool some = fri_lane() < WARPS && place < end;
        const entry mine = some ? b.list[place] : entry{0, 0};
        const int64_t from = some ? out.csr.offsets[mine.vertex] : 0;
        const int64_t to = some ? out.csr.offsets[mine.vertex + 1] : 0;
        const unsigned there = __ballot_sync(FRI_FULL_MASK, some);
        const unsigned longs = __ballot_sync(FRI_FULL_MASK, to - from > LONG_ROW);
        for (unsigned left = longs | (there & 1u << fri_warp()); left; left &= left - 1) {
            const int i = __ffs((int)left) - 1;
            const bool is_long = longs >> i & 1;
            const entry at = {__shfl_sync(FRI_FULL_MASK, mine.vertex, i),
                              __shfl_sync(FRI_FULL_MASK, mine.source, i)};
            const share row = share_of(b, at, __shfl_sync(FRI_FULL_MASK, from, i),
                                       __shfl_sync(FRI_FULL_MASK, to, i), is_long);
            double sum = task.walk(b, out, row);
            if (is_long) {
                if (fri_lane() == 0)
                    part[fri_warp()] = sum;
                __syncthreads(); /* all warps' sums are written, and the entry's values read */
                sum = 0;
                for (int k = 0; k < WARPS && fri_warp() == 0; k++)
                    sum += part[k];
            }
            if (!is_long || fri_warp() == 0)
                task.finish(b, row, sum);
            if (is_long)
                __syncthreads(); /* the sums are read before the next ones are written */
        }
    }
}

template <class W>
static __global__ void __launch_bounds__(BLOCK)
    count_kernel(brandes b, weighted_rows<W> out, int32_t layer) {
    const unsigned long long next = b.first[layer] + b.size[layer];
    if (fri_thread_of_grid() == 0)
        b.first[layer + 1] = next;
    each_entry(b, out, layer, count_paths{&b.size[layer + 1], next});
}

template <class W>
static __global__ void __launch_bounds__(BLOCK)
    depend_kernel(brandes b, weighted_rows<W> out, int32_t layer) {
    each_entry(b, out, layer, add_dependencies{});
}

/* A warp per vertex; adds groups one after the other, so that scores do not depend on the batch. */
static __global__ void __launch_bounds__(BLOCK) score_kernel(brandes b) {
    const int64_t v = fri_thread_of_grid() / FRI_WARP;
    if (v >= b.s.n)
        return;
    double score = b.score[v];
    for (int32_t i = fri_lane(); i < b.s.width; i += FRI_WARP)
        score += fri_searches_warp_sum(b.dependency[v * b.s.width + i]);
    if (fri_lane() == 0)
        b.score[v] = score;
}

/* ---- host -------------------------------------------------------------------------------- */

static brandes carve(const fri_gpu *g, char **at) {
    const int64_t cells = fri_searches_cells(g), layers = (int64_t)g->n + CHECK + 2;
    brandes b = {};
    b.s = fri_searches_carve(g, at);
    fri_carve_array(at, &b.paths, cells);
    fri_carve_array(at, &b.dependency, cells);
    fri_carve_array(at, &b.list, cells);
    fri_carve_array(at, &b.first, layers);
    fri_carve_array(at, &b.size, layers);
    fri_carve_array(at, &b.score, g->n);
    b.control = g->control;
    return b;
}
static size_t device_scratch(const fri_gpu *g) { return fri_carved_bytes(g, carve); }

template <class W> static weighted_rows<W> rows_of(const fri_gpu *g) {
    return {fri_csr_view_of<int64_t>(g->out), (const W *)g->out.weights};
}

static unsigned layer_grid(const fri_gpu *g) { return (unsigned)(g->multiprocessors * BLOCKS); }

/* Counts the tight edges of a batch, whose distances are known, and makes its first layer. */
static fr_status begin(fri_gpu *g, const brandes &b) {
    const int64_t cells = (int64_t)b.s.n * b.s.width;
    const int64_t runs = (g->m + FRI_EDGES_PER_THREAD - 1) / FRI_EDGES_PER_THREAD;
    FRI_GPU_TRY(fri_gpu_zero(g, b.paths, fri_bytes(cells, sizeof *b.paths)));
    FRI_GPU_TRY(fri_gpu_zero(g, b.pending, fri_bytes(cells, sizeof *b.pending)));
    FRI_GPU_TRY(fri_gpu_zero(g, b.size, fri_bytes((int64_t)g->n + CHECK + 2, sizeof *b.size)));
    FRI_BY_WEIGHT(g, FRI_RUN_EACH((tight_kernel<W>), runs * b.s.groups * FRI_WARP, BLOCK, b,
                                  rows_of<W>(g), g->m));
    FRI_RUN_EACH(begin_kernel, b.s.count, BLOCK, b);
    FRI_GPU_TRY(fri_gpu_read_control(g, NOT_LONGER, 1));
    return g->host_control[NOT_LONGER]
               ? fri_fail(g->job->ctx, FR_UNSUPPORTED,
                          "a weight is so small that adding it leaves a distance unchanged")
               : FR_OK;
}

/* Launches layers until one is empty. *layers: those with entries. */
static fr_status walk_forward(fri_gpu *g, const brandes &b, int64_t done, int64_t total,
                              int32_t *layers) {
    unsigned long long size[CHECK];
    int32_t layer = 0, some = 1;
    for (bool more = true; more; some = FRI_MIN(2 * some, (int32_t)CHECK)) {
        int32_t filled = 0;
        FRI_GPU_TRY(fri_progress(g->job->ctx, "computing betweenness", done, total));
        for (int32_t i = layer; i < layer + some; i++)
            FRI_BY_WEIGHT(g, FRI_RUN((count_kernel<W>), layer_grid(g), BLOCK, b, rows_of<W>(g), i));
        FRI_GPU_TRY(fri_gpu_download(g, size, b.size + layer + 1, (size_t)some * sizeof *size));
        while (filled < some && size[filled])
            filled++;
        more = filled == some;
        layer += filled;
        if (more)
            FRI_GPU_TRY(fri_gpu_check_steps(g->job, "layers", layer, g->n));
    }
    *layers = layer + 1;
    FRI_GPU_TRY(fri_gpu_read_control(g, TOO_MANY_PATHS, 1));
    return g->host_control[TOO_MANY_PATHS]
               ? fri_fail(g->job->ctx, FR_OVERFLOW,
                          "the number of shortest paths does not fit double")
               : FR_OK;
}

/* The sources themselves, layer 0, get no dependency. */
static fr_status walk_back(fri_gpu *g, const brandes &b, int32_t layers) {
    FRI_GPU_TRY(
        fri_gpu_zero(g, b.dependency, fri_bytes((int64_t)b.s.n * b.s.width, sizeof *b.dependency)));
    for (int32_t layer = layers - 1; layer > 0; layer--)
        FRI_BY_WEIGHT(g,
                      FRI_RUN((depend_kernel<W>), layer_grid(g), BLOCK, b, rows_of<W>(g), layer));
    FRI_RUN_EACH(score_kernel, (int64_t)g->n * FRI_WARP, BLOCK, b);
    return FR_OK;
}

static fr_status run(fri_gpu *g, const int32_t *sources, int64_t count, double *score) {
    const int64_t batch = fri_searches_sources(g);
    int32_t layers;
    char *at = g->scratch;
    brandes b = carve(g, &at);
    FRI_GPU_TRY(fri_gpu_zero(g, b.score, fri_bytes(g->n, sizeof *b.score)));
    for (int64_t first = 0; first < count; first += batch) {
        FRI_GPU_TRY(fri_searches_run(g, &b.s, sources, first,
                                     (int32_t)FRI_MIN(batch, count - first),
                                     "computing betweenness", count));
        FRI_GPU_TRY(begin(g, b));
        FRI_GPU_TRY(walk_forward(g, b, first, count, &layers));
        FRI_GPU_TRY(walk_back(g, b, layers));
    }
    return fri_gpu_download_array(g, "computing betweenness", score, b.score, g->n, sizeof *score);
}

FRI_GPU_CALL_STRATEGY(strategy, "weighted-betweenness", FR_PROBLEM_SSSP, FRI_NEEDS_NON_NEGATIVE,
                      device_scratch);

fr_status fri_gpu_weighted_betweenness(fr_ctx *ctx, const fr_graph *graph, const int32_t *sources,
                                       int64_t count, double *score) {
    fri_gpu_call call;
    if (!graph->csr.n)
        return FR_OK;
    fri_searches_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, fri_searches_plan(&call, count),
                            [&](fri_gpu *g) { return run(g, sources, count, score); });
}
