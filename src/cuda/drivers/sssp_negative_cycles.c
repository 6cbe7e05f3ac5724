/* Detects negative cycles of SSSP strategies on the GPU in the parent graph, and reports them or
 * marks what they reach.
 *
 * The parent of every vertex is the neighbor that offers it the smallest sum, if that is at most
 * its distance. Distances never rise along parents, so a cycle of parents has weight 0 or less; one
 * of negative weight is the result. The device finds the cycles by pointer jumping, and excludes
 * cycles of weight 0 by testing whether any of their vertices is offered less than it has; parents
 * are downloaded only if there is a cycle to report. A negative self-loop that offers the smallest
 * sum is reported by itself, as another neighbor may offer the same sum and be the parent.
 * Of several neighbors that offer the same sum only one is the parent, so a cycle of weight 0 may
 * hide a negative one, and a GPU whose threads run in the same order in every round shows each search
 * the same picture. Therefore each search prefers other neighbors, and the driver passes the query to
 * the host where n rounds have not sufficed.
 * When cycles are marked instead, all cycles of parents with negative weight are cut at once, what
 * they reach is set to minus infinity, which nothing lowers, and the strategy continues with the
 * rest, whose distances did not come through such a vertex. */
#include "base/cycle_weight.h"
#include "cuda/drivers/sssp.h"

#include <stdio.h>
#include <string.h>

enum { CYCLE_MARK = -1 /* value of parent: on a cycle of negative weight */ };

/* Solves what the device cannot: it sums int64 weights in 128 bits, and keeps float paths free of cycles. */
extern const fri_strategy fri_sssp_bellman_ford;

/* Host scratch: whether the graph has a negative self-loop; parents, marks of the walk and the
 * first cycle, or the scratch of fri_gpu_sssp_on_host. */
size_t fri_gpu_sssp_scratch(const fri_job *job) {
    size_t bytes = 3 * fri_align_line(fri_bytes(job->csr.n, sizeof(int32_t)));
    if (!(job->weight_min < 0))
        return 0;
    return fri_align_line(sizeof(bool)) + FRI_MAX(bytes, fri_sssp_bellman_ford.scratch(job));
}

static fr_status solve_on_host(fri_job *job, fr_result *to, const char *why) {
    fri_job inner = *job;
    job->told.chosen = &fri_sssp_bellman_ford;
    fri_job_give(&inner, job->told.chosen);
    inner.scratch = (char *)job->scratch + fri_align_line(sizeof(bool));
    inner.out = to;
    to->stats = (fr_stats){0};
    to->cycle = NULL;
    fr_status status = inner.strategy->run(&inner);
    job->told.level_count = inner.told.level_count;
    snprintf(job->told.why, sizeof job->told.why, "%s on the CPU: %s", inner.strategy->name, why);
    if (!status || (status == FR_NEGATIVE_CYCLE && job->in->query.mark_negative_cycles))
        fri_job_count_reached(&inner);
    return status;
}

fr_status fri_gpu_sssp_on_host(fri_job *job, const char *why) {
    const bool device = job->in->query.result_memory == FR_MEMORY_DEVICE;
    const size_t dist_bytes = fri_bytes(job->csr.n, fr_type_size(job->in->dist_type)),
                 parent_bytes = fri_bytes(job->csr.n, sizeof(int32_t));
    fr_result *out = job->out, host = *out;
    void *dist = device || !out->dist ? fri_alloc(job->ctx, dist_bytes) : NULL;
    int32_t *parent = device && out->parent ? fri_alloc(job->ctx, parent_bytes) : NULL;
    host.dist = dist ? dist : out->dist;
    host.parent = parent ? parent : out->parent;
    bool lacks = (!dist && (device || !out->dist)) || (!parent && device && out->parent);
    fr_status status = lacks ? FR_NOMEM : solve_on_host(job, &host, why);
    bool whole = !status || (status == FR_NEGATIVE_CYCLE && job->in->query.mark_negative_cycles);
    out->stats = host.stats;
    out->cycle = host.cycle;
    out->cycle_length = host.cycle_length;
    out->cycle_weight = host.cycle_weight;
    fr_status sent = FR_OK;
    if (whole && device && out->dist)
        sent = fri_gpu_upload(job->device, out->dist, dist, dist_bytes);
    if (whole && parent && !sent)
        sent = fri_gpu_upload(job->device, out->parent, parent, parent_bytes);
    fri_free(dist);
    fri_free(parent);
    return sent ? sent : status;
}

typedef struct {
    fri_job *job;
    int32_t *parent, *mark, *cycle;
} cycle_walk;

/* Whether the cycle of parents is negative; *weight: its weight. */
static bool is_negative(const cycle_walk *w, int32_t start, int32_t *length, double *weight) {
    const fr_csr *csr = &w->job->csr;
    const fr_type type = w->job->in->dist_type;
    bool exact = type == FR_TYPE_I32 || type == FR_TYPE_I64;
    __int128 whole = 0;
    fri_cycle_weight real = {0};
    int32_t v = start;
    *length = 0;
    do {
        /* the first of parallel edges has the smallest weight */
        int64_t e = fri_csr_lower_bound(csr, w->parent[v], v);
        if (exact)
            whole += fri_csr_int_weight(csr, e);
        else
            fri_cycle_weight_add(&real, fri_csr_weight(csr, e));
        v = w->parent[v];
        ++*length;
    } while (v != start);
    *weight = exact ? (double)whole : (double)real.sum;
    return exact ? whole < 0 : fri_cycle_weight_is_negative(&real, type == FR_TYPE_F32);
}

