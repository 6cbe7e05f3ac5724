/* Vertices as users see them: by name if the graph has names, otherwise by id. */
#ifndef CLI_VERTEX_H
#define CLI_VERTEX_H

#include "cli/io/number.h"
#include "cli/session.h"

#include <jansson.h>
#include <string.h>

bool id_read(const char *word, int64_t *id); /* false: the word is no integer */

static inline bool has_names(const fr_graph *graph) {
    return fr_graph_vertex_count(graph) && fr_graph_vertex_name(graph, 0);
}

json_t *json_vertex(const fr_graph *graph, int32_t v); /* a string or an integer */

/* The vertex as text, in `buffer` if it has no name. */
typedef struct vertex_text_buffer {
    char text[FR_NUMBER_CAPACITY + 1];
} vertex_text_buffer;
const char *vertex_text(const fr_graph *graph, int32_t v, vertex_text_buffer *buffer);
/* The same for one use in an expression. */
#define VERTEX_TEXT(graph, v) vertex_text(graph, v, &(vertex_text_buffer){{0}})

/* Appends the vertices of the file, `columns` (1 or 2) of them on each line, one to each list; "-" is
 * standard input. Ids are divided at blanks; names at tabs, two names in a line without a tab at blanks.
 * Blank lines and those that begin with '#' are skipped. `line` names what a line must be in the message
 * of a failure. Returns an exit code; id_file_vertices checks whether the graph has the vertices. */
int id_file_read(const char *path, const fr_graph *graph, const char *line, int columns,
                 id_list *lists);
/* The vertices of a list that was read from a file; fails with the place of one that does not exist. *out is
 * malloc'd. */
int id_file_vertices(const session *x, const id_list *list, int32_t **out);

#endif
