/* LDBC Graphalytics graphs, written: the vertices, the edges, the properties. */
#include "io/emit.h"
#include "io/ldbc.h"

static fr_status write_vertices(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    fri_emit emit;
    fri_emit_start(&emit, ctx, out, view->csr->n);
    for (int32_t v = 0; v < view->csr->n; v++) {
        fri_emit_int(&emit, fri_id_of(view->ids, v));
        fri_emit_char(&emit, '\n');
    }
    return fri_emit_finish(&emit);
}

static fr_status write_edges(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    fri_emit emit;
    fri_emit_start(&emit, ctx, out, fri_count_written(ctx, csr));
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            if (!fri_written_once(csr, u, e))
                continue;
            fri_emit_edge(&emit, fri_id_of(view->ids, u), fri_id_of(view->ids, csr->targets[e]),
                          ' ');
            if (csr->weights) {
                fri_emit_char(&emit, ' ');
                fri_emit_weight(&emit, csr, e);
            }
            fri_emit_char(&emit, '\n');
        }
    return fri_emit_finish(&emit);
}

static void property(fri_emit *emit, const char *name, const char *key, const char *value,
                     const char *ending) {
    const char *const words[] = {"graph.", name, ".", key, " = ", value, ending, "\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        fri_emit_text(emit, words[i]);
}

static fr_status write_properties(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    const char *name = view->name;
    char number[32];
    fri_emit emit;
    fri_emit_start(&emit, ctx, out, 0);
    property(&emit, name, "vertex-file", name, ".v");
    property(&emit, name, "edge-file", name, ".e");
    snprintf(number, sizeof number, "%d", csr->n);
    property(&emit, name, "meta.vertices", number, "");
    snprintf(number, sizeof number, "%lld", (long long)fri_count_written(ctx, csr));
    property(&emit, name, "meta.edges", number, "");
    property(&emit, name, "directed", csr->symmetric ? "false" : "true", "");
    if (csr->weights) {
        property(&emit, name, "edge-properties.names", "weight", "");
        property(&emit, name, "edge-properties.types",
                 csr->weight_type == FR_I32 || csr->weight_type == FR_I64 ? "int" : "real", "");
    }
    return fri_emit_finish(&emit);
}

static const fri_part parts[] = {
    {".v", write_vertices}, {".e", write_edges}, {".properties", write_properties}, {NULL, NULL}};
static const char *const suffixes[] = {".properties", ".v", ".e", NULL};
const fri_format fri_format_ldbc = {
    .name = "ldbc",
    .text = "LDBC Graphalytics, three files (.v .e .properties)",
    .suffixes = suffixes,
    .read = fri_ldbc_read,
    .write = write_vertices,
    .parts = parts,
};
