/* Rows of a graph cut into parts of bounded degree, so that a thread per part is a fair share. */
#ifndef FRI_CUDA_GRAPH_VERTEX_SPLIT_H
#define FRI_CUDA_GRAPH_VERTEX_SPLIT_H

#include "cuda/device/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Part p holds the edges offsets[p] .. offsets[p+1] of the graph's own targets, which are not
 * copied and keep the graph's numbers. Vertex v owns parts first[v] .. first[v+1], at least one. */
typedef struct fri_vertex_split {
    int64_t max_edges;          /* most edges of a part; 0: not split, parts are vertices */
    int32_t chunks;             /* n when not split */
    const void *offsets;        /* [parts+1] on the device, of the graph's offset type */
    const int32_t *first_chunk; /* [n+1] on the device; NULL when not split */
    const int32_t *owner;       /* [parts] on the device; NULL when not split */
} fri_vertex_split;

/* The limit to use and the parts it makes. wanted < 0: choose; 0: do not split. The limit is
 * doubled until the parts can be numbered by int32; 0 comes back when nothing exceeds it. */
fri_vertex_split fri_vertex_split_plan(const fr_csr *csr, int64_t wanted);
/* Device bytes of the arrays; 0 when not split. */
size_t fri_vertex_split_bytes(const fri_gpu *g, const fri_vertex_split *split);
/* Builds them on the host and uploads them to `at`. One-time: call it from prepare. */
fr_status fri_vertex_split_build(fri_gpu *g, fri_vertex_split *split, char *at);
/* Parts of one vertex. */
int64_t fri_vertex_split_chunks(const fri_vertex_split *split, int64_t degree);
/* The highest out-degree. */
int64_t fri_max_degree(const fr_csr *csr);

#ifdef __cplusplus
}
#endif
#endif
