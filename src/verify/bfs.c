/* Checks levels and parents of a breadth-first search.
 *
 * Source: Graph500 benchmark specification, section "Validation" (graph500.org), whose rules are
 *   for undirected graphs; here for directed ones, several sources and limits.
 * Rules: let `cap` be the deepest level that had to be finished (below).
 *     1  a level is -1 (unreached) or within 0 .. cap; exactly the sources have level 0.
 *     2  a source is its own parent; an unreached vertex has parent -1; any other has a parent of
 *        one level less with an edge to it. (Without parents: some such vertex must exist.)
 *     3  for every edge u -> v with 0 <= level[u] < cap: level[v] is within 0 .. level[u] + 1.
 * They allow exact levels only. Let d(v) be the true level.
 *     level[v] = k >= 0 implies d(v) <= k: by 2, k steps from parent to parent lower the level by
 *       one each along edges and end at level 0, at a source by 1.
 *     d(v) = k <= cap implies 0 <= level[v] <= k, by induction: for k = 0 by 1; else some u with
 *       d(u) = k - 1 < cap has an edge to v, 0 <= level[u] <= k - 1 holds by induction, and 3 gives
 *       the claim.
 *     So level[v] = d(v) if d(v) <= cap; and if d(v) > cap, the first implication excludes a level
 *     of at most cap and 1 excludes any other, so level[v] = -1. That is the only correct answer.
 * Limits: cap is max_level if one is set. If all targets are reached, it is also at most the
 *   maximum level among them (their levels are exact by the above, so the cap is correct). If a
 *   target is not reached, nothing was allowed to end the search early.
 * Without levels they are first derived from the parents.
 * Work: n + m, in a symmetric graph n + m / 2, and n searches in sorted rows for the tree edges.
 *   Scratch: a bitmap; without parents n bytes; without levels 4 n ids.
 */
#include "verify/verify.h"

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    const fr_csr *csr;
    const fr_query *query;
    uint64_t *source_map;
    const int32_t *level, *parent;
    int32_t cap;
    int32_t *own_level;
    uint8_t *supported; /* [n] without parents: has an in-edge from one level less */
} candidate;

enum {
    RULE_HOLDS,
    BAD_PARENT,
    LEVEL_RANGE,
    LEVEL_SOURCE,
    LEVEL_ZERO,
    LEVEL_DEEP,
    PARENT_SOURCE,
    PARENT_UNREACHED,
    PARENT_MISSING,
    PARENT_LEVEL,
    PARENT_EDGE,
    UNSUPPORTED
};

static const char *const messages[] = {
    [BAD_PARENT] = "the parent is not a vertex",
    [LEVEL_RANGE] = "a level must be between -1 and n - 1",
    [LEVEL_SOURCE] = "a source must have level 0",
    [LEVEL_ZERO] = "only a source has level 0",
    [LEVEL_DEEP] = "the level exceeds the limit of the search",
    [PARENT_SOURCE] = "a source must be its own parent",
    [PARENT_UNREACHED] = "an unreached vertex must have parent -1",
    [PARENT_MISSING] = "a reached vertex must have a parent",
    [PARENT_LEVEL] = "the parent's level is not one less",
    [PARENT_EDGE] = "the parent has no edge to it",
    [UNSUPPORTED] = "no vertex of one level less has an edge to it",
};

static int parent_rule(const candidate *c, int32_t v) {
    int32_t p = c->parent[v], level = c->level[v];
    if (fri_bit_get(c->source_map, v))
        return p == v ? RULE_HOLDS : PARENT_SOURCE;
    if (level < 0)
        return p == -1 ? RULE_HOLDS : PARENT_UNREACHED;
    if (p < 0 || p >= c->csr->n)
        return p == -1 ? PARENT_MISSING : BAD_PARENT;
    if (c->level[p] != level - 1)
        return PARENT_LEVEL;
    return fri_verify_edge(c->csr, p, v) >= 0 ? RULE_HOLDS : PARENT_EDGE;
}

static int vertex_rule(const candidate *c, int32_t v) {
    int32_t level = c->level[v];
    bool source = fri_bit_get(c->source_map, v);
    if (level < -1 || level >= c->csr->n)
        return LEVEL_RANGE;
    if (source != (level == 0))
        return source ? LEVEL_SOURCE : LEVEL_ZERO;
    if (level > c->cap)
        return LEVEL_DEEP;
    if (c->parent)
        return parent_rule(c, v);
    return level > 0 && !c->supported[v] ? UNSUPPORTED : RULE_HOLDS;
}

