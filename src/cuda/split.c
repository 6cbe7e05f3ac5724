/* Splitting of high-degree vertices into near-regular ones.
 *
 * Source: L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC
 *   2010, end of section 4: "we first converted them into near-regular graphs by splitting the
 *   big-degree nodes", once per graph. The text leaves open how levels survive it.
 * Idea: the copies of a vertex are parts of its row. All of them enter the frontier together when
 *   the vertex is claimed, and edges still lead to vertices: a copy costs no hop, and levels and
 *   parents are those of the caller's graph without mapping back.
 * Costs: one pass over the degrees to plan, one to build; offsets and owner per part, and a number
 *   per vertex. The targets are shared with the graph.
 */
#include "cuda/split.h"

enum { REGULAR = 8, AT_LEAST = 8 }; /* near-regular: no degree above 8 times the mean */

static int64_t degree_of(const fr_csr *csr, int32_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}

int64_t fri_most_degree(const fr_csr *csr) {
    int64_t most = 0;
    for (int32_t v = 0; v < csr->n; v++)
        most = FRI_MAX(most, degree_of(csr, v));
    return most;
}

int64_t fri_split_count(const fri_split *split, int64_t degree) {
    return split->limit && degree > split->limit ? (degree - 1) / split->limit + 1 : 1;
}

/* Twice the mean keeps the parts added below half the vertices; the mean is over vertices that
 * have edges, since the others are never worth a thought. */
static int64_t choose(const fr_csr *csr, int64_t most) {
    int64_t with_edges = 0;
    for (int32_t v = 0; v < csr->n; v++)
        with_edges += degree_of(csr, v) > 0;
    int64_t mean = csr->m / FRI_MAX(with_edges, 1) + 1;
    return most <= REGULAR * mean ? 0 : FRI_MAX(2 * mean, (int64_t)AT_LEAST);
}

static int64_t count_parts(const fr_csr *csr, const fri_split *split) {
    int64_t parts = 0;
    for (int32_t v = 0; v < csr->n; v++)
        parts += fri_split_count(split, degree_of(csr, v));
    return parts;
}

fri_split fri_split_plan(const fr_csr *csr, int64_t wanted) {
    fri_split split = {.parts = csr->n};
    int64_t most = wanted ? fri_most_degree(csr) : 0, parts = csr->n;
    split.limit = wanted < 0 ? choose(csr, most) : wanted;
    if (split.limit >= most)
        split.limit = 0;
    while (split.limit && (parts = count_parts(csr, &split)) >= INT32_MAX)
        split.limit *= 2;
    split.parts = (int32_t)parts;
    return split;
}

static size_t offset_bytes(const fri_gpu *g, const fri_split *split) {
    return fri_line(fri_bytes((int64_t)split->parts + 1, g->wide ? 8 : 4));
}

static size_t first_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes((int64_t)g->n + 1, sizeof(int32_t)));
}

static size_t owner_bytes(const fri_split *split) {
    return fri_line(fri_bytes(split->parts, sizeof(int32_t)));
}

size_t fri_split_bytes(const fri_gpu *g, const fri_split *split) {
    return split->limit ? offset_bytes(g, split) + first_bytes(g) + owner_bytes(split) : 0;
}

static void cut(const fr_csr *csr, const fri_split *split, int64_t *offsets, int32_t *first,
                int32_t *owner) {
    int32_t part = 0;
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t count = fri_split_count(split, degree_of(csr, v));
        first[v] = part;
        for (int64_t i = 0; i < count; i++, part++) {
            offsets[part] = csr->offsets[v] + i * split->limit;
            owner[part] = v;
        }
    }
    first[csr->n] = part;
    offsets[part] = csr->m;
}

static fr_status send(fri_gpu *g, fri_split *split, char *at, const int64_t *offsets,
                      const int32_t *first, const int32_t *owner) {
    int64_t count = (int64_t)split->parts + 1;
    char *first_at = at + offset_bytes(g, split), *owner_at = first_at + first_bytes(g);
    FRI_GPU_TRY(g->wide ? fri_gpu_upload(g, at, offsets, fri_bytes(count, 8))
                        : fri_gpu_upload_narrow(g, (uint32_t *)(void *)at, offsets, count));
    FRI_GPU_TRY(fri_gpu_upload(g, first_at, first, fri_bytes((int64_t)g->n + 1, sizeof *first)));
    FRI_GPU_TRY(fri_gpu_upload(g, owner_at, owner, fri_bytes(split->parts, sizeof *owner)));
    split->offsets = at;
    split->first = (const int32_t *)(const void *)first_at;
    split->owner = (const int32_t *)(const void *)owner_at;
    return FR_OK;
}

fr_status fri_split_build(fri_gpu *g, fri_split *split, char *at) {
    fr_ctx *ctx = g->job->ctx;
    if (!split->limit)
        return FR_OK;
    int64_t *offsets = fri_alloc(ctx, fri_bytes((int64_t)split->parts + 1, sizeof *offsets));
    int32_t *first = fri_alloc(ctx, fri_bytes((int64_t)g->n + 1, sizeof *first));
    int32_t *owner = fri_alloc(ctx, fri_bytes(split->parts, sizeof *owner));
    fr_status status = FR_NOMEM;
    if (offsets && first && owner) {
        cut(&g->job->csr, split, offsets, first, owner);
        status = send(g, split, at, offsets, first, owner);
    }
    fri_free(owner);
    fri_free(first);
    fri_free(offsets);
    return status;
}
