#include "suggest.h"

#include "fringe_tune.h"
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Names in other programs, or of a neighboring command. A row counts where `known` is a name. */
static const struct {
    const char *word, *known, *shown; /* shown: NULL: known */
} others[] = {
    {"shortest", "sssp", NULL},
    {"shortest-path", "path", NULL},
    {"shortest-paths", "sssp", NULL},
    {"dijkstra", "sssp", NULL},
    {"distance", "sssp", NULL},
    {"distances", "apsp", NULL},
    {"all-pairs", "apsp", NULL},
    {"matrix", "apsp", NULL},
    {"route", "path", NULL},
    {"search", "bfs", NULL},
    {"levels", "bfs", NULL},
    {"stats", "info", NULL},
    {"generate", "gen", NULL},
    {"compare", "bench compare", NULL},
    {"roofline", "bench roofline", NULL},
    {"strategies", "list", "list strategies"},
    {"formats", "list", "list formats"},
    {"generators", "list", "list generators"},
    {"version", "help", "--version"},
    {"max-distance", "max-level", NULL},
    {"depth", "max-level", NULL},
    {"max-depth", "max-level", NULL},
    {"max-level", "max-distance", NULL},
    {"cutoff", "max-distance", NULL},
    {"max-gpu-memory", "max-gpu-mem", NULL},
    {"root", "source", NULL},
    {"start", "source", NULL},
    {"from", "source", NULL},
    {"to", "target", NULL},
    {"source", "sources-list", NULL},
    {"destination", "target", NULL},
    {"jobs", "threads", NULL},
    {"cores", "threads", NULL},
    {"memory", "max-memory", NULL},
    {"gpu", "backend", "backend cuda"},
    {"cuda", "backend", "backend cuda"},
    {"cpu", "backend", "backend cpu"},
    {"gpu", "cuda", NULL},
    {"algorithm", "strategy", NULL},
    {"delimiter", "separator", NULL},
    {"check", "verify", NULL},
    {"unweighted", "weights", "weights none"},
    {"delta-stepping", "delta-step", NULL},
    {"random", "uniform", NULL},
    {"erdos-renyi", "uniform", NULL},
    {"graph500", "kronecker", NULL},
    {"matrix-market", "mtx", NULL},
    {"dimacs", "gr", NULL},
    {"csv", "snap", NULL},
    {"tsv", "snap", NULL},
};

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

static bool has_name(name_at known, const void *list, const char *name) {
    for (int i = 0; known(list, i); i++)
        if (strcmp(known(list, i), name) == 0)
            return true;
    return false;
}

/* NULL: none. A word of few letters must have more of them right. */
static const char *nearest(const char *word, name_at known, const void *list) {
    const char *found = NULL;
    int fewest = least(MAX_EDITS, ((int)strlen(word) - 1) / 2) + 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(others[i].word, word) == 0 && has_name(known, list, others[i].known))
            return others[i].shown ? others[i].shown : others[i].known;
    for (int i = 0; known(list, i); i++) {
        const int distance = edits(word, known(list, i));
        if (distance < fewest) {
            fewest = distance;
            found = known(list, i);
        }
    }
    return found;
}

suggestion did_you_mean(const char *word, name_at known, const void *list, const char *prefix) {
    suggestion s = {""};
    const char *name = nearest(word, known, list);
    if (name)
        snprintf(s.text, sizeof s.text, " (did you mean '%s%s'?)",
                 strncmp(name, "--", 2) == 0 ? "" : prefix, name);
    return s;
}
