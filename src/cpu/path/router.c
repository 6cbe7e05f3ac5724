/* fr_router: allocation, options, and queries of pairs and tables over the context's threads. */
#include "base/bitmap.h"
#include "base/sized.h"
#include "base/team.h"
#include "core/strategy.h"
#include "cpu/path/router.h"
#include "cpu/typed.h"

/* One block, which begins with the labels. */
static fr_status space_new(fr_ctx *ctx, int32_t n, fri_route_space *space) {
    const size_t labels = fri_bytes(n, 2 * FRI_LABEL_BYTES),
                 touched = fri_bytes(n, sizeof(int32_t)), heap = fri_bytes(n, FRI_HEAP_NODE_BYTES);
    char *at = fri_calloc(ctx, fri_align_line(labels) +
                                   2 * (fri_align_line(heap) + fri_align_line(touched)));
    if (!at)
        return FR_NOMEM;
    space->labels = fri_carve(&at, labels);
    for (int side = 0; side < 2; side++)
        space->side[side] = (fri_search){.label = (char *)space->labels + side * FRI_LABEL_BYTES,
                                         .heap = fri_carve(&at, heap),
                                         .touched = fri_carve(&at, touched)};
    return FR_OK;
}

fr_status fri_router_spaces(fr_router *r, int count) {
    if (count <= r->space_count)
        return FR_OK;
    fri_route_space *grown = fri_grow(r->ctx, r->space, fri_bytes(count, sizeof *grown));
    if (!grown)
        return FR_NOMEM;
    r->space = grown;
    while (r->space_count < count) {
        fri_route_space fresh = {0};
        fr_status status = space_new(r->ctx, r->csr[0].n, &fresh);
        if (status)
            return status;
        r->space[r->space_count++] = fresh;
    }
    return FR_OK;
}

void fr_router_free(fr_router *r) {
    if (!r)
        return;
    for (int i = 0; i < r->space_count; i++)
        fri_free(r->space[i].labels);
    fri_free(r->space);
    fri_free(r->landmark[0]);
    fri_free(r->landmark[1]);
    fr_graph_free(r->reversed);
    fri_free(r);
}

static fr_status use_coordinates(fr_router *r, const fr_router_options *o) {
    if (!o->x || !o->y)
        return fri_fail(r->ctx, FR_INVALID, "A* needs the coordinates x and y of every vertex");
    for (int32_t v = 0; v < r->csr[0].n; v++) /* so that squares of differences are finite */
        if (!(o->x[v] >= -1e150 && o->x[v] <= 1e150 && o->y[v] >= -1e150 && o->y[v] <= 1e150))
            return fri_fail(r->ctx, FR_RANGE, "a coordinate of vertex %d is beyond 1e150", v);
    r->x = o->x;
    r->y = o->y;
    r->scale = fri_route_scale(r);
    return FR_OK;
}

static fr_status use_algorithm(fr_router *r, const fr_router_options *o) {
    if (o->landmarks < 0 || o->landmarks > FRI_LANDMARKS_MAX)
        return fri_fail(r->ctx, FR_INVALID, "%d landmarks; 0 to %d are possible", o->landmarks,
                        FRI_LANDMARKS_MAX);
    r->algorithm = o->algorithm;
    if (o->algorithm == FR_ROUTE_AUTO)
        r->algorithm = o->landmarks ? FR_ROUTE_ALT : FR_ROUTE_BIDIRECTIONAL;
    switch (r->algorithm) {
    case FR_ROUTE_BIDIRECTIONAL: return FR_OK;
    case FR_ROUTE_ASTAR: return use_coordinates(r, o);
    case FR_ROUTE_ALT: return fri_landmarks_prepare(r, o->landmarks ? o->landmarks : FRI_LANDMARKS);
    default: return fri_fail(r->ctx, FR_INVALID, "no algorithm has the number %d", o->algorithm);
    }
}

