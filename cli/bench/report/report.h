/* fringe bench --report: one self-contained HTML page with tables and plots. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "fringe_tune.h"
#include "html.h"
#include "level_profile.h"
#include "cli/traversal.h"

typedef struct report_row {
    const char *strategy, *backend; /* of the strategy table */
    char *ran, *why, *verdict;      /* verdict: "right", or why some or all times are missing */
    bool wrong;
    int64_t runs; /* 0: no times */
    quantiles time, rate, call;
    double first;   /* ns */
    fr_stats stats; /* of the median run */
    level_profile profile;
} report_row;

typedef struct report_graph {
    char *name, *note; /* note: the original of a surrogate, or "" */
    char *skipped; /* why the graph was left out; NULL: it was not, and the members below are set */
    int32_t n;
    int64_t m, sources;
    uint64_t seed;                  /* of the random sources */
    bool symmetric, on_gpu, on_cpu; /* a strategy was measured there */
    report_row *row;
    int64_t rows;
} report_graph;

typedef struct report {
    const char *path; /* NULL: no report is wanted, and every call does nothing */
    output_file out;
    fr_problem problem;
    report_graph *graph;
    int64_t graphs;
    int threads;
} report;

int report_begin(report *r, const settings *s, fr_problem problem); /* an exit code */
void report_graph_begin(report *r, const session *x, const char *name, const char *note,
                        int64_t sources);
void report_graph_skip(report *r, const char *name, const char *why);
/* Adds a strategy of the last graph. why: the reason for missing times, or NULL. */
void report_row_add(report *r, const fr_strategy_info *strategy, const traversal *t,
                    const char *why);
/* Solves once more with the last strategy and records the levels. limit_ns 0: no time limit. */
void report_levels(report *r, session *x, const fr_solver_options *options, int32_t source,
                   int64_t limit_ns);
/* Writes the page if the exit code `code` means that there are results. Returns the exit code of
 * the command. */
int report_end(report *r, int code);

/* cli/bench/report/page.c */
void report_write(const report *r, output_file *out);
/* cli/bench/report/bars.c: times of the strategies, and their speed relative to the fastest */
void report_time_bars(const report_graph *g, output_file *out);
void report_speed_bars(const report_graph *g, output_file *out);
const report_row *report_fastest(const report_graph *g); /* NULL: none has times */
/* cli/bench/report/lines.c: frontier and edges over the levels */
void report_level_lines(const level_profile *p, output_file *out);

#endif
