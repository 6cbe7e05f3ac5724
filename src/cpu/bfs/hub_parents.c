/* Finds the likely parent of every vertex: an in-neighbor of about the highest degree.
 *
 * Idea: in skewed graphs the neighbor of highest degree is in the frontier first. The degrees are
 *   read at random, once per edge: as one byte each (the exponent and two bits of the mantissa)
 *   they fit the cache, and vertices of one class are equally likely parents. Of a long row only
 *   the beginning is read: the rows of hubs hold most edges of such graphs, and one of many
 *   neighbors is a hub.
 * Work: n, and at most ROW_PART edges of each row.
 * Used once that pays; ranks exchange the classes. */
#include "cpu/bfs/hub_parents.h"

enum { ROW_PART = 128 };

static uint8_t class_of(int64_t degree) {
    if (degree < 4)
        return (uint8_t)degree;
    int exponent = 63 - __builtin_clzll((uint64_t)degree);
    return (uint8_t)(4 * exponent - 4 + (degree >> (exponent - 2) & 3));
}

static int32_t hub_parent_of(fri_bfs_csr in, const uint8_t *classes, int32_t v) {
    int64_t e = fri_bfs_row_begin(in, v), end = fri_bfs_row_begin(in, v + 1);
    int32_t hub_parent = 0;
    int best = -1;
    for (end = FRI_MIN(end, e + ROW_PART); e < end; e++) {
        int32_t u = in.targets[e];
        bool better = classes[u] > best;
        best = better ? classes[u] : best;
        hub_parent = better ? u : hub_parent;
    }
    return hub_parent;
}

typedef struct {
    fri_bfs_csr in;
    const uint8_t *classes;
    uint8_t *own_classes;
    int32_t *hub_parents;
} filling;

static void classes_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    (void)me;
    const filling *f = arg;
    for (int64_t v = begin; v < end; v++)
        f->own_classes[v] = class_of(fri_bfs_degree(f->in, (int32_t)v));
}

void fri_bfs_fill_classes(fr_ctx *ctx, fri_bfs_csr in, int32_t n, int threads, uint8_t *classes) {
    filling f = {.in = in, .own_classes = classes};
    fri_team_loop(ctx, threads, n, 1 << 14, classes_piece, &f);
}

static void hub_parents_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    (void)me;
    const filling *f = arg;
    for (int64_t v = begin; v < end; v++)
        f->hub_parents[v] = hub_parent_of(f->in, f->classes, (int32_t)v);
}

void fri_bfs_fill_hub_parents(fr_ctx *ctx, fri_bfs_csr in, int32_t n, int threads,
                              const uint8_t *classes, int32_t *hub_parents) {
    filling f = {.in = in, .classes = classes, .hub_parents = hub_parents};
    fri_team_loop(ctx, threads, n, 1024, hub_parents_piece, &f);
}
