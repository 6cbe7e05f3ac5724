/* fringe bench --report: one self-contained HTML page with tables and plots. The measurements go into it as JSON;
 * page.html, which the build embeds, has the script that draws them. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "fringe_tune.h"
#include "cli/io/json.h"
#include "cli/io/output_file.h"
#include "cli/traversal.h"

typedef struct report {
    const char *path; /* NULL: no report is wanted, and every call does nothing */
    output_file out;
    fr_problem problem;
    json_t *page, *graphs, *rows, *row; /* rows, row: of the last graph; the page owns all */
    bool on_gpu;
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

#endif
