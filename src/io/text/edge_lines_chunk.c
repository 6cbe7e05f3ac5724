/* Parses one chunk of a text of lines "id id [columns]".
 *
 * Idea: a line has about ten bytes, so any work besides the digits is noticeable. The loop is
 *   therefore compiled once per representation of ids and weights, and rare cases (a sign, a long
 *   number, a fraction) are handled by a function call. */
#include "io/text/edge_lines_chunk.h"
#include "io/text/digits.h"
#include "io/text/number_scan.h"

#include <math.h>

static fri_parse_result failed(fri_edge_lines_chunk *p, const char *at, fri_parse_fault how) {
    p->at = at;
    p->fault = how;
    return p->verdict = FRI_PARSE_FAILED;
}

/* The begin of the word that ends at `at` or contains it. Not inlined where numbers are read. */
static __attribute__((noinline, cold)) const char *word_begin(const fri_edge_lines_chunk *p,
                                                              const char *at) {
    while (at > p->begin && !fri_is_blank(at[-1]) && at[-1] != '\n')
        at--;
    return at;
}

/* A number that does not end at the end of its word; which: the name of the id, NULL for a
 * weight. */
static __attribute__((noinline)) fri_parse_result no_gap(fri_edge_lines_chunk *p, const char *at,
                                                         const char *which) {
    p->which = which;
    return failed(p, word_begin(p, at), FRI_FAULT_NO_SEPARATOR);
}

static __attribute__((noinline)) bool two_separators(const fri_edge_lines_job *j, const char *at,
                                                     const char *end) {
    int commas = 0, tabs = 0;
    for (; at < end; at++) {
        commas += *at == ',';
        tabs += *at == '\t';
    }
    return commas > 1 || (tabs > 1 && j->format->single_tabs);
}

/* Commas count as blanks, so an empty column would go unnoticed and shift the columns after it. */
static inline bool empty_column(const fri_edge_lines_job *j, const char *at, const char *end) {
    return end - at > 1 && two_separators(j, at, end);
}

static inline fri_parse_result read_id(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                                       const char **at, const char *name, bool wide_ids,
                                       int64_t *id) {
    if (!fri_short_number(at, p->end, id)) {
        fri_scan scan = {*at, p->end};
        fri_scan_status status = fri_scan_int64(&scan, id);
        if (status != FRI_SCAN_OK) {
            p->which = name;
            return failed(p, *at,
                          status == FRI_SCAN_NONE ? FRI_FAULT_NO_ID : FRI_FAULT_ID_OVERFLOW);
        }
        *at = scan.at;
    }
    if (!wide_ids && (uint64_t)*id - (uint64_t)j->format->base >= (uint64_t)j->format->n) {
        if (j->format->any_id)
            return FRI_PARSE_WIDER_IDS;
        p->which = name;
        p->id = *id;
        return failed(p, word_begin(p, *at), FRI_FAULT_ID_RANGE);
    }
    return FRI_PARSE_OK;
}

static inline fri_parse_result read_int(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                                        const char **at, fri_weight_kind kind, int64_t *value) {
    const bool wide = kind == FRI_WEIGHT_LONG;
    const int64_t minimum = wide ? INT64_MIN : INT32_MIN;
    const char *q = *at;
    if (fri_short_number(&q, p->end, value) && (wide || *value <= INT32_MAX) &&
        (q == p->end || fri_is_blank(*q) || *q == '\n')) {
        *at = q;
        return FRI_PARSE_OK;
    }
    fri_scan scan = {*at, p->end};
    fri_scan_status status = fri_scan_int64(&scan, value);
    bool whole = scan.at == p->end || fri_is_blank(*scan.at) || *scan.at == '\n';
    if (status == FRI_SCAN_NONE || (status == FRI_SCAN_OK && !whole)) {
        fri_scan real = {*at, p->end};
        double ignored;
        if (fri_scan_double(&real, &ignored) == FRI_SCAN_NONE)
            return failed(p, *at, FRI_FAULT_NO_WEIGHT);
        return j->format->real_if_not_int ? FRI_PARSE_REAL_WEIGHTS
                                          : failed(p, *at, FRI_FAULT_NOT_INTEGER);
    }
    bool fits = status == FRI_SCAN_OK && *value >= minimum + j->format->no_negation;
    if (!wide && (!fits || *value > INT32_MAX))
        return FRI_PARSE_WIDER_WEIGHTS;
    if (!fits)
        return j->format->rounds ? FRI_PARSE_REAL_WEIGHTS : failed(p, *at, FRI_FAULT_WEIGHT_LARGE);
    *at = scan.at;
    return FRI_PARSE_OK;
}

/* If a non-integer weight made all weights double, a double must represent each integer exactly; in
 * an integer field only integers are allowed. */
