/* Kernels for negative cycles: which neighbor justifies each distance, and what a negative cycle
 * reaches; and for parents on cycles of weight 0. */
#include "cuda/prim/distance.cuh"

enum { BLOCK_THREADS = 256, LANES = 8 /* lanes per vertex */ };

static __device__ __forceinline__ int64_t thread_of_grid() {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- parents ----------------------------------------------------------------------------- */

/* Vertices at minus infinity are final and justify no distance. */
template <class T>
static __device__ __forceinline__ bool is_finite(const fri_sssp_view<T> &p, int32_t v) {
    return p.dist[v] != T::unreached() && p.dist[v] != T::neg_inf();
}

/* Of neighbors with the same sum, u with the smallest u ^ salt is the parent. */
enum : uint32_t { NO_NEIGHBOR = UINT32_MAX };
/* control[FRI_CONTROL_CYCLE_VERTEX] of a vertex with a negative self-loop: below all vertices. */
enum { SELF_LOOP = INT32_MIN };

template <class T>
static __global__ void best_begin_kernel(fri_sssp_view<T> p, typename T::K *best,
                                         uint32_t *choice) {
    int64_t v = thread_of_grid();
    if (v >= p.n)
        return;
    best[v] = p.dist[v]; /* a larger sum justifies no distance */
    choice[v] = NO_NEIGHBOR;
}

template <class T> static __global__ void best_kernel(fri_sssp_view<T> p, typename T::K *best) {
    FRI_EACH_EDGE(p, u, e) {
        if (!is_finite(p, u))
            continue;
        int32_t v = p.targets[e] & p.mask;
        typename T::K s = fri_path_key(p, p.dist[u], e);
        if (s < fri_racy_load(&best[v])) /* racy test avoids most atomics */
            fri_key_min(&best[v], s);
    }
}

/* The neighbor with the best sum for v is its parent; a source at 0 is a root unless the sum is
 * negative. */
template <class T>
static __global__ void support_kernel(fri_sssp_view<T> p, const typename T::K *best, uint32_t salt,
                                      uint32_t *choice) {
    FRI_EACH_EDGE(p, u, e) {
        if (!is_finite(p, u))
            continue;
        int32_t v = p.targets[e] & p.mask;
        typename T::K s = fri_path_key(p, p.dist[u], e);
        if (s != best[v] || s == T::unreached() || (s == p.dist[v] && (s == 0 || u == v)))
            continue;
        if (u == v) /* a negative self-loop */
            atomicMin((int *)&p.control[FRI_CONTROL_CYCLE_VERTEX], v | SELF_LOOP);
        else if (((uint32_t)u ^ salt) < fri_racy_load(&choice[v]))
            atomicMin(&choice[v], (uint32_t)u ^ salt); /* atomic: several neighbors may offer it */
    }
}

/* In place: from a neighbor's u ^ salt to the parent, which is the vertex itself where there is none. */
static __global__ void name_parents_kernel(int32_t n, uint32_t salt, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v < n)
        parent[v] =
            (uint32_t)parent[v] == NO_NEIGHBOR ? (int32_t)v : (int32_t)((uint32_t)parent[v] ^ salt);
}

/* The sum and its neighbor's u ^ salt in one word ordered by the sum: one pass finds the smallest. */
template <class K>
static __device__ __forceinline__ unsigned long long word_of(K key, uint32_t choice) {
    return (unsigned long long)((uint32_t)key ^ 0x80000000u) << 32 | choice;
}
template <class K> static __device__ __forceinline__ K key_of(K, unsigned long long word) {
    return (K)(int32_t)((uint32_t)(word >> 32) ^ 0x80000000u);
}
template <class K> static __device__ __forceinline__ K key_of(K, K key) { return key; }

template <class T>
static __global__ void word_begin_kernel(fri_sssp_view<T> p, unsigned long long *best) {
    int64_t v = thread_of_grid();
    if (v < p.n)
        best[v] = word_of(p.dist[v], NO_NEIGHBOR); /* a larger sum justifies no distance */
}

