/* Bellman-Ford with a queue: any weights; a negative cycle is found soon after it closes.
 *
 * Source: R. Sedgewick, K. Wayne: Algorithms, 4th ed., Addison-Wesley 2011, section 4.4
 *   (queue-based Bellman-Ford); E. F. Moore 1957; the parent forest: B. V. Cherkassky, A. V.
 *   Goldberg: Negative-cycle detection algorithms, Mathematical Programming 85, 1999.
 * Idea: only a vertex whose distance decreased can decrease another one; such vertices wait in a
 *   FIFO queue. With a negative cycle the queue never becomes empty, but the parents form a cycle.
 * Differs: the parent forest is searched after n/4 relaxations and then at doubling intervals, not
 *   every n; a self-loop below 0 is detected at once. Integers are summed in 64 bits, int64 weights
 *   in 128, whatever the output type, so that no sum wraps along a cycle. Floats: a cycle of
 *   parents whose weights do not sum to less than 0 comes from rounding; from then on a distance
 *   must decrease by more than a few units in the last place. With targets the whole graph is
 *   solved and, where a weight is negative, kept: no distance is final early. If the query marks
 *   negative cycles, every search removes all cycles of parents, sets the distance of the vertices
 *   that they reach to minus infinity, which is final, and continues with the rest, which has no
 *   such cycle.
 * Scratch: n sums of 8 bytes, for int64 weights of 16; three times n vertex ids (four where a
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
    return fri_align_line(fri_bytes(n, sum)) + (job->weight_min < 0 ? 4 : 3) * ids +
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
