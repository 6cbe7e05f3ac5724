/* All pairs by shortest paths from a batch of sources at once: `multi-sssp`, and `johnson` for
 * negative weights.
 *
 * Source: batches: fringe, after M. Then et al., The more the merrier, VLDB 2014, for levels; the
 *   threshold: A. Davidson, S. Baxter, M. Garland, J. D. Owens, IPDPS 2014 (near-far); potentials:
 *   D. B. Johnson: Efficient algorithms for shortest paths in sparse networks, JACM 24(1), 1977.
 * Idea: a warp relaxes the edges of one vertex for 32 sources, a lane each. It reads an edge once
 *   for all of them, and the distances it lowers lie side by side, so that what costs a random
 *   access per edge from one source costs 1/32 of that here. A bit per vertex and source says what
 *   has fallen; what falls beyond a threshold waits until nothing nearer is left (near-far).
 *   `johnson`: one Bellman-Ford on the GPU from all sources of the query gives potentials h, and
 *   the weights w + h[u] - h[v], which are not negative, have the same shortest paths.
 * Differs: no queue: each round looks at one word per vertex and group of 32 sources. Vertices of
 *   more than `hub` edges are left to a second launch, in which all warps share their edges.
 *   Potentials come from the query's own sources, so what they do not reach never counts, and a
 *   negative cycle that they reach is the answer. Shifted sums are doubles, exact for integers as
 *   long as n times the greatest weight stays below 2^51; beyond, johnson refuses. Parents come
 *   from the distances afterwards, the least that are nearer, as in gpu_sssp.c.
 * Needs: multi-sssp weights of at least 0. Scratch: per vertex and source a distance, a parent and
 *   3 bits. Work: m per source, and corrections within delta. Launches: 1 or 2 per round and a read
 *   of words, 2 per step of the threshold. Atomics: one per distance lowered, one per vertex and
 *   group whose bits change.
 * Good at: many sources, sparse graphs. Bad at: few sources (lanes idle) and dense graphs of a few
 *   thousand vertices (floyd-warshall).
 */
#include "cuda/apsp/batch_rows.cuh"

#include <string.h>

enum { SOURCES, DELTA, HUB, BLOCK };
enum { CELLS = 1 << 26 /* distances in a batch that fill any chip */ };
static const double EXACT = 0x1p51;

namespace {
struct run_state { /* on the host */
    int32_t hubs, hub_runs;
    double delta;
    uint32_t *now, *next;
    bool shifted;
    double *h, *weights; /* [n], [m] on the device */
    double *host_h;      /* [n] */
    fri_job search;      /* Bellman-Ford for potentials */
    fr_result found;
    int32_t *all; /* [n] its sources */
};
} // namespace

static bool is_negative(const fri_job *job) { return job->weight_min < 0; }
static int32_t padded(int32_t count) { return (count + FRI_WARP - 1) / FRI_WARP * FRI_WARP; }

/* ---- memory ------------------------------------------------------------------------------ */

static size_t dist_bytes(const fri_gpu *g) {
    size_t size = is_negative(g->job) ? sizeof(double) : fr_type_size(g->job->dist_type);
    return fri_line(fri_bytes((int64_t)g->n * padded(g->batch), size));
}
static size_t parent_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes((int64_t)g->n * padded(g->batch), sizeof(int32_t)));
}
static size_t bits_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes((int64_t)g->n * (padded(g->batch) / FRI_WARP), sizeof(uint32_t)));
}

static int32_t count_hubs(const fri_job *job, int64_t *most) {
    int32_t hubs = 0;
    *most = 0;
    for (int32_t v = 0; v < job->csr.n; v++) {
        int64_t degree = job->csr.offsets[v + 1] - job->csr.offsets[v];
        hubs += (double)degree > job->knob[HUB];
        *most = FRI_MAX(*most, degree);
    }
    return hubs;
}

static size_t device_scratch(const fri_gpu *g) {
    int64_t most, hubs = count_hubs(g->job, &most);
    size_t shifted = is_negative(g->job) ? fri_line(fri_bytes(g->n, sizeof(double))) +
                                               fri_line(fri_bytes(g->m, sizeof(double)))
                                         : 0;
    return dist_bytes(g) + parent_bytes(g) + 3 * bits_bytes(g) +
           fri_line(fri_bytes(hubs * (padded(g->batch) / FRI_WARP), sizeof(hub))) + shifted;
}

/* A batch that fills the chip, or what is asked for; whole groups. */
static int32_t most_rows(const fri_gpu *g) {
    int64_t usual = CELLS / (g->n ? g->n : 1);
    usual = usual < 32 ? 32 : usual > 1024 ? 1024 : usual;
    return (int32_t)fri_job_knob(g->job, SOURCES, (double)(usual / FRI_WARP * FRI_WARP));
}

