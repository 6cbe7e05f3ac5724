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
 * Scratch: distances and parents of n^2 cells, padded to whole tiles. Work: n^3 add-mins (with
 *   parents a comparison and two choices each, on pieces of 4 x 8). Launches: 3 and one read of a
 *   word for each pivot tile. Atomics: none.
 * Good at: dense graphs. Bad at: sparse ones, and it computes all rows whatever is asked for.
 */
#include "cuda/apsp/floyd_access.cuh"
#include "cuda/gpu_apsp.h"

#include <string.h>

enum { TILE, FUSED };
enum { BLOCK = 256, LARGE = 2048 /* vertices from which 128 x 128 tiles keep every SM busy */ };

namespace {
struct run_state {
    fr_type type; /* inside */
    int32_t tile, size, blocks;
    bool forgive, linked;
    int32_t *vertex, *place; /* [n] on the host */
    int32_t *device_vertex, *device_place;
    bool whole;   /* every vertex stands at its own place */
    char *search; /* host scratch for the search of a cycle */
};
} // namespace

/* Runs `call` with T naming the kind: inside type, with links, fused. */
#define BY_TYPE(s, call)                                                                           \
    do {                                                                                           \
        switch ((s)->type) {                                                                       \
        case FR_I32: {                                                                             \
            using T = fw_i32;                                                                      \
            call;                                                                                  \
        } break;                                                                                   \
        case FR_I64: {                                                                             \
            using T = fw_i64;                                                                      \
            call;                                                                                  \
        } break;                                                                                   \
        case FR_F32: {                                                                             \
            using T = fw_f32;                                                                      \
            call;                                                                                  \
        } break;                                                                                   \
        default: {                                                                                 \
            using T = fw_f64;                                                                      \
            call;                                                                                  \
        }                                                                                          \
        }                                                                                          \
    } while (0)

/* ---- plan -------------------------------------------------------------------------------- */

static double reach(const fri_job *job) { /* no simple path is longer */
    return (double)job->csr.n * fmax(fabs(job->weight_min), fabs(job->weight_max));
}

/* Of the narrow type's range a quarter must hold any simple path. */
static fr_type inside_type(const fri_job *job) {
    if (job->dist_type == FR_I32 || job->dist_type == FR_I64)
        return reach(job) < (double)(1 << 29) ? FR_I32 : FR_I64;
    return job->dist_type == FR_F32 && reach(job) < (double)FLT_MAX / 4 ? FR_F32 : FR_F64;
}

static int32_t tile_of(const fri_job *job) {
    return fri_job_knob(job, TILE, job->csr.n < LARGE ? 64 : FW_TILE) < FW_TILE ? FW_TILE / 2
                                                                                : FW_TILE;
}

static size_t cells(const fri_job *job) {
    int64_t tile = tile_of(job), side = (job->csr.n + tile - 1) / tile * tile;
    return (size_t)side * (size_t)side;
}

static size_t matrix_bytes(const fri_job *job) {
    return fri_line(cells(job) * fr_type_size(inside_type(job)));
}

static size_t device_scratch(const fri_gpu *g) {
    size_t ids = fri_line(fri_bytes(g->n, sizeof(int32_t)));
    return matrix_bytes(g->job) + fri_line(cells(g->job) * sizeof(int32_t)) + 2 * ids;
}

static int32_t most_rows(const fri_gpu *g) {
    int64_t row = (int64_t)g->n * ((int64_t)fr_type_size(g->job->dist_type) + 4) + 1;
    int64_t rows = ((int64_t)256 << 20) / row; /* 256 MB travel at the bus's full speed */
    return (int32_t)(rows < 1 ? 1 : rows > 65535 ? 65535 /* blockIdx.y */ : rows);
}

static size_t scratch(const fri_job *job) {
    size_t search = job->weight_min < 0 ? fri_gpu_apsp_cycle_bytes(job) : 0;
    return fri_gpu_apsp_scratch(job) + 2 * fri_line(fri_bytes(job->csr.n, sizeof(int32_t))) +
           search;
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = (run_state *)fri_calloc(job->ctx, sizeof *s);
    g->state = s;
    if (!s)
        return FR_NOMEM;
    size_t ids = fri_bytes(job->csr.n, sizeof(int32_t));
    char *own = fri_gpu_apsp_own(job), *at = g->scratch;
    at += matrix_bytes(job) + fri_line(cells(job) * sizeof(int32_t));
    s->type = inside_type(job);
    s->tile = tile_of(job);
    s->vertex = (int32_t *)fri_carve(&own, ids);
    s->place = (int32_t *)fri_carve(&own, ids);
    s->search = own;
    s->device_vertex = (int32_t *)fri_carve(&at, ids);
    s->device_place = (int32_t *)fri_carve(&at, ids);
    return FR_OK;
}

