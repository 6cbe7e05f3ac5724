/* Checks an answer on ranks by its properties. It shares no code with the traversals.
 *
 * The owner of its target checks an edge. For the values of the sources, the ranks send their
 * values to all, one rank after the other, and every rank then checks the rows of that rank's
 * slots, which are contiguous. The rules are from Graph500's specification, section 7, with
 * equality for tight edges. */
#include "base/sized.h"
#include "ranks/part/part.h"

#include <string.h>

typedef struct checker {
    fr_ctx *ctx;
    const fr_part *p;
    const fr_csr *rows;
    bool bfs;
    const fr_part_result *r;
    int64_t *far;     /* [share] values of the slots of one rank */
    int64_t *mine;    /* [own] */
    uint64_t *source; /* [words] own sources */
    uint64_t *whole;  /* [ranks * words] slots whose parents lead to a source */
    uint64_t *grown;  /* [words] */
    int *counts;
    int64_t inf;
} checker;

static fr_status wrong(const checker *c, int32_t own, const char *what) {
    int64_t id = fr_part_id(c->p, fr_part_vertex_of_own(c->p, own));
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %lld: %s", (long long)id, what);
}

/* ---- own values ---------------------------------------------------------------------------- */

/* Copies the values as distances; a level is the distance with unit weights. */
static void take_values(checker *c) {
    for (int32_t i = 0; i < c->p->own; i++) {
        int64_t level = c->bfs ? c->r->level[i] : 0;
        c->mine[i] = !c->bfs ? ((const int64_t *)c->r->dist)[i] : level < 0 ? c->inf : level;
    }
}

static fr_status check_own(const checker *c) {
    for (int32_t i = 0; i < c->p->own; i++) {
        int64_t vertex = fr_part_vertex_of_own(c->p, i), parent = c->r->parent[i];
        bool reached = c->mine[i] != c->inf, source = fri_bit_get(c->source, i);
        if (c->mine[i] < 0)
            return wrong(c, i, "its distance is negative");
        if (source && (c->mine[i] != 0 || parent != vertex))
            return wrong(c, i, "a source does not have value 0 and itself as parent");
        if (!source && parent == vertex)
            return wrong(c, i, "it is its own parent, but no source");
        if (reached != (parent >= 0) || parent < -1 || parent >= c->p->n)
            return wrong(c, i, "it needs a parent exactly if it is reached, and one that exists");
    }
    return FR_OK;
}

/* ---- edges --------------------------------------------------------------------------------- */

static int64_t sum_of(const checker *c, int64_t value, int64_t e) {
    return c->bfs ? value + 1 : fri_dist_add(c->rows, value, e);
}

static fr_status check_rows(const checker *c, int32_t first) {
    for (int32_t k = 0; k < c->p->share; k++) {
        if (c->far[k] == c->inf)
            continue;
        for (int64_t e = c->rows->offsets[first + k]; e < c->rows->offsets[first + k + 1]; e++)
            if (sum_of(c, c->far[k], e) < c->mine[c->rows->targets[e]])
                return wrong(c, c->rows->targets[e], "an edge leads to it by a shorter path");
    }
    return FR_OK;
}

static bool is_tight(const checker *c, int32_t slot, int32_t first, int32_t i) {
    int64_t value = c->far[slot - first];
    for (int64_t e = fri_csr_lower_bound(c->rows, slot, i);
         value != c->inf && e < c->rows->offsets[slot + 1] && c->rows->targets[e] == i; e++)
        if (sum_of(c, value, e) == c->mine[i])
            return true;
    return false;
}

/* Also marks the vertices whose parent has a smaller distance: no cycle of parents contains
 * them. */
static fr_status check_parents(checker *c, int32_t first) {
    for (int32_t i = 0; i < c->p->own; i++) {
        if (c->r->parent[i] < 0 || fri_bit_get(c->source, i))
            continue;
        int32_t slot = fri_part_slot(c->p, c->r->parent[i]);
        if (slot < first || slot >= first + c->p->share)
            continue;
        if (!is_tight(c, slot, first, i))
            return wrong(c, i, "no edge from its parent gives its value");
        if (c->far[slot - first] < c->mine[i])
            fri_bit_set(c->grown, i);
    }
    return FR_OK;
}

static fr_status check_edges(checker *c) {
    fr_world *w = c->p->world;
    fr_status status = FR_OK;
    for (int r = 0; r < w->size && !status; r++) {
        int32_t sent = fri_part_own_of(c->p, r);
        for (int q = 0; q < w->size; q++)
            c->counts[q] = q == r ? sent : 0;
        status = fri_world_allgather(w, c->mine, c->far, c->counts, sizeof *c->far);
        for (int32_t k = sent; k < c->p->share; k++)
            c->far[k] = c->inf;
        fr_status mine = status ? status : check_rows(c, r * c->p->share);
        mine = mine ? mine : check_parents(c, r * c->p->share);
        status = status ? status : fri_world_agree(w, mine);
    }
    return status;
}

