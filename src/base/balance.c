#include "base/balance.h"

/* Times in nanoseconds. start: before any team, and the most that one thread restores. max: delays of this sum do
 * not stop teams. min: one thread for 32 times as long restores it. alone_share: of the time of one thread. */
static const struct {
    double start, max, min, alone_share;
} rule = {.start = 1e6, .max = 4e6, .min = -16e6, .alone_share = 1.0 / 32};

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

fri_balance fri_balance_new(void) { return (fri_balance){rule.start}; }

bool fri_balance_pays(const fri_balance *b) { return b->ns > 0; }

void fri_balance_team(fri_balance *b, int members, int64_t busy_ns, int64_t waited_ns) {
    const double saved = (double)busy_ns * (double)(members - 1);
    b->ns = clamp(b->ns + saved - (double)waited_ns, rule.min, rule.max);
}

void fri_balance_alone(fri_balance *b, int64_t ns) {
    const double raised = b->ns + rule.alone_share * (double)ns;
    b->ns = raised < rule.start ? raised : rule.start;
}
