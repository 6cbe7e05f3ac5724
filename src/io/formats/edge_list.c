/* Edge lists: one line per edge, "source target [columns]".
 *
 * Source: the files of the Stanford collection (SNAP: J. Leskovec, A. Krevl,
 *   snap.stanford.edu/data) and similar ones; GAP's .el and .wel according to S. Beamer, K.
 *   Asanovic, D. Patterson: The GAP Benchmark Suite, arXiv 1508.03619, and its reader.
 * `snap`: lines that start with # or % are comments; tabs, blanks or commas separate the columns;
 * one line of column names before the data is noted and skipped (io/formats/edge_list_header.c).
 *   Ids are arbitrary int64 numbers, including negative ones. If a comment says "Nodes: N" and all
 *   ids are 0..N-1 (or all 1..N), these are the vertices, so isolated ones are kept; otherwise the
 *   vertices are the ids that occur, in ascending order. With id_base they are base .. maximum id.
 *   The weight is column 3 if the first edge has one, or weight_column; every line must then have
 *   it. Columns in other places are chosen by name or number (io/text/columns.h). No line may have more
 *   columns than the first edge. Further columns (timestamps) are noted but not read. "Edges: M" must
 *   match the number of lines, or half of it if both directions of an undirected graph are listed.
 * `el`, `wel`: vertices 0 .. maximum id, or as many as "Nodes:" says; `wel` has an integer or real
 * weight.
 * An edge list is directed unless the options say otherwise.
 */
#include "io/text/columns.h"
#include "io/text/digits.h"
#include "io/formats/edge_list_header.h"
#include "io/format.h"
#include "io/names/compact_ids.h"
#include "io/names/named_edges.h"
#include "io/sparse.h"
#include "io/text/table.h"
#include "io/formats/writers.h"
#include "base/text/number.h"

#include <string.h>

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

static const fri_edge_words edge_words = {"edge", "edges"};

static fr_status choose_weight(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                               const fr_load_options *options, fri_edge_line_format *format) {
    int column = fri_column_number(options->weight_column);
    format->weight_column = column ? column : 3;
    format->real_if_not_int = true;
    if (options->weights != FR_WEIGHTS_FILE || (h->konect.found && !h->konect.weighted && !column))
        return FR_OK;
    format->value =
        fri_edge_lines_weight_kind(options, fri_edge_value(h, text, format->weight_column));
    if (column && format->value == FRI_WEIGHT_NONE)
        return FAIL(FR_FORMAT, h->body, "the line has no column %d", column);
    if (format->value == FRI_WEIGHT_INT && fri_edge_lines_rounds(options))
        format->value = FRI_WEIGHT_REAL;
    format->real_by_first = !fri_edge_lines_rounds(options);
    return FR_OK;
}

static void note_unread(const fri_edge_list_header *h, const fri_edge_line_format *format,
                        fri_edge_list *edges) {
    int read = format->value == FRI_WEIGHT_NONE ? 2 : 3;
    if (h->konect.found && h->columns == 3 && read == 2)
        (h->konect.multiplicities ? fri_edge_list_warn : fri_edge_list_note)(
            edges, "column 3 %s no weight; weight_column 3 reads it",
            h->konect.multiplicities ? "counts parallel edges and is" : "is");
    else if (h->columns > read)
        fri_edge_list_warn(edges, "%d of %d columns %s not read", h->columns - read, h->columns,
                           fri_words(h->columns - read, "is", "are"));
}

/* Whether the integers in the column of the weights look like times of one year, in seconds or
 * milliseconds since 1970. */
static bool looks_like_times(const fri_edge_list_header *h, const fri_input *text, int column,
                             int64_t *example) {
    enum { MAX_LINES = 8, MIN_LINES = 3 };
    const int64_t first = 600000000, last = 2200000000, year = 31600000;
    fri_scan scan = {h->body, text->data + text->size};
    int64_t low = INT64_MAX, high = INT64_MIN, value = 0;
    int line = 0;
    for (bool more = true; more && line < MAX_LINES && scan.at < scan.end; line++) {
        for (int c = 0; c < column; c++)
            if (fri_scan_int64(&scan, &value) != FRI_SCAN_OK)
                return false;
        if (value >= first * 1000)
            value /= 1000;
        low = FRI_MIN(low, value);
        high = FRI_MAX(high, value);
        more = fri_scan_next_line(&scan);
    }
    *example = low;
    return line >= MIN_LINES && low >= first && high <= last && high - low < year;
}

