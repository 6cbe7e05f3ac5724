/* Levels from many sources at once: one bit per source in the words of every vertex.
 *
 * Source and idea: bfs/many/state.cuh, the multi-source BFS that does the work; on deep graphs bfs/many/blocks.cuh.
 * Differs: rows are written as bits are found, 32 vertices of a row together. Of a query with targets and
 *   without parents no row is made: the levels of the targets are read from the frontiers. A limit ends
 *   the levels. Parents are found after the levels: the first in-neighbor a level nearer, which is the
 *   smallest where in-edges are sorted; in-edges of a directed graph, which the device may have built in
 *   any order, are all examined if the smallest is asked for.
 * Needs: in-edges; unit weights.
 * Scratch, work, launches, atomics: bfs/many/state.cuh; 4 bytes per vertex for targets.
 * Good at: hundreds of sources.
 * Bad at: few sources. */
#include "cuda/bfs/many/run.cuh"
#include "cuda/drivers/apsp.h"

enum { SOURCES, PULL, BLOCK, CHUNK, BLOCKS };
enum { MAX_CHUNK = 1 << 20, FILL_BLOCK = 256 };
enum { USUAL_PULL = 3, USUAL_CHUNK = 1024 };
enum { FEW_EDGES = 16 /* that a lane tests for a parent before its warp does */ };

template <class T> static __global__ void fill_kernel(T *at, int64_t count, T value) {
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = fri_thread_of_grid(); i < count; i += step)
        at[i] = value;
}

namespace {
template <class T> struct tree {
    fri_csr_view<int64_t> in;
    int32_t n;
    bool all;        /* examine all in-edges for the smallest parent */
    const T *dist;   /* [rows][n] */
    int32_t *parent; /* the same */
};
} // namespace

/* Whole warp: the parent of the vertex whose level is `depth` and whose in-edges are e .. end - 1. */
template <class T>
static __device__ __forceinline__ int32_t find_parent(const tree<T> &t, const T *row, T depth,
                                                      int64_t e, int64_t end) {
    int32_t parent = INT32_MAX;
    for (; e < end; e += FRI_WARP) {
        const int32_t u = e + fri_lane() < end ? t.in.targets[e + fri_lane()] : -1;
        const bool hit = u >= 0 && row[u] == depth - 1;
        const unsigned hits = __ballot_sync(FRI_FULL_MASK, hit);
        if (hit && u < parent)
            parent = u;
        if (hits && !t.all)
            return __shfl_sync(FRI_FULL_MASK, u, __ffs((int)hits) - 1);
    }
    return -fri_warp_max(-parent);
}

/* A vertex per thread, whole warps, and a row per blockIdx.y; lanes search short rows alone. */
template <class T> static __global__ void parents_kernel(tree<T> t, int32_t rows) {
    const int64_t v = fri_thread_of_grid();
    for (int32_t r = (int32_t)blockIdx.y; r < rows; r += (int32_t)gridDim.y) {
        const T *row = t.dist + (int64_t)r * t.n,
                unreached = sizeof(T) == 4 ? (T)INT32_MAX : (T)INT64_MAX;
        const T depth = v < t.n ? row[v] : unreached;
        const bool searches = depth > 0 && depth != unreached;
        const int64_t begin = searches ? t.in.offsets[v] : 0,
                      end = searches ? t.in.offsets[v + 1] : 0;
        int32_t parent = searches ? INT32_MAX : depth == 0 ? (int32_t)v : -1;
        for (int64_t e = begin; e < end && e < begin + FEW_EDGES; e++) {
            const int32_t u = t.in.targets[e];
            if (row[u] == depth - 1 && u < parent)
                parent = u;
            if (parent != INT32_MAX && !t.all)
                break;
        }
        const bool more = searches && end - begin > FEW_EDGES && (t.all || parent == INT32_MAX);
        for (unsigned left = __ballot_sync(FRI_FULL_MASK, more); left; left &= left - 1) {
            const int lane = __ffs((int)left) - 1;
            const int32_t found = find_parent(t, row, __shfl_sync(FRI_FULL_MASK, depth, lane),
                                              __shfl_sync(FRI_FULL_MASK, begin, lane) + FEW_EDGES,
                                              __shfl_sync(FRI_FULL_MASK, end, lane));
            if (fri_lane() == lane && found < parent)
                parent = found;
        }
        if (v < t.n)
            t.parent[(int64_t)r * t.n + v] = parent;
    }
}

/* ---- host -------------------------------------------------------------------------------- */

static int32_t chunk_of(const fri_gpu *g) {
    return (int32_t)FRI_MIN(g->job->knob[CHUNK], (double)MAX_CHUNK);
}
static fri_many<int64_t> carve(const fri_gpu *g, int words, char **at, int32_t **targets,
                               size_t *zeroed) {
    fri_carve_array(at, targets, g->n);
    fri_level_record *trace = fri_gpu_carve_trace(g, at);
    fri_many<int64_t> p = fri_many_carve<int64_t>(g, words, chunk_of(g), at, zeroed);
    p.trace = trace;
    return p;
}
static size_t device_scratch(const fri_gpu *g) {
    static char none;
    char *at = &none;
    int32_t *targets;
    size_t zeroed;
    carve(g, fri_many_words(g->apsp.together), &at, &targets, &zeroed);
    return (size_t)(at - &none);
}
static int32_t max_rows(const fri_gpu *g) { return (int32_t)g->job->knob[SOURCES]; }

static fr_status start_query(fri_gpu *g) {
    const fr_query *q = &g->job->in->query;
    char *at = g->scratch;
    int32_t *targets;
    fri_carve_array(&at, &targets, g->n);
    return g->job->columns
               ? fri_gpu_upload(g, targets, q->targets, fri_bytes(q->target_count, sizeof *targets))
               : FR_OK;
}

