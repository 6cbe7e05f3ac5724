/* Queries of solvers: their options, and what the judge knows of a query. */
#ifndef RANDOM_SOLVE_H
#define RANDOM_SOLVE_H

#include "random.h"

enum {
    /* of the solver */
    SO_STRATEGY = RI_FRAME_OPTIONS,
    SO_KNOBS,
    SO_DIST_TYPE,
    SO_UNIT,
    SO_REVERSE,
    SO_EXPECTED,
    SO_RECORD,
    SO_ESTIMATE, /* ask fr_estimate_memory first */
    SO_ONE_CALL, /* fr_bfs, fr_sssp, fr_apsp instead, for what they can */
    SO_NARROW,   /* max_sources is what the queries need */
    SO_IN_PLACE,
    SO_COUNTERS,
    SO_TUNING,      /* where a tuning comes from */
    SO_TUNED,       /* its strategy, and its knobs */
    SO_TUNED_KNOBS, /* of a tuning that is given */
    /* of a query */
    SO_SET_THREADS, /* fr_ctx_set_threads before it */
    SO_BAD,         /* 1: a source that does not exist, 2: a target, 3: no source */
    SO_SOURCES,
    SO_ALL_ROWS, /* APSP: sources NULL */
    SO_EACH,     /* fr_solve_each */
    SO_TARGETS,
    SO_LIMITED, /* limit_distance, limit_level */
    SO_MAX_DISTANCE,
    SO_MAX_LEVEL,
    SO_MARK,
    SO_RULE,
    SO_NO_PARENTS,
    SO_NO_VALUES,
    SO_ORDER,
    SO_ORIGIN,
    SO_CLOSED_VERTICES,
    SO_CLOSED_EDGES,
    SO_OPEN_BITS, /* closed_... are set also where nothing is closed */
    SO_ROW,       /* a row callback; 2: and no result.dist */
    SO_PLACE,     /* of the results */
    SO_STREAM,
    SO_CORRUPT, /* how the answer is corrupted for the checker */
    SO_END
};

/* A row of the table of strategies, as the option `strategy` numbers them. */
typedef struct so_strategy {
    fr_problem problem;
    fr_backend backend;
    const char *name;
    const fr_knob *knobs;
} so_strategy;
const so_strategy *so_strategies(int *count);
enum {
    SO_UNTUNED,
    SO_GIVEN,
    SO_MEASURED,
    SO_FOUND
}; /* SO_FOUND: measured, stored in a cache and found there */

/* One row of an answer: what is expected, and what came. */
typedef struct so_row {
    ri_case *c;
    const ri_arcs *view; /* the edges that are traversed */
    ri_distances d;
    const int32_t *sources;
    int64_t source_count;
    bool bfs, negative; /* negative: some weight of the view is below 0 */
    bool mark, limited, merged;
    double limit;
    const int32_t *targets; /* that end the search; not the columns of APSP */
    int64_t target_count;
    const int32_t *columns; /* of APSP; none: all */
    int64_t column_count;
    fr_parent_rule rule;
    fr_type type;        /* of the values; levels: FR_TYPE_I32 */
    unsigned char *kept; /* [n] SO_CUT, SO_KEPT, SO_EITHER */
    bool *clear; /* [n] a cycle that leads there is below 0 by more than rounding can hide */
    /* What came; NULL: not asked for. */
    const void *value;
    const int32_t *parent, *origin, *order;
} so_row;
enum { SO_CUT, SO_KEPT, SO_EITHER };

/* judge.c. Sets d and kept of a row of which the members above are set. */
void so_expect(so_row *row);
/* Whether all of what came is right; else a text about the first thing that is not. */
bool so_is_right(const so_row *row, char why[512]);
/* The same of some columns of an APSP row: value and parent are [count]. */
bool so_columns_are_right(const so_row *row, const int32_t *columns, int64_t count, char why[512]);
/* A negative cycle of the view, which the sources reach, and its weight. */
bool so_cycle_is_right(const so_row *row, const int32_t *cycle, int32_t length, double weight,
                       char why[512]);
/* Whether the search must, may or must not find a negative cycle. */
typedef enum so_answer { SO_NO, SO_MAY, SO_MUST } so_answer;
so_answer so_cycle(const so_row *row);
so_answer so_overflow(const so_row *row);

/* rules.c: whether parents obey row->rule. */
bool so_rule_holds(const so_row *row, char why[512]);
bool so_origins_are_right(const so_row *row, char why[512]);

#endif
