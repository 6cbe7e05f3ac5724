/* Which step takes a breadth-first traversal one level further, from a few facts: a pure function.
 */
#ifndef FRI_POLICY_BFS_H
#define FRI_POLICY_BFS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum fri_bfs_way {
    FRI_WAY_SERIAL, /* one thread, queue */
    FRI_WAY_QUEUE,  /* all threads, top-down, atomic claims, to a queue */
    FRI_WAY_BITMAP, /* all threads, top-down, a bitmap each, merged */
    FRI_WAY_PULL,   /* all threads, bottom-up */
    FRI_WAY_COUNT
} fri_bfs_way;

typedef struct fri_bfs_facts {
    int threads;
    bool awake;              /* the threads are running, else they must be woken */
    bool is_bitmap;          /* the frontier's present form */
    bool heads;              /* bottom-up tries one likely parent first */
    int64_t words;           /* of a bitmap of the vertices */
    int64_t vertices, edges; /* of the frontier */
    int64_t left_vertices;   /* not visited, with in-edges */
    int64_t left_edges;      /* leaving the frontier and what is not visited */
} fri_bfs_facts;

/* Expected nanoseconds of each way, a conversion of the frontier included. */
void fri_bfs_expect(const fri_bfs_facts *f, double ns[FRI_WAY_COUNT]);
/* The cheapest. */
fri_bfs_way fri_bfs_choose(const fri_bfs_facts *f);
/* A frontier of so few edges that the serial way wins whatever the other facts are. */
int64_t fri_bfs_serial_edges(int threads);
/* What waking the other threads costs. */
double fri_bfs_wake_ns(void);

#endif
