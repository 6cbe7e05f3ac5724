/* Text of a page, into a sink. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include "cli/io/output_file.h"

void html_printf(output_file *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Any bytes as text: <, >, & and quotes escaped, what is no UTF-8 or no character of XML replaced
 * by U+FFFD. */
void html_text(output_file *out, const char *text);

#endif
