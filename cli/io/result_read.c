#include "result_read.h"

#include "vertex.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void result_free(result_file *r) {
    free(r->value);
    free(r->whole);
    free(r->parent);
    free(r->seen);
}

bool result_minus_one(const session *x) {
    int32_t v = -1;
    if (!has_names(x->graph))
        return fr_graph_vertex(x->graph, -1) >= 0;
    return fr_graph_find_vertex(x->ctx, x->graph, "-1", &v) == FR_OK;
}

int result_put(const session *x, result_file *r, text_place place, const result_entry *e) {
    int32_t v = fr_graph_vertex(x->graph, e->id);
    if (v < 0)
        return cli_fail_at(FR_NOT_FOUND, place, "vertex %lld is not in the graph",
                           (long long)e->id);
    if (r->seen[v])
        return cli_fail_at(FR_FORMAT, place, "vertex %lld occurs twice", (long long)e->id);
    r->seen[v] = 1;
    bool minus = isinf(e->value) && e->value < 0;
    bool infinite = isinf(e->value) || (e->is_whole && e->whole == INT64_MAX);
    r->marks_bfs |= e->is_whole && (e->whole == INT64_MAX || e->whole == -1);
    r->value[v] = minus ? -(double)INFINITY : infinite ? (double)INFINITY : e->value;
    r->whole[v] = minus ? FR_NEG_INF_I64 : e->whole;
    r->all_whole &= infinite || e->is_whole;
    if (!r->parent)
        return CLI_OK;
    r->parent[v] = e->no_parent ? -1 : fr_graph_vertex(x->graph, e->parent);
    place.column = e->parent_column;
    if (!e->no_parent && r->parent[v] < 0)
        return cli_fail_at(FR_NOT_FOUND, place, "parent %lld is not in the graph",
                           (long long)e->parent);
    return CLI_OK;
}

static void close_input(FILE *file) {
    if (file != stdin)
        fclose(file);
}

/* Reads the whole file, '-' is standard input, and appends a NUL. */
static int read_file(const char *path, char **data, size_t *size) {
    struct stat there;
    FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
    if (!file)
        return cli_fail(errno == ENOENT ? FR_NOT_FOUND : FR_IO, "%s: %m", path);
    if (fstat(fileno(file), &there) == 0 && S_ISDIR(there.st_mode)) {
        close_input(file);
        return cli_fail(FR_IO, "%s: is a directory", path);
    }
    size_t capacity = 1 << 16;
    *data = cli_alloc(capacity);
    *size = 0;
    for (size_t got; (got = fread(*data + *size, 1, capacity - *size - 1, file)) > 0;) {
        *size += got;
        if (*size + 1 == capacity)
            *data = cli_realloc(*data, capacity *= 2);
    }
    (*data)[*size] = 0;
    int code = ferror(file) ? cli_fail(FR_IO, "%s: %m", path) : CLI_OK;
    close_input(file);
    return code;
}

static char *skip_blanks(char *at) { return at + strspn(at, " \t,\r"); }

static bool read_whole(char **at, int64_t *out) {
    char *end;
    errno = 0;
    *out = strtoll(*at, &end, 10);
    bool good = end != *at && errno == 0 && (!*end || strchr(" \t,\r\n", *end));
    if (good)
        *at = skip_blanks(end);
    return good;
}

static bool read_value(char **at, result_entry *e) {
    char *end;
    e->is_whole = read_whole(at, &e->whole);
    if (e->is_whole) {
        e->value = (double)e->whole;
        return true;
    }
    e->value = strtod(*at, &end);
    bool good = end != *at && !isnan(e->value) && (!*end || strchr(" \t,\r\n", *end));
    /* 3.0 counts as an integer, like 3 */
    e->is_whole = good && fabs(e->value) < 0x1p53 && e->value == floor(e->value);
    e->whole = e->is_whole ? (int64_t)e->value : 0;
    *at = good ? skip_blanks(end) : *at;
    return good;
}