static __attribute__((noinline)) fri_parse_result check_integer(const fri_edge_lines_job *j,
                                                                fri_edge_lines_chunk *p,
                                                                const char *at, const char *end) {
    const int64_t bound = INT64_C(1) << 53;
    fri_scan scan = {at, p->end};
    int64_t value = 0;
    fri_scan_status status = fri_scan_int64(&scan, &value);
    if (scan.at != end || status == FRI_SCAN_NONE)
        return j->format->real_if_not_int ? FRI_PARSE_OK : failed(p, at, FRI_FAULT_NOT_INTEGER);
    bool held = status == FRI_SCAN_OK && value <= bound && value >= -bound;
    return held || j->format->rounds ? FRI_PARSE_OK : failed(p, at, FRI_FAULT_WEIGHT_MIXED);
}

static inline fri_parse_result read_real(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                                         const char **at, double *value) {
    fri_scan scan = {*at, p->end};
    fri_scan_status status = fri_scan_double(&scan, value);
    if (status != FRI_SCAN_OK)
        return failed(p, *at,
                      status == FRI_SCAN_NONE ? FRI_FAULT_NO_WEIGHT : FRI_FAULT_WEIGHT_RANGE);
    /* an integer beyond 2^53 rounds to 2^53 or more */
    bool doubtful = !j->format->real_if_not_int || fabs(*value) >= 0x1p53;
    if (j->forced_real && doubtful && check_integer(j, p, *at, scan.at) != FRI_PARSE_OK)
        return FRI_PARSE_FAILED;
    *at = scan.at;
    return FRI_PARSE_OK;
}

/* Skips the columns before the weight; NULL: one is empty, and the fault is recorded. */
static __attribute__((noinline)) const char *to_weight(const fri_edge_lines_job *j,
                                                       fri_edge_lines_chunk *p, const char *at) {
    const char *q = fri_skip_blanks(at, p->end);
    bool empty = empty_column(j, at, q);
    for (int column = 3; column < j->format->weight_column && q < p->end && *q != '\n'; column++) {
        while (q < p->end && !fri_is_blank(*q) && *q != '\n')
            q++;
        at = q;
        q = fri_skip_blanks(q, p->end);
        empty |= empty_column(j, at, q);
    }
    if (empty)
        failed(p, q, FRI_FAULT_EMPTY_COLUMN);
    return empty ? NULL : q;
}

/* Reads the rest of a line, after its two ids, into entry i. */
static inline fri_parse_result read_value(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                                          const char **at, fri_weight_kind kind, int64_t i) {
    const char *q = fri_skip_blanks(*at, p->end);
    if (q - *at > 1 || j->format->weight_column > 3)
        q = to_weight(j, p, *at);
    if (!q)
        return FRI_PARSE_FAILED;
    if (q == *at && q < p->end && *q != '\n')
        return no_gap(p, q, j->format->second_name);
    fri_parse_result v;
    if (kind != FRI_WEIGHT_REAL) {
        int64_t value = 0;
        v = read_int(j, p, &q, kind, &value);
        if (v == FRI_PARSE_OK && p->block->weights && kind == FRI_WEIGHT_LONG)
            ((int64_t *)p->block->weights)[i] = value;
        else if (v == FRI_PARSE_OK && p->block->weights)
            ((int32_t *)p->block->weights)[i] = (int32_t)value;
    } else {
        double value = 0;
        v = read_real(j, p, &q, &value);
        if (v == FRI_PARSE_OK && p->block->weights)
            ((double *)p->block->weights)[i] = value;
    }
    if (v == FRI_PARSE_OK)
        *at = q;
    return v;
}

/* Skips at most `left` unused columns. */
static __attribute__((noinline)) fri_parse_result skip_columns(fri_edge_lines_chunk *p,
                                                               const char **at, int left) {
    const char *q = *at;
    for (; q < p->end && *q != '\n'; left--) {
        if (left <= 0)
            return failed(p, q, FRI_FAULT_MORE_COLUMNS);
        while (q < p->end && !fri_is_blank(*q) && *q != '\n')
            q++;
        q = fri_skip_blanks(q, p->end);
    }
    *at = q + (q < p->end);
    return FRI_PARSE_OK;
}

static __attribute__((noinline)) bool has_comma(const char *at, const char *end) {
    const char *next = fri_skip_line(at, end);
    return memchr(at, ',', (size_t)(next - at)) != NULL;
}

static inline fri_parse_result end_line(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                                        fri_weight_kind kind, const char *begin, const char **at) {
    const char *q = fri_skip_blanks(*at, p->end);
    if (q < p->end && *q != '\n') {
        if (q == *at)
            return no_gap(p, q, kind == FRI_WEIGHT_NONE ? j->format->second_name : NULL);
        if (j->format->exact)
            return failed(p, q, FRI_FAULT_TRAILING);
        if (j->format->no_commas && has_comma(begin, p->end))
            return failed(p, q, FRI_FAULT_COMMA);
        *at = q;
        if (j->format->columns)
            return skip_columns(p, at,
                                j->format->columns -
                                    (kind == FRI_WEIGHT_NONE ? 2 : j->format->weight_column));
        q = fri_skip_line(q, p->end);
    } else
        q += q < p->end;
    *at = q;
    return FRI_PARSE_OK;
}

