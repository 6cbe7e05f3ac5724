/* SSSP on ranks on cores: its fri_part_method, statistics of the weights, and rows sorted by weight for the windows. */
#include "cpu/sssp/sssp.h"
#include "ranks/sssp.h"

int64_t fri_part_sssp_width(const fr_part *p, double width) {
    if (fri_dist_is_real(p->push->csr.weight_type))
        return fri_dist_bits(width > 0 ? width : 1.0);
    return width < 1 ? 1 : width < 0x1p62 ? (int64_t)width : INT64_C(1) << 62;
}

/* Sums of doubles are exchanged as fixed-point numbers, so that every rank gets the same sum. */
#define UNIT 0x1p20

fr_status fri_part_sssp_prepare(fr_part_solver *s) {
    const fr_part *p = s->part;
    const fr_csr *rows = &p->push->csr;
    const double unit =
        p->max_weight > 0 ? p->max_weight : 1; /* sums of weights may exceed double */
    double squares = 0, weights = 0, min_weight = INFINITY, m = FRI_MAX((double)p->m, 1);
    for (int32_t i = 0; i < p->own; i++)
        squares += (double)fri_part_in_degree(p, i) * (double)fri_part_in_degree(p, i);
    for (int64_t e = 0; e < rows->m; e++) {
        double weight = fri_csr_weight(rows, e);
        weights += weight / unit;
        min_weight = FRI_MIN(min_weight, weight);
    }
    int64_t sums[] = {(int64_t)(squares / m * UNIT), (int64_t)(weights / m * UNIT)};
    int64_t complement = INT64_MAX - fri_dist_bits(min_weight);
    fr_status status = fri_world_sum(p->world, sums, 2);
    if (!status)
        status = fri_world_max(p->world, &complement, 1);
    min_weight = fri_dist_real(INT64_MAX - complement);
    s->mean_weight = (double)sums[1] / UNIT * p->max_weight;
    s->wants_windows = rows->weights && fri_sssp_is_small_world((double)sums[0] / UNIT, p->n, p->m,
                                                                min_weight, p->max_weight);
    return status;
}

/* The weights of p->push in the order of p->pull_sources. */
static void *transpose_weights(fr_ctx *ctx, const fr_part *p) {
    const fr_csr *rows = &p->push->csr;
    size_t size = fr_type_size(rows->weight_type);
    char *weights = fri_alloc(ctx, fri_bytes(rows->m, size));
    int64_t *at = weights ? fri_alloc(ctx, fri_bytes(p->own, sizeof *at)) : NULL;
    for (int32_t i = 0; at && i < p->own; i++)
        at[i] = p->pull_offsets[i];
    for (int64_t e = 0; at && e < rows->m; e++) /* by slot, as pull_sources is */
        fri_copy_weight(weights + (size_t)at[rows->targets[e]]++ * size,
                        (const char *)rows->weights + (size_t)e * size, size);
    if (!at) {
        fri_free(weights);
        return NULL;
    }
    fri_free(at);
    return weights;
}

static fr_status sort_rows(fr_part_solver *s, const fr_csr *rows, void **edges) {
    const fr_part *p = s->part;
    const fri_job_input in = {.dist_type =
                                  fri_dist_is_real(rows->weight_type) ? FR_TYPE_F64 : FR_TYPE_I64,
                              .threads = s->threads};
    fri_job job = {.ctx = s->ctx, .in = &in, .csr = *rows, .weight_max = p->max_weight};
    *edges = fri_alloc(s->ctx, fri_adjacency_bytes(&job));
    return *edges ? fri_adjacency_fill(&job, *edges, true) : FR_NOMEM;
}

fr_status fri_part_sssp_sort_in_edges(fr_part_solver *s, void **edges) {
    const fr_part *p = s->part;
    fr_csr rows = p->push->csr;
    void *weights = transpose_weights(s->ctx, p);
    if (!weights)
        return FR_NOMEM;
    rows.n = p->own;
    rows.offsets = p->pull_offsets;
    rows.targets = p->pull_sources;
    rows.weights = weights;
    fr_status status = sort_rows(s, &rows, edges);
    fri_free(weights);
    return status;
}

/* One rank's push rows are its pull rows if the graph is undirected. */
static fr_status sort_pull_rows(fr_part_solver *s) {
    if (s->part->world->size > 1 || !s->part->undirected)
        return fri_part_sssp_sort_in_edges(s, &s->pull_edges);
    s->pull_edges = s->push_edges;
    return FR_OK;
}

static fr_status make_rows(fr_part_solver *s) {
    fr_status status = sort_rows(s, &s->part->push->csr, &s->push_edges);
    if (!status)
        status = sort_pull_rows(s);
    return status ? status : fri_part_sssp_make_windows(s);
}

static void free_rows(fr_part_solver *s) {
    if (s->pull_edges != s->push_edges)
        fri_free(s->pull_edges);
    fri_free(s->push_edges);
    fri_free(s->windows);
    s->push_edges = s->pull_edges = s->windows = NULL;
}

/* Sorting costs about as much as two queries without windows, so it starts with the second query.
 * If there is not enough memory for it, queries run without windows. */
static fr_status prepare_windows(fr_part_solver *s) {
    if (!s->wants_windows || s->push_edges || !s->queries)
        return FR_OK;
    fr_status status = fri_world_agree(s->part->world, make_rows(s));
    if (!status)
        return FR_OK;
    free_rows(s);
    if (status != FR_NOMEM)
        return status;
    s->wants_windows = false;
    fri_begin(s->ctx);
    return FR_OK;
}

static fr_status prepare(fr_part_solver *s) {
    fr_status status = fri_part_sssp_prepare(s);
    return status ? status : fri_world_agree(s->part->world, fri_part_sssp_make(s));
}

static void free_cores(fr_part_solver *s) {
    free_rows(s);
    fri_free(s->cores);
}

const fri_part_method fri_part_sssp_cores = {
    .prepare = prepare, .begin = prepare_windows, .run = fri_part_sssp_run, .free = free_cores};
