/* The output of Graph500: the lines of the reference code in their order and spelling, then
 * fringe's own (the specification permits more), and the same as JSON.
 *
 * Formulas: specification 2.0, section "Computing and Outputting Performance Information".
 * Quartiles are the mean of two neighbors, as in the reference code; the deviation of the
 * harmonic mean follows N. Norris, Annals of Mathematical Statistics 11(4), 1940. */
#include <commit.h> /* made by the build */
#include "graph500.h"
#include "cli/io/json.h"
#include "cli/machine.h"
#include "cli/io/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MINIMUM, QUARTILE1, MEDIAN, QUARTILE3, MAXIMUM, MEAN, DEVIATION, STATISTICS };
static const char *const names[STATISTICS] = {"min", "firstquartile", "median", "thirdquartile",
                                              "max", "mean",          "stddev"};

double graph500_construction_time(const graph500 *g) {
    return g->edges_time + g->kernel[FR_PROBLEM_BFS].prepare_time +
           g->kernel[FR_PROBLEM_SSSP].prepare_time;
}

static void statistics(const double *values, int64_t n, double out[STATISTICS]) {
    double *sorted = cli_alloc((size_t)n * sizeof *sorted), sum = 0, squares = 0;
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    sort_doubles(sorted, n);
    for (int64_t i = 0; i < n; i++)
        sum += values[i];
    for (int64_t i = 0; i < n; i++)
        squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    out[MINIMUM] = sorted[0];
    out[QUARTILE1] = (sorted[(n - 1) / 4] + sorted[n / 4]) / 2;
    out[MEDIAN] = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    out[QUARTILE3] = (sorted[n - 1 - (n - 1) / 4] + sorted[n - 1 - n / 4]) / 2;
    out[MAXIMUM] = sorted[n - 1];
    out[MEAN] = sum / (double)n;
    out[DEVIATION] = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
    free(sorted);
}

/* Rates from seconds per edge: the minimum rate belongs to the maximum time. */
static void rates(const kernel_record *k, int64_t n, double out[STATISTICS]) {
    double *inverse = cli_alloc((size_t)n * sizeof *inverse), s[STATISTICS];
    for (int64_t i = 0; i < n; i++)
        inverse[i] = k->time[i] / k->nedge[i];
    statistics(inverse, n, s);
    free(inverse);
    for (int i = MINIMUM; i <= MAXIMUM; i++)
        out[i] = 1 / s[MAXIMUM - i];
    out[MEAN] = 1 / s[MEAN];
    out[DEVIATION] = n > 1 ? s[DEVIATION] / (s[MEAN] * s[MEAN] * sqrt((double)(n - 1))) : 0;
}

/* ---- text ---------------------------------------------------------------------------------- */

static void line_text(const char *name, const char *value) {
    printf("%s:%*s%s\n", name, 31 - (int)strlen(name), "", value);
}

static void line(const char *name, const char *format, double value) {
    char text[64];
    snprintf(text, sizeof text, format, value);
    line_text(name, text);
}

static void lines(const char *kernel, const char *unit, const char *format,
                  const double s[STATISTICS]) {
    char name[64];
    for (int i = 0; i < STATISTICS; i++) {
        snprintf(name, sizeof name, "%s%s%s_%s", kernel, *kernel ? " " : "", names[i], unit);
        line(name, format, s[i]);
    }
}

static void rate_lines(const char *kernel, const double s[STATISTICS]) {
    char name[64], value[64];
    for (int i = MINIMUM; i <= MAXIMUM; i++) {
        snprintf(name, sizeof name, "%s %s_TEPS", kernel, names[i]);
        line(name, "%g", s[i]);
    }
    snprintf(name, sizeof name, "%s harmonic_mean_TEPS:     !", kernel); /* marks the result */
    snprintf(value, sizeof value, "%g", s[MEAN]);
    printf("%-32s%s\n", name, value);
    snprintf(name, sizeof name, "%s harmonic_stddev_TEPS", kernel);
    line(name, "%g", s[DEVIATION]);
}

typedef enum part { TIME, RATE, VALIDATE } part;

static void print_part(const graph500 *g, part which) {
    static const char *const titles[] = {"bfs ", "sssp"};
    for (int p = 0; p < 2; p++) {
        const kernel_record *k = &g->kernel[p];
        double s[STATISTICS];
        if (!k->wanted)
            continue;
        if (which == RATE) {
            rates(k, g->key_count, s);
            rate_lines(titles[p], s);
            continue;
        }
        statistics(which == TIME ? k->time : k->validate_time, g->key_count, s);
        lines(titles[p], which == TIME ? "time" : "validate", "%g", s);
    }
}

