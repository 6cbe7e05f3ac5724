#include "base/balance.h"

#include <math.h>
#include <stdio.h>

/* Times in nanoseconds.
 * start: before any team, and the most that one thread restores. max: delays of this sum do not stop teams.
 * min: one thread for 32 times as long restores it. alone_share: of the time of one thread.
 * longer, growth, max_limit: if one thread takes so many times as long as teams took, the limit is multiplied, up to
 * a second. slice: below it one thread is seldom stopped by others. part, outlier: weight of a run in the
 * recent times, of which it counts as at most so many. */
static const struct {
    double start, max, min, alone_share, longer, growth, max_limit, part, outlier, slice;
} rule = {.start = 1e6,
          .max = 4e6,
          .min = -16e6,
          .alone_share = 1.0 / 32,
          .longer = 1.25,
          .growth = 4,
          .max_limit = 1e9,
          .part = 1.0 / 4,
          .outlier = 2,
          .slice = 4e6};

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

fri_balance fri_balance_new(void) { return (fri_balance){.ns = rule.start, .limit = rule.max}; }

static void record(double *recent, double ns) {
    const double most = rule.outlier * *recent;
    *recent += *recent > 0 ? rule.part * ((ns < most ? ns : most) - *recent) : ns;
}

bool fri_balance_pays(const fri_balance *b) { return b->ns > 0; }

void fri_balance_team(fri_balance *b, int64_t shared_ns, int64_t busy_ns, int64_t waited_ns) {
    record(&b->team_ns, (double)(busy_ns + waited_ns));
    b->ns = clamp(b->ns + (double)(shared_ns - waited_ns), rule.min, b->limit);
}

void fri_balance_alone(fri_balance *b, int64_t ns) {
    const double raised = b->ns + rule.alone_share * (double)ns;
    record(&b->alone_ns, (double)ns);
    b->ns = raised < rule.start ? raised : rule.start;
    if (b->team_ns <= 0)
        return;
    if (b->alone_ns <= rule.longer * b->team_ns || b->alone_ns < rule.slice) {
        b->limit = rule.max;
        return;
    }
    b->limit = clamp(rule.growth * b->limit, rule.max, rule.max_limit);
    b->ns = b->limit;
}

/* ---- levels ----------------------------------------------------------------------------------- */

/* Times in nanoseconds. */
static const struct {
    double call, thread; /* the overhead of k threads: call + k thread, on 16 cores of a Xeon */
    double wake, wake_thread; /* waking k threads that sleep, there, too: 62 us of 4, 150 of 16 */
    double start;             /* the loss that rules a size out */
    double max;               /* delays of this sum do not rule out a size that has paid */
    double max_loss;          /* the largest loss counted for a level: about a time slice */
    double delay;             /* the least that tells of other processes, not of uneven parts */
    double max_threads;       /* max is of two threads, and grows with them up to so many */
    int most_failed; /* trials: each halves the part of the time of smaller teams that ends a loss */
    double decay;    /* of the excess overhead, per level that others took */
    double down,
        up;        /* weights of a level in the overhead: few levels wait for threads that slept */
    double growth; /* a level raises it as one of at most so many times the fitted one */
    double scale_part, trial_part; /* weight of a level in its scale; of a trial's */
    double small;       /* levels of that expected time of one thread have half the weight */
    double alike;       /* levels are alike if the one has at most so many times the work */
    double fall, doubt; /* the fall of the other scale, per level, and how far */
    double scale_min, scale_max;
} level_rule = {
    .call = 300,
    .thread = 200,
    .wake = 40e3,
    .wake_thread = 6e3,
    .start = 1e6,
    .max = 4e6,
    .max_loss = 4e6,
    .delay = 1e6,
    .max_threads = 16,
    .most_failed = 5,
    .decay = 1.0 / 64,
    .down = 1.0 / 4,
    .up = 1.0 / 32,
    .growth = 8,
    .scale_part = 1.0 / 16,
    .trial_part = 1.0 / 2,
    .small = 2e3,
    .alike = 2,
    .fall = 1.0 / 256,
    .doubt = 0.6,
    .scale_min = 1.0 / 8,
    .scale_max = 4,
};

