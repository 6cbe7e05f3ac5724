/* All levels of a batch in one kernel. */
#ifndef FRI_CUDA_BFS_MANY_LEVELS_CUH
#define FRI_CUDA_BFS_MANY_LEVELS_CUH

#include "cuda/bfs/many/consumers.cuh"
#include "cuda/bfs/many/pull.cuh"
#include "cuda/bfs/many/push.cuh"

/* One thread per block: what all blocks know after the barrier before level `depth`. */
template <int W, class O>
static __device__ __forceinline__ void fri_many_decide(const fri_many<O> &p,
                                                       fri_many_level *level) {
    const int depth = level->depth;
    const fri_many_counts *now = &p.control->counts[depth % FRI_PHASES];
    const unsigned long long active = fri_volatile_load(&now->active);
    fri_bits early = 0, late = 0;
    for (int w = 0; w < W; w++) { /* a source that found nothing has ended */
        const fri_bits any = fri_volatile_load(&now->any[w]), waits = p.control->late[w];
        level->full[w] &= any | (depth ? 0 : waits);
        early |= any & ~waits;
        late |= waits;
    }
    level->seeds = !depth && late;
    level->frontier = active;
    level->left -= fri_volatile_load(&now->closed);
    level->examined += fri_volatile_load(&now->examined);
    level->sum = {};
    level->cleans = level->pulls;
    level->pulls =
        !level->seeds && (double)level->left < p.pull * (double)fri_volatile_load(&now->edges);
    level->tests = active * FRI_MANY_DENSE < (unsigned long long)p.n;
    level->finds = active != 0;
    level->deepest = active ? FRI_MAX(depth - !early, level->deepest) : level->deepest;
    level->ends = (!active && !level->seeds) || depth >= p.limit;
    level->from = p.frontier[depth % 2];
    level->next = p.frontier[(depth + 1) % 2];
    level->active = p.active[depth % FRI_MANY_BITMAPS];
    level->found = p.active[(depth + 1) % FRI_MANY_BITMAPS];
    level->old = p.active[(depth + 2) % FRI_MANY_BITMAPS];
}

/* Any thread: level `at` of this launch begins, or the last one has ended. */
static __device__ __forceinline__ void fri_many_trace(fri_level_record *trace,
                                                      const fri_many_level &level, int32_t at,
                                                      unsigned long long *examined) {
    if (at)
        fri_trace_edges_before(trace, at, level.examined - *examined);
    fri_trace_level(trace, at, level.frontier, 0, level.pulls, 0);
    *examined = level.examined;
}

/* All threads of the grid: what the frontier says of the targets and of the sources. */
template <int W, class O>
static __device__ __forceinline__ void fri_many_report(const fri_many<O> &p,
                                                       const fri_many_level &level) {
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = fri_thread_of_grid(); p.table && i < p.target_count * W; i += step) {
        const int32_t v = p.targets[i / W];
        fri_bits left = fri_many_bit(level.active, v) ? level.from[(int64_t)v * W + i % W] : 0;
        for (; left; left &= left - 1) {
            const int w = (int)(i % W), bit = __ffsll((long long)left) - 1;
            fri_many_put(p.table, p.wide, (w * 64 + bit) * p.target_count + i / W,
                         fri_many_distance(p.control->late, w, bit, level.depth));
        }
    }
    if (p.depth && blockIdx.x == 0)
        for (int i = (int)threadIdx.x; i < p.count; i += (int)blockDim.x)
            if (level.full[i / 64] >> i % 64 & 1)
                p.depth[i] = fri_many_distance(p.control->late, i / 64, i % 64, level.depth);
    if (p.tally && blockIdx.x == 0)
        fri_many_tally_end<W>(p, level.depth);
}

/* All threads of the grid: adds what they counted to the counts that the next level reads. */
static __device__ __forceinline__ void fri_many_add(fri_many_level *level, fri_many_counts *to,
                                                    int words, fri_many_thread *mine) {
    unsigned long long *sum = (unsigned long long *)&level->sum;
    const unsigned long long own[FRI_MANY_COUNTERS] = {mine->active, mine->edges, mine->closed,
                                                       mine->examined};
    FRI_UNROLL
    for (int i = 0; i < FRI_MANY_COUNTERS; i++) {
        if (!__any_sync(FRI_FULL_MASK, own[i] != 0))
            continue;
        const unsigned long long total = fri_warp_total(own[i]);
        if (fri_lane() == 0)
            atomicAdd(&sum[i], total); /* other warps add */
    }
    if (mine->any)
        atomicOr(&level->sum.any[fri_lane()], mine->any); /* the same */
    *mine = {};
    __syncthreads(); /* the block's sums are complete */
    const int i = (int)threadIdx.x;
    unsigned long long *at = (unsigned long long *)to + i;
    if (i < FRI_MANY_COUNTERS && sum[i])
        atomicAdd(at, sum[i]); /* other blocks add */
    else if (i >= FRI_MANY_COUNTERS && i < FRI_MANY_COUNTERS + words && sum[i])
        atomicOr(at, sum[i]);
}