static fr_status fail_vertex(const candidate *c, int32_t v, int rule) {
    int32_t p = c->parent ? c->parent[v] : -1;
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s (level %d, parent %s): %s",
                    fri_verify_label(c->graph, v).text, c->level ? c->level[v] : -1,
                    c->parent ? fri_verify_label(c->graph, p).text : "unknown", messages[rule]);
}

static fr_status check_vertices(const candidate *c) {
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 4 * (int64_t)c->csr->n);
    int64_t first = INT64_MAX; /* rule << 32 | vertex */
#pragma omp parallel for reduction(min : first) schedule(FRI_DYNAMIC, 4096) num_threads(threads)
    for (int32_t v = 0; v < c->csr->n; v++) {
        int rule = vertex_rule(c, v);
        if (rule)
            first = FRI_MIN(first, (int64_t)rule << 32 | v);
    }
    if (first == INT64_MAX)
        return FR_OK;
    return fail_vertex(c, (int32_t)(first & INT32_MAX), (int)(first >> 32));
}

/* Several threads may store the same byte value: relaxed is sufficient, the end of the region
 * orders the stores. */
static fr_status mark_supported(const candidate *c) {
    fri_pace pace = fri_pace_begin(c->ctx, "checking", c->csr->n);
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 2 * (c->csr->n + c->csr->m));
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t u = 0; u < c->csr->n; u++) {
        if (FRI_PACE_STOP_LOOP(&pace, c->csr->offsets[u + 1] - c->csr->offsets[u] + 1, u))
            continue;
        for (int64_t e = c->csr->offsets[u]; c->level[u] >= 0 && e < c->csr->offsets[u + 1]; e++) {
            int32_t v = c->csr->targets[e];
            if (c->level[v] == (int64_t)c->level[u] + 1)
                __atomic_store_n(&c->supported[v], 1, __ATOMIC_RELAXED);
        }
    }
    return pace.status;
}

static bool edge_broken(const candidate *c, int32_t u, int32_t v) {
    return c->level[v] < 0 || c->level[v] > c->level[u] + 1;
}

static bool parent_not_min(const candidate *c, int32_t u, int32_t v) {
    return u < c->parent[v] && c->level[v] == c->level[u] + 1;
}

/* The minimum edge u -> v for which `broken` holds, u reached and above `deepest`; -1: none, or the
 * user cancelled, which *pace records. */
static int64_t find_edge(const candidate *c, int32_t deepest,
                         bool (*broken)(const candidate *, int32_t, int32_t), int32_t *from,
                         fri_pace *pace) {
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 2 * (c->csr->n + c->csr->m));
    int64_t first = INT64_MAX;
#pragma omp parallel for reduction(min : first) schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t u = 0; u < c->csr->n; u++) {
        if (FRI_PACE_STOP_LOOP(pace, c->csr->offsets[u + 1] - c->csr->offsets[u] + 1, u))
            continue;
        for (int64_t e = c->csr->offsets[u];
             c->level[u] >= 0 && c->level[u] < deepest && e < c->csr->offsets[u + 1]; e++)
            if (broken(c, u, c->csr->targets[e]))
                first = FRI_MIN(first, e);
    }
    if (first == INT64_MAX || pace->status)
        return -1;
    for (*from = 0; c->csr->offsets[*from + 1] <= first;) /* error path */
        ++*from;
    return first;
}

/* Rule 3 for both directions at once, on half of a symmetric graph's edges: true if it holds
 * everywhere. False is inconclusive if a limit leaves neighbors unreached. */
static bool edges_hold(const candidate *c, fri_pace *pace) {
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 2 * (c->csr->n + c->csr->m));
    bool broken = false;
#pragma omp parallel for reduction(|| : broken) schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t u = 0; u < c->csr->n; u++) {
        int32_t level = c->level[u], v;
        if (FRI_PACE_STOP_LOOP(pace, c->csr->offsets[u + 1] - c->csr->offsets[u] + 1, u))
            continue;
        for (int64_t e = c->csr->offsets[u]; e < c->csr->offsets[u + 1]; e++) {
            if ((v = c->csr->targets[e]) >= u) /* rows are sorted */
                break;
            int32_t other = c->level[v];
            broken |= (level ^ other) < 0 || level - other > 1 || other - level > 1;
        }
    }
    return !broken;
}

