/* Checks the labels of components.
 *
 * Rules, for both kinds: labels are 0 .. count-1, and their first vertices ascend. Weak: (1) both ends
 *   of an edge have one label; (2) each label is one set of a union-find over the edges. Strong: (1)
 *   the smallest vertex of each label reaches all of its vertices along edges within the label, and (2)
 *   is reached by all of them; (3) the labels, joined by the edges between them, have a topological
 *   order, so no two of them belong together.
 */
#include "verify/verify.h"
#include "base/text/number.h"

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    const int32_t *label;
    int32_t count;
    int32_t *first; /* [count] the smallest vertex of each label */
    fri_pace pace;
} labels_check;

static fr_status check_labels(const labels_check *x) {
    int32_t next = 0;
    for (int32_t v = 0; v < x->graph->csr.n; v++) {
        int32_t c = x->label[v];
        if (c < 0 || c > next || c >= x->count)
            return fri_fail(
                x->ctx, FR_VERIFY_FAILED,
                "vertex %s: label %d, but labels are 0 to %d, in the order of their first vertices",
                fri_verify_label(x->graph, v).text, c, x->count - 1);
        if (c == next)
            x->first[next++] = v;
    }
    if (next < x->count)
        return fri_fail(x->ctx, FR_VERIFY_FAILED, "%d %s, but the labels are 0 to %d", x->count,
                        fri_words(x->count, "component", "components"), next - 1);
    return FR_OK;
}

/* ---- weak ---- */

static int32_t root(int32_t *up, int32_t v) {
    for (; up[v] != v; v = up[v])
        up[v] = up[up[v]];
    return v;
}

static fr_status check_weak(labels_check *x, int32_t *up) {
    const fr_csr *csr = &x->graph->csr;
    for (int32_t v = 0; v < csr->n; v++)
        up[v] = v;
    for (int32_t u = 0; u < csr->n; u++) {
        if (fri_pace_stop(&x->pace, csr->offsets[u + 1] - csr->offsets[u] + 1, u))
            return x->pace.status;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (x->label[u] != x->label[v])
                return fri_fail(x->ctx, FR_VERIFY_FAILED,
                                "edge %s -> %s: its ends have the labels %d and %d",
                                fri_verify_label(x->graph, u).text,
                                fri_verify_label(x->graph, v).text, x->label[u], x->label[v]);
            up[root(up, u)] = root(up, v);
        }
    }
    for (int32_t v = 0; v < csr->n; v++)
        if (root(up, v) != root(up, x->first[x->label[v]]))
            return fri_fail(x->ctx, FR_VERIFY_FAILED,
                            "vertices %s and %s have label %d, but are not connected",
                            fri_verify_label(x->graph, x->first[x->label[v]]).text,
                            fri_verify_label(x->graph, v).text, x->label[v]);
    return FR_OK;
}

/* ---- strong ---- */

/* From each first vertex along the edges of `csr` within its label; fails at a vertex that is not
 * reached. */
static fr_status check_reached(labels_check *x, const fr_csr *csr, const char *rule, int32_t *queue,
                               uint64_t *seen) {
    for (int32_t c = 0; c < x->count; c++) {
        int32_t tail = 0;
        queue[tail++] = x->first[c];
        fri_bit_set(seen, x->first[c]);
        for (int32_t head = 0; head < tail; head++) {
            int32_t u = queue[head];
            if (fri_pace_stop(&x->pace, csr->offsets[u + 1] - csr->offsets[u] + 1, c))
                return x->pace.status;
            for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
                int32_t v = csr->targets[e];
                if (x->label[v] != c || fri_bit_get(seen, v))
                    continue;
                fri_bit_set(seen, v);
                queue[tail++] = v;
            }
        }
    }
    for (int32_t v = 0; v < csr->n; v++)
        if (!fri_bit_get(seen, v))
            return fri_fail(x->ctx, FR_VERIFY_FAILED, rule, fri_verify_label(x->graph, v).text,
                            fri_verify_label(x->graph, x->first[x->label[v]]).text, x->label[v]);
    return FR_OK;
}

