/* One piece of a text of lines "id id [columns]": what pairs.c hands to its threads. */
#ifndef FRI_PIECE_H
#define FRI_PIECE_H

#include "io/pairs.h"

#include <stdatomic.h>

typedef enum fri_verdict {
    FRI_FINE,
    FRI_WIDER_IDS,    /* an id needs int64 */
    FRI_WIDER_VALUES, /* a weight needs int64 */
    FRI_REAL_VALUES,  /* a weight needs double */
    FRI_NO_ROOM,      /* more lines than were expected */
    FRI_STOPPED,      /* another piece's news made this one void */
    FRI_FAILED
} fri_verdict;

typedef enum fri_fault {
    FRI_NO_LEAD,
    FRI_NO_ID,
    FRI_ID_RANGE,
    FRI_ID_OVERFLOW,
    FRI_NO_GAP,
    FRI_NO_VALUE,
    FRI_VALUE_RANGE,
    FRI_VALUE_LARGE, /* an integer beyond int64 */
    FRI_VALUE_MIXED, /* an integer beyond 2^53 where others are no integers */
    FRI_NOT_WHOLE,
    FRI_TRAILING,
    FRI_MORE_COLUMNS,
    FRI_EMPTY_COLUMN
} fri_fault;

typedef struct fri_piece {
    const char *begin, *end;
    int64_t lines; /* that block has room for */
    fri_block *block;
    int64_t low, high;
    fri_verdict verdict;
    /* when it failed: where and how */
    const char *at;
    fri_fault fault;
    const char *which; /* name of the id; NULL: the weight */
    int64_t id;
} fri_piece;

typedef struct fri_pairs_job {
    fr_ctx *ctx;
    const fri_text *text;
    const fri_pairs *pairs;
    fri_piece *pieces;
    int count;
    bool wide;
    fri_value value;
    bool forced_real; /* value is REAL because a weight is no integer: then 2^53 is the bound */
    atomic_bool stop; /* a piece met something that makes the others' work void, or cancelled */
} fri_pairs_job;

/* Parses one piece into its block (with room for piece->lines) and fills the rest of it. */
fri_verdict fri_piece_parse(const fri_pairs_job *job, fri_piece *piece);

#endif
