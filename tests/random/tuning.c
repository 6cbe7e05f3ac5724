/* Tunings that `auto` gets: given, measured by fr_tune, or measured, stored in a cache and found there. */
#include "solve_run.h"

#include <string.h>
#include <unistd.h>

/* fr_tune, briefly; false: this graph has no tuning. */
static bool measure(so_run_state *s, fr_solver_options *o, fr_tuning *found) {
    ri_case *c = s->c;
    fr_tune_options tune = FR_INIT(fr_tune_options);
    tune.backend = s->asked, tune.dist_type = o->dist_type, tune.unit_weights = s->unit;
    tune.sources = ri_of(c, 0, SO_SOURCES)->list, tune.source_count = c->graph.n > 0;
    tune.seconds = 0.02;
    const fr_status status = RI_DO(c, fr_tune(c->ctx, s->graph, s->problem, &tune, found));
    if (status == FR_CANCELLED && ri_is_excused(c, status))
        ri_stop(c);
    if (status)
        return false; /* queries tell whether that is right */
    RI_CHECK(c, found->problem == s->problem && found->ns >= 0 && found->strategies_tried > 0,
             "fr_tune: %s of %s", found->strategy, fr_problem_name(found->problem));
    return true;
}

static void remove_file(void *path) { unlink(path); }

static void through_cache(so_run_state *s, fr_solver_options *o, fr_tuning *found) {
    static char path[64];
    ri_case *c = s->c;
    const fr_tuning stored = *found;
    fr_solver_options same = *o; /* FR_BACKEND_ANY: one query may run elsewhere than many */
    same.backend = stored.backend;
    snprintf(path, sizeof path, "/tmp/random-%d.tuning", (int)getpid());
    unlink(path);
    RI_OK(c, fr_tuning_cache_store(c->ctx, path, s->graph, o, found));
    RI_FREE_AT_END(c, remove_file, path);
    RI_OK(c, fr_tuning_cache_find(c->ctx, path, s->graph, s->problem, &same, found));
    RI_CHECK(c,
             strcmp(stored.strategy, found->strategy) == 0 &&
                 strcmp(stored.knobs, found->knobs) == 0 && !found->from_similar_graph,
             "a tuning cache has %s %s, not %s %s", found->strategy, found->knobs, stored.strategy,
             stored.knobs);
}

/* Also a tuning that cannot be used, which `auto` then leaves. */
void so_tune(so_run_state *s, fr_solver_options *o) {
    ri_case *c = s->c;
    int count;
    const so_strategy *given = &so_strategies(&count)[ri_at(c, -1, SO_TUNED)];
    const int64_t from = ri_at(c, -1, SO_TUNING);
    fr_tuning *t = ri_alloc(c, sizeof *t);
    *t = FR_INIT(fr_tuning);
    if (!from || s->problem == FR_PROBLEM_APSP)
        return;
    if (from == SO_GIVEN) {
        const char *knobs = ri_of(c, -1, SO_TUNED_KNOBS)->text;
        t->problem = given->problem, t->backend = given->backend;
        snprintf(t->strategy, sizeof t->strategy, "%s", given->name);
        snprintf(t->knobs, sizeof t->knobs, "%s", knobs ? knobs : "");
    } else if (!measure(s, o, t))
        return;
    if (from == SO_FOUND)
        through_cache(s, o, t);
    o->tuning = t;
}
