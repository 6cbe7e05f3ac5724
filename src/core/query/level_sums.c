#include "core/query/level_sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_whole(const fri_level_sums *s) {
    return s->type == FR_TYPE_I32 || s->type == FR_TYPE_I64;
}

static double add(fr_type type, double sum, double weight) {
    /* a double holds the sum of two floats to more than twice their bits: rounding twice is rounding once */
    return type == FR_TYPE_F32 ? (double)(float)(sum + weight) : sum + weight;
}

/* How many sums from `sum` on grow by `step`: up to the next power of 2, if two of them do. */
static int64_t steps_alike(fr_type type, double sum, double weight, double step) {
    const double next = sum + step;
    int exponent;
    if (add(type, next, weight) - next != step)
        return 1;
    frexp(next, &exponent);
    const double end = exponent > 1023 ? DBL_MAX : ldexp(1, exponent);
    return (int64_t)FRI_MAX(1, FRI_MIN(floor((end - sum) / step), 0x1p32));
}

static void make_segments(fri_level_sums *s, double weight) {
    double sum = 0, last_step = -1;
    for (int64_t level = 0; level < INT32_MAX && s->count < FRI_LEVEL_SEGMENTS;) {
        const double next = add(s->type, sum, weight);
        const double step = isfinite(next) ? next - sum : 0; /* 0: too large, or absorbed */
        if (step != last_step)
            s->segment[s->count++] = (fri_level_segment){sum, step, (int32_t)level};
        if (!(step > 0)) {
            if (!isfinite(next))
                s->segment[s->count++] = (fri_level_segment){next, 0, (int32_t)level + 1};
            return;
        }
        const int64_t alike = steps_alike(s->type, sum, weight, step);
        last_step = step;
        sum += (double)alike * step;
        level += alike;
    }
}

fri_level_sums fri_level_sums_of(fr_type type, double weight) {
    fri_level_sums s = {.type = type};
    if (is_whole(&s))
        s.weight = (int64_t)weight;
    else
        make_segments(&s, weight);
    return s;
}

bool fri_level_sums_fit(const fri_level_sums *s, int32_t deepest) {
    if (is_whole(s))
        return deepest <= ((s->type == FR_TYPE_I32 ? FR_INF_I32 : FR_INF_I64) - 1) / s->weight;
    const double sum = fri_level_sum(s, deepest);
    return s->type == FR_TYPE_F32 ? sum <= FLT_MAX : sum <= DBL_MAX;
}

