/* Reads a text file on all ranks. Supports GAP's edge lists, whose vertices are 0 .. the largest
 * id. In other formats the vertices depend on all ids that occur, or on sections, and so on lines
 * outside a rank's range. */
#include "ranks/part/part_build.h"

#include "graph/build/load.h"
#include "graph/weights.h"
#include "io/text/columns.h"
#include "io/formats/edge_list_header.h"
#include "io/sparse.h"
#include "base/text/number.h"

#include <string.h>

static bool is_divided(const fri_format *format) {
    return format && (!strcmp(format->name, "el") || !strcmp(format->name, "wel"));
}

fr_status fri_text_open(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        fri_input *text, const fri_format **format) {
    const fri_format *named =
        options->format ? fri_format_find(options->format) : fri_format_by_suffix(path);
    *text = (fri_input){0};
    *format = NULL;
    if (!is_divided(named) || options->weight_column || fri_columns_chosen(options))
        return FR_OK;
    fr_status status = fri_input_open(ctx, path, text);
    if (!status)
        status = fri_load_format(ctx, text, options, format);
    if (status || !is_divided(*format)) {
        *format = NULL;
        fri_input_close(text);
    }
    return status;
}

/* Sets the number of vertices and the type of weights that hold the edges of all ranks. A rank whose
 * weights are all integers first gets the type of all, as a reader of the whole file would. */
static fr_status fit_together(fr_ctx *ctx, const char *path, const fr_load_options *options,
                              fr_type type, int64_t n, int64_t count, fri_edge_list *edges) {
    if (count == 0)
        return fri_fail(ctx, FR_FORMAT, "%s: the file contains no edge", path);
    if (!fri_sparse_fits(ctx, n, count))
        return fri_fail(ctx, FR_NOMEM,
                        "%s: %lld vertices with %lld %s; max_memory_bytes permits it", path,
                        (long long)n, (long long)count, fri_words(count, "edge", "edges"));
    edges->n = (int32_t)n;
    fr_load_options own = *options;
    own.weight_type = type;
    if (!edges->weight_type)
        edges->weight_type = options->weights == FR_WEIGHTS_FILE ? type : FR_TYPE_NONE;
    fr_status status = fri_weights_convert(ctx, edges, &own);
    if (!status)
        status = fri_load_check_int64(ctx, path, options, edges);
    return status ? status : fri_weights_convert(ctx, edges, options);
}

fr_status fri_text_read_share(fr_ctx *ctx, fr_world *w, const fri_input *text,
                              const fri_format *format, const fr_load_options *options,
                              fri_edge_list *edges) {
    fri_gap_share share = {0};
    bool weighted = strcmp(format->name, "wel") == 0;
    fr_status status =
        fri_gap_read_share(ctx, text, options, weighted, w->rank, w->size, edges, &share);
    status = fri_world_agree(w, status);
    int64_t maxima[] = {share.n, edges->weight_type}, count = share.count;
    if (!status)
        status = fri_world_max(w, maxima, 2);
    if (!status)
        status = fri_world_sum(w, &count, 1);
    return status ? status
                  : fit_together(ctx, text->name, options, (fr_type)maxima[1], maxima[0], count,
                                 edges);
}
