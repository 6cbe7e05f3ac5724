/* fringe's own binary graph format: a CSR that is mapped and used in place.
 *
 * Layout (docs/formats.md): a header of 256 bytes, then offsets, targets, weights, ids, each
 * starting at a multiple of 64 bytes, in the writer's byte order.
 * Opening reads only the header, so its time does not depend on the size of the graph: the header
 * has its own checksum, and every section must be at the position that n, m and the flags
 * determine. The content is checked completely (checksums and structure, at memory speed on all
 * threads) before any of its indices is followed: immediately up to CHECK_AT_ONCE bytes, otherwise
 * when the graph is first used (fr_graph_check).
 */
#include "io/formats/fringe.h"
#include "base/checksum.h"
#include "io/csr_check.h"

#include <math.h>
#include <string.h>

enum { OFFSETS, TARGETS, WEIGHTS, IDS, NAME_OFFSETS, NAMES, SECTIONS = FRI_BINARY_SECTIONS };
/* flags; ARCS: the rows are symmetric, and the graph is directed */
enum { SYMMETRIC = 1, LISTED_IDS = 2, NAMED = 4, ARCS = 8 };
/* Version 2 means that weights are int64, version 3 that vertices have names; readers of an earlier
 * version reject it. The sections of names are zero in files without names. */
enum { ALIGN = 64, VERSION = 1, VERSION_I64 = 2, VERSION_NAMES = 3 };
static const uint32_t BYTE_ORDER_MARK = 0x01020304;
static const char MAGIC[8] = {'\x89', 'F', 'R', 'I', 'N', 'G', 'E', '\n'};
static const uint64_t CHECK_AT_ONCE = (uint64_t)16 << 20; /* about 3 ms on one core */

typedef struct {
    char magic[8];
    uint32_t byte_order, version;
    uint32_t weight_type, flags;
    int64_t n, m, id_base;
    uint64_t file_bytes, key, hash;
    struct {
        uint64_t at, bytes, checksum;
    } section[SECTIONS];
    uint64_t reserved[4];
    uint64_t checksum; /* of all preceding bytes */
} header;
_Static_assert(sizeof(header) == 256, "the header is part of the format");

static uint64_t header_sum(const header *h) {
    return fri_checksum(1, h, offsetof(header, checksum));
}

static int section_count(const header *h) { return h->flags & NAMED ? SECTIONS : NAME_OFFSETS; }

static uint32_t version_of(const header *h) {
    return h->flags & NAMED ? VERSION_NAMES : h->weight_type == FR_TYPE_I64 ? VERSION_I64 : VERSION;
}

/* The required positions of the sections: a function of n, m, the weight type, the flags and the size
 * of the names. */
static void place_sections(header *h) {
    const uint64_t bytes[SECTIONS] = {((uint64_t)h->n + 1) * sizeof(int64_t),
                                      (uint64_t)h->m * sizeof(int32_t),
                                      (uint64_t)h->m * fr_type_size(h->weight_type),
                                      h->flags & LISTED_IDS ? (uint64_t)h->n * sizeof(int64_t) : 0,
                                      ((uint64_t)h->n + 1) * sizeof(int64_t),
                                      h->section[NAMES].bytes};
    uint64_t at = sizeof(header);
    for (int s = 0; s < section_count(h); s++) {
        h->section[s].at = at;
        h->section[s].bytes = bytes[s];
        at += (bytes[s] + ALIGN - 1) / ALIGN * ALIGN;
    }
    for (int s = section_count(h); s < SECTIONS; s++)
        h->section[s].at = h->section[s].bytes = h->section[s].checksum = 0;
    h->file_bytes = at;
}

static fr_status bad(fr_ctx *ctx, fr_status status, const char *name, const char *why) {
    return fri_fail(ctx, status, "%s: %s", name, why);
}

