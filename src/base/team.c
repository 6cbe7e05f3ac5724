/* The barrier of a team and the gate: they spin and then sleep; the threads are of base/crew.c. */
#include "base/team.h"

#include <limits.h>
#include <sched.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

void fri_sleep_on(uint32_t *word, uint32_t value) {
#ifdef __linux__
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
#else
    (void)word, (void)value;
    sched_yield();
#endif
}

void fri_wake(uint32_t *word) {
#ifdef __linux__
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
    (void)word;
#endif
}

int fri_team_await(int spins, uint32_t *word, uint32_t *sleepers, uint32_t value,
                   int64_t *slept_ns) {
    for (int i = 0; i < spins; i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
            return i;
        fri_relax();
    }
    /* Sequentially consistent on both sides: either who changes the word sees this sleeper, or the kernel
     * sees the new value and does not put it to sleep. */
    __atomic_fetch_add(sleepers, 1, __ATOMIC_SEQ_CST);
    const int64_t begin = fri_now_ns();
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
        fri_sleep_on(word, value);
    __atomic_fetch_sub(sleepers, 1, __ATOMIC_RELAXED);
    *slept_ns += fri_now_ns() - begin;
    return spins;
}

/* Returns whether this member must wait for the phase after `phase`. */
static bool arrive(fri_team *team, int count, uint32_t *phase) {
    *phase = __atomic_load_n(&team->phase, __ATOMIC_RELAXED);
    /* acquire and release: the last thread to arrive sees all writes and publishes them */
    if (__atomic_add_fetch(&team->arrived, 1, __ATOMIC_ACQ_REL) < count)
        return true;
    __atomic_store_n(&team->arrived, 0, __ATOMIC_RELAXED); /* before any thread can enter the
                                                              barrier again */
    __atomic_store_n(&team->phase, *phase + 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&team->sleepers, __ATOMIC_SEQ_CST))
        fri_wake(&team->phase);
    return false;
}

static void await_phase(fri_member me, uint32_t phase) {
    fri_team *team = me.team;
    int64_t slept_ns = 0;
    const int spins = fri_team_await(team->spins, &team->phase, &team->sleepers, phase, &slept_ns);
    if (me.index)
        return;
    team->spun += spins;
    team->slept_ns += slept_ns;
}

void fri_team_barrier(fri_member me) {
    uint32_t phase;
    if (me.count > 1 && arrive(me.team, me.count, &phase))
        await_phase(me, phase);
}

void fri_team_join(fri_member me) {
    uint32_t phase;
    if (me.count > 1 && arrive(me.team, me.count, &phase) && me.index == 0)
        await_phase(me, phase);
}

void fri_gate_open(fri_gate *gate) {
    /* as for the barrier: either a sleeper is seen here, or it sees the gate open */
    __atomic_store_n(&gate->open, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&gate->sleepers, __ATOMIC_SEQ_CST))
        fri_wake(&gate->open);
}

static bool is_open(const fri_gate *gate) { return __atomic_load_n(&gate->open, __ATOMIC_ACQUIRE); }

void fri_gate_pass(fri_gate *gate, int64_t spin_ns) {
    enum { CLOCK_SPINS = 64 };
    const int64_t end = fri_now_ns() + spin_ns;
    while (spin_ns && fri_now_ns() < end)
        for (int i = 0; i < CLOCK_SPINS; i++) {
            if (is_open(gate))
                return;
            fri_relax();
        }
    __atomic_fetch_add(&gate->sleepers, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&gate->open, __ATOMIC_SEQ_CST))
        fri_sleep_on(&gate->open, 0);
    __atomic_fetch_sub(&gate->sleepers, 1, __ATOMIC_RELAXED);
}
