/* What a GPU strategy provides: the functions that the drivers and the preparation call. */
#ifndef FRI_CUDA_DEVICE_GPU_STRATEGY_H
#define FRI_CUDA_DEVICE_GPU_STRATEGY_H

#include "core/strategy.h"

typedef struct fri_gpu fri_gpu; /* device/gpu.h */

/* Maximum levels expanded between two checks for cancellation: 5 ms at 5 us per level. */
enum { FRI_GPU_MAX_LEVELS = 1024 };

/* Result of one run_levels call; levels is 1 and all other members are zero before it. */
typedef struct fri_gpu_progress {
    int32_t levels; /* expanded, >= 1; only the last of them may be empty */
    /* as in run_level: `found` by the last level (0: the query is finished, any other number if the
     * strategy does not count them), `edges` by all */
    int64_t found, edges;
    const char *method; /* method name in the per-level trace; NULL: the strategy's name */
    /* [levels] in host memory: vertices found by each; NULL: one trace line for all */
    const int32_t *sizes;
    bool traced; /* the strategy has recorded its levels itself */
    /* BFS, found == 0: all vertices reached and all their out-edges; 0: not counted */
    int64_t reached, reached_edges;
} fri_gpu_progress;

/* Rows that a strategy changes in place, and therefore shares only with solvers of the same
 * variant. */
typedef struct fri_gpu_rows {
    uint32_t variant; /* identifies the change, unique among all strategies; 0: none */
    bool weights;     /* the weights are changed, too */
    size_t extra;     /* bytes of g->row_extra, which is shared with the rows */
} fri_gpu_rows;

/* How many parents a strategy has found itself. FRI_PARENTS_SOME: where g->parent is
 * INT32_MAX, the driver searches, hop by hop from vertices that have a parent. */
typedef enum fri_gpu_parents {
    FRI_PARENTS_NONE,
    FRI_PARENTS_SOME,
    FRI_PARENTS_ALL
} fri_gpu_parents;

/* The device side of a strategy (fri_strategy.gpu). Exactly one of run_level, run_levels and
 * solve_rows is set, none where `choose` always gives the job away. */
typedef struct fri_gpu_strategy {
    /* Bytes of device scratch; n, m, offsets64 and the device's attributes are set. NULL: none. */
    size_t (*scratch)(const fri_gpu *g);
    /* The scratch is all it uses: no level, parent, sources and target_map (drivers/graph_call.h). */
    bool scratch_only;
    /* `auto`: gives the job to another strategy (fri_job_give) if that one is to answer all of its queries, and adds
     * the reason to job->told.note. Called once per solver, before anything else; weights, knobs and types are
     * set. NULL: it answers itself. */
    void (*choose)(fri_job *job);
    /* Sets knobs so that less memory is needed, at the cost of time: further at each step, from 0 on.
     * False: there is no such step. NULL: none. Called before anything is allocated. */
    bool (*save_memory)(fri_job *job, int step);
    /* Starts a query. BFS: level and parent are filled with -1, the sources have level 0 and are
     * their own parents; SSSP: drivers/sssp.h. Control words are zero. NULL: nothing to do. */
    fr_status (*start_query)(fri_gpu *g);
    /* Expands level `depth`, sets *found to the number of vertices of level depth + 1 (any number >
     * 0 if the strategy does not count them), and *edges to the edges examined if these are not
     * exactly the edges leaving the frontier. */
    fr_status (*run_level)(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges);
    /* Expands levels from `depth` on, at most `max_levels` of them (1 <= max_levels <=
     * FRI_GPU_MAX_LEVELS; 1 when the query has targets, which are checked between calls). */
    fr_status (*run_levels)(fri_gpu *g, int32_t depth, int32_t max_levels,
                            fri_gpu_progress *progress);
    /* SSSP: makes g->dist current, between rounds or, with `last`, after all. NULL: it always is. */
    fr_status (*sync_distances)(fri_gpu *g, bool last);
    /* SSSP: resumes after the driver set some of g->dist to minus infinity. NULL: nothing to do. */
    fr_status (*restart)(fri_gpu *g);
    /* APSP, in place of run_level and run_levels: computes rows first .. first + count - 1 of the
     * query into g->dist [count][n] of the job's dist_type and, unless g->parent is NULL, g->parent
     * [count][n]; their sources are in g->sources. `start_query` is called once per query, before the
     * first batch. */
    fr_status (*solve_rows)(fri_gpu *g, int64_t first, int32_t count);
    int32_t (*max_batch)(const fri_gpu *g); /* the largest batch worth its memory */
    /* SSSP: fills g->parent where it knows nearer parents, INT32_MAX elsewhere (-1: not reached).
     * NULL: the driver finds them by a pass over all edges, as it does for FRI_PARENTS_NONE. */
    fri_gpu_parents (*parents)(fri_gpu *g);
    /* BFS: whether `start_query` and `run_levels` initialize level, parent and the control words of this
     * query themselves (which hold arbitrary values before), read the only source from the query,
     * and record g->clock_start in the first call. NULL: no. */
    bool (*initializes_arrays)(const fri_gpu *g);
    /* BFS: the launch of run_levels(g, 0, max_levels, ...), which then finds g->bfs.submitted set, clears
     * it, and waits. NULL: run_levels launches. */
    fr_status (*submit_levels)(fri_gpu *g, int32_t max_levels);
    /* BFS: run_levels reads the control words by fri_gpu_read_levels (device/results.h), and level and
     * parent are complete when a launch ends the traversal. */
    bool ends_with_levels;
    /* The strategy's parts of fri_gpu_prepare; NULL: none. prepare_during_upload may use
     * g->out.offsets and the control words, which are zero, while the edges are uploaded; also
     * g->scratch if the graph is undirected, otherwise the scratch may still hold other data.
     * prepare_after_upload is called after everything that builds g->in, on g->stream, and need not
     * wait for what it launches. */
    fr_status (*prepare_during_upload)(fri_gpu *g);
    fr_status (*prepare_after_upload)(fri_gpu *g);
    /* Whether the strategy changes its rows in place: before any allocation. change_rows makes the
     * change, once for all solvers that share the rows, on g->stream, with the scratch and the
     * control words at its disposal. NULL: rows are used as they are. */
    fri_gpu_rows (*rows)(const fri_gpu *g);
    fr_status (*change_rows)(fri_gpu *g);
    const struct fri_slices_kind *slices; /* of strategies on several GPUs: multi_device/slices.h */
    /* SSSP where every edge counts the same: arrays and hooks are those of BFS, levels are int32 distances. */
    bool distances_are_levels;
} fri_gpu_strategy;

#endif