static fr_status check_header(fr_ctx *ctx, const char *name, const void *data, size_t bytes) {
    header h, expected;
    if (bytes < sizeof h || memcmp(data, MAGIC, sizeof MAGIC))
        return bad(ctx, FR_FORMAT, name, "byte 0: not a binary graph, or truncated");
    memcpy(&h, data, sizeof h);
    if (h.byte_order != BYTE_ORDER_MARK)
        return bad(ctx, FR_UNSUPPORTED, name,
                   "byte 8: written on a machine with another byte order");
    if (h.version < VERSION || h.version > VERSION_NAMES)
        return bad(ctx, FR_UNSUPPORTED, name, "byte 12: written by another version of fringe");
    if (h.checksum != header_sum(&h))
        return bad(ctx, FR_CHECKSUM, name, "byte 0: the checksum of the header does not match");
    if (h.n < 0 || h.n > INT32_MAX || h.m < 0 || h.m > (int64_t)1 << 40 ||
        h.weight_type > FR_TYPE_F64 || h.version != version_of(&h) ||
        h.flags > (SYMMETRIC | LISTED_IDS | NAMED | ARCS) ||
        (h.flags & (SYMMETRIC | ARCS)) == ARCS ||
        ((h.flags & NAMED) && (h.flags & LISTED_IDS || h.id_base)) ||
        h.section[NAMES].bytes > (uint64_t)h.n * (FRI_NAME_BYTES + 1))
        return bad(ctx, FR_RANGE, name, "byte 16: a count or type is out of range");
    if (h.id_base > INT64_MAX - h.n)
        return bad(ctx, FR_RANGE, name, "byte 16: the vertex ids do not fit int64");
    expected = h;
    place_sections(&expected);
    if (memcmp(&expected, &h, sizeof h))
        return bad(ctx, FR_FORMAT, name, "byte 72: a section has a wrong position");
    if (h.file_bytes != bytes)
        return fri_fail(ctx, FR_FORMAT,
                        "%s: byte %zu: the file is truncated; %llu bytes were written", name, bytes,
                        (unsigned long long)h.file_bytes);
    /* the last byte bounds every name, also where the offsets are damaged */
    uint64_t end = h.section[NAMES].at + h.section[NAMES].bytes;
    if (h.section[NAMES].bytes && ((const char *)data)[end - 1] != '\0')
        return bad(ctx, FR_FORMAT, name, "the last name does not end");
    return FR_OK;
}

static const void *section(const void *data, int s) {
    const header *h = data;
    return (const char *)data + h->section[s].at;
}

static void view_of(const void *data, fr_csr *csr, fri_ids *ids) {
    const header *h = data;
    *csr = (fr_csr){.n = (int32_t)h->n,
                    .m = h->m,
                    .offsets = section(data, OFFSETS),
                    .targets = section(data, TARGETS),
                    .weights = h->weight_type ? section(data, WEIGHTS) : NULL,
                    .weight_type = h->weight_type,
                    .symmetric = h->flags & SYMMETRIC};
    ids->base = h->id_base;
    ids->list = h->flags & LISTED_IDS ? (int64_t *)(uintptr_t)section(data, IDS) : NULL;
}

/* The names, in place; *names is NULL if there are none. */
static fr_status names_of(fr_ctx *ctx, const void *data, fri_names **names) {
    const header *h = data;
    *names = NULL;
    if (!(h->flags & NAMED))
        return FR_OK;
    *names = fri_names_new(ctx, (int32_t)h->n, section(data, NAME_OFFSETS), section(data, NAMES),
                           h->section[NAMES].bytes, true);
    return *names ? FR_OK : FR_NOMEM;
}

/* ---- structure ---------------------------------------------------------------------------- */

static bool weights_finite(int threads, const fr_csr *csr, fri_rows rows) {
    int64_t wrong = 0, begin = csr->offsets[rows.first], end = csr->offsets[rows.last];
    const double *d = csr->weights;
    const float *f = csr->weights;
    if (csr->weight_type == FR_TYPE_F64) {
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
        for (int64_t e = begin; e < end; e++)
            wrong += !(fabs(d[e]) <= 1.7976931348623157e308);
    } else if (csr->weight_type == FR_TYPE_F32) {
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
        for (int64_t e = begin; e < end; e++)
            wrong += !(fabsf(f[e]) <= 3.40282347e38f);
    }
    return !wrong;
}

