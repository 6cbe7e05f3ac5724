/* --ranks of bfs, sssp and graph500: what a session and a traversal do on several ranks in place of one
 * process. Every rank runs the same code; rank 0 prints. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "fringe_ranks.h"
#include "cli/traversal.h"

#include <jansson.h>

typedef struct ranks {
    fr_world *world;
    fr_part *part;
    fr_part_stats stats;
    fr_csr sizes; /* of the whole graph, without rows: session.csr */
} ranks;

/* FR_INVALID with a message on rank 0: processes that a launcher started would all do the same. */
int ranks_refuse_copies(const settings *s);
/* Options that ranks have no use for; CLI_USAGE names the first that is given. */
int ranks_check(const settings *s);

/* ---- a session: the functions of session.h call these ---- */

int ranks_open(session *x); /* joins the ranks; the others than the first become silent */
int ranks_load(session *x, const char *graph, const fr_load_options *load);
fr_status ranks_random_sources(const session *x, int64_t *count, int32_t **out);
void ranks_close(session *x);

/* ---- a traversal: as in traversal.h ---- */

/* What a rank has of an answer. */
typedef struct part_answer {
    fr_part_solver *solver;
    fr_part_query query;
    fr_part_result result;
    int64_t *sources; /* of the query */
} part_answer;

fr_status ranks_solver_new(traversal *t);
fr_status ranks_solve(traversal *t);
fr_status ranks_verify(traversal *t);
fr_status ranks_write(traversal *t);
void ranks_solver_free(traversal *t);

/* ---- the summary, on rank 0 ---- */

void ranks_summary(const session *x);
void ranks_explain(const traversal *t);
json_t *ranks_json(const session *x); /* what is known before a traversal */

#endif
