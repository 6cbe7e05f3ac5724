#include "io/text/number_text.h"

#include <string.h>

const char fri_number_pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";

/* clang-format off */
const uint64_t fri_number_powers[20] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
    100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u};
/* clang-format on */

/* The number of digits: 1233 / 4096 is just above log10(2). */
static int count_digits(uint64_t value) {
    value |= 1; /* 0 has one digit */
    int below = ((64 - __builtin_clzll(value)) * 1233) >> 12;
    return below + (value >= fri_number_powers[below]);
}

/* 32-bit divisions are faster than 64-bit ones. */
static void put_pairs(char *end, uint32_t value) {
    while (value >= 100) {
        end -= 2;
        memcpy(end, fri_number_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10)
        memcpy(end - 2, fri_number_pairs + 2 * value, 2);
    else
        end[-1] = (char)('0' + value);
}

char *fri_put_uint64(char *at, uint64_t value) {
    char *end = at + count_digits(value), *last = end;
    while (value > UINT32_MAX) {
        uint32_t low = (uint32_t)(value % 100000000);
        value /= 100000000;
        for (int pair = 0; pair < 4; pair++, low /= 100) {
            last -= 2;
            memcpy(last, fri_number_pairs + 2 * (low % 100), 2);
        }
    }
    put_pairs(last, (uint32_t)value);
    return end;
}

char *fr_put_int64(char *at, int64_t value) { return fri_put_int64(at, value); }
char *fr_put_float(char *at, float value) { return fri_put_float(at, value); }
char *fr_put_double(char *at, double value) { return fri_put_double(at, value); }
