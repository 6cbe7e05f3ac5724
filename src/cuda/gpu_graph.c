/* Opening the device and bringing the graph there: what fri_strategy.prepare does for GPU rows. */
#include "cuda/gpu.h"
#include "cuda/gpu_apsp.h"
#include "cuda/gpu_sssp.h"

#include "base/bitmap.h"

/* "CUDA driver version is insufficient" is what the runtime says of no driver at all. */
static const char *why_no_device(cudaError_t error) {
    int driver = 0;
    if (!error)
        return "the driver lists none";
    if (error == cudaErrorInsufficientDriver && !cudaDriverGetVersion(&driver) && !driver)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(error);
}

static fr_status read_facts(fri_gpu *g) {
    int major = 0, minor = 0, shared = 0;
    const struct {
        enum cudaDeviceAttr name;
        int *to;
    } facts[] = {{cudaDevAttrMultiProcessorCount, &g->multiprocessors},
                 {cudaDevAttrComputeCapabilityMajor, &major},
                 {cudaDevAttrComputeCapabilityMinor, &minor},
                 {cudaDevAttrMaxThreadsPerMultiProcessor, &g->threads_most},
                 {cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        FRI_GPU_TRY(fri_gpu_check(
            g, cudaDeviceGetAttribute(facts[i].to, facts[i].name, g->job->ctx->device),
            "reading the device's facts"));
    g->compute_capability = major * 10 + minor;
    g->shared_optin = (size_t)shared;
    return FR_OK;
}

static fr_status open_device(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error || devices < 1) {
        cudaGetLastError();
        return fri_fail(ctx, FR_NO_DEVICE, "no GPU can be used: %s", why_no_device(error));
    }
    if (ctx->device >= devices)
        return fri_fail(ctx, FR_NO_DEVICE, "GPU %d was asked for; there are %d", ctx->device,
                        devices);
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(ctx->device), "choosing the device"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaFree(NULL), "opening the device")); /* makes its context */
    FRI_GPU_TRY(fri_gpu_load_kernels(g));
    return read_facts(g);
}

static fr_status timed(fri_gpu *g, fr_status (*make)(fri_gpu *g)) {
    int64_t begin = fri_now_ns();
    fr_status status = make(g);
    g->job->ctx->gpu_open_ns += fri_now_ns() - begin;
    return status;
}

fr_status fri_gpu_open(fri_gpu *g) { return timed(g, open_device); }

enum { PART = 1 << 20 }; /* floats turned into doubles at a time */

static fr_status upload_doubles(fri_gpu *g, double *to, const float *from, int64_t count) {
    double *part = fri_alloc(g->job->ctx, PART * sizeof *part);
    fr_status status = part ? FR_OK : FR_NOMEM;
    for (int64_t at = 0; at < count && !status; at += PART) {
        int64_t some = FRI_MIN(count - at, (int64_t)PART);
        for (int64_t i = 0; i < some; i++)
            part[i] = (double)from[at + i];
        status = fri_gpu_upload(g, to + at, part, (size_t)some * sizeof *part);
    }
    fri_free(part);
    return status;
}

static bool wants_in_edges(const fri_job *job) {
    return (job->row->needs & FRI_IN_EDGES) && !job->csr.symmetric;
}
static bool makes_in_edges(const fri_gpu *g) {
    return wants_in_edges(g->job) && g->job->makes_in_edges;
}

/* Whether the room in which in-edges are made is kept for the row, which needs little less. */
static bool keeps_room(const fri_gpu *g) {
    return !FRI_GPU_APART && g->job->problem != FR_APSP &&
           fri_gpu_vertex_bytes(g) >= fri_gpu_transpose_bytes(g) / 2;
}

