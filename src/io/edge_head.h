/* What stands before the first edge of an edge list, and what that edge looks like. */
#ifndef FRI_EDGE_HEAD_H
#define FRI_EDGE_HEAD_H

#include "base/edges.h"
#include "io/pairs.h"
#include "io/scan.h"

typedef struct fri_edge_head {
    int64_t nodes, edges; /* as a comment declares them; -1: none does */
    const char *declared; /* the place */
    const char *names;    /* the first line, where it is neither comment nor edge; else NULL */
    const char *body;     /* the first edge; the end of the text when there is none */
    int columns;          /* of the first edge */
} fri_edge_head;

extern const char fri_edge_comments[]; /* the characters that open a comment line */

fri_edge_head fri_edge_head_read(const fri_text *text);
/* Counts that can be held; FR_FORMAT for a line that is neither comment nor edge nor names of
 * columns. Those are added to the note of `edges`. */
fr_status fri_edge_head_check(fr_ctx *ctx, const fri_text *text, const fri_edge_head *head,
                              fri_edges *edges);
/* Words from the cursor to the end of its line. */
int fri_edge_columns(fri_scan scan);
/* What the column holds in the first edge; columns count from 1. */
fri_value fri_edge_value(const fri_edge_head *head, const fri_text *text, int column);

#endif
