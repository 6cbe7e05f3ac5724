/* Confidence intervals of a ratio of medians.
 *
 * With the times of the runs: the percentile bootstrap (B. Efron, Annals of Statistics 7(1), 1979).
 * If every run of the line with fewer runs has a run from the same source in the other line, pairs
 * are drawn, so that a slow source counts on both sides; otherwise each side is drawn
 * independently. With quartiles only: the standard error of the median of n normal values is
 * 1.2533 s / sqrt(n) and the distance of their quartiles is 1.349 s (R. McGill, J. W. Tukey,
 * W. A. Larsen, The American Statistician 32(1), 1978); the squares of the relative errors of both
 * sides are added. */
#include "interval.h"
#include "cli/io/number.h"
#include "cli/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 2000, MIN_RUNS = 5, MAX_RUNS = 20000 };

static double median_of(double *values, int64_t count) { /* sorts them */
    sort_doubles(values, count);
    return quantile(values, count, 0.5);
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* Writes the times of b in the order of the sources of a; false if a run of a has no match in b. */
static bool pair(const run_times *a, const run_times *b, double *out) {
    bool *used = cli_alloc((size_t)b->count), all = a->sources && b->sources;
    for (int64_t i = 0, from = 0; i < a->count && all; i++, from++) {
        int64_t tried = 0, at = 0;
        for (all = false; tried < b->count && !all; tried++) {
            at = (from + tried) % b->count; /* usually the next run matches */
            all = !used[at] && b->sources[at] == a->sources[i];
        }
        if (all) {
            used[at] = true;
            out[i] = b->times[at];
            from = at;
        }
    }
    free(used);
    return all;
}

/* ---- samples ------------------------------------------------------------------------------- */

typedef struct sides {
    const double *time[2];
    int64_t count[2];
    bool paired;
    double *drawn[2];
} sides;

static double ratio_of_sample(const sides *s, uint64_t *state) {
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < s->count[side] && !(side && s->paired); i++) {
            int64_t at = (int64_t)(random_next(state) % (uint64_t)s->count[side]);
            s->drawn[side][i] = s->time[side][at];
            if (s->paired)
                s->drawn[1][i] = s->time[1][at];
        }
    return median_of(s->drawn[1], s->count[1]) / median_of(s->drawn[0], s->count[0]);
}

static void bootstrap(const sides *s, double confidence, uint64_t seed, interval *out) {
    double *ratios = cli_alloc(SAMPLES * sizeof *ratios);
    for (int i = 0; i < SAMPLES; i++)
        ratios[i] = ratio_of_sample(s, &seed);
    sort_doubles(ratios, SAMPLES);
    out->kind = INTERVAL_SAMPLES;
    out->low = quantile(ratios, SAMPLES, (1 - confidence) / 2);
    out->high = quantile(ratios, SAMPLES, (1 + confidence) / 2);
    free(ratios);
}

static double median_of_copy(const double *values, int64_t count, double *scratch) {
    memcpy(scratch, values, (size_t)count * sizeof *scratch);
    return median_of(scratch, count);
}

static void by_samples(const run_times *a, const run_times *b, double confidence, uint64_t seed,
                       interval *out) {
    bool swapped = b->count < a->count; /* match each run of the shorter list */
    const run_times *few = swapped ? b : a, *many = swapped ? a : b;
    double *matched = cli_alloc((size_t)few->count * sizeof *matched);
    sides s = {{a->times, b->times}, {a->count, b->count}, pair(few, many, matched), {NULL, NULL}};
    if (s.paired) {
        s.time[swapped ? 0 : 1] = matched;
        s.count[0] = s.count[1] = few->count;
    }
    for (int side = 0; side < 2; side++)
        s.drawn[side] = cli_alloc((size_t)s.count[side] * sizeof *s.drawn[side]);
    out->a = median_of_copy(s.time[0], s.count[0], s.drawn[0]);
    out->b = median_of_copy(s.time[1], s.count[1], s.drawn[1]);
    if (s.count[0] >= MIN_RUNS && s.count[1] >= MIN_RUNS)
        bootstrap(&s, confidence, seed, out);
    free(s.drawn[0]);
    free(s.drawn[1]);
    free(matched);
}

/* ---- quartiles ----------------------------------------------------------------------------- */

/* The number of standard deviations within which a normal value stays, by bisection. */
static double normal_reach(double confidence) {
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(erf(middle / sqrt(2)) < confidence ? &low : &high) = middle;
    }
    return low;
}

static double deviation(const run_times *r) {
    return 1.2533 / 1.349 * (r->quartile3 - r->quartile1) / (r->median * sqrt((double)r->count));
}

static void by_quartiles(const run_times *a, const run_times *b, double confidence, interval *out) {
    out->a = a->median;
    out->b = b->median;
    if (a->count < MIN_RUNS || b->count < MIN_RUNS || !(a->quartile1 > 0 && b->quartile1 > 0))
        return;
    double reach = exp(normal_reach(confidence) * hypot(deviation(a), deviation(b)));
    out->kind = INTERVAL_QUARTILES;
    out->low = out->b / out->a / reach;
    out->high = out->b / out->a * reach;
}

interval interval_of(const run_times *a, const run_times *b, double confidence, uint64_t seed) {
    interval out = {INTERVAL_NONE, 0, 0, 0, 0, 0};
    if (a->times && b->times && a->count <= MAX_RUNS && b->count <= MAX_RUNS)
        by_samples(a, b, confidence, seed, &out);
    else
        by_quartiles(a, b, confidence, &out);
    out.ratio = out.b / out.a;
    return out;
}
