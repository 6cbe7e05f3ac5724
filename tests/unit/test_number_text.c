/* Numbers as text: the same bytes as printf's shortest %.*g that parses back. */
#include "base/rng.h"
#include "io/text/number_text.h"
#include "support/support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_NUMBERS = 200000 };

static void check_int(int64_t value) {
    char want[FR_NUMBER_CAPACITY], got[FR_NUMBER_CAPACITY] = {0};
    snprintf(want, sizeof want, "%" PRId64, value);
    *fr_put_int64(got, value) = 0;
    assert_string_equal(got, want);
}

static void check_float(float value) {
    char want[FR_NUMBER_CAPACITY], got[FR_NUMBER_CAPACITY] = {0};
    int digits = 6;
    do
        snprintf(want, sizeof want, "%.*g", digits, (double)value);
    while (strtof(want, NULL) != value && digits++ < 9);
    *fr_put_float(got, value) = 0;
    if (fabsf(value) >= 1e6f && value == floorf(value)) /* whole numbers keep their digits */
        assert_true(strtof(got, NULL) == value);
    else
        assert_string_equal(got, want);
}

static void check_double(double value) {
    char want[FR_NUMBER_CAPACITY], got[FR_NUMBER_CAPACITY] = {0};
    int digits = 15;
    do
        snprintf(want, sizeof want, "%.*g", digits, value);
    while (strtod(want, NULL) != value && digits++ < 17);
    *fr_put_double(got, value) = 0;
    /* millionths below 0.0001 and whole numbers have no exponent */
    if (strchr(want, 'e'))
        assert_true(strtod(got, NULL) == value);
    else
        assert_string_equal(got, want);
}

static void test_int_limits(void **state) {
    (void)state;
    uint64_t power = 1;
    for (int digits = 1; digits <= 19; digits++, power *= 10)
        for (int64_t step = -2; step <= 2; step++) {
            check_int((int64_t)power + step);
            check_int(-(int64_t)power + step);
        }
    for (int bits = 0; bits < 63; bits++)
        for (int64_t step = -1; step <= 1; step++)
            check_int(((int64_t)1 << bits) + step);
    check_int(INT64_MAX);
    check_int(INT64_MIN);
    char got[FR_NUMBER_CAPACITY] = {0};
    *fri_put_uint64(got, UINT64_MAX) = 0;
    assert_string_equal(got, "18446744073709551615");
}

/* The numbers next to powers of two and of ten: intervals that are not symmetric, digits that
 * carry. */
static void test_float_limits(void **state) {
    (void)state;
    for (int power = -40; power <= 40; power++)
        for (int base = 0; base < 2; base++) {
            double at = base ? pow(10, power / 2) : ldexp(1, power);
            double below = at, above = at;
            float low = (float)at, high = (float)at;
            for (int step = 0; step < 4; step++) {
                check_double(below);
                check_double(-above);
                check_float(low);
                check_float(-high);
                below = nextafter(below, 0);
                above = nextafter(above, INFINITY);
                low = nextafterf(low, 0);
                high = nextafterf(high, INFINITY);
            }
        }
}

static void test_random_numbers(void **state) {
    (void)state;
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
        uint64_t bits = fri_random(7, (uint64_t)i);
        double size = ldexp((double)(bits >> 11), -53 + (int)(bits % 64) - 16);
        check_int((int64_t)(bits >> (bits % 64)));
        check_double(size);
        check_double((double)(float)size);
        check_double(round(size * 1000) / 1000);
        check_float((float)size);
        check_float(roundf((float)size * 100) / 100);
    }
}

TEST_PROGRAM(TEST(test_int_limits), TEST(test_float_limits), TEST(test_random_numbers))
