/* The windows of SSSP on ranks: rows sorted by weight are read up to a bound that moves.
 *
 * Idea: that of cpu/sssp/spira_window.c. An edge is examined only once the distance through it is
 *   below the bound, so lowered distances are final at the end of the window, and most edges of a
 *   small-world graph are never examined. For every slot a rank keeps the next edge of its row
 *   here, and the distance at which that edge matters; a window begins with a scan of these
 *   distances. When the unreached vertices have fewer in-edges than another window costs, each
 *   pulls its best in-edge, the lightest first. Those with an unreached neighbor are then settled
 *   as without windows; the others are final and are not published. */
#include "cpu/sssp/sorted_adjacency.h"
#include "ranks/sssp.h"

typedef fri_part_sssp_state sssp;

enum { AHEAD = 8, ROWS_AHEAD = 6, CHUNK = 256, SCAN_CHUNK = 4096 };

#define TYPED static inline __attribute__((always_inline))

/* ---- edges ----------------------------------------------------------------------------------- */

TYPED int32_t end_of(fr_type type, const void *edges, int64_t e) {
    switch (type) {
    case FR_TYPE_I64: return ((const fri_edge_i64 *)edges)[e].v;
    case FR_TYPE_F32: return ((const fri_edge_f32 *)edges)[e].v;
    case FR_TYPE_F64: return ((const fri_edge_f64 *)edges)[e].v;
    default: return ((const fri_edge_i32 *)edges)[e].v;
    }
}

/* dist + the weight of e; the type's infinity if the sum does not fit. */
TYPED int64_t sum_of(fr_type type, const void *edges, int64_t e, int64_t dist) {
    int64_t sum;
    switch (type) {
    case FR_TYPE_F32:
        return fri_dist_bits(fri_dist_real(dist) + (double)((const fri_edge_f32 *)edges)[e].w);
    case FR_TYPE_F64:
        return fri_dist_bits(fri_dist_real(dist) + ((const fri_edge_f64 *)edges)[e].w);
    case FR_TYPE_I64:
        return __builtin_add_overflow(dist, ((const fri_edge_i64 *)edges)[e].w, &sum) ? FR_INF_I64
                                                                                      : sum;
    default:
        return __builtin_add_overflow(dist, ((const fri_edge_i32 *)edges)[e].w, &sum) ? FR_INF_I64
                                                                                      : sum;
    }
}

/* Compiles `name`_as once per type of weights and chooses one. */
#define BY_WEIGHTS(name)                                                                           \
    void fri_part_sssp_##name(sssp *x, fri_member me) {                                            \
        switch (x->rows->weight_type) {                                                            \
        case FR_TYPE_I64: name##_as(FR_TYPE_I64, x, me); break;                                    \
        case FR_TYPE_F32: name##_as(FR_TYPE_F32, x, me); break;                                    \
        case FR_TYPE_F64: name##_as(FR_TYPE_F64, x, me); break;                                    \
        default: name##_as(FR_TYPE_I32, x, me);                                                    \
        }                                                                                          \
    }

/* ---- push ------------------------------------------------------------------------------------ */

/* Relaxes the row of slot u from edge `at` up to the bound, and stores where it stopped. */
TYPED void push(fr_type type, sssp *x, fri_part_worker *w, int32_t u, int64_t dist, int64_t at,
                fri_append *near) {
    fr_part_solver *s = x->s;
    const void *edges = s->push_edges;
    int64_t begin = at, end = x->rows->offsets[u + 1], sum = x->inf;
    for (; at < end; at++) {
        sum = sum_of(type, edges, at, dist);
        if (sum >= x->bound)
            break;
        __builtin_prefetch(&s->dist[end_of(type, edges, at + AHEAD)]);
        int32_t i = end_of(type, edges, at);
        if (fri_part_lower(x, w, i, sum, u))
            fri_part_put(x, near, s->in_found, i);
    }
    if (at < end && sum == x->inf)
        fri_part_overflows(x);
    w->examined += at - begin;
    s->next_edge[u] = at;
    s->next_sum[u] = at < end ? sum : x->inf;
    w->min_sum = FRI_MIN(w->min_sum, s->next_sum[u]);
}

