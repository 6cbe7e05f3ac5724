/* Text files of vertices: ids, or names if the graph has them. */
#ifndef CLI_ID_FILE_H
#define CLI_ID_FILE_H

#include "cli/cli.h"

/* Appends the vertices of the file, `columns` (1 or 2) of them on each line, one to each list; "-" is
 * standard input. Ids are divided at blanks; names at tabs, two names in a line without a tab at blanks.
 * Blank lines and those that begin with '#' are skipped. `line` names what a line must be in the message
 * of a failure. Returns an exit code; id_file_vertices checks whether the graph has the vertices. */
int id_file_read(const char *path, const fr_graph *graph, const char *line, int columns,
                 id_list *lists);
/* The vertices of a list that was read from `path`; fails with the line of one that does not exist. *out is
 * malloc'd. */
int id_file_vertices(const char *path, fr_ctx *ctx, const fr_graph *graph, const id_list *list,
                     int32_t **out);

#endif
