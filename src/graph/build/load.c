/* A file -> text -> format -> edges -> graph. */
#include "graph/build/load.h"
#include "graph/weights.h"
#include "io/text/columns.h"
#include "io/csr_check.h"
#include "io/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static fr_status choose_format(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                               const fri_format **format) {
    /* only edge lists have such columns, and ids that are strings */
    bool chooses = fri_columns_chosen(options) || options->ids == FR_IDS_STRINGS;
    *format = options->format ? fri_format_find(options->format)
              : chooses       ? fri_format_by_magic(text)
              : text->size    ? NULL
                              : fri_format_by_suffix(text->name);
    if (chooses && !*format && !options->format)
        *format = fri_format_find("snap");
    if (options->format && !*format)
        return fri_fail(ctx, FR_INVALID, "unknown format '%.80s'; fr_format_name lists all",
                        options->format);
    bool several = *format && (*format)->files; /* one of several files may be empty */
    if (text->size == 0 && !several)
        return fri_fail(ctx, FR_FORMAT, "%s: the file is empty", text->name);
    fr_status status = *format ? FR_OK : fri_format_detect(ctx, text, format);
    if (status != FR_FORMAT || options->ids != FR_IDS_AUTO)
        return status;
    fri_begin(ctx);
    *format = fri_format_find("snap");
    return FR_OK;
}

/* No option is accepted and then ignored. */
static fr_status check_columns(fr_ctx *ctx, const fri_format *format,
                               const fr_load_options *options) {
    bool ends = options->source_column || options->target_column;
    if (options->ids == FR_IDS_STRINGS && strcmp(format->name, "snap") != 0)
        return fri_fail(ctx, FR_INVALID,
                        "ids can be strings in edge lists (format snap), not in the format %s",
                        format->name);
    bool snap = strcmp(format->name, "snap") == 0;
    bool weight = strcmp(format->name, "ldbc") == 0 || strcmp(format->name, "tntp") == 0;
    if (!snap && (options->separator || options->decimal))
        return fri_fail(ctx, FR_INVALID,
                        "separator and decimal sign can be chosen in edge lists (format snap), not "
                        "in the format %s",
                        format->name);
    if (snap || (!ends && (weight || !options->weight_column)))
        return FR_OK;
    return fri_fail(ctx, FR_INVALID,
                    "columns can be chosen in edge lists (format snap), not in the format %s",
                    format->name);
}

/* Where lines end with carriage returns alone, a reader would take the file for one line. */
static fr_status check_line_ends(fr_ctx *ctx, const fri_input *text) {
    enum { SNIFFED_BYTES = 1 << 16 };
    const char *at = text->data, *end = at + FRI_MIN(text->size, SNIFFED_BYTES);
    while (at < end && (at = memchr(at, '\r', (size_t)(end - at)))) {
        while (at < end && *at == '\r')
            at++;
        if (at < end && *at != '\n')
            return fri_input_fail(ctx, FR_FORMAT, text, at - 1,
                                  "the line ends with a carriage return alone; turn these into "
                                  "newlines, for example by tr '\\r' '\\n'");
    }
    return FR_OK;
}

/* Weights that are written with a fraction or an exponent are read as doubles, which do not hold every integer
 * beyond 2^53: an int64 made from one could differ from what is written. */
fr_status fri_load_check_int64(fr_ctx *ctx, const char *name, const fr_load_options *options,
                               const fri_edge_list *edges) {
    if (options->weight_type != FR_TYPE_I64 || edges->weight_type != FR_TYPE_F64)
        return FR_OK;
    for (int b = 0; b < edges->block_count; b++) {
        const double *weights = edges->blocks[b].weights;
        for (int64_t i = 0; i < edges->blocks[b].count; i++)
            if (fabs(weights[i]) >= 0x1p53)
                return fri_fail(ctx, FR_RANGE,
                                "%s: the weight %.17g is beyond 2^53, and not all weights are "
                                "written as integers; request float64 weights to round it",
                                name, weights[i]);
    }
    return FR_OK;
}

