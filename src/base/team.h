/* A team of threads that persists for a whole traversal. Its barrier is cheap if all threads are
 * running and does not waste a core if one of them is not.
 *
 * Idea: one OpenMP region per traversal instead of one per level. A waiting thread spins for some
 *   tens of microseconds and then sleeps on a futex: an OpenMP barrier that keeps spinning makes a
 *   traversal 15 times slower when another process occupies a core.
 * Use: fri_team_run(threads, body, arg) calls body once per member. All members must pass the same
 *   barriers. Member 0 is the calling thread: only it reports progress and allocates, and it does
 *   work that is too small to share while the others wait at the next barrier.
 */
#ifndef FRI_TEAM_H
#define FRI_TEAM_H

#include "base/base.h"

typedef struct fri_team {
    _Alignas(FRI_CACHE_LINE) int arrived;    /* at the current barrier */
    _Alignas(FRI_CACHE_LINE) uint32_t phase; /* barriers passed; the futex word */
    uint32_t sleepers;
    int spins;    /* reads of `phase` before sleeping */
    bool crowded; /* more threads than processors: a thread that spins delays the others */
} fri_team;

typedef struct fri_member {
    fri_team *team;
    int index, count; /* 0 .. count-1; count may be less than requested */
} fri_member;

typedef void (*fri_team_fn)(fri_member me, void *arg);

/* Inside another parallel region (unless nesting is enabled) the team consists of the caller
 * alone. Returns the number of members. */
int fri_team_run(int threads, fri_team_fn body, void *arg);

/* No member leaves before all have arrived; writes before the barrier are visible after it. */
void fri_team_barrier(fri_member me);

/* A gate holds threads until one of them opens it, and then stays open. A zeroed gate is closed. */
typedef struct fri_gate {
    _Alignas(FRI_CACHE_LINE) uint32_t open; /* the futex word */
    uint32_t sleepers;
} fri_gate;

/* Writes before the call are visible to all threads that pass. */
void fri_gate_open(fri_gate *gate);
/* Waits until the gate is open; spins for `spin_ns` before it sleeps. */
void fri_gate_pass(fri_gate *gate, int64_t spin_ns);

/* For loops that wait for another thread: leaves more of the core to its other hyperthread. */
static inline void fri_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* This member's range of 0 .. total-1, in whole multiples of `grain`. */
static inline void fri_team_static_range(fri_member me, int64_t total, int64_t grain,
                                         int64_t *begin, int64_t *end) {
    int64_t grains = (total + grain - 1) / grain;
    *begin = FRI_MIN(total, grains * me.index / me.count * grain);
    *end = FRI_MIN(total, grains * (me.index + 1) / me.count * grain);
}

/* Takes the next `grain` of 0 .. total-1 from a cursor that member 0 set to 0 before a barrier;
 * false if nothing is left. Relaxed: the cursor orders no other memory accesses. */
static inline bool fri_team_next_chunk(int64_t *cursor, int64_t total, int64_t grain,
                                       int64_t *begin, int64_t *end) {
    if (__atomic_load_n(cursor, __ATOMIC_RELAXED) >= total)
        return false;
    *begin = __atomic_fetch_add(cursor, grain, __ATOMIC_RELAXED);
    *end = FRI_MIN(total, *begin + grain);
    return *begin < total;
}

#endif
