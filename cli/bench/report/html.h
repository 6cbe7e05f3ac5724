/* Writes text of the page to the output file. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include "cli/io/output_file.h"

void html_printf(output_file *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes any bytes as text: escapes <, >, & and quotes, and replaces invalid UTF-8 and characters
 * that XML does not allow by U+FFFD. */
void html_text(output_file *out, const char *text);

#endif
