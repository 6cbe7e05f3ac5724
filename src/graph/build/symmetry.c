/* Tests whether a CSR is symmetric.
 *
 * Idea: most asymmetric graphs are detected at one of a few random edges. Then every edge u -> v
 *   with u < v is compared with the entry of row v that comes next: as u ascends, the sorted row v
 *   must list its smaller targets in the same order. Each thread has a range of rows v, with about
 *   as many of these edges as the others have.
 * Work: m / 2 comparisons at random places; in ranges but the first a binary search for each smaller
 *   row. Memory: 8 n bytes.
 */
#include "base/pace.h"
#include "base/rng.h"
#include "base/team.h"
#include "graph/graph.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLES = 256,
    AHEAD = 12, /* edges prefetched ahead */
    ROWS = 1024 /* between two reads of what other threads found */
};

static bool has_edge(const fr_csr *csr, int32_t u, int32_t v) {
    int64_t low = fri_csr_lower_bound(csr, u, v);
    return low < csr->offsets[u + 1] && csr->targets[low] == v;
}

bool fri_csr_may_be_symmetric(const fr_csr *csr) {
    for (uint64_t k = 0; csr->m && k < SAMPLES; k++) {
        int64_t edge = (int64_t)fri_random_below(fri_random(1, k), (uint64_t)csr->m);
        if (!has_edge(csr, csr->targets[edge], fri_csr_row_of(csr, edge)))
            return false;
    }
    return true;
}

typedef struct {
    const fr_csr *csr;
    fri_pace pace;
    int64_t *next; /* [n]: the entry of the row that the next smaller vertex must equal */
    int differs;   /* atomic */
    int parts;
} comparison;

static bool same_weight(const fr_csr *csr, int64_t e, int64_t reverse) {
    const char *weights = csr->weights;
    const size_t size = fr_type_size(csr->weight_type);
    return !weights ||
           memcmp(weights + (size_t)e * size, weights + (size_t)reverse * size, size) == 0;
}

/* Compares the edges of row u from `e` on with rows less than `end`. An entry past the end of its
 * row is noticed when that row is reached. */
static bool same_edges(const comparison *c, int32_t u, int64_t e, int64_t end) {
    const fr_csr *csr = c->csr;
    const int32_t *targets = csr->targets;
    const int64_t row_end = csr->offsets[u + 1], m = csr->m;
    int64_t *next = c->next;
    for (; e < row_end && targets[e] < end; e++) {
        if (e + AHEAD < row_end && targets[e + AHEAD] < end)
            __builtin_prefetch(&targets[next[targets[e + AHEAD]]]);
        const int64_t reverse = next[targets[e]]++;
        if (reverse >= m || targets[reverse] != u || !same_weight(csr, e, reverse))
            return false;
    }
    return true;
}

/* Whether all smaller targets of a row were compared; *e becomes its first greater one. */
static bool row_is_complete(const comparison *c, int32_t u, int64_t *e) {
    const fr_csr *csr = c->csr;
    const int64_t row_end = csr->offsets[u + 1];
    *e = c->next[u];
    if (*e > row_end || (*e < row_end && csr->targets[*e] < u))
        return false;
    while (*e < row_end && csr->targets[*e] == u)
        ++*e;
    return true;
}

static void compare_range(comparison *c, bool caller, int64_t first, int64_t end) {
    const fr_csr *csr = c->csr;
    for (int64_t v = first; v < end; v++)
        c->next[v] = csr->offsets[v];
    int64_t begin = csr->offsets[0];
    for (int32_t u = 0; u < end; u++) {
        int64_t e = u < first ? fri_csr_lower_bound(csr, u, (int32_t)first) : 0;
        if ((u >= first && !row_is_complete(c, u, &e)) || !same_edges(c, u, e, end)) {
            __atomic_store_n(&c->differs, 1, __ATOMIC_RELAXED);
            return;
        }
        if (u % ROWS)
            continue;
        const int64_t work = csr->offsets[u] - begin + ROWS;
        begin = csr->offsets[u];
        /* relaxed: noticing it late only wastes comparisons */
        if (fri_pace_stop_team(&c->pace, caller, work, u) ||
            __atomic_load_n(&c->differs, __ATOMIC_RELAXED))
            return;
    }
}

/* The first row of part k: the number of edges to smaller rows grows with the square of the place. */
static int64_t first_row(const fr_csr *csr, int k, int parts) {
    if (k == 0 || k == parts)
        return k == 0 ? 0 : csr->n;
    return fri_csr_row_of(csr, (int64_t)((double)csr->m * sqrt((double)k / parts)));
}

static void compare_piece(fri_member me, void *arg, int64_t part, int64_t last) {
    comparison *c = arg;
    for (; part < last; part++)
        compare_range(c, me.index == 0, first_row(c->csr, (int)part, c->parts),
                      first_row(c->csr, (int)part + 1, c->parts));
}

fr_status fri_csr_is_symmetric(fr_ctx *ctx, const fr_csr *csr, bool *same) {
    *same = csr->m == 0;
    if (*same || !fri_csr_may_be_symmetric(csr))
        return FR_OK;
    comparison c = {.csr = csr, .pace = fri_pace_begin(ctx, "comparing both directions", csr->n)};
    c.next = fri_alloc(ctx, fri_bytes(csr->n, sizeof *c.next));
    if (!c.next)
        return FR_NOMEM;
    c.parts = fri_threads_for(ctx, ctx->threads, 2 * csr->m);
    fri_team_loop(ctx, c.parts, c.parts, 1, compare_piece, &c);
    fri_free(c.next);
    *same = !c.differs && !c.pace.status;
    return c.pace.status;
}
