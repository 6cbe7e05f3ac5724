/* BFS on ranks: each rank has the in-edges of its own vertices and knows the whole frontier.
 *
 * Source: S. Beamer, A. Buluc, K. Asanovic, D. Patterson: Distributed memory breadth-first search
 *   revisited: enabling bottom-up search, IPDPSW 2013; the choice of a direction by expected cost
 *   is from BFS auto (cpu/bfs/cost_model.c).
 * Idea: the owner of a vertex claims it, so levels and parents are written without messages. A push
 *   scans the out-edges, as far as this rank has them, of all frontier vertices; a pull scans the
 *   in-edges of every unvisited own vertex, its hub parent first, until one comes from the
 *   frontier. These are the steps of one process (cpu/bfs/steps.c), with slots as frontier and own
 *   indices as vertices found. Then each rank sends the vertices found to all ranks: a list of slots
 *   if they are few, else its part of a bitmap.
 * Differs: the partition is one-dimensional. A level has one exchange of reports and one of the
 *   frontier. A rank chooses its method (choose_method) from the reports and its own threads; the
 *   messages do not depend on the method.
 * Bytes that a rank receives per level: the reports of P - 1 ranks, and 4 per vertex that others
 *   found or (P - 1) * share / 8.
 * Good at: graphs of few wide levels. Bad at: deep graphs; a level costs two exchanges. */
#include "cpu/bfs/hub_parents.h"
#include "ranks/bfs.h"

#include <string.h>

/* A list costs 32 bits per vertex found, a bitmap 1 per slot. */
enum { LIST_BITS = 32 };
/* What an exchange counts for the pace: 32 of them are far less than the interval of its reports. */
enum { LEVEL_WORK = FRI_PACE_WORK / 32 };

typedef struct fri_part_cores {
    fri_job job; /* job.in is `in` */
    fri_job_input in;
    fr_result out;
    fri_bfs *bfs;
    int32_t *list; /* [slots] the frontier, behind the queue, where the vertices found are */
    fr_part_solver *s;
    fri_part_bfs_counts counts;
    fri_bfs_method method;
    int32_t depth;
    int64_t examined; /* in earlier levels */
    fr_status status;
} cores;

/* ---- between steps ------------------------------------------------------------------------- */

/* This rank sends the slots queue[0 .. tail), or the slots of the bitmap. */
static fr_status publish_list(cores *x) {
    fr_part_solver *s = x->s;
    fri_bfs *b = x->bfs;
    fr_world *w = s->part->world;
    if (b->is_bitmap)
        b->tail = fri_bfs_list_bits(b->front, 0, b->words, b->queue);
    for (int64_t k = 0; b->is_bitmap && k < b->tail; k++)
        b->queue[k] += b->base;
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)s->reports[r].count;
    return fri_world_allgather(w, b->queue, x->list, s->counts, sizeof *x->list);
}

static fr_status publish_bitmap(cores *x) {
    fri_bfs *b = x->bfs;
    uint64_t *mine = b->front;
    if (!b->is_bitmap) {
        memset(mine, 0, (size_t)b->words * sizeof *mine);
        for (int64_t k = 0; k < b->tail; k++)
            fri_bit_set(mine, b->queue[k] - b->base);
    }
    b->front = b->next;
    b->next = mine;
    return fri_world_allgather_equal(x->s->part->world, mine, b->front, (int)b->words,
                                     sizeof *mine);
}

/* Exchanges the frontier: sends the vertices that this rank found to all ranks. */
static fr_status publish(cores *x) {
    const int64_t frontier = x->counts.frontier;
    const bool as_bitmap = frontier > fri_part_slots(x->s->part) / LIST_BITS;
    fr_status status = !frontier ? FR_OK : as_bitmap ? publish_bitmap(x) : publish_list(x);
    x->bfs->is_bitmap = as_bitmap;
    return status;
}

