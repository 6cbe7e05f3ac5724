/* BFS on ranks: each rank has the in-edges of its own vertices and knows the whole frontier.
 *
 * Source: S. Beamer, A. Buluc, K. Asanovic, D. Patterson: Distributed memory breadth-first search
 *   revisited: enabling bottom-up search, IPDPSW 2013; the choice of a direction by expected cost
 *   is that of BFS auto (cpu/bfs/cost_model.c).
 * Idea: the owner of a vertex claims it, so levels and parents are written without messages. A push
 *   scans the out-edges, as far as this rank has them, of all frontier vertices; a pull scans the
 *   in-edges of every unvisited own vertex, its hub parent first, until one comes from the
 *   frontier. Then each rank sends the vertices found to all ranks: a list of slots if they are
 *   few, else its part of a bitmap.
 * Differs: the partition is one-dimensional. A level has one exchange of reports and one of the
 *   frontier. A rank chooses its method (choose_method) from the reports and its own threads; the
 *   messages do not depend on the method.
 * Bytes that a rank receives per level: the reports of P - 1 ranks, and 4 per vertex that others
 *   found or (P - 1) * share / 8.
 * Good at: graphs of few wide levels. Bad at: deep graphs; a level costs two exchanges. */
#include "ranks/bfs_steps.h"

#include <string.h>

/* A list costs 32 bits per vertex found, a bitmap 1 per slot. */
enum { LIST_BITS = 32 };

typedef fri_part_bfs_state bfs;

/* ---- between steps ------------------------------------------------------------------------- */

/* The method with the minimum expected cost on this rank, whose share of the edges is about 1 / P.
 * The frontier's edges are counted as in-edges: in a directed graph the owner of a vertex does not
 * know its out-edges. */
static fri_bfs_method choose_method(const bfs *b) {
    const int64_t ranks = b->p->world->size;
    const fri_bfs_policy_input input = {.threads = b->s->threads,
                                        .team_is_up = true,
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

static fr_status publish_list(bfs *b) {
    fr_part_solver *s = b->s;
    fr_world *w = b->p->world;
    if (b->found_bitmap)
        fri_part_list_bits(s->mine, 0, fri_part_words(b->p), fri_part_base(b->p), s->found);
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)s->reports[r].count;
    return fri_world_allgather(w, s->found, s->list, s->counts, sizeof *s->list);
}

static fr_status publish_bitmap(bfs *b) {
    fr_part_solver *s = b->s;
    int64_t words = fri_part_words(b->p);
    if (!b->found_bitmap) {
        memset(s->mine, 0, (size_t)words * sizeof *s->mine);
        for (int64_t k = 0; k < s->found_count; k++)
            fri_bit_set(s->mine, s->found[k] - fri_part_base(b->p));
    }
    return fri_world_allgather_equal(b->p->world, s->mine, s->front, (int)words, sizeof *s->front);
}

/* Exchanges the frontier: sends the vertices that this rank found to all ranks. */
static fr_status publish(bfs *b) {
    b->is_bitmap = b->frontier > fri_part_slots(b->p) / LIST_BITS;
    if (!b->frontier)
        return FR_OK;
    return b->is_bitmap ? publish_bitmap(b) : publish_list(b);
}

/* Exchanges the reports of a level, then the frontier. */
static fr_status end_level(bfs *b, const char *method) {
    fr_part_solver *s = b->s;
    fri_level_report sum, mine = {.status = fri_progress(s->ctx, "traversing", b->depth, 0)};
    for (int thread = 0; thread < s->threads; thread++) {
        const fri_part_worker *w = &s->workers[thread];
        mine.count += w->count;
        mine.edges += w->edges;
        mine.examined += w->examined;
        s->workers[thread] = (fri_part_worker){0};
    }
    fr_status status = fri_part_exchange_reports(s, mine, &sum);
    if (status)
        return status;
    b->frontier = sum.count;
    b->frontier_edges = sum.edges;
    b->unseen_edges -= sum.edges;
    b->unseen_here -= mine.count;
    b->new_share = mine.examined ? (double)mine.count / (double)mine.examined : 1;
    status = publish(b);
    fri_part_record(s, method, b->is_bitmap, b->frontier);
    return status;
}

/* ---- the ends of a query --------------------------------------------------------------------- */

/* Visits the sources of this rank, including those without in-edges. */
static void begin(bfs *b) {
    fr_part_solver *s = b->s;
    const fr_part *p = b->p;
    memcpy(s->seen, s->no_in_edges, (size_t)fri_part_words(p) * sizeof *s->seen);
    memset(s->workers, 0, (size_t)s->threads * sizeof *s->workers);
    s->found_count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < b->query->source_count; k++) {
            int32_t slot = fri_part_slot(p, b->query->sources[k]), i = slot - fri_part_base(p);
            if (i < 0 || i >= p->own || (pass && s->level[i] == 0))
                continue;
            s->level[i] = pass - 1; /* counts a source that is given twice only once */
            if (!pass)
                continue;
            fri_bit_set(s->seen, i);
            s->parent[i] = slot;
            s->workers[0].edges += fri_part_in_degree(p, i);
            s->found[s->found_count++] = slot;
        }
    s->workers[0].count = s->found_count;
}

