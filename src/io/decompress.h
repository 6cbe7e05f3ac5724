/* Compressed input. Internal to io. */
#ifndef FRI_IO_DECOMPRESS_H
#define FRI_IO_DECOMPRESS_H

#include "io/input.h"

/* "gzip", "tar", ... when the first bytes say so; NULL: not compressed. */
const char *fri_compression_kind(const char *data, size_t size);

/* Unpacks packed[0 .. bytes) of a file of that kind into text->data, and for a tar the member's
 * name into text->name. What is allocated belongs to text, also after a failure. */
fr_status fri_decompress(fr_ctx *ctx, const char *kind, const char *compressed, size_t bytes,
                         fri_input *text);

#endif
