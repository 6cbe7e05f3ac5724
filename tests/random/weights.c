/* Draws weights: kinds that are one step beside each other, of every type. */
#include "case.h"

#include <math.h>
#include <stdlib.h>

typedef enum kind {
    NONE,
    UNIT,
    SMALL,
    ZEROS,
    ALL_ZERO,
    LARGE,   /* about 2^20 */
    EDGES32, /* sums leave int32 */
    NEAR53,
    NEAR62,
    WIDE64,
    WIDE40,      /* 1 to 2^40 */
    EQUAL,       /* one weight, not 1 */
    EXPONENTIAL, /* lengths most of which are short; integers from 1 on */
    LOGNORMAL,   /* the same, some of them very long */
    TAME,        /* reals of one size */
    EIGHTHS,     /* reals whose sums are exact */
    WILD,        /* 1e-300 .. 1e300; float32: 1e-40 .. 1e38 */
    APART,       /* 1 and 1e8 apart */
    ABSORBED,    /* zeros, ones and one of 1e17 */
    POTENTIAL,   /* integers: some negative, cycles of 0 or more */
    HEIGHTS,     /* reals: u -> v has h(u) - h(v), so cycles are 0 up to rounding */
    LOGARITHMS,  /* the same of currency rates */
    SIGNED,      /* negative cycles, self-loops below 0 */
    EXTREME,     /* of both signs, next to the limits of the type */
    FEW_NEGATIVE /* one or two negative weights */
} kind;

typedef struct draw {
    ri_rng *rng;
    ri_graph *g;
    kind kind;
    double *height;
    int64_t parameter;
} draw;

static double draw_skewed(const draw *d) {
    const double u = 1 - ri_unit(d->rng), v = ri_unit(d->rng);
    return d->kind == EXPONENTIAL
               ? -100 * log(u)
               : 100 * exp(1.5 * sqrt(-2 * log(u)) * cos(6.28318530717958648 * v));
}

static int64_t draw_integer(const draw *d, const ri_edge *e) {
    ri_rng *rng = d->rng;
    const int64_t lift = (int64_t)d->height[e->from] - (int64_t)d->height[e->to];
    switch (d->kind) {
    case SMALL: return ri_below(rng, 10);
    case ZEROS: return ri_chance(rng, 70) ? 0 : 1;
    case ALL_ZERO: return 0;
    case LARGE: return ri_below(rng, 1 << 20);
    case EDGES32: return RI_PICK(rng, 0, 1, 1 << 30, INT32_MAX - 1, INT32_MAX);
    case NEAR53: return (INT64_C(1) << 53) + ri_between(rng, -3, 3);
    case NEAR62:
        return RI_PICK(rng, INT64_C(1) << 62, INT64_C(1) << 61, 1, INT64_MAX,
                       ri_below(rng, INT64_C(1) << 40));
    case WIDE64:
        return RI_PICK(rng, ri_below(rng, 100), ri_below(rng, INT64_C(1) << 40), INT64_C(1) << 31,
                       (INT64_C(1) << 32) + 1);
    case WIDE40: return 1 + ri_below(rng, INT64_C(1) << 40);
    case EQUAL: return d->parameter;
    case EXPONENTIAL:
    case LOGNORMAL: return 1 + (int64_t)draw_skewed(d);
    case POTENTIAL: return (ri_chance(rng, 50) ? 0 : ri_below(rng, 10)) + lift;
    case SIGNED: return ri_between(rng, -2, d->parameter);
    case EXTREME:
        return d->g->type == FR_TYPE_I32
                   ? RI_PICK(rng, INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX)
                   : RI_PICK(rng, -1, 1, 2) * RI_PICK(rng, 1, INT64_C(1) << 31,
                                                      (INT64_C(1) << 53) + 1, INT64_C(1) << 61);
    case FEW_NEGATIVE: return ri_chance(rng, 4) ? -ri_between(rng, 1, 5) : ri_between(rng, 0, 9);
    default: return 1;
    }
}

static double wild(ri_rng *rng, fr_type type) {
    const int64_t high = type == FR_TYPE_F32 ? 37 : 299;
    return ri_unit(rng) * pow(10, (double)ri_between(rng, -high, high));
}