template <class T> static matrix<typename T::D> matrix_of(const fri_gpu *g, const run_state *s) {
    int32_t *link = (int32_t *)(void *)(g->scratch + matrix_bytes(g->job));
    return {(typename T::D *)(void *)g->scratch, s->linked ? link : nullptr,
            (int64_t)s->blocks * s->tile};
}

/* ---- vertices ---------------------------------------------------------------------------- */

/* s->vertex: what the query's sources reach, in no order; returns how many. */
static int32_t find_reached(const fri_job *job, run_state *s) {
    const fr_csr *csr = &job->csr;
    int32_t tail = 0;
    for (int64_t r = 0; r < job->query.source_count; r++)
        if (s->place[job->query.sources[r]] < 0) {
            s->place[job->query.sources[r]] = 0;
            s->vertex[tail++] = job->query.sources[r];
        }
    for (int32_t head = 0; head < tail; head++)
        for (int64_t e = csr->offsets[s->vertex[head]]; e < csr->offsets[s->vertex[head] + 1]; e++)
            if (s->place[csr->targets[e]] < 0) {
                s->place[csr->targets[e]] = 0;
                s->vertex[tail++] = csr->targets[e];
            }
    return tail;
}

/* Places in the order of the vertices, for those that a source reaches. */
static fr_status choose_vertices(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    const fr_csr *csr = &job->csr;
    size_t ids = fri_bytes(csr->n, sizeof(int32_t));
    memset(s->place, job->query.sources ? 0xff : 0, ids);
    s->size = job->query.sources ? find_reached(job, s) : csr->n;
    s->whole = s->size == csr->n;
    s->blocks = (s->size + s->tile - 1) / s->tile;
    job->out->stats.levels = s->blocks;
    int32_t at = 0;
    for (int32_t v = 0; v < csr->n; v++)
        if (s->place[v] >= 0) {
            s->vertex[at] = v;
            s->place[v] = at++;
            job->out->stats.edges_examined += csr->offsets[v + 1] - csr->offsets[v];
        }
    if (s->whole)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_upload(g, s->device_vertex, s->vertex, ids));
    return fri_gpu_upload(g, s->device_place, s->place, ids);
}

/* ---- the phases -------------------------------------------------------------------------- */

