/* Writes a graph to a stream of the caller, and to memory: a stream whose bytes go to a block that
 * grows. */
#include "graph/graph.h"
#include "io/atomic_file.h"

#include <string.h>

typedef struct {
    fr_ctx *ctx;
    char *bytes;
    size_t size, capacity;
    bool full; /* memory is exhausted; the context has the message */
} block;

/* stdio calls it on the thread that writes: the calling one, if that allocates (io/results/text_writer.c). */
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
    if (!out)
        fri_fail(b->ctx, FR_NOMEM, "not enough memory to open a stream");
    if (buffer)
        setvbuf(out, buffer, _IOFBF, BUFFER);
    fr_status status = buffer ? format->write(b->ctx, view, out) : FR_NOMEM;
    if (out && fclose(out) && !status)
        status = FR_NOMEM;
    fri_free(buffer);
    return b->full ? FR_NOMEM : status;
}

/* A format of one file that can hold the graph; `what` it is written to. */
static fr_status choose(fr_ctx *ctx, const fr_graph *graph, const char *name, const char *what,
                        const fri_format **format) {
    *format = fri_write_format(ctx, what, name);
    if (!*format)
        return FR_INVALID;
    if ((*format)->files)
        return fri_fail(ctx, FR_INVALID,
                        "the format %s consists of several files, which %s cannot hold",
                        (*format)->name, what);
    fr_status status = fr_graph_check(ctx, graph);
    return status ? status : fri_write_check_names(ctx, graph, *format);
}

fr_status fr_graph_write_memory(fr_ctx *ctx, const fr_graph *graph, const char *format_name,
                                void **bytes, size_t *size) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !format_name || !bytes || !size)
        return fri_fail(ctx, FR_INVALID,
                        "writing to memory needs a graph, a format and the output pointers");
    *bytes = NULL;
    *size = 0;
    const fri_format *format;
    fr_status status = choose(ctx, graph, format_name, "memory", &format);
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

fr_status fr_graph_write_stream(fr_ctx *ctx, const fr_graph *graph, FILE *out,
                                const char *format_name) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !format_name || !out)
        return fri_fail(ctx, FR_INVALID,
                        "writing to a stream needs a graph, a stream and a format");
    const fri_format *format;
    fr_status status = choose(ctx, graph, format_name, "a stream", &format);
    if (status)
        return status;
    fri_graph_view view = fri_graph_as_view(graph);
    status = format->write(ctx, &view, out);
    if (!status && fflush(out) != 0)
        status = FR_DISK;
    return status == FR_DISK ? fri_atomic_file_error(ctx, "stream", "writing") : status;
}

void fr_memory_free(void *bytes) { fri_free(bytes); }
