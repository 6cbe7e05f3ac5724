/* Uploads the graph: implements fri_strategy.prepare for GPU strategies. */
#include "cuda/device/context.h"
#include "cuda/device/memory_plan.h"
#include "cuda/device/results/results.h"
#include "cuda/drivers/apsp.h"
#include "cuda/drivers/sssp.h"
#include "cuda/graph/resident.h"

#include "base/bitmap.h"

#include <string.h>

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

/* The parts of the graph that the solver has to make, and where they go. */
typedef struct {
    fri_resident_part part[FRI_RESIDENT_PARTS];
    int count;
} part_list;

static bool is_of_in_edges(const fri_resident_part *part) {
    return part->kind == FRI_RESIDENT_IN_OFFSETS || part->kind == FRI_RESIDENT_IN_TARGETS;
}

static part_list missing_parts(fri_gpu *g, bool inward) {
    fri_resident_part all[FRI_RESIDENT_PARTS];
    const int count = fri_resident_wanted(g, all);
    part_list missing = {.count = 0};
    for (int i = 0; i < count; i++)
        if (is_of_in_edges(&all[i]) == inward && !fri_resident_is_there(g, &all[i]))
            missing.part[missing.count++] = all[i];
    return missing;
}

static const fri_resident_part *part_of(const part_list *list, fri_resident_kind kind) {
    for (int i = 0; i < list->count; i++)
        if (list->part[i].kind == kind)
            return &list->part[i];
    return NULL;
}

/* Whether the device builds the in-edges for this solver. */
static bool makes_in_edges(const fri_gpu *g) {
    return wants_in_edges(g->job) && g->job->makes_in_edges &&
           !fri_resident_uses(g, FRI_RESIDENT_IN_TARGETS, 0);
}

/* Bytes of a block that serves first as the scratch of the transpose, then as the strategy's arrays. 0 if
 * the arrays need far less than the transpose, or in-edges are not built here. */
static size_t shared_scratch_bytes(const fri_gpu *g) {
    const size_t transpose = makes_in_edges(g) ? fri_gpu_transpose_bytes(g) : 0;
    const bool own = FRI_GPU_SEPARATE_BUFFERS || g->job->in->problem == FR_PROBLEM_APSP;
    const size_t arrays = own ? 0 : fri_gpu_vertex_bytes(g);
    return !own && transpose && arrays >= transpose / 2 ? FRI_MAX(transpose, arrays) : 0;
}

static fr_status take_control(fri_gpu *g) {
    void *words;
    const fri_gpu_buffer part = {&words, FRI_GPU_CONTROL_BYTES};
    FRI_GPU_TRY(fri_gpu_alloc_many(g, &part, 1));
    g->control = words;
    g->out.counts = (unsigned long long *)(void *)(g->control + FRI_GPU_CONTROL_WORDS);
    return FR_OK;
}

/* Includes g->reserved for the strategy's arrays. */
static fr_status take_in_edges(fri_gpu *g) {
    const part_list missing = missing_parts(g, true);
    const size_t bytes = fri_gpu_align(shared_scratch_bytes(g));
    void *kept;
    if (missing.count)
        FRI_GPU_TRY(fri_resident_add(g, missing.part, missing.count, true));
    if (!wants_in_edges(g->job))
        g->in = g->out;
    g->in.counts = g->out.counts;
    FRI_GPU_TRY(fri_gpu_alloc(g, &kept, bytes));
    g->transpose_scratch = g->reserved = kept;
    g->reserved_bytes = bytes;
    return FR_OK;
}

