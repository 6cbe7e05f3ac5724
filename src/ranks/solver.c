/* The solver on ranks: allocates memory, runs a query, sums its figures over the ranks. */
#include "ranks/solver.h"

#include "base/sized.h"
#include "gen/generator.h"

#include <math.h>
#include <string.h>

/* By problem, and whether the ranks have GPUs. */
static const fri_part_method *const methods[][2] = {
#ifdef FRI_CUDA_ALL
    [FR_PROBLEM_BFS] = {&fri_part_bfs_cores, &fri_part_bfs_gpu},
    [FR_PROBLEM_SSSP] = {&fri_part_sssp_cores, &fri_part_sssp_gpu},
#else
    [FR_PROBLEM_BFS] = {&fri_part_bfs_cores, NULL},
    [FR_PROBLEM_SSSP] = {&fri_part_sssp_cores, NULL},
#endif
};

/* ---- allocation ---------------------------------------------------------------------------- */

typedef struct place {
    void *address; /* of the pointer */
    int64_t count;
    size_t size;
} place;

static fr_status allocate(fr_ctx *ctx, const place *places) {
    for (const place *p = places; p->address; p++) {
        void *block = fri_alloc(ctx, fri_bytes(p->count, p->size));
        if (!block)
            return FR_NOMEM;
        memcpy(p->address, &block, sizeof block);
    }
    return FR_OK;
}

/* Whether an edge from a vertex this far away leads to a distance that has its type, whatever its
 * weight. */
static bool fits(const fr_part *p, double dist) {
    bool real = fri_dist_is_real(p->push->csr.weight_type);
    return dist + p->max_weight < (real ? (double)INFINITY : 0x1p63 * (1 - 0x1p-40));
}

static fr_status allocate_all(fr_part_solver *s) {
    const fr_part *p = s->part;
    int64_t slots = fri_part_slots(p), words = fri_part_words(p), ranks = p->world->size;
    const place common[] = {{&s->reports, ranks, sizeof *s->reports},
                            {&s->counts, ranks, sizeof *s->counts},
                            {&s->parent, p->share, sizeof *s->parent},
                            {&s->levels, FRI_PART_MAX_LEVELS, sizeof *s->levels},
                            {0}};
    const place bfs[] = {{&s->level, p->share, sizeof *s->level},
                         {&s->hub_parent, p->own, sizeof *s->hub_parent},
                         {&s->no_in_edges, words, sizeof *s->no_in_edges},
                         {0}};
    const place bfs_gpu[] = {{&s->classes, p->share + slots, sizeof *s->classes}, {0}};
    const place sssp[] = {{&s->dist, p->own, sizeof *s->dist}, {0}};
    const place sssp_cores[] = {
        {&s->lowered, p->share, sizeof *s->lowered}, {&s->all, slots, sizeof *s->all}, {0}};
    const place wide[] = {
        {&s->mine, words, sizeof *s->mine}, {&s->front, words * ranks, sizeof *s->front}, {0}};
    const bool is_bfs = s->problem == FR_PROBLEM_BFS;
    fr_status status = allocate(s->ctx, common);
    if (!status)
        status = allocate(s->ctx, is_bfs ? bfs : sssp);
    if (!status && !is_bfs && !fits(p, 2.0 * (double)p->n * p->max_weight))
        status = allocate(s->ctx, wide);
    if (!status && is_bfs == p->world->on_gpus)
        status = allocate(s->ctx, is_bfs ? bfs_gpu : sssp_cores);
    return status;
}

fr_status fr_part_solver_new(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                             fr_part_solver **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!part || !out)
        return fri_fail(ctx, FR_INVALID, "a solver needs a part and an output pointer (out)");
    *out = NULL;
    fr_status status = FR_OK;
    if (problem != FR_PROBLEM_BFS && problem != FR_PROBLEM_SSSP)
        status = fri_fail(ctx, FR_INVALID, "ranks solve BFS and SSSP");
    else if (problem == FR_PROBLEM_SSSP && part->negative)
        status = fri_fail(ctx, FR_NEGATIVE_WEIGHT, "SSSP on ranks needs weights of at least 0");
    fr_part_solver *s = status ? NULL : fri_calloc(ctx, sizeof *s);
    if (s) {
        *s = (fr_part_solver){.ctx = ctx,
                              .part = part,
                              .problem = problem,
                              .method = methods[problem][part->world->on_gpus],
                              .threads = ctx->threads};
        status = allocate_all(s);
    } else if (!status)
        status = FR_NOMEM;
    status = fri_world_begin(part->world, "fr_part_solver_new", (uint64_t)problem, status);
    if (!status)
        status = s->method->prepare(s);
    if (status)
        fr_part_solver_free(s);
    else
        *out = s;
    return status;
}

