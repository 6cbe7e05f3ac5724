/* How the command ended, and the one JSON object that --json prints for it: of an answer and of a
 * failure, also of a wrong command line. A command hands its object over; main prints it at the
 * end with "status", "exit_code" and, after a failure, "message". A command that prints a line for
 * each finding (bench) gets one more line after a failure. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include "fringe.h"

#include <jansson.h>

void outcome_command(const char *name); /* "bfs"; it must outlive the run */
void outcome_json(bool wanted);
void outcome_failure(fr_status status, const char *message); /* by cli_fail and cli_usage alone */
void outcome_object(json_t *object);                         /* takes it */
/* Prints the object, if there is one to print; a second call prints nothing. */
void outcome_print(int code);

#endif
