/* Negative cycles of SSSP rows on the GPU: found among parents, reported, gone past.
 *
 * Every vertex takes the neighbour that offers it the least sum as its parent, as long as that is
 * no more than its distance. Sums along parents never rise, so a cycle of parents weighs 0 or less;
 * one that weighs less is the answer. The device finds the cycles by jumping over parents, and
 * tells those of 0 apart by whether any of their vertices is offered less than it has; parents come
 * to the host only where there is a cycle to name. It must appear: without one, distances are those
 * of simple paths at least, and a negative cycle takes them below. Past cycles: all cycles of
 * parents below 0 are cut at once, what they reach goes to minus infinity, which nothing lowers,
 * and the row goes on with the rest, whose distances came by no such vertex. */
#include "cuda/gpu_sssp.h"

#include <stdio.h>
#include <string.h>

enum { CUT = -1 /* parent: on a cycle below 0 */ };

/* The row that sums int64 weights in 128 bits. */
static const fri_strategy *host_row(void) {
    return fri_strategy_find(FR_SSSP, FR_CPU, "bellman-ford");
}

/* Of the host: whether the graph has a self-loop below 0; parents, marks of the walk and the first
 * cycle, or what fri_gpu_sssp_on_host works in. */
size_t fri_gpu_sssp_scratch(const fri_job *job) {
    size_t bytes = 3 * fri_line(fri_bytes(job->csr.n, sizeof(int32_t)));
    if (!(job->weight_min < 0))
        return 0;
    if (job->csr.weight_type == FR_I64)
        bytes = FRI_MAX(bytes, host_row()->scratch(job));
    return fri_line(sizeof(bool)) + bytes;
}

fr_status fri_gpu_sssp_on_host(fri_job *job) {
    fri_job inner = *job;
    inner.row = job->chosen = host_row();
    inner.scratch = (char *)job->scratch + fri_line(sizeof(bool));
    job->out->stats = (fr_stats){0};
    job->out->cycle = NULL;
    fr_status status = inner.row->run(&inner);
    job->level_count = inner.level_count;
    snprintf(job->why, sizeof job->why, "%s on the CPU: sums on the GPU left int64",
             inner.row->name);
    return status;
}

typedef struct {
    fri_job *job;
    int32_t *parent, *mark, *cycle;
} cycle_walk;

/* The edge u -> v: of parallel ones the first is the least. */
static int64_t least_edge(const fr_csr *csr, int32_t u, int32_t v) {
    int64_t e = csr->offsets[u];
    while (csr->targets[e] != v)
        e++;
    return e;
}

static double cycle_weight(const cycle_walk *w, int32_t start, int32_t *length) {
    const fr_csr *csr = &w->job->csr;
    bool exact = w->job->dist_type == FR_I32 || w->job->dist_type == FR_I64;
    __int128 whole = 0;
    double real = 0;
    int32_t v = start;
    *length = 0;
    do {
        int64_t e = least_edge(csr, w->parent[v], v);
        if (exact)
            whole += fri_csr_whole_weight(csr, e);
        else
            real += fri_csr_weight(csr, e);
        v = w->parent[v];
        ++*length;
    } while (v != start);
    return exact ? (double)whole : real;
}

/* Of the self-loop of v, where it has one; else 0. */
static double loop_weight(const fr_csr *csr, int32_t v) {
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
        if (csr->targets[e] == v)
            return fri_csr_weight(csr, e);
    return 0;
}

/* Keeps the first cycle for the answer and cuts this one. */
static void cut(const cycle_walk *w, int32_t v, int32_t length, double weight) {
    fr_result *out = w->job->out;
    bool first = !out->cycle;
    if (first) {
        out->cycle = w->cycle;
        out->cycle_length = length;
        out->cycle_weight = weight;
    }
    for (int32_t i = length; i-- > 0;) { /* parents lead backwards */
        int32_t above = w->parent[v];
        if (first)
            w->cycle[i] = v;
        w->parent[v] = CUT;
        v = above;
    }
}

/* Cuts the cycles of parents below 0: the first, or all when the query goes past them. Each walk
 * goes up until it meets a mark, so all are met in n steps; the first begins at the vertex that was
 * told. How many? */
