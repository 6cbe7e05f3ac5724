/* What the calls beside solvers share: facts about the graph of a case. */
#ifndef RANDOM_MEASURES_H
#define RANDOM_MEASURES_H

#include "random.h"

typedef struct me_facts {
    bool negative, zero; /* some weight is below 0; is 0, self-loops aside */
    bool zero_loop;      /* some self-loop has weight 0 */
    double largest;      /* |weight| */
    bool
        beyond; /* n times the largest integer is 2^53 or more, n^2 times the largest real beyond double */
} me_facts;

me_facts me_facts_of(const ri_case *c);
/* One of the backends that are there, or FR_BACKEND_ANY. */
void me_draw_backend(ri_case *c, ri_rng *rng);
fr_backend me_backend(
    const ri_case *c); /* FR_BACKEND_CPU where the case was written with a GPU and none is there */
/* Lists `count` random vertices; several times the same one now and then. */
void me_draw_vertices(ri_case *c, ri_rng *rng, ri_setting *set, int64_t count);
bool me_is_small(const ri_case *c); /* few enough vertices for a search from each */
uint64_t *me_bits(ri_case *c, const bool *flags, int64_t count);
/* Labels and sizes of the components, in the order of their smallest vertices; returns their number. */
int32_t me_components(ri_case *c, bool strong, int32_t *label, int32_t *size);
/* The graph has just these arcs, which are sorted here. */
void me_check_arcs(ri_case *c, const fr_graph *graph, ri_arcs *want);
bool me_near(double got, double want, double relative);

#endif
