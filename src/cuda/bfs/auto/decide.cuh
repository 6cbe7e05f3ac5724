/* What `auto`'s grid does next: one thread of each block decides; all blocks read the same values
 * and so reach the same decision. */
#ifndef FRI_CUDA_BFS_AUTO_DECIDE_CUH
#define FRI_CUDA_BFS_AUTO_DECIDE_CUH

#include "cuda/bfs/auto/cost_model.h"
#include "cuda/bfs/auto/params.cuh"

static const int SMALL_STREAK_LIMIT =
    8; /* consecutive small levels after which the small kernel takes over */

namespace {
/* Is in shared memory, which saves registers; only the block's first thread writes it. */
struct decision {
    frontier_size first;                          /* the launch's first frontier */
    unsigned long long edges_of_frontiers;        /* out-edges of all frontiers so far */
    int32_t vertices_visited, small_streak, done; /* done: levels of this launch */
    int32_t entries;                              /* of the queue, if the frontier is one */
    int32_t vertices, levels;                     /* of the frontier; run by a single block */
    unsigned edges;                               /* of a frontier for a single block */
    float predicted_finds;                        /* random_finds times locality_ratio */
    /* vertices that the last level would find if its edges led to random ones; 0: unknown */
    float random_finds;
    int clean;                     /* bit d % 2: the bitmap frontier_bits[d % 2] is zero */
    frontier_kind kind, next_kind; /* of this frontier and the next one */
    bool launch_ends, bottom_up;   /* no further level in this launch; this level is a pull */
    bool single_block;             /* one block runs this level and those that follow */
    bool skip_queue;               /* the level after this push will be pulled: it needs no queue */
    bool clears_bitmap; /* this level's bitmap must be cleared before it is built from the queue */
    bool uninitialized; /* level and parent of vertices not found yet are undefined */
    bool defers_levels; /* this push leaves writing levels to the next level */
    level_flags flags;
    bool limits_queue; /* GRID_SHORT_QUEUES: this push must not queue what it finds */
    bool wants_slices; /* the launch ends for a push by slices */
    float sliced_ps;   /* expected time of that push */
};
} // namespace

template <class O>
static __device__ fri_cost_input cost_input_of(const bfs_params<O> &p, const level_counters &now,
                                               const decision &dec) {
    const float unvisited = (float)FRI_MAX(p.reachable - dec.vertices_visited, 1);
    float unvisited_edges = (float)((unsigned long long)p.m - dec.edges_of_frontiers),
          edges = (float)now.edges;
    if (dec.flags.levels_deferred) { /* the mean degree times their number */
        edges =
            unvisited_edges * fri_fast_divide((float)now.vertices, unvisited + (float)now.vertices);
        unvisited_edges -= edges;
    }
    float locality_ratio = dec.random_finds > (float)now.vertices
                               ? fri_fast_divide((float)now.vertices, dec.random_finds)
                               : 1.0f;
    return {(float)now.vertices,
            edges,
            unvisited,
            unvisited_edges,
            (float)p.n,
            (float)p.m,
            p.push_factor,
            locality_ratio,
            dec.kind == BITMAP,
            dec.kind == QUEUE || dec.flags.also_queues,
            p.hub_parents != nullptr};
}

/* Whether the frontier of a level that was expected to be pulled is about as large as predicted:
 * then the level is pulled although its edges were not counted. */
static __device__ __forceinline__ bool prediction_held(const level_counters &now,
                                                       const decision &dec) {
    return dec.flags.levels_deferred && (float)now.vertices * 4.0f > dec.predicted_finds;
}

/* A pull writes the levels of a frontier that the push before has left to it. Here these are few, as
 * each is written alone, where a level that the next pull writes is part of a full cache line. */
static const float DEFERRING_PULL_MAX_FRONTIER = 1.0f / 64;

/* Whether this pull should write no levels: the next pull writes those with its own and -1 for the rest,
 * and sums the degrees of both. Otherwise this one would write all levels, and the next one would write a
 * part of nearly every cache line again, and read the offsets again. */
template <class O>
static __device__ __forceinline__ bool may_defer_pull(const bfs_params<O> &,
                                                      const fri_cost_input &) {
    return false;
}
template <class O>
static __device__ __forceinline__ bool may_defer_pull(const deferring_params<O> &p,
                                                      const fri_cost_input &f) {
    return p.pulls_defer &&
           (p.direction == DIRECTION_PULL ||
            (f.vertices <= f.n * DEFERRING_PULL_MAX_FRONTIER && fri_next_prefers_pull(&f)));
}