static void fill(fri_gpu *g, void *at, int64_t count, bool wide) {
    const unsigned blocks =
        FRI_MIN(fri_gpu_blocks(count, FILL_BLOCK), 32u * (unsigned)g->multiprocessors);
    if (wide)
        FRI_RUN(fill_kernel<int64_t>, blocks, FILL_BLOCK, (int64_t *)at, count, INT64_MAX);
    else
        FRI_RUN(fill_kernel<int32_t>, blocks, FILL_BLOCK, (int32_t *)at, count, INT32_MAX);
}

template <class T> static void find_parents(fri_gpu *g, int32_t count) {
    const bool min = g->job->in->query.parent_rule == FR_PARENT_MIN_ID;
    const tree<T> t = {fri_csr_view_of<int64_t>(g->in), g->n, min && !g->job->csr.symmetric,
                       (const T *)g->dist, g->parent};
    FRI_RUN((parents_kernel<T>),
            dim3(fri_gpu_blocks(g->n, FILL_BLOCK), (unsigned)FRI_MIN(count, 65535)), FILL_BLOCK, t,
            count);
}

static int32_t limit_of(const fr_query *q) {
    return !fri_limits_distance(q) || q->max_distance >= INT32_MAX ? INT32_MAX
                                                                   : (int32_t)q->max_distance;
}

/* Whether knobs that only words of all sources have are set, and none that only blocks have. */
static bool wants_words(const fri_job *job) {
    return job->knob[BLOCKS] == FR_KNOB_AUTO &&
           (job->knob[PULL] != USUAL_PULL || job->knob[CHUNK] != USUAL_CHUNK);
}

template <int W>
static fr_status run(fri_gpu *g, int64_t first, int32_t count, fri_many_control *end) {
    fri_job *job = g->job;
    const bool wide = job->in->dist_type == FR_TYPE_I64;
    const int threads = fri_gpu_threads_per_block(g, BLOCK, FRI_MANY_THREADS);
    char *at = g->scratch;
    int32_t *targets;
    size_t zeroed;
    fri_many<int64_t> p = carve(g, W, &at, &targets, &zeroed);
    const fri_many_rows rows = {job->columns ? nullptr : g->dist, wide, g->n, p.control->late};
    p.count = count;
    p.sources = g->sources;
    p.pull = job->knob[PULL];
    p.limit = limit_of(&job->in->query);
    p.aligns = p.limit == INT32_MAX;
    if (job->columns) {
        p.targets = targets;
        p.target_count = job->in->query.target_count;
        p.table = g->dist;
        p.wide = wide;
    }
    fill(g, g->dist, count * (job->columns ? p.target_count : g->n), wide);
    const fri_many_phase phase = {"traversing", first, fri_job_rows(job)};
    const fri_block_knobs knobs = {BLOCKS, BLOCK};
    const fr_status status =
        !wants_words(job) && fri_block_pays(g, knobs, count, p.limit, p.target_count)
            ? fri_block_run(g, p, W, zeroed, knobs, rows, phase, end)
            : fri_many_run<W>(g, p, zeroed, rows, threads, phase, end);
    if (!status)
        fri_many_learn(g, end, p.limit);
    return status;
}

static fr_status solve_rows(fri_gpu *g, int64_t first, int32_t count) {
    fr_stats *stats = &g->job->out->stats;
    fri_many_control end;
    fr_status status;
    switch (fri_many_words(count)) {
    case 1: status = run<1>(g, first, count, &end); break;
    case 2: status = run<2>(g, first, count, &end); break;
    case 4: status = run<4>(g, first, count, &end); break;
    case 8: status = run<8>(g, first, count, &end); break;
    default: status = run<16>(g, first, count, &end);
    }
    FRI_GPU_TRY(status);
    stats->edges_examined += (int64_t)end.examined;
    stats->levels = FRI_MAX(stats->levels, end.deepest);
    if (g->parent && g->job->in->dist_type == FR_TYPE_I64)
        find_parents<int64_t>(g, count);
    else if (g->parent)
        find_parents<int32_t>(g, count);
    return FR_OK;
}

static const fr_knob knobs[] = {
    {"sources", 512, 1, 1024, "sources per pass; 64 per word, a power of two of words"},
    {"pull", USUAL_PULL, 0, 1e9,
     "bottom-up when open vertices' in-edges < this * active edges and words; 0: never"},
    {"block", FR_KNOB_AUTO, 32, FRI_MANY_THREADS,
     "threads per block, whole warps; default by vertices"},
    {"chunk", USUAL_CHUNK, 1, 1e9,
     "edges of a longer row that a warp takes at a time; at most 1048576"},
    {"blocks", FR_KNOB_AUTO, 0, FRI_BLOCK_MOST,
     "blocks per multiprocessor, each with a source; 0: all with all sources, in words of bits; "
     "default by "
     "predicted times, and 0 with another pull or chunk"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {.scratch = device_scratch,
                                             .start_query = start_query,
                                             .solve_rows = solve_rows,
                                             .max_batch = max_rows};

FRI_GPU_STRATEGY(fri_gpu_apsp_multi_bfs) = {
    .name = "multi-bfs",
    .source = "Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the "
              "merrier, VLDB 2014",
    .text = "breadth-first levels from up to 1024 sources at once, one bit each; unit weights",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_IN_EDGES | FRI_SEPARATE_ROWS | FRI_GATHERS_COLUMNS,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    .scratch = fri_gpu_apsp_scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .check = fri_job_refuse_weights,
    .prepare = fri_gpu_prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_apsp_run,
};