static fri_job search_job(const fri_job *job) {
    fri_job inner = *job;
    inner.problem = FR_SSSP;
    inner.row = fri_strategy_find(FR_SSSP, FR_CUDA, "workfront-sweep");
    inner.dist_type = job->csr.weight_type == FR_I32 ? FR_I64 : FR_F64;
    inner.device = nullptr;
    inner.levels = nullptr;
    inner.kernels = nullptr;
    inner.count = false;
    inner.target_map = nullptr;
    for (int i = 0; inner.row->knobs && inner.row->knobs[i].name; i++)
        inner.knob[i] = inner.row->knobs[i].value;
    return inner;
}

static size_t device_bytes(const fri_job *job) {
    size_t bytes = fri_gpu_bytes(job);
    if (!is_negative(job))
        return bytes;
    fri_job inner = search_job(job);
    return bytes + inner.row->device_bytes(&inner);
}

static size_t scratch(const fri_job *job) {
    size_t bytes = fri_gpu_apsp_scratch(job), ids = fri_line(fri_bytes(job->csr.n, 4));
    if (!is_negative(job))
        return bytes;
    fri_job inner = search_job(job);
    return bytes + 2 * fri_line(fri_bytes(job->csr.n, sizeof(double))) + ids +
           inner.row->scratch(&inner);
}

/* ---- preparation ------------------------------------------------------------------------- */

static double usual_delta(double mean, const fri_job *job) {
    double degree = job->csr.n ? (double)job->csr.m / job->csr.n : 1;
    double usual = 32 * mean / (degree > 1 ? degree : 1);
    return fri_job_knob(job, DELTA, usual > 0 ? usual : 1);
}

static fr_status prepare_search(fri_gpu *g, run_state *s, char *at) {
    fri_job *job = g->job;
    double greatest = FRI_MAX(-job->weight_min, job->weight_max) * ((double)g->n + 1);
    if (job->csr.weight_type == FR_I32 && greatest > EXACT)
        return fri_fail(job->ctx, FR_UNSUPPORTED,
                        "johnson on the GPU sums in double: %d vertices and weights up to %g may "
                        "pass 2^51; take johnson on the CPU",
                        g->n, job->weight_max);
    s->search = search_job(job);
    s->found.dist = fri_carve(&at, fri_bytes(g->n, sizeof(double)));
    s->host_h = (double *)fri_carve(&at, fri_bytes(g->n, sizeof(double)));
    s->all = (int32_t *)fri_carve(&at, fri_bytes(g->n, sizeof(int32_t)));
    s->search.scratch = at;
    s->search.out = &s->found;
    return s->search.row->prepare(&s->search);
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    int64_t most;
    run_state *s = (run_state *)fri_calloc(job->ctx, sizeof *s);
    g->state = s;
    if (!s)
        return FR_NOMEM;
    s->hubs = count_hubs(job, &most);
    s->hub_runs = (int32_t)((most + HUB_RUN - 1) / HUB_RUN);
    s->shifted = is_negative(job);
    s->delta = usual_delta(job->weight_mean, job);
    if (!s->shifted)
        return FR_OK;
    g->kind = FR_F64;
    return prepare_search(g, s, fri_gpu_apsp_own(job));
}

static void release(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    run_state *s = g ? (run_state *)g->state : nullptr;
    if (s && s->search.device)
        s->search.row->release(&s->search);
    fri_gpu_release(job);
}

/* ---- potentials -------------------------------------------------------------------------- */

/* The query's sources, each once. */
static int64_t list_sources(const fri_job *job, int32_t *all) {
    int64_t kept = 0;
    memset(all, 0, fri_bytes(job->csr.n, sizeof *all));
    for (int64_t r = 0; r < fri_job_rows(job); r++)
        all[fri_job_source(job, r)] = 1;
    for (int32_t v = 0; v < job->csr.n; v++)
        if (all[v])
            all[kept++] = v;
    return kept;
}

/* The mean of the shifted weights, from some of the rows. */
static double shifted_mean(const fri_job *job, const double *h) {
    const fr_csr *csr = &job->csr;
    int32_t step = csr->n / 4096 + 1;
    double sum = 0;
    int64_t count = 0;
    for (int32_t u = 0; u < csr->n; u += step)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1] && e < csr->offsets[u] + 64;
             e++) {
            double shift = h[u] - h[csr->targets[e]];
            sum += shift > -1e300 && shift < 1e300 ? shift : 0;
            count++;
        }
    return FRI_MAX(0, job->weight_mean + (count ? sum / (double)count : 0));
}

