/* Near-Far: delta-stepping with two piles, the near one as in workfront-sweep.
 *
 * Source: A. Davidson, S. Baxter, M. Garland, J. D. Owens: Work-efficient parallel GPU methods for
 *   single-source shortest paths, IPDPS 2014, as H-BF (Busato, Bombieri, TPDS 2016) describes it in
 *   section 3 ("Near-Far Pile refines Workfront Sweep by two queues similarly to delta-stepping")
 *   and measures it in Table 2.
 * Idea: a vertex whose distance falls enters the next frontier if it is nearer than the threshold,
 *   else the far pile. When the frontier is empty, everything below the threshold is final; the
 *   threshold rises by delta and the pile is split again.
 * Differs: the new threshold is delta above the nearest vertex of the pile, so that no step is
 *   empty. A vertex is on the pile at most once; vertices settled since are dropped by the
 *   split. The default delta is fringe's own: 32 mean weight / mean degree, so that each lane of a
 *   warp finds an edge within it. Ends once all targets are below the threshold.
 * Needs: weights of at least 0.
 * Scratch: 33 n bytes.
 * Work: m, and corrections within delta.
 * Launches: 5 per round, 2 per split.
 * Atomics: as workfront-sweep.
 * Good at: varied weights, large graphs.
 * Bad at: unit weights; negative weights are refused. */
#include "fringe_tune.h"
#include "papers/sssp/workfront.cuh"

enum { DELTA = 2 }; /* knob index */
/* Control words: the smallest key on the pile (64 bits); vertices kept on the pile. */
enum { NEAREST = 6, KEPT = 8 };

namespace {
struct pile {
    int32_t *far_pile[2]; /* one is split into the other */
    uint8_t *piled;
};
struct state {          /* in host memory */
    int64_t window_end; /* keys up to it are near */
    int pile;           /* which pile is in use */
};
} // namespace

static pile pile_of(const fri_gpu *g) {
    char *at = wf_arrays_of(g).after;
    pile p;
    p.far_pile[0] = (int32_t *)fri_carve(&at, wf_words_bytes(g));
    p.far_pile[1] = (int32_t *)fri_carve(&at, wf_words_bytes(g));
    p.piled = (uint8_t *)at;
    return p;
}
static size_t scratch(const fri_gpu *g) {
    return wf_bytes(g) + 2 * wf_words_bytes(g) + fri_align_line((size_t)g->n);
}

template <class T>
static __global__ void __launch_bounds__(1024)
    nearest_kernel(fri_sssp_view<T> p, typename T::K last, const int32_t *far_pile, int32_t size) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    long long key = i < size ? (long long)p.dist[far_pile[i]] : INT64_MAX;
    if (key <= last) /* settled since it was put on the pile */
        key = INT64_MAX;
    for (int d = FRI_WARP / 2; d; d /= 2) {
        long long other = __shfl_down_sync(FRI_FULL_MASK, key, d);
        key = other < key ? other : key;
    }
    if (fri_lane() == 0 && key != INT64_MAX)
        atomicMin((long long *)&p.control[NEAREST], key);
}

/* Splits the pile into the frontier and the other pile; writes the threshold's key to NEAREST. */
template <class T>
static __global__ void __launch_bounds__(1024)
    split_kernel(fri_sssp_view<T> p, typename T::K settled, double delta, typename T::K nearest,
                 const int32_t *from, int32_t size, int32_t *to, uint8_t *piled, int32_t *next,
                 int32_t *tail) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    typename T::K last = T::add_width(nearest, delta);
    if (i == 0)
        *(long long *)&p.control[NEAREST] = last;
    if (i >= size)
        return;
    int32_t v = from[i];
    typename T::K d = p.dist[v];
    if (d > last) {
        to[atomicAdd(&p.control[KEPT], 1)] = v; /* atomic: reserves a position */
        return;
    }
    piled[v] = 0;
    if (d > settled)
        next[atomicAdd(tail, 1)] = v; /* atomic: reserves a position */
}

static double delta_of(const fri_gpu *g) {
    double degree = g->n ? (double)g->m / g->n : 1, mean = g->job->weight_mean;
    double usual = 32 * mean / (degree > 1 ? degree : 1);
    return fri_job_knob(g->job, DELTA, usual > 0 ? usual : 1);
}

