/* Brandes' algorithm by one thread from up to 8 sources at once: each has a lane of the vectors. */
#ifndef FRI_CENTRALITY_MS_BRANDES_H
#define FRI_CENTRALITY_MS_BRANDES_H

#include "graph/graph.h"

enum { FRI_LANES = 8 }; /* sources */

typedef struct fri_lanes {
    double lane[FRI_LANES];
} fri_lanes;

typedef struct fri_ms_brandes {
    fri_lanes *paths;     /* [n] the number of shortest paths from each source */
    fri_lanes *level[2];  /* [n] values of the vertices of a level; 0 everywhere else */
    uint8_t *seen, *sent; /* [n] the lanes that reached the vertex; that are sent to it */
    int32_t *vertex;      /* [count] by ascending level; room for 8 n + 1 */
    uint8_t *lanes;       /* [count] the lanes that reached this vertex at this level */
    int64_t *begin;       /* [levels + 1] the first entry of each level */
    int64_t count;
    int32_t levels;
    bool finite; /* every number of paths fits double */
} fri_ms_brandes;

/* Scratch for `count` searches on graphs of n vertices, 242 n bytes each: one block, for fri_free. */
fr_status fri_ms_brandes_new(fr_ctx *ctx, int32_t n, int count, fri_ms_brandes **out);

/* Level 0: the sources, which are distinct; lane k belongs to source[k]. The search before has ended by
 * fri_ms_brandes_add. */
void fri_ms_brandes_begin(fri_ms_brandes *search, const int32_t *source, int count);
/* Counts the shortest paths to all vertices of the first `levels` levels; a later call continues. */
void fri_ms_brandes_count(fri_ms_brandes *search, const fr_csr *csr, int32_t levels);
/* How many sources reach a vertex at the same level: an average over vertices and levels. */
double fri_ms_brandes_shared(const fri_ms_brandes *search);
/* Adds the dependencies of the sources to sum[n], after the paths to all levels were counted. */
void fri_ms_brandes_add(fri_ms_brandes *search, const fr_csr *csr, double *sum);

#endif
