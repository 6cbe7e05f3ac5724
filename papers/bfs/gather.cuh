/* Gathers adjacency lists by a block whose threads have one list each.
 *
 * Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal" (PPoPP 2012): long lists are processed
 * by the whole block (CTA), medium ones by a warp, the rest through a prefix sum and a window of
 * edge indices in shared memory, which every thread fills from its own list. Alternatively
 * merge path fills the window in equal shares, or each thread processes its own list. */
#ifndef FRI_BFS_GATHER_CUH
#define FRI_BFS_GATHER_CUH

#include "cuda/prim/scan.cuh"

/* ---- merge path ----
 *
 * The lists' ends and the edge indices are two sorted sequences; merging them takes one step per
 * list and one per edge, and a binary search finds the state after any number of steps, so that
 * threads get equal shares of lists and edges together. Green, McColl, Bader, "GPU Merge Path" (ICS
 * 2012); for frontiers Davidson, Baxter, Garland, Owens (IPDPS 2014), as H-BF describes in section
 * 3. */

/* The number of lists ended after `steps` steps of merging ends[0 .. lists), ascending, with the
 * indices of `edges` edges from `base` on; a list that ends at an edge ends before it. The other
 * steps were edges. Any thread. */
static __device__ __forceinline__ int fri_merge_path(const int *ends, int lists, int base,
                                                     int edges, int steps) {
    int low = steps > edges ? steps - edges : 0, high = steps < lists ? steps : lists;
    while (low < high) {
        int middle = (low + high) / 2;
        if (ends[middle] <= base + steps - 1 - middle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Writes owner[k], the list that edge base + k belongs to, for k in [0, edges). There are as many
 * lists as threads, and the last ends no sooner than the edges. Called by all threads of the block,
 * each with an equal share of steps; a barrier must follow before owner is read. */
static __device__ __forceinline__ void fri_merge_owners(const int *ends, int base, int edges,
                                                        int *owner) {
    int lists = (int)blockDim.x, share = (lists + edges + lists - 1) / lists;
    int step = FRI_MIN((int)threadIdx.x * share, lists + edges);
    int list = fri_merge_path(ends, lists, base, edges, step), edge = step - list;
    for (int i = 0; i < share && edge < edges; i++)
        if (ends[list] <= base + edge)
            list++;
        else
            owner[edge++] = list;
}

/* edges of a list in one sum: the sum of 1024 of them is below 2^31 */
enum { FRI_GATHER_STEP = 1 << 20 };

/* The part of a vertex's adjacency list not gathered yet. */
template <class O> struct fri_list {
    int32_t vertex;
    O first, left;
};

/* The result of a step for a thread: an edge index and its owner; owner -1: no edge. */
template <class O> struct fri_edge {
    O at;
    int32_t owner;
};

enum fri_gather_rest { FRI_REST_BY_THREAD, FRI_REST_BY_SCAN, FRI_REST_BY_MERGE_PATH };

/* Minimum degrees of lists gathered by a block or warp, 0: never; and the method for all others. */
struct fri_gather_plan {
    int by_block, by_warp;
    int rest; /* a fri_gather_rest */
};

/* Per block, in shared memory. By scan: an edge index and its owner for each position of the
 * window. By merge path: first edge, vertex and end in the sum of each list, and the list for each
 * position of the window. */
template <class O> struct fri_gather_space {
    O *at;            /* [threads] */
    int32_t *owner;   /* [threads] */
    int *end, *place; /* [threads], by merge path only */
};

/* Bytes of it per thread; and its layout in `memory`, whose end is returned. */
template <class O> static size_t fri_gather_bytes(int rest) {
    return sizeof(O) + sizeof(int32_t) + (rest == FRI_REST_BY_MERGE_PATH ? 2 * sizeof(int) : 0);
}
template <class O>
static __device__ int32_t *fri_gather_carve(fri_gather_space<O> *space, O *memory, int rest) {
    int32_t *words = (int32_t *)(memory + blockDim.x), threads = (int32_t)blockDim.x;
    *space = {memory, words, words + threads, words + 2 * threads};
    return words + (rest == FRI_REST_BY_MERGE_PATH ? 3 : 1) * threads;
}

/* State of a thread. Starts as {its list}. */
template <class O> struct fri_gather {
    fri_list<O> mine;
    fri_list<O> current; /* the list that its block or warp processes */
    int stage;           /* 0 block, 1 warp, 2 the rest */
    int step_edges, before, done,
        total; /* by scan: edges of mine in the sum, and their first position */
};

/* Edge `lane` of a list, which advances by `width`. */
template <class O>
static __device__ __forceinline__ fri_edge<O> fri_next_edge(fri_list<O> *list, int lane,
                                                            int width) {
    fri_edge<O> edge = {list->first + (O)lane, (O)lane < list->left ? list->vertex : -1};
    O step = list->left < (O)width ? list->left : (O)width;
    list->first += step;
    list->left -= step;
    return edge;
}

/* The steps below are called by all threads of the block; they return false in all threads when
 * nothing is left. */

template <class O>
static __device__ bool fri_gather_by_block(fri_gather<O> *g, O from, fri_edge<O> *edge) {
    FRI_SHARED(int, owner, 1);
    FRI_SHARED(fri_list<O>, given, 1);
    if (g->current.left == 0) { /* the same in all threads */
        if (!__syncthreads_or(g->mine.left >= from))
            return false;
        if (g->mine.left >= from)
            fri_racy_store(owner,
                           (int)threadIdx.x); /* racy: threads compete, the one that remains wins */
        __syncthreads();                      /* the winner is known */
        if (*owner == (int)threadIdx.x) {
            *given = g->mine;
            g->mine.left = 0;
        }
        __syncthreads(); /* its list is written; the next vote keeps it until all have read */
        g->current = *given;
    }
    *edge = fri_next_edge(&g->current, (int)threadIdx.x, (int)blockDim.x);
    return true;
}

template <class O>
static __device__ bool fri_gather_by_warp(fri_gather<O> *g, O from, fri_edge<O> *edge) {
    if (g->current.left == 0) { /* the same in all lanes */
        unsigned asking = __ballot_sync(FRI_FULL_MASK, g->mine.left >= from);
        int owner = asking ? __ffs((int)asking) - 1 : 0;
        g->current.vertex = __shfl_sync(FRI_FULL_MASK, g->mine.vertex, owner);
        g->current.first = __shfl_sync(FRI_FULL_MASK, g->mine.first, owner);
        g->current.left = __shfl_sync(FRI_FULL_MASK, asking ? g->mine.left : 0, owner);
        if (asking && owner == fri_lane())
            g->mine.left = 0;
    }
    *edge = fri_next_edge(&g->current, fri_lane(), FRI_WARP);
    return __syncthreads_or(edge->owner >= 0); /* warps stay in step: block-wide steps follow */
}

/* Starts a sum over the remaining lists; false: all are empty. */
template <class O> static __device__ bool fri_gather_sum(fri_gather<O> *g) {
    g->step_edges = g->mine.left < (O)FRI_GATHER_STEP ? (int)g->mine.left : FRI_GATHER_STEP;
    g->before = fri_block_prefix(g->step_edges, &g->total);
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
        fri_edge<O> own = fri_next_edge(&g->mine, 0, 1);
        space.at[g->before - g->done] = own.at;
        space.owner[g->before - g->done] = own.owner;
    }
    __syncthreads(); /* the window is filled */
    *edge = {0, -1};
    if (g->done + t < g->total)
        *edge = {space.at[t], space.owner[t]};
    __syncthreads(); /* all have read the window */
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
        fri_next_edge(&g->mine, 0, g->step_edges);
        __syncthreads(); /* the lists are written */
    }
    fri_merge_owners(space.end, g->done, FRI_MIN(window, g->total - g->done), space.place);
    __syncthreads(); /* the window is filled */
    *edge = {0, -1};
    if (g->done + t < g->total) {
        int list = space.place[t], begin = list ? space.end[list - 1] : 0;
        *edge = {space.at[list] + (O)(g->done + t - begin), space.owner[list]};
    }
    __syncthreads(); /* all have read the window */
    g->done += window;
    return true;
}

/* The next step: an edge or none for each thread, until it returns false in all threads. */
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
    *edge = fri_next_edge(&g->mine, 0, 1);
    return __syncthreads_or(edge->owner >= 0); /* threads stay in step */
}

#endif
