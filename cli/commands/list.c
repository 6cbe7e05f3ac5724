/* fringe list. */
#include "fringe_tune.h"
#include "cli/args/suggest.h"
#include "cli/io/json.h"

#include <string.h>

static void print_knobs(const fr_knob *knobs) {
    for (const fr_knob *k = knobs; k && k->name; k++) {
        printf("        %-18s ", k->name);
        if (k->value == FR_KNOB_AUTO)
            printf("auto");
        else
            printf("%g", k->value);
        printf(" (%g to %g): %s\n", k->low, k->high, k->text);
        for (int bit = 0; k->switches && k->switches[bit]; bit++)
            printf("%s%s%s", bit ? "+" : "            names joined by '+': ", k->switches[bit],
                   k->switches[bit + 1] ? "" : "\n");
    }
}

static int print_rows(fr_problem problem, fr_backend backend) {
    fr_strategy_info info = {0};
    int count = 0;
    for (int i = 0; fr_strategy_get(i, &info); i++) {
        if (info.problem != problem || info.backend != backend)
            continue;
        printf("  %-5s %-4s  %-20s %s\n", fr_problem_name(problem), fr_backend_name(backend),
               info.name, info.text);
        if (info.alias)
            printf("        also named %s\n", info.alias);
        print_knobs(info.knobs);
        count++;
    }
    return count;
}

static void print_strategies(void) {
    printf("Strategies (--strategy NAME; knobs by --knob NAME=VALUE):\n");
    int count[FR_BACKEND_CUDA + 1] = {0};
    for (int p = 0; p < FR_PROBLEM_COUNT; p++)
        for (int b = FR_BACKEND_CPU; b <= FR_BACKEND_CUDA; b++)
            count[b] += print_rows((fr_problem)p, (fr_backend)b);
    if (!count[FR_BACKEND_CUDA])
        printf("  %s\n", cli_words("this build has no GPU strategies"));
}

static void print_formats(void) {
    printf("Formats (--input-format NAME, --format NAME; * can also be written):\n");
    for (int i = 0; fr_format_name(i); i++)
        printf("  %-14s%c %s\n", fr_format_name(i), fr_format_writable(i) ? '*' : ' ',
               fr_format_description(i));
}

static void print_generators(void) {
    printf("Generators (NAME:PARAMETER=VALUE,...):\n");
    for (int i = 0; fr_generator_name(i); i++)
        printf("  %-14s %s\n", fr_generator_name(i), fr_generator_description(i));
}

static void print_devices(void) {
    fr_ctx *ctx;
    int count = 0;
    printf("Devices:\n");
    if (fr_ctx_new(NULL, &ctx))
        cli_no_memory();
    if (fr_device_count(ctx, &count))
        printf("  none: %s\n", cli_words(fr_ctx_error(ctx)));
    for (int i = 0; i < count; i++) {
        fr_device_info info = FR_INIT(fr_device_info);
        if (fr_device_get(ctx, i, &info))
            printf("  %d  %s\n", i, fr_ctx_error(ctx));
        else
            printf(
                "  %d  %s, compute capability %d.%d, %d multiprocessors, %.1f of %.1f GiB free\n",
                i, info.name, info.compute_capability / 10, info.compute_capability % 10,
                info.multiprocessors, (double)info.free_bytes * 0x1p-30,
                (double)info.total_bytes * 0x1p-30);
    }
    fr_ctx_free(ctx);
}

static json_t *json_devices(void) {
    json_t *list = json_array();
    fr_ctx *ctx;
    int count = 0;
    if (fr_ctx_new(NULL, &ctx))
        cli_no_memory();
    if (fr_device_count(ctx, &count))
        count = 0; /* the list is empty */
    for (int i = 0; i < count; i++) {
        fr_device_info info = FR_INIT(fr_device_info);
        if (!fr_device_get(ctx, i, &info))
            json_array_append_new(
                list, json_pack("{s:i, s:s, s:i, s:i, s:I, s:I}", "device", i, "name", info.name,
                                "compute_capability", info.compute_capability, "multiprocessors",
                                info.multiprocessors, "free_bytes", (json_int_t)info.free_bytes,
                                "total_bytes", (json_int_t)info.total_bytes));
    }
    fr_ctx_free(ctx);
    return list;
}

static json_t *json_switches(const fr_knob *k) {
    json_t *list = k->switches ? json_array() : NULL;
    for (int bit = 0; list && k->switches[bit]; bit++)
        json_array_append_new(list, json_string(k->switches[bit]));
    return list;
}

static json_t *json_knob_list(const fr_knob *knobs) {
    json_t *list = json_array();
    for (const fr_knob *k = knobs; k && k->name; k++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:f, s:f, s:s, s:o*}", "name", k->name, "default",
                      k->value == FR_KNOB_AUTO ? json_string("auto") : json_real(k->value), "low",
                      k->low, "high", k->high, "text", k->text, "switches", json_switches(k)));
    return list;
}

static json_t *json_strategies(void) {
    json_t *list = json_array();
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s*, s:s, s:s, s:o}", "problem",
                                        fr_problem_name(info.problem), "backend",
                                        fr_backend_name(info.backend), "name", info.name, "alias",
                                        info.alias, "source", info.source ? info.source : "",
                                        "text", info.text, "knobs", json_knob_list(info.knobs)));
    return list;
}

static json_t *json_formats(void) {
    json_t *list = json_array();
    for (int i = 0; fr_format_name(i); i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "name", fr_format_name(i), "text",
                                              fr_format_description(i), "writable",
                                              fr_format_writable(i)));
    return list;
}

static json_t *json_generators(void) {
    json_t *list = json_array();
    for (int i = 0; fr_generator_name(i); i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", fr_generator_name(i), "text",
                                              fr_generator_description(i)));
    return list;
}

static const struct {
    const char *name;
    void (*print)(void);
    json_t *(*json)(void);
    bool by_name_only; /* opening a GPU takes some hundred milliseconds */
} tables[] = {{"strategies", print_strategies, json_strategies},
              {"formats", print_formats, json_formats},
              {"generators", print_generators, json_generators},
              {"devices", print_devices, json_devices, true}};
enum { TABLES = sizeof tables / sizeof *tables };

/* A name_at. */
static const char *table_name_at(const void *unused, int i) {
    (void)unused;
    return i < TABLES ? tables[i].name : NULL;
}

int cmd_list(const settings *s) {
    const char *wanted = s->arg_count ? s->args[0] : NULL;
    json_t *object = json_object();
    bool any = false;
    for (int i = 0; i < TABLES; i++) {
        if (wanted ? strcmp(wanted, tables[i].name) != 0 : tables[i].by_name_only)
            continue;
        if (s->json)
            json_set(object, tables[i].name, tables[i].json());
        else
            printf("%s", any ? "\n" : "");
        if (!s->json)
            tables[i].print();
        any = true;
    }
    if (s->json && any)
        outcome_object(object);
    else
        json_decref(object);
    return any ? CLI_OK
               : cli_usage("takes strategies, formats, generators or devices, not '%s'%s", wanted,
                           did_you_mean(wanted, table_name_at, NULL, "").text);
}
