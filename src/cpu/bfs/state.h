/* What the parallel breadth-first strategies of the CPU share: the state of one traversal and the
 * steps that take it one level further. A strategy is a rule that says which step comes next.
 *
 * A frontier is either a stretch of the queue (b->head .. b->tail) or the bitmap `front`. The
 * bitmap of visited vertices (128 KB for a million) is the only thing that is looked up at random
 * and stays in the second-level cache; level and parent are only written. Vertices without in-edges
 * count as visited from the start, since nothing can find them; fri_bfs_finish sets them right.
 */
#ifndef FRI_CPU_BFS_STATE_H
#define FRI_CPU_BFS_STATE_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "base/team.h"
#include "core/strategy.h"

enum {
    FRI_BFS_BUFFER = 4096, /* vertices that a lane collects before they go to the queue */
    FRI_BFS_WORDS = 64,    /* words of a bitmap that are taken at a time: 64 * 64 = one buffer */
    FRI_BFS_HUB = 16384,   /* a row from this many edges on is shared by all members */
    FRI_BFS_PREFETCH = 12  /* rows prefetched ahead: about a memory access at 10 ns a row */
};

/* Rows of a graph. `offsets32`: the same offsets in 32 bits, half the memory to read; NULL:
   none. */
typedef struct fri_bfs_csr {
    const uint32_t *offsets32;
    const int64_t *offsets64;
    const int32_t *targets;
} fri_bfs_csr;

static inline int64_t fri_bfs_row_begin(fri_bfs_csr rows, int32_t v) {
    return rows.offsets32 ? (int64_t)rows.offsets32[v] : rows.offsets64[v];
}
static inline int64_t fri_bfs_degree(fri_bfs_csr rows, int32_t v) {
    return fri_bfs_row_begin(rows, v + 1) - fri_bfs_row_begin(rows, v);
}
static inline void fri_bfs_prefetch_offset(fri_bfs_csr rows, int32_t v) {
    __builtin_prefetch(rows.offsets32 ? (const void *)(rows.offsets32 + v)
                                      : (const void *)(rows.offsets64 + v));
}

typedef enum fri_bfs_step {
    FRI_BFS_DONE,        /* nothing more to do */
    FRI_BFS_SERIAL,      /* queue -> queue, by member 0 alone */
    FRI_BFS_PUSH_QUEUE,  /* queue -> queue, top-down */
    FRI_BFS_PUSH_BITMAP, /* queue or bitmap -> bitmap, top-down */
    FRI_BFS_PULL,        /* bitmap -> bitmap, bottom-up */
    FRI_BFS_TO_BITMAP,   /* the frontier itself, queue -> bitmap */
    FRI_BFS_TO_QUEUE     /* bitmap -> queue */
} fri_bfs_step;

struct fri_bfs;
/* A strategy: given the state before a level (or between a conversion and its level), what next.
 * Member 0 calls it; it is never asked when the traversal is over. */
typedef fri_bfs_step (*fri_bfs_policy)(struct fri_bfs *b);

/* One member's part of a level; a line of its own, so that counting does not share lines. */
typedef struct fri_bfs_worker {
    _Alignas(FRI_CACHE_LINE) int64_t vertices, edges; /* found, and the edges leaving them */
    int64_t examined, targets;                        /* edges looked at, targets found */
    int64_t flushes, from, to;                        /* what it put into the queue, last place */
    uint64_t *found;                                  /* bitmap; zero between levels */
    int32_t *buffer;                                  /* [FRI_BFS_BUFFER] */
} fri_bfs_worker;

typedef struct fri_bfs {
    fri_job *job;
    fri_bfs_csr out, in;
    const int32_t *hub_parents; /* the in-neighbour to try first, or NULL */
    int32_t n;
    int64_t words; /* of each bitmap */
    int64_t max_degree;
    uint64_t *no_in; /* vertices without in-edge, and the bits past n */
    int64_t with_in; /* vertices with an in-edge */
    uint64_t *visited, *front, *next;
    int32_t *queue;          /* [n + 1] */
    int32_t *hubs;           /* rows left to all members */
    fri_bfs_worker *workers; /* [job->threads] */
    int32_t *level, *parent; /* parent may be NULL */

    bool is_bitmap; /* the frontier is `front`, else queue[head .. tail) */
    int32_t depth;  /* level of the frontier */
    int64_t head, tail;
    int64_t vertices, edges; /* of the frontier; edges: -1 while unknown */
    int64_t left_vertices;   /* not visited, with in-edges */
    int64_t left_edges;      /* not examined: of the frontier and of what is not visited */
    int64_t targets_left;
    fr_status status;
    fri_bfs_policy policy;
    void *policy_state;   /* the strategy's own */
    fri_bfs_step step;    /* what all members do next */
    bool reuse_partition; /* each member goes on with what it put into the queue itself */
    bool team_is_up;
    fri_pace pace;
    int64_t paced; /* vertices and edges that the pace knows of */
    int64_t level_begin_ns;
    double expected_ns; /* by the rule, for the level that it begins; 0: nothing */

    _Alignas(FRI_CACHE_LINE) int64_t cursor;
    _Alignas(FRI_CACHE_LINE) int64_t hub_count;
    _Alignas(FRI_CACHE_LINE) int64_t queue_end; /* queue entries handed out */
} fri_bfs;

size_t fri_bfs_scratch(const fri_job *job, size_t extra);
/* Lays the state out at `memory` (of fri_bfs_scratch bytes); the extra bytes follow at *extra. */
fri_bfs *fri_bfs_prepare(fri_job *job, void *memory, void **extra);
/* One query from its sources to its outputs, by b->rule. */
fr_status fri_bfs_traverse(fri_bfs *b);
/* The out-edges of the frontier; counted (and kept) where they are not known. Member 0. */
int64_t fri_bfs_edges(fri_bfs *b);

/* Member 0, within a step that takes `total` pieces by b->cursor: asks whether to go on. */
void fri_bfs_ask(fri_bfs *b, int64_t work, int64_t total);

/* Member 0 alone: one level of a frontier in the queue; leaves b->edges at -1. */
void fri_bfs_serial_level(fri_bfs *b);
/* Steps: every member calls the same one, with a barrier before and after. */
void fri_bfs_push_queue(fri_bfs *b, fri_member me);
void fri_bfs_push_bitmap(fri_bfs *b, fri_member me);
void fri_bfs_pull(fri_bfs *b, fri_member me);
void fri_bfs_to_bitmap(fri_bfs *b, fri_member me);
void fri_bfs_to_queue(fri_bfs *b, fri_member me);

#endif
