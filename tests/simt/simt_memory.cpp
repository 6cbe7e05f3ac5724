/* The shadow memory and the calls that -fsanitize=thread plants in kernels. */
#include "simt_exec.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace simt {

std::recursive_mutex one_at_a_time;

namespace {

constexpr size_t ARENA = (size_t)8 << 30, GRANULE = 256;

struct touch { /* the last access of one kind to a byte of shared memory */
    thread *who = nullptr;
    uint32_t epoch = 0, counter = 0;
    bool several = false; /* reads: more than one thread since the last write */
};
struct cell {
    touch wrote, read;
    uint64_t lifetime = 0; /* of the array that they belong to; another's: it was not touched yet */
};

struct allocation {
    char *start;
    size_t bytes, reserved;
    space kind;
    block *owner;
    int device;
    std::vector<uint8_t> written;
    cell *cells; /* [bytes] shared memory only */
    uint64_t lifetime;
};

char *arena;
uint32_t *owner_of; /* [granules]: allocation number, 0: none */
std::vector<allocation *> allocations{nullptr};
std::vector<uint32_t> free_numbers;
std::multimap<size_t, char *> free_ranges;
std::multimap<size_t, cell *> free_cells; /* by bytes; as the array before left them */
uint64_t lives;
size_t used;

void start_arena() {
    if (arena)
        return;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    arena = (char *)mmap(nullptr, ARENA, PROT_READ | PROT_WRITE, flags, -1, 0);
    owner_of = (uint32_t *)mmap(nullptr, ARENA / GRANULE * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                                flags, -1, 0);
    if (arena == MAP_FAILED || owner_of == MAP_FAILED)
        fault("the executor got no address space");
}

bool in_arena(const void *p) { return (size_t)((const char *)p - arena) < ARENA && arena; }

allocation *find(const void *p) {
    return allocations[owner_of[(size_t)((const char *)p - arena) / GRANULE]];
}

/* A thread's own stack, arguments and indices, what a collective gave it, and the program's static data are not device
 * memory but may be used. */
bool is_private(const char *p) {
    extern char lowest __asm__("__executable_start"), highest __asm__("_end");
    return (p >= (const char *)running && p < (const char *)(running + 1)) ||
           (p >= running->stack_low && p < running->stack_high) ||
           (running->result && p >= (const char *)running->result &&
            p < (const char *)(running->result + 1)) ||
           (p >= running->args_low && p < running->args_high) || (p >= &lowest && p < &highest);
}

const char *space_name(space kind) {
    return kind == space::shared ? "shared" : kind == space::pinned ? "pinned" : "device";
}

allocation *checked(const void *at, size_t bytes, const char *verb) {
    if (!in_arena(at)) {
        if (running && !is_private((const char *)at))
            fault("%s of %zu bytes at %p, which is host memory or nothing", verb, bytes, at);
        return nullptr;
    }
    allocation *a = find(at);
    if (!a) /* in the red granule behind an array? then name the array */
        a = find((const char *)at - ((size_t)((const char *)at - arena) >= GRANULE ? GRANULE : 0));
    if (!a)
        fault("%s of %zu bytes outside every allocation", verb, bytes);
    size_t offset = (size_t)((const char *)at - a->start);
    if ((const char *)at < a->start || offset + bytes > a->bytes)
        fault("%s of %zu bytes at offset %zu of a %s array of %zu bytes", verb, bytes, offset,
              space_name(a->kind), a->bytes);
    if (a->kind == space::shared && running && a->owner != running->owner &&
        (!running->owner->cluster || a->owner->cluster != running->owner->cluster))
        fault("%s of another block's shared memory", verb);
    return a;
}

/* Did a barrier or collective come between that access and now? */
bool ordered(const touch &before) {
    if (!before.who || before.who == running || before.epoch != running->owner->epoch)
        return true;
    return before.who->home == running->home &&
           (running->home->all_met > before.counter ||
            running->synced_with[before.who->lane] > before.counter);
}

/* Also by several warps? */
bool ordered_reads(const touch &read) {
    return ordered(read) && !(read.several && read.epoch == running->owner->epoch);
}

void check_race(allocation *a, size_t offset, size_t bytes, bool write) {
    if (a->owner != running->owner)
        return; /* another block of the cluster: bounds only */
    touch now{running, running->owner->epoch, running->home->counter, false};
    for (size_t i = offset; i < offset + bytes; i++) {
        cell &c = a->cells[i];
        if (c.lifetime != a->lifetime)
            c = {{}, {}, a->lifetime};
        bool bad_write = !ordered(c.wrote);
        bool bad_read = write && !ordered_reads(c.read);
        if (bad_write || bad_read)
            fault(
                "race on shared memory at byte %zu of %zu: thread %u %s what thread %u %s, and no "
                "barrier stands between",
                i, a->bytes, running->linear, write ? "writes" : "reads",
                (bad_write ? c.wrote : c.read).who->linear, bad_write ? "wrote" : "read");
        if (write)
            c = {now, {}, a->lifetime};
        else if (c.read.who && c.read.who->home != running->home &&
                 c.read.epoch == running->owner->epoch)
            c.read.several = true, c.read.epoch = running->owner->epoch;
        else
            c.read = now;
    }
}

[[noreturn]] void fault_unwritten(const allocation *a, size_t offset) {
    while (a->written[offset])
        offset++;
    fault("read of %s memory that was never written (offset %zu of %zu)", space_name(a->kind),
          offset, a->bytes);
}

/* Whether the running thread accesses memory of another device; reports a fault without peer access. */
bool check_peer(const allocation *a, const char *verb) {
    const int here = running->owner->home->device;
    if (a->kind != space::device || a->device == here)
        return false;
    if (!memory_has_peer_access(here, a->device))
        fault("%s of memory of device %d by device %d, which has no peer access", verb, a->device,
              here);
    return true;
}

bool all_written(const uint8_t *marks, size_t bytes) {
    const uint64_t ones = 0x0101010101010101u;
    uint64_t eight = ones;
    for (; bytes >= 8; bytes -= 8, marks += 8) {
        std::memcpy(&eight, marks, 8);
        if (eight != ones)
            return false;
    }
    for (; bytes; bytes--)
        if (!*marks++)
            return false;
    return true;
}

/* With a constant number of bytes: division and loops are not left over. */
__attribute__((always_inline)) inline void access(const void *at, size_t bytes, bool write,
                                                  bool racy) {
    if (!running || !running->watched)
        return;
    allocation *a = checked(at, bytes, write ? "write" : "read");
    if (!a)
        return;
    if (check_peer(a, write ? "write" : "read") && write)
        fault("a plain store or atomic to memory of device %d by device %d: fri_peer_store and "
              "fri_system_store are for it",
              a->device, running->owner->home->device);
    size_t offset = (size_t)((const char *)at - a->start);
    /* of a kernel: the host's copies need no alignment */
    if (offset % bytes && bytes <= 16 && (bytes & (bytes - 1)) == 0)
        fault("misaligned %s of %zu bytes at offset %zu", write ? "write" : "read", bytes, offset);
    if (!write && !all_written(&a->written[offset], bytes))
        fault_unwritten(a, offset);
    if (a->kind == space::shared && !racy)
        check_race(a, offset, bytes, write);
    if (write)
        std::memset(&a->written[offset], 1, bytes);
}

} // namespace

