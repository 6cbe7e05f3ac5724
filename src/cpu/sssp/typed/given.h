/* Work that passes between the threads of a round of the bucket engine.
 *
 * Source: work stealing in place of barriers, and the rows of hubs in parts: M. D'Antonio, S. T. Mai, P. Tsigas,
 *   H. Vandierendonck: Wasp: efficient asynchronous single-source shortest path on multicore systems via work stealing,
 *   SC 2025. Ours: work is given.
 * Idea: a thread works on the entries of its own bins, the smallest bucket first. One that has none left says that it
 *   wants work, and waits at a box of its own. Another takes it off the list of these and puts there a chunk of the
 *   bucket that it works on, else its next bucket, or a part of a long row. So bins need no atomics, and a thread that
 *   has work reads a word for each chunk, for each FRI_SLICE entries of a last one, and for each FRI_ROW_PART edges of a
 *   long row. The round is over when no thread has work; who gives has work, so nothing is in a box then.
 *   A thread waits longer than it spins at a barrier, as another may be in the row of a hub, and goes on to the end of
 *   the round, where it gets nothing more. */
#ifndef FRI_CPU_SSSP_TYPED_GIVEN_H
#define FRI_CPU_SSSP_TYPED_GIVEN_H

#include "base/bitmap.h"
#include "cpu/sssp/typed/delta_engine.h"

enum { FRI_SLICE = 32 /* 16 take longer */, FRI_ROW_PART = 256 /* and 1024 */ };

/* Before a round. */
static inline void fri_given_reset(fri_given *g, int members) {
    memset(g->wants, 0, fri_bitmap_bytes(members));
    g->idle = 0;
    g->over = false;
}

/* How many threads want work. */
static inline int fri_given_wanted(const fri_given *g, int members) {
    int wanted = 0;
    for (int k = 0; k < fri_bitmap_words(members); k++)
        wanted += __builtin_popcountll(__atomic_load_n(&g->wants[k], __ATOMIC_RELAXED));
    return wanted;
}

/* Takes a thread off the list; false: it is not there. */
static inline bool fri_given_claim(fri_given *g, int index) {
    const uint64_t bit = UINT64_C(1) << (index % 64);
    return __atomic_fetch_and(&g->wants[index / 64], ~bit, __ATOMIC_ACQ_REL) & bit;
}

/* Gives work to a thread that wants some; false: none does. The caller has work, so the round is not over meanwhile. */
static inline bool fri_given_put(fri_delta_engine *s, fri_given_work work) {
    fri_given *g = &s->given;
    for (int k = 0; k < fri_bitmap_words(s->members); k++)
        for (uint64_t wants; (wants = __atomic_load_n(&g->wants[k], __ATOMIC_RELAXED)) != 0;) {
            const int to = 64 * k + __builtin_ctzll(wants);
            if (!fri_given_claim(g, to))
                continue;
            __atomic_fetch_sub(&g->idle, 1, __ATOMIC_ACQ_REL);
            g->box[to].work = work;
            __atomic_store_n(&g->box[to].full, true, __ATOMIC_RELEASE);
            return true;
        }
    return false;
}

/* Gives chunks of the rest of a bucket, or the next bucket of the round. */
static inline void fri_given_offer(fri_delta_engine *s, fri_buckets *mine, uint32_t *rest) {
    if (!fri_given_wanted(&s->given, s->members))
        return;
    while (*rest) {
        fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, *rest);
        const uint32_t next = chunk->next;
        chunk->next = 0; /* before another thread has it */
        if (!fri_given_put(s, (fri_given_work){.list = *rest})) {
            chunk->next = next;
            return;
        }
        *rest = next;
    }
    const int64_t bucket = fri_buckets_min(mine);
    const uint32_t slot = (uint32_t)(bucket % FRI_BUCKETS);
    if (bucket < fri_delta_end(s) && fri_given_put(s, (fri_given_work){.list = mine->head[slot]}))
        fri_delta_take(mine, slot);
}

/* Gives parts of a row of many edges, as many as threads want some. */
static inline void fri_given_offer_edges(fri_delta_engine *s, fri_given_work *row) {
    const int64_t edges = row->end - row->begin;
    const int wanted = edges < 2 * FRI_ROW_PART ? 0 : fri_given_wanted(&s->given, s->members);
    if (!wanted)
        return;
    const int64_t part = FRI_MAX(edges / (wanted + 1), FRI_ROW_PART);
    while (row->end - row->begin >= 2 * part &&
           fri_given_put(s, (fri_given_work){0, row->u, row->d, row->end - part, row->end}))
        row->end -= part;
}

/* Takes what is in a thread's box; false: nothing is. */
static inline bool fri_given_take(fri_given_box *box, fri_given_work *work) {
    if (!__atomic_load_n(&box->full, __ATOMIC_ACQUIRE))
        return false;
    *work = box->work;
    box->full = false;
    return true;
}

/* Whether a thread without work waits on: not after the end of the round, of its patience, or of the query. */
static inline bool fri_given_waits(fri_delta_engine *s, fri_member me, int64_t until) {
    return !__atomic_load_n(&s->given.over, __ATOMIC_ACQUIRE) && fri_now_ns() < until &&
           !fri_delta_halt(s, &s->buckets[me.index]);
}

/* Puts a thread without work on the list; false: it is the last one that had some, and the round is over. */
static inline bool fri_given_ask(fri_given *g, fri_member me) {
    if (__atomic_add_fetch(&g->idle, 1, __ATOMIC_ACQ_REL) == me.count) {
        __atomic_store_n(&g->over, true, __ATOMIC_RELEASE);
        return false;
    }
    __atomic_fetch_or(&g->wants[me.index / 64], UINT64_C(1) << (me.index % 64), __ATOMIC_RELEASE);
    return true;
}

/* Waits for work that others give; false: none came, or there is none. */
static inline bool fri_given_await(fri_delta_engine *s, fri_member me, fri_given_work *work) {
    enum { PAUSES = 4, PATIENCE = 8 }; /* 400 us */
    fri_given *g = &s->given;
    fri_given_box *box = &g->box[me.index];
    const int64_t began = fri_now_ns(), until = began + PATIENCE * me.team->spin_ns;
    if (!fri_given_ask(g, me))
        return false;
    bool found;
    while (!(found = fri_given_take(box, work)) && fri_given_waits(s, me, until))
        for (int i = 0; i < PAUSES; i++)
            fri_relax();
    if (!found && !fri_given_claim(g, me.index)) /* another is about to fill the box */
        while (!(found = fri_given_take(box, work)))
            sched_yield();
    if (me.index == 0)
        s->waited_ns += fri_now_ns() - began;
    return found;
}

#endif
