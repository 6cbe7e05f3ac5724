/* Graphs of PBBS, Ligra and GBBS: text (.adj) and binary (.bin).
 *
 * Source: the Problem Based Benchmark Suite, "Graph File Formats"; GBBS, "Graph Formats"; for .bin the README
 *   of PASGAL, "The binary graph format from GBBS".
 * Format: .adj is the word AdjacencyGraph or WeightedAdjacencyGraph, then numbers with white space between
 *   them: n, m, n offsets, m targets and, if weighted, m weights. .bin is int64 n, m and the bytes of the
 *   file, n + 1 offsets (int64), m targets (int32), in the byte order of the machine; the third number tells
 *   such a file from others. Vertices are 0 .. n-1. Neither states whether the graph is undirected: rows are
 *   read as directed.
 * Differs: weights of .adj may be integers or real. A .bin with weights is refused, since their type is not
 *   documented.
 * Idea: threads count the words of their part of the text, so that each knows the place of its first number.
 * Work: two sweeps of the text, three if a weight does not fit int32. Memory: the graph.
 */
#include "io/csr_check.h"
#include "io/format.h"
#include "io/sparse.h"
#include "io/text/digits.h"
#include "io/text/edge_lines.h"
#include "io/text/number_scan.h"

#include <string.h>

static const char plain_word[] = "AdjacencyGraph", weighted_word[] = "WeightedAdjacencyGraph";

typedef struct part {
    const char *begin, *end;
    int64_t first, words;    /* the place of its first word among the numbers; their count */
    fri_weight_kind wider;   /* NONE, or the kind that a weight needs */
    const char *at, *reason; /* the first word that is refused; NULL: none */
    fr_status status;
} part;

typedef struct adjacency {
    int64_t n, m;
    bool weighted;
    const char *counts, *body; /* n; the first offset */
    fri_weight_kind value;
    bool rounds;
    int64_t *offsets;
    int32_t *targets;
    void *weights; /* of `value`; NULL: not read */
} adjacency;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static const char *next_word(const char *at, const char *end) {
    while (at < end && is_space(*at))
        at++;
    return at;
}

static const char *word_end(const char *at, const char *end) {
    while (at < end && !is_space(*at))
        at++;
    return at;
}

/* The first word of the text if it is one of the two; otherwise length 0. */
static fri_word first_word(const fri_input *text) {
    const char *end = text->data + text->size, *at = next_word(text->data, end);
    const fri_word word = {at, (size_t)(word_end(at, end) - at)};
    const bool known = fri_word_is(word, plain_word) || fri_word_is(word, weighted_word);
    return known ? word : (fri_word){at, 0};
}

/* A whole word of at most 18 digits. */
static bool read_count(const char **at, const char *end, int64_t *out) {
    return fri_short_number(at, end, out) && (*at == end || is_space(**at));
}

#define FAIL(status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

static fr_status read_head(fr_ctx *ctx, const fri_input *text, adjacency *a) {
    const char *end = text->data + text->size;
    const fri_word word = first_word(text);
    if (!word.length)
        return FAIL(FR_FORMAT, word.at, "the first word must be %s or %s", plain_word,
                    weighted_word);
    a->weighted = fri_word_is(word, weighted_word);
    a->counts = a->body = next_word(word.at + word.length, end);
    for (int i = 0; i < 2; i++) {
        if (!read_count(&a->body, end, i ? &a->m : &a->n))
            return FAIL(FR_FORMAT, a->body, "expected the number of %s, found \"%.*s\"",
                        i ? "edges" : "vertices", fri_input_word(text, a->body), a->body);
        a->body = next_word(a->body, end);
    }
    static const fri_edge_words edges = {"edge", "edges"};
    fr_status status = fri_check_counts(ctx, text, a->counts, a->n, a->m, edges);
    const int64_t numbers = a->n + a->m * (a->weighted ? 2 : 1);
    if (!status && numbers > (end - a->body + 1) / 2)
        status = FAIL(FR_FORMAT, a->counts,
                      "%lld vertices and %lld edges are declared; the remaining %lld bytes are too "
                      "few",
                      (long long)a->n, (long long)a->m, (long long)(end - a->body));
    return status;
}

