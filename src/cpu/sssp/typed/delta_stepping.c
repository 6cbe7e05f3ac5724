/* Delta-stepping: all cores share the vertices of one bucket of distances at a time.
 *
 * Source: U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm, Journal
 *   of Algorithms 49(1), 2003; bucket fusion: Y. Zhang, A. Brahmakshatriya, X. Chen, L. Dhulipala,
 *   S. Kamil, S. Amarasinghe, J. Shun: Optimizing ordered graph algorithms with GraphIt, CGO 2020. Work that
 *   threads give each other: cpu/sssp/typed/given.h.
 * Idea: distances are only sorted into buckets of width delta; within a bucket vertices are
 *   processed in any order and may be corrected. A small delta wastes barriers, a large one wastes
 *   relaxations. Where buckets are small, a round processes several: fri_sssp_span chooses how many
 *   by the edges of the round before, so that a thread has thousands between two barriers.
 * Differs: no light and heavy phases (as GAPBS); entries store their distance, so that a stale one
 *   costs one comparison; buckets are chunks of a pool of fixed size and are rebuilt from the
 *   distances when the pool is empty; parents are kept under a lock per vertex, taken only when a
 *   distance decreases. One thread uses no atomics, and delta 1 is then Dial's algorithm. The edges of
 *   short rows are listed, their targets prefetched, and compared without a branch for each.
 *   The default delta is 2 mean weight / (sum of squared degrees / edges), the width in which a
 *   vertex reached along an edge has about one edge, at least mean weight / 256; for integers a power of two.
 *   Several threads take wider buckets in sparse graphs: roads 16 times, so that each has several vertices at a time; and
 *   at least mean weight / 32. A round that turns out to have many more edges than it was planned for ends with the
 *   bucket that it is in, or, if it has one thread, within that.
 * Scratch: chunks for 2 n entries.
 * Work: m and the corrections; one or two barriers per round, an atomic per relaxation that succeeds.
 * Good at: everything without negative weights.
 * Bad at: graphs where most edges are never needed.
 */
#include "cpu/sssp/typed/delta_engine.h"

static void put_sources(fri_delta_engine *s) {
    for (int64_t i = 0; i < s->job->in->query.source_count; i++) {
        int32_t v = s->job->in->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        fri_delta_put(s, &s->buckets[0], v, 0);
    }
    s->buckets[0].least = fri_buckets_min(&s->buckets[0]);
}

static int decide(void *arg, int most, fri_part_time last) {
    fri_delta_engine *s = arg;
    if (s->stage == FRI_DELTA_CLEAR)
        return fri_delta_engine_begin(s, most);
    if (s->stage == FRI_DELTA_FILL)
        put_sources(s);
    return fri_delta_engine_decide(s, most, last);
}

static void part(fri_member me, void *arg) { fri_delta_engine_part(arg, me); }

FRI_SSSP_FUNCTION(fr_status, fri_sssp_delta_run,
                  (fri_job * job, const void *rows, double delta, double pool, fri_share *share,
                   char *scratch),
                  (job, rows, delta, pool, share, scratch)) {
    fri_delta_engine *s = fri_delta_engine_create(job, rows, delta, pool, share, &scratch);
    if (job->csr.n)
        job->out->stats.threads = fri_team_parts(job->ctx, job->in->threads, decide, part, s);
    return fri_delta_engine_finish(s);
}

#ifdef FRI_ONCE

enum { KNOB_DELTA, KNOB_POOL };

typedef struct {
    double delta;
    fri_share share;
} header;
_Static_assert(sizeof(header) <= FRI_SSSP_KEPT_BYTES, "auto keeps it between queries");

static size_t scratch(const fri_job *job) {
    return fri_align_line(sizeof(header)) + fri_sssp_delta_bytes(job, job->knob[KNOB_POOL]);
}

static fr_status prepare(fri_job *job) {
    header *h = job->scratch;
    h->delta = fri_sssp_bucket_width(job, job->in->threads);
    h->share = fri_share_new(job->ctx);
    return FR_OK;
}

static fr_status run(fri_job *job) {
    header *h = job->scratch;
    return fri_sssp_delta_run(job, NULL, fri_job_knob(job, KNOB_DELTA, h->delta),
                              job->knob[KNOB_POOL], &h->share,
                              (char *)job->scratch + fri_align_line(sizeof *h));
}

static const fr_knob knobs[] = {
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
     "width of a bucket; default 2 mean weight / mean degree at the end of an edge, more if that "
     "degree is below 9 and there are several threads, at least mean weight / 256, or / 32 on "
     "several threads; integers: rounded down to a power of 2"},
    {"pool", FRI_SSSP_POOL, 1, 64,
     "pool of the buckets, in vertices per vertex; 1 is what a rebuild needs"},
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

#endif