static void print_machine(const graph500 *g) {
    char model[128], text[256];
    machine_cpu_model(model, sizeof model);
    snprintf(text, sizeof text, "%s, %s", model,
             human_items(g->tuples.threads, "thread", "threads").text);
    if (g->x.ran_on == FR_BACKEND_CUDA) {
        json_t *gpu = json_gpu_device();
        snprintf(text, sizeof text, "%s (driver %s, CUDA %s), host %s, %s",
                 json_string_value(json_object_get(gpu, "name")),
                 json_string_value(json_object_get(gpu, "driver")),
                 json_string_value(json_object_get(gpu, "cuda")), model,
                 human_items(g->tuples.threads, "thread", "threads").text);
        json_decref(gpu);
    }
    line_text("device", text);
    snprintf(text, sizeof text, "%s, commit %s", fr_version(), FRINGE_COMMIT);
    line_text("fringe", text);
}

static void print_own(const graph500 *g) {
    char text[160];
    snprintf(text, sizeof text, "%llu", (unsigned long long)g->tuples.seed);
    line_text("seed", text);
    for (int p = 0; p < 2; p++) {
        const kernel_record *k = &g->kernel[p];
        const char *title = p ? "sssp" : "bfs ";
        double s[STATISTICS];
        if (!k->wanted)
            continue;
        snprintf(text, sizeof text, "%s strategy", title);
        line_text(text, k->ran);
        snprintf(text, sizeof text, "%s prepare_time", title);
        line(text, "%g", k->prepare_time);
        statistics(k->transfer_time, g->key_count, s);
        snprintf(text, sizeof text, "%s mean_transfer", title);
        line(text, "%g", s[MEAN]);
    }
    print_machine(g);
    line_text("validation", "passed");
}

void graph500_print(const graph500 *g) {
    double s[STATISTICS];
    line("SCALE", "%.0f", g->scale);
    line("edgefactor", "%.0f", g->edge_factor);
    line("NBFS", "%.0f", (double)g->key_count);
    line("graph_generation", "%g", g->generation_time);
    line("num_mpi_processes", "%.0f", g->ranks ? g->ranks : 1);
    line("construction_time", "%g", graph500_construction_time(g));
    print_part(g, TIME);
    statistics(g->kernel[g->kernel[FR_PROBLEM_BFS].wanted ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP].nedge,
               g->key_count, s);
    lines("", "nedge", "%.11g", s);
    print_part(g, RATE);
    print_part(g, VALIDATE);
    print_own(g);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *json_list(const double *values, int64_t count) {
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(list, json_real(values[i]));
    return list;
}

static json_t *json_statistics(const double s[STATISTICS], const char *const keys[STATISTICS]) {
    json_t *o = json_object();
    for (int i = 0; i < STATISTICS; i++)
        json_set(o, keys[i], json_real(s[i]));
    return o;
}

static json_t *json_kernel(const graph500 *g, const kernel_record *k) {
    static const char *const rate_names[] = {
        "min", "firstquartile", "median",         "thirdquartile",
        "max", "harmonic_mean", "harmonic_stddev"};
    json_t *o = json_object();
    double s[STATISTICS];
    json_set(o, "strategy", json_string(k->strategy));
    json_set(o, "ran", json_string(k->ran));
    json_set(o, "prepare_time", json_real(k->prepare_time));
    statistics(k->time, g->key_count, s);
    json_set(o, "time", json_statistics(s, names));
    statistics(k->nedge, g->key_count, s);
    json_set(o, "nedge", json_statistics(s, names));
    rates(k, g->key_count, s);
    json_set(o, "TEPS", json_statistics(s, rate_names));
    json_set(o, "times", json_list(k->time, g->key_count));
    json_set(o, "nedges", json_list(k->nedge, g->key_count));
    json_set(o, "transfer_times", json_list(k->transfer_time, g->key_count));
    json_set(o, "validate_times", json_list(k->validate_time, g->key_count));
    return o;
}

void graph500_print_json(const graph500 *g) {
    json_t *o = json_head(&g->x), *keys = json_array();
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)g->tuples.seed);
    json_object_del(o, "load_ns");
    json_set(json_object_get(o, "graph"), "name", json_text(fr_graph_name(g->tuples.rows)));
    json_set(o, "backend", json_string(fr_backend_name((fr_backend)g->x.s->backend)));
    json_set(o, "commit", json_string(FRINGE_COMMIT));
    json_set(o, "scale", json_integer(g->scale));
    json_set(o, "edgefactor", json_integer(g->edge_factor));
    json_set(o, "seed", json_string(seed));
    json_set(o, "nbfs", json_integer(g->key_count));
    json_set(o, "graph_generation", json_real(g->generation_time));
    json_set(o, "construction_time", json_real(graph500_construction_time(g)));
    for (int64_t i = 0; i < g->key_count; i++)
        json_array_append_new(keys, json_integer(g->keys[i]));
    json_set(o, "keys", keys);
    for (int k = 0; k < 2; k++)
        if (g->kernel[k].wanted)
            json_set(o, g->kernel[k].name, json_kernel(g, &g->kernel[k]));
    json_set(o, "validation", json_string("passed"));
    outcome_object(o);
}
