/* Weakly connected components by a lock-free union-find that skips most edges.
 *
 * Source: M. Sutton, T. Ben-Nun, A. Barak: Optimizing parallel graph connectivity computation via
 *   subgraph sampling (Afforest), IPDPS 2018; the hooking is from GAPBS's cc.cc.
 * Idea: link every vertex to its first two neighbors, find the giant component by a sample of
 *   labels, and process the remaining edges only of vertices outside it.
 * Differs: in a directed graph the in-edges of vertices outside the giant component are processed
 *   too (an edge that leaves the giant component is found from its other end); without in-edges no
 *   vertex is skipped, which costs less than transposing the graph.
 * Work: n + m in the worst case, typically about 2 n plus the edges outside the giant component.
 *   The larger root is linked to the smaller one, so that the label is the minimum vertex
 *   regardless of the order of threads.
 */
#include "graph/stats.h"

#include "base/pace.h"
#include "base/rng.h"

/* SERIAL_WORK: accesses up to which threads gain less than the barriers between seven loops cost, which
 * are a time slice each on a busy machine: about a millisecond. */
enum {
    FIRST_NEIGHBORS = 2,
    SAMPLES = 256,
    COUNT_BITS = 9, /* twice the samples */
    GRAIN = 4096,
    SERIAL_WORK = 1 << 18
};

/* Relaxed: labels only decrease, and a stale one only lengthens the path. */
static inline int32_t get(const int32_t *label, int32_t v) {
    return __atomic_load_n(&label[v], __ATOMIC_RELAXED);
}

static void join(int32_t *label, int32_t u, int32_t v) {
    int32_t a = get(label, u), b = get(label, v);
    while (a != b) {
        int32_t high = FRI_MAX(a, b), low = FRI_MIN(a, b), above = get(label, high);
        if (above == low)
            return;
        /* only a root may be linked, and only by one thread: the exchange decides which */
        if (above == high && __atomic_compare_exchange_n(&label[high], &above, low, false,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
        a = get(label, get(label, high));
        b = get(label, low);
    }
}

static void join_row(int32_t *label, const fr_csr *csr, int32_t v, int64_t from, int64_t to) {
    int64_t begin = csr->offsets[v], end = FRI_MIN(csr->offsets[v + 1], begin + to);
    for (int64_t e = begin + from; e < end; e++)
        join(label, v, csr->targets[e]);
}

static void flatten(int32_t *label, int32_t n, int threads) {
#pragma omp parallel for schedule(FRI_DYNAMIC, GRAIN) num_threads(threads)
    for (int32_t v = 0; v < n; v++) {
        int32_t root = get(label, v);
        while (root != get(label, root))
            root = get(label, root);
        __atomic_store_n(&label[v], root, __ATOMIC_RELAXED); /* other threads may be reading it */
    }
}

/* The most frequent label among SAMPLES vertices. */
static int32_t most_frequent_label(const int32_t *label, int32_t n) {
    struct {
        int32_t label, count;
    } table[1 << COUNT_BITS] = {{0}}, *best = table;
    for (int i = 0; i < SAMPLES; i++) {
        int32_t one = label[fri_random_below(fri_random(1, (uint64_t)i), (uint64_t)n)];
        uint32_t at = (uint32_t)one * 2654435761u >> (32 - COUNT_BITS);
        while (table[at].count && table[at].label != one)
            at = (at + 1) % (1 << COUNT_BITS);
        table[at].label = one;
        if (++table[at].count > best->count)
            best = &table[at];
    }
    return best->label;
}

/* One, or all of the context where the edges that are not skipped are many. */
static int count_threads(const fr_ctx *ctx, const fr_csr *out, bool both) {
    int64_t work = 3 * (int64_t)out->n + (both ? out->m / 8 : out->m);
    return work <= SERIAL_WORK ? 1 : ctx->threads;
}

fr_status fri_components(fr_ctx *ctx, const fri_undirected_view *view, int32_t *label) {
    const fr_csr *out = view->out;
    int32_t n = out->n;
    if (n == 0)
        return FR_OK;
    const bool both = out->symmetric || view->in;
    const int threads = count_threads(ctx, out, both);
    fr_status status = fri_progress(ctx, "finding components", 0, 3);
    if (status)
        return status;
#pragma omp parallel for num_threads(threads)
    for (int32_t v = 0; v < n; v++)
        label[v] = v;
    for (int r = 0; r < FIRST_NEIGHBORS; r++) {
#pragma omp parallel for schedule(FRI_DYNAMIC, GRAIN) num_threads(threads)
        for (int32_t v = 0; v < n; v++)
            join_row(label, out, v, r, r + 1);
        flatten(label, n, threads);
        if ((status = fri_progress(ctx, "finding components", 1 + r, 3)))
            return status;
    }
    int32_t skip = both ? most_frequent_label(label, n) : -1;
    fri_pace pace = fri_pace_begin(ctx, "finding components", 3);
#pragma omp parallel for schedule(FRI_DYNAMIC, GRAIN) num_threads(threads)
    for (int32_t v = 0; v < n; v++) {
        int64_t work = out->offsets[v + 1] - out->offsets[v] + 1;
        if (FRI_PACE_STOP_LOOP(&pace, work, 2))
            continue;
        if (get(label, v) == skip) /* the giant component's root may have changed by now: this
                                      only costs extra work */
            continue;
        join_row(label, out, v, FIRST_NEIGHBORS, INT64_MAX / 2);
        if (view->in)
            join_row(label, view->in, v, 0, INT64_MAX / 2);
    }
    if (pace.status)
        return pace.status;
    flatten(label, n, threads);
    return fri_progress(ctx, "finding components", 3, 3);
}
