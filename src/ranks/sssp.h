/* SSSP on ranks: the state of a query, and lowering a distance. */
#ifndef FRI_RANKS_SSSP_H
#define FRI_RANKS_SSSP_H

#include "base/team.h"
#include "ranks/solver.h"

typedef enum fri_part_sssp_step {
    FRI_PART_SOURCE, /* does nothing: the sources are published next */
    FRI_PART_RELAX,  /* relaxes whole rows of published vertices; sums beyond the bound: s->far */
    FRI_PART_DRAIN,  /* relaxes sorted rows of the published vertices, up to the bound */
    FRI_PART_SCAN,   /* continues these rows after the bound has moved */
    FRI_PART_PULL,   /* unreached vertices scan their in-edges */
    FRI_PART_FLUSH,  /* relaxes the rest of the rows into s->far */
    FRI_PART_SSSP_STEPS
} fri_part_sssp_step;

typedef struct fri_part_sssp_state {
    fr_part_solver *s;
    const fr_part *p;
    const fr_csr *rows; /* of the push */
    const fr_part_query *query;
    bool shared;  /* between threads: distances are lowered under locks */
    bool windows; /* rows are read up to the bound; else whole */
    bool over;
    fri_part_sssp_step step;
    fr_status status;
    int64_t inf, bound; /* distances below bound are published in the next exchange */
    int64_t width;      /* by which the bound moves */
    int64_t published;  /* entries that this round relaxes */
    int64_t window;     /* number of the window whose end is the bound */
    int64_t min_due;    /* the minimum of rows.due; FRI_DUE_NEVER: none */
    double windows_per_distance;
    int64_t reached;       /* in-edges of the vertices reached, of all ranks */
    int64_t pushed, scans; /* edges examined in this window, by all ranks; windows */
    int64_t exchanges;     /* of reports */
    _Alignas(FRI_CACHE_LINE) int64_t cursor; /* 0 before a step */
} fri_part_sssp_state;

/* Steps, in typed/sssp_steps.c; all threads. */
void fri_part_sssp_relax(fri_part_sssp_state *x, fri_member me);
void fri_part_sssp_drain(fri_part_sssp_state *x, fri_member me);
void fri_part_sssp_scan(fri_part_sssp_state *x, fri_member me);
void fri_part_sssp_pull(fri_part_sssp_state *x, fri_member me);
void fri_part_sssp_flush(fri_part_sssp_state *x, fri_member me);

/* A width as a distance: at least 1 for integers, positive for doubles. */
int64_t fri_part_sssp_width(const fr_part *p, double width);

static inline int64_t fri_lowered_dist(const fri_lowered *l) {
    return (int64_t)((uint64_t)l->dist[1] << 32 | l->dist[0]);
}

/* Adds own index i to a list unless `map` says that it is in the list. */
static inline void fri_part_put(const fri_part_sssp_state *x, fri_append *list, uint64_t *map,
                                int32_t i) {
    if (x->shared ? !fri_bit_claim(map, i) : fri_bit_get(map, i))
        return;
    if (!x->shared)
        fri_bit_set(map, i);
    fri_append_put(list, i);
}

bool fri_part_lower_locked(fr_part_solver *s, int32_t i, int64_t dist, int32_t slot, int64_t *old);

/* Lowers an own vertex to `dist` with parent `slot`; returns false if its distance is not
 * larger. */
static inline bool fri_part_lower(const fri_part_sssp_state *x, fri_part_worker *w, int32_t i,
                                  int64_t dist, int32_t slot) {
    fr_part_solver *s = x->s;
    /* relaxed: a distance only falls; the lock decides */
    int64_t old = __atomic_load_n(&s->dist[i], __ATOMIC_RELAXED);
    if (dist >= old)
        return false;
    if (!x->shared) {
        s->dist[i] = dist;
        s->parent[i] = slot;
    } else if (!fri_part_lower_locked(s, i, dist, slot, &old))
        return false;
    if (old == x->inf)
        w->edges += fri_part_in_degree(x->p, i);
    return true;
}

#endif
