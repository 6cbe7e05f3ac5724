/* Sparse matrices of SciPy (.npz).
 *
 * Source: scipy.sparse.save_npz; NumPy, "NEP 1: A simple file format for NumPy arrays" (.npy, versions 1 to 3).
 * Format: a zip archive, which io/decompress.c turns into its members, each behind a line with its name:
 *   `format` ("csr", "csc" or "coo"), `shape` (rows, columns), `data`, and `indices`, `indptr` or `row`, `col`.
 *   A row is a source, a column a target; each stored entry is an edge, including an explicit zero, and so is
 *   each of several entries at one place, as in Matrix Market.
 * Weights: integers are int32 if all fit, otherwise int64; float32 and float64 stay;
 *   bool has no weights. SciPy has no float16.
 * Differs: `bsr` and `dia` hold blocks and diagonals and are refused, and so are complex numbers and a matrix
 *   that is not square. Both byte orders are read.
 * Work: one sweep of the arrays. Memory: the unpacked file, and 8 bytes per entry plus the weights.
 */
#include "io/formats/npz.h"

#include "io/format.h"
#include "io/sparse.h"

#include <math.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, MAX_NAME = 256 };

/* One array. */
typedef struct array {
    const char *name; /* of the member, without .npy; not terminated */
    int name_length;
    char kind;     /* 'b', 'i', 'u', 'f', 'S', ... of NumPy */
    int bytes;     /* of an element */
    bool swapped;  /* the other byte order */
    int64_t count; /* elements */
    int64_t rows;  /* the first length */
    int dimensions;
    bool by_columns;   /* Fortran's order */
    const char *items; /* [count * bytes], not aligned */
} array;

enum { FORMAT, SHAPE, DATA, INDICES, INDPTR, ROW, COL, XY, IDS, ROLES };
static const char *const role_names[ROLES] = {"format", "shape", "data", "indices", "indptr",
                                              "row",    "col",   "xy",   "ids"};

typedef struct matrix {
    fr_ctx *ctx;
    const fri_input *text;
    array role[ROLES]; /* items NULL: not there */
    int64_t n, entries;
    const array *major, *minor; /* indptr and indices, or row and col */
    bool pointers;              /* major is indptr */
    bool columns_first;         /* csc */
} matrix;

#define FAIL(m, status, format, ...)                                                               \
    fri_fail((m)->ctx, status, "%s: " format, (m)->text->name, __VA_ARGS__)

/* ---- the members -------------------------------------------------------------------------- */

/* The length of the name in the line "NAME.npy" before an array; 0: there is no such line. */
static int name_length(const char *at, const char *end) {
    const size_t left = (size_t)(end - at);
    const char *line = memchr(at, '\n', left < MAX_NAME ? left : MAX_NAME);
    const bool found = line && line - at > 4 && !memcmp(line - 4, ".npy", 4) &&
                       end - line > MAGIC + 4 && !memcmp(line + 1, magic, MAGIC);
    return found ? (int)(line - at - 4) : 0;
}

/* The value behind 'key': in the header; NULL: the key is not there. */
static const char *value_of(const char *header, const char *end, const char *key) {
    const size_t length = strlen(key);
    const char *at = memmem(header, (size_t)(end - header), key, length);
    for (at = at ? at + length : end; at < end && (*at == ':' || *at == ' ');)
        at++;
    return at < end ? at : NULL;
}

/* '<i4': byte order, kind, bytes. The header is followed by the elements, so that numbers end before `end`. */
static bool read_type(const char *at, const char *end, array *a) {
    static const uint16_t one = 1;
    const char own = *(const char *)&one ? '<' : '>';
    if (!at || end - at < 5 || *at != '\'')
        return false;
    a->swapped = at[1] != own && (at[1] == '<' || at[1] == '>');
    a->kind = at[2];
    a->bytes = 0;
    for (at += 3; at < end && *at >= '0' && *at <= '9' && a->bytes < 10000; at++)
        a->bytes = 10 * a->bytes + (*at - '0');
    a->bytes *= a->kind == 'U' ? 4 : 1; /* UTF-32 */
    return at < end && *at == '\'';
}

