/* The names of vertices: strings in one block, and an index from names to vertices. */
#ifndef FRI_BASE_NAMES_H
#define FRI_BASE_NAMES_H

#include "base/base.h"

enum { FRI_NAME_BYTES = 2048 }; /* the longest name, without its NUL */

typedef struct fri_names {
    int32_t n;
    const int64_t *offsets; /* [n+1]; name v is bytes[offsets[v] .. offsets[v+1]), NUL included */
    const char *bytes;      /* [offsets[n]] */
    size_t size;            /* of bytes; the last one is NUL, which bounds every string */
    bool borrowed;          /* offsets and bytes belong to another object */
    int32_t *index;         /* atomic; NULL until the first look-up. Open addressing, -1: empty */
} fri_names;

/* Both arrays are from fri_alloc, unless `borrowed`. NULL (recorded) if out of memory: the arrays
 * then still belong to the caller. */
fri_names *fri_names_new(fr_ctx *ctx, int32_t n, const int64_t *offsets, const char *bytes,
                         size_t size, bool borrowed);
/* A copy that owns its arrays; NULL (recorded) if out of memory. */
fri_names *fri_names_copy(fr_ctx *ctx, const fri_names *names);
void fri_names_free(fri_names *names); /* NULL is allowed */

/* The name of v < n, NUL-terminated, also where the offsets are damaged. */
const char *fri_names_get(const fri_names *names, int32_t v);

/* The vertex with this name, -1: none. The first call builds the index: O(n) and 8 to 16 bytes per
 * name; any number of threads may call it. FR_NOMEM. */
fr_status fri_names_find(fr_ctx *ctx, const fri_names *names, const char *name, int32_t *vertex);

/* Whether the arrays are valid: offsets ascend, each name is 1 to FRI_NAME_BYTES bytes of valid UTF-8
 * without control characters, and no two are equal. *why explains a `false`. FR_NOMEM. */
fr_status fri_names_check(fr_ctx *ctx, const fri_names *names, bool *valid, const char **why);

#endif