/* The entry of k threads. */
static int size_of(int threads) {
    return threads > 1 ? 32 - __builtin_clz((unsigned)threads - 1) : 0;
}

double fri_share_fitted_ns(int threads) { return level_rule.call + level_rule.thread * threads; }
double fri_share_wake_ns(int threads) { return level_rule.wake + level_rule.wake_thread * threads; }

fri_share fri_share_new(const fr_ctx *ctx) {
    return (fri_share){.scale = 1,
                       .shared_scale = 1,
                       .turn = ctx && ctx->teams == FRI_TEAMS_ALL,
                       .fitted = ctx && ctx->teams == FRI_TEAMS_FITTED};
}

double fri_share_ns(const fri_share *s, double shared_ns, int threads) {
    return s->shared_scale * shared_ns / threads + fri_share_fitted_ns(threads) +
           s->excess_ns[size_of(threads)];
}

int fri_share_varied(const fri_share *s, int threads, int most) {
    return s->turn ? 1 + s->turn * 7 % most : threads;
}

void fri_share_try(const fri_share *s, fri_share_choice *choice, int threads, double ns,
                   double units) {
    choice->is_open &= s->lost_ns[size_of(threads)] < level_rule.start;
    if (ns >= choice->ns)
        return;
    if (choice->is_open)
        choice->open_ns = ns;
    else if ((choice->open_ns - ns) * units <= level_rule.max_loss)
        return;
    choice->ns = ns;
    choice->threads = threads;
}

/* Tries teams of 2 * `first` threads and more. */
static void try_teams(const fri_share *s, fri_share_choice *choice, double shared_ns, int first,
                      int most) {
    for (int k = 2 * first; k < 2 * most; k *= 2) {
        const int threads = FRI_MIN(k, most);
        fri_share_try(s, choice, threads, fri_share_ns(s, shared_ns, threads), 1);
    }
}

double fri_share_least_ns(const fri_share *s, double shared_ns, int most, int *threads) {
    const int least = FRI_MIN(most, 2);
    fri_share_choice choice = fri_share_first(
        least == 1 ? s->scale * shared_ns : fri_share_ns(s, shared_ns, least), least);
    try_teams(s, &choice, shared_ns, 2, most);
    *threads = fri_share_varied(s, choice.threads, most);
    return choice.ns;
}

/* The least expected time with up to `most` threads, one included, and their number. */
static double best_ns(const fri_share *s, fri_work work, int most, int *threads) {
    fri_share_choice choice = fri_share_first(s->scale * work.alone, 1);
    if (most > 1 && s->turn)
        return fri_share_least_ns(s, work.shared, most, threads);
    try_teams(s, &choice, work.shared, 1, most);
    *threads = choice.threads;
    return choice.ns;
}

bool fri_share_wakes(fri_share *s, int threads, double gain_ns) {
    const bool awake = threads <= FRI_MAX(s->largest, 1);
    const double wake_ns = fri_share_wake_ns(threads);
    s->missed_ns = awake ? 0 : FRI_MIN(s->missed_ns + gain_ns, wake_ns);
    return s->turn || awake || s->missed_ns >= wake_ns;
}

static bool is_alike(const fri_share *s, double alone_ns) {
    return alone_ns < level_rule.alike * s->last_ns && s->last_ns < level_rule.alike * alone_ns;
}

int fri_share_threads(fri_share *s, fri_work work, int most) {
    int all, awake;
    if (s->trial && !s->turn && is_alike(s, work.alone) && s->last_threads <= most)
        return s->last_threads;
    s->most = FRI_MAX(s->most, most);
    const double ns = best_ns(s, work, most, &all),
                 awake_ns = best_ns(s, work, FRI_MIN(most, s->largest), &awake);
    const int threads = fri_share_wakes(s, all, awake_ns - ns) ? all : awake;
    fri_share_note(s, threads);
    return threads;
}

