/* Networks of the collection Transportation Networks for Research (NAME_net.tntp).
 *
 * Source: Transportation Networks for Research Core Team: Transportation Networks for Research, README,
 *   "Network files".
 * Format: lines "<KEY> value" to <END OF METADATA>; lines that begin with ~ are comments; a link per line, in ten
 *   columns between tabs or blanks (see `columns`) and a semicolon at its end. Links are directed, nodes 1 .. N.
 * Idea: the links become the table of an edge list with these names of columns, in lines of the same numbers,
 *   so that the weight is chosen as in a table and messages name lines of the file.
 * Differs: the weight is the free-flow time, as in the assignment problems that the files belong to, unless the
 *   options choose another column. Nodes below <FIRST THRU NODE> are zones, where routes only begin and end: a
 *   graph cannot say so, which is a warning.
 * Work and memory: a copy of the text, then as for a table with chosen columns (io/text/columns.h).
 */
#include "io/format.h"
#include "io/sparse.h"
#include "io/text/digits.h"
#include "io/text/number_scan.h"
#include "io/text/table.h"

#include <stdio.h>
#include <string.h>

extern const fri_format fri_format_snap; /* reads the table */

static const char columns[] =
    "init_node term_node capacity length free_flow_time b power speed toll link_type";
static const char usual_weight[] = "free_flow_time";
static const char end_of_metadata[] = "<END OF METADATA>";

typedef struct head {
    int64_t nodes, links, first_thru; /* -1: not declared */
    const char *nodes_at, *links_at;
    const char *end; /* the line <END OF METADATA> */
} head;

static const fri_edge_words links = {"link", "links"};

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

static bool begins(const char *at, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && !strncasecmp(at, word, length);
}

/* The number behind the key, if the line has it. */
static fr_status read_key(fr_ctx *ctx, const fri_input *text, const char *at, const char *end,
                          const char *key, int64_t *out) {
    if (!begins(at, end, key))
        return FR_OK;
    fri_scan scan = {at + strlen(key), end};
    fri_scan_at_eol(&scan);
    const char *number = scan.at;
    if (fri_scan_int64(&scan, out) != FRI_SCAN_OK || *out < 0 || !fri_scan_at_eol(&scan))
        return FAIL(FR_FORMAT, number, "%s needs a count", key);
    return FR_OK;
}

static fr_status read_head(fr_ctx *ctx, const fri_input *text, head *h) {
    const char *all = text->data + text->size;
    *h = (head){.nodes = -1, .links = -1, .first_thru = -1};
    for (const char *at = text->data; at < all; at = fri_skip_line(at, all)) {
        const char *end = fri_table_line_end(at, all);
        at = fri_skip_blanks(at, end);
        if (begins(at, end, "<NUMBER OF NODES>"))
            h->nodes_at = at;
        if (begins(at, end, "<NUMBER OF LINKS>"))
            h->links_at = at;
        fr_status status = read_key(ctx, text, at, end, "<NUMBER OF NODES>", &h->nodes);
        if (!status)
            status = read_key(ctx, text, at, end, "<NUMBER OF LINKS>", &h->links);
        if (!status)
            status = read_key(ctx, text, at, end, "<FIRST THRU NODE>", &h->first_thru);
        if (status)
            return status;
        if (begins(at, end, end_of_metadata)) {
            h->end = at;
            break;
        }
    }
    if (!h->end || h->nodes < 0 || h->links < 0)
        return FAIL(FR_FORMAT, text->data, "%s is missing",
                    h->nodes < 0   ? "<NUMBER OF NODES>"
                    : h->links < 0 ? "<NUMBER OF LINKS>"
                                   : end_of_metadata);
    fr_status status = fri_check_size(ctx, text, h->links_at, 0, h->links, h->end, 4, links);
    if (!status)
        status = fri_check_counts(ctx, text, h->nodes_at, h->nodes, h->links, links);
    return status ? status : fri_sparse_check(ctx, text, h->nodes_at, h->nodes, h->links);
}

