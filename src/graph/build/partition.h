/* Partitions edges by ranges of rows: the first half of building, transposing and comparing a CSR.
 *
 * An entry is (row, column, weight). A bucket holds 2^row_bits consecutive rows. Each thread fills
 * one small buffer per bucket; a full buffer is moved to a chunk, and the chunks of a bucket form
 * one list per thread. Chunks reuse the memory of input that was already read, so that partitioning
 * an edge list needs almost no additional memory.
 */
#ifndef FRI_PARTITION_H
#define FRI_PARTITION_H

#include "graph/graph.h"

/* A range of an edge list that a thread processes as a unit; later its memory holds chunks. */
typedef struct fri_segment {
    fri_edge_block *block;
    int64_t begin, count;           /* edges of block */
    size_t used_ends, used_weights; /* bytes that are already chunks */
    int next;                       /* the next segment that the same thread took */
} fri_segment;

/* The state of one thread. */
typedef struct fri_partition_writer {
    char *buffers;        /* [buckets] of chunk_bytes */
    uint32_t *fill;       /* [buckets] entries in the buffer */
    char **first, **last; /* [buckets] chunks, linked by their first word */
    int64_t *chunks;      /* [buckets] number of chunks */
    int source, current;  /* segments: the one that chunks are taken from, the one being read;
                             -1: none */
} fri_partition_writer;

typedef struct fri_partition {
    fr_ctx *ctx;
    int32_t n;
    int threads, buckets, row_bits, column_bits;
    bool narrow; /* (row within bucket, column) fit 32 bits; otherwise 16 and 32 bits */
    size_t weight_bytes;
    uint32_t chunk_entries;
    size_t chunk_bytes, columns_at, rows_at; /* layout of a chunk: next, weights, columns, rows */
    fri_partition_writer *writers;           /* [threads] */
    fri_segment *segments;
    int segment_count;
    char *spare; /* chunks outside the input's memory */
    int64_t spare_count, spare_used;
    void *memory; /* of the writers */
    int stop;     /* cancelled */
} fri_partition;

/* Partitions an edge list; the partition becomes the owner of its blocks. */
fr_status fri_partition_edges(fr_ctx *ctx, fri_edge_list *edges, bool drop_loops,
                              fri_partition *part);
/* Partitions a CSR with rows and columns exchanged. Within a bucket the entries keep the order of
 * the CSR if they are read writer by writer. */
fr_status fri_partition_transposed(fr_ctx *ctx, const fr_csr *csr, fri_partition *part);
/* The bytes that fri_partition_transposed would allocate; *part gets the layout and owns
 * nothing. */
size_t fri_partition_transposed_bytes(fr_ctx *ctx, const fr_csr *csr, fri_partition *part);
/* Also valid for a zeroed partition, and after a failure. */
void fri_partition_free(fri_partition *part, fri_edge_list *edges);

int64_t fri_partition_count(const fri_partition *part, int bucket); /* number of entries */

/* Calls form(narrow, weight_bytes) with constants for both. */
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
