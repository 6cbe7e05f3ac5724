/* SSSP, `auto` on the CPU: chooses a strategy from properties known before the first query.
 *
 * Source: ours; the strategies name theirs.
 * Idea: the first rule that holds, in this order:
 *   a weight below 0            bellman-ford  the only correct one
 *   no weights, all equal       BFS           distances follow from levels (core/query/level_sums.h)
 *   fewer than 2^14 edges       dijkstra      any preparation costs more than the search
 *   spread weights, many edges  spira-window  most edges lie beyond the distance of their far end
 *   else                        delta-step    on as many cores as pay
 *   "Many edges": the expected degree at the end of an edge (sum of squares / m) is at least 12 and
 *   the mean degree at least 4; delta-step is faster on a grid (3.6) and a uniform graph of degree 8, spira-window on one
 *   of degree 16 or 32. "Spread": the largest weight is at least 8 times the smallest (or the smallest is 0).
 *   See docs/performance.md for measurements.
 *   Before delta-step or spira-window a plain search by Dijkstra's algorithm may examine 1/128 of the
 *   edges, divided by the threads that wait for it: a search that ends by then prepares nothing and
 *   passes over the vertices only to fill the outputs. After a search that does not, up to 3 queries
 *   skip the attempt. If that search had a limit or targets and reached so few edges that one thread
 *   suffices for them, the next plain search may examine twice as many.
 *   A search by spira-window that examines two thirds of the edges shows that the graph is no small world, whatever
 *   its degrees: delta-step answers what follows. On points in the plane and rings with shortcuts that takes .2 to .6
 *   of the time, on a web crawl .4 to .9; with hubs and 8 threads more, since its rounds are many and small. Where
 *   windows examine up to .6, spira-window is as fast or faster.
 *   spira-window needs rows sorted by weight and in-edges. Until they pay (cpu/preparation.h), delta-step
 *   runs on the CSR; both belong to the graph.
 * Scratch, preparation, work: as the chosen strategy. The plain search has its heap at the end of
 *   the same scratch, where strategies keep nothing between queries.
 */
#include <stdio.h>

#include "base/team.h"
#include "core/query/min_parents.h"
#include "cpu/preparation.h"
#include "cpu/sssp/sssp.h"
#include "base/text/number.h"

extern const fri_strategy fri_bfs_auto;

enum {
    SMALL_EDGES = 1 << 14,   /* stored edges below which dijkstra is chosen */
    ALONE_EDGES = 1 << 18,   /* stored edges below which other threads do not count as waiting */
    BOUNDED_SHARE = 128,     /* of the edges, for the plain search */
    BOUNDED_EDGES = 1 << 16, /* upper bound of these edges; both per thread */
    EXPECTED_SHARE = 8,      /* after a query that examined few, at most ALONE_EDGES */
    MAX_SKIPPED = 3          /* queries to skip after a plain search that did not suffice */
};

typedef struct {
    const fri_strategy *strategy; /* of the next query */
    const fri_strategy *chosen;   /* the same, or spira-window as long as its rows do not pay */
    fri_job inner;                /* what the strategy sees; inner.in is `in` */
    fri_job_input in;
    fri_preparation preparation; /* of the sorted rows */
    bool no_memory;              /* for them */
    int64_t bounded_edges;       /* of the plain search at first; 0: none is tried */
    int64_t most_bounded_edges;  /* after queries that examined few */
    int64_t next_bounded_edges;  /* of the next query */
    char *bounded_scratch;       /* for most_bounded_edges */
    int skip, skipped; /* queries without it after one that did not end, and how many there were */
    char why[256];
} auto_sssp;

/* Costs on one core, in nanoseconds. Fitted on an EPYC 9005 with Kronecker and uniform graphs of
 * scale 20; only their ratio matters. */
static const struct {
    double sort_edge;  /* fresh memory for the edge included */
    double in_edge;    /* testing for symmetry or transposing */
    double saved_edge; /* delta-step's time per edge less spira-window's */
} cost = {
    .sort_edge = 15,
    .in_edge = 10,
    .saved_edge = 5,
};

double fri_sssp_sort_ns(int64_t m, int threads) { return cost.sort_edge * (double)m / threads; }

double fri_sssp_in_edges_ns(const fr_csr *csr, int threads) {
    return csr->symmetric ? 0 : cost.in_edge * (double)csr->m / threads;
}

double fri_sssp_sorted_saving_ns(int64_t edges, int threads) {
    return cost.saved_edge * (double)edges / threads;
}

