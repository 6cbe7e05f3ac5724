/* The Graph500 procedure (graph500.org, specification 2.0), in pieces. */
#ifndef CLI_GRAPH500_H
#define CLI_GRAPH500_H

#include "cli/session.h"

/* Kernel 0: the edge tuples (start, end, weight), in random order. */
typedef struct tuple_list {
    int64_t m;
    bool weighted;
    int threads;
    uint64_t seed;
    fr_graph *rows; /* the same tuples by start, kept to count and to check by */
    int32_t *start, *end;
    float *weight; /* [m] each; NULL without weights */
} tuple_list;

int tuples_make(tuple_list *t, const session *x, int scale, int edge_factor, bool weighted);
void tuples_drop_arrays(tuple_list *t);
void tuples_free(tuple_list *t);
/* Tuples with both ends in the part that `parent` (-1: not reached) spans. */
int64_t tuples_within(const tuple_list *t, const int32_t *parent);
/* That a graph holds the tuples' edges and no others, of parallel ones the lightest. */
int tuples_check(const tuple_list *t, const fr_csr *csr);

/* One of kernels 2 and 3, and what was measured: [keys] each. */
typedef struct kernel_record {
    const char *name, *strategy; /* "bfs"; what was asked for */
    char ran[64];                /* what ran: auto names its choice */
    bool wanted;
    double prepare_time; /* seconds, as all times here */
    double *time, *validate_time, *transfer_time, *nedge;
} kernel_record;

typedef struct graph500 {
    session x;
    int scale, edge_factor;
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
