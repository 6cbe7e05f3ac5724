/* Files of results and of graphs: what is written is read back, results by a reader of the test's own. */
#include "measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(option) [(option)-RI_FRAME_OPTIONS]

typedef enum content { RESULT, LEVELS, TABLE, MATRIX, APSP } content;
static const char *const contents[] = {"result", "levels", "table", "matrix", "apsp", NULL};
static const char *const formats[] = {"tsv", "npy", "graphalytics", NULL};
static const char *const places[] = {"bytes", "path", "stream", NULL};
enum { WR_WHAT = RI_FRAME_OPTIONS, WR_FORMAT, WR_PLACE, WR_NO_PARENTS, WR_SOURCES, WR_TARGETS };
static const ri_option options[] = {
    AT(WR_WHAT) = {.name = "content", .kind = RI_NAME, .names = contents, .least = 1},
    AT(WR_FORMAT) = {.name = "format", .kind = RI_NAME, .names = formats},
    AT(WR_PLACE) = {.name = "destination", .kind = RI_NAME, .names = places},
    AT(WR_NO_PARENTS) = {.name = "no_parents"},
    AT(WR_SOURCES) = {.name = "sources", .kind = RI_VERTICES, .least = 1},
    AT(WR_TARGETS) = {.name = "targets", .kind = RI_VERTICES},
    {0},
};

static bool takes(const ri_case *c) {
    return c->graph.n > 0 && (!me_facts_of(c).negative || c->graph.m % 16 == 0);
}

static void draw(ri_case *c, ri_rng *rng) {
    ri_of(c, -1, WR_WHAT)->number = ri_below(rng, 5);
    ri_of(c, -1, WR_FORMAT)->number = RI_PICK(rng, 0, 0, 0, 1, 1, 1, 2);
    ri_of(c, -1, WR_PLACE)->number = RI_PICK(rng, 0, 0, 0, 0, 1, 2);
    ri_of(c, -1, WR_NO_PARENTS)->number = ri_chance(rng, 50);
    me_draw_vertices(c, rng, ri_of(c, -1, WR_SOURCES), 1 + ri_below(rng, 4));
    if (ri_chance(rng, 50))
        me_draw_vertices(c, rng, ri_of(c, -1, WR_TARGETS), 1 + ri_below(rng, 4));
}

/* ---- what is expected -------------------------------------------------------------------------------- */

typedef struct cell {
    fr_type type; /* FR_TYPE_NONE: text */
    bool infinite;
    int64_t i;
    double f;
    char *text;
} cell;

enum { COLUMNS = 6 };
typedef struct sheet {
    ri_case *c;
    fr_graph *graph;
    const char *names[COLUMNS];
    int columns;
    int64_t rows;
    cell *cells;
    int matrix;         /* npy: a matrix of this column; -1: records */
    bool free_infinity; /* the text of what is not reached is not said */
} sheet;

static void sheet_begin(sheet *s, int64_t rows, int columns) {
    s->rows = rows, s->columns = columns, s->matrix = -1;
    s->cells = ri_alloc(s->c, (size_t)(rows * columns) * sizeof *s->cells);
}

static cell *cell_at(const sheet *s, int64_t row, int column) {
    return &s->cells[row * s->columns + column];
}

static cell number(fr_type type, const void *values, int64_t i, bool distance) {
    cell to = {.type = type};
    switch (type) {
    case FR_TYPE_I32: to.i = ((const int32_t *)values)[i]; break;
    case FR_TYPE_I64: to.i = ((const int64_t *)values)[i]; break;
    default: to.f = ri_read(type, values, i);
    }
    to.infinite = distance && (type == FR_TYPE_I32   ? to.i == FR_INF_I32
                               : type == FR_TYPE_I64 ? to.i == FR_INF_I64
                                                     : to.f == INFINITY);
    return to;
}

static cell vertex(const sheet *s, int32_t v) {
    return (cell){.type = FR_TYPE_I64, .i = v < 0 ? -1 : fr_graph_id(s->graph, v)};
}

/* ---- a reader ------------------------------------------------------------------------------------------ */

