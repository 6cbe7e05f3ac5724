#ifndef FRI_CORE_SOLVER_H
#define FRI_CORE_SOLVER_H

#include "core/strategy.h"

struct fr_solver {
    fri_job job;
    const fri_strategy *strategy;
    fr_csr transposed;           /* owned; zero if the graph is symmetric, or the transpose is not
                              needed or shared */
    fri_derived_use derived;     /* of the graph */
    fri_derived_use own_derived; /* of the transposed graph, with `reverse`; otherwise zeroed */
    int32_t *unit_weights;       /* owned; for strategies that need weights if the graph has none */
    uint64_t *target_map;
    bool record_levels; /* fr_solver_options.record_levels */
    bool reverse;      /* the graph is directed; job.csr is or becomes its transpose, and job.in the
                          graph itself */
    fr_type dist_type; /* of the caller; job.dist_type, or a float type that unit distances are
                           converted to */
    int32_t *post;     /* owned; scratch of core/post.h, from the first query that needs it */
    void *row;         /* owned; a converted row for fr_query.row */
    const fr_query *asked; /* the running query, with the caller's sources */
    int32_t *sources;      /* owned; distinct merged sources */
    void *spare;           /* replaces a level or dist array that the caller did not request */
    int64_t prepare_ns, device_init_ns;
    fr_solver *next_idle;         /* core/kept.c */
    struct fri_device_team *team; /* core/device_team.h; NULL: one device */
};

/* fr_solve on this solver's own device. */
fr_status fri_solve_alone(fr_solver *s, const fr_query *query, fr_result *result);

#endif
