/* The kernels of SSSP on ranks with a GPU each, for non-negative weights.
 *
 * Source: the near and far piles of A. Davidson, S. Baxter, M. Garland, J. Owens: Work-efficient parallel
 *   GPU methods for single-source shortest paths, IPDPS 2014; pulls of pruned sorted rows as SSSP `auto`
 *   (cuda/sssp/auto/pull.cuh); rows and chunks as part_bfs.cu.
 * Idea: a relaxation lowers distances by an atomic minimum and appends an event (vertex, parent,
 *   distance) for each. A value is reached once, so the event that has a vertex's distance at the end of
 *   the round is the only one: settle_kernel takes the parent from it, and lists the vertex if the
 *   distance is below the bound, else marks it as pending. So no lock couples distance and parent, and no
 *   vertex is listed twice. When the bound moves, gather_kernel lists the pending vertices below it.
 *   A pull gives every own vertex its best in-edge from a copy of all distances.
 * Differs: the far pile is a bitmap. If the events of a round exceed their buffer, which has a place per
 *   own vertex, the vertices without event are marked, and the round's edges are examined once more for
 *   these alone: that is at most an event per vertex.
 * Atomics: one per relaxation that lowers a distance, one per 32 events, two per 32 vertices listed or
 *   pending. Launches per round: 4 to 7, and an allgather or two. */
#include "cuda/prim/distance.cuh"
#include "cuda/prim/append.cuh"
#include "cuda/ranks/part.cuh"

enum { QUEUE, EVENTS, BEGAN, LOST, WORDS_USED }; /* control */
static_assert((int)WORDS_USED <= (int)FRI_PART_CONTROL_WORDS, "control words");

namespace {
/* float weights, double distances. */
struct fri_kind_f32_f64 : fri_kind_f64 {
    typedef float W;
    static __device__ __forceinline__ K sum(K d, float w, K cap, bool *low) {
        return fri_kind_f64::sum(d, (double)w, cap, low);
    }
};

/* As cpu/typed.h has them (edge_t). */
template <class W> struct alignas(2 * sizeof(W)) pull_edge {
    int32_t v;
    W w;
};

/* A warp's events, of which at least 32 are appended at once. */
struct event_writer {
    fri_sssp_event *buffer; /* [2 FRI_WARP], in shared memory */
    int count;              /* the same in all lanes */
};
} // namespace

/* ---- events and lists -------------------------------------------------------------------------- */

static __device__ __forceinline__ void store_event(const fri_sssp_arrays &a, unsigned long long at,
                                                   const fri_sssp_event &event) {
    if (at < (unsigned long long)a.events_size) {
        a.events[at] = event;
        return;
    }
    atomicOr(&a.lost[event.own / 32], 1u << (event.own % 32)); /* vertices share words */
    fri_racy_store(&a.control[LOST], 1ull);                    /* racy: all store 1 */
}

/* Whole warp. */
static __device__ __forceinline__ void flush_events(const fri_sssp_arrays &a, event_writer *w) {
    if (!w->count)
        return;
    __syncwarp(); /* the buffer is written */
    const unsigned long long at = fri_reserve(&a.control[EVENTS], w->count);
    for (int i = fri_lane(); i < w->count; i += FRI_WARP)
        store_event(a, at + (unsigned)i, w->buffer[i]);
    __syncwarp(); /* the buffer is read */
    w->count = 0;
}

/* Whole warp: the events of the lanes with `yes`. */
static __device__ __forceinline__ void put_event(const fri_sssp_arrays &a, event_writer *w,
                                                 bool yes, const fri_sssp_event &event) {
    const int at = fri_assign_positions(yes, &w->count);
    if (yes)
        w->buffer[at] = event;
    if (w->count >= FRI_WARP)
        flush_events(a, w);
}

/* Whole warp: appends the own vertices of the lanes with `yes` to the list. */
static __device__ __forceinline__ void list_lowered(const fri_sssp_arrays &a, bool yes, int32_t own,
                                                    int64_t dist) {
    int total = 0;
    const int position = fri_assign_positions(yes, &total);
    if (!total)
        return;
    const unsigned long long at =
        fri_reserve((unsigned long long *)&a.record->level.count, total) + (unsigned)position;
    if (yes)
        a.lowered[at] = {a.base + own, {(uint32_t)dist, (uint32_t)((uint64_t)dist >> 32)}};
}

