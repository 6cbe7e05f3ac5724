/* One level of `auto` on the whole chip: as chosen, through the forms that it needs. */
#ifndef FRI_AUTO_LEVEL_CUH
#define FRI_AUTO_LEVEL_CUH

#include "cuda/bfs/auto_choice.cuh"
#include "cuda/bfs/auto_hot.cuh"
#include "cuda/bfs/auto_pull.cuh"

/* All threads of the block, after a grid barrier: a count that other SMs wrote before it. One
 * thread reads it for all: reads of one place queue up in L2. */
static __device__ int32_t read_count(const int32_t *count) {
    FRI_SHARED(int32_t, copy, 1);
    if (threadIdx.x == 0)
        *copy = fri_racy_load(count);
    __syncthreads(); /* it is there */
    return *copy;
}

/* The team: the frontier in the form that the level needs; ends with a grid barrier. Entries of its
 * queue. */
template <class O>
static __device__ int32_t convert(const world<O> &w, const state &s, const choice &to_do,
                                  bundle<O> *b, tally<O> *mine) {
    if (to_do.dirty) {
        clear_bitmap(w, s.depth);
        fri_grid_sync(); /* it is empty */
    }
    if (to_do.has == LEVELS)
        to_bitmap(w, s.depth);
    if (to_do.has == QUEUE)
        mark_queue(w, s.depth, to_do.entries);
    if (to_do.has != BITMAP)
        fri_grid_sync(); /* the bitmap is there */
    if (to_do.down)
        return 0;
    to_queue(w, s.depth, to_do.also.owed, &w.c->turn[s.turn], b, mine);
    fri_grid_sync(); /* the queue is there */
    return read_count(&w.c->turn[s.turn].entries);
}

/* The team: one level, as chosen, but for what a pull puts off. `hot`: pushes mind hot words. */
template <class O>
static __device__ void one_level(const world<O> &w, const state &s, const choice &to_do,
                                 arena<O> *room, bool hot) {
    sheaf<O> *words = &room->sheaves[fri_warp()];
    shelf<O> *on = &room->push.on;
    bundle<O> *b = to_do.down ? &words->staged : &room->push.staged[fri_warp()];
    int32_t entries = to_do.entries;
    slot *next = &w.c->turn[(s.turn + 1) % SLOTS];
    tally<O> mine = {0, 0, 0};
    /* a pull's finds are not held back: it ends without let_go */
    hoard<O> *wide = hot && !to_do.down ? &room->push.wide : nullptr;
    finds<O> to = {{b, &next->entries, s.depth + 1, 0, wide}, to_do.lean, nullptr, to_do.owes};
    if (to_do.lean && to_do.next == BITMAP)
        to.bits = w.front[(s.depth + 1) & 1];
    if (to_do.has != (to_do.down ? BITMAP : QUEUE))
        entries = convert(w, s, to_do, b, &mine);
    if (to_do.down)
        pull(w, s.depth, to_do.also, words, next, &to.out, &mine);
    else if (hot)
        push_hot(w, s.depth, entries, on, room->push.sums[fri_warp()], &to, &mine);
    else
        push(w, s.depth, entries, on, &to, &mine);
    settle(w, mine, &to.out, next);
}

/* The team, after a pull: what it put off, if anything. */
template <class O>
static __device__ void finish_late(const world<O> &w, const state &s, bool queues, shelf<O> *on) {
    slot *next = &w.c->turn[(s.turn + 1) % SLOTS];
    const int32_t late = read_count(&next->late);
    if (late == 0)
        return;
    tally<O> mine = {0, 0, 0};
    outlet<O> none = {nullptr, nullptr, s.depth, 0};
    pull_late(w, s.depth, late, on, queues ? &next->entries : nullptr, &mine);
    settle(w, mine, &none, next);
    fri_grid_sync(); /* the level is complete */
}

#endif
