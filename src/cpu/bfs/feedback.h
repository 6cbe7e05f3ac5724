/* What a solver's levels show about this machine and this graph, for the choice between one thread
 * and all threads on a medium level: pure functions of the measured and expected times.
 *
 * Idea: the cost model is fitted on one host. Three numbers adapt it. The scale is the measured time
 *   of serial levels over the expected one. The overhead is what a parallel level takes beyond its
 *   part of the work: barriers, atomics, uneven parts; on levels that run serially it returns to
 *   the fitted cost, so that parallel levels are tried again. The balance is the time that parallel
 *   levels saved over serial ones, less what they lost: when another process occupies a core, a
 *   barrier waits for milliseconds, and a running average either forgets this too early or lets one
 *   delay rule out parallel levels on an idle machine. A negative balance allows serial levels
 *   only; these raise it by a small part of their time, which bounds the time lost to trials by that
 *   part.
 * Called by: auto.c alone. */
#ifndef FRI_CPU_BFS_FEEDBACK_H
#define FRI_CPU_BFS_FEEDBACK_H

#include <stdbool.h>

typedef struct fri_bfs_feedback {
    double fitted_ns;   /* the overhead of a parallel level by the cost model */
    double scale;       /* measured / expected time of serial levels */
    double overhead_ns; /* of a parallel level, measured */
    double balance_ns;  /* saved by parallel levels, less lost by them; limited on both sides */
} fri_bfs_feedback;

/* A level by the cost model, in nanoseconds. */
typedef struct fri_bfs_level_costs {
    double serial; /* by one thread */
    double shared; /* a thread's part of the work, if all threads share it */
} fri_bfs_level_costs;

/* Before any level. */
fri_bfs_feedback fri_bfs_feedback_new(double fitted_ns);
/* Whether all threads should share the level. *gain_ns: the time that this is expected to save. */
bool fri_bfs_feedback_shares(const fri_bfs_feedback *f, fri_bfs_level_costs level, double *gain_ns);
/* After a level that one thread, or all threads, processed in `ns`. */
void fri_bfs_feedback_serial(fri_bfs_feedback *f, fri_bfs_level_costs level, double ns);
void fri_bfs_feedback_shared(fri_bfs_feedback *f, fri_bfs_level_costs level, double ns);

#endif
