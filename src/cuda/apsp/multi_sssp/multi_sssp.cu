/* All pairs by shortest paths from a batch of sources at once: `multi-sssp`, and `johnson` for
 * negative weights.
 *
 * Source: batches: fringe, after M. Then et al., The more the merrier, VLDB 2014, for levels; the
 *   threshold: A. Davidson, S. Baxter, M. Garland, J. D. Owens, IPDPS 2014 (near-far); potentials:
 *   D. B. Johnson: Efficient algorithms for shortest paths in sparse networks, JACM 24(1), 1977.
 * Idea: a warp relaxes the edges of one vertex for 32 sources, one per lane. It reads an edge once
 *   for all of them, and the distances it lowers are adjacent, so that what costs one random access
 *   per edge from one source costs 1/32 of that here. A bit per vertex and source records that the
 *   distance fell; vertices beyond a threshold wait until nothing nearer is left (near-far).
 *   `johnson`: one Bellman-Ford on the GPU from all sources of the query yields potentials h, and
 *   the weights w + h[u] - h[v], which are not negative, have the same shortest paths.
 * Differs: no queue: each round scans one word per vertex and group of 32 sources. Vertices of more
 *   than `hub` edges are left to a second launch, in which all warps share their edges. Potentials
 *   are computed from the query's own sources, so what they do not reach never counts, and a
 *   negative cycle that they reach is the result. Shifted sums are doubles, exact for integers if n
 *   times the largest weight is below 2^51; otherwise johnson refuses. For floats they only choose the
 *   paths, which the host adds up and corrects (drivers/apsp_parents.c). Parents are computed from
 *   the distances afterwards, the smallest of the nearer ones, as in drivers/sssp.c. Where weights
 *   are negative, the rule for the smallest ones counts edges: the host applies it to each row
 *   (drivers/apsp_parents.c).
 * Needs: multi-sssp needs weights of at least 0.
 * Scratch: per vertex and source a distance, a parent and 3 bits.
 * Work: m per source, and corrections within delta.
 * Launches: 1 or 2 per round and a read of control words, 2 per step of the threshold.
 * Atomics: one per distance lowered, one per vertex and group whose bits change.
 * Good at: many sources, sparse graphs.
 * Bad at: few sources (idle lanes) and dense graphs of a few thousand vertices (floyd-warshall). */
#include "cuda/apsp/multi_sssp/plan.cuh"

/* ---- rounds ------------------------------------------------------------------------------ */

template <class T> static batch<T> batch_of(const fri_gpu *g, run_state *s, int32_t count) {
    char *at = g->scratch;
    batch<T> b = {};
    b.p = fri_sssp_view_of<T>(g);
    b.p.dist = (typename T::K *)fri_carve(&at, dist_bytes(g));
    b.p.cap = T::unreached() - 1;
    b.parent = (int32_t *)fri_carve(&at, parent_bytes(g));
    b.far_bits = (uint32_t *)fri_carve(&at, bits_bytes(g));
    s->now = (uint32_t *)fri_carve(&at, bits_bytes(g));
    s->next = (uint32_t *)fri_carve(&at, bits_bytes(g));
    b.hubs = (hub *)(void *)at;
    b.width = batch_padded(count);
    b.groups = b.width / FRI_WARP;
    b.count = count;
    b.hub_degree = (int32_t)g->job->knob[HUB];
    b.hub_runs = s->hub_runs;
    if (s->shifted)
        b.p.weights = (const typename T::W *)(const void *)s->weights;
    return b;
}

static int block_of(const fri_gpu *g) { return (int)g->job->knob[BLOCK] / FRI_WARP * FRI_WARP; }

template <class T>
static fr_status solve(fri_gpu *g, run_state *s, const batch<T> &b, int64_t first) {
    fri_job *job = g->job;
    int32_t rounds;
    s->block = block_of(g);
    s->phase = "traversing";
    s->done = first;
    s->total = fri_job_rows(job);
    FRI_GPU_TRY(batch_solve<T>(g, s, b, g->sources, &rounds));
    job->out->stats.levels = FRI_MAX(job->out->stats.levels, rounds);
    return FR_OK;
}

