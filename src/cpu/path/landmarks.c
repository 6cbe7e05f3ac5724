/* ALT: landmarks and their distances.
 *
 * Source: A. V. Goldberg, C. Harrelson: Computing the shortest path: A* search meets graph theory,
 *   SODA 2005: farthest selection.
 * Differs: chooses only vertices that an earlier landmark reaches, so that no landmark is in a
 *   small component. The first landmark is the vertex farthest from one of maximum degree. */
#include "cpu/path/router.h"

static int32_t max_degree_vertex(const fr_csr *csr) {
    int32_t best = 0;
    for (int32_t v = 1; v < csr->n; v++)
        if (csr->offsets[v + 1] - csr->offsets[v] > csr->offsets[best + 1] - csr->offsets[best])
            best = v;
    return best;
}

/* Writes column i: the distances from v (side 1: to v). */
static fr_status column(fr_router *r, int side, int32_t v, int32_t i) {
    fri_route_space *space = &r->space[0];
    fr_status status = fri_route_tree(r, space, side, v, NULL, 0);
    char *dist = (char *)r->landmark[side] + (size_t)i * FRI_VALUE_BYTES;
    fr_status taken =
        fri_route_take(r, space, side, NULL, status ? 0 : r->csr[0].n, dist, r->landmark_count);
    status = status ? status : taken;
    return status == FR_OVERFLOW
               ? fri_fail(r->ctx, status, "a landmark's distance does not fit its type")
               : status;
}

fr_status fri_landmarks_prepare(fr_router *r, int32_t count) {
    int32_t n = r->csr[0].n;
    r->landmark_count = (int32_t)FRI_MIN(count, n);
    if (n == 0)
        return FR_OK;
    size_t bytes = fri_bytes(n, (size_t)r->landmark_count * FRI_VALUE_BYTES);
    int sides = r->csr[0].symmetric ? 1 : 2;
    for (int side = 0; side < sides; side++)
        if (!(r->landmark[side] = fri_alloc(r->ctx, bytes)))
            return FR_NOMEM;
    fri_pace pace = fri_pace_begin(r->ctx, "choosing landmarks", 0);
    r->space[0].pace = &pace;
    r->space[0].caller = true;
    fr_status status = column(r, 0, max_degree_vertex(&r->csr[0]), 0);
    for (int32_t i = 0; !status && i < r->landmark_count; i++) {
        int32_t v = fri_route_farthest(r, FRI_MAX(i, 1));
        for (int side = 0; !status && side < sides; side++)
            status = column(r, side, v, i);
    }
    return status;
}
