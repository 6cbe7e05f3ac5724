/* Strong components in the order of SciPy and NetworkX, by one thread. */
#include "small.h"

/* Tarjan's algorithm (SIAM J. Comput. 1, 1972) without recursion. */
typedef struct {
    int32_t n;
    const pf_rows *rows;
    int32_t *label;
    int64_t *index, *low, *left, *path, *stack; /* [n] each; left: edges of the row to visit */
    int64_t depth, height, found;
    int32_t count;
    int is_backward, is_damaged;
} tarjan;

static void enter(tarjan *t, int32_t v) {
    int64_t begin, end;
    t->is_damaged |= !pf_row_of(t->rows, v, &begin, &end);
    t->index[v] = t->low[v] = ++t->found;
    t->left[v] = end - begin;
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

/* The next target of the row of v. */
static int32_t next_of(tarjan *t, int32_t v) {
    const int64_t left = t->left[v]--;
    const int64_t place = t->is_backward ? pf_small_index(t->rows->offsets, t->rows->width, v) - 1
                                         : pf_small_index(t->rows->offsets, t->rows->width, v + 1);
    return t->rows->targets[t->is_backward ? place + left : place - left];
}

static void search(tarjan *t, int32_t root) {
    enter(t, root);
    while (t->depth && !t->is_damaged) {
        int32_t v = (int32_t)t->path[t->depth - 1];
        if (!t->left[v]) {
            leave(t, v);
            continue;
        }
        const int32_t w = next_of(t, v);
        if (w < 0 || w >= t->n)
            t->is_damaged = 1;
        else if (!t->index[w])
            enter(t, w);
        else if (t->label[w] == -1 && t->index[w] < t->low[v])
            t->low[v] = t->index[w];
    }
}

int32_t pf_strong_components(int32_t n, const pf_rows *rows, int backward, int32_t *label,
                             int64_t *work) {
    const int64_t size = n;
    tarjan t = {.n = n,
                .rows = rows,
                .label = label,
                .index = work,
                .low = work + size,
                .left = work + 2 * size,
                .path = work + 3 * size,
                .stack = work + 4 * size,
                .is_backward = backward,
                .is_damaged = !pf_ends_are_valid(rows, n)};
    for (int32_t v = 0; v < n; v++) {
        label[v] = -1;
        t.index[v] = 0;
    }
    for (int32_t v = 0; v < n && !t.is_damaged; v++)
        if (!t.index[v])
            search(&t, v);
    return t.is_damaged ? PF_DAMAGED : t.count;
}
