/* The JSON lines that fringe bench writes, read back. */
#ifndef CLI_BENCH_LINES_H
#define CLI_BENCH_LINES_H

#include "cli/io/json.h"

/* What was measured in one line. `times` is NULL in lines that list no runs; then only `median` is
 * known, and the quartiles unless they are 0. */
typedef struct run_times {
    int64_t count;
    double *times;    /* [count] ns */
    int64_t *sources; /* [count] ids, or NULL */
    double quartile1, median, quartile3;
} run_times;

typedef struct bench_line {
    json_t *json;
    int number;                  /* in the file, from 1 */
    const char *name, *identity; /* of the graph, as shown and as compared */
    const char *problem, *strategy, *backend;
    const char *device;     /* its name */
    int threads;            /* 0: not said, as of a GPU */
    const char *unmeasured; /* why there are no times; NULL: there are */
    run_times runs;
    bool replaced; /* a later line measures the same again */
} bench_line;

typedef struct bench_lines {
    const char *path;
    bench_line *line;
    int64_t count, replaced;
} bench_lines;

/* Returns an exit code, the sentence with file:line printed. */
int bench_lines_read(bench_lines *l, const char *path);
void bench_lines_free(bench_lines *l);
/* True for the same problem, graph, strategy, variant, backend and device, where the knobs that both
 * lines name agree. */
bool bench_lines_same(const bench_line *a, const bench_line *b);

/* "run_ns" and "run_sources", as written by fringe bench. */
struct traversal;
void bench_put_runs(json_t *object, const struct traversal *t);

#endif
