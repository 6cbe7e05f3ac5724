/* Prints --help and the manual pages from the tables of commands.c. */
#include "suggest.h"
#include "cli/cli.h"
#include "cli/io/progress.h"

#include <stdlib.h>
#include <string.h>

/* The column in which the text of an option begins; smaller on a narrow screen. */
static int text_column(FILE *out) { return screen_width(out) < 70 ? 16 : 30; }

static const char about_fringe[] =
    "fringe finds breadth-first levels, shortest paths and all-pairs distances in graphs of "
    "millions to billions of edges. The default strategy, auto, chooses another by properties of "
    "the graph; --explain prints the reason. --verify checks an answer.";

/* Prints `text` wrapped, from column `at` on; every line but the first is indented. */
static void wrap(FILE *out, const char *text, int at, int indent) {
    int column = at, width = screen_width(out);
    bool line_start = true;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        bool broken = *text == '\n';
        if (broken || (!line_start && column + 1 + length > width)) {
            fprintf(out, "\n%*s", broken ? 0 : indent, "");
            column = indent;
            line_start = true;
        }
        if (length)
            column += fprintf(out, "%s%.*s", line_start ? "" : " ", length, text);
        line_start = line_start && !length;
        text += length + (text[length] == ' ' || broken);
    }
    fputc('\n', out);
}

static void print_row(const option_row *row, FILE *out) {
    int column = row->letter ? fprintf(out, "  -%c, --%s", row->letter, row->name)
                             : fprintf(out, "      --%s", row->name);
    if (row->argument)
        column += fprintf(out, " %s", row->argument);
    int text_at = text_column(out);
    if (column > text_at - 2) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", text_at - column, "");
    wrap(out, row->text, text_at, text_at);
}

void help_print(const command *c, FILE *out) {
    const option_row *row;
    fprintf(out, "Usage: fringe %s%s%s [OPTION]...\n\n", c->name, *c->arguments ? " " : "",
            c->arguments);
    char *head = cli_format("fringe %s: %s.\n\n%s", c->name, c->summary, c->about);
    wrap(out, head, 0, 0);
    free(head);
    for (const option_group *g = c->groups; g->title; g++) {
        fprintf(out, "\n%s:\n", g->title);
        for (const char *at = g->options; (row = option_next(c, &at));)
            print_row(row, out);
    }
    fprintf(out, "\nExample%s:\n", c->examples[1].line ? "s" : "");
    for (const example *e = c->examples; e->line; e++) {
        int indent = 6;
        fprintf(out, "  %s\n%*s", e->line, indent, "");
        wrap(out, e->text, indent, indent);
    }
}

void help_print_all(FILE *out) {
    fputs("Usage: fringe COMMAND [ARGUMENT]... [OPTION]...\n\n", out);
    wrap(out, "Breadth-first search, shortest paths and all-pairs distances on large graphs.", 0,
         0);
    fputs("\nCommands:\n", out);
    for (const command *c = commands; c->name; c++)
        if (!c->hidden) {
            int column = fprintf(out, "  %-15s", c->name);
            wrap(out, c->summary, column, column);
        }
    fputc('\n', out);
    wrap(out,
         "'fringe COMMAND --help' prints the options of a command, with examples. 'fringe "
         "--version' prints the version.\n\n"
         "Exit codes: 0 success, 1 wrong answer or negative cycle, 2 usage, 3 input, 4 resources, "
         "130 interrupted.\n\n"
         "Example:",
         0, 0);
    fputs("  fringe bfs kronecker:scale=16,seed=1 --sources 16 --verify\n", out);
}

/* ---- manual pages: man(7) -------------------------------------------------------------------- */

/* Escapes the special characters of roff; a newline begins a paragraph. */
static void roff(const char *text, FILE *out) {
    bool line_start = true;
    for (; *text; text++) {
        if (*text == '\n') {
            if (text[1] == '\n')
                text++;
            fputs("\n.PP\n", out);
            line_start = true;
            continue;
        }
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        line_start = false;
        switch (*text) {
        case '-': fputs("\\-", out); break;
        case '\\': fputs("\\e", out); break;
        case '\'': fputs("\\(aq", out); break;
        default: fputc(*text, out);
        }
    }
    fputc('\n', out);
}

static void roff_name(const char *name, FILE *out) {
    for (; *name; name++)
        fprintf(out, *name == '-' ? "\\-" : "%c", *name);
}

static void man_section(const char *title, FILE *out) { fprintf(out, ".SH %s\n", title); }

