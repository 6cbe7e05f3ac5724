/* Compressed input. Internal to io. */
#ifndef FRI_IO_DECOMPRESS_H
#define FRI_IO_DECOMPRESS_H

#include "io/input.h"

/* "gzip", "tar", ... according to the first bytes; NULL: not compressed. */
const char *fri_compression_kind(const char *data, size_t size);

/* Decompresses compressed[0 .. bytes) of a file of that kind into text->data, and stores the
 * member's name of a tar in text->name. `text` owns the allocations, also after a failure. */
fr_status fri_decompress(fr_ctx *ctx, const char *kind, const char *compressed, size_t bytes,
                         fri_input *text);

#endif