/* Whole warp: the minimum of all lanes' values. */
static __device__ __forceinline__ int64_t warp_min(int64_t value) {
    for (int d = FRI_WARP / 2; d; d /= 2) {
        const int64_t other = __shfl_xor_sync(FRI_FULL_MASK, value, d);
        value = other < value ? other : value;
    }
    return value;
}
/* Whole warp: the minimum of all lanes' values and *at into *at, unless it is infinity. */
static __device__ __forceinline__ void lower_min(const fri_sssp_arrays &a, int64_t *at,
                                                 int64_t value) {
    value = warp_min(value);
    if (fri_lane() == 0 && value < a.inf) /* other warps have minima, too */
        fri_key_min(at, value);
}

/* All threads of each block, once per kernel. */
static __device__ __forceinline__ void add_examined(const fri_sssp_arrays &a,
                                                    unsigned long long examined) {
    fri_grid_add((unsigned long long *)&a.record->level.examined, examined);
}

/* ---- the ends of a query and of a round ---------------------------------------------------------- */

static __global__ void clear_kernel(fri_sssp_arrays a) {
    for (int64_t i = thread_of_grid(); i < a.share; i += threads_of_grid()) {
        a.dist[i] = a.inf;
        if (i < a.own)
            a.parent[i] = -1;
        if (i < a.words)
            a.pending[i] = a.lost[i] = 0;
    }
}

static __global__ void open_kernel(fri_sssp_arrays a, bool begins, bool moved) {
    fri_sssp_record *r = a.record;
    const int64_t far_min = begins || moved ? a.inf : r->level.edges;
    r->level = {0, 0, far_min, 0, 0};
    r->near_min = a.inf;
    r->near_edges = 0;
    for (int i = 0; i < WORDS_USED; i++)
        a.control[i] = 0;
    a.control[BEGAN] = fri_clock_ns();
}

static __global__ void set_sources_kernel(fri_sssp_arrays a, fri_part_sources batch) {
    const bool given = (int)threadIdx.x < batch.count;
    const int32_t i = given ? batch.own[threadIdx.x] : 0;
    const bool first = given && fri_key_min(&a.dist[i], 0) != 0; /* a source may be given twice */
    if (first) {
        a.parent[i] = a.base + i;
        fri_racy_store(&a.record->near_min, (int64_t)0); /* racy: all store 0 */
    }
    list_lowered(a, first, i, 0);
}

/* Before a round is recovered. What the record has sent already is not sent twice. */
static __global__ void reopen_kernel(fri_sssp_arrays a) {
    a.control[QUEUE] = a.control[EVENTS] = a.control[LOST] = 0;
    a.control[BEGAN] = fri_clock_ns();
    a.record->level.examined = 0;
}

