#include "bench_lines.h"
#include "cli/io/number.h"
#include "cli/traversal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ------------------------------------------------------------------------------- */

static json_t *bench_quartiles(const quantiles *ns) {
    json_t *o = json_object();
    json_set(o, "min", json_integer((json_int_t)ns->min));
    json_set(o, "quartile1", json_integer((json_int_t)ns->quartile1));
    json_set(o, "median", json_integer((json_int_t)ns->median));
    json_set(o, "quartile3", json_integer((json_int_t)ns->quartile3));
    json_set(o, "max", json_integer((json_int_t)ns->max));
    return o;
}

void bench_put_runs(json_t *object, const traversal *t) {
    quantiles call = quantiles_of_calls(t->runs, t->run_count);
    json_set(object, "first_ns", json_integer(t->first_ns));
    json_set(object, "call_ns", bench_quartiles(&call));
    json_t *times = json_array(), *sources = json_array();
    for (int64_t i = 0; i < t->run_count; i++) {
        json_array_append_new(times, json_integer(t->runs[i].ns));
        json_array_append_new(sources, json_integer(t->runs[i].source));
    }
    json_set(object, "run_ns", times);
    json_set(object, "run_sources", sources);
}

void bench_put_times(json_t *o, const traversal *t) {
    quantiles time = quantiles_of_times(t->runs, t->run_count);
    quantiles rate = quantiles_of_rates(t->runs, t->run_count);
    const fr_stats *stats = &median_run(t->runs, t->run_count)->stats;
    json_set(o, "runs", json_integer(t->run_count));
    json_set(o, "prepare_ns", json_integer(stats->prepare_ns));
    json_set(o, "upload_ns", json_integer(stats->upload_ns));
    json_set(o, "device_init_ns", json_integer(stats->device_init_ns));
    json_set(o, "download_ns", json_integer(stats->transfer_ns - stats->upload_ns));
    json_set(o, "traverse_ns", bench_quartiles(&time));
    bench_put_runs(o, t);
    json_set(o, "mteps_harmonic_mean", json_real(rate.harmonic_mean));
    json_set(o, "levels", json_integer(stats->levels));
    json_set(o, "edges_examined", json_integer(stats->edges_examined));
    if (t->problem == FR_PROBLEM_SSSP)
        json_set(o, "relaxations", json_integer(stats->relaxations));
    json_set(o, "reached", json_integer(stats->reached));
    if (t->why[0])
        json_set(o, "why", json_string(t->why));
}

/* ---- reading ------------------------------------------------------------------------------- */

static int bad_line(const char *path, int number, const char *what) {
    return cli_fail_at(FR_FORMAT, (text_place){path, number, 1}, "%s", what);
}

static const char *text_of(const json_t *object, const char *key, const char *missing) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : missing;
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static bool read_runs(run_times *r, const json_t *times, const json_t *sources) {
    r->count = (int64_t)json_array_size(times);
    r->times = cli_alloc((size_t)r->count * sizeof *r->times);
    if (sources && json_array_size(sources) == (size_t)r->count)
        r->sources = cli_alloc((size_t)r->count * sizeof *r->sources);
    for (int64_t i = 0; i < r->count; i++) {
        r->times[i] = json_number_value(json_array_get(times, (size_t)i));
        if (!(r->times[i] > 0) || !isfinite(r->times[i]))
            return false;
        if (r->sources)
            r->sources[i] = json_integer_value(json_array_get(sources, (size_t)i));
    }
    double *sorted = cli_alloc((size_t)r->count * sizeof *sorted);
    memcpy(sorted, r->times, (size_t)r->count * sizeof *sorted);
    sort_doubles(sorted, r->count);
    r->quartile1 = quantile(sorted, r->count, 0.25);
    r->median = quantile(sorted, r->count, 0.5);
    r->quartile3 = quantile(sorted, r->count, 0.75);
    free(sorted);
    return true;
}