void fault(const char *format, ...) {
    std::fprintf(stderr, "simt: ");
    va_list args;
    va_start(args, format);
    std::vfprintf(stderr, format, args);
    va_end(args);
    if (running)
        std::fprintf(stderr, " [kernel %s, device %d, block %u, thread %u]",
                     running->owner->home->name.c_str(), running->owner->home->device,
                     running->owner->index, running->linear);
    std::fprintf(stderr, "\n");
    std::fflush(stderr);
    _exit(SIMT_FAULT);
}

static cell *take_cells(size_t bytes) {
    auto kept = free_cells.find(bytes);
    if (kept == free_cells.end())
        return new cell[bytes];
    cell *cells = kept->second;
    free_cells.erase(kept);
    return cells;
}

void *memory_take(space kind, size_t bytes, block *owner, int device) {
    start_arena();
    size_t reserved = (bytes + 2 * GRANULE - 1) / GRANULE * GRANULE; /* a red granule behind */
    char *start;
    auto hole = free_ranges.find(reserved);
    if (hole != free_ranges.end()) {
        start = hole->second;
        free_ranges.erase(hole);
    } else {
        if (used + reserved > ARENA)
            return nullptr;
        start = arena + used;
        used += reserved;
    }
    auto *a = new allocation{start,
                             bytes,
                             reserved,
                             kind,
                             owner,
                             device,
                             std::vector<uint8_t>(bytes, kind == space::pinned),
                             nullptr,
                             ++lives};
    if (kind == space::shared)
        a->cells = take_cells(bytes);
    std::memset(start, 0xA5, bytes); /* unwritten memory must not look like zero */
    uint32_t number;
    if (free_numbers.empty()) {
        number = (uint32_t)allocations.size();
        allocations.push_back(a);
    } else {
        number = free_numbers.back();
        free_numbers.pop_back();
        allocations[number] = a;
    }
    for (size_t g = 0; g < (bytes + GRANULE - 1) / GRANULE; g++)
        owner_of[(size_t)(start - arena) / GRANULE + g] = number;
    if (!bytes)
        owner_of[(size_t)(start - arena) / GRANULE] = number;
    return start;
}

