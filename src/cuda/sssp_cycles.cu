/* Kernels for negative cycles: who holds up whom, and what such a cycle reaches. */
#include "cuda/prim/distance.cuh"

enum { BLOCK = 256, WIDTH = 8 /* lanes that walk a vertex's edges */ };

static __device__ __forceinline__ int64_t thread_of_grid() {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- parents ----------------------------------------------------------------------------- */

/* What is at minus infinity is settled and holds nobody up. */
template <class T>
static __device__ __forceinline__ bool is_finite(const fri_paths<T> &p, int32_t v) {
    return p.dist[v] != T::far() && p.dist[v] != T::minus();
}

template <class T>
static __global__ void look_begin_kernel(fri_paths<T> p, typename T::K *best, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v >= p.n)
        return;
    best[v] = T::far();
    parent[v] = (int32_t)v;
}

template <class T> static __global__ void best_kernel(fri_paths<T> p, typename T::K *best) {
    FRI_EACH_EDGE(p, u, e) {
        if (!is_finite(p, u))
            continue;
        int32_t v = p.targets[e] & p.mask;
        typename T::K s = fri_along(p, p.dist[u], e);
        if (s < fri_racy_load(&best[v])) /* test, then atomic */
            fri_key_min(&best[v], s);
    }
}

/* Who offers v the best sum is its parent; a source at 0 is a root unless the sum is below 0. */
template <class T>
static __global__ void support_kernel(fri_paths<T> p, const typename T::K *best, int32_t *parent) {
    FRI_EACH_EDGE(p, u, e) {
        if (!is_finite(p, u))
            continue;
        int32_t v = p.targets[e] & p.mask;
        typename T::K s = fri_along(p, p.dist[u], e);
        if (s != best[v] || s == T::far() || s > p.dist[v] ||
            (s == p.dist[v] && (s == 0 || u == v)))
            continue;
        if (u == v) /* a self-loop below 0 */
            atomicMin((int *)&p.words[FRI_WORD_LOOK], v);
        else
            fri_racy_store(&parent[v], u); /* racy: any that offers the best will do */
    }
}

static __global__ void copy_kernel(int32_t n, const int32_t *from, int32_t *to) {
    int64_t v = thread_of_grid();
    if (v < n)
        to[v] = from[v];
}

/* Pointers jump to their pointers' ends; racy: whatever is read is an ancestor at least as far. */
static __global__ void jump_kernel(int32_t n, int32_t *above) {
    int64_t v = thread_of_grid();
    if (v < n)
        fri_racy_store(&above[v], fri_racy_load(&above[fri_racy_load(&above[v])]));
}

/* After enough jumps who does not stand at a root stands on a cycle. */
static __global__ void circle_kernel(int32_t n, const int32_t *parent, const int32_t *above,
                                     int32_t *look) {
    int64_t v = thread_of_grid();
    if (v < n && parent[above[v]] != above[v] && fri_racy_load(look) > above[v])
        atomicMin(look, above[v]);
}

template <class T> static void look(fri_gpu *g) {
    typedef typename T::K K;
    K *best = (K *)(void *)g->spare;
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK), edges = fri_edge_blocks(g, BLOCK);
    FRI_LAUNCH((look_begin_kernel<T>), vertices, BLOCK, 0, g->stream, fri_paths_of<T>(g), best,
               g->parent_store);
    FRI_LAUNCH((best_kernel<T>), edges, BLOCK, 0, g->stream, fri_paths_of<T>(g), best);
    FRI_LAUNCH((support_kernel<T>), edges, BLOCK, 0, g->stream, fri_paths_of<T>(g), best,
               g->parent_store);
}

extern "C" void fri_sssp_look(fri_gpu *g) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK);
    int32_t *above = (int32_t *)(void *)g->spare, *look_word = &g->words[FRI_WORD_LOOK];
    fri_gpu_fill(g, look_word, 1, INT32_MAX);
    FRI_BY_KIND(g, look<T>(g));
    FRI_LAUNCH(copy_kernel, vertices, BLOCK, 0, g->stream, g->n, g->parent_store, above);
    for (int64_t reach = 1; reach < g->n; reach *= 2)
        FRI_LAUNCH(jump_kernel, vertices, BLOCK, 0, g->stream, g->n, above);
    FRI_LAUNCH(circle_kernel, vertices, BLOCK, 0, g->stream, g->n, g->parent_store, above,
               look_word);
}

