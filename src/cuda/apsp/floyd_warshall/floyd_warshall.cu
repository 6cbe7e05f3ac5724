/* All pairs by Floyd-Warshall on tiles: registers, shared memory, multiprocessors.
 *
 * Source: R. W. Floyd: Algorithm 97: Shortest path, CACM 5(6), 1962; G. Venkataraman, S. Sahni, S.
 *   Mukhopadhyaya: A blocked all-pairs shortest-paths algorithm, ACM JEA 8, 2003; on GPUs: G. J.
 *   Katz, J. T. Kider: All-pairs shortest-paths for large graphs on the GPU, Graphics Hardware
 *   2008 (three phases a pivot tile).
 * Idea: for each pivot tile: the tile by itself (one block), then its row and column of tiles, then
 *   all others. What is not the pivot tile is a min-plus matrix product, done as fast matrix
 *   products are: each thread keeps 8 x 8 cells of the result in registers while panels of both
 *   factors pass through shared memory, the next ones on the way meanwhile. 64 cells cost 16
 *   numbers from shared memory and 64 add-mins, which on sm_90 are one instruction each
 *   (VIADDMNMX; knob `fused`: else a multiply-add and a minimum, which different pipes take).
 * Differs: row and column phases also are such products, with the finished pivot tile as one
 *   factor, and the pivot tile itself stays in registers, row and column k going round. Only
 *   vertices that some source of the query reaches take part. Parents travel with the distances;
 *   where weights of 0 let them run in a circle, or the least are wanted, the host redoes the row.
 * Needs: any weights. int32 inside where n times the greatest absolute weight is below 2^29, else
 *   int64, and FR_OVERFLOW when a distance does not fit outside. A pivot whose distance to itself
 *   is below 0 lies on a negative cycle, which the CPU's Bellman-Ford then names; floats that only
 *   seem negative by rounding are set to 0 in a second run.
 *   Where the matrix does not fit the device it lies on the host, or in the caller's array, and
 *   parts of it come and go (stream.cuh); parents then come from the distances.
 * Scratch: distances and parents of n^2 cells, padded to whole tiles, or three parts. Work: n^3
 * add-mins (with parents a comparison and two choices each, on pieces of 4 x 8). Launches: 3 and
 * one read of a word for each pivot tile. Atomics: none. Good at: dense graphs. Bad at: sparse
 * ones, and it computes all rows whatever is asked for.
 * Measured (NVIDIA H200, driver 580.159.04, commit 9615e23, 2026-11-21; n = 16,384, int32): 355 ms,
 * 1.24e13 add-mins a second, 77 % of the 1.62e13 that bench_min_plus reaches in registers (fused;
 * 1.44e13 unfused, where the row has 1.24e13 too); tile=64 392 ms; with parents 1,031 ms.
 */
#include "cuda/apsp/floyd_warshall/plan.cuh"

/* Floyd-Warshall on the GPU with the matrix on the host: a whole query. Included by floyd_warshall.cu
 * alone; the parts are stream.cuh's. */

template <class T> static fr_status stream_all(fri_gpu *g, run_state *s, bool *negative) {
    fri_job *job = g->job;
    const fr_query *q = &job->query;
    stream_state *m = &s->stream;
    int64_t first = s->forgive ? 0 : q->floyd.pivots_done / m->side;
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    *negative = false;
    if (!first)
        stream_fill<T>(job, m, s->place, s->vertex);
    for (int64_t k = first; k < m->parts; k++) {
        int64_t start = fri_now_ns(), done = FRI_MIN((k + 1) * m->side, (int64_t)m->size);
        FRI_GPU_TRY(stream_pivot<T>(g, m, k, s->forgive, negative));
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
    BY_KIND(s, (status = stream_all<T>(g, s, &negative)));
    FRI_GPU_TRY(status);
    if (!negative)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_apsp_cycle(g->job, s->search));
    s->forgive = true;
    BY_KIND(s, (status = stream_all<T>(g, s, &negative)));
    return status;
}

/* A row of the host's matrix as the caller wants it. False: a distance does not fit. */
template <class T>
static bool host_row(const fri_gpu *g, const run_state *s, int32_t source, void *dist) {
    const typename T::D *from =
        (const typename T::D *)(const void *)s->stream.matrix + (int64_t)s->place[source] * s->size;
    taken to = {};
    bool fits = true;
    to.dist = dist;
    to.type = g->job->dist_type;
    for (int32_t v = 0; v < g->n; v++) {
        typename T::D d = s->place[v] < 0 ? none_of(T()) : from[s->place[v]];
        fits &= fw_put<T>(to, v, d == none_of(T()) ? T::infinite() : d);
    }
    return fits;
}

static fr_status stream_row(fri_gpu *g, run_state *s, int64_t r) {
    fri_job *job = g->job;
    const fr_query *q = &job->query;
    int32_t source = fri_job_source(job, r);
    char *dist = s->row_dist;
    int32_t *parent = job->out->parent ? job->out->parent + r * g->n : s->row_parent;
    bool fits = true;
    if (job->out->dist)
        dist = (char *)job->out->dist + (size_t)r * (size_t)g->n * fr_type_size(job->dist_type);
    if (!job->in_place)
        BY_TYPE(s, (fits = host_row<T>(g, s, source, dist)));
    if (!fits)
        return fri_fail(job->ctx, FR_OVERFLOW,
                        "a distance from vertex %d does not fit %s; ask for a wider type", source,
                        fr_type_name(job->dist_type));
    if (fri_gpu_apsp_parents(job))
        fri_gpu_apsp_repair_parents(job, source, dist, parent, s->spare, true);
    if (q->row && q->row(q->row_user, r, source, dist, q->want_parents ? parent : nullptr))
        return fri_fail(job->ctx, FR_CANCELLED, "cancelled by the receiver of row %lld",
                        (long long)r);
    return FR_OK;
}

