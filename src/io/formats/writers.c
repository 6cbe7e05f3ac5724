/* Writes Matrix Market files and edge lists.
 *
 * Matrix Market: a symmetric graph is written as `symmetric`, its lower triangle; the field follows
 * from the weight type; rows and columns are vertex + 1, since the format has no other ids.
 * Edge lists cannot express "undirected": both arcs of every edge are written. Only `snap` contains
 * the number of vertices, except in a table with commas, and keeps ids. Writing fails if the graph
 * would be read back with other vertices (isolated ones that no line contains).
 */
#include "io/formats/writers.h"
#include "io/results/text_writer.h"

#include <string.h>

fr_status fri_mtx_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    bool weighted = csr->weight_type != FR_TYPE_NONE;
    int64_t entries = fri_count_written(ctx, view);
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, entries);
    fri_write_text(&writer, "%%MatrixMarket matrix coordinate ");
    bool whole = csr->weight_type == FR_TYPE_I32 || csr->weight_type == FR_TYPE_I64;
    fri_write_text(&writer, !weighted ? "pattern " : whole ? "integer " : "real ");
    fri_write_text(&writer, view->undirected ? "symmetric\n" : "general\n");
    fri_write_edge(&writer, csr->n, csr->n, ' ');
    fri_write_char(&writer, ' ');
    fri_write_int(&writer, entries);
    fri_write_char(&writer, '\n');
    fri_write_edges(&writer, csr,
                    &(fri_edge_style){.ids = &fri_ids_from_one,
                                      .between = ' ',
                                      .weights = weighted,
                                      .once = view->undirected,
                                      .lower = view->undirected});
    return fri_text_writer_finish(&writer);
}

/* Marks the vertices that have an edge: one byte per vertex. */
static char *find_used(fr_ctx *ctx, const fr_csr *csr) {
    char *used = fri_calloc(ctx, (size_t)csr->n + 1);
    for (int32_t u = 0; used && u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            used[u] = used[csr->targets[e]] = 1;
    return used;
}

/* The first vertex, starting at `from`, without an edge, or n. -1: out of memory. */
static int32_t first_unused(fr_ctx *ctx, const fr_csr *csr, int32_t from) {
    char *used = find_used(ctx, csr);
    int32_t v = from;
    while (used && v < csr->n && used[v])
        v++;
    fri_free(used);
    return used ? v : -1;
}

static fr_status refuse(fr_ctx *ctx, const fri_graph_view *view, int32_t v) {
    if (v < 0)
        return FR_NOMEM;
    if (view->ids->names)
        return fri_fail(
            ctx, FR_UNSUPPORTED,
            "vertex \"%.80s\" has no edge, so an edge list would lose it; fringe keeps it",
            fri_names_get(view->ids->names, v));
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "vertex %lld has no edge, so an edge list of these ids would lose it; mtx, gr, "
                    "pajek, metis, ldbc and fringe keep it",
                    (long long)fri_id_of(view->ids, v));
}

/* Names need quotes if a reader would divide them, or take the line for a comment. */
static void put_name(fri_text_writer *writer, const fri_graph_view *view, int32_t v) {
    const char *name = fri_names_get(view->ids->names, v);
    bool quoted = strpbrk(name, " ,;\"") || *name == '#' || *name == '%';
    if (quoted)
        fri_write_char(writer, '"');
    for (const char *c = name; quoted && *c; c++) {
        fri_write_char(writer, *c);
        if (*c == '"')
            fri_write_char(writer, '"');
    }
    if (quoted)
        fri_write_char(writer, '"');
    else
        fri_write_bytes(writer, name, strlen(name));
}

static void put_named_edges(fri_text_writer *writer, const fri_graph_view *view, char between) {
    const fr_csr *csr = view->csr;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            put_name(writer, view, u);
            fri_write_char(writer, between);
            put_name(writer, view, csr->targets[e]);
            if (csr->weights) {
                fri_write_char(writer, between);
                fri_write_weight(writer, csr, e);
            }
            fri_write_char(writer, '\n');
        }
}

/* The first vertex that the lines of the list would lose, or n: names are in order of first appearance, and in a table
 * no comment can declare isolated vertices; with ids 1 .. N only the last vertex must occur. -1: out of memory. */
static int32_t first_lost(fr_ctx *ctx, const fri_graph_view *view) {
    const int32_t n = view->csr->n;
    const bool declared = !view->csv && !view->ids->names && !view->ids->list;
    if (n == 0 || (declared && view->ids->base == 0))
        return n;
    return first_unused(ctx, view->csr, declared && view->ids->base == 1 ? n - 1 : 0);
}

static void put_heading(fri_text_writer *writer, const fri_graph_view *view) {
    const fr_csr *csr = view->csr;
    const bool counted = !view->ids->list && (view->ids->base == 0 || view->ids->base == 1);
    if (view->csv) {
        fri_write_text(writer, csr->weights ? "source,target,weight\n" : "source,target\n");
        return;
    }
    if (view->ids->names)
        return;
    if (counted) {
        fri_write_text(writer, "# Nodes: ");
        fri_write_int(writer, csr->n);
        fri_write_text(writer, " Edges: ");
        fri_write_int(writer, csr->m);
        fri_write_char(writer, '\n');
    }
    fri_write_text(writer, csr->weights ? "# source\ttarget\tweight\n" : "# source\ttarget\n");
}

static const char no_vertices[] =
    "an edge list cannot represent a graph without vertices; mtx, gr, pajek, metis, ldbc "
    "and fringe can";

fr_status fri_snap_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    const fr_csr *csr = view->csr;
    const char between = view->csv ? ',' : '\t';
    const int32_t lost = first_lost(ctx, view);
    if (csr->n == 0 && view->csv)
        return fri_fail(ctx, FR_UNSUPPORTED, no_vertices);
    if (lost < csr->n)
        return refuse(ctx, view, lost);
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, csr->m);
    put_heading(&writer, view);
    if (view->ids->names)
        put_named_edges(&writer, view, between);
    else
        fri_write_edges(
            &writer, csr,
            &(fri_edge_style){.ids = view->ids, .between = between, .weights = csr->weights});
    return fri_text_writer_finish(&writer);
}

fr_status fri_refuse_weights(fr_ctx *ctx, const fri_graph_view *view, const char *format,
                             const char *other) {
    if (!view->csr->weights || !view->csr->m)
        return FR_OK;
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "the format %s holds no weights; %s does, and weights none "
                    "drops them",
                    format, other);
}

/* Vertices are 0 .. maximum id: the last one must occur. */
static fr_status write_gap(fr_ctx *ctx, const fri_graph_view *view, FILE *out, bool weights) {
    const fri_graph_view numbered = {.csr = view->csr, .ids = &fri_ids_from_zero};
    int32_t n = view->csr->n, v = n ? first_unused(ctx, view->csr, n - 1) : 0;
    if (n == 0)
        return fri_fail(ctx, FR_UNSUPPORTED, no_vertices);
    if (v < n)
        return refuse(ctx, &numbered, v);
    fri_text_writer writer;
    fri_text_writer_start(&writer, ctx, out, view->csr->m);
    fri_write_edges(
        &writer, view->csr,
        &(fri_edge_style){.ids = &fri_ids_from_zero, .between = ' ', .weights = weights});
    return fri_text_writer_finish(&writer);
}

fr_status fri_el_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    fr_status status = fri_refuse_weights(ctx, view, "el", "wel");
    return status ? status : write_gap(ctx, view, out, false);
}

fr_status fri_wel_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out) {
    return write_gap(ctx, view, out, true);
}
