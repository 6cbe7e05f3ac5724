/* Bounds of eccentricities on the device, from traversals of the shared graph.
 *
 * Source: F. W. Takes, W. A. Kosters: Computing the eccentricity distribution of large graphs,
 *   Algorithms 6(1), 2013 (BoundingEccentricities; BoundingDiameters for diameter and radius alone).
 * Idea: a traversal from v with eccentricity e bounds the eccentricity of each w at distance d of v: between
 *   max(d, e - d) and e + d. The next traversal is from a vertex with the largest upper bound and
 *   from one with the smallest lower bound, alternately; ties go to the largest degree, then to the
 *   smallest number.
 * Differs: in a directed graph the members of a strong component, with distances to v by a second
 *   traversal against the edges (see cpu/centrality/eccentricity.c). Traversals are made by the
 *   solvers `auto`, which write into arrays of this call; distances and bounds never leave the device.
 * Needs: no float weights. Scratch per vertex: 20 bytes, and 4 per distance of a vertex or 8 with
 *   weights. Work: for each traversal, in addition to it, the distances of all vertices and three passes
 *   over the component's members. Launches: 4 in addition to the traversal. Atomics: a few per block.
 * Good at: graphs with long shortest paths, and those with few vertices at the fringe. Bad at: dense
 *   random graphs, where most eccentricities are equal: the caller then traverses many vertices at a
 *   time (eccentricities.cu). */
#include "core/gpu_interface.h"
extern "C" {
#include "core/backend.h"
#include "core/call_backend.h"
#include "core/solver.h"
}
#include "cuda/device/results/results.h"
#include "cuda/drivers/graph_call.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"

#ifdef FRI_SIMT /* small, since every thread costs time */
enum { BLOCK = 64 };
#else
enum { BLOCK = 256 };
#endif
enum { WINDOW = 16 /* traversals after which their yield is compared with the yield of MS-BFS */ };
enum { KNOB_WEIGHTED };

namespace {
typedef unsigned long long word;

/* Values that kernels pass to each other and to the host. Bounds are compared as integers: distances are
 * levels, or sums of integer weights below 2^53. */
struct known_bounds {
    word max_low, min_high; /* over the members: of the lower bounds, of the upper bounds */
    word depth;             /* of the last traversal */
    word open;              /* vertices whose eccentricity can change the answer */
    word key;               /* the largest bound_key of the open vertices */
    word chosen;            /* the largest place_key of those with that bound_key */
};

struct members {
    int32_t count;
    const int32_t *vertex; /* [count] */
    int64_t *low, *high;   /* [count] */
    known_bounds *known;
    bool want_all;
};

struct distances {
    void *from, *to; /* [n] of the last traversal; `to` is `from` in a symmetric graph */
};
} // namespace

static const int64_t unbounded = INT64_MAX;

