/* Bottom-up levels of xbfs: unvisited vertices search for a parent (section 5). */
#ifndef FRI_CUDA_BFS_XBFS_BOTTOM_UP_CUH
#define FRI_CUDA_BFS_XBFS_BOTTOM_UP_CUH

#include "papers/bfs/xbfs/queue.cuh"

namespace {

/* Which threads scan a vertex's neighbors (section 5.1.2). */
enum balance {
    BY_DEGREE, /* a thread, a warp or a block by its degree: Enterprise's, the paper's baseline */
    BY_STATIC, /* one thread; thread tid has the vertices tid, tid + threads, ... */
    WARP_CENTRIC,  /* one thread; a warp fetches 32 at a time from a counter (Algorithm 2) */
    THREAD_CENTRIC /* one thread; each fetches its next vertex from the counter (Algorithm 1) */
};
enum { ROUND = 5 /* neighbors a thread checks before idle threads fetch */, MAX_BATCH = 4 };

/* A lane's vertex, its edges still to be checked, and a neighbor on its own level. */
template <class O> struct search {
    int32_t v, next_level_parent; /* -1: none */
    O e, end;
};

struct thread_counters { /* a thread's share of level_counters */
    packed found, early, checked;
};

template <class O>
__device__ __forceinline__ void set_level(const traversal<O> &t, int32_t v, int32_t u,
                                          int32_t level, packed *sum) {
    fri_racy_store(&t.level[v], level); /* racy: others read it; v belongs to this thread alone */
    if (t.parent)
        t.parent[v] = u;
    *sum += one_of(t, v);
}

/* Ends a search: its parent is `u`; or, if all neighbors are checked, one of its own level (by
 * Lemma 2 v then belongs to the next level); or none. */
template <class O>
__device__ __forceinline__ void finish(const traversal<O> &t, search<O> *s, int32_t u,
                                       thread_counters *sum) {
    if (u >= 0)
        set_level(t, s->v, u, t.depth + 1, &sum->found);
    else if (s->next_level_parent >= 0) {
        set_level(t, s->v, s->next_level_parent, t.depth + 2, &sum->early);
        FRI_COUNT(t.out, FR_COUNTER_EARLY, 1);
    }
    s->v = -1;
}

/* A neighbor's level. Racy, and possibly stale: the frontier's levels were written before this
 * pass; a write of this pass may be missed (then the vertex waits for the next pass) but never
 * misread. */
template <class O> __device__ __forceinline__ int32_t level_of(const traversal<O> &t, int32_t u) {
    return __ldca(&t.level[u]);
}

/* Checks up to `max_checks` neighbors, the first alone (it is often a parent), then t.batch at a time so
 * that their loads overlap; the search may end (v is -1 then). */
template <class O>
__device__ __forceinline__ void check(const traversal<O> &t, search<O> *s, int max_checks,
                                      thread_counters *sum) {
    for (int width = 1; max_checks > 0 && s->e < s->end; width = t.batch) {
        int32_t u[MAX_BATCH], level[MAX_BATCH];
        int count = width < max_checks ? width : max_checks;
        count = s->end - s->e < (O)count ? (int)(s->end - s->e) : count;
        for (int k = 0; k < MAX_BATCH; k++)
            u[k] = k < count ? t.in.targets[s->e + (O)k] : -1;
        for (int k = 0; k < MAX_BATCH; k++)
            level[k] = k < count ? level_of(t, u[k]) : -1;
        sum->checked += (packed)count;
        s->e += (O)count;
        max_checks -= count;
        for (int k = 0; k < MAX_BATCH; k++) {
            if (level[k] == t.depth) {
                finish(t, s, u[k], sum);
                return;
            }
            if (t.asynchronous && level[k] == t.depth + 1)
                s->next_level_parent = u[k];
        }
    }
    if (s->e >= s->end)
        finish(t, s, -1, sum);
}

/* Starts the search of the queue's i-th vertex if it is still unvisited. */
template <class O>
__device__ __forceinline__ void take(const traversal<O> &t, const int32_t *list, uint32_t i,
                                     search<O> *s) {
    int32_t v = list[i];
    if (t.stale && t.level[v] >= 0)
        return; /* found ahead of its level */
    *s = {v, -1, t.in.offsets[v], t.in.offsets[v + 1]};
}

/* All 32 lanes scan the rest of lane `owner`'s search. */
template <class O>
__device__ void scan_by_warp(const traversal<O> &t, search<O> *s, int owner, thread_counters *sum) {
    O e = __shfl_sync(FRI_FULL_MASK, s->e, owner),
      left = __shfl_sync(FRI_FULL_MASK, s->end, owner) - e;
    int32_t parent = -1;
    while (left > 0 && parent < 0) {
        bool mine = (O)fri_lane() < left;
        int32_t u = mine ? t.in.targets[e + (O)fri_lane()] : 0;
        int32_t level = mine ? level_of(t, u) : -1;
        sum->checked += mine;
        unsigned up = __ballot_sync(FRI_FULL_MASK, level == t.depth);
        unsigned next_level_parent =
            __ballot_sync(FRI_FULL_MASK, t.asynchronous && level == t.depth + 1);
        if (up)
            parent = __shfl_sync(FRI_FULL_MASK, u, __ffs((int)up) - 1);
        if (next_level_parent) {
            int32_t other = __shfl_sync(FRI_FULL_MASK, u, __ffs((int)next_level_parent) - 1);
            s->next_level_parent = fri_lane() == owner ? other : s->next_level_parent;
        }
        e += FRI_WARP;
        left -= left < FRI_WARP ? left : (O)FRI_WARP;
    }
    if (fri_lane() == owner)
        finish(t, s, parent, sum);
}

/* The same by the whole block; the search belongs to thread `owner`. */
template <class O> struct shared_search {
    O e, left;
    int32_t owner, parent, next_level_parent;
};
template <class O>
__device__ void scan_by_block(const traversal<O> &t, search<O> *s, shared_search<O> *b,
                              thread_counters *sum) {
    O e = b->e, left = b->left;
    for (bool up = false; left > 0 && !up;) {
        bool mine = (O)threadIdx.x < left;
        int32_t u = mine ? t.in.targets[e + (O)threadIdx.x] : 0;
        int32_t level = mine ? level_of(t, u) : -1;
        sum->checked += mine;
        /* racy: any neighbor of that level is a valid parent */
        if (level == t.depth)
            fri_racy_store(&b->parent, u);
        else if (t.asynchronous && level == t.depth + 1)
            fri_racy_store(&b->next_level_parent, u);
        up = __syncthreads_or(level == t.depth); /* also: the neighbors are written */
        e += (O)blockDim.x;
        left -= left < (O)blockDim.x ? left : (O)blockDim.x;
    }
    if ((int32_t)threadIdx.x == b->owner) {
        s->next_level_parent = b->next_level_parent;
        finish(t, s, b->parent, sum);
    }
}

/* Adds the block's counters to the level's counters; all threads. */
template <class O> __device__ void report(const traversal<O> &t, const thread_counters &sum) {
    packed found, early = 0, checked;
    FRI_COUNT(t.out, FR_COUNTER_EDGES, sum.checked);
    fri_block_prefix(sum.found, &found);
    fri_block_prefix(sum.checked, &checked);
    if (t.asynchronous)
        fri_block_prefix(sum.early, &early);
    if (threadIdx.x == 0) { /* one atomic per block and word */
        if (found)
            atomicAdd(&t.now->found, found);
        if (early)
            atomicAdd(&t.now->early, early);
        if (checked)
            atomicAdd(&t.now->checked, checked);
    }
}

/* All 32 lanes: large vertices by the block, medium ones by the warp, small ones by a thread. */
template <class O>
static __global__ void __launch_bounds__(1024)
    by_degree_kernel(traversal<O> t, const int32_t *list) {
    FRI_SHARED(shared_search<O>, block, 1);
    uint32_t size = count_of(t, t.now->listed), threads = gridDim.x * blockDim.x;
    thread_counters sum = {0, 0, 0};
    for (uint32_t first = blockIdx.x * blockDim.x; first < size; first += threads) {
        search<O> s = {-1, -1, 0, 0};
        if (first + threadIdx.x < size)
            take(t, list, first + threadIdx.x, &s);
        while (__syncthreads_or(s.v >= 0 && s.end - s.e >= (O)BLOCK_DEGREE)) {
            if (s.v >= 0 && s.end - s.e >= (O)BLOCK_DEGREE)
                /* racy: any of them is a valid choice */
                fri_racy_store(&block->owner, (int32_t)threadIdx.x);
            __syncthreads(); /* the owner is chosen */
            if (block->owner == (int32_t)threadIdx.x) {
                block->e = s.e;
                block->left = s.end - s.e;
                block->parent = block->next_level_parent = -1;
            }
            __syncthreads(); /* its search is stored */
            scan_by_block(t, &s, block, &sum);
        }
        for (;;) {
            unsigned middle =
                __ballot_sync(FRI_FULL_MASK, s.v >= 0 && s.end - s.e >= (O)WARP_DEGREE);
            if (!middle)
                break;
            scan_by_warp(t, &s, __ffs((int)middle) - 1, &sum);
        }
        if (s.v >= 0)
            check(t, &s, INT32_MAX, &sum);
    }
    report(t, sum);
    clear_next(t);
}

/* Any lane that took its i-th vertex: requests the index after i, long before it is needed. The
 * result is for next_of. */
template <class O>
__device__ __forceinline__ uint32_t request_index(const traversal<O> &t, int balance,
                                                  uint32_t fetch, uint32_t i) {
    uint32_t threads = gridDim.x * blockDim.x, base = i / FRI_WARP * FRI_WARP + FRI_WARP;
    if (balance == BY_STATIC)
        return i + threads;
    bool shared = balance == WARP_CENTRIC;
    if (shared && (fri_lane() || (i >= threads && (base - threads) % fetch)))
        return base; /* the rest of what was fetched; or no fetch by this lane, but by lane 0 */
    FRI_COUNT(t.out, FR_COUNTER_ATOMICS, 1);
    /* for the whole warp, or for this thread alone */
    return threads + (uint32_t)atomicAdd(&t.now->cursor, shared ? fetch : 1);
}

/* All 32 lanes: this lane's next index. */
__device__ __forceinline__ uint32_t next_of(int balance, uint32_t asked) {
    if (balance == WARP_CENTRIC)
        return __shfl_sync(FRI_FULL_MASK, asked, 0) + (uint32_t)fri_lane();
    return asked;
}

/* A thread per vertex. donate: neighbors checked between two tests of which lanes are finished (0:
 * none); once 31 lanes are finished, all scan the last one's vertex. */
template <class O>
static __global__ void __launch_bounds__(1024)
    by_thread_kernel(traversal<O> t, const int32_t *list, int balance, uint32_t fetch, int donate) {
    uint32_t size = count_of(t, t.now->listed);
    uint32_t asked = blockIdx.x * blockDim.x + threadIdx.x, i = asked;
    int max_checks = donate ? donate : balance == THREAD_CENTRIC ? (int)ROUND : INT32_MAX;
    search<O> s = {-1, -1, 0, 0};
    thread_counters sum = {0, 0, 0};
    for (bool first = true, dry = false;; first = false) {
        if (balance == THREAD_CENTRIC || !__any_sync(FRI_FULL_MASK, s.v >= 0)) {
            bool idle = s.v < 0 && !dry;
            uint32_t next = first ? asked : next_of(balance, asked);
            i = idle ? next : i;
            dry = s.v < 0 && i >= size;
            if (__all_sync(FRI_FULL_MASK, dry))
                break;
            bool took = idle && !dry;
            if (took)
                take(t, list, i, &s);
            if (took || balance != THREAD_CENTRIC)
                asked = request_index(t, balance, fetch, i);
        }
        if (s.v >= 0)
            check(t, &s, max_checks, &sum);
        unsigned busy = donate ? __ballot_sync(FRI_FULL_MASK, s.v >= 0) : 0;
        if (__popc(busy) == 1 &&
            (balance != THREAD_CENTRIC || __all_sync(FRI_FULL_MASK, s.v >= 0 || dry)))
            scan_by_warp(t, &s, __ffs((int)busy) - 1, &sum);
    }
    report(t, sum);
    clear_next(t);
}

} // namespace

#endif