/* "()", "(5,)" or "(5, 2)"; false for anything else, and for more elements than any file has. */
static bool read_lengths(const char *at, const char *end, array *a) {
    if (!at || *at++ != '(')
        return false;
    a->count = 1;
    for (; at < end && *at != ')'; at++) {
        if (*at == ',' || *at == ' ')
            continue;
        int64_t length = 0;
        for (; at < end && *at >= '0' && *at <= '9' && length < INT64_C(1) << 50; at++)
            length = 10 * length + (*at - '0');
        if (at == end || (*at != ',' && *at != ')') ||
            __builtin_mul_overflow(a->count, length, &a->count))
            return false;
        a->rows = a->dimensions++ ? a->rows : length;
        at -= *at == ')'; /* the loop ends there */
    }
    return at < end;
}

/* The array at `at`, behind the line with its name; *next: what follows. */
static fr_status read_array(const matrix *m, const char *at, array *a, const char **next) {
    const char *end = m->text->data + m->text->size;
    const unsigned char *b = (const unsigned char *)at + MAGIC;
    const bool wide = b[0] > 1;
    uint32_t length = b[2] | (uint32_t)b[3] << 8;
    if (wide && end - at >= MAGIC + 6)
        length |= (uint32_t)b[4] << 16 | (uint32_t)b[5] << 24;
    const char *header = at + MAGIC + (wide ? 6 : 4);
    if (header > end || length > (size_t)(end - header))
        return FAIL(m, FR_FORMAT, "%.*s.npy: the header is truncated", a->name_length, a->name);
    a->items = header + length;
    if (!read_type(value_of(header, a->items, "'descr'"), a->items, a) || !a->bytes ||
        !read_lengths(value_of(header, a->items, "'shape'"), a->items, a))
        return FAIL(m, FR_UNSUPPORTED, "%.*s.npy is no array of numbers or text: \"%.*s\"",
                    a->name_length, a->name, (int)FRI_MIN(length, 80), header);
    const char *order = value_of(header, a->items, "'fortran_order'");
    a->by_columns = order && *order == 'T';
    if (a->count > (end - a->items) / a->bytes)
        return FAIL(m, FR_FORMAT, "%.*s.npy: %lld items are declared, the file is truncated",
                    a->name_length, a->name, (long long)a->count);
    *next = a->items + a->count * a->bytes;
    return FR_OK;
}

/* Finds the arrays that a matrix may have; others are skipped. */
static fr_status find_arrays(matrix *m) {
    const char *at = m->text->data, *end = at + m->text->size;
    while (at < end) {
        array a = {.name = at, .name_length = name_length(at, end)};
        if (!a.name_length)
            return fri_fail(m->ctx, FR_FORMAT,
                            "%s: the archive has something else than arrays of NumPy",
                            m->text->name);
        fr_status status = read_array(m, at + a.name_length + 5, &a, &at);
        if (status)
            return status;
        for (int r = 0; r < ROLES; r++)
            if ((size_t)a.name_length == strlen(role_names[r]) &&
                !memcmp(a.name, role_names[r], strlen(role_names[r])))
                m->role[r] = a;
    }
    return FR_OK;
}

/* ---- elements ----------------------------------------------------------------------------- */

/* The bits of element i in the low bytes. */
static inline uint64_t bits_of(const array *a, int64_t i) {
    const char *at = a->items + i * a->bytes;
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (a->bytes) {
    case 8: memcpy(&v8, at, 8); return a->swapped ? __builtin_bswap64(v8) : v8;
    case 4: memcpy(&v4, at, 4); return a->swapped ? __builtin_bswap32(v4) : v4;
    case 2: memcpy(&v2, at, 2); return a->swapped ? __builtin_bswap16(v2) : v2;
    default: return (unsigned char)*at;
    }
}

