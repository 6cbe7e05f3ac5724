/* A search on ranks, in the steps that the programs of this folder share, and what every rank ends with. */
#ifndef TESTS_RANKS_SEARCH_H
#define TESTS_RANKS_SEARCH_H

#include "ranks/comm_threads.h"
#include "ranks/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    fr_part *part;
    fr_part_solver *solver;
    int64_t source;     /* of search_query */
    fr_part_result own; /* with arrays of own vertices */
} search;

/* graph: a description, or a file if it has a '/'. */
static inline fr_status search_load(search *s, fr_ctx *ctx, fr_world *w, const char *graph,
                                    const fr_load_options *load) {
    return strchr(graph, '/') ? fr_part_load(ctx, w, graph, load, &s->part)
                              : fr_part_generate(ctx, w, graph, load, &s->part);
}

/* Makes the solver and the arrays, after the part. */
static inline fr_status search_open(search *s, fr_ctx *ctx, fr_problem problem) {
    const size_t own = (size_t)s->part->own + 1;
    const bool bfs = problem == FR_PROBLEM_BFS;
    s->own.level = bfs ? calloc(own, sizeof *s->own.level) : NULL;
    s->own.dist = bfs ? NULL : calloc(own, sizeof(int64_t));
    s->own.parent = calloc(own, sizeof *s->own.parent);
    if (!s->own.parent || (!s->own.level && !s->own.dist))
        abort();
    return fr_part_solver_new(ctx, s->part, problem, &s->solver);
}

static inline fr_part_query search_query(search *s, int64_t source) {
    s->source = source;
    return (fr_part_query){.sources = &s->source, .source_count = 1};
}

static inline fr_status search_solve(search *s, int64_t source) {
    const fr_part_query query = search_query(s, source);
    return fr_part_solve(s->solver, &query, &s->own);
}

/* Solves, checks, and writes the answer to a file. */
static inline fr_status search_write(search *s, fr_ctx *ctx, int64_t source, const char *path,
                                     const char *format) {
    const fr_problem problem = s->solver->problem;
    const fr_part_query query = search_query(s, source);
    fr_status status = search_solve(s, source);
    if (!status)
        status = fr_part_verify(ctx, s->part, problem, &query, &s->own);
    return status ? status : fr_part_write(ctx, s->part, problem, &s->own, path, format);
}

static inline void search_free(search *s) {
    fr_part_solver_free(s->solver);
    fr_part_free(s->part);
    free(s->own.level);
    free(s->own.dist);
    free(s->own.parent);
}

/* ---- of measurements ---- */

static inline void stop_on(const fr_ctx *ctx, fr_status status) {
    if (!status)
        return;
    printf("%s\n", fr_ctx_error(ctx));
    exit(1);
}

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the values. */
static inline double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* ---- what every rank ends with ---- */

enum { MAX_RANKS = 16 };
typedef struct outcome {
    fr_status status[MAX_RANKS];
    char message[MAX_RANKS][512];
} outcome;

static inline void outcome_set(outcome *o, const fr_ctx *ctx, const fr_world *w, fr_status status) {
    const int rank = fr_world_rank(w);
    o->status[rank] = status;
    snprintf(o->message[rank], sizeof o->message[rank], "%s", fr_ctx_error(ctx));
}

/* Whether all ranks end with this status and the same message, of which `part` is a part; prints what differs. */
static inline bool outcome_is(const outcome *o, int ranks, fr_status status, const char *part) {
    for (int r = 0; r < ranks; r++)
        if (o->status[r] != status || !strstr(o->message[r], part) ||
            strcmp(o->message[r], o->message[0]) != 0) {
            printf("rank %d: %s: %s\n", r, fr_status_name(o->status[r]), o->message[r]);
            return false;
        }
    return true;
}

#endif
