/* What `auto`'s grid does next: the policy, asked by one thread of each block; all blocks know the
 * same and come to the same answer. */
#ifndef FRI_AUTO_CHOICE_CUH
#define FRI_AUTO_CHOICE_CUH

#include "cuda/bfs/auto_policy.h"
#include "cuda/bfs/auto_world.cuh"

static const int PATIENCE = 8; /* thin levels in a row after which the cluster takes over */

namespace {
/* In shared memory, which spares registers; written by the block's first thread alone. */
struct choice {
    unsigned long long explored;
    int32_t seen, calm, done, entries; /* of the queue, if this frontier is one */
    float expected;  /* vertices that the last level would have found by chance; 0: no such level */
    int clean;       /* bit d % 2: the bitmap front[d % 2] is zero */
    form has, next;  /* of this frontier and the next one */
    bool ends, down; /* the launch; bottom-up */
    bool lean;       /* the level after this push will be pulled: no queue need be written */
};
} // namespace

template <class O>
static __device__ fri_gpu_facts facts_of(const world<O> &w, const slot &now, const choice &c) {
    float chance = c.expected > (float)now.vertices ? (float)now.vertices / c.expected : 1.0f;
    return {(float)now.vertices,
            (float)now.edges,
            (float)FRI_MAX(w.reachable - c.seen, 1),
            (float)((unsigned long long)w.m - c.explored),
            (float)w.n,
            (float)w.m,
            w.bias,
            chance,
            c.has == BITMAP,
            c.has == QUEUE,
            w.heads != nullptr};
}

/* The forms that the level leads through, and what is written on the way. */
template <class O> static __device__ void choose_form(const world<O> &w, int32_t depth, choice *c) {
    const int here = 1 << (depth & 1), there = 1 << ((depth + 1) & 1);
    const bool direct = c->lean && (w.parts & PART_DIRECT) && (c->clean & there);
    if (c->has == LEVELS || (c->down && c->has == QUEUE))
        c->clean &= ~here;
    if (c->down || direct)
        c->clean &= ~there;
    c->next = c->down || direct ? BITMAP : c->lean ? LEVELS : QUEUE;
}

/* Any thread, after a grid barrier: a slot that other SMs wrote before it. */
template <class O> static __device__ slot read_slot(const world<O> &w, int turn) {
    const slot *s = &w.c->turn[turn];
    return {fri_racy_load(&s->edges), fri_racy_load(&s->vertices), fri_racy_load(&s->entries), 0,
            0};
}

/* One thread of a block, when a level begins; a block barrier must follow. One reads for all: reads
 * of one place queue up in L2. */
template <class O>
static __device__ void choose(const world<O> &w, int32_t depth, int turn, choice *c) {
    const slot now = read_slot(w, turn);
    c->entries = now.entries;
    c->has = c->next;
    /* a bitmap's entries are no fact yet: faster blocks may be queueing it */
    const int32_t entries = c->has == QUEUE ? now.entries : now.vertices;
    c->calm = is_thin(entries, now.edges, w.small / 2) ? c->calm + 1 : 0;
    c->ends = c->done &&
              (now.vertices == 0 || c->done == w.most || (c->calm > PATIENCE && c->has == QUEUE));
    if (c->ends)
        return;
    c->seen += now.vertices;
    c->explored += now.edges;
    const fri_gpu_facts f = facts_of(w, now, *c);
    c->down = w.direction ? w.direction == 2 : c->calm <= PATIENCE && fri_gpu_pulls(&f);
    c->lean = !c->down && (w.parts & PART_LEAN) && !w.direction && fri_gpu_pulls_next(&f);
    c->expected = fri_gpu_finds(&f);
    choose_form(w, depth, c);
    const float expected_ps = c->down ? fri_gpu_pull_ps(&f) : fri_gpu_push_ps(&f);
    tell(w, c->done++, now, c->down ? WAY_PULL : WAY_PUSH, expected_ps);
}

#endif
