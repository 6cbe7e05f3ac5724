/* The solver: a job, which has the strategy, and what it keeps between queries. */
#ifndef FRI_CORE_SOLVER_H
#define FRI_CORE_SOLVER_H

#include "core/query/level_sums.h"
#include "core/strategy.h"

struct fr_solver {
    fri_job job;      /* job.in is `in` */
    fri_job_input in; /* in.query is the strategy's */
    /* The caller asked for `auto`: another strategy may take its place, and take its place again on another
     * graph or device (fri_solver_like). */
    bool by_auto;
    fr_csr transposed;           /* owned; zero if the graph is symmetric, or the transpose is not
                              needed or shared */
    fri_derived_use derived;     /* of the graph */
    fri_derived_use own_derived; /* of the transposed graph, with `reverse`; otherwise zeroed */
    int32_t *unit_weights;       /* owned; for strategies that need weights if the graph has none */
    uint64_t *target_map;
    bool record_levels; /* fr_solver_options.record_levels */
    /* the graph is directed; job.csr is or becomes its transpose, and job.in_edges the graph itself */
    bool reverse;
    bool asks_reverse;    /* the option, also of a symmetric graph */
    fr_type dist_type;    /* of the caller; job.in->dist_type, or that of `sums` */
    fri_level_table sums; /* of job.sums; owned bits */
    bool equal_weights;   /* the graph's weights are equal, and the job has none */
    int32_t *post; /* owned; scratch of core/query/post.h, from the first query that needs it */
    void *row;     /* owned; a converted row for fr_query.row */
    const fr_query *query; /* of the caller, during a query */
    int32_t *sources;      /* owned; distinct merged sources */
    void *spare;           /* replaces a level or dist array that the caller did not request */
    /* core/query/apsp_rows.c, during a query that finishes rows */
    const fr_result *result; /* of the caller; job.out is the strategy's */
    fr_apsp_row_fn next_row;
    void *next_row_user;
    bool finds_nearest, finishes_rows;
    void *row_dist;      /* owned; [row_width] a row without an array of the caller */
    int32_t *row_parent; /* owned; the same */
    size_t row_width;
    int32_t *nearest; /* owned; [n] */
    int64_t prepare_ns, device_init_ns;
    const fr_graph *graph; /* of the caller */
    const fri_job *last;   /* that ran the last query: its levels, kernels and explanation count */
    /* owned; what the wrappers keep, NULL before they are needed */
    struct fri_device_team *team; /* core/device_team.h */
    struct fri_closed *closed;    /* core/closed.h */
};

/* A solver around another: it answers some queries of `s` by solvers like it (fri_solver_like). */
typedef struct fri_wrapper {
    /* Whether it answers the query. each: of fr_solve_each, whose sources have a row each; else the sources of
     * BFS and SSSP are merged into one. */
    bool (*takes)(const fr_solver *s, const fr_query *query, bool each);
    /* fr_solve; with `solved`, the number of complete rows, fr_solve_each. The structs are of this library's
     * size. */
    fr_status (*solve)(fr_solver *s, const fr_query *query, fr_result *result, int64_t *solved);
    void (*free)(fr_solver *s); /* what it keeps */
} fri_wrapper;
extern const fri_wrapper fri_without_closed, fri_over_devices; /* closed.c, device_team.c */
/* The wrapper that answers a query; NULL: the solver itself does. */
const fri_wrapper *fri_wrapper_of(const fr_solver *s, const fr_query *query, bool each);

/* Makes a solver like `s` for another graph, or the same one in another context: with the strategy and knobs that
 * `s` has, so that it chooses nothing itself. Only where these do not fit the memory of a GPU, and the caller of
 * `s` asked for `auto`, another strategy takes their place. */
fr_status fri_solver_like(const fr_solver *s, fr_ctx *ctx, const fr_graph *graph, fr_solver **out);

/* Where fr_solver_new would solve by `auto` with these options, of which backend, unit_weights and expected_queries
 * count; apart from GPUs with too little memory. problem is one. */
fr_status fri_solver_auto_backend(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                                  const fr_solver_options *options, fr_backend *out);

/* Adds the figures of one query to `sum`, of other queries by the same solver; transfer_ns without the upload,
 * which all of them share (solve_each.c). */
void fri_stats_add(fr_stats *sum, const fr_stats *one);

/* fr_solve and fr_solve_each on this solver's own device. */
fr_status fri_solve_alone(fr_solver *s, const fr_query *query, fr_result *result);
fr_status fri_solve_each_alone(fr_solver *s, const fr_query *query, fr_result *result,
                               int64_t *solved);
/* Where row `row` of a caller's array begins, whose rows have `bytes` each; NULL: there is no array. */
static inline void *fri_result_row(void *array, int64_t row, size_t bytes) {
    return array ? (char *)array + (size_t)row * bytes : NULL;
}

/* Whether distances are computed as levels and then replaced by their sums. */
static inline bool fri_solver_converts(const fr_solver *s) { return s->job.sums != NULL; }

#endif
