/* Parses a command line with getopt_long and the option tables of the command. */
#include "suggest.h"
#include "cli/cli.h"
#include "cli/io/number.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 64 };

static int bad_value(const option_row *row, const char *text) {
    suggestion near = {""};
    if (row->choices)
        near = did_you_mean(text, choice_name_at, row->choices, "");
    return cli_usage("--%s takes %s, not '%s'%s", row->name, row->argument, text, near.text);
}

/* The message names the numbers that an option takes. */
static int bad_number(const option_row *row, const char *text) {
    const char *kind = row->kind == OPTION_DOUBLE ? "a number" : "a whole number";
    bool bounded = row->low != 0 || row->high != 0;
    if (bounded && row->high >= 1e300 && row->low == 0)
        return cli_usage("--%s takes a number of at least 0, not '%s'", row->name, text);
    if (bounded && row->high >= 1e300)
        return cli_usage("--%s takes a positive number, not '%s'", row->name, text);
    if (bounded)
        return cli_usage("--%s takes %s from %.10g to %.10g, not '%s'", row->name, kind, row->low,
                         row->high, text);
    return cli_usage("--%s takes %s, not '%s'", row->name, kind, text);
}

static bool read_int64(const char *text, char **end, int64_t *out) {
    errno = 0;
    *out = strtoll(text, end, 10);
    return *end != text && errno == 0 && !isspace((unsigned char)*text);
}

/* No bounds if both are 0. */
static bool within(const option_row *row, double value) {
    if (row->low == 0 && row->high == 0)
        return true;
    return value >= row->low && value <= row->high;
}

/* Whether a double holds the number exactly. */
static bool is_double(int64_t whole) {
    double value = (double)whole;
    return value < 0x1p63 && (int64_t)value == whole;
}

static int store_number(const option_row *row, const char *text, void *at) {
    char *end;
    if (row->kind == OPTION_DOUBLE) {
        double value = strtod(text, &end);
        if (end == text || *end || !isfinite(value) || !within(row, value))
            return bad_number(row, text);
        int64_t whole;
        if (read_int64(text, &end, &whole) && !*end && !is_double(whole))
            return cli_usage(
                "--%s takes a double, which cannot hold %s exactly; the nearest is %.0f", row->name,
                text, value);
        *(double *)at = value;
        return CLI_OK;
    }
    int64_t value;
    if (!read_int64(text, &end, &value) || *end || !within(row, (double)value))
        return bad_number(row, text);
    if (row->kind == OPTION_INT)
        *(int *)at = (int)value;
    else
        *(int64_t *)at = value;
    return CLI_OK;
}

/* Limits of the distance, divided by commas; in settings they ascend. */
static int store_limits(const option_row *row, const char *text, settings *s) {
    option_row one = *row;
    one.kind = OPTION_DOUBLE;
    char *words = cli_format("%s", text), *rest = words;
    int code = CLI_OK, count = 0;
    for (char *word; !code && (word = strsep(&rest, ",")); count++)
        code = count < CLI_MAX_BANDS
                   ? store_number(&one, word, &s->bands[count])
                   : cli_usage("--%s takes at most %d limits", row->name, CLI_MAX_BANDS);
    free(words);
    if (code)
        return code;
    sort_doubles(s->bands, count);
    s->max_distance = s->bands[count - 1];
    s->band_count = count > 1 ? count : 0;
    return CLI_OK;
}

static int store_seed(const option_row *row, const char *text, uint64_t *at) {
    char *end;
    errno = 0;
    *at = strtoull(text, &end, 10);
    if (isdigit((unsigned char)*text) && !*end && !errno)
        return CLI_OK;
    return cli_usage("--%s takes a whole number from 0 to %llu, not '%s'", row->name,
                     (unsigned long long)UINT64_MAX, text);
}

static int bad_size(const option_row *row, const char *text) {
    return cli_usage("--%s takes a size from 1 byte to 4 EiB, for example 500M or 8G, not '%s'",
                     row->name, text);
}