/* All threads of the grid: level `depth` of the frontier, up to the last barrier. */
template <int W, class O, class C>
static __device__ __forceinline__ void fri_many_expand(const fri_many<O> &p,
                                                       const fri_many_level &level,
                                                       const C &consumer, fri_many_thread *mine) {
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    if (level.cleans) { /* a push has cleaned what it read, a pull has not */
        fri_many_clean<W>(level.old, p.n, level.next);
        fri_grid_sync(); /* `next` is zero */
    }
    for (int64_t i = fri_thread_of_grid(); i < fri_many_map_words(p.n); i += step)
        level.old[i] = 0;
    if (level.pulls) {
        if (p.control->chunks[1]) {
            fri_many_pull_chunks<W>(p, level, mine);
            fri_grid_sync(); /* the bits of vertices with long rows are complete */
        }
        fri_many_pull<W>(p, level, consumer, mine);
        return;
    }
    for (int64_t i = fri_thread_of_grid(); level.seeds && i < p.count; i += step) {
        const int32_t v = p.sources ? p.sources[i] : p.first + (int32_t)i;
        if (!(p.control->late[i / 64] >> i % 64 & 1))
            continue;
        atomicOr(&level.next[(int64_t)v * W + i / 64], 1ull << i % 64); /* of other edges, too */
        atomicOr(&level.found[v / FRI_WARP], 1u << v % FRI_WARP);
    }
    fri_many_push<W>(p, level, mine);
    fri_many_push_chunks<W>(p, level, mine);
    fri_grid_sync(); /* `next` is complete, and the frontier is read */
    fri_many_settle_push<W>(p, level, consumer, level.next, level.depth + 1, mine);
    fri_many_clean<W>(level.active, p.n, (fri_bits *)level.from);
}

/* Runs the levels of a batch, at most `most` of them in a launch. Where control->level is -1 the sources
 * have their bits in frontier[0] and active[0], and nothing else. */
template <int W, class O, class C>
static __global__ void __launch_bounds__(FRI_MANY_THREADS, FRI_MANY_BLOCKS)
    fri_many_kernel(const __grid_constant__ fri_many<O> p, const __grid_constant__ C consumer,
                    int32_t most) {
    FRI_SHARED(fri_many_level, level, 1);
    fri_many_control *control = p.control;
    const bool leads = blockIdx.x == 0 && threadIdx.x == 0;
    fri_many_thread mine = {};
    if (threadIdx.x == 0) {
        *level = {};
        for (int w = 0; w < W; w++)
            level->full[w] = control->full[w];
        level->left = control->left;
        level->examined = control->examined;
        level->depth = control->level;
        level->deepest = control->deepest;
        level->pulls = control->pulled;
        level->found = p.active[0];
    }
    for (int i = (int)threadIdx.x; p.tally && i < W * 64; i += (int)blockDim.x)
        fri_many_counted<W>()[i] = 0;
    __syncthreads(); /* the state is there */
    if (level->depth < 0) {
        fri_many_settle_push<W>(p, *level, consumer, p.frontier[0], 0, &mine);
        fri_many_add(level, &control->counts[0], W, &mine);
        if (p.tally)
            fri_many_tally_add<W>(p.tally, 0);
        fri_grid_sync(); /* the sources are settled */
        if (threadIdx.x == 0)
            level->depth = 0;
    }
    unsigned long long examined = leads ? control->examined : 0;
    for (int32_t done = 0; done < most; done++) {
        if (threadIdx.x == 0)
            fri_many_decide<W>(p, level);
        __syncthreads(); /* the decision is complete */
        fri_many_trace(p.trace, *level, done, &examined);
        if (level->finds)
            fri_many_report<W>(p, *level);
        if (level->ends)
            break;
        const int32_t depth = level->depth;
        fri_many_expand<W>(p, *level, consumer, &mine);
        for (int i = (int)threadIdx.x; blockIdx.x == 0 && i < FRI_MANY_COUNTERS + W;
             i += (int)blockDim.x) /* for the level after the next */
            ((unsigned long long *)&control->counts[(depth + 2) % FRI_PHASES])[i] = 0;
        fri_many_add(level, &control->counts[(depth + 1) % FRI_PHASES], W, &mine);
        if (p.tally)
            fri_many_tally_add<W>(p.tally, depth + 1);
        fri_grid_sync(); /* the level is complete */
        if (threadIdx.x == 0)
            level->depth = depth + 1;
    }
    if (!level->ends)
        fri_many_trace(p.trace, *level, most, &examined);
    if (!leads)
        return;
    for (int w = 0; w < W; w++)
        control->full[w] = level->full[w];
    control->left = level->left;
    control->examined = level->examined;
    control->level = level->depth;
    control->deepest = level->deepest;
    control->pulled = level->pulls;
    control->ended = level->ends;
}

#endif
