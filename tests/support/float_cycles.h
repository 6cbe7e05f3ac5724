/* Graphs of floats whose cycles all weigh 0 but for rounding: differences of heights, there and back. Every
 * answer is a forest, its distances are the lengths of its paths, and no cycle is negative. */
#ifndef TESTS_FLOAT_CYCLES_H
#define TESTS_FLOAT_CYCLES_H

#include "base/rng.h"
#include "fringe.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHTS_N = 24, HEIGHTS_M = 120 };

typedef struct {
    int32_t n, m, src[HEIGHTS_M], dst[HEIGHTS_M];
    double weight[HEIGHTS_M];
    fr_type type;
    fr_graph *graph;
    char why[300]; /* what is wrong; empty: nothing */
} heights;

static inline double heights_number(uint64_t seed, uint64_t i) {
    return (double)(fri_random(seed, i) >> 11) * 0x1p-53;
}

/* seed % 2: float or double; heights of one size or, every third, of many. */
static inline fr_status heights_make(fr_ctx *ctx, uint64_t seed, heights *h) {
    double height[HEIGHTS_N];
    float f32[HEIGHTS_M];
    *h = (heights){.n = 3 + (int32_t)(seed % (HEIGHTS_N - 3)),
                   .type = seed % 2 ? FR_TYPE_F32 : FR_TYPE_F64};
    h->m = 6 * h->n < HEIGHTS_M ? 6 * h->n : HEIGHTS_M;
    for (int32_t v = 0; v < h->n; v++)
        height[v] = (heights_number(seed, (uint64_t)v) - 0.5) *
                    (seed % 3 ? 1 : pow(10, 12 * heights_number(seed, 100 + (uint64_t)v) - 6));
    for (int32_t e = 0; e < h->m; e++) {
        int32_t u = (int32_t)(heights_number(seed, 1000 + (uint64_t)e / 2 * 2) * h->n),
                v = (int32_t)(heights_number(seed, 1001 + (uint64_t)e / 2 * 2) * h->n);
        h->src[e] = e % 2 ? v : u; /* there and back */
        h->dst[e] = e % 2 ? u : v;
        f32[e] = (float)(height[h->dst[e]] - height[h->src[e]]);
        h->weight[e] =
            h->type == FR_TYPE_F32 ? (double)f32[e] : height[h->dst[e]] - height[h->src[e]];
    }
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    return fr_graph_from_edges(ctx, h->n, h->m, h->src, h->dst,
                               h->type == FR_TYPE_F32 ? (void *)f32 : h->weight, h->type, &directed,
                               &h->graph);
}

static inline double heights_at(const heights *h, const void *dist, int32_t v) {
    return h->type == FR_TYPE_F32 ? (double)((const float *)dist)[v] : ((const double *)dist)[v];
}

/* The weight of an edge u -> v; all of them have the same. */
static inline double heights_weight(const heights *h, int32_t u, int32_t v) {
    for (int32_t e = 0; e < h->m; e++)
        if (h->src[e] == u && h->dst[e] == v)
            return h->weight[e];
    return (double)NAN;
}

/* Follows the parents of each reached vertex to the source, unless a limit has cut one off. */
static inline bool heights_row(heights *h, int32_t source, const void *dist, const int32_t *parent,
                               bool limited) {
    const double epsilon = h->type == FR_TYPE_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    for (int32_t v = 0; v < h->n; v++) {
        bool reached = isfinite(heights_at(h, dist, v));
        int32_t steps = 0, at = v;
        double sum = 0, magnitude = 0;
        if (reached ? parent[v] < 0 || parent[v] >= h->n : parent[v] != -1)
            return snprintf(h->why, sizeof h->why, "the parent of %d is %d", v, parent[v]) < 0;
        for (; reached && parent[at] != at && parent[at] >= 0 && steps < h->n; at = parent[at]) {
            double w = heights_weight(h, parent[at], at);
            sum += w;
            magnitude += fabs(w);
            steps++;
        }
        if (!reached || (limited && parent[at] < 0))
            continue;
        if (at != source || parent[at] != source)
            return snprintf(h->why, sizeof h->why, "the parents of %d do not end at %d", v,
                            source) < 0;
        if (!(fabs(sum - heights_at(h, dist, v)) <= h->n * epsilon * magnitude))
            return snprintf(h->why, sizeof h->why, "%d is at %.17g, its path is %.17g long", v,
                            heights_at(h, dist, v), sum) < 0;
    }
    return true;
}

