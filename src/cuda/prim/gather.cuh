/* Gathering of adjacency lists by a block whose threads have one list each.
 *
 * Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal" (PPoPP 2012): long lists are walked by
 * the whole block (CTA), middling ones by a warp, the rest through a prefix sum and a window of
 * edge numbers in shared memory, which every thread fills with its own list's. Merge path fills
 * the window by equal shares instead; without either, each thread walks its own list.
 */
#ifndef FRI_CUDA_PRIM_GATHER_CUH
#define FRI_CUDA_PRIM_GATHER_CUH

#include "cuda/prim/merge_path.cuh"
#include "cuda/prim/scan.cuh"

enum { FRI_GATHER_STEP = 1 << 20 }; /* edges of a list in one sum: 1024 of them stay below 2^31 */

/* What is left to gather of a vertex's adjacency. */
template <class O> struct fri_list {
    int32_t vertex;
    O first, left;
};

/* What a turn gives to a thread: an edge number and whose it is; owner -1: nothing. */
template <class O> struct fri_edge {
    O at;
    int32_t owner;
};

enum fri_gather_rest { FRI_REST_BY_THREAD, FRI_REST_BY_SCAN, FRI_REST_BY_MERGE_PATH };

/* Degrees from which lists are gathered by block or warp, 0: never; and how all others are. */
struct fri_gather_plan {
    int by_block, by_warp;
    int rest; /* a fri_gather_rest */
};

/* Of the block, in shared memory. By scan: an edge number and its owner for each place of the
 * window. By merge path: first edge, vertex and end in the sum of each list, and the list for each
 * place of the window. */
template <class O> struct fri_gather_space {
    O *at;            /* [threads] */
    int32_t *owner;   /* [threads] */
    int *end, *place; /* [threads], by merge path only */
};

/* Bytes of it for one thread, and how it lies in `memory`, whose end is returned. */
template <class O> static size_t fri_gather_bytes(int rest) {
    return sizeof(O) + sizeof(int32_t) + (rest == FRI_REST_BY_MERGE_PATH ? 2 * sizeof(int) : 0);
}
template <class O>
static __device__ int32_t *fri_gather_lay(fri_gather_space<O> *space, O *memory, int rest) {
    int32_t *words = (int32_t *)(memory + blockDim.x), threads = (int32_t)blockDim.x;
    *space = {memory, words, words + threads, words + 2 * threads};
    return words + (rest == FRI_REST_BY_MERGE_PATH ? 3 : 1) * threads;
}

/* Of a thread. Starts as {its list}. */
template <class O> struct fri_gather {
    fri_list<O> mine;
    fri_list<O> hand; /* the list that its block or warp walks */
    int stage;        /* 0 block, 1 warp, 2 the rest */
    int step_edges, before, done,
        total; /* by scan: edges of mine in the sum and where they stand */
};

/* Edge `lane` of a list, which moves on by `width`. */
template <class O>
static __device__ __forceinline__ fri_edge<O> fri_deal(fri_list<O> *list, int lane, int width) {
    fri_edge<O> edge = {list->first + (O)lane, (O)lane < list->left ? list->vertex : -1};
    O step = list->left < (O)width ? list->left : (O)width;
    list->first += step;
    list->left -= step;
    return edge;
}

/* The turns below are called by all threads of the block; false, in all of them: nothing left. */

template <class O>
static __device__ bool fri_gather_by_block(fri_gather<O> *g, O from, fri_edge<O> *edge) {
    FRI_SHARED(int, boss, 1);
    FRI_SHARED(fri_list<O>, given, 1);
    if (g->hand.left == 0) { /* the same in all threads */
        if (!__syncthreads_or(g->mine.left >= from))
            return false;
        if (g->mine.left >= from)
            fri_racy_store(boss,
                           (int)threadIdx.x); /* racy: they vie, the one that stays commands */
        __syncthreads();                      /* one has stayed */
        if (*boss == (int)threadIdx.x) {
            *given = g->mine;
            g->mine.left = 0;
        }
        __syncthreads(); /* its list is there; the next vote keeps it until all have read */
        g->hand = *given;
    }
    *edge = fri_deal(&g->hand, (int)threadIdx.x, (int)blockDim.x);
    return true;
}

