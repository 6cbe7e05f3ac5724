/* Draws a graph: its size, its shape, then its weights (weights.c). Most faults show with a few vertices; some graphs
 * are larger than what strategies treat as small. */
#include "case.h"

#include <stdlib.h>

ri_choice ri_chosen;

typedef struct maker {
    ri_rng *rng;
    ri_graph *g;
    int64_t room;
} maker;

static void edge(maker *k, int64_t u, int64_t v) {
    ri_graph *g = k->g;
    if (g->m == k->room) {
        k->room = 2 * k->room + 16;
        g->edges = realloc(g->edges, (size_t)k->room * sizeof *g->edges);
        if (!g->edges)
            abort();
    }
    g->edges[g->m++] = (ri_edge){(int32_t)u, (int32_t)v, {1}};
}

static int64_t any(maker *k) { return ri_below(k->rng, k->g->n); }

static void random_edges(maker *k, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        edge(k, any(k), any(k));
}

static void chain(maker *k) {
    const int64_t n = k->g->n;
    for (int64_t v = 0; v + 1 < n; v++)
        edge(k, v, v + 1);
    if (ri_chance(k->rng, 30))
        edge(k, n - 1, 0);
    random_edges(k, ri_below(k->rng, 1 + n / 4));
}

static void star(maker *k) {
    const int64_t middle = any(k), way = ri_below(k->rng, 3);
    for (int64_t v = 0; v < k->g->n; v++)
        edge(k, way == 0 || (way == 2 && v % 2) ? middle : v,
             way == 0 || (way == 2 && v % 2) ? v : middle);
}

static void grid(maker *k) {
    const int64_t n = k->g->n;
    int64_t width = 1;
    while ((width + 1) * (width + 1) <= n)
        width++;
    const bool both = ri_chance(k->rng, 50);
    for (int64_t v = 0; v < n; v++) {
        if (v % width + 1 < width && v + 1 < n)
            edge(k, v, v + 1);
        if (v + width < n)
            edge(k, v, v + width);
        if (both && v + width < n)
            edge(k, v + width, v);
    }
}

/* Ends near 0 are drawn more often. */
static int64_t skewed(maker *k) {
    double x = ri_unit(k->rng);
    return (int64_t)((double)k->g->n * x * x * x * x);
}

static void hubs(maker *k) {
    for (int64_t i = 0; i < 4 * k->g->n; i++)
        if (ri_chance(k->rng, 50))
            edge(k, skewed(k), any(k));
        else
            edge(k, any(k), skewed(k));
}

static void clusters(maker *k) {
    const int64_t n = k->g->n, size = 2 + ri_below(k->rng, 12);
    for (int64_t i = 0; i < 3 * n; i++) {
        int64_t u = any(k), v = u / size * size + ri_below(k->rng, size);
        edge(k, u, v < n ? v : u);
    }
    random_edges(k, ri_below(k->rng, 1 + n / size));
}

static void cliques(maker *k) {
    const int64_t n = k->g->n, size = n < 40 ? 1 + ri_below(k->rng, n) : 2 + ri_below(k->rng, 14);
    for (int64_t u = 0; u < n; u++)
        for (int64_t v = u / size * size; v < n && v < u / size * size + size; v++)
            if (u != v)
                edge(k, u, v);
    for (int64_t v = size; v < n; v += size)
        edge(k, v - 1, v);
}

static void dag(maker *k) {
    const int64_t n = k->g->n;
    for (int64_t i = 0; i < 3 * n; i++) {
        int64_t u = any(k), v = ri_chance(k->rng, 50) ? any(k) : u + 1 + ri_below(k->rng, 4);
        if (u < v && v < n)
            edge(k, u, v);
        else if (v < u)
            edge(k, v, u);
    }
}

static void random_graph(maker *k) {
    const int64_t n = k->g->n;
    random_edges(k, RI_PICK(k->rng, 0, n / 2, n, 2 * n, 4 * n, n < 200 ? 12 * n : 6 * n,
                            n < 400 ? 2 * n : 40 * n));
}