int32_t fri_levels_within(const fri_level_sums *s, double limit) {
    if (is_whole(s)) {
        const int64_t last = limit < 0x1p63 ? (int64_t)limit : INT64_MAX;
        return (int32_t)FRI_MIN(last / s->weight, INT32_MAX);
    }
    if (s->type == FR_TYPE_F32 &&
        limit < (double)INFINITY) /* what does not fit is beyond any limit */
        limit = FRI_MIN(limit, FLT_MAX);
    int32_t low = 0, high = INT32_MAX; /* the sum of `low` is within; that of high + 1 is not */
    while (low < high) {
        const int32_t middle = (int32_t)(((int64_t)low + high + 1) / 2);
        if (fri_level_sum(s, middle) <= limit)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- conversion ---- */

enum { ALONE = 1 << 14 /* values that take less time than waking threads */ };

static uint64_t bits_of(const fri_level_sums *s, int32_t level) {
    const bool reached = level != FR_INF_I32;
    const double sum = !is_whole(s) && reached ? fri_level_sum(s, level) : (double)INFINITY;
    const float narrow = (float)sum;
    uint64_t bits = 0;
    uint32_t few = 0;
    switch (s->type) {
    case FR_TYPE_F32: memcpy(&few, &narrow, sizeof narrow); return few;
    case FR_TYPE_F64: memcpy(&bits, &sum, sizeof sum); return bits;
    case FR_TYPE_I32: return reached ? (uint64_t)(level * s->weight) : (uint64_t)FR_INF_I32;
    default: return reached ? (uint64_t)(level * s->weight) : (uint64_t)FR_INF_I64;
    }
}

void fri_level_table_make(fri_level_table *t, fr_type type, double weight, int32_t n) {
    t->of = fri_level_sums_of(type, weight);
    for (int32_t level = 0; level < FRI_MIN(n, FRI_LEVEL_TABLE); level++)
        t->bits[level] = bits_of(&t->of, level);
    t->bits[FRI_LEVEL_TABLE] = bits_of(&t->of, FR_INF_I32);
}

/* No branch tells reached vertices from others: where half of them are isolated it would be predicted wrongly. */
static inline uint64_t find(const fri_level_table *t, int32_t level) {
    if ((uint32_t)level - FRI_LEVEL_TABLE < (uint32_t)FR_INF_I32 - FRI_LEVEL_TABLE)
        return bits_of(&t->of, level);
    return t->bits[FRI_MIN(level, FRI_LEVEL_TABLE)];
}

/* From the last on: a wider value never replaces a level that is still to be read. */
static void convert(const fri_level_table *t, char *at, int64_t begin, int64_t end) {
    const bool wide = fr_type_size(t->of.type) == sizeof(uint64_t);
    for (int64_t i = end; i-- > begin;) {
        int32_t level;
        memcpy(&level, at + i * (int64_t)sizeof level, sizeof level);
        const uint64_t bits = find(t, level);
        const uint32_t low = (uint32_t)bits;
        if (wide)
            memcpy(at + i * (int64_t)sizeof bits, &bits, sizeof bits);
        else
            memcpy(at + i * (int64_t)sizeof low, &low, sizeof low);
    }
}

/* The second half of what is left goes where no level of it is, so that threads share it. */
void fri_levels_to_sums(const fri_level_table *t, void *dist, int64_t count, int threads) {
    int64_t left = count;
    for (; left > ALONE && threads > 1; left = (left + 1) / 2) {
        const int64_t begin = (left + 1) / 2, blocks = (left - begin + ALONE - 1) / ALONE;
#pragma omp parallel for num_threads(threads)
        for (int64_t b = 0; b < blocks; b++)
            convert(t, dist, begin + b * ALONE, FRI_MIN(begin + (b + 1) * ALONE, left));
    }
    convert(t, dist, 0, left);
}

#define WRITE(name, to_type, from_type, largest)                                                   \
    static void name(const fri_level_table *t, void *restrict dist, const void *restrict level,    \
                     int64_t count) {                                                              \
        to_type *to = dist;                                                                        \
        const from_type *from = level;                                                             \
        for (int64_t i = 0; i < count; i++)                                                        \
            to[i] = (to_type)find(t, from[i] == (largest) ? FR_INF_I32 : from[i]);                 \
    }
WRITE(write_4_of_1, uint32_t, int8_t, INT8_MAX)
WRITE(write_4_of_2, uint32_t, int16_t, INT16_MAX)
WRITE(write_4_of_4, uint32_t, int32_t, INT32_MAX)
WRITE(write_8_of_1, uint64_t, int8_t, INT8_MAX)
WRITE(write_8_of_2, uint64_t, int16_t, INT16_MAX)
WRITE(write_8_of_4, uint64_t, int32_t, INT32_MAX)

void fri_level_sums_write(const fri_level_table *t, void *dist, const void *level, int size,
                          int64_t count) {
    static void (*const write[2][3])(const fri_level_table *, void *restrict, const void *restrict,
                                     int64_t) = {{write_4_of_1, write_4_of_2, write_4_of_4},
                                                 {write_8_of_1, write_8_of_2, write_8_of_4}};
    write[fr_type_size(t->of.type) == sizeof(uint64_t)][size / 2](t, dist, level, count);
}
