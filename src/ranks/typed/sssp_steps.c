/* The steps of SSSP on ranks: relaxing whole rows, and windows, which read rows sorted by weight up to
 * a moving bound.
 *
 * Idea of the windows: as cpu/sssp/typed/spira_window.c. An edge is examined only once the distance
 *   through it is below the bound, so lowered distances are final at the end of the window, and most
 *   edges of a small-world graph are never examined. For every row with edges a rank keeps the next
 *   edge and the number of the window in which that edge matters, one byte; a window begins with a scan
 *   of these bytes. The minimum weight of a row shows whether a published vertex has an edge to examine
 *   now, without an access to its edges. When the unreached vertices have fewer in-edges than another
 *   window costs, each pulls its best in-edge, the lightest first. Those with an unreached neighbor
 *   are then settled as without windows; the others are final and are not published. */
#include "cpu/sssp/sssp.h"
#include "cpu/typed.h"
#include "ranks/sssp.h"

#include <sched.h>
#include <string.h>

typedef fri_part_sssp_state sssp;

enum { AHEAD = 8, BATCH = 64, SCAN_CHUNK = 4096 };

/* ---- distances ------------------------------------------------------------------------------- */

/* A distance is an int64, also that of a double: its bits (ranks/part/part.h). */
#if DIST_IS_INTEGER
#define value_of(dist) (dist)
#else
#define value_of(dist) fri_dist_real(dist)
#endif

/* dist + w; the type's infinity if the sum does not fit. */
static inline int64_t sum_of(int64_t dist, dist_t w) {
#if DIST_IS_INTEGER
    int64_t sum;
    return __builtin_add_overflow(dist, w, &sum) ? FR_INF_I64 : sum;
#else
    return fri_dist_bits(fri_dist_real(dist) + w);
#endif
}

/* ---- lowering a distance ---------------------------------------------------------------------- */

static inline int64_t lowered_dist(const fri_lowered *l) {
    return (int64_t)((uint64_t)l->dist[1] << 32 | l->dist[0]);
}

/* Adds own index i to a list unless `map` says that it is in the list. */
static inline void put(const fri_part_sssp_state *x, fri_append *list, uint64_t *map, int32_t i) {
    if (x->shared ? !fri_bit_claim(map, i) : fri_bit_get(map, i))
        return;
    if (!x->shared)
        fri_bit_set(map, i);
    fri_append_put(list, i);
}

/* Distance and parent change together, so that a parent's edge is tight: the thread that exchanges
 * the parent for LOCKED owns both. *old: the distance before. */
static bool lower_locked(fr_part_solver *s, int32_t i, int64_t dist, int32_t slot, int64_t *old) {
    enum { LOCKED = -2, ATTEMPTS = 100 };
    for (int attempts = 0; dist < __atomic_load_n(&s->dist[i], __ATOMIC_RELAXED); attempts++) {
        /* acquire: orders the reads below after the last owner's writes */
        int32_t parent = __atomic_exchange_n(&s->parent[i], LOCKED, __ATOMIC_ACQUIRE);
        if (parent != LOCKED) {
            *old = __atomic_load_n(&s->dist[i], __ATOMIC_RELAXED);
            bool lowers = dist < *old;
            if (lowers)
                __atomic_store_n(&s->dist[i], dist, __ATOMIC_RELAXED);
            __atomic_store_n(&s->parent[i], lowers ? slot : parent, __ATOMIC_RELEASE);
            return lowers;
        }
        if (attempts > ATTEMPTS) /* the owner is not running */
            sched_yield();
    }
    return false;
}

/* Lowers an own vertex to `dist` with parent `slot`; returns false if its distance is not
 * larger. */
static inline bool lower(const fri_part_sssp_state *x, fri_part_worker *w, int32_t i, int64_t dist,
                         int32_t slot) {
    fr_part_solver *s = x->s;
    /* relaxed: a distance only falls; the lock decides */
    int64_t old = __atomic_load_n(&s->dist[i], __ATOMIC_RELAXED);
    if (dist >= old)
        return false;
    if (!x->shared) {
        s->dist[i] = dist;
        s->parent[i] = slot;
    } else if (!lower_locked(s, i, dist, slot, &old))
        return false;
    if (old == x->inf)
        w->edges += fri_part_in_degree(x->p, i);
    return true;
}

/* ---- whole rows ------------------------------------------------------------------------------ */

static void relax_row(sssp *x, fri_part_worker *w, const fri_lowered *from, fri_append *near,
                      fri_append *far) {
    fr_part_solver *s = x->s;
    const fr_csr *rows = x->rows;
    int64_t dist = lowered_dist(from), end = rows->offsets[from->slot + 1];
    w->examined += end - rows->offsets[from->slot];
    for (int64_t e = rows->offsets[from->slot]; e < end; e++) {
        int32_t i = rows->targets[e];
        int64_t sum = sum_of(dist, (dist_t)weight_at(rows, e));
        if (!lower(x, w, i, sum, from->slot))
            continue;
        if (sum < x->bound)
            put(x, near, s->in_found, i);
        else
            put(x, far, s->in_far, i);
    }
}

