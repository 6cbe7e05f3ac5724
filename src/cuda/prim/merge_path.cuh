/* Load balancing by merge path.
 *
 * The lists' ends and the edge indices are two sorted sequences; merging them takes one step per
 * list and one per edge, and a binary search finds the state after any number of steps, so that
 * threads get equal shares of lists and edges together. Green, McColl, Bader, "GPU Merge Path" (ICS
 * 2012); for frontiers Davidson, Baxter, Garland, Owens (IPDPS 2014), as H-BF describes in section
 * 3.
 * Called by: gather.cuh. */
#ifndef FRI_CUDA_PRIM_MERGE_PATH_CUH
#define FRI_CUDA_PRIM_MERGE_PATH_CUH

#include "cuda/prim/dialect.cuh"

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

#endif
