/* fr_tune: which row and which knobs are fastest on a graph, by measurement in bounded time.
 *
 * `auto` first, for its answers and as what is to be beaten; then every row as it comes; then, of
 * the best row and of the second if it is near, each knob in turn (coordinate descent); last, the
 * winner and `auto` once more, each afresh. Before a new best counts its answer is checked by
 * rules, and a narrow win is measured again, in turn with the old best. */
#include "engine/profile.h"
#include "engine/tune.h"

#include <stdio.h>
#include <string.h>

static const double DEFAULT_SECONDS = 10;
static const double GAIN = 0.97;      /* less than 3 % faster is a tie, which the simpler wins */
static const double CLEAR = 0.8;      /* a win by more than that is not measured twice at once */
static const double NEAR = 1.5;       /* a second row this near the first has its knobs tried */
static const double ROWS_SHARE = 0.5; /* of the time, at most, for the rows as they come */
enum { MOST_STEPS = 16 };             /* values tried for one knob */

/* The context's progress function while tuning: one bar, one clock. */
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

static void tell(fri_tuner *t, const fri_setting *s, fr_status status, double ns, bool wins) {
    char knobs[FRI_KNOBS_ROOM];
    bool best = wins && (t->top_ns == 0 || ns < t->top_ns); /* it may win its own row alone */
    t->top_ns = best ? ns : t->top_ns;
    fr_trial trial = {.strategy = s->row->name,
                      .knobs = fri_setting_text(s, knobs),
                      .status = status,
                      .ns = (int64_t)ns,
                      .best = best};
    if (t->options->trial)
        t->options->trial(t->options->trial_user, &trial);
}

/* A narrow win is measured once more, each after the other; then the answer is checked. */
static fr_status confirm(fri_tuner *t, const fri_measured *best, fri_measured *found) {
    fri_measured again;
    fr_status status = FR_OK;
    if (found->ns > CLEAR * best->ns) {
        status = fri_trial(t, &best->setting, best, &again);
        if (!status)
            status = fri_trial(t, &found->setting, &again, found);
        if (!status && found->ns > GAIN * again.ns)
            return FR_CANCELLED;
    }
    return status ? status : fri_trial_check(t, &found->setting);
}

/* Measures a setting against *best, whose place it takes where it wins: *own is then what was
 * *best. FR_OK or what ends all. */
static fr_status contest(fri_tuner *t, const fri_setting *s, fri_measured *best, fri_measured *own,
                         fr_status *status) {
    *status = fri_trial(t, s, best, own);
    fri_measured found = *own;
    bool wins = !*status && found.ns < GAIN * best->ns;
    if (wins) {
        fr_status confirmed = confirm(t, best, &found);
        wins = !confirmed;
        *status = confirmed == FR_CANCELLED ? FR_OK : confirmed;
    }
    if (t->stopped || *status == FR_DEVICE) /* the device is lost: nothing more can be learnt */
        return t->stopped ? FR_CANCELLED : *status;
    if (*status == FR_CANCELLED && fri_now_ns() > t->end) /* nor here: the time is over */
        return FR_OK;
    t->settings++;
    tell(t, s, *status, wins ? found.ns : own->ns, wins);
    if (wins) {
        *own = *best;
        *best = found;
    }
    return FR_OK;
}

/* ---- rows --------------------------------------------------------------------------------- */

typedef struct {
    fri_measured first, second; /* the two fastest rows; second.setting.row may be NULL */
} ranking;

