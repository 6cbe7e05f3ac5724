#include "cuda/graph/resident.h"
#include "cuda/device/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One allocation; under the SIMT executor one per part. Objects that several contexts own come from
 * malloc: a context's allocator may be the caller's, and may no longer exist. */
typedef struct fri_resident_block {
    struct fri_resident_block *next;
    struct fri_resident_charge *charge; /* until it is published */
    int device;
    int users; /* atomic: solvers; grows only under the lock */
    bool used; /* by the solver that makes it */
    size_t bytes;
    int allocations, count;
    void *memory[FRI_MAX_PARTS];
    size_t memory_bytes[FRI_MAX_PARTS];
    struct {
        fri_part_kind kind;
        uint32_t variant;
        const void *at;
    } part[FRI_MAX_PARTS];
} fri_resident_block;

typedef struct fri_resident {
    fri_attachment attachment;
    int owners;           /* atomic: the graph, contexts, solvers */
    int orphan;           /* atomic: 1 once the graph is freed */
    pthread_mutex_t lock; /* recursive */
    fri_resident_block *blocks;
    fri_resident_block
        borrowed;      /* a caller's arrays, which count one user more; at the end of blocks */
    fr_device_csr csr; /* the same */
} fri_resident;

/* A graph that solvers of a context have used. */
typedef struct fri_resident_link {
    struct fri_resident_link *next;
    fri_resident *resident;
} fri_resident_link;

/* A block that counts in a context's gpu_bytes. */
typedef struct fri_resident_charge {
    struct fri_resident_charge *next;
    const fri_resident_block *block;
    int solvers;
} fri_resident_charge;

/* ---- the object -------------------------------------------------------------------------- */

static size_t free_unused(fri_resident *r, int device) {
    size_t freed = 0;
    for (fri_resident_block **at = &r->blocks; *at;) {
        fri_resident_block *b = *at;
        /* acquire: the last user has finished with it */
        if (__atomic_load_n(&b->users, __ATOMIC_ACQUIRE) || (device >= 0 && b->device != device)) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        freed += b->bytes;
        for (int i = 0; i < b->allocations; i++)
            cudaFree(b->memory[i]);
        free(b);
    }
    return freed;
}

