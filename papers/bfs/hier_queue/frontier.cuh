/* The hierarchy of frontiers of UIUC-BFS: W-Frontiers and B-Frontier of a block in shared memory,
 * G-Frontier in global memory (Luo, Wong, Hwu, DAC 2010, section 3.2, Figs. 3 and 4). */
#ifndef FRI_CUDA_BFS_HIER_QUEUE_FRONTIER_CUH
#define FRI_CUDA_BFS_HIER_QUEUE_FRONTIER_CUH

#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"

namespace {

/* Capacities in entries of int32; 0 entries: that layer is left out. */
struct hier_shape {
    int w_count;    /* W-Frontiers of a block, at most 32 */
    int w_capacity; /* of each W-Frontier */
    int b_capacity;
};

struct hier_control {      /* one per block, in shared memory */
    int w_tail[FRI_WARP];  /* entries offered to each W-Frontier in this level */
    int w_size[FRI_WARP];  /* entries it took */
    int w_first[FRI_WARP]; /* position of its first entry in the B-Frontier */
    int b_tail;            /* entries offered to the B-Frontier by full W-Frontiers */
    int b_size;            /* entries in the B-Frontier */
    int total;             /* entries that W- and B-Frontiers took */
    int to_global;         /* entries written directly to the G-Frontier */
    int found;             /* total of the block in the level that was closed */
    int g_first;           /* the block's position in the G-Frontier */
    int flushed;           /* position of the B-Frontier there when the block leaves its kernel */
};

struct hier_frontier { /* as seen by one thread */
    hier_shape shape;
    hier_control *control;
    int32_t *w, *b; /* shared: [w_count][w_capacity], [b_capacity] */
    int32_t *g;     /* global: capacity for the chunks of all vertices */
    int32_t *g_tail;
};

} // namespace

/* All threads of the block, before its first level; a barrier must follow. */
static __device__ __forceinline__ void hier_reset(hier_control *c) {
    if (threadIdx.x < FRI_WARP)
        c->w_tail[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        c->b_tail = c->to_global = 0;
}

struct hier_places { /* positions of the entries 0 .. count - 1 that a thread reserved together */
    int32_t *w, *b, *g; /* entry i is at w[i], b[i] or g[i] */
    int w_end, b_end;   /* the first entry that is not in w, in b */
    int atomics;        /* atomics that the reservation took */
};

/* Reserves `count` entries of a queue of that capacity. Returns how many fit, from position *at on.
 * Reservations beyond the capacity leave no hole because positions are assigned in order. */
static __device__ __forceinline__ int hier_reserve(int32_t *tail, int capacity, int count,
                                                   int *at) {
    /* reads and advances the tail in one instruction, as the paper does */
    *at = atomicAdd(tail, count);
    return capacity - *at < count ? FRI_MAX(capacity - *at, 0) : count;
}

/* Any thread: reserves in the thread's W-Frontier, what does not fit in the B-Frontier, and the
 * rest in the G-Frontier, which holds any level. Every reserved entry must be written. */
static __device__ __forceinline__ hier_places hier_reserve(const hier_frontier &f, int count) {
    hier_places p = {nullptr, nullptr, nullptr, 0, 0, 0};
    int at;
    if (f.shape.w_count) {
        int mine = fri_lane() % f.shape.w_count;
        p.w_end = hier_reserve(&f.control->w_tail[mine], f.shape.w_capacity, count, &at);
        p.w = f.w + mine * f.shape.w_capacity + at;
        p.atomics++;
    }
    p.b_end = p.w_end;
    if (p.w_end < count && f.shape.b_capacity) {
        p.b_end += hier_reserve(&f.control->b_tail, f.shape.b_capacity, count - p.w_end, &at);
        p.b = f.b + at - p.w_end;
        p.atomics++;
    }
    if (p.b_end < count) {
        atomicAdd(&f.control->to_global, count - p.b_end); /* several threads may add */
        p.g = f.g + atomicAdd(f.g_tail, count - p.b_end) - p.b_end;
        p.atomics += 2;
    }
    return p;
}

static __device__ __forceinline__ void hier_write(const hier_places &p, int i, int32_t entry) {
    if (i < p.w_end)
        p.w[i] = entry;
    else if (i < p.b_end)
        p.b[i] = entry;
    else
        p.g[i] = entry;
}

/* Warp 0: numbers the entries of the block. Only lane 0 gets the block's position in the
 * G-Frontier; the atomic for it is in flight while the caller continues. */
static __device__ __forceinline__ int hier_number(const hier_frontier &f, bool keep) {
    hier_control *c = f.control;
    int lane = fri_lane(), total, place = 0;
    int size = lane < f.shape.w_count ? FRI_MIN(c->w_tail[lane], f.shape.w_capacity) : 0;
    int spilled = FRI_MIN(c->b_tail, f.shape.b_capacity);
    int before = spilled + fri_warp_prefix(size, &total);
    c->w_size[lane] = size;
    c->w_first[lane] = before;
    c->w_tail[lane] = 0;
    __syncwarp(); /* every lane has read b_tail */
    if (lane == 0) {
        total += spilled;
        c->total = total;
        c->found = total + c->to_global;
        c->b_tail = c->to_global = 0;
        c->b_size = FRI_MIN(total, f.shape.b_capacity);
        int leaving = keep ? total - c->b_size : total;
        if (leaving)
            place = atomicAdd(f.g_tail, leaving); /* one per block and level */
    }
    return place;
}

/* Copies the entries of the W-Frontiers that belong at B-Frontier positions [from, to) to
 * queue[position - from], one warp per W-Frontier. */
static __device__ __forceinline__ void hier_copy_w(const hier_frontier &f, int from, int to,
                                                   int32_t *queue) {
    for (int w = fri_warp(); w < f.shape.w_count; w += (int)blockDim.x / FRI_WARP)
        for (int i = fri_lane(); i < f.control->w_size[w]; i += FRI_WARP) {
            int at = f.control->w_first[w] + i;
            if (at >= from && at < to)
                queue[at - from] = f.w[w * f.shape.w_capacity + i];
        }
}

/* Ends a level; all threads of the block. keep: entries stay in the B-Frontier as far as they fit,
 * otherwise all move to the G-Frontier. b_size and found may be read at once. The next append may
 * follow at once into another B-Frontier if all entries stayed in this one, otherwise a barrier
 * must come first. Returns the atomics that this thread issued. */
static __device__ __forceinline__ int hier_close(const hier_frontier &f, bool keep) {
    hier_control *c = f.control;
    __syncthreads(); /* all appends are complete */
    int place = fri_warp() == 0 ? hier_number(f, keep) : 0;
    __syncthreads(); /* sizes and positions are known */
    hier_copy_w(f, 0, f.shape.b_capacity, f.b);
    if (threadIdx.x == 0)
        c->g_first = place;
    __syncthreads();                          /* the B-Frontier is complete */
    int left = keep ? f.shape.b_capacity : 0; /* entries that stay do not count in the G-Frontier */
    if (!keep)
        for (int i = (int)threadIdx.x; i < c->b_size; i += (int)blockDim.x)
            f.g[c->g_first + i] = f.b[i]; /* consecutive threads write consecutive entries */
    if (c->total > f.shape.b_capacity)
        hier_copy_w(f, f.shape.b_capacity, c->total, f.g + c->g_first + f.shape.b_capacity - left);
    return threadIdx.x == 0 && c->total > left;
}

#endif