/* One block: this rank's message. */
static __global__ void finish_message_kernel(fri_sssp_arrays a, int64_t status) {
    char *message = a.messages[a.phase ^ 1] + (int64_t)a.rank * (int64_t)FRI_SSSP_MESSAGE_BYTES;
    const int64_t count = a.record->level.count;
    fri_lowered *list = (fri_lowered *)(message + FRI_PART_RECORD_BYTES);
    if (count <= FRI_SSSP_SHORT_LIST)
        for (int64_t i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
            list[i] = a.lowered[i];
    if (threadIdx.x != 0)
        return;
    fri_sssp_record r = *a.record;
    r.level.status = status;
    r.level.work_ns = (int64_t)(fri_clock_ns() - a.control[BEGAN]);
    r.lost = a.control[LOST] != 0;
    *(fri_sssp_record *)message = r;
}

/* ---- relaxation ---------------------------------------------------------------------------------- */

/* Position k of the frontier: entry k % list_size of rank k / list_size; NULL: that rank has fewer. */
static __device__ __forceinline__ const fri_lowered *frontier_at(const fri_sssp_arrays &a,
                                                                 int64_t k) {
    const int64_t rank = k / a.list_size, i = k % a.list_size;
    const char *message = a.messages[a.phase] + rank * FRI_SSSP_MESSAGE_BYTES;
    if (i >= ((const fri_sssp_record *)message)->level.count)
        return nullptr;
    return a.long_lists ? &a.lists[k] : (const fri_lowered *)(message + FRI_PART_RECORD_BYTES) + i;
}
static __device__ __forceinline__ int64_t dist_of(const fri_lowered &x) {
    return (int64_t)((uint64_t)x.dist[1] << 32 | x.dist[0]);
}

/* Whether this thread lowers own vertex i; in a recovery, whether it finds the event that was lost. */
static __device__ __forceinline__ bool lowers(const fri_sssp_arrays &a, int32_t i, int64_t sum) {
    const int64_t now = fri_racy_load(&a.dist[i]); /* racy: a distance only falls */
    if (!a.recovers)
        return sum < now && sum < fri_key_min(&a.dist[i], sum);
    const uint32_t bit = 1u << (i % 32);
    /* racy: a bit is only cleared, and the atomic decides */
    return sum == now && (fri_racy_load(&a.lost[i / 32]) & bit) &&
           (atomicAnd(&a.lost[i / 32], ~bit) & bit);
}

/* Whole warp: edge e of `slot`, whose distance is d, in the lanes with `on`. */
template <class T>
static __device__ __forceinline__ void relax_edge(const fri_sssp_arrays &a, event_writer *w,
                                                  bool on, int64_t e, int32_t slot, int64_t d) {
    typedef typename T::W W;
    const W *weights = (const W *)a.push_weights;
    fri_sssp_event event = {0, slot, 0};
    bool yes = false, low;
    if (on) {
        event.own = a.push_targets[e];
        event.dist = T::sum(d, weights ? weights[e] : (W)1, a.inf - 1, &low);
        yes = event.dist != a.inf && lowers(a, event.own, event.dist);
    }
    put_event(a, w, yes, event);
}

#define EVENT_WRITER(name)                                                                         \
    FRI_SHARED(fri_sssp_event, name##_buffer, FRI_PART_BLOCK * 2);                                 \
    event_writer name = {name##_buffer + fri_warp() * 2 * FRI_WARP, 0}

template <class T, class O> static __global__ void relax_kernel(fri_sssp_arrays a) {
    const O *offsets = (const O *)a.push_offsets;
    const int64_t count = a.ranks * a.list_size;
    unsigned long long examined = 0;
    EVENT_WRITER(w);
    for (int64_t base = warp_of_grid() * a.step; base < count; base += warps_of_grid() * a.step) {
        const int64_t k = base + fri_lane();
        const fri_lowered *at = fri_lane() < a.step && k < count ? frontier_at(a, k) : nullptr;
        const fri_lowered x = at ? *at : fri_lowered{0, {0, 0}};
        const O begin = at ? offsets[x.slot] : 0, degree = at ? offsets[x.slot + 1] - begin : 0;
        const int64_t d = dist_of(x);
        examined += (unsigned long long)degree;
        if (!__any_sync(FRI_FULL_MASK, degree > 0))
            continue;
        const int edges = queue_long_rows<O>((fri_edge_chunk *)a.queue, &a.control[QUEUE],
                                             (int32_t)k, begin, degree);
        int total;
        const int before = fri_warp_prefix(edges, &total);
        fri_for_each_chunk<1, 5>(before, total, x.slot, (int64_t)begin, (int64_t)degree,
                                 [&](int i, int owner, fri_edge_chunk edge) {
                                     relax_edge<T>(a, &w, i < total, edge.begin, edge.v,
                                                   __shfl_sync(FRI_FULL_MASK, d, owner));
                                 });
    }
    flush_events(a, &w);
    add_examined(a, examined);
}

template <class T> static __global__ void relax_chunks_kernel(fri_sssp_arrays a) {
    const int64_t count = (int64_t)a.control[QUEUE];
    const fri_edge_chunk *queue = (const fri_edge_chunk *)a.queue;
    EVENT_WRITER(w);
    for (int64_t k = warp_of_grid(); k < count; k += warps_of_grid()) {
        const fri_edge_chunk chunk = queue[k];
        const fri_lowered x = *frontier_at(a, chunk.v);
        for (int e = 0; e < chunk.count; e += FRI_WARP)
            relax_edge<T>(a, &w, e + fri_lane() < chunk.count, chunk.begin + e + fri_lane(), x.slot,
                          dist_of(x));
    }
    flush_events(a, &w);
}

/* ---- the end of a relaxation or pull ------------------------------------------------------------- */

/* Sets or clears the bit of own vertex i in a map. */
static __device__ __forceinline__ void change_bit(uint32_t *map, int32_t i, bool to) {
    const uint32_t bit = 1u << (i % 32);
    /* racy: other threads change other bits of the word */
    if ((fri_racy_load(&map[i / 32]) & bit) == (to ? bit : 0))
        return;
    if (to)
        atomicOr(&map[i / 32], bit);
    else
        atomicAnd(&map[i / 32], ~bit);
}

/* The in-edges of own vertex i. */
template <class O>
static __device__ __forceinline__ int64_t in_degree(const fri_sssp_arrays &a, int32_t i) {
    const O *offsets = (const O *)a.pull_offsets;
    return offsets ? (int64_t)(offsets[i + 1] - offsets[i]) : 0;
}

/* All threads of each block, once per kernel. */
static __device__ __forceinline__ void add_near_edges(const fri_sssp_arrays &a, int64_t edges) {
    fri_grid_add((unsigned long long *)&a.record->near_edges, (unsigned long long)edges);
}

/* A vertex has at most one event with its distance. */
template <class O> static __global__ void settle_kernel(fri_sssp_arrays a) {
    const int64_t count = (int64_t)FRI_MIN(a.control[EVENTS], (unsigned long long)a.events_size);
    int64_t near_min = a.inf, far_min = a.inf, edges = 0;
    for (int64_t base = warp_of_grid() * FRI_WARP; base < count;
         base += warps_of_grid() * FRI_WARP) {
        const int64_t k = base + fri_lane();
        const fri_sssp_event x = k < count ? a.events[k] : fri_sssp_event{0, 0, a.inf};
        const bool current = k < count && a.dist[x.own] == x.dist;
        const bool near = current && x.dist < a.bound;
        if (current) {
            a.parent[x.own] = x.parent;
            change_bit(a.lost, x.own, false);
            change_bit(a.pending, x.own, !near);
            int64_t *min = near ? &near_min : &far_min;
            *min = FRI_MIN(*min, x.dist);
            edges += near ? in_degree<O>(a, x.own) : 0;
        }
        list_lowered(a, near, x.own, x.dist);
    }
    lower_min(a, &a.record->near_min, near_min);
    lower_min(a, &a.record->level.edges, far_min);
    add_near_edges(a, edges);
}

/* The bound has moved: lists the pending vertices below it, and finds the minimum of the others. Vertices whose
 * event is lost are left to the recovery, whose settle_kernel lists them or leaves them pending. */
template <class O> static __global__ void gather_kernel(fri_sssp_arrays a) {
    int64_t near_min = a.inf, far_min = a.inf, edges = 0;
    for_each_word(
        a.words, a.step, [&](int64_t w) { return a.pending[w] & ~a.lost[w]; },
        [&](int64_t w, uint32_t word) {
            const int32_t i = (int32_t)w * 32 + fri_lane();
            const bool on = word >> fri_lane() & 1;
            const int64_t d = on ? a.dist[i] : a.inf;
            const bool near = on && d < a.bound;
            if (near)
                near_min = FRI_MIN(near_min, d);
            else
                far_min = FRI_MIN(far_min, d);
            list_lowered(a, near, i, d);
            const unsigned listed = __ballot_sync(FRI_FULL_MASK, near);
            edges += near ? in_degree<O>(a, i) : 0;
            if (fri_lane() == 0 && listed) /* no other warp has the word */
                a.pending[w] &= ~listed;
        });
    lower_min(a, &a.record->near_min, near_min);
    lower_min(a, &a.record->level.edges, far_min);
    add_near_edges(a, edges);
}

/* ---- pulls ----------------------------------------------------------------------------------------- */

/* Edges of a lane whose loads overlap. */
enum { PULL_ITEMS = FRI_PART_LANE_EDGES < 4 ? FRI_PART_LANE_EDGES : 4 };

/* Whether an edge of this weight, or a heavier one, can lower a vertex at `best`. Edges into an unreached
 * vertex are all examined, so that a sum that does not fit is found. */
template <class T>
static __device__ __forceinline__ bool can_lower(const fri_sssp_arrays &a, typename T::W weight,
                                                 int64_t best) {
    bool low;
    return best == a.inf || T::sum(a.lower_bound, weight, a.inf - 1, &low) < best;
}

/* The distance by an edge from a vertex at d, infinity if that is not reached. */
template <class T>
static __device__ __forceinline__ int64_t distance_by(const fri_sssp_arrays &a, int64_t d,
                                                      typename T::W weight) {
    bool low;
    if (d == a.inf)
        return d;
    return T::sum(d, weight, a.inf - 1, &low);
}

/* racy: this rank's vertices may have either value while they fall; what falls now is relaxed later. */
static __device__ __forceinline__ int64_t source_dist(const fri_sssp_arrays &a, int32_t slot) {
    return fri_racy_load(&a.all_dist[slot]);
}

/* Whole warp: edges [e, end) of a vertex at *best, 32 at once; all lanes get the result. */
template <class T>
static __device__ __forceinline__ void pull_row(const fri_sssp_arrays &a, int64_t e, int64_t end,
                                                int64_t *best, int32_t *parent,
                                                unsigned long long *examined) {
    const pull_edge<typename T::W> *edges = (const pull_edge<typename T::W> *)a.pull_edges;
    int64_t mine = *best;
    int32_t source = -1;
    bool goes_on = true;
    for (; e < end && goes_on; e += FRI_WARP) {
        bool on = e + fri_lane() < end;
        if (on) {
            const pull_edge<typename T::W> x = edges[e + fri_lane()];
            on = can_lower<T>(a, x.w, *best);
            const int64_t sum = on ? distance_by<T>(a, source_dist(a, x.v), x.w) : a.inf;
            if (sum < mine) {
                mine = sum;
                source = x.v;
            }
            (*examined)++;
        }
        *best = warp_min(mine);
        goes_on = __all_sync(FRI_FULL_MASK, on);
    }
    const unsigned winners = __ballot_sync(FRI_FULL_MASK, source >= 0 && mine == *best);
    *parent = __shfl_sync(FRI_FULL_MASK, source, winners ? __ffs((int)winners) - 1 : 0);
}

/* Whole warp, own vertex i per lane, at *best: the first edges of its row by the lane alone, the rest by
 * all lanes. Returns the parent, or -1. */
template <class T>
static __device__ __forceinline__ int32_t pull(const fri_sssp_arrays &a, int64_t e, int64_t end,
                                               int64_t *best, unsigned long long *examined) {
    const pull_edge<typename T::W> *edges = (const pull_edge<typename T::W> *)a.pull_edges;
    int32_t parent = -1;
    bool open = e < end;
    for (int k = 0; k < FRI_PART_LANE_EDGES && open; k += PULL_ITEMS) {
        pull_edge<typename T::W> x[PULL_ITEMS];
        int64_t d[PULL_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++)
            x[j] = edges[e + j < end ? e + j : e];
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++)
            d[j] = source_dist(a, x[j].v);
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++) {
            open = open && e < end;
            if (!open)
                continue;
            open = can_lower<T>(a, x[j].w, *best);
            const int64_t sum = open ? distance_by<T>(a, d[j], x[j].w) : a.inf;
            if (sum < *best) {
                *best = sum;
                parent = x[j].v;
            }
            (*examined)++;
            e++;
        }
    }
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, open && e < end); left; left &= left - 1) {
        const int owner = __ffs((int)left) - 1;
        int64_t least = __shfl_sync(FRI_FULL_MASK, *best, owner);
        int32_t source;
        pull_row<T>(a, __shfl_sync(FRI_FULL_MASK, e, owner), __shfl_sync(FRI_FULL_MASK, end, owner),
                    &least, &source, examined);
        if (fri_lane() == owner && least < *best) {
            *best = least;
            parent = source;
        }
    }
    return parent;
}

