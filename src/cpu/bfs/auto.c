/* BFS, `auto` on the CPU: before each level chooses the cheapest of four methods by expected cost.
 *
 * Source: ours. The two directions are Beamer, Asanovic, Patterson's (SC 2012); see
 *   cpu/bfs/direction_optimizing.c.
 * Idea: a small level is processed by one thread with overlapping memory accesses, and other
 *   threads are only started when a level is worth it; a medium one top-down with atomic claims; a
 *   large one top-down into a bitmap per thread, without atomics, merged in order; a very large one
 *   bottom-up. Bottom-up tests an in-neighbor of high degree first (the hub parent): in skewed
 *   graphs this test settles most vertices, in order, without reading their rows. The in-edges
 *   and the hub parents belong to the graph; each is made once the queries would have saved that
 *   time, or before the first one if expected_queries says that they will (cpu/preparation.h).
 *   A graph that is not marked symmetric is compared with its transpose first, which takes a fraction
 *   of the time of a transposition: an undirected graph has its in-edges after a query or two.
 *   Without in-edges all levels are top-down. The costs are in cpu/bfs/cost_model.c. Threads are
 *   woken for medium levels once the time that they would have saved so far exceeds the cost of
 *   waking them. The first query reads the offsets of the vertices that it visits only; a pass over
 *   all offsets, which later queries use, comes before the second one. Whether a medium level is
 *   shared, and by how many threads, depends on how long such levels took so far (base/balance.h): when another
 *   process uses a core, one thread is faster than many that wait at barriers. In a deep graph several
 *   threads expand several levels between two barriers (cpu/bfs/local.c).
 * Scratch: 8 n bytes (12 n directed), 4 + threads bitmaps. Later: 4 n bytes; if directed, the
 *   transpose.
 * Prepare: nothing. Later, or before the first query if more are expected: one pass over the offsets,
 *   which also stores them in 32 bits; the transposition; one pass over the in-edges.
 * Work: n + m at most, and in windows of levels the vertices that were reached by detours. Barriers: none for small
 *   levels, one to three for others.
 * Good at: all graphs of docs/performance.md.
 * Bad at: large levels of graphs whose bitmaps do not fit the cache.
 */
#include <math.h>
#include <stdio.h>

#include "core/query/in_edges.h"
#include "cpu/bfs/state.h"
#include "cpu/bfs/hub_parents.h"
#include "cpu/preparation.h"
#include "base/text/number.h"

enum { DEEP = 32 }; /* levels */

typedef struct {
    fri_bfs *bfs;
    int64_t serial_max; /* up to it the serial method is taken without the model; 0: not known */
    int64_t taken[FRI_METHOD_COUNT]; /* levels by method */
    double new_share;                /* of the last level's edges: led to a new vertex */
    int64_t left_edges;              /* before the last level */
    fri_work medium;                 /* of the medium level in progress; zero: none */
    double windows_ns;               /* what windows of levels would have saved */
    int64_t windows;                 /* of the query */
    int64_t window_left;             /* vertices left before the window in progress; 0: none */
    int64_t began_ns;                /* it */
    fri_preparation in_edges, hub_parents;  /* when to make them */
    bool no_memory;                         /* for one of them */
    bool compared;                          /* whether the graph is symmetric was tested */
    uint32_t *out_offsets32, *in_offsets32; /* memory for them; NULL: none */
} auto_bfs;

static bool fits_offsets32(const fri_job *job) { return job->csr.m <= UINT32_MAX; }

static size_t offsets32_bytes(const fri_job *job) {
    return fits_offsets32(job)
               ? fri_align_line(fri_bytes((int64_t)job->csr.n + 1, sizeof(uint32_t)))
               : 0;
}

/* For the out-edges and, if the graph is not symmetric, for the in-edges. */
static size_t all_offsets32_bytes(const fri_job *job) {
    return offsets32_bytes(job) * (job->csr.symmetric ? 1 : 2);
}

/* What a query touches without the offsets. */
static size_t state_bytes(const fri_job *job) {
    return fri_align_line(sizeof(auto_bfs)) + fri_bfs_state_bytes(job, job->csr.n);
}

