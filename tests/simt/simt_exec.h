/* Threads, warps, blocks and grids of the executor. Internal. */
#ifndef SIMT_EXEC_H
#define SIMT_EXEC_H

#include "simt.h"
#include "simt_memory.h"

#include <boost/context/fiber.hpp>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace simt {

struct warp;
struct block;

enum class state : uint8_t { ready, in_collective, at_block, at_cluster, at_grid, done };

struct outcome { /* of a collective, until the last of its lanes enters another */
    lanes all;
    unsigned readers;
};

/* What a turn or an access reads fills one cache line: the next turn is another thread's. */
struct alignas(64) thread {
    boost::context::fiber body;
    block *owner = nullptr;
    warp *home = nullptr;
    outcome *result = nullptr;
    const char *what = ""; /* the collective or barrier it waits in */
    const char *stack_low = nullptr;
    unsigned linear = 0;
    int vote = 0; /* block_reduce: what it gave, then what came out */
    uint8_t lane = 0;
    state now = state::ready;
    bool watched = false; /* inside the kernel's own code */

    position pos;
    const char *stack_high = nullptr, *args_low = nullptr, *args_high = nullptr;
    uint32_t synced_with[32] = {}; /* warp.counter when it last met that lane, not all of them */
};

struct warp {
    struct collective { /* a collective that not all of its lanes have reached */
        const char *what;
        unsigned mask, arrived;
    };
    thread *lane[32] = {};
    std::vector<collective> collectives;
    uint64_t value[32];   /* what each lane gives */
    unsigned gone = ~0u;  /* lanes that left the kernel or never were */
    uint32_t counter = 0; /* collectives completed */
    uint32_t all_met = 0; /* counter when all 32 lanes last met */
};

/* A store to memory of another device that is not visible there yet. */
struct pending_store {
    char *at;
    unsigned char value[16];
    size_t bytes;
    unsigned block, thread; /* indices in the grid and in the block */
    uint32_t block_epoch, grid_epoch;
};

struct grid {
    std::string name;
    int device = 0;
    uint32_t epoch = 1;                 /* grid barriers passed */
    std::vector<pending_store> pending; /* in the order of the stores */
    dim3 size, block_size;
    unsigned cluster = 1;
    size_t shared_bytes = 0;
    launch_kind kind = plain;
    std::function<void()> body;
    std::vector<unsigned> unstarted; /* cluster numbers, in random order */
    unsigned live = 0, started = 0, at_grid = 0;
};

struct block {
    grid *home = nullptr;
    unsigned index = 0, rank = 0;
    uint32_t epoch = 1; /* barriers passed */
    unsigned alive = 0, exited = 0, waiting = 0, at_cluster = 0;
    const thread *first = nullptr; /* of those that wait at a barrier */
    std::vector<thread> threads;
    std::vector<warp> warps;
    struct array {
        const void *key;
        void *memory;
        size_t bytes;
    };
    std::vector<array> arrays;
    void *dynamic = nullptr;
    std::vector<block *> *cluster = nullptr;
};

/* nullptr in host code; another host thread may run such code meanwhile. __thread: unlike thread_local, needs no call
 * that asks whether it has its first value. */
extern __thread thread *running;

/* The grids of one launch from the host, its children included. */
struct machine {
    std::vector<std::unique_ptr<grid>> grids;
    std::vector<thread *> ready;
    std::vector<std::unique_ptr<block>> resident;
    std::vector<std::unique_ptr<std::vector<block *>>> clusters;
    size_t max_resident = 1;
    bool joint = false;
    unsigned slow = 0;   /* joint: which blocks get few turns, see is_slow() */
    size_t delivery = 0; /* turns between deliveries of a pending store; 0: at fences only */
};
extern machine *current;

extern uint64_t random_state;
inline size_t below(size_t bound) { /* a random number less than that, by SplitMix64 */
    uint64_t x = random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (size_t)((unsigned __int128)(x ^ (x >> 31)) * bound >> 64);
}
inline void maybe_yield(bool spin) { /* at an access: another thread may go first */
    if (running && running->watched && below(spin ? 4 : 64) == 0)
        yield();
}
void deliver_all(grid *g);     /* its pending stores */
void deliver_some(machine *m); /* now and then one of them */

inline void make_ready(thread *t) {
    t->now = state::ready;
    current->ready.push_back(t);
}
void drop_outcome(thread *t);          /* the running thread reads it no longer */
void wait(state s, const char *what);  /* the running thread, until another thread makes it ready */
void release_block(block *b);          /* all that stand at a barrier */
bool launch_fails(const char *kernel); /* as the test ordered; the launch does nothing */

} // namespace simt
#endif
