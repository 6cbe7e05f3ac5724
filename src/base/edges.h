/* The edge list: what readers and generators make and the CSR builder consumes. It comes in
 * blocks, one per task that made it, so that nothing is copied together; the builder frees each
 * block once it has been read. */
#ifndef FRI_EDGES_H
#define FRI_EDGES_H

#include "base/base.h"

typedef struct fri_block {
    int64_t count;
    int32_t *ends; /* [2 * count]: source, target, source, target, ... */
    void *weights; /* [count] of the list's weight_type, or NULL */
} fri_block;

/* How vertices map to the file's ids: vertex v has id list[v], or v + base without a list. */
typedef struct fri_ids {
    int64_t base;
    int64_t *list; /* [n] ascending, from fri_alloc; or NULL */
} fri_ids;

static inline int64_t fri_id_of(const fri_ids *ids, int32_t v) {
    return ids->list ? ids->list[v] : v + ids->base;
}

enum { FRI_NOTE_BYTES = 256 };

typedef struct fri_edges {
    int32_t n; /* vertices; every end is 0 .. n-1 */
    fr_type weight_type;
    bool undirected;    /* each entry stands for both directions (a self-loop for one edge) */
    bool negate_mirror; /* the second direction has the negated weight (skew-symmetric) */
    int block_count;
    fri_block *blocks; /* [block_count] from fri_alloc */
    fri_ids ids;
    char note[FRI_NOTE_BYTES]; /* what a reader took for granted, as sentences; empty: nothing */
} fri_edges;

/* Adds a sentence to the note, behind "; "; what does not fit is cut off. */
void fri_edges_note(fri_edges *edges, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fri_edges_free(fri_edges *edges); /* what it holds; a zeroed one is fine */
int64_t fri_edges_count(const fri_edges *edges);

#endif
