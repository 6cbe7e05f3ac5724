/* One piece of a text of lines "id id [columns]".
 *
 * Idea: a line of ten bytes or so leaves no room for anything beside the digits: the loop is
 * compiled once for each form of ids and weights, and a rare form (a sign, a long number, a
 * fraction) leaves it through a function call.
 */
#include "io/piece.h"
#include "io/digits.h"
#include "io/scan.h"

static fri_verdict failed(fri_piece *p, const char *at, fri_fault how) {
    p->at = at;
    p->fault = how;
    return p->verdict = FRI_FAILED;
}

/* A number that does not end where its word ends; which: the name of the id, NULL for a weight. */
static __attribute__((noinline)) fri_verdict no_gap(fri_piece *p, const char *at,
                                                    const char *which) {
    while (at > p->begin && !fri_is_blank(at[-1]) && at[-1] != '\n')
        at--;
    p->which = which;
    return failed(p, at, FRI_NO_GAP);
}

static __attribute__((noinline)) bool two_commas(const char *at, const char *behind) {
    int commas = 0;
    for (; at < behind; at++)
        commas += *at == ',';
    return commas > 1;
}

/* Commas are blanks, so that an empty column would pass for none and shift those behind it. */
static inline bool empty_column(const char *at, const char *behind) {
    return behind - at > 1 && two_commas(at, behind);
}

static inline fri_verdict read_id(const fri_pairs_job *j, fri_piece *p, const char **at,
                                  const char *name, bool wide, int64_t *id) {
    if (!fri_short_number(at, p->end, id)) {
        fri_scan scan = {*at, p->end};
        fri_scan_status status = fri_scan_int64(&scan, id);
        if (status != FRI_SCAN_OK) {
            p->which = name;
            return failed(p, *at, status == FRI_SCAN_NONE ? FRI_NO_ID : FRI_ID_OVERFLOW);
        }
        *at = scan.at;
    }
    if (!wide && (uint64_t)*id - (uint64_t)j->pairs->base >= (uint64_t)j->pairs->n) {
        if (j->pairs->any_id)
            return FRI_WIDER_IDS;
        p->which = name;
        p->id = *id;
        return failed(p, *at, FRI_ID_RANGE);
    }
    return FRI_FINE;
}

static inline fri_verdict read_int(const fri_pairs_job *j, fri_piece *p, const char **at,
                                   fri_value kind, int64_t *value) {
    const bool wide = kind == FRI_VALUE_LONG;
    const int64_t least = wide ? INT64_MIN : INT32_MIN;
    const char *q = *at;
    if (fri_short_number(&q, p->end, value) && (wide || *value <= INT32_MAX) &&
        (q == p->end || fri_is_blank(*q) || *q == '\n')) {
        *at = q;
        return FRI_FINE;
    }
    fri_scan scan = {*at, p->end};
    fri_scan_status status = fri_scan_int64(&scan, value);
    bool whole = scan.at == p->end || fri_is_blank(*scan.at) || *scan.at == '\n';
    if (status == FRI_SCAN_NONE || (status == FRI_SCAN_OK && !whole)) {
        fri_scan real = {*at, p->end};
        double ignored;
        if (fri_scan_double(&real, &ignored) == FRI_SCAN_NONE)
            return failed(p, *at, FRI_NO_VALUE);
        return j->pairs->real_if_not_int ? FRI_REAL_VALUES : failed(p, *at, FRI_NOT_WHOLE);
    }
    bool fits = status == FRI_SCAN_OK && *value >= least + j->pairs->no_negation;
    if (!wide && (!fits || *value > INT32_MAX))
        return FRI_WIDER_VALUES;
    if (!fits)
        return j->pairs->rounds ? FRI_REAL_VALUES : failed(p, *at, FRI_VALUE_LARGE);
    *at = scan.at;
    return FRI_FINE;
}

/* Where a weight that is no integer made all weights double, integers must be such that a double
 * holds exactly, and in a field of integers nothing else may stand. */
