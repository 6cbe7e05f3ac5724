/* The state of one traversal and the steps that advance it by a level, shared by the parallel
 * breadth-first strategies of the CPU. A strategy is a rule that chooses the next step.
 *
 * A frontier is either a range of the queue (b->head .. b->tail) or the bitmap `front`. Only the
 * bitmap of visited vertices (128 KB for a million) is read at random, and it stays in the
 * second-level cache; level and parent are only written. Vertices without in-edges count as visited
 * from the start, because no edge leads to them; the end corrects their entries. Until they are known
 * (fri_bfs_read_offsets, or the first bottom-up level of a query), every vertex counts as having some.
 *
 * Ranks (ranks/bfs.c) take the same steps: the frontier has slots of all ranks, of which a rank has the rows
 * in `out`, and the vertices found belong to this rank, with their rows in `in`.
 */
#ifndef FRI_CPU_BFS_STATE_H
#define FRI_CPU_BFS_STATE_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "base/team.h"
#include "core/strategy.h"
#include "cpu/bfs/cost_model.h"

enum {
    FRI_BFS_BUFFER = 4096, /* vertices that a member buffers before it appends them to the queue */
    FRI_BFS_WORDS = 64,    /* words of a bitmap taken at a time: 64 * 64 = one buffer */
    FRI_BFS_HUB = 16384,   /* a row of at least this many edges is shared by all members */
    FRI_BFS_PREFETCH = 12, /* rows prefetched ahead, about the latency of memory */
    FRI_BFS_BLOCK = 512,   /* vertices of a block: a cache line of a bitmap */
    FRI_BFS_REUSE =
        1 << 14, /* entries of the queue after which its start is used again: they fit the cache */
    FRI_BFS_BLOCK_WORDS = FRI_BFS_BLOCK / 64
};

/* Blocks of a bitmap of that many words. */
static inline int64_t fri_bfs_blocks(int64_t words) {
    return (words + FRI_BFS_BLOCK_WORDS - 1) / FRI_BFS_BLOCK_WORDS;
}

/* Rows of a graph. `offsets32`: the same offsets in 32 bits, half the memory to read; NULL:
 * none. */
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
FRI_PREFETCHER fri_bfs_prefetch_offset(fri_bfs_csr rows, int64_t v) {
    __builtin_prefetch(rows.offsets32 ? (const void *)(rows.offsets32 + v)
                                      : (const void *)(rows.offsets64 + v));
}

/* Lists the vertices of words begin .. end of a bitmap; returns their number. */
static inline int64_t fri_bfs_list_bits(const uint64_t *map, int64_t begin, int64_t end,
                                        int32_t *list) {
    int64_t count = 0;
    for (int64_t w = begin; w < end; w++)
        for (uint64_t bits = map[w]; bits; bits &= bits - 1)
            list[count++] = (int32_t)(w * 64 + __builtin_ctzll(bits));
    return count;
}

typedef enum fri_bfs_step {
    FRI_BFS_DONE,        /* nothing more to do */
    FRI_BFS_SERIAL,      /* queue -> queue, by member 0 alone */
    FRI_BFS_PUSH_QUEUE,  /* queue -> queue, top-down */
    FRI_BFS_PUSH_BITMAP, /* queue or bitmap -> bitmap, top-down */
    FRI_BFS_PULL,        /* bitmap -> bitmap, bottom-up */
    FRI_BFS_LOCAL,       /* queue -> queue, several levels at a time */
    FRI_BFS_TO_BITMAP,   /* conversion of the frontier, queue -> bitmap; no level from here on */
    FRI_BFS_TO_QUEUE,    /* conversion of the frontier, bitmap -> queue */
    FRI_BFS_TO_LOCAL,    /* unvisited vertices get levels, visited ones are no longer marked */
    FRI_BFS_FROM_LOCAL   /* back */
} fri_bfs_step;

struct fri_bfs;
/* A strategy's rule: the next step for the state before a level (or between a conversion and its
 * level). Member 0 calls it; it is not called when the traversal is over. */