template <class T, class O> static __global__ void pull_kernel(fri_sssp_arrays a) {
    const O *offsets = (const O *)a.pull_offsets;
    unsigned long long examined = 0;
    EVENT_WRITER(w);
    for (int64_t base = warp_of_grid() * FRI_WARP; base < a.own;
         base += warps_of_grid() * FRI_WARP) {
        const int32_t i = (int32_t)base + fri_lane();
        const bool on = i < a.own;
        int64_t best = on ? a.dist[i] : 0;
        const int32_t parent = pull<T>(a, on ? (int64_t)offsets[i] : 0,
                                       on ? (int64_t)offsets[i + 1] : 0, &best, &examined);
        if (parent >= 0) {
            a.dist[i] = best;
            /* racy: this rank's own vertices may read either value; what falls now is relaxed again */
            fri_racy_store(&a.all_dist[a.base + i], best);
        }
        put_event(a, &w, parent >= 0, {i, parent, best});
    }
    flush_events(a, &w);
    add_examined(a, examined);
}

/* ---- launches -------------------------------------------------------------------------------------- */

/* Runs what follows with T, the kind of the distances and weights. */
#define BY_WEIGHTS(p, ...)                                                                         \
    FRI_BY_TYPE(T, (p)->weight_type ? (p)->weight_type : FR_TYPE_I32, fri_kind_i64, fri_kind_w64,  \
                fri_kind_f32_f64, fri_kind_f64, __VA_ARGS__)

