/* The object behind resident.h: the blocks of one graph, its owners, and what a context counts of them.
 * Only resident.c and resident_object.c include this. */
#ifndef FRI_CUDA_GRAPH_RESIDENT_OBJECT_H
#define FRI_CUDA_GRAPH_RESIDENT_OBJECT_H

#include "cuda/graph/resident.h"

#include <pthread.h>

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
    void *memory[FRI_RESIDENT_PARTS];
    size_t memory_bytes[FRI_RESIDENT_PARTS];
    struct {
        fri_resident_kind kind;
        uint32_t variant;
        const void *at;
    } part[FRI_RESIDENT_PARTS];
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

/* A new object with one owner, which belongs to no graph yet. NULL: out of memory. */
fri_resident *fri_resident_new_object(void);
/* The object of the job's graph; NULL: there is none yet. */
fri_resident *fri_resident_object_of(const fri_job *job);
/* The same, made if there is none; of its own for a job without a graph. */
fr_status fri_resident_make_object(const fri_job *job, fri_resident **out);
/* One owner less; the last one frees the object. */
void fri_resident_leave_object(fri_resident *r);
/* Frees the blocks on that device that no solver uses, or with device -1 on all; returns their bytes.
 * The caller holds the lock. */
size_t fri_resident_free_unused(fri_resident *r, int device);

/* ---- the accounts of a context ----------------------------------------------------------- */

/* Makes the context an owner, so that it can evict blocks of the graph later. */
fr_status fri_resident_link_context(fr_ctx *ctx, fri_resident *r);
/* Whether the block counts in ctx->gpu_bytes. */
bool fri_resident_is_charged(fr_ctx *ctx, const fri_resident_block *block);
/* One more solver of the context uses the block; `fresh` becomes its charge if it had none. */
void fri_resident_charge_block(fr_ctx *ctx, const fri_resident_block *block,
                               fri_resident_charge *fresh);
/* One solver less; the last one takes the block out of ctx->gpu_bytes. */
void fri_resident_discharge_block(fr_ctx *ctx, const fri_resident_block *block);

#endif