static fri_verdict check_integer(const fri_pairs_job *j, fri_piece *p, const char *at,
                                 const char *behind) {
    const int64_t bound = INT64_C(1) << 53;
    fri_scan scan = {at, p->end};
    int64_t value = 0;
    fri_scan_status status = fri_scan_int64(&scan, &value);
    if (scan.at != behind || status == FRI_SCAN_NONE)
        return j->pairs->real_if_not_int ? FRI_FINE : failed(p, at, FRI_NOT_WHOLE);
    bool held = status == FRI_SCAN_OK && value <= bound && value >= -bound;
    return held || j->pairs->rounds ? FRI_FINE : failed(p, at, FRI_VALUE_MIXED);
}

static inline fri_verdict read_real(const fri_pairs_job *j, fri_piece *p, const char **at,
                                    double *value) {
    fri_scan scan = {*at, p->end};
    fri_scan_status status = fri_scan_double(&scan, value);
    if (status != FRI_SCAN_OK)
        return failed(p, *at, status == FRI_SCAN_NONE ? FRI_NO_VALUE : FRI_VALUE_RANGE);
    if (j->forced_real && check_integer(j, p, *at, scan.at) != FRI_FINE)
        return FRI_FAILED;
    *at = scan.at;
    return FRI_FINE;
}

/* Over the columns before the weight; NULL: one is empty, as is noted. */
static __attribute__((noinline)) const char *to_weight(const fri_pairs_job *j, fri_piece *p,
                                                       const char *at) {
    const char *q = fri_skip_blanks(at, p->end);
    bool empty = empty_column(at, q);
    for (int column = 3; column < j->pairs->weight_column && q < p->end && *q != '\n'; column++) {
        while (q < p->end && !fri_is_blank(*q) && *q != '\n')
            q++;
        at = q;
        q = fri_skip_blanks(q, p->end);
        empty |= empty_column(at, q);
    }
    if (empty)
        failed(p, q, FRI_EMPTY_COLUMN);
    return empty ? NULL : q;
}

/* Reads the rest of a line whose two ids are known into entry i. */
static inline fri_verdict read_value(const fri_pairs_job *j, fri_piece *p, const char **at,
                                     fri_value kind, int64_t i) {
    const char *q = fri_skip_blanks(*at, p->end);
    if (q - *at > 1 || j->pairs->weight_column > 3)
        q = to_weight(j, p, *at);
    if (!q)
        return FRI_FAILED;
    if (q == *at && q < p->end && *q != '\n')
        return no_gap(p, q, j->pairs->second_name);
    fri_verdict v;
    if (kind != FRI_VALUE_REAL) {
        int64_t value = 0;
        v = read_int(j, p, &q, kind, &value);
        if (v == FRI_FINE && p->block->weights && kind == FRI_VALUE_LONG)
            ((int64_t *)p->block->weights)[i] = value;
        else if (v == FRI_FINE && p->block->weights)
            ((int32_t *)p->block->weights)[i] = (int32_t)value;
    } else {
        double value = 0;
        v = read_real(j, p, &q, &value);
        if (v == FRI_FINE && p->block->weights)
            ((double *)p->block->weights)[i] = value;
    }
    if (v == FRI_FINE)
        *at = q;
    return v;
}

/* Over the columns that are not read, of which there may be `left`. */
static __attribute__((noinline)) fri_verdict skip_columns(fri_piece *p, const char **at, int left) {
    const char *q = *at;
    for (; q < p->end && *q != '\n'; left--) {
        if (left <= 0)
            return failed(p, q, FRI_MORE_COLUMNS);
        while (q < p->end && !fri_is_blank(*q) && *q != '\n')
            q++;
        q = fri_skip_blanks(q, p->end);
    }
    *at = q + (q < p->end);
    return FRI_FINE;
}