static void man_head(const char *page, const char *summary, FILE *out) {
    fprintf(out, ".TH %s 1 \"\" \"fringe %s\" \"User Commands\"\n", page, fr_version());
    man_section("NAME", out);
    roff_name(page, out);
    fputs(" \\- ", out);
    roff(summary, out);
}

static void man_row(const option_row *row, FILE *out) {
    fputs(".TP\n", out);
    if (row->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", out);
    roff_name(row->name, out);
    fputs("\\fR", out);
    if (row->argument)
        fprintf(out, " \\fI%s\\fR", row->argument);
    fputc('\n', out);
    roff(row->text, out);
}

static void man_exit(FILE *out) {
    static const char *const rows[][2] = {
        {"0", "success"},
        {"1", "the answer is wrong, or a negative cycle was found"},
        {"2", "wrong command line"},
        {"3", "the input is missing or is not a usable graph"},
        {"4", "failure of memory, disk, the GPU or a rank; a GPU is asked for, and this machine "
              "has none that can be used, or this build lacks what would run on it; or a distance "
              "that overflows its type"},
        {"130", "interrupted; no incomplete file is left"}};
    man_section("EXIT STATUS", out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(out, ".TP\n%s\n%s\n", rows[i][0], rows[i][1]);
    man_section("ENVIRONMENT", out);
    fputs(".TP\nNO_COLOR\nif set, output has no colors\n"
          ".TP\nXDG_CACHE_HOME\nthe folder of fringe/tuning.tsv (default ~/.cache)\n",
          out);
}

/* The name of a page has no blanks: "fringe-bench-compare". */
static void page_name(const command *c, char *out, size_t capacity) {
    snprintf(out, capacity, "fringe-%s", c->name);
    for (; *out; out++)
        if (*out == ' ')
            *out = '-';
}

static const command *find_page(const char *name) {
    char page[64];
    for (const command *c = commands; c->name; c++) {
        page_name(c, page, sizeof page);
        if (strcmp(page + strlen("fringe-"), name) == 0)
            return c;
    }
    return NULL;
}

static void man_command(const command *c, FILE *out) {
    const option_row *row;
    char page[64];
    page_name(c, page, sizeof page);
    man_head(page, c->summary, out);
    man_section("SYNOPSIS", out);
    fprintf(out, ".B fringe %s\n", c->name);
    if (*c->arguments)
        fprintf(out, ".I %s\n", c->arguments);
    fputs("[\\fIOPTION\\fR]...\n", out);
    man_section("DESCRIPTION", out);
    roff(c->about, out);
    man_section("OPTIONS", out);
    for (const option_group *g = c->groups; g->title; g++) {
        fprintf(out, ".SS %s\n", g->title);
        for (const char *at = g->options; (row = option_next(c, &at));)
            man_row(row, out);
    }
    man_exit(out);
    man_section("EXAMPLES", out);
    for (const example *e = c->examples; e->line; e++) {
        if (e != c->examples)
            fputs(".PP\n", out);
        roff(e->text, out);
        fputs(".PP\n.RS\n.nf\n", out);
        roff(e->line, out);
        fputs(".fi\n.RE\n", out);
    }
    man_section("SEE ALSO", out);
    fputs(".BR fringe (1)\n", out);
}

static void man_top(FILE *out) {
    man_head("fringe", "breadth-first search, shortest paths and all-pairs distances", out);
    man_section("SYNOPSIS", out);
    fputs(".B fringe\n.I COMMAND\n[\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...\n", out);
    man_section("DESCRIPTION", out);
    roff(about_fringe, out);
    man_section("COMMANDS", out);
    for (const command *c = commands; c->name; c++) {
        if (c->hidden)
            continue;
        char page[64];
        page_name(c, page, sizeof page);
        fputs(".TP\n.BR ", out);
        roff_name(page, out);
        fputs(" (1)\n", out);
        roff(c->summary, out);
    }
    man_exit(out);
}

void help_print_man(const char *name, FILE *out) {
    const command *c = find_page(name);
    if (c)
        man_command(c, out);
    else
        man_top(out);
}

static int help_command(const char *name, const char *next) {
    const command *c = command_find(name, next);
    if (!c)
        return cli_usage("unknown command '%s'%s", name,
                         did_you_mean(name, command_name_at, NULL, "").text);
    if (next && !strchr(c->name, ' '))
        return cli_usage("unknown command '%s %s'", name, next);
    help_print(c, stdout);
    return CLI_OK;
}

int cmd_help(const settings *s) {
    if (s->man)
        help_print_man(s->man, stdout);
    else if (s->completion)
        completion_print((shell)s->completion, stdout);
    else if (!s->arg_count)
        help_print_all(stdout);
    else
        return help_command(s->args[0], s->args[1]);
    return CLI_OK;
}
