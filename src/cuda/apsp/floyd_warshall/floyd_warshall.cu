/* All pairs by Floyd-Warshall on tiles: registers, shared memory, multiprocessors.
 *
 * Source: R. W. Floyd: Algorithm 97: Shortest path, CACM 5(6), 1962; G. Venkataraman, S. Sahni, S.
 *   Mukhopadhyaya: A blocked all-pairs shortest-paths algorithm, ACM JEA 8, 2003; on GPUs: G. J.
 *   Katz, J. T. Kider: All-pairs shortest-paths for large graphs on the GPU, Graphics Hardware 2008
 *   (three phases per pivot tile).
 * Idea: for each pivot tile: the tile by itself (one block), then its row and column of tiles, then
 *   all others. Every tile but the pivot tile is a min-plus matrix product, computed like fast
 *   matrix products: each thread keeps 8 x 8 cells of the result in registers while panels of both
 *   factors pass through shared memory, with the next panels prefetched. 64 cells take 16 numbers
 *   from shared memory and 64 add-mins, which on sm_90 are one instruction each (VIADDMNMX; knob
 *   `fused`: otherwise a multiply-add and a minimum, which use different pipes).
 * Differs: row and column phases are such products as well, with the finished pivot tile as one
 *   factor, and the pivot tile itself stays in registers, while row and column k are exchanged.
 *   Only vertices that some source of the query reaches are included. Parents are updated with the
 *   distances; if weights of 0 make them cyclic, or the smallest are requested, the host repairs
 *   the row.
 * Needs: any weights. The matrix is int32 if n times the largest absolute weight is below 2^29,
 *   else int64, and FR_OVERFLOW if a distance does not fit the result's type. A pivot with a
 *   negative distance to itself lies on a negative cycle, which the CPU's Bellman-Ford then finds;
 *   float distances that are negative only by rounding are set to 0 in a second run.
 *   If the matrix does not fit the device, it is in host memory, or in the caller's array, and
 *   parts of it are transferred as needed (stream.cuh); parents are then computed from the
 *   distances.
 * Scratch: distances and parents of n^2 cells, padded to whole tiles, or three parts.
 * Work: n^3 add-mins (with parents a comparison and two selections each, on pieces of 4 x 8).
 * Launches: 3 and one read of a control word for each pivot tile.
 * Atomics: none.
 * Good at: dense graphs.
 * Bad at: sparse ones; all rows are computed, whatever is requested.
 * Measurements: docs/performance.md. */
#include "cuda/apsp/floyd_warshall/plan.cuh"

/* A whole query of Floyd-Warshall with the matrix in host memory; the parts are processed in
 * stream.cuh. */

template <class T> static fr_status stream_all(fri_gpu *g, run_state *s, bool *negative) {
    fri_job *job = g->job;
    const fr_query *q = &job->in->query;
    stream_state *m = &s->stream;
    int64_t first = s->clamp_negative ? 0 : q->floyd.pivots_done / m->side;
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    *negative = false;
    if (!first)
        stream_fill<T>(job, m, s->place, s->vertex);
    for (int64_t k = first; k < m->parts; k++) {
        int64_t start = fri_now_ns(), done = FRI_MIN((k + 1) * m->side, (int64_t)m->size);
        FRI_GPU_TRY(stream_pivot<T>(g, m, k, s->clamp_negative, negative));
        if (*negative)
            return FR_OK;
        fri_job_level(job, "pivot part", m->side, 0, fri_now_ns() - start);
        if (q->floyd.pivot && q->floyd.pivot(q->floyd.pivot_user, done, m->size))
            return fri_fail(job->ctx, FR_CANCELLED, "cancelled after %lld of %d pivots",
                            (long long)done, m->size);
    }
    return FR_OK;
}

static fr_status stream_to_the_end(fri_gpu *g, run_state *s) {
    bool negative = false;
    fr_status status;
    BY_KIND(s, status = stream_all<T>(g, s, &negative));
    FRI_GPU_TRY(status);
    if (!negative)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_apsp_cycle(g->job, s->search));
    s->clamp_negative = true;
    BY_KIND(s, status = stream_all<T>(g, s, &negative));
    return status;
}

/* Converts a row of the host's matrix to the caller's type. False: a distance does not fit. */
template <class T>
static bool host_row(const fri_gpu *g, const run_state *s, int32_t source, void *dist) {
    const typename T::D *from =
        (const typename T::D *)(const void *)s->stream.matrix + (int64_t)s->place[source] * s->size;
    taken to = {};
    bool fits = true;
    to.dist = dist;
    to.type = g->job->in->dist_type;
    for (int32_t v = 0; v < g->n; v++) {
        typename T::D d = s->place[v] < 0 ? none_of(T()) : from[s->place[v]];
        fits &= fw_put<T>(to, v, d == none_of(T()) ? T::infinite() : d);
    }
    return fits;
}

