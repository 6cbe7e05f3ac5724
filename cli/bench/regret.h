/* The regret of auto on each graph: its time divided by that of the best other strategy. */
#ifndef CLI_REGRET_H
#define CLI_REGRET_H

#include "fringe_tune.h"
#include "cli/traversal.h"

typedef struct regret_line {
    const char *graph, *best; /* best: name of the strategy; NULL: no other has times */
    fr_backend backend;
    double auto_ns, best_ns; /* medians; 0: not measured */
} regret_line;

typedef struct regret {
    fr_problem problem;
    regret_line *line;
    int64_t count;
} regret;

/* Adds a strategy that ran from all sources. Keeps pointers to `graph` and the strategy's
 * strings. */
void regret_add(regret *r, const char *graph, const fr_strategy_info *strategy, double median_ns);
/* Prints JSON lines on stdout and a table on stderr. Fails if auto is slower than the best by more
 * than max_regression per cent; 0: no limit. */
int regret_end(regret *r, double max_regression);

#endif
