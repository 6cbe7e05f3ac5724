/* Splits rows of a graph into chunks of bounded degree, so that one thread per chunk balances the
 * load. */
#ifndef FRI_CUDA_GRAPH_VERTEX_SPLIT_H
#define FRI_CUDA_GRAPH_VERTEX_SPLIT_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* Chunk c holds edges offsets[c] .. offsets[c+1] of the graph's own targets, which are not copied
 * and keep the graph's vertex ids. Vertex v owns chunks first_chunk[v] .. first_chunk[v+1], at
 * least one. */
typedef struct fri_vertex_split {
    int64_t max_edges;          /* maximum edges per chunk; 0: not split, chunks are vertices */
    int32_t chunks;             /* n when not split */
    const void *offsets;        /* [chunks+1] on the device, of the graph's offset type */
    const int32_t *first_chunk; /* [n+1] on the device; NULL when not split */
    const int32_t *owner;       /* [chunks] on the device; NULL when not split */
} fri_vertex_split;

/* Chooses the limit and counts the chunks. wanted < 0: choose; 0: do not split. The limit is
 * doubled until the number of chunks fits int32; it is 0 if no degree exceeds it. */
fri_vertex_split fri_vertex_split_plan(const fr_csr *csr, int64_t wanted);
/* Device bytes of the arrays; 0 when not split. */
size_t fri_vertex_split_bytes(const fri_gpu *g, const fri_vertex_split *split);
/* Builds the arrays on the host and uploads them to `at`. Call it once, from prepare. */
fr_status fri_vertex_split_build(fri_gpu *g, fri_vertex_split *split, char *at);
/* Number of chunks of one vertex. */
int64_t fri_vertex_split_chunks(const fri_vertex_split *split, int64_t degree);
/* The maximum out-degree. */
int64_t fri_max_degree(const fr_csr *csr);

FRI_C_END
#endif