static fr_status shift(fri_gpu *g, run_state *s) {
    fri_job *job = g->job;
    for (int32_t v = 0; v < g->n; v++)
        if (s->search.dist_type == FR_I64) {
            int64_t d = ((const int64_t *)s->found.dist)[v];
            s->host_h[v] = d == FR_INF_I64 ? (double)INFINITY : (double)d;
        } else
            s->host_h[v] = ((const double *)s->found.dist)[v];
    FRI_GPU_TRY(fri_gpu_upload(g, s->h, s->host_h, fri_bytes(g->n, sizeof(double))));
    fr_type type = g->job->dist_type == FR_F64 ? FR_F64 : job->csr.weight_type;
    FRI_LAUNCH(shift_kernel, fri_gpu_blocks(g->m, 256), 256, 0, g->stream,
               (const int64_t *)g->out.offsets, g->out.targets, g->out.weights, type, s->h, g->n,
               g->m, s->weights);
    s->delta = usual_delta(shifted_mean(job, s->host_h), job);
    return FR_OK;
}

static fr_status begin(fri_gpu *g) {
    run_state *s = (run_state *)g->state;
    fri_job *job = g->job;
    char *at = g->scratch + dist_bytes(g) + parent_bytes(g) + 3 * bits_bytes(g) +
               fri_line(fri_bytes((int64_t)s->hubs * (padded(g->batch) / FRI_WARP), sizeof(hub)));
    if (!s->shifted || !g->n)
        return FR_OK;
    s->h = (double *)fri_carve(&at, fri_bytes(g->n, sizeof(double)));
    s->weights = (double *)(void *)at;
    s->search.query = {};
    s->search.query.sources = s->all;
    s->search.query.source_count = list_sources(job, s->all);
    fr_status status = s->search.row->run(&s->search);
    job->out->stats.edges_examined = s->found.stats.edges_examined;
    job->out->stats.relaxations = s->found.stats.relaxations;
    memset(&s->found.stats, 0, sizeof s->found.stats);
    if (status == FR_NEGATIVE_CYCLE) {
        job->out->cycle = s->found.cycle;
        job->out->cycle_length = s->found.cycle_length;
        job->out->cycle_weight = s->found.cycle_weight;
    }
    return status ? status : shift(g, s);
}

/* ---- rounds ------------------------------------------------------------------------------ */

template <class T> static batch<T> batch_of(const fri_gpu *g, run_state *s, int32_t count) {
    char *at = g->scratch;
    batch<T> b = {};
    b.p = fri_paths_of<T>(g);
    b.p.dist = (typename T::K *)fri_carve(&at, dist_bytes(g));
    b.p.cap = T::far() - 1;
    b.p.slack = 0;
    b.parent = (int32_t *)fri_carve(&at, parent_bytes(g));
    b.far_bits = (uint32_t *)fri_carve(&at, bits_bytes(g));
    s->now = (uint32_t *)fri_carve(&at, bits_bytes(g));
    s->next = (uint32_t *)fri_carve(&at, bits_bytes(g));
    b.hubs = (hub *)(void *)at;
    b.width = padded(count);
    b.groups = b.width / FRI_WARP;
    b.count = count;
    b.hub_degree = (int32_t)g->job->knob[HUB];
    b.hub_runs = s->hub_runs;
    if (s->shifted)
        b.p.weights = (const typename T::W *)(const void *)s->weights;
    return b;
}

static int block_of(const fri_gpu *g) { return (int)g->job->knob[BLOCK] / FRI_WARP * FRI_WARP; }

/* Blocks for a warp per 32 vertices and group. */
template <class T> static unsigned word_blocks(const fri_gpu *g, const batch<T> &b) {
    return fri_gpu_blocks(((int64_t)b.p.n + FRI_WARP - 1) / FRI_WARP * b.groups * FRI_WARP,
                          block_of(g));
}

static void swap_bits(run_state *s) {
    uint32_t *now = s->now;
    s->now = s->next;
    s->next = now;
}

/* The words that last a round. */
static fr_status clear_round(fri_gpu *g) {
    return fri_gpu_check(g, cudaMemsetAsync(g->words, 0, 2 * sizeof(int32_t), g->stream),
                         "clearing");
}