static void note_times(const fri_edge_list_header *h, const fri_input *text,
                       const fri_edge_line_format *format, fri_edge_list *edges) {
    int64_t example;
    if (format->value == FRI_WEIGHT_INT &&
        looks_like_times(h, text, format->weight_column, &example))
        fri_edge_list_warn(edges,
                           "column %d is read as the weight, but looks like times (%lld); "
                           "weights none leaves it out",
                           format->weight_column, (long long)example);
}

/* Vertices base .. base + n - 1, whether or not they occur. */
static void number_all(fr_ctx *ctx, int64_t base, int64_t n, fri_edge_list *edges) {
    edges->n = (int32_t)n;
    edges->ids.base = base;
    if (base)
        for (int b = 0; b < edges->block_count; b++) {
            fri_edge_block *block = &edges->blocks[b];
#pragma omp parallel for schedule(static) num_threads(ctx->threads)
            for (int64_t i = 0; i < 2 * block->count; i++)
                block->ends[i] -= (int32_t)base;
        }
}

/* The vertices that a comment declares, if the ids agree with it; otherwise those that occur. */
static fr_status number(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                        const fri_edge_lines_result *found, fri_edge_list *edges) {
    bool all = h->nodes >= 0 && !found->wide_ids;
    bool one =
        h->konect.found && (found->count == 0 || (found->low > 0 && found->high <= h->nodes));
    bool from_zero = all && !one && (found->count == 0 || found->high < h->nodes);
    bool from_one = all && !from_zero && (one || (found->high == h->nodes && found->low > 0));
    if (from_zero || from_one) {
        fr_status status = fri_sparse_check(ctx, text, h->declared, h->nodes, found->count);
        if (!status)
            number_all(ctx, from_one, h->nodes, edges);
        return status;
    }
    fr_status status = fri_ids_compact(ctx, found, edges);
    if (!status && h->nodes >= 0 && h->nodes != edges->n)
        fri_edge_list_note(edges, "%lld nodes are declared, %d occur", (long long)h->nodes,
                           edges->n);
    return status;
}

/* Vertices base .. maximum id, or as many as a comment declares. */
static fr_status number_to_max_id(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                                  int64_t base, const fri_edge_lines_result *found,
                                  fri_edge_list *edges) {
    int64_t n = found->count ? found->high - base + 1 : 0;
    edges->n = (int32_t)FRI_MAX(n, h->nodes);
    edges->ids.base = base;
    const char *at = text->data;
    if (!fri_sparse_fits(ctx, edges->n, found->count)) /* finding the position takes time */
        at = h->nodes > n ? h->declared : fri_ids_find(text, found->high);
    return fri_sparse_check(ctx, text, at, edges->n, found->count);
}

/* The two sides of a bipartite graph have ids of their own: the right side's follow the left side's. */
static fr_status number_sides(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                              int64_t base, fri_edge_list *edges) {
    int64_t high[2] = {FRI_MAX(h->konect.left, 0), FRI_MAX(h->konect.right, 0)};
    for (int b = 0; b < edges->block_count; b++)
        for (int64_t i = 0; i < 2 * edges->blocks[b].count; i++)
            high[i & 1] = FRI_MAX(high[i & 1], edges->blocks[b].ends[i] + INT64_C(1));
    const char *at = h->konect.counts ? h->konect.counts : text->data;
    fr_status status = fri_check_counts(ctx, text, at, high[0] + high[1], 0, edge_words);
    if (status)
        return status;
    for (int b = 0; b < edges->block_count; b++)
        for (int64_t i = 1; i < 2 * edges->blocks[b].count; i += 2)
            edges->blocks[b].ends[i] += (int32_t)high[0];
    edges->n = (int32_t)(high[0] + high[1]);
    edges->ids.base = base;
    fri_edge_list_note(edges, "bipartite: id R of the right side is %lld + R",
                       (long long)high[0] - base + 1);
    return fri_sparse_check(ctx, text, at, edges->n, fri_edge_list_count(edges));
}

