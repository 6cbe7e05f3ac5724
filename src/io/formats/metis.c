/* Graphs of METIS, Chaco and the 10th DIMACS challenge (.graph).
 *
 * Source: G. Karypis: METIS 5.1.0 manual, 2013, section 4.1.1; D. A. Bader, H. Meyerhenke, P.
 *   Sanders, D. Wagner: 10th DIMACS Implementation Challenge: Graph Partitioning and Clustering,
 *   2012.
 * Format: the first line is "n m [fmt [ncon]]", followed by one line per vertex: [size] [weights of
 *   the vertex] neighbor [weight] neighbor [weight] ... with ids 1 .. n. A line that starts with
 *   % is a comment, an empty line a vertex without neighbors. fmt has three digits: sizes, vertex
 *   weights, edge weights. m counts each edge once, the lines contain each edge twice with equal
 *   weight; both are checked. Sizes and weights of vertices are skipped. Edge weights are integers:
 *   int32 if all fit, otherwise int64. Self-loops are not part of the format and are an error;
 *   parallel edges are kept. The challenge gives fmt 100 to graphs with self-loops or parallel edges,
 *   where METIS 5 means sizes: it is a multigraph unless the lines hold n + 2 m numbers. A self-loop is
 *   listed once.
 * Idea: the lines are already rows. A first sweep counts lines and numbers, which gives every chunk
 *   its position in the CSR; a second one writes the rows there.
 * Work: two sweeps over the text, one over the edges; no memory but the CSR.
 */
#include "io/format.h"
#include "io/text/digits.h"
#include "io/results/text_writer.h"
#include "io/csr_check.h"
#include "io/sparse.h"
#include "io/text/number_scan.h"
#include "base/text/number.h"

#include <omp.h>
#include <stdatomic.h>
#include <string.h>

enum { SMALL_PIECE = 64 << 10, PIECES_PER_THREAD = 16 };

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

typedef enum {
    FAULT_NONE,
    FAULT_WIDER, /* a weight needs int64 */
    FAULT_RANGE,
    FAULT_LOOP,
    FAULT_ID,
    FAULT_NOT_INTEGER,
    FAULT_SHORT,
    FAULT_NO_WEIGHT,
    FAULT_EXTRA
} fault_kind;

/* A range of whole lines of the body. */
typedef struct {
    const char *begin, *end;
    int64_t lines, words; /* outside comments */
    int64_t vertex, edge; /* first vertex and first edge of the chunk */
    int64_t capacity;     /* edges, if all lines are valid */
    fault_kind fault;
    const char *at; /* position of the fault */
    int64_t value;
} chunk;

typedef struct {
    int64_t n, m; /* as declared */
    int64_t skip; /* numbers before the neighbors */
    int64_t base; /* the first id */
    bool weighted, ignore_weights, wide_weights;
    bool may_be_multi; /* fmt 100: vertex sizes, or a multigraph of the 10th DIMACS challenge */
    bool multi; /* the latter: with self-loops and parallel edges, and m counts the neighbors */
    const char *first_line, *body; /* the first line, what follows it */
    int64_t lines, stored;         /* vertices that have a line; number of edges in all lines */
    int count;
    chunk *chunks;
} metis;

/* ---- the first line ----------------------------------------------------------------------- */

static const char *skip_comments(const char *at, const char *end) {
    while (at < end && *at == '%')
        at = fri_skip_line(at, end);
    return at;
}

/* Reads up to 4 numbers of one line and where they are; returns their number, or -1 if the line contains
 * something else. */
static int read_numbers(fri_scan *scan, int64_t numbers[4], const char *places[5]) {
    int count = 0;
    while (!fri_scan_at_eol(scan)) {
        places[count] = scan->at; /* the fifth one is in excess */
        if (count == 4 || fri_scan_int64(scan, &numbers[count]) != FRI_SCAN_OK)
            return -1;
        count++;
    }
    return count;
}