/* Rows may pass over self-loops. */
template <class T> static __global__ void loop_below_kernel(fri_paths<T> p) {
    FRI_EACH_EDGE(p, u, e) {
        if ((p.targets[e] & p.mask) == u && fri_weight(p, e) < 0 && is_finite(p, u))
            fri_racy_store(&p.words[FRI_WORD_LOOK], 1); /* racy: all write 1 */
    }
}

extern "C" void fri_sssp_loop_below(fri_gpu *g) {
    fri_gpu_fill(g, &g->words[FRI_WORD_LOOK], 1, 0);
    FRI_BY_KIND(g, (FRI_LAUNCH((loop_below_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, 0,
                               g->stream, fri_paths_of<T>(g))));
}

/* ---- minus infinity ---------------------------------------------------------------------- */

template <class T>
static __global__ void seeds_kernel(fri_paths<T> p, const int32_t *seeds, int32_t count) {
    int64_t i = thread_of_grid();
    if (i == 0)
        p.words[FRI_WORD_HOP] = count;
    if (i < count)
        p.dist[seeds[i]] = T::minus();
}

/* Who takes v to minus infinity queues it, alone. */
template <class T>
static __device__ __forceinline__ void sink_vertex(const fri_paths<T> &p, int32_t v,
                                                   int32_t *queue) {
    if (fri_racy_load(&p.dist[v]) != T::minus() && /* racy test spares most atomics */
        fri_key_min(&p.dist[v], T::minus()) != T::minus())
        queue[atomicAdd(&p.words[FRI_WORD_HOP], 1)] = v; /* its place */
}

/* Self-loops below 0, which rows may pass over, are cycles too. */
template <class T> static __global__ void loops_kernel(fri_paths<T> p, int32_t *queue) {
    FRI_EACH_EDGE(p, u, e) {
        if ((p.targets[e] & p.mask) == u && fri_weight(p, e) < 0 &&
            fri_racy_load(&p.dist[u]) != T::far())
            sink_vertex(p, u, queue);
    }
}

template <class T>
static __global__ void sink_kernel(fri_paths<T> p, const int32_t *queue, int32_t size,
                                   int32_t *next) {
    int64_t i = thread_of_grid() / WIDTH;
    if (i >= size)
        return;
    int64_t end = p.offsets[queue[i] + 1];
    for (int64_t e = p.offsets[queue[i]] + threadIdx.x % WIDTH; e < end; e += WIDTH)
        sink_vertex(p, p.targets[e] & p.mask, next);
}

/* spare: a part for the driver's hops, then two queues. */
static int32_t *queue_of(fri_gpu *g, int32_t hop) {
    return (int32_t *)(void *)(g->spare + (size_t)(1 + (hop & 1)) * fri_gpu_spare_bytes(g) / 3);
}

extern "C" int32_t *fri_sssp_sink_queue(fri_gpu *g) { return queue_of(g, 0); }

extern "C" void fri_sssp_sink_begin(fri_gpu *g, int32_t count) {
    FRI_BY_KIND(g, (FRI_LAUNCH((seeds_kernel<T>), fri_gpu_blocks(count, BLOCK), BLOCK, 0, g->stream,
                               fri_paths_of<T>(g), queue_of(g, 0), count)));
    FRI_BY_KIND(g, (FRI_LAUNCH((loops_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, 0, g->stream,
                               fri_paths_of<T>(g), queue_of(g, 0))));
}

extern "C" void fri_sssp_sink(fri_gpu *g, int32_t hop, int32_t size) {
    cudaMemsetAsync(&g->words[FRI_WORD_HOP], 0, sizeof(int32_t), g->stream);
    FRI_BY_KIND(g, (FRI_LAUNCH((sink_kernel<T>), fri_gpu_blocks((int64_t)size * WIDTH, BLOCK),
                               BLOCK, 0, g->stream, fri_paths_of<T>(g), queue_of(g, hop), size,
                               queue_of(g, hop + 1))));
}
