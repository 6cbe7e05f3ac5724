/* BFS and SSSP on 1, 2, 3, 5 and 8 ranks, as threads, over the shapes of the conformance suite, against
 * its oracle: values exactly, parents as tight, the checker on ranks, and the bytes of every level as
 * the formula has them. */
#include "conformance/oracle.h"
#include "ranks/comm_threads.h"
#include "ranks/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, cases; /* of rank 0, one run at a time */

static void complain(const cf_graph *g, const fr_world *w, const char *what) {
    if (failures++ < 20)
        printf("FAILED %s %s on %d ranks: %s\n", g->shape, cf_weights_name[g->weights], w->size,
               what);
}

static void *need(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (!p)
        abort();
    return p;
}

static void put_weight(void *array, fr_type type, int64_t i, cf_number value) {
    switch (type) {
    case FR_TYPE_I32: ((int32_t *)array)[i] = (int32_t)value; break;
    case FR_TYPE_I64: ((int64_t *)array)[i] = (int64_t)value; break;
    case FR_TYPE_F32: ((float *)array)[i] = (float)value; break;
    default: ((double *)array)[i] = (double)value;
    }
}

/* Every P-th edge of the oracle's adjacency. */
static fr_part *make_part(fr_ctx *ctx, fr_world *w, const cf_graph *g) {
    fr_type type = cf_weight_type(g->weights);
    int64_t *src = need((size_t)g->m, 8), *dst = need((size_t)g->m, 8), here = 0;
    void *weights = need((size_t)g->m, 8);
    for (int32_t u = 0; u < g->n; u++)
        for (int64_t e = g->offset[u]; e < g->offset[u + 1]; e++)
            if (e % w->size == w->rank) {
                src[here] = u;
                dst[here] = g->to[e];
                put_weight(weights, type, here++, g->weight[e]);
            }
    fr_part *part = NULL;
    if (fr_part_from_edges(ctx, w, g->n, here, src, dst, weights, type, NULL, &part))
        complain(g, w, fr_ctx_error(ctx));
    free(src);
    free(dst);
    free(weights);
    return part;
}

static cf_number value_of(const fr_part_stats *f, const fr_part_result *r, int64_t v) {
    if (r->level)
        return r->level[v] < 0 ? (cf_number)INFINITY : r->level[v];
    if (f->dist_type == FR_TYPE_F64)
        return ((double *)r->dist)[v];
    int64_t dist = ((int64_t *)r->dist)[v];
    return dist == FR_INF_I64 ? (cf_number)INFINITY : dist;
}

/* On rank 0, with the whole answer. */
static void compare(const cf_graph *g, const fr_world *w, const fr_part_stats *f,
                    const int32_t *sources, int64_t count, const fr_part_result *all) {
    bool unit = all->level != NULL;
    cf_number *dist = need((size_t)g->n, sizeof *dist);
    int32_t *least = need((size_t)g->n, sizeof *least), *parent = need((size_t)g->n, 4);
    cf_solve(g, unit, sources, count, dist, least);
    for (int32_t v = 0; v < g->n; v++) {
        parent[v] = (int32_t)all->parent[v];
        if (value_of(f, all, v) != dist[v]) {
            complain(g, w, unit ? "a level differs" : "a distance differs");
            break;
        }
    }
    if (cf_wrong_parent(g, unit, sources, count, dist, parent) >= 0)
        complain(g, w, "a parent is wrong");
    free(dist);
    free(least);
    free(parent);
}

/* The deepest level of all ranks is the count that each one returns. */
static void check_levels(const cf_graph *g, fr_world *w, const fr_part *p,
                         const fr_part_result *own) {
    int64_t deepest = 0;
    for (int32_t i = 0; i < p->own; i++)
        deepest = FRI_MAX(deepest, own->level[i]);
    if (fri_world_max(w, &deepest, 1) || deepest != own->levels)
        complain(g, w, "the number of levels is not the deepest level");
}

/* SSSP reads the rows of small graphs whole: windows are asked for, and have to have been seen. */
static bool in_windows;
static int64_t windows, pulls, flushes;

static void count_method(const char *method) {
    windows += in_windows && strcmp(method, "window") == 0;
    pulls += in_windows && strcmp(method, "pull") == 0;
    flushes += strcmp(method, "flush") == 0;
}

/* What a rank receives per level: every other rank's report, and of the frontier what it lacks. */
static void check_bytes(const cf_graph *g, fr_part_solver *s, int64_t received) {
    const fr_part *p = s->part;
    const fr_world *w = p->world;
    int64_t count, sum = 0, others = w->size - 1, each = s->problem == FR_PROBLEM_BFS ? 4 : 12;
    const fr_part_level *levels = fr_part_levels(s, &count);
    for (int64_t i = 0; i < count; i++) {
        const fr_part_level *l = &levels[i];
        int64_t bytes =
            others * (int64_t)sizeof(fri_level_report) +
            (l->bitmap ? others * p->share / 8 : (l->frontier - l->own_frontier) * each);
        if (bytes != l->bytes_received)
            complain(g, w, "the bytes of a level are not those of the formula");
        if (l->bitmap != (s->problem == FR_PROBLEM_BFS && l->frontier > fri_part_slots(p) / 32))
            complain(g, w, "a frontier was sent in the longer form");
        sum += bytes;
        if (w->rank == 0)
            count_method(l->method);
    }
    if (count < FRI_PART_MAX_LEVELS && sum != received)
        complain(g, w, "the levels' bytes are not those of the query");
}