static inline bool heights_failed(heights *h, fr_ctx *ctx, const char *what) {
    snprintf(h->why, sizeof h->why, "%s: %.200s", what, fr_ctx_error(ctx));
    return false;
}

/* Every rule of parents, without and with a limit, by one solver. */
static inline bool heights_sssp(heights *h, fr_ctx *ctx, fr_solver *solver) {
    double dist[HEIGHTS_N];
    int32_t parent[HEIGHTS_N], origin[HEIGHTS_N];
    for (int32_t i = 0; i < 6; i++) {
        int32_t source = i % h->n;
        fr_query query = {.sources = &source,
                          .source_count = 1,
                          .parent_rule = (fr_parent_rule)(i % 3),
                          .max_distance = 0.25,
                          .limit_distance = i >= 3};
        fr_result result = {.dist = dist, .parent = parent, .origin = origin};
        query.max_distance = i >= 3 ? 0.25 : 0;
        if (fr_solve(solver, &query, &result))
            return heights_failed(h, ctx, "solving");
        if (!heights_row(h, source, dist, parent, i >= 3))
            return false;
        for (int32_t v = 0; v < h->n; v++)
            if (origin[v] != (isfinite(heights_at(h, dist, v)) ? 0 : -1))
                return snprintf(h->why, sizeof h->why, "the origin of %d is %d", v, origin[v]) < 0;
        for (int k = 0; k < 2; k++)
            if (fr_verify_sssp(ctx, h->graph, &query, false, dist, h->type, k ? NULL : parent))
                return heights_failed(h, ctx, "checking");
    }
    return true;
}

static inline bool heights_apsp(heights *h, fr_ctx *ctx, fr_solver *solver) {
    double dist[HEIGHTS_N * HEIGHTS_N];
    int32_t parent[HEIGHTS_N * HEIGHTS_N];
    fr_query query = {0};
    fr_result result = {.dist = dist, .parent = parent};
    if (fr_solve(solver, &query, &result))
        return heights_failed(h, ctx, "solving");
    for (int32_t s = 0; s < h->n; s++)
        if (!heights_row(h, s, (char *)dist + (size_t)(s * h->n) * fr_type_size(h->type),
                         parent + s * h->n, false))
            return false;
    result.parent = NULL; /* and distances alone are right, too */
    if (fr_solve(solver, &query, &result) ||
        fr_verify_apsp(ctx, h->graph, &query, false, dist, h->type, NULL, 0, 1))
        return heights_failed(h, ctx, "distances alone");
    return true;
}

/* One graph by one strategy; false: `why` says what is wrong. */
static inline bool heights_check(fr_ctx *ctx, uint64_t seed, fr_problem problem,
                                 const char *strategy, fr_backend backend, heights *h) {
    fr_solver_options options = {.strategy = strategy, .backend = backend};
    fr_solver *solver = NULL;
    bool right =
        !heights_make(ctx, seed, h) && !fr_solver_new(ctx, h->graph, problem, &options, &solver);
    if (!right)
        heights_failed(h, ctx, "making the solver");
    else
        right = problem == FR_PROBLEM_SSSP ? heights_sssp(h, ctx, solver)
                                           : heights_apsp(h, ctx, solver);
    fr_solver_free(solver);
    fr_graph_free(h->graph);
    return right;
}

#endif
