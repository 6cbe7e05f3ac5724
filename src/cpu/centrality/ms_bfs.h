/* Multi-source BFS (MS-BFS): one thread searches from up to 64 sources at once, with a bit per source
 * and vertex. */
#ifndef FRI_CENTRALITY_MS_BFS_H
#define FRI_CENTRALITY_MS_BFS_H

#include "graph/graph.h"

enum { FRI_MS_BFS_WIDTH = 64 }; /* sources */

typedef struct fri_ms_bfs {
    uint64_t *seen;          /* [n] the sources that reached the vertex */
    uint64_t *now, *next;    /* [n] of these, at this level and at the next one */
    int32_t *active, *found; /* [count] the vertices with a bit in now, with a bit in next */
    int32_t *touched;        /* [reached] the vertices with a bit in seen */
    int32_t count, reached;
} fri_ms_bfs;

/* Scratch for `count` searches of graphs of n vertices, 36 n bytes each: one block, for fri_free. */
fr_status fri_ms_bfs_new(fr_ctx *ctx, int32_t n, int count, fri_ms_bfs **out);

/* Level 0: the sources, which are distinct; bit i belongs to source[i]. */
void fri_ms_bfs_begin(fri_ms_bfs *w, const int32_t *source, int count);
/* The next level; false: there is none. */
bool fri_ms_bfs_step(fri_ms_bfs *w, const fr_csr *csr);

#endif