static __device__ __forceinline__ int32_t thread_of_grid() {
    return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Whole warp: the maximum, in all lanes. */
static __device__ __forceinline__ word warp_max(word value) {
    for (int d = FRI_WARP / 2; d; d /= 2) {
        const word other = __shfl_xor_sync(FRI_FULL_MASK, value, d);
        value = other > value ? other : value;
    }
    return value;
}

/* All threads of a warp: raises *to to the maximum of their values. */
static __device__ __forceinline__ void raise(word *to, word value) {
    value = warp_max(value);
    /* racy test: *to only grows, and a stale one only costs the atomic */
    if (fri_lane() == 0 && value > fri_racy_load(to))
        atomicMax(to, value); /* several warps */
}

static __device__ __forceinline__ bool is_reached(int32_t level) { return level >= 0; }
static __device__ __forceinline__ bool is_reached(int64_t dist) { return dist != FR_INF_I64; }

/* The largest distance of the vertices that the traversal reached. */
template <class T>
static __global__ void depth_kernel(known_bounds *known, const T *dist, int32_t n) {
    const int32_t step = (int32_t)(gridDim.x * blockDim.x);
    T deepest = 0;
    for (int32_t v = thread_of_grid(); v < n; v += step)
        deepest = is_reached(dist[v]) && dist[v] > deepest ? dist[v] : deepest;
    raise(&known->depth, (word)deepest);
}

static __global__ void begin_kernel(members c) {
    const int32_t i = thread_of_grid();
    if (i < c.count) {
        c.low[i] = 0;
        c.high[i] = unbounded;
    }
}

/* Tightens the bounds of all members, which reach the source and are reached from it. */
template <class T>
static __global__ void tighten_kernel(members c, const T *from_source, const T *to_source) {
    const int32_t i = thread_of_grid();
    word low = 0, high_below = 0; /* high_below: ~high, whose maximum gives the minimum of high */
    if (i < c.count) {
        const int32_t w = c.vertex[i];
        const int64_t e = (int64_t)c.known->depth, to = to_source[w], rest = e - from_source[w];
        const int64_t far = to > rest ? to : rest, near = to + e;
        c.low[i] = far > c.low[i] ? far : c.low[i];
        c.high[i] = near < c.high[i] ? near : c.high[i];
        low = (word)c.low[i];
        high_below = ~(word)c.high[i];
    }
    raise(&c.known->max_low, low);
    high_below = warp_max(high_below);
    if (fri_lane() == 0 && high_below &&
        ~high_below < fri_racy_load(&c.known->min_high)) /* racy: as above */
        atomicMin(&c.known->min_high, ~high_below);      /* several warps */
}

static __device__ __forceinline__ bool is_open(const members &c, int32_t i) {
    return i < c.count && c.low[i] < c.high[i] &&
           (c.want_all || (word)c.high[i] > c.known->max_low || (word)c.low[i] < c.known->min_high);
}

/* A key that is larger for a better next source. */
static __device__ __forceinline__ word bound_key(const members &c, bool by_high, int32_t i) {
    return by_high ? (word)c.high[i] : (word)(unbounded - c.low[i]);
}

/* Counts the open members, and finds the best bound among them. */
static __global__ void find_bound_kernel(members c, bool by_high) {
    const int32_t i = thread_of_grid();
    const bool open = is_open(c, i);
    raise(&c.known->key, open ? bound_key(c, by_high, i) : 0);
    fri_grid_add(&c.known->open, open ? 1ull : 0ull);
}

/* Chooses, of the open members with that bound, the one of largest degree, then the first. */
template <class O>
static __global__ void find_member_kernel(members c, const O *offsets, bool by_high) {
    const int32_t i = thread_of_grid();
    word place = 0;
    if (is_open(c, i) && bound_key(c, by_high, i) == c.known->key) {
        const O degree = offsets[c.vertex[i] + 1] - offsets[c.vertex[i]];
        const word capped = (word)degree < 0xffffffffull ? (word)degree : 0xffffffffull;
        place = capped << 32 | (uint32_t)~i;
    }
    raise(&c.known->chosen, place);
}

/* ---- host -------------------------------------------------------------------------------- */

/* It must not move: fri_gpu_call. */
struct fri_gpu_bounds {
    fri_gpu_call call;
    fri_gpu *g;
    fr_solver *forward, *backward; /* backward: NULL in a symmetric graph */
    int32_t *list;                 /* [n] on the device */
    int64_t *low, *high;           /* [n] on the device, in the order of the list */
    int64_t *host;                 /* [n] */
    const int32_t *host_list;
    known_bounds *known;
    distances dist;
};

static bool is_weighted(const fri_gpu *g) { return g->job->knob[KNOB_WEIGHTED] != 0; }
static size_t list_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}
static size_t bound_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int64_t)));
}
static size_t dist_bytes(const fri_gpu *g) {
    return is_weighted(g) ? bound_bytes(g) : list_bytes(g);
}
static size_t device_scratch(const fri_gpu *g) {
    return list_bytes(g) + 2 * bound_bytes(g) + dist_bytes(g) * (g->job->csr.symmetric ? 1 : 2) +
           fri_align_line(sizeof(known_bounds));
}

static void carve(fri_gpu_bounds *b) {
    const fri_gpu *g = b->g;
    char *at = g->scratch;
    b->list = (int32_t *)fri_carve(&at, list_bytes(g));
    b->low = (int64_t *)fri_carve(&at, bound_bytes(g));
    b->high = (int64_t *)fri_carve(&at, bound_bytes(g));
    b->dist.from = fri_carve(&at, dist_bytes(g));
    b->dist.to = g->job->csr.symmetric ? b->dist.from : fri_carve(&at, dist_bytes(g));
    b->known = (known_bounds *)fri_carve(&at, sizeof(known_bounds));
}

FRI_GPU_CALL_STRATEGY(strategy, "eccentricity", FR_PROBLEM_BFS, 0, device_scratch);

