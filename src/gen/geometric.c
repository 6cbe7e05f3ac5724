/* Random geometric graphs: points in the unit square, joined if closer than a radius.
 *
 * Source: M. Penrose: Random geometric graphs, Oxford 2003; the rgg_n_2_k graphs of the 10th DIMACS
 *   challenge use radius 0.55 sqrt(ln n / n), which gives a nearly connected graph: the default
 *   here.
 * Idea: points are sorted into cells as wide as the radius, so that close points are in the same or
 *   in adjacent cells; vertices are numbered by cell, row by row (close points have close numbers).
 *   A vertex emits its edges to later points of its cell, the cell to the right and the three
 *   below.
 * Scratch: 20 bytes per point during generation. Work: n times about 9/3.1 of the mean degree,
 *   twice (the edges are counted first). The sorting of points is serial.
 */
#include "gen/generator.h"

#include "base/rng.h"

#include <math.h>

typedef struct {
    double x, y;
} point;

typedef struct {
    uint64_t seed;
    int64_t n, side; /* side * side cells */
    double radius;
    int32_t *first; /* [side*side + 1] first vertex of each cell */
    point *points;  /* [n] by vertex */
} square;

static inline point draw(const square *s, int64_t i) {
    return (point){fri_random_unit(fri_random(s->seed, 2 * (uint64_t)i)),
                   fri_random_unit(fri_random(s->seed, 2 * (uint64_t)i + 1))};
}

static inline int64_t cell_of(const square *s, point p) {
    /* the product may round up to the side */
    int64_t x = FRI_MIN((int64_t)(p.x * (double)s->side), s->side - 1);
    int64_t y = FRI_MIN((int64_t)(p.y * (double)s->side), s->side - 1);
    return y * s->side + x;
}

/* Joins point v to points begin .. end-1; returns how many are close enough. */
static inline int64_t join(const square *s, int64_t v, int64_t begin, int64_t end, int32_t *ends) {
    point p = s->points[v];
    int64_t count = 0;
    for (int64_t u = begin; u < end; u++) {
        double dx = s->points[u].x - p.x, dy = s->points[u].y - p.y;
        if (dx * dx + dy * dy > s->radius * s->radius)
            continue;
        if (ends) {
            ends[2 * count] = (int32_t)v;
            ends[2 * count + 1] = (int32_t)u;
        }
        count++;
    }
    return count;
}

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const square *s = state;
    int64_t count = 0;
    for (int64_t v = begin; v < end; v++) {
        int64_t cell = cell_of(s, s->points[v]), x = cell % s->side;
        /* adjacent cells of a row are one range of vertices */
        int64_t right = cell + (x + 1 < s->side);
        count += join(s, v, v + 1, s->first[right + 1], ends ? ends + 2 * count : NULL);
        if (cell / s->side + 1 == s->side)
            continue;
        int64_t left = cell + s->side - (x > 0);
        count += join(s, v, s->first[left], s->first[right + s->side + 1],
                      ends ? ends + 2 * count : NULL);
    }
    return count;
}

/* Counting sort of the points by cell, in the order in which they are drawn. */
static void sort_points(square *s) {
    int64_t cells = s->side * s->side;
    for (int64_t i = 0; i < s->n; i++)
        s->first[cell_of(s, draw(s, i))]++;
    int32_t sum = 0;
    for (int64_t c = 0; c <= cells; c++) {
        int32_t count = s->first[c];
        s->first[c] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < s->n; i++) {
        point p = draw(s, i);
        s->points[s->first[cell_of(s, p)]++] = p;
    }
    for (int64_t c = cells; c > 0; c--) /* each start has advanced to its end */
        s->first[c] = s->first[c - 1];
    s->first[0] = 0;
}

#define GEOMETRIC(P)                                                                               \
    P(n, FRI_PARAM_INT, 100000, 1, 2147483647, "vertices")                                         \
    P(radius, FRI_PARAM_REAL, 0, 0, 1.5, "of joining; 0: 0.55 sqrt(ln n / n)")                     \
    P(degree, FRI_PARAM_REAL, 0, 0, 1000000,                                                       \
      "mean degree away from the border, instead of the radius")                                   \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static double radius_of(const fri_param_value *radius, const fri_param_value *degree, double n) {
    if (radius->given)
        return radius->real;
    if (degree->given)
        return fmin(sqrt(degree->real / (M_PI * n)), 1.5);
    return fmin(0.55 * sqrt(log(fmax(n, 2)) / n), 1.5);
}

static fr_status make(fri_gen_args *args) {
    enum { N, RADIUS, DEGREE, SEED };
    const fri_param_value *v = args->value;
    fr_ctx *ctx = args->ctx;
    if (v[RADIUS].given && v[DEGREE].given)
        return fri_fail(ctx, FR_INVALID, "generator random-geometric: give radius or degree");
    square s = {.seed = (uint64_t)v[SEED].whole, .n = v[N].whole};
    s.radius = radius_of(&v[RADIUS], &v[DEGREE], (double)s.n);
    /* cells are at least as wide as the radius, and there are at most as many cells as points */
    s.side = (int64_t)fmax(fmin(1 / fmax(s.radius, 1e-9), sqrt((double)s.n)), 1);
    fr_status status = fri_gen_size(
        args, s.n, (int64_t)fmin((double)s.n * (double)s.n * s.radius * s.radius, 1e15));
    if (status)
        return status;
    s.first = fri_calloc(ctx, fri_bytes(s.side * s.side + 1, sizeof *s.first));
    s.points = s.first ? fri_alloc(ctx, fri_bytes(s.n, sizeof *s.points)) : NULL;
    status = s.points ? fri_progress(ctx, "placing points", 0, 0) : FR_NOMEM;
    if (!status) {
        sort_points(&s);
        args->edges->undirected = true;
        double mean = (double)s.n * s.radius * s.radius * M_PI;
        status = fri_gen_emit_parallel(args, s.n, (int64_t)mean + 8, false, emit, &s);
    }
    fri_free(s.first);
    fri_free(s.points);
    return status;
}

FRI_GENERATOR(fri_gen_random_geometric, "random-geometric",
              "points of a square, joined if close, undirected", GEOMETRIC, make);