static fr_status stream_row(fri_gpu *g, run_state *s, int64_t r) {
    fri_job *job = g->job;
    const fr_query *q = &job->in->query;
    int32_t source = fri_job_source(job, r);
    char *dist = s->row_dist;
    int32_t *parent = job->out->parent ? job->out->parent + r * g->n : s->row_parent;
    bool fits = true;
    if (job->out->dist)
        dist = (char *)job->out->dist + (size_t)r * (size_t)g->n * fr_type_size(job->in->dist_type);
    if (!job->in->in_place)
        BY_TYPE(s, fits = host_row<T>(g, s, source, dist));
    if (!fits)
        return fri_fail(
            job->ctx, FR_OVERFLOW,
            "a distance from vertex %d does not fit %s; request a wider type (dist_type)", source,
            fr_type_name(job->in->dist_type));
    if (fri_gpu_apsp_parents(job))
        FRI_GPU_TRY(fri_gpu_apsp_repair_row(job, source, dist, parent, s->spare, true));
    if (q->row && q->row(q->row_user, r, source, dist, q->want_parents ? parent : nullptr))
        return fri_fail(job->ctx, FR_CANCELLED, "cancelled by the row callback at row %lld",
                        (long long)r);
    return FR_OK;
}

static fr_status stream_run(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    stream_state *m = &s->stream;
    if (job->in->in_place && (job->in->query.sources || !job->out->dist))
        return fri_fail(job->ctx, FR_INVALID, "an in-place query must request all rows and provide an array");
    if (job->in->query.result_memory == FR_MEMORY_DEVICE)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "the matrix of floyd-warshall does not fit on the GPU: rows are made in host "
                        "memory (result_memory)");
    FRI_GPU_TRY(fri_gpu_select(g));
    s->linked = s->clamp_negative = false;
    FRI_GPU_TRY(choose_vertices(g, s));
    m->matrix = job->in->in_place ? (char *)job->out->dist : m->matrix;
    m->size = s->size;
    m->parts = (m->size + m->side - 1) / m->side;
    FRI_GPU_TRY(stream_to_the_end(g, s));
    for (int64_t r = 0; r < fri_job_rows(job); r++)
        FRI_GPU_TRY(stream_row(g, s, r));
    FRI_GPU_TRY(fri_gpu_read_occupancy(g));
    return fri_gpu_read_counts(g);
}

template <class T> static matrix<typename T::D> matrix_of(const fri_gpu *g, const run_state *s) {
    char *dist = g->scratch + 2 * id_bytes(g->job);
    int32_t *link = (int32_t *)(void *)(dist + matrix_bytes(g->job));
    return {(typename T::D *)(void *)dist, s->linked ? link : nullptr,
            (int64_t)s->blocks * s->tile};
}

/* ---- the phases -------------------------------------------------------------------------- */

template <class T> static fr_status fill(fri_gpu *g, const run_state *s) {
    matrix<typename T::D> a = matrix_of<T>(g, s);
    const fr_csr *csr = &g->job->csr;
    fr_type type = g->dist_type == FR_TYPE_F64 && csr->weights ? FR_TYPE_F64 : csr->weight_type;
    edges from = {
        (const int64_t *)g->out.offsets,     g->out.targets, g->out.weights, type, g->n, g->m,
        s->whole ? nullptr : s->device_place};
    FRI_RUN_EACH((fill_kernel<T>), a.pitch * a.pitch, BLOCK, a, s->size, (int32_t)a.pitch);
    FRI_RUN((edges_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, from, a);
    return FR_OK;
}

/* The three phases of pivot tile k. */
template <class T> static void pivot(fri_gpu *g, const run_state *s, int32_t k) {
    matrix<typename T::D> a = matrix_of<T>(g, s);
    int64_t corner = (a.pitch + 1) * k * s->tile, others = s->blocks - 1;
    product<typename T::D> p = {
        a.dist,  a.dist,          a.dist,     a.link, a.link,          a.pitch, a.pitch,
        a.pitch, s->tile,         k,          k,      (int32_t)others, 0,       k,
        k,       (int32_t)others, g->control, 1};
    FRI_RUN((pivot_kernel<T>), 1, s->tile / 4 * (s->tile / 4), a.dist + corner,
            a.link ? a.link + corner : nullptr, a.pitch, s->tile, s->clamp_negative, g->control);
    products<T>(g, p, 2 * others);
    p.cross = 0;
    products<T>(g, p, others * others);
}

static void pivot_of_kind(fri_gpu *g, const run_state *s, int32_t k) {
    if (s->linked)
        BY_TYPE(s, pivot<fw_linked<T>>(g, s, k));
    else
        BY_KIND(s, pivot<T>(g, s, k));
}

/* True in *negative: a pivot became negative. */
static fr_status eliminate(fri_gpu *g, const run_state *s, bool *negative) {
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    if (s->blocks)
        BY_TYPE(s, fill<T>(g, s));
    *negative = false;
    for (int32_t k = 0; k < s->blocks && !*negative; k++) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, "all pairs", k, s->blocks));
        int64_t start = fri_now_ns();
        pivot_of_kind(g, s, k);
        FRI_GPU_TRY(fri_gpu_read_control(g, FW_NEGATIVE, 1));
        *negative = g->host_control[FW_NEGATIVE] != 0;
        fri_job_level(g->job, "pivot tile", s->tile, 0, fri_now_ns() - start);
    }
    return FR_OK;
}

