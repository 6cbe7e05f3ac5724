/* The solver and the query that run. */
#ifndef RANDOM_SOLVE_RUN_H
#define RANDOM_SOLVE_RUN_H

#include "solve.h"

typedef struct so_run_state {
    ri_case *c;
    fr_graph *graph;
    fr_solver *solver;
    const so_strategy *strategy;
    fr_problem problem;
    fr_backend asked, backend; /* backend: fr_solver_backend */
    fr_type type;              /* of values; levels: FR_TYPE_I32 */
    bool unit, reverse, in_place;
    bool negative; /* some weight of the graph is below 0 and counts */
    double largest;
} so_run_state;

typedef struct so_query {
    so_run_state *s;
    int round;
    fr_query query;
    fr_result result;
    ri_arcs view;
    bool negative; /* some weight of the view is below 0 */
    const int32_t *sources;
    int64_t source_count, rows, width; /* width: values of a row */
    bool all_rows, each, limited, device, parents, one_call;
    double limit;
    fr_status refusal;                    /* of what does not exist; FR_OK: nothing is wrong */
    bool row, wrong_row, row_has_parents; /* of the row callback */
    void *row_values;
    int32_t *row_parents;
    int *row_calls;
} so_query;

/* tuning.c: sets options->tuning as the case says. */
void so_tune(so_run_state *s, fr_solver_options *options);

/* refuse.c: what the header allows to be refused, and must be. A status that neither explains is left to the
 * caller. */
bool so_is_refused_solver(so_run_state *s, fr_status status);
bool so_is_refused(so_query *q, fr_status status);
bool so_may_overflow(const so_query *q); /* although every distance fits */

/* corrupt.c: the library's checkers take what is right and refuse what is not. */
void so_check_checker(so_query *q, so_row *rows, fr_status status, int64_t complete);
void so_check_cycle(so_query *q, const so_row *row);

#endif
