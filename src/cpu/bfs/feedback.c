#include "cpu/bfs/feedback.h"

/* Times in nanoseconds. */
static const struct {
    double start_ns;      /* the balance before any level */
    double max_ns;        /* the largest balance: delays of this sum do not stop parallel levels */
    double max_loss_ns;   /* the largest loss counted for a level: about a time slice */
    double serial_share;  /* of the time of serial levels */
    double decay;         /* of the excess overhead, per serial level that could have been shared */
    double overhead_part; /* weight of a parallel level in the overhead */
    double growth;        /* a level counts as at high this many times the overhead so far */
    double scale_part;    /* weight of a serial level in the scale */
    double scale_min, scale_max;
} rule = {
    .start_ns = 1e6,
    .max_ns = 4e6,
    .max_loss_ns = 4e6,
    .serial_share = 1.0 / 32,
    .decay = 1.0 / 64,
    .overhead_part = 1.0 / 8,
    .growth = 3,
    .scale_part = 1.0 / 16,
    .scale_min = 0.5,
    .scale_max = 4,
};

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

fri_bfs_feedback fri_bfs_feedback_new(double fitted_ns) {
    return (fri_bfs_feedback){
        .fitted_ns = fitted_ns, .scale = 1, .overhead_ns = fitted_ns, .balance_ns = rule.start_ns};
}

/* Expected nanoseconds that sharing the level saves, with that overhead. */
static double gain_of(const fri_bfs_feedback *f, fri_bfs_level_costs level, double overhead_ns) {
    return f->scale * (level.serial - level.shared) - overhead_ns;
}

bool fri_bfs_feedback_shares(const fri_bfs_feedback *f, fri_bfs_level_costs level,
                             double *gain_ns) {
    *gain_ns = gain_of(f, level, f->overhead_ns);
    return f->balance_ns > 0 && *gain_ns > 0;
}

void fri_bfs_feedback_serial(fri_bfs_feedback *f, fri_bfs_level_costs level, double ns) {
    if (gain_of(f, level, f->fitted_ns) > 0)
        f->overhead_ns += rule.decay * (f->fitted_ns - f->overhead_ns);
    if (f->balance_ns < rule.start_ns)
        f->balance_ns = clamp(f->balance_ns + rule.serial_share * ns, -rule.max_ns, rule.start_ns);
    double ratio = clamp(ns / level.serial, rule.scale_min, rule.scale_max);
    f->scale += rule.scale_part * (ratio - f->scale);
}

void fri_bfs_feedback_shared(fri_bfs_feedback *f, fri_bfs_level_costs level, double ns) {
    double gain = clamp(f->scale * level.serial - ns, -rule.max_loss_ns, rule.max_ns);
    f->balance_ns = clamp(f->balance_ns + gain, -rule.max_ns, rule.max_ns);
    double overhead =
        clamp(ns - f->scale * level.shared, f->fitted_ns / 2, rule.growth * f->overhead_ns);
    f->overhead_ns += rule.overhead_part * (overhead - f->overhead_ns);
}