template <class O>
static __device__ bool fri_gather_by_warp(fri_gather<O> *g, O from, fri_edge<O> *edge) {
    if (g->hand.left == 0) { /* the same in all lanes */
        unsigned asking = __ballot_sync(FRI_FULL_MASK, g->mine.left >= from);
        int boss = asking ? __ffs((int)asking) - 1 : 0;
        g->hand.vertex = __shfl_sync(FRI_FULL_MASK, g->mine.vertex, boss);
        g->hand.first = __shfl_sync(FRI_FULL_MASK, g->mine.first, boss);
        g->hand.left = __shfl_sync(FRI_FULL_MASK, asking ? g->mine.left : 0, boss);
        if (asking && boss == fri_lane())
            g->mine.left = 0;
    }
    *edge = fri_deal(&g->hand, fri_lane(), FRI_WARP);
    return __syncthreads_or(edge->owner >= 0); /* warps keep step: what follows is the block's */
}

/* Starts a sum over the lists that are left; false: they are all empty. */
template <class O> static __device__ bool fri_gather_sum(fri_gather<O> *g) {
    g->step_edges = g->mine.left < (O)FRI_GATHER_STEP ? (int)g->mine.left : FRI_GATHER_STEP;
    g->before = fri_block_sum(g->step_edges, &g->total);
    g->done = 0;
    return g->total > 0;
}

template <class O>
static __device__ bool fri_gather_by_scan(fri_gather<O> *g, fri_gather_space<O> space,
                                          fri_edge<O> *edge) {
    int t = (int)threadIdx.x, window = (int)blockDim.x;
    if (g->done >= g->total && !fri_gather_sum(g)) /* the same in all threads */
        return false;
    for (; g->step_edges && g->before < g->done + window; g->step_edges--, g->before++) {
        fri_edge<O> own = fri_deal(&g->mine, 0, 1);
        space.at[g->before - g->done] = own.at;
        space.owner[g->before - g->done] = own.owner;
    }
    __syncthreads(); /* the window is filled */
    *edge = {0, -1};
    if (g->done + t < g->total)
        *edge = {space.at[t], space.owner[t]};
    __syncthreads(); /* and read */
    g->done += window;
    return true;
}

template <class O>
static __device__ bool fri_gather_by_merge_path(fri_gather<O> *g, fri_gather_space<O> space,
                                                fri_edge<O> *edge) {
    int t = (int)threadIdx.x, window = (int)blockDim.x;
    if (g->done >= g->total) { /* the same in all threads */
        if (!fri_gather_sum(g))
            return false;
        space.at[t] = g->mine.first;
        space.owner[t] = g->mine.vertex;
        space.end[t] = g->before + g->step_edges;
        fri_deal(&g->mine, 0, g->step_edges);
        __syncthreads(); /* the lists are there */
    }
    fri_merge_owners(space.end, g->done, FRI_MIN(window, g->total - g->done), space.place);
    __syncthreads(); /* the window is filled */
    *edge = {0, -1};
    if (g->done + t < g->total) {
        int list = space.place[t], begin = list ? space.end[list - 1] : 0;
        *edge = {space.at[list] + (O)(g->done + t - begin), space.owner[list]};
    }
    __syncthreads(); /* and read */
    g->done += window;
    return true;
}

/* The next turn: an edge or nothing for each thread, until it says false in all threads. */
template <class O>
static __device__ bool fri_gather_next(fri_gather<O> *g, fri_gather_plan plan,
                                       fri_gather_space<O> space, fri_edge<O> *edge) {
    if (g->stage == 0) {
        if (plan.by_block && fri_gather_by_block(g, (O)plan.by_block, edge))
            return true;
        g->stage = 1;
    }
    if (g->stage == 1) {
        if (plan.by_warp && fri_gather_by_warp(g, (O)plan.by_warp, edge))
            return true;
        g->stage = 2;
    }
    if (plan.rest == FRI_REST_BY_SCAN)
        return fri_gather_by_scan(g, space, edge);
    if (plan.rest == FRI_REST_BY_MERGE_PATH)
        return fri_gather_by_merge_path(g, space, edge);
    *edge = fri_deal(&g->mine, 0, 1);
    return __syncthreads_or(edge->owner >= 0); /* threads keep step */
}

#endif
