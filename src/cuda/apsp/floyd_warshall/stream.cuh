/* Floyd-Warshall for matrices that do not fit the device: square parts of the matrix are
 * transferred as needed, and the matrix itself is in host memory, in the scratch or in the caller's
 * own array (which may be a mapped file). Included by floyd_warshall.cu only.
 *
 * For each part on the diagonal: the part by itself as in the in-core algorithm; then the others of
 * its row and of its column, each as a product with it; then all others, each as a product of two.
 * Each part consists of whole pivot tiles, so the in-core algorithm's kernels serve.
 * Repeating the step of a part does no harm: cells only decrease, and always to the length of a
 * path. So an interrupted run continues from the last diagonal part that was finished
 * (fr_query.floyd.pivots_done).
 * Traffic: 3 parts for side^3 add-mins; the host packs the next transfer during the current one,
 *   but the kernels wait for their parts: with parts that fill the device, transfers take the
 *   smaller share of the time. Cells in host memory have the type of the matrix, and unreached ones
 *   the value that fringe.h defines; parents are computed from the distances. */
#ifndef FRI_CUDA_APSP_FLOYD_WARSHALL_STREAM_CUH
#define FRI_CUDA_APSP_FLOYD_WARSHALL_STREAM_CUH

#include "cuda/apsp/floyd_warshall/access.cuh"
#include "cuda/drivers/apsp.h"
#include "cuda/device/memory_plan.h"

enum { STAGE_BYTES = 16 << 20 /* pinned, twice: bytes per transfer, at least one row */ };

namespace {
struct stream_state {
    int32_t side, parts;  /* of a part; parts per side of the matrix */
    int32_t size, tile;   /* of the matrix, of a tile */
    size_t cell;          /* bytes */
    char *matrix;         /* [size][size] in host memory */
    char *stage[2];       /* pinned, whole rows of a part, used in turn */
    cudaEvent_t moved[2]; /* the transfer from or to a stage is complete */
    char *part[3];        /* [side][side] on the device */
};
} // namespace

template <class T>
static void launch_products(fri_gpu *g, const product<typename T::D> &p, int64_t blocks) {
    int threads = p.tile / FW_COLUMNS * (p.tile / T::ROWS);
    if (blocks > 0)
        FRI_RUN((product_kernel<T>), (unsigned)blocks, threads, p);
}

/* A block needs as many threads as its panels have quads: 8 rows per thread are for large tiles. */
template <class T>
static void products(fri_gpu *g, const product<typename T::D> &p, int64_t blocks) {
    if constexpr (T::ROWS == 8)
        if (p.tile < FW_TILE) {
            launch_products<fw_small<T>>(g, p, blocks);
            return;
        }
    launch_products<T>(g, p, blocks);
}

/* Converts the value that fringe.h defines for unreached cells to the kernels' value, or back. */
template <class T>
static __global__ void convert_kernel(typename T::D *at, int64_t count, typename T::D none,
                                      bool inward) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    if (inward)
        at[i] = at[i] == none ? T::infinite() : at[i];
    else
        at[i] = T::far(at[i]) ? none : at[i];
}

static int32_t none_of(fw_i32) { return FR_INF_I32; }
static int64_t none_of(fw_i64) { return FR_INF_I64; }
static float none_of(fw_f32) { return INFINITY; }
static double none_of(fw_f64) { return (double)INFINITY; }

template <class T> static void convert(fri_gpu *g, const stream_state *m, char *part, bool inward) {
    int64_t cells = (int64_t)m->side * m->side;
    FRI_RUN_EACH((convert_kernel<T>), cells, 256, (typename T::D *)(void *)part, cells,
                 none_of(T()), inward);
}

/* ---- transfers --------------------------------------------------------------------------- */

/* Rows of a part that fit a stage. */
static int64_t staged_rows(const stream_state *m) {
    int64_t rows = STAGE_BYTES / (int64_t)(m->cell * (size_t)m->side);
    return rows < 1 ? 1 : rows;
}

static size_t stage_bytes(int32_t side, size_t cell) {
    stream_state m = {};
    m.side = side;
    m.cell = cell;
    return (size_t)staged_rows(&m) * (size_t)side * cell;
}

/* Copies host rows first .. first+count-1 of part (i, j) to a stage, padded with unreached cells,
 * or back. */
