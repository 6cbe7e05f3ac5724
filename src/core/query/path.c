/* The path that a result's parents describe. */
#include "fringe_measures.h"
#include "graph/graph.h"

fr_status fr_path(fr_ctx *ctx, const int32_t *parent, int32_t n, int32_t target, int32_t *path,
                  int32_t *length) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!parent || !length)
        return fri_fail(ctx, FR_INVALID, "a path needs parents and the output length");
    *length = 0;
    fr_status status = fri_check_vertices(ctx, "target", &target, 1, n);
    if (status)
        return status;
    if (parent[target] == -1)
        return FR_OK;
    int32_t count = 1, v = target;
    for (; parent[v] != v; v = parent[v], count++)
        if (parent[v] < 0 || parent[v] >= n || count == n)
            return fri_fail(ctx, FR_INVALID, "the parents do not lead from vertex %d to a source",
                            target);
    v = target;
    for (int32_t i = count; path && i-- > 0; v = parent[v])
        path[i] = v;
    *length = count;
    return FR_OK;
}