static int store_bytes(const option_row *row, const char *text, int64_t *at) {
    static const char units[] = "KMGT";
    enum { SUSPECT = 1 << 20 }; /* fewer bytes without a unit: one is forgotten */
    char *end;
    double value = strtod(text, &end);
    if (end == text || !(value > 0))
        return bad_size(row, text);
    if (!*end && value < SUSPECT)
        return cli_usage("--%s %s has no unit: %sM are mebibytes, %sB bytes", row->name, text, text,
                         text);
    if (strcmp(end, "B") == 0)
        end++;
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit) {
        value = ldexp(value, 10 * (int)(unit - units + 1));
        end++;
        end += strncmp(end, "iB", 2) == 0 ? 2 : *end == 'B';
    }
    if (*end || !(value >= 1 && value <= 0x1p62))
        return bad_size(row, text);
    *at = (int64_t)value;
    return CLI_OK;
}

static int store_choice(const option_row *row, const char *text, int *at) {
    for (const choice *c = row->choices; c->name; c++)
        if (strcmp(c->name, text) == 0) {
            *at = c->value;
            return CLI_OK;
        }
    return bad_value(row, text);
}

void id_list_add(id_list *list, const char *word, size_t length) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 4;
        list->words = cli_realloc(list->words, (size_t)list->capacity * sizeof *list->words);
        list->places = cli_realloc(list->places, (size_t)list->capacity * sizeof *list->places);
    }
    char *copy = cli_alloc(length + 1);
    memcpy(copy, word, length);
    copy[length] = 0;
    list->places[list->count] = (text_place){0};
    list->words[list->count++] = copy;
}

size_t id_list_point(const char *text) {
    const char *at = text;
    char *end;
    for (char before = '@'; before; before = before == '@' ? ',' : 0) {
        if (*at++ != before || isspace((unsigned char)*at) || !isfinite(strtod(at, &end)) ||
            end == at)
            return 0;
        at = end;
    }
    return *at && *at != ',' ? 0 : (size_t)(at - text);
}

void id_list_free(id_list *list) {
    for (int64_t i = 0; i < list->count; i++)
        free(list->words[i]);
    free(list->words);
    free(list->places);
}

/* Adds the word in double quotes at `at`, where "" is a quote; returns its end, or NULL. */
static const char *add_quoted(id_list *list, const char *at) {
    char *word = cli_alloc(strlen(at)), *to = word;
    for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        *to++ = *at;
    }
    bool closed = *at == '"' && to > word;
    if (closed)
        id_list_add(list, word, (size_t)(to - word));
    free(word);
    return closed ? at + 1 : NULL;
}

static int store_ids(const option_row *row, const char *text, id_list *list) {
    for (const char *at = text;; at++) {
        const char *end = at;
        if (*at == '"')
            end = add_quoted(list, at);
        else {
            end += id_list_point(at) ? id_list_point(at) : strcspn(at, ",");
            if (end > at)
                id_list_add(list, at, (size_t)(end - at));
        }
        if (!end || end == at || (*end && *end != ','))
            return bad_value(row, text);
        if (!*end)
            return CLI_OK;
        at = end;
    }
}

static int store_knob(const option_row *row, const char *text, char **at) {
    if (!strchr(text, '='))
        return bad_value(row, text);
    char *joined = cli_format("%s%s%s", *at ? *at : "", *at ? "," : "", text);
    free(*at);
    *at = joined;
    return CLI_OK;
}

/* Reads exactly `count` numbers, separated by commas. */
static bool read_numbers(const char *at, int count, double *out) {
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(at, &end);
        if (end == at || !isfinite(out[i]) || *end != (i + 1 < count ? ',' : 0))
            return false;
        at = end + 1;
    }
    return true;
}

