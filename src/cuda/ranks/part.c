/* A rank's part on its GPU: memory, upload, the exchange of a level, download. */
#include "cuda/ranks/part.h"

#include "core/gpu_seam.h"
#include "cuda/device/context.h"
#include "ranks/solver.h"

#include <sched.h>
#include <string.h>

/* ---- the device -------------------------------------------------------------------------------- */

fr_status fri_gpu_part_take_device(fr_ctx *ctx, int host_rank) {
    int devices = 0;
    FRI_GPU_TRY(fri_gpu_count_devices(ctx, &devices));
    const int device = devices == 1 ? 0 : host_rank; /* one: the launcher has chosen it */
    if (device >= devices)
        return fri_fail(ctx, FR_NO_DEVICE,
                        "the ranks of a host need a GPU each: this one is number %d of its host, "
                        "which has %d",
                        host_rank + 1, devices);
    if (device != ctx->device && fri_gpu_is_open(ctx))
        return fri_fail(ctx, FR_INVALID, "the context has opened GPU %d; this rank's is %d",
                        ctx->device, device);
    ctx->device = ctx->devices[0] = device;
    return fri_gpu_open_now(ctx);
}

/* The maximum number of edges with offsets of 32 bits: a pull adds 32 to an offset before it compares. A
 * test sets -1, so that offsets always have 64 bits. */
#ifndef FRI_PART_MAX_EDGES32
#define FRI_PART_MAX_EDGES32 ((int64_t)UINT32_MAX - FRI_PART_LANES)
#endif
enum { FRI_PART_LANES = 32 };

/* ---- memory ------------------------------------------------------------------------------------ */

_Static_assert(sizeof(fri_level_report) <= FRI_PART_RECORD_BYTES, "a report fits after a slice");

static int64_t slice_bytes(const fr_part *part) {
    const int64_t bytes = part->share / 8 + FRI_PART_RECORD_BYTES;
    return (bytes + FRI_PART_LINE_BYTES - 1) / FRI_PART_LINE_BYTES * FRI_PART_LINE_BYTES;
}

int64_t fri_gpu_part_level_bytes(const fr_part *part) {
    return (part->world->size - 1) * slice_bytes(part);
}

static fr_status set_sizes(fri_gpu_part *p) {
    const fr_part *part = p->part;
    const int64_t slice = slice_bytes(part);
    if (slice * 8 * part->world->size > INT32_MAX)
        return fri_fail(p->job.ctx, FR_RANGE, "%lld vertices are too many for %d ranks on GPUs",
                        (long long)part->n, part->world->size);
    p->m = part->pull_offsets[part->own];
    /* a row of d > CHUNK edges has fewer than 2 d / CHUNK chunks */
    p->queue_size = 2 * (p->m / FRI_PART_CHUNK) + 1;
    p->wide = p->m > FRI_PART_MAX_EDGES32;
    p->blocks =
        (unsigned)(p->g.multiprocessors * FRI_MAX(p->g.max_threads_per_sm / FRI_PART_BLOCK, 1));
    p->a.own = part->own;
    p->a.words = part->share / 32;
    p->a.slice_words = (int32_t)(slice / 4);
    p->a.ranks = part->world->size;
    p->a.rank = part->world->rank;
    return FR_OK;
}

