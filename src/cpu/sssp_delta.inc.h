/* See sssp_delta.c. */
#include "cpu/sssp_step.inc.h"

static void FN(put_sources)(FN(step) * s) {
    for (int64_t i = 0; i < s->job->query.source_count; i++) {
        int32_t v = s->job->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        FN(put)(s, &s->bins[0], v, 0);
    }
}

static void FN(member)(fri_member me, void *arg) {
    FN(step) *s = arg;
    FN(clear)(s, me);
    fri_team_wait(me); /* the arrays are written before the sources are */
    if (me.index == 0)
        FN(put_sources)(s);
    FN(step_member)(s, me, 0);
}

static fr_status FN(run)(fri_job *job, const void *rows, double delta, char *scratch) {
    bool own = job->problem == FR_SSSP; /* else: one row of many, without knobs */
    FN(step) *s = FN(carve)(job, rows, &scratch, own ? job->knob[KNOB_ROOM] : 2);
    FN(set_width)(s, delta);
    if (job->csr.n)
        fri_team_run(job->threads, FN(member), s);
    return FN(step_end)(s);
}