/* Every row as it comes. A row that does not beat the first may still be the second. */
static fr_status try_rows(fri_tuner *t, ranking *r) {
    const fri_strategy *automatic = r->first.setting.row;
    int64_t until = t->begin + (int64_t)(ROWS_SHARE * (double)(t->end - t->begin));
    for (int i = 0; fri_strategies[i]; i++) {
        const fri_strategy *row = fri_strategies[i];
        if (row->problem != t->problem || row->backend != automatic->backend || row == automatic)
            continue;
        if (fri_now_ns() >= until) {
            t->rows_left++;
            continue;
        }
        fri_measured own;
        fri_setting s = fri_setting_of(row);
        fr_status met, status = contest(t, &s, &r->first, &own, &met);
        if (status)
            return status;
        t->rows++;
        if (!met && (!r->second.setting.row || own.ns < r->second.ns))
            r->second = own;
    }
    return FR_OK;
}

/* ---- knobs -------------------------------------------------------------------------------- */

typedef struct {
    double value[MOST_STEPS + FRI_CANDIDATES];
    int count;
} tried;

static bool is_new(tried *t, double value) {
    for (int i = 0; i < t->count; i++)
        if (t->value[i] == value)
            return false;
    t->value[t->count++] = value;
    return true;
}

/* One knob: its candidates, and those of each better value, until none is better. */
static fr_status try_knob(fri_tuner *t, int index, double weight, int64_t until,
                          fri_measured *best) {
    const fr_knob *knob = &best->setting.row->knobs[index];
    tried seen = {.value = {best->setting.knob[index]}, .count = 1};
    for (bool better = true; better && seen.count < MOST_STEPS;) {
        double value[FRI_CANDIDATES], from = best->setting.knob[index];
        int count = fri_knob_candidates(knob, from, weight, value);
        better = false;
        for (int i = 0; i < count && !better; i++) {
            if (fri_now_ns() > until)
                return FR_OK;
            fri_setting s = best->setting;
            s.knob[index] = value[i];
            if (!is_new(&seen, value[i]))
                continue;
            fri_measured own;
            fr_status met, status = contest(t, &s, best, &own, &met);
            if (status)
                return status;
            better = best->setting.knob[index] == value[i];
        }
    }
    return FR_OK;
}

static fr_status try_knobs(fri_tuner *t, double weight, int64_t until, fri_measured *best) {
    const fr_knob *knobs = best->setting.row->knobs;
    for (int i = 0; knobs && knobs[i].name && fri_now_ns() < until; i++) {
        fr_status status = try_knob(t, i, weight, until, best);
        if (status)
            return status;
    }
    return FR_OK;
}

static double mean_weight(fri_tuner *t) {
    static const fri_strategy any;
    fri_job job = {.ctx = t->ctx, .csr = *fr_graph_csr(t->graph), .threads = t->ctx->threads};
    if (t->problem == FR_BFS || t->options->unit_weights)
        return 1;
    fri_options_weights(&job, &any);
    return job.weight_mean > 0 ? job.weight_mean : 1;
}

/* The first row's knobs, then the second's where it is near; *best is the better of both. */
static fr_status try_all_knobs(fri_tuner *t, const ranking *r, int64_t until, fri_measured *best) {
    double weight = mean_weight(t);
    fri_measured second = r->second;
    bool both = second.setting.row && second.ns < NEAR * r->first.ns && second.setting.row->knobs;
    int64_t now = fri_now_ns(), half = both ? now + (until - now) * 2 / 3 : until;
    fr_status status = try_knobs(t, weight, half, best);
    if (!status && both)
        status = try_knobs(t, weight, until, &second);
    if (both && second.ns < GAIN * best->ns)
        *best = second;
    return status;
}

/* ---- all ---------------------------------------------------------------------------------- */

static void finding(const fri_tuner *t, const fri_measured *best, fr_tuning *out) {
    char knobs[FRI_KNOBS_ROOM];
    out->problem = t->problem;
    out->backend = best->setting.row->backend;
    snprintf(out->strategy, sizeof out->strategy, "%s", best->setting.row->name);
    snprintf(out->knobs, sizeof out->knobs, "%s", fri_setting_text(&best->setting, knobs));
    out->ns = (int64_t)best->ns;
    out->auto_ns = (int64_t)t->automatic.ns;
    out->rows = t->rows;
    out->rows_left = t->rows_left;
    out->settings = t->settings;
}