/* why: the reason, without the name. */
static const fri_strategy *choose(const fri_job *job, char *why, size_t bytes) {
    const fr_csr *csr = &job->csr;
    if (job->weight_min < 0) {
        snprintf(why, bytes, "the smallest weight is %g", job->weight_min);
        return &fri_sssp_bellman_ford;
    }
    if (csr->weight_type == FR_TYPE_NONE && job->in->dist_type == FR_TYPE_I32) {
        snprintf(why, bytes, "every edge counts the same, so levels give the distances");
        return &fri_bfs_auto;
    }
    if (csr->m < SMALL_EDGES) {
        snprintf(why, bytes, "only %lld %s", (long long)csr->m, fri_words(csr->m, "edge", "edges"));
        return &fri_sssp_dijkstra;
    }
    double edge_degree = fri_sssp_edge_biased_degree(job);
    if (fri_sssp_is_small_world(edge_degree, csr->n, csr->m, job->weight_min, job->weight_max)) {
        snprintf(why, bytes,
                 "%.3g edges at the end of an edge, weights %g to %g, so most edges never "
                 "matter",
                 edge_degree, job->weight_min, job->weight_max);
        return &fri_sssp_spira_window;
    }
    snprintf(why, bytes, "delta %.3g, %.3g edges at the end of an edge, mean weight %.3g",
             fri_sssp_bucket_width(job, job->in->threads), edge_degree, job->weight_mean);
    return &fri_sssp_delta_step;
}

/* Makes `strategy` the one of the next query. */
static void select_strategy(auto_sssp *a, const fri_strategy *strategy) {
    a->strategy = strategy;
    for (int i = 0; strategy->knobs && strategy->knobs[i].name; i++)
        a->inner.knob[i] = strategy->knobs[i].value;
}

/* The job of the chosen strategy; its scratch follows ours. */
static void describe(const fri_job *job, auto_sssp *a) {
    a->inner = fri_job_within(job, &a->in);
    a->chosen = choose(job, a->why, sizeof a->why);
    select_strategy(a, a->chosen);
    if (a->strategy == &fri_bfs_auto) {
        a->in.problem = FR_PROBLEM_BFS;
    }
    const bool may_end_early =
        a->chosen == &fri_sssp_delta_step || a->chosen == &fri_sssp_spira_window;
    const int waiting = job->csr.m < ALONE_EDGES ? 1 : job->in->threads;
    a->bounded_edges =
        may_end_early ? FRI_MIN(job->csr.m / BOUNDED_SHARE, BOUNDED_EDGES) / waiting : 0;
    a->most_bounded_edges =
        a->bounded_edges
            ? FRI_MAX(a->bounded_edges, FRI_MIN(job->csr.m / EXPECTED_SHARE, ALONE_EDGES))
            : 0;
    a->next_bounded_edges = a->bounded_edges;
    a->skip = a->skipped = 0;
    a->no_memory = false;
    a->preparation =
        (fri_preparation){.cost_ns = fri_sssp_sort_ns(job->csr.m, job->in->threads) +
                                     fri_sssp_in_edges_ns(&job->csr, job->in->threads),
                          .first_saved_ns = fri_sssp_sorted_saving_ns(job->csr.m, job->in->threads),
                          .expected = job->in->expected_queries};
}

static size_t scratch(const fri_job *job) {
    auto_sssp a;
    describe(job, &a);
    size_t bytes = a.strategy->scratch ? a.strategy->scratch(&a.inner) : 0;
    if (a.chosen == &fri_sssp_spira_window) {
        select_strategy(&a, &fri_sssp_delta_step);
        bytes = FRI_MAX(bytes, a.strategy->scratch(&a.inner));
    }
    if (bytes > SIZE_MAX / 2)
        return bytes;
    const size_t plain = FRI_SSSP_KEPT_BYTES + fri_sssp_bounded_bytes(a.most_bounded_edges);
    return fri_align_line(sizeof a) + fri_align_line(FRI_MAX(bytes, plain));
}

/* Many threads take memory for their buckets from the same huge page. */
static size_t small_pages(const fri_job *job) {
    enum { LITTLE = 1 << 21, MANY_THREADS = 8, THREAD_BYTES = 16 << 20 };
    auto_sssp a;
    describe(job, &a);
    if (a.chosen == &fri_bfs_auto) {
        const size_t bfs = a.chosen->small_pages(&a.inner);
        return bfs ? fri_align_line(sizeof a) + bfs : 0;
    }
    const bool many = job->in->threads >= MANY_THREADS &&
                      job->scratch_bytes / (size_t)job->in->threads <= THREAD_BYTES;
    return many ? job->scratch_bytes : LITTLE;
}

