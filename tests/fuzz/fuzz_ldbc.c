/* The three files of an LDBC graph, cut out of one input at the bytes "\n%\n". */
#include "fuzz.h"

#include <unistd.h>

static void put(const char *path, const uint8_t *data, size_t size) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char paths[3][64];
    if (!*paths[0]) {
        static const char *const endings[] = {"v", "e", "properties"};
        for (int i = 0; i < 3; i++)
            snprintf(paths[i], sizeof paths[i], "/dev/shm/fringe-fuzz-%d.%s", (int)getpid(),
                     endings[i]);
    }
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        const uint8_t *cut = i < 2 ? memmem(data + at, size - at, "\n%\n", 3) : NULL;
        size_t end = cut ? (size_t)(cut - data) + 1 : size;
        if (i == 2 && at == size)
            unlink(paths[i]);
        else
            put(paths[i], data + at, end - at);
        at = FRI_MIN(size, end + 2);
    }
    fr_ctx *ctx = fuzz_ctx();
    fr_graph *graph;
    fr_load_options options = fuzz_options(size);
    options.id_base = 0;
    if (!fr_graph_load(ctx, paths[0], &options, &graph))
        fuzz_check(ctx, graph);
    else if (!*fr_ctx_error(ctx))
        abort();
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    for (int i = 0; i < 3; i++)
        unlink(paths[i]);
    return 0;
}
