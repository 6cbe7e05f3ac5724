/* Parses lines "id id [columns]" in parallel: the common part of Matrix Market and of edge
 * lists. */
#ifndef FRI_IO_EDGE_LINES_H
#define FRI_IO_EDGE_LINES_H

#include "base/edge_list.h"
#include "io/input.h"

typedef enum fri_weight_kind {
    FRI_WEIGHT_NONE, /* no weight column */
    FRI_WEIGHT_INT,  /* all weights are integers: stored as int32, or as int64 if one does not
                        fit */
    FRI_WEIGHT_LONG, /* the same, stored as int64 */
    FRI_WEIGHT_REAL  /* stored as double */
} fri_weight_kind;

/* Describes the lines. */
typedef struct fri_edge_line_format {
    const char *comments;                 /* the characters that open a comment line */
    char lead;                            /* the word that starts every edge line; 0: none */
    const char *first_name, *second_name; /* "row", "column": for messages */
    int64_t base, n;                      /* ids are base .. base + n - 1 */
    bool any_id;                          /* ids beyond that are kept, as int64 */
    int weight_column;                    /* >= 3, unless value is FRI_WEIGHT_NONE */
    fri_weight_kind value;
    bool real_if_not_int; /* FRI_WEIGHT_INT: a single non-integer makes all weights double */
    bool real_by_first;   /* FRI_WEIGHT_REAL: because the first weight is no integer, not by a
                             declaration or the options */
    bool real_declared;   /* FRI_WEIGHT_REAL: by a declaration of the file */
    int columns;          /* the maximum number of columns of a line; 0: any number, unless exact */
    bool exact;           /* no text may follow the weight (or the second id) */
    bool rounds;          /* the options request floats: an integer beyond int64 or 2^53 is
                             rounded */
    bool ignore_weights;  /* validate the weights but do not store them */
    bool
        single_tabs; /* tabs divide the columns, each of them two: two in succession leave one empty */
    bool no_commas; /* the first edge has none: another line with one and more columns is refused */
    bool no_negation; /* the minimum int32 does not fit, because the mirrored weight is
                             negated */
} fri_edge_line_format;

/* Whether the options request floats, which may round integers. */
static inline bool fri_edge_lines_rounds(const fr_load_options *options) {
    return options->weight_type == FR_TYPE_F32 || options->weight_type == FR_TYPE_F64;
}

/* The initial weight kind if the file declares `declared`: integers if the options request them, so
 * that none is rounded by a conversion through double. */
static inline fri_weight_kind fri_edge_lines_weight_kind(const fr_load_options *options,
                                                         fri_weight_kind declared) {
    bool integers = options->weight_type == FR_TYPE_I32 || options->weight_type == FR_TYPE_I64;
    return declared == FRI_WEIGHT_REAL && integers ? FRI_WEIGHT_INT : declared;
}

/* The result of parsing. */
typedef struct fri_edge_lines_result {
    int64_t count;     /* edges */
    int64_t low, high; /* minimum and maximum id as written; low > high without edges */
    bool wide_ids;     /* ends holds int64 ids as written; otherwise int32 ids minus base */
} fri_edge_lines_result;

/* Reads the lines from `begin` to the end of the text into edges->blocks and sets edges'
 * weight_type (none, FR_TYPE_I32, FR_TYPE_I64 or FR_TYPE_F64). On failure the caller still frees
 * edges by fri_edge_list_free. */
fr_status fri_edge_lines_read(fr_ctx *ctx, const fri_input *text, const char *begin,
                              const fri_edge_line_format *format, fri_edge_list *edges,
                              fri_edge_lines_result *result);

#endif
