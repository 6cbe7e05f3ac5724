/* fringe bench compare: the ratio of the times of two runs of bench, with confidence intervals. */
#include "bench_lines.h"
#include "interval.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- joining ------------------------------------------------------------------------------- */

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
