/* BFS on ranks: edges are divided by target, every rank knows the frontier.
 *
 * Source: S. Beamer, A. Buluc, K. Asanovic, D. Patterson: Distributed memory breadth-first search
 *   revisited: enabling bottom-up search, IPDPSW 2013; the choice of a direction by expected cost is
 *   that of BFS auto (cpu/bfs/cost_model.c).
 * Idea: a vertex is claimed by the rank that owns it, so levels and parents are written without
 *   messages. A push walks the rows, of this rank, of the whole frontier; a pull looks for a vertex
 *   of the frontier among the in-edges of every open own vertex, the largest hub first. Then each
 *   rank tells the others what it has found: as a list of slots where few were found, else as its
 *   piece of a bitmap.
 * Differs: one dimension, not two. Per level one exchange of facts and one of the frontier. A rank
 *   chooses its method by the facts and its own threads; what is sent does not depend on it.
 * Bytes that a rank receives per level: (P - 1) facts, and 4 per vertex that others found, or
 *   (P - 1) * share / 8.
 * Good at: graphs of few wide levels. Bad at: deep graphs; a level costs two exchanges. */
#include "ranks/bfs_steps.h"

#include <string.h>

/* A list costs 32 bits per vertex found, a bitmap 1 per slot. */
enum { LIST_BITS = 32 };

typedef struct bfs {
    fr_part_solver *s;
    const fr_part *p;
    bool is_bitmap; /* the form in which the frontier has arrived */
    int64_t frontier, frontier_edges, unseen_edges, unseen_here;
    double new_share; /* of the edges that the last level examined here: led to a new vertex */
    int32_t depth;
} bfs;

/* ---- between steps ------------------------------------------------------------------------- */

/* The method of least expected cost on this rank, whose part of the edges is about that of all. For a
 * directed graph the edges of the frontier are the in-edges of its vertices, which their owner knows,
 * in place of their out-edges, which it does not. */
static fri_bfs_method choose_method(const bfs *b) {
    const int64_t ranks = b->p->world->size;
    const fri_bfs_policy_input input = {.threads = b->s->threads,
                                        .awake = true,
                                        .is_bitmap = b->is_bitmap,
                                        .in_edges = true,
                                        .hub_parents = true,
                                        .new_share = b->new_share,
                                        .words = fri_part_words(b->p),
                                        .vertices = b->frontier,
                                        .edges = b->frontier_edges / ranks,
                                        .left_vertices = b->unseen_here,
                                        .left_edges =
                                            (b->unseen_edges + b->frontier_edges) / ranks};
    return fri_bfs_choose(&input);
}

static fr_status publish_list(bfs *b, const fri_part_found *found) {
    fr_part_solver *s = b->s;
    fr_world *w = b->p->world;
    if (found->is_bitmap)
        fri_part_list_bits(s->mine, 0, fri_part_words(b->p), fri_part_base(b->p), s->found);
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)s->facts[r].count;
    return fri_world_gather(w, s->found, s->list, s->counts, sizeof *s->list);
}

static fr_status publish_bitmap(bfs *b, const fri_part_found *found) {
    fr_part_solver *s = b->s;
    fr_world *w = b->p->world;
    int64_t words = fri_part_words(b->p);
    if (!found->is_bitmap) {
        memset(s->mine, 0, (size_t)words * sizeof *s->mine);
        for (int64_t k = 0; k < found->count; k++)
            fri_bit_set(s->mine, s->found[k] - fri_part_base(b->p));
    }
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)words;
    return fri_world_gather(w, s->mine, s->front, s->counts, sizeof *s->front);
}

static fr_status publish(bfs *b, const fri_part_found *found) {
    b->is_bitmap = b->frontier > fri_part_slots(b->p) / LIST_BITS;
    if (!b->frontier)
        return FR_OK;
    return b->is_bitmap ? publish_bitmap(b, found) : publish_list(b, found);
}