static size_t scratch(const fri_job *job) { return state_bytes(job) + all_offsets32_bytes(job); }

/* All that the first query may touch, unless the bitmaps are large enough for huge pages to matter. */
static size_t small_pages(const fri_job *job) {
    enum { LARGE_BITMAP = 1 << 20 };
    return fri_bitmap_bytes(job->csr.n) < LARGE_BITMAP ? state_bytes(job) : 0;
}

/* Whether the mean degree is high enough for a preparation of bottom-up levels to pay. */
static bool may_prepare(const fri_job *job, int64_t mean_degree) {
    return job->csr.m >= mean_degree * (int64_t)job->csr.n && job->in->expected_queries != 1;
}

static bool may_transpose(const fri_job *job) { return !job->csr.symmetric && may_prepare(job, 2); }
static bool may_find_hubs(const fri_job *job) { return may_prepare(job, 4); }

static size_t hub_bytes(const fri_job *job) {
    return may_find_hubs(job) ? fri_bytes(job->csr.n, sizeof(int32_t)) : 0;
}

/* The transposition's temporary memory is freed before the hub parents are made. */
static size_t optional_bytes(const fri_job *job) {
    if (!may_transpose(job) || fri_in_edges_found(job, job->derived))
        return hub_bytes(job);
    return fri_csr_bytes(&job->csr) +
           FRI_MAX(fri_csr_transpose_bytes(job->ctx, &job->csr), hub_bytes(job));
}

/* A failed allocation is not a failed query. */
static fr_status go_on_without_memory(auto_bfs *r, fr_status status) {
    if (status != FR_NOMEM)
        return status;
    r->no_memory = true;
    fri_begin(r->bfs->job->ctx);
    return FR_OK;
}

/* Tests first whether each edge has both directions, which takes a fraction of the time. */
static fr_status compare_directions(auto_bfs *r, fri_job *job) {
    r->compared = true;
    r->in_edges.cost_ns = fri_bfs_in_edges_cost_ns(job->csr.n, job->csr.m, job->in->threads);
    return fri_in_edges_compare(job, job->derived);
}

/* Uses the graph's in-edges, or makes them once they pay. */
static fr_status make_in_edges(auto_bfs *r, fri_bfs *b) {
    fri_job *job = b->job;
    fr_csr own;
    fr_status status = FR_OK;
    if (b->has_in)
        return FR_OK;
    if (!fri_in_edges_found(job, job->derived)) {
        if (r->no_memory || !may_transpose(job) || !fri_preparation_pays(&r->in_edges))
            return FR_OK;
        if (!r->compared)
            status = compare_directions(r, job);
        if (!status && !job->csr.symmetric && !fri_preparation_pays(&r->in_edges))
            return FR_OK;
    }
    if (!status && !job->csr.symmetric) /* shared: there are no weights */
        status = fri_in_edges_take(job, job->derived, &own);
    if (status)
        return go_on_without_memory(r, status);
    fri_bfs_set_in_edges(b);
    b->has_read = false;
    return FR_OK;
}

static int64_t queries_of(const auto_bfs *r) {
    return r->in_edges.queries + r->hub_parents.queries;
}

/* Passes over the offsets, unless that was done. */
static void read_offsets(auto_bfs *r, fri_bfs *b) {
    if (b->has_read)
        return;
    fri_bfs_read_offsets(b, b->out.offsets32 ? NULL : r->out_offsets32, r->in_offsets32);
    r->serial_max = fri_bfs_serial_edges(b->job->in->threads) / FRI_MAX(b->max_degree, 1);
}