static fr_status check_count(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                             int64_t count) {
    if (count == 0 && (h->nodes < 0 || h->edges > 0))
        return FAIL(FR_FORMAT, h->body, "the file contains no edge");
    return h->edges < 0 || count == 2 * h->edges
               ? FR_OK
               : fri_check_declared(ctx, text, h->declared, h->edges, count, edge_words);
}

/* Tabs divide the columns of the first edge, each of them two. */
static bool has_single_tabs(const fri_edge_list_header *h, const fri_input *text) {
    const char *at = h->body, *end = text->data + text->size;
    bool tabs = false;
    for (; at < end && *at != '\n'; at++) {
        if (*at == ' ' || (*at == '\t' && at > text->data && at[-1] == '\t'))
            return false;
        tabs |= *at == '\t';
    }
    return tabs;
}

static fri_edge_line_format line_format(const fri_edge_list_header *h, const fri_input *text,
                                        const fr_load_options *options) {
    const bool sides = h->konect.bipartite;
    const char *end = fri_skip_line(h->body, text->data + text->size);
    return (fri_edge_line_format){.comments = fri_edge_comments,
                                  .first_name = "source",
                                  .second_name = "target",
                                  .base = options->id_base ? options->id_base - 1 : sides,
                                  .n = INT32_MAX,
                                  .any_id = !options->id_base && !sides,
                                  .columns = h->columns,
                                  .single_tabs = has_single_tabs(h, text),
                                  .no_commas = !memchr(h->body, ',', (size_t)(end - h->body))};
}

static fr_status read_konect(fr_ctx *ctx, const fri_input *text, const fri_konect *k,
                             fri_edge_list *edges) {
    if (k->dynamic)
        return FAIL(FR_UNSUPPORTED, text->data,
                    "edges of a dynamic network appear and vanish; a graph has all of them");
    edges->undirected |= k->undirected;
    if (k->found)
        fri_edge_list_note(edges, "line 1 says %s",
                           k->bipartite    ? "bipartite"
                           : k->undirected ? "undirected"
                                           : "directed");
    return FR_OK;
}

/* named: the columns have names. */
static fr_status read_lines(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                            bool named, fri_edge_list *edges) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    fri_edge_line_format format = line_format(&h, text, options);
    fri_edge_lines_result found = {0};
    fr_status status = fri_edge_list_header_check(ctx, text, &h, edges);
    if (!status)
        status = read_konect(ctx, text, &h.konect, edges);
    if (!status)
        status = choose_weight(ctx, text, &h, options, &format);
    if (!status && options->weights == FR_WEIGHTS_FILE) {
        note_unread(&h, &format, edges);
        if (!named && !options->weight_column)
            note_times(&h, text, &format, edges);
    }
    if (!status)
        status = fri_edge_lines_read(ctx, text, h.body, &format, edges, &found);
    if (!status)
        status = check_count(ctx, text, &h, found.count);
    if (status)
        return status;
    edges->called_undirected = h.undirected && options->direction == FR_DIRECTION_FILE;
    return h.konect.bipartite ? number_sides(ctx, text, &h, format.base, edges)
           : options->id_base ? number_to_max_id(ctx, text, &h, format.base, &found, edges)
                              : number(ctx, text, &h, &found, edges);
}

/* Detects lines "number source target length", as in the road networks of Li et al. (.cedge): four
 * columns, the first of which numbers the lines. Read as a plain edge list they would give a wrong
 * graph. */
static bool is_numbered(const fri_table *t) {
    enum { MAX_LINES = 8, MIN_LINES = 3 };
    const char *at = t->body, *all = t->text->data + t->text->size;
    int64_t first = 0, id;
    int line = 0;
    for (at = fri_table_next_content(at, all); at < all && line < MAX_LINES; line++) {
        const char *end = fri_table_line_end(at, all);
        fri_field f, number = {0};
        int columns = 0;
        while (fri_table_next_field(t, &at, end, &f))
            number = columns++ ? number : f;
        fri_scan scan = {number.at, number.at + number.length};
        if (columns != 4 || fri_scan_int64(&scan, &id) != FRI_SCAN_OK || scan.at != scan.end ||
            (line && id != first + line))
            return false;
        first = line ? first : id;
        at = fri_table_next_content(fri_skip_line(end, all), all);
    }
    return line >= MIN_LINES;
}

