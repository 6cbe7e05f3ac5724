/* Progress by the clock, within a loop that has no natural end soon.
 *
 * Idea: the clock is read once in some thousands of units of work (vertices, edges, a store each),
 *   and the user's function is called when 50 ms have passed since the last time; so a loop is
 *   cancelled within 100 ms, and a short one costs nothing.
 * Use: fri_pace_begin, then fri_pace_stop once per turn of the loop; true: leave it, status says
 *   why. fri_pace_stop is for the calling thread, fri_pace_stop_team for all threads of a team and
 *   FRI_PACE_STOP_LOOP for those of an OpenMP region: there the calling thread asks and the others
 *   learn of it.
 */
#ifndef FRI_PACE_H
#define FRI_PACE_H

#include "base/base.h"

#include <omp.h>

enum { FRI_PACE_WORK = 1 << 15 }; /* units between two looks at the clock: up to some ms */

typedef struct fri_pace {
    fr_ctx *ctx;
    const char *phase;
    int64_t total;
    int64_t work;     /* since the clock was last read */
    int64_t next_ns;  /* when the user is asked again */
    fr_status status; /* FR_CANCELLED once the user has asked for it */
} fri_pace;

/* The first turn of the loop asks at once. */
static inline fri_pace fri_pace_begin(fr_ctx *ctx, const char *phase, int64_t total) {
    return (fri_pace){.ctx = ctx, .phase = phase, .total = total, .work = FRI_PACE_WORK};
}

/* Looks at the clock, and asks when it is time. */
bool fri_pace_ask(fri_pace *p, int64_t done);

static inline bool fri_pace_stop(fri_pace *p, int64_t work, int64_t done) {
    p->work += work;
    return p->work < FRI_PACE_WORK ? p->status != FR_OK : fri_pace_ask(p, done);
}

/* `caller`: this is the thread that called the library. */
static inline bool fri_pace_stop_team(fri_pace *p, bool caller, int64_t work, int64_t done) {
    if (caller)
        return fri_pace_stop(p, work, done);
    return __atomic_load_n(&p->status, __ATOMIC_RELAXED) != FR_OK; /* relaxed: it saves work only */
}

/* The same in an OpenMP loop. */
#define FRI_PACE_STOP_LOOP(p, work, done)                                                          \
    fri_pace_stop_team(p, omp_get_thread_num() == 0, work, done)

#endif
