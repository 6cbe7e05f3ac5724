/* The table of file formats. */
#ifndef FRI_FORMAT_H
#define FRI_FORMAT_H

#include "base/edge_list.h"
#include "io/input.h"

#include <stdio.h>

/* A ready CSR read from a binary file: arrays inside `text`'s mapping, or own ones. */
typedef struct fri_csr_file {
    fr_csr csr;
    fri_ids ids;    /* list: fri_alloc'd, or inside the mapping when borrowed is set */
    bool borrowed;  /* arrays point into text->data: keep the text open */
    uint64_t hash;  /* of the graph, if the file tells it; else 0 */
    bool unchecked; /* only the header was checked: fri_binary_check before following an index */
} fri_csr_file;

void fri_csr_file_free(fri_csr_file *file); /* its own arrays; a zeroed one is fine */

/* What a writer gets: a graph as plain views, so that io needs nothing to its right. */
typedef struct fri_graph_view {
    const fr_csr *csr;
    const fri_ids *ids;
    const char *name;
    uint64_t key; /* binary form: by which a cache knows its input; 0: not a cache */
} fri_graph_view;

/* Writes to an open stream; FR_DISK when that fails: the caller, who names, renames and removes the
 * file, tells why. */
typedef fr_status (*fri_write_fn)(fr_ctx *ctx, const fri_graph_view *view, FILE *out);

/* One file of a format that is several. */
typedef struct fri_format_file {
    const char *suffix;
    fri_write_fn write;
} fri_format_file;

typedef struct fri_format {
    const char *name, *text;
    const char *const *suffixes; /* ".mtx", ...; NULL-ended */
    /* 0: certainly not; 1: could be (plain numbers); 2: has its magic line. NULL: suffix only. */
    int (*sniff)(const fri_input *text);
    /* Exactly one of the two readers is set. */
    fr_status (*read)(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges);
    fr_status (*read_csr)(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_csr_file *out);
    fri_write_fn write; /* NULL: cannot be written */
    /* Set when a graph is several files NAME.suffix, any of which opens it; ends with a NULL
     * suffix. view->name is then NAME without folders. `write` is the first part's. */
    const fri_format_file *files;
} fri_format;

extern const fri_format *const fri_formats[]; /* ended by NULL, order: most certain sniff first */
/* By name; NULL: none. */
const fri_format *fri_format_find(const char *name);
/* By the suffix of a file name, packed (.gz, ...) or not; NULL: none. */
const fri_format *fri_format_by_suffix(const char *name);
/* By content (2 beats suffix, suffix beats 1); FR_FORMAT when nothing fits, FR_UNSUPPORTED for a
 * format that is known but not read. */
fr_status fri_format_detect(fr_ctx *ctx, const fri_input *text, const fri_format **format);

#endif