void fri_gpu_part_sssp_clear(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    FRI_RUN(clear_kernel, blocks_for(p, p->sssp.share), FRI_PART_BLOCK, p->sssp);
    FRI_RUN(open_kernel, 1, 1, p->sssp, true, false);
}

void fri_gpu_part_sssp_set_sources(fri_gpu_part *p, fri_part_sources batch) {
    fri_gpu *g = &p->g;
    FRI_RUN(set_sources_kernel, 1, FRI_PART_SOURCES, p->sssp, batch);
}

static void relax(fri_gpu_part *p, bool recovers) {
    fri_gpu *g = &p->g;
    fri_sssp_arrays a = p->sssp;
    const int64_t count = a.ranks * a.list_size;
    if (!count)
        return;
    a.recovers = recovers;
    a.step = step_for(p, count);
    const unsigned blocks = blocks_of_items(p, a.step, count),
                   chunk_blocks = blocks_for(p, p->queue_size * FRI_WARP);
    BY_WEIGHTS(p,
               FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((relax_kernel<T, O>), blocks, FRI_PART_BLOCK, a)));
    BY_WEIGHTS(p, FRI_RUN((relax_chunks_kernel<T>), chunk_blocks, FRI_PART_BLOCK, a));
}

static void settle(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    const unsigned blocks = blocks_for(p, p->sssp.events_size);
    FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((settle_kernel<O>), blocks, FRI_PART_BLOCK, p->sssp));
}

