/* Failures of the command: their messages, exit codes and the end of the process; memory that cannot fail. The outcome,
 * which is the one JSON object that --json prints, also after a failure or a wrong command line: a command passes
 * its object to outcome_object(), and it is printed at the end with "status", "exit_code" and, after a failure,
 * "message". A command that prints one line per result (bench) prints one more line after a failure. */
#include "cli.h"
#include "cli/io/json.h"
#include "cli/io/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *command;
    bool wanted; /* --json was given */
    bool failed; /* status and message describe the last failure */
    fr_status status;
    char *message;
    json_t *object; /* the result of the command, or NULL */
} outcome = {.command = ""};

void outcome_command(const char *name) { outcome.command = name; }
void outcome_json(bool wanted) { outcome.wanted = wanted; }

void outcome_object(json_t *object) {
    json_decref(outcome.object);
    outcome.object = object;
}

static void put(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value); /* if memory is short, a member is left out */
}

/* The object of the command, or a new one for an early failure. */
static json_t *whole_object(int code) {
    json_t *o = outcome.object ? outcome.object : json_object();
    fr_status status = outcome.failed ? outcome.status : FR_OK;
    if (!outcome.object)
        put(o, "version", json_string(fr_version()));
    if (!outcome.object && *outcome.command)
        put(o, "command", json_string(outcome.command));
    put(o, "status", json_string(fr_status_name(status)));
    put(o, "exit_code", json_integer(code));
    if (outcome.failed)
        put(o, "message", json_text(outcome.message ? outcome.message : fr_status_message(status)));
    return o;
}

static void print_outcome(int code) {
    if (outcome.object || (outcome.wanted && outcome.failed)) {
        json_t *o = whole_object(code);
        json_dumpf(o, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
        putchar('\n');
        json_decref(o);
    }
    outcome.object = NULL;
    outcome.wanted = false;
    free(outcome.message);
    outcome.message = NULL;
}

/* fringe(1) documents them. */
static const unsigned char codes[] = {
    [FR_OK] = 0,
    /* 1: a wrong answer, or a negative cycle */
    [FR_VERIFY_FAILED] = 1,
    [FR_NEGATIVE_CYCLE] = 1,
    /* 2: wrong usage */
    [FR_INVALID] = 2,
    /* 3: the input cannot be used */
    [FR_NOT_FOUND] = 3,
    [FR_IO] = 3,
    [FR_FORMAT] = 3,
    [FR_UNSUPPORTED] = 3,
    [FR_RANGE] = 3,
    [FR_CHECKSUM] = 3,
    [FR_NEGATIVE_WEIGHT] = 3,
    /* 4: the machine or a number type is too small */
    [FR_OVERFLOW] = 4,
    [FR_NOMEM] = 4,
    [FR_NO_DEVICE] = 4,
    [FR_DEVICE] = 4,
    [FR_DISK] = 4,
    [FR_CANCELLED] = 130,
    [FR_RANK] = 4,
};
_Static_assert(sizeof codes == FR_STATUS_COUNT, "a status has no exit code");

int cli_exit_code(fr_status status) {
    return (unsigned)status < FR_STATUS_COUNT ? codes[status] : 4;
}

static bool muted;

void cli_mute(void) { muted = true; }

/* Prints a failure on stderr, after all earlier output, and records it for --json. */
static void print_failure(fr_status status, const char *head, const char *tail, const char *format,
                          va_list args) {
    char *text = NULL;
    if (muted && status != FR_RANK)
        return;
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    const char *message = text ? text : fr_status_message(status);
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "%s: %s%s\n", head, message, tail);
    free(outcome.message);
    outcome.failed = true;
    outcome.status = status;
    outcome.message = strdup(message); /* NULL: the message of the status is printed */
    free(text);
}

int cli_fail(fr_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_failure(status, "fringe", "", format, args);
    va_end(args);
    return status == FR_CANCELLED ? progress_exit_code() : cli_exit_code(status);
}

int64_t column_in_line(const char *line, const char *at) {
    int64_t column = 1;
    for (; line < at; line++)
        column += (*line & 0xc0) != 0x80; /* one byte of a character does not continue another */
    return column;
}

int cli_fail_at(fr_status status, text_place place, const char *format, ...) {
    char *text = NULL, numbers[48] = "";
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        cli_no_memory();
    va_end(args);
    if (place.line)
        snprintf(numbers, sizeof numbers, ":%lld:%lld", (long long)place.line,
                 (long long)place.column);
    int code = cli_fail(status, "%s%s: %s", place.path, numbers, text);
    free(text);
    return code;
}

int cli_fail_ctx(const fr_ctx *ctx, fr_status status) {
    static const char cancelled[] = "cancelled while ";
    const char *message = ctx ? cli_words(fr_ctx_error(ctx)) : "";
    if (status != FR_CANCELLED || !progress_stopped())
        return cli_fail(status, "%s", *message ? message : fr_status_message(status));
    if (strncmp(message, cancelled, sizeof cancelled - 1) != 0)
        return cli_fail(status, "interrupted");
    return cli_fail(status, "interrupted while %s", message + sizeof cancelled - 1);
}

int cli_usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *name = outcome.command;
    const char *space = *name ? " " : "";
    char head[64], tail[96];
    snprintf(head, sizeof head, "fringe%s%s", space, name);
    snprintf(tail, sizeof tail, "; see 'fringe%s%s --help'", space, name);
    print_failure(FR_INVALID, head, tail, format, args);
    va_end(args);
    return CLI_USAGE;
}

static bool ended; /* the outcome has been printed */

/* Output that cannot be written (`>` to a full disk) is a failure too. */
int cli_finish(int code) {
    ended = true;
    print_outcome(code);
    errno = 0;
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && !errno) /* an earlier write failed: one more has its reason */
        (void)!write(STDOUT_FILENO, "\n", 1);
    if (lost && code == CLI_OK)
        return cli_fail(FR_DISK, "standard output: %s",
                        errno ? strerror(errno) : "a part could not be written");
    return code;
}

/* An OpenMP runtime that cannot start its threads calls exit(1), but 1 is the exit code of a wrong
 * answer. */
void cli_on_exit(void) {
    if (!ended)
        _exit(cli_finish(cli_fail(
            FR_NOMEM, "the OpenMP runtime exited: not enough memory or threads; reduce --threads "
                      "or OMP_STACKSIZE, or raise the limits (ulimit -v, ulimit -u)")));
}

void cli_no_memory(void) { exit(cli_finish(cli_fail(FR_NOMEM, "out of memory"))); }

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