bool memory_owns(const void *start) {
    return in_arena(start) && find(start) && find(start)->start == start;
}

bool memory_kind(const void *at, space *kind) {
    allocation *a = in_arena(at) ? find(at) : nullptr;
    if (!a || (const char *)at >= a->start + a->bytes)
        return false;
    *kind = a->kind;
    return true;
}

void memory_drop(void *start) {
    if (!memory_owns(start))
        fault("free of %p, which is not the start of an allocation", start);
    size_t first = (size_t)((char *)start - arena) / GRANULE;
    uint32_t number = owner_of[first];
    allocation *a = allocations[number];
    for (size_t g = first; g < first + a->reserved / GRANULE; g++)
        owner_of[g] = 0;
    if (a->reserved > ((size_t)1 << 20)) /* big pages go back to the system */
        madvise((void *)(((uintptr_t)start + 4095) & ~(uintptr_t)4095), a->reserved - 4096,
                MADV_DONTNEED);
    free_ranges.emplace(a->reserved, a->start);
    if (a->cells)
        free_cells.emplace(a->bytes, a->cells);
    allocations[number] = nullptr;
    free_numbers.push_back(number);
    delete a;
}

void memory_mark_written(void *at, size_t bytes) {
    if (!bytes || !in_arena(at))
        return;
    allocation *a = checked(at, bytes, "copy");
    std::memset(&a->written[(size_t)((char *)at - a->start)], 1, bytes);
}

bool memory_written(const void *at, size_t bytes) {
    if (!bytes || !in_arena(at))
        return true;
    allocation *a = checked(at, bytes, "copy");
    return all_written(&a->written[(size_t)((const char *)at - a->start)], bytes);
}

size_t memory_offset(const void *at, const void **start) {
    allocation *a = find(at);
    *start = a->start;
    return (size_t)((const char *)at - a->start);
}

bool memory_check_peer_store(const void *at, size_t bytes) {
    allocation *a = checked(at, bytes, "write");
    if (!a)
        fault("a store for another device to %p, which is host memory or nothing", at);
    if ((size_t)((const char *)at - a->start) % bytes)
        fault("misaligned write of %zu bytes to memory of device %d", bytes, a->device);
    return check_peer(a, "write");
}

void check_atomic(const void *at, size_t bytes) {
    if (!running)
        return;
    access(at, bytes, false, true);
    access(at, bytes, true, true);
    if (!running->watched)
        return;
    allocation *a = checked(at, bytes, "atomic");
    if (!a || a->kind != space::shared || a->owner != running->owner)
        return;
    size_t offset = (size_t)((const char *)at - a->start);
    for (size_t i = offset; i < offset + bytes; i++) {
        const cell &c = a->cells[i];
        const bool bad_write = !ordered(c.wrote);
        if (c.lifetime == a->lifetime && (bad_write || !ordered_reads(c.read)))
            fault("race on shared memory at byte %zu of %zu: an atomic of thread %u meets what "
                  "thread %u %s, and no barrier stands between",
                  i, a->bytes, running->linear, (bad_write ? c.wrote : c.read).who->linear,
                  bad_write ? "wrote" : "read");
    }
}

} // namespace simt

/* What the compiler calls. Volatile accesses may race; plain ones may not (in shared memory). Every
 * so often a plain or volatile access lets another thread go first. */
using simt::access;
extern "C" {
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *);
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **, void *);
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **);
void __tsan_vptr_read(void **) {}
#define HOOKS(size)                                                                                \
    void __tsan_read##size(void *p);                                                               \
    void __tsan_read##size(void *p) { simt::maybe_yield(false), access(p, size, false, false); }   \
    void __tsan_write##size(void *p);                                                              \
    void __tsan_write##size(void *p) { simt::maybe_yield(false), access(p, size, true, false); }   \
    void __tsan_volatile_read##size(void *p);                                                      \
    void __tsan_volatile_read##size(void *p) {                                                     \
        simt::maybe_yield(true), access(p, size, false, true);                                     \
    }                                                                                              \
    void __tsan_volatile_write##size(void *p);                                                     \
    void __tsan_volatile_write##size(void *p) {                                                    \
        simt::maybe_yield(true), access(p, size, true, true);                                      \
    }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS
void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        access((char *)p + i, 1, false, false);
}
void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        access((char *)p + i, 1, true, false);
}
}
