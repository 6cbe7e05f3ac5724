#include "base/balance.h"

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

void fri_balance_team(fri_balance *b, int members, int64_t busy_ns, int64_t waited_ns) {
    const double saved = (double)busy_ns * (double)(members - 1);
    record(&b->team_ns, (double)(busy_ns + waited_ns));
    b->ns = clamp(b->ns + saved - (double)waited_ns, rule.min, b->limit);
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
