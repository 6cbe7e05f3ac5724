#include "cuda/sssp/multi_device/plan.h"

#include <math.h>

/* Expected times, in nanoseconds, from Kronecker 20 to 24 and lattices on H200s. A round on several GPUs
 * has a joint barrier (4.7 us), at most one barrier of the grid, and the stores to peers; on one GPU
 * without hubs blocks continue alone for several hops. KEYS_NS: every distance goes to the other GPUs
 * before pulls. */
static const double EDGE_NS = 0.0055, VERTEX_NS = 0.01, START_NS = 3e4, ROUND_NS = 2.5e3,
                    JOINT_ROUND_NS = 1.5e4, KEYS_NS = 0.006;
/* A graph without vertices of high degree is assumed to be as deep as a grid, with about sqrt(n)
 * rounds; any other to have few rounds. */
enum { HUB_DEGREE = 64, SHALLOW_MEAN = 8, SHALLOW_ROUNDS = 20 };

static double expected_rounds(const fri_devices_input *in) {
    const bool has_hubs = in->max_degree >= HUB_DEGREE, is_dense = in->m >= SHALLOW_MEAN * in->n;
    return has_hubs || is_dense ? SHALLOW_ROUNDS : sqrt((double)in->n);
}

static double work_ns(const fri_devices_input *in) {
    return (double)in->m * EDGE_NS + (double)in->n * VERTEX_NS;
}

double fri_sssp_expected_ns_on_one(const fri_devices_input *in) {
    return START_NS + work_ns(in) + expected_rounds(in) * ROUND_NS;
}

double fri_sssp_expected_ns_on_many(const fri_devices_input *in, int devices) {
    return START_NS + work_ns(in) / devices + (double)in->n * KEYS_NS * (devices - 1) / devices +
           expected_rounds(in) * JOINT_ROUND_NS;
}

int fri_sssp_devices_that_pay(const fri_devices_input *in) {
    const double one = fri_sssp_expected_ns_on_one(in),
                 all = fri_sssp_expected_ns_on_many(in, in->devices);
    return fri_all_devices_pay(in, one, all) ? in->devices : 1;
}
