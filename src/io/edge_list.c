/* Edge lists: a line per edge, "source target [columns]".
 *
 * Source: the files of the Stanford collection (SNAP: J. Leskovec, A. Krevl,
 * snap.stanford.edu/data) and their kin; GAP's .el and .wel as S. Beamer, K. Asanovic, D.
 * Patterson: The GAP Benchmark Suite, arXiv 1508.03619, and its reader define them. `snap`: lines
 * that open with # or % are comments; tabs, blanks or commas part the columns; one line of names
 * before the data is skipped. Ids are any int64, negative ones too. When a comment says "Nodes: N"
 * and all ids are 0..N-1 (or all 1..N) those are the vertices, so isolated ones stay; else the ids
 * that occur are, in ascending order. id_base makes them base .. greatest id. The weight is column
 * 3 when the first edge has one, or weight_column; then every line must have it. Further columns
 * (timestamps) are not looked at. "Edges: M" must match the lines, or half of them where both
 * directions of an undirected graph are listed. `el`, `wel`: vertices 0 .. greatest id, or as
 * many as "Nodes:" says; `wel` has an integer or real weight. An edge list is directed unless the
 * options say otherwise.
 */
#include "io/digits.h"
#include "io/format.h"
#include "io/ids.h"
#include "io/scan.h"
#include "io/writers.h"

#include <strings.h>

#define FAIL(status, at, ...) fri_text_fail(ctx, status, text, at, __VA_ARGS__)

static const char comments[] = "#%";

typedef struct {
    int64_t nodes, edges; /* as a comment declares them; -1: none does */
    const char *declared; /* the place */
    const char *body;     /* the first edge; the end of the text when there is none */
} head;

static bool is_comment(char c) { return c && strchr(comments, c); }

/* The count behind `word` in the line [at, end), or `none`. */
static int64_t count_behind(const char *at, const char *end, const char *word, int64_t none) {
    size_t length = strlen(word);
    for (; end - at >= (int64_t)length; at++) {
        fri_scan scan = {at + length, end};
        int64_t count;
        if (strncasecmp(at, word, length) == 0 && fri_scan_int64(&scan, &count) == FRI_SCAN_OK &&
            count >= 0)
            return count;
    }
    return none;
}

static bool starts_with_number(fri_scan scan) {
    int64_t ignored;
    return fri_scan_int64(&scan, &ignored) != FRI_SCAN_NONE;
}

/* The comments before the first edge, and a line of names. */
static void read_head(const fri_text *text, head *h) {
    fri_scan scan = {text->data, text->data + text->size};
    *h = (head){.nodes = -1, .edges = -1};
    for (bool named = false, more = true; more;) {
        if (fri_scan_at_eol(&scan)) {
            more = fri_scan_next_line(&scan);
            continue;
        }
        const char *begin = scan.at, *end = fri_skip_line(begin, scan.end);
        if (is_comment(*begin)) {
            int64_t nodes = h->nodes, edges = h->edges;
            h->nodes = count_behind(begin, end, "nodes:", nodes);
            h->edges = count_behind(begin, end, "edges:", edges);
            h->declared = h->nodes != nodes || h->edges != edges ? begin : h->declared;
        } else if (named || starts_with_number(scan)) {
            break;
        } else
            named = true;
        more = fri_scan_next_line(&scan);
    }
    h->body = scan.at;
}

/* What the column holds in the first edge. */
static fri_value guess_value(const head *h, const fri_text *text, int column) {
    fri_scan scan = {h->body, text->data + text->size};
    for (int c = 1; c < column; c++) {
        if (fri_scan_at_eol(&scan))
            return FRI_VALUE_NONE;
        while (scan.at < scan.end && !fri_is_blank(*scan.at) && *scan.at != '\n')
            scan.at++;
    }
    if (fri_scan_at_eol(&scan))
        return FRI_VALUE_NONE;
    int64_t ignored;
    fri_scan_status status = fri_scan_int64(&scan, &ignored);
    bool whole = scan.at == scan.end || fri_is_blank(*scan.at) || *scan.at == '\n';
    return status != FRI_SCAN_NONE && whole ? FRI_VALUE_INT : FRI_VALUE_REAL;
}

static fr_status choose_weight(fr_ctx *ctx, const fri_text *text, const head *h,
                               const fr_load_options *options, fri_pairs *pairs) {
    pairs->weight_column = options->weight_column ? options->weight_column : 3;
    pairs->real_if_not_int = true;
    if (options->weight_column && options->weight_column < 3)
        return fri_fail(ctx, FR_INVALID, "weight column %d: columns 1 and 2 are the ids",
                        options->weight_column);
    if (options->weights != FR_WEIGHTS_FILE)
        return FR_OK;
    pairs->value = fri_pairs_value(options, guess_value(h, text, pairs->weight_column));
    if (options->weight_column && pairs->value == FRI_VALUE_NONE)
        return FAIL(FR_FORMAT, h->body, "the line has no column %d", options->weight_column);
    if (pairs->value == FRI_VALUE_INT && fri_pairs_rounds(options))
        pairs->value = FRI_VALUE_REAL;
    return FR_OK;
}

/* Vertices base .. base + n - 1, whatever occurs. */
static fr_status number_all(fr_ctx *ctx, int64_t base, int64_t n, fri_edges *edges) {
    edges->n = (int32_t)n;
    edges->ids.base = base;
    if (base)
        for (int b = 0; b < edges->block_count; b++) {
            fri_block *block = &edges->blocks[b];
#pragma omp parallel for schedule(static) num_threads(ctx->threads)
            for (int64_t i = 0; i < 2 * block->count; i++)
                block->ends[i] -= (int32_t)base;
        }
    return FR_OK;
}