static fr_status stream_run(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    stream_state *m = &s->stream;
    if (job->in_place && (job->query.sources || !job->out->dist))
        return fri_fail(job->ctx, FR_INVALID, "in place: all rows are asked for, by an array");
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(job->ctx->device), "choosing the device"));
    s->linked = s->forgive = false;
    FRI_GPU_TRY(choose_vertices(g, s));
    m->matrix = job->in_place ? (char *)job->out->dist : m->matrix;
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
    fr_type type = g->kind == FR_TYPE_F64 && csr->weights ? FR_TYPE_F64 : csr->weight_type;
    edges from = {
        (const int64_t *)g->out.offsets,     g->out.targets, g->out.weights, type, g->n, g->m,
        s->whole ? nullptr : s->device_place};
    FRI_LAUNCH((fill_kernel<T>), fri_gpu_blocks(a.pitch * a.pitch, BLOCK), BLOCK, 0, g->stream, a,
               s->size, (int32_t)a.pitch);
    FRI_LAUNCH((edges_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, 0, g->stream, from, a);
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
    FRI_LAUNCH((pivot_kernel<T>), 1, s->tile / 4 * (s->tile / 4), 0, g->stream, a.dist + corner,
               a.link ? a.link + corner : nullptr, a.pitch, s->tile, s->forgive, g->control);
    products<T>(g, p, 2 * others);
    p.cross = 0;
    products<T>(g, p, others * others);
}

static void pivot_of_kind(fri_gpu *g, const run_state *s, int32_t k) {
    if (s->linked)
        BY_TYPE(s, (pivot<fw_linked<T>>(g, s, k)));
    else
        BY_KIND(s, pivot<T>(g, s, k));
}

/* True in *negative: a pivot came below 0. */
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

static fr_status begin(fri_gpu *g) {
    run_state *s = (run_state *)g->state;
    bool negative;
    s->linked = g->parent != nullptr;
    s->forgive = false;
    FRI_GPU_TRY(choose_vertices(g, s));
    FRI_GPU_TRY(eliminate(g, s, &negative));
    if (!negative)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_apsp_cycle(g->job, s->search));
    s->forgive = true;
    return eliminate(g, s, &negative);
}

/* ---- the rows ---------------------------------------------------------------------------- */

static fr_status rows(fri_gpu *g, int64_t first, int32_t count) {
    run_state *s = (run_state *)g->state;
    fri_job *job = g->job;
    bool exact = job->dist_type == FR_TYPE_I32 || job->dist_type == FR_TYPE_I64;
    taken to = {g->sources,
                s->whole ? nullptr : s->device_place,
                s->whole ? nullptr : s->device_vertex,
                g->n,
                g->dist,
                job->dist_type,
                g->parent,
                g->parents_invalid,
                exact && job->query.min_parents,
                g->control};
    dim3 grid(fri_gpu_blocks(g->n, BLOCK), (unsigned)count);
    fri_gpu_fill(g, &g->control[FW_OVERFLOW], 1, INT32_MAX);
    BY_TYPE(s, FRI_LAUNCH((rows_kernel<T>), grid, BLOCK, 0, g->stream, matrix_of<T>(g, s), to));
    FRI_GPU_TRY(fri_gpu_read_control(g, FW_OVERFLOW, 1));
    int32_t bad = g->host_control[FW_OVERFLOW];
    if (bad == INT32_MAX)
        return FR_OK;
    return fri_fail(job->ctx, FR_OVERFLOW,
                    "a distance from vertex %d does not fit %s; ask for a wider type",
                    fri_job_source(job, first + bad), fr_type_name(job->dist_type));
}

static fr_status run(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = (run_state *)g->state;
    if (!(reach(job) < DBL_MAX / 4))
        return fri_fail(job->ctx, FR_OVERFLOW, "sums of weights up to %g may leave double",
                        job->weight_max);
    return s->stream.side ? stream_run(g, s) : fri_gpu_apsp_run(job);
}

static const fr_knob knobs[] = {
    {"tile", FR_KNOB_AUTO, 64, FW_TILE,
     "side of a tile, 64 or 128 (less is 64); default 128 from 2048 vertices on"},
    {"fused", 1, 0, 1, "int32: add and minimum in one instruction (DPX); 0: two, on two pipes"},
    {"stream", FR_KNOB_AUTO, 0, 1 << 20,
     "side of the parts that come and go where the matrix lies on the host; 0: it never does; "
     "default: where it does not fit the GPU"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = device_scratch, .begin = begin, .solve_rows = rows, .max_batch = max_rows};

FRI_GPU_STRATEGY(fri_gpu_apsp_floyd_warshall) = {
    .name = "floyd-warshall",
    .source = "Floyd, CACM 1962; Venkataraman, Sahni, Mukhopadhyaya, JEA 2003",
    .text = "min-plus products of tiles in registers, three phases a pivot tile; any weights",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_TAKES_IN_PLACE | FRI_REFUSES_I64,
    .knobs = knobs,
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = release,
    .run = run,
};
