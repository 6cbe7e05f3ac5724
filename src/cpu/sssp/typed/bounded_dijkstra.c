/* Dijkstra's algorithm up to a number of edges and of entries in its heap, for searches that reach little of a
 * large graph or have few vertices to choose from. A heap that keeps outdated entries and a list of the vertices
 * reached: apart from filling the outputs, no step is O(n). Runs before a strategy does. */
#include "base/team.h"
#include "cpu/sssp/typed/pair.h"

#include "graph/stats.h"

typedef dist_t heap_key;
#define HEAP_PLACES               const int32_t /* there are none */
#define HEAP_MOVED(places, v, at) (void)(places)
#include "cpu/heap.h"

typedef struct {
    fri_job *job;
    heap_node *heap;  /* an entry per relaxation that succeeds */
    int32_t *reached; /* each vertex once */
    int32_t held;
    int64_t reached_count, edges;
    dist_t last_target; /* once all targets are settled: the distance of the farthest */
    int64_t targets_left;
} search;

static inline void lower(search *s, int32_t v, dist_t sum, int32_t parent) {
    fr_result *out = s->job->out;
    dist_t *dist = out->dist;
    if (!dist_less(sum, dist[v]))
        return;
    if (dist[v] == DIST_INF)
        s->reached[s->reached_count++] = v;
    dist[v] = sum;
    if (out->parent)
        out->parent[v] = parent;
    s->job->out->stats.relaxations++;
    heap_sift_up(s->reached, s->heap, s->held++, sum, v);
}

static void clear_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    const fr_result *out = arg;
    dist_t *dist = out->dist;
    (void)me;
    for (int64_t v = begin; v < end; v++)
        dist[v] = DIST_INF;
    for (int64_t v = begin; out->parent && v < end; v++)
        out->parent[v] = -1;
}

static void start(search *s) {
    enum { BLOCK = 1 << 14 };
    const fri_job *job = s->job;
    const int32_t n = job->csr.n;
    /* The page faults of fresh outputs are divided among the context's threads: those of OpenMP would spin on the cores
     * of the strategy that may follow. */
    fri_team_loop(job->ctx, fri_job_threads(job, n / 2), n, BLOCK, clear_piece, job->out);
    for (int64_t i = 0; i < job->in->query.source_count; i++)
        lower(s, job->in->query.sources[i], 0, job->in->query.sources[i]);
}

static void relax_row(search *s, heap_node from) {
    const fr_csr *csr = &s->job->csr;
    for (int64_t e = csr->offsets[from.v]; e < csr->offsets[from.v + 1]; e++)
        lower(s, csr->targets[e], dist_sum(from.key, weight_at(csr, e)), from.v);
}

/* Whether no vertex is left that the query needs; false: more edges are needed, or *status is set. */
static bool visit(search *s, int64_t edges, int32_t held, fr_status *status) {
    fri_job *job = s->job;
    const dist_t *dist = job->out->dist;
    const limit_t limit = query_limit(job);
    fri_pace pace = fri_pace_begin(job->ctx, "traversing", job->csr.n);
    enum { HEAP_WORK = 16 }; /* cost of a pop, in edges */
    int64_t settled = 0;
    while (s->held && s->heap[0].key <= s->last_target && (limit_t)s->heap[0].key <= limit) {
        const heap_node top = heap_pop(s->reached, s->heap, --s->held);
        if (top.key != dist[top.v])
            continue; /* outdated */
        const int64_t degree = fri_csr_degree(&job->csr, top.v);
        if (s->edges + degree > edges || s->held > held)
            return false;
        s->edges += degree;
        if (fri_pace_stop(&pace, degree + HEAP_WORK, settled++)) {
            *status = pace.status;
            return false;
        }
        if (job->target_map && fri_bit_get(job->target_map, top.v) && --s->targets_left == 0)
            s->last_target = top.key;
        relax_row(s, top);
    }
    job->out->stats.levels = (int32_t)FRI_MIN(settled, INT32_MAX);
    return true;
}

/* Does what fri_sssp_finish does, for the vertices reached only, and counts them; false: a distance may
 * not fit. */
static bool finish(search *s) {
    fri_job *job = s->job;
    dist_t *dist = job->out->dist, maximum = 0;
    const dist_t bound = kept_bound(job);
    const limit_t limit = query_limit(job);
    fr_stats *stats = &job->out->stats;
    for (int64_t i = 0; i < s->reached_count; i++) {
        const int32_t v = s->reached[i];
        if (dist[v] <= bound && (limit_t)dist[v] <= limit) {
            maximum = FRI_MAX(maximum, dist[v]);
            stats->reached++;
            stats->reached_edges += fri_csr_degree(&job->csr, v);
            continue;
        }
        dist[v] = DIST_INF;
        if (job->out->parent)
            job->out->parent[v] = -1;
    }
    return bound != DIST_INF || limit != NO_LIMIT || sums_fit(job, (double)maximum);
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_bounded_run,
                  (fri_job * job, int64_t edges, int32_t held, char *scratch, bool *done),
                  (job, edges, held, scratch, done)) {
    search s = {.job = job, .last_target = DIST_INF, .targets_left = job->target_count};
    s.heap = fri_carve(&scratch, fri_bytes(2 * edges, sizeof *s.heap));
    s.reached = fri_carve(&scratch, fri_bytes(2 * edges, sizeof *s.reached));
    start(&s);
    fr_status status = FR_OK;
    *done = visit(&s, edges, held, &status) && finish(&s);
    job->out->stats.edges_examined = s.edges;
    return status;
}

#ifdef FRI_ONCE
size_t fri_sssp_bounded_bytes(int64_t edges) {
    enum { NODE_BYTES = 2 * sizeof(int64_t) }; /* of the widest pair, padded */
    return fri_align_line(fri_bytes(2 * edges, NODE_BYTES)) +
           fri_align_line(fri_bytes(2 * edges, sizeof(int32_t)));
}
#endif
