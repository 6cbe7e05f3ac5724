/* The progress bar, and the handling of Ctrl-C. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Ctrl-C, TERM and HUP set a flag that the progress callback returns; a second signal removes the
 * incomplete output files and exits at once. So does an access behind the end of a mapped file, with a message. */
void progress_catch_signals(void);
bool progress_stopped(void);
int progress_exit_code(void); /* 130 for Ctrl-C, 128 + signal for the others */
/* Files to remove if the command must exit at once, at most 8. */
void progress_guard_file(const char *path);
void progress_unguard_file(const char *path);
/* The same for the file that the library writes before it renames it to path (fr_output.path). */
void progress_guard_output(const char *path);

/* An fr_progress_fn. Draws on stderr if that is a terminal, after the first second of the work; from then on a new
 * phase at once. */
int progress_report(void *user, const char *phase, int64_t done, int64_t total);
void progress_quiet(void); /* disables the progress bar */
/* After this time (cli_now_ns) calls of the library are cancelled; 0: never. */
void progress_deadline(int64_t ns);
void progress_clear(void); /* erases the bar */

/* Colors: only on a terminal, without NO_COLOR, and not for TERM=dumb. */
bool color_on(FILE *out);
const char *color(FILE *out, const char *code); /* "1" bold, "32" green, "0" off; "" when off */

/* The width of the output: COLUMNS, else the width of the terminal, at least 40; 80 if `out` is no
 * terminal or the width is unknown. */
int screen_width(FILE *out);

#endif
