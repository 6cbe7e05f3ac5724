/* The outcome of the command and the one JSON object that --json prints for it, also after a
 * failure or a wrong command line. A command passes its object to outcome_object(); main prints it
 * at the end with "status", "exit_code" and, after a failure, "message". A command that prints one
 * line per result (bench) prints one more line after a failure. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include "fringe.h"

#include <jansson.h>

void outcome_command(const char *name); /* "bfs"; it must outlive the run */
const char *outcome_running(void);      /* that name; "" before */
void outcome_json(bool wanted);
void outcome_failure(fr_status status,
                     const char *message); /* called only by cli_fail and cli_usage */
void outcome_object(json_t *object);       /* takes ownership */
/* Prints the object if there is one; a second call prints nothing. */
void outcome_print(int code);

#endif
