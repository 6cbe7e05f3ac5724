#include "base/sized.h"

#include <string.h>

/* Larger than any struct will become: what passes it was never initialized. */
enum { MAX_SIZE = 1 << 16 };

static size_t stated_size(const void *struct_, size_t first) {
    size_t stated;
    memcpy(&stated, struct_, sizeof stated);
    return stated ? stated : first;
}

static fr_status fail(fr_ctx *ctx, const char *name, const char *why, size_t size) {
    return fri_fail(ctx, FR_INVALID, "%s: %s (struct_size %zu, fringe " FR_VERSION ")", name, why,
                    size);
}

fr_status fri_sized_check(fr_ctx *ctx, const char *name, size_t first, const void *to) {
    size_t stated = to ? stated_size(to, first) : 0;
    if (!to)
        return fail(ctx, name, "the struct to fill is NULL", 0);
    if (stated < sizeof stated || stated > MAX_SIZE)
        return fail(ctx, name, "initialize the struct with {0} or FR_INIT", stated);
    return FR_OK;
}

fr_status fri_sized_read(fr_ctx *ctx, const char *name, size_t first, const void *from, void *to,
                         size_t size) {
    memset(to, 0, size);
    if (from) {
        fr_status status = fri_sized_check(ctx, name, first, from);
        if (status)
            return status;
        size_t stated = stated_size(from, first);
        const char *bytes = from;
        for (size_t i = size; i < stated; i++)
            if (bytes[i])
                return fail(ctx, name, "a member that this library does not know is set", stated);
        memcpy(to, from, FRI_MIN(stated, size));
    }
    memcpy(to, &size, sizeof size);
    return FR_OK;
}

void fri_sized_write(size_t first, const void *from, size_t size, void *to) {
    size_t stated = stated_size(to, first);
    char *bytes = to;
    memcpy(bytes + sizeof stated, (const char *)from + sizeof stated,
           FRI_MIN(stated, size) - sizeof stated);
    if (stated > size)
        memset(bytes + size, 0, stated - size);
}
