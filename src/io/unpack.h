/* Compressed input. Internal to io. */
#ifndef FRI_UNPACK_H
#define FRI_UNPACK_H

#include "io/text.h"

/* "gzip", "tar", ... when the first bytes say so; NULL: not compressed. */
const char *fri_unpack_kind(const char *data, size_t size);

/* Unpacks packed[0 .. bytes) of a file of that kind into text->data, and for a tar the member's
 * name into text->name. What is allocated belongs to text, also after a failure. */
fr_status fri_unpack(fr_ctx *ctx, const char *kind, const char *packed, size_t bytes,
                     fri_text *text);

#endif
