/* Parameters of a traversal by bfs4k: its knobs, with automatic ones chosen from the graph. For C
 * and .cu files. */
#ifndef FRI_CUDA_BFS_BFS4K_PLAN_H
#define FRI_CUDA_BFS_BFS4K_PLAN_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* The strategy's knobs, in the order of its table. */
enum {
    BFS4K_K1,
    BFS4K_K2,
    BFS4K_K3,
    BFS4K_K4,
    BFS4K_K5,
    BFS4K_K6,
    BFS4K_K7,
    BFS4K_SCAN,
    BFS4K_DYNAMIC,
    BFS4K_CHILD,
    BFS4K_DISCOVER,
    BFS4K_READS,
    BFS4K_HASH,
    BFS4K_CLAIM,
    BFS4K_PERSISTENT,
    BFS4K_CLUSTER,
    BFS4K_QUEUE
};

/* Maximum hubs of one level, and maximum if each gets a child: half of the pending launches that a
 * device holds. */
enum { BFS4K_MAX_HUBS = 4096, BFS4K_MAX_CHILDREN = 1024 };

typedef struct fri_bfs4k_plan {
    int32_t min_width; /* K1 */
    int32_t dynamic;   /* 0: virtual warps are always K1 wide */
    /* K2: rows of at least this degree are deferred to children; INT64_MAX: none */
    int64_t hub_degree;
    int32_t child_edges;   /* K3 */
    int32_t hub_unit;      /* edges of a child's block, K3 K6 */
    int32_t max_hubs;      /* of one level; further ones are expanded like any vertex */
    int32_t grid_hubs;     /* persistent kernels share hubs among their blocks: no children */
    int32_t k4;            /* 0: no edge-discover */
    int32_t extended;      /* extended form of edge-discover */
    int32_t one_block_max; /* K5: maximum frontier of the one-block kernel; 0: never */
    int32_t one_threads;   /* of the one-block kernel */
    int32_t block;         /* K6 */
    /* K7: found vertices per thread from which writes are coalesced; 0: never */
    int32_t coalesce_from;
    int32_t scan; /* 0: one atomic per vertex, 1: prefix sum, 2: also its binary variant */
    int32_t share_reads;
    int32_t hash_exchange, hash_by_warp;          /* 0 or 1 */
    int32_t hash_one, hash_many, hash_persistent; /* table sizes as powers of two; 0: no table */
    int32_t claim;              /* 0: racing stores, 1: atomics in many-block kernels, 2: in all */
    int32_t persistent_threads; /* of the persistent many-block kernel; 0: a launch per level */
    int32_t cluster;            /* blocks of the persistent kernel if it is one cluster; 0: none */
    int32_t cluster_max;        /* maximum frontier of the cluster */
    int32_t resident;           /* threads that the device holds at once */
    int32_t capacity;           /* entries of a queue */
    int32_t size;    /* of the current frontier; above capacity: not all vertices are queued */
    int64_t counted; /* counting build: edges counted so far */
} fri_bfs4k_plan;

/* Entries of a queue, from n and the knob alone. */
int32_t fri_bfs4k_capacity(const fri_gpu *g);
/* Fills g->state after fri_gpu_prepare: the strategy's prepare. */
fr_status fri_bfs4k_prepare(fri_job *job);

FRI_C_END
#endif
