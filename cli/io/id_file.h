/* Text files of vertex ids. */
#ifndef CLI_ID_FILE_H
#define CLI_ID_FILE_H

#include "cli/cli.h"

/* Appends the ids of the file, `columns` (1 or 2) of them on each line, one to each list; "-" is standard
 * input. Blank lines and those that begin with '#' are skipped. `line` names what a line must be in the
 * message of a failure. Returns an exit code. */
int id_file_read(const char *path, const char *line, int columns, id_list *lists);

#endif
