#include "suggest.h"

#include "fringe_tune.h"
#include "cli/bench/suite.h"
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Names in other programs, or of a neighboring command, divided by blanks. A row counts where `known` is a name. */
static const struct {
    const char *known, *words, *shown; /* shown: NULL: known */
} others[] = {{"sssp", "shortest shortest-paths dijkstra distance"},
              {"apsp", "distances all-pairs matrix"},
              {"bfs", "search levels"},
              {"path", "shortest-path route"},
              {"info", "stats"},
              {"gen", "generate"},
              {"bench compare", "compare"},
              {"bench roofline", "roofline"},
              {"list", "strategies", "list strategies"},
              {"list", "formats", "list formats"},
              {"list", "generators", "list generators"},
              {"help", "version", "--version"},
              {"max-level", "max-distance depth max-depth cutoff"},
              {"max-distance", "max-level cutoff"},
              {"max-gpu-mem", "max-gpu-memory"},
              {"max-memory", "memory"},
              {"source", "root start from sources-list"},
              {"target", "to destination"},
              {"threads", "jobs cores"},
              {"backend", "gpu cuda", "backend cuda"},
              {"backend", "cpu", "backend cpu"},
              {"cuda", "gpu"},
              {"strategy", "algorithm"},
              {"separator", "delimiter"},
              {"verify", "check"},
              {"weights", "unweighted", "weights none"},
              {"delta-step", "delta-stepping"},
              {"uniform", "random erdos-renyi"},
              {"kronecker", "graph500"},
              {"mtx", "matrix-market"},
              {"gr", "dimacs"},
              {"snap", "csv tsv"},
              {"strategies", "strategy algorithms knobs"},
              {"devices", "gpu gpus cuda"}};

enum { MAX_LETTERS = 31, MAX_EDITS = 2 };

const char *command_name_at(const void *unused, int i) {
    (void)unused;
    return commands[i].hidden ? "" : commands[i].name;
}

const char *strategy_name_at(const void *unused, int i) {
    (void)unused;
    fr_strategy_info info = {0};
    if (!fr_strategy_get(i / 2, &info))
        return NULL;
    return i % 2 == 0 ? info.name : info.alias ? info.alias : "";
}

const char *format_name_at(const void *unused, int i) {
    (void)unused;
    return fr_format_name(i);
}

const char *generator_name_at(const void *unused, int i) {
    (void)unused;
    return fr_generator_name(i);
}

const char *choice_name_at(const void *choices, int i) { return ((const choice *)choices)[i].name; }

static int least(int a, int b) { return a < b ? a : b; }

/* The letters to insert, to leave out, to replace or to exchange with the next one. */
static int edits(const char *a, const char *b) {
    const int rows = (int)strlen(a), columns = (int)strlen(b);
    int d[MAX_LETTERS + 1][MAX_LETTERS + 1];
    if (rows > MAX_LETTERS || columns > MAX_LETTERS)
        return MAX_LETTERS;
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            d[i][j] = least(d[i - 1][j - 1] + (x != y), 1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[rows][columns];
}

bool has_word(const char *words, const char *divider, const char *word) {
    const size_t length = strlen(word);
    for (size_t here; *words; words += here + (words[here] != 0)) {
        here = strcspn(words, divider);
        if (here == length && strncasecmp(words, word, length) == 0)
            return true;
    }
    return false;
}

static bool has_name(name_at known, const void *list, const char *name) {
    for (int i = 0; known(list, i); i++)
        if (strcmp(known(list, i), name) == 0)
            return true;
    return false;
}

/* The name for which other programs, or other commands, have this word; NULL: none. */
static const char *other_name(const char *word, name_at known, const void *list) {
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_word(others[i].words, " ", word) && has_name(known, list, others[i].known))
            return others[i].shown ? others[i].shown : others[i].known;
    return NULL;
}

/* NULL: none. A word of few letters must have more of them right. */
static const char *nearest(const char *word, name_at known, const void *list) {
    const char *found = NULL;
    int fewest = least(MAX_EDITS, ((int)strlen(word) - 1) / 2) + 1;
    for (int i = 0; known(list, i); i++) {
        const int distance = edits(word, known(list, i));
        if (*known(list, i) && distance < fewest) {
            fewest = distance;
            found = known(list, i);
        }
    }
    return found;
}

/* The kinds of names, and where one belongs. */
static const struct {
    name_at known;
    const char *kind, *place;
    bool ends_with_name;
} kinds[] = {{generator_name_at, "a generator", "fringe list generators", false},
             {strategy_name_at, "a strategy", "fringe list strategies", false},
             {format_name_at, "a format", "fringe list formats", false},
             {command_name_at, "a command", "fringe help ", true},
             {suite_name_at, "a suite", "fringe bench --suite ", true},
             {any_option_name_at, "an option", "--", true}};

static bool has_option(const command *c, const char *option) {
    for (const option_group *g = c->groups; g->title; g++)
        if (has_word(g->options, " ", option))
            return true;
    return false;
}

/* The commands whose option it is: two of them, or all if these are no more. */
static suggestion of_other_command(const char *option) {
    suggestion s = {""};
    int count = 0, length = 0;
    for (const command *c = commands; c->name && count < 3; c++) {
        if (c->hidden || !has_option(c, option))
            continue;
        const char *between = count == 0 ? " (an option of " : count == 1 ? ", " : ", and others";
        length += snprintf(s.text + length, sizeof s.text - (size_t)length, "%s%.24s", between,
                           count < 2 ? c->name : "");
        count++;
    }
    if (count)
        snprintf(s.text + length, sizeof s.text - (size_t)length, ")");
    return s;
}

/* What a name is that stands where another kind is expected. */
static suggestion of_other_kind(const char *word, const char *prefix) {
    const bool is_option = strcmp(prefix, "--") == 0;
    suggestion s = is_option ? of_other_command(word) : (suggestion){""};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !s.text[0]; i++) {
        const name_at known = kinds[i].known;
        const char *name = has_name(known, NULL, word) ? word : other_name(word, known, NULL);
        if (name && *name && !(is_option && known == any_option_name_at))
            snprintf(s.text, sizeof s.text, " (%.31s is %s: '%s%.31s')", name, kinds[i].kind,
                     kinds[i].place, kinds[i].ends_with_name ? name : "");
    }
    return s;
}

suggestion did_you_mean(const char *word, name_at known, const void *list, const char *prefix) {
    suggestion s = {""};
    const char *name = other_name(word, known, list);
    if (!name)
        name = nearest(word, known, list);
    if (!name)
        return of_other_kind(word, prefix);
    snprintf(s.text, sizeof s.text, " (did you mean '%s%s'?)",
             strncmp(name, "--", 2) == 0 ? "" : prefix, name);
    return s;
}
