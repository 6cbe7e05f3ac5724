/* The push rows of a rank that have edges, numbered in the order of their slots.
 *
 * Source: A. Buluc, J. Gilbert: On the representation and multiplication of hypersparse matrices,
 *   IPDPS 2008 (doubly compressed sparse rows).
 * With P ranks a row has 1/P of the edges of its vertex, and most rows are short or empty. What a
 * window needs of a row is stored for the rows with edges only; a bitmap with counts finds them. */
#ifndef FRI_RANKS_NONEMPTY_ROWS_H
#define FRI_RANKS_NONEMPTY_ROWS_H

#include "ranks/part.h"

enum {
    FRI_DUE_LATER = 254,  /* in that window or a later one */
    FRI_DUE_NEVER = 255,  /* the row is exhausted, or its vertex has not been published */
    FRI_DUES_AT_ONCE = 16 /* `due` is padded to a multiple of this, with FRI_DUE_NEVER */
};

typedef struct fri_row_block { /* of 32 slots */
    uint32_t nonempty;
    int32_t before; /* nonempty rows of the blocks before */
} fri_row_block;

typedef struct fri_nonempty_row {
    int64_t next; /* edge; -1: the first one */
    int32_t slot;
    float lightest; /* at most the smallest weight; infinity: no edges */
} fri_nonempty_row;

typedef struct fri_nonempty_rows {
    int64_t count;
    fri_row_block *blocks;  /* [slots / 32] */
    fri_nonempty_row *rows; /* [count] */
    int64_t *dist;          /* [count] the distance published last, infinity: none */
    uint8_t *due;           /* [count, padded] number of the window that examines the next edge */
} fri_nonempty_rows;

/* Numbers the rows of p->push; on one rank the empty ones as well, so that numbers are slots.
 * FR_NOMEM: the caller frees `out`. */
fr_status fri_nonempty_rows_make(fr_ctx *ctx, const fr_part *p, fri_nonempty_rows *out);
void fri_nonempty_rows_free(fri_nonempty_rows *r);

static inline int64_t fri_nonempty_rows_padded(const fri_nonempty_rows *r) {
    return (r->count + FRI_DUES_AT_ONCE - 1) / FRI_DUES_AT_ONCE * FRI_DUES_AT_ONCE;
}

/* Without a call of the compiler's library, which __builtin_popcount is on x86-64. */
static inline int32_t fri_popcount_32(uint32_t x) {
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return (int32_t)(((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

static inline bool fri_row_is_nonempty(const fri_nonempty_rows *r, int32_t slot) {
    return r->blocks[slot >> 5].nonempty >> (slot & 31) & 1;
}
/* The number of nonempty rows before that of `slot`: its number if it is nonempty. */
static inline int32_t fri_row_number(const fri_nonempty_rows *r, int32_t slot) {
    const fri_row_block *b = &r->blocks[slot >> 5];
    return b->before + fri_popcount_32(b->nonempty & ((UINT32_C(1) << (slot & 31)) - 1));
}

#endif
