/* How a part is made: the edges that a rank holds, their way to the owners of their targets, and the rows that
 * are built from them. */
#ifndef FRI_RANKS_PART_BUILD_H
#define FRI_RANKS_PART_BUILD_H

#include "base/edge_list.h"
#include "io/format.h"
#include "ranks/part/part.h"

/* The edges that a rank holds before they are distributed: from a generator, a file's rows, or arrays. */
typedef struct fri_edge_source {
    int64_t n, count;    /* vertices of the whole graph, edges here */
    fr_type weight_type; /* FR_TYPE_NONE: no weights */
    bool undirected;     /* an edge counts in both directions, a loop once */
    const fri_edge_list *list;
    const fr_csr *rows;       /* or: rows, which are valid */
    const int64_t *from, *to; /* or: arrays of ends and weights */
    const void *weights;
    int64_t place, at; /* the next edge: its block or row, and its index */
} fri_edge_source;

fri_edge_source fri_source_of_list(const fri_edge_list *list);
/* The rows of fri_csr_share, which have been checked. */
fri_edge_source fri_source_of_rows(const fr_csr *csr, int share, int shares);
fri_edge_source fri_source_of_arrays(int64_t n, int64_t count, const int64_t *from,
                                     const int64_t *to, const void *weights, fr_type type);

/* Reads the next edge: its ends, and the weight's address or NULL. Returns whether both ends are
 * vertices; the ends of an array's edge need not be. */
bool fri_source_next(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight);

/* Opens the file if its format lets ranks divide it, because a line's vertices are known without
 * other lines; else *format is NULL, also after a failure. */
fr_status fri_text_open(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        fri_input *text, const fri_format **format);

/* Reads a range of the bytes of a text file. Collective. Free `edges` also after a failure. */
fr_status fri_text_read_share(fr_ctx *ctx, fr_world *world, const fri_input *text,
                              const fri_format *format, const fr_load_options *options,
                              fri_edge_list *edges);

/* Sends every edge to the rank that owns its target. Collective. Fills `edges` with the edges into own vertices, as
 * (slot of the source, own index of the target), from the edge sources of all ranks. With options->weights RANDOM it
 * also draws the weights. part: world, share and own are set. Free `edges` also after a failure. */
fr_status fri_distribute_edges(fr_ctx *ctx, const fr_part *part, fri_edge_source *source,
                               const fr_load_options *options, fri_edge_list *edges);

/* Builds the part of this rank. Collective. status: of the step that made `source` on this rank and began at
 * begin_ns. source->n must be the same on every rank. Takes ownership of ids. */
fr_status fri_part_build(fr_ctx *ctx, fr_world *world, fr_status status, fri_edge_source *source,
                         const fr_load_options *options, fri_ids *ids, int64_t begin_ns,
                         fr_part **out);

#endif