/* Of the files that call themselves undirected some list every edge twice, and some once. */
static fr_status check_both_directions(fr_ctx *ctx, fr_graph *graph) {
    graph->undirected = graph->csr.symmetric;
    if (graph->undirected || fri_csr_is_mirrored(ctx->threads, &graph->csr))
        return FR_OK;
    const char *note = fr_graph_note(graph), *warning = fr_graph_warning(graph);
    fri_edge_list said = {0};
    if (note)
        snprintf(said.note, sizeof said.note, "%s", note);
    if (warning)
        snprintf(said.warning, sizeof said.warning, "%s", warning);
    fri_edge_list_warn(&said, "a comment calls the graph undirected, but each line is read as one "
                              "direction; direction undirected reads both");
    return fri_graph_set_note(ctx, graph, said.note, said.warning);
}

/* Closes the text, which frees memory for the build. */
static fr_status build(fr_ctx *ctx, fri_input *text, fri_edge_list *edges,
                       const fr_load_options *options, fr_graph *graph) {
    fr_status status = fri_load_check_int64(ctx, text->name, options, edges);
    fri_input_close(text);
    bool called_undirected = edges->called_undirected;
    if (!status)
        status = fri_graph_build(ctx, edges, options, graph);
    else
        fri_edge_list_free(edges);
    if (!status && called_undirected)
        status = check_both_directions(ctx, graph);
    return status;
}

static fr_status read_edges(fr_ctx *ctx, fri_input *text, const fri_format *format,
                            const fr_load_options *options, fr_graph *graph) {
    fri_edge_list edges = {0};
    fr_status status = format->read(ctx, text, options, &edges);
    if (!status)
        return build(ctx, text, &edges, options, graph);
    fri_edge_list_free(&edges);
    return status;
}

fr_status fri_load_format(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          const fri_format **format) {
    fr_status status = choose_format(ctx, text, options, format);
    if (!status)
        status = check_columns(ctx, *format, options);
    const bool lines = !status && (*format)->read && !(*format)->binary;
    return lines ? check_line_ends(ctx, text) : status;
}

static fr_status load(fr_ctx *ctx, fri_input *text, const fr_load_options *options,
                      fr_graph *graph) {
    const fri_format *format;
    fr_status status = fri_load_format(ctx, text, options, &format);
    if (status || format->read)
        return status ? status : read_edges(ctx, text, format, options, graph);
    fri_csr_file file = {0};
    status = fri_input_own(ctx, text); /* the graph keeps the bytes of a binary format */
    if (!status)
        status = format->read_csr(ctx, text, options, &file);
    return status ? status : fri_graph_from_csr_file(ctx, text, &file, options, graph);
}

/* Reads edges while they are decompressed, if the head is sufficient to know the format. A reader that does not
 * read behind the head, or fails, leaves FR_UNSUPPORTED. */
static fr_status read_head(fr_ctx *ctx, fri_input *text, const fr_load_options *options,
                           fri_edge_list *edges) {
    const fri_format *format;
    const bool known =
        options->format || fri_format_by_magic(text) || fri_format_by_suffix(text->name);
    if (!known || fri_load_format(ctx, text, options, &format) || !format->heads)
        return FR_UNSUPPORTED;
    fr_status status = format->read(ctx, text, options, edges);
    if (status == FR_OK && fri_unpacker_ended(text->rest))
        return FR_OK;
    fri_edge_list_free(edges);
    return status == FR_CANCELLED ? status : FR_UNSUPPORTED;
}