template <class T>
static fr_status round_of(fri_gpu *g, run_state *s, const batch<T> &b, int64_t last) {
    FRI_GPU_TRY(clear_round(g));
    FRI_LAUNCH((batch_round_kernel<T>), word_blocks(g, b), block_of(g), 0, g->stream, b,
               (typename T::K)last, s->now, s->next);
    if (s->hubs)
        FRI_LAUNCH((batch_hubs_kernel<T>), (unsigned)(4 * g->multiprocessors), block_of(g), 0,
                   g->stream, b, (typename T::K)last, s->next);
    swap_bits(s);
    return fri_gpu_read_words(g, FOUND, 1);
}

/* *last: the new threshold's key; *over: nothing is left. */
template <class T>
static fr_status next_step(fri_gpu *g, run_state *s, const batch<T> &b, int64_t *last, bool *over) {
    int64_t nearest;
    fri_gpu_fill(g, &g->words[NEAREST], 1, -1); /* the greatest number of 64 bits */
    fri_gpu_fill(g, &g->words[NEAREST + 1], 1, INT32_MAX);
    FRI_LAUNCH((batch_nearest_kernel<T>), word_blocks(g, b), block_of(g), 0, g->stream, b,
               (typename T::K) * last);
    FRI_GPU_TRY(fri_gpu_download(g, &nearest, &g->words[NEAREST], sizeof nearest));
    *over = nearest == INT64_MAX;
    if (*over)
        return FR_OK;
    FRI_LAUNCH((batch_split_kernel<T>), word_blocks(g, b), block_of(g), 0, g->stream, b,
               (typename T::K) * last, (typename T::K)nearest, s->delta, s->now);
    return fri_gpu_download(g, last, &g->words[NEAREST], sizeof *last);
}

template <class T>
static fr_status solve(fri_gpu *g, run_state *s, const batch<T> &b, int64_t first) {
    fri_job *job = g->job;
    int64_t last = 0, cells = (int64_t)b.p.n * b.width;
    int32_t rounds = 0;
    bool over = false;
    FRI_LAUNCH((batch_far_kernel<T>), fri_gpu_blocks(cells, 256), 256, 0, g->stream, b, s->now,
               s->next);
    FRI_LAUNCH((batch_sources_kernel<T>), fri_gpu_blocks(b.count, 256), 256, 0, g->stream, b,
               g->sources, s->now);
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(&g->words[DROPPED], 0, sizeof(int32_t), g->stream),
                              "clearing"));
    while (!over) {
        do {
            FRI_GPU_TRY(fri_progress(job->ctx, "traversing", first, fri_job_rows(job)));
            FRI_GPU_TRY(round_of<T>(g, s, b, last));
            rounds++;
        } while (g->host_words[FOUND]);
        FRI_GPU_TRY(next_step<T>(g, s, b, &last, &over));
    }
    job->out->stats.levels = FRI_MAX(job->out->stats.levels, rounds);
    return FR_OK;
}

/* Sums beyond the type were dropped: then some vertex beside a reached one is not reached. */
template <class T> static fr_status check_overflow(fri_gpu *g, const batch<T> &b) {
    FRI_GPU_TRY(fri_gpu_read_words(g, DROPPED, 1));
    if (!g->host_words[DROPPED])
        return FR_OK;
    fri_gpu_fill(g, &g->words[LOST], 1, -1);
    FRI_LAUNCH((batch_unreached_kernel<T>), fri_gpu_blocks(g->m * FRI_WARP, 256), 256, 0, g->stream,
               b);
    FRI_GPU_TRY(fri_gpu_read_words(g, LOST, 1));
    if (g->host_words[LOST] < 0)
        return FR_OK;
    fr_type type = g->job->dist_type;
    return fri_fail(g->job->ctx, FR_OVERFLOW,
                    "the distance of vertex %d does not fit %s; ask for distances of type %s",
                    g->host_words[LOST], fr_type_name(type),
                    type == FR_I32 || type == FR_I64 ? "int64" : "double");
}

/* ---- the end ----------------------------------------------------------------------------- */

template <class T> static fr_status hops(fri_gpu *g, run_state *s, const batch<T> &b) {
    int64_t words = (int64_t)b.p.n * b.groups;
    fri_gpu_fill(g, &g->words[LOST], 1, 0);
    FRI_LAUNCH((batch_placed_kernel<T>), word_blocks(g, b), block_of(g), 0, g->stream, b, s->now);
    FRI_GPU_TRY(fri_gpu_read_words(g, LOST, 1));
    for (bool more = g->host_words[LOST] != 0; more; more = g->host_words[FOUND] != 0) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, "parents", 0, 0));
        FRI_GPU_TRY(clear_round(g));
        FRI_LAUNCH((batch_hop_kernel<T>), word_blocks(g, b), block_of(g), 0, g->stream, b, s->now,
                   s->next);
        FRI_LAUNCH(batch_join_kernel, fri_gpu_blocks(words, 256), 256, 0, g->stream, b.far_bits,
                   s->next, words);
        swap_bits(s);
        FRI_GPU_TRY(fri_gpu_read_words(g, FOUND, 1));
    }
    return FR_OK;
}