static void one_query(fr_ctx *ctx, fr_part_solver *s, const cf_graph *g, const int32_t *sources,
                      int64_t count) {
    const fr_part *p = s->part;
    fr_world *w = p->world;
    fr_part_stats f = FR_INIT(fr_part_stats);
    fr_part_get_stats(p, &f);
    bool bfs = s->problem == FR_PROBLEM_BFS;
    int64_t wide[4], everything = w->rank == 0 ? g->n : 0;
    for (int64_t k = 0; k < count; k++)
        wide[k] = sources[k];
    fr_part_query q = {.sources = wide, .source_count = count};
    void *blocks[] = {need((size_t)p->own, 8), need((size_t)p->own, 8), need((size_t)everything, 8),
                      need((size_t)everything, 8)};
    fr_part_result own = {.parent = blocks[1]}, all = {.parent = blocks[3]};
    own.level = bfs ? blocks[0] : NULL;
    own.dist = bfs ? NULL : blocks[0];
    all.level = bfs ? blocks[2] : NULL;
    all.dist = bfs ? NULL : blocks[2];
    fr_status status = fr_part_solve(s, &q, &own);
    if (status || w->bytes_received != ranks_bytes_copied(w))
        complain(g, w, status ? fr_ctx_error(ctx) : "the count of bytes is not what was copied");
    if (!status)
        check_bytes(g, s, own.bytes_received);
    if (!status && bfs)
        check_levels(g, w, p, &own);
    if (!status && (status = fr_part_verify(ctx, p, s->problem, &q, &own)))
        complain(g, w, fr_ctx_error(ctx));
    if (!status && fr_part_collect(ctx, p, &own, 0, everything, &all))
        complain(g, w, fr_ctx_error(ctx));
    if (!status && w->rank == 0)
        compare(g, w, &f, sources, count, &all);
    if (w->rank == 0)
        cases++;
    for (int i = 0; i < 4; i++)
        free(blocks[i]);
}

static void one_problem(fr_ctx *ctx, fr_world *w, const cf_graph *g, const fr_part *part,
                        fr_problem problem) {
    fr_part_solver *s = NULL;
    if (fr_part_solver_new(ctx, part, problem, &s)) {
        complain(g, w, fr_ctx_error(ctx));
        return;
    }
    if (in_windows) {
        s->wants_windows = true;
        s->queries = 1; /* sorted rows wait for the second one */
    }
    const int32_t isolated[] = {g->isolated}, sources[] = {g->hub, g->n - 1, 0, g->hub};
    if (g->isolated >= 0)
        one_query(ctx, s, g, isolated, 1);
    for (int count = 1; count <= 4 && g->n; count += 3) /* four: one is given twice */
        one_query(ctx, s, g, sources, count);
    fr_part_solver_free(s);
}

static void on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    const cf_graph *g = user;
    fr_part *part = make_part(ctx, w, g);
    if (part && g->weights == CF_NONE)
        one_problem(ctx, w, g, part, FR_PROBLEM_BFS);
    if (part)
        one_problem(ctx, w, g, part, FR_PROBLEM_SSSP);
    fr_part_free(part);
}

/* `threads`: of the last rank; the others have one. */
static void one_graph(fr_ctx *ctx, const cf_shape *shape, cf_weights weights, int ranks,
                      int threads) {
    cf_graph *g = cf_graph_new(ctx, shape, weights);
    if (!g)
        exit(1);
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = threads;
    const ranks_run run = {.size = ranks, .options = &options};
    ranks_start(&run, on_rank, g);
    cf_graph_free(g);
}

int main(void) {
    static const cf_weights weights[] = {CF_I32, CF_ZERO, CF_F32, CF_F64, CF_I64_53};
    static const int ranks[] = {1, 2, 3, 5, 8};
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    /* every shape on every number of ranks, and with every kind of weights on one of them */
    for (const cf_shape *s = cf_shapes; s->name; s++)
        for (int r = 0; r < 5 && !s->large; r++) {
            int at = (int)(s - cf_shapes) + r, threads = at % 2 ? 3 : 1;
            one_graph(ctx, s, CF_NONE, ranks[r], threads);
            one_graph(ctx, s, weights[at % 5], ranks[r], threads);
            in_windows = true;
            one_graph(ctx, s, weights[at % 5], ranks[r], threads);
            in_windows = false;
        }
    fr_ctx_free(ctx);
    printf("%d queries on ranks, %d failures; %lld windows, %lld pulls, %lld flushes\n", cases,
           failures, (long long)windows, (long long)pulls, (long long)flushes);
    return failures || !cases || !windows || !pulls || !flushes;
}
