/* Checks a caller's CSR in device memory, where it is. */
#ifndef FRI_CUDA_GRAPH_ROWS_CHECK_H
#define FRI_CUDA_GRAPH_ROWS_CHECK_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* What the kernels find. Indexes are the smallest ones, ULLONG_MAX: none. After a wrong row or end
 * nothing after it is checked. */
typedef struct fri_rows_report {
    unsigned long long row;     /* its offset is greater than the next one */
    unsigned long long target;  /* an edge to no vertex */
    unsigned long long order;   /* an edge that belongs before the one before it */
    unsigned long long weight;  /* an edge of a weight that is not finite */
    long long first, last;      /* of the offsets */
    unsigned long long mirror;  /* 0 if every edge has its reverse, as in fri_csr_is_mirrored */
    unsigned long long squares; /* of the degrees; a factor above 2^20 counts as 2^20 */
    long long min, max;         /* of the weights: fri_rows_weight */
    double sum;                 /* of the weights */
    int fractions;              /* not 0: a float is not whole (FRI_HAS_FRACTION) */
} fri_rows_report;

/* Launches the check on g->stream. *report is in device memory. */
fr_status fri_gpu_check_rows(fri_gpu *g, const fr_device_csr *csr, fri_rows_report *report);
/* The weight that `min` or `max` encodes. */
double fri_rows_weight(fr_type type, long long key);

FRI_C_END
#endif
