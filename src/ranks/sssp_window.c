/* SSSP on ranks in windows: reads rows sorted by weight up to a moving bound.
 *
 * Idea: as cpu/sssp/spira_window.c. An edge is examined only once the distance through it is
 *   below the bound, so lowered distances are final at the end of the window, and most edges of a
 *   small-world graph are never examined. For every row with edges a rank keeps the next edge and
 *   the number of the window in which that edge matters, one byte; a window begins with a scan of
 *   these bytes. The minimum weight of a row shows whether a published vertex has an edge to examine
 *   now, without an access to its edges. When the unreached vertices have fewer in-edges than another
 *   window costs, each pulls its best in-edge, the lightest first. Those with an unreached neighbor
 *   are then settled as without windows; the others are final and are not published. */
#include "cpu/sssp/sorted_adjacency.h"
#include "ranks/sssp.h"

#include <math.h>
#include <string.h>

typedef fri_part_sssp_state sssp;

enum { AHEAD = 8, BATCH = 64, SCAN_CHUNK = 4096 };

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

/* ---- windows ------------------------------------------------------------------------------- */

/* Slightly less than 1 / width, so that the largest distance below the end of a window is of that
 * window in spite of rounding. */
double fri_part_windows_per_distance(fr_type type, int64_t width) {
    return (1 - 0x1p-40) / (fri_dist_is_real(type) ? fri_dist_real(width) : (double)width);
}

/* The number of the window that examines an edge with this sum. It does not decrease with the sum,
 * so the edges with sums below the bound are those of windows up to due_of(bound - 1): that is the
 * largest distance below the bound, of doubles as well. */
TYPED uint8_t due_of(fr_type type, const sssp *x, int64_t sum) {
    double dist = fri_dist_is_real(type) ? fri_dist_real(sum) : (double)sum;
    double number = FRI_MIN(dist * x->windows_per_distance, (double)FRI_DUE_LATER);
    return sum == x->inf ? FRI_DUE_NEVER : (uint8_t)number;
}

/* dist + a lower bound of the weights of a row. */
TYPED int64_t min_sum(fr_type type, int64_t dist, float lightest) {
    if (fri_dist_is_real(type))
        return fri_dist_bits(fri_dist_real(dist) + (double)lightest);
    int64_t weight = lightest < 0x1p62f    ? (int64_t)lightest
                     : lightest < INFINITY ? INT64_C(1) << 62
                                           : FR_INF_I64;
    int64_t sum;
    return __builtin_add_overflow(dist, weight, &sum) ? FR_INF_I64 : sum;
}

TYPED void set_due(fri_nonempty_rows *rows, fri_part_worker *w, int32_t number, uint8_t due) {
    rows->due[number] = due;
    w->min_due = FRI_MIN(w->min_due, due);
}

/* ---- push ---------------------------------------------------------------------------------- */

/* Relaxes a row from edge `at` up to the bound, and stores where it stopped. */
TYPED void push(fr_type type, sssp *x, fri_part_worker *w, int32_t number, int64_t at, int64_t end,
                fri_append *near) {
    fr_part_solver *s = x->s;
    const void *edges = s->push_edges;
    const fri_nonempty_row row = s->rows.rows[number];
    int64_t begin = at, sum = x->inf;
    for (; at < end; at++) {
        sum = sum_of(type, edges, at, row.dist);
        if (sum >= x->bound)
            break;
        if (at + AHEAD < end)
            __builtin_prefetch(&s->dist[end_of(type, edges, at + AHEAD)]);
        int32_t i = end_of(type, edges, at);
        if (fri_part_lower(x, w, i, sum, row.slot))
            fri_part_put(x, near, s->in_found, i);
    }
    w->examined += at - begin;
    s->rows.next[number] = at;
    set_due(&s->rows, w, number, at < end ? due_of(type, x, sum) : FRI_DUE_NEVER);
}

/* Rows with edges to examine now, collected so that their accesses to memory overlap. */
typedef struct batch {
    int count;
    int32_t number[BATCH + 1]; /* the last one is written, never used */
} batch;

TYPED void push_batch(fr_type type, sssp *x, fri_part_worker *w, batch *b, fri_append *near) {
    const fri_nonempty_rows *rows = &x->s->rows;
    const void *edges = x->s->push_edges;
    const size_t bytes = fri_adjacency_edge_bytes(type);
    int64_t at[BATCH], end[BATCH];
    for (int k = 0; k < b->count; k++) {
        int32_t slot = rows->rows[b->number[k]].slot;
        int64_t next = rows->next[b->number[k]];
        at[k] = next < 0 ? x->rows->offsets[slot] : next;
        end[k] = x->rows->offsets[slot + 1];
        __builtin_prefetch((const char *)edges + (size_t)at[k] * bytes);
    }
    for (int k = 0; k < b->count; k++) /* past the last edge are more, for such accesses */
        __builtin_prefetch(&x->s->dist[end_of(type, edges, at[k])]);
    for (int k = 0; k < b->count; k++)
        push(type, x, w, b->number[k], at[k], end[k], near);
    b->count = 0;
}

/* Stores the distances of published vertices whose rows have edges here. Collects the rows that
 * have one to examine now. */
TYPED void publish_rows(fr_type type, sssp *x, fri_part_worker *w, const fri_lowered *from,
                        int count, batch *b) {
    fri_nonempty_rows *rows = &x->s->rows;
    const fri_lowered *kept[BATCH];
    int32_t number[BATCH];
    int many = 0;
    for (int k = 0; k < count; k++) {
        kept[many] = &from[k];
        number[many] = fri_row_number(rows, from[k].slot);
        __builtin_prefetch(&rows->rows[number[many]]);
        many += fri_row_is_nonempty(rows, from[k].slot);
    }
    for (int k = 0; k < many; k++) {
        fri_nonempty_row *row = &rows->rows[number[k]];
        int64_t dist = fri_lowered_dist(kept[k]), sum = min_sum(type, dist, row->lightest);
        if (row->dist != x->inf)
            rows->next[number[k]] = -1;
        row->dist = dist;
        if (sum < x->bound) {
            b->number[b->count++] = number[k];
            continue;
        }
        set_due(rows, w, number[k], due_of(type, x, sum));
    }
}

