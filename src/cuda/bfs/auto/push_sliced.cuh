/* Top-down levels of `auto` from hubs of large graphs, without a random access to memory per edge.
 *
 * The vertices are divided into slices of equal length, one per block, such that the bits of a
 * slice fit into shared memory. As rows are sorted by target, the edges of a row that lead to one
 * slice are consecutive. The block of a slice reads these edges of all hubs in the frontier, tests
 * and sets its bits in shared memory, and writes its words of the bitmaps once. The same idea as
 * propagation blocking (Beamer, Asanovic, Patterson, IPDPS 2017), with sorted rows in place of bins.
 *
 * Three kernels, which are launched between two launches of the grid's kernel:
 *   1. split_rows_kernel lists the hubs: vertices of at least fri_hub_min_degree() edges. It
 *      pushes the edges of all others one by one, into the next bitmap.
 *   2. bounds_kernel searches each hub's row for the first edge to each slice.
 *   3. push_slices_kernel pushes the hubs' edges.
 * The next frontier is a bitmap whose levels are not written and whose edges are not counted, as
 * after a push with `defers_levels`. */
#ifndef FRI_CUDA_BFS_AUTO_PUSH_SLICED_CUH
#define FRI_CUDA_BFS_AUTO_PUSH_SLICED_CUH

#include "cuda/bfs/auto/cost_model.h"
#include "cuda/bfs/auto/params.cuh"

static const int SLICED_THREADS = 1024, SPLIT_THREADS = 256;
/* Edges of a lane in flight; steps of a search by interpolation before it bisects. */
static const int SLICED_ITEMS = 8, INTERPOLATION_STEPS = 6;

namespace {
/* A level that is pushed by slices. The hubs and their bounds are in the memory of the next
 * frontier's queue, which this level does not write. */
struct sliced_level {
    int32_t depth, phase, slices, slice_words;
    float expected_ps;
    edge_chunk *hubs;    /* {vertex, degree, first edge}; control->hubs of them */
    int32_t *slice_ends; /* [slices - 1][control->hubs] edges of a hub's row before slice k + 1 */
};
} // namespace

/* Whole warp: the lane whose edges hold position `at` of all lanes' edges; `before`: those of lower
 * lanes. */
static __device__ __forceinline__ int owner_lane(int before, int at) {
    int owner = 0;
    FRI_UNROLL
    for (int step = FRI_WARP / 2; step; step /= 2)
        owner += __shfl_sync(FRI_FULL_MASK, before, owner + step) <= at ? step : 0;
    return owner;
}

/* Whole warp: calls visit(v, owner) for the edges of the lanes' chunks, SLICED_ITEMS per lane at a
 * time: their targets, -1 where there is no edge, and the lanes whose chunks they belong to. */
template <class O, class V>
static __device__ __forceinline__ void for_each_edge(const bfs_params<O> &p, const edge_chunk &mine,
                                                     V visit) {
    int total, before = fri_warp_prefix(mine.count, &total);
    const O begin = (O)mine.begin - (O)before;
    for (int at = fri_lane(); at - fri_lane() < total; at += SLICED_ITEMS * FRI_WARP) {
        int32_t v[SLICED_ITEMS];
        int owner[SLICED_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < SLICED_ITEMS; j++) {
            const int its = at + j * FRI_WARP;
            owner[j] = owner_lane(before, its);
            const O e = __shfl_sync(FRI_FULL_MASK, begin, owner[j]) + (O)its;
            v[j] = its < total ? p.out.targets[e] : -1;
            FRI_COUNT(p.out, FR_COUNTER_EDGES, v[j] >= 0);
        }
        visit(v, owner);
    }
}

/* Whole warp: sets the parents of the vertices that this warp found; u: the vertex of each lane's
 * chunk; answer: the words before their bits were set, all ones where none was. Nothing else waits
 * for the answers. */
template <class O>
static __device__ __forceinline__ void set_parents(const bfs_params<O> &p, int32_t u,
                                                   const int32_t *v, const int *owner,
                                                   const uint32_t *answer) {
    if (!p.parent)
        return;
    FRI_UNROLL
    for (int j = 0; j < SLICED_ITEMS; j++) {
        const int32_t from = __shfl_sync(FRI_FULL_MASK, u, owner[j]);
        if (v[j] >= 0 && bit_was_clear(v[j], answer[j]))
            p.parent[v[j]] = from;
    }
}