static fr_status start_query(fri_gpu *g) {
    run_state *s = (run_state *)g->state;
    bool negative;
    s->linked = g->parent != nullptr;
    s->clamp_negative = false;
    FRI_GPU_TRY(choose_vertices(g, s));
    FRI_GPU_TRY(eliminate(g, s, &negative));
    if (!negative)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_apsp_cycle(g->job, s->search));
    s->clamp_negative = true;
    return eliminate(g, s, &negative);
}

/* ---- the rows ---------------------------------------------------------------------------- */

static fr_status rows(fri_gpu *g, int64_t first, int32_t count) {
    run_state *s = (run_state *)g->state;
    fri_job *job = g->job;
    taken to = {g->sources,
                s->whole ? nullptr : s->device_place,
                s->whole ? nullptr : s->device_vertex,
                g->n,
                g->dist,
                job->in->dist_type,
                g->parent,
                g->apsp.parents_invalid,
                job->in->query.parent_rule == FR_PARENT_MIN_ID,
                g->control};
    dim3 grid(fri_gpu_blocks(g->n, BLOCK), (unsigned)count);
    fri_gpu_fill(g, &g->control[FW_OVERFLOW], 1, INT32_MAX);
    BY_TYPE(s, FRI_RUN((rows_kernel<T>), grid, BLOCK, matrix_of<T>(g, s), to));
    FRI_GPU_TRY(fri_gpu_read_control(g, FW_OVERFLOW, 1));
    int32_t bad = g->host_control[FW_OVERFLOW];
    if (bad == INT32_MAX)
        return FR_OK;
    return fri_fail(job->ctx, FR_OVERFLOW,
                    "a distance from vertex %d does not fit %s; request a wider type (dist_type)",
                    fri_job_source(job, first + bad), fr_type_name(job->in->dist_type));
}

static fr_status run(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = (run_state *)g->state;
    FRI_GPU_TRY(fri_refuse_min_parents_of_floats(job));
    if (!(reach(job) < DBL_MAX / 4))
        return fri_fail(job->ctx, FR_OVERFLOW, "sums of weights up to %g may exceed float64",
                        job->weight_max);
    return s->stream.side ? stream_run(g, s) : fri_gpu_apsp_run(job);
}

static const fr_knob knobs[] = {
    {"tile", FR_KNOB_AUTO, 64, FW_TILE,
     "side of a tile, 64 or 128 (lower values mean 64); default 128 from 2048 vertices on"},
    {"fused", 1, 0, 1,
     "int32: 1: add and minimum in one instruction (DPX); 0: in two, on two pipes"},
    {"stream", FR_KNOB_AUTO, 0, 1 << 20,
     "side of the parts that are transferred when the matrix is in host memory; 0: it never is; "
     "default: if it does not fit the GPU"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = device_scratch, .start_query = start_query, .solve_rows = rows, .max_batch = max_rows};

FRI_GPU_STRATEGY(fri_gpu_apsp_floyd_warshall) = {
    .name = "floyd-warshall",
    .source = "Floyd, CACM 1962; Venkataraman, Sahni, Mukhopadhyaya, JEA 2003",
    .text = "min-plus products of tiles in registers, three phases per pivot tile; any weights",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_TAKES_IN_PLACE | FRI_REFUSES_I64,
    .knobs = knobs,
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .check = check,
    .prepare = prepare,
    .release = release,
    .run = run,
};
