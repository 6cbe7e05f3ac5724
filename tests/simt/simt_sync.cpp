/* Collectives, barriers and shared memory: where threads of the executor meet. */
#include "simt_exec.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace simt {

static std::vector<outcome *> free_outcomes;

static outcome *take_outcome() {
    if (free_outcomes.empty())
        return new outcome;
    outcome *o = free_outcomes.back();
    free_outcomes.pop_back();
    return o;
}

void drop_outcome(thread *t) {
    if (t->result && --t->result->readers == 0)
        free_outcomes.push_back(t->result);
    t->result = nullptr;
}

static void complete_collective(warp *w, unsigned mask) {
    outcome *o = take_outcome();
    uint32_t now = ++w->counter;
    o->all.mask = mask;
    o->readers = (unsigned)__builtin_popcount(mask);
    for (unsigned i = 0; i < 32; i++)
        o->all.value[i] = mask >> i & 1 ? w->value[i] : 0;
    if (mask == ~0u)
        w->all_met = now;
    for (unsigned i = 0; i < 32; i++) {
        if (!(mask >> i & 1))
            continue;
        thread *t = w->lane[i];
        t->result = o;
        for (unsigned j = 0; j < 32 && mask != ~0u; j++)
            t->synced_with[j] = mask >> j & 1 ? now : t->synced_with[j];
    }
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && w->lane[i] != running)
            make_ready(w->lane[i]);
    running->now = state::ready;
}

/* The collective that the running lane joins. Faults when a lane that it waits for is gone, or
 * stands in another one that waits for this lane. */
static warp::collective *join(warp *w, const char *what, unsigned mask) {
    const thread *t = running;
    unsigned others = mask & ~(1u << t->lane);
    warp::collective *mine = nullptr;
    if (others & w->gone)
        fault("%s with mask %08x waits for lane %d, which has left or never was", what, mask,
              __builtin_ctz(others & w->gone));
    for (auto &m : w->collectives) {
        if (m.mask == mask && (m.what == what || std::strcmp(m.what, what) == 0))
            mine = &m;
        else if (m.arrived & others && m.mask >> t->lane & 1)
            fault("divergent collective: lane %u is in %s with mask %08x, lane %d in %s with mask "
                  "%08x",
                  t->lane, what, mask, __builtin_ctz(m.arrived & others), m.what, m.mask);
    }
    if (mine)
        return mine;
    w->collectives.push_back({what, mask, 0});
    return &w->collectives.back();
}

const lanes &warp_collective(const char *what, unsigned mask, uint64_t value) {
    thread *t = running;
    if (!(mask >> t->lane & 1))
        fault("lane %u calls %s with mask %08x, which leaves it out", t->lane, what, mask);
    drop_outcome(t);
    t->home->value[t->lane] = value;
    warp::collective *m = join(t->home, what, mask);
    m->arrived |= 1u << t->lane;
    if (m->arrived == mask) {
        *m = t->home->collectives.back();
        t->home->collectives.pop_back();
        complete_collective(t->home, mask);
        yield();
    } else {
        wait(state::in_collective, what);
    }
    return t->result->all;
}

/* All that wait in a block stand at the same barrier: the first of them speaks for them. */
static void check_same_barrier(const char *what) {
    const thread *first = running->owner->first;
    if (running->owner->waiting && std::strcmp(first->what, what))
        fault("thread %u is at %s while thread %u is at %s", running->linear, what, first->linear,
              first->what);
}

/* The running thread, until the others have arrived. */
static void wait_at_barrier(state s, const char *what) {
    block *b = running->owner;
    if (b->waiting++ == 0)
        b->first = running;
    wait(s, what);
}

bool left_out(const char *file, int line) {
    static const char *const place = std::getenv("SIMT_WITHOUT");
    static std::set<std::string> said;
    if (!place)
        return false;
    std::string here = std::string(file) + ":" + std::to_string(line),
                end = std::string("/") + place;
    bool out =
        here.size() >= end.size() && here.compare(here.size() - end.size(), end.size(), end) == 0;
    if ((out || !*place) && said.insert(here).second)
        std::fprintf(stderr, "simt: %s the barrier at %s\n", out ? "without" : "with",
                     here.c_str());
    return out;
}

void block_barrier(const char *what) {
    block *b = running->owner;
    if (b->exited)
        fault("%s waits for %u threads that have left the kernel", what, b->exited);
    check_same_barrier(what);
    if (b->waiting + 1 < b->alive) {
        wait_at_barrier(state::at_block, what);
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
            count += t.vote;
        int out = kind == 0 ? count : kind == 1 ? count == (int)b->alive : count > 0;
        for (auto &t : b->threads)
            t.vote = out;
    }
    block_barrier(what);
    return running->vote;
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
        wait_at_barrier(state::at_grid, "the grid barrier");
        return;
    }
    g->at_grid = 0;
    g->epoch++;
    running->now = state::ready;
    for (auto &b : current->resident)
        if (b->home == g)
            release_block(b.get());
    yield();
}

/* ---- stores to other devices ---- */

/* An earlier store to the same place becomes visible first. */
static void deliver(grid *g, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (g->pending[i].at == g->pending[index].at)
            index = i;
    const pending_store &p = g->pending[index];
    std::memcpy(p.at, p.value, p.bytes);
    memory_mark_written(p.at, p.bytes);
    g->pending.erase(g->pending.begin() + (std::ptrdiff_t)index);
}

void deliver_all(grid *g) {
    for (const pending_store &p : g->pending) {
        std::memcpy(p.at, p.value, p.bytes);
        memory_mark_written(p.at, p.bytes);
    }
    g->pending.clear();
}

void deliver_some(machine *m) {
    for (auto &g : m->grids)
        if (m->delivery && !g->pending.empty() && below(m->delivery) == 0)
            deliver(g.get(), below(g->pending.size()));
}

void peer_store(void *at, const void *value, size_t bytes) {
    const thread *t = running;
    if (!memory_check_peer_store(at, bytes)) {
        system_store(at, value, bytes);
        return;
    }
    pending_store p = {(char *)at,           {}, bytes, t->owner->index, t->linear, t->owner->epoch,
                       t->owner->home->epoch};
    std::memcpy(p.value, value, bytes);
    t->owner->home->pending.push_back(p);
}

void system_store(void *at, const void *value, size_t bytes) {
    yield();
    memory_check_peer_store(at, bytes);
    memory_mark_written(at, bytes);
    unwatched whole;
    std::memcpy(at, value, bytes);
}

void system_fence() {
    const thread *t = running;
    grid *g = t->owner->home;
    std::vector<pending_store> left;
    yield();
    for (const pending_store &p : g->pending) {
        const bool own_block = p.block == t->owner->index;
        if ((own_block && (p.thread == t->linear || p.block_epoch < t->owner->epoch)) ||
            p.grid_epoch < g->epoch) {
            std::memcpy(p.at, p.value, p.bytes);
            memory_mark_written(p.at, p.bytes);
        } else
            left.push_back(p);
    }
    g->pending.swap(left);
}

void cluster_barrier() {
    unsigned arrived = 1, all = 0;
    check_same_barrier("the cluster barrier");
    for (block *b : *running->owner->cluster) {
        all += (unsigned)b->threads.size();
        if (b->exited)
            fault("a cluster barrier waits for threads of block %u that have left", b->index);
        arrived += b->at_cluster;
    }
    if (arrived < all) {
        running->owner->at_cluster++;
        wait_at_barrier(state::at_cluster, "the cluster barrier");
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
