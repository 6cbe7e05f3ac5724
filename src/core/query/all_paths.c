/* fr_tight_edges and fr_path_counts: all shortest paths, from levels or distances.
 *
 * Idea: an edge is on a shortest path when it is tight: the value of its source plus its weight is
 *   that of its target. The tight edges form an acyclic graph unless a cycle has weight 0; paths are
 *   counted in its topological order, which needs no order of the distances, so negative weights and
 *   edges of weight 0 need no case of their own.
 * Source: A. B. Kahn: Topological sorting of large networks, CACM 5(11), 1962.
 * Scratch of fr_path_counts: 12 bytes per vertex, 20 without an array of counts.
 * Work: O(n + m) on one thread.
 */
#include "fringe_measures.h"
#include "base/bitmap.h"
#include "base/pace.h"
#include "core/query/tight.h"
#include "base/text/number.h"

#include <math.h>
#include <string.h>

/* Reads a caller's values as the result of a job. FR_TYPE_NONE: levels. */
static fr_status read_values(fr_ctx *ctx, const fr_graph *graph, fr_type type, const void *values,
                             fr_result *result, fri_job *job, fri_job_input *in) {
    if (!graph || !values || (unsigned)type > FR_TYPE_F64)
        return fri_fail(ctx, FR_INVALID, "all shortest paths need a graph and levels or distances");
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    fr_type weights = graph->csr.weight_type;
    if ((weights == FR_TYPE_F32 || weights == FR_TYPE_F64) &&
        (type == FR_TYPE_I32 || type == FR_TYPE_I64))
        return fri_fail(ctx, FR_INVALID, "a graph with %s weights has no distances of type %s",
                        fr_type_name(weights), fr_type_name(type));
    *in = (fri_job_input){.problem = type ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS,
                          .dist_type = type ? type : FR_TYPE_I32,
                          .ids = graph->ids};
    *job = (fri_job){.ctx = ctx, .in = in, .csr = graph->csr, .out = result};
    if (!type) { /* levels count edges */
        job->csr.weights = NULL;
        job->csr.weight_type = FR_TYPE_NONE;
        result->level = (int32_t *)(uintptr_t)values;
    } else {
        result->dist = (void *)(uintptr_t)values;
    }
    return FR_OK;
}

/* A self-loop is on no path. */
static bool on_path(const fri_job *job, int32_t u, int64_t e) {
    int32_t v = job->csr.targets[e];
    return u != v && fri_has_value(job, v) && fri_is_tight(job, u, e, v);
}

fr_status fr_tight_edges(fr_ctx *ctx, const fr_graph *graph, fr_type type, const void *values,
                         uint64_t *bits, int64_t *count) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fri_job job;
    fri_job_input in;
    fr_result result = {0};
    fr_status status = read_values(ctx, graph, type, values, &result, &job, &in);
    if (status)
        return status;
    const fr_csr *csr = &job.csr;
    int64_t tight = 0;
    fri_pace pace = fri_pace_begin(ctx, "finding tight edges", csr->n);
    if (bits)
        memset(bits, 0, fri_bitmap_bytes(csr->m));
    for (int32_t u = 0; u < csr->n; u++) {
        int64_t begin = csr->offsets[u], end = csr->offsets[u + 1];
        if (fri_pace_stop(&pace, end - begin + 1, u))
            return pace.status;
        for (int64_t e = begin; e < end && fri_has_value(&job, u); e++) {
            if (!on_path(&job, u, e))
                continue;
            tight++;
            if (bits)
                fri_bit_set(bits, e);
        }
    }
    if (count)
        *count = tight;
    return FR_OK;
}

typedef struct {
    const fri_job *job;
    int64_t *left;  /* [n] tight in-edges whose paths are not counted yet */
    int32_t *queue; /* [n] vertices whose paths are counted */
    double *count;  /* [n] */
    int64_t *exact; /* [n] or NULL */
    int32_t tail, valued;
    fri_pace pace;
} counting;

