/* Uploads the graph: implements fri_strategy.prepare for GPU strategies. */
#include "cuda/device/gpu.h"
#include "cuda/drivers/apsp.h"
#include "cuda/drivers/sssp.h"

#include "base/bitmap.h"

enum { DOUBLES_PER_STEP = 1 << 20 }; /* floats converted to doubles at a time */

static fr_status upload_doubles(fri_gpu *g, double *to, const float *from, int64_t count) {
    double *piece = fri_alloc(g->job->ctx, DOUBLES_PER_STEP * sizeof *piece);
    fr_status status = piece ? FR_OK : FR_NOMEM;
    for (int64_t at = 0; at < count && !status; at += DOUBLES_PER_STEP) {
        int64_t some = FRI_MIN(count - at, (int64_t)DOUBLES_PER_STEP);
        for (int64_t i = 0; i < some; i++)
            piece[i] = (double)from[at + i];
        status = fri_gpu_upload(g, to + at, piece, (size_t)some * sizeof *piece);
    }
    fri_free(piece);
    return status;
}

static bool wants_in_edges(const fri_job *job) {
    return (job->strategy->needs & FRI_NEEDS_IN_EDGES) && !job->csr.symmetric;
}
static bool makes_in_edges(const fri_gpu *g) {
    return wants_in_edges(g->job) && g->job->makes_in_edges;
}

/* Part of the allocation with the in-edges: first scratch of the transpose, then the strategy's
 * arrays. 0: the strategy needs far less than that, or in-edges are not built here. */
static size_t room_bytes(const fri_gpu *g) {
    const size_t passing = makes_in_edges(g) ? fri_gpu_transpose_bytes(g) : 0;
    const bool own = FRI_GPU_SEPARATE_BUFFERS || g->job->problem == FR_PROBLEM_APSP;
    const size_t its = own ? 0 : fri_gpu_vertex_bytes(g);
    return !own && its >= passing / 2 ? FRI_MAX(passing, its) : 0;
}

static size_t offset_bytes(const fri_gpu *g) {
    return fri_bytes((int64_t)g->n + 1, g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t));
}
static size_t weight_bytes(const fri_gpu *g, const fr_csr *csr) {
    return csr->weights ? fri_bytes(csr->m, fri_gpu_weight_size(g, csr)) : 0;
}

/* One allocation: on an H200 cnr-2000 is traversed 3 % faster than with targets in an allocation of
 * their own. */
static fr_status take_graph(fri_gpu *g) {
    void *offsets, *targets, *weights, *words;
    const fri_gpu_buffer parts[] = {{&offsets, offset_bytes(g)},
                                    {&targets, fri_bytes(g->m, sizeof(int32_t))},
                                    {&weights, weight_bytes(g, &g->job->csr)},
                                    {&words, FRI_GPU_CONTROL_BYTES}};
    FRI_GPU_TRY(fri_gpu_alloc_many(g, parts, 4));
    g->control = words;
    g->out = (fri_gpu_csr){offsets, targets, weights,
                           (unsigned long long *)(void *)(g->control + FRI_GPU_CONTROL_WORDS)};
    return FR_OK;
}

/* Includes g->reserved for the strategy's arrays. */
static fr_status take_in_edges(fri_gpu *g) {
    const bool two = wants_in_edges(g->job), sent = two && !makes_in_edges(g);
    const size_t room = room_bytes(g);
    void *offsets, *targets, *weights, *kept;
    const fri_gpu_buffer parts[] = {{&offsets, two ? offset_bytes(g) : 0},
                                    {&targets, two ? fri_bytes(g->m, sizeof(int32_t)) : 0},
                                    {&weights, sent ? weight_bytes(g, &g->job->in) : 0},
                                    {&kept, room}};
    FRI_GPU_TRY(fri_gpu_alloc_many(g, parts, 4));
    g->in = two ? (fri_gpu_csr){offsets, targets, weights, g->out.counts} : g->out;
    g->transpose_scratch = g->reserved = kept;
    g->reserved_bytes = fri_gpu_align(room);
    return FR_OK;
}

static fr_status take_vertex_arrays(fri_gpu *g) {
    size_t vertices = fri_bytes(g->n, sizeof(int32_t));
    void *parent, *sources, *map, *scratch;
    bool sssp = g->job->problem == FR_PROBLEM_SSSP;
    void *values, *spare;
    const fri_gpu_buffer parts[] = {{&values, sssp ? fri_gpu_dist_bytes(g) : vertices},
                                    {&spare, sssp ? fri_gpu_driver_scratch_bytes(g) : 0},
                                    {&parent, vertices},
                                    {&sources, vertices},
                                    {&map, fri_bitmap_bytes(g->n)},
                                    {&scratch, g->strategy->scratch ? g->strategy->scratch(g) : 0}};
    FRI_GPU_TRY(fri_gpu_alloc_many(g, parts, sizeof parts / sizeof *parts));
    g->dist = sssp ? values : NULL;
    g->bfs.level = sssp ? NULL : values;
    g->sssp.driver_scratch = spare;
    g->parent_store = parent;
    g->sources = sources;
    g->target_map = map;
    g->scratch = scratch;
    return FR_OK;
}

static fr_status take_apsp_arrays(fri_gpu *g) {
    void *scratch;
    const fri_gpu_buffer piece = {&scratch, g->strategy->scratch ? g->strategy->scratch(g) : 0};
    FRI_GPU_TRY(fri_gpu_alloc_many(g, &piece, 1));
    g->scratch = scratch;
    return fri_gpu_apsp_alloc(g);
}

