/* Which step takes a breadth-first traversal one level further, from a few facts: a pure function.
 */
#ifndef FRI_CPU_BFS_COST_MODEL_H
#define FRI_CPU_BFS_COST_MODEL_H

#include <stdbool.h>
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
    bool awake;              /* the threads are running, else they must be woken */
    bool is_bitmap;          /* the frontier's present form */
    bool hub_parents;        /* bottom-up tries one likely parent first */
    int64_t words;           /* of a bitmap of the vertices */
    int64_t vertices, edges; /* of the frontier */
    int64_t left_vertices;   /* not visited, with in-edges */
    int64_t left_edges;      /* leaving the frontier and what is not visited */
} fri_bfs_policy_input;

/* Expected nanoseconds of each way, a conversion of the frontier included. */
void fri_bfs_expected_ns(const fri_bfs_policy_input *f, double ns[FRI_METHOD_COUNT]);
/* The cheapest. */
fri_bfs_method fri_bfs_choose(const fri_bfs_policy_input *f);
/* A frontier of so few edges that the serial way wins whatever the other facts are. */
int64_t fri_bfs_serial_edges(int threads);
/* What waking the other threads costs. */
double fri_bfs_wake_ns(void);

#endif
