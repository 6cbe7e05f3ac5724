/* BFS on ranks: edges are divided by target, every rank knows the frontier.
 *
 * Source: S. Beamer, A. Buluc, K. Asanovic, D. Patterson: Distributed memory breadth-first search
 *   revisited: enabling bottom-up search, IPDPSW 2013; direction and thresholds: S. Beamer, K.
 *   Asanovic, D. Patterson: Direction-optimizing breadth-first search, SC 2012.
 * Idea: a vertex is claimed by the rank that owns it, so levels and parents are written without
 *   messages. A push walks the rows, of this rank, of the whole frontier; a pull looks for a vertex
 *   of the frontier among the in-edges of every open own vertex. Then each rank tells the others what
 *   it has found: as a list of slots where few were found, else as its piece of a bitmap.
 *   A pull looks at each vertex's in-edge from the largest hub first (as BFS auto does).
 * Differs: one dimension, not two. Per level one exchange of facts, which also decides the direction
 *   of the next level, and one of the frontier.
 * Bytes that a rank receives per level: (P - 1) facts, and 4 per vertex that others found, or
 *   (P - 1) * share / 8.
 * Good at: graphs of few wide levels. Bad at: deep graphs; a level costs two exchanges. */
#include "ranks/solver.h"

#include <string.h>

/* Beamer's: pull when the frontier has more than 1/15 of the edges not yet reached, push again when
 * it shrinks below 1/24 of the vertices. A list costs 32 bits per vertex found, a bitmap 1 per slot. */
enum { ALPHA = 15, BETA = 24, LIST_BITS = 32 };

typedef struct step {
    int64_t examined, edges; /* edges: in-edges of the vertices found */
} step;

typedef struct bfs {
    fr_part_solver *s;
    const fr_part *p;
    bool pulls, is_bitmap; /* is_bitmap: the form in which the frontier has arrived */
    int64_t frontier, frontier_edges, unseen_edges;
    int32_t depth;
} bfs;

static int64_t in_degree(const fr_part *p, int32_t i) {
    return p->pull_offsets[i + 1] - p->pull_offsets[i];
}

/* ---- the frontier in the form that a step needs ----------------------------------------------- */

static void make_bitmap(bfs *b) {
    fr_part_solver *s = b->s;
    memset(s->front, 0, (size_t)fri_part_slots(b->p) / 8);
    for (int64_t i = 0; i < b->frontier; i++)
        fri_bit_set(s->front, s->list[i]);
}

static void make_list(bfs *b) {
    fr_part_solver *s = b->s;
    int64_t at = 0, words = fri_part_slots(b->p) / 64;
    for (int64_t word = 0; word < words; word++)
        for (uint64_t bits = s->front[word]; bits; bits &= bits - 1)
            s->list[at++] = (int32_t)(word * 64 + __builtin_ctzll(bits));
}

/* ---- steps --------------------------------------------------------------------------------- */

static step push(bfs *b) {
    fr_part_solver *s = b->s;
    const fr_csr *rows = &b->p->push->csr;
    int32_t base = fri_part_base(b->p);
    int64_t examined = 0, edges = 0;
#pragma omp parallel num_threads(s->ctx->threads) reduction(+ : examined, edges)
    {
        fri_append a = {.list = s->found, .count = &s->found_count};
#pragma omp for schedule(FRI_DYNAMIC, 64) nowait
        for (int64_t k = 0; k < b->frontier; k++) {
            int32_t u = s->list[k];
            examined += rows->offsets[u + 1] - rows->offsets[u];
            for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
                int32_t i = rows->targets[e];
                if (!fri_bit_claim(s->seen, i)) /* atomic: one thread finds i */
                    continue;
                s->level[i] = b->depth;
                s->parent[i] = u;
                edges += in_degree(b->p, i);
                fri_append_put(&a, base + i);
            }
        }
        fri_append_flush(&a);
    }
    return (step){examined, edges};
}

/* The source of an in-edge that is in the frontier, or -1. The head comes first: hubs are soon in the
 * frontier, and heads are read in order. */
static int32_t look(const bfs *b, int32_t i, int64_t *examined) {
    const fr_part *p = b->p;
    if (fri_bit_get(b->s->front, b->s->head[i])) {
        (*examined)++;
        return b->s->head[i];
    }
    for (int64_t e = p->pull_offsets[i]; e < p->pull_offsets[i + 1]; e++)
        if (fri_bit_get(b->s->front, p->pull_sources[e])) {
            *examined += e + 1 - p->pull_offsets[i];
            return p->pull_sources[e];
        }
    *examined += in_degree(p, i);
    return -1;
}

static step pull(bfs *b) {
    fr_part_solver *s = b->s;
    int32_t base = fri_part_base(b->p);
    int64_t examined = 0, edges = 0, words = fri_part_words(b->p);
#pragma omp parallel num_threads(s->ctx->threads) reduction(+ : examined, edges)
    {
        fri_append a = {.list = s->found, .count = &s->found_count};
#pragma omp for schedule(FRI_DYNAMIC, 16) nowait
        for (int64_t word = 0; word < words; word++)
            for (uint64_t open = ~s->seen[word]; open; open &= open - 1) {
                int32_t i = (int32_t)(word * 64 + __builtin_ctzll(open));
                int32_t u = look(b, i, &examined);
                if (u < 0)
                    continue;
                fri_bit_set(s->seen, i); /* a word belongs to one thread */
                s->level[i] = b->depth;
                s->parent[i] = u;
                edges += in_degree(b->p, i);
                fri_append_put(&a, base + i);
            }
        fri_append_flush(&a);
    }
    return (step){examined, edges};
}

