/* fringe bench roofline: compares measured times with the lower bound that the device allows.
 *
 * The work is read from the lines of a suite, the rates from lines of --suite microbench, matched
 * by the name of the device. docs/benchmarking.md explains the formulas. */
#include "bench_lines.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "min_work.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rates: lines of fringe bench --suite microbench ------------------------------------ */

typedef struct microbench_line {
    json_t *json;
    const char *device, *name;
    double bytes, width; /* 0: not given */
    double value;
} microbench_line;

typedef struct microbench_lines {
    const char *path;
    microbench_line *line;
    int64_t count; /* lines without a value are left out */
} microbench_lines;

static int bad_rate(const char *path, int number, const char *what) {
    return cli_fail_at(FR_FORMAT, (text_place){path, number, 1}, "%s", what);
}

static int keep(void *lines, json_t *o, int number) {
    microbench_lines *all = lines;
    const char *name = json_string_value(json_object_get(o, "microbench"));
    const char *device = json_string_value(json_object_get(json_object_get(o, "device"), "name"));
    microbench_line l = {.json = o,
                         .device = device,
                         .name = name,
                         .bytes = json_number_value(json_object_get(o, "bytes")),
                         .width = json_number_value(json_object_get(o, "width")),
                         .value = json_number_value(json_object_get(o, "value"))};
    bool skipped = json_object_get(o, "skipped") != NULL;
    int code = CLI_OK;
    if (!name || !device)
        code = bad_rate(all->path, number, "not a line of 'fringe bench --suite microbench'");
    else if (!skipped && !(l.value > 0 && isfinite(l.value)))
        code = bad_rate(all->path, number, "no positive \"value\"");
    if (code || skipped) {
        json_decref(o);
        return code;
    }
    all->line = cli_realloc(all->line, (size_t)(all->count + 1) * sizeof *all->line);
    all->line[all->count++] = l;
    return CLI_OK;
}

static int microbench_lines_read(microbench_lines *l, const char *path) {
    *l = (microbench_lines){.path = path};
    return json_lines_read(path, keep, l);
}

static void microbench_lines_free(microbench_lines *l) {
    for (int64_t i = 0; i < l->count; i++)
        json_decref(l->line[i].json);
    free(l->line);
}

static bool is_of(const microbench_line *l, const char *device, const char *name) {
    return strcmp(l->device, device) == 0 && strcmp(l->name, name) == 0;
}

static bool microbench_is_barrier(const microbench_line *l, const char *device) {
    const char *tail = strstr(l->name, "-barrier");
    return strcmp(l->device, device) == 0 && tail && l->width > 0;
}

/* The smallest width that uses the whole device: one block per multiprocessor, or all threads. */
static double microbench_full_width(const microbench_lines *l, const char *device) {
    double grid = 0, max = 0;
    for (int64_t i = 0; i < l->count; i++) {
        const microbench_line *x = &l->line[i];
        if (!microbench_is_barrier(x, device))
            continue;
        max = x->width > max ? x->width : max;
        if (strcmp(x->name, "grid-barrier") == 0 && (!(grid > 0) || x->width < grid))
            grid = x->width;
    }
    return grid > 0 ? grid : max;
}

/* The rate of a microbenchmark for an array of `bytes`: between two measured sizes the time of an
 * access is interpolated linearly in the logarithm of the size; beyond the ends it is constant. */
static double microbench_rate(const microbench_lines *l, const char *device, const char *name,
                              double bytes) {
    const microbench_line *below = NULL, *above = NULL;
    for (int64_t i = 0; i < l->count; i++) {
        const microbench_line *x = &l->line[i];
        if (!is_of(x, device, name))
            continue;
        if (x->bytes <= bytes && (!below || x->bytes >= below->bytes))
            below = x;
        if (x->bytes >= bytes && (!above || x->bytes <= above->bytes))
            above = x;
    }
    if (!below || !above)
        return below ? below->value : above ? above->value : 0;
    if (!(above->bytes > below->bytes))
        return below->value;
    double part = log(bytes / below->bytes) / log(above->bytes / below->bytes);
    return 1 / ((1 - part) / below->value + part / above->value);
}

