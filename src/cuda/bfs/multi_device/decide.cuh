/* What a level of `multi-device` does. One thread of each block decides, from the sums of the last joint
 * barrier. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_DECIDE_CUH
#define FRI_CUDA_BFS_MULTI_DEVICE_DECIDE_CUH

#include "cuda/bfs/multi_device/list_level.cuh"

/* Methods of a level in the trace, after the methods of `auto` that occur here. */
static const int METHOD_BY_LISTS = 3, METHOD_BY_SLICES = 4;

/* Cost of a push by slices without edges: two barriers of the grid and the tails of three passes. */
static const float SLICED_LEVEL_PS = 2e7f;

template <class O>
static __device__ fri_cost_input cost_input_of(const slice_params<O> &p, const slice_decision &d) {
    const float share = 1.0f / (float)p.joint.devices, vertices = (float)d.vertices;
    const unsigned long long visited = FRI_MIN(d.vertices_visited, (unsigned long long)p.reachable);
    const float unvisited = (float)FRI_MAX((unsigned long long)p.reachable - visited, 1ull);
    const unsigned long long expanded = d.edges_of_frontiers + (d.must_pull ? d.edges : 0);
    const float left = (float)((unsigned long long)p.m - expanded);
    return {vertices * share,
            (float)d.edges * share,
            unvisited * share,
            left * share,
            (float)p.n * share,
            (float)p.m * share,
            p.own.push_factor,
            d.random_finds > vertices ? fri_fast_divide(vertices, d.random_finds) : 1.0f,
            true,
            false,
            p.own.hub_parents != nullptr};
}

/* One thread of a block: reads the sums of the last joint barrier. */
template <class O>
static __device__ void take_sums(const slice_params<O> &p, const unsigned long long *sums,
                                 const unsigned long long *stored_by, slice_decision *d) {
    const unsigned long long vertices = sums[SUM_VERTICES], other = sums[SUM_OTHER];
    if (p.targets)
        d->targets_found += other;
    else
        d->edges_of_frontiers += other;
    if (other && !p.targets)
        fri_trace_edges_before(p.own.trace, d->done, other);
    d->vertices = vertices & ((1ull << HUBS_SHIFT) - 1);
    d->has_hubs = vertices >> HUBS_SHIFT & 15;
    d->must_pull = vertices >> DEFERRED_SHIFT;
    d->deferred = d->defers;
    d->edges = sums[SUM_EDGES];
    d->words_published += sums[SUM_STORED] & ((1ull << LIST_SHIFT) - 1);
    d->has_bitmap = !d->by_lists;
    d->has_list = true;
    for (int from = 0; from < p.joint.devices; from++) {
        const int32_t listed = (int32_t)(stored_by[from] >> LIST_SHIFT);
        if (p.joint.devices > 1 && listed != NO_LIST)
            d->words_published += (unsigned)FRI_MIN(listed, p.list_edges);
        d->listed[from] = listed;
        d->has_list = d->has_list && listed <= p.list_edges;
    }
}

/* Estimates the edges of a frontier that did not count them, by the mean degree of the vertices that no
 * earlier frontier contained. */
template <class O>
static __device__ unsigned long long deferred_edges(const slice_params<O> &p,
                                                    const slice_decision &d) {
    const float left = (float)((unsigned long long)p.m - d.edges_of_frontiers);
    const float unvisited = (float)p.reachable - (float)d.vertices_visited;
    const float vertices = (float)d.vertices;
    return (unsigned long long)(left *
                                fri_fast_divide(vertices, FRI_MAX(unvisited, 0.0f) + vertices));
}

/* Whether a level reads and writes lists, which then hold all that it finds. A level of more than a few
 * edges does so only if the next level has few as well: its edges are among the `left` ones, which no
 * frontier had. The result depends on integers only, so that all devices agree. */
template <class O>
static __device__ bool goes_by_lists(const slice_params<O> &p, bool has_list,
                                     unsigned long long edges, unsigned long long left) {
    const unsigned long long limit = (unsigned)p.list_edges;
    const bool few = edges <= limit / 8 || (edges <= limit && left <= 4 * limit);
    return has_list && few && p.own.direction != DIRECTION_PULL &&
           p.sliced_push != SLICED_PUSH_ALWAYS;
}