static void check_text(const sheet *s, const char *text, int64_t row, int column) {
    const cell *want = cell_at(s, row, column);
    char *end = NULL, printed[40];
    bool right;
    if (want->infinite && s->free_infinity)
        return;
    if (want->type == FR_TYPE_NONE)
        right = strcmp(text, want->text) == 0;
    else if (want->infinite)
        right = strcmp(text, "inf") == 0;
    else if (ri_is_real(want->type)) {
        const double got =
            want->type == FR_TYPE_F32 ? (double)strtof(text, &end) : strtod(text, &end);
        right = end != text && *end == 0 && got == want->f && strlen(text) < FR_NUMBER_CAPACITY;
    } else {
        snprintf(printed, sizeof printed, "%lld", (long long)want->i);
        right = strcmp(text, printed) == 0;
    }
    RI_CHECK(s->c, right, "row %lld, %s is \"%s\", not %s%.17g", (long long)row, s->names[column],
             text, want->text ? want->text : "",
             ri_is_real(want->type) ? want->f : (double)want->i);
}

/* Ends the field at `at` and returns the beginning of the next one; NULL: the text ends here. */
static char *cut(char *at, char separator, const char *end) {
    char *stop = memchr(at, separator, (size_t)(end - at));
    if (!stop)
        return NULL;
    *stop = 0;
    return stop + 1;
}

static void read_text(const sheet *s, char *bytes, size_t size, char separator, bool header) {
    ri_case *c = s->c;
    char *at = bytes;
    const char *end = bytes + size;
    for (int64_t row = header ? -1 : 0; row < s->rows; row++)
        for (int column = 0; column < s->columns; column++) {
            char *next = cut(at, column + 1 < s->columns ? separator : '\n', end);
            RI_CHECK(c, next, "the text ends in row %lld", (long long)row);
            if (row < 0)
                RI_CHECK(c, strcmp(at, s->names[column]) == 0, "column %d is called \"%s\", not %s",
                         column, at, s->names[column]);
            else
                check_text(s, at, row, column);
            at = next;
        }
    RI_CHECK(c, at == end, "%td more bytes follow", end - at);
}

static void check_binary(const sheet *s, const char *at, const char *code, int64_t row,
                         int column) {
    const cell *want = cell_at(s, row, column);
    const bool real = code[1] == 'f', wide = code[2] == '8';
    int32_t i32;
    int64_t i64 = 0;
    float f32;
    double f64 = 0;
    RI_CHECK(s->c, ri_is_real(want->type) == real, "%s has the type %.3s", s->names[column], code);
    if (real && wide)
        memcpy(&f64, at, 8);
    else if (real) {
        memcpy(&f32, at, 4);
        f64 = (double)f32;
    } else if (wide)
        memcpy(&i64, at, 8);
    else {
        memcpy(&i32, at, 4);
        i64 = i32;
    }
    RI_CHECK(s->c, real ? f64 == want->f : i64 == want->i, "row %lld, %s is %.17g, not %.17g",
             (long long)row, s->names[column], real ? f64 : (double)i64,
             real ? want->f : (double)want->i);
}

/* The codes of types in a header: "<i8" ... */
static int read_codes(const char *header, size_t length, const char *codes[COLUMNS]) {
    int count = 0;
    for (size_t i = 0; i + 3 < length; i++)
        if (header[i] == '\'' && header[i + 1] == '<' && count < COLUMNS)
            codes[count++] = header + i + 1;
    return count;
}

static void read_npy(const sheet *s, const char *bytes, size_t size) {
    ri_case *c = s->c;
    const char *codes[COLUMNS];
    RI_CHECK(c, size >= 10 && memcmp(bytes, "\x93NUMPY\x01", 7) == 0, "no npy");
    const size_t length = (unsigned char)bytes[8] + 256u * (unsigned char)bytes[9];
    RI_CHECK(c, size >= 10 + length && (10 + length) % 64 == 0, "a header of %zu bytes", length);
    const int count = read_codes(bytes + 10, length, codes);
    const bool records = s->matrix < 0;
    RI_CHECK(c, count == (records ? s->columns : 1), "%d columns", count);
    const char *at = bytes + 10 + length;
    for (int64_t row = 0; row < s->rows; row++)
        for (int i = 0; i < count; i++) {
            const size_t width = codes[i][2] == '8' ? 8 : 4;
            RI_CHECK(c, at + width <= bytes + size, "the data end in row %lld", (long long)row);
            check_binary(s, at, codes[i], row, records ? i : s->matrix);
            at += width;
        }
    RI_CHECK(c, at == bytes + size, "%td more bytes follow", bytes + size - at);
    for (int i = 0; i < s->columns && records && s->columns > 1; i++)
        RI_CHECK(c, memmem(bytes, length, s->names[i], strlen(s->names[i])), "no column %s",
                 s->names[i]);
}