/* Whole warp: pushes the lanes' chunks edge by edge, into the next bitmap. */
template <class O>
static __device__ __forceinline__ void push_chunks(const bfs_params<O> &p, uint32_t *next,
                                                   const edge_chunk &mine) {
    for_each_edge(p, mine, [&](const int32_t *v, const int *owner) {
        uint32_t answer[SLICED_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < SLICED_ITEMS; j++)
            answer[j] = v[j] >= 0 && !has_bit(p.visited, v[j]) ? 0 : FRI_FULL_MASK;
        FRI_UNROLL
        for (int j = 0; j < SLICED_ITEMS; j++) {
            FRI_COUNT(p.out, FR_COUNTER_ATOMICS, answer[j] == 0);
            if (answer[j] == 0) /* threads share words; the first that finds v is its parent */
                answer[j] = atomicOr(&next[word_of(v[j])], bit_of(v[j]));
        }
        set_parents(p, mine.v, v, owner, answer);
    });
}

/* Any number of blocks. The next bitmap is zero. */
template <class O>
static __global__ void split_rows_kernel(const __grid_constant__ bfs_params<O> p, sliced_level s) {
    const level_counters now = p.control->counters[s.phase];
    const edge_chunk *queue = p.queue[s.depth & 1];
    const int64_t warps = fri_grid_warps();
    unsigned long long scanned = 0;
    trace_level(p, 0, now, METHOD_SLICED, s.expected_ps);
    if (blockIdx.x == 0 && threadIdx.x == 0) /* no other thread uses these during this level */
        p.control->counters[fri_spare_phase(s.phase)] = {0, 0, 0, 0, 0};
    /* a warp's chunks are far from each other, as those of one row are adjacent */
    for (int64_t first = fri_grid_warp(); first < now.entries; first += warps * FRI_WARP) {
        const int64_t i = first + fri_lane() * warps;
        edge_chunk chunk = i < now.entries ? queue[i] : edge_chunk{0, 0, 0};
        const O begin = p.out.offsets[chunk.v], degree = p.out.offsets[chunk.v + 1] - begin;
        const bool is_hub = degree >= (O)fri_hub_min_degree(p.slices);
        const bool first_chunk = chunk.count && is_hub && (O)chunk.begin == begin;
        int total, before = fri_warp_prefix_count(first_chunk, &total);
        const int32_t base = total ? fri_reserve(&p.control->hubs, total) : 0;
        if (first_chunk)
            s.hubs[base + before] = {chunk.v, (int32_t)degree, (int64_t)begin};
        scanned += (unsigned long long)chunk.count;
        chunk.count = is_hub ? 0 : chunk.count;
        push_chunks(p, p.frontier_bits[(s.depth + 1) & 1], chunk);
    }
    scanned = fri_block_total(scanned);
    if (threadIdx.x == 0 && scanned) /* all blocks add */
        atomicAdd(&p.control->edges_scanned, scanned);
}

/* Any thread: the first edge of a row, which is sorted by target, that leads to `key` or a later
 * vertex. Interpolates as if the row's targets were random, and a little too far each time, so that
 * the next step comes from the other side. */
static __device__ __forceinline__ int32_t first_edge_to(const int32_t *row, int32_t degree,
                                                        int64_t key, float edges_per_vertex) {
    int32_t low = 0, high = degree;
    float guess = (float)key * edges_per_vertex;
    for (int step = 0; low < high; step++) {
        const float inside = FRI_MIN(FRI_MAX(guess, (float)low), (float)(high - 1));
        const int32_t at = step < INTERPOLATION_STEPS
                               ? FRI_MIN(FRI_MAX((int32_t)inside, low), high - 1)
                               : low + (high - low) / 2;
        const float away = (float)(key - row[at]) * edges_per_vertex;
        guess = (float)at + 1.1f * away + (away > 0 ? 1.0f : -1.0f);
        if (row[at] < key)
            low = at + 1;
        else
            high = at;
    }
    return low;
}