FRI_PREFETCHER prefetch_row(const fr_csr *rows, int32_t slot) {
    int64_t e = rows->offsets[slot];
    __builtin_prefetch(rows->targets + e);
    if (rows->weights)
        __builtin_prefetch((const weight_t *)rows->weights + e);
}

static void relax(sssp *x, fri_member me) {
    enum { ROWS_AHEAD = 6 };
    fr_part_solver *s = x->s;
    const fr_csr *rows = x->rows;
    fri_append near = {.list = s->found, .count = &s->found_count};
    fri_append far = {.list = s->far, .count = &s->far_count};
    int64_t k, end;
    while (fri_team_next_chunk(&x->cursor, x->published, BATCH, &k, &end))
        for (; k < end; k++) {
            if (k + 2 * ROWS_AHEAD < end)
                __builtin_prefetch(&rows->offsets[s->all[k + 2 * ROWS_AHEAD].slot]);
            if (k + ROWS_AHEAD < end)
                prefetch_row(rows, s->all[k + ROWS_AHEAD].slot);
            relax_row(x, &s->workers[me.index], &s->all[k], &near, &far);
        }
    fri_append_flush(&near);
    fri_append_flush(&far);
}

/* ---- windows ------------------------------------------------------------------------------- */

/* The number of the window that examines an edge with this sum. It does not decrease with the sum,
 * so the edges with sums below the bound are in the windows up to due_of(bound - 1): that is the
 * largest distance below the bound, of doubles as well. */
static inline uint8_t due_of(const sssp *x, int64_t sum) {
    double number = FRI_MIN((double)value_of(sum) * x->windows_per_distance, (double)FRI_DUE_LATER);
    return sum == x->inf ? FRI_DUE_NEVER : (uint8_t)number;
}

/* dist + a lower bound of the weights of a row. */
static inline int64_t min_sum(int64_t dist, float lightest) {
#if DIST_IS_INTEGER
    return sum_of(dist, lightest < 0x1p62f    ? (int64_t)lightest
                        : lightest < INFINITY ? INT64_C(1) << 62
                                              : FR_INF_I64);
#else
    return sum_of(dist, (dist_t)lightest);
#endif
}

static inline void set_due(fri_nonempty_rows *rows, fri_part_worker *w, int32_t number,
                           uint8_t due) {
    rows->due[number] = due;
    w->min_due = FRI_MIN(w->min_due, due);
}

/* ---- push ---------------------------------------------------------------------------------- */

/* Relaxes a row from edge `at` up to the bound, and stores where it stopped. */
static inline void push(sssp *x, fri_part_worker *w, int32_t number, int64_t at, int64_t end,
                        fri_append *near) {
    fr_part_solver *s = x->s;
    const edge_t *edges = s->push_edges;
    const fri_nonempty_row row = s->rows.rows[number];
    int64_t begin = at, sum = x->inf;
    for (; at < end; at++) {
        sum = sum_of(row.dist, (dist_t)edges[at].w);
        if (sum >= x->bound)
            break;
        if (at + AHEAD < end)
            __builtin_prefetch(&s->dist[edges[at + AHEAD].v]);
        int32_t i = edges[at].v;
        if (lower(x, w, i, sum, row.slot))
            put(x, near, s->in_found, i);
    }
    w->examined += at - begin;
    s->rows.next[number] = at;
    set_due(&s->rows, w, number, at < end ? due_of(x, sum) : FRI_DUE_NEVER);
}

/* Rows with edges to examine now, collected so that their accesses to memory overlap. */
typedef struct batch {
    int count;
    int32_t number[BATCH + 1]; /* the last one is written, never used */
} batch;

static inline void push_batch(sssp *x, fri_part_worker *w, batch *b, fri_append *near) {
    const fri_nonempty_rows *rows = &x->s->rows;
    const edge_t *edges = x->s->push_edges;
    int64_t at[BATCH], end[BATCH];
    for (int k = 0; k < b->count; k++) {
        int32_t slot = rows->rows[b->number[k]].slot;
        int64_t next = rows->next[b->number[k]];
        at[k] = next < 0 ? x->rows->offsets[slot] : next;
        end[k] = x->rows->offsets[slot + 1];
        __builtin_prefetch(&edges[at[k]]);
    }
    for (int k = 0; k < b->count; k++) /* past the last edge are more, for such accesses */
        __builtin_prefetch(&x->s->dist[edges[at[k]].v]);
    for (int k = 0; k < b->count; k++)
        push(x, w, b->number[k], at[k], end[k], near);
    b->count = 0;
}

/* Stores the distances of published vertices whose rows have edges here. Collects the rows that
 * have one to examine now. */
static inline void publish_rows(sssp *x, fri_part_worker *w, const fri_lowered *from, int count,
                                batch *b) {
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
        int64_t dist = lowered_dist(kept[k]), sum = min_sum(dist, row->lightest);
        if (row->dist != x->inf)
            rows->next[number[k]] = -1;
        row->dist = dist;
        if (sum < x->bound) {
            b->number[b->count++] = number[k];
            continue;
        }
        set_due(rows, w, number[k], due_of(x, sum));
    }
}

