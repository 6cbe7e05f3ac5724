/* Kernels shared by all SSSP strategies: start, targets and limits, parents, conversion of the
 * result. */
#include "cuda/prim/distance.cuh"

#include <math.h>

enum {
    BLOCK_THREADS = 256,
    HOP_LANES = 8,      /* lanes per vertex in hop_kernel */
    HOP_HUB_EDGES = 256 /* the whole block processes vertices with more edges */
};

/* ---- start ------------------------------------------------------------------------------- */

/* Initializes all but the first source, so that a query of one source takes one kernel. */
template <class T> static __global__ void init_kernel(fri_sssp_view<T> p, const int32_t *sources) {
    int64_t v = fri_thread_of_grid();
    if (v < p.n)
        p.dist[v] = v == sources[0] ? 0 : T::unreached(); /* the key of 0 in every kind */
}

template <class T>
static __global__ void sources_kernel(fri_sssp_view<T> p, const int32_t *sources, int32_t count) {
    int64_t i = fri_thread_of_grid();
    if (i < count)
        p.dist[sources[i]] = 0;
}

void fri_sssp_start(fri_gpu *g) {
    FRI_BY_KIND(
        g, FRI_RUN_EACH((init_kernel<T>), g->n, BLOCK_THREADS, fri_sssp_view_of<T>(g), g->sources));
    if (g->source_count > 1)
        FRI_BY_KIND(g, FRI_RUN_EACH((sources_kernel<T>), g->source_count, BLOCK_THREADS,
                                    fri_sssp_view_of<T>(g), g->sources, g->source_count));
}

/* ---- targets and limits ------------------------------------------------------------------ */

template <class T>
static __global__ void farthest_target_kernel(fri_sssp_view<T> p, const uint64_t *map) {
    int64_t v = fri_thread_of_grid();
    if (v < p.n && (map[v >> 6] >> (v & 63) & 1))
        atomicMax((long long *)&p.control[FRI_CONTROL_TARGET_BOUND],
                  p.dist[v] == T::unreached() ? (long long)INT64_MAX : (long long)p.dist[v]);
}

/* One atomic per block: atomics on one word are serialized. */
template <class T>
static __global__ void trim_kernel(fri_sssp_view<T> p, typename T::K last, int32_t *parent) {
    FRI_SHARED(long long, max_key, 1);
    FRI_SHARED(long long, min_key, 1);
    long long my_max = 0, my_min = 0;
    if (threadIdx.x == 0)
        *max_key = *min_key = 0;
    __syncthreads(); /* the block's extreme keys are initialized */
    for (int64_t v = fri_thread_of_grid(); v < p.n; v += (int64_t)gridDim.x * blockDim.x) {
        typename T::K key = p.dist[v];
        if (key <= last) {
            my_max = FRI_MAX(my_max, (long long)key);
            my_min = FRI_MIN(my_min, (long long)key);
        } else if (key != T::unreached()) {
            p.dist[v] = T::unreached();
            if (parent)
                parent[v] = -1;
        }
    }
    for (int d = FRI_WARP / 2; d; d /= 2) {
        long long other = __shfl_xor_sync(FRI_FULL_MASK, my_max, d);
        my_max = FRI_MAX(my_max, other);
    }
    if (fri_lane() == 0)
        atomicMax(max_key, my_max); /* atomic: other warps update it */
    if (my_min < 0)
        atomicMin(min_key, my_min); /* atomic: other threads update it; negative weights only */
    __syncthreads();                /* the block's extreme keys are complete */
    if (threadIdx.x == 0 && *max_key > 0)
        /* atomic: other blocks update it */
        atomicMax((long long *)&p.control[FRI_CONTROL_MAX_KEY], *max_key);
    if (threadIdx.x == 0 && *min_key < 0)
        /* atomic: other blocks update it */
        atomicMin((long long *)&p.control[FRI_CONTROL_MIN_KEY], *min_key);
}