static fr_status take_arrays(fri_gpu *g) {
    return g->job->problem == FR_PROBLEM_APSP ? take_apsp_arrays(g) : take_vertex_arrays(g);
}

/* Whether the scratch of the transpose is freed before the strategy's arrays are allocated. */
static bool gives_room_back(const fri_gpu *g) { return makes_in_edges(g) && !room_bytes(g); }

static fr_status take_rest(fri_gpu *g) {
    void *room;
    FRI_GPU_TRY(take_in_edges(g));
    if (!gives_room_back(g))
        return take_arrays(g);
    FRI_GPU_TRY(fri_gpu_alloc(g, &room, fri_gpu_transpose_bytes(g)));
    g->transpose_scratch = room;
    return FR_OK;
}

/* Runs while the edges are uploaded: cudaMalloc takes half a millisecond for memory freed just
 * before, and the other steps take as long for a process's first solver. */
static fr_status look_ahead(fri_gpu *g) {
    FRI_GPU_TRY(take_rest(g));
    if (makes_in_edges(g))
        fri_gpu_transpose_load(g);
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    return g->strategy->prepare_during_upload ? g->strategy->prepare_during_upload(g) : FR_OK;
}
static fr_status make_in_edges(fri_gpu *g, size_t bytes) {
    return makes_in_edges(g) ? fri_gpu_transpose(g, (int64_t)(bytes / sizeof(int32_t))) : FR_OK;
}

static fr_status carry_weights(fri_gpu *g, const fr_csr *csr, const fri_gpu_csr *to) {
    void *weights = (void *)(uintptr_t)to->weights;
    if (g->kind == FR_TYPE_F64 && csr->weight_type == FR_TYPE_F32)
        return upload_doubles(g, weights, csr->weights, weights ? csr->m : 0);
    return fri_gpu_upload(g, weights, csr->weights, weight_bytes(g, csr));
}

static fr_status carry_csr(fri_gpu *g, const fr_csr *csr, const fri_gpu_csr *to,
                           const fri_gpu_overlap *overlap) {
    void *offsets = (void *)(uintptr_t)to->offsets, *targets = (void *)(uintptr_t)to->targets;
    FRI_GPU_TRY(g->offsets64 ? fri_gpu_upload(g, offsets, csr->offsets, offset_bytes(g))
                             : fri_gpu_upload_narrow(g, offsets, csr->offsets, (int64_t)g->n + 1));
    FRI_GPU_TRY(fri_gpu_upload_overlapped(g, targets, csr->targets,
                                          fri_bytes(csr->m, sizeof(int32_t)), overlap));
    return carry_weights(g, csr, to);
}

static fr_status carry_graph(fri_gpu *g) {
    static const fri_gpu_overlap overlap = {look_ahead, make_in_edges};
    FRI_GPU_TRY(take_graph(g));
    FRI_GPU_TRY(carry_csr(g, &g->job->csr, &g->out, &overlap));
    return wants_in_edges(g->job) && !makes_in_edges(g) ? carry_csr(g, &g->job->in, &g->in, NULL)
                                                        : FR_OK;
}

/* The time of work overlapped with the upload is included. */
static fr_status upload(fri_gpu *g) {
    const int64_t begin = fri_now_ns();
    fri_gpu_range_begin(g, "upload", -1);
    g->copy_stream = fri_gpu_copy_stream(g);
    fr_status status = carry_graph(g);
    g->copy_stream = g->stream;
    fri_gpu_range_end(g);
    g->job->upload_ns += fri_now_ns() - begin;
    return status;
}

static fr_status finish(fri_gpu *g) {
    if (gives_room_back(g)) {
        FRI_GPU_TRY(fri_gpu_check(g, cudaStreamSynchronize(g->stream), "building in-edges"));
        fri_gpu_free(g, g->transpose_scratch, fri_gpu_transpose_bytes(g));
        FRI_GPU_TRY(take_arrays(g));
    }
    if (g->strategy->prepare_after_upload)
        FRI_GPU_TRY(g->strategy->prepare_after_upload(g));
    FRI_GPU_TRY(fri_gpu_sssp_find_loops(g));
    return fri_gpu_check(g, cudaStreamSynchronize(g->stream), "preparing");
}

fr_status fri_gpu_prepare(fri_job *job) {
    fri_gpu *g = fri_calloc(job->ctx, sizeof *g);
    if (!g)
        return FR_NOMEM;
    job->device = g;
    fri_gpu_describe(g, job);
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_time_init(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_gpu_check_memory(job));
    fri_gpu_apsp_plan(g);
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking),
                              "creating a stream"));
    g->copy_stream = g->stream;
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->begin), "creating an event"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreate(&g->end), "creating an event"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventCreateWithFlags(&g->upload_event, cudaEventDisableTiming),
                              "creating an event"));
    FRI_GPU_TRY(fri_gpu_acquire_control(g));
    fri_gpu_ranges_open(g);
    FRI_GPU_TRY(upload(g));
    return finish(g);
}

void fri_gpu_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    for (int i = 0; i < g->blocks; i++)
        cudaFree(g->block[i]);
    job->ctx->gpu_bytes -= g->allocated_bytes;
    fri_gpu_release_control(g);
    if (g->begin)
        cudaEventDestroy(g->begin);
    if (g->end)
        cudaEventDestroy(g->end);
    if (g->upload_event)
        cudaEventDestroy(g->upload_event);
    if (g->stream)
        cudaStreamDestroy(g->stream);
    fri_gpu_ranges_close(g);
    fri_free(g->state);
    fri_free(g);
    job->device = NULL;
}
