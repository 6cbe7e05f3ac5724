/* A traversal and its measurements: shared by bfs, sssp, path and bench. */
#ifndef CLI_TRAVERSE_H
#define CLI_TRAVERSE_H

#include "cli/io/number.h"
#include "cli/session.h"

#include <jansson.h>

typedef struct answer {
    fr_problem problem;
    fr_type type;      /* of value: FR_TYPE_I32 for levels */
    void *value;       /* [n] */
    int32_t *parent;   /* [n] or NULL */
    bool marks_cycles; /* the minimum integer is minus infinity */
} answer;

bool answer_reached(const answer *a, int64_t v);
double answer_value(const answer *a, int64_t v);
int64_t answer_whole(const answer *a, int64_t v); /* of FR_TYPE_I32 and FR_TYPE_I64 */

/* ---- what is written (traversal_output.c) ---- */
/* Writes a table to the file of -o, which has one of the formats of a table. Returns an exit code. */
int table_write(const session *x, int64_t rows, const fr_column *columns, int count);

typedef struct run_record {
    int32_t source;  /* the first one */
    int64_t ns;      /* traverse */
    int64_t call_ns; /* fr_solve, as its caller's clock sees it */
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
    bool wants_parents;
    struct part_answer *part; /* with --ranks, in place of solver and answer */

    run_record *runs;
    int64_t run_count;
    int64_t made_ns;      /* of fr_solver_new */
    int64_t first_ns;     /* until the first answer: solver and call, without opening the GPU */
    int64_t write_ns;     /* of the file of the answer */
    bool verified, wrong; /* wrong: `message` has the reason */
    char message[512];
    char why[256];
} traversal;

/* Makes the solver and the arrays of the answer. */
fr_status traversal_open(traversal *t, session *x, fr_problem problem,
                         const fr_solver_options *options);
/* Solves once and records the run; with `check` also checks it (FR_VERIFY_FAILED). If a sum
 * overflows, starts again as session_widens says. */
fr_status traversal_run(traversal *t, bool record, bool check);
fr_status traversal_check(traversal *t); /* the last answer, which has parents */
/* Sets the limits that the options give. */
void query_limits(const settings *s, fr_query *query);
int traversal_write(traversal *t); /* to the file of -o; exit code */
void traversal_close(traversal *t);
bool traversal_unit_weights(const traversal *t);

/* The edges that count for the rate: an undirected edge counts once. */
double traversal_edges(const fr_csr *csr, const fr_stats *stats);

typedef struct quantiles {
    double min, quartile1, median, quartile3, max, harmonic_mean;
} quantiles;
quantiles quantiles_of_rates(const run_record *runs, int64_t count);
quantiles quantiles_of_times(const run_record *runs, int64_t count); /* ns */
quantiles quantiles_of_calls(const run_record *runs, int64_t count); /* ns */
const run_record *median_run(const run_record *runs, int64_t count);

void summary_graph(const session *x);
/* The values of the targets and the counts of the bands, of one answer (traversal_output.c). */
void summary_targets(const traversal *t);
json_t *json_targets(const traversal *t);
void summary_bands(const traversal *t);
void summary_line(const session *x, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void summary_counts(const session *x,
                    const fr_stats *stats); /* prints a line if any were counted */
void summary_print(const traversal *t);     /* summary.c */
/* A line for every bin (fr_graph_stats), with a bar whose length is the logarithm of the count. */
void summary_histogram(const session *x, const char *what, const char *counted,
                       const int64_t *bins);
/* The type of the distances, if one was too narrow. */
text_buffer summary_where(const session *x,
                          const fr_stats *stats); /* on how many threads a query ran */
void summary_loaded(const session *x);            /* the time to load or generate the graph */
/* The strategy that ran; the reason `why` with --explain, or if it ran on the CPU in place of the GPU asked for. */
void summary_strategy(const session *x, const char *ran, const char *why);
void summary_widened(const session *x, fr_type type);
void summary_verified(const session *x, const char *what); /* in green */
void summary_note(const session *x);                       /* the note of the reader, if any */
void summary_explain(const traversal *t);
void summary_json(const traversal *t, fr_status status);

#endif
