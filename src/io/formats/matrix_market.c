/* Matrix Market coordinate files (.mtx).
 *
 * Source: R. F. Boisvert, R. Pozo, K. A. Remington: The Matrix Market Exchange Formats: Initial
 *   Design, NISTIR 5935, NIST 1996.
 * Format: a row is a source, a column a target; each entry is an edge, including an explicit zero.
 *   The values of an `integer` file, and of an `unsigned-integer` one as SciPy writes it, are int32
 *   if all fit, otherwise int64. `real` (and `double`) is double.
 * Differs: upper case and a banner with one % are accepted; comment and blank lines may occur
 *   anywhere; a file without a banner whose first line is "rows columns entries" is read as
 *   `general`, and as real or pattern according to its first entry. In a symmetric file an entry
 *   above the diagonal is the same edge as its mirror below. `complex`, `hermitian` and `array` are
 *   valid Matrix Market but not usable as graphs, and neither is a non-square matrix.
 */
#include "io/text/digits.h"
#include "io/format.h"
#include "io/text/edge_lines.h"
#include "io/text/number_scan.h"
#include "io/sparse.h"
#include "io/formats/writers.h"

#include <strings.h>

typedef enum { REAL, INTEGER, PATTERN } field;
typedef enum { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct {
    field field;
    symmetry symmetry;
    int64_t n, entries;
    const char *size_line, *body;
} head;

static const fri_edge_words entries = {"entry", "entries"};

typedef struct {
    const char *word; /* NULL ends */
    int value;
} named;
static const named fields[] = {{"real", REAL},       {"double", REAL},
                               {"integer", INTEGER}, {"unsigned-integer", INTEGER},
                               {"pattern", PATTERN}, {0}};
static const named symmetries[] = {
    {"general", GENERAL}, {"symmetric", SYMMETRIC}, {"skew-symmetric", SKEW}, {0}};

/* The value of the word; -1: it is not in the table. */
static int look_up(const named *table, fri_word word) {
    while (table->word && !fri_word_is(word, table->word))
        table++;
    return table->word ? table->value : -1;
}

static size_t banner_length(const char *at, size_t size) {
    static const char banner[] = "%%MatrixMarket";
    size_t length = sizeof banner - 1;
    for (size_t skip = 0; skip < 2; skip++)
        if (size >= length - skip && strncasecmp(at, banner + skip, length - skip) == 0)
            return length - skip;
    return 0;
}

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

/* format has a place for a word. */
static fr_status refuse(fr_ctx *ctx, const fri_input *text, fri_word word, const char *format) {
    char message[128];
    snprintf(message, sizeof message, format, (int)FRI_MIN(word.length, 40), word.at);
    return FAIL(FR_FORMAT, word.at, "%s", message);
}

static fr_status read_banner(fr_ctx *ctx, const fri_input *text, fri_scan *scan, head *h) {
    scan->at += banner_length(text->data, text->size);
    const fri_word object = fri_scan_word(scan), format = fri_scan_word(scan),
                   value = fri_scan_word(scan), shape = fri_scan_word(scan);
    const int field_found = look_up(fields, value), symmetry_found = look_up(symmetries, shape);
    if (!fri_word_is(object, "matrix"))
        return refuse(ctx, text, object, "the banner says \"%.*s\" instead of \"matrix\"");
    if (fri_word_is(format, "array"))
        return FAIL(FR_UNSUPPORTED, format.at,
                    "an array (dense) matrix is not supported as a graph");
    if (!fri_word_is(format, "coordinate"))
        return refuse(ctx, text, format, "the banner says \"%.*s\" instead of \"coordinate\"");
    if (fri_word_is(value, "complex") || fri_word_is(shape, "hermitian"))
        return FAIL(FR_UNSUPPORTED, fri_word_is(value, "complex") ? value.at : shape.at,
                    "complex values are not supported as weights");
    if (field_found < 0)
        return refuse(ctx, text, value, "\"%.*s\" is not a known value type");
    if (symmetry_found < 0)
        return refuse(ctx, text, shape, "\"%.*s\" is not a known symmetry");
    h->field = (field)field_found;
    h->symmetry = (symmetry)symmetry_found;
    if (h->field == PATTERN && h->symmetry == SKEW)
        return FAIL(FR_FORMAT, shape.at, "a pattern matrix cannot be skew-symmetric");
    fri_scan_next_line(scan);
    return FR_OK;
}

/* Moves to the first byte of the next line that is neither blank nor a comment. */
static void skip_comments(fri_scan *scan) {
    while (scan->at < scan->end) {
        if (!fri_scan_at_eol(scan) && *scan->at != '%')
            return;
        if (!fri_scan_next_line(scan))
            return;
    }
}

/* Without a banner the first entry determines whether there are values. */
static field guess_field(fri_scan scan) {
    int64_t id;
    skip_comments(&scan);
    fri_scan_int64(&scan, &id);
    fri_scan_int64(&scan, &id);
    return fri_scan_at_eol(&scan) ? PATTERN : REAL;
}

/* Some edge lists keep the header of a matrix as comments. */
static const char EDGE_LIST[] = "; for an edge list after comments use fr_load_options.format snap";

static fr_status read_size(fr_ctx *ctx, const fri_input *text, fri_scan *scan, head *h) {
    int64_t number[3];
    skip_comments(scan);
    const char *at = h->size_line = scan->at;
    if (at == scan->end)
        return FAIL(FR_FORMAT, at, "the file ends before its line \"rows columns entries\"");
    for (int i = 0; i < 3; i++) {
        fri_scan_at_eol(scan);
        const char *place = scan->at;
        fri_scan_status status = fri_scan_int64(scan, &number[i]);
        if (status == FRI_SCAN_RANGE)
            return FAIL(FR_RANGE, place, "a size does not fit 64 bits");
        if (status != FRI_SCAN_OK || number[i] < 0)
            return FAIL(FR_FORMAT, place, "the line \"rows columns entries\" needs three counts%s",
                        i == 2 && status == FRI_SCAN_NONE ? EDGE_LIST : "");
    }
    if (!fri_scan_at_eol(scan))
        return FAIL(FR_FORMAT, scan->at, "unexpected text after \"rows columns entries\"");
    fri_scan_next_line(scan);
    if (number[0] != number[1])
        return FAIL(FR_UNSUPPORTED, at,
                    "a %lld x %lld matrix is not square and therefore not a graph",
                    (long long)number[0], (long long)number[1]);
    h->n = number[0];
    h->entries = number[2];
    h->body = scan->at;
    return FR_OK;
}

static fr_status read_head(fr_ctx *ctx, const fri_input *text, head *h) {
    fri_scan scan = {text->data, text->data + text->size};
    *h = (head){0};
    bool banner = banner_length(text->data, text->size) > 0;
    fr_status status = banner ? read_banner(ctx, text, &scan, h) : FR_OK;
    if (!status)
        status = read_size(ctx, text, &scan, h);
    if (!status && !banner)
        h->field = guess_field(scan);
    const int line_bytes = h->field == PATTERN ? 4 : 6; /* "1 1\n", "1 1 1\n" */
    return status ? status
                  : fri_check_size(ctx, text, h->size_line, h->n, h->entries, h->body, line_bytes,
                                   entries);
}

/* The diagonal of a skew-symmetric matrix is zero and not stored. */
static fr_status check_skew(fr_ctx *ctx, const fri_input *text, const fri_edge_list *edges) {
    for (int b = 0; b < edges->block_count; b++)
        for (int64_t i = 0; i < edges->blocks[b].count; i++)
            if (edges->blocks[b].ends[2 * i] == edges->blocks[b].ends[2 * i + 1])
                return fri_fail(
                    ctx, FR_FORMAT, "%s: row %lld of a skew-symmetric matrix has a diagonal entry",
                    text->name, (long long)(edges->blocks[b].ends[2 * i] + edges->ids.base));
    return FR_OK;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges) {
    head h;
    fr_status status = read_head(ctx, text, &h);
    if (status)
        return status;
    edges->n = (int32_t)h.n;
    edges->ids.base = options->id_base ? options->id_base - 1 : 1;
    edges->undirected = h.symmetry != GENERAL;
    if (!banner_length(text->data, text->size))
        fri_edge_list_note(edges, "no banner: read as %s general",
                           h.field == PATTERN ? "pattern" : "real");
    edges->negate_mirror = h.symmetry == SKEW;
    fri_edge_line_format format = {
        .comments = "%",
        .first_name = "row",
        .second_name = "column",
        .base = edges->ids.base,
        .n = h.n,
        .weight_column = 3,
        .value = h.field == PATTERN   ? FRI_WEIGHT_NONE
                 : h.field == INTEGER ? FRI_WEIGHT_INT
                                      : fri_edge_lines_weight_kind(options, FRI_WEIGHT_REAL),
        .real_if_not_int = h.field == REAL,
        .real_declared = h.field == REAL,
        .rounds = fri_edge_lines_rounds(options),
        .exact = true,
        .ignore_weights = options->weights != FR_WEIGHTS_FILE,
        .no_negation = h.symmetry == SKEW};
    fri_edge_lines_result result;
    status = fri_edge_lines_read(ctx, text, h.body, &format, edges, &result);
    if (!status)
        status = fri_check_declared(ctx, text, h.size_line, h.entries, result.count, entries);
    return !status && h.symmetry == SKEW ? check_skew(ctx, text, edges) : status;
}

static int sniff(const fri_input *text) { return banner_length(text->data, text->size) ? 2 : 0; }

static const char *const suffixes[] = {".mtx", ".mm", NULL};

const fri_format fri_format_matrix_market = {
    .name = "mtx",
    .text = "Matrix Market, coordinate (.mtx)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read = read,
    .heads = true,
    .write = fri_mtx_write,
};
