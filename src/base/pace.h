/* Progress reports at fixed time intervals, within a long loop.
 *
 * Idea: the loop reads the clock once per several thousand units of work (vertices, edges, a store
 *   each) and calls the user's function if 50 ms have passed since the last call. A loop is
 *   therefore cancelled within 100 ms, and a short loop has no overhead.
 * Use: call fri_pace_begin, then fri_pace_stop once per iteration; if it returns true, leave the
 *   loop: `status` holds the reason. fri_pace_stop is for the calling thread, fri_pace_stop_team
 *   for all threads of a team and FRI_PACE_STOP_LOOP for all threads of an OpenMP region: there the
 *   calling thread calls the user's function and the other threads read the result.
 */
#ifndef FRI_PACE_H
#define FRI_PACE_H

#include "base/base.h"

#include <omp.h>

enum { FRI_PACE_WORK = 1 << 15 }; /* work units between two reads of the clock: up to a few ms */

typedef struct fri_pace {
    fr_ctx *ctx;
    const char *phase;
    int64_t total;
    int64_t work;     /* since the clock was last read */
    int64_t next_ns;  /* time of the next call of the user's function */
    fr_status status; /* FR_CANCELLED once the user has asked to stop */
} fri_pace;

/* The first iteration calls the user's function immediately. */
static inline fri_pace fri_pace_begin(fr_ctx *ctx, const char *phase, int64_t total) {
    return (fri_pace){.ctx = ctx, .phase = phase, .total = total, .work = FRI_PACE_WORK};
}

/* Reads the clock and calls the user's function if the interval has passed. */
bool fri_pace_ask(fri_pace *p, int64_t done);

static inline bool fri_pace_stop(fri_pace *p, int64_t work, int64_t done) {
    p->work += work;
    return p->work < FRI_PACE_WORK ? p->status != FR_OK : fri_pace_ask(p, done);
}

/* `caller`: true for the thread that called the library. */
static inline bool fri_pace_stop_team(fri_pace *p, bool caller, int64_t work, int64_t done) {
    if (caller)
        return fri_pace_stop(p, work, done);
    return __atomic_load_n(&p->status, __ATOMIC_RELAXED) != FR_OK; /* relaxed: a stale value only
                                                                      delays the exit */
}

/* The same for an OpenMP loop. */
#define FRI_PACE_STOP_LOOP(p, work, done)                                                          \
    fri_pace_stop_team(p, omp_get_thread_num() == 0, work, done)

#endif
