/* The memory of traversals on ranks, and what BFS and SSSP share. */
#ifndef FRI_RANKS_SOLVER_H
#define FRI_RANKS_SOLVER_H

#include "ranks/part.h"

enum { FRI_PART_MAX_LEVELS = 4096 };

/* A distance that a rank has lowered: 12 bytes, which is why the distance is in two halves. */
typedef struct fri_lowered {
    int32_t slot;
    uint32_t dist[2];
} fri_lowered;

/* What every rank tells the others after a level or round. */
typedef struct fri_level_facts {
    int64_t status;  /* fr_status of this rank */
    int64_t count;   /* of what it has found or lowered */
    int64_t edges;   /* BFS: in-edges of the vertices found; SSSP: the least distance that waits */
    int64_t work_ns; /* since it last heard of the others */
    int64_t examined;
} fri_level_facts;

struct fr_part_solver {
    fr_ctx *ctx;
    const fr_part *part;
    fr_problem problem;
    fri_level_facts *facts; /* [ranks] */
    int *counts;            /* [ranks] */
    int32_t *parent;        /* [own] slots, -1: not reached */
    int32_t *found;         /* [share] BFS: slots found; SSSP: own indices below the bound */
    int64_t found_count;    /* atomic while threads append */

    int32_t *level;        /* BFS: [own] */
    int32_t *head;         /* [own] the slot of the in-edge whose source has most in-edges */
    uint64_t *closed;      /* [words] own vertices that nothing leads to, and the padding */
    uint64_t *seen, *mine; /* [words] own vertices: closed or reached; found */
    uint64_t *front;       /* [ranks * words] the frontier, ... */
    int32_t *list;         /* [slots] ... or as slots */

    int64_t *dist;               /* SSSP: [own] */
    int32_t *far;                /* [share] own indices beyond the bound */
    int64_t far_count;           /* atomic while threads append */
    uint64_t *in_found, *in_far; /* [words] */
    fri_lowered *lowered;        /* [share] of this rank */
    fri_lowered *all;            /* [slots] of all ranks */
    char *locks;                 /* [FRI_PART_LOCKS] */
    int64_t delta;               /* width of a window, a distance */

    fr_part_level *levels; /* [FRI_PART_MAX_LEVELS] */
    int64_t level_count, level_begin_ns, heard_ns, level_bytes;
    int64_t examined, rounds; /* of the query; examined by all ranks */
};

enum { FRI_PART_LOCKS = 4096 };

/* sources: slots, own ones only are used. The answer is in level or dist, and parent. */
fr_status fri_part_bfs_prepare(fr_part_solver *s); /* collective */
fr_status fri_part_bfs(fr_part_solver *s, const fr_part_query *query);
fr_status fri_part_sssp(fr_part_solver *s, const fr_part_query *query);

/* Exchanges the facts of a level: mine.status and what the ranks' sums are. */
fr_status fri_part_exchange_facts(fr_part_solver *s, fri_level_facts mine, fri_level_facts *sum);
/* Adds a level to the record: after the frontier is known to all. */
void fri_part_record(fr_part_solver *s, const char *method, bool bitmap, int64_t frontier);

/* Threads append to a list of own vertices through a buffer each. */
enum { FRI_APPEND_ROOM = 256 };
typedef struct fri_append {
    int32_t *list;
    int64_t *count; /* of the list, atomic */
    int fill;
    int32_t buffer[FRI_APPEND_ROOM];
} fri_append;

static inline void fri_append_flush(fri_append *a) {
    /* relaxed: the list is read after the parallel region only */
    int64_t at = __atomic_fetch_add(a->count, a->fill, __ATOMIC_RELAXED);
    for (int i = 0; i < a->fill; i++)
        a->list[at + i] = a->buffer[i];
    a->fill = 0;
}
static inline void fri_append_put(fri_append *a, int32_t value) {
    a->buffer[a->fill++] = value;
    if (a->fill == FRI_APPEND_ROOM)
        fri_append_flush(a);
}

#endif
