/* Chooses columns of a text table by name or number. */
#ifndef FRI_IO_COLUMNS_H
#define FRI_IO_COLUMNS_H

#include "base/edge_list.h"
#include "io/input.h"

/* Whether the options choose columns other than 1, 2 and a later one as weight. */
bool fri_columns_chosen(const fr_load_options *options);

/* Fills *out with a text of lines "source target [weight]", one for each line of `text`, so that a
 * message about a line has its number. The names of the columns are noted in `edges`. Close *out, also
 * after a failure. FR_INVALID: a column is chosen twice. FR_FORMAT: the first line has no such column,
 * or a line lacks one. */
fr_status fri_columns_choose(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                             fri_input *out, fri_edge_list *edges);

#endif
