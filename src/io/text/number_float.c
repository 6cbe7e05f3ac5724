/* Floating-point numbers as the shortest decimal, of at least 15 (float: 6) digits before trailing
 * zeros are dropped, that parses to the same number: the text of printf's %.*g.
 *
 * Idea: for numbers of usual size the value times a power of ten is an integer of at most 116 bits
 *   times a power of two, so the rounding to decimal digits, and the test that they lie within half
 *   a unit in the last place, are exact in 128-bit integers. All others take printf and strtod, with a
 *   decimal point in every locale; a subnormal number, which has fewer bits, begins with one digit. */
#include "io/text/number_text.h"

#include "base/text/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

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
    at = fri_put_uint64(at, (uint64_t)(scaled / 1000000));
    int64_t rest = scaled % 1000000;
    if (rest) {
        *at++ = '.';
        for (int64_t unit = 100000; rest; rest %= unit, unit /= 10)
            *at++ = (char)('0' + rest / unit);
    }
    return at;
}

/* value = mantissa * 2^exponent with `bits` bits of mantissa. */
typedef struct binary {
    uint64_t mantissa;
    int exponent, bits;
} binary;

static binary split_double(double size, int bits) {
    int exponent;
    double part = frexp(size, &exponent);
    return (binary){(uint64_t)ldexp(part, bits), exponent - bits, bits};
}

/* floor(log10(size)) for 1e-3 <= size < 1e13. */
static int decimal_exponent(double size) {
    static const double power[] = {1e-3, 1e-2, 1e-1, 1e0, 1e1,  1e2,  1e3,  1e4, 1e5,
                                   1e6,  1e7,  1e8,  1e9, 1e10, 1e11, 1e12, 1e13};
    int place = 0;
    while (place < (int)(sizeof power / sizeof *power) && size >= power[place])
        place++;
    return place - 4;
}

/* Rounds b to `places` decimals, ties to even as printf does. False if the result parses to another
 * number; at a power of two, whose interval is not symmetric, the caller does not ask. */
static bool round_decimals(binary b, int places, uint64_t *decimals) {
    uint64_t five = 1; /* places <= 20 */
    for (int i = 0; i < places; i++)
        five *= 5;
    int shift = -(b.exponent + places); /* value * 10^places = exact / 2^shift */
    uint128 exact = (uint128)b.mantissa * five, half = (uint128)1 << (shift - 1);
    uint128 whole = exact >> shift, rest = exact - (whole << shift);
    bool up = rest > half || (rest == half && (whole & 1));
    uint128 error = up ? ((uint128)1 << shift) - rest : rest;
    *decimals = (uint64_t)(whole + up);
    return 2 * error < five || (2 * error == five && !(b.mantissa & 1));
}

static char *put_fixed(char *at, bool minus, uint64_t decimals, int places) {
    if (minus)
        *at++ = '-';
    while (places > 18) { /* a number below 0.01; the digits that are dropped are tested first */
        if (decimals % 10)
            return NULL;
        decimals /= 10;
        places--;
    }
    at = fri_put_uint64(at, decimals / fri_number_powers[places]);
    uint64_t rest = decimals % fri_number_powers[places];
    if (!rest)
        return at;
    char *end =
        fri_put_uint64(at, fri_number_powers[places] + rest); /* the 1 in front keeps the zeros */
    *at = '.';
    while (end[-1] == '0')
        end--;
    return end;
}

/* NULL: not a number of usual size, or one whose digits need printf. */
static char *put_exact(char *at, double value, int bits, int min_digits, int max_digits,
                       double below) {
    double size = fabs(value);
    if (!(size >= 1e-4 && size < below))
        return NULL;
    binary b = split_double(size, bits);
    if (b.mantissa == (uint64_t)1 << (bits - 1))
        return NULL;
    int exponent = decimal_exponent(size);
    for (int digits = min_digits; digits <= max_digits; digits++) {
        uint64_t decimals;
        int places = digits - 1 - exponent;
        if (round_decimals(b, places, &decimals))
            return put_fixed(at, value < 0, decimals, places);
    }
    return NULL;
}

static bool parses_to_double(const char *text, double value) {
    return fri_parse_number(text, NULL) == value;
}

static bool parses_to_float(const char *text, double value) {
    return fri_parse_float(text) == (float)value;
}

static char *put_printed(char *at, double value, int min_digits, int max_digits,
                         bool (*parses)(const char *text, double value)) {
    char text[FRI_NUMBER_TEXT];
    int length, digits = min_digits;
    do
        length = fri_print_number(text, digits, value);
    while (!parses(text, value) && digits++ < max_digits);
    memcpy(at, text, (size_t)length);
    return at + length;
}

char *fri_put_double(char *at, double value) {
    if (!isfinite(value))
        return put_special(at, value);
    if (value == floor(value) && fabs(value) < 0x1p53)
        return fri_put_int64(at, (int64_t)value);
    char *end = put_decimal(at, value, fabs(value));
    if (!end)
        end = put_exact(at, value, 53, 15, 17, 1e13);
    if (end)
        return end;
    return put_printed(at, value, isnormal(value) ? 15 : 1, 17, parses_to_double);
}

char *fri_put_float(char *at, float value) {
    if (!isfinite(value))
        return put_special(at, (double)value);
    if (value == floorf(value) && fabsf(value) < 0x1p24f)
        return fri_put_int64(at, (int64_t)value);
    char *end = put_exact(at, (double)value, 24, 6, 9, 1e5);
    if (end)
        return end;
    return put_printed(at, (double)value, isnormal(value) ? 6 : 1, 9, parses_to_float);
}