typedef fri_bfs_step (*fri_bfs_policy)(struct fri_bfs *b);
/* Begins the next step, after the small levels before it, which member 0 takes alone. */
typedef fri_bfs_step (*fri_bfs_next)(struct fri_bfs *b);

/* One member's part of a level, in its own cache line to avoid false sharing. */
typedef struct fri_bfs_worker {
    _Alignas(FRI_CACHE_LINE) int64_t vertices, edges; /* found, and the edges leaving them */
    int64_t examined, targets;                        /* edges examined, targets found */
    int64_t no_in;                                    /* vertices without in-edge found */
    int64_t flushes, from, to; /* appends to the queue; place of the last one */
    uint64_t *found;           /* bitmap; zero between levels, once it is cleared */
    uint8_t *touched;          /* by block: 1 if `found` is not zero there */
    bool is_cleared;           /* both, by the member at its first use */
    int32_t deepest; /* the level of FRI_BFS_TO_LOCAL, then the largest in FRI_BFS_FROM_LOCAL */
    int32_t *buffer; /* [FRI_BFS_BUFFER] */
} fri_bfs_worker;

typedef struct fri_bfs {
    fri_job *job;
    fri_bfs_csr out, in;
    const int32_t *hub_parents; /* the in-neighbor to test first, or NULL */
    int32_t n;
    int64_t words;      /* of each bitmap of vertices found */
    int64_t max_degree; /* INT64_MAX until the offsets are read */
    bool has_in;        /* `in` is set */
    bool has_read;      /* the offsets: no_in and with_in hold for all queries */
    bool knows_no_in;   /* no_in is filled; with_in excludes its vertices */
    uint64_t *no_in;    /* vertices without in-edge, if `has_in`, and the bits past n */
    int64_t with_in;    /* the other vertices */
    uint64_t *visited, *front, *next;
    int32_t *queue;          /* [n + 1]; on ranks the frontier is behind it */
    int32_t *hubs;           /* rows shared by all members */
    fri_bfs_worker *workers; /* [job->in->threads] */
    int32_t *level, *parent; /* parent may be NULL */

    bool is_bitmap; /* the frontier is `front`; otherwise queue[head .. tail) */
    bool
        is_local; /* levels tell which vertices are visited; the frontier may have entries of a lower level */
    bool is_serial;  /* all steps so far were FRI_BFS_SERIAL */
    bool is_ordered; /* `order` is wanted, and the queue has all levels, each in ascending order */
    int64_t moved;   /* entries, to sort them */
    int64_t placed;  /* entries that are in `order`; the others are in own_queue */
    int32_t *own_queue;  /* `queue` is it, or `order` */
    bool is_abandoned;   /* a window found no room: only levels up to `depth` are valid */
    int32_t local_from;  /* the first level expanded by FRI_BFS_LOCAL; INT32_MAX: none */
    int32_t window_end;  /* the level of the next frontier of FRI_BFS_LOCAL */
    int64_t window_room; /* where its entries must end */
    int32_t depth;       /* level of the frontier */
    int64_t head, tail;
    int64_t next_head;       /* where the queue of the next level begins */
    int64_t vertices, edges; /* of the frontier; edges: -1 while unknown */
    int64_t left_vertices;   /* not visited, with in-edges */
    int64_t left_edges;      /* not examined: of the frontier and of unvisited vertices */
    int64_t targets_left;
    fr_status status;
    fri_bfs_policy policy;
    void *policy_state;   /* of the strategy */
    fri_bfs_step step;    /* the next step of all members */
    bool reuse_partition; /* each member continues with the vertices it appended itself */
    int members;          /* of the next step, chosen by the rule: `most` unless it does */
    int most;             /* that it may have */
    int last_members;     /* that the step before had */
    bool is_finishing;    /* the last part */
    fri_part_time last;   /* of the last step */
    fri_share share;      /* what levels on several threads cost */
    fri_pace pace;
    int64_t paced; /* vertices and edges reported to the pace */
    int64_t level_begin_ns;
    double expected_ns;  /* by the rule, for the level that it begins; 0: unknown */
    fri_bfs_csr counted; /* the rows whose edges are counted: `out`; on ranks `in` */
    int32_t base; /* of the vertices in the queue: 0; on ranks the slot of the first own vertex */
    int64_t
        front_words; /* of each bitmap of a frontier: `words`; on ranks the words of all slots */
    fri_bfs_next next_step;

    _Alignas(FRI_CACHE_LINE) int64_t cursor;
    _Alignas(FRI_CACHE_LINE) int64_t merge_cursor;
    _Alignas(FRI_CACHE_LINE) int64_t hub_count;
    _Alignas(FRI_CACHE_LINE) int64_t queue_end; /* queue entries reserved */
} fri_bfs;

