/* Kernels for negative cycles: who holds up whom, and what such a cycle reaches; and for parents in
 * circles of weight 0. */
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
    best[v] = p.dist[v]; /* more than that holds nobody up */
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
        if (s != best[v] || s == T::far() || (s == p.dist[v] && (s == 0 || u == v)))
            continue;
        if (u == v) /* a self-loop below 0 */
            atomicMin((int *)&p.words[FRI_WORD_LOOK], v);
        else
            fri_racy_store(&parent[v], u); /* racy: any that offers the best will do */
    }
}

/* Sum and who offers it in one word, whose order is the sums': the least is found in one pass. */
template <class K> static __device__ __forceinline__ unsigned long long word_of(K key, int32_t u) {
    return (unsigned long long)((uint32_t)key ^ 0x80000000u) << 32 | (uint32_t)u;
}
template <class K> static __device__ __forceinline__ K key_of(K, unsigned long long word) {
    return (K)(int32_t)((uint32_t)(word >> 32) ^ 0x80000000u);
}
template <class K> static __device__ __forceinline__ K key_of(K, K key) { return key; }

template <class T>
static __global__ void word_begin_kernel(fri_paths<T> p, unsigned long long *best) {
    int64_t v = thread_of_grid();
    if (v < p.n)
        best[v] = word_of(p.dist[v], INT32_MAX); /* more than that holds nobody up */
}

template <class T>
static __global__ void word_best_kernel(fri_paths<T> p, unsigned long long *best) {
    FRI_EACH_EDGE(p, u, e) {
        if (!is_finite(p, u))
            continue;
        int32_t v = p.targets[e] & p.mask;
        typename T::K s = fri_along(p, p.dist[u], e);
        unsigned long long word = word_of(s, u);
        if (s != T::far() && (u != v || s < p.dist[v]) && word < fri_racy_load(&best[v]))
            atomicMin(&best[v], word); /* test, then atomic */
    }
}

template <class T>
static __global__ void word_support_kernel(fri_paths<T> p, const unsigned long long *best,
                                           int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v >= p.n)
        return;
    int32_t u = (int32_t)(uint32_t)best[v];
    bool root = u == INT32_MAX || (p.dist[v] == 0 && key_of(p.dist[v], best[v]) == 0);
    parent[v] = root ? (int32_t)v : u;
    if (u == v) /* a self-loop below 0 */
        atomicMin((int *)&p.words[FRI_WORD_LOOK], (int)v);
}

/* ---- circles of parents ------------------------------------------------------------------ */

/* A word of `above`: an ancestor, and whether one of the steps up to it fell. */
enum { FELL = INT32_MIN, END = INT32_MAX };

/* The first step: to the parent. A root, and who has none, stays. `every` step counts as falling:
 * float sums are rounded, so that a cycle may weigh less than 0 although none does. */
template <class T, class B>
static __global__ void ascend_kernel(fri_paths<T> p, const int32_t *parent, const B *best,
                                     bool every, int32_t *above) {
    int64_t v = thread_of_grid();
    if (v >= p.n)
        return;
    int32_t up = parent[v];
    if (up < 0 || up == INT32_MAX)
        up = (int32_t)v;
    bool fell = up != v && best && (every || key_of(p.dist[v], best[v]) < p.dist[v]);
    above[v] = fell ? up | FELL : up;
}

/* Pointers jump to their pointers' ends; racy: whatever is read is an ancestor at least as far, and
 * all steps up to it. *last: the last jump that changed something, after which none does. */
static __global__ void __launch_bounds__(BLOCK)
    jump_kernel(int32_t n, int32_t *above, int32_t jump, int32_t *last) {
    int64_t v = thread_of_grid();
    bool changed = false;
    if (*last < jump - 1) /* racy, and cached: who writes, writes `jump` */
        return;           /* the whole grid */
    if (v < n) {
        int32_t a = fri_racy_load(&above[v]), b = fri_racy_load(&above[a & END]);
        int32_t to = b | (a & FELL);
        changed = to != a;
        if (changed)
            fri_racy_store(&above[v], to);
    }
    if (__syncthreads_or(changed) && threadIdx.x == 0) /* one store a block */
        fri_racy_store(last, jump);                    /* racy: all write the same */
}

