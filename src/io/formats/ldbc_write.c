/* Writes LDBC Graphalytics graphs: the vertices, the edges, the properties. */
#include "io/results/text_writer.h"
#include "io/formats/ldbc.h"

static fr_status write_vertices(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, view->csr->n);
    for (int32_t v = 0; v < view->csr->n; v++) {
        fri_write_int(&writer, fri_id_of(view->ids, v));
        fri_write_char(&writer, '\n');
    }
    return fri_text_writer_finish(&writer);
}

static fr_status write_edges(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, fri_count_written(ctx, csr));
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            if (!fri_written_once(csr, u, e))
                continue;
            fri_write_edge(&writer, fri_id_of(view->ids, u), fri_id_of(view->ids, csr->targets[e]),
                           ' ');
            if (csr->weights) {
                fri_write_char(&writer, ' ');
                fri_write_weight(&writer, csr, e);
            }
            fri_write_char(&writer, '\n');
        }
    return fri_text_writer_finish(&writer);
}

static void property(fri_text_writer *writer, const char *name, const char *key, const char *value,
                     const char *ending) {
    const char *const words[] = {"graph.", name, ".", key, " = ", value, ending, "\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        fri_write_text(writer, words[i]);
}

static fr_status write_properties(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    const char *name = view->name;
    char number[32];
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, 0);
    property(&writer, name, "vertex-file", name, ".v");
    property(&writer, name, "edge-file", name, ".e");
    snprintf(number, sizeof number, "%d", csr->n);
    property(&writer, name, "meta.vertices", number, "");
    snprintf(number, sizeof number, "%lld", (long long)fri_count_written(ctx, csr));
    property(&writer, name, "meta.edges", number, "");
    property(&writer, name, "directed", csr->symmetric ? "false" : "true", "");
    if (csr->weights) {
        property(&writer, name, "edge-properties.names", "weight", "");
        property(&writer, name, "edge-properties.types",
                 csr->weight_type == FR_TYPE_I32 || csr->weight_type == FR_TYPE_I64 ? "int"
                                                                                    : "real",
                 "");
    }
    return fri_text_writer_finish(&writer);
}

static const fri_format_file parts[] = {
    {".v", write_vertices}, {".e", write_edges}, {".properties", write_properties}, {NULL, NULL}};
static const char *const suffixes[] = {".properties", ".v", ".e", NULL};
const fri_format fri_format_ldbc = {
    .name = "ldbc",
    .text = "LDBC Graphalytics, three files (.v .e .properties)",
    .suffixes = suffixes,
    .read = fri_ldbc_read,
    .write = write_vertices,
    .files = parts,
};
