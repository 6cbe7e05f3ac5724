/* Chooses the method for the next level of a breadth-first traversal: a pure function. */
#ifndef FRI_CPU_BFS_COST_MODEL_H
#define FRI_CPU_BFS_COST_MODEL_H

#include "cpu/bfs/feedback.h"

#include <stdint.h>

typedef enum fri_bfs_method {
    FRI_METHOD_SERIAL, /* one thread, queue */
    FRI_METHOD_QUEUE,  /* all threads, top-down, atomic claims, to a queue */
    FRI_METHOD_BITMAP, /* all threads, top-down, a bitmap each, merged */
    FRI_METHOD_PULL,   /* all threads, bottom-up */
    FRI_METHOD_COUNT
} fri_bfs_method;

typedef struct fri_bfs_policy_input {
    int threads;
    bool team_is_up;         /* the threads are running; otherwise they must be woken */
    bool is_bitmap;          /* the current form of the frontier */
    bool in_edges;           /* known: bottom-up is possible */
    bool hub_parents;        /* known: bottom-up tests the hub parent first */
    double new_share;        /* of the last level's edges: led to a new vertex */
    int64_t words;           /* of a bitmap of the vertices */
    int64_t vertices, edges; /* of the frontier */
    int64_t left_vertices;   /* not visited, with in-edges */
    int64_t left_edges;      /* leaving the frontier and unvisited vertices */
} fri_bfs_policy_input;

/* Expected nanoseconds of each method, including a conversion of the frontier. */
void fri_bfs_expected_ns(const fri_bfs_policy_input *f, double ns[FRI_METHOD_COUNT]);
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
/* The method with the lowest expected time. */
fri_bfs_method fri_bfs_choose(const fri_bfs_policy_input *f);
/* Up to this many edges the serial method is cheapest whatever the other inputs are. */
int64_t fri_bfs_serial_edges(int threads);
/* The level on one thread, and a thread's part of it with atomic claims, without barriers. */
fri_bfs_level_costs fri_bfs_level_costs_of(const fri_bfs_policy_input *f);
/* The overhead of a level that all threads share. */
double fri_bfs_barriers_ns(int threads);
/* The cost of waking the other threads. */
double fri_bfs_wake_ns(void);

#endif