template <class T>
static __global__ void word_best_kernel(fri_sssp_view<T> p, uint32_t salt,
                                        unsigned long long *best) {
    FRI_EACH_EDGE(p, u, e) {
        if (!is_finite(p, u))
            continue;
        int32_t v = p.targets[e] & p.mask;
        typename T::K s = fri_path_key(p, p.dist[u], e);
        unsigned long long word = word_of(s, (uint32_t)u ^ salt);
        if (s != T::unreached() && (u != v || s < p.dist[v]) && word < fri_racy_load(&best[v]))
            atomicMin(&best[v], word); /* racy test avoids most atomics */
    }
}

template <class T>
static __global__ void word_support_kernel(fri_sssp_view<T> p, const unsigned long long *best,
                                           uint32_t salt, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v >= p.n)
        return;
    uint32_t choice = (uint32_t)best[v];
    bool root = choice == NO_NEIGHBOR || (p.dist[v] == 0 && key_of(p.dist[v], best[v]) == 0);
    int32_t u = root ? (int32_t)v : (int32_t)(choice ^ salt);
    parent[v] = u;
    if (!root && u == v) /* a negative self-loop */
        atomicMin((int *)&p.control[FRI_CONTROL_CYCLE_VERTEX], u | SELF_LOOP);
}

/* ---- cycles of parents -------------------------------------------------------------------- */

/* A word of `ancestor`: an ancestor, and whether one of the steps up to it decreases. */
enum { DECREASED = INT32_MIN, END = INT32_MAX };

/* The first step: to the parent. Roots and vertices without a parent stay. With `every`, each step
 * counts as a decrease: float sums are rounded, so a cycle may have negative weight although no
 * step decreases. */
template <class T, class B>
static __global__ void ascend_kernel(fri_sssp_view<T> p, const int32_t *parent, const B *best,
                                     bool every, int32_t *ancestor) {
    int64_t v = thread_of_grid();
    if (v >= p.n)
        return;
    int32_t up = parent[v];
    if (up < 0 || up == INT32_MAX)
        up = (int32_t)v;
    bool decreased = up != v && best && (every || key_of(p.dist[v], best[v]) < p.dist[v]);
    ancestor[v] = decreased ? up | DECREASED : up;
}

/* Pointer jumping: each pointer is replaced by its target's pointer. Racy: any value read is an
 * ancestor at least as far, with the flags of all steps up to it. *last: the last jump that changed
 * something; the jumps after it change nothing. */
static __global__ void __launch_bounds__(BLOCK_THREADS)
    jump_kernel(int32_t n, int32_t *ancestor, int32_t jump, int32_t *last) {
    int64_t v = thread_of_grid();
    bool changed = false;
    if (*last < jump - 1) /* racy, and cached: all writers write `jump` */
        return;           /* the whole grid returns */
    if (v < n) {
        int32_t a = fri_racy_load(&ancestor[v]), b = fri_racy_load(&ancestor[a & END]);
        int32_t to = b | (a & DECREASED);
        changed = to != a;
        if (changed)
            fri_racy_store(&ancestor[v], to);
    }
    if (__syncthreads_or(changed) && threadIdx.x == 0) /* one store per block */
        fri_racy_store(last, jump);                    /* racy: all write the same */
}

/* After enough jumps a vertex whose ancestor is not a root points to a cycle, and has passed all
 * its steps. The integer weights of a cycle sum to the decreases of its vertices, so a cycle of
 * weight 0 has no step that decreases. */
static __global__ void cycle_kernel(int32_t n, const int32_t *parent, const int32_t *ancestor,
                                    int32_t *cycle_vertex) {
    int64_t v = thread_of_grid();
    int32_t end = v < n ? ancestor[v] & END : 0;
    if (v < n && parent[end] != end && (ancestor[end] & DECREASED) &&
        fri_racy_load(cycle_vertex) > end)
        atomicMin(cycle_vertex, end);
}

