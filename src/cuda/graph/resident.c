#include "cuda/graph/resident_object.h"
#include "cuda/device/context.h"

#include <stdlib.h>
#include <string.h>

/* ---- the parts of a job ------------------------------------------------------------------ */

enum { DOUBLES = FR_TYPE_F64 + 1, UNIT_WEIGHTS };

/* Identifies the weights as they are stored on the device. */
uint32_t fri_resident_weights(const fri_gpu *g) {
    const fr_csr *csr = &g->job->csr;
    if (!csr->weights)
        return 0;
    if (g->job->in->graph && g->job->own_weights)
        return UNIT_WEIGHTS;
    return csr->weight_type == FR_TYPE_F32 && g->dist_type == FR_TYPE_F64
               ? DOUBLES
               : (uint32_t)csr->weight_type;
}

int fri_resident_wanted(fri_gpu *g, fri_resident_part out[FRI_RESIDENT_PARTS]) {
    const fr_csr *csr = &g->job->csr;
    const uint32_t width = g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t);
    const size_t offsets = fri_bytes((int64_t)g->n + 1, width);
    const size_t targets = fri_bytes(g->m, sizeof(int32_t));
    /* APSP `auto` has no device side of its own */
    const bool changes = g->strategy && g->strategy->rows;
    fri_gpu_rows rows = changes ? g->strategy->rows(g) : (fri_gpu_rows){0};
    const uint32_t weights = fri_resident_weights(g);
    const uint32_t change = rows.variant ? rows.variant << 8 | weights : 0;
    int count = 0;
    out[count++] = (fri_resident_part){FRI_RESIDENT_OFFSETS, width, offsets, &g->out.offsets};
    out[count++] = (fri_resident_part){FRI_RESIDENT_TARGETS, change, targets, &g->out.targets};
    if (csr->weights)
        out[count++] =
            (fri_resident_part){FRI_RESIDENT_WEIGHTS, rows.weights ? change : weights,
                                fri_bytes(g->m, fri_gpu_weight_size(g, csr)), &g->out.weights};
    if (rows.extra)
        out[count++] = (fri_resident_part){FRI_RESIDENT_EXTRA, change, rows.extra, &g->row_extra};
    if ((g->job->strategy->needs & FRI_NEEDS_IN_EDGES) && !csr->symmetric) {
        out[count++] = (fri_resident_part){FRI_RESIDENT_IN_OFFSETS, width, offsets, &g->in.offsets};
        out[count++] = (fri_resident_part){FRI_RESIDENT_IN_TARGETS, 0, targets, &g->in.targets};
    }
    return count;
}

/* The index of the part in the block, -1: it has none. */
static int index_in(const fri_resident_block *b, fri_resident_kind kind, uint32_t variant) {
    for (int i = 0; i < b->count; i++)
        if (b->part[i].kind == kind && b->part[i].variant == variant)
            return i;
    return -1;
}

static fri_resident_block *block_of(const fri_resident *r, int device, fri_resident_kind kind,
                                    uint32_t variant) {
    fri_resident_block *b = r ? r->blocks : NULL;
    while (b && (b->device != device || index_in(b, kind, variant) < 0))
        b = b->next;
    return b;
}

size_t fri_resident_block_bytes(const fri_resident_block *block) { return block->bytes; }

bool fri_resident_uses(const fri_gpu *g, fri_resident_kind kind, uint32_t variant) {
    for (int i = 0; i < g->held_count; i++)
        if (index_in(g->held[i], kind, variant) >= 0)
            return true;
    return false;
}

bool fri_resident_is_there(const fri_gpu *g, const fri_resident_part *part) {
    for (int i = 0; i < g->fresh_count; i++)
        if (index_in(g->fresh[i], part->kind, part->variant) >= 0)
            return true;
    return fri_resident_uses(g, part->kind, part->variant);
}

const void *fri_resident_find(const fri_gpu *g, fri_resident_kind kind, uint32_t variant) {
    const fri_resident_block *b = block_of(g->resident, g->job->ctx->device, kind, variant);
    return b ? b->part[index_in(b, kind, variant)].at : NULL;
}

static fri_resident *lock_object(const fri_gpu *g) {
    fri_resident *r = g->resident ? g->resident : fri_resident_object_of(g->job);
    if (r)
        pthread_mutex_lock(&r->lock);
    return r;
}
static void unlock_object(fri_resident *r) {
    if (r)
        pthread_mutex_unlock(&r->lock);
}

