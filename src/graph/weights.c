/* Applies the weight options of fr_load_options: types and random weights. */
#include "graph/weights.h"

#include "base/sized.h"
#include "base/pace.h"
#include "base/rng.h"
#include "io/text/number_text.h"

#include <math.h>
#include <string.h>

static bool whole(double x) { return x >= INT32_MIN && x <= INT32_MAX && x == floor(x); }
static bool whole64(double x) {
    return x == floor(x) && (x < 0 ? x >= (double)INT64_MIN : x < -(double)INT64_MIN);
}
/* Bounds of random weights must be integers that double represents exactly. */
static bool whole53(double x) { return fabs(x) <= 0x1p53 && x == floor(x); }

static fr_type random_type(const fr_load_options *o) {
    if (o->weight_type)
        return o->weight_type;
    if (fri_weights_skewed(o) || !whole53(o->weight_low) || !whole53(o->weight_high))
        return FR_TYPE_F64;
    return whole(o->weight_low) && whole(o->weight_high) ? FR_TYPE_I32 : FR_TYPE_I64;
}

/* Natural logarithm of x in (0, 1], e^x and the sine of x in [-pi / 2, pi / 2], to about 1e-15: by series,
 * whose sums and products are the same on every machine (CMakeLists.txt forbids fused ones), as those of a
 * C library are not. */
static double log_series(double x) {
    int exponent;
    double mantissa =
        frexp(x, &exponent); /* 1/2 .. 1, then within a factor of the root of 2 from 1 */
    if (mantissa < 0.70710678118654752) {
        mantissa *= 2;
        exponent--;
    }
    const double t = (mantissa - 1) / (mantissa + 1), square = t * t;
    double sum = 0;
    for (int k = 23; k > 0; k -= 2)
        sum = sum * square + 1.0 / k;
    return exponent * 0.69314718055994531 + 2 * t * sum;
}

static double exp_series(double x) {
    const double twos = floor(x / 0.69314718055994531 + 0.5), rest = x - twos * 0.69314718055994531;
    double sum = 1;
    for (int k = 16; k > 0; k--)
        sum = 1 + sum * rest / k;
    return ldexp(sum, (int)twos);
}

static double sine_series(double x) {
    double sum = 1;
    for (int k = 22; k > 0; k -= 2)
        sum = 1 - sum * x * x / (k * (k + 1));
    return x * sum;
}

/* Random numbers of the exponential distribution of mean 1 and of the standard normal one (Box and Muller,
 * Annals of Mathematical Statistics 29(2), 1958); u from 0 to below 1. */
static double exponential(double u) { return -log_series(1 - u); }
static double normal(double u, double v) {
    return sqrt(2 * exponential(u)) * sine_series(3.14159265358979324 * (v - 0.5));
}

/* The largest exponential and normal numbers that 53 random bits give, rounded up. */
#define MAX_EXPONENTIAL 37.0
#define MAX_NORMAL      8.7

static fr_status check_skewed(fr_ctx *ctx, const fr_load_options *o) {
    const bool normal = o->weights == FR_WEIGHTS_LOGNORMAL;
    if (!(o->weight_low > 0) || !(o->weight_high >= 0) || !isfinite(o->weight_low) ||
        !isfinite(o->weight_high))
        return fri_fail(ctx, FR_INVALID, "no lengths have a %s of %g%s", normal ? "median" : "mean",
                        o->weight_low, o->weight_high >= 0 ? "" : " and a negative sigma");
    const double max =
        o->weight_low *
        (normal ? exp_series(FRI_MIN(MAX_NORMAL * o->weight_high, 1000)) : MAX_EXPONENTIAL);
    const fr_type type = random_type(o);
    if (!(max < (type == FR_TYPE_I32   ? 0x1p31 - 1
                 : type == FR_TYPE_I64 ? 0x1p53
                 : type == FR_TYPE_F32 ? 0x1p127
                                       : 0x1p1000)))
        return fri_fail(ctx, FR_INVALID, "lengths of a %s of %g may reach %g, too much for %s",
                        normal ? "median" : "mean", o->weight_low, max, fr_type_name(type));
    return FR_OK;
}