template <class T> static __global__ void unreached_kernel(fri_sssp_view<T> p) {
    FRI_EACH_EDGE(p, u, e) {
        int32_t v = p.targets[e] & p.mask;
        if (p.dist[u] != T::unreached() && p.dist[v] == T::unreached())
            atomicMax((int *)&p.control[FRI_CONTROL_ORPHANS], v);
    }
}

void fri_sssp_farthest_target(fri_gpu *g) {
    cudaMemsetAsync(&g->control[FRI_CONTROL_TARGET_BOUND], 0, sizeof(int64_t), g->stream);
    FRI_BY_KIND(g, FRI_RUN_EACH((farthest_target_kernel<T>), g->n, BLOCK_THREADS,
                                fri_sssp_view_of<T>(g), g->target_map));
}

void fri_sssp_trim(fri_gpu *g, int64_t last) {
    unsigned blocks =
        FRI_MIN(fri_gpu_blocks(g->n, BLOCK_THREADS),
                (unsigned)(g->multiprocessors * g->max_threads_per_sm / BLOCK_THREADS));
    FRI_BY_KIND(g, FRI_RUN((trim_kernel<T>), blocks, BLOCK_THREADS, fri_sssp_view_of<T>(g),
                           (T::K)last, g->parent));
}

void fri_sssp_unreached(fri_gpu *g) {
    fri_gpu_fill(g, &g->control[FRI_CONTROL_ORPHANS], 1, -1);
    FRI_BY_KIND(g, FRI_RUN((unreached_kernel<T>), fri_edge_blocks(g, BLOCK_THREADS), BLOCK_THREADS,
                           fri_sssp_view_of<T>(g)));
}

/* ---- parents ----------------------------------------------------------------------------- */

template <class T> static __global__ void no_parents_kernel(fri_sssp_view<T> p, int32_t *parent) {
    int64_t v = fri_thread_of_grid();
    if (v < p.n)
        parent[v] = p.dist[v] == T::unreached() || p.dist[v] == T::neg_inf() ? -1 : INT32_MAX;
}

template <class T>
static __global__ void roots_kernel(fri_sssp_view<T> p, const int32_t *sources, int32_t count,
                                    int32_t *parent) {
    int64_t i = fri_thread_of_grid();
    if (i < count && p.dist[sources[i]] == 0)
        parent[sources[i]] = sources[i];
}

template <class T>
static __global__ void tight_parents_kernel(fri_sssp_view<T> p, bool any, int32_t *parent) {
    FRI_EACH_EDGE(p, u, e) {
        int32_t v = p.targets[e] & p.mask;
        typename T::K from = p.dist[u], to = p.dist[v];
        bool fits =
            any ? from != T::unreached() && from != T::neg_inf() && u != v : from < to && to != 0;
        if (fits && to != T::unreached() && fri_path_key(p, from, e) == to &&
            fri_racy_load(&parent[v]) > u)
            /* atomic: the smallest candidate, the same on every run */
            atomicMin(&parent[v], u);
    }
}

template <class T>
static __global__ void count_orphans_kernel(fri_sssp_view<T> p, const int32_t *parent) {
    int64_t v = fri_thread_of_grid();
    if (v < p.n && parent[v] == INT32_MAX)
        atomicAdd(&p.control[FRI_CONTROL_ORPHANS], 1);
}

template <class T>
static __global__ void hops_begin_kernel(fri_sssp_view<T> p, const int32_t *parent, int32_t *hops,
                                         int32_t *queue) {
    int64_t v = fri_thread_of_grid();
    if (v >= p.n)
        return;
    bool placed = parent[v] >= 0 && parent[v] != INT32_MAX;
    hops[v] = placed ? 0 : -1;
    if (placed)
        queue[atomicAdd(&p.control[FRI_CONTROL_QUEUE_TAIL], 1)] = (int32_t)v;
}

/* One round of hops: over tight edges to the vertices one hop further. */
template <class T> struct hop_round {
    fri_sssp_view<T> p;
    int32_t hop, size;
    const int32_t *queue;
    int32_t *hops, *parent, *next;
};

