/* Networks of Pajek (.net).
 *
 * Source: A. Mrvar, V. Batagelj: Pajek, Reference Manual, 5.16, 2022, section "Pajek Files"; W. de
 *   Nooy, A. Mrvar, V. Batagelj: Exploratory Social Network Analysis with Pajek, 3rd ed., 2018.
 * Format: "*Vertices n [n1]", then a line "id label ..." for any of them; then sections in any
 *   order: "*Arcs" and "*Edges" with lines "u v [value] ...", "*Arcslist" and "*Edgeslist" with
 *   lines "u v v ...". Ids are 1 .. n. An arc has one direction; an edge is stored in both. A
 *   missing value is 1, as in Pajek; if all are missing there are no weights. Lines that start with
 *   % are comments. Values are int32 if all are integers that fit, otherwise double up to 2^53.
 * Differs: labels and the attributes of lines are skipped, several relations are read as one
 *   network, and a second network, a partition or a matrix is an error.
 * Work: one sweep over the text by one thread. Memory: 8 bytes per edge, 16 with values, and half as much again
 *   while they grow.
 */
#include "io/text/digits.h"
#include "io/results/text_writer.h"
#include "io/text/edge_lines.h"
#include "io/text/number_scan.h"
#include "io/sparse.h"

#include <string.h>
#include <strings.h>

enum { FIRST_CAPACITY = 256, LINES_PER_REPORT = 1 << 16 };

/* The blocks of the edges: one of each kind, and the other direction of edges next to arcs. */
typedef enum { ARC, EDGE, MIRROR, BLOCKS } kind;

typedef struct {
    fr_ctx *ctx;
    const fri_input *text;
    fri_edge_list *edges;
    fri_scan scan;
    const struct section *section; /* NULL: before the first section */
    const char *vertices;          /* the line *Vertices; NULL: not seen yet */
    int64_t base, n;
    int64_t capacity[BLOCKS]; /* of each block, in edges */
    bool keep;                /* the options request weights */
    bool weighted;            /* a value occurred */
    bool real;    /* values are doubles: one has a fraction, or the options request floats */
    bool rounds;  /* the options request floats, which may round an integer */
    bool narrow;  /* every value fits int32 */
    bool inexact; /* an integer is beyond 2^53 */
    bool attributes, relations;
} pajek;

/* A value being read; both members have 8 bytes. */
typedef union {
    int64_t whole; /* until the first value with a fraction */
    double real;
} cell;

typedef struct section {
    const char *name;
    kind kind;
    fr_status (*line)(pajek *p); /* reads a line of the section; NULL: not supported */
    const char *why;             /* why it is not supported */
} section;

#define FAIL(status, at, ...) fri_input_fail(p->ctx, status, p->text, at, __VA_ARGS__)

/* ---- edges -------------------------------------------------------------------------------- */

/* The value of an edge without a value: 1. */
static cell default_value(const pajek *p) {
    cell one;
    if (p->real)
        one.real = 1;
    else
        one.whole = 1;
    return one;
}

static bool keeps_values(const pajek *p) { return p->weighted && p->keep; }

static fr_status grow(pajek *p, kind k) {
    fri_edge_block *block = &p->edges->blocks[k];
    const int64_t capacity = FRI_MAX(block->count + block->count / 2, FIRST_CAPACITY);
    int32_t *ends = fri_grow(p->ctx, block->ends, fri_bytes(capacity, 2 * sizeof *ends));
    if (!ends)
        return FR_NOMEM;
    block->ends = ends;
    cell *values = keeps_values(p)
                       ? fri_grow(p->ctx, block->weights, fri_bytes(capacity, sizeof *values))
                       : NULL;
    if (keeps_values(p) && !values)
        return FR_NOMEM;
    block->weights = values;
    p->capacity[k] = capacity;
    return FR_OK;
}

static fr_status add(pajek *p, int64_t u, int64_t v, cell value) {
    const kind k = p->section->kind;
    fri_edge_block *block = &p->edges->blocks[k];
    if (block->count == p->capacity[k] && grow(p, k))
        return FR_NOMEM;
    int64_t i = block->count++;
    block->ends[2 * i] = (int32_t)(u - p->base);
    block->ends[2 * i + 1] = (int32_t)(v - p->base);
    if (block->weights)
        ((cell *)block->weights)[i] = value;
    return FR_OK;
}

/* At the first value of the file, all preceding edges get the value 1. */
static fr_status begin_values(pajek *p) {
    const cell one = default_value(p);
    p->weighted = true;
    for (int k = ARC; k <= EDGE && p->keep; k++) {
        fri_edge_block *block = &p->edges->blocks[k];
        cell *values = block->weights =
            fri_alloc(p->ctx, fri_bytes(p->capacity[k], sizeof *values));
        if (!values)
            return FR_NOMEM;
        for (int64_t i = 0; i < block->count; i++)
            values[i] = one;
    }
    return FR_OK;
}

