/* The published strategies (papers/) that the library itself runs, all of them in this table; any other runs only
 * where its name is given. Included by the driver's memory plan, SSSP `auto` and APSP `johnson`. */
#ifndef FRI_PUBLISHED_H
#define FRI_PUBLISHED_H

/* `auto` does not fit: the first that fits and accepts the weights, a good general one first, then the one with the
 * least memory. */
#define FRI_PUBLISHED_SMALL_BFS  "coalesced-map", "virtual-warp"
#define FRI_PUBLISHED_SMALL_SSSP "near-far", "hbf", "topology-bf"
/* SSSP with a negative weight; topology-bf, which takes a tenth of its time for nvcc, in a build without it
 * (FRINGE_GPU_STRATEGIES=auto). */
#define FRI_PUBLISHED_NEGATIVE_SSSP       "hbf"
#define FRI_PUBLISHED_NEGATIVE_SSSP_SMALL "topology-bf"
/* APSP johnson: the search for potentials. */
#define FRI_PUBLISHED_POTENTIALS "workfront-sweep"

#endif