/* ---- destinations ---------------------------------------------------------------------------------------- */

typedef struct target {
    ri_case *c;
    fr_output to;
    void *bytes;
    size_t size;
} target;
static char file_path[64]; /* removed when the case ends */

static void remove_file(void *path) { unlink(path); }
static void close_stream(void *stream) { fclose(stream); }

static void target_open(target *t) {
    ri_case *c = t->c;
    t->to = FR_INIT(fr_output);
    t->to.format = formats[ri_at(c, -1, WR_FORMAT)];
    switch (ri_at(c, -1, WR_PLACE)) {
    case 1:
        snprintf(file_path, sizeof file_path, "/tmp/random-%d.%s", (int)getpid(),
                 ri_at(c, -1, WR_FORMAT) == 1 ? "npy" : "tsv");
        t->to.path = file_path;
        if (ri_at(c, -1, WR_FORMAT) < 2)
            t->to.format = NULL; /* by the suffix */
        RI_FREE_AT_END(c, remove_file, file_path);
        break;
    case 2:
        t->to.stream = tmpfile();
        RI_FREE_AT_END(c, close_stream, t->to.stream);
        break;
    default: t->to.bytes = &t->bytes, t->to.size = &t->size;
    }
}

/* What came, in memory of the case. */
static char *target_read(target *t, size_t *size) {
    FILE *in = t->to.path ? fopen(t->to.path, "rb") : t->to.stream;
    RI_CHECK(t->c, in || t->bytes, "nothing is written");
    if (in) {
        fseek(in, 0, SEEK_END);
        t->size = (size_t)ftell(in);
        rewind(in);
    }
    char *all = ri_alloc(t->c, t->size + 1);
    *size = t->size;
    if (in)
        RI_CHECK(t->c, fread(all, 1, t->size, in) == t->size, "reading fails");
    else
        memcpy(all, t->bytes, t->size);
    if (t->to.path)
        fclose(in);
    fr_memory_free(t->bytes);
    return all;
}

static void judge(sheet *s, target *t, fr_status status) {
    ri_case *c = s->c;
    size_t size;
    ri_ok(c, status, "writing");
    char *text = target_read(t, &size);
    switch (ri_at(c, -1, WR_FORMAT)) {
    case 0: read_text(s, text, size, '\t', true); break;
    case 1: read_npy(s, text, size); break;
    default: s->free_infinity = true; read_text(s, text, size, ' ', false);
    }
}

/* ---- contents ------------------------------------------------------------------------------------------- */

static fr_solver *open_solver(sheet *s, fr_problem problem) {
    fr_solver_options o = FR_INIT(fr_solver_options);
    fr_solver *solver = NULL;
    o.backend = FR_BACKEND_CPU;
    if (problem == FR_PROBLEM_APSP)
        o.max_sources = (int32_t)ri_of(s->c, -1, WR_SOURCES)->count;
    const fr_status status = RI_DO(s->c, fr_solver_new(s->c->ctx, s->graph, problem, &o, &solver));
    if (status == FR_OVERFLOW)
        ri_stop(s->c); /* refuse.c judges that */
    ri_ok(s->c, status, "fr_solver_new");
    RI_FREE_AT_END(s->c, fr_solver_free, solver);
    return solver;
}

static void solved(ri_case *c, fr_status status) {
    if (status == FR_NEGATIVE_CYCLE || status == FR_OVERFLOW)
        ri_stop(c); /* queries.c judges that */
    ri_ok(c, status, "fr_solve");
}

