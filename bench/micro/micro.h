/* What the measuring programs of this folder share: clocks, medians, random numbers, and the end of the
 * program at the first failure. */
#ifndef FRINGE_BENCH_MICRO_H
#define FRINGE_BENCH_MICRO_H

#include "fringe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_DEVICES = 16 };

static inline double clock_s(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double now_s(void) { return clock_s(CLOCK_MONOTONIC); }
static inline double now_ms(void) { return 1e3 * now_s(); }
static inline double now_us(void) { return 1e6 * now_s(); }

static inline int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double median(double *values, int64_t count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

static inline uint64_t draw(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline void need(const fr_ctx *ctx, fr_status status) {
    if (!status)
        return;
    fprintf(stderr, "failed: %s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    exit(EXIT_FAILURE);
}

/* A context with the first `count` GPUs. */
static inline fr_ctx *open_devices(int count) {
    int devices[MAX_DEVICES];
    fr_ctx *ctx = NULL;
    for (int i = 0; i < MAX_DEVICES; i++)
        devices[i] = i;
    fr_ctx_options options = {.devices = devices, .device_count = count};
    need(NULL, fr_ctx_new(&options, &ctx));
    return ctx;
}

#endif
