#include "outcome.h"

#include "cli.h"
#include "cli/io/json.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const char *command;
    bool wanted; /* --json was given */
    bool failed; /* status and message are those of the last failure */
    fr_status status;
    char *message;
    json_t *object; /* the result of the command, or NULL */
} outcome = {.command = ""};

void outcome_command(const char *name) { outcome.command = name; }
const char *outcome_running(void) { return outcome.command; }
void outcome_json(bool wanted) { outcome.wanted = wanted; }

void outcome_failure(fr_status status, const char *message) {
    free(outcome.message);
    outcome.failed = true;
    outcome.status = status;
    outcome.message = strdup(message); /* NULL: the message of the status is printed */
}

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

void outcome_print(int code) {
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