static int64_t long_word(const fri_gpu *g, int word) {
    return (int64_t)(uint32_t)g->host_control[word] | (int64_t)g->host_control[word + 1] << 32;
}

/* Fills the frontier of `round` from the pile. */
template <class T> static fr_status split(fri_gpu *g, state *s, int32_t round) {
    int32_t size = g->host_control[WF_FAR];
    unsigned blocks = fri_gpu_blocks(size, WF_BLOCK);
    pile p = pile_of(g);
    typename T::K last = (typename T::K)s->window_end;
    fri_gpu_fill(g, &g->control[NEAREST], 1, -1); /* UINT64_MAX */
    fri_gpu_fill(g, &g->control[NEAREST + 1], 1, INT32_MAX);
    FRI_GPU_TRY(fri_gpu_zero(g, &g->control[KEPT], 4));
    FRI_RUN((nearest_kernel<T>), blocks, WF_BLOCK, fri_sssp_view_of<T>(g), last,
            p.far_pile[s->pile], size);
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    int64_t nearest = long_word(g, NEAREST);
    if (nearest == INT64_MAX) /* all vertices of the pile were settled */
        return FR_OK;
    FRI_RUN((split_kernel<T>), blocks, WF_BLOCK, fri_sssp_view_of<T>(g), last, delta_of(g),
            (typename T::K)nearest, p.far_pile[s->pile], size, p.far_pile[1 - s->pile], p.piled,
            wf_arrays_of(g).queue[round & 1], &g->control[WF_SIZE + (round & 1)]);
    FRI_GPU_TRY(fri_gpu_check(g,
                              cudaMemcpyAsync(&g->control[WF_FAR], &g->control[KEPT], 4,
                                              cudaMemcpyDeviceToDevice, g->stream),
                              "copying the size of the pile"));
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    s->window_end = long_word(g, NEAREST);
    s->pile = 1 - s->pile;
    return FR_OK;
}

static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    g->state = fri_calloc(job->ctx, sizeof(state));
    return g->state ? FR_OK : FR_NOMEM;
}

/* The first threshold is 0: only the sources are near. */
static fr_status start_query(fri_gpu *g) {
    state *s = (state *)g->state;
    *s = {};
    FRI_GPU_TRY(wf_begin(g));
    return fri_gpu_check(g, cudaMemsetAsync(pile_of(g).piled, 0, (size_t)g->n, g->stream),
                         "clearing the pile");
}

/* Runs rounds below the threshold, and raises the threshold when the frontier is empty. */
template <class T>
static fr_status rounds(fri_gpu *g, state *s, int32_t round, int32_t max_rounds,
                        fri_gpu_progress *progress) {
    pile p = pile_of(g);
    wf_split<T> to = {(typename T::K)s->window_end, p.far_pile[s->pile], p.piled, nullptr, 0};
    FRI_GPU_TRY(wf_rounds<T>(g, round, max_rounds, to, progress));
    bool done = false;
    if (progress->found || !g->host_control[WF_FAR])
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_sssp_settled(g, s->window_end, &done));
    if (done)
        return FR_OK;
    FRI_GPU_TRY(split<T>(g, s, round + progress->levels));
    progress->found = g->host_control[WF_SIZE + ((round + progress->levels) & 1)];
    return FR_OK;
}

static fr_status run_rounds(fri_gpu *g, int32_t round, int32_t max_rounds,
                            fri_gpu_progress *progress) {
    fr_status status;
    FRI_BY_KIND(g, status = rounds<T>(g, (state *)g->state, round, max_rounds, progress));
    return status;
}

static const fr_knob knobs[] = {{"block", 256, 32, 1024, "threads per block, whole warps"},
                                FRI_ROUNDS_KNOB,
                                {"delta", FR_KNOB_AUTO, 1e-300, 1e300,
                                 "increase of the threshold; default 32 mean weight / mean degree"},
                                {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = start_query, .run_levels = run_rounds};

FRI_GPU_STRATEGY(fri_gpu_sssp_near_far) = {
    .name = "near-far",
    .source = "Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods, IPDPS 2014",
    .text = "two piles around a threshold that rises by delta; weights of at least 0",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_NON_NEGATIVE,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS) |
              FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_FOUND),
    .scratch = fri_gpu_sssp_scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_sssp_run,
};