/* FR_NOMEM: `auto` left the GPU because its memory does not fit. */
static fr_status open_solver(const fri_gpu_bounds *b, const fr_graph *graph, bool reverse,
                             fr_solver **out) {
    fr_ctx *ctx = b->call.job.ctx;
    fr_solver_options options = {};
    options.struct_size = sizeof options;
    options.backend = FR_BACKEND_CUDA;
    options.reverse = reverse;
    options.dist_type = is_weighted(b->g) ? FR_TYPE_I64 : FR_TYPE_NONE;
    FRI_GPU_TRY(fr_solver_new(ctx, graph, is_weighted(b->g) ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS,
                              &options, out));
    return (*out)->job.strategy->backend == FR_BACKEND_CUDA
               ? FR_OK
               : fri_fail(ctx, FR_NOMEM, "eccentricity: not enough GPU memory for its traversals");
}

static fr_status open_all(fri_gpu_bounds *b, fr_ctx *ctx, const fr_graph *graph) {
    fri_gpu_call_bind(&b->call, ctx, graph, &strategy);
    b->call.job.knob[KNOB_WEIGHTED] = graph->csr.weight_type != FR_TYPE_NONE;
    FRI_GPU_TRY(fri_gpu_call_open(&b->call, &b->g));
    carve(b);
    b->host = (int64_t *)fri_alloc(ctx, fri_bytes(b->g->n, sizeof *b->host));
    if (!b->host)
        return FR_NOMEM;
    FRI_GPU_TRY(fri_gpu_upload(b->g, b->list, b->host_list, fri_bytes(b->g->n, sizeof *b->list)));
    FRI_GPU_TRY(open_solver(b, graph, false, &b->forward));
    return graph->csr.symmetric ? FR_OK : open_solver(b, graph, true, &b->backward);
}

fr_status fri_gpu_bounds_open(fr_ctx *ctx, const fr_graph *graph, const int32_t *list,
                              fri_gpu_bounds **out) {
    fri_gpu_bounds *b = (fri_gpu_bounds *)fri_calloc(ctx, sizeof *b);
    *out = NULL;
    if (!b)
        return FR_NOMEM;
    b->host_list = list;
    fr_status status = open_all(b, ctx, graph);
    if (status)
        fri_gpu_bounds_close(b);
    else
        *out = b;
    return status;
}

void fri_gpu_bounds_close(fri_gpu_bounds *b) {
    if (!b)
        return;
    fr_solver_free(b->forward);
    fr_solver_free(b->backward);
    fri_free(b->host);
    fri_gpu_call_close(&b->call);
    fri_free(b);
}

static fr_status traverse(const fri_gpu_bounds *b, fr_solver *solver, int32_t source, void *dist) {
    fr_query query = {};
    fr_result result = {};
    query.struct_size = sizeof query;
    query.sources = &source;
    query.source_count = 1;
    query.result_memory = FR_MEMORY_DEVICE;
    result.struct_size = sizeof result;
    if (is_weighted(b->g))
        result.dist = dist;
    else
        result.level = (int32_t *)dist;
    return fr_solve(solver, &query, &result);
}

template <class T> static void tighten(fri_gpu_bounds *b, const members &c) {
    fri_gpu *g = b->g;
    const T *from = (const T *)b->dist.from, *to = (const T *)b->dist.to;
    const unsigned blocks = fri_gpu_blocks(g->n, BLOCK),
                   max_blocks = (unsigned)g->multiprocessors * 8;
    FRI_RUN((depth_kernel<T>), FRI_MIN(blocks, max_blocks), BLOCK, b->known, from, g->n);
    FRI_RUN_EACH((tighten_kernel<T>), c.count, BLOCK, c, from, to);
}

/* Zeroes known_bounds from its member `depth` on. */
static fr_status clear_round(const fri_gpu_bounds *b) {
    const size_t kept = offsetof(known_bounds, depth);
    return fri_gpu_zero(b->g, (char *)b->known + kept, sizeof(known_bounds) - kept);
}

/* The number of open members, and the next source among them. */
static fr_status choose(fri_gpu_bounds *b, const members &c, bool by_high, known_bounds *found) {
    fri_gpu *g = b->g;
    const unsigned blocks = fri_gpu_blocks(c.count, BLOCK);
    FRI_GPU_TRY(clear_round(b));
    FRI_RUN(find_bound_kernel, blocks, BLOCK, c, by_high);
    FRI_BY_OFFSET_TYPE(
        g, FRI_RUN((find_member_kernel<O>), blocks, BLOCK, c, (const O *)g->out.offsets, by_high));
    return fri_gpu_download(g, found, b->known, sizeof *found);
}