static fr_status read_head(fr_ctx *ctx, const fri_input *text, metis *g) {
    const char *end = text->data + text->size;
    fri_scan scan = {skip_comments(text->data, end), end};
    while (scan.at < end && fri_scan_at_eol(&scan)) {
        fri_scan_next_line(&scan);
        scan.at = skip_comments(scan.at, end);
    }
    const char *at = g->first_line = scan.at;
    int64_t number[4] = {0, 0, 0, 1};
    const char *places[5] = {at, at, at, at, at};
    int count = read_numbers(&scan, number, places);
    if (count < 2 || number[0] < 0 || number[1] < 0)
        return FAIL(FR_FORMAT, count < 0 ? scan.at : at,
                    "the line \"vertices edges [fmt [ncon]]\" must come first");
    fri_scan_next_line(&scan);
    int64_t fmt = number[2];
    if (fmt < 0 || fmt > 111 || fmt % 10 > 1 || fmt / 10 % 10 > 1)
        return FAIL(FR_FORMAT, places[2], "fmt %03lld: must be three digits, each 0 or 1",
                    (long long)fmt);
    if (number[3] < 0 || number[3] > 1 << 20)
        return FAIL(FR_RANGE, places[3], "%lld is not a valid number of weights per vertex",
                    (long long)number[3]);
    g->n = number[0];
    g->m = number[1];
    g->weighted = fmt % 10;
    g->skip = fmt / 100 + fmt / 10 % 10 * number[3];
    g->may_be_multi = fmt == 100;
    g->body = scan.at;
    return fri_check_counts(ctx, text, at, g->n, g->m, (fri_edge_words){"edge", "edges"});
}

/* ---- the first sweep ---------------------------------------------------------------------- */

/* Always evaluates all five comparisons, so that the loop over words is vectorized. */
static inline int is_gap(char c) {
    return (c == ' ') | (c == '\t') | (c == ',') | (c == '\r') | (c == '\n');
}

/* The number of words in [at, end); no word crosses these bounds. */
static int64_t count_words(const char *at, const char *end) {
    int64_t words = at < end && !is_gap(*at);
    for (const char *p = at + 1; p < end; p++)
        words += is_gap(p[-1]) & (1 ^ is_gap(*p));
    return words;
}

static int64_t count_newlines(const char *at, const char *end) {
    int64_t lines = 0;
    for (; at < end; at++)
        lines += *at == '\n';
    return lines + (end[-1] != '\n');
}

/* Counts lines and words outside comments. Searches for a comment first: most files have none
 * here. */
static void count(chunk *p) {
    if (p->begin == p->end)
        return;
    if (!memchr(p->begin, '%', (size_t)(p->end - p->begin))) {
        p->lines = count_newlines(p->begin, p->end);
        p->words = count_words(p->begin, p->end);
        return;
    }
    for (const char *at = p->begin, *next; at < p->end; at = next) {
        next = fri_skip_line(at, p->end);
        if (*at != '%') {
            p->lines++;
            p->words += count_words(at, next);
        }
    }
}

/* Cuts the body, counts, and computes each chunk's first vertex and first edge. */
static fr_status place(fr_ctx *ctx, const fri_input *text, metis *g) {
    const char *end = text->data + text->size, **cut;
    int64_t maximum = (end - g->body) / SMALL_PIECE + 1;
    g->count = (int)FRI_MIN(maximum, (int64_t)ctx->threads * PIECES_PER_THREAD);
    g->chunks = fri_calloc(ctx, fri_bytes(g->count, sizeof *g->chunks));
    cut = fri_alloc(ctx, fri_bytes(g->count + 1, sizeof *cut));
    if (!g->chunks || !cut) {
        fri_free(cut);
        return FR_NOMEM;
    }
    fri_scan_cut(g->body, end, g->count, cut);
#pragma omp parallel for num_threads(ctx->threads) schedule(FRI_DYNAMIC, 1)
    for (int i = 0; i < g->count; i++) {
        g->chunks[i].begin = cut[i];
        g->chunks[i].end = cut[i + 1];
        count(&g->chunks[i]);
    }
    fri_free(cut);
    int64_t vertex = 0, edge = 0, words = 0;
    for (int i = 0; i < g->count; i++)
        words += g->chunks[i].words;
    if (g->may_be_multi && words != g->n + 2 * g->m) {
        g->multi = true;
        g->skip = 0;
    }
    for (int i = 0; i < g->count; i++) {
        chunk *p = &g->chunks[i];
        p->vertex = FRI_MIN(vertex, g->n);
        p->edge = edge;
        int64_t own = FRI_MIN(p->lines, g->n - p->vertex);
        p->capacity = FRI_MAX(0, p->words - own * g->skip) / (1 + g->weighted);
        edge += p->capacity;
        vertex += p->lines;
    }
    g->stored = edge;
    /* the line of a last vertex without neighbors may be missing, including its newline */
    if (vertex < g->n - 1)
        return FAIL(FR_FORMAT, g->first_line, "%lld %s declared, %lld %s", (long long)g->n,
                    fri_words(g->n, "vertex is", "vertices are"), (long long)vertex,
                    fri_words(vertex, "line follows", "lines follow"));
    g->lines = vertex;
    return FR_OK;
}