template <class T>
static __device__ __forceinline__ void expand_edge(const hop_round<T> &r, int32_t u, int64_t e) {
    int32_t v = r.p.targets[e] & r.p.mask, known = fri_racy_load(&r.hops[v]);
    if (r.p.dist[v] == T::unreached() || (known >= 0 && known <= r.hop) ||
        fri_path_key(r.p, r.p.dist[u], e) != r.p.dist[v])
        return;
    /* atomic: exactly one thread enqueues it */
    if (known < 0 && atomicCAS(&r.hops[v], -1, r.hop + 1) == -1)
        r.next[atomicAdd(&r.p.control[FRI_CONTROL_QUEUE_TAIL], 1)] = v;
    atomicMin(&r.parent[v], u); /* atomic: the smallest candidate, the same on every run */
}

/* HOP_LANES lanes process a vertex; the whole block processes vertices of many edges, one after the
 * other. */
template <class T>
static __global__ void __launch_bounds__(BLOCK_THREADS) hop_kernel(hop_round<T> r) {
    FRI_SHARED(int32_t, hubs, BLOCK_THREADS / HOP_LANES);
    FRI_SHARED(int, count, 1);
    if (threadIdx.x == 0)
        *count = 0;
    __syncthreads(); /* the count is initialized */
    int64_t i = fri_thread_of_grid() / HOP_LANES;
    int lane = (int)threadIdx.x % HOP_LANES;
    int32_t u = i < r.size ? r.queue[i] : 0;
    int64_t first = i < r.size ? r.p.offsets[u] : 0, end = i < r.size ? r.p.offsets[u + 1] : 0;
    if (end - first <= HOP_HUB_EDGES)
        for (int64_t e = first + lane; e < end; e += HOP_LANES)
            expand_edge(r, u, e);
    else if (lane == 0)
        hubs[atomicAdd(count, 1)] = u; /* atomic: reserves a position */
    __syncthreads();                   /* all hubs are listed */
    for (int h = 0; h < *count; h++)
        for (int64_t e = r.p.offsets[hubs[h]] + threadIdx.x; e < r.p.offsets[hubs[h] + 1];
             e += BLOCK_THREADS)
            expand_edge(r, hubs[h], e);
}

template <class T> static void tight_parents(fri_gpu *g, fri_parent_rule from) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK_THREADS);
    FRI_RUN((no_parents_kernel<T>), vertices, BLOCK_THREADS, fri_sssp_view_of<T>(g), g->parent);
    if (from != FRI_PARENT_ROOTS)
        FRI_RUN((tight_parents_kernel<T>), fri_edge_blocks(g, BLOCK_THREADS), BLOCK_THREADS,
                fri_sssp_view_of<T>(g), from == FRI_PARENT_TIGHT, g->parent);
    FRI_RUN_EACH((roots_kernel<T>), g->source_count, BLOCK_THREADS, fri_sssp_view_of<T>(g),
                 g->sources, g->source_count, g->parent);
}

void fri_sssp_tight_parents(fri_gpu *g, fri_parent_rule from) {
    FRI_BY_KIND(g, tight_parents<T>(g, from));
}

void fri_sssp_count_orphans(fri_gpu *g) {
    cudaMemsetAsync(&g->control[FRI_CONTROL_ORPHANS], 0, sizeof(int32_t), g->stream);
    FRI_BY_KIND(g, FRI_RUN_EACH((count_orphans_kernel<T>), g->n, BLOCK_THREADS,
                                fri_sssp_view_of<T>(g), g->parent));
}

/* driver_scratch: hops, then two queues. */
void fri_sssp_hops_begin(fri_gpu *g) {
    cudaMemsetAsync(&g->control[FRI_CONTROL_QUEUE_TAIL], 0, sizeof(int32_t), g->stream);
    FRI_BY_KIND(g, FRI_RUN_EACH((hops_begin_kernel<T>), g->n, BLOCK_THREADS, fri_sssp_view_of<T>(g),
                                g->parent, fri_sssp_third(g, 0), fri_sssp_third(g, 1)));
}

