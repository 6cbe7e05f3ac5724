/* Reads the JSON lines that fringe bench --suite microbench writes. */
#ifndef CLI_MICROBENCH_LINES_H
#define CLI_MICROBENCH_LINES_H

#include "cli/io/json.h"

typedef struct microbench_line {
    json_t *json;
    const char *device, *name;
    double bytes, width; /* 0: not given */
    double value;
} microbench_line;

typedef struct microbench_lines {
    const char *path;
    microbench_line *line;
    int64_t count; /* lines without a value are left out */
} microbench_lines;

/* Returns an exit code; prints a failure with file:line. */
int microbench_lines_read(microbench_lines *l, const char *path);
void microbench_lines_free(microbench_lines *l);

/* Whether a device has the lines that a bound needs: copy, gather, probe and a barrier. */
bool microbench_has(const microbench_lines *l, const char *device);
/* The rate of a microbenchmark for an array of `bytes`: between two measured sizes the time of an
 * access is interpolated linearly in the logarithm of the size; beyond the ends it is constant. */
double microbench_rate(const microbench_lines *l, const char *device, const char *name,
                       double bytes);
bool microbench_is_barrier(const microbench_line *l, const char *device);
/* The smallest width that uses the whole device: one block per multiprocessor, or all threads. */
double microbench_full_width(const microbench_lines *l, const char *device);

#endif