int fri_threads_for(const fr_ctx *ctx, int most, int64_t ns) {
    /* less takes a test on a busy machine far longer than its loops */
    enum { LEAST_ASKED = 10000 };
    const double shared = (double)ns / most + fri_share_fitted_ns(most) + fri_share_wake_ns(most);
    const bool asked = ctx && ctx->teams == FRI_TEAMS_ALL && ns >= LEAST_ASKED;
    return asked || shared < (double)ns ? most : 1;
}

fri_share_words fri_share_text(const fri_share *s) {
    fri_share_words words = {""};
    if (s->fewest < s->largest)
        snprintf(words.text, sizeof words.text, "teams of %d to %d threads", s->fewest, s->largest);
    else if (s->largest)
        snprintf(words.text, sizeof words.text, "teams of %d threads", s->largest);
    return words;
}

/* Sizes that might have taken less are tried again at some time. */
static void forget(fri_share *s, fri_work work, int threads, double ns) {
    for (int i = 1; i < FRI_TEAM_SIZES; i++)
        if (i != size_of(threads) &&
            s->shared_scale * work.shared / (1 << i) + fri_share_fitted_ns(1 << i) < ns)
            s->excess_ns[i] -= level_rule.decay * s->excess_ns[i];
}

/* A level of the other kind than the last, which was alike: it reads what is in other cores' caches, and takes 1.5 to 3 times as
 * long as the third. */
static bool is_cold(const fri_share *s, fri_work work, int threads) {
    return (threads > 1) != (s->last_threads > 1) && is_alike(s, work.alone);
}

/* A trial, or the end of one: if it is left at once the next one begins half as soon. */
static void change_kind(fri_share *s) {
    enum { TRIAL = 2 /* levels after the first */, SHORT = 16, MOST_FAILED = 3 };
    const bool failed = s->run < SHORT;
    if (failed)
        s->failed_trials += s->failed_trials < MOST_FAILED;
    else if (!s->run_failed)
        s->failed_trials = 0;
    s->run_failed = failed;
    s->run = 0;
    s->trial = TRIAL;
}

/* One of the scales; that of the other kind falls until it is tried again. Small levels are mostly overhead. */
static void record_scale(fri_share *s, fri_work work, int threads, double ratio) {
    const bool shared = threads > 1;
    double *const scale = shared ? &s->shared_scale : &s->scale;
    double *const other = shared ? &s->scale : &s->shared_scale;
    s->run++;
    if (is_cold(s, work, threads))
        change_kind(s);
    else {
        const bool is_trial = s->trial || shared != (s->last_threads > 1);
        const double part = is_trial ? level_rule.trial_part : level_rule.scale_part,
                     weight = work.alone / (work.alone + level_rule.small);
        *scale +=
            part * weight * (clamp(ratio, level_rule.scale_min, level_rule.scale_max) - *scale);
        s->trial -= s->trial > 0;
    }
    if (*other > level_rule.doubt * *scale)
        *other -= ldexp(level_rule.fall, -s->failed_trials) * *other;
    s->last_threads = threads;
    s->last_ns = work.alone;
    s->turn = s->turn ? s->turn % 1000 + 1 : 0;
}

/* A level on a team of `size`, or one thread, for larger ones. */
static void restore(fri_share *s, int size, double ns) {
    for (int i = size + 1; i < FRI_TEAM_SIZES; i++)
        if (s->lost_ns[i] > 0)
            s->lost_ns[i] = FRI_MAX(s->lost_ns[i] - ldexp(ns, -1 - s->failed[i]), 0);
}

void fri_share_alone(fri_share *s, double ns) {
    if (!s->fitted)
        restore(s, 0, ns);
}