/* If sums beyond the type were dropped, some vertex with a reached in-neighbor is not reached. */
template <class T> static fr_status check_overflow(fri_gpu *g, const batch<T> &b) {
    FRI_GPU_TRY(fri_gpu_read_control(g, DROPPED, 1));
    if (!g->host_control[DROPPED])
        return FR_OK;
    fri_gpu_fill(g, &g->control[LOST], 1, -1);
    FRI_RUN_EACH((batch_unreached_kernel<T>), g->m * FRI_WARP, 256, b);
    FRI_GPU_TRY(fri_gpu_read_control(g, LOST, 1));
    if (g->host_control[LOST] < 0)
        return FR_OK;
    fr_type type = g->job->in->dist_type;
    return fri_fail(
        g->job->ctx, FR_OVERFLOW,
        "the distance of vertex %d does not fit %s; request distances of type %s (dist_type)",
        g->host_control[LOST], fr_type_name(type),
        type == FR_TYPE_I32 || type == FR_TYPE_I64 ? "int64" : "float64");
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Each hop takes parents one edge further, in the rows of all sources. */
template <class T> static fr_status hops(fri_gpu *g, run_state *s, const batch<T> &b) {
    int64_t words = (int64_t)b.p.n * b.groups, done = 0;
    fri_gpu_fill(g, &g->control[LOST], 1, 0);
    FRI_RUN((batch_placed_kernel<T>), batch_word_blocks(b, block_of(g)), block_of(g), b, s->now);
    FRI_GPU_TRY(fri_gpu_read_control(g, LOST, 1));
    for (bool more = g->host_control[LOST] != 0; more; more = g->host_control[FOUND] != 0) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, "parents", 0, 0));
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "hops of parents", done++, g->n));
        FRI_GPU_TRY(batch_clear_round(g));
        FRI_RUN((batch_hop_kernel<T>), batch_word_blocks(b, block_of(g)), block_of(g), b, s->now,
                s->next);
        FRI_RUN_EACH(batch_join_kernel, words, 256, b.far_bits, s->next, words);
        batch_swap_bits(s);
        FRI_GPU_TRY(fri_gpu_read_control(g, FOUND, 1));
    }
    return FR_OK;
}

template <class T> static fr_status parents(fri_gpu *g, run_state *s, const batch<T> &b) {
    int64_t runs = (g->m + FRI_EDGES_PER_THREAD - 1) / FRI_EDGES_PER_THREAD;
    FRI_RUN_EACH((batch_no_parents_kernel<T>), (int64_t)b.p.n * b.width, 256, b);
    FRI_RUN_EACH((batch_nearer_kernel<T>), runs * b.groups * FRI_WARP, block_of(g), b);
    FRI_RUN_EACH((batch_roots_kernel<T>), b.count, 256, b, g->sources);
    return hops<T>(g, s, b);
}

template <class T> static fr_status to_rows(fri_gpu *g, run_state *s, const batch<T> &b) {
    long long overflow_at = INT64_MAX, *word = (long long *)&g->control[NEAREST];
    taken to = {g->dist, g->job->in->dist_type, g->parent, s->shifted ? s->h : nullptr, g->sources,
                word};
    dim3 grid(fri_gpu_blocks(g->n, FRI_WARP), (unsigned)b.groups);
    fri_gpu_fill(g, &g->control[NEAREST], 1, -1);
    fri_gpu_fill(g, &g->control[NEAREST + 1], 1, INT32_MAX);
    FRI_RUN((batch_rows_kernel<T>), grid, TRANSPOSE_ROWS * FRI_WARP, b, to);
    FRI_GPU_TRY(fri_gpu_download(g, &overflow_at, word, sizeof overflow_at));
    if (overflow_at == INT64_MAX)
        return FR_OK;
    return fri_fail(g->job->ctx, FR_OVERFLOW,
                    "the distance of vertex %lld does not fit int32; request distances of type "
                    "int64 (dist_type)",
                    overflow_at & 0x7fffffff);
}

template <class T> static fr_status batch_rows(fri_gpu *g, int64_t first, int32_t count) {
    run_state *s = (run_state *)g->state;
    batch<T> b = batch_of<T>(g, s, count);
    FRI_GPU_TRY(solve<T>(g, s, b, first));
    FRI_GPU_TRY(check_overflow<T>(g, b));
    if (g->parent)
        FRI_GPU_TRY(parents<T>(g, s, b));
    /* the host selects them: which parents are nearer, shifted distances do not show */
    if (g->parent && s->shifted && g->job->in->query.parent_rule == FR_PARENT_MIN_ID)
        fri_gpu_fill(g, g->apsp.parents_invalid, count, 1);
    return to_rows<T>(g, s, b);
}

static fr_status rows(fri_gpu *g, int64_t first, int32_t count) {
    fr_status status;
    FRI_BY_KINDS(g, fri_kind_i64,
                 status = batch_rows<T>(g, first, count)); /* refuses int64 weights */
    return status;
}

static const fr_knob knobs[] = {
    {"sources", FR_KNOB_AUTO, 1, 4096, "sources at once; default 2^26 / n, from 32 to 1024"},
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
     "increase of the threshold; default 32 mean weight / mean degree"},
    {"hub", 512, 32, 1e9, "degree above which all warps share a vertex's edges"},
    {"block", 256, 32, 512, "threads per block, whole warps"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = device_scratch, .start_query = start_query, .solve_rows = rows, .max_batch = max_rows};

FRI_GPU_STRATEGY(fri_gpu_apsp_multi_sssp) = {
    .name = "multi-sssp",
    .source = "fringe; Davidson, Baxter, Garland, Owens, IPDPS 2014",
    .text = "near-far from a batch of sources at once, one per lane; weights of at least 0",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_NON_NEGATIVE | FRI_REFUSES_I64 | FRI_SEPARATE_ROWS,
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