static fr_status take_vertex_arrays(fri_gpu *g) {
    size_t vertices = fri_bytes(g->n, sizeof(int32_t));
    void *parent, *sources, *map, *scratch;
    const bool sssp = g->job->in->problem == FR_PROBLEM_SSSP && !fri_gpu_has_levels(g);
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

static fr_status take_scratch(fri_gpu *g) {
    void *scratch;
    const fri_gpu_buffer piece = {&scratch, g->strategy->scratch ? g->strategy->scratch(g) : 0};
    FRI_GPU_TRY(fri_gpu_alloc_many(g, &piece, 1));
    g->scratch = scratch;
    return FR_OK;
}

static fr_status take_arrays(fri_gpu *g) {
    const bool apsp = g->job->in->problem == FR_PROBLEM_APSP;
    if (!apsp && !g->strategy->scratch_only)
        return take_vertex_arrays(g);
    FRI_GPU_TRY(take_scratch(g));
    return apsp ? fri_gpu_apsp_alloc(g) : FR_OK;
}

/* Whether the scratch of the transpose is freed before the strategy's arrays are allocated. */
static bool frees_transpose_scratch(const fri_gpu *g) {
    return makes_in_edges(g) && !shared_scratch_bytes(g);
}

static fr_status take_rest(fri_gpu *g) {
    void *scratch;
    FRI_GPU_TRY(take_in_edges(g));
    if (!frees_transpose_scratch(g))
        return take_arrays(g);
    FRI_GPU_TRY(fri_gpu_alloc(g, &scratch, fri_gpu_transpose_bytes(g)));
    g->transpose_scratch = scratch;
    return FR_OK;
}

/* Runs while the edges are uploaded: cudaMalloc takes half a millisecond for memory freed just
 * before, and the other steps take as long for a process's first solver. */
static fr_status prepare_meanwhile(fri_gpu *g) {
    FRI_GPU_TRY(take_control(g));
    FRI_GPU_TRY(take_rest(g));
    if (makes_in_edges(g))
        fri_gpu_transpose_load(g);
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    return g->strategy->prepare_during_upload ? g->strategy->prepare_during_upload(g) : FR_OK;
}
static fr_status make_in_edges(fri_gpu *g, size_t bytes) {
    return makes_in_edges(g) ? fri_gpu_transpose(g, (int64_t)(bytes / sizeof(int32_t))) : FR_OK;
}

/* ---- parts, from the host or from other parts ----------------------------------------------- */

static void *address_of(const fri_resident_part *part) {
    void *at;
    memcpy(&at, part->to, sizeof at);
    return at;
}

static fr_status copy_on_device(fri_gpu *g, void *to, const void *from, size_t bytes) {
    return fri_gpu_check(g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, g->stream),
                         "copying on the device");
}

static fr_status make_offsets(fri_gpu *g, const fri_resident_part *part, const fr_csr *csr) {
    const uint32_t narrow = sizeof(uint32_t), wide = sizeof(int64_t);
    const bool widen = part->variant == wide;
    const void *other = fri_resident_find(g, part->kind, widen ? narrow : wide);
    if (other) {
        fri_gpu_convert_offsets(g, other, address_of(part), widen, (int64_t)g->n + 1);
        return fri_gpu_check(g, cudaGetLastError(), "converting offsets");
    }
    return widen ? fri_gpu_upload(g, address_of(part), csr->offsets, part->bytes)
                 : fri_gpu_upload_narrow(g, address_of(part), csr->offsets, (int64_t)g->n + 1);
}

static fr_status make_weights(fri_gpu *g, const fri_resident_part *part) {
    const fr_csr *csr = &g->job->csr;
    const void *other = fri_resident_find(g, FRI_RESIDENT_WEIGHTS, fri_resident_weights(g));
    if (other)
        return copy_on_device(g, address_of(part), other, part->bytes);
    if (g->dist_type == FR_TYPE_F64 && csr->weight_type == FR_TYPE_F32)
        return upload_doubles(g, address_of(part), csr->weights, csr->m);
    return fri_gpu_upload(g, address_of(part), csr->weights, part->bytes);
}

/* Targets that a strategy will change: if memory is plentiful, the unchanged ones are kept, too, so
 * that other strategies need no upload. *out: where; NULL: they are not kept. */
