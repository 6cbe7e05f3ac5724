/* Results as files: fringe's TSV, LDBC Graphalytics' "vertex value" lines (specification 1.0.5,
 * section 2.5: not reached is 9223372036854775807 for BFS, infinity for SSSP), and NumPy arrays. */
#include "base/sized.h"
#include "graph/write/result_output.h"
#include "io/results/value_text.h"

typedef struct {
    const fr_graph *graph;
    bool levels;
    fri_values value;
    const int32_t *parent;
    const char *none; /* the text of no parent */
} answer;

/* The bytes of a line at most: a value and two vertices with their separators. */
static size_t line_capacity(const fr_graph *graph) {
    return FR_NUMBER_CAPACITY + 1 + 2 * fri_vertex_text_bytes(graph);
}

/* ---- text ------------------------------------------------------------------------------------ */

static inline char *put_name(const answer *a, int32_t v, char *at) {
    return stpcpy(at, fri_names_get(a->graph->ids.names, v));
}

/* Compiled once for names and once for ids, which are written without a call per vertex. */
static inline __attribute__((always_inline)) char *put_lines(const answer *a, int64_t first,
                                                             int64_t last, char *at, bool named) {
    for (int64_t v = first; v < last; v++) {
        at = named ? put_name(a, (int32_t)v, at)
                   : fri_put_int64(at, fr_graph_id(a->graph, (int32_t)v));
        *at++ = '\t';
        at = fri_put_value(&a->value, v, at);
        if (a->parent) {
            *at++ = '\t';
            at = a->parent[v] < 0 ? stpcpy(at, a->none)
                 : named          ? put_name(a, a->parent[v], at)
                                  : fri_put_int64(at, fr_graph_id(a->graph, a->parent[v]));
        }
        *at++ = '\n';
    }
    return at;
}

/* A fri_put_rows_fn. */
static char *put_tsv(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    return a->graph->ids.names ? put_lines(a, first, last, at, true)
                               : put_lines(a, first, last, at, false);
}

static void write_tsv(answer *a, fri_row_output *out) {
    char head[64];
    snprintf(head, sizeof head, "vertex\t%s%s\n", a->levels ? "level" : "distance",
             a->parent ? "\tparent" : "");
    a->value.unreached = a->levels ? "-1" : "inf";
    fri_row_output_put(out, head, strlen(head));
    fri_write_result_rows(out,
                          &(fri_result_rows){a->graph->csr.n, line_capacity(a->graph), put_tsv, a});
}

/* A fri_put_rows_fn. */
static char *put_graphalytics(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    for (int64_t v = first; v < last; v++) {
        at = fri_put_int64(at, fr_graph_id(a->graph, (int32_t)v));
        *at++ = ' ';
        at = fri_put_value(&a->value, v, at);
        *at++ = '\n';
    }
    return at;
}

static void write_graphalytics(answer *a, fri_row_output *out) {
    a->value.unreached = a->levels ? "9223372036854775807" : "infinity";
    fri_write_result_rows(
        out, &(fri_result_rows){a->graph->csr.n, line_capacity(a->graph), put_graphalytics, a});
}

static void write_npy(answer *a, fri_row_output *out) {
    const fr_column columns[] = {{.name = "vertex", .kind = FR_COLUMN_VERTEX},
                                 {.name = a->levels ? "level" : "distance",
                                  .type = a->value.type,
                                  .values = a->value.values},
                                 {.name = "parent", .kind = FR_COLUMN_VERTEX, .values = a->parent}};
    const bool alone = !a->parent;
    fri_write_npy(a->graph, columns + alone, alone ? 1 : 3, a->graph->csr.n, out);
}

/* ---- formats --------------------------------------------------------------------------------- */

static const char *const formats[] = {"tsv", "graphalytics", "npy", NULL};
static void (*const writers[])(answer *a, fri_row_output *out) = {write_tsv, write_graphalytics,
                                                                  write_npy};

const char *fr_result_format_name(int index) {
    enum { COUNT = sizeof writers / sizeof *writers };
    return index >= 0 && index < COUNT ? formats[index] : NULL;
}

const char *fr_result_format_choose(const char *format, const char *path) {
    const char *suffix = path ? strrchr(path, '.') : NULL;
    const char *name = format ? format : suffix && strcasecmp(suffix, ".npy") == 0 ? "npy" : "tsv";
    for (int i = 0; formats[i]; i++)
        if (strcmp(formats[i], name) == 0)
            return formats[i];
    return NULL;
}

static fr_status read_answer(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                             fr_type dist_type, const fr_result *result, answer *a) {
    fr_query q;
    fr_result r;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &q);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_result, result, &r);
    if (status)
        return status;
    if (!graph || !r.level == !r.dist)
        return fri_fail(ctx, FR_INVALID, "writing needs a graph and levels or distances");
    if (!r.level && fr_type_size(dist_type) == 0)
        return fri_fail(ctx, FR_INVALID, "there is no type %d of distances", (int)dist_type);
    fr_type type = r.level ? FR_TYPE_I32 : dist_type;
    *a = (answer){.graph = graph,
                  .levels = r.level,
                  .value = fri_distances(type, r.level ? (const void *)r.level : r.dist),
                  .parent = r.parent};
    a->none = fri_no_vertex_text(graph);
    if (r.level)
        a->value.none = -1;
    a->value.marks_cycles = q.mark_negative_cycles && !r.level;
    return FR_OK;
}

fr_status fr_result_write(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                          fr_type dist_type, const fr_result *result, const fr_output *to) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    answer a;
    fri_output o;
    fr_status status = fri_output_read(ctx, to, formats, &o);
    if (!status)
        status = read_answer(ctx, graph, query, dist_type, result, &a);
    if (!status)
        status = fri_output_check_parents(ctx, graph, a.parent, graph->csr.n);
    if (!status)
        status = fri_output_check_names(ctx, graph, &o);
    if (status)
        return status;
    status = fri_output_begin(ctx, &o);
    for (int i = 0; formats[i] && !status; i++)
        if (o.format == formats[i])
            writers[i](&a, &o.rows);
    return fri_output_end(ctx, &o, status);
}
