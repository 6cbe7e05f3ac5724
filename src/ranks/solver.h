/* The memory of traversals on ranks, and what BFS and SSSP share. */
#ifndef FRI_RANKS_SOLVER_H
#define FRI_RANKS_SOLVER_H

#include "base/team.h"
#include "ranks/world/gpu_interface.h"
#include "ranks/part/part.h"

enum { FRI_PART_MAX_LEVELS = 4096 };

/* How a problem is solved. Collective except `free`. */
typedef struct fri_part_method {
    fr_status (*prepare)(fr_part_solver *s);
    fr_status (*begin)(fr_part_solver *s); /* before a query's time is taken; NULL: nothing */
    fr_status (*run)(fr_part_solver *s, const fr_part_query *query);
    fr_status (*finish)(fr_part_solver *s); /* after the traversal's time is taken; NULL: nothing */
    void (*free)(fr_part_solver *s);        /* NULL: nothing */
} fri_part_method;

struct fr_part_solver {
    fr_ctx *ctx;
    const fr_part *part;
    fr_problem problem;
    const fri_part_method *method;
    int threads;                  /* of the context when the solver was made */
    fri_level_report *reports;    /* [ranks] */
    int *counts;                  /* [ranks] */
    int32_t *parent;              /* [share] slots, -1: not reached */
    struct fri_part_cores *cores; /* the state of a traversal on cores (bfs.c, typed/sssp.c) */
    void *windows;                /* SSSP: its windows; NULL: none yet */

    /* On a GPU; of the arrays below SSSP then uses dist alone */
    fri_gpu_part *gpu;
    bool pulls;                   /* SSSP on a GPU: dense graphs */
    fri_sssp_record *gpu_records; /* SSSP on a GPU: [ranks] */
    int32_t *level;               /* BFS: [share] */
    int32_t *hub_parent;          /* [own] hub parent: the in-neighbor with most in-edges, a slot */
    uint64_t *no_in_edges;        /* [words] own vertices without in-edges, and the padding */
    int64_t in_edge_vertices;     /* number of own vertices with in-edges */
    uint8_t *classes;             /* [share + slots] BFS on a GPU: temporary */

    int64_t *dist;                 /* SSSP: [own] */
    uint64_t *mine, *front;        /* [words], [ranks * words] own vertices and all: temporary */
    fri_lowered *lowered;          /* [share] of this rank */
    fri_lowered *all;              /* [slots] of all ranks */
    double mean_weight;            /* of all ranks */
    bool wants_windows;            /* rows sorted by weight save time, from the second query on */
    void *push_edges, *pull_edges; /* edges of the push and pull rows by weight; NULL: none yet */

    fr_part_level *levels; /* [FRI_PART_MAX_LEVELS] */
    int64_t level_count, level_begin_ns, exchanged_ns, level_bytes;
    int64_t examined, rounds; /* of the query; examined by all ranks */
    int64_t queries;          /* that this solver has run */
};

/* The result is in level or dist, and in parent. */
extern const fri_part_method fri_part_bfs_cores, fri_part_sssp_cores;
#ifdef FRI_CUDA_ALL
extern const fri_part_method fri_part_bfs_gpu, fri_part_sssp_gpu;
#endif
fr_status fri_part_sssp_prepare(fr_part_solver *s); /* collective */
/* Sets *edges to the in-edges of own vertices by weight, in the form of fri_adjacency_fill, slots as
 * sources. FR_NOMEM, FR_CANCELLED; the caller frees *edges. Not collective. */
fr_status fri_part_sssp_sort_in_edges(fr_part_solver *s, void **edges);
/* A window makes the nearest vertex beyond the last one final, and a round within it another vertex. */
static inline int64_t fri_part_sssp_most_rounds(const fr_part *p) { return 8 * p->n + 64; }

/* Exchanges the records of a level and sums them. Returns the first status that is not FR_OK. */
fr_status fri_part_exchange_reports(fr_part_solver *s, fri_level_report mine,
                                    fri_level_report *sum);
/* The sums of s->reports, after they were exchanged; `status`: of this rank. */
fr_status fri_part_sum_reports(fr_part_solver *s, fr_status status, fri_level_report *sum);
/* The end of a loop in which all ranks take the same steps: FR_OK up to `most` steps, which theory allows; beyond
 * that what the ranks exchange is wrong: FR_DEVICE on GPUs, else FR_RANK. */
fr_status fri_part_check_steps(const fr_part_solver *s, const char *steps, int64_t done,
                               int64_t most);
/* Appends a level to s->levels. Called after the frontier was exchanged. */
void fri_part_record(fr_part_solver *s, const char *method, bool bitmap, int64_t frontier);

#endif