/* The bytes of the state; n: the vertices that can be found, job->csr.n but on ranks. */
size_t fri_bfs_state_bytes(const fri_job *job, int32_t n);
/* Lays the state out at `memory`, of fri_bfs_state_bytes. What the caller has behind it begins at *extra.
 * Touches little of the memory. */
fri_bfs *fri_bfs_prepare(fri_job *job, int32_t n, void *memory, void **extra);
/* Takes job->in_edges as the in-edges, if they are the graph's: again once it has become the transpose. */
void fri_bfs_set_in_edges(fri_bfs *b);
/* Optional, before a query: passes over the offsets, so that queries know the vertices without in-edges and
 * the largest degree. out32, in32: [n + 1], filled with the offsets of the out-edges and in-edges in 32
 * bits; in32 is not used where both are the same rows. out32 NULL: the pass fills no 32-bit offsets, or an
 * earlier pass has filled them. */
void fri_bfs_read_offsets(fri_bfs *b, uint32_t *out32, uint32_t *in32);
/* In a bottom-up level of a query without such a pass: fills words begin .. end of no_in with the vertices
 * that are not visited and have no in-edges, makes them visited, and returns their number. */
int64_t fri_bfs_find_no_in(fri_bfs *b, int64_t begin, int64_t end);
/* Solves one query, from its sources to its outputs, by b->policy. */
fr_status fri_bfs_traverse(fri_bfs *b);
/* The same in parts, for ranks: clears the state; makes a vertex, whose level is not 0 yet, a source; runs all
 * levels by b->next_step, and writes -1 for the vertices that were not reached. */
void fri_bfs_begin(fri_bfs *b);
void fri_bfs_enter_source(fri_bfs *b, int32_t v);
void fri_bfs_run(fri_bfs *b);
/* The step of a method, or the conversion of the frontier that comes before it. */
fri_bfs_step fri_bfs_step_of(const fri_bfs *b, fri_bfs_method method);
/* The number of `counted` edges of the frontier; counted and stored if unknown. Member 0. */
int64_t fri_bfs_edges(fri_bfs *b);

/* Member 0, within a step that takes `total` pieces by b->cursor: checks for cancellation. */
void fri_bfs_poll(fri_bfs *b, int64_t work, int64_t total);

/* Member 0 alone: one level of a frontier in the queue; sets b->edges to -1. */
void fri_bfs_serial_level(fri_bfs *b);
/* Steps: all members call the same one, with a barrier before and after. */
void fri_bfs_push_queue(fri_bfs *b, fri_member me);
void fri_bfs_push_bitmap(fri_bfs *b, fri_member me);
void fri_bfs_pull(fri_bfs *b, fri_member me);
void fri_bfs_to_bitmap(fri_bfs *b, fri_member me);
void fri_bfs_to_queue(fri_bfs *b, fri_member me);
void fri_bfs_local(fri_bfs *b, fri_member me);
void fri_bfs_to_local(fri_bfs *b, fri_member me);
void fri_bfs_from_local(fri_bfs *b, fri_member me);
/* After FRI_BFS_FROM_LOCAL, at the end: the parents of vertices below level local_from. */
void fri_bfs_local_parents(fri_bfs *b, fri_member me);

#endif
