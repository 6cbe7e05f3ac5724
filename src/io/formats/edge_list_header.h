/* The lines before the first edge of an edge list, and the columns of that edge. */
#ifndef FRI_IO_FORMATS_EDGE_LIST_HEADER_H
#define FRI_IO_FORMATS_EDGE_LIST_HEADER_H

#include "base/edge_list.h"
#include "io/text/edge_lines.h"
#include "io/text/number_scan.h"

/* What the first lines of a file of the KONECT collection say. */
typedef struct fri_konect {
    bool found;
    bool undirected, bipartite;
    bool weighted; /* column 3 has weights */
    bool
        multiplicities; /* column 3 may count parallel edges, of which the second line counts all */
    bool dynamic;       /* edges appear and vanish */
    int64_t edges;      /* as the second line says; -1: not declared */
    int64_t left, right; /* vertices of each side; right: -1 if the two are the same */
    const char *counts;  /* the second line */
} fri_konect;

fri_konect fri_konect_read(const fri_input *text);

typedef struct fri_edge_list_header {
    int64_t nodes, edges; /* as declared by a comment; -1: not declared */
    const char *declared; /* the position of the declaration */
    const char *names;    /* the first line if it is neither comment nor edge; otherwise NULL */
    const char *body;     /* the first edge; the end of the text if there is none */
    int columns;          /* of the first edge */
    fri_konect konect;
    const char *undirected; /* a comment that calls the graph undirected; NULL: none */
} fri_edge_list_header;

extern const char fri_edge_comments[]; /* the characters that start a comment line */

fri_edge_list_header fri_edge_list_header_read(const fri_input *text);
/* Checks that the counts are in range; FR_FORMAT for a line that is neither comment nor edge nor
 * column names. Column names are added to the note of `edges`. */
fr_status fri_edge_list_header_check(fr_ctx *ctx, const fri_input *text,
                                     const fri_edge_list_header *head, fri_edge_list *edges);
/* Number of words from the cursor to the end of its line. */
int fri_edge_columns(fri_scan scan);
/* The kind of value in that column of the first edge; columns count from 1. */
fri_weight_kind fri_edge_value(const fri_edge_list_header *head, const fri_input *text, int column);

/* ---- a part of a GAP edge list (edge_list.c), for ranks that read a file together -------------- */

typedef struct fri_gap_share {
    int64_t count, n; /* edges read; vertices that they or the comments need */
} fri_gap_share;

/* The lines that begin in share `share` of `shares` of the bytes. edges->n stays 0, and weights are of
 * the type that these lines need. */
fr_status fri_gap_read_share(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                             bool weighted, int share, int shares, fri_edge_list *edges,
                             fri_gap_share *out);

#endif