/* Uses the graph's hub parents, or makes them once they pay. The queue is free between queries. */
static fr_status make_hub_parents(auto_bfs *r, fri_bfs *b) {
    fri_job *job = b->job;
    fri_derived_blocks made;
    if (!b->has_in || b->hub_parents || r->no_memory || !may_find_hubs(job))
        return FR_OK;
    if (!fri_derived_take(job->derived, FRI_DERIVED_HUB_PARENTS, &made)) {
        if (!fri_preparation_pays(&r->hub_parents))
            return FR_OK;
        int32_t *hub_parents = fri_alloc(job->ctx, hub_bytes(job));
        if (!hub_parents)
            return go_on_without_memory(r, FR_NOMEM);
        read_offsets(r, b);
        uint8_t *classes = (uint8_t *)b->queue;
        fri_bfs_fill_classes(job->ctx, b->in, b->n, job->in->threads, classes);
        fri_bfs_fill_hub_parents(job->ctx, b->in, b->n, job->in->threads, classes, hub_parents);
        made = (fri_derived_blocks){{hub_parents}};
        fri_derived_give(job->derived, FRI_DERIVED_HUB_PARENTS, &made);
    }
    b->hub_parents = made.block[0];
    return FR_OK;
}

/* The offsets are read last, as the in-edges change what is read. Hub parents need to know the vertices
 * without in-edges, which have none. */
static fr_status prepare_when_due(auto_bfs *r, fri_bfs *b) {
    fr_status status = make_in_edges(r, b);
    if (!status)
        status = make_hub_parents(r, b);
    if (!status && (b->hub_parents || queries_of(r) || b->job->in->expected_queries > 1))
        read_offsets(r, b);
    return status;
}

/* Serial or shared, by what levels took; the other threads are woken once running threads would have
 * saved as much as that costs. */
static fri_bfs_method choose_medium_method(auto_bfs *r, fri_bfs *b,
                                           const fri_bfs_policy_input *input) {
    r->medium = fri_bfs_level_work(input);
    b->members = fri_share_threads(&b->share, r->medium, b->most);
    r->began_ns = fri_now_ns();
    return b->members == 1 ? FRI_METHOD_SERIAL : FRI_METHOD_QUEUE;
}

/* The share of the last level's edges that led to a new vertex. */
static void measure_share(auto_bfs *r, const fri_bfs *b) {
    if (r->left_edges > b->left_edges) /* not after a conversion */
        r->new_share = (double)b->vertices / (double)(r->left_edges - b->left_edges);
    r->left_edges = b->left_edges;
}

/* Edges of a vertex so far. */
static double mean_degree(const fri_bfs *b) {
    return (double)(b->job->csr.m - b->left_edges) /
           (double)FRI_MAX(b->with_in - b->left_vertices, 1);
}

/* Edges of the frontier: in a deep traversal, whose levels are many and small, they are not counted. */
static int64_t expected_edges(fri_bfs *b) {
    return b->edges >= 0 || b->depth < DEEP || b->is_bitmap
               ? fri_bfs_edges(b)
               : (int64_t)(mean_degree(b) * (double)b->vertices);
}

static fri_bfs_policy_input policy_input_of(fri_bfs *b) {
    const auto_bfs *r = b->policy_state;
    return (fri_bfs_policy_input){.threads = b->most,
                                  .share = &b->share,
                                  .is_bitmap = b->is_bitmap,
                                  .in_edges = b->has_in,
                                  .hub_parents = b->hub_parents != NULL,
                                  .new_share = r->new_share,
                                  .words = b->words,
                                  .vertices = b->vertices,
                                  .edges = expected_edges(b),
                                  .left_vertices = b->left_vertices,
                                  .left_edges = b->left_edges};
}

static fri_bfs_method choose(auto_bfs *r, fri_bfs *b) {
    fri_bfs_policy_input input = policy_input_of(b);
    if (!input.in_edges)
        r->in_edges.saved_ns += fri_bfs_in_edges_saving_ns(&input);
    else if (!input.hub_parents)
        r->hub_parents.saved_ns += fri_bfs_hub_saving_ns(&input);
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_plans(&input, plan);
    const fri_bfs_method method = fri_bfs_cheapest(plan);
    if (b->most > 1 && !b->is_bitmap && method <= FRI_METHOD_QUEUE)
        return choose_medium_method(r, b, &input);
    b->members = plan[method].threads;
    return method;
}

/* The expected time of the level, for the record of levels. */
static __attribute__((noinline)) void expect(fri_bfs *b, fri_bfs_method method) {
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_policy_input input = policy_input_of(b);
    fri_bfs_plans(&input, plan);
    b->expected_ns = plan[method].ns;
}

