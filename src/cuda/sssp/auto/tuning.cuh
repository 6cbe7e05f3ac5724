/* Knobs of SSSP `auto` on the GPU, and their defaults by the graph.
 *
 * The defaults are the fastest values measured on an H200 on nine graphs (docs/performance.md); the
 * explanations are hypotheses. Roads and lattices have many small rounds, so blocks continue alone
 * for many hops, on a three-dimensional grid for fewer. If hubs have most edges, a block that
 * continues alone waits for its longest row, many vertices fall within a window of the usual width,
 * and a round of few vertices takes long while most of the GPU is idle: on a LiveJournal-like graph,
 * cnr-2000 and a wiki-Talk-like one advance_below of 32 per block was as fast as or faster than 16.
 * On long even rows an adaptive window would only narrow. The rule for even rows of 4 to 24 edges is
 * based on the three-dimensional grid alone. The defaults are not the best everywhere. */
#ifndef FRI_CUDA_SSSP_AUTO_TUNING_CUH
#define FRI_CUDA_SSSP_AUTO_TUNING_CUH

#include "cuda/sssp/auto/common.cuh"
#include "graph/graph.h"

#include <stdlib.h>

enum {
    KNOB_DELTA,
    KNOB_ADAPT,
    KNOB_ADVANCE_BELOW,
    KNOB_HOPS,
    KNOB_BLOCK_QUEUE_LIMIT,
    KNOB_BLOCKS_MAX,
    KNOB_TEST,
    KNOB_PACK_PARENTS,
    KNOB_PULL_DIVISOR,
    KNOB_WINDOWS,
    KNOB_WINDOW,
    KNOB_PULL,
    KNOB_GRID_THREADS,
    KNOB_BLOCKS_PER_SM,
    KNOB_SHRINK_ABOVE,
    KNOB_PACK_WEIGHTS,
    KNOB_SLOTS
};

/* Degrees: roads have fewer than SPARSE_DEGREE, pulling pays from DENSE_DEGREE on; rows are even if
 * edge_biased_degree is at most SKEW_FACTOR times the mean degree. */
static const double SPARSE_DEGREE = 4, DENSE_DEGREE = 24, SKEW_FACTOR = 4;
static const double EDGES_IN_WINDOW = 0.33;
/* Half of an H200's L2: each half serves half of the GPU. */
static const double SLOTS_IN_CACHE = 25e6;
/* Edges whose degrees and weights are sampled; the window is a small quantile of the weights. */
static const int SAMPLES = 1024, WEIGHT_SAMPLES = 16384, MAX_WINDOWS = 64;
/* Graphs with hubs, so many vertices and such a mean degree get windows; undirected ones whose weights are
 * packed, so that many edges are equal, only larger ones: their pulls end early. */
#ifdef FRI_SIMT /* both ways occur on small graphs */
enum { WINDOW_VERTICES = 48, WINDOW_VERTICES_PACKED = 48, WINDOW_DEGREE = 2 };
static const int WINDOW_VERTICES_SEVERAL = 48;
static const double WINDOW_SKEW = 0;
#else
enum { WINDOW_VERTICES = 1 << 21, WINDOW_VERTICES_PACKED = 1 << 22, WINDOW_DEGREE = 12 };
static const int WINDOW_VERTICES_SEVERAL = 1 << 20;
static const double WINDOW_SKEW = SKEW_FACTOR;
#endif

