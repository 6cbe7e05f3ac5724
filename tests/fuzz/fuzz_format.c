/* The reader of FUZZ_FORMAT on arbitrary bytes, and what the graph object makes of the result. */
#include "fuzz.h"

#include "base/checksum.h"

#ifndef FUZZ_IDS
#define FUZZ_IDS FR_IDS_INTEGERS
#endif

/* Makes the checksums of a binary graph right (docs/formats.md), so that what lies behind them is
 * reached as well. */
static void seal(uint8_t *data, size_t size) {
    enum { SECTIONS_AT = 72, SECTION = 24, CHECKSUM_AT = 248 };
    if (size < CHECKSUM_AT + 8)
        return;
    for (int s = 0; s < 6; s++) {
        uint64_t section[3];
        memcpy(section, data + SECTIONS_AT + s * SECTION, sizeof section);
        if (section[0] > size || section[1] > size - section[0])
            continue;
        section[2] = fri_checksum(1, data + section[0], section[1]);
        memcpy(data + SECTIONS_AT + s * SECTION, section, sizeof section);
    }
    uint64_t sum = fri_checksum(1, data, CHECKSUM_AT);
    memcpy(data + CHECKSUM_AT, &sum, sizeof sum);
}

static fr_status read_csr(fr_ctx *ctx, const fri_format *format, const uint8_t *data, size_t size,
                          const fr_load_options *options, fr_graph *graph) {
    fri_input text = {.name = "input", .path = "input", .size = size};
    char *copy = fri_alloc(ctx, size);
    if (!copy)
        return FR_NOMEM;
    memcpy(copy, data, size);
    if (size && data[size - 1] % 2)
        seal((uint8_t *)copy, size);
    text.data = copy;
    fri_csr_file file = {0};
    fr_status status = format->read_csr(ctx, &text, options, &file);
    if (!status)
        status = fri_graph_from_csr_file(ctx, &text, &file, options, graph);
    fri_input_close(&text);
    return status;
}

static fr_status read_edges(fr_ctx *ctx, const fri_format *format, const uint8_t *data, size_t size,
                            const fr_load_options *options, fr_graph *graph) {
    char *exact = malloc(size); /* so that a read past the end is detected */
    memcpy(exact, data, size);
    const fri_input text = {.name = "input", .path = "input", .data = exact, .size = size};
    if (format->sniff)
        format->sniff(&text);
    fri_edge_list edges = {0};
    fr_status status = format->read(ctx, &text, options, &edges);
    free(exact);
    if (!status)
        return fri_graph_build(ctx, &edges, options, graph);
    fri_edge_list_free(&edges);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) /* refused before any reader runs */
        return 0;
    fr_ctx *ctx = fuzz_ctx();
    const fri_format *format = fri_format_find(FUZZ_FORMAT);
    fr_load_options options = fuzz_options(fri_checksum(1, data, size));
    options.ids = FUZZ_IDS;
    fr_graph *graph = fri_graph_new(ctx, "input");
    fr_status status =
        (format->read ? read_edges : read_csr)(ctx, format, data, size, &options, graph);
    if (!status)
        fuzz_check(ctx, graph);
    else if (!*fr_ctx_error(ctx))
        abort(); /* a failure without a message */
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return 0;
}