static void write_result(sheet *s, bool levels) {
    ri_case *c = s->c;
    const size_t n = (size_t)c->graph.n;
    const bool parents = !ri_at(c, -1, WR_NO_PARENTS), lines = ri_at(c, -1, WR_FORMAT) == 2;
    fr_solver *solver = open_solver(s, levels ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP);
    const fr_type type = levels ? FR_TYPE_I32 : fr_solver_dist_type(solver);
    void *value = ri_out(c, n * 8);
    int32_t *parent = ri_out(c, n * 4);
    fr_query q = FR_INIT(fr_query);
    fr_result r = FR_INIT(fr_result);
    target t = {.c = c};
    q.sources = ri_of(c, -1, WR_SOURCES)->list, q.source_count = ri_of(c, -1, WR_SOURCES)->count;
    *(levels ? (void **)&r.level : &r.dist) = value;
    r.parent = parents ? parent : NULL;
    solved(c, RI_DO(c, fr_solve(solver, &q, &r)));
    s->names[0] = "vertex", s->names[1] = levels ? "level" : "distance", s->names[2] = "parent";
    sheet_begin(s, c->graph.n, parents && !lines ? 3 : 2);
    for (int32_t v = 0; v < c->graph.n; v++) {
        *cell_at(s, v, 0) = vertex(s, v);
        *cell_at(s, v, 1) = number(type, value, v, !levels);
        cell_at(s, v, 1)->infinite |= lines && levels && ((int32_t *)value)[v] < 0;
        if (s->columns == 3)
            *cell_at(s, v, 2) = vertex(s, parent[v]);
    }
    s->matrix = parents ? -1 : 1;
    target_open(&t);
    judge(s, &t, RI_DO(c, fr_result_write(c->ctx, s->graph, &q, type, &r, &t.to)));
}

/* Values of a column and the cells that they become. */
static fr_column draw_column(sheet *s, ri_rng *rng, int column) {
    static const char *const names[COLUMNS] = {"a", "b c", "score", "to", "x%d", "path"};
    ri_case *c = s->c;
    const bool npy = ri_at(c, -1, WR_FORMAT) == 1;
    fr_column to = {.name = names[column], .kind = (fr_column_kind)ri_below(rng, npy ? 3 : 4)};
    int64_t *offsets = ri_alloc(c, (size_t)(s->rows + 1) * 8);
    int32_t *vertices = ri_alloc(c, (size_t)(s->rows * 3 + 1) * 4);
    char *values = ri_alloc(c, (size_t)s->rows * 8 + 8);
    s->names[column] = to.name;
    to.type = (fr_type)ri_between(rng, FR_TYPE_I32, FR_TYPE_F64);
    to.values = values;
    const bool own = to.kind == FR_COLUMN_VERTEX && s->rows <= c->graph.n && ri_chance(rng, 30);
    for (int64_t i = 0; i < s->rows; i++) {
        cell *want = cell_at(s, i, column);
        const int64_t x = ri_chance(rng, 10) ? INT64_MAX : ri_between(rng, -1000, 1000000);
        switch (to.kind) {
        case FR_COLUMN_VERTEX: {
            const int32_t v = own ? (int32_t)i : (int32_t)ri_below(rng, c->graph.n + 1) - 1;
            vertices[i] = v;
            *want = vertex(s, v);
            break;
        }
        case FR_COLUMN_PATH: {
            const int64_t length = ri_below(rng, 4);
            want->text = ri_alloc(c, 64);
            offsets[i + 1] = offsets[i] + length;
            for (int64_t j = 0; j < length; j++) {
                const int32_t v = (int32_t)ri_below(rng, c->graph.n);
                vertices[offsets[i] + j] = v;
                sprintf(want->text + strlen(want->text), "%s%lld", j ? " " : "",
                        (long long)fr_graph_id(s->graph, v));
            }
            break;
        }
        default:
            if (to.type == FR_TYPE_I32)
                ((int32_t *)to.values)[i] = x == INT64_MAX ? FR_INF_I32 : (int32_t)x;
            else if (to.type == FR_TYPE_I64)
                ((int64_t *)to.values)[i] = x;
            else if (to.type == FR_TYPE_F32)
                ((float *)to.values)[i] =
                    x == INT64_MAX ? INFINITY
                                   : (float)ldexp((double)x, (int)ri_between(rng, -90, 90));
            else
                ((double *)to.values)[i] =
                    x == INT64_MAX ? (double)INFINITY
                                   : ldexp(ri_unit(rng), (int)ri_between(rng, -1060, 1000));
            *want = number(to.type, to.values, i, to.kind == FR_COLUMN_DISTANCE);
        }
    }
    if (to.kind == FR_COLUMN_VERTEX || to.kind == FR_COLUMN_PATH)
        to.values = own ? NULL : vertices, to.type = FR_TYPE_NONE;
    to.offsets = to.kind == FR_COLUMN_PATH ? offsets : NULL;
    return to;
}