static void leave_object(fri_resident *r) {
    if (__atomic_sub_fetch(&r->owners, 1, __ATOMIC_ACQ_REL))
        return;
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static void free_with_graph(fri_attachment *self, const fr_graph *graph) {
    fri_resident *r = (fri_resident *)(void *)self;
    (void)graph;
    pthread_mutex_lock(&r->lock);
    __atomic_store_n(&r->orphan, 1, __ATOMIC_RELAXED);
    free_unused(r, -1);
    pthread_mutex_unlock(&r->lock);
    leave_object(r);
}

static fri_resident *new_object(void) {
    pthread_mutexattr_t recursive;
    fri_resident *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->attachment.free = free_with_graph;
    r->owners = 1;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&r->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return r;
}

static fri_resident *object_of(const fri_job *job) {
    return job->graph
               ? (fri_resident *)(void *)__atomic_load_n(&job->graph->resident, __ATOMIC_ACQUIRE)
               : NULL;
}

static fr_status make_object(const fri_job *job, fri_resident **out) {
    *out = object_of(job);
    if (*out)
        return FR_OK;
    fri_resident *fresh = new_object();
    if (!fresh)
        return fri_fail(job->ctx, FR_NOMEM, "not enough memory for a graph's copy");
    *out = fresh;
    if (!job->graph)
        return FR_OK;
    *out = (fri_resident *)(void *)fri_graph_attach(&job->graph->resident, &fresh->attachment);
    if (*out != fresh)
        leave_object(fresh);
    return FR_OK;
}

/* ---- the links of a context -------------------------------------------------------------- */

/* Drops the links to freed graphs, or all. */
static void sweep(struct fri_gpu_context *own, bool all) {
    for (fri_resident_link **at = &own->links; *at;) {
        fri_resident_link *link = *at;
        if (!all && !__atomic_load_n(&link->resident->orphan, __ATOMIC_RELAXED)) {
            at = &link->next;
            continue;
        }
        *at = link->next;
        leave_object(link->resident);
        fri_free(link);
    }
}

void fri_resident_forget(struct fri_gpu_context *own) {
    sweep(own, true);
    while (own->charges) {
        fri_resident_charge *next = own->charges->next;
        fri_free(own->charges);
        own->charges = next;
    }
}

static fr_status link_context(fr_ctx *ctx, fri_resident *r) {
    sweep(ctx->gpu, false);
    for (fri_resident_link *link = ctx->gpu->links; link; link = link->next)
        if (link->resident == r)
            return FR_OK;
    fri_resident_link *link = fri_alloc(ctx, sizeof *link);
    if (!link)
        return FR_NOMEM;
    *link = (fri_resident_link){ctx->gpu->links, r};
    __atomic_add_fetch(&r->owners, 1, __ATOMIC_RELAXED);
    ctx->gpu->links = link;
    return FR_OK;
}

static fri_resident_charge *charge_of(const fr_ctx *ctx, const fri_resident_block *block) {
    fri_resident_charge *charge = ctx->gpu->charges;
    while (charge && charge->block != block)
        charge = charge->next;
    return charge;
}

static bool is_charged(fr_ctx *ctx, const fri_resident_block *block) {
    pthread_mutex_lock(&ctx->gpu->lock);
    const bool is = charge_of(ctx, block) != NULL;
    pthread_mutex_unlock(&ctx->gpu->lock);
    return is;
}

/* One more solver of the context uses the block; `fresh` becomes its charge if it had none. */
static void charge_block(fr_ctx *ctx, const fri_resident_block *block, fri_resident_charge *fresh) {
    pthread_mutex_lock(&ctx->gpu->lock);
    fri_resident_charge *charge = charge_of(ctx, block);
    if (!charge) {
        *fresh = (fri_resident_charge){ctx->gpu->charges, block, 0};
        ctx->gpu->charges = charge = fresh;
    }
    charge->solvers++;
    pthread_mutex_unlock(&ctx->gpu->lock);
    if (charge != fresh)
        fri_free(fresh);
}

static void discharge_block(fr_ctx *ctx, const fri_resident_block *block) {
    fri_resident_charge *last = NULL;
    pthread_mutex_lock(&ctx->gpu->lock);
    for (fri_resident_charge **at = &ctx->gpu->charges; *at && !last; at = &(*at)->next)
        if ((*at)->block == block) {
            if (--(*at)->solvers)
                break;
            last = *at;
            *at = last->next;
            break;
        }
    pthread_mutex_unlock(&ctx->gpu->lock);
    if (last)
        fri_gpu_count_bytes(ctx, 0, block->bytes);
    fri_free(last);
}

size_t fri_resident_evictable(fr_ctx *ctx) {
    size_t bytes = 0;
    for (fri_resident_link *link = ctx->gpu->links; link; link = link->next) {
        if (pthread_mutex_trylock(&link->resident->lock))
            continue; /* another thread makes parts */
        for (const fri_resident_block *b = link->resident->blocks; b; b = b->next)
            if (b->device == ctx->device && !__atomic_load_n(&b->users, __ATOMIC_ACQUIRE))
                bytes += b->bytes;
        pthread_mutex_unlock(&link->resident->lock);
    }
    return bytes;
}

size_t fri_resident_evict(fr_ctx *ctx) {
    size_t bytes = 0;
    for (fri_resident_link *link = ctx->gpu->links; link; link = link->next) {
        if (pthread_mutex_trylock(&link->resident->lock))
            continue;
        bytes += free_unused(link->resident, ctx->device);
        pthread_mutex_unlock(&link->resident->lock);
    }
    return bytes;
}

/* ---- the parts of a job ------------------------------------------------------------------ */

enum { DOUBLES = FR_TYPE_F64 + 1, UNIT_WEIGHTS };

/* Identifies the weights as they are stored on the device. */
uint32_t fri_resident_weights(const fri_gpu *g) {
    const fr_csr *csr = &g->job->csr;
    if (!csr->weights)
        return 0;
    if (g->job->graph && g->job->own_weights)
        return UNIT_WEIGHTS;
    return csr->weight_type == FR_TYPE_F32 && g->dist_type == FR_TYPE_F64
               ? DOUBLES
               : (uint32_t)csr->weight_type;
}

int fri_resident_wanted(fri_gpu *g, fri_part out[FRI_MAX_PARTS]) {
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
    out[count++] = (fri_part){FRI_PART_OFFSETS, width, offsets, &g->out.offsets};
    out[count++] = (fri_part){FRI_PART_TARGETS, change, targets, &g->out.targets};
    if (csr->weights)
        out[count++] = (fri_part){FRI_PART_WEIGHTS, rows.weights ? change : weights,
                                  fri_bytes(g->m, fri_gpu_weight_size(g, csr)), &g->out.weights};
    if (rows.extra)
        out[count++] = (fri_part){FRI_PART_EXTRA, change, rows.extra, &g->row_extra};
    if ((g->job->strategy->needs & FRI_NEEDS_IN_EDGES) && !csr->symmetric) {
        out[count++] = (fri_part){FRI_PART_IN_OFFSETS, width, offsets, &g->in.offsets};
        out[count++] = (fri_part){FRI_PART_IN_TARGETS, 0, targets, &g->in.targets};
    }
    return count;
}

/* The index of the part in the block, -1: it has none. */
static int index_in(const fri_resident_block *b, fri_part_kind kind, uint32_t variant) {
    for (int i = 0; i < b->count; i++)
        if (b->part[i].kind == kind && b->part[i].variant == variant)
            return i;
    return -1;
}

static fri_resident_block *block_of(const fri_resident *r, int device, fri_part_kind kind,
                                    uint32_t variant) {
    fri_resident_block *b = r ? r->blocks : NULL;
    while (b && (b->device != device || index_in(b, kind, variant) < 0))
        b = b->next;
    return b;
}

size_t fri_resident_block_bytes(const fri_resident_block *block) { return block->bytes; }

bool fri_resident_uses(const fri_gpu *g, fri_part_kind kind, uint32_t variant) {
    for (int i = 0; i < g->held_count; i++)
        if (index_in(g->held[i], kind, variant) >= 0)
            return true;
    return false;
}

bool fri_resident_is_there(const fri_gpu *g, const fri_part *part) {
    for (int i = 0; i < g->fresh_count; i++)
        if (index_in(g->fresh[i], part->kind, part->variant) >= 0)
            return true;
    return fri_resident_uses(g, part->kind, part->variant);
}

const void *fri_resident_find(const fri_gpu *g, fri_part_kind kind, uint32_t variant) {
    const fri_resident_block *b = block_of(g->resident, g->job->ctx->device, kind, variant);
    return b ? b->part[index_in(b, kind, variant)].at : NULL;
}

static fri_resident *lock_object(const fri_gpu *g) {
    fri_resident *r = g->resident ? g->resident : object_of(g->job);
    if (r)
        pthread_mutex_lock(&r->lock);
    return r;
}
static void unlock_object(fri_resident *r) {
    if (r)
        pthread_mutex_unlock(&r->lock);
}

size_t fri_resident_missing_bytes(const fri_gpu *g) {
    fri_part part[FRI_MAX_PARTS];
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
    const fri_part part = {.kind = FRI_PART_IN_OFFSETS, .variant = width};
    if (fri_resident_is_there(g, &part))
        return true;
    fri_resident *r = lock_object(g);
    const bool has = block_of(r, device, FRI_PART_IN_OFFSETS, width) &&
                     block_of(r, device, FRI_PART_IN_TARGETS, 0);
    unlock_object(r);
    return has;
}

void fri_resident_claims(fri_gpu *g, size_t *unused, size_t *uncharged) {
    const fri_resident_block *seen[FRI_MAX_PARTS];
    fri_part part[FRI_MAX_PARTS];
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
        *uncharged += is_charged(g->job->ctx, b) ? 0 : b->bytes;
    }
    unlock_object(r);
}