/* After enough jumps who does not stand at a root stands on a cycle, and has gone round it. Sums of
 * integers along a cycle come to what its members fell, so one of 0 has no step that falls. */
static __global__ void circle_kernel(int32_t n, const int32_t *parent, const int32_t *above,
                                     int32_t *look) {
    int64_t v = thread_of_grid();
    int32_t end = v < n ? above[v] & END : 0;
    if (v < n && parent[end] != end && (above[end] & FELL) && fri_racy_load(look) > end)
        atomicMin(look, end);
}

/* held[v]: v hangs on a root; words[LOST]: how many that are reached do not. */
static __global__ void __launch_bounds__(BLOCK)
    hang_kernel(int32_t n, const int32_t *parent, const int32_t *above, int32_t *held,
                int32_t *lost) {
    int64_t v = thread_of_grid();
    int32_t end = v < n ? above[v] & END : 0;
    bool hangs = v < n && parent[v] >= 0 && parent[end] == end;
    if (v < n)
        held[v] = hangs;
    int count = __syncthreads_count(v < n && parent[v] >= 0 && !hangs);
    if (threadIdx.x == 0 && count)
        atomicAdd(lost, count); /* one a block */
}

/* What hangs on a root offers itself over tight edges to what does not: as it hangs on none of
 * those, no circle comes of it. */
template <class T>
static __global__ void offer_kernel(fri_paths<T> p, const int32_t *parent, const int32_t *held,
                                    int32_t *offer) {
    FRI_EACH_EDGE(p, u, e) {
        int32_t v = p.targets[e] & p.mask;
        if (held[u] && !held[v] && parent[v] >= 0 && fri_along(p, p.dist[u], e) == p.dist[v] &&
            fri_racy_load(&offer[v]) > u)
            atomicMin(&offer[v], u); /* of all offers the least, so that answers repeat */
    }
}

static __global__ void accept_kernel(int32_t n, const int32_t *offer, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v < n && offer[v] != INT32_MAX)
        parent[v] = offer[v];
}

static __global__ void cut_kernel(int32_t n, const int32_t *held, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v < n && parent[v] >= 0 && !held[v])
        parent[v] = INT32_MAX;
}

/* spare: what is offered, in its first two thirds; ancestors. */
static int32_t *ancestors(fri_gpu *g) {
    return (int32_t *)(void *)(g->spare + 2 * fri_gpu_spare_bytes(g) / 3);
}

static void jump_all(fri_gpu *g) {
    int32_t *above = ancestors(g), *last = &g->words[FRI_WORD_JUMP], jump = 1;
    cudaMemsetAsync(last, 0, sizeof *last, g->stream);
    for (int64_t reach = 1; reach < g->n; reach *= 2, jump++)
        FRI_LAUNCH(jump_kernel, fri_gpu_blocks(g->n, BLOCK), BLOCK, 0, g->stream, g->n, above, jump,
                   last);
}

