/* Buckets of vertices for the SSSP strategies: chunks from one pool that never grows.
 *
 * Idea: each thread has its own bins, a ring of FRI_BUCKETS buckets and a far bin for entries
 *   beyond the ring. A bin is a list of chunks; a chunk that is full is followed by another from
 *   the thread's free list or from the pool. When the pool is empty the entry is dropped and
 *   `overflow` is set: the strategy then rebuilds the bins from its distances, for which the pool
 *   is always large enough, because a vertex enters once.
 */
#ifndef FRI_CPU_SSSP_BUCKETS_H
#define FRI_CPU_SSSP_BUCKETS_H

#include "base/team.h"
#include "core/strategy.h"

enum {
    FRI_BUCKETS = 1024, /* in the ring; a power of two */
    FRI_FAR_BUCKET = FRI_BUCKETS,
    FRI_CHUNK_BYTES = 1024,
    FRI_POOL_BATCH = 8 /* chunks taken from the shared pool at a time */
};

typedef struct {
    uint32_t next, count; /* next: chunk number, 0: none */
} fri_bucket_chunk;

typedef struct {
    _Alignas(FRI_CACHE_LINE) uint32_t head[FRI_BUCKETS + 1]; /* first chunk; 0: empty */
    uint64_t used[FRI_BUCKETS / 64];                         /* bins that are not empty */
    int64_t base;                       /* the ring covers buckets base .. base + FRI_BUCKETS - 1 */
    int64_t far_min;                    /* smallest bucket in the far bin; INT64_MAX: empty */
    int64_t least;                      /* between rounds: the smallest bucket; INT64_MAX: none */
    uint32_t free;                      /* list of chunks */
    uint32_t fresh, fresh_end;          /* chunks taken from the pool, not yet used */
    bool overflow;                      /* an entry was dropped */
    int64_t examined, relaxed, visited; /* edges, distances lowered, vertices processed */
    int64_t before;                     /* examined at the start of the round */
} fri_buckets;

typedef struct {
    char *chunks;
    uint32_t count;                          /* chunks 1 .. count-1 */
    _Alignas(FRI_CACHE_LINE) uint32_t taken; /* by all threads together */
} fri_chunk_pool;

static inline fri_bucket_chunk *fri_bucket_chunk_at(const fri_chunk_pool *pool, uint32_t number) {
    return (fri_bucket_chunk *)(void *)(pool->chunks + (size_t)number * FRI_CHUNK_BYTES);
}

/* Chunks for n vertices, `pool_factor` times what a rebuild needs, with `entry` bytes per entry. */
uint32_t fri_chunk_pool_size(int32_t n, int threads, size_t entry, double pool_factor);

void fri_buckets_reset(fri_buckets *buckets, int64_t base);
/* A chunk for the head of `slot`, or NULL: the pool is empty, and buckets->overflow is set. */
fri_bucket_chunk *fri_buckets_grow(fri_buckets *buckets, fri_chunk_pool *pool, uint32_t slot);
/* The smallest bucket that is not empty; INT64_MAX: none. */
int64_t fri_buckets_min(const fri_buckets *buckets);

/* How many buckets a round of that many threads processes, if a bucket has `rate` edges and the last round had `span`
 * buckets; a pure function. Few edges are not worth the barriers of a round; a round of many that has
 * several buckets corrects more distances than one bucket would. */
int64_t fri_sssp_span(int64_t span, int64_t rate, int threads);

/* Edges that a thread examines in a round of that many before the round ends with the bucket that it is in: four times what
 * fri_sssp_span means it to examine. */
int64_t fri_sssp_enough(int threads);

static inline void fri_bucket_chunk_release(fri_buckets *buckets, fri_bucket_chunk *chunk,
                                            uint32_t number) {
    chunk->next = buckets->free;
    buckets->free = number;
}

#endif
