/* Which way the next level goes, from what is known when it begins: pure functions for host and
 * device. Their constants were fitted by hand to levels that an H200 took (six graphs of
 * `--suite gpu`, some levels both ways); the same on every chip. */
#ifndef FRI_CUDA_BFS_AUTO_COST_MODEL_H
#define FRI_CUDA_BFS_AUTO_COST_MODEL_H

#include <stdint.h>

typedef struct fri_cost_input {
    float vertices, edges; /* of the frontier; edges: stored edges leaving it */
    float unseen;          /* vertices without a level that have in-edges, as far as known */
    float left;            /* stored edges that leave unseen vertices */
    float n, m;
    float push_cost;          /* factor on the expected time of top-down levels; 1 as it is */
    float prediction_ratio;   /* what the level before found, of what chance would: at most 1 */
    bool is_bitmap, is_queue; /* how the frontier stands; if neither, the levels tell it */
    bool uses_hub_parents;    /* a pull looks at likely parents first */
} fri_cost_input;

/* Expected times in picoseconds with the whole chip at work. */
#define FRI_PUSH_EDGE_PS    12.0f /* look at a far end */
#define FRI_PUSH_FIND_PS    70.0f /* claim it, write level and parent, read its offsets */
#define FRI_PUSH_AGGREGATED 0.5f  /* of both, where pushes mind hot words (push_aggregated.cuh) */
#define FRI_PULL_EDGE_PS    10.0f /* probe the frontier's bitmap */
#define FRI_PULL_VERTEX_PS  6.0f  /* an open vertex: likely parent, offsets */
#define FRI_PULL_WORDS_PS   0.3f  /* the bitmap of the open ones, per vertex of the graph */
#define FRI_PASS_PS         0.7f  /* a pass over levels or bitmap, per vertex: change of form */
#define FRI_LEVEL_PS        2e6f  /* what the chain of reads of a level or a pass adds */
#define FRI_CONVERSION_PS   3e6f  /* such a pass's barrier and chain of reads */
#define FRI_HUB_FRONTIER    4.0f  /* times the mean degree: a frontier of hubs */
#define FRI_HUB_PROBES      0.5f  /* of the probes that chance would have it take */

#ifdef __CUDACC__
#define FRI_HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define FRI_HOST_DEVICE static inline
#endif

/* One thread of each block decides while the chip waits: no division that is exact to the last bit.
 */
FRI_HOST_DEVICE float fri_fast_divide(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

FRI_HOST_DEVICE float fri_conversion_ps(const fri_cost_input *f) {
    return f->n * FRI_PASS_PS + FRI_CONVERSION_PS;
}

/* Vertices that the frontier's edges would find if they led anywhere by chance. */
FRI_HOST_DEVICE float fri_expected_finds(const fri_cost_input *f) {
    float ends = f->edges * fri_fast_divide(f->left, f->m);
    return ends * fri_fast_divide(f->unseen, ends + f->unseen + 1.0f);
}

/* From levels to a queue leads a bitmap. */
FRI_HOST_DEVICE float fri_push_ps(const fri_cost_input *f) {
    float changes = f->is_queue ? 0.0f : f->is_bitmap ? 1.0f : 2.0f;
    float work = f->edges * FRI_PUSH_EDGE_PS +
                 f->prediction_ratio * fri_expected_finds(f) * FRI_PUSH_FIND_PS;
    return (work + FRI_LEVEL_PS) * f->push_cost + changes * fri_conversion_ps(f);
}

/* An unseen vertex's in-edge comes from the frontier with chance edges / m, less in a graph whose
 * edges stay near. Who leaves the queue comes back to it some day. */
FRI_HOST_DEVICE float fri_pull_ps(const fri_cost_input *f) {
    float probes = fri_fast_divide(f->m, f->edges * f->prediction_ratio + 1.0f);
    float degree = fri_fast_divide(f->left, f->unseen + 1.0f);
    float changes = f->is_bitmap ? 0.0f : f->is_queue ? 2.0f : 1.0f;
    bool hubs = f->edges * f->n > FRI_HUB_FRONTIER * f->m * f->vertices;
    probes *= hubs && f->uses_hub_parents ? FRI_HUB_PROBES : 1.0f;
    probes = probes < degree ? probes : degree;
    return f->unseen * (FRI_PULL_VERTEX_PS + probes * FRI_PULL_EDGE_PS) + f->n * FRI_PULL_WORDS_PS +
           FRI_LEVEL_PS + changes * fri_conversion_ps(f);
}

FRI_HOST_DEVICE bool fri_prefers_pull(const fri_cost_input *f) {
    return fri_pull_ps(f) < fri_push_ps(f);
}

/* Whether a queue is so short that neither this level nor, with mean degrees, the next one can be
 * one to pull: no need to look closer. */
FRI_HOST_DEVICE bool fri_is_surely_push(const fri_cost_input *f) {
    const float most = (FRI_PUSH_EDGE_PS + FRI_PUSH_FIND_PS) * f->push_cost;
    return f->is_queue && f->edges * most < f->n * FRI_PULL_WORDS_PS &&
           16.0f * f->edges * f->left < f->m * f->unseen;
}

/* What is known of the next level before it is there: what this one finds has the mean degree of
 * the unseen, and edges that stay near find less and less. */
FRI_HOST_DEVICE fri_cost_input fri_predict_next(const fri_cost_input *now) {
    fri_cost_input next = *now;
    next.vertices = now->prediction_ratio * fri_expected_finds(now);
    next.unseen = now->unseen - next.vertices;
    next.edges = now->left * fri_fast_divide(next.vertices, now->unseen + 1.0f);
    next.left = now->left - next.edges;
    next.prediction_ratio = now->prediction_ratio * now->prediction_ratio;
    return next;
}

/* Whether the level behind a push of this one will be pulled. */
FRI_HOST_DEVICE bool fri_next_prefers_pull(const fri_cost_input *now) {
    fri_cost_input next = fri_predict_next(now);
    next.is_bitmap = true;
    next.is_queue = false;
    return next.edges >= now->m / 16 && fri_prefers_pull(&next);
}

/* Whether the level behind a pull of this one will be pushed, if it stands in both forms. */
FRI_HOST_DEVICE bool fri_next_prefers_push(const fri_cost_input *now) {
    fri_cost_input next = fri_predict_next(now);
    next.is_bitmap = next.is_queue = true;
    return !fri_prefers_pull(&next);
}

#endif