static fr_status check_potential(fr_ctx *ctx, const fr_load_options *o) {
    double height = o->potential_max;
    if (o->weight_low < 0)
        return fri_fail(
            ctx, FR_INVALID,
            "weights from %g on are negative and would create negative cycles; start at 0",
            o->weight_low);
    if (!(height >= 0 && height <= 0x1p30 && height == floor(height)))
        return fri_fail(ctx, FR_INVALID, "potential_max must be an integer from 0 to 2^30, not %g",
                        height);
    if (random_type(o) == FR_TYPE_I32 && !whole(o->weight_high + height))
        return fri_fail(ctx, FR_INVALID, "%g plus a potential of %g does not fit int32",
                        o->weight_high, height);
    return FR_OK;
}

fr_status fri_load_options_check(fr_ctx *ctx, const fr_load_options *o) {
    if (!o)
        return FR_OK;
    if (o->id_base < 0 || o->id_base > 2)
        return fri_fail(ctx, FR_INVALID, "id_base must be 0, 1 or 2, not %d", o->id_base);
    if ((unsigned)o->direction > FR_DIRECTION_UNDIRECTED ||
        (unsigned)o->weights > FR_WEIGHTS_LOGNORMAL)
        return fri_fail(ctx, FR_INVALID, "direction or weights has an unknown value");
    if ((unsigned)o->ids > FR_IDS_AUTO)
        return fri_fail(ctx, FR_INVALID,
                        "ids must be FR_IDS_INTEGERS, FR_IDS_STRINGS or FR_IDS_AUTO");
    if (o->separator &&
        (o->separator < 0 || o->separator > 127 || !strchr(",;|:\t ", o->separator)))
        return fri_fail(ctx, FR_INVALID,
                        "separator must be a comma, a semicolon, a bar, a colon, a tab or a blank");
    if (o->decimal && o->decimal != ',' && o->decimal != '.')
        return fri_fail(ctx, FR_INVALID, "decimal must be a point or a comma");
    if ((unsigned)o->weight_type > FR_TYPE_F64)
        return fri_fail(ctx, FR_INVALID, "weight_type must be int32, int64, float32 or float64");
    if (!fri_weights_made(o))
        return FR_OK;
    if (fri_weights_skewed(o))
        return check_skewed(ctx, o);
    if (!isfinite(o->weight_low) || !isfinite(o->weight_high) || o->weight_low > o->weight_high)
        return fri_fail(ctx, FR_INVALID, "there is no weight between %g and %g", o->weight_low,
                        o->weight_high);
    if (!isfinite(o->weight_high - o->weight_low))
        return fri_fail(ctx, FR_INVALID, "the difference between the weights %g and %g is infinite",
                        o->weight_low, o->weight_high);
    if (random_type(o) == FR_TYPE_I32 && !(whole(o->weight_low) && whole(o->weight_high)))
        return fri_fail(ctx, FR_INVALID, "int32 weights need integer bounds, not %g and %g",
                        o->weight_low, o->weight_high);
    if (random_type(o) == FR_TYPE_I64 && !(whole53(o->weight_low) && whole53(o->weight_high)))
        return fri_fail(ctx, FR_INVALID,
                        "random int64 weights need integer bounds within 2^53, not %g and %g",
                        o->weight_low, o->weight_high);
    if (random_type(o) == FR_TYPE_F32 &&
        (!isfinite((float)o->weight_low) || !isfinite((float)o->weight_high)))
        return fri_fail(ctx, FR_INVALID, "%g and %g do not fit float32", o->weight_low,
                        o->weight_high);
    return o->weights == FR_WEIGHTS_POTENTIAL ? check_potential(ctx, o) : FR_OK;
}

fr_status fri_load_options_read(fr_ctx *ctx, const fr_load_options *options, fr_load_options *own) {
    fr_status status = FRI_SIZED_READ(ctx, fr_load_options, options, own);
    return status ? status : fri_load_options_check(ctx, own);
}

