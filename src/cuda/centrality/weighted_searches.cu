/* Distances from many sources at once in a graph with weights, for centrality.
 *
 * Source: the searches of apsp/multi_sssp.
 * Differs: distances are doubles for every type of weights, those of all sources side by side.
 * Needs: weights of at least 0. Scratch per vertex: 8 bytes for each source and 3 bits for each block.
 * Work, launches, atomics: see apsp/multi_sssp/multi_sssp.cu.
 */
#include "cuda/centrality/weighted_searches.cuh"

/* Indices of job.knob. */
enum { KNOB_GROUPS };
enum {
    MAX_ITEMS =
        1 << 23, /* vertices times groups: beyond that a GPU is full at every round of a mesh */
    BLOCKS = 2,  /* per multiprocessor */
    SAMPLE_ROWS = 4096, /* whose weights give the mean, from at most SAMPLE_EDGES each */
    SAMPLE_EDGES = 64
};

namespace {
/* Sums in double of weights of any type. */
template <class Weight> struct kind_of : fri_kind_f64 {
    typedef Weight W;
    static __device__ __forceinline__ K sum(K d, W w, K cap, bool *low) {
        return fri_kind_f64::sum(d, (double)w, cap, low);
    }
};
} // namespace

static __global__ void ids_kernel(int32_t *sources, int32_t first, int32_t count) {
    const int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        sources[i] = first + i;
}

/* ---- memory ------------------------------------------------------------------------------ */

static int64_t groups_of(const fri_gpu *g) { return (int64_t)g->job->knob[KNOB_GROUPS]; }

int64_t fri_searches_sources(const fri_gpu *g) { return groups_of(g) * FRI_WARP; }

static rows_shape shape_of(const fri_gpu *g) {
    const int64_t sources = fri_searches_sources(g);
    const int blocks = rows_usual_blocks(g, sources);
    return rows_shape_of(g, blocks, FRI_MIN(ROWS_THREADS / blocks, 2 * FRI_SEARCHES_BLOCK),
                         sources);
}

fri_searches fri_searches_carve(const fri_gpu *g, char **at) {
    fri_searches s = {};
    s.n = g->n;
    fri_carve_array(at, &s.dist, fri_searches_cells(g));
    fri_carve_array(at, &s.sources, fri_searches_sources(g));
    s.rows = rows_carve(g, shape_of(g).blocks, 0, at);
    return s;
}

void fri_searches_bind(fri_gpu_call *call, fr_ctx *ctx, const fr_graph *graph,
                       const fri_strategy *strategy) {
    fri_gpu_call_bind(call, ctx, graph, strategy);
    fri_job *job = &call->job;
    job->csr = job->in_edges = graph->csr;
    call->in.dist_type = graph->csr.weight_type; /* the device stores the weights as they are */
    job->weight_min = 0;
}

fr_status fri_searches_plan(fri_gpu_call *call, int64_t count) {
    fri_job *job = &call->job;
    int64_t groups = (count + FRI_WARP - 1) / FRI_WARP;
    bool fits = false;
    groups = FRI_MAX(1, FRI_MIN(groups, MAX_ITEMS / job->csr.n));
    for (;; groups = FRI_MAX(1, groups / 2)) {
        job->knob[KNOB_GROUPS] = (double)groups;
        FRI_GPU_TRY(fri_gpu_call_fits(call, groups > 1 ? 1 : 0, &fits));
        if (fits || groups == 1) /* else the allocation fails with a message of sizes */
            return FR_OK;
    }
}

/* ---- searches ---------------------------------------------------------------------------- */

static double mean_weight(const fr_csr *csr) {
    const int32_t step = csr->n / SAMPLE_ROWS + 1;
    double sum = 0;
    int64_t count = 0;
    for (int32_t u = 0; u < csr->n; u += step) {
        const int64_t end = FRI_MIN(csr->offsets[u + 1], csr->offsets[u] + SAMPLE_EDGES);
        for (int64_t e = csr->offsets[u]; e < end; e++, count++)
            sum += fri_csr_weight(csr, e);
    }
    return count ? sum / (double)count : 1;
}

template <class T> static rows_batch<T> batch_of(const fri_gpu *g, const fri_searches &s) {
    const fr_csr *csr = &g->job->csr;
    rows_batch<T> b = {};
    b.p = fri_sssp_view_of<T>(g);
    b.p.dist = (typename T::K *)s.dist; /* the key of a double of at least 0 has its bits */
    b.p.cap = T::unreached() - 1;
    b.row = 1;
    b.cell = s.width;
    b.count = s.count;
    b.hub = ROWS_HUB;
    b.sources = s.sources;
    b.delta = rows_usual_delta(mean_weight(csr), csr->n, csr->m);
    b.fill = ROWS_FILL;
    return b;
}

static fr_status send_sources(fri_gpu *g, const fri_searches &s, const int32_t *sources,
                              int64_t first) {
    if (sources)
        return fri_gpu_send(g, s.sources, sources + first, fri_bytes(s.count, sizeof *sources));
    FRI_RUN_EACH(ids_kernel, s.count, FRI_SEARCHES_BLOCK, s.sources, (int32_t)first, s.count);
    return FR_OK;
}

template <class T>
static fr_status search(fri_gpu *g, const fri_searches &s, const char *phase, int64_t done,
                        int64_t total) {
    rows_control end;
    const rows_batch<T> b = batch_of<T>(g, s);
    FRI_RUN((rows_fill_kernel<typename T::K>), (unsigned)(8 * g->multiprocessors), 256, b.p.dist,
            (int64_t)s.n * s.width, T::unreached());
    return rows_run<T>(g, b, shape_of(g), s.rows, phase, done, total, &end);
}

fr_status fri_searches_run(fri_gpu *g, fri_searches *s, const int32_t *sources, int64_t first,
                           int32_t count, const char *phase, int64_t total) {
    fr_status status;
    s->count = count;
    s->groups = (count + FRI_WARP - 1) / FRI_WARP;
    s->width = s->groups * FRI_WARP;
    FRI_GPU_TRY(send_sources(g, *s, sources, first));
    FRI_BY_WEIGHT(g, status = search<kind_of<W>>(g, *s, phase, first, total));
    return status;
}
