/* fringe bench compare: the ratio of the times of two runs of bench, with confidence intervals.
 *
 * With the times of the runs: the percentile bootstrap (B. Efron, Annals of Statistics 7(1), 1979).
 * If every run of the line with fewer runs has a run from the same source in the other line, pairs
 * are drawn, so that a slow source counts on both sides; otherwise each side is drawn
 * independently. With quartiles only: the standard error of the median of n normal values is
 * 1.2533 s / sqrt(n) and the distance of their quartiles is 1.349 s (R. McGill, J. W. Tukey,
 * W. A. Larsen, The American Statistician 32(1), 1978); the squares of the relative errors of both
 * sides are added. */
#include "bench_lines.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- intervals ----------------------------------------------------------------------------- */

typedef enum interval_kind { INTERVAL_NONE, INTERVAL_SAMPLES, INTERVAL_QUARTILES } interval_kind;

typedef struct interval {
    interval_kind kind;
    double a, b;             /* medians, ns */
    double ratio, low, high; /* b / a; low and high are unset with INTERVAL_NONE */
} interval;

enum { SAMPLES = 2000, MIN_RUNS = 5, MAX_RUNS = 20000 };

static double median_of(double *values, int64_t count) { /* sorts them */
    sort_doubles(values, count);
    return quantile(values, count, 0.5);
}

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

/* The ratio of two medians with its interval. confidence: for example 0.95. The same seed gives the same samples. */
static interval interval_of(const run_times *a, const run_times *b, double confidence,
                            uint64_t seed) {
    interval out = {INTERVAL_NONE, 0, 0, 0, 0, 0};
    if (a->times && b->times && a->count <= MAX_RUNS && b->count <= MAX_RUNS)
        by_samples(a, b, confidence, seed, &out);
    else
        by_quartiles(a, b, confidence, &out);
    out.ratio = out.b / out.a;
    return out;
}

/* ---- joining ------------------------------------------------------------------------------- */

typedef struct comparison {
    const settings *s;
    double max_regression, confidence; /* percent */
    bench_lines a, b;
    /* [a.count] the matching line of b; NULL: none, or one of the two has no times */
    const bench_line **like;
    interval *result; /* [a.count] */
    int64_t rows, regressions;
    double log_sum; /* sum of the logarithms of the ratios */
} comparison;

/* Skips replaced lines. */
static const bench_line *find_like(const bench_lines *all, const bench_line *l) {
    for (int64_t i = 0; i < all->count; i++)
        if (!all->line[i].replaced && bench_lines_same(l, &all->line[i]))
            return &all->line[i];
    return NULL;
}

static bool is_regression(const comparison *c, const interval *i) {
    return i->kind != INTERVAL_NONE && i->low > 1 + c->max_regression / 100;
}

static void join(comparison *c) {
    c->like = cli_alloc((size_t)c->a.count * sizeof *c->like);
    c->result = cli_alloc((size_t)c->a.count * sizeof *c->result);
    for (int64_t i = 0; i < c->a.count; i++) {
        const bench_line *l = &c->a.line[i], *other = find_like(&c->b, l);
        if (l->replaced || l->unmeasured || !other || other->unmeasured)
            continue;
        c->like[i] = other;
        c->result[i] = interval_of(&l->runs, &other->runs, c->confidence / 100, c->s->load.seed);
        c->rows++;
        c->regressions += is_regression(c, &c->result[i]);
        c->log_sum += log(c->result[i].ratio);
    }
}

/* ---- text ---------------------------------------------------------------------------------- */

static bool same_heading(const bench_line *a, const bench_line *b) {
    return a && strcmp(a->name, b->name) == 0 && strcmp(a->problem, b->problem) == 0 &&
           strcmp(a->device, b->device) == 0 && a->threads == b->threads;
}

static void print_heading(const bench_line *l) {
    printf("\n%s%s%s: %s%s%s", color(stdout, "1"), l->name, color(stdout, "0"), l->problem,
           *l->device ? ", " : "", l->device);
    if (l->threads)
        printf(", %d thread%s", l->threads, l->threads > 1 ? "s" : "");
    printf("\n  %-5s %-20s %10s %10s %7s %7s %7s  %s\n", "where", "strategy", "A", "B", "first",
           "call", "B/A", "interval");
}

/* B/A of a time that lines of older versions do not have. */
static void print_ratio(double a, double b) {
    if (a > 0 && b > 0)
        printf(" %7.3f", b / a);
    else
        printf(" %7s", "-");
}

static void print_interval(const comparison *c, const interval *i) {
    printf(" %7.3f  ", i->ratio);
    if (i->kind == INTERVAL_NONE)
        puts("too few runs");
    else
        printf("%s%.3f to %.3f%s%s%s\n", i->kind == INTERVAL_QUARTILES ? "~" : "", i->low, i->high,
               is_regression(c, i) ? color(stdout, "31") : "", is_regression(c, i) ? "  loss" : "",
               color(stdout, "0"));
}

/* Whether only this file has times of the measurement; `like`: the matching line of the other one. */
static bool is_alone(const bench_line *l, const bench_line *like) {
    return !l->replaced && !l->unmeasured && !(like && !like->unmeasured);
}

/* Prints the measurements that only `from` has, a line per graph, with the reason if the matching line of
 * `other` has no times. */
