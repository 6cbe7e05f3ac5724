/* See cpu/sssp/delta_stepping.c. */
#include "cpu/sssp/typed/delta_engine.h"

static void put_sources(fri_delta_engine *s) {
    for (int64_t i = 0; i < s->job->query.source_count; i++) {
        int32_t v = s->job->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        fri_delta_put(s, &s->buckets[0], v, 0);
    }
}

static void member(fri_member me, void *arg) {
    fri_delta_engine *s = arg;
    fri_delta_engine_clear(s, me);
    fri_team_barrier(me); /* the arrays are written before the sources are */
    if (me.index == 0)
        put_sources(s);
    fri_delta_engine_run(s, me, 0);
}

size_t fri_sssp_delta_bytes(const fri_job *job, double pool) {
    return fri_delta_engine_bytes(job, pool);
}

fr_status fri_sssp_delta_run(fri_job *job, const void *rows, double delta, double pool,
                             char *scratch) {
    fri_delta_engine *s = fri_delta_engine_create(job, rows, &scratch, pool);
    fri_delta_engine_set_width(s, delta);
    if (job->csr.n)
        fri_team_run(job->threads, member, s);
    return fri_delta_engine_finish(s);
}
