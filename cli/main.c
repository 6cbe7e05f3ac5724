/* fringe: the command. Finds the subcommand in the table, reads its options, runs it. */
#include "cli.h"
#include "progress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *running = "";

int cli_fail(fr_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    progress_clear();
    fflush(stdout); /* where both go to one place, in order */
    fputs("fringe: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return status == FR_CANCELLED ? progress_exit_code() : fr_status_exit_code(status);
}

int cli_fail_ctx(const fr_ctx *ctx, fr_status status) {
    const char *message = ctx ? fr_ctx_message(ctx) : "";
    return cli_fail(status, "%s", *message ? message : fr_status_text(status));
}

int cli_usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *space = *running ? " " : "";
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "fringe%s%s: ", space, running);
    vfprintf(stderr, format, args);
    fprintf(stderr, "; see 'fringe%s%s --help'\n", space, running);
    va_end(args);
    return CLI_USAGE;
}

static void *check(void *block) {
    if (!block)
        exit(cli_fail(FR_NOMEM, "not enough memory"));
    return block;
}

void *cli_alloc(size_t bytes) { return check(calloc(1, bytes ? bytes : 1)); }
void *cli_realloc(void *block, size_t bytes) { return check(realloc(block, bytes)); }

char *cli_format(const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    return check(text);
}

const command *command_find(const char *name, const char *next) {
    const command *found = NULL;
    size_t length = strlen(name);
    for (const command *c = commands; c->name; c++) {
        const char *rest = c->name + length;
        if (strncmp(c->name, name, length) != 0)
            continue;
        if (*rest == ' ' && next && strcmp(rest + 1, next) == 0)
            return c;
        if (!*rest)
            found = c;
    }
    return found;
}

static int run(const command *c, int argc, char **argv) {
    running = c->name;
    settings s;
    int code = options_parse(c, argc, argv, &s);
    if (!code && s.help)
        help_print(c, stdout);
    else if (!code)
        code = c->run(&s);
    settings_free(&s);
    return code;
}

/* Output that never reached its file (a full disk behind `>`) is a failure too. */
static int finish(int code) {
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && code == CLI_OK)
        return cli_fail(FR_DISK, "standard output: %m");
    return code;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        help_print_all(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        help_print_all(stdout);
        return finish(CLI_OK);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("fringe %s\n", fr_version());
        return finish(CLI_OK);
    }
    const command *c = command_find(name, argv[2]);
    if (!c)
        return cli_usage("there is no command '%s'", name);
    int words = strchr(c->name, ' ') ? 2 : 1;
    progress_catch_signals();
    return finish(run(c, argc - words, argv + words));
}
