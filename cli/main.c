/* The fringe command: finds the subcommand in the table, parses its options, runs it. */
#include "cli.h"
#include "outcome.h"
#include "cli/io/progress.h"
#include "cli/ranks/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *running = "";

/* Prints a failure on stderr, after all earlier output, and records it for --json. */
static void print_failure(fr_status status, const char *head, const char *tail, const char *format,
                          va_list args) {
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    const char *message = text ? text : fr_status_message(status);
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "%s: %s%s\n", head, message, tail);
    outcome_failure(status, message);
    free(text);
}

int cli_fail(fr_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_failure(status, "fringe", "", format, args);
    va_end(args);
    return status == FR_CANCELLED ? progress_exit_code() : cli_exit_code(status);
}

int cli_fail_ctx(const fr_ctx *ctx, fr_status status) {
    static const char cancelled[] = "cancelled while ";
    const char *message = ctx ? fr_ctx_error(ctx) : "";
    if (status != FR_CANCELLED || !progress_stopped())
        return cli_fail(status, "%s", *message ? message : fr_status_message(status));
    if (strncmp(message, cancelled, sizeof cancelled - 1) != 0)
        return cli_fail(status, "interrupted");
    return cli_fail(status, "interrupted while %s", message + sizeof cancelled - 1);
}

int cli_usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *space = *running ? " " : "";
    char head[64], tail[96];
    snprintf(head, sizeof head, "fringe%s%s", space, running);
    snprintf(tail, sizeof tail, "; see 'fringe%s%s --help'", space, running);
    print_failure(FR_INVALID, head, tail, format, args);
    va_end(args);
    return CLI_USAGE;
}

static bool ended; /* the outcome has been printed */

/* Output that cannot be written (`>` to a full disk) is a failure too. */
static int finish(int code) {
    ended = true;
    outcome_print(code);
    errno = 0;
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && !errno) /* an earlier write failed: one more has its reason */
        (void)!write(STDOUT_FILENO, "\n", 1);
    if (lost && code == CLI_OK)
        return cli_fail(FR_DISK, "standard output: %s",
                        errno ? strerror(errno) : "a part could not be written");
    return code;
}

void cli_exit(int code) { exit(finish(code)); }

/* An OpenMP runtime that cannot start its threads calls exit(1), but 1 is the exit code of a wrong
 * answer. */
static void on_exit_of_others(void) {
    if (!ended)
        _exit(finish(cli_fail(FR_NOMEM, "the OpenMP runtime exited: not enough memory or threads; "
                                        "reduce --threads or OMP_STACKSIZE, or raise the limits "
                                        "(ulimit -v, ulimit -u)")));
}

void cli_no_memory(void) { cli_exit(cli_fail(FR_NOMEM, "out of memory")); }

static void *check(void *block) {
    if (!block)
        cli_no_memory();
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
    outcome_command(c->name);
    int code = options_parse(c, argc, argv, &s);
    if (!code)
        outcome_json(s.json);
    if (!code && s.help)
        help_print(c, stdout);
    else if (!code)
        code = ranks_refuse_copies(&s);
    if (!code && !s.help)
        code = c->run(&s);
    settings_free(&s);
    return code;
}

/* Whether --json, or an abbreviation that getopt_long accepts, is on the command line. Checked before
 * parsing, because a wrong command line has its JSON object too. */
static bool asks_for_json(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strlen(argv[i]) > 2 && strncmp(argv[i], "--json", strlen(argv[i])) == 0)
            return true;
    return false;
}

/* A closed standard stream (`>&-`) must not become the number of a file that is opened later, which would
 * then hold what is printed. The null device, opened the other way round, fails as a closed stream does. */
static void reserve_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv) {
    reserve_streams();
    atexit(on_exit_of_others);
    if (argc < 2) {
        help_print_all(stderr);
        return finish(CLI_USAGE);
    }
    const char *name = argv[1];
    outcome_json(asks_for_json(argc, argv));
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
        return finish(cli_usage("unknown command '%s'", name));
    int words = strchr(c->name, ' ') ? 2 : 1;
    progress_catch_signals();
    return finish(run(c, argc - words, argv + words));
}
