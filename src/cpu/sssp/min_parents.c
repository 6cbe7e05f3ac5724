/* Parents that are the same on every run: of all allowed parents the least.
 *
 * Rule: an edge u -> v is tight when dist[u] + w = dist[v]. hops[v] is 0 for a source and for a
 *   vertex with a tight in-edge from a nearer vertex; else it is the least number of tight edges of
 *   weight 0 that lead to v from a vertex with hops 0. The parent of v is the least id among the
 *   tight in-neighbours u with (dist[u], hops[u]) < (dist[v], hops[v]), in that order. Parents
 *   strictly descend in a finite order, so that cycles of weight 0 cannot close. With unit
 *   weights this is the least neighbour one level up. Where a weight is negative, nearer does not
 *   mean earlier: hops then count all tight edges from the sources (merged sources that lie below
 *   0 by another source are no sources), and distance is left out of the order.
 * Work: one pass over the edges; where hops are needed, a second one on one thread.
 */
#include "cpu/sssp/typed.h"

#define TYPED_BODY "cpu/sssp/min_parents.inc.h"
#include "cpu/sssp/typed.inc.h"

static void (*const min_parents_of[])(fri_job *, int32_t *) = TYPED_TABLE(minimum);

void fri_sssp_min_parents(fri_job *job, int32_t *spare) {
    min_parents_of[fri_sssp_type(job)](job, spare);
}