static int store_weights(const option_row *row, const char *text, fr_load_options *load) {
    static const choice plain[] = {{"file", FR_WEIGHTS_FILE}, {"none", FR_WEIGHTS_NONE}, {0}};
    for (const choice *c = plain; c->name; c++)
        if (strcmp(text, c->name) == 0) {
            load->weights = (fr_weights)c->value;
            return CLI_OK;
        }
    static const struct {
        const char *form;
        fr_weights kind;
        int numbers;
    } made[] = {{"random:LO,HI", FR_WEIGHTS_RANDOM, 2},
                {"potential:LO,HI,P", FR_WEIGHTS_POTENTIAL, 3},
                {"exponential:MEAN", FR_WEIGHTS_EXPONENTIAL, 1},
                {"lognormal:MEDIAN,SIGMA", FR_WEIGHTS_LOGNORMAL, 2}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        size_t length = strcspn(made[i].form, ":") + 1;
        double number[3] = {0};
        if (strncmp(text, made[i].form, length) != 0)
            continue;
        if (!read_numbers(text + length, made[i].numbers, number))
            return cli_usage("--%s takes %s, not '%s'", row->name, made[i].form, text);
        if (made[i].kind <= FR_WEIGHTS_POTENTIAL && number[0] > number[1])
            return cli_usage("--%s takes LO <= HI, not '%s'", row->name, text);
        load->weights = made[i].kind;
        load->weight_low = number[0];
        load->weight_high = number[1];
        load->potential_max = number[2];
        return CLI_OK;
    }
    return cli_usage("--%s takes file, none, random:LO,HI, potential:LO,HI,P, exponential:MEAN or "
                     "lognormal:MEDIAN,SIGMA, not '%s'",
                     row->name, text);
}

static int store_text(const option_row *row, const char *text, const char **at) {
    if (!*text)
        return cli_usage("--%s takes %s, not an empty string", row->name, row->argument);
    *at = text;
    return CLI_OK;
}

static int store(const option_row *row, const char *text, settings *s) {
    void *at = (char *)s + row->offset;
    switch (row->kind) {
    case OPTION_TRUE: *(bool *)at = true; return CLI_OK;
    case OPTION_VALUE: *(int *)at = row->value; return CLI_OK;
    case OPTION_INT:
    case OPTION_INT64:
    case OPTION_DOUBLE: return store_number(row, text, at);
    case OPTION_LIMITS: return store_limits(row, text, s);
    case OPTION_SEED: return store_seed(row, text, at);
    case OPTION_TEXT: return store_text(row, text, at);
    case OPTION_BYTES: return store_bytes(row, text, at);
    case OPTION_CHOICE: return store_choice(row, text, at);
    case OPTION_IDS: return store_ids(row, text, at);
    case OPTION_KNOB: return store_knob(row, text, at);
    case OPTION_WEIGHTS: return store_weights(row, text, at);
    }
    return CLI_USAGE;
}

/* The options of all groups, as getopt_long needs them. */
typedef struct option_index {
    const option_row *rows[MAX_OPTIONS];
    struct option longs[MAX_OPTIONS + 1];
    char letters[3 * MAX_OPTIONS + 2];
} option_index;

static void index_options(const command *c, option_index *x) {
    int count = 0;
    char *letter = x->letters;
    const option_row *row;
    *letter++ = ':'; /* distinguishes a missing argument from an unknown option */
    for (const option_group *g = c->groups; g->title; g++)
        for (const char *at = g->options; (row = option_next(c, &at));) {
            x->rows[count] = row;
            x->longs[count] = (struct option){
                row->name, row->argument ? required_argument : no_argument, NULL, 256 + count};
            count++;
            if (row->letter) {
                *letter++ = row->letter;
                if (row->argument)
                    *letter++ = ':';
            }
        }
    *letter = 0;
    x->rows[count] = NULL;
    x->longs[count] = (struct option){0};
}