/* attached[v]: v's parent chain ends at a root; control[FRI_CONTROL_ORPHANS]: reached vertices
 * whose chain does not. */
static __global__ void __launch_bounds__(BLOCK_THREADS)
    attached_kernel(int32_t n, const int32_t *parent, const int32_t *ancestor, int32_t *attached,
                    int32_t *orphans) {
    int64_t v = thread_of_grid();
    int32_t end = v < n ? ancestor[v] & END : 0;
    bool is_attached = v < n && parent[v] >= 0 && parent[end] == end;
    if (v < n)
        attached[v] = is_attached;
    int count = __syncthreads_count(v < n && parent[v] >= 0 && !is_attached);
    if (threadIdx.x == 0 && count)
        atomicAdd(orphans, count); /* one atomic per block */
}

/* Vertices attached to a root offer themselves as parents to orphans over tight edges: they are not
 * below any orphan, so no cycle results. */
template <class T>
static __global__ void offer_kernel(fri_sssp_view<T> p, const int32_t *parent,
                                    const int32_t *attached, int32_t *offer) {
    FRI_EACH_EDGE(p, u, e) {
        int32_t v = p.targets[e] & p.mask;
        if (attached[u] && !attached[v] && parent[v] >= 0 &&
            fri_path_key(p, p.dist[u], e) == p.dist[v] && fri_racy_load(&offer[v]) > u)
            /* atomic: the smallest candidate, the same on every run */
            atomicMin(&offer[v], u);
    }
}

static __global__ void accept_kernel(int32_t n, const int32_t *offer, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v < n && offer[v] != INT32_MAX)
        parent[v] = offer[v];
}

static __global__ void detach_kernel(int32_t n, const int32_t *attached, int32_t *parent) {
    int64_t v = thread_of_grid();
    if (v < n && parent[v] >= 0 && !attached[v])
        parent[v] = INT32_MAX;
}

/* driver_scratch: best sums in the first two thirds; ancestors in the last. */
static int32_t *ancestors(fri_gpu *g) {
    return (int32_t *)(void *)(g->sssp.driver_scratch + 2 * fri_gpu_driver_scratch_bytes(g) / 3);
}

static void jump_all(fri_gpu *g) {
    int32_t *ancestor = ancestors(g), *last = &g->control[FRI_CONTROL_LAST_JUMP], jump = 1;
    cudaMemsetAsync(last, 0, sizeof *last, g->stream);
    for (int64_t reach = 1; reach < g->n; reach *= 2, jump++)
        FRI_RUN_EACH(jump_kernel, g->n, BLOCK_THREADS, g->n, ancestor, jump, last);
}

/* 0 in a query's first search, then another one in each; u ^ salt stays below the next power of two. */
static uint32_t next_salt(fri_gpu *g) {
    const uint32_t spread = (uint32_t)g->sssp.searches++ * 0x9e3779b1u;
    int bits = 0;
    while (bits < 31 && (int64_t)1 << bits < g->n)
        bits++;
    return bits ? spread >> (32 - bits) : 0;
}