size_t fri_resident_missing_bytes(const fri_gpu *g) {
    fri_resident_part part[FRI_RESIDENT_PARTS];
    const int count = fri_resident_wanted((fri_gpu *)(uintptr_t)g, part);
    size_t bytes = 0;
    fri_resident *r = lock_object(g);
    for (int i = 0; i < count; i++)
        if (!fri_resident_is_there(g, &part[i]) &&
            !block_of(r, g->job->ctx->device, part[i].kind, part[i].variant))
            bytes += fri_gpu_align(part[i].bytes);
    unlock_object(r);
    return bytes;
}

bool fri_resident_has_in_edges(const fri_gpu *g) {
    const uint32_t width = g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t);
    const int device = g->job->ctx->device;
    const fri_resident_part part = {.kind = FRI_RESIDENT_IN_OFFSETS, .variant = width};
    if (fri_resident_is_there(g, &part))
        return true;
    fri_resident *r = lock_object(g);
    const bool has = block_of(r, device, FRI_RESIDENT_IN_OFFSETS, width) &&
                     block_of(r, device, FRI_RESIDENT_IN_TARGETS, 0);
    unlock_object(r);
    return has;
}

void fri_resident_claims(fri_gpu *g, size_t *unused, size_t *uncharged) {
    const fri_resident_block *seen[FRI_RESIDENT_PARTS];
    fri_resident_part part[FRI_RESIDENT_PARTS];
    const int count = fri_resident_wanted(g, part);
    int blocks = 0;
    *unused = *uncharged = 0;
    fri_resident *r = lock_object(g);
    for (int i = 0; i < count; i++) {
        const fri_resident_block *b =
            block_of(r, g->job->ctx->device, part[i].kind, part[i].variant);
        for (int k = 0; k < blocks && b; k++)
            b = seen[k] == b ? NULL : b;
        if (!b)
            continue;
        seen[blocks++] = b;
        *unused += __atomic_load_n(&b->users, __ATOMIC_ACQUIRE) ? 0 : b->bytes;
        *uncharged += fri_resident_is_charged(g->job->ctx, b) ? 0 : b->bytes;
    }
    unlock_object(r);
}

/* ---- a caller's arrays ------------------------------------------------------------------- */

static void add_borrowed(fri_resident_block *b, fri_resident_kind kind, uint32_t variant,
                         const void *at) {
    b->part[b->count].kind = kind;
    b->part[b->count].variant = variant;
    b->part[b->count++].at = at;
}

fr_status fri_resident_borrow(fr_ctx *ctx, fr_graph *graph, const fr_device_csr *csr) {
    fri_resident *r = fri_resident_new_object();
    if (!r)
        return fri_fail(ctx, FR_NOMEM, "not enough memory for a graph's copy");
    r->csr = *csr;
    r->borrowed.device = ctx->device;
    r->borrowed.users = 1;
    add_borrowed(&r->borrowed, FRI_RESIDENT_OFFSETS, (uint32_t)fr_type_size(csr->offset_type),
                 csr->offsets);
    add_borrowed(&r->borrowed, FRI_RESIDENT_TARGETS, 0, csr->targets);
    if (csr->weight_type)
        add_borrowed(&r->borrowed, FRI_RESIDENT_WEIGHTS, (uint32_t)csr->weight_type, csr->weights);
    r->blocks = &r->borrowed;
    graph->resident = &r->attachment;
    return FR_OK;
}

const fr_device_csr *fri_resident_lock_borrowed(const fr_graph *graph) {
    fri_resident *r = (fri_resident *)(void *)graph->resident;
    pthread_mutex_lock(&r->lock);
    return &r->csr;
}

void fri_resident_unlock_borrowed(const fr_graph *graph) {
    pthread_mutex_unlock(&((fri_resident *)(void *)graph->resident)->lock);
}

/* ---- use --------------------------------------------------------------------------------- */

static void point_to(const fri_resident_part *part, const fri_resident_block *b) {
    memcpy(part->to, &b->part[index_in(b, part->kind, part->variant)].at, sizeof(void *));
}

static fr_status use_block(fri_gpu *g, fri_resident_block *b) {
    fr_ctx *ctx = g->job->ctx;
    for (int i = 0; i < g->held_count; i++)
        if (g->held[i] == b)
            return FR_OK;
    fri_resident_charge *fresh = fri_alloc(ctx, sizeof *fresh);
    if (!fresh)
        return FR_NOMEM;
    if (!fri_resident_is_charged(ctx, b))
        fri_gpu_count_bytes(ctx, b->bytes, 0);
    fri_resident_charge_block(ctx, b, fresh);
    __atomic_add_fetch(&b->users, 1, __ATOMIC_RELAXED);
    g->held[g->held_count++] = b;
    return FR_OK;
}

