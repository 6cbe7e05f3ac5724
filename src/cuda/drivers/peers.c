#include "cuda/drivers/peers.h"

#include "base/team.h"
#include "core/device_team.h"
#include "cuda/device/context.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 4096 };
/* Weight of a vertex among edges when slices are cut. */
enum { VERTEX_EDGES = 4 };

/* ---- the cut ---- */

fri_devices_input fri_devices_input_of(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    fri_devices_input in = {csr->n, csr->m, 0, job->ctx->device_count};
    for (int32_t v = 0; v < csr->n; v++)
        in.max_degree = FRI_MAX(in.max_degree, csr->offsets[v + 1] - csr->offsets[v]);
    return in;
}

void fri_cut_slices(int32_t n, const int64_t *in_offsets, int devices, int32_t *first) {
    const int64_t units = ((int64_t)n + FRI_SLICE_UNIT - 1) / FRI_SLICE_UNIT;
    const double all = (double)in_offsets[n] + (double)n * VERTEX_EDGES;
    int64_t unit = 0;
    first[0] = 0;
    for (int k = 1; k < devices; k++) {
        int64_t low = unit, high = units;
        while (low < high) { /* the least unit with at least k shares before it */
            const int64_t middle = (low + high) / 2, v = FRI_MIN(middle * FRI_SLICE_UNIT, n);
            if ((double)in_offsets[v] + (double)v * VERTEX_EDGES < all * k / devices)
                low = middle + 1;
            else
                high = middle;
        }
        unit = low;
        first[k] = (int32_t)FRI_MIN(unit * FRI_SLICE_UNIT, n);
    }
    first[devices] = n;
}

/* ---- further GPUs ---- */

/* With CUDA_LAUNCH_BLOCKING a launch returns when its kernel has ended, and the kernel waits for those of
 * the next devices, which are then never launched. */
fr_status fri_check_joint_launch(fr_ctx *ctx, int count) {
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    if (count > FRI_SLICES_MAX)
        return fri_fail(ctx, FR_UNSUPPORTED, "multi-device runs on at most %d GPUs, not %d",
                        FRI_SLICES_MAX, count);
    if (count < 2 || !blocking || strcmp(blocking, "1") != 0)
        return FR_OK;
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "multi-device on %d GPUs cannot run with CUDA_LAUNCH_BLOCKING=1: its kernels "
                    "wait for each other",
                    count);
}

fr_status fri_bind_peer(const fri_job *job, int k, fri_job *own) {
    *own = *job;
    own->device = NULL;
    FRI_GPU_TRY(fri_device_peer(job->ctx, k, &own->ctx));
    own->ctx->progress = NULL;
    own->told.upload_ns = 0;
    own->told.levels = NULL;
    own->told.kernels = NULL;
    own->threads = own->ctx->threads;
    fri_gpu *g = fri_calloc(own->ctx, sizeof *g);
    if (!g)
        return fri_fail(job->ctx, FR_NOMEM, "%s", fr_ctx_error(own->ctx));
    own->device = g;
    fri_gpu_bind_job(g, own);
    return FR_OK;
}

fr_status fri_open_peer(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_time_init(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_gpu_check(g, fri_gpu_streams_take(g), "creating a stream"));
    FRI_GPU_TRY(fri_gpu_acquire_control(g));
    fri_gpu_ranges_open(g);
    return FR_OK;
}

