/* Preparation of Floyd-Warshall on the GPU: types and sizes, memory, and the vertices included.
 * Included by floyd_warshall.cu only. */
#ifndef FRI_CUDA_APSP_FLOYD_WARSHALL_PLAN_CUH
#define FRI_CUDA_APSP_FLOYD_WARSHALL_PLAN_CUH

#include "cuda/apsp/floyd_warshall/stream.cuh"
#include "cuda/drivers/apsp.h"

#include <string.h>

enum { TILE, FUSED, STREAM };
enum { BLOCK = 256, LARGE = 2048 /* vertices from which 128 x 128 tiles keep every SM busy */ };

namespace {
struct run_state {
    fr_type type; /* of the matrix */
    int32_t tile, size, blocks;
    bool clamp_negative, linked, fused;
    int32_t *vertex, *place; /* [n] in host memory */
    int32_t *device_vertex, *device_place;
    bool whole;                  /* every vertex is its own matrix index */
    char *search;                /* host scratch for the search for a cycle */
    stream_state stream;         /* side 0: the matrix is in device memory */
    char *row_dist;              /* [n] of dist_type, in host memory, as the next two */
    int32_t *row_parent; /* [n] */
    char *spare;         /* of a row's repair */
};
} // namespace

/* Runs what follows with T defined as the type of the matrix. */
#define BY_TYPE(s, ...) FRI_BY_TYPE(T, (s)->type, fw_i32, fw_i64, fw_f32, fw_f64, __VA_ARGS__)

/* The same, depending on the knob `fused`. */
#define BY_KIND(s, ...)                                                                            \
    do {                                                                                           \
        if ((s)->type == FR_TYPE_I32 && (s)->fused)                                                \
            FRI_WITH(T, fw_i32_fused, __VA_ARGS__);                                                \
        else                                                                                       \
            BY_TYPE(s, __VA_ARGS__);                                                               \
    } while (0)

/* ---- plan -------------------------------------------------------------------------------- */

static double reach(const fri_job *job) { /* no simple path is longer */
    return (double)job->csr.n * fmax(fabs(job->weight_min), fabs(job->weight_max));
}

/* A quarter of the narrow type's range must hold any simple path. In place it is not narrower than the caller's. */
static fr_type inside_type(const fri_job *job) {
    if (job->in->in_place && job->in->dist_type == FR_TYPE_I64)
        return FR_TYPE_I64;
    if (job->in->dist_type == FR_TYPE_I32 || job->in->dist_type == FR_TYPE_I64)
        return reach(job) < (double)(1 << 29) ? FR_TYPE_I32 : FR_TYPE_I64;
    return job->in->dist_type == FR_TYPE_F32 && reach(job) < (double)FLT_MAX / 4 ? FR_TYPE_F32
                                                                             : FR_TYPE_F64;
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
    return fri_align_line(cells(job) * fr_type_size(inside_type(job)));
}

static size_t core_bytes(const fri_job *job) {
    return matrix_bytes(job) + fri_align_line(cells(job) * sizeof(int32_t));
}

static size_t id_bytes(const fri_job *job) {
    return fri_align_line(fri_bytes(job->csr.n, sizeof(int32_t)));
}

static size_t part_bytes(const fri_job *job, int32_t side) {
    return fri_align_line(fri_bytes((int64_t)side * side, fr_type_size(inside_type(job))));
}

/* The side of the parts that are transferred, 0: the matrix fits the device. Memory that this
 * solver already holds counts as free, so that the result is the same before and after the
 * allocation. */
static int32_t stream_side(const fri_gpu *g) {
    const fri_job *job = g->job;
    int64_t tile = tile_of(job), whole = (g->n + tile - 1) / tile * tile;
    double knob = job->knob[STREAM];
    size_t free_bytes, others = fri_gpu_graph_bytes(g) + 2 * id_bytes(job) + 16 * (size_t)g->n + 65536;
    if (knob > 0)
        return (int32_t)FRI_MIN(whole, ((int64_t)knob + tile - 1) / tile * tile);
    if ((knob == 0 && !job->in->in_place) || fri_gpu_allocatable_bytes(job, &free_bytes))
        return 0;
    free_bytes += g->allocated_bytes;
    free_bytes -= FRI_MIN(free_bytes, others);
    if (!job->in->in_place && core_bytes(job) <= free_bytes)
        return 0;
    double side = sqrt((double)free_bytes / 3.1 / (double)fr_type_size(inside_type(job)));
    int64_t tiles = FRI_MAX(FRI_MIN(whole, (int64_t)side) / tile, (int64_t)(whole > 0));
    const bool saves = 3 * part_bytes(job, (int32_t)(tiles * tile)) < core_bytes(job);
    return job->in->in_place || saves ? (int32_t)(tiles * tile) : 0;
}

static size_t device_scratch(const fri_gpu *g) {
    int32_t side = stream_side(g);
    return (side ? 3 * part_bytes(g->job, side) : core_bytes(g->job)) + 2 * id_bytes(g->job);
}

static int32_t max_rows(const fri_gpu *g) {
    int64_t row = (int64_t)g->n * ((int64_t)fr_type_size(g->job->in->dist_type) + 4) + 1;
    /* transfers of 256 MB reach the full bandwidth of the bus */
    int64_t rows = ((int64_t)256 << 20) / row;
    if (stream_side(g))
        return 1; /* rows come from the host's matrix */
    return (int32_t)(rows < 1 ? 1 : rows > 65535 ? 65535 /* limit of blockIdx.y */ : rows);
}