/* Lines of the table have no blanks before them. */
static const char *place_in_file(const fri_input *table, const char *at) {
    const fri_input *text = table->made_from;
    const char *line = fri_input_find_line(text, fri_input_line(table, at));
    const char *first = fri_skip_blanks(line, text->data + text->size);
    return first == table->maker ? first : first + (at - fri_input_begin(table, at));
}

/* Empty lines for those of the metadata but the last one, which becomes the names of the columns; the links
 * without semicolons. */
static fr_status make_table(fr_ctx *ctx, const fri_input *text, const head *h, fri_input *out) {
    const char *all = text->data + text->size;
    char *to = fri_alloc(ctx, text->size + sizeof columns);
    *out = (fri_input){.name = text->name,
                       .path = text->path,
                       .data = to,
                       .made_from = text,
                       .place = place_in_file,
                       .maker = h->end};
    if (!to)
        return FR_NOMEM;
    size_t size = 0;
    for (const char *at = text->data; at < all;) {
        const char *end = fri_table_line_end(at, all);
        const char *first = fri_skip_blanks(at, end);
        if (first == h->end) {
            memcpy(to + size, columns, sizeof columns - 1);
            size += sizeof columns - 1;
        } else if (at > h->end && first < end && *first != '~') {
            for (; first < end; first++)
                to[size++] = *first == ';' ? ' ' : *first;
        }
        at = end + (end < all);
        if (end < all)
            to[size++] = '\n';
    }
    out->size = size;
    return FR_OK;
}

static fr_status check_counts(fr_ctx *ctx, const fri_input *text, const head *h,
                              const fri_edge_list *edges) {
    fr_status status =
        fri_check_declared(ctx, text, h->links_at, h->links, fri_edge_list_count(edges), links);
    if (!status && edges->n > h->nodes)
        status = FAIL(FR_FORMAT, h->nodes_at, "%lld nodes are declared, a link has node %d",
                      (long long)h->nodes, edges->n);
    return status;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges) {
    head h;
    fr_status status = read_head(ctx, text, &h);
    if (status)
        return status;
    fr_load_options own = *options;
    own.source_column = "init_node";
    own.target_column = "term_node";
    own.id_base = options->id_base ? options->id_base : 2; /* ids from 1 */
    own.ids = FR_IDS_INTEGERS;
    if (!options->weight_column && options->weights == FR_WEIGHTS_FILE) {
        own.weight_column = usual_weight;
    }
    fri_input table;
    status = make_table(ctx, text, &h, &table);
    if (!status)
        status = fri_format_snap.read(ctx, &table, &own, edges);
    fri_input_close(&table);
    if (!status)
        status = check_counts(ctx, text, &h, edges);
    if (status)
        return status;
    edges->n = (int32_t)h.nodes;
    snprintf(edges->note, sizeof edges->note, "%s", edges->warning); /* not of the table's lines */
    if (own.weight_column)
        fri_edge_list_note(edges, "the weight is the column %s of %s", own.weight_column, columns);
    if (h.first_thru > own.id_base)
        fri_edge_list_warn(edges,
                           "nodes below %lld are zones, where routes may only begin and end; this "
                           "is not applied",
                           (long long)h.first_thru);
    return FR_OK;
}

static int sniff(const fri_input *text) {
    enum { SEARCHED_BYTES = 1 << 14 };
    const char *end = text->data + FRI_MIN(text->size, SEARCHED_BYTES);
    const char *at = text->data;
    while (at < end && (fri_is_blank(*at) || *at == '\n'))
        at++;
    return at < end && *at == '<' &&
                   memmem(at, (size_t)(end - at), end_of_metadata, sizeof end_of_metadata - 1)
               ? 2
               : 0;
}

static const char *const suffixes[] = {".tntp", NULL};
const fri_format fri_format_tntp = {
    .name = "tntp",
    .text = "Transportation Networks for Research (_net.tntp)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read = read,
};
