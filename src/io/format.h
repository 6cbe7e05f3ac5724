/* The table of file formats. */
#ifndef FRI_FORMAT_H
#define FRI_FORMAT_H

#include "base/edges.h"
#include "io/text.h"

#include <stdio.h>

/* A ready CSR read from a binary file: arrays inside `text`'s mapping, or own ones. */
typedef struct fri_csr_file {
    fr_csr csr;
    fri_ids ids;   /* list: fri_alloc'd, or inside the mapping when borrowed is set */
    bool borrowed; /* arrays point into text->data: keep the text open */
} fri_csr_file;

/* What a writer gets: a graph as plain views, so that io needs nothing to its right. */
typedef struct fri_graph_view {
    const fr_csr *csr;
    const fri_ids *ids;
    const char *name;
    uint64_t hash;
} fri_graph_view;

typedef struct fri_format {
    const char *name, *text;
    const char *const *suffixes; /* ".mtx", ...; NULL-ended */
    /* 0: certainly not; 1: could be (plain numbers); 2: has its magic line. NULL: suffix only. */
    int (*sniff)(const fri_text *text);
    /* Exactly one of the two readers is set. */
    fr_status (*read)(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                      fri_edges *edges);
    fr_status (*read_csr)(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                          fri_csr_file *out);
    /* NULL: cannot be written. Writes to an open stream; the caller names, renames, removes. */
    fr_status (*write)(fr_ctx *ctx, const fri_graph_view *view, FILE *out);
} fri_format;

extern const fri_format *const fri_formats[]; /* ended by NULL, order: most certain sniff first */
/* By name; NULL: none. */
const fri_format *fri_format_find(const char *name);
/* By the suffix of a file name, packed (.gz, ...) or not; NULL: none. */
const fri_format *fri_format_by_suffix(const char *name);
/* By content (2 beats suffix, suffix beats 1); NULL (recorded) when nothing fits. */
const fri_format *fri_format_detect(fr_ctx *ctx, const fri_text *text);

#endif
