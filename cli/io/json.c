#include "fringe_tune.h"
#include "json.h"
#include "cli/io/vertex.h"

#include "cli/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void json_set(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0)
        cli_no_memory();
}

/* The bytes of the UTF-8 character at `text`; 0: there is none. Jansson checks. */
static size_t character_length(const char *text) {
    for (size_t length = 1; length <= 4 && text[length - 1]; length++) {
        json_t *valid = json_stringn(text, length);
        json_decref(valid);
        if (valid)
            return length;
    }
    return 0;
}

json_t *json_text(const char *text) {
    json_t *made = json_string(text);
    char *copy = made ? NULL : malloc(3 * strlen(text) + 1), *to = copy;
    while (copy && *text) {
        const size_t length = character_length(text);
        to = mempcpy(to, length ? text : "\xEF\xBF\xBD", length ? length : 3); /* U+FFFD */
        text += length ? length : 1;
    }
    if (copy)
        made = json_stringn(copy, (size_t)(to - copy));
    free(copy);
    return made;
}

json_t *json_device(const fr_ctx *ctx) {
    char model[128];
    machine_cpu_model(model, sizeof model);
    return json_pack("{s:s, s:s, s:i}", "kind", "cpu", "name", model, "threads",
                     fr_ctx_threads(ctx));
}

/* The version of the kernel driver, in NVIDIA's numbering. */
static void driver_version(char *out, size_t capacity) {
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (!file || !fgets(out, (int)capacity, file))
        snprintf(out, capacity, "unknown");
    out[strcspn(out, "\n")] = 0;
    if (file)
        fclose(file);
}

json_t *json_gpu_device(void) {
    gpu_report found;
    char driver[64];
    machine_gpus(&found);
    driver_version(driver, sizeof driver);
    json_t *device = json_object();
    json_set(device, "kind", json_string("cuda"));
    json_set(device, "name", json_string(found.devices ? found.device[0].name : "none"));
    json_set(device, "driver", json_string(driver));
    json_set(device, "cuda", json_string(found.driver));
    return device;
}

/* What the command computed on. --device and --devices count from 0, as fr_device_get does. */
static json_t *json_used_device(const session *x) {
    if (x->ran_on != FR_BACKEND_CUDA)
        return json_device(x->ctx);
    int devices[DEVICE_LIST_MAX] = {x->s->device}, count = 1;
    if (x->s->devices) /* it was read without a failure before */
        (void)device_list(x->s->devices, devices, &count);
    json_t *device = json_gpu_device(), *list = json_array();
    fr_device_info info = FR_INIT(fr_device_info);
    if (!fr_device_get(x->ctx, devices[0], &info))
        json_set(device, "name", json_string(info.name));
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_integer(devices[i]));
    json_set(device, "devices", list);
    return device;
}

static json_t *json_graph(const session *x) {
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)fr_graph_hash(x->graph));
    json_t *graph =
        json_pack("{s:o, s:i, s:I, s:b, s:s, s:s}", "name", json_text(fr_graph_name(x->graph)), "n",
                  x->csr->n, "m", (json_int_t)x->csr->m, "directed", !session_undirected(x),
                  "weight_type", fr_type_name(x->csr->weight_type), "hash", hash);
    const char *note = fr_graph_note(x->graph);
    if (graph && note)
        json_set(graph, "note", json_text(cli_words(note)));
    return graph;
}

json_t *json_head(const session *x) {
    json_t *object = json_object();
    json_set(object, "version", json_string(fr_version()));
    json_t *graph = json_graph(x);
    json_set(object, "graph", graph ? graph : json_null());
    json_set(object, "device", json_used_device(x));
    json_set(object, "load_ns", json_integer(x->load_ns));
    return object;
}

/* The last value of the knob in "a=1,b=2"; false if it is not given. */
static bool given_value(const char *knobs, const fr_knob *knob, double *value) {
    size_t length = strlen(knob->name);
    bool found = false;
    for (const char *at = knobs; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, knob->name, length) == 0 && at[length] == '=') {
            const char *text = at + length + 1;
            found = fr_knob_value(knob, text, strcspn(text, ","), value);
        }
    return found;
}

json_t *json_knobs(const settings *s, fr_problem problem, const char *strategy) {
    json_t *object = json_object();
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++) {
        if (info.problem != problem || (strcmp(info.name, strategy) != 0 &&
                                        (!info.alias || strcmp(info.alias, strategy) != 0)))
            continue;
        for (const fr_knob *k = info.knobs; k && k->name; k++) {
            double value = k->value;
            bool given = given_value(s->knobs, k, &value);
            json_set(object, k->name,
                     !given && value == FR_KNOB_AUTO ? json_string("auto") : json_real(value));
        }
        break;
    }
    return object;
}

json_t *json_cycle(const session *x, const fr_result *r) {
    json_t *list = json_array();
    for (int32_t i = 0; i < r->cycle_length; i++)
        json_array_append_new(list, json_vertex(x->graph, session_cycle_vertex(x, r, i)));
    return json_pack("{s:f, s:o}", "weight", r->cycle_weight, "vertices", list);
}

void json_negative_cycle(const session *x, fr_problem problem, const fr_result *r) {
    json_t *o = json_head(x);
    json_set(o, "problem", json_string(fr_problem_name(problem)));
    if (r->stats.strategy)
        json_set(o, "strategy", json_string(r->stats.strategy));
    json_set(o, "negative_cycle", json_cycle(x, r));
    outcome_object(o);
}

json_t *json_histogram(const int64_t *bins, const char *counted, bool empty) {
    json_t *list = json_array();
    int last = FR_DEGREE_BINS - 1;
    while (last >= 0 && !bins[last])
        last--;
    for (int k = 0; k <= last; k++)
        if (empty || bins[k])
            json_array_append_new(
                list, json_pack("{s:I, s:I, s:I}", "low", k ? (json_int_t)1 << (k - 1) : 0, "high",
                                k ? ((json_int_t)1 << k) - 1 : 0, counted, (json_int_t)bins[k]));
    return list;
}

void json_peak(json_t *object, const session *x) {
    json_set(object, "peak_memory_bytes", json_integer(machine_peak_bytes()));
    json_set(object, "peak_heap_bytes", json_integer((json_int_t)fr_ctx_peak_bytes(x->ctx)));
}

void json_line(json_t *object) {
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(object);
}

static int read_json_line(const char *path, const char *text, int number, json_line_fn take,
                          void *user) {
    json_error_t error;
    json_t *object = json_loads(text, 0, &error);
    if (!object)
        return cli_fail_at(
            FR_FORMAT, (text_place){path, number, error.column > 0 ? error.column : 1},
            "not JSON (%s); 'fringe bench --json' writes it, and --suite always does", error.text);
    return take(user, object, number);
}

int json_lines_read(const char *path, json_line_fn take, void *user) {
    FILE *file = fopen(path, "r");
    if (!file)
        return cli_fail(errno == ENOENT ? FR_NOT_FOUND : FR_IO, "%s: %m", path);
    char *text = NULL;
    size_t capacity = 0;
    int code = CLI_OK;
    for (int number = 1; !code && getline(&text, &capacity, file) >= 0; number++)
        if (text[strspn(text, " \t\r\n")])
            code = read_json_line(path, text, number, take, user);
    if (!code && ferror(file))
        code = cli_fail(FR_IO, "%s: %m", path);
    free(text);
    fclose(file);
    return code;
}
