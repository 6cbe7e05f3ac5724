/* GAP Benchmark Suite binary graphs: .sg without, .wsg with weights.
 *
 * Source: S. Beamer, K. Asanovic, D. Patterson: The GAP Benchmark Suite, arXiv:1508.03619, 2015;
 *   the layout is from gapbs/src/writer.h and reader.h (WriteSerializedGraph).
 * Layout, in the byte order of the machine: 1 byte directed (0, 1); int64 number of edges stored in
 * the rows; int64 n; int64 offsets[n + 1]; rows of int32 target, or (int32 target, int32 weight) in
 * .wsg; for a directed graph the offsets and rows of the in-edges follow. Vertices are 0 .. n-1.
 * The in-edges are redundant and skipped, but their size is checked. An undirected file must
 * contain each edge in both directions. Nothing in the file is aligned, so it is copied instead of
 * mapped in place. The format has no magic number: only the suffix identifies it.
 */
#include "io/csr_check.h"
#include "io/formats/writers.h"
#include "io/results/text_writer.h"

#include <string.h>

enum { HEAD = 17 };

typedef struct {
    bool directed;
    int64_t n, m;
    size_t entry; /* bytes of one edge: 4 or 8 */
} shape;

static fr_status read_shape(fr_ctx *ctx, const fri_input *text, size_t entry, shape *s) {
    if (text->size < HEAD)
        return fri_fail(ctx, FR_FORMAT, "%s: byte %zu: the file ends within its header", text->name,
                        text->size);
    if ((unsigned char)text->data[0] > 1)
        return fri_fail(ctx, FR_FORMAT, "%s: byte 0: %d is neither directed (1) nor undirected (0)",
                        text->name, (unsigned char)text->data[0]);
    s->directed = text->data[0];
    memcpy(&s->m, text->data + 1, sizeof s->m);
    memcpy(&s->n, text->data + 9, sizeof s->n);
    s->entry = entry;
    if (s->n < 0 || s->n > INT32_MAX || s->m < 0 || s->m > (int64_t)1 << 40)
        return fri_fail(ctx, FR_RANGE, "%s: byte 1: %lld edges or %lld vertices are out of range",
                        text->name, (long long)s->m, (long long)s->n);
    size_t rows = ((size_t)s->n + 1) * sizeof(int64_t) + (size_t)s->m * entry;
    size_t bytes = HEAD + rows * (s->directed ? 2 : 1);
    if (bytes != text->size)
        return fri_fail(ctx, FR_FORMAT,
                        "%s: byte %zu: the file is truncated; its header implies %zu bytes",
                        text->name, text->size, bytes);
    return FR_OK;
}

static fr_status copy_rows(fr_ctx *ctx, const fri_input *text, const shape *s, bool keep,
                           fri_csr_file *out) {
    const char *from = text->data + HEAD;
    size_t offset_bytes = ((size_t)s->n + 1) * sizeof(int64_t);
    int64_t *offsets = fri_alloc(ctx, offset_bytes);
    int32_t *targets = fri_alloc(ctx, fri_bytes(s->m, sizeof *targets));
    int32_t *weights = keep ? fri_alloc(ctx, fri_bytes(s->m, sizeof *weights)) : NULL;
    out->csr = (fr_csr){.n = (int32_t)s->n,
                        .m = s->m,
                        .offsets = offsets,
                        .targets = targets,
                        .weights = weights,
                        .weight_type = keep ? FR_TYPE_I32 : FR_TYPE_NONE,
                        .symmetric = !s->directed};
    out->undirected = !s->directed;
    if (!offsets || !targets || (keep && !weights))
        return FR_NOMEM;
    memcpy(offsets, from, offset_bytes);
    from += offset_bytes;
#pragma omp parallel for num_threads(ctx->threads)
    for (int64_t e = 0; e < s->m; e++) {
        memcpy(&targets[e], from + (size_t)e * s->entry, sizeof *targets);
        if (weights)
            memcpy(&weights[e], from + (size_t)e * s->entry + 4, sizeof *weights);
    }
    return FR_OK;
}

static fr_status check_rows(fr_ctx *ctx, const fri_input *text, const fr_csr *csr) {
    if (!fri_csr_is_valid(ctx->threads, csr, fri_csr_all_rows(csr)))
        return fri_fail(ctx, FR_FORMAT, "%s: byte %d: the offsets or targets are invalid",
                        text->name, HEAD);
    fri_csr_sort_rows(ctx->threads, csr);
    int32_t from, to;
    if (csr->symmetric && !fri_csr_is_mirrored(ctx->threads, csr) &&
        fri_csr_find_unmirrored(csr, &from, &to))
        return fri_fail(ctx, FR_FORMAT, "%s: is undirected, but edges %d-%d and %d-%d differ",
                        text->name, from, to, to, from);
    return FR_OK;
}

