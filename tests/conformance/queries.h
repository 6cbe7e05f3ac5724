/* The queries that every single-source strategy runs on every graph. */
#ifndef CONFORMANCE_QUERIES_H
#define CONFORMANCE_QUERIES_H

#include "conformance/harness.h"

enum { CF_MAX_QUERIES = 17 };

/* A query with the distances and smallest parents that the oracle computes for its sources. */
typedef struct cf_task {
    cf_query query;
    cf_number *dist;      /* [n] */
    int32_t *min_parents; /* [n] */
} cf_task;

/* Fills tasks[CF_MAX_QUERIES] and returns how many. `unit`: levels. */
int cf_tasks_new(const cf_graph *g, bool unit, cf_task *tasks);
void cf_tasks_free(cf_task *tasks, int count);

/* All tasks on one solver, then the first again. */
void cf_run_tasks(fr_ctx *ctx, const cf_config *config, const cf_task *tasks, int count);

#endif
