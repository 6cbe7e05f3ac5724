/* fr_tune: finds the fastest strategy and knobs for a graph by measurements in bounded time.
 *
 * First `auto`, as reference answer and baseline; then every strategy with default knobs; then each
 * knob in turn (coordinate descent) of the best strategy, and of the second if it is close; last,
 * the winner and `auto` are measured again with fresh solvers. Before a new best configuration
 * counts, its answer is checked by rules, and a narrow win is measured again, alternating with the
 * old best.
 */
#include "base/sized.h"
#include "tune/tune.h"

#include <stdio.h>
#include <string.h>

static const double DEFAULT_SECONDS = 10;
/* An improvement of less than 3 % is a tie, which the simpler configuration wins. */
static const double GAIN = 0.97;
/* A larger improvement is not measured a second time immediately. */
static const double CLEAR = 0.8;
/* The knobs of a second strategy are tried if it is within this factor of the first. */
static const double NEAR = 1.5;
/* Maximum share of the time for strategies with default knobs. */
static const double STRATEGIES_SHARE = 0.5;

enum { MAX_STEPS = 16 }; /* values tried for one knob */

/* The context's progress function while tuning: one progress bar, one clock. */
static int watch(void *user, const char *phase, int64_t done, int64_t total) {
    fri_tuner *t = user;
    int64_t now = fri_now_ns();
    (void)phase;
    (void)done;
    (void)total;
    if (t->progress && t->progress(t->progress_user, "tuning",
                                   FRI_MIN((now - t->begin) / 1000000, t->budget_ms), t->budget_ms))
        t->stopped = true;
    return t->stopped || now > t->trial_end;
}

static void report_trial(fri_tuner *t, const fri_config *s, fr_status status, double ns,
                         bool wins) {
    char knobs[FRI_KNOBS_CAPACITY];
    bool best = wins && (t->best_ns == 0 || ns < t->best_ns); /* it may win among its own
                                                                 strategy only */
    t->best_ns = best ? ns : t->best_ns;
    fr_tune_trial trial = {.strategy = s->strategy->name,
                           .knobs = fri_config_text(s, knobs),
                           .status = status,
                           .ns = (int64_t)ns,
                           .best = best};
    if (t->options->trial)
        t->options->trial(t->options->trial_user, &trial);
}

/* Measures a narrow win again, alternating with the best; then checks the answer. */
static fr_status recheck(fri_tuner *t, const fri_measurement *best, fri_measurement *found) {
    fri_measurement again;
    fr_status status = FR_OK;
    if (found->ns > CLEAR * best->ns) {
        status = fri_trial(t, &best->config, best, &again);
        if (!status)
            status = fri_trial(t, &found->config, &again, found);
        if (!status && found->ns > GAIN * again.ns)
            return FR_CANCELLED;
    }
    return status ? status : fri_trial_check(t, &found->config);
}

/* Measures a configuration against *best and replaces *best if it wins: *own is then the previous
 * *best. Returns FR_OK or the status that ends tuning. */
static fr_status compare_with_best(fri_tuner *t, const fri_config *s, fri_measurement *best,
                                   fri_measurement *own, fr_status *status) {
    *status = fri_trial(t, s, best, own);
    fri_measurement found = *own;
    bool wins = !*status && found.ns < GAIN * best->ns;
    if (wins) {
        fr_status rechecked = recheck(t, best, &found);
        wins = !rechecked;
        *status = rechecked == FR_CANCELLED ? FR_OK : rechecked;
    }
    if (t->stopped || *status == FR_DEVICE) /* the device is lost: no further measurement is
                                               possible */
        return t->stopped ? FR_CANCELLED : *status;
    if (*status == FR_CANCELLED && fri_now_ns() > t->end) /* the time is over, so no further
                                                             measurement is possible */
        return FR_OK;
    t->configs_tried++;
    report_trial(t, s, *status, wins ? found.ns : own->ns, wins);
    if (wins) {
        *own = *best;
        *best = found;
    }
    return FR_OK;
}

/* ---- strategies ---------------------------------------------------------------------------- */

typedef struct {
    fri_measurement first, second; /* the two fastest strategies; second.config.strategy may be
                                      NULL */
} ranking;

/* Every strategy with its default knobs. One that does not beat the first may still be the
 * second. */
