/* Cost model of the next level's direction, from what is known when it begins: pure functions for
 * host and device. The constants were fitted by hand to levels measured on an H200 (six graphs of
 * `--suite gpu`, some levels in both directions) and are the same on every GPU. */
#ifndef FRI_CUDA_BFS_AUTO_COST_MODEL_H
#define FRI_CUDA_BFS_AUTO_COST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fri_cost_input {
    float vertices, edges; /* of the frontier; edges: its stored out-edges */
    float unvisited;       /* vertices without a level that have in-edges, as far as known */
    float unvisited_edges; /* stored out-edges of unvisited vertices */
    float n, m;
    /* factor on the whole expected time of a push (edges, finds and FRI_LEVEL_PS), but not on that
     * of conversions: knob push_cost_percent / 100, times FRI_PUSH_AGGREGATED_FACTOR if claims are
     * aggregated */
    float push_factor;
    /* vertices found by the last level / vertices it would have found if its edges led to random
     * vertices; at most 1, lower if edges are local */
    float locality_ratio;
    bool is_bitmap, is_queue; /* the frontier's representation; neither: levels only */
    bool uses_hub_parents;    /* a pull first probes a hub parent (hub_parent_kernel) */
} fri_cost_input;

/* Expected times in picoseconds with all multiprocessors busy. */
#define FRI_PUSH_EDGE_PS   12.0f /* test a target */
#define FRI_PUSH_FIND_PS   70.0f /* claim it, write level and parent, read its offsets */
#define FRI_PULL_EDGE_PS   10.0f /* probe the frontier's bitmap */
#define FRI_PULL_VERTEX_PS 6.0f  /* an unvisited vertex: its hub parent, offsets */
#define FRI_PULL_WORDS_PS  0.3f  /* the bitmap of visited vertices, per vertex of the graph */
#define FRI_PASS_PS        0.7f  /* a pass over levels or bitmap, per vertex: a conversion */
#define FRI_LEVEL_PS       2e6f  /* fixed cost of a level or pass: its chain of dependent reads */
#define FRI_CONVERSION_PS  3e6f  /* fixed cost of a conversion: barrier and dependent reads */
#define FRI_HUB_FRONTIER   4.0f  /* times the mean degree: a frontier of hubs */
/* factor on the expected number of probes, with a frontier of hubs */
#define FRI_HUB_PROBES 0.5f
/* part of push_factor with aggregated claims (push_aggregated.cuh) */
#define FRI_PUSH_AGGREGATED_FACTOR 0.5f

/* A push by slices (push_sliced.cuh). */
#define FRI_SLICED_EDGE_PS   2.5f  /* read a target, test its bit in shared memory */
#define FRI_SLICED_BOUND_PS  50.0f /* search a hub's row for its first edge to a slice */
#define FRI_SLICED_PARENT_PS 46.0f /* write the parent of a vertex that is found */
#define FRI_SLICED_VERTEX_PS 0.8f  /* load and store the bits, per vertex of the graph */
#define FRI_SLICED_LEVEL_PS  9e7f  /* fixed cost in `auto`: four launches, three kernels' tails */
#define FRI_SLICED_HUBS      0.55f /* part of the frontier's vertices that are hubs */
/* Edges per slice from which a vertex is a hub: with fewer it costs less to push them one by one. */
#define FRI_HUB_EDGES_PER_SLICE 6
/* It is taken if its time is below these parts of the other expected times, which are too long for
 * frontiers of hubs: measured pushes take 0.4 of it, pulls 0.65 to 1.1. */
#define FRI_SLICED_PART_OF_PUSH 0.45f
#define FRI_SLICED_PART_OF_PULL 0.72f
/* The same in graphs of at least FRI_LARGE_PULL_VERTICES: their bitmap and what else a pull streams exceed the L2 of an H200, so
 * that a probe takes longer than on the graphs to which FRI_PULL_EDGE_PS was fitted. */
#define FRI_SLICED_PART_OF_LARGE_PULL 0.87f
#define FRI_LARGE_PULL_VERTICES       2e8f

#ifdef __CUDACC__
#define FRI_HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define FRI_HOST_DEVICE static inline
#endif

/* One thread of each block decides while all others wait: approximate division is sufficient. */
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

/* Vertices that the frontier's edges would find if they led to random vertices. */
FRI_HOST_DEVICE float fri_random_finds(const fri_cost_input *f) {
    float ends = f->edges * fri_fast_divide(f->unvisited_edges, f->m);
    return ends * fri_fast_divide(f->unvisited, ends + f->unvisited + 1.0f);
}

/* The conversion from levels to a queue goes through a bitmap. */
FRI_HOST_DEVICE float fri_push_ps(const fri_cost_input *f) {
    float changes = f->is_queue ? 0.0f : f->is_bitmap ? 1.0f : 2.0f;
    float work =
        f->edges * FRI_PUSH_EDGE_PS + f->locality_ratio * fri_random_finds(f) * FRI_PUSH_FIND_PS;
    return (work + FRI_LEVEL_PS) * f->push_factor + changes * fri_conversion_ps(f);
}

