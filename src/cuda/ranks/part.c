/* A rank's part on its GPU: the device, offsets, sources, and the exchanges of a level or round. */
#include "cuda/ranks/part.h"

#include "core/gpu_interface.h"
#include "cuda/device/context.h"
#include "ranks/solver.h"

#include <sched.h>

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

/* ---- sizes and memory -------------------------------------------------------------------------- */

/* The maximum number of edges with offsets of 32 bits: a pull adds 32 to an offset before it compares. A
 * test sets -1, so that offsets always have 64 bits. */
#ifndef FRI_PART_MAX_EDGES32
#define FRI_PART_MAX_EDGES32 ((int64_t)UINT32_MAX - FRI_PART_LANES)
#endif
enum { FRI_PART_LANES = 32 };

_Static_assert(sizeof(fri_level_report) <= FRI_PART_RECORD_BYTES, "a report fits after a slice");
_Static_assert(sizeof(fri_sssp_record) == FRI_PART_RECORD_BYTES, "a record of SSSP");
_Static_assert(sizeof(fri_part_head) == FRI_PART_RECORD_BYTES, "no padding");

static void set_sizes(fri_gpu_part *p) {
    p->m = p->part->pull_offsets[p->part->own];
    /* a row of d > CHUNK edges has fewer than 2 d / CHUNK chunks */
    p->queue_size = 2 * (p->m / FRI_PART_CHUNK) + 1;
    p->g.offsets64 = p->m > FRI_PART_MAX_EDGES32;
    p->blocks =
        (unsigned)(p->g.multiprocessors * FRI_MAX(p->g.max_threads_per_sm / FRI_PART_BLOCK, 1));
    p->weight_type = p->part->push->csr.weight_type;
}

size_t fri_gpu_part_offset_bytes(const fri_gpu_part *p, int64_t count) {
    return fri_bytes(count, p->g.offsets64 ? sizeof(int64_t) : sizeof(uint32_t));
}

fr_status fri_gpu_part_upload_offsets(fri_gpu_part *p, const void *to, const int64_t *from,
                                      int64_t count) {
    void *device = (void *)(uintptr_t)to;
    return p->g.offsets64 ? fri_gpu_upload(&p->g, device, from, fri_bytes(count, sizeof *from))
                          : fri_gpu_upload_narrow(&p->g, device, from, count);
}

fr_status fri_gpu_part_clear(fri_gpu_part *p, void *at, size_t bytes) {
    return fri_gpu_check(&p->g, cudaMemsetAsync(at, 0, bytes, p->g.stream), "clearing memory");
}

static fr_status pin_records(fri_gpu_part *p) {
    void *records = NULL;
    FRI_GPU_TRY(fri_gpu_check(
        &p->g,
        cudaHostAlloc(&records, fri_bytes(p->ranks, sizeof *p->host_records), cudaHostAllocDefault),
        "pinning memory"));
    p->host_records = records;
    return FR_OK;
}

fr_status fri_gpu_part_open(const fr_part_solver *s, fri_gpu_part **out,
                            fr_status (*fill)(fri_gpu_part *p, const fr_part_solver *s)) {
    fri_gpu_part *p = fri_calloc(s->ctx, sizeof *p);
    *out = p;
    if (!p)
        return FR_NOMEM;
    fri_gpu *g = &p->g;
    p->in.threads = s->threads;
    p->job = (fri_job){.ctx = s->ctx, .in = &p->in};
    g->job = &p->job;
    p->part = s->part;
    p->world = s->part->world;
    p->ranks = p->world->size;
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_time_init(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_gpu_check(g, fri_gpu_streams_take(g), "creating a stream"));
    set_sizes(p);
    FRI_GPU_TRY(pin_records(p));
    FRI_GPU_TRY(fill(p, s));
    return fri_gpu_wait(g, "preparing the part");
}

void fri_gpu_part_free(fri_gpu_part *p) {
    if (!p)
        return;
    fri_gpu_streams_give(&p->g); /* waits for the device */
    for (int i = 0; i < p->g.allocations; i++)
        fri_gpu_give(p->job.ctx, p->g.allocation[i], p->g.allocation_bytes[i]);
    if (p->host_records)
        cudaFreeHost(p->host_records);
    fri_free(p);
}

/* ---- a query ----------------------------------------------------------------------------------- */

fr_status fri_gpu_part_launched(fri_gpu_part *p) { return fri_gpu_launched(&p->g); }

fr_status fri_gpu_part_select(fri_gpu_part *p) { return fri_gpu_select(&p->g); }

void fri_gpu_part_each_source(fri_gpu_part *p, const int64_t *sources, int64_t count,
                              void (*set)(fri_gpu_part *p, fri_part_sources batch)) {
    fri_part_sources batch = {0};
    const int32_t base = fri_part_base(p->part);
    for (int64_t k = 0; k < count; k++) {
        const int32_t i = fri_part_slot(p->part, sources[k]) - base;
        if (i >= 0 && i < p->part->own)
            batch.own[batch.count++] = i;
        if (batch.count == FRI_PART_SOURCES || (batch.count && k == count - 1)) {
            set(p, batch);
            batch.count = 0;
        }
    }
}

fr_status fri_gpu_part_gather(fri_gpu_part *p, const void *mine, void *all, size_t bytes) {
    fri_device_comm *comm = p->world->device_comm;
    const cudaStream_t stream = p->g.stream;
    if (comm)
        return comm->calls->allgather(comm, mine, all, bytes, stream)
                   ? FR_OK
                   : fri_fail(p->job.ctx, FR_RANK, "%s", comm->why);
    if (mine == all)
        return FR_OK;
    return fri_gpu_check(&p->g, cudaMemcpyAsync(all, mine, bytes, cudaMemcpyDeviceToDevice, stream),
                         "copying the frontier");
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

fr_status fri_gpu_part_await_records(fri_gpu_part *p, const void *first, int64_t stride) {
    fri_gpu *g = &p->g;
    fri_gpu_part_gather_records(p, first, stride);
    FRI_GPU_TRY(fri_gpu_part_launched(p));
    FRI_GPU_TRY(fri_gpu_check(g,
                              cudaMemcpyAsync(p->host_records, p->records,
                                              fri_bytes(p->ranks, sizeof *p->records),
                                              cudaMemcpyDeviceToHost, g->stream),
                              "downloading"));
    return wait_for_ranks(p);
}