/* The vertices by label: component c has list[start[c] .. start[c+1]). */
static void sort_by_label(const labels_check *x, int32_t *list, int32_t *start) {
    int32_t n = x->graph->csr.n;
    for (int32_t c = 0; c <= x->count; c++)
        start[c] = 0;
    for (int32_t v = 0; v < n; v++)
        start[x->label[v]]++;
    for (int32_t c = 1; c <= x->count; c++)
        start[c] += start[c - 1];
    for (int32_t v = n - 1; v >= 0; v--) /* start[c] becomes the first place of c */
        list[--start[x->label[v]]] = v;
}

/* Removes labels without edges from remaining ones; what is left lies on a cycle of labels. */
static fr_status check_order(labels_check *x, const int32_t *list, const int32_t *start,
                             int64_t *entering, int32_t *queue) {
    const fr_csr *csr = &x->graph->csr;
    int32_t tail = 0;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            entering[x->label[csr->targets[e]]] += x->label[csr->targets[e]] != x->label[u];
    for (int32_t c = 0; c < x->count; c++)
        if (!entering[c])
            queue[tail++] = c;
    for (int32_t head = 0; head < tail; head++)
        for (int32_t i = start[queue[head]]; i < start[queue[head] + 1]; i++)
            for (int64_t e = csr->offsets[list[i]]; e < csr->offsets[list[i] + 1]; e++) {
                int32_t c = x->label[csr->targets[e]];
                if (c != queue[head] && --entering[c] == 0)
                    queue[tail++] = c;
            }
    for (int32_t c = 0; tail < x->count && c < x->count; c++)
        if (entering[c])
            return fri_fail(x->ctx, FR_VERIFY_FAILED,
                            "label %d (vertex %s) lies on a cycle of labels, or is reached from "
                            "one: the labels of a cycle are one component",
                            c, fri_verify_label(x->graph, x->first[c]).text);
    return FR_OK;
}

static fr_status check_strong(labels_check *x, int32_t *queue) {
    const fr_csr *csr = &x->graph->csr;
    int64_t n = csr->n;
    uint64_t *seen = fri_calloc(x->ctx, fri_bitmap_bytes(n)),
             *back = fri_calloc(x->ctx, fri_bitmap_bytes(n));
    int32_t *list = fri_alloc(x->ctx, fri_bytes(n, sizeof *list)),
            *start = fri_alloc(x->ctx, fri_bytes((int64_t)x->count + 1, sizeof *start));
    int64_t *entering = fri_calloc(x->ctx, fri_bytes(x->count, sizeof *entering));
    fr_csr bare = *csr, in = {0};
    bare.weights = NULL;
    bare.weight_type = FR_TYPE_NONE;
    fr_status status = seen && back && list && start && entering ? FR_OK : FR_NOMEM;
    if (!status)
        status = check_reached(x, csr, "vertex %s is not reached from %s within its label %d",
                               queue, seen);
    if (!status)
        status = fri_csr_transpose(x->ctx, &bare, &in);
    if (!status)
        status =
            check_reached(x, &in, "vertex %s does not reach %s within its label %d", queue, back);
    if (!status) {
        sort_by_label(x, list, start);
        status = check_order(x, list, start, entering, queue);
    }
    fri_csr_free(&in);
    fri_free(seen);
    fri_free(back);
    fri_free(list);
    fri_free(start);
    fri_free(entering);
    return status;
}

fr_status fr_verify_components(fr_ctx *ctx, const fr_graph *graph, fr_component_kind kind,
                               const int32_t *label, int32_t count) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !label || count < 0 || (unsigned)kind > FR_COMPONENTS_STRONG)
        return fri_fail(ctx, FR_INVALID, "checking components needs a graph, a kind and labels");
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    labels_check x = {.ctx = ctx, .graph = graph, .label = label, .count = count};
    x.pace = fri_pace_begin(ctx, "checking", graph->csr.n);
    x.first = fri_alloc(ctx, fri_bytes(count, sizeof *x.first));
    int32_t *work = fri_alloc(ctx, fri_bytes(graph->csr.n, sizeof *work));
    status = x.first && work ? check_labels(&x) : FR_NOMEM;
    if (!status)
        status = kind == FR_COMPONENTS_WEAK || graph->csr.symmetric ? check_weak(&x, work)
                                                                    : check_strong(&x, work);
    fri_free(x.first);
    fri_free(work);
    return status;
}
