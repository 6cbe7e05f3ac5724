/* Numbers as text with a decimal point, also in a program that has called setlocale: printf and
 * strtod use the decimal comma of its locale. For text that is parsed again, not for messages. */
#ifndef FRI_NUMBER_H
#define FRI_NUMBER_H

#include <stdint.h>

enum { FRI_NUMBER_TEXT = 32 };

/* "%.*g" with at most 17 digits; returns the length. */
int fri_print_number(char text[FRI_NUMBER_TEXT], int digits, double value);
double fri_parse_number(const char *text, char **end); /* strtod */
float fri_parse_float(const char *text);               /* strtof */

/* The words that follow a count in a message: "entry is" or "entries are". */
static inline const char *fri_words(int64_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

#endif
