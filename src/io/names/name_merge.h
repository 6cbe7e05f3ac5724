/* Merges the names that several threads found. */
#ifndef FRI_IO_NAME_MERGE_H
#define FRI_IO_NAME_MERGE_H

#include "io/names/name_table.h"

/* Numbers the names of all tables in order of their first appearance, those of an earlier table first.
 * number[t][i] becomes the number of name i of table t; the arrays lie in one block, number[0], which
 * the caller frees. *names has the names in that order. FR_RANGE: more than 2^31 - 1. */
fr_status fri_names_merge(fr_ctx *ctx, const fri_name_table *tables, int count, int32_t **number,
                          fri_names **names);

#endif
