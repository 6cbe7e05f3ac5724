#include "cli/session.h"

#include <stdlib.h>

enum { DRAWS_PER_SOURCE = 8, MIN_SHARE = 10 };

fr_status session_reachable_sources(const session *x, int64_t *count, int32_t **out,
                                    reachable_source_fn reached, void *user) {
    int64_t wanted = *count, drawn = wanted * DRAWS_PER_SOURCE;
    int32_t *level = cli_alloc((size_t)x->csr->n * sizeof *level);
    fr_solver *solver = NULL;
    fr_result result = {.level = level};
    fr_status status = session_random_sources(x, &drawn, out) ? FR_NOT_FOUND : FR_OK;
    *count = 0;
    if (!status)
        status = fr_solver_new(x->ctx, x->graph, FR_PROBLEM_BFS,
                               &(fr_solver_options){.backend = FR_BACKEND_CPU}, &solver);
    for (int64_t i = 0; i < drawn && *count < wanted && !status; i++) {
        fr_query query = {.sources = *out + i, .source_count = 1};
        status = fr_solve(solver, &query, &result);
        if (status || result.stats.reached < x->csr->n / MIN_SHARE)
            continue;
        if (reached)
            reached(user, *count, level);
        (*out)[(*count)++] = (*out)[i];
    }
    fr_solver_free(solver);
    free(level);
    return status;
}