static step take_step(bfs *b) {
    if (b->pulls && !b->is_bitmap)
        make_bitmap(b);
    if (!b->pulls && b->is_bitmap)
        make_list(b);
    return b->pulls ? pull(b) : push(b);
}

/* ---- between steps ------------------------------------------------------------------------- */

/* The same facts on every rank, so the same choice. For a directed graph the edges are the in-edges
 * of the vertices found, which their owner knows, in place of their out-edges, which it does not. */
static void choose_direction(bfs *b, int64_t frontier_before) {
    if (!b->pulls)
        b->pulls = b->frontier_edges > b->unseen_edges / ALPHA;
    else if (b->frontier < b->p->n / BETA && b->frontier < frontier_before)
        b->pulls = false;
}

static fr_status publish(bfs *b) {
    fr_part_solver *s = b->s;
    fr_world *w = b->p->world;
    b->is_bitmap = b->frontier > fri_part_slots(b->p) / LIST_BITS;
    if (!b->is_bitmap) {
        for (int r = 0; r < w->size; r++)
            s->counts[r] = (int)s->facts[r].count;
        return fri_world_gather(w, s->found, s->list, s->counts, sizeof *s->list);
    }
    int64_t words = fri_part_words(b->p);
    memset(s->mine, 0, (size_t)words * sizeof *s->mine);
    for (int64_t k = 0; k < s->found_count; k++)
        fri_bit_set(s->mine, s->found[k] - fri_part_base(b->p));
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)words;
    return fri_world_gather(w, s->mine, s->front, s->counts, sizeof *s->front);
}

/* Tells what this rank has found and learns what the others have. */
static fr_status end_level(bfs *b, step done, const char *method) {
    fr_part_solver *s = b->s;
    int64_t before = b->frontier;
    fri_level_facts sum,
        mine = {.count = s->found_count, .edges = done.edges, .examined = done.examined};
    mine.status = fri_progress(s->ctx, "traversing", b->depth, 0);
    fr_status status = fri_part_exchange_facts(s, mine, &sum);
    if (status)
        return status;
    b->frontier = sum.count;
    b->frontier_edges = sum.edges;
    b->unseen_edges -= sum.edges;
    status = b->frontier ? publish(b) : FR_OK;
    fri_part_record(s, method, b->frontier && b->is_bitmap, b->frontier);
    choose_direction(b, before);
    return status;
}

static step begin(bfs *b, const fr_part_query *query) {
    fr_part_solver *s = b->s;
    const fr_part *p = b->p;
    step done = {0, 0};
    memcpy(s->seen, s->closed, (size_t)fri_part_words(p) * sizeof *s->seen);
    memset(s->level, 0xff, (size_t)p->own * sizeof *s->level); /* -1 each */
    memset(s->parent, 0xff, (size_t)p->own * sizeof *s->parent);
    s->found_count = 0;
    for (int64_t k = 0; k < query->source_count; k++) {
        int32_t slot = fri_part_slot(p, query->sources[k]), i = slot - fri_part_base(p);
        if (i < 0 || i >= p->own || s->level[i] == 0)
            continue;
        fri_bit_set(s->seen, i);
        s->level[i] = 0;
        s->parent[i] = slot;
        done.edges += in_degree(p, i);
        s->found[s->found_count++] = slot;
    }
    return done;
}

/* ---- what all queries of a solver use ------------------------------------------------------- */

fr_status fri_part_bfs_prepare(fr_part_solver *s) {
    const fr_part *p = s->part;
    fr_world *w = p->world;
    int32_t *degrees = s->list, *mine = s->found; /* of all slots; free between queries */
    memset(s->closed, 0, (size_t)fri_part_words(p) * sizeof *s->closed);
    for (int32_t i = 0; i < p->share; i++) {
        mine[i] = i < p->own ? (int32_t)FRI_MIN(in_degree(p, i), INT32_MAX) : 0;
        if (!mine[i])
            fri_bit_set(s->closed, i);
    }
    for (int r = 0; r < w->size; r++)
        s->counts[r] = p->share;
    fr_status status = fri_world_gather(w, mine, degrees, s->counts, sizeof *degrees);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(s->ctx->threads)
    for (int32_t i = 0; i < (status ? 0 : p->own); i++) {
        int64_t best = p->pull_offsets[i];
        for (int64_t e = best; e < p->pull_offsets[i + 1]; e++)
            best = degrees[p->pull_sources[e]] > degrees[p->pull_sources[best]] ? e : best;
        s->head[i] = best < p->pull_offsets[i + 1] ? p->pull_sources[best] : 0;
    }
    return status;
}

/* ---- a query ------------------------------------------------------------------------------- */

fr_status fri_part_bfs(fr_part_solver *s, const fr_part_query *query) {
    bfs b = {.s = s, .p = s->part, .unseen_edges = s->part->m};
    step done = begin(&b, query);
    fr_status status = end_level(&b, done, "source");
    while (!status && b.frontier) {
        const char *method = b.pulls ? "pull" : "push";
        b.depth++;
        s->found_count = 0;
        done = take_step(&b);
        status = end_level(&b, done, method);
    }
    s->rounds = b.depth - 1;
    return status;
}