template <class T> static fr_status fill(fri_gpu *g, const run_state *s) {
    matrix<typename T::D> a = matrix_of<T>(g, s);
    const fr_csr *csr = &g->job->csr;
    fr_type type = g->kind == FR_F64 && csr->weights ? FR_F64 : csr->weight_type;
    edges from = {
        (const int64_t *)g->out.offsets,     g->out.targets, g->out.weights, type, g->n, g->m,
        s->whole ? nullptr : s->device_place};
    FRI_LAUNCH((fill_kernel<T>), fri_gpu_blocks(a.pitch * a.pitch, BLOCK), BLOCK, 0, g->stream, a,
               s->size, (int32_t)a.pitch);
    FRI_LAUNCH((edges_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, 0, g->stream, from, a);
    return FR_OK;
}

template <class T>
static void products(fri_gpu *g, const product<typename T::D> &p, int64_t blocks) {
    int threads = p.tile / FW_COLUMNS * (p.tile / T::ROWS);
    if (blocks > 0)
        FRI_LAUNCH((product_kernel<T>), (unsigned)blocks, threads, 0, g->stream, p);
}

/* The three phases of pivot tile k. */
template <class T> static void pivot(fri_gpu *g, const run_state *s, int32_t k) {
    matrix<typename T::D> a = matrix_of<T>(g, s);
    int64_t corner = (a.pitch + 1) * k * s->tile, others = s->blocks - 1;
    product<typename T::D> p = {
        a.dist,  a.dist,          a.dist,   a.link, a.link,          a.pitch, a.pitch,
        a.pitch, s->tile,         k,        k,      (int32_t)others, 0,       k,
        k,       (int32_t)others, g->words, 1};
    FRI_LAUNCH((pivot_kernel<T>), 1, s->tile / 4 * (s->tile / 4), 0, g->stream, a.dist + corner,
               a.link ? a.link + corner : nullptr, a.pitch, s->tile, s->forgive, g->words);
    products<T>(g, p, 2 * others);
    p.cross = 0;
    products<T>(g, p, others * others);
}

/* Of 4 bytes a cell, without links: by the side of a tile. */
template <class K> static void plain_pivot(fri_gpu *g, const run_state *s, int32_t k) {
    if (s->tile == FW_TILE)
        pivot<K>(g, s, k);
    else
        pivot<fw_small<K>>(g, s, k);
}

static void pivot_of_kind(fri_gpu *g, const run_state *s, int32_t k) {
    if (s->linked)
        BY_TYPE(s, (pivot<fw_linked<T>>(g, s, k)));
    else if (s->type == FR_I64)
        pivot<fw_i64>(g, s, k);
    else if (s->type == FR_F64)
        pivot<fw_f64>(g, s, k);
    else if (s->type == FR_F32)
        plain_pivot<fw_f32>(g, s, k);
    else if (g->job->knob[FUSED] != 0)
        plain_pivot<fw_i32_fused>(g, s, k);
    else
        plain_pivot<fw_i32>(g, s, k);
}

/* True in *negative: a pivot came below 0. */
static fr_status eliminate(fri_gpu *g, const run_state *s, bool *negative) {
    FRI_GPU_TRY(fri_gpu_clear_words(g));
    if (s->blocks)
        BY_TYPE(s, fill<T>(g, s));
    *negative = false;
    for (int32_t k = 0; k < s->blocks && !*negative; k++) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, "all pairs", k, s->blocks));
        int64_t start = fri_now_ns();
        pivot_of_kind(g, s, k);
        FRI_GPU_TRY(fri_gpu_read_words(g, FW_NEGATIVE, 1));
        *negative = g->host_words[FW_NEGATIVE] != 0;
        fri_job_level(g->job, "pivot tile", s->tile, 0, fri_now_ns() - start);
    }
    return FR_OK;
}

static fr_status begin(fri_gpu *g) {
    run_state *s = (run_state *)g->state;
    bool negative;
    if (!(reach(g->job) < DBL_MAX / 4))
        return fri_fail(g->job->ctx, FR_OVERFLOW, "sums of weights up to %g may leave double",
                        g->job->weight_max);
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
    bool exact = job->dist_type == FR_I32 || job->dist_type == FR_I64;
    taken to = {g->sources,
                s->whole ? nullptr : s->device_place,
                s->whole ? nullptr : s->device_vertex,
                g->n,
                g->dist,
                job->dist_type,
                g->parent,
                g->doubtful,
                exact && job->query.least_parents,
                g->words};
    dim3 grid(fri_gpu_blocks(g->n, BLOCK), (unsigned)count);
    fri_gpu_fill(g, &g->words[FW_OVERFLOW], 1, INT32_MAX);
    BY_TYPE(s, FRI_LAUNCH((rows_kernel<T>), grid, BLOCK, 0, g->stream, matrix_of<T>(g, s), to));
    FRI_GPU_TRY(fri_gpu_read_words(g, FW_OVERFLOW, 1));
    int32_t bad = g->host_words[FW_OVERFLOW];
    if (bad == INT32_MAX)
        return FR_OK;
    return fri_fail(job->ctx, FR_OVERFLOW,
                    "a distance from vertex %d does not fit %s; ask for a wider type",
                    fri_job_source(job, first + bad), fr_type_name(job->dist_type));
}

static const fr_knob knobs[] = {
    {"tile", FR_KNOB_AUTO, 64, FW_TILE,
     "side of a tile, 64 or 128 (less is 64); default 128 from 2048 vertices on"},
    {"fused", 1, 0, 1, "int32: add and minimum in one instruction (DPX); 0: two, on two pipes"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {.scratch = device_scratch, .begin = begin, .rows = rows, .most_rows = most_rows};

FRI_GPU_ROW(fri_gpu_apsp_floyd_warshall) = {
    .name = "floyd-warshall",
    .source = "Floyd, CACM 1962; Venkataraman, Sahni, Mukhopadhyaya, JEA 2003",
    .text = "min-plus products of tiles in registers, three phases a pivot tile; any weights",
    .problem = FR_APSP,
    .backend = FR_CUDA,
    .knobs = knobs,
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_apsp_run,
};
