/* The JSON lines that fringe bench --suite microbench writes, read back. */
#ifndef CLI_MICROBENCH_LINES_H
#define CLI_MICROBENCH_LINES_H

#include "cli/io/json.h"

typedef struct microbench_line {
    json_t *json;
    const char *device, *name;
    double bytes, width; /* 0: none */
    double value;
} microbench_line;

typedef struct microbench_lines {
    const char *path;
    microbench_line *line;
    int64_t count; /* of those that have a value */
} microbench_lines;

/* Returns an exit code, the sentence with file:line printed. */
int microbench_lines_read(microbench_lines *l, const char *path);
void microbench_lines_free(microbench_lines *l);

/* Whether a device has what a bound needs: copy, gather, probe and a barrier. */
bool microbench_has(const microbench_lines *l, const char *device);
/* Of that name, for an array of so many bytes: between two measured sizes the time of one access
 * goes with the logarithm of the size; past the ends it is that of the end. */
double microbench_rate(const microbench_lines *l, const char *device, const char *name,
                       double bytes);
bool microbench_is_barrier(const microbench_line *l, const char *device);
/* The least width at which all of the device is at work: a block a multiprocessor, all threads. */
double microbench_full_width(const microbench_lines *l, const char *device);

#endif
