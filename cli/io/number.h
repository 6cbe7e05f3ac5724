/* Numbers as text: fast for files, readable for users. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdint.h>

enum { NUMBER_ROOM = 32 }; /* enough for every number */

extern const uint64_t number_powers[20]; /* of ten, from 1 on */

/* Each writes at `at`, without a NUL, and returns the end. */
char *put_uint64(char *at, uint64_t value);
static inline char *put_int64(char *at, int64_t value) {
    if (value < 0)
        *at++ = '-';
    return put_uint64(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
char *put_double(char *at, double value); /* the shortest text that parses to the same double */
char *put_float(char *at, float value);   /* ... to the same float */

/* For users: "1,234,567", "1.2 MiB", "3.4 ms". */
typedef struct text_buffer {
    char text[48];
} text_buffer;
text_buffer human_count(int64_t value);
text_buffer human_bytes(double bytes);
text_buffer human_ns(double ns);

void sort_doubles(double *values, int64_t count); /* ascending */
/* Linear interpolation between order statistics, like NumPy's percentile. */
double quantile(const double *sorted, int64_t count, double part);

#endif
