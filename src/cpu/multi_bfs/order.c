/* The graph in an order that suits searches with a bit per source.
 *
 * Idea: sources that are near each other reach a vertex at nearly the same levels, so that a vertex sends its
 *   bits fewer times: 512 vertices of a ball of a grid at 33 levels, of a row at 512. The vertices are numbered
 *   ball after ball: each ball is a breadth-first search, of vertices that are in no ball yet, that ends at
 *   FRI_MULTI_BFS_WIDTH vertices and begins next to an earlier ball.
 * Differs: rows ascend. A descending order of degree, by which a pull meets hubs first, gained nothing more on
 *   Kronecker graphs, whose hubs come early in the first balls.
 * Work: O(n + m).
 */
#include "cpu/multi_bfs/order.h"

#include "core/strategy.h"
#include "cpu/multi_bfs/multi_bfs.h"

typedef struct {
    const fr_csr *csr;
    int32_t *list; /* [count] in order */
    bool *listed;  /* [n] */
    int32_t count;
    int32_t scan,
        other; /* the first of the list that may have neighbors outside; the first vertex outside */
    int64_t edge; /* of `scan`: the first that may lead outside */
} balls;

static void append(balls *b, int32_t v) {
    b->list[b->count] = v; /* has room for one more than n */
    b->count += !b->listed[v];
    b->listed[v] = true;
}

/* A vertex outside, next to one in the list if there is any. */
static int32_t find_seed(balls *b) {
    for (; b->scan < b->count; b->scan++) {
        const int32_t u = b->list[b->scan];
        for (b->edge = FRI_MAX(b->edge, b->csr->offsets[u]); b->edge < b->csr->offsets[u + 1];
             b->edge++)
            if (!b->listed[b->csr->targets[b->edge]])
                return b->csr->targets[b->edge];
        b->edge = 0;
    }
    while (b->listed[b->other])
        b->other++;
    return b->other;
}

/* Adds a breadth-first search until the list has `end` vertices. */
static void grow(balls *b, int32_t end) {
    const fr_csr *csr = b->csr;
    int32_t head = b->count;
    append(b, find_seed(b));
    for (; head < b->count && b->count < end; head++) {
        const int32_t u = b->list[head];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1] && b->count < end; e++)
            append(b, csr->targets[e]);
    }
}

/* Lists all vertices in balls. list: [n + 1]; listed: [n], scratch. */
static void list_balls(const fr_csr *csr, int32_t *list, bool *listed) {
    balls b = {.csr = csr, .list = list, .listed = listed};
    memset(listed, 0, (size_t)csr->n);
    while (b.count < csr->n) {
        const int32_t end = (b.count / FRI_MULTI_BFS_WIDTH + 1) * FRI_MULTI_BFS_WIDTH;
        grow(&b, FRI_MIN(end, csr->n));
    }
}

/* The rows of the transposed graph with new numbers, ascending. to: a vertex's number; from: its inverse. NULL:
 * they are the new ones already. */
static void transpose(const fr_csr *csr, const int32_t *from, const int32_t *to, int64_t *offsets,
                      int32_t *targets) {
    const int32_t n = csr->n;
    memset(offsets, 0, ((size_t)n + 2) * sizeof *offsets);
    for (int64_t e = 0; e < csr->offsets[n]; e++)
        offsets[(to ? to[csr->targets[e]] : csr->targets[e]) + 2]++;
    for (int32_t v = 0; v < n; v++)
        offsets[v + 2] += offsets[v + 1];
    for (int32_t i = 0; i < n; i++) {
        const int32_t u = from ? from[i] : i;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const int32_t v = to ? to[csr->targets[e]] : csr->targets[e];
            targets[offsets[v + 1]++] = i;
        }
    }
}

/* Drops self-loops and repeated targets of ascending rows. */
static void drop_repeated(int32_t n, int64_t *offsets, int32_t *targets) {
    int64_t kept = 0, begin = 0;
    for (int32_t v = 0; v < n; v++) {
        const int64_t end = offsets[v + 1], first = kept;
        for (int64_t e = begin; e < end; e++)
            if (targets[e] != v && (kept == first || targets[kept - 1] != targets[e]))
                targets[kept++] = targets[e];
        offsets[v] = first;
        begin = end;
    }
    offsets[n] = kept;
}

static fr_csr rows_of(const fr_csr *csr, int64_t *offsets, int32_t *targets) {
    return (fr_csr){.n = csr->n,
                    .m = offsets[csr->n],
                    .offsets = offsets,
                    .targets = targets,
                    .symmetric = csr->symmetric};
}

fr_status fri_ordered_new(fr_ctx *ctx, const fr_csr *csr, fri_ordered *out) {
    const int32_t n = csr->n;
    const int ways = csr->symmetric ? 1 : 2;
    const size_t ids = fri_align_line(fri_bytes((int64_t)n + 1, sizeof(int32_t))),
                 ends = fri_align_line(fri_bytes((int64_t)n + 2, sizeof(int64_t))),
                 edges = fri_align_line(fri_bytes(csr->m, sizeof(int32_t)));
    char *at = fri_alloc(ctx, 2 * ids + (size_t)ways * (ends + edges));
    *out = (fri_ordered){.block = at};
    if (!at)
        return FR_NOMEM;
    int32_t *vertex = fri_carve(&at, ids), *label = fri_carve(&at, ids), *targets[2];
    int64_t *offsets[2];
    for (int i = 0; i < ways; i++) {
        offsets[i] = fri_carve(&at, ends);
        targets[i] = fri_carve(&at, edges);
    }
    list_balls(csr, vertex, (bool *)label);
    for (int32_t i = 0; i < n; i++)
        label[vertex[i]] = i;
    transpose(csr, vertex, label, offsets[0], targets[0]);
    drop_repeated(n, offsets[0], targets[0]);
    out->out = out->in = rows_of(csr, offsets[0], targets[0]);
    if (ways == 2) {
        transpose(&out->in, NULL, NULL, offsets[1], targets[1]);
        out->out = rows_of(csr, offsets[1], targets[1]);
    }
    out->vertex = vertex;
    return FR_OK;
}
