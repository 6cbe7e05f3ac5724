/* A team of threads that persists for a whole traversal. Its barrier is cheap if all threads are
 * running and does not waste a core if one of them is not.
 *
 * Idea: one team per traversal instead of one per level. A waiting thread spins for some tens of
 *   microseconds and then sleeps on a futex: OpenMP's threads, which spin for milliseconds at the end of
 *   a region and after it, make a call 60 times slower when other processes occupy the cores.
 * Use: fri_team_run(ctx, threads, body, arg) calls body once per member. All members must pass the same
 *   barriers. Member 0 is the calling thread: only it reports progress and allocates, and it does
 *   work that is too small to share while the others wait at the next barrier.
 */
#ifndef FRI_TEAM_H
#define FRI_TEAM_H

#include "base/base.h"

/* Members 2^g .. 2^(g+1)-1 of a team, which wait for the next part of fri_team_parts. */
typedef struct fri_team_group {
    _Alignas(
        FRI_CACHE_LINE) uint32_t call; /* number of the part, and its members; the futex word */
    uint32_t sleepers;
} fri_team_group;

enum { FRI_TEAM_SIZES = 13 }; /* 1, 2, 4, .. 4096 members */

typedef struct fri_team {
    _Alignas(FRI_CACHE_LINE) int arrived;    /* at the current barrier */
    _Alignas(FRI_CACHE_LINE) uint32_t phase; /* barriers passed; the futex word */
    uint32_t sleepers;
    int64_t waited_ns; /* of member 0 at barriers */
    int64_t spin_ns;   /* before sleeping */
    bool crowded;      /* more threads than processors: a thread that spins delays the others */
    int64_t shared_ns; /* of fri_team_parts: work of the members but member 0 */
    fri_team_group group[FRI_TEAM_SIZES];
} fri_team;

typedef struct fri_member {
    fri_team *team;
    int index, count; /* 0 .. count-1; count may be less than requested */
} fri_member;

typedef void (*fri_team_fn)(fri_member me, void *arg);

/* Runs a team of at most that many threads: the caller's, and those of the context's crew that come soon
 * (base/crew.c), so that a call waits for no thread that the system does not run. Inside another team of the
 * context, and inside an OpenMP region, the caller is alone. ctx NULL: the threads are started for this run.
 * Returns the number of members. */
int fri_team_run(fr_ctx *ctx, int threads, fri_team_fn body, void *arg);
typedef uintptr_t fri_team_key;
static inline fri_team_key fri_team_key_of(fri_team_fn body, const void *arg) {
    return (fri_team_key)body ^ (fri_team_key)arg;
}
/* The same for a body without barriers, of which member 0 alone could do all the work: it does not wait for the
 * others, and those that come after its end do not run the body. */
int fri_team_share(fr_ctx *ctx, int threads, fri_team_fn body, void *arg);

/* A sequence of parts, of which each gets as many members as pay for it. `decide` is called before each part by the
 * caller alone, which does there what is too small to share: it returns how many members the part gets, at most `most`,
 * or 0: none follows. Those that a part does not need are not woken and wait for no barrier of it; `part`
 * runs on members 0 .. count-1, and is over when all of them have returned. Returns the largest number of members.
 * A part that asks for more than any before it calls further threads and waits for them for some hundred microseconds; it
 * has those that have come, and the others join later parts. ctx is not NULL. */
typedef struct fri_part_time {
    int64_t busy_ns, ns; /* of the last part: member 0 at work, and all; 0: it had one member */
    int members;         /* that it had; 0: there was none */
} fri_part_time;
typedef int (*fri_decide_fn)(void *arg, int most, fri_part_time last);
int fri_team_parts(fr_ctx *ctx, int threads, fri_decide_fn decide, fri_team_fn part, void *arg);

/* A loop: calls `piece` for ranges of 0 .. total-1, each a multiple of `grain` long but the last. */
typedef void (*fri_piece_fn)(fri_member me, void *arg, int64_t begin, int64_t end);
void fri_team_loop(fr_ctx *ctx, int threads, int64_t total, int64_t grain, fri_piece_fn piece,
                   void *arg);

/* No member leaves before all have arrived; writes before the barrier are visible after it. */
void fri_team_barrier(fri_member me);
/* The same for member 0; the others do not wait. They must wait for it in another way next. */
void fri_team_join(fri_member me);
/* Returns when *word is not `value`: spins for spin_ns, then sleeps. Returns how long it waited. Who changes the word
 * calls fri_wake(word) if there are sleepers, all sequentially consistent. */
int64_t fri_team_await(int64_t spin_ns, uint32_t *word, uint32_t *sleepers, uint32_t value);

/* A gate holds threads until one of them opens it, and then stays open until it is closed. A zeroed gate is closed. */
typedef struct fri_gate {
    _Alignas(FRI_CACHE_LINE) uint32_t open; /* the futex word */
    uint32_t sleepers;
} fri_gate;

/* Writes before the call are visible to all threads that pass. */
void fri_gate_open(fri_gate *gate);
/* Once all threads have passed: who opened it may still look for sleepers, of which there are none. */
void fri_gate_close(fri_gate *gate);
/* Waits until the gate is open; spins for `spin_ns` before it sleeps. */
void fri_gate_pass(fri_gate *gate, int64_t spin_ns);

/* Sleeps unless *word has another value; may return early. Wakes all that sleep on *word. */
void fri_sleep_on(uint32_t *word, uint32_t value);
void fri_wake(uint32_t *word);

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
