/* Parses numbers from mapped text at memory speed, without copies, allocation or locale. */
#ifndef FRI_IO_NUMBER_SCAN_H
#define FRI_IO_NUMBER_SCAN_H

#include "io/input.h"

/* A cursor never reads at or past `end`. */
typedef struct fri_scan {
    const char *at, *end;
} fri_scan;

typedef enum fri_scan_status {
    FRI_SCAN_OK,
    FRI_SCAN_NONE, /* no number here (end of line, other text): the cursor does not move past it */
    FRI_SCAN_RANGE /* a number that does not fit the type */
} fri_scan_status;

/* Each function skips blanks (space, tab, comma, CR) but never a newline, then reads one number. */
fri_scan_status fri_scan_int64(fri_scan *scan, int64_t *out);
fri_scan_status fri_scan_double(fri_scan *scan, double *out); /* nan, inf and 1e400: RANGE */
/* A range of a text. */
typedef struct fri_word {
    const char *at;
    size_t length;
} fri_word;
fri_word fri_scan_word(fri_scan *scan); /* the next word of the line; length 0 at its end */
fri_word fri_word_trimmed(const char *at, const char *end); /* without white space around it */
bool fri_word_is(fri_word word, const char *text);          /* in upper or lower case */
/* Skips blanks; true at a newline or the end. */
bool fri_scan_at_eol(fri_scan *scan);
/* Moves past the next newline; false at the end of the text. */
bool fri_scan_next_line(fri_scan *scan);

/* Cuts [begin, end) into `parts` chunks that end after newlines: cut[0] = begin, cut[parts] =
 * end. */
void fri_scan_cut(const char *begin, const char *end, int parts, const char **cut);

/* The lines of [at, end): newlines and one more, since the last line may have none. */
int64_t fri_scan_count_lines(const char *at, const char *end);

#endif