static const fr_knob knobs[] = {
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
     "initial width of the window; default 4 mean weight / mean degree, 1/16 of it if hubs "
     "have most edges"},
    {"adapt", FR_KNOB_AUTO, 0, 1,
     "1: double or halve delta by the vertices left in the window; 0: keep it; default 0 on "
     "even rows of mean degree 24 or more, else 1"},
    {"advance_below", FR_KNOB_AUTO, 0, 1e9,
     "vertices left in the window below which it advances; default 8 per block, 32 if hubs have "
     "most edges; 0: when it is empty"},
    {"hops", FR_KNOB_AUTO, 0, 1e6,
     "hops of a block between grid barriers; default 24 below mean degree 4, 6 below 24, else "
     "12, but 0 (none) if hubs have most edges"},
    {"block_queue_limit", FR_KNOB_AUTO, 0, 1e6,
     "vertices in a block's queue above which it leaves them to the whole grid; default 512 on "
     "even rows of mean degree below 24, else 128"},
    {"blocks_max", FR_KNOB_AUTO, 0, 1e9,
     "pending vertices up to which blocks continue alone; default 128 per block"},
    {"test", 1, 0, 2, "compare before an atomic: 0 never, 1 in rounds of the whole grid, 2 always"},
    {"pack_parents", 1, 0, 1,
     "1: parents are packed with 32-bit distances in one word; 0: a pass over all edges"},
    {"pull_divisor", FR_KNOB_AUTO, 0, 1e9,
     "undirected graphs pull while more than n / pull_divisor vertices are pending; 0: never; "
     "default 16 from mean degree 24 on, else 0"},
    {"windows", FR_KNOB_AUTO, 0, MAX_WINDOWS,
     "windows over rows sorted by weight, then one pull, of directed graphs over in-edges made for "
     "it; given up after so many windows; 0: never; default 64 from 2^21 vertices and mean degree "
     "12 on if hubs have most edges, memory suffices and a directed graph has several queries, "
     "else 0"},
    {"window", FR_KNOB_AUTO, 1e-300, 1e300,
     "width of such a window; default: a vertex has a third of an edge within it on average"},
    {"pull", 32, 0, 1e9,
     "pull once the edges into unreached vertices are fewer than this times a window's"},
    {"grid_threads", FR_KNOB_AUTO, 32, FRI_GRID_THREADS,
     "threads per block, whole warps; default 512, with slots 256 at most, fewer on graphs below "
     "8,192 vertices"},
    {"blocks_per_sm", FRI_GRID_BLOCKS_PER_SM, 1, FRI_GRID_BLOCKS_PER_SM,
     "blocks per multiprocessor, if they fit"},
    {"shrink_above", FR_KNOB_AUTO, 0, 1e9,
     "pending vertices above which an adaptive window shrinks, except for those that a scan "
     "found; default 128 per block, on even rows 1e9: never"},
    {"pack_weights", 1, 0, 1,
     "1: small whole weights, of any type, are packed into the targets' words, and distances are "
     "computed as int32 if these hold them exactly; 0: separate words"},
    {"slots", FR_KNOB_AUTO, 0, 2,
     "1: blocks that continue alone read rows of up to four edges from slots, without offsets; "
     "2: these are prefetched and leave the cache early; default 1 where edges begin in rows of at "
     "most four on average, 2 if slots and distances take 25 MB or more there, else 0"},
    {nullptr, 0, 0, 0, nullptr}};

static double mean_degree(const fri_gpu *g) {
    return g->m > g->n ? (double)g->m / (double)g->n : 1;
}
/* Pulling over all vertices pays if rows have about a warp's width of edges or more. */
static double pull_divisor(const fri_gpu *g) {
    return fri_job_knob(g->job, KNOB_PULL_DIVISOR, mean_degree(g) >= DENSE_DEGREE ? 16 : 0);
}
/* Windows on sorted rows, at most; 0: near and far (choose_rows). A directed graph that
 * has them has in-rows, too. */
static inline int32_t max_windows(const fri_gpu *g) { return (int32_t)g->job->knob[KNOB_WINDOWS]; }

/* The mean degree of edges' sources, over edges at even distances in the array: the mean degree if
 * rows are even, many times that if hubs have most edges. */
static double edge_biased_degree(const fr_csr *csr) {
    double sum = 0;
    int64_t count = FRI_MIN(csr->m, (int64_t)SAMPLES);
    for (int64_t i = 0; i < count; i++) {
        int64_t e = (int64_t)((double)csr->m * ((double)i + 0.5) / (double)count);
        int32_t v = 0, end = csr->n;
        while (end - v > 1) { /* the last row that begins at or before e */
            int32_t mid = v + (end - v) / 2;
            if (csr->offsets[mid] <= e)
                v = mid;
            else
                end = mid;
        }
        sum += (double)(csr->offsets[v + 1] - csr->offsets[v]);
    }
    return count ? sum / (double)count : 0;
}

static double hub_degree(const fri_job *job) {
    return job->csr_on_device_only ? job->in->graph->edge_degree : edge_biased_degree(&job->csr);
}

/* The shift at which small whole weights, of any type, are packed above the vertex id in a target's word; 0 if
 * they do not fit. */
static int weight_shift(const fri_job *job) {
    int shift = 1;
    const int64_t ids = (int64_t)job->csr.n + (job->knob[KNOB_SLOTS] > 0); /* n: a longer row */
    while (shift < 31 && (int64_t)1 << shift < ids)
        shift++;
    bool fits = job->csr.weights && job->weights_whole && job->weight_min >= 0 &&
                job->weight_max < (double)((int64_t)1 << (32 - shift));
    return fits && (int)job->knob[KNOB_PACK_WEIGHTS] ? shift : 0;
}