/* Lines of suites have quartiles; old lines of `bench GRAPH` have only the median. */
static bool read_times(bench_line *l) {
    const json_t *o = l->json, *times = json_object_get(o, "run_ns");
    const json_t *quartiles = json_object_get(o, "traverse_ns");
    run_times *r = &l->runs;
    r->first = number_of(o, "first_ns");
    r->call = number_of(json_object_get(o, "call_ns"), "median");
    if (json_array_size(times))
        return read_runs(r, times, json_object_get(o, "run_sources"));
    r->count = (int64_t)number_of(o, "runs");
    r->quartile1 = number_of(quartiles, "quartile1");
    r->median = number_of(quartiles ? quartiles : o, quartiles ? "median" : "median_ns");
    r->quartile3 = number_of(quartiles, "quartile3");
    return r->median > 0 && r->quartile1 <= r->quartile3;
}

static int read_line(bench_line *l, const char *path) {
    const json_t *o = l->json, *graph = json_object_get(o, "graph");
    const json_t *device = json_object_get(o, "device");
    l->name = text_of(o, "case", text_of(graph, "name", NULL));
    l->identity = text_of(graph, "hash", l->name);
    l->problem = text_of(o, "problem", NULL);
    l->strategy = text_of(o, "strategy", NULL);
    l->backend = text_of(o, "backend", "");
    l->device = text_of(device, "name", "");
    l->threads = (int)number_of(device, "threads");
    if (!graph || !l->name)
        return bad_line(path, l->number, "has no \"graph\": is this a line of 'fringe bench'?");
    if (!l->problem || !l->strategy)
        return bad_line(path, l->number, "has no \"problem\" or no \"strategy\"");
    if (strcmp(text_of(o, "verification", ""), "wrong") == 0)
        l->unmeasured = "wrong answer";
    else
        l->unmeasured = text_of(o, "skipped", text_of(o, "message", NULL));
    if (!l->unmeasured && !read_times(l))
        return bad_line(path, l->number, "has no times, or times that are not positive");
    return CLI_OK;
}

static void line_free(bench_line *l) {
    json_decref(l->json);
    free(l->runs.times);
    free(l->runs.sources);
}

static void keep(bench_lines *all, const bench_line *l) {
    for (int64_t i = 0; i < all->count; i++)
        if (!all->line[i].replaced && bench_lines_same(&all->line[i], l)) {
            all->line[i].replaced = true;
            all->replaced++;
        }
    all->line = cli_realloc(all->line, (size_t)(all->count + 1) * sizeof *all->line);
    all->line[all->count++] = *l;
}

static int take_line(void *lines, json_t *o, int number) {
    bench_lines *all = lines;
    bench_line l = {.json = o, .number = number};
    /* the graph was left out, the line is a summary, or the run failed here */
    bool no_strategy = (json_object_get(o, "skipped") || json_object_get(o, "kind") ||
                        json_object_get(o, "exit_code")) &&
                       !json_object_get(o, "strategy");
    int code = no_strategy ? CLI_OK : read_line(&l, all->path);
    if (code || no_strategy)
        line_free(&l);
    else
        keep(all, &l);
    return code;
}

int bench_lines_read(bench_lines *l, const char *path) {
    *l = (bench_lines){.path = path};
    return json_lines_read(path, take_line, l);
}

void bench_lines_free(bench_lines *l) {
    for (int64_t i = 0; i < l->count; i++)
        line_free(&l->line[i]);
    free(l->line);
}

/* ---- joining ------------------------------------------------------------------------------- */

static bool same_value(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

static bool knobs_agree(const json_t *a, const json_t *b) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)a, name, value) {
        const json_t *other = json_object_get(b, name);
        if (other && !same_value(value, other))
            return false;
    }
    return true;
}

bool bench_lines_same(const bench_line *a, const bench_line *b) {
    /* a line may omit a knob at its default, so the knobs alone do not separate variants */
    if (strcmp(text_of(a->json, "variant", ""), text_of(b->json, "variant", "")) != 0)
        return false;
    return strcmp(a->problem, b->problem) == 0 && strcmp(a->identity, b->identity) == 0 &&
           strcmp(a->strategy, b->strategy) == 0 && strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->device, b->device) == 0 && a->threads == b->threads &&
           knobs_agree(json_object_get(a->json, "knobs"), json_object_get(b->json, "knobs"));
}
