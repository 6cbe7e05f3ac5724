/* Columns of a text table in any place as columns 1 to 3 of another text. */
#ifndef FRI_IO_COLUMNS_H
#define FRI_IO_COLUMNS_H

#include "base/edge_list.h"
#include "io/text/table.h"

/* Whether the options say how the columns of a table are read. */
bool fri_columns_chosen(const fr_load_options *options);

/* Fills *out with a text of lines "source target [weight]", one for each line of the table, so that a
 * message about a line has its number. What is read is noted in `edges`. Close *out, also after a
 * failure. FR_FORMAT: a line lacks a column, or the first one has neither an edge nor names. */
fr_status fri_columns_copy(const fri_table *table, fri_input *out, fri_edge_list *edges);

#endif
