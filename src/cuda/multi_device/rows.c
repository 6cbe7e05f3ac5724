/* The rows of a slice, made on the host and uploaded. */
#include "cuda/multi_device/slices.h"

#include "base/team.h"

enum { ROWS_AT_ONCE = 4096 };

static void *writable(const void *at) { return (void *)(uintptr_t)at; }

fr_status fri_upload_slice_offsets(fri_gpu *g, const void *to, const int64_t *from, int64_t count) {
    int64_t *rebased = fri_alloc(g->job->ctx, fri_bytes(count + 1, sizeof *rebased));
    if (!rebased)
        return FR_NOMEM;
    for (int64_t i = 0; i <= count; i++)
        rebased[i] = from[i] - from[0];
    fr_status status = g->offsets64 ? fri_gpu_upload(g, writable(to), rebased,
                                                     fri_bytes(count + 1, sizeof *rebased))
                                    : fri_gpu_upload_narrow(g, writable(to), rebased, count + 1);
    fri_free(rebased);
    return status;
}

/* A row per vertex of the graph with the edges that end at own vertices. The first pass counts them, with
 * offsets shifted by one; the second writes them. */
typedef struct row_maker {
    const fr_csr *csr;
    int32_t first, own, base;
    size_t weight_size;
    int64_t cursor;
    int64_t *offsets; /* [n+1] */
    int32_t *targets; /* NULL in the first pass */
    void *weights;
} row_maker;

static void put_weight(const row_maker *p, int64_t to, int64_t e) {
    if (p->csr->weight_type == FR_TYPE_F32 && p->weight_size == sizeof(double))
        ((double *)p->weights)[to] = (double)((const float *)p->csr->weights)[e];
    else if (p->weight_size == sizeof(int32_t))
        ((int32_t *)p->weights)[to] = ((const int32_t *)p->csr->weights)[e];
    else
        ((int64_t *)p->weights)[to] = ((const int64_t *)p->csr->weights)[e];
}

static void pass_rows(fri_member me, void *arg) {
    row_maker *p = arg;
    const fr_csr *csr = p->csr;
    int64_t begin, end;
    (void)me;
    while (fri_team_next_chunk(&p->cursor, csr->n, ROWS_AT_ONCE, &begin, &end))
        for (int64_t u = begin; u < end; u++) {
            int64_t to = p->targets ? p->offsets[u] : 0;
            for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
                const uint32_t v = (uint32_t)(csr->targets[e] - p->first);
                const bool ends_here = v < (uint32_t)p->own; /* others wrap to large numbers */
                if (ends_here && p->targets) {
                    p->targets[to] = csr->targets[e] - p->base;
                    if (p->weight_size)
                        put_weight(p, to, e);
                }
                to += ends_here;
            }
            if (!p->targets)
                p->offsets[u + 1] = to;
        }
}

/* Two passes over all edges by the context's threads. */
static fr_status make_rows(fr_ctx *ctx, row_maker *p) {
    const int32_t n = p->csr->n;
    p->offsets = fri_calloc(ctx, fri_bytes((int64_t)n + 1, sizeof *p->offsets));
    if (!p->offsets)
        return FR_NOMEM;
    fri_team_share(ctx, ctx->threads, pass_rows, p);
    for (int32_t u = 0; u < n; u++)
        p->offsets[u + 1] += p->offsets[u];
    const int64_t edges = FRI_MAX(p->offsets[n], 1);
    p->weights = p->weight_size ? fri_alloc(ctx, fri_bytes(edges, p->weight_size)) : NULL;
    p->targets = fri_alloc(ctx, fri_bytes(edges, sizeof *p->targets));
    if (!p->targets || (p->weight_size && !p->weights))
        return FR_NOMEM;
    p->cursor = 0;
    fri_team_share(ctx, ctx->threads, pass_rows, p);
    return FR_OK;
}

static fr_status upload(fri_slice *s, const row_maker *rows) {
    const fri_gpu_csr *to = &s->push;
    FRI_GPU_TRY(fri_upload_slice_offsets(s->g, to->offsets, rows->offsets, s->g->n));
    FRI_GPU_TRY(fri_gpu_upload(s->g, writable(to->targets), rows->targets,
                               fri_bytes(s->edges, sizeof *rows->targets)));
    return rows->weights ? fri_gpu_upload(s->g, writable(to->weights), rows->weights,
                                          fri_bytes(s->edges, rows->weight_size))
                         : FR_OK;
}

fr_status fri_upload_push_rows(fri_slice *s, int32_t base, size_t weight_size) {
    row_maker rows = {.csr = &s->job.csr,
                      .first = s->first,
                      .own = s->own,
                      .base = base,
                      .weight_size = weight_size};
    fr_status status = make_rows(s->job.ctx, &rows);
    if (!status)
        status = upload(s, &rows);
    fri_free(rows.weights);
    fri_free(rows.targets);
    fri_free(rows.offsets);
    return status;
}
