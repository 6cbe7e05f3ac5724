/* LDBC Graphalytics graphs: NAME.v, NAME.e and NAME.properties.
 *
 * Source: A. Iosup et al.: The LDBC Graphalytics Benchmark, arXiv:2011.15028, 2020, sections 2.2.3
 *   and 4.2; the property names are from the benchmark's published data sets.
 * NAME.v: one vertex id per line, any int64. NAME.e: "source target [weight]" per line. Each
 * undirected edge is listed once. The properties contain the names of the other two files, whether
 * the graph is directed, the numbers of vertices and edges, and the weight type.
 * Any of the three names opens the graph; each file may be compressed. Without a properties file
 * the names follow from the suffix, and the graph is directed unless the options say otherwise.
 * Vertices are numbered by ascending id; those without edges are kept; an edge between unlisted ids
 * is an error.
 */
#include "io/text/table.h"
#include "io/text/digits.h"
#include "io/formats/edge_list_header.h"
#include "io/results/text_writer.h"
#include "io/names/compact_ids.h"
#include "io/text/number_scan.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FAIL(status, text, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

enum { VERTICES, EDGES, PROPERTIES, FILES };
static const char *const endings[FILES] = {".v", ".e", ".properties"};
static const char *const packings[] = {"", ".zst", ".gz", ".xz", ".bz2"};
enum { PACKINGS = sizeof packings / sizeof *packings };

typedef struct {
    fri_word vertex_file, edge_file; /* length 0: not given */
    bool directed, real;
    int64_t vertices, edges; /* -1: not given */
} properties;

typedef struct {
    fr_ctx *ctx;
    fri_input own[FILES]; /* the files opened here */
    const fri_input *file[FILES];
    size_t stem; /* length of the path without its suffix */
    properties declared;
} ldbc;

/* ---- the three files ---------------------------------------------------------------------- */

/* The length of a path without compression suffix and file suffix, and the index of the file
 * suffix; -1: not an LDBC file. */
static int split_path(const char *path, size_t *stem) {
    for (int f = 0; f < FILES; f++)
        for (int p = 0; p < PACKINGS; p++) {
            size_t length = strlen(path), tail = strlen(endings[f]) + strlen(packings[p]);
            if (length > tail && !strncmp(path + length - tail, endings[f], strlen(endings[f])) &&
                !strcmp(path + length - strlen(packings[p]), packings[p])) {
                *stem = length - tail;
                return f;
            }
        }
    return -1;
}

/* Opens `path`, compressed or not; a missing file leaves it NULL. */
static fr_status open_any(ldbc *l, int f, char *path, size_t length) {
    for (int p = 0; p < PACKINGS; p++) {
        strcpy(path + length, packings[p]);
        fr_status status = fri_input_open(l->ctx, path, &l->own[f]);
        if (!status) {
            fri_begin(l->ctx); /* other names were not found */
            l->file[f] = &l->own[f];
        }
        if (status != FR_NOT_FOUND)
            return status;
        fri_input_close(&l->own[f]);
    }
    fri_begin(l->ctx); /* not a failure: the caller decides */
    return FR_OK;
}

/* The file of role f: NAME with its suffix, or the name given in the properties, in the folder of
 * the given path. */
static fr_status open_role(ldbc *l, const char *given, int f, fri_word name) {
    if (l->file[f])
        return FR_OK;
    const char *slash = strrchr(given, '/');
    size_t folder = slash ? (size_t)(slash - given) + 1 : 0;
    size_t path_bytes = l->stem + folder + name.length + 32;
    char *path = fri_alloc(l->ctx, path_bytes);
    if (!path)
        return FR_NOMEM;
    fr_status status = FR_OK;
    if (name.length) {
        memcpy(path, given, folder);
        memcpy(path + folder, name.at, name.length);
        status = open_any(l, f, path, folder + name.length);
    } else {
        memcpy(path, given, l->stem);
        strcpy(path + l->stem, endings[f]);
        status = open_any(l, f, path, l->stem + strlen(endings[f]));
    }
    if (!status && !l->file[f] && f != PROPERTIES) {
        path[name.length ? folder + name.length : l->stem + strlen(endings[f])] = '\0';
        status = fri_fail(l->ctx, FR_NOT_FOUND, "%s: does not exist, but %s needs it", path, given);
    }
    fri_free(path);
    return status;
}

