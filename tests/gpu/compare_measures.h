/* Compares each measure of a graph on the GPU with the CPU. Included by test_gpu_measures.c only. */
#ifndef FRI_TESTS_GPU_COMPARE_MEASURES_H
#define FRI_TESTS_GPU_COMPARE_MEASURES_H

#include "conformance/choose.h"
#include "fringe_measures.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXACT =
        ON_HOST ? 40 : 2000, /* maximum number of vertices whose exact betweenness is compared */
    CLOSE = ON_HOST ? 40 : 20000,    /* the same of closeness, which is always exact */
    CENTRAL = ON_HOST ? 300 : 20000, /* of eccentricities */
    FEW = 40,                        /* both under a tool, which makes kernels slow */
    SAMPLES = ON_HOST ? 33 : 100, /* otherwise; fills one group of 32 sources and part of another */
    RANDOM_GRAPHS = ON_HOST ? 16 : 500,
    AGAIN =
        ON_HOST
            ? 100
            : 1 << 30, /* maximum number of vertices where the GPU computes scores twice, and from
                                        more than eight sources */
    MAX_VERTICES = 40  /* vertices of a random graph */
};
static const double tolerance = 1e-12; /* relative: the order of sums */

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    const char *name;
    int32_t n;
} subject;

static void *array(const subject *s, size_t size) {
    void *made = malloc(((size_t)s->n + 1) * size);
    if (!made)
        cf_give_up(NULL, "memory");
    memset(made, 0xa5, ((size_t)s->n + 1) * size); /* every value must be written */
    return made;
}

static void compare_components(const subject *s, fr_component_kind kind) {
    int32_t *label[2], *size[2], count[2] = {0};
    for (int i = 0; i < 2; i++) {
        label[i] = array(s, sizeof(int32_t));
        size[i] = array(s, sizeof(int32_t));
        fr_status status =
            fr_components(s->ctx, s->graph, kind, i ? FR_BACKEND_CUDA : FR_BACKEND_CPU, label[i],
                          size[i], &count[i]);
        CHECK(!status, "%s: %s", s->name, fr_ctx_error(s->ctx));
    }
    CHECK(count[0] == count[1], "%s: %d components, not %d", s->name, count[1], count[0]);
    CHECK(!memcmp(label[0], label[1], (size_t)s->n * sizeof(int32_t)), "%s: labels", s->name);
    CHECK(!memcmp(size[0], size[1], (size_t)count[0] * sizeof(int32_t)), "%s: sizes", s->name);
    CHECK(!fr_components(s->ctx, s->graph, kind, FR_BACKEND_CUDA, label[1], NULL, &count[1]),
          "%s: without sizes: %s", s->name, fr_ctx_error(s->ctx));
    CHECK(!memcmp(label[0], label[1], (size_t)s->n * sizeof(int32_t)), "%s: labels", s->name);
    for (int i = 0; i < 2; i++) {
        free(label[i]);
        free(size[i]);
    }
}

typedef fr_status (*measure_fn)(const subject *s, fr_backend backend, double *score);

static fr_status exact(const subject *s, fr_backend backend, double *score) {
    fr_betweenness_options options = {.struct_size = sizeof options, .backend = backend};
    return fr_betweenness(s->ctx, s->graph, &options, score, NULL);
}
static fr_status sampled(const subject *s, fr_backend backend, double *score) {
    fr_betweenness_options options = {.struct_size = sizeof options,
                                      .normalized = true,
                                      .samples = SAMPLES,
                                      .seed = 7,
                                      .backend = backend};
    return fr_betweenness(s->ctx, s->graph, &options, score, NULL);
}
static fr_status eight(const subject *s, fr_backend backend, double *score) {
    fr_betweenness_options options = {
        .struct_size = sizeof options, .samples = 8, .seed = 1, .backend = backend};
    return fr_betweenness(s->ctx, s->graph, &options, score, NULL);
}
static fr_status closeness(const subject *s, fr_backend backend, double *score) {
    return fr_closeness(s->ctx, s->graph, false, backend, score);
}
static fr_status reached(const subject *s, fr_backend backend, double *score) {
    return fr_closeness(s->ctx, s->graph, true, backend, score);
}
static fr_status harmonic(const subject *s, fr_backend backend, double *score) {
    return fr_harmonic(s->ctx, s->graph, backend, score);
}