static void write_table(sheet *s) {
    ri_case *c = s->c;
    ri_rng rng = ri_run_rng(c);
    fr_column columns[COLUMNS];
    target t = {.c = c};
    ri_of(c, -1, WR_FORMAT)->number %= 2;
    sheet_begin(s, ri_below(&rng, 30), 1 + (int)ri_below(&rng, COLUMNS));
    for (int i = 0; i < s->columns; i++)
        columns[i] = draw_column(s, &rng, i);
    if (s->columns == 1)
        s->matrix = 0;
    for (int64_t i = 0; i < s->rows * s->columns; i++) /* numbers that are infinite are text too */
        if (ri_is_real(s->cells[i].type) && s->cells[i].f == INFINITY)
            s->cells[i].infinite = true;
    target_open(&t);
    judge(s, &t, RI_DO(c, fr_table_write(c->ctx, s->graph, s->rows, columns, s->columns, &t.to)));
}

/* Rows of APSP by fr_solve and fr_matrix_write, or by fr_apsp_write, which must be the same. */
static void write_matrix(sheet *s, bool by_rows) {
    ri_case *c = s->c;
    const ri_setting *sources = ri_of(c, -1, WR_SOURCES), *targets = ri_of(c, -1, WR_TARGETS);
    const int64_t columns = targets->count ? targets->count : c->graph.n;
    fr_solver *solver = open_solver(s, FR_PROBLEM_APSP);
    const fr_type type = fr_solver_dist_type(solver);
    fr_query q = FR_INIT(fr_query);
    fr_result r = FR_INIT(fr_result);
    target t = {.c = c};
    ri_of(c, -1, WR_FORMAT)->number %= 2;
    const bool npy = ri_at(c, -1, WR_FORMAT) == 1, parents = !npy && !ri_at(c, -1, WR_NO_PARENTS);
    q.sources = sources->list, q.source_count = sources->count;
    q.targets = targets->count ? targets->list : NULL, q.target_count = targets->count;
    r.dist = ri_out(c, (size_t)(sources->count * columns) * 8);
    int32_t *parent = ri_out(c, (size_t)(sources->count * columns) * 4);
    r.parent = parents ? parent : NULL;
    q.want_parents = parents && by_rows;
    target_open(&t);
    fr_status status;
    if (by_rows) {
        status = RI_DO(c, fr_apsp_write(solver, &q, &r, &t.to));
        if (status == FR_NEGATIVE_CYCLE || status == FR_OVERFLOW)
            ri_stop(c);
    } else {
        solved(c, RI_DO(c, fr_solve(solver, &q, &r)));
        status = RI_DO(c, fr_matrix_write(c->ctx, s->graph, &q, type, &r, &t.to));
    }
    s->names[0] = "source", s->names[1] = "vertex", s->names[2] = "distance",
    s->names[3] = "parent";
    sheet_begin(s, sources->count * columns, parents ? 4 : 3);
    for (int64_t i = 0; i < s->rows; i++) {
        const int64_t j = i % columns;
        *cell_at(s, i, 0) = vertex(s, sources->list[i / columns]);
        *cell_at(s, i, 1) = vertex(s, targets->count ? targets->list[j] : (int32_t)j);
        *cell_at(s, i, 2) = number(type, r.dist, i, true);
        if (parents)
            *cell_at(s, i, 3) =
                vertex(s, status ? -1 : parent[i]); /* a failure leaves them unset */
    }
    s->matrix = 2;
    judge(s, &t, status);
}