/* The representations of this frontier and the next one, and what the level does on the way. */
template <class P>
static __device__ void decide_form(const P &p, int32_t depth, const fri_cost_input &f,
                                   decision *dec) {
    const int here = 1 << (depth & 1), there = 1 << ((depth + 1) & 1);
    const bool queued = dec->flags.also_queues,
               may_write_bitmap = (p.features & FEATURE_DIRECT_BITMAP) && (dec->clean & there);
    /* the levels are undefined, so no bitmap can be built from them */
    dec->skip_queue &= may_write_bitmap || !dec->uninitialized;
    const bool writes_bitmap = dec->skip_queue && may_write_bitmap;
    if (!dec->bottom_up && queued)
        dec->kind = QUEUE;
    dec->clears_bitmap = dec->bottom_up && dec->kind == QUEUE && !(dec->clean & here);
    if (dec->kind == LEVELS || (dec->bottom_up && dec->kind == QUEUE))
        dec->clean &= ~here;
    if (dec->bottom_up || writes_bitmap)
        dec->clean &= ~there;
    dec->next_kind = dec->bottom_up || writes_bitmap ? BITMAP : dec->skip_queue ? LEVELS : QUEUE;
    dec->predicted_finds = f.locality_ratio * dec->random_finds;
    dec->defers_levels = writes_bitmap && (p.features & FEATURE_DEFERRED_LEVELS) &&
                         (p.features & FEATURE_BITMAP_CLAIMS);
    dec->flags.pull_defers = dec->bottom_up && may_defer_pull(p, f);
    dec->defers_levels |= dec->flags.pull_defers;
    dec->flags.initializes = dec->bottom_up && dec->uninitialized && !dec->flags.pull_defers;
    dec->uninitialized &= !dec->bottom_up || dec->flags.pull_defers;
    dec->flags.also_queues = dec->bottom_up && (p.features & FEATURE_PULL_QUEUES) &&
                             p.direction == DIRECTION_BY_COST && !dec->flags.pull_defers &&
                             fri_next_prefers_push(&f);
}

/* Any thread, after a grid barrier: counters that other SMs wrote before it. */
template <class O>
static __device__ level_counters read_counters(const bfs_params<O> &p, int phase) {
    const level_counters *s = &p.control->counters[phase];
    return {fri_volatile_load(&s->edges),
            fri_volatile_load(&s->vertices),
            fri_volatile_load(&s->entries),
            0,
            0,
            fri_volatile_load(&s->uncounted_edges)};
}

/* One thread, when a launch begins with a frontier that exists already. */
template <class O>
static __device__ frontier_size read_frontier_size(const bfs_params<O> &p, int phase) {
    const level_counters now = read_counters(p, phase);
    return {now.edges, now.vertices, now.entries};
}

/* What GRID_SHORT_QUEUES decides in addition follows; the queues of the other variants have room for
 * all vertices. */

/* An upper bound of the vertices that this level finds, before dec->done counts it. A queue's chunks
 * bound its edges. Otherwise these are not known if the push before did not count them, and at the
 * beginning of a launch they may be an estimate of the small kernel. */
template <class O>
static __device__ __forceinline__ int32_t max_finds(const short_queue_params<O> &p,
                                                    const level_counters &now, bool queued,
                                                    const decision &dec) {
    const int32_t unvisited = FRI_MAX(p.findable - dec.vertices_visited, 0);
    unsigned long long finds = (unsigned long long)unvisited;
    if (queued)
        finds = FRI_MIN(finds, (unsigned long long)now.entries * CHUNK_EDGES);
    if (dec.done && !dec.flags.levels_deferred)
        finds = FRI_MIN(finds, now.edges);
    return (int32_t)finds;
}

/* A frontier that has no queue and does not fit into one is pulled from; one whose next frontier may
 * not fit is pulled from, or its push writes no queue. */
template <class O>
static __device__ __forceinline__ void limit_queue(const bfs_params<O> &, const level_counters &,
                                                   bool, int32_t, decision *) {}
template <class O>
static __device__ __forceinline__ void limit_queue(const short_queue_params<O> &p,
                                                   const level_counters &now, bool queued,
                                                   int32_t depth, decision *dec) {
    const bool may_write_bitmap =
        (p.features & FEATURE_DIRECT_BITMAP) && (dec->clean & 1 << ((depth + 1) & 1));
    const bool too_many = max_finds(p, now, queued, *dec) > p.queue_vertices;
    /* without a bitmap the next frontier would be in the levels, which are undefined so far */
    dec->bottom_up |= (!queued && now.vertices > p.queue_vertices) ||
                      (too_many && dec->uninitialized && !may_write_bitmap);
    dec->limits_queue = too_many && !dec->bottom_up && !dec->skip_queue;
    dec->skip_queue = !dec->bottom_up && (dec->skip_queue || too_many);
}

/* After decide_form(): a push that skips the queue for its size alone writes levels and counts edges,
 * from which the next level's direction follows. */
template <class O>
static __device__ __forceinline__ void limit_next_queue(const bfs_params<O> &, decision *) {}
template <class O>
static __device__ __forceinline__ void limit_next_queue(const short_queue_params<O> &p,
                                                        decision *dec) {
    dec->flags.also_queues &= p.findable - dec->vertices_visited <= p.queue_vertices;
    dec->defers_levels &= !dec->limits_queue;
}