/* Columns in any place become columns 1 to 3 of another text. */
static fr_status read_table(fr_ctx *ctx, const fri_table *table, const fr_load_options *options,
                            fri_edge_list *edges) {
    fri_input chosen = {0};
    fr_load_options own = *options;
    own.source_column = own.target_column = NULL;
    own.weight_column = options->weight_column ? "3" : NULL;
    fr_status status = fri_columns_copy(table, &chosen, edges);
    edges->undirected = table->column[FRI_TABLE_TYPE] && table->undirected;
    if (!status)
        status = read_lines(ctx, &chosen, &own, table->names, edges);
    fri_input_close(&chosen);
    return status;
}

static fr_status read_strings(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                              fri_edge_list *edges) {
    const fri_konect konect = fri_konect_read(text);
    if (konect.bipartite)
        return FAIL(
            FR_UNSUPPORTED, text->data,
            "the two sides of a bipartite network have ids of their own, which cannot be names");
    fr_status status = fri_named_edges_read(ctx, text, options, edges);
    return status ? status : read_konect(ctx, text, &konect, edges);
}

static fr_status read_snap(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                           fri_edge_list *edges) {
    bool strings = false;
    fri_table table = {.ctx = ctx, .text = text};
    fr_status status = fri_ids_are_strings(ctx, text, options, edges, &strings);
    if (status || strings)
        return status ? status : read_strings(ctx, text, options, edges);
    status = fri_table_open(&table, options, false, options->weights == FR_WEIGHTS_FILE);
    if (status)
        return status;
    const bool known = table.chosen || (table.names && !table.guessed);
    if (!known && !fri_konect_read(text).found && is_numbered(&table))
        return FAIL(FR_FORMAT, table.body,
                    "column 1 counts the lines: source_column and target_column choose the "
                    "others (2 and 3), or 1 and 2, and weight_column the weight");
    if (fri_columns_chosen(options) || !fri_table_is_plain(&table))
        return read_table(ctx, &table, options, edges);
    status = read_lines(ctx, text, options, table.names, edges);
    if (!status && table.names)
        fri_table_note_columns(&table, edges);
    return status;
}

/* The lines of a GAP edge list from `begin` to the end of the text. */
static fr_status read_gap_lines(fr_ctx *ctx, const fri_input *text, const char *begin,
                                const fri_edge_list_header *h, const fr_load_options *options,
                                bool weighted, fri_edge_list *edges, fri_edge_lines_result *found) {
    if (h->konect.found)
        return FAIL(
            FR_FORMAT, text->data,
            "the first line is one of KONECT, whose files are edge lists of the format snap");
    fri_weight_kind value = weighted ? fri_edge_value(h, text, 3) : FRI_WEIGHT_NONE;
    value = fri_edge_lines_weight_kind(options, value);
    if (value == FRI_WEIGHT_INT && fri_edge_lines_rounds(options))
        value = FRI_WEIGHT_REAL;
    fri_edge_line_format format = {.comments = fri_edge_comments,
                                   .first_name = "source",
                                   .second_name = "target",
                                   .base = options->id_base ? options->id_base - 1 : 0,
                                   .n = INT32_MAX,
                                   .weight_column = 3,
                                   .value = weighted && value == FRI_WEIGHT_NONE ? FRI_WEIGHT_INT
                                                                                 : value,
                                   .real_if_not_int = true,
                                   .real_by_first = !fri_edge_lines_rounds(options),
                                   .exact = true,
                                   .ignore_weights = options->weights != FR_WEIGHTS_FILE};
    fr_status status = fri_edge_list_header_check(ctx, text, h, edges);
    return status ? status : fri_edge_lines_read(ctx, text, begin, &format, edges, found);
}

