/* The named suites of fringe bench --suite: their graphs, as data, and the function that runs
 * them. */
#ifndef CLI_SUITE_H
#define CLI_SUITE_H

#include "fringe_tune.h"
#include "cli/cli.h"

/* One of the first three; for SSSP also a kind of weights, random:1,255 if none is named. */
enum {
    SUITE_AS_MADE = 0,    /* as generated or as in the file */
    SUITE_SIMPLE = 1,     /* without self-loops and parallel edges */
    SUITE_UNDIRECTED = 2, /* the same, each entry in both directions */
    SUITE_FILE = 4,       /* the file's weights */
    SUITE_NEGATIVE = 8    /* potential:1,255,255 */
};

typedef struct suite_graph {
    const char *name;  /* NULL ends */
    const char *graph; /* description of a generator; without ':', name without suffixes of
                          a file in the --graphs folder */
    int shape;
    const char *surrogate_for; /* the original graph and the paper that measures it */
} suite_graph;

/* A strategy measured again with other knobs. */
typedef struct suite_variant {
    const char *strategy, *name, *knobs; /* NULL ends */
} suite_variant;

typedef struct suite {
    const char *name, *text;   /* NULL ends */
    const suite_graph *graphs; /* ended by a NULL name */
    fr_problem problem;
    const suite_variant *variants; /* NULL: none */
    bool parents;                  /* SSSP: timed with parents */
    bool regret;                   /* ends with the regret of auto */
} suite;

extern const suite suites[];
const char *suite_name_at(const void *unused, int i); /* a name_at */
/* The suite of this name; of two with one name the one for `problem` (1 + fr_problem, 0: any). */
const suite *suite_find(const char *name, int problem);
/* Fails if the suite has no graph of one of the names in the comma-separated list (or NULL). */
int suite_check_only(const suite *s, const char *list);
/* Fails if a name of the comma-separated list (NULL: all strategies) is no strategy of the problem, or if none
 * of them runs on the backend. */
int suite_check_strategies(const char *list, fr_problem problem, fr_backend backend);
/* The next strategy of the problem that the comma-separated list (NULL: all) has and that runs on the backend, from
 * *at on, which begins with 0. */
bool strategy_next(const char *list, fr_problem problem, fr_backend backend, int *at,
                   fr_strategy_info *out);
/* Why the library refuses the strategy, in its words; the caller frees *why. Only for a name that the
 * build does not have for the problem and the backend. */
fr_status strategy_refusal(fr_problem problem, fr_backend backend, const char *name, char **why);
/* Reports a refusal, a wrong name as wrong usage; the exit code. */
int strategy_fail(fr_status status, const char *why);
bool suite_lists(const char *list,
                 const char *name); /* in a comma-separated list; NULL lists all */

int cmd_suite(const settings *s);
int cmd_microbench(const settings *s); /* --suite microbench */

#endif
