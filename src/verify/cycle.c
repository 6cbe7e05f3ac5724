/* Checks that a list of vertices is a negative cycle that a source reaches.
 *
 * Rules: the vertices are distinct, and consecutive ones, including the last and the first, are
 *   joined by an edge; the minimum weights of these edges sum to the claimed weight, which is
 *   negative (exact for integers; for floats within k 1e-12 of the sum of the absolute weights,
 *   since the summation may have started at another vertex); a search from the sources reaches the
 *   first vertex, and therefore all. Such a cycle proves that its vertices have no shortest paths.
 * Without a query or sources every vertex is a source, as in APSP. Work: n + m.
 */
#include "verify/verify.h"
#include "base/text/number.h"

#include <math.h>

typedef struct {
    __int128 exact; /* integer weights */
    /* Of longer range than double: no sum of weights overflows. rest: what the rounding of sum lost */
    long double sum, rest, magnitude;
} weight;

/* Source: D. E. Knuth, The Art of Computer Programming 2, 4.2.2 (TwoSum). */
static void add_value(weight *w, double value) {
    const long double added = (long double)value, sum = w->sum + added, part = sum - w->sum;
    w->rest += (w->sum - (sum - part)) + (added - part);
    w->sum = sum;
    w->magnitude += fabsl(added);
}

static void add_edge(const fr_csr *csr, int64_t e, weight *w) {
    double value = 1;
    if (!csr->weights)
        w->exact++;
    else if (csr->weight_type == FR_TYPE_I32) {
        w->exact += ((const int32_t *)csr->weights)[e];
        value = ((const int32_t *)csr->weights)[e];
    } else if (csr->weight_type == FR_TYPE_I64)
        w->exact += ((const int64_t *)csr->weights)[e];
    else if (csr->weight_type == FR_TYPE_F32)
        value = ((const float *)csr->weights)[e];
    else
        value = ((const double *)csr->weights)[e];
    add_value(w, value);
}

static fr_status check_edges(fr_ctx *ctx, const fr_graph *graph, const int32_t *cycle,
                             int32_t length, uint64_t *seen, weight *w) {
    const fr_csr *csr = &graph->csr;
    for (int32_t i = 0; i < length; i++)
        if (cycle[i] < 0 || cycle[i] >= csr->n)
            return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: %d is not a vertex", cycle[i]);
    for (int32_t i = 0; i < length; i++) {
        int32_t u = cycle[i], v = cycle[i + 1 < length ? i + 1 : 0];
        if (fri_bit_get(seen, u))
            return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: vertex %s occurs twice",
                            fri_verify_label(graph, u).text);
        fri_bit_set(seen, u);
        int64_t e = fri_verify_edge(csr, u, v);
        if (e < 0)
            return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: there is no edge %s -> %s",
                            fri_verify_label(graph, u).text, fri_verify_label(graph, v).text);
        add_edge(csr, e, w);
    }
    return FR_OK;
}

static fr_status check_weight(fr_ctx *ctx, const fr_csr *csr, int32_t length, const weight *w,
                              double claimed) {
    bool exact =
        !csr->weights || csr->weight_type == FR_TYPE_I32 || csr->weight_type == FR_TYPE_I64;
    const double sum = exact ? (double)w->exact : (double)(w->sum + w->rest),
                 error = csr->weight_type == FR_TYPE_F32 ? 0x1p-22 : 1e-12;
    const long double slack =
        (long double)FRI_MIN(1e-4, error * ((double)length + 4)) * w->magnitude;
    if (claimed != sum && (exact || !(fabsl((long double)claimed - (w->sum + w->rest)) <= slack)))
        return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: the weights sum to %.17g, not %.17g", sum,
                        claimed);
    if (!(sum < 0) || !(claimed < 0))
        return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: its weight %.17g is not negative", sum);
    return FR_OK;
}

/* Extends a search by the vertices queue[head .. tail) and returns the new tail. */
static int64_t extend(fr_ctx *ctx, const fr_csr *csr, uint64_t *seen, int32_t *queue, int64_t head,
                      int64_t tail) {
    int64_t next = tail;
    const int threads = fri_threads_for(ctx, ctx->threads, 32 * (tail - head));
#pragma omp parallel for schedule(FRI_DYNAMIC, 64) num_threads(threads)
    for (int64_t i = head; i < tail; i++)
        for (int64_t e = csr->offsets[queue[i]]; e < csr->offsets[queue[i] + 1]; e++)
            if (fri_bit_claim(seen, csr->targets[e])) /* the claim gives the queue position to
                                                         one thread */
                queue[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)] = csr->targets[e];
    return next;
}

static fr_status check_reached(fr_ctx *ctx, const fr_graph *graph, uint64_t *seen, int32_t *queue,
                               int32_t goal) {
    int64_t head = 0, tail = 0;
    for (int32_t v = 0; v < graph->csr.n; v++)
        if (fri_bit_get(seen, v))
            queue[tail++] = v;
    while (head < tail && !fri_bit_get(seen, goal)) {
        int64_t end = tail;
        tail = extend(ctx, &graph->csr, seen, queue, head, tail);
        head = end;
    }
    if (fri_bit_get(seen, goal))
        return FR_OK;
    return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: no source reaches vertex %s",
                    fri_verify_label(graph, goal).text);
}

fr_status fr_verify_cycle(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                          const int32_t *cycle, int32_t cycle_length, double cycle_weight) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_query own;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &own);
    if (status)
        return status;
    query = &own;
    if (!graph || !cycle)
        return fri_fail(ctx, FR_INVALID, "checking needs a graph and a cycle");
    if (cycle_length < 1 || cycle_length > graph->csr.n)
        return fri_fail(ctx, FR_VERIFY_FAILED, "cycle: %d is not a possible length with %d %s",
                        cycle_length, graph->csr.n, fri_words(graph->csr.n, "vertex", "vertices"));
    status = fr_graph_check(ctx, graph);
    fr_graph *filtered = NULL;
    if (!status)
        status = fri_verify_filter(ctx, query, &graph, &filtered);
    if (status)
        return status;
    int64_t n = graph->csr.n;
    bool everywhere = !query->sources;
    weight w = {0};
    uint64_t *sources = NULL, *seen = fri_calloc(ctx, fri_bitmap_bytes(n));
    int32_t *queue = everywhere ? NULL : fri_alloc(ctx, fri_bytes(n, sizeof(int32_t)));
    status = seen && (queue || everywhere) ? FR_OK : FR_NOMEM;
    if (!status)
        status = check_edges(ctx, graph, cycle, cycle_length, seen, &w);
    if (!status)
        status = check_weight(ctx, &graph->csr, cycle_length, &w, cycle_weight);
    if (!status && !everywhere)
        status = fri_verify_sources(ctx, graph, query, &sources);
    if (!status && !everywhere)
        status = check_reached(ctx, graph, sources, queue, cycle[0]);
    fri_free(sources);
    fri_free(queue);
    fri_free(seen);
    fr_graph_free(filtered);
    return status;
}