template <class T>
static void pack(const fri_gpu *g, const stream_state *m, char *stage, int64_t i, int64_t j,
                 int64_t first, int64_t count, bool up) {
    typedef typename T::D D;
    int64_t row = i * m->side + first, below = m->size - row, right = m->size - j * m->side;
    int64_t rows = below < 0 ? 0 : FRI_MIN(below, count), width = FRI_MIN(right, (int64_t)m->side);
    size_t pitch = (size_t)m->size * m->cell, side = (size_t)m->side * m->cell;
    char *cells = m->matrix + (size_t)row * pitch + (size_t)(j * m->side) * m->cell;
    if (!up) {
        fri_gpu_copy_rows(cells, pitch, stage, side, (size_t)width * m->cell, rows,
                          g->job->in->threads);
        return;
    }
    fri_gpu_copy_rows(stage, side, cells, pitch, (size_t)width * m->cell, rows,
                      g->job->in->threads);
    for (int64_t r = 0; r < count; r++)
        for (int64_t c = r < rows ? width : 0; c < m->side; c++)
            ((D *)(void *)stage)[r * m->side + c] = none_of(T());
}

/* Two stages are used in turn: one is transferred while the host packs the other. */
template <class T>
static fr_status upload_part(fri_gpu *g, const stream_state *m, char *part, int64_t i, int64_t j) {
    size_t row = (size_t)m->side * m->cell;
    for (int64_t at = 0, some, buffer = 0; at < m->side; at += some, buffer ^= 1) {
        some = FRI_MIN(staged_rows(m), m->side - at);
        FRI_GPU_TRY(fri_gpu_check(g, cudaEventSynchronize(m->moved[buffer]), "moving a part"));
        pack<T>(g, m, m->stage[buffer], i, j, at, some, true);
        FRI_GPU_TRY(
            fri_gpu_check(g,
                          cudaMemcpyAsync(part + (size_t)at * row, m->stage[buffer],
                                          (size_t)some * row, cudaMemcpyHostToDevice, g->stream),
                          "uploading a part of the matrix"));
        FRI_GPU_TRY(
            fri_gpu_check(g, cudaEventRecord(m->moved[buffer], g->stream), "moving a part"));
    }
    convert<T>(g, m, part, true);
    return FR_OK;
}

/* Waits for the transfer of stage `buffer` and copies it to the host's matrix. */
template <class T>
static fr_status unpack(fri_gpu *g, const stream_state *m, int64_t buffer, int64_t i, int64_t j,
                        int64_t first, int64_t count) {
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventSynchronize(m->moved[buffer]), "moving a part"));
    pack<T>(g, m, m->stage[buffer], i, j, first, count, false);
    return FR_OK;
}

template <class T>
static fr_status download_part(fri_gpu *g, const stream_state *m, char *part, int64_t i,
                               int64_t j) {
    size_t row = (size_t)m->side * m->cell;
    int64_t buffer = 0, before = 0, came = 0; /* rows in flight in the other stage */
    convert<T>(g, m, part, false);
    for (int64_t at = 0, some; at < m->side; at += some, buffer ^= 1) {
        some = FRI_MIN(staged_rows(m), m->side - at);
        FRI_GPU_TRY(
            fri_gpu_check(g,
                          cudaMemcpyAsync(m->stage[buffer], part + (size_t)at * row,
                                          (size_t)some * row, cudaMemcpyDeviceToHost, g->stream),
                          "downloading a part of the matrix"));
        FRI_GPU_TRY(
            fri_gpu_check(g, cudaEventRecord(m->moved[buffer], g->stream), "moving a part"));
        if (came)
            FRI_GPU_TRY(unpack<T>(g, m, buffer ^ 1, i, j, before, came));
        before = at;
        came = some;
    }
    convert<T>(g, m, part, true);
    return unpack<T>(g, m, buffer ^ 1, i, j, before, came);
}

template <class T>
static fr_status move_part(fri_gpu *g, const stream_state *m, int which, int64_t i, int64_t j,
                           bool up) {
    return up ? upload_part<T>(g, m, m->part[which], i, j)
              : download_part<T>(g, m, m->part[which], i, j);
}

/* ---- products of parts ------------------------------------------------------------------- */

template <class T>
static product<typename T::D> part_product(const fri_gpu *g, const stream_state *m, int c, int a,
                                           int b, int32_t k) {
    typedef typename T::D D;
    product<D> p = {};
    p.c = (D *)(void *)m->part[c];
    p.a = (const D *)(const void *)m->part[a];
    p.b = (const D *)(const void *)m->part[b];
    p.pitch_c = p.pitch_a = p.pitch_b = m->side;
    p.tile = m->tile;
    p.k_a = p.k_b = k;
    p.columns = m->side / m->tile;
    p.skip_row = p.skip_column = -1;
    p.words = g->control;
    p.one = 1;
    return p;
}

/* The part on the diagonal, by itself. */
template <class T>
static void diagonal_part(fri_gpu *g, const stream_state *m, int32_t k, bool clamp_negative) {
    product<typename T::D> p = part_product<T>(g, m, 0, 0, 0, k);
    int64_t others = p.columns - 1;
    FRI_RUN((pivot_kernel<T>), 1, m->tile / 4 * (m->tile / 4), p.c + (p.pitch_c + 1) * k * m->tile,
            (int32_t *)nullptr, p.pitch_c, m->tile, clamp_negative, g->control);
    p.cross = (int32_t)others;
    products<T>(g, p, 2 * others);
    p.cross = 0;
    p.skip_row = p.skip_column = k;
    p.columns = (int32_t)others;
    products<T>(g, p, others * others);
}