/* ---- the properties ----------------------------------------------------------------------- */

static bool key_ends(fri_word key, const char *ending) {
    size_t length = strlen(ending);
    return key.length > length && !memcmp(key.at + key.length - length, ending, length);
}

static fr_status read_count(fr_ctx *ctx, const fri_input *text, fri_word value, int64_t maximum,
                            int64_t *out) {
    fri_scan scan = {value.at, value.at + value.length};
    if (fri_scan_int64(&scan, out) != FRI_SCAN_OK || scan.at != scan.end || *out < 0)
        return FAIL(FR_FORMAT, text, value.at, "expected a count");
    if (*out > maximum)
        return FAIL(FR_RANGE, text, value.at, "%lld exceeds the supported maximum",
                    (long long)*out);
    return FR_OK;
}

static fr_status read_property(fr_ctx *ctx, const fri_input *text, fri_word key, fri_word value,
                               properties *declared) {
    if (key_ends(key, ".vertex-file"))
        declared->vertex_file = value;
    else if (key_ends(key, ".edge-file"))
        declared->edge_file = value;
    else if (key_ends(key, ".meta.vertices"))
        return read_count(ctx, text, value, INT32_MAX, &declared->vertices);
    else if (key_ends(key, ".meta.edges"))
        return read_count(ctx, text, value, INT64_C(1) << 40, &declared->edges);
    else if (key_ends(key, ".edge-properties.types"))
        declared->real = value.length >= 4 && !strncasecmp(value.at, "real", 4);
    else if (key_ends(key, ".directed")) {
        declared->directed = fri_word_is(value, "true");
        if (!declared->directed && !fri_word_is(value, "false"))
            return FAIL(FR_FORMAT, text, value.at, "directed must be \"true\" or \"false\"");
    }
    return FR_OK;
}

static fr_status read_properties(fr_ctx *ctx, const fri_input *text, properties *declared) {
    const char *end = text->data + text->size;
    for (const char *at = text->data, *next; at < end; at = next) {
        next = fri_skip_line(at, end);
        const char *equals = memchr(at, '=', (size_t)(next - at));
        fri_word line = fri_word_trimmed(at, next);
        if (!line.length || *line.at == '#' || *line.at == '!')
            continue;
        if (!equals)
            return FAIL(FR_FORMAT, text, at, "expected a line \"name = value\"");
        fr_status status = read_property(ctx, text, fri_word_trimmed(at, equals),
                                         fri_word_trimmed(equals + 1, next), declared);
        if (status)
            return status;
    }
    return FR_OK;
}

/* ---- the vertices ------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t count_lines(const fri_input *text) {
    int64_t lines = 1;
    for (size_t i = 0; i < text->size; i++)
        lines += text->data[i] == '\n';
    return lines;
}

static fr_status scan_vertices(fr_ctx *ctx, const fri_input *text, int64_t *list, int64_t *count) {
    fri_scan scan = {text->data, text->data + text->size};
    for (*count = 0; scan.at < scan.end; fri_scan_next_line(&scan)) {
        if (fri_scan_at_eol(&scan))
            continue;
        const char *at = scan.at;
        fri_scan_status status = fri_scan_int64(&scan, &list[*count]);
        if (status == FRI_SCAN_RANGE)
            return FAIL(FR_RANGE, text, at, "an id does not fit 64 bits");
        if (status != FRI_SCAN_OK ||
            (scan.at < scan.end && !fri_is_blank(*scan.at) && *scan.at != '\n'))
            return FAIL(FR_FORMAT, text, at, "expected an id");
        ++*count;
    }
    return FR_OK;
}

/* Sets edges->n and edges->ids. */
static fr_status read_vertices(ldbc *l, fri_edge_list *edges) {
    fr_ctx *ctx = l->ctx;
    const fri_input *text = l->file[VERTICES];
    int64_t lines = count_lines(text), n = 0;
    if (lines > (int64_t)INT32_MAX + 1)
        return fri_fail(ctx, FR_RANGE, "%s: has more than 2147483647 lines", text->name);
    int64_t *list = edges->ids.list = fri_alloc(ctx, fri_bytes(lines, sizeof *list));
    if (!list)
        return FR_NOMEM;
    fr_status status = scan_vertices(ctx, text, list, &n);
    if (status)
        return status;
    if (n > INT32_MAX)
        return fri_fail(ctx, FR_RANGE, "%s: more than 2147483647 vertices", text->name);
    if (l->declared.vertices >= 0 && l->declared.vertices != n)
        return fri_fail(ctx, FR_FORMAT, "%s: %lld %s declared, the file lists %lld", text->name,
                        (long long)l->declared.vertices,
                        fri_words(l->declared.vertices, "vertex is", "vertices are"), (long long)n);
    bool sorted = true;
    for (int64_t i = 1; i < n && sorted; i++)
        sorted = list[i - 1] < list[i];
    if (!sorted)
        qsort(list, (size_t)n, sizeof *list, ascending);
    for (int64_t i = 1; i < n; i++)
        if (list[i - 1] == list[i])
            return fri_fail(ctx, FR_FORMAT, "%s: vertex %lld is listed twice", text->name,
                            (long long)list[i]);
    edges->n = (int32_t)n;
    fri_trim(list, fri_bytes(n, sizeof *list));
    if (!n || (uint64_t)list[n - 1] - (uint64_t)list[0] ==
                  (uint64_t)n - 1) { /* the ids are consecutive */
        edges->ids = (fri_ids){n ? list[0] : 0, NULL};
        fri_free(list);
    }
    return FR_OK;
}