static fr_status allocate(fri_gpu_part *p) {
    const fr_part *part = p->part;
    fri_part_arrays *a = &p->a;
    const size_t offset = p->wide ? sizeof(int64_t) : sizeof(uint32_t), number = sizeof(int32_t);
    const size_t map = fri_bytes(a->words, number), own = fri_bytes(a->own, number);
    const fri_gpu_buffer buffers[] = {
        {(void **)&a->push_offsets, fri_bytes(fri_part_slots(part) + 1, offset)},
        {(void **)&a->pull_offsets, fri_bytes((int64_t)a->own + 1, offset)},
        {(void **)&a->push_targets, fri_bytes(p->m, number)},
        {(void **)&a->pull_sources, fri_bytes(p->m, number)},
        {(void **)&a->hub_parent, own},
        {(void **)&a->front, fri_bytes((int64_t)a->ranks * a->slice_words, number)},
        {(void **)&a->no_in_edges, map},
        {(void **)&a->given, map},
        {(void **)&a->seen, map},
        {(void **)&a->before, map},
        {(void **)&a->level, own},
        {(void **)&a->parent, own},
        {&a->queue, fri_bytes(p->queue_size, FRI_PART_CHUNK_BYTES)},
        {(void **)&a->reports, fri_bytes(a->ranks, sizeof *a->reports)},
        {(void **)&a->control, FRI_PART_CONTROL_WORDS * sizeof *a->control},
    };
    FRI_GPU_TRY(fri_gpu_alloc_many(&p->g, buffers, (int)(sizeof buffers / sizeof *buffers)));
    a->mine = a->front + (int64_t)a->rank * a->slice_words;
    void *reports = NULL;
    FRI_GPU_TRY(fri_gpu_check(
        &p->g,
        cudaHostAlloc(&reports, fri_bytes(a->ranks, sizeof *p->host_reports), cudaHostAllocDefault),
        "pinning memory"));
    p->host_reports = reports;
    return FR_OK;
}

static fr_status upload_offsets(fri_gpu_part *p, const void *to, const int64_t *from,
                                int64_t count) {
    void *device = (void *)(uintptr_t)to;
    return p->wide ? fri_gpu_upload(&p->g, device, from, fri_bytes(count, sizeof *from))
                   : fri_gpu_upload_narrow(&p->g, device, from, count);
}

static fr_status upload(fri_gpu_part *p, const fr_part_solver *s) {
    const fr_part *part = p->part;
    const fr_csr *push = &part->push->csr;
    fri_gpu *g = &p->g;
    const size_t edges = fri_bytes(p->m, sizeof(int32_t));
    FRI_GPU_TRY(upload_offsets(p, p->a.push_offsets, push->offsets, fri_part_slots(part) + 1));
    FRI_GPU_TRY(upload_offsets(p, p->a.pull_offsets, part->pull_offsets, (int64_t)part->own + 1));
    FRI_GPU_TRY(fri_gpu_upload(g, (void *)(uintptr_t)p->a.push_targets, push->targets, edges));
    FRI_GPU_TRY(fri_gpu_upload(g, p->a.pull_sources, part->pull_sources, edges));
    FRI_GPU_TRY(fri_gpu_upload(g, p->a.hub_parent, s->hub_parent,
                               fri_bytes(part->own, sizeof *s->hub_parent)));
    FRI_GPU_TRY(fri_gpu_upload(g, p->a.no_in_edges, s->no_in_edges,
                               fri_bytes(fri_part_words(part), sizeof *s->no_in_edges)));
    fri_gpu_part_place(p);
    /* slices have gaps, which are sent too */
    return fri_gpu_check(
        g,
        cudaMemsetAsync(p->a.front, 0,
                        fri_bytes((int64_t)p->a.ranks * p->a.slice_words, sizeof *p->a.front),
                        g->stream),
        "clearing the frontier");
}

static fr_status open_part(fri_gpu_part *p, const fr_part_solver *s) {
    fri_gpu *g = &p->g;
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_time_init(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_gpu_check(g, fri_gpu_streams_take(g), "creating a stream"));
    FRI_GPU_TRY(set_sizes(p));
    FRI_GPU_TRY(allocate(p));
    FRI_GPU_TRY(upload(p, s));
    return fri_gpu_check(g, cudaStreamSynchronize(g->stream), "preparing the part");
}

fr_status fri_gpu_part_new(const fr_part_solver *s, fri_gpu_part **out) {
    fri_gpu_part *p = fri_calloc(s->ctx, sizeof *p);
    *out = p;
    if (!p)
        return FR_NOMEM;
    p->job = (fri_job){.ctx = s->ctx, .threads = s->threads};
    p->g.job = &p->job;
    p->part = s->part;
    p->world = s->part->world;
    return open_part(p, s);
}

