/* Edge list -> CSR.
 *
 * Idea: partition the edges into ranges of rows (partition.h), then sort each range while it fits a
 *   cache (graph/build/bucket_sort.h), directly into its position in the result. Threads share only the
 *   counter of ranges. After sorting, parallel edges are adjacent: they are sorted by weight, or
 *   dropped, while their row is still in the cache; a last sweep closes the gaps.
 * Work: one sweep to partition, (column bits / 11) + 2 moves within the cache, 4 bytes written per
 *   edge. Memory: the chunks and the result at the same time, so twice the result.
 */
#include "base/pace.h"
#include "graph/build/bucket_sort.h"
#include "graph/weights.h"

#include <omp.h>
#include <string.h>

enum { SORTER_ENTRIES = 256 << 10 };

typedef struct {
    fr_ctx *ctx;
    fri_partition *part;
    int64_t *starts; /* [buckets + 1] positions in the result */
    int64_t *kept;   /* [buckets] entries left after dropping */
    int64_t *offsets;
    int32_t *targets;
    char *weights;
    fr_type type;
    bool needs_dedup, drop;
    int64_t usual; /* capacity of a thread's sorter in entries; larger buckets use a shared one */
    fri_pace pace;
    int next, stop;
} build;

/* Sorts a bucket into its position; offsets get the ends of its rows, as if no edge was dropped
 * before this bucket. */
static void build_bucket(build *b, int bucket, const fri_sorter *sorter) {
    const fri_partition *p = b->part;
    size_t bytes = p->weight_bytes;
    int64_t base = b->starts[bucket], at = 0, begin = 0;
    int32_t *targets = b->targets + base;
    char *weights = bytes ? b->weights + (size_t)base * bytes : NULL;
    fri_bucket_sort(p, bucket, false, sorter, targets, weights);
    int64_t first = (int64_t)bucket << p->row_bits;
    int64_t rows = FRI_MIN(p->n - first, INT64_C(1) << p->row_bits);
    for (int64_t r = 0; r < rows; r++) {
        int64_t end = sorter->row_counts[r], count = end - begin;
        if (b->needs_dedup && count > 1) {
            char *w = bytes ? weights + (size_t)begin * bytes : NULL;
            count = fri_dedup_row(targets + begin, w, b->type, count, b->drop);
        }
        if (at != begin) {
            memmove(targets + at, targets + begin, (size_t)count * sizeof *targets);
            if (bytes)
                memmove(weights + (size_t)at * bytes, weights + (size_t)begin * bytes,
                        (size_t)count * bytes);
        }
        at += count;
        begin = end;
        b->offsets[first + r + 1] = base + at;
    }
    b->kept[bucket] = at;
}

/* The work of one thread: the first thread processes the buckets that need the large sorter. */
static void build_buckets(build *b, const fri_sorter *own, const fri_sorter *large) {
    const fri_partition *p = b->part;
    bool first = omp_get_thread_num() == 0;
    for (int i = 0; first && i < p->buckets; i++)
        if (b->starts[i + 1] - b->starts[i] > b->usual)
            build_bucket(b, i, large);
    int i;
    /* relaxed: only the counter is shared; cancellation may be seen late */
    while ((i = __atomic_fetch_add(&b->next, 1, __ATOMIC_RELAXED)) < p->buckets &&
           !__atomic_load_n(&b->stop, __ATOMIC_RELAXED)) {
        if (b->starts[i + 1] - b->starts[i] <= b->usual)
            build_bucket(b, i, own);
        if (first && fri_pace_stop(&b->pace, b->starts[i + 1] - b->starts[i] + 1, i))
            __atomic_store_n(&b->stop, 1, __ATOMIC_RELAXED);
    }
}

/* Moves the buckets together if edges were dropped. */
static void close_gaps(build *b, int64_t *m) {
    const fri_partition *p = b->part;
    int64_t at = 0;
    for (int i = 0; i < p->buckets; i++) {
        int64_t from = b->starts[i];
        if (at != from) {
            memmove(b->targets + at, b->targets + from, (size_t)b->kept[i] * sizeof *b->targets);
            if (p->weight_bytes)
                memmove(b->weights + (size_t)at * p->weight_bytes,
                        b->weights + (size_t)from * p->weight_bytes,
                        (size_t)b->kept[i] * p->weight_bytes);
        }
        b->starts[i] = from - at; /* from here on: the distance by which the bucket moved */
        at += b->kept[i];
    }
    *m = at;
#pragma omp parallel for schedule(FRI_DYNAMIC, 16) num_threads(p->threads)
    for (int i = 0; i < p->buckets; i++) {
        int64_t first = (int64_t)i << p->row_bits;
        int64_t end = FRI_MIN(p->n, first + (INT64_C(1) << p->row_bits));
        for (int64_t v = first; b->starts[i] && v < end; v++)
            b->offsets[v + 1] -= b->starts[i];
    }
}

