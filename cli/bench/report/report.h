/* fringe bench --report: one page with all its styles and plots in it, for a browser. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "html.h"
#include "level_profile.h"
#include "cli/traversal.h"

typedef struct report_row {
    const char *strategy, *backend; /* of the table */
    char *ran, *why, *verdict;      /* verdict: "right", or why there are no times, or not all */
    bool wrong;
    int64_t runs; /* 0: no times */
    quantiles time, rate;
    fr_stats stats; /* of the median run */
    level_profile profile;
} report_row;

typedef struct report_graph {
    char *name, *note; /* note: what the graph stands for, "" if nothing */
    char *skipped;     /* why it was left out; NULL: it was not, and what follows holds */
    int32_t n;
    int64_t m, sources;
    uint64_t seed;                  /* that the sources come from */
    bool symmetric, on_gpu, on_cpu; /* some row was measured there */
    report_row *row;
    int64_t rows;
} report_graph;

typedef struct report {
    const char *path; /* NULL: none was asked for, and every call does nothing */
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
/* A row of the last graph; `why` it has no times, or not all. NULL: nothing to say. */
void report_row_add(report *r, const fr_strategy_info *strategy, const traversal *t,
                    const char *why);
/* Solves once more for the last row, recording the levels. limit_ns 0: however long it takes. */
void report_levels(report *r, session *x, const fr_solver_options *options, int32_t source,
                   int64_t limit_ns);
/* Writes the page when `code` says that there are results; returns the command's exit code. */
int report_end(report *r, int code);

/* cli/bench/report/page.c */
void report_write(const report *r, output_file *out);
/* cli/bench/report/bars.c: the times of a graph's rows, and their speed beside the fastest */
void report_time_bars(const report_graph *g, output_file *out);
void report_speed_bars(const report_graph *g, output_file *out);
const report_row *report_fastest(const report_graph *g); /* NULL: none has times */
/* cli/bench/report/lines.c: frontier and edges over the levels */
void report_level_lines(const level_profile *p, output_file *out);

#endif
