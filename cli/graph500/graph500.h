/* The parts of the Graph500 procedure (graph500.org, specification 2.0). */
#ifndef CLI_GRAPH500_H
#define CLI_GRAPH500_H

#include "cli/session.h"

/* Kernel 0: the edge tuples (start, end, weight), in random order. */
typedef struct tuple_list {
    int64_t m;
    bool weighted;
    int threads;
    uint64_t seed;
    fr_graph *rows; /* the same tuples grouped by start, for counts and checks */
    int32_t *start, *end;
    float *weight; /* [m] each; NULL without weights */
} tuple_list;

int tuples_make(tuple_list *t, const session *x, int scale, int edge_factor, bool weighted);
void tuples_drop_arrays(tuple_list *t);
void tuples_free(tuple_list *t);
/* The number of tuples with both ends reached by `parent` (-1: not reached). */
int64_t tuples_within(const tuple_list *t, const int32_t *parent);
/* Checks that a graph has exactly the edges of the tuples, the lightest of parallel ones. */
int tuples_check(const tuple_list *t, const fr_csr *csr);

/* Kernel 2 or 3 and its measurements, [keys] each. */
typedef struct kernel_record {
    const char *name, *strategy; /* "bfs"; as requested */
    char ran[64];                /* the strategy that ran, also if auto chose it */
    bool wanted;
    double prepare_time; /* seconds, as all times here */
    double *time, *validate_time, *transfer_time, *nedge;
} kernel_record;

typedef struct graph500 {
    session x;
    int scale, edge_factor, ranks; /* ranks: 0 without --ranks */
    tuple_list tuples;
    int32_t *keys;
    int64_t key_count;
    double generation_time, edges_time; /* edges_time: tuples to graph */
    kernel_record kernel[2];            /* FR_PROBLEM_BFS, FR_PROBLEM_SSSP */
} graph500;

double graph500_construction_time(const graph500 *g);
void graph500_print(const graph500 *g);
void graph500_print_json(const graph500 *g);

#endif