/* ---- the edges ---------------------------------------------------------------------------- */

static int count_columns(const fri_input *text) {
    fri_scan scan = {text->data, text->data + text->size};
    while (scan.at < scan.end && (fri_scan_at_eol(&scan) || *scan.at == '#'))
        fri_scan_next_line(&scan);
    return fri_edge_columns(scan);
}

/* Renumbers edges between the ids that occur to edges between the listed vertices. */
static fr_status match_vertices(ldbc *l, const fri_ids *listed, int32_t n, fri_edge_list *edges) {
    fr_ctx *ctx = l->ctx;
    int32_t *vertex = fri_alloc(ctx, fri_bytes(edges->n, sizeof *vertex));
    if (!vertex)
        return FR_NOMEM;
    for (int32_t i = 0, v = 0; i < edges->n; i++, v++) {
        int64_t id = fri_id_of(&edges->ids, i);
        while (v < n && fri_id_of(listed, v) < id)
            v++;
        if (v == n || fri_id_of(listed, v) != id) {
            fri_free(vertex);
            return FAIL(FR_FORMAT, l->file[EDGES], fri_ids_find(l->file[EDGES], id),
                        "vertex %lld is not in the vertex file", (long long)id);
        }
        vertex[i] = v;
    }
    for (int b = 0; b < edges->block_count; b++) {
        const fri_edge_block *block = &edges->blocks[b];
#pragma omp parallel for num_threads(ctx->threads)
        for (int64_t i = 0; i < 2 * block->count; i++)
            block->ends[i] = vertex[block->ends[i]];
    }
    fri_free(vertex);
    return FR_OK;
}