static fr_status check_edges(const candidate *c) {
    int32_t u = 0;
    fri_pace pace = fri_pace_begin(c->ctx, "checking", c->csr->n);
    bool hold = c->csr->symmetric && edges_hold(c, &pace);
    int64_t e = hold ? -1 : find_edge(c, c->cap, edge_broken, &u, &pace);
    if (pace.status)
        return pace.status;
    if (e >= 0) {
        int32_t v = c->csr->targets[e];
        return fri_fail(
            c->ctx, FR_VERIFY_FAILED, "edge %s -> %s: from level %d it must reach level %d%s",
            fri_verify_label(c->graph, u).text, fri_verify_label(c->graph, v).text, c->level[u],
            c->level[u] + 1, c->level[v] < 0 ? ", but it is unreached" : " or less");
    }
    if (!c->parent || c->query->parent_rule == FR_PARENT_ANY)
        return FR_OK;
    e = find_edge(c, INT32_MAX, parent_not_min, &u, &pace);
    if (e < 0)
        return pace.status;
    int32_t v = c->csr->targets[e];
    return fri_fail(
        c->ctx, FR_VERIFY_FAILED, "vertex %s: parent %s is not the minimum, %s is smaller",
        fri_verify_label(c->graph, v).text, fri_verify_label(c->graph, c->parent[v]).text,
        fri_verify_label(c->graph, u).text);
}

static void set_level(void *arg, int32_t v, int32_t parent) {
    int32_t *level = arg;
    level[v] = v == parent ? 0 : level[parent] + 1;
}

/* Derives levels from the parents, which must be vertices and lead to roots. */
static fr_status count_levels(candidate *c) {
    int32_t n = c->csr->n, bad = INT32_MAX, detached = -1;
    c->level = c->own_level = fri_alloc(c->ctx, fri_bytes(n, sizeof(int32_t)));
    if (!c->level)
        return FR_NOMEM;
#pragma omp parallel for reduction(min                                                             \
                                   : bad) num_threads(fri_threads_for(c->ctx, c->ctx->threads, n))
    for (int32_t v = 0; v < n; v++) {
        c->own_level[v] = -1;
        if (c->parent[v] < -1 || c->parent[v] >= n)
            bad = FRI_MIN(bad, v);
    }
    if (bad < INT32_MAX)
        return fail_vertex(c, bad, BAD_PARENT);
    fr_status status = fri_verify_walk(c->ctx, n, c->parent, set_level, c->own_level, &detached);
    if (status || detached < 0)
        return status;
    return fri_fail(c->ctx, FR_VERIFY_FAILED,
                    "vertex %s: its chain of parents does not end at a source",
                    fri_verify_label(c->graph, detached).text);
}

static void set_cap(candidate *c) {
    const fr_query *q = c->query;
    c->cap = fri_limits_level(q) ? q->max_level : INT32_MAX;
    int32_t deepest = -1;
    for (int64_t i = 0; i < q->target_count; i++) {
        if (c->level[q->targets[i]] < 0)
            return;
        deepest = FRI_MAX(deepest, c->level[q->targets[i]]);
    }
    if (q->target_count)
        c->cap = FRI_MIN(c->cap, deepest);
}

static fr_status check(candidate *c) {
    fr_status status = c->level ? FR_OK : count_levels(c);
    if (status)
        return status;
    set_cap(c);
    if (!c->parent) {
        c->supported = fri_calloc(c->ctx, (size_t)c->csr->n);
        if (!c->supported)
            return FR_NOMEM;
        status = mark_supported(c);
    }
    if (!status)
        status = check_vertices(c);
    if (!status)
        status = fri_progress(c->ctx, "checking", 1, 2);
    return status ? status : check_edges(c);
}

fr_status fr_verify_bfs(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                        const int32_t *level, const int32_t *parent) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_query own;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &own);
    if (status)
        return status;
    query = &own;
    if (!graph || (!level && !parent))
        return fri_fail(ctx, FR_INVALID, "checking needs a graph and levels or parents");
    fr_graph *filtered;
    status = fri_verify_filter(ctx, query, &graph, &filtered);
    if (status)
        return status;
    candidate c = {.ctx = ctx,
                   .graph = graph,
                   .csr = &graph->csr,
                   .query = query,
                   .level = level,
                   .parent = parent};
    status = fri_verify_sources(ctx, graph, query, &c.source_map);
    if (!status)
        status = check(&c);
    fri_free(c.source_map);
    fri_free(c.own_level);
    fri_free(c.supported);
    fr_graph_free(filtered);
    return status;
}