/* Whether the frontier is so small that no other method can be faster. Before the largest degree is known
 * its edges are counted; in a deep traversal, which has no hubs near, the mean degree so far tells. */
static bool is_tiny(const auto_bfs *r, fri_bfs *b) {
    if (b->share.turn)
        return false;
    if (b->is_bitmap || r->serial_max)
        return !b->is_bitmap && (double)b->vertices * b->share.scale <= (double)r->serial_max;
    const int64_t most = (int64_t)((double)fri_bfs_serial_edges(b->most) / b->share.scale);
    if (b->vertices > most)
        return false;
    return (b->depth < DEEP ? 1 : 2) * expected_edges(b) <= most;
}

/* Apart from policy, which begins each of many small levels and would save the registers of this one. */
static __attribute__((noinline)) fri_bfs_step choose_step(auto_bfs *r, fri_bfs *b) {
    const fri_bfs_method method = choose(r, b);
    if (method != FRI_METHOD_SERIAL)
        fri_bfs_edges(b); /* counts them, as shared methods need */
    const fri_bfs_step step = fri_bfs_step_of(b, method);
    if (step >= FRI_BFS_TO_BITMAP)
        return step;
    r->taken[method]++;
    if (b->job->told.levels)
        expect(b, method);
    return step;
}

/* Whether windows of levels would have saved by now what it costs to begin with them. A search for targets ends where
 * they are, between two levels. */
static bool begins_windows(auto_bfs *r, fri_bfs *b) {
    enum { LEAST = 4 }; /* threads: two took 0.94 to 1.17 times as long as one without windows */
    const int64_t count = b->tail - b->head;
    if (b->is_bitmap || b->is_abandoned || b->most == 1 || b->job->target_map || count > b->n / 8)
        return false;
    if (b->share.turn)
        return b->depth > 1;
    if (b->depth < DEEP || b->most < LEAST)
        return false;
    const fri_bfs_policy_input input = policy_input_of(b);
    const fri_bfs_window window = fri_bfs_plan_window(&b->share, count, mean_degree(b), b->most);
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_plans(&input, plan);
    r->windows_ns +=
        fmax(0, fmin(plan[FRI_METHOD_SERIAL].ns, plan[FRI_METHOD_QUEUE].ns) - window.ns);
    const double wake_ns =
        b->share.largest < window.threads ? fri_share_wake_ns(window.threads) : 0;
    return window.threads > 1 && r->windows_ns > wake_ns + fri_bfs_windows_ns(b->n, b->most);
}

/* The next window, or the way back. */
static fri_bfs_step window_step(auto_bfs *r, fri_bfs *b) {
    const int64_t count = b->tail - b->head;
    const int32_t max_level = b->job->in->query.max_level;
    if (b->is_abandoned || count > b->n / 4)
        return FRI_BFS_FROM_LOCAL;
    const fri_bfs_window window = fri_bfs_plan_window(&b->share, count, mean_degree(b), b->most);
    const int levels = b->share.turn ? 1 + b->share.turn % 7 : window.levels;
    b->members = fri_share_varied(&b->share, window.threads, b->most);
    b->window_end = max_level ? FRI_MIN(b->depth + levels, max_level) : b->depth + levels;
    r->began_ns = fri_now_ns();
    r->window_left = b->left_vertices;
    r->windows++;
    return FRI_BFS_LOCAL;
}

/* After a window. */
static void record_window(auto_bfs *r, fri_bfs *b) {
    const fri_work work = fri_bfs_window_work(r->window_left - b->left_vertices, mean_degree(b));
    if (work.alone > 0)
        fri_share_record(&b->share, work, b->last_members, b->last, r->began_ns);
    r->window_left = 0;
}

