/* Answers as text: fringe's TSV (the contract: `fringe bfs --help`) and LDBC Graphalytics'
 * "vertex value" (specification 1.0.5, section 2.5: not reached is 9223372036854775807 for BFS,
 * infinity for SSSP). */
#include "answer.h"
#include "number.h"
#include "progress.h"
#include "cli/io/vertex.h"

#include <math.h>
#include <string.h>

double answer_value(const answer *a, int64_t v) {
    switch (a->type) {
    case FR_TYPE_I64: return (double)((const int64_t *)a->value)[v];
    case FR_TYPE_F32: return (double)((const float *)a->value)[v];
    case FR_TYPE_F64: return ((const double *)a->value)[v];
    default: return ((const int32_t *)a->value)[v];
    }
}

int64_t answer_whole(const answer *a, int64_t v) {
    return a->type == FR_TYPE_I64 ? ((const int64_t *)a->value)[v] : ((const int32_t *)a->value)[v];
}

bool answer_reached(const answer *a, int64_t v) {
    if (a->problem == FR_PROBLEM_BFS)
        return ((const int32_t *)a->value)[v] >= 0;
    switch (a->type) {
    case FR_TYPE_I64: return ((const int64_t *)a->value)[v] != FR_INF_I64;
    case FR_TYPE_F32: return ((const float *)a->value)[v] != INFINITY;
    case FR_TYPE_F64: return ((const double *)a->value)[v] != (double)INFINITY;
    default: return ((const int32_t *)a->value)[v] != FR_INF_I32;
    }
}

static bool is_least(const answer *a, int64_t v) {
    if (!a->marks_cycles)
        return false;
    return a->type == FR_TYPE_I32   ? ((const int32_t *)a->value)[v] == FR_NEG_INF_I32
           : a->type == FR_TYPE_I64 ? ((const int64_t *)a->value)[v] == FR_NEG_INF_I64
                                    : false; /* floats print as they are */
}

char *answer_put(const answer *a, int64_t v, const char *inf, char *at) {
    if (!answer_reached(a, v))
        return stpcpy(at, inf);
    if (is_least(a, v))
        return stpcpy(at, "-inf");
    switch (a->type) {
    case FR_TYPE_I64: return put_int64(at, ((const int64_t *)a->value)[v]);
    case FR_TYPE_F32: return put_float(at, ((const float *)a->value)[v]);
    case FR_TYPE_F64: return put_double(at, ((const double *)a->value)[v]);
    default: return put_int64(at, ((const int32_t *)a->value)[v]);
    }
}

/* A line: two vertices, a number and their separators. */
static size_t row_room(const session *x) { return 2 * vertex_room(x->graph) + NUMBER_ROOM + 3; }

static const char *by_problem(const answer *a, const char *level, const char *distance) {
    return a->problem == FR_PROBLEM_BFS ? level : distance;
}

/* Compiled once for names and once for ids, which are written without a call per vertex. */
static inline __attribute__((always_inline)) char *put_lines(const answer_of *o, int64_t first,
                                                             int64_t last, char *at, bool named) {
    const answer *a = o->answer;
    const char *inf = by_problem(a, "-1", "inf");
    for (int64_t v = first; v < last; v++) {
        int32_t p = a->parent[v];
        at = named ? put_vertex(at, o->graph, (int32_t)v)
                   : put_int64(at, fr_graph_id(o->graph, (int32_t)v));
        *at++ = '\t';
        at = answer_put(a, v, inf, at);
        *at++ = '\t';
        at = named && p >= 0 ? put_vertex(at, o->graph, p)
                             : put_int64(at, p < 0 ? -1 : fr_graph_id(o->graph, p));
        *at++ = '\n';
    }
    return at;
}

/* An output_rows put. */
static char *put_tsv(const void *user, int64_t first, int64_t last, char *at) {
    const answer_of *o = user;
    return first < last && fr_graph_vertex_name(o->graph, (int32_t)first)
               ? put_lines(o, first, last, at, true)
               : put_lines(o, first, last, at, false);
}

void write_rows(const session *x, const answer *a, output_file *out, size_t longest,
                output_put_fn put) {
    answer_of user = {x->graph, a};
    output_rows rows = {x->csr->n, longest, put, &user};
    output_file_rows(out, &rows, fr_ctx_threads(x->ctx));
}

void write_tsv(const session *x, const answer *a, output_file *out) {
    char *at = output_file_reserve(out);
    at = stpcpy(at, by_problem(a, "vertex\tlevel\tparent\n", "vertex\tdistance\tparent\n"));
    output_file_end(out, at);
    write_rows(x, a, out, row_room(x), put_tsv);
}

/* An output_rows put. */
static char *put_graphalytics(const void *user, int64_t first, int64_t last, char *at) {
    const answer_of *o = user;
    const char *inf = by_problem(o->answer, "9223372036854775807", "infinity");
    for (int64_t v = first; v < last; v++) {
        at = put_int64(at, fr_graph_id(o->graph, (int32_t)v));
        *at++ = ' ';
        at = answer_put(o->answer, v, inf, at);
        *at++ = '\n';
    }
    return at;
}

void write_graphalytics(const session *x, const answer *a, output_file *out) {
    write_rows(x, a, out, row_room(x), put_graphalytics);
}

typedef struct result_writer {
    const char *name;
    void (*write)(const session *x, const answer *a, output_file *out);
} result_writer;

static const result_writer writers[] = {
    [RESULT_TSV] = {"tsv", write_tsv},
    [RESULT_GRAPHALYTICS] = {"graphalytics", write_graphalytics},
    [RESULT_NPY] = {"npy", write_npy}};
enum { WRITERS = sizeof writers / sizeof *writers };

int result_format_choose(const settings *s) {
    if (s->format && !s->out) {
        cli_usage("--format needs -o FILE");
        return -1;
    }
    if (s->format) {
        for (int i = 0; i < WRITERS; i++)
            if (strcmp(writers[i].name, s->format) == 0)
                return i;
        cli_usage("--format takes tsv, graphalytics or npy, not '%s'", s->format);
        return -1;
    }
    size_t length = s->out ? strlen(s->out) : 0;
    return length > 4 && strcmp(s->out + length - 4, ".npy") == 0 ? RESULT_NPY : RESULT_TSV;
}

int answer_write(const session *x, const answer *a, const char *path, int format) {
    output_file out;
    if (format != RESULT_TSV && x->csr->n && fr_graph_vertex_name(x->graph, 0))
        return cli_fail(FR_UNSUPPORTED,
                        "%s: the format %s cannot hold the names of vertices; tsv can", path,
                        writers[format].name);
    int code = output_file_open(&out, path);
    if (code)
        return code;
    writers[format].write(x, a, &out);
    return output_file_close(&out, true);
}
