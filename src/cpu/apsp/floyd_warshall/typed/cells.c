/* Reads and writes the matrix for one element type; see cpu/apsp/floyd_warshall/matrix.c. */
#include "cpu/apsp/floyd_warshall/matrix.h"
#include "cpu/typed.h"

/* Parents are as wide as distances. A cell above FAR is not reached. */
typedef int32_t parent_I32, parent_F32;
typedef int64_t parent_I64, parent_F64;
typedef FRI_JOIN(parent_, FRI_DIST) parent_t;
#if DIST_IS_INTEGER
#define FAR        ((dist_t)1 << (8 * sizeof(dist_t) - 3))
#define INFINITE   (2 * FAR - 1)
#define CSR_WEIGHT fri_csr_int_weight
_Static_assert(sizeof(dist_t) > 4 || FAR == FRI_FLOYD_FAR_I32, "fri_floyd_type chooses by it");
#else
#define FAR        ((dist_t)DIST_MAX)
#define INFINITE   DIST_INF
#define CSR_WEIGHT fri_csr_weight
#endif

enum { B = FRI_FLOYD_BLOCK };

/* Defines a function of the matrix f, as FRI_TYPED_FUNCTION does. */
#define MATRIX_FUNCTION(result, name, parameters, arguments)                                       \
    FRI_TYPED_FUNCTION(FRI_EQUAL_PAIRS, fri_pair(f->type, f->type), result, name, parameters,      \
                       arguments)

/* The index of (r, c) within a row of blocks, which are contiguous. */
static inline int64_t cell_index(int32_t r, int32_t c) {
    return (((int64_t)c / B) * B + r % B) * B + c % B;
}

static void clear(const fri_floyd *f, int32_t block_row) {
    dist_t *dist = fri_floyd_block(f, f->dist, block_row, 0);
    parent_t *parents = fri_floyd_block(f, f->parents, block_row, 0);
    int64_t cells = (int64_t)f->blocks * B * B;
    for (int64_t i = 0; i < cells; i++)
        dist[i] = INFINITE;
    for (int64_t i = 0; parents && i < cells; i++)
        parents[i] = -1;
}

/* Writes the edges of a place. The first of parallel edges is the smallest. A self-loop is only shorter than the distance 0 if its
 * weight is below 0, which the pivots detect. */
static void write_edges(const fri_floyd *f, int32_t place) {
    const fr_csr *csr = &f->job->csr;
    int32_t u = f->vertex[place];
    dist_t *dist = fri_floyd_block(f, f->dist, place / B, 0);
    parent_t *parents = fri_floyd_block(f, f->parents, place / B, 0);
    int64_t own = cell_index(place, place);
    dist[own] = 0;
    if (parents)
        parents[own] = place;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int64_t at = cell_index(place, f->place[csr->targets[e]]);
        dist_t w = 0 + (dist_t)CSR_WEIGHT(csr, e); /* 0 for -0, as in a sum from the source on */
        if (!(w < dist[at]))
            continue;
        dist[at] = w;
        if (parents && at != own)
            parents[at] = place;
    }
}

MATRIX_FUNCTION(fr_status, fri_floyd_fill, (const fri_floyd *f), (f)) {
    enum { BAND = 16 }; /* rows of blocks between two checks for cancellation */
    fr_status status = FR_OK;
    for (int32_t begin = 0; begin < f->blocks && !status; begin += BAND) {
        int32_t end = FRI_MIN(begin + BAND, f->blocks);
#pragma omp parallel for num_threads(f->job->in->threads)
        for (int32_t i = begin; i < end; i++) {
            clear(f, i);
            for (int32_t p = i * B; p < f->size && p < (i + 1) * B; p++)
                write_edges(f, p);
        }
        status = fri_progress(f->job->ctx, "filling", end, f->blocks);
    }
    return status;
}

/* Writes a row of distances; false: one does not fit. `whole`: all vertices are in the matrix, in
 * order. */
static bool dist_row(const fri_floyd *f, int32_t row, void *out) {
    const dist_t *from = fri_floyd_block(f, f->dist, row / B, 0);
    bool fits = true, whole = f->size == f->job->csr.n;
#define WRITE(OUT, NONE, FITS)                                                                     \
    for (int32_t v = 0; !whole && v < f->job->csr.n; v++)                                          \
        ((OUT *)out)[v] = (OUT)(NONE);                                                             \
    for (int32_t j = 0; j < f->size; j++) {                                                        \
        dist_t d = from[cell_index(row, j)];                                                       \
        fits = fits && (d > FAR || (FITS));                                                        \
        ((OUT *)out)[whole ? j : f->vertex[j]] = d > FAR ? (OUT)(NONE) : (OUT)d;                   \
    }
    switch (f->job->in->dist_type) {
    case FR_TYPE_I32:
        WRITE(int32_t, FR_INF_I32, (double)d < FR_INF_I32 && (double)d >= INT32_MIN) break;
    case FR_TYPE_I64: WRITE(int64_t, FR_INF_I64, true) break;
    case FR_TYPE_F32: WRITE(float, INFINITY, fabs((double)d) <= (double)FLT_MAX) break;
    default: WRITE(double, INFINITY, true) break;
    }
#undef WRITE
    return fits;
}

static uint8_t parent_row(const fri_floyd *f, int32_t row, int32_t *parent) {
    const dist_t *dist = fri_floyd_block(f, f->dist, row / B, 0);
    const parent_t *parents = fri_floyd_block(f, f->parents, row / B, 0);
    uint8_t invalid = 0;
    for (int32_t v = 0; f->size < f->job->csr.n && v < f->job->csr.n; v++)
        parent[v] = -1;
    for (int32_t j = 0; j < f->size; j++) {
        int64_t at = cell_index(row, j);
        if (dist[at] > FAR) {
            parent[f->vertex[j]] = -1;
            continue;
        }
        int32_t p = (int32_t)parents[at];
        parent[f->vertex[j]] = f->vertex[p];
        invalid |= j != row && !(dist[cell_index(row, p)] < dist[at]) ? FRI_FLOYD_NOT_NEARER : 0;
    }
    return invalid;
}

MATRIX_FUNCTION(fr_status, fri_floyd_row,
                (const fri_floyd *f, int32_t source, void *dist, int32_t *parent, uint8_t *invalid),
                (f, source, dist, parent, invalid)) {
    int32_t row = f->place[source];
    if (dist && !dist_row(f, row, dist))
        return FR_OVERFLOW;
    if (parent)
        *invalid = parent_row(f, row, parent);
    const dist_t *own = fri_floyd_block(f, f->dist, row / B, 0);
    if (f->job->weight_min < 0 && own[cell_index(row, row)] < 0)
        *invalid |= FRI_FLOYD_ROUNDED;
    return FR_OK;
}
