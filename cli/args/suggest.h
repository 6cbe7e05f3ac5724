/* "Did you mean": the known name that an unknown one may stand for. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stdbool.h>

/* The i-th known name of a kind; NULL: the end. "" is skipped. */
typedef const char *(*name_at)(const void *list, int i);

const char *command_name_at(const void *unused, int i);
const char *strategy_name_at(const void *unused, int i); /* of any problem, with other names */
const char *format_name_at(const void *unused, int i);
const char *generator_name_at(const void *unused, int i);
const char *any_option_name_at(const void *unused, int i); /* of any command */
const char *choice_name_at(const void *choices, int i);    /* const choice * */

typedef struct suggestion {
    char text[96];
} suggestion;

/* Whether the words, with a divider of one character between them, have this one, upper and lower case alike. */
bool has_word(const char *words, const char *divider, const char *word);

/* Returns " (did you mean 'PREFIXname'?)" or "". The name is the one that other programs call `word`, or one that
 * differs by at most two letters (inserted, left out, replaced, exchanged), upper and lower case alike. Without one, of
 * a name of another kind: " (kronecker is a generator: 'fringe list generators')". */
suggestion did_you_mean(const char *word, name_at known, const void *list, const char *prefix);

#endif
