/* Prints the completion for bash, zsh and fish from the tables of commands.c. */
#include "fringe_tune.h"
#include "cli/cli.h"

#include <string.h>

/* ---- words, which all shells share ------------------------------------------------------------- */

/* Whether the command solves the problem. Commands without a fixed problem solve BFS and SSSP. */
static bool solves(const command *c, fr_problem problem) {
    return c->fixed ? c->fixed == 1 + (int)problem : problem != FR_PROBLEM_APSP;
}

static bool named_before(const command *c, int index, const char *name) {
    fr_strategy_info info = {0};
    for (int i = 0; i < index && fr_strategy_get(i, &info); i++)
        if (solves(c, info.problem) && strcmp(info.name, name) == 0)
            return true;
    return false;
}

/* Prints the strategies of the problems of the command, each once. */
static void print_strategies(const command *c, FILE *out) {
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++)
        if (solves(c, info.problem) && !named_before(c, i, info.name))
            fprintf(out, info.alias ? " %s %s" : " %s", info.name, info.alias);
}

static void print_formats(bool writable, FILE *out) {
    for (int i = 0; fr_format_name(i); i++)
        if (!writable || fr_format_writable(i))
            fprintf(out, " %s", fr_format_name(i));
}

/* The words, with a blank between them, that may follow an option; none where any text or file may. */
static void print_values(const command *c, const option_row *row, FILE *out) {
    if (strchr(row->argument, '|'))
        for (const char *p = row->argument; *p; p++)
            fputc(*p == '|' ? ' ' : *p, out);
    else if (strncmp(row->name, "strateg", 7) == 0)
        print_strategies(c, out);
    else if (strstr(row->name, "format"))
        print_formats(strcmp(row->name, "format") == 0, out);
}

/* The same for the arguments of the command. */
static void print_arguments(const command *c, FILE *out) {
    if (*c->arguments == '[' && strchr(c->arguments, '|')) /* a choice of words */
        for (const char *p = c->arguments + 1; *p && *p != ']'; p++)
            fputc(*p == '|' ? ' ' : *p, out);
}

/* The begin of a text, up to a semicolon or bracket, without the characters that the shell reads. */
static void print_brief(const char *text, const char *left_out, FILE *out) {
    size_t length = strcspn(text, ";(");
    length -= length && text[length - 1] == ' ';
    for (size_t i = 0; i < length && text[i] != '\n'; i++)
        if (!strchr(left_out, text[i]))
            fputc(text[i], out);
}

/* "bench compare": the first word, and the second in *second; of a command of one word NULL. */
static int first_word(const command *c, const char **second) {
    const char *blank = strchr(c->name, ' ');
    *second = blank ? blank + 1 : NULL;
    return (int)(blank ? (size_t)(blank - c->name) : strlen(c->name));
}

/* ---- bash -------------------------------------------------------------------------------------- */

/* Sets the words that may follow an option; none where the argument is a file name. */
static void complete_value(const command *c, const option_row *row, FILE *out) {
    fprintf(out, "        --%s", row->name);
    if (row->letter)
        fprintf(out, "|-%c", row->letter);
    fputs(") words=\"", out);
    print_values(c, row, out);
    fputs("\" ;;\n", out);
}

static void complete_command(const command *c, FILE *out) {
    const option_row *row;
    fprintf(out, "    '%s')\n      case $prev in\n", c->name);
    for (const option_group *g = c->groups; g->title; g++)
        for (const char *at = g->options; (row = option_next(c, &at));)
            if (row->argument)
                complete_value(c, row, out);
    fputs("        *) arguments=\"", out);
    print_arguments(c, out);
    fputs("\" options=\"", out);
    for (const option_group *g = c->groups; g->title; g++)
        for (const char *at = g->options; (row = option_next(c, &at));)
            fprintf(out, " --%s", row->name);
    fputs("\" ;;\n      esac ;;\n", out);
}

/* For "bench compare": the second word is either completed or selects the command. */
static void complete_second_word(const command *c, FILE *out) {
    const char *second = strchr(c->name, ' ');
    if (second)
        fprintf(out,
                "  if [ \"$command\" = '%.*s' ]; then\n"
                "    if [ \"$COMP_CWORD\" -eq 2 ]; then second=\"$second%s\"\n"
                "    elif [ \"${COMP_WORDS[2]}\" = '%s' ]; then command='%s'; fi\n  fi\n",
                (int)(second - c->name), c->name, second, second + 1, c->name);
}

static void print_bash(FILE *out) {
    fputs("# bash completion for fringe, printed by 'fringe help --completion bash'\n"
          "_fringe() {\n"
          "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  local words=\"\" options=\"\" arguments=\"\" second=\"\"\n"
          "  COMPREPLY=()\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"",
          out);
    for (const command *c = commands; c->name; c++)
        if (!strchr(c->name, ' '))
            fprintf(out, "%s ", c->name);
    fputs("--help --version\" -- \"$cur\")\n    return\n  fi\n"
          "  local command=${COMP_WORDS[1]}\n",
          out);
    for (const command *c = commands; c->name; c++)
        complete_second_word(c, out);
    fputs("  case $command in\n", out);
    for (const command *c = commands; c->name; c++)
        complete_command(c, out);
    fputs(
        "  esac\n"
        "  if [ -n \"$words\" ]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
        "  elif [ -n \"$options\" ] && [[ $cur == -* ]]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
        "  elif [ -n \"$arguments\" ]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$arguments\" -- \"$cur\")\n"
        "  else\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$second\" -- \"$cur\"; compgen -f -- \"$cur\")\n"
        "    compopt -o filenames 2>/dev/null\n"
        "  fi\n}\n"
        "complete -F _fringe fringe\n",
        out);
}