static fr_status load_head(fr_ctx *ctx, fri_input *text, const fr_load_options *options,
                           fr_graph *graph) {
    fri_edge_list edges = {0};
    fr_status status = read_head(ctx, text, options, &edges);
    if (status == FR_OK)
        return build(ctx, text, &edges, options, graph);
    if (status == FR_CANCELLED)
        return status;
    fri_begin(ctx);
    status = fri_input_whole(ctx, text);
    return status ? status : load(ctx, text, options, graph);
}

static fr_status load_file(fr_ctx *ctx, const char *path, const fr_load_options *options,
                           fr_graph *graph) {
    fri_input text;
    fr_status status = fri_input_open_head(ctx, path, &text);
    if (!status)
        status =
            text.rest ? load_head(ctx, &text, options, graph) : load(ctx, &text, options, graph);
    fri_input_close(&text);
    return status;
}

/* Refuses what needs a file, or several, where there is one content without a path. */
static fr_status check_content(fr_ctx *ctx, const char *what, const fr_load_options *options) {
    const fri_format *named = options->format ? fri_format_find(options->format) : NULL;
    if (options->cache)
        return fri_fail(ctx, FR_INVALID, "cache needs a file, next to which the copy is kept");
    if (named && named->files)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "the format %s consists of several files, which %s cannot hold",
                        named->name, what);
    return FR_OK;
}

static fr_status load_cached(fr_ctx *ctx, const char *path, const fr_load_options *options,
                             fr_graph *graph) {
    uint64_t key;
    fr_status status = fri_cache_key(ctx, path, options, &key);
    if (status || fri_cache_find(ctx, path, key, graph))
        return status;
    status = load_file(ctx, path, options, graph);
    bool mapped = graph->text.data; /* the input is the binary format itself */
    return status || mapped ? status : fri_cache_keep(ctx, path, options, key, graph);
}

/* Where the content is: a file or, without a path, a stream or else bytes. */
typedef struct content {
    const char *name, *path;
    FILE *in;
    const void *bytes;
    size_t size;
} content;

static fr_status load_content(fr_ctx *ctx, const content *from, const fr_load_options *options,
                              fr_graph *graph) {
    if (from->path)
        return options->cache ? load_cached(ctx, from->path, options, graph)
                              : load_file(ctx, from->path, options, graph);
    fri_input text;
    fr_status status = from->in ? fri_input_open_stream(ctx, from->in, &text)
                                : fri_input_open_memory(ctx, from->bytes, from->size, &text);
    if (!status)
        status = load(ctx, &text, options, graph);
    fri_input_close(&text);
    return status;
}

static fr_status load_graph(fr_ctx *ctx, const content *from, const fr_load_options *options,
                            fr_graph **out) {
    const bool one_file = from->path && strcmp(from->path, "-") != 0;
    fr_load_options own;
    fr_status status = fri_load_options_read(ctx, options, &own);
    if (!status && !one_file)
        status = check_content(ctx, from->name, &own);
    if (status)
        return status;
    fr_graph *graph = fri_graph_new(ctx, from->name);
    if (!graph)
        return FR_NOMEM;
    return fri_graph_give(load_content(ctx, from, &own, graph), graph, out);
}

fr_status fr_graph_load(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && (!path || !*path))
        status = fri_fail(ctx, FR_INVALID, "no file name is given");
    if (status)
        return status;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    return load_graph(ctx, &(content){.name = name, .path = path}, options, out);
}

fr_status fr_graph_load_memory(fr_ctx *ctx, const void *bytes, size_t size,
                               const fr_load_options *options, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && !bytes && size)
        status = fri_fail(ctx, FR_INVALID, "no bytes are given");
    const content from = {.name = "memory", .bytes = bytes, .size = size};
    return status ? status : load_graph(ctx, &from, options, out);
}

fr_status fr_graph_load_stream(fr_ctx *ctx, FILE *in, const fr_load_options *options,
                               fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && !in)
        status = fri_fail(ctx, FR_INVALID, "no stream is given");
    return status ? status : load_graph(ctx, &(content){.name = "stream", .in = in}, options, out);
}