static fr_status keep_plain_targets(fri_gpu *g, const fri_resident_part *part, void **out) {
    size_t free_bytes;
    const fri_resident_part plain = {FRI_RESIDENT_TARGETS, 0, part->bytes, out};
    *out = NULL;
    FRI_GPU_TRY(fri_gpu_free_bytes(g->job->ctx, &free_bytes));
    if (!g->job->in->graph || g->job->ctx->max_gpu_bytes ||
        g->job->strategy->device_bytes(g->job) + part->bytes > free_bytes / 2)
        return FR_OK;
    return fri_resident_add(g, &plain, 1, false);
}

static fr_status make_changed_targets(fri_gpu *g, const fri_resident_part *part,
                                      const fri_gpu_overlap *overlap) {
    void *to = address_of(part), *plain;
    const void *from = fri_resident_find(g, FRI_RESIDENT_TARGETS, 0);
    if (from) {
        FRI_GPU_TRY(copy_on_device(g, to, from, part->bytes));
        FRI_GPU_TRY(overlap->first(g));
        return overlap->sent(g, part->bytes);
    }
    FRI_GPU_TRY(keep_plain_targets(g, part, &plain));
    FRI_GPU_TRY(fri_gpu_upload_overlapped(g, plain ? plain : to, g->job->csr.targets, part->bytes,
                                          overlap));
    return plain ? copy_on_device(g, to, plain, part->bytes) : FR_OK;
}

/* overlap: what runs during the upload, or alone if nothing is uploaded. */
static fr_status make_targets(fri_gpu *g, const fri_resident_part *part,
                              const fri_gpu_overlap *overlap) {
    if (part && part->variant)
        return make_changed_targets(g, part, overlap);
    if (part)
        return fri_gpu_upload_overlapped(g, address_of(part), g->job->csr.targets, part->bytes,
                                         overlap);
    FRI_GPU_TRY(overlap->first(g));
    return overlap->sent(g, fri_bytes(g->m, sizeof(int32_t)));
}

static fr_status make_host_in_edges(fri_gpu *g, const part_list *missing) {
    const fr_csr *in = &g->job->in_edges;
    const fri_resident_part *offsets = part_of(missing, FRI_RESIDENT_IN_OFFSETS);
    const fri_resident_part *targets = part_of(missing, FRI_RESIDENT_IN_TARGETS);
    if (offsets)
        FRI_GPU_TRY(make_offsets(g, offsets, in));
    return targets ? fri_gpu_upload(g, address_of(targets), in->targets, targets->bytes) : FR_OK;
}

typedef enum { BLOCK_ROWS, BLOCK_WEIGHTS, BLOCK_CHANGED, BLOCKS } block_kind;

/* Parts that the same strategies use share a block, so that a limit counts no others for them. */
static block_kind block_of(const fri_gpu *g, const fri_resident_part *part) {
    if (part->kind == FRI_RESIDENT_EXTRA || (part->kind == FRI_RESIDENT_TARGETS && part->variant))
        return BLOCK_CHANGED;
    if (part->kind != FRI_RESIDENT_WEIGHTS)
        return BLOCK_ROWS;
    return part->variant == fri_resident_weights(g) ? BLOCK_WEIGHTS : BLOCK_CHANGED;
}

static fr_status take_graph(fri_gpu *g, const part_list *missing) {
    for (block_kind kind = BLOCK_ROWS; kind < BLOCKS; kind++) {
        part_list of_kind = {.count = 0};
        for (int i = 0; i < missing->count; i++)
            if (block_of(g, &missing->part[i]) == kind)
                of_kind.part[of_kind.count++] = missing->part[i];
        if (of_kind.count)
            FRI_GPU_TRY(fri_resident_add(g, of_kind.part, of_kind.count, true));
    }
    return FR_OK;
}