/* ---- a caller's arrays ------------------------------------------------------------------- */

static void add_borrowed(fri_resident_block *b, fri_part_kind kind, uint32_t variant,
                         const void *at) {
    b->part[b->count].kind = kind;
    b->part[b->count].variant = variant;
    b->part[b->count++].at = at;
}

fr_status fri_resident_lend(fr_ctx *ctx, fr_graph *graph, const fr_device_csr *csr) {
    fri_resident *r = new_object();
    if (!r)
        return fri_fail(ctx, FR_NOMEM, "not enough memory for a graph's copy");
    r->csr = *csr;
    r->borrowed.device = ctx->device;
    r->borrowed.users = 1;
    add_borrowed(&r->borrowed, FRI_PART_OFFSETS, (uint32_t)fr_type_size(csr->offset_type),
                 csr->offsets);
    add_borrowed(&r->borrowed, FRI_PART_TARGETS, 0, csr->targets);
    if (csr->weight_type)
        add_borrowed(&r->borrowed, FRI_PART_WEIGHTS, (uint32_t)csr->weight_type, csr->weights);
    r->blocks = &r->borrowed;
    graph->resident = &r->attachment;
    return FR_OK;
}

const fr_device_csr *fri_resident_lock_lent(const fr_graph *graph) {
    fri_resident *r = (fri_resident *)(void *)graph->resident;
    pthread_mutex_lock(&r->lock);
    return &r->csr;
}

void fri_resident_unlock_lent(const fr_graph *graph) {
    pthread_mutex_unlock(&((fri_resident *)(void *)graph->resident)->lock);
}

/* ---- use --------------------------------------------------------------------------------- */

static void point_to(const fri_part *part, const fri_resident_block *b) {
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
    if (!is_charged(ctx, b))
        fri_gpu_count_bytes(ctx, b->bytes, 0);
    charge_block(ctx, b, fresh);
    __atomic_add_fetch(&b->users, 1, __ATOMIC_RELAXED);
    g->held[g->held_count++] = b;
    return FR_OK;
}

static fr_status use_existing(fri_gpu *g) {
    fri_part part[FRI_MAX_PARTS];
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
    FRI_GPU_TRY(make_object(g->job, &r));
    if (g->job->graph) {
        FRI_GPU_TRY(link_context(g->job->ctx, r));
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

static fr_status take_parts(fri_gpu *g, fri_resident_block *b, const fri_part *parts, int count) {
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

fr_status fri_resident_add(fri_gpu *g, const fri_part *parts, int count, bool used) {
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
            charge_block(ctx, b, b->charge);
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
        discharge_block(g->job->ctx, b);
        __atomic_sub_fetch(&b->users, 1, __ATOMIC_RELEASE); /* now another thread may free it */
    }
    if (!r)
        return;
    if (!g->job->graph || __atomic_load_n(&r->orphan, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&r->lock);
        free_unused(r, -1);
        pthread_mutex_unlock(&r->lock);
    }
    leave_object(r);
    g->resident = NULL;
}
