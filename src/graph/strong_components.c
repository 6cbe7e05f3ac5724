/* Strongly connected components by one depth-first search without recursion.
 *
 * Source: D. J. Pearce: A space-efficient algorithm for finding strongly connected components,
 *   Information Processing Letters 116(1), 2016 (PEA_FIND_SCC2), after R. Tarjan: Depth-first search
 *   and linear graph algorithms, SIAM Journal on Computing 1(2), 1972.
 * Idea: a vertex keeps the least index that it reaches on the path of the search. One that keeps its
 *   own is the root of a component: it and the finished vertices above it get the next number from n
 *   downwards, which no index reaches any more, so finished vertices are never below a live one.
 * Differs: the vertices on the path and those that wait for their root share one array, from both
 *   ends; together they are at most n.
 * Work: n + m on one thread. Memory: 12 n bytes and n bits besides the labels.
 */
#include "base/bitmap.h"
#include "base/pace.h"
#include "graph/stats.h"

#include <string.h>

typedef struct {
    const fr_csr *csr;
    int32_t *index;    /* [n] 0: not visited; the labels in the end */
    int32_t *stack;    /* [n] the path from the left, waiting vertices from the right */
    int64_t *next;     /* [n] by depth: the edge of the path's vertex to follow next */
    uint64_t *no_root; /* vertices that reach a lower index */
    int32_t depth, waiting, used, number;
    fri_pace pace;
} search;

static void enter(search *s, int32_t v) {
    s->index[v] = ++s->used;
    s->next[s->depth] = s->csr->offsets[v];
    s->stack[s->depth++] = v;
}

/* The component of root v is complete. */
static void finish_root(search *s, int32_t v) {
    int32_t n = s->csr->n;
    s->used--;
    while (s->waiting && s->index[v] <= s->index[s->stack[n - s->waiting]]) {
        s->index[s->stack[n - s->waiting]] = s->number;
        s->waiting--;
        s->used--;
    }
    s->index[v] = s->number--;
}

/* Leaves the last vertex of the path and hands its index to the one before. */
static void leave(search *s) {
    int32_t v = s->stack[--s->depth];
    if (!fri_bit_get(s->no_root, v))
        finish_root(s, v);
    else
        s->stack[s->csr->n - ++s->waiting] = v;
    if (!s->depth)
        return;
    int32_t above = s->stack[s->depth - 1];
    if (s->index[v] < s->index[above]) {
        s->index[above] = s->index[v];
        fri_bit_set(s->no_root, above);
    }
}

static void search_from(search *s, int32_t root) {
    const fr_csr *csr = s->csr;
    enter(s, root);
    while (s->depth && !s->pace.status) {
        int32_t v = s->stack[s->depth - 1];
        int64_t e = s->next[s->depth - 1], end = csr->offsets[v + 1], begin = e;
        for (; e < end && s->index[csr->targets[e]]; e++)
            if (s->index[csr->targets[e]] < s->index[v]) {
                s->index[v] = s->index[csr->targets[e]];
                fri_bit_set(s->no_root, v);
            }
        if (fri_pace_stop(&s->pace, e - begin + 1, csr->n - s->number))
            return;
        s->next[s->depth - 1] = e + 1;
        if (e < end)
            enter(s, csr->targets[e]);
        else
            leave(s);
    }
}

fr_status fri_strong_components(fr_ctx *ctx, const fr_csr *csr, int32_t *label) {
    int32_t n = csr->n;
    search s = {.csr = csr,
                .index = label,
                .stack = fri_alloc(ctx, fri_bytes(n, sizeof *s.stack)),
                .number = n,
                .pace = fri_pace_begin(ctx, "finding components", n)};
    s.next = s.stack ? fri_alloc(ctx, fri_bytes(n, sizeof *s.next)) : NULL;
    s.no_root = s.next ? fri_calloc(ctx, fri_bitmap_bytes(n)) : NULL;
    fr_status status = s.no_root ? FR_OK : FR_NOMEM;
    if (!status && n)
        memset(label, 0, fri_bytes(n, sizeof *label));
    for (int32_t v = 0; v < n && !status; v++) {
        if (!label[v])
            search_from(&s, v);
        status = s.pace.status;
    }
    fri_free(s.stack);
    fri_free(s.next);
    fri_free(s.no_root);
    return status;
}