static fr_status read_edges(ldbc *l, const fr_load_options *options, fri_edge_list *edges) {
    fr_ctx *ctx = l->ctx;
    const fri_input *text = l->file[EDGES];
    fri_ids listed = edges->ids;
    int32_t n = edges->n;
    int columns = count_columns(text);
    bool gaps = listed.list, weighted = columns > 2 || options->weight_column;
    int weight_column = fri_column_number(options->weight_column);
    const fri_edge_line_format format = {
        .comments = "#",
        .first_name = "source",
        .second_name = "target",
        .base = gaps ? 0 : listed.base,
        .n = gaps ? INT32_MAX : n,
        .any_id = gaps,
        .weight_column = weight_column ? weight_column : 3,
        .value = !weighted          ? FRI_WEIGHT_NONE
                 : l->declared.real ? fri_edge_lines_weight_kind(options, FRI_WEIGHT_REAL)
                                    : FRI_WEIGHT_INT,
        .real_if_not_int = true,
        .rounds = fri_edge_lines_rounds(options),
        .columns = columns,
        .ignore_weights = options->weights != FR_WEIGHTS_FILE};
    fri_edge_lines_result found;
    edges->ids.list = NULL; /* `listed` owns it until the end */
    fr_status status = fri_edge_lines_read(ctx, text, text->data, &format, edges, &found);
    if (!status && l->declared.edges >= 0 && l->declared.edges != found.count)
        status =
            fri_fail(ctx, FR_FORMAT, "%s: %lld %s declared, the file lists %lld", text->name,
                     (long long)l->declared.edges,
                     fri_words(l->declared.edges, "edge is", "edges are"), (long long)found.count);
    if (!status && gaps && found.count) {
        status = fri_ids_compact(ctx, &found, edges);
        if (!status)
            status = match_vertices(l, &listed, n, edges);
        fri_free(edges->ids.list);
    }
    edges->ids = listed;
    edges->n = n;
    edges->undirected = !l->declared.directed;
    if (columns > 3)
        fri_edge_list_warn(edges, "%d of %d columns %s not read", columns - 3, columns,
                           fri_words(columns - 3, "is", "are"));
    return status;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges) {
    ldbc l = {.ctx = ctx, .declared = {.directed = true, .vertices = -1, .edges = -1}};
    int given = split_path(text->path, &l.stem);
    if (given < 0)
        return fri_fail(ctx, FR_INVALID, "%s: the name must end in .v, .e or .properties",
                        text->path);
    if (options->id_base)
        return fri_fail(ctx, FR_INVALID, "%s: the file lists its ids; remove id_base", text->path);
    int weight_column = fri_column_number(options->weight_column);
    if (options->weight_column && weight_column < 3)
        return fri_fail(ctx, FR_INVALID,
                        "weight column %s: LDBC files take a number of at least 3, since columns 1 "
                        "and 2 are the ids",
                        options->weight_column);
    l.file[given] = text;
    fr_status status = open_role(&l, text->path, PROPERTIES, (fri_word){NULL, 0});
    if (!status && l.file[PROPERTIES])
        status = read_properties(ctx, l.file[PROPERTIES], &l.declared);
    if (!status)
        status = open_role(&l, text->path, VERTICES, l.declared.vertex_file);
    if (!status)
        status = open_role(&l, text->path, EDGES, l.declared.edge_file);
    if (!status)
        status = read_vertices(&l, edges);
    if (!status)
        status = read_edges(&l, options, edges);
    if (!status && !l.file[PROPERTIES])
        fri_edge_list_note(edges, "no properties file: read as directed");
    for (int f = 0; f < FILES; f++)
        fri_input_close(&l.own[f]);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

static fr_status write_vertices(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, view->csr->n);
    for (int32_t v = 0; v < view->csr->n; v++) {
        fri_write_int(&writer, fri_id_of(view->ids, v));
        fri_write_char(&writer, '\n');
    }
    return fri_text_writer_finish(&writer);
}

static fr_status write_edges(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, fri_count_written(ctx, view));
    fri_write_edges(
        &writer, csr,
        &(fri_edge_style){
            .ids = view->ids, .between = ' ', .weights = csr->weights, .once = view->undirected});
    return fri_text_writer_finish(&writer);
}

static void property(fri_text_writer *writer, const char *name, const char *key, const char *value,
                     const char *ending) {
    const char *const words[] = {"graph.", name, ".", key, " = ", value, ending, "\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        fri_write_text(writer, words[i]);
}

static fr_status write_properties(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    const char *name = view->name;
    char number[32];
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, 0);
    property(&writer, name, "vertex-file", name, ".v");
    property(&writer, name, "edge-file", name, ".e");
    snprintf(number, sizeof number, "%d", csr->n);
    property(&writer, name, "meta.vertices", number, "");
    snprintf(number, sizeof number, "%lld", (long long)fri_count_written(ctx, view));
    property(&writer, name, "meta.edges", number, "");
    property(&writer, name, "directed", view->undirected ? "false" : "true", "");
    if (csr->weights) {
        property(&writer, name, "edge-properties.names", "weight", "");
        property(&writer, name, "edge-properties.types",
                 csr->weight_type == FR_TYPE_I32 || csr->weight_type == FR_TYPE_I64 ? "int"
                                                                                    : "real",
                 "");
    }
    return fri_text_writer_finish(&writer);
}

static const fri_format_file parts[] = {
    {".v", write_vertices}, {".e", write_edges}, {".properties", write_properties}, {NULL, NULL}};
static const char *const suffixes[] = {".properties", ".v", ".e", NULL};
const fri_format fri_format_ldbc = {
    .name = "ldbc",
    .text = "LDBC Graphalytics, three files (.v .e .properties)",
    .suffixes = suffixes,
    .read = read,
    .write = write_vertices,
    .files = parts,
};
