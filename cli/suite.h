/* Named suites of graphs for fringe bench --suite: which graphs, as data, and what runs them. */
#ifndef CLI_SUITE_H
#define CLI_SUITE_H

#include "cli.h"

typedef enum suite_shape {
    SUITE_AS_MADE,   /* as the generator or the file says */
    SUITE_SIMPLE,    /* without self-loops and parallel edges */
    SUITE_UNDIRECTED /* that, and each entry stands for both directions */
} suite_shape;

typedef struct suite_graph {
    const char *name;  /* NULL ends */
    const char *graph; /* a generator's description; a file of the folder --graphs by its name
                          without suffixes where it has no ':' */
    suite_shape shape;
    const char *stands_for; /* in which text or issue it is measured */
} suite_graph;

typedef struct suite {
    const char *name, *text;   /* NULL ends */
    const suite_graph *graphs; /* ended by a NULL name */
} suite;

extern const suite suites[];
const suite *suite_find(const char *name);
bool suite_lists(const char *list, const char *name); /* in a list with commas; NULL lists all */

int cmd_suite(const settings *s);

#endif
