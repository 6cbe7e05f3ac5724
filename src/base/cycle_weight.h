/* The weight of a cycle of floats: which sum is negative, and which is 0 up to rounding.
 *
 * Rule: a cycle of k edges is negative if its weights sum to less than -k e S, where S is the sum of
 *   their absolute values and e the epsilon of the distances' type. Weights that are differences of
 *   heights, or logarithms of rates, are rounded themselves: exact sums around their cycles are as often
 *   a little below 0 as above.
 * Idea: the members are long double, so that no sum overflows and the order of the edges decides
 *   nothing.
 */
#ifndef FRI_CYCLE_WEIGHT_H
#define FRI_CYCLE_WEIGHT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct fri_cycle_weight {
    long double sum, magnitude; /* of the weights, of their absolute values */
    double edges;
} fri_cycle_weight;

static inline void fri_cycle_weight_add(fri_cycle_weight *c, double w) {
    c->sum += (long double)w;
    c->magnitude += (long double)fabs(w);
    c->edges++;
}

/* `single`: distances are floats, otherwise doubles. */
static inline bool fri_cycle_weight_is_negative(const fri_cycle_weight *c, bool single) {
    const double epsilon = single ? (double)FLT_EPSILON : DBL_EPSILON;
    return c->sum < -(long double)(c->edges * epsilon) * c->magnitude;
}

#endif
