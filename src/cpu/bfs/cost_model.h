/* Chooses the method for the next level of a breadth-first traversal: a pure function. */
#ifndef FRI_CPU_BFS_COST_MODEL_H
#define FRI_CPU_BFS_COST_MODEL_H

#include "base/balance.h"

typedef enum fri_bfs_method {
    FRI_METHOD_SERIAL, /* one thread, queue */
    FRI_METHOD_QUEUE,  /* several threads, top-down, atomic claims, to a queue */
    FRI_METHOD_BITMAP, /* top-down, a bitmap each, merged */
    FRI_METHOD_PULL,   /* bottom-up */
    FRI_METHOD_COUNT
} fri_bfs_method;

typedef struct fri_bfs_policy_input {
    int threads;             /* at most */
    const fri_share *share;  /* of the solver; NULL: as fitted, and all threads are awake */
    bool is_bitmap;          /* the current form of the frontier */
    bool in_edges;           /* known: bottom-up is possible */
    bool hub_parents;        /* known: bottom-up tests the hub parent first */
    double new_share;        /* of the last level's edges: led to a new vertex */
    int64_t words;           /* of a bitmap of the vertices */
    int64_t vertices, edges; /* of the frontier */
    int64_t left_vertices;   /* not visited, with in-edges */
    int64_t left_edges;      /* leaving the frontier and unvisited vertices */
} fri_bfs_policy_input;

typedef struct fri_bfs_plan {
    double ns;   /* expected, including a conversion of the frontier */
    int threads; /* that take the least time */
} fri_bfs_plan;

/* Of each method. */
void fri_bfs_plans(const fri_bfs_policy_input *f, fri_bfs_plan plan[FRI_METHOD_COUNT]);
/* What hub parents would save on a level, including a change of method. */
double fri_bfs_hub_saving_ns(const fri_bfs_policy_input *f);
/* What in-edges would save on a level. */
double fri_bfs_in_edges_saving_ns(const fri_bfs_policy_input *f);
/* Expected time to transpose n vertices with m edges, and what the in-edges save per query, before
 * any query. */
double fri_bfs_in_edges_cost_ns(int64_t n, int64_t m, int threads);
/* Expected time to compare both directions of the edges. */
double fri_bfs_comparison_cost_ns(int64_t n, int64_t m, int threads);
double fri_bfs_first_in_edges_saving_ns(int64_t n, int64_t m, int threads);
/* Expected time to find the hub parents of n vertices with m in-edges, and what they save per
 * query, before any query. */
double fri_bfs_hub_cost_ns(int64_t n, int64_t m, int threads);
double fri_bfs_first_hub_saving_ns(int64_t n, int64_t m, int threads);
/* Several levels at a time (cpu/bfs/local.c). */
typedef struct fri_bfs_window {
    double ns;   /* expected, of a level */
    int threads; /* that take the least time */
    int levels;
} fri_bfs_window;

/* Of a frontier of so many vertices, which have `degree` edges each. */
fri_bfs_window fri_bfs_plan_window(const fri_share *share, int64_t vertices, double degree,
                                   int most);
/* Of so many vertices in a window. */
fri_work fri_bfs_window_work(int64_t vertices, double degree);
/* The time to begin with windows and to end them, for n vertices. */
double fri_bfs_windows_ns(int64_t n, int threads);
/* The method with the lowest expected time, of these plans; of the plans of an input. */
fri_bfs_method fri_bfs_cheapest(const fri_bfs_plan plan[FRI_METHOD_COUNT]);
fri_bfs_method fri_bfs_choose(const fri_bfs_policy_input *f);
/* Up to this many edges the serial method is cheapest whatever the other inputs are. */
int64_t fri_bfs_serial_edges(int threads);
/* The level on one thread, and with atomic claims, without what threads cost. */
fri_work fri_bfs_level_work(const fri_bfs_policy_input *f);

#endif