/* Whether a device has the lines that a bound needs: copy, gather, probe and a barrier. */
static bool microbench_has(const microbench_lines *l, const char *device) {
    return microbench_rate(l, device, "copy", 0) > 0 &&
           microbench_rate(l, device, "gather", 0) > 0 &&
           microbench_rate(l, device, "probe", 0) > 0 && microbench_full_width(l, device) > 0;
}

/* ---- the bound ----------------------------------------------------------------------------- */

typedef enum bound { BOUND_BYTES, BOUND_ACCESSES, BOUND_LEVELS, BOUNDS } bound;
static const char *const bound_names[] = {"bytes", "accesses", "levels"};

typedef struct roofline {
    double ns[BOUNDS], max; /* max: of the three */
    bound by;
    double width; /* blocks (or threads) in the barrier of each level; 0: no barrier, all work */
} roofline;

typedef struct demand {
    double bytes, accesses, levels;
    double rate; /* accesses per second of the whole device */
} demand;

/* The bound if a `share` of the device works, with a barrier of barrier_ns after each level. */
static roofline time_of(const demand *d, double bandwidth, double share, double barrier_ns) {
    roofline f = {.ns = {d->bytes * 1e9 / (bandwidth * share),
                         d->accesses * 1e9 / (d->rate * share), d->levels * barrier_ns}};
    for (int b = 0; b < BOUNDS; b++)
        if (f.ns[b] > f.max) {
            f.max = f.ns[b];
            f.by = (bound)b;
        }
    return f;
}

/* A traversal writes level (or distance) and parent, and reads the offset of each reached row and
 * the target of each edge that it checks. */
static demand demand_of(const bench_line *l, const min_work *w, const microbench_lines *rates) {
    const json_t *graph = json_object_get(l->json, "graph");
    double n = json_number_value(json_object_get(graph, "n"));
    double offset = json_number_value(json_object_get(graph, "m")) < 0x1p32 ? 4 : 8;
    bool bfs = strcmp(l->problem, "bfs") == 0;
    demand d = {.accesses = bfs ? w->edge_checks : w->edges, .levels = bfs ? w->levels : 0};
    d.bytes = 8 * n + offset * w->vertices + (bfs ? 4 : 8) * d.accesses;
    d.rate = bfs ? microbench_rate(rates, l->device, "probe", n / 8)
                 : microbench_rate(rates, l->device, "gather", 4 * n);
    return d;
}

/* The smallest bound over all barriers: block, cluster and grid. */
static roofline roofline_of(const bench_line *l, const min_work *w, const microbench_lines *rates) {
    demand d = demand_of(l, w, rates);
    double bandwidth = microbench_rate(rates, l->device, "copy", 0);
    double whole = microbench_full_width(rates, l->device);
    roofline best = time_of(&d, bandwidth, 1, d.levels > 0 ? INFINITY : 0);
    for (int64_t i = 0; i < rates->count && d.levels > 0; i++) {
        const microbench_line *layer = &rates->line[i];
        if (!microbench_is_barrier(layer, l->device))
            continue;
        double share = layer->width < whole ? layer->width / whole : 1;
        roofline f = time_of(&d, bandwidth, share, layer->value);
        f.width = layer->width;
        if (f.max < best.max)
            best = f;
    }
    return best;
}

/* ---- output ------------------------------------------------------------------------------- */