/* Integers only. A uint64 beyond int64 becomes negative. */
static inline int64_t integer_at(const array *a, int64_t i) {
    const int unused = 64 - 8 * a->bytes;
    const uint64_t bits = bits_of(a, i);
    return a->kind == 'i' ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static inline double real_at(const array *a, int64_t i) {
    const uint64_t bits = bits_of(a, i);
    const uint32_t low = (uint32_t)bits;
    double d;
    float f;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    return a->bytes == 4 ? (double)f : d;
}

static bool is_number(const array *a, const char *kinds) {
    const bool size = a->bytes == 8 || a->bytes == 4 || a->bytes == 2 || a->bytes == 1;
    return size && strchr(kinds, a->kind) && (a->kind != 'f' || a->bytes > 2);
}

/* ---- the matrix --------------------------------------------------------------------------- */

static fr_status need(const matrix *m, int r, int64_t count) {
    const array *a = &m->role[r];
    if (!a->items)
        return FAIL(m, FR_UNSUPPORTED,
                    "the archive has no %s.npy, so that it is no matrix of scipy.sparse.save_npz",
                    role_names[r]);
    if (a->dimensions > 1)
        return FAIL(m, FR_FORMAT, "%s.npy has %d dimensions", role_names[r], a->dimensions);
    if (r != DATA && r != FORMAT && !is_number(a, "iu"))
        return FAIL(m, FR_FORMAT, "%s.npy has no integers", role_names[r]);
    if (a->count != count)
        return FAIL(m, FR_FORMAT, "%s.npy has %lld items instead of %lld", role_names[r],
                    (long long)a->count, (long long)count);
    return FR_OK;
}

static fr_status read_shape(matrix *m) {
    fr_status status = need(m, SHAPE, 2);
    if (status)
        return status;
    const int64_t rows = integer_at(&m->role[SHAPE], 0), columns = integer_at(&m->role[SHAPE], 1);
    if (rows != columns)
        return FAIL(m, FR_UNSUPPORTED,
                    "a %lld x %lld matrix is not square and therefore not a graph", (long long)rows,
                    (long long)columns);
    if (rows < 0)
        return FAIL(m, FR_FORMAT, "shape.npy has the negative number %lld", (long long)rows);
    m->n = rows;
    m->entries = m->role[DATA].items ? m->role[DATA].count : 0;
    static const fri_edge_words entries = {"entry", "entries"};
    status = fri_check_counts(m->ctx, m->text, NULL, m->n, m->entries, entries);
    return status ? status : fri_sparse_check(m->ctx, m->text, NULL, m->n, m->entries);
}

/* Which arrays have the rows and columns. */
static fr_status choose_arrays(matrix *m) {
    const array *f = &m->role[FORMAT];
    fr_status status = need(m, FORMAT, 1);
    if (status)
        return status;
    char word[4] = "";
    const int step = f->kind == 'U' ? 4 : 1; /* UTF-32, or bytes */
    for (int i = 0; i < 3 && (i + 1) * step <= f->bytes; i++)
        word[i] = f->items[i * step + (f->swapped ? step - 1 : 0)];
    const bool coo = !strcmp(word, "coo"), csc = !strcmp(word, "csc");
    if (!coo && !csc && strcmp(word, "csr") != 0)
        return FAIL(m, FR_UNSUPPORTED,
                    "a matrix of the format \"%s\" is not read; save it as csr (matrix.tocsr())",
                    word);
    m->pointers = !coo;
    m->columns_first = csc;
    m->major = &m->role[coo ? ROW : INDPTR];
    m->minor = &m->role[coo ? COL : INDICES];
    status = need(m, DATA, m->entries);
    if (!status)
        status = need(m, coo ? ROW : INDPTR, coo ? m->entries : m->n + 1);
    return status ? status : need(m, coo ? COL : INDICES, m->entries);
}

/* indptr ascends from 0 to the number of entries. */
static fr_status check_pointers(const matrix *m) {
    int64_t last = 0;
    for (int64_t i = 0; m->pointers && i <= m->n; i++) {
        const int64_t at = integer_at(m->major, i);
        if (at < last || at > m->entries || (i == 0 && at) || (i == m->n && at != m->entries))
            return FAIL(m, FR_FORMAT,
                        "indptr.npy: item %lld is %lld, but the items ascend from 0 to %lld",
                        (long long)i, (long long)at, (long long)m->entries);
        last = at;
    }
    return FR_OK;
}

static bool put_end(const matrix *m, int64_t value, int32_t *to) {
    *to = (int32_t)value;
    return value >= 0 && value < m->n;
}

/* The number of the first entry with an index out of range; the number of entries if there is none. */
static int64_t put_ends(const matrix *m, int32_t *ends) {
    const int side = m->columns_first; /* where the major index goes */
    int64_t bad = m->entries;
    if (!m->pointers) {
#pragma omp parallel for reduction(min : bad) num_threads(m->ctx->threads)
        for (int64_t e = 0; e < m->entries; e++)
            if (!put_end(m, integer_at(m->major, e), &ends[2 * e]) ||
                !put_end(m, integer_at(m->minor, e), &ends[2 * e + 1]))
                bad = FRI_MIN(bad, e);
        return bad;
    }
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) reduction(min                                 \
                                                               : bad) num_threads(m->ctx->threads)
    for (int64_t i = 0; i < m->n; i++)
        for (int64_t e = integer_at(m->major, i); e < integer_at(m->major, i + 1); e++) {
            ends[2 * e + side] = (int32_t)i;
            if (!put_end(m, integer_at(m->minor, e), &ends[2 * e + 1 - side]))
                bad = FRI_MIN(bad, e);
        }
    return bad;
}

