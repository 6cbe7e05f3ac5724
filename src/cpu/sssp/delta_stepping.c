/* Delta-stepping: all cores share the vertices of one bucket of distances at a time.
 *
 * Source: U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm, Journal
 *   of Algorithms 49(1), 2003; bucket fusion: Y. Zhang, A. Brahmakshatriya, X. Chen, L. Dhulipala,
 *   S. Kamil, S. Amarasinghe, J. Shun: Optimizing ordered graph algorithms with GraphIt, CGO 2020.
 * Idea: distances are only sorted into buckets of width delta; within a bucket vertices are
 *   processed in any order and may be corrected. A small delta wastes barriers, a large one wastes
 *   relaxations. Where buckets are small, a round processes several: fri_sssp_span chooses how many
 *   by the edges of the round before, so that a thread has thousands between two barriers.
 * Differs: no light and heavy phases (as GAPBS); entries store their distance, so that a stale one
 *   costs one comparison; buckets are chunks of a pool of fixed size and are rebuilt from the
 *   distances when the pool is empty; parents are kept under a lock per vertex, taken only when a
 *   distance decreases. One thread uses no atomics, and delta 1 is then Dial's algorithm.
 *   The default delta is 2 mean weight / (sum of squared degrees / edges), the width in which a
 *   vertex reached along an edge has about one edge; for integers a power of two.
 * Scratch: chunks for 2 n entries.
 * Work: m and the corrections; two barriers per round, an atomic per relaxation that succeeds.
 * Good at: everything without negative weights.
 * Bad at: graphs where most edges are never needed.
 */
#include "cpu/sssp/typed.h"

enum { KNOB_DELTA, KNOB_POOL };
enum { ROW_POOL = 2 }; /* for one row of many, which has no knobs; the knob's default */

typedef struct {
    double delta;
} header;

static size_t scratch(const fri_job *job) {
    return fri_align_line(sizeof(header)) + fri_sssp_delta_bytes(job, job->knob[KNOB_POOL]) +
           fri_sssp_finish_bytes(job);
}

static fr_status prepare(fri_job *job) {
    header *h = job->scratch;
    h->delta = fri_sssp_bucket_width(job);
    return FR_OK;
}

fr_status fri_sssp_buckets(fri_job *job, const void *rows, double delta, char *scratch) {
    return fri_sssp_delta_run(job, rows, delta, ROW_POOL, scratch);
}

size_t fri_sssp_buckets_bytes(const fri_job *job) {
    return fri_sssp_delta_bytes(job, ROW_POOL) + fri_sssp_finish_bytes(job);
}

static fr_status run(fri_job *job) {
    const header *h = job->scratch;
    return fri_sssp_delta_run(job, NULL, fri_job_knob(job, KNOB_DELTA, h->delta),
                              job->knob[KNOB_POOL],
                              (char *)job->scratch + fri_align_line(sizeof *h));
}

static const fr_knob knobs[] = {
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
     "width of a bucket; default 2 mean weight / mean degree at the end of an edge; integers: "
     "rounded "
     "down to a power of 2"},
    {"pool", 2, 1, 64, "pool of the buckets, in vertices per vertex; 1 is what a rebuild needs"},
    {0}};

const fri_strategy fri_sssp_delta_step = {
    .name = "delta-step",
    .source = "Meyer, Sanders, J. Algorithms 49(1), 2003; Zhang et al., CGO 2020",
    .text = "buckets of width delta on all cores, with bucket fusion",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE,
    .knobs = knobs,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};
