/* Statistics of the weights, and rows sorted by weight for the windows of SSSP on ranks. */
#include "cpu/sssp/sssp.h"
#include "ranks/sssp.h"

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

/* Replaces the sources of the pull rows by row numbers. */
static void number_sources(fr_part_solver *s) {
    const fri_nonempty_rows *rows = &s->rows;
    size_t bytes = fri_adjacency_edge_bytes(s->part->push->csr.weight_type);
    for (int64_t e = 0; e < s->part->push->csr.m; e++) {
        int32_t *source = (int32_t *)((char *)s->pull_edges + (size_t)e * bytes);
        *source = fri_row_number(rows, *source);
    }
}

static fr_status make_rows(fr_part_solver *s) {
    fr_status status = fri_nonempty_rows_make(s->ctx, s->part, &s->rows);
    if (!status)
        status = sort_rows(s, &s->part->push->csr, &s->push_edges);
    if (!status)
        status = sort_pull_rows(s);
    if (!status && s->part->world->size > 1)
        number_sources(s);
    return status;
}

void fri_part_sssp_free_rows(fr_part_solver *s) {
    if (s->pull_edges != s->push_edges)
        fri_free(s->pull_edges);
    fri_free(s->push_edges);
    fri_nonempty_rows_free(&s->rows);
    s->push_edges = s->pull_edges = NULL;
}

/* Sorting costs about as much as two queries without windows, so it starts with the second query.
 * If there is not enough memory for it, queries run without windows. */
fr_status fri_part_sssp_prepare_windows(fr_part_solver *s) {
    if (!s->wants_windows || s->push_edges || !s->queries)
        return FR_OK;
    fr_status status = fri_world_agree(s->part->world, make_rows(s));
    if (!status)
        return FR_OK;
    fri_part_sssp_free_rows(s);
    if (status != FR_NOMEM)
        return status;
    s->wants_windows = false;
    fri_begin(s->ctx);
    return FR_OK;
}
