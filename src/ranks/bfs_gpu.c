/* BFS on ranks with a GPU each: the levels. The kernels are in cuda/ranks.
 *
 * Source: as ranks/bfs.c.
 * Differs: the frontier is always sent as a bitmap, and the report of a level follows it in the same
 *   message, so that a level has one exchange, an allgather between the GPUs. A rank chooses between
 *   one push and one pull by the same cost model. The host waits once a level, for all reports.
 * Bytes that a rank receives per level: (P - 1) (share / 8 + 64), the bracket rounded up to a multiple
 *   of 128.
 * Good at: wide levels of graphs that one GPU does not hold. Bad at: deep graphs, because a level costs
 *   an allgather and a wait of the host, about 0.1 ms. */
#include "ranks/bfs.h"

#ifdef FRI_CUDA_ALL

typedef struct bfs {
    fr_part_solver *s;
    int32_t depth;
    fri_part_bfs_counts counts;
} bfs;

/* Whether a pull is expected to be faster than a push to a queue, by the cost model of one CPU thread, which
 * is not calibrated for GPUs: only the ratio of the two costs is used. */
static bool choose_pull(const bfs *b) {
    const fri_bfs_policy_input input = fri_part_bfs_input(b->s->part, &b->counts);
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_plans(&input, plan);
    return plan[FRI_METHOD_PULL].ns < plan[FRI_METHOD_QUEUE].ns;
}

static fr_status end_level(bfs *b, const char *method) {
    fr_part_solver *s = b->s;
    fr_world *w = s->part->world;
    fri_level_report sum;
    fr_status mine = fri_progress(s->ctx, "traversing", b->depth, 0);
    fr_status status = fri_world_leave_gpus(w, fri_gpu_part_bfs_exchange(s->gpu, mine, s->reports));
    if (status)
        return status;
    w->bytes_received += fri_gpu_part_bfs_level_bytes(s->part);
    status = fri_part_sum_reports(s, mine, &sum);
    if (status)
        return status;
    fri_part_bfs_count(&b->counts, s, &sum);
    fri_part_record(s, method, true, b->counts.frontier);
    return FR_OK;
}

static fr_status run(fr_part_solver *s, const fr_part_query *query) {
    bfs b = {.s = s, .counts = fri_part_bfs_counts_of(s)};
    fr_status status = fri_gpu_part_bfs_begin(s->gpu, query->sources, query->source_count);
    status = fri_world_leave_gpus(s->part->world, status);
    if (!status)
        status = end_level(&b, "source");
    while (!status && b.counts.frontier) {
        const bool pull = choose_pull(&b);
        status = fri_gpu_part_bfs_step(s->gpu, ++b.depth, pull);
        status = status ? fri_world_leave_gpus(s->part->world, status)
                        : end_level(&b, pull ? "pull" : "push");
        if (!status && b.counts.frontier)
            status = fri_part_check_steps(s, "levels", b.depth, s->part->n);
    }
    s->rounds = FRI_MAX(b.depth - 1, 0); /* the last level finds nothing */
    return status;
}

/* ---- the solver's functions ------------------------------------------------------------------- */

static fr_status download(fr_part_solver *s) {
    return fri_world_leave_gpus(s->part->world,
                                fri_gpu_part_bfs_download(s->gpu, s->level, s->parent));
}

static fr_status prepare(fr_part_solver *s) {
    fr_status status = fri_part_bfs_find_hub_parents(s, s->classes, s->classes + s->part->share);
    if (status)
        return status;
    return fri_world_agree(s->part->world, fri_gpu_part_bfs_new(s, &s->gpu));
}

static void free_part(fr_part_solver *s) { fri_gpu_part_free(s->gpu); }

const fri_part_method fri_part_bfs_gpu = {
    .prepare = prepare, .run = run, .finish = download, .free = free_part};

#endif