static fr_status count_in_edges(counting *c) {
    const fr_csr *csr = &c->job->csr;
    for (int32_t u = 0; u < csr->n; u++) {
        if (fri_pace_stop(&c->pace, csr->offsets[u + 1] - csr->offsets[u] + 1, 0))
            return c->pace.status;
        if (!fri_has_value(c->job, u))
            continue;
        c->valued++;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (on_path(c->job, u, e))
                c->left[csr->targets[e]]++;
    }
    for (int32_t v = 0; v < csr->n; v++)
        if (!c->left[v] && fri_has_value(c->job, v))
            c->queue[c->tail++] = v;
    return FR_OK;
}

static fr_status too_many(const counting *c, int32_t v, const char *type) {
    return fri_fail(c->job->ctx, FR_OVERFLOW,
                    "the number of shortest paths to vertex %lld does not fit %s",
                    (long long)fri_id_of(&c->job->in->ids, v), type);
}

/* Adds the number of paths to u to the number of paths to v, the target of a tight edge. */
static fr_status extend(counting *c, int32_t u, int32_t v) {
    c->count[v] += c->count[u];
    if (!isfinite(c->count[v]))
        return too_many(c, v, "double");
    if (c->exact && __builtin_add_overflow(c->exact[v], c->exact[u], &c->exact[v]))
        return too_many(c, v, "int64");
    if (--c->left[v] == 0)
        c->queue[c->tail++] = v;
    return FR_OK;
}

static fr_status count_paths(counting *c) {
    const fr_csr *csr = &c->job->csr;
    for (int32_t head = 0; head < c->tail; head++) {
        int32_t u = c->queue[head];
        if (fri_pace_stop(&c->pace, csr->offsets[u + 1] - csr->offsets[u] + 1, head))
            return c->pace.status;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            fr_status status = on_path(c->job, u, e) ? extend(c, u, csr->targets[e]) : FR_OK;
            if (status)
                return status;
        }
    }
    if (c->tail == c->valued)
        return FR_OK;
    return fri_fail(c->job->ctx, FR_UNSUPPORTED,
                    "a cycle of weight 0 has infinitely many shortest walks; %d %s on "
                    "one or reached from one",
                    c->valued - c->tail,
                    fri_words(c->valued - c->tail, "vertex is", "vertices are"));
}

/* Counts the path without edges of each source, unless another source reaches it at a negative distance. */
static fr_status start_at(counting *c, const int32_t *sources, int64_t source_count) {
    const fri_job *job = c->job;
    for (int64_t i = 0; i < source_count; i++) {
        int32_t s = sources[i];
        if (s < 0 || s >= job->csr.n)
            return fri_fail(job->ctx, FR_NOT_FOUND, "there is no source %d", s);
        if (!fri_has_value(job, s) || !fri_is_root(job, s))
            continue;
        c->count[s] = 1;
        if (c->exact)
            c->exact[s] = 1;
    }
    return FR_OK;
}

fr_status fr_path_counts(fr_ctx *ctx, const fr_graph *graph, fr_type type, const void *values,
                         const int32_t *sources, int64_t source_count, double *count,
                         int64_t *exact) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fri_job job;
    fri_job_input in;
    fr_result result = {0};
    if (!sources || source_count < 1)
        return fri_fail(ctx, FR_INVALID, "path counts need the sources of the traversal");
    fr_status status = read_values(ctx, graph, type, values, &result, &job, &in);
    if (status)
        return status;
    int32_t n = job.csr.n;
    double *own = count ? NULL : fri_alloc(ctx, fri_bytes(n, sizeof *own));
    counting c = {.job = &job, .exact = exact, .count = count ? count : own};
    c.left = c.count ? fri_calloc(ctx, fri_bytes(n, sizeof *c.left)) : NULL;
    c.queue = c.left ? fri_alloc(ctx, fri_bytes(n, sizeof *c.queue)) : NULL;
    c.pace = fri_pace_begin(ctx, "counting shortest paths", n);
    status = c.queue ? FR_OK : FR_NOMEM;
    for (int32_t v = 0; v < n && !status; v++) {
        c.count[v] = 0;
        if (exact)
            exact[v] = 0;
    }
    status = status ? status : start_at(&c, sources, source_count);
    status = status ? status : count_in_edges(&c);
    status = status ? status : count_paths(&c);
    fri_free(c.queue);
    fri_free(c.left);
    fri_free(own);
    return status;
}