/* True if the line at *at is empty; *at then points after it, otherwise to its first byte. */
static inline bool empty_line(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                              const char **at) {
    const char *q = fri_skip_blanks(*at, p->end);
    *at = q;
    if (q == p->end || fri_is_digit(*q))
        return q == p->end;
    if (*q != '\n' && !strchr(j->format->comments, *q ? *q : ' '))
        return false;
    *at = fri_skip_line(q, p->end);
    return true;
}

/* Skips the word that identifies the line type. */
static inline fri_parse_result skip_lead(const fri_edge_lines_job *j, fri_edge_lines_chunk *p,
                                         const char **at) {
    const char *q = *at;
    if (*q != j->format->lead || p->end - q < 2 || !fri_is_blank(q[1]))
        return failed(p, q, FRI_FAULT_NO_PREFIX);
    *at = fri_skip_blanks(q + 1, p->end);
    return FRI_PARSE_OK;
}

/* Compiled once per representation: `wide_ids` and `kind` are constants at each call site. */
static inline __attribute__((always_inline)) fri_parse_result
parse(const fri_edge_lines_job *j, fri_edge_lines_chunk *p, bool wide_ids, fri_weight_kind kind) {
    const char *at = p->begin, *end = p->end;
    int32_t *narrow = p->block->ends;
    int64_t *broad = (int64_t *)(void *)p->block->ends;
    int64_t base = j->format->base, low = INT64_MAX, high = INT64_MIN, i = 0;
    fri_parse_result v = FRI_PARSE_OK;
    while (at < end && v == FRI_PARSE_OK) {
        int64_t a, b;
        const char *begin = at;
        if (empty_line(j, p, &at))
            continue;
        if (at > begin && memchr(begin, ',', (size_t)(at - begin))) {
            v = failed(p, at, FRI_FAULT_EMPTY_COLUMN);
            break;
        }
        if (i == p->lines) {
            v = FRI_PARSE_BLOCK_FULL;
            break;
        }
        if (j->format->lead && (v = skip_lead(j, p, &at)) != FRI_PARSE_OK)
            break;
        v = read_id(j, p, &at, j->format->first_name, wide_ids, &a);
        if (v != FRI_PARSE_OK)
            break;
        const char *q = fri_skip_blanks(at, end);
        if (q == at && q < end && *q != '\n') {
            v = no_gap(p, q, j->format->first_name);
            break;
        }
        if (empty_column(j, at, q)) {
            v = failed(p, q, FRI_FAULT_EMPTY_COLUMN);
            break;
        }
        at = q;
        v = read_id(j, p, &at, j->format->second_name, wide_ids, &b);
        if (v != FRI_PARSE_OK)
            break;
        if (kind != FRI_WEIGHT_NONE && (v = read_value(j, p, &at, kind, i)) != FRI_PARSE_OK)
            break;
        v = end_line(j, p, kind, begin, &at);
        if (wide_ids) {
            broad[2 * i] = a;
            broad[2 * i + 1] = b;
        } else {
            narrow[2 * i] = (int32_t)(a - base);
            narrow[2 * i + 1] = (int32_t)(b - base);
        }
        i++;
        low = FRI_MIN(low, FRI_MIN(a, b));
        high = FRI_MAX(high, FRI_MAX(a, b));
    }
    p->block->count = i;
    p->low = low;
    p->high = high;
    return p->verdict = v;
}

fri_parse_result fri_edge_lines_chunk_parse(const fri_edge_lines_job *j, fri_edge_lines_chunk *p) {
    if (j->wide_ids)
        return j->value == FRI_WEIGHT_NONE   ? parse(j, p, true, FRI_WEIGHT_NONE)
               : j->value == FRI_WEIGHT_INT  ? parse(j, p, true, FRI_WEIGHT_INT)
               : j->value == FRI_WEIGHT_LONG ? parse(j, p, true, FRI_WEIGHT_LONG)
                                             : parse(j, p, true, FRI_WEIGHT_REAL);
    return j->value == FRI_WEIGHT_NONE   ? parse(j, p, false, FRI_WEIGHT_NONE)
           : j->value == FRI_WEIGHT_INT  ? parse(j, p, false, FRI_WEIGHT_INT)
           : j->value == FRI_WEIGHT_LONG ? parse(j, p, false, FRI_WEIGHT_LONG)
                                         : parse(j, p, false, FRI_WEIGHT_REAL);
}