void fri_gpu_part_free(fri_gpu_part *p) {
    if (!p)
        return;
    fri_gpu_streams_give(&p->g); /* waits for the device */
    for (int i = 0; i < p->g.allocations; i++)
        fri_gpu_give(p->job.ctx, p->g.allocation[i], p->g.allocation_bytes[i]);
    if (p->host_reports)
        cudaFreeHost(p->host_reports);
    fri_free(p);
}

/* ---- a query ----------------------------------------------------------------------------------- */

static fr_status launched(fri_gpu_part *p) {
    return fri_gpu_check(&p->g, cudaGetLastError(), "launching a kernel");
}

static void set_sources(fri_gpu_part *p, const int64_t *sources, int64_t count) {
    fri_part_sources batch = {0};
    const int32_t base = fri_part_base(p->part);
    for (int64_t k = 0; k < count; k++) {
        const int32_t i = fri_part_slot(p->part, sources[k]) - base;
        if (i >= 0 && i < p->part->own)
            batch.own[batch.count++] = i;
        if (batch.count == FRI_PART_SOURCES || (batch.count && k == count - 1)) {
            fri_gpu_part_set_sources(p, batch);
            batch.count = 0;
        }
    }
}

fr_status fri_gpu_part_begin(fri_gpu_part *p, const int64_t *sources, int64_t count) {
    fri_gpu *g = &p->g;
    /* the current device is per thread */
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(p->job.ctx->device), "selecting the device"));
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemsetAsync(p->a.given, 0, fri_bytes(p->a.words, sizeof *p->a.given), g->stream),
        "clearing the sources"));
    set_sources(p, sources, count);
    fri_gpu_part_start(p);
    return launched(p);
}

fr_status fri_gpu_part_step(fri_gpu_part *p, int32_t depth, bool pull) {
    fri_gpu_part_level(p, depth, pull);
    return launched(p);
}

/* Waits for the stream, which waits for all ranks. */
static fr_status wait_for_ranks(fri_gpu_part *p) {
    enum { POLLS_PER_CLOCK_READ = 256 };
    fri_device_comm *comm = p->world->device_comm;
    const int64_t begin = fri_now_ns();
    cudaError_t error = cudaStreamQuery(p->g.stream);
    for (int64_t polls = 1; error == cudaErrorNotReady; polls++) {
        error = cudaStreamQuery(p->g.stream);
        if (error != cudaErrorNotReady || polls % POLLS_PER_CLOCK_READ)
            continue;
        sched_yield();
        if (comm && !comm->calls->healthy(comm))
            return fri_fail(p->job.ctx, FR_RANK, "%s", comm->why);
        if (comm && (double)(fri_now_ns() - begin) * 1e-9 > p->world->timeout_s)
            return fri_fail(p->job.ctx, FR_RANK, "no answer from another rank's GPU within %g s",
                            p->world->timeout_s);
    }
    return fri_gpu_check(&p->g, error, "traversing");
}

fr_status fri_gpu_part_exchange(fri_gpu_part *p, fr_status status, fri_level_report *reports) {
    fri_gpu *g = &p->g;
    fri_device_comm *comm = p->world->device_comm;
    const size_t bytes = fri_bytes(p->a.ranks, sizeof *reports);
    fri_gpu_part_finish_report(p, status);
    if (comm && !comm->calls->allgather(comm, p->a.mine, p->a.front,
                                        (size_t)p->a.slice_words * sizeof *p->a.mine, g->stream))
        return fri_fail(p->job.ctx, FR_RANK, "%s", comm->why);
    fri_gpu_part_gather_reports(p);
    FRI_GPU_TRY(launched(p));
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemcpyAsync(p->host_reports, p->a.reports, bytes, cudaMemcpyDeviceToHost, g->stream),
        "downloading"));
    FRI_GPU_TRY(wait_for_ranks(p));
    memcpy(reports, p->host_reports, bytes);
    return FR_OK;
}

fr_status fri_gpu_part_download(fri_gpu_part *p, int32_t *level, int32_t *parent) {
    const size_t bytes = fri_bytes(p->a.own, sizeof *level);
    fri_gpu_part_answer(p);
    FRI_GPU_TRY(fri_gpu_download(&p->g, level, p->a.level, bytes));
    return fri_gpu_download(&p->g, parent, p->a.parent, bytes);
}
