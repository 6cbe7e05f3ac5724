/* Runs one strategy of the table on one graph, query after query, and compares with the oracle. */
#ifndef CONFORMANCE_HARNESS_H
#define CONFORMANCE_HARNESS_H

#include "fringe_tune.h"
#include "conformance/oracle.h"

/* Is the program built with a sanitizer, which makes it take three to four times as long? */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#ifdef __SANITIZE_ADDRESS__ /* gcc */
enum { CF_SANITIZED = 1 };
#else
enum { CF_SANITIZED = __has_feature(address_sanitizer) };
#endif

#define CF_MAX_VERTICES 4 /* sources or targets of one query */
#define CF_KNOBS_TEXT   512

typedef struct cf_query {
    const char *name;
    int32_t sources[CF_MAX_VERTICES], targets[CF_MAX_VERTICES];
    int source_count, target_count;
    double limit; /* deepest level or largest distance; 0: none */
    bool min_parents, no_value, no_parent;
} cf_query;

/* The configuration of one solver. */
typedef struct cf_config {
    const cf_graph *g;
    fr_strategy_info strategy;
    char knobs[CF_KNOBS_TEXT];
    int threads;
    bool unit;         /* count every edge 1 although the graph has weights */
    fr_type dist_type; /* FR_TYPE_NONE: the usual one */
    bool count;        /* ask for counts */
    uint64_t seed;     /* of a random case, 0: none */
} cf_config;

extern int64_t cf_cases, cf_failures;
extern fr_backend cf_backend; /* the backend whose strategies are tested */

/* Counts a failure; prints the first twenty as "FAILED bfs/cpu/serial shape=... : ...". */
void cf_fail(const cf_config *config, const cf_query *query, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints the count of cases; returns what main should return. */
int cf_finish(const char *what);

/* With FRINGE_VERBOSE set: prints how long the part named took since the call before. */
void cf_report_time(const char *part, const char *detail);

/* The index-th strategy of a problem; false past the last. */
bool cf_strategy(fr_problem problem, int index, fr_strategy_info *strategy);
/* Does the strategy accept negative weights? */
bool cf_takes_negative(const fr_strategy_info *strategy);
/* Does it support unit weights only, and name them in its message? */
bool cf_refuses_weights(fr_ctx *ctx, const cf_config *config);
/* The index-th knob setting worth trying ("" first, then one knob at a time at its ends and in
 * between, then all low, all high); false past the last. */
bool cf_knobs(const fr_strategy_info *strategy, int index, char text[CF_KNOBS_TEXT]);
/* FRINGE_BRIEF: defaults alone, on one and three threads, a third of the queries. */
bool cf_is_brief(void);
/* Does that setting run on the graph? In a sanitized program a graph meets the defaults and half of the other settings,
 * by its size the even or the odd ones. FRINGE_FULL: all. */
bool cf_runs_setting(const cf_graph *g, int index);
/* Does it run on `threads` threads, 1 to 3? On two, if `each` on one and three too; in brief on three, if `each` on one. */
bool cf_runs_threads(int threads, bool each);
/* Each knob at one of those places or left alone, as the seed has it. */
void cf_mix_knobs(const fr_strategy_info *strategy, uint64_t seed, char text[CF_KNOBS_TEXT]);

fr_solver *cf_solver_new(fr_ctx *ctx, const cf_config *config);

/* One BFS or SSSP query against what the oracle found for its sources; `least`: NULL where least
 * parents are not unique by the rule of the oracle. */
void cf_check(fr_ctx *ctx, const cf_config *config, fr_solver *solver, const cf_query *query,
              const cf_number *dist, const int32_t *min_parents);

/* The library's value as a number; INFINITY: not reached. */
cf_number cf_value(fr_problem problem, fr_type type, const void *values, int64_t at);

#endif
