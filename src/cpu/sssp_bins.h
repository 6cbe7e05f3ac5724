/* Buckets of vertices for the SSSP strategies: chunks from one pool that never grows.
 *
 * Idea: each thread has its own bins, a ring of FRI_BINS buckets and a far bin for what lies
 *   beyond the ring. A bin is a list of chunks; a chunk that is full is followed by another from
 *   the thread's free list or from the pool. When the pool is dry an entry is dropped and `dry`
 *   is set: the strategy then rebuilds the bins from its distances, which the pool always has
 *   room for, because a vertex enters once.
 */
#ifndef FRI_SSSP_BINS_H
#define FRI_SSSP_BINS_H

#include "base/team.h"
#include "run/strategy.h"

enum {
    FRI_BINS = 1024, /* of the ring; a power of two */
    FRI_FAR = FRI_BINS,
    FRI_CHUNK_BYTES = 256,
    FRI_POOL_GRAB = 8 /* chunks taken from the shared pool at a time */
};

typedef struct {
    uint32_t next, count; /* next: chunk number, 0: none */
} fri_chunk;

typedef struct {
    _Alignas(FRI_CACHE_LINE) uint32_t head[FRI_BINS + 1]; /* first chunk; 0: empty */
    uint64_t used[FRI_BINS / 64];                         /* bins that are not empty */
    int64_t base;                       /* the ring covers buckets base .. base + FRI_BINS - 1 */
    int64_t far_least;                  /* least bucket in the far bin; INT64_MAX: empty */
    uint32_t free;                      /* list of chunks */
    uint32_t fresh, fresh_end;          /* chunks taken from the pool, not yet used */
    bool dropped;                       /* an entry found no room */
    int64_t examined, relaxed, visited; /* edges, distances lowered, vertices processed */
} fri_bins;

typedef struct {
    char *chunks;
    uint32_t count;                          /* chunks 1 .. count-1 */
    _Alignas(FRI_CACHE_LINE) uint32_t taken; /* by all threads together */
} fri_pool;

static inline fri_chunk *fri_chunk_at(const fri_pool *pool, uint32_t number) {
    return (fri_chunk *)(void *)(pool->chunks + (size_t)number * FRI_CHUNK_BYTES);
}

/* Chunks for n vertices, `room` times what a rebuild needs, with `entry` bytes per entry. */
uint32_t fri_pool_chunks(int32_t n, int threads, size_t entry, double room);

void fri_bins_reset(fri_bins *bins, int64_t base);
/* A chunk for the head of `bin`, or NULL: the pool is dry, bins->dropped is set. */
fri_chunk *fri_bins_grow(fri_bins *bins, fri_pool *pool, uint32_t bin);
/* The least bucket that holds anything; INT64_MAX: none. */
int64_t fri_bins_least(const fri_bins *bins);

static inline void fri_chunk_release(fri_bins *bins, fri_chunk *chunk, uint32_t number) {
    chunk->next = bins->free;
    bins->free = number;
}

#endif