/* Two passes over the edges; one if key and vertex fit one word. */
template <class T> static void find_cycle(fri_gpu *g, bool every) {
    typedef typename T::K K;
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK_THREADS),
             edges = fri_edge_blocks(g, BLOCK_THREADS);
    uint32_t salt = next_salt(g);
    fri_sssp_view<T> p = fri_sssp_view_of<T>(g);
    if constexpr (sizeof(K) == sizeof(int32_t)) {
        unsigned long long *best = (unsigned long long *)(void *)g->sssp.driver_scratch;
        FRI_RUN((word_begin_kernel<T>), vertices, BLOCK_THREADS, p, best);
        FRI_RUN((word_best_kernel<T>), edges, BLOCK_THREADS, p, salt, best);
        FRI_RUN((word_support_kernel<T>), vertices, BLOCK_THREADS, p, best, salt, g->parent_store);
        FRI_RUN((ascend_kernel<T, unsigned long long>), vertices, BLOCK_THREADS, p, g->parent_store,
                best, every, ancestors(g));
    } else {
        K *best = (K *)(void *)g->sssp.driver_scratch;
        uint32_t *choice = (uint32_t *)g->parent_store;
        FRI_RUN((best_begin_kernel<T>), vertices, BLOCK_THREADS, p, best, choice);
        FRI_RUN((best_kernel<T>), edges, BLOCK_THREADS, p, best);
        FRI_RUN((support_kernel<T>), edges, BLOCK_THREADS, p, best, salt, choice);
        FRI_RUN(name_parents_kernel, vertices, BLOCK_THREADS, g->n, salt, g->parent_store);
        FRI_RUN((ascend_kernel<T, K>), vertices, BLOCK_THREADS, p, g->parent_store, best, every,
                ancestors(g));
    }
}

extern "C" void fri_sssp_find_cycle(fri_gpu *g, bool every) {
    int32_t *cycle_vertex = &g->control[FRI_CONTROL_CYCLE_VERTEX];
    fri_gpu_fill(g, cycle_vertex, 1, INT32_MAX);
    FRI_BY_KIND(g, find_cycle<T>(g, every));
    jump_all(g);
    FRI_RUN_EACH(cycle_kernel, g->n, BLOCK_THREADS, g->n, g->parent_store, ancestors(g),
                 cycle_vertex);
}

/* driver_scratch: attached vertices, offers, ancestors. */
static int32_t *attached_of(fri_gpu *g) { return (int32_t *)(void *)g->sssp.driver_scratch; }
static int32_t *offers(fri_gpu *g) {
    return (int32_t *)(void *)(g->sssp.driver_scratch + fri_gpu_driver_scratch_bytes(g) / 3);
}

extern "C" void fri_sssp_find_attached(fri_gpu *g) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK_THREADS);
    cudaMemsetAsync(&g->control[FRI_CONTROL_ORPHANS], 0, sizeof(int32_t), g->stream);
    FRI_RUN((ascend_kernel<fri_kind_i32, int32_t>), vertices, BLOCK_THREADS,
            fri_sssp_view_of<fri_kind_i32>(g), g->parent, nullptr, false, ancestors(g));
    jump_all(g);
    FRI_RUN(attached_kernel, vertices, BLOCK_THREADS, g->n, g->parent, ancestors(g), attached_of(g),
            &g->control[FRI_CONTROL_ORPHANS]);
}

extern "C" void fri_sssp_attach_orphans(fri_gpu *g) {
    unsigned vertices = fri_gpu_blocks(g->n, BLOCK_THREADS);
    fri_gpu_fill(g, offers(g), g->n, INT32_MAX);
    FRI_BY_KIND(g, FRI_RUN((offer_kernel<T>), fri_edge_blocks(g, BLOCK_THREADS), BLOCK_THREADS,
                           fri_sssp_view_of<T>(g), g->parent, attached_of(g), offers(g)));
    FRI_RUN(accept_kernel, vertices, BLOCK_THREADS, g->n, offers(g), g->parent);
}

extern "C" void fri_sssp_break_cycles(fri_gpu *g) {
    FRI_RUN_EACH(detach_kernel, g->n, BLOCK_THREADS, g->n, attached_of(g), g->parent);
}

/* Strategies may skip self-loops. */
template <class T> static __global__ void negative_loop_kernel(fri_sssp_view<T> p, bool anywhere) {
    FRI_EACH_EDGE(p, u, e) {
        if ((p.targets[e] & p.mask) == u && fri_weight(p, e) < 0 && (anywhere || is_finite(p, u)))
            fri_racy_store(&p.control[FRI_CONTROL_CYCLE_VERTEX], 1); /* racy: all write 1 */
    }
}

