/* Pushes edges sorted by weight up to a moving bound, then pulls the remaining vertices.
 *
 * Source: P. M. Spira: A new algorithm for finding all shortest paths in a graph of positive arcs,
 *   SIAM J. Computing 2(1), 1973 (rows sorted by weight; a row is read only as far as it matters);
 *   R. Hassin, E. Zemel: On shortest paths in graphs with random weights, Math. OR 10(4), 1985 (few
 *   of the edges matter); V. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal: Scalable single
 *   source shortest path algorithms for massively parallel systems, IPDPS 2014 (push or pull).
 * Idea: an edge u -> v is only examined once dist[u] + w is below the bound, and the bound
 *   advances by one window at a time. Vertices reached within a window are corrected there and
 *   final at its end, so there are no buckets, and nothing beyond the window is stored. Each
 *   reached vertex keeps a record {its next edge, the distance at which that edge matters}; a
 *   window is one scan of the records. In small-world graphs most vertices are reached while most
 *   edges still lie beyond the bound. When the unreached vertices have fewer in-edges than the
 *   next window would cost, every unreached vertex pulls from its in-edges, lightest first, until
 *   the weight alone exceeds the best sum; the bucket engine then finishes among these vertices.
 * Differs: windows instead of Spira's priority queue, all cores; unreached vertices pull once. If
 *   the array of records is full, or windows cost more than they save, all reached vertices enter
 *   the bucket engine with their whole rows: correct, and rare. Of a directed graph the pull reads
 *   the transposed CSR, whose rows are not sorted by weight.
 * Scratch: about 1.5 n records of 20 or 24 bytes and 2 n queue entries; the bucket engine's scratch.
 * Prepare: one sort of all rows, 8 bytes per edge (16 for int64 and double), which belong to the
 *   graph. A CSR that is not marked symmetric is tested, as a matrix often stores both directions of
 *   every edge; only if it does not, the transposed CSR is made, which also belongs to the graph.
 * Work: the edges that matter, about a sixth of all in Kronecker and uniform graphs with weights
 *   1..255; some tens of windows, each with a scan of the records and two barriers per round.
 * Good at: small-world graphs with spread weights.
 * Bad at: graphs of large diameter, equal weights.
 */
#include "cpu/sssp/typed/window.h"

#include "core/query/in_edges.h"

#include <string.h>

enum { KNOB_WINDOW, KNOB_PULL };

typedef struct {
    double width; /* of a window */
    double delta; /* of the bucket engine's buckets */
    const void *rows;
    fri_share share;
} header;
_Static_assert(sizeof(header) <= FRI_SSSP_KEPT_BYTES, "auto keeps it between queries");

/* An entry is valid as long as its vertex still has that distance. */
static inline void reach_valid(fri_window *w, fri_window_worker *p, int out,
                               fri_bucket_entry from) {
    const fri_delta_engine *s = w->delta_engine;
    const int64_t *in = s->job->in_edges.offsets;
    if (from.v < 0 || fri_delta_load(s->dist, from.v) != from.d)
        return;
    p->reached_edges += in[from.v + 1] - in[from.v];
    fri_window_reach(w, p, out, from);
}

/* All members: pushes from the entries of a queue to the other one. */
static void drain(fri_window *w, fri_window_worker *p, int in) {
    const fri_delta_engine *s = w->delta_engine;
    const fri_bucket_entry *entry = w->queue[in];
    int64_t i, end;
    while (!fri_window_halt(w, p) &&
           fri_team_next_chunk(&w->entries[in].taken, w->entries[in].count, FRI_WINDOW_BLOCK, &i,
                               &end))
        for (; i < end; i++) {
            if (i + 12 < end && entry[i + 12].v >= 0)
                __builtin_prefetch(&s->offsets[entry[i + 12].v]);
            if (i + 6 < end && entry[i + 6].v >= 0)
                fri_prefetch_edges(&s->edges[s->offsets[entry[i + 6].v]]);
            reach_valid(w, p, in ^ 1, entry[i]);
        }
}

