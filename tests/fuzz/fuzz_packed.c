/* Unpacking arbitrary bytes. */
#include "fuzz.h"

#include "io/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *exact = malloc(size + 1);
    memcpy(exact, data, size);
    const char *kind = fri_compression_kind(exact, size);
    if (kind) {
        fr_ctx *ctx = fuzz_ctx();
        fri_input text = {0};
        text.name_storage = fri_alloc(ctx, 16);
        text.path = text.name = strcpy(text.name_storage, "eight.tar.gz");
        if (fri_decompress(ctx, kind, exact, size, &text) && !*fr_ctx_error(ctx))
            abort();
        fri_input_close(&text);
        fr_ctx_free(ctx);
    }
    free(exact);
    return 0;
}