/* Two passes over the edges; one where key and vertex fit a word. */
template <class T> static void look(fri_gpu *g) {
    typedef typename T::K K;
    bool every = g->kind == FR_F32 || g->kind == FR_F64;
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK), edges = fri_edge_blocks(g, BLOCK);
    fri_paths<T> p = fri_paths_of<T>(g);
    if constexpr (sizeof(K) == sizeof(int32_t)) {
        unsigned long long *best = (unsigned long long *)(void *)g->spare;
        FRI_LAUNCH((word_begin_kernel<T>), vertices, BLOCK, 0, g->stream, p, best);
        FRI_LAUNCH((word_best_kernel<T>), edges, BLOCK, 0, g->stream, p, best);
        FRI_LAUNCH((word_support_kernel<T>), vertices, BLOCK, 0, g->stream, p, best,
                   g->parent_store);
        FRI_LAUNCH((ascend_kernel<T, unsigned long long>), vertices, BLOCK, 0, g->stream, p,
                   g->parent_store, best, every, ancestors(g));
    } else {
        K *best = (K *)(void *)g->spare;
        FRI_LAUNCH((look_begin_kernel<T>), vertices, BLOCK, 0, g->stream, p, best, g->parent_store);
        FRI_LAUNCH((best_kernel<T>), edges, BLOCK, 0, g->stream, p, best);
        FRI_LAUNCH((support_kernel<T>), edges, BLOCK, 0, g->stream, p, best, g->parent_store);
        FRI_LAUNCH((ascend_kernel<T, K>), vertices, BLOCK, 0, g->stream, p, g->parent_store, best,
                   every, ancestors(g));
    }
}

extern "C" void fri_sssp_look(fri_gpu *g) {
    int32_t *look_word = &g->words[FRI_WORD_LOOK];
    fri_gpu_fill(g, look_word, 1, INT32_MAX);
    FRI_BY_KIND(g, look<T>(g));
    jump_all(g);
    FRI_LAUNCH(circle_kernel, fri_gpu_blocks(g->n, BLOCK), BLOCK, 0, g->stream, g->n,
               g->parent_store, ancestors(g), look_word);
}

/* spare: who hangs on a root, offers, ancestors. */
static int32_t *held_of(fri_gpu *g) { return (int32_t *)(void *)g->spare; }
static int32_t *offers(fri_gpu *g) {
    return (int32_t *)(void *)(g->spare + fri_gpu_spare_bytes(g) / 3);
}

extern "C" void fri_sssp_hang(fri_gpu *g) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK);
    cudaMemsetAsync(&g->words[FRI_WORD_LOST], 0, sizeof(int32_t), g->stream);
    FRI_LAUNCH((ascend_kernel<fri_i32, int32_t>), vertices, BLOCK, 0, g->stream,
               fri_paths_of<fri_i32>(g), g->parent, nullptr, false, ancestors(g));
    jump_all(g);
    FRI_LAUNCH(hang_kernel, vertices, BLOCK, 0, g->stream, g->n, g->parent, ancestors(g),
               held_of(g), &g->words[FRI_WORD_LOST]);
}

extern "C" void fri_sssp_reattach(fri_gpu *g) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK);
    fri_gpu_fill(g, offers(g), g->n, INT32_MAX);
    FRI_BY_KIND(g, (FRI_LAUNCH((offer_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, 0, g->stream,
                               fri_paths_of<T>(g), g->parent, held_of(g), offers(g))));
    FRI_LAUNCH(accept_kernel, vertices, BLOCK, 0, g->stream, g->n, offers(g), g->parent);
}

extern "C" void fri_sssp_cut_circles(fri_gpu *g) {
    FRI_LAUNCH(cut_kernel, fri_gpu_blocks(g->n, BLOCK), BLOCK, 0, g->stream, g->n, held_of(g),
               g->parent);
}

/* Rows may pass over self-loops. */
template <class T> static __global__ void loop_below_kernel(fri_paths<T> p, bool anywhere) {
    FRI_EACH_EDGE(p, u, e) {
        if ((p.targets[e] & p.mask) == u && fri_weight(p, e) < 0 && (anywhere || is_finite(p, u)))
            fri_racy_store(&p.words[FRI_WORD_LOOK], 1); /* racy: all write 1 */
    }
}

extern "C" void fri_sssp_loop_below(fri_gpu *g, bool anywhere) {
    fri_gpu_fill(g, &g->words[FRI_WORD_LOOK], 1, 0);
    FRI_BY_KIND(g, (FRI_LAUNCH((loop_below_kernel<T>), fri_edge_blocks(g, BLOCK), BLOCK, 0,
                               g->stream, fri_paths_of<T>(g), anywhere)));
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
