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

enum class state { ready, in_collective, at_block, at_cluster, at_grid, done };

struct thread {
    position pos;
    unsigned linear = 0, lane = 0;
    warp *home = nullptr;
    block *owner = nullptr;
    state now = state::ready;
    const char *what = ""; /* the collective or barrier it waits in */
    uint64_t value = 0;
    int vote = 0; /* block_reduce: what it gave, then what came out */
    lanes result;
    uint32_t synced_with[32] = {}; /* warp.counter when it last met that lane */
    boost::context::fiber body;
    const char *stack_low = nullptr, *stack_high = nullptr;
    const char *args_low = nullptr, *args_high = nullptr;
    bool watched = false; /* inside the kernel's own code */
};

struct warp {
    struct collective { /* a collective that not all of its lanes have reached */
        const char *what;
        unsigned mask, arrived;
    };
    thread *lane[32] = {};
    std::vector<collective> collectives;
    unsigned gone = ~0u;  /* lanes that left the kernel or never were */
    uint32_t counter = 0; /* collectives completed */
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
    std::vector<std::unique_ptr<thread>> threads;
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

extern thread_local thread *running; /* nullptr in host code */

/* The grids of one launch from the host, its children included. */
struct machine {
    std::vector<std::unique_ptr<grid>> grids;
    std::vector<thread *> ready;
    std::vector<std::unique_ptr<block>> resident;
    std::vector<std::unique_ptr<std::vector<block *>>> clusters;
    size_t max_resident = 1;
    bool joint = false;
    unsigned slow = 0;   /* joint: which blocks get few turns, see is_slow() */
    size_t delivery = 0; /* a pending store is delivered every so many turns; 0: at fences only */
};
extern machine *current;

size_t below(size_t bound);    /* a random number less than that */
void deliver_all(grid *g);     /* its pending stores */
void deliver_some(machine *m); /* now and then one of them */

void make_ready(thread *t);
void wait(state s, const char *what);  /* the running thread, until another thread makes it ready */
void release_block(block *b);          /* all that stand at a barrier */
bool launch_fails(const char *kernel); /* as the test ordered; the launch does nothing */

} // namespace simt
#endif
