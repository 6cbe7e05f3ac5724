/* Dijkstra's algorithm with a 4-ary heap that stores the position of each vertex: the oracle.
 *
 * Source: E. W. Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik
 *   1, 1959; the d-ary heap: D. B. Johnson: Efficient algorithms for shortest paths in sparse
 *   networks, JACM 24(1), 1977.
 * Idea: the nearest vertex that is not settled leaves the heap and relaxes its edges; a decrease of
 *   a distance moves its vertex up. A node has four children, in one cache line for int32.
 * Differs: sources are merged; the search ends when all targets are settled and no nearer vertex is
 *   left, or at the distance limit.
 * Scratch: a heap of n (distance, vertex) and n positions.
 * Work: m sifts up, n sifts down of depth log4 n.
 * Good at: any non-negative weights, few vertices, near targets.
 * Bad at: large graphs, where every sift misses the cache.
 */
#include "cpu/sssp/typed.h"

/* {key, vertex} of the widest pair, padded. */
static size_t node_bytes(const fri_job *job) { return 2 * fr_type_size(job->dist_type); }

static size_t scratch(const fri_job *job) {
    return fri_align_line(fri_bytes(job->csr.n, node_bytes(job))) +
           fri_align_line(fri_bytes(job->csr.n, sizeof(int32_t)));
}

const fri_strategy fri_sssp_dijkstra = {
    .name = "dijkstra",
    .source = "Dijkstra, Numerische Mathematik 1, 1959; Johnson, JACM 24(1), 1977",
    .text = "4-ary heap with positions on one thread: the oracle",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE | FRI_NEEDS_WEIGHTS,
    .scratch = scratch,
    .run = fri_sssp_dijkstra_run,
};