/* The best and auto once more: what one lucky measurement made best does not stay it. */
static fr_status duel(fri_tuner *t, fri_measured *best) {
    fri_measured again = t->automatic;
    t->end = INT64_MAX; /* both were measured before: this is short */
    fr_status status = fri_trial(t, &t->automatic.setting, NULL, &again);
    if (status)
        return status;
    t->automatic = again;
    status = fri_trial(t, &best->setting, &again, best);
    if (t->stopped)
        return FR_CANCELLED;
    if (status || best->ns > GAIN * again.ns || fri_trial_check(t, &best->setting))
        *best = t->automatic;
    return FR_OK;
}

static fr_status search(fri_tuner *t, fri_measured *best) {
    ranking r = {.first = t->automatic};
    fr_status status = try_rows(t, &r);
    *best = r.first;
    int64_t reserve = t->automatic.cost_ns + best->cost_ns;
    if (!status)
        status = try_all_knobs(t, &r, t->end - reserve, best);
    bool same =
        best->setting.row == t->automatic.setting.row &&
        memcmp(best->setting.knob, t->automatic.setting.knob, sizeof best->setting.knob) == 0;
    return status || same ? status : duel(t, best);
}

/* auto as it comes. Where int32 does not hold the sums, int64 does, as in the command. */
static fr_status begin(fri_tuner *t, const fri_strategy *row) {
    fri_setting s = fri_setting_of(row);
    fr_status status = fri_trial(t, &s, NULL, &t->automatic);
    bool is_int = fr_graph_csr(t->graph)->weight_type <= FR_I32 || t->options->unit_weights;
    if (status == FR_OVERFLOW && t->dist_type == FR_TYPE_NONE && is_int) {
        t->dist_type = FR_I64;
        fri_free(t->value);
        t->value = NULL;
        status = fri_trial(t, &s, NULL, &t->automatic);
    }
    t->rows = t->settings = 1;
    tell(t, &s, status, t->automatic.ns, !status);
    return status;
}

static fr_status check_options(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                               const fr_tune_options *o) {
    if (problem != FR_BFS && problem != FR_SSSP)
        return fri_fail(ctx, FR_UNSUPPORTED, "only BFS and SSSP can be tuned");
    if (!graph || !o || !o->sources || o->source_count < 1 ||
        o->source_count > FR_TUNE_MOST_SOURCES || !(o->seconds >= 0) || o->seconds > 1e6)
        return fri_fail(ctx, FR_INVALID,
                        "tuning needs a graph, 1 to %d sources and at most 1e6 seconds",
                        FR_TUNE_MOST_SOURCES);
    return FR_OK;
}

fr_status fr_tune(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                  const fr_tune_options *options, fr_tuning *out) {
    fri_begin(ctx);
    *out = (fr_tuning){0};
    fr_status status = check_options(ctx, graph, problem, options);
    const fri_strategy *row = NULL;
    fri_job job = {.ctx = ctx, .problem = problem};
    fr_solver_options asked = {.backend = status ? FR_ANY : options->backend};
    if (!status)
        status = fri_options_strategy(&job, &asked, &row);
    if (!status)
        status = fri_device_name(ctx, row->backend, out->device, sizeof out->device);
    if (status)
        return status;
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
    status = begin(&t, row);
    fri_measured best = t.automatic;
    if (!status)
        status = search(&t, &best);
    bool is_more = best.setting.row != row || *fri_setting_text(&best.setting, out->knobs);
    if (!status || (status == FR_CANCELLED && is_more))
        finding(&t, &best, out);
    ctx->progress = t.progress;
    ctx->progress_user = t.progress_user;
    fri_free(t.value);
    fri_free(t.parent);
    return status == FR_CANCELLED ? fri_fail(ctx, status, "cancelled while tuning") : status;
}
