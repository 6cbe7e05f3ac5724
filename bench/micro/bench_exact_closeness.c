/* Predicts exact closeness and harmonic centrality of a large undirected graph on one device from some sources.
 *
 *   bench_exact_closeness GRAPH [SOURCES [EVERY [FILE [cpu]]]]
 *
 * GRAPH: a file or a generator's description. SOURCES (2,048) consecutive vertices from the middle on are computed with a
 * checkpoint in FILE (closeness.part, removed at the end) after EVERY (512), on the GPU unless `cpu` is given, after a call
 * of 512 that uploads the graph. One line of JSON: sizes, sources a second by the wall of the call, and the hours that all
 * vertices take at that rate, which is an extrapolation. Exit status 1: the scores of a source are not those of its
 * breadth-first search. */
#include "fringe_measures.h"
#include "turns.h"

enum { FIRST_CALL = 512, CHECKED = 8 };

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    int64_t n;
    fr_distance_centrality_options o;
    double *closeness, *harmonic; /* [o.count] */
} bench;

/* Seconds of the call. */
static double run(const bench *b, int64_t count, const char *checkpoint) {
    fr_distance_centrality_options o = b->o;
    o.count = count;
    o.checkpoint = checkpoint;
    const double begin = now_ms();
    need(b->ctx, fr_distance_centrality(b->ctx, b->graph, &o, b->closeness, b->harmonic));
    return (now_ms() - begin) / 1e3;
}

static int32_t largest(const bench *b) {
    int32_t *label = need_memory((size_t)b->n * sizeof *label),
            *size = need_memory((size_t)b->n * sizeof *size), count = 0, most = 0;
    need(b->ctx,
         fr_components(b->ctx, b->graph, FR_COMPONENTS_WEAK, b->o.backend, label, size, &count));
    for (int32_t i = 0; i < count; i++)
        most = size[i] > most ? size[i] : most;
    free(label);
    free(size);
    return most;
}

/* Whether a source's scores are those of its own search. */
static bool agrees(const bench *b, int64_t i) {
    int32_t *level = need_memory((size_t)b->n * sizeof *level), deepest = 0;
    int64_t *found = need_memory((size_t)(b->n + 1) * sizeof *found);
    double reached = 0, far = 0, near = 0;
    memset(found, 0, (size_t)(b->n + 1) * sizeof *found);
    need(b->ctx, fr_bfs(b->ctx, b->graph, (int32_t)(b->o.first + i), level, NULL));
    for (int64_t v = 0; v < b->n; v++)
        if (level[v] >= 0) {
            found[level[v]]++;
            deepest = level[v] > deepest ? level[v] : deepest;
        }
    for (int32_t d = 0; d <= deepest; d++) {
        reached += (double)found[d];
        far += (double)found[d] * d;
        near += d ? (double)found[d] / d : 0;
    }
    free(level);
    free(found);
    const double part = (reached - 1) / ((double)b->n - 1);
    return (far > 0 ? (reached - 1) / far * part : 0) == b->closeness[i] && near == b->harmonic[i];
}

int main(int argc, char **argv) {
    const char *file = argc > 4 ? argv[4] : "closeness.part";
    bench b = {.ctx = open_threads(0), .o = FR_INIT(fr_distance_centrality_options)};
    bool right = true;
    if (argc < 2)
        give_up("bench_exact_closeness GRAPH [SOURCES [EVERY [FILE [cpu]]]]");
    line_begin();
    line_text("graph", argv[1]);
    double begin = now_ms();
    b.graph = open_graph(b.ctx, argv[1], NULL);
    line_number("generate_s", (now_ms() - begin) / 1e3);
    b.n = fr_graph_vertex_count(b.graph);
    b.o.backend = argc > 5 ? FR_BACKEND_CPU : FR_BACKEND_CUDA;
    b.o.checkpoint_vertices = argc > 3 ? atoll(argv[3]) : 512;
    b.o.first = b.n / 2;
    const int64_t asked = argc > 2 ? atoll(argv[2]) : 2048, rest = b.n - b.o.first;
    const int64_t count = asked < rest ? asked : rest;
    if (count < 1)
        give_up("no sources");
    b.closeness = need_memory((size_t)count * sizeof *b.closeness);
    b.harmonic = need_memory((size_t)count * sizeof *b.harmonic);
    line_count("vertices", b.n);
    line_count("stored_edges", fr_graph_edge_count(b.graph));
    line_count("largest_component", largest(&b));
    line_number("first_call_s", run(&b, count < FIRST_CALL ? count : FIRST_CALL, NULL));
    begin = now_ms();
    (void)fr_graph_hash(b.graph);
    line_number("hash_s", (now_ms() - begin) / 1e3);
    remove(file);
    const double seconds = run(&b, count, file);
    remove(file);
    for (int64_t i = 0; i < CHECKED && i < count; i++)
        right &= agrees(&b, i * count / CHECKED);
    line_count("sources", count);
    line_count("checkpoint_every", b.o.checkpoint_vertices);
    line_number("seconds", seconds);
    line_number("sources_per_second", (double)count / seconds);
    line_number("extrapolated_hours", (double)b.n * seconds / (double)count / 3600);
    line_flag("right", right);
    line_end();
    free(b.closeness);
    free(b.harmonic);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return !right;
}
