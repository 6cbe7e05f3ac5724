/* Numbers as text, fast: for files of results. Each function writes at `at`, at most FR_NUMBER_CAPACITY
 * bytes without a NUL, and returns the end. */
#ifndef FRI_IO_NUMBER_TEXT_H
#define FRI_IO_NUMBER_TEXT_H

#include "fringe.h"

extern const uint64_t fri_number_powers[20]; /* of ten, from 1 on */
extern const char fri_number_pairs[];        /* the digits of 00 to 99 */

char *fri_put_uint64(char *at, uint64_t value);
static inline char *fri_put_int64(char *at, int64_t value) {
    if (value < 0)
        *at++ = '-';
    return fri_put_uint64(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
char *fri_put_double(char *at, double value); /* the shortest text that parses to the same double */
char *fri_put_float(char *at, float value);   /* ... to the same float */

#endif
