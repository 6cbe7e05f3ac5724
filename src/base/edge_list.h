/* The edge list: readers and generators produce it, the CSR builder consumes it. It is a list of
 * blocks, one per task that produced it, so that no concatenating copy is needed; the builder frees
 * each block after reading it. */
#ifndef FRI_BASE_EDGE_LIST_H
#define FRI_BASE_EDGE_LIST_H

#include "base/text/names.h"

typedef struct fri_edge_block {
    int64_t count;
    int32_t *ends; /* [2 * count]: source, target, source, target, ... */
    void *weights; /* [count] of the list's weight_type, or NULL */
} fri_edge_block;

/* How vertices map to the file's ids: vertex v has id list[v], or v + base without a list. If the
 * file's ids are strings, base is 0 and there is no list. */
typedef struct fri_ids {
    int64_t base;
    int64_t *list;    /* [n] ascending, from fri_alloc; or NULL */
    fri_names *names; /* NULL: none */
} fri_ids;

static inline int64_t fri_id_of(const fri_ids *ids, int32_t v) {
    return ids->list ? ids->list[v] : v + ids->base;
}

enum { FRI_NOTE_BYTES = 512 };

typedef struct fri_edge_list {
    int32_t n; /* vertices; every endpoint is 0 .. n-1 */
    fr_type weight_type;
    bool undirected;        /* each entry represents both directions (a self-loop is one edge) */
    bool called_undirected; /* by a comment, although each entry may be one direction */
    bool negate_mirror;     /* the second direction has the negated weight (skew-symmetric) */
    int block_count;
    fri_edge_block *blocks; /* [block_count] from fri_alloc */
    fri_ids ids;
    char note[FRI_NOTE_BYTES];    /* assumptions that a reader made, as sentences; empty: none */
    char warning[FRI_NOTE_BYTES]; /* what a user should see unasked */
} fri_edge_list;

/* Appends a sentence to the note after "; "; text that does not fit is cut off. */
void fri_edge_list_note(fri_edge_list *edges, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, and the sentence is part of the warning, too. */
void fri_edge_list_warn(fri_edge_list *edges, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fri_edge_list_free(fri_edge_list *edges); /* frees the contents; a zeroed list is allowed */
int64_t fri_edge_list_count(const fri_edge_list *edges);

#endif
