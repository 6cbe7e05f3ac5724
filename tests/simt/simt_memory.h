/* Device and shared memory with a shadow: bounds, written bytes, and for shared memory who touched
 * each byte last. Internal to the executor. */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace simt {

struct block;
struct thread;

enum class space { device, shared, pinned };

/* Held by runtime calls and by launches: several threads may upload. */
extern std::recursive_mutex one_at_a_time;
using turn = std::lock_guard<std::recursive_mutex>;

void *memory_take(space kind, size_t bytes, block *owner, int device = 0);
void memory_drop(void *start);
bool memory_owns(const void *start);           /* is it the start of a live allocation? */
bool memory_kind(const void *at, space *kind); /* of the allocation around it; false: none */
void memory_mark_written(void *at, size_t bytes);
bool memory_written(const void *at, size_t bytes); /* every byte of it */
/* The running thread stores to memory that may be another device's: checks, without a store. True: it
 * is another device's. */
bool memory_check_peer_store(const void *at, size_t bytes);
bool memory_has_peer_access(int from, int to); /* simt_runtime.cpp */
int memory_current_device();                   /* of the host thread; simt_runtime.cpp */
size_t memory_offset(const void *at, const void **start);

[[noreturn]] void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace simt
#endif