/* Part 1 in the row or column of the diagonal part 0: the pivot's row (or column) of tiles first,
 * then the rest. */
template <class T> static void overlap(fri_gpu *g, const stream_state *m, int32_t k, bool in_row) {
    product<typename T::D> p = part_product<T>(g, m, 1, in_row ? 0 : 1, in_row ? 1 : 0, k), q = p;
    int64_t tiles = p.columns;
    p.row = in_row ? k : 0;
    if (!in_row) { /* a column of tiles: offsets as if the matrices began there */
        p.columns = 1;
        p.c += (int64_t)k * m->tile;
        p.b += (int64_t)k * m->tile;
    }
    products<T>(g, p, tiles);
    if (in_row)
        q.skip_row = k;
    else {
        q.skip_column = k;
        q.columns--;
    }
    products<T>(g, q, tiles * (tiles - 1));
}

template <class T>
static fr_status cross_part(fri_gpu *g, const stream_state *m, int64_t k, int64_t x, bool in_row) {
    FRI_GPU_TRY(move_part<T>(g, m, 1, in_row ? k : x, in_row ? x : k, true));
    for (int32_t t = 0; t < m->side / m->tile; t++)
        overlap<T>(g, m, t, in_row);
    return move_part<T>(g, m, 1, in_row ? k : x, in_row ? x : k, false);
}

/* Part 2 = (i, j) via part 1 = (i, k) and part 0 = (k, j). */
template <class T>
static fr_status rest_part(fri_gpu *g, const stream_state *m, int64_t i, int64_t j, int64_t k) {
    FRI_GPU_TRY(move_part<T>(g, m, 0, k, j, true));
    FRI_GPU_TRY(move_part<T>(g, m, 2, i, j, true));
    int64_t tiles = m->side / m->tile;
    for (int32_t t = 0; t < tiles; t++)
        products<T>(g, part_product<T>(g, m, 2, 1, 0, t), tiles * tiles);
    return move_part<T>(g, m, 2, i, j, false);
}

/* Updates all parts via diagonal part k. */
template <class T>
static fr_status stream_pivot(fri_gpu *g, const stream_state *m, int64_t k, bool clamp_negative,
                              bool *negative) {
    FRI_GPU_TRY(move_part<T>(g, m, 0, k, k, true));
    for (int32_t t = 0; t < m->side / m->tile; t++)
        diagonal_part<T>(g, m, t, clamp_negative);
    FRI_GPU_TRY(fri_gpu_read_control(g, FW_NEGATIVE, 1));
    *negative = g->host_control[FW_NEGATIVE] != 0;
    if (*negative)
        return FR_OK;
    FRI_GPU_TRY(move_part<T>(g, m, 0, k, k, false));
    for (int64_t x = 0; x < 2 * m->parts; x++)
        if (x / 2 != k)
            FRI_GPU_TRY(cross_part<T>(g, m, k, x / 2, x % 2 == 0));
    for (int64_t i = 0; i < m->parts; i++) {
        if (i == k)
            continue;
        FRI_GPU_TRY(
            fri_progress(g->job->ctx, "all pairs", k * m->parts + i, (int64_t)m->parts * m->parts));
        FRI_GPU_TRY(move_part<T>(g, m, 1, i, k, true));
        for (int64_t j = 0; j < m->parts; j++)
            if (j != k)
                FRI_GPU_TRY(rest_part<T>(g, m, i, j, k));
    }
    return FR_OK;
}

/* ---- the host's matrix ------------------------------------------------------------------- */

static double edge_weight(const fr_csr *csr, int64_t e) {
    if (csr->weight_type == FR_TYPE_I32)
        return ((const int32_t *)csr->weights)[e];
    if (csr->weight_type == FR_TYPE_F32)
        return (double)((const float *)csr->weights)[e];
    return csr->weight_type == FR_TYPE_F64 ? ((const double *)csr->weights)[e] : 1;
}

/* The same as fill_kernel and edges_kernel, for the vertices that have matrix indices. */
template <class T>
static void stream_fill(const fri_job *job, const stream_state *m, const int32_t *place,
                        const int32_t *vertex) {
    typedef typename T::D D;
    const fr_csr *csr = &job->csr;
    for (int64_t i = 0; i < m->size; i++) {
        D *row = (D *)(void *)m->matrix + i * m->size;
        int32_t u = vertex[i];
        for (int64_t j = 0; j < m->size; j++)
            row[j] = none_of(T());
        row[i] = 0;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            D w = (D)edge_weight(csr, e), *at = &row[place[csr->targets[e]]];
            *at = w < *at ? w : *at;
        }
    }
}

#endif