static void count_words(part *p) {
    for (const char *at = next_word(p->begin, p->end); at < p->end; at = next_word(at, p->end)) {
        p->words++;
        at = word_end(at, p->end);
    }
}

static void refuse(part *p, fr_status status, const char *at, const char *reason) {
    p->status = status;
    p->at = at;
    p->reason = reason;
}

/* Stores the weight of edge e, or notes the wider kind or the reason. */
static void put_weight(const adjacency *a, part *p, const char *at, const char *end, int64_t e) {
    const int64_t exact = INT64_C(1) << 53; /* doubles hold all integers up to here */
    fri_scan integer = {at, end}, real = {at, end};
    int64_t i = 0;
    double d = 0;
    const fri_scan_status found = fri_scan_int64(&integer, &i);
    const bool whole = integer.at == end && found != FRI_SCAN_NONE;
    if (a->value != FRI_WEIGHT_REAL && whole) {
        if (found == FRI_SCAN_RANGE)
            refuse(p, FR_RANGE, at, "the weight does not fit int64");
        else if (a->value == FRI_WEIGHT_LONG)
            ((int64_t *)a->weights)[e] = i;
        else if (i == (int32_t)i)
            ((int32_t *)a->weights)[e] = (int32_t)i;
        else
            p->wider = FRI_MAX(p->wider, FRI_WEIGHT_LONG);
        return;
    }
    const fri_scan_status number = fri_scan_double(&real, &d);
    if (number == FRI_SCAN_RANGE)
        refuse(p, FR_RANGE, at, "the weight is not a finite number");
    else if (number == FRI_SCAN_NONE || real.at != end)
        refuse(p, FR_FORMAT, at, "expected a weight");
    else if (a->value != FRI_WEIGHT_REAL)
        p->wider = FRI_WEIGHT_REAL;
    else if (whole && !a->rounds && (found == FRI_SCAN_RANGE || i > exact || i < -exact))
        refuse(p, FR_RANGE, at,
               "the weight is beyond 2^53, and other weights are not integers; request float64 "
               "weights to round it");
    else
        ((double *)a->weights)[e] = d;
}

static void put_number(const adjacency *a, part *p, const char *at, const char *end, int64_t k) {
    const int64_t e = k - a->n;
    int64_t value;
    if (e >= a->m) {
        if (a->weights)
            put_weight(a, p, at, end, e - a->m);
        return;
    }
    const char *from = at;
    if (!fri_short_number(&from, end, &value) || from != end)
        refuse(p, FR_FORMAT, at, e < 0 ? "expected an offset" : "expected a target");
    else if (e < 0 && value > a->m)
        refuse(p, FR_FORMAT, at, "the offset exceeds the number of edges");
    else if (e < 0)
        a->offsets[k] = value;
    else if (value >= a->n)
        refuse(p, FR_FORMAT, at, "the target is not below the number of vertices");
    else
        a->targets[e] = (int32_t)value;
}

static void parse(const adjacency *a, part *p) {
    int64_t k = p->first;
    for (const char *at = next_word(p->begin, p->end); at < p->end && !p->reason; k++) {
        const char *end = word_end(at, p->end);
        put_number(a, p, at, end, k);
        at = next_word(end, p->end);
    }
}

static fr_status place(fr_ctx *ctx, const fri_input *text, const adjacency *a, part *parts,
                       int count) {
    const int64_t expected = a->n + a->m * (a->weighted ? 2 : 1);
    int64_t words = 0;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(ctx->threads)
    for (int i = 0; i < count; i++)
        count_words(&parts[i]);
    for (int i = 0; i < count; i++) {
        parts[i].first = words;
        words += parts[i].words;
    }
    return words == expected
               ? FR_OK
               : FAIL(FR_FORMAT, a->counts,
                      "%lld vertices and %lld edges take %lld numbers, %lld follow",
                      (long long)a->n, (long long)a->m, (long long)expected, (long long)words);
}