/* Sets the levels and parents of unreached vertices, which are undefined before. */
static void finish(const bfs *b, fri_member me) {
    fr_part_solver *s = b->s;
    const fr_part *p = b->p;
    int64_t first, last;
    fri_team_static_range(me, fri_part_words(p), 1, &first, &last);
    for (int64_t word = first; word < last; word++)
        for (uint64_t bits = ~s->seen[word] | s->no_in_edges[word]; bits; bits &= bits - 1) {
            int32_t i = (int32_t)(word * 64 + __builtin_ctzll(bits));
            if (i >= p->own)
                break;
            s->level[i] = s->parent[i] = -1;
        }
}

/* Sets level and parent of sources without in-edges again. */
static void restore_sources(const bfs *b) {
    for (int64_t k = 0; k < b->query->source_count; k++) {
        int32_t slot = fri_part_slot(b->p, b->query->sources[k]), i = slot - fri_part_base(b->p);
        if (i < 0 || i >= b->p->own)
            continue;
        b->s->level[i] = 0;
        b->s->parent[i] = slot;
    }
}

/* ---- what all queries of a solver use ------------------------------------------------------- */

fr_status fri_part_bfs_find_hub_parents(fr_part_solver *s) {
    const fr_part *p = s->part;
    int32_t *degrees = s->list, *mine = s->found; /* unused between queries */
    memset(s->no_in_edges, 0, (size_t)fri_part_words(p) * sizeof *s->no_in_edges);
    s->in_edge_vertices = p->share;
    for (int32_t i = 0; i < p->share; i++) {
        mine[i] = i < p->own ? (int32_t)FRI_MIN(fri_part_in_degree(p, i), INT32_MAX) : 0;
        if (mine[i])
            continue;
        fri_bit_set(s->no_in_edges, i);
        s->in_edge_vertices--;
    }
    fr_status status =
        fri_world_allgather_equal(p->world, mine, degrees, p->share, sizeof *degrees);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(s->threads)
    for (int32_t i = 0; i < (status ? 0 : p->own); i++) {
        int64_t best = p->pull_offsets[i];
        for (int64_t e = best; e < p->pull_offsets[i + 1]; e++)
            best = degrees[p->pull_sources[e]] > degrees[p->pull_sources[best]] ? e : best;
        s->hub_parent[i] = best < p->pull_offsets[i + 1] ? p->pull_sources[best] : 0;
    }
    return status;
}

fr_status fri_part_bfs_prepare(fr_part_solver *s) {
    const int64_t words = fri_part_words(s->part);
    memset(s->marks, 0, (size_t)s->threads * (size_t)words * sizeof *s->marks);
    return fri_part_bfs_find_hub_parents(s);
}

/* ---- a query ------------------------------------------------------------------------------- */

/* Member 0 ends a level and begins the next one. */
static void next_level(bfs *b, const char *method) {
    b->status = end_level(b, method);
    if (!b->status && b->frontier)
        b->status = fri_part_check_steps(b->s, "levels", b->depth, b->p->n);
    b->over = b->status || !b->frontier;
    if (b->over)
        return;
    b->method = choose_method(b);
    fri_part_bfs_convert(b);
    b->depth++;
    b->s->found_count = b->cursor = b->merge_cursor = 0;
}

/* Member 0 ends a level, and runs small levels that follow without the other threads. */
static void plan(bfs *b, fri_member me) {
    static const char *const names[FRI_METHOD_COUNT] = {"push", "push", "push", "pull"};
    next_level(b, b->depth ? names[b->method] : "source");
    while (!b->over && b->method == FRI_METHOD_SERIAL) {
        fri_part_bfs_step(b, me);
        next_level(b, names[b->method]);
    }
}

static void member(fri_member me, void *user) {
    bfs *b = user;
    for (;;) {
        if (me.index == 0)
            plan(b, me);
        fri_team_barrier(me); /* member 0 has chosen the step */
        if (b->over)
            break;
        fri_part_bfs_step(b, me);
        fri_team_barrier(me); /* all members have finished the step */
    }
    finish(b, me);
}

fr_status fri_part_bfs(fr_part_solver *s, const fr_part_query *query) {
    bfs b = {.s = s,
             .p = s->part,
             .rows = &s->part->push->csr,
             .query = query,
             .unseen_edges = s->part->m,
             .unseen_here = s->in_edge_vertices};
    begin(&b);
    fri_team_run(s->threads, member, &b);
    restore_sources(&b);
    s->rounds = FRI_MAX(b.depth - 1, 0); /* the last level finds nothing */
    return b.status;
}
