/* The driver of SSSP strategies and the kernels that they share. A row gives `begin`, called when
 * all distances are far and the sources at 0, and `step`: one round, rounds counted from 1; it ends
 * with fri_gpu_sssp_read_control and sets *found to the vertices that go on, 0 when there are none.
 */
#ifndef FRI_CUDA_DRIVERS_SSSP_H
#define FRI_CUDA_DRIVERS_SSSP_H

#include "cuda/device/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The driver's words, beside those of gpu.h; of 64 bits but LOW, LOOK, LOST, HOP, JUMP. */
enum {
    FRI_CONTROL_LAST_JUMP =
        FRI_GPU_CONTROL_WORDS - 17, /* the last jump over parents that changed any */
    FRI_CONTROL_EDGES = FRI_GPU_CONTROL_WORDS - 6,
    FRI_CONTROL_RELAXED = FRI_GPU_CONTROL_WORDS - 8,
    FRI_CONTROL_MAX_KEY = FRI_GPU_CONTROL_WORDS - 10, /* the greatest key kept */
    FRI_CONTROL_TARGET_BOUND = FRI_GPU_CONTROL_WORDS - 12,
    FRI_CONTROL_BELOW_INT32 =
        FRI_GPU_CONTROL_WORDS - 13, /* a sum fell below int32, or int64 weights' below int64 */
    FRI_CONTROL_CYCLE_VERTEX = FRI_GPU_CONTROL_WORDS - 14, /* a vertex on a cycle of parents */
    FRI_CONTROL_ORPHANS =
        FRI_GPU_CONTROL_WORDS - 15, /* vertices without a parent; a vertex that overflows */
    FRI_CONTROL_QUEUE_TAIL = FRI_GPU_CONTROL_WORDS - 16 /* tail of a queue of hops */
};

size_t fri_gpu_sssp_scratch(const fri_job *job);
fr_status fri_gpu_sssp_run(fri_job *job);
/* The query once more, by bellman-ford on the CPU, where sums of int64 weights left int64 on the
 * device: they may come back, or run down a negative cycle. */
fr_status fri_gpu_sssp_on_host(fri_job *job);
/* All words into host_control: the end of every step. */
fr_status fri_gpu_sssp_read_control(fri_gpu *g);
/* Rounds that a row which leaps may launch before the host looks again: its knob, FRI_ROUNDS_KNOB,
 * at most, and one where the frontier keeps the device busy for longer than a look takes. */
int32_t fri_gpu_sssp_rounds_per_check(const fri_gpu *g, int knob, int32_t most, int64_t frontier);
#define FRI_ROUNDS_KNOB                                                                            \
    {                                                                                              \
        "rounds", 32, 1, FRI_GPU_MAX_LEVELS,                                                       \
            "most rounds launched before the host looks whether to go on; 1: a look after each"    \
    }
/* sssp_negative_cycles.c: looks for negative cycles, g->dist being up to date. FR_NEGATIVE_CYCLE
 * ends the query; where it goes past them what they reach is at minus infinity now. */
fr_status fri_gpu_sssp_check_cycles(fri_gpu *g);
/* The same where a vertex reached has a self-loop below 0, which rows may pass over. Whether there
 * is any is found once, in preparation. */
fr_status fri_gpu_sssp_check_loops(fri_gpu *g);
fr_status fri_gpu_sssp_find_loops(fri_gpu *g);
/* Are all targets at most as far as the key? */
fr_status fri_gpu_sssp_settled(fri_gpu *g, int64_t key, bool *settled);

/* Kernels (sssp_kernels.cu). */
void fri_sssp_start(fri_gpu *g);
/* words[BOUND] = the key of the farthest target. */
void fri_sssp_farthest_target(fri_gpu *g);
/* Forgets what is above `last`; words[MOST], which is 0 before. */
void fri_sssp_trim(fri_gpu *g, int64_t last);
/* words[LOST] = a vertex not reached beside one that is, else -1. */
void fri_sssp_unreached(fri_gpu *g);
/* For each reached vertex the neighbour that lowers it most or holds it up, into parent_store;
 * words[LOOK] = a vertex on a cycle of them below 0 (floats: on any), INT32_MAX: none. */
void fri_sssp_find_cycle(fri_gpu *g);
/* words[LOOK] = 1: a reached vertex, or one `anywhere`, has a self-loop below 0. */
void fri_sssp_find_negative_loop(fri_gpu *g, bool anywhere);
/* Finds who hangs on a root; words[LOST] = reached vertices that do not. Then: who does takes up
 * those that it has a tight edge to; or, what still hangs on none becomes INT32_MAX. */
void fri_sssp_find_attached(fri_gpu *g);
void fri_sssp_attach_orphans(fri_gpu *g);
void fri_sssp_break_cycles(fri_gpu *g);
/* Where to put vertices on cycles; these and self-loops below 0 go to minus infinity; so does what
 * queue hop & 1 of `size` leads to. words[HOP] the size of the next queue. */
int32_t *fri_sssp_neg_inf_queue(fri_gpu *g);
void fri_sssp_neg_inf_begin(fri_gpu *g, int32_t count);
void fri_sssp_neg_inf_expand(fri_gpu *g, int32_t hop, int32_t size);
/* Parents over tight edges, from nearer vertices alone or from any, which may make circles; or none
 * but the roots. INT32_MAX where there is none. */
typedef enum fri_parent_rule {
    FRI_PARENT_ROOTS,
    FRI_PARENT_NEARER,
    FRI_PARENT_TIGHT
} fri_parent_rule;
void fri_sssp_tight_parents(fri_gpu *g, fri_parent_rule from);
/* Queue 0 = all that have parents, hops 0; words[HOP] its size. */
void fri_sssp_hops_begin(fri_gpu *g);
/* Expands queue hop & 1 of `size` into the other; words[HOP] its size. */
void fri_sssp_hop(fri_gpu *g, int32_t hop, int32_t size, double slack);
/* words[LOST] = reached vertices without parents. */
void fri_sssp_count_orphans(fri_gpu *g);
/* Keys -> values, in place; int64 -> int32 into spare when `narrow`. */
void fri_sssp_values(fri_gpu *g, bool narrow);

#ifdef __cplusplus
}
#endif
#endif