static void print_only(const char *which, const bench_lines *from, const char *other_name,
                       const bench_lines *other) {
    const bench_line *last = NULL;
    for (int64_t i = 0; i < from->count; i++) {
        const bench_line *l = &from->line[i], *like = find_like(other, l);
        if (!is_alone(l, like))
            continue;
        if (!last)
            printf("\nOnly in %s:", which);
        if (same_heading(last, l))
            putchar(',');
        else
            printf("\n  %s (%s%s%s):", l->name, l->problem, *l->device ? ", " : "", l->device);
        printf(" %s %s", l->backend, l->strategy);
        if (like)
            printf(" [%s: %s]", other_name, like->unmeasured);
        last = l;
    }
    if (last)
        putchar('\n');
}

static void print_file(const char *which, const bench_lines *l) {
    printf("%s: %s, %lld line%s", which, l->path, (long long)l->count, l->count == 1 ? "" : "s");
    if (l->replaced)
        printf(", %lld of them repeated by later lines", (long long)l->replaced);
    putchar('\n');
}

static void print_text(const comparison *c) {
    const bench_line *last = NULL;
    print_file("A", &c->a);
    print_file("B", &c->b);
    printf(
        "B/A: ratio of the median traversal times, with its interval of %g %%; first, call: the\n"
        "ratio of the times of the first answer and of a call; above 1, B is slower\n",
        c->confidence);
    for (int64_t i = 0; i < c->a.count; i++) {
        const bench_line *l = &c->a.line[i];
        if (!c->like[i])
            continue;
        if (!same_heading(last, l))
            print_heading(l);
        last = l;
        printf("  %-5s %-20s", l->backend, l->strategy);
        printf(" %10s %10s", human_ns(c->result[i].a).text, human_ns(c->result[i].b).text);
        print_ratio(l->runs.first, c->like[i]->runs.first);
        print_ratio(l->runs.call, c->like[i]->runs.call);
        print_interval(c, &c->result[i]);
    }
    if (c->rows)
        printf("\ngeometric mean of %lld ratio%s: %.3f\n", (long long)c->rows,
               c->rows == 1 ? "" : "s", exp(c->log_sum / (double)c->rows));
    print_only("A", &c->a, "B", &c->b);
    print_only("B", &c->b, "A", &c->a);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *json_row(const bench_line *l) {
    json_t *o = json_object();
    json_set(o, "graph", json_string(l->name));
    json_set(o, "problem", json_string(l->problem));
    json_set(o, "strategy", json_string(l->strategy));
    json_set(o, "backend", json_string(l->backend));
    json_set(o, "device", json_string(l->device));
    return o;
}

static json_t *json_ratio(double a, double b) {
    return a > 0 && b > 0 ? json_real(b / a) : json_null();
}

static json_t *json_result(const comparison *c, const bench_line *l, const bench_line *like,
                           const interval *i) {
    static const char *const kinds[] = {"none", "bootstrap", "quartiles"};
    json_t *o = json_row(l);
    json_set(o, "a_ns", json_real(i->a));
    json_set(o, "b_ns", json_real(i->b));
    json_set(o, "ratio", json_real(i->ratio));
    json_set(o, "first_ratio", json_ratio(l->runs.first, like->runs.first));
    json_set(o, "call_ratio", json_ratio(l->runs.call, like->runs.call));
    json_set(o, "interval", json_string(kinds[i->kind]));
    json_set(o, "low", i->kind ? json_real(i->low) : json_null());
    json_set(o, "high", i->kind ? json_real(i->high) : json_null());
    json_set(o, "regression", json_boolean(is_regression(c, i)));
    return o;
}

static json_t *json_only(const bench_lines *from, const bench_lines *other) {
    json_t *list = json_array();
    for (int64_t i = 0; i < from->count; i++) {
        const bench_line *l = &from->line[i], *like = find_like(other, l);
        if (is_alone(l, like))
            json_array_append_new(list, json_row(l));
    }
    return list;
}

static void print_object(const comparison *c) {
    json_t *o = json_object(), *rows = json_array();
    for (int64_t i = 0; i < c->a.count; i++)
        if (c->like[i])
            json_array_append_new(rows, json_result(c, &c->a.line[i], c->like[i], &c->result[i]));
    json_set(o, "a", json_text(c->a.path));
    json_set(o, "b", json_text(c->b.path));
    json_set(o, "max_regression", json_real(c->max_regression));
    json_set(o, "confidence", json_real(c->confidence));
    json_set(o, "rows", rows);
    json_set(o, "geometric_mean",
             c->rows ? json_real(exp(c->log_sum / (double)c->rows)) : json_null());
    json_set(o, "regressions", json_integer(c->regressions));
    json_set(o, "only_a", json_only(&c->a, &c->b));
    json_set(o, "only_b", json_only(&c->b, &c->a));
    outcome_object(o);
}

int cmd_compare(const settings *s) {
    comparison c = {.s = s,
                    .max_regression = s->max_regression > 0 ? s->max_regression : 5,
                    .confidence = s->confidence > 0 ? s->confidence : 95};
    int code = bench_lines_read(&c.a, s->args[0]);
    if (!code)
        code = bench_lines_read(&c.b, s->args[1]);
    if (!code) {
        join(&c);
        (s->json ? print_object : print_text)(&c);
        if (!c.rows)
            code =
                cli_fail(FR_NOT_FOUND, "no matching measurements in %s and %s", c.b.path, c.a.path);
        else if (c.regressions)
            code = cli_fail(FR_VERIFY_FAILED,
                            "%lld of %lld measurements are slower by more than %g %%",
                            (long long)c.regressions, (long long)c.rows, c.max_regression);
    }
    free(c.like);
    free(c.result);
    bench_lines_free(&c.a);
    bench_lines_free(&c.b);
    return code;
}
