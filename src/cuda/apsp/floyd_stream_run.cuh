/* Floyd-Warshall on the GPU with the matrix on the host: a whole query. Included by gpu_floyd.cu
 * alone; the parts are floyd_stream.cuh's. */
#ifndef FRI_FLOYD_STREAM_RUN_CUH
#define FRI_FLOYD_STREAM_RUN_CUH

#include "cuda/apsp/floyd_plan.cuh"

template <class T> static fr_status stream_all(fri_gpu *g, run_state *s, bool *negative) {
    fri_job *job = g->job;
    const fr_query *q = &job->query;
    stream_state *m = &s->stream;
    int64_t first = s->forgive ? 0 : q->pivots_done / m->side;
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    *negative = false;
    if (!first)
        stream_fill<T>(job, m, s->place, s->vertex);
    for (int64_t k = first; k < m->parts; k++) {
        int64_t start = fri_now_ns(), done = FRI_MIN((k + 1) * m->side, (int64_t)m->size);
        FRI_GPU_TRY(stream_pivot<T>(g, m, k, s->forgive, negative));
        if (*negative)
            return FR_OK;
        fri_job_level(job, "pivot part", m->side, 0, fri_now_ns() - start);
        if (q->pivot && q->pivot(q->pivot_user, done, m->size))
            return fri_fail(job->ctx, FR_CANCELLED, "cancelled after %lld of %d pivots",
                            (long long)done, m->size);
    }
    return FR_OK;
}

static fr_status stream_to_the_end(fri_gpu *g, run_state *s) {
    bool negative = false;
    fr_status status;
    BY_KIND(s, (status = stream_all<T>(g, s, &negative)));
    FRI_GPU_TRY(status);
    if (!negative)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_apsp_cycle(g->job, s->search));
    s->forgive = true;
    BY_KIND(s, (status = stream_all<T>(g, s, &negative)));
    return status;
}

/* A row of the host's matrix as the caller wants it. False: a distance does not fit. */
template <class T>
static bool host_row(const fri_gpu *g, const run_state *s, int32_t source, void *dist) {
    const typename T::D *from =
        (const typename T::D *)(const void *)s->stream.matrix + (int64_t)s->place[source] * s->size;
    taken to = {};
    bool fits = true;
    to.dist = dist;
    to.type = g->job->dist_type;
    for (int32_t v = 0; v < g->n; v++) {
        typename T::D d = s->place[v] < 0 ? none_of(T()) : from[s->place[v]];
        fits &= fw_put<T>(to, v, d == none_of(T()) ? T::infinite() : d);
    }
    return fits;
}

static fr_status stream_row(fri_gpu *g, run_state *s, int64_t r) {
    fri_job *job = g->job;
    const fr_query *q = &job->query;
    int32_t source = fri_job_source(job, r);
    char *dist = s->row_dist;
    int32_t *parent = job->out->parent ? job->out->parent + r * g->n : s->row_parent;
    bool fits = true;
    if (job->out->dist)
        dist = (char *)job->out->dist + (size_t)r * (size_t)g->n * fr_type_size(job->dist_type);
    if (!job->in_place)
        BY_TYPE(s, (fits = host_row<T>(g, s, source, dist)));
    if (!fits)
        return fri_fail(job->ctx, FR_OVERFLOW,
                        "a distance from vertex %d does not fit %s; ask for a wider type", source,
                        fr_type_name(job->dist_type));
    if (fri_gpu_apsp_parents(job))
        fri_gpu_apsp_repair_parents(job, source, dist, parent, s->spare, true);
    if (q->row && q->row(q->row_user, r, source, dist, q->want_parents ? parent : nullptr))
        return fri_fail(job->ctx, FR_CANCELLED, "cancelled by the receiver of row %lld",
                        (long long)r);
    return FR_OK;
}

static fr_status stream_run(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    stream_state *m = &s->stream;
    if (job->in_place && (job->query.sources || !job->out->dist))
        return fri_fail(job->ctx, FR_INVALID, "in place: all rows are asked for, by an array");
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(job->ctx->device), "choosing the device"));
    s->linked = s->forgive = false;
    FRI_GPU_TRY(choose_vertices(g, s));
    m->matrix = job->in_place ? (char *)job->out->dist : m->matrix;
    m->size = s->size;
    m->parts = (m->size + m->side - 1) / m->side;
    FRI_GPU_TRY(stream_to_the_end(g, s));
    for (int64_t r = 0; r < fri_job_rows(job); r++)
        FRI_GPU_TRY(stream_row(g, s, r));
    FRI_GPU_TRY(fri_gpu_read_occupancy(g));
    return fri_gpu_read_counts(g);
}

#endif
