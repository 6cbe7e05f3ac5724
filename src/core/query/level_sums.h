/* Distances from levels, where every edge has the same weight w > 0: what a path of `level` edges adds up to.
 *
 * Integers: level * w. Floats: w added `level` times, rounded each time, as Dijkstra's algorithm adds it along
 * any path. Between two powers of 2 the rounded sum grows by the same step each time, after the first two
 * steps (ties go to even), so that all sums are given by a few segments, and no table has an entry per level. */
#ifndef FRI_LEVEL_SUMS_H
#define FRI_LEVEL_SUMS_H

#include "base/base.h"

/* Three per power of 2, of at most 32 in 2^31 levels. A kernel's parameter: at most 4 KB. */
enum { FRI_LEVEL_SEGMENTS = 104 };

/* From `level` on: sum + (level' - level) * step, which is exact. */
typedef struct fri_level_segment {
    double sum, step;
    int32_t level;
} fri_level_segment;

typedef struct fri_level_sums {
    fr_type type;   /* of the distances */
    int64_t weight; /* integers: w */
    int count;      /* floats */
    fri_level_segment segment[FRI_LEVEL_SEGMENTS];
} fri_level_sums;

/* Roads and lattices have up to thousands of levels. */
enum { FRI_LEVEL_TABLE = 4096, FRI_LEVEL_TABLE_BYTES = (FRI_LEVEL_TABLE + 1) * sizeof(uint64_t) };
typedef struct fri_level_table {
    fri_level_sums of;
    uint64_t *
        bits; /* of the sum of each level, in the lower half where it has 4 bytes; the last: of FR_INF_I32 */
} fri_level_table;

/* A weight that int64 and double hold exactly, of a type that `type` can sum. */
fri_level_sums fri_level_sums_of(fr_type type, double weight);
/* Fills table->bits, of FRI_LEVEL_TABLE_BYTES, for graphs of n vertices, whose levels are below n. */
void fri_level_table_fill(fri_level_table *table, int32_t n);
/* Whether every sum of up to `deepest` edges fits the type. */
bool fri_level_sums_fit(const fri_level_sums *sums, int32_t deepest);
/* The most edges of a path that is at most `limit` long; INT32_MAX: any number. */
int32_t fri_levels_within(const fri_level_sums *sums, double limit);
/* Replaces `count` int32 levels by distances of the table's type, which may be wider; FR_INF_I32, not reached,
 * becomes the type's own. */
void fri_levels_to_sums(const fri_level_table *table, void *dist, int64_t count, int threads);
/* Writes the distances of `count` levels that have `size` bytes each, 1, 2 or 4; the type's largest is not
 * reached. */
void fri_level_sums_write(const fri_level_table *table, void *dist, const void *level, int size,
                          int64_t count);

#ifdef __CUDACC__
#define FRI_LEVEL_FUNCTION static inline __host__ __device__
#else
#define FRI_LEVEL_FUNCTION static inline
#endif

/* Floats: the sum of `level` edges. */
FRI_LEVEL_FUNCTION double fri_level_sum(const fri_level_sums *sums, int32_t level) {
    int low = 0, high = sums->count - 1; /* the last segment that begins by `level` */
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (sums->segment[middle].level <= level)
            low = middle;
        else
            high = middle - 1;
    }
    return sums->segment[low].sum +
           (double)(level - sums->segment[low].level) * sums->segment[low].step;
}

#endif