template <class O>
static __device__ __forceinline__ float sliced_ps(const bfs_params<O> &p, const fri_cost_input &f) {
    return fri_sliced_ps(&f, p.slices, p.parent != nullptr, FRI_SLICED_LEVEL_PS);
}

/* Whether this level is to be a push by slices. Not the first of a launch, whose edges may be an
 * estimate: the number of hubs must be bounded. */
template <class O>
static __device__ __forceinline__ bool prefers_slices(const bfs_params<O> &p,
                                                      const level_counters &now, bool queued,
                                                      const fri_cost_input &f, bool by_cost) {
    if (p.slices == 0 || !queued || now.edges < p.sliced_min_edges || p.direction == DIRECTION_PULL)
        return false;
    const unsigned long long hubs =
        FRI_MIN((unsigned long long)now.vertices, now.edges / fri_hub_min_degree(p.slices));
    if (hubs > (unsigned long long)p.max_hubs)
        return false;
    return p.sliced_min_edges == 0 || (by_cost && fri_prefers_slices(&f, sliced_ps(p, f)));
}

/* One thread of a block, when a level begins; a block barrier must follow. One thread reads for all
 * because L2 serializes reads of one address. */
template <class O, grid_variant VARIANT>
static __device__ void decide_level(const grid_params<O, VARIANT> &p, int32_t depth, int phase,
                                    decision *dec) {
    const bool AGGREGATED = VARIANT == GRID_AGGREGATED;
    const level_counters now =
        dec->done ? read_counters(p, phase)
                  : level_counters{dec->first.edges, dec->first.vertices, dec->first.entries, 0, 0};
    dec->entries = now.entries;
    dec->kind = dec->next_kind;
    dec->flags.levels_deferred = dec->defers_levels;
    /* when a launch begins, flush_deferred() of the previous one has added them to `edges` */
    const unsigned long long uncounted_edges = dec->done ? now.uncounted_edges : 0;
    if (uncounted_edges)
        fri_trace_edges_before(p.trace, dec->done, uncounted_edges);
    /* a bitmap's entries are undefined here: faster blocks may already be queueing it */
    const bool queued = dec->kind == QUEUE || dec->flags.also_queues;
    const int32_t entries = queued ? now.entries : now.vertices;
    dec->small_streak =
        is_small(entries, now.edges, streak_max_entries(p)) ? dec->small_streak + 1 : 0;
    dec->launch_ends = dec->done && (now.vertices == 0 || dec->done == p.max_levels ||
                                     (dec->small_streak > SMALL_STREAK_LIMIT && queued));
    dec->edges_of_frontiers += uncounted_edges;
    if (dec->launch_ends && dec->flags.also_queues)
        dec->kind = QUEUE;
    if (dec->launch_ends)
        return;
    dec->vertices_visited += now.vertices;
    dec->edges_of_frontiers += now.edges;
    dec->single_block = AGGREGATED && (p.features & FEATURE_SINGLE_BLOCK) &&
                        p.direction != DIRECTION_PULL && queued &&
                        fits_single_block(entries, now.edges);
    if (dec->single_block) {
        dec->vertices = now.vertices;
        dec->edges = (unsigned)now.edges;
        dec->kind = dec->next_kind = QUEUE;
        dec->defers_levels = dec->flags.also_queues = dec->flags.levels_deferred = false;
        dec->random_finds = 0;
        dec->done++;
        return;
    }
    const fri_cost_input f = cost_input_of(p, now, *dec);
    const bool uses_cost_model = p.direction == DIRECTION_BY_COST &&
                                 dec->small_streak <= SMALL_STREAK_LIMIT && !fri_is_surely_push(&f);
    dec->wants_slices =
        !AGGREGATED && dec->done && prefers_slices(p, now, queued, f, uses_cost_model);
    if (dec->wants_slices) {
        dec->sliced_ps = sliced_ps(p, f);
        dec->launch_ends = true;
        dec->kind = QUEUE;
        return;
    }
    dec->bottom_up = p.direction == DIRECTION_PULL ||
                     (uses_cost_model && (prediction_held(now, *dec) || fri_prefers_pull(&f)));
    dec->skip_queue = uses_cost_model && !dec->bottom_up && (p.features & FEATURE_SKIP_QUEUE) &&
                      fri_next_prefers_pull(&f);
    dec->random_finds = fri_random_finds(&f);
    limit_queue(p, now, queued, depth, dec);
    decide_form(p, depth, f, dec);
    limit_next_queue(p, dec);
    dec->done++;
    if (p.trace)
        trace_level(p, dec->done - 1, now, dec->bottom_up ? METHOD_BOTTOM_UP : METHOD_TOP_DOWN,
                    dec->bottom_up ? fri_pull_ps(&f) : fri_push_ps(&f));
}

#endif
