/* Declarations shared by all files of the command, which includes no header of the library but
 * fringe.h. */
#ifndef CLI_H
#define CLI_H

#include "fringe.h"

#include <stdio.h>

/* ---- failures (failure.c) ------------------------------------------------------------------------
 * A command returns its exit code. A function that detects a failure prints one message, once. */

enum { CLI_OK = 0, CLI_USAGE = 2 };

/* Prints "fringe: SENTENCE" to stderr and returns the exit code of `status`. */
int cli_fail(fr_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A place in a text that the command reads itself; line 0: the whole file. */
typedef struct text_place {
    const char *path;
    int64_t line,
        column; /* from 1, as in messages of the library: columns are characters of UTF-8 */
} text_place;
/* The column of `at` in its line, which begins at `line`. */
int64_t column_in_line(const char *line, const char *at);
/* cli_fail with "path:line:column: " before the sentence. */
int cli_fail_at(fr_status status, text_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A message of the library in the words of the command: options for fields; valid until the next call (wording.c). */
const char *cli_words(const char *message);
/* The same with the message of the context; "interrupted" after Ctrl-C. */
int cli_fail_ctx(const fr_ctx *ctx, fr_status status);
/* Prints "fringe CMD: SENTENCE; see 'fringe CMD --help'" and returns CLI_USAGE. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_mute(void);                 /* from now on only FR_RANK has a message */
int cli_exit_code(fr_status status); /* the exit code of a command that ends with `status` */
/* Prints the outcome; returns `code`, or the code for output that cannot be written. main ends with it. */
int cli_finish(int code);
/* For atexit: ends the process by an exit code if it is not the command that ends it. */
void cli_on_exit(void);
void outcome_command(const char *name); /* the command that runs, "bfs"; it must outlive the run */
void outcome_json(bool wanted);         /* --json is given */
_Noreturn void cli_no_memory(void);     /* exit 4 */
/* calloc and realloc that exit (4) if there is no memory. */
void *cli_alloc(size_t bytes);
void *cli_realloc(void *block, size_t bytes);
char *cli_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- settings: where the option tables store their values ------------------------------------ */

/* Vertices as given: ids, or names if the graph has them. */
typedef struct id_list {
    char **words;
    text_place *places; /* of words from a file */
    int64_t count, capacity;
} id_list;
void id_list_add(id_list *list, const char *word, size_t length);
/* The length of a point '@X,Y' at the beginning of the text: the vertex nearest to it is meant. 0: there is none. */
size_t id_list_point(const char *text);
void id_list_free(id_list *list);

enum { CLI_MAX_BANDS = 16 };

typedef struct settings {
    const struct command *command;
    char **args; /* [arg_count] without options */
    int arg_count;

    fr_load_options load;
    bool simple;
    int threads;
    int64_t max_memory, max_gpu_memory;
    int device;
    const char *devices;

    id_list sources, targets;
    const char *sources_file, *targets_file; /* in place of them */
    int64_t random_sources, repeat, warmup;
    const char *strategy, *strategies;
    char *knobs;
    int backend, dist_type, problem; /* problem: 1 + fr_problem, 0: not given */
    int max_level;                   /* -1: not given */
    double max_distance;             /* -1: not given */
    double bands
        [CLI_MAX_BANDS]; /* several limits of the distance, ascending; the last is max_distance */
    int band_count;      /* 0: one limit, or none */
    int parent_rule;     /* fr_parent_rule */
    int parent_column;   /* apsp: 1 + fr_parent_rule, 0: no parents */
    bool strong;
    int measure; /* MEASURE_... */
    int64_t samples;
    bool normalized, reached_only;
    int64_t first_vertex, vertex_count, checkpoint_every;
    const char *checkpoint;
    int component; /* convert: 0: all, 1 + fr_component_kind: only the largest */
    bool reverse, mark_negative_cycles, verify, explain, counters;
    int64_t verify_rows;
    const char *tuning_cache;
    bool no_tuning_cache;
    int algorithm; /* path: fr_route_algorithm; FR_ROUTE_AUTO: by the options below */
    int landmarks; /* 0: not given */
    int64_t path_count;
    const char *coordinates, *pairs;
    bool routes;                                /* path: also those of the pairs */
    const char *closed_vertices, *closed_edges; /* files */

    const char *suite, *only, *graphs;
    double time_limit;
    const char *report;
    int scale, edge_factor;
    double max_regression, confidence;

    bool ranks;
    double rank_timeout;

    const char *out, *format;
    bool json, quiet, help, stream;
    const char *man;
    int completion; /* a shell */
} settings;

/* The backend of --backend, or a GPU where --devices names some. */
static inline fr_backend settings_backend(const settings *s) {
    return s->devices ? FR_BACKEND_CUDA : (fr_backend)s->backend;
}

/* ---- commands -------------------------------------------------------------------------------- */

typedef enum option_kind {
    OPTION_TRUE,  /* bool, no argument */
    OPTION_VALUE, /* int := value, no argument */
    OPTION_INT,   /* int in [low, high] */
    OPTION_INT64,
    OPTION_DOUBLE,
    OPTION_LIMITS, /* settings.bands and max_distance */
    OPTION_TEXT,
    OPTION_BYTES,   /* int64_t; K, M, G, T */
    OPTION_CHOICE,  /* int out of `choices` */
    OPTION_IDS,     /* id_list; several are appended. A name with commas is in double quotes */
    OPTION_KNOB,    /* char *, joined by commas */
    OPTION_WEIGHTS, /* fr_load_options: file, none, random:LO,HI and others of its table */
    OPTION_SEED     /* uint64_t */
} option_kind;

typedef struct choice {
    const char *name; /* NULL ends */
    int value;
} choice;

/* One option. --help, the manual page and the completion are printed from these. */
typedef struct option_row {
    const char *name;
    char letter; /* 0: none */
    const char *argument;
    const char *text;
    option_kind kind;
    size_t offset; /* in settings */
    int value;
    double low, high;
    const choice *choices;
    const char *
        only; /* the commands, divided by commas, that have this row of the name; NULL: all others */
} option_row;

/* settings.measure */
enum {
    MEASURE_BETWEENNESS,
    MEASURE_CLOSENESS,
    MEASURE_HARMONIC,
    MEASURE_ECCENTRICITY,
    MEASURE_DIAMETER,
    MEASURE_BOTH /* closeness and harmonic */
};
extern const choice measures[]; /* in this order */

typedef struct option_group {
    const char *title, *options; /* names, divided by blanks */
} option_group;

typedef struct example {
    const char *line, *text;
} example;

enum { CLI_MAX_GROUPS = 8, CLI_MAX_EXAMPLES = 4 };

typedef struct command {
    const char *name, *arguments, *summary, *about;
    int (*run)(const settings *s);
    int max_args; /* 0: as `arguments` says; those in brackets may be missing, "..." repeats the last */
    option_group groups[CLI_MAX_GROUPS]; /* ended by a NULL title */
    example examples[CLI_MAX_EXAMPLES];  /* ended by a NULL line */
    bool hidden;
    int fixed; /* initial settings.problem */
} command;

extern const command commands[]; /* ended by a NULL name */
/* Finds a command; `next` may be the second word of a name of two words ("bench compare"). */
const command *command_find(const char *name, const char *next);

/* The first option of the list of names that a group of the command has, which then begins after it; NULL: the list
 * is empty. */
const option_row *option_next(const command *c, const char **names);
int options_parse(const command *c, int argc, char **argv, settings *s);
void settings_free(settings *s);

void help_print(const command *c, FILE *out);
void help_print_all(FILE *out);
void help_print_man(const char *name, FILE *out);
typedef enum shell { SHELL_NONE, SHELL_BASH, SHELL_ZSH, SHELL_FISH } shell;
void completion_print(shell which, FILE *out); /* completion.c; not for SHELL_NONE */

int cmd_traverse(const settings *s);
int cmd_apsp(const settings *s);
int cmd_stream(const settings *s); /* apsp --stream */
int cmd_path(const settings *s);
int cmd_route(const settings *s); /* path with a router's options */
int cmd_components(const settings *s);
int cmd_centrality(const settings *s);
int cmd_cycle(const settings *s);
int cmd_info(const settings *s);
int cmd_convert(const settings *s);
int cmd_gen(const settings *s);
int cmd_verify(const settings *s);
int cmd_list(const settings *s);
int cmd_bench(const settings *s);
int cmd_doctor(const settings *s);
int cmd_compare(const settings *s);
int cmd_roofline(const settings *s);
int cmd_graph500(const settings *s);
int cmd_tune(const settings *s);
int cmd_help(const settings *s);

#endif