static bool ids_ascend(int threads, const fri_ids *ids, fri_rows rows) {
    int64_t wrong = 0;
    if (!ids->list)
        return true;
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
    for (int32_t v = FRI_MAX(rows.first, 1); v < rows.last; v++)
        wrong += ids->list[v - 1] >= ids->list[v];
    return !wrong;
}

static fr_status check_names(fr_ctx *ctx, const char *name, const void *data) {
    fri_names *names;
    bool valid = true;
    const char *why;
    fr_status status = names_of(ctx, data, &names);
    if (!status && names)
        status = fri_names_check(ctx, names, &valid, &why);
    fri_names_free(names);
    return valid || status ? status : bad(ctx, FR_FORMAT, name, why);
}

void fri_binary_sum(int threads, const void *data, int share, int shares,
                    uint64_t sums[FRI_BINARY_SECTIONS]) {
    const header *h = data;
    for (int s = 0; s < SECTIONS; s++)
        sums[s] = fri_checksum_part(threads, (const char *)data + h->section[s].at,
                                    h->section[s].bytes, share, shares);
}

fr_status fri_binary_check_sums(fr_ctx *ctx, const char *name, const void *data,
                                const uint64_t sums[FRI_BINARY_SECTIONS]) {
    static const char *const names[SECTIONS] = {"offsets", "targets",      "weights",
                                                "ids",     "name offsets", "names"};
    const header *h = data;
    for (int s = 0; s < section_count(h); s++)
        if (fri_checksum_add(sums[s], h->section[s].bytes) != h->section[s].checksum)
            return fri_fail(ctx, FR_CHECKSUM, "%s: byte %zu: the checksum of the %s does not match",
                            name, (size_t)h->section[s].at, names[s]);
    return FR_OK;
}

fr_status fri_binary_check_rows(fr_ctx *ctx, const char *name, const void *data, int share,
                                int shares) {
    fr_csr csr;
    fri_ids ids;
    view_of(data, &csr, &ids);
    fri_rows rows = fri_csr_share(&csr, share, shares);
    const int threads = fri_threads_for(ctx, ctx->threads, csr.m);
    if (!fri_csr_is_valid(threads, &csr, rows))
        return bad(ctx, FR_FORMAT, name, "byte 256: the offsets or targets are invalid");
    if (!fri_csr_is_sorted(threads, &csr, rows))
        return bad(ctx, FR_FORMAT, name, "a row is not sorted by target, then by weight");
    if (!weights_finite(threads, &csr, rows))
        return bad(ctx, FR_RANGE, name, "a weight is not finite");
    if (!ids_ascend(threads, &ids, rows))
        return bad(ctx, FR_FORMAT, name, "the ids are not ascending");
    return FR_OK;
}

fr_status fri_binary_check(fr_ctx *ctx, const char *name, const void *data, size_t bytes) {
    uint64_t sums[SECTIONS];
    fr_status status = check_header(ctx, name, data, bytes);
    if (status)
        return status;
    fri_binary_sum(ctx->threads, data, 0, 1, sums);
    status = fri_binary_check_sums(ctx, name, data, sums);
    if (!status)
        status = fri_binary_check_rows(ctx, name, data, 0, 1);
    return status ? status : check_names(ctx, name, data);
}

/* ---- the entry of the format table --------------------------------------------------------- */

static int sniff(const fri_input *text) {
    return text->size >= sizeof MAGIC && !memcmp(text->data, MAGIC, sizeof MAGIC) ? 2 : 0;
}