static double draw_real(const draw *d, const ri_edge *e) {
    ri_rng *rng = d->rng;
    const double lift = d->height[e->from] - d->height[e->to];
    const bool f32 = d->g->type == FR_TYPE_F32;
    switch (d->kind) {
    case EIGHTHS: return (double)ri_below(rng, 80) / 8;
    case TAME: return ri_chance(rng, 10) ? 0 : ri_unit(rng) * (double)d->parameter;
    case WILD: return wild(rng, d->g->type);
    case APART: return ri_unit(rng) * (ri_chance(rng, 50) ? 1 : ri_chance(rng, 50) ? 1e-8 : 1e8);
    case ABSORBED:
        return ri_chance(rng, 40)   ? 0
               : ri_chance(rng, 90) ? (double)ri_below(rng, 4)
               : f32                ? 1e8
                                    : 1e17;
    case EQUAL: return (double)d->parameter / 10;
    case EXPONENTIAL:
    case LOGNORMAL: return draw_skewed(d);
    case HEIGHTS: return ri_chance(rng, 70) ? lift : lift + ri_unit(rng);
    case LOGARITHMS:
        return log(d->height[e->from]) - log(d->height[e->to]) + (ri_chance(rng, 80) ? 0 : 0.01);
    case EXTREME: return (double)RI_PICK(rng, -9, -6, -3, 3, 6, 9, 0) * (f32 ? 3.5e37 : 1.9e307);
    case SIGNED: return ri_unit(rng) * 10 - (ri_chance(rng, 10) ? 9 : 0);
    case FEW_NEGATIVE: return ri_chance(rng, 4) ? -ri_unit(rng) : ri_unit(rng) * 4;
    default: return (double)draw_integer(d, e);
    }
}

static void choose(draw *d) {
    static const kind integers[] = {UNIT,      SMALL,   SMALL,       ZEROS,       ALL_ZERO,
                                    LARGE,     EDGES32, NEAR53,      NEAR62,      WIDE64,
                                    WIDE40,    EQUAL,   EXPONENTIAL, LOGNORMAL,   POTENTIAL,
                                    POTENTIAL, SIGNED,  EXTREME,     FEW_NEGATIVE};
    static const kind reals[] = {UNIT,       ZEROS,    ALL_ZERO,    TAME,        TAME,
                                 EIGHTHS,    EQUAL,    EXPONENTIAL, LOGNORMAL,   WILD,
                                 APART,      ABSORBED, POTENTIAL,   HEIGHTS,     HEIGHTS,
                                 LOGARITHMS, SIGNED,   EXTREME,     FEW_NEGATIVE};
    ri_graph *g = d->g;
    g->type = (fr_type)RI_PICK(d->rng, FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_I32, FR_TYPE_I64,
                               FR_TYPE_F32, FR_TYPE_F64, FR_TYPE_F64);
    d->kind = g->type == FR_TYPE_NONE ? NONE
              : ri_is_real(g->type)
                  ? reals[ri_below(d->rng, sizeof reals / sizeof *reals)]
                  : integers[ri_below(d->rng, sizeof integers / sizeof *integers)];
    if (g->type == FR_TYPE_I32 &&
        (d->kind == NEAR53 || d->kind == NEAR62 || d->kind == WIDE64 || d->kind == WIDE40))
        d->kind = SMALL;
    if ((d->kind == HEIGHTS || d->kind == LOGARITHMS) && (int64_t)g->n * g->m > 20000000)
        d->kind =
            TAME; /* all paths are equally long but for rounding: Bellman-Ford takes n m steps */
    d->parameter = RI_PICK(d->rng, 4, 12, 100, 1000000);
    for (int32_t v = 0; v < g->n; v++)
        d->height[v] = d->kind == POTENTIAL    ? (double)ri_below(d->rng, d->parameter)
                       : d->kind == LOGARITHMS ? 0.5 + ri_unit(d->rng)
                                               : ri_unit(d->rng) * (double)d->parameter;
}

void ri_draw_weights(ri_rng *rng, ri_graph *g) {
    draw d = {.rng = rng, .g = g, .height = ri_need((size_t)g->n * sizeof(double))};
    choose(&d);
    /* below 0 an undirected edge is a cycle: most such graphs are directed */
    if (d.kind >= POTENTIAL && ri_chance(rng, 90))
        g->undirected = false;
    const bool negate = g->undirected && d.kind >= POTENTIAL && ri_chance(rng, 50);
    for (int64_t i = 0; i < g->m; i++) {
        ri_edge *e = &g->edges[i];
        if (!ri_is_real(g->type)) {
            e->weight.i = draw_integer(&d, e);
            if (negate && e->weight.i < 0)
                e->weight.i = -(e->weight.i + (e->weight.i == INT32_MIN));
            continue;
        }
        double x = draw_real(&d, e);
        x = negate ? fabs(x) : x;
        e->weight.f = g->type == FR_TYPE_F32 ? (float)x : x;
    }
    free(d.height);
}
