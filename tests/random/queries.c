/* Queries of solvers. */
#include "case.h"

enum { SOURCES = RI_FRAME_OPTIONS };

static const ri_option options[] = {
    {.name = "sources", .kind = RI_VERTICES, .each = true, .least = 1}, {.name = NULL}};

static bool takes(const ri_case *c) { return c->graph.n > 0; }

static void draw(ri_case *c, ri_rng *rng) {
    int32_t source = (int32_t)ri_below(rng, c->graph.n);
    ri_set_list(ri_of(c, 0, SOURCES), &source, 1);
}

static void run(ri_case *c) {
    fr_graph *graph = ri_make_graph(c);
    int32_t *level = ri_out(c, (size_t)c->graph.n * sizeof *level);
    const ri_setting *sources = ri_of(c, 0, SOURCES);
    RI_OK(c, fr_bfs(c->ctx, graph, sources->list[0], level, NULL));
    const int32_t *want = ri_levels(c, &c->stored, sources->list, 1);
    for (int32_t v = 0; v < c->graph.n; v++)
        RI_CHECK(c, level[v] == want[v], "vertex %d has level %d, not %d", v, level[v], want[v]);
}

const ri_call ri_call_solve = {
    .name = "solve", .options = options, .share = 60, .draw = draw, .run = run, .takes = takes};
