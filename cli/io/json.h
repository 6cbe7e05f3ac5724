/* JSON reports, through Jansson. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "cli/session.h"

#include <jansson.h>

void outcome_object(json_t *object); /* what --json prints (failure.c); takes ownership */
/* A string; bytes that are not UTF-8, as a file's name may have, become U+FFFD. NULL: no memory. */
json_t *json_text(const char *text);
json_t *json_head(const session *x); /* version, graph, device, load_ns */
json_t *json_device(const fr_ctx *ctx);
json_t *json_gpu_device(void);                            /* with the driver version */
json_t *json_cycle(const session *x, const fr_result *r); /* after FR_NEGATIVE_CYCLE */
void json_negative_cycle(const session *x, fr_problem problem,
                         const fr_result *r); /* for main to print */
json_t *json_knobs(const settings *s, fr_problem problem, const char *strategy);
void json_set(json_t *object, const char *key, json_t *value); /* takes ownership */
json_t *json_counts(const fr_stats *stats);                    /* the counters by name */
/* The bins of fr_graph_stats, up to the last that is not 0; empty: also bins of 0 before it. */
json_t *json_histogram(const int64_t *bins, const char *counted, bool empty);
void json_peak(json_t *object, const session *x);
void json_line(json_t *object); /* prints a line at once; takes the object */

/* Calls `take`, which owns the object, for each line of the file and stops at its first exit code
 * that is not 0. Returns that code, or the code of a file that cannot be read or is not JSON. */
typedef int (*json_line_fn)(void *user, json_t *object, int number);
int json_lines_read(const char *path, json_line_fn take, void *user);

#endif