static size_t weight_bytes(const adjacency *a) { return a->value == FRI_WEIGHT_INT ? 4 : 8; }

/* One sweep; *wider: the kind that the next one needs. */
static fr_status sweep(fr_ctx *ctx, const fri_input *text, const adjacency *a, part *parts,
                       int count, fri_weight_kind *wider) {
    *wider = FRI_WEIGHT_NONE;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(ctx->threads)
    for (int i = 0; i < count; i++) {
        parts[i].wider = FRI_WEIGHT_NONE;
        parse(a, &parts[i]);
    }
    for (int i = 0; i < count; i++) {
        const part *p = &parts[i];
        if (p->reason)
            return FAIL(p->status, p->at, "%s, found \"%.*s\"", p->reason,
                        fri_input_word(text, p->at), p->at);
        *wider = FRI_MAX(*wider, p->wider);
    }
    return fri_progress(ctx, "reading", 1, 1) ? FR_CANCELLED : FR_OK;
}

static fr_status fill(fr_ctx *ctx, const fri_input *text, adjacency *a, bool weights, part *parts,
                      int count) {
    fri_weight_kind wider = a->value = FRI_WEIGHT_INT;
    fr_status status = place(ctx, text, a, parts, count);
    a->offsets = status ? NULL : fri_alloc(ctx, fri_bytes(a->n + 1, sizeof *a->offsets));
    a->targets = a->offsets ? fri_alloc(ctx, fri_bytes(a->m, sizeof *a->targets)) : NULL;
    if (!status && !a->targets)
        return FR_NOMEM;
    while (!status && wider) {
        a->value = wider;
        fri_free(a->weights);
        a->weights = weights ? fri_alloc(ctx, fri_bytes(a->m, weight_bytes(a))) : NULL;
        status = weights && !a->weights ? FR_NOMEM : sweep(ctx, text, a, parts, count, &wider);
    }
    if (!status)
        a->offsets[a->n] = a->m;
    return status;
}

/* Gives the arrays to *out, checked and sorted. */
static fr_status finish(fr_ctx *ctx, const fri_input *text, fri_csr_file *out) {
    const fr_csr *csr = &out->csr;
    if (!fri_csr_is_valid(ctx->threads, csr, fri_csr_all_rows(csr)))
        return fri_fail(ctx, FR_FORMAT,
                        "%s: the offsets do not ascend from 0, or a target is not below the number "
                        "of vertices",
                        text->name);
    fri_csr_sort_rows(ctx->threads, csr);
    return FR_OK;
}

static fr_status read_adj(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_csr_file *out) {
    enum { PIECE = 1 << 20 };
    adjacency a = {.rounds = fri_edge_lines_rounds(options)};
    fr_status status = read_head(ctx, text, &a);
    if (status)
        return status;
    const char *end = text->data + text->size;
    const int count = (int)FRI_MIN((end - a.body) / PIECE + 1, 4096);
    part *parts = fri_calloc(ctx, fri_bytes(count, sizeof *parts));
    const char **cut = fri_alloc(ctx, fri_bytes((int64_t)count + 1, sizeof *cut));
    status = parts && cut ? FR_OK : FR_NOMEM;
    if (!status) {
        fri_scan_cut(a.body, end, count, cut);
        for (int i = 0; i < count; i++)
            parts[i] = (part){.begin = cut[i], .end = cut[i + 1]};
        const bool weights = a.weighted && options->weights == FR_WEIGHTS_FILE;
        status = fill(ctx, text, &a, weights, parts, count);
    }
    fri_free(parts);
    fri_free(cut);
    const fr_type type = !a.weights                   ? FR_TYPE_NONE
                         : a.value == FRI_WEIGHT_INT  ? FR_TYPE_I32
                         : a.value == FRI_WEIGHT_LONG ? FR_TYPE_I64
                                                      : FR_TYPE_F64;
    out->csr = (fr_csr){(int32_t)a.n, a.m, a.offsets, a.targets, a.weights, type, false};
    if (!status)
        status = finish(ctx, text, out);
    if (status)
        fri_csr_file_free(out);
    return status;
}

