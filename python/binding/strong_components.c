/* Strong components in the order of SciPy and NetworkX, by one thread. */
#include "binding.h"

/* Tarjan's algorithm (SIAM J. Comput. 1, 1972) without recursion. */
typedef struct {
    const fr_csr *csr;
    int32_t *label;
    int64_t *index, *low, *next, *path, *stack; /* [n] each */
    int64_t depth, height, found;
    int32_t count;
} tarjan;

static void enter(tarjan *t, int32_t v) {
    t->index[v] = t->low[v] = ++t->found;
    t->next[v] = t->csr->offsets[v];
    t->path[t->depth++] = v;
    t->stack[t->height++] = v;
}

/* Leaves v, whose edges are all seen: closes its component if v is the root. */
static void leave(tarjan *t, int32_t v) {
    t->depth--;
    if (t->depth) {
        int64_t *low = &t->low[t->path[t->depth - 1]];
        *low = t->low[v] < *low ? t->low[v] : *low;
    }
    if (t->low[v] != t->index[v])
        return;
    int64_t u;
    do {
        u = t->stack[--t->height];
        t->label[u] = t->count;
    } while (u != v);
    t->count++;
}

static void search(tarjan *t, int32_t root) {
    enter(t, root);
    while (t->depth) {
        int32_t v = (int32_t)t->path[t->depth - 1];
        if (t->next[v] == t->csr->offsets[v + 1]) {
            leave(t, v);
            continue;
        }
        int32_t w = t->csr->targets[t->next[v]++];
        if (!t->index[w])
            enter(t, w);
        else if (t->label[w] == -1 && t->index[w] < t->low[v])
            t->low[v] = t->index[w];
    }
}

int32_t pf_strong_components(const fr_csr *csr, int32_t *label, int64_t *work) {
    int64_t n = csr->n;
    tarjan t = {.csr = csr,
                .label = label,
                .index = work,
                .low = work + n,
                .next = work + 2 * n,
                .path = work + 3 * n,
                .stack = work + 4 * n};
    for (int32_t v = 0; v < csr->n; v++) {
        label[v] = -1;
        t.index[v] = 0;
    }
    for (int32_t v = 0; v < csr->n; v++)
        if (!t.index[v])
            search(&t, v);
    return t.count;
}