/* Values, diameter and radius must be equal: they are integers. Then the latter two alone. */
static void compare_eccentricities(const subject *s) {
    double *e[2], ends[2][2], alone[2];
    int64_t passes[2] = {0};
    for (int i = 0; i < 2; i++) {
        e[i] = array(s, sizeof(double));
        fr_status status = fr_eccentricity(s->ctx, s->graph, i ? FR_BACKEND_CUDA : FR_BACKEND_CPU,
                                           e[i], &ends[i][0], &ends[i][1], &passes[i]);
        CHECK(!status, "%s: %s", s->name, fr_ctx_error(s->ctx));
    }
    CHECK(!memcmp(e[0], e[1], (size_t)s->n * sizeof(double)), "%s: eccentricities", s->name);
    CHECK(!memcmp(ends[0], ends[1], sizeof ends[0]), "%s: diameter %g, not %g; radius %g, not %g",
          s->name, ends[1][0], ends[0][0], ends[1][1], ends[0][1]);
    CHECK(!s->n == !passes[1], "%s: %d passes", s->name, (int)passes[1]);
    CHECK(!fr_eccentricity(s->ctx, s->graph, FR_BACKEND_CUDA, NULL, &alone[0], &alone[1], NULL),
          "%s: %s", s->name, fr_ctx_error(s->ctx));
    CHECK(!memcmp(ends[0], alone, sizeof alone), "%s: diameter and radius alone: %g, %g", s->name,
          alone[0], alone[1]);
    free(e[0]);
    free(e[1]);
}

static double difference(const double *a, const double *b, int32_t n) {
    double maximum = 0;
    for (int32_t v = 0; v < n; v++) {
        double by = fabs(a[v] - b[v]) / fmax(fabs(a[v]), 1e-300);
        maximum = a[v] == b[v] || by <= maximum ? maximum : isfinite(by) ? by : INFINITY;
    }
    return maximum;
}

/* Computes twice on the GPU, under another schedule, and expects the same bits. */
static void compare(const subject *s, const char *what, measure_fn measure, double allowed) {
    double *cpu = array(s, sizeof(double)), *gpu[2];
    CHECK(!measure(s, FR_BACKEND_CPU, cpu), "%s: %s", s->name, fr_ctx_error(s->ctx));
    for (uint64_t i = 0; i < 2; i++) {
        gpu[i] = array(s, sizeof(double));
        simt_seed(11 + i);
        if (i && s->n > AGAIN)
            memcpy(gpu[1], gpu[0], (size_t)s->n * sizeof(double));
        else
            CHECK(!measure(s, FR_BACKEND_CUDA, gpu[i]), "%s: %s: %s", s->name, what,
                  fr_ctx_error(s->ctx));
    }
    CHECK(!memcmp(gpu[0], gpu[1], (size_t)s->n * sizeof(double)), "%s: %s differs between runs",
          s->name, what);
    double by = difference(cpu, gpu[0], s->n);
    CHECK(by <= allowed, "%s: %s differs by %g", s->name, what, by);
    free(cpu);
    free(gpu[0]);
    free(gpu[1]);
}

static void compare_all(const subject *s) {
    compare_components(s, FR_COMPONENTS_WEAK);
    compare_components(s, FR_COMPONENTS_STRONG);
    if (s->n <= (cf_reduced() ? FEW : EXACT))
        compare(s, "betweenness", exact, tolerance);
    else
        compare(s, "sampled betweenness", s->n <= AGAIN ? sampled : eight, tolerance);
    if (s->n <= (cf_reduced() ? FEW : CENTRAL))
        compare_eccentricities(s);
    if (s->n > (cf_reduced() ? FEW : CLOSE))
        return;
    compare(s, "closeness", closeness, 0);
    compare(s, "closeness of the reached part", reached, 0);
    compare(s, "harmonic centrality", harmonic, tolerance);
}

#endif
