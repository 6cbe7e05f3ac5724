/* The least work of a search that examines every edge of what it reaches: floors.py compiles and calls it. The order in
 * which vertices are settled is known in advance, so there is no queue; rows are prefetched and no branch depends on a
 * value. */
#include <math.h>
#include <stdint.h>

static void prefetch(const int64_t *offsets, const int32_t *targets, const double *weights,
                     const int32_t *order, int64_t i, int64_t count) {
    enum { AHEAD = 12 };
    if (i + AHEAD < count)
        __builtin_prefetch(&offsets[order[i + AHEAD]]);
    if (i + AHEAD / 2 >= count)
        return;
    const int64_t e = offsets[order[i + AHEAD / 2]];
    __builtin_prefetch(&targets[e]);
    if (weights)
        __builtin_prefetch(&weights[e]);
}

/* Distances from order[0]: each vertex relaxes its row once. */
void settle(int32_t n, const int64_t *offsets, const int32_t *targets, const double *weights,
            const int32_t *order, int64_t count, double *dist) {
    for (int32_t v = 0; v < n; v++)
        dist[v] = (double)INFINITY;
    dist[order[0]] = 0;
    for (int64_t i = 0; i < count; i++) {
        prefetch(offsets, targets, weights, order, i, count);
        const double from = dist[order[i]];
        for (int64_t e = offsets[order[i]], end = offsets[order[i] + 1]; e < end; e++) {
            const double sum = from + weights[e], old = dist[targets[e]];
            dist[targets[e]] = sum < old ? sum : old;
        }
    }
}

/* Parents of a breadth-first search: each vertex looks at its targets once. */
static inline void visit(int32_t n, const int64_t *offsets, const int32_t *targets,
                         const int32_t *order, int64_t count, int32_t *parent, int by_branch) {
    for (int32_t v = 0; v < n; v++)
        parent[v] = -1;
    parent[order[0]] = order[0];
    for (int64_t i = 0; i < count; i++) {
        prefetch(offsets, targets, 0, order, i, count);
        for (int64_t e = offsets[order[i]], end = offsets[order[i] + 1]; e < end; e++) {
            const int32_t old = parent[targets[e]];
            if (!by_branch)
                parent[targets[e]] = old ^ ((old ^ order[i]) & -(old < 0)); /* order[i] for -1 */
            else if (old < 0)
                parent[targets[e]] = order[i];
        }
    }
}

void visit_by_branches(int32_t n, const int64_t *offsets, const int32_t *targets,
                       const int32_t *order, int64_t count, int32_t *parent) {
    visit(n, offsets, targets, order, count, parent, 1);
}

void visit_without(int32_t n, const int64_t *offsets, const int32_t *targets, const int32_t *order,
                   int64_t count, int32_t *parent) {
    visit(n, offsets, targets, order, count, parent, 0);
}