fr_status fri_enable_peers(fri_gpu *g, const fr_ctx *ctx, int count) {
    const int here = g->job->ctx->device;
    for (int k = 0; k < count; k++) {
        const int peer = k ? ctx->devices[k] : ctx->device;
        int can = 0;
        if (peer == here)
            continue;
        FRI_GPU_TRY(
            fri_gpu_check(g, cudaDeviceCanAccessPeer(&can, here, peer), "asking for peer access"));
        if (!can)
            return fri_fail(g->job->ctx, FR_UNSUPPORTED,
                            "multi-device needs GPUs that access each other's memory, and GPU %d "
                            "cannot access GPU %d",
                            here, peer);
        cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
        if (error == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError();
        else
            FRI_GPU_TRY(fri_gpu_check(g, error, "enabling peer access"));
    }
    return FR_OK;
}

/* ---- rows ---- */

fr_status fri_upload_slice_offsets(fri_gpu *g, const void *to, const int64_t *from, int64_t count) {
    int64_t *rebased = fri_alloc(g->job->ctx, fri_bytes(count + 1, sizeof *rebased));
    void *at = (void *)(uintptr_t)to;
    if (!rebased)
        return FR_NOMEM;
    for (int64_t i = 0; i <= count; i++)
        rebased[i] = from[i] - from[0];
    fr_status status = g->offsets64
                           ? fri_gpu_upload(g, at, rebased, fri_bytes(count + 1, sizeof *rebased))
                           : fri_gpu_upload_narrow(g, at, rebased, count + 1);
    fri_free(rebased);
    return status;
}

/* Makes the rows of edges to own vertices. The first pass counts them, with offsets shifted by one; the
 * second writes them. */
typedef struct row_maker {
    const fr_csr *csr;
    fri_slice_rows *rows;
    int32_t first, own, base;
    size_t weight_size;
    int64_t cursor;
} row_maker;

static void put_weight(const row_maker *p, int64_t to, int64_t e) {
    if (p->csr->weight_type == FR_TYPE_F32 && p->weight_size == sizeof(double))
        ((double *)p->rows->weights)[to] = (double)((const float *)p->csr->weights)[e];
    else if (p->weight_size == sizeof(int32_t))
        ((int32_t *)p->rows->weights)[to] = ((const int32_t *)p->csr->weights)[e];
    else
        ((int64_t *)p->rows->weights)[to] = ((const int64_t *)p->csr->weights)[e];
}

static void make_rows(fri_member me, void *arg) {
    row_maker *p = arg;
    const fr_csr *csr = p->csr;
    const fri_slice_rows *rows = p->rows;
    int64_t begin, end;
    (void)me;
    while (fri_team_next_chunk(&p->cursor, csr->n, ROWS_AT_ONCE, &begin, &end))
        for (int64_t u = begin; u < end; u++) {
            int64_t to = rows->targets ? rows->offsets[u] : 0;
            for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
                const uint32_t v = (uint32_t)(csr->targets[e] - p->first);
                const bool ends_here = v < (uint32_t)p->own; /* others wrap to large numbers */
                if (ends_here && rows->targets) {
                    rows->targets[to] = csr->targets[e] - p->base;
                    if (p->weight_size)
                        put_weight(p, to, e);
                }
                to += ends_here;
            }
            if (!rows->targets)
                rows->offsets[u + 1] = to;
        }
}

fr_status fri_make_slice_rows(fr_ctx *ctx, const fr_csr *csr, int32_t first, int32_t own,
                              int32_t base, size_t weight_size, fri_slice_rows *out) {
    row_maker p = {csr, out, first, own, base, weight_size, 0};
    *out = (fri_slice_rows){
        .offsets = fri_calloc(ctx, fri_bytes((int64_t)csr->n + 1, sizeof *out->offsets))};
    if (!out->offsets)
        return FR_NOMEM;
    fri_team_run(ctx->threads, make_rows, &p);
    for (int32_t u = 0; u < csr->n; u++)
        out->offsets[u + 1] += out->offsets[u];
    out->edges = out->offsets[csr->n];
    out->targets = fri_alloc(ctx, fri_bytes(FRI_MAX(out->edges, 1), sizeof *out->targets));
    if (out->targets && weight_size)
        out->weights = fri_alloc(ctx, fri_bytes(FRI_MAX(out->edges, 1), weight_size));
    if (!out->targets || (weight_size && !out->weights)) {
        fri_free_slice_rows(out);
        return FR_NOMEM;
    }
    p.cursor = 0;
    fri_team_run(ctx->threads, make_rows, &p);
    return FR_OK;
}

void fri_free_slice_rows(fri_slice_rows *rows) {
    fri_free(rows->weights);
    fri_free(rows->targets);
    fri_free(rows->offsets);
    *rows = (fri_slice_rows){0};
}