/* ---- zsh --------------------------------------------------------------------------------------- */

static bool takes_file(const option_row *row) {
    return strcmp(row->argument, "FILE") == 0 || strcmp(row->argument, "DIR") == 0 ||
           strcmp(row->argument, "OUT") == 0;
}

/* '(-s --source)'{-s,--source}'[text]:ID:(words)' */
static void zsh_option(const command *c, const option_row *row, FILE *out) {
    if (row->letter)
        fprintf(out, "        '(-%c --%s)'{-%c,--%s}'[", row->letter, row->name, row->letter,
                row->name);
    else
        fprintf(out, "        '--%s[", row->name);
    print_brief(row->text, "'[]", out);
    fputc(']', out);
    if (row->argument && takes_file(row))
        fputs(":file:_files", out);
    else if (row->argument) {
        fputs(":value:(", out);
        print_values(c, row, out);
        fputc(')', out);
    }
    fputs("' \\\n", out);
}

static void zsh_command(const command *c, FILE *out) {
    const option_row *row;
    fprintf(out, "    '%s')\n      _arguments -S \\\n", c->name);
    for (const option_group *g = c->groups; g->title; g++)
        for (const char *at = g->options; (row = option_next(c, &at));)
            zsh_option(c, row, out);
    if (*c->arguments == '[' && strchr(c->arguments, '|')) {
        fputs("        '*:argument:(", out);
        print_arguments(c, out);
        fputs(")' ;;\n", out);
    } else
        fputs("        '*:file:_files' ;;\n", out);
}

static void print_zsh(FILE *out) {
    const char *second;
    fputs(
        "#compdef fringe\n# zsh completion for fringe, printed by 'fringe help --completion zsh'\n"
        "_fringe() {\n  local command=$words[2]\n  local -a names\n"
        "  if (( CURRENT == 2 )); then\n    names=(\n",
        out);
    for (const command *c = commands; c->name; c++) {
        if (c->hidden || strchr(c->name, ' '))
            continue;
        fprintf(out, "      '%s:", c->name);
        print_brief(c->summary, "':", out);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe command names\n    return\n  fi\n", out);
    for (const command *c = commands; c->name; c++) {
        const int length = first_word(c, &second);
        if (second)
            fprintf(
                out,
                "  if [[ $command = '%.*s' ]]; then\n    if (( CURRENT == 3 )); then compadd %s\n"
                "    elif [[ $words[3] = '%s' ]]; then command='%s'; shift words; (( CURRENT-- ))"
                "; fi\n  fi\n",
                length, c->name, second, second, c->name);
    }
    fputs("  shift words; (( CURRENT-- ))\n  case $command in\n", out);
    for (const command *c = commands; c->name; c++)
        zsh_command(c, out);
    fputs("  esac\n}\n"
          "if [ \"$funcstack[1]\" = _fringe ]; then _fringe \"$@\"; else compdef _fringe fringe; "
          "fi\n",
          out);
}

/* ---- fish -------------------------------------------------------------------------------------- */

/* The condition under which the command is the one that is typed. */
static void fish_condition(const command *c, FILE *out) {
    const char *second;
    const int length = first_word(c, &second);
    fprintf(out, "complete -c fringe -n '__fish_seen_subcommand_from %.*s", length, c->name);
    if (second)
        fprintf(out, "; and __fish_seen_subcommand_from %s", second);
    for (const command *other = commands; other->name && !second; other++) {
        const char *its;
        if (first_word(other, &its) == length && its &&
            strncmp(other->name, c->name, (size_t)length) == 0)
            fprintf(out, "; and not __fish_seen_subcommand_from %s", its);
    }
    fputc('\'', out);
}

static void fish_option(const command *c, const option_row *row, FILE *out) {
    fish_condition(c, out);
    fprintf(out, " -l %s", row->name);
    if (row->letter)
        fprintf(out, " -s %c", row->letter);
    if (row->argument && takes_file(row))
        fputs(" -r -F", out);
    else if (row->argument) {
        fputs(" -x -a '", out);
        print_values(c, row, out);
        fputc('\'', out);
    }
    fputs(" -d '", out);
    print_brief(row->text, "'\\", out);
    fputs("'\n", out);
}

static void print_fish(FILE *out) {
    const char *second;
    const option_row *row;
    fputs("# fish completion for fringe, printed by 'fringe help --completion fish'\n", out);
    for (const command *c = commands; c->name; c++) {
        const int length = first_word(c, &second);
        if (c->hidden)
            continue;
        if (second)
            fprintf(out, "complete -c fringe -n '__fish_seen_subcommand_from %.*s' -a %s -d '",
                    length, c->name, second);
        else
            fprintf(out, "complete -c fringe -f -n __fish_use_subcommand -a %s -d '", c->name);
        print_brief(c->summary, "'\\", out);
        fputs("'\n", out);
    }
    for (const command *c = commands; c->name; c++) {
        for (const option_group *g = c->groups; g->title; g++)
            for (const char *at = g->options; (row = option_next(c, &at));)
                fish_option(c, row, out);
        if (*c->arguments == '[' && strchr(c->arguments, '|')) {
            fish_condition(c, out);
            fputs(" -f -a '", out);
            print_arguments(c, out);
            fputs("'\n", out);
        }
    }
}

void completion_print(shell which, FILE *out) {
    static void (*const print[])(FILE * out) = {
        [SHELL_BASH] = print_bash, [SHELL_ZSH] = print_zsh, [SHELL_FISH] = print_fish};
    print[which](out);
}
