/* Small CSR arrays as the caller has them, which nothing has checked: see binding.h. */
#ifndef PF_SMALL_H
#define PF_SMALL_H

#include "binding.h"

typedef struct {
    int32_t n;
    int width;
    const void *offsets, *targets;
    int64_t capacity;
} pf_small;

static inline int pf_small_aligned(const void *at, int width) {
    return (uintptr_t)at % (size_t)width == 0;
}

static inline int64_t pf_small_index(const void *numbers, int width, int64_t i) {
    return width == 8 ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

/* The row of u of arrays that nothing has checked; 0: it is not within the targets, and is then taken for empty. */
static inline int pf_row_of(const pf_rows *rows, int32_t u, int64_t *begin, int64_t *end) {
    *begin = pf_small_index(rows->offsets, rows->width, u);
    *end = pf_small_index(rows->offsets, rows->width, (int64_t)u + 1);
    const int is_valid = 0 <= *begin && *begin <= *end && *end <= rows->m;
    if (!is_valid)
        *begin = *end = 0;
    return is_valid;
}

/* The ends of the offsets; those between are checked when a row is read. */
static inline int pf_ends_are_valid(const pf_rows *rows, int32_t n) {
    return pf_small_index(rows->offsets, rows->width, 0) == 0 &&
           pf_small_index(rows->offsets, rows->width, n) <= rows->m;
}

#endif