/* Any number of blocks: one thread per hub and slice but the last. */
template <class O>
static __global__ void bounds_kernel(const __grid_constant__ bfs_params<O> p, sliced_level s) {
    const int32_t count = p.control->hubs;
    const int64_t tiles = (count + FRI_WARP - 1) / FRI_WARP;
    for (int64_t job = fri_grid_warp(); job < tiles * (s.slices - 1); job += fri_grid_warps()) {
        const int64_t k = job / tiles, i = job % tiles * FRI_WARP + fri_lane();
        if (i >= count)
            continue;
        const edge_chunk hub = s.hubs[i];
        s.slice_ends[k * count + i] =
            first_edge_to(p.out.targets + hub.begin, hub.count, (k + 1) * s.slice_words * FRI_WARP,
                          (float)hub.count / (float)p.n);
    }
}

/* Whole warp: pushes the edges from the lanes' hubs, {vertex, edges, first edge}, to the block's
 * slice, whose first vertex is `first`. */
template <class O>
static __device__ __forceinline__ void push_to_slice(const bfs_params<O> &p, uint32_t *bits,
                                                     int32_t first, const edge_chunk &mine) {
    for_each_edge(p, mine, [&](const int32_t *v, const int *owner) {
        uint32_t answer[SLICED_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < SLICED_ITEMS; j++) {
            uint32_t *word = &bits[v[j] < 0 ? 0 : word_of(v[j] - first)];
            answer[j] = FRI_FULL_MASK;
            /* racy: saves most atomics; warps of the block share words */
            if (v[j] >= 0 && bit_was_clear(v[j], fri_racy_load(word)))
                answer[j] = atomicOr(word, bit_of(v[j]));
        }
        set_parents(p, mine.v, v, owner, answer);
    });
}

/* Hubs that a warp takes at once: few enough that each warp of the block has several turns. */
static __device__ __forceinline__ int32_t hubs_per_turn(int32_t count) {
    const int32_t turns = 4 * (int32_t)(blockDim.x / FRI_WARP);
    return FRI_MAX(FRI_MIN(count / turns, FRI_WARP), 1);
}

/* One block per slice. */
template <class O>
static __global__ void __launch_bounds__(SLICED_THREADS, 1)
    push_slices_kernel(const __grid_constant__ bfs_params<O> p, sliced_level s) {
    FRI_SHARED_DYNAMIC(uint32_t, bits);
    FRI_SHARED(int32_t, taken, 1); /* hubs that warps of the block have taken */
    const int32_t slice = (int32_t)blockIdx.x, count = p.control->hubs;
    const int32_t first = slice * s.slice_words;
    const int32_t words = FRI_MIN(words_of(p.n) - first, s.slice_words);
    uint32_t *next = p.frontier_bits[(s.depth + 1) & 1];
    FRI_UNROLL_BY(8)
    for (int32_t i = (int32_t)threadIdx.x; i < words; i += (int32_t)blockDim.x)
        bits[i] = p.visited[first + i] | next[first + i];
    if (threadIdx.x == 0)
        *taken = 0;
    __syncthreads(); /* the slice's bits are loaded */
    const int32_t each = hubs_per_turn(count);
    for (;;) {
        const int32_t begin = fri_reserve(taken, each), i = begin + fri_lane();
        const bool on = fri_lane() < each && i < count;
        if (begin >= count)
            break;
        const edge_chunk hub = on ? s.hubs[i] : edge_chunk{0, 0, 0};
        const int64_t at = (int64_t)slice * count + i;
        const int32_t from = on && slice ? s.slice_ends[at - count] : 0;
        const int32_t to = on && slice + 1 < s.slices ? s.slice_ends[at] : hub.count;
        push_to_slice(p, bits, first * FRI_WARP, {hub.v, to - from, hub.begin + from});
    }
    __syncthreads(); /* the slice's bits are complete */
    unsigned long long found = 0;
    FRI_UNROLL_BY(8)
    for (int32_t i = (int32_t)threadIdx.x; i < words; i += (int32_t)blockDim.x) {
        const uint32_t fresh = bits[i] & ~p.visited[first + i];
        p.visited[first + i] = bits[i];
        next[first + i] = fresh;
        found += (unsigned)__popc(fresh);
    }
    found = fri_block_total(found);
    if (threadIdx.x == 0 && found) /* all blocks add */
        atomicAdd(&p.control->counters[fri_next_phase(s.phase)].vertices, (int32_t)found);
}

#endif
