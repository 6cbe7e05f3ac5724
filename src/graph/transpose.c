/* Transposes a CSR.
 *
 * Idea: the edges of a CSR come in ascending order of their row, so partitioning them by target
 *   (partition.h) and moving them to their rows once (graph/build/bucket_sort.h) leaves each row
 *   ascending without sorting.
 * Work: one sweep to partition, two over each bucket in the cache. Memory: as much as the CSR
 *   again.
 */
#include "base/pace.h"
#include "graph/build/bucket_sort.h"

#include <omp.h>
#include <string.h>

/* The bucket's first row, and the number of its rows. */
static int64_t rows_of(const fri_partition *p, int bucket, int64_t *first) {
    *first = (int64_t)bucket << p->row_bits;
    return FRI_MIN(p->n - *first, INT64_C(1) << p->row_bits);
}

typedef struct {
    const fri_partition *part;
    fri_pace pace;
    int64_t *starts; /* [buckets + 1] */
    fri_sorter *sorters;
    void *memory;
} exchange;

static fr_status open_exchange(fr_ctx *ctx, const fri_partition *p, exchange *x) {
    *x = (exchange){.part = p, .pace = fri_pace_begin(ctx, "transposing", p->buckets)};
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

static void transpose_bucket(const exchange *x, int bucket, int64_t *offsets, int32_t *targets,
                             char *weights) {
    const fri_partition *p = x->part;
    const fri_sorter *sorter = &x->sorters[omp_get_thread_num()];
    int64_t base = x->starts[bucket], first, rows = rows_of(p, bucket, &first);
    fri_bucket_sort(p, bucket, true, sorter, targets + base,
                    weights ? weights + (size_t)base * p->weight_bytes : NULL);
    for (int64_t r = 0; r < rows; r++)
        offsets[first + r + 1] = base + sorter->row_counts[r];
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
    exchange x = {0};
    fr_status status = !offsets || !targets || (size && !weights) ? FR_NOMEM : FR_OK;
    if (!status) {
        offsets[0] = 0;
        status = fri_partition_transposed(ctx, csr, &part);
    }
    if (!status)
        status = open_exchange(ctx, &part, &x);
    if (!status && csr->n) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(part.threads)
        for (int i = 0; i < part.buckets; i++)
            if (!FRI_PACE_STOP_LOOP(&x.pace, x.starts[i + 1] - x.starts[i] + 1, i))
                transpose_bucket(&x, i, offsets, targets, weights);
        status = x.pace.status;
    }
    close_exchange(&x);
    fri_partition_free(&part, NULL);
    if (status)
        fri_csr_free(out);
    return status;
}