fr_status fri_load_options_no_file(fr_ctx *ctx, const fr_load_options *o, const char *what) {
    const char *set = o->format                                                  ? "format"
                      : o->cache                                                 ? "cache"
                      : o->source_column || o->target_column || o->weight_column ? "a column"
                      : o->separator                                             ? "separator"
                      : o->decimal                                               ? "decimal"
                                                                                 : NULL;
    if (set)
        return fri_fail(ctx, FR_INVALID, "%s is not read from a file: remove %s from the options",
                        what, set);
    if (o->ids == FR_IDS_STRINGS)
        return fri_fail(ctx, FR_INVALID, "the vertices of %s are numbers: ids must not be strings",
                        what);
    return FR_OK;
}

fr_status fri_load_options_arrays(fr_ctx *ctx, const fr_load_options *o) {
    if (o->id_base == 2)
        return fri_fail(ctx, FR_INVALID,
                        "a graph from arrays numbers its vertices from 0: id_base must be 0 or 1");
    return fri_load_options_no_file(ctx, o, "a graph from arrays");
}

static double get(const void *weights, fr_type type, int64_t i) {
    if (type == FR_TYPE_I32)
        return ((const int32_t *)weights)[i];
    if (type == FR_TYPE_I64)
        return (double)((const int64_t *)weights)[i];
    return type == FR_TYPE_F32 ? (double)((const float *)weights)[i] : ((const double *)weights)[i];
}

/* false: the value does not fit, and nothing is written, since the type may be narrower than that in place. */
static bool put(void *weights, fr_type type, int64_t i, double w) {
    if (type == FR_TYPE_F64 && isfinite(w))
        ((double *)weights)[i] = w;
    else if (type == FR_TYPE_F32 && isfinite((float)w))
        ((float *)weights)[i] = (float)w;
    else if (type == FR_TYPE_I64 && whole64(w))
        ((int64_t *)weights)[i] = (int64_t)w;
    else if (type == FR_TYPE_I32 && whole(w))
        ((int32_t *)weights)[i] = (int32_t)w;
    else
        return false;
    return true;
}

/* Converts one block to another type, in place if the type is narrower. Returns the first weight
 * that does not fit, or -1. */
static int64_t convert(const fri_edge_block *block, fr_type from, void *to_weights, fr_type to) {
    for (int64_t i = 0; i < block->count; i++)
        if (!put(to_weights, to, i, get(block->weights, from, i)))
            return i;
    return -1;
}

static fr_status no_fit(fr_ctx *ctx, const void *weights, fr_type from, int64_t i, fr_type to) {
    if (from == FR_TYPE_I64)
        return fri_fail(ctx, FR_RANGE, "the weight %lld does not fit %s",
                        (long long)((const int64_t *)weights)[i], fr_type_name(to));
    char text[FR_NUMBER_CAPACITY + 1];
    *fri_put_double(text, get(weights, from, i)) = 0;
    return fri_fail(ctx, FR_RANGE, "the weight %s does not fit %s", text, fr_type_name(to));
}

static fr_status convert_all(fr_ctx *ctx, fri_edge_list *edges, fr_type to) {
    fr_type from = edges->weight_type;
    size_t size = fr_type_size(to);
    bool wider = size > fr_type_size(from);
    for (int b = 0; b < edges->block_count; b++) {
        fri_edge_block *block = &edges->blocks[b];
        void *weights = wider ? fri_alloc(ctx, fri_bytes(block->count, size)) : block->weights;
        if (!weights)
            return FR_NOMEM;
        int64_t bad = convert(block, from, weights, to);
        if (bad >= 0) {
            fr_status status = no_fit(ctx, block->weights, from, bad, to);
            if (wider)
                fri_free(weights);
            return status;
        }
        if (wider) {
            fri_free(block->weights);
            block->weights = weights;
        } else
            fri_trim(weights, fri_bytes(block->count, size));
    }
    edges->weight_type = to;
    return FR_OK;
}

