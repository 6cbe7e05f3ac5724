/* An input file as bytes in memory: mapped if plain, decompressed if compressed. */
#ifndef FRI_IO_INPUT_H
#define FRI_IO_INPUT_H

#include "base/base.h"

#include <stdio.h>

typedef struct fri_input {
    const char *name; /* for messages: the path as given, "standard input", "stream",
                         "memory" or "archive.tar.gz:inner.mtx" */
    const char *path; /* the path as given */
    const char *data; /* [size]; data[size] must not be read */
    size_t size;
    size_t skipped; /* bytes before data: a byte order mark */
    void *mapping;  /* of a plain file; NULL: data came from fri_alloc */
    size_t mapping_bytes;
    bool borrowed; /* data belongs to the caller */
    char *name_storage;
    struct fri_unpacker *rest; /* of an opened head: decompresses what follows; NULL: data is all */
    /* Of lines that are made from those of another text, one from one: that text, and where it has the
     * place `at`; for messages. */
    const struct fri_input *made_from;
    const char *(*place)(const struct fri_input *text, const char *at);
    const void *maker; /* for `place` */
    size_t tail;       /* bytes behind data[size) that a head has, too: the begin of a line */
} fri_input;

/* Opens path ("-" is standard input) according to its content: gzip, zstd, xz, bzip2 and tar
 * through libarchive, otherwise mapped. From a tar it reads the member whose name is the archive's
 * without suffixes (SuiteSparse: name/name.mtx). A UTF-8 byte order mark is skipped. Fails if the
 * decompressed data exceeds the context's memory limit; an empty file is valid. Close it also after
 * a failure. */
fr_status fri_input_open(fr_ctx *ctx, const char *path, fri_input *text);
/* The same for `size` bytes in memory, which are borrowed unless they are compressed. */
fr_status fri_input_open_memory(fr_ctx *ctx, const void *bytes, size_t size, fri_input *text);
/* The same for what the stream holds from where it is to its end. */
fr_status fri_input_open_stream(fr_ctx *ctx, FILE *in, fri_input *text);
/* Copies borrowed bytes; the data is then aligned as fri_alloc does. */
fr_status fri_input_own(fr_ctx *ctx, fri_input *text);
/* fri_input_open, except that of a compressed file without members only the first lines (256 KiB) may be
 * decompressed: then text->rest is set. */
fr_status fri_input_open_head(fr_ctx *ctx, const char *path, fri_input *text);
/* Replaces a head by the whole data; none: does nothing. */
fr_status fri_input_whole(fr_ctx *ctx, fri_input *text);
void fri_input_close(fri_input *text);

/* 1 + the newlines before `at`. For messages only, since it counts from the start. */
int64_t fri_input_line(const fri_input *text, const char *at);
/* The begin of the line of `at`, and of a line by its number; the end of the text if it has fewer. */
const char *fri_input_begin(const fri_input *text, const char *at);
const char *fri_input_find_line(const fri_input *text, int64_t line);
/* Bytes from `at` to the next white space, at most 24. For messages. */
int fri_input_word(const fri_input *text, const char *at);
/* Records "name:line:column: message" and returns status. The column is that of the character `at` in its
 * line, from 1: the first one of the field that is wrong, or of the line. `at` NULL: "name: message". */
fr_status fri_input_fail(fr_ctx *ctx, fr_status status, const fri_input *text, const char *at,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- compressed input (decompress.c) --------------------------------------------------------- */

/* "gzip", "tar", ... according to the first bytes; NULL: not compressed. */
const char *fri_compression_kind(const char *data, size_t size);

/* Decompresses compressed[0 .. bytes) of a file of that kind into text->data, and stores the
 * member's name of a tar in text->name. A zip becomes its members *.npy, one after another, each
 * behind a line with its name (formats/npz.c). `text` owns the allocations, also after a failure. */
fr_status fri_decompress(fr_ctx *ctx, const char *kind, const char *compressed, size_t bytes,
                         fri_input *text);

/* Decompresses piece by piece. A failure has no message: fri_decompress gives it. */
typedef struct fri_unpacker fri_unpacker;
/* Takes the data over from `packed`. NULL: not possible, for example since they are an archive. */
fri_unpacker *fri_unpacker_open(const char *kind, const fri_input *packed);
/* Stores the next bytes; *got < capacity: they are the last, and a checksum has been compared. */
fr_status fri_unpacker_read(fr_ctx *ctx, fri_unpacker *u, char *to, size_t capacity, size_t *got);
/* Whether all has been stored. */
bool fri_unpacker_ended(const fri_unpacker *u);
/* Gives the compressed data back. */
fri_input fri_unpacker_close(fri_unpacker *u);

#endif
