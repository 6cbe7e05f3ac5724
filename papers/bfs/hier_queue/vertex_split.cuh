/* Splits high-degree vertices to make a graph near-regular.
 *
 * Source: L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC
 *   2010, end of section 4: "we first converted them into near-regular graphs by splitting the
 *   big-degree nodes", once per graph. The paper does not say how levels are preserved.
 * Idea: the chunks of a vertex are parts of its row. All of them enter the frontier together when
 *   the vertex is claimed, and edges still lead to vertices: a chunk costs no hop, and levels and
 *   parents are vertices of the caller's graph without mapping back.
 * Costs: one pass over the degrees to plan, one to build; offsets and owner per chunk, and one
 *   index per vertex. The targets are shared with the graph. */
#ifndef FRI_BFS_HIER_QUEUE_VERTEX_SPLIT_CUH
#define FRI_BFS_HIER_QUEUE_VERTEX_SPLIT_CUH

#include "cuda/device/gpu.h"

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

enum { REGULAR = 8, MIN_CHUNK_EDGES = 8 }; /* near-regular: no degree above 8 times the mean */

static inline int64_t degree_of(const fr_csr *csr, int32_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}

/* The maximum out-degree. */
static int64_t fri_max_degree(const fr_csr *csr) {
    int64_t max_degree = 0;
    for (int32_t v = 0; v < csr->n; v++)
        max_degree = FRI_MAX(max_degree, degree_of(csr, v));
    return max_degree;
}

/* Number of chunks of one vertex. */
static int64_t fri_vertex_split_chunks(const fri_vertex_split *split, int64_t degree) {
    return split->max_edges && degree > split->max_edges ? (degree - 1) / split->max_edges + 1 : 1;
}

/* Twice the mean degree adds fewer than n / 2 chunks; the mean is over vertices that have edges,
 * since the others are never split. */
static int64_t choose(const fr_csr *csr, int64_t max_degree) {
    int64_t with_edges = 0;
    for (int32_t v = 0; v < csr->n; v++)
        with_edges += degree_of(csr, v) > 0;
    int64_t mean = csr->m / FRI_MAX(with_edges, 1) + 1;
    return max_degree <= REGULAR * mean ? 0 : FRI_MAX(2 * mean, (int64_t)MIN_CHUNK_EDGES);
}

static int64_t count_chunks(const fr_csr *csr, const fri_vertex_split *split) {
    int64_t chunks = 0;
    for (int32_t v = 0; v < csr->n; v++)
        chunks += fri_vertex_split_chunks(split, degree_of(csr, v));
    return chunks;
}

/* Chooses the limit and counts the chunks. wanted < 0: choose; 0: do not split. The limit is
 * doubled until the number of chunks fits int32; it is 0 if no degree exceeds it. */
static fri_vertex_split fri_vertex_split_plan(const fr_csr *csr, int64_t wanted) {
    fri_vertex_split split = {};
    int64_t max_degree = wanted ? fri_max_degree(csr) : 0, chunks = csr->n;
    split.max_edges = wanted < 0 ? choose(csr, max_degree) : wanted;
    if (split.max_edges >= max_degree)
        split.max_edges = 0;
    while (split.max_edges && (chunks = count_chunks(csr, &split)) >= INT32_MAX)
        split.max_edges *= 2;
    split.chunks = (int32_t)chunks;
    return split;
}

static size_t offset_bytes(const fri_gpu *g, const fri_vertex_split *split) {
    return fri_align_line(fri_bytes((int64_t)split->chunks + 1, g->offsets64 ? 8 : 4));
}

static size_t first_chunk_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes((int64_t)g->n + 1, sizeof(int32_t)));
}

static size_t owner_bytes(const fri_vertex_split *split) {
    return fri_align_line(fri_bytes(split->chunks, sizeof(int32_t)));
}

/* Device bytes of the arrays; 0 when not split. */
static size_t fri_vertex_split_bytes(const fri_gpu *g, const fri_vertex_split *split) {
    return split->max_edges ? offset_bytes(g, split) + first_chunk_bytes(g) + owner_bytes(split)
                            : 0;
}

static void cut(const fr_csr *csr, const fri_vertex_split *split, int64_t *offsets,
                int32_t *first_chunk, int32_t *owner) {
    int32_t chunk = 0;
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t count = fri_vertex_split_chunks(split, degree_of(csr, v));
        first_chunk[v] = chunk;
        for (int64_t i = 0; i < count; i++, chunk++) {
            offsets[chunk] = csr->offsets[v] + i * split->max_edges;
            owner[chunk] = v;
        }
    }
    first_chunk[csr->n] = chunk;
    offsets[chunk] = csr->m;
}

static fr_status upload(fri_gpu *g, fri_vertex_split *split, char *at, const int64_t *offsets,
                        const int32_t *first_chunk, const int32_t *owner) {
    int64_t count = (int64_t)split->chunks + 1;
    char *first_chunk_at = at + offset_bytes(g, split),
         *owner_at = first_chunk_at + first_chunk_bytes(g);
    FRI_GPU_TRY(g->offsets64 ? fri_gpu_upload(g, at, offsets, fri_bytes(count, 8))
                             : fri_gpu_upload_narrow(g, (uint32_t *)at, offsets, count));
    FRI_GPU_TRY(fri_gpu_upload(g, first_chunk_at, first_chunk,
                               fri_bytes((int64_t)g->n + 1, sizeof *first_chunk)));
    FRI_GPU_TRY(fri_gpu_upload(g, owner_at, owner, fri_bytes(split->chunks, sizeof *owner)));
    split->offsets = at;
    split->first_chunk = (const int32_t *)first_chunk_at;
    split->owner = (const int32_t *)owner_at;
    return FR_OK;
}

/* Builds the arrays on the host and uploads them to `at`. Call it once, from prepare. */
static fr_status fri_vertex_split_build(fri_gpu *g, fri_vertex_split *split, char *at) {
    fr_ctx *ctx = g->job->ctx;
    if (!split->max_edges)
        return FR_OK;
    int64_t *offsets =
        (int64_t *)fri_alloc(ctx, fri_bytes((int64_t)split->chunks + 1, sizeof *offsets));
    int32_t *first_chunk =
        (int32_t *)fri_alloc(ctx, fri_bytes((int64_t)g->n + 1, sizeof *first_chunk));
    int32_t *owner = (int32_t *)fri_alloc(ctx, fri_bytes(split->chunks, sizeof *owner));
    fr_status status = FR_NOMEM;
    if (offsets && first_chunk && owner) {
        cut(&g->job->csr, split, offsets, first_chunk, owner);
        status = upload(g, split, at, offsets, first_chunk, owner);
    }
    fri_free(owner);
    fri_free(first_chunk);
    fri_free(offsets);
    return status;
}

#endif