static fr_status make_graph(fri_gpu *g, const part_list *missing) {
    static const fri_gpu_overlap overlap = {prepare_meanwhile, make_in_edges};
    const part_list inward = missing_parts(g, true);
    const fri_resident_part *offsets = part_of(missing, FRI_RESIDENT_OFFSETS);
    const fri_resident_part *weights = part_of(missing, FRI_RESIDENT_WEIGHTS);
    FRI_GPU_TRY(take_graph(g, missing));
    if (offsets)
        FRI_GPU_TRY(make_offsets(g, offsets, &g->job->csr));
    FRI_GPU_TRY(make_targets(g, part_of(missing, FRI_RESIDENT_TARGETS), &overlap));
    if (weights)
        FRI_GPU_TRY(make_weights(g, weights));
    return inward.count && !makes_in_edges(g) ? make_host_in_edges(g, &inward) : FR_OK;
}

/* The time of work overlapped with the upload is included. */
static fr_status upload(fri_gpu *g) {
    const part_list missing = missing_parts(g, false);
    const int64_t begin = fri_now_ns();
    fri_gpu_range_begin(g, "upload", -1);
    g->copy_stream = fri_gpu_copy_stream(g);
    fr_status status = make_graph(g, &missing);
    g->copy_stream = g->stream;
    fri_gpu_range_end(g);
    g->job->told.upload_ns += missing.count ? fri_now_ns() - begin : 0;
    return status;
}

/* Only the solver that makes the rows changes them. */
static fr_status change_rows(fri_gpu *g) {
    fri_gpu_rows rows = g->strategy->rows ? g->strategy->rows(g) : (fri_gpu_rows){0};
    fri_resident_part all[FRI_RESIDENT_PARTS];
    fri_resident_wanted(g, all);
    if (!rows.variant || fri_resident_uses(g, FRI_RESIDENT_TARGETS, all[1].variant))
        return FR_OK;
    return g->strategy->change_rows(g);
}

static fr_status finish(fri_gpu *g) {
    if (frees_transpose_scratch(g)) {
        FRI_GPU_TRY(fri_gpu_wait(g, "building in-edges"));
        fri_gpu_free(g, g->transpose_scratch, fri_gpu_transpose_bytes(g));
        FRI_GPU_TRY(take_arrays(g));
    }
    if (g->strategy->prepare_after_upload)
        FRI_GPU_TRY(g->strategy->prepare_after_upload(g));
    FRI_GPU_TRY(change_rows(g));
    FRI_GPU_TRY(fri_gpu_sssp_find_loops(g));
    return fri_gpu_wait(g, "preparing");
}

/* Called with the graph's copies locked. */
static fr_status prepare_locked(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_check_memory(g));
    fri_gpu_apsp_plan(g);
    g->job->told.rows_at_once = g->apsp.batch;
    FRI_GPU_TRY(fri_gpu_check(g, fri_gpu_streams_take(g), "creating a stream"));
    FRI_GPU_TRY(fri_gpu_acquire_control(g));
    fri_gpu_ranges_open(g);
    FRI_GPU_TRY(upload(g));
    FRI_GPU_TRY(finish(g));
    fri_resident_publish(g);
    return FR_OK;
}

fr_status fri_gpu_prepare(fri_job *job) {
    fri_gpu *g = fri_calloc(job->ctx, sizeof *g);
    if (!g)
        return FR_NOMEM;
    job->device = g;
    fri_gpu_bind_job(g, job);
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_time_init(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_resident_enter(g));
    fr_status status = prepare_locked(g);
    fri_resident_leave(g);
    return status;
}

/* An idle solver may be released by the thread that frees its graph: see core/idle_solvers.h. */
void fri_gpu_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    fri_gpu_batch_release(g);
    fri_gpu_streams_give(g); /* waits for the device */
    for (int i = 0; i < g->allocations; i++)
        fri_gpu_give(job->ctx, g->allocation[i], g->allocation_bytes[i]);
    fri_resident_release(g);
    fri_gpu_release_control(g);
    fri_gpu_ranges_close(g);
    fri_free(g->state);
    fri_free(g);
    job->device = NULL;
}
