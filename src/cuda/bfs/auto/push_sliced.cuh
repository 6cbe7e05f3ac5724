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

#include "cuda/bfs/auto/hub_slices.cuh"

static const int SLICED_THREADS = 1024, SPLIT_THREADS = 256;

namespace {
/* A level that is pushed by slices; control->hubs hubs. They and their bounds are in the memory of
 * the next frontier's queue, which this level does not write. */
struct sliced_level {
    int32_t depth, phase;
    float expected_ps;
    hub_slices by_slice;
};
} // namespace

/* Whole warp: pushes the lanes' packed chunks edge by edge, into the next bitmap. */
template <class O>
static __device__ __forceinline__ void push_chunks(const bfs_params<O> &p, uint32_t *next,
                                                   const edge_chunk &packed) {
    for_each_target(p, packed, [&](const int32_t *v, const int *owner) {
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
        set_parents(p, packed.v, v, owner, answer);
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
    /* a warp's chunks are far from each other, as the chunks of one row are adjacent */
    for (int64_t first = fri_grid_warp(); first < now.entries; first += warps * FRI_WARP) {
        const int64_t i = first + fri_lane() * warps;
        edge_chunk chunk = i < now.entries ? queue[i] : edge_chunk{0, 0, 0};
        const O begin = p.out.offsets[chunk.v], degree = p.out.offsets[chunk.v + 1] - begin;
        const bool is_hub = degree >= (O)fri_hub_min_degree(p.slices);
        const bool first_chunk = chunk.count && is_hub && (O)chunk.begin == begin;
        int total, before = fri_warp_prefix_count(first_chunk, &total);
        const int32_t base = total ? fri_reserve(&p.control->hubs, total) : 0;
        if (first_chunk)
            s.by_slice.hubs[base + before] = {chunk.v, (int32_t)degree, (int64_t)begin};
        scanned += (unsigned long long)chunk.count;
        chunk.count = is_hub ? 0 : chunk.count;
        push_chunks(p, p.frontier_bits[(s.depth + 1) & 1], fri_pack_chunks(chunk));
    }
    scanned = fri_block_total(scanned);
    if (threadIdx.x == 0 && scanned) /* all blocks add */
        atomicAdd(&p.control->edges_scanned, scanned);
}

/* Any number of blocks. */
template <class O>
static __global__ void bounds_kernel(const __grid_constant__ bfs_params<O> p, sliced_level s) {
    find_slice_ends(p, s.by_slice, p.control->hubs);
}

/* One block per slice. */
template <class O>
static __global__ void __launch_bounds__(SLICED_THREADS, 1)
    push_slices_kernel(const __grid_constant__ bfs_params<O> p, sliced_level s) {
    FRI_SHARED_DYNAMIC(uint32_t, bits);
    FRI_SHARED(int32_t, taken, 1); /* hubs that warps of the block have taken */
    const int32_t slice = (int32_t)blockIdx.x, first = slice * s.by_slice.slice_words;
    const int32_t words = FRI_MIN(words_of(p.n) - first, s.by_slice.slice_words);
    uint32_t *next = p.frontier_bits[(s.depth + 1) & 1];
    FRI_UNROLL_BY(8)
    for (int32_t i = (int32_t)threadIdx.x; i < words; i += (int32_t)blockDim.x)
        bits[i] = p.visited[first + i] | next[first + i];
    if (threadIdx.x == 0)
        *taken = 0;
    __syncthreads(); /* the slice's bits are loaded */
    push_hubs(p, s.by_slice, slice, p.control->hubs, bits, taken);
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