/* Exchanges the reports of a level, then the frontier. */
static fr_status end_level(cores *x) {
    static const char *const names[FRI_METHOD_COUNT] = {"push", "push", "push", "pull"};
    fr_part_solver *s = x->s;
    fri_bfs *b = x->bfs;
    const char *name = x->depth ? names[x->method] : "source";
    const int64_t examined = x->out.stats.edges_examined;
    fri_level_report sum;
    fri_pace_stop(&b->pace, LEVEL_WORK, b->with_in - b->left_vertices);
    const fri_level_report mine = {.status = b->pace.status,
                                   .count = b->vertices,
                                   .edges = fri_bfs_edges(b),
                                   .examined = examined - x->examined};
    x->examined = examined;
    fr_status status = fri_part_exchange_reports(s, mine, &sum);
    if (status)
        return status;
    fri_part_bfs_count(&x->counts, s, &sum);
    status = publish(x);
    fri_part_record(s, name, b->is_bitmap, x->counts.frontier);
    if (!status && x->counts.frontier)
        status = fri_part_check_steps(s, "levels", x->depth, s->part->n);
    return status;
}

/* The method with the minimum expected cost on this rank. */
static fri_bfs_method choose_method(const cores *x) {
    fri_bfs_policy_input input = fri_part_bfs_input(x->s->part, &x->counts);
    input.threads = x->s->threads;
    input.is_bitmap = x->bfs->is_bitmap;
    return fri_bfs_choose(&input);
}

/* The frontier is the list or the bitmap, and vertices found are put at the start of the queue. */
static void begin_step(cores *x, fri_bfs_step step) {
    fri_bfs *b = x->bfs;
    b->head = x->list - b->queue;
    b->tail = b->head + (b->is_bitmap ? 0 : x->counts.frontier);
    b->next_head = b->cursor = b->merge_cursor = b->hub_count = 0;
    b->queue_end = step == FRI_BFS_TO_QUEUE ? b->head : 0;
    b->reuse_partition = false;
    b->edges = -1;
    if (step < FRI_BFS_TO_BITMAP)
        b->depth = x->depth++;
}

static fri_bfs_step next_step(fri_bfs *b) {
    cores *x = b->policy_state;
    if (b->step < FRI_BFS_TO_BITMAP)
        x->status = end_level(x);
    while (!x->status && x->counts.frontier) {
        x->method = choose_method(x);
        const fri_bfs_step step = fri_bfs_step_of(b, x->method);
        begin_step(x, step);
        if (step != FRI_BFS_SERIAL)
            return step;
        fri_bfs_serial_level(b);
        x->status = end_level(x);
    }
    return FRI_BFS_DONE;
}

/* ---- a query ------------------------------------------------------------------------------- */

/* Of this rank: calls `take` with the slot of each source. */
static void each_source(cores *x, const fr_part_query *query, void (*take)(cores *x, int32_t i)) {
    const fr_part *p = x->s->part;
    for (int64_t k = 0; k < query->source_count; k++) {
        int32_t i = fri_part_slot(p, query->sources[k]) - fri_part_base(p);
        if (i >= 0 && i < p->own)
            take(x, i);
    }
}

static void clear_source(cores *x, int32_t i) { x->s->level[i] = -1; }
static void enter_source(cores *x, int32_t i) { fri_bfs_enter_source(x->bfs, i); }

/* Again at the end, because a source without in-edges was overwritten. */
static void write_source(cores *x, int32_t i) {
    x->s->level[i] = 0;
    x->s->parent[i] = fri_part_base(x->s->part) + i;
}

static fr_status run(fr_part_solver *s, const fr_part_query *query) {
    cores *x = s->cores;
    fri_bfs *b = x->bfs;
    x->counts = fri_part_bfs_counts_of(s);
    x->depth = 0;
    x->examined = x->out.stats.edges_examined = 0;
    fri_bfs_begin(b);
    b->counted = b->in;
    each_source(x, query, clear_source);
    each_source(x, query, enter_source);
    fri_bfs_run(b);
    each_source(x, query, write_source);
    s->rounds = FRI_MAX(x->depth - 1, 0); /* the last level finds nothing */
    return x->status;
}

/* ---- on cores and on GPUs --------------------------------------------------------------------- */

fri_part_bfs_counts fri_part_bfs_counts_of(const fr_part_solver *s) {
    return (fri_part_bfs_counts){.unseen_edges = s->part->m, .unseen_here = s->in_edge_vertices};
}

void fri_part_bfs_count(fri_part_bfs_counts *c, const fr_part_solver *s,
                        const fri_level_report *sum) {
    const fri_level_report *own = &s->reports[s->part->world->rank];
    c->frontier = sum->count;
    c->frontier_edges = sum->edges;
    c->unseen_edges -= sum->edges;
    c->unseen_here -= own->count;
    c->new_share = own->examined ? (double)own->count / (double)own->examined : 1;
}