static fr_status read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      size_t entry, fri_csr_file *out) {
    shape s;
    fr_status status = read_shape(ctx, text, entry, &s);
    if (!status)
        status = copy_rows(ctx, text, &s, entry == 8 && options->weights == FR_WEIGHTS_FILE, out);
    if (!status)
        status = check_rows(ctx, text, &out->csr);
    if (status)
        fri_csr_file_free(out);
    return status;
}

static fr_status read_sg(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                         fri_csr_file *out) {
    return read(ctx, text, options, 4, out);
}

static fr_status read_wsg(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_csr_file *out) {
    return read(ctx, text, options, 8, out);
}

/* ---- writing ------------------------------------------------------------------------------ */

static void put_rows(fri_text_writer *writer, const fr_csr *csr, bool weighted) {
    static const int32_t one = 1;
    const int32_t *weights = csr->weights;
    fri_write_bytes(writer, csr->offsets, ((size_t)csr->n + 1) * sizeof *csr->offsets);
    for (int64_t e = 0; e < csr->m; e++) {
        fri_write_bytes(writer, &csr->targets[e], sizeof *csr->targets);
        if (weighted)
            fri_write_bytes(writer, weights ? &weights[e] : &one, sizeof one);
    }
}

/* Builds the in-edges by counting; rows are ascending because sources are visited in order. */
static fr_status make_in_edges(fr_ctx *ctx, const fr_csr *csr, fri_csr_file *in) {
    const int32_t *weights = csr->weights;
    int64_t *offsets = fri_calloc(ctx, fri_bytes((int64_t)csr->n + 2, sizeof *offsets));
    int32_t *sources = fri_alloc(ctx, fri_bytes(csr->m, sizeof *sources));
    int32_t *in_weights = weights ? fri_alloc(ctx, fri_bytes(csr->m, sizeof *in_weights)) : NULL;
    in->csr = (fr_csr){csr->n, csr->m, offsets, sources, in_weights, csr->weight_type, false};
    if (!offsets || !sources || (weights && !in_weights))
        return FR_NOMEM;
    for (int64_t e = 0; e < csr->m; e++)
        offsets[csr->targets[e] + 2]++;
    for (int32_t v = 0; v < csr->n; v++)
        offsets[v + 2] += offsets[v + 1];
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int64_t at = offsets[csr->targets[e] + 1]++;
            sources[at] = u;
            if (weights)
                in_weights[at] = weights[e];
        }
    return FR_OK;
}

static fr_status write(fr_ctx *ctx, const fri_graph_view *view, FILE *out, bool weighted) {
    const fr_csr *csr = view->csr;
    int64_t n = csr->n;
    if (weighted && csr->weight_type != FR_TYPE_I32 && csr->weight_type != FR_TYPE_NONE)
        return fri_fail(ctx, FR_UNSUPPORTED, "the weights of a .wsg file must be int32, not %s",
                        fr_type_name(csr->weight_type));
    fri_csr_file in = {0};
    fr_csr bare = *csr;
    if (!weighted)
        bare.weights = NULL;
    fr_status status = view->undirected ? FR_OK : make_in_edges(ctx, &bare, &in);
    if (!status) {
        fri_text_writer writer;
        fri_text_writer_start(&writer, ctx, out, 0);
        fri_write_char(&writer, !view->undirected);
        fri_write_bytes(&writer, &csr->m, sizeof csr->m);
        fri_write_bytes(&writer, &n, sizeof n);
        put_rows(&writer, &bare, weighted);
        if (!view->undirected)
            put_rows(&writer, &in.csr, weighted);
        status = fri_text_writer_finish(&writer);
    }
    fri_csr_file_free(&in);
    return status;
}

static fr_status write_sg(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    fr_status status = fri_refuse_weights(ctx, view, "sg", "wsg");
    return status ? status : write(ctx, view, out, false);
}

static fr_status write_wsg(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    return write(ctx, view, out, true);
}

static const char *const sg_suffixes[] = {".sg", NULL}, *const wsg_suffixes[] = {".wsg", NULL};
const fri_format fri_format_sg = {.name = "sg",
                                  .text = "GAP binary without weights (.sg)",
                                  .suffixes = sg_suffixes,
                                  .read_csr = read_sg,
                                  .write = write_sg};
const fri_format fri_format_wsg = {.name = "wsg",
                                   .text = "GAP binary with int32 weights (.wsg)",
                                   .suffixes = wsg_suffixes,
                                   .read_csr = read_wsg,
                                   .write = write_wsg};
