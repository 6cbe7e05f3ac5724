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
 *   it. Columns in other places are chosen by name or number (io/columns.h). No line may have more
 *   columns than the first edge. Further columns (timestamps) are noted but not read. "Edges: M" must
 *   match the number of lines, or half of it if both directions of an undirected graph are listed.
 * `el`, `wel`: vertices 0 .. maximum id, or as many as "Nodes:" says; `wel` has an integer or real
 * weight.
 * An edge list is directed unless the options say otherwise.
 */
#include "io/columns.h"
#include "io/digits.h"
#include "io/formats/edge_list_header.h"
#include "io/formats/edge_list_share.h"
#include "io/format.h"
#include "io/compact_ids.h"
#include "io/named_edges.h"
#include "io/sparse.h"
#include "io/table.h"
#include "io/formats/writers.h"
#include "base/number.h"

#include <string.h>

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

static fr_status choose_weight(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                               const fr_load_options *options, fri_edge_line_format *format) {
    int column = fri_column_number(options->weight_column);
    format->weight_column = column ? column : 3;
    format->real_if_not_int = true;
    if (options->weights != FR_WEIGHTS_FILE)
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
    if (h->columns > read)
        fri_edge_list_note(edges, "%d of %d columns %s not read", h->columns - read, h->columns,
                           fri_words(h->columns - read, "is", "are"));
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
    bool from_zero = all && (found->count == 0 || found->high < h->nodes);
    bool from_one = all && !from_zero && found->high == h->nodes && found->low > 0;
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

static fr_status check_count(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                             int64_t count) {
    if (count == 0 && (h->nodes < 0 || h->edges > 0))
        return FAIL(FR_FORMAT, h->body, "the file contains no edge");
    if (h->edges >= 0 && count != h->edges && count != 2 * h->edges)
        return FAIL(FR_FORMAT, h->declared, "%lld %s declared, %lld %s", (long long)h->edges,
                    fri_words(h->edges, "edge is", "edges are"), (long long)count,
                    fri_words(count, "follows", "follow"));
    return FR_OK;
}

static fr_status read_lines(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                            fri_edge_list *edges) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    int64_t base = options->id_base ? options->id_base - 1 : 0;
    fri_edge_line_format format = {.comments = fri_edge_comments,
                                   .first_name = "source",
                                   .second_name = "target",
                                   .base = base,
                                   .n = INT32_MAX,
                                   .any_id = !options->id_base,
                                   .columns = h.columns};
    fri_edge_lines_result found = {0};
    fr_status status = fri_edge_list_header_check(ctx, text, &h, edges);
    if (!status)
        status = choose_weight(ctx, text, &h, options, &format);
    if (!status && options->weights == FR_WEIGHTS_FILE)
        note_unread(&h, &format, edges);
    if (!status)
        status = fri_edge_lines_read(ctx, text, h.body, &format, edges, &found);
    if (!status)
        status = check_count(ctx, text, &h, found.count);
    if (status)
        return status;
    return options->id_base ? number_to_max_id(ctx, text, &h, base, &found, edges)
                            : number(ctx, text, &h, &found, edges);
}

/* Columns in any place become columns 1 to 3 of another text. */
static fr_status read_snap(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                           fri_edge_list *edges) {
    bool strings = false;
    fr_status status = fri_ids_are_strings(ctx, text, options, edges, &strings);
    if (status || strings)
        return status ? status : fri_named_edges_read(ctx, text, options, edges);
    if (!fri_columns_chosen(options))
        return read_lines(ctx, text, options, edges);
    fri_input chosen = {0};
    fr_load_options own = *options;
    own.source_column = own.target_column = own.weight_column = NULL;
    status = fri_columns_choose(ctx, text, options, &chosen, edges);
    if (!status)
        status = read_lines(ctx, &chosen, &own, edges);
    fri_input_close(&chosen);
    return status;
}

/* The lines of a GAP edge list from `begin` to the end of the text. */
static fr_status read_gap_lines(fr_ctx *ctx, const fri_input *text, const char *begin,
                                const fri_edge_list_header *h, const fr_load_options *options,
                                bool weighted, fri_edge_list *edges, fri_edge_lines_result *found) {
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

static fr_status read_gap(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_edge_list *edges, bool weighted) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    fri_edge_lines_result found = {0};
    fr_status status = read_gap_lines(ctx, text, text->data, &h, options, weighted, edges, &found);
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
    fr_status status =
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

/* Detects "edge source target length", as in the road networks of Li et al. (.cedge): four columns,
 * the first of which numbers the lines. Read as a plain edge list it would give a wrong graph. */
static bool is_numbered(const fri_edge_list_header *h, const fri_input *text) {
    enum { MAX_LINES = 8, MIN_LINES = 3 };
    fri_scan scan = {h->body, text->data + text->size};
    int64_t first = 0, id;
    int line = 0;
    for (bool more = true; more && line < MAX_LINES && fri_edge_columns(scan) == 4; line++) {
        if (fri_scan_int64(&scan, &id) != FRI_SCAN_OK || (line && id != first + line))
            return false;
        first = line ? first : id;
        more = fri_scan_next_line(&scan);
    }
    return line >= MIN_LINES && (line == MAX_LINES || scan.at == scan.end);
}

/* Plain numbers only: other formats look the same. */
static int sniff(const fri_input *text) {
    const fri_edge_list_header h = fri_edge_list_header_read(text);
    if (is_numbered(&h, text))
        return 0;
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
    .write = fri_snap_write,
    .holds_names = true,
};

const fri_format fri_format_el = {
    .name = "el",
    .text = "GAP edge list, vertices 0 .. maximum id (.el)",
    .suffixes = el_suffixes,
    .read = read_el,
    .write = fri_el_write,
};

const fri_format fri_format_wel = {
    .name = "wel",
    .text = "GAP edge list with weights (.wel)",
    .suffixes = wel_suffixes,
    .read = read_wel,
    .write = fri_wel_write,
};