extern "C" void fri_sssp_find_negative_loop(fri_gpu *g, bool anywhere) {
    fri_gpu_fill(g, &g->control[FRI_CONTROL_CYCLE_VERTEX], 1, 0);
    FRI_BY_KIND(g, FRI_RUN((negative_loop_kernel<T>), fri_edge_blocks(g, BLOCK_THREADS),
                           BLOCK_THREADS, fri_sssp_view_of<T>(g), anywhere));
}

/* ---- minus infinity ---------------------------------------------------------------------- */

template <class T>
static __global__ void seeds_kernel(fri_sssp_view<T> p, const int32_t *seeds, int32_t count) {
    int64_t i = thread_of_grid();
    if (i == 0)
        p.control[FRI_CONTROL_QUEUE_TAIL] = count;
    if (i < count)
        p.dist[seeds[i]] = T::neg_inf();
}

/* Exactly one thread sets v to minus infinity and enqueues it. */
template <class T>
static __device__ __forceinline__ void set_neg_inf(const fri_sssp_view<T> &p, int32_t v,
                                                   int32_t *queue) {
    if (fri_racy_load(&p.dist[v]) != T::neg_inf() && /* racy test avoids most atomics */
        fri_key_min(&p.dist[v], T::neg_inf()) != T::neg_inf())
        /* atomic: reserves a position */
        queue[atomicAdd(&p.control[FRI_CONTROL_QUEUE_TAIL], 1)] = v;
}

/* Negative self-loops, which strategies may skip, are cycles too. */
template <class T> static __global__ void loops_kernel(fri_sssp_view<T> p, int32_t *queue) {
    FRI_EACH_EDGE(p, u, e) {
        if ((p.targets[e] & p.mask) == u && fri_weight(p, e) < 0 &&
            fri_racy_load(&p.dist[u]) != T::unreached())
            set_neg_inf(p, u, queue);
    }
}

template <class T>
static __global__ void neg_inf_kernel(fri_sssp_view<T> p, const int32_t *queue, int32_t size,
                                      int32_t *next) {
    int64_t i = thread_of_grid() / LANES;
    if (i >= size)
        return;
    int64_t end = p.offsets[queue[i] + 1];
    for (int64_t e = p.offsets[queue[i]] + threadIdx.x % LANES; e < end; e += LANES)
        set_neg_inf(p, p.targets[e] & p.mask, next);
}

/* driver_scratch: one part for the driver's hops, then two queues. */
static int32_t *queue_of(fri_gpu *g, int32_t hop) {
    return (int32_t *)(void *)(g->sssp.driver_scratch +
                               (size_t)(1 + (hop & 1)) * fri_gpu_driver_scratch_bytes(g) / 3);
}

extern "C" int32_t *fri_sssp_neg_inf_queue(fri_gpu *g) { return queue_of(g, 0); }

extern "C" void fri_sssp_neg_inf_begin(fri_gpu *g, int32_t count) {
    FRI_BY_KIND(g, FRI_RUN_EACH((seeds_kernel<T>), count, BLOCK_THREADS, fri_sssp_view_of<T>(g),
                                queue_of(g, 0), count));
    FRI_BY_KIND(g, FRI_RUN((loops_kernel<T>), fri_edge_blocks(g, BLOCK_THREADS), BLOCK_THREADS,
                           fri_sssp_view_of<T>(g), queue_of(g, 0)));
}

extern "C" void fri_sssp_neg_inf_expand(fri_gpu *g, int32_t hop, int32_t size) {
    cudaMemsetAsync(&g->control[FRI_CONTROL_QUEUE_TAIL], 0, sizeof(int32_t), g->stream);
    FRI_BY_KIND(g,
                FRI_RUN_EACH((neg_inf_kernel<T>), (int64_t)size * LANES, BLOCK_THREADS,
                             fri_sssp_view_of<T>(g), queue_of(g, hop), size, queue_of(g, hop + 1)));
}
