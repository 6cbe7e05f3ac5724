/* What auto loses against the best single strategy of the table, graph by graph. */
#ifndef CLI_REGRET_H
#define CLI_REGRET_H

#include "cli/traversal.h"

typedef struct regret_line {
    const char *graph, *best; /* best: the row's name; NULL: no other has times */
    fr_backend backend;
    double auto_ns, best_ns; /* medians; 0: not measured */
} regret_line;

typedef struct regret {
    fr_problem problem;
    regret_line *line;
    int64_t count;
} regret;

/* A row that ran from all sources. `graph` stays; so do the row's strings. */
void regret_add(regret *r, const char *graph, const fr_strategy_info *strategy, double median_ns);
/* JSON lines on stdout, a table on stderr. FR_VERIFY_FAILED past a loss of so many per cent; 0:
   never. */
int regret_end(regret *r, double max_regression);

#endif
