/* Numbers as readers want them. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include "fringe.h"

/* Format a number for a reader: "1,234,567", "1.2 MiB", "3.4 ms". */
typedef struct text_buffer {
    char text[48];
} text_buffer;
text_buffer human_count(int64_t value);
text_buffer human_items(int64_t count, const char *one, const char *many); /* "1 edge", "2 edges" */
text_buffer human_bytes(double bytes);
text_buffer human_ns(double ns);

void sort_doubles(double *values, int64_t count); /* ascending */
/* Linear interpolation between order statistics, like NumPy's percentile. */
double quantile(const double *sorted, int64_t count, double part);

#endif
