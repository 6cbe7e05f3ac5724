/* What the two sweeps over a METIS file share. */
#ifndef FRI_IO_FORMATS_METIS_H
#define FRI_IO_FORMATS_METIS_H

#include "io/format.h"

typedef enum fri_metis_fault {
    FRI_METIS_OK,
    FRI_METIS_WIDER, /* a weight needs int64 */
    FRI_METIS_RANGE,
    FRI_METIS_LOOP,
    FRI_METIS_ID,
    FRI_METIS_NOT_INTEGER,
    FRI_METIS_SHORT,
    FRI_METIS_NO_WEIGHT,
    FRI_METIS_EXTRA
} fri_metis_fault;

/* A range of whole lines of the body. */
typedef struct fri_metis_chunk {
    const char *begin, *end;
    int64_t lines, words; /* outside comments */
    int64_t vertex, edge; /* first vertex and first edge of the chunk */
    int64_t capacity;     /* edges, if all lines are valid */
    fri_metis_fault fault;
    const char *at; /* position of the fault */
    int64_t value;
} fri_metis_chunk;

typedef struct fri_metis {
    int64_t n, m; /* as declared */
    int64_t skip; /* numbers before the neighbors */
    int64_t base; /* the first id */
    bool weighted, ignore_weights, wide_weights;
    bool may_be_multi; /* fmt 100: vertex sizes, or a multigraph of the 10th DIMACS challenge */
    bool multi; /* the latter: with self-loops and parallel edges, and m counts the neighbors */
    const char *first_line, *body; /* the first line, what follows it */
    int64_t lines, stored;         /* vertices that have a line; number of edges in all lines */
    int count;
    fri_metis_chunk *chunks;
} fri_metis;

/* Writes the chunk's rows into csr, and its first fault, if any, into the chunk. */
void fri_metis_parse(const fri_metis *g, fri_metis_chunk *chunk, const fr_csr *csr);
const char *fri_metis_fault_text(fri_metis_fault fault);

#endif