static int compare_weights(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The width within which a vertex has EDGES_IN_WINDOW edges on average: a quantile of the weights, at even
 * distances in the array. `usual`: where weights cannot be read or so many are 0. */
static double window_of(const fri_gpu *g, double usual) {
    const fr_csr *csr = &g->job->csr;
    if (g->job->csr_on_device_only || !csr->weights || csr->m == 0)
        return usual;
    double *weight = (double *)malloc(WEIGHT_SAMPLES * sizeof *weight);
    if (!weight)
        return usual;
    for (int i = 0; i < WEIGHT_SAMPLES; i++)
        weight[i] = fri_csr_weight(csr, (int64_t)((double)csr->m * (i + 0.5) / WEIGHT_SAMPLES));
    qsort(weight, (size_t)WEIGHT_SAMPLES, sizeof *weight, compare_weights);
    const int at = (int)(WEIGHT_SAMPLES * EDGES_IN_WINDOW / mean_degree(g));
    const double width = weight[FRI_MIN(at, WEIGHT_SAMPLES - 1)];
    free(weight);
    return width > 0 ? width : usual;
}

/* When the solver is made: whether rows have slots, and whether queries push windows of sorted rows; `several` at once,
 * each on a part of the GPU, on smaller graphs, too. One query alone does not pay for the in-rows of a directed graph. */
static inline void choose_rows(fri_job *job, bool several) {
    const double mean = (double)job->csr.m / FRI_MAX(job->csr.n, 1);
    const bool short_rows = job->csr.m > 0 && mean <= SLOT_EDGES && hub_degree(job) <= SLOT_EDGES;
    const bool separate = job->csr.weights && !weight_shift(job); /* else int32 distances */
    const size_t edge = 4 + (separate ? fr_type_size(job->csr.weight_type) : 0);
    const size_t vertex = SLOT_EDGES * edge + (separate ? fr_type_size(job->in->dist_type) : 4);
    const int slots = (double)job->csr.n * (double)vertex < SLOTS_IN_CACHE ? 1 : 2;
    job->knob[KNOB_SLOTS] = fri_job_knob(job, KNOB_SLOTS, short_rows ? slots : 0);
    const bool packed = job->csr.symmetric && weight_shift(job) > 0;
    const int alone = packed ? WINDOW_VERTICES_PACKED : WINDOW_VERTICES;
    bool fit = mean >= WINDOW_DEGREE && job->csr.n >= (several ? WINDOW_VERTICES_SEVERAL : alone);
    fit = fit && (job->csr.symmetric || job->in->expected_queries != 1);
    if (fit)
        fit = hub_degree(job) > WINDOW_SKEW * mean;
    job->knob[KNOB_WINDOWS] = fri_job_knob(job, KNOB_WINDOWS, fit ? MAX_WINDOWS : 0);
}

/* Hops of a block between grid barriers. */
static double default_hops(bool even, double mean) {
    if (!even)
        return 0;
    return mean < SPARSE_DEGREE ? 24 : mean < DENSE_DEGREE ? 6 : 12;
}

/* Sets knobs left at their automatic value, by the graph. */
static void choose_knobs(fri_gpu *g) {
    fri_job *job = g->job;
    double mean = mean_degree(g), usual = 4 * job->weight_mean / mean;
    bool even = hub_degree(job) <= SKEW_FACTOR * mean;
    job->knob[KNOB_DELTA] =
        fri_job_knob(job, KNOB_DELTA, usual > 0 ? (even ? usual : usual / 16) : 1);
    job->knob[KNOB_WINDOW] = fri_job_knob(job, KNOB_WINDOW, window_of(g, usual > 0 ? usual : 1));
    job->knob[KNOB_ADAPT] = fri_job_knob(job, KNOB_ADAPT, !even || mean < DENSE_DEGREE);
    job->knob[KNOB_HOPS] = fri_job_knob(job, KNOB_HOPS, default_hops(even, mean));
    job->knob[KNOB_BLOCK_QUEUE_LIMIT] =
        fri_job_knob(job, KNOB_BLOCK_QUEUE_LIMIT, even && mean < DENSE_DEGREE ? 512 : 128);
    if (even)
        job->knob[KNOB_SHRINK_ABOVE] = fri_job_knob(job, KNOB_SHRINK_ABOVE, 1e9);
    else
        job->knob[KNOB_ADVANCE_BELOW] = fri_job_knob(
            job, KNOB_ADVANCE_BELOW, 32 * job->knob[KNOB_BLOCKS_PER_SM] * g->multiprocessors);
}

#endif