static size_t optional_bytes(const fri_job *job) {
    auto_sssp a;
    describe(job, &a);
    if (a.chosen == &fri_bfs_auto)
        return a.chosen->optional_bytes(&a.inner);
    bool may_sort = a.chosen == &fri_sssp_spira_window && job->in->expected_queries != 1;
    return may_sort ? a.chosen->shared(&a.inner) : 0;
}

static fr_status prepare_strategy(auto_sssp *a, const fri_strategy *strategy) {
    select_strategy(a, strategy);
    return strategy->prepare ? strategy->prepare(&a->inner) : FR_OK;
}

/* Before a query: spira-window if its rows exist or pay, else delta-step. A failed allocation of
 * rows is not a failed query. */
static fr_status make_sorted_rows(const fri_job *job, auto_sssp *a) {
    if (a->strategy == a->chosen || a->no_memory || job->in->expected_queries == 1 ||
        (a->chosen->shared(&a->inner) && !fri_preparation_pays(&a->preparation)))
        return FR_OK;
    fr_status status = prepare_strategy(a, a->chosen);
    if (!status)
        return FR_OK;
    a->no_memory = status == FR_NOMEM;
    fr_status again = prepare_strategy(a, &fri_sssp_delta_step);
    if (status != FR_NOMEM)
        return status;
    fri_begin(job->ctx);
    return again;
}

static fr_status prepare(fri_job *job) {
    auto_sssp *a = job->scratch;
    describe(job, a);
    const size_t own = fri_align_line(sizeof *a);
    a->bounded_scratch =
        (char *)job->scratch + job->scratch_bytes - fri_sssp_bounded_bytes(a->most_bounded_edges);
    a->inner.scratch = (char *)job->scratch + own;
    a->inner.scratch_bytes = job->scratch_bytes - own;
    if (a->chosen != &fri_sssp_spira_window)
        return prepare_strategy(a, a->chosen);
    fr_status status = prepare_strategy(a, &fri_sssp_delta_step);
    return status ? status : make_sorted_rows(job, a);
}

/* "delta-step: delta 43.7, ..." */
static void explain(fri_job *job, const auto_sssp *a) {
    const char *name = a->strategy == &fri_bfs_auto ? "BFS" : a->strategy->name;
    const char *teams = a->in.problem == FR_PROBLEM_BFS ? "" : a->inner.told.why;
    const char *and = teams[0] ? "; " : "";
    const char *until =
        a->no_memory ? "no memory for rows sorted by weight" : "until rows sorted by weight pay";
    if (a->strategy == a->chosen)
        snprintf(job->told.why, sizeof job->told.why, "%s: %s%s%.60s", name, a->why, and, teams);
    else
        snprintf(job->told.why, sizeof job->told.why, "%s: %s (%s: %s)%s%.60s", name, until,
                 a->chosen->name, a->why, and, teams);
}

static void mark_unreached(fri_member me, void *arg, int64_t begin, int64_t end) {
    int32_t *dist = arg;
    (void)me;
    for (int64_t v = begin; v < end; v++)
        if (dist[v] < 0)
            dist[v] = FR_INF_I32;
}

/* BFS writes levels into the array of distances; -1 becomes not reached. A limit below 1 is no
 * level; fri_sssp_finish applies it. */
static fr_status run_levels(fri_job *job, auto_sssp *a) {
    fri_job *inner = &a->inner;
    fr_result *out = job->out, levels = {.level = out->dist, .parent = out->parent};
    double limit = FRI_MIN(job->in->query.max_distance, (double)(INT32_MAX - 1));
    a->in.query.max_level = limit > 0 && limit < 1 ? 1 : (int32_t)limit;
    inner->out = &levels;
    fr_status status = fri_bfs_auto.run(inner);
    out->stats = levels.stats;
    if (status)
        return status;
    if (job->in->query.parent_rule == FR_PARENT_MIN_ID)
        fri_min_parents_bfs(inner);
    fri_team_loop(job->ctx, a->in.threads, inner->csr.n, 65536, mark_unreached, out->dist);
    if (!(job->in->query.max_distance > 0) && !job->target_count)
        return FR_OK; /* nothing is cut off, and levels fit int32 */
    fri_job_input in;
    fri_job end = fri_job_within(job, &in);
    in.query.parent_rule = FR_PARENT_ANY; /* already done from levels */
    return fri_sssp_finish(&end, NULL);
}

