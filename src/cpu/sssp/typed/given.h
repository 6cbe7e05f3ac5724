/* Work that passes between the threads of a round of the bucket engine.
 *
 * Source: work stealing in place of barriers: M. D'Antonio, S. T. Mai, P. Tsigas, H. Vandierendonck: Wasp: efficient
 *   asynchronous single-source shortest path on multicore systems via work stealing, SC 2025. Ours: work is given.
 * Idea: a thread works on the entries of its own bins, the smallest bucket first. One that has none left says that it
 *   wants some, and another leaves a list of chunks at one place: the rest of the bucket that it works on, else its next
 *   bucket. So bins need no atomics, and a thread that has work reads two words for each chunk, or for each FRI_SLICE
 *   entries of a last one.
 *   The round is over when no thread has work: who gave a list that nobody took takes it back before it wants work.
 *   A thread waits longer than it spins at a barrier, as another may be in the row of a hub, and goes on to the end of
 *   the round, where it gets nothing more. */
#ifndef FRI_CPU_SSSP_TYPED_GIVEN_H
#define FRI_CPU_SSSP_TYPED_GIVEN_H

#include "cpu/sssp/typed/delta_engine.h"

enum { FRI_SLICE = 32 }; /* 16 take longer */

/* Before a round. */
static inline void fri_given_reset(fri_given *g) {
    g->list = 0;
    g->idle = 0;
    g->wanted = g->over = false;
}

static inline bool fri_given_put(fri_given *g, uint32_t list) {
    uint32_t none = 0;
    return __atomic_compare_exchange_n(&g->list, &none, list, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);
}

/* The list that was given; 0: none. */
static inline uint32_t fri_given_take(fri_given *g) {
    if (!__atomic_load_n(&g->list, __ATOMIC_RELAXED))
        return 0;
    const uint32_t list = __atomic_exchange_n(&g->list, 0, __ATOMIC_ACQUIRE);
    if (list)
        __atomic_store_n(&g->wanted, false, __ATOMIC_RELAXED);
    return list;
}

/* Gives the rest of a bucket, or the next bucket below `end`, to a thread that wants work. */
static inline void fri_given_offer(fri_delta_engine *s, fri_buckets *mine, uint32_t *rest,
                                   int64_t end) {
    fri_given *g = &s->given;
    if (!__atomic_load_n(&g->wanted, __ATOMIC_RELAXED) ||
        __atomic_load_n(&g->list, __ATOMIC_RELAXED))
        return;
    if (*rest) {
        *rest = fri_given_put(g, *rest) ? 0 : *rest;
        return;
    }
    const int64_t bucket = fri_buckets_min(mine);
    const uint32_t slot = (uint32_t)(bucket % FRI_BUCKETS);
    if (bucket < end && fri_given_put(g, mine->head[slot]))
        fri_delta_take(mine, slot);
}

/* Counts a thread without work; the last one ends the round. */
static inline void fri_given_idle(fri_given *g, int members) {
    if (__atomic_add_fetch(&g->idle, 1, __ATOMIC_ACQ_REL) == members)
        __atomic_store_n(&g->over, true, __ATOMIC_RELEASE);
}

/* Waits for work that others give; 0: none came, or there is none. */
static inline uint32_t fri_given_await(fri_delta_engine *s, fri_member me) {
    enum { PAUSES = 4, PATIENCE = 8 }; /* 400 us */
    fri_given *g = &s->given;
    const int64_t began = fri_now_ns(), until = began + PATIENCE * me.team->spin_ns;
    uint32_t list = 0;
    int64_t now = began;
    fri_given_idle(g, me.count);
    for (; !__atomic_load_n(&g->over, __ATOMIC_ACQUIRE) && now < until &&
           !fri_delta_halt(s, &s->buckets[me.index]);
         now = fri_now_ns()) {
        if (__atomic_load_n(&g->list, __ATOMIC_RELAXED)) {
            __atomic_fetch_sub(&g->idle, 1, __ATOMIC_ACQ_REL);
            list = fri_given_take(g);
            if (list)
                break;
            fri_given_idle(g, me.count);
        } else if (!__atomic_load_n(&g->wanted, __ATOMIC_RELAXED))
            __atomic_store_n(&g->wanted, true, __ATOMIC_RELAXED);
        for (int i = 0; i < PAUSES; i++)
            fri_relax();
    }
    if (me.index == 0)
        s->waited_ns += now - began;
    return list;
}

#endif
