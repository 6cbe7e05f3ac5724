/* A traversal and what was measured on it: shared by bfs, sssp, path and bench. */
#ifndef CLI_TRAVERSE_H
#define CLI_TRAVERSE_H

#include "cli/io/answer.h"

typedef struct run_record {
    int64_t source; /* id of the first source */
    int64_t ns;     /* traverse */
    double mteps;
    fr_stats stats;
} run_record;

typedef struct traversal {
    session *x;
    const settings *s;
    fr_problem problem;
    fr_solver_options options;
    fr_solver *solver;
    fr_query query;
    fr_result result;
    answer answer;
    bool wants_parents, widened; /* widened: int32 did not hold the sums, int64 does */

    run_record *runs;
    int64_t run_count;
    bool verified, wrong; /* wrong: the message below says what is */
    char message[512];
    char why[256];
} traversal;

/* Makes the solver and the arrays of the answer. */
fr_status traversal_open(traversal *t, session *x, fr_problem problem,
                         const fr_solver_options *options);
/* Solves once and records the run; with `check` checks it too (FR_VERIFY_FAILED). Where int32
 * distances were not asked for and do not hold the sums, starts again with int64. */
fr_status traversal_run(traversal *t, bool record, bool check);
fr_status traversal_check(traversal *t); /* the last answer, which has parents */
void traversal_close(traversal *t);
bool traversal_unit_weights(const traversal *t);
int cycle_fail(const session *x, const fr_result *r); /* says FR_NEGATIVE_CYCLE: its vertices */

/* Edges that count for the rate: an undirected edge once. */
double traversal_edges(const fr_csr *csr, const fr_stats *stats);

typedef struct quantiles {
    double min, quartile1, median, quartile3, max, harmonic_mean;
} quantiles;
quantiles quantiles_of_rates(const run_record *runs, int64_t count);
quantiles quantiles_of_times(const run_record *runs, int64_t count); /* ns */
const run_record *median_run(const run_record *runs, int64_t count);

void summary_graph(const session *x);
void summary_line(const session *x, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void summary_counts(const session *x, const fr_stats *stats); /* a line when any were counted */
void summary_print(const traversal *t);                       /* summary.c */
void summary_note(const session *x);                          /* of the reader, if it has one */
void summary_explain(const traversal *t);
void summary_json(const traversal *t, fr_status status);

#endif
