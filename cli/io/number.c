#include "number.h"

#include <stdio.h>
#include <stdlib.h>

text_buffer human_count(int64_t value) {
    char plain[24];
    int length = (int)(fr_put_int64(plain, value) - plain);
    text_buffer out = {{0}};
    char *at = out.text;
    for (int i = 0; i < length; i++) {
        *at++ = plain[i];
        if ((length - 1 - i) % 3 == 0 && i != length - 1 && plain[i] != '-')
            *at++ = ',';
    }
    *at = 0;
    return out;
}

text_buffer human_items(int64_t count, const char *one, const char *many) {
    text_buffer out;
    snprintf(out.text, sizeof out.text, "%.26s %s", human_count(count).text,
             count == 1 ? one : many);
    return out;
}

static text_buffer with_unit(double value, double step, const char *const *units, int count) {
    text_buffer out = {{0}};
    int unit = 0;
    while (unit < count - 1 && value >= step) {
        value /= step;
        unit++;
    }
    int places = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    snprintf(out.text, sizeof out.text, "%.*f %s", places, value, units[unit]);
    return out;
}

text_buffer human_bytes(double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return with_unit(bytes, 1024, units, 5);
}

text_buffer human_ns(double ns) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return with_unit(ns, 1000, units, 4);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_doubles(double *values, int64_t count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
}

double quantile(const double *sorted, int64_t count, double part) {
    double at = part * (double)(count - 1);
    int64_t below = (int64_t)at;
    int64_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}
