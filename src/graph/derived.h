/* What solvers derive from a graph's CSR and share: one copy per graph, whichever context made it.
 *
 * Owners: the graph and every solver on it; the last one frees the object, so that graphs, solvers
 *   and contexts may be freed in any order. A solver uses an entry from fri_derived_take (or _give)
 *   until fri_derived_close.
 * Memory: a block is charged to the context that made it until it is freed, also while solvers of
 *   other contexts use it. Entries stay after their last user, for the next solver;
 *   fri_derived_trim frees them when a solver's memory does not fit. A context with the caller's
 *   allocator, which may not outlive it, makes blocks for the solver alone.
 * Threads: any number, also on the same entry. Two threads that need an entry at the same time may
 *   both make it; the second one is dropped.
 */
#ifndef FRI_GRAPH_DERIVED_H
#define FRI_GRAPH_DERIVED_H

#include "base/base.h"

typedef enum fri_derived_kind {
    FRI_DERIVED_TRANSPOSE,          /* offsets, targets */
    FRI_DERIVED_WEIGHTED_TRANSPOSE, /* offsets, targets, weights */
    FRI_DERIVED_HUB_PARENTS,        /* int32_t [n]: an in-neighbor of high degree */
    FRI_DERIVED_SORTED_ROWS,        /* cpu/sssp/sssp.h, rows sorted by weight */
    FRI_DERIVED_UNIT_ROWS,          /* the same with every weight 1 */
    FRI_DERIVED_COUNT
} fri_derived_kind;

/* The blocks of one entry, each from fri_alloc; unused ones are NULL. */
typedef struct fri_derived_blocks {
    const void *block[3];
} fri_derived_blocks;

/* Mean, minimum and maximum of the weights. */
typedef struct fri_weight_stats {
    double mean, min, max;
    bool whole; /* integers, or floats without a fraction below FRI_WHOLE_END */
} fri_weight_stats;

/* Doubles near 3 * 2^51 have no fraction: a test that vectorizes. True for some whole numbers beyond the end, too. */
#define FRI_WHOLE_END       0x1p51
#define FRI_HAS_FRACTION(w) ((double)(w) + 3 * FRI_WHOLE_END - 3 * FRI_WHOLE_END != (double)(w))

/* Whether the graph stores both directions of each edge, weights aside, though it is not marked
 * symmetric. */
typedef enum fri_symmetry {
    FRI_SYMMETRY_UNKNOWN,
    FRI_SYMMETRY_NONE,
    FRI_SYMMETRY_FOUND
} fri_symmetry;

typedef struct fri_derived fri_derived;

/* A solver's share. */
typedef struct fri_derived_use {
    fri_derived *of;
    bool shares; /* gives to `of`; otherwise to `own`, freed by fri_derived_close */
    bool holds[FRI_DERIVED_COUNT];
    fri_derived_blocks own[FRI_DERIVED_COUNT];
} fri_derived_use;

/* Creates the object with one owner, the graph. NULL (recorded) if out of memory. */
fri_derived *fri_derived_new(fr_ctx *ctx);
void fri_derived_release(fri_derived *derived); /* NULL is allowed */

/* Becomes an owner; the blocks taken remain until fri_derived_close, which does nothing to a zeroed
 * use. */
fri_derived_use fri_derived_open(fr_ctx *ctx, fri_derived *derived);
void fri_derived_close(fri_derived_use *use);
/* Uses an entry; false: it has not been made. */
bool fri_derived_take(fri_derived_use *use, fri_derived_kind kind, fri_derived_blocks *out);
/* Stores *blocks, uses the entry, and sets *blocks to the stored ones: another thread's blocks if
 * it was faster. Not if `use` uses the entry already. */
void fri_derived_give(fri_derived_use *use, fri_derived_kind kind, fri_derived_blocks *blocks);
/* Frees all entries without users; returns whether there were any. */
bool fri_derived_trim(fri_derived *derived);

bool fri_derived_weights(fri_derived *derived, fri_weight_stats *out); /* false: not known */
void fri_derived_set_weights(fri_derived *derived, fri_weight_stats stats);
fri_symmetry fri_derived_symmetry(fri_derived *derived);
void fri_derived_set_symmetry(fri_derived *derived, fri_symmetry symmetry);
/* The mean degree at the end of an edge, of the CSR with these offsets; false: not known. */
bool fri_derived_edge_degree(fri_derived *derived, const int64_t *offsets, double *out);
void fri_derived_set_edge_degree(fri_derived *derived, const int64_t *offsets, double degree);

#endif