/* The in-edges' arrays, and room to make them in: of one block where it stays. */
static fr_status take_in_edges(fri_gpu *g) {
    const bool keeps = keeps_room(g);
    const size_t passing = fri_gpu_transpose_bytes(g);
    void *offsets, *targets, *room;
    const fri_gpu_part parts[] = {{&offsets, fri_bytes((int64_t)g->n + 1, g->wide ? 8 : 4)},
                                  {&targets, fri_bytes(g->m, sizeof(int32_t))},
                                  {&room, keeps ? FRI_MAX(passing, fri_gpu_vertex_bytes(g)) : 0}};
    FRI_GPU_TRY(fri_gpu_alloc_parts(g, parts, keeps ? 3 : 2));
    if (!keeps)
        FRI_GPU_TRY(fri_gpu_alloc(g, &room, passing));
    g->in = (fri_gpu_csr){.offsets = offsets, .targets = targets};
    g->kept = room;
    g->kept_bytes = keeps ? fri_gpu_line(parts[2].bytes) : passing;
    return FR_OK;
}

/* In the middle of the upload, and not in its time. */
static fr_status begin_in_edges(fri_gpu *g) {
    const int64_t begin = fri_now_ns();
    FRI_GPU_TRY(take_in_edges(g));
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamCreateWithFlags(&g->bus, cudaStreamNonBlocking),
                              "making a stream"));
    FRI_GPU_TRY(fri_gpu_transpose_begin(g, g->kept));
    g->job->upload_ns -= fri_now_ns() - begin;
    return FR_OK;
}

/* In-edges begin to be made when the first `early` targets are there; 0: not here. */
static fr_status upload_csr(fri_gpu *g, const fr_csr *csr, fri_gpu_csr *out, int64_t early) {
    void *offsets, *targets, *weights;
    int64_t rows = (int64_t)csr->n + 1;
    size_t weight_bytes = csr->weights ? fri_bytes(csr->m, fri_gpu_weight_size(g, csr)) : 0;
    const fri_gpu_part parts[] = {{&offsets, fri_bytes(rows, g->wide ? 8 : 4)},
                                  {&targets, fri_bytes(csr->m, sizeof(int32_t))},
                                  {&weights, weight_bytes}};
    const size_t first = (size_t)early * sizeof(int32_t);
    FRI_GPU_TRY(fri_gpu_alloc_parts(g, parts, 3));
    out->offsets = offsets;
    out->targets = targets;
    out->weights = weights;
    FRI_GPU_TRY(g->wide ? fri_gpu_upload(g, offsets, csr->offsets, parts[0].bytes)
                        : fri_gpu_upload_narrow(g, offsets, csr->offsets, rows));
    FRI_GPU_TRY(fri_gpu_upload(g, targets, csr->targets, first));
    if (early)
        FRI_GPU_TRY(begin_in_edges(g));
    FRI_GPU_TRY(fri_gpu_upload(g, (int32_t *)targets + early, csr->targets + early,
                               parts[1].bytes - first));
    if (g->kind == FR_F64 && csr->weight_type == FR_F32)
        return upload_doubles(g, weights, csr->weights, weights ? csr->m : 0);
    return fri_gpu_upload(g, weights, csr->weights, weight_bytes);
}

static fr_status take_vertex_arrays(fri_gpu *g) {
    size_t vertices = fri_bytes(g->n, sizeof(int32_t));
    void *parent, *sources, *map, *words;
    bool sssp = g->job->problem == FR_SSSP;
    void *values, *spare;
    const fri_gpu_part parts[] = {{&values, sssp ? fri_gpu_dist_bytes(g) : vertices},
                                  {&spare, sssp ? fri_gpu_spare_bytes(g) : 0},
                                  {&parent, vertices},
                                  {&sources, vertices},
                                  {&map, fri_bitmap_bytes(g->n)},
                                  {&words, FRI_GPU_WORDS_BYTES}};
    FRI_GPU_TRY(fri_gpu_alloc_parts(g, parts, sizeof parts / sizeof *parts));
    g->dist = sssp ? values : NULL;
    g->level = sssp ? NULL : values;
    g->spare = spare;
    g->parent_store = parent;
    g->sources = sources;
    g->target_map = map;
    g->words = words;
    return FR_OK;
}