static int32_t find_below(const fri_gpu *g, const cycle_walk *w) {
    int32_t length, cycles = 0, told = g->host_words[FRI_WORD_LOOK];
    bool past = g->job->query.past_cycles;
    double weight;
    if (w->parent[told] == told && (weight = loop_weight(&g->job->csr, told)) < 0) {
        cut(w, told, 1, weight);
        cycles++;
    }
    memset(w->mark, 0xff, fri_bytes(g->n, sizeof *w->mark));
    for (int32_t walk = 0; walk <= g->n && (past || !cycles); walk++) {
        int32_t v = walk ? walk - 1 : told;
        for (; w->mark[v] < 0 && w->parent[v] != CUT && w->parent[v] != v; v = w->parent[v])
            w->mark[v] = walk;
        if (w->mark[v] != walk || w->parent[v] == CUT || w->parent[v] == v)
            continue;
        weight = cycle_weight(w, v, &length);
        if (weight < 0) {
            cut(w, v, length, weight);
            cycles++;
        }
    }
    return cycles;
}

/* What the cycles cut reach goes to minus infinity. */
static fr_status sink(fri_gpu *g, const cycle_walk *w) {
    int32_t count = 0, *queue = fri_sssp_sink_queue(g);
    for (int32_t v = 0; v < g->n; v++)
        if (w->parent[v] == CUT)
            w->mark[count++] = v;
    FRI_GPU_TRY(fri_gpu_upload(g, queue, w->mark, fri_bytes(count, sizeof *queue)));
    fri_sssp_sink_begin(g, count);
    FRI_GPU_TRY(fri_gpu_read_words(g, FRI_WORD_HOP, 1));
    for (int32_t hop = 0; g->host_words[FRI_WORD_HOP]; hop++) {
        fri_sssp_sink(g, hop, g->host_words[FRI_WORD_HOP]);
        FRI_GPU_TRY(fri_gpu_read_words(g, FRI_WORD_HOP, 1));
    }
    return g->row->resume ? g->row->resume(g) : FR_OK;
}

fr_status fri_gpu_sssp_look(fri_gpu *g) {
    char *scratch = (char *)g->job->scratch + fri_line(sizeof(bool));
    size_t bytes = fri_bytes(g->n, sizeof(int32_t));
    cycle_walk w = {.job = g->job};
    w.parent = fri_carve(&scratch, bytes);
    w.mark = fri_carve(&scratch, bytes);
    w.cycle = fri_carve(&scratch, bytes);
    fri_sssp_look(g);
    FRI_GPU_TRY(fri_gpu_read_words(g, FRI_WORD_LOOK, 1));
    if (g->host_words[FRI_WORD_LOOK] == INT32_MAX)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_download(g, w.parent, g->parent_store, bytes));
    bool found = find_below(g, &w) > 0;
    if (found)
        return g->job->query.past_cycles ? sink(g, &w) : fri_job_cycle(g->job);
    if (g->kind == FR_F32 || g->kind == FR_F64) /* the cycle comes from rounding */
        g->slack = g->kind == FR_F32 ? 1e-6 : 4e-15;
    return FR_OK;
}

fr_status fri_gpu_sssp_find_loops(fri_gpu *g) {
    if (g->job->problem != FR_SSSP || !(g->job->weight_min < 0))
        return FR_OK;
    fri_sssp_loop_below(g, true);
    FRI_GPU_TRY(fri_gpu_read_words(g, FRI_WORD_LOOK, 1));
    *(bool *)g->job->scratch = g->host_words[FRI_WORD_LOOK] != 0;
    return FR_OK;
}

fr_status fri_gpu_sssp_look_at_loops(fri_gpu *g) {
    if (!*(const bool *)g->job->scratch)
        return FR_OK;
    fri_sssp_loop_below(g, false);
    FRI_GPU_TRY(fri_gpu_read_words(g, FRI_WORD_LOOK, 1));
    return g->host_words[FRI_WORD_LOOK] ? fri_gpu_sssp_look(g) : FR_OK;
}