static const option_row *find_row(const option_index *x, int key) {
    if (key >= 256)
        return x->rows[key - 256];
    for (int i = 0; x->rows[i]; i++)
        if (x->rows[i]->letter == key)
            return x->rows[i];
    return NULL;
}

static void count_arguments(const command *c, int *min, int *max) {
    *min = *max = 0;
    for (const char *at = c->arguments; *at; at += strcspn(at, " "), at += *at == ' ') {
        *min += *at != '[';
        *max += 1;
    }
    if (strstr(c->arguments, "..."))
        *max = INT_MAX;
    if (c->max_args)
        *max = c->max_args;
}

static int check_arguments(const command *c, const settings *s) {
    int min, max;
    count_arguments(c, &min, &max);
    if (s->help)
        return CLI_OK;
    if (s->arg_count < min) {
        const char *name = c->arguments;
        for (int i = 0; i < s->arg_count; i++)
            name += strcspn(name, " ") + 1;
        return cli_usage("%.*s is missing", (int)strcspn(name, " "), name);
    }
    if (s->arg_count > max)
        return cli_usage("unexpected argument '%s'", s->args[max]);
    for (int i = 0; i < s->arg_count; i++)
        if (!*s->args[i])
            return cli_usage("an argument is empty; expected %s", c->arguments);
    return CLI_OK;
}

/* The options that the abbreviated word may mean, or NULL if fewer than two. */
static char *meanings(const option_index *x, const char *word) {
    size_t length = strcspn(word, "=");
    int count = 0;
    char *names = cli_format("%s", "");
    for (int i = 0; x->rows[i]; i++)
        if (strncmp(x->rows[i]->name, word, length) == 0) {
            char *longer = cli_format("%s%s--%s", names, count++ ? ", " : "", x->rows[i]->name);
            free(names);
            names = longer;
        }
    if (count > 1)
        return names;
    free(names);
    return NULL;
}

static const char *option_name_at(const void *rows, int i) {
    const option_row *row = ((const option_row *const *)rows)[i];
    return row ? row->name : NULL;
}

static int unknown_option(const option_index *x, const char *word) {
    suggestion near = {""};
    if (word[1] == '-') {
        char *name = cli_format("%.*s", (int)strcspn(word + 2, "="), word + 2);
        near = did_you_mean(name, option_name_at, x->rows, "--");
        free(name);
    }
    return cli_usage("unknown option '%s'%s", word, near.text);
}

/* getopt_long refuses a word for one of four reasons. */
static int complain(const option_index *x, int key, char **argv) {
    const char *word = argv[optind - 1];
    char letter[] = {'-', (char)optopt, 0};
    if (optopt && optopt < 256 && strncmp(word, "--", 2) != 0)
        word = letter;
    if (key == ':')
        return cli_usage("option '%s' needs an argument", word);
    if (optopt >= 256)
        return cli_usage("option '--%s' takes no value, as in '%s'", x->rows[optopt - 256]->name,
                         word);
    char *names = word != letter && word[1] == '-' ? meanings(x, word + 2) : NULL;
    int code =
        names ? cli_usage("option '%s' is ambiguous: %s", word, names) : unknown_option(x, word);
    free(names);
    return code;
}

int options_parse(const command *c, int argc, char **argv, settings *s) {
    *s = (settings){
        .command = c, .problem = c->fixed, .repeat = 1, .max_level = -1, .max_distance = -1};
    option_index x = {0};
    index_options(c, &x);
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, x.letters, x.longs, NULL)) != -1;) {
        const option_row *row = key == '?' || key == ':' ? NULL : find_row(&x, key);
        int code = row ? store(row, optarg, s) : complain(&x, key, argv);
        if (code)
            return code;
    }
    s->args = argv + optind;
    s->arg_count = argc - optind;
    if (s->simple)
        s->load.drop_loops = s->load.drop_parallel = true;
    return check_arguments(c, s);
}

void settings_free(settings *s) {
    id_list_free(&s->sources);
    id_list_free(&s->targets);
    free(s->knobs);
}
