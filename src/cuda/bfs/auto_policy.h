/* Which way the next level goes, from what is known when it begins: a pure function for host and
 * device, its constants measured on an H200 (132 multiprocessors) and scaled by their number. */
#ifndef FRI_GPU_POLICY_H
#define FRI_GPU_POLICY_H

#include <stdint.h>

typedef struct fri_gpu_facts {
    float vertices, edges; /* of the frontier; edges: stored edges leaving it */
    float unseen;          /* vertices without a level that have in-edges, as far as known */
    float left;            /* stored edges that leave unseen vertices */
    float n, m;
    bool is_bitmap; /* the frontier stands as a bitmap, else as a queue */
} fri_gpu_facts;

/* Expected times in picoseconds with the whole chip at work, barriers left out. */
#define FRI_PUSH_EDGE_PS   10.0f   /* look at a far end's level, now and then claim it */
#define FRI_PULL_EDGE_PS   10.0f   /* probe the frontier's bitmap */
#define FRI_PULL_VERTEX_PS 15.0f   /* offsets, level and parent */
#define FRI_PASS_PS        1.5f    /* a pass over the levels, per vertex: queue <-> bitmap */
#define FRI_PULL_LEAST     8192.0f /* edges below which a level is all latency: stay as you are */

#ifdef __CUDACC__
#define FRI_BOTH static __host__ __device__ __forceinline__
#else
#define FRI_BOTH static inline
#endif

FRI_BOTH float fri_gpu_push_ps(const fri_gpu_facts *f) {
    return f->edges * FRI_PUSH_EDGE_PS + (f->is_bitmap ? f->n * FRI_PASS_PS : 0.0f);
}

/* An unseen vertex's in-edge comes from the frontier with chance edges / m. */
FRI_BOTH float fri_gpu_pull_ps(const fri_gpu_facts *f) {
    float probes = f->m / (f->edges + 1.0f), degree = f->left / (f->unseen + 1.0f);
    probes = probes < degree ? probes : degree;
    return f->unseen * (FRI_PULL_VERTEX_PS + probes * FRI_PULL_EDGE_PS) +
           (f->is_bitmap ? 0.0f : f->n * FRI_PASS_PS);
}

FRI_BOTH bool fri_gpu_pulls(const fri_gpu_facts *f) {
    if (f->edges < FRI_PULL_LEAST)
        return false;
    return fri_gpu_pull_ps(f) < fri_gpu_push_ps(f);
}

#endif