/* All members: the scan with which a window begins, or one of its rounds. */
static void run_part(fri_window *w, fri_window_worker *p) {
    if (w->scans)
        fri_window_scan(w, p);
    else
        drain(w, p, w->in);
    fri_window_close_queue(w, p, w->scans ? 0 : w->in ^ 1);
}

/* Member 0, between windows. */
static void plan(fri_window *w) {
    fri_delta_engine *s = w->delta_engine;
    const fri_job *job = s->job;
    const fr_query *q = &job->in->query;
    dist_t next_sum = DIST_INF;
    const int64_t pushed = w->pushed;
    int64_t reached = 0;
    bool full = false;
    for (int t = 0; t < s->threads; t++) {
        fri_window_worker *p = &w->worker[t];
        next_sum = FRI_MIN(next_sum, p->next_sum);
        reached += p->reached_edges;
        full |= p->full;
        p->next_sum = DIST_INF; /* of the next window; a thread may take no part in it */
    }
    w->pushed = 0;
    s->rounds++;
    w->reached = reached;
    fri_window_halt(w, w->worker);
    s->status = s->pace.status;
    int64_t now = fri_now_ns();
    fri_job_level(s->job, "window", w->record_count, pushed, now - s->since);
    s->since = now;
    while (!full && s->next_target < q->target_count &&
           dist_less(s->dist[q->targets[s->next_target]], w->bound))
        s->next_target++;
    double cost = (double)pushed + (double)w->record_count / 8;
    bool settled = next_sum == DIST_INF || (q->target_count && s->next_target == q->target_count) ||
                   (q->max_distance > 0 && (double)w->bound > q->max_distance);
    if (s->status || (settled && !full)) /* full: dropped vertices are not settled */
        w->next = FRI_WINDOW_FINISHED;
    else if (full || w->visits > 4 * job->csr.m)
        w->next = FRI_WINDOW_FLUSH;
    else if ((double)(job->csr.m - reached) < w->pull * cost)
        w->next = FRI_WINDOW_PULL;
    else if (!fri_window_next(w, next_sum))
        w->next = FRI_WINDOW_FLUSH;
}

/* The transposed CSR of a directed graph. */
static inline int64_t pull_transposed(const fri_delta_engine *s, fri_pulled *best, int32_t v) {
    const fr_csr *in = &s->job->in_edges;
    int64_t begin = in->offsets[v], end = in->offsets[v + 1];
    for (int64_t e = begin; e < end; e++)
        fri_window_pull_edge(s->dist, best, in->targets[e], weight_at(in, e));
    return end - begin;
}

static inline void pull_row(fri_delta_engine *s, fri_buckets *buckets, int32_t v) {
    fri_pulled best = {DIST_INF, -1};
    buckets->examined +=
        s->job->in_edges.symmetric
            ? fri_window_pull_sorted(s->dist, s->edges, s->offsets[v], s->offsets[v + 1], &best)
            : pull_transposed(s, &best, v);
    if (best.d == DIST_INF)
        return;
    buckets->relaxed++;
    if (s->parent)
        s->parent[v] = best.parent;
    __atomic_store(&s->dist[v], &best.d, __ATOMIC_RELAXED);
    fri_delta_put(s, buckets, v, best.d);
}

static void put_sources(fri_window *w) {
    fri_delta_engine *s = w->delta_engine;
    for (int t = 0; t < s->threads; t++)
        w->worker[t].next_sum = DIST_INF;
    for (int64_t i = 0; i < s->job->in->query.source_count; i++) {
        int32_t v = s->job->in->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        fri_window_enqueue(w, &w->worker[0], 0, v, 0);
    }
    fri_window_close_queue(w, &w->worker[0], 0);
}

/* Member 0, after the last window: the remaining vertices enter the bins. */
static void leave_windows(fri_window *w) {
    fri_delta_engine *s = w->delta_engine;
    w->scanned = 0;
    s->doing = w->next == FRI_WINDOW_PULL ? "pull" : "flush";
    s->pace.total = 0; /* rounds are reported from here on */
    s->bucket = w->next == FRI_WINDOW_PULL ? fri_delta_bucket(s, w->bound) : 0;
}

