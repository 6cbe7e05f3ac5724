/* Validates UTF-8. */
#ifndef FRI_BASE_UTF8_H
#define FRI_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fri_text_kind {
    FRI_TEXT_PLAIN,   /* valid UTF-8 without control characters */
    FRI_TEXT_CONTROL, /* has a byte below 0x20, or 0x7f */
    FRI_TEXT_NOT_UTF8
} fri_text_kind;

/* The kind of [at, at + length); NUL is a control character. */
fri_text_kind fri_text_kind_of(const char *at, size_t length);

#endif
