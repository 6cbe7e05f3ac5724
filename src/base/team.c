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

int64_t fri_team_await(int64_t spin_ns, uint32_t *word, uint32_t *sleepers, uint32_t value) {
    enum { CLOCK_SPINS = 16 };
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
        return 0;
    const int64_t begin = fri_now_ns();
    int64_t now = begin;
    for (; now < begin + spin_ns; now = fri_now_ns())
        for (int i = 0; i < CLOCK_SPINS; i++) {
            if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
                return fri_now_ns() - begin;
            fri_relax();
        }
    /* Sequentially consistent on both sides: either who changes the word sees this sleeper, or the kernel
     * sees the new value and does not put it to sleep. */
    __atomic_fetch_add(sleepers, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
        fri_sleep_on(word, value);
    __atomic_fetch_sub(sleepers, 1, __ATOMIC_RELAXED);
    return fri_now_ns() - begin;
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
    const int64_t ns = fri_team_await(team->spin_ns, &team->phase, &team->sleepers, phase);
    if (me.index == 0)
        team->waited_ns += ns;
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

void fri_gate_close(fri_gate *gate) { __atomic_store_n(&gate->open, 0, __ATOMIC_RELAXED); }

void fri_gate_pass(fri_gate *gate, int64_t spin_ns) {
    fri_team_await(spin_ns, &gate->open, &gate->sleepers, 0);
}
