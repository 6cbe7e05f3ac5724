/* The rows of a pass of multi-bfs, written from bits per vertex; see multi_bfs_rows.c. */
#ifndef FRI_CPU_APSP_MULTI_BFS_ROWS_H
#define FRI_CPU_APSP_MULTI_BFS_ROWS_H

#include "core/strategy.h"
#include "cpu/multi_bfs/multi_bfs.h"

enum {
    FRI_PLANES = 6,
    FRI_PLANE_LEVELS = (1 << FRI_PLANES) - 2 /* the deepest level that they hold */
};

/* Rows [count][n] of distances. */
typedef struct {
    void *dist;
    fr_type type;           /* FR_TYPE_I32 or FR_TYPE_I64 */
    const uint64_t *wanted; /* bitmap of the vertices that are written; NULL: all */
    int32_t n, count;
} fri_level_rows;

/* Not reached, for all values: the part of a member. */
void fri_level_rows_clear(const fri_level_rows *rows, fri_member me);
/* Writes the level of the search's new bits: its `take`, with the rows as user. */
void fri_level_rows_take(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t vertices);

/* Levels as numbers of FRI_PLANES bits, a plane [n * words] each: 0 not reached, else level + 1. */
typedef struct {
    uint64_t *plane[FRI_PLANES];
    const uint64_t *wanted;
    int used;      /* planes that may have bits; the others are zero */
    int64_t words; /* of each of these; those behind are zero */
} fri_level_planes;

/* The parallel parts of a team: clears the planes in use; writes the rows that begin at source `first`. */
void fri_level_planes_clear(const fri_level_planes *planes, fri_member me);
void fri_level_planes_write(const fri_level_planes *planes, int words, int32_t first,
                            const fri_level_rows *rows, fri_member me, int64_t *cursor);
/* A `take`, with the planes as user. */
void fri_level_planes_take(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t vertices);

#endif