static int64_t measure(build *b) {
    const fri_partition *p = b->part;
    int64_t sum = 0, largest = 0;
    for (int i = 0; i < p->buckets; i++) {
        int64_t count = fri_partition_count(p, i);
        b->starts[i] = sum;
        sum += count;
        largest = FRI_MAX(largest, count);
    }
    b->starts[p->buckets] = sum;
    b->usual = FRI_MIN(largest, SORTER_ENTRIES);
    return largest;
}

static fr_status sort_all(build *b, int64_t largest) {
    const fri_partition *p = b->part;
    fri_sorter large = {0}, *own = fri_calloc(b->ctx, fri_bytes(p->threads, sizeof *own));
    void *memory = NULL, *large_memory = NULL;
    fr_status status = own ? FR_OK : FR_NOMEM;
    if (!status)
        status = fri_sorters_make(b->ctx, p, b->usual, p->threads, false, own, &memory);
    if (!status && largest > b->usual)
        status = fri_sorters_make(b->ctx, p, largest, 1, false, &large, &large_memory);
    if (!status) {
#pragma omp parallel num_threads(p->threads)
        build_buckets(b, &own[omp_get_thread_num()], &large);
        status = b->stop ? FR_CANCELLED : FR_OK;
    }
    fri_free(own);
    fri_free(memory);
    fri_free(large_memory);
    return status;
}

static fr_status make_rows(build *b, fr_graph *graph) {
    const fri_partition *p = b->part;
    b->starts = fri_alloc(b->ctx, fri_bytes(p->buckets + 1, sizeof *b->starts));
    b->kept = fri_alloc(b->ctx, fri_bytes(p->buckets, sizeof *b->kept));
    if (!b->starts || !b->kept)
        return FR_NOMEM;
    int64_t largest = measure(b), m = b->starts[p->buckets];
    graph->own_offsets = b->offsets = fri_alloc(b->ctx, fri_bytes((int64_t)p->n + 1, 8));
    graph->own_targets = b->targets = fri_alloc(b->ctx, fri_bytes(m, sizeof *b->targets));
    if (p->weight_bytes)
        graph->own_weights = b->weights = fri_alloc(b->ctx, fri_bytes(m, p->weight_bytes));
    if (!b->offsets || !b->targets || (p->weight_bytes && !b->weights))
        return FR_NOMEM;
    b->offsets[0] = 0;
    fr_status status = p->n ? sort_all(b, largest) : FR_OK;
    if (!status && b->drop && p->n)
        close_gaps(b, &m);
    graph->csr = (fr_csr){p->n, m, b->offsets, b->targets, b->weights, b->type, false};
    return status;
}

fr_status fri_graph_build_rows(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options,
                               fr_graph *graph) {
    fri_partition part;
    bool drop = options->drop_parallel;
    fr_status status = fri_partition_edges(ctx, edges, options->drop_loops, &part);
    build b = {.ctx = ctx,
               .part = &part,
               .type = edges->weight_type,
               .drop = drop,
               .needs_dedup = drop || edges->weight_type};
    b.pace = fri_pace_begin(ctx, "sorting", status ? 0 : part.buckets);
    if (!status)
        status = make_rows(&b, graph);
    fri_free(b.starts);
    fri_free(b.kept);
    fri_partition_free(&part, edges);
    if (!status && drop) {
        fri_trim(graph->own_targets, fri_bytes(graph->csr.m, sizeof(int32_t)));
        if (graph->own_weights)
            fri_trim(graph->own_weights, fri_bytes(graph->csr.m, fr_type_size(b.type)));
    }
    return status;
}

fr_status fri_csr_find_symmetry(fr_ctx *ctx, fr_csr *csr, bool known) {
    csr->symmetric = known;
    fr_status status = known ? FR_OK : fri_csr_is_symmetric(ctx, csr, &csr->symmetric);
    if (status != FR_NOMEM)
        return status;
    fri_begin(ctx); /* not a failure: the caller must not see the message */
    return FR_OK;
}

fr_status fri_graph_build(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options,
                          fr_graph *graph) {
    static const fr_load_options defaults;
    options = options ? options : &defaults;
    if (options->direction != FR_DIRECTION_FILE)
        edges->undirected = options->direction == FR_DIRECTION_UNDIRECTED;
    edges->negate_mirror &= options->direction == FR_DIRECTION_FILE;
    fr_status status = fri_load_options_check(ctx, options);
    if (!status)
        status = fri_graph_set_note(ctx, graph, edges->note, edges->warning);
    if (!status)
        status = fri_weights_convert(ctx, edges, options);
    graph->ids = edges->ids;
    edges->ids.list = NULL;
    edges->ids.names = NULL;
    bool symmetric = graph->undirected = edges->undirected && !edges->negate_mirror;
    if (!status)
        status = fri_graph_build_rows(ctx, edges, options, graph);
    fri_edge_list_free(edges);
    if (!status)
        status = fri_csr_find_symmetry(ctx, &graph->csr, symmetric);
    if (!status && fri_weights_made(options))
        status = fri_weights_random(ctx, graph, options);
    return status;
}
