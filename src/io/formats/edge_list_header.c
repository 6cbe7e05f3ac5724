/* The lines before the first edge of an edge list.
 *
 * These are comments, which may declare "Nodes: N" and "Edges: M", and at most one line of column
 * names. A line counts as column names only if it has as many names as the first edge has columns
 * and none of them is a number. Any other line may be an edge in an unknown notation, and an edge
 * is never dropped. Names are separated in the same way as the columns of the edge, so "from
 * node,to node" is two names.
 */
#include "io/formats/edge_list_header.h"
#include "io/sparse.h"
#include "io/text/digits.h"

#include <stdio.h>
#include <strings.h>

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

const char fri_edge_comments[] = "#%";

/* ---- words -------------------------------------------------------------------------------- */

static bool is_separator(char c, char separator) {
    return separator == ' ' ? fri_is_blank(c) : c == separator;
}

/* The next word of [*at, end), delimited by the separator; ' ' matches blanks of any kind. Length
 * 0: none is left. */
static fri_word next_word(const char **at, const char *end, char separator) {
    fri_word found = {end, 0};
    while (*at < end && !found.length) {
        const char *begin = *at, *q = begin;
        while (q < end && !is_separator(*q, separator))
            q++;
        found = fri_word_trimmed(begin, q);
        *at = q + (q < end);
    }
    return found;
}

static int count_words(const char *at, const char *end, char separator) {
    int count = 0;
    while (next_word(&at, end, separator).length)
        count++;
    return count;
}

/* Also true for words that start like a number, and for numbers in quotes or brackets. */
static bool is_number(fri_word w) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    const char *at = w.at, *end = at + w.length;
    while (at < end && strchr("\"'([{+-", *at) && *at)
        at++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(end - at) == strlen(words[i]) && !strncasecmp(at, words[i], strlen(words[i])))
            return true;
    at += at < end && *at == '.';
    return at < end && fri_is_digit(*at);
}

int fri_edge_columns(fri_scan scan) {
    return count_words(scan.at, fri_skip_line(scan.at, scan.end), ' ');
}

fri_weight_kind fri_edge_value(const fri_edge_list_header *h, const fri_input *text, int column) {
    fri_scan scan = {h->body, text->data + text->size};
    const char *end = fri_skip_line(scan.at, scan.end);
    fri_word w = {end, 0};
    for (int c = 0; c < column; c++)
        w = next_word(&scan.at, end, ' ');
    if (!w.length)
        return FRI_WEIGHT_NONE;
    scan = (fri_scan){w.at, w.at + w.length};
    int64_t ignored;
    bool whole = fri_scan_int64(&scan, &ignored) != FRI_SCAN_NONE && scan.at == scan.end;
    return whole ? FRI_WEIGHT_INT : FRI_WEIGHT_REAL;
}

/* ---- KONECT -------------------------------------------------------------------------------- */

/* The first lines of a file of the KONECT collection (out.NAME).
 *
 * Source: J. Kunegis: Handbook of Network Analysis: The KONECT Project, 2017, section "File formats".
 * Format: "% sym|asym|bip WEIGHTS", and perhaps "% EDGES VERTICES [VERTICES]": the vertices of the left side
 *   and of the right one, which are the same unless the network is bipartite (bip). Then lines "source
 *   target [weight or multiplicity [time]]" with ids from 1 on, in a bipartite network on each side.
 */
static const struct {
    const char *word;
    bool weighted, multiplicities, dynamic;
} kinds[] = {
    {"unweighted", false, false, false},  {"positive", false, true, false},
    {"posweighted", true, false, false},  {"signed", true, false, false},
    {"multisigned", true, true, false},   {"weighted", true, false, false},
    {"multiweighted", true, true, false}, {"multiposweighted", true, true, false},
    {"dynamic", false, false, true},
};

static bool is_word(fri_word w, const char *word) {
    return w.length == strlen(word) && memcmp(w.at, word, w.length) == 0;
}

static void read_counts(fri_konect *k, fri_scan scan) {
    int64_t count[3] = {-1, -1, -1};
    if (scan.at == scan.end || *scan.at != '%')
        return;
    k->counts = scan.at++;
    for (int i = 0; i < 3 && !fri_scan_at_eol(&scan); i++)
        if (fri_scan_int64(&scan, &count[i]) != FRI_SCAN_OK || count[i] < 0)
            return;
    k->edges = count[0];
    k->left = count[1];
    k->right = count[2];
}

fri_konect fri_konect_read(const fri_input *text) {
    static const fri_konect none = {.edges = -1, .left = -1, .right = -1};
    fri_konect k = none;
    fri_scan scan = {text->data, text->data + text->size};
    if (scan.at == scan.end || *scan.at != '%')
        return none;
    scan.at++;
    const fri_word shape = fri_scan_word(&scan), weights = fri_scan_word(&scan);
    k.undirected = is_word(shape, "sym");
    k.bipartite = is_word(shape, "bip");
    if (!k.undirected && !k.bipartite && !is_word(shape, "asym"))
        return none;
    k.undirected |= k.bipartite;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_word(weights, kinds[i].word)) {
            k.found = true;
            k.weighted = kinds[i].weighted;
            k.multiplicities = kinds[i].multiplicities;
            k.dynamic = kinds[i].dynamic;
        }
    if (!k.found)
        return none;
    if (fri_scan_next_line(&scan))
        read_counts(&k, scan);
    return k;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The count after `name` in the line [at, end), or `none`. */
