/* Commands that run as several ranks: --ranks of bfs, sssp and graph500. Every rank runs the same
 * code; rank 0 prints. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "fringe_ranks.h"
#include "cli/session.h"

typedef struct ranks {
    session x; /* without a graph */
    fr_world *world;
    fr_part *part;
    fr_part_stats stats;
    bool first; /* rank 0, which prints */
} ranks;

/* FR_INVALID with a message on rank 0: processes that a launcher started would all do the same. */
int ranks_refuse_copies(const settings *s);
/* Options that ranks have no use for; CLI_USAGE names the first that is given. */
int ranks_check(const settings *s);

/* Joins the ranks. End with ranks_close, also after a failure. */
int ranks_open(ranks *r, const settings *s);
int ranks_load(ranks *r, const char *graph); /* a file or a description */
void ranks_close(ranks *r);
/* The exit code of a failure that all ranks have: rank 0 prints the message. After FR_RANK every rank
 * prints, and the others are ended. */
int ranks_fail(ranks *r, fr_status status);

/* The arrays of an answer, and what all ranks make of it. */
typedef struct ranks_answer {
    fr_part_solver *solver;
    fr_part_query query;
    fr_part_result result;
    fr_problem problem;
    int64_t source;
} ranks_answer;
fr_status ranks_answer_open(ranks *r, fr_problem problem, ranks_answer *a);
fr_status ranks_answer_solve(ranks_answer *a, int64_t source);
void ranks_answer_close(ranks_answer *a);

int cmd_ranks_traverse(const settings *s);
int cmd_ranks_graph500(const settings *s);

#endif
