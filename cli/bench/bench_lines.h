/* Reads the JSON lines that fringe bench writes. */
#ifndef CLI_BENCH_LINES_H
#define CLI_BENCH_LINES_H

#include "cli/io/json.h"

/* The measurements of one line. `times` is NULL in lines that list no runs; then only `median` is
 * known, and the quartiles unless they are 0. */
typedef struct run_times {
    int64_t count;
    double *times;    /* [count] ns */
    int64_t *sources; /* [count] ids, or NULL */
    double quartile1, median, quartile3;
    double first, call; /* ns; call: the median; 0 in lines of older versions */
} run_times;

typedef struct bench_line {
    json_t *json;
    int number;                  /* of the line in the file, from 1 */
    const char *name, *identity; /* of the graph: printed, compared */
    const char *problem, *strategy, *backend;
    const char *device;     /* name */
    int threads;            /* 0: unknown, for example of a GPU */
    const char *unmeasured; /* why there are no times, or NULL */
    run_times runs;
    bool replaced; /* a later line repeats the measurement */
} bench_line;

typedef struct bench_lines {
    const char *path;
    bench_line *line;
    int64_t count, replaced;
} bench_lines;

/* Returns an exit code; prints a failure with file:line. */
int bench_lines_read(bench_lines *l, const char *path);
void bench_lines_free(bench_lines *l);
/* True for the same problem, graph, strategy, variant, backend and device, where the knobs that
 * both lines name agree. */
bool bench_lines_same(const bench_line *a, const bench_line *b);

/* Sets "first_ns", "call_ns" (quartiles), "run_ns" and "run_sources". */
struct traversal;
void bench_put_runs(json_t *object, const struct traversal *t);
/* The same and everything else of the times of a strategy, as lines of suites and the report have them. */
void bench_put_times(json_t *object, const struct traversal *t);

#endif
