/* Builds the rows of cpu/sssp/sorted_adjacency.h: one copy and, where asked, one sort per row. */
#include "cpu/sssp/sorted_adjacency.h"

#include "base/pace.h"

#define EDGE     fri_edge_i32
#define FN(name) name##_i32
#define W        int32_t
#include "cpu/sssp/sorted_adjacency.inc.h"
#undef EDGE
#undef FN
#undef W

#define EDGE     fri_edge_i64
#define FN(name) name##_i64
#define W        int64_t
#include "cpu/sssp/sorted_adjacency.inc.h"
#undef EDGE
#undef FN
#undef W

#define EDGE     fri_edge_f32
#define FN(name) name##_f32
#define W        float
#include "cpu/sssp/sorted_adjacency.inc.h"
#undef EDGE
#undef FN
#undef W

#define EDGE     fri_edge_f64
#define FN(name) name##_f64
#define W        double
#include "cpu/sssp/sorted_adjacency.inc.h"
#undef EDGE
#undef FN
#undef W

size_t fri_adjacency_bytes(const fri_job *job) {
    bool wide = fr_type_size(job->csr.weight_type) == 8;
    size_t size = wide ? sizeof(fri_edge_f64) : sizeof(fri_edge_i32);
    return fri_align_line(fri_bytes(job->csr.m + FRI_ADJACENCY_PAD, size));
}

fr_status fri_adjacency_fill(const fri_job *job, void *rows, bool by_weight) {
    if (job->csr.weight_type == FR_TYPE_F64)
        return fill_f64(job, rows, by_weight);
    if (job->csr.weight_type == FR_TYPE_I64)
        return fill_i64(job, rows, by_weight);
    if (job->csr.weight_type == FR_TYPE_F32)
        return fill_f32(job, rows, by_weight);
    return fill_i32(job, rows, by_weight);
}
