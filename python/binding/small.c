/* Calls on small CSR arrays as the caller has them: one call of C, without a graph of the library,
 * which takes 20 us and more to make. */
#include "small.h"

#include <math.h>
#include <stdlib.h>

static int is_valid(const pf_small *a) {
    if (!pf_small_aligned(a->offsets, a->width) || !pf_small_aligned(a->targets, a->width))
        return 0;
    const int64_t m = pf_small_index(a->offsets, a->width, a->n);
    int bad = pf_small_index(a->offsets, a->width, 0) != 0 || m > a->capacity;
    for (int64_t u = 0; u < a->n; u++)
        bad |=
            pf_small_index(a->offsets, a->width, u) > pf_small_index(a->offsets, a->width, u + 1);
    if (bad)
        return 0;
    for (int64_t e = 0; e < m; e++) {
        const int64_t v = pf_small_index(a->targets, a->width, e);
        bad |= v < 0 || v >= a->n;
    }
    return !bad;
}

int pf_small_weights(int32_t n, int width, const void *offsets, const void *targets,
                     int64_t capacity, const void *data) {
    const pf_small a = {n, width, offsets, targets, capacity};
    if (!is_valid(&a) || !pf_small_aligned(data, sizeof(double)))
        return PF_DAMAGED;
    const double *weight = data;
    const int64_t m = pf_small_index(offsets, width, n);
    int zero = 0, negative = 0, other = 0;
    for (int64_t e = 0; e < m; e++) {
        zero |= weight[e] == 0;
        negative |= weight[e] < 0;
        other |= !(fabs(weight[e]) < INFINITY);
    }
    return (zero ? PF_ZERO : 0) | (negative ? PF_NEGATIVE : 0) | (other ? PF_NOT_FINITE : 0);
}

/* A copy in the types of the library, followed by room for `extra` int64 numbers; NULL without
 * memory. offsets: [n + 1], then targets: [m]. */
static int64_t *copy_rows(const pf_small *a, pf_rows *rows, int64_t extra) {
    rows->m = pf_small_index(a->offsets, a->width, a->n);
    int64_t *block = malloc((size_t)(a->n + 1 + rows->m + extra) * sizeof *block);
    if (!block)
        return NULL;
    int32_t *to = (int32_t *)(block + a->n + 1);
    for (int64_t u = 0; u <= a->n; u++)
        block[u] = pf_small_index(a->offsets, a->width, u);
    for (int64_t e = 0; e < rows->m; e++)
        to[e] = (int32_t)pf_small_index(a->targets, a->width, e);
    rows->width = sizeof *block;
    rows->offsets = block;
    rows->targets = to;
    return block;
}

/* The rows of the opposite edges, each in ascending order, into offsets: [n + 2] and targets: [m]. */
static pf_rows transpose(int32_t n, const pf_rows *rows, int64_t *offsets, int32_t *targets) {
    const int64_t *starts = rows->offsets;
    for (int64_t v = 0; v < n + 2; v++)
        offsets[v] = 0;
    for (int64_t e = 0; e < rows->m; e++)
        offsets[rows->targets[e] + 2]++;
    for (int64_t v = 0; v < n; v++)
        offsets[v + 2] += offsets[v + 1];
    for (int32_t u = 0; u < n; u++)
        for (int64_t e = starts[u]; e < starts[u + 1]; e++)
            targets[offsets[rows->targets[e] + 1]++] = u;
    return (pf_rows){rows->m, sizeof *offsets, offsets, targets};
}

int64_t pf_small_order(int32_t n, int width, const void *offsets, const void *targets,
                       int64_t capacity, int both, int32_t source, int32_t none, void *order,
                       void *parent) {
    const pf_small a = {n, width, offsets, targets, capacity};
    if (!is_valid(&a))
        return PF_DAMAGED;
    const int64_t m = pf_small_index(offsets, width, n);
    pf_rows rows, back = {0};
    int64_t *block = copy_rows(&a, &rows, both ? n + 2 + m : 0);
    if (!block)
        return PF_NO_MEMORY;
    if (both) {
        int64_t *starts = block + n + 1 + m;
        back = transpose(n, &rows, starts, (int32_t *)(starts + n + 2));
    }
    const int64_t count =
        pf_bfs_order(n, &rows, both ? &back : NULL, &source, 1, none, 1, order, parent);
    free(block);
    return count;
}

int32_t pf_small_strong(int32_t n, int width, const void *offsets, const void *targets,
                        int64_t capacity, void *label) {
    const pf_small a = {n, width, offsets, targets, capacity};
    if (!is_valid(&a))
        return PF_DAMAGED;
    pf_rows rows;
    int64_t *block = copy_rows(&a, &rows, 5 * (int64_t)n);
    if (!block)
        return PF_NO_MEMORY;
    const int32_t count = pf_strong_components(n, &rows, 1, label, block + n + 1 + rows.m);
    free(block);
    return count;
}
