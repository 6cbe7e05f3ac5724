/* Edges dealt out by ranges of rows: the first half of building, transposing and comparing a CSR.
 *
 * An entry is (row, column, weight). Rows are dealt into buckets of 2^row_bits consecutive ones.
 * Each thread fills one small buffer per bucket; a full buffer goes to a chunk, and the chunks of a
 * bucket form a list per thread. Chunks are taken from the memory of input that was already read,
 * so that dealing out an edge list needs next to no memory beside it. */
#ifndef FRI_PARTITION_H
#define FRI_PARTITION_H

#include "graph/graph.h"

/* A piece of an edge list: what a thread takes at a time, and later the chunks in its place. */
typedef struct fri_segment {
    fri_edge_block *block;
    int64_t begin, count;           /* edges of block */
    size_t used_ends, used_weights; /* bytes that are chunks by now */
    int next;                       /* the segment that the same thread took next */
} fri_segment;

/* One thread's side. */
typedef struct fri_partition_writer {
    char *buffers;        /* [buckets] of chunk_bytes */
    uint32_t *fill;       /* [buckets] entries in the buffer */
    char **first, **last; /* [buckets] chunks, linked by their first word */
    int64_t *chunks;      /* [buckets] how many */
    int source, current;  /* segments: chunks are taken from, being read; -1: none */
} fri_partition_writer;

typedef struct fri_partition {
    fr_ctx *ctx;
    int32_t n;
    int threads, buckets, row_bits, column_bits;
    bool narrow; /* (row within bucket, column) fit 32 bits; else 16 and 32 bits */
    size_t weight_bytes;
    uint32_t chunk_entries;
    size_t chunk_bytes, columns_at, rows_at; /* a chunk: next, weights, columns, rows */
    fri_partition_writer *writers;           /* [threads] */
    fri_segment *segments;
    int segment_count;
    char *spare; /* chunks beside those in the input's place */
    int64_t spare_count, spare_used;
    void *memory; /* of the dealers */
    int stop;     /* cancelled */
} fri_partition;

/* Deals out an edge list, whose blocks become the property of the partition. */
fr_status fri_partition_edges(fr_ctx *ctx, fri_edge_list *edges, bool drop_loops,
                              fri_partition *part);
/* Deals out a CSR with rows and columns exchanged. Within a bucket the entries keep the order of
 * the CSR when read dealer by dealer. */
fr_status fri_partition_transposed(fr_ctx *ctx, const fr_csr *csr, fri_partition *part);
/* The bytes that takes, without taking them; *part gets the layout and nothing to free. */
size_t fri_partition_transposed_bytes(fr_ctx *ctx, const fr_csr *csr, fri_partition *part);
/* Also of a zeroed one, and after a failure. */
void fri_partition_free(fri_partition *part, fri_edge_list *edges);

int64_t fri_partition_count(const fri_partition *part, int bucket); /* entries */

/* Runs form(narrow, weight_bytes) with constants for both. */
#define FRI_FOR_EACH_FORM(p, form)                                                                 \
    do {                                                                                           \
        if ((p)->narrow && (p)->weight_bytes == 0)                                                 \
            form(true, 0);                                                                         \
        else if ((p)->narrow && (p)->weight_bytes == 4)                                            \
            form(true, 4);                                                                         \
        else if ((p)->narrow)                                                                      \
            form(true, 8);                                                                         \
        else if ((p)->weight_bytes == 0)                                                           \
            form(false, 0);                                                                        \
        else if ((p)->weight_bytes == 4)                                                           \
            form(false, 4);                                                                        \
        else                                                                                       \
            form(false, 8);                                                                        \
    } while (0)

#endif