void fri_sssp_hop(fri_gpu *g, int32_t hop, int32_t size) {
    int32_t *queue = fri_sssp_third(g, 1 + (hop & 1)), *next = fri_sssp_third(g, 2 - (hop & 1));
    cudaMemsetAsync(&g->control[FRI_CONTROL_QUEUE_TAIL], 0, sizeof(int32_t), g->stream);
    FRI_BY_KIND(g, FRI_RUN_EACH((hop_kernel<T>), (int64_t)size * HOP_LANES, BLOCK_THREADS,
                                hop_round<T>{fri_sssp_view_of<T>(g), hop, size, queue,
                                             fri_sssp_third(g, 0), g->parent, next}));
}

/* ---- the end ----------------------------------------------------------------------------- */

template <class T> static __global__ void values_kernel(fri_sssp_view<T> p) {
    int64_t v = fri_thread_of_grid();
    if (v < p.n)
        ((typename T::W *)(void *)p.dist)[v] = T::value(p.dist[v]); /* the value replaces its key */
}

/* Distances that overflowed int32 during the traversal; ORPHANS = a vertex whose final distance
 * does not fit. */
static __global__ void narrow_to_int32_kernel(fri_sssp_view<fri_kind_i64> p, bool allow_neg_inf,
                                              int32_t *out) {
    int64_t v = fri_thread_of_grid();
    if (v >= p.n)
        return;
    int64_t d = p.dist[v];
    bool fits = d >= (allow_neg_inf ? INT32_MIN + 1 : INT32_MIN) && d < INT32_MAX;
    out[v] = fits ? (int32_t)d : d == fri_kind_i64::neg_inf() ? INT32_MIN : INT32_MAX;
    if (!fits && d != fri_kind_i64::unreached() && d != fri_kind_i64::neg_inf())
        atomicMax((int *)&p.control[FRI_CONTROL_ORPHANS], (int32_t)v);
}

/* int32 distances that stand for those of another type. */
template <class V>
static __global__ void widen_kernel(fri_sssp_view<fri_kind_i32> p, V unreached, V *out) {
    const int64_t v = fri_thread_of_grid();
    if (v >= p.n)
        return;
    const int32_t d = p.dist[v];
    out[v] = d == fri_kind_i32::unreached() ? unreached : (V)d;
}

template <class V> static void widen(fri_gpu *g, V unreached) {
    FRI_RUN_EACH(widen_kernel<V>, g->n, BLOCK_THREADS, fri_sssp_view_of<fri_kind_i32>(g), unreached,
                 (V *)g->sssp.values);
}

static void convert(fri_gpu *g) {
    if (g->job->in->dist_type == FR_TYPE_I32) {
        fri_gpu_fill(g, &g->control[FRI_CONTROL_ORPHANS], 1, -1);
        FRI_RUN_EACH(narrow_to_int32_kernel, g->n, BLOCK_THREADS, fri_sssp_view_of<fri_kind_i64>(g),
                     g->job->in->query.mark_negative_cycles, (int32_t *)g->sssp.values);
    } else if (g->job->in->dist_type == FR_TYPE_I64) {
        widen<int64_t>(g, INT64_MAX);
    } else if (g->job->in->dist_type == FR_TYPE_F32) {
        widen<float>(g, INFINITY);
    } else {
        widen<double>(g, (double)INFINITY);
    }
}

void fri_sssp_values(fri_gpu *g) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK_THREADS);
    if (g->dist_type != g->job->in->dist_type) {
        convert(g);
    } else if (g->dist_type == FR_TYPE_F32) {
        FRI_RUN((values_kernel<fri_kind_f32>), vertices, BLOCK_THREADS,
                fri_sssp_view_of<fri_kind_f32>(g));
    } else if (g->dist_type == FR_TYPE_F64) {
        FRI_RUN((values_kernel<fri_kind_f64>), vertices, BLOCK_THREADS,
                fri_sssp_view_of<fri_kind_f64>(g));
    }
}
