/* Order, origins, limits of 0 and converted types: what follows from a finished result.
 *
 * Origins: a search along tight edges (core/query/tight.h) from each source in the order of the list takes
 *   the vertices that no earlier source took. It takes exactly those that the source reaches at
 *   their distance and no earlier source does, so each edge is followed once.
 */
#include "core/query/post.h"
#include "core/query/tight.h"

#include <float.h>
#include <string.h>

/* Refuses outputs and limits that the problem would ignore. */
static fr_status check_problem(fri_job *job, const fr_result *result) {
    const fr_query *q = &job->in->query;
    bool bfs = job->in->problem == FR_PROBLEM_BFS;
    if (bfs && result->dist && !result->level)
        return fri_fail(job->ctx, FR_UNSUPPORTED, "BFS has levels: set result.level, not dist");
    if (!bfs && result->level && !result->dist)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "only BFS has levels: set result.dist, not level");
    if (bfs && fri_limits_distance(q))
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "BFS has levels: set max_level, not max_distance");
    if (!bfs && fri_limits_level(q))
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "%s has distances: set max_distance, not max_level",
                        job->in->problem == FR_PROBLEM_SSSP ? "SSSP" : "APSP");
    if (job->in->problem != FR_PROBLEM_APSP && q->row)
        return fri_fail(job->ctx, FR_UNSUPPORTED, "only APSP passes rows to a callback (row)");
    return FR_OK;
}

fr_status fri_post_check(fri_job *job, const fr_result *result) {
    const fr_query *q = &job->in->query;
    if ((unsigned)q->parent_rule > FR_PARENT_NEAREST)
        return fri_fail(job->ctx, FR_INVALID, "there is no parent_rule %d", (int)q->parent_rule);
    if (job->in->problem != FR_PROBLEM_BFS && result->order)
        return fri_fail(job->ctx, FR_UNSUPPORTED, "only BFS returns the order of vertices");
    fr_status status = check_problem(job, result);
    if (status)
        return status;
    if (result->origin && q->source_count > INT32_MAX)
        return fri_fail(job->ctx, FR_INVALID, "origins are int32: at most 2^31 - 1 sources");
    if (job->in->problem == FR_PROBLEM_APSP && result->origin)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "APSP returns no origins: every row has one source");
    return FR_OK;
}

/* Vertices sorted by level in parts, each of consecutive vertices: a part counts its vertices of each
 * level, and then places them after all vertices of smaller levels and of earlier parts. */
typedef struct {
    const int32_t *level;
    int32_t *order, *start; /* [parts][buckets] */
    int64_t n, buckets; /* a level each, and the last one for unreached vertices, not all of them */
    int parts;
} level_sort;

static inline uint32_t bucket_of(const level_sort *s, int64_t v) {
    const uint32_t level = (uint32_t)s->level[v], last = (uint32_t)s->buckets - 1;
    return level < last ? level : last; /* -1 is the largest number */
}

enum { RUN = 16 }; /* vertices that are passed over together where none is reached */

static bool is_run_unreached(const level_sort *s, int64_t v, int64_t end) {
    int32_t all = -1;
    for (int64_t i = 0; v + RUN <= end && i < RUN; i++)
        all &= s->level[v + i];
    return all < 0 && v + RUN <= end;
}

static void count_part(const level_sort *s, int part) {
    int32_t *count = s->start + part * s->buckets;
    memset(count, 0, (size_t)s->buckets * sizeof *count);
    const int64_t end = s->n * (part + 1) / s->parts;
    for (int64_t v = s->n * part / s->parts; v < end; v += RUN) {
        if (is_run_unreached(s, v, end))
            continue;
        for (int64_t i = v; i < FRI_MIN(v + RUN, end); i++)
            count[bucket_of(s, i)]++;
    }
}

static void place_part(const level_sort *s, int part) {
    int32_t *at = s->start + part * s->buckets;
    const int64_t end = s->n * (part + 1) / s->parts;
    for (int64_t v = s->n * part / s->parts; v < end; v += RUN) {
        if (is_run_unreached(s, v, end))
            continue;
        for (int64_t i = v; i < FRI_MIN(v + RUN, end); i++)
            s->order[at[bucket_of(s, i)]++] = (int32_t)i;
    }
}

static void counts_to_starts(const level_sort *s) {
    int32_t at = 0;
    for (int64_t bucket = 0; bucket < s->buckets; bucket++)
        for (int part = 0; part < s->parts; part++) {
            int32_t *place = &s->start[part * s->buckets + bucket], count = *place;
            *place = at;
            at += count;
        }
}

void fri_level_order(fri_job *job, int32_t *start) {
    const int32_t *level = job->out->level, n = job->csr.n;
    const bool has_starts = job->told.has_starts;
    int32_t deepest = has_starts ? job->out->stats.levels : 0;
    for (int32_t v = 0; !has_starts && v < n; v++)
        deepest = FRI_MAX(deepest, level[v]);
    level_sort s = {level, job->out->order,      start,
                    n,     (int64_t)deepest + 2, fri_job_threads(job, 2 * (int64_t)n)};
    if (s.parts * s.buckets > fri_post_entries(job))
        s.parts = 1;
    if (!has_starts || s.parts > 1) {
#pragma omp parallel for schedule(static, 1) num_threads(s.parts)
        for (int part = 0; part < s.parts; part++)
            count_part(&s, part);
        counts_to_starts(&s);
    }
#pragma omp parallel for schedule(static, 1) num_threads(s.parts)
    for (int part = 0; part < s.parts; part++)
        place_part(&s, part);
}

