/* The JSON lines that fringe bench --suite limits writes, read back. */
#ifndef CLI_LIMIT_LINES_H
#define CLI_LIMIT_LINES_H

#include "json.h"

typedef struct limit_line {
    json_t *json;
    const char *device, *name;
    double bytes, width; /* 0: none */
    double value;
} limit_line;

typedef struct limit_lines {
    limit_line *line;
    int64_t count; /* of those that have a value */
} limit_lines;

/* Returns an exit code, the sentence with file:line printed. */
int limit_lines_read(limit_lines *l, const char *path);
void limit_lines_free(limit_lines *l);

/* Whether a device has what a floor needs: copy, gather, probe and a barrier. */
bool limit_has(const limit_lines *l, const char *device);
/* Of that name, for an array of so many bytes: between two measured sizes the time of one access
 * goes with the logarithm of the size; past the ends it is that of the end. */
double limit_rate(const limit_lines *l, const char *device, const char *name, double bytes);
bool limit_is_barrier(const limit_line *l, const char *device);
/* The least width at which all of the device is at work: a block a multiprocessor, all threads. */
double limit_whole(const limit_lines *l, const char *device);

#endif