static fr_status bind(fr_router *r, const fr_graph *graph, const fr_router_options *options) {
    fr_router_options given;
    fr_status status = FRI_SIZED_READ(r->ctx, fr_router_options, options, &given);
    if (!status)
        status = fr_graph_transpose(r->ctx, graph, &r->reversed);
    if (status)
        return status;
    r->csr[0] = graph->csr;
    r->csr[1] = *fr_graph_csr(r->reversed);
    if (fri_route_has_negative(r))
        return fri_fail(r->ctx, FR_NEGATIVE_WEIGHT, "a router needs weights of at least 0");
    status = fri_router_spaces(r, 1);
    return status ? status : use_algorithm(r, &given);
}

fr_status fr_router_new(fr_ctx *ctx, const fr_graph *graph, const fr_router_options *options,
                        fr_router **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!out)
        return fri_null_output(ctx);
    *out = NULL;
    if (!graph)
        return fri_fail(ctx, FR_INVALID, "a router needs a graph");
    fr_router *r = fri_calloc(ctx, sizeof *r);
    if (!r)
        return FR_NOMEM;
    r->ctx = ctx;
    fr_status status = bind(r, graph, options);
    if (status)
        fr_router_free(r);
    else
        *out = r;
    return status;
}

fr_type fr_router_dist_type(const fr_router *r) {
    if (!r)
        return FR_TYPE_NONE;
    return fri_is_real(r->csr[0].weight_type) ? FR_TYPE_F64 : FR_TYPE_I64;
}

fr_route_algorithm fr_router_algorithm(const fr_router *r) {
    return r ? r->algorithm : FR_ROUTE_AUTO;
}

int64_t fr_router_settled(const fr_router *r) { return r ? r->settled : 0; }

static fr_status fail_overflow(const fr_router *r, fr_status status) {
    return status == FR_OVERFLOW ? fri_fail(r->ctx, status, "a distance does not fit %s",
                                            fri_is_real(r->csr[0].weight_type) ? "double" : "int64")
                                 : status;
}

/* `what`: the words for a source and a target. */
static fr_status begin(fr_router *r, const char *const what[2], const int32_t *sources,
                       int64_t source_count, const int32_t *targets, int64_t target_count,
                       const void *dist) {
    if (!r)
        return FR_INVALID;
    fri_begin(r->ctx);
    r->settled = 0;
    if (!sources || !targets || !dist)
        return fri_fail(r->ctx, FR_INVALID,
                        "a query needs sources, targets and an array for distances");
    fr_status status = fri_check_vertices(r->ctx, what[0], sources, source_count, r->csr[0].n);
    return status ? status
                  : fri_check_vertices(r->ctx, what[1], targets, target_count, r->csr[0].n);
}

static const char *const ends[2] = {"end", "end"}, *const rows[2] = {"source", "target"};

static void use_space(fri_route_space *space, fri_pace *pace, bool caller) {
    space->pace = pace;
    space->caller = caller;
    space->settled = 0;
}

fr_status fr_router_path(fr_router *r, int32_t source, int32_t target, void *dist, int32_t *path,
                         int32_t *length) {
    fr_status status = begin(r, ends, &source, 1, &target, 1, dist);
    if (status)
        return status;
    fri_route route = {.source = source, .target = target, .dist = dist, .path = path};
    fri_pace pace = fri_pace_begin(r->ctx, "routing", 0);
    fri_route_space *space = &r->space[0];
    use_space(space, &pace, true);
    status = fri_route_find(r, space, &route);
    r->settled = space->settled;
    if (length)
        *length = route.length;
    return fail_overflow(r, status);
}

/* Independent parts of a query, which the threads of the context claim one at a time. */
typedef struct router_batch {
    fr_router *router;
    const int32_t *sources, *targets;
    int64_t count;
    char *dist;
    fri_pace pace;
    int64_t next;
    int status; /* fr_status: the first failure */
    /* tables: */
    int side; /* 0: a row per source, 1: a column per target */
    int64_t columns;
    const int32_t *others;
    int64_t other_count, distinct;
    const uint64_t *marks;
} router_batch;

static fr_status one_pair(router_batch *c, fri_route_space *space, int64_t i) {
    fri_route route = {
        .source = c->sources[i], .target = c->targets[i], .dist = c->dist + i * FRI_VALUE_BYTES};
    return fri_route_find(c->router, space, &route);
}