/* One thread of a block: whether a level pushes its frontier by slices; *expected_ps: the time. */
template <class O>
static __device__ bool goes_by_slices(const slice_params<O> &p, const slice_decision &d,
                                      const fri_cost_input &f, float *expected_ps) {
    fri_cost_input rows = f;
    rows.vertices = (float)d.vertices; /* each device has a part of every row */
    if (p.sliced_push == SLICED_PUSH_NEVER || p.own.direction == DIRECTION_PULL || d.by_lists ||
        d.must_pull || !d.has_list || d.vertices > p.max_sliced)
        return false;
    *expected_ps =
        fri_sliced_ps(&rows, p.by_slice.slices, p.own.parent != nullptr, SLICED_LEVEL_PS);
    return p.sliced_push == SLICED_PUSH_ALWAYS ||
           (p.own.direction == DIRECTION_BY_COST && fri_prefers_slices(&f, *expected_ps));
}

/* One thread of a block: decides the direction of a level, and the work that it defers to the next. */
template <class O>
static __device__ void decide_direction(const slice_params<O> &p, slice_decision *d) {
    const fri_cost_input f = cost_input_of(p, *d);
    const bool by_cost = p.own.direction == DIRECTION_BY_COST;
    float sliced_ps = 0;
    d->by_slices = goes_by_slices(p, *d, f, &sliced_ps);
    d->bottom_up =
        !d->by_lists && !d->by_slices &&
        (p.own.direction == DIRECTION_PULL || d->must_pull || (by_cost && fri_prefers_pull(&f)));
    d->defers = !d->by_lists && !d->bottom_up && by_cost && !p.targets &&
                d->done + 1 < p.own.max_levels && fri_next_prefers_pull(&f);
    d->random_finds = fri_random_finds(&f) * (float)p.joint.devices;
    d->also_lists = !d->by_lists && !d->defers && p.list_edges &&
                    p.own.direction != DIRECTION_PULL &&
                    fri_predict_next(&f).edges * (float)p.joint.devices <= 2 * (float)p.list_edges;
    fri_trace_level(p.own.trace, d->done, d->vertices, d->edges,
                    d->by_lists    ? METHOD_BY_LISTS
                    : d->by_slices ? METHOD_BY_SLICES
                    : d->bottom_up ? METHOD_BOTTOM_UP
                                   : METHOD_TOP_DOWN,
                    d->by_slices   ? sliced_ps
                    : d->bottom_up ? fri_pull_ps(&f)
                                   : fri_push_ps(&f));
}

/* One thread of a block: decides which bitmaps this level clears and writes. */
static __device__ __forceinline__ void decide_bitmaps(int32_t depth, slice_decision *d) {
    const int32_t spare = 1 << (depth + 2) % 3;
    d->clears = d->dirty & spare;
    d->dirty &= ~spare;
    if (d->bottom_up && !d->has_bitmap)
        d->dirty |= 1 << depth % 3;
    if (!d->by_lists)
        d->dirty |= 1 << (depth + 1) % 3;
}

/* One thread of a block: a level whose lists are empty finds nothing. It counts as done, and ends the
 * traversal. */
template <class O> static __device__ void skip_level(const slice_params<O> &p, slice_decision *d) {
    fri_trace_level(p.own.trace, d->done, d->vertices, d->edges, METHOD_BY_LISTS, 0);
    d->vertices = d->edges = 0;
    d->ends = true;
    d->done++;
}

/* One thread of a block; the sums and `stored_by` are of the last joint barrier. */
template <class O>
static __device__ void decide_slice_level(const slice_params<O> &p, int32_t depth,
                                          const unsigned long long *sums,
                                          const unsigned long long *stored_by, slice_decision *d) {
    if (d->done)
        take_sums(p, sums, stored_by, d);
    d->ends = d->vertices == 0 || d->done == p.own.max_levels ||
              (p.targets && d->targets_found >= p.targets_wanted);
    if (d->ends)
        return;
    d->vertices_visited += d->vertices;
    d->edges_of_frontiers += d->edges;
    if (d->must_pull)
        d->edges = deferred_edges(p, *d);
    d->by_lists = goes_by_lists(p, d->has_list && !d->must_pull, d->edges,
                                (unsigned long long)p.m - d->edges_of_frontiers);
    if (d->by_lists && entries_of(*d, p.joint.devices) == 0)
        return skip_level(p, d);
    decide_direction(p, d);
    decide_bitmaps(depth, d);
    d->initializes = d->bottom_up && d->uninitialized;
    d->uninitialized &= !d->bottom_up;
    d->done++;
}

#endif