/* All members: every unreached vertex pulls, or every reached one enters the engine with its whole row. */
static void fill_bins(fri_window *w, fri_member me) {
    fri_delta_engine *s = w->delta_engine;
    fri_buckets *buckets = &s->buckets[me.index];
    int64_t v, end;
    for (int t = me.index; t < s->threads; t += me.count)
        fri_buckets_reset(&s->buckets[t], s->bucket);
    while (!fri_delta_halt(s, buckets) && fri_team_next_chunk(&w->scanned, s->n, 4096, &v, &end))
        for (; v < end; v++)
            if (s->dist[v] == DIST_INF && w->next == FRI_WINDOW_PULL)
                pull_row(s, buckets, (int32_t)v);
            else if (s->dist[v] != DIST_INF && w->next == FRI_WINDOW_FLUSH)
                fri_delta_put(s, buckets, (int32_t)v, s->dist[v]);
    buckets->least = fri_buckets_min(buckets);
}

/* What a part takes besides edges, in edges: an entry as much as one, a record that is scanned an eighth. */
static int64_t other_work(const fri_window *w) {
    return w->scans ? w->old / 8 : w->entries[w->in].count;
}

/* Edges that a part is expected to examine: a vertex has two below the bound on average, a hub more. */
static int64_t expected_edges(const fri_window *w) {
    enum { FEW = 1024 }; /* entries whose rows member 0 measures while the others wait */
    const fri_delta_engine *s = w->delta_engine;
    const int64_t count = w->entries[w->in].count;
    int64_t edges = 0;
    if (w->scans || count > FEW)
        return 2 * other_work(w);
    for (int64_t i = 0; i < count; i++) {
        const int32_t v = w->queue[w->in][i].v;
        edges += v < 0 ? 0 : s->offsets[v + 1] - s->offsets[v];
    }
    return edges / (s->m / (2 * (int64_t)s->n) + 1);
}

/* After a part. */
static void record_part(fri_window *w, fri_part_time last) {
    fri_delta_engine *s = w->delta_engine;
    int64_t edges = 0;
    for (int t = 0; t < s->members; t++) {
        edges += w->worker[t].examined - w->worker[t].before;
        w->worker[t].before = w->worker[t].examined;
    }
    w->pushed += edges;
    fri_delta_record(s, edges + other_work(w), last);
}

/* The members of the next part, and what it needs. */
static int begin_part(fri_window *w, int most) {
    fri_delta_engine *s = w->delta_engine;
    const int64_t edges = most > 1 ? other_work(w) + expected_edges(w) : 0;
    const int out = w->scans ? 0 : w->in ^ 1;
    w->entries[out].count = w->entries[out].taken = 0;
    s->members = fri_share_threads(s->share, fri_delta_work(edges), most);
    s->shared = s->members > 1;
    s->began_ns = fri_now_ns();
    return s->members;
}

/* The next window, or the members of what follows the last one; 0: nothing does. */
static int end_window(fri_window *w, int most) {
    fri_delta_engine *s = w->delta_engine;
    plan(w);
    w->scans = true;
    if (w->next == FRI_WINDOW_NEXT)
        return begin_part(w, most);
    if (w->next == FRI_WINDOW_FINISHED)
        return 0;
    leave_windows(w);
    s->members = 1; /* before the engine's first round */
    s->began_ns = 0;
    const int members = fri_share_threads(s->share, (fri_work){8.0 * s->n, 8.0 * s->n}, most);
    s->shared = members > 1;
    return members;
}

static int decide(void *arg, int most, fri_part_time last) {
    fri_window *w = arg;
    fri_delta_engine *s = w->delta_engine;
    if (s->stage == FRI_DELTA_CLEAR)
        return fri_delta_engine_begin(s, most);
    if (s->stage > FRI_DELTA_FILL || w->next != FRI_WINDOW_NEXT)
        return fri_delta_engine_decide(s, most, last);
    if (!w->has_begun)
        put_sources(w);
    else
        record_part(w, last);
    w->in = w->has_begun && !w->scans ? w->in ^ 1 : 0;
    w->has_begun = true;
    w->scans = false;
    return w->entries[w->in].count ? begin_part(w, most) : end_window(w, most);
}

