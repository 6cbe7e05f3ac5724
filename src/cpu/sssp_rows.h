/* The adjacency that the bucket strategies walk: target and weight side by side, each row ascending
 * by weight, so that one stream is read and the light edges of a vertex are a prefix. */
#ifndef FRI_SSSP_ROWS_H
#define FRI_SSSP_ROWS_H

#include "run/strategy.h"

typedef struct {
    int32_t v, w;
} fri_edge_i32;
typedef struct {
    int32_t v;
    int64_t w;
} fri_edge_i64;
typedef struct {
    int32_t v;
    float w;
} fri_edge_f32;
typedef struct {
    int32_t v;
    double w;
} fri_edge_f64;

enum {
    FRI_ROWS_PAD = 16
}; /* edges to vertex 0 past the end, so that looking ahead needs no check */

size_t fri_rows_bytes(const fri_job *job);
/* Fills `rows` of fri_rows_bytes from job->csr. by_weight: sort each row; else keep its order. */
fr_status fri_rows_fill(const fri_job *job, void *rows, bool by_weight); /* or FR_CANCELLED */

#endif
