/* What all parts of `auto` on the GPU share: the frontier's forms, its counters, its team. */
#ifndef FRI_AUTO_WORLD_CUH
#define FRI_AUTO_WORLD_CUH

#include "cuda/prim/scan.cuh"
#include "cuda/prim/visit.cuh"

static const int SPAN = 256, MOST_THREADS = 512, SLOTS = 3;

namespace { /* types of this file alone: the counting twin's differ */

/* One entry of the queue: at most SPAN edges of a frontier vertex, so that no warp walks a hub
 * alone; offsets ride along, so that the next level need not wait for them. */
struct alignas(16) span {
    int32_t v, count;
    int64_t begin;
};

/* What is known of a level's frontier. Three take turns: read, written, cleared. */
struct slot {
    unsigned long long edges; /* leaving it */
    int32_t vertices, entries;
    int32_t late, unused; /* spans put off by a pull that writes this slot */
};

/* In fri_gpu.words. */
struct control {
    slot turn[SLOTS];
    unsigned long long examined; /* edges */
    /* what a launch leaves behind */
    unsigned long long explored; /* edges of all frontiers so far */
    int32_t seen, levels, is_bitmap;
};

enum layer { CLUSTER, GRID };

/* What a level was, for `--explain`. */
struct line {
    unsigned long long edges, began; /* leaving the frontier; device's ns */
    int32_t vertices, way;           /* index into the names of gpu_auto.cu */
};

/* A kernel's arguments: fixed, so that they stay in constant memory. */
template <class O> struct world {
    fri_rows<O> out, in;
    int32_t n, symmetric;
    int64_t m;
    int32_t *level, *parent;
    span *queue[2];     /* by depth modulo 2 */
    uint32_t *visited;  /* [words]; valid while the frontier is a bitmap, as front is */
    uint32_t *front[2]; /* by depth modulo 2 */
    control *c;
    line *lines; /* [FRI_GPU_MOST_LEVELS + 1] of this launch's levels, and its end; or NULL */
    int32_t most, small; /* levels to take; entries up to which a cluster serves */
    layer team;
    int32_t direction; /* the knob */
};

/* What changes from level to level, the same in all threads. */
struct state {
    int32_t depth, is_bitmap, seen;
    int turn; /* the slot of this level's frontier */
    unsigned long long explored;
};

/* A thread's share of the level's counters. */
struct tally {
    unsigned long long edges, examined;
    int32_t vertices;
};

} // namespace

template <class O> static __device__ __forceinline__ void team_sync(const world<O> &w) {
    if (w.team == GRID)
        fri_grid_sync();
    else
        fri_cluster_sync();
}

/* Warps are numbered across blocks first, so that a thin frontier spreads over the chip. */
static __device__ __forceinline__ int team_warp() {
    return fri_warp() * (int)gridDim.x + (int)blockIdx.x;
}
static __device__ __forceinline__ int team_warps() {
    return (int)gridDim.x * (int)(blockDim.x / FRI_WARP);
}
static __device__ __forceinline__ int32_t words_of(int32_t n) {
    return (int32_t)(((int64_t)n + FRI_WARP - 1) / FRI_WARP);
}

/* All threads of the block, at the end of a level: their tallies into the next slot. */
static __device__ __forceinline__ void settle(const tally &mine, slot *next, control *c) {
    FRI_SHARED(unsigned long long, sums, 3);
    if (threadIdx.x < 3)
        sums[threadIdx.x] = 0;
    __syncthreads(); /* the sums are zero */
    if (__any_sync(FRI_FULL, mine.vertices || mine.examined)) {
        unsigned long long edges = mine.edges, examined = mine.examined;
        int32_t vertices = mine.vertices;
        for (int d = FRI_WARP / 2; d; d /= 2) {
            edges += __shfl_xor_sync(FRI_FULL, edges, d);
            examined += __shfl_xor_sync(FRI_FULL, examined, d);
            vertices += __shfl_xor_sync(FRI_FULL, vertices, d); /* sm_75 has no __reduce_add_sync */
        }
        if (fri_lane() == 0) { /* one warp of up to 16 that add */
            atomicAdd(&sums[0], edges);
            atomicAdd(&sums[1], examined);
            atomicAdd(&sums[2], (unsigned long long)vertices);
        }
    }
    __syncthreads();                                /* the block's sums are complete */
    if (threadIdx.x == 0 && (sums[1] || sums[2])) { /* one block of many that add */
        atomicAdd(&next->edges, sums[0]);
        atomicAdd(&next->vertices, (int32_t)sums[2]);
        if (sums[1])
            atomicAdd(&c->examined, sums[1]);
    }
}

#endif
