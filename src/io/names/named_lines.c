/* Parses the lines of one region of a text whose ids are strings.
 *
 * Idea: a name of up to 16 bytes, all of them plain, is found eight bytes at a time and is its own key;
 *   other names, quotes and chosen columns take the general path, field by field. A line is parsed and
 *   the entries of its names in the table are fetched. PREFETCH_LINES lines later the entries are read
 *   and the records that they name are fetched; after as many lines again these are compared. Fetches
 *   are spread evenly over the parsing, because a processor drops or delays those that come in bursts.
 * Source: the search for a byte is as in io/text/digits.h. */
#include "io/names/named_lines.h"
#include "base/text/utf8.h"
#include "io/text/digits.h"
#include "io/text/number_scan.h"

enum {
    LINES = 4, /* parsed at a time */
    /* 2 PREFETCH_LINES + LINES lines have the names that fri_name_table_grow makes room for */
    PREFETCH_LINES = 16,
    RING = 64 /* lines, a power of two of 2 PREFETCH_LINES + LINES or more */
};
static const int64_t EXACT = INT64_C(1) << 53;

typedef struct {
    const fri_named_format *format;
    fri_region *region;
    int64_t parsed, probed, entered; /* lines that have passed each stage, edges of the region */
    fri_name_key key[2 * RING];      /* of the lines between the first and the last stage */
    int64_t entry[2 * RING];         /* see fri_name_probe */
} pipeline;

static fri_name_key *key_at(pipeline *b, int64_t line) {
    return &b->key[2 * ((uint64_t)line % RING)];
}

static int64_t *entry_at(pipeline *b, int64_t line) {
    return &b->entry[2 * ((uint64_t)line % RING)];
}

static bool fail(fri_region *r, fri_name_fault fault, const char *line, int column) {
    r->fault = fault;
    r->fault_line = line;
    r->fault_column = column;
    return false;
}

/* ---- weights --------------------------------------------------------------------------------- */

static void make_real(fri_region *r, int64_t count) {
    int64_t *whole = r->block.weights;
    double *real = r->block.weights;
    for (int64_t i = 0; i < count; i++)
        real[i] = (double)whole[i];
    r->real = true;
}

static void put_whole(fri_region *r, int64_t i, int64_t value, const char *line) {
    r->low = FRI_MIN(r->low, value);
    r->high = FRI_MAX(r->high, value);
    if (!r->large_line && (value > EXACT || value < -EXACT))
        r->large_line = line;
    if (r->real)
        ((double *)r->block.weights)[i] = (double)value;
    else
        ((int64_t *)r->block.weights)[i] = value;
}

/* Puts a point where the decimal sign is a comma; false: that is no number. */
static bool to_point(fri_field *f, char *text, size_t capacity) {
    if (f->length > capacity || memchr(f->at, '.', f->length))
        return false;
    for (size_t i = 0; i < f->length; i++)
        text[i] = f->at[i] == ',' ? '.' : f->at[i];
    f->at = text;
    return true;
}

static bool put_weight(pipeline *b, fri_field f, const char *line) {
    enum { LONGEST = 400 };
    char text[LONGEST];
    fri_region *r = b->region;
    int64_t i = b->parsed, whole;
    int column = b->format->table->column[FRI_TABLE_WEIGHT];
    if (b->format->table->decimal_comma && f.length && !to_point(&f, text, sizeof text))
        return fail(r, FRI_NAME_NO_NUMBER, line, column);
    fri_scan scan = {f.at, f.at + f.length}, real = scan;
    fri_scan_status status = fri_scan_int64(&scan, &whole);
    bool integral = status != FRI_SCAN_NONE && scan.at == scan.end;
    if (integral && status == FRI_SCAN_OK && !b->format->rounds) {
        put_whole(r, i, whole, line);
        return true;
    }
    if (integral && !b->format->rounds)
        return fail(r, FRI_NAME_LARGE, line, column);
    double value;
    status = fri_scan_double(&real, &value);
    if (status == FRI_SCAN_RANGE)
        return fail(r, FRI_NAME_NOT_FINITE, line, column);
    if (status == FRI_SCAN_NONE || real.at != real.end)
        return fail(r, real.at < real.end && *real.at == ',' ? FRI_NAME_COMMA : FRI_NAME_NO_NUMBER,
                    line, column);
    if (!r->real)
        make_real(r, i);
    ((double *)r->block.weights)[i] = value;
    return true;
}

