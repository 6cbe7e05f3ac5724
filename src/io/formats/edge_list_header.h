/* What stands before the first edge of an edge list, and what that edge looks like. */
#ifndef FRI_IO_FORMATS_EDGE_LIST_HEADER_H
#define FRI_IO_FORMATS_EDGE_LIST_HEADER_H

#include "base/edge_list.h"
#include "io/edge_lines.h"
#include "io/number_scan.h"

typedef struct fri_edge_list_header {
    int64_t nodes, edges; /* as a comment declares them; -1: none does */
    const char *declared; /* the place */
    const char *names;    /* the first line, where it is neither comment nor edge; else NULL */
    const char *body;     /* the first edge; the end of the text when there is none */
    int columns;          /* of the first edge */
} fri_edge_list_header;

extern const char fri_edge_comments[]; /* the characters that open a comment line */

fri_edge_list_header fri_edge_list_header_read(const fri_input *text);
/* Counts that can be held; FR_FORMAT for a line that is neither comment nor edge nor names of
 * columns. Those are added to the note of `edges`. */
fr_status fri_edge_list_header_check(fr_ctx *ctx, const fri_input *text,
                                     const fri_edge_list_header *head, fri_edge_list *edges);
/* Words from the cursor to the end of its line. */
int fri_edge_columns(fri_scan scan);
/* What the column holds in the first edge; columns count from 1. */
fri_weight_kind fri_edge_value(const fri_edge_list_header *head, const fri_input *text, int column);

#endif