static fr_status number(fr_ctx *ctx, const head *h, const fri_pairs_result *found,
                        fri_edges *edges) {
    if (h->nodes >= 0 && h->nodes <= INT32_MAX && !found->wide) {
        if (found->count == 0 || found->high < h->nodes)
            return number_all(ctx, 0, h->nodes, edges);
        if (found->high == h->nodes && found->low > 0)
            return number_all(ctx, 1, h->nodes, edges);
    }
    return fri_ids_compact(ctx, found, edges);
}

static fr_status check_count(fr_ctx *ctx, const fri_text *text, const head *h, int64_t count) {
    if (count == 0 && (h->nodes < 0 || h->edges > 0))
        return FAIL(FR_FORMAT, h->body, "the file holds no edge");
    if (h->edges >= 0 && count != h->edges && count != 2 * h->edges)
        return FAIL(FR_FORMAT, h->declared, "%lld edges are declared, %lld follow",
                    (long long)h->edges, (long long)count);
    return FR_OK;
}

static fr_status check_head(fr_ctx *ctx, const fri_text *text, const head *h) {
    if (h->nodes > INT32_MAX)
        return FAIL(FR_RANGE, h->declared, "%lld vertices are more than 2147483647",
                    (long long)h->nodes);
    if (h->edges > INT64_C(1) << 40)
        return FAIL(FR_RANGE, h->declared, "%lld edges are more than 2^40", (long long)h->edges);
    return fri_reserve_check(ctx, "the graph", fri_bytes(FRI_MAX(h->nodes, 0) + 1, 8));
}

static fr_status read_snap(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                           fri_edges *edges) {
    head h;
    read_head(text, &h);
    int64_t base = options->id_base ? options->id_base - 1 : 0;
    fri_pairs pairs = {.comments = comments,
                       .first_name = "source",
                       .second_name = "target",
                       .base = base,
                       .n = INT32_MAX,
                       .any_id = !options->id_base};
    fri_pairs_result found = {0};
    fr_status status = check_head(ctx, text, &h);
    if (!status)
        status = choose_weight(ctx, text, &h, options, &pairs);
    if (!status)
        status = fri_pairs_read(ctx, text, h.body, &pairs, edges, &found);
    if (!status)
        status = check_count(ctx, text, &h, found.count);
    if (status || !options->id_base)
        return status ? status : number(ctx, &h, &found, edges);
    int64_t n = found.count ? found.high - base + 1 : 0;
    edges->n = (int32_t)FRI_MAX(n, FRI_MAX(h.nodes, 0));
    edges->ids.base = base;
    return FR_OK;
}

static fr_status read_gap(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                          fri_edges *edges, bool weighted) {
    head h;
    read_head(text, &h);
    fri_value value = weighted ? guess_value(&h, text, 3) : FRI_VALUE_NONE;
    value = fri_pairs_value(options, value);
    if (value == FRI_VALUE_INT && fri_pairs_rounds(options))
        value = FRI_VALUE_REAL;
    fri_pairs pairs = {.comments = comments,
                       .first_name = "source",
                       .second_name = "target",
                       .base = options->id_base ? options->id_base - 1 : 0,
                       .n = INT32_MAX,
                       .weight_column = 3,
                       .value = weighted && value == FRI_VALUE_NONE ? FRI_VALUE_INT : value,
                       .real_if_not_int = true,
                       .exact = true,
                       .forget = options->weights != FR_WEIGHTS_FILE};
    fri_pairs_result found = {0};
    fr_status status = check_head(ctx, text, &h);
    if (!status)
        status = fri_pairs_read(ctx, text, text->data, &pairs, edges, &found);
    if (status)
        return status;
    if (found.count == 0)
        return FAIL(FR_FORMAT, text->data, "the file holds no edge");
    int64_t n = FRI_MAX(found.high - pairs.base + 1, h.nodes);
    edges->n = (int32_t)n;
    edges->ids.base = pairs.base;
    return FR_OK;
}

static fr_status read_el(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                         fri_edges *edges) {
    return read_gap(ctx, text, options, edges, false);
}

static fr_status read_wel(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                          fri_edges *edges) {
    return read_gap(ctx, text, options, edges, true);
}

static int columns(fri_scan scan) {
    int count = 0;
    for (; !fri_scan_at_eol(&scan); count++)
        while (scan.at < scan.end && !fri_is_blank(*scan.at) && *scan.at != '\n')
            scan.at++;
    return count;
}

/* "edge source target length", as the road networks of Li et al. (.cedge): four columns, the first
 * of which counts the lines. Read as an edge list it would give a graph that nobody has. */
static bool is_numbered(const head *h, const fri_text *text) {
    enum { LINES = 8, LEAST = 3 };
    fri_scan scan = {h->body, text->data + text->size};
    int64_t first = 0, id;
    int line = 0;
    for (bool more = true; more && line < LINES && columns(scan) == 4; line++) {
        if (fri_scan_int64(&scan, &id) != FRI_SCAN_OK || (line && id != first + line))
            return false;
        first = line ? first : id;
        more = fri_scan_next_line(&scan);
    }
    return line >= LEAST && (line == LINES || scan.at == scan.end);
}

/* Plain numbers: other formats look the same. */
static int sniff(const fri_text *text) {
    head h;
    read_head(text, &h);
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
    .text = "edge list of any ids, as SNAP's (.txt .csv .tsv .edges .edgelist)",
    .suffixes = snap_suffixes,
    .sniff = sniff,
    .read = read_snap,
    .write = fri_snap_write,
};

const fri_format fri_format_el = {
    .name = "el",
    .text = "GAP edge list, vertices 0 .. greatest id (.el)",
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