/* ---- cycles -------------------------------------------------------------------------------- */

static int64_t count_open(const checker *c) {
    int64_t open = 0;
    for (int32_t i = 0; i < c->p->own; i++)
        open += c->r->parent[i] >= 0 && !fri_bit_get(c->grown, i);
    return open;
}

/* A cycle of tight parents has only edges of weight 0. Each round marks the vertices whose parent
 * is marked; a round that marks none leaves the vertices of cycles and those below them. */
static fr_status check_cycles(checker *c) {
    fr_world *w = c->p->world;
    int64_t words = fri_part_words(c->p), open, before = INT64_MAX;
    for (int32_t i = 0; i < c->p->own; i++)
        if (fri_bit_get(c->source, i))
            fri_bit_set(c->grown, i);
    for (;;) {
        int64_t sum = open = count_open(c);
        fr_status status = fri_world_sum(w, &sum, 1);
        if (status || !sum)
            return status;
        if (sum >= before) {
            int32_t i = 0;
            while (open && (c->r->parent[i] < 0 || fri_bit_get(c->grown, i)))
                i++;
            return fri_world_agree(w, open ? wrong(c, i, "its parents lead to no source") : FR_OK);
        }
        before = sum;
        status = fri_world_allgather_equal(w, c->grown, c->whole, (int)words, sizeof *c->whole);
        if (status)
            return status;
        for (int32_t i = 0; i < c->p->own; i++)
            if (c->r->parent[i] >= 0 && fri_bit_get(c->whole, fri_part_slot(c->p, c->r->parent[i])))
                fri_bit_set(c->grown, i);
    }
}

/* ---- the call ------------------------------------------------------------------------------ */

static fr_status open_checker(checker *c, const fr_part_query *q) {
    const fr_part *p = c->p;
    int64_t words = fri_part_words(p), ranks = p->world->size;
    c->far = fri_alloc(c->ctx, fri_bytes(p->share, sizeof *c->far));
    c->mine = fri_alloc(c->ctx, fri_bytes(p->own, sizeof *c->mine));
    c->source = fri_calloc(c->ctx, fri_bytes(words, sizeof *c->source));
    c->grown = fri_calloc(c->ctx, fri_bytes(words, sizeof *c->grown));
    c->whole = fri_alloc(c->ctx, fri_bytes(words * ranks, sizeof *c->whole));
    c->counts = fri_alloc(c->ctx, fri_bytes(ranks, sizeof *c->counts));
    if (!c->far || !c->mine || !c->source || !c->grown || !c->whole || !c->counts)
        return FR_NOMEM;
    for (int64_t k = 0; k < q->source_count; k++) {
        if (q->sources[k] < 0 || q->sources[k] >= p->n)
            return fri_fail(c->ctx, FR_NOT_FOUND, "source %lld is not a vertex",
                            (long long)q->sources[k]);
        int32_t i = fri_part_slot(p, q->sources[k]) - fri_part_base(p);
        if (i >= 0 && i < p->own)
            fri_bit_set(c->source, i);
    }
    take_values(c);
    return FR_OK;
}

static void close_checker(checker *c) {
    fri_free(c->far);
    fri_free(c->mine);
    fri_free(c->source);
    fri_free(c->grown);
    fri_free(c->whole);
    fri_free(c->counts);
}

fr_status fr_part_verify(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                         const fr_part_query *query, const fr_part_result *result) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!part)
        return fri_fail(ctx, FR_INVALID, "verification needs a part");
    fr_part_query q = {0};
    fr_part_result r = {0};
    checker c = {
        .ctx = ctx, .p = part, .rows = &part->push->csr, .bfs = problem == FR_PROBLEM_BFS, .r = &r};
    c.inf = c.bfs ? INT64_MAX : fri_dist_inf(c.rows->weight_type);
    fr_status status = FRI_SIZED_READ(ctx, fr_part_query, query, &q);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_part_result, result, &r);
    if (!status && part->own && (!r.parent || (c.bfs ? !r.level : !r.dist)))
        status = fri_fail(ctx, FR_INVALID, "verification needs the values and parents");
    if (!status && (!q.sources || q.source_count < 1))
        status = fri_fail(ctx, FR_INVALID, "verification needs the sources of the query");
    if (!status)
        status = open_checker(&c, &q);
    status = fri_world_begin(part->world, "fr_part_verify", (uint64_t)problem, status);
    if (!status)
        status = fri_world_agree(part->world, check_own(&c));
    if (!status)
        status = check_edges(&c);
    if (!status)
        status = check_cycles(&c);
    close_checker(&c);
    return status;
}