static int sniff_adj(const fri_input *text) { return first_word(text).length ? 2 : 0; }

/* ---- binary ------------------------------------------------------------------------------- */

enum { HEAD = 24 };

/* The bytes of a file of n vertices and m edges of `entry` bytes; 0: no such file. */
static uint64_t binary_bytes(const uint64_t *head, uint64_t entry) {
    return head[0] <= INT32_MAX && head[1] <= UINT64_C(1) << 40
               ? HEAD + (head[0] + 1) * 8 + head[1] * entry
               : 0;
}

static int sniff_bin(const fri_input *text) {
    uint64_t head[3];
    if (text->size < sizeof head)
        return 0;
    memcpy(head, text->data, sizeof head);
    const bool known = binary_bytes(head, 4) == text->size || binary_bytes(head, 8) == text->size;
    return head[2] == text->size && known ? 2 : 0; /* the suffix alone says nothing */
}

static fr_status check_binary(fr_ctx *ctx, const fri_input *text, uint64_t *head) {
    if (text->size < HEAD)
        return fri_fail(ctx, FR_FORMAT, "%s: byte %zu: the file ends within its header", text->name,
                        text->size);
    memcpy(head, text->data, HEAD);
    const uint64_t bytes = binary_bytes(head, 4);
    if (!bytes)
        return fri_fail(ctx, FR_RANGE,
                        "%s: byte 0: %llu vertices or %llu edges are out of range; a GBBS binary "
                        "graph begins with these counts and the bytes of the file",
                        text->name, (unsigned long long)head[0], (unsigned long long)head[1]);
    if (head[2] == text->size && head[2] == binary_bytes(head, 8))
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: a binary GBBS graph with weights is not supported, since the type of "
                        "its weights is not documented: use a WeightedAdjacencyGraph (.adj)",
                        text->name);
    if (head[2] != text->size || bytes != text->size)
        return fri_fail(ctx, FR_FORMAT,
                        "%s: byte 16: the header says %llu bytes, its counts take %llu, and the "
                        "file has %zu",
                        text->name, (unsigned long long)head[2], (unsigned long long)bytes,
                        text->size);
    return FR_OK;
}

static fr_status read_bin(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_csr_file *out) {
    (void)options;
    uint64_t head[3];
    fr_status status = check_binary(ctx, text, head);
    if (status)
        return status;
    const size_t offset_bytes = (size_t)(head[0] + 1) * 8, target_bytes = (size_t)head[1] * 4;
    int64_t *offsets = fri_alloc(ctx, offset_bytes);
    int32_t *targets = fri_alloc(ctx, target_bytes);
    out->csr = (fr_csr){.n = (int32_t)head[0],
                        .m = (int64_t)head[1],
                        .offsets = offsets,
                        .targets = targets,
                        .weight_type = FR_TYPE_NONE};
    if (offsets && targets) {
        memcpy(offsets, text->data + HEAD, offset_bytes);
        memcpy(targets, text->data + HEAD + offset_bytes, target_bytes);
        status = finish(ctx, text, out);
    } else
        status = FR_NOMEM;
    if (status)
        fri_csr_file_free(out);
    return status;
}

static const char *const adj_suffixes[] = {".adj", NULL};
const fri_format fri_format_adj = {.name = "adj",
                                   .text = "PBBS, Ligra and GBBS adjacency graph (.adj)",
                                   .suffixes = adj_suffixes,
                                   .sniff = sniff_adj,
                                   .read_csr = read_adj};
const fri_format fri_format_bin = {.name = "bin",
                                   .text = "GBBS and PASGAL binary without weights (.bin)",
                                   .sniff = sniff_bin,
                                   .read_csr = read_bin};
