/* See cpu/sssp/delta_stepping.c. */
#include "cpu/sssp/delta_engine.inc.h"

static void FN(put_sources)(FN(delta_engine) * s) {
    for (int64_t i = 0; i < s->job->query.source_count; i++) {
        int32_t v = s->job->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        FN(put)(s, &s->buckets[0], v, 0);
    }
}

static void FN(member)(fri_member me, void *arg) {
    FN(delta_engine) *s = arg;
    FN(clear)(s, me);
    fri_team_barrier(me); /* the arrays are written before the sources are */
    if (me.index == 0)
        FN(put_sources)(s);
    FN(engine_member)(s, me, 0);
}

static fr_status FN(run)(fri_job *job, const void *rows, double delta, char *scratch) {
    bool own = job->problem == FR_PROBLEM_SSSP; /* else: one row of many, without knobs */
    FN(delta_engine) *s = FN(carve)(job, rows, &scratch, own ? job->knob[KNOB_POOL] : 2);
    FN(set_width)(s, delta);
    if (job->csr.n)
        fri_team_run(job->threads, FN(member), s);
    return FN(engine_end)(s);
}
