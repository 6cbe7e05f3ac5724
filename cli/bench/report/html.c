#include "html.h"

#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void html_printf(output_file *out, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        cli_no_memory();
    output_file_put(out, text, (size_t)length);
    free(text);
}

/* The number of bytes of the character at `at`; 0 if it is invalid UTF-8 or a control character. */
static size_t character(const unsigned char *at) {
    if (*at < 0x80)
        return *at >= 0x20 || *at == '\n' || *at == '\t';
    size_t length = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
    unsigned value = *at & (0xff >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (at[i] & 0x3f);
    }
    static const unsigned min_value[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = value >= 0xd800 && value < 0xe000, never = (value & 0xfffe) == 0xfffe;
    bool whole = *at >= 0xc2 && value >= min_value[length] && value < 0x110000;
    return whole && !surrogate && !never ? length : 0;
}

void html_text(output_file *out, const char *text) {
    static const char *const escapes[256] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;"};
    while (*text) {
        const char *escape = escapes[(unsigned char)*text];
        size_t length = character((const unsigned char *)text);
        if (escape)
            output_file_put(out, escape, strlen(escape));
        else if (length)
            output_file_put(out, text, length);
        else
            output_file_put(out, "\xef\xbf\xbd", 3);
        text += length ? length : 1;
    }
}