/* Computes row or column i of a table. */
static fr_status table_line(router_batch *c, fri_route_space *space, int64_t i) {
    fr_status status =
        fri_route_tree(c->router, space, c->side, c->sources[i], c->marks, c->distinct);
    int64_t first = c->side ? i : i * c->columns, stride = c->side ? c->columns : 1;
    fr_status taken =
        fri_route_take(c->router, space, c->side, c->others, status ? 0 : c->other_count,
                       c->dist + first * FRI_VALUE_BYTES, stride);
    return status ? status : taken;
}

static void work(fri_member me, void *arg) {
    router_batch *c = arg;
    fri_route_space *space = &c->router->space[me.index];
    int64_t at, end;
    use_space(space, &c->pace, me.index == 0);
    while (!__atomic_load_n(&c->status, __ATOMIC_RELAXED) && /* a stale value delays the exit */
           fri_team_next_chunk(&c->next, c->count, 1, &at, &end)) {
        fr_status status = (c->marks ? table_line : one_pair)(c, space, at);
        if (status)
            __atomic_store_n(&c->status, (int)status, __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&c->router->settled, space->settled, __ATOMIC_RELAXED);
}

static fr_status run(router_batch *c) {
    fr_router *r = c->router;
    int threads = (int)FRI_MIN((int64_t)r->ctx->threads, FRI_MAX(c->count, 1));
    fr_status status = fri_router_spaces(r, threads);
    if (status)
        return status;
    if (fri_progress(r->ctx, "routing", 0, 0)) /* here: other threads may do all of a small job */
        return FR_CANCELLED;
    c->pace = fri_pace_begin(r->ctx, "routing", 0);
    fri_team_share(r->ctx, threads, work, c);
    return fail_overflow(r, (fr_status)c->status);
}

fr_status fr_router_distances(fr_router *r, const int32_t *sources, const int32_t *targets,
                              int64_t count, void *dist) {
    fr_status status = begin(r, rows, sources, count, targets, count, dist);
    if (status)
        return status;
    router_batch c = {
        .router = r, .sources = sources, .targets = targets, .count = count, .dist = dist};
    return run(&c);
}

fr_status fr_router_table(fr_router *r, const int32_t *sources, int64_t source_count,
                          const int32_t *targets, int64_t target_count, void *dist) {
    fr_status status = begin(r, rows, sources, source_count, targets, target_count, dist);
    if (status || source_count == 0 || target_count == 0)
        return status;
    uint64_t *marks = fri_calloc(r->ctx, fri_bitmap_bytes(r->csr[0].n));
    if (!marks)
        return FR_NOMEM;
    bool by_target = target_count < source_count;
    router_batch c = {.router = r,
                      .sources = by_target ? targets : sources,
                      .count = by_target ? target_count : source_count,
                      .side = by_target,
                      .columns = target_count,
                      .others = by_target ? sources : targets,
                      .other_count = by_target ? source_count : target_count,
                      .dist = dist,
                      .marks = marks};
    for (int64_t i = 0; i < c.other_count; i++)
        if (!fri_bit_get(marks, c.others[i])) {
            fri_bit_set(marks, c.others[i]);
            c.distinct++;
        }
    status = run(&c);
    fri_free(marks);
    return status;
}

fr_status fr_router_k_paths(fr_router *r, int32_t source, int32_t target, int64_t k, fr_path_fn fn,
                            void *user) {
    fr_status status = begin(r, ends, &source, 1, &target, 1, &source);
    if (!status && (k < 1 || !fn))
        status = fri_fail(r->ctx, FR_INVALID, "k paths need k of at least 1 and a function");
    if (status)
        return status;
    fri_pace pace = fri_pace_begin(r->ctx, "routing", 0);
    fri_route_space *space = &r->space[0];
    use_space(space, &pace, true);
    fri_route route = {.source = source, .target = target};
    status = fri_route_k_paths(r, space, &route, k, fn, user);
    r->settled = space->settled;
    return fail_overflow(r, status);
}