/* ---- a chunk of the second sweep ------------------------------------------------------------ */

typedef struct {
    const metis *g;
    chunk *p;
    const char *at;
    int32_t *targets;
    void *weights;
    int64_t edge, end; /* the next position, and the end of the chunk's range */
} cursor;

static bool fail(cursor *c, fault_kind fault, const char *at, int64_t value) {
    c->p->fault = fault;
    c->p->at = at;
    c->p->value = value;
    return false;
}

/* Reads one number that is followed by a blank or the end; false: a fault is recorded. */
static inline bool read_number(cursor *c, int64_t *out) {
    const char *begin = c->at, *end = c->p->end;
    if (!fri_short_number(&c->at, end, out)) {
        fri_scan scan = {c->at, end};
        fri_scan_status status = fri_scan_int64(&scan, out);
        if (status != FRI_SCAN_OK)
            return fail(c, status == FRI_SCAN_RANGE ? FAULT_RANGE : FAULT_NOT_INTEGER, begin, 0);
        c->at = scan.at;
    }
    if (c->at < end && !fri_is_blank(*c->at) && *c->at != '\n')
        return fail(c, FAULT_NOT_INTEGER, begin, 0);
    return true;
}

static inline bool at_eol(cursor *c) {
    c->at = fri_skip_blanks(c->at, c->p->end);
    return c->at == c->p->end || *c->at == '\n';
}

static inline bool read_weight(cursor *c, int64_t e) {
    int64_t weight;
    const char *begin = c->at;
    if (at_eol(c))
        return fail(c, FAULT_NO_WEIGHT, begin, 0);
    if (!read_number(c, &weight))
        return false;
    if (c->g->ignore_weights)
        return true;
    if (!c->g->wide_weights && (weight < INT32_MIN || weight > INT32_MAX))
        return fail(c, FAULT_WIDER, begin, 0);
    if (e >= c->end)
        return true;
    if (c->g->wide_weights)
        ((int64_t *)c->weights)[e] = weight;
    else
        ((int32_t *)c->weights)[e] = (int32_t)weight;
    return true;
}

/* Parses the line of vertex v, without its newline. If the chunk's range is exceeded, some line is
 * invalid: parsing continues without storing until it finds that line. */
static inline bool read_line(cursor *c, int64_t v) {
    int64_t number;
    for (int64_t i = 0; i < c->g->skip; i++) {
        if (at_eol(c))
            return fail(c, FAULT_SHORT, c->at, 0);
        if (!read_number(c, &number))
            return false;
    }
    while (!at_eol(c)) {
        const char *begin = c->at;
        if (!read_number(c, &number))
            return false;
        if ((uint64_t)number - (uint64_t)c->g->base >= (uint64_t)c->g->n)
            return fail(c, FAULT_ID, begin, number);
        if (number - c->g->base == v && !c->g->multi)
            return fail(c, FAULT_LOOP, begin, number);
        int64_t e = c->edge++;
        if (e < c->end)
            c->targets[e] = (int32_t)(number - c->g->base);
        if (c->g->weighted && !read_weight(c, e))
            return false;
    }
    return true;
}

/* Writes the chunk's rows into csr, and its first fault, if any, into the chunk. */
static void parse_chunk(const metis *g, chunk *p, const fr_csr *csr) {
    int64_t *offsets = (int64_t *)(uintptr_t)csr->offsets;
    cursor c = {g,
                p,
                p->begin,
                (int32_t *)(uintptr_t)csr->targets,
                (void *)(uintptr_t)csr->weights,
                p->edge,
                p->edge + p->capacity};
    p->fault = FAULT_NONE;
    int64_t v = p->vertex;
    while (c.at < p->end) {
        if (*c.at == '%') {
            c.at = fri_skip_line(c.at, p->end);
            continue;
        }
        if (v < g->n) {
            if (!read_line(&c, v))
                return;
            offsets[++v] = c.edge;
        } else if (!at_eol(&c)) {
            fail(&c, FAULT_EXTRA, c.at, 0);
            return;
        }
        c.at += c.at < p->end; /* the newline */
    }
}

/* ---- the second sweep --------------------------------------------------------------------- */

