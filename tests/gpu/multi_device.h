/* What the programs of the two strategies `multi-device` share. */
#ifndef FRI_TESTS_GPU_MULTI_DEVICE_H
#define FRI_TESTS_GPU_MULTI_DEVICE_H

#include "core/solver.h"
#include "gpu/harness.h"

typedef struct multi_device {
    fr_problem problem;
    const char *const *settings; /* knobs, ended by NULL */
    /* Of a solver: the GPUs that it uses, and how long a kernel of it waits for the others. */
    int (*count)(const fr_solver *solver);
    uint32_t *(*max_polls)(const fr_solver *solver);
} multi_device;

fr_solver *multi_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *knobs);
ask multi_ask(fr_ctx *ctx, fr_graph *graph, fr_problem problem, const char *knobs,
              const int32_t *source);
/* One query by the setting-th knobs, on all GPUs of the context. */
void multi_check(fr_ctx *ctx, const multi_device *m, const cf_graph *g, const weight_kind *kind,
                 int setting, const cf_task *task, uint64_t seed);
/* Does the host leave out this part on that many GPUs? It runs each on two, three or four. */
bool host_skips_part(int devices, int nth_part);

/* `all` decides whether all GPUs are used where one is faster, and the explanation says so. */
void multi_explained(const multi_device *m);
/* A path takes several launches; a query that is cancelled between them leaves the solver usable. target: -1: none,
 * else a vertex at which a further query ends early. */
void multi_path(const multi_device *m, int32_t length, const char *knobs, int32_t target);
/* On the host: a launch that fails on a GPU, GPUs that cannot work together, and every allocation that fails. */
void multi_failures(const multi_device *m);

#endif
