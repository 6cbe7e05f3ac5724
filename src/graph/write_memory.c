/* Writes a graph to memory: a stream whose bytes go to a block that grows. */
#include "graph/graph.h"

#include <string.h>

typedef struct {
    fr_ctx *ctx;
    char *bytes;
    size_t size, capacity;
    bool full; /* memory is exhausted; the context has the message */
} block;

/* stdio calls it on the thread that writes, which is the calling one. */
static ssize_t append(void *cookie, const char *data, size_t count) {
    block *b = cookie;
    if (b->size + count > b->capacity) {
        size_t capacity = FRI_MAX(b->size + count, b->capacity + b->capacity / 2);
        char *grown = b->full ? NULL : fri_grow(b->ctx, b->bytes, capacity);
        b->full = !grown;
        if (!grown)
            return 0;
        b->bytes = grown;
        b->capacity = capacity;
    }
    memcpy(b->bytes + b->size, data, count);
    b->size += count;
    return (ssize_t)count;
}

static fr_status write_block(const fri_graph_view *view, const fri_format *format, block *b) {
    enum { BUFFER = 1 << 16 };
    FILE *out = fopencookie(b, "w", (cookie_io_functions_t){.write = append});
    char *buffer = out ? fri_alloc(b->ctx, BUFFER) : NULL;
    if (buffer)
        setvbuf(out, buffer, _IOFBF, BUFFER);
    fr_status status = buffer ? format->write(b->ctx, view, out) : FR_NOMEM;
    if (out && fclose(out) && !status)
        status = FR_NOMEM;
    fri_free(buffer);
    return b->full ? FR_NOMEM : status;
}

fr_status fr_graph_write_memory(fr_ctx *ctx, const fr_graph *graph, const char *format_name,
                                void **bytes, size_t *size) {
    fri_begin(ctx);
    if (!graph || !format_name || !bytes || !size)
        return fri_fail(ctx, FR_INVALID, "writing to memory needs a graph, a format and a place");
    *bytes = NULL;
    *size = 0;
    const fri_format *format = fri_write_format(ctx, "memory", format_name);
    if (!format)
        return FR_INVALID;
    if (format->files)
        return fri_fail(ctx, FR_INVALID,
                        "the format %s consists of several files, which memory cannot hold",
                        format->name);
    fr_status status = fr_graph_check(ctx, graph);
    if (!status)
        status = fri_write_check_names(ctx, graph, format);
    if (status)
        return status;
    fri_graph_view view = fri_graph_as_view(graph);
    block b = {.ctx = ctx};
    status = write_block(&view, format, &b);
    if (status) {
        fri_free(b.bytes);
        return status;
    }
    fri_trim(b.bytes, b.size);
    *bytes = b.bytes;
    *size = b.size;
    return FR_OK;
}

void fr_memory_free(void *bytes) { fri_free(bytes); }