static void drain(sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_part_worker *w = &s->workers[me.index];
    fri_append near = {.list = s->found, .count = &s->found_count};
    batch b = {0};
    int64_t k, end;
    while (fri_team_next_chunk(&x->cursor, x->published, BATCH, &k, &end)) {
        publish_rows(x, w, &s->all[k], (int)(end - k), &b);
        push_batch(x, w, &b, &near);
    }
    fri_append_flush(&near);
}

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

static void scan(sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_part_worker *w = &s->workers[me.index];
    fri_append near = {.list = s->found, .count = &s->found_count};
    due_vector now = (due_vector){0} + due_of(x, x->bound - 1), others = ~(due_vector){0};
    batch b = {0};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, fri_nonempty_rows_padded(&s->rows), SCAN_CHUNK, &begin,
                               &end)) {
        for (; begin < end; begin += FRI_DUE_VECTOR) {
            collect_due(s->rows.due, (int32_t)begin, now, &others, &b);
            if (b.count > BATCH - FRI_DUE_VECTOR)
                push_batch(x, w, &b, &near);
        }
        push_batch(x, w, &b, &near);
    }
    for (int i = 0; i < FRI_DUE_VECTOR; i++)
        w->min_due = FRI_MIN(w->min_due, others[i]);
    fri_append_flush(&near);
}

/* ---- the end of the windows ---------------------------------------------------------------- */

/* Returns whether a source of the in-edges from e on is unreached. */
static inline bool has_unreached(const fr_part_solver *s, int64_t e, int64_t end, int64_t inf) {
    const edge_t *edges = s->pull_edges;
    for (; e < end; e++)
        if (s->rows.rows[edges[e].v].dist == inf)
            return true;
    return false;
}

/* The best distance of own vertex i through a published vertex; all of these are final. */
static inline void pull_vertex(sssp *x, fri_part_worker *w, int32_t i, fri_append *far) {
    fr_part_solver *s = x->s;
    const edge_t *edges = s->pull_edges;
    int64_t e = x->p->pull_offsets[i], begin = e, end = x->p->pull_offsets[i + 1], best = x->inf;
    const fri_nonempty_row *rows = s->rows.rows;
    int32_t best_row = -1;
    bool open = !x->p->undirected; /* out-edges are in-edges only if undirected */
    for (; e < end && sum_of(0, (dist_t)edges[e].w) < best; e++) {
        __builtin_prefetch(&rows[edges[e + AHEAD].v]);
        int32_t row = edges[e].v;
        bool unreached = rows[row].dist == x->inf;
        int64_t sum = unreached ? x->inf : sum_of(rows[row].dist, (dist_t)edges[e].w);
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
    if (open || has_unreached(s, e, end, x->inf))
        put(x, far, s->in_far, i);
}

static void pull(sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_append far = {.list = s->far, .count = &s->far_count};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, x->p->own, SCAN_CHUNK, &begin, &end))
        for (int32_t i = (int32_t)begin; i < end; i++)
            if (s->dist[i] == x->inf)
                pull_vertex(x, &s->workers[me.index], i, &far);
    fri_append_flush(&far);
}

/* Relaxes the rest of a row, whose sums are all at least the bound. */
static inline void flush_row(sssp *x, fri_part_worker *w, int32_t number, fri_append *far) {
    fr_part_solver *s = x->s;
    const edge_t *edges = s->push_edges;
    const fri_nonempty_row *row = &s->rows.rows[number];
    int64_t next = s->rows.next[number], e = next < 0 ? x->rows->offsets[row->slot] : next;
    int64_t end = x->rows->offsets[row->slot + 1];
    w->examined += end - e;
    for (; e < end; e++) {
        int32_t i = edges[e].v;
        int64_t sum = sum_of(row->dist, (dist_t)edges[e].w);
        if (lower(x, w, i, sum, row->slot))
            put(x, far, s->in_far, i);
    }
}

static void flush(sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    fri_append far = {.list = s->far, .count = &s->far_count};
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, s->rows.count, SCAN_CHUNK, &begin, &end))
        for (int32_t row = (int32_t)begin; row < end; row++)
            if (s->rows.due[row] != FRI_DUE_NEVER)
                flush_row(x, &s->workers[me.index], row, &far);
    fri_append_flush(&far);
}

FRI_TYPED_FUNCTION(FRI_WIDE_PAIRS, fri_wide_pair(weights), const fri_part_sssp_step_fn *,
                   fri_part_sssp_steps, (fr_type weights), (weights)) {
    static const fri_part_sssp_step_fn steps[FRI_PART_SSSP_STEPS] = {
        [FRI_PART_RELAX] = relax, [FRI_PART_DRAIN] = drain, [FRI_PART_SCAN] = scan,
        [FRI_PART_PULL] = pull,   [FRI_PART_FLUSH] = flush,
    };
    (void)weights;
    return steps;
}
