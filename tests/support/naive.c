#include "support/naive.h"
#include "support/support.h"

uint64_t naive_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

int naive_between(uint64_t *state, int low, int high) {
    return low + (int)(naive_random(state) % (uint64_t)(high - low + 1));
}

fr_graph *naive_random_graph(fr_ctx *ctx, uint64_t *state, const naive_shape *shape) {
    int32_t n = naive_between(state, 1, shape->max_n), m = naive_between(state, 0, shape->max_m);
    int32_t *src = malloc((size_t)(m + 1) * 4), *dst = malloc((size_t)(m + 1) * 4);
    int32_t *weights = malloc((size_t)(m + 1) * 4), *height = malloc((size_t)n * 4);
    for (int32_t v = 0; v < n; v++)
        height[v] = naive_between(state, 0, shape->potential);
    for (int32_t i = 0; i < m; i++) {
        src[i] = naive_between(state, 0, n - 1);
        dst[i] = naive_between(state, 0, n - 1);
        weights[i] =
            naive_between(state, shape->low, shape->high) + height[src[i]] - height[dst[i]];
    }
    fr_load_options options = {.direction = shape->undirected ? FR_DIRECTION_UNDIRECTED
                                                              : FR_DIRECTION_DIRECTED};
    fr_graph *graph = NULL;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, n, m, src, dst, weights, FR_TYPE_I32, &options, &graph));
    free(src);
    free(dst);
    free(weights);
    free(height);
    return graph;
}

static int64_t weight_at(const fr_csr *csr, int64_t e, bool unit) {
    return unit || !csr->weights ? 1 : ((const int32_t *)csr->weights)[e];
}

static bool relax_all(const fr_csr *csr, bool unit, int64_t *dist, int32_t *parent) {
    bool changed = false;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; dist[u] != NAIVE_INF && e < csr->offsets[u + 1]; e++) {
            int64_t sum = dist[u] + weight_at(csr, e, unit);
            if (sum >= dist[csr->targets[e]])
                continue;
            dist[csr->targets[e]] = sum;
            if (parent)
                parent[csr->targets[e]] = u;
            changed = true;
        }
    return changed;
}

bool naive_paths(const fr_csr *csr, const int32_t *sources, int64_t count, bool unit, int64_t *dist,
                 int32_t *parent) {
    for (int32_t v = 0; v < csr->n; v++) {
        dist[v] = NAIVE_INF;
        if (parent)
            parent[v] = NAIVE_NONE;
    }
    for (int64_t i = 0; i < count; i++) {
        dist[sources[i]] = 0;
        if (parent)
            parent[sources[i]] = sources[i];
    }
    for (int32_t round = 0; round <= csr->n; round++)
        if (!relax_all(csr, unit, dist, parent))
            return true;
    return false;
}

int64_t naive_weight(const fr_csr *csr, int32_t u, int32_t v, bool unit) {
    int64_t least = NAIVE_INF;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
        if (csr->targets[e] == v && weight_at(csr, e, unit) < least)
            least = weight_at(csr, e, unit);
    return least;
}

static bool is_source(const int32_t *sources, int64_t count, int32_t v) {
    for (int64_t i = 0; i < count; i++)
        if (sources[i] == v)
            return true;
    return false;
}

bool naive_parents_allowed(const fr_csr *csr, const int32_t *sources, int64_t count, bool unit,
                           const int64_t *dist, const int32_t *parent) {
    for (int32_t v = 0; v < csr->n; v++) {
        int32_t p = parent[v], steps = 0;
        if (dist[v] == NAIVE_INF && p != -1)
            return false;
        if (dist[v] == NAIVE_INF)
            continue;
        bool root = dist[v] == 0 && is_source(sources, count, v);
        if (root != (p == v) || p < 0 || p >= csr->n)
            return false;
        if (!root && (dist[p] == NAIVE_INF || naive_weight(csr, p, v, unit) != dist[v] - dist[p]))
            return false;
        for (int32_t u = v; parent[u] != u; u = parent[u])
            if (steps++ > csr->n || parent[u] < 0 || parent[u] >= csr->n)
                return false;
    }
    return true;
}