/* ---- lines -------------------------------------------------------------------------------- */

static fr_status no_number(const pajek *p, const char *what, const char *at) {
    int length = fri_input_word(p->text, at);
    if (!length)
        return FAIL(FR_FORMAT, at, "expected a %s, found the end of the line", what);
    return FAIL(FR_FORMAT, at, "expected a %s, found \"%.*s\"", what, length, at);
}

static bool at_gap(const fri_scan *scan) {
    return scan->at == scan->end || fri_is_blank(*scan->at) || *scan->at == '\n';
}

static fr_status read_id(pajek *p, const char *what, int64_t *id) {
    fri_scan_at_eol(&p->scan);
    const char *at = p->scan.at;
    fri_scan_status status = fri_scan_int64(&p->scan, id);
    if (status == FRI_SCAN_NONE || !at_gap(&p->scan))
        return no_number(p, what, at);
    if (status == FRI_SCAN_RANGE || (uint64_t)*id - (uint64_t)p->base >= (uint64_t)p->n)
        return FAIL(FR_FORMAT, at, "%s %.*s is outside %lld..%lld", what,
                    fri_input_word(p->text, at), at, (long long)p->base,
                    (long long)(p->base + p->n - 1));
    return FR_OK;
}

static fr_status read_vertex(pajek *p) {
    int64_t id;
    return read_id(p, "vertex", &id); /* a label and coordinates may follow */
}

/* The first value with a fraction converts all preceding values to double. */
static void make_real(pajek *p) {
    p->real = true;
    for (int b = 0; b < p->edges->block_count; b++) {
        fri_edge_block *block = &p->edges->blocks[b];
        cell *values = block->weights;
        for (int64_t i = 0; values && i < block->count; i++)
            values[i].real = (double)values[i].whole;
    }
}

/* Stores a number in a cell: `real`, and `whole` if `is_whole`. */
static fr_status store_value(pajek *p, const char *at, bool is_whole, int64_t whole, double real,
                             cell *value) {
    const int64_t exact = INT64_C(1) << 53;
    if (is_whole && (whole > exact || whole < -exact))
        p->inexact = true;
    if (!is_whole && !p->real)
        make_real(p);
    if (p->real && p->inexact && !p->rounds)
        return FAIL(FR_RANGE, at,
                    "an integer beyond 2^53 and a value with a fraction do not fit one type; "
                    "request float64 weights to round it");
    p->narrow &= is_whole && whole == (int32_t)whole;
    if (p->real)
        value->real = real;
    else
        value->whole = whole;
    return FR_OK;
}

/* Whether c is a letter, in any locale. */
static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/* The value after two ids; attributes may take its place or follow it. */
static fr_status read_value(pajek *p, cell *value) {
    const char *at = p->scan.at;
    fri_scan integer = p->scan;
    int64_t whole = 0;
    double real;
    fri_scan_status status = fri_scan_double(&p->scan, &real);
    if (status == FRI_SCAN_NONE) {
        if (!is_letter(*at) && *at != '"')
            return no_number(p, "value", at);
        p->attributes = true;
        return FR_OK;
    }
    if (status == FRI_SCAN_RANGE)
        return FAIL(FR_RANGE, at, "the value %.*s is not a finite number",
                    fri_input_word(p->text, at), at);
    if (!at_gap(&p->scan))
        return no_number(p, "value", at);
    fri_scan_status as_integer = fri_scan_int64(&integer, &whole);
    bool is_whole = as_integer == FRI_SCAN_OK && integer.at == p->scan.at;
    if (as_integer == FRI_SCAN_RANGE && !p->rounds)
        return FAIL(FR_RANGE, at,
                    "the value %.*s does not fit int64; request float64 weights to round it",
                    fri_input_word(p->text, at), at);
    fr_status stored = store_value(p, at, is_whole, whole, real, value);
    if (stored)
        return stored;
    p->attributes |= !fri_scan_at_eol(&p->scan);
    return p->weighted ? FR_OK : begin_values(p);
}

static fr_status read_pair(pajek *p) {
    int64_t u = 0, v = 0;
    cell value = default_value(p);
    fr_status status = read_id(p, "tail", &u);
    if (!status)
        status = read_id(p, "head", &v);
    if (!status && !fri_scan_at_eol(&p->scan))
        status = read_value(p, &value);
    return status ? status : add(p, u, v, value);
}

static fr_status read_list(pajek *p) {
    int64_t u, v;
    fr_status status = read_id(p, "tail", &u);
    while (!status && !fri_scan_at_eol(&p->scan)) {
        status = read_id(p, "head", &v);
        if (!status)
            status = add(p, u, v, default_value(p));
    }
    return status;
}

