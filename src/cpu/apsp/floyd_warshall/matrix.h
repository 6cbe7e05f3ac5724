/* The blocked matrix of Floyd-Warshall and access to it. */
#ifndef FRI_CPU_APSP_FLOYD_WARSHALL_MATRIX_H
#define FRI_CPU_APSP_FLOYD_WARSHALL_MATRIX_H

#include "cpu/apsp/floyd_warshall/kernels.h"
#include "core/strategy.h"

/* Vertices that no source of the query reaches have no place in the matrix. The matrix holds
 * `type`, which no sum overflows; rows are written in the job's dist_type. */
typedef struct fri_floyd {
    fri_job *job;
    fr_type type;
    int32_t size;        /* vertices in the matrix */
    int32_t blocks;      /* per side */
    int32_t *vertex;     /* [size] vertex of the job's graph */
    int32_t *place;      /* [n] in the matrix; -1: none */
    char *dist;          /* [blocks][blocks] of blocks */
    char *parents;       /* the same for parents, as places; NULL: not requested */
    int32_t *spare;      /* [2 n] */
    void *row_dist;      /* [n] of dist_type */
    int32_t *row_parent; /* [n] */
    char *search;        /* of Bellman-Ford; NULL for integers */
    uint8_t *invalid;    /* [rows] what may be wrong with the row, below */
} fri_floyd;

enum {
    FRI_FLOYD_NOT_NEARER = 1, /* not all parents are nearer to the source */
    FRI_FLOYD_ROUNDED = 2     /* by rounding the source is at a distance below 0 from itself */
};

enum { FRI_FLOYD_FAR_I32 = 1 << 29 }; /* the largest int32 cell that is reached */

/* No simple path is longer than this. */
double fri_floyd_path_bound(const fri_job *job);
/* Whether every row has to be checked: floats, some negative. The matrix then has parents. */
bool fri_floyd_checks_sums(const fri_job *job);
/* Whether sums fit int64 in the matrix: always, except with int64 weights. */
bool fri_floyd_takes(const fri_job *job);
/* Whether sums of real weights are finite in the matrix. */
bool fri_floyd_sums_fit(const fri_job *job);
/* The type of the matrix: the narrow one if a quarter of its range holds any simple path. */
fr_type fri_floyd_type(const fri_job *job);

static inline size_t fri_floyd_block_bytes(const fri_floyd *f) {
    return (size_t)FRI_FLOYD_BLOCK * FRI_FLOYD_BLOCK * fr_type_size(f->type);
}
/* Block (i, j) of the distances or the parents; NULL of NULL. */
static inline void *fri_floyd_block(const fri_floyd *f, char *of, int64_t i, int64_t j) {
    return of ? of + (size_t)(i * f->blocks + j) * fri_floyd_block_bytes(f) : NULL;
}

/* Writes the edges into the matrix; all other cells are not reached. */
fr_status fri_floyd_fill(const fri_floyd *f);

/* Writes one row to dist [n] of the job's dist_type and to parent [n]; NULL: not requested.
 * FR_OVERFLOW, without a message, if a distance does not fit dist_type. *invalid as in fri_floyd. */
fr_status fri_floyd_row(const fri_floyd *f, int32_t source, void *dist, int32_t *parent,
                        uint8_t *invalid);

/* Replaces the parents of a row by the smallest ones if the query sets FR_PARENT_MIN_ID; of floats the
 * distances, too, where `why` (of fri_floyd.invalid) is rounding, the parents are no forest, or their paths
 * have other sums. */
fr_status fri_floyd_repair_row(const fri_floyd *f, int32_t source, uint8_t why, void *dist,
                               int32_t *parent);

/* Solves a row of floats without the matrix. */
fr_status fri_floyd_search_row(const fri_floyd *f, int32_t source, void *dist, int32_t *parent);

/* Searches for a negative cycle among the matrix's vertices by Bellman-Ford: FR_NEGATIVE_CYCLE with the
 * cycle in the job's result, FR_OK: there is none. Overwrites the matrix. */
fr_status fri_floyd_find_cycle(fri_floyd *f);

#endif