void fr_part_solver_free(fr_part_solver *s) {
    if (!s)
        return;
    void *const blocks[] = {s->no_in_edges, s->hub_parent, s->reports, s->counts,  s->parent,
                            s->level,       s->mine,       s->front,   s->classes, s->dist,
                            s->lowered,     s->all,        s->levels};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        fri_free(blocks[i]);
    if (s->method->free)
        s->method->free(s);
    fri_free(s);
}

/* ---- levels -------------------------------------------------------------------------------- */

fr_status fri_part_exchange_reports(fr_part_solver *s, fri_level_report mine,
                                    fri_level_report *sum) {
    fr_world *w = s->part->world;
    mine.work_ns = fri_now_ns() - s->exchanged_ns;
    fr_status status = fri_world_allgather_each(w, &mine, s->reports, sizeof mine);
    return status ? status : fri_part_sum_reports(s, (fr_status)mine.status, sum);
}

fr_status fri_part_sum_reports(fr_part_solver *s, fr_status status, fri_level_report *sum) {
    fr_world *w = s->part->world;
    *sum = (fri_level_report){0};
    for (int r = 0; r < w->size; r++) {
        const fri_level_report *f = &s->reports[r];
        sum->status |= f->status;
        sum->count += f->count;
        sum->examined += f->examined;
        /* for SSSP `edges` is a distance: a sum would be meaningless and could overflow */
        sum->edges += s->problem == FR_PROBLEM_BFS ? f->edges : 0;
    }
    s->examined += sum->examined;
    return sum->status ? fri_world_agree(w, status) : FR_OK;
}

fr_status fri_part_check_steps(const fr_part_solver *s, const char *steps, int64_t done,
                               int64_t most) {
    const bool on_gpus = s->part->world->on_gpus;
    char why[200];
    if (done <= most)
        return FR_OK;
    snprintf(why, sizeof why,
             "%s of ranks%s does not end: %lld %s so far, of which there can be %lld",
             s->problem == FR_PROBLEM_BFS ? "BFS" : "SSSP", on_gpus ? " on GPUs" : "",
             (long long)done, steps, (long long)most);
    return on_gpus ? fri_fail(s->ctx, FR_DEVICE, "%s", why) : fri_world_break(s->part->world, why);
}

void fri_part_record(fr_part_solver *s, const char *method, bool bitmap, int64_t frontier) {
    const fr_world *w = s->part->world;
    int64_t now = fri_now_ns(), max_ns = 0, sum = 0;
    for (int r = 0; r < w->size; r++) {
        max_ns = FRI_MAX(max_ns, s->reports[r].work_ns);
        sum += s->reports[r].work_ns;
    }
    if (s->level_count < FRI_PART_MAX_LEVELS)
        s->levels[s->level_count++] =
            (fr_part_level){.method = method,
                            .bitmap = bitmap,
                            .frontier = frontier,
                            .own_frontier = s->reports[w->rank].count,
                            .bytes_received = w->bytes_received - s->level_bytes,
                            .ns = now - s->level_begin_ns,
                            .work_ns = max_ns,
                            .mean_work_ns = sum / w->size};
    s->level_bytes = w->bytes_received;
    s->level_begin_ns = s->exchanged_ns = now;
}

const fr_part_level *fr_part_levels(const fr_part_solver *s, int64_t *count) {
    if (count)
        *count = s ? s->level_count : 0;
    return s ? s->levels : NULL;
}

/* ---- queries ------------------------------------------------------------------------------- */