static fr_status try_strategies(fri_tuner *t, ranking *r) {
    const fri_strategy *baseline = r->first.config.strategy;
    int64_t until = t->begin + (int64_t)(STRATEGIES_SHARE * (double)(t->end - t->begin));
    for (int i = 0; fri_strategies[i]; i++) {
        const fri_strategy *strategy = fri_strategies[i];
        if (strategy->problem != t->problem || strategy->backend != baseline->backend ||
            strategy == baseline)
            continue;
        if (fri_now_ns() >= until) {
            t->strategies_skipped++;
            continue;
        }
        fri_measurement own;
        fri_config s = fri_config_default(strategy);
        fr_status outcome, status = compare_with_best(t, &s, &r->first, &own, &outcome);
        if (status)
            return status;
        t->strategies_tried++;
        if (!outcome && (!r->second.config.strategy || own.ns < r->second.ns))
            r->second = own;
    }
    return FR_OK;
}

/* ---- knobs -------------------------------------------------------------------------------- */

typedef struct {
    double value[MAX_STEPS + FRI_CANDIDATES];
    int count;
} tried_values;

static bool is_new(tried_values *t, double value) {
    for (int i = 0; i < t->count; i++)
        if (t->value[i] == value)
            return false;
    t->value[t->count++] = value;
    return true;
}

/* One knob: its candidates, and the candidates of each better value, until none is better. */
static fr_status try_knob(fri_tuner *t, int index, double weight, int64_t until,
                          fri_measurement *best) {
    const fr_knob *knob = &best->config.strategy->knobs[index];
    tried_values seen = {.value = {best->config.knob[index]}, .count = 1};
    for (bool better = true; better && seen.count < MAX_STEPS;) {
        double value[FRI_CANDIDATES], from = best->config.knob[index];
        int count = fri_knob_candidates(knob, from, weight, value);
        better = false;
        for (int i = 0; i < count && !better; i++) {
            if (fri_now_ns() > until)
                return FR_OK;
            fri_config s = best->config;
            s.knob[index] = value[i];
            if (!is_new(&seen, value[i]))
                continue;
            fri_measurement own;
            fr_status outcome, status = compare_with_best(t, &s, best, &own, &outcome);
            if (status)
                return status;
            better = best->config.knob[index] == value[i];
        }
    }
    return FR_OK;
}

static fr_status try_knobs(fri_tuner *t, double weight, int64_t until, fri_measurement *best) {
    const fr_knob *knobs = best->own_knobs ? best->config.strategy->knobs : NULL;
    for (int i = 0; knobs && knobs[i].name && fri_now_ns() < until; i++) {
        fr_status status = try_knob(t, i, weight, until, best);
        if (status)
            return status;
    }
    return FR_OK;
}

static double mean_weight(fri_tuner *t) {
    static const fri_strategy any;
    const fri_job_input in = {.threads = t->ctx->threads};
    fri_job job = {.ctx = t->ctx, .in = &in, .strategy = &any, .csr = *fr_graph_csr(t->graph)};
    if (t->problem == FR_PROBLEM_BFS || t->options->unit_weights)
        return 1;
    fri_options_weights(&job);
    return job.weight_mean > 0 ? job.weight_mean : 1;
}

/* The knobs of the first strategy, then the second's if it is close; *best is the better
 * result. */
static fr_status try_all_knobs(fri_tuner *t, const ranking *r, int64_t until,
                               fri_measurement *best) {
    double weight = mean_weight(t);
    fri_measurement second = r->second;
    bool both = second.config.strategy && second.ns < NEAR * r->first.ns && second.own_knobs &&
                second.config.strategy->knobs;
    int64_t now = fri_now_ns(), half = both ? now + (until - now) * 2 / 3 : until;
    fr_status status = try_knobs(t, weight, half, best);
    if (!status && both)
        status = try_knobs(t, weight, until, &second);
    if (both && second.ns < GAIN * best->ns)
        *best = second;
    return status;
}

/* ---- the whole search ---------------------------------------------------------------------- */

static void result(const fri_tuner *t, const fri_measurement *best, fr_tuning *out) {
    char knobs[FRI_KNOBS_CAPACITY];
    out->problem = t->problem;
    out->backend = best->config.strategy->backend;
    snprintf(out->strategy, sizeof out->strategy, "%s", best->config.strategy->name);
    snprintf(out->knobs, sizeof out->knobs, "%s", fri_config_text(&best->config, knobs));
    out->ns = (int64_t)best->ns;
    out->auto_ns = (int64_t)t->baseline.ns;
    out->strategies_tried = t->strategies_tried;
    out->strategies_skipped = t->strategies_skipped;
    out->configs_tried = t->configs_tried;
}

/* Measures the best and `auto` again, so that one lucky measurement does not decide. */
static fr_status rematch(fri_tuner *t, fri_measurement *best) {
    fri_measurement again = t->baseline;
    t->end = INT64_MAX; /* both have been measured before: this is short */
    fr_status status = fri_trial(t, &t->baseline.config, NULL, &again);
    if (status)
        return status;
    t->baseline = again;
    status = fri_trial(t, &best->config, &again, best);
    if (t->stopped)
        return FR_CANCELLED;
    if (status || best->ns > GAIN * again.ns || fri_trial_check(t, &best->config))
        *best = t->baseline;
    return FR_OK;
}

