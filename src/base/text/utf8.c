/* Source: The Unicode Standard, version 15, section 3.9, table 3-7: well-formed byte sequences. */
#include "base/text/utf8.h"

/* The bytes of the well-formed sequence at `at`, of which the first is at least 0x80; 0: none. */
static size_t sequence(const unsigned char *at, size_t left) {
    unsigned char first = at[0], low = 0x80, high = 0xbf;
    size_t bytes = first >= 0xc2 && first <= 0xdf   ? 2
                   : first >= 0xe0 && first <= 0xef ? 3
                   : first >= 0xf0 && first <= 0xf4 ? 4
                                                    : 0;
    if (bytes == 0 || left < bytes)
        return 0;
    if (first == 0xe0)
        low = 0xa0; /* shorter forms exist */
    else if (first == 0xed)
        high = 0x9f; /* surrogates */
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f; /* beyond U+10FFFF */
    if (at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return bytes;
}

fri_text_kind fri_text_kind_of(const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        if (at[i] < 0x20 || at[i] == 0x7f)
            return FRI_TEXT_CONTROL;
        size_t bytes = at[i] < 0x80 ? 1 : sequence(at + i, length - i);
        if (bytes == 0)
            return FRI_TEXT_NOT_UTF8;
        i += bytes;
    }
    return FRI_TEXT_PLAIN;
}
