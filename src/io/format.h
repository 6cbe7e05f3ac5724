/* The descriptor of a file format; io/formats.c has the table. */
#ifndef FRI_FORMAT_H
#define FRI_FORMAT_H

#include "base/edge_list.h"
#include "io/input.h"

#include <stdio.h>

/* A complete CSR read from a binary file: its arrays lie inside `text`'s mapping or are
 * allocated. */
typedef struct fri_csr_file {
    fr_csr csr;
    bool undirected; /* as declared; csr.symmetric is what the rows hold */
    fri_ids ids;     /* list: from fri_alloc, or inside the mapping if `borrowed` is set */
    bool borrowed;   /* arrays point into text->data: keep the text open */
    uint64_t hash;   /* of the graph, if the file contains it; otherwise 0 */
    bool unchecked;  /* only the header was checked: call fri_binary_check before following an
                       index */
} fri_csr_file;

void fri_csr_file_free(fri_csr_file *file); /* frees allocated arrays; a zeroed struct is allowed */

/* The input of a writer: a graph as plain views, so that io does not depend on higher layers. */
typedef struct fri_graph_view {
    const fr_csr *csr;
    bool undirected; /* each edge is written once; csr->symmetric */
    const fri_ids *ids;
    const char *name;
    uint64_t key; /* binary format: identifies the input of a cache; 0: not a cache */
    bool csv;     /* edge list: a table with commas and a line of names, without comments */
} fri_graph_view;

/* Writes to an open stream; FR_DISK on failure: the caller, which opens, renames and removes the
 * file, reports the reason. */
typedef fr_status (*fri_write_fn)(fr_ctx *ctx, const fri_graph_view *view, FILE *out);

/* One file of a multi-file format. */
typedef struct fri_format_file {
    const char *suffix;
    fri_write_fn write;
} fri_format_file;

typedef struct fri_format {
    const char *name, *text;
    const char *const *suffixes; /* ".mtx", ...; terminated by NULL */
    /* 0: certainly not; 1: possible (plain numbers); 2: has its magic line. NULL: suffix only. */
    int (*sniff)(const fri_input *text);
    /* Exactly one of the two readers is set. */
    fr_status (*read)(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                      fri_edge_list *edges);
    fr_status (*read_csr)(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          fri_csr_file *out);
    fri_write_fn write; /* NULL: writing is not supported */
    bool holds_names;   /* `write` keeps the names of vertices */
    bool binary;        /* for `read`: the content has no lines */
    bool heads; /* `read` accepts a head (fri_input), and allocates nothing because of a header */
    /* Set for a graph of several files NAME.suffix, any of which opens it; terminated by a NULL
     * suffix. view->name is then NAME without folders. `write` belongs to the first file. */
    const fri_format_file *files;
} fri_format;

extern const fri_format *const fri_formats[]; /* terminated by NULL, the most certain sniff first */
/* Finds a format by name; NULL: none. */
const fri_format *fri_format_find(const char *name);
/* Finds a format by file name suffix, compressed (.gz, ...) or not; NULL: none. */
const fri_format *fri_format_by_suffix(const char *name);
/* Finds a format by its magic line; NULL: none. */
const fri_format *fri_format_by_magic(const fri_input *text);
/* Detects by content (2 takes precedence over the suffix, the suffix over 1); FR_FORMAT if nothing
 * matches, FR_UNSUPPORTED for a known format that is not supported. */
fr_status fri_format_detect(fr_ctx *ctx, const fri_input *text, const fri_format **format);

#endif
