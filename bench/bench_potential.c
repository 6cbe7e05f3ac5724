/* A graph with negative weights and no negative cycle, for H-BF's Table 3: its own graphs are not
 * at hand, and random weights below 0 make cycles below 0.
 *
 *   bench_potential GRAPH OUT [HEIGHT]   GRAPH has weights of at least 0, as int32
 *
 * Idea: every vertex gets a random height in 0..HEIGHT (default 200), and w(u, v) becomes
 * w(u, v) + height(u) - height(v), as Johnson's reweighting reversed: the heights cancel around a
 * cycle. The result is directed, whatever GRAPH was.
 */
#include "fringe.h"

#include <stdio.h>
#include <stdlib.h>

/* splitmix64 of the vertex: the same heights on every run. */
static int32_t height_of(int32_t vertex, uint32_t most) {
    uint64_t x = ((uint64_t)(uint32_t)vertex + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (int32_t)((x ^ x >> 31) % ((uint64_t)most + 1));
}

static int complain(fr_ctx *ctx, const char *text) {
    fprintf(stderr, "bench_potential: %s\n", ctx ? fr_ctx_message(ctx) : text);
    return 3;
}

static int lift(fr_ctx *ctx, const fr_csr *from, uint32_t most, const char *out) {
    const int32_t *old = from->weights;
    int32_t *weights = malloc((size_t)from->m * sizeof *weights + 1);
    fr_graph *graph = NULL;
    if (!weights)
        return complain(NULL, "not enough memory");
    for (int32_t u = 0; u < from->n; u++)
        for (int64_t e = from->offsets[u]; e < from->offsets[u + 1]; e++)
            weights[e] = old[e] + height_of(u, most) - height_of(from->targets[e], most);
    fr_csr csr = *from;
    csr.weights = weights;
    csr.symmetric = false;
    fr_status status = fr_graph_from_csr(ctx, &csr, &graph);
    if (!status)
        status = fr_graph_write(ctx, graph, out, NULL);
    int code = status ? complain(ctx, NULL) : 0;
    fr_graph_free(graph);
    free(weights);
    return code;
}

int main(int argc, char **argv) {
    fr_ctx *ctx;
    fr_graph *graph = NULL;
    if (argc < 3 || fr_ctx_new(NULL, &ctx))
        return complain(NULL, "GRAPH OUT [HEIGHT]");
    long most = argc > 3 ? strtol(argv[3], NULL, 10) : 200;
    int code = 0;
    if (fr_graph_load(ctx, argv[1], NULL, &graph) || fr_graph_check(ctx, graph))
        code = complain(ctx, NULL);
    else if (fr_graph_csr(graph)->weight_type != FR_I32 || most < 0 || most > 1 << 28)
        code = complain(NULL, "weights must be int32, HEIGHT 0 to 2^28");
    else
        code = lift(ctx, fr_graph_csr(graph), (uint32_t)most, argv[2]);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return code;
}
