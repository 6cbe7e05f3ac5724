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

static uint64_t float_bits(fr_type type, double sum) {
    const float narrow = (float)sum;
    uint64_t bits = 0;
    uint32_t few;
    if (type == FR_TYPE_F64) {
        memcpy(&bits, &sum, sizeof sum);
        return bits;
    }
    memcpy(&few, &narrow, sizeof narrow);
    return few;
}

static uint64_t bits_of(const fri_level_sums *s, int32_t level) {
    return is_whole(s) ? (uint64_t)level * (uint64_t)s->weight
                       : float_bits(s->type, fri_level_sum(s, level));
}

static uint64_t unreached_bits(fr_type type) {
    return type == FR_TYPE_I32   ? (uint64_t)FR_INF_I32
           : type == FR_TYPE_I64 ? (uint64_t)FR_INF_I64
                                 : float_bits(type, (double)INFINITY);
}

void fri_level_table_fill(fri_level_table *t, int32_t n) {
    const fri_level_sums *s = &t->of;
    const int32_t count = FRI_MIN(n, FRI_LEVEL_TABLE);
    for (int32_t level = 0; is_whole(s) && level < count; level++)
        t->bits[level] = bits_of(s, level);
    for (int i = 0; i < s->count; i++) {
        const fri_level_segment *part = &s->segment[i];
        const int32_t end = i + 1 < s->count ? FRI_MIN(part[1].level, count) : count;
        for (int32_t level = part->level; level < end; level++)
            t->bits[level] =
                float_bits(s->type, part->sum + (double)(level - part->level) * part->step);
    }
    t->bits[FRI_LEVEL_TABLE] = unreached_bits(s->type);
}

/* `unreached`: the level that is. No branch tells reached vertices from others: where half of them are isolated, it
 * would be predicted wrongly. */
static inline uint64_t find(const fri_level_table *t, int32_t level, int32_t unreached) {
    if ((uint32_t)level - FRI_LEVEL_TABLE < (uint32_t)unreached - FRI_LEVEL_TABLE)
        return bits_of(&t->of, level);
    return t->bits[FRI_MIN((uint32_t)level, (uint32_t)FRI_LEVEL_TABLE)];
}

/* Levels of one byte, and the largest, have a table of their own in the cache next to the core. */
#define WRITE(width, to_type)                                                                      \
    static void write_##width(const fri_level_table *t, to_type *restrict to,                      \
                              const void *restrict level, int size, int64_t count) {               \
        const int8_t *bytes = level;                                                               \
        const int16_t *words = level;                                                              \
        const int32_t *whole = level;                                                              \
        to_type low[INT8_MAX + 1];                                                                 \
        for (int i = 0; i < INT8_MAX; i++)                                                         \
            low[i] = (to_type)t->bits[i];                                                          \
        low[INT8_MAX] = (to_type)t->bits[FRI_LEVEL_TABLE];                                         \
        for (int64_t i = 0; size == 1 && i < count; i++)                                           \
            to[i] = low[bytes[i] & INT8_MAX];                                                      \
        for (int64_t i = 0; size == 2 && i < count; i++)                                           \
            to[i] = (to_type)find(t, words[i], INT16_MAX);                                         \
        for (int64_t i = 0; size == 4 && i < count; i++)                                           \
            to[i] = (to_type)find(t, whole[i], INT32_MAX);                                         \
    }
WRITE(32, uint32_t)
WRITE(64, uint64_t)

void fri_level_sums_write(const fri_level_table *t, void *dist, const void *level, int size,
                          int64_t count) {
    if (fr_type_size(t->of.type) == sizeof(uint64_t))
        write_64(t, dist, level, size, count);
    else
        write_32(t, dist, level, size, count);
}

/* From the last on: a wider value never replaces a level that is still to be read. */
static void convert(const fri_level_table *t, char *at, int64_t begin, int64_t end) {
    int32_t level[256];
    for (int64_t left = end; left > begin;) {
        const int64_t count = FRI_MIN(left - begin, 256), from = left - count;
        memcpy(level, at + from * (int64_t)sizeof *level, (size_t)count * sizeof *level);
        fri_level_sums_write(t, at + from * (int64_t)fr_type_size(t->of.type), level, sizeof *level,
                             count);
        left = from;
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
