/* Collectives, barriers and shared memory: where threads of the executor meet. */
#include "simt_exec.h"

namespace simt {

static void complete_collective(warp *w, unsigned mask) {
    w->counter++;
    for (unsigned i = 0; i < 32; i++) {
        if (!(mask >> i & 1))
            continue;
        thread *t = w->lane[i];
        t->result.mask = mask;
        for (unsigned j = 0; j < 32; j++)
            if (mask >> j & 1) {
                t->result.value[j] = w->lane[j]->value;
                t->synced_with[j] = w->counter;
            }
    }
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && w->lane[i] != running)
            make_ready(w->lane[i]);
    running->now = state::ready;
}

const lanes &warp_collective(const char *what, unsigned mask, uint64_t value) {
    thread *t = running;
    if (!(mask >> t->lane & 1))
        fault("lane %u calls %s with mask %08x, which leaves it out", t->lane, what, mask);
    t->what = what;
    t->mask = mask;
    t->value = value;
    bool all = true;
    for (unsigned i = 0; i < 32; i++) {
        if (!(mask >> i & 1) || i == t->lane)
            continue;
        thread *other = t->home->lane[i];
        if (!other || other->now == state::done)
            fault("%s with mask %08x waits for lane %u, which has left or never was", what, mask,
                  i);
        if (other->now == state::in_collective &&
            (other->mask != mask || std::strcmp(other->what, what)) && (other->mask >> t->lane & 1))
            fault("divergent collective: lane %u is in %s with mask %08x, lane %u in %s with mask "
                  "%08x",
                  t->lane, what, mask, i, other->what, other->mask);
        all = all && other->now == state::in_collective && other->mask == mask;
    }
    if (all) {
        complete_collective(t->home, mask);
        yield();
    } else {
        wait(state::in_collective, what);
    }
    return t->result;
}

static void check_same_barrier(const char *what) {
    for (auto &t : running->owner->threads)
        if ((t->now == state::at_block || t->now == state::at_cluster ||
             t->now == state::at_grid) &&
            std::strcmp(t->what, what))
            fault("thread %u is at %s while thread %u is at %s", running->linear, what, t->linear,
                  t->what);
}

void block_barrier(const char *what) {
    block *b = running->owner;
    if (b->exited)
        fault("%s waits for %u threads that have left the kernel", what, b->exited);
    check_same_barrier(what);
    if (b->waiting + 1 < b->alive) {
        b->waiting++;
        wait(state::at_block, what);
        return;
    }
    release_block(b);
    yield();
}

int block_reduce(const char *what, int value, int kind) {
    block *b = running->owner;
    running->vote = value != 0;
    if (b->waiting + 1 == b->alive) { /* the last to arrive works it out for all */
        int count = 0;
        for (auto &t : b->threads)
            count += t->vote;
        int out = kind == 0 ? count : kind == 1 ? count == (int)b->alive : count > 0;
        for (auto &t : b->threads)
            t->value = (uint64_t)out;
    }
    block_barrier(what);
    return (int)running->value;
}

void grid_barrier() {
    grid *g = running->owner->home;
    check_same_barrier("the grid barrier");
    if (g->kind != cooperative)
        fault("a grid barrier in a launch that is not cooperative");
    unsigned threads = g->block_size.x * g->block_size.y * g->block_size.z;
    unsigned all = g->size.x * g->size.y * g->size.z * threads;
    for (auto &b : current->resident)
        if (b->home == g && b->exited)
            fault("a grid barrier waits for threads of block %u that have left", b->index);
    if (++g->at_grid < all) {
        running->owner->waiting++;
        wait(state::at_grid, "the grid barrier");
        return;
    }
    g->at_grid = 0;
    running->now = state::ready;
    for (auto &b : current->resident)
        if (b->home == g)
            release_block(b.get());
    yield();
}

void cluster_barrier() {
    unsigned arrived = 1, all = 0;
    check_same_barrier("the cluster barrier");
    for (block *b : *running->owner->cluster) {
        all += (unsigned)b->threads.size();
        if (b->exited)
            fault("a cluster barrier waits for threads of block %u that have left", b->index);
        for (auto &t : b->threads)
            arrived += t->now == state::at_cluster;
    }
    if (arrived < all) {
        running->owner->waiting++;
        wait(state::at_cluster, "the cluster barrier");
        return;
    }
    for (block *b : *running->owner->cluster)
        release_block(b);
    yield();
}

void *shared(const void *key, size_t bytes, size_t align) {
    (void)align; /* arrays start at 256-byte boundaries */
    for (auto &a : running->owner->arrays)
        if (a.key == key && a.bytes == bytes)
            return a.memory;
    void *memory = memory_take(space::shared, bytes, running->owner);
    running->owner->arrays.push_back({key, memory, bytes});
    return memory;
}

void *shared_dynamic() {
    block *b = running->owner;
    if (!b->dynamic)
        b->dynamic = memory_take(space::shared, b->home->shared_bytes, b);
    return b->dynamic;
}

void *cluster_map(void *mine, unsigned rank) {
    const void *start;
    size_t offset = memory_offset(mine, &start);
    block *other = (*running->owner->cluster)[rank];
    if (running->owner->dynamic == start && other->dynamic)
        return (char *)other->dynamic + offset;
    for (auto &a : running->owner->arrays)
        if (a.memory == start)
            for (auto &theirs : other->arrays)
                if (theirs.key == a.key && theirs.bytes == a.bytes)
                    return (char *)theirs.memory + offset;
    fault("block %u of the cluster has no such shared array yet: a cluster barrier must come first",
          rank);
}

} // namespace simt