static inline fri_verdict end_line(const fri_pairs_job *j, fri_piece *p, fri_value kind,
                                   const char **at) {
    const char *q = fri_skip_blanks(*at, p->end);
    if (q < p->end && *q != '\n') {
        if (q == *at)
            return no_gap(p, q, kind == FRI_VALUE_NONE ? j->pairs->second_name : NULL);
        if (j->pairs->exact)
            return failed(p, q, FRI_TRAILING);
        *at = q;
        if (j->pairs->columns)
            return skip_columns(
                p, at, j->pairs->columns - (kind == FRI_VALUE_NONE ? 2 : j->pairs->weight_column));
        q = fri_skip_line(q, p->end);
    } else
        q += q < p->end;
    *at = q;
    return FRI_FINE;
}

/* True when the line at *at holds nothing; *at then stands behind it, else on its first byte. */
static inline bool empty_line(const fri_pairs_job *j, fri_piece *p, const char **at) {
    const char *q = fri_skip_blanks(*at, p->end);
    *at = q;
    if (q == p->end || fri_is_digit(*q))
        return q == p->end;
    if (*q != '\n' && !strchr(j->pairs->comments, *q ? *q : ' '))
        return false;
    *at = fri_skip_line(q, p->end);
    return true;
}

/* Over the word that says what the line is. */
static inline fri_verdict skip_lead(const fri_pairs_job *j, fri_piece *p, const char **at) {
    const char *q = *at;
    if (*q != j->pairs->lead || p->end - q < 2 || !fri_is_blank(q[1]))
        return failed(p, q, FRI_NO_LEAD);
    *at = fri_skip_blanks(q + 1, p->end);
    return FRI_FINE;
}

/* Compiled once for each form: `wide` and `kind` are constants where it is called. */
static inline __attribute__((always_inline)) fri_verdict parse(const fri_pairs_job *j, fri_piece *p,
                                                               bool wide, fri_value kind) {
    const char *at = p->begin, *end = p->end;
    int32_t *narrow = p->block->ends;
    int64_t *broad = (int64_t *)(void *)p->block->ends;
    int64_t base = j->pairs->base, low = INT64_MAX, high = INT64_MIN, i = 0;
    fri_verdict v = FRI_FINE;
    while (at < end && v == FRI_FINE) {
        int64_t a, b;
        const char *begin = at;
        if (empty_line(j, p, &at))
            continue;
        if (at > begin && memchr(begin, ',', (size_t)(at - begin))) {
            v = failed(p, at, FRI_EMPTY_COLUMN);
            break;
        }
        if (i == p->lines) {
            v = FRI_NO_ROOM;
            break;
        }
        if (j->pairs->lead && (v = skip_lead(j, p, &at)) != FRI_FINE)
            break;
        v = read_id(j, p, &at, j->pairs->first_name, wide, &a);
        if (v != FRI_FINE)
            break;
        const char *q = fri_skip_blanks(at, end);
        if (q == at && q < end && *q != '\n') {
            v = no_gap(p, q, j->pairs->first_name);
            break;
        }
        if (empty_column(at, q)) {
            v = failed(p, q, FRI_EMPTY_COLUMN);
            break;
        }
        at = q;
        v = read_id(j, p, &at, j->pairs->second_name, wide, &b);
        if (v != FRI_FINE)
            break;
        if (kind != FRI_VALUE_NONE && (v = read_value(j, p, &at, kind, i)) != FRI_FINE)
            break;
        v = end_line(j, p, kind, &at);
        if (wide) {
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

fri_verdict fri_piece_parse(const fri_pairs_job *j, fri_piece *p) {
    if (j->wide)
        return j->value == FRI_VALUE_NONE   ? parse(j, p, true, FRI_VALUE_NONE)
               : j->value == FRI_VALUE_INT  ? parse(j, p, true, FRI_VALUE_INT)
               : j->value == FRI_VALUE_LONG ? parse(j, p, true, FRI_VALUE_LONG)
                                            : parse(j, p, true, FRI_VALUE_REAL);
    return j->value == FRI_VALUE_NONE   ? parse(j, p, false, FRI_VALUE_NONE)
           : j->value == FRI_VALUE_INT  ? parse(j, p, false, FRI_VALUE_INT)
           : j->value == FRI_VALUE_LONG ? parse(j, p, false, FRI_VALUE_LONG)
                                        : parse(j, p, false, FRI_VALUE_REAL);
}
