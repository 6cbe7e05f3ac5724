#ifndef FRI_CORE_SOLVER_H
#define FRI_CORE_SOLVER_H

#include "core/strategy.h"

struct fr_solver {
    fri_job job;
    const fri_strategy *strategy;
    fr_csr transposed;     /* own; zero when the graph is symmetric or nobody needs it */
    int32_t *unit_weights; /* own; for strategies that need weights where there are none */
    uint64_t *target_map;
    int32_t *sources; /* own; distinct merged sources */
    void *spare;      /* stands in for a level or dist that the caller did not want */
    int64_t prepare_ns, device_init_ns;
};

#endif