/* Whether the plain search is tried: it records no levels and chooses no smallest parents. */
static bool tries_bounded(const fri_job *job, auto_sssp *a) {
    const bool finds_min_id = job->in->query.parent_rule == FR_PARENT_MIN_ID && job->out->parent;
    if (job->told.levels || finds_min_id || job->in->query.source_count > a->next_bounded_edges)
        return false;
    if (a->skipped++ < a->skip)
        return false;
    a->skipped = 0;
    return true;
}

/* *done: the plain search has answered the query. */
static fr_status run_bounded(fri_job *job, auto_sssp *a, bool *done) {
    *done = false;
    if (!tries_bounded(job, a))
        return FR_OK;
    fr_status status =
        fri_sssp_bounded_run(job, a->next_bounded_edges, INT32_MAX, a->bounded_scratch, done);
    a->skip = *done ? 0 : FRI_MIN(2 * a->skip + 1, MAX_SKIPPED);
    if (!*done)
        return status;
    job->told.counted_reached = true;
    job->told.chosen = &fri_sssp_dijkstra;
    snprintf(job->told.why, sizeof job->told.why,
             "dijkstra: the search ended after %lld of %lld %s",
             (long long)job->out->stats.edges_examined, (long long)job->csr.m,
             fri_words(job->csr.m, "edge", "edges"));
    return FR_OK;
}

/* After a query by the chosen strategy: what the next plain search may examine. */
static void expect_edges(fri_job *job, auto_sssp *a) {
    a->next_bounded_edges = a->bounded_edges;
    if (!a->bounded_edges || (job->in->query.max_distance <= 0 && !job->target_count))
        return;
    fri_job_count_reached(job);
    job->told.counted_reached = true;
    const int64_t expected = 2 * job->out->stats.reached_edges;
    if (expected > a->most_bounded_edges)
        return;
    a->next_bounded_edges = FRI_MAX(expected, a->bounded_edges);
    a->skip = a->skipped = 0;
}

/* After a search by spira-window: whether the next ones are delta-step's. */
static fr_status judge_windows(const fri_job *job, auto_sssp *a) {
    const int64_t edges = job->out->stats.edges_examined;
    if (a->strategy != &fri_sssp_spira_window || 3 * edges < 2 * job->csr.m)
        return FR_OK;
    a->chosen = &fri_sssp_delta_step;
    snprintf(a->why, sizeof a->why, "no small world, windows examined %.2g of the edges",
             (double)edges / (double)job->csr.m);
    return prepare_strategy(a, a->chosen);
}

/* Solves the query by the chosen strategy. */
static fr_status run_chosen(fri_job *job, auto_sssp *a) {
    fri_job *inner = &a->inner;
    a->in.query = job->in->query;
    inner->target_map = job->target_map;
    inner->target_count = job->target_count;
    inner->out = job->out;
    inner->told.levels = job->told.levels;
    inner->told.level_capacity = job->told.level_capacity;
    inner->told.level_count = 0;
    int64_t begin = fri_now_ns();
    fr_status status = make_sorted_rows(job, a);
    job->told.optional_ns = fri_now_ns() - begin;
    inner->told.optional_ns = 0;
    if (!status)
        status = a->in.problem == FR_PROBLEM_BFS ? run_levels(job, a) : a->strategy->run(inner);
    if (!status)
        expect_edges(job, a);
    a->preparation.queries++;
    a->preparation.saved_ns +=
        fri_sssp_sorted_saving_ns(job->out->stats.edges_examined, job->in->threads);
    job->told.optional_ns += inner->told.optional_ns;
    job->told.level_count = inner->told.level_count;
    job->told.chosen = a->strategy;
    explain(job, a);
    return status ? status : judge_windows(job, a);
}

static fr_status run(fri_job *job) {
    auto_sssp *a = job->scratch;
    bool done;
    fr_status status = run_bounded(job, a, &done);
    if (!done && !status)
        return run_chosen(job, a);
    a->preparation.queries++;
    return status;
}

const fri_strategy fri_sssp_auto = {
    .name = "auto",
    .source = "fringe",
    .text =
        "chosen by weights and degrees: BFS, dijkstra, delta-step, spira-window or bellman-ford",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .scratch = scratch,
    .small_pages = small_pages,
    .optional_bytes = optional_bytes,
    .prepare = prepare,
    .run = run,
};
