#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

const uint64_t number_powers[20] = {1,
                                    10,
                                    100,
                                    1000,
                                    10000,
                                    100000,
                                    1000000,
                                    10000000,
                                    100000000,
                                    1000000000,
                                    10000000000,
                                    100000000000,
                                    1000000000000,
                                    10000000000000,
                                    100000000000000,
                                    1000000000000000,
                                    10000000000000000,
                                    100000000000000000,
                                    1000000000000000000,
                                    10000000000000000000u};

/* The number of digits: 1233 / 4096 is just above log10(2). */
static int count_digits(uint64_t value) {
    value |= 1; /* 0 has one digit */
    int below = ((64 - __builtin_clzll(value)) * 1233) >> 12;
    return below + (value >= number_powers[below]);
}

/* 32-bit divisions are faster than 64-bit ones. */
static void put_pairs(char *end, uint32_t value) {
    while (value >= 100) {
        end -= 2;
        memcpy(end, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10)
        memcpy(end - 2, pairs + 2 * value, 2);
    else
        end[-1] = (char)('0' + value);
}

char *put_uint64(char *at, uint64_t value) {
    char *end = at + count_digits(value), *last = end;
    while (value > UINT32_MAX) {
        uint32_t low = (uint32_t)(value % 100000000);
        value /= 100000000;
        for (int pair = 0; pair < 4; pair++, low /= 100) {
            last -= 2;
            memcpy(last, pairs + 2 * (low % 100), 2);
        }
    }
    put_pairs(last, (uint32_t)value);
    return end;
}

text_buffer human_count(int64_t value) {
    char plain[24];
    int length = (int)(put_int64(plain, value) - plain);
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