static fr_status check_query(const fr_part_solver *s, const fr_part_query *q) {
    if (q->source_count < 1 || !q->sources)
        return fri_fail(s->ctx, FR_INVALID, "a query needs a source");
    for (int64_t k = 0; k < q->source_count; k++)
        if (q->sources[k] < 0 || q->sources[k] >= s->part->n)
            return fri_fail(s->ctx, FR_NOT_FOUND, "source %lld is not a vertex: there are %lld",
                            (long long)q->sources[k], (long long)s->part->n);
    return FR_OK;
}

/* The vertices of slots, without a division and without branches: which are reached is hard to
 * predict. Exact: slot + 1/2 is at least 1/2 away from a multiple of share, which is far more
 * than the rounding error of a product below 2^31. */
static void write_parents(const fr_part_solver *s, int64_t *parent) {
    const fr_part *p = s->part;
    const int32_t share = p->share, ranks = p->world->size;
    const double per_slot = 1.0 / share;
#pragma omp parallel for num_threads(s->threads)
    for (int32_t i = 0; i < p->own; i++) {
        int32_t slot = s->parent[i], rank = (int32_t)((slot + 0.5) * per_slot);
        int64_t vertex = (int64_t)(slot - rank * share) * ranks + rank;
        parent[i] = vertex | -(int64_t)(slot < 0);
    }
}

static void write_result(const fr_part_solver *s, fr_part_result *r) {
    const fr_part *p = s->part;
    if (r->parent)
        write_parents(s, r->parent);
    if (s->problem == FR_PROBLEM_BFS && r->level)
        memcpy(r->level, s->level, (size_t)p->own * sizeof *s->level);
    if (s->problem == FR_PROBLEM_SSSP && r->dist)
        memcpy(r->dist, s->dist, (size_t)p->own * sizeof *s->dist);
}

/* SSSP drops a sum that its type does not have. If the distance of a vertex is such a sum, the vertex
 * is not reached although an edge leads there from one that is. Collective. */
static fr_status check_dropped(const fr_part_solver *s) {
    const fr_part *p = s->part;
    int32_t dropped = -1;
    memset(s->mine, 0, (size_t)fri_part_words(p) * sizeof *s->mine);
    for (int32_t i = 0; i < p->own; i++)
        if (s->parent[i] >= 0)
            fri_bit_set(s->mine, i);
    fr_status status = fri_world_allgather_equal(p->world, s->mine, s->front,
                                                 (int)fri_part_words(p), sizeof *s->front);
    if (status)
        return status;
    for (int32_t i = 0; i < p->own && dropped < 0; i++)
        for (int64_t e = p->pull_offsets[i]; s->parent[i] < 0 && e < p->pull_offsets[i + 1]; e++)
            if (fri_bit_get(s->front, p->pull_sources[e]))
                dropped = i;
    if (dropped >= 0)
        status = fri_fail(s->ctx, FR_OVERFLOW, "the distance of vertex %lld does not fit %s",
                          (long long)fr_part_id(p, fr_part_vertex_of_own(p, dropped)),
                          fri_dist_is_real(p->push->csr.weight_type) ? "float64" : "int64");
    return fri_world_agree(p->world, status);
}

static int64_t max_dist(const fr_part_solver *s) {
    int64_t most = 0;
#pragma omp parallel for num_threads(s->threads) reduction(max : most)
    for (int32_t i = 0; i < s->part->own; i++)
        if (s->parent[i] >= 0)
            most = FRI_MAX(most, s->dist[i]);
    return most;
}

static fr_status add_up(const fr_part_solver *s, int64_t ns, fr_part_result *r) {
    const fr_part *p = s->part;
    const bool wide = s->problem == FR_PROBLEM_SSSP && s->mine;
    int64_t reached = 0, edges = 0, input = 0;
#pragma omp parallel for num_threads(s->threads) reduction(+ : reached, edges, input)
    for (int32_t i = 0; i < p->own; i++) {
        int64_t is_reached = s->parent[i] >= 0; /* without branches, as above */
        reached += is_reached;
        edges += (p->pull_offsets[i + 1] - p->pull_offsets[i]) & -is_reached;
        input += p->input[i] & -is_reached;
    }
    int64_t sums[] = {reached, edges, input}, maxima[] = {ns, wide ? max_dist(s) : 0};
    fr_status status = fri_world_sum(p->world, sums, 3);
    if (!status)
        status = fri_world_max(p->world, maxima, 2);
    bool real = fri_dist_is_real(p->push->csr.weight_type);
    if (!status && wide && !fits(p, real ? fri_dist_real(maxima[1]) : (double)maxima[1]))
        status = check_dropped(s);
    r->reached = sums[0];
    r->reached_edges = sums[1];
    r->input_edges = p->undirected ? sums[2] / 2 : sums[2];
    r->traverse_ns = maxima[0];
    r->edges_examined = s->examined;
    r->levels = (int)s->rounds;
    return status;
}