static fr_status read_ends(const matrix *m, fri_edge_block *block) {
    block->ends = fri_alloc(m->ctx, fri_bytes(m->entries, 2 * sizeof *block->ends));
    if (!block->ends)
        return FR_NOMEM;
    block->count = m->entries;
    const int64_t bad = put_ends(m, block->ends);
    if (bad == m->entries)
        return FR_OK;
    const int64_t minor = integer_at(m->minor, bad);
    const bool first = !m->pointers && minor >= 0 && minor < m->n;
    return FAIL(m, FR_FORMAT, "%s.npy: item %lld is %lld, outside 0..%lld",
                m->pointers ? "indices"
                : first     ? "row"
                            : "col",
                (long long)bad, (long long)(first ? integer_at(m->major, bad) : minor),
                (long long)m->n - 1);
}

/* The narrowest type of int32 and int64 for all weights. */
static fr_status integer_type(const matrix *m, fr_type *type) {
    const array *data = &m->role[DATA];
    int64_t wide = 0, bad = m->entries;
#pragma omp parallel for reduction(+ : wide) reduction(min : bad) num_threads(m->ctx->threads)
    for (int64_t e = 0; e < m->entries; e++) {
        const int64_t v = integer_at(data, e);
        wide += v != (int32_t)v;
        if (data->kind == 'u' && v < 0)
            bad = FRI_MIN(bad, e);
    }
    if (bad < m->entries)
        return FAIL(m, FR_RANGE, "data.npy: item %lld, %llu, does not fit int64", (long long)bad,
                    (unsigned long long)integer_at(data, bad));
    *type = wide ? FR_TYPE_I64 : FR_TYPE_I32;
    return FR_OK;
}

static fr_status put_weights(const matrix *m, fr_type type, void *weights) {
    const array *data = &m->role[DATA];
    int64_t bad = m->entries;
#pragma omp parallel for reduction(min : bad) num_threads(m->ctx->threads)
    for (int64_t e = 0; e < m->entries; e++) {
        const double d = data->kind == 'f' ? real_at(data, e) : 0;
        if (!isfinite(d))
            bad = FRI_MIN(bad, e);
        switch (type) {
        case FR_TYPE_I32: ((int32_t *)weights)[e] = (int32_t)integer_at(data, e); break;
        case FR_TYPE_I64: ((int64_t *)weights)[e] = integer_at(data, e); break;
        case FR_TYPE_F32: ((float *)weights)[e] = (float)d; break;
        default: ((double *)weights)[e] = d; break;
        }
    }
    return bad == m->entries ? FR_OK
                             : FAIL(m, FR_RANGE, "data.npy: item %lld, %g, is no finite weight",
                                    (long long)bad, real_at(data, bad));
}

