/* The state of a traversal from many sources at once, and its levels; see multi_bfs.c. */
#ifndef FRI_CPU_APSP_MULTI_BFS_H
#define FRI_CPU_APSP_MULTI_BFS_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "base/team.h"
#include "core/strategy.h"

enum { FRI_MULTI_BFS_WORDS = 8 }; /* maximum per vertex: a cache line */

typedef struct {
    _Alignas(FRI_CACHE_LINE) int64_t active, edges; /* vertices of the next frontier, their edges */
    int64_t left, examined;                         /* in-edges of incomplete vertices */
} fri_multi_bfs_worker;

typedef struct {
    fri_job *job;
    int words;                          /* per vertex, of this pass */
    int32_t count;                      /* sources of this pass */
    int64_t row;                        /* the first of them */
    uint64_t full[FRI_MULTI_BFS_WORDS]; /* a bit for each */
    uint64_t *seen, *visit, *next;      /* [n * words] */
    uint64_t *active, *touched;         /* bitmaps: vertices whose visit, next is not zero */
    char *dist;                         /* the rows of the pass, of dist_type; never NULL */
    int32_t *parent;                    /* the same, or NULL */
    char *band_dist;                    /* rows of a query without arrays */
    int32_t *band_parent;
    int64_t band; /* number of such rows */
    fri_multi_bfs_worker *workers;
    int64_t depth, edges, left;
    fri_pace pace;
    bool pulls, over;
    fr_status status;
    _Alignas(FRI_CACHE_LINE) int64_t cursor;
} fri_multi_bfs;

static inline void fri_multi_bfs_put(const fri_multi_bfs *s, int64_t row, int32_t v,
                                     int64_t level) {
    int64_t at = row * s->job->csr.n + v;
    if (s->job->in->dist_type == FR_TYPE_I64)
        ((int64_t *)(void *)s->dist)[at] = level;
    else
        ((int32_t *)(void *)s->dist)[at] = (int32_t)level;
}

/* One level from visit and active to next and touched, by words per vertex (1, 4, 8). */
extern void (*const fri_multi_bfs_level[FRI_MULTI_BFS_WORDS + 1])(fri_multi_bfs *s, fri_member me);
/* After a level: clears the old frontier, which becomes the next one. */
void fri_multi_bfs_retire(fri_multi_bfs *s, fri_member me);

#endif