static fr_status traverse_from(fri_gpu_bounds *b, const members &c, int32_t source) {
    FRI_GPU_TRY(traverse(b, b->forward, source, b->dist.from));
    if (b->backward)
        FRI_GPU_TRY(traverse(b, b->backward, source, b->dist.to));
    if (is_weighted(b->g))
        tighten<int64_t>(b, c);
    else
        tighten<int32_t>(b, c);
    return FR_OK;
}

/* Limits the cost of bounds. As in cpu/centrality/eccentricity.c they may spend 0.3 times the cost of
 * traversing all members many at a time; after that they must close vertices faster than that does. */
typedef struct {
    double all, per_traversal; /* the cost of MS-BFS from all members, in traversals; that of a
                                  traversal, in vertices of MS-BFS */
    int64_t spent;
    word open; /* before the last WINDOW of them */
} budget;

static budget budget_of(const fri_gpu_bounds *b, int32_t count, word depth) {
    const fr_csr *csr = &b->call.job.csr;
    fri_backend_input in = {};
    in.problem = FR_PROBLEM_BFS;
    in.threads = 1;
    in.n = csr->n;
    in.m = csr->m;
    in.symmetric = csr->symmetric;
    in.edge_degree = fri_backend_edge_degree(csr);
    in.queries = 1;
    in.device_open = true;
    const double one = fri_backend_predict(&in).gpu.query * (csr->symmetric ? 1 : 2);
    const double shared = fri_call_ms_bfs_ns(csr, count, (double)depth + 1) / count;
    budget limit = {};
    limit.per_traversal = one / shared;
    limit.all = count / limit.per_traversal;
    limit.open = (word)count;
    return limit;
}

static bool ms_bfs_costs_less(const fri_gpu_bounds *b, budget *limit, word open) {
    if (++limit->spent % WINDOW || is_weighted(b->g))
        return false;
    const double closed = (double)(limit->open - open);
    limit->open = open;
    return (double)limit->spent >= 0.3 * limit->all && closed < limit->per_traversal * WINDOW;
}

static fr_status run_rounds(fri_gpu_bounds *b, const members &c, fri_gpu_bounds_part *part) {
    budget limit = {};
    known_bounds found;
    for (bool by_high = true;; by_high = !by_high) {
        FRI_GPU_TRY(
            fri_progress(b->call.job.ctx, "computing eccentricities", part->passes, b->g->n));
        FRI_GPU_TRY(choose(b, c, by_high, &found));
        if (part->passes == (b->backward ? 2 : 1))
            limit = budget_of(b, c.count, found.max_low);
        if (!found.open)
            return FR_OK;
        part->open = (int32_t)found.open;
        if (part->passes && ms_bfs_costs_less(b, &limit, found.open))
            return FR_OK;
        /* each search determines the eccentricity of its vertex */
        FRI_GPU_TRY(
            fri_gpu_check_steps(&b->call.job, "searches", part->passes, 2 * (int64_t)part->count));
        const int32_t place = (int32_t) ~(uint32_t)found.chosen;
        FRI_GPU_TRY(traverse_from(b, c, b->host_list[part->first + place]));
        part->passes += b->backward ? 2 : 1;
        part->open = 0;
    }
}

static fr_status read_bounds(fri_gpu_bounds *b, const fri_gpu_bounds_part *part,
                             const int64_t *from, double *to) {
    FRI_GPU_TRY(fri_gpu_download_array(b->g, "computing eccentricities", b->host,
                                       from + part->first, part->count, sizeof *from));
    for (int32_t i = 0; i < part->count; i++)
        to[b->host_list[part->first + i]] = (double)b->host[i];
    return FR_OK;
}

fr_status fri_gpu_bounds_run(fri_gpu_bounds *b, fri_gpu_bounds_part *part) {
    fri_gpu *g = b->g;
    known_bounds known = {};
    members c = {part->count, b->list + part->first, b->low + part->first, b->high + part->first,
                 b->known,    part->want_all};
    part->passes = part->open = 0;
    known.max_low = (word)part->diameter;
    known.min_high = part->radius < (double)unbounded ? (word)part->radius : (word)unbounded;
    FRI_GPU_TRY(fri_gpu_send(g, b->known, &known, sizeof known));
    FRI_RUN_EACH(begin_kernel, c.count, BLOCK, c);
    FRI_GPU_TRY(run_rounds(b, c, part));
    FRI_GPU_TRY(read_bounds(b, part, b->low, part->low));
    return read_bounds(b, part, b->high, part->high);
}