/* Host scratch, in addition to the driver's: matrix indices, buffers of a row, the cycle search,
 * the matrix. */
static size_t scratch(const fri_job *job) {
    fri_gpu g = {};
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    size_t search = job->weight_min < 0 ? fri_align_line(fri_gpu_apsp_cycle_bytes(job)) : 0;
    size_t n = (size_t)job->csr.n, cell = fr_type_size(inside_type(job));
    size_t matrix = stream_side(&g) && !job->in->in_place ? fri_align_line(n * n * cell) : 0;
    return fri_gpu_apsp_scratch(job) + 3 * id_bytes(job) + fri_gpu_apsp_row_bytes(job) + fri_align_line(n * sizeof(double)) +
           search + matrix;
}

/* In place the matrix is the caller's array. */
static fr_status check(const fri_job *job) {
    if (!job->in->in_place || inside_type(job) == job->in->dist_type)
        return FR_OK;
    return fri_fail(job->ctx, FR_OVERFLOW,
                    "sums of weights from %g to %g may not fit the caller's array of %s%s", job->weight_min,
                    job->weight_max, fr_type_name(job->in->dist_type), fri_wider_type_hint(job->in->dist_type));
}

static fr_status prepare_stream(fri_gpu *g, run_state *s, int32_t side, char *own, char *at) {
    fri_job *job = g->job;
    stream_state *m = &s->stream;
    m->tile = s->tile;
    m->cell = fr_type_size(s->type);
    m->matrix = job->in->in_place ? nullptr : own;
    for (int i = 0; i < 3; i++)
        m->part[i] = (char *)fri_carve(&at, part_bytes(job, side));
    size_t matrix = job->in->in_place ? 0 : (size_t)job->csr.n * (size_t)job->csr.n * m->cell;
    if (own + matrix > (char *)job->scratch + job->scratch_bytes)
        return fri_fail(job->ctx, FR_NOMEM,
                        "the GPU's free memory has changed since the query was planned; try again");
    m->side = side;
    for (int i = 0; i < 2; i++) {
        size_t bytes = stage_bytes(side, m->cell);
        FRI_GPU_TRY(fri_gpu_check(g,
                                  cudaHostAlloc((void **)&m->stage[i], bytes, cudaHostAllocDefault),
                                  "pinning memory"));
        FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreateWithFlags(&m->moved[i], cudaEventDisableTiming),
                                  "creating an event"));
    }
    return FR_OK;
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = (run_state *)fri_calloc(job->ctx, sizeof *s);
    g->state = s;
    if (!s)
        return FR_NOMEM;
    size_t ids = fri_bytes(job->csr.n, sizeof(int32_t));
    int32_t side = stream_side(g);
    char *own = fri_gpu_apsp_own(job), *at = g->scratch;
    s->type = inside_type(job);
    s->tile = tile_of(job);
    s->fused = job->knob[FUSED] != 0;
    s->vertex = (int32_t *)fri_carve(&own, ids);
    s->place = (int32_t *)fri_carve(&own, ids);
    s->row_parent = (int32_t *)fri_carve(&own, ids);
    s->spare = (char *)fri_carve(&own, fri_gpu_apsp_row_bytes(job));
    s->row_dist = (char *)fri_carve(&own, fri_bytes(job->csr.n, sizeof(double)));
    s->search = (char *)fri_carve(&own, job->weight_min < 0 ? fri_gpu_apsp_cycle_bytes(job) : 0);
    s->device_vertex = (int32_t *)fri_carve(&at, ids);
    s->device_place = (int32_t *)fri_carve(&at, ids);
    return side ? prepare_stream(g, s, side, own, at) : FR_OK;
}

static void release(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = g ? (run_state *)g->state : nullptr;
    for (int i = 0; s && i < 2; i++) {
        cudaFreeHost(s->stream.stage[i]);
        if (s->stream.moved[i])
            cudaEventDestroy(s->stream.moved[i]);
    }
    fri_gpu_release(job);
}

/* ---- vertices ---------------------------------------------------------------------------- */

/* s->vertex: the vertices that the query's sources reach, in any order; returns their number. */
static int32_t find_reached(const fri_job *job, run_state *s) {
    const fr_csr *csr = &job->csr;
    int32_t tail = 0;
    for (int64_t r = 0; r < job->in->query.source_count; r++)
        if (s->place[job->in->query.sources[r]] < 0) {
            s->place[job->in->query.sources[r]] = 0;
            s->vertex[tail++] = job->in->query.sources[r];
        }
    for (int32_t head = 0; head < tail; head++)
        for (int64_t e = csr->offsets[s->vertex[head]]; e < csr->offsets[s->vertex[head] + 1]; e++)
            if (s->place[csr->targets[e]] < 0) {
                s->place[csr->targets[e]] = 0;
                s->vertex[tail++] = csr->targets[e];
            }
    return tail;
}

/* Assigns matrix indices, in the order of the vertices, to those that a source reaches. */
static fr_status choose_vertices(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    const fr_csr *csr = &job->csr;
    size_t ids = fri_bytes(csr->n, sizeof(int32_t));
    memset(s->place, job->in->query.sources ? 0xff : 0, ids);
    s->size = job->in->query.sources ? find_reached(job, s) : csr->n;
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

#endif