/* An unvisited vertex's in-edge comes from the frontier with probability edges / m, lower if edges
 * are local. Leaving queue form costs a conversion back later, so both are charged. */
FRI_HOST_DEVICE float fri_pull_ps(const fri_cost_input *f) {
    float probes = fri_fast_divide(f->m, f->edges * f->locality_ratio + 1.0f);
    float degree = fri_fast_divide(f->unvisited_edges, f->unvisited + 1.0f);
    float changes = f->is_bitmap ? 0.0f : f->is_queue ? 2.0f : 1.0f;
    bool hubs = f->edges * f->n > FRI_HUB_FRONTIER * f->m * f->vertices;
    probes *= hubs && f->uses_hub_parents ? FRI_HUB_PROBES : 1.0f;
    probes = probes < degree ? probes : degree;
    return f->unvisited * (FRI_PULL_VERTEX_PS + probes * FRI_PULL_EDGE_PS) +
           f->n * FRI_PULL_WORDS_PS + FRI_LEVEL_PS + changes * fri_conversion_ps(f);
}

FRI_HOST_DEVICE bool fri_prefers_pull(const fri_cost_input *f) {
    return fri_pull_ps(f) < fri_push_ps(f);
}

FRI_HOST_DEVICE int32_t fri_hub_min_degree(int32_t slices) {
    return slices * FRI_HUB_EDGES_PER_SLICE;
}

/* `parents`: whether they are written; fixed_ps: cost of a level without edges. */
FRI_HOST_DEVICE float fri_sliced_ps(const fri_cost_input *f, int32_t slices, bool parents,
                                    float fixed_ps) {
    const float max_hubs = fri_fast_divide(f->edges, (float)fri_hub_min_degree(slices));
    const float hubs = FRI_SLICED_HUBS * (f->vertices < max_hubs ? f->vertices : max_hubs);
    const float finds = parents ? f->locality_ratio * fri_random_finds(f) : 0.0f;
    return f->edges * FRI_SLICED_EDGE_PS + hubs * (float)slices * FRI_SLICED_BOUND_PS +
           finds * FRI_SLICED_PARENT_PS + f->n * FRI_SLICED_VERTEX_PS + fixed_ps;
}

/* Frontiers of fewer edges are not pushed by slices: a push costs less than the fixed part. */
FRI_HOST_DEVICE unsigned long long fri_sliced_min_edges(float n) {
    return (unsigned long long)((FRI_SLICED_LEVEL_PS + n * FRI_SLICED_VERTEX_PS) /
                                FRI_PUSH_EDGE_PS);
}

/* `sliced_ps`: expected time of the push by slices. */
FRI_HOST_DEVICE bool fri_prefers_slices(const fri_cost_input *f, float sliced_ps) {
    const float part_of_pull =
        f->n < FRI_LARGE_PULL_VERTICES ? FRI_SLICED_PART_OF_PULL : FRI_SLICED_PART_OF_LARGE_PULL;
    return sliced_ps < FRI_SLICED_PART_OF_PUSH * fri_push_ps(f) &&
           sliced_ps < part_of_pull * fri_pull_ps(f);
}

/* Whether a queue is so short that neither this level nor, with mean degrees, the next one can
 * prefer a pull: then no closer estimate is needed. */
FRI_HOST_DEVICE bool fri_is_surely_push(const fri_cost_input *f) {
    const float most = (FRI_PUSH_EDGE_PS + FRI_PUSH_FIND_PS) * f->push_factor;
    return f->is_queue && f->edges * most < f->n * FRI_PULL_WORDS_PS &&
           16.0f * f->edges * f->unvisited_edges < f->m * f->unvisited;
}

/* Prediction of the next level: what this one finds has the mean degree of unvisited vertices, and
 * local edges find fewer new vertices from level to level. */
FRI_HOST_DEVICE fri_cost_input fri_predict_next(const fri_cost_input *now) {
    fri_cost_input next = *now;
    next.vertices = now->locality_ratio * fri_random_finds(now);
    next.unvisited = now->unvisited - next.vertices;
    next.edges = now->unvisited_edges * fri_fast_divide(next.vertices, now->unvisited + 1.0f);
    next.unvisited_edges = now->unvisited_edges - next.edges;
    next.locality_ratio = now->locality_ratio * now->locality_ratio;
    return next;
}

/* Whether the level after a push of this one will be pulled. */
FRI_HOST_DEVICE bool fri_next_prefers_pull(const fri_cost_input *now) {
    fri_cost_input next = fri_predict_next(now);
    next.is_bitmap = true;
    next.is_queue = false;
    return next.edges >= now->m / 16 && fri_prefers_pull(&next);
}

/* Whether the level after a pull of this one will be pushed, if both its bitmap and its queue
 * exist. */
FRI_HOST_DEVICE bool fri_next_prefers_push(const fri_cost_input *now) {
    fri_cost_input next = fri_predict_next(now);
    next.is_bitmap = next.is_queue = true;
    return !fri_prefers_pull(&next);
}

#endif
