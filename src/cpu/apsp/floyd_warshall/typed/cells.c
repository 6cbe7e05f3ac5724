/* Reads and writes the matrix for one element type; see cpu/apsp/floyd_warshall/matrix.c. */
#include "cpu/apsp/floyd_warshall/typed/element.h"

enum { B = FRI_FLOYD_BLOCK };

/* The index of (r, c) within a row of blocks, which are contiguous. */
static inline int64_t cell_index(int32_t r, int32_t c) {
    return (((int64_t)c / B) * B + r % B) * B + c % B;
}

static void clear(const fri_floyd *f, int32_t block_row) {
    cell_t *dist = fri_floyd_block(f, f->dist, block_row, 0);
    parent_t *parents = fri_floyd_block(f, f->parents, block_row, 0);
    int64_t cells = (int64_t)f->blocks * B * B;
    for (int64_t i = 0; i < cells; i++)
        dist[i] = INFINITE;
    for (int64_t i = 0; parents && i < cells; i++)
        parents[i] = -1;
}

/* Writes the edges of a place. The first of parallel edges is the smallest. A self-loop is only
 * shorter than the distance 0 if its weight is below 0, which the pivots detect. */
static void edges_of(const fri_floyd *f, int32_t place) {
    const fr_csr *csr = &f->job->csr;
    int32_t u = f->vertex[place];
    cell_t *dist = fri_floyd_block(f, f->dist, place / B, 0);
    parent_t *parents = fri_floyd_block(f, f->parents, place / B, 0);
    int64_t own = cell_index(place, place);
    dist[own] = 0;
    if (parents)
        parents[own] = place;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int64_t at = cell_index(place, f->place[csr->targets[e]]);
        cell_t w = (cell_t)CSR_WEIGHT(csr, e);
        if (!(w < dist[at]))
            continue;
        dist[at] = w;
        if (parents && at != own)
            parents[at] = place;
    }
}

static double cell_value(const fri_floyd *f, int32_t row, int32_t column) {
    cell_t d = ((cell_t *)fri_floyd_block(f, f->dist, row / B, 0))[cell_index(row, column)];
    return d > FAR ? INFINITY : (double)d;
}

/* Writes a row of distances; false: one does not fit. `whole`: all vertices are in the matrix, in
 * order. */
static bool dist_row(const fri_floyd *f, int32_t row, void *out) {
    const cell_t *from = fri_floyd_block(f, f->dist, row / B, 0);
    bool fits = true, whole = f->size == f->job->csr.n;
#define WRITE(OUT, NONE, FITS)                                                                     \
    for (int32_t j = 0; j < f->size; j++) {                                                        \
        cell_t d = from[cell_index(row, j)];                                                       \
        fits = fits && (d > FAR || (FITS));                                                        \
        ((OUT *)out)[whole ? j : f->vertex[j]] = d > FAR ? (OUT)(NONE) : (OUT)d;                   \
    }
    switch (f->job->dist_type) {
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
    const cell_t *dist = fri_floyd_block(f, f->dist, row / B, 0);
    const parent_t *parents = fri_floyd_block(f, f->parents, row / B, 0);
    uint8_t invalid = 0;
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

#define FRI_PASTE(name, element)  name##_##element
#define FRI_EXPAND(name, element) FRI_PASTE(name, element)
#define fri_floyd_cells           FRI_EXPAND(fri_floyd_cells, FRI_ELEMENT)

extern const fri_floyd_cell_access fri_floyd_cells;
const fri_floyd_cell_access fri_floyd_cells = {clear, edges_of, dist_row, parent_row, cell_value};