/* ---- sections ----------------------------------------------------------------------------- */

static const section sections[] = {
    {"*vertices", ARC, read_vertex, NULL},
    {"*network", ARC, NULL, NULL},
    {"*arcs", ARC, read_pair, NULL},
    {"*edges", EDGE, read_pair, NULL},
    {"*arcslist", ARC, read_list, NULL},
    {"*edgeslist", EDGE, read_list, NULL},
    {"*matrix", ARC, NULL, "a matrix (dense) is not supported as a graph"},
    {"*partition", ARC, NULL, "a project of several objects is not supported as a graph"},
    {"*vector", ARC, NULL, "a project of several objects is not supported as a graph"},
};

static const section *find_section(const char *at, const char *end) {
    size_t length = 0;
    while (at + length < end && length < 16 && (unsigned char)at[length] > ' ' && at[length] != ':')
        length++;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strlen(sections[i].name) == length && !strncasecmp(sections[i].name, at, length))
            return &sections[i];
    return NULL;
}

static fr_status read_vertices_head(pajek *p) {
    p->vertices = p->scan.at;
    p->scan.at += strlen("*vertices");
    int64_t mode;
    fri_scan_at_eol(&p->scan);
    const char *count = p->scan.at;
    fri_scan_status status = fri_scan_int64(&p->scan, &p->n);
    if (status == FRI_SCAN_OK &&
        !fri_scan_at_eol(&p->scan)) /* two-mode network: the size of the first mode */
        status = fri_scan_int64(&p->scan, &mode);
    if (status == FRI_SCAN_RANGE || p->n > INT32_MAX)
        return FAIL(FR_RANGE, count, "more than 2147483647 vertices");
    if (status != FRI_SCAN_OK || p->n < 0 || !fri_scan_at_eol(&p->scan))
        return FAIL(FR_FORMAT, count, "the line \"*Vertices count\" needs a count");
    return fri_reserve_check(p->ctx, "the graph", fri_bytes(p->n + 1, sizeof(int64_t)));
}

static fr_status begin_section(pajek *p) {
    const char *at = p->scan.at, *end = fri_skip_line(at, p->scan.end);
    const section *next = find_section(at, end);
    if (!next)
        return FAIL(FR_FORMAT, at, "\"%.*s\" is not a section of a network",
                    fri_input_word(p->text, at), at);
    if (next->why)
        return FAIL(FR_UNSUPPORTED, at, "%s", next->why);
    bool vertices = next->line == read_vertex, network = !next->line;
    if (vertices && p->vertices)
        return FAIL(FR_UNSUPPORTED, at, "a second network: only one network per file is supported");
    if (!vertices && !network && !p->vertices)
        return FAIL(FR_FORMAT, at, "the line \"*Vertices count\" must come first");
    const char *behind = fri_skip_blanks(at + strlen(next->name), end);
    p->relations |= behind < end && *behind == ':';
    p->section = network ? NULL : next;
    return vertices ? read_vertices_head(p) : FR_OK;
}

static fr_status read_lines(pajek *p) {
    fr_status status = FR_OK;
    for (int64_t line = 1; !status && p->scan.at < p->scan.end; line++) {
        if (fri_scan_at_eol(&p->scan) || *p->scan.at == '%')
            ;
        else if (*p->scan.at == '*')
            status = begin_section(p);
        else if (!p->section)
            status = FAIL(FR_FORMAT, p->scan.at, "the line \"*Vertices count\" must come first");
        else
            status = p->section->line(p);
        fri_scan_next_line(&p->scan);
        if (!status && line % LINES_PER_REPORT == 0)
            status = fri_progress(p->ctx, "reading", (int64_t)(p->scan.at - p->text->data),
                                  (int64_t)p->text->size);
    }
    if (!status && !p->vertices)
        status = FAIL(FR_FORMAT, p->scan.end, "the line \"*Vertices count\" is missing");
    return status;
}

/* ---- the resulting edge list --------------------------------------------------------------- */

/* Adds the other direction of the edges, without self-loops. */
static fr_status mirror(pajek *p) {
    const fri_edge_block *block = &p->edges->blocks[EDGE];
    fri_edge_block *out = &p->edges->blocks[MIRROR];
    const cell *values = block->weights;
    out->ends = fri_alloc(p->ctx, fri_bytes(block->count, 2 * sizeof(int32_t)));
    out->weights = values ? fri_alloc(p->ctx, fri_bytes(block->count, sizeof *values)) : NULL;
    if (!out->ends || (values && !out->weights))
        return FR_NOMEM;
    for (int64_t i = 0; i < block->count; i++) {
        int32_t u = block->ends[2 * i], v = block->ends[2 * i + 1];
        if (u == v)
            continue;
        out->ends[2 * out->count] = v;
        out->ends[2 * out->count + 1] = u;
        if (values)
            ((cell *)out->weights)[out->count] = values[i];
        out->count++;
    }
    return FR_OK;
}

