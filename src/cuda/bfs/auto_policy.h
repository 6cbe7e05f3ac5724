/* Which way the next level goes, from what is known when it begins: pure functions for host and
 * device. Their constants are estimates from an H200's limits (132 multiprocessors: random reads
 * and atomics in L2, bytes per second), the same on every chip; no fit to measured levels. */
#ifndef FRI_GPU_POLICY_H
#define FRI_GPU_POLICY_H

#include <stdint.h>

typedef struct fri_gpu_facts {
    float vertices, edges; /* of the frontier; edges: stored edges leaving it */
    float unseen;          /* vertices without a level that have in-edges, as far as known */
    float left;            /* stored edges that leave unseen vertices */
    float n, m;
    float bias;               /* factor on the expected time of top-down levels; 1 as it is */
    bool is_bitmap, is_queue; /* how the frontier stands; if neither, the levels tell it */
} fri_gpu_facts;

/* Expected times in picoseconds with the whole chip at work, barriers left out. */
#define FRI_PUSH_EDGE_PS   10.0f /* look at a far end's level, now and then claim it */
#define FRI_PULL_EDGE_PS   10.0f /* probe the frontier's bitmap */
#define FRI_PULL_VERTEX_PS 15.0f /* offsets, level and parent */
#define FRI_PASS_PS        1.5f  /* a pass over levels or bitmap, per vertex: change of form */
#define FRI_CHANGE_PS      4e6f  /* such a pass's barrier and chain of reads */

#ifdef __CUDACC__
#define FRI_BOTH static __host__ __device__ __forceinline__
#else
#define FRI_BOTH static inline
#endif

FRI_BOTH float fri_gpu_change_ps(const fri_gpu_facts *f) {
    return f->n * FRI_PASS_PS + FRI_CHANGE_PS;
}

/* From levels to a queue leads a bitmap. */
FRI_BOTH float fri_gpu_push_ps(const fri_gpu_facts *f) {
    float changes = f->is_queue ? 0.0f : f->is_bitmap ? 1.0f : 2.0f;
    return f->edges * FRI_PUSH_EDGE_PS * f->bias + changes * fri_gpu_change_ps(f);
}

/* An unseen vertex's in-edge comes from the frontier with chance edges / m. Who leaves the queue
 * comes back to it some day. */
FRI_BOTH float fri_gpu_pull_ps(const fri_gpu_facts *f) {
    float probes = f->m / (f->edges + 1.0f), degree = f->left / (f->unseen + 1.0f);
    float changes = f->is_queue ? 2.0f : f->is_bitmap ? 0.0f : 1.0f;
    probes = probes < degree ? probes : degree;
    return f->unseen * (FRI_PULL_VERTEX_PS + probes * FRI_PULL_EDGE_PS) +
           changes * fri_gpu_change_ps(f);
}

FRI_BOTH bool fri_gpu_pulls(const fri_gpu_facts *f) {
    return fri_gpu_pull_ps(f) < fri_gpu_push_ps(f);
}

/* The same of the level behind a push of this one: each edge finds a vertex of mean degree, as long
 * as there are edges left. */
FRI_BOTH bool fri_gpu_pulls_next(const fri_gpu_facts *now) {
    fri_gpu_facts next = *now;
    float found = now->edges < now->unseen ? now->edges : now->unseen;
    next.vertices = found;
    next.unseen = now->unseen - found;
    next.edges = found * now->m / now->n;
    next.edges = next.edges < now->left ? next.edges : now->left;
    next.left = now->left - next.edges;
    next.is_bitmap = next.is_queue = false;
    return next.edges >= now->m / 16 && fri_gpu_pulls(&next);
}

#endif
