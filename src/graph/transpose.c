/* Transposes a CSR.
 *
 * Idea: the edges of a CSR come in ascending order of their row, so partitioning them by target
 *   (partition.h) and moving them to their rows once (graph/build/bucket_sort.h) leaves each row
 *   ascending without sorting.
 * Work: one sweep to partition, two over each bucket in the cache. Memory: as much as the CSR
 *   again.
 */
#include "base/pace.h"
#include "base/team.h"
#include "graph/build/bucket_sort.h"

#include <string.h>

/* The bucket's first row, and the number of its rows. */
static int64_t rows_of(const fri_partition *p, int bucket, int64_t *first) {
    *first = (int64_t)bucket << p->row_bits;
    return FRI_MIN(p->n - *first, INT64_C(1) << p->row_bits);
}

typedef struct {
    const fri_partition *part;
    fri_pace pace;
    int64_t *starts;     /* [buckets + 1] */
    fri_sorter *sorters; /* [threads] */
    void *memory;
    /* the result */
    int64_t *offsets;
    int32_t *targets;
    char *weights;
} exchange;

static fr_status open_exchange(fr_ctx *ctx, const fri_partition *p, exchange *x) {
    x->part = p;
    x->pace = fri_pace_begin(ctx, "transposing", p->buckets);
    x->starts = fri_alloc(ctx, fri_bytes(p->buckets + 1, sizeof *x->starts));
    x->sorters = fri_calloc(ctx, fri_bytes(p->threads, sizeof *x->sorters));
    if (!x->starts || !x->sorters)
        return FR_NOMEM;
    x->starts[0] = 0;
    for (int i = 0; i < p->buckets; i++)
        x->starts[i + 1] = x->starts[i] + fri_partition_count(p, i);
    return fri_sorters_make(ctx, p, 0, p->threads, true, x->sorters, &x->memory);
}

static void close_exchange(exchange *x) {
    fri_free(x->starts);
    fri_free(x->sorters);
    fri_free(x->memory);
}

static void transpose_bucket(const exchange *x, const fri_sorter *sorter, int bucket) {
    const fri_partition *p = x->part;
    int64_t base = x->starts[bucket], first, rows = rows_of(p, bucket, &first);
    fri_bucket_sort(p, bucket, true, sorter, x->targets + base,
                    x->weights ? x->weights + (size_t)base * p->weight_bytes : NULL);
    for (int64_t r = 0; r < rows; r++)
        x->offsets[first + r + 1] = base + sorter->row_counts[r];
}

static void transpose_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    exchange *x = arg;
    for (int64_t i = begin; i < end; i++)
        if (!fri_pace_stop_team(&x->pace, me.index == 0, x->starts[i + 1] - x->starts[i] + 1, i))
            transpose_bucket(x, &x->sorters[me.index], (int)i);
}

size_t fri_csr_transpose_bytes(fr_ctx *ctx, const fr_csr *csr) {
    fri_partition p;
    size_t bytes = fri_partition_transposed_bytes(ctx, csr, &p);
    return bytes + fri_bytes((int64_t)p.buckets + 1, sizeof(int64_t)) +
           fri_bytes(p.threads, sizeof(fri_sorter)) + fri_sorters_bytes(&p, 0, p.threads, true);
}

fr_status fri_csr_transpose(fr_ctx *ctx, const fr_csr *csr, fr_csr *out) {
    size_t size = fr_type_size(csr->weight_type);
    int64_t *offsets = fri_alloc(ctx, fri_bytes((int64_t)csr->n + 1, sizeof *offsets));
    int32_t *targets = fri_alloc(ctx, fri_bytes(csr->m, sizeof *targets));
    char *weights = size ? fri_alloc(ctx, fri_bytes(csr->m, size)) : NULL;
    *out = (fr_csr){csr->n, csr->m, offsets, targets, weights, csr->weight_type, csr->symmetric};
    fri_partition part = {0};
    exchange x = {.offsets = offsets, .targets = targets, .weights = weights};
    fr_status status = !offsets || !targets || (size && !weights) ? FR_NOMEM : FR_OK;
    if (!status) {
        offsets[0] = 0;
        status = fri_partition_transposed(ctx, csr, &part);
    }
    if (!status)
        status = open_exchange(ctx, &part, &x);
    if (!status && csr->n) {
        fri_team_loop(ctx, part.threads, part.buckets, 1, transpose_piece, &x);
        status = x.pace.status;
    }
    close_exchange(&x);
    fri_partition_free(&part, NULL);
    if (status)
        fri_csr_free(out);
    return status;
}
