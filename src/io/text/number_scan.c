/* Parses numbers from mapped text.
 *
 * Integers: see digits.h.
 * Doubles are exact: up to 2^53 times a power of ten up to 10^22 by one floating-point operation
 * (W. D. Clinger, How to read floating point numbers accurately, PLDI 1990); up to 19 digits
 * divided by a power of ten up to 10^19 by one division of 128 by 64 bits and one rounding; all
 * others by strtod in the "C" locale on a bounded copy.
 */
#include "io/text/number_scan.h"
#include "base/text/number.h"
#include "io/text/digits.h"
#include "io/text/number_text.h"

#include <math.h>
#include <strings.h>

enum { LONGEST_NUMBER = 1100 }; /* no double needs more than 767 digits and an exponent */

/* Skips a number of any length and determines whether its value fits int64: it may have leading
 * zeros. */
static fri_scan_status long_int64(const char **at, const char *end, bool negative, int64_t *out) {
    const char *p = *at;
    uint64_t value = 0;
    bool over = false;
    for (; p < end && fri_is_digit(*p); p++)
        over |= __builtin_mul_overflow(value, 10u, &value) ||
                __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value);
    *at = p;
    if (over || value > (uint64_t)INT64_MAX + negative)
        return FRI_SCAN_RANGE;
    *out = (int64_t)(negative ? 0 - value : value);
    return FRI_SCAN_OK;
}

fri_scan_status fri_scan_int64(fri_scan *scan, int64_t *out) {
    scan->at = fri_skip_blanks(scan->at, scan->end);
    const char *p = scan->at;
    bool negative = p < scan->end && *p == '-';
    p += p < scan->end && (*p == '-' || *p == '+');
    if (p == scan->end || !fri_is_digit(*p))
        return FRI_SCAN_NONE;
    fri_scan_status status = FRI_SCAN_OK;
    if (fri_short_number(&p, scan->end, out))
        *out = negative ? -*out : *out;
    else
        status = long_int64(&p, scan->end, negative, out);
    scan->at = p;
    return status;
}

static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
/* w / 10^k, correctly rounded: a 64-bit quotient and whether the remainder is non-zero. w > 0, k <=
 * 19. */
static double divide(uint64_t w, int k) {
    int wz = __builtin_clzll(w), dz = __builtin_clzll(fri_number_powers[k]);
    uint64_t n = w << wz, d = fri_number_powers[k] << dz;
    int shift = n < d ? 64 : 63; /* makes the quotient exactly 64 bits long */
    unsigned __int128 top = (unsigned __int128)n << shift;
    uint64_t q = (uint64_t)(top / d), rest = (uint64_t)(top % d);
    uint64_t low = q & 0x7ff, kept = q >> 11;
    if (low > 0x400 || (low == 0x400 && (rest || (kept & 1))))
        kept++;
    return ldexp((double)kept, 11 - shift + dz - wz);
}

/* A number as written: sign, digits as one integer, power of ten. */
typedef struct {
    bool negative;
    uint64_t digits;
    int64_t count;    /* number of digits, including leading zeros */
    int64_t exponent; /* power of ten if the digits are an integer; clamped to +-2^30 */
} written;

/* An "e" without digits after it does not belong to the number. */
static const char *read_exponent(const char *p, const char *end, written *number) {
    const char *q = p + 1;
    bool negative = q < end && *q == '-';
    q += q < end && (*q == '-' || *q == '+');
    uint64_t value = 0;
    const char *first = q;
    while (q < end && fri_is_digit(*q)) {
        value = FRI_MIN(value * 10 + (uint64_t)(*q - '0'), UINT64_C(1) << 30);
        q++;
    }
    if (q == first)
        return p;
    number->exponent += negative ? -(int64_t)value : (int64_t)value;
    return q;
}

/* The position after the number at p, or NULL if there is none. */
static const char *read_written(const char *p, const char *end, written *number) {
    *number = (written){.negative = p < end && *p == '-'};
    p += p < end && (*p == '-' || *p == '+');
    number->count = fri_digits(&p, end, &number->digits);
    if (p < end && *p == '.') {
        p++;
        int64_t fraction = fri_digits(&p, end, &number->digits);
        number->count += fraction;
        number->exponent -= fraction;
    }
    if (number->count == 0)
        return NULL;
    if (p < end && (*p | 0x20) == 'e')
        p = read_exponent(p, end, number);
    return p;
}