template <class T> static fr_status parents(fri_gpu *g, run_state *s, const batch<T> &b) {
    int64_t runs = (g->m + FRI_EDGE_RUN - 1) / FRI_EDGE_RUN;
    FRI_LAUNCH((batch_no_parents_kernel<T>), fri_gpu_blocks((int64_t)b.p.n * b.width, 256), 256, 0,
               g->stream, b);
    FRI_LAUNCH((batch_nearer_kernel<T>), fri_gpu_blocks(runs * b.groups * FRI_WARP, block_of(g)),
               block_of(g), 0, g->stream, b);
    FRI_LAUNCH((batch_roots_kernel<T>), fri_gpu_blocks(b.count, 256), 256, 0, g->stream, b,
               g->sources);
    return hops<T>(g, s, b);
}

template <class T> static fr_status to_rows(fri_gpu *g, run_state *s, const batch<T> &b) {
    long long unfit = INT64_MAX, *word = (long long *)&g->words[NEAREST];
    taken to = {g->dist, g->job->dist_type, g->parent, s->shifted ? s->h : nullptr, g->sources,
                word};
    dim3 grid(fri_gpu_blocks(g->n, FRI_WARP), (unsigned)b.groups);
    fri_gpu_fill(g, &g->words[NEAREST], 1, -1);
    fri_gpu_fill(g, &g->words[NEAREST + 1], 1, INT32_MAX);
    FRI_LAUNCH((batch_rows_kernel<T>), grid, TRANSPOSE_ROWS * FRI_WARP, 0, g->stream, b, to);
    FRI_GPU_TRY(fri_gpu_download(g, &unfit, word, sizeof unfit));
    if (unfit == INT64_MAX)
        return FR_OK;
    return fri_fail(g->job->ctx, FR_OVERFLOW,
                    "the distance of vertex %lld does not fit int32; ask for distances of type "
                    "int64",
                    unfit & 0x7fffffff);
}

template <class T> static fr_status batch_rows(fri_gpu *g, int64_t first, int32_t count) {
    run_state *s = (run_state *)g->state;
    batch<T> b = batch_of<T>(g, s, count);
    FRI_GPU_TRY(solve<T>(g, s, b, first));
    FRI_GPU_TRY(check_overflow<T>(g, b));
    if (g->parent)
        FRI_GPU_TRY(parents<T>(g, s, b));
    return to_rows<T>(g, s, b);
}

static fr_status rows(fri_gpu *g, int64_t first, int32_t count) {
    fr_status status;
    FRI_BY_KIND(g, (status = batch_rows<T>(g, first, count)));
    return status;
}

static const fr_knob knobs[] = {
    {"sources", FR_KNOB_AUTO, 1, 4096, "sources at once; default 2^26 / n, from 32 to 1024"},
    {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
     "how far the threshold rises; default 32 mean weight / mean degree"},
    {"hub", 512, 32, 1e9, "vertices of more edges are shared by all warps"},
    {"block", 256, 32, 512, "threads per block, whole warps"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {.scratch = device_scratch, .begin = begin, .rows = rows, .most_rows = most_rows};

FRI_GPU_ROW(fri_gpu_apsp_multi_sssp) = {
    .name = "multi-sssp",
    .source = "fringe; Davidson, Baxter, Garland, Owens, IPDPS 2014",
    .text = "near-far from a batch of sources at once, a lane each; weights of at least 0",
    .problem = FR_APSP,
    .backend = FR_CUDA,
    .needs = FRI_NON_NEGATIVE,
    .knobs = knobs,
    .counts = FRI_COUNTS(FR_COUNT_RELAXATIONS),
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = device_bytes,
    .prepare = prepare,
    .release = release,
    .run = fri_gpu_apsp_run,
};

FRI_GPU_ROW(fri_gpu_apsp_johnson) = {
    .name = "johnson",
    .source = "Johnson, JACM 24(1), 1977",
    .text = "potentials by Bellman-Ford where weights are negative, then multi-sssp",
    .problem = FR_APSP,
    .backend = FR_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS(FR_COUNT_RELAXATIONS),
    .scratch = scratch,
    .gpu = &device_side,
    .device_bytes = device_bytes,
    .prepare = prepare,
    .release = release,
    .run = fri_gpu_apsp_run,
};
