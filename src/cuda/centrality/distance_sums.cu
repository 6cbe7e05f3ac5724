/* Sums over the distances to vertices, for closeness and harmonic centrality.
 *
 * Source: the searches of bfs/many/state.cuh (Then et al., VLDB 2014), on deep graphs those of bfs/many/blocks.cuh.
 * Idea: searches in the transposed graph, which count the vertices of a level for each source, so that no
 *   row of distances is made, and a vertex needs no other sources. Those whose neighbors have about as many edges
 *   share a search: they reach the hubs in the same level, after which a pull finds all missing bits in a few edges.
 *   Counted for 4,096 random sources of Kronecker 20 (edge factor 27), edges gathered by the pull of level 2: 0.76 of
 *   all edges for 512 at random, 0.95 for the 512 with the fewest, 0.02 to 0.08 for the others.
 * Needs: in-edges; no weights. Scratch: that of the searches.
 * Work: for each 512 sources that of the searches, and the words of the vertices that gain bits in a level, added
 *   bit-sliced (bfs/many/consumers.cuh). */
#include "core/gpu_interface.h"
#include "cuda/centrality/searches.cuh"
#include "cuda/device/results/results.h"

enum { SUMS = 3, CLASSES = 65, CLASS_BLOCK = 256 };

namespace {
struct batch {
    double *sum[SUMS]; /* [fri_searches_at_once] */
    unsigned *tally;   /* [FRI_PHASES] of them */
    int32_t *source;   /* [fri_searches_at_once] */
};
} // namespace

/* A warp per source: 0 without neighbors, otherwise the digits of the number of their edges, about. */
template <class O>
static __global__ void class_kernel(fri_csr_view<O> out, fri_vertex_part part, uint8_t *of) {
    const int64_t i = fri_thread_of_grid() / FRI_WARP;
    if (i >= part.count)
        return;
    unsigned long long degree;
    const unsigned long long ahead = fri_many_ahead(out, (int32_t)(part.first + i), &degree);
    if (fri_lane() == 0)
        of[i] = degree ? (uint8_t)(64 - __clzll((long long)(ahead | 1))) : 0;
}

static batch carve(const fri_gpu *g, char **at) {
    batch b = {};
    for (double *&sum : b.sum)
        fri_carve_array(at, &sum, fri_searches_at_once(g));
    fri_carve_array(at, &b.tally, FRI_PHASES * fri_searches_at_once(g));
    fri_carve_array(at, &b.source, fri_searches_at_once(g));
    return b;
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, carve) + fri_searches_bytes(g);
}

/* The part's vertices by ascending class, otherwise in their order. *alone: how many have no neighbors. of: [count]. */
template <class O>
static fr_status order(fri_gpu *g, const fri_many<O> &p, fri_vertex_part part, int32_t *source,
                       uint8_t *of, int64_t *alone) {
    int64_t at[CLASSES + 1] = {0};
    uint8_t *found = (uint8_t *)p.seen; /* of which no search has been started */
    FRI_RUN_EACH((class_kernel<O>), part.count * FRI_WARP, CLASS_BLOCK, p.out, part, found);
    FRI_GPU_TRY(fri_gpu_launched(g));
    FRI_GPU_TRY(fri_gpu_download(g, of, found, (size_t)part.count));
    for (int64_t i = 0; i < part.count; i++)
        at[of[i] + 1]++;
    *alone = at[1];
    for (int i = 1; i <= CLASSES; i++)
        at[i] += at[i - 1];
    for (int64_t i = 0; i < part.count; i++)
        source[at[of[i]]++] = (int32_t)(part.first + i);
    return FR_OK;
}

/* source: [count], and room for as many bytes. */
template <class O>
static fr_status run(fri_gpu *g, const char *phase, fri_vertex_part part, int32_t *source,
                     const fri_distance_sums &result) {
    double *const to[SUMS] = {result.reached, result.far, result.near};
    char *at = g->scratch;
    const batch b = carve(g, &at);
    const size_t cleared = (size_t)((char *)b.source - (char *)b.sum[0]);
    size_t zeroed;
    int64_t done;
    double sum[SUMS][FRI_SEARCHES_MOST * 64];
    fri_many_control end;
    fri_many<O> p = fri_searches_carve<O>(g, &at, &zeroed);
    const fri_csr_view<O> out = p.out;
    p.out = p.in;
    p.in = out;
    p.aligns = part.count <= fri_searches_at_once(g); /* more are sorted */
    p.sources = b.source;
    p.reached = b.sum[0];
    p.far = b.sum[1];
    p.near = b.sum[2];
    p.tally = b.tally;
    FRI_GPU_TRY(order(g, p, part, source, (uint8_t *)(source + part.count), &done));
    for (int64_t i = 0; i < done; i++)
        for (int k = 0; k < SUMS; k++)
            to[k][source[i] - part.first] = k == 0; /* reached: itself */
    for (; done < part.count; done += p.count) {
        p.count = (int32_t)FRI_MIN((int64_t)fri_searches_at_once(g), part.count - done);
        FRI_GPU_TRY(fri_gpu_send(g, b.source, source + done, fri_bytes(p.count, sizeof *source)));
        FRI_GPU_TRY(fri_gpu_zero(g, b.sum[0], cleared));
        FRI_GPU_TRY(
            fri_searches_any(g, p, zeroed, fri_many_tally{}, {phase, done, part.count}, &end));
        for (int k = 0; k < SUMS; k++) {
            FRI_GPU_TRY(fri_gpu_download(g, sum[k], b.sum[k], fri_bytes(p.count, sizeof **sum)));
            for (int i = 0; i < p.count; i++)
                to[k][source[done + i] - part.first] = sum[k][i];
        }
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "distance-sums", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES,
                      device_scratch);

fr_status fri_gpu_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                fri_vertex_part part, fri_distance_sums to, fri_next_sums next,
                                void *user) {
    fri_gpu_call call;
    if (!part.count)
        return FR_OK;
    int32_t *source = (int32_t *)fri_alloc(ctx, fri_bytes(part.count, sizeof *source + 1));
    if (!source)
        return FR_NOMEM;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    const fr_status ended =
        fri_gpu_call_run(&call, fri_searches_plan(&call, part.count), [&](fri_gpu *g) {
            fr_status status = FR_OK;
            do {
                FRI_BY_OFFSET_TYPE(g, status = run<O>(g, phase, part, source, to));
            } while (!status && next(user, &part, &to));
            return status;
        });
    fri_free(source);
    return ended;
}
