/* The progress bar, and the way out on Ctrl-C. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Ctrl-C, TERM and HUP set a flag that the progress callback returns; a second one removes the
 * unfinished output file and leaves at once. */
void progress_catch_signals(void);
bool progress_stopped(void);
int progress_exit_code(void); /* 130 for Ctrl-C, 128 + signal for the others */
/* The file to remove when the command must leave at once; NULL: none. */
void progress_guard_file(const char *path);

/* An fr_progress_fn. Draws on stderr when that is a terminal and more than a second has passed. */
int progress_report(void *user, const char *phase, int64_t done, int64_t total);
void progress_quiet(void); /* draw nothing from here on */
/* From this time on (cli_now_ns) calls of the library are cancelled; 0: never. */
void progress_deadline(int64_t ns);
void progress_clear(void); /* takes the bar off the line */

/* Colours: only on a terminal, without NO_COLOR, and not for TERM=dumb. */
bool color_on(FILE *out);
const char *color(FILE *out, const char *code); /* "1" bold, "32" green, "0" off; "" when off */

/* Columns to write in: COLUMNS, or else what the terminal says, from 40 on; 80 where `out` is no
 * terminal or nothing is known. */
int screen_width(FILE *out);

#endif
