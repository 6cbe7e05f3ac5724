/* The scheduler: one fiber per thread, and which fiber runs next. */
#include "simt_exec.h"
#include "simt_runtime.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>

namespace simt {

__thread thread *running;
uint64_t random_state = 1;

namespace {

/* Stacks are reused: a launch has thousands of threads. Their tops differ in the address bits that choose a set of the
 * first cache, 64 sets of 64 bytes; else all stacks would share a few sets. */
constexpr size_t STACK = 128 << 10, LINE = 64, SETS = 64;
std::vector<char *> free_stacks;
size_t stacks;
struct stack_pool {
    thread *owner;
    boost::context::stack_context allocate() {
        char *low;
        if (free_stacks.empty())
            low = (char *)std::malloc(STACK + LINE * SETS) + stacks++ * 5 % SETS * LINE;
        else {
            low = free_stacks.back();
            free_stacks.pop_back();
        }
        boost::context::stack_context c;
        c.size = STACK;
        c.sp = low + STACK;
        owner->stack_low = low;
        owner->stack_high = low + STACK;
        return c;
    }
    void deallocate(boost::context::stack_context &c) {
        free_stacks.push_back((char *)c.sp - STACK);
    }
};

boost::context::fiber scheduler; /* where a thread's yield goes to */

void to_scheduler() { scheduler = std::move(scheduler).resume(); }

} // namespace

machine *current;

void wait(state s, const char *what) {
    running->now = s;
    running->what = what;
    to_scheduler();
}

void release_block(block *b) {
    b->epoch++;
    b->waiting = b->at_cluster = 0;
    for (auto &t : b->threads)
        if (t.now == state::at_block || t.now == state::at_cluster || t.now == state::at_grid)
            make_ready(&t);
}

namespace {

const char *state_name(state s) {
    switch (s) {
    case state::in_collective: return "a collective";
    case state::at_block: return "a block barrier";
    case state::at_cluster: return "a cluster barrier";
    case state::at_grid: return "a grid barrier";
    default: return "nothing";
    }
}

void report_deadlock() {
    const thread *example = nullptr;
    unsigned waiting = 0;
    for (auto &b : current->resident)
        for (auto &t : b->threads)
            if (t.now != state::done) {
                waiting++;
                if (!example)
                    example = &t;
            }
    fault("deadlock: %u threads wait and none can continue; thread %u of block %u of device %d "
          "waits at %s in %s of kernel %s, which not every thread reached",
          waiting, example->linear, example->owner->index, example->owner->home->device,
          example->what, state_name(example->now), example->owner->home->name.c_str());
}

void enter(thread *t) {
    t->owner->home->body();
    if (t->owner->waiting)
        fault("thread %u leaves the kernel while %u threads of its block wait at a barrier",
              t->linear, t->owner->waiting);
    t->now = state::done;
    drop_outcome(t);
    t->home->gone |= 1u << t->lane;
    t->owner->exited++;
    t->owner->alive--;
}

void start_thread(block *b, unsigned linear) {
    thread *t = &b->threads[linear];
    grid *g = b->home;
    t->linear = linear;
    t->lane = (uint8_t)(linear % 32);
    t->owner = b;
    t->home = &b->warps[linear / 32];
    t->home->lane[t->lane] = t;
    t->home->gone &= ~(1u << t->lane);
    position &p = t->pos;
    p.block_dim = g->block_size;
    p.grid_dim = g->size;
    p.thread = {linear % g->block_size.x, linear / g->block_size.x % g->block_size.y,
                linear / g->block_size.x / g->block_size.y};
    p.block = {b->index % g->size.x, b->index / g->size.x % g->size.y,
               b->index / g->size.x / g->size.y};
    p.cluster_rank = b->rank;
    p.cluster_size = g->cluster;
    t->body =
        boost::context::fiber(std::allocator_arg, stack_pool{t}, [t](boost::context::fiber &&from) {
            scheduler = std::move(from);
            enter(t);
            return std::move(scheduler);
        });
    current->ready.push_back(t);
}

void start_cluster(grid *g) {
    unsigned number = g->unstarted.back();
    g->unstarted.pop_back();
    current->clusters.push_back(std::make_unique<std::vector<block *>>());
    auto *group = current->clusters.back().get();
    unsigned threads = g->block_size.x * g->block_size.y * g->block_size.z;
    for (unsigned rank = 0; rank < g->cluster; rank++) {
        current->resident.push_back(std::make_unique<block>());
        block *b = current->resident.back().get();
        b->home = g;
        b->index = number * g->cluster + rank;
        b->rank = rank;
        b->cluster = group;
        b->alive = threads;
        b->warps.resize((threads + 31) / 32);
        b->threads = std::vector<thread>(threads);
        group->push_back(b);
        g->live++;
        g->started++;
        for (unsigned i = 0; i < threads; i++)
            start_thread(b, i);
    }
}

void finish_block(block *b) {
    for (auto &a : b->arrays)
        memory_drop(a.memory);
    if (b->dynamic)
        memory_drop(b->dynamic);
    b->arrays.clear();
    b->dynamic = nullptr;
    b->home->live--;
    if (!b->home->live && b->home->unstarted.empty()) /* the end of a kernel */
        deliver_all(b->home);
}

/* Blocks are dropped only when their whole cluster is done: its shared memory may be mapped. */
void sweep() {
    for (auto &group : current->clusters) {
        bool over = !group->empty();
        for (block *b : *group)
            over = over && b->alive == 0;
        if (!over)
            continue;
        for (block *b : *group) {
            finish_block(b);
            auto &all = current->resident;
            all.erase(std::find_if(all.begin(), all.end(),
                                   [b](const std::unique_ptr<block> &x) { return x.get() == b; }));
        }
        group->clear();
    }
    auto &groups = current->clusters;
    groups.erase(
        std::remove_if(groups.begin(), groups.end(), [](const auto &g) { return g->empty(); }),
        groups.end());
}

/* Starts blocks while there is capacity; a cooperative grid starts as a whole. */
bool start_some() {
    bool any = false;
    for (auto &g : current->grids)
        while (!g->unstarted.empty() &&
               (g->kind == cooperative || current->resident.size() < current->max_resident)) {
            start_cluster(g.get());
            any = true;
        }
    return any;
}

std::unique_ptr<grid> make_grid(const char *name, launch_kind kind, int device, dim3 size,
                                dim3 block_size, unsigned cluster, size_t shared_bytes,
                                std::function<void()> body) {
    unsigned blocks = size.x * size.y * size.z;
    unsigned threads = block_size.x * block_size.y * block_size.z;
    if (!blocks || !threads || threads > 1024)
        fault("launch of %s with %u blocks of %u threads", name, blocks, threads);
    if (cluster == 0 || blocks % cluster)
        fault("launch of %s: %u blocks are no whole number of clusters of %u", name, blocks,
              cluster);
    auto g = std::make_unique<grid>();
    g->name = name;
    g->device = device;
    g->kind = kind;
    g->size = size;
    g->block_size = block_size;
    g->cluster = cluster;
    g->shared_bytes = shared_bytes;
    g->body = std::move(body);
    for (unsigned i = 0; i < blocks / cluster; i++)
        g->unstarted.push_back(i);
    return g;
}

void add_grid(std::unique_ptr<grid> g) {
    for (size_t i = g->unstarted.size(); i > 1; i--)
        std::swap(g->unstarted[i - 1], g->unstarted[below(i)]);
    current->grids.push_back(std::move(g));
}

/* A quarter of the blocks, or on some schedules none: others pass a barrier long before these. */
bool is_slow(const thread *t) {
    return (t->owner->index * 3 + (unsigned)t->owner->home->device) % 4 == current->slow;
}

void run_all() {
    while (start_some() || !current->ready.empty() || !current->resident.empty()) {
        if (current->ready.empty()) {
            size_t before = current->resident.size();
            sweep();
            if (current->resident.size() == before)
                report_deadlock();
            continue;
        }
        size_t pick = below(current->ready.size());
        if (current->joint && is_slow(current->ready[pick]))
            pick = below(current->ready.size());
        thread *t = current->ready[pick];
        current->ready[pick] = current->ready.back();
        current->ready.pop_back();
        running = t;
        t->body = std::move(t->body).resume();
        running = nullptr;
        if (current->delivery)
            deliver_some(current);
        if (t->now == state::done && t->owner->alive == 0)
            sweep();
    }
}

} // namespace

void launch(const char *name, launch_kind kind, dim3 size, dim3 block_size, unsigned cluster,
            size_t shared_bytes, std::function<void()> body) {
    turn mine(one_at_a_time);
    if (launch_fails(name))
        return;
    machine m;
    m.max_resident = 1 + below(4);
    current = &m;
    add_grid(make_grid(name, kind, memory_current_device(), size, block_size, cluster, shared_bytes,
                       std::move(body)));
    run_all();
    current = nullptr;
}

namespace {
std::mutex joint_lock;
std::condition_variable joint_ran;
std::vector<std::unique_ptr<grid>> joint_grids; /* launched, and waiting for the others */
uint64_t joint_runs;
bool joint_failed; /* a launch since the last run */
thread_local bool joint_collects; /* between joint_begin() and joint_end() */

/* With joint_lock. The order of devices, not of host threads, decides the schedule. */
void run_joint() {
    turn mine(one_at_a_time);
    machine m;
    const size_t deliveries[] = {0, 0, 2000, 16};
    m.delivery = deliveries[below(4)];
    m.joint = true;
    m.slow = (unsigned)below(8);
    current = &m;
    std::sort(joint_grids.begin(), joint_grids.end(),
              [](const auto &a, const auto &b) { return a->device < b->device; });
    for (auto &g : joint_grids)
        add_grid(std::move(g));
    joint_grids.clear();
    joint_failed = false;
    run_all();
    current = nullptr;
    joint_runs++;
    joint_ran.notify_all();
}

/* Waits until the launch runs; false: another device has not launched. The busier the machine, the later the
 * others launch; only after a launch that failed the wait is short. */
bool others_launch(std::unique_lock<std::mutex> &mine, uint64_t before) {
    const auto runs = [&] { return joint_runs > before; };
    if (!joint_ran.wait_for(mine, std::chrono::minutes(1), [&] { return runs() || joint_failed; }))
        return false;
    return joint_ran.wait_for(mine, std::chrono::seconds(1), runs);
}
} // namespace

int launch_together(const char *name, int devices, dim3 size, dim3 block_size, size_t shared_bytes,
                    std::function<void()> body) {
    const bool fails = simt_joint_launch_fails(memory_current_device());
    std::unique_lock<std::mutex> mine(joint_lock);
    if (fails) {
        joint_failed = true;
        joint_ran.notify_all();
        return cudaErrorLaunchFailure;
    }
    const uint64_t before = joint_runs;
    joint_grids.push_back(make_grid(name, cooperative, memory_current_device(), size, block_size, 1,
                                    shared_bytes, std::move(body)));
    if (joint_collects)
        return cudaSuccess;
    if (joint_grids.size() == (size_t)devices || !others_launch(mine, before))
        run_joint();
    return cudaSuccess;
}

void joint_begin() { joint_collects = true; }

void joint_end() {
    std::unique_lock<std::mutex> mine(joint_lock);
    joint_collects = false;
    if (!joint_grids.empty()) /* one that failed to launch is missing */
        run_joint();
}

void spawn_child(dim3 size, dim3 block_size, size_t shared_bytes, std::function<void()> body) {
    yield();
    add_grid(make_grid("child", plain, running->owner->home->device, size, block_size, 1,
                       shared_bytes, std::move(body)));
}

void begin_body(const void *arguments, size_t bytes) {
    running->args_low = (const char *)arguments;
    running->args_high = running->args_low + bytes;
    running->watched = true;
}
void end_body() { running->watched = false; }
unwatched::unwatched() : before(running->watched) { running->watched = false; }
unwatched::~unwatched() { running->watched = before; }

const position &self() { return running->pos; }
unsigned lane() { return running->lane; }

void yield() {
    if (!running)
        return;
    make_ready(running);
    to_scheduler();
}

} // namespace simt

extern "C" void simt_seed(uint64_t seed) { simt::random_state = seed * 0x9e3779b97f4a7c15u + 1; }