/* GAP's lists have no names of columns; a table that is called so must have them in the usual order. */
static fr_status check_order(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                             const fr_load_options *options, bool weighted) {
    fri_table table = {.ctx = ctx, .text = text};
    if (!h->names)
        return FR_OK;
    fr_status status = fri_table_open(&table, options, false, weighted);
    const int *column = table.column, weight = column[FRI_TABLE_WEIGHT];
    if (status || (column[FRI_TABLE_SOURCE] == 1 && column[FRI_TABLE_TARGET] == 2 &&
                   (weight == 0 || weight == 3)))
        return status;
    return FAIL(FR_FORMAT, h->names,
                "by their names the columns are not source, target and weight in this order; read "
                "the file as an edge list of the format snap");
}

static fr_status read_gap(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_edge_list *edges, bool weighted) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    fri_edge_lines_result found = {0};
    fr_status status = check_order(ctx, text, &h, options, weighted);
    if (!status)
        status = read_gap_lines(ctx, text, text->data, &h, options, weighted, edges, &found);
    if (status)
        return status;
    if (found.count == 0)
        return FAIL(FR_FORMAT, text->data, "the file contains no edge");
    int64_t base = options->id_base ? options->id_base - 1 : 0;
    return number_to_max_id(ctx, text, &h, base, &found, edges);
}

/* Where the first line begins that begins at `at` or later. */
static size_t line_from(const fri_input *text, int64_t at) {
    if (at == 0)
        return 0;
    const char *end = memchr(text->data + at - 1, '\n', text->size - (size_t)at + 1);
    return end ? (size_t)(end + 1 - text->data) : text->size;
}

fr_status fri_gap_read_share(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                             bool weighted, int share, int shares, fri_edge_list *edges,
                             fri_gap_share *out) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    int64_t size = (int64_t)text->size;
    fri_input part = *text;
    size_t begin = line_from(text, fri_share_begin(size, share, shares));
    part.size = line_from(text, fri_share_begin(size, share + 1, shares));
    fri_edge_lines_result found = {0};
    fr_status status = check_order(ctx, text, &h, options, weighted);
    if (!status)
        status =
            read_gap_lines(ctx, &part, text->data + begin, &h, options, weighted, edges, &found);
    out->count = found.count;
    out->n = FRI_MAX(
        found.count ? found.high - (options->id_base ? options->id_base - 1 : 0) + 1 : 0, h.nodes);
    return status;
}

static fr_status read_el(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                         fri_edge_list *edges) {
    return read_gap(ctx, text, options, edges, false);
}

static fr_status read_wel(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_edge_list *edges) {
    return read_gap(ctx, text, options, edges, true);
}

/* Plain numbers only: other formats look the same. */
static int sniff(const fri_input *text) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    if (h.konect.found)
        return 2;
    fri_scan scan = {h.body, text->data + text->size};
    int64_t id;
    bool pair = fri_scan_int64(&scan, &id) != FRI_SCAN_NONE && scan.at < scan.end &&
                fri_is_blank(*scan.at) && fri_scan_int64(&scan, &id) != FRI_SCAN_NONE;
    return pair || (h.nodes >= 0 && h.body == scan.end);
}

static const char *const snap_suffixes[] = {".txt",      ".csv",     ".tsv", ".edges",
                                            ".edgelist", ".ungraph", NULL};
static const char *const el_suffixes[] = {".el", NULL};
static const char *const wel_suffixes[] = {".wel", NULL};

const fri_format fri_format_snap = {
    .name = "snap",
    .text = "edge list with arbitrary ids, as in SNAP (.txt .csv .tsv .edges .edgelist)",
    .suffixes = snap_suffixes,
    .sniff = sniff,
    .read = read_snap,
    .heads = true,
    .write = fri_snap_write,
    .holds_names = true,
};

const fri_format fri_format_el = {
    .name = "el",
    .text = "GAP edge list, vertices 0 .. maximum id (.el)",
    .suffixes = el_suffixes,
    .read = read_el,
    .heads = true,
    .write = fri_el_write,
};

const fri_format fri_format_wel = {
    .name = "wel",
    .text = "GAP edge list with weights (.wel)",
    .suffixes = wel_suffixes,
    .read = read_wel,
    .heads = true,
    .write = fri_wel_write,
};
