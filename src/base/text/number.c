#include "base/text/number.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fri_print_number(char text[FRI_NUMBER_TEXT], int digits, double value) {
    static const char figures[] = "0123456789";
    int length = snprintf(text, FRI_NUMBER_TEXT, "%.*g", digits, value);
    char *whole = text + (*text == '-'), *point = whole + strspn(whole, figures);
    if (point == whole || !*point || *point == 'e') /* nan, inf, no decimals */
        return length;
    char *decimals = point + strcspn(point, figures); /* the point may have several bytes */
    *point++ = '.';
    memmove(point, decimals, strlen(decimals) + 1);
    return length - (int)(decimals - point);
}

double fri_parse_number(const char *text, char **end) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc and musl return a constant */
    double value = c ? strtod_l(text, end, c) : strtod(text, end);
    if (c)
        freelocale(c);
    return value;
}

float fri_parse_float(const char *text) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    float value = c ? strtof_l(text, NULL, c) : strtof(text, NULL);
    if (c)
        freelocale(c);
    return value;
}
