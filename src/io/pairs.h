/* Lines "id id [columns]" in parallel: the common part of Matrix Market and of edge lists. */
#ifndef FRI_PAIRS_H
#define FRI_PAIRS_H

#include "base/edges.h"
#include "io/text.h"

typedef enum fri_value {
    FRI_VALUE_NONE, /* no weight column */
    FRI_VALUE_INT,  /* every weight an integer: stored as int32, as int64 when one does not fit */
    FRI_VALUE_LONG, /* the same, stored as int64 */
    FRI_VALUE_REAL  /* stored as double */
} fri_value;

/* What the lines look like. */
typedef struct fri_pairs {
    const char *comments;                 /* the characters that open a comment line */
    char lead;                            /* the word that opens every edge line; 0: none */
    const char *first_name, *second_name; /* "row", "column": for messages */
    int64_t base, n;                      /* ids are base .. base + n - 1 */
    bool any_id;                          /* ids beyond that are kept, as int64 */
    int weight_column;                    /* >= 3, unless value is FRI_VALUE_NONE */
    fri_value value;
    bool real_if_not_int; /* FRI_VALUE_INT: one number that is no integer makes all double */
    int columns;          /* the most that a line may have; 0: any number, unless exact */
    bool exact;           /* nothing may stand behind the weight (or the second id) */
    bool rounds;          /* floats are asked for: an integer beyond int64 or 2^53 is rounded */
    bool forget;          /* check the weights but do not keep them */
    bool no_negation;     /* the least integer does not fit: the mirrored weight is negated */
} fri_pairs;

/* Are floats asked for, which may round integers? */
static inline bool fri_pairs_rounds(const fr_load_options *options) {
    return options->weight_type == FR_F32 || options->weight_type == FR_F64;
}

/* How to begin where the file tells of `told`: as integers where those are asked for, so that none
 * is rounded on its way through double. */
static inline fri_value fri_pairs_value(const fr_load_options *options, fri_value told) {
    bool integers = options->weight_type == FR_I32 || options->weight_type == FR_I64;
    return told == FRI_VALUE_REAL && integers ? FRI_VALUE_INT : told;
}

/* What they held. */
typedef struct fri_pairs_result {
    int64_t count;     /* edges */
    int64_t low, high; /* least and greatest id as written; low > high without edges */
    bool wide;         /* ends hold int64 ids as written; else int32 ids less base */
} fri_pairs_result;

/* Reads the lines from `begin` to the end of the text into edges->blocks and sets edges'
 * weight_type (none, FR_I32, FR_I64 or FR_F64). On failure edges holds what fri_edges_free frees.
 */
fr_status fri_pairs_read(fr_ctx *ctx, const fri_text *text, const char *begin,
                         const fri_pairs *pairs, fri_edges *edges, fri_pairs_result *result);

#endif