void fri_gpu_part_sssp_run_relax(fri_gpu_part *p, bool moved) {
    fri_gpu *g = &p->g;
    fri_sssp_arrays a = p->sssp;
    FRI_RUN(open_kernel, 1, 1, a, false, moved);
    relax(p, false);
    if (a.list_size)
        settle(p);
    if (!moved)
        return;
    a.step = step_for(p, a.words);
    const unsigned blocks = blocks_of_items(p, a.step, a.words);
    FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((gather_kernel<O>), blocks, FRI_PART_BLOCK, a));
}

void fri_gpu_part_sssp_run_recover(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    FRI_RUN(reopen_kernel, 1, 1, p->sssp);
    relax(p, true);
    settle(p);
}

void fri_gpu_part_sssp_run_pull(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    const fri_sssp_arrays a = p->sssp;
    FRI_RUN(open_kernel, 1, 1, a, false, true);
    const unsigned blocks = blocks_for(p, a.own);
    BY_WEIGHTS(p,
               FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((pull_kernel<T, O>), blocks, FRI_PART_BLOCK, a)));
    settle(p);
}

void fri_gpu_part_sssp_finish_message(fri_gpu_part *p, fr_status status) {
    fri_gpu *g = &p->g;
    FRI_RUN(finish_message_kernel, 1, FRI_PART_BLOCK, p->sssp, (int64_t)status);
}
