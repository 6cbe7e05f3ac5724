/* The adjacency that the bucket strategies read: target and weight of an edge are adjacent, rows
 * may be sorted by weight, so that one stream is read and the light edges of a vertex are a
 * prefix. */
#ifndef FRI_CPU_SSSP_SORTED_ADJACENCY_H
#define FRI_CPU_SSSP_SORTED_ADJACENCY_H

#include "core/strategy.h"

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

/* Edges to vertex 0 past the end, so that prefetching needs no check. */
enum { FRI_ADJACENCY_PAD = 16 };

static inline size_t fri_adjacency_edge_bytes(fr_type weights) {
    return fr_type_size(weights) == 8 ? sizeof(fri_edge_f64) : sizeof(fri_edge_i32);
}
static inline size_t fri_adjacency_bytes(const fri_job *job) {
    size_t size = fri_adjacency_edge_bytes(job->csr.weight_type);
    return fri_align_line(fri_bytes(job->csr.m + FRI_ADJACENCY_PAD, size));
}
/* The rows sorted by weight that all solvers of the graph share; makes them if there are none. They
 * stay until the solver is freed. Not for weights that are the solver's own. FR_NOMEM,
 * FR_CANCELLED. */
fr_status fri_adjacency_share(const fri_job *job, const void **rows);
/* The bytes that it would take. */
size_t fri_adjacency_share_bytes(const fri_job *job);
/* Fills `rows` of fri_adjacency_bytes from job->csr. by_weight: sorts each row, which otherwise
 * keeps its order. FR_CANCELLED: the user cancelled. */
fr_status fri_adjacency_fill(const fri_job *job, void *rows, bool by_weight);

#endif