static fr_status take_apsp_arrays(fri_gpu *g) {
    void *p;
    FRI_GPU_TRY(fri_gpu_apsp_take(g));
    FRI_GPU_TRY(fri_gpu_alloc(g, &p, FRI_GPU_WORDS_BYTES));
    g->words = p;
    return FR_OK;
}

static fr_status take_arrays(fri_gpu *g) {
    FRI_GPU_TRY(g->job->problem == FR_APSP ? take_apsp_arrays(g) : take_vertex_arrays(g));
    g->out.counts = g->in.counts = (unsigned long long *)(void *)(g->words + FRI_GPU_WORDS);
    return fri_gpu_take_words(g);
}

static fr_status take_scratch(fri_gpu *g) {
    void *scratch;
    const fri_gpu_part part = {&scratch, g->row->scratch ? g->row->scratch(g) : 0};
    FRI_GPU_TRY(fri_gpu_alloc_parts(g, &part, 1));
    g->scratch = scratch;
    return FR_OK;
}

static fr_status upload(fri_gpu *g) {
    fri_job *job = g->job;
    int64_t begin = fri_now_ns(), early = makes_in_edges(g) ? fri_gpu_transpose_first(g) : 0;
    fri_gpu_range(g, "upload", -1);
    fr_status status = upload_csr(g, &job->csr, &g->out, early);
    if (!makes_in_edges(g))
        g->in = g->out;
    if (!status && wants_in_edges(job) && !job->makes_in_edges)
        status = upload_csr(g, &job->in, &g->in, 0);
    fri_gpu_range_end(g);
    job->upload_ns += fri_now_ns() - begin;
    return status;
}

static fr_status make_in_edges(fri_gpu *g) {
    if (!makes_in_edges(g))
        return FR_OK;
    if (!g->kept)
        FRI_GPU_TRY(take_in_edges(g));
    fri_gpu_range(g, "in-edges", -1);
    fr_status status = fri_gpu_transpose(g, g->kept);
    if (!status)
        status = fri_gpu_check(g, cudaStreamSynchronize(g->stream), "making in-edges");
    fri_gpu_range_end(g);
    if (g->bus != g->stream)
        cudaStreamDestroy(g->bus);
    g->bus = g->stream;
    if (!keeps_room(g)) {
        fri_gpu_drop(g, g->kept, g->kept_bytes);
        g->kept_bytes = 0;
    }
    return status;
}

fr_status fri_gpu_prepare(fri_job *job) {
    fri_gpu *g = fri_calloc(job->ctx, sizeof *g);
    if (!g)
        return FR_NOMEM;
    job->device = g;
    fri_gpu_describe(g, job);
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(timed(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_gpu_reserve_check(job));
    fri_gpu_apsp_plan(g);
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking),
                              "making a stream"));
    g->bus = g->stream;
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->begin), "making an event"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->end), "making an event"));
    fri_gpu_ranges_open(g);
    FRI_GPU_TRY(upload(g));
    FRI_GPU_TRY(make_in_edges(g));
    FRI_GPU_TRY(take_scratch(g));
    FRI_GPU_TRY(take_arrays(g));
    return fri_gpu_sssp_find_loops(g);
}

void fri_gpu_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    for (int i = 0; i < g->blocks; i++)
        cudaFree(g->block[i]);
    job->ctx->gpu_bytes -= g->held_bytes;
    fri_gpu_return_words(g);
    if (g->begin)
        cudaEventDestroy(g->begin);
    if (g->end)
        cudaEventDestroy(g->end);
    if (g->bus && g->bus != g->stream)
        cudaStreamDestroy(g->bus);
    if (g->stream)
        cudaStreamDestroy(g->stream);
    fri_gpu_ranges_close(g);
    fri_free(g->state);
    fri_free(g);
    job->device = NULL;
}
