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

#endif
