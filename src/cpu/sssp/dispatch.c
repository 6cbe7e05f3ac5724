/* Calls the SSSP code of the job's pair of types: one table per function of cpu/sssp/typed/. */
#include "cpu/sssp/typed.h"

#define DECLARE(type, name, ...)                                                                   \
    type name##_i32_i32(__VA_ARGS__), name##_i32_i64(__VA_ARGS__), name##_i64_i64(__VA_ARGS__),    \
        name##_f32_f32(__VA_ARGS__), name##_f32_f64(__VA_ARGS__), name##_f64_f64(__VA_ARGS__)
#define PAIRS(name)                                                                                \
    {                                                                                              \
        name##_i32_i32, name##_i32_i64, name##_i64_i64, name##_f32_f32, name##_f32_f64,            \
            name##_f64_f64                                                                         \
    }

DECLARE(fr_status, fri_adjacency_fill, const fri_job *, void *, bool);
DECLARE(size_t, fri_sssp_delta_bytes, const fri_job *, double);
DECLARE(fr_status, fri_sssp_delta_run, fri_job *, const void *, double, double, char *);
DECLARE(size_t, fri_sssp_spira_window_bytes, const fri_job *);
DECLARE(fr_status, fri_sssp_spira_window_run, fri_job *, const void *, double, double, double,
        char *);
DECLARE(fr_status, fri_sssp_dijkstra_run, fri_job *);
DECLARE(fr_status, fri_sssp_bellman_ford_run, fri_job *);
DECLARE(fr_status, fri_sssp_bounded_run, fri_job *, int64_t, char *, bool *);
DECLARE(fr_status, fri_sssp_finish, fri_job *, void *);
DECLARE(fr_status, fri_sssp_min_parents, fri_job *, int32_t *);

/* The index of a pair in the tables. */
typedef enum { I32_I32, I32_I64, I64_I64, F32_F32, F32_F64, F64_F64 } type_pair;

static type_pair pair_of(const fri_job *job) {
    if (job->csr.weight_type == FR_TYPE_F64)
        return F64_F64;
    if (job->csr.weight_type == FR_TYPE_I64)
        return I64_I64;
    if (job->csr.weight_type == FR_TYPE_F32)
        return job->dist_type == FR_TYPE_F64 ? F32_F64 : F32_F32;
    return job->dist_type == FR_TYPE_I64 ? I32_I64 : I32_I32;
}

fr_status fri_adjacency_fill(const fri_job *job, void *rows, bool by_weight) {
    static fr_status (*const fill[])(const fri_job *, void *, bool) = PAIRS(fri_adjacency_fill);
    return fill[pair_of(job)](job, rows, by_weight);
}

size_t fri_sssp_delta_bytes(const fri_job *job, double pool) {
    static size_t (*const bytes[])(const fri_job *, double) = PAIRS(fri_sssp_delta_bytes);
    return bytes[pair_of(job)](job, pool);
}

fr_status fri_sssp_delta_run(fri_job *job, const void *rows, double delta, double pool,
                             char *scratch) {
    static fr_status (*const run[])(fri_job *, const void *, double, double, char *) =
        PAIRS(fri_sssp_delta_run);
    return run[pair_of(job)](job, rows, delta, pool, scratch);
}

size_t fri_sssp_spira_window_bytes(const fri_job *job) {
    static size_t (*const bytes[])(const fri_job *) = PAIRS(fri_sssp_spira_window_bytes);
    return bytes[pair_of(job)](job);
}

fr_status fri_sssp_spira_window_run(fri_job *job, const void *rows, double width, double delta,
                                    double pull, char *scratch) {
    static fr_status (*const run[])(fri_job *, const void *, double, double, double, char *) =
        PAIRS(fri_sssp_spira_window_run);
    return run[pair_of(job)](job, rows, width, delta, pull, scratch);
}

fr_status fri_sssp_dijkstra_run(fri_job *job) {
    static fr_status (*const run[])(fri_job *) = PAIRS(fri_sssp_dijkstra_run);
    return run[pair_of(job)](job);
}

fr_status fri_sssp_bellman_ford_run(fri_job *job) {
    static fr_status (*const run[])(fri_job *) = PAIRS(fri_sssp_bellman_ford_run);
    return run[pair_of(job)](job);
}

fr_status fri_sssp_bounded_run(fri_job *job, int64_t edges, char *scratch, bool *done) {
    static fr_status (*const run[])(fri_job *, int64_t, char *, bool *) =
        PAIRS(fri_sssp_bounded_run);
    return run[pair_of(job)](job, edges, scratch, done);
}

size_t fri_sssp_bounded_bytes(int64_t edges) {
    enum { NODE_BYTES = 2 * sizeof(int64_t) }; /* of the widest pair, padded */
    return fri_align_line(fri_bytes(2 * edges, NODE_BYTES)) +
           fri_align_line(fri_bytes(2 * edges, sizeof(int32_t)));
}

fr_status fri_sssp_finish(fri_job *job, void *spare) {
    static fr_status (*const finish[])(fri_job *, void *) = PAIRS(fri_sssp_finish);
    return finish[pair_of(job)](job, spare);
}

fr_status fri_sssp_min_parents(fri_job *job, int32_t *spare) {
    static fr_status (*const parents_of[])(fri_job *, int32_t *) = PAIRS(fri_sssp_min_parents);
    return parents_of[pair_of(job)](job, spare);
}
