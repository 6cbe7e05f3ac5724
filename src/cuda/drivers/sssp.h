/* The driver of SSSP strategies and the kernels that they share. A strategy provides `start_query`,
 * called when the sources have distance 0 and all others unreached(), and `run_level`: one round,
 * rounds counted from 1. It ends with fri_gpu_sssp_read_control and sets *found to the number of
 * vertices in the next frontier, 0 if it is empty. */
#ifndef FRI_CUDA_DRIVERS_SSSP_H
#define FRI_CUDA_DRIVERS_SSSP_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* The driver's control words, in addition to gpu.h's; of 64 bits except BELOW_INT32,
 * CYCLE_VERTEX, ORPHANS, QUEUE_TAIL and LAST_JUMP. */
enum {
    FRI_CONTROL_LAST_JUMP =
        FRI_GPU_CONTROL_WORDS - 17, /* last pointer jump that changed an ancestor */
    FRI_CONTROL_EDGES = FRI_GPU_CONTROL_WORDS - 6,
    FRI_CONTROL_RELAXED = FRI_GPU_CONTROL_WORDS - 8,
    FRI_CONTROL_MAX_KEY = FRI_GPU_CONTROL_WORDS - 10, /* the largest key kept */
    FRI_CONTROL_TARGET_BOUND = FRI_GPU_CONTROL_WORDS - 12,
    FRI_CONTROL_BELOW_INT32 =
        FRI_GPU_CONTROL_WORDS - 13, /* a sum fell below int32, or int64 weights' below int64 */
    FRI_CONTROL_CYCLE_VERTEX = FRI_GPU_CONTROL_WORDS - 14, /* a vertex on a cycle of parents */
    FRI_CONTROL_ORPHANS =
        FRI_GPU_CONTROL_WORDS - 15, /* vertices without a parent; a vertex that overflows */
    FRI_CONTROL_QUEUE_TAIL = FRI_GPU_CONTROL_WORDS - 16, /* tail of the next hop's queue */
    FRI_CONTROL_MIN_KEY = FRI_GPU_CONTROL_WORDS - 26     /* the smallest key kept, at most 0 */
};

size_t fri_gpu_sssp_scratch(const fri_job *job);
fr_status fri_gpu_sssp_run(fri_job *job);
/* For a job of `auto` within another one, which stays with `auto`: its choice of windows (sssp/auto/auto.cu).
 * several: queries run at the same time, each on a part of the GPU. */
void fri_gpu_sssp_choose_windows(fri_job *job, bool several);
/* Solves the query again by bellman-ford on the CPU, when the device cannot tell: sums of int64
 * weights left int64, and may return into it or decrease along a negative cycle; distances fall
 * after n rounds; rounding lowered floats along a cycle that is not negative, or dropped a sum that a
 * limit hides. `why` is for fr_solver_explain. */
fr_status fri_gpu_sssp_on_host(fri_job *job, const char *why);
#define FRI_ROUNDED "rounded sums on the GPU are not those of paths"
/* Reads all control words into host_control: the end of every round. */
fr_status fri_gpu_sssp_read_control(fri_gpu *g);
/* Rounds that a strategy with run_levels may launch before the host reads the state again: at most
 * its knob FRI_ROUNDS_KNOB, and one if the frontier keeps the device busy for longer than a read
 * takes. */
int32_t fri_gpu_sssp_rounds_per_check(const fri_gpu *g, int knob, int32_t max_rounds,
                                      int64_t frontier);
#define FRI_ROUNDS_KNOB                                                                            \
    {                                                                                              \
        "rounds", 32, 1, FRI_GPU_MAX_LEVELS,                                                       \
            "maximum rounds launched before the host reads the frontier size; 1: every round"      \
    }
/* sssp_negative_cycles.c: searches for negative cycles; needs an up-to-date g->dist.
 * FR_NEGATIVE_CYCLE ends the query; if the query marks negative cycles instead, what they reach is
 * now at minus infinity. *acted: cycles were marked. */
fr_status fri_gpu_sssp_check_cycles(fri_gpu *g, bool *acted);
/* The same if a reached vertex has a self-loop of negative weight, which strategies may skip.
 * Whether the graph has one is determined once, in prepare. */