static fr_status use_existing(fri_gpu *g) {
    fri_resident_part part[FRI_RESIDENT_PARTS];
    const int count = fri_resident_wanted(g, part);
    for (int i = 0; i < count; i++) {
        fri_resident_block *b =
            block_of(g->resident, g->job->ctx->device, part[i].kind, part[i].variant);
        if (!b)
            continue;
        FRI_GPU_TRY(use_block(g, b));
        point_to(&part[i], b);
    }
    return FR_OK;
}

fr_status fri_resident_enter(fri_gpu *g) {
    fri_resident *r;
    FRI_GPU_TRY(fri_resident_make_object(g->job, &r));
    if (g->job->in->graph) {
        FRI_GPU_TRY(fri_resident_link_context(g->job->ctx, r));
        __atomic_add_fetch(&r->owners, 1, __ATOMIC_RELAXED);
    } /* otherwise the solver is the only owner */
    g->resident = r;
    pthread_mutex_lock(&r->lock);
    fr_status status = use_existing(g);
    if (status)
        pthread_mutex_unlock(&r->lock);
    return status;
}

void fri_resident_leave(fri_gpu *g) { pthread_mutex_unlock(&g->resident->lock); }

static fr_status take_memory(fri_gpu *g, fri_resident_block *b, size_t bytes, void **out) {
    FRI_GPU_TRY(fri_gpu_take(g, out, bytes));
    b->memory[b->allocations] = *out;
    b->memory_bytes[b->allocations++] = bytes;
    b->bytes += bytes;
    return FR_OK;
}

static fr_status take_parts(fri_gpu *g, fri_resident_block *b, const fri_resident_part *parts,
                            int count) {
    size_t all = 0;
    void *block = NULL;
    for (int i = 0; i < count; i++)
        all += fri_gpu_align(parts[i].bytes);
    if (!FRI_GPU_SEPARATE_BUFFERS && all)
        FRI_GPU_TRY(take_memory(g, b, all, &block));
    char *at = block;
    for (int i = 0; i < count; i++) {
        const size_t bytes = fri_gpu_align(parts[i].bytes);
        void *own = bytes ? at : NULL;
        if (FRI_GPU_SEPARATE_BUFFERS && bytes)
            FRI_GPU_TRY(take_memory(g, b, bytes, &own));
        at += FRI_GPU_SEPARATE_BUFFERS ? 0 : bytes;
        b->part[b->count].kind = parts[i].kind;
        b->part[b->count].variant = parts[i].variant;
        b->part[b->count++].at = own;
    }
    return FR_OK;
}

fr_status fri_resident_add(fri_gpu *g, const fri_resident_part *parts, int count, bool used) {
    fr_ctx *ctx = g->job->ctx;
    fri_resident_block *b = calloc(1, sizeof *b);
    if (!b)
        return fri_fail(ctx, FR_NOMEM, "not enough memory for a graph's copy");
    g->fresh[g->fresh_count++] = b; /* fri_resident_release frees it if it is never published */
    b->device = ctx->device;
    b->used = used;
    b->charge = fri_alloc(ctx, sizeof *b->charge);
    if (!b->charge)
        return FR_NOMEM;
    FRI_GPU_TRY(take_parts(g, b, parts, count));
    for (int i = 0; i < count; i++)
        point_to(&parts[i], b);
    return FR_OK;
}

void fri_resident_publish(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    for (int i = 0; i < g->fresh_count; i++) {
        fri_resident_block *b = g->fresh[i];
        b->next = g->resident->blocks;
        g->resident->blocks = b;
        b->users = b->used;
        if (b->used) {
            fri_resident_charge_block(ctx, b, b->charge);
            g->held[g->held_count++] = b;
        } else {
            fri_gpu_count_bytes(ctx, 0, b->bytes);
            fri_free(b->charge);
        }
        b->charge = NULL;
    }
    g->fresh_count = 0;
}

static void discard(fri_gpu *g, fri_resident_block *b) {
    for (int i = 0; i < b->allocations; i++)
        fri_gpu_give(g->job->ctx, b->memory[i], b->memory_bytes[i]);
    fri_free(b->charge);
    free(b);
}

void fri_resident_release(fri_gpu *g) {
    fri_resident *r = g->resident;
    while (g->fresh_count)
        discard(g, g->fresh[--g->fresh_count]);
    while (g->held_count) {
        fri_resident_block *b = g->held[--g->held_count];
        fri_resident_discharge_block(g->job->ctx, b);
        __atomic_sub_fetch(&b->users, 1, __ATOMIC_RELEASE); /* now another thread may free it */
    }
    if (!r)
        return;
    if (!g->job->in->graph || __atomic_load_n(&r->orphan, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&r->lock);
        fri_resident_free_unused(r, -1);
        pthread_mutex_unlock(&r->lock);
    }
    fri_resident_leave_object(r);
    g->resident = NULL;
}