/* Edges alone give an undirected graph. If there are arcs too, each edge gets its mirror, unless
 * the options determine the direction of all. */
static fr_status set_direction(pajek *p, const fr_load_options *options) {
    const bool arcs = p->edges->blocks[ARC].count, edges = p->edges->blocks[EDGE].count;
    p->edges->undirected = edges && !arcs;
    return edges && arcs && options->direction == FR_DIRECTION_FILE ? mirror(p) : FR_OK;
}

/* No block may be empty. */
static void drop_empty(fri_edge_list *edges) {
    int kept = 0;
    for (int b = 0; b < BLOCKS; b++)
        if (edges->blocks[b].count)
            edges->blocks[kept++] = edges->blocks[b];
        else {
            fri_free(edges->blocks[b].ends);
            fri_free(edges->blocks[b].weights);
        }
    edges->block_count = kept;
}

/* Converts int64 to int32 in place if all values fit. */
static void set_value_type(const pajek *p) {
    fri_edge_list *edges = p->edges;
    edges->weight_type = !p->weighted || !p->keep ? FR_TYPE_NONE
                         : p->real                ? FR_TYPE_F64
                         : p->narrow              ? FR_TYPE_I32
                                                  : FR_TYPE_I64;
    for (int b = 0; b < edges->block_count; b++) {
        fri_edge_block *block = &edges->blocks[b];
        for (int64_t i = 0; edges->weight_type == FR_TYPE_I32 && i < block->count; i++) {
            int32_t value = (int32_t)((const cell *)block->weights)[i].whole;
            memcpy((char *)block->weights + (size_t)i * sizeof value, &value, sizeof value);
        }
        fri_trim(block->ends, fri_bytes(block->count, 2 * sizeof(int32_t)));
        if (block->weights)
            fri_trim(block->weights, fri_bytes(block->count, fr_type_size(edges->weight_type)));
    }
}

/* An entry of a list may have two bytes: a vertex for each byte is allowed, which ids of seven digits exceed. */
static fr_status finish(pajek *p, const fr_load_options *options) {
    enum { ENTRY_BYTES = 16 };
    const int64_t entries =
        FRI_MIN(fri_edge_list_count(p->edges), (int64_t)p->text->size / ENTRY_BYTES);
    fr_status status = fri_sparse_check(p->ctx, p->text, p->vertices, p->n, entries);
    if (!status)
        status = set_direction(p, options);
    if (status)
        return status;
    drop_empty(p->edges);
    set_value_type(p);
    p->edges->n = (int32_t)p->n;
    p->edges->ids.base = p->base;
    if (p->relations)
        fri_edge_list_warn(p->edges, "several relations are read as one");
    if (p->attributes)
        fri_edge_list_note(p->edges, "attributes of edges are not read");
    return FR_OK;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges) {
    pajek p = {.ctx = ctx,
               .text = text,
               .edges = edges,
               .scan = {text->data, text->data + text->size},
               .base = options->id_base ? options->id_base - 1 : 1,
               .keep = options->weights == FR_WEIGHTS_FILE,
               .rounds = fri_edge_lines_rounds(options),
               .real = fri_edge_lines_rounds(options),
               .narrow = true};
    edges->blocks = fri_calloc(ctx, BLOCKS * sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = BLOCKS;
    fr_status status = read_lines(&p);
    return status ? status : finish(&p, options);
}

static int sniff(const fri_input *text) {
    fri_scan scan = {text->data, text->data + text->size};
    while (scan.at < scan.end && (fri_scan_at_eol(&scan) || *scan.at == '%'))
        fri_scan_next_line(&scan);
    const section *first = find_section(scan.at, scan.end);
    return first && (first->line == read_vertex || !strcmp(first->name, "*network")) ? 2 : 0;
}

/* ---- writing ------------------------------------------------------------------------------ */

static fr_status write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, fri_count_written(ctx, view));
    fri_write_text(&writer, "*Vertices ");
    fri_write_int(&writer, csr->n);
    fri_write_text(&writer, view->undirected ? "\n*Edges\n" : "\n*Arcs\n");
    fri_write_edges(&writer, csr,
                    &(fri_edge_style){.ids = &fri_ids_from_one,
                                      .between = ' ',
                                      .weights = csr->weights,
                                      .once = view->undirected});
    return fri_text_writer_finish(&writer);
}

static const char *const suffixes[] = {".net", NULL};
const fri_format fri_format_pajek = {
    .name = "pajek",
    .text = "Pajek network: *Vertices, *Arcs, *Edges and their lists (.net)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read = read,
    .write = write,
};
