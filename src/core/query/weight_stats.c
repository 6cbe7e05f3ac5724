/* The first solver of a graph waits for this pass, so int32 weights, the usual ones, take a loop that
 * vectorizes: a block's sum is kept in two halves of 32 bits, since without AVX2 widening to 64 bits
 * takes longer than all the rest. */
#include "core/query/weight_stats.h"

#include "base/team.h"

#include <math.h>

enum { BLOCK = 1 << 14 /* weights: sums of halves stay below 2^31 */ };

typedef struct {
    int64_t sum;
    int32_t min, max;
} block_stats;

static inline __attribute__((always_inline)) block_stats of_block(const int32_t *weights,
                                                                  int64_t count) {
    int32_t low = 0, high = 0, min = INT32_MAX, max = INT32_MIN;
    for (int64_t i = 0; i < count; i++) {
        const int32_t w = weights[i];
        low += w & 0xffff;
        high += w >> 16; /* arithmetic: rounds down */
        min = w < min ? w : min;
        max = w > max ? w : max;
    }
    return (block_stats){low + (int64_t)high * 0x10000, min, max};
}

static block_stats block_portable(const int32_t *weights, int64_t count) {
    return of_block(weights, count);
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) block_stats block_avx2(const int32_t *weights,
                                                              int64_t count) {
    return of_block(weights, count);
}
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define block_avx2 block_portable
static bool has_avx2(void) { return false; }
#endif

/* Of a range of weights, with their sum in place of the mean. */
static fri_weight_stats int32_stats(const fr_csr *csr, int64_t begin, int64_t end) {
    block_stats (*const block)(const int32_t *, int64_t) = has_avx2() ? block_avx2 : block_portable;
    const int32_t *weights = csr->weights;
    int64_t sum = 0;
    int32_t max = INT32_MIN, min = INT32_MAX;
    for (int64_t e = begin; e < end; e += BLOCK) {
        const block_stats s = block(weights + e, FRI_MIN(BLOCK, end - e));
        sum += s.sum;
        max = FRI_MAX(max, s.max);
        min = FRI_MIN(min, s.min);
    }
    return (fri_weight_stats){(double)sum, min, max, true};
}

static fri_weight_stats other_stats(const fr_csr *csr, int64_t begin, int64_t end) {
    double sum = 0, max = -INFINITY, min = INFINITY;
    int fractions = 0;
    for (int64_t e = begin; e < end; e++) {
        const double w = fri_csr_weight(csr, e);
        fractions |= FRI_HAS_FRACTION(w);
        sum += w;
        max = w > max ? w : max;
        min = w < min ? w : min;
    }
    return (fri_weight_stats){sum, min, max, csr->weight_type == FR_TYPE_I64 || !fractions};
}

enum { PARTS = 64 }; /* the same for any number of threads, and so is the sum */

typedef struct {
    const fr_csr *csr;
    bool fits; /* int32, and their sum int64: up to 2^32 weights */
    fri_weight_stats part[PARTS];
} passing;

static void pass_piece(fri_member me, void *arg, int64_t part, int64_t last) {
    passing *p = arg;
    (void)me;
    for (; part < last; part++)
        p->part[part] = (p->fits ? int32_stats : other_stats)(
            p->csr, fri_share_begin(p->csr->m, (int)part, PARTS),
            fri_share_begin(p->csr->m, (int)part + 1, PARTS));
}

static fri_weight_stats all_stats(const fri_job *job) {
    const int64_t m = job->csr.m;
    passing p = {&job->csr, job->csr.weight_type == FR_TYPE_I32 && m <= UINT32_MAX};
    fri_team_loop(job->ctx, fri_job_threads(job, p.fits ? m / 4 : m), PARTS, 1, pass_piece, &p);
    fri_weight_stats all = p.part[0];
    for (int i = 1; i < PARTS; i++) {
        all.mean += p.part[i].mean;
        all.min = FRI_MIN(all.min, p.part[i].min);
        all.max = FRI_MAX(all.max, p.part[i].max);
        all.whole &= p.part[i].whole;
    }
    all.mean /= (double)m;
    return all;
}

fri_weight_stats fri_weight_stats_of(const fri_job *job) {
    fri_derived *derived = job->derived ? job->derived->of : NULL;
    fri_weight_stats stats;
    if (derived && fri_derived_weights(derived, &stats))
        return stats;
    stats = all_stats(job);
    if (derived)
        fri_derived_set_weights(derived, stats);
    return stats;
}