TYPED void drain_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_part_worker *w = &s->workers[me.index];
    fri_append near = {.list = s->found, .count = &s->found_count};
    batch b = {0};
    int64_t k, end;
    while (fri_team_next_chunk(&x->cursor, x->published, BATCH, &k, &end)) {
        publish_rows(type, x, w, &s->all[k], (int)(end - k), &b);
        push_batch(type, x, w, &b, &near);
    }
    fri_append_flush(&near);
}
BY_WEIGHTS(drain)

/* ---- the scan ------------------------------------------------------------------------------ */

typedef uint8_t due_vector __attribute__((vector_size(FRI_DUE_VECTOR)));

/* Collects the due ones of FRI_DUE_VECTOR rows. *others: the minima of the rest. */
static inline void collect_due(const uint8_t *due, int32_t first, due_vector now,
                               due_vector *others, batch *b) {
    enum { WORDS = FRI_DUE_VECTOR / 8 };
    due_vector group;
    uint64_t words[WORDS];
    memcpy(&group, due + first, sizeof group);
    due_vector is_due = (due_vector)(group <= now), rest = group | is_due;
    due_vector lower = (due_vector)(rest < *others);
    *others = (rest & lower) | (*others & ~lower);
    memcpy(words, &is_due, sizeof words);
    for (int i = 0; i < WORDS; i++)
        for (int32_t row = first + 8 * i; words[i] && row < first + 8 * (i + 1); row++) {
            b->number[b->count] = row;
            b->count += due[row] <= now[0];
        }
}

TYPED void scan_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_part_worker *w = &s->workers[me.index];
    fri_append near = {.list = s->found, .count = &s->found_count};
    due_vector now = (due_vector){0} + due_of(type, x, x->bound - 1), others = ~(due_vector){0};
    batch b = {0};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, fri_nonempty_rows_padded(&s->rows), SCAN_CHUNK, &begin,
                               &end)) {
        for (; begin < end; begin += FRI_DUE_VECTOR) {
            collect_due(s->rows.due, (int32_t)begin, now, &others, &b);
            if (b.count > BATCH - FRI_DUE_VECTOR)
                push_batch(type, x, w, &b, &near);
        }
        push_batch(type, x, w, &b, &near);
    }
    for (int i = 0; i < FRI_DUE_VECTOR; i++)
        w->min_due = FRI_MIN(w->min_due, others[i]);
    fri_append_flush(&near);
}
BY_WEIGHTS(scan)

/* ---- the end of the windows ---------------------------------------------------------------- */

/* Returns whether a source of the in-edges from e on is unreached. */
TYPED bool has_unreached(fr_type type, const fr_part_solver *s, int64_t e, int64_t end,
                         int64_t inf) {
    for (; e < end; e++)
        if (s->rows.rows[end_of(type, s->pull_edges, e)].dist == inf)
            return true;
    return false;
}

/* The best distance of own vertex i through a published vertex; all of these are final. */
TYPED void pull_vertex(fr_type type, sssp *x, fri_part_worker *w, int32_t i, fri_append *far) {
    fr_part_solver *s = x->s;
    const void *edges = s->pull_edges;
    int64_t e = x->p->pull_offsets[i], begin = e, end = x->p->pull_offsets[i + 1], best = x->inf;
    const fri_nonempty_row *rows = s->rows.rows;
    int32_t best_row = -1;
    bool open = !x->p->undirected; /* out-edges are in-edges only if undirected */
    for (; e < end && sum_of(type, edges, e, 0) < best; e++) {
        __builtin_prefetch(&rows[end_of(type, edges, e + AHEAD)]);
        int32_t row = end_of(type, edges, e);
        bool unreached = rows[row].dist == x->inf;
        int64_t sum = unreached ? x->inf : sum_of(type, edges, e, rows[row].dist);
        open |= unreached;
        if (sum < best) {
            best = sum;
            best_row = row;
        }
    }
    w->examined += e - begin;
    if (best == x->inf)
        return;
    s->dist[i] = best;
    s->parent[i] = rows[best_row].slot;
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
TYPED void flush_row(fr_type type, sssp *x, fri_part_worker *w, int32_t number, fri_append *far) {
    fr_part_solver *s = x->s;
    const fri_nonempty_row *row = &s->rows.rows[number];
    int64_t next = s->rows.next[number], e = next < 0 ? x->rows->offsets[row->slot] : next;
    int64_t end = x->rows->offsets[row->slot + 1];
    w->examined += end - e;
    for (; e < end; e++) {
        int32_t i = end_of(type, s->push_edges, e);
        int64_t sum = sum_of(type, s->push_edges, e, row->dist);
        if (fri_part_lower(x, w, i, sum, row->slot))
            fri_part_put(x, far, s->in_far, i);
    }
}

TYPED void flush_as(fr_type type, sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_append far = {.list = s->far, .count = &s->far_count};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, s->rows.count, SCAN_CHUNK, &begin, &end))
        for (int32_t row = (int32_t)begin; row < end; row++)
            if (s->rows.due[row] != FRI_DUE_NEVER)
                flush_row(type, x, &s->workers[me.index], row, &far);
    fri_append_flush(&far);
}
BY_WEIGHTS(flush)