static int64_t count_after(const char *at, const char *end, const char *name, int64_t none) {
    size_t length = strlen(name);
    for (; end - at >= (int64_t)length; at++) {
        fri_scan scan = {at + length, end};
        int64_t count;
        if (strncasecmp(at, name, length) == 0 && fri_scan_int64(&scan, &count) == FRI_SCAN_OK &&
            count >= 0)
            return count;
    }
    return none;
}

static bool starts_with_number(fri_scan scan) {
    int64_t ignored;
    return fri_scan_int64(&scan, &ignored) != FRI_SCAN_NONE;
}

static void read_comment(fri_edge_list_header *h, const char *begin, const char *end) {
    int64_t nodes = h->nodes, edges = h->edges;
    h->nodes = count_after(begin, end, "nodes:", nodes);
    h->edges = count_after(begin, end, "edges:", edges);
    h->declared = h->nodes != nodes || h->edges != edges ? begin : h->declared;
    const char *text = begin + 1;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    static const char undirected[] = "undirected graph"; /* as SNAP's files begin */
    if (end - text >= (int64_t)sizeof undirected - 1 &&
        !strncasecmp(text, undirected, sizeof undirected - 1))
        h->undirected = begin;
}

/* What the first lines of KONECT declare. */
static void read_konect(fri_edge_list_header *h, const fri_input *text) {
    h->konect = fri_konect_read(text);
    if (!h->konect.counts)
        return;
    h->declared = h->konect.counts;
    h->edges = h->konect.multiplicities ? -1 : h->konect.edges;
    h->nodes = h->konect.bipartite ? -1 : FRI_MAX(h->konect.left, h->konect.right);
}

fri_edge_list_header fri_edge_list_header_read(const fri_input *text) {
    fri_scan scan = {text->data, text->data + text->size};
    fri_edge_list_header h = {.nodes = -1, .edges = -1};
    for (bool more = true; more; more = fri_scan_next_line(&scan)) {
        if (fri_scan_at_eol(&scan))
            continue;
        if (*scan.at && strchr(fri_edge_comments, *scan.at))
            read_comment(&h, scan.at, fri_skip_line(scan.at, scan.end));
        else if (h.names || starts_with_number(scan))
            break;
        else
            h.names = scan.at;
    }
    read_konect(&h, text);
    h.body = scan.at;
    h.columns = fri_edge_columns(scan);
    return h;
}

/* ---- the line of column names -------------------------------------------------------------- */

/* The separator of the first edge's columns. */
static char separator_of(const fri_input *text, const fri_edge_list_header *h) {
    const char *end = fri_skip_line(h->body, text->data + text->size);
    size_t length = (size_t)(end - h->body);
    return memchr(h->body, ',', length) ? ',' : memchr(h->body, '\t', length) ? '\t' : ' ';
}

static void note_names(const fri_input *text, const fri_edge_list_header *h, char separator,
                       fri_edge_list *edges) {
    char names[FRI_NOTE_BYTES];
    const char *at = h->names, *end = fri_skip_line(at, text->data + text->size);
    int used = 0;
    for (fri_word w; (w = next_word(&at, end, separator)).length && used < (int)sizeof names;)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%.*s", used ? "," : "",
                         (int)FRI_MIN(w.length, sizeof names), w.at);
    fri_edge_list_note(edges, "line %lld read as column names: %s",
                       (long long)fri_input_line(text, h->names), names);
}

#define OTHER_OPTIONS                                                                              \
    "; source_column, target_column read quotes and semicolons, ids strings reads names"

static fr_status check_names(fr_ctx *ctx, const fri_input *text, const fri_edge_list_header *h,
                             fri_edge_list *edges) {
    const char *end = fri_skip_line(h->names, text->data + text->size), *at = h->names;
    int first = fri_input_word(text, h->names);
    fri_word w;
    for (bool later = false; (w = next_word(&at, end, ' ')).length; later = true)
        if (is_number(w) && !later)
            return FAIL(FR_FORMAT, h->names, "column 1: \"%.*s\" is not a vertex id" OTHER_OPTIONS,
                        first, h->names);
        else if (is_number(w))
            return FAIL(FR_FORMAT, h->names,
                        "column 1: \"%.*s\" is not a vertex id, and \"%.*s\" is not a column "
                        "name" OTHER_OPTIONS,
                        first, h->names, (int)FRI_MIN(w.length, 24), w.at);
    char separator = separator_of(text, h);
    int names = count_words(h->names, end, separator);
    if (h->columns && names != h->columns && separator != ' ') {
        separator = ' ';
        names = count_words(h->names, end, separator);
    }
    if (h->columns && names != h->columns)
        return FAIL(FR_FORMAT, h->names,
                    "column 1: \"%.*s\" is not a vertex id, and %d names do not match the %d "
                    "columns that follow" OTHER_OPTIONS,
                    first, h->names, names, h->columns);
    note_names(text, h, separator, edges);
    return FR_OK;
}

fr_status fri_edge_list_header_check(fr_ctx *ctx, const fri_input *text,
                                     const fri_edge_list_header *h, fri_edge_list *edges) {
    fr_status status = fri_check_counts(ctx, text, h->declared, h->nodes, h->edges,
                                        (fri_edge_words){"edge", "edges"});
    return !status && h->names ? check_names(ctx, text, h, edges) : status;
}
