/* Top-down levels of xbfs: warps take equal shares of the frontier's edges. */
#ifndef FRI_CUDA_BFS_XBFS_TOP_DOWN_CUH
#define FRI_CUDA_BFS_XBFS_TOP_DOWN_CUH

#include "papers/bfs/xbfs/queue.cuh"
#include "cuda/prim/visit.cuh"

namespace {

/* 32 vertices of a warp, one per lane, whose units are consecutive. */
template <class O> struct window {
    int32_t u;
    O before, first, end; /* units before; edges */
};

/* What a level does with the targets it reaches: with a queue to fill the claim is atomic and the
 * winning thread enqueues (scan-free); without, all write the same level and a scan will find the
 * vertex. */
template <class O> struct expansion {
    edge_queue<O> to;
    bool enqueue;
    int32_t *pending; /* of this warp */
    int held;
    packed checked;
};

template <class O>
__device__ __forceinline__ bool visit(const traversal<O> &t, bool enqueue, int32_t v, int32_t u) {
    if (enqueue)
        return fri_claim(t.out, v, u, t.depth, t.level, t.parent);
    if (fri_racy_load(&t.level[v]) < 0) {
        /* racy: all store the same level, and any of their ids is a valid parent */
        fri_racy_store(&t.level[v], t.depth + 1);
        if (t.parent)
            fri_racy_store(&t.parent[v], u);
    }
    return false;
}

/* All 32 lanes: expands `count` units starting at `from`, all within the window. */
template <class O>
__device__ void walk(const traversal<O> &t, const window<O> &w, O from, O count, expansion<O> *x) {
    for (O k = 0; k < count; k += FRI_WARP) {
        bool mine = (O)fri_lane() < count - k;
        O at = from + k + (O)fri_lane();
        int owner = 0;
        for (int step = FRI_WARP / 2; step; step /= 2) {
            O before = __shfl_sync(FRI_FULL_MASK, w.before, owner + step);
            owner += before <= at ? step : 0;
        }
        int32_t u = __shfl_sync(FRI_FULL_MASK, w.u, owner);
        O into = at - __shfl_sync(FRI_FULL_MASK, w.before, owner);
        O e = __shfl_sync(FRI_FULL_MASK, w.first, owner) + (into << t.grain);
        O end = __shfl_sync(FRI_FULL_MASK, w.end, owner);
        for (int i = 0; i < 1 << t.grain; i++) {
            bool there = mine && (O)i < end - e, won = false;
            int32_t v = 0;
            if (there) {
                v = t.out.targets[e + (O)i];
                won = visit(t, x->enqueue, v, u);
            }
            x->checked += there;
            if (x->enqueue)
                x->held = keep(t, x->to, x->pending, x->held, won, v);
        }
    }
}

template <class O>
__device__ __forceinline__ expansion<O> begin_expansion(const edge_queue<O> &to, bool enqueue) {
    FRI_SHARED_DYNAMIC(int32_t, pending);
    return {to, enqueue, pending + fri_warp() * PENDING, 0, 0};
}

template <class O>
__device__ __forceinline__ void end_expansion(const traversal<O> &t, expansion<O> *x) {
    if (x->enqueue)
        flush(t, x->to, x->pending, x->held);
    FRI_COUNT(t.out, FR_COUNTER_EDGES, x->checked);
    if (!t.grain)
        return; /* the frontier's units are its edges */
    packed checked;
    fri_warp_prefix(x->checked, &checked);
    if (fri_lane() == 0)
        atomicAdd(&t.now->checked, checked);
}

/* Expands the units [from, from + count) of a queue; all 32 lanes. */
template <class O>
__device__ void walk_share(const traversal<O> &t, const edge_queue<O> &q, uint32_t size, O total,
                           O from, O count, expansion<O> *x) {
    uint32_t first = owner_of(q, size, from);
    while (count) {
        window<O> w = {0, total, 0, 0}; /* lanes beyond the queue own nothing */
        if (fri_lane() < (int)(size - first < FRI_WARP ? size - first : FRI_WARP)) {
            w.u = q.vertex[first + (uint32_t)fri_lane()];
            w.before = q.before[first + (uint32_t)fri_lane()];
            w.first = t.out.offsets[w.u];
            w.end = t.out.offsets[w.u + 1];
        }
        O stop = size - first > FRI_WARP ? q.before[first + FRI_WARP] : total;
        O here = stop - from < count ? stop - from : count;
        walk(t, w, from, here, x);
        from += here;
        count -= here;
        if (count) /* skips vertices of degree 0 at once */
            first = here ? first + FRI_WARP : owner_of(q, size, from);
    }
}

/* Each warp takes `span` units of the queue. */
template <class O>
static __global__ void __launch_bounds__(1024)
    top_down_kernel(traversal<O> t, edge_queue<O> from, edge_queue<O> to, bool enqueue,
                    uint32_t span) {
    uint32_t size = count_of(t, *from.tail);
    O total = units_of(t, *from.tail);
    expansion<O> x = begin_expansion(to, enqueue);
    packed warps = (packed)gridDim.x * blockDim.x / FRI_WARP;
    packed warp = ((packed)blockIdx.x * blockDim.x + threadIdx.x) / FRI_WARP;
    for (packed at = warp * span; at < (packed)total; at += warps * span) {
        O count = total - (O)at < (O)span ? total - (O)at : (O)span;
        walk_share(t, from, size, total, (O)at, count, &x);
    }
    end_expansion(t, &x);
    clear_next(t);
}

/* One edge of u per lane; all 32 lanes. */
template <class O>
__device__ __forceinline__ void step(const traversal<O> &t, bool there, int32_t u, O e,
                                     expansion<O> *x) {
    int32_t v = there ? t.out.targets[e] : 0;
    bool won = there && visit(t, x->enqueue, v, u);
    x->checked += there;
    if (x->enqueue)
        x->held = keep(t, x->to, x->pending, x->held, won, v);
}

template <class O> struct shared_row { /* of the vertex that the block expands */
    int32_t u;
    O e, end;
};

/* A thread's rows that are long enough, one after the other by all threads of the block. */
template <class O>
__device__ void expand_by_block(const traversal<O> &t, int32_t u, O *e, O end, shared_row<O> *row,
                                expansion<O> *x) {
    while (__syncthreads_or(end - *e >= (O)BLOCK_DEGREE)) {
        if (end - *e >= (O)BLOCK_DEGREE)
            fri_racy_store(&row->u, u); /* racy: any of them is a valid choice */
        __syncthreads();                /* the row is chosen */
        if (end - *e >= (O)BLOCK_DEGREE && row->u == u) { /* a queue holds a vertex once */
            row->e = *e;
            row->end = end;
            *e = end;
        }
        __syncthreads(); /* its edges are known */
        int32_t owner = row->u;
        O last = row->end;
        for (O k = row->e + (O)(threadIdx.x / FRI_WARP * FRI_WARP); k < last; k += (O)blockDim.x)
            step(t, k + (O)fri_lane() < last, owner, k + (O)fri_lane(), x);
        __syncthreads(); /* all have read the row before the next one is chosen */
    }
}

/* A thread, a warp or a block per vertex, by its degree, as in Enterprise, which the paper builds on. */
template <class O>
static __global__ void __launch_bounds__(1024)
    by_degree_top_down_kernel(traversal<O> t, edge_queue<O> from, edge_queue<O> to, bool enqueue) {
    FRI_SHARED(shared_row<O>, row, 1);
    uint32_t size = count_of(t, *from.tail), threads = gridDim.x * blockDim.x;
    expansion<O> x = begin_expansion(to, enqueue);
    for (uint32_t first = blockIdx.x * blockDim.x; first < size; first += threads) {
        int32_t u = first + threadIdx.x < size ? from.vertex[first + threadIdx.x] : -1;
        O e = u < 0 ? 0 : t.out.offsets[u], end = u < 0 ? 0 : t.out.offsets[u + 1];
        expand_by_block(t, u, &e, end, row, &x);
        while (unsigned middle = __ballot_sync(FRI_FULL_MASK, end - e >= (O)WARP_DEGREE)) {
            int lane = __ffs((int)middle) - 1;
            int32_t owner = __shfl_sync(FRI_FULL_MASK, u, lane);
            O at = __shfl_sync(FRI_FULL_MASK, e, lane) + (O)fri_lane();
            O last = __shfl_sync(FRI_FULL_MASK, end, lane);
            for (; at - (O)fri_lane() < last; at += FRI_WARP)
                step(t, at < last, owner, at, &x);
            e = fri_lane() == lane ? end : e;
        }
        while (__any_sync(FRI_FULL_MASK, e < end)) {
            step(t, e < end, u, e, &x);
            e += e < end;
        }
    }
    end_expansion(t, &x);
    clear_next(t);
}

/* No queue generation (section 4.1, Observation 2): the frontier is picked out of the queue of the
 * preceding bottom-up pass; a warp expands the edges of 32 of its vertices. Hubs are deferred to
 * the whole grid. */
template <class O>
static __global__ void __launch_bounds__(1024)
    no_queue_kernel(traversal<O> t, const int32_t *list, edge_queue<O> to, bool enqueue,
                    edge_queue<O> hubs, uint32_t hub_units) {
    uint32_t size = count_of(t, t.last->listed), threads = gridDim.x * blockDim.x;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    expansion<O> x = begin_expansion(to, enqueue);
    for (uint32_t first = i - (uint32_t)fri_lane(); first < size; first += threads, i += threads) {
        int32_t u = i < size ? list[i] : -1;
        /* racy: others may be setting level[u] to depth + 1, never to depth */
        bool frontier = u >= 0 && fri_racy_load(&t.level[u]) == t.depth;
        O units = frontier ? units_of(t, one_of(t, u)) : 0, total;
        bool hub = units >= (O)hub_units;
        if (__any_sync(FRI_FULL_MASK, hub))
            append(t, hubs, hub, u);
        O before = fri_warp_prefix(hub ? 0 : units, &total);
        window<O> w = {u, before, 0, 0};
        if (frontier) {
            w.first = t.out.offsets[u];
            w.end = t.out.offsets[u + 1];
        }
        walk(t, w, (O)0, total, &x);
    }
    end_expansion(t, &x);
    clear_next(t);
}

} // namespace

#endif
