/* The lifetime of a graph's copies in device memory: owners, blocks, what counts in a context's memory,
 * and eviction. resident.c makes and finds the parts in the blocks. */
#include "cuda/graph/resident_object.h"
#include "cuda/device/context.h"

#include <stdlib.h>

/* ---- the object -------------------------------------------------------------------------- */

size_t fri_resident_free_unused(fri_resident *r, int device) {
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

void fri_resident_leave_object(fri_resident *r) {
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
    fri_resident_free_unused(r, -1);
    pthread_mutex_unlock(&r->lock);
    fri_resident_leave_object(r);
}

fri_resident *fri_resident_new_object(void) {
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

fri_resident *fri_resident_object_of(const fri_job *job) {
    return job->in->graph ? (fri_resident *)(void *)__atomic_load_n(&job->in->graph->resident,
                                                                    __ATOMIC_ACQUIRE)
                          : NULL;
}

fr_status fri_resident_make_object(const fri_job *job, fri_resident **out) {
    *out = fri_resident_object_of(job);
    if (*out)
        return FR_OK;
    fri_resident *fresh = fri_resident_new_object();
    if (!fresh)
        return fri_fail(job->ctx, FR_NOMEM, "not enough memory for a graph's copy");
    *out = fresh;
    if (!job->in->graph)
        return FR_OK;
    *out = (fri_resident *)(void *)fri_graph_attach(&job->in->graph->resident, &fresh->attachment);
    if (*out != fresh)
        fri_resident_leave_object(fresh);
    return FR_OK;
}

/* ---- the accounts of a context ----------------------------------------------------------- */

/* Drops the links to freed graphs, or all. */
static void sweep(struct fri_gpu_context *own, bool all) {
    for (fri_resident_link **at = &own->links; *at;) {
        fri_resident_link *link = *at;
        if (!all && !__atomic_load_n(&link->resident->orphan, __ATOMIC_RELAXED)) {
            at = &link->next;
            continue;
        }
        *at = link->next;
        fri_resident_leave_object(link->resident);
        fri_free(link);
    }
}

void fri_resident_unlink_context(struct fri_gpu_context *own) {
    sweep(own, true);
    while (own->charges) {
        fri_resident_charge *next = own->charges->next;
        fri_free(own->charges);
        own->charges = next;
    }
}

fr_status fri_resident_link_context(fr_ctx *ctx, fri_resident *r) {
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

bool fri_resident_is_charged(fr_ctx *ctx, const fri_resident_block *block) {
    ctx = fri_gpu_account(ctx);
    pthread_mutex_lock(&ctx->gpu->lock);
    const bool is = charge_of(ctx, block) != NULL;
    pthread_mutex_unlock(&ctx->gpu->lock);
    return is;
}

void fri_resident_charge_block(fr_ctx *ctx, const fri_resident_block *block,
                               fri_resident_charge *fresh) {
    ctx = fri_gpu_account(ctx);
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

void fri_resident_discharge_block(fr_ctx *ctx, const fri_resident_block *block) {
    fri_resident_charge *last = NULL;
    ctx = fri_gpu_account(ctx);
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
        bytes += fri_resident_free_unused(link->resident, ctx->device);
        pthread_mutex_unlock(&link->resident->lock);
    }
    return bytes;
}
