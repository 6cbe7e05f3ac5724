/* Sorts the buckets of a partition into rows: the second half of building a CSR. */
#ifndef FRI_GRAPH_BUCKET_SORT_H
#define FRI_GRAPH_BUCKET_SORT_H

#include "graph/build/partition.h"

/* The buffers of one sorting thread. */
typedef struct fri_sorter {
    int64_t *counts;     /* of digits, then of rows */
    int64_t *row_counts; /* [2^row_bits]: after sorting, the end of each row within the bucket */
    void *keys[2];       /* [1] is NULL in the narrow form: the result is used instead */
    void *weights;
} fri_sorter;

/* Allocates one sorter per thread for buckets of up to `entries`, in *memory (one block). */
fr_status fri_sorters_make(fr_ctx *ctx, const fri_partition *part, int64_t entries, int sorters,
                           bool ordered, fri_sorter *sorter, void **memory);

size_t fri_sorters_bytes(const fri_partition *part, int64_t entries, int sorters, bool ordered);

/* Sorts one bucket into targets and weights (which need capacity for its entries; weights is NULL
 * without weights). Rows are consecutive and each is ascending; `ordered`: the entries already come
 * with ascending columns. */
void fri_bucket_sort(const fri_partition *part, int bucket, bool ordered, const fri_sorter *sorter,
                     int32_t *targets, void *weights);

/* Sorts the weights of parallel edges within [0, count) of one row, and with `drop` keeps the
 * minimum of each; returns the number of remaining edges. */
int64_t fri_dedup_row(int32_t *targets, void *weights, fr_type type, int64_t count, bool drop);

#endif
