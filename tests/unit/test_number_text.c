/* Numbers as text: the same bytes as printf's shortest %.*g that parses back; of 15 (float: 6) digits at
 * least, which tell normal numbers apart. */
#include "base/rng.h"
#include "io/text/number_text.h"
#include "support/support.h"

#include <float.h>
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
    int digits = isnormal(value) ? 6 : 1;
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
    int digits = isnormal(value) ? 15 : 1;
    do
        snprintf(want, sizeof want, "%.*g", digits, value);
    while (strtod(want, NULL) != value && digits++ < 17);
    *fr_put_double(got, value) = 0;
    /* millionths below 0.0001 and whole numbers have no exponent */
    if (isnormal(value) && strchr(want, 'e'))
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

/* The first ones, those near a power of two or of ten, and random ones of every number of bits. */
static void test_subnormal_numbers(void **state) {
    (void)state;
    for (int i = 1; i < 2000; i++) {
        check_double(i * DBL_TRUE_MIN);
        check_float((float)-i * FLT_TRUE_MIN);
    }
    for (int bits = 0; bits < 52; bits++)
        for (int i = 0; i < 50; i++) {
            const uint64_t random = fri_random(8, (uint64_t)(bits * 50 + i));
            check_double((double)(random >> (63 - bits)) * DBL_TRUE_MIN);
            check_double(((double)((uint64_t)1 << bits) - i + 25) * DBL_TRUE_MIN);
            check_float((float)(random >> (63 - bits % 22)) * FLT_TRUE_MIN);
        }
    for (int power = -323; power < -307; power++)
        for (int i = 1; i < 100; i++) {
            char text[16];
            snprintf(text, sizeof text, "%de%d", i, power);
            check_double(strtod(text, NULL));
            snprintf(text, sizeof text, "%de%d", i, power / 8);
            check_float(strtof(text, NULL));
        }
    check_double(DBL_MIN);
    check_double(nextafter(DBL_MIN, 0));
    check_float(FLT_MIN);
    check_float(nextafterf(FLT_MIN, 0));
}

TEST_PROGRAM(TEST(test_int_limits), TEST(test_float_limits), TEST(test_random_numbers),
             TEST(test_subnormal_numbers))
