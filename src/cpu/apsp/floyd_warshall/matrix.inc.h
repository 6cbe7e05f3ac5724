/* Template: in and out of a matrix of DIST and PARENT; NAME(x), WEIGHT (reads an edge's), FAR
 * (larger than it: not reached), INFINITE (what stands for that inside). */

static void NAME(clear)(const fri_floyd *f, int32_t block_row) {
    DIST *dist = fri_floyd_block(f, f->dist, block_row, 0);
    PARENT *parents = fri_floyd_block(f, f->parents, block_row, 0);
    int64_t cells = (int64_t)f->blocks * B * B;
    for (int64_t i = 0; i < cells; i++)
        dist[i] = INFINITE;
    for (int64_t i = 0; parents && i < cells; i++)
        parents[i] = -1;
}

/* Of parallel edges the first of a row is the least, and no self-loop is shorter than staying,
 * unless it is below 0: the pivots will see that. */
static void NAME(edges_of)(const fri_floyd *f, int32_t place) {
    const fr_csr *csr = &f->job->csr;
    int32_t u = f->vertex[place];
    DIST *dist = fri_floyd_block(f, f->dist, place / B, 0);
    PARENT *parents = fri_floyd_block(f, f->parents, place / B, 0);
    int64_t own = CELL(place, place);
    dist[own] = 0;
    if (parents)
        parents[own] = place;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int64_t at = CELL(place, f->place[csr->targets[e]]);
        DIST w = (DIST)WEIGHT(csr, e);
        if (!(w < dist[at]))
            continue;
        dist[at] = w;
        if (parents && at != own)
            parents[at] = place;
    }
}

static double NAME(cell)(const fri_floyd *f, int32_t row, int32_t column) {
    DIST d = ((DIST *)fri_floyd_block(f, f->dist, row / B, 0))[CELL(row, column)];
    return d > FAR ? INFINITY : (double)d;
}

/* `whole`: every vertex is in the matrix, in order. */
static bool NAME(dist_row)(const fri_floyd *f, int32_t row, void *out) {
    const DIST *from = fri_floyd_block(f, f->dist, row / B, 0);
    bool fits = true, whole = f->size == f->job->csr.n;
#define WRITE(OUT, NONE, FITS)                                                                     \
    for (int32_t j = 0; j < f->size; j++) {                                                        \
        DIST d = from[CELL(row, j)];                                                               \
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

static uint8_t NAME(parent_row)(const fri_floyd *f, int32_t row, int32_t *parent) {
    const DIST *dist = fri_floyd_block(f, f->dist, row / B, 0);
    const PARENT *parents = fri_floyd_block(f, f->parents, row / B, 0);
    uint8_t parents_invalid = 0;
    for (int32_t j = 0; j < f->size; j++) {
        int64_t at = CELL(row, j);
        if (dist[at] > FAR) {
            parent[f->vertex[j]] = -1;
            continue;
        }
        int32_t p = (int32_t)parents[at];
        parent[f->vertex[j]] = f->vertex[p];
        parents_invalid |= j != row && !(dist[CELL(row, p)] < dist[at]);
    }
    return parents_invalid;
}

#undef DIST
#undef PARENT
#undef NAME
#undef WEIGHT
#undef FAR
#undef INFINITE