static fr_status allocate(fr_ctx *ctx, metis *g, fri_csr_file *out) {
    fr_csr *csr = &out->csr;
    fri_csr_file_free(out);
    csr->n = (int32_t)g->n;
    csr->m = g->stored;
    csr->symmetric = out->undirected = true;
    csr->weight_type = !g->weighted || g->ignore_weights ? FR_TYPE_NONE
                       : g->wide_weights                 ? FR_TYPE_I64
                                                         : FR_TYPE_I32;
    csr->offsets = fri_alloc(ctx, fri_bytes(g->n + 1, sizeof(int64_t)));
    csr->targets = csr->offsets ? fri_alloc(ctx, fri_bytes(g->stored, sizeof(int32_t))) : NULL;
    size_t size = fr_type_size(csr->weight_type);
    csr->weights = csr->targets && size ? fri_alloc(ctx, fri_bytes(g->stored, size)) : NULL;
    return csr->targets && (!size || csr->weights) ? FR_OK : FR_NOMEM;
}

static fr_status parse(fr_ctx *ctx, metis *g, fri_csr_file *out) {
    atomic_bool stop = false;
    bool cancelled = false;
    const fr_csr *csr = &out->csr;
#pragma omp parallel for num_threads(ctx->threads) schedule(FRI_DYNAMIC, 1)
    for (int i = 0; i < g->count; i++) {
        /* relaxed: noticing it late only wastes one chunk of work */
        if (atomic_load_explicit(&stop, memory_order_relaxed))
            continue;
        parse_chunk(g, &g->chunks[i], csr);
        if (omp_get_thread_num() == 0 && fri_progress(ctx, "reading", i, g->count)) {
            cancelled = true; /* written by thread 0 only */
            atomic_store_explicit(&stop, true, memory_order_relaxed);
        }
    }
    if (cancelled)
        return FR_CANCELLED;
    int64_t *offsets = (int64_t *)(uintptr_t)csr->offsets;
    offsets[0] = 0;
    if (g->lines < g->n) /* the missing last line */
        offsets[g->n] = g->stored;
    return FR_OK;
}

static const char *const texts[] = {
    [FAULT_SHORT] = "the line is shorter than the size and weights of its vertex",
    [FAULT_NO_WEIGHT] = "a neighbor has no weight",
    [FAULT_EXTRA] = "more lines than vertices are declared",
};

/* Reports the first failure in text order, so that the message does not depend on the number of
 * threads. */
static fr_status report_first_fault(fr_ctx *ctx, const fri_input *text, const metis *g,
                                    bool *wider) {
    *wider = false;
    for (int i = 0; i < g->count; i++) {
        const chunk *p = &g->chunks[i];
        if (p->fault == FAULT_WIDER)
            *wider = true;
        else if (p->fault == FAULT_RANGE)
            return FAIL(FR_RANGE, p->at, "a number is out of range");
        else if (p->fault == FAULT_LOOP)
            return FAIL(FR_FORMAT, p->at,
                        "vertex %lld lists itself, but the format has no self-loops",
                        (long long)p->value);
        else if (p->fault == FAULT_ID)
            return FAIL(FR_FORMAT, p->at, "neighbor %lld is outside %lld..%lld",
                        (long long)p->value, (long long)g->base, (long long)(g->base + g->n - 1));
        else if (p->fault == FAULT_NOT_INTEGER)
            return FAIL(FR_FORMAT, p->at, "expected an integer, found \"%.*s\"",
                        fri_input_word(text, p->at), p->at);
        else if (p->fault != FAULT_NONE)
            return FAIL(FR_FORMAT, p->at, "%s", texts[p->fault]);
    }
    return FR_OK;
}

/* In a multigraph m counts the neighbors in all lines, with or without the self-loops: the challenge's page
 * says "the sum of the vertex degrees". */
static bool counts_hold(const metis *g, int64_t stored, int64_t loops) {
    return g->multi ? stored == g->m || stored - loops == g->m : stored == 2 * g->m;
}

static int64_t count_loops(const fr_csr *csr) {
    int64_t loops = 0;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            loops += csr->targets[e] == u;
    return loops;
}

