/* What a traversal writes: its file, or the part of it that is asked for, and the values of its targets. */
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/io/vertex.h"
#include "cli/ranks/ranks.h"
#include "traversal.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------ */

/* The name of a column as an array of an .npz file. */
static const char *array_name(const fr_column *c) {
    static const char *const names[][2] = {{"vertex", "ids"},
                                           {"source", "sources"},
                                           {"target", "targets"},
                                           {"parent", "parents"},
                                           {"band", "bands"},
                                           {"x", "x"},
                                           {"y", "y"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(c->name, names[i][0]) == 0)
            return names[i][1];
    return "values";
}

static fr_status write_columns(result_sink *k, int64_t rows, const fr_column *columns, int count) {
    const session *x = k->x;
    for (int i = 0; i < count; i++)
        if (columns[i].kind == FR_COLUMN_PATH)
            k->text.lists = &columns[i];
    if (!k->is_archive) {
        fr_output to = result_sink_output(k, NULL);
        return fr_table_write(x->ctx, x->graph, rows, columns, count, &to);
    }
    fr_status status = FR_OK;
    for (int i = 0; i < count && !status; i++) {
        const char *name = array_name(&columns[i]);
        if (columns[i].kind == FR_COLUMN_VERTEX) {
            status = result_sink_vertices(k, name, columns[i].values, rows);
            continue;
        }
        fr_output to = result_sink_output(k, name);
        status = fr_table_write(x->ctx, x->graph, rows, &columns[i], 1, &to);
    }
    return status;
}

/* Closes the file and reports what failed. */
static int end(result_sink *k, fr_status status) {
    if (k->file.error) /* the reason why the stream failed */
        return result_sink_close(k, FR_OK);
    const int failed = status ? cli_fail_ctx(k->x->ctx, status) : CLI_OK;
    const int code = result_sink_close(k, status);
    return failed ? failed : code;
}

int table_write(const session *x, int64_t rows, const fr_column *columns, int count) {
    result_sink k;
    int code = result_sink_open(&k, x);
    if (code)
        return code;
    code = end(&k, write_columns(&k, rows, columns, count));
    progress_clear();
    return code;
}

/* ---- the answer of a traversal ------------------------------------------------------------------ */

/* The vertices that are written, and their values. */
typedef struct part {
    int64_t count;
    int32_t *vertices, *parents;
    char *values;
    double *bands; /* the smallest limit that is not exceeded; NULL: one limit, or none */
} part;

static double band_of(const settings *s, double distance) {
    int i = 0;
    while (i + 1 < s->band_count && s->bands[i] < distance)
        i++;
    return s->bands[i];
}

static part reached_part(const traversal *t) {
    const answer *a = &t->answer;
    const size_t n = (size_t)t->x->csr->n + 1, size = fr_type_size(a->type);
    part p = {.vertices = cli_alloc(n * sizeof *p.vertices),
              .parents = cli_alloc(n * sizeof *p.parents),
              .values = cli_alloc(n * size),
              .bands = t->s->band_count ? cli_alloc(n * sizeof *p.bands) : NULL};
    for (int32_t v = 0; v < t->x->csr->n; v++) {
        if (!answer_reached(a, v))
            continue;
        p.vertices[p.count] = v;
        p.parents[p.count] = a->parent[v];
        memcpy(p.values + (size_t)p.count * size, (const char *)a->value + (size_t)v * size, size);
        if (p.bands)
            p.bands[p.count] = band_of(t->s, answer_value(a, v));
        p.count++;
    }
    return p;
}

static fr_status write_table(result_sink *k, const traversal *t, int64_t rows, const part *p) {
    const answer *a = &t->answer;
    const bool levels = a->problem == FR_PROBLEM_BFS;
    double *place;
    fr_column columns[6] = {
        {.name = "vertex", .kind = FR_COLUMN_VERTEX, .values = p ? p->vertices : NULL},
        {.name = levels ? "level" : "distance",
         .kind = levels ? FR_COLUMN_NUMBER : FR_COLUMN_DISTANCE,
         .type = a->type,
         .values = p ? (const void *)p->values : a->value},
        {.name = "parent", .kind = FR_COLUMN_VERTEX, .values = p ? p->parents : a->parent},
        {.name = "band", .type = FR_TYPE_F64, .values = p ? p->bands : NULL}};
    const int count =
        places_columns(k->x, p ? p->vertices : NULL, rows, columns, p && p->bands ? 4 : 3, &place);
    fr_status status = write_columns(k, rows, columns, count);
    free(place);
    return status ? status
                  : result_sink_vertices(k, "sources", t->query.sources, t->query.source_count);
}

static fr_status write_answer(result_sink *k, const traversal *t) {
    const session *x = t->x;
    const answer *a = &t->answer;
    if (x->s->reached_only || x->s->band_count) {
        part p = reached_part(t);
        const fr_status status = write_table(k, t, p.count, &p);
        free(p.vertices), free(p.parents), free(p.values), free(p.bands);
        return status;
    }
    if (k->is_archive || x->place)
        return write_table(k, t, x->csr->n, NULL);
    const bool levels = a->problem == FR_PROBLEM_BFS;
    fr_query query = {.mark_negative_cycles = a->marks_cycles};
    fr_result result = {
        .level = levels ? a->value : NULL, .dist = levels ? NULL : a->value, .parent = a->parent};
    fr_output to = result_sink_output(k, NULL);
    return fr_result_write(x->ctx, x->graph, &query, a->type, &result, &to);
}

int traversal_write(traversal *t) {
    int64_t begin = cli_now_ns();
    result_sink k;
    int code = CLI_OK;
    if (t->x->ranks) {
        const fr_status status = ranks_write(t);
        code = status ? session_fail_ctx(t->x, status) : CLI_OK;
    } else {
        code = result_sink_open(&k, t->x);
        code = code ? code : end(&k, write_answer(&k, t));
    }
    t->write_ns = cli_now_ns() - begin;
    return code;
}

/* ---- targets and bands -------------------------------------------------------------------------- */

static text_buffer target_value(const traversal *t, int32_t v) {
    text_buffer out = {{0}};
    if (t->problem != FR_PROBLEM_BFS)
        *fr_put_distance(out.text, t->answer.type, t->answer.value, v) = 0;
    else
        *fr_put_int64(out.text, answer_whole(&t->answer, v)) = 0;
    return out;
}

void summary_targets(const traversal *t) {
    enum { SHOWN = 20 };
    const session *x = t->x;
    const int64_t count = t->query.target_count;
    const char *what = t->problem == FR_PROBLEM_BFS ? "level" : "distance";
    for (int64_t i = 0; i < count && i < SHOWN; i++) {
        const int32_t v = t->query.targets[i];
        if (answer_reached(&t->answer, v))
            summary_line(x, what, "%s of vertex %s", target_value(t, v).text,
                         VERTEX_TEXT(x->graph, v));
        else
            summary_line(x, what, "vertex %s is not reached", VERTEX_TEXT(x->graph, v));
    }
    if (count > SHOWN)
        summary_line(x, "", "and %s; fringe apsp with the same targets and -o FILE writes all",
                     human_items(count - SHOWN, "more target", "more targets").text);
}

json_t *json_targets(const traversal *t) {
    const answer *a = &t->answer;
    const bool whole = a->type == FR_TYPE_I32 || a->type == FR_TYPE_I64;
    json_t *list = json_array();
    for (int64_t i = 0; i < t->query.target_count; i++) {
        const int32_t v = t->query.targets[i];
        json_t *value = !answer_reached(a, v) ? json_null()
                        : whole               ? json_integer(answer_whole(a, v))
                                              : json_real(answer_value(a, v));
        json_array_append_new(list, json_pack("{s:o, s:o}", "vertex", json_vertex(t->x->graph, v),
                                              t->problem == FR_PROBLEM_BFS ? "level" : "distance",
                                              value));
    }
    return list;
}

void summary_bands(const traversal *t) {
    const settings *s = t->s;
    int64_t within[CLI_MAX_BANDS] = {0};
    for (int32_t v = 0; s->band_count && v < t->x->csr->n; v++)
        for (int i = 0; i < s->band_count && answer_reached(&t->answer, v); i++)
            within[i] += answer_value(&t->answer, v) <= s->bands[i];
    for (int i = 0; i < s->band_count; i++) {
        char limit[FR_NUMBER_CAPACITY + 1];
        *fr_put_double(limit, s->bands[i]) = 0;
        summary_line(t->x, i ? "" : "within", "%s: %s", limit,
                     human_items(within[i], "vertex", "vertices").text);
    }
}
