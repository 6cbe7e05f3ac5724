/* The context and graphs of the case that runs; for run.c. */
#ifndef RANDOM_FRAME_H
#define RANDOM_FRAME_H

#include "random.h"

void ri_frame_begin(void);
void ri_frame_end(
    ri_case *c); /* frees what was deferred, then the context, or keeps it for later cases */
void ri_frame_abandon(ri_case *c); /* after a mismatch: solvers may live, so nothing is freed */
void ri_forget_contexts(void);     /* frees those kept */

/* watchdog.c */
void ri_watch_begin(const char *what);
void ri_watch_end(void);

#endif