static void part(fri_member me, void *arg) {
    fri_window *w = arg;
    if (w->delta_engine->stage > FRI_DELTA_FILL || !w->has_begun)
        fri_delta_engine_part(w->delta_engine, me);
    else if (w->next == FRI_WINDOW_NEXT)
        run_part(w, &w->worker[me.index]);
    else
        fill_bins(w, me);
}

FRI_SSSP_FUNCTION(size_t, fri_sssp_spira_window_bytes, (const fri_job *job), (job)) {
    return fri_align_line(sizeof(header)) + fri_sssp_delta_bytes(job, FRI_SSSP_POOL) +
           fri_window_bytes(job->csr.n, job->csr.n, job->in->threads, 2);
}

static fri_window *make_state(fri_job *job) {
    char *scratch = job->scratch;
    header *h = fri_carve(&scratch, sizeof *h);
    const double width = fri_job_knob(job, KNOB_WINDOW, h->width);
    fri_delta_engine *s =
        fri_delta_engine_create(job, h->rows, h->delta, FRI_SSSP_POOL, &h->share, &scratch);
    s->since = fri_now_ns();
    s->pace.total = job->csr.m;
    fri_window *w = fri_window_create(s, job->csr.n, 2, width, &scratch);
    w->row_dist = s->dist;
    w->pull = job->knob[KNOB_PULL];
    return w;
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_spira_window_run, (fri_job * job), (job)) {
    fri_window *w = make_state(job);
    if (job->csr.n)
        job->out->stats.threads = fri_team_parts(job->ctx, job->in->threads, decide, part, w);
    for (int t = 0; t < job->in->threads; t++) {
        job->out->stats.edges_examined += w->worker[t].examined;
        job->out->stats.relaxations += w->worker[t].relaxed;
    }
    return fri_delta_engine_finish(w->delta_engine);
}

#ifdef FRI_ONCE

/* A solver that reverses the graph has its in-edges. */
static bool has_in_edges(const fri_job *job) {
    return job->csr.symmetric || job->in_edges.offsets != job->csr.offsets;
}

static size_t shared(const fri_job *job) {
    size_t bytes = fri_adjacency_share_bytes(job);
    if (job->csr.symmetric || fri_in_edges_found(job, job->derived))
        return bytes;
    return bytes + fri_csr_bytes(&job->csr) + fri_csr_transpose_bytes(job->ctx, &job->csr);
}

/* Sets job->in_edges; in.symmetric: the rows serve as in-edges. */
static fr_status make_in_edges(fri_job *job) {
    if (has_in_edges(job))
        return FR_OK;
    fr_csr own; /* stays zero: the weights are the graph's */
    if (!fri_in_edges_found(job, job->derived)) {
        fr_status status = fri_csr_is_symmetric(job->ctx, &job->csr, &job->in_edges.symmetric);
        if (status || job->in_edges.symmetric)
            return status;
    }
    return fri_in_edges_take(job, job->derived, &own);
}

static fr_status prepare(fri_job *job) {
    header *h = job->scratch;
    fr_status status = fri_adjacency_share(job, &h->rows);
    if (!status)
        status = make_in_edges(job);
    /* few edges join the vertices left after the pull: few rounds matter more than order */
    h->delta = FRI_MAX(fri_sssp_bucket_width(job, 1), job->weight_mean);
    h->width = fri_sssp_sampled_width(job);
    h->share = fri_share_new(job->ctx);
    return status;
}

static const fr_knob knobs[] = {
    {"window", FR_KNOB_AUTO, 1e-300, 1e300,
     "how far the bound moves at a time; default: a vertex has two edges within it on average"},
    {"pull", 1, 0, 1e9,
     "pull once the edges of unreached vertices are fewer than this times a window's cost"},
    {0}};

const fri_strategy fri_sssp_spira_window = {
    .name = "spira-window",
    .source = "Spira, SIAM J. Comput. 2(1), 1973; Chakaravarthy et al., IPDPS 2014",
    .text = "rows sorted by weight, pushed up to a moving bound; the rest is pulled",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE,
    .knobs = knobs,
    .scratch = fri_sssp_spira_window_bytes,
    .shared = shared,
    .prepare = prepare,
    .run = fri_sssp_spira_window_run,
};

#endif
