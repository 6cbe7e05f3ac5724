/* Minimum, maximum and mean weight: one pass at the speed of memory.
 *
 * The first solver of a graph waits for this pass, so int32 weights, the usual ones, take a loop that
 * vectorizes: a block's sum is kept in two halves of 32 bits, since without AVX2 widening to 64 bits
 * takes longer than all the rest. */
#include "base/team.h"
#include "graph/weights.h"

#include <math.h>

enum { BLOCK = 1 << 14 /* weights: sums of halves stay below 2^31 */ };

/* Of a part of the weights. */
typedef struct {
    double sum, min, max;
    bool is_finite, whole;
} part_stats;

static inline __attribute__((always_inline)) part_stats of_int32(const int32_t *weights,
                                                                 int64_t count) {
    int32_t min = INT32_MAX, max = INT32_MIN;
    int64_t sum = 0;
    for (int64_t e = 0; e < count; e += BLOCK) {
        const int64_t end = FRI_MIN(e + BLOCK, count);
        int32_t low = 0, high = 0;
        for (int64_t i = e; i < end; i++) {
            const int32_t w = weights[i];
            low += w & 0xffff;
            high += w >> 16; /* arithmetic: rounds down */
            min = w < min ? w : min;
            max = w > max ? w : max;
        }
        sum += low + (int64_t)high * 0x10000;
    }
    return (part_stats){(double)sum, min, max, true, true};
}

static part_stats int32_portable(const int32_t *weights, int64_t count) {
    return of_int32(weights, count);
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) part_stats int32_avx2(const int32_t *weights,
                                                             int64_t count) {
    return of_int32(weights, count);
}
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define int32_avx2 int32_portable
static bool has_avx2(void) { return false; }
#endif

/* Compiled for each type. */
static inline __attribute__((always_inline)) part_stats stats_of(const void *weights, fr_type type,
                                                                 int64_t begin, int64_t end) {
    const fr_csr csr = {.weights = weights, .weight_type = type};
    double sum = 0, min = INFINITY, max = -INFINITY, none = 0, fractions = 0;
#pragma omp simd reduction(+ : sum, none, fractions) reduction(min : min) reduction(max : max)
    for (int64_t e = begin; e < end; e++) {
        const double w = fri_csr_weight(&csr, e);
        sum += w;
        none += w - w; /* NaN for infinity and NaN */
        fractions += FRI_HAS_FRACTION(w) ? 1 : 0;
        min = w < min ? w : min;
        max = w > max ? w : max;
    }
    return (part_stats){sum, min, max, none == 0, fractions == 0};
}

/* The same for any number of threads, and so is the sum; so many read at the speed of memory. */
enum { PARTS = 16 };

typedef struct {
    const fr_csr *csr;
    part_stats part[PARTS];
} passing;

static part_stats range_stats(const fr_csr *csr, int64_t begin, int64_t end) {
    if (csr->weight_type == FR_TYPE_F32)
        return stats_of(csr->weights, FR_TYPE_F32, begin, end);
    if (csr->weight_type == FR_TYPE_F64)
        return stats_of(csr->weights, FR_TYPE_F64, begin, end);
    if (csr->weight_type == FR_TYPE_I64)
        return stats_of(csr->weights, FR_TYPE_I64, begin, end);
    return (has_avx2() ? int32_avx2 : int32_portable)((const int32_t *)csr->weights + begin,
                                                      end - begin);
}

static void pass_piece(fri_member me, void *arg, int64_t part, int64_t last) {
    passing *p = arg;
    (void)me;
    for (; part < last; part++)
        p->part[part] = range_stats(p->csr, fri_share_begin(p->csr->m, (int)part, PARTS),
                                    fri_share_begin(p->csr->m, (int)part + 1, PARTS));
}

bool fri_weights_stats(fr_ctx *ctx, const fr_csr *csr, int threads, fri_weight_stats *out) {
    const int64_t ns = csr->weight_type == FR_TYPE_I32 ? csr->m / 4 : csr->m / 2;
    passing p = {csr};
    fri_team_loop(ctx, fri_threads_for(ctx, FRI_MIN(threads, PARTS), ns), PARTS, 1, pass_piece, &p);
    part_stats all = p.part[0];
    for (int i = 1; i < PARTS; i++) {
        all.sum += p.part[i].sum;
        all.min = fmin(all.min, p.part[i].min);
        all.max = fmax(all.max, p.part[i].max);
        all.is_finite &= p.part[i].is_finite;
        all.whole &= p.part[i].whole;
    }
    *out = (fri_weight_stats){all.sum / (double)csr->m, all.min, all.max,
                              all.whole || csr->weight_type == FR_TYPE_I64};
    return all.is_finite;
}
