/* Bellman-Ford with a queue: any weights; a negative cycle is found soon after it closes.
 *
 * Source: R. Sedgewick, K. Wayne: Algorithms, 4th ed., Addison-Wesley 2011, section 4.4
 *   (queue-based Bellman-Ford); E. F. Moore 1957; subtrees: R. E. Tarjan: Shortest paths, AT&T Bell
 *   Laboratories 1981, in B. V. Cherkassky, A. V. Goldberg: Negative-cycle detection algorithms,
 *   Mathematical Programming 85, 1999.
 * Idea: only a vertex whose distance decreased can decrease another one; such vertices wait in a
 *   FIFO queue. The paths so far are a forest. When a vertex gets a nearer place, all below it
 *   lose theirs, because they will get nearer ones, and leave the queue; if the end of its new path is
 *   among them, the path closes a cycle. So a negative cycle is found when it closes, a distance in
 *   the forest is always that of the path there, and there are at most n rounds.
 * Differs: integers are summed in 64 bits, int64 weights in 128, whatever the output type, so that no
 *   sum wraps along a cycle. Floats: a cycle that is not negative by the rule of base/cycle_weight.h
 *   comes from rounding and is not closed; a vertex without a place also takes one that is as near as its
 *   last one, since rounding may hide the decrease. So float distances are those of paths without
 *   cycles, each summed from its source on, whatever the cycles of weight 0. With targets the whole
 *   graph is solved and, where a weight is negative, kept: no distance is final early. If the query marks
 *   negative cycles, the distance of the vertices that one reaches is set to minus infinity, which is
 *   final, and the search goes on with the rest. It can also start from the paths of another search,
 *   which were chosen by rounded sums (APSP).
 * Scratch: n sums of 8 bytes, for int64 weights of 16; five times n vertex ids (six where a
 *   weight is negative); n bits.
 * Work: n m in the worst case, usually a few m.
 * Good at: negative weights.
 * Bad at: everything else: one thread, many corrections.
 */
#include "cpu/sssp/typed.h"

static size_t scratch(const fri_job *job) {
    int64_t n = job->csr.n;
    size_t ids = fri_align_line(fri_bytes(n, sizeof(int32_t)));
    size_t sum = job->csr.weight_type == FR_TYPE_I64 ? sizeof(__int128) : sizeof(int64_t);
    return fri_align_line(fri_bytes(n, sum)) + (job->weight_min < 0 ? 6 : 5) * ids +
           fri_align_line(fri_bitmap_bytes(n));
}

const fri_strategy fri_sssp_bellman_ford = {
    .name = "bellman-ford",
    .source = "Sedgewick, Wayne: Algorithms, Addison-Wesley 2011, section 4.4",
    .text = "FIFO queue on one thread; negative weights and cycles",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_WEIGHTS,
    .scratch = scratch,
    .run = fri_sssp_bellman_ford_run,
};
