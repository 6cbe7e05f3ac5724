/* The names that columns of edge tables usually have. */
#ifndef FRI_IO_COLUMN_NAMES_H
#define FRI_IO_COLUMN_NAMES_H

#include <stddef.h>

typedef enum fri_column_kind {
    FRI_COLUMN_UNKNOWN,
    FRI_COLUMN_SOURCE,
    FRI_COLUMN_TARGET,
    FRI_COLUMN_WEIGHT,
    FRI_COLUMN_MAYBE_SOURCE, /* counts if no column is surely one */
    FRI_COLUMN_MAYBE_TARGET,
    FRI_COLUMN_MAYBE_WEIGHT,
    FRI_COLUMN_TYPE,  /* may say whether the edge is directed */
    FRI_COLUMN_OTHER, /* certainly none of these: an id of the edge, a time, a label */
    FRI_COLUMN_KINDS
} fri_column_kind;

/* In any case, without blanks and punctuation: "Source", "src_id", ":START_ID(Person)", "weight:float",
 * "length [km]". */
fri_column_kind fri_column_kind_of(const char *name, size_t length);

#endif