static fr_status read_csr(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_csr_file *out) {
    (void)options; /* a CSR is returned as it is; the caller applies the options */
    fr_status status = check_header(ctx, text->name, text->data, text->size);
    if (status)
        return status;
    out->unchecked = text->size > CHECK_AT_ONCE;
    if (!out->unchecked && (status = fri_binary_check(ctx, text->name, text->data, text->size)))
        return status;
    if ((status = names_of(ctx, text->data, &out->ids.names)))
        return status;
    out->borrowed = true;
    out->hash = ((const header *)text->data)->hash;
    view_of(text->data, &out->csr, &out->ids);
    out->undirected = out->csr.symmetric && !(((const header *)text->data)->flags & ARCS);
    return FR_OK;
}

uint64_t fri_binary_key(const fri_input *text) { return ((const header *)text->data)->key; }

/* The header of a graph, including the checksums of its sections. */
static header describe(int threads, const fri_graph_view *view, const void *content[SECTIONS]) {
    const fr_csr *csr = view->csr;
    header h = {.byte_order = BYTE_ORDER_MARK,
                .weight_type = csr->weight_type,
                .n = csr->n,
                .m = csr->m,
                .id_base = view->ids->base};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    const fri_names *names = view->ids->names;
    h.flags = (csr->symmetric ? SYMMETRIC : 0) | (view->ids->list ? LISTED_IDS : 0) |
              (names ? NAMED : 0) | (csr->symmetric && !view->undirected ? ARCS : 0);
    h.version = version_of(&h);
    h.section[NAMES].bytes = names ? names->size : 0;
    place_sections(&h);
    content[OFFSETS] = csr->offsets;
    content[TARGETS] = csr->targets;
    content[WEIGHTS] = csr->weights;
    content[IDS] = view->ids->list;
    content[NAME_OFFSETS] = names ? names->offsets : NULL;
    content[NAMES] = names ? names->bytes : NULL;
    h.hash = fri_checksum_add((uint64_t)h.n, (uint64_t)h.weight_type);
    h.hash = fri_checksum_add(h.hash, view->ids->list ? 0 : (uint64_t)h.id_base);
    for (int s = 0; s < section_count(&h); s++) {
        h.section[s].checksum = fri_checksum(threads, content[s], h.section[s].bytes);
        h.hash = fri_checksum_add(h.hash, h.section[s].checksum);
    }
    return h;
}

uint64_t fri_graph_view_hash(int threads, const fri_graph_view *view) {
    const void *content[SECTIONS];
    return describe(threads, view, content).hash;
}

/* Writes in pieces, so that a long write can be cancelled and reports its progress. */
static fr_status put(fr_ctx *ctx, const char *data, uint64_t bytes, uint64_t *done, uint64_t total,
                     FILE *out) {
    const uint64_t chunk = (uint64_t)8 << 20;
    for (uint64_t at = 0; at < bytes; at += chunk) {
        uint64_t length = FRI_MIN(chunk, bytes - at);
        if (fwrite(data + at, 1, length, out) != length)
            return FR_DISK; /* the caller reports the reason */
        if (fri_progress(ctx, "writing", (int64_t)(*done += length), (int64_t)total))
            return FR_CANCELLED;
    }
    return FR_OK;
}

static fr_status write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    static const char zeros[ALIGN];
    const void *content[SECTIONS];
    header h = describe(ctx->threads, view, content);
    h.key = view->key;
    h.checksum = header_sum(&h);
    uint64_t done = 0;
    fr_status status = put(ctx, (const char *)&h, sizeof h, &done, h.file_bytes, out);
    for (int s = 0; s < section_count(&h) && !status; s++) {
        uint64_t bytes = h.section[s].bytes;
        status = put(ctx, content[s], bytes, &done, h.file_bytes, out);
        if (!status)
            status = put(ctx, zeros, (ALIGN - bytes % ALIGN) % ALIGN, &done, h.file_bytes, out);
    }
    return status;
}

static const char *const suffixes[] = {".fringe", NULL};
const fri_format fri_format_fringe = {
    .name = "fringe",
    .text = "fringe's own binary format, mapped and used in place (.fringe)",
    .suffixes = suffixes,
    .sniff = sniff,
    .read_csr = read_csr,
    .write = write,
    .holds_names = true,
};