/* ---- the general path ------------------------------------------------------------------------ */

/* The bytes of a field when each pair of quotes counts once. */
static size_t plain_length(fri_field f) {
    size_t length = f.length;
    for (size_t i = 0; f.doubled && i < f.length; i++)
        if (f.at[i] == '"') {
            length--;
            i++;
        }
    return length;
}

static fri_name_fault check_name(fri_field f, size_t length) {
    if (f.broken)
        return FRI_NAME_BROKEN;
    if (length == 0)
        return FRI_NAME_EMPTY;
    if (length > FRI_NAME_BYTES)
        return FRI_NAME_LONG;
    fri_text_kind kind = fri_text_kind_of(f.at, f.length);
    return kind == FRI_TEXT_PLAIN     ? FRI_NAME_OK
           : kind == FRI_TEXT_CONTROL ? FRI_NAME_CONTROL
                                      : FRI_NAME_NOT_UTF8;
}

static bool put_name(pipeline *b, int end, fri_field f, const char *line) {
    size_t length = plain_length(f);
    fri_name_fault fault = check_name(f, length);
    if (fault)
        return fail(b->region, fault, line, b->format->table->column[end]);
    key_at(b, b->parsed)[end] =
        fri_name_key_of(f.at, (uint32_t)length, f.doubled, b->region->names.seed);
    return true;
}

/* Parses the line [at, end) field by field. */
static __attribute__((noinline)) bool parse_fields(pipeline *b, const char *line, const char *end) {
    const fri_table *t = b->format->table;
    fri_field chosen[FRI_TABLE_CHOSEN] = {{0}}, f;
    int column = 0, max_columns = b->format->columns;
    const char *at = line;
    while ((max_columns || column < t->last) && fri_table_next_field(t, &at, end, &f)) {
        column++;
        for (int i = 0; i < FRI_TABLE_CHOSEN; i++)
            if (t->column[i] == column)
                chosen[i] = f;
        if (max_columns && column > max_columns)
            return fail(b->region, FRI_NAME_MORE_COLUMNS, line, column);
    }
    if (column < t->last)
        return fail(b->region, FRI_NAME_MISSING, line, column + 1);
    if (t->column[FRI_TABLE_TYPE] && !fri_table_type_is(chosen[FRI_TABLE_TYPE], t->undirected))
        return fail(b->region, FRI_NAME_TYPE, line, t->column[FRI_TABLE_TYPE]);
    return put_name(b, 0, chosen[FRI_TABLE_SOURCE], line) &&
           put_name(b, 1, chosen[FRI_TABLE_TARGET], line) &&
           (!t->column[FRI_TABLE_WEIGHT] || put_weight(b, chosen[FRI_TABLE_WEIGHT], line));
}

/* ---- the fast path --------------------------------------------------------------------------- */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const uint64_t EACH = 0x0101010101010101u, TOPS = 0x8080808080808080u;

/* The top bit of each byte that is zero; exact up to the lowest one. */
static inline uint64_t zeros(uint64_t x) { return (x - EACH) & ~x & TOPS; }

/* The top bit of each byte that may not be part of a plain name: up to ' ', from 0x7f on, or the
 * separator; exact up to the lowest one. */
static inline uint64_t stops(uint64_t x, uint64_t separators) {
    return ((((x - 0x2121212121212121u) & ~x) | (x + EACH) | x) & TOPS) | zeros(x ^ separators);
}

