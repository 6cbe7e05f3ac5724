/* Builds the rows of edge_t (cpu/sssp/sssp.h): one copy and, on request, one sort per row.
 *
 * A long row is distributed to classes of weights (a counting sort for integers up to 255), which
 * takes the place of the copy. */
#include "cpu/sssp/typed/pair.h"

static void insertion_sort(edge_t *row, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        edge_t x = row[i];
        int64_t j = i;
        for (; j > 0 && row[j - 1].w > x.w; j--)
            row[j] = row[j - 1];
        row[j] = x;
    }
}

/* Quicksort by weight; the recursion takes the smaller side, so that its depth is logarithmic.
 * Equal weights are split evenly. */
static void sort_row(edge_t *row, int64_t count) {
    while (count > 24) {
        weight_t a = row[0].w, b = row[count / 2].w, c = row[count - 1].w;
        weight_t pivot = a < b ? (b < c ? b : FRI_MAX(a, c)) : (a < c ? a : FRI_MAX(b, c));
        int64_t i = 0, j = count - 1;
        while (i <= j) {
            while (row[i].w < pivot)
                i++;
            while (pivot < row[j].w)
                j--;
            if (i <= j) {
                edge_t x = row[i];
                row[i++] = row[j];
                row[j--] = x;
            }
        }
        if (j + 1 < count - i) {
            sort_row(row, j + 1);
            row += i;
            count -= i;
        } else {
            sort_row(row + i, count - i);
            count = j + 1;
        }
    }
    insertion_sort(row, count);
}

/* Classes of weights in ascending order: class_of is monotone. */
enum { CLASSES = 256, SMALL_ROW = 16 };

typedef struct {
    int shift;       /* integers: class = weight >> shift */
    double scale;    /* floats: class = weight * scale */
    bool is_usable;  /* no weight is below 0 */
    bool one_weight; /* a class contains equal weights only */
} classes;

static classes make_classes(const fri_job *job) {
    classes c = {.is_usable = job->weight_min >= 0};
#if DIST_IS_INTEGER
    while (ldexp(CLASSES, c.shift) <= job->weight_max)
        c.shift++;
    c.one_weight = c.shift == 0;
#else
    c.scale = CLASSES / job->weight_max;
    c.is_usable &= c.scale > 0 && c.scale <= DBL_MAX;
#endif
    return c;
}

static inline unsigned class_of(const classes *c, weight_t w) {
#if DIST_IS_INTEGER
    return (unsigned)(w >> c->shift);
#else
    double x = (double)w * c->scale;
    return x < CLASSES - 1 ? (unsigned)x : CLASSES - 1;
#endif
}

static void copy_row(const fr_csr *csr, int64_t begin, int64_t end, edge_t *rows) {
    for (int64_t e = begin; e < end; e++)
        rows[e] = (edge_t){csr->targets[e], weight_at(csr, e)};
}

/* Moves a row to its classes, which are then sorted one by one. */
static void scatter_row(const fr_csr *csr, const classes *c, int64_t begin, int64_t end,
                        edge_t *rows) {
    int64_t at[CLASSES + 1] = {0}, first = begin;
    for (int64_t e = begin; e < end; e++)
        at[class_of(c, weight_at(csr, e)) + 1]++;
    at[0] = begin;
    for (int i = 1; i <= CLASSES; i++)
        at[i] += at[i - 1];
    for (int64_t e = begin; e < end; e++) {
        weight_t w = weight_at(csr, e);
        rows[at[class_of(c, w)]++] = (edge_t){csr->targets[e], w};
    }
    for (int i = 0; i < CLASSES && !c->one_weight; first = at[i++])
        sort_row(rows + first, at[i] - first);
}

/* Short rows are sorted by comparison: the classes would cost more than their edges. */
static void fill_sorted(const fr_csr *csr, const classes *c, int64_t begin, int64_t end,
                        edge_t *rows) {
    if (end - begin > SMALL_ROW && c->is_usable) {
        scatter_row(csr, c, begin, end, rows);
        return;
    }
    copy_row(csr, begin, end, rows);
    sort_row(rows + begin, end - begin);
}

typedef struct {
    const fri_job *job;
    edge_t *rows;
    bool sorted;
    classes classes;
    fri_pace pace;
} filling;

static void fill_piece(fri_member me, void *arg, int64_t first, int64_t last) {
    filling *f = arg;
    const fr_csr *csr = &f->job->csr;
    for (int64_t u = first; u < last; u++) {
        int64_t begin = csr->offsets[u], end = csr->offsets[u + 1];
        if (fri_pace_stop_team(&f->pace, me.index == 0, end - begin + 1, begin))
            return;
        if (f->sorted)
            fill_sorted(csr, &f->classes, begin, end, f->rows);
        else
            copy_row(csr, begin, end, f->rows);
    }
}

FRI_SSSP_FUNCTION(fr_status, fri_adjacency_fill, (const fri_job *job, void *out, bool by_weight),
                  (job, out, by_weight)) {
    const fr_csr *csr = &job->csr;
    filling f = {job, out, by_weight && csr->weights, make_classes(job),
                 fri_pace_begin(job->ctx, "laying out rows", csr->m)};
    fri_team_loop(job->ctx, fri_job_threads(job, 2 * csr->m), csr->n, 1024, fill_piece, &f);
    for (int i = 0; i < FRI_ADJACENCY_PAD; i++)
        f.rows[csr->m + i] = (edge_t){0, 0};
    return f.pace.status;
}

#ifdef FRI_ONCE

static fri_derived_kind kind_of(const fri_job *job) {
    return job->csr.weights ? FRI_DERIVED_SORTED_ROWS : FRI_DERIVED_UNIT_ROWS;
}

size_t fri_adjacency_share_bytes(const fri_job *job) {
    fri_derived_blocks made;
    return fri_derived_take(job->derived, kind_of(job), &made) ? 0 : fri_adjacency_bytes(job);
}

fr_status fri_adjacency_share(const fri_job *job, const void **rows) {
    fri_derived_blocks made;
    if (!fri_derived_take(job->derived, kind_of(job), &made)) {
        void *fresh = fri_alloc(job->ctx, fri_adjacency_bytes(job));
        if (!fresh)
            return FR_NOMEM;
        fr_status status = fri_adjacency_fill(job, fresh, true);
        if (status) {
            fri_free(fresh);
            return status;
        }
        made = (fri_derived_blocks){{fresh}};
        fri_derived_give(job->derived, kind_of(job), &made);
    }
    *rows = made.block[0];
    return FR_OK;
}

#endif
