#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

static char *put_uint64(char *at, uint64_t value) {
    char digits[20];
    int first = 20;
    while (value >= 100) {
        first -= 2;
        memcpy(digits + first, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        first -= 2;
        memcpy(digits + first, pairs + 2 * value, 2);
    } else {
        digits[--first] = (char)('0' + value);
    }
    memcpy(at, digits + first, (size_t)(20 - first));
    return at + (20 - first);
}

char *put_int64(char *at, int64_t value) {
    if (value < 0)
        *at++ = '-';
    return put_uint64(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static char *put_special(char *at, double value) {
    const char *text = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* Decimals of at most six places and fifteen digits: scaled / 10^6 is then correctly rounded, as
 * parsing the text is, so equality here means that the text parses to the same value. NULL
 * otherwise. */
static char *put_decimal(char *at, double value, double back) {
    double size = fabs(value);
    if (size >= 1e9)
        return NULL;
    int64_t scaled = llround(size * 1e6);
    if ((double)scaled / 1e6 != back)
        return NULL;
    if (value < 0)
        *at++ = '-';
    at = put_uint64(at, (uint64_t)(scaled / 1000000));
    int64_t rest = scaled % 1000000;
    if (rest) {
        *at++ = '.';
        for (int64_t unit = 100000; rest; rest %= unit, unit /= 10)
            *at++ = (char)('0' + rest / unit);
    }
    return at;
}

char *put_double(char *at, double value) {
    if (!isfinite(value))
        return put_special(at, value);
    if (value == floor(value) && fabs(value) < 0x1p53)
        return put_int64(at, (int64_t)value);
    char *end = put_decimal(at, value, fabs(value));
    if (end)
        return end;
    for (int digits = 15; digits <= 17; digits++) {
        int length = snprintf(at, NUMBER_ROOM, "%.*g", digits, value);
        if (digits == 17 || strtod(at, NULL) == value)
            return at + length;
    }
    return at;
}

char *put_float(char *at, float value) {
    if (!isfinite(value))
        return put_special(at, (double)value);
    if (value == floorf(value) && fabsf(value) < 0x1p24f)
        return put_int64(at, (int64_t)value);
    for (int digits = 6; digits <= 9; digits++) {
        int length = snprintf(at, NUMBER_ROOM, "%.*g", digits, (double)value);
        if (digits == 9 || strtof(at, NULL) == value)
            return at + length;
    }
    return at;
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