static fr_status check(fr_ctx *ctx, const fri_input *text, const metis *g, const fr_csr *csr) {
    if (!counts_hold(g, g->stored, g->multi ? count_loops(csr) : 0))
        return FAIL(FR_FORMAT, g->first_line, "%lld %s declared, the lines list %lld %s",
                    (long long)g->m, fri_words(g->m, "edge is", "edges are"), (long long)g->stored,
                    fri_words(g->stored, "neighbor", "neighbors"));
    fri_csr_sort_rows(ctx->threads, csr);
    int32_t from, to;
    if (!fri_csr_is_mirrored(ctx->threads, csr) && fri_csr_find_unmirrored(csr, &from, &to))
        return fri_fail(ctx, FR_FORMAT, "%s: the line of vertex %lld has no edge %lld-%lld %s",
                        text->name, (long long)(to + g->base), (long long)(from + g->base),
                        (long long)(to + g->base), "that matches the other endpoint's line");
    return FR_OK;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_csr_file *out) {
    metis g = {.base = options->id_base ? options->id_base - 1 : 1,
               .ignore_weights = options->weights != FR_WEIGHTS_FILE};
    fr_status status = read_head(ctx, text, &g);
    if (!status)
        status = place(ctx, text, &g);
    bool again = true;
    while (!status && again) {
        status = allocate(ctx, &g, out);
        if (!status)
            status = parse(ctx, &g, out);
        if (!status)
            status = report_first_fault(ctx, text, &g, &again);
        g.wide_weights = true;
    }
    if (!status)
        status = check(ctx, text, &g, &out->csr);
    out->ids.base = g.base;
    fri_free(g.chunks);
    if (status)
        fri_csr_file_free(out);
    return status;
}

/* Whether a line of text lists neighbors of `vertex`; adds their number to *found. */
static bool is_row(const metis *g, fri_scan *scan, int64_t vertex, int64_t *found, int64_t *loops) {
    int64_t number, words = 0;
    for (; !fri_scan_at_eol(scan); words++) {
        if (fri_scan_int64(scan, &number) != FRI_SCAN_OK)
            return false;
        const int64_t place = words - g->skip;
        const bool neighbor = place >= 0 && !(g->weighted && place % 2);
        if (!neighbor)
            continue;
        *loops += number == vertex;
        if (number < 1 || number > g->n || ++*found > 2 * g->m || (*loops && !g->multi))
            return false;
    }
    return words >= g->skip;
}

/* Whether the first line counts what the others hold. An edge list would have to begin with "k k", before k
 * lines with vertices up to k, or the like. */
static bool counts_agree(const metis *g, const char *end) {
    fri_scan scan = {g->body, end};
    int64_t lines = 0, found = 0, loops = 0;
    while (scan.at < end) {
        if (*scan.at == '%') {
            scan.at = fri_skip_line(scan.at, end);
            continue;
        }
        /* the reader ignores blank lines at the end, too */
        const bool is_blank = lines == g->n && fri_scan_at_eol(&scan);
        if (!is_blank && (++lines > g->n || !is_row(g, &scan, lines, &found, &loops)))
            return false;
        fri_scan_next_line(&scan);
    }
    return lines == g->n && counts_hold(g, found, loops);
}

static int sniff(const fri_input *text) {
    metis g = {0};
    const char *end = text->data + text->size;
    if (read_head(NULL, text, &g) || g.m <= 0)
        return 0;
    if (counts_agree(&g, end))
        return 1;
    g.multi = g.may_be_multi;
    g.skip = 0;
    return g.multi && counts_agree(&g, end);
}

/* ---- writing ------------------------------------------------------------------------------ */

static fr_status check_writable(fr_ctx *ctx, const fr_csr *csr) {
    if (!csr->symmetric)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "a METIS graph must be undirected; this one is directed");
    if (csr->weight_type == FR_TYPE_F32 || csr->weight_type == FR_TYPE_F64)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "the weights of a METIS graph must be integers, not %s",
                        fr_type_name(csr->weight_type));
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (csr->targets[e] == u)
                return fri_fail(ctx, FR_UNSUPPORTED,
                                "a METIS graph must have no self-loops; vertex %d has one", u + 1);
    return FR_OK;
}

static fr_status write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    fr_status status = check_writable(ctx, csr);
    if (status)
        return status;
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, csr->n);
    fri_write_edge(&writer, csr->n, csr->m / 2, ' ');
    fri_write_text(&writer, csr->weights ? " 1\n" : "\n");
    for (int32_t u = 0; u < csr->n; u++) {
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            if (e > csr->offsets[u])
                fri_write_char(&writer, ' ');
            fri_write_int(&writer, csr->targets[e] + INT64_C(1));
            if (csr->weights) {
                fri_write_char(&writer, ' ');
                fri_write_weight(&writer, csr, e);
            }
        }
        fri_write_char(&writer, '\n');
    }
    return fri_text_writer_finish(&writer);
}

static const char *const suffixes[] = {".graph", ".metis", ".mgraph", ".chaco", NULL};
const fri_format fri_format_metis = {
    .name = "metis",
    .text = "METIS, Chaco and 10th DIMACS challenge (.graph)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read_csr = read,
    .write = write,
};