static void run(ri_case *c) {
    const content what = (content)ri_at(c, -1, WR_WHAT);
    sheet s = {.c = c};
    snprintf(c->what, sizeof c->what, "write %s %s", contents[what],
             formats[ri_at(c, -1, WR_FORMAT)]);
    s.graph = ri_make_graph(c);
    RI_OK(c, fr_graph_check(c->ctx, s.graph));
    switch (what) {
    case RESULT:
    case LEVELS: write_result(&s, what == LEVELS); break;
    case TABLE: write_table(&s); break;
    default: write_matrix(&s, what == APSP);
    }
}

const ri_call ri_call_writers = {"writers", options, 8, draw, run, takes};

/* ---- files of graphs ---------------------------------------------------------------------------------- */

enum { FI_FORMAT = RI_FRAME_OPTIONS, FI_STREAM, FI_SUFFIX };
static const ri_option file_options[] = {
    AT(FI_FORMAT) = {.name = "format"},
    AT(FI_STREAM) = {.name = "stream"},
    AT(FI_SUFFIX) = {.name = "by_suffix"},
    {0},
};
static const char *const suffixes[] = {"fringe", "mtx", "gr",  "net",   "txt", "el",
                                       "wel",    "sg",  "wsg", "graph", NULL};
static const char *const suffix_formats[] = {"fringe", "mtx", "gr", "pajek", "snap",
                                             "el",     "wel", "sg", "wsg",   "metis"};

static void draw_file(ri_case *c, ri_rng *rng) {
    ri_of(c, -1, FI_FORMAT)->number = ri_below(rng, 10);
    ri_of(c, -1, FI_STREAM)->number = ri_chance(rng, 25);
    ri_of(c, -1, FI_SUFFIX)->number = ri_chance(rng, 50);
}

static bool takes_file(const ri_case *c) { return c->graph.m > 0; }

static void run_file(ri_case *c) {
    const int64_t at = ri_at(c, -1, FI_FORMAT) % 10;
    const char *format = suffix_formats[at];
    const bool stream = ri_at(c, -1, FI_STREAM), suffix = ri_at(c, -1, FI_SUFFIX) && !stream;
    fr_load_options o = FR_INIT(fr_load_options);
    fr_graph *made = NULL, *graph = ri_make_graph(c);
    FILE *file = stream ? tmpfile() : NULL;
    snprintf(c->what, sizeof c->what, "file %s", format);
    snprintf(file_path, sizeof file_path, "/tmp/random-%d.%s", (int)getpid(),
             suffix ? suffixes[at] : "file");
    RI_FREE_AT_END(c, remove_file, file_path);
    if (stream)
        RI_FREE_AT_END(c, close_stream, file);
    fr_status s = stream
                      ? RI_DO(c, fr_graph_write_stream(c->ctx, graph, file, format))
                      : RI_DO(c, fr_graph_write(c->ctx, graph, file_path, suffix ? NULL : format));
    if (s == FR_INVALID || s == FR_UNSUPPORTED) {
        ri_refuse(c); /* the format cannot hold it */
        return;
    }
    ri_ok(c, s, "fr_graph_write");
    o.format = suffix ? NULL : format;
    o.weight_type = c->graph.type;
    o.weights = c->graph.type ? FR_WEIGHTS_FILE : FR_WEIGHTS_NONE;
    if (at >= 4 && at <= 6)
        o.direction = FR_DIRECTION_DIRECTED; /* both directions are in the file */
    if (stream)
        rewind(file);
    s = stream ? RI_DO(c, fr_graph_load_stream(c->ctx, file, &o, &made))
               : RI_DO(c, fr_graph_load(c->ctx, file_path, &o, &made));
    ri_ok(c, s, "fr_graph_load");
    RI_FREE_AT_END(c, fr_graph_free, made);
    ri_arcs want = c->stored;
    me_check_arcs(c, made, &want);
    for (int32_t v = 0; v < c->graph.n && at == 0; v++) /* others have ids of their own */
        RI_CHECK(c, fr_graph_id(made, v) == fr_graph_id(graph, v),
                 "vertex %d has the id %lld, not %lld", v, (long long)fr_graph_id(made, v),
                 (long long)fr_graph_id(graph, v));
}

const ri_call ri_call_files = {"files", file_options, 6, draw_file, run_file, takes_file};
