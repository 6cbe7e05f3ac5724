/* All pairs by shortest paths from many sources, a block for each: `multi-sssp`, and `johnson` for negative
 * weights.
 *
 * Source: the searches: search.cuh; potentials: D. B. Johnson: Efficient algorithms for shortest paths in sparse
 *   networks, JACM 24(1), 1977.
 * Idea: search.cuh. `johnson`: one Bellman-Ford on the GPU from all sources of the query yields potentials h, and
 *   the weights w + h[u] - h[v], which are not negative, have the same shortest paths.
 * Differs: a search ends at the limit. Of a query with targets and without parents only their distances are kept.
 *   Potentials are computed from the query's own sources, so what they do not reach never counts, and a
 *   negative cycle that they reach is the result. Shifted sums are doubles, exact for integers if n
 *   times the largest weight is below 2^51; otherwise johnson refuses. For floats they only choose the
 *   paths, which the host adds up and corrects (drivers/apsp_parents.c). Parents are computed from
 *   the distances afterwards, the smallest of the nearer ones (finish.cuh). Where weights
 *   are negative, the rule for the smallest ones counts edges: the host applies it to each row
 *   (drivers/apsp_parents.c).
 * Needs: multi-sssp needs weights of at least 0.
 * Scratch: per block a distance and 3 bits per vertex.
 * Work: m per source, and corrections within windows. Launches: one, unless searches have more than 2^16 rounds.
 * Atomics: one per distance lowered, in shared memory one per warp that appends near vertices.
 * Good at: as many sources as blocks, and more.
 * Bad at: few sources (idle multiprocessors); graphs of millions of vertices and hubs, whose distances do not fit
 *   L2 for all blocks (each-sssp); dense graphs of a few thousand vertices (floyd-warshall). */
#include "cuda/apsp/multi_sssp/plan.cuh"

static fr_status check_fits(fri_gpu *g, const rows_control *end) {
    fr_type type = g->job->in->dist_type;
    if (end->lost)
        return fri_fail(
            g->job->ctx, FR_OVERFLOW,
            "the distance of vertex %d does not fit %s; request distances of type %s (dist_type)",
            end->lost - 1, fr_type_name(type),
            type == FR_TYPE_I32 || type == FR_TYPE_I64 ? "int64" : "float64");
    if (end->too_large)
        return fri_fail(g->job->ctx, FR_OVERFLOW,
                        "the distance of vertex %lld does not fit int32; request distances of type "
                        "int64 (dist_type)",
                        (INT64_MAX - end->too_large) & 0x7fffffff);
    return FR_OK;
}

/* Rows are searched in place, unless the caller gets targets, or values that are not the keys. */
template <class T>
static rows_batch<T> batch_of(const fri_gpu *g, const run_memory &m, int32_t count) {
    const run_state *s = (const run_state *)g->state;
    const fri_job *job = g->job;
    rows_batch<T> b = {};
    b.p = fri_sssp_view_of<T>(g);
    b.own = job->columns || s->shifted;
    b.p.dist = (typename T::K *)(b.own ? (void *)m.rows.dist : g->dist);
    b.p.cap = s->shifted ? T::unreached() - 1
                         : (typename T::K)fri_gpu_limit_key(g, job->in->query.max_distance);
    if (s->shifted)
        b.p.weights = (const typename T::W *)(const void *)s->weights;
    b.row = g->n;
    b.cell = 1;
    b.count = count;
    b.hub = (int32_t)job->knob[HUB];
    b.sources = g->sources;
    b.delta = s->delta;
    b.fill = job->knob[FILL];
    b.parent = g->parent;
    b.out = b.own ? g->dist : nullptr;
    b.type = job->in->dist_type;
    b.h = s->shifted ? s->h : nullptr;
    b.targets = job->columns ? m.targets : nullptr;
    b.target_count = job->in->query.target_count;
    return b;
}

template <class T> static fr_status solve(fri_gpu *g, int64_t first, int32_t count) {
    typedef typename T::K K;
    fri_job *job = g->job;
    rows_control end;
    char *at = g->scratch;
    const run_memory m = carve(g, &at);
    const rows_batch<T> b = batch_of<T>(g, m, count);
    if (!b.own)
        FRI_RUN((rows_fill_kernel<K>), (unsigned)(8 * g->multiprocessors), 256, b.p.dist,
                (int64_t)count * g->n, T::unreached());
    FRI_GPU_TRY(
        rows_run<T>(g, b, shape_of(g), m.rows, "traversing", first, fri_job_rows(job), &end));
    /* the host selects them: which parents are nearer, shifted distances do not show */
    if (g->parent && b.h && job->in->query.parent_rule == FR_PARENT_MIN_ID)
        fri_gpu_fill(g, g->apsp.parents_invalid, count, 1);
    job->out->stats.levels = FRI_MAX(job->out->stats.levels, end.rounds);
    return check_fits(g, &end);
}

static fr_status rows(fri_gpu *g, int64_t first, int32_t count) {
    fr_status status;
    FRI_BY_KIND(g, status = solve<T>(g, first, count));
    return status;
}

static const fr_knob knobs[] = {
    {"sources", FR_KNOB_AUTO, 1, 4096, "sources per batch; default 1024"},
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
     "width of the first window; default 4 mean weight / mean degree"},
    {"fill", ROWS_FILL, 0, 1e9,
     "vertices per round below which windows become wider; 0: they keep their width"},
    {"hub", ROWS_HUB, 32, ROWS_MOST_HUB,
     "degree above which all warps of a block share a vertex's edges"},
    {"block", FR_KNOB_AUTO, 32, ROWS_THREADS,
     "threads per block, whole warps; default 1024 / blocks, fewer on small graphs"},
    {"blocks", FR_KNOB_AUTO, 1, ROWS_MOST_BLOCKS,
     "blocks per multiprocessor, each with a source; default by sources and vertices"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {.scratch = device_scratch,
                                             .start_query = start_query,
                                             .solve_rows = rows,
                                             .max_batch = max_rows};

FRI_GPU_STRATEGY(fri_gpu_apsp_multi_sssp) = {
    .name = "multi-sssp",
    .source = "fringe; Davidson, Baxter, Garland, Owens, IPDPS 2014",
    .text = "near-far from many sources, a block of the GPU for each; weights of at least 0",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_NON_NEGATIVE | FRI_SEPARATE_ROWS | FRI_GATHERS_COLUMNS,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS),
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = device_bytes,
    .prepare = prepare,
    .release = release,
    .run = fri_gpu_apsp_run,
};

static fr_status run_johnson(fri_job *job) {
    FRI_GPU_TRY(job->weight_min < 0 ? fri_refuse_min_parents_of_floats(job) : FR_OK);
    return fri_gpu_apsp_run(job);
}

FRI_GPU_STRATEGY(fri_gpu_apsp_johnson) = {
    .name = "johnson",
    .source = "Johnson, JACM 24(1), 1977",
    .text = "potentials by Bellman-Ford if weights are negative, then multi-sssp",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_REFUSES_I64,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS),
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = device_bytes,
    .check = check_sums,
    .prepare = prepare,
    .release = release,
    .run = run_johnson,
};