fr_status fri_weights_convert(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *o) {
    if (!edges->weight_type || (o && o->weights != FR_WEIGHTS_FILE)) {
        for (int b = 0; b < edges->block_count; b++) {
            fri_free(edges->blocks[b].weights);
            edges->blocks[b].weights = NULL;
        }
        edges->weight_type = FR_TYPE_NONE;
        edges->negate_mirror = false;
        return FR_OK;
    }
    fr_type to = o && o->weight_type ? o->weight_type : edges->weight_type;
    return to == edges->weight_type ? FR_OK : convert_all(ctx, edges, to);
}

/* A random stream other than the edges': no pair of endpoints has this number. */
static inline double potential(const fri_weight_distribution *d, int32_t v) {
    return (double)fri_random_below(fri_random(d->seed, UINT64_MAX - (uint64_t)v), d->heights);
}

/* Integers are rounded up: they are at least 1. */
static double draw_skewed(const fri_weight_distribution *d, uint64_t random) {
    const double u = fri_random_unit(random), v = fri_random_unit(fri_mix64(random));
    const double length =
        d->low *
        (d->skewed == FR_WEIGHTS_LOGNORMAL ? exp_series(d->high * normal(u, v)) : exponential(u));
    return d->type == FR_TYPE_I32 || d->type == FR_TYPE_I64 ? floor(length) + 1 : length;
}

/* The random part of the weight of the edge u - v, equal in both directions. */
static inline double draw(const fri_weight_distribution *d, int32_t u, int32_t v) {
    uint64_t edge = (uint64_t)FRI_MIN(u, v) << 32 | (uint32_t)FRI_MAX(u, v);
    uint64_t random = fri_random(d->seed, edge);
    if (d->skewed)
        return draw_skewed(d, random);
    if (d->type == FR_TYPE_I32 || d->type == FR_TYPE_I64)
        return d->low + (double)fri_random_below(random, d->span);
    return FRI_MIN(d->low + fri_random_unit(random) * (d->high - d->low), d->high);
}

static bool has_potential(const fr_load_options *o) {
    return o->weights == FR_WEIGHTS_POTENTIAL && o->potential_max > 0;
}

fri_weight_distribution fri_weight_distribution_of(const fr_load_options *o) {
    fri_weight_distribution d = {.type = random_type(o),
                                 .seed = o->seed,
                                 .heights = has_potential(o) ? (uint64_t)o->potential_max + 1 : 1,
                                 .low = o->weight_low,
                                 .high = o->weight_high,
                                 .skewed = fri_weights_skewed(o) ? o->weights : FR_WEIGHTS_FILE};
    if (!d.skewed &&
        (d.type == FR_TYPE_I32 || d.type == FR_TYPE_I64)) /* bounds of floats may exceed uint64 */
        d.span = (uint64_t)(d.high - d.low) + 1;
    return d;
}

void fri_weight_draw(const fri_weight_distribution *d, int32_t u, int32_t v, void *weights,
                     int64_t i) {
    put(weights, d->type, i, draw(d, u, v) + (potential(d, u) - potential(d, v)));
}

fr_status fri_weights_random(fr_ctx *ctx, fr_graph *graph, const fr_load_options *o) {
    fr_csr *csr = &graph->csr;
    const fri_weight_distribution d = fri_weight_distribution_of(o);
    void *weights = fri_alloc(ctx, fri_bytes(csr->m, fr_type_size(d.type)));
    if (!weights)
        return FR_NOMEM;
    fri_pace pace = fri_pace_begin(ctx, "drawing weights", csr->n);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(ctx->threads)
    for (int32_t u = 0; u < csr->n; u++) {
        if (FRI_PACE_STOP_LOOP(&pace, csr->offsets[u + 1] - csr->offsets[u] + 1, u))
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            fri_weight_draw(&d, u, csr->targets[e], weights, e);
    }
    graph->own_weights = weights;
    csr->weights = weights;
    csr->weight_type = d.type;
    csr->symmetric &= !has_potential(o);
    return pace.status;
}