fr_status fr_part_solve(fr_part_solver *s, const fr_part_query *query, fr_part_result *result) {
    if (!s)
        return FR_INVALID;
    fri_begin(s->ctx);
    fr_world *w = s->part->world;
    fr_part_query q = {0};
    fr_part_result r = {0};
    fr_status status = FRI_SIZED_READ(s->ctx, fr_part_query, query, &q);
    if (!status)
        status = check_query(s, &q);
    if (!status)
        status = FRI_SIZED_CHECK(s->ctx, fr_part_result, result);
    if (!status)
        status = FRI_SIZED_READ(s->ctx, fr_part_result, result, &r);
    uint64_t arguments =
        q.sources && q.source_count > 0
            ? fri_hash_bytes(0, q.sources, (size_t)q.source_count * sizeof *q.sources)
            : 0;
    status = fri_world_begin(w, "fr_part_solve", arguments, status);
    if (!status && s->method->begin)
        status = s->method->begin(s);
    if (status)
        return status;
    s->queries++;
    int64_t before = s->level_bytes = w->bytes_received;
    s->level_count = s->examined = s->rounds = 0;
    int64_t begin = s->level_begin_ns = s->exchanged_ns = fri_now_ns();
    status = s->method->run(s, &q);
    int64_t ns = fri_now_ns() - begin;
    if (!status && s->method->finish)
        status = s->method->finish(s);
    r.bytes_received = w->bytes_received - before;
    if (!status)
        status = add_up(s, ns, &r);
    if (!status) {
        write_result(s, &r);
        FRI_SIZED_WRITE(fr_part_result, &r, result);
    }
    return status;
}

/* ---- random sources ------------------------------------------------------------------------ */

/* Returns whether this rank has an edge from the vertex to another vertex. */
static bool leads_away(const fr_part *p, int64_t vertex) {
    const fr_csr *rows = &p->push->csr;
    int32_t slot = fri_part_slot(p, vertex), self = slot - fri_part_base(p);
    for (int64_t e = rows->offsets[slot]; e < rows->offsets[slot + 1]; e++)
        if (rows->targets[e] != self)
            return true;
    return false;
}

/* Tests the vertices in the order of a random permutation, a batch per exchange. */
fr_status fr_part_draw_sources(fr_ctx *ctx, const fr_part *p, uint64_t seed, int64_t *count,
                               int64_t *vertices) {
    enum { BATCH = FRI_SUM_MAX };
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!p || !count || !vertices)
        return fri_fail(ctx, FR_INVALID,
                        "choosing random sources needs a part, a count and an array of vertices");
    int64_t wanted = *count, have = 0;
    const uint64_t arguments[] = {seed, (uint64_t)wanted};
    fr_status status = wanted < 0 ? fri_fail(ctx, FR_INVALID, "count must be at least 0") : FR_OK;
    uint64_t hash = fri_hash_bytes(0, arguments, sizeof arguments);
    status = fri_world_begin(p->world, "fr_part_draw_sources", hash, status);
    fri_permutation order = fri_permutation_of(seed, fri_bits_of((uint64_t)FRI_MAX(p->n - 1, 1)));
    for (int64_t k = 0; !status && k < p->n && have < wanted; k += BATCH) {
        int64_t drawn[BATCH], leads[BATCH] = {0}, now = FRI_MIN(BATCH, p->n - k);
        for (int64_t i = 0; i < now; i++) {
            drawn[i] = (int64_t)fri_permute_below(&order, (uint64_t)(k + i), (uint64_t)p->n);
            leads[i] = leads_away(p, drawn[i]);
        }
        status = fri_world_max(p->world, leads, BATCH);
        for (int64_t i = 0; i < now && have < wanted; i++)
            if (leads[i])
                vertices[have++] = drawn[i];
    }
    *count = have;
    return status;
}