static fr_status search(fri_tuner *t, fri_measurement *best) {
    ranking r = {.first = t->baseline};
    fr_status status = try_strategies(t, &r);
    *best = r.first;
    int64_t reserve = t->baseline.cost_ns + best->cost_ns;
    if (!status)
        status = try_all_knobs(t, &r, t->end - reserve, best);
    bool same = best->config.strategy == t->baseline.config.strategy &&
                memcmp(best->config.knob, t->baseline.config.knob, sizeof best->config.knob) == 0;
    return status || same ? status : rematch(t, best);
}

/* Measures `auto` with default knobs, if its type cannot hold the sums with a wider one, as the command. */
static fr_status begin(fri_tuner *t, const fri_strategy *strategy) {
    fri_config s = fri_config_default(strategy);
    fr_status status = fri_trial(t, &s, NULL, &t->baseline);
    const fr_type weights = fr_graph_csr(t->graph)->weight_type;
    const fr_type wider =
        fr_type_wider(t->options->unit_weights || !weights ? FR_TYPE_I32 : weights);
    if (status == FR_OVERFLOW && t->dist_type == FR_TYPE_NONE && wider) {
        t->dist_type = wider;
        fri_free(t->value);
        t->value = NULL;
        status = fri_trial(t, &s, NULL, &t->baseline);
    }
    t->strategies_tried = t->configs_tried = 1;
    report_trial(t, &s, status, t->baseline.ns, !status);
    return status;
}

static fr_status check_options(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                               const fr_tune_options *o) {
    if (problem != FR_PROBLEM_BFS && problem != FR_PROBLEM_SSSP)
        return fri_fail(ctx, FR_UNSUPPORTED, "only BFS and SSSP can be tuned");
    if (!graph || !o || !o->sources || o->source_count < 1 ||
        o->source_count > FR_TUNE_MAX_SOURCES || !(o->seconds >= 0) || o->seconds > 1e6)
        return fri_fail(ctx, FR_INVALID,
                        "tuning needs a graph, 1 to %d sources and at most 1e6 seconds",
                        FR_TUNE_MAX_SOURCES);
    return FR_OK;
}

static fr_status tune(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                      const fr_tune_options *options, fr_tuning *out) {
    fr_status status = check_options(ctx, graph, problem, options);
    const fr_solver_options asked = {.backend = options->backend,
                                     .unit_weights = options->unit_weights,
                                     .expected_queries = INT64_MAX}; /* as of each trial */
    fr_backend backend = options->backend;
    if (!status)
        status = fri_solver_auto_backend(ctx, graph, problem, &asked, &backend);
    if (!status)
        status = fri_device_name(ctx, backend, out->device, sizeof out->device);
    if (status)
        return status;
    const fri_strategy *automatic = fri_strategy_find(problem, backend, "auto");
    double seconds = options->seconds > 0 ? options->seconds : DEFAULT_SECONDS;
    int64_t now = fri_now_ns();
    fri_tuner t = {.ctx = ctx,
                   .graph = graph,
                   .problem = problem,
                   .options = options,
                   .dist_type = options->dist_type,
                   .begin = now,
                   .end = now + (int64_t)(seconds * 1e9),
                   .trial_end = INT64_MAX,
                   .budget_ms = (int64_t)(seconds * 1e3),
                   .progress = ctx->progress,
                   .progress_user = ctx->progress_user};
    ctx->progress = watch;
    ctx->progress_user = &t;
    status = begin(&t, automatic);
    fri_measurement best = t.baseline;
    if (!status)
        status = search(&t, &best);
    bool is_more = best.config.strategy != automatic || *fri_config_text(&best.config, out->knobs);
    if (!status || (status == FR_CANCELLED && is_more))
        result(&t, &best, out);
    ctx->progress = t.progress;
    ctx->progress_user = t.progress_user;
    fri_free(t.value);
    fri_free(t.parent);
    if (!status)
        fri_begin(ctx); /* trials that failed or were cancelled are part of the search */
    return status == FR_CANCELLED ? fri_fail(ctx, status, "cancelled while tuning") : status;
}

fr_status fr_tune(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                  const fr_tune_options *options, fr_tuning *out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_tune_options own;
    fr_tuning found = {0};
    fr_status status = FRI_SIZED_CHECK(ctx, fr_tuning, out);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_tune_options, options, &own);
    if (status)
        return status;
    status = graph ? fr_graph_check(ctx, graph) : FR_OK;
    if (!status)
        status = tune(ctx, graph, problem, &own, &found);
    FRI_SIZED_WRITE(fr_tuning, &found, out);
    return status;
}
