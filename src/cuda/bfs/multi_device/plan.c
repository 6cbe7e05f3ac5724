#include "cuda/bfs/multi_device/plan.h"

#include <math.h>

/* Expected times, in nanoseconds. The first four are from Kronecker graphs and lattices on one H200, the
 * last from Kronecker 22, 24 and 26 on two (2026-11-23). */
static const double EDGE_NS = 0.0008, VERTEX_NS = 0.002, START_NS = 2e4, LEVEL_NS = 1.4e3,
                    JOINT_LEVEL_NS = 1.05e4;
/* A graph without vertices of high degree is assumed to be as deep as a grid, with about sqrt(n) levels;
 * any other to have few levels. */
enum { HUB_DEGREE = 64, SHALLOW_MEAN = 8, SHALLOW_LEVELS = 8 };

static double expected_levels(const fri_devices_input *in) {
    const bool has_hubs = in->max_degree >= HUB_DEGREE, is_dense = in->m >= SHALLOW_MEAN * in->n;
    return has_hubs || is_dense ? SHALLOW_LEVELS : sqrt((double)in->n);
}

static double work_ns(const fri_devices_input *in) {
    return (double)in->m * EDGE_NS + (double)in->n * VERTEX_NS;
}

double fri_expected_ns_on_one(const fri_devices_input *in) {
    return START_NS + work_ns(in) + expected_levels(in) * LEVEL_NS;
}

double fri_expected_ns_on_many(const fri_devices_input *in, int devices) {
    return START_NS + work_ns(in) / devices + expected_levels(in) * JOINT_LEVEL_NS;
}

int fri_devices_that_pay(const fri_devices_input *in) {
    const double one = fri_expected_ns_on_one(in), all = fri_expected_ns_on_many(in, in->devices);
    return fri_all_devices_pay(in, one, all) ? in->devices : 1;
}