static void print_object(const bench_line *l, const min_work *w, const roofline *f) {
    json_t *o = json_object(), *commit = json_object_get(l->json, "commit");
    json_set(o, "kind", json_string("roofline"));
    json_set(o, "case", json_string(l->name));
    json_set(o, "problem", json_string(l->problem));
    json_set(o, "strategy", json_string(l->strategy));
    json_set(o, "backend", json_string(l->backend));
    json_set(o, "device", json_incref(json_object_get(l->json, "device")));
    if (commit)
        json_set(o, "commit", json_incref(commit));
    json_set(o, "levels", json_real(w->levels));
    json_set(o, "bound_ns", json_real(f->max));
    json_set(o, "bound", json_string(bound_names[f->by]));
    json_set(o, "bytes_ns", json_real(f->ns[BOUND_BYTES]));
    json_set(o, "accesses_ns", json_real(f->ns[BOUND_ACCESSES]));
    json_set(o, "levels_ns", json_real(f->ns[BOUND_LEVELS]));
    json_set(o, "width", json_real(f->width));
    json_set(o, "median_ns", json_real(l->runs.median));
    json_set(o, "ratio", json_real(l->runs.median / f->max));
    json_line(o);
}

static void print_row(const bench_line *l, const roofline *f) {
    printf("  %-16s %-5s %-12s %10s  %-9s", l->name, l->problem, l->strategy, human_ns(f->max).text,
           bound_names[f->by]);
    if (f->width > 0)
        printf(" %6.0f", f->width);
    else
        printf(" %6s", "all");
    printf(" %10s %8.2f\n", human_ns(l->runs.median).text, l->runs.median / f->max);
}

static void print_head(const bench_line *l) {
    printf("%s%s%s\n  %-16s %-5s %-12s %10s  %-9s %6s %10s %8s\n", color(stdout, "1"), l->device,
           color(stdout, "0"), "graph", "", "strategy", "bound", "bound by", "width", "median",
           "/ bound");
}

typedef struct totals {
    const char *device; /* of the last printed line */
    int64_t rows, no_work, no_rates;
    double log_sum;
} totals;

static void take_line(const settings *s, const bench_line *l, const microbench_lines *rates,
                      totals *t) {
    min_work w;
    if (l->replaced || l->unmeasured || json_object_get(l->json, "variant") ||
        !suite_lists(s->strategies ? s->strategies : "auto", l->strategy))
        return;
    if (!microbench_has(rates, l->device)) {
        t->no_rates++;
        return;
    }
    if (!min_work_read(l->json, &w)) {
        t->no_work++;
        return;
    }
    roofline f = roofline_of(l, &w, rates);
    if (!s->json && (!t->device || strcmp(t->device, l->device) != 0))
        print_head(l);
    t->device = l->device;
    if (s->json)
        print_object(l, &w, &f);
    else
        print_row(l, &f);
    t->rows++;
    t->log_sum += log(l->runs.median / f.max);
}

static void print_totals(const totals *t) {
    if (t->rows)
        printf("geometric mean of %lld: %.2f\n", (long long)t->rows,
               exp(t->log_sum / (double)t->rows));
    if (t->no_work)
        printf("%lld more have no \"min_work\", which lines of 'fringe bench --suite' have\n",
               (long long)t->no_work);
    if (t->no_rates)
        printf("%lld more are of a device without microbenchmarks\n", (long long)t->no_rates);
}

int cmd_roofline(const settings *s) {
    bench_lines results = {0};
    microbench_lines rates = {0};
    totals t = {0};
    int code = bench_lines_read(&results, s->args[0]);
    if (!code)
        code = microbench_lines_read(&rates, s->args[1]);
    for (int64_t i = 0; i < results.count && !code; i++)
        take_line(s, &results.line[i], &rates, &t);
    if (!code && !s->json)
        print_totals(&t);
    if (!code && !t.rows)
        code = cli_fail(FR_NOT_FOUND, "no line of %s has both \"min_work\" and a device of %s",
                        s->args[0], s->args[1]);
    bench_lines_free(&results);
    microbench_lines_free(&rates);
    return code;
}
