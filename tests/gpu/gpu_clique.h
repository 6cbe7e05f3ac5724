/* A graph in which a round of SSSP has more near entries than vertices, while far vertices are pending. */
#ifndef FRI_TESTS_GPU_CLIQUE_H
#define FRI_TESTS_GPU_CLIQUE_H

#include "conformance/choose.h"
#include "fringe.h"
#include "gpu/gpu_host.h"

#include <stdlib.h>

enum { CLIQUE = ON_HOST ? 160 : 2000, FAR = 40 };

/* A clique with random weights, in which distances fall many times in a round; far vertices at
 * different distances, each with one more vertex after it. */
static fr_graph *clique_and_far(fr_ctx *ctx) {
    const int64_t m = (int64_t)CLIQUE * CLIQUE + 2 * FAR;
    int32_t *edges = malloc(sizeof *edges * 3 * (size_t)m), *from = edges, *to = from + m;
    int32_t *weight = to + m;
    int64_t e = 0;
    uint64_t state = 1;
    for (int32_t u = 0; u < CLIQUE; u++)
        for (int32_t v = 0; v < CLIQUE; v++, e++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            from[e] = u, to[e] = v, weight[e] = 1 + (int32_t)(state >> 33) % (10 * CLIQUE);
        }
    for (int32_t i = 0; i < FAR; i++, e += 2) {
        from[e] = i, to[e] = CLIQUE + i, weight[e] = 100 * CLIQUE * (i + 1);
        from[e + 1] = CLIQUE + i, to[e + 1] = CLIQUE + FAR + i, weight[e + 1] = 1;
    }
    fr_graph *graph = NULL;
    if (fr_graph_from_edges(ctx, CLIQUE + 2 * FAR, m, from, to, weight, FR_TYPE_I32, NULL, &graph))
        cf_give_up(ctx, "a clique");
    free(edges);
    return graph;
}

#endif