static void decorate(maker *k) {
    const int64_t n = k->g->n, m = k->g->m;
    if (ri_chance(k->rng, 25))
        for (int64_t i = 0; i <= n / 8; i++) {
            int64_t v = any(k);
            edge(k, v, v);
        }
    if (m && ri_chance(k->rng, 30))
        for (int64_t i = 0; i <= m / 6; i++) {
            ri_edge e = k->g->edges[ri_below(k->rng, m)];
            edge(k, e.from, e.to);
        }
    if (ri_chance(k->rng, 30)) /* the last vertices become isolated */
        k->g->n += (int32_t)ri_below(k->rng, 1 + n / 3);
}

/* Vertices in another order, so that isolated ones and hubs are anywhere. */
static void renumber(maker *k) {
    ri_graph *g = k->g;
    int32_t *to = ri_need((size_t)g->n * sizeof *to);
    for (int32_t v = 0; v < g->n; v++) {
        int64_t j = ri_below(k->rng, v + 1);
        to[v] = to[j];
        to[j] = v;
    }
    for (int64_t i = 0; i < g->m; i++) {
        g->edges[i].from = to[g->edges[i].from];
        g->edges[i].to = to[g->edges[i].to];
    }
    free(to);
}

static int32_t draw_size(ri_rng *rng) {
    int64_t kind = ri_below(rng, 100);
    if (kind < 2)
        return (int32_t)ri_below(rng, 2);
    if (kind < 72)
        return (int32_t)ri_between(rng, 2, 12);
    if (kind < 90)
        return (int32_t)ri_between(rng, 8, 80);
    if (kind < 98 || !ri_chosen.large)
        return (int32_t)ri_between(rng, 60, 400);
    return (int32_t)ri_between(rng, 400, 3000);
}

void ri_draw_graph(ri_rng *rng, ri_graph *g) {
    static void (*const shapes[])(maker *) = {
        chain, star, grid, hubs, clusters, cliques, dag, random_graph, random_graph, random_graph};
    maker k = {rng, g, 0};
    *g = (ri_graph){.n = draw_size(rng), .undirected = ri_chance(rng, 35)};
    if (g->n == 0)
        return;
    shapes[ri_below(rng, (int64_t)(sizeof shapes / sizeof *shapes))](&k);
    decorate(&k);
    if (ri_chance(rng, 60))
        renumber(&k);
}

/* ---- the case ------------------------------------------------------------------------------------------ */

static const ri_call *draw_call(ri_rng *rng, const ri_case *c) {
    int64_t sum = 0, at;
    for (int pass = 0;; pass++) {
        at = pass ? ri_below(rng, sum) : 0;
        for (int i = 0; ri_calls[i]; i++) {
            const ri_call *call = ri_calls[i];
            if ((ri_chosen.only && !ri_call_is_chosen(call)) || (call->takes && !call->takes(c)))
                continue;
            const int share = ri_chosen.only && !call->share ? 1 : call->share;
            if (!pass)
                sum += share;
            else if ((at -= share) < 0)
                return call;
        }
        if (!sum)
            return NULL;
    }
}

void ri_draw_case(ri_case *c, uint64_t seed, uint64_t number) {
    ri_rng rng = ri_seeded(seed, number);
    *c = (ri_case){.seed = seed, .number = number, .rounds = 1};
    for (int tries = 0; !c->call && tries < 1000; tries++) {
        free(c->graph.edges);
        ri_draw_graph(&rng, &c->graph);
        ri_draw_weights(&rng, &c->graph);
        c->call = draw_call(&rng, c);
    }
    if (!c->call) {
        fprintf(stderr, "no call is possible: --only %s, --backend %s\n",
                ri_chosen.only ? ri_chosen.only : "is not given",
                fr_backend_name(ri_chosen.backend));
        exit(2);
    }
    ri_draw_frame(c, &rng);
    c->call->draw(c, &rng);
}
