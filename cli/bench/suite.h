/* Named suites of graphs for fringe bench --suite: which graphs, as data, and what runs them. */
#ifndef CLI_SUITE_H
#define CLI_SUITE_H

#include "cli/cli.h"

/* One of the first three, and for SSSP one kind of weights. */
enum {
    SUITE_AS_MADE = 0,    /* as the generator or the file says */
    SUITE_SIMPLE = 1,     /* without self-loops and parallel edges */
    SUITE_UNDIRECTED = 2, /* that, and each entry stands for both directions */
    SUITE_FILE = 4,       /* the file's weights */
    SUITE_RANDOM = 8,     /* random:1,255 */
    SUITE_NEGATIVE = 16   /* potential:1,255,255 */
};

typedef struct suite_graph {
    const char *name;  /* NULL ends */
    const char *graph; /* a generator's description; a file of the folder --graphs by its name
                          without suffixes where it has no ':' */
    int shape;
    const char *surrogate_for; /* in which text or issue it is measured */
} suite_graph;

/* A row once more with other knobs. */
typedef struct suite_variant {
    const char *strategy, *name, *knobs; /* NULL ends */
} suite_variant;

typedef struct suite {
    const char *name, *text;   /* NULL ends */
    const suite_graph *graphs; /* ended by a NULL name */
    fr_problem problem;
    const suite_variant *variants; /* NULL: none */
    bool parents;                  /* SSSP: timed with parents */
    bool regret;                   /* ends with what auto lost against the best other strategy */
} suite;

extern const suite suites[];
/* By its name; of two of one name that for `problem` (1 + fr_problem, 0: not said) if there is one.
 */
const suite *suite_find(const char *name, int problem);
/* A usage failure where a name of the list (with commas, or NULL) is no strategy of the problem. */
int suite_check_strategies(const char *list, fr_problem problem);
bool suite_lists(const char *list, const char *name); /* in a list with commas; NULL lists all */

int cmd_suite(const settings *s);
int cmd_microbench(const settings *s); /* --suite microbench */

#endif