/* "vertex level parent" or "vertex distance": determines the problem and whether there are parents. */
static int read_header(text_place place, char *line, result_file *r, bool *has_parent) {
    char *words[6] = {0}, *rest = NULL, *end = line + strlen(line);
    int count = 0;
    for (char *w = strtok_r(line, " \t,\r", &rest); w && count < 6;
         w = strtok_r(NULL, " \t,\r", &rest))
        words[count++] = w;
    bool level = count > 1 && strcasecmp(words[1], "level") == 0;
    bool distance = count > 1 && strcasecmp(words[1], "distance") == 0;
    r->has_places =
        count > 3 && strcmp(words[count - 2], "x") == 0 && strcmp(words[count - 1], "y") == 0;
    count -= r->has_places ? 2 : 0;
    *has_parent = count == 3 && strcasecmp(words[2], "parent") == 0;
    int wrong = strcasecmp(words[0], "vertex") != 0 ? 0 : !level && !distance ? 1 : 2;
    place.column = column_in_line(line, words[wrong] ? words[wrong] : end);
    if (wrong < 2 || !(count == 2 || *has_parent))
        return cli_fail_at(
            FR_FORMAT, place,
            "the header must be 'vertex', 'level' or 'distance', and optionally 'parent'");
    r->problem = 1 + (level ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP);
    return CLI_OK;
}

/* At `at` in the line stands something else than `what`. */
static int expected(text_place place, const char *line, const char *at, const char *what) {
    place.column = column_in_line(line, at);
    return cli_fail_at(FR_FORMAT, place, "expected %s", what);
}

static int unexpected(text_place place, const char *line, const char *at) {
    place.column = column_in_line(line, at);
    return cli_fail_at(FR_FORMAT, place, "unexpected text at the end of the line");
}

static int no_name(text_place place, const char *what, const char *name) {
    return cli_fail_at(FR_NOT_FOUND, place, "%s \"%s\" is not in the graph", what, name);
}

/* A line of a graph with names: columns are divided at tabs. */
static int read_named_line(const session *x, text_place place, char *line, bool has_parent,
                           result_file *r) {
    result_entry e = {.no_parent = true};
    line[strcspn(line, "\r")] = 0;
    char *end = line + strlen(line), *rest = line, *name = strsep(&rest, "\t");
    char *value = strsep(&rest, "\t"), *parent = strsep(&rest, "\t");
    int32_t v = -1;
    if (!*name)
        return CLI_OK;
    place.column = 1;
    if (fr_graph_find_vertex(x->ctx, x->graph, name, &v))
        return no_name(place, "vertex", name);
    e.id = v;
    if (!value || !read_value(&value, &e) || *value)
        return expected(place, line, value ? value : end, "a level or distance");
    if (has_parent && !parent)
        return expected(place, line, end, "a parent");
    if (parent && (!has_parent || rest))
        return unexpected(place, line, has_parent ? rest : parent);
    e.parent_column = parent ? column_in_line(line, parent) : 0;
    e.no_parent = !parent || strcmp(parent, r->minus_one ? "" : "-1") == 0;
    if (!e.no_parent && fr_graph_find_vertex(x->ctx, x->graph, parent, &v)) {
        place.column = e.parent_column;
        return no_name(place, "parent", parent);
    }
    e.parent = v;
    return result_put(x, r, place, &e);
}