/* Takes what a source reaches along tight edges and no earlier source took. */
static void take_from(const fri_job *job, int32_t source, int32_t label, int32_t *queue) {
    const fr_csr *csr = &job->csr;
    int32_t *origin = job->out->origin, tail = 0;
    queue[tail++] = source;
    origin[source] = label;
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = queue[head];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (origin[v] >= 0 || !fri_has_value(job, v) || !fri_is_tight(job, u, e, v))
                continue;
            origin[v] = label;
            queue[tail++] = v;
        }
    }
}

void fri_origins(fri_job *job, const int32_t *sources, int64_t count, int32_t *scratch) {
    int32_t *origin = job->out->origin;
    for (int32_t v = 0; v < job->csr.n; v++)
        origin[v] = -1;
    for (int64_t i = 0; i < count; i++)
        if (origin[sources[i]] < 0 && fri_is_root(job, sources[i]))
            take_from(job, sources[i], (int32_t)i, scratch);
}

/* ---- limits of 0 ---- */

void fri_zero_distance_limit(fr_query *query) {
    query->limit_distance &= query->max_distance == 0;
    if (query->limit_distance)
        query->max_distance = DBL_TRUE_MIN;
}

bool fri_is_zero_level(const fri_job *job) {
    return job->in->problem == FR_PROBLEM_BFS && job->in->query.limit_level &&
           job->in->query.max_level == 0;
}

fr_status fri_solve_zero_level(fri_job *job) {
    int32_t n = job->csr.n;
    for (int32_t v = 0; v < n; v++)
        job->out->level[v] = -1;
    for (int32_t v = 0; job->out->parent && v < n; v++)
        job->out->parent[v] = -1;
    for (int64_t i = 0; i < job->in->query.source_count; i++) {
        int32_t s = job->in->query.sources[i];
        job->out->level[s] = 0;
        if (job->out->parent)
            job->out->parent[s] = s;
    }
    return FR_OK;
}

static bool cuts_min_distance(const fri_job *job) {
    return job->in->problem == FR_PROBLEM_SSSP && job->in->dist_type == FR_TYPE_F64 &&
           job->in->query.limit_distance &&
           (job->in->query.max_distance == 0 || job->in->query.max_distance == DBL_TRUE_MIN);
}

fri_parents_by fri_parents_found(const fri_job *job, const fr_result *result) {
    const fri_strategy *strategy = job->strategy;
    if (!result->parent)
        return FRI_NO_PARENTS;
    if (job->in->query.parent_rule == FR_PARENT_NEAREST)
        return FRI_PARENTS_BY_NEAREST;
    return job->in->problem == FR_PROBLEM_BFS && job->in->query.parent_rule == FR_PARENT_MIN_ID &&
                   (strategy->backend == FR_BACKEND_CPU || strategy->needs & FRI_SPANS_DEVICES)
               ? FRI_PARENTS_BY_LEVEL
               : FRI_PARENTS_BY_STRATEGY;
}

bool fri_needs_host_values(const fri_job *job, const fr_result *result) {
    return result->order || result->origin ||
           fri_parents_found(job, result) > FRI_PARENTS_BY_STRATEGY || fri_is_zero_level(job) ||
           cuts_min_distance(job);
}

bool fri_cut_min_distance(fri_job *job) {
    double *dist = job->out->dist;
    if (!cuts_min_distance(job))
        return false;
    for (int32_t v = 0; v < job->csr.n; v++)
        if (dist[v] > 0) {
            dist[v] = (double)INFINITY;
            if (job->out->parent)
                job->out->parent[v] = -1;
        }
    return true;
}

#define FRI_CUT(type, inf, beyond)                                                                 \
    do {                                                                                           \
        type *dist = job->out->dist;                                                               \
        for (int32_t v = 0; v < job->csr.n; v++)                                                   \
            if (beyond) {                                                                          \
                dist[v] = (inf);                                                                   \
                job->out->origin[v] = -1;                                                          \
                if (job->out->parent)                                                              \
                    job->out->parent[v] = -1;                                                      \
            }                                                                                      \
    } while (0)

void fri_cut_after_origins(fri_job *job, double limit) {
    const int64_t last = limit < 0x1p63 ? (int64_t)limit : INT64_MAX;
    switch (job->in->dist_type) {
    case FR_TYPE_I32: FRI_CUT(int32_t, FR_INF_I32, dist[v] > last); break;
    case FR_TYPE_I64: FRI_CUT(int64_t, FR_INF_I64, dist[v] > last); break;
    case FR_TYPE_F32: FRI_CUT(float, INFINITY, (double)dist[v] > limit); break;
    default: FRI_CUT(double, (double)INFINITY, dist[v] > limit);
    }
}
#undef FRI_CUT