/* What member 0 waited for others, if that tells of other processes. */
static double delay_of(fri_part_time time) {
    const double waited = (double)(time.ns - time.busy_ns);
    return waited > level_rule.delay ? waited : 0;
}

/* After delays that follow gains a size is tried again soon, after delays that follow a trial half as soon. */
static void change_loss(fri_share *s, int size, double gain) {
    const double most = level_rule.max * clamp(s->most, 2, level_rule.max_threads) / 2;
    double *const lost = &s->lost_ns[size];
    const bool paid = *lost < level_rule.start;
    gain = clamp(gain, -level_rule.max_loss, most);
    *lost = clamp(*lost - gain, level_rule.start - most, level_rule.start + level_rule.max);
    if (*lost <= level_rule.start - most)
        s->failed[size] = 0;
    else if (paid && *lost >= level_rule.start && s->failed[size] < level_rule.most_failed)
        s->failed[size]++;
}

/* A shared level, for the sizes from 4 threads to its own: what half as many take, less what it took. A delay would be half as
 * likely for half as many; without one the expected times decide between teams. */
static void weigh_sizes(fri_share *s, double shared_ns, int size, double ns, double delay) {
    for (int i = 2; i <= size; i++) {
        const double gain = fri_share_ns(s, shared_ns, 1 << (i - 1)) - (ns - delay);
        change_loss(s, i, FRI_MAX(gain, 0) - ldexp(delay, i - size - 1));
    }
    restore(s, size, ns);
}

void fri_share_took(fri_share *s, int threads, fri_part_time time) {
    const double work = (double)time.busy_ns * threads / s->shared_scale;
    if (!s->fitted)
        weigh_sizes(s, work, size_of(threads), (double)time.ns, delay_of(time));
}

static void record_alone(fri_share *s, fri_work work, double ns) {
    forget(s, work, 1, ns);
    fri_share_alone(s, ns);
    record_scale(s, work, 1, ns / work.alone);
}

static void record_shared(fri_share *s, fri_work work, int threads, fri_part_time time) {
    const double ns = (double)time.ns, busy_ns = (double)time.busy_ns;
    const int size = size_of(threads);
    const double delay = delay_of(time);
    double *excess = &s->excess_ns[size];
    const double change = ns - busy_ns - fri_share_fitted_ns(threads) - *excess;
    forget(s, work, threads, ns);
    const double gain = s->scale * work.alone - (ns - delay);
    change_loss(s, 1, FRI_MAX(gain, is_cold(s, work, threads) ? 0 : gain) - ldexp(delay, 1 - size));
    weigh_sizes(s, work.shared, size, ns, delay);
    record_scale(s, work, threads, busy_ns * threads / work.shared);
    s->trial = delay > 0 ? 0 : s->trial;
    *excess += (change < 0 ? level_rule.down : level_rule.up) *
               FRI_MIN(change, level_rule.growth * fri_share_fitted_ns(threads));
}

void fri_share_record(fri_share *s, fri_work work, int threads, fri_part_time time,
                      int64_t began_ns) {
    if (s->fitted)
        return;
    if (threads > 1 && time.ns)
        record_shared(s, work, threads, time);
    else
        record_alone(s, work, (double)(time.ns ? time.ns : fri_now_ns() - began_ns));
}

/* As fri_balance_alone(): losses by one long delay would keep teams away from many queries. */
void fri_share_query(fri_share *s, int64_t edges, int64_t ns) {
    if (s->fitted || edges <= 0 || 2 * edges < s->most_edges)
        return;
    const double edge_ns = (double)ns / (double)edges;
    s->most_edges = FRI_MAX(edges, s->most_edges);
    if (s->largest > 1)
        record(&s->team_ns, edge_ns);
    else if (s->team_ns > 0 && edge_ns > rule.longer * s->team_ns)
        for (int i = 1; i < FRI_TEAM_SIZES; i++)
            s->lost_ns[i] = FRI_MIN(s->lost_ns[i], 0);
}
