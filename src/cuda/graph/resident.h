/* The copies of a graph in device memory, which all solvers of the graph share.
 *
 * A copy belongs to the graph and the device. It consists of parts: offsets of 32 or 64 bits,
 *   targets, weights, the same of the in-edges. A part is made by the first solver that needs it
 *   and used by every later one, of any context and thread. Offsets and targets made together are
 *   one block of device memory, since on an H200 cnr-2000 is traversed 3 % faster than with targets
 *   in an allocation of their own; weights are another. Offsets of the other width and rows that a
 *   strategy changes in place are made from the existing parts, on the device.
 * Per solver: what queries write (levels, distances, queues, bitmaps), and what a strategy
 *   derives into its scratch (BFS `auto`: hub parents and rows of four; splits of hubs): those
 *   depend on knobs, are carved from one allocation with what queries write, and are made by
 *   passes over the vertices, which read the device's memory and not the bus.
 * Lifetime: a block is freed with the graph, or while no solver uses it, when an allocation of a
 *   context that has used the graph would fail. The graph, the contexts that used it and the
 *   solvers own the object; it has a lock, which the thread that makes parts holds until they are
 *   complete, so that others wait and then use them.
 * Borrowed parts (fri_resident_borrow) are a caller's memory: never freed, and counted nowhere.
 * Limits: fr_ctx.gpu_bytes, and so max_gpu_bytes, counts a block once, in full, while one or more
 *   solvers of the context use it, whichever context made it. Blocks that no solver uses count as
 *   free memory. */
#ifndef FRI_CUDA_GRAPH_RESIDENT_H
#define FRI_CUDA_GRAPH_RESIDENT_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

typedef enum fri_resident_kind {
    FRI_RESIDENT_OFFSETS,
    FRI_RESIDENT_TARGETS,
    FRI_RESIDENT_WEIGHTS,
    FRI_RESIDENT_EXTRA, /* of rows that a strategy changes */
    FRI_RESIDENT_IN_OFFSETS,
    FRI_RESIDENT_IN_TARGETS
} fri_resident_kind;
enum { FRI_RESIDENT_PARTS = 6 };

typedef struct fri_resident_part {
    fri_resident_kind kind;
    uint32_t variant; /* offsets: bytes of one; weights: their type; rows: the change */
    size_t bytes;
    void *to; /* the member of the fri_gpu that gets its address */
} fri_resident_part;

/* The parts that the job's strategy uses. */
int fri_resident_wanted(fri_gpu *g, fri_resident_part out[FRI_RESIDENT_PARTS]);
/* The bytes of those that neither exist nor are being made by g. */
size_t fri_resident_missing_bytes(const fri_gpu *g);
bool fri_resident_has_in_edges(const fri_gpu *g);
/* Bytes of wanted blocks that this solver would add: *unused, those that no solver uses, and *uncharged,
 * those not yet counted in ctx->gpu_bytes. */
void fri_resident_claims(fri_gpu *g, size_t *unused, size_t *uncharged);

/* Locks the graph's copies, makes the object at first need, and uses every wanted part that
 * exists. Later calls of the same thread until fri_resident_leave may lock again. */
fr_status fri_resident_enter(fri_gpu *g);
/* The variant of the weights as the host has them. */
uint32_t fri_resident_weights(const fri_gpu *g);
/* Whether g uses the part, which existed before or is published. */
bool fri_resident_uses(const fri_gpu *g, fri_resident_kind kind, uint32_t variant);
/* The same, or being made by it. */
bool fri_resident_is_there(const fri_gpu *g, const fri_resident_part *part);
/* An existing part, whether in use by g or not; NULL: none. Valid until the next allocation. */
const void *fri_resident_find(const fri_gpu *g, fri_resident_kind kind, uint32_t variant);
/* Allocates one block for the parts and stores their addresses. Other threads see it after
 * fri_resident_publish, and `used` says whether g uses it then. */
fr_status fri_resident_add(fri_gpu *g, const fri_resident_part *parts, int count, bool used);
void fri_resident_publish(fri_gpu *g);
void fri_resident_leave(fri_gpu *g);
size_t fri_resident_block_bytes(const struct fri_resident_block *block);
/* g uses nothing any more; what it was making is freed. */
void fri_resident_release(fri_gpu *g);

/* Makes the object of a new graph, with a caller's arrays in memory of the context's GPU as parts. */
fr_status fri_resident_borrow(fr_ctx *ctx, fr_graph *graph, const fr_device_csr *csr);
/* Locks the copies of a borrowed graph and returns the caller's arrays. */
const fr_device_csr *fri_resident_lock_borrowed(const fr_graph *graph);
void fri_resident_unlock_borrowed(const fr_graph *graph);

/* Bytes of blocks that no solver uses, of all graphs that solvers of the context have used. */
size_t fri_resident_evictable(fr_ctx *ctx);
/* Frees them; returns the bytes. Skips graphs whose parts another thread is making. */
size_t fri_resident_evict(fr_ctx *ctx);
struct fri_gpu_context;
void fri_resident_unlink_context(struct fri_gpu_context *own);

/* Converts `count` offsets on the device from one width to the other (offset_width.cu). */
void fri_gpu_convert_offsets(fri_gpu *g, const void *from, void *to, bool widen, int64_t count);

FRI_C_END
#endif