/* This rank's share of the edges is about 1 / P. The frontier's edges are counted as in-edges: in a directed
 * graph the owner of a vertex does not know its out-edges. */
fri_bfs_policy_input fri_part_bfs_input(const fr_part *p, const fri_part_bfs_counts *c) {
    const int64_t ranks = p->world->size;
    return (fri_bfs_policy_input){.threads = 1,
                                  .is_bitmap = true,
                                  .in_edges = true,
                                  .hub_parents = true,
                                  .new_share = c->new_share,
                                  .words = fri_part_words(p),
                                  .vertices = c->frontier,
                                  .edges = c->frontier_edges / ranks,
                                  .left_vertices = c->unseen_here,
                                  .left_edges = (c->unseen_edges + c->frontier_edges) / ranks};
}

/* ---- what all queries of a solver use ------------------------------------------------------- */

fr_status fri_part_bfs_find_hub_parents(fr_part_solver *s, uint8_t *mine, uint8_t *classes) {
    const fr_part *p = s->part;
    const fri_bfs_csr in = {NULL, p->pull_offsets, p->pull_sources};
    memset(mine, 0, (size_t)p->share);
    memset(s->no_in_edges, 0, (size_t)fri_part_words(p) * sizeof *s->no_in_edges);
    fri_bfs_fill_classes(s->ctx, in, p->own, s->threads, mine);
    s->in_edge_vertices = p->share;
    for (int32_t i = 0; i < p->share; i++) {
        if (mine[i])
            continue;
        fri_bit_set(s->no_in_edges, i);
        s->in_edge_vertices--;
    }
    fr_status status =
        fri_world_allgather_equal(p->world, mine, classes, p->share, sizeof *classes);
    if (!status)
        fri_bfs_fill_hub_parents(s->ctx, in, p->own, s->threads, classes, s->hub_parent);
    return status;
}

static int64_t longest_row(const fr_csr *rows) {
    int64_t longest = 0;
    for (int32_t slot = 0; slot < rows->n; slot++)
        longest = FRI_MAX(longest, rows->offsets[slot + 1] - rows->offsets[slot]);
    return longest;
}

static fr_status make_cores(fr_part_solver *s) {
    const fr_part *p = s->part;
    const fri_job_input in = {.threads = s->threads};
    fri_job job = {.ctx = s->ctx, .in = &in, .csr = p->push->csr};
    job.in_edges = (fr_csr){.n = p->own, .offsets = p->pull_offsets, .targets = p->pull_sources};
    const size_t head = fri_align_line(sizeof(cores)), state = fri_bfs_state_bytes(&job, p->share);
    void *list;
    cores *x = fri_alloc(s->ctx, head + state + fri_bytes(fri_part_slots(p), sizeof *x->list));
    if (!x)
        return FR_NOMEM;
    *x = (cores){.s = s, .job = job, .in = in, .out = {.level = s->level, .parent = s->parent}};
    x->job.in = &x->in;
    x->job.out = &x->out;
    x->bfs = fri_bfs_prepare(&x->job, p->share, (char *)x + head, &list);
    x->bfs->next_step = next_step;
    x->bfs->policy_state = x;
    x->bfs->base = fri_part_base(p);
    x->bfs->max_degree = longest_row(&p->push->csr);
    x->list = list;
    s->cores = x;
    return FR_OK;
}

static fr_status prepare(fr_part_solver *s) {
    fr_status status = fri_world_agree(s->part->world, make_cores(s));
    if (status)
        return status;
    fri_bfs *b = s->cores->bfs;
    status = fri_part_bfs_find_hub_parents(s, (uint8_t *)b->queue, (uint8_t *)s->cores->list);
    b->hub_parents = s->hub_parent;
    b->no_in = s->no_in_edges;
    b->with_in = s->in_edge_vertices;
    b->has_read = true;
    memset(b->queue, 0, fri_bytes(s->part->share, sizeof *b->queue)); /* slots, whatever is sent */
    return status;
}

static void free_cores(fr_part_solver *s) { fri_free(s->cores); }

const fri_part_method fri_part_bfs_cores = {.prepare = prepare, .run = run, .free = free_cores};