static fr_status read_weights(const matrix *m, fri_edge_list *edges) {
    const array *data = &m->role[DATA];
    if (data->kind == 'b') {
        fri_edge_list_note(edges, "data are bool: read without weights");
        return FR_OK;
    }
    if (!is_number(data, "iuf"))
        return FAIL(m, FR_UNSUPPORTED,
                    "data.npy has the type %c%d: weights are integers of at most 8 bytes, or "
                    "float32 or float64",
                    data->kind, data->bytes);
    fr_type type = data->bytes == 8 ? FR_TYPE_F64 : FR_TYPE_F32;
    fr_status status = data->kind == 'f' ? FR_OK : integer_type(m, &type);
    if (status)
        return status;
    edges->weight_type = type;
    void *weights = fri_alloc(m->ctx, fri_bytes(m->entries, fr_type_size(type)));
    edges->blocks->weights = weights;
    return weights ? put_weights(m, type, weights) : FR_NOMEM;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges) {
    matrix m = {.ctx = ctx, .text = text};
    fr_status status = find_arrays(&m);
    if (!status)
        status = read_shape(&m);
    if (!status)
        status = choose_arrays(&m);
    if (!status)
        status = check_pointers(&m);
    if (status)
        return status;
    edges->blocks = fri_calloc(ctx, sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = 1;
    edges->n = (int32_t)m.n;
    edges->ids.base = options->id_base ? options->id_base - 1 : 0;
    status = read_ends(&m, edges->blocks);
    return status || options->weights != FR_WEIGHTS_FILE ? status : read_weights(&m, edges);
}

static int sniff(const fri_input *text) {
    return name_length(text->data, text->data + text->size) ? 2 : 0;
}

/* ---- coordinates -------------------------------------------------------------------------- */

bool fri_npz_is(const fri_input *text) { return sniff(text) != 0; }

static double number_at(const array *a, int64_t i) {
    return a->kind == 'f' ? real_at(a, i) : (double)integer_at(a, i);
}

static fr_status check_points(const matrix *m) {
    const array *xy = &m->role[XY], *ids = &m->role[IDS];
    if (!xy->items || xy->dimensions != 2 || xy->count != 2 * xy->rows || !is_number(xy, "iuf"))
        return FAIL(m, FR_FORMAT, "coordinates are an array xy of numbers, of shape (%s, 2)",
                    "vertices");
    if (ids->items && (ids->dimensions != 1 || ids->count != xy->rows || !is_number(ids, "iu")))
        return FAIL(m, FR_FORMAT, "ids.npy has no integer for each of the %lld rows of xy.npy",
                    (long long)xy->rows);
    return FR_OK;
}

fr_status fri_npz_read_points(fr_ctx *ctx, const fri_input *text, fri_point_fn point, void *user,
                              int64_t *rows, bool *listed) {
    matrix m = {.ctx = ctx, .text = text};
    fr_status status = find_arrays(&m);
    if (!status)
        status = check_points(&m);
    if (status)
        return status;
    const array *xy = &m.role[XY], *ids = &m.role[IDS];
    *rows = xy->rows;
    *listed = ids->items != NULL;
    const int64_t step = xy->by_columns ? 1 : 2, to_y = xy->by_columns ? xy->rows : 1;
    for (int64_t i = 0; i < xy->rows; i++)
        point(user, *listed ? integer_at(ids, i) : i, number_at(xy, step * i),
              number_at(xy, step * i + to_y));
    return FR_OK;
}

static const char *const suffixes[] = {".npz", NULL};
const fri_format fri_format_npz = {
    .name = "npz",
    .text = "SciPy sparse matrix, csr, csc or coo (.npz)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read = read,
    .binary = true,
};