/* The weight of v's self-loop, if it has one; else 0. */
static double loop_weight(const fr_csr *csr, int32_t v) {
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
        if (csr->targets[e] == v)
            return fri_csr_weight(csr, e);
    return 0;
}

/* Stores the first cycle in the result and cuts this one. */
static void mark_cycle(const cycle_walk *w, int32_t v, int32_t length, double weight) {
    fr_result *out = w->job->out;
    bool first = !out->cycle;
    if (first) {
        out->cycle = w->cycle;
        out->cycle_length = length;
        out->cycle_weight = weight;
    }
    for (int32_t i = length; i-- > 0;) { /* parents lead backwards */
        int32_t parent = w->parent[v];
        if (first)
            w->cycle[i] = v;
        w->parent[v] = CYCLE_MARK;
        v = parent;
    }
}

/* Cuts the cycles of parents with negative weight: the first, or all when the query marks them.
 * Each walk follows parents until it meets a mark, so all cycles are found in n steps; the first
 * walk begins at the vertex that the device reported, unless that has a negative self-loop, which is
 * a cycle whoever its parent is. Returns their number. */
static int32_t find_negative_cycles(const fri_gpu *g, const cycle_walk *w) {
    const int32_t reported = g->host_control[FRI_CONTROL_CYCLE_VERTEX];
    const int32_t start = reported & INT32_MAX;
    int32_t length, cycles = 0;
    bool all = g->job->in->query.mark_negative_cycles;
    double weight;
    if (reported < 0) {
        mark_cycle(w, start, 1, loop_weight(&g->job->csr, start));
        cycles++;
    }
    memset(w->mark, 0xff, fri_bytes(g->n, sizeof *w->mark));
    for (int32_t walk = 0; walk <= g->n && (all || !cycles); walk++) {
        int32_t v = walk ? walk - 1 : start;
        for (; w->mark[v] < 0 && w->parent[v] != CYCLE_MARK && w->parent[v] != v; v = w->parent[v])
            w->mark[v] = walk;
        if (w->mark[v] != walk || w->parent[v] == CYCLE_MARK || w->parent[v] == v)
            continue;
        if (is_negative(w, v, &length, &weight)) {
            mark_cycle(w, v, length, weight);
            cycles++;
        }
    }
    return cycles;
}

/* Sets what the cut cycles reach to minus infinity. */
static fr_status propagate_neg_inf(fri_gpu *g, const cycle_walk *w) {
    int32_t count = 0, *queue = fri_sssp_neg_inf_queue(g);
    for (int32_t v = 0; v < g->n; v++)
        if (w->parent[v] == CYCLE_MARK)
            w->mark[count++] = v;
    FRI_GPU_TRY(fri_gpu_upload(g, queue, w->mark, fri_bytes(count, sizeof *queue)));
    fri_sssp_neg_inf_begin(g, count);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_QUEUE_TAIL, 1));
    for (int32_t hop = 0; g->host_control[FRI_CONTROL_QUEUE_TAIL]; hop++) {
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "hops from negative cycles", hop, g->n));
        fri_sssp_neg_inf_expand(g, hop, g->host_control[FRI_CONTROL_QUEUE_TAIL]);
        FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_QUEUE_TAIL, 1));
    }
    return g->strategy->restart ? g->strategy->restart(g) : FR_OK;
}

fr_status fri_gpu_sssp_check_cycles(fri_gpu *g, bool *acted) {
    char *scratch = (char *)g->job->scratch + fri_align_line(sizeof(bool));
    size_t bytes = fri_bytes(g->n, sizeof(int32_t));
    cycle_walk w = {.job = g->job};
    w.parent = fri_carve(&scratch, bytes);
    w.mark = fri_carve(&scratch, bytes);
    w.cycle = fri_carve(&scratch, bytes);
    const bool floats = g->dist_type == FR_TYPE_F32 || g->dist_type == FR_TYPE_F64;
    *acted = false;
    /* float sums are rounded: a cycle may have negative weight although no step lowers */
    fri_sssp_find_cycle(g, floats);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_CYCLE_VERTEX, 1));
    if (g->host_control[FRI_CONTROL_CYCLE_VERTEX] == INT32_MAX)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_download(g, w.parent, g->parent_store, bytes));
    *acted = true;
    if (find_negative_cycles(g, &w) > 0)
        return g->job->in->query.mark_negative_cycles ? propagate_neg_inf(g, &w)
                                                      : fri_job_negative_cycle(g->job);
    if (!floats)
        return FR_OK;
    fri_sssp_find_cycle(g, false);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_CYCLE_VERTEX, 1));
    if (g->host_control[FRI_CONTROL_CYCLE_VERTEX] != INT32_MAX)
        g->sssp.why_host = FRI_ROUNDED;
    return FR_OK;
}

fr_status fri_gpu_sssp_find_loops(fri_gpu *g) {
    if (g->job->in->problem != FR_PROBLEM_SSSP || !(g->job->weight_min < 0))
        return FR_OK;
    fri_sssp_find_negative_loop(g, true);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_CYCLE_VERTEX, 1));
    *(bool *)g->job->scratch = g->host_control[FRI_CONTROL_CYCLE_VERTEX] != 0;
    return FR_OK;
}

fr_status fri_gpu_sssp_check_loops(fri_gpu *g) {
    bool acted;
    if (!*(const bool *)g->job->scratch)
        return FR_OK;
    fri_sssp_find_negative_loop(g, false);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_CYCLE_VERTEX, 1));
    if (!g->host_control[FRI_CONTROL_CYCLE_VERTEX])
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_sssp_check_cycles(g, &acted));
    /* where rounding hides what the loop lowers, no parent shows it */
    if (!g->job->out->cycle)
        g->sssp.why_host = FRI_ROUNDED;
    return FR_OK;
}