TYPED void drain_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    const int64_t *offsets = x->rows->offsets;
    const size_t edge =
        type == FR_TYPE_I64 || type == FR_TYPE_F64 ? sizeof(fri_edge_i64) : sizeof(fri_edge_i32);
    fri_append near = {.list = s->found, .count = &s->found_count};
    int64_t k, end;
    while (fri_team_next_chunk(&x->cursor, x->published, CHUNK, &k, &end))
        for (; k < end; k++) {
            if (k + 2 * ROWS_AHEAD < end)
                __builtin_prefetch(&offsets[s->all[k + 2 * ROWS_AHEAD].slot]);
            if (k + ROWS_AHEAD < end)
                __builtin_prefetch((const char *)s->push_edges +
                                   (size_t)offsets[s->all[k + ROWS_AHEAD].slot] * edge);
            int32_t u = s->all[k].slot;
            s->slot_dist[u] = fri_lowered_dist(&s->all[k]);
            push(type, x, &s->workers[me.index], u, s->slot_dist[u], offsets[u], &near);
        }
    fri_append_flush(&near);
}
BY_WEIGHTS(drain)

TYPED void scan_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_part_worker *w = &s->workers[me.index];
    fri_append near = {.list = s->found, .count = &s->found_count};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, fri_part_slots(x->p), SCAN_CHUNK, &begin, &end))
        for (int32_t u = (int32_t)begin; u < end; u++) {
            if (s->next_sum[u] < x->bound)
                push(type, x, w, u, s->slot_dist[u], s->next_edge[u], &near);
            w->min_sum = FRI_MIN(w->min_sum, s->next_sum[u]);
        }
    fri_append_flush(&near);
}
BY_WEIGHTS(scan)

/* ---- the end of the windows
 * -------------------------------------------------------------------- */

/* Returns whether a source of the in-edges from e on is unreached. */
TYPED bool has_unreached(fr_type type, const fr_part_solver *s, int64_t e, int64_t end,
                         int64_t inf) {
    for (; e < end; e++)
        if (s->slot_dist[end_of(type, s->pull_edges, e)] == inf)
            return true;
    return false;
}

/* The best distance of own vertex i through a published vertex; all of these are final. */
TYPED void pull_vertex(fr_type type, sssp *x, fri_part_worker *w, int32_t i, fri_append *far) {
    fr_part_solver *s = x->s;
    const void *edges = s->pull_edges;
    int64_t e = x->p->pull_offsets[i], begin = e, end = x->p->pull_offsets[i + 1], best = x->inf;
    int32_t parent = -1;
    bool open = !x->p->undirected; /* out-edges are in-edges only if undirected */
    for (; e < end && sum_of(type, edges, e, 0) < best; e++) {
        __builtin_prefetch(&s->slot_dist[end_of(type, edges, e + AHEAD)]);
        int32_t u = end_of(type, edges, e);
        bool unreached = s->slot_dist[u] == x->inf;
        int64_t sum = unreached ? x->inf : sum_of(type, edges, e, s->slot_dist[u]);
        open |= unreached;
        if (sum == x->inf && !unreached)
            fri_part_overflows(x);
        if (sum < best) {
            best = sum;
            parent = u;
        }
    }
    w->examined += e - begin;
    if (best == x->inf)
        return;
    s->dist[i] = best;
    s->parent[i] = parent;
    if (open || has_unreached(type, s, e, end, x->inf))
        fri_part_put(x, far, s->in_far, i);
}

TYPED void pull_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_append far = {.list = s->far, .count = &s->far_count};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, x->p->own, SCAN_CHUNK, &begin, &end))
        for (int32_t i = (int32_t)begin; i < end; i++)
            if (s->dist[i] == x->inf)
                pull_vertex(type, x, &s->workers[me.index], i, &far);
    fri_append_flush(&far);
}
BY_WEIGHTS(pull)

/* Relaxes the rest of a row, whose sums are all at least the bound. */
TYPED void flush_row(fr_type type, sssp *x, fri_part_worker *w, int32_t u, fri_append *far) {
    fr_part_solver *s = x->s;
    int64_t end = x->rows->offsets[u + 1];
    w->examined += end - s->next_edge[u];
    for (int64_t e = s->next_edge[u]; e < end; e++) {
        int32_t i = end_of(type, s->push_edges, e);
        int64_t sum = sum_of(type, s->push_edges, e, s->slot_dist[u]);
        if (sum == x->inf)
            fri_part_overflows(x);
        if (fri_part_lower(x, w, i, sum, u))
            fri_part_put(x, far, s->in_far, i);
    }
}

TYPED void flush_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_append far = {.list = s->far, .count = &s->far_count};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, fri_part_slots(x->p), SCAN_CHUNK, &begin, &end))
        for (int32_t u = (int32_t)begin; u < end; u++)
            if (s->next_sum[u] < x->inf)
                flush_row(type, x, &s->workers[me.index], u, &far);
    fri_append_flush(&far);
}
BY_WEIGHTS(flush)
