/* What the measuring programs of this folder share: clocks, medians, random numbers, and the end of the
 * program at the first failure. */
#ifndef FRINGE_BENCH_MICRO_H
#define FRINGE_BENCH_MICRO_H

#include "fringe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_DEVICES = 16, MAX_DEVICE_COUNTS = 8 };

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

/* "2,4": numbers of GPUs. Returns how many there are, 0 if the text is anything else. */
static inline int parse_device_counts(const char *text, int *counts) {
    int used = 0, end = 0;
    for (; used < MAX_DEVICE_COUNTS; text += end + 1) {
        end = 0;
        if (sscanf(text, "%d%n", &counts[used], &end) != 1 || counts[used] < 1 ||
            counts[used] > MAX_DEVICES)
            return 0;
        used++;
        if (text[end] != ',')
            return text[end] ? 0 : used;
    }
    return 0;
}

/* `count` vertices that have edges, evenly spaced. */
static inline void spaced_sources(const fr_graph *graph, int32_t *sources, int count) {
    const int32_t n = fr_graph_vertex_count(graph);
    const int64_t *offsets = fr_graph_csr(graph)->offsets;
    for (int i = 0; i < count; i++) {
        int32_t v = (int32_t)((int64_t)i * n / count);
        while (v < n - 1 && offsets[v] == offsets[v + 1])
            v++;
        sources[i] = v;
    }
}

#endif
