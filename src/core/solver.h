#ifndef FRI_CORE_SOLVER_H
#define FRI_CORE_SOLVER_H

#include "core/strategy.h"

struct fr_solver {
    fri_job job;
    const fri_strategy *strategy;
    fr_csr transposed; /* owned; zero if the graph is symmetric, or the transpose is not
                              needed or shared */
    fri_derived_use derived;
    int32_t *unit_weights; /* owned; for strategies that need weights if the graph has none */
    uint64_t *target_map;
    int32_t *sources; /* owned; distinct merged sources */
    void *spare;      /* replaces a level or dist array that the caller did not request */
    int64_t prepare_ns, device_init_ns;
};

#endif