static fri_bfs_step policy(fri_bfs *b) {
    auto_bfs *r = b->policy_state;
    if (r->medium.alone > 0)
        fri_share_record(&b->share, r->medium, b->last_members, b->last, r->began_ns);
    else if (r->window_left)
        record_window(r, b);
    else if (b->last.ns)
        fri_share_took(&b->share, b->last_members, b->last);
    r->medium.alone = 0;
    b->last = (fri_part_time){0};
    if (b->is_local)
        return window_step(r, b);
    measure_share(r, b);
    if (!is_tiny(r, b))
        return begins_windows(r, b) ? FRI_BFS_TO_LOCAL : choose_step(r, b);
    b->share.missed_ns = 0;
    r->taken[FRI_METHOD_SERIAL]++;
    if (b->job->told.levels)
        expect(b, FRI_METHOD_SERIAL);
    return FRI_BFS_SERIAL;
}

static fr_status prepare(fri_job *job) {
    auto_bfs *r = job->scratch;
    void *extra;
    *r = (auto_bfs){0};
    if (may_transpose(job))
        fri_in_edges_recall(job, job->derived);
    fri_bfs *b =
        fri_bfs_prepare(job, job->csr.n, (char *)job->scratch + fri_align_line(sizeof *r), &extra);
    char *at = extra;
    if (fits_offsets32(job)) {
        r->out_offsets32 = fri_carve(&at, offsets32_bytes(job));
        r->in_offsets32 =
            job->csr.symmetric ? r->out_offsets32 : fri_carve(&at, offsets32_bytes(job));
    }
    b->policy = policy;
    b->policy_state = r;
    r->bfs = b;
    r->in_edges = (fri_preparation){
        .cost_ns = fri_bfs_comparison_cost_ns(b->n, job->csr.m, job->in->threads),
        .first_saved_ns = fri_bfs_first_in_edges_saving_ns(b->n, job->csr.m, job->in->threads),
        .expected = job->in->expected_queries};
    r->hub_parents = (fri_preparation){
        .cost_ns = fri_bfs_hub_cost_ns(b->n, job->csr.m, job->in->threads),
        .first_saved_ns = fri_bfs_first_hub_saving_ns(b->n, job->csr.m, job->in->threads),
        .expected = job->in->expected_queries};
    return prepare_when_due(r, b);
}

static fr_status run(fri_job *job) {
    auto_bfs *r = job->scratch;
    for (int method = 0; method < FRI_METHOD_COUNT; method++)
        r->taken[method] = 0;
    r->new_share = 1;
    r->windows_ns = 0;
    r->windows = r->window_left = 0;
    r->left_edges = r->bfs->job->csr.m;
    r->medium = (fri_work){0};
    int64_t begin = fri_now_ns();
    fr_status status = prepare_when_due(r, r->bfs);
    job->told.optional_ns = fri_now_ns() - begin;
    if (status)
        return status;
    status = fri_bfs_traverse(r->bfs);
    r->in_edges.queries += !r->bfs->has_in;
    r->hub_parents.queries += r->bfs->has_in;
    const fri_share_words teams = fri_share_text(&r->bfs->share);
    snprintf(job->told.why, sizeof job->told.why,
             "cheapest way per level by expected cost: %lld %s serial, %lld top-down queue, %lld "
             "top-down bitmap, %lld bottom-up, %lld %s of several levels%s%s%s%s",
             (long long)r->taken[FRI_METHOD_SERIAL],
             fri_words(r->taken[FRI_METHOD_SERIAL], "level", "levels"),
             (long long)r->taken[FRI_METHOD_QUEUE], (long long)r->taken[FRI_METHOD_BITMAP],
             (long long)r->taken[FRI_METHOD_PULL], (long long)r->windows,
             fri_words(r->windows, "window", "windows"),
             r->bfs->has_in ? "" : "; in-edges not known",
             r->bfs->hub_parents ? "; with hub parents"
             : r->no_memory      ? "; no memory to prepare"
                                 : "",
             teams.text[0] ? "; " : "", teams.text);
    return status;
}

const fri_strategy fri_bfs_auto = {
    .name = "auto",
    .source = "fringe",
    .text = "per level the cheapest of serial, top-down and bottom-up, by expected cost",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CPU,
    .scratch = scratch,
    .small_pages = small_pages,
    .optional_bytes = optional_bytes,
    .prepare = prepare,
    .run = run,
};
