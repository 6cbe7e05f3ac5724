#include "microbench_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------- */

static int bad_line(const char *path, int number, const char *what) {
    return cli_fail(FR_FORMAT, "%s:%d: %s", path, number, what);
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
        code = bad_line(all->path, number, "not a line of 'fringe bench --suite microbench'");
    else if (!skipped && !(l.value > 0 && isfinite(l.value)))
        code = bad_line(all->path, number, "no positive \"value\"");
    if (code || skipped) {
        json_decref(o);
        return code;
    }
    all->line = cli_realloc(all->line, (size_t)(all->count + 1) * sizeof *all->line);
    all->line[all->count++] = l;
    return CLI_OK;
}

int microbench_lines_read(microbench_lines *l, const char *path) {
    *l = (microbench_lines){.path = path};
    return json_lines_read(path, keep, l);
}

void microbench_lines_free(microbench_lines *l) {
    for (int64_t i = 0; i < l->count; i++)
        json_decref(l->line[i].json);
    free(l->line);
}

/* ---- lookup -------------------------------------------------------------------------------- */

static bool is_of(const microbench_line *l, const char *device, const char *name) {
    return strcmp(l->device, device) == 0 && strcmp(l->name, name) == 0;
}

bool microbench_is_barrier(const microbench_line *l, const char *device) {
    const char *tail = strstr(l->name, "-barrier");
    return strcmp(l->device, device) == 0 && tail && l->width > 0;
}

double microbench_full_width(const microbench_lines *l, const char *device) {
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

double microbench_rate(const microbench_lines *l, const char *device, const char *name,
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

bool microbench_has(const microbench_lines *l, const char *device) {
    return microbench_rate(l, device, "copy", 0) > 0 &&
           microbench_rate(l, device, "gather", 0) > 0 &&
           microbench_rate(l, device, "probe", 0) > 0 && microbench_full_width(l, device) > 0;
}