static fri_scan_status hard_double(const char *at, size_t length, double *out) {
    char copy[LONGEST_NUMBER + 1];
    if (length > LONGEST_NUMBER)
        return FRI_SCAN_RANGE;
    memcpy(copy, at, length);
    copy[length] = 0;
    *out = fri_parse_number(copy, NULL);
    return isfinite(*out) ? FRI_SCAN_OK : FRI_SCAN_RANGE;
}

/* True at words that strtod would accept as numbers. */
static bool no_number_word(const char *p, const char *end) {
    p += p < end && (*p == '-' || *p == '+');
    return end - p >= 3 &&
           (memcmp(p, "nan", 3) == 0 || memcmp(p, "NaN", 3) == 0 || memcmp(p, "NAN", 3) == 0 ||
            memcmp(p, "inf", 3) == 0 || memcmp(p, "Inf", 3) == 0 || memcmp(p, "INF", 3) == 0);
}

fri_scan_status fri_scan_double(fri_scan *scan, double *out) {
    scan->at = fri_skip_blanks(scan->at, scan->end);
    written number;
    const char *begin = scan->at, *behind = read_written(begin, scan->end, &number);
    if (!behind)
        return no_number_word(begin, scan->end) ? FRI_SCAN_RANGE : FRI_SCAN_NONE;
    scan->at = behind;
    int64_t e = number.exponent;
    double value;
    if (number.count > 19)
        return hard_double(begin, (size_t)(behind - begin), out);
    if (number.digits == 0)
        value = 0;
    else if (number.digits <= UINT64_C(1) << 53 && e >= -22 && e <= 22)
        value = e < 0 ? (double)number.digits / exact_power[-e]
                      : (double)number.digits * exact_power[e];
    else if (e >= -19 && e < 0)
        value = divide(number.digits, (int)-e);
    else
        return hard_double(begin, (size_t)(behind - begin), out);
    *out = number.negative ? -value : value;
    return FRI_SCAN_OK;
}

bool fri_scan_at_eol(fri_scan *scan) {
    scan->at = fri_skip_blanks(scan->at, scan->end);
    return scan->at == scan->end || *scan->at == '\n';
}

fri_word fri_scan_word(fri_scan *scan) {
    fri_scan_at_eol(scan);
    const char *at = scan->at;
    while (scan->at < scan->end && (unsigned char)*scan->at > ' ')
        scan->at++;
    return (fri_word){at, (size_t)(scan->at - at)};
}

fri_word fri_word_trimmed(const char *at, const char *end) {
    while (at < end && (unsigned char)*at <= ' ')
        at++;
    while (at < end && (unsigned char)end[-1] <= ' ')
        end--;
    return (fri_word){at, (size_t)(end - at)};
}

bool fri_word_is(fri_word word, const char *text) {
    return word.length == strlen(text) && strncasecmp(word.at, text, word.length) == 0;
}

bool fri_scan_next_line(fri_scan *scan) {
    scan->at = fri_skip_line(scan->at, scan->end);
    return scan->at < scan->end;
}

void fri_scan_cut(const char *begin, const char *end, int parts, const char **cut) {
    cut[0] = begin;
    for (int i = 1; i < parts; i++) {
        const char *at = begin + (end - begin) / parts * i;
        cut[i] = at <= cut[i - 1] ? cut[i - 1] : fri_skip_line(at - 1, end);
    }
    cut[parts] = end;
}

int64_t fri_scan_count_lines(const char *at, const char *end) {
    int64_t lines = 1; /* the last line may have no newline */
    while (end - at >= 32) {
        uint8_t column[32] = {0}; /* sums of bytes, below 256, so that the loop is vectorized */
        int64_t rows = FRI_MIN((end - at) / 32, 255);
        for (int64_t r = 0; r < rows; r++, at += 32)
            for (int c = 0; c < 32; c++)
                column[c] += at[c] == '\n';
        for (int c = 0; c < 32; c++)
            lines += column[c];
    }
    for (; at < end; at++)
        lines += *at == '\n';
    return lines;
}
