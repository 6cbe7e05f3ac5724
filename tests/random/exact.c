/* Exact distances: integers of a few 64-bit limbs in units of 2^low, which hold every sum of weights of the graph,
 * also of doubles from 1e-300 to 1e300. Bellman-Ford by passes. */
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LIMBS = 40 };

/* ---- numbers --------------------------------------------------------------------------------- */

static void add(uint64_t *to, const uint64_t *a, const uint64_t *b, int words) {
    unsigned __int128 carry = 0;
    for (int i = 0; i < words; i++) {
        carry += (unsigned __int128)a[i] + b[i];
        to[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static int compare(const uint64_t *a, const uint64_t *b, int words) {
    int64_t high_a = (int64_t)a[words - 1], high_b = (int64_t)b[words - 1];
    if (high_a != high_b)
        return high_a < high_b ? -1 : 1;
    for (int i = words - 1; i-- > 0;)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void negate(uint64_t *a, int words) {
    bool carry = true;
    for (int i = 0; i < words; i++) {
        a[i] = ~a[i] + carry;
        carry = carry && a[i] == 0;
    }
}

/* |x| = mantissa * 2^exponent */
static uint64_t mantissa_of(double x, int *exponent) {
    double fraction = frexp(fabs(x), exponent);
    *exponent -= 53;
    return (uint64_t)(int64_t)ldexp(fraction, 53);
}

/* to = sign mantissa 2^shift, rounded down. *rest: something was cut off. False: it does not fit. */
static bool place(uint64_t *to, int words, bool negative, uint64_t mantissa, int shift,
                  bool *rest) {
    memset(to, 0, (size_t)words * sizeof *to);
    *rest = false;
    if (shift < 0) {
        const uint64_t kept = shift > -64 ? mantissa >> -shift : 0;
        *rest = (shift > -64 ? kept << -shift : 0) != mantissa;
        mantissa = kept;
        shift = 0;
    }
    const int limb = shift / 64, bit = shift % 64;
    const unsigned __int128 wide = (unsigned __int128)mantissa << bit;
    if (mantissa && limb * 64 + bit + 64 - __builtin_clzll(mantissa) >= words * 64)
        return false;
    if (limb < words)
        to[limb] = (uint64_t)wide;
    if (limb + 1 < words)
        to[limb + 1] = (uint64_t)(wide >> 64);
    if (negative) {
        negate(to, words);
        if (*rest) { /* down */
            uint64_t minus_one[LIMBS];
            memset(minus_one, 0xff, sizeof minus_one);
            add(to, to, minus_one, words);
        }
    }
    return true;
}

static uint64_t size_of(int64_t i) { return i < 0 ? 0 - (uint64_t)i : (uint64_t)i; }

static void limbs_of(uint64_t *to, const ri_distances *d, fr_type type, ri_weight w) {
    bool rest;
    if (ri_is_real(type)) {
        int exponent;
        const uint64_t mantissa = mantissa_of(w.f, &exponent);
        place(to, d->words, w.f < 0, mantissa, exponent - d->low, &rest);
    } else
        place(to, d->words, w.i < 0, size_of(w.i), 0, &rest);
}

/* Sets low, words, bits and largest for sums of the weights. */
static void choose_scale(ri_distances *d, const ri_arcs *arcs) {
    int low = INT32_MAX, high = 0, count_bits = 2;
    bool any = false;
    for (int64_t e = 0; e < arcs->m; e++) {
        ri_weight w = arcs->arcs[e].weight;
        int exponent = 0;
        const bool real = ri_is_real(arcs->type);
        const uint64_t mantissa = real ? mantissa_of(w.f, &exponent) : size_of(w.i);
        d->largest = fmax(d->largest, real ? fabs(w.f) : (double)mantissa);
        if (!mantissa)
            continue;
        const int first = real ? exponent + __builtin_ctzll(mantissa) : 0;
        const int last = exponent + 64 - __builtin_clzll(mantissa);
        low = !any || first < low ? first : low;
        high = !any || last > high ? last : high;
        any = true;
    }
    while ((1 << (count_bits - 2)) < arcs->n + 1 && count_bits < 32)
        count_bits++;
    d->low = any ? low : 0;
    d->bits = (any ? high - low : 0) + count_bits - 2;
    /* in-place passes follow up to n edges each, n of them */
    d->words = ((any ? high - low : 0) + 2 * count_bits + 2) / 64 + 1;
}

bool ri_is_exact(const ri_distances *d, fr_type type) {
    if (type == FR_TYPE_F32)
        return d->bits <= 24 && d->low >= -149 && d->low + d->bits <= 127;
    if (type == FR_TYPE_F64)
        return d->bits <= 53 && d->low >= -1074 && d->low + d->bits <= 1023;
    return true;
}

double ri_epsilon(fr_type type) {
    return type == FR_TYPE_F32 ? FLT_EPSILON : type == FR_TYPE_F64 ? DBL_EPSILON : 0;
}

/* ---- search ------------------------------------------------------------------------------------ */

typedef struct search {
    ri_distances d;
    const ri_arcs *arcs;
    uint64_t *weight; /* [m][words] */
    int64_t *first;   /* [n+1] arcs by their origin: order[first[u]] .. */
    int64_t *order;
    bool *changed, *next;
} search;

static uint64_t *value(const ri_distances *d, int32_t v) {
    return d->value + (size_t)v * (size_t)d->words;
}

static void sort_by_origin(ri_case *c, search *s) {
    const ri_arcs *arcs = s->arcs;
    s->first = ri_alloc(c, (size_t)(arcs->n + 2) * sizeof *s->first);
    s->order = ri_alloc(c, (size_t)arcs->m * sizeof *s->order);
    for (int64_t e = 0; e < arcs->m; e++)
        s->first[arcs->arcs[e].from + 2]++;
    for (int32_t v = 0; v < arcs->n; v++)
        s->first[v + 2] += s->first[v + 1];
    for (int64_t e = 0; e < arcs->m; e++)
        s->order[s->first[arcs->arcs[e].from + 1]++] = e;
}

static bool relax(search *s, int64_t e) {
    ri_distances *d = &s->d;
    const ri_edge *arc = &s->arcs->arcs[e];
    uint64_t sum[LIMBS];
    const uint64_t *w = s->weight + (size_t)e * (size_t)d->words;
    add(sum, value(d, arc->from), w, d->words);
    if (d->kind[arc->to] == RI_FINITE && compare(sum, value(d, arc->to), d->words) >= 0)
        return false;
    d->kind[arc->to] = RI_FINITE;
    memcpy(value(d, arc->to), sum, (size_t)d->words * sizeof *sum);
    d->hops[arc->to] = d->hops[arc->from] + 1;
    d->size[arc->to] =
        d->size[arc->from] +
        (ri_is_real(s->arcs->type) ? fabs(arc->weight.f) : fabs((double)arc->weight.i));
    return true;
}

/* One pass over the edges from vertices that changed in the one before. */
static bool pass(search *s) {
    bool any = false;
    for (int32_t u = 0; u < s->arcs->n; u++) {
        if (!s->changed[u])
            continue;
        s->changed[u] = false;
        for (int64_t i = s->first[u]; i < s->first[u + 1]; i++)
            if (relax(s, s->order[i])) {
                s->changed[s->arcs->arcs[s->order[i]].to] = true;
                any = true;
            }
    }
    return any;
}

/* After n passes: what an edge still lowers, and all that it reaches. */
static void mark_cycles(ri_case *c, search *s) {
    ri_distances *d = &s->d;
    int32_t *queue = ri_alloc(c, (size_t)d->n * sizeof *queue), tail = 0;
    bool *below = ri_alloc(c, (size_t)d->n);
    for (int64_t e = 0; e < s->arcs->m; e++) {
        const ri_edge *arc = &s->arcs->arcs[e];
        if (d->kind[arc->from] == RI_FINITE && ri_compare_edge(d, s->arcs, e) < 0 &&
            !below[arc->to]) {
            below[arc->to] = true;
            queue[tail++] = arc->to;
        }
    }
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = queue[head];
        for (int64_t i = s->first[u]; i < s->first[u + 1]; i++) {
            int32_t v = s->arcs->arcs[s->order[i]].to;
            if (!below[v]) {
                below[v] = true;
                queue[tail++] = v;
            }
        }
    }
    for (int32_t v = 0; v < d->n; v++)
        if (below[v])
            d->kind[v] = RI_MINUS;
    d->cycle = tail > 0;
}

ri_distances ri_shortest(ri_case *c, const ri_arcs *arcs, const int32_t *sources, int64_t count) {
    search s = {.arcs = arcs, .d = {.n = arcs->n}};
    ri_distances *d = &s.d;
    const size_t n = (size_t)arcs->n;
    choose_scale(d, arcs);
    d->value = ri_alloc(c, n * (size_t)d->words * sizeof *d->value);
    d->kind = ri_alloc(c, n);
    d->size = ri_alloc(c, n * sizeof *d->size);
    d->hops = ri_alloc(c, n * sizeof *d->hops);
    s.changed = ri_alloc(c, n);
    s.weight = ri_alloc(c, (size_t)arcs->m * (size_t)d->words * sizeof *s.weight);
    for (int64_t e = 0; e < arcs->m; e++)
        limbs_of(s.weight + (size_t)e * (size_t)d->words, d, arcs->type, arcs->arcs[e].weight);
    sort_by_origin(c, &s);
    for (int64_t i = 0; i < (count < 0 ? arcs->n : count); i++) {
        int32_t v = count < 0 ? (int32_t)i : sources[i];
        d->kind[v] = RI_FINITE;
        s.changed[v] = true;
    }
    bool more = true;
    for (int32_t i = 0; i <= arcs->n && more; i++)
        more = pass(&s);
    if (more)
        mark_cycles(c, &s);
    return s.d;
}

/* ---- comparisons ---------------------------------------------------------------------------------- */

int ri_compare(const ri_distances *d, int32_t u, int32_t v) {
    return compare(value(d, u), value(d, v), d->words);
}

int ri_compare_both(const ri_distances *d, int32_t u, const ri_distances *e, int32_t v) {
    return compare(value(d, u), value(e, v), d->words);
}

int ri_compare_edge(const ri_distances *d, const ri_arcs *arcs, int64_t arc) {
    uint64_t sum[LIMBS];
    const ri_edge *e = &arcs->arcs[arc];
    limbs_of(sum, d, arcs->type, e->weight);
    add(sum, sum, value(d, e->from), d->words);
    return compare(sum, value(d, e->to), d->words);
}

double ri_read(fr_type type, const void *at, int64_t i) {
    switch (type) {
    case FR_TYPE_F32: return ((const float *)at)[i];
    case FR_TYPE_F64: return ((const double *)at)[i];
    case FR_TYPE_I64: return (double)((const int64_t *)at)[i];
    default: return ((const int32_t *)at)[i];
    }
}

static int compare_double(const ri_distances *d, int32_t v, double x) {
    uint64_t limbs[LIMBS];
    int exponent;
    bool rest;
    if (isinf(x))
        return x > 0 ? -1 : 1;
    const uint64_t mantissa = mantissa_of(x, &exponent);
    if (!place(limbs, d->words, x < 0, mantissa, exponent - d->low, &rest))
        return x > 0 ? -1 : 1;
    const int order = compare(value(d, v), limbs, d->words);
    return order == 0 && rest ? -1 : order;
}

int ri_compare_value(const ri_distances *d, int32_t v, fr_type type, const void *at) {
    if (ri_is_real(type))
        return compare_double(d, v, ri_read(type, at, 0));
    const int64_t i = type == FR_TYPE_I64 ? *(const int64_t *)at : *(const int32_t *)at;
    uint64_t limbs[LIMBS];
    bool rest;
    if (!place(limbs, d->words, i < 0, size_of(i), -d->low, &rest))
        return i > 0 ? -1 : 1;
    const int order = compare(value(d, v), limbs, d->words);
    return order == 0 && rest ? -1 : order;
}

double ri_double(const ri_distances *d, int32_t v) {
    uint64_t limbs[LIMBS];
    memcpy(limbs, value(d, v), (size_t)d->words * sizeof *limbs);
    const bool negative = (int64_t)limbs[d->words - 1] < 0;
    if (negative)
        negate(limbs, d->words);
    long double sum = 0;
    for (int i = d->words; i-- > 0;)
        sum += ldexpl((long double)limbs[i], 64 * i + d->low);
    return negative ? -(double)sum : (double)sum;
}

bool ri_fits(const ri_distances *d, int32_t v, fr_type type) {
    const int32_t low32 = INT32_MIN, high32 = INT32_MAX;
    const int64_t low64 = INT64_MIN, high64 = INT64_MAX;
    const double high = type == FR_TYPE_F32 ? FLT_MAX : DBL_MAX;
    if (d->kind[v] != RI_FINITE)
        return false;
    switch (type) {
    case FR_TYPE_I32:
        return ri_compare_value(d, v, type, &low32) >= 0 &&
               ri_compare_value(d, v, type, &high32) < 0;
    case FR_TYPE_I64:
        return ri_compare_value(d, v, type, &low64) > 0 &&
               ri_compare_value(d, v, type, &high64) < 0;
    default: return compare_double(d, v, high) <= 0 && compare_double(d, v, -high) >= 0;
    }
}

bool ri_is(const ri_distances *d, int32_t v, fr_type type, const void *at, double size) {
    if (d->kind[v] != RI_FINITE)
        return false;
    if (ri_is_exact(d, type))
        return ri_compare_value(d, v, type, at) == 0;
    const double x = ri_read(type, at, 0);
    const double slack = d->n * ri_epsilon(type) * fmax(size, d->size[v]) +
                         d->n * (type == FR_TYPE_F32 ? 0x1p-149 : 0x1p-1074);
    if (!isfinite(x))
        return false;
    return compare_double(d, v, x - slack) >= 0 && compare_double(d, v, x + slack) <= 0;
}
