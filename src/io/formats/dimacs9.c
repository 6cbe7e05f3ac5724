/* Shortest-path problems of the 9th DIMACS challenge (.gr).
 *
 * Source: C. Demetrescu, A. V. Goldberg, D. S. Johnson: 9th DIMACS Implementation Challenge:
 *   Shortest Paths, 2005, "File formats" (Graph).
 * Format: lines "c anything"; once "p sp N M"; M times "a U V W": an arc U -> V of length W, ids 1
 *   .. N. Arcs are directed as listed; undirected networks list both directions. Lengths are int32
 *   if all fit, otherwise int64.
 * Differs: blank lines are skipped; negative and non-integer lengths are accepted.
 */
#include "io/text/digits.h"
#include "io/results/text_writer.h"
#include "io/text/edge_lines.h"
#include "io/text/number_scan.h"
#include "io/sparse.h"

#include <string.h>

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

enum { MIN_LINE = 8 }; /* bytes of "a 1 1 1\n" */
static const fri_edge_words arcs = {"arc", "arcs"};

/* Moves to the line "p ..."; false if another line that is neither comment nor blank comes
 * first. */
static bool find_problem(fri_scan *scan) {
    while (scan->at < scan->end) {
        if (!fri_scan_at_eol(scan) && *scan->at != 'c')
            return *scan->at == 'p' && scan->end - scan->at > 1 && fri_is_blank(scan->at[1]);
        if (!fri_scan_next_line(scan))
            break;
    }
    return false;
}

static bool skip_word(fri_scan *scan, const char *word) {
    size_t length = strlen(word);
    fri_scan_at_eol(scan);
    if ((size_t)(scan->end - scan->at) <= length || memcmp(scan->at, word, length) ||
        !fri_is_blank(scan->at[length]))
        return false;
    scan->at += length;
    return true;
}

static fr_status read_problem(fr_ctx *ctx, const fri_input *text, fri_scan *scan, int64_t *n,
                              int64_t *m) {
    if (!find_problem(scan))
        return FAIL(FR_FORMAT, scan->at, "the line \"p sp vertices arcs\" must come first");
    const char *at = scan->at++;
    int64_t *const counts[] = {n, m};
    if (!skip_word(scan, "sp"))
        return FAIL(FR_FORMAT, scan->at, "only \"p sp vertices arcs\" problems are supported");
    for (int i = 0; i < 2; i++) {
        fri_scan_at_eol(scan);
        const char *field = scan->at;
        fri_scan_status status = fri_scan_int64(scan, counts[i]);
        if (status == FRI_SCAN_RANGE)
            return FAIL(FR_RANGE, field, "a count does not fit 64 bits");
        if (status != FRI_SCAN_OK || *counts[i] < 0)
            return FAIL(FR_FORMAT, field, "the line \"p sp vertices arcs\" needs two counts");
    }
    if (!fri_scan_at_eol(scan))
        return FAIL(FR_FORMAT, scan->at, "unexpected text after \"p sp vertices arcs\"");
    fri_scan_next_line(scan);
    return fri_check_size(ctx, text, at, *n, *m, scan->at, MIN_LINE, arcs);
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges) {
    fri_scan scan = {text->data, text->data + text->size};
    int64_t n, m;
    fr_status status = read_problem(ctx, text, &scan, &n, &m);
    if (status)
        return status;
    edges->n = (int32_t)n;
    edges->ids.base = options->id_base ? options->id_base - 1 : 1;
    const fri_edge_line_format format = {.comments = "c",
                                         .lead = 'a',
                                         .first_name = "tail",
                                         .second_name = "head",
                                         .base = edges->ids.base,
                                         .n = n,
                                         .weight_column = 3,
                                         .value = FRI_WEIGHT_INT,
                                         .real_if_not_int = true,
                                         .rounds = fri_edge_lines_rounds(options),
                                         .exact = true,
                                         .ignore_weights = options->weights != FR_WEIGHTS_FILE};
    fri_edge_lines_result found;
    status = fri_edge_lines_read(ctx, text, scan.at, &format, edges, &found);
    fri_scan head = {text->data, scan.end};
    find_problem(&head);
    return status ? status : fri_check_declared(ctx, text, head.at, m, found.count, arcs);
}

static int sniff(const fri_input *text) {
    fri_scan scan = {text->data, text->data + text->size};
    return find_problem(&scan) && (scan.at++, skip_word(&scan, "sp")) ? 2 : 0;
}

/* A graph without weights is written with lengths of 1. */
static fr_status write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, csr->m);
    fri_write_text(&writer, "p sp ");
    fri_write_edge(&writer, csr->n, csr->m, ' ');
    fri_write_char(&writer, '\n');
    fri_write_edges(
        &writer, csr,
        &(fri_edge_style){.lead = "a ", .ids = &fri_ids_from_one, .between = ' ', .weights = true});
    return fri_text_writer_finish(&writer);
}

static const char *const suffixes[] = {".gr", NULL};
const fri_format fri_format_dimacs9 = {
    .name = "gr",
    .text = "9th DIMACS challenge, shortest paths (.gr)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read = read,
    .heads = true,
    .write = write,
};