static int read_line(const session *x, text_place place, char *line, bool has_parent,
                     result_file *r) {
    if (x->csr->n && fr_graph_vertex_name(x->graph, 0))
        return read_named_line(x, place, line, has_parent, r);
    result_entry e = {.no_parent = true};
    char *at = skip_blanks(line);
    if (!*at || *at == '#')
        return CLI_OK;
    place.column = column_in_line(line, at);
    if (!read_whole(&at, &e.id))
        return expected(place, line, at, "a vertex id");
    if (!read_value(&at, &e))
        return expected(place, line, at, "a level or distance");
    e.parent_column = column_in_line(line, at);
    if (has_parent && (*at || !r->minus_one)) {
        bool read = read_whole(&at, &e.parent);
        e.no_parent = read && e.parent == -1 && !r->minus_one;
        if (!read)
            return expected(place, line, at, "a parent");
    }
    if (*at)
        return unexpected(place, line, at);
    return result_put(x, r, place, &e);
}

/* Cuts the columns x and y off. */
static void drop_places(char *line) {
    for (int i = 0; i < 2; i++) {
        char *last = line;
        for (char *at = line; *at; at++)
            last = strchr(" \t,", *at) ? at : last;
        *last = 0;
    }
}

/* Whether a file without a header has three columns; the third is then the parent. */
static int columns(const char *line) {
    int count = 0;
    while (*line && *line != '\n') {
        size_t length = strcspn(line, " \t,\r\n");
        count += length > 0;
        line += length;
        line += strspn(line, " \t,\r");
    }
    return count;
}

static int read_text(const session *x, const char *path, char *data, result_file *r) {
    int code = CLI_OK;
    bool has_parent = columns(data) == 3;
    char *line = data;
    text_place place = {.path = path, .line = 1};
    for (; line && *line && !code; place.line++) {
        char *newline = strchr(line, '\n');
        if (newline)
            *newline = 0;
        if (place.line == 1 && isalpha((unsigned char)*line))
            code = read_header(place, line, r, &has_parent);
        else {
            if (r->has_places)
                drop_places(line);
            if (place.line <= 2 && !has_parent)
                has_parent = columns(line) == 3 && r->problem == 0;
            if (has_parent && !r->parent)
                r->parent = cli_alloc((size_t)x->csr->n * sizeof *r->parent);
            code = read_line(x, place, line, has_parent, r);
        }
        line = newline ? newline + 1 : NULL;
    }
    return code;
}

static int check_complete(const session *x, const char *path, const result_file *r) {
    for (int32_t v = 0; v < x->csr->n; v++)
        if (!r->seen[v])
            return cli_fail(FR_FORMAT, "%s: no line for vertex %s", path, VERTEX_TEXT(x->graph, v));
    return CLI_OK;
}

/* The files of results that are not read, known by how they begin; NULL: none of them. */
static const char *unread_format(const char *data, size_t size) {
    if (size > 4 && memcmp(data, "PK\3\4", 4) == 0)
        return ".npz";
    return strncmp(data, "[\n", 2) == 0 || strncmp(data, "{\"", 2) == 0 ? ".json" : NULL;
}

int result_read(const session *x, const char *path, result_file *r) {
    size_t n = (size_t)x->csr->n;
    char *data = NULL;
    size_t size = 0;
    *r = (result_file){.all_whole = true, .minus_one = result_minus_one(x)};
    int code = read_file(path, &data, &size);
    path = strcmp(path, "-") ? path : "standard input";
    const char *unread = code ? NULL : unread_format(data, size);
    if (unread)
        code = cli_fail(FR_FORMAT, "%s: results in %s are not read, but .tsv, .csv and .npy", path,
                        unread);
    if (!code) {
        r->value = cli_alloc(n * sizeof *r->value);
        r->whole = cli_alloc(n * sizeof *r->whole);
        r->seen = cli_alloc(n);
        if (size > 6 && memcmp(data, "\x93NUMPY", 6) == 0)
            code = result_read_npy(x, path, data, size, r);
        else if (strlen(data) != size)
            code = cli_fail(FR_FORMAT, "%s: byte %zu is not text", path, strlen(data));
        else
            code = read_text(x, path, data + (strncmp(data, BYTE_ORDER_MARK, 3) ? 0 : 3), r);
    }
    free(data);
    return code ? code : check_complete(x, path, r);
}