static inline uint64_t load(const char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The word's bytes before the lowest stop. */
static inline uint64_t before(uint64_t word, uint64_t stop) {
    return word & (((stop & -stop) >> 7) - 1);
}

static inline uint32_t bytes_before(uint64_t stop) { return (uint32_t)__builtin_ctzll(stop) >> 3; }

/* A plain name whose first 16 bytes, the two words, have no stop. The hash equals fri_hash_string's;
 * a block of 16 bytes joins it once the name is known to be longer. */
static __attribute__((noinline)) const char *
long_name(const char *at, const char *end, uint64_t separators, uint64_t seed, fri_name_key *key) {
    uint64_t first = load(at), second = load(at + 8), stop[2] = {0};
    uint32_t length = FRI_NAME_INLINE;
    for (; end - at >= length + 16 && length <= FRI_NAME_BYTES; length += 16) {
        uint64_t next[2] = {load(at + length), load(at + length + 8)};
        stop[0] = stops(next[0], separators);
        stop[1] = stops(next[1], separators);
        if (stop[0] & 0x80)
            break;
        seed = fri_hash_block(first, second, seed);
        if (stop[0] | stop[1])
            break;
        first = next[0];
        second = next[1];
    }
    if (!(stop[0] | stop[1]))
        return NULL;
    length += stop[0] ? bytes_before(stop[0]) : 8 + bytes_before(stop[1]);
    if (length > FRI_NAME_BYTES)
        return NULL;
    uint64_t hash = fri_hash_words(load(at + length - 16), load(at + length - 8), seed + length);
    *key = (fri_name_key){{(uint64_t)(uintptr_t)at, 0}, hash, length, false};
    if (length <= FRI_NAME_INLINE)
        *key = fri_name_key_of(at, length, false, seed);
    return at + length;
}

/* Reads a plain name; returns the byte after it, or NULL: the general path decides. */
static inline const char *plain_name(const char *at, const char *end, uint64_t separators,
                                     uint64_t seed, fri_name_key *key) {
    if (end - at < 16 || *at == '"')
        return NULL;
    uint64_t first = load(at), stop = stops(first, separators), second = 0;
    uint32_t length = 0;
    if (stop) {
        first = before(first, stop);
    } else {
        second = load(at + 8);
        stop = stops(second, separators);
        if (!stop)
            return long_name(at, end, separators, seed, key);
        second = before(second, stop);
        length = 8;
    }
    length += bytes_before(stop);
    if (!length)
        return NULL;
    *key = (fri_name_key){{first, second}, fri_hash_words(first, second, seed), length, false};
    return at + length;
}

static inline const char *skip_separator(const char *at, const char *end, char separator) {
    if (at == end || (*at != separator && !(separator == ' ' && *at == '\t')))
        return NULL;
    at++;
    while (separator == ' ' && at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The begin of the next line; NULL: the line does not end here. */
static inline const char *next_line(const char *at, const char *end) {
    at += end - at >= 2 && *at == '\r';
    return at < end && *at == '\n' ? at + 1 : NULL;
}

/* Parses a line of plain names in the columns 1 and 2 and perhaps a weight in column 3; returns the
 * next line, or NULL: the general path decides. */
static inline const char *parse_plain(pipeline *b, const char *line, const char *end) {
    const fri_table *t = b->format->table;
    const uint64_t separators = EACH * (unsigned char)t->separator, seed = b->region->names.seed;
    fri_name_key *key = key_at(b, b->parsed);
    const char *at = plain_name(line, end, separators, seed, key);
    if (!at || !(at = skip_separator(at, end, t->separator)))
        return NULL;
    at = plain_name(at, end, separators, seed, key + 1);
    if (!at || !t->column[FRI_TABLE_WEIGHT])
        return at ? next_line(at, end) : NULL;
    const char *word = skip_separator(at, end, t->separator);
    for (at = word; at && at != end && *at > ' ' && *at != t->separator && *at != '"';)
        at++;
    const char *next = at ? next_line(at, end) : NULL;
    if (!next || at == word)
        return NULL;
    (void)put_weight(b, (fri_field){word, (size_t)(at - word), false, false}, line);
    return next;
}
#else
static const char *parse_plain(pipeline *b, const char *line, const char *end) {
    (void)b, (void)line, (void)end;
    return NULL;
}
#endif

/* ---- the lines ------------------------------------------------------------------------------- */

/* Parses the line at region->at and moves past it; false: a fault. */
static inline bool parse_line(pipeline *b, bool plain) {
    fri_region *r = b->region;
    const char *line = r->at, *next = NULL;
    if (*line != '#' && *line != '%') {
        next = plain ? parse_plain(b, line, r->end) : NULL;
        if (r->fault)
            return false;
    }
    if (!next) {
        const char *end = fri_table_line_end(line, r->end);
        r->at = end + (end < r->end);
        if (fri_table_is_comment(line, end))
            return true;
        if (!parse_fields(b, line, end))
            return false;
    } else
        r->at = next;
    const fri_name_key *key = key_at(b, b->parsed);
    for (int i = 0; i < 2; i++)
        __builtin_prefetch(&r->names.entries[fri_name_home(&r->names, key[i].hash)], 1);
    b->parsed++;
    return true;
}

/* Finds the entries of the names up to a line, and fetches the records that they are compared with. */
static void probe_until(pipeline *b, int64_t line) {
    const fri_name_table t = b->region->names; /* a copy, which no store below can change */
    for (; b->probed < line; b->probed++) {
        const fri_name_key *key = key_at(b, b->probed);
        int64_t *entry = entry_at(b, b->probed);
        for (int i = 0; i < 2; i++) {
            entry[i] = fri_name_probe(&t, key[i].hash);
            const char *record = (const char *)fri_name_record_at(&t, t.entries[entry[i]].record);
            __builtin_prefetch(record);
            if (key[i].length > FRI_NAME_INLINE)
                __builtin_prefetch(record + sizeof(fri_name_record) + key[i].length - 1);
        }
    }
}

static void enter_until(pipeline *b, int64_t line) {
    fri_region *r = b->region;
    int32_t *ends = r->block.ends;
    for (; b->entered < line; b->entered++) {
        const fri_name_key *key = key_at(b, b->entered);
        const int64_t *entry = entry_at(b, b->entered);
        ends[2 * b->entered] = fri_name_number(&r->names, &key[0], entry[0]);
        ends[2 * b->entered + 1] = fri_name_number(&r->names, &key[1], entry[1]);
    }
}

/* Parses a few lines, which push as many earlier ones to the next stages. */
static void parse_lines(pipeline *b, bool plain) {
    const fri_region *r = b->region;
    for (int i = 0; i < LINES && r->at < r->end && parse_line(b, plain); i++) {
    }
    probe_until(b, b->parsed - PREFETCH_LINES);
    enter_until(b, b->parsed - 2 * PREFETCH_LINES);
}

void fri_region_parse(const fri_named_format *format, fri_region *region, size_t bytes) {
    const fri_table *t = format->table;
    const char *stop = region->at + FRI_MIN(bytes, (size_t)(region->end - region->at));
    bool plain = t->column[FRI_TABLE_SOURCE] == 1 && t->column[FRI_TABLE_TARGET] == 2 &&
                 t->column[FRI_TABLE_WEIGHT] <= 3 && !t->column[FRI_TABLE_TYPE];
    const int64_t count = region->block.count;
    pipeline b = {
        .format = format, .region = region, .parsed = count, .probed = count, .entered = count};
    while (region->at < stop && !region->fault &&
           fri_name_table_fits(&region->names, 2 * (LINES + 2 * PREFETCH_LINES)))
        parse_lines(&b, plain);
    probe_until(&b, b.parsed);
    enter_until(&b, b.parsed);
    region->block.count = b.entered;
}