fr_status fri_gpu_sssp_check_loops(fri_gpu *g);
fr_status fri_gpu_sssp_find_loops(fri_gpu *g);
/* The key of the largest distance that is kept: within the limit, 0: none, and the type. */
int64_t fri_gpu_limit_key(const fri_gpu *g, double limit);
/* Whether all targets are at most as far as the key. */
fr_status fri_gpu_sssp_settled(fri_gpu *g, int64_t key, bool *settled);

/* A third of driver_scratch: [n]. */
static inline int32_t *fri_sssp_third(const fri_gpu *g, int index) {
    return (int32_t *)(void *)(g->sssp.driver_scratch +
                               (size_t)index * fri_gpu_driver_scratch_bytes(g) / 3);
}

/* Kernels (sssp_kernels.cu). */
void fri_sssp_start(fri_gpu *g);
/* control[FRI_CONTROL_TARGET_BOUND] = the key of the farthest target. */
void fri_sssp_farthest_target(fri_gpu *g);
/* Resets distances above `last` to unreached(); sets control[FRI_CONTROL_MAX_KEY] and
 * control[FRI_CONTROL_MIN_KEY], which are 0 before. */
void fri_sssp_trim(fri_gpu *g, int64_t last);
/* control[FRI_CONTROL_ORPHANS] = a vertex not reached but with a reached in-neighbor, else -1. */
void fri_sssp_unreached(fri_gpu *g);
/* For each reached vertex the neighbor that lowers it most or justifies its distance, of several
 * another one in each search of a query, into parent_store; control[FRI_CONTROL_CYCLE_VERTEX] = a
 * vertex whose self-loop lowers it most, as v | INT32_MIN, or, if there is none, a vertex on a cycle
 * of these parents with a step that lowers (every: on any cycle); INT32_MAX: neither. */
void fri_sssp_find_cycle(fri_gpu *g, bool every);
/* control[FRI_CONTROL_CYCLE_VERTEX] = 1: a reached vertex, or any with `anywhere`, has a self-loop
 * of negative weight. */
void fri_sssp_find_negative_loop(fri_gpu *g, bool anywhere);
/* Marks vertices whose parent chain ends at a root; control[FRI_CONTROL_ORPHANS] = reached vertices
 * that are not marked. fri_sssp_attach_orphans gives others a tight parent among the marked;
 * fri_sssp_break_cycles resets the parents of the rest to INT32_MAX. */
void fri_sssp_find_attached(fri_gpu *g);
void fri_sssp_attach_orphans(fri_gpu *g);
void fri_sssp_break_cycles(fri_gpu *g);
/* The queue for vertices on cycles; these and vertices with negative self-loops are set to minus
 * infinity; so is everything adjacent to queue hop & 1 of `size`. control[FRI_CONTROL_QUEUE_TAIL] =
 * the size of the next queue. */
int32_t *fri_sssp_neg_inf_queue(fri_gpu *g);
void fri_sssp_neg_inf_begin(fri_gpu *g, int32_t count);
void fri_sssp_neg_inf_expand(fri_gpu *g, int32_t hop, int32_t size);
/* Parents over tight edges, from nearer vertices only or from any, which may form cycles; or of the
 * roots only. INT32_MAX where there is none. */
typedef enum fri_parent_rule {
    FRI_PARENT_ROOTS,
    FRI_PARENT_NEARER,
    FRI_PARENT_TIGHT
} fri_parent_rule;
void fri_sssp_tight_parents(fri_gpu *g, fri_parent_rule from);
/* Queue 0 = all vertices that have parents, hops 0; control[FRI_CONTROL_QUEUE_TAIL] = its size. */
void fri_sssp_hops_begin(fri_gpu *g);
/* Expands queue hop & 1 of `size` into the other; control[FRI_CONTROL_QUEUE_TAIL] = its size. */
void fri_sssp_hop(fri_gpu *g, int32_t hop, int32_t size);
/* control[FRI_CONTROL_ORPHANS] = reached vertices without parents. */
void fri_sssp_count_orphans(fri_gpu *g);
/* Converts keys to values of the job's type: in place, or to g->sssp.values where the keys have another type. */
void fri_sssp_values(fri_gpu *g);

FRI_C_END
#endif
