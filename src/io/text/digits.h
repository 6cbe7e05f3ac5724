/* The inner loop of the number scanner, inline because a line of an edge list is only about ten
 * bytes long.
 *
 * Idea: eight bytes are loaded as one word, one addition finds the bytes that are not digits, and
 *   three multiplications combine up to eight digits (SIMD within a register).
 * Source: D. Lemire, "Quickly parsing eight digits", 2018; the search for the first non-digit is
 *   the usual test for a byte above a bound (H. S. Warren, Hacker's Delight, 2nd ed., section 6-1).
 */
#ifndef FRI_DIGITS_H
#define FRI_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool fri_is_blank(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }
static inline bool fri_is_digit(char c) { return (unsigned char)(c - '0') < 10; }

static inline const char *fri_skip_blanks(const char *at, const char *end) {
    while (at < end && fri_is_blank(*at))
        at++;
    return at;
}

/* The position after the next newline, or end. */
static inline const char *fri_skip_line(const char *at, const char *end) {
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline ? newline + 1 : end;
}

/* The value of eight digits, the first one in the lowest byte, '0' already subtracted from each. */
static inline uint64_t fri_eight_digits(uint64_t x) {
    x = x * 10 + (x >> 8);
    return ((x & 0x000000FF000000FFu) * 0x000F424000000064u +
            ((x >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
           32;
}

/* Appends the digits at *at to *value (modulo 2^64: meaningful up to 19 digits) and returns their
 * number. Does not read at or past end. */
static inline int64_t fri_digits(const char **at, const char *end, uint64_t *value) {
    static const uint64_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    const char *p = *at, *begin = p;
    uint64_t v = *value;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        x ^= 0x3030303030303030u;
        /* a byte above 9 sets its top bit; only a byte that is itself above 9 produces a carry */
        uint64_t non_digits = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
        if (non_digits) {
            int digits = __builtin_ctzll(non_digits) >> 3;
            if (digits)
                v = v * power[digits] + fri_eight_digits(x << (64 - 8 * digits));
            *value = v;
            *at = p + digits;
            return p + digits - begin;
        }
        v = v * 100000000 + fri_eight_digits(x);
        p += 8;
    }
#endif
    while (p < end && fri_is_digit(*p))
        v = v * 10 + (uint64_t)(*p++ - '0');
    *value = v;
    *at = p;
    return p - begin;
}

/* Parses an unsigned number of at most 18 digits at *at; false, with *at unchanged, for anything
 * else. */
static inline bool fri_short_number(const char **at, const char *end, int64_t *out) {
    const char *p = *at;
    uint64_t v = 0;
    int64_t digits = fri_digits(&p, end, &v);
    if (digits == 0 || digits > 18)
        return false;
    *at = p;
    *out = (int64_t)v;
    return true;
}

#endif
