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
    tip first; /* the launch's first frontier */
    unsigned long long explored;
    int32_t seen, calm, done, entries; /* of the queue, if this frontier is one */
    int32_t vertices, levels;          /* of the frontier; that a block has taken alone */
    unsigned edges;                    /* of a frontier of few */
    float promised;                    /* of a push that owes: vertices that it was to find */
    float expected;  /* vertices that the last level would have found by chance; 0: no such level */
    int clean;       /* bit d % 2: the bitmap front[d % 2] is zero */
    form has, next;  /* of this frontier and the next one */
    bool ends, down; /* the launch; bottom-up */
    bool solo;       /* one block takes this level, and what comes behind it */
    bool lean;       /* the level after this push will be pulled: no queue need be written */
    bool dirty;      /* this level's bitmap must be cleared before its queue goes there */
    bool blank;      /* level and parent of vertices that are not found yet hold anything */
    bool owes;       /* this push leaves its finds' levels to the next level */
    chores also;
};
} // namespace

template <class O>
static __device__ fri_gpu_facts facts_of(const world<O> &w, const slot &now, const choice &c) {
    const float unseen = (float)FRI_MAX(w.reachable - c.seen, 1);
    float left = (float)((unsigned long long)w.m - c.explored), edges = (float)now.edges;
    if (c.also.owed) { /* as many as such vertices have in the mean */
        edges = left * fri_gpu_over((float)now.vertices, unseen + (float)now.vertices);
        left -= edges;
    }
    float chance =
        c.expected > (float)now.vertices ? fri_gpu_over((float)now.vertices, c.expected) : 1.0f;
    return {(float)now.vertices,
            edges,
            unseen,
            left,
            (float)w.n,
            (float)w.m,
            w.bias,
            chance,
            c.has == BITMAP,
            c.has == QUEUE || c.also.queues,
            w.heads != nullptr};
}

/* Whether a level that was meant to be pulled is about as wide as it was to be: then its edges,
 * which were not counted, are not asked for. */
static __device__ __forceinline__ bool keeps_promise(const slot &now, const choice &c) {
    return c.also.owed && (float)now.vertices * 4.0f > c.promised;
}

/* The forms that the level leads through, and what is done on the way. */
template <class O>
static __device__ void choose_form(const world<O> &w, int32_t depth, const fri_gpu_facts &f,
                                   choice *c) {
    const int here = 1 << (depth & 1), there = 1 << ((depth + 1) & 1);
    const bool queued = c->also.queues, may_direct = (w.parts & PART_DIRECT) && (c->clean & there);
    c->lean &= may_direct || !c->blank; /* levels tell nothing yet */
    const bool direct = c->lean && may_direct;
    if (!c->down && queued)
        c->has = QUEUE;
    c->dirty = c->down && c->has == QUEUE && !(c->clean & here);
    if (c->has == LEVELS || (c->down && c->has == QUEUE))
        c->clean &= ~here;
    if (c->down || direct)
        c->clean &= ~there;
    c->next = c->down || direct ? BITMAP : c->lean ? LEVELS : QUEUE;
    c->promised = f.yield * c->expected;
    c->owes = direct && (w.parts & PART_OWED) && (w.parts & PART_MAP);
    c->also.fills = c->down && c->blank;
    c->blank &= !c->down;
    c->also.queues = c->down && (w.parts & PART_BOTH) && !w.direction && fri_gpu_pushes_next(&f);
}

/* Any thread, after a grid barrier: a slot that other SMs wrote before it. */
template <class O> static __device__ slot read_slot(const world<O> &w, int turn) {
    const slot *s = &w.c->turn[turn];
    return {fri_racy_load(&s->edges), fri_racy_load(&s->vertices), fri_racy_load(&s->entries), 0, 0,
            fri_racy_load(&s->behind)};
}

/* One thread, when a launch begins whose frontier stands already. */
template <class O> static __device__ tip read_tip(const world<O> &w, int turn) {
    const slot now = read_slot(w, turn);
    return {now.edges, now.vertices, now.entries};
}

/* One thread of a block, when a level begins; a block barrier must follow. One reads for all: reads
 * of one place queue up in L2. */
template <class O, bool HOT>
static __device__ void choose(const world<O> &w, int32_t depth, int turn, choice *c) {
    const slot now = c->done ? read_slot(w, turn)
                             : slot{c->first.edges, c->first.vertices, c->first.entries, 0, 0};
    c->entries = now.entries;
    c->has = c->next;
    c->also.owed = c->owes;
    const unsigned long long behind = c->done ? now.behind : 0; /* the launch before has them */
    if (behind && w.lines && blockIdx.x == 0)
        w.lines[c->done - 1].edges = behind;
    /* a bitmap's entries are no fact yet: faster blocks may be queueing it */
    const bool queued = c->has == QUEUE || c->also.queues;
    const int32_t entries = queued ? now.entries : now.vertices;
    c->calm = is_thin(entries, now.edges, w.small / 2) ? c->calm + 1 : 0;
    c->ends = c->done && (now.vertices == 0 || c->done == w.most || (c->calm > PATIENCE && queued));
    c->explored += behind;
    if (c->ends && c->also.queues)
        c->has = QUEUE;
    if (c->ends)
        return;
    c->seen += now.vertices;
    c->explored += now.edges;
    c->solo =
        HOT && (w.parts & PART_SOLO) && w.direction != 2 && queued && is_solo(entries, now.edges);
    if (c->solo) {
        c->vertices = now.vertices;
        c->edges = (unsigned)now.edges;
        c->has = c->next = QUEUE;
        c->owes = c->also.queues = c->also.owed = false;
        c->expected = 0;
        c->done++;
        return;
    }
    const fri_gpu_facts f = facts_of(w, now, *c);
    const bool asks = !w.direction && c->calm <= PATIENCE && !fri_gpu_is_short(&f);
    c->down = w.direction == 2 || (asks && (keeps_promise(now, *c) || fri_gpu_pulls(&f)));
    c->lean = asks && !c->down && (w.parts & PART_LEAN) && fri_gpu_pulls_next(&f);
    c->expected = fri_gpu_finds(&f);
    choose_form(w, depth, f, c);
    c->done++;
    if (w.lines)
        tell(w, c->done - 1, now, c->down ? WAY_PULL : WAY_PUSH,
             c->down ? fri_gpu_pull_ps(&f) : fri_gpu_push_ps(&f));
}

#endif
