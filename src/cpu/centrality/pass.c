/* Breadth-first search and Dijkstra's algorithm on one thread.
 *
 * Source: E. W. Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik 1,
 *   1959.
 * Work: O(r + e) breadth first, O((r + e) log r) with weights, for the r vertices reached and their
 *   e edges. A run resets only the vertices that the last run reached.
 */
#include "cpu/centrality/pass.h"

#include "core/query/weight_stats.h"
#include "cpu/typed.h"

void fri_pass_heap_raise(fri_pass_heap *heap, const double *dist, int32_t v) {
    int32_t i = heap->place[v];
    if (i < 0)
        i = heap->size++;
    while (i > 0) {
        int32_t above = heap->vertex[(i - 1) / 2];
        if (dist[above] <= dist[v])
            break;
        heap->vertex[i] = above;
        heap->place[above] = i;
        i = (i - 1) / 2;
    }
    heap->vertex[i] = v;
    heap->place[v] = i;
}

int32_t fri_pass_heap_pop(fri_pass_heap *heap, const double *dist) {
    int32_t top = heap->vertex[0], last = heap->vertex[--heap->size], i = 0;
    for (;;) {
        int64_t child = 2 * (int64_t)i + 1;
        if (child >= heap->size)
            break;
        if (child + 1 < heap->size && dist[heap->vertex[child + 1]] < dist[heap->vertex[child]])
            child++;
        if (dist[heap->vertex[child]] >= dist[last])
            break;
        heap->vertex[i] = heap->vertex[child];
        heap->place[heap->vertex[i]] = i;
        i = (int32_t)child;
    }
    heap->vertex[i] = last;
    heap->place[last] = i;
    heap->place[top] = -1;
    return top;
}

static void run_bfs(fri_pass *p, const fr_csr *csr) {
    int32_t tail = 1;
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = p->order[head];
        double next = p->dist[u] + 1;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (p->dist[v] < INFINITY)
                continue;
            p->dist[v] = next;
            p->order[tail++] = v;
        }
    }
    p->reached = tail;
}

static void run_dijkstra(fri_pass *p, const fr_csr *csr, int32_t source) {
    p->reached = 0;
    fri_pass_heap_raise(&p->heap, p->dist, source);
    while (p->heap.size) {
        int32_t u = fri_pass_heap_pop(&p->heap, p->dist);
        p->order[p->reached++] = u;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            double sum = p->dist[u] + fri_csr_weight(csr, e);
            if (sum >= p->dist[v])
                continue;
            p->dist[v] = sum;
            fri_pass_heap_raise(&p->heap, p->dist, v);
        }
    }
}

void fri_pass_run(fri_pass *p, const fr_csr *csr, int32_t source) {
    for (int32_t i = 0; i < p->reached; i++)
        p->dist[p->order[i]] = INFINITY;
    p->dist[source] = 0;
    p->order[0] = source;
    if (csr->weight_type)
        run_dijkstra(p, csr, source);
    else
        run_bfs(p, csr);
}

fr_status fri_passes_new(fr_ctx *ctx, const fr_csr *csr, int count, fri_pass **out) {
    const int32_t n = csr->n;
    const size_t dist = fri_bytes(n, sizeof(double)), ids = fri_bytes(n, sizeof(int32_t)),
                 heap = csr->weight_type ? ids : 0;
    const size_t one = fri_align_line(dist) + fri_align_line(ids) + 2 * fri_align_line(heap);
    char *at = fri_alloc(ctx, fri_align_line(fri_bytes(count, sizeof **out)) + (size_t)count * one);
    *out = at ? fri_carve(&at, fri_bytes(count, sizeof **out)) : NULL;
    for (int i = 0; *out && i < count; i++) {
        fri_pass *p = &(*out)[i];
        *p = (fri_pass){.dist = fri_carve(&at, dist), .order = fri_carve(&at, ids)};
        p->heap.vertex = fri_carve(&at, heap);
        p->heap.place = fri_carve(&at, heap);
        for (int32_t v = 0; v < n; v++)
            p->dist[v] = INFINITY;
        for (int32_t v = 0; heap && v < n; v++)
            p->heap.place[v] = -1;
    }
    return *out ? FR_OK : FR_NOMEM;
}

fr_status fri_pass_check(fr_ctx *ctx, const fr_graph *graph, const char *what,
                         fri_weight_stats *weights) {
    const fr_csr *csr = &graph->csr;
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    const int64_t m = csr->weight_type ? csr->m : 0;
    const fri_job_input in = {.threads = ctx->threads};
    const fri_job job = {.in = &in, .csr = *csr};
    *weights = m ? fri_weight_stats_of(&job) : (fri_weight_stats){1, 1, 1};
    const double min = weights->min, max = weights->max;
    const bool whole = !fri_is_real(csr->weight_type);
    if (min < 0)
        return fri_fail(ctx, FR_NEGATIVE_WEIGHT, "%s needs weights of at least 0, not %.17g", what,
                        min);
    if (whole && max * csr->n >= 0x1p53)
        return fri_fail(ctx, FR_OVERFLOW,
                        "%s adds distances as doubles; %d vertices and weights up to %.17g may "
                        "exceed 2^53",
                        what, csr->n, max);
    if (!whole && csr->n && max > DBL_MAX / csr->n / csr->n) /* n sums of up to n weights */
        return fri_fail(ctx, FR_OVERFLOW,
                        "%s adds distances as doubles; %d vertices and weights up to %.17g may "
                        "exceed their range",
                        what, csr->n, max);
    return FR_OK;
}