/* Tells what this rank has found and learns what the others have. */
static fr_status end_level(bfs *b, fri_part_found found, const char *method) {
    fr_part_solver *s = b->s;
    fri_level_facts sum,
        mine = {.count = found.count, .edges = found.edges, .examined = found.examined};
    mine.status = fri_progress(s->ctx, "traversing", b->depth, 0);
    fr_status status = fri_part_exchange_facts(s, mine, &sum);
    if (status)
        return status;
    b->frontier = sum.count;
    b->frontier_edges = sum.edges;
    b->unseen_edges -= sum.edges;
    b->unseen_here -= found.count;
    b->new_share = found.examined ? (double)found.count / (double)found.examined : 1;
    status = publish(b, &found);
    fri_part_record(s, method, b->is_bitmap, b->frontier);
    return status;
}

/* ---- the ends of a query --------------------------------------------------------------------- */

/* The sources of this rank; also those that nothing leads to. Returns the number of different ones. */
static fri_part_found begin(bfs *b, const fr_part_query *query) {
    fr_part_solver *s = b->s;
    const fr_part *p = b->p;
    fri_part_found found = {0};
    memcpy(s->seen, s->closed, (size_t)fri_part_words(p) * sizeof *s->seen);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < query->source_count; k++) {
            int32_t slot = fri_part_slot(p, query->sources[k]), i = slot - fri_part_base(p);
            if (i < 0 || i >= p->own || (pass && s->level[i] == 0))
                continue;
            s->level[i] = pass - 1; /* a source may be given twice */
            if (!pass)
                continue;
            fri_bit_set(s->seen, i);
            s->parent[i] = slot;
            found.edges += fri_part_in_degree(p, i);
            s->found[found.count++] = slot;
        }
    return found;
}

/* Levels and parents of vertices that were not reached have not been written, or have no meaning. */
static void finish(bfs *b, const fr_part_query *query) {
    fr_part_solver *s = b->s;
    const fr_part *p = b->p;
    int64_t words = fri_part_words(p);
#pragma omp parallel for num_threads(s->threads)
    for (int64_t word = 0; word < words; word++)
        for (uint64_t bits = ~s->seen[word] | s->closed[word]; bits; bits &= bits - 1) {
            int32_t i = (int32_t)(word * 64 + __builtin_ctzll(bits));
            if (i >= p->own)
                break;
            s->level[i] = s->parent[i] = -1;
        }
    for (int64_t k = 0; k < query->source_count; k++) {
        int32_t slot = fri_part_slot(p, query->sources[k]), i = slot - fri_part_base(p);
        if (i < 0 || i >= p->own)
            continue;
        s->level[i] = 0;
        s->parent[i] = slot;
    }
}

/* ---- what all queries of a solver use ------------------------------------------------------- */

fr_status fri_part_bfs_prepare(fr_part_solver *s) {
    const fr_part *p = s->part;
    fr_world *w = p->world;
    int32_t *degrees = s->list, *mine = s->found; /* of all slots; free between queries */
    memset(s->closed, 0, (size_t)fri_part_words(p) * sizeof *s->closed);
    memset(s->marks, 0, (size_t)s->threads * (size_t)fri_part_words(p) * sizeof *s->marks);
    s->open = p->share;
    for (int32_t i = 0; i < p->share; i++) {
        mine[i] = i < p->own ? (int32_t)FRI_MIN(fri_part_in_degree(p, i), INT32_MAX) : 0;
        if (mine[i])
            continue;
        fri_bit_set(s->closed, i);
        s->open--;
    }
    for (int r = 0; r < w->size; r++)
        s->counts[r] = p->share;
    fr_status status = fri_world_gather(w, mine, degrees, s->counts, sizeof *degrees);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(s->threads)
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
    static const char *const names[FRI_METHOD_COUNT] = {"push", "push", "push", "pull"};
    bfs b = {.s = s, .p = s->part, .unseen_edges = s->part->m, .unseen_here = s->open};
    fr_status status = end_level(&b, begin(&b, query), "source");
    while (!status && b.frontier) {
        fri_bfs_method method = choose_method(&b);
        b.depth++;
        fri_part_found found = fri_part_bfs_step(s, method, b.is_bitmap, b.frontier, b.depth);
        status = end_level(&b, found, names[method]);
    }
    finish(&b, query);
    s->rounds = b.depth - 1;
    return status;
}
