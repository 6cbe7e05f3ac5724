/* The push rows of a rank that have edges, numbered in the order of their slots.
 *
 * Source: A. Buluc, J. Gilbert: On the representation and multiplication of hypersparse matrices,
 *   IPDPS 2008 (doubly compressed sparse rows).
 * With P ranks a row has 1/P of the edges of its vertex, and most rows are short or empty. What a
 * window needs of a row is stored for the rows with edges only. A byte per slot, its position among
 * the nonempty rows of 64 slots, finds them; a bitmap with counts of bits needs a quarter of the
 * memory and 20 instructions more for each vertex published.
 * Called by: sssp_rows.c and typed/sssp_steps.c. */
#ifndef FRI_RANKS_NONEMPTY_ROWS_H
#define FRI_RANKS_NONEMPTY_ROWS_H

#include "fringe_ranks.h"
#include "ranks/part/part.h"

enum {
    FRI_ROW_NONEMPTY = 128, /* the bit of `position` that marks a nonempty row */
    FRI_DUE_LATER = 254,    /* in that window or a later one */
    FRI_DUE_NEVER = 255,    /* the row is exhausted, or its vertex has not been published */
    FRI_DUE_VECTOR = 16     /* `due` is padded to a multiple of this, with FRI_DUE_NEVER */
};

typedef struct fri_nonempty_row {
    int64_t dist; /* published last, infinity: none */
    int32_t slot;
    float lightest; /* at most the smallest weight; infinity: no edges */
} fri_nonempty_row;

typedef struct fri_nonempty_rows {
    int64_t count;
    uint8_t *position;      /* [slots] nonempty rows before it in its 64 slots; FRI_ROW_NONEMPTY */
    int32_t *before;        /* [slots / 64] the nonempty rows before these slots */
    fri_nonempty_row *rows; /* [count] */
    int64_t *next;          /* [count] the next edge; -1: the first one */
    uint8_t *due;           /* [count, padded] number of the window that examines the next edge */
} fri_nonempty_rows;

/* Numbers the rows of p->push; on one rank the empty ones as well, so that numbers are slots.
 * FR_NOMEM: the caller frees `out`. */
fr_status fri_nonempty_rows_make(fr_ctx *ctx, const fr_part *p, fri_nonempty_rows *out);
void fri_nonempty_rows_free(fri_nonempty_rows *r);

static inline int64_t fri_nonempty_rows_padded(const fri_nonempty_rows *r) {
    return (r->count + FRI_DUE_VECTOR - 1) / FRI_DUE_VECTOR * FRI_DUE_VECTOR;
}

static inline bool fri_row_is_nonempty(const fri_nonempty_rows *r, int32_t slot) {
    return r->position[slot] >= FRI_ROW_NONEMPTY;
}
/* The number of nonempty rows before `slot`, which is the row's number if it is nonempty. */
static inline int32_t fri_row_number(const fri_nonempty_rows *r, int32_t slot) {
    return r->before[slot >> 6] + (r->position[slot] & 63);
}

#endif
